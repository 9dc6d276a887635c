"""`recall()` in JupyterLab: live by the keyboard alone, and its still where no kernel runs."""

import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from tests.support.lab import choose, notebook_in_front, open_file, run_all_cells, running_lab, signed_in
from tests.support.lab import chromium as started

pytestmark = pytest.mark.share(3)

CELL = "from course_lib.exercises.recall import recall\n\nrecall(read=1)"


@pytest.fixture(scope="module")
def lab_page(browser_path: str, course: Path, machine: Path) -> Iterator[Page]:
    """A notebook with one cell in front."""
    notebook = new_notebook(cells=[new_code_cell(CELL), new_code_cell("1 + 1")])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, course / "notebooks" / "recall.ipynb")
    with (
        running_lab(course, machine) as lab,
        started(browser_path, machine) as browser,
        signed_in(browser, lab, ignore="widget model not found") as page,
    ):
        notebook_in_front(page, "00_start_here.ipynb")
        open_file(page, "notebooks/recall.ipynb")
        yield page


def test_in_jupyterlab_and_opened_again_without_a_kernel(lab_page: Page, course: Path) -> None:
    page, kept = lab_page, course / "work" / "recall.json"
    notebook = notebook_in_front(page, "recall.ipynb")
    run_all_cells(page, notebook)
    control = notebook.locator(".course-recall")
    expect(control).to_contain_text("Chapter 01, section 2.")
    expect(notebook.locator(".course-still:visible")).to_have_count(0)
    assert not kept.exists(), "showing it writes nothing"
    control.get_by_role("radio").first.focus()
    for key in ("Space", "ArrowDown", "ArrowUp", "Enter"):  # each of which means something to JupyterLab
        page.keyboard.press(key)
    expect(control.locator(".course-recall-verdict")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(control.get_by_role("button", name="Later")).to_be_visible()
    expect(notebook.locator(".jp-CodeCell")).to_have_count(2)
    answers = json.loads(kept.read_text(encoding="utf-8"))["answers"]
    assert [answer[0] for answer in answers] == ["ch01-two-words-back"]
    # saved, and opened again
    choose(page, "File", "Save Notebook")
    choose(page, "Kernel", "Shut Down Kernel")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
    page.reload()
    again = notebook_in_front(page, "recall.ipynb")
    still = again.locator(".course-still")
    expect(still).to_be_visible()
    expect(still).to_contain_text("Run this cell, and it asks what is due today")
    expect(again.locator(".course-recall")).to_have_count(0)
    expect(again.locator(".jp-OutputArea").get_by_text("Error")).to_be_hidden()
    saved = (course / "notebooks" / "recall.ipynb").read_text(encoding="utf-8")
    assert "two words back" not in saved, "nothing of the student's questions is in the notebook"
