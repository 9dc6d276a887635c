"""Figures that live in the page: drawn by the browser, without a kernel; their sources are in the folder web/.

One bundle, `figures.js`, serves three hosts. JupyterLab runs it as a widget (`PageFigure`). A static page runs it by
itself (`PageFigure.save`). Here Python runs it in V8, without a browser, for the still that is stored in a notebook and
for the words that describe it.
"""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from py_mini_racer import MiniRacer

from course_lib.figures.picture import FIGURE, THEMES, WORDS, by_width, caption_html, data_address, typeface
from course_lib.files import atomic_path

BUNDLE = Path(__file__).with_name("figures.js")
PALETTE = json.loads((Path(__file__).parents[1] / "palette.json").read_text(encoding="utf-8"))
VIEW = "application/vnd.jupyter.widget-view+json"

# The still gives way to the live figure of the same cell. In a page that was opened again nothing has run yet: then the
# still stays, and the message that a widget is missing is hidden. How to wake it is said once in a page.
STILL_OR_LIVE = (
    "<style>.jp-OutputArea:has(.course-page-figure) .course-still, "
    ".jp-OutputArea:has(.course-still) .jp-OutputArea-output.jupyter-widgets:not(:has(*)) "
    "{ display: none } "
    "@media print { .course-wake { display: none } }</style>"
)
# A small mark beside the title, so that a page of many figures does not say it again and again.
HOW_TO_WAKE = "Run this cell, and the figure comes alive."
WAKE_MARK = "▷ run to use"

# Each call has a V8 of its own, which is closed after it, and nothing is thrown out of it: a Python that has kept one,
# or seen such an exception, does not end (mini-racer 0.14.1).
CALLED = """
function called(name, given) {
  try {
    const f = name.split(".").reduce((place, part) => place[part], courseFigures);
    return JSON.stringify({ value: f(...given) });
  } catch (error) {
    return JSON.stringify({ error: error.message });
  }
}
"""


def call(function: str, *arguments: Any) -> Any:
    """Call a function of the bundle by its name; arguments and result are what JSON can hold.

    Raises
    ------
    ValueError
        With the function's own words, if it throws.

    Examples
    --------
    >>> call("maths.softmax", [0.0, 0.0])
    [0.5, 0.5]
    """
    with MiniRacer() as engine:
        engine.eval(BUNDLE.read_text(encoding="utf-8"))
        engine.eval(CALLED)
        answer = json.loads(str(engine.call("called", function, arguments)))
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer.get("value")


class PageFigure(anywidget.AnyWidget):
    """A figure that the browser draws and moves, and that stays as a picture where nothing runs.

    Parameters
    ----------
    name : str
        One of those in web/src/figures/index.ts.
    props : dict
        What the figure shows, as its source says it; JSON's types.
    caption, number : str
        The words under it, and the number in front of them.
    state : dict
        Where it stands at first, if not in its own first state. Moving the figure changes `state` (it can be observed
        as any trait), and changing `state` moves the figure.

    Raises
    ------
    ValueError
        If there is no figure of this name.

    Examples
    --------
    >>> plane = {"keys": [[1, 0], [0, 1]], "words": ["France", "Italy"], "values": ["Paris", "Rome"]}
    >>> figure = PageFigure("query-plane", {**plane, "query": [1, 1], "sharpness": 5, "reach": 2})
    >>> figure.title
    'The query cannot decide between Paris and Rome'
    >>> figure.state = {"query": [1, 0]}
    >>> figure.title
    'The query reads Paris, and almost nothing else'
    """

    moves = True  # whether there is anything in it to move, so that it says how to wake it

    given = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        name: str,
        props: dict[str, Any],
        caption: str = "",
        number: str = "",
        state: dict[str, Any] | None = None,
    ) -> None:
        given = {"name": name, "props": props, "caption": caption, "number": number}
        # The last state and props that were drawn, and their still.
        self._drawn: tuple[dict[str, Any], dict[str, Any], dict[str, Any]] | None = None
        super().__init__(_esm=_module(), given=given, state=state or {})
        self._still()  # fails now, and not in the browser
        self.add_class("course-page-figure")

    @property
    def title(self) -> str:
        """The finding above the figure, as it stands."""
        return str(self._still()["title"])

    @property
    def alt(self) -> str:
        """What the figure shows, as it stands, in words."""
        return str(self._still()["alt"])

    @property
    def svg(self) -> str:
        """The drawing, as it stands, for light and dark."""
        return str(self._still()["svg"])

    def save(self, path: str | Path) -> None:
        """Write a page of its own, whole or not at all: it needs no network and no other file."""
        with atomic_path(path) as temporary:
            temporary.write_text(page([self], self.title), encoding="utf-8")

    def _file(self) -> bytes | None:
        """Return what the figure's engine reads in a page of its own, if it has one."""
        return None

    def _still(self) -> dict[str, Any]:
        if self._drawn is None or self._drawn[0] != self.state or self._drawn[1] is not self.given:
            still = call("still", {**self.given, "state": self.state})
            still |= {name: _with_few_letters(still[name]) for name in ("svg", "narrow")}
            self._drawn = (self.state, self.given, still)
        return self._drawn[2]

    def _html(self, mark: str = "") -> str:
        """Return title, still and caption as HTML that says all it has to say without styles and scripts."""
        still, given = self._still(), self.given
        image = (
            f'<img class="course-figure" alt="{html.escape(still["alt"])}" width="{still["width"]}" '
            f'style="max-width: 100%; height: auto" src="{data_address(still["svg"])}">'
        )
        title = html.escape(still["title"]).replace(" %", "&nbsp;%")
        written = typeface("".join([still["title"], given["caption"], given["number"], FIGURE, WAKE_MARK]))
        return (
            f'<style>{written}{WORDS}</style><p class="course-words course-title">'
            f"<strong>{title}</strong>{mark}</p>{by_width(still['narrow'], image)}"
            f"{caption_html(given['number'], given['caption'])}"
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        mark = f' <abbr class="course-wake" title="{HOW_TO_WAKE}">{WAKE_MARK}</abbr>' if self.moves else ""
        still = f'<div class="course-still">{THEMES}{STILL_OR_LIVE}{self._html(mark)}</div>'
        return {"text/html": still, "text/plain": self.alt}, {}

    def _ipython_display_(self) -> None:
        """Show the still, to stay where nothing runs, and the live figure, which takes its place."""
        from IPython.display import display

        view: Any = super()._repr_mimebundle_()
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
        display({VIEW: (view[0] if isinstance(view, tuple) else view)[VIEW]}, raw=True)


def _with_few_letters(svg: str) -> str:
    """Put as much of the typeface as its words need in the place of all of it, which has some 40 kB."""
    words = html.unescape(re.sub(r"<style.*?</style>|<[^>]*>", "", svg, flags=re.DOTALL))
    few = typeface(words, "Course Sans")
    return re.sub(r'@font-face\s*{font-family:"Course Sans"[^}]*}', lambda _: few, svg, count=1)


@cache
def _module() -> str:
    return f"{BUNDLE.read_text(encoding='utf-8')}\nexport default courseFigures.widget;\n"


def page(figures: list[PageFigure], title: str) -> str:
    """Return a page with figures that live without a network: HTML, the bundle in it once."""
    shown = []
    files: dict[bytes, str] = {}  # and their ids in the page, each there once
    for figure in figures:
        still, file = figure._html(), figure._file()
        place = {} if file is None else {"file": files.setdefault(file, f"course-file-{len(files)}")}
        data = json.dumps({**figure.given, **place, "state": figure.state}, ensure_ascii=False).replace(
            "</", "<\\/"
        )
        shown.append(
            f'<div class="course-figure"><script type="application/json">{data}</script>{still}</div>'
        )
    shown += [
        f'<script type="application/octet-stream" id="{name}">{b64encode(file).decode()}</script>'
        for file, name in files.items()
    ]
    bundle = BUNDLE.read_text(encoding="utf-8").replace("</script", "<\\/script")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>"
        "body { margin: 1rem auto; padding: 0 1rem; max-width: 792px } "
        f":root {{ color-scheme: light dark; background: {PALETTE['light']['paper']} }} "
        f"@media (prefers-color-scheme: dark) {{ :root {{ background: {PALETTE['dark']['paper']} }} }}"
        f"</style></head><body>{''.join(shown)}<script>{bundle}\ncourseFigures.start();</script></body></html>\n"
    )
