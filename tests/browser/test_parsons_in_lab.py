"""A puzzle of lines to order in JupyterLab: live by keyboard and mouse, and its still where no kernel runs."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from tests.support.lab import choose, notebook_in_front, open_file, run_all_cells, running_lab, signed_in
from tests.support.lab import chromium as started

pytestmark = pytest.mark.share(3)

CELL = '''from course_lib.exercises.parsons import Puzzle

puzzle = Puzzle("""
  | def f(x):
A |     x = x + 1
B |     x = x * 2
C |     x = x * 3
  |     return x
""")
puzzle'''


@pytest.fixture(scope="module")
def lab_page(browser_path: str, course: Path, machine: Path) -> Iterator[Page]:
    """A notebook with the puzzle in front."""
    notebook = new_notebook(cells=[new_code_cell(CELL), new_code_cell("1 + 1")])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, course / "notebooks" / "puzzle.ipynb")
    with (
        running_lab(course, machine) as lab,
        started(browser_path, machine) as browser,
        signed_in(browser, lab, ignore="widget model not found") as page,
    ):
        notebook_in_front(page, "00_start_here.ipynb")
        open_file(page, "notebooks/puzzle.ipynb")
        yield page


def test_in_jupyterlab_and_opened_again_without_a_kernel(lab_page: Page) -> None:
    page = lab_page
    notebook = notebook_in_front(page, "puzzle.ipynb")
    run_all_cells(page, notebook)
    control = notebook.locator(".course-parsons")
    expect(control).to_contain_text("Lines to choose from")
    expect(notebook.locator(".course-still:visible")).to_have_count(0)
    control.get_by_role("button", name="Take line A").focus()
    for key in ("Enter", "Enter"):  # takes A, then B; JupyterLab would begin to edit the cell
        page.keyboard.press(key)
    control.get_by_role("button", name="Move up line B").focus()
    for key in ("Space", "ArrowDown", "ArrowUp"):  # each of which means something to JupyterLab
        page.keyboard.press(key)
    expect(control.locator(".course-parsons-line")).to_have_text('return "B A"')
    expect(notebook.locator(".jp-CodeCell")).to_have_count(2)
    line, program = control.locator('[data-letter="C"]'), control.locator("ol")
    line.locator(".course-parsons-letter").hover()
    page.mouse.down()
    box = program.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + 3, steps=5)
    page.mouse.up()
    expect(control.locator(".course-parsons-line")).to_have_text('return "C B A"')
    # saved, and opened again
    choose(page, "File", "Save Notebook")
    choose(page, "Kernel", "Shut Down Kernel")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
    page.reload()
    again = notebook_in_front(page, "puzzle.ipynb")
    still = again.locator(".course-still")
    expect(still).to_be_visible()
    expect(still).to_contain_text("B |     x = x * 2")
    expect(still).to_contain_text("Run this cell, and lines can be dragged")
    expect(again.locator(".course-parsons")).to_have_count(0)
    expect(again.locator(".jp-OutputArea").get_by_text("Error")).to_be_hidden()
