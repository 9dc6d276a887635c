"""What is asked on which day: a week and more with a clock of its own."""

from datetime import date, timedelta

import pytest

from course_lib.exercises.recall import Answer, Bank, Question, Standing, load, standings, todays
from course_lib.exercises.recall.bank import LAST_CHAPTER
from course_lib.exercises.recall.spacing import A_DAY, NEW, WAITS, in_words, next_day

MONDAY = date(2026, 9, 14)


def day(n: int) -> date:
    return MONDAY + timedelta(days=n)


def question(name: str, chapter: int) -> Question:
    return Question(name, "choice", chapter, 1, "?", ".", ())


NAMES = {"a1": 1, "a2": 1, "a3": 1, "a4": 1, "a5": 1, "a6": 1, "b1": 2, "b2": 2, "b3": 2}
BANK = Bank({name: question(name, chapter) for name, chapter in NAMES.items()}, {1: "A", 2: "B"}, {})


class Student:
    """Answers what is asked; wrong where a day's set says so."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []

    def asked(self, today: date, read: int, bank: Bank = BANK) -> list[str]:
        return [question.id for question in todays(bank, self.answers, read, today)]

    def spend(self, n: int, read: int, wrong: tuple[str, ...] = ()) -> str:
        """Answer all of a day, one by one as a sitting does; return what was asked."""
        asked = []
        while waiting := self.asked(day(n), read):
            asked.append(waiting[0])
            self.answers.append(Answer(waiting[0], day(n), waiting[0] not in wrong))
        return " ".join(asked)


def test_a_week() -> None:
    student = Student()
    assert student.spend(0, read=1, wrong=("a2",)) == "a1 a2 a3 a4", "four new ones a day"
    assert student.spend(1, read=1) == "a2 a5 a6", "what was wrong comes first, on the next day"
    assert student.spend(2, read=1) == ""
    assert next_day(BANK, student.answers, 1, day(2)) == day(3)
    # A chapter later: what is due of the first, then the new ones.
    assert student.spend(3, read=2, wrong=("a3",)) == "a1 a3 a4 b1 b2 b3"
    assert student.spend(4, read=2) == "a3 a2 a5 a6", "due on one day: the lower box first"
    assert student.spend(5, read=2) == ""
    assert student.spend(6, read=2) == "b1 b2 b3"
    assert student.spend(7, read=2) == "a3"
    boxes = {name: standing.box for name, standing in standings(student.answers).items()}
    assert boxes == {"a1": 3, "a2": 3, "a3": 3, "a4": 3, "a5": 3, "a6": 3, "b1": 3, "b2": 3, "b3": 3}
    assert student.spend(10, read=2) == "a1 a4", "a week after the third day"


def test_who_was_away_gets_what_is_longest_overdue_first_and_ten_a_day() -> None:
    student, bank = Student(), load()
    for n in range(3):  # twelve new ones, of which four were wrong
        new = student.asked(day(n), 1, bank)[-NEW:]
        student.answers += [Answer(name, day(n), n != 1) for name in new]
    late = 60
    asked = student.asked(day(late), 6, bank)
    assert len(asked) <= A_DAY
    known = standings(student.answers)
    due = [known[name].due for name in asked if name in known]
    assert due == sorted(due)
    new = [name for name in asked if name not in known]
    assert len(new) == NEW
    assert all(name.startswith("ch06") for name in new), "of the chapter that was read last"
    assert asked[-NEW:] == new


def test_nothing_is_asked_of_chapters_not_yet_read() -> None:
    assert Student().asked(day(0), read=0) == []
    assert set(Student().asked(day(0), read=1)) <= {name for name in NAMES if name.startswith("a")}
    assert next_day(BANK, [], 0, day(0)) is None


def test_a_later_chapter_leaves_the_new_questions_of_the_first_for_its_own_days() -> None:
    student = Student()
    student.spend(0, read=1)
    assert student.spend(1, read=2) == "b1 b2 b3 a5", "the chapter read last, then what is left over"


def test_the_waits_box_by_box() -> None:
    answers, today, waited = [], day(0), []
    for _ in range(7):
        answers.append(Answer("a1", today, True))
        due = standings(answers)["a1"].due
        waited.append((due - today).days)
        today = due
    assert waited == [*WAITS[1:], 28, 28, 28]


def test_a_wrong_answer_begins_again() -> None:
    answers = [Answer("a1", day(0), True), Answer("a1", day(3), True), Answer("a1", day(10), False)]
    assert standings(answers)["a1"] == Standing(box=1, due=day(11), asked=3, right=2)


def test_practising_early_gains_nothing_but_a_mistake_shows() -> None:
    answers = [Answer("a1", day(0), True)]
    before = standings(answers)["a1"]
    early = standings([*answers, Answer("a1", day(1), True)])["a1"]
    assert (early.box, early.due) == (before.box, before.due)
    mistaken = standings([*answers, Answer("a1", day(1), False)])["a1"]
    assert (mistaken.box, mistaken.due) == (1, day(2))


def test_a_clock_that_was_wrong_loses_nothing() -> None:
    answers = [Answer("a1", day(365), True), Answer("a1", day(0), True), Answer("a1", day(1), False)]
    assert standings(answers)["a1"] == Standing(box=1, due=day(2), asked=3, right=2)


def test_questions_that_are_gone_are_passed_over() -> None:
    answers = [Answer("gone", day(0), False)]
    assert Student().asked(day(1), 1) == [q.id for q in todays(BANK, answers, 1, day(1))]


@pytest.mark.parametrize(("n", "words"), [(0, "today"), (1, "tomorrow"), (3, "in 3 days, on 17 September")])
def test_days_in_words(n: int, words: str) -> None:
    assert in_words(day(n), MONDAY) == words


def test_a_term_fits_into_a_few_minutes_a_day() -> None:
    """A chapter a week, one answer in five wrong: how many questions a day, and what is left over."""
    student, bank = Student(), load()
    assert set(bank.chapters) == set(range(1, LAST_CHAPTER + 1))
    for n in range(7 * (LAST_CHAPTER + 2)):
        read = min(LAST_CHAPTER, 1 + n // 7)
        asked = student.asked(day(n), read, bank)
        assert len(asked) <= A_DAY
        for name in asked:
            student.answers.append(Answer(name, day(n), len(student.answers) % 5 != 4))
        assert student.asked(day(n), read, bank) == []
    assert set(standings(student.answers)) == set(bank.questions), (
        "all were asked within two weeks of the last chapter"
    )
