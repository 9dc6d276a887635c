"""Grading of a class: jobs for this machine's cores or a cluster, and one writer for what comes back."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import signal
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from tqdm import tqdm

from course_grading.course import Course, Open, encodable
from course_grading.executors import MOST_TRIES, MakeExecutor, is_worker_crash
from course_grading.intake import InvalidSubmissionError, read_submission, shown
from course_grading.records import FOLDER, Record, load_record, record_path, save_record
from course_grading.sandbox import SandboxError
from course_grading.submissions import GradingJob, grade_submission

IN_FLIGHT = 4  # jobs for each worker that are out at a time: enough to keep it busy, few enough for any class


class BusyError(RuntimeError):
    """Another run grades the same course: the gradebook has one writer."""


@dataclass(frozen=True)
class Graded:
    """Result of a grading run.

    Attributes
    ----------
    records : list of Record
        Of all submissions that were asked for, those too that had been graded before.
    misnamed : list of str
        Folders that were skipped, since no student can have this name.
    open_answers : list of Open
        What persons have to look at, of whomever, though it has points.
    stale : list of str
        Students whose feedback was removed, since it no longer fits.
    """

    records: list[Record]
    misnamed: list[str]
    open_answers: list[Open]
    stale: list[str]

    @property
    def is_complete(self) -> bool:
        """Whether nothing needs a person's hand but answers in words that nobody has read yet."""
        return all(record.is_graded for record in self.records) and not (self.misnamed or self.open_answers)


def grade_class(
    course: Course,
    name: str,
    make_executor: MakeExecutor,
    students: Sequence[str] = (),
    again: bool = False,
    unsafe: bool = False,
    show_progress: bool = True,
) -> Graded:
    """Grade what was handed in of a problem set and is not graded yet; each submission is kept when it is done.

    Whatever goes wrong with one submission is that one's status, and the others go on.

    Parameters
    ----------
    course : Course
    name : str
        Of the problem set.
    make_executor : function
        Returns a context that gives an executor and how many workers it has: `course_grading.executors`.
    students : sequence of str
        Only theirs; all where not given.
    again : bool
        Whether to grade again what is graded already and has not changed.
    unsafe : bool
        Whether to run without a sandbox.
    show_progress : bool

    Raises
    ------
    SandboxError
        If no sandbox works where submissions are run.
    BusyError
        If another run is at work.
    ValueError
        If the gradebook does not know the problem set, or there are no submissions.
    """
    with _only_one(course):
        run = _Run(course, name, again, unsafe)
        folders = run.find(students)
        # It shows itself when there is something to do, and counts that alone.
        bar = tqdm(total=len(folders), desc=name, unit=" submissions", disable=not show_progress, delay=1e-9)
        with bar, contextlib.closing(_grade_all(run.jobs(folders, bar), make_executor)) as outcomes:
            for job, record, notebook in outcomes:
                with _ctrl_c_waits():
                    run.keep(record, notebook, job.timestamp)
                bar.set_postfix(run.trouble, refresh=False)
                bar.update()
        course.assign_penalties(name)  # of what is unchanged, too: a date or the policy may have changed
    records = sorted(run.records.values(), key=lambda record: record.student)
    return Graded(records, course.misnamed(name), course.open_answers(name), sorted(run.stale))


@contextlib.contextmanager
def _only_one(course: Course) -> Iterator[None]:
    folder = course.root / FOLDER
    folder.mkdir(mode=0o770 if course.directory.groupshared else 0o700, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(
                "another 'course grade' is at work in this course: wait until it has ended"
            ) from None
        yield


@contextlib.contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Defer SIGINT until the block is done, so that nothing is in the gradebook that has no record."""
    if threading.current_thread() is not threading.main_thread():  # which Ctrl-C does not reach
        yield
        return
    pressed: list[bool] = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


class _Run:
    """One run over a problem set's submissions, and what has come of it so far."""

    def __init__(self, course: Course, name: str, again: bool, unsafe: bool) -> None:
        self._course, self._name, self._again, self._unsafe = course, name, again, unsafe
        self._release, self._checks, self._limits = course.release(name), course.checks(name), course.limits
        course.require_assignment(name)
        self.records: dict[str, Record] = {}
        self.stale: list[str] = []
        self.trouble = Counter[str]()  # statuses of this run's records that are not graded in full

    def find(self, students: Sequence[str]) -> dict[str, Path]:
        """Return the folders that were handed in, by student; only those of `students`, where some are named."""
        name, found = self._name, self._course.submissions(self._name)
        missing = sorted(set(students) - set(found))
        if missing or not (found or self._course.misnamed(name)):
            raise ValueError(
                f"nothing of {name} was handed in{' by ' + ', '.join(map(shown, missing)) if missing else ''}"
            )
        return {student: folder for student, folder in found.items() if not students or student in students}

    def jobs(self, folders: Mapping[str, Path], bar: tqdm[NoReturn]) -> Iterator[GradingJob]:
        """Read each submission when its turn comes, and yield it if it has to be graded.

        So each is read once, few are in memory at a time, and what is handed in anew during a run counts with its own
        time. What is refused, or has not changed since it was graded, is kept as that, and not counted by the bar.
        """
        course, name, is_backed_up = self._course, self._name, False
        for student, folder in folders.items():
            try:
                taken = read_submission(folder, name)
            except InvalidSubmissionError as error:
                self.keep(Record(student, name, "refused", str(error)))
                bar.total = (bar.total or 1) - 1
                continue
            job = GradingJob(
                student,
                name,
                taken.data,
                taken.timestamp,
                self._release,
                self._checks,
                course.secret_of(student),
                self._unsafe,
                self._limits,
            )
            before = _record(course, name, student)
            if before and before.key == job.key and before.status != "failed" and not self._again:
                self.records[student] = before
                bar.total = (bar.total or 1) - 1
                continue
            if not is_backed_up:
                course.back_up_gradebook()
                is_backed_up = True
                bar.refresh()
            yield job

    def keep(self, record: Record, notebook: str = "", timestamp: str = "") -> None:
        """Keep all that came of a submission; the record last, since what has one is done."""
        course = self._course
        record = encodable(record)
        try:
            if notebook:
                if course.record_grade(record, notebook, timestamp):
                    self.stale.append(record.student)
            elif record.status != "failed":  # which is no news for the student
                course.write_rejection(record)
            save_record(course.root, record)
        except Exception as error:  # of whatever kind: the others are graded all the same
            message = f"It was run, but what came of it could not be kept: {type(error).__name__}: {error}"
            record = encodable(Record(record.student, record.problem_set, "failed", message, key=record.key))
            with contextlib.suppress(Exception):  # then the next run does it again for want of one
                save_record(course.root, record)
        self.records[record.student] = record
        if record.status != "graded":
            self.trouble[record.status] += 1


def _record(course: Course, name: str, student: str) -> Record | None:
    try:
        return load_record(record_path(course.root, name, student))
    except (FileNotFoundError, ValueError):
        return None


def _grade_all(
    jobs: Iterator[GradingJob], make_executor: MakeExecutor
) -> Generator[tuple[GradingJob, Record, str], None, None]:
    """Yield the result of each job, in the order in which they finish."""
    first = next(jobs, None)
    if first is None:  # then nobody has to wait for workers
        return
    jobs = itertools.chain([first], jobs)
    out = dict[Future[tuple[Record, str]], GradingJob]()
    with make_executor() as (executor, n_workers):
        while True:
            for job in itertools.islice(jobs, IN_FLIGHT * n_workers - len(out)):
                out[executor.submit(grade_submission, job)] = job
            if not out:
                return
            for future in wait(out, return_when=FIRST_COMPLETED).done:
                job = out.pop(future)
                yield job, *_outcome(future, job)


def _outcome(future: Future[tuple[Record, str]], job: GradingJob) -> tuple[Record, str]:
    try:
        return future.result()
    except CancelledError:
        raise ValueError("the cluster is gone; the same command goes on from here") from None
    except (
        SandboxError,
        ValueError,
    ) as error:  # as grade_submission says: nobody's submission could be graded
        if isinstance(error, UnicodeError):
            return _failed(job, error), ""
        raise
    except Exception as error:
        return _failed(job, error), ""


def _failed(job: GradingJob, error: Exception) -> Record:
    message = (
        f"The grader itself died {MOST_TRIES} times while it graded this: look at the submission by hand."
        if is_worker_crash(error)
        else f"The grader failed, and not what was handed in: {type(error).__name__}: {error}"
    )
    return Record(job.student, job.problem_set, "failed", message, key=job.key)
