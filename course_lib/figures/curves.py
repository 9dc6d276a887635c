"""Curves over one axis, with the slopes of fitted lines."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.bars import paint_levels
from course_lib.figures.picture import (
    COLOURS,
    DASHES,
    FAINT,
    MARKERS,
    Picture,
    draw,
    number,
    sentence,
    significant,
)

MANY = 16  # points of a curve: beyond, markers and a tick for each would only cover it


def lines(
    x: ArrayLike,
    series: Mapping[str, ArrayLike],
    *,
    x_label: str,
    y_label: str,
    title: str = "",
    log: Literal["", "x", "y", "xy"] = "",
    fit: Sequence[str] = (),
    fit_from: float = 0.0,
    levels: Mapping[str, float] | None = None,
) -> Picture:
    """Draw curves over one x axis; on log–log axes, with the slopes of straight lines fitted to them.

    Parameters
    ----------
    x : array (n,)
    series : mapping from name to array (n,) or (n_seeds, n)
        An entry that is not finite is left out. Of several seeds the median is drawn, over a band from the
        smallest to the largest.
    x_label, y_label : str
    log : "", "x", "y" or "xy"
        Which axes are logarithmic; a logarithmic x axis has its ticks at the points of `x`, unless there are many.
    fit : names of series
        Each gets a straight line, fitted by least squares to (log x, log y); the legend tells its slope.
    fit_from : float
        The fits use points with x ≥ `fit_from`.
    levels : mapping from name to number
        Horizontal lines to compare the curves with, each with its name beside it.

    Raises
    ------
    ValueError
        If a series is not as long as `x`, or a fit is asked for without log="xy", of an unknown name, or of
        fewer than two points.

    Examples
    --------
    >>> squares = {"squares": [1, 4, 16]}
    >>> lines([1, 2, 4], squares, x_label="n", y_label="n²", log="xy", fit=["squares"]).alt
    'Curves of n² against n. squares: from 1 at 1 to 16 at 4, slope 2 on log–log axes.'
    """
    x = np.asarray(x, dtype=float)
    runs = {name: np.asarray(y, dtype=float) for name, y in series.items()}
    for name, y in runs.items():
        if x.ndim != 1 or y.shape[-1:] != x.shape or y.ndim > 2 or not y.size:
            raise ValueError(
                f"series {name!r} {y.shape}: expected the shape of x {x.shape}, (n,), or (n_seeds, n)"
            )
    runs = {name: np.atleast_2d(y) for name, y in runs.items()}  # (n_seeds, n)
    curves = {name: np.median(y, axis=0) for name, y in runs.items()}
    if fit and log != "xy":
        raise ValueError(f"fit {list(fit)} needs log='xy', not {log!r}")
    slopes = {name: _fitted_line(name, x, curves, fit_from) for name in fit}

    def paint(figure: Figure) -> str:
        axis = figure.subplots()
        axis.set(title=title, xlabel=x_label, ylabel=y_label)
        axis.grid(color=FAINT, alpha=0.25)
        told = [f"{sentence(title)}Curves of {y_label} against {x_label}."]
        for i, (name, y) in enumerate(curves.items()):
            look: dict[str, Any] = {
                "color": COLOURS[i % 6],
                "marker": MARKERS[i % 6],
                "linestyle": DASHES[i % 4],
            }
            slope = f", slope {number(slopes[name][0])}" if name in slopes else ""
            axis.plot(x, y, label=name + slope, markersize=5 if len(x) <= MANY else 0, **look)
            if len(runs[name]) > 1:
                lowest, highest = runs[name].min(axis=0), runs[name].max(axis=0)
                axis.fill_between(x, lowest, highest, color=look["color"], alpha=0.15, linewidth=0)
            if name in slopes:
                fitted = x[(x >= fit_from) & (x > 0)]
                line = np.exp(np.polyval(slopes[name], np.log(fitted)))
                axis.plot(fitted, line, color=FAINT, linewidth=1, zorder=1)
            of_seeds = f" (median of {len(runs[name])} seeds)" if len(runs[name]) > 1 else ""
            told.append(_tell_curve(name + of_seeds, x, y) + (f"{slope} on log–log axes." if slope else "."))
        told += paint_levels(axis, levels or {}, beside=True)  # where no curve runs
        if "x" in log:
            axis.set_xscale("log")
            if len(x) <= MANY:
                axis.set_xticks(x, [number(tick) for tick in x], minor=False)
                axis.set_xticks([], minor=True)
        if "y" in log:
            axis.set_yscale("log")
            low, high = axis.dataLim.intervaly
            if 0 < high < 1.1 * low:  # what is level up to noise looks level, instead of filling the axis
                axis.set_ylim(low / 2, high * 2)
        axis.legend()
        return " ".join(told)

    return draw(7.2, 4.0, paint, layout="constrained")


def _fitted_line(
    name: str, x: NDArray[Any], curves: Mapping[str, NDArray[Any]], start: float
) -> NDArray[Any]:
    """Return (slope, intercept) of log y against log x."""
    if name not in curves:
        raise ValueError(f"fit names {name!r}: expected one of {list(curves)}")
    y = curves[name]
    used = (x >= start) & (x > 0) & np.isfinite(y) & (y > 0)
    if used.sum() < 2:
        raise ValueError(
            f"fit of {name!r}: {used.sum()} positive points with x ≥ {start}, expected at least 2"
        )
    line: NDArray[Any] = np.polyfit(np.log(x[used]), np.log(y[used]), 1)
    return line


def _tell_curve(name: str, x: NDArray[Any], y: NDArray[Any]) -> str:
    """Say where a curve begins and ends, and its highest and lowest point where these lie between."""
    drawn = np.flatnonzero(np.isfinite(y))
    if not len(drawn):
        return f"{name}: no finite point"
    points = [f"{significant(b)} at {significant(a)}" for a, b in zip(x[drawn], y[drawn], strict=True)]
    told = f"{name}: from {points[0]} to {points[-1]}"
    for extreme, position in {"highest": y[drawn].argmax(), "lowest": y[drawn].argmin()}.items():
        if not np.isclose(y[drawn][position], y[drawn][[0, -1]], rtol=0.05).any():
            told += f", {extreme} {points[position]}"
    return told
