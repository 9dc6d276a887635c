"""Run a submission and decide it: each grade cell gets its verdict, for nbgrader to save and the student to read."""

from __future__ import annotations

import contextlib
import hmac
import json
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_lib.grading.problem_sets import ProblemSet, grade_id_of
from course_lib.grading.questions import Verdict, decide
from course_lib.kernels import KernelFailure


class RunsCells(Protocol):
    """What runs a submission: :class:`course_lib.grading.sandbox.SandboxedKernel`, or a kernel without a sandbox."""

    def run(self, cell: NotebookNode) -> None:
        """Run a cell; KernelFailure if it has to be stopped."""

    def respond(self, request: str) -> str:
        """Answer a request of a check; KernelFailure if no answer comes."""

    def restart(self) -> None:
        """Go on with nothing run."""


def grade(
    problem_set: ProblemSet, notebook: NotebookNode, kernel: RunsCells, key: bytes
) -> tuple[dict[str, Verdict], list[str]]:
    """Run a submission's cells in their order, and decide each question where its points stand.

    What comes after the last decided question is not run. A cell, or an answer, that kills the kernel or has to be
    stopped is left out: what ran before is run again in a new kernel, and it goes on.

    Parameters
    ----------
    problem_set : ProblemSet
    notebook : NotebookNode
        The submission, cleaned. Its outputs are changed; the points' cells receive the verdicts.
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
    done: list[NotebookNode] = []

    def respond(request: str) -> str:
        try:
            return kernel.respond(request)
        except KernelFailure as failure:
            incidents.append(str(failure))
            _start_again(kernel, done)
            raise

    for cell in notebook.cells:
        question = problem_set.questions.get(grade_id_of(cell).removesuffix("-points"))
        if question and grade_id_of(cell).endswith("-points"):
            rng = np.random.default_rng(list(sign(key, question.name)))
            verdicts[question.name] = decide(question, respond, rng, _source(notebook, question.name))
            cell.outputs = verdict_outputs(verdicts[question.name])
            if len(verdicts) == len(problem_set.questions):
                break
        elif cell.cell_type == "code":
            try:
                kernel.run(cell)
                done.append(cell)
            except KernelFailure as failure:
                incidents.append(str(failure))
                cell.outputs.append(
                    new_output("error", ename="Stopped", evalue=str(failure), traceback=[str(failure)])
                )
                _start_again(kernel, done)
    return verdicts, incidents


def sign(key: bytes, *texts: str) -> bytes:
    """Return what nobody can foretell who has not the key, and everybody gets who has it: HMAC with SHA-256.

    Examples
    --------
    >>> sign(b"secret", "ada", "q1") == sign(b"secret", "ada", "q1")
    True
    >>> sign(b"secret", "ada", "q1") == sign(b"secret", "ad", "aq1")
    False
    """
    return hmac.digest(key, json.dumps(texts).encode(), "sha256")


def _start_again(kernel: RunsCells, done: Sequence[NotebookNode]) -> None:
    """Go on with a new kernel in which the same cells have been run."""
    kernel.restart()
    for cell in done:
        with contextlib.suppress(KernelFailure):  # it did not fail before: let the next request tell
            kernel.run(NotebookNode(cell_type="code", source=cell.source, metadata={}, outputs=[]))


def _source(notebook: NotebookNode, question: str) -> str:
    return "\n".join(cell.source for cell in notebook.cells if grade_id_of(cell) == question)


def verdict_outputs(verdict: Verdict) -> list[NotebookNode]:
    """Write a verdict as the outputs of a grade cell: what came of each part, then the points, which nbgrader reads.

    Examples
    --------
    >>> from course_lib.grading.questions import PartVerdict
    >>> parts = [PartVerdict("one sentence", 3, 3), PartVerdict("several", 0, 1, "The bias is missing.")]
    >>> told, points = verdict_outputs(Verdict("q1", parts))
    >>> print(told.text)
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
