"""Sanitising of submissions: what is the student's stays, all else is restored from the release.

A student's are the text of the answers and of the cells that belong to no question, and their order. Whatever decides
what runs and what counts comes from the release: tests and points, where they stand, nbgrader's ids, all metadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from course_grading.cells import Cell, give_ids, grade_id_of, identify
from course_grading.content import pictures

# Tags by which programs that run notebooks leave out a cell, or its errors.
STEERING = {"skip-execution", "raises-exception"}
SETTINGS = ("grade", "solution", "locked", "task", "points", "checksum")
Claims = Sequence[tuple[str, NotebookNode]]
Release = Mapping[str, NotebookNode]


@dataclass(frozen=True)
class Cleaned:
    """A submission that is safe to run and to grade.

    Attributes
    ----------
    notebook : NotebookNode
    cells : tuple of Cell
        The notebook's, each with its identity.
    tampering : tuple of str
        What was tampered with, a sentence each, for whoever grades. What happens by accident in JupyterLab (moved,
        copied, retyped cells, white space, any metadata of other programs), or came with another version of the problem
        set, is put right without a word.
    """

    notebook: NotebookNode
    cells: tuple[Cell, ...]
    tampering: tuple[str, ...]


def clean(notebook: NotebookNode, release: NotebookNode) -> Cleaned:
    """Sanitise a submission: return a new notebook in which nothing of the student's steers how it is graded.

    - Cells keep their type and text, and pictures attached to text. Outputs, metadata and tags go.
    - Tests and points are put back, and so are cells that are missing. They stand behind the answer that they are for.
    - Of cells that claim the same id of nbgrader's the last has it, as in nbgrader's own DeduplicateIds and in the
      kernel, where the last definition counts (of texts the last that says something); the others stay, and run, as
      cells of no question.
    - Cells of no question are the student's to change.

    Parameters
    ----------
    notebook : NotebookNode
        What `course_grading.intake.parse` returns. It is not changed.
    release : NotebookNode
        As it was handed out: `assignments/psNN/psNN.ipynb`.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell, new_notebook
    >>> settings = {"grade_id": "q1-tests", "locked": True, "solution": False, "grade": False, "checksum": "5f"}
    >>> release = new_notebook(cells=[new_code_cell("assert f(2) == 4", id="t", metadata={"nbgrader": settings})])
    >>> submission = deepcopy(release)
    >>> submission.cells[0].source = "pass"
    >>> cleaned = clean(submission, release)
    >>> cleaned.notebook.cells[0].source, cleaned.tampering
    ('assert f(2) == 4', ('The cell q1-tests was changed; it was put back.',))
    """
    ours = {grade_id: cell for cell in release.cells if (grade_id := grade_id_of(cell))}
    claims = _claims(notebook.cells, ours)
    cells = [identify(_cleaned(cell, ours.get(grade_id))) for grade_id, cell in claims]
    _put_in_place(cells, ours)
    give_ids([cell.node for cell in cells if not cell.grade_id], taken=[cell.id for cell in ours.values()])
    kept = {
        key: deepcopy(release.metadata[key])
        for key in ("kernelspec", "language_info")
        if key in release.metadata
    }
    nodes = [cell.node for cell in cells]
    cleaned = NotebookNode(nbformat=4, nbformat_minor=5, metadata=NotebookNode(kept), cells=nodes)
    return Cleaned(cleaned, tuple(cells), (*_tampering(dict(claims), ours), *_steering(claims, release)))


# ---- Matching cells to the release ----


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


def _put_in_place(cells: list[Cell], ours: Release) -> None:
    """Put back missing cells behind the one that comes before in the release, and locked ones that stand before it."""
    before = -1
    for grade_id, original in ours.items():
        at = next((n for n, cell in enumerate(cells) if cell.grade_id == grade_id), None)
        if at is None:
            before += 1
            cells.insert(before, identify(_cleaned(original, original)))
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
