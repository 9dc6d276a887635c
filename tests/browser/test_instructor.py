"""An instructor's way through a problem set, in this order: out, in, graded, read by a person, given back."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, FrameLocator, Locator, Page, expect

from course_grading.bank import BankAnswer, bank_answers
from course_grading.problem_sets import ProblemSet, load_problem_set
from tests.support.classroom import BANK, ROOT, Classroom
from tests.support.editions import add_instructors_part, link_environment, unpack_students_edition
from tests.support.lab import bring_to_front, choose, enter, notebook_in_front, open_file, open_terminal
from tests.support.secrets import secrets_of, threes

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.share(3)]

NAME = "ps01"
WRITTEN = "Scores are $QK^T/\\sqrt{d_k}$: a look at every word, however far away."
COMMENT = "Right, and $\\sqrt{d_k}$ keeps them small."
VERDICT = "✗ one sentence: 0 of 3 points. The bias is missing: b is added to each output."
GRADING = 120_000  # milliseconds, in which a class of three is graded

Answers = Mapping[str, Mapping[str, BankAnswer]]


@pytest.fixture(scope="module")
def ours() -> ProblemSet:
    return load_problem_set(ROOT / "solutions" / NAME)


@pytest.fixture(scope="module")
def answers(ours: ProblemSet) -> Answers:
    """What three students answer: one question wrong, all right, one not answered."""
    bank = {name: bank_answers(BANK / NAME / name, asked.points) for name, asked in ours.questions.items()}
    right = {name: next(answer for answer in found if answer.is_right) for name, found in bank.items()}
    [no_bias] = [answer for answer in bank["q1"] if answer.name == "wrong_no_bias"]
    without_q2 = {name: answer for name, answer in right.items() if name != "q2"}
    return {"ada": right | {"q1": no_bias}, "ben": right, "cleo": without_q2}


@pytest.fixture(scope="module")
def room(machine: Path, answers: Answers) -> Classroom:
    """The course as an instructor has it. Two have handed in by mail; ada has her work on the same machine."""
    folder, exchange = machine / "course", machine / "exchange"
    unpack_students_edition(folder)
    add_instructors_part(folder)
    link_environment(folder)
    exchange.mkdir()
    exchange.chmod(0o777)  # as nbgrader asks for
    (machine / "config").mkdir()
    configuration = f"c = get_config()\nc.Exchange.root = {str(exchange)!r}\n"
    configuration += "c.ExchangeCollect.check_owner = False\n"  # all are one account here
    (machine / "config" / "nbgrader_config.py").write_text(configuration)
    room = Classroom(folder, [])
    for student, chosen in answers.items():
        room.hand_in(student, NAME, chosen, WRITTEN)
    shutil.move(folder / "submitted" / "ada", folder / "work")
    return room


@pytest.fixture(scope="module")
def course(room: Classroom) -> Path:
    return room.folder


def points(answers: Mapping[str, BankAnswer]) -> float:
    return sum(answer.points for answer in answers.values())


def formgrader_in_front(page: Page) -> FrameLocator:
    """Bring formgrader to the front; return its page."""
    bring_to_front(page, "Formgrader")
    return page.frame_locator("iframe[src*=formgrader]")


def row(formgrader: FrameLocator, name: str) -> Locator:
    return formgrader.locator("#main-table tr", has_text=name)


def press(formgrader: FrameLocator, button: Locator, told: str) -> None:
    """Press one of formgrader's buttons; close the dialog that tells that it went well."""
    button.click()
    dialog = formgrader.get_by_role("dialog")
    expect(dialog).to_be_visible(timeout=GRADING)
    assert told in dialog.inner_text()
    dialog.get_by_role("button", name="OK").click()
    expect(dialog).to_have_count(0)


def assert_drawn(formula: Locator, text: str) -> None:
    """Fail unless a formula stands there as the browser draws it, not as LaTeX."""
    expect(formula).to_have_text(text)
    box = formula.bounding_box()
    assert box
    assert box["width"] > 10
    assert box["height"] > 10


def assert_accessible(frame: Frame | Page, **context: list[str]) -> None:
    """Fail if axe finds something serious in a part of the page."""
    found = Axe().run(frame, context=context).response["violations"]
    serious = [
        (violation["id"], violation["nodes"][0]["html"])
        for violation in found
        if violation["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_a_problem_set_goes_out_and_comes_back(page: Page, room: Classroom, machine: Path) -> None:
    notebook_in_front(page, "00_start_here.ipynb")
    choose(page, "Nbgrader", "Formgrader")
    formgrader = formgrader_in_front(page)
    problem_set = row(formgrader, NAME)
    expect(problem_set.locator(".num-submissions")).to_have_text("2")
    press(
        formgrader, problem_set.locator(".assign a"), f"Successfully created the student version of '{NAME}':"
    )
    press(formgrader, problem_set.locator(".release a"), f"Successfully released '{NAME}'.")
    expect(problem_set.locator(".status")).to_have_text("released")

    submit = [sys.executable, "-m", "nbgrader", "submit", NAME, "--course", "attention", "--student", "ada"]
    folders = {"JUPYTER_CONFIG_DIR": str(machine / "config"), "JUPYTER_DATA_DIR": str(machine / "data")}
    subprocess.run(submit, cwd=room.folder / "work", env=os.environ | folders, check=True)
    press(formgrader, problem_set.locator(".collect a"), f"Successfully collected submissions of '{NAME}'.")
    expect(problem_set.locator(".num-submissions")).to_have_text("3")


def test_a_class_is_graded_one_by_button_and_all_in_the_terminal(page: Page, answers: Answers) -> None:
    formgrader = formgrader_in_front(page)
    row(formgrader, NAME).locator(".num-submissions a").click()
    for student in answers:
        expect(row(formgrader, student).locator(".status")).to_have_text("needs autograding")
    told = f"Successfully autograded '{NAME}' for student 'ada'."
    press(formgrader, row(formgrader, "ada").locator(".autograde a"), told)
    expect(row(formgrader, "ada").locator(".status")).to_have_text("needs manual grading")
    expect(row(formgrader, "ben").locator(".status")).to_have_text("needs autograding")

    lines = open_terminal(page)
    enter(page, f"course grade {NAME}")
    expect(lines.filter(has_text=f"{NAME}: 3 graded")).to_be_visible(timeout=GRADING)

    formgrader = formgrader_in_front(page)
    formgrader.get_by_role("link", name="Manage Assignments").click()
    row(formgrader, NAME).locator(".num-submissions a").click()
    for student, chosen in answers.items():
        expect(row(formgrader, student).locator(".status")).to_have_text("needs manual grading")
        expect(row(formgrader, student).locator(".score")).to_have_text(f"{points(chosen):g} / 24")


def test_a_written_answer_is_read_marked_and_commented(page: Page, room: Classroom, answers: Answers) -> None:
    formgrader = formgrader_in_front(page)
    formgrader.get_by_role("link", name="Manual Grading").click()
    for depth in (1, 2):  # the problem sets, the notebooks of one
        expect(formgrader.locator(".breadcrumb li")).to_have_count(depth)
        row(formgrader, NAME).get_by_role("link", name=NAME).click()
    expect(formgrader.locator(".needs-manual-grade .glyphicon-ok")).to_have_count(3)
    formgrader.get_by_role("button", name="Show All Names").click()
    formgrader.get_by_role("link", name="ada", exact=True).click()

    submission = formgrader.get_by_role("main")
    for code in answers["ada"].values():
        expect(submission).to_contain_text(code.source.strip())
    expect(submission).to_contain_text(VERDICT)
    expect(submission.locator(".output_execute_result")).to_have_count(
        0
    )  # points, as a number for nbgrader alone
    score, comment = submission.locator("#q6"), submission.locator("#q6-comment")
    answer = submission.locator(".nbgrader_cell", has=page.locator("#q6"))
    expect(answer).to_contain_text("a look at every word, however far away.")
    assert_drawn(answer.locator("math"), "QKT/dk")
    [frame] = [frame for frame in page.frames if "/formgrader/" in frame.url]
    assert_accessible(frame, include=["main"], exclude=[".panel-heading"])  # which holds nbgrader's buttons

    expect(score).to_have_class(re.compile("needs_manual_grade"))
    with page.expect_response("**/formgrader/api/grade/*"):
        score.click()
        page.keyboard.type("3.5")
        page.keyboard.press("Tab")
    with page.expect_response("**/formgrader/api/comment/*"):
        comment.click()
        page.keyboard.type(COMMENT)
        page.keyboard.press("Escape")

    formgrader.get_by_role("navigation").get_by_role("link", name=NAME).last.click()
    expect(row(formgrader, "3.5 / 4")).to_contain_text(f"{points(answers['ada']) + 3.5:g} / 24")
    expect(formgrader.locator(".needs-manual-grade .glyphicon-ok")).to_have_count(2)
    row(formgrader, "3.5 / 4").get_by_role("link").click()
    expect(score).to_have_value("3.5")
    expect(comment).to_have_value(COMMENT)
    with room.gradebook() as gradebook:
        assert gradebook.find_grade("q6", NAME, NAME, "ada").manual_score == 3.5
        assert gradebook.find_comment("q6", NAME, NAME, "ada").manual_comment == COMMENT


def test_feedback_reaches_the_student_and_tells_no_secret(
    page: Page, course: Path, ours: ProblemSet, answers: Answers
) -> None:
    formgrader = formgrader_in_front(page)
    formgrader.get_by_role("link", name="Manual Grading").click()
    formgrader.get_by_role("link", name="Manage Assignments").click()
    problem_set = row(formgrader, NAME)
    press(
        formgrader,
        problem_set.locator(".generate-feedback a"),
        f"Successfully generated feedback of '{NAME}'.",
    )
    press(
        formgrader, problem_set.locator(".release-feedback a"), f"Successfully released feedback of '{NAME}'."
    )

    lines = open_terminal(page)
    enter(page, "cd work")
    enter(page, f"nbgrader fetch_feedback {NAME} --course attention")
    expect(lines.filter(has_text="Fetched feedback")).to_be_visible()
    [path] = (course / "work" / NAME / "feedback").glob(f"*/{NAME}.html")
    open_file(page, str(path.relative_to(course)))
    body = page.frame_locator(".jp-HTMLViewer iframe").locator("body")
    expect(body).to_contain_text(f"{NAME} (Score: {points(answers['ada']) + 3.5} / 24.0)")
    expect(body).to_contain_text(VERDICT)
    written = body.locator(".nbgrader_cell").last
    expect(written).to_contain_text("Score: 3.5 / 4.0")
    assert_drawn(written.locator(".panel-body math"), "QKT/dk")
    expect(written.locator(".panel-footer")).to_contain_text("keeps them small.")
    assert_drawn(written.locator(".panel-footer math"), "dk")

    text = body.inner_text()
    secret, model_answer = secrets_of(ours)
    assert not secret & set(threes(text))
    assert not [line for line in model_answer if line in text]

    assert page.context.browser
    tab = page.context.browser.new_page()  # axe is a script, and JupyterLab lets none run in a page it shows
    tab.goto(path.as_uri())
    assert_accessible(tab)
