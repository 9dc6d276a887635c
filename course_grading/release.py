"""nbgrader plug-ins for `generate_assignment`: a problem set may change after it was handed in, and no mark is lost.

nbgrader refuses to add a cell once a submission is in the gradebook, after it has deleted what was released. Here the
gradebook gets the new cell, for the submissions that are there, too; what cannot be done is refused before anything is
touched; and if something fails on the way, what was released before is put back. `nbgrader_config.py` plugs both
classes in, so that the command and formgrader's Generate button do this.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Comment, Grade, Gradebook, MissingEntry
from nbgrader.api import Notebook as Entry
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import SaveCells as NbgraderSaveCells

from course_grading.cells import grade_id_of

POINTS = re.compile(r"\b(\d+(?:\.\d+)?) points?\b")
KINDS = ("grade", "solution", "task")  # of cells that marks or comments hang on, as the gradebook calls them


class Exporter(NotebookExporter):
    """Reads the instructor's notebook for nbgrader, which makes it before it touches what was released."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        generate = cast(Any, self.parent)
        for source in generate.assignments:
            if problem := _what_is_wrong(Path(source), generate.coursedir):
                generate.log.error(problem)
                raise NbGraderException(problem)
        released = [Path(generate._format_dest(Path(source).name, ".")) for source in generate.assignments]
        convert = generate.convert_notebooks
        generate.convert_notebooks = lambda: _keeping(released, convert)


def _keeping(folders: list[Path], convert: Callable[[], None]) -> None:
    """Put folders back as they were if something fails."""
    with tempfile.TemporaryDirectory() as temporary:
        kept = {folder: Path(temporary, str(number)) for number, folder in enumerate(folders)}
        for folder, copy in kept.items():
            if folder.is_dir():
                shutil.copytree(folder, copy)
        try:
            convert()
        except BaseException:  # Ctrl-C, too
            for folder, copy in kept.items():
                if copy.is_dir():
                    shutil.rmtree(folder, ignore_errors=True)
                    shutil.copytree(copy, folder)
            raise


def _what_is_wrong(source: Path, directory: Any) -> str:
    """Say why a problem set cannot be released; "" if it can."""
    name = source.name
    path = source / f"{name}.ipynb"
    if not path.is_file():
        return (
            f"{path} is not there: a problem set's notebook is called as its folder is. Nothing was changed."
        )
    notebook = nbformat.read(path, as_version=4)
    if problem := points_that_differ(notebook):
        return f"{path}: {problem} Nothing was changed."
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        try:
            entry = gradebook.find_notebook(name, name)
        except MissingEntry:
            return ""
        missing = sorted(_marked_in(entry) - _marked(notebook)) if entry.submissions else []
    if not missing:
        return ""
    cells = ", ".join(" ".join(reversed(cell)) for cell in missing)
    return (
        f"{name} was handed in already, and marks hang on what is not in {path} any more: {cells}. Put it back, under "
        "the same id; to take a question out of the count, give it 0 points. Nothing was changed."
    )


def points_that_differ(notebook: NotebookNode) -> str:
    """Say whether the first cell promises another total than the questions have; "" if all is well.

    Examples
    --------
    >>> first = {"cell_type": "markdown", "source": "# Problem set 1\\n\\n22 points.", "metadata": {}}
    >>> question = {"cell_type": "code", "metadata": {"nbgrader": {"grade": True, "points": 24}}}
    >>> points_that_differ(nbformat.from_dict({"cells": [first, question]}))
    'the first cell says 22 points, and the questions have 24: change one of the two.'
    """
    said = POINTS.search(notebook.cells[0].source) if notebook.cells else None
    total = sum(cell.metadata.nbgrader.points for cell in notebook.cells if utils.is_grade(cell))
    if said is None or float(said[1]) == total:
        return ""
    return f"the first cell says {said[1]} points, and the questions have {total:g}: change one of the two."


def _marked(notebook: NotebookNode) -> set[tuple[str, str]]:
    """Return the cells of a notebook that marks or comments hang on: their ids and kinds."""
    is_of = {"grade": utils.is_grade, "solution": utils.is_solution, "task": utils.is_task}
    return {(grade_id_of(cell), kind) for cell in notebook.cells for kind in KINDS if is_of[kind](cell)}


def _marked_in(entry: Entry) -> set[tuple[str, str]]:
    """Return the same of what the gradebook knows."""
    return {(cell.name, kind) for kind in KINDS for cell in getattr(entry, f"{kind}_cells")}


class SaveCells(NbgraderSaveCells):  # type: ignore[misc]  # nbgrader is not annotated
    """Tells the gradebook which cells there are, and gives the submissions that are there a place for new ones."""

    def _create_notebook(self, nb: NotebookNode) -> None:
        try:
            entry = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        except MissingEntry:
            entry = None
        if entry is not None and entry.submissions:
            self._add_cells(entry)
        super()._create_notebook(nb)

    def _add_cells(self, entry: Entry) -> None:
        """Do what nbgrader would refuse, with all submissions as they are."""
        for kind in (*KINDS, "source"):
            known = {cell.name for cell in getattr(entry, f"{kind}_cells")}
            wanted = getattr(self, f"new_{kind}_cells")
            add = getattr(self.gradebook, f"add_{kind}_cell")
            for name in wanted.keys() - known:
                cell = add(name, self.notebook_id, self.assignment_id, **wanted[name])
                for submission in entry.submissions if kind != "source" else ():
                    if kind in ("grade", "task"):
                        submission.grades.append(Grade(cell_id=cell.id))
                    if kind in ("solution", "task"):
                        submission.comments.append(Comment(cell_id=cell.id))
        for cell in entry.source_cells:  # nothing hangs on these: what the notebook says now is what counts
            if cell.name not in self.new_source_cells:
                self.gradebook.db.delete(cell)
        self.gradebook.db.commit()
