"""What every figure is made of: the picture with its words, its looks, and how numbers are written."""

import html
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType
from numpy.typing import NDArray
from PIL import Image

PIXELS_PER_INCH = 96  # on the page; the PNG holds twice as many for sharp screens
CARD, INK, QUIET, FAINT = "#fbfaf6", "#22252b", "#5c626c", "#8a8f98"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c66a9d", "#56b4e9", "#e69f00")  # Okabe and Ito's palette
DASHES, MARKERS = ("-", "--", "-.", ":"), ("o", "s", "^", "D", "v", "P")
MANY_WORDS = 6  # as many as a sentence may list
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


def draw(
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
    png = BytesIO()
    _with_palette(image).save(png, "PNG")
    return Picture(png.getvalue(), alt, round(width * PIXELS_PER_INCH), round(height * PIXELS_PER_INCH))


def _with_palette(image: Image.Image) -> Image.Image:
    """Reduce an image to 256 colours, which makes its file a third as large.

    Where there are more, half of them are the commonest, so that what fills an area keeps its colour exactly; the
    others stand in for the edges of letters and lines.
    """
    few: Any = image.getcolors(256)
    if few is None:
        sample = image.resize(
            (image.width // 2, image.height // 2), Image.Resampling.NEAREST
        )  # four times as fast
        counted: Any = sample.getcolors(sample.width * sample.height)
        common = [colour for _, colour in sorted(counted, reverse=True)[:128]]
        edges = sample.quantize(256 - len(common), method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        levels = [*(level for colour in common for level in colour), *(edges.getpalette() or [])]
    else:
        levels = [level for _, colour in few for level in colour]
    palette = Image.new("P", (1, 1))
    palette.putpalette(levels[:768])
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def number(x: float) -> str:
    """Write a number with a true minus sign and two decimals, fewer where they would be zeros."""
    if not np.isfinite(x):
        return "NaN" if np.isnan(x) else "∞" if x > 0 else "−∞"
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def significant(x: float) -> str:
    """Write a finite number to three digits, or to the last one before the point."""
    return (f"{x:.3g}" if abs(x) < 1000 else f"{x:.0f}").replace("-", "−")


def plain(words: str) -> str:
    """Keep matplotlib from reading what stands between two dollars as a formula."""
    return words.replace("$", r"\$")


def sentence(title: str) -> str:
    """End a title, if there is one, as a sentence in front of another."""
    return f"{title}{'' if title.endswith(('.', '?', '!')) else '.'} " if title else ""


def largest_on(words: Sequence[str], row: NDArray[Any]) -> str:
    """Name the words that share the largest finite entry of a row."""
    leading = np.isclose(row, row[np.isfinite(row)].max(), rtol=1e-9, atol=1e-12)
    if leading.all() and len(row) > 1:
        return "all alike"
    if leading.sum() > MANY_WORDS:
        return f"{leading.sum()} of {len(row)} alike"
    quoted = [f"'{word}'" for word, leads in zip(words, leading, strict=True) if leads]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def paired(words: Sequence[str], numbers: NDArray[Any]) -> str:
    """Say of each word its number."""
    return ", ".join(f"'{word}' {number(x)}" for word, x in zip(words, numbers, strict=True))
