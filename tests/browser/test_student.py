"""A student's way through the course, in this order: a chapter, the installation, a problem set, handing it in."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from course_grading.bank import bank_answers
from course_grading.problem_sets import grade_id_of, load_problem_set
from tests.support.classroom import BANK, ROOT, WRITTEN, Classroom
from tests.support.lab import (
    bring_to_front,
    enter,
    notebook_in_front,
    open_file,
    open_terminal,
    run_all_cells,
    run_figure,
    terminal_lines,
)

pytestmark = pytest.mark.share(3)

NAME = "ps01"
START, SETUP = "00_start_here.ipynb", "00_setup.ipynb"
COPY = f"work/{NAME}/{NAME}.ipynb"


@pytest.fixture(scope="module")
def right() -> dict[str, str]:
    """The first right answer of each question in code; one of them warns, which is no failure."""
    questions = load_problem_set(ROOT / "solutions" / NAME).questions
    answers = {
        name: bank_answers(BANK / NAME / name, question.points) for name, question in questions.items()
    }
    right = {name: next(one.source for one in of if one.is_right) for name, of in answers.items()}
    return right | {"q1": right["q1"] + "\n\nnp.log(np.zeros(1))\n"}


@pytest.fixture(scope="module")
def exchange(tmp_path_factory: pytest.TempPathFactory, machine: Path) -> Path:
    """nbgrader's exchange, where the instructor has released the problem set and this machine finds it."""
    folder = tmp_path_factory.mktemp("exchange")
    folder.chmod(0o777)  # as nbgrader asks for
    room = Classroom(tmp_path_factory.mktemp("instructor"), [])
    shutil.copytree(ROOT / "assignments" / NAME, room.folder / "assignments" / NAME)
    room.nbgrader("release_assignment", NAME, f"--Exchange.root={folder}")
    configuration = machine / "config" / "nbgrader_config.py"
    configuration.parent.mkdir(exist_ok=True)
    configuration.write_text(f"c = get_config()\nc.Exchange.root = {str(folder)!r}\n")
    return folder


@contextmanager
def validated(page: Page) -> Iterator[Locator]:
    """Press the button Validate, and close the dialog that tells what came out after looking at it."""
    notebook_in_front(page, f"{NAME}.ipynb").get_by_role("button", name="Validate").click()
    dialog = page.get_by_role("dialog")
    try:
        expect(dialog).to_contain_text("Validation Results")
        yield dialog
    finally:
        dialog.get_by_role("button", name="Ok").click()


def failures(dialog: Locator) -> list[tuple[str, str]]:
    """Return what the dialog shows of each cell that failed: the cell, and what is wrong with it."""
    shown = dialog.locator("pre").all_inner_texts()
    return list(zip(shown[::2], shown[1::2], strict=True))


def write(page: Page, cell: Locator, text: str) -> None:
    """Put a text in the place of what stands in a cell."""
    cell.click()
    page.keyboard.press("Enter")  # opens the editor of a text that is shown formatted
    expect(cell.locator(".cm-content")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)
    page.keyboard.press("Shift+Enter")


def test_the_start_page_leads_to_a_chapter_whose_figure_answers(page: Page) -> None:
    start = notebook_in_front(page, START)
    start.locator("a[href*='02_attention.ipynb']").first.click()
    chapter = notebook_in_front(page, "02_attention.ipynb")
    figure = run_figure(page, chapter, "Figure 2.2").locator("figure.cf")
    figure.scroll_into_view_if_needed()
    title = figure.locator(".cf-title")
    before = title.text_content() or ""
    word = figure.locator("svg .cf-choice").first
    word.focus()
    word.press("Enter")
    expect(title).not_to_have_text(before)


def test_the_start_page_translates_what_is_typed(page: Page) -> None:
    bring_to_front(page, START)
    start = notebook_in_front(page, START)
    run_figure(page, start)
    start.get_by_label("English", exact=True).fill("My brother is happy.")
    title = start.locator(".cf-title").first
    expect(title).to_contain_text("heureux")
    start.locator("svg .cf-choice", has_text="heureux").first.hover()
    expect(title).to_have_text(re.compile("To write ‘heureux’, the decoder looks mostly at ‘happy’"))


def test_the_set_up_page_finds_all_that_the_course_needs(page: Page) -> None:
    notebook_in_front(page, START).locator("a[href*='00_setup.ipynb']").first.click()
    setup = notebook_in_front(page, SETUP)
    run_all_cells(page, setup)
    found = "\n".join(setup.locator(".jp-OutputArea pre").all_inner_texts())
    lines = re.findall(r"^[✓○✗] .*$", found, re.MULTILINE)
    assert len(lines) >= 14
    assert [line for line in lines if line.startswith("✗")] == []


def test_a_student_finds_no_panels_for_instructors(page: Page) -> None:
    notebook_in_front(page, SETUP)
    for name in ("Nbgrader", "Create Assignment"):
        expect(page.get_by_text(name, exact=True)).to_have_count(0)


def test_a_problem_set_is_started_in_the_terminal(page: Page) -> None:
    lines = open_terminal(page)
    enter(page, f"course start {NAME}")
    expect(lines.filter(has_text=f"Your copy is {COPY}: open it in JupyterLab")).to_be_visible()
    open_file(page, COPY)
    notebook_in_front(page, f"{NAME}.ipynb")


def test_validate_names_every_question_that_is_not_answered(page: Page) -> None:
    functions = [
        "conv1d",
        "receptive_field",
        "rnn_states",
        "one_step_back",
        "gradient_norms",
        "bidirectional",
    ]
    with validated(page) as dialog:
        *code, written = failures(dialog)
    hint = re.compile(r"Not yet: (\w+)\(.*\) stops with NotImplementedError in the line .*(\n\w+\(.*)?")
    names = [hint.sub(r"\1", told) for _, told in code]  # Question 2 names its second function, too
    assert names == functions
    assert all(f"{name}," in cell for name, (cell, _) in zip(functions, code, strict=True))
    assert written == ("*Your answer takes the place of this line.*", "You did not provide a response.")


def test_validate_says_what_is_wrong_with_an_answer_and_the_hint_is_in_view(page: Page) -> None:
    flipped = (BANK / NAME / "q1" / "wrong_flipped.py").read_text(encoding="utf-8")
    notebook = notebook_in_front(page, f"{NAME}.ipynb")
    write(page, notebook.locator(".jp-CodeCell", has_text="def conv1d"), flipped)
    with validated(page) as dialog:
        cell, told = failures(dialog)[0]
        assert "conv1d," in cell
        assert (
            told
            == "Not yet: The kernel is applied back to front: its first row meets the first word of a window."
        )
        expect(dialog.get_by_text(told)).to_be_in_viewport(ratio=1)


def test_right_answers_pass(page: Page, right: dict[str, str]) -> None:
    notebook = notebook_in_front(page, f"{NAME}.ipynb")
    released = nbformat.read(ROOT / "assignments" / NAME / f"{NAME}.ipynb", as_version=4)
    asked = {grade_id_of(cell): re.findall(r"def \w+\(", cell.source) for cell in released.cells}
    for question, source in right.items():
        write(page, notebook.locator(".jp-CodeCell", has_text=asked[question][0]), source)
    write(page, notebook.locator(".jp-MarkdownCell", has_text="Your answer takes the place"), WRITTEN)
    with validated(page) as dialog:
        expect(dialog).to_contain_text("Success! Your notebook passes all the tests.")


def test_the_problem_set_is_checked_and_handed_in_from_the_terminal(
    page: Page, course: Path, exchange: Path, right: dict[str, str]
) -> None:
    bring_to_front(page, "Terminal")
    lines = terminal_lines(page)
    enter(page, f"course check {NAME}")
    expect(lines.filter(has_text="Everything is there.")).to_be_visible(timeout=60_000)
    enter(page, "cd work")
    enter(page, f"nbgrader submit {NAME} --course attention")
    expect(lines.filter(has_text=f"Submitted as: attention {NAME}")).to_be_visible()
    expect(lines.filter(has_text="WARNING")).to_have_count(0)

    [handed_in] = (exchange / "attention" / "inbound").glob(f"*+{NAME}+*")
    assert {path.name for path in handed_in.iterdir()} == {
        f"{NAME}.ipynb",
        "timestamp.txt",
        "submission_secret.txt",
    }
    assert (handed_in / f"{NAME}.ipynb").read_bytes() == (course / COPY).read_bytes()
    notebook = nbformat.read(handed_in / f"{NAME}.ipynb", as_version=4)
    sources = {grade_id_of(cell): cell.source for cell in notebook.cells}
    assert {name: sources[name] for name in right} == right
    assert sources["q6"] == WRITTEN
