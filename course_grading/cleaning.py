"""A submission made safe to run and to grade: what is the student's stays, all else is as it was handed out.

A student's are the text of the answers and of the cells that belong to no question, and their order. Whatever decides
what runs and what counts comes from the release: tests and points, where they stand, nbgrader's ids, all metadata.
"""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from nbformat import NotebookNode

from course_grading.problem_sets import grade_id_of

# Tags by which programs that run notebooks leave out a cell, or its errors.
STEERING = {"skip-execution", "raises-exception"}
SETTINGS = ("grade", "solution", "locked", "task", "points", "checksum")
PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}  # with what they begin
LARGEST_PICTURE, MOST_PICTURES = 2_000_000, 20  # characters of one, number in a cell
MOST_PIXELS = 25_000_000  # of one: a browser takes four bytes for each, however small the file is
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG's segments that hold height and width
START_OF_SCAN = 0xDA  # after which there are no more lengths to follow
# Signs that no page, report or terminal should get: controls, and those that turn the order of what is read.
UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
COLOUR = r"\x1b\[[0-9;]{0,40}m"
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
PICTURE_NAME = re.compile(r"[\w .()-]{1,100}")

Claims = Sequence[tuple[str, NotebookNode]]
Release = Mapping[str, NotebookNode]


def clean(notebook: NotebookNode, release: NotebookNode) -> tuple[NotebookNode, tuple[str, ...]]:
    """Make a new notebook of a submission, which nothing of the student's can steer.

    - Cells keep their type and text, and pictures attached to text. Outputs, metadata and tags go.
    - Tests and points are put back, and so are cells that are missing. They stand behind the answer that they are for.
    - Of cells that claim the same id of nbgrader's the last has it, as in nbgrader's own DeduplicateIds and in the
      kernel, where the last definition counts (of texts the last that says something); the others stay, and run, as
      cells of no question.
    - Cells of no question are the student's to change.

    Parameters
    ----------
    notebook : NotebookNode
        What :func:`course_grading.intake.parse` returns. It is not changed.
    release : NotebookNode
        As it was handed out: `assignments/psNN/psNN.ipynb`.

    Returns
    -------
    NotebookNode
    tuple of str
        What was tampered with, a sentence each, for whoever grades. What happens by accident in JupyterLab (moved,
        copied, retyped cells, white space, any metadata of other programs), or came with another version of the problem
        set, is put right without a word.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell, new_notebook
    >>> settings = {"grade_id": "q1-tests", "locked": True, "solution": False, "grade": False, "checksum": "5f"}
    >>> release = new_notebook(cells=[new_code_cell("assert f(2) == 4", id="t", metadata={"nbgrader": settings})])
    >>> submission = deepcopy(release)
    >>> submission.cells[0].source = "pass"
    >>> cleaned, tampering = clean(submission, release)
    >>> cleaned.cells[0].source, tampering
    ('assert f(2) == 4', ('The cell q1-tests was changed; it was put back.',))
    """
    ours = {grade_id_of(cell): cell for cell in release.cells if grade_id_of(cell)}
    claims = _claims(notebook.cells, ours)
    cells = [_cleaned(cell, ours.get(grade_id)) for grade_id, cell in claims]
    _put_in_place(cells, ours)
    give_ids([cell for cell in cells if not grade_id_of(cell)], taken=[cell.id for cell in ours.values()])
    kept = {
        key: deepcopy(release.metadata[key])
        for key in ("kernelspec", "language_info")
        if key in release.metadata
    }
    cleaned = NotebookNode(nbformat=4, nbformat_minor=5, metadata=NotebookNode(kept), cells=cells)
    return cleaned, (*_tampering(dict(claims), ours), *_steering(claims, release))


# ---- Whose a cell is ----


def _claims(cells: Sequence[NotebookNode], ours: Release) -> Claims:
    """Pair each cell with the id of nbgrader's that it has; "" where it has none."""
    by_cell_id = {cell.id: grade_id for grade_id, cell in ours.items()}
    found, holders = [], {}
    for cell in cells:
        nbgrader = _nbgrader(cell)
        # Some programs drop nbgrader's metadata: the cell's own id still tells.
        claimed = nbgrader.get("grade_id") if nbgrader else by_cell_id.get(str(cell.get("id")))
        grade_id = claimed if isinstance(claimed, str) and claimed in ours else ""
        found.append(grade_id)
        # A text that was copied before it was answered does not take the answer's place.
        if grade_id and (
            grade_id not in holders or cell.cell_type == "code" or cell.source != ours[grade_id].source
        ):
            holders[grade_id] = cell
    return [
        (grade_id if holders.get(grade_id) is cell else "", cell)
        for grade_id, cell in zip(found, cells, strict=True)
    ]


def _nbgrader(cell: NotebookNode) -> dict[str, Any]:
    """Return what nbgrader, or whoever was at it, has written into a cell's metadata."""
    found = cell.metadata.get("nbgrader")
    return found if isinstance(found, dict) else {}


def _is_locked(original: NotebookNode) -> bool:
    return bool(original.metadata.nbgrader.locked)


# ---- A clean cell ----


def _cleaned(cell: NotebookNode, original: NotebookNode | None) -> NotebookNode:
    """Return what remains of a cell; `original` is the release's with the same id of nbgrader's, if there is one."""
    author = original if original is not None and _is_locked(original) else cell
    frame = cell if original is None else original
    kept = NotebookNode(
        id=frame.get("id"),
        cell_type=frame.cell_type,
        metadata=NotebookNode() if original is None else deepcopy(original.metadata),
        source=author.source,
    )
    if kept.cell_type == "code":
        kept.outputs, kept.execution_count = [], None
    elif attached := pictures(author.get("attachments")):
        kept.attachments = attached
    return kept


def pictures(attachments: Any) -> NotebookNode:
    """Return those attachments of a cell that are pictures, of a decent size and under a plain name.

    Parameters
    ----------
    attachments : any
        As in a notebook's file, made by whomever.
    """
    kept = NotebookNode()
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        for kind in PICTURES if isinstance(bundle, dict) else ():
            text = "".join((joined(bundle.get(kind)) or "").split())
            if len(kept) < MOST_PICTURES and PICTURE_NAME.fullmatch(name) and is_picture(kind, text):
                kept[name] = NotebookNode({kind: text})
    return kept


def is_picture(kind: str, text: str) -> bool:
    """Return whether a text is a picture that may be shown: of a kind in PICTURES, and not too large.

    Parameters
    ----------
    kind : str
        As in "image/png".
    text : str
        In base64, as notebooks keep it.
    """
    return 0 < pixels(kind, text) <= MOST_PIXELS


def pixels(kind: str, text: str) -> int:
    """Return how many pixels a picture unpacks to, which its first bytes say; 0 if it is none, or its file too large.

    Examples
    --------
    >>> png = b"\\x89PNG\\r\\n\\x1a\\n" + b"\\0\\0\\0\\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
    >>> pixels("image/png", base64.b64encode(png).decode())
    307200
    """
    if len(text) > LARGEST_PICTURE:
        return 0
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        return 0
    if not data.startswith(PICTURES.get(kind, b"no picture")):
        return 0
    return _pixels_of_png(data) if kind == "image/png" else _pixels_of_jpeg(data)


def _pixels_of_png(data: bytes) -> int:
    width, height = data[16:20], data[20:24]
    is_whole = data[12:16] == b"IHDR" and len(height) == 4
    return int.from_bytes(width, "big") * int.from_bytes(height, "big") if is_whole else 0


def _pixels_of_jpeg(data: bytes) -> int:
    """Go from segment to segment, each with its length, up to the one that holds height and width."""
    most, at = 0, 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind == 0xFF:  # a byte that fills up
            at += 1
        elif kind in FRAMES:
            height, width = data[at + 5 : at + 7], data[at + 7 : at + 9]
            most = max(most, int.from_bytes(height, "big") * int.from_bytes(width, "big"))
            at += 2 + length
        elif kind == START_OF_SCAN or length < 2:
            break
        else:
            at += 2 + length
    return most


def visible(text: str, keep_colours: bool = False) -> str:
    """Return a text that does nothing but show itself: each control, and what turns the order of signs, is a "�".

    Parameters
    ----------
    text : str
    keep_colours : bool
        Whether to leave the control sequences that colour what a program prints.

    Examples
    --------
    >>> visible("a\\x1b[31mb\\x00\\u202e\\n"), visible("a\\x1b[31mb\\x1b[2J", keep_colours=True)
    ('a�[31mb��\\n', 'a\\x1b[31mb�[2J')
    """
    text = text.replace("\r\n", "\n")
    if not keep_colours:
        return UNSEEN.sub("�", text)
    pieces = re.split(f"({COLOUR})", text)  # every second one is a colour
    return "".join(piece if n % 2 else UNSEEN.sub("�", piece) for n, piece in enumerate(pieces))


def joined(text: Any) -> str | None:
    """Return a text that a notebook keeps whole or as a list of lines; None if it is neither.

    Examples
    --------
    >>> joined(["x = 1\\n", "x"]), joined(5)
    ('x = 1\\nx', None)
    """
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    return text if isinstance(text, str) else None


def give_ids(cells: Sequence[NotebookNode], taken: Iterable[str] = ()) -> None:
    """Let every cell have an id of its own that the notebook's format allows; those that are good stay.

    Parameters
    ----------
    cells : sequence of NotebookNode
    taken : iterable of str
        Ids that none of them may have.

    Examples
    --------
    >>> cells = [NotebookNode(id="a"), NotebookNode(id="a"), NotebookNode(id=None), NotebookNode(id="b b")]
    >>> give_ids(cells)
    >>> [cell.id for cell in cells]
    ['a', 'cell-2', 'cell-3', 'cell-4']
    """
    used = set(taken)
    for number, cell in enumerate(cells, 1):
        known = cell.get("id")
        if not isinstance(known, str) or not ID.fullmatch(known) or known in used:
            numbered = (f"cell-{n}" for n in itertools.count(number))
            cell.id = next(name for name in numbered if name not in used)
        used.add(cell.id)


def _put_in_place(cells: list[NotebookNode], ours: Release) -> None:
    """Put back missing cells behind the one that comes before in the release, and locked ones that stand before it."""
    before = -1
    for grade_id, original in ours.items():
        at = next((n for n, cell in enumerate(cells) if grade_id_of(cell) == grade_id), None)
        if at is None:
            before += 1
            cells.insert(before, _cleaned(original, original))
        elif at < before and _is_locked(original):
            cells.insert(before, cells.pop(at))  # what was before it is now one place further up
        else:
            before = at


# ---- What was tampered with ----


def _tampering(claimed: Release, ours: Release) -> Iterator[str]:
    for grade_id, original in ours.items():
        cell = claimed.get(grade_id)
        if cell is None:
            yield f"The cell {grade_id} is not in what was handed in; it was put back."
        elif _is_locked(original) and _was_changed(cell, original):
            yield f"The cell {grade_id} was changed; it was put back."
        elif not _is_locked(original) and _was_reset(cell, original):
            yield f"nbgrader's settings of the cell {grade_id} were changed; they were put back."


def _was_changed(cell: NotebookNode, original: NotebookNode) -> bool:
    """Whether a locked cell is neither the release's nor that of another version of the problem set."""
    has_its_source = _settled(cell.source) == _settled(original.source)
    has_its_settings = _settings(cell) in ({}, _settings(original))
    return not (has_its_source and has_its_settings) and not _is_intact(cell, original.cell_type)


def _was_reset(cell: NotebookNode, original: NotebookNode) -> bool:
    """Whether the settings of an answer were changed; those of another version may be others."""
    settings, expected = _settings(cell), _settings(original)
    is_other_version = settings.get("checksum", expected["checksum"]) != expected["checksum"]
    return settings not in ({}, expected) and not is_other_version


def _settings(cell: NotebookNode) -> dict[str, Any]:
    return {key: value for key, value in _nbgrader(cell).items() if key in SETTINGS}


def _settled(source: str) -> str:
    """Return a source without the white space that editors add and take away."""
    return "\n".join(line.rstrip() for line in source.rstrip().splitlines())


def _is_intact(cell: NotebookNode, cell_type: str) -> bool:
    """Whether what stands in a cell, and what it is worth, are as nbgrader's checksum in it says."""
    from nbgrader.utils import compute_checksum  # takes seconds to load; rarely wanted

    try:
        checksum = compute_checksum(NotebookNode(cell, cell_type=cell_type))
        return bool(checksum == cell.metadata.nbgrader.checksum)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return False


def _steering(claims: Claims, release: NotebookNode) -> Iterator[str]:
    ours = {tag for cell in release.cells for tag in cell.metadata.get("tags", [])}
    for number, (grade_id, cell) in enumerate(claims, 1):
        tags = cell.metadata.get("tags")
        for tag in sorted(STEERING - ours):
            if isinstance(tags, list) and tag in tags:
                yield f"The cell {grade_id or f'number {number}'} was tagged {tag}; the tag was taken off."
