"""Execution of a submission's cells, and the verdicts on its questions, written into the cells of their points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_grading.cells import Cell
from course_grading.problem_sets import ProblemSet
from course_grading.questions import Verdict, decide
from course_lib.exercises.kernels import KernelFailure, StoppedError

AFTER_A_STOP = 0.25  # of the time of a request: what the other parts of a question get, once one did not end


class RunsCells(Protocol):
    """What runs a submission: `course_grading.sandbox.SandboxedKernel`, or a kernel without a sandbox."""

    def run(self, cell: NotebookNode) -> None:
        """Run a cell; KernelFailure if it has to be stopped."""

    def respond(self, request: str, share: float = 1.0) -> str:
        """Answer a request of a check, in a share of the time that there is for one; KernelFailure if none comes."""

    def go_on(self, done: Sequence[str]) -> None:
        """Go on after a failure, with what these sources have made, and nothing else."""


def grade(
    problem_set: ProblemSet, cells: Sequence[Cell], kernel: RunsCells, key: bytes
) -> tuple[dict[str, Verdict], list[str]]:
    """Run a submission's cells in their order, and decide each question where its points stand.

    What comes after the last decided question is not run. A cell, or an answer, that has to be stopped is interrupted;
    if it kills the kernel, or cannot be interrupted, what ran before is run again in a new one. Then it goes on. Once
    an answer did not end, it has less time for the other parts of its question.

    Parameters
    ----------
    problem_set : ProblemSet
    cells : sequence of Cell
        The submission's, cleaned. Their outputs are changed; the points' cells receive the verdicts.
    kernel : RunsCells
        A fresh one.
    key : bytes
        What the inputs are drawn by: the same key, the same inputs.

    Returns
    -------
    dict from question to Verdict
    list of str
        What was left out, and why.
    """
    verdicts: dict[str, Verdict] = {}
    incidents: list[str] = []
    done: list[str] = []
    stopped: list[KernelFailure] = []  # of the question that is decided

    def respond(request: str) -> str:
        try:
            return kernel.respond(request, AFTER_A_STOP if stopped else 1.0)
        except KernelFailure as failure:
            incidents.append(str(failure))
            if isinstance(failure, StoppedError):
                stopped.append(failure)
            kernel.go_on(done)
            raise

    for cell in cells:
        question = problem_set.questions.get(cell.question) if cell.kind == "points" else None
        if question:
            stopped.clear()
            verdicts[question.name] = decide(question, respond, key)
            cell.node.outputs = verdict_outputs(verdicts[question.name])
            if len(verdicts) == len(problem_set.questions):
                break
        elif cell.node.cell_type == "code":
            try:
                kernel.run(cell.node)
                done.append(cell.node.source)
            except KernelFailure as failure:
                incidents.append(str(failure))
                cell.node.outputs.append(
                    new_output("error", ename="Stopped", evalue=str(failure), traceback=[str(failure)])
                )
                kernel.go_on(done)
    return verdicts, incidents


def verdict_outputs(verdict: Verdict) -> list[NotebookNode]:
    """Write a verdict as the outputs of a grade cell: what came of each part, then the points, which nbgrader reads.

    Examples
    --------
    >>> from course_grading.questions import PartVerdict
    >>> parts = [PartVerdict("one sentence", 3, 3), PartVerdict("several", 0, 1, "The bias is missing.")]
    >>> parts_in_words, points = verdict_outputs(Verdict("q1", parts))
    >>> print(parts_in_words.text)
    ✓ one sentence: 3 of 3 points
    ✗ several: 0 of 1 point. The bias is missing.
    >>> points.data["text/plain"]
    '3'
    """
    lines = []
    for part in verdict.parts:
        points = f"{part.points:g} of {part.out_of:g} point{'s' if part.out_of != 1 else ''}"
        mark = "✓" if part.points == part.out_of else "✗"
        lines.append(f"{mark} {part.name}: {points}" + (f". {part.message}" if part.message else ""))
    return [
        new_output("stream", name="stdout", text="\n".join(lines)),
        new_output("execute_result", data={"text/plain": f"{verdict.points:g}"}),
    ]
