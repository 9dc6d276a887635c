"""Attention as the lookup in a dictionary: queries among keys, blends among values, and kernel regression."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.figures.picture import (
    CARD,
    COLOURS,
    DASHES,
    FAINT,
    INK,
    MARKERS,
    QUIET,
    Picture,
    draw,
    number,
    paired,
    plain,
    significant,
)
from course_lib.functional import ScoreFunction

SIZE = (9.0, 4.4)  # inches, of a lookup
HALO: dict[str, Any] = {"facecolor": CARD, "edgecolor": "none", "alpha": 0.75, "pad": 1}


def dictionary_lookup(
    query: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    query_name: str,
    key_names: Sequence[str],
    value_names: Sequence[str],
    sharpness: float = 1.0,
    score: ScoreFunction = functional.dot_product_scores,
    others: Mapping[str, ArrayLike] | None = None,
    key_axes: tuple[str, str] = ("first entry", "second entry"),
    value_axes: tuple[str, str] = ("first entry", "second entry"),
    reach: float | None = None,
) -> Picture:
    """Draw a soft lookup in the plane: the query among the keys, and the blended value among the values.

    A line from the query to a key is as thick as its weight, which a bar shows again. The blend is decoded: the
    nearest of all named points, by plain distance, is its meaning.

    Parameters
    ----------
    query : array (2,)
    keys, values : arrays (n, 2), n from 1 to 6
    key_names, value_names : n strings
    sharpness : float
        β in the weights softmax(β s).
    score : function (queries, keys) → (L_q, L_k)
        As in `functional.attention`.
    others : mapping from name to array (2,)
        Further points that a blend may be decoded to, although no key leads there.
    key_axes, value_axes : pairs of str
        What the two entries of a key and of a value are.
    reach : float or None
        The plane of the keys is drawn from −reach to reach; None takes what keys and query need.

    Raises
    ------
    ValueError
        If the shapes or the numbers of names do not fit together.

    Notes
    -----
    Source: B 10.2.2.

    Examples
    --------
    >>> names = {"query_name": "q", "key_names": ["a", "b"], "value_names": ["A", "B"]}
    >>> dictionary_lookup([0, 9], [[0, 1], [1, 0]], [[1, 1], [3, 1]], **names).alt
    "Soft lookup of 'q' at (0, 9), sharpness 1. Weights: 'a' 1, 'b' 0. Blended value (1, 1), nearest to 'A'."
    """
    query, keys, values = (np.asarray(array, dtype=np.float64) for array in (query, keys, values))
    n = len(key_names)
    if query.shape != (2,) or not keys.shape == values.shape == (n, 2) or len(value_names) != n:
        raise ValueError(
            f"query {query.shape}, keys {keys.shape}, values {values.shape}, {n} key_names, "
            f"{len(value_names)} value_names: expected (2,), (n, 2), (n, 2) and n names of both"
        )
    if not 1 <= n <= len(MARKERS):
        raise ValueError(f"keys {keys.shape}: expected from 1 to {len(MARKERS)} keys")
    blends, weights = functional.soft_lookup(query[None], keys, values, sharpness, score)  # (1, 2), (1, n)
    blend, shares = blends[0], weights[0]
    places = dict(zip(value_names, values, strict=True))
    places.update({name: np.asarray(place, dtype=float) for name, place in (others or {}).items()})
    meaning = min(places, key=lambda name: float(np.linalg.norm(places[name] - blend)))
    edge = reach or 1.15 * max(1.0, float(np.abs(keys).max()), float(np.abs(query).max()))

    def paint(figure: Figure) -> str:
        # fixed places, so that nothing moves but what the query moves: left, bottom, width, height in inches
        boxes = ((0.65, 0.6, 3.4, 3.4), (5.0, 2.3, 3.8, 1.71), (5.0, 0.6, 3.8, 1.0))
        left, right, bars = (figure.add_axes(tuple(np.divide(box, 2 * SIZE))) for box in boxes)
        left.set(title="Query (★) and keys", xlabel=key_axes[0], ylabel=key_axes[1], aspect="equal")
        left.set(xlim=(-edge, edge), ylim=(-edge, edge))
        for line in (left.axhline, left.axvline):
            line(0, color=FAINT, linewidth=0.6, zorder=0)
        title = f"Values: the blend (★) is nearest to {plain(meaning)}"
        right.set(title=title, xlabel=value_axes[0], ylabel=value_axes[1])
        for i, (key, share) in enumerate(zip(keys, shares, strict=True)):
            look: dict[str, Any] = {"color": COLOURS[i], "marker": MARKERS[i], "markersize": 8}
            left.plot(*zip(query, key, strict=True), color=COLOURS[i], linewidth=0.3 + 8 * share, alpha=0.45)
            left.plot(*key, linestyle="", **look)
            _label(left, key, key_names[i], inward=key[0] > 0.4 * edge)
            right.plot(*values[i], linestyle="", **look)
        for name in others or {}:
            right.plot(*places[name], linestyle="", marker="o", color=FAINT, markersize=6)
        _spread(right, np.array([*places.values(), blend]))
        for name, place in places.items():
            below = name == meaning and blend[1] > place[1]  # the star may stand just above
            _label(right, place, name, inward=_leans_right(right, place), below=below)
        right.plot(*zip(blend, places[meaning], strict=True), color=INK, linestyle=":", linewidth=1.2)
        _star(left, query)
        _label(left, query, query_name, inward=query[0] > 0.25 * edge, below=True, fontweight="bold")
        _star(right, blend)
        _paint_weights(bars, key_names, shares)
        return (
            f"Soft lookup of '{query_name}' at ({', '.join(map(number, query))}), sharpness "
            f"{number(sharpness)}. Weights: {paired(key_names, shares)}. "
            f"Blended value ({', '.join(map(number, blend))}), nearest to '{meaning}'."
        )

    return draw(*SIZE, paint)


def _paint_weights(axis: Axes, names: Sequence[str], shares: NDArray[Any]) -> None:
    """Paint a bar for each key, as long as its weight on an axis from 0 to 1."""
    rows = range(len(names))
    axis.barh(rows, shares, color=COLOURS[: len(names)], height=0.65)
    for row, share in zip(rows, shares, strict=True):
        axis.text(share + 0.015, row, number(share), va="center", fontsize=9)
    axis.set(xlabel="weight", xlim=(0, 1.1), xticks=(0, 0.25, 0.5, 0.75, 1))
    axis.set_yticks(rows, list(map(plain, names)), fontsize=9)
    axis.tick_params(axis="y", length=0)
    axis.invert_yaxis()


def _star(axis: Axes, point: NDArray[Any]) -> None:
    axis.plot(*point, linestyle="", marker="*", markersize=15, color=INK, markeredgecolor="white", zorder=5)


def _label(
    axis: Axes, point: NDArray[Any], words: str, *, inward: bool, below: bool = False, **style: Any
) -> None:
    """Write words beside a point, to its left where there is no room on its right."""
    axis.annotate(
        plain(words),
        tuple(point),
        xytext=(-8 if inward else 8, -15 if below else 7),
        textcoords="offset points",
        ha="right" if inward else "left",
        fontsize=9,
        zorder=6,
        bbox=HALO,
        **style,
    )


def _spread(axis: Axes, points: NDArray[Any]) -> None:
    """Choose limits with room for labels around all points; a step is as long upwards as sideways."""
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, 0.45 * max(*(high - low), 1e-9))
    corners = (low + high) / 2 + 0.65 * np.outer((-1, 1), size)
    axis.set(xlim=corners[:, 0], ylim=corners[:, 1])
    axis.set_aspect("equal")


def _leans_right(axis: Axes, point: NDArray[Any]) -> bool:
    low, high = axis.get_xlim()
    return bool(point[0] > low + 0.7 * (high - low))


def winning_regions(
    keys: ArrayLike,
    key_names: Sequence[str],
    scores: Mapping[str, ScoreFunction],
    *,
    key_axes: tuple[str, str] = ("first entry", "second entry"),
    reach: float = 3.0,
) -> Picture:
    """Colour the plane of queries by the key that wins there: one panel for each way to score.

    Parameters
    ----------
    keys : array (n, 2), n from 1 to 6
    key_names : n strings
    scores : mapping from title to function (queries, keys) → (L_q, L_k)
    key_axes : pair of str
    reach : float
        Both axes go from −reach to reach.

    Raises
    ------
    ValueError
        If keys and names do not fit together, or there is no score.

    Examples
    --------
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
    pale = ListedColormap([0.35 * np.array(to_rgb(c)) + 0.65 for c in COLOURS[:n]])

    def paint(figure: Figure) -> str:
        told = ["Which key wins, for queries in the plane."]
        grid = figure.subplots(1, len(scores), squeeze=False)[0]
        for axis, (title, winner) in zip(grid, winners.items(), strict=True):
            axis.imshow(
                winner,
                cmap=pale,
                vmin=-0.5,
                vmax=n - 0.5,
                origin="lower",
                extent=(-reach, reach, -reach, reach),
                interpolation="nearest",
            )
            axis.set(title=title, xlabel=f"query: {key_axes[0]}", ylabel=f"query: {key_axes[1]}")
            won = [f"{np.mean(winner == i):.0%}".replace("%", " %") for i in range(n)]
            for i, key in enumerate(keys):
                axis.plot(
                    *key,
                    linestyle="",
                    marker=MARKERS[i],
                    color=COLOURS[i],
                    markersize=9,
                    markeredgecolor=INK,
                )
                nowhere = "" if np.any(winner == i) else ": nowhere"
                _label(axis, key, key_names[i] + nowhere, inward=key[0] > 0.1 * reach)
            shares = [f"'{name}' {share}" for name, share in zip(key_names, won, strict=True)]
            shares[0] = f"'{key_names[0]}' wins {won[0]} of the square"
            told.append(f"{title}: {', '.join(shares)}.")
        return " ".join(told)

    return draw(3.7 * len(scores) + 0.2, 4.0, paint, layout="constrained")


def capacity(
    widths: ArrayLike, measured: Mapping[float, ArrayLike], expected: Mapping[float, ArrayLike]
) -> Picture:
    """Draw how many pairs fit into a soft dictionary against the width of its keys, for several sharpnesses.

    Marks are the measured medians, with a bar from the smallest to the largest seed; lines are what is
    expected. A dotted line is the ceiling 1 + e^β, which no width can lift.

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

    def paint(figure: Figure) -> str:
        axis = figure.subplots()
        axis.set(xlabel="width d of the keys", ylabel="pairs that fit", xscale="log", yscale="log")
        axis.set_xticks(x, [number(tick) for tick in x])
        axis.set_xticks([], minor=True)
        axis.grid(color=FAINT, alpha=0.25)
        told = ["Pairs that fit against width."]
        for i, (beta, y) in enumerate(runs.items()):
            middle, colour = np.median(y, axis=0), COLOURS[i % 6]
            spread = np.abs(np.stack([y.min(axis=0), y.max(axis=0)]) - middle)
            axis.errorbar(
                x,
                middle,
                spread,
                color=colour,
                marker=MARKERS[i % 6],
                linestyle="",
                label=f"β = {number(beta)}",
            )
            axis.plot(x, lines[beta], color=colour, linestyle=DASHES[i % 4], linewidth=1.2)
            ceiling = 1 + np.exp(beta)
            axis.axhline(ceiling, color=QUIET, linestyle=":", linewidth=0.9)
            axis.annotate(
                f"$1 + e^{{{beta:g}}}$ = {significant(ceiling)}",
                (1.0, ceiling),
                xycoords=("axes fraction", "data"),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
                color=QUIET,
            )
            points = [
                f"{significant(middle[j])} at width {number(x[j])}, expected {significant(lines[beta][j])}"
                for j in (0, len(x) - 1)
            ]
            told.append(f"β = {number(beta)}, ceiling {significant(ceiling)}: measured {'; '.join(points)}.")
        axis.legend(loc="upper left", bbox_to_anchor=(0.0, 0.95), ncols=2)
        return " ".join(told)

    return draw(7.6, 4.4, paint, layout="constrained")


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

    def paint(figure: Figure) -> str:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[2.4, 1])
        told = [f"{len(keys)} stored pairs of {axes[0]} and {axes[1]}."]
        if target is not None:
            upper.plot(queries, target, color=FAINT, linewidth=5, alpha=0.45, label="truth", zorder=1)
        upper.plot(keys, values, "o", color=QUIET, markersize=4, label="stored pairs")
        for i, (name, y) in enumerate(curves.items()):
            look: dict[str, Any] = {"color": COLOURS[i % 6], "linestyle": DASHES[i % 4]}
            upper.plot(queries, y, label=name, linewidth=1.8, **look)
            lower.plot(keys, shares[name], marker=MARKERS[i % 6], markersize=3.5, linewidth=1, **look)
            told.append(_tell_answers(name, y, target, shares[name], f"{axes[0]} = {number(at)}"))
        for axis in (upper, lower):
            axis.axvline(at, color=INK, linewidth=0.8, linestyle=":")
        upper.set(ylabel=axes[1])
        lower.set(xlabel=f"{axes[0]} (key or query)", ylabel=f"weight for\n{axes[0]} = {number(at)}")
        lower.set_ylim(bottom=0)
        upper.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        return " ".join(told)

    return draw(8.4, 4.8, paint, layout="constrained")


def _tell_answers(
    name: str, y: NDArray[Any], truth: NDArray[Any] | None, weights: NDArray[Any], where: str
) -> str:
    """Say how far a curve ranges, how far it is from the truth, and how many keys it listens to."""
    heard = 1 + int(np.count_nonzero(np.cumsum(np.sort(weights)[::-1]) < 0.9 - 1e-9))
    told = f"Curve '{name}': from {significant(y.min())} to {significant(y.max())}"
    if truth is not None:
        told += f", {significant(float(np.sqrt(np.mean((y - truth) ** 2))))} from the truth on average"
    return f"{told}; {heard} key{'s share' if heard > 1 else ' has'} 90 % of the weight at {where}."
