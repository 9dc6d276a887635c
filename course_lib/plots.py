"""Every figure of the course, each with its text alternative.

A function here takes arrays and words and returns a `Picture`: a PNG, and sentences that say what it
*shows*, computed from the same numbers. Figures lie on an opaque light card, so that they read the same in
JupyterLab's light and dark themes, in colours that colour-blind readers can tell apart. Nothing here opens
a window, touches pyplot, heeds a reader's own matplotlib settings or changes them.
"""

import html
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal, NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.typing import RcKeyType
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from course_lib import functional
from course_lib.functional import ScoreFunction

PIXELS_PER_INCH = 96  # on the page; the PNG holds twice as many for sharp screens
CARD, INK, QUIET, FAINT = "#fbfaf6", "#22252b", "#5c626c", "#8a8f98"
CELL = 0.34  # inches, the width of one number of a drawn vector
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")  # Okabe and Ito's palette
DASHES, MARKERS = ("-", "--", "-.", ":"), ("o", "s", "^", "D", "v", "P")
STYLE: dict[RcKeyType, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": CARD,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": CARD,
    "figure.constrained_layout.w_pad": 0.12,
    "figure.constrained_layout.h_pad": 0.12,
    "hatch.color": FAINT,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
}


@dataclass(frozen=True)
class Picture:
    """A drawn figure and what it shows, in words.

    Notebooks show it as HTML, because JupyterLab gives alternative text to screen readers only from there;
    the PNG goes along for places that read no HTML, and `alt` is the plain text, which nbval compares.

    >>> Picture(b"", alt="a < b", width=10, height=5).html()  # doctest: +ELLIPSIS
    '<img class="course-figure" alt="a &lt; b" width="10" ... src="data:image/png;base64,">'
    """

    png: bytes
    alt: str
    width: int
    height: int

    def html(self) -> str:
        """Return the picture as one `<img>` element with its alternative text."""
        data = b64encode(self.png).decode()
        return (
            f'<img class="course-figure" alt="{html.escape(self.alt)}" width="{self.width}" '
            f'style="max-width: 100%; height: auto" src="data:image/png;base64,{data}">'
        )

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        data = {
            "text/html": self.html(),
            "image/png": b64encode(self.png).decode(),
            "text/plain": self.alt,
        }
        return data, {"image/png": {"alt": self.alt, "width": self.width, "height": self.height}}


class Panel(NamedTuple):
    """One map of `heatmaps`: a matrix (rows, columns), its title, and a word for each row and column."""

    title: str
    matrix: ArrayLike
    rows: Sequence[str]
    columns: Sequence[str]


# ---- Maps of scores and weights ----


def heatmap(
    matrix: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str = "",
    quantity: str = "weight",
    axes: tuple[str, str] = ("queries", "keys"),
) -> Picture:
    """Draw scores or weights as a coloured grid: `heatmaps` with a single panel.

    Examples
    --------
    >>> heatmap([[0.2, 0.8]], ["is"], ["The", "hearing"]).alt
    "Heatmap of weight; rows: queries, columns: keys. 1 × 2. Row 'is': largest weight 0.8 on 'hearing'."
    """
    return heatmaps(Panel(title, matrix, rows, columns), quantity=quantity, axes=axes)


def heatmaps(
    *panels: Panel, quantity: str = "weight", axes: tuple[str, str] = ("queries", "keys")
) -> Picture:
    """Draw maps side by side on one colour scale; queries are rows, keys are columns.

    Weights are coloured from 0 to 1, anything else from the smallest to the largest finite entry. An entry
    that is −∞ (masked) or NaN is hatched. Maps of up to 8 columns carry their numbers.

    Parameters
    ----------
    panels : Panel
        One or more maps, each (rows, columns) with its words.
    quantity : str
        What an entry is; "weight" fixes the scale to 0…1.
    axes : pair of str
        What the rows and the columns are.

    Raises
    ------
    ValueError
        If there is no panel, a matrix is not two-dimensional, or its words do not fit its shape.

    Examples
    --------
    >>> heatmaps(Panel("First", [[1, 3]], ["a"], ["x", "y"]), quantity="score").alt
    "Heatmap of score; rows: queries, columns: keys. First, 1 × 2. Row 'a': largest score 3 on 'y'."
    """
    matrices = [_matrix(panel) for panel in panels]
    if not matrices:
        raise ValueError("panels is empty: expected at least one Panel")
    finite = np.concatenate([matrix[np.isfinite(matrix)] for matrix in matrices])
    own_scale = quantity != "weight" and finite.size
    limits = (float(finite.min()), float(finite.max())) if own_scale else (0.0, 1.0)
    widths = [max(0.62 * matrix.shape[1], 1.8) for matrix in matrices]
    margin = 0.5 + 0.085 * max(len(word) for panel in panels for word in panel.rows)
    slanted = any(len(word) > 7 for panel in panels for word in panel.columns)
    height = 0.45 * max(len(matrix) for matrix in matrices) + (1.8 if slanted else 1.3)

    def paint(figure: Figure) -> str:
        grid = figure.subplots(1, len(panels), width_ratios=widths, squeeze=False)[0]
        for axis, panel, matrix in zip(grid, panels, matrices, strict=True):
            image = _paint_map(axis, matrix, limits)
            axis.set(title=panel.title, ylabel=axes[0], xlabel=axes[1])
            axis.set_yticks(range(len(panel.rows)), list(map(_plain, panel.rows)))
            axis.set_xticks(range(len(panel.columns)), list(map(_plain, panel.columns)))
            if slanted:
                axis.tick_params(axis="x", labelrotation=40)
                for label in axis.get_xticklabels():
                    label.set(horizontalalignment="right", rotation_mode="anchor")
        figure.colorbar(image, ax=list(grid), label=quantity, pad=0.02)
        told = [_tell_map(panel, matrix, quantity) for panel, matrix in zip(panels, matrices, strict=True)]
        return " ".join([f"Heatmap of {quantity}; rows: {axes[0]}, columns: {axes[1]}.", *told])

    return _draw(sum(widths) + margin * len(panels) + 0.9, height, paint, layout="constrained")


def _matrix(panel: Panel) -> NDArray[Any]:
    matrix = np.asarray(panel.matrix, dtype=float)
    if matrix.shape != (len(panel.rows), len(panel.columns)) or not matrix.size:
        raise ValueError(
            f"matrix {matrix.shape} of panel {panel.title!r}: expected one row for each of its "
            f"{len(panel.rows)} row words and one column for each of its {len(panel.columns)} column words"
        )
    return matrix


def _paint_map(axis: Axes, matrix: NDArray[Any], limits: tuple[float, float]) -> AxesImage:
    image = axis.imshow(np.ma.masked_invalid(matrix), cmap="cividis", vmin=limits[0], vmax=limits[1])
    axis.set_aspect("auto")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    for (row, column), entry in np.ndenumerate(matrix):
        if not np.isfinite(entry):
            axis.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, hatch="////", linewidth=0))
        if matrix.shape[1] <= 8:
            ink = _readable_on(image.to_rgba(entry)) if np.isfinite(entry) else INK
            axis.text(column, row, _number(entry), ha="center", va="center", color=ink)
    return image


def _readable_on(colour: NDArray[Any]) -> str:
    """Return white or black, whichever stands out more; WCAG 2's relative luminance decides."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return "white" if np.dot(linear, (0.2126, 0.7152, 0.0722)) < 0.179 else "black"


def _tell_map(panel: Panel, matrix: NDArray[Any], quantity: str) -> str:
    """Say of each row where it is largest; of the rows of a long map, the first twelve."""
    n_rows, n_columns = matrix.shape
    told = [f"{panel.title + ', ' if panel.title else ''}{n_rows} × {n_columns}."]
    for word, row in list(zip(panel.rows, matrix, strict=True))[:12]:
        finite = np.isfinite(row)
        if not finite.any():
            told.append(f"Row '{word}': no finite {quantity}.")
            continue
        largest = _number(row[finite].max())
        told.append(f"Row '{word}': largest {quantity} {largest} on {_largest_on(panel.columns, row)}.")
        if not finite.all():
            told[-1] = told[-1][:-1] + f", {np.sum(~finite)} hatched (not finite)."
    if n_rows > 12:
        told.append(f"{n_rows - 12} further rows are not described.")
    return " ".join(told)


# ---- One query, step by step ----


def attention_step(
    query: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    query_word: str,
    key_words: Sequence[str],
    score: ScoreFunction = functional.dot_product_scores,
    upto: Literal["scores", "weights", "output"] = "output",
) -> Picture:
    """Draw what attention does for one query, from left to right.

    The query meets each key (score), the scores pass through a softmax (weights), the weights mix the values
    (output). A line to the output is as thick as the weight that travels along it.

    Parameters
    ----------
    query : array (d_q,)
    keys : array (L_k, d_k)
    values : array (L_k, d_v)
        No vector may be longer than 6, so that its numbers can be read.
    query_word : str
    key_words : L_k strings
    score : function (queries, keys) → (L_q, L_k)
        As in `functional.attention`.
    upto : "scores", "weights" or "output"
        Where the drawing stops.

    Raises
    ------
    ValueError
        If the shapes do not fit together, a vector is too long to be drawn, or `upto` is something else.

    Notes
    -----
    Source: B 10.2.1, figures 10.2 (scores), 10.3 and 10.4 (output).

    Examples
    --------
    >>> attention_step([2.0], [[0], [1]], [[5], [7]], query_word="q", key_words=["a", "b"], upto="scores").alt
    "Attention for the query 'q'. Scores: 'a' 0, 'b' 2."
    """
    query, keys, values = (np.asarray(array, dtype=np.float64) for array in (query, keys, values))
    if query.ndim != 1 or keys.ndim != 2 or not len(keys) == len(values) == len(key_words):
        raise ValueError(
            f"query {query.shape}, keys {keys.shape}, values {values.shape} with {len(key_words)} key words: "
            "expected (d_q,), (L_k, d_k), (L_k, d_v) and L_k words"
        )
    for name, array in {"query": query, "keys": keys, "values": values}.items():
        if array.shape[-1] > 6:
            raise ValueError(f"{name} {array.shape}: expected at most 6 entries in a vector that is drawn")
    if upto not in ("scores", "weights", "output"):
        raise ValueError(f"upto is {upto!r}: expected 'scores', 'weights' or 'output'")
    scores = score(query[None], keys)[0]  # (1, L_k) → (L_k,)
    output, weights = (array[0] for array in functional.attention(query[None], keys, values, score=score))
    columns = 1 + ("scores", "weights", "output").index(upto)
    told = [
        f"Attention for the query '{query_word}'. Scores: {_paired(key_words, scores)}.",
        f"Weights: {_paired(key_words, weights)}; largest on {_largest_on(key_words, weights)}.",
        f"Output: {', '.join(map(_number, output))}.",
    ]
    # left edges in inches; how wide a vector is drawn depends on how many entries it has
    keys_at = 0.75 + CELL * len(query)
    scores_at = keys_at + CELL * keys.shape[1] + 0.4
    weights_at = scores_at + 0.95
    values_at = weights_at + 1.25
    output_at = values_at + CELL * values.shape[1] + 0.7
    width = (scores_at + 0.7, values_at, output_at + CELL * len(output) + 0.2)[columns - 1]

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(len(keys), -0.75))
        axis.set_axis_off()
        middle = len(keys) / 2
        _paint_vector(axis, 0.2, middle, query, f"query: {query_word}")
        for y, word, key, value, s, w in zip(
            np.arange(len(keys)) + 0.5, key_words, keys, values, scores, weights, strict=True
        ):
            _paint_line(axis, (0.25 + CELL * len(query), middle), (keys_at - 0.05, y))
            _paint_vector(axis, keys_at, y, key, word)
            _paint_line(axis, (keys_at + 0.05 + CELL * len(key), y), (scores_at, y), arrow=True)
            axis.text(scores_at + 0.25, y, _number(s), ha="center", va="center", color=COLOURS[0])
            if columns >= 2:
                _paint_line(axis, (scores_at + 0.5, y), (weights_at, y))
                _paint_weight(axis, weights_at, y, w)
            if columns == 3:
                _paint_vector(axis, values_at, y, value, word)
                start, end = (values_at + 0.05 + CELL * len(value), y), (output_at - 0.05, middle)
                _paint_line(axis, start, end, thickness=0.3 + 8 * w, colour=COLOURS[0])
        headings = {"keys": keys_at, "scores": scores_at, "weights": weights_at, "values": values_at}
        for heading, x in list(headings.items())[: columns + 1]:
            axis.text(x, -0.5, heading, color=QUIET, va="center")
        if columns >= 2:
            _paint_softmax(axis, scores_at + 0.58, len(keys))
        if columns == 3:
            _paint_vector(axis, output_at, middle, output, "output")
        return " ".join(told[:columns])

    return _draw(width, 0.62 * (len(keys) + 0.75), paint)


def _paint_vector(axis: Axes, x: float, y: float, vector: NDArray[Any], label: str) -> None:
    """Paint a strip of boxed numbers from x to the right, and its label above."""
    axis.text(x, y - 0.36, _plain(label), va="center", fontsize=9.5, fontweight="bold")
    for position, entry in enumerate(vector):
        left = x + CELL * position
        axis.add_patch(Rectangle((left, y - 0.2), CELL, 0.4, facecolor="white", edgecolor=FAINT))
        axis.text(left + CELL / 2, y, _number(entry), ha="center", va="center", fontsize=8.5)


def _paint_line(
    axis: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    thickness: float = 0.8,
    colour: str = FAINT,
    arrow: bool = False,
) -> None:
    """Paint a straight line; an arrow points to the right."""
    (x, y), (x_end, y_end) = start, end
    line = Line2D([x, x_end], [y, y_end], color=colour, linewidth=thickness, solid_capstyle="round")
    if arrow:
        line.set(marker=">", markevery=[1], markersize=4.5)
    axis.add_line(line)


def _paint_weight(axis: Axes, x: float, y: float, weight: float) -> None:
    """Paint a bar as long as the weight inside a frame as long as 1, and the number above."""
    axis.add_patch(Rectangle((x, y - 0.15), 1.0, 0.3, facecolor="white", edgecolor=FAINT))
    axis.add_patch(Rectangle((x, y - 0.15), weight, 0.3, facecolor=COLOURS[0]))
    axis.text(x, y - 0.33, _number(weight), va="center", fontsize=9.5)


def _paint_softmax(axis: Axes, x: float, rows: int) -> None:
    """Paint the box that every score passes through, over the lines that enter and leave it."""
    shape: dict[str, Any] = {
        "boxstyle": "round,pad=0.03",
        "facecolor": "white",
        "edgecolor": FAINT,
        "zorder": 5,
    }
    axis.add_patch(FancyBboxPatch((x, 0.2), 0.2, rows - 0.4, **shape))
    axis.text(x + 0.1, rows / 2, "softmax", rotation=90, ha="center", va="center", zorder=6)


# ---- Curves ----


def lines(
    x: ArrayLike,
    series: Mapping[str, ArrayLike],
    *,
    x_label: str,
    y_label: str,
    title: str = "",
    log: Literal["", "x", "y", "xy"] = "",
    fit: Sequence[str] = (),
    fit_from: float = 0.0,
) -> Picture:
    """Draw curves over one x axis; on log–log axes, with the slopes of straight lines fitted to them.

    Parameters
    ----------
    x : array (n,)
    series : mapping from name to array (n,)
        An entry that is not finite is left out.
    x_label, y_label : str
    log : "", "x", "y" or "xy"
        Which axes are logarithmic; a logarithmic x axis has its ticks at the points of `x`.
    fit : names of series
        Each gets a straight line, fitted by least squares to (log x, log y); the legend tells its slope.
    fit_from : float
        The fits use points with x ≥ `fit_from`.

    Raises
    ------
    ValueError
        If a series is not as long as `x`, or a fit is asked for without log="xy", of an unknown name, or of
        fewer than two points.

    Examples
    --------
    >>> squares = {"squares": [1, 4, 16]}
    >>> lines([1, 2, 4], squares, x_label="n", y_label="n²", log="xy", fit=["squares"]).alt
    'Curves of n² against n. squares: from 1 at 1 to 16 at 4, slope 2 on log–log axes.'
    """
    x = np.asarray(x, dtype=float)
    curves = {name: np.asarray(y, dtype=float) for name, y in series.items()}
    for name, y in curves.items():
        if x.ndim != 1 or y.shape != x.shape:
            raise ValueError(f"series {name!r} {y.shape}: expected the shape of x {x.shape}, (n,)")
    if fit and log != "xy":
        raise ValueError(f"fit {list(fit)} needs log='xy', not {log!r}")
    slopes = {name: _fitted_line(name, x, curves, fit_from) for name in fit}

    def paint(figure: Figure) -> str:
        axis = figure.subplots()
        axis.set(title=title, xlabel=x_label, ylabel=y_label)
        axis.grid(color=FAINT, alpha=0.25)
        told = [f"{title + '. ' if title else ''}Curves of {y_label} against {x_label}."]
        for number, (name, y) in enumerate(curves.items()):
            look: dict[str, Any] = {
                "color": COLOURS[number % 6],
                "marker": MARKERS[number % 6],
                "linestyle": DASHES[number % 4],
            }
            slope = f", slope {_number(slopes[name][0])}" if name in slopes else ""
            axis.plot(x, y, label=name + slope, markersize=5, **look)
            if name in slopes:
                fitted = x[(x >= fit_from) & (x > 0)]
                line = np.exp(np.polyval(slopes[name], np.log(fitted)))
                axis.plot(fitted, line, color=FAINT, linewidth=1, zorder=1)
            told.append(_tell_curve(name, x, y) + (f"{slope} on log–log axes." if slope else "."))
        if "x" in log:
            axis.set_xscale("log")
            axis.set_xticks(x, [_number(tick) for tick in x], minor=False)
            axis.set_xticks([], minor=True)
        if "y" in log:
            axis.set_yscale("log")
            low, high = axis.dataLim.intervaly
            if 0 < high < 1.1 * low:  # what is level up to noise looks level, instead of filling the axis
                axis.set_ylim(low / 2, high * 2)
        axis.legend()
        return " ".join(told)

    return _draw(7.2, 4.0, paint, layout="constrained")


def _fitted_line(
    name: str, x: NDArray[Any], curves: Mapping[str, NDArray[Any]], start: float
) -> NDArray[Any]:
    """Return (slope, intercept) of log y against log x."""
    if name not in curves:
        raise ValueError(f"fit names {name!r}: expected one of {list(curves)}")
    y = curves[name]
    used = (x >= start) & (x > 0) & np.isfinite(y) & (y > 0)
    if used.sum() < 2:
        raise ValueError(
            f"fit of {name!r}: {used.sum()} positive points with x ≥ {start}, expected at least 2"
        )
    line: NDArray[Any] = np.polyfit(np.log(x[used]), np.log(y[used]), 1)
    return line


def _tell_curve(name: str, x: NDArray[Any], y: NDArray[Any]) -> str:
    """Say where a curve begins and ends, and its highest and lowest point where these lie between."""
    drawn = np.flatnonzero(np.isfinite(y))
    if not len(drawn):
        return f"{name}: no finite point"
    points = [f"{_significant(b)} at {_significant(a)}" for a, b in zip(x[drawn], y[drawn], strict=True)]
    told = f"{name}: from {points[0]} to {points[-1]}"
    for extreme, position in {"highest": y[drawn].argmax(), "lowest": y[drawn].argmin()}.items():
        if not np.isclose(y[drawn][position], y[drawn][[0, -1]], rtol=0.05).any():
            told += f", {extreme} {points[position]}"
    return told


# ---- Shared by all figures ----


def _draw(
    width: float, height: float, paint: Callable[[Figure], str], layout: Literal["constrained"] | None = None
) -> Picture:
    """Let `paint` fill a figure of so many inches and say what it shows; the figure is not kept."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        figure = Figure(figsize=(width, height), dpi=2 * PIXELS_PER_INCH, layout=layout)
        canvas = FigureCanvasAgg(figure)
        alt = paint(figure)
        canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    png = BytesIO()  # 256 colours are enough for a drawing and make the file a third as large
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(png, "PNG")
    return Picture(png.getvalue(), alt, round(width * PIXELS_PER_INCH), round(height * PIXELS_PER_INCH))


def _number(x: float) -> str:
    """Write a number with a true minus sign and two decimals, fewer where they would be zeros."""
    if not np.isfinite(x):
        return "NaN" if np.isnan(x) else "∞" if x > 0 else "−∞"
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def _significant(x: float) -> str:
    """Write a finite number to three digits, or to the last one before the point."""
    return (f"{x:.3g}" if abs(x) < 1000 else f"{x:.0f}").replace("-", "−")


def _plain(words: str) -> str:
    """Keep matplotlib from reading what stands between two dollars as a formula."""
    return words.replace("$", r"\$")


def _largest_on(words: Sequence[str], row: NDArray[Any]) -> str:
    """Name the words that share the largest finite entry of a row."""
    leading = np.isclose(row, row[np.isfinite(row)].max(), rtol=1e-9, atol=1e-12)
    if leading.all() and len(row) > 1:
        return "all alike"
    quoted = [f"'{word}'" for word, leads in zip(words, leading, strict=True) if leads]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _paired(words: Sequence[str], numbers: NDArray[Any]) -> str:
    return ", ".join(f"'{word}' {_number(number)}" for word, number in zip(words, numbers, strict=True))
