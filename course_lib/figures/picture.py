"""What every figure is made of: the picture with its words, its looks, and how numbers are written."""

from __future__ import annotations

import html
import re
import textwrap
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import text_to_path
from matplotlib.typing import RcKeyType
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from course_lib.figures.palette import FAINT, INK, PALETTE, PAPER, ROLES, rgb

NARROW = 600  # pixels: a page up to this wide gets the narrow form of a picture
NARROWEST, MOST_NEEDED = 340, 640  # pixels: of a phone's page; a picture never asks for more than the second
PIXELS_PER_INCH = 96  # on the page; the PNG holds twice as many for sharp screens
NARROW_INCHES = NARROWEST / PIXELS_PER_INCH
DASHES, MARKERS = ("-", "--", "-.", ":"), ("o", "s", "^", "D", "v", "P")
MANY_WORDS = 6  # as many as a sentence may list
STYLE: dict[RcKeyType, Any] = {
    "font.family": ["Course Sans", "DejaVu Sans"],  # which has the signs of mathematics
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": "none",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.linewidth": 2.0,
    "grid.linewidth": 0.6,
    "figure.facecolor": PAPER,
    "figure.constrained_layout.w_pad": 0.12,
    "figure.constrained_layout.h_pad": 0.12,
    "hatch.color": FAINT,
    "hatch.linewidth": 0.6,
    "image.composite_image": False,
    "legend.frameon": False,
    "svg.hashsalt": "course",
}
FONTS = Path(__file__).with_name("fonts")
FIGURE = "Figure"
# Titles and captions in HTML: as those of live figures.
WORDS = (
    'p.course-words { font-family: "Course Words", system-ui, sans-serif; line-height: 1.3; max-width: 760px } '
    "p.course-caption { font-size: 15px; margin: 0.5em 0; opacity: 0.8 } "
    "p.course-caption b, p.course-title strong { font-weight: 600 } "
    "p.course-title { font-size: 18px; margin: 0 0 0.5em; display: flex; gap: 1em; justify-content: space-between; "
    "align-items: baseline; max-width: 720px } "
    ".course-wake { font-size: 14px; white-space: nowrap; text-decoration: none; opacity: 0.8 } "
)
for _font in sorted(FONTS.glob("*.ttf")):
    fontManager.addfont(_font)
# JupyterLab says in its own way whether it is dark; other pages leave it to the browser.
THEMES = (
    "<style>img.course-figure { color-scheme: light dark } "
    '[data-jp-theme-light="true"] img.course-figure { color-scheme: light } '
    '[data-jp-theme-light="false"] img.course-figure { color-scheme: dark } '
    # a page of nbconvert begins its text further to the right than its outputs
    "@media (min-width: 761px) { body > main .jp-OutputArea-output:has(img.course-figure) { padding-left: 17px } "
    "body > main .jp-OutputArea-output.jp-OutputArea-executeResult:has(img.course-figure) "
    "{ padding-left: 5px } }</style>"
)


@dataclass(frozen=True)
class Picture:
    """A drawn figure and what it shows, in words.

    Notebooks show it as HTML, because JupyterLab gives alternative text to screen readers only from there; the SVG is
    light or dark as the page. A light PNG goes along for places that read no HTML, and `alt` is the plain text, which
    nbval compares. A picture that is wide may have a form for `narrow` screens, which says the same.

    >>> Picture("<svg/>", alt="a < b", width=10, height=5).html().endswith(
    ...     '<img class="course-figure" alt="a &lt; b" width="10" style="max-width: 100%; height: auto" '
    ...     'src="data:image/svg+xml;base64,PHN2Zy8+">'
    ... )
    True
    """

    svg: str
    alt: str
    width: int
    height: int
    paint_png: Callable[[], bytes] = field(default=bytes, repr=False, compare=False)
    narrow: Picture | None = field(default=None, repr=False)
    caption: str = ""
    figure_number: str = ""

    def numbered(self, figure_number: str = "", caption: str = "") -> Picture:
        """Return the picture with a number and a caption under it, as figures that live in the page have them.

        >>> Picture("<svg/>", alt="", width=10, height=5).numbered("2.4", "Each line is a seed.").figure_number
        '2.4'
        """
        return replace(self, figure_number=figure_number, caption=caption)

    @cached_property
    def png(self) -> bytes:
        """The picture in pixels, light; drawn when first asked for."""
        return self.paint_png()

    def html(self) -> str:
        """Return the picture as one `<img>` element with its alternative text."""
        least = _least(self.width)
        scrolls = not self.narrow and least > NARROWEST
        image = (
            f'<img class="course-figure" alt="{html.escape(self.alt)}" width="{self.width}" '
            f'style="max-width: 100%; height: auto{f"; min-width: {least}px" if scrolls else ""}" '
            f'src="{data_address(self.svg)}">'
        )
        if self.narrow:
            image = by_width(self.narrow.svg, image)
        elif scrolls:
            image = f'<div style="overflow-x: auto">{image}</div>'
        if not (self.caption or self.figure_number):
            return f"{THEMES}{image}"
        style = f"<style>{typeface(self.caption + FIGURE + self.figure_number)}{WORDS}</style>"
        return f"{THEMES}{style}{image}{caption_html(self.figure_number, self.caption)}"

    def for_page(self) -> dict[str, Any]:
        """Return what the browser needs to show it."""
        return {"svg": self.svg, "alt": self.alt, "width": self.width, "height": self.height}

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        data = {
            "text/html": self.html(),
            "image/png": b64encode(self.png).decode(),
            "text/plain": self.alt,
        }
        return data, {"image/png": {"alt": self.alt, "width": self.width, "height": self.height}}


@cache
def typeface(text: str, family: str = "Course Words") -> str:
    """Return CSS with the figures' typeface, as much of it as a text needs, in HTML or SVG that stands by itself."""
    from fontTools import subset  # type: ignore[import-untyped]
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    faces = []
    for weight, name in ((400, "regular"), (600, "bold")):
        with TTFont(FONTS / f"course-sans-{name}.ttf", recalcTimestamp=False) as font:
            few = subset.Subsetter(subset.Options(hinting=False, layout_features=["kern"]))
            few.populate(text="".join(sorted(set(text))))
            few.subset(font)
            font.flavor = "woff"
            file = BytesIO()
            font.save(file)
        address = f"data:font/woff;base64,{b64encode(file.getvalue()).decode()}"
        faces.append(f'@font-face {{ font-family: "{family}"; font-weight: {weight}; src: url({address}) }} ')
    return "".join(faces)


def caption_html(figure_number: str, caption: str) -> str:
    """Return the words under a figure, with its number in front of them."""
    if not (figure_number or caption):
        return ""
    numbered = f"<b>{FIGURE} {html.escape(figure_number)}.</b> " if figure_number else ""
    return f'<p class="course-words course-caption">{numbered}{html.escape(caption)}</p>'


def data_address(svg: str) -> str:
    """Return an SVG as an address that holds all of it."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def by_width(narrow: str, image: str) -> str:
    """Return an `<img>` that shows another SVG, one for 340 pixels, where the page is narrow."""
    source = f'<source media="(max-width: {NARROW}px)" srcset="{data_address(narrow)}">'
    return f"<picture>{source}{image}</picture>"


def draw(
    width: float, height: float, paint: Callable[[Figure], str], layout: Literal["constrained"] | None = None
) -> Picture:
    """Let `paint` fill a figure of so many inches and say what it shows; the figure is not kept.

    It paints in the colours of `course_lib.figures.palette`, and in no others.

    Raises
    ------
    ValueError
        If there is a colour that is not in the palette, and so has no dark form.
    """

    def drawn(finish: Callable[[Figure], Any]) -> tuple[Any, str]:
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(STYLE)
            figure = Figure(figsize=(width, height), dpi=2 * PIXELS_PER_INCH, layout=layout)
            alt = paint(figure)
            return finish(figure), alt

    svg, alt = drawn(_svg)
    size = round(width * PIXELS_PER_INCH), round(height * PIXELS_PER_INCH)
    return Picture(svg, alt, *size, paint_png=lambda: bytes(drawn(_png)[0]))


def draw_wide_and_narrow(
    width: float, height: float, narrow_height: float | None, paint: Callable[[Figure, bool], str]
) -> Picture:
    """Let `paint` fill a figure, and another for narrow pages; it is told whether it paints the narrow one.

    A picture that can be read where it is made as narrow as a phone's page has no other form. Without a narrow height
    it has none either: what is too much for a narrow page is scrolled there.

    >>> draw_wide_and_narrow(6, 3, 4, lambda figure, narrow: "A square.").narrow.width
    340
    >>> draw_wide_and_narrow(4, 3, 4, lambda figure, narrow: "A square.").narrow
    """
    wide = draw(width, height, lambda figure: paint(figure, False), layout="constrained")
    if narrow_height is None or _least(wide.width) <= NARROWEST:
        return wide
    small = draw(NARROW_INCHES, narrow_height, lambda figure: paint(figure, True), layout="constrained")
    return replace(wide, narrow=small)


def _least(width: int) -> int:
    """Return how many pixels of a page a picture asks for: in fewer, its words could not be read."""
    return min(round(0.85 * width), MOST_NEEDED)


def _png(figure: Figure) -> bytes:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    png = BytesIO()
    _with_palette(image).save(png, "PNG")
    return png.getvalue()


def _svg(figure: Figure) -> str:
    """Return the figure as SVG that is light or dark as the page around it.

    matplotlib's own is made a third as large: names that nothing refers to, groups of one, and decimals go.
    """
    file = BytesIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    FigureCanvasSVG(figure).print_svg(file, metadata=nothing)
    svg = file.getvalue().decode()
    svg = svg[svg.index("<svg") :].replace("xlink:href", "href").replace("xmlns:xlink", "xmlns:x")
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>| xmlns:x=\S+", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(?<=[:;,>]) +| +(?=<)", "", re.sub(r"\s+", " ", svg))
    svg = re.sub(r'<a href="([\w-]+)" target="_blank">(<image.*?/>)</a>', r'<g filter="url(#\1)">\2</g>', svg)
    svg = re.sub(r'(<use href="[^"]*") transform="translate\((\S+) 0\)"', r'\1 x="\2"', svg)
    svg = re.sub(r"((?:scale|matrix)\([^)]*\))|(\d+\.\d\d)\d+", lambda found: found[1] or found[2], svg)
    letter = r' d="([^"]+)" transform="scale\(0.015625\)"'  # on a grid of 6,400; one of 400 is fine enough
    svg = re.sub(letter, lambda found: f' d="{_relative(found[1], 16)}" transform="scale(.25)"', svg)
    points = r' d="([^"]+)"(?! transform="scale\(.25\)")'
    svg = re.sub(points, lambda found: f' d="{_relative(found[1], 0.01)}"', svg)
    svg = _short_names(svg).replace("<g/>", "")
    used: dict[str, None] = {}

    def by_role(match: re.Match[str]) -> str:
        role = ROLES.get(match[0])
        if role is None:
            raise ValueError(f"colour {match[0]}: expected one of the palette's, which have a dark form")
        used[role] = None
        return f"var(--{role})"

    svg = re.sub(r"(?<=[:\"])#[0-9a-f]{6}\b", by_role, svg)
    hues = dict.fromkeys(re.findall(r"filter=\"url\(#([\w-]+)\)", svg))
    filters = "".join(
        f'<filter id="{role}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">'
        f'<feFlood flood-color="var(--{role})"/><feComposite in2="SourceAlpha" operator="in"/></filter>'
        for role in hues
    )
    light, dark = (
        "".join(f"--{role}:{PALETTE[scheme][role]};" for role in {"ink": None} | used | hues)
        for scheme in ("light", "dark")
    )
    style = (
        f"<style>svg{{fill:var(--ink);{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}"
        "*{stroke-linejoin:round;stroke-linecap:butt}</style>"
    )
    return re.sub(r"<defs><style.*?</style></defs>", f"<defs>{style}{filters}</defs>", svg, count=1)


def _relative(path: str, unit: float) -> str:
    """Write a path by its steps, which takes less room than its points: in so many units, or in hundredths of one.

    >>> _relative("M 10.5 20 L 12.5 20 Q 12.6 19 13.25 20.5 z", 0.01)
    'M10.5 20l2 0q.1-1 .75.5z'
    >>> _relative("M 160 320 L -160 330", 16)
    'M10 20l-20 1'
    """
    written = _hundredths if unit == 0.01 else str
    short: list[str] = []
    here = start = (0, 0)
    for command, words in re.findall(r"([MLQCz])([^MLQCz]*)", path):
        if command == "z":
            short.append("z")
            here = start
            continue
        numbers = [round(float(word) / unit) for word in words.split()]
        steps = [written(number - here[i % 2]) for i, number in enumerate(numbers)]
        here = (numbers[-2], numbers[-1])
        if command == "M":
            start = here
        short += [command.lower() if short else command, steps[0]]
        for before, step in pairwise(steps):  # a minus, or a second point, begins a number
            joined = step[0] == "-" or (step[0] == "." and "." in before)
            short.append(step if joined else f" {step}")
    return "".join(short)


@cache
def _hundredths(number: int) -> str:
    digits = f"{abs(number) / 100:.2f}".rstrip("0").rstrip(".").removeprefix("0") or "0"
    return f"-{digits}" if number < 0 else digits


def _short_names(svg: str) -> str:
    """Give short names to what is referred to, and none to anything else."""
    wanted = dict.fromkeys(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    roles = set(PALETTE["light"])
    names = {name: name if name in roles else f"i{i}" for i, name in enumerate(wanted)}
    svg = re.sub(r'((?:href="|url\()#)([^")]+)', lambda found: found[1] + names[found[2]], svg)
    svg = re.sub(r' id="([^"]+)"', lambda found: f' id="{names[found[1]]}"' if found[1] in names else "", svg)
    return svg.replace("<defs></defs>", "")


def paint_shares(axis: Axes, shares: ArrayLike, colour: str, **where: Any) -> None:
    """Paint each cell of a map (rows, columns) by its share of a colour: from 0, which is paper, to 1.

    A share that is not finite is paper, too. `where` is for `Axes.imshow`.
    """
    found = np.nan_to_num(np.asarray(shares, dtype=float), nan=0.0, posinf=0.0, neginf=0.0)
    image = np.zeros((*found.shape, 4), dtype=np.uint8)
    image[..., :3] = np.round(255 * rgb(colour))
    image[..., 3] = np.round(255 * found.clip(0, 1))
    axis.imshow(image, interpolation="none", url=ROLES[colour], **where)


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


def paint_title(figure: Figure, title: str) -> None:
    """Write the title of a picture of one chart at its left edge, where the text of the page begins."""
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        engine.set(w_pad=0.02)
    if title:
        lines = title_lines(title, figure.get_figwidth())
        figure.suptitle(plain("\n".join(lines)), x=0.0, ha="left", fontsize=12, fontweight="bold")


def title_lines(title: str, width: float) -> list[str]:
    """Break a title into lines for a picture of so many inches; where it has lines already, they stay apart."""
    return [line for words in title.split("\n") for line in fitted(words, width - 0.15, size=12, bold=True)]


@cache
def text_width(words: str, size: float = 11, bold: bool = False) -> float:
    """Return how many inches words take, in points of a size."""
    weight = "bold" if bold else "normal"
    font = FontProperties(family=STYLE["font.family"], size=size, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(words, font, ismath=False)
    return float(width) / 72


def fitted(words: str, inches: float, size: float = 11, bold: bool = False) -> list[str]:
    """Break words into lines of so many inches at most, or of one word.

    >>> fitted("The verb finds its subject", 1.0)
    ['The verb finds', 'its subject']
    """
    lines: list[str] = []
    for word in _kept_together(words).split(" "):
        if lines and text_width(f"{lines[-1]} {word}", size, bold) <= inches:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def wrapped(words: str, width: int) -> list[str]:
    """Break words into lines of so many letters; a sign of mathematics stays with what it belongs to.

    >>> wrapped("scores ÷ √d_k", 9)
    ['scores', '÷\xa0√d_k']
    """
    return textwrap.wrap(_kept_together(words), width, break_long_words=False)


def _kept_together(words: str) -> str:
    return re.sub(r"([÷×±≤≥=<>+−√]) ", "\\1\u00a0", words)


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
