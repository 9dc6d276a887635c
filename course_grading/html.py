"""Safe HTML of students' notebooks, for feedback and formgrader: sanitised, and complete without a network.

Both are made by nbconvert's HTMLExporter, so that its settings reach both. A page shows text, code, formulas, pictures
and what was printed; whatever else a notebook may hold, a script in some corner of it above all, does not reach it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import bleach
import nbformat
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
from nbgrader.coursedir import CourseDirectory
from pygments.token import STANDARD_TYPES
from traitlets.config import Config

from course_grading.cells import grade_id_of
from course_grading.content import MOST_PIXELS, pictures, pixels, visible
from course_grading.limits import OutOfTime, cpu_seconds
from course_grading.mathml import mathml
from course_grading.problem_sets import SOLUTION

TEMPLATES = Path(__file__).parent / "templates"
NBGRADER_TEMPLATES = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
LONGEST = 20_000  # characters of a text or a code; a longer one is shown as it is written
LONGEST_SHOWN = 60_000  # of which there is an end, too
LONGEST_ADDRESS = 2_000  # characters of a link, which a text may use at many places
MOST_HTML = 300_000  # characters that a text may become, without its pictures
MUCH_SPACE = re.compile(r"\s{300}")  # takes the lexer a time that grows with its square
OUTPUTS = ("image/png", "image/jpeg", "text/plain")  # the first that an output has is shown
GRADE_ID = re.compile(r"[A-Za-z0-9_-]+")
HEADING = re.compile(r"##+ (Question \d+[a-z]?: .*?)(?: \(.*\))?$", re.MULTILINE)

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
    c.HTMLExporter.template_file = (
        "page.html.j2"  # ours, one for each page, which extends nbgrader's index.html.j2
    )
    c.HTMLExporter.sanitize_html = True  # a second lock: widgets, scripts and HTML among the outputs


# ---- What a page may take ----


@dataclass
class Allowance:
    """What is left of what a page may take: whatever is beyond is shown as it is written, or not at all.

    Attributes
    ----------
    seconds : float
        Of computing.
    characters : int
    pixels : int
    """

    seconds: float = 20
    characters: int = 2_000_000
    pixels: int = 4 * MOST_PIXELS

    def cut(self, text: str, longest: int = LONGEST_SHOWN) -> str:
        """Return a text without what does nothing but harm, and with an end."""
        longest = min(longest, self.characters)
        self.characters -= min(len(text), longest)
        if len(text) > longest:
            text = (
                f"{text[:longest]}\n(… and {len(text) - longest:,} more characters, which are not shown here)"
            )
        return visible(text, keep_colours=True)

    def is_picture(self, kind: str, text: str) -> bool:
        """Return whether a picture may be shown."""
        size = pixels(kind, text)
        fits = 0 < size <= min(MOST_PIXELS, self.pixels)
        self.pixels -= size if fits else 0
        return fits

    def render(self, how: Callable[[str], str], source: str) -> str:
        """Return what a text is rendered to; the text as it is written where that takes too much."""
        started = time.process_time()
        try:
            if len(source) <= LONGEST:
                with cpu_seconds(min(5, self.seconds)):
                    rendered = how(source)
                if len(rendered) <= self.characters:
                    self.characters -= len(rendered)
                    return rendered
        except (OutOfTime, RecursionError, _TooLargeError):
            pass
        finally:
            self.seconds -= time.process_time() - started
        return f'<div class="highlight"><pre>{escape(source)}</pre></div>'


class _TooLargeError(ValueError):
    """A text becomes larger than a page shows it."""


def _allowance(context: Mapping[str, Any]) -> Allowance:
    return (context.get("resources") or {}).get("allowance") or Allowance()


# ---- What is shown of a notebook ----


class KeepWhatIsShown(Preprocessor):
    """Takes out of a notebook what its page does not show: metadata, which templates print, and other outputs.

    It hands the page's template the questions' titles and, for whoever grades, the rubrics of what a person reads.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Clean a notebook; nbconvert calls this."""
        resources["allowance"] = allowance = Allowance()
        nb.metadata = NotebookNode()
        nb.cells = [cell for cell in nb.cells if cell.cell_type in ("code", "markdown")]
        for cell in nb.cells:
            marks = cell.metadata.get("nbgrader")
            is_nbgraders = isinstance(marks, dict) and GRADE_ID.fullmatch(str(marks.get("grade_id")))
            cell.metadata = NotebookNode({"nbgrader": marks} if is_nbgraders else {})
            cell.source = allowance.cut(cell.source)
            if cell.cell_type == "code":
                outputs = [output for output in cell.outputs if not _is_points(cell, output)]
                cell.outputs = [_shown(output, allowance) for output in outputs]
            else:
                cell.attachments = _attached(cell, allowance)
        source = self._instructors(resources)
        resources["titles"] = titles(source if source is not None else nb)
        for_grader = "submission_id" in resources  # formgrader's page, which no student sees
        resources["rubrics"] = rubrics(source) if for_grader and source is not None else {}
        for name in ("student", "first_name", "last_name"):  # which formgrader's templates print as they are
            if isinstance(resources.get(name), str):
                resources[name] = escape(visible(resources[name]))
        return nb, resources

    def _instructors(self, resources: dict[str, Any]) -> NotebookNode | None:
        """Return the instructor's notebook of the problem set, if it is here."""
        details = resources.get("nbgrader") or {}
        name = details.get("assignment") or resources.get("assignment_id")
        notebook = details.get("notebook") or resources.get("notebook_id")
        if not name or not notebook:
            return None
        directory = CourseDirectory(config=self.config)
        folder = directory.format_path(directory.source_directory, ".", name)
        path = Path(folder) / f"{notebook}.ipynb"
        return nbformat.read(path, as_version=4) if path.is_file() else None


def titles(notebook: NotebookNode) -> dict[str, str]:
    """Return the questions' titles, as a notebook's headings have them, by the ids of the cells that carry points.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
    >>> heading = new_markdown_cell("## Question 1: a convolution (4 points)")
    >>> points = new_code_cell(metadata={"nbgrader": {"grade_id": "q1-points", "grade": True}})
    >>> titles(new_notebook(cells=[heading, points]))
    {'q1-points': 'Question 1: a convolution'}
    """
    found, title = {}, ""
    for cell in notebook.cells:
        if heading := HEADING.match(cell.source):
            title = heading[1]
        if cell.metadata.get("nbgrader", {}).get("grade"):
            found[grade_id_of(cell)] = title or grade_id_of(cell)
    return found


def rubrics(notebook: NotebookNode) -> dict[str, str]:
    """Return what the instructor's notebook says of the answers that a person reads: model answer and rubric."""
    return {
        grade_id_of(cell): "\n".join(SOLUTION.findall(cell.source))
        for cell in notebook.cells
        if cell.cell_type == "markdown" and SOLUTION.search(cell.source)
    }


def _is_points(cell: NotebookNode, output: NotebookNode) -> bool:
    """Return whether this is the number that nbgrader takes as points, which pages have in their headings."""
    marks = cell.metadata.get("nbgrader", {})
    is_decided = marks.get("grade") and not marks.get("solution")
    return bool(is_decided and output.output_type == "execute_result")


def _attached(cell: NotebookNode, allowance: Allowance) -> NotebookNode:
    """Return the pictures that are attached to a text and may be shown."""
    found = pictures(cell.get("attachments"))
    return NotebookNode(
        {
            name: bundle
            for name, bundle in found.items()
            if all(allowance.is_picture(*one) for one in bundle.items())
        }
    )


def _shown(output: NotebookNode, allowance: Allowance) -> NotebookNode:
    """Leave an output the one form that is shown, without the metadata that would set its attributes."""
    if "data" in output:
        kind = next((kind for kind in OUTPUTS if kind in output.data), "")
        text = output.data.get(kind, "(This output cannot be shown here.)")
        if kind.startswith("image/") and not allowance.is_picture(kind, text):
            kind, text = "", "(This picture cannot be shown here: it is none, or too large.)"
        if not kind.startswith("image/"):
            kind, text = "text/plain", allowance.cut(text, LONGEST)
        output.data, output.metadata = NotebookNode({kind: text}), NotebookNode()
    elif output.output_type == "stream":
        output.text = allowance.cut(output.text, LONGEST)
    elif output.output_type == "error":
        output.traceback = [allowance.cut("\n".join(output.traceback), LONGEST)]
    return output


# ---- Code ----

# Whatever language a notebook says it is in; IPython's own lexer takes a time that grows with the square of a line.
_highlight = Highlight2HTML(pygments_lexer="python3")


@pass_context
def highlight_code(context: Mapping[str, Any], source: str, metadata: Any = None) -> str:
    """Colour code: nbconvert's filter of that name, which takes no longer than a page may.

    Parameters
    ----------
    context : mapping
        Of the template.
    source : str
    metadata : any
        Of the cell; it is not looked at.

    Examples
    --------
    >>> "<span" in highlight_code({}, "x = 1"), "<span" in highlight_code({}, f"x{99_000 * ' '}= 1")
    (True, False)
    """
    return _allowance(context).render(_coloured, source)


def _coloured(source: str) -> str:
    if MUCH_SPACE.search(source):
        raise _TooLargeError
    return str(_highlight(source))


# ---- Text ----


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
    attachments = (context.get("cell") or {}).get("attachments") or {}
    return _allowance(context).render(partial(_rendered, attachments), source)


def _rendered(attachments: dict[str, dict[str, str]], source: str) -> str:
    most = MOST_HTML + sum(len(text) for bundle in attachments.values() for text in bundle.values())
    renderer = _Renderer(escape=False, attachments=attachments, exclude_anchor_links=True)
    renderer.left = most
    markdown = MarkdownWithMath(renderer, inline=_InlineParser(hard_wrap=False), plugins=_plugins())
    clean = bleach.clean(
        _no_larger(markdown.render(source), most),
        tags=TAGS,
        attributes=_is_allowed,
        protocols=["http", "https", "mailto", "data"],
        css_sanitizer=CSSSanitizer(allowed_css_properties=["text-align"]),
    )
    return _no_larger(_finish(_no_larger(clean, most)), 3 * most)


def _no_larger(html: str, most: int) -> str:
    if len(html) > most:
        raise _TooLargeError
    return html


def _plugins() -> list[Any]:
    """Return what nbconvert adds to Markdown, but for check boxes, which are form elements."""
    return [import_plugin(name) for name in MarkdownWithMath.DEFAULT_PLUGINS if name != "task_lists"]


class _InlineParser(MathInlineParser):
    """Finds formulas as nbconvert does, but none with a backtick: as in JupyterLab, a dollar in code is a dollar."""

    SPECIFICATION = MathInlineParser.SPECIFICATION | {
        "inline_math_tex": r"(?<![$\\])\$(?P<math_inline_tex>[^`]+?)(?<![$\\])\$"
    }


class _Renderer(IPythonRenderer):
    """Marks formulas, for `_finish`, and leaves of the HTML that a text holds only tags without attributes.

    Attributes could be made so that a short text grows into millions of elements, before bleach takes them away.
    """

    left = MOST_HTML  # characters that links and pictures may still become

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

    def link(self, text: str, url: str, title: str | None = None) -> str:
        if len(url) + len(title or "") > LONGEST_ADDRESS:
            return text
        return self._counted(super().link(text, url, title))

    def image(self, text: str, url: str, title: str | None = None) -> str:
        if len(url) + len(title or "") > LONGEST_ADDRESS:
            return text
        try:
            shown = super().image(text, url, title)
        except InvalidNotebook:  # an attachment that is not there
            return f"<em>(no picture: {self.escape_html(url)})</em>"
        return self._counted(shown)

    def _counted(self, html: str) -> str:
        """Return what an address became, which a text may hold once and use at many places."""
        self.left -= len(html)
        if self.left < 0:
            raise _TooLargeError
        return html


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
    page, left = BeautifulSoup(clean, "html.parser"), MOST_HTML
    for mark in page.select("span.formula"):
        source, display = mark.get_text(), "display" in mark["class"]
        try:
            formula = mathml(source, display)
            left -= len(formula)
            if left < 0:
                raise ValueError("too many of them")
            mark.replace_with(BeautifulSoup(formula, "html.parser"))
        except ValueError:
            dollars = "$$" if display else "$"
            mark.replace_with(f"{dollars}{source}{dollars}")
    for link in page.select("a"):
        if "href" in link.attrs:
            link["rel"], link["target"] = "noopener noreferrer", "_blank"
        else:
            link.unwrap()
    return str(page)
