"""What `solutions/README.md` says of changing a date, points or a released problem."""

import nbformat
import pytest

from course_grading.bank import bank_answers
from course_grading.problem_sets import grade_id_of
from tests.support.classroom import BANK, WRITTEN, Classroom

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.share(3)]
NAME = "ps01"


@pytest.fixture
def room(tmp_path):
    """A course in which one student has handed in a right answer to q2, and it was graded."""
    room = Classroom(tmp_path, [NAME])
    right = next(answer for answer in bank_answers(BANK / NAME / "q2", 3) if answer.is_right)
    room.hand_in("ada", NAME, {"q2": right})
    room.nbgrader("autograde", NAME)
    return room


def test_a_person_s_mark_stays_until_the_answer_changes(room):
    def look():
        with room.gradebook() as gradebook:
            grade = gradebook.find_grade(written, NAME, NAME, "ada")
            return grade.manual_score, grade.needs_manual_grade

    path = room.folder / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    [cell] = [cell for cell in notebook.cells if cell.cell_type == "markdown" and grade_id_of(cell)]
    written, cell.source = grade_id_of(cell), WRITTEN
    nbformat.write(notebook, path)
    assert room.course("grade", NAME).returncode == 0
    assert look() == (None, True)
    with room.gradebook() as gradebook:
        grade = gradebook.find_grade(written, NAME, NAME, "ada")
        grade.manual_score, grade.needs_manual_grade = 2, False
        gradebook.db.commit()
    room.nbgrader("generate_feedback", NAME)
    page = room.folder / "feedback" / "ada" / NAME / f"{NAME}.html"
    assert page.exists()
    assert room.course("grade", NAME, "--again").returncode == 0
    assert look() == (2, False)
    assert page.exists()  # it still tells what was graded
    cell.source += " Or does it?"
    nbformat.write(notebook, path)
    done = room.course("grade", NAME)
    assert "The old feedback no longer fits and was removed: ada" in done.stdout
    assert not page.exists()
    for again in ([], ["--again"]):  # which does not mean that somebody has looked at it
        done = room.course("grade", NAME, *again)
        assert done.returncode == 1
        assert f"ada, {written}: a person gave 2, and the answer" in " ".join(done.stdout.split())
        assert look() == (2, True)


def test_points_a_date_and_a_released_problem_can_be_changed(room):
    assert room.scores() == {("ada", NAME): 3}
    room.nbgrader("db", "assignment", "add", NAME, "--duedate=2030-01-31 23:59 UTC")
    folder = room.folder / "solutions" / NAME
    checks = folder / "checks.py"
    before, after = 'Part("layers_needed", 2, depths)', 'Part("layers_needed", 4, depths)'
    assert before in checks.read_text(encoding="utf-8")
    checks.write_text(checks.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    notebook = nbformat.read(folder / f"{NAME}.ipynb", as_version=4)
    for cell in notebook.cells:
        if grade_id_of(cell) == "q2-points":
            cell.metadata.nbgrader.points = 5
        if "24 points" in cell.source:
            cell.source = cell.source.replace("24 points", "26 points")
        if grade_id_of(cell) == "q2-tests":
            cell.source += "\nprint('mended')"
    nbformat.write(notebook, folder / f"{NAME}.ipynb")
    room.nbgrader("generate_assignment", NAME, "--force")
    room.nbgrader("autograde", NAME, "--force")
    assert room.scores() == {("ada", NAME): 5}
    graded = nbformat.read(room.folder / "autograded" / "ada" / NAME / f"{NAME}.ipynb", as_version=4)
    [tests] = [cell for cell in graded.cells if grade_id_of(cell) == "q2-tests"]
    assert "mended" in tests.source
    with room.gradebook() as gradebook:
        assert gradebook.find_assignment(NAME).duedate.year == 2030
