"""Reading of untrusted submissions: the bytes of one notebook, and the notebook that they hold.

A submission lies in `submitted/STUDENT/psNN/`. `read_submission` opens nothing but `psNN.ipynb` and nbgrader's
`timestamp.txt`, and neither through a link; `parse` makes a notebook of the bytes, or says why it cannot;
`course_grading.cleaning.clean` then takes from it all that could steer how it is graded.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import stat
from collections.abc import Container, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import nbformat
import numpy as np
from nbformat import NotebookNode
from nbformat.v4.convert import upgrade_cell

from course_grading.cells import give_ids
from course_grading.content import joined, pictures
from course_lib.exercises.kernel_protocol import printable

LARGEST_BYTES, LARGEST_TIMESTAMP, LARGEST_SECRET = 10_000_000, 100, 200
DEEPEST, MOST_VALUES = 100, 1_000_000  # of the JSON: a notebook with pictures and tables stays far below
MOST_CELLS, LONGEST_SOURCE = 2000, 200_000  # cells, characters of one
MOST_LISTED = 20
TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"  # nbgrader's, of what came through its exchange
KEY = re.compile(r"[0-9a-f]{128}")  # as nbgrader makes them
STUDENT = re.compile(r"\w[\w.@+-]{0,99}")  # what a student may be called: a login, or an address
TIME = re.compile(
    r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,9})?)?( ?([+-]\d\d:?\d\d|[A-Za-z]+(/[A-Za-z_-]+)*))?)?"
)
KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "symbolic link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}
STEPS = np.zeros(256, dtype=np.int8)  # how much deeper a sign leads into lists and objects
STEPS[list(b"[{")], STEPS[list(b"]}")] = 1, -1
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


class InvalidSubmissionError(ValueError):
    """A submission without a file that can be read. The message says why, in words for the student."""


class InvalidNotebookError(ValueError):
    """A file that is no notebook. The message says why, in words for the student."""


# ---- What lies in the folder ----


@dataclass(frozen=True)
class SubmissionFiles:
    """The files of a submission: the notebook's bytes, its time, and what else was found.

    Attributes
    ----------
    data : bytes
        The notebook's.
    timestamp : str
        When it was handed in, as nbgrader wrote it; "" if it is not known.
    left : tuple of str
        What else lies there and was left, with what it is: "notes.txt (file)".
    """

    data: bytes
    timestamp: str
    left: tuple[str, ...]


def read_submission(folder: Path, name: str) -> SubmissionFiles:
    """Read the notebook in a submission's folder.

    Parameters
    ----------
    folder : Path
        `submitted/STUDENT/psNN`.
    name : str
        As in "ps05".

    Raises
    ------
    InvalidSubmissionError
        If it is missing, is no file of its own, or is too large.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as submitted:
    ...     folder = Path(submitted, "ada", "ps01")
    ...     folder.mkdir(parents=True)
    ...     _ = (folder / "ps01.ipynb").write_bytes(b"{}")
    ...     (folder / "data").mkdir()
    ...     read_submission(folder, "ps01")
    SubmissionFiles(data=b'{}', timestamp='', left=('data (folder)',))
    """
    with _opened(folder) as place:
        data = notebook_in(place, name)
        timestamp = _timestamp(place)
        taken = {f"{name}.ipynb", TIMESTAMP} if timestamp else {f"{name}.ipynb"}
        return SubmissionFiles(data, timestamp, _listed(place, taken))


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open `submitted/STUDENT/psNN`, of which the last two come from the student, and may be no links."""
    folder = Path(os.path.abspath(folder))
    with contextlib.ExitStack() as stack, _refusing():
        place = os.open(folder.parent.parent, os.O_RDONLY | os.O_DIRECTORY)
        stack.callback(os.close, place)
        for name in (folder.parent.name, folder.name):
            place = stack.enter_context(opened_in(place, name))
        yield place


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Refuse what cannot be read, for whatever reason, or goes away meanwhile."""
    try:
        yield
    except OSError as error:
        raise InvalidSubmissionError(
            f"What was handed in cannot be read ({error.strerror}): hand it in again."
        ) from None


@contextlib.contextmanager
def opened_in(place: int, name: str) -> Iterator[int]:
    """Open a folder in another that is open, but through no link.

    Raises
    ------
    InvalidSubmissionError
        If it is none, or may not be opened.
    """
    with _refusing():
        try:
            number = os.open(name, FOLDER_FLAGS, dir_fd=place)
        except FileNotFoundError:
            raise InvalidSubmissionError(f"There is no {shown(name)} in what was handed in.") from None
        except OSError as error:
            raise InvalidSubmissionError(_no_folder(name, _what_is(name, place), error)) from None
        try:
            yield number
        finally:
            os.close(number)


def notebook_in(place: int, name: str, owner: int | None = None) -> bytes:
    """Read the notebook in a submission's folder, which is open.

    Parameters
    ----------
    place : int
        The folder's number.
    name : str
        As in "ps05".
    owner : int, optional
        The user to whom it has to belong.

    Raises
    ------
    InvalidSubmissionError
        If it is missing, is no file of its own, is too large, or belongs to somebody else.
    """
    try:
        return _read(f"{name}.ipynb", place, LARGEST_BYTES, owner)
    except FileNotFoundError:
        lies_there = ", ".join(_listed(place)) or "nothing"
        raise InvalidSubmissionError(
            f"There is no {name}.ipynb in what was handed in; found: {lies_there}."
        ) from None


def text_beside(path: Path, most: int) -> str:
    """Return the text of a small file that somebody handed in, without following a link or waiting for a pipe.

    Raises
    ------
    ValueError
        If it is no file of its own, has more than `most` bytes, or is no text.
    OSError
        If it cannot be opened.
    """
    place = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        what = _what_is(path.name, place)
        if not what.startswith("file"):
            raise ValueError(f"a {what}, no file of its own")
        try:
            return _read(path.name, place, most).decode("utf-8")
        except InvalidSubmissionError:
            raise ValueError(f"more than {most:,} bytes") from None
    finally:
        os.close(place)


def _no_folder(name: str, what: str, error: OSError) -> str:
    if what == "folder":
        return f"{shown(name)} cannot be opened: {error.strerror}."
    return f"{shown(name)} is a {what}: hand in a folder with your notebook in it."


def _what_is(name: str, place: int) -> str:
    return _what(os.stat(name, dir_fd=place, follow_symlinks=False))


def _what(info: os.stat_result) -> str:
    """Say what something is; "file" if it is one that may be taken."""
    if not stat.S_ISREG(info.st_mode):
        return KINDS.get(stat.S_IFMT(info.st_mode), "something unknown")
    if info.st_nlink > 1:
        return "hard link"  # perhaps to the gradebook: which of its names came first cannot be told
    return "file" if info.st_size <= LARGEST_BYTES else f"file of more than {LARGEST_BYTES // 10**6} MB"


def _read(name: str, place: int, most: int, owner: int | None = None) -> bytes:
    """Read a file without following a link or waiting for a pipe, whatever takes its place in between."""
    _refuse_unless_file(name, _what_is(name, place))
    try:
        number = os.open(name, FILE_FLAGS, dir_fd=place)
    except OSError as error:
        raise InvalidSubmissionError(f"{name} cannot be opened: {error.strerror}.") from None
    with open(number, "rb") as file:
        info = os.fstat(number)
        _refuse_unless_file(name, _what(info))
        if owner not in (None, info.st_uid):
            raise InvalidSubmissionError(f"{name} belongs to somebody else than the folder that it lies in.")
        data = file.read(most + 1)
    if len(data) > most:
        raise InvalidSubmissionError(f"{name} has more than {most:,} bytes.")
    return data


def _refuse_unless_file(name: str, what: str) -> None:
    if what.startswith("file of"):
        raise InvalidSubmissionError(f"{name} is a {what}: clear its outputs, save it, and hand it in again.")
    if what != "file":
        raise InvalidSubmissionError(f"{name} is a {what}: hand in the notebook itself, as a file.")


def _timestamp(place: int) -> str:
    """Return what nbgrader's timestamp says; "" if there is none that nbgrader could read."""
    try:
        text = _read(TIMESTAMP, place, LARGEST_TIMESTAMP).decode("utf-8").strip()
    except (OSError, ValueError):
        return ""
    return text if read_time(text) else ""


def read_time(text: str) -> datetime | None:
    """Read a time as nbgrader does; None if it is none.

    Parameters
    ----------
    text : str
        May come from a student: nbgrader's parser fails in any way, and takes `/dev/zero` for a time zone.

    Returns
    -------
    datetime
        In UTC, without saying so.

    Examples
    --------
    >>> str(read_time("2027-01-31 23:10:00 Europe/Paris")), read_time("9" * 30 + "m")
    ('2027-01-31 22:10:00', None)
    """
    if not TIME.fullmatch(text):
        return None
    # Takes seconds to load, and is wanted only where there is a timestamp.
    from nbgrader.utils import parse_utc

    try:
        time = parse_utc(text)
        return time if isinstance(time, datetime) else None
    except Exception:  # of whatever kind
        return None


def secret_in(place: int, owner: int | None = None) -> str:
    """Return the key to a student's feedback, which nbgrader's exchange has put into a submission's folder.

    Returns
    -------
    str
        "" if there is none, or none that nbgrader made.
    """
    try:
        text = _read(SECRET, place, LARGEST_SECRET, owner).decode("ascii")
    except (OSError, ValueError):
        return ""
    return text if KEY.fullmatch(text) else ""


def time_of(folder: Path) -> datetime | None:
    """Return when a submission was handed in, as its timestamp says, in UTC; None if that is not known.

    Examples
    --------
    >>> time_of(Path("submitted", "nobody", "ps01"))
    """
    try:
        with _opened(folder) as place:
            return read_time(_timestamp(place))
    except InvalidSubmissionError:
        return None


def receipt(folder: Path) -> dict[str, str]:
    """Return what nbgrader's exchange has put beside a submission: when it came, and the key to its feedback.

    Parameters
    ----------
    folder : Path
        `submitted/STUDENT/psNN`.

    Returns
    -------
    dict
        The texts of `timestamp.txt` and `submission_secret.txt`; empty if it did not come through the exchange.

    Examples
    --------
    >>> receipt(Path("submitted", "nobody", "ps01"))
    {}
    """
    try:
        with _opened(folder) as place:
            timestamp, secret = _timestamp(place), secret_in(place)
    except InvalidSubmissionError:
        return {}
    return {TIMESTAMP: timestamp, SECRET: secret} if timestamp and secret else {}


def _listed(place: int, taken: Container[str] = ()) -> tuple[str, ...]:
    """Say what lies in a folder that is open, in lines; a stranger may have put a million files there."""
    with os.scandir(place) as found:
        names = sorted(
            entry.name for entry in itertools.islice(found, MOST_LISTED) if entry.name not in taken
        )
        more = ["more"] if next(found, None) else []
    lines = []
    for name in names:
        with contextlib.suppress(FileNotFoundError):  # it went away meanwhile
            lines.append(f"{shown(name)} ({_what_is(name, place)})")
    return (*lines, *more)


def shown(name: str) -> str:
    """Return a name that a student chose as one short line that can be printed.

    Examples
    --------
    >>> shown("ada\\x1b[2J"), shown("mal\\udcff")
    ('ada?[2J', 'mal?')
    """
    return printable(name[:100])


# ---- What the bytes say ----


def parse(data: bytes) -> NotebookNode:
    """Read a notebook from the bytes of its file; older formats are upgraded.

    Of the cells' metadata only nbgrader's and the tags are kept, and no outputs: nothing looks at the rest.

    Raises
    ------
    InvalidNotebookError
        If they are no notebook.

    Examples
    --------
    >>> cells = [{"cell_type": "code", "source": ["x = 1\\n", "x"], "metadata": {}}]
    >>> parse(json.dumps({"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": cells}).encode()).cells[0].source
    'x = 1\\nx'
    >>> parse(b"not a notebook")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    course_grading.intake.InvalidNotebookError: Your notebook cannot be read: the file is damaged ...
    """
    plain = _parse_json(data)
    version = plain.get("nbformat") if isinstance(plain, dict) else None
    if type(version) is not int or not 2 <= version <= 4:
        _break("it does not say that it is a notebook of a version that is known here")
    cells = (plain if version == 4 else _upgraded(plain, version)).get("cells")
    if not isinstance(cells, list):
        _break("it has no cells")
    if len(cells) > MOST_CELLS:
        _break(f"it has {len(cells):,} cells, more than {MOST_CELLS:,}")
    notebook = NotebookNode(
        nbformat=4,
        nbformat_minor=5,
        metadata=NotebookNode(),
        cells=[_cell(cell, number) for number, cell in enumerate(cells, 1)],
    )
    give_ids(notebook.cells)
    try:
        json.dumps(notebook, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        _break("it contains damaged characters")
    return notebook


def _break(what: str) -> NoReturn:
    raise InvalidNotebookError(
        f"Your notebook cannot be read: {what}. Open it in JupyterLab, save it there, and hand it in again."
    )


def _parse_json(data: bytes) -> Any:
    _check_size(data)
    try:
        text = data.decode("utf-8-sig")
        return json.loads(
            text, object_pairs_hook=_without_twins, parse_constant=_no_number, parse_float=_finite
        )
    except UnicodeDecodeError:
        _break("it is no text in UTF-8")
    except json.JSONDecodeError as error:
        _break(f"the file is damaged from line {error.lineno} on")
    except InvalidNotebookError:
        raise
    except ValueError:  # Python reads no whole number of more than 4300 digits
        _break("it holds a number that is too long")


def _check_size(data: bytes) -> None:
    """Look at the brackets and commas outside strings, before a parser is trusted with them."""
    signs = np.frombuffer(data.replace(rb"\\", b"").replace(rb"\"", b""), dtype=np.uint8)
    is_outside = np.cumsum(signs == ord('"'), dtype=np.uint8) % 2 == 0
    outside = signs[is_outside]
    if STEPS[outside].cumsum(dtype=np.int32).max(initial=0) > DEEPEST:
        _break(f"it holds lists within lists, deeper than {DEEPEST}")
    if sum(np.count_nonzero(outside == sign) for sign in b"[{,") > MOST_VALUES:
        _break(f"it holds more than {MOST_VALUES:,} values")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _break("a field occurs twice")
    return found


def _no_number(text: str) -> NoReturn:
    _break(f"it holds {text}, which is no number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        _break("it holds a number that is too large")
    return number


def _upgraded(plain: dict[str, Any], version: int) -> dict[str, Any]:
    """Return a notebook of an old format in the present one."""
    try:
        old = nbformat.convert(nbformat.versions[version].to_notebook_json(plain), to_version=3)
        cells = [upgrade_cell(cell) for sheet in old.worksheets for cell in sheet.cells]
        return {"cells": [cell | {"id": None} for cell in cells]}  # not the ids, which were drawn at random
    except Exception:  # nbformat's converters trust what they are given, and fail in any way
        _break(f"it is of an old version ({version}), and damaged")


def _cell(plain: Any, number: int) -> NotebookNode:
    kind = plain.get("cell_type") if isinstance(plain, dict) else None
    if kind not in ("code", "markdown", "raw"):
        _break(f"cell {number} is neither code nor text")
    source = joined(plain.get("source", ""))
    if source is None:
        _break(f"what stands in cell {number} is no text")
    if len(source) > LONGEST_SOURCE:
        _break(f"cell {number} has {len(source):,} characters, more than {LONGEST_SOURCE:,}")
    metadata = _metadata(plain.get("metadata"))
    cell = NotebookNode(id=plain.get("id"), cell_type=kind, metadata=metadata, source=source)
    if kind == "code":
        cell.outputs, cell.execution_count = [], None
    elif attached := pictures(plain.get("attachments")):
        cell.attachments = attached
    return cell


def _metadata(plain: Any) -> NotebookNode:
    """Keep what is looked at later, where it is of the right kind."""
    metadata = NotebookNode()
    if isinstance(plain, dict):
        if isinstance(plain.get("nbgrader"), dict):
            metadata.nbgrader = nbformat.from_dict(plain["nbgrader"])
        if isinstance(plain.get("tags"), list):
            tags = [tag for tag in plain["tags"] if isinstance(tag, str) and tag and "," not in tag]
            metadata.tags = list(dict.fromkeys(tags))
    return metadata
