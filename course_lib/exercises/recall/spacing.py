"""What is asked on which day: Leitner's boxes.

A right answer moves a question to the next box, a wrong one back to the first. A question waits in its box for as many
days as `WAITS` says; from the last box it comes back every four weeks. What is asked before it is due (by
`course recall --chapter`, or in a second tab) gains nothing by a right answer, since it was no feat to remember it; a
wrong one does move it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from course_lib.exercises.recall.bank import Bank, Question

WAITS = (1, 3, 7, 14, 28)  # days, box by box
A_DAY, NEW = 10, 4  # questions a day at most, and how many of them may be new


@dataclass(frozen=True)
class Answer:
    """One answer, as it is kept: the question, the day, whether it was right, which misconception it showed, if any."""

    question: str
    day: date
    right: bool
    misconception: str = ""


@dataclass(frozen=True)
class Standing:
    """Where a question stands.

    Attributes
    ----------
    box : int
        From 1.
    due : date
        From this day on it is asked again.
    asked, right : int
        How often it was asked, and answered rightly.
    """

    box: int
    due: date
    asked: int
    right: int


def standings(answers: Iterable[Answer]) -> dict[str, Standing]:
    """Return where each question stands that was answered, by its id.

    Parameters
    ----------
    answers : iterable of Answer
        In the order in which they were given.

    Examples
    --------
    >>> monday = date(2026, 9, 14)
    >>> right, wrong = Answer("a", monday, True), Answer("a", monday + timedelta(days=3), False)
    >>> standings([right])["a"].due - monday
    datetime.timedelta(days=3)
    >>> standings([right, wrong])["a"].box
    1
    """
    found: dict[str, Standing] = {}
    for answer in answers:
        old = found.get(answer.question, Standing(1, answer.day, 0, 0))
        box, due = old.box, old.due
        if not answer.right:
            box, due = 1, after(1, answer.day)
        elif answer.day >= old.due:
            box = min(old.box + 1, len(WAITS))
            due = after(box, answer.day)
        found[answer.question] = Standing(box, due, old.asked + 1, old.right + answer.right)
    return found


def after(box: int, day: date) -> date:
    """Return the day on which a question is due that has come into a box."""
    return day + timedelta(days=WAITS[box - 1])


def todays(bank: Bank, answers: Sequence[Answer], read: int, day: date) -> list[Question]:
    """Return what is still to be asked on a day: what is due, longest overdue first, then new questions.

    New are those of the chapter that was read last, then those of the chapters before it, so that what one chapter
    leaves over is asked among the questions of the next ones.

    Parameters
    ----------
    bank : Bank
    answers : sequence of Answer
        All that were given so far, today's among them.
    read : int
        The chapter that was read last; nothing of later ones is asked.
    day : date
    """
    standing = standings(answers)
    given = {answer.question for answer in answers if answer.day == day}
    known = {answer.question for answer in answers if answer.day != day}
    left = max(0, A_DAY - len(given))
    candidates = [question for question in bank.questions.values() if question.chapter <= read]
    due = [q for q in candidates if q.id in standing and standing[q.id].due <= day and q.id not in given]
    due.sort(key=lambda q: (standing[q.id].due, standing[q.id].box))  # stable: then as in the bank
    new = [question for question in candidates if question.id not in standing]
    new.sort(key=lambda question: -question.chapter)
    new = new[: max(0, min(left, NEW - len(given - known)))]
    return due[: left - len(new)] + new


def next_day(bank: Bank, answers: Sequence[Answer], read: int, day: date) -> date | None:
    """Return the first day after this one on which something is asked, if there is one."""
    standing = standings(answers)
    candidates = [question for question in bank.questions.values() if question.chapter <= read]
    tomorrow = day + timedelta(days=1)
    days = [max(tomorrow, standing[q.id].due) if q.id in standing else tomorrow for q in candidates]
    return min(days, default=None)


def in_words(day: date, today: date) -> str:
    """Say when a later day is.

    Examples
    --------
    >>> in_words(date(2026, 9, 15), date(2026, 9, 14)), in_words(date(2026, 9, 17), date(2026, 9, 14))
    ('tomorrow', 'in 3 days, on 17 September')
    """
    n = (day - today).days
    if n <= 1:
        return "tomorrow" if n == 1 else "today"
    return f"in {n} days, on {day.day} {day:%B}"
