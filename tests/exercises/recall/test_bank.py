"""The questions: well-formed, with the numbers of their chapters, and judged rightly; a planted fault is found."""

import json
import re
import tomllib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from statistics import mean

import pytest

from course_lib.chapters.facts import MARKED, wrong_numbers
from course_lib.exercises.recall import bank as banks
from course_lib.exercises.recall import judge, load
from course_lib.exercises.recall.bank import Question, Wrong, faults, number_in, right_answer, shown

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted((banks.HERE / "questions").glob("*.toml"))
HELD = {path.name: tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES}
MISCONCEPTIONS = tomllib.loads((banks.HERE / "misconceptions.toml").read_text(encoding="utf-8"))
QUESTIONS = list(load().questions.values())
FIRST = "ch01.toml"
AMERICAN = re.compile(
    r"\b(?!(?:s|pr)iz)\w*(?:izes?|ized|izing|ization|color|behavior|center|neighbor)\w*\b", re.IGNORECASE
)


def notebook_of(chapter: int) -> dict:
    [path] = (ROOT / "notebooks").glob(f"{chapter:02}_*.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))


def printed(notebook: dict) -> str:
    """What the cells of a notebook printed."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return "\n".join("".join(o.get("text") or o.get("data", {}).get("text/plain", [])) for o in outputs)


def texts(held: object) -> list[str]:
    """All texts of a file, as they are written there."""
    if isinstance(held, str):
        return [held]
    entries = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
    return [text for entry in entries for text in texts(entry)]


# ---- the bank as it is ----


def test_the_bank_is_well_formed() -> None:
    assert list(faults(HELD, MISCONCEPTIONS)) == []


def test_every_chapter_has_twelve_questions_or_more() -> None:
    counts = {chapter: len(load().of_chapter(chapter)) for chapter in load().chapters}
    assert set(counts) == set(range(1, banks.LAST_CHAPTER + 1))
    assert min(counts.values()) >= 12
    assert len(QUESTIONS) >= 150


@pytest.mark.parametrize("file", HELD)
def test_numbers_are_those_that_the_notebook_printed(file: str) -> None:
    told = "\n".join(texts(HELD[file]))
    cells = printed(notebook_of(HELD[file]["chapter"]))
    assert wrong_numbers(told, cells) == []
    assert len(MARKED.findall(told)) == told.count("<!--"), "a name stands behind no number"


def test_a_wrong_number_is_found() -> None:
    told = "\n".join(texts(HELD["ch05.toml"])).replace("25<!-- two_ok", "26<!-- two_ok", 1)
    assert wrong_numbers(told, printed(notebook_of(5))) == ["26 is named two_ok, which is 25"]


@pytest.mark.parametrize("chapter", load().chapters)
def test_each_question_names_a_section_of_its_chapter(chapter: int) -> None:
    notebook = notebook_of(chapter)
    prose = "\n".join(
        "".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"
    )
    sections = set(map(int, re.findall(r"^## (\d+)\. ", prose, flags=re.MULTILINE)))
    assert {question.section for question in load().of_chapter(chapter)} <= sections


def test_the_right_option_does_not_show_by_its_length() -> None:
    choices = [question for question in QUESTIONS if question.kind == "choice"]
    assert len(choices) > 40

    def is_most(question: Question, which: Callable[..., int]) -> bool:
        return len(question.right) == which(
            len(question.right), *(len(wrong.text) for wrong in question.wrong)
        )

    options = mean(1 / (1 + len(question.wrong)) for question in choices)
    assert mean(is_most(question, max) for question in choices) < options + 0.15
    assert mean(is_most(question, min) for question in choices) < options + 0.15
    for chapter in load().chapters:
        own = [question for question in choices if question.chapter == chapter]
        assert max(mean(is_most(question, which) for question in own) for which in (min, max)) <= 0.6, chapter


def test_the_right_option_does_not_show_by_its_full_stop() -> None:
    for question in (question for question in QUESTIONS if question.kind == "choice"):
        ends = {text.endswith(".") for text in (question.right, *(wrong.text for wrong in question.wrong))}
        assert len(ends) == 1, question.id


def test_the_words_are_plain_and_british() -> None:
    for text in [text for held in HELD.values() for text in texts(held)] + texts(MISCONCEPTIONS):
        assert not AMERICAN.search(text), text
        assert "'" not in text, f"a straight apostrophe: {text}"
        assert text.count("*") % 2 == 0, text
        assert "  " not in text, text


def test_no_sentence_is_much_too_long() -> None:
    for text in texts(HELD):
        for sentence in re.split(r"(?<=[.?!:;])\s", banks.MARKER.sub("", text)):
            assert len(sentence.split()) <= 36, sentence


def test_a_reader_sees_no_names_of_numbers() -> None:
    for question in QUESTIONS:
        seen = [question.ask, question.because, question.right, *question.lines]
        seen += [part for wrong in question.wrong for part in (wrong.text, wrong.says)]
        assert not any("<!--" in text for text in seen)


# ---- planted faults ----


def first(held: dict, kind: str) -> dict:
    """The first question of a kind in the first file."""
    return next(raw for raw in held[FIRST]["question"] if raw["kind"] == kind)


PLANTED = {
    "kind is 'riddle'": lambda held: first(held, "choice").update(kind="riddle"),
    "missing, or of no use to a choice: unit": lambda held: first(held, "choice").update(unit="m"),
    "missing, or of no use to a number: tolerance": lambda held: first(held, "number").pop("tolerance"),
    "section is not the number": lambda held: first(held, "choice").update(section="2"),
    "ask does not end": lambda held: first(held, "choice").update(ask="What happens then"),
    "because is no sentence": lambda held: first(held, "choice").update(because="  "),
    "expected an id such as ch01-": lambda held: first(held, "choice").update(id="ch02-reach"),
    "this id is there twice": lambda held: first(held, "choice").update(id=first(held, "order")["id"]),
    "'no-such' is not in the list": lambda held: first(held, "choice")["wrong"][0].update(
        misconception="no-such"
    ),
    "has no sentence of its own": lambda held: first(held, "order")["wrong"][0].update(says=""),
    "are told the same": lambda held: first(held, "choice")["wrong"][0].update(
        says=first(held, "choice")["wrong"][1]["says"]
    ),
    "a wrong answer has misconception, says": lambda held: first(held, "choice")["wrong"][0].pop("text"),
    "an option is empty": lambda held: first(held, "choice")["wrong"][0].update(text=" "),
    "two options are the same": lambda held: first(held, "choice")["wrong"][0].update(
        text=first(held, "choice")["right"]
    ),
    "an option speaks of the others": lambda held: first(held, "choice")["wrong"][0].update(
        text="None of these."
    ),
    "1 wrong options": lambda held: first(held, "choice").update(wrong=first(held, "choice")["wrong"][:1]),
    "must be numbers": lambda held: first(held, "number").update(answer="8"),
    "tolerance is negative": lambda held: first(held, "number").update(tolerance=-1),
    "cannot be told from another": lambda held: first(held, "number")["wrong"][0].update(value=8),
    "no wrong number is foreseen": lambda held: first(held, "number").update(wrong=[]),
    "expected 3 to 6 lines": lambda held: first(held, "order").update(lines=["a", "b"]),
    "two lines are the same": lambda held: first(held, "order").update(lines=["a", "b", "a"]),
    "expected a line that is later": lambda held: first(held, "order")["wrong"][0].update(puts=[0, 2]),
    "no wrong order is foreseen": lambda held: first(held, "order").update(wrong=[]),
    "11 questions, expected 12": lambda held: held[FIRST].update(question=held[FIRST]["question"][:11]),
    "expected questions of each kind": lambda held: held[FIRST].update(
        question=[raw for raw in held[FIRST]["question"] if raw["kind"] != "order"]
    ),
    "which does not fit the file's name": lambda held: held[FIRST].update(chapter=2),
    "expected chapter, title and": lambda held: held[FIRST].update(author="somebody"),
}


@pytest.mark.parametrize("message", PLANTED)
def test_a_planted_fault_is_found(message: str) -> None:
    held = deepcopy(HELD)
    PLANTED[message](held)
    assert any(message in fault for fault in faults(held, MISCONCEPTIONS)), list(faults(held, MISCONCEPTIONS))


def test_a_misconception_that_nothing_uses_or_that_is_no_sentence_is_found() -> None:
    found = list(faults(HELD, {**MISCONCEPTIONS, "unused-one": "Nobody believes it.", "Odd": ""}))
    assert found == [
        "misconceptions.toml: Odd: expected a name of small letters and hyphens, and a sentence",
        "misconceptions.toml: unused-one: no question uses it",
        "misconceptions.toml: Odd: no question uses it",
    ]


def test_files_that_are_not_well_formed_are_refused_with_their_faults(tmp_path: Path) -> None:
    (tmp_path / "questions").mkdir()
    (tmp_path / "misconceptions.toml").write_text('some-thing = "A belief."\n', encoding="utf-8")
    (tmp_path / "questions" / "ch01.toml").write_text("chapter = 1\nchapter = 2\n", encoding="utf-8")
    with pytest.raises(banks.BankError, match=r"ch01\.toml: "):
        load(tmp_path)
    (tmp_path / "questions" / "ch01.toml").write_text('chapter = 1\ntitle = "T"\nquestion = []\n')
    with pytest.raises(banks.BankError, match="0 questions, expected 12 or more"):
        load(tmp_path)


# ---- answers ----


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_the_right_answer_is_right_and_each_wrong_one_is_told_its_own_sentence(question: Question) -> None:
    right = {"choice": question.right, "number": question.answer, "order": question.lines}[question.kind]
    assert judge(question, right).right
    assert right_answer(question)
    for wrong in question.wrong:
        lines = list(question.lines)
        if question.kind == "order":  # the mistake alone: the later line is put right before the earlier one
            lines.insert(wrong.puts[1], lines.pop(wrong.puts[0]))
        given = {"choice": wrong.text, "number": wrong.value, "order": lines}[question.kind]
        verdict = judge(question, given)
        assert not verdict.right
        told = [each.says for each in question.wrong]
        assert verdict.says == wrong.says if question.kind != "order" else verdict.says in told
        assert verdict.misconception in MISCONCEPTIONS


def test_every_order_but_the_right_one_that_exchanges_neighbours_is_told_something() -> None:
    """Else some mistake has no sentence."""
    for question in (question for question in QUESTIONS if question.kind == "order"):
        for n in range(len(question.lines) - 1):
            lines = list(question.lines)
            lines[n], lines[n + 1] = lines[n + 1], lines[n]
            verdict = judge(question, lines)
            assert not verdict.right
            assert verdict.says, f"{question.id}: line {n + 1} before line {n}"


def test_a_wrong_answer_that_nobody_foresaw_is_wrong_and_names_nothing() -> None:
    reach = load().questions["ch01-reach"]
    verdict = judge(reach, 7.0)
    assert (verdict.right, verdict.says, verdict.misconception) == (False, "", "")


def test_the_tolerance_holds_at_its_ends() -> None:
    question = Question(
        "q", "number", 1, 1, "?", ".", (Wrong("No.", "m", value=2.0),), answer=0.79, tolerance=0.01
    )
    assert [judge(question, number).right for number in (0.779, 0.78, 0.80, 0.801)] == [
        False,
        True,
        True,
        False,
    ]


def test_options_and_lines_come_in_another_order_each_time_and_the_same_for_the_same_turn() -> None:
    for question in QUESTIONS:
        if question.kind == "number":
            continue
        orders = {tuple(shown(question, turn)) for turn in range(20)}
        assert len(orders) > 1
        assert shown(question, 3) == shown(question, 3)
        if question.kind == "order":
            assert question.lines not in orders
    choices = [question for question in QUESTIONS if question.kind == "choice"]
    places = [shown(question).index(question.right) for question in choices]
    assert max(map(places.count, set(places))) < 0.6 * len(places), (
        "the right option is not always the same letter"
    )


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("8", 8), ("8 words", 8), (" 0.79 s", 0.79), ("0,79", 0.79), ("85%", 85), ("85 %", 85), ("−6.75", -6.75),
        ("-1", -1), ("1,815", 1815), ("1,815.5", 1815.5), ("3/4", 0.75), ("8/9", 8 / 9), ("0,640", 0.64),
        ("", None), ("eight", None), ("1/0", None), ("1.2.3", None), ("8 or 9", None), (".", None), ("1e5", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text: str, number: float | None) -> None:
    assert number_in(text) == number
