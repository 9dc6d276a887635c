"""How nbval compares what a notebook's cells give with what is stored: alike, and not bit by bit.

Processors round differently in the last place, so that a number may end in another digit, and a line of a picture be
drawn a thousandth of a pixel further. Words and counts must be equal.
"""

import re
from base64 import b64decode
from itertools import zip_longest
from typing import Any

PIXELS = 0.5  # between the same point of two pictures
SHARE = 1e-3  # between two numbers with decimals
NOTHING = 1e-12  # what is smaller is an error of rounding
NUMBER = re.compile(r"(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)")
DRAWN = re.compile(r"(<svg\b.*?</svg>)", re.DOTALL)
IN_AN_ADDRESS = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/]*=*)")


class Output(str):
    """One output of a cell, which equals another if both say the same to all that a reader could see."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:  # noqa: D105
        return isinstance(other, str) and alike(self, other)

    def __ne__(self, other: object) -> bool:  # noqa: D105
        return not self == other


def alike(stored: str, computed: str) -> bool:
    """Return whether two outputs are equal but for rounding.

    In a picture points may lie `PIXELS` apart. Elsewhere numbers with decimals may differ by one in the last digit that
    is shown, or by the share `SHARE`. Counts and words are equal.
    """
    if str.__eq__(stored, computed):
        return True
    parts = (DRAWN.split(IN_AN_ADDRESS.sub(_decoded, text)) for text in (stored, computed))
    return all(
        a is not None and b is not None and _alike(a, b, drawn=bool(number % 2))
        for number, (a, b) in enumerate(zip_longest(*parts))
    )


def _decoded(address: re.Match[str]) -> str:
    return b64decode(address[1]).decode()


def _alike(a: str, b: str, drawn: bool) -> bool:
    words_and_numbers = zip_longest(NUMBER.split(a), NUMBER.split(b))
    for place, (one, other) in enumerate(words_and_numbers):
        if one is None or other is None:
            return False
        if one == other:
            continue
        if place % 2:
            near = abs(float(one) - float(other)) <= PIXELS if drawn else _near(one, other)
        else:
            near = "".join(one.split()) == "".join(other.split())
        if not near:
            return False
    return True


def _near(one: str, other: str) -> bool:
    a, b = float(one), float(other)
    if a == b or max(abs(a), abs(b)) < NOTHING:
        return True
    if one.lstrip("-").isdigit() and other.lstrip("-").isdigit():
        return False
    last_digit = min(_last_digit(one), _last_digit(other))
    return abs(a - b) <= max(1.001 * last_digit, SHARE * max(abs(a), abs(b)))


def _last_digit(number: str) -> float:
    """Return what one more in the last digit of a number adds to it: 0.01 for 2.35."""
    digits, _, exponent = number.partition("e")
    return float(10.0 ** (int(exponent or 0) - len(digits.partition(".")[2])))


def pytest_collectstart(collector: Any) -> None:
    """Take the bytes of embedded PNGs, which differ between machines, out of every notebook's comparison."""
    if hasattr(collector, "sanitize_patterns"):
        collector.sanitize_patterns[r"data:image/png;base64,[A-Za-z0-9+/=]*"] = "the picture"


def pytest_itemcollected(item: Any) -> None:
    """Let nbval compare the outputs of a notebook's cell by `alike`."""
    if hasattr(item, "sanitize") and hasattr(item, "compare_outputs"):
        sanitized = item.sanitize
        item.sanitize = lambda output: (
            Output(sanitized(output)) if isinstance(output, str) else sanitized(output)
        )
