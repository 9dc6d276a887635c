"""Figures of chapter 14: what one head changes in a translation, and what the decoder's vectors read at each stage."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy.typing import ArrayLike

from course_lib.figures.palette import DECODER, ENCODER, INK, LINE, QUIET, WEIGHT, ink_on
from course_lib.figures.picture import (
    Picture,
    draw_wide_and_narrow,
    paint_shares,
    paint_title,
    plain,
    significant,
    text_width,
)

OF_SENTENCES = 17  # points
KINDS = ("", " (comes next)", " (repeated)")  # of a word in `word_grid`


def swapped(
    shares: ArrayLike,
    layers: Sequence[str],
    *,
    sentences: Sequence[tuple[str, str]],
    patched: str,
    changed: Sequence[str],
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw all heads of a translator, each by how far swapping it moves the answer; and what one of them does.

    Parameters
    ----------
    shares : array (layers, H)
        How far swapping a head moves the answer, as a share of the way.
    layers : n strings
        The names of the rows.
    sentences : two pairs of str
        An English sentence and its translation; the one whose head is put into it, and the translation of that.
    patched : str
        What is written for the first sentence with the head of the second.
    changed : words of `patched`
        That are emphasised.
    title, caption, number : str

    Raises
    ------
    ValueError
        If the shares do not fit the layers, are not shares, or a changed word is not among those of `patched`.

    Examples
    --------
    >>> pair = [("the dog", "le chien"), ("the dogs", "les chiens")]
    >>> picture = swapped([[0.0, 0.8]], ["encoder 0"], sentences=pair, patched="les chien", changed=["les"])
    >>> picture.alt[:95]
    'Heads by the share of the way that swapping the head moves the answer. encoder 0: 0, 0.8. ‘the '
    """
    found = np.asarray(shares, dtype=float)
    if found.ndim != 2 or len(found) != len(layers) or not ((found >= 0) & (found <= 1)).all():
        raise ValueError(
            f"shares {found.shape}: expected (layers, H), between 0 and 1, with {len(layers)} names"
        )
    if not set(changed) <= set(patched.split()):
        raise ValueError(f"changed {list(changed)}: expected words of {patched!r}")
    (one, in_french), (other, other_french) = sentences

    def paint(figure: Figure, narrow: bool) -> str:
        paint_title(figure, title)
        if narrow:
            left, right = figure.subplots(2, 1, height_ratios=[2.4, 2.5])
        else:
            left, right = figure.subplots(1, 2, width_ratios=[2.5, 4.3])
        _paint_heads(left, found, layers)
        right.set(xlim=(0, 3.4 if narrow else 4.3), ylim=(2.5, 0))
        right.set_axis_off()
        for y, english, french, loud in (
            (0.12, one, in_french, []),
            (0.92, other, other_french, []),
            (1.72, f"{one[:-1]}, with one head of the other", patched, changed),
        ):
            right.text(0, y, plain(english), color=QUIET, fontsize=11, va="center")
            _paint_words(right, french, loud, y + 0.36)
        heads = " ".join(
            f"{name}: {', '.join(significant(x) for x in row)}."
            for name, row in zip(layers, found, strict=True)
        )
        return (
            f"Heads by the share of the way that swapping the head moves the answer. {heads} ‘{one}’ gives "
            f"‘{in_french}’; ‘{other}’ gives ‘{other_french}’; the first with one head of the second gives ‘{patched}’."
        )

    return draw_wide_and_narrow(7.4, 3.3, 5.9, paint).numbered(number, caption)


def _paint_heads(axis: Axes, found: np.ndarray, layers: Sequence[str]) -> None:
    n, n_heads = found.shape
    paint_shares(axis, found, WEIGHT)
    for i, row in enumerate(found):
        for j, share in enumerate(row):
            axis.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, edgecolor=LINE, linewidth=1.5))
            turned = share >= 0.005
            ink = ink_on(WEIGHT, share) if turned else QUIET
            text = f"{100 * share:.0f} %" if turned else "0"
            axis.text(j, i, text, ha="center", va="center", fontsize=10, color=ink)
    axis.set_yticks(range(n), list(layers))
    axis.set_xticks(range(n_heads), [str(j) for j in range(n_heads)])
    axis.set(xlabel="head", xlim=(-0.55, n_heads - 0.45), ylim=(n - 0.45, -0.55))
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    for label, name in zip(axis.get_yticklabels(), layers, strict=True):
        label.set_color(ENCODER if name.startswith("encoder") else DECODER)


def _paint_words(axis: Axes, words: str, loud: Sequence[str], y: float) -> None:
    x, gap = 0.0, 0.075
    for word in words.split():
        emphasised = word in loud
        width = text_width(word, OF_SENTENCES, emphasised)
        if emphasised:
            box = FancyBboxPatch(
                (x - 0.01, y - 0.17),
                width + 0.02,
                0.34,
                "round,pad=0,rounding_size=0.05",
                facecolor=WEIGHT,
                linewidth=0,
            )
            axis.add_patch(box)
        ink = ink_on(WEIGHT, 1.0) if emphasised else INK
        weight = "bold" if emphasised else "normal"
        axis.text(x, y, plain(word), fontsize=OF_SENTENCES, color=ink, fontweight=weight, va="center")
        x += width + gap


def word_grid(
    words: Sequence[Sequence[str]],
    shares: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    answers: Sequence[str],
    title: str = "",
    axes: tuple[str, str] = ("after", "it has written"),
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw a table of words, each on as much colour as its probability: the logit lens.

    A word that repeats the name of its column has one colour, the column's answer another, and all else is paper.

    Parameters
    ----------
    words : n rows of m strings
    shares : array (n, m)
        Between 0 and 1.
    rows, columns : n and m strings
    answers : m strings
    title : str
    axes : pair of str
        What rows and columns are.
    caption, number : str

    Raises
    ------
    ValueError
        If words, shares, rows, columns and answers do not fit one another.

    Examples
    --------
    >>> grid = word_grid([["Les"], ["chiens"]], [[0.5], [0.9]], ["first", "last"], ["Les"], answers=["chiens"])
    >>> grid.alt[-57:]
    'first: Les 0.5 (repeated). last: chiens 0.9 (comes next).'
    """
    found = np.asarray(shares, dtype=float)
    if found.shape != (len(rows), len(columns)) or [len(row) for row in words] != [len(columns)] * len(rows):
        raise ValueError(f"shares {found.shape}: expected ({len(rows)}, {len(columns)}), with as many words")
    if len(answers) != len(columns):
        raise ValueError(f"{len(answers)} answers: expected as many as columns, {len(columns)}")
    kinds = np.array(
        [
            [
                1 if word == new else 2 if word == read else 0
                for word, read, new in zip(row, columns, answers, strict=True)
            ]
            for row in words
        ]
    )

    def paint(figure: Figure, narrow: bool) -> str:
        axis = figure.subplots()
        paint_title(figure, title)
        paint_shares(axis, np.where(kinds == 1, found, 0), WEIGHT, aspect="auto")
        paint_shares(axis, np.where(kinds == 2, found, 0), ENCODER, aspect="auto")
        for i, row in enumerate(words):
            for j, word in enumerate(row):
                axis.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, edgecolor=LINE, linewidth=1))
                kind = kinds[i, j]
                ink = ink_on(ENCODER if kind == 2 else WEIGHT, found[i, j] if kind else 0)
                size = 9.0 if narrow else 11.0
                room = (0.65 if narrow else 0.75) * figure.get_figwidth() / len(columns)  # inches of a cell
                size *= min(1.0, room / text_width(word, size))
                axis.text(j, i, plain(word), ha="center", va="center", color=ink, fontsize=size)
        axis.set_yticks(range(len(rows)), list(rows), fontsize=9 if narrow else 11)
        axis.set_xticks(range(len(columns)), list(map(plain, columns)), fontsize=9 if narrow else 11)
        axis.set(xlabel=axes[1], ylabel=axes[0])
        axis.xaxis.set_label_position("top")
        axis.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
        axis.spines[:].set_visible(False)
        told = " ".join(
            f"{name}: {', '.join(f'{w} {significant(s)}{KINDS[k]}' for w, s, k in zip(*of_row, strict=True))}."
            for name, *of_row in zip(rows, words, found, kinds, strict=True)
        )
        head = f"{title}. " if title else ""
        return f"{head}Table of words and their probabilities; rows: {axes[0]}, columns: {axes[1]}. {told}"

    height = 0.36 * len(rows) + 1.1
    return draw_wide_and_narrow(7.2, height, height, paint).numbered(number, caption)
