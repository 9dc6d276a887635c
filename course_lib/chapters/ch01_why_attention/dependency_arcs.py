"""Sentences with their dependency arcs."""

from collections.abc import Collection, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path

from course_lib.figures.palette import COLOURS, FAINT, INK, QUIET
from course_lib.figures.picture import Picture, draw, plain

LEVEL = 0.27  # inches by which an arc rises above those that it spans


def dependency_arcs(
    words: Sequence[str], heads: Sequence[int], *, stressed: Collection[int] = (), title: str = ""
) -> Picture:
    """Draw a sentence with an arc from each word's head to the word.

    Parameters
    ----------
    words : L strings
    heads : L int
        For each word the position of the word that it depends on, counted from 0; −1 for a root.
    stressed : positions
        Words whose arcs are drawn thick and coloured, with their distance written on them.

    Raises
    ------
    ValueError
        If there is no word, `heads` has another length than `words`, a head is no other position of the
        sentence, or a stressed position has no arc.

    Notes
    -----
    Source: B 10.1.2, figure 10.1.

    Examples
    --------
    >>> dependency_arcs(["The", "hearing", "is", "today"], [1, 2, -1, 2], stressed=[1]).alt
    "Dependency arcs over 'The hearing is today'. 'The' (0) depends on 'hearing' (1), 'hearing' (1) depends \
on 'is' (2), 'today' (3) depends on 'is' (2); root 'is' (2). Stressed: 'hearing' to 'is', distance 1."
    """
    length = len(words)
    if not length or len(heads) != length:
        raise ValueError(
            f"{length} words and {len(heads)} heads: expected at least one word, a head for each"
        )
    for i, head in enumerate(heads):
        if not -1 <= head < length or head == i:
            raise ValueError(f"heads[{i}] is {head}: expected −1 or another position from 0 to {length - 1}")
    for i in stressed:
        if not 0 <= i < length or heads[i] < 0:
            raise ValueError(f"stressed {i}: expected the position of a word that depends on another")
    levels = _levels(heads)
    centres = word_centres(words)
    width = centres[-1] + 0.15 + 0.05 * len(words[-1]) + 0.15
    height = 0.75 + LEVEL * (max(levels.values(), default=0) + 1) + (0.35 if title else 0)

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(-0.6, height - 0.6))
        axis.set_axis_off()
        if title:
            axis.text(width / 2, height - 0.78, plain(title), ha="center", va="center", fontsize=12)
        paint_words(axis, words, centres)
        for i in sorted(levels, key=lambda i: i in stressed):  # stressed arcs last, on top
            _paint_arc(axis, centres, heads[i], i, LEVEL * (levels[i] + 1), i in stressed)
        return _tell(words, heads, stressed, title)

    return draw(width, height, paint)


def word_centres(words: Sequence[str]) -> list[float]:
    """Return where the middle of each word lies, in inches, when they are set side by side.

    >>> word_centres(["a", "hearing"])
    [0.4, 1.1]
    """
    centres, left = [], 0.15
    for word in words:
        room = max(0.5, 0.1 * len(word) + 0.2)
        centres.append(round(left + room / 2, 3))
        left += room
    return centres


def paint_words(
    axis: Axes, words: Sequence[str], centres: Sequence[float], y: float = 0.0, size: float = 12
) -> None:
    """Write words below the line y, and their positions below the words."""
    for i, (word, x) in enumerate(zip(words, centres, strict=True)):
        axis.text(x, y - 0.2, plain(word), ha="center", va="center", fontsize=size)
        axis.text(x, y - 0.43, str(i), ha="center", va="center", fontsize=size - 2, color=QUIET)


def _levels(heads: Sequence[int]) -> dict[int, int]:
    """Say how high each arc must rise so as to clear the arcs that it spans, the short ones first."""
    ends = {i: (min(i, head), max(i, head)) for i, head in enumerate(heads) if head >= 0}
    levels: dict[int, int] = {}
    for i in sorted(ends, key=lambda i: ends[i][1] - ends[i][0]):
        low, high = ends[i]
        # touching at an end is no crossing, unless one lies above the other
        below = [levels[j] for j in levels if ends[j][0] < high and low < ends[j][1]]
        levels[i] = max(below, default=-1) + 1
    return levels


def _paint_arc(
    axis: Axes, centres: Sequence[float], head: int, word: int, rise: float, stressed: bool
) -> None:
    """Paint an arc that leaves the head a little off its middle and ends in an arrow on the word.

    A stressed arc has no arrow: what it is stressed for is that information runs the other way.
    """
    side = 0.07 if head < word else -0.07
    start, end = centres[head] + side, centres[word] - side * 0.4
    # upright at its ends and flat on top: with the same corners, a wide arc does not cut those that it spans
    corner = min(abs(end - start) / 2, 0.45) * (1 if start < end else -1)
    points = [(start, 0.0), (start, rise), (start, rise), (start + corner, rise)]
    points += [(end - corner, rise), (end, rise), (end, rise), (end, 0.02)]
    curve = Path(points, [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3])
    look: dict[str, Any] = dict(color=FAINT, linewidth=1.1)
    if stressed:
        look = dict(color=COLOURS[1], linewidth=2.6)
    arrow = "-" if stressed else "-|>,head_length=3.4,head_width=1.6"
    axis.add_patch(FancyArrowPatch(path=curve, arrowstyle=arrow, shrinkA=0, shrinkB=0, **look))
    if stressed:
        label = f"distance {abs(head - word)}"
        box = dict(boxstyle="round,pad=0.15", facecolor=axis.get_facecolor(), edgecolor="none")
        axis.text((start + end) / 2, rise, label, ha="center", va="center", fontsize=10, color=INK, bbox=box)


def _tell(words: Sequence[str], heads: Sequence[int], stressed: Collection[int], title: str) -> str:
    named = [f"'{word}' ({i})" for i, word in enumerate(words)]
    arcs = [f"{named[i]} depends on {named[head]}" for i, head in enumerate(heads) if head >= 0]
    roots = ", ".join(named[i] for i, head in enumerate(heads) if head < 0)
    told = f"{title + '. ' if title else ''}Dependency arcs over '{' '.join(words)}'. "
    told += f"{', '.join(arcs)}; root {roots}." if arcs and roots else f"{', '.join(arcs) or 'No arc'}."
    strong = [f"'{words[i]}' to '{words[heads[i]]}', distance {abs(heads[i] - i)}" for i in sorted(stressed)]
    return told + (f" Stressed: {'; '.join(strong)}." if strong else "")
