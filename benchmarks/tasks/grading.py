"""Grade a class, whole command, in the course's way or in stock nbgrader's: seconds a submission.

    python grading.py {course,nbgrader} STUDENTS [--set psNN]

Both grade the same notebooks, mixed from the answer bank, and decide them by the same checks. nbgrader has its default
configuration: its own kernels without a sandbox, in which the checks are hidden tests that give partial credit.
`course grade` runs each notebook in a sandbox and decides outside of it. `points` is what the whole class got, by
question and student, folded into one number: it must be the same.
"""

import argparse
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import nbformat
from timing import once, report

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from course_grading.problem_sets import grade_id_of
from tests.support.classroom import ROOT, WRITTEN, Classroom, mixed_class

SEED = 20260106
STOCK = """
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "assignments"
c.CourseDirectory.ignore = ["checks.py", "*.md"]
"""
HIDDEN_TESTS = """
### BEGIN HIDDEN TESTS
import runpy
from functools import partial
import numpy as np
from course_lib.exercises.kernel_protocol import respond
from course_grading.questions import decide
[question] = [q for q in runpy.run_path({checks!r})["QUESTIONS"] if q.name == {question!r}]
float(decide(question, partial(respond, globals()), b'any').points)
### END HIDDEN TESTS"""

Scores = dict[tuple[str, str], float]


def classroom(folder: Path, name: str) -> Classroom:
    """Make a course that has released a problem set."""
    folder.mkdir()
    return Classroom(folder, [name])


def stock_classroom(folder: Path, name: str) -> Classroom:
    """Make a course of nbgrader's own: the decisions are hidden tests, in the student's kernel."""
    room = classroom(folder, name)
    (folder / "nbgrader_config.py").write_text(STOCK)
    path = folder / "solutions" / name / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    place = {grade_id_of(cell): number for number, cell in enumerate(code)}
    for question in room.sets[name].questions:
        points = code[place[f"{question}-points"]]
        points.source += HIDDEN_TESTS.format(
            checks=str(ROOT / "solutions" / name / "checks.py"),
            question=question,
            cells_ago=1 + place[f"{question}-points"] - place[question],
        )
    nbformat.write(notebook, path)
    room.nbgrader("generate_assignment", name, "--force")
    return room


def hand_in(room: Classroom, name: str, n_students: int) -> None:
    """Let a class hand in; the same size, the same class."""
    for student, answers in mixed_class(room.sets[name], n_students, SEED).items():
        room.hand_in(student, name, answers, WRITTEN)


def course_grade(room: Classroom, name: str) -> None:
    """Grade as the course does."""
    command = [sys.executable, "-m", "course_lib.cli", "grade", name, "--quiet"]
    subprocess.run(command, cwd=room.folder, check=True, stdout=subprocess.DEVNULL)


def scores(room: Classroom, name: str) -> Scores:
    """Return what the machine gave, by student and question."""
    with room.gradebook() as gradebook:
        return {
            (submission.student_id, grade.name): grade.auto_score
            for submission in gradebook.assignment_submissions(name)
            for grade in submission.notebooks[0].grades
            if grade.name.endswith("-points")
        }


def main() -> None:
    """Make a class, grade it, and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("contestant", choices=["course", "nbgrader"])
    parser.add_argument("students", type=int)
    parser.add_argument("--set", default="ps05", metavar="PSNN")
    options = parser.parse_args()
    name, stock = options.set, options.contestant == "nbgrader"
    with tempfile.TemporaryDirectory() as folder:
        room = (stock_classroom if stock else classroom)(Path(folder) / "course", name)
        hand_in(room, name, options.students)
        took = once(lambda: room.nbgrader("autograde", name) if stock else course_grade(room, name))
        points = sorted(scores(room, name).items())
    report(seconds=took / options.students, points=zlib.crc32(repr(points).encode()))


if __name__ == "__main__":
    main()
