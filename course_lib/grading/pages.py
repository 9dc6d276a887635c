"""The pages that show what students wrote, feedback and formgrader's: cleaned, and whole without a network.

Both are made by nbconvert's HTMLExporter, so that its settings reach both. A page shows text, code, formulas, pictures
and what was printed; whatever else a notebook may hold, a script in some corner of it above all, does not reach it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import bleach
import nbgrader
from bleach.css_sanitizer import CSSSanitizer
from bs4 import BeautifulSoup
from jinja2 import pass_context
from mistune.plugins import import_plugin
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import (
    InvalidNotebook,
    IPythonRenderer,
    MarkdownWithMath,
    MathInlineParser,
)
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from pygments.token import STANDARD_TYPES
from traitlets.config import Config

from course_lib.grading.formulas import mathml

TEMPLATES = Path(__file__).parent / "templates"
NBGRADER_TEMPLATES = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
LONGEST = 20_000  # characters of a text; a longer one is shown as it is written
OUTPUTS = ("image/png", "image/jpeg", "text/plain")  # the first that an output has is shown
GRADE_ID = re.compile(r"[A-Za-z0-9_-]+")

TAGS = (
    bleach.ALLOWED_TAGS
    | {"p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "kbd", "u", "s", "del", "sub", "sup"}
    | {"dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td"}
    | {"details", "summary", "img", "span", "div"}
)
NO_BARE_TAG = re.compile(rf"<(?!/?({'|'.join(sorted(TAGS))})\s*/?>)", re.IGNORECASE)
CLASSES = frozenset([*STANDARD_TYPES.values(), "highlight", "formula", "display formula"])
LINK = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")


def configure(c: Config) -> None:
    """Set up both pages, in nbgrader's configuration.

    Examples
    --------
    >>> c = Config()
    >>> configure(c)
    >>> c.HTMLExporter.sanitize_html
    True
    """
    c.HTMLExporter.preprocessors = [f"{__name__}.KeepWhatIsShown"]
    c.HTMLExporter.filters = {
        "markdown2html": f"{__name__}.markdown_to_html",
        "highlight_code": f"{__name__}.highlight_code",
    }
    c.HTMLExporter.extra_template_basedirs = [str(TEMPLATES), str(NBGRADER_TEMPLATES)]
    c.HTMLExporter.sanitize_html = True  # a second lock: widgets, scripts and HTML among the outputs


class KeepWhatIsShown(Preprocessor):
    """Takes out of a notebook what its page does not show: metadata, which templates print, and other outputs."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Clean a notebook; nbconvert calls this."""
        nb.metadata = NotebookNode()
        nb.cells = [cell for cell in nb.cells if cell.cell_type in ("code", "markdown")]
        for cell in nb.cells:
            marks = cell.metadata.get("nbgrader")
            is_nbgraders = isinstance(marks, dict) and GRADE_ID.fullmatch(str(marks.get("grade_id")))
            cell.metadata = NotebookNode({"nbgrader": marks} if is_nbgraders else {})
            if cell.cell_type == "code":
                outputs = [output for output in cell.outputs if not _is_points(cell, output)]
                cell.outputs = [_shown(output) for output in outputs]
        return nb, resources


def _is_points(cell: NotebookNode, output: NotebookNode) -> bool:
    """Return whether this is the number that nbgrader takes as points, which pages have in their headings."""
    marks = cell.metadata.get("nbgrader", {})
    is_decided = marks.get("grade") and not marks.get("solution")
    return bool(is_decided and output.output_type == "execute_result")


def _shown(output: NotebookNode) -> NotebookNode:
    """Leave an output the one form that is shown, without the metadata that would set its attributes."""
    if "data" in output:
        kind = next((kind for kind in OUTPUTS if kind in output.data), None)
        shown = {kind: output.data[kind]} if kind else {"text/plain": "(This output cannot be shown here.)"}
        output.data, output.metadata = NotebookNode(shown), NotebookNode()
    return output


highlight_code = Highlight2HTML(pygments_lexer="ipython3")  # whatever language a notebook says it is in


@pass_context
def markdown_to_html(context: Mapping[str, Any], source: str) -> str:
    """Render a text: nbconvert's filter `markdown2html`, made safe, with formulas as MathML.

    Parameters
    ----------
    context : mapping
        Of the template: its `cell` may have attachments.
    source : str

    Examples
    --------
    >>> print(markdown_to_html({}, "Hi <script>steal()</script> [there](javascript:steal())"))
    <p>Hi &lt;script&gt;steal()&lt;/script&gt; there</p>
    <BLANKLINE>
    """
    if len(source) > LONGEST:
        return f"<pre>{escape(source)}</pre>"
    attachments = (context.get("cell") or {}).get("attachments", {})
    renderer = _Renderer(escape=False, attachments=attachments, exclude_anchor_links=True)
    markdown = MarkdownWithMath(renderer, inline=_InlineParser(hard_wrap=False), plugins=_plugins())
    clean = bleach.clean(
        markdown.render(source),
        tags=TAGS,
        attributes=_is_allowed,
        protocols=["http", "https", "mailto", "data"],
        css_sanitizer=CSSSanitizer(allowed_css_properties=["text-align"]),
    )
    return _finish(clean)


def _plugins() -> list[Any]:
    """Return what nbconvert adds to Markdown, but for check boxes, which are form elements."""
    return [import_plugin(name) for name in MarkdownWithMath.DEFAULT_PLUGINS if name != "task_lists"]


class _InlineParser(MathInlineParser):
    """Finds formulas as nbconvert does, but none with a backtick: as in JupyterLab, a dollar in code is a dollar."""

    SPECIFICATION = MathInlineParser.SPECIFICATION | {
        "inline_math_tex": r"(?<![$\\])\$(?P<math_inline_tex>[^`]+?)(?<![$\\])\$"
    }


class _Renderer(IPythonRenderer):
    """Marks formulas, for :func:`_finish`, and leaves of the HTML that a text holds only tags without attributes.

    Attributes could be made so that a short text grows into millions of elements, before bleach takes them away.
    """

    def block_html(self, html: str) -> str:
        return NO_BARE_TAG.sub("&lt;", html)

    def inline_html(self, html: str) -> str:
        return self.block_html(html)

    def inline_math(self, body: str) -> str:
        return f'<span class="formula">{self.escape_html(body)}</span>'

    def block_math(self, body: str) -> str:
        return f'<span class="display formula">{self.escape_html(body)}</span>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def image(self, text: str, url: str, title: str | None = None) -> str:
        try:
            return super().image(text, url, title)
        except InvalidNotebook:  # an attachment that is not there
            return f"<em>(no picture: {self.escape_html(url)})</em>"


def _is_allowed(tag: str, name: str, value: str) -> bool:
    """Return whether bleach keeps an attribute."""
    match tag, name:
        case "a", "href":
            return bool(LINK.match(value))
        case "img", "src":
            return bool(PICTURE.fullmatch(value))
        case ("img", "alt") | ("td" | "th", "style"):
            return True
        case (("span" | "div"), "class"):
            return value in CLASSES
    return False


def _finish(clean: str) -> str:
    """Put MathML where formulas are marked, or their source if that fails, and let links lead out of the page."""
    page = BeautifulSoup(clean, "html.parser")
    for mark in page.select("span.formula"):
        source, display = mark.get_text(), "display" in mark["class"]
        try:
            mark.replace_with(BeautifulSoup(mathml(source, display), "html.parser"))
        except ValueError:
            dollars = "$$" if display else "$"
            mark.replace_with(f"{dollars}{source}{dollars}")
    for link in page.select("a"):
        if "href" in link.attrs:
            link["rel"], link["target"] = "noopener noreferrer", "_blank"
        else:
            link.unwrap()
    return str(page)
