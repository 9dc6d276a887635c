"""nbgrader plug-in: `nbgrader autograde`, and formgrader's button, grade as `course grade` does, by the same code.

`nbgrader_config.py` names `Exporter`, which nbgrader's autograder makes before it opens anything that was handed in.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, cast

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from traitlets import Bool
from traitlets.config import Configurable

from course_grading.batch import BusyError, Graded, grade_class
from course_grading.course import Course
from course_grading.executors import local_pool
from course_grading.sandbox import SandboxError

MISNAMED = "no student can have this name: letters, digits and . _ - + @ only"


class Decide(Configurable):
    """Settings of grading by nbgrader's command: `nbgrader autograde ps01 --Decide.unsafe=True`."""

    unsafe = Bool(False, help="Run what students wrote without a sandbox, under your name.").tag(config=True)


class Exporter(NotebookExporter):
    """Lets nbgrader's autograder grade as `course grade` does, in the place of its own conversion of notebooks."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        autograde = cast(Any, self.parent)
        autograde.convert_notebooks = partial(_grade, autograde)


def _grade(autograde: Any) -> None:
    """Grade what nbgrader was asked to grade; end as nbgrader does where something could not be graded."""
    course, name = Course(Path(autograde.coursedir.root)), autograde.coursedir.assignment_id
    pattern: str = autograde.coursedir.student_id
    excluded = autograde.coursedir.student_id_exclude.split(",")
    students = [
        student
        for student in course.submissions(name)
        if fnmatchcase(student, pattern) and student not in excluded
    ]
    lines = [f"{student}: {MISNAMED}" for student in course.misnamed(name) if fnmatchcase(student, pattern)]
    if students or not lines:
        try:
            graded = grade_class(
                course,
                name,
                partial(local_pool, 1 if len(students) == 1 else 0),
                students or ([] if pattern == "*" else [pattern]),
                again=autograde.force,
                unsafe=Decide(config=autograde.config).unsafe,
                show_progress=False,
            )
        except (BusyError, SandboxError, ValueError, FileNotFoundError) as error:
            autograde.log.error("%s", error)
            raise NbGraderException(str(error)) from None
        lines += _log(autograde, graded, students)
    for line in lines:
        autograde.log.error("Not graded: %s", line)
    if lines:
        raise NbGraderException(f"{len(lines)} could not be graded, as listed above; all others were")


def _log(autograde: Any, graded: Graded, students: list[str]) -> list[str]:
    """Log what a person should know of submissions that were graded; return a line for each that was not."""
    for record in graded.records:
        for report in filter(None, [record.is_graded and record.message, *record.tampering]):
            autograde.log.warning("%s: %s", record.student, report)
    for answer in graded.open_answers:
        if answer.student in students:
            autograde.log.warning("%s", answer)
    return [f"{record.student}: {record.message}" for record in graded.records if not record.is_graded]


_init_notebooks = Autograde.init_notebooks


def _init(autograde: Any) -> None:
    """Let nbgrader's autograder begin.

    Its own way finds notebooks first, and leaves out the folders that hold none; ours says of these what `course grade`
    says. For courses that do not use this plug-in nothing changes.
    """
    if autograde.exporter_class is Exporter:
        autograde.assignments, autograde.notebooks = {}, []
    else:
        _init_notebooks(autograde)


Autograde.init_notebooks = _init
