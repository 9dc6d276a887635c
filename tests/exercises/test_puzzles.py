"""Puzzles of lines to order; `tests/browser/test_parsons_control.py` moves their lines."""

import json
import re

import numpy as np
import pytest

from course_lib.exercises.hints import Hint, check
from course_lib.exercises.parsons import EndlessError, Puzzle
from course_lib.exercises.parsons.widget import STILL, Ordering, still
from course_lib.figures.palette import PALETTE

TEXT = """
  | def total(x):
A |     found = found + x[n]
B |     found = 0
C |     for n in range(len(x)):
D |         found = found + x[n]
E |     while True:
F |         x = x
G |     <b>&
  |     return found
"""
PUZZLE = Puzzle(TEXT)


@pytest.mark.parametrize(
    "answer",
    ["B C D", "bcd", "b, c; d", "B\nC\nD", " 1. B 2. C 3. D", "B → C → D", ["B", "C", "D"], ("b", "c d")],
)
def test_letters_are_read_whatever_stands_between_them(answer):
    assert PUZZLE.letters(answer) == ["B", "C", "D"]
    assert PUZZLE.function(answer)([1, 2, 4]) == 7


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "returns None"),
        (3, "returns no text"),
        ({"B": 1}, "returns no text"),
        ([1, 2], "returns no text"),
        ("", "no letter of a line in your text"),
        ("...", "no letter of a line in your text"),
        ("B C Z", "There is no line Z"),
        ("é", "There is no line É"),
        ("B C B", "Line B stands twice"),
        ("B" * 1001, "far too long"),
        (["B"] * 2000, "far too long"),
    ],
)
def test_what_is_no_order_is_told_in_a_sentence(answer, message):
    with pytest.raises(ValueError, match=message):
        PUZZLE.letters(answer)
    with pytest.raises(Hint, match=message):
        PUZZLE.by(lambda: answer)([1])


def test_the_program_is_the_given_lines_around_the_chosen_ones():
    expected = [
        "def total(x):",
        "    found = 0",
        "    for n in range(len(x)):",
        "        found = found + x[n]",
        "    return found",
    ]
    assert PUZZLE.program("B C D").splitlines() == expected


def test_a_program_without_end_is_stopped():
    with pytest.raises(EndlessError, match="10,000 lines"):
        PUZZLE.function("B E F")([1])
    assert PUZZLE.function("B C D")([1] * 4900) == 4900  # two lines a turn
    with pytest.raises(EndlessError):
        PUZZLE.function("B C D")([1] * 5100)
    with pytest.raises(Hint, match=r"total.* stops with EndlessError"):
        check(PUZZLE.by(lambda: "B E F"), [[1]], 1)


def test_what_python_cannot_read_is_a_hint():
    with pytest.raises(
        Hint,
        match=r"program: expected an indented block after 'for' statement in line C, at `return found`",
    ):
        PUZZLE.by(lambda: "B C")([1])


def test_a_tracer_that_was_there_before_stays():
    import sys

    def mine(*_):
        return None

    before = sys.gettrace()
    sys.settrace(mine)
    try:
        PUZZLE.function("B")([1])
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)


def test_a_line_that_stops_a_program_is_told_by_its_own_sentence():
    puzzle = Puzzle("  | def f(x):\nA |     x = x / 0\nB |     x = x / 2\nC |     x = y\n  |     return x")
    stops = {"A": "divides by 0."}
    with pytest.raises(Hint, match=r"^Line A divides by 0\.$"):
        check(puzzle.by(lambda: "B A", stops), [3.0], 1.5)
    check(puzzle.by(lambda: "B", stops), [3.0], 1.5)
    with pytest.raises(Hint, match="stops with NameError"):  # a missing name is not line A's fault
        check(puzzle.by(lambda: "C A", stops), [3.0], 1.5)
    with pytest.raises(Hint, match="stops with ZeroDivisionError"):
        check(puzzle.by(lambda: "B A"), [3.0], 1.5)


def test_what_a_student_raises_is_told():
    def first_step():
        raise NotImplementedError

    with pytest.raises(Hint, match=r"total\(x = .*stops with NotImplementedError"):
        check(PUZZLE.by(first_step), [np.array([1.0])], 1.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A |     x = 1", "expected given lines"),
        ("  | def f():\nA |     x = 1", "expected given lines"),
        ("  | def f():\nA |     x = 1\n  |     y\nB |     z\n  |     return x", "expected given lines"),
        ("  | x = 1\nA |     x = 1\n  |     return x", "does not define a function"),
        ("  | def f():\nA |     x = 1\nA |     y = 1\n  |     return x", "two lines"),
        ("  | def f():\nno letter\n  |     return x", "is not made like"),
    ],
)
def test_a_text_that_is_no_puzzle_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        Puzzle(text)


def test_the_still_has_every_line_and_needs_no_kernel():
    shown = still(PUZZLE)
    for row in TEXT.strip("\n").splitlines():
        assert row in shown["text/plain"].splitlines()
    assert "G |     &lt;b&gt;&amp;" in shown["text/html"]
    assert "<b>" not in shown["text/html"]
    assert STILL in shown["text/plain"]


def test_the_control_knows_the_lines_and_no_order():
    control = Ordering(PUZZLE)
    assert control.order == []
    assert json.loads(json.dumps(control.puzzle)) == {
        "begins": "def total(x):",
        "lines": [[letter, code] for letter, code in PUZZLE.lines.items()],
        "ends": "    return found",
    }


def test_its_colours_are_the_palettes_for_light_and_dark():
    style = Ordering._css if isinstance(Ordering._css, str) else str(Ordering._css)
    for theme in ("light", "dark"):
        for name in ("ink", "paper", "surface", "query", "focus"):
            assert f"--parsons-{name}: {PALETTE[theme][name]};" in style
    assert set(re.findall(r"var\(--parsons-(\w+)\)", style)) <= set(PALETTE["light"]) - {"series"}
