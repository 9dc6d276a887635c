"""An interactive figure on the page: by keyboard alone, run again, without its kernel, opened again."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
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

pytestmark = pytest.mark.share(3)

FIGURE = """
import ipywidgets
from course_lib import figures

def draw(**settings):
    told = ", ".join(f"{name} {value}" for name, value in settings.items())
    return figures.heatmap([[0.25, 0.75]], ["q"], ["a", "b"], title=told)

figure = figures.InteractiveFigure(draw, {
    "slide": figures.labelled_slider("Slide", 1, 0, 5, 1),
    "menu": ipywidgets.Dropdown(options=["a", "b", "c"], description="Menu"),
    "check": ipywidgets.Checkbox(description="Check"),
    "words": ipywidgets.Text(description="Words", continuous_update=False),
}, others=[reset := ipywidgets.Button(description="Reset")])
reset.on_click(lambda _: figure.set(slide=1, menu="a", check=False, words=""))
figure
""".strip()


@pytest.fixture(scope="module")
def page(browser_path: str, course: Path, machine: Path) -> Iterator[Page]:
    """A notebook with one figure, and text above and below it, in front."""
    write_notebook(course / "notebooks" / "figure.ipynb")
    with (
        running_lab(course, machine) as lab,
        chromium(browser_path, machine) as browser,
        # said by ipywidgets of a figure that is opened without its kernel; the page shows the picture
        signed_in(browser, lab, ignore="widget model not found") as page,
    ):
        notebook_in_front(page, "00_start_here.ipynb")
        open_file(page, "notebooks/figure.ipynb")
        yield page


def write_notebook(path: Path) -> None:
    texts = [new_markdown_cell(f"## {title}") for title in ("Above", "Below")]
    notebook = new_notebook(cells=[texts[0], new_code_cell(FIGURE), texts[1]])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)


@pytest.fixture
def notebook(page: Page) -> Locator:
    """The notebook, run."""
    notebook = notebook_in_front(page, "figure.ipynb")
    run_all_cells(page, notebook)
    return notebook


def expect_picture(notebook: Locator, told: str) -> None:
    """There is one picture to see, and these are the settings with which it was drawn."""
    pictures = notebook.locator("img.course-figure:visible")
    expect(pictures).to_have_count(1)
    expect(pictures).to_have_attribute("alt", re.compile(re.escape(f" {told}, 1 × 2.")))


def test_every_control_has_a_name_and_works_by_keyboard(page: Page, notebook: Locator) -> None:
    slider = notebook.get_by_role("slider", name="Slide")
    menu = notebook.get_by_role("combobox", name="Menu")
    expect_picture(notebook, "slide 1, menu a, check False, words ")
    slider.press("ArrowRight")
    expect_picture(notebook, "slide 2, menu a, check False, words ")
    slider.press("ArrowDown")
    slider.press("End")
    expect_picture(notebook, "slide 5, menu a, check False, words ")
    menu.press("ArrowDown")
    expect_picture(notebook, "slide 5, menu b, check False, words ")
    notebook.get_by_role("checkbox", name="Check").press("Space")
    expect_picture(notebook, "slide 5, menu b, check True, words ")
    notebook.get_by_role("textbox", name="Words").press_sequentially(
        "dd"
    )  # a command of JupyterLab's: delete cell
    page.keyboard.press("Enter")
    expect_picture(notebook, "slide 5, menu b, check True, words dd")
    page.keyboard.press("Shift+Tab")
    expect(notebook.get_by_role("checkbox", name="Check")).to_be_focused()
    notebook.get_by_role("button", name="Reset").press("Enter")
    expect_picture(notebook, "slide 1, menu a, check False, words ")
    slider.press("ArrowRight")
    page.keyboard.press("Control+Enter")  # JupyterLab's: runs the cell
    expect_picture(notebook, "slide 1, menu a, check False, words ")


def test_run_again_it_is_there_once_and_live(page: Page, notebook: Locator) -> None:
    run_all_cells(page, notebook)
    expect(notebook.get_by_role("slider")).to_have_count(1)
    notebook.get_by_role("slider").press("ArrowRight")
    expect_picture(notebook, "slide 2, menu a, check False, words ")


def test_without_its_kernel_the_picture_stays(page: Page, notebook: Locator) -> None:
    notebook.get_by_role("slider").press("End")
    expect_picture(notebook, "slide 5, menu a, check False, words ")
    choose(page, "Kernel", "Restart Kernel…")
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(notebook.get_by_role("slider")).to_have_count(0)
    expect_picture(notebook, "slide 1, menu a, check False, words ")
    expect(notebook.get_by_text("Run this cell, and the figure gets its controls.")).to_be_visible()
    run_all_cells(page, notebook)
    expect(notebook.get_by_role("slider")).to_have_count(1)

    choose(page, "File", "Save Notebook")
    choose(page, "Kernel", "Shut Down Kernel")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
    page.reload()
    notebook = notebook_in_front(page, "figure.ipynb")
    expect_picture(notebook, "slide 1, menu a, check False, words ")
    expect(notebook.locator(".jp-OutputArea").get_by_text("Error")).to_be_hidden()
    run_all_cells(page, notebook)
    expect(notebook.get_by_role("slider")).to_have_count(1)
    expect_picture(notebook, "slide 1, menu a, check False, words ")
