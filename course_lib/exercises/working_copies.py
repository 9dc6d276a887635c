"""A student's own copies of the problem sets: one is started from the release, and checked by its visible tests.

What is handed out stays as it is; the copy, in a folder that git ignores, is the student's.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

import nbformat
from nbformat import NotebookNode

from course_lib.exercises.kernels import SECONDS_A_CELL, Kernel, KernelFailure

RELEASES, COPIES = "assignments", "work"
STUB = "Your answer takes the place of this line"  # tests/test_working_copies.py compares with nbgrader_config.py
CANNOT_BE_READ = "SyntaxError", "IndentationError", "TabError"
STOPPED = "This cell "  # so begins what a kernel says of a cell that did not end, or that killed it
State = Literal["not begun", "not yet", "passes", "not written", "written"]


@dataclass(frozen=True)
class QuestionReport:
    """How far one question is.

    Attributes
    ----------
    name, title : str
        As in "q1" and "a convolution over a sentence".
    state : {"not begun", "not yet", "passes", "not written", "written"}
        Of code, what its visible tests say; a written answer is there or not.
    message : str
        What the tests say is not right yet.
    """

    name: str
    title: str
    state: State
    message: str = ""


def course_folder(start: Path | None = None) -> Path:
    """Return the folder of the course: the one that holds assignments/, here or above.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    here = (start or Path.cwd()).resolve()
    for folder in [here, *here.parents]:
        if (folder / RELEASES).is_dir():
            return folder
    raise FileNotFoundError(f"no folder {RELEASES}/ in {here} or above: call this in the course's folder")


def released(course: Path) -> dict[str, str]:
    """Return the titles of the problem sets that were released, by name.

    Examples
    --------
    >>> released(course_folder())["ps01"]
    'what attention was invented for'
    """
    return {
        path.stem: _title(nbformat.read(path, as_version=4))
        for path in sorted((course / RELEASES).glob("*/*.ipynb"))
        if path.stem == path.parent.name
    }


def _title(notebook: NotebookNode) -> str:
    first = notebook.cells[0].source.partition("\n")[0]
    return first.partition(": ")[2] or first


def start(course: Path, name: str, anew: bool = False) -> tuple[Path, Path | None]:
    """Make the student's copy of a problem set.

    Parameters
    ----------
    course : Path
        Its folder.
    name : str
        As in "ps01".
    anew : bool
        Whether to begin again, if there is a copy: the present one is put aside, never overwritten.

    Returns
    -------
    (Path, Path or None)
        The copy's notebook, and the folder in which an earlier copy now is.

    Raises
    ------
    ValueError
        If no problem set has that name.
    FileExistsError
        If there is a copy already.
    """
    names = released(course)
    if name not in names:
        raise ValueError(f"there is no problem set {name!r}; there are {', '.join(names) or 'none'}")
    copy, aside = course / COPIES / name, None
    if copy.exists():
        if not anew:
            raise FileExistsError(f"{copy} is there already, and stays as it is")
        aside = next(
            folder for n in count(1) if not (folder := copy.with_name(f"{name}-earlier-{n}")).exists()
        )
        copy.rename(aside)
    copy.parent.mkdir(mode=0o700, exist_ok=True)  # other accounts on the machine do not see what is in it
    shutil.copytree(course / RELEASES / name, copy, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    return copy / f"{name}.ipynb", aside


def check(path: Path, seconds_a_cell: int = SECONDS_A_CELL) -> Iterator[QuestionReport]:
    """Run a notebook's cells in a fresh kernel, up to its last question, and tell of each question how far it is.

    The notebook itself is not changed.

    Parameters
    ----------
    path : Path
        Of a problem set's notebook.
    seconds_a_cell : int
        What takes longer is stopped; what comes after it goes on with all the others.

    Raises
    ------
    ValueError
        If it is no problem set, or cannot be read.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:  # nbformat raises several kinds for what is no notebook
        raise ValueError(f"{path} cannot be read as a notebook: {error}") from None
    titles = {
        number: title
        for cell in notebook.cells
        for number, title in re.findall(
            r"^## Question (\d+[a-z]?): (.*?)(?: \(.*\))?$", cell.source, re.MULTILINE
        )
    }
    last = max((n for n, cell in enumerate(notebook.cells) if _id(cell)), default=None)
    if last is None:
        raise ValueError(f"{path} holds no question: is it a problem set?")
    done: list[str] = []  # what a new kernel is to run, after one that did not end
    above = ""  # what stopped an answer's own cell, or a cell that cannot be read, since the last question
    with Kernel(folder=str(path.parent), seconds_a_cell=seconds_a_cell) as kernel:
        for cell in notebook.cells[: last + 1]:
            name = _id(cell).removesuffix("-tests")
            title = titles.get(name[1:], "")
            if cell.cell_type == "markdown" and name:
                yield QuestionReport(name, title, "not written" if STUB in cell.source else "written")
            elif cell.cell_type == "code":
                message = _run(kernel, cell, done)
                if not _id(cell).endswith("-tests"):
                    if message and (name or message.startswith(CANNOT_BE_READ)):
                        above = above or (
                            message if message.startswith(STOPPED) else f"Your cell stops with {message}."
                        )
                elif "stops with NotImplementedError" in message:
                    yield QuestionReport(name, title, "not begun")
                    above = ""
                else:
                    told = (
                        above if above and message.startswith("NameError") else f"{above} {message}".strip()
                    )
                    yield QuestionReport(
                        name, title, "not yet" if message else "passes", told if message else ""
                    )
                    above = ""


def _id(cell: NotebookNode) -> str:
    found: str = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    return found


def _run(kernel: Kernel, cell: NotebookNode, done: list[str]) -> str:
    """Run a cell; return the message of the error in it, if there is one.

    A kernel that gives no answer is replaced by another one, in which the cells of `done` are run again. What ended,
    and is no test, is added to these.
    """
    try:
        kernel.run(cell)
    except KernelFailure as failure:
        kernel.go_on(done)
        return str(failure)
    if not _id(cell).endswith("-tests"):
        done.append(cell.source)
    for output in cell.outputs:
        if output.output_type == "error":
            value = re.sub(r"\(\S+\.py, line (\d+)\)$", r"(line \1)", str(output.evalue))
            return value if output.ename == "Hint" else f"{output.ename}: {value}"
    return ""
