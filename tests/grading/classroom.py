"""A class for tests: nbgrader's folders, and submissions put together from the answer bank."""

import csv
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat

from course_lib.grading.problem_sets import ProblemSet, grade_id_of, load_problem_set

ROOT = Path(__file__).resolve().parent.parent.parent
BANK = ROOT / "tests" / "bank"
WRITTEN = "Attention finds what belongs together, however far apart it stands."


def bank_answers(name: str, question: str) -> list[Path]:
    """Return all answers to a question in the bank."""
    return sorted((BANK / name / question).glob("*.py"))


def predicted(path: Path | None, out_of: float) -> float:
    """Return the points that an answer should get, as its file says; nothing for no answer."""
    if path is None:
        return 0.0
    if path.stem.startswith("right_"):
        return out_of
    return float(re.findall(r"^# points: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)[0])


def mixed_class(ours: ProblemSet, n_students: int, seed: int) -> dict[str, dict[str, Path | None]]:
    """Choose answers for a class: one student knows all, one hands in nothing new, one stops half-way; all others mix."""
    rng = random.Random(seed)
    questions = list(ours.questions)
    right = {
        question: [path for path in bank_answers(ours.name, question) if path.stem.startswith("right_")]
        for question in questions
    }
    chosen: dict[str, dict[str, Path | None]] = {
        "all-right": {question: rng.choice(right[question]) for question in questions},
        "empty": dict.fromkeys(questions),
        "half-done": {
            question: rng.choice(right[question]) if index < len(questions) // 2 else None
            for index, question in enumerate(questions)
        },
    }
    while len(chosen) < n_students:
        chosen[f"student-{len(chosen):02d}"] = {
            question: rng.choice([*bank_answers(ours.name, question), None]) for question in questions
        }
    return chosen


class Classroom:
    """A course's folder with its own gradebook, in which nbgrader's commands are run as an instructor runs them."""

    def __init__(self, folder: Path, sets: Sequence[str]) -> None:
        self.folder = folder
        shutil.copy(ROOT / "nbgrader_config.py", folder)
        for name in sets:
            shutil.copytree(ROOT / "solutions" / name, folder / "solutions" / name)
            self.nbgrader("generate_assignment", name)
        self.sets = {name: load_problem_set(folder / "solutions" / name) for name in sets}

    def nbgrader(self, *arguments: str) -> str:
        """Run a command of nbgrader's; return what it printed."""
        # nbgrader calls alembic, which lies beside this Python.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = os.environ | {"PATH": path, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def hand_in(self, student: str, name: str, answers: Mapping[str, Path | None], written: str = "") -> None:
        """Put a student's submission where nbgrader collects it: what was released, with answers in it."""
        notebook = nbformat.read(self.folder / "assignments" / name / f"{name}.ipynb", as_version=4)
        for cell in notebook.cells:
            path = answers.get(grade_id_of(cell))
            if path is not None:
                cell.source = path.read_text(encoding="utf-8")
            elif written and cell.cell_type == "markdown" and grade_id_of(cell):
                cell.source = written
        folder = self.folder / "submitted" / student / name
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{name}.ipynb")

    def scores(self) -> dict[tuple[str, str], float]:
        """Export the marks, as nbgrader does, by student and problem set."""
        self.nbgrader("export", "--to=grades.csv")
        with (self.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
            return {
                (row["student_id"], row["assignment"]): float(row["score"]) for row in csv.DictReader(file)
            }
