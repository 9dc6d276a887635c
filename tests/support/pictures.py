"""Pictures for tests, and what is written in them."""

import base64
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from unittest import mock

import numpy as np
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.text import Text
from PIL import Image

from course_lib.figures import picture


def drawn(form: str, width: int, height: int, more: bytes = b"") -> str:
    """Make a picture of one colour; in base64."""
    file = io.BytesIO()
    Image.new("1" if form == "PNG" else "L", (width, height)).save(file, form)
    return base64.b64encode(file.getvalue() + more).decode()


@contextmanager
def figures_kept() -> Iterator[list[Figure]]:
    """Keep matplotlib's figures of what is drawn meanwhile: of each picture the wide one, then the narrow one."""
    kept: list[Figure] = []
    to_svg: Callable[[Figure], str] = picture._svg

    def keep(figure: Figure) -> str:
        kept.append(figure)
        return to_svg(figure)

    with mock.patch.object(picture, "_svg", keep):
        yield kept


def faults_of_words(figure: Figure) -> list[str]:
    """Say which words of a figure are cut off by its edge, and which cover one another."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    beyond = _beyond_view(figure)
    outlines = [
        (text.get_text(), _outline(text, canvas))
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and text not in beyond
    ]
    edge = figure.bbox.padded(1)
    cut = [
        f"cut off: {words!r}"
        for words, outline in outlines
        if not edge.contains(*outline.vertices.min(axis=0))
        or not edge.contains(*outline.vertices.max(axis=0))
    ]
    covered = [
        f"{first!r} and {second!r} overlap"
        for (first, one), (second, other) in combinations(outlines, 2)
        if one.intersects_path(other, filled=True)
    ]
    return cut + covered


def _beyond_view(figure: Figure) -> set[Text]:
    """Return the labels of ticks beyond the limits of their axes, which are there but not drawn."""
    found = set()
    for axis in figure.findobj(Axis):
        low, high = sorted(axis.get_view_interval())
        for tick in [*axis.majorTicks, *axis.minorTicks]:
            if not low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                found |= {tick.label1, tick.label2}
    return found


def _outline(text: Text, canvas: FigureCanvasAgg) -> Path:
    """Return the rectangle of a text, turned as it is; the space above and below its letters is left out."""
    angle = np.radians(text.get_rotation())
    box = text.get_window_extent(canvas.get_renderer())
    centre = np.array([box.x0 + box.x1, box.y0 + box.y1]) / 2
    text.set_rotation(0)
    upright = text.get_window_extent(canvas.get_renderer())
    text.set_rotation(np.degrees(angle))
    half = np.array([upright.width, 0.8 * upright.height]) / 2
    corners = half * [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return Path(corners @ turn.T + centre, closed=True)
