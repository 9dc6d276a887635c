"""Positional encodings: as hands of clocks, as a map, and by how similar two positions are."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.picture import CARD, COLOURS, FAINT, INK, QUIET, Picture, draw, number, significant

MOST_DIALS = (6, 12)  # pairs, positions: more would be too small to read


def similarity_by_distance(x: ArrayLike) -> NDArray[np.float64]:
    """Average the dot products of all pairs of rows that are equally far apart; 1 at distance 0.

    Parameters
    ----------
    x : array (L, d)
        One row a position.

    Returns
    -------
    array (L,)

    Raises
    ------
    ValueError
        If `x` is not (L, d), or all zero.

    Notes
    -----
    Formula: s(Δ) = mean_i x_i·x_{i+Δ} / mean_i x_i·x_i

    Examples
    --------
    >>> similarity_by_distance([[1, 0], [1, 1], [0, 1]])  # ones: 1·1, mean of 1 and 1, 0; mean square 4/3
    array([1.  , 0.75, 0.  ])
    """
    rows = np.asarray(x, dtype=np.float64)
    if rows.ndim != 2 or not rows.any():
        raise ValueError(f"x {rows.shape}: expected (L, d), not all zero")
    L = len(rows)
    distance = np.abs(np.arange(L)[:, None] - np.arange(L)).ravel()
    sums = np.bincount(distance, weights=(rows @ rows.T).ravel()) / np.bincount(distance)
    return sums / sums[0]


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


def dials(encoding: ArrayLike, *, labels: list[str] | None = None) -> Picture:
    """Draw each pair of columns, a sine and a cosine, as the hand of a clock: a row a pair, a column a position.

    Parameters
    ----------
    encoding : array (L, d)
        At most 12 positions and 6 pairs.
    labels : L strings
        What is written above each position; its number where not given.

    Raises
    ------
    ValueError
        If the encoding has an odd width or is too large to be drawn, or the labels do not fit.

    Notes
    -----
    The hand points to (sin, cos): upwards at angle 0, and then clockwise as on a clock.

    Examples
    --------
    >>> dials([[0, 1], [1, 0], [0, -1]]).alt
    'Hands of clocks at positions 0, 1, 2. Columns 0 and 1: 0°, 90°, 180° clockwise from the top.'
    """
    rows = np.asarray(encoding, dtype=np.float64)
    most_pairs, most_positions = MOST_DIALS
    fits = rows.ndim == 2 and rows.shape[1] % 2 == 0 and 0 < rows.shape[1] <= 2 * most_pairs
    if not fits or not 0 < len(rows) <= most_positions:
        raise ValueError(
            f"encoding {rows.shape}: expected (L, d) with L ≤ {most_positions} and d ≤ {2 * most_pairs}, d even"
        )
    names = [str(i) for i in range(len(rows))] if labels is None else labels
    if len(names) != len(rows):
        raise ValueError(f"labels has {len(names)} entries: expected one for each of {len(rows)} positions")
    n_pairs, n_positions = rows.shape[1] // 2, len(rows)
    width, height = 1.3 + 0.95 * n_positions, 0.35 + 0.95 * n_pairs

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(-1.3, width - 1.3), ylim=(height - 0.35, -0.35))
        axis.set_axis_off()
        told = [f"Hands of clocks at positions {', '.join(names)}."]
        for i, name in enumerate(names):
            axis.text(0.475 + 0.95 * i, -0.15, name, ha="center", va="center", fontweight="bold")
        for pair in range(n_pairs):
            hands = rows[:, 2 * pair : 2 * pair + 2]
            y = 0.45 + 0.95 * pair
            axis.text(-0.1, y, f"columns {2 * pair}, {2 * pair + 1}", ha="right", va="center", color=QUIET)
            for i, hand in enumerate(hands):
                _paint_dial(axis, 0.475 + 0.95 * i, y, hand, COLOURS[pair])
            angles = np.degrees(np.arctan2(hands[:, 0], hands[:, 1])) % 360
            degrees = ", ".join(f"{round(angle, 1) % 360:g}°" for angle in angles)
            told.append(f"Columns {2 * pair} and {2 * pair + 1}: {degrees} clockwise from the top.")
        return " ".join(told)

    return draw(width, height, paint)


def _paint_dial(axis: Axes, x: float, y: float, hand: NDArray[Any], colour: str) -> None:
    radius = 0.4
    axis.add_patch(Circle((x, y), radius, facecolor="white", edgecolor=FAINT))
    axis.plot([x, x], [y - radius, y - 0.85 * radius], color=FAINT, linewidth=1)
    tip = (x + 0.92 * radius * hand[0], y - 0.92 * radius * hand[1])  # y grows downwards
    axis.plot([x, tip[0]], [y, tip[1]], color=colour, linewidth=2.2, solid_capstyle="round")
    axis.plot([x], [y], "o", color=colour, markersize=4)


def encoding_map(encoding: ArrayLike) -> Picture:
    """Draw an encoding as a map: positions are rows, its columns are columns, colours are values from −1 to 1.

    Parameters
    ----------
    encoding : array (L, d)

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

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0.09, 0.11, 0.79, 0.85))
        _paint_map(axis, rows, figure.add_axes((0.9, 0.11, 0.025, 0.85)))
        return f"Map of an encoding: {_tell_map(rows)}"

    return draw(7.2, 4.6, paint)


def encoding_overview(
    encoding: ArrayLike,
    words: ArrayLike | None = None,
    *,
    mode: Literal["add", "append"] = "add",
    column: int = 0,
) -> Picture:
    """Draw an encoding, alone or joined with words: the map, one column, and similarity against distance.

    Parameters
    ----------
    encoding : array (L, d)
    words : array (L, d_words)
        Vectors of words to which the encoding is added (then d_words = d) or appended; without them, the
        encoding alone.
    mode : {"add", "append"}
    column : int
        The column of the encoding that is drawn as a curve; dots are what the model reads there.

    Raises
    ------
    ValueError
        If the shapes do not fit together or there is no such column.

    Examples
    --------
    >>> alt = encoding_overview([[0, 1], [1, 0]], column=1).alt
    >>> alt[alt.index("Similarity") :]
    'Similarity: 1 at distance 0, 0 at 1; rises in 0 of 1 steps. Closest Gaussian exp(−30Δ²), off by up to 0.'
    """
    phi = _checked(encoding)
    L, d = phi.shape
    if not 0 <= column < d:
        raise ValueError(f"column is {column}: expected 0 … {d - 1}")
    x, first = phi, 0  # what the model reads, and where the encoding begins in it
    if words is not None:
        vectors = np.asarray(words, dtype=np.float64)
        if vectors.ndim != 2 or len(vectors) != L or (mode == "add" and vectors.shape[1] != d):
            raise ValueError(
                f"words {vectors.shape} and encoding {phi.shape}: expected equally many rows"
                + (", and the same width to add them" if mode == "add" else "")
            )
        x = vectors + phi if mode == "add" else np.hstack([vectors, phi])
        first = 0 if mode == "add" else vectors.shape[1]
    similarity = similarity_by_distance(x)
    decay, misfit = best_gaussian(similarity)
    joined = "alone" if words is None else {"add": "added to words", "append": "appended to words"}[mode]

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0.07, 0.115, 0.36, 0.78), title=f"Encoding {joined}")
        _paint_map(axis, x, figure.add_axes((0.44, 0.115, 0.013, 0.78)))
        axis.plot(
            [first + column],
            [1.0],
            "v",
            color=COLOURS[1],
            transform=axis.get_xaxis_transform(),
            clip_on=False,
        )
        if first:
            axis.axvline(first - 0.5, color=INK, linewidth=1.2)
            axis.text(first / 2, L - 0.5, "words", ha="center", va="bottom", bbox=_PAPER)
            axis.text(first + d / 2, L - 0.5, "φ", ha="center", va="bottom", bbox=_PAPER)

        upper = figure.add_axes((0.575, 0.615, 0.4, 0.28), title=f"Column {column} of φ")
        upper.grid(color=FAINT, alpha=0.25)
        upper.set(xlabel="position", xlim=(-0.02 * L, 1.02 * L - 1))
        upper.plot(phi[:, column], color=COLOURS[1], linewidth=1.2)
        upper.plot(x[:, first + column], "o", color=COLOURS[1], markersize=2.5)

        lower = figure.add_axes((0.575, 0.115, 0.4, 0.34), title="Similarity against distance")
        lower.grid(color=FAINT, alpha=0.25)
        lowest = min(0.0, similarity.min())
        lower.set(xlabel="distance Δ", xlim=(-0.02 * L, 1.02 * L - 1), ylim=(lowest - 0.05, 1.05))
        lower.plot(similarity, color=COLOURS[0], label="encoding" if words is None else "word and position")
        gaussian = np.exp(-decay * np.arange(L) ** 2)
        lower.plot(gaussian, "--", color=COLOURS[2], label=f"closest Gaussian, off by {misfit:.2f}")
        lower.legend(fontsize=8.5, loc="upper right")

        axis.locator_params(nbins=5, integer=True)  # few: half of the time to draw goes into ticks
        for curve in (upper, lower):
            curve.locator_params(nbins=5)
        told = f"Encoding {joined}: {_tell_map(x)} {_tell_column(phi, column)}"
        rising = int((np.diff(similarity) > 1e-9).sum())
        return (
            f"{told} Similarity: 1 at distance 0, {number(similarity[-1])} at {L - 1}; rises in {rising} of {L - 1} "
            f"steps. Closest Gaussian exp(−{significant(decay)}Δ²), off by up to {number(misfit)}."
        )

    return draw(8.4, 4.5, paint)


def looking_back(maps: Mapping[str, ArrayLike], *, trained: int) -> Picture:
    """Draw attention over long sequences side by side, and how much of it lies on the position before.

    Parameters
    ----------
    maps : mapping from name to array (L, L)
        Attention weights; queries are rows.
    trained : int
        The length seen in training; a frame marks its corner.

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

    def paint(figure: Figure) -> str:
        told = ["Attention weights, queries are rows."]
        grid = figure.subplots(1, len(weights), squeeze=False, sharey=True)[0]
        for axis, (name, matrix) in zip(grid, weights.items(), strict=True):
            image = axis.imshow(matrix, cmap="cividis", vmin=0, vmax=1, interpolation="nearest")
            axis.set(title=name, xlabel="position of the key")
            axis.spines[:].set_visible(False)
            corner = Rectangle((-0.5, -0.5), trained, trained, fill=False, edgecolor="white", linestyle=":")
            axis.add_patch(corner)
            before = np.diagonal(matrix, offset=-1)
            told.append(
                f"{name}, {len(matrix)} × {len(matrix)}: on the position before lies "
                f"{number(before[: trained - 1].mean())} of the weight up to position {trained - 1}, "
                f"and {number(before[trained - 1 :].mean())} beyond."
            )
        grid[0].set_ylabel("position of the query")
        figure.colorbar(image, ax=list(grid), label="weight", pad=0.02, aspect=15)
        return " ".join(told)

    return draw(0.9 + 2.5 * len(weights), 3.1, paint, layout="constrained")


_PAPER = {"facecolor": CARD, "edgecolor": "none", "alpha": 0.85, "pad": 1.5}


def _checked(encoding: ArrayLike) -> NDArray[np.float64]:
    rows = np.asarray(encoding, dtype=np.float64)
    if rows.ndim != 2 or not rows.size:
        raise ValueError(f"encoding {rows.shape}: expected (L, d), not empty")
    return rows


def _paint_map(axis: Axes, rows: NDArray[np.float64], bar: Axes) -> None:
    """Paint a map with its colour bar; zero has the middle colour, anything beyond ±1 or the largest entry of φ."""
    reach = max(1.0, float(np.abs(rows).max()))
    image = axis.imshow(rows, cmap="PuOr", vmin=-reach, vmax=reach, aspect="auto", interpolation="nearest")
    axis.set(xlabel="column", ylabel="position")
    axis.spines[:].set_visible(False)
    ticks = [-1.0, -0.5, 0.0, 0.5, 1.0] if reach < 1.5 else [-2.0, -1.0, 0.0, 1.0, 2.0]
    axis.figure.colorbar(image, cax=bar, ticks=ticks, format=lambda tick, _: number(tick))


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


def _tell_column(phi: NDArray[np.float64], column: int) -> str:
    curve = phi[:, column]
    changes = _sign_changes(curve)
    return (
        f"Column {column}: {changes} change{'' if changes == 1 else 's'} of sign, "
        f"from {number(curve[0])} at position 0 to {number(curve[-1])} at position {len(curve) - 1}."
    )
