"""Masks over their words: who may look where, in one layer and through several."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.heatmaps import Panel
from course_lib.figures.palette import COLOURS, FAINT, INK, PAPER, QUIET
from course_lib.figures.picture import Picture, draw, draw_wide_and_narrow, plain

AXES = ("position that looks", "position that is looked at")


def masks(*panels: Panel, axes: tuple[str, str] = AXES) -> Picture:
    """Draw masks side by side: a filled square where attention is allowed, a hatched one where it is not.

    On narrow pages they stand under one another.

    Parameters
    ----------
    panels : Panel
        One or more boolean matrices (rows, columns), True where attention is *allowed*, with their words.
    axes : pair of str
        What the rows and the columns are.

    Raises
    ------
    ValueError
        If there is no panel, a matrix is not boolean and two-dimensional, or its words do not fit its shape.

    Examples
    --------
    >>> masks(Panel("Causal", np.tri(2, dtype=bool), ["Je", "t'"], ["Je", "t'"])).alt[-46:]
    "allowed. Causal. “Je”: “Je”. “t'”: “Je”, “t'”."
    """
    matrices = [_allowed(panel) for panel in panels]
    if not matrices:
        raise ValueError("panels is empty: expected at least one Panel")
    widths = [max(0.46 * matrix.shape[1], 1.6) for matrix in matrices]
    margin = 0.75 + 0.085 * max(len(word) for panel in panels for word in panel.rows)
    height = 0.38 * max(len(matrix) for matrix in matrices) + 1.55

    heights = [0.36 * len(matrix) for matrix in matrices]

    def paint(figure: Figure, narrow: bool) -> str:
        if narrow:
            grid = figure.subplots(len(panels), 1, height_ratios=heights, squeeze=False)[:, 0]
        else:
            grid = figure.subplots(1, len(panels), width_ratios=widths, squeeze=False)[0]
        for axis, panel, matrix in zip(grid, panels, matrices, strict=True):
            _paint_mask(axis, matrix, panel)
            axis.set(title=panel.title, ylabel=axes[0], xlabel=axes[1])
        told = " ".join(_tell_mask(panel, matrix) for panel, matrix in zip(panels, matrices, strict=True))
        return f"Mask; rows: {axes[0]}, columns: {axes[1]}. For each row, the columns allowed. {told}"

    tall = sum(heights) + 1.4 * len(panels)
    return draw_wide_and_narrow(sum(widths) + margin * len(panels), height, tall, paint)


def sight(allowed: ArrayLike, words: Sequence[str], layers: int = 1, position: int = -1) -> Picture:
    """Draw a mask, and beside it what one position sees through several layers with residual connections.

    Each row of dots is a layer, each line a look that the mask allows, each dotted line a residual connection
    alone. Filled dots are those from which something travels up to the chosen position, the square; the filled
    dots of the lowest row are the words that it knows of.

    Parameters
    ----------
    allowed : boolean array (L, L)
        True where position i (row) may attend to position j (column).
    words : L strings
    layers : int
        How many layers of attention lie above one another, 1 or more.
    position : int
        The position that is followed, from 0; −1 is the last.

    Raises
    ------
    ValueError
        If the mask is not boolean and (L, L), if there is no layer, or no such position.

    Examples
    --------
    >>> previous = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]], dtype=bool)  # itself and one before it
    >>> sight(previous, ["a", "b", "c"]).alt.partition("Through ")[2]
    '1 layer, “c” at position 2 sees 2 of 3: “b”, “c”.'
    """
    panel = Panel("One layer", allowed, words, words)
    matrix = _allowed(panel)
    length = len(words)
    if matrix.shape != (length, length):
        raise ValueError(f"allowed {matrix.shape}: expected ({length}, {length}), one row and column a word")
    if layers < 1:
        raise ValueError(f"layers is {layers}: expected at least 1")
    if not -length <= position < length:
        raise ValueError(f"position is {position}: expected one of the {length} positions, from 0")
    position %= length
    reached = _reached(matrix, layers, position)
    map_width, graph_width = 0.42 * length + 0.3, 0.62 * length
    height = max(0.36 * length + 1.6, 0.62 * layers + 1.9)

    def paint(figure: Figure) -> str:
        left, right = figure.subplots(1, 2, width_ratios=[map_width, graph_width])
        _paint_mask(left, matrix, panel)
        left.add_patch(
            Rectangle((-0.5, position - 0.5), length, 1, fill=False, edgecolor=COLOURS[1], linewidth=2)
        )
        left.set(title=panel.title, ylabel=AXES[0], xlabel=AXES[1])
        _paint_graph(right, matrix, reached, words, position)
        plural = "layer" if layers == 1 else "layers"
        right.set_title(f"What “{plain(words[position])}” sees through {layers} {plural}")
        seen = ", ".join(f"“{words[int(j)]}”" for j in np.flatnonzero(reached[0]))
        return (
            f"Mask; rows: {AXES[0]}, columns: {AXES[1]}. {_tell_mask(panel, matrix)} "
            f"Through {layers} {plural}, “{words[position]}” at position {position} "
            f"sees {reached[0].sum()} of {length}: {seen}."
        )

    return draw(map_width + graph_width + 1.7, height, paint, layout="constrained")


def _allowed(panel: Panel) -> NDArray[np.bool_]:
    matrix = np.asarray(panel.matrix)
    expected = (len(panel.rows), len(panel.columns))
    if matrix.dtype != np.bool_ or matrix.shape != expected or not matrix.size:
        raise ValueError(
            f"mask {matrix.shape} of {matrix.dtype}, panel {panel.title!r}: expected booleans {expected}, one row "
            "and one column for each of its words"
        )
    return matrix


def _reached(allowed: NDArray[np.bool_], layers: int, position: int) -> NDArray[np.bool_]:
    """Return (layers + 1, L): which positions pass something up to `position` in the top row, row 0 the words."""
    rows = np.zeros((layers + 1, len(allowed)), dtype=bool)
    rows[layers, position] = True
    looks = allowed | np.eye(len(allowed), dtype=bool)  # the residual connection: everyone keeps what it has
    for layer in range(layers, 0, -1):
        rows[layer - 1] = looks[rows[layer]].any(axis=0)
    return rows


def _paint_mask(axis: Axes, matrix: NDArray[np.bool_], panel: Panel) -> None:
    looks: dict[bool, dict[str, Any]] = {
        True: {"facecolor": COLOURS[0], "edgecolor": PAPER, "linewidth": 1},
        False: {"facecolor": "none", "edgecolor": FAINT, "hatch": "////", "linewidth": 0},
    }
    for free, look in looks.items():  # one collection each: a patch for each cell takes three times as long
        cells = [Rectangle((j - 0.5, i - 0.5), 1, 1) for i, j in np.argwhere(matrix == free)]
        axis.add_collection(PatchCollection(cells, **look), autolim=False)
    axis.set(xlim=(-0.55, matrix.shape[1] - 0.45), ylim=(len(matrix) - 0.45, -0.55))
    axis.set_xticks(range(matrix.shape[1]), list(map(plain, panel.columns)), rotation=40, ha="right")
    for label in axis.get_xticklabels():
        label.set_rotation_mode("anchor")
    axis.set_yticks(range(len(matrix)), list(map(plain, panel.rows)))
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def _paint_graph(
    axis: Axes, allowed: NDArray[np.bool_], reached: NDArray[np.bool_], words: Sequence[str], position: int
) -> None:
    """Paint the layers from the words at the bottom to the outputs at the top; the residual path is dotted."""
    layers, length = len(reached) - 1, len(words)
    looks = np.argwhere(np.broadcast_to(allowed, (layers, length, length)))
    alone = np.argwhere(np.broadcast_to(np.eye(length, dtype=bool) & ~allowed, (layers, length, length)))
    for triples, style in ((looks, "-"), (alone, ":")):
        for used, look in ((False, {"color": FAINT, "alpha": 0.45}), (True, {"color": COLOURS[0]})):
            drawn = [[(j, layer), (i, layer + 1)] for layer, i, j in triples if reached[layer + 1, i] == used]
            width = 1.6 if used else 0.5
            lines = LineCollection(drawn, linewidths=width, linestyles=style, zorder=1 + used, **look)
            axis.add_collection(lines)
    for filled, look in ((False, {"facecolor": PAPER, "edgecolor": FAINT}), (True, {"color": COLOURS[0]})):
        layer, j = np.nonzero(reached == filled)
        axis.scatter(j, layer, s=110, zorder=3, **look)  # type: ignore[arg-type]
    axis.scatter([position], [layers], s=150, marker="s", color=COLOURS[1], zorder=4)
    room = 0.25 * max(layers, 2) / 2
    axis.set(xlim=(-0.5, length - 0.5), ylim=(-room, layers + room))
    axis.set_xticks(range(length), list(map(plain, words)), rotation=40, ha="right")
    for label, known in zip(axis.get_xticklabels(), reached[0], strict=True):
        weight = "bold" if known else "normal"
        label.set(rotation_mode="anchor", fontweight=weight, color=INK if known else QUIET)
    axis.set_yticks(range(layers + 1), ["words", *(f"layer {n}" for n in range(1, layers + 1))])
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def _tell_mask(panel: Panel, matrix: NDArray[np.bool_]) -> str:
    told = [f"{panel.title}."]
    for word, row in zip(panel.rows, matrix, strict=True):
        seen = ", ".join(f"“{panel.columns[int(j)]}”" for j in np.flatnonzero(row)) or "nothing"
        told.append(f"“{word}”: {seen}.")
    return " ".join(told)
