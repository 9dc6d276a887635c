"""Lines to order, decided by what they compute: every order whose program is right gets the points.

The lines come from the check's own copy of the puzzle. Of what a student returns, letters are read and nothing else,
so nothing that a student wrote runs here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.random import Generator

from course_grading.questions import CHANGED, Part, Question
from course_lib.exercises.hints import TOLERANCE, compare, described, settled
from course_lib.exercises.kernel_protocol import Other
from course_lib.exercises.parsons import Puzzle

MOST_TRIED = 6  # lines whose orders are all tried: 720

Arguments = Sequence[Any]


@dataclass(frozen=True)
class Distractor:
    """A line that does not belong in the program.

    Attributes
    ----------
    message : str
        What the line does, true wherever it stands: "adds up over all rows. Each row has a sum of its own."
        "Line C" stands before it.
    instead_of : str
        The letter of the line in whose place it stands; "" if there is none.
    """

    message: str
    instead_of: str = ""


@dataclass(frozen=True)
class Ordering:
    """What decides the order of a puzzle's lines.

    Attributes
    ----------
    puzzle : Puzzle
    reference : function
        Computes what the program is to return.
    cases : function
        Draws the arguments of some calls from a generator.
    distractors : mapping from letter to Distractor
    mixed_up : mapping from (letter, letter) to str
        What to say to who has the two lines in this order, where it matters: "Lines A and B, in this order, …" stands
        before it.
    tolerance : float

    Examples
    --------
    >>> puzzle = Puzzle("  | def f(x):\\nA |     x = x + 1\\nB |     x = x * 2\\nC |     x = x * 3\\n  |     return x")
    >>> thrice = Distractor("takes x three times; twice is asked for.", "B")
    >>> order = Ordering(puzzle, lambda x: 2 * (x + 1), lambda rng: [[3], [4]], {"C": thrice})
    >>> order.fault("a, b", seed=1)
    ''
    >>> order.fault("A C", seed=1)
    'Line C takes x three times; twice is asked for.'
    """

    puzzle: Puzzle
    reference: Callable[..., Any]
    cases: Callable[[Generator], Iterable[Arguments]]
    distractors: Mapping[str, Distractor]
    mixed_up: Mapping[tuple[str, str], str] | None = None
    tolerance: float = TOLERANCE

    def fault(self, answer: Any, seed: int) -> str:
        """Say what is wrong with an order; "" if its program is right.

        Parameters
        ----------
        answer : any
            What a student has returned.
        seed : int
            Of the inputs.
        """
        if isinstance(answer, Other):
            answer = None if answer.name == "NoneType" else 0
        try:
            letters = self.puzzle.letters(answer)
        except ValueError as error:
            return str(error)
        return self._fault(letters, self._inputs(seed))

    def _inputs(self, seed: int) -> list[Arguments]:
        return [list(arguments) for arguments in self.cases(np.random.default_rng(seed))]

    def is_right(self, letters: Sequence[str], inputs: Iterable[Arguments]) -> bool:
        """Whether the program of these lines computes what it should, for all inputs."""
        return not self._wrong(letters, inputs)

    def _wrong(self, letters: Sequence[str], inputs: Iterable[Arguments]) -> str:
        """Say for which input the program goes wrong, and how; "" if it does not."""
        try:
            function = self.puzzle.function(list(letters))
        except SyntaxError as error:
            return self.puzzle.unreadable(error, letters)
        except ValueError:  # no line is left
            return "No line is left."
        for arguments in inputs:
            given = deepcopy(list(arguments))
            try:
                with np.errstate(all="ignore"):
                    value = settled(function(*given))
            except NameError as error:  # an unbound local name, too
                return self._without_name(letters, error)
            except Exception as error:
                return f"The program stops with {type(error).__name__}: {error}.{self._inputs_are(arguments)}"
            fault = compare(value, settled(self.reference(*arguments)), self.tolerance, tell=False)
            if fault:
                told = fault.replace("Your result", "What the program returns")
                return f"{told}{self._inputs_are(arguments)}"
            if not all(np.array_equal(now, before) for now, before in zip(given, arguments, strict=True)):
                return CHANGED
        return ""

    def _inputs_are(self, arguments: Arguments) -> str:
        return f" Inputs: {described(self.reference, arguments)}."

    def _without_name(self, letters: Sequence[str], error: NameError) -> str:
        """Say which line needs what no line has made."""
        place = error.__traceback__
        number = 0
        while place is not None:
            number, place = place.tb_lineno, place.tb_next
        at = number - 1 - len(self.puzzle.begins.splitlines())
        name = str(error).split("'")[1] if "'" in str(error) else "a name"
        who = f"Line {letters[at]}" if 0 <= at < len(letters) else "The last line"
        return f"{who} uses `{name}`, which no line before it has made."

    def _fault(self, letters: Sequence[str], inputs: Sequence[Arguments]) -> str:
        wrong = self._wrong(letters, inputs)
        if not wrong:
            return ""
        used = [letter for letter in letters if letter in self.distractors]
        if not used:
            return self._disorder(letters, inputs, wrong)
        mended = self._mended(letters, used)
        is_mended = self.is_right(mended, inputs)
        # Of several, those that spoil it by themselves; a line that changes nothing is no fault.
        to_blame = [
            letter
            for letter in used
            if not is_mended
            or not self.is_right(self._mended(letters, [other for other in used if other != letter]), inputs)
        ]
        told = " ".join(f"Line {letter} {self.distractors[letter].message}" for letter in to_blame or used)
        return (
            told
            if is_mended
            else f"{told} There is more. Without {_listed(used)}: {self._after(mended, inputs)}"
        )

    def _after(self, letters: Sequence[str], inputs: Sequence[Arguments]) -> str:
        if not letters:
            return "no line is left."
        fault = self._disorder(letters, inputs, self._wrong(letters, inputs))
        return fault[0].lower() + fault[1:]

    def _mended(self, letters: Sequence[str], wrong: Sequence[str]) -> list[str]:
        """Put the right lines in the place of wrong ones."""
        found: list[str] = []
        for letter in letters:
            right = self.distractors[letter].instead_of if letter in wrong else letter
            if right and right not in found and (right == letter or right not in letters):
                found.append(right)
        return found

    def _disorder(self, letters: Sequence[str], inputs: Sequence[Arguments], wrong: str) -> str:
        """Say what is wrong with an order of right lines: two of them, the order, or that one is missing."""
        for (first, then), message in (self.mixed_up or {}).items():
            is_so = first in letters and then in letters and letters.index(first) < letters.index(then)
            if is_so and self._moved_makes_it_right(letters, first, then, inputs):
                return f"Lines {first} and {then}, in this order, {message}"
        if len(letters) > MOST_TRIED:
            return wrong
        if any(self._is_right_anyhow(order, inputs) for order in permutations(letters)):
            return f"{wrong} Another order of the same lines is right."
        return f"{wrong} No order of these lines is right: one is missing."

    def _moved_makes_it_right(
        self, letters: Sequence[str], first: str, then: str, inputs: Sequence[Arguments]
    ) -> bool:
        rest = [letter for letter in letters if letter != first]
        behind = rest.index(then) + 1
        others = [letter for letter in letters if letter != then]
        before = others.index(first)
        return self.is_right([*rest[:behind], first, *rest[behind:]], inputs) or self.is_right(
            [*others[:before], then, *others[before:]], inputs
        )

    def _is_right_anyhow(self, letters: Sequence[str], inputs: Sequence[Arguments]) -> bool:
        return self.is_right(letters, inputs[:1]) and self.is_right(letters, inputs)


def _listed(letters: Sequence[str]) -> str:
    return "line " + letters[0] if len(letters) == 1 else "lines " + " and ".join(letters)


def question(name: str, ordering: Ordering, entry_point: str = "first_step", points: float = 2) -> Question:
    """Return the question that asks for an order.

    Parameters
    ----------
    name : str
        As in the notebook's cell ids: "q4a".
    ordering : Ordering
    entry_point : str
        The student's function, which takes nothing and returns the letters.
    points : float

    Examples
    --------
    >>> import json
    >>> from course_grading.questions import decide
    >>> puzzle = Puzzle("  | def f(x):\\nA |     x = x + 1\\nB |     x = x * 2\\n  |     return x")
    >>> asked = question("q1a", Ordering(puzzle, lambda x: 2 * (x + 1), lambda rng: [[3], [4]], {}))
    >>> for order in ("A B", "B A"):
    ...     answer = json.dumps([{"value": order, "changed": []}])
    ...     print(decide(asked, lambda request: answer, b"key").points)
    2
    0
    """
    return Question(
        name,
        f"def entry_point(seed):\n    return {entry_point}()\n",
        None,
        [Part("the program", points, lambda rng: [[int(rng.integers(2**31))]])],
        accepts=ordering.fault,
    )
