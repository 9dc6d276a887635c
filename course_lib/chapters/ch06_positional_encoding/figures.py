"""Positional encodings: outputs that are tied, the map of an encoding, the clock, and attention far out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.heatmaps import paint_entries, paint_scale
from course_lib.figures.page import PageFigure
from course_lib.figures.palette import LINE, OUTPUT, PAPER, QUIET, WEIGHT, ink_on
from course_lib.figures.picture import (
    NARROW_INCHES,
    Picture,
    draw,
    draw_wide_and_narrow,
    number,
    paint_shares,
    paint_title,
    plain,
    sentence,
    title_lines,
    wrapped,
)


def best_gaussian(similarity: ArrayLike) -> tuple[float, float]:
    """Fit exp(−λΔ²) to a similarity at the distances Δ = 0, 1, 2, …

    Parameters
    ----------
    similarity : array (n,)

    Returns
    -------
    decay : float
        The λ ≥ 0 for which the largest difference is smallest.
    misfit : float
        That difference: no Gaussian of height 1 stays closer everywhere.

    Raises
    ------
    ValueError
        If `similarity` is not (n,) with n ≥ 2.

    Notes
    -----
    Source of the aim: B 10.3.2, φ(i)·φ(j) ≈ exp(−λ(i−j)²).

    Examples
    --------
    >>> decay, misfit = best_gaussian(np.exp(-0.03 * np.arange(20) ** 2))
    >>> round(decay, 4), round(misfit, 4)
    (0.03, 0.0)
    """
    curve = np.asarray(similarity, dtype=np.float64)
    if curve.ndim != 1 or len(curve) < 2:
        raise ValueError(f"similarity {curve.shape}: expected (n,) with n ≥ 2")
    squares = np.arange(len(curve)) ** 2

    def misfits(decays: NDArray[np.float64]) -> NDArray[np.float64]:
        largest: NDArray[np.float64] = np.abs(np.exp(-decays[:, None] * squares) - curve).max(axis=1)
        return largest

    # from "still near 1 at the farthest distance" to "already 0 at distance 1"; then closer around the best
    grid = np.concatenate([[0.0], np.geomspace(1e-3 / squares[-1], 30.0, 300)])
    for _ in range(4):
        best = int(misfits(grid).argmin())
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        grid = np.linspace(low, high, 41)
    best = int(misfits(grid).argmin())
    return float(grid[best]), float(misfits(grid)[best])


def tied_words(
    first: Sequence[str],
    outputs: ArrayLike,
    second: Sequence[str],
    other_outputs: ArrayLike,
    *,
    title: str,
    caption: str = "",
    figure_number: str = "",
) -> Picture:
    """Draw two sentences of the same words, one under the other, with the output of each word; equal outputs are tied.

    A word is joined to the same word in the other sentence, the first to the first where there are several: by a thick
    line if their outputs are equal, else by a dashed one with the distance of the two.

    Parameters
    ----------
    first, second : sequences of L strings
        The same words, in any order and in capitals or not.
    outputs, other_outputs : arrays (L, d)
        Entries from 0 to 1.
    title, caption, figure_number : str

    Raises
    ------
    ValueError
        If the sentences have not the same words, or the outputs do not fit them.

    Examples
    --------
    >>> tied_words(["a", "b"], [[1.0], [0.5]], ["b", "a"], [[0.5], [0.2]], title="One is tied").alt
    "One is tied. 'a b' above 'b a'. 'a': outputs (1) and (0.2), 0.8 apart. 'b': outputs (0.5) and (0.5), equal."
    """
    rows = [np.asarray(x, dtype=np.float64) for x in (outputs, other_outputs)]
    lines = [list(first), list(second)]
    lowered = [[word.lower() for word in line] for line in lines]
    if sorted(lowered[0]) != sorted(lowered[1]):
        raise ValueError(f"second {lines[1]}: expected the words of first {lines[0]}")
    if any(x.ndim != 2 or len(x) != len(first) for x in rows) or rows[0].shape != rows[1].shape:
        raise ValueError(f"outputs {rows[0].shape} and {rows[1].shape}: expected ({len(first)}, d) both")
    partner = [_nth(lowered[1], word, lowered[0][:i].count(word)) for i, word in enumerate(lowered[0])]
    n, d = rows[0].shape
    head = 0.4 if title else 0.0  # inches
    height = 3.0 + head

    def paint(figure: Figure, cell: float, gap: float, size: float) -> str:
        step = cell * d + gap
        width = step * n + 0.05
        axis = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        axis.text(0.1, 0.2, plain(title), va="center", fontsize=12, fontweight="bold")
        tops = (head + 0.5, height - 0.5 - 0.34)  # of the cells
        for line, x, top, at in zip(lines, rows, tops, (head + 0.27, height - 0.2), strict=True):
            for i, word in enumerate(line):
                left = 0.1 + i * step
                axis.text(left + cell * d / 2, at, plain(word), ha="center", va="center", fontsize=size + 2.5)
                for c, entry in enumerate(x[i]):
                    share = float(np.clip(entry, 0, 1))
                    box = ((left + c * cell, top), cell, 0.34)
                    axis.add_patch(Rectangle(*box, facecolor=OUTPUT, alpha=0.75 * share, linewidth=0))
                    axis.add_patch(Rectangle(*box, fill=False, edgecolor=LINE, linewidth=1))
                    ink = ink_on(OUTPUT, 0.75 * share)
                    middle = left + (c + 0.5) * cell, top + 0.18
                    axis.text(*middle, f"{entry:.2f}", ha="center", va="center", fontsize=size, color=ink)
        told = [f"{sentence(title)}'{' '.join(first)}' above '{' '.join(second)}'."]
        for i, j in enumerate(partner):
            apart = float(np.linalg.norm(rows[0][i] - rows[1][j]))
            (x1, y1), (x2, y2) = (
                (0.1 + i * step + cell * d / 2, tops[0] + 0.38),
                (0.1 + j * step + cell * d / 2, tops[1] - 0.04),
            )
            tied = apart < 1e-9
            look = {"linewidth": 3.5} if tied else {"linewidth": 1.4, "linestyle": (0, (3, 3))}
            axis.plot([x1, x2], [y1, y2], color=OUTPUT if tied else QUIET, solid_capstyle="round", **look)
            if not tied:
                at = 0.3 if i != j else 0.5  # off the middle, where lines cross
                axis.text(
                    x1 + at * (x2 - x1), y1 + at * (y2 - y1), f"{apart:.2f}", ha="center", va="center",
                    fontsize=size, bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5},
                )  # fmt: skip
            both = " and ".join(f"({', '.join(map(number, x))})" for x in (rows[0][i], rows[1][j]))
            told.append(f"'{first[i]}': outputs {both}, {'equal' if tied else f'{number(apart)} apart'}.")
        return " ".join(told)

    def drawn(cell: float, gap: float, size: float) -> Picture:
        width = (cell * d + gap) * n + 0.05
        return draw(width, height, lambda figure: paint(figure, cell, gap, size))

    return replace(drawn(0.41, 0.15, 11.5), narrow=drawn(0.31, 0.07, 10)).numbered(figure_number, caption)


def _nth(words: Sequence[str], word: str, n: int) -> int:
    """Return where a word stands for the n-th time, counted from 0."""
    return [i for i, other in enumerate(words) if other == word][n]


def encoding_map(
    encoding: ArrayLike, *, title: str = "", caption: str = "", figure_number: str = ""
) -> Picture:
    """Draw an encoding as a map: positions are rows, its columns are columns, colours are values from −1 to 1.

    Parameters
    ----------
    encoding : array (L, d)
    title, caption, figure_number : str

    Raises
    ------
    ValueError
        If `encoding` is not (L, d) or is empty.

    Examples
    --------
    >>> alt = encoding_map([[1, 1], [-1, 1], [1, 1]]).alt
    >>> alt[alt.index("Changes") :]
    'Changes of sign down a column: 2 in column 0, 0 in column 1.'
    """
    rows = _checked(encoding)

    def paint(figure: Figure, letters: int = 80) -> str:
        axis = figure.subplots()
        paint_title(figure, "\n".join(wrapped(title, letters)))
        reach = max(1.0, float(np.abs(rows).max()))
        paint_entries(axis, rows, (-reach, reach))
        axis.set(xlabel="column", ylabel="position")
        axis.spines[:].set_visible(False)
        paint_scale(axis, (-reach, reach), "value")
        return f"{sentence(title)}Map of an encoding: {_tell_map(rows)}"

    wide = draw(6.2, 4.4, paint, layout="constrained")
    narrow = draw(NARROW_INCHES, 3.6, lambda figure: paint(figure, 40), layout="constrained")
    return replace(wide, narrow=narrow).numbered(figure_number, caption)


def clock(
    words: Sequence[str],
    query: ArrayLike,
    key: ArrayLike,
    *,
    asks: int,
    asked: int,
    start: int = 0,
    furthest: int = 50,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Let query and key of two words turn as their sentence moves, pair by pair, beside the scores at all distances.

    Parameters
    ----------
    words : sequence of L strings
        The sentence.
    query, key : arrays (d,)
        Before they are turned; all words share them, so that scores differ by position alone. d = 4, 6 or 8.
    asks, asked : int
        The word whose query it is, and the one whose key is shown first.
    start, furthest : int
        Where the sentence begins at first, and at most.
    caption, number : str
        As for `PageFigure`.

    Raises
    ------
    ValueError
        If query and key do not fit one another, or there is no such word or place.

    Notes
    -----
    Turned as by `course_lib.model.positions.rotate`; added are the rows of `functional.sinusoidal_encoding`.

    Examples
    --------
    >>> up = [1, 0, 1, 0, 1, 0, 1, 0]
    >>> figure = clock(["The", "cat", "chased", "the", "dog"], up, up, asks=2, asked=1)
    >>> figure.title
    '‘chased’ and ‘cat’ stand 1 position apart: their score is 3.54'
    """
    q, k = (np.asarray(x, dtype=np.float64) for x in (query, key))
    if q.shape != k.shape or q.ndim != 1 or len(q) not in (4, 6, 8):
        raise ValueError(f"query {q.shape} and key {k.shape}: expected (4,), (6,) or (8,), both alike")
    if not (0 <= asks < len(words) and 0 <= asked < len(words)):
        raise ValueError(f"asks is {asks}, asked is {asked}: expected positions in {len(words)} words")
    if not 0 <= start <= furthest:
        raise ValueError(f"start is {start}: expected 0 … {furthest}")
    props = {
        "words": list(words),
        "q": q.tolist(),
        "k": k.tolist(),
        "query": asks,
        "key": asked,
        "start": start,
        "furthest": furthest,
    }
    return PageFigure("clock", props, caption=caption, number=number)


def looking_back(
    maps: Mapping[str, ArrayLike],
    *,
    trained: int,
    title: str = "",
    caption: str = "",
    figure_number: str = "",
) -> Picture:
    """Draw attention over long sequences side by side, and how much of it lies on the position before.

    On narrow pages the maps stand under one another.

    Parameters
    ----------
    maps : mapping from name to array (L, L)
        Attention weights; queries are rows.
    trained : int
        The length seen in training; a frame marks its corner.
    title, caption, figure_number : str

    Raises
    ------
    ValueError
        If a map is not (L, L) with L > `trained`, or `trained` is less than 2.

    Examples
    --------
    >>> looking_back({"one back": np.eye(4, k=-1)}, trained=2).alt[37:]
    'one back, 4 × 4: on the position before lies 1 of the weight up to position 1, and 1 beyond.'
    """
    weights = {name: np.asarray(matrix, dtype=np.float64) for name, matrix in maps.items()}
    for name, matrix in weights.items():
        L = len(matrix)
        if matrix.ndim != 2 or matrix.shape[1] != L or not 2 <= trained < L:
            raise ValueError(
                f"map {name!r} {matrix.shape}: expected (L, L) with L > trained ≥ 2, got {trained}"
            )

    def paint(figure: Figure, narrow: bool) -> str:
        paint_title(figure, title)
        told = [f"{sentence(title)}Attention weights, queries are rows."]
        shape = (len(weights), 1) if narrow else (1, len(weights))
        grid = figure.subplots(*shape, squeeze=False, sharey=not narrow).flat
        for i, (axis, (name, matrix)) in enumerate(zip(grid, weights.items(), strict=True)):
            paint_shares(axis, matrix, WEIGHT)
            axis.set(title=name, xlabel="position of the key")
            if narrow or i == 0:
                axis.set_ylabel("position of the query")
            axis.spines[:].set(visible=True, color=LINE)
            corner = Rectangle((-0.5, -0.5), trained, trained, fill=False, edgecolor=QUIET, linestyle=":")
            axis.add_patch(corner)
            before = np.diagonal(matrix, offset=-1)
            told.append(
                f"{name}, {len(matrix)} × {len(matrix)}: on the position before lies "
                f"{number(before[: trained - 1].mean())} of the weight up to position {trained - 1}, "
                f"and {number(before[trained - 1 :].mean())} beyond."
            )
        paint_scale(grid[-1], (0, 1), "weight")
        return " ".join(told)

    tall = 0.2 + 0.22 * len(title_lines(title, NARROW_INCHES)) + 3.1 * len(weights)
    picture = draw_wide_and_narrow(0.9 + 2.5 * len(weights), 3.4 if title else 3.1, tall, paint)
    return picture.numbered(figure_number, caption)


def _checked(encoding: ArrayLike) -> NDArray[np.float64]:
    rows = np.asarray(encoding, dtype=np.float64)
    if rows.ndim != 2 or not rows.size:
        raise ValueError(f"encoding {rows.shape}: expected (L, d), not empty")
    return rows


def _sign_changes(column: NDArray[np.float64]) -> int:
    signs = np.sign(np.where(np.abs(column) < 1e-12, 0, column))
    signs = signs[signs != 0]
    return int((signs[1:] != signs[:-1]).sum())


def _tell_map(rows: NDArray[np.float64]) -> str:
    L, width = rows.shape
    chosen = sorted({0, width // 4, width // 2, width - 1})
    changes = ", ".join(f"{_sign_changes(rows[:, k])} in column {k}" for k in chosen)
    return (
        f"{L} positions (rows) × {width} columns, values from {number(rows.min())} to {number(rows.max())}. "
        f"Changes of sign down a column: {changes}."
    )
