"""The questions: what they are, how they are read from their files, and whether an answer is right.

A chapter's questions are a file in `questions/`; `misconceptions.toml` is the one list that wrong answers are tied to.
Words between asterisks are set in italics. A number of a chapter carries the name that its notebook prints it by,
`25<!-- two_ok -->`: tests compare the two, and readers do not see the name.
"""

from __future__ import annotations

import math
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LAST_CHAPTER = 14
FEWEST = 12  # questions of a chapter
MARKER = re.compile(r"\s?<!--.*?-->")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_COMMON = {"id", "kind", "section", "ask", "because", "wrong"}
_FIELDS = {
    "choice": _COMMON | {"right"},
    "number": _COMMON | {"answer", "tolerance", "unit"},
    "order": _COMMON | {"lines"},
}
_OF_WRONG = {"choice": "text", "number": "value", "order": "puts"}


class BankError(ValueError):
    """The files of questions are not well-formed; the message has a line for each fault."""


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that was foreseen, and what is said to who gives it.

    Attributes
    ----------
    says : str
        A sentence of its own.
    misconception : str
        A name of the list.
    text : str
        The option, where there is a choice.
    value : float
        The number, where one is asked for.
    puts : (int, int)
        Two lines, by their numbers in the right order from 0: the mistake puts the first of them before the second.
    """

    says: str
    misconception: str
    text: str = ""
    value: float = math.nan
    puts: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Question:
    """A question of a chapter.

    Attributes
    ----------
    id : str
        Never changed, since answers are kept by it.
    kind : {"choice", "number", "order"}
    chapter, section : int
        Where the chapter shows it.
    ask, because : str
        The question, and why the right answer is right.
    wrong : tuple of Wrong
    right : str
        The right option.
    answer, tolerance : float
        The number, and how far from it is right.
    unit : str
    lines : tuple of str
        In the right order.
    """

    id: str
    kind: str
    chapter: int
    section: int
    ask: str
    because: str
    wrong: tuple[Wrong, ...]
    right: str = ""
    answer: float = math.nan
    tolerance: float = 0.0
    unit: str = ""
    lines: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where the chapter shows it, in words."""
        return f"Chapter {self.chapter:02}, section {self.section}"


@dataclass(frozen=True)
class Bank:
    """All questions, in the order of the chapters.

    Attributes
    ----------
    questions : mapping from id to Question
    chapters : mapping from number to title
        Those that have questions.
    misconceptions : mapping from name to sentence
    """

    questions: Mapping[str, Question]
    chapters: Mapping[int, str]
    misconceptions: Mapping[str, str]

    def of_chapter(self, chapter: int) -> list[Question]:
        """Return the questions of one chapter."""
        return [question for question in self.questions.values() if question.chapter == chapter]


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and what to say to it.

    Attributes
    ----------
    right : bool
    says : str
        About this answer; "" if it is right, or if nobody foresaw it.
    misconception : str
        "" in the same cases.
    """

    right: bool
    says: str = ""
    misconception: str = ""


@cache
def load(folder: Path = HERE) -> Bank:
    """Read and check all questions.

    Parameters
    ----------
    folder : Path
        It holds `misconceptions.toml` and `questions/ch01.toml` and so on.

    Raises
    ------
    BankError
        If something in them is not well-formed.

    Examples
    --------
    >>> bank = load()
    >>> bank.questions["ch01-reach"].answer
    8.0
    >>> judge(bank.questions["ch01-reach"], 2.0).says[:18]
    'That is one layer.'
    """
    misconceptions = _read(folder / "misconceptions.toml")
    files = {path.name: _read(path) for path in sorted((folder / "questions").glob("*.toml"))}
    found = list(faults(files, misconceptions))
    if found:
        raise BankError("\n".join(found))
    questions = {
        raw["id"]: _question(raw, chapter["chapter"])
        for chapter in files.values()
        for raw in chapter["question"]
    }
    return Bank(questions, {each["chapter"]: each["title"] for each in files.values()}, misconceptions)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BankError(f"{path.name}: {error}") from None


def _question(raw: Mapping[str, Any], chapter: int) -> Question:
    def text(name: str) -> str:
        return MARKER.sub("", raw.get(name, ""))

    return Question(
        raw["id"],
        raw["kind"],
        chapter,
        raw["section"],
        text("ask"),
        text("because"),
        tuple(map(_wrong, raw["wrong"])),
        text("right"),
        float(raw.get("answer", math.nan)),
        float(raw.get("tolerance", 0)),
        text("unit"),
        tuple(MARKER.sub("", line) for line in raw.get("lines", ())),
    )


def _wrong(raw: Mapping[str, Any]) -> Wrong:
    first, second = raw.get("puts", (0, 0))
    text = MARKER.sub("", raw.get("text", ""))
    value = float(raw.get("value", math.nan))
    return Wrong(MARKER.sub("", raw["says"]), raw["misconception"], text, value, (first, second))


# ---- answers ----


def judge(question: Question, answer: str | float | Sequence[str]) -> Verdict:
    """Say whether an answer is right.

    Parameters
    ----------
    question : Question
    answer : str, float or sequence of str
        The option that was chosen; the number; the lines in the order they were put in.
    """
    if question.kind == "choice":
        if answer == question.right:
            return Verdict(True)
        return _told(wrong for wrong in question.wrong if wrong.text == answer)
    if question.kind == "number":
        assert isinstance(answer, float)
        if is_near(answer, question.answer, question.tolerance):
            return Verdict(True)
        return _told(wrong for wrong in question.wrong if is_near(answer, wrong.value, question.tolerance))
    assert not isinstance(answer, float)
    if tuple(answer) == question.lines:
        return Verdict(True)
    place = {line: n for n, line in enumerate(answer)}
    before = [place[line] for line in question.lines]  # where each line of the right order was put
    return _told(wrong for wrong in question.wrong if before[wrong.puts[0]] < before[wrong.puts[1]])


def _told(found: Iterator[Wrong]) -> Verdict:
    wrong = next(found, None)
    return Verdict(False, wrong.says, wrong.misconception) if wrong else Verdict(False)


def is_near(number: float, wanted: float, tolerance: float) -> bool:
    """Whether a number is right, with some room for how computers keep decimals.

    Examples
    --------
    >>> is_near(0.8, 0.79, 0.01), is_near(0.81, 0.79, 0.01)
    (True, False)
    """
    return abs(number - wanted) <= tolerance + 1e-9 * max(1.0, abs(wanted))


def shown(question: Question, turn: int = 0) -> list[str]:
    """Return the options or lines in the order in which they are shown: another at each turn, never the right order.

    Parameters
    ----------
    question : Question
    turn : int
        How often it was asked before.
    """
    rng = random.Random(f"{question.id} {turn}")
    if question.kind == "choice":
        options = [question.right, *(wrong.text for wrong in question.wrong)]
        rng.shuffle(options)
        return options
    lines = list(question.lines)
    while tuple(lines) == question.lines and len(lines) > 1:
        rng.shuffle(lines)
    return lines


def right_answer(question: Question) -> str:
    """Return the right answer in words."""
    if question.kind == "choice":
        return question.right
    if question.kind == "order":
        return "; ".join(question.lines)
    about = "" if question.tolerance == 0 or question.answer.is_integer() else "about "
    space = "" if not question.unit else " "
    return f"{about}{question.answer:.4g}{space}{question.unit}"


def number_in(text: str) -> float | None:
    """Return the number that somebody wrote, or None: 1,024 is a thousand, 0,5 a half, 3/4 a quotient, 50 % is 50.

    Examples
    --------
    >>> [number_in(text) for text in ("0.5", "0,5", "1,024", "3/4", "50 %", "−2 words", "two")]
    [0.5, 0.5, 1024.0, 0.75, 50.0, -2.0, None]
    """
    found = re.fullmatch(
        r"([-+]?[\d.,]+(?:/[\d.,]+)?)\s*(?:%|[^\W\d_][^\d]*)?", text.strip().replace("−", "-")
    )
    if not found:
        return None
    try:
        parts = [_decimal(part) for part in found[1].split("/")]
        number = parts[0] / parts[1] if len(parts) == 2 else parts[0]
    except (ValueError, ZeroDivisionError):
        return None
    return number if math.isfinite(number) else None


def _decimal(text: str) -> float:
    if re.fullmatch(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", text):
        return float(text.replace(",", ""))
    return float(text.replace(",", "."))


# ---- what is wrong with the files ----


def faults(files: Mapping[str, Mapping[str, Any]], misconceptions: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is not well-formed, a line each.

    Parameters
    ----------
    files : mapping from file name to what it holds
    misconceptions : mapping from name to sentence
    """
    for name, sentence in misconceptions.items():
        if not _NAME.fullmatch(name) or not _is_sentence(sentence):
            yield f"misconceptions.toml: {name}: expected a name of small letters and hyphens, and a sentence"
    ids, used, numbers = set[str](), set[str](), set[int]()
    for file, held in files.items():
        chapter, questions = held.get("chapter"), held.get("question", [])
        if not isinstance(chapter, int) or not 1 <= chapter <= LAST_CHAPTER or file != f"ch{chapter:02}.toml":
            yield f"{file}: chapter is {chapter!r}, which does not fit the file's name"
            continue
        if chapter in numbers or set(held) != {"chapter", "title", "question"} or not _is_text(held["title"]):
            yield f"{file}: expected chapter, title and [[question]], and no more"
            continue
        numbers.add(chapter)
        if len(questions) < FEWEST:
            yield f"{file}: {len(questions)} questions, expected {FEWEST} or more"
        if {str(raw.get("kind")) for raw in questions} != set(_FIELDS):
            yield f"{file}: expected questions of each kind: {', '.join(_FIELDS)}"
        for raw in questions:
            where = f"{file}: {raw.get('id')}"
            identity = raw.get("id")
            if not isinstance(identity, str) or not re.fullmatch(
                rf"ch{chapter:02}-{_NAME.pattern}", identity
            ):
                yield f"{where}: expected an id such as ch{chapter:02}-a-few-words"
            elif identity in ids:
                yield f"{where}: this id is there twice"
            ids.add(str(identity))
            found = list(_faults_of(raw, misconceptions))
            yield from (f"{where}: {fault}" for fault in found)
            if not found:
                used |= {wrong["misconception"] for wrong in raw["wrong"]}
    for name in misconceptions:
        if ids and name not in used:
            yield f"misconceptions.toml: {name}: no question uses it"


def _faults_of(raw: Mapping[str, Any], misconceptions: Mapping[str, Any]) -> Iterator[str]:
    kind = raw.get("kind")
    if kind not in _FIELDS:
        yield f"kind is {kind!r}, expected one of {', '.join(_FIELDS)}"
        return
    if set(raw) != _FIELDS[kind]:
        wrong_fields = sorted(set(raw) ^ _FIELDS[kind])
        yield f"missing, or of no use to a {kind}: {', '.join(wrong_fields)}"
        return
    if not isinstance(raw["section"], int) or raw["section"] < 1:
        yield "section is not the number of a section"
    if not _is_text(raw["ask"]) or not raw["ask"].rstrip(")").endswith(("?", ".")):
        yield "ask does not end as a question or a sentence does"
    if not _is_sentence(raw["because"]):
        yield "because is no sentence"
    wrong = raw["wrong"]
    own = _OF_WRONG[kind]
    if not isinstance(wrong, list) or not all(isinstance(each, dict) for each in wrong):
        yield "wrong is not a list of wrong answers"
        return
    for each in wrong:
        if set(each) != {own, "misconception", "says"}:
            yield f"a wrong answer has {', '.join(sorted(each))}: expected {own}, misconception, says"
            return
        if each["misconception"] not in misconceptions:
            yield f"{each['misconception']!r} is not in the list of misconceptions"
        if not _is_sentence(each["says"]):
            yield f"a wrong answer has no sentence of its own: {each['says']!r}"
    said = [each["says"] for each in wrong]
    if len(set(said)) < len(said) or raw["because"] in said:
        yield "two wrong answers are told the same"
    yield from {"choice": _choice_faults, "number": _number_faults, "order": _order_faults}[kind](raw)


def _choice_faults(raw: Mapping[str, Any]) -> Iterator[str]:
    options = [raw["right"], *(wrong["text"] for wrong in raw["wrong"])]
    if not all(map(_is_text, options)):
        yield "an option is empty"
    elif len({option.lower().rstrip(".") for option in options}) < len(options):
        yield "two options are the same"
    elif any(re.search(r"\b(all|none|both) of (the above|these)\b", option.lower()) for option in options):
        yield "an option speaks of the others: their order is drawn anew each time"
    if not 2 <= len(raw["wrong"]) <= 4:
        yield f"{len(raw['wrong'])} wrong options, expected 2 to 4"


def _number_faults(raw: Mapping[str, Any]) -> Iterator[str]:
    numbers = [raw["answer"], raw["tolerance"], *(wrong["value"] for wrong in raw["wrong"])]
    if any(isinstance(number, bool) or not isinstance(number, int | float) for number in numbers):
        yield "answer, tolerance and the wrong values must be numbers"
        return
    if not all(map(math.isfinite, numbers)) or raw["tolerance"] < 0:
        yield "a number is not finite, or the tolerance is negative"
    if not isinstance(raw["unit"], str):
        yield "unit is no text"
    values = [raw["answer"], *(wrong["value"] for wrong in raw["wrong"])]
    for n, value in enumerate(values):
        if any(is_near(value, other, 2 * raw["tolerance"]) for other in values[:n]):
            yield f"{value} cannot be told from another of the answers, with this tolerance"
    if not raw["wrong"]:
        yield "no wrong number is foreseen"


def _order_faults(raw: Mapping[str, Any]) -> Iterator[str]:
    lines = raw["lines"]
    if not isinstance(lines, list) or not all(map(_is_text, lines)) or not 3 <= len(lines) <= 6:
        yield "expected 3 to 6 lines"
        return
    if len(set(lines)) < len(lines):
        yield "two lines are the same"
    for wrong in raw["wrong"]:
        puts = wrong["puts"]
        is_pair = isinstance(puts, list) and len(puts) == 2 and all(n in range(len(lines)) for n in puts)
        if not is_pair or puts[0] <= puts[1]:
            yield f"puts is {puts}: expected a line that is later in the right order, then an earlier one"
    if not raw["wrong"]:
        yield "no wrong order is foreseen"


def _is_text(text: Any) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _is_sentence(text: Any) -> bool:
    return _is_text(text) and MARKER.sub("", text).rstrip("*)").endswith((".", "?", "!"))
