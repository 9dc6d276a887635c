"""A class for tests: nbgrader's folders, and submissions put together from the answer bank."""

import atexit
import copy
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Self

import nbformat
from nbgrader.api import Gradebook

from course_grading.bank import BankAnswer, bank_answers
from course_grading.problem_sets import ProblemSet, grade_id_of, load_problem_set
from tests.support.commands import run_module

ROOT = Path(__file__).resolve().parents[2]
BANK = ROOT / "tests" / "bank"
WRITTEN = "Attention finds what belongs together, however far apart it stands."


def mixed_class(ours: ProblemSet, n_students: int, seed: int) -> dict[str, dict[str, BankAnswer]]:
    """Choose answers for a class: one knows all, one hands in nothing new, one stops half-way; all others mix."""
    rng = random.Random(seed)
    bank = {
        name: bank_answers(BANK / ours.name / name, ours.questions[name].points) for name in ours.questions
    }
    right = {name: rng.choice(quick(answer for answer in bank[name] if answer.is_right)) for name in bank}
    half = list(bank)[: len(bank) // 2]
    chosen = {"all-right": right, "empty": {}, "half-done": {name: right[name] for name in half}}
    while len(chosen) < n_students:
        drawn = {name: rng.choice([*bank[name], None]) for name in bank}
        chosen[f"student-{len(chosen):02d}"] = {name: answer for name, answer in drawn.items() if answer}
    return chosen


def quick(answers: Iterable[BankAnswer]) -> list[BankAnswer]:
    """Leave out answers that import PyTorch, which takes a kernel seconds, where there are others."""
    found = list(answers)
    return [answer for answer in found if "torch" not in answer.source] or found


def answered(released: Path, path: Path, answers: Mapping[str, BankAnswer], written: str = "") -> None:
    """Write a released notebook with answers in it."""
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        if grade_id_of(cell) in answers:
            cell.source = answers[grade_id_of(cell)].source
        elif written and cell.cell_type == "markdown" and grade_id_of(cell):
            cell.source = written
    nbformat.write(notebook, path)


@cache
def made_once(sets: tuple[str, ...]) -> Path:
    """Return a course's folder in which these problem sets were released, to be copied."""
    folder = Path(tempfile.mkdtemp(prefix="course-"))
    atexit.register(shutil.rmtree, folder)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    for name in sets:
        shutil.copytree(ROOT / "solutions" / name, folder / "solutions" / name)
        nbgrader(folder, "generate_assignment", name)
    return folder


def nbgrader(folder: Path, *arguments: str) -> str:
    """Run a command of nbgrader's in a folder; return what it printed."""
    # nbgrader calls alembic, which lies beside this Python.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = run_module("nbgrader", *arguments, folder=folder, environment=os.environ | {"PATH": path})
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


class Classroom:
    """A course's folder with its own gradebook, in which nbgrader's commands are run as an instructor runs them."""

    def __init__(self, folder: Path, sets: Sequence[str]) -> None:
        self.folder = folder
        for entry in made_once(tuple(sets)).iterdir():
            if entry.is_dir():
                shutil.copytree(entry, folder / entry.name, dirs_exist_ok=True)
            else:
                shutil.copy(entry, folder)
        self.sets = {name: load_problem_set(folder / "solutions" / name) for name in sets}

    def copied(self, folder: Path) -> Self:
        """Copy the course's folder to another, in which a test may do what it likes."""
        other = copy.copy(self)
        other.folder = Path(shutil.copytree(self.folder, folder / "course"))
        return other

    def nbgrader(self, *arguments: str) -> str:
        """Run a command of nbgrader's; return what it printed."""
        return nbgrader(self.folder, *arguments)

    def course(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the course's."""
        one_worker = (
            ["--jobs=1"] if arguments[0] == "grade" else []
        )  # each starts a Python and a sandbox of its own
        return run_module("course_lib.cli", *arguments, *one_worker, folder=self.folder)

    def hand_in(self, student: str, name: str, answers: Mapping[str, BankAnswer], written: str = "") -> None:
        """Put a student's submission where nbgrader collects it: what was released, with answers in it."""
        folder = self.folder / "submitted" / student / name
        folder.mkdir(parents=True)
        released = self.folder / "assignments" / name / f"{name}.ipynb"
        answered(released, folder / f"{name}.ipynb", answers, written)

    def gradebook(self) -> Gradebook:
        """Open the gradebook."""
        return Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}", "attention")

    def scores(self) -> dict[tuple[str, str], float]:
        """Export the marks so far, by student and problem set."""
        self.nbgrader("export", "--to=grades.csv")
        with (self.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
            return {
                (row["student_id"], row["assignment"]): float(row["score"] or row["so_far"])
                for row in csv.DictReader(file)
            }
