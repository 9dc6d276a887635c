"""Maps of scores and weights: queries are rows, keys are columns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.picture import INK, Picture, draw, largest_on, number, plain


class Panel(NamedTuple):
    """One map of `heatmaps`: a matrix (rows, columns), its title, and a word for each row and column."""

    title: str
    matrix: ArrayLike
    rows: Sequence[str]
    columns: Sequence[str]


def heatmap(
    matrix: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str = "",
    quantity: str = "weight",
    axes: tuple[str, str] = ("queries", "keys"),
    centred: bool = False,
) -> Picture:
    """Draw scores or weights as a coloured grid: `heatmaps` with a single panel.

    Examples
    --------
    >>> heatmap([[0.2, 0.8]], ["is"], ["The", "hearing"]).alt
    "Heatmap of weight; rows: queries, columns: keys. 1 × 2. Row 'is': largest weight 0.8 on 'hearing'."
    """
    return heatmaps(Panel(title, matrix, rows, columns), quantity=quantity, axes=axes, centred=centred)


def heatmaps(
    *panels: Panel,
    quantity: str = "weight",
    axes: tuple[str, str] = ("queries", "keys"),
    centred: bool = False,
) -> Picture:
    """Draw maps side by side on one colour scale; queries are rows, keys are columns.

    Weights are coloured from 0 to 1, anything else from the smallest to the largest finite entry. An entry
    that is −∞ (masked) or NaN is hatched. Maps of up to 8 columns carry their numbers; of the words of a large
    map, only every second, fifth, tenth … is written.

    Parameters
    ----------
    panels : Panel
        One or more maps, each (rows, columns) with its words.
    quantity : str
        What an entry is; "weight" fixes the scale to 0…1.
    axes : pair of str
        What the rows and the columns are.
    centred : bool
        Whether zero has the middle colour and the two signs have colours of their own.

    Raises
    ------
    ValueError
        If there is no panel, a matrix is not two-dimensional, or its words do not fit its shape.

    Examples
    --------
    >>> heatmaps(Panel("First", [[1, 3]], ["a"], ["x", "y"]), quantity="score").alt
    "Heatmap of score; rows: queries, columns: keys. First, 1 × 2. Row 'a': largest score 3 on 'y'."
    """
    matrices = [_matrix(panel) for panel in panels]
    if not matrices:
        raise ValueError("panels is empty: expected at least one Panel")
    finite = np.concatenate([matrix[np.isfinite(matrix)] for matrix in matrices])
    limits = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    told_limits = f" Entries from {number(limits[0])} to {number(limits[1])}." if centred else ""
    if centred:
        reach = max(map(abs, limits))
        limits = (-reach, reach)
    elif quantity == "weight":
        limits = (0.0, 1.0)
    n_rows = max(len(matrix) for matrix in matrices)
    widths = [min(max(0.62 * matrix.shape[1], 1.8), 8.0 / len(panels) ** 0.5) for matrix in matrices]
    margin = 0.5 + 0.085 * max(len(word) for panel in panels for word in panel.rows)
    slanted = any(len(word) > 7 for panel in panels for word in panel.columns)
    height = min(0.45 * n_rows, 5.0) + (1.8 if slanted else 1.3)

    def paint(figure: Figure) -> str:
        grid = figure.subplots(1, len(panels), width_ratios=widths, squeeze=False)[0]
        for axis, panel, matrix in zip(grid, panels, matrices, strict=True):
            image = _paint_map(axis, matrix, limits, "PuOr" if centred else "cividis")
            axis.set(title=panel.title, ylabel=axes[0], xlabel=axes[1])
            axis.set_yticks(*_thinned(panel.rows, 24))
            axis.set_xticks(*_thinned(panel.columns, max(4, 26 // len(panels))))
            if slanted:
                axis.tick_params(axis="x", labelrotation=40)
                for label in axis.get_xticklabels():
                    label.set(horizontalalignment="right", rotation_mode="anchor")
        figure.colorbar(image, ax=list(grid), label=quantity, pad=0.02)
        told = [_tell_map(panel, matrix, quantity) for panel, matrix in zip(panels, matrices, strict=True)]
        return " ".join([f"Heatmap of {quantity}; rows: {axes[0]}, columns: {axes[1]}.{told_limits}", *told])

    return draw(sum(widths) + margin * len(panels) + 0.9, height, paint, layout="constrained")


def _matrix(panel: Panel) -> NDArray[Any]:
    matrix = np.asarray(panel.matrix, dtype=float)
    if matrix.shape != (len(panel.rows), len(panel.columns)) or not matrix.size:
        raise ValueError(
            f"matrix {matrix.shape} of panel {panel.title!r}: expected one row for each of its "
            f"{len(panel.rows)} row words and one column for each of its {len(panel.columns)} column words"
        )
    return matrix


def _thinned(words: Sequence[str], room: int) -> tuple[range, list[str]]:
    """Return the places and words of an axis on which there is room for so many."""
    step = next(step for n in range(9) for step in (10**n, 2 * 10**n, 5 * 10**n) if len(words) <= step * room)
    return range(0, len(words), step), list(map(plain, words[::step]))


def _paint_map(axis: Axes, matrix: NDArray[Any], limits: tuple[float, float], colours: str) -> AxesImage:
    image = axis.imshow(np.ma.masked_invalid(matrix), cmap=colours, vmin=limits[0], vmax=limits[1])
    axis.set_aspect("auto")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    for (row, column), entry in np.ndenumerate(matrix):
        if not np.isfinite(entry):
            axis.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, hatch="////", linewidth=0))
        if matrix.shape[1] <= 8 and matrix.shape[0] <= 24:
            ink = _readable_on(image.to_rgba(entry)) if np.isfinite(entry) else INK
            axis.text(column, row, number(entry), ha="center", va="center", color=ink)
    return image


def _readable_on(colour: NDArray[Any]) -> str:
    """Return white or black, whichever stands out more; WCAG 2's relative luminance decides."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return "white" if np.dot(linear, (0.2126, 0.7152, 0.0722)) < 0.179 else "black"


def _tell_map(panel: Panel, matrix: NDArray[Any], quantity: str) -> str:
    """Say of each row where it is largest; of the rows of a long map, the first twelve."""
    n_rows, n_columns = matrix.shape
    told = [f"{panel.title + ', ' if panel.title else ''}{n_rows} × {n_columns}."]
    for word, row in list(zip(panel.rows, matrix, strict=True))[:12]:
        finite = np.isfinite(row)
        if not finite.any():
            told.append(f"Row '{word}': no finite {quantity}.")
            continue
        largest = number(row[finite].max())
        told.append(f"Row '{word}': largest {quantity} {largest} on {largest_on(panel.columns, row)}.")
        if not finite.all():
            told[-1] = told[-1][:-1] + f", {np.sum(~finite)} hatched (not finite)."
    if n_rows > 12:
        told.append(f"{n_rows - 12} further rows are not described.")
    return " ".join(told)
