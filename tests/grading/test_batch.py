"""A class through `course grade`: what comes of it, and that nothing is lost, done twice or left running.

Runs that are killed, or cross to other processes, are real commands. All others work in this process, on one sandbox.
"""

import contextlib
import csv
import os
import re
import shutil
import signal
import sqlite3
import subprocess
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from course_grading import batch, executors
from course_grading.course import Course
from course_grading.intake import read_submission
from course_grading.problem_sets import grade_id_of
from course_lib import cli
from course_lib.exercises.kernels import SECONDS_A_CELL
from tests.support.classroom import WRITTEN, Classroom, mixed_class
from tests.support.grading import (
    COMMAND,
    LONGEST_WAIT,
    NAME,
    GradeHere,
    change_answer,
    cluster,
    expected,
    grading,
    in_gradebook,
    points,
    recorded,
    said,
)

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.share(3)]
N_STUDENTS, SEED = 8, 20260105


# ---- The class ----


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A class that has handed in; nothing is graded."""
    room = Classroom(tmp_path_factory.mktemp("course"), [NAME])
    room.chosen = mixed_class(room.sets[NAME], N_STUDENTS, SEED)
    for student, answers in room.chosen.items():
        room.hand_in(student, NAME, answers, WRITTEN if student != "empty" else "")
    (room.folder / "course.secret").write_text("5f" * 32)  # the same questions each time
    return room


@pytest.fixture(scope="module")
def graded(released, tmp_path_factory):
    """The same, graded by the command."""
    room = released.copied(tmp_path_factory.mktemp("graded"))
    room.done = subprocess.run(COMMAND, cwd=room.folder, capture_output=True, text=True, check=False)
    return room


def verdict_texts(room: Classroom, student: str) -> dict[str, list[object]]:
    path = room.folder / "autograded" / student / NAME / f"{NAME}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    return {grade_id_of(cell): cell.outputs for cell in cells if grade_id_of(cell).endswith("-points")}


def results(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All that grading has written, with when."""
    files = [
        path
        for kind in ("records", "autograded")
        for path in (folder / kind).rglob("*.*")
        if path.name != ".lock"
    ]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files if path.is_file()}


# ---- Grading in this process ----


@pytest.fixture
def grade_here(monkeypatch):
    return GradeHere(monkeypatch)


# ---- What comes of it ----


def test_every_score_is_what_the_bank_says_wherever_it_is_written(graded):
    assert (graded.done.returncode, graded.done.stdout) == (0, f"{NAME}: {N_STUDENTS} graded\n")
    assert points(recorded(graded)) == in_gradebook(graded) == expected(graded)
    told = {student: record.verdicts for student, record in recorded(graded).items()}
    for student, answers in graded.chosen.items():
        for verdict in told[student]:
            answer = answers.get(verdict.question)
            assert not answer or answer.message in " ".join(verdict.messages)
    totals = {(student, NAME): sum(scores.values()) for student, scores in expected(graded).items()}
    assert graded.scores() == totals


def test_a_written_answer_waits_for_a_person(graded):
    with graded.gradebook() as gradebook:
        waiting = {
            submission.student_id
            for submission in gradebook.assignment_submissions(NAME)
            for grade in submission.notebooks[0].grades
            if grade.needs_manual_grade
        }
    assert waiting == set(graded.chosen) - {"empty"}


def test_the_bar_shows_what_is_done_the_rate_and_the_time_left(graded):
    assert re.search(
        rf"100%.* {N_STUDENTS}/{N_STUDENTS} \[\d\d:\d\d<\d\d:\d\d, +[\d.]+( submissions/s|s/ submissions)\]",
        graded.done.stderr,
    )
    assert "Warning" not in graded.done.stderr


def test_the_gradebook_as_it_was_before_is_kept(graded):
    [backup] = (graded.folder / "backups").glob("gradebook-*.db")
    with contextlib.closing(sqlite3.connect(backup)) as database:
        assert database.execute("select name from assignment").fetchall() == [(NAME,)]
        assert database.execute("select count(*) from submitted_assignment").fetchall() == [(0,)]


# ---- What is graded again, and what is not ----


def test_nothing_is_graded_twice_and_a_changed_submission_alone_again(graded, tmp_path, grade_here):
    room = graded.copied(tmp_path)
    before = results(room.folder)
    assert grade_here(room.folder) == 0
    assert (grade_here.students, results(room.folder)) == ([], before)
    change_answer(room, "empty", "q1", room.sets[NAME].solution("q1"))
    assert grade_here(room.folder) == 0
    assert grade_here.students == ["empty"]
    changed = {Path(path).stem for path, what in results(room.folder).items() if before[path] != what}
    assert changed == {"empty", NAME}
    assert (
        points(recorded(room))["empty"] == in_gradebook(room)["empty"] == expected(room)["empty"] | {"q1": 4}
    )


def test_the_same_secret_asks_the_same_and_another_something_else(graded, tmp_path, grade_here, capsys):
    room = graded.copied(tmp_path)
    some = [f"--student={student}" for student in sorted(room.chosen)[:2]]
    before = {student: record.verdicts for student, record in recorded(room).items()}
    assert grade_here(room.folder, "--again", *some) == 0
    asked = grade_here.heard
    assert len(grade_here.students) == 2
    assert grade_here(room.folder, "--again", *some) == 0
    assert grade_here.heard == asked
    assert {student: record.verdicts for student, record in recorded(room).items()} == before
    secret = room.folder / "course.secret"
    secret.write_text("00" * 32)
    assert grade_here(room.folder, *some) == 0
    assert len(grade_here.students) == 2
    assert not set(grade_here.heard) & set(asked)
    assert points(recorded(room)) == expected(room)
    secret.write_text("")
    assert grade_here(room.folder, *some) == 1
    assert f"{secret} is damaged: put it back from a copy" in capsys.readouterr().err


def test_what_was_handed_in_is_read_once(released, tmp_path, grade_here, monkeypatch):
    room, read = released.copied(tmp_path), Counter[str]()

    def count(folder, name):
        read[folder.parent.name] += 1
        return read_submission(folder, name)

    monkeypatch.setattr(batch, "read_submission", count)
    assert grade_here(room.folder, "--student=all-right", "--student=empty") == 0
    assert read == {"all-right": 1, "empty": 1}
    monkeypatch.setattr(executors, "local_pool", lambda n_workers: pytest.fail("no worker is needed"))
    assert grade_here(room.folder, "--student=all-right", "--student=empty") == 0
    assert read == {"all-right": 2, "empty": 2}


def test_a_configuration_of_an_earlier_version_grades_as_before(released, tmp_path, grade_here):
    room = released.copied(tmp_path)
    path = room.folder / "nbgrader_config.py"
    steps = "c.Autograde.autograde_preprocessors = ["
    text = path.read_text(encoding="utf-8")
    assert steps in text
    plugin = "course_grading.nbgrader_plugin"
    earlier = f'{steps}"{plugin}.Decide", "{plugin}.KeepMarks",'
    clean = f'c.Autograde.sanitize_preprocessors = ["{plugin}.Clean"]\n'
    path.write_text(text.replace(steps, clean + earlier), encoding="utf-8")
    assert grade_here(room.folder, "--student=all-right") == 0
    assert in_gradebook(room)["all-right"] == expected(room)["all-right"]


def test_only_those_who_are_named_are_graded(released, tmp_path, grade_here, capsys):
    room = released.copied(tmp_path)
    assert grade_here(room.folder, "--student=all-right", "--student=empty") == 0
    assert set(recorded(room)) == set(in_gradebook(room)) == {"all-right", "empty"}
    assert grade_here(room.folder, "--student=nobody") == 1
    assert "nothing of ps01 was handed in by nobody" in capsys.readouterr().err


def test_nbgrader_s_own_command_comes_to_the_same(graded, tmp_path, grade_here):
    room = graded.copied(tmp_path)
    before = {student: verdict_texts(room, student) for student in room.chosen}
    room.nbgrader("autograde", NAME, "--force", "--student=student-0[3-5]")
    by_nbgrader = {"student-03", "student-04", "student-05"}
    again = recorded(room)
    assert {student: record.key for student, record in again.items()} == {
        student: record.key for student, record in recorded(graded).items()
    }
    changed = {student for student, record in again.items() if record != recorded(graded)[student]}
    assert changed <= by_nbgrader  # in the seconds that it took
    assert {student: record.verdicts for student, record in again.items()} == {
        student: record.verdicts for student, record in recorded(graded).items()
    }
    assert {student: verdict_texts(room, student) for student in room.chosen} == before
    assert in_gradebook(room) == expected(room)
    assert grade_here(room.folder) == 0
    assert {student: verdict_texts(room, student) for student in room.chosen} == before
    assert in_gradebook(room) == points(recorded(room)) == expected(room)


# ---- Submissions that are trouble ----

DIES = "def receptive_field(k, n_layers):\n    import os\n    os._exit(1)\n"
NEVER_ENDS = "def bidirectional(x, forward, backward):\n    import time\n    time.sleep(3600)\n"
SULKS = "def receptive_field(k, n_layers):\n    return -12345\n"
CHECKS_THAT_FAIL = """
import dataclasses
from course_lib.exercises.hints import difference

def accept(answer, *arguments):
    if answer == -12345:
        raise ZeroDivisionError("that answer again")
    return difference(answer, either(*arguments), 2e-5)

QUESTIONS = [dataclasses.replace(q, accepts=accept) if q.name == "q2" else q for q in QUESTIONS]
"""


@pytest.fixture
def troubled(released, tmp_path):
    """Four of the class, and six more who hand in trouble."""
    room = released.copied(tmp_path)
    room.chosen = dict(list(released.chosen.items())[:4])
    for student in set(released.chosen) - set(room.chosen):
        shutil.rmtree(room.folder / "submitted" / student)
    with (room.folder / "solutions" / NAME / "checks.py").open("a", encoding="utf-8") as checks:
        checks.write(CHECKS_THAT_FAIL)
    paths = [room.folder / "submitted" / f"trouble-{n}" / NAME / f"{NAME}.ipynb" for n in range(6)]
    for path in paths:
        shutil.copytree(room.folder / "submitted" / "all-right" / NAME, path.parent)
    paths[0].write_text("See you tomorrow!", encoding="utf-8")
    paths[1].write_bytes(paths[1].read_bytes()[:-1000])
    paths[2].unlink()
    paths[2].symlink_to(room.folder / "solutions" / NAME / f"{NAME}.ipynb")
    for number, question, source in ((3, "q2", DIES), (4, "q5", NEVER_ENDS), (5, "q2", SULKS)):
        change_answer(room, f"trouble-{number}", question, source)
    return room


def test_trouble_is_told_and_costs_no_other_anything(troubled, grade_here, capsys):
    assert grade_here(troubled.folder) == 1
    records, shown = recorded(troubled), capsys.readouterr()
    status = {student: record.status for student, record in records.items()}
    trouble = ["broken", "broken", "refused", "interrupted", "interrupted", "graded"]
    assert status == dict.fromkeys(troubled.chosen, "graded") | {
        f"trouble-{number}": kind for number, kind in enumerate(trouble)
    }
    told = [records[f"trouble-{number}"].message for number in range(5)]
    for text, words in zip(
        told,
        (
            "the file is damaged from line 1",
            "the file is damaged from line",
            "symbolic link",
            "made Python itself die",
            "does it ever end?",
        ),
        strict=True,
    ):
        assert words in text
        assert " ".join(text.split()) in " ".join(shown.out.split())
    assert "5 graded, 2 broken, 2 interrupted, 1 refused" in shown.out
    assert "trouble-5, q2: a check stopped at this answer, so 0 may be too few." in shown.out
    assert re.search(r"broken=2.*", shown.err.splitlines()[-1])
    assert "interrupted=2" in re.findall(r"\w+=\d", shown.err)
    earned = points(records)
    assert earned["trouble-3"] == expected(troubled)["all-right"] | {"q2": 0}
    assert earned["trouble-4"] == expected(troubled)["all-right"] | {"q5": 0}
    assert in_gradebook(troubled) == expected(troubled) | {
        student: earned[student] for student in ("trouble-3", "trouble-4", "trouble-5")
    }
    troubled.nbgrader("export", "--to=grades.csv")
    with (troubled.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        [row] = [row for row in csv.DictReader(file) if row["student_id"] == "trouble-5"]
    assert (row["status"], row["score"]) == ("waits for a person", "")
    for trouble in ("trouble-0", "trouble-1", "trouble-2", "trouble-3", "trouble-4"):
        shutil.rmtree(troubled.folder / "submitted" / trouble)
    assert grade_here(troubled.folder, "--again", "--student=trouble-5") == 1
    with troubled.gradebook() as gradebook:  # as formgrader does when a person gives points
        grade = gradebook.find_grade("q2-points", NAME, NAME, "trouble-5")
        grade.manual_score, grade.needs_manual_grade = 1, False
        gradebook.db.commit()
    assert grade_here(troubled.folder, "--again", "--student=trouble-5") == 0


def nothing_handed_in(folder):
    shutil.rmtree(folder / "submitted")


def not_released(folder):
    shutil.rmtree(folder / "assignments")


def unknown_to_the_gradebook(folder):
    with contextlib.closing(sqlite3.connect(folder / "gradebook.db")) as database, database:
        database.execute("delete from notebook")


def no_course(folder):
    (folder / "nbgrader_config.py").unlink()


@pytest.mark.parametrize(
    ("what", "name", "said"),
    [
        (nothing_handed_in, NAME, "nothing of ps01 was handed in"),
        (not_released, NAME, "'nbgrader generate_assignment ps01' makes it"),
        (unknown_to_the_gradebook, NAME, "'nbgrader generate_assignment ps01 --force' tells it"),
        (no_course, NAME, "call this in the instructor's folder of the course"),
        (None, "ps77", "ps77.ipynb: 'nbgrader generate_assignment ps77' makes it"),
        (None, "../ps01", "'../ps01' is no name of a problem set, such as ps01"),
        (None, "*", "'*' is no name of a problem set, such as ps01"),
    ],
)
def test_what_cannot_be_graded_is_said_in_a_line_and_nothing_written(
    released, tmp_path, grade_here, capsys, what, name, said
):
    folder = released.copied(tmp_path).folder
    if what:
        what(folder)
    before = files(folder)
    assert grade_here(folder, name=name) == 1
    lines = [
        line
        for line in capsys.readouterr().err.splitlines()
        if " to other accounts on this machine" not in line
    ]
    assert len(lines) == 1
    assert said in lines[0]
    assert files(folder) == before


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != ".lock"}


# ---- Interrupted, killed, deserted ----


@pytest.mark.parametrize("how", [pytest.param(signal.SIGINT, marks=pytest.mark.soak), signal.SIGKILL])
def test_the_next_run_does_the_rest(released, tmp_path, grade_here, how):
    room = released.copied(tmp_path)
    endless = hand_in_what_never_ends(room)
    with grading(room, 3) as command:
        assert any(child.name() == "bwrap" for child in command.children(recursive=True))
        os.killpg(command.pid, how) if how == signal.SIGINT else command.kill()
    shutil.rmtree(endless)
    done, entered = recorded(room), in_gradebook(room)
    assert 3 <= len(done) < N_STUDENTS
    assert points(done).items() <= entered.items()
    if how == signal.SIGINT:
        assert command.wait() == 130
        assert said(room).endswith("\ncourse grade: stopped\n")
        assert "Traceback" not in said(room)
        assert set(entered) == set(done)
    assert grade_here(room.folder) == 0
    assert sorted([*grade_here.students, *done]) == sorted(room.chosen)
    assert points(recorded(room)) == in_gradebook(room) == expected(room)


def hand_in_what_never_ends(room: Classroom) -> Path:
    """Let the first of the class keep a worker busy for longer than anybody waits here; return what was handed in."""
    submitted = room.folder / "submitted"
    path = shutil.copytree(submitted / "all-right" / NAME, submitted / "a-endless" / NAME) / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[:0] = [
        new_code_cell("import time; time.sleep(3600)") for _ in range(1 + LONGEST_WAIT // SECONDS_A_CELL)
    ]
    nbformat.write(notebook, path)
    return path.parent.parent


def test_ctrl_c_waits_until_what_is_in_the_gradebook_has_its_record(
    released, tmp_path, grade_here, monkeypatch
):
    def record_and_press_ctrl_c(*arguments):
        record_grade(*arguments)
        signal.raise_signal(signal.SIGINT)

    room, record_grade = released.copied(tmp_path), Course.record_grade
    monkeypatch.setattr(Course, "record_grade", record_and_press_ctrl_c)
    assert grade_here(room.folder) == 130
    assert len(recorded(room)) == 1
    assert points(recorded(room)) == in_gradebook(room)


def test_a_worker_that_dies_costs_nobody_a_grade_and_a_second_command_waits_its_turn(
    released, tmp_path, grade_here, capsys
):
    room = released.copied(tmp_path)
    with grading(room, 2, "--jobs=2") as command:
        assert grade_here(room.folder) == 1
        assert "another 'course grade' is at work in this course" in capsys.readouterr().err
        workers = [child for child in command.children() if "spawn_main" in " ".join(child.cmdline())]
        workers[0].kill()
    assert command.wait() == 0, said(room)
    assert points(recorded(room)) == in_gradebook(room) == expected(room)


# ---- On a cluster ----


def test_a_cluster_comes_to_the_same_though_a_worker_dies(graded, released, tmp_path):
    room = released.copied(tmp_path)
    with (
        cluster(tmp_path) as (address, workers),
        grading(room, 3, f"--scheduler={address}") as command,
    ):
        workers[0].kill()
    assert command.wait() == 0, said(room)
    here, there = recorded(graded), recorded(room)
    assert {student: record.verdicts for student, record in there.items()} == {
        student: record.verdicts for student, record in here.items()
    }
    assert in_gradebook(room) == expected(room)


def certificate(folder: Path, name: str) -> dict[str, Path]:
    """Make a certificate that vouches for itself, and its key."""
    files = {"cert": folder / f"{name}.pem", "key": folder / f"{name}.key"}
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}"]
    to = ["-days", "2", "-keyout", files["key"], "-out", files["cert"]]
    subprocess.run(["openssl", "req", "-x509", *kind, *to], check=True, capture_output=True)
    return files


def test_far_away_only_who_holds_the_certificate_may_take_part(released, tmp_path, monkeypatch, capsys):
    room = released.copied(tmp_path)
    ours, strangers = certificate(tmp_path, "course"), certificate(tmp_path, "stranger")
    monkeypatch.chdir(room.folder)
    files = [f"--tls-ca-file={ours['cert']}", f"--tls-cert={ours['cert']}", f"--tls-key={ours['key']}"]

    def grade(*arguments: object) -> tuple[int, str]:
        status = cli.main(["grade", NAME, "--student=all-right", *map(str, arguments)])
        return status, capsys.readouterr().err

    with cluster(tmp_path, *files) as (address, _):
        far = ("--scheduler", address, "--tls-ca", ours["cert"])
        for refused in (
            grade("--scheduler", address),
            grade(*far, "--tls-cert", strangers["cert"], "--tls-key", strangers["key"]),
        ):
            assert refused[0] == 1
            assert f"no scheduler that takes us answers at {address}" in refused[1]
        assert not recorded(room)
        assert grade(*far, "--tls-cert", ours["cert"], "--tls-key", ours["key"])[0] == 0
    assert points(recorded(room)) == {"all-right": expected(room)["all-right"]}
    status, error = grade("--scheduler", "tcp://192.0.2.1:8786")
    assert (status, error.count("\n")) == (1, 1)
    assert "only tls://… may carry checks and submissions there" in error
