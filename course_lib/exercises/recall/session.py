"""One sitting: which question comes next, what an answer does, what is said to it. Terminal and notebook share it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from course_lib.exercises.recall.bank import Bank, Question, Verdict, judge, right_answer, shown
from course_lib.exercises.recall.spacing import Answer, in_words, next_day, standings, todays
from course_lib.exercises.recall.store import Kept, Store


@dataclass(frozen=True)
class Told:
    """What is said to an answer.

    Attributes
    ----------
    verdict : Verdict
    right : str
        The right answer in words.
    because : str
        Why it is right.
    again : str
        When the question is asked again, in words.
    """

    verdict: Verdict
    right: str
    because: str
    again: str

    @property
    def heading(self) -> str:
        """Whether it was right, in a word or two."""
        return "Right." if self.verdict.right else "Not right."


class Session:
    """Questions one after the other, until nothing is left for today.

    What another tab has asked meanwhile is not asked again: before each question the store is read anew.

    Parameters
    ----------
    bank : Bank
    store : Store
    read : int
        The chapter that was read last, if it is a later one than the store knows. It is kept with the first answer.
    chapter : int
        To ask the questions of one chapter, due or not; 0: what is due today.
    clock : function, optional
        Returns today's date.
    """

    def __init__(
        self,
        bank: Bank,
        store: Store,
        read: int = 0,
        chapter: int = 0,
        clock: Callable[[], date] = date.today,
    ) -> None:
        self.bank, self.store, self.chapter, self.clock = bank, store, chapter, clock
        self._read = max(read, chapter)
        self._passed = set[str]()  # asked in this sitting, or put off
        self.answered: list[bool] = []  # of this sitting, whether each was right
        self.question: Question | None = None
        self.turn = 0
        self.left = 0  # how many there are still, with this one

    @property
    def number(self) -> int:
        """Which question of this sitting is asked, from 1."""
        return len(self.answered) + 1

    def kept(self) -> Kept:
        """Return what was answered so far, with the chapter that this sitting was told of."""
        kept = self.store.load()
        return Kept(max(kept.read, self._read), kept.answers)

    def next(self) -> Question | None:
        """Go on to the next question, and return it; None if nothing is left."""
        kept, day = self.kept(), self.clock()
        if self.chapter:
            waiting = self.bank.of_chapter(self.chapter)
        else:
            waiting = todays(self.bank, kept.answers, kept.read, day)
        waiting = [question for question in waiting if question.id not in self._passed]
        self.question, self.left = (waiting[0] if waiting else None), len(waiting)
        if self.question:
            self.turn = sum(answer.question == self.question.id for answer in kept.answers)
        return self.question

    def shown(self) -> list[str]:
        """Return the options or lines of the question as they are shown this time."""
        return shown(self._asked(), self.turn)

    def answer(self, answer: str | float | Sequence[str]) -> Told:
        """Judge an answer to the question, keep it, and return what is said to it."""
        question, day = self._asked(), self.clock()
        verdict = judge(question, answer)
        self.store.add(Answer(question.id, day, verdict.right, verdict.misconception), self._read)
        self._passed.add(question.id)
        self.answered.append(verdict.right)
        due = standings(self.store.load().answers)[question.id].due
        return Told(verdict, right_answer(question), question.because, in_words(due, day))

    def later(self) -> None:
        """Put the question off: it is not asked again in this sitting, and nothing is kept of it."""
        self._passed.add(self._asked().id)

    def ending(self) -> str:
        """Say what this sitting came to, and when there is more."""
        kept, day = self.kept(), self.clock()
        said = []
        if self.answered:
            n = len(self.answered)
            said.append(f"{sum(self.answered)} of {n} right." if n > 1 else self._one())
        if self.chapter:
            said.append(f"That was chapter {self.chapter:02}.")
        elif not any(question.chapter <= kept.read for question in self.bank.questions.values()):
            said.append(
                "No chapter is marked as read yet: `course recall --read 1` does that, or recall(read=1) in a notebook."
            )
        elif todays(self.bank, kept.answers, kept.read, day):
            said.append("The questions that you put off are still there today.")
        else:
            said.append("Nothing more today.")
            more = next_day(self.bank, kept.answers, kept.read, day)
            said += [f"The next questions come {in_words(more, day)}."] if more else []
        return " ".join(said)

    def _one(self) -> str:
        return "It was right." if self.answered[0] else "It was not right."

    def _asked(self) -> Question:
        if self.question is None:
            raise ValueError("no question is asked: call next first")
        return self.question
