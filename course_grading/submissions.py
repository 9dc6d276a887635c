"""Grading of one submission: from its bytes to a notebook with verdicts, and a record.

Nothing here needs the gradebook or the course's folder: a job brings all along, and may be carried out on another
machine. Who carries it out is trusted, since it holds the checks; what was handed in is not.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import hashlib
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import nbformat
from nbformat import NotebookNode

from course_grading.cleaning import Cleaned, clean
from course_grading.grade import RunsCells, grade
from course_grading.intake import InvalidNotebookError, parse
from course_grading.problem_sets import ProblemSet, make_problem_set
from course_grading.questions import sign
from course_grading.records import Record, Status
from course_grading.sandbox import Limits, Sandbox, SandboxedKernel, SandboxError, ShortageError
from course_lib.exercises.kernels import Kernel

# In each process: what a sandbox's memory is used for would not be known otherwise.
ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class GradingJob:
    """Self-contained input for grading one submission, here or on another machine.

    Attributes
    ----------
    student, problem_set : str
    data : bytes
        What was handed in.
    timestamp : str
        When; "" if that is not known.
    release : str
        The notebook as it was handed out, JSON.
    checks : str
        The source of the problem set's `checks.py`.
    secret : bytes
        The student's own part of the course's secret, which inputs are drawn by.
    unsafe : bool
        Whether to run it without a sandbox.
    limits : Limits
    """

    student: str
    problem_set: str
    data: bytes
    timestamp: str
    release: str
    checks: str
    secret: bytes
    unsafe: bool = False
    limits: Limits = field(default_factory=Limits)

    @cached_property
    def key(self) -> str:
        """SHA-256 of everything that the outcome depends on."""
        texts = (self.timestamp, self.release, self.checks)
        parts = (self.data, *(text.encode() for text in texts), self.secret)
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def grade_submission(job: GradingJob) -> tuple[Record, str]:
    """Grade a submission.

    Returns
    -------
    Record
    str
        The notebook with its outputs and verdicts, JSON; "" if what was handed in is no notebook.

    Raises
    ------
    SandboxError
        If there is no sandbox here.
    ValueError
        If the problem set is out of order, whoever handed in.
    """
    started = time.monotonic()
    problem_set = _problem_set(job.problem_set, job.release, job.checks)
    try:
        cleaned = clean(parse(job.data), problem_set.notebook)
        record = _run(problem_set, cleaned, job)
    except SandboxError:
        raise
    except InvalidNotebookError as error:
        return Record(job.student, job.problem_set, "broken", str(error), key=job.key), ""
    except ShortageError as error:
        return Record(job.student, job.problem_set, "failed", str(error), key=job.key), ""
    except Exception as error:  # the grader's fault: the others are graded all the same
        message = f"The grader failed, and not what was handed in: {type(error).__name__}: {error}"
        return Record(job.student, job.problem_set, "failed", message, key=job.key), ""
    seconds = round(time.monotonic() - started, 3)
    return replace(record, key=job.key, seconds=seconds), nbformat.writes(cleaned.notebook)


def _run(problem_set: ProblemSet, cleaned: Cleaned, job: GradingJob) -> Record:
    """Run a submission that was cleaned, and put outputs and verdicts into it.

    Inputs depend on the student's secret and on the question alone: whoever changes something else gets the same ones.
    """
    with _kernel(problem_set, job.unsafe, job.limits) as kernel:
        verdicts, incidents = grade(problem_set, cleaned.cells, kernel, sign(job.secret, job.problem_set))
    status: Status = "interrupted" if incidents else "graded"
    message = " ".join(dict.fromkeys(incidents))
    return Record(job.student, job.problem_set, status, message, tuple(verdicts.values()), cleaned.tampering)


@cache
def _problem_set(name: str, release: str, checks: str) -> ProblemSet:
    try:
        return make_problem_set(name, nbformat.reads(release, as_version=4), checks)
    except Exception as error:  # whatever an instructor's code may raise
        raise ValueError(f"{name} cannot be graded: {type(error).__name__}: {error}") from None


@contextlib.contextmanager
def _kernel(problem_set: ProblemSet, unsafe: bool, limits: Limits) -> Iterator[RunsCells]:
    if unsafe:
        with tempfile.TemporaryDirectory() as folder, Kernel(folder) as kernel:
            yield kernel
    else:
        seconds = (limits.seconds_a_cell, limits.seconds_a_request, limits.seconds)
        sandbox = _sandbox(_modules(problem_set.notebook), limits)
        with ONE_AT_A_TIME, SandboxedKernel(sandbox, *seconds) as sandboxed:
            yield sandboxed


@cache
def _sandbox(warm: tuple[str, ...], limits: Limits) -> Sandbox:
    """Return this process's sandbox, which it keeps until it ends."""
    sandbox = Sandbox(warm, limits).__enter__()
    atexit.register(sandbox.__exit__)
    return sandbox


def _modules(notebook: NotebookNode) -> tuple[str, ...]:
    """Return the modules that a notebook's code imports."""
    found: set[str] = set()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            with contextlib.suppress(SyntaxError):  # a line of IPython's own
                for node in ast.walk(ast.parse(cell.source)):
                    if isinstance(node, ast.Import):
                        found |= {alias.name for alias in node.names}
                    elif isinstance(node, ast.ImportFrom) and node.module:
                        found.add(node.module)
    return tuple(sorted(found))
