"""What chapter 02 shows: attention step by step, weights over sentences, and where the softmax is flat."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.page import PageFigure
from course_lib.figures.palette import COLOURS, INK, LINE, PAPER, QUERY, QUIET, WEIGHT
from course_lib.figures.picture import (
    DASHES,
    PIXELS_PER_INCH,
    Picture,
    draw,
    paint_title,
    plain,
    sentence,
    wrapped,
)

SIZE = 15  # points, of a sentence that is typeset
SMALL_SIZE = 11.5  # the same, on a phone
PHONE = 3.54  # inches that a phone's page is wide
LINES = (COLOURS[0], COLOURS[1], COLOURS[2])  # of curves that are told apart by their dashes, too


def attention_steps(
    words: Sequence[str],
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    query: int,
    outside: Sequence[str] = (),
    mask: ArrayLike | None = None,
    features: Sequence[str] | None = None,
    meanings: Sequence[str] | None = None,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Show attention of a sentence's words to each other in four steps, for one query at a time.

    The reader chooses the word that asks, moves the entries of its query, of the keys or of the values, and sees the
    scores, the weights, the weighted values and their sum follow.

    Parameters
    ----------
    words : n strings of 1 to 10 characters
    Q : array (n + m, d_k)
        The queries of the words, then of what asks from outside; at most 4 wide.
    K : array (n, d_k)
        The words' keys.
    V : array (n, d_v)
        Their values, at most 4 wide.
    query : int
        The word that asks at first, counted from 0.
    outside : m strings of 1 to 10 characters
        What only asks, such as a question to the sentence.
    mask : boolean array (n + m, n), optional
        True where the word of the row may attend to the word of the column.
    features : d_k strings, optional
        What the entries of queries and keys stand for, written above their columns.
    meanings : d_v strings, optional
        What the entries of values stand for.
    caption, number : str
        The words under the figure, and the number in front of them.

    Raises
    ------
    ValueError
        If the shapes do not fit together, a number is not finite, or something is too large to be drawn.

    Notes
    -----
    Source: B 10.2.1, figures 10.2 to 10.4.

    Examples
    --------
    >>> Q, K, V = [[2, 0], [0, 2]], [[0, 1], [1, 0]], [[5], [7]]
    >>> attention_steps(["cats", "sleep"], Q, K, V, query=0).title
    '‘cats’ looks mostly at ‘sleep’ (80 %)'
    """
    n, n_queries = len(words), len(words) + len(outside)
    if not n or any(not 1 <= len(word) <= 10 for word in [*words, *outside]):
        raise ValueError(f"words {[*words, *outside]}: expected one or more, of 1 to 10 characters")
    Q, K, V = (np.asarray(array, dtype=np.float64) for array in (Q, K, V))
    for name, array, rows in [("Q", Q, n_queries), ("K", K, n), ("V", V, n)]:
        if array.ndim != 2 or len(array) != rows or not 1 <= array.shape[1] <= 4:
            raise ValueError(f"{name} {array.shape}: expected ({rows}, 1 to 4), a row for each word")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} {array.shape}: expected finite numbers")
    if Q.shape[1] != K.shape[1]:
        raise ValueError(f"Q {Q.shape}, K {K.shape}: expected the same width d_k")
    if not 0 <= query < n_queries:
        raise ValueError(f"query is {query}: expected 0 to {n_queries - 1}, one of the words")
    props: dict[str, Any] = {
        "words": list(words),
        "Q": Q.tolist(),
        "K": K.tolist(),
        "V": V.tolist(),
        "query": int(query),
    }
    if outside:
        props["outside"] = list(outside)
    for name, names, array in (("features", features, K), ("meanings", meanings, V)):
        if names is not None:
            if len(names) != array.shape[1]:
                raise ValueError(f"{name} {list(names)}: expected {array.shape[1]}, one for each column")
            props[name] = list(names)
    if mask is not None:
        mask = np.asarray(mask)
        if mask.shape != (n_queries, n) or mask.dtype != np.bool_:
            raise ValueError(f"mask {mask.shape} of {mask.dtype}: expected ({n_queries}, {n}) of bool")
        props["mask"] = mask.tolist()
    return PageFigure("attention-steps", props, caption=caption, number=number)


def attended_sentences(
    sentences: Sequence[tuple[Sequence[str], int, ArrayLike]],
    *,
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Set sentences under one another, the word that asks below the other, with its weights as arcs and marks.

    Parameters
    ----------
    sentences : sequence of (L words, position, weights (L,))
        The position is that of the word that asks, counted from 0.
    title : str
    caption, number : str
        The words under the picture, and the number in front of them.

    Raises
    ------
    ValueError
        If there is no sentence, weights do not fit their words or are no shares, or the position is none of them.

    Examples
    --------
    >>> attended_sentences([(["Birds", "sing"], 1, [0.75, 0.25])]).alt
    "'sing' in 'Birds sing' looks at 'Birds' (75 %), 'sing' (25 %)."
    """
    checked = [(list(words), asks, np.asarray(weights, dtype=float)) for words, asks, weights in sentences]
    if not checked:
        raise ValueError("sentences is empty: expected at least one")
    for words, asks, weights in checked:
        if weights.shape != (len(words),) or not 0 <= asks < len(words):
            raise ValueError(
                f"weights {weights.shape} of word {asks} in {len(words)} words: expected ({len(words)},) and a "
                "position in the sentence"
            )
        if weights.min() < 0 or weights.sum() > 1 + 1e-6:
            raise ValueError(f"weights {weights.round(3)}: expected shares of 1, none negative")

    def drawn(size: float, gap: float, small: float, letters: int) -> Picture:
        widths = [[_width(word, size) for word in words] for words, _, _ in checked]
        lefts = [np.cumsum([0.0, *(width + gap for width in row)])[:-1] for row in widths]
        before = max(left[asks] for left, (_, asks, _) in zip(lefts, checked, strict=True))
        lefts = [left - left[asks] + before + gap for left, (_, asks, _) in zip(lefts, checked, strict=True)]
        wide = max(left[-1] + row[-1] for left, row in zip(lefts, widths, strict=True)) + gap
        heading = "\n".join(wrapped(title, letters))
        row, top = 1.3, (0.15 + 0.25 * (heading.count("\n") + 1) if title else 0.05)
        tall = top + row * len(checked)

        def paint(figure: Figure) -> str:
            axis = figure.add_axes((0, 0, 1, 1), xlim=(0, wide), ylim=(tall, 0))
            axis.set_axis_off()
            paint_title(figure, heading)
            told = [sentence(title).strip()] if title else []
            for i, ((words, asks, weights), left, across) in enumerate(
                zip(checked, lefts, widths, strict=True)
            ):
                line = top + row * (i + 1) - 0.5  # where the words stand
                middles = [x + width / 2 for x, width in zip(left, across, strict=True)]
                for j, (word, x, width, weight) in enumerate(zip(words, left, across, weights, strict=True)):
                    box = Rectangle((x, line - 0.17), width=width, height=0.34, linewidth=0)
                    box.set(color=QUERY if j == asks else WEIGHT, alpha=1 if j == asks else 0.55 * weight)
                    axis.add_patch(box)
                    look: dict[str, Any] = dict(ha="center", va="center_baseline")
                    hue = PAPER if j == asks else INK
                    axis.text(middles[j], line, plain(word), fontsize=size, color=hue, **look)
                    if weight >= 0.005:
                        share = f"{weight:.0%}".replace("%", " %")
                        axis.text(middles[j], line + 0.32, share, fontsize=small, color=QUIET, **look)
                    if j != asks and weight >= 0.005:
                        rise = line - 0.2 - min(0.55, 0.22 + 0.09 * abs(middles[j] - middles[asks]))
                        points = [(middles[asks], line - 0.2), (middles[asks], rise), (middles[j], rise),
                                  (middles[j], line - 0.2)]  # fmt: skip
                        arc = Path(points, [Path.MOVETO, *[Path.CURVE4] * 3])
                        style = dict(
                            edgecolor=WEIGHT,
                            linewidth=max(0.9, 9 * weight),
                            alpha=0.3 + 0.7 * min(1.0, 3 * weight),
                        )
                        axis.add_patch(PathPatch(arc, fill=False, **style))
                shares = [f"'{w}' ({x:.0%})".replace("%", " %") for w, x in zip(words, weights, strict=True)]
                told.append(f"'{words[asks]}' in '{' '.join(words)}' looks at {', '.join(shares)}.")
            return " ".join(told)

        return draw(wide, tall, paint)

    picture = drawn(SIZE, 0.14, small=10, letters=80)
    small = drawn(SMALL_SIZE, 0.03, small=8, letters=38)
    if small.width <= PIXELS_PER_INCH * PHONE < picture.width:
        picture = replace(picture, narrow=small)
    return picture.numbered(number, caption)


def _width(word: str, size: float = SIZE) -> float:
    """Return the inches that a typeset word takes, with its margins."""
    narrow = sum(letter in "fijlrt'.,I" for letter in word)
    return round(0.0095 * size * (len(word) - 0.45 * narrow) + 0.1 * size / SIZE, 3)


STEEP = 3.0  # the difference of two scores up to which neither weight is below 0.047
REACH = 6.0  # how far the curve is drawn; leads beyond are in a bar of their own at either end
N_BARS = 24


def softmax_slopes(
    differences: Mapping[str, ArrayLike], *, title: str = "", caption: str = "", number: str = ""
) -> Picture:
    """Draw the weight of one of two keys against the lead of its score, and under it where the leads are.

    All panels share one axis, with a band where the curve is steep. Leads beyond its ends are in one pale bar at
    either end.

    Parameters
    ----------
    differences : mapping from name to array (n,)
        Differences of two scores; a histogram for each name, with the share that lies in the band.
    title, caption, number : str
        Above the picture, under it, and the number in front of that.

    Raises
    ------
    ValueError
        If there is nothing to draw, or a series is empty.

    Examples
    --------
    >>> softmax_slopes({"narrow": [0.0, 1.0, 9.0, -9.0]}).alt.rpartition("other's. ")[2]
    'narrow: 50 % of the leads from −3 to 3.'
    """
    series = {name: np.asarray(gaps, dtype=float).ravel() for name, gaps in differences.items()}
    if not series or not all(gaps.size for gaps in series.values()):
        raise ValueError("differences is empty: expected a name and numbers for each panel")
    bins = np.concatenate([[-REACH - 1], np.linspace(-REACH, REACH, N_BARS + 1), [REACH + 1]])
    shares = {
        name: np.histogram(gaps.clip(bins[0], bins[-1]), bins=bins)[0] / gaps.size
        for name, gaps in series.items()
    }
    ceiling = 110 * max(float(share.max()) for share in shares.values())

    def drawn(width: float, height: float, letters: int) -> Picture:
        def paint(figure: Figure) -> str:
            paint_title(figure, "\n".join(textwrap.wrap(title, letters)))
            ratios = [2.0, *[1.0] * len(series)]
            curve, *panels = figure.subplots(len(ratios), sharex=True, height_ratios=ratios)
            for axis in (curve, *panels):
                axis.axvspan(-STEEP, STEEP, color=LINE, alpha=0.4, linewidth=0)
            x = np.linspace(-REACH, REACH, 401)
            curve.plot(x, 1 / (1 + np.exp(-x)), color=WEIGHT)
            curve.set(ylabel="weight", ylim=(-0.05, 1.05), yticks=[0, 0.5, 1])
            told = [
                f"{sentence(title)}Weight of one of two keys against the lead of its score over the other's."
            ]
            for axis, (name, gaps) in zip(panels, series.items(), strict=True):
                inside = _percent(np.mean(np.abs(gaps) <= STEEP))
                heights, wide = 100 * shares[name], np.diff(bins)
                bars = axis.bar(bins[:-1], heights, wide, align="edge", color=COLOURS[0])
                for end in (bars[0], bars[-1]):
                    end.set_alpha(0.6)
                axis.set_title(f"{name}: {inside} in the band", loc="left")
                axis.set(ylabel="% of pairs", ylim=(0, ceiling))
                told.append(f"{name}: {inside} of the leads from −3 to 3.")
            panels[-1].set(xlabel="lead of one score", xlim=(bins[0] - 0.2, bins[-1] + 0.2),
                           xticks=[-REACH, -STEEP, 0, STEEP, REACH])  # fmt: skip
            return " ".join(told)

        return draw(width, height, paint, layout="constrained")

    height = 2.2 + 1.25 * len(series)
    picture = replace(drawn(7.0, height, 90), narrow=drawn(PHONE, height, 42))
    return picture.numbered(number, caption)


def _paint_wrapped_title(figure: Figure, title: str, columns: int) -> None:
    """Write a title at the left, in as many lines as a picture of so many columns needs."""
    paint_title(figure, "\n".join(textwrap.wrap(title, 18 * columns + 24)))


def learning_curves(
    panels: Mapping[str, Mapping[str, ArrayLike]], *, title: str = "", caption: str = "", number: str = ""
) -> Picture:
    """Draw how many queries have found their keys while several runs learn: a panel for each comparison.

    Parameters
    ----------
    panels : mapping from name to mapping from name to array (n_sets, n_queries, n_steps)
        The weight of each query on its own key, which it has found if that is more than half. A curve is the share of
        all queries, in a band from the lowest set to the highest. Names that are alike before a comma have one
        colour, and other dashes.
    title, caption, number : str
        Above the picture, under it, and the number in front of that.

    Raises
    ------
    ValueError
        If there is no panel, or a series is not (n_sets, n_queries, n_steps).

    Examples
    --------
    >>> learning_curves({"Divided": {"by 2": [[[0.5, 1.0], [0.5, 0.4]]]}}).alt
    'Queries that have found their key. Divided, by 2: 50 % at step 2.'
    """
    runs = {
        panel: {name: np.asarray(weights, dtype=float) for name, weights in series.items()}
        for panel, series in panels.items()
    }
    shapes = [weights.shape for series in runs.values() for weights in series.values()]
    if not shapes or any(len(shape) != 3 or not all(shape) for shape in shapes):
        raise ValueError(f"panels of shapes {shapes}: expected one or more of (n_sets, n_queries, n_steps)")
    kinds = dict.fromkeys(name.partition(",")[0] for series in runs.values() for name in series)
    hues = {kind: LINES[i % len(LINES)] for i, kind in enumerate(kinds)}

    def drawn(columns: int, width: float, height: float) -> Picture:
        def paint(figure: Figure) -> str:
            _paint_wrapped_title(figure, title, columns)
            rows = -(-len(runs) // columns)
            grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
            told = [f"{sentence(title)}Queries that have found their key."]
            seen: list[str] = []
            for i, (axis, (panel, series)) in enumerate(zip(grid, runs.items(), strict=False)):
                for name, weights in series.items():
                    kind = name.partition(",")[0]
                    hue, dashes = hues[kind], DASHES[seen.count(kind) % len(DASHES)]
                    seen.append(kind)
                    found = 100 * (weights > 0.5).mean(axis=1)  # (n_sets, n_steps)
                    steps, mean = np.arange(1, found.shape[1] + 1), found.mean(axis=0)
                    axis.plot(steps, mean, color=hue, linestyle=dashes)
                    low, high = found.min(axis=0), found.max(axis=0)
                    axis.fill_between(steps, low, high, color=hue, alpha=0.13, linewidth=0)
                    _name_curve(axis, steps, mean, plain(name), hue)
                    told.append(f"{panel}, {name}: {_percent(mean[-1] / 100)} at step {len(steps)}.")
                axis.set(title=panel, ylim=(-4, 104), yticks=[0, 25, 50, 75, 100], xlabel="step")
                axis.grid(color=LINE)
                if i % columns == 0:
                    axis.set_ylabel("have found their key, %")
                axis.tick_params(labelbottom=True)
            return " ".join(told)

        return draw(width, height, paint, layout="constrained")

    n = len(runs)
    picture = replace(drawn(n, 3.6 * n + 0.2, 3.4), narrow=drawn(1, PHONE, 2.9 * n + 0.3))
    return picture.numbered(number, caption)


def _name_curve(axis: Axes, steps: NDArray[np.int_], curve: NDArray[np.float64], name: str, hue: str) -> None:
    """Write the name of a curve where it is steep, or above its end if it stays low."""
    rises = curve[-1] > 50
    at = int(np.flatnonzero(curve >= 0.5 * curve[-1])[0]) if rises else len(steps) - 1
    axis.annotate(
        name, (steps[at], curve[at]), (6, -4) if rises else (0, 5), textcoords="offset points",
        ha="left" if rises else "right", va="top" if rises else "bottom", color=hue, fontsize=10.5,
        path_effects=[withStroke(linewidth=3, foreground=PAPER)],
    )  # fmt: skip


def _percent(share: float | np.floating[Any]) -> str:
    """Return a share as 36 %."""
    return f"{share:.0%}".replace("%", " %")
