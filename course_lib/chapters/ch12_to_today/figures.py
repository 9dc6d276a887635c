"""The board of switches: what each changes in parameters, cache and loss; and heads that share keys and values."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from course_lib.figures.palette import COLOURS, INK, KEY, LINE, QUERY, QUIET
from course_lib.figures.picture import Picture, draw_wide_and_narrow, paint_title, sentence

WHAT = {  # the words beside a switch where there is room
    "2017": "decoder of 2017",
    "pre-norm": "norm before, not after",
    "RMSNorm": "no mean taken off",
    "no biases": "matrices alone",
    "rotary": "turn q and k",
    "GELU": "a smooth bend",
    "SwiGLU": "a gate",
    "grouped queries": "4 query heads, 2 key heads",
    "QK-norm": "q and k normalised",
    "untied": "an output matrix of its own",
}


def board(
    rungs: Mapping[str, Mapping[str, Any]],
    *,
    title: str,
    part: str = "val",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw a row for each switch: its name, parameters, bytes of cache a token, and the loss of each seed.

    Parameters
    ----------
    rungs : mapping from name to mapping
        Each with "parameters", "cache" and the losses `part`, (n_seeds,), as in the record; from 2017 to today.
    title : str
    part : str
        On which sentences.
    caption, number : str
        The words under the picture, and the number in front of them.

    Examples
    --------
    >>> first = {"parameters": 5, "cache": 8, "val": [3.0, 2.0]}
    >>> second = {"parameters": 7, "cache": 8, "val": [1.0]}
    >>> board({"2017": first, "pre-norm": second}, title="Less").alt
    'Less. Parameters, bytes of cache a token and loss. 2017: 5, 8, loss 3.00 2.00. pre-norm: 7, 8, loss 1.00.'
    """

    middles = [float(np.median(row[part])) for row in rungs.values()]
    changes = ["", *(_signed(after - before) for before, after in pairwise(middles))]

    def paint(figure: Figure, narrow: bool) -> str:
        paint_title(figure, title)
        ratios = [1.2, 1.05, 1.15] if narrow else [2.75, 2.35, 2.1]
        names, chart, table = figure.subplots(1, 3, sharey=True, width_ratios=ratios)
        rows = list(rungs.values())
        small = {"va": "center", "fontsize": 9.5}
        for y, (name, row) in enumerate(rungs.items()):
            names.text(0, y, name, va="center", fontweight="bold", fontsize=10 if narrow else 11)
            if not narrow:
                names.text(0.45, y, WHAT.get(name, ""), color=QUIET, **small)
                table.text(0.24, y, changes[y], ha="right", color=QUIET, **small)
            for what, x in {"parameters": 0.52 if narrow else 0.64, "cache": 1.0}.items():
                new = y > 0 and row[what] != rows[y - 1][what]
                weight = {"fontweight": "bold", "color": INK} if new else {"color": INK if y == 0 else QUIET}
                table.text(x, y, f"{row[what]:,}", ha="right", **weight, **small)
            heights = y + 0.3 * (np.arange(len(row[part])) - (len(row[part]) - 1) / 2) / max(
                len(row[part]) - 1, 1
            )
            chart.scatter(
                row[part], heights, s=20, color=COLOURS[0], zorder=3
            )  # apart, where seeds are alike
            chart.plot([middles[y]] * 2, [y - 0.3, y + 0.3], color=INK, linewidth=1.4, zorder=2)
        chart.plot(middles, range(len(rungs)), color=LINE, linewidth=3, zorder=1)
        heads = {"change\nof loss": 0.24, "para-\nmeters": 0.64, "bytes a\ntoken": 1.0}
        for head, x in heads.items():
            if not (narrow and head.startswith("change")):
                table.text(
                    0.52 if narrow and x == 0.64 else x,
                    -0.8,
                    head,
                    ha="right",
                    va="bottom",
                    color=QUIET,
                    fontsize=9.5,
                )
        for axis in (names, table):
            axis.set_xlim(0, 1)
            axis.axis("off")
        chart.tick_params(axis="y", length=0, labelleft=False)
        chart.grid(axis="x", color=LINE)
        chart.spines["left"].set_visible(False)
        chart.set_ylim(len(rungs) - 0.4, -0.6)
        chart.set_xlabel("loss" if narrow else "loss (nats a token)")
        told = [
            f"{name}: {row['parameters']:,}, {row['cache']:,}, loss {' '.join(f'{x:.2f}' for x in row[part])}."
            for name, row in rungs.items()
        ]
        return f"{sentence(title)}Parameters, bytes of cache a token and loss. {' '.join(told)}"

    height = 1.4 + 0.32 * len(rungs)
    return draw_wide_and_narrow(7.2, height, height + 0.5, paint).numbered(number, caption)


def _signed(change: float) -> str:
    return "0.00" if abs(change) < 0.005 else f"{change:+.2f}".replace("-", "−")


def shared_heads(
    n_heads: int,
    groups: Sequence[int],
    bytes_a_token: Sequence[int],
    *,
    title: str,
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw heads of queries over the heads of keys and values that they read, for some numbers of the latter.

    Parameters
    ----------
    n_heads : int
        Heads of queries.
    groups : sequence of int
        Heads of keys and values in each panel; each divides n_heads.
    bytes_a_token : sequence of int
        What each keeps for a token.
    title, caption, number : str

    Examples
    --------
    >>> shared_heads(4, [4, 1], [8, 2], title="").alt
    'Heads of queries, and the heads of keys and values they read: 4 and 4, 8 bytes a token; 4 and 1, 2 bytes a token.'
    """
    names = {n_heads: "multi-head", 1: "multi-query"}

    def paint(figure: Figure, narrow: bool) -> str:
        paint_title(figure, title)
        axes = figure.subplots(len(groups) if narrow else 1, 1 if narrow else len(groups), squeeze=False)
        for axis, n, size in zip(axes.flat, groups, bytes_a_token, strict=True):
            each = n_heads // n
            centres = [each * (k + 0.5) - 0.5 for k in range(n)]
            for head in range(n_heads):
                axis.plot([head, centres[head // each]], [1, 0], color=LINE, linewidth=2, zorder=1)
            axis.scatter(range(n_heads), [1] * n_heads, s=90, color=QUERY, zorder=2)
            axis.scatter(centres, [0] * n, s=110, marker="s", color=KEY, zorder=2)
            axis.set(xlim=(-0.8, n_heads - 0.2), ylim=(-0.45, 1.45), xticks=[])
            axis.set_yticks(
                [1, 0], ["queries", "keys,\nvalues"] if axis is axes.flat[0] or narrow else ["", ""]
            )
            axis.tick_params(length=0)
            for side in axis.spines.values():
                side.set_visible(False)
            axis.set_title(names.get(n, "grouped"), fontsize=11, loc="center")
            axis.set_xlabel(f"{size:,} bytes a token")
        told = [
            f"{n_heads} and {n}, {size:,} bytes a token"
            for n, size in zip(groups, bytes_a_token, strict=True)
        ]
        return f"{sentence(title)}Heads of queries, and the heads of keys and values they read: {'; '.join(told)}."

    return draw_wide_and_narrow(7.2, 2.4, 5.2, paint).numbered(number, caption)
