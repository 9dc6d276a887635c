"""Nobody stops the class: whatever one hands in, or whatever fails for one, the others are graded."""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import Future
from pathlib import Path

import nbformat
import pytest

from course_grading import batch, course, intake
from course_grading.course import Course
from course_grading.intake import InvalidSubmissionError, read_submission
from course_grading.problem_sets import grade_id_of
from course_grading.records import load_record, record_path, save_record
from tests.support.accounts import give
from tests.support.classroom import Classroom
from tests.support.grading import GradeHere, Here, change_answer

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.share(3)]
NAME = "ps01"
HALVES = """
import IPython
def receptive_field(k, n_layers):
    raise ValueError("half of a character: \\ud800 and \\x1b[2J\\x07")
def layers_needed(distance, k):
    return "\\udfff"
print("\\ud800")
IPython.display.display({"text/plain": "\\ud800"}, raw=True)
raise KeyError("\\ud800")
"""


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """A class of three, who have answered nothing."""
    room = Classroom(tmp_path_factory.mktemp("course"), [NAME])
    for student in ("ada", "mallory", "zoe"):
        room.hand_in(student, NAME, {})
    return room


@pytest.fixture
def room(handed_in, tmp_path):
    return handed_in.copied(tmp_path)


@pytest.fixture
def grade_here(monkeypatch):
    return GradeHere(monkeypatch)


def statuses(room):
    found = {}
    for student in ("ada", "mallory", "zoe"):
        path = record_path(room.folder, NAME, student)
        found[student] = load_record(path).status if path.exists() else None
    return found


OTHERS = {"ada": "graded", "zoe": "graded"}


def test_halves_of_characters_are_told_as_question_marks(room, grade_here, capsys):
    change_answer(room, "mallory", "q2", HALVES)
    assert grade_here(room.folder) == 0
    assert statuses(room) == {**OTHERS, "mallory": "graded"}
    said = capsys.readouterr().out
    assert said.isprintable() or not {"\x1b", "\x07", "\ud800"} & set(said)
    for path in room.folder.rglob("*"):
        if path.is_file() and path.suffix in (".json", ".ipynb"):
            path.read_text(encoding="utf-8").encode("utf-8")
    room.nbgrader("autograde", NAME, "--force")
    room.nbgrader("generate_feedback", NAME)
    assert (room.folder / "feedback" / "mallory" / NAME / f"{NAME}.html").exists()


def test_what_a_checker_s_message_quotes_can_be_half_a_character(room, grade_here):
    with (room.folder / "solutions" / NAME / "checks.py").open("a") as checks:
        checks.write(
            "\nimport dataclasses\n"
            "half = lambda *_: 'half: \\ud800'\n"
            "QUESTIONS = [dataclasses.replace(q, accepts=half, reference=None) for q in QUESTIONS]\n"
        )
    change_answer(room, "mallory", "q2", "def receptive_field(k, n_layers):\n    return 1\n")
    assert grade_here(room.folder) == 0
    assert statuses(room) == {**OTHERS, "mallory": "graded"}


@pytest.mark.parametrize("fails", ["record_grade", "save_record"])
def test_what_cannot_be_kept_of_one_is_that_one_s_failure(room, grade_here, monkeypatch, capsys, fails):
    def fail(*arguments):
        if "mallory" in str(arguments):
            raise OSError(28, "No space left on device")
        return really(*arguments)

    if fails == "record_grade":
        really = Course.record_grade
        monkeypatch.setattr(Course, "record_grade", fail)
    else:
        really = save_record
        monkeypatch.setattr(batch, "save_record", fail)
    assert grade_here(room.folder) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "2 graded, 1 failed" in said
    assert "mallory: failed: It was run, but what came of it could not be kept: OSError" in said
    assert statuses(room) == {**OTHERS, "mallory": "failed" if fails == "record_grade" else None}
    monkeypatch.undo()
    assert GradeHere(monkeypatch)(room.folder) == 0
    assert statuses(room) == {**OTHERS, "mallory": "graded"}


class Breaks(Here):
    """An executor that cannot bring back what came of one job."""

    def submit(self, function, job):
        if job.student != "mallory":
            return super().submit(function, job)
        future: Future[object] = Future()
        future.set_exception(RecursionError("too deep to be sent"))
        return future


def test_what_goes_wrong_on_the_way_is_that_one_s_failure(room, grade_here, monkeypatch, capsys):
    grade_here._executor.__class__ = Breaks
    assert grade_here(room.folder) == 1
    printed = capsys.readouterr().out
    assert "mallory: failed: The grader failed, and not what was handed in: RecursionError" in printed
    assert statuses(room) == {**OTHERS, "mallory": "failed"}, printed


@pytest.mark.parametrize(
    "text",
    [
        b"9" * 30 + b"m",
        b"2027-01-01 00:00:00 /dev/zero",
        b"2027-01-01 00:00:00 ../../x",
        b"0001-01-01 +14:00",
        b"\xff",
    ],
)
def test_no_timestamp_stops_anybody(room, grade_here, text):
    (room.folder / "submitted" / "mallory" / NAME / intake.TIMESTAMP).write_bytes(text)
    assert grade_here(room.folder) == 0
    assert statuses(room) == {**OTHERS, "mallory": "graded"}


@pytest.mark.needs("accounts")
def test_a_folder_of_odd_modes_is_refused():
    user, base = 20_001, Path(tempfile.mkdtemp())
    folder = base / "submitted" / "mallory" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text("{}")
    give(base, user)
    folder.chmod(0o455)
    process = os.fork()
    if not process:  # since root may read anything
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        try:
            read_submission(folder, NAME)
        except InvalidSubmissionError as error:
            os._exit(0 if "cannot be read (Permission denied)" in str(error) else 2)
        except BaseException:
            os._exit(3)
        os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    shutil.rmtree(base)


def test_files_that_come_and_go_stop_nobody(room, grade_here, monkeypatch):
    really = intake._what_is

    def vanish(name, place):
        if name == "notes.txt":
            raise FileNotFoundError(2, "No such file or directory")
        return really(name, place)

    (room.folder / "submitted" / "mallory" / NAME / "notes.txt").touch()
    monkeypatch.setattr(intake, "_what_is", vanish)
    assert grade_here(room.folder) == 0
    assert statuses(room) == {**OTHERS, "mallory": "graded"}


BAD_NAMES = [
    "mal\udcff",
    '<img src=x onerror="alert(1)">',
    "esc\x1b]0;owned\x07",
    "two\nlines",
    "-rf",
    ".hidden",
    "a b",
]


def test_who_cannot_be_called_that_is_left_and_named(room, grade_here, capsys):
    for name in BAD_NAMES:
        shutil.copytree(room.folder / "submitted" / "ada", room.folder / "submitted" / name)
    assert grade_here(room.folder) == 1
    said = capsys.readouterr().out
    assert statuses(room) == {**OTHERS, "mallory": "graded"}
    assert said.count("no student can have this name") == len(BAD_NAMES)
    assert not {"\x1b", "\x07", "\udcff"} & set(said)
    command = [sys.executable, "-m", "nbgrader", "autograde", NAME, "--force"]
    done = subprocess.run(command, cwd=room.folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert done.stderr.count("no student can have this name") == len(BAD_NAMES)
    with room.gradebook() as gradebook:
        assert {student.id for student in gradebook.students} == {"ada", "mallory", "zoe"}
    room.nbgrader("export", "--to=grades.csv")
    assert "onerror" not in (room.folder / "grades.csv").read_text()


def test_what_is_handed_in_anew_while_a_run_is_on_is_graded_with_its_own_time(room, monkeypatch):
    """Before its turn has come; afterwards, the next run does it."""
    folder = room.folder / "submitted" / "zoe" / NAME
    (folder / intake.TIMESTAMP).write_text("2027-01-01 00:00:00 UTC")
    grade_here = GradeHere(monkeypatch)
    really = course.Course.back_up_gradebook

    def hand_in_anew(self):
        change_answer(room, "zoe", "q2", "new = 5\n")
        (folder / intake.TIMESTAMP).write_text("2027-01-09 00:00:00 UTC")
        return really(self)

    monkeypatch.setattr(course.Course, "back_up_gradebook", hand_in_anew)
    assert grade_here(room.folder) == 0
    graded = room.folder / "autograded" / "zoe" / NAME
    notebook = nbformat.read(graded / f"{NAME}.ipynb", as_version=4)
    assert [cell.source for cell in notebook.cells if grade_id_of(cell) == "q2"] == ["new = 5\n"]
    assert (graded / intake.TIMESTAMP).read_text() == "2027-01-09 00:00:00 UTC"
    with room.gradebook() as gradebook:
        assert gradebook.find_submission(NAME, "zoe").timestamp.day == 9
    monkeypatch.undo()
    grade_here = GradeHere(monkeypatch)
    assert grade_here(room.folder) == 0
    assert grade_here.students == []


def test_what_is_taken_away_before_its_turn_is_refused(room, grade_here, monkeypatch, capsys):
    really = course.Course.back_up_gradebook

    def take_away(self):
        shutil.rmtree(room.folder / "submitted" / "mallory" / NAME)
        return really(self)

    monkeypatch.setattr(course.Course, "back_up_gradebook", take_away)
    assert grade_here(room.folder) == 1
    assert statuses(room) == {**OTHERS, "mallory": "refused"}
    assert "mallory: refused: There is no ps01 in what was handed in" in capsys.readouterr().out
