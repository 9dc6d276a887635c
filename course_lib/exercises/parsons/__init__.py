"""Lines to order: a program whose lines are given, lettered, among others that do not belong in it.

A `Puzzle` holds the lines and no solution: students have it in their notebook. It shows itself as a control in which
lines are taken and moved; what is handed in is the letters in order, `return "D A C"`, which can also be written
without the control. What decides an order is not how it looks but what the program of these lines computes.

Puzzles of this kind are known as Parsons problems: D. Parsons and P. Haden, "Parson's Programming Puzzles" (2006).
"""

from __future__ import annotations

import inspect
import linecache
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import FrameType
from typing import Any

import numpy as np

from course_lib.exercises.hints import Hint

MOST_LINES = 10_000  # that one call may run: a limit of time that is the same on every machine
LONGEST = 1000  # characters of an answer
ROW = re.compile(r"\s*([A-Z]?)\s*\|(?: (.*))?")
FILE = "<your program>"


class EndlessError(RuntimeError):
    """A program has run more lines than any right one would."""


@dataclass(frozen=True)
class Puzzle:
    """Lines of a program, lettered, out of order, and more of them than are needed.

    Parameters
    ----------
    text : str
        One line of code a row, `A |     total = 0`. The rows without a letter are given: those above the lettered
        ones, which begin with `def name(...):`, and those below.
    names : mapping, optional
        What the lines may use besides `np`.

    Raises
    ------
    ValueError
        If the text is not made so.

    Examples
    --------
    >>> puzzle = Puzzle('''
    ...   | def area(a, b):
    ... A |     a = 2 * a
    ... B |     found = a * b
    ...   |     return found
    ... ''')
    >>> puzzle.letters("b, a"), puzzle.function("B")(2, 3)
    (['B', 'A'], 6)
    >>> print(puzzle.program("A B"))
    def area(a, b):
        a = 2 * a
        found = a * b
        return found
    """

    text: str
    names: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a text that is not made as it should be."""
        rows = [(letter, code or "") for letter, code in self._rows]
        kinds = "".join("x" if letter else "." for letter, _ in rows)
        if not re.fullmatch(r"\.+x+\.+", kinds):
            raise ValueError("expected given lines, then lettered ones, then given ones")
        if not re.match(r"def \w+\(", self.begins):
            raise ValueError("the first line does not define a function")
        if len(self.lines) != kinds.count("x"):
            raise ValueError("a letter stands at two lines")

    @cached_property
    def _rows(self) -> Sequence[tuple[str, str]]:
        found = [(row, ROW.fullmatch(row)) for row in self.text.splitlines() if row.strip()]
        for row, match in found:
            if match is None:
                raise ValueError(f"{row!r} is not made like 'A |     total = 0'")
        return [(match[1], match[2] or "") for _, match in found if match is not None]

    @cached_property
    def lines(self) -> dict[str, str]:
        """The code of each letter, with its indentation."""
        return {letter: code for letter, code in self._rows if letter}

    @cached_property
    def begins(self) -> str:
        """What is given above the lines."""
        first = next(n for n, (letter, _) in enumerate(self._rows) if letter)
        return "\n".join(code for _, code in self._rows[:first])

    @cached_property
    def ends(self) -> str:
        """What is given below them."""
        last = max(n for n, (letter, _) in enumerate(self._rows) if letter)
        return "\n".join(code for _, code in self._rows[last + 1 :])

    @property
    def name(self) -> str:
        """The name of the function that the program defines."""
        return self.begins[4:].partition("(")[0]

    def letters(self, answer: Any) -> list[str]:
        """Read an order: letters, small or capital, with anything but letters between them.

        Parameters
        ----------
        answer : str, or a list or tuple of str

        Raises
        ------
        ValueError
            If there is no such line, or a line stands twice. The message is for students.
        """
        if isinstance(answer, (list, tuple)) and all(isinstance(entry, str) for entry in answer):
            answer = " ".join(answer[:LONGEST])
        if not isinstance(answer, str):
            what = "None" if answer is None else "no text"
            raise ValueError(f'Your function returns {what}; expected are the letters of lines, as in "B A".')
        if len(answer) > LONGEST:
            raise ValueError("Your text is far too long; expected are the letters of lines, in their order.")
        found = [sign.upper() for sign in answer if sign.isalpha()]
        for n, letter in enumerate(found):
            if letter not in self.lines:
                raise ValueError(f"There is no line {letter}. The lines are {', '.join(self.lines)}.")
            if letter in found[:n]:
                raise ValueError(f"Line {letter} stands twice. Each line can be taken once.")
        if not found:
            raise ValueError("There is no letter of a line in your text yet.")
        return found

    def program(self, answer: Any) -> str:
        """Return the program that an order makes.

        Parameters
        ----------
        answer : as `letters` reads it

        Raises
        ------
        ValueError
            As `letters` does.
        """
        return "\n".join([self.begins, *(self.lines[letter] for letter in self.letters(answer)), self.ends])

    def function(self, answer: Any) -> Callable[..., Any]:
        """Return the function that an order defines; only the puzzle's own lines run, whatever the answer is.

        Parameters
        ----------
        answer : as `letters` reads it

        Returns
        -------
        function
            It raises EndlessError instead of running more than 10,000 lines.

        Raises
        ------
        ValueError
            As `letters` does.
        SyntaxError
            If Python cannot read the program: where nothing stands in a loop, say.
        """
        source = self.program(answer)
        linecache.cache[FILE] = len(source), None, source.splitlines(keepends=True), FILE  # for messages
        scope: dict[str, Any] = {"np": np, **self.names}
        exec(compile(source, FILE, "exec"), scope)
        made = scope[self.name]

        def bounded(*arguments: Any) -> Any:
            return _bounded(made, arguments)

        bounded.__name__ = self.name
        return bounded

    def by(self, answer: Callable[[], Any], stops: Mapping[str, str] | None = None) -> Callable[..., Any]:
        """Return the function that a student's order defines, for visible tests.

        Parameters
        ----------
        answer : function
            The student's; it returns the order.
        stops : mapping from letter to str, optional
            What to say of a line that is in a program that stops, but not for a missing name: "Line E" stands before
            it.

        Examples
        --------
        >>> from course_lib.exercises.hints import check
        >>> puzzle = Puzzle("  | def f(x):\\nA |     x = x + 1\\nB |     x = x * 2\\n  |     return x")
        >>> check(puzzle.by(lambda: "A B"), [3], 8)
        ✓ f returns what it should: the number 8
        >>> check(puzzle.by(lambda: "A C"), [3], 8)
        Traceback (most recent call last):
            ...
        course_lib.exercises.hints.Hint: There is no line C. The lines are A, B.
        >>> puzzle = Puzzle("  | def f(x):\\nA |     x = x / 0\\nB |     x = x / 2\\n  |     return x")
        >>> check(puzzle.by(lambda: "A", {"A": "divides by 0."}), [3], 1.5)
        Traceback (most recent call last):
            ...
        course_lib.exercises.hints.Hint: Line A divides by 0.
        """

        def made(*arguments: Any) -> Any:
            order = answer()
            try:
                function = self.function(order)
            except SyntaxError as error:
                raise Hint(self.unreadable(error, order)) from None
            except ValueError as error:
                raise Hint(str(error)) from None
            try:
                return function(*arguments)
            except UnboundLocalError as error:
                name = re.search(r"variable '(\w+)'", str(error))
                if name is None:
                    raise
                raise Hint(f"`{name[1]}` is used before the line that makes it has run.") from None
            except NameError:
                raise
            except Exception:
                to_blame = [letter for letter in self.letters(order) if letter in (stops or {})]
                if not to_blame:
                    raise
                told = " ".join(f"Line {letter} {(stops or {})[letter]}" for letter in to_blame)
                raise Hint(told) from None

        made.__name__ = self.name
        made.__signature__ = _signature(self.begins)  # type: ignore[attr-defined]
        return made

    def unreadable(self, error: SyntaxError, answer: Any) -> str:
        """Say why Python cannot read the program of an order, with the letters of its lines."""
        return unreadable(error, self.letters(answer), len(self.begins.splitlines()))

    def _ipython_display_(self) -> None:
        from course_lib.exercises.parsons.widget import show  # ipywidgets are slow to import

        show(self)


def unreadable(error: SyntaxError, letters: Sequence[str] = (), n_before: int = 0) -> str:
    """Say why Python cannot read a program.

    Parameters
    ----------
    error : SyntaxError
    letters : sequence of str
        The lines of the program, in order.
    n_before : int
        How many given lines stand above them.

    Examples
    --------
    >>> try:
    ...     compile("for i in x:\\nprint(i)", "<f>", "exec")
    ... except SyntaxError as error:
    ...     print(unreadable(error, "C"))
    Python cannot read your program: expected an indented block after 'for' statement in line C, at `print(i)`.
    """
    at = f", at `{error.text.strip()}`" if error.text and error.text.strip() else ""

    def by_letter(found: re.Match[str]) -> str:
        n = int(found[1]) - 1 - n_before
        return f"in line {letters[n]}" if 0 <= n < len(letters) else "in a given line"

    return f"Python cannot read your program: {re.sub(r'on line ([0-9]+)', by_letter, error.msg)}{at}."


def _signature(begins: str) -> Any:
    """Return the signature of the function that a program defines, for messages that name arguments."""
    scope: dict[str, Any] = {}
    exec(begins.splitlines()[0] + " pass", scope)
    return next(inspect.signature(value) for name, value in scope.items() if name != "__builtins__")


def _bounded(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Call a function of a puzzle's, and stop it after so many lines."""
    left = MOST_LINES

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise EndlessError(f"the program has run {MOST_LINES:,} lines, and has not come to an end")
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        return line if frame.f_code.co_filename == FILE else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)
