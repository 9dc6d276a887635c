"""The picture of what the course builds: each piece with the one before it inside."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon

from course_lib.figures.palette import (
    DECODER,
    ENCODER,
    FAINT,
    INK,
    KEY,
    LINE,
    OUTPUT,
    PAPER,
    QUERY,
    QUIET,
    SURFACE,
    VALUE,
    WEIGHT,
)
from course_lib.figures.picture import PIXELS_PER_INCH, Picture, draw

# Lengths are in pixels, from the top left.
CARD, TALL, GAP, BADGE = 128, 190, 30, 11
NARROW_GAP = 22
WEIGHTS = (0.15, 0.75, 0.3)  # of the three lines in the sketch of attention

WAVES = 6  # the chapter of word order, whose badge stands between the waves

CAPTION = (
    "Each piece is inside the next; the numbers are chapters. Inside a piece, read upwards. Q, K, V, O: query, keys, "
    "values and output. The decoder’s blocks have one attention more, for the English."
)

Box = tuple[float, float, float, float]  # left, top, right, bottom


class Piece(NamedTuple):
    """A card: its name, the chapters that build it, what it is, how it is drawn (and where the one before is in it)."""

    name: str
    chapters: tuple[int, ...]
    words: tuple[str, str]
    paint: Callable[[Axes, float, float], Box | None]
    marked: int | None = None  # the chapter whose badge stands in the drawing, beside its part


def pieces() -> Picture:
    """Draw attention, heads, block, Transformer and translator, each inside the next, with the chapters that build it.

    On narrow screens the pieces are below one another.

    Examples
    --------
    >>> pieces().alt[:62]
    'What you will build, each piece with the one before it inside.'
    """
    height = len(PIECES) * (TALL + NARROW_GAP) + 66
    wide = draw(760 / PIXELS_PER_INCH, 352 / PIXELS_PER_INCH, _paint_wide)
    narrow = draw(340 / PIXELS_PER_INCH, height / PIXELS_PER_INCH, _paint_narrow)
    return replace(wide, narrow=narrow).numbered("0.2", CAPTION)


def _tell() -> str:
    told = "; ".join(
        f"{', '.join(f'{n:02d}' for n in piece.chapters)} {piece.name}: {' '.join(piece.words)}"
        for piece in PIECES
    )
    return (
        f"What you will build, each piece with the one before it inside. {told}. "
        f"Before them {FIRST[0]:02d}: {FIRST[1]}. After them {LAST[0]:02d}: {LAST[1]}"
    )


def _canvas(figure: Figure) -> tuple[Axes, float, float]:
    width, height = figure.get_size_inches() * PIXELS_PER_INCH
    axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axis.set_axis_off()
    return axis, width, height


def below(piece: Piece) -> list[int]:
    """Return the chapters whose badges stand below a card."""
    return [chapter for chapter in piece.chapters if chapter != piece.marked]


def _paint_wide(figure: Figure) -> str:
    axis, width, _ = _canvas(figure)
    top = 74
    _badges(axis, BADGE, 15, [FIRST[0]])
    _text(axis, 2 * BADGE + 8, 12, f"First: {FIRST[1]}", 16)
    for i, piece in enumerate(PIECES):
        x = i * (CARD + GAP)
        _text(axis, x, top - 18, piece.name, 17, bold=True)
        _card(axis, (x, top, x + CARD, top + TALL))
        inside = piece.paint(axis, x + CARD / 2, top + TALL / 2)
        if inside:
            left, upper, _, lower = inside
            _zoom(axis, [(x - GAP, top + 4), (left, upper), (left, lower), (x - GAP, top + TALL - 4)])
        _badges(axis, x + BADGE, top + TALL + 20, below(piece))
        for j, line in enumerate(piece.words):
            _text(axis, x, top + TALL + 46 + 18 * j, line, 14, QUIET)
    _badges(axis, width - BADGE, 15, [LAST[0]])
    _text(axis, width - 2 * BADGE - 8, 12, f"Last: {LAST[1]}", 16, ha="right")
    return _tell()


def _paint_narrow(figure: Figure) -> str:
    axis, _, height = _canvas(figure)
    _badges(axis, BADGE + 1, 15, [FIRST[0]])
    _text(axis, 2 * BADGE + 8, 12, f"First: {FIRST[1]}", 16)
    for i, piece in enumerate(PIECES):
        top = 38 + i * (TALL + NARROW_GAP)
        _card(axis, (1, top, 1 + CARD, top + TALL))
        inside = piece.paint(axis, 1 + CARD / 2, top + TALL / 2)
        if inside:
            left, _, right, _ = inside
            _zoom(axis, [(5, top - NARROW_GAP), (left, top), (right, top), (CARD - 4, top - NARROW_GAP)])
        x = CARD + 18
        _text(axis, x, top + 56, piece.name, 19, bold=True)
        _badges(axis, x + BADGE, top + 84, below(piece))
        for j, line in enumerate(piece.words):
            _text(axis, x, top + 112 + 20 * j, line, 16, QUIET)
    _badges(axis, BADGE + 1, height - 16, [LAST[0]])
    _text(axis, 2 * BADGE + 8, height - 19, f"Last: {LAST[1]}", 16)
    return _tell()


# ---- The pieces; `s` is half of their height ----


def _attention(axis: Axes, x: float, y: float, s: float = 78) -> None:
    """A query, three keys with their values, and what comes out; the thicker a line, the greater the weight."""
    places, radius = (-0.57 * s, 0.0, 0.57 * s), 0.155 * s
    asks, comes_out = (x, y + 0.86 * s), (x, y - 0.86 * s)
    for place, weight in zip(places, WEIGHTS, strict=True):
        looks = [asks, (x + place, y + 0.2 * s)]
        reads = [(x + place, y - 0.2 * s), comes_out]
        _lines(axis, [looks, reads], WEIGHT, max(0.5, weight * s / 7))
    keys, values = ([(x + place, y + shift * s) for place in places] for shift in (0.19, -0.19))
    for letter, colour, points in (
        ("K", KEY, keys),
        ("V", VALUE, values),
        ("Q", QUERY, [asks]),
        ("O", OUTPUT, [comes_out]),
    ):
        _dots(axis, points, radius, colour)
        for point in points if s > 40 else ():
            _text_on(axis, *point, letter, 1.3 * radius)


def _heads(axis: Axes, x: float, y: float, s: float = 78) -> Box:
    """Four attentions, each with a place of its own."""
    boxes = []
    for row in (-1, 1):
        for column in (-1, 1):
            middle = x + 0.38 * s * column, y + 0.57 * s * row
            boxes.append(_around(*middle, 0.35 * s, 0.53 * s))
            _card(axis, boxes[-1], fill=PAPER, zorder=2)
            _attention(axis, *middle, s=0.44 * s)
    return boxes[0]


def _block(axis: Axes, x: float, y: float) -> Box:
    """Heads look around, a small network follows; each has a way past it."""
    s = 78
    heads, network = (x, y + 0.44 * s), (x, y - 0.48 * s)
    _lines(axis, [[(x, y + 1.12 * s), (x, y - 1.1 * s)]], FAINT, 1.4, zorder=1.5)
    _arrowheads(axis, [(x, y - 1.1 * s)])
    for start, end in ((0.98, -0.02), (-0.08, -0.92)):  # the ways past them
        side = x + 0.7 * s
        corners = [(x, y + start * s), (side, y + start * s), (side, y + end * s), (x, y + end * s)]
        _lines(axis, [corners], FAINT, 1.4, zorder=1.5)
        _dots(axis, [(x, y + end * s)], 0.05 * s, QUIET)
    box = _around(*heads, 0.6 * s, 0.38 * s)
    for part, at, named in (
        (box, heads, ("heads,", "masks")),
        (_around(*network, 0.6 * s, 0.32 * s), network, ("network",)),
    ):
        _card(axis, part, fill=PAPER, zorder=2)
        for i, line in enumerate(named):
            _text(axis, x, at[1] + 18 * (i - (len(named) - 1) / 2), line, 14, ha="center")
    return box


def _transformer(axis: Axes, x: float, y: float, s: float = 78) -> Box:
    """Positions come in once; two towers of two blocks; those of the decoder look at the encoder's output, too."""
    left, right = x - 0.4 * s, x + 0.4 * s
    steps = (0.36 * s, -0.44 * s)  # the lower and the upper block
    source, boxes = (left, y - 0.96 * s), []
    bottom, top = y + 1.12 * s, y - 1.12 * s
    _lines(axis, [[(left, bottom), source], [(right, bottom), (right, top)]], FAINT, 0.018 * s, zorder=1.5)
    _arrowheads(axis, [(right, top)], 0.07 * s)
    for step in steps:
        way = [source, (x, source[1]), (x, y + step), (right - 0.33 * s, y + step)]
        _lines(axis, [way], WEIGHT, 0.035 * s, zorder=2.8)
    for tower, colour in ((left, ENCODER), (right, DECODER)):
        for step in steps:
            boxes.append(_around(tower, y + step, 0.33 * s, 0.3 * s))
            _card(axis, boxes[-1], fill=PAPER, edge=colour, width=max(1.0, 0.024 * s), zorder=2.6)
            if s > 60:
                _text(axis, tower, y + step, "block", 14, colour, ha="center")
        wave = np.linspace(-1, 1, 41)
        curve = y + 0.93 * s + 0.06 * s * np.sin(2 * np.pi * wave)
        _lines(axis, [list(zip(tower + 0.2 * s * wave, curve, strict=True))], INK, 0.022 * s, zorder=2.7)
    if s > 60:
        _badges(axis, x, y + 0.93 * s, [WAVES])
    _dots(axis, [source], 0.06 * s, ENCODER)
    return boxes[0]


def _translator(axis: Axes, x: float, y: float) -> Box:
    """English goes in below the encoder, French comes out above the decoder."""
    _text(axis, x + 57, y - 82, "La voiture rouge", 15, DECODER, ha="right", bold=True)
    _text(axis, x - 57, y + 82, "The red car", 15, ENCODER, ha="left", bold=True)
    box = _around(x, y, 56, 69)
    _card(axis, box, fill=PAPER, zorder=2)
    _transformer(axis, x, y, s=58)
    return box


PIECES = (
    Piece("Attention", (2, 3, 4), ("one word looks", "at the others"), _attention),
    Piece("Heads", (5,), ("several looks", "at once"), _heads),
    Piece("Block", (7, 8), ("a small network;", "masks hide some words"), _block),
    Piece("Transformer", (WAVES, 9), ("waves for word order,", "encoder, decoder"), _transformer, WAVES),
    Piece("Translator", (10, 11, 12, 13), ("learns from", "20,000 pairs"), _translator),
)
FIRST = (1, "The word you need is elsewhere")
LAST = (14, "What does one head do?")


# ---- Strokes ----


def _around(x: float, y: float, half_width: float, half_height: float) -> Box:
    return x - half_width, y - half_height, x + half_width, y + half_height


def _text(
    axis: Axes,
    x: float,
    y: float,
    words: str,
    size: float,
    colour: str = INK,
    *,
    ha: Literal["left", "center", "right"] = "left",
    bold: bool = False,
) -> None:
    weight = "bold" if bold else "normal"
    axis.text(x, y, words, fontsize=0.75 * size, color=colour, ha=ha, va="center_baseline", fontweight=weight)


def _text_on(axis: Axes, x: float, y: float, words: str, size: float) -> None:
    """Write on a dot."""
    y += 0.36 * size  # capitals and digits are in its middle
    axis.text(
        x,
        y,
        words,
        fontsize=0.75 * size,
        color=PAPER,
        ha="center",
        va="baseline",
        fontweight="bold",
        zorder=4,
    )


def _lines(
    axis: Axes, lines: Sequence[Sequence[tuple[float, float]]], colour: str, width: float, zorder: float = 2.5
) -> None:
    """Draw lines that look the same; together they are one path."""
    points = np.array([point for line in lines for point in (*line, (np.nan, np.nan))])
    axis.plot(*points.T, color=colour, linewidth=0.75 * width, zorder=zorder, scalex=False, scaley=False)


def _dots(axis: Axes, points: Sequence[tuple[float, float]], radius: float, colour: str) -> None:
    axis.plot(
        *np.array(points).T,
        "o",
        color=colour,
        markersize=1.5 * radius,
        markeredgewidth=0,
        zorder=3,
        clip_on=False,
        scalex=False,
        scaley=False,
    )


def _arrowheads(axis: Axes, points: Sequence[tuple[float, float]], size: float = 6) -> None:
    """Heads of arrows that point upwards."""
    axis.plot(
        *np.array(points).T,
        "^",
        color=QUIET,
        markersize=1.2 * size,
        markeredgewidth=0,
        zorder=3,
        scalex=False,
        scaley=False,
    )


def _badges(axis: Axes, x: float, y: float, chapters: Sequence[int]) -> None:
    for i, chapter in enumerate(chapters):
        at = x + i * (2 * BADGE + 5), y
        _dots(axis, [at], BADGE, INK)
        _text_on(axis, *at, f"{chapter:02d}", 13)


def _card(
    axis: Axes, box: Box, *, fill: str = SURFACE, edge: str = LINE, width: float = 1.0, zorder: float = 1
) -> None:
    left, top, right, bottom = box
    style = f"round,pad=0,rounding_size={min(8.0, 0.14 * (bottom - top))}"
    shape = FancyBboxPatch((left, top), right - left, bottom - top, boxstyle=style, zorder=zorder)
    shape.set(facecolor=fill, edgecolor=edge, linewidth=0.75 * width)
    axis.add_patch(shape)


def _zoom(axis: Axes, corners: Sequence[tuple[float, float]]) -> None:
    """Join a card with the place where it is inside the next."""
    axis.add_patch(Polygon(corners, facecolor=FAINT, edgecolor="none", alpha=0.2, zorder=1.2))
