"""The smallest layer of attention that writes texts backwards: an optional question without points, and its board.

An entry is six tables of numbers. What they do is computed here, for every text there is, so that whoever reads an
entry runs nothing that a student has written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib.exercises.hints import Hint
from course_lib.exercises.kernel_protocol import one_line
from course_lib.files import atomic_path
from course_lib.functional import attention

LETTERS, LENGTH = "abcd", 6
FILE = "smallest.json"
WIDEST = 64  # of d, d_k and d_v
LONGEST_NAME = 24

# What a table's rows and columns are: a number, or a width that the student chooses.
SHAPES: dict[str, tuple[int | str, int | str]] = {
    "letters": (len(LETTERS), "d"),
    "positions": (LENGTH, "d"),
    "W_Q": ("d", "d_k"),
    "W_K": ("d", "d_k"),
    "W_V": ("d", "d_v"),
    "U": ("d_v", len(LETTERS)),
}
Tables = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Entry:
    """What may stand on a board.

    Attributes
    ----------
    nickname : str
        Chosen by the student.
    size : int
        How many numbers the tables hold, zeros included.
    tables : dict of str to array
    """

    nickname: str
    size: int
    tables: Tables


def checked(tables: Mapping[str, ArrayLike]) -> Tables:
    """Return the tables as arrays in double precision.

    Raises
    ------
    ValueError
        If one is missing, has another shape than the others ask for, or holds what is no finite number.

    Examples
    --------
    >>> checked({"letters": np.zeros((4, 3))})
    Traceback (most recent call last):
        ...
    ValueError: positions is missing
    """
    widths: dict[str, int] = {}
    found: Tables = {}
    for name, shape in SHAPES.items():
        if name not in tables:
            raise ValueError(f"{name} is missing")
        try:
            table = np.array(tables[name], dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{name} is no table of numbers") from None
        if table.ndim != 2 or not table.size or max(table.shape) > WIDEST:
            raise ValueError(f"{name} has shape {table.shape}; it needs two axes of 1 to {WIDEST} entries")
        if not np.isfinite(table).all():
            raise ValueError(f"{name} holds what is no finite number")
        for wanted, n in zip(shape, table.shape, strict=True):
            right = widths.setdefault(wanted, n) if isinstance(wanted, str) else wanted
            if n != right:
                words = f"({', '.join(str(each) for each in shape)})"
                known = "".join(f"; {width} = {n_columns} so far" for width, n_columns in widths.items())
                raise ValueError(f"{name} has shape {table.shape} instead of {words}{known}")
        found[name] = table
    if unknown := sorted(set(tables) - set(SHAPES)):
        raise ValueError(f"{', '.join(unknown)}: no table of this layer")
    return found


def size(tables: Mapping[str, ArrayLike]) -> int:
    """Return how many numbers the tables hold, zeros included.

    Examples
    --------
    >>> size({"W_Q": np.zeros((3, 2)), "W_K": np.zeros((3, 2))})
    12
    """
    return sum(np.size(table) for table in tables.values())


def layer(tables: Tables, texts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return scores of the letters, (n, 6, 4), and attention weights, (n, 6, 6), for texts of letters 0 to 3, (n, 6).

    Each letter's row and its position's are added; one head of attention, without a mask, reads the sums; `U` makes
    scores of what it returns.
    """
    x = tables["letters"][texts] + tables["positions"]  # (n, 6, d)
    output, weights = attention(x @ tables["W_Q"], x @ tables["W_K"], x @ tables["W_V"])
    return output @ tables["U"], weights


def weights(tables: Mapping[str, ArrayLike], text: str) -> NDArray[Any]:
    """Return the attention weights, (6, 6), that a layer gives in a text of six letters, such as "abcdab".

    Raises
    ------
    Hint
        If the tables or the text do not fit.
    """
    if len(text) != LENGTH or not set(text) <= set(LETTERS):
        raise Hint(f"{text!r} is no text of {LENGTH} letters, each of them one of {LETTERS}")
    try:
        found = checked(tables)
    except ValueError as error:
        raise Hint(str(error)) from None
    return layer(found, np.array([[LETTERS.index(letter) for letter in text]]))[1][0]


def all_texts() -> NDArray[np.int64]:
    """Return all texts, (4096, 6), as numbers of letters.

    Examples
    --------
    >>> all_texts()[[0, -1]].tolist()
    [[0, 0, 0, 0, 0, 0], [3, 3, 3, 3, 3, 3]]
    """
    return np.array(list(product(range(len(LETTERS)), repeat=LENGTH)))


def fault(tables: Tables) -> str:
    """Return what is wrong with a layer that should write every text backwards, or "".

    At each position the right letter must have the largest score, by more than rounding.
    """
    texts = all_texts()
    with np.errstate(all="ignore"):
        scores, _ = layer(tables, texts)
    wanted = texts[:, ::-1]
    right = np.take_along_axis(scores, wanted[..., None], axis=-1)
    others = scores.copy()
    np.put_along_axis(others, wanted[..., None], -np.inf, axis=-1)
    margin = right[..., 0] - others.max(axis=-1)  # (4096, 6)
    room = 1e-9 * np.maximum(1, np.abs(scores).max(axis=-1))
    good = (margin > room).all(axis=1)  # not of NaN either
    if good.all():
        return ""
    first = int(np.argmin(good))
    text, written = texts[first], scores[first].argmax(axis=-1)
    if not np.isfinite(scores[first]).all():
        return f"For {_word(text)} the scores of the letters are no finite numbers."
    if (written == wanted[first]).all():
        return f"For {_word(text)} two letters have the same score, up to rounding."
    return (
        f"{good.sum():,} of {len(texts):,} texts come out backwards. "
        f"{_word(text)} comes out as {_word(written)} instead of {_word(wanted[first])}."
    )


def _word(numbers: NDArray[Any]) -> str:
    return "".join(LETTERS[number] for number in numbers)


def enter(tables: Mapping[str, ArrayLike], nickname: str = "", folder: str | Path = ".") -> None:
    """Try a layer on all texts and say how many numbers it has; with a nickname, write it into a file for the board.

    Parameters
    ----------
    tables : mapping
        "letters" (4, d), "positions" (6, d), "W_Q" and "W_K" (d, d_k), "W_V" (d, d_v) and "U" (d_v, 4).
    nickname : str
        The name on the board. Without one nothing is written.
    folder : path
        Where `smallest.json` is written.

    Raises
    ------
    Hint
        If tables do not fit, or a text does not come out backwards.
    """
    try:
        found, name = checked(tables), _checked_name(nickname) if nickname else ""
    except ValueError as error:
        raise Hint(str(error)) from None
    if wrong := fault(found):
        raise Hint(wrong)
    print(f"All {len(LETTERS) ** LENGTH:,} texts come out backwards. Your layer has {size(found)} numbers.")
    if not name:
        return
    held = {"nickname": name, "tables": {key: table.tolist() for key, table in found.items()}}
    with atomic_path(Path(folder) / FILE) as temporary:
        temporary.write_text(json.dumps(held), encoding="utf-8")
    print(f"{FILE} has your entry, as {name!r}. It is on the board if you hand it in.")


def _checked_name(nickname: Any) -> str:
    if not isinstance(nickname, str) or not nickname.strip():
        raise ValueError("a nickname is a word or two")
    name = one_line(nickname.strip(), LONGEST_NAME + 1)
    if len(nickname.strip()) > LONGEST_NAME or not name.isprintable():
        raise ValueError(f"a nickname has at most {LONGEST_NAME} characters, all of which can be printed")
    return name


def entry(text: str) -> Entry:
    """Return the entry that is the text of a file which `enter` wrote, tried anew.

    Raises
    ------
    ValueError
        If it holds none, or one that is not right.
    """
    try:
        held = json.loads(text)
        nickname, tables = held["nickname"], dict(held["tables"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError("no entry: `smallest.enter` writes one") from None
    found = checked(tables)
    if wrong := fault(found):
        raise ValueError(wrong)
    return Entry(_checked_name(nickname), size(found), found)
