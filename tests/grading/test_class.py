"""A class of twelve through nbgrader: release, submissions, autograde, feedback, export."""

import html
import re

import nbformat
import pytest

from course_grading.problem_sets import grade_id_of
from tests.support.classroom import ROOT, WRITTEN, Classroom, mixed_class

pytestmark = pytest.mark.needs("sandbox")
NAME, N_STUDENTS, SEED = "ps01", 12, 20260103


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    room = Classroom(tmp_path_factory.mktemp("course"), [NAME])
    chosen = mixed_class(room.sets[NAME], N_STUDENTS, SEED)
    for student, answers in chosen.items():
        room.hand_in(student, NAME, answers, WRITTEN if student != "empty" else "")
    room.nbgrader("autograde", NAME)
    return room, chosen


def cells(room, student, kind="autograded"):
    notebook = nbformat.read(room.folder / kind / student / NAME / f"{NAME}.ipynb", as_version=4)
    return {grade_id_of(cell): cell for cell in notebook.cells}


def test_every_score_is_what_the_bank_predicts(graded):
    room, chosen = graded
    expected = {
        (student, NAME): sum(answer.points for answer in answers.values())
        for student, answers in chosen.items()
    }
    assert room.scores() == expected
    assert expected["all-right", NAME] > max(expected["half-done", NAME], 1) > expected["empty", NAME] == 0


def test_every_question_s_points_are_in_the_gradebook(graded):
    room, chosen = graded
    with room.gradebook() as gradebook:
        for student, answers in chosen.items():
            for name in room.sets[NAME].questions:
                found = gradebook.find_grade(f"{name}-points", NAME, NAME, student)
                assert found.score == (answers[name].points if name in answers else 0), (student, name)
                assert not found.needs_manual_grade


def test_a_written_answer_waits_for_a_person_unless_there_is_none(graded):
    room, chosen = graded
    [written] = [
        name for name in cells(room, "empty") if name and room.sets[NAME].cell(name).cell_type == "markdown"
    ]
    with room.gradebook() as gradebook:
        waiting = {
            student
            for student in chosen
            if gradebook.find_grade(written, NAME, NAME, student).needs_manual_grade
        }
    assert waiting == set(chosen) - {"empty"}


def test_feedback_says_why_and_holds_no_check(graded):
    room, chosen = graded
    room.nbgrader("generate_feedback", NAME)
    checks = (ROOT / "solutions" / NAME / "checks.py").read_text(encoding="utf-8")
    secret = [line.strip() for line in checks.splitlines() if "lambda" in line or "reference" in line]
    for student, answers in chosen.items():
        page = (room.folder / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        text = html.unescape(re.sub(r"\s+", " ", page))
        assert not any(line in page for line in secret)
        for answer in answers.values():
            assert answer.message in text
