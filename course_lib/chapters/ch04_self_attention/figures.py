"""Self-attention drawn whole: queries, keys and values from one input, followed for one word."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.figures.picture import (
    COLOURS,
    FAINT,
    INK,
    QUIET,
    Picture,
    draw,
    largest_on,
    number,
    paired,
    plain,
)

CELL, ROW = 0.42, 0.29  # inches, the width and the height of one number
ROLES = ("Q", "K", "V")


def self_attention_step(
    X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike, *, words: Sequence[str], row: int
) -> Picture:
    """Draw self-attention from left to right, with everything that concerns one word in a thick frame.

    One input X passes through three matrices; queries and keys give the weights, weights and values the
    output. The darker a weight is, the larger.

    Parameters
    ----------
    X : array (L, d)
    W_Q, W_K : array (d, d_k)
    W_V : array (d, d_v)
        L and d of at most 6, d_k and d_v of at most 4, so that the numbers can be read.
    words : L strings
    row : int
        The word that is followed.

    Raises
    ------
    ValueError
        If the shapes do not fit together, are too large to be drawn, or there is no such row.

    Notes
    -----
    Formula: Attention(X W_Q, X W_K, X W_V). Source: B 10.2.4.

    Examples
    --------
    >>> self_attention_step([[1.0], [2.0]], [[0.0]], [[1.0]], [[3.0]], words=["a", "b"], row=1).alt[40:]
    "'b'. Query: 0. Weights: 'a' 0.5, 'b' 0.5; largest on all alike. Output: 4.5."
    """
    X = np.asarray(X, dtype=np.float64)
    matrices = [np.asarray(W, dtype=np.float64) for W in (W_Q, W_K, W_V)]
    shapes = [W.shape for W in matrices]
    fits = X.ndim == 2 and len(words) == len(X) and all(len(s) == 2 and s[0] == X.shape[1] for s in shapes)
    if not fits or shapes[0] != shapes[1]:
        raise ValueError(
            f"X {X.shape} with {len(words)} words, W_Q, W_K, W_V {shapes}: "
            "expected (L, d), L words, (d, d_k), (d, d_k), (d, d_v)"
        )
    if max(X.shape) > 6 or max(shape[1] for shape in shapes) > 4:
        raise ValueError(f"X {X.shape}, matrices {shapes}: expected L, d ≤ 6 and d_k, d_v ≤ 4 to be drawn")
    if not 0 <= row < len(X):
        raise ValueError(f"row is {row}: expected 0 to {len(X) - 1}")
    projected = [X @ W for W in matrices]
    queries, keys, values = projected
    output, weights = functional.attention(queries, keys, values)
    told = (
        f"Self-attention of {len(words)} words, followed for '{words[row]}'. "
        f"Query: {', '.join(map(number, queries[row]))}. "
        f"Weights: {paired(words, weights[row])}; largest on {largest_on(words, weights[row])}. "
        f"Output: {', '.join(map(number, output[row]))}."
    )
    # left edges in inches
    label = 0.2 + 0.085 * max(map(len, words))
    matrix_at = label + CELL * X.shape[1] + 0.75
    role_at = matrix_at + CELL * max(shape[1] for shape in shapes) + 0.55
    weights_at = role_at + CELL * max(shape[1] for shape in shapes) + 0.9
    output_at = weights_at + CELL * len(X) + 0.95
    width = output_at + CELL * output.shape[1] + 0.25
    pitch = ROW * max(X.shape) + 0.62  # from one role to the next below it
    middles = [0.25 + pitch * (i + 0.5) for i in range(3)]
    height = 3 * pitch + 0.15

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        left = _Grid(axis, label, middles[1], X, "X")
        left.name_rows(words)
        left.frame(row)
        grids = []
        for i, (role, W, vectors) in enumerate(zip(ROLES, matrices, projected, strict=True)):
            factor = _Grid(axis, matrix_at, middles[i], W, rf"$W_{role}$")
            grid = _Grid(axis, role_at, middles[i], vectors, rf"{role} = $X\,W_{role}$")
            _arrow(axis, left.right, factor.left)
            _arrow(axis, factor.right, grid.left)
            grid.frame(*([row] if role == "Q" else range(len(X))))
            grids.append(grid)
        shares = _Grid(axis, weights_at, (middles[0] + middles[1]) / 2, weights, "weights", shaded=True)
        shares.frame(row)
        shares.name_columns(words)
        result = _Grid(axis, output_at, middles[1] + 0.45 * pitch, output, "output")
        result.frame(row)
        for start, end in [(grids[0], shares), (grids[1], shares), (shares, result), (grids[2], result)]:
            _arrow(axis, start.right, end.left)
        return told

    return draw(width, height, paint)


class _Grid:
    """A matrix of boxed numbers with a heading, its left edge at x, its middle at height y."""

    def __init__(
        self, axis: Axes, x: float, y: float, matrix: NDArray[Any], heading: str, *, shaded: bool = False
    ) -> None:
        self.axis, self.x, self.matrix = axis, x, matrix
        self.top = y - ROW * len(matrix) / 2
        self.width = CELL * matrix.shape[1]
        self.left, self.right = (x - 0.08, y), (x + self.width + 0.08, y)
        axis.text(x + self.width / 2, self.top - 0.16, heading, ha="center", va="center", color=QUIET)
        boxes, colours = [], []
        for (r, c), entry in np.ndenumerate(matrix):
            corner = x + CELL * c, self.top + ROW * r
            boxes.append(Rectangle(corner, CELL, ROW))
            colours.append(to_rgba(COLOURS[0], entry) if shaded else to_rgba("white"))
            ink = "white" if shaded and entry > 0.9 else INK  # whichever stands out more
            middle = corner[0] + CELL / 2, corner[1] + ROW / 2
            axis.text(*middle, number(entry), ha="center", va="center", fontsize=8.5, color=ink)
        # one collection instead of a patch for each number: the interactive figure draws this again and again
        axis.add_collection(PatchCollection(boxes, facecolor=colours, edgecolor=FAINT, linewidth=0.6))

    def frame(self, *rows: int) -> None:
        """Put a thick frame round rows that follow one another."""
        corner = self.x, self.top + ROW * rows[0]
        look: dict[str, Any] = dict(fill=False, edgecolor=COLOURS[1], linewidth=2.2, zorder=4)
        self.axis.add_patch(Rectangle(corner, self.width, ROW * len(rows), **look))

    def name_rows(self, words: Sequence[str]) -> None:
        for r, word in enumerate(words):
            y = self.top + ROW * (r + 0.5)
            self.axis.text(self.x - 0.08, y, plain(word), ha="right", va="center", fontsize=9)

    def name_columns(self, words: Sequence[str]) -> None:
        below = self.top + ROW * len(self.matrix) + 0.06
        for c, word in enumerate(words):
            x = self.x + CELL * (c + 0.5)
            self.axis.text(x, below, plain(word), rotation=40, ha="right", va="top", rotation_mode="anchor",
                           fontsize=8.5)  # fmt: skip


def _arrow(axis: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    look: dict[str, Any] = dict(arrowstyle="-|>", mutation_scale=8, color=FAINT, linewidth=0.9)
    axis.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, zorder=0, **look))
