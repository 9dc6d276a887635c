"""Attention for one query, drawn step by step."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.figures.picture import COLOURS, FAINT, QUIET, Picture, draw, largest_on, number, paired, plain
from course_lib.functional import ScoreFunction

CELL = 0.34  # inches, the width of one number of a drawn vector
WIDE_CELL = 0.42  # the same with room for a sign and two decimals, which an output often has


def attention_step(
    query: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    query_word: str,
    key_words: Sequence[str],
    score: ScoreFunction = functional.dot_product_scores,
    upto: Literal["scores", "weights", "output"] = "output",
) -> Picture:
    """Draw what attention does for one query, from left to right.

    The query meets each key (score), the scores pass through a softmax (weights), the weights mix the values
    (output). A line to the output is as thick as the weight that travels along it.

    Parameters
    ----------
    query : array (d_q,)
    keys : array (L_k, d_k)
    values : array (L_k, d_v)
        No vector may be longer than 6, so that its numbers can be read.
    query_word : str
    key_words : L_k strings
    score : function (queries, keys) → (L_q, L_k)
        As in `functional.attention`.
    upto : "scores", "weights" or "output"
        Where the drawing stops.

    Raises
    ------
    ValueError
        If the shapes do not fit together, a vector is too long to be drawn, or `upto` is something else.

    Notes
    -----
    Source: B 10.2.1, figures 10.2 (scores), 10.3 and 10.4 (output).

    Examples
    --------
    >>> attention_step([2.0], [[0], [1]], [[5], [7]], query_word="q", key_words=["a", "b"], upto="scores").alt
    "Attention for the query 'q'. Scores: 'a' 0, 'b' 2."
    """
    query, keys, values = (np.asarray(array, dtype=np.float64) for array in (query, keys, values))
    if query.ndim != 1 or keys.ndim != 2 or not len(keys) == len(values) == len(key_words):
        raise ValueError(
            f"query {query.shape}, keys {keys.shape}, values {values.shape} with {len(key_words)} key words: "
            "expected (d_q,), (L_k, d_k), (L_k, d_v) and L_k words"
        )
    for name, array in {"query": query, "keys": keys, "values": values}.items():
        if array.shape[-1] > 6:
            raise ValueError(f"{name} {array.shape}: expected at most 6 entries in a vector that is drawn")
    if upto not in ("scores", "weights", "output"):
        raise ValueError(f"upto is {upto!r}: expected 'scores', 'weights' or 'output'")
    scores = score(query[None], keys)[0]  # (1, L_k) → (L_k,)
    output, weights = (array[0] for array in functional.attention(query[None], keys, values, score=score))
    columns = 1 + ("scores", "weights", "output").index(upto)
    told = [
        f"Attention for the query '{query_word}'. Scores: {paired(key_words, scores)}.",
        f"Weights: {paired(key_words, weights)}; largest on {largest_on(key_words, weights)}.",
        f"Output: {', '.join(map(number, output))}.",
    ]
    # left edges in inches; how wide a vector is drawn depends on how many entries it has
    keys_at = 0.75 + CELL * len(query)
    scores_at = keys_at + CELL * keys.shape[1] + 0.4
    weights_at = scores_at + 0.95
    values_at = weights_at + 1.25
    output_at = values_at + CELL * values.shape[1] + 0.7
    width = (scores_at + 0.7, values_at, output_at + WIDE_CELL * len(output) + 0.2)[columns - 1]

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(len(keys), -0.75))
        axis.set_axis_off()
        middle = len(keys) / 2
        _paint_vector(axis, 0.2, middle, query, f"query: {query_word}")
        for y, word, key, value, s, w in zip(
            np.arange(len(keys)) + 0.5, key_words, keys, values, scores, weights, strict=True
        ):
            _paint_line(axis, (0.25 + CELL * len(query), middle), (keys_at - 0.05, y))
            _paint_vector(axis, keys_at, y, key, word)
            _paint_line(axis, (keys_at + 0.05 + CELL * len(key), y), (scores_at - 0.08, y), arrow=True)
            axis.text(scores_at + 0.25, y, number(s), ha="center", va="center", color=COLOURS[0])
            if columns >= 2:
                _paint_line(axis, (scores_at + 0.5, y), (weights_at, y))
                _paint_weight(axis, weights_at, y, w)
            if columns == 3:
                _paint_vector(axis, values_at, y, value, word)
                start, end = (values_at + 0.05 + CELL * len(value), y), (output_at - 0.05, middle)
                _paint_line(axis, start, end, thickness=0.3 + 8 * w, colour=COLOURS[0])
        headings = {"keys": keys_at, "scores": scores_at, "weights": weights_at, "values": values_at}
        for heading, x in list(headings.items())[: columns + 1]:
            axis.text(x, -0.5, heading, color=QUIET, va="center")
        if columns >= 2:
            _paint_softmax(axis, scores_at + 0.58, len(keys))
        if columns == 3:
            _paint_vector(axis, output_at, middle, output, "output", WIDE_CELL)
        return " ".join(told[:columns])

    return draw(width, 0.62 * (len(keys) + 0.75), paint)


def _paint_vector(
    axis: Axes, x: float, y: float, vector: NDArray[Any], label: str, cell: float = CELL
) -> None:
    """Paint a strip of boxed numbers from x to the right, and its label above."""
    axis.text(x, y - 0.36, plain(label), va="center", fontsize=9.5, fontweight="bold")
    for position, entry in enumerate(vector):
        left = x + cell * position
        axis.add_patch(Rectangle((left, y - 0.2), cell, 0.4, facecolor="white", edgecolor=FAINT))
        axis.text(left + cell / 2, y, number(entry), ha="center", va="center", fontsize=8.5)


def _paint_line(
    axis: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    thickness: float = 0.8,
    colour: str = FAINT,
    arrow: bool = False,
) -> None:
    """Paint a straight line; an arrow points to the right."""
    (x, y), (x_end, y_end) = start, end
    line = Line2D([x, x_end], [y, y_end], color=colour, linewidth=thickness, solid_capstyle="round")
    if arrow:
        line.set(marker=">", markevery=[1], markersize=4.5)
    axis.add_line(line)


def _paint_weight(axis: Axes, x: float, y: float, weight: float) -> None:
    """Paint a bar as long as the weight inside a frame as long as 1, and the number above."""
    axis.add_patch(Rectangle((x, y - 0.15), 1.0, 0.3, facecolor="white", edgecolor=FAINT))
    axis.add_patch(Rectangle((x, y - 0.15), weight, 0.3, facecolor=COLOURS[0]))
    axis.text(x, y - 0.33, number(weight), va="center", fontsize=9.5)


def _paint_softmax(axis: Axes, x: float, rows: int) -> None:
    """Paint the box that every score passes through, over the lines that enter and leave it."""
    shape: dict[str, Any] = {
        "boxstyle": "round,pad=0.03",
        "facecolor": "white",
        "edgecolor": FAINT,
        "zorder": 5,
    }
    axis.add_patch(FancyBboxPatch((x, 0.2), 0.2, rows - 0.4, **shape))
    axis.text(x + 0.1, rows / 2, "softmax", rotation=90, ha="center", va="center", zorder=6)
