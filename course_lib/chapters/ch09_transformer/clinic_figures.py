"""Charts of the patients in the bug clinic: how each learned, and where it looks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.palette import COLOURS, INK, LINE, QUIET, WEIGHT, ink_on
from course_lib.figures.picture import Picture, draw, largest_on, number, paint_shares, significant

SMOOTHING = 10  # steps over which a loss is averaged before it is drawn
LEAST_WRITTEN = 0.045  # smaller weights are dark squares without a number
Losses = NDArray[np.float64]


class Chart(NamedTuple):
    """What is drawn of one patient.

    `losses` is (n_seeds, n_steps); `own` (L_t, L_t) and `cross` (L_t, L_s) are attention weights of its decoder,
    over the words that it has `read` and those of the `source`; each row is named by the word that is `predicted`
    there.
    """

    name: str
    losses: ArrayLike
    own: ArrayLike
    cross: ArrayLike
    read: Sequence[str]
    source: Sequence[str]
    predicted: Sequence[str]


def patient_charts(
    charts: Sequence[Chart],
    healthy: ArrayLike,
    *,
    log: bool = True,
    levels: Mapping[str, float] | None = None,
) -> Picture:
    """Draw a row for each patient: its loss beside that of a healthy model, and two maps of attention.

    Parameters
    ----------
    charts : sequence of Chart
    healthy : array (n_seeds, n_steps)
        Losses of a healthy model, in nats a token.
    log : bool
        Whether the axis of the losses is logarithmic.
    levels : mapping from name to number
        Losses to compare with, drawn as horizontal lines.

    Raises
    ------
    ValueError
        If there is no chart, or the words of one do not fit its maps.

    Examples
    --------
    >>> chart = Chart("Patient", [[2.0] * 20], [[1.0]], [[0.2, 0.8]], ["<s>"], ["two", "one"], ["un"])
    >>> print(patient_charts([chart], [[1.0] * 20]).alt)
    Patient: loss from 2 to 2 in 20 steps, healthy to 1. Attention of the decoder to its own words: 'un' most to \
'<s>' (1). Attention to the source: 'un' most to 'one' (0.8).
    """
    if not charts:
        raise ValueError("charts is empty: expected at least one Chart")
    for chart in charts:
        shapes = np.shape(chart.own), np.shape(chart.cross)
        expected = (len(chart.predicted), len(chart.read)), (len(chart.predicted), len(chart.source))
        if shapes != expected:
            raise ValueError(f"maps {shapes} of {chart.name!r}: expected {expected}, a word a row and column")
    sound = _smooth(healthy)

    def paint(figure: Figure) -> str:
        grid = figure.subplots(len(charts), 3, width_ratios=[1.25, 1, 1], squeeze=False)
        told = []
        grid[-1, 0].set_xlabel("training step")  # said once, like the titles of the maps
        grid[0, 1].set_title("attention to its own words", fontsize=10)
        grid[0, 2].set_title("attention to the source", fontsize=10)
        for row, chart in zip(grid, charts, strict=True):
            losses = _smooth(chart.losses)
            _paint_losses(row[0], losses, sound, levels or {})
            row[0].set_title(chart.name)
            if log:
                row[0].set(yscale="log", ylim=(4e-4, 4), yticks=[1e-3, 1e-2, 1e-1, 1])
                row[0].minorticks_off()
            else:
                row[0].set_ylim(0, 2.8)
            told.append(
                f"{chart.name}: loss from {significant(np.median(losses[:, 0]))} to "
                f"{significant(np.median(losses[:, -1]))} in {np.shape(chart.losses)[-1]} steps, "
                f"healthy to {significant(np.median(sound[:, -1]))}."
            )
            for axis, matrix, words, title in (
                (row[1], np.asarray(chart.own), chart.read, "its own words"),
                (row[2], np.asarray(chart.cross), chart.source, "the source"),
            ):
                _paint_map(axis, matrix, chart.predicted, words)
                of_decoder = " of the decoder" if axis is row[1] else ""
                told.append(f"Attention{of_decoder} to {title}: {_tell_map(matrix, chart.predicted, words)}.")
            row[1].set_ylabel("being predicted")
            row[2].set_yticks([])  # the rows are those of the map beside it
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
        return " ".join(told)

    return draw(7.4, 1.75 * len(charts) + 0.6, paint, layout="constrained")


def _smooth(losses: ArrayLike) -> Losses:
    """Average over windows of `SMOOTHING` steps, (n_seeds, n_steps − SMOOTHING + 1)."""
    raw = np.atleast_2d(np.asarray(losses, dtype=float))
    kernel = np.full(SMOOTHING, 1 / SMOOTHING)
    return np.array([np.convolve(run, kernel, mode="valid") for run in raw])


def _paint_losses(axis: Axes, losses: Losses, healthy: Losses, levels: Mapping[str, float]) -> None:
    axis.set_ylabel("loss")
    axis.grid(color=LINE)
    for runs, colour, dashes, label in (
        (healthy, COLOURS[2], "--", "healthy"),
        (losses, COLOURS[1], "-", "patient"),
    ):
        steps = np.arange(runs.shape[1]) + SMOOTHING
        axis.fill_between(steps, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=0.2, linewidth=0)
        axis.plot(steps, np.median(runs, axis=0), color=colour, linestyle=dashes, label=label)
    for word, level in levels.items():  # the highest has its name above, where there is room
        above = level == max(levels.values())
        axis.axhline(level, color=INK, linewidth=0.8, linestyle=":")
        place: dict[str, Any] = {"ha": "right", "va": "bottom" if above else "top"}
        axis.text(
            axis.get_xlim()[1], level + (0.06 if above else 0), f"{word} ", fontsize=10, color=QUIET, **place
        )


def _paint_map(axis: Axes, matrix: NDArray[np.float64], rows: Sequence[str], columns: Sequence[str]) -> None:
    paint_shares(axis, matrix, WEIGHT, aspect="auto")
    axis.set_xticks(
        range(len(columns)), columns, rotation=40, ha="right", rotation_mode="anchor", fontsize=10
    )
    axis.set_yticks(range(len(rows)), rows, fontsize=10)
    axis.tick_params(length=0)
    axis.spines[:].set(visible=True, color=LINE)
    for row, column in np.argwhere(matrix >= LEAST_WRITTEN):
        weight = matrix[row, column]
        ink = ink_on(WEIGHT, weight)
        axis.text(column, row, number(weight), ha="center", va="center", color=ink, fontsize=10)


def _tell_map(matrix: NDArray[np.float64], rows: Sequence[str], columns: Sequence[str]) -> str:
    told = []
    for word, row in zip(rows, matrix, strict=True):
        total = "" if np.isclose(row.sum(), 1, atol=0.01) else f", sum of the row {number(row.sum())}"
        told.append(f"'{word}' most to {largest_on(columns, row)} ({number(row.max())}{total})")
    return ", ".join(told)
