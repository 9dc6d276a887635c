"""A chart of a report: drawn with matplotlib alone, with a text alternative.

The chapters' figures (`course_lib.plots`) look the same, but load torch, which takes longer than a report does.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

PIXELS_PER_INCH = 96  # on the page; the PNG holds twice as many for sharp screens
CARD, INK, FAINT = "#fbfaf6", "#22252b", "#8a8f98"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c66a9d", "#56b4e9", "#e69f00")  # Okabe and Ito's palette
HATCHES = ("", "///", "...")  # so that colour is never alone
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
    "hatch.color": FAINT,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
}


@dataclass(frozen=True)
class Chart:
    """A drawn chart.

    Attributes
    ----------
    png : bytes
    alt : str
        What it shows, in words.
    width, height : int
        On the page, in pixels.
    """

    png: bytes
    alt: str
    width: int
    height: int

    def html(self) -> str:
        """Return the chart as one `<img>` element.

        Examples
        --------
        >>> Chart(b"", alt="a < b", width=10, height=5).html()
        '<img alt="a &lt; b" width="10" src="data:image/png;base64,">'
        """
        data = b64encode(self.png).decode()
        return f'<img alt="{escape(self.alt)}" width="{self.width}" src="data:image/png;base64,{data}">'


def draw(width: float, height: float, paint: Callable[[Figure], str]) -> Chart:
    """Let `paint` fill a figure of so many inches and say what it shows.

    A reader's own settings of matplotlib are neither used nor changed.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        figure = Figure(figsize=(width, height), dpi=2 * PIXELS_PER_INCH, layout="constrained")
        FigureCanvasAgg(figure)
        alt = paint(figure)
        png = BytesIO()
        figure.savefig(png, format="png")
    return Chart(png.getvalue(), alt, round(width * PIXELS_PER_INCH), round(height * PIXELS_PER_INCH))
