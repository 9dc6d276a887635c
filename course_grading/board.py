"""The board of an optional question: who writes texts backwards with the fewest numbers, under a chosen name.

Nobody has to enter. Entries are tables of numbers, which are tried here: nothing that a student wrote is run, nothing
leaves the machine, and no points are given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from course_grading.intake import text_beside
from course_lib.exercises import smallest
from course_lib.exercises.kernel_protocol import one_line

MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Board:
    """What was read.

    Attributes
    ----------
    entries : dict of str to Entry
        By the name of the file.
    refused : dict of str to str
        Why a file is not on the board.
    """

    entries: dict[str, smallest.Entry] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def collect(paths: Iterable[Path]) -> Board:
    """Read entries: files, and those named `smallest.json` in folders and below.

    A file that is none, or whose layer is not right, is told of, and stops nothing.
    """
    found = Board()
    for path in paths:
        for file in sorted(path.rglob(smallest.FILE)) if path.is_dir() else [path]:
            try:
                found.entries[str(file)] = smallest.entry(text_beside(file, MOST_BYTES))
            except (ValueError, OSError) as error:
                found.refused[str(file)] = one_line(str(error), 200)
    return found


def ranking(found: Board) -> str:
    """Return the board in words: the fewest numbers first, equal ones on one place. It names no file.

    Examples
    --------
    >>> ranking(Board({name: smallest.Entry(name, n, {}) for name, n in [("Ada", 90), ("Bo", 72), ("Cy", 90)]}))
    '1.  72 numbers  Bo\\n2.  90 numbers  Ada\\n2.  90 numbers  Cy'
    """
    entries = sorted(found.entries.values(), key=lambda entry: (entry.size, entry.nickname.casefold()))
    sizes = [entry.size for entry in entries]
    lines = [f"{sizes.index(entry.size) + 1}.  {entry.size} numbers  {entry.nickname}" for entry in entries]
    return (
        "\n".join(lines)
        or f"No entry: give folders with files named {smallest.FILE}, such as submitted/, or such files."
    )


def refusals(found: Board) -> str:
    """Return a line for each file that is not on the board, with its name: for the instructor alone."""
    return "\n".join(f"{file}: {why}" for file, why in found.refused.items())
