"""Explanation of lost points, for complaints: the inputs of each failed case, what was expected and what came.

The inputs are not stored. They are drawn again by the course's secret, as they were when the answer was graded.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from course_grading.course import Course
from course_grading.intake import read_submission
from course_grading.problem_sets import ProblemSet, load_problem_set
from course_grading.questions import Failure, Part, PartVerdict, Question, Verdict, draw, sign
from course_grading.records import Record, load_record, record_path
from course_grading.submissions import GradingJob
from course_lib.exercises.kernel_protocol import Other, decode, one_line, printable

MOST_ENTRIES = 400  # of an array, which is shown whole
CHANGED = (
    "The submission, its time, checks.py or the release has changed since this was graded. The inputs below are drawn "
    "by the present checks.py: 'course grade' brings all up to date."
)


def explain(course: Course, student: str, name: str, question: str = "") -> str:
    """Say why a student's answers lost points: inputs, what was expected, what came.

    Parameters
    ----------
    course : Course
    student, name : str
        As in "ada" and "ps01".
    question : str
        As in "q3"; all, where it is not given.

    Raises
    ------
    ValueError
        If it has not been graded, or there is no such question.
    """
    try:
        record = load_record(record_path(course.root, name, student))
    except FileNotFoundError:
        raise ValueError(
            f"{name} of {one_line(student, 60)} was not graded: 'course grade {name}' does that"
        ) from None
    ours = _problem_set(course.folder("source", name))
    if question and question not in ours.questions:
        raise ValueError(
            f"{name} has no question {question!r} that the machine decides: {', '.join(ours.questions)}"
        )
    lines = [
        f"{name}, {one_line(student, 60)}: {record.status}"
        + (f". {record.message}" if record.message else "")
    ]
    if record.key and not _is_current(course, record):  # a refusal leaves none
        lines.append(CHANGED)
    key = sign(course.secret_of(student), name)
    for verdict in record.verdicts:
        if question in ("", verdict.question):
            lines += _of_question(ours.questions.get(verdict.question), verdict, key)
    return "\n".join(map(printable, lines))


@cache
def _problem_set(folder: Path) -> ProblemSet:
    return load_problem_set(folder)


def _is_current(course: Course, record: Record) -> bool:
    """Whether nothing has changed since a submission was graded."""
    name, student = record.problem_set, record.student
    try:
        taken = read_submission(course.submissions(name)[student], name)
        texts = course.release(name), course.checks(name)
    except (KeyError, ValueError, OSError):
        return False
    return (
        GradingJob(student, name, taken.data, taken.timestamp, *texts, course.secret_of(student)).key
        == record.key
    )


def _of_question(question: Question | None, verdict: Verdict, key: bytes) -> Iterator[str]:
    yield ""
    yield f"{verdict.question}: {verdict.points:g} of {verdict.out_of:g}"
    for part in verdict.parts:
        yield f"  {part.name}: {part.points:g} of {part.out_of:g}"
        if part.message:
            yield f"    message: {part.message}"
        if part.doubt:
            yield f"    look at it: {part.doubt}"
        ours = next((ours for ours in question.parts if ours.name == part.name), None) if question else None
        if question and ours:
            yield from _of_part(question, ours, part, key)


def _of_part(question: Question, ours: Part, part: PartVerdict, key: bytes) -> Iterator[str]:
    cases = draw(question, ours, key) if part.failed else []
    for failure in part.failed:
        if failure.case >= len(cases):
            continue  # of another checks.py
        yield f"    case {failure.case + 1} of {len(cases)}: {failure.fault}"
        yield from _of_case(question, cases[failure.case], failure)


def _of_case(question: Question, arguments: list[Any], failure: Failure) -> Iterator[str]:
    function = question.reference or question.accepts
    names = list(inspect.signature(function).parameters) if function else []
    names = names if question.reference else names[1:]
    for number, argument in enumerate(arguments):
        yield from _shown(names[number] if number < len(names) else f"input {number + 1}", argument)
    if failure.got is not None:
        yield from _shown("got", decode(failure.got))
    if question.reference is not None:
        yield from _shown("expected", question.reference(*arguments))


def _shown(name: str, value: Any) -> Iterator[str]:
    """Write a value with its name, below each other if it is long."""
    if isinstance(value, Other):
        text = f"({value.name})"
    elif hasattr(value, "dtype"):
        array = np.asarray(value.detach() if hasattr(value, "detach") else value)
        shown = np.array2string(array, separator=", ", threshold=MOST_ENTRIES, precision=7)
        text = f"{shown}  {array.dtype} {tuple(array.shape)}" if array.ndim else f"{array}  {array.dtype}"
    else:
        text = one_line(repr(value), 2000)
    first, *rest = text.splitlines()
    yield f"      {name} = {first}"
    yield from (f"        {' ' * len(name)} {line}" for line in rest)
