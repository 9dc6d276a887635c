"""What an average can reach: outputs in the hull of the values, hulls that shrink, and read-outs of four phrases."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.palette import COLOURS, INK, LINE, PAPER, QUIET
from course_lib.figures.picture import MARKERS, Picture, draw, draw_wide_and_narrow, number, plain


def convex_hull(points: ArrayLike) -> NDArray[np.float64]:
    """Return the corners of the smallest convex polygon around points, anticlockwise.

    A corner is a point that no average of the others reaches. Points on one line have two corners, a single
    place has one.

    Parameters
    ----------
    points : array (n, 2)

    Returns
    -------
    array (n_corners, 2)

    Raises
    ------
    ValueError
        If the points are not in a plane, or there are none.

    Notes
    -----
    Andrew's monotone chain (1979).

    Examples
    --------
    >>> convex_hull([[0, 0], [2, 0], [0.5, 0.5], [0, 2]]).tolist()
    [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
    """
    sites = np.unique(_in_plane("points", points), axis=0)  # from left to right
    corners: list[NDArray[np.float64]] = []
    for side in (sites, sites[::-1]):  # below, then above
        chain: list[NDArray[np.float64]] = []
        for site in side:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], site) <= 0:
                chain.pop()
            chain.append(site)
        corners += chain[:-1]  # its last corner begins the other chain
    return np.array(corners or sites)


def inside(point: ArrayLike, corners: ArrayLike) -> bool:
    """Tell whether a point lies in a convex polygon, its edge included, up to rounding.

    Parameters
    ----------
    point : array (2,)
    corners : array (n_corners, 2)
        As `convex_hull` returns them.

    Examples
    --------
    >>> triangle = convex_hull([[0, 0], [2, 0], [0, 2]])
    >>> inside([1, 1], triangle), inside([1.1, 1], triangle)
    (True, False)
    """
    place, polygon = np.asarray(point, dtype=np.float64), _in_plane("corners", corners)
    size = max(float(np.ptp(polygon, axis=0).max()), 1e-300)
    if len(polygon) < 3:  # a line or one place: the point must not add a corner, nor make the line longer
        start, end = polygon[0], polygon[-1]
        longer = np.linalg.norm(place - start) + np.linalg.norm(place - end) - np.linalg.norm(end - start)
        return bool(longer <= 1e-9 * size)
    edges = pairwise([*polygon, polygon[0]])
    return all(_turn(a, b, place) >= -1e-9 * size**2 for a, b in edges)


def hull(
    values: ArrayLike,
    words: Sequence[str],
    outputs: Mapping[str, ArrayLike],
    *,
    x_label: str,
    y_label: str,
    title: str = "",
    cloud: ArrayLike | None = None,
    limits: tuple[float, float, float, float] | None = None,
) -> Picture:
    """Draw the values of words with their convex hull, and where outputs lie, inside or outside.

    Parameters
    ----------
    values : array (L, 2)
    words : L strings
    outputs : mapping from name to array (2,)
        Joined by arrows in their order: each is what became of the one before.
    x_label, y_label : str
        What the two entries of a value are.
    cloud : array (n, 2), optional
        Further outputs, drawn as dots without names.
    limits : (left, right, bottom, top), optional
        What part of the plane is shown; all that is drawn where not given.

    Raises
    ------
    ValueError
        If values or cloud are not points in a plane, or the words do not fit the values.

    Examples
    --------
    >>> labels = {"x_label": "mood", "y_label": "denial"}
    >>> hull([[0, 0], [2, 0], [0, 2]], ["a", "b", "c"], {"output": [3, 1]}, **labels).alt
    "The hull of the values of 'a', 'b', 'c', a polygon with 3 corners. output at mood 3, denial 1: outside."
    """
    sites = _in_plane("values", values)
    dots = None if cloud is None else _in_plane("cloud", cloud)
    if len(words) != len(sites):
        raise ValueError(f"values {sites.shape} with {len(words)} words: expected a word for each value")
    places = {name: np.asarray(place, dtype=np.float64) for name, place in outputs.items()}
    corners = convex_hull(sites)

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0.08, 0.17, 0.56, 0.76))  # fixed: a longer legend must not move the points
        axis.set(title=title, xlabel=x_label, ylabel=y_label)
        axis.grid(color=LINE)
        quoted = ", ".join(f"'{word}'" for word in words)
        told = [
            f"{title + '. ' if title else ''}The hull of the values of {quoted}, "
            f"a polygon with {len(corners)} corners."
        ]
        _paint_hull(axis, sites, corners, words)
        if dots is not None:
            axis.plot(*dots.T, ".", color=COLOURS[2], markersize=4, zorder=2, label="outputs")
            within = sum(inside(dot, corners) for dot in dots)
            told.append(f"Of {len(dots)} outputs, {within} lie inside.")
        for (_, start), (_, end) in pairwise(places.items()):
            arrow = {"arrowstyle": "->", "color": QUIET, "shrinkA": 5, "shrinkB": 5}
            axis.annotate("", xy=tuple(end), xytext=tuple(start), arrowprops=arrow)
        for i, (name, place) in enumerate(places.items()):
            where = "inside" if inside(place, corners) else "outside"
            told.append(f"{name} at {x_label} {number(place[0])}, {y_label} {number(place[1])}: {where}.")
            look: dict[str, Any] = {"color": COLOURS[(1, 3, 5)[i % 3]], "marker": MARKERS[1 + i % 5]}
            axis.plot(*place, label=f"{name}: {where}", markersize=9, linestyle="", zorder=5, **look)
        if limits:
            axis.set(xlim=limits[:2], ylim=limits[2:])
        else:
            axis.margins(0.15)
        axis.set_aspect("equal")
        axis.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
        return " ".join(told)

    return draw(7.2, 2.9, paint)


def hulls_by_layer(layers: Sequence[ArrayLike], words: Sequence[str], titles: Sequence[str]) -> Picture:
    """Draw the rows of a sequence layer after layer, each with its convex hull, on the same axes.

    Parameters
    ----------
    layers : sequence of arrays (L, 2)
    words : L strings
    titles : one string for each layer

    Raises
    ------
    ValueError
        If a layer's rows are not points in a plane, or words or titles do not fit.

    Examples
    --------
    >>> hulls_by_layer([[[0, 0], [2, 0]], [[0.5, 0], [1.5, 0]]], ["a", "b"], ["input", "layer 1"]).alt
    'Rows and their hulls. input: largest distance between two rows 2. layer 1: largest distance between two rows 1.'
    """
    sites = [_in_plane("layers", layer) for layer in layers]
    if any(len(site) != len(words) for site in sites) or len(sites) != len(titles):
        raise ValueError(
            f"layers {[s.shape for s in sites]} with {len(words)} words and {len(titles)} titles: expected "
            "a word for each row and a title for each layer"
        )

    def paint(figure: Figure, narrow: bool) -> str:
        shape = ((len(sites) + 1) // 2, 2) if narrow else (1, len(sites))
        panels = list(figure.subplots(*shape, sharex=True, sharey=True, squeeze=False).flat)
        for spare in panels[len(sites) :]:
            spare.set_axis_off()
        told = ["Rows and their hulls."]
        for axis, rows, title in zip(panels, sites, titles, strict=False):
            axis.set(title=title)
            axis.grid(color=LINE)
            widest = max(float(np.linalg.norm(a - b)) for a in rows for b in rows)
            _paint_hull(axis, rows, convex_hull(rows), words if axis is panels[0] else [""] * len(words))
            told.append(f"{title}: largest distance between two rows {number(widest)}.")
            axis.margins(0.2)
            axis.set_aspect("equal")
        return " ".join(told)

    return draw_wide_and_narrow(2.3 * len(sites), 2.7, 1.9 * ((len(sites) + 1) // 2), paint)


def phrase_outputs(
    panels: Mapping[str, ArrayLike], phrases: Sequence[str], positive: Sequence[bool] | NDArray[np.bool_]
) -> Picture:
    """Draw where four phrases lie, the positive ones joined by a line and the negative ones by another.

    A straight line can part two points from two others just when the segments that join them do not meet.

    Parameters
    ----------
    panels : mapping from title to array (4, 2)
    phrases : four strings
    positive : four booleans, two of them true

    Raises
    ------
    ValueError
        If a panel is not (4, 2), or there are not four phrases, two of them positive.

    Examples
    --------
    >>> square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> phrase_outputs({"Square": square}, ["a", "b", "c", "d"], [False, True, True, False]).alt[49:]
    ' Square: the segment + to + meets the segment − to −, so no line parts them.'
    """
    good = np.asarray(positive, dtype=bool)
    sites = {title: _in_plane("panels", outputs) for title, outputs in panels.items()}
    if len(phrases) != 4 or good.shape != (4,) or good.sum() != 2 or any(len(s) != 4 for s in sites.values()):
        raise ValueError(
            f"{len(phrases)} phrases, positive {good.shape} and panels {[s.shape for s in sites.values()]}: "
            "expected four phrases, two of them positive, and panels of shape (4, 2)"
        )

    def paint(figure: Figure, narrow: bool) -> str:
        shape = (len(sites), 1) if narrow else (1, len(sites))
        axes = figure.subplots(*shape, squeeze=False).flat
        signed = ", ".join(f"'{p}' {'+' if g else '−'}" for p, g in zip(phrases, good, strict=True))
        told = [f"Where the phrases {signed} lie."]
        for axis, (title, outputs) in zip(axes, sites.items(), strict=True):
            meet = _segments_meet(*outputs[good], *outputs[~good])
            verdict = "meets" if meet else "does not meet"
            end = "no line parts them" if meet else "a line parts them"
            told.append(f"{title}: the segment + to + {verdict} the segment − to −, so {end}.")
            axis.set(title=f"{title}\n{end}", xticks=[], yticks=[])
            for sign, colour, marker, dash in ((True, COLOURS[0], "o", "-"), (False, COLOURS[1], "s", "--")):
                axis.plot(*outputs[good == sign].T, color=colour, marker=marker, linestyle=dash, markersize=8)
            middle = outputs.mean(axis=0)
            for phrase, sign, place in zip(phrases, good, outputs, strict=True):
                above, left = place[1] >= middle[1], place[0] < middle[0]
                axis.annotate(
                    f"{plain(phrase)} {'+' if sign else '−'}",
                    place,
                    xytext=(20 if left else -20, 9 if above else -9),  # away from the middle
                    textcoords="offset points",
                    ha="right" if left else "left",
                    va="bottom" if above else "top",
                    fontsize=10,
                )
            axis.margins(0.45, 0.25)
        return " ".join(told)

    return draw_wide_and_narrow(3.0 * len(sites), 3.2, 2.9 * len(sites), paint)


def read_outs(
    ways: Mapping[str, ArrayLike],
    best: Mapping[str, int],
    phrases: Sequence[str],
    positive: Sequence[bool] | NDArray[np.bool_],
) -> Picture:
    """Draw the probabilities that several read-outs give to phrases: the best seed large, the others as dots.

    Parameters
    ----------
    ways : mapping from the name of a read-out to array (n_seeds, n_phrases)
        Probabilities that a phrase is positive.
    best : mapping from the same names to the seed that is drawn large
    phrases : n_phrases strings
    positive : n_phrases booleans
        What is right; the right side of each row is shaded.

    Raises
    ------
    ValueError
        If an array does not have a column for each phrase and a right side for each.

    Examples
    --------
    >>> read_outs({"a": [[0.9, 0.45]]}, {"a": 0}, ["very happy", "not happy"], [True, False]).alt
    "Probability that a phrase is positive, best of 1 seeds. a: 'very happy' 0.9 right, 'not happy' 0.45 undecided."
    """
    good = np.asarray(positive, dtype=bool)
    tables = {name: np.asarray(table, dtype=np.float64) for name, table in ways.items()}
    for name, table in tables.items():
        if table.ndim != 2 or table.shape[1] != len(phrases) or len(good) != len(phrases):
            raise ValueError(
                f"way {name!r} {table.shape}: expected (n_seeds, {len(phrases)}), and {len(phrases)} in positive "
                f"{good.shape}"
            )

    def paint(figure: Figure, narrow: bool) -> str:
        shape = (len(tables), 1) if narrow else (1, len(tables))
        axes = list(figure.subplots(*shape, sharey=True, squeeze=False).flat)
        n_seeds = len(next(iter(tables.values())))
        told = [f"Probability that a phrase is positive, best of {n_seeds} seeds."]
        for axis, (name, table) in zip(axes, tables.items(), strict=True):
            shown = []
            for row, (phrase, sign) in enumerate(zip(phrases, good, strict=True)):
                p = float(table[best[name], row])
                verdict = _verdict(p, bool(sign))
                shown.append(f"'{phrase}' {number(p)} {verdict}")
                axis.barh(row, 0.5, left=0.5 if sign else 0.0, height=0.8, color=COLOURS[4], alpha=0.25)
                spots = row + 0.28 * np.linspace(-1, 1, len(table)) if len(table) > 1 else [row]
                axis.plot(table[:, row], spots, ".", color=QUIET, markersize=3)
                right = verdict == "right"
                axis.plot(
                    p, row, "o" if right else "X", color=COLOURS[0 if right else 1], markersize=10, zorder=5
                )
            axis.axvline(0.5, color=INK, linewidth=0.8)
            axis.set(title=name, xlim=(-0.08, 1.08), xticks=[0, 0.5, 1], xlabel="P(positive)")
            axis.set_yticks(range(len(phrases)), [plain(phrase) for phrase in phrases])
            axis.tick_params(length=0)
            told.append(f"{name}: {', '.join(shown)}.")
        axes[0].invert_yaxis()
        return " ".join(told)

    return draw_wide_and_narrow(1.2 + 2.0 * len(tables), 2.6, 2.1 * len(tables), paint)


def _verdict(p: float, sign: bool) -> str:
    if abs(p - 0.5) <= 0.1:
        return "undecided"
    return "right" if (p > 0.5) == sign else "wrong"


def _paint_hull(
    axis: Axes, sites: NDArray[np.float64], corners: NDArray[np.float64], words: Sequence[str]
) -> None:
    look: dict[str, Any] = {"facecolor": COLOURS[4], "alpha": 0.25, "edgecolor": COLOURS[0], "zorder": 1}
    axis.add_patch(Polygon(corners, closed=True, **look))
    axis.plot(*sites.T, "o", color=COLOURS[0], markersize=6, zorder=4)
    for word, site in zip(words, sites, strict=True):
        halo = [withStroke(linewidth=3, foreground=PAPER)]  # readable where it lies on dots
        axis.annotate(
            plain(word), site, xytext=(5, 5), textcoords="offset points", zorder=6, path_effects=halo
        )


def _in_plane(name: str, points: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 2 or not len(array):
        raise ValueError(f"{name} {array.shape}: expected points in a plane, (n, 2)")
    return array


def _turn(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> float:
    """Return twice the area of the triangle, positive if a → b → c turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _segments_meet(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], d: NDArray[np.float64]
) -> bool:
    """Tell whether the segments a–b and c–d have a point in common, up to rounding."""
    size = max(float(np.ptp([a, b, c, d], axis=0).max()), 1e-300) ** 2
    turns = [_turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)]
    flat = [abs(turn) <= 1e-7 * size for turn in turns]
    if all(flat):  # all on one line: they meet where their boxes do
        low = np.maximum(np.minimum(a, b), np.minimum(c, d))
        return bool((low <= np.minimum(np.maximum(a, b), np.maximum(c, d)) + 1e-9).all())
    straddle = [flat[i] or flat[i + 1] or turns[i] * turns[i + 1] < 0 for i in (0, 2)]
    return all(straddle)
