"""A problem set: the instructor's notebook, the questions that decide it, and answers put into it.

The cells of a question are told apart by nbgrader's ids: `q1` holds the student's answer, `q1-tests` the visible
tests, which carry no points, and `q1-points` stands for the points, which are decided outside. A question that a person
reads has only `q1`, with points of its own. All other code cells are given.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import re
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_grading.cells import grade_id_of, identify
from course_grading.questions import Question, Respond, Verdict, decide
from course_lib.exercises import kernel_protocol
from course_lib.renamed import OldNames

SOLUTION = re.compile(r"^[ \t]*### BEGIN SOLUTION\n(.*?)^[ \t]*### END SOLUTION\n?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class ProblemSet:
    """One problem set, as its instructor has it.

    Attributes
    ----------
    name : str
        As in "ps05".
    notebook : NotebookNode
        With solutions.
    questions : mapping from name to Question
        Those that are decided by the machine.
    """

    name: str
    notebook: NotebookNode
    questions: Mapping[str, Question]

    def cell(self, grade_id: str) -> NotebookNode:
        """Return the cell with that id of nbgrader's.

        Raises
        ------
        ValueError
            If there is none.
        """
        for cell in self.notebook.cells:
            if grade_id_of(cell) == grade_id:
                return cell
        raise ValueError(f"{self.name} has no cell {grade_id!r}")

    def given(self, question: str) -> list[str]:
        """Return the code that comes before a question: imports, data, helpers."""
        cells = self.notebook.cells
        before = cells[: cells.index(self.cell(question))]
        return [cell.source for cell in before if cell.cell_type == "code" and not grade_id_of(cell)]

    def solution(self, question: str) -> str:
        """Return the reference answer to a question: the whole cell, without nbgrader's marks."""
        return SOLUTION.sub(lambda found: found[1], self.cell(question).source)

    def with_answers(self, chosen: Mapping[str, str]) -> NotebookNode:
        """Return the notebook of a student who answered so; what is not named is left as it is.

        Parameters
        ----------
        chosen : mapping from question to source
        """
        notebook = deepcopy(self.notebook)
        for cell in notebook.cells:
            if grade_id_of(cell) in chosen:
                cell.source = chosen[grade_id_of(cell)]
        return notebook


def load_problem_set(folder: Path) -> ProblemSet:
    """Read a problem set from its folder in solutions/: `psNN.ipynb` and `checks.py`.

    Raises
    ------
    ValueError
        If notebook and checks speak of different questions or points.
    """
    notebook = nbformat.read(folder / f"{folder.name}.ipynb", as_version=4)
    return make_problem_set(folder.name, notebook, (folder / "checks.py").read_text(encoding="utf-8"))


def make_problem_set(name: str, notebook: NotebookNode, checks: str) -> ProblemSet:
    """Make a problem set of its notebook, the instructor's or the released one, and the source of its `checks.py`.

    Raises
    ------
    ValueError
        If notebook and checks speak of different questions or points.
    """
    module = ModuleType(f"{name}_checks")
    sys.modules[module.__name__] = module  # where dataclasses look for it
    place = f"<{name}/checks.py>"
    lines = checks.splitlines(keepends=True)
    linecache.cache[place] = (len(checks), None, lines, place)  # for tracebacks, and inspect
    exec(compile(checks, place, "exec"), module.__dict__)
    questions = {question.name: question for question in module.QUESTIONS}
    in_notebook = {
        cell.question: float(cell.node.metadata.nbgrader.points)
        for cell in map(identify, notebook.cells)
        if cell.kind == "points"
    }
    decided = {question.name: float(question.points) for question in questions.values()}
    if in_notebook != decided:
        raise ValueError(f"{name}: points in the notebook {in_notebook}, in checks.py {decided}")
    return ProblemSet(name, notebook, questions)


def decide_by_exec(problem_set: ProblemSet, question: str, source: str, seed: int) -> Verdict:
    """Decide one question in this process, without a kernel: for answers that one trusts, such as the answer bank's.

    Parameters
    ----------
    problem_set : ProblemSet
    question : str
    source : str
        What stands in the question's cell.
    seed : int
        Of the inputs.
    """
    asked = problem_set.questions[question]
    respond = respond_by_exec(problem_set, question, source)
    return decide(asked, respond, str(seed).encode())


def respond_by_exec(problem_set: ProblemSet, question: str, source: str) -> Respond:
    """Run the cells given before a question, an answer, and its visible tests; return what then responds to requests.

    That is the order in which a submission is graded. A cell that fails is left where it fails.
    """
    namespace: dict[str, Any] = {"__name__": "__main__"}
    tests = problem_set.cell(f"{question}-tests").source
    with _quiet():
        for number, cell in enumerate([*problem_set.given(question), source, tests]):
            OldNames.install()  # before each, since what a cell imports can have been called otherwise
            with contextlib.suppress(Exception):
                exec(_compiled(cell, f"<{problem_set.name} {question} {number}>"), namespace)
    return partial(_respond_quietly, namespace)


def _compiled(source: str, name: str) -> CodeType:
    """Compile a cell as IPython does: messages can quote its lines."""
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    return compile(source, name, "exec")


def _respond_quietly(namespace: dict[str, Any], request: str) -> str:
    with _quiet():
        return kernel_protocol.respond(namespace, request)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
