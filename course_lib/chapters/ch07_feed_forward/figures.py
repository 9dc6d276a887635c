"""What an average can reach and what leaves it; tiles of results; keys and values of a memory; rows that collapse."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.chapters.ch07_feed_forward.memory import Pair
from course_lib.figures.curves import lines
from course_lib.figures.page import PageFigure
from course_lib.figures.palette import INK, KEY, LINE, OUTPUT, QUIET, VALUE, ink_on
from course_lib.figures.picture import (
    NARROW_INCHES,
    Picture,
    draw,
    fitted,
    plain,
    sentence,
    significant,
    text_width,
)
from course_lib.figures.picture import number as written

# The example of `hull`: four words, and a network of four hidden units that takes three times what there is of both
# mood and denial off the mood. All numbers are set by hand.
NOT_HAPPY: dict[str, Any] = {
    "words": ["not", "very", "happy", "sad"],
    "values": [[0.0, 2.0], [0.0, 0.0], [2.0, 0.0], [-2.0, 0.0]],
    "network": (
        [[1.0, 1.0, -1.0, -1.0], [0.0, -1.0, 0.0, -1.0]],  # W_1: m, m − n, −m, −m − n
        [0.0, 0.0, 0.0, 0.0],
        [[-3.0, 0.0], [3.0, 0.0], [3.0, 0.0], [-3.0, 0.0]],  # W_2
        [0.0, 0.0],
    ),
    "axes": (("sad", "happy"), ("affirmed", "denied")),
    "target": (-2.0, 1.0),
}


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
    words: Sequence[str],
    values: ArrayLike,
    *,
    network: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike],
    axes: tuple[tuple[str, str], tuple[str, str]],
    target: tuple[float, float],
    scores: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    on: bool = False,
    phrase: int = 0,
    centre: tuple[float, float] = (0.0, 0.95),
    reach: float = 2.6,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Let four words be dragged in a plane, and show where one fixed query, and then a network, puts their phrases.

    A phrase o is the average of its two words by the softmax of their scores; with the network it goes to o + FFN(o).
    Wanted is that one line parts the phrases of good mood, + (the second and the third), from the others.

    Parameters
    ----------
    words : four strings
        Two modifiers, then two adjectives: the phrases are *modifier adjective*.
    values : array (4, 2)
    network : W_1 (2, d_ff), b_1 (d_ff,), W_2 (d_ff, 2), b_2 (2,)
    axes : pairs of str
        What lies left and right, below and above.
    target : (float, float)
        Where the first phrase belongs.
    scores : four numbers
        What the query gives to the words.
    on : bool
        Whether the network is on at first; then all phrases are drawn, otherwise the one that is followed.
    phrase : int
        Which phrase is followed at first.
    centre, reach
        The plane shows centre ± reach across, and three quarters as much up and down.
    caption, number : str
        As for `PageFigure`.

    Raises
    ------
    ValueError
        If there are not four words with values and scores, or the network does not fit them.

    Examples
    --------
    >>> hull(**NOT_HAPPY).title
    '‘not happy’ belongs outside the triangle of the words, and averages stay inside'
    >>> hull(**NOT_HAPPY, on=True).title
    'The network leaves the triangle, and a line parts + from −'
    """
    sites = np.asarray(values, dtype=np.float64)
    W_1, b_1, W_2, b_2 = (np.asarray(part, dtype=np.float64) for part in network)
    if sites.shape != (4, 2) or len(words) != 4 or len(scores) != 4 or phrase not in range(4):
        raise ValueError(
            f"values {sites.shape}, {len(words)} words, {len(scores)} scores, phrase {phrase}: "
            "expected (4, 2), four words, four scores and one of four phrases"
        )
    d_ff = b_1.size
    shapes = W_1.shape, b_1.shape, W_2.shape, b_2.shape
    if shapes != ((2, d_ff), (d_ff,), (d_ff, 2), (2,)):
        raise ValueError(f"network {shapes}: expected (2, d_ff), (d_ff,), (d_ff, 2) and (2,)")
    props = {
        "words": list(words),
        "values": sites.tolist(),
        "scores": list(map(float, scores)),
        "W_1": W_1.tolist(),
        "b_1": b_1.tolist(),
        "W_2": W_2.tolist(),
        "b_2": b_2.tolist(),
        "axes": [list(ends) for ends in axes],
        "centre": list(map(float, centre)),
        "reach": float(reach),
        "target": list(map(float, target)),
        "network": on,
        "phrase": phrase,
    }
    return PageFigure("hull", props, caption=caption, number=number)


def tiles(
    shares: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    marks: Sequence[Sequence[str]],
    *,
    ends: Sequence[str] = (),
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw a table of tiles: the larger the share, the stronger the colour; on each tile a mark, at its end a remark.

    Parameters
    ----------
    shares : array (n, m)
        From 0, which is paper, to 1.
    rows, columns : n and m strings
    marks : n rows of m strings
        What is written on the tiles.
    ends : n strings, optional
        What is written behind each row.
    title, caption, number : str

    Raises
    ------
    ValueError
        If the table is not (n, m), or marks or ends do not fit it.

    Examples
    --------
    >>> tiles([[1.0, 0.25]], ["GRU"], ["short", "long"], [["✓", "✗"]], ends=["2 of 8"], title="Short is easy").alt
    "Short is easy. Table. 'GRU': short ✓ (share 1), long ✗ (share 0.25); 2 of 8."
    """
    table = np.asarray(shares, dtype=np.float64)
    n, m = len(rows), len(columns)
    if table.shape != (n, m) or [len(row) for row in marks] != [m] * n or len(ends) not in (0, n):
        raise ValueError(
            f"shares {table.shape}, {len(marks)} rows of marks, {len(ends)} ends: expected ({n}, {m}), "
            f"{n} rows of {m} marks, and an end for each row or none"
        )

    def paint(figure: Figure, cell: float, left: float, stacked: bool) -> str:
        width, height = figure.get_size_inches()
        axis = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        top = _paint_title(axis, title, width)
        heads = [fitted(column, cell - 0.06) for column in columns]
        deep = max(map(len, heads))
        for c, head in enumerate(heads):
            at = left + (c + 0.5) * cell, top + 0.21 * deep
            axis.text(*at, plain("\n".join(head)), ha="center", va="bottom", fontsize=11, color=QUIET)
        y = top + 0.21 * deep + 0.08
        told = [f"{sentence(title)}Table."]
        for r, row in enumerate(rows):
            if stacked:
                axis.text(0, y + 0.17, plain(row), va="center")
                y += 0.32
            else:
                axis.text(left - 0.12, y + TILE / 2, plain(row), ha="right", va="center")
            for c in range(m):
                share = float(np.clip(table[r, c], 0, 1))
                box = ((left + c * cell, y), cell, TILE)
                axis.add_patch(Rectangle(*box, facecolor=OUTPUT, alpha=0.75 * share, linewidth=0))
                axis.add_patch(Rectangle(*box, fill=False, edgecolor=LINE, linewidth=1))
                middle = left + (c + 0.5) * cell, y + TILE / 2
                ink = ink_on(OUTPUT, 0.75 * share)
                axis.text(*middle, plain(marks[r][c]), ha="center", va="center", fontsize=13, color=ink)
            entries = ", ".join(
                f"{column} {mark} (share {written(x)})"
                for column, mark, x in zip(columns, marks[r], table[r], strict=True)
            )
            end = ends[r] if ends else ""
            told.append(f"'{row}': {entries}{f'; {end}' if end else ''}.")
            if stacked:
                axis.text(0, y + TILE + 0.15, plain(end), va="center", color=QUIET)
                y += TILE + (0.42 if ends else 0.14)
            else:
                axis.text(left + m * cell + 0.12, y + TILE / 2, plain(end), va="center", color=QUIET)
                y += TILE + 0.07
        return " ".join(told)

    left = max(map(text_width, rows)) + 0.16
    right = max(map(text_width, ends), default=0.0) + 0.2
    cell = float(np.clip((7.4 - left - right) / m, 0.62, 1.1))
    width = left + m * cell + right
    deep = max(len(fitted(column, cell - 0.06)) for column in columns)
    height = _title_height(title, width) + 0.21 * deep + 0.15 + n * (TILE + 0.07)
    wide = draw(width, height, lambda figure: paint(figure, cell, left, False))
    slim = (NARROW_INCHES - 0.04) / m
    deep = max(len(fitted(column, slim - 0.06)) for column in columns)
    each = 0.32 + TILE + (0.42 if ends else 0.14)
    tall = _title_height(title, NARROW_INCHES) + 0.21 * deep + 0.2 + n * each
    narrow = draw(NARROW_INCHES, tall, lambda figure: paint(figure, slim, 0.02, True))
    return replace(wide, narrow=narrow).numbered(number, caption)


TILE = 0.42  # inches, the height of a tile


def memory_pairs(pairs: Sequence[Pair], *, title: str = "", caption: str = "", number: str = "") -> Picture:
    """Draw pairs of a memory: the moments at which each key fires most, and the words that its value votes for.

    Parameters
    ----------
    pairs : sequence of Pair
        From `memory.pair`.
    title, caption, number : str

    Raises
    ------
    ValueError
        If there is no pair.

    Examples
    --------
    >>> memory_pairs([Pair(7, [("Je ne suis", "pas")], [("pas", 2.0), ("plus", 0.5)])]).alt
    "Pairs of a memory. Pair 7: its key fires most after 'Je ne suis' (next: pas); its value adds to pas 2, plus 0.5."
    """
    if not pairs:
        raise ValueError("pairs is empty: expected at least one")
    longest = max(value for each in pairs for _, value in each.writes)

    def paint(figure: Figure, stacked: bool) -> str:
        width, height = figure.get_size_inches()
        axis = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        y = _paint_title(axis, title, width)
        told = [f"{sentence(title)}Pairs of a memory."]
        half = width if stacked else 0.5 * width
        if not stacked:
            axis.text(0, y + 0.1, "key: the moments when it fires most", va="center", color=KEY)
            axis.text(half, y + 0.1, "value: the words that it votes for", va="center", color=VALUE)
            y += 0.36
        for each in pairs:
            axis.plot([0, width], [y, y], color=LINE, linewidth=1)
            axis.text(0, y + 0.18, f"pair {each.number}", va="center", color=QUIET)
            y += 0.38
            if stacked:
                axis.text(0, y + 0.06, "key: fires most at", va="center", color=KEY)
                y += 0.25
            top = y
            for so_far, following in each.moments:
                shown = f"… {so_far}" if so_far != "<s>" else "at the start:"
                while text_width(f"{shown} {following}", 12) > half - 0.3 and " " in shown[2:]:
                    shown = f"… {shown[2:].split(' ', 1)[1]}"
                axis.text(0.1, y + 0.08, plain(shown), va="center", fontsize=12, color=INK)
                at = 0.1 + text_width(f"{shown} ", 12) + 0.04
                axis.text(
                    at, y + 0.08, plain(following), va="center", fontsize=12, fontweight="bold", color=OUTPUT
                )
                y += LINE_OF_TEXT
            if stacked:
                y += 0.08
                axis.text(0, y + 0.06, "value: votes for", va="center", color=VALUE)
                y += 0.25
            begin, low = (0.1, y) if stacked else (half, top)
            room = (width if stacked else half) - 1.75
            for word, value in each.writes:
                axis.text(
                    begin + 1.05, low + 0.08, plain(word), ha="right", va="center", fontsize=12, color=INK
                )
                long = room * max(value, 0.0) / longest
                axis.add_patch(Rectangle((begin + 1.13, low - 0.02), long, 0.2, facecolor=VALUE, alpha=0.75))
                axis.text(
                    begin + 1.2 + long, low + 0.09, f"{value:.1f}".replace("-", "−"), va="center", color=QUIET
                )
                low += LINE_OF_TEXT
            y = max(y, low) + 0.12
            after = ", ".join(f"'{so_far}' (next: {following})" for so_far, following in each.moments)
            adds = ", ".join(f"{word} {written(value)}" for word, value in each.writes)
            told.append(f"Pair {each.number}: its key fires most after {after}; its value adds to {adds}.")
        return " ".join(told)

    lines_wide = sum(max(len(each.moments), len(each.writes)) for each in pairs)
    lines_narrow = sum(len(each.moments) + len(each.writes) for each in pairs)
    height = _title_height(title, 7.4) + 0.36 + LINE_OF_TEXT * lines_wide + 0.52 * len(pairs)
    tall = _title_height(title, NARROW_INCHES) + LINE_OF_TEXT * lines_narrow + 1.1 * len(pairs) + 0.05
    wide = draw(7.4, height, lambda figure: paint(figure, False))
    narrow = draw(NARROW_INCHES, tall, lambda figure: paint(figure, True))
    return replace(wide, narrow=narrow).numbered(number, caption)


LINE_OF_TEXT = 0.25  # inches


def collapse(
    spreads: Mapping[str, ArrayLike],
    rows: ArrayLike | None = None,
    words: Sequence[str] = (),
    *,
    title: str,
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw how different the rows still are after each layer, on a logarithmic axis, and where the theory puts them.

    Of the first series the theory's course is drawn, too, from its second layer on: the exponent grows threefold.

    Parameters
    ----------
    spreads : mapping from name to array (n_seeds, n_layers + 1)
    rows : array (n_panels, L, d), optional
        Rows of one stack, layer after layer, from `depth.rows_by_layer`. They are drawn above the curves, one panel a
        layer, in the plane in which the rows of that layer differ most. All panels have one scale.
    words : L strings
        Their names.
    title, caption, number : str

    Raises
    ------
    ValueError
        If there is not a word for each row.

    Notes
    -----
    Dong, Cordonnier and Loukas (2021): without residual connections the distance from equal rows is at most of the
    order of its cube in the layer before.

    Examples
    --------
    >>> alt = collapse({"without": [[1.0, 0.5, 0.1, 0.002]]}, title="Gone").alt
    >>> alt[alt.index("theory") :]
    'theory: the cube: from 0.1 at 2 to 0.001 at 3.'
    >>> collapse({"without": [1, 1]}, [[[0, 0], [2, 0]], [[1, 0], [1, 0]]], ["a", "b"], title="").alt[:93]
    'Words in a plane. Layer 0: at most 2 apart. Layer 1: at most 0 apart. Curves of how different'
    """
    runs = {name: np.atleast_2d(np.asarray(x, dtype=np.float64)) for name, x in spreads.items()}
    first = np.median(next(iter(runs.values())), axis=0)
    cube = np.full(len(first), np.nan)
    cube[2:3] = first[2:3]
    for layer in range(3, len(first)):
        cube[layer] = cube[layer - 1] ** 3
    shown = {name: np.maximum(x, FLOOR) for name, x in runs.items()} | {"theory: the cube": cube}
    layers = None if rows is None else np.asarray(rows, dtype=np.float64)
    if layers is not None and layers.shape[:-1] != (len(layers), len(words)):
        raise ValueError(f"rows {layers.shape} and {len(words)} words: expected (n_panels, L, d) and L words")
    return lines(
        np.arange(len(first)),
        shown,
        x_label="layer",
        y_label="how different the rows are",
        log="y",
        title=title,
        caption=caption,
        number=number,
        above=None if layers is None else partial(_paint_layers, layers, words),
        above_inches=(1.7, 3.2),
    )


def _paint_layers(layers: NDArray[np.float64], words: Sequence[str], axis: Axes, narrow: bool) -> str:
    """Draw the rows of each layer in a cell of its own, all on one scale; the axes count in inches."""
    across = 2 if narrow else len(layers)
    wide, high = (
        part / n
        for part, n in zip(
            (axis.get_xlim()[1], axis.get_ylim()[0]), (across, -(-len(layers) // across)), strict=True
        )
    )
    name, room = 0.3, 2 * max(map(text_width, words), default=0.0) + 0.3  # inches, for the names
    seen = [_flattened(rows) for rows in layers]
    sizes = np.maximum(np.ptp(np.concatenate(seen), axis=0), 1e-300)
    scale = min((wide - room) / sizes[0], (high - 2.6 * name) / sizes[1])  # inches a unit
    told = ["Words in a plane."]
    for layer, rows in enumerate(seen):
        row, column = divmod(layer, across)
        centre = np.array([(column + 0.5) * wide, row * high + name + (high - name) / 2])
        sites = centre + scale * (rows - (rows.max(axis=0) + rows.min(axis=0)) / 2)
        title = "the words" if layer == 0 else f"after layer {layer}"
        axis.text(centre[0], row * high + 0.1, title, ha="center", va="center", color=QUIET)
        corners = convex_hull(sites)
        if len(corners) > 2:
            axis.fill(*corners.T, facecolor=VALUE, alpha=0.15, edgecolor="none")
        axis.plot(*sites.T, "o", color=VALUE, markersize=6, zorder=3)
        apart = [float(np.linalg.norm(a - b)) for a, b in combinations(sites, 2)]
        if min(apart, default=np.inf) > 0.17:  # there is room for names
            for site, word in zip(sites, words, strict=True):
                away = site - sites.mean(axis=0)
                beside = abs(away[0]) > abs(away[1])
                at = site + np.sign(away) * ([0.1, 0] if beside else [0, 0.17])
                side = "center" if not beside else "left" if away[0] > 0 else "right"
                axis.text(at[0], at[1], plain(word), ha=side, va="center")
        elif len(words) > 1:
            axis.text(sites[:, 0].max() + 0.12, centre[1], f"all {len(words)}", va="center")
        told.append(f"Layer {layer}: at most {significant(max(apart, default=0.0) / scale)} apart.")
    return " ".join(told)


def _flattened(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows in the plane in which they differ most, about their mean, (L, 2): the first goes right and up."""
    centred = rows - rows.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    sites = centred @ axes[:2].T
    return sites * np.where(sites[0] < 0, -1.0, 1.0)


FLOOR = 1e-16  # what is smaller is rounding


def _paint_title(axis: Any, title: str, width: float) -> float:
    """Write a title in bold; return where the drawing begins."""
    for i, line in enumerate(fitted(title, width - 0.1, size=12, bold=True) if title else []):
        axis.text(0, 0.14 + 0.21 * i, plain(line), va="center", fontsize=12, fontweight="bold")
    return _title_height(title, width)


def _title_height(title: str, width: float) -> float:
    return 0.21 * len(fitted(title, width - 0.1, size=12, bold=True)) + 0.14 if title else 0.06


def _in_plane(name: str, points: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 2 or not len(array):
        raise ValueError(f"{name} {array.shape}: expected points in a plane, (n, 2)")
    return array


def _turn(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> float:
    """Return twice the area of the triangle, positive if a → b → c turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
