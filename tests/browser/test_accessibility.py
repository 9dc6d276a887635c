"""What axe finds in all that the course renders in JupyterLab, in its light and in its dark theme.

Judged are the rendered text, the outputs, and the interactive figures while they are live: the rest of the page is
JupyterLab's. Each notebook is opened, and what it renders is copied aside; then the copies are put on the page, one at
a time and nothing beside them. On JupyterLab's own page axe takes every text for invisible, because the body is 0
pixels high and cuts off what does not fit, and says that all is well.

That pictures have alternative text is for `tests/test_notebooks.py` to see: JupyterLab gives "Image" to those without.
"""

import os
import re
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.support.editions import ROOT
from tests.support.lab import chromium, notebook_in_front, run_all_cells, running_lab

pytestmark = pytest.mark.share(3)

FOLDERS = {"": "notebooks", "deeper-": "notebooks/deeper", "set-": "assignments/ps??"}
STORED = {
    start + path.stem: path
    for start, folder in FOLDERS.items()
    for path in sorted(ROOT.glob(f"{folder}/*.ipynb"))
}
SHARE = int(os.environ.get("HYPOTHESIS_SEED", "0")) % len(
    STORED
)  # the one of `make test`; `make soak` audits the others
NAMES = [
    pytest.param(name, marks=[] if number == SHARE else [pytest.mark.soak])
    for number, name in enumerate(STORED)
]
THEMES = {"JupyterLab Light": "white", "JupyterLab Dark": "#111"}  # and the colour behind the page
BY_COLOUR = ["color-contrast", "link-in-text-block"]  # what these find may differ between themes
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]

# What is not the course's to mend: the rule, the elements on which it is not heeded.
EXCUSED = [
    ("color-contrast", "code[class*='language-'] span"),  # the theme's syntax colours, those of its editor
    ("link-in-text-block", "a.jp-InternalAnchorLink"),  # the ¶ that JupyterLab puts behind a heading
]

FIGURES = """
from course_lib import figures
from course_lib.chapters import ch09_transformer as ch09
from course_lib.chapters import ch10_translation as ch10
from course_lib.chapters import ch13_fast as ch13
from course_lib.text.tokenisers import WordTokeniser
from course_lib.model import Transformer, TransformerConfig
from course_lib.translator import Translator

tokens = WordTokeniser.train(["I sleep . Je dors ."])
sizes = TransformerConfig(len(tokens), len(tokens), d_model=8, n_heads=2, d_ff=8)
translator = Translator(Transformer(sizes), tokens, tokens)
# %%
ch09.architecture_explorer()
# %%
ch10.beam_explorer(translator, "I sleep.")
# %%
ch13.tiles()
# %%
print(sum(figures.progress(2, "Counting")))
"""
N_FIGURES = len(re.findall(r"^ch\d\d\.", FIGURES, re.M))

PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}

FAULTY = [
    *(nbformat.v4.new_markdown_cell(text) for text in ["# Faults", *["A paragraph."] * 40]),
    nbformat.v4.new_markdown_cell("$" + "a wide formula" * 30 + "$"),
    *(
        nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", {"text/html": html})])
        for html in (
            '<p style="color: #aaaaaa">Pale</p>',
            '<p style="color: #555555">Dark</p>',
            '<a href="#Faults"></a>',
        )
    ),
]
FOUND_IN_FAULTY = {
    "JupyterLab Light": ["Pale", "link-name", "scrollable-region-focusable"],
    "JupyterLab Dark": ["Dark"],
}

RENDERED = """() => {
  const notebook = jupyterapp.shell.currentWidget.node.querySelector(".jp-WindowedPanel-viewport");
  const sheet = document.createElement("div");
  sheet.className = "jp-Notebook";  // which has the theme's sizes and colours
  sheet.style = `position: static; overflow: visible; height: auto; background: var(--jp-layout-color0);
                 width: ${notebook.offsetWidth}px`;
  sheet.append(notebook.cloneNode(true));
  const itsOwn = ".jp-InputArea-editor, .jp-Collapser, .jp-OutputArea-promptOverlay";
  for (const part of sheet.querySelectorAll(itsOwn)) part.remove();
  return sheet;
}"""

SHOW = """name => {  // the theme's style sheets are in the body, and would be fetched anew if they were moved
  for (const child of [...document.body.children]) if (child.localName !== "link") child.remove();
  document.body.append(sheets[name]);
}"""

DROP_FORMULAS = """() => {  // they have the colour of the text around them, and are half of what axe looks at
  for (const sheet of Object.values(sheets))
    for (const formula of sheet.querySelectorAll("mjx-container")) formula.replaceChildren();
}"""

AXE = """async ([rules, excused]) => {
  const found = await axe.run(
    {include: [[".jp-RenderedMarkdown"], [".jp-OutputArea-output"]]},
    {runOnly: rules, resultTypes: ["violations"], elementRef: true});
  return found.violations.flatMap(({id, impact, nodes}) => nodes
    .filter(({element}) => !excused.some(([rule, selector]) => rule === id && element.matches(selector)))
    .map(({html}) => [impact, `${id}: ${html.slice(0, 200)}`]));
}"""

OPEN = """async ([path, shouldStart]) => {
  const kernelPreference = {shouldStart, canStart: shouldStart};
  const panel = await jupyterapp.commands.execute("docmanager:open", {path, kernelPreference});
  await panel.revealed;
}"""

IS_RENDERED = """() => [...jupyterapp.shell.currentWidget.node.querySelectorAll(".jp-MarkdownCell")].every(cell => {
  const text = cell.querySelector(".jp-RenderedMarkdown")?.cloneNode(true);
  text?.querySelectorAll("code").forEach(code => code.remove());
  return text?.hasChildNodes() && !/\\$[^$]+\\$/.test(text.textContent);  // its formulas have been set
})"""


@pytest.fixture(scope="module")
def findings(
    browser_path: str, course: Path, machine: Path, request: pytest.FixtureRequest
) -> dict[str, dict[str, list[str]]]:
    """Return what axe finds serious or critical, by notebook and by theme, in those that are asked for."""
    tests = (getattr(item, "callspec", None) for item in request.session.items if item.path == request.path)
    names = put_what_is_audited(course, {test.params["name"] for test in tests if test})
    settings = machine / "settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')  # draws all cells
    with (
        running_lab(course, machine, "--LabApp.expose_app_in_browser=True") as lab,
        chromium(browser_path, machine) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(lab.sign_in)
        notebook_in_front(page, "00_start_here.ipynb")
        page.evaluate("window.sheets = {}")
        page.evaluate(AXE_SCRIPT)
        run_figures(page)
        for name in names:
            page.evaluate(OPEN, [f"audit/{name}.ipynb", False])
            page.wait_for_function(IS_RENDERED)
            keep_sheet(page, name)
            page.evaluate("jupyterapp.shell.currentWidget.close()")
        return audited(page)


def put_what_is_audited(course: Path, wanted: set[str]) -> list[str]:
    """Put notebooks into the folder `audit`, those that are not run without their code; return their names."""
    folder = course / "audit"
    folder.mkdir()
    notebooks = {name: nbformat.read(path, 4) for name, path in STORED.items() if name in wanted}
    notebooks["faulty"] = nbformat.v4.new_notebook(cells=FAULTY, metadata=PYTHON)
    for name, notebook in notebooks.items():
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.source = ""  # the editors are JupyterLab's, and take longest to draw
        nbformat.write(notebook, folder / f"{name}.ipynb")
    figures = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in FIGURES.split("# %%")],
        metadata=PYTHON,
    )
    nbformat.write(figures, folder / "figures.ipynb")
    return list(notebooks)


def run_figures(page: Page) -> None:
    page.evaluate(OPEN, ["audit/figures.ipynb", True])
    notebook = notebook_in_front(page, "figures.ipynb")
    run_all_cells(page, notebook)
    expect(notebook.locator(".course-live img")).to_have_count(N_FIGURES)
    keep_sheet(page, "figures")


def keep_sheet(page: Page, name: str) -> None:
    page.evaluate(f"name => {{ sheets[name] = ({RENDERED})() }}", name)


def audited(page: Page) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for theme, background in THEMES.items():
        page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        page.wait_for_function(
            "colour => getComputedStyle(document.body).getPropertyValue('--jp-layout-color0') === colour",
            arg=background,
        )
        rules = {"type": "rule", "values": BY_COLOUR} if found else {"type": "tag", "values": TAGS}
        if found:
            page.evaluate(DROP_FORMULAS)
        for name in page.evaluate("Object.keys(sheets)"):
            page.evaluate(SHOW, name)
            results = page.evaluate(AXE, [rules, EXCUSED])
            bad = sorted(text for impact, text in results if impact in ("serious", "critical"))
            found.setdefault(name, {})[theme] = bad
    return found


def test_the_audit_finds_what_is_wrong_in_either_theme(findings: dict[str, dict[str, list[str]]]) -> None:
    for theme, expected in FOUND_IN_FAULTY.items():
        found = findings["faulty"][theme]
        assert len(found) == len(expected), found
        assert all(any(mark in text for text in found) for mark in expected), found


@pytest.mark.parametrize("name", [*NAMES, "figures"])
def test_nothing_serious_is_found(findings: dict[str, dict[str, list[str]]], name: str) -> None:
    assert findings[name] == {theme: [] for theme in THEMES}


def test_every_interactive_figure_is_audited() -> None:
    folder = ROOT / "course_lib" / "chapters"
    makers = {
        (path.parent.name[:4], name)
        for path in folder.glob("ch*/*explorers.py")
        for name in re.findall(r"^def ([a-z]\w*)\(", path.read_text(encoding="utf-8"), re.M)
    }
    assert len(makers) == N_FIGURES
    for chapter, name in makers:
        assert f"\n{chapter}.{name}(" in FIGURES
        assert f" as {chapter}\n" in FIGURES, "FIGURES does not import the chapter"
