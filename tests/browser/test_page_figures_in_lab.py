"""Figures that live in the page, in JupyterLab: as widgets, with and without their kernel, opened again."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.support.lab import (
    choose,
    chromium,
    notebook_in_front,
    open_file,
    run_all_cells,
    running_lab,
    signed_in,
)
from tests.support.page_figures import query_plane

pytestmark = pytest.mark.share(3)

CELL = """
from course_lib.figures.page import PageFigure
plane = {"keys": [[1, 0], [0, 1]], "words": ["France", "Italy"], "values": ["Paris", "Rome"]}
figure = PageFigure("query-plane", {**plane, "query": [1, 1], "sharpness": 5, "reach": 2}, caption="Drag it.")
figure
""".strip()
LAST = """
print(figure.state)
if figure.state:
    other.state = {"query": [0, 1]}
""".strip()
QUESTION = """
from course_lib.figures import Prediction
asked = Prediction("How many?", high=9, decimals=0)
asked
""".strip()
UNDECIDED = "The query cannot decide between Paris and Rome"
PARIS, ROME = (f"The query reads {city}, and almost nothing else" for city in ("Paris", "Rome"))
WAKE = "Run this cell, and the figure comes alive."


@pytest.fixture(scope="module")
def lab_page(browser_path: str, course: Path, machine: Path) -> Iterator[Page]:
    """A notebook with two figures in front."""
    cells = [CELL, CELL.replace("\nfigure", "\nother"), LAST]
    notebook = new_notebook(cells=[new_code_cell(source) for source in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, course / "notebooks" / "page.ipynb")
    asked = [new_code_cell(source) for source in (QUESTION, "asked.reveal(3)")]
    nbformat.write(
        new_notebook(cells=asked, metadata=notebook.metadata), course / "notebooks" / "predict.ipynb"
    )
    data, _ = query_plane()._repr_mimebundle_()
    cell = new_code_cell(CELL, execution_count=1, outputs=[new_output("display_data", data)])
    nbformat.write(
        new_notebook(cells=[cell], metadata=notebook.metadata), course / "notebooks" / "sent.ipynb"
    )
    with (
        running_lab(course, machine) as lab,
        chromium(browser_path, machine) as browser,
        signed_in(browser, lab, ignore="widget model not found") as page,
    ):
        notebook_in_front(page, "00_start_here.ipynb")
        open_file(page, "notebooks/page.ipynb")
        yield page


@pytest.fixture
def notebook(lab_page: Page) -> Locator:
    """The notebook, run."""
    notebook = notebook_in_front(lab_page, "page.ipynb")
    run_all_cells(lab_page, notebook)
    expect(notebook.locator("figure.cf")).to_have_count(2)
    return notebook


def run_last_cell(page: Page, notebook: Locator) -> str:
    """Run the last cell; return what it printed."""
    cell = notebook.locator(".jp-CodeCell").last
    before = cell.locator(".jp-InputPrompt").text_content() or ""
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).not_to_have_text(before)
    expect(cell.locator(".jp-InputPrompt")).not_to_have_text("[*]:")
    return cell.locator(".jp-OutputArea-output").text_content() or ""


def test_in_jupyterlab_it_lives_as_a_widget_and_keeps_the_keys(lab_page: Page, notebook: Locator) -> None:
    first, second = notebook.locator("figure.cf").all()
    expect(notebook.locator(".course-still:visible")).to_have_count(0)
    expect(first.locator(".cf-title")).to_have_text(UNDECIDED)
    handle = first.get_by_role("slider", name="Query")
    for height in ("0.60", "0.20", "−0.20"):
        handle.press("Shift+ArrowDown")
        expect(handle).to_have_attribute("aria-valuetext", f"at 1.00, {height}")  # drawn, before the next
    expect(first.locator(".cf-title")).to_have_text(PARIS)
    handle.press("b")  # which inserts a cell, where it is JupyterLab's
    lab_page.wait_for_timeout(300)
    expect(notebook.locator(".jp-CodeCell")).to_have_count(3)
    expect(second.locator(".cf-title")).to_have_text(UNDECIDED)
    for _ in range(20):  # a figure reports where it has come to rest
        lab_page.wait_for_timeout(600)
        printed = run_last_cell(lab_page, notebook)
        if "'query': [1, -0.2]" in printed:
            break
    assert "'query': [1, -0.2]" in printed
    expect(second.locator(".cf-title")).to_have_text(ROME)
    expect(first.locator(".cf-title")).to_have_text(PARIS)


def test_it_lives_on_when_the_kernel_is_restarted(lab_page: Page, notebook: Locator) -> None:
    choose(lab_page, "Kernel", "Restart Kernel…")
    lab_page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(lab_page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    first = notebook.locator("figure.cf").first
    first.get_by_role("slider", name="Query").press("Shift+ArrowUp")
    first.get_by_role("slider", name="Query").press("Shift+ArrowUp")
    expect(first.locator(".cf-title")).to_have_text(ROME)


def test_opened_again_without_a_kernel_the_still_is_there_and_says_how_to_wake_it(
    lab_page: Page, notebook: Locator
) -> None:
    choose(lab_page, "File", "Save Notebook")
    choose(lab_page, "Kernel", "Shut Down Kernel")
    expect(lab_page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
    lab_page.reload()
    again = notebook_in_front(lab_page, "page.ipynb")
    stills = again.locator(".course-still img:visible")
    expect(stills).to_have_count(2)
    expect(stills.first).to_have_attribute("alt", re.compile("2 keys in a plane"))
    assert stills.first.evaluate("image => image.naturalWidth") == 720
    expect(again.get_by_title(WAKE).first).to_be_visible()
    expect(again.locator("figure.cf")).to_have_count(0)
    expect(again.locator(".jp-OutputArea").get_by_text("Error")).to_be_hidden()
    run_all_cells(lab_page, again)
    expect(again.locator("figure.cf")).to_have_count(2)
    expect(again.locator(".course-still:visible")).to_have_count(0)


def test_a_notebook_that_is_not_trusted_shows_the_still_in_both_themes(lab_page: Page) -> None:
    open_file(lab_page, "notebooks/sent.ipynb")
    notebook = notebook_in_front(lab_page, "sent.ipynb")
    still = notebook.locator(".course-still img")
    expect(still).to_have_attribute("alt", query_plane().alt)
    expect(notebook.get_by_title(WAKE)).to_be_visible()
    light = still.screenshot()
    choose(lab_page, "Settings", "Theme", "JupyterLab Dark")
    expect(lab_page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    lab_page.wait_for_timeout(500)
    dark = still.screenshot()
    choose(lab_page, "Settings", "Theme", "JupyterLab Light")
    darkness = [np.asarray(Image.open(BytesIO(png)).convert("L")).mean() for png in (light, dark)]
    assert darkness[0] > 200
    assert darkness[1] < 80


def test_a_question_can_show_its_answer_once_a_cell_has_found_it(lab_page: Page) -> None:
    open_file(lab_page, "notebooks/predict.ipynb")
    notebook = notebook_in_front(lab_page, "predict.ipynb")
    run_all_cells(lab_page, notebook)
    question, found = notebook.locator("figure.cf").first, notebook.locator("figure.cf").nth(1)
    expect(found.locator(".cf-title")).to_have_text("The answer: 3")
    expect(question.locator(".cf-title")).to_have_text("How many?")
    question.get_by_role("slider", name="Your guess").press("ArrowRight")  # the first key chooses the middle
    question.get_by_role("button", name="Show the answer").click()  # disabled, until the second cell has run
    expect(question.locator(".cf-title")).to_have_text("You said 5; the answer is 3")
