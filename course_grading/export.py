"""nbgrader export plug-ins (CSV, Canvas, Moodle): what was not graded has no mark, where nbgrader writes 0.

    nbgrader export --exporter=course_grading.export.Plain --to=grades.csv
    nbgrader export --exporter=course_grading.export.Canvas --assignment='["ps01"]'
    nbgrader export --exporter=course_grading.export.Moodle

In `nbgrader_config.py`, `c.ExportApp.plugin_class = "course_grading.export.Plain"` makes one the usual one.
"""

from __future__ import annotations

import csv
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, Enum

from course_grading.course import Course
from course_grading.records import Record, load_records
from course_lib.files import atomic_path

WITH_POINTS = ("graded", "waits for a person")
STUDENT = {"student_id": "id", "last_name": "last_name", "first_name": "first_name", "email": "email"}
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = {"username": "id", "email address": "email", "idnumber": "lms_user_id"}

FORMULAS, QUOTES = "=+-−@", "'\"`‘’‚“”„«»‹›"
LINE_ENDS, UNSEEN = ("Cc", "Cs", "Zl", "Zp"), "CZM"  # of Unicode's categories

# ---- What each student has got ----


@dataclass(frozen=True)
class Mark:
    """How a student stands in one problem set.

    Attributes
    ----------
    student : Student
        nbgrader's; with nothing but an id if the gradebook does not know them.
    problem_set : str
    status : str
        "graded"; "waits for a person", who has to read something; "not graded" (yet); "not handed in"; or, of a
        submission that has no points, what its record says: "broken", "refused", "failed".
    out_of : float
    so_far : float, optional
        The points, less the late penalty but never below 0; None where none were given.
    late_penalty : float, optional
    submitted : str
        When; "" if that is not known.
    """

    student: Student
    problem_set: str
    status: str
    out_of: float
    so_far: float | None = None
    late_penalty: float | None = None
    submitted: str = ""

    @property
    def score(self) -> float | None:
        """The mark; None unless all of it is graded."""
        return self.so_far if self.status == "graded" else None


def marks(gradebook: Gradebook, course: Course, name: str) -> list[Mark]:
    """Return how all students stand in a problem set: those in the gradebook, and whoever else handed something in.

    Parameters
    ----------
    gradebook : Gradebook
    course : Course
    name : str
        As in "ps01".
    """
    assignment = gradebook.find_assignment(name)
    records = {record.student: record for record in load_records(course.root, name)}
    submissions = {submission.student_id: submission for submission in assignment.submissions}
    handed_in = {*records, *submissions, *course.submissions(name)}
    students = {student.id: student for student in gradebook.students}
    students |= {student: Student(id=student) for student in sorted(handed_in - students.keys())}

    def mark(student: Student) -> Mark:
        submission = submissions.get(student.id)
        status = _status(records.get(student.id), submission, student.id in handed_in)
        if submission is None or status not in WITH_POINTS:
            return Mark(student, name, status, assignment.max_score)
        penalty = submission.late_submission_penalty
        when = f"{submission.timestamp:%Y-%m-%d %H:%M:%S} UTC" if submission.timestamp else ""
        so_far = max(0.0, submission.score - penalty)
        return Mark(student, name, status, assignment.max_score, so_far, penalty, when)

    return [mark(student) for student in students.values()]


def _status(record: Record | None, submission: Any, is_handed_in: bool) -> str:
    # What is known of the latest submission comes first: the gradebook may hold the points of an earlier one.
    if record and not record.is_graded:
        return record.status
    if not is_handed_in:
        return "not handed in"
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades] if submission else []
    if all(grade.auto_score is None and grade.manual_score is None for grade in grades):
        return "not graded"
    return "waits for a person" if submission.needs_manual_grade else "graded"


# ---- What is safe in a spreadsheet ----


def cell(value: str | float | None) -> str:
    """Write a value for a spreadsheet: a number as it is, nothing as nothing, words so that they stay words.

    What a spreadsheet could take for a formula gets an apostrophe in front, as OWASP advises ("CSV Injection"), even
    where signs stand before it that a spreadsheet, or who imports the file, might drop. What could begin another cell
    or line becomes a space or a comma.

    Examples
    --------
    >>> [cell(value) for value in (-2.5, None, "Ada", "-2.5", " =1+1", "＝1+1", "a\\n;=1")]
    ['-2.5', '', 'Ada', "'-2.5", "'=1+1", "'＝1+1", 'a ,=1']
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    lines = "".join(" " if unicodedata.category(sign) in LINE_ENDS else sign for sign in value)
    text = " ".join(lines.replace(";", ",").split())
    return f"'{text}" if _begins_a_formula(text) else text


def _begins_a_formula(text: str) -> bool:
    for sign in unicodedata.normalize("NFKC", text):  # full-width signs are as good
        if unicodedata.category(sign)[0] not in UNSEEN and sign not in QUOTES:
            return sign in FORMULAS
    return False


# ---- The forms ----


class Export(ExportPlugin):  # type: ignore[misc]  # nbgrader is not annotated
    """What the forms below have in common: which marks, and how a file is written."""

    usual_file = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        """Write the file; nbgrader calls this."""
        course = Course(Path(CourseDirectory(config=self.config).root))
        wanted = [str(name) for name in self.assignment]
        names = [a.name for a in gradebook.assignments if not wanted or a.name in wanted]
        for name in names:
            course.assign_penalties(name)  # a person may have given points since they were assigned
        chosen = {str(student) for student in self.student}
        found = [
            mark
            for name in names
            for mark in marks(gradebook, course, name)
            if not chosen or mark.student.id in chosen
        ]
        to = Path(self.to or self.usual_file)
        with atomic_path(to) as draft, draft.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(self.rows(found, names))
        without = Counter(mark.status for mark in found if mark.score is None)
        counts = ", ".join(f"{number} {status}" for status, number in without.items())
        self.log.info("Wrote %s: %d marks; no mark: %s", to, len(found) - without.total(), counts or "none")

    def rows(self, found: Sequence[Mark], names: Sequence[str]) -> Iterator[list[str]]:
        """Return the lines of the file, the header first.

        Parameters
        ----------
        found : sequence of Mark
        names : sequence of str
            The problem sets.
        """
        raise NotImplementedError


class Plain(Export):
    """A line for each student and problem set, which says of each mark that is missing why it is."""

    def rows(self, found: Sequence[Mark], names: Sequence[str]) -> Iterator[list[str]]:
        """Return the lines of the file, the header first."""
        yield [*STUDENT, "assignment", "status", "score", "so_far", "max_score", "late_penalty", "submitted"]
        for mark in found:
            student = [getattr(mark.student, attribute) for attribute in STUDENT.values()]
            points = (mark.score, mark.so_far, mark.out_of, mark.late_penalty)
            yield [
                cell(value) for value in (*student, mark.problem_set, mark.status, *points, mark.submitted)
            ]


class Canvas(Export):
    """What Canvas's gradebook imports: a line for each student, a column for each problem set.

    Canvas knows students by its own number (the gradebook's `lms_user_id`) or else by their login. An assignment is
    known by its title, or its title with its number, as a file that Canvas exported shows it; what it does not know it
    offers to make. An empty cell is no mark; Canvas shows what would change before it changes anything, a mark that
    would be taken away too.
    """

    usual_file = "grades-canvas.csv"
    titles = Dict(help='Titles of assignments in Canvas: {"ps01": "Problem set 1 (7148451)"}.').tag(
        config=True
    )

    def rows(self, found: Sequence[Mark], names: Sequence[str]) -> Iterator[list[str]]:
        """Return the lines of the file, the header first."""
        yield [*CANVAS, *(cell(self.titles.get(name, name)) for name in names)]
        points = {mark.problem_set: mark.out_of for mark in found}
        yield ["Points Possible", *[""] * (len(CANVAS) - 1), *(cell(points.get(name)) for name in names)]
        for student, scores in _by_student(found):
            full_name = cell(", ".join(filter(None, [student.last_name, student.first_name])) or student.id)
            # A student of that name would set the points of all assignments.
            full_name = full_name.replace("Points Possible", "Points-Possible")
            known_by = [cell(student.lms_user_id), "", cell(student.id), ""]
            yield [full_name, *known_by, *(cell(scores.get(name)) for name in names)]


class Moodle(Export):
    """What Moodle's gradebook imports: a line for each student, a column for each problem set.

    Moodle asks which column is which. Make the grade items there first, each with its points: one that is made by the
    import is out of 100. A mark that is missing is written "-", as Moodle itself does, since the import takes an empty
    cell of a new grade item for 0.
    """

    usual_file = "grades-moodle.csv"
    known_by = Enum(tuple(MOODLE), "username", help="What tells Moodle who a student is.").tag(config=True)

    def rows(self, found: Sequence[Mark], names: Sequence[str]) -> Iterator[list[str]]:
        """Return the lines of the file, the header first."""
        yield [self.known_by, *names]
        for student, scores in _by_student(found):
            known_as = cell(getattr(student, MOODLE[self.known_by]))
            if known_as:
                yield [known_as, *(cell(scores.get(name)) or "-" for name in names)]
            else:  # the import would give this line's marks to the student of the line before
                self.log.warning("%r is left out: the gradebook holds no %s", student.id, self.known_by)


def _by_student(found: Iterable[Mark]) -> list[tuple[Student, dict[str, float | None]]]:
    """Return each student with their marks by problem set."""
    students = {mark.student.id: mark.student for mark in found}
    scores: dict[str, dict[str, float | None]] = {student: {} for student in students}
    for mark in found:
        scores[mark.student.id][mark.problem_set] = mark.score
    return [(students[student], scores[student]) for student in students]
