"""What a person has decided stays decided: overruled verdicts survive grading again, or are listed for a person."""

import csv

import nbformat
import pytest

from course_grading.problem_sets import grade_id_of
from tests.support.classroom import WRITTEN, Classroom
from tests.support.grading import GradeHere, change_answer

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.share(3)]
NAME = "ps01"
WRONG = """
def receptive_field(k, n_layers):
    return -1

def layers_needed(distance, k):
    return -1
"""
ACCEPT_ALL = """
import dataclasses
QUESTIONS = [
    dataclasses.replace(q, accepts=lambda answer, *arguments: "", reference=None) if q.name == "q2" else q
    for q in QUESTIONS
]
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of two, graded; the verdict on one's second question was overruled, and her words were marked."""
    room = Classroom(tmp_path_factory.mktemp("course"), [NAME])
    for student in ("ada", "bert"):
        room.hand_in(student, NAME, {}, WRITTEN)
        change_answer(room, student, "q2", WRONG)
    assert room.course("grade", NAME).returncode == 0
    with room.gradebook() as gradebook:
        for question, points in (("q2-points", 2.5), ("q6", 4)):
            grade = gradebook.find_grade(question, NAME, NAME, "ada")
            grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.find_comment("q6", NAME, NAME, "ada").manual_comment = "Well said."
        gradebook.db.commit()
    room.nbgrader("generate_feedback", NAME)
    return room


@pytest.fixture
def room(graded, tmp_path):
    return graded.copied(tmp_path)


@pytest.fixture
def grade_here(monkeypatch):
    return GradeHere(monkeypatch)


def mark(room, question="q2-points", student="ada"):
    with room.gradebook() as gradebook:
        grade = gradebook.find_grade(question, NAME, NAME, student)
        return grade.manual_score, grade.auto_score, grade.needs_manual_grade


def change_checks(room, more):
    with (room.folder / "solutions" / NAME / "checks.py").open("a", encoding="utf-8") as checks:
        checks.write(more)


def plain(capsys):
    return " ".join(capsys.readouterr().out.split())


def test_a_verdict_that_was_overruled_stays_so_when_all_is_graded_again(room, grade_here, capsys):
    page = room.folder / "feedback" / "ada" / NAME / f"{NAME}.html"
    told = page.read_bytes()
    assert grade_here(room.folder, "--again") == 0
    change_checks(room, "\n# other words\n")
    assert grade_here(room.folder) == 0
    assert grade_here.students == ["ada", "bert"]
    assert mark(room) == (2.5, 0, False)
    assert mark(room, "q6") == (4, None, False)
    assert page.read_bytes() == told
    assert "removed" not in capsys.readouterr().out


def test_where_the_verdict_changes_the_mark_counts_and_is_listed_until_somebody_looks(
    room, grade_here, capsys
):
    change_checks(room, ACCEPT_ALL)
    page = room.folder / "feedback" / "ada" / NAME / f"{NAME}.html"
    for again in ([], ["--again"], []):
        assert grade_here(room.folder, *again) == 1
        said = plain(capsys)
        assert "For a person to look at: ada, q2: a person gave 2.5, and" in said
        assert "by the machine it is 3 now" in said
        removed = "The old feedback no longer fits and was removed: ada, bert." in said
        assert removed == bool(grade_here.students and not again)
    assert not page.exists()
    assert mark(room) == (2.5, 3, True)
    assert mark(room, "q6") == (4, None, False)
    room.nbgrader("export", "--to=grades.csv")
    with (room.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        [ada] = [row for row in csv.DictReader(file) if row["student_id"] == "ada"]
    assert (ada["status"], ada["score"], ada["so_far"]) == ("waits for a person", "", "6.5")
    with room.gradebook() as gradebook:  # as formgrader's Resolve does
        gradebook.find_grade("q2-points", NAME, NAME, "ada").needs_manual_grade = False
        gradebook.db.commit()
    assert grade_here(room.folder, "--again") == 0
    assert mark(room) == (2.5, 3, False)


def test_where_the_answer_changes_the_mark_counts_and_is_listed(room, grade_here, capsys):
    change_answer(room, "ada", "q2", WRONG.replace("-1", "-2"))
    assert grade_here(room.folder) == 1
    assert "ada, q2: a person gave 2.5, and the answer, its verdict" in plain(capsys)
    assert mark(room)[::2] == (2.5, True)


def test_a_file_that_could_not_be_graded_in_between_does_not_matter(room, grade_here, capsys):
    path = room.folder / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    answers, page = path.read_bytes(), room.folder / "feedback" / "ada" / NAME / f"{NAME}.html"
    path.write_bytes(b"no notebook")
    assert grade_here(room.folder) == 1
    assert "not graded" in page.read_text(encoding="utf-8")
    path.write_bytes(answers)
    assert grade_here(room.folder) == 0
    assert mark(room) == (2.5, 0, False)
    assert not page.exists()  # it said that nothing was graded
    assert "was removed: ada." in plain(capsys)


def test_formgrader_s_button_keeps_them_too(room):
    said = room.nbgrader("autograde", NAME, "--force")
    assert mark(room) == (2.5, 0, False)
    assert mark(room, "q6") == (4, None, False)
    assert "a person gave" not in said
    change_checks(room, ACCEPT_ALL)
    assert "ada, q2: a person gave 2.5" in room.nbgrader("autograde", NAME, "--force")
    assert mark(room) == (2.5, 3, True)


def test_the_words_of_a_verdict_are_not_what_a_mark_is_about(room, grade_here):
    path = room.folder / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    [cell] = [cell for cell in notebook.cells if grade_id_of(cell) == "q2-points"]
    lines = cell.outputs[0].text.splitlines()
    cell.outputs[0].text = "\n".join(f"{line} And much more." if "✗" in line else line for line in lines)
    nbformat.write(notebook, path)
    assert grade_here(room.folder, "--again") == 0
    assert mark(room) == (2.5, 0, False)
