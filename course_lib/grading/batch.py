"""A class, graded: submissions go out as jobs to this machine's cores or to a cluster, and come back to one writer."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import signal
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from course_lib.grading.course import Course
from course_lib.grading.executors import MOST_TRIES, MakeExecutor, is_death
from course_lib.grading.intake import RefusedError, Taken, take
from course_lib.grading.records import FOLDER, Record, load_record, record_path, save_record
from course_lib.grading.submissions import Job, carry_out

IN_FLIGHT = 4  # jobs for each worker that are out at a time: enough to keep it busy, few enough for any class


class BusyError(RuntimeError):
    """Another run grades the same course: the gradebook has one writer."""


def grade_class(
    course: Course,
    name: str,
    make_executor: MakeExecutor,
    students: Sequence[str] = (),
    again: bool = False,
    unsafe: bool = False,
    show_progress: bool = True,
) -> list[Record]:
    """Grade what was handed in of a problem set and is not graded yet; each submission is kept when it is done.

    Parameters
    ----------
    course : Course
    name : str
        Of the problem set.
    make_executor : function
        Returns a context that gives an executor and how many workers it has: :mod:`course_lib.grading.executors`.
    students : sequence of str
        Only theirs; all where not given.
    again : bool
        Whether to grade again what is graded already and has not changed.
    unsafe : bool
        Whether to run without a sandbox.
    show_progress : bool

    Returns
    -------
    list of Record
        Of all submissions that were asked for, those too that had been graded before.

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
        jobs, done = _sort_out(course, name, students, again, unsafe)
        timestamps = {job.student: job.timestamp for job in jobs.values()}
        with tqdm(
            total=len(jobs), desc=name, unit=" submissions", disable=not show_progress or not jobs
        ) as bar:
            if jobs:
                course.back_up_gradebook()
            counts: Counter[str] = Counter()
            with contextlib.closing(_carry_out_all(_filled(jobs), make_executor)) as outcomes:
                for record, notebook in outcomes:
                    with _ctrl_c_waits():
                        _keep(course, record, notebook, timestamps[record.student])
                    done.append(record)
                    counts[record.status] += 1
                    others = {status: n for status, n in counts.items() if status != "graded"}
                    bar.set_postfix(others, refresh=False)
                    bar.update()
        course.assign_penalties(name)  # of what is unchanged, too: a date or the policy may have changed
    return sorted(done, key=lambda record: record.student)


@contextlib.contextmanager
def _only_one(course: Course) -> Iterator[None]:
    folder = course.root / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
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
    """Let Ctrl-C wait until what is within is done: nothing is in the gradebook that has no record."""
    pressed: list[bool] = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _sort_out(
    course: Course, name: str, students: Sequence[str], again: bool, unsafe: bool
) -> tuple[dict[Path, Job], list[Record]]:
    """Return the jobs to do, still empty, and the records of what needs no work."""
    release, checks = course.release(name), course.checks(name)
    course.expect(name)
    found = course.submissions(name)
    missing = sorted(set(students) - set(found))
    if missing or not found:
        raise ValueError(f"nothing of {name} was handed in{' by ' + ', '.join(missing) if missing else ''}")
    jobs, done = dict[Path, Job](), list[Record]()
    for student, folder in found.items():
        if students and student not in students:
            continue
        try:
            taken: Taken = take(folder, name)
        except RefusedError as error:
            done.append(Record(student, name, "refused", str(error)))
            _keep(course, done[-1])
            continue
        secret = course.secret_of(student)
        job = Job(student, name, taken.data, taken.timestamp, release, checks, secret, unsafe, course.limits)
        before = _record(course, name, student)
        if before and before.key == job.key and before.status != "failed" and not again:
            done.append(before)
        else:
            jobs[folder] = replace(job, data=b"")
    return jobs, done


def _filled(jobs: Mapping[Path, Job]) -> Iterator[Job]:
    """Fill in what was handed in when a job's turn comes: that of a whole class may take gigabytes."""
    for folder, job in jobs.items():
        try:
            taken = take(folder, job.problem_set)
        except RefusedError:  # it was exchanged meanwhile: the next run will tell
            continue
        yield replace(job, data=taken.data)


def _keep(course: Course, record: Record, notebook: str = "", timestamp: str = "") -> None:
    """Keep all that came of a submission; the record last, since what has one is done."""
    if notebook:
        course.enter(record.problem_set, record.student, notebook, timestamp)
    elif record.status != "failed":  # which is no news for the student
        course.tell(record)
    save_record(course.root, record)


def _record(course: Course, name: str, student: str) -> Record | None:
    try:
        return load_record(record_path(course.root, name, student))
    except (FileNotFoundError, ValueError):
        return None


def _carry_out_all(
    jobs: Iterator[Job], make_executor: MakeExecutor
) -> Generator[tuple[Record, str], None, None]:
    """Yield what comes of each job, as it comes."""
    out = dict[Future[tuple[Record, str]], Job]()
    with make_executor() as (executor, n_workers):
        while True:
            for job in itertools.islice(jobs, IN_FLIGHT * n_workers - len(out)):
                out[executor.submit(carry_out, job)] = job
            if not out:
                return
            for future in wait(out, return_when=FIRST_COMPLETED).done:
                yield _outcome(future, out.pop(future))


def _outcome(future: Future[tuple[Record, str]], job: Job) -> tuple[Record, str]:
    try:
        return future.result()
    except CancelledError:
        raise ValueError("the cluster is gone; the same command goes on from here") from None
    except Exception as error:
        if not is_death(error):
            raise
        told = (
            f"The grader itself died {MOST_TRIES} times while it graded this: look at the submission by hand."
        )
        return Record(job.student, job.problem_set, "failed", told, key=job.key), ""
