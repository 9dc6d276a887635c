"""What a stack of convolutions sees of a sentence."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from course_lib.chapters.ch01_why_attention.dependency_arcs import paint_words, word_centres
from course_lib.figures.picture import CARD, COLOURS, FAINT, INK, QUIET, Picture, draw, plain

STEP = 0.42  # inches between two layers


def reach(kernel_size: int, n_layers: int, doubling: bool = False) -> int:
    """Return how many positions to either side stacked convolutions see.

    Parameters
    ----------
    kernel_size : int
        Odd: a position sees (kernel_size − 1)/2 positions of the layer below to either side.
    n_layers : int
    doubling : bool
        Whether each layer spreads its kernel over twice as many positions as the one below (dilation 1, 2, 4, …).

    Raises
    ------
    ValueError
        If the kernel size is not odd and positive, or the number of layers negative.

    Notes
    -----
    Formula: (kernel_size − 1)/2 times n_layers, or times 2^n_layers − 1. Source: B 10.1.1.

    Examples
    --------
    >>> reach(5, 1), reach(5, 3), reach(5, 3, doubling=True)
    (2, 6, 14)
    """
    if kernel_size < 1 or kernel_size % 2 == 0 or n_layers < 0:
        raise ValueError(
            f"kernel_size {kernel_size}, n_layers {n_layers}: expected an odd, positive size and no negative number"
        )
    return (kernel_size // 2) * (2**n_layers - 1 if doubling else n_layers)


def receptive_field(
    words: Sequence[str],
    *,
    asking: int,
    wanted: int,
    kernel_size: int,
    n_layers: int,
    doubling: bool = False,
) -> Picture:
    """Draw which words a position can see through stacked convolutions, and whether a wanted one is among them.

    Parameters
    ----------
    words : L strings
    asking, wanted : int
        Two positions, counted from 0: whose receptive field is drawn, and which word is looked for.
    kernel_size, n_layers, doubling
        As in `reach`; n_layers is at least 1.

    Raises
    ------
    ValueError
        If a position lies outside the sentence, there is no layer, or as `reach` does.

    Notes
    -----
    Source: B 10.1.1 ("stacking multiple layers").

    Examples
    --------
    >>> words = "The hearing on the issue is today".split()
    >>> receptive_field(words, asking=5, wanted=1, kernel_size=5, n_layers=1).alt
    "Receptive field of 'is' (5) through 1 convolution of kernel size 5: positions 3 to 6, 'the' to 'today'. \
'hearing' (1) lies 4 words away, outside: the reach is 2."
    """
    length = len(words)
    if not (0 <= asking < length and 0 <= wanted < length) or n_layers < 1:
        raise ValueError(
            f"asking {asking}, wanted {wanted}, n_layers {n_layers}: expected positions from 0 to {length - 1} "
            "and at least one layer"
        )
    radius = reach(kernel_size, n_layers, doubling)
    seen = _cone(length, asking, kernel_size, n_layers, doubling)
    centres = word_centres(words)
    width = max(centres[-1] + 0.15 + 0.05 * len(words[-1]) + 1.35, 5.2)
    height = 0.75 + STEP * n_layers + 0.5
    found = wanted in seen[0]

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(-0.6, height - 0.6))
        axis.set_axis_off()
        _paint_layers(axis, centres, seen, kernel_size, doubling)
        paint_words(axis, words, centres)
        for i, word in ((asking, words[asking]), (wanted, words[wanted])):
            colour = COLOURS[0] if i == asking else COLOURS[1]
            axis.text(
                centres[i], -0.2, plain(word), ha="center", va="center", fontsize=11, color=INK,
                fontweight="bold", bbox=dict(facecolor=CARD, edgecolor=colour, boxstyle="round,pad=0.12"),
            )  # fmt: skip
        verdict = "sees" if found else "does not see"
        axis.text(
            width / 2, height - 0.82, plain(f"{words[asking]} {verdict} {words[wanted]}: "
            f"distance {abs(asking - wanted)}, reach {radius}"), ha="center", va="center", fontsize=11,
            color=INK, fontweight="bold" if found else "normal",
        )  # fmt: skip
        low, high = min(seen[0]), max(seen[0])
        many = "convolution" if n_layers == 1 else "convolutions"
        spread = " with doubling dilation" if doubling else ""
        gap = "1 word" if abs(asking - wanted) == 1 else f"{abs(asking - wanted)} words"
        return (
            f"Receptive field of '{words[asking]}' ({asking}) through {n_layers} {many} of kernel size "
            f"{kernel_size}{spread}: positions {low} to {high}, '{words[low]}' to '{words[high]}'. "
            f"'{words[wanted]}' ({wanted}) lies {gap} away, "
            f"{'inside' if found else 'outside'}: the reach is {radius}."
        )

    return draw(width, height, paint)


def _offsets(kernel_size: int, layer: int, doubling: bool) -> range:
    """Where, relative to its own position, a layer (counted from 1) looks in the one below."""
    step = 2 ** (layer - 1) if doubling else 1
    return range(-(kernel_size // 2) * step, (kernel_size // 2) * step + 1, step)


def _cone(length: int, asking: int, kernel_size: int, n_layers: int, doubling: bool) -> list[set[int]]:
    """Return the positions that count in each layer, the words first."""
    seen = [{asking}]
    for layer in range(n_layers, 0, -1):
        offsets = _offsets(kernel_size, layer, doubling)
        seen.append({i + o for i in seen[-1] for o in offsets if 0 <= i + o < length})
    return seen[::-1]


def _paint_layers(
    axis: Axes, centres: Sequence[float], seen: Sequence[set[int]], kernel_size: int, doubling: bool
) -> None:
    x = np.asarray(centres)
    for layer in range(1, len(seen)):
        offsets = _offsets(kernel_size, layer, doubling)
        ends = [(i, i + o) for i in seen[layer] for o in offsets if i + o in seen[layer - 1]]
        y = 0.1 + STEP * layer  # of the upper end
        edges = [((x[above], y), (x[below], y - STEP)) for above, below in ends]
        axis.add_collection(LineCollection(edges, colors=COLOURS[0], linewidths=0.8, alpha=0.55))
    for layer, positions in enumerate(seen):
        height = 0.1 + STEP * layer
        inside = np.isin(np.arange(len(x)), list(positions))
        axis.plot(
            x[~inside], np.full((~inside).sum(), height), "o", markersize=4.5, color=FAINT, fillstyle="none"
        )
        axis.plot(x[inside], np.full(inside.sum(), height), "o", markersize=5.5, color=COLOURS[0])
        name = "words" if layer == 0 else f"layer {layer}"
        axis.text(x[-1] + 0.45, height, name, va="center", fontsize=8.5, color=QUIET)
