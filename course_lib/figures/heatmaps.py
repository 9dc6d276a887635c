"""Maps of scores and weights: queries are rows, keys are columns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.palette import FAINT, LINE, NEGATIVE, WEIGHT, ink_on
from course_lib.figures.picture import (
    NARROW_INCHES,
    Picture,
    draw_wide_and_narrow,
    fitted,
    largest_on,
    paint_shares,
    paint_title,
    plain,
    text_width,
    title_lines,
)
from course_lib.figures.picture import number as written

CELL = 0.18  # inches: of a narrow map's column or row with a word of its own
ROWS_OF_WORDS, ROWS_WHEN_NARROW = 24, 15  # that have room for words


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
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw scores or weights as a coloured grid: `heatmaps` with a single panel.

    Examples
    --------
    >>> heatmap([[0.2, 0.8]], ["is"], ["The", "hearing"]).alt
    "Heatmap of weight; rows: queries, columns: keys. 1 × 2. Row 'is': largest weight 0.8 on 'hearing'."
    """
    panel = Panel(title, matrix, rows, columns)
    return heatmaps(panel, quantity=quantity, axes=axes, centred=centred, caption=caption, number=number)


def heatmaps(
    *panels: Panel,
    quantity: str = "weight",
    axes: tuple[str, str] = ("queries", "keys"),
    centred: bool = False,
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw maps side by side on one colour scale; queries are rows, keys are columns.

    Weights are coloured from 0, which is paper, to 1; anything else from the smallest to the largest finite entry.
    An entry that is −∞ (masked) or NaN is hatched. Maps of up to 8 columns carry their numbers, but no zeros; of the
    words of a large map, only every second, fifth, tenth … is written.

    On narrow pages the maps stand under one another. A map whose words have no room there has no narrow form.

    Parameters
    ----------
    panels : Panel
        One or more maps, each (rows, columns) with its words.
    quantity : str
        What an entry is; "weight" fixes the scale to 0…1.
    axes : pair of str
        What the rows and the columns are.
    centred : bool
        Whether zero is paper and the two signs have colours of their own.
    caption, number : str
        The words under the picture, and the number in front of them.

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
    told_limits = f" Entries from {written(limits[0])} to {written(limits[1])}." if centred else ""
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

    few_words = max(4, 26 // len(panels))  # of the columns of a wide map
    plans = [_planned(panel, axes[0], alone=len(panels) == 1) for panel in panels]
    legible = all(
        plan.cell >= CELL or len(panel.columns) > few_words for plan, panel in zip(plans, panels, strict=True)
    )

    def paint(figure: Figure, narrow: bool) -> str:
        if narrow:
            *grid, scale = figure.subplots(
                len(panels) + 1, height_ratios=[*(plan.height for plan in plans), 0.12]
            )
            _paint_scale_below(scale, limits, quantity)
        else:
            grid = [*figure.subplots(1, len(panels), width_ratios=widths, squeeze=False)[0]]
        for axis, panel, matrix, plan in zip(grid, panels, matrices, plans, strict=True):
            _paint_map(axis, matrix, limits, room=plan.cell if narrow else np.inf)
            axis.set(ylabel=plan.label if narrow else axes[0], xlabel=axes[1])
            if len(panels) == 1:
                paint_title(figure, panel.title)
            else:
                axis.set_title(plain("\n".join(plan.title) if narrow else panel.title))
            if narrow:
                axis.set_yticks(*plan.rows)
                axis.set_xticks(*_thinned(panel.columns, int(plan.width / CELL)))
                if max(map(text_width, panel.columns)) > plan.cell - 0.05:
                    axis.tick_params(axis="x", labelrotation=90)
                continue
            axis.set_yticks(*_thinned(panel.rows, ROWS_OF_WORDS))
            axis.set_xticks(*_thinned(panel.columns, few_words))
            if slanted:
                axis.tick_params(axis="x", labelrotation=40)
                for label in axis.get_xticklabels():
                    label.set(horizontalalignment="right", rotation_mode="anchor")
        if not narrow:
            paint_scale(grid[-1], limits, quantity)
        told = [_tell_map(panel, matrix, quantity) for panel, matrix in zip(panels, matrices, strict=True)]
        return " ".join([f"Heatmap of {quantity}; rows: {axes[0]}, columns: {axes[1]}.{told_limits}", *told])

    whole = sum(widths) + margin * len(panels) + 0.9
    narrow_height = 0.9 + sum(plan.height + plan.around for plan in plans)
    picture = draw_wide_and_narrow(whole, height, narrow_height if legible else None, paint)
    return picture.numbered(number, caption)


class _Plan(NamedTuple):
    """How a map is laid out on a narrow page; lengths are in inches."""

    rows: tuple[range, list[str]]  # the places and words of those that are written
    label: str  # of the rows
    title: list[str]
    width: float
    cell: float  # the width of one
    height: float
    around: float  # what title, words of columns, and their label take of the height


def _planned(panel: Panel, label: str, alone: bool) -> _Plan:
    many = len(panel.rows) > ROWS_OF_WORDS
    places, words = _thinned(panel.rows, ROWS_WHEN_NARROW if many else ROWS_OF_WORDS)
    words = ["\n".join(fitted(word, 1.0)) for word in words]
    lines = max(word.count("\n") + 1 for word in words)
    height = max(CELL * len(words) * lines, min(0.4 * len(panel.rows), 2.6))
    label_lines = fitted(label, max(height, 0.8))
    longest = max(text_width(line) for word in words for line in word.split("\n"))
    width = NARROW_INCHES - 0.3 - 0.2 * len(label_lines) - longest
    title = title_lines(panel.title, NARROW_INCHES if alone else width)
    cell = width / len(panel.columns)
    below = max(map(text_width, panel.columns))
    around = 0.7 + 0.22 * len(title) + below
    return _Plan((places, words), "\n".join(label_lines), title, width, cell, height, around)


def _paint_scale_below(axis: Axes, limits: tuple[float, float], label: str) -> None:
    """Make of an axis of its own the scale of `paint_entries`."""
    low, high = limits
    paint_entries(axis, np.linspace(low, high, 128)[None], limits, extent=(low, high, 0, 1))
    axis.set(yticks=[], xlabel=label)
    axis.spines[:].set(visible=True, color=LINE)


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


def _paint_map(axis: Axes, matrix: NDArray[Any], limits: tuple[float, float], room: float) -> None:
    """Paint a map with its numbers, if there are few of them; `room` is that of a cell, in inches."""
    paint_entries(axis, matrix, limits)
    axis.tick_params(length=0)
    axis.spines[:].set(visible=True, color=LINE)
    for row, column in np.argwhere(~np.isfinite(matrix)):
        look: dict[str, Any] = dict(fill=False, hatch="////", edgecolor=FAINT, linewidth=0)
        axis.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **look))
    if matrix.shape[1] > 8 or matrix.shape[0] > 24:
        return
    shown = (np.round(matrix, 2) != 0) | (limits[0] > 0)  # where zero is paper it needs no number
    decimals = _decimals(matrix[shown & np.isfinite(matrix)])
    for fewer in (decimals, min(decimals, 1)):
        shown &= (np.round(matrix, fewer) != 0) | (limits[0] > 0)
        texts = {
            (row, column): f"{matrix[row, column]:.{fewer}f}".replace("-", "−")
            for row, column in np.argwhere(shown)
        }
        if max(map(text_width, texts.values()), default=0) < room - 0.03:  # inches
            break
    else:
        return
    for (row, column), text in texts.items():
        ink = _ink_of(matrix[row, column], limits)
        axis.text(column, row, text, ha="center", va="center", color=ink)


def _decimals(entries: NDArray[Any]) -> int:
    """Return how many decimals the numbers of a map have, all the same: as many as one of them needs, at most two."""
    return max((len(written(entry).partition(".")[2]) for entry in entries), default=0)


def paint_entries(axis: Axes, matrix: NDArray[Any], limits: tuple[float, float], **where: Any) -> None:
    """Paint a map (rows, columns) between two limits: from paper to one hue, or, below zero, to another.

    Where the lower limit is negative and the upper its opposite, zero is paper; otherwise the lower limit is.
    """
    where = {"aspect": "auto"} | where
    shares = _shares(matrix, limits)
    paint_shares(axis, shares, WEIGHT, **where)
    if _is_signed(limits):
        paint_shares(axis, -shares, NEGATIVE, **where)


def paint_scale(axis: Axes, limits: tuple[float, float], label: str) -> None:
    """Put the scale of `paint_entries` to the right of a map."""
    scale = axis.inset_axes((1.03, 0, min(0.05, 0.12 / axis.get_position().width), 1))
    low, high = limits
    entries = np.linspace(high, low, 128)[:, None]
    paint_entries(scale, entries, limits, extent=(0, 1, low, high))
    scale.set(xticks=[])
    scale.set_ylabel(label, rotation=90)
    scale.yaxis.set_ticks_position("right")
    scale.yaxis.set_label_position("right")
    scale.spines[:].set(visible=True, color=LINE)


def _is_signed(limits: tuple[float, float]) -> bool:
    return limits[0] == -limits[1]


def _shares(matrix: NDArray[Any], limits: tuple[float, float]) -> NDArray[Any]:
    """Return how far each entry is between the limits, from 0 to 1; of signed ones, from −1 to 1."""
    low, high = (0.0, limits[1]) if _is_signed(limits) else limits
    shares: NDArray[Any] = (matrix - low) / ((high - low) or 1.0)
    return shares


def _ink_of(entry: float, limits: tuple[float, float]) -> str:
    if not np.isfinite(entry):
        return ink_on(WEIGHT, 0)
    share = float(_shares(np.array(entry), limits))
    return ink_on(WEIGHT if share >= 0 else NEGATIVE, abs(share))


def _tell_map(panel: Panel, matrix: NDArray[Any], quantity: str) -> str:
    """Say of each row where it is largest; of the rows of a long map, the first twelve."""
    n_rows, n_columns = matrix.shape
    told = [f"{panel.title + ', ' if panel.title else ''}{n_rows} × {n_columns}."]
    for word, row in list(zip(panel.rows, matrix, strict=True))[:12]:
        finite = np.isfinite(row)
        if not finite.any():
            told.append(f"Row '{word}': no finite {quantity}.")
            continue
        largest = written(row[finite].max())
        told.append(f"Row '{word}': largest {quantity} {largest} on {largest_on(panel.columns, row)}.")
        if not finite.all():
            told[-1] = told[-1][:-1] + f", {np.sum(~finite)} hatched (not finite)."
    if n_rows > 12:
        told.append(f"{n_rows - 12} further rows are not described.")
    return " ".join(told)
