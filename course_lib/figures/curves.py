"""Curves over one axis, with the slopes of fitted lines."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.bars import LEGEND_BELOW, label_of, paint_levels
from course_lib.figures.palette import COLOURS, FAINT, LINE, QUIET
from course_lib.figures.picture import (
    DASHES,
    MARKERS,
    NARROW_INCHES,
    Picture,
    draw_wide_and_narrow,
    fitted,
    paint_title,
    plain,
    sentence,
    significant,
    text_width,
    title_lines,
    wrapped,
)
from course_lib.figures.picture import number as written

LABEL = 26 / 96  # inches for a line of a label, and what the layout takes from the axes before they are drawn
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
    spans: Mapping[str, tuple[float, float]] | None = None,
    caption: str = "",
    number: str = "",
    colours: Mapping[str, int] | None = None,
    above: Callable[[Axes, bool], str] | None = None,
    above_inches: tuple[float, float] = (2.0, 2.0),
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
    spans : mapping from name to (from, to)
        Stretches of the x axis that are shaded, each with its name at its foot.
    caption, number : str
        The words under the picture, and the number in front of them.
    colours : mapping from name to int
        Which of the six colours of the palette a series has; those that share one differ in their dashes. Left out,
        the series take the colours in turn.
    above : callable, optional
        Paints something above the curves, and returns what it says in words. It gets axes as wide as the picture, which
        count in inches from their upper left corner, and whether the form for narrow pages is painted.
    above_inches : (float, float)
        How high these axes are, in the wide form and in the narrow one.

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

    def paint(figure: Figure, narrow: bool) -> str:
        paint_title(figure, title)
        panels = ""
        if above is None:
            axis = figure.subplots()
        else:
            inches = above_inches[narrow]
            grid = figure.add_gridspec(2, 1, height_ratios=(inches, 3.2 if narrow else 4.0))
            figure.add_subplot(grid[0]).set_axis_off()  # holds the room
            axis = figure.add_subplot(grid[1])
            panels = (
                above(_sheet(figure, inches, len(title_lines(title, figure.get_figwidth()))), narrow) + " "
            )
        room = (
            (NARROW_INCHES - 0.8, 2.2) if narrow else (np.inf, np.inf)
        )  # inches, for the labels of the axes
        across, upwards = ("\n".join(fitted(*each)) for each in zip((x_label, y_label), room, strict=True))
        axis.set(xlabel=across, ylabel=upwards)
        axis.grid(color=LINE)
        told = [f"{sentence(title)}{panels}Curves of {y_label} against {x_label}."]
        labels: dict[str, tuple[float, str]] = {}  # where a curve ends, and its colour
        chosen = [i if colours is None else colours[name] for i, name in enumerate(curves)]
        for i, (name, y) in enumerate(curves.items()):
            look: dict[str, Any] = {
                "color": COLOURS[chosen[i] % 6],
                "marker": MARKERS[i % 6],
                "linestyle": DASHES[(i if colours is None else chosen[:i].count(chosen[i])) % 4],
            }
            slope = f", slope {written(slopes[name][0])}" if name in slopes else ""
            axis.plot(
                x, y, markersize=5 if len(x) <= MANY else 0, label=label_of(name + slope, narrow), **look
            )
            drawn = y[np.isfinite(y) & ((y > 0) | ("y" not in log))]
            labels[name + slope] = (float(drawn[-1]) if len(drawn) else np.nan, look["color"])
            if len(runs[name]) > 1:
                lowest, highest = runs[name].min(axis=0), runs[name].max(axis=0)
                axis.fill_between(x, lowest, highest, color=look["color"], alpha=0.15, linewidth=0)
            if name in slopes:
                reached = x[(x >= fit_from) & (x > 0)]
                line = np.exp(np.polyval(slopes[name], np.log(reached)))
                axis.plot(reached, line, color=FAINT, linewidth=1, zorder=1)
            of_seeds = f" (median of {len(runs[name])} seeds)" if len(runs[name]) > 1 else ""
            told.append(_tell_curve(name + of_seeds, x, y) + (f"{slope} on log–log axes." if slope else "."))
        told += paint_levels(axis, levels or {}, names=False)
        for name, (start, end) in (spans or {}).items():
            axis.axvspan(start, end, color=LINE, alpha=0.5, linewidth=0, zorder=0)
            axis.text(
                (start + end) / 2,
                0.02,
                plain(name),
                transform=axis.get_xaxis_transform(),
                ha="center",
                va="bottom",
                color=QUIET,
            )
            told.append(f"{name}: shaded from {significant(start)} to {significant(end)}.")
        if "x" in log:
            axis.set_xscale("log")
            if len(x) <= MANY:
                axis.set_xticks(x, _apart(x) if narrow else [_tick(number) for number in x], minor=False)
                axis.set_xticks([], minor=True)
        elif np.array_equal(x, np.round(x)):
            locator: Any = axis.xaxis.get_major_locator()
            locator.set_params(integer=True)  # no half layers or steps
        if "y" in log:
            axis.set_yscale("log")
            low, high = axis.dataLim.intervaly
            if 0 < high < 1.1 * low:  # what is level up to noise looks level, instead of filling the axis
                axis.set_ylim(low / 2, high * 2)
        if narrow:  # there is no room beside the curves
            figure.legend(**LEGEND_BELOW)
        else:
            label_ends(
                axis,
                x,
                labels | {name: (level, QUIET) for name, level in (levels or {}).items()},
                levels or {},
            )
        return " ".join(told)

    named = [*curves, *(levels or {})]
    lines_below = sum(label_of(name, True).count("\n") + 1 for name in named)
    small = 3.2 + 0.22 * (lines_below + len(title_lines(title, NARROW_INCHES)))
    more = above_inches if above else (0.0, 0.0)
    return draw_wide_and_narrow(7.2, 4.0 + more[0], small + more[1], paint).numbered(number, caption)


def _sheet(figure: Figure, inches: float, title_lines: int) -> Axes:
    """Return axes without a frame under the title of a figure, as wide as the figure; they count in inches."""
    wide, tall = figure.get_size_inches()
    top = 1 - (0.25 + 0.21 * title_lines) / tall
    axis = figure.add_axes((0.0, top - inches / tall, 1.0, inches / tall), xlim=(0, wide), ylim=(inches, 0))
    axis.set_axis_off()
    return axis


def _tick(number: float) -> str:
    """Return what is written at a tick of a logarithmic axis, where small numbers differ too.

    Examples
    --------
    >>> [_tick(number) for number in (0.001, 0.03, 2.5)]
    ['0.001', '0.03', '2.5']
    """
    return f"{number:.2g}" if 0 < number < 0.01 else written(number)


def _apart(x: NDArray[Any]) -> list[str]:
    """Return what is written at the ticks of a logarithmic axis on a narrow page: as many as leave room."""
    words = [_tick(number) for number in x]
    widths = np.array([text_width(word) for word in words])
    shown = np.log(np.where(x > 0, x, np.nan))
    places = (NARROW_INCHES - 1.0) * (shown - np.nanmin(shown)) / max(float(np.ptp(shown[x > 0])), 1e-9)
    for every in range(1, len(x)):
        at, wide = places[::every], widths[::every]
        if not (np.diff(at) < (wide[1:] + wide[:-1]) / 2 + 0.1).any():
            break
    else:
        every = max(1, len(x))
    return ["" if i % every else word for i, word in enumerate(words)]


def label_ends(
    axis: Axes, x: NDArray[Any], ends: Mapping[str, tuple[float, str]], levels: Collection[str] = ()
) -> None:
    """Write the names of curves to the right of the axes, each as near to its end as the others leave room.

    A leader goes from the end of a curve, or from the edge of the axes for a level, to the left edge of its name. Names
    stand in the order of the ends, so leaders cross neither one another nor a name.

    Parameters
    ----------
    axis : Axes
        With the curves; its limits are settled by this.
    x : array (n,)
        Of the curves' points: they end at the largest.
    ends : mapping from name to (height, colour)
        Heights in the axis' data; a name whose height is NaN is left out.
    levels : collection of str
        Names of those that are level lines across the axes.
    """
    axis.autoscale_view()  # the limits are due: fractions of the axes depend on them
    to_fraction = axis.transScale + axis.transLimits
    shown = {name: end for name, end in ends.items() if np.isfinite(end[0])}
    last = x.max() if len(x) else 0
    found = {name: to_fraction.transform((last, y)) for name, (y, _) in shown.items()}
    names = sorted(shown, key=lambda name: float(found[name][1]))
    texts = {name: wrapped(name, 24) or [""] for name in names}
    figure: Any = axis.figure
    line = LABEL / (axis.get_position().height * figure.get_figheight())  # of the axes' height
    places = _spread([float(found[name][1]) for name in names], [line * len(texts[name]) for name in names])
    for name, place in zip(names, places, strict=True):
        at_edge = name in levels
        axis.annotate(
            plain("\n".join(texts[name])),
            (1.0 if at_edge else last, shown[name][0]),
            xycoords=("axes fraction" if at_edge else "data", "data"),
            xytext=(1.055, place),
            textcoords="axes fraction",
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": shown[name][1],
                "linewidth": 1.2,
                "relpos": (0, 0.5),
                "shrinkA": 2,
                "shrinkB": 0,
            },
            annotation_clip=False,
        )


def _spread(heights: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Return places for labels of some sizes, near heights that ascend, so that none covers another.

    >>> _spread([0.0, 0.5, 0.5], [0.25, 0.25, 0.25])
    [0.0, 0.375, 0.625]
    """
    groups: list[tuple[list[int], float]] = []  # labels that touch, and the lower edge of the lowest
    for i, (height, size) in enumerate(zip(heights, sizes, strict=True)):
        group, low = [i], height - size / 2
        while groups and groups[-1][1] + sum(sizes[j] for j in groups[-1][0]) > low:
            group = groups.pop()[0] + group
            before = np.cumsum([0.0, *(sizes[j] for j in group)])[:-1]
            low = float(np.mean([heights[j] - sizes[j] / 2 - b for j, b in zip(group, before, strict=True)]))
        groups.append((group, low))
    places = [0.0] * len(heights)
    for group, low in groups:
        for j in group:
            places[j] = low + sizes[j] / 2
            low += sizes[j]
    return places


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
