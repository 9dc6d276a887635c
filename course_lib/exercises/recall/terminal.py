"""Today's questions in a terminal, by the keyboard alone."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from datetime import date
from string import ascii_lowercase

from course_lib.exercises.recall.bank import LAST_CHAPTER, Bank, Question, number_in
from course_lib.exercises.recall.session import Session, Told
from course_lib.exercises.recall.spacing import WAITS, in_words, next_day, standings, todays
from course_lib.exercises.recall.store import Kept, by_chapter

WIDEST = 88
HOW = {
    "choice": "Type the letter of an answer, then Enter.",
    "number": "Type a number, then Enter: 0.5, 1/2 and 1,024 are all read.",
    "order": "Type all letters in the right order, such as 'cab', then Enter.",
}
ALWAYS = "Enter alone puts the question off. Ctrl-C or Ctrl-D ends; what you have answered is saved."


def ask(session: Session) -> None:
    """Ask one question after the other, until nothing is left.

    Raises
    ------
    KeyboardInterrupt, EOFError
        If the student ends it. All answers until then are kept.
    """
    while question := session.next():
        _say_news(session)
        more = f", {session.left - 1} more today" if session.left > 1 and not session.chapter else ""
        print(f"\n{question.place}. Question {session.number}{more}.\n")
        _say(question.ask)
        answer = _answer_to(question, session.shown())
        if answer is None:
            session.later()
            continue
        _tell(session.answer(answer), question)
    _say_news(session)
    print()
    _say(session.ending())


def _say_news(session: Session) -> None:
    if news := session.store.news():
        print()
        _say(news)


def _tell(told: Told, question: Question) -> None:
    print()
    _say(f"{'✓' if told.verdict.right else '✗'} {told.heading} {told.verdict.says}".rstrip())
    if not told.verdict.right:
        if question.kind == "order":
            _say("In order:")
            for line in question.lines:
                _say(line, indent="    ")
        else:
            end = "" if told.right.endswith((".", "?", "!")) else "."
            _say(f"The answer: {told.right}{end}")
    print()
    _say(told.because)
    _say(f"This question comes again {told.again}.")


def _answer_to(question: Question, options: Sequence[str]) -> str | float | list[str] | None:
    """Ask until there is an answer that can be read; None puts it off."""
    letters = ascii_lowercase[: len(options)]
    if question.kind != "number":
        print()
        for letter, option in zip(letters, options, strict=True):
            _say(option, indent=f"  {letter}  ")
    prompt = {
        "choice": f"{', '.join(letters[:-1])} or {letters[-1:]}",
        "number": f"a number ({question.unit})" if question.unit else "a number",
        "order": f"the letters {letters} in order",
    }[question.kind]
    print()
    while True:
        typed = input(f"{prompt}: ").strip().lower()
        if not typed:
            return None
        answer = _read(question, typed, dict(zip(letters, options, strict=True)))
        if answer is not None:
            return answer
        _say(f"{HOW[question.kind]} {ALWAYS}")


def _read(question: Question, typed: str, options: dict[str, str]) -> str | float | list[str] | None:
    """Return the answer that was typed, or None if it is none."""
    if question.kind == "number":
        return number_in(typed)
    letters = re.sub(r"[\s,.;>)-]+", "", typed)
    if question.kind == "choice":
        return options.get(letters)
    if sorted(letters) != sorted(options):
        return None
    return [options[letter] for letter in letters]


def ask_what_was_read(bank: Bank) -> int:
    """Ask which chapter was read last; 0 if none."""
    print("Which chapter have you read last? Questions come from it and from those before it.")
    while True:
        typed = input(f"1 to {LAST_CHAPTER}, or Enter if none yet: ").strip()
        if not typed:
            return 0
        if typed.isdecimal() and 1 <= int(typed) <= LAST_CHAPTER:
            return int(typed)
        print(f"Type the number of a chapter, such as {min(bank.chapters)}.")


def status(bank: Bank, kept: Kept, day: date) -> str:
    """Say where all questions stand, in a few lines.

    Parameters
    ----------
    bank : Bank
    kept : Kept
    day : date
        Today.
    """
    if not kept.read:
        return "No chapter is marked as read yet: `course recall --read 1`, once you have read chapter 01."
    lines = [f"Read so far: chapter 01 to {kept.read:02}." if kept.read > 1 else "Read so far: chapter 01."]
    waiting = todays(bank, kept.answers, kept.read, day)
    if waiting:
        lines.append(f"Today: {len(waiting)} question{'s' * (len(waiting) > 1)}.")
    elif more := next_day(bank, kept.answers, kept.read, day):
        lines.append(f"Nothing more today. The next questions come {in_words(more, day)}.")
    boxes = [each.box for name, each in standings(kept.answers).items() if name in bank.questions]
    lines += ["", "box   asked again after   questions"]
    for box, wait in enumerate(WAITS, start=1):
        n = boxes.count(box)
        lines.append(f"{box:3}   {f'{wait} day' + 's' * (wait > 1):17}   {n:3}  {'█' * n}".rstrip())
    lines += ["", "chapter   asked      right the last time"]
    for chapter, (n, asked, right) in by_chapter(bank, kept).items():
        if chapter <= kept.read or asked:
            lines.append(f"{chapter:7}   {asked:2} of {n:2}   {right:2}")
    return "\n".join(lines)


def _say(text: str, indent: str = "  ") -> None:
    width = min(WIDEST, shutil.get_terminal_size().columns)
    told = textwrap.fill(
        text,
        max(width, 20),
        initial_indent=indent,
        subsequent_indent=" " * len(indent),
        break_on_hyphens=False,
    )
    is_rich = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and "NO_COLOR" not in os.environ
    print(re.sub(r"\*([^*]+)\*", "\033[3m\\1\033[23m", told) if is_rich else told)
