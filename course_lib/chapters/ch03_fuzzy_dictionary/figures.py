"""Attention as the lookup in a dictionary: queries among keys, values that are learned, and kernel regression."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.page import PageFigure
from course_lib.figures.palette import COLOURS, FAINT, INK, LINE, PAPER, QUIET, VALUE
from course_lib.figures.picture import (
    DASHES,
    MARKERS,
    PIXELS_PER_INCH,
    Picture,
    draw,
    number,
    paint_shares,
    paint_title,
    plain,
    sentence,
    significant,
    wrapped,
)
from course_lib.functional import ScoreFunction

# of what is neither query nor key nor value: no colour like theirs comes early
OTHERS = tuple(COLOURS[i] for i in (3, 4, 5, 1, 0, 2))


def query_plane(
    keys: ArrayLike,
    words: Sequence[str],
    values: Sequence[str],
    *,
    query: ArrayLike | None = None,
    sharpness: float = 1.0,
    score: Literal["dot", "cosine", "distance"] = "dot",
    reach: float = 3.0,
    sharpest: float = 10.0,
    edges: Sequence[str] | None = None,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Let the reader drag a query among keys in the plane, and see which values it reads.

    Parameters
    ----------
    keys : array (n, 2)
    words, values : n strings
        What each key is called, and what it stands for.
    query : array (2,), optional
        Where the query is at first; otherwise where it covers no key.
    sharpness : float
        β in the weights softmax(β s), at first.
    score : "dot", "cosine" or "distance"
        q·k, its cosine, or −½‖q − k‖².
    reach : float
        Both axes go from −reach to reach.
    sharpest : float
        Where the slider of the sharpness ends.
    edges : four strings, optional
        What the left, right, lower and upper edge of the plane stand for.
    caption, number : str
        As of `PageFigure`.

    Raises
    ------
    ValueError
        If the shapes or the numbers of words do not fit together.

    Notes
    -----
    Source: B 10.2.2.

    Examples
    --------
    >>> query_plane([[2, 1], [0, -2]], ["France", "UK"], ["Paris", "London"], query=[1, 0.5]).title
    'The query reads Paris, and almost nothing else'
    """
    points, place = (
        np.asarray(keys, dtype=float),
        np.zeros(2) if query is None else np.asarray(query, dtype=float),
    )
    n = len(words)
    if points.shape != (n, 2) or len(values) != n or not n or place.shape != (2,):
        raise ValueError(
            f"keys {points.shape}, {n} words, {len(values)} values, query {place.shape}: "
            "expected (n, 2), n of both, and (2,)"
        )
    shown = {"keys": points.tolist(), "words": list(words), "values": list(values)}
    if query is not None:
        shown["query"] = place.tolist()
    if edges is not None:
        if len(edges) != 4:
            raise ValueError(f"{len(edges)} edges: expected the left, right, lower and upper one")
        shown["edges"] = list(edges)
    props = {**shown, "sharpness": sharpness, "sharpest": sharpest, "reach": reach, "score": score}
    return PageFigure("query-plane", props, caption=caption, number=number)


def _title(figure: Figure, title: str, wide: bool) -> None:
    """Write the title at the left edge, in lines that fit."""
    paint_title(figure, title if wide else "\n".join(wrapped(title, 40)))


def learning(
    runs: Mapping[str, tuple[ArrayLike, ArrayLike]], places: Mapping[str, ArrayLike], *, title: str = ""
) -> Picture:
    """Draw dictionaries while they learn: their losses, and the way of each value over the map.

    The values of a dictionary are told apart by their marks, hollow at the start and full at the end. On the way a
    dot stands every 100 steps.

    Parameters
    ----------
    runs : mapping from name to (losses (n_steps,), path (n_steps, n_pairs, 2))
        Of each training its losses, and where the values were after each step.
    places : mapping from name to array (2,)
        The right answers.

    Raises
    ------
    ValueError
        If there is no training, or a path has not a row for each loss.

    Examples
    --------
    >>> learning({"a": ([4.0, 1.0], [[[0.0, 0.0]], [[1.0, 0.0]]])}, {"Paris": [2.0, 0.0]}).alt
    'a: loss from 4 to 1 in 2 steps. The value of pair 1 ends nearest to Paris, 1 off.'
    """
    taken = {
        name: (np.asarray(y, dtype=float), np.asarray(way, dtype=float)) for name, (y, way) in runs.items()
    }
    if not taken:
        raise ValueError("no runs: expected at least one")
    for name, (curve, way) in taken.items():
        if curve.ndim != 1 or way.ndim != 3 or way.shape[::2] != (len(curve), 2):
            raise ValueError(
                f"{name}: losses {curve.shape}, path {way.shape}: expected (n,) and (n, n_pairs, 2)"
            )
    points = {name: np.asarray(place, dtype=float) for name, place in places.items()}
    n_panels = 1 + len(taken)

    def paint(figure: Figure, wide: bool) -> str:
        shape = (1, n_panels) if wide else (n_panels, 1)
        first, *maps = figure.subplots(*shape, squeeze=False).ravel()
        every = np.concatenate(
            [way.reshape(-1, 2) for _, way in taken.values()] + [place[None] for place in points.values()]
        )
        low, high = every.min(axis=0), every.max(axis=0)  # one map for all: the same place in each panel
        room = np.array([0.38, 0.3]) * np.maximum(high - low, 1e-9)
        told = [sentence(title).strip()] if title else []
        _title(figure, title, wide)
        for i, (name, (curve, way)) in enumerate(taken.items()):
            colour = (INK, FAINT)[i % 2]
            first.plot(np.arange(1, len(curve) + 1), curve, color=colour, linewidth=1.8)
            if len(taken) > 1:
                _at_end(first, curve, name, last=len(curve) == max(len(c) for c, _ in taken.values()))
            told.append(
                f"{name}: loss from {significant(curve[0])} to {significant(curve[-1])} in {len(curve)} steps."
            )
            axis = maps[i]
            told += _paint_way(axis, way, points)
            axis.set(title=name, xlabel="degrees east")
            axis.set(xlim=(low[0] - room[0], high[0] + room[0]), ylim=(low[1] - room[1], high[1] + room[1]))
            if i == 0 or not wide:
                axis.set(ylabel="degrees north")
        first.set(title="Error", ylabel="squared error", yscale="log", xlabel="step")
        marks = [
            Line2D([], [], marker=MARKERS[i % 6], linestyle="", color=VALUE, label=f"value of pair {i + 1}")
            for i in range(max(way.shape[1] for _, way in taken.values()))
        ]
        columns = len(marks) if wide else 1
        figure.legend(handles=marks, loc="outside lower right", ncols=columns, handletextpad=0.1)
        return " ".join(told)

    return _for_both(3.0 * n_panels, 3.9, 2.9 * n_panels + 0.6, paint)


def _at_end(axis: Axes, curve: NDArray[Any], name: str, *, last: bool) -> None:
    """Write the name of a curve beside its end, or above it where the axis ends, too."""
    axis.annotate(
        plain(name),
        (len(curve), float(curve[-1])),
        xytext=(0, 6) if last else (5, 0),
        textcoords="offset points",
        ha="right" if last else "left",
        va="bottom" if last else "center",
        fontsize=10,
        path_effects=[withStroke(linewidth=3, foreground=PAPER)],
    )


def _paint_way(axis: Axes, way: NDArray[Any], points: Mapping[str, NDArray[Any]]) -> list[str]:
    """Draw where the values of one dictionary went, and say where each ended."""
    told = []
    for i in range(way.shape[1]):
        axis.plot(*way[:, i].T, color=VALUE, linewidth=1.6, alpha=0.6)
        axis.plot(*way[100:-1:100, i].T, "o", markersize=3.2, color=VALUE)
        axis.plot(*way[0, i], MARKERS[i % 6], markersize=7, markerfacecolor=PAPER, color=VALUE)
        axis.plot(*way[-1, i], MARKERS[i % 6], markersize=8, color=VALUE)
        best = min(points, key=lambda name: float(np.linalg.norm(points[name] - way[-1, i])))
        miss = significant(float(np.linalg.norm(points[best] - way[-1, i])))
        told.append(f"The value of pair {i + 1} ends nearest to {best}, {miss} off.")
    for name, place in points.items():
        axis.plot(*place, "x", color=INK, markersize=7, zorder=5)
        off = np.abs((way.reshape(-1, 2) - place) / np.ptp(way.reshape(-1, 2), axis=0).clip(1e-9))
        beside = (way.reshape(-1, 2) - place)[(off[:, 0] < 0.25) & (off[:, 1] < 0.25)]
        crossed = {  # how often a way would cross the word
            side: np.sum(beside[:, axis] * sign > 0.05)
            for side, axis, sign in (("above", 1, 1), ("below", 1, -1), ("left", 0, -1), ("right", 0, 1))
        }
        _label(axis, place, name, min(crossed, key=lambda side: crossed[side]))
    return told


def _for_both(
    width: float, height: float, narrow_height: float, paint: Callable[[Figure, bool], str]
) -> Picture:
    """Let `paint` draw a wide picture, and the same for narrow screens (340 pixels)."""
    wide = draw(width, height, lambda figure: paint(figure, True), layout="constrained")
    narrow = draw(
        340 / PIXELS_PER_INCH, narrow_height, lambda figure: paint(figure, False), layout="constrained"
    )
    return replace(wide, narrow=narrow)


def sharpening(
    sharpnesses: ArrayLike, weights: Mapping[str, ArrayLike], *, y_label: str, note: str = "", title: str = ""
) -> Picture:
    """Draw how the weights of keys change with the sharpness, each named at the end of its line.

    Parameters
    ----------
    sharpnesses : array (n,)
    weights : mapping from key to array (n,)
    y_label : str
    note : str
        Written at the highest point of the first key.

    Raises
    ------
    ValueError
        If weights are not as many as sharpnesses.

    Examples
    --------
    >>> sharpening([0, 1], {"a": [0.5, 0.25], "b": [0.5, 0.75]}, y_label="weight").alt
    'Weight against sharpness β. a: from 0.5 at 0 to 0.25 at 1. b: from 0.5 at 0 to 0.75 at 1.'
    """
    x = np.asarray(sharpnesses, dtype=float)
    curves = {name: np.asarray(y, dtype=float) for name, y in weights.items()}
    for name, y in curves.items():
        if x.ndim != 1 or y.shape != x.shape:
            raise ValueError(f"weights of {name!r} {y.shape}: expected the shape of sharpnesses {x.shape}")

    def paint(figure: Figure, wide: bool) -> str:
        axis = figure.subplots()
        _title(figure, title, wide)
        axis.set(xlabel="sharpness β", ylabel=y_label)
        axis.grid(color=LINE)
        told = [f"{sentence(title)}{y_label[:1].upper()}{y_label[1:]} against sharpness β."]
        heights: dict[str, float] = {}  # of the names, which keep apart where lines meet
        floor = -1.0
        for name in sorted(curves, key=lambda name: curves[name][-1]):
            heights[name] = floor = max(float(curves[name][-1]), floor + 0.08)
        for i, (name, y) in enumerate(curves.items()):
            axis.plot(x, y, color=OTHERS[i % 6], linestyle=DASHES[i % 4], linewidth=2.2)
            axis.annotate(
                name,
                (x[-1], heights[name]),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                color=INK,
            )
            told.append(
                f"{name}: from {significant(y[0])} at {number(x[0])} to {significant(y[-1])} at {number(x[-1])}."
            )
        axis.margins(x=0)
        axis.set_ylim(0, 1)
        if note:
            first = next(iter(curves.values()))
            top = int(first.argmax())
            axis.annotate(
                note if wide else textwrap.fill(note, 26),
                (x[top], first[top]),
                xytext=(14, 12) if wide else (0.28, 0.64),
                textcoords="offset points" if wide else "axes fraction",
                va="bottom" if wide else "top",
                fontsize=9.5,
                color=QUIET,
                arrowprops={"arrowstyle": "-", "color": QUIET, "linewidth": 0.8},
            )
        return " ".join(told)

    return _for_both(7.2, 3.8, 3.4, paint)


def failures(failed: Mapping[str, int], n: int, *, marked: Sequence[str] = (), title: str = "") -> Picture:
    """Draw how many of n starts failed, in percent, with 95 % intervals (Wilson's) and the numbers.

    Parameters
    ----------
    failed : mapping from name to number of failures
    n : int
    marked : strings
        Which of the bars have a colour.

    Raises
    ------
    ValueError
        If there are more failures than starts.

    Examples
    --------
    >>> failures({"soft": 5, "hard": 40}, 50).alt
    'Starts that fail, of 50. soft: 10 % (4 to 21). hard: 80 % (67 to 89).'
    """
    if any(not 0 <= k <= n for k in failed.values()):
        raise ValueError(f"failed {dict(failed)} of {n}: expected from 0 to {n}")
    z2 = 1.96**2
    ranges = {}
    for name, k in failed.items():
        middle, half = k + z2 / 2, 1.96 * np.sqrt(k * (n - k) / n + z2 / 4)
        ranges[name] = (100 * (middle - half) / (n + z2), 100 * (middle + half) / (n + z2))

    def paint(figure: Figure, wide: bool) -> str:
        axis = figure.subplots()
        _title(figure, title, wide)
        axis.set(xlabel=f"fail, in % of {n} starts", xlim=(0, 118))
        axis.spines["bottom"].set_bounds(0, 100)
        told = [f"{sentence(title)}Starts that fail, of {n}."]
        for i, (name, k) in enumerate(failed.items()):
            low, high = ranges[name]
            axis.barh(i, 100 * k / n, 0.6, color=COLOURS[0] if name in marked else FAINT)
            axis.plot([low, high], [i, i], color=INK, linewidth=1.5)
            axis.annotate(
                f"{significant(100 * k / n)} %" if 0 < k < 0.01 * n else f"{100 * k / n:.0f} %",
                (high, i),
                xytext=(7, 0),
                textcoords="offset points",
                va="center",
            )
            told.append(f"{name}: {100 * k / n:.0f} % ({low:.0f} to {high:.0f}).")
        axis.set_yticks(range(len(failed)), [name if wide else textwrap.fill(name, 18) for name in failed])
        axis.set_xticks([0, 25, 50, 75, 100])
        axis.tick_params(axis="y", length=0)
        axis.invert_yaxis()
        return " ".join(told)

    return _for_both(7.2, 0.9 + 0.5 * len(failed), 1.2 + 0.6 * len(failed), paint)


def _label(axis: Axes, point: NDArray[Any], words: str, side: str) -> None:
    """Write words above a point, below it, left or right of it, with paper around the letters."""
    x, y = {"above": (0, 1), "below": (0, -1), "left": (-1, 0), "right": (1, 0)}[side]
    axis.annotate(
        plain(words),
        tuple(point),
        xytext=(8 * x, 8 * y),
        textcoords="offset points",
        ha=("right", "center", "left")[x + 1],
        va=("top", "center", "bottom")[y + 1],
        fontsize=10,
        zorder=6,
        path_effects=[withStroke(linewidth=3, foreground=PAPER)],
    )


def _free_sides(points: NDArray[np.float64], words: Sequence[str], reach: float) -> list[str]:
    """Choose for each word a side of its point where it covers no other word and no other point."""
    sides = [""] * len(words)
    marks = np.concatenate([points - 0.05 * reach, points + 0.05 * reach], axis=1)
    written: list[NDArray[np.float64]] = []  # left, bottom, right, top
    for i in sorted(range(len(words)), key=lambda i: -len(words[i])):
        lines = words[i].split("\n")
        half = reach * np.array([0.032 * max(map(len, lines)), 0.08 * len(lines)])
        others = np.array([*written, *np.delete(marks, i, axis=0)]).reshape(-1, 4)
        boxes = {}
        for side, up in (("below", -1), ("above", 1)) if points[i][1] < 0 else (("above", 1), ("below", -1)):
            middle = points[i] + [0, up * (0.1 * reach + half[1])]
            boxes[side] = np.concatenate([middle - half, middle + half])
        covered = {
            side: np.sum((box[:2] < others[:, 2:]).all(axis=1) & (others[:, :2] < box[2:]).all(axis=1))
            for side, box in boxes.items()
        }
        sides[i] = min(covered, key=lambda side: covered[side])
        written.append(boxes[sides[i]])
    return sides


def winning_regions(
    keys: ArrayLike,
    key_names: Sequence[str],
    scores: Mapping[str, ScoreFunction],
    *,
    drawn: Mapping[str, ArrayLike] | None = None,
    key_axes: tuple[str, str] = ("first entry", "second entry"),
    reach: float = 3.0,
    strong: str = "",
    title: str = "",
) -> Picture:
    """Colour the plane of queries by the key that wins there: one panel for each way to score.

    Parameters
    ----------
    keys : array (n, 2), n from 1 to 6
    key_names : n strings
    scores : mapping from title to function (queries, keys) → (L_q, L_k)
    drawn : mapping from title to array (n, 2), optional
        Where the keys are drawn in a panel whose score changes them.
    key_axes : pair of str
    reach : float
        Both axes go from −reach to reach.
    strong : str
        The key whose region has the strongest colour.

    Raises
    ------
    ValueError
        If keys and names do not fit together, or there is no score.

    Examples
    --------
    >>> from course_lib import functional
    >>> score = {"Distance": functional.squared_distance_scores}
    >>> winning_regions([[-1, 0], [1, 0]], ["a", "b"], score).alt
    "Which key wins, for queries in the plane. Distance: 'a' wins 50 % of the square, 'b' 50 %."
    """
    keys = np.asarray(keys, dtype=np.float64)
    n = len(key_names)
    if keys.shape != (n, 2) or not 1 <= n <= len(MARKERS) or not scores:
        raise ValueError(
            f"keys {keys.shape} with {n} key_names and {len(scores)} scores: "
            f"expected (n, 2), n names from 1 to {len(MARKERS)}, and at least one score"
        )
    ticks = (np.arange(240) + 0.5) / 120 * reach - reach
    queries = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)  # row by row, from the bottom
    # where keys lie along one line through 0, they all score 0 across it: rounding keeps such ties with the first
    winners = {
        title: score(queries, keys).round(9).argmax(axis=-1).reshape(240, 240)
        for title, score in scores.items()
    }

    shown = {name: np.asarray(places, dtype=float) for name, places in (drawn or {}).items()}

    def paint(figure: Figure, wide: bool) -> str:
        told = [f"{sentence(title)}Which key wins, for queries in the plane."]
        _title(figure, title, wide)
        shape = (1, len(scores)) if wide else (len(scores), 1)
        grid = figure.subplots(*shape, squeeze=False, sharex=True, sharey=True).ravel()
        for place, (axis, (name, winner)) in enumerate(zip(grid, winners.items(), strict=True)):
            for i in range(n):
                square = (-reach, reach, -reach, reach)
                share = 0.75 if key_names[i] == strong else 0.35
                paint_shares(axis, share * (winner == i), OTHERS[i], origin="lower", extent=square)
            axis.set(title=name, aspect="equal")
            if wide or place == len(scores) - 1:
                axis.set(xlabel=f"query: {key_axes[0]}")
            if not wide or place == 0:
                axis.set(ylabel=f"query: {key_axes[1]}")
            won = [f"{np.mean(winner == i):.0%}".replace("%", " %") for i in range(n)]
            places = shown.get(name, keys)
            words = [key + ("" if np.any(winner == i) else ":\nnowhere") for i, key in enumerate(key_names)]
            for i, side in enumerate(_free_sides(places, words, reach)):
                look: dict[str, Any] = {"marker": MARKERS[i], "color": OTHERS[i], "markeredgecolor": INK}
                axis.plot(*places[i], linestyle="", markersize=7, **look)
                _label(axis, places[i], words[i], side)
            shares = [f"'{name}' {share}" for name, share in zip(key_names, won, strict=True)]
            shares[0] = f"'{key_names[0]}' wins {won[0]} of the square"
            told.append(f"{name}: {', '.join(shares)}.")
        return " ".join(told)

    return _for_both(3.05 * len(scores) + 0.2, 3.7, 3.3 * len(scores) + 0.4, paint)


def capacity(
    widths: ArrayLike, measured: Mapping[float, ArrayLike], expected: Mapping[float, ArrayLike]
) -> Picture:
    """Draw how many pairs fit into a soft dictionary against the width of its keys, for several sharpnesses.

    Marks are the measured medians of the seeds; lines are what is expected. A grey line is the ceiling 1 + e^β,
    which random keys do not pass, however wide.

    Parameters
    ----------
    widths : array (n,)
    measured : mapping from sharpness β to array (n_seeds, n)
    expected : mapping from the same sharpnesses to array (n,)

    Raises
    ------
    ValueError
        If a series does not fit `widths`, or the sharpnesses differ.

    Examples
    --------
    >>> capacity([2, 8], {0: [[1, 2], [2, 2], [2, 3]]}, {0: [2, 2]}).alt
    'Pairs that fit against width. β = 0, ceiling 2: measured 2 at width 2, expected 2; 2 at width 8, expected 2.'
    """
    x = np.asarray(widths, dtype=float)
    runs = {beta: np.asarray(y, dtype=float) for beta, y in measured.items()}
    lines = {beta: np.asarray(y, dtype=float) for beta, y in expected.items()}
    if set(runs) != set(lines):
        raise ValueError(f"measured for β of {sorted(runs)}, expected for {sorted(lines)}: expected the same")
    for beta, y in runs.items():
        if x.ndim != 1 or y.ndim != 2 or y.shape[1:] != x.shape or lines[beta].shape != x.shape:
            raise ValueError(
                f"β = {beta}: measured {y.shape}, expected {lines[beta].shape}, widths {x.shape}: "
                "expected (n_seeds, n), (n,) and (n,)"
            )

    def paint(figure: Figure, wide: bool) -> str:
        axis = figure.subplots()
        title = "Sharpness sets a ceiling for random keys; wider keys come nearer to it"
        _title(figure, title, wide)
        axis.set(
            xlabel="width d of the keys",
            ylabel="pairs that fit",
            xscale="log",
            yscale="log",
        )
        axis.set_xticks(x, [number(tick) for tick in x])
        axis.set_xticks([], minor=True)
        axis.grid(color=LINE)
        told = ["Pairs that fit against width."]
        for i, (beta, y) in enumerate(runs.items()):
            middle, colour = np.median(y, axis=0), COLOURS[i % 6]
            look: dict[str, Any] = {"color": colour, "marker": MARKERS[i % 6], "linestyle": ""}
            axis.plot(x, middle, label=f"β = {number(beta)}", **look)
            axis.plot(x, lines[beta], color=colour, linestyle=DASHES[i % 4], linewidth=1.2)
            ceiling = 1 + np.exp(beta)
            axis.axhline(ceiling, color=FAINT, linewidth=0.9)
            axis.annotate(
                f"$1 + e^{{{beta:g}}}$ = {significant(ceiling)}" if wide else significant(ceiling),
                (1.0, ceiling),
                xycoords=("axes fraction", "data"),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=10,
                color=QUIET,
            )
            points = [
                f"{significant(middle[j])} at width {number(x[j])}, expected {significant(lines[beta][j])}"
                for j in (0, len(x) - 1)
            ]
            told.append(f"β = {number(beta)}, ceiling {significant(ceiling)}: measured {'; '.join(points)}.")
        if wide:
            axis.legend(loc="upper left", bbox_to_anchor=(0.0, 0.95), ncols=2)
        else:
            figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=2)
        return " ".join(told)

    return _for_both(7.6, 4.4, 4.4, paint)


def noisy_curve(seed: int, n: int = 31) -> tuple[NDArray[np.float64], ...]:
    """Draw measurements of a hilly curve: places and noisy values (n,), then fine places and the curve itself (301,).

    Examples
    --------
    >>> [array.shape for array in noisy_curve(0)]
    [(31,), (31,), (301,), (301,)]
    """
    places, fine = np.linspace(0, 6, n), np.linspace(0, 6, 301)
    noise = 0.3 * np.random.default_rng(seed).standard_normal(n)
    return places, np.sin(1.5 * places) + 0.2 * places + noise, fine, np.sin(1.5 * fine) + 0.2 * fine


def kernel_regression(
    keys: ArrayLike,
    values: ArrayLike,
    queries: ArrayLike,
    answers: Mapping[str, ArrayLike],
    *,
    at: float,
    weights: Mapping[str, ArrayLike],
    truth: ArrayLike | None = None,
    axes: tuple[str, str] = ("x", "y"),
    title: str = "",
) -> Picture:
    """Draw soft lookups along a line of queries: the blended values above, the weights of one query below.

    Parameters
    ----------
    keys, values : arrays (n,)
        The stored pairs, drawn as dots.
    queries : array (m,)
    answers : mapping from name to array (m,)
        A curve for each.
    at : float
        The query whose weights are drawn, marked in both panels.
    weights : mapping from name to array (n,)
        Its weights on the keys, under the same names.
    truth : array (m,) or None
        What the values scatter around.
    axes : pair of str

    Raises
    ------
    ValueError
        If a curve is not as long as `queries`, weights not as long as `keys`, or their names differ.

    Examples
    --------
    >>> curve = {"flat": [2.0, 2.0]}
    >>> kernel_regression([0, 1], [1, 3], [0, 1], curve, at=0, weights={"flat": [0.5, 0.5]}).alt
    "2 stored pairs of x and y. Curve 'flat': from 2 to 2; 2 keys share 90 % of the weight at x = 0."
    """
    keys, values, queries = (np.asarray(array, dtype=float) for array in (keys, values, queries))
    curves = {name: np.asarray(y, dtype=float) for name, y in answers.items()}
    shares = {name: np.asarray(w, dtype=float) for name, w in weights.items()}
    for name, y in curves.items():
        if y.shape != queries.shape or name not in shares or shares[name].shape != keys.shape:
            raise ValueError(
                f"answers {name!r} {y.shape}: expected the shape of queries {queries.shape}, "
                f"and weights of that name with the shape of keys {keys.shape}"
            )
    target = None if truth is None else np.asarray(truth, dtype=float)

    def paint(figure: Figure, wide: bool) -> str:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[1.7, 1])
        told = [f"{sentence(title)}{len(keys)} stored pairs of {axes[0]} and {axes[1]}."]
        if target is not None:
            upper.plot(queries, target, color=FAINT, linewidth=5, alpha=0.45, label="truth", zorder=1)
        upper.plot(keys, values, "o", color=INK, markersize=3.5, zorder=4, label="stored pairs")
        for i, (name, y) in enumerate(curves.items()):
            look: dict[str, Any] = {"color": OTHERS[i % 6], "linestyle": DASHES[i % 4]}
            upper.plot(queries, y, label=name, linewidth=1.8, **look)
            lower.plot(keys, shares[name], marker=MARKERS[i % 6], markersize=3.5, linewidth=1, **look)
            told.append(_tell_answers(name, y, target, shares[name], f"{axes[0]} = {number(at)}"))
        for axis in (upper, lower):
            axis.axvline(at, color=INK, linewidth=0.8, linestyle=":")
        _title(figure, title, wide)
        upper.set(ylabel=axes[1])
        lower.set(xlabel=f"{axes[0]} (key or query)", ylabel=f"weight for\n{axes[0]} = {number(at)}")
        lower.set(ylim=(-0.04, 1.04), yticks=[0, 0.5, 1])
        if wide:
            upper.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        else:
            upper.legend(
                loc="lower left", bbox_to_anchor=(-0.15, 1.0), ncols=2, labelspacing=0.2, columnspacing=1
            )
        return " ".join(told)

    return _for_both(8.4, 5.2, 5.6, paint)


def _tell_answers(
    name: str, y: NDArray[Any], truth: NDArray[Any] | None, weights: NDArray[Any], where: str
) -> str:
    """Say how far a curve ranges, how far it is from the truth, and how many keys it listens to."""
    heard = 1 + int(np.count_nonzero(np.cumsum(np.sort(weights)[::-1]) < 0.9 - 1e-9))
    told = f"Curve '{name}': from {significant(y.min())} to {significant(y.max())}"
    if truth is not None:
        told += f", {significant(float(np.sqrt(np.mean((y - truth) ** 2))))} from the truth on average"
    return f"{told}; {heard} key{'s share' if heard > 1 else ' has'} 90 % of the weight at {where}."
