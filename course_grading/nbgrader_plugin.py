"""Our part in nbgrader, by its configuration: what `nbgrader autograde`, and formgrader's button, do with a submission.

They take in, clean, run and decide it as `course grade` does, and they save it as nbgrader always does.
"""

from __future__ import annotations

import contextlib
import glob
from pathlib import Path
from typing import Any, TextIO, cast

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool

from course_grading.cleaning import clean
from course_grading.course import Course, Marked, encodable
from course_grading.intake import STUDENT, BrokenError, RefusedError, before_autograde, parse, shown, take
from course_grading.problem_sets import make_problem_set
from course_grading.records import Record, Status, load_record, record_path, save_record
from course_grading.submissions import run

Resources = dict[str, Any]


class Exporter(NotebookExporter):
    """Reads submissions for nbgrader's autograder, which makes it before it opens anything of theirs.

    nbgrader's `pre_convert_hook` would come too late for a pipe called timestamp.txt, and for what a person's marks in
    the notebooks that are there, which it deletes, are about.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._autograde = cast(Any, self.parent)
        self._course = Course(Path(self._autograde.coursedir.root))
        self.marked: dict[str, Marked] = {}
        left = []
        for folder, notebooks in list(self._autograde.assignments.items()):
            student = Path(folder).parts[-2]
            if told := self._what_is_wrong(student, notebooks):
                left.append(f"{shown(student)}: {told}")
                del self._autograde.assignments[folder]
            else:
                self.marked[student] = self._course.marked(self._autograde.coursedir.assignment_id, student)
        self._convert = self._autograde.convert_notebooks
        self._autograde.convert_notebooks = lambda: self._convert_all(left)

    def _what_is_wrong(self, student: str, notebooks: list[str]) -> str:
        """Set aside what nbgrader must not open, and say why a submission cannot be graded; "" if it can."""
        name = self._autograde.coursedir.assignment_id
        if not STUDENT.fullmatch(student):
            return "no student can have this name: letters, digits and . _ - + @ only"
        status: Status = "refused"
        told = ""
        try:
            parse(take(self._course.folder("submitted", name, student), name).data)
        except RefusedError as error:
            told = str(error)
        except BrokenError as error:
            told, status = str(error), "broken"
        with contextlib.suppress(RefusedError):  # for which there is nothing to be opened
            before_autograde(name, glob.escape(student), notebooks)
        if told:
            record = Record(student, name, status, told)
            self._course.tell(record)
            save_record(self._course.root, record)
        return told

    def _convert_all(self, left: list[str]) -> None:
        """Grade the others, and end as nbgrader does where something could not be graded."""
        self._convert()
        for line in left:
            self._autograde.log.error("Not graded: %s", line)
        if left:
            raise NbGraderException(f"{len(left)} could not be graded, as listed above; all others were")

    def from_file(
        self, file_stream: TextIO, resources: Resources | None = None, **rest: Any
    ) -> tuple[NotebookNode, Resources]:
        """Read a notebook; one that was handed in with distrust."""
        submitted = self._autograde.coursedir.submitted_directory
        if resources and Path(resources["metadata"]["path"]).parents[1].name == submitted:
            return self.from_notebook_node(parse(file_stream.read().encode()), resources, **rest)
        return super().from_file(file_stream, resources, **rest)


class Clean(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader is not annotated
    """In the place of what nbgrader sanitises: puts back what is not the student's to change."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        """Clean a submission; nbgrader calls this."""
        course, told = _course(self), resources["nbgrader"]
        cleaned, tampering = clean(nb, nbformat.reads(course.release(told["assignment"]), as_version=4))
        for report in tampering:
            self.log.warning("%s: %s", told["student"], report)
        return cleaned, resources


class Decide(NbGraderPreprocessor):  # type: ignore[misc]
    """In the place of nbgrader's Execute: runs a submission in a sandbox, and decides its questions outside of it."""

    unsafe = Bool(False, help="Run what students wrote without a sandbox, under your name.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        """Decide a submission; nbgrader calls this."""
        course, name = _course(self), resources["nbgrader"]["assignment"]
        student = resources["nbgrader"]["student"]
        release = nbformat.reads(course.release(name), as_version=4)
        problem_set = make_problem_set(name, release, course.checks(name))
        record = run(problem_set, nb, student, course.secret_of(student), self.unsafe, course.limits)
        save_record(course.root, encodable(record))
        return nbformat.reads(encodable(nbformat.writes(nb)), as_version=4), resources


class KeepMarks(NbGraderPreprocessor):  # type: ignore[misc]
    """Comes after SaveAutoGrades, and leaves a person's marks alone where they are about the same as before."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        """Confirm marks; nbgrader calls this, and `course grade`, which has done so itself."""
        if isinstance(self.parent, Exporter):
            course, name = _course(self), resources["nbgrader"]["assignment"]
            student = resources["nbgrader"]["student"]
            record = load_record(record_path(course.root, name, student))  # as Decide has just saved it
            course.settle_marks(record, self.parent.marked.get(student, {}), nb)
            for answer in course.open_answers(name):
                if answer.student == student:
                    self.log.warning("%s", answer)
        return nb, resources


def _course(preprocessor: NbGraderPreprocessor) -> Course:
    return Course(Path(CourseDirectory(config=preprocessor.config).root))
