"""A problem set that was handed in and graded is changed: what is new gets its place, and no mark is lost."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook

from course_grading.problem_sets import grade_id_of
from tests.support.classroom import WRITTEN, Classroom, mixed_class
from tests.support.commands import run_module

pytestmark = pytest.mark.share(3)

NAME, SEED = "ps01", 20261122
LATE = """
c.LatePolicy.percent_a_day = 10
"""
NEW_CHECKS = """
Q7 = Question(
    name="q7",
    entry_point="n_weights",
    reference=lambda k, d_in, d_out: k * d_in * d_out + d_out,
    parts=[Part("n_weights", 2, lambda rng: [tuple(int(n) for n in rng.integers(2, 9, 3)) for _ in range(4)])],
)
QUESTIONS = [*QUESTIONS, Q7]
"""
SOLUTION = """def n_weights(k, d_in, d_out):
    ### BEGIN SOLUTION
    return k * d_in * d_out + d_out
    ### END SOLUTION
"""


def notebook_of(room: Classroom) -> Path:
    return room.folder / "solutions" / NAME / f"{NAME}.ipynb"


def marks(question: str, **more: object) -> dict[str, object]:
    usual = {"schema_version": 3, "grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": usual | {"grade_id": question} | more}


def add_question(room: Classroom) -> None:
    """Add question 7 to the set: a cell to answer in, visible tests, and two points."""
    notebook = nbformat.read(notebook_of(room), as_version=4)
    new = [
        new_markdown_cell("## Question 7: how many weights? (2 points)", id="q7-text"),
        new_code_cell(SOLUTION, id="q7", metadata=marks("q7", solution=True)),
        new_code_cell(
            "assert n_weights(1, 1, 1) == 2", id="q7-tests", metadata=marks("q7-tests", locked=True)
        ),
        new_code_cell(
            "# 2 points", id="q7-points", metadata=marks("q7-points", grade=True, locked=True, points=2)
        ),
    ]
    [place] = [number for number, cell in enumerate(notebook.cells) if grade_id_of(cell) == "q5-points"]
    notebook.cells[place + 1 : place + 1] = new
    notebook.cells[0].source = notebook.cells[0].source.replace("24 points", "26 points")
    nbformat.write(notebook, notebook_of(room))
    with (room.folder / "solutions" / NAME / "checks.py").open("a", encoding="utf-8") as checks:
        checks.write(NEW_CHECKS)


def gradebook_of(room: Classroom) -> dict[tuple[str, str], tuple[object, ...]]:
    """Return all that the gradebook holds of a student's question."""
    with room.gradebook() as gradebook:
        return {
            (submission.student_id, grade.name): (
                grade.auto_score,
                grade.manual_score,
                grade.extra_credit,
                grade.needs_manual_grade,
            )
            for submission in gradebook.assignment_submissions(NAME)
            for grade in submission.notebooks[0].grades
        }


def comments_of(gradebook: Gradebook) -> dict[tuple[str, str], str]:
    return {
        (submission.student_id, comment.name): comment.manual_comment
        for submission in gradebook.assignment_submissions(NAME)
        for comment in submission.notebooks[0].comments
        if comment.manual_comment
    }


def penalties_of(gradebook: Gradebook) -> dict[str, float]:
    return {
        submission.student_id: submission.late_submission_penalty
        for submission in gradebook.assignment_submissions(NAME)
    }


@pytest.fixture
def graded(tmp_path: Path) -> Classroom:
    """A class of five, graded: one late, all answers in words read, one machine's verdict overruled."""
    room = Classroom(tmp_path, [NAME])
    room.chosen = mixed_class(room.sets[NAME], 5, SEED)
    for student, answers in room.chosen.items():
        room.hand_in(student, NAME, answers, WRITTEN if student != "empty" else "")
    with (tmp_path / "nbgrader_config.py").open("a") as file:
        file.write(LATE)
    (tmp_path / "submitted" / "half-done" / NAME / "timestamp.txt").write_text("2027-02-02 12:00:00 UTC")
    room.nbgrader("db", "assignment", "add", NAME, "--duedate=2027-01-31 23:59 UTC")
    assert room.course("grade", NAME).returncode == 0
    with room.gradebook() as gradebook:
        for submission in gradebook.assignment_submissions(NAME):
            if submission.student_id != "empty":
                grade = gradebook.find_grade("q6", NAME, NAME, submission.student_id)
                grade.manual_score, grade.needs_manual_grade = 3, False
                comment = gradebook.find_comment("q6", NAME, NAME, submission.student_id)
                comment.manual_comment = f"Well said, {submission.student_id}."
        gradebook.find_grade("q1-points", NAME, NAME, "empty").manual_score = 1.5
        gradebook.db.commit()
    assert room.course("grade", NAME).returncode == 0  # the late one loses a share of the written points, too
    return room


@pytest.mark.needs("sandbox")
def test_a_graded_set_to_which_a_question_is_added_loses_no_mark(graded: Classroom) -> None:
    before, scores = gradebook_of(graded), graded.scores()
    with graded.gradebook() as gradebook:
        comments, penalties = comments_of(gradebook), penalties_of(gradebook)
    add_question(graded)
    graded.nbgrader("generate_assignment", NAME, "--force")
    between = gradebook_of(graded)
    assert {key: value for key, value in between.items() if key[1] != "q7-points"} == before
    assert {key[0] for key in between if key[1] == "q7-points"} == set(graded.chosen)
    done = graded.course("grade", NAME)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{NAME}: {len(graded.chosen)} graded\n")
    after = gradebook_of(graded)
    assert {key: value for key, value in after.items() if key[1] != "q7-points"} == before
    assert {value for key, value in after.items() if key[1] == "q7-points"} == {(0, None, None, False)}
    with graded.gradebook() as gradebook:
        assert comments_of(gradebook) == comments
        assert penalties_of(gradebook) == pytest.approx(penalties)
        assert penalties["half-done"] > 0
    assert graded.scores() == pytest.approx(scores)
    path = graded.folder / "submitted" / "all-right" / NAME / f"{NAME}.ipynb"
    answered = nbformat.read(path, as_version=4)
    released = nbformat.read(graded.folder / "assignments" / NAME / f"{NAME}.ipynb", as_version=4)
    answered.cells += [cell for cell in released.cells if grade_id_of(cell).startswith("q7")]
    [cell] = [cell for cell in answered.cells if grade_id_of(cell) == "q7"]
    cell.source = "def n_weights(k, d_in, d_out):\n    return d_out * (k * d_in + 1)"
    nbformat.write(answered, path)
    assert graded.course("grade", NAME).returncode == 0
    now = graded.scores()
    assert now == pytest.approx(scores | {("all-right", NAME): scores["all-right", NAME] + 2})
    print("\nstudent      before  set changed  handed in anew")
    for student in graded.chosen:
        row = (scores[student, NAME], scores[student, NAME], now[student, NAME])
        print(f"{student:12} {row[0]:6g}  {row[1]:11g}  {row[2]:14g}")


def trying(room: Classroom) -> str:
    """Try to make the release; return what was said."""
    done = run_module("nbgrader", "generate_assignment", NAME, "--force", folder=room.folder)
    assert done.returncode == 1
    return done.stderr


def take_out(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if not grade_id_of(cell).startswith("q2")]
    notebook.cells[0].source = notebook.cells[0].source.replace("24 points", "21 points")


def rename(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if grade_id_of(cell) == "q2-points":
            cell.metadata.nbgrader.grade_id = "q2b-points"


def miscount(notebook: NotebookNode) -> None:
    notebook.cells[0].source = notebook.cells[0].source.replace("24 points", "25 points")


def damage(notebook: NotebookNode) -> None:
    """Make nbgrader fail when it has begun, and has told the gradebook."""
    for cell in notebook.cells:
        if grade_id_of(cell) == "q5-tests":
            cell.source += "\n### BEGIN HIDDEN TESTS"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (take_out, "marks hang on what is not in .*: solution q2, grade q2-points. Put it back"),
        (rename, "marks hang on what is not in .*: grade q2-points. Put it back"),
        (miscount, "the first cell says 25 points, and the questions have 24"),
        (damage, "No end hidden tests statement found"),
    ],
)
def test_a_change_that_cannot_be_made_is_said_and_nothing_is_deleted(
    tmp_path: Path, change: object, said: str
) -> None:
    room = Classroom(tmp_path, [NAME])
    with room.gradebook() as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
        gradebook.find_grade("q2-points", NAME, NAME, "ada").auto_score = 3
        gradebook.db.commit()
    release = room.folder / "assignments" / NAME / f"{NAME}.ipynb"
    before, kept = gradebook_of(room), release.read_bytes()
    notebook = nbformat.read(notebook_of(room), as_version=4)
    change(notebook)
    nbformat.write(notebook, notebook_of(room))
    told = trying(room)
    assert re.search(said, told), told
    assert release.read_bytes() == kept
    assert gradebook_of(room) == before
    if change is not damage:
        assert "Traceback" not in told


def test_what_nobody_has_handed_in_may_change_in_any_way(tmp_path: Path) -> None:
    room = Classroom(tmp_path, [NAME])
    notebook = nbformat.read(notebook_of(room), as_version=4)
    take_out(notebook)
    nbformat.write(notebook, notebook_of(room))
    room.nbgrader("generate_assignment", NAME, "--force")
    with room.gradebook() as gradebook:
        assert gradebook.find_assignment(NAME).max_score == 21
