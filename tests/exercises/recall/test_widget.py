"""`recall()` in a notebook, from the kernel's side; `tests/browser/test_recall.py` is at its keyboard."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from course_lib.exercises.recall import Answer, Store, load, recall
from course_lib.exercises.recall.widget import STILL, Recall
from course_lib.figures.palette import PALETTE

BANK = load()
MONDAY = date(2026, 9, 14)


class Clock:
    """Says the day that it was set to."""

    def __init__(self) -> None:
        self.day = MONDAY

    def __call__(self) -> date:
        return self.day


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "work")


def words(runs: list) -> str:
    return "".join(piece for piece, _ in runs)


def given(control: Recall, right: bool = True) -> object:
    """The reply of a reader who answers rightly or in a foreseen wrong way, from what is shown."""
    question = BANK.questions[control.view["question"]]
    plain = [words(option) for option in control.view["options"]]

    def at(text: str) -> int:
        return plain.index(text.replace("*", ""))

    if question.kind == "number":
        return str(question.answer if right else question.wrong[0].value)
    if question.kind == "choice":
        return at(question.right if right else question.wrong[0].text)
    lines = list(question.lines)
    if not right:
        lines.insert(question.wrong[0].puts[1], lines.pop(question.wrong[0].puts[0]))
    return [at(line) for line in lines]


def answer(control: Recall, right: bool = True) -> None:
    control.reply = {"do": "answer", "question": control.view["question"], "answer": given(control, right)}


def go_on(control: Recall) -> None:
    control.reply = {"do": "next", "count": control.view["number"]}


def test_showing_it_writes_nothing(store: Store) -> None:
    control = Recall(BANK, store, read=1)
    data, _ = control._repr_mimebundle_()
    assert not store.folder.exists()
    assert control.view["step"] == "ask"
    assert data["text/plain"].startswith("Today’s questions.")


def test_a_day_to_its_end(store: Store) -> None:
    control = Recall(BANK, store, read=1, clock=Clock())
    for n in range(4):
        assert control.view["step"] == "ask"
        assert f"{3 - n} more today" in control.view["place"] or n == 3
        question = control.view["question"]
        answer(control, right=n != 1)
        view = control.view
        assert (view["step"], view["is_right"]) == ("told", n != 1)
        assert words(view["because"]) == BANK.questions[question].because.replace("*", "")
        assert bool(view["says"]) == (n == 1)
        go_on(control)
    assert control.view["step"] == "done"
    assert words(control.view["text"]).startswith("3 of 4 right. Nothing more today.")
    kept = store.load()
    assert [one.right for one in kept.answers] == [True, False, True, True]
    assert kept.read == 1


def test_answers_are_not_sent_before_the_question_is_answered(store: Store) -> None:
    control = Recall(BANK, store, read=1)
    shown = "title news number step question turn place kind ask options unit problem given"
    assert set(control.view) == set(shown.split())


@pytest.mark.parametrize("kind", ["choice", "number", "order"])
def test_each_kind(store: Store, kind: str) -> None:
    control, seen = Recall(BANK, store, read=1, clock=Clock()), 0
    for right in (False, True):
        control._session.chapter = 1
        control._session._passed = {q.id for q in BANK.of_chapter(1) if q.kind != kind}
        control._go_on()
        assert control.view["kind"] == kind
        answer(control, right)
        assert control.view["is_right"] is right
        seen += 1
    assert seen == len(store.load().answers)


def test_what_cannot_be_read_is_asked_again(store: Store) -> None:
    control = Recall(BANK, store, read=1)
    control._session._passed = {q.id for q in BANK.of_chapter(1) if q.kind != "number"}
    control._session.chapter = 1
    control._go_on()
    control.reply = {"do": "answer", "question": control.view["question"], "answer": "many"}
    assert control.view["step"] == "ask"
    assert "Write a number" in control.view["problem"]
    assert control.view["given"] == "many"
    assert store.load().answers == ()


def test_later_keeps_nothing_and_goes_on(store: Store) -> None:
    control = Recall(BANK, store, read=1, clock=Clock())
    for _ in range(4):
        control.reply = {"do": "later", "question": control.view["question"]}
    assert control.view["step"] == "done"
    assert "put off are still there" in words(control.view["text"])
    assert store.load().answers == ()


def test_a_second_view_that_is_behind_changes_nothing(store: Store) -> None:
    control = Recall(BANK, store, read=1, clock=Clock())
    first, reply = control.view["question"], given(control)
    answer(control)
    go_on(control)
    second = control.view["question"]
    control.reply = {"do": "answer", "question": first, "answer": reply, "count": 99}
    assert control.view["question"] == second
    assert control.view["step"] == "ask"
    control.reply = {"do": "next", "count": 100}
    assert control.view["question"] == second
    assert len(store.load().answers) == 1


def test_two_tabs_share_one_store(store: Store) -> None:
    clock = Clock()
    one, other = (Recall(BANK, store, read=1, clock=clock) for _ in range(2))
    assert one.view["question"] == other.view["question"]
    answer(one)
    go_on(one)
    answer(one)  # the second question
    answer(other)  # the first, once more: it was on the screen
    go_on(other)
    assert other.view["question"] not in {each.question for each in store.load().answers}
    assert len(store.load().answers) == 3


def test_the_next_days(store: Store) -> None:
    clock = Clock()
    for n, expected in enumerate((4, 4, 4)):
        clock.day = MONDAY + timedelta(days=n)
        control, asked = Recall(BANK, store, read=1, clock=clock), 0
        while control.view["step"] == "ask":
            answer(control)
            go_on(control)
            asked += 1
        assert asked == expected


def test_a_damaged_file_is_told_in_the_control(store: Store) -> None:
    store.add(Answer("ch01-reach", MONDAY, True), read=1)
    store.path.write_text("{")
    control = Recall(BANK, store, read=1)
    assert "recall-damaged-1.json" in control.view["news"]
    answer(control)
    assert control.view["news"] == "", "it is told once"
    assert len(store.load().answers) == 1


def test_what_cannot_be_saved_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    control = Recall(BANK, store, read=1)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "add", full)
    answer(control)
    assert "could not be saved" in words(control.view["text"])
    assert "No space left on device" in words(control.view["text"])


def test_before_any_chapter_is_read_it_says_how_to_begin(store: Store) -> None:
    control = Recall(BANK, store)
    assert control.view["step"] == "done"
    assert "recall(read=1)" in words(control.view["text"])
    with pytest.raises(ValueError, match="expected the number of a chapter"):
        Recall(BANK, store, read=15)


def test_the_still_makes_sense_without_a_kernel_and_says_nothing_of_the_student(store: Store) -> None:
    control = Recall(BANK, store, read=1, clock=Clock())
    before = control._repr_mimebundle_()
    answer(control, right=False)
    assert control._repr_mimebundle_() == before
    html = before[0]["text/html"]
    assert "<strong>Today’s questions</strong>" in html
    assert "<code>course recall</code>" in html
    assert "on your machine only" in html
    assert "work/recall.json" in STILL
    assert not any(question.ask[:30] in html for question in BANK.questions.values())


def test_its_colours_are_the_palettes_for_light_and_dark() -> None:
    style = Recall._css if isinstance(Recall._css, str) else str(Recall._css)
    for theme in ("light", "dark"):
        for name in ("ink", "paper", "query", "output", "weight", "focus"):
            assert f"--recall-{name}: {PALETTE[theme][name]};" in style
    used = set(re.findall(r"var\(--recall-(\w+)\)", style))
    assert used <= set(PALETTE["light"]) - {"series"}


def test_recall_finds_the_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "assignments").mkdir()
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    control = recall(read=2)
    assert BANK.questions[control.view["question"]].chapter == 2
    assert not (tmp_path / "work").exists()
