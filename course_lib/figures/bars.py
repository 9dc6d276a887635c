"""Bars side by side, and levels to compare them with."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course_lib.figures.picture import (
    CARD,
    COLOURS,
    FAINT,
    INK,
    QUIET,
    Picture,
    draw,
    plain,
    sentence,
    significant,
)

HATCHES = ("", "///", "...", "xx", "\\\\\\", "++")  # so that colour is never alone


def bars(
    groups: Sequence[str],
    series: Mapping[str, ArrayLike],
    *,
    y_label: str,
    title: str = "",
    levels: Mapping[str, float] | None = None,
    dots: str = "seeds",
) -> Picture:
    """Draw groups of bars, in each group one bar for each series.

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
    room = 0.08 * max(map(len, levels or {}), default=0)  # inches, for the names of levels

    def paint(figure: Figure) -> str:
        axis = figure.subplots()
        axis.set(title=title, ylabel=y_label)
        axis.grid(axis="y", color=FAINT, alpha=0.25)
        slanted = max(map(len, groups)) * len(groups) > 80
        axis.set_xticks(range(len(groups)), list(map(plain, groups)), rotation=30 if slanted else 0)
        if slanted:
            for label in axis.get_xticklabels():
                label.set(horizontalalignment="right", rotation_mode="anchor")
        axis.tick_params(axis="x", length=0)
        told = [f"{sentence(title)}Bars of {y_label}."]
        for i, (name, y) in enumerate(runs.items()):
            middle = np.median(y, axis=0)
            places = np.arange(len(groups)) + (i - (len(runs) - 1) / 2) * thickness
            look: dict[str, Any] = {"facecolor": COLOURS[i % 6], "hatch": HATCHES[i % 6], "edgecolor": CARD}
            axis.bar(places, middle, 0.92 * thickness, label=plain(name), **look)
            if len(y) > 1:
                axis.plot(
                    np.repeat(places[None], len(y), axis=0),
                    y,
                    "o",
                    markersize=3.5,
                    color=INK,
                    markeredgecolor=CARD,
                )
            of_runs = f" (median of {len(y)} {dots})" if len(y) > 1 else ""
            pairs = zip(groups, middle, strict=True)
            told.append(f"{name}{of_runs}: {', '.join(f'{group} {significant(m)}' for group, m in pairs)}.")
        if levels:  # their names stand to the right of the last bar
            axis.set_xlim(right=len(groups) - 0.5 + room * len(groups) / (width - 1))
        told += paint_levels(axis, levels or {})
        if len(runs) > 1:
            axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        return " ".join(told)

    return draw(width + room, 3.8, paint, layout="constrained")


def paint_levels(axis: Axes, levels: Mapping[str, float], *, beside: bool = False) -> list[str]:
    """Paint named horizontal lines, the names above them or beside the axes; return a sentence for each."""
    place: dict[str, Any] = {"xytext": (0, 2), "ha": "right"}
    if beside:
        place = {"xytext": (4, 0), "ha": "left", "va": "center"}
    for name, level in levels.items():
        axis.axhline(level, color=QUIET, linestyle=(0, (4, 3)), linewidth=1.2, zorder=1.5)
        axis.annotate(
            plain(textwrap.fill(name, 16) if beside else name),
            (1.0 if beside else 0.995, level),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            color=QUIET,
            fontsize=9,
            bbox={"facecolor": CARD, "edgecolor": "none", "alpha": 0.8, "pad": 1},
            zorder=5,
            **place,
        )
    return [f"Level {name}: {significant(level)}." for name, level in levels.items()]
