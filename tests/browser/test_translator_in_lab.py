"""The translator in JupyterLab: the page asks Python, and Python sees what the reader does."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

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

CELL = """
from course_lib.figures.page.translator import TranslatorFigure
from course_lib.translator import Translator
TranslatorFigure(Translator.load("../results/embedded/gru-attention-0.safetensors"))
""".strip()


@pytest.fixture(scope="module")
def lab_page(browser_path: str, course: Path, machine: Path) -> Iterator[Page]:
    """A notebook with a translator that only Python can run."""
    notebook = new_notebook(cells=[new_code_cell(CELL)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, course / "notebooks" / "translator.ipynb")
    with (
        running_lab(course, machine) as lab,
        chromium(browser_path, machine) as browser,
        signed_in(browser, lab, ignore="Cannot send") as page,  # once the kernel has gone
    ):
        notebook_in_front(page, "00_start_here.ipynb")
        open_file(page, "notebooks/translator.ipynb")
        yield page


def test_python_translates_what_is_typed_until_the_kernel_stops(lab_page: Page) -> None:
    notebook = notebook_in_front(lab_page, "translator.ipynb")
    run_all_cells(lab_page, notebook)
    field = notebook.get_by_label("English", exact=True)
    title = notebook.locator(".cf-title")
    field.fill("I have a red car.")
    expect(notebook.locator(".cf-unseen").first).to_contain_text("J’ai une voiture rouge.")
    notebook.locator("svg .cf-choice", has_text="voiture").first.click()
    expect(title).to_have_text(re.compile("To write ‘voiture’, the decoder looks mostly at ‘car’"))
    notebook.locator("svg .cf-choice:not(.cf-arrives *)").nth(1).click()
    expect(notebook.get_by_role("button", name="Undo the choice")).to_be_visible()
    choose(lab_page, "Kernel", "Shut Down Kernel")
    expect(lab_page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
    field.fill("I have a dog.")
    expect(notebook.locator(".cf-unseen").first).to_contain_text("There is no answer yet.")
