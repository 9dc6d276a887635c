"""`course grade` for tests: as a command, and in this process; what it has written; clusters to grade on."""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import ClassVar

import nbformat
import psutil
import pytest

from course_grading import executors, submissions
from course_grading.problem_sets import grade_id_of
from course_grading.records import Record, load_records
from course_grading.sandbox import Sandbox, SandboxedKernel
from course_lib import cli
from tests.support.classroom import Classroom

NAME = "ps01"
COMMAND = [sys.executable, "-m", "course_lib.cli", "grade", NAME]
LONGEST_WAIT = 120  # seconds, on however busy a machine


def at_home(folder: Path) -> dict[str, str]:
    """The environment of a command that may be killed, and then leaves its temporary files."""
    return os.environ | {"OMP_NUM_THREADS": "1", "TMPDIR": str(folder)}


def expected(room: Classroom) -> dict[str, dict[str, float]]:
    """What the bank says: points by student and question."""
    return {
        student: {name: answers[name].points if name in answers else 0 for name in room.sets[NAME].questions}
        for student, answers in room.chosen.items()
    }


def recorded(room: Classroom) -> dict[str, Record]:
    return {record.student: record for record in load_records(room.folder, NAME)}


def points(records: dict[str, Record]) -> dict[str, dict[str, float]]:
    return {
        student: {verdict.question: verdict.points for verdict in record.verdicts}
        for student, record in records.items()
    }


def in_gradebook(room: Classroom) -> dict[str, dict[str, float]]:
    """The points that the machine gave: nothing of a student of whom the gradebook has no submission."""
    with room.gradebook() as gradebook:
        return {
            submission.student_id: {
                grade.name.removesuffix("-points"): grade.auto_score
                for grade in submission.notebooks[0].grades
                if grade.name.endswith("-points")
            }
            for submission in gradebook.assignment_submissions(NAME)
        }


def change_answer(room: Classroom, student: str, question: str, source: str) -> None:
    path = room.folder / "submitted" / student / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    [cell] = [cell for cell in notebook.cells if grade_id_of(cell) == question]
    cell.source = source
    nbformat.write(notebook, path)


class Here(Executor):
    """Carries jobs out in this process, one by one, and remembers whose they were."""

    def __init__(self) -> None:
        self.students: list[str] = []

    def submit(self, function, job):
        self.students.append(job.student)
        future: Future[object] = Future()
        future.set_result(function(job))
        return future


class HeardKernel(SandboxedKernel):
    """A kernel of which one can hear what it is asked; to find out that an answer never ends takes it little time."""

    heard: ClassVar[list[str]] = []

    def __init__(self, sandbox: Sandbox, *seconds: float) -> None:
        super().__init__(sandbox, seconds_a_cell=6, seconds_a_request=4)

    def respond(self, request: str, share: float = 1.0) -> str:
        self.heard.append(request)
        return super().respond(request, share)


class GradeHere:
    """`course grade` in this process: returns the exit status, and remembers whom it has graded and what it asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch, self._executor = monkeypatch, Here()
        pool = contextlib.nullcontext((self._executor, 1))
        monkeypatch.setattr(executors, "local_pool", lambda n_workers: pool)
        monkeypatch.setattr(submissions, "SandboxedKernel", HeardKernel)

    def __call__(self, folder: Path, *arguments: str, name: str = NAME) -> int:
        self.students = self._executor.students = []
        self.heard = HeardKernel.heard = []
        self._monkeypatch.chdir(folder)
        return cli.main(["grade", name, *arguments])


@contextlib.contextmanager
def grading(
    room: Classroom, enough: int, *arguments: str, seconds: float = LONGEST_WAIT
) -> Iterator[psutil.Process]:
    """Run the command, and go on when it has graded some; at the end it is over, and so is all that it started."""
    with (room.folder / "said.txt").open("w") as said:
        command = psutil.Popen(
            [*COMMAND, *arguments],
            cwd=room.folder,
            env=at_home(room.folder.parent),
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    wait_until(lambda: n_records(room) >= enough or not is_running(command), seconds)
    started = command.children(recursive=True)
    try:
        yield command
        command.wait(seconds)
        wait_until(lambda: not any(map(is_running, started)))
    finally:
        for process in filter(is_running, [command, *started]):
            process.kill()


def n_records(room: Classroom) -> int:
    return len(list((room.folder / "records" / NAME).glob("*.json")))


def wait_until(is_so: Callable[[], object], seconds: float = LONGEST_WAIT) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "this takes too long"
        time.sleep(0.01)


def is_running(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def said(room: Classroom) -> str:
    return (room.folder / "said.txt").read_text(encoding="utf-8")


@contextlib.contextmanager
def cluster(folder: Path, *security: str) -> Iterator[tuple[str, Sequence[psutil.Process]]]:
    """Start a scheduler and two workers of dask's on this machine; give the address, and the workers."""
    file, protocol = folder / "scheduler.json", "tls" if security else "tcp"
    dask = [sys.executable, "-m", "dask"]
    started = []

    def start(*arguments: str) -> psutil.Popen:
        with (folder / f"dask-{len(started)}.txt").open("w") as log:
            options = ["--no-dashboard", f"--scheduler-file={file}", *security]
            command = [*dask, *arguments, *options]
            started.append(psutil.Popen(command, cwd=folder, env=at_home(folder), stdout=log, stderr=log))
        return started[-1]

    try:
        start("scheduler", "--host=127.0.0.1", "--port=0", f"--protocol={protocol}")
        wait_until(lambda: file.exists() and file.read_text().endswith("}"))
        workers = [
            start("worker", "--nthreads=1", "--no-nanny", f"--local-directory={folder}") for _ in range(2)
        ]
        wait_until(lambda: "Starting worker compute stream" in log_of(folder, 0))
        yield json.loads(file.read_text())["address"], workers
    finally:
        for process in started:  # asked to end together, they wait for each other
            process.kill()
            process.wait(LONGEST_WAIT)


def log_of(folder: Path, number: int) -> str:
    return (folder / f"dask-{number}.txt").read_text(encoding="utf-8")
