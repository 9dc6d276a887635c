"""Self-attention drawn: whole, followed for one word; in a plane; over sentences; while it learns; over seeds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyArrowPatch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.textpath import TextPath
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.figures.heatmaps import paint_entries, paint_scale
from course_lib.figures.page import PageFigure
from course_lib.figures.palette import (
    FAINT,
    INK,
    KEY,
    LINE,
    OUTPUT,
    PAPER,
    QUERY,
    QUIET,
    VALUE,
    WEIGHT,
    ink_on,
)
from course_lib.figures.picture import (
    Picture,
    draw,
    largest_on,
    paint_title,
    paired,
    plain,
    sentence,
    significant,
    wrapped,
)
from course_lib.figures.picture import (
    number as written,
)

CELL, ROW = 0.42, 0.29  # inches, the width and the height of one number
ROLES = {"Q": QUERY, "K": KEY, "V": VALUE}
SCORES, WEIGHTS = r"scores $QK^\top\!/\sqrt{d_k}$", "weights: softmax of a row"
NARROW = 3.54  # inches, the width of a picture's form for telephones

# Two examples for `word_moves`. All their numbers are set by hand, so that the directions of the plane mean something;
# nothing of it was learned.
FLUFFY: dict[str, Any] = {
    "sentences": [
        (
            ["The", "cat,", "which", "is", "fluffy,", "sleeps."],
            [[-0.3, -0.2], [1.7, 0.1], [-0.1, 0.25], [0.15, -0.3], [0.1, 1.6], [0.9, -0.7]],
        )
    ],
    "W_Q": [[0.0, 2.0], [2.0, 0.0]],  # an animal asks how soft it is; what is soft asks for an animal
    "W_K": [[1.0, 0.0], [0.0, 1.0]],
    "W_V": [[1.0, 0.0], [0.0, 1.0]],
    "axes": (("no animal", "animal"), ("hard", "soft")),
    "chosen": (0, 4),
}
BANK: dict[str, Any] = {
    "sentences": [
        (
            ["the", "bank", "of", "the", "river"],
            [[0.2, 0.3], [0.0, 1.3], [-0.4, 0.1], [0.2, 0.3], [1.8, -1.1]],
        ),
        (["the", "bank", "lends", "money"], [[0.2, 0.3], [0.0, 1.3], [-1.1, -0.6], [-1.7, -1.1]]),
    ],
    "W_Q": [[0.0, 0.0], [0.0, -2.5]],  # what is ambiguous asks for what is clear
    "W_K": [[1.0, 0.0], [0.0, 1.0]],
    "W_V": [[1.0, 0.0], [0.0, 1.0]],
    "axes": (("money", "water"), ("clear", "ambiguous")),
    "chosen": (0, 1),
}


def self_attention_step(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    *,
    words: Sequence[str],
    row: int,
    columns: Sequence[str] = (),
    role_columns: Sequence[str] = (),
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw self-attention from left to right, with everything that concerns one word in a thick frame.

    One input X passes through three matrices; queries and keys give the scores, these the weights, weights and values
    the output. Queries, keys, values and output have their colours; the darker a weight is, the larger.

    Parameters
    ----------
    X : array (L, d)
    W_Q, W_K : array (d, d_k)
    W_V : array (d, d_v)
        L and d of at most 6, d_k and d_v of at most 4, so that the numbers can be read.
    words : L strings
    row : int
        The word that is followed.
    columns : d strings, optional
        What the numbers of a word stand for.
    role_columns : strings, optional
        What the numbers of queries, keys, values and output stand for, where all are equally wide.
    title, caption, number : str
        Above the picture; under it; and the number in front of that.

    Raises
    ------
    ValueError
        If the shapes do not fit together, are too large to be drawn, or there is no such row.

    Notes
    -----
    Formula: Attention(X W_Q, X W_K, X W_V). Source: B 10.2.4.

    Examples
    --------
    >>> self_attention_step([[1.0], [2.0]], [[0.0]], [[1.0]], [[3.0]], words=["a", "b"], row=1).alt[40:]
    "'b'. Query: 0. Scores: 'a' 0, 'b' 0. Weights: 'a' 0.5, 'b' 0.5; largest on all alike. Output: 4.5."
    """
    X = np.asarray(X, dtype=np.float64)
    matrices = [np.asarray(W, dtype=np.float64) for W in (W_Q, W_K, W_V)]
    shapes = [W.shape for W in matrices]
    fits = X.ndim == 2 and len(words) == len(X) and all(len(s) == 2 and s[0] == X.shape[1] for s in shapes)
    if not fits or shapes[0] != shapes[1]:
        raise ValueError(
            f"X {X.shape} with {len(words)} words, W_Q, W_K, W_V {shapes}: "
            "expected (L, d), L words, (d, d_k), (d, d_k), (d, d_v)"
        )
    if max(X.shape) > 6 or max(shape[1] for shape in shapes) > 4:
        raise ValueError(f"X {X.shape}, matrices {shapes}: expected L, d ≤ 6 and d_k, d_v ≤ 4 to be drawn")
    if not 0 <= row < len(X):
        raise ValueError(f"row is {row}: expected 0 to {len(X) - 1}")
    if columns and len(columns) != X.shape[1]:
        raise ValueError(f"columns has {len(columns)} names: expected {X.shape[1]}")
    if role_columns and any(len(role_columns) != shape[1] for shape in shapes):
        raise ValueError(f"role_columns has {len(role_columns)} names: expected as many as columns {shapes}")
    projected = [X @ W for W in matrices]
    queries, keys, values = projected
    output, weights = functional.attention(queries, keys, values)
    scores = functional.dot_product_scores(queries, keys)
    told = sentence(title) + (
        f"Self-attention of {len(words)} words, followed for '{words[row]}'. "
        f"Query: {', '.join(map(written, queries[row]))}. "
        f"Scores: {paired(words, scores[row])}. "
        f"Weights: {paired(words, weights[row])}; largest on {largest_on(words, weights[row])}. "
        f"Output: {', '.join(map(written, output[row]))}."
    )
    # left edges in inches
    names = 0.085 * max(map(len, words))
    label = 0.2 + names
    matrix_at = label + CELL * X.shape[1] + 0.45 + 0.085 * max(map(len, columns), default=0)
    role_at = matrix_at + CELL * max(shape[1] for shape in shapes) + 0.35 + names
    weights_at = role_at + CELL * max(shape[1] for shape in shapes) + 0.42 + names
    width = weights_at + max(CELL * len(X), CELL * output.shape[1], CELL * len(X) / 2 + 0.8) + 0.15
    under = 0.45  # for the names of columns
    pitch = ROW * max(X.shape) + 0.62 + under  # from one role to the next below it
    top = 0.4 if title else 0.0
    middles = [top + 0.25 + pitch * (i + 0.5) for i in range(3)]
    height = top + 3 * pitch + 0.15 + under / 3

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        if title:
            axis.text(0.15, 0.22, plain(title), fontsize=12, fontweight="bold", va="center")
        left = _Grid(axis, label, middles[1], X, "X")
        left.name_rows(words)
        left.name_columns(columns)
        left.frame(row)
        grids = []
        for i, ((role, hue), W, vectors) in enumerate(zip(ROLES.items(), matrices, projected, strict=True)):
            factor = _Grid(axis, matrix_at, middles[i], W, rf"$W_{role}$", hue=hue)
            grid = _Grid(axis, role_at, middles[i], vectors, rf"{role} = $X\,W_{role}$", hue=hue)
            grid.name_rows(words)
            grid.name_columns(role_columns)
            factor.name_rows(columns)
            _arrow(axis, left.right, factor.names)
            _arrow(axis, factor.right, grid.names)
            grid.frame(*([row] if role == "Q" else range(len(X))))
            grids.append(grid)
        products = _Grid(axis, weights_at, middles[0], scores, SCORES)
        shares = _Grid(axis, weights_at, middles[1], weights, WEIGHTS, shaded=True)
        result = _Grid(axis, weights_at, middles[2], output, "output", hue=OUTPUT)
        for grid in (products, shares, result):
            grid.frame(row)
            grid.name_rows(words)
        shares.name_columns(words)
        result.name_columns(role_columns)
        for start, end in [(grids[0], products), (grids[1], products), (grids[2], result)]:
            _arrow(axis, start.right, end.names)
        middle = weights_at + min(shares.width, result.width) / 2
        _arrow(axis, (middle, products.top + ROW * len(X) + 0.08), (middle, shares.top - 0.32))
        _arrow(axis, (middle, shares.top + ROW * len(X) + 0.5), (middle, result.top - 0.3))
        return told

    picture = draw(width, height, paint)
    narrow = _step_downwards(
        X, projected, scores, weights, output, words, row, columns, role_columns, title, told
    )
    return replace(picture, narrow=narrow).numbered(number, caption)


def _step_downwards(
    X: NDArray[Any],
    projected: Sequence[NDArray[Any]],
    scores: NDArray[Any],
    weights: NDArray[Any],
    output: NDArray[Any],
    words: Sequence[str],
    row: int,
    columns: Sequence[str],
    role_columns: Sequence[str],
    title: str,
    told: str,
) -> Picture | None:
    """Draw `self_attention_step` downwards, without the three matrices, or return None where it is too wide."""
    first = 0.12 + 0.085 * max(map(len, words))
    starts = [first]
    for M in projected:
        starts.append(starts[-1] + CELL * M.shape[1] + 0.1)
    output_at = first + CELL * len(X) + 0.35
    if max(starts[-1], output_at + CELL * output.shape[1], first + CELL * X.shape[1]) > NARROW:
        return None
    tall, gap = ROW * len(X), 0.85
    top = _title_room(title, narrow=True)
    middles = [top + 0.3 + tall / 2 + (tall + gap) * i for i in range(4)]

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, NARROW), ylim=(height, 0))
        axis.set_axis_off()
        _paint_title(axis, title, narrow=True)
        source = _Grid(axis, first, middles[0], X, "X")
        grids = [
            _Grid(axis, x, middles[1], M, rf"$X\,W_{role}$", hue=hue)
            for x, M, (role, hue) in zip(starts, projected, ROLES.items(), strict=False)
        ]
        products = _Grid(axis, first, middles[2], scores, SCORES)
        shares = _Grid(axis, first, middles[3], weights, WEIGHTS, shaded=True)
        result = _Grid(axis, output_at, middles[3], output, "output", hue=OUTPUT)
        for grid in (source, grids[0], products, shares):
            grid.name_rows(words)
        for grid, names in ((source, columns), (products, words), (shares, words), (result, role_columns)):
            grid.name_columns(names)
        for grid in grids:
            grid.name_columns(role_columns)
            grid.frame(*([row] if grid is grids[0] else range(len(X))))
        for grid in (source, products, shares, result):
            grid.frame(row)
        return told

    height = middles[3] + tall / 2 + 0.7
    return draw(NARROW, height, paint)


def _title_room(title: str, narrow: bool = False) -> float:
    """Return the inches that a title takes."""
    return (0.2 + 0.2 * len(_title_lines(title, narrow)) if narrow else 0.35) if title else 0.0


def _title_lines(title: str, narrow: bool) -> list[str]:
    return wrapped(title, 36) if narrow else [title]


def _paint_title(axis: Axes, title: str, narrow: bool = False) -> None:
    for n, line in enumerate(_title_lines(title, narrow) if title else []):
        axis.text(0.15, 0.22 + 0.2 * n, plain(line), fontsize=12, fontweight="bold", va="center")


def word_moves(
    sentences: Sequence[tuple[Sequence[str], ArrayLike]],
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    *,
    axes: tuple[tuple[str, str], tuple[str, str]],
    chosen: tuple[int, int] = (0, 0),
    sharpness: float = 1.0,
    residual: bool = True,
    causal: bool | None = None,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Show how self-attention moves the vectors of words, in a plane where they can be dragged.

    The vectors have two numbers each, so the plane shows all there is. `FLUFFY` and `BANK` are two examples, whose
    numbers are set by hand.

    Parameters
    ----------
    sentences : pairs of n words and an array (n, 2)
        Words may end with punctuation. A word with the same vector in several places is one point.
    W_Q, W_K : array (2, d_k)
    W_V : array (2, 2)
    axes : ((left, right), (below, above))
        What the directions of the plane stand for.
    chosen : (int, int)
        The sentence, and the word in it, that are followed first.
    sharpness : float
        What the scores are multiplied by before the softmax, 0 to 4; 1 is scaled dot-product attention.
    residual : bool
        Whether the old vector is added to the output.
    causal : bool, optional
        Whether words attend to themselves and earlier words only. Without it there is no switch for this.
    caption, number : str
        The words under the figure, and the number in front of them.

    Raises
    ------
    ValueError
        If a shape, `axes`, `chosen` or `sharpness` is not as above, or a number is not finite.

    Notes
    -----
    Formula: x + softmax(β (X W_Q)(X W_K)ᵀ / √d_k) (X W_V), row by row, x only with the residual. Source: B 10.2.4.

    Examples
    --------
    >>> word_moves(**FLUFFY).title
    '‘fluffy’ is moved most by ‘cat’'
    """
    if not sentences:
        raise ValueError("sentences is empty: expected at least one pair of words and vectors")
    given, vectors = [], []
    for s, (words, rows) in enumerate(sentences):
        X = _finite(f"sentences[{s}], vectors", rows, f"({len(words)}, 2), a row for each word")
        if not len(words) or X.shape != (len(words), 2):
            raise ValueError(
                f"sentences[{s}] has {len(words)} words and vectors {X.shape}: expected n words and (n, 2), n ≥ 1"
            )
        given.append({"words": list(words), "X": X.tolist()})
        vectors.append(X)
    queries, keys = _finite("W_Q", W_Q, "(2, d_k)"), _finite("W_K", W_K, "(2, d_k)")
    values = _finite("W_V", W_V, "(2, 2)")
    for name, W in (("W_Q", queries), ("W_K", keys)):
        if W.ndim != 2 or W.shape[0] != 2 or W.shape[1] < 1 or W.shape != queries.shape:
            raise ValueError(f"{name} is {W.shape}: expected (2, d_k), and the same for W_Q and W_K")
    if values.shape != (2, 2):
        raise ValueError(f"W_V is {values.shape}: expected (2, 2)")
    if [len(ends) for ends in axes] != [2, 2]:
        raise ValueError(f"axes is {axes!r}: expected ((left, right), (below, above))")
    sentence, word = chosen
    if not (0 <= sentence < len(given) and 0 <= word < len(given[sentence]["words"])):
        raise ValueError(f"chosen is {chosen}: expected the number of a sentence and of one of its words")
    if not 0 <= sharpness <= 4:
        raise ValueError(f"sharpness is {sharpness}: expected 0 to 4")
    # the plane shows the words before and after, whatever the switches
    shown: list[NDArray[Any]] = [np.zeros((1, 2))]
    for X, mask, factor in product(vectors, (False, True), np.linspace(0, 4, 41)):
        allowed = np.tri(len(X), dtype=bool) if mask else None
        output = functional.attention(factor * X @ queries, X @ keys, X @ values, allowed)[0]
        shown += [X, output, X + output]
    low, high = np.concatenate(shown).min(0), np.concatenate(shown).max(0)
    props = {
        "sentences": given,
        "W_Q": queries.tolist(),
        "W_K": keys.tolist(),
        "W_V": values.tolist(),
        "axes": [list(ends) for ends in axes],
        "centre": ((low + high) / 2).tolist(),
        "reach": float((high - low).max() / 2 * 1.1) or 1.0,
        "sentence": sentence,
        "word": word,
        "sharpness": sharpness,
        "residual": residual,
        "causal": causal,
    }
    return PageFigure("word-moves", props, caption, number)


class Reading(NamedTuple):
    """One line of `readings`: its label, its words, which of them reads, and the weight (L,) of each word.

    `places` are the positions whose vectors the words have got; they are written under the words. The word at `right`
    is what a reader should look at; it is printed bold. A label may have two lines.
    """

    label: str
    words: Sequence[str]
    reader: int
    weights: ArrayLike
    places: Sequence[int] | None = None
    right: int | None = None


ARCS, PITCH = 0.62, 1.14  # inches, the room for arcs over a line of words, and from one line to the next
PLACES = 0.2  # inches, the room for the numbers of positions under a line


def readings(*lines: Reading, title: str = "", caption: str = "", number: str = "") -> Picture:
    """Draw sentences under one another, with arcs from a word to the words it reads: the thicker, the more.

    The word that reads is underlined. Weights of 15 % and more are written under the words.

    Raises
    ------
    ValueError
        If there is no line, or its weights are not one for each word.

    Examples
    --------
    >>> readings(Reading("start", ["the", "cat", "sleeps"], 2, [0.25, 0.5, 0.25])).alt
    "start: 'sleeps', in 'the cat sleeps', reads 'the' 0.25, 'cat' 0.5, 'sleeps' 0.25; largest on 'cat'."
    """
    wide = _width_of(lines)

    def drawn(narrow: bool) -> Picture:
        width, top = NARROW if narrow else wide, _title_room(title, narrow)
        height = _pitch(lines, narrow) * len(lines) + top + 0.1

        def paint(figure: Figure) -> str:
            axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
            axis.set_axis_off()
            _paint_title(axis, title, narrow)
            return sentence(title) + _paint_readings(axis, lines, 0.15, top, narrow=narrow)

        return draw(width, height, paint)

    return replace(drawn(False), narrow=drawn(True)).numbered(number, caption)


def _pitch(lines: Sequence[Reading], narrow: bool = False) -> float:
    """Return the inches from one line of `readings` to the next; a narrow one has its label above it."""
    return PITCH + PLACES * any(line.places is not None for line in lines) + 0.2 * narrow


def _size(lines: Sequence[Reading], narrow: bool) -> float:
    """Return the size of the words: 12 points, or as much less as a narrow picture needs."""
    if not narrow:
        return 12.0
    widest = max(_centres(line.words, 0)[-1] + _wide(line.words[-1], 12) / 2 for line in lines)
    return min(12.0, 12.0 * (NARROW - 0.25) / widest)


def learning(
    losses: ArrayLike,
    *lines: Reading,
    steps: Sequence[int],
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw a training: its loss, and beside it what a word reads at some of the steps.

    Parameters
    ----------
    losses : array (n_steps,)
    *lines : Reading
        One for each of `steps`.
    steps : numbers of steps, from 0
    title, caption, number : str
        Above the picture; under it; and the number in front of that.

    Raises
    ------
    ValueError
        If there is not one line for each step, or as `readings` does.

    Examples
    --------
    >>> line = Reading("step 2", ["the", "cat"], 0, [0.1, 0.9])
    >>> learning([0.7, 0.1], line, steps=[1], title="It learns").alt
    "It learns. Loss from 0.7 to 0.1 in 2 steps. step 2: 'the', in 'the cat', reads 'the' 0.1, 'cat' 0.9; \
largest on 'cat'."
    """
    curve = np.asarray(losses, dtype=float)
    if len(lines) != len(steps) or curve.ndim != 1:
        raise ValueError(
            f"{len(lines)} lines, {len(steps)} steps, losses {curve.shape}: expected a line for each step"
        )
    left = 3.5
    wide = left + _width_of(lines), PITCH * len(lines) + 0.5
    above = _title_room(title, narrow=True) + 2.3  # where the lines begin under the loss
    small = NARROW, above + _pitch(lines, narrow=True) * len(lines) + 0.1

    def paint(figure: Figure, narrow: bool = False) -> str:
        width, height = small if narrow else wide
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        _paint_title(axis, title, narrow)
        below, tall = (height - above + 0.65, 1.55) if narrow else (0.6, height - 1.2)
        plot = figure.add_axes((0.75 / width, below / height, 2.55 / width, tall / height))
        plot.plot(np.arange(1, len(curve) + 1), curve, color=INK, linewidth=1.2)
        marked: dict[str, Any] = dict(
            color=WEIGHT, markersize=7, markeredgecolor=PAPER, clip_on=False, zorder=5
        )
        plot.plot(np.array(steps) + 1, curve[list(steps)], "o", **marked)
        plot.set(xlabel="step (logarithmic)", ylabel="loss (cross-entropy)")
        plot.set_ylim(bottom=0)
        plot.set_xscale("log")  # most of it happens early
        plot.xaxis.set_major_formatter(lambda n, _: f"{n:g}")
        plot.grid(axis="y", color=LINE)
        start, top = (0.15, above) if narrow else (left + 0.15, 0.4)
        told = _paint_readings(axis, lines, start, top, {int(np.argmax(lines[-1].weights))}, narrow)
        ends = f"Loss from {significant(curve[0])} to {significant(curve[-1])} in {len(curve)} steps. "
        return sentence(title) + ends + told

    narrow_form = draw(*small, partial(paint, narrow=True))
    return replace(draw(*wide, paint), narrow=narrow_form).numbered(number, caption)


def _width_of(lines: Sequence[Reading]) -> float:
    """Return the inches that lines of `readings` take, or refuse them."""
    if not lines:
        raise ValueError("lines is empty: expected at least one Reading")
    for label, words, reader, weights, places, _ in lines:
        if np.shape(weights) != (len(words),) or not 0 <= reader < len(words):
            raise ValueError(
                f"{label!r}: {len(words)} words, weights {np.shape(weights)}, reader {reader}: expected a weight "
                "for each word, and the position of one of them"
            )
        if places is not None and len(places) != len(words):
            raise ValueError(
                f"{label!r}: {len(words)} words, {len(places)} places: expected one for each word"
            )
    start = 0.15 + _label_width(lines)
    ends = [_centres(line.words, start)[-1] + _wide(line.words[-1], 12) / 2 for line in lines]
    return max(ends) + 0.2


def _label_width(lines: Sequence[Reading]) -> float:
    return max(_wide(part, 11) for line in lines for part in line.label.splitlines()) + 0.25


def _paint_readings(
    axis: Axes,
    lines: Sequence[Reading],
    left: float,
    top: float,
    always: Collection[int] = (),
    narrow: bool = False,
) -> str:
    told, below = [], 0.24 + PLACES * any(line.places is not None for line in lines)
    size = _size(lines, narrow)
    for n, (label, words, reader, weights, places, right) in enumerate(lines):
        begins = top + _pitch(lines, narrow) * n
        y = begins + ARCS + 0.14 + 0.2 * narrow
        row, x = (
            np.asarray(weights, dtype=float),
            _centres(words, left + (1 - narrow) * _label_width(lines), size),
        )
        in_one_line = label.replace("\n", " ")
        said = in_one_line if narrow else label
        axis.text(left, begins + 0.1 if narrow else y, plain(said), va="center", color=QUIET)
        for j, weight in enumerate(row):
            if weight >= 0.005:
                _arc(axis, x[reader], x[j], y - 0.13, ARCS, float(weight))
        for j, word in enumerate(words):
            weighs = "bold" if j == right else "normal"
            axis.text(x[j], y, plain(word), ha="center", va="center", fontsize=size, fontweight=weighs)
            if row[j] >= 0.15 or j in always:
                share = f"{100 * row[j]:.0f} %"
                axis.text(x[j], y + below, share, ha="center", va="center", fontsize=10, color=WEIGHT)
            if places is not None and (word[:1].isalnum() or row[j] >= 0.15):
                axis.text(x[j], y + 0.24, str(places[j]), ha="center", va="center", fontsize=10, color=QUIET)
        half = _wide(words[reader], size) / 2
        axis.plot([x[reader] - half, x[reader] + half], [y + 0.12] * 2, color=QUERY, linewidth=2.4)
        meant = "" if right is None else f" (right is '{words[right]}')"
        told.append(
            f"{in_one_line}: '{words[reader]}', in '{' '.join(words)}'{_told_places(places)}{meant}, reads "
            f"{paired(words, row)}; largest on {largest_on(words, row)}."
        )
    return " ".join(told)


def _told_places(places: Sequence[int] | None) -> str:
    return "" if places is None else f" at positions {', '.join(map(str, places))}"


def _arc(axis: Axes, start: float, end: float, y: float, room: float, weight: float) -> None:
    """Paint an arc over the words between two words; from a word to itself, a loop."""
    rise = min(room, 0.25 + 0.16 * abs(start - end)) * 4 / 3
    wide = 0.16 if start == end else 0.0
    points = [(start, y), (start - wide, y - rise), (end + wide, y - rise), (end, y)]
    path = Path(points, [Path.MOVETO, *[Path.CURVE4] * 3])
    look: dict[str, Any] = dict(facecolor="none", edgecolor=WEIGHT, capstyle="round")
    # thickness and strength as of the lines that live in the page
    axis.add_patch(PathPatch(path, linewidth=0.75 + 7.5 * weight, alpha=0.65 + 0.35 * weight**0.5, **look))


@cache
def _wide(text: str, size: float) -> float:
    """Return how wide a text is, in inches."""
    if not text:
        return 0.0
    path = TextPath((0, 0), plain(text), size=size, prop=FontProperties(family="Course Sans"))
    return float(path.get_extents().width) / 72


def _centres(words: Sequence[str], left: float, size: float = 12.0) -> list[float]:
    """Return where the middles of words lie that are set side by side; punctuation stands close to its word."""
    centres: list[float] = []
    x = left
    for word in words:
        if not word[:1].isalnum() and centres:
            x -= 0.1 * size / 12
        centres.append(x + _wide(word, size) / 2)
        x += _wide(word, size) + 0.17 * size / 12
    return centres


def same_rows(
    first: tuple[Sequence[str], ArrayLike],
    second: tuple[Sequence[str], ArrayLike],
    *,
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw the outputs of two sentences as columns of cells, and join those that are equal.

    Positive entries are filled cells, negative ones framed; the larger in size, the stronger, by the square root, so
    that small ones are seen.

    Parameters
    ----------
    first, second : pairs of L words and an array (L, d)
    title, caption, number : str
        Above the picture; under it; and the number in front of that.

    Raises
    ------
    ValueError
        If a sentence has not one row for each word, or the rows are not equally wide.

    Examples
    --------
    >>> same_rows((["a", "b"], [[1.0], [-1.0]]), (["b", "a"], [[-1.0], [1.0]])).alt
    "Outputs of 'a b' and of 'b a'. Equal: 'a' 0 and 'a' 1; 'b' 1 and 'b' 0."
    """
    (above, upper), (below, lower) = first, second
    O_1, O_2 = np.asarray(upper, dtype=float), np.asarray(lower, dtype=float)
    if O_1.ndim != 2 or O_1.shape[1:] != O_2.shape[1:] or (len(O_1), len(O_2)) != (len(above), len(below)):
        raise ValueError(
            f"{len(above)} words with {O_1.shape}, {len(below)} words with {O_2.shape}: "
            "expected a row for each word, equally wide"
        )
    pairs = [
        (i, j)
        for i, row in enumerate(O_1)
        for j, other in enumerate(O_2)
        if np.allclose(row, other, atol=1e-9)
    ]
    most, longest = max(np.abs(O_1).max(), np.abs(O_2).max()), max(len(above), len(below))
    cell, d, gap = 0.17, O_1.shape[1], 0.95

    def drawn(narrow: bool) -> Picture:
        pitch = min(1.05, (NARROW - 0.5) / longest) if narrow else 1.05
        width, top = NARROW if narrow else pitch * longest + 0.5, _title_room(title, narrow) + 0.6
        height = top + 2 * cell * d + gap + 0.75

        def paint(figure: Figure) -> str:
            axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
            axis.set_axis_off()
            _paint_title(axis, title, narrow)
            ends = [top, top + cell * d + gap]
            for words, rows, y in ((above, O_1, ends[0]), (below, O_2, ends[1])):
                for i, (word, row) in enumerate(zip(words, rows, strict=True)):
                    x = 0.25 + pitch * (i + 0.5)
                    at = y - 0.2 if y == ends[0] else y + cell * d + 0.2
                    axis.text(x, at, plain(word), ha="center", va="center", fontsize=12)
                    for c, entry in enumerate(row):
                        share = float(abs(entry) / most) ** 0.5
                        look: dict[str, Any] = dict(
                            linewidth=1.4, edgecolor=to_rgba(OUTPUT, 0.15 + 0.85 * share)
                        )
                        face = to_rgba(OUTPUT, share) if entry > 0 else to_rgba(PAPER)
                        box = Rectangle(
                            (x - 0.22, y + cell * c + 0.02), 0.44, cell - 0.04, facecolor=face, **look
                        )
                        axis.add_patch(box)
            shown = [
                (i, j)
                for i, j in pairs  # of a word that comes twice, only the line straight down
                if i == j or not {(i, i), (j, j)} <= set(pairs)
            ]
            for i, j in shown:
                ends_x = [0.25 + pitch * (i + 0.5), 0.25 + pitch * (j + 0.5)]
                hue = OUTPUT if i != j else FAINT
                axis.plot(
                    ends_x,
                    [ends[0] + cell * d + 0.05, ends[1] - 0.05],
                    color=hue,
                    linewidth=2.4 if hue == OUTPUT else 1.2,
                )
            for k, (key, fill) in enumerate((("positive", OUTPUT), ("negative", PAPER))):
                x, y = 0.25 + 1.15 * k, height - 0.2
                box = Rectangle((x, y - 0.065), 0.22, 0.13, facecolor=fill, edgecolor=OUTPUT, linewidth=1.4)
                axis.add_patch(box)
                axis.text(x + 0.3, y, key, va="center", fontsize=10, color=QUIET)
            equal = "; ".join(f"'{above[i]}' {i} and '{below[j]}' {j}" for i, j in pairs)
            return (
                f"{sentence(title)}Outputs of '{' '.join(above)}' and of '{' '.join(below)}'. Equal: {equal}."
            )

        return draw(width, height, paint)

    return replace(drawn(False), narrow=drawn(True)).numbered(number, caption)


def noun_maps(
    maps: Mapping[str, ArrayLike],
    layouts: Mapping[str, Collection[tuple[int, int, int]]],
    *,
    adjectives: Sequence[int],
    nouns: Sequence[int],
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw how an adjective at each position shares its weight among nouns at others, and what training has shown.

    Each row is scaled to its largest share; a scale tells the colours. A circle is where training had the right noun of
    an adjective at that position, a cross where it had the other noun.

    Parameters
    ----------
    maps : mapping from name to array (adjectives, nouns)
    layouts : mapping from the same names to triples
        The positions of adjective, right noun and other noun in training; those outside the maps are left out.
    adjectives, nouns : positions of the rows and of the columns
    title, caption, number : str
        Above the picture; under it; and the number in front of that.

    Raises
    ------
    ValueError
        If the names or the shapes do not fit.

    Examples
    --------
    >>> shares = [[0.2, 0.8], [0.6, 0.4]]
    >>> noun_maps({"A": shares}, {"A": [(4, 1, 9)]}, adjectives=[4, 5], nouns=[0, 1]).alt
    'Maps of what an adjective (rows) reads among nouns (columns), by position. A: adjective at 4 reads 1 most, 5 \
reads 0 most; in training the right noun was 3 before, the other 5 after.'
    """
    shares = {name: np.asarray(matrix, dtype=float) for name, matrix in maps.items()}
    shape = len(adjectives), len(nouns)
    if not shares or set(shares) != set(layouts) or any(M.shape != shape for M in shares.values()):
        raise ValueError(
            f"maps {[(name, M.shape) for name, M in shares.items()]}, layouts {list(layouts)}: expected the same "
            f"names, and matrices {shape}"
        )

    def paint(figure: Figure, narrow: bool = False) -> str:
        cells = (len(shares), 1) if narrow else (1, len(shares))
        grid = figure.subplots(*cells, squeeze=False, sharey=not narrow, sharex=narrow).ravel()
        paint_title(figure, "\n".join(_title_lines(title, narrow)))
        extent = (nouns[0] - 0.5, nouns[-1] + 0.5, adjectives[-1] + 0.5, adjectives[0] - 0.5)
        edge = [withStroke(linewidth=3, foreground=PAPER)]  # so that a mark is seen on a dark cell
        for axis, (name, matrix) in zip(grid, shares.items(), strict=True):
            paint_entries(axis, matrix / matrix.max(axis=1, keepdims=True), (0.0, 1.0), extent=extent)
            axis.set_title(plain(name))
            for adjective, right, other in layouts[name]:
                if adjective not in adjectives:
                    continue
                marked: dict[str, Any] = dict(color=INK, linestyle="none", path_effects=edge)
                if right in nouns:
                    axis.plot(right, adjective, "o", markersize=5, fillstyle="none", **marked)
                if other in nouns:
                    axis.plot(other, adjective, "x", markersize=4, **marked)
            axis.set(xlim=extent[:2], ylim=extent[2:], xticks=nouns[::4], yticks=adjectives[::4])
            axis.tick_params(length=0)
            axis.spines[:].set(visible=True, color=LINE)
        for axis in grid if narrow else grid[-1:]:
            paint_scale(axis, (0.0, 1.0), "share of the row’s largest")
        for axis in grid if narrow else grid[:1]:
            axis.set_ylabel("position of the adjective")
        for axis in grid[-1:] if narrow else grid:
            axis.set_xlabel("position of the noun")
        told = [_tell_noun_map(name, M, layouts[name], adjectives, nouns) for name, M in shares.items()]
        about = "Maps of what an adjective (rows) reads among nouns (columns), by position."
        return " ".join([f"{sentence(title)}{about}", *told])

    small = draw(NARROW, 2.5 * len(shares) + 0.5, partial(paint, narrow=True), layout="constrained")
    wide = draw(0.6 + 3.0 * len(shares), 3.1, paint, layout="constrained")
    return replace(wide, narrow=small).numbered(number, caption)


def _tell_noun_map(
    name: str,
    matrix: NDArray[Any],
    layouts: Collection[tuple[int, int, int]],
    adjectives: Sequence[int],
    nouns: Sequence[int],
) -> str:
    peaks = [f"{a} reads {nouns[int(row.argmax())]} most" for a, row in zip(adjectives, matrix, strict=True)]
    before = [sorted({a - at[n] for a, *at in layouts}) for n in (0, 1)]
    right, other = (
        " or ".join(f"{abs(n)} {'before' if n > 0 else 'after'}" for n in distances) for distances in before
    )
    return (
        f"{name}: adjective at {', '.join(peaks)}; in training the right noun was {right}, the other {other}."
    )


def both_weights(
    before: ArrayLike,
    after: ArrayLike,
    *,
    names: tuple[str, str],
    axes: tuple[str, str],
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw models in a square by two of their weights: each is a line from where training began to where it ended.

    Parameters
    ----------
    before, after : array (n, 2)
    names : what the two weights are given to
    axes : what the axes say
    title, caption, number : str
        Above the picture; under it; and the number in front of that.

    Raises
    ------
    ValueError
        If the two are not both (n, 2).

    Examples
    --------
    >>> ends = [[0.9, 0.1], [0.8, 0.7]]
    >>> both_weights([[0.1, 0.1], [0.2, 0.1]], ends, names=("cat", "mouse"), axes=("on cat", "on mouse")).alt
    'Models by two weights: on cat, on mouse. Before training the largest is 0.2. After it: both above a half 1, \
cat only 1, mouse only 0, neither 0.'
    """
    starts, ends = (np.asarray(pair, dtype=float) for pair in (before, after))
    if ends.ndim != 2 or ends.shape[1] != 2 or starts.shape != ends.shape:
        raise ValueError(f"before {starts.shape}, after {ends.shape}: expected arrays (n, 2)")
    a, b = (ends > 0.5).T
    counts = {
        "both above a half": (a & b).sum(),
        f"{names[0]} only": (a & ~b).sum(),
        f"{names[1]} only": (~a & b).sum(),
        "neither": (~a & ~b).sum(),
    }
    beside = {
        (1.06, 1.0): f"{counts['both above a half']} find both",
        (1.06, 0.0): f"{counts[f'{names[0]} only']} find {names[0]} only",
        (0.08, 1.12): f"{counts[f'{names[1]} only']} find {names[1]} only",
    }

    def paint(figure: Figure) -> str:
        axis = figure.subplots()
        paint_title(figure, title)
        axis.set(xlim=(-0.04, 1.04), ylim=(-0.04, 1.04), aspect="equal", xlabel=axes[0], ylabel=axes[1])
        for set_ticks in (axis.set_xticks, axis.set_yticks):
            set_ticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
        axis.grid(color=LINE)
        axis.plot(*np.stack([starts, ends]).transpose(2, 0, 1), color=to_rgba(WEIGHT, 0.35), linewidth=1.2)
        look: dict[str, Any] = dict(marker="o", linestyle="none", clip_on=False)
        axis.plot(*starts.T, **look, markersize=3, color=FAINT)
        axis.plot(*ends.T, **look, markersize=8, color=to_rgba(WEIGHT, 0.45), markeredgecolor=PAPER)
        for at, text in beside.items():
            axis.text(*at, plain(text), va="center", clip_on=False)
        told = ", ".join(f"{name} {n}" for name, n in counts.items())
        return (
            f"{sentence(title)}Models by two weights: {axes[0]}, {axes[1]}. "
            f"Before training the largest is {significant(float(starts.max()))}. After it: {told}."
        )

    return draw(5.2, 3.9, paint, layout="constrained").numbered(number, caption)


def _finite(name: str, numbers: ArrayLike, expected: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected an array {expected}") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has numbers that are not finite: expected an array {expected}")
    return array


class _Grid:
    """A matrix of boxed numbers with a heading, its left edge at x, its middle at height y."""

    def __init__(
        self,
        axis: Axes,
        x: float,
        y: float,
        matrix: NDArray[Any],
        heading: str,
        *,
        shaded: bool = False,
        hue: str = INK,
    ) -> None:
        self.axis, self.x, self.matrix, self.hue = axis, x, matrix, hue
        self.top = y - ROW * len(matrix) / 2
        self.width = CELL * matrix.shape[1]
        self.left, self.right, self.names = (x - 0.08, y), (x + self.width + 0.08, y), (x - 0.08, y)
        axis.text(x + self.width / 2, self.top - 0.17, heading, ha="center", va="center", color=hue)
        boxes, colours = [], []
        for (r, c), entry in np.ndenumerate(matrix):
            corner = x + CELL * c, self.top + ROW * r
            boxes.append(Rectangle(corner, CELL, ROW))
            colours.append(to_rgba(WEIGHT, entry) if shaded else to_rgba(PAPER))
            ink = ink_on(WEIGHT, entry) if shaded else INK
            middle = corner[0] + CELL / 2, corner[1] + ROW / 2
            axis.text(*middle, written(entry), ha="center", va="center", fontsize=10, color=ink)
        # one collection instead of a patch for each number: the interactive figure draws this again and again
        axis.add_collection(PatchCollection(boxes, facecolor=colours, edgecolor=FAINT, linewidth=0.6))

    def frame(self, *rows: int) -> None:
        """Put a thick frame round rows that follow one another."""
        corner = self.x, self.top + ROW * rows[0]
        look: dict[str, Any] = dict(fill=False, edgecolor=self.hue, linewidth=2.4, zorder=4)
        self.axis.add_patch(Rectangle(corner, self.width, ROW * len(rows), **look))

    def name_rows(self, words: Sequence[str]) -> None:
        for r, word in enumerate(words):
            y = self.top + ROW * (r + 0.5)
            self.axis.text(self.x - 0.08, y, plain(word), ha="right", va="center", fontsize=10)
        if words:
            self.names = (self.x - 0.16 - 0.085 * max(map(len, words)), self.left[1])

    def name_columns(self, words: Sequence[str]) -> None:
        below = self.top + ROW * len(self.matrix) + 0.06
        for c, word in enumerate(words):
            x = self.x + CELL * (c + 0.5)
            self.axis.text(x, below, plain(word), rotation=40, ha="right", va="top", rotation_mode="anchor",
                           fontsize=10)  # fmt: skip


def _arrow(axis: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    look: dict[str, Any] = dict(arrowstyle="-|>", mutation_scale=8, color=FAINT, linewidth=0.9)
    axis.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, zorder=0, **look))
