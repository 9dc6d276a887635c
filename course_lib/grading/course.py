"""The instructor's folder of the course, as nbgrader's configuration lays it out, and its gradebook's only writer."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sqlite3
import time
import warnings
from dataclasses import fields
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SAWarning
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader
from traitlets.utils.importstring import import_item

from course_lib.files import atomic_path
from course_lib.grading.grade import sign
from course_lib.grading.late import LatePolicy, assign_penalties, grant_extensions
from course_lib.grading.problem_sets import grade_id_of
from course_lib.grading.records import Record
from course_lib.grading.sandbox import Limits

CONFIGURATION, SECRET, BACKUPS = "nbgrader_config.py", "course.secret", "backups"
BACKUPS_KEPT = 20

Written = dict[str, tuple[str, float]]  # by nbgrader's id: the answer, and what it can get
NAME = re.compile(r"\w[\w.-]*")


class Course:
    """An instructor's folder of the course.

    Parameters
    ----------
    root : Path
        It holds nbgrader_config.py.

    Raises
    ------
    FileNotFoundError
        If it does not.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        if not (self.root / CONFIGURATION).is_file():
            raise FileNotFoundError(
                f"no {CONFIGURATION} in {root}: call this in the instructor's folder of the course"
            )
        self.config: Config = PyFileConfigLoader(CONFIGURATION, path=str(self.root)).load_config()
        self.directory = CourseDirectory(config=self.config, root=str(self.root))

    def folder(self, step: str, name: str, student: str = ".") -> Path:
        """Return the folder of a problem set in one of nbgrader's steps: "source", "release", "submitted", …

        Raises
        ------
        ValueError
            If it cannot be the name of one.
        """
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a problem set, such as ps01")
        return Path(self.directory.format_path(getattr(self.directory, f"{step}_directory"), student, name))

    def release(self, name: str) -> str:
        """Return the notebook as it was handed out, JSON.

        Raises
        ------
        FileNotFoundError
            If it was not.
        """
        path = self.folder("release", name) / f"{name}.ipynb"
        if not path.is_file():
            raise FileNotFoundError(f"there is no {path}: 'nbgrader generate_assignment {name}' makes it")
        return path.read_text(encoding="utf-8")

    def checks(self, name: str) -> str:
        """Return the source of what decides a problem set.

        Raises
        ------
        FileNotFoundError
            If there is none.
        """
        return (self.folder("source", name) / "checks.py").read_text(encoding="utf-8")

    def submissions(self, name: str) -> dict[str, Path]:
        """Return the folders that were handed in, by student."""
        found = sorted(self.root.glob(os.path.relpath(self.folder("submitted", name, "*"), self.root)))
        return {folder.parent.name: folder for folder in found}

    def secret_of(self, student: str) -> bytes:
        """Return a student's part of the course's secret, by which inputs are drawn."""
        return sign(self._secret, student)

    @cached_property
    def _secret(self) -> bytes:
        path = self.root / SECRET
        try:
            with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
        except FileExistsError:
            pass
        return bytes.fromhex(path.read_text())

    @cached_property
    def limits(self) -> Limits:
        """What one submission may use: `c.Limits.seconds_a_cell = 120` in nbgrader_config.py sets one of them.

        Raises
        ------
        ValueError
            If the configuration names what is no limit.
        """
        if unknown := set(self.config.Limits) - {field.name for field in fields(Limits)}:
            raise ValueError(f"{CONFIGURATION}: c.Limits has no {', '.join(sorted(unknown))}")
        return Limits(**self.config.Limits)

    def gradebook(self) -> Gradebook:
        """Open the gradebook."""
        return Gradebook(self.directory.db_url, self.directory.course_id)

    def back_up_gradebook(self) -> Path | None:
        """Copy the gradebook, if it is a file of SQLite's, and return the copy; of these the newest are kept."""
        database = self.directory.db_url.removeprefix("sqlite:///")
        if not Path(database).is_file():
            return None
        folder = self.root / BACKUPS
        folder.mkdir(mode=0o700, exist_ok=True)
        copy = folder / f"gradebook-{time.strftime('%Y%m%d-%H%M%S')}.db"
        with sqlite3.connect(database) as source, sqlite3.connect(copy) as target:
            source.backup(target)  # whole, even while formgrader writes
        for old in sorted(folder.glob("gradebook-*.db"))[:-BACKUPS_KEPT]:
            old.unlink()
        return copy

    def expect(self, name: str) -> None:
        """Make sure that the gradebook knows a problem set.

        Raises
        ------
        ValueError
            If it does not.
        """
        try:
            with self.gradebook() as gradebook:
                gradebook.find_notebook(name, name)
        except MissingEntry:
            raise ValueError(
                f"the gradebook does not know {name}: 'nbgrader generate_assignment {name} --force' tells it"
            ) from None

    def enter(self, name: str, student: str, notebook: str, timestamp: str) -> None:
        """Put a graded notebook where nbgrader has it, and its points into the gradebook, as `nbgrader autograde` does.

        Parameters
        ----------
        name, student : str
        notebook : str
            With verdicts, JSON.
        timestamp : str
            When it was handed in; "" if that is not known.
        """
        folder = self.folder("autograded", name, student)
        with warnings.catch_warnings(category=SAWarning, action="ignore"):  # of how nbgrader uses SQLAlchemy
            before = self._marked(name, student, folder / f"{name}.ipynb")
            node = self._save(name, student, nbformat.reads(notebook, as_version=4), timestamp)
            self._confirm_marks(name, student, before, _written(node))
        write(folder / f"{name}.ipynb", nbformat.writes(node))
        if timestamp:
            write(folder / "timestamp.txt", timestamp)
        shutil.rmtree(self.folder("feedback", name, student), ignore_errors=True)  # on what was there before

    def _save(self, name: str, student: str, node: NotebookNode, timestamp: str) -> NotebookNode:
        """Save the points of a graded notebook in the gradebook; return it as nbgrader leaves it."""
        with self.gradebook() as gradebook:
            gradebook.update_or_create_student(student)
            when = {"timestamp": parse_utc(timestamp)} if timestamp else {}
            gradebook.update_or_create_submission(name, student, **when)
        resources: dict[str, Any] = {
            "nbgrader": {
                "student": student,
                "assignment": name,
                "notebook": name,
                "db_url": self.directory.db_url,
            }
        }
        for preprocessor in self._after_decide():
            node, resources = preprocessor(config=self.config).preprocess(node, resources)
        return node

    def _marked(self, name: str, student: str, graded: Path) -> Written:
        """Return the answers in words that a person has marked, and need not look at again."""
        if not graded.is_file():
            return {}
        written = _written(nbformat.read(graded, as_version=4))
        with self.gradebook() as gradebook:
            try:
                grades = {
                    grade_id: gradebook.find_grade(grade_id, name, name, student) for grade_id in written
                }
            except MissingEntry:  # they were deleted from the gradebook
                return {}
            return {
                grade_id: written[grade_id]
                for grade_id, grade in grades.items()
                if grade.manual_score is not None and not grade.needs_manual_grade
            }

    def _confirm_marks(self, name: str, student: str, marked: Written, now: Written) -> None:
        """Leave a person's marks alone where the answer is the same; nbgrader would ask for each once more."""
        with self.gradebook() as gradebook:
            for grade_id, _ in marked.items() & now.items():
                gradebook.find_grade(grade_id, name, name, student).needs_manual_grade = False
            gradebook.db.commit()

    def _after_decide(self) -> list[type[NbGraderPreprocessor]]:
        """Return what the configuration lets nbgrader do once a submission is decided."""
        names = self.config.Autograde.autograde_preprocessors
        decide = next(number for number, name in enumerate(names) if name.endswith(".Decide"))
        return [import_item(name) for name in names[decide + 1 :]]

    def assign_penalties(self, name: str) -> None:
        """Give every submission of a problem set the extension and the penalty that our policy, if it is used, says."""
        if (
            self.config.AssignLatePenalties.get("plugin_class")
            != f"{LatePolicy.__module__}.{LatePolicy.__name__}"
        ):
            return
        policy = LatePolicy(config=self.config)
        with self.gradebook() as gradebook:
            grant_extensions(gradebook, name, policy.extensions.get(name, {}))
            assign_penalties(gradebook, name, policy)

    def tell(self, record: Record) -> None:
        """Write the feedback on what could not be graded, where nbgrader puts that on what was."""
        title = f"{record.problem_set}: not graded"
        write(
            self.folder("feedback", record.problem_set, record.student) / f"{record.problem_set}.html",
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>'
            f"<p>{escape(record.told)}</p>"
            "<p>There are no points for it yet, and no zero either. Mend it and hand it in again, or ask.</p></html>\n",
        )


def _written(notebook: NotebookNode) -> Written:
    """Return the answers in words that a notebook holds."""
    return {
        grade_id_of(cell): (cell.source, cell.metadata.nbgrader.points)
        for cell in notebook.cells
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("grade")
    }


def write(path: Path, text: str) -> None:
    """Write a file as a whole, so that it is never there by half."""
    with atomic_path(path) as draft:
        draft.write_text(text, encoding="utf-8")
