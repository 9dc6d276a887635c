"""Our part in nbgrader, by its configuration: what `nbgrader autograde`, and formgrader's button, do with a submission.

They take in, clean, run and decide it as `course grade` does, and they save it as nbgrader always does. Whichever of
these graded it, :class:`ReleaseFeedback` gives it back through nbgrader's exchange.
"""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Any, TextIO, cast

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import temp_attrs
from traitlets import Bool

from course_lib.grading.cleaning import clean
from course_lib.grading.course import Course, write
from course_lib.grading.intake import before_autograde, parse, receipt
from course_lib.grading.problem_sets import make_problem_set
from course_lib.grading.records import save_record
from course_lib.grading.submissions import run

Resources = dict[str, Any]


class Exporter(NotebookExporter):
    """Reads submissions for nbgrader's autograder, which makes it before it opens anything of theirs.

    nbgrader's `pre_convert_hook` would come too late for a pipe called timestamp.txt.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._autograde = cast(Any, self.parent)
        for notebooks in self._autograde.assignments.values():
            student = glob.escape(Path(notebooks[0]).parts[-3])
            before_autograde(self._autograde.coursedir.assignment_id, student, notebooks)

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
        save_record(course.root, record)
        return nb, resources


class ReleaseFeedback(ExchangeReleaseFeedback):  # type: ignore[misc]
    """Puts feedback into the exchange for those who handed in through it; nbgrader fails at the first who did not."""

    def copy_files(self) -> None:
        """Release feedback; nbgrader calls this."""
        others = []
        for folder in sorted(map(Path, glob.glob(self.src_path))):
            student, name = folder.parts[-2:]
            submitted = self.coursedir.format_path(self.coursedir.submitted_directory, student, name)
            found = receipt(Path(submitted))
            for file, text in found.items():
                write(folder / file, text)
            if not found:
                others.append(student)
                self.log.warning(
                    "%s did not hand in through the exchange: give out %s by hand", student, folder
                )
        excluded = ",".join([*others, self.coursedir.student_id_exclude])
        with temp_attrs(self.coursedir, student_id_exclude=excluded):
            super().copy_files()


def _course(preprocessor: NbGraderPreprocessor) -> Course:
    return Course(Path(CourseDirectory(config=preprocessor.config).root))
