"""What `solutions/README.md` says of changing a date, points or a released problem."""

import nbformat
import pytest

from course_lib.grading.bank import bank_answers
from course_lib.grading.problem_sets import grade_id_of
from tests.grading.classroom import BANK, Classroom

pytestmark = pytest.mark.needs("sandbox")
NAME = "ps01"


@pytest.fixture
def room(tmp_path):
    """A course in which one student has handed in a right answer to q2, and it was graded."""
    room = Classroom(tmp_path, [NAME])
    right = next(answer for answer in bank_answers(BANK / NAME / "q2", 3) if answer.is_right)
    room.hand_in("ada", NAME, {"q2": right})
    room.nbgrader("autograde", NAME)
    return room


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
