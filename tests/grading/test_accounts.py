"""Three accounts on one machine: an instructor and two students, from set-up to feedback. Each reads only their own."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from course_grading.bank import bank_answers
from course_grading.problem_sets import load_problem_set
from course_lib.exercises.privacy import PRIVATE
from tests.support.accounts import as_account, give
from tests.support.classroom import BANK, ROOT, answered
from tests.support.editions import add_instructors_part, link_environment, unpack_students_edition

pytestmark = [pytest.mark.needs("accounts"), pytest.mark.needs("sandbox"), pytest.mark.share(3)]
NAME = "ps01"
USERS = {"prof": 21000, "ada": 21001, "ben": 21002, "assistant": 21003}
GROUPS = USERS | {"assistant": USERS["prof"]}
WORDS = {"ada": "An ant asks Ada.", "ben": "A bear bows to Ben."}  # by which their work is known

# Prints the files below a folder that the account can read and another owns, with what of `words` is in them.
LOOK = """
import os, sys
folder, *words = sys.argv[1:]
for parent, folders, files in os.walk(folder):
    for name in files:
        path = os.path.join(parent, name)
        try:
            if not os.path.islink(path) and os.stat(path).st_uid != os.geteuid():
                text = open(path, "rb").read()
                print(os.path.relpath(path, folder), *(word for word in words if word.encode() in text), sep="\\t")
        except OSError:
            pass
"""

# Runs a command as a terminal of JupyterLab does.
TERMINAL = """
import os, sys
sys.path.insert(0, "tools")
import lab
lab.keep_closed(lab.ROOT)
os.chdir(sys.argv[1])
os.execve(sys.argv[2], sys.argv[2:], lab.lab_environment())
"""


class Machine:
    """A machine with four accounts, whose home folders all may look into, as on Debian."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.exchange = folder, folder / "exchange"
        accounts = [
            f"{name}:x:{number}:{GROUPS[name]}::{folder / name}:/bin/sh\n" for name, number in USERS.items()
        ]
        (folder / "passwd").write_text(Path("/etc/passwd").read_text() + "".join(accounts))
        groups = "".join(f"{name}:x:{number}:\n" for name, number in USERS.items())
        (folder / "group").write_text(Path("/etc/group").read_text() + groups)
        for place in (self.exchange, folder / "tmp"):
            place.mkdir()
            place.chmod(0o1777)
        for name, number in USERS.items():
            (folder / name / "settings").mkdir(parents=True)
            if name != "assistant":
                unpack_students_edition(self.course(name))
                if name == "prof":
                    add_instructors_part(self.course(name))
                link_environment(self.course(name))
            exchange = f"c = get_config()\nc.Exchange.root = {str(self.exchange)!r}\n"
            (folder / name / "settings" / "nbgrader_config.py").write_text(exchange)
            open_as_on_debian(folder / name)
            give(folder / name, number)

    def course(self, name: str) -> Path:
        """Return the folder of somebody's course; the assistant has the instructor's."""
        return self.folder / ("prof" if name == "assistant" else name) / "course"

    def run(self, name: str, *command: str) -> str:
        """Run a command as somebody, in the folder of their course; return what it printed."""
        environment = {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "HOME": str(self.folder / name),
            "JUPYTER_CONFIG_DIR": str(self.folder / name / "settings"),
            "TMPDIR": str(self.folder / "tmp"),
            "OMP_NUM_THREADS": "1",
            "LANG": "C.UTF-8",
        }
        done = subprocess.run(
            as_account(
                USERS[name],
                *command,
                group=GROUPS[name],
                instead={f"/etc/{file}": self.folder / file for file in ("passwd", "group")},
            ),
            cwd=self.course(name),
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            umask=0o022,
            check=False,
        )
        assert done.returncode == 0, f"{name}: {' '.join(command)}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def nbgrader(self, name: str, *arguments: str) -> str:
        """Run a command of nbgrader's as somebody."""
        return self.run(name, sys.executable, "-m", "nbgrader", *arguments)

    def in_lab(self, student: str, folder: str, *arguments: str) -> str:
        """Run a module as a student does in a terminal of `make lab`, in a folder of their course."""
        return self.run(student, sys.executable, "-c", TERMINAL, folder, sys.executable, "-m", *arguments)

    def seen(self, name: str) -> dict[str, set[str]]:
        """Return others' files that somebody can read, with those of WORDS that are in them."""
        printed = self.run(name, sys.executable, "-c", LOOK, str(self.folder), *WORDS.values())
        lines = (line.split("\t") for line in printed.splitlines())
        return {path: set(words) for path, *words in lines}


def open_as_on_debian(folder: Path) -> None:
    """Give a folder and all in it the modes that they have where nobody has chosen a umask: 755 and 644."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))


@pytest.fixture(scope="module")
def machine():
    """The three when all is done, with what each step printed and what each could see after it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield Machine(folder)
    shutil.rmtree(folder)


def test_each_reads_only_their_own_from_set_up_to_feedback(machine):
    ours = load_problem_set(ROOT / "solutions" / NAME)
    right = {
        question: next(
            answer for answer in bank_answers(BANK / NAME / question, of.points) if answer.is_right
        )
        for question, of in ours.questions.items()
    }
    answers = {"ada": right, "ben": {name: right[name] for name in list(right)[:2]}}

    machine.nbgrader("prof", "generate_assignment", NAME, "--force")
    machine.nbgrader("prof", "release_assignment", NAME)
    nobody_sees_anothers(machine)
    for student in WORDS:
        machine.in_lab(student, ".", "course_lib.cli", "start", NAME)
        path = machine.course(student) / "work" / NAME / f"{NAME}.ipynb"
        answered(path, path, answers[student], WORDS[student])
        machine.in_lab(student, "work", "nbgrader", "submit", NAME, "--course", "attention")
    nobody_sees_anothers(machine)

    machine.nbgrader("prof", "collect", NAME)
    nobody_sees_anothers(machine)
    assert f"{NAME}: 2 graded" in machine.run("prof", sys.executable, "-m", "course_lib.cli", "grade", NAME)
    machine.nbgrader("prof", "generate_feedback", NAME)
    machine.nbgrader("prof", "release_feedback", NAME)
    machine.nbgrader("prof", "export")
    nobody_sees_anothers(machine)

    for student, chosen in answers.items():
        machine.in_lab(student, "work", "nbgrader", "fetch_feedback", NAME, "--course", "attention")
        [page] = (machine.course(student) / "work" / NAME / "feedback").glob(f"*/{NAME}.html")
        told = page.read_text(encoding="utf-8")
        assert f"(Score: {sum(answer.points for answer in chosen.values()):.1f} / " in told
        assert [other for other, words in WORDS.items() if words in told] == [student]
    nobody_sees_anothers(machine)


@pytest.mark.soak
def test_two_grade_one_course_together_and_students_read_nothing_of_it(machine):
    course = machine.course("prof")
    configuration = (course / "nbgrader_config.py").read_text(encoding="utf-8")
    begin, end = configuration.split("# Whatever reads these settings")
    shared = f"{begin}c.CourseDirectory.groupshared = True\n# {end}"
    (course / "nbgrader_config.py").write_text(shared, encoding="utf-8")
    machine.run("prof", "sh", "-c", "chgrp -R prof . && chmod -R g+rwX . && chmod g+s .")
    machine.nbgrader("prof", "generate_assignment", NAME, "--force")
    for student in WORDS:
        folder = course / "submitted" / student / NAME
        shutil.copytree(course / "assignments" / NAME, folder)
    give(course / "submitted", USERS["prof"])
    for who in ("prof", "assistant", "prof"):
        told = machine.run(who, sys.executable, "-m", "course_lib.cli", "grade", NAME, "--again")
        assert f"{NAME}: 2 graded" in told
        machine.nbgrader(who, "generate_feedback", NAME, "--force")
        machine.run(who, sys.executable, "-m", "course_lib.cli", "report", NAME)
        nobody_sees_anothers(machine)


def nobody_sees_anothers(machine):
    for student, words in WORDS.items():
        seen = machine.seen(student)
        assert "prof/course/README.md" in seen, "the look itself works"
        assert not {path: found for path, found in seen.items() if found - {words}}
        assert not [
            path for path in seen if any(Path(path).match(f"*/course/{private}/**") for private in PRIVATE)
        ]
