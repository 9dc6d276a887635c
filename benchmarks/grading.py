"""How long does it take to grade a class? Stock `nbgrader autograde` beside `course grade`, in one run.

    python benchmarks/grading.py [--set psNN] [--students N] [--large]

Both grade the same notebooks, mixed from the answer bank, and decide them by the same checks. nbgrader has its default
configuration: its own kernels without a sandbox, in which the checks are hidden tests that give partial credit.
`course grade` runs each notebook in a sandbox and decides outside of it. The time is that of the whole command, from
its start to its end. Then: what a submission costs in classes of several sizes.
"""

import argparse
import copy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

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


def seconds(grade: Callable[[], object]) -> float:
    """Return how long it takes."""
    started = time.monotonic()
    grade()
    return time.monotonic() - started


def scores(room: Classroom, name: str) -> Scores:
    """Return what the machine gave, by student and question."""
    with room.gradebook() as gradebook:
        return {
            (submission.student_id, grade.name): grade.auto_score
            for submission in gradebook.assignment_submissions(name)
            for grade in submission.notebooks[0].grades
            if grade.name.endswith("-points")
        }


def compare(folder: Path, name: str, n_students: int) -> bool:
    """Grade a class in both ways, print how long each takes, and return whether they agree."""
    stock, ours = stock_classroom(folder / "stock", name), classroom(folder / "ours", name)
    for room in (stock, ours):
        hand_in(room, name, n_students)
    took = {
        "nbgrader autograde, no sandbox, checks inside": seconds(lambda: stock.nbgrader("autograde", name)),
        "course grade, sandbox, checks outside": seconds(lambda: course_grade(ours, name)),
    }
    slowest = max(took.values())
    print(f"{n_students} submissions of {name}, from the command's start to its end")
    for what, time_taken in took.items():
        rate = f"{60 * n_students / time_taken:6.1f} a minute"
        print(f"{what:46s} {time_taken:7.1f} s  {rate}  {slowest / time_taken:5.1f} ×")
    by_stock, by_ours = scores(stock, name), scores(ours, name)
    differences = {key for key in by_stock | by_ours if by_stock.get(key) != by_ours.get(key)}
    print(f"{len(by_ours)} questions decided, {len(differences)} differently")
    for student, cell in sorted(differences):
        print(f"  {student} {cell}: {by_stock.get((student, cell))} and {by_ours.get((student, cell))}")
    return not differences


def cost_of_a_submission(folder: Path, name: str, sizes: list[int]) -> None:
    """Print what a submission costs in classes of several sizes."""
    released = classroom(folder / "released", name)
    for n_students in sizes:
        room = copy.copy(released)
        room.folder = Path(shutil.copytree(released.folder, folder / f"class-{n_students}"))
        hand_in(room, name, n_students)
        cost = seconds(lambda room=room: course_grade(room, name)) / n_students
        print(f"a class of {n_students:5,d}: {cost:.2f} s a submission", flush=True)


def main() -> int:
    """Print both tables; return 1 if scores differ."""
    parser = argparse.ArgumentParser(description="How long does it take to grade a class?")
    parser.add_argument("--set", default="ps05", metavar="PSNN")
    parser.add_argument("--students", type=int, default=24, metavar="N")
    parser.add_argument("--large", action="store_true", help="a class of 1,000, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        agree = compare(Path(folder), options.set, options.students)
        cost_of_a_submission(Path(folder), options.set, [10, 100, *[1000] * options.large])
    return int(not agree)


if __name__ == "__main__":
    sys.exit(main())
