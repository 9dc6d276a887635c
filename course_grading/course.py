"""The instructor's course folder, as nbgrader's configuration lays it out, and the only writer of its gradebook."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sqlite3
import tempfile
import time
import warnings
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

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

from course_grading.cells import identify
from course_grading.intake import STUDENT, TIMESTAMP, shown
from course_grading.late import LatePolicy, assign_penalties, grant_extensions
from course_grading.questions import sign
from course_grading.records import Record, load_record, record_path
from course_grading.sandbox import Limits
from course_lib.files import atomic_path

CONFIGURATION, SECRET, BACKUPS = "nbgrader_config.py", "course.secret", "backups"
SECRET_BYTES = 32
BACKUPS_KEPT = 20

PART = re.compile(r"^[✓✗] .*?: [\d.]+ of [\d.]+ points?", re.MULTILINE)  # as verdicts are written
T = TypeVar("T")
NAME = re.compile(r"\w[\w.-]*")


class About(NamedTuple):
    """What a mark is about: an answer, what the machine said of it, what there is to get."""

    answer: str
    verdict: tuple[str, ...]
    out_of: float


Marked = dict[str, About]  # by nbgrader's id


class Open(NamedTuple):
    """An answer that a person has to look at, though it has points.

    Attributes
    ----------
    student, question : str
    given : float, optional
        A person's points, which count: what they are about has changed. None: a check stopped at the answer.
    by_machine : float, optional
        The machine's points; None of an answer in words.
    """

    student: str
    question: str
    given: float | None
    by_machine: float | None

    def __str__(self) -> str:
        """Say so, for whoever has to look."""
        who = f"{self.student}, {self.question}"
        if self.given is None:
            return (
                f"{who}: a check stopped at this answer, so {self.by_machine:g} may be too few. 'course explain' says "
                "why; give points in formgrader, or mend the check."
            )
        now = "" if self.by_machine is None else f"; by the machine it is {self.by_machine:g} now"
        return (
            f"{who}: a person gave {self.given:g}, and the answer, its verdict or its points have changed since{now}. "
            f"Look at it in formgrader; Resolve keeps the {self.given:g}."
        )


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
        """Return the folders that were handed in, by student; not those whose name cannot be a student's."""
        return {
            folder.parent.name: folder
            for folder in self._handed_in(name)
            if STUDENT.fullmatch(folder.parent.name)
        }

    def misnamed(self, name: str) -> list[str]:
        """Return the names of folders that were handed in and are skipped, since no student can have this name."""
        names = [folder.parent.name for folder in self._handed_in(name)]
        return [shown(student) for student in names if not STUDENT.fullmatch(student)]

    def _handed_in(self, name: str) -> list[Path]:
        return sorted(self.root.glob(os.path.relpath(self.folder("submitted", name, "*"), self.root)))

    def secret_of(self, student: str) -> bytes:
        """Return a student's part of the course's secret, by which inputs are drawn."""
        return sign(self._secret, student)

    @cached_property
    def _secret(self) -> bytes:
        path = self.root / SECRET
        if not path.exists():
            with tempfile.NamedTemporaryFile("w", dir=self.root, prefix=f".{SECRET}.") as file:
                os.fchmod(file.fileno(), 0o660 if self.directory.groupshared else 0o600)
                file.write(secrets.token_hex(SECRET_BYTES))
                file.flush()
                with contextlib.suppress(FileExistsError):
                    os.link(file.name, path)  # whole, or not at all
        try:
            secret = bytes.fromhex(path.read_text())
        except ValueError:
            secret = b""
        if len(secret) != SECRET_BYTES:
            raise ValueError(
                f"{path} is damaged: put it back from a copy. If there is none, remove it and grade with --again: "
                "all inputs are then drawn anew"
            )
        return secret

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
        folder.mkdir(mode=0o770 if self.directory.groupshared else 0o700, exist_ok=True)
        copy = folder / f"gradebook-{time.strftime('%Y%m%d-%H%M%S')}.db"
        with sqlite3.connect(database) as source, sqlite3.connect(copy) as target:
            source.backup(target)  # whole, even while formgrader writes
        for old in sorted(folder.glob("gradebook-*.db"))[:-BACKUPS_KEPT]:
            old.unlink()
        return copy

    def require_assignment(self, name: str) -> None:
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

    def record_grade(self, record: Record, notebook: str, timestamp: str) -> bool:
        """Put a graded notebook where nbgrader has it, and its points into the gradebook, as `nbgrader autograde` does.

        A person's marks stay. Those whose answer, verdict or points have changed wait to be looked at again:
        `open_answers`.

        Parameters
        ----------
        record : Record
        notebook : str
            With verdicts, JSON.
        timestamp : str
            When it was handed in; "" if that is not known.

        Returns
        -------
        bool
            Whether feedback was removed, since it no longer fits.
        """
        name, student = record.problem_set, record.student
        folder = self.folder("autograded", name, student)
        path, feedback = folder / f"{name}.ipynb", self.folder("feedback", name, student)
        before = (_text_of(path), _text_of(folder / TIMESTAMP))
        with warnings.catch_warnings(category=SAWarning, action="ignore"):  # of how nbgrader uses SQLAlchemy
            marked = self.marked(name, student)
            node = self._save(name, student, nbformat.reads(encodable(notebook), as_version=4), timestamp)
            self.settle_marks(record, marked, node)
        write(path, nbformat.writes(node))
        if timestamp:
            write(folder / TIMESTAMP, timestamp)
        is_new = before != (_text_of(path), _text_of(folder / TIMESTAMP)) or not self._was_graded(
            name, student
        )
        is_stale = feedback.exists() and is_new
        if is_stale:
            shutil.rmtree(feedback)
        return is_stale

    def _was_graded(self, name: str, student: str) -> bool:
        try:
            return load_record(record_path(self.root, name, student)).is_graded
        except (FileNotFoundError, ValueError):
            return False

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
        for preprocessor in self._saving():
            node, resources = preprocessor(config=self.config).preprocess(node, resources)
        return node

    def marked(self, name: str, student: str) -> Marked:
        """Return what a person has marked and need not look at again, with what the marks are about."""
        path = self.folder("autograded", name, student) / f"{name}.ipynb"
        if not path.is_file():
            return {}
        found = what_is_marked(nbformat.read(path, as_version=4))
        with self.gradebook() as gradebook:
            try:
                grades = gradebook.find_submission_notebook(name, name, student).grades
            except MissingEntry:  # it was deleted from the gradebook
                return {}
            return {
                grade.name: found[grade.name]
                for grade in grades
                if grade.name in found and grade.manual_score is not None and not grade.needs_manual_grade
            }

    def settle_marks(self, record: Record, marked: Marked, notebook: NotebookNode) -> None:
        """Leave a person's marks alone where they are about the same; nbgrader would ask for each once more.

        Where a check stopped at an answer, and no such mark decides, a person is asked.

        Parameters
        ----------
        record : Record
        marked : dict
            As `marked` returned it before the notebook was saved.
        notebook : NotebookNode
            With the present verdicts.
        """
        now = what_is_marked(notebook)
        name, student = record.problem_set, record.student
        doubtful = {f"{v.question}-points" for v in record.verdicts if any(part.doubt for part in v.parts)}
        settled = {grade_id for grade_id, about in marked.items() if now.get(grade_id) == about}
        with self.gradebook() as gradebook:
            for grade_id in settled | doubtful:
                gradebook.find_grade(grade_id, name, name, student).needs_manual_grade = (
                    grade_id not in settled
                )
            gradebook.db.commit()

    def open_answers(self, name: str) -> list[Open]:
        """Return what persons have to look at, though it has points, by student and question."""
        with self.gradebook() as gradebook:
            found = [
                Open(
                    submission.student_id,
                    grade.name.removesuffix("-points"),
                    grade.manual_score,
                    grade.auto_score,
                )
                for submission in gradebook.assignment_submissions(name)
                for notebook in submission.notebooks
                for grade in notebook.grades
                if grade.needs_manual_grade and (grade.manual_score, grade.auto_score) != (None, None)
            ]
        return sorted(found, key=lambda answer: (answer.student, answer.question))

    def _saving(self) -> list[type[NbGraderPreprocessor]]:
        """Return what the configuration lets nbgrader do with a graded notebook.

        Configurations of earlier versions name steps of ours among them, which grading does itself.
        """
        names = self.config.Autograde.autograde_preprocessors
        ours = "course_grading.nbgrader_plugin."
        return [import_item(name) for name in names if not name.startswith(ours)]

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

    def write_rejection(self, record: Record) -> None:
        """Write the feedback on what could not be graded, where nbgrader puts that on what was."""
        title = f"{record.problem_set}: not graded"
        write(
            self.folder("feedback", record.problem_set, record.student) / f"{record.problem_set}.html",
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>'
            f"<p>{escape(record.message)}</p>"
            "<p>There are no points for it yet, and no zero either. Mend it and hand it in again, or ask.</p></html>\n",
        )


def what_is_marked(notebook: NotebookNode) -> Marked:
    """Return what each mark in a graded notebook is about.

    Of a question that the machine decides that is the answer, what each part has got, and what there is to get: not
    the words of the verdict, which may be put better, or name other inputs.
    """
    answers: dict[str, str] = {}
    cells = [identify(node) for node in notebook.cells]
    for cell in cells:
        answers[cell.grade_id] = "\n".join(filter(None, [answers.get(cell.grade_id), cell.node.source]))
    return {
        cell.grade_id: About(
            answers.get(cell.question, ""), _verdict(cell.node), cell.node.metadata.nbgrader.points
        )
        for cell in cells
        if cell.node.metadata.get("nbgrader", {}).get("grade")
    }


def _verdict(cell: NotebookNode) -> tuple[str, ...]:
    text = "".join(output.get("text", "") for output in cell.get("outputs", []))
    return tuple(PART.findall(text)) or (text,)


def _text_of(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def encodable(value: T) -> T:
    """Return a value whose texts can be written as UTF-8: damaged characters, which an error may hold, become "?".

    Parameters
    ----------
    value
        A text, or a tuple, list, dictionary or dataclass that holds some; anything else is left as it is.

    Examples
    --------
    >>> encodable(("é\\ud800", 5))
    ('é?', 5)
    """
    found: Any = value
    if isinstance(value, str):
        found = value.encode("utf-8", "replace").decode("utf-8")
    elif isinstance(value, (tuple, list)):
        found = type(value)(encodable(part) for part in value)
    elif isinstance(value, dict):
        found = {encodable(key): encodable(part) for key, part in value.items()}
    elif is_dataclass(value) and not isinstance(value, type):
        found = replace(value, **{f.name: encodable(getattr(value, f.name)) for f in fields(value)})
    return cast(T, found)


def write(path: Path, text: str) -> None:
    """Write a file as a whole, so that it is never there by half."""
    with atomic_path(path) as draft:
        draft.write_text(encodable(text), encoding="utf-8")
