"""Bars side by side, and levels to compare them with."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course_lib.figures.palette import COLOURS, INK, LINE, PAPER, QUIET
from course_lib.figures.picture import (
    NARROW_INCHES,
    Picture,
    draw_wide_and_narrow,
    fitted,
    paint_title,
    plain,
    sentence,
    significant,
    title_lines,
    wrapped,
)
from course_lib.figures.picture import number as written

# Of levels; where their names stand in a legend, they are told apart by them.
LEVEL_DASHES = ((4, 3), (1, 1.5), (8, 2, 1, 2))
LEGEND_BELOW: dict[str, Any] = {
    "loc": "outside lower left",
    "labelspacing": 0.2,
    "borderpad": 0,
    "borderaxespad": 0.1,
}


def bars(
    groups: Sequence[str],
    series: Mapping[str, ArrayLike],
    *,
    y_label: str,
    title: str = "",
    levels: Mapping[str, float] | None = None,
    dots: str = "seeds",
    decimals: int | None = None,
    caption: str = "",
    number: str = "",
    colours: Mapping[str, int] | None = None,
) -> Picture:
    """Draw groups of bars, in each group one bar for each series, with its number.

    Bars stand; where the names of groups have no room under them, and on narrow pages, they lie.

    Parameters
    ----------
    groups : n strings
        What is written under each group.
    series : mapping from name to array (n,) or (n_runs, n)
        Of several runs the bar is the median, and each run is a dot.
    y_label : str
    levels : mapping from name to number
        Horizontal lines to compare the bars with, each with its name beside it.
    dots : str
        What the runs differ in, as the text alternative says it.
    decimals : int
        How many each bar's number has; left out, as many as it needs.
    caption, number : str
        The words under the picture, and the number in front of them.
    colours : mapping from name to int
        Which of the six colours of the palette a series has; left out, the series take them in turn.

    Raises
    ------
    ValueError
        If there is no series, or one has not an entry for each group.

    Examples
    --------
    >>> bars(["short", "long"], {"GRU": [1.0, 0.25]}, y_label="accuracy", levels={"chance": 0.25}).alt
    'Bars of accuracy. GRU: short 1, long 0.25. Level chance: 0.25.'
    """
    runs = {name: np.atleast_2d(np.asarray(y, dtype=float)) for name, y in series.items()}  # (n_runs, n)
    if not runs:
        raise ValueError("series is empty: expected at least one")
    for name, y in runs.items():
        if y.ndim != 2 or y.shape[1] != len(groups) or not y.size:
            raise ValueError(
                f"series {name!r} {y.shape}: expected one entry for each of {len(groups)} groups"
            )
    thickness = 0.8 / len(runs)
    width = max(4.5, 3.2 + 0.5 * len(groups) * len(runs) ** 0.7)
    letters = int(12 * (width - 1) / len(groups))  # that stand side by side under a group
    named = [wrapped(group, max(3, letters)) or [""] for group in groups]
    always_lying = any(len(lines) > 2 or max(map(len, lines)) > letters for lines in named)
    room = 0.08 * max(map(len, levels or {}), default=0)  # inches, for the names of levels

    near = 0.12 * max(
        float(y.max()) for y in runs.values()
    )  # runs so close to the bar do not part it from its number

    when_narrow = ["\n".join(fitted(group, 1.1)) for group in groups]
    in_legend = [label_of(name, narrow=True) for name in [*runs, *(levels or {})]]

    def paint(figure: Figure, narrow: bool) -> str:
        lying = always_lying or narrow
        axis = figure.subplots()
        paint_title(figure, title)
        told = [f"{sentence(title)}Bars of {y_label}."]
        for i, (name, y) in enumerate(runs.items()):
            middle = np.median(y, axis=0)
            places = np.arange(len(groups)) + (i - (len(runs) - 1) / 2) * thickness
            draw_bars = axis.barh if lying else axis.bar
            colour = COLOURS[(i if colours is None else colours[name]) % 6]
            draw_bars(places, middle, 0.92 * thickness, label=label_of(name, narrow), color=colour)
            if len(y) > 1:
                at = np.repeat(places[None], len(y), axis=0)
                axis.plot(
                    *((y, at) if lying else (at, y)), "o", markersize=3.5, color=INK, markeredgecolor=PAPER
                )
            for place, value, highest in zip(places, middle, y.max(axis=0), strict=True):
                top = highest if highest - value < near else value
                axis.annotate(
                    _short(value) if decimals is None else f"{value:.{decimals}f}".replace("-", "−"),
                    (max(top, 0), place) if lying else (place, max(top, 0)),
                    xytext=(5, 0) if lying else (0, 3),
                    textcoords="offset points",
                    ha="left" if lying else "center",
                    va="center" if lying else "bottom",
                    fontsize=10 if len(groups) * len(runs) < 16 else 9,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.5},
                    zorder=4,
                )
            of_runs = f" (median of {len(y)} {dots})" if len(y) > 1 else ""
            pairs = zip(groups, middle, strict=True)
            told.append(f"{name}{of_runs}: {', '.join(f'{group} {significant(m)}' for group, m in pairs)}.")
        if lying:
            label = "\n".join(fitted(y_label, NARROW_INCHES - 0.2)) if narrow else y_label
            axis.set_xlabel(label, loc="right" if narrow else "center")
            axis.grid(axis="x", color=LINE)
            axis.set_yticks(range(len(groups)), list(map(plain, when_narrow if narrow else groups)))
            axis.tick_params(axis="y", length=0)
            axis.invert_yaxis()
            axis.margins(x=0.25 if narrow else 0.12)  # for the numbers
        else:
            axis.set(ylabel=y_label)
            axis.grid(axis="y", color=LINE)
            axis.set_xticks(range(len(groups)), [plain("\n".join(lines)) for lines in named])
            axis.tick_params(axis="x", length=0)
            if levels:  # their names stand to the right of the last bar
                axis.set_xlim(right=len(groups) - 0.5 + room * len(groups) / (width - 1))
        told += paint_levels(axis, levels or {}, names=not narrow, upright=lying)
        if (
            narrow and len(in_legend) > 1
        ):  # there is no room beside the bars, nor above them for names of levels
            handles = dict(zip(*axis.get_legend_handles_labels()[::-1], strict=True))
            shown = [handles[name] for name in in_legend]
            figure.legend(shown, in_legend, **LEGEND_BELOW)
        elif len(runs) > 1:
            axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        return " ".join(told)

    if always_lying:
        size = 2 + 0.085 * max(map(len, groups)) + 3.5, 1.3 + 0.3 * len(groups) * max(1.4, len(runs))
    else:
        size = width + room, 3.8
    each = max(0.24 * len(runs) + 0.1, 0.18 * max(group.count("\n") + 1 for group in when_narrow) + 0.12)
    around = [*title_lines(title, NARROW_INCHES), *"\n".join(in_legend).split("\n")]
    small = 1.2 + 0.22 * len(around) + each * len(groups)
    return draw_wide_and_narrow(*size, small, paint).numbered(number, caption)


def label_of(name: str, narrow: bool) -> str:
    """Return a name for the legend, in lines if it stands under a narrow picture."""
    return plain("\n".join(fitted(name, NARROW_INCHES - 0.7)) if narrow else name)


def _short(value: float) -> str:
    return written(value) if abs(value) < 10 else significant(value)


def paint_levels(
    axis: Axes, levels: Mapping[str, float], *, names: bool = True, upright: bool = False
) -> list[str]:
    """Paint horizontal lines, or upright ones, their names above them; return a sentence for each."""
    for i, (name, level) in enumerate(levels.items()):
        dashes = 0, LEVEL_DASHES[i % 3]
        look: dict[str, Any] = {"color": QUIET, "linestyle": dashes, "linewidth": 1.2, "zorder": 1.5}
        label = None if names else label_of(name, True)
        if upright:
            axis.axvline(level, label=label, **look)
            if not names:
                continue
            place = (level, 1.02), ("data", "axes fraction")
            axis.annotate(plain(name), place[0], xycoords=place[1], ha="center", color=QUIET)
            continue
        axis.axhline(level, label=label, **look)
        if names:
            axis.annotate(
                plain(name),
                (0.995, level),
                xycoords=("axes fraction", "data"),
                xytext=(0, 2),
                textcoords="offset points",
                ha="right",
                color=QUIET,
                bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 1},
                zorder=5,
            )
    return [f"Level {name}: {significant(level)}." for name, level in levels.items()]
