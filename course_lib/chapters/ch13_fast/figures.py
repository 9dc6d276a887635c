"""What chapter 13 draws: attention read in tiles, and a text written by two models."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.chapters.ch13_fast.speculation import Pass
from course_lib.chapters.ch13_fast.tiles import Kept, in_tiles
from course_lib.figures.palette import FAINT, INK, LINE, OUTPUT, PAPER, QUIET, SURFACE, VALUE, WEIGHT
from course_lib.figures.picture import (
    NARROW_INCHES,
    Picture,
    draw_wide_and_narrow,
    number,
    paint_title,
    plain,
    sentence,
    text_width,
)
from course_lib.special_ids import EOS_ID

WORDS = ["The", "cat", "which", "is", "so", "very", "fluffy", "now", "sleeps", "on", "the", "mat"]
SCORES = (0.2, 1.1, -0.5, 0.1, 0.4, 0.6, 2.2, -0.4, 1.6, 0.0, 0.3, 3.0)
TOLD = (
    "One query, twelve keys; the numbers are chosen by hand. Dark bars belong to this tile, pale ones to earlier "
    "tiles; an outline is a bar’s height before this tile. Right: green dots are the words’ values, hollow where not "
    "yet read. The diamond is the output so far, its trail the outputs before, the ring the exact one."
)
ANGLES = np.array([100, 135, 160, 190, 215, 240, 262, 300, 335, 5, 40, 70]) * np.pi / 180
VALUES = np.stack([1.35 * np.cos(ANGLES), np.sin(ANGLES)], axis=1)


def tiles_picture(
    words: Sequence[str],
    scores: ArrayLike,
    values: ArrayLike,
    *,
    tile: int,
    read: int,
    caption: str = "",
    figure_number: str = "",
) -> Picture:
    """Draw one query's attention after some tiles: the summands e^(s − m), and the output on its way in the plane.

    Parameters
    ----------
    words : sequence of L strings
        The keys.
    scores : array (L,)
    values : array (L, 2)
    tile : int
        Keys in a tile.
    read : int
        How many tiles have been read, from 1.
    caption, figure_number : str
        The words under the picture, and the number in front of them.

    Raises
    ------
    ValueError
        If the words do not fit the scores, the values do not lie in a plane, or there is no such tile.

    Examples
    --------
    >>> tiles_picture(["a", "b"], [0.0, 1.0], [[0.0, 0.0], [1.0, 1.0]], tile=1, read=1).alt[:62]
    'Tile 1 of 2: 1 score in hand, and three things kept. Maximum 0'
    """
    s, v = np.asarray(scores, dtype=float), np.asarray(values, dtype=float)
    steps = in_tiles(s, v, tile)
    if len(words) != len(s) or v.shape[1] != 2:
        raise ValueError(f"{len(words)} words, scores {s.shape}, values {v.shape}: expected (L,) and (L, 2)")
    if not 1 <= read <= len(steps):
        raise ValueError(f"read is {read}: expected 1 … {len(steps)} tiles")
    title = _title(steps, read, min(tile, len(s)))

    def paint(figure: Figure, narrow: bool) -> str:
        shape: dict[str, Any] = {"height_ratios": (1, 1)} if narrow else {"width_ratios": (1.75, 1)}
        left, right = figure.subplots(*((2, 1) if narrow else (1, 2)), **shape)
        paint_title(figure, title)
        _paint_summands(left, words, s, steps, tile, read, narrow)
        _paint_plane(right, words, v, steps, read, min(tile * read, len(s)))
        now, exact = steps[read - 1], steps[-1]
        apart = float(np.abs(now.output - exact.output).max())
        return (
            f"{sentence(title)}Maximum {number(now.maximum)}, sum {number(now.total)}, output "
            f"({', '.join(map(number, now.output))}); attention’s output is ({', '.join(map(number, exact.output))}), "
            f"{number(apart)} away."
        )

    return draw_wide_and_narrow(7.9, 3.9, 6.6, paint).numbered(figure_number, caption)


def _title(steps: Sequence[Kept], read: int, tile: int) -> str:
    now = steps[read - 1]
    if read == len(steps):
        return f"Tile {read} of {len(steps)}, the last: the output is exactly attention’s"
    if read == 1:
        return f"Tile 1 of {len(steps)}: {tile} score{'s' * (tile > 1)} in hand, and three things kept"
    if now.factor < 1:
        return f"Tile {read} of {len(steps)}: a larger score, so the sum so far shrinks to {100 * now.factor:.0f} %"
    return f"Tile {read} of {len(steps)}: no larger score, so the sum so far stays"


def _paint_summands(
    axis: Axes,
    words: Sequence[str],
    s: NDArray[np.float64],
    steps: Sequence[Kept],
    tile: int,
    read: int,
    narrow: bool,
) -> None:
    now, places = steps[read - 1], np.arange(len(s))
    seen, first = min(tile * read, len(s)), tile * (read - 1)
    axis.axvspan(first - 0.5, seen - 0.5, color=SURFACE, zorder=0)
    heights = np.exp(s[:seen] - now.maximum)
    axis.bar(places[first:seen], heights[first:], 0.78, color=WEIGHT, zorder=3)
    axis.bar(places[:first], heights[:first], 0.78, color=WEIGHT, alpha=0.45, zorder=3)
    if read > 1 and now.factor < 1:
        before = np.exp(s[:first] - steps[read - 2].maximum)
        axis.bar(places[:first], before, 0.78, facecolor="none", edgecolor=FAINT, linewidth=1, zorder=2)
    for start in range(tile, len(s), tile):
        axis.axvline(start - 0.5, color=LINE, linewidth=1, zorder=1)
    axis.set(xlim=(-0.6, len(s) - 0.4), ylim=(0, 1.12))
    axis.set_xticks(places, list(map(plain, words)), rotation=60, ha="right", rotation_mode="anchor")
    for i, label in enumerate(axis.get_xticklabels()):
        label.set_color(INK if i < seen else FAINT)
    axis.tick_params(axis="x", length=0)
    axis.set_yticks([0, 1])
    told = f"m = {number(now.maximum)}     ℓ = {number(now.total)}"
    axis.set_title(told, fontsize=11, fontweight="normal", color=QUIET)
    axis.set_ylabel(r"$e^{\,s-m}$", rotation=0 if not narrow else 90, labelpad=14 if not narrow else 2)


def _paint_plane(
    axis: Axes, words: Sequence[str], v: NDArray[np.float64], steps: Sequence[Kept], read: int, seen: int
) -> None:
    path = np.array([step.output for step in steps[:read]])
    axis.plot(*path.T, color=OUTPUT, linewidth=1.6, zorder=4)
    dots: list[tuple[NDArray[np.float64], dict[str, Any]]] = [
        (v[:seen], {"s": 26, "color": VALUE, "zorder": 3}),
        (v[seen:], {"s": 26, "facecolor": PAPER, "edgecolor": VALUE, "linewidth": 0.8, "alpha": 0.6}),
        (path[:-1], {"s": 18, "color": OUTPUT, "alpha": 0.6, "zorder": 5}),
        (path[-1:], {"s": 80, "color": OUTPUT, "marker": "D", "zorder": 6}),
        (
            steps[-1].output[None],
            {"s": 210, "facecolor": "none", "edgecolor": INK, "linewidth": 1.4, "zorder": 7},
        ),
    ]
    for places, look in dots:
        axis.scatter(places[:, 0], places[:, 1], **look)
    middle = v.mean(axis=0)
    for i, (word, place) in enumerate(zip(words, v, strict=True)):
        outwards = (place - middle) / (np.hypot(*(place - middle)) or 1.0)
        axis.annotate(
            plain(word),
            place,
            xytext=(9 * outwards[0], 9 * outwards[1]),  # points
            textcoords="offset points",
            ha="left" if outwards[0] > 0.35 else "right" if outwards[0] < -0.35 else "center",
            va="bottom" if outwards[1] > 0.35 else "top" if outwards[1] < -0.35 else "center",
            fontsize=9,
            color=QUIET if i < seen else FAINT,
        )
    axis.set(xticks=[], yticks=[])
    axis.margins(0.2, 0.28)
    axis.set_aspect("equal", adjustable="datalim")
    axis.spines[:].set_visible(False)
    axis.set_title("output, among the values", fontsize=11, fontweight="normal", color=QUIET)


def written_in_passes(
    text: Callable[[int], str],
    passes: Sequence[Pass],
    *,
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw the passes of speculative decoding, one a line: guesses kept, guesses dropped, and the token added.

    Parameters
    ----------
    text : function
        The token of an id.
    passes : sequence of Pass
    title, caption, number : str

    Examples
    --------
    >>> written_in_passes({5: "le", 6: "chat", 7: "dort"}.get, [Pass([5, 6], 1, 7)]).alt
    'Pass 1: kept le, dropped chat, added dort.'
    """
    rows = [
        [(text(token), "kept" if i < p.n_kept else "dropped") for i, token in enumerate(p.drafted)]
        if p.added != EOS_ID
        else [
            (text(token), "kept") for token in p.drafted[: p.n_kept]
        ]  # what is guessed behind the end is left out
        for p in passes
    ]
    for row, p in zip(rows, passes, strict=True):
        row.insert(p.n_kept + (len(row) > p.n_kept), (text(p.added), "added"))  # behind what it replaces
    told = [
        f"Pass {i}: " + ", ".join(f"{fate} {word}" for word, fate in row) + "."
        for i, row in enumerate(rows, 1)
    ]
    widths = [[text_width(word, 12) + 0.2 for word, _ in row] for row in rows]
    across = max(sum(row) + 0.08 * len(row) for row in widths) + 0.75
    on_a_phone = NARROW_INCHES - 0.1

    def paint(figure: Figure, narrow: bool) -> str:
        paint_title(figure, title)
        axis = figure.subplots()
        wide = on_a_phone if narrow else max(across, 6.0)
        places = _places(widths, wide)
        axis.set(xlim=(0, wide), ylim=(places[-1][-1][1] + 0.6, -0.6))
        axis.set_axis_off()
        for i, (row, sizes, at) in enumerate(zip(rows, widths, places, strict=True)):
            axis.text(0, at[0][1], f"pass {i + 1}", va="center", color=QUIET)
            for (word, fate), size, (x, y) in zip(row, sizes, at, strict=True):
                _chip(axis, x, y, size, word, fate)
        return f"{sentence(title)}{' '.join(told)}"

    n_lines = _places(widths, on_a_phone)[-1][-1][1] + 1
    wide_high, narrow_high = (0.75 + 0.5 * n for n in (len(rows), n_lines))
    return draw_wide_and_narrow(max(across, 6.2), wide_high, narrow_high + 0.4, paint).numbered(
        number, caption
    )


def _places(widths: Sequence[Sequence[float]], room: float) -> list[list[tuple[float, int]]]:
    """Return where chips stand, (x, line): what has no room in a line goes to the next one.

    >>> _places([[1.0, 1.0], [1.0]], room=2.0)
    [[(0.72, 0), (0.72, 1)], [(0.72, 2)]]
    """
    places, y = list[list[tuple[float, int]]](), -1
    for sizes in widths:
        x, y = 0.72, y + 1
        places.append([])
        for size in sizes:
            if x + size > room and places[-1]:
                x, y = 0.72, y + 1
            places[-1].append((x, y))
            x += size + 0.08
    return places


def _chip(axis: Axes, x: float, y: float, width: float, word: str, fate: str) -> None:
    looks: dict[str, dict[str, Any]] = {
        "kept": {"facecolor": WEIGHT, "edgecolor": WEIGHT, "alpha": 0.25},
        "dropped": {"facecolor": "none", "edgecolor": FAINT, "linestyle": ":"},
        "added": {"facecolor": "none", "edgecolor": INK, "linewidth": 1.6},
    }
    axis.add_patch(Rectangle((x, y - 0.32), width, 0.64, **looks[fate]))
    colour = QUIET if fate == "dropped" else INK
    axis.text(x + width / 2, y, plain(word), ha="center", va="center", fontsize=12, color=colour)
    if fate == "dropped":
        axis.plot([x + 0.06, x + width - 0.06], [y, y], color=FAINT, linewidth=1.2)
