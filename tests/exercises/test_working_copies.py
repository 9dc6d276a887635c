"""A student's own copies of the problem sets."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course_grading.problem_sets import grade_id_of, load_problem_set
from course_lib.cli import main
from course_lib.exercises import working_copies
from tests.support.classroom import ROOT, WRITTEN, Classroom

NAME = "ps01"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course's folder as a student has it, and the way into it."""
    (tmp_path / "assignments").symlink_to(ROOT / "assignments")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(path: Path, answers: dict[str, str]) -> None:
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id_of(cell), cell.source)
    nbformat.write(notebook, path)


def test_a_copy_is_what_was_released_and_is_never_overwritten(course, capsys):
    assert main(["start", NAME]) == 0
    copy = course / "work" / NAME / f"{NAME}.ipynb"
    assert copy.read_bytes() == (ROOT / "assignments" / NAME / f"{NAME}.ipynb").read_bytes()
    assert (course / "work").stat().st_mode & 0o077 == 0, "other accounts see nothing of it"
    copy.write_text("mine", encoding="utf-8")
    assert main(["start", NAME]) == 1
    assert "--anew" in capsys.readouterr().err
    assert copy.read_text(encoding="utf-8") == "mine"
    assert main(["start", NAME, "--anew"]) == 0
    assert (course / "work" / f"{NAME}-earlier-1" / copy.name).read_text(encoding="utf-8") == "mine"
    assert copy.read_bytes() == (ROOT / "assignments" / NAME / f"{NAME}.ipynb").read_bytes()


def test_copies_are_found_from_a_folder_within_the_course(course, monkeypatch):
    main(["start", NAME])
    monkeypatch.chdir(course / "work" / NAME)
    assert working_copies.course_folder() == course.resolve()


def test_what_there_is_is_listed(course, capsys):
    main(["start", NAME])
    capsys.readouterr()
    assert main(["start"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in lines] == sorted(path.name for path in (ROOT / "assignments").iterdir())
    assert [line.endswith("(started)") for line in lines] == [line.startswith(NAME) for line in lines]


@pytest.mark.parametrize("arguments", [["start", "ps99"], ["check", NAME], ["check", "no.ipynb"]])
def test_what_is_not_there_is_told_in_a_sentence(course, capsys, arguments):
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"course {arguments[0]}: ")
    assert len(told.splitlines()) == 1


def test_check_tells_of_each_question_how_far_it_is(course, capfd):
    main(["start", NAME])
    ours = load_problem_set(ROOT / "solutions" / NAME)
    path = course / "work" / NAME / f"{NAME}.ipynb"
    flipped = (ROOT / "tests" / "bank" / NAME / "q1" / "wrong_flipped.py").read_text(encoding="utf-8")
    endless = "def rnn_states(x, W_x, W_h, b, h0):\n    raise SystemExit"
    answer(path, {"q1": flipped, "q2": ours.solution("q2"), "q3": endless, "q6": WRITTEN})
    before = path.read_bytes()
    capfd.readouterr()
    assert main(["check", NAME]) == 1
    out = capfd.readouterr().out
    states = dict(re.findall(r"^[✓✗] (q\w+) +.*: ([a-z ]+)$", out, re.MULTILINE))
    assert states == {
        "q1": "not yet",
        "q2": "passes",
        "q3": "not yet",
        "q4a": "not begun",
        "q4": "not begun",
        "q5": "not begun",
        "q6": "written",
    }
    assert "back to front" in out.partition("q2")[0]
    assert out.splitlines()[-1] == "5 to do."
    assert path.read_bytes() == before


def test_check_is_content_when_all_is_there(course, capfd):
    main(["start", NAME])
    ours = load_problem_set(ROOT / "solutions" / NAME)
    answers = {name: ours.solution(name) for name in ours.questions}
    answer(course / "work" / NAME / f"{NAME}.ipynb", answers | {"q6": WRITTEN})
    assert main(["check", NAME]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "Everything is there."


def reports(course, answers, seconds=60):
    """Check a copy with the course's answers, but for these; return states and messages by question."""
    main(["start", NAME])
    ours = load_problem_set(ROOT / "solutions" / NAME)
    path = course / "work" / NAME / f"{NAME}.ipynb"
    answer(path, {name: ours.solution(name) for name in ours.questions} | {"q6": WRITTEN} | answers)
    found = list(working_copies.check(path, seconds_a_cell=seconds))
    return {report.name: report.state for report in found}, {report.name: report.message for report in found}


def test_a_cell_that_cannot_be_read_is_told_as_such(course):
    states, messages = reports(course, {"q1": "x = 1\ndef reverse(text)\n    return text"})
    assert {name for name, state in states.items() if state == "not yet"} == {"q1"}
    assert messages["q1"] == "Your cell stops with SyntaxError: expected ':' (line 2)."


def test_an_error_in_the_answers_cell_is_told_and_costs_nothing_if_the_tests_pass(course):
    ours = load_problem_set(ROOT / "solutions" / NAME)
    states, messages = reports(course, {"q1": "1 / 0", "q2": ours.solution("q2") + "\n\n1 / 0"})
    assert states["q1"] == "not yet"
    assert messages["q1"] == "Your cell stops with ZeroDivisionError: division by zero."
    assert states["q2"] == "passes"
    assert messages["q2"] == ""
    assert {*states.values()} == {"not yet", "passes", "written"}


@pytest.mark.parametrize(
    "endless", ["def rnn_states(*given):\n    while True:\n        pass", "while True:\n    pass"]
)
@pytest.mark.share(2)
def test_what_comes_after_an_endless_loop_is_checked_with_all_other_answers(course, capfd, endless):
    states, messages = reports(course, {"q3": endless}, seconds=12)
    assert {name for name, state in states.items() if state == "not yet"} == {"q3"}
    assert messages["q3"] == "This cell was stopped after 12 seconds: does it ever end?"
    assert "Traceback" not in capfd.readouterr().err, "a kernel that is stopped says nothing"


def test_the_mark_of_an_unwritten_answer_is_nbgraders_stub():
    assert working_copies.STUB in (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")


def test_fetched_and_handed_in_through_nbgraders_exchange(tmp_path):
    room = Classroom(tmp_path, [NAME])
    exchange = f"--Exchange.root={tmp_path / 'exchange'}"
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)  # as nbgrader asks for
    room.nbgrader("release_assignment", NAME, exchange)
    student = tmp_path / "student"
    student.mkdir()

    def as_student(command: str) -> None:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        arguments = [sys.executable, "-m", "nbgrader", command, NAME, "--course=attention", exchange]
        subprocess.run(
            arguments, cwd=student, env=os.environ | {"PATH": path}, check=True, capture_output=True
        )

    as_student("fetch_assignment")
    fetched = student / NAME / f"{NAME}.ipynb"
    answer(fetched, {"q2": room.sets[NAME].solution("q2")})
    as_student("submit")
    room.nbgrader("collect", NAME, exchange)
    [collected] = (tmp_path / "submitted").glob(f"*/{NAME}/{NAME}.ipynb")
    assert collected.read_bytes() == fetched.read_bytes()
