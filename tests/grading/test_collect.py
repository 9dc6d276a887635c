"""The exchange: what strangers put into it stops nobody, costs nobody a point, and brings nobody what is not theirs."""

import logging
import os
import pwd
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.utils import notebook_hash
from traitlets.config import Config

from course_grading import exchange as exchange_module
from course_grading.exchange import Collect
from course_grading.intake import SECRET, TIMESTAMP, read_time
from tests.support.accounts import as_account, give
from tests.support.classroom import Classroom

NAME = "ps01"
ME = pwd.getpwuid(os.getuid()).pw_name
PAST, FUTURE = "2020-01-02 03:04:05.678901 UTC", "2099-01-02 03:04:05.678901 UTC"
CANARY = "what nobody but the instructor may read"


def key(number: int) -> str:
    """Return what nbgrader makes as the key to somebody's feedback."""
    return f"{number:02x}" * 64


def now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"


class Exchange:
    """An exchange, and a course that collects from it; students put things there as they like."""

    def __init__(self, base: Path) -> None:
        self.base, self.course = base, base / "course"
        self.inbound = base / "exchange" / "attention" / "inbound"
        self.inbound.mkdir(parents=True)
        self.number = 0

    def put(self, student: str, said: str = "", source: bytes = b"{}", end: str = "") -> Path:
        """Hand in; return the folder in the exchange."""
        self.number += 1
        folder = self.inbound / f"{student}+{NAME}+{said or now()}+{end or f'r{self.number}'}"
        folder.mkdir()
        (folder / f"{NAME}.ipynb").write_bytes(source)
        (folder / TIMESTAMP).write_text(said or now())
        (folder / SECRET).write_text(key(self.number))
        return folder

    def collected(self, student: str) -> Path:
        return self.course / "submitted" / student / NAME

    def collect(self, **options: object) -> None:
        """Collect in this process."""
        directory = CourseDirectory(
            root=str(self.course),
            course_id="attention",
            assignment_id=NAME,
            config=Config(CourseDirectory=options.pop("directory", {})),
        )
        Collect(
            coursedir=directory, root=str(self.base / "exchange"), log=logging.getLogger("collect"), **options
        ).start()


@pytest.fixture
def exchange(tmp_path, caplog):
    exchange = Exchange(tmp_path)
    exchange.course.mkdir()
    caplog.set_level(logging.INFO)
    return exchange


# ---- One account ----


def test_what_is_collected_is_the_notebook_the_time_and_the_key_and_closed_to_others(exchange):
    folder = exchange.put(ME, source=b"mine")
    (folder / "data.csv").write_text("1")
    (folder / f"{NAME}.ipynb").chmod(0o666)
    folder.chmod(0o777)
    exchange.collect()
    collected = exchange.collected(ME)
    assert sorted(os.listdir(collected)) == [f"{NAME}.ipynb", SECRET, TIMESTAMP]
    assert (collected / f"{NAME}.ipynb").read_bytes() == b"mine"
    assert (collected / SECRET).read_text() == key(1)
    for path in (collected, collected.parent, *collected.iterdir()):
        assert not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO), path


def test_who_grades_together_shares_what_is_collected(exchange):
    exchange.put(ME)
    exchange.collect(directory={"groupshared": True})
    assert stat.S_IMODE(exchange.collected(ME).stat().st_mode) == 0o2770
    assert stat.S_IMODE((exchange.collected(ME) / f"{NAME}.ipynb").stat().st_mode) == 0o660


def test_the_file_system_says_when_and_a_difference_is_told(exchange, caplog):
    before = datetime.now(UTC).replace(tzinfo=None)
    folder = exchange.put(ME, said=PAST)
    for path in (folder / f"{NAME}.ipynb", folder):
        os.utime(path, (0, 0))
    exchange.collect()
    said = read_time((exchange.collected(ME) / TIMESTAMP).read_text())
    assert (said - before).total_seconds() > -1
    assert (
        f"{ME}, {NAME}: the folder's name says that it was handed in at 2020-01-02 03:04 UTC" in caplog.text
    )


def test_an_exchange_that_was_restored_is_believed_if_one_says_so(exchange):
    exchange.put(ME, said=PAST)
    exchange.collect(believe_names=True)
    assert (exchange.collected(ME) / TIMESTAMP).read_text() == PAST


def test_the_last_that_came_is_taken_whatever_the_names_say(exchange):
    exchange.put(ME, said=FUTURE, source=b"first")
    time.sleep(0.02)
    exchange.put(ME, said=PAST, source=b"last")
    exchange.collect()
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"last"


def test_what_is_changed_after_it_was_handed_in_came_then(exchange):
    folder = exchange.put(ME, source=b"early")
    time.sleep(0.02)
    other = exchange.put(ME, source=b"between")
    time.sleep(0.02)
    (folder / f"{NAME}.ipynb").write_bytes(b"late")
    assert folder.stat().st_ctime < other.stat().st_ctime
    exchange.collect()
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"late"


def test_what_changes_while_it_is_collected_is_not_taken_with_an_early_time(exchange, monkeypatch, caplog):
    folder = exchange.put(ME, source=b"early")
    read = exchange_module.notebook_in

    def changed_meanwhile(*where):
        monkeypatch.undo()
        time.sleep(0.02)
        (folder / f"{NAME}.ipynb").write_bytes(b"late")
        return read(*where)

    monkeypatch.setattr(exchange_module, "notebook_in", changed_meanwhile)
    with pytest.raises(ExchangeError):
        exchange.collect()
    assert f"{ME}: it was changed while it was being collected: collect again" in caplog.text
    assert not exchange.collected(ME).exists()
    exchange.collect()
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"late"


def test_update_takes_what_is_newer_and_nothing_else_does(exchange, caplog):
    exchange.put(ME, source=b"first")
    exchange.collect()
    taken = exchange.collected(ME).stat().st_ino
    exchange.collect(update=True)
    assert exchange.collected(ME).stat().st_ino == taken
    assert "nothing newer" in caplog.text
    time.sleep(0.02)
    exchange.put(ME, source=b"second")
    exchange.collect()
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"first"
    (exchange.collected(ME) / "notes.txt").touch()
    exchange.collected(ME).chmod(0o455)  # as nbgrader's own collect left it
    exchange.collect(update=True)
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"second"
    assert os.listdir(exchange.collected(ME).parent) == [NAME]


def test_before_the_due_date_the_last_in_time_is_taken(exchange, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    exchange.put(ME, source=b"in time")
    time.sleep(0.02)
    due = datetime.now(UTC).replace(tzinfo=None)
    time.sleep(0.02)
    exchange.put(ME, source=b"late")
    with Gradebook(f"sqlite:///{exchange.course / 'gradebook.db'}", "attention") as gradebook:
        gradebook.add_assignment(NAME, duedate=due)
    exchange.collect()
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"late"
    exchange.collect(before_duedate=True)
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"in time"


def test_a_folder_that_is_taken_away_meanwhile_is_told(exchange, monkeypatch, caplog):
    folder, really = exchange.put(ME), Collect._chosen

    def choose(self, *arguments):
        shutil.rmtree(folder)
        return really(self, *arguments)

    monkeypatch.setattr(Collect, "_chosen", choose)
    with pytest.raises(ExchangeError, match="1 of what lies in"):
        exchange.collect()
    assert f"Not collected: {ME}: There is no {ME}" in caplog.text


def test_what_was_collected_stays_where_the_next_is_refused(exchange, caplog):
    exchange.put(ME, source=b"good")
    exchange.collect()
    time.sleep(0.02)
    folder = exchange.put(ME)
    (folder / f"{NAME}.ipynb").rename(folder / "mine.ipynb")
    with pytest.raises(ExchangeError):
        exchange.collect(update=True)
    assert "There is no ps01.ipynb in what was handed in; found: mine.ipynb (file)" in caplog.text
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"good"


def test_formgrader_s_button_collects_and_tells_the_same(exchange):
    exchange.put(ME, source=b"mine")
    (exchange.inbound / f"<b>+{NAME}+{PAST}+x").mkdir()
    settings = Config()
    settings.CourseDirectory.root, settings.CourseDirectory.course_id = str(exchange.course), "attention"
    settings.Exchange.root = str(exchange.base / "exchange")
    settings.ExchangeFactory.collect = "course_grading.exchange.Collect"
    told = NbGraderAPI(config=settings).collect(NAME)
    assert not told["success"]
    assert f"Not collected: <b>+{NAME}+" in told["log"]
    assert (exchange.collected(ME) / f"{NAME}.ipynb").read_bytes() == b"mine"


def test_without_an_exchange_one_sentence_is_said(tmp_path):
    exchange = Exchange(tmp_path)
    exchange.inbound.rmdir()
    with pytest.raises(ExchangeError, match="nbgrader release_assignment makes it"):
        exchange.collect()


# ---- Several accounts ----

HONEST = ("ada", "zoe")
TROUBLE = (
    "link", "linked-folder", "hard-link", "pipe", "socket", "folder", "unreadable", "closed", "loop", "large",
    "empty", "foreign", "odd-mode",
)  # fmt: skip
INSTRUCTOR = 19_999
USERS = {name: 20_000 + n for n, name in enumerate(["rival", "mallory", "late", *HONEST, *TROUBLE])}
BAD_NAMES = (
    f"late+{NAME}+no date+x",
    f"late+{NAME}+{'9' * 30}m+x",
    f"mal\udcff+{NAME}+{PAST}+x",
    f'<img src=x onerror="alert(1)">+{NAME}+{PAST}+x',
    f'b";document.title=("OWNED");"+{NAME}+{PAST}+x',
    f"esc\x1b]0;owned\x07+{NAME}+{PAST}+x",
    f"..+{NAME}+{PAST}+x",
    f"+{NAME}+{PAST}+x",
)


def make_trouble(exchange: Exchange, solution: Path) -> None:
    """Put into the exchange what each of these students is called after."""
    for student in TROUBLE:
        folder = exchange.put(student)
        path = folder / f"{NAME}.ipynb"
        if student not in ("unreadable", "closed", "odd-mode", "foreign"):
            path.unlink()
        if student == "link":
            path.symlink_to(solution)
        elif student == "linked-folder":
            shutil.rmtree(folder)
            folder.symlink_to(solution.parent)
        elif student == "hard-link":
            path.hardlink_to(exchange.base / "notes.txt")
        elif student == "pipe":
            os.mkfifo(path)
            (folder / TIMESTAMP).unlink()
            os.mkfifo(folder / TIMESTAMP)
        elif student == "socket":
            os.chdir(folder)
            socket.socket(socket.AF_UNIX).bind(path.name)
        elif student == "folder":
            path.mkdir()
        elif student == "loop":
            path.symlink_to(path.name)
            (folder / "around").symlink_to("..")
        elif student == "large":
            with path.open("wb") as file:
                file.truncate(10_000_001)


def give_away(exchange: Exchange) -> None:
    """Let everything belong to who would have made it."""
    for folder in exchange.inbound.iterdir():
        user = USERS.get(folder.name.split("+")[0], USERS["mallory"])
        for path in (folder, *(folder.rglob("*") if folder.is_dir() and not folder.is_symlink() else ())):
            if path.name != f"{NAME}.ipynb" or not path.is_file() or path.stat().st_nlink == 1:
                os.chown(path, user, user, follow_symlinks=False)
    for name, user in (("rival", "mallory"), ("mallory", "mallory")):
        for folder in exchange.inbound.glob(f"{name}+*+zz"):
            for path in (folder, *folder.iterdir()):
                os.chown(path, USERS[user], USERS[user])
    [foreign] = exchange.inbound.glob("foreign+*")
    os.chown(foreign / f"{NAME}.ipynb", USERS["mallory"], USERS["mallory"])
    for student, mode in (("closed", 0o700), ("odd-mode", 0o455)):
        [folder] = exchange.inbound.glob(f"{student}+*")
        folder.chmod(mode)
    [folder] = exchange.inbound.glob("unreadable+*")
    (folder / f"{NAME}.ipynb").chmod(0)


def by_instructor(exchange: Exchange, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command as an ordinary account, on a machine that knows the students' logins."""
    users = {"root": 0, "instructor": INSTRUCTOR, **USERS}
    passwd = exchange.base / "passwd"
    passwd.write_text("".join(f"{name}:x:{user}:{user}::/:/bin/sh\n" for name, user in users.items()))
    words = as_account(INSTRUCTOR, sys.executable, "-m", *command, instead={"/etc/passwd": passwd})
    home = {"HOME": str(exchange.base / "home"), "OMP_NUM_THREADS": "1"}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        words,
        cwd=exchange.course,
        env=os.environ | home | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def collected():
    """A class with everything in it that has ever stopped a collect, collected by the command."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    exchange = Exchange(folder)
    (exchange.base / "notes.txt").write_text(CANARY)
    for name in ("course", "home"):
        (exchange.base / name).mkdir()
    here = os.getcwd()
    exchange.room = Classroom(exchange.course, [NAME])
    with (exchange.course / "nbgrader_config.py").open("a") as file:
        file.write(f"\nc.Exchange.root = {str(exchange.base / 'exchange')!r}\n")
    released = (exchange.course / "assignments" / NAME / f"{NAME}.ipynb").read_bytes()
    for student in (*HONEST, "rival"):
        exchange.put(student, source=released)
    exchange.put("late", said=PAST, source=released)
    exchange.put("rival", said=FUTURE, end="zz")
    make_trouble(exchange, exchange.course / "solutions" / NAME / f"{NAME}.ipynb")
    for name in BAD_NAMES:
        (exchange.inbound / name).mkdir()
    os.chdir(here)
    for path in (exchange.course, exchange.base / "home"):
        give(path, INSTRUCTOR)
    give_away(exchange)
    for path in (exchange.base / "exchange", exchange.inbound.parent, exchange.inbound):
        os.chown(path, INSTRUCTOR, INSTRUCTOR)
    exchange.inbound.chmod(0o733)
    (exchange.base / "exchange").chmod(0o777)
    exchange.done = by_instructor(exchange, "nbgrader", "collect", NAME)
    yield exchange
    shutil.rmtree(folder)


@pytest.mark.needs("accounts")
def test_everybody_else_is_collected(collected):
    said = collected.done.stderr
    names = {path.parent.name for path in (collected.course / "submitted").glob(f"*/{NAME}")}
    assert names == {*HONEST, "rival", "late", "odd-mode"}, said
    assert "Traceback" not in said
    released = (collected.course / "assignments" / NAME / f"{NAME}.ipynb").read_bytes()
    for student in (*HONEST, "rival", "late"):
        assert (collected.collected(student) / f"{NAME}.ipynb").read_bytes() == released
    for path in (collected.course / "submitted").rglob("*"):
        assert not stat.S_IMODE(path.lstat().st_mode) & 0o077, path
        assert path.lstat().st_mode & 0o400
        assert path.lstat().st_uid == INSTRUCTOR


@pytest.mark.needs("accounts")
def test_what_was_refused_is_listed_and_the_exit_status_says_so(collected):
    said = collected.done.stderr
    assert collected.done.returncode == 1
    for student, why in {
        "link": "ps01.ipynb is a symbolic link",
        "hard-link": "ps01.ipynb is a hard link",
        "pipe": "ps01.ipynb is a pipe",
        "socket": "ps01.ipynb is a socket",
        "folder": "ps01.ipynb is a folder",
        "unreadable": "ps01.ipynb cannot be opened: Permission denied",
        "closed": "cannot be opened: Permission denied",
        "loop": "ps01.ipynb is a symbolic link",
        "large": "ps01.ipynb is a file of more than 10 MB",
        "empty": "There is no ps01.ipynb in what was handed in",
        "foreign": "ps01.ipynb belongs to somebody else",
    }.items():
        assert re.search(rf"Not collected: {student}: .*{re.escape(why)}", said), said
    assert re.search(r"Not collected: linked-folder\+.*: it is a symbolic link, and no folder", said)
    assert re.search(r"Not collected: rival\+.*\+zz: it names rival, and belongs to mallory", said)
    assert said.count("its name is not as nbgrader makes them") == len(BAD_NAMES)
    assert len(re.findall("Not collected: ", said)) == len(TROUBLE) - 1 + 1 + len(BAD_NAMES)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", said.replace("\x1b[", ""))


@pytest.mark.needs("accounts")
def test_who_says_an_earlier_time_is_late_all_the_same(collected):
    time_said = read_time((collected.collected("late") / TIMESTAMP).read_text())
    assert time_said.year > 2020
    assert (
        "late, ps01: the folder's name says that it was handed in at 2020-01-02 03:04 UTC"
        in collected.done.stderr
    )


@pytest.mark.needs("accounts")
def test_the_same_key_in_two_hands_opens_nothing(collected):
    submissions = collected.course / "submitted"
    for student in ("rival", "late", *HONEST):
        page = collected.course / "feedback" / student / NAME / f"{NAME}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"For {student}.")
    released = collected.base / "exchange" / "attention" / "feedback"
    path = {student: released / f"{notebook_hash(secret=key_of(submissions, student), notebook_id=NAME)}.html"
            for student in ("rival", "late", *HONEST)}  # fmt: skip

    def release():
        give(collected.course, INSTRUCTOR)
        return by_instructor(collected, "nbgrader", "release_feedback", NAME)

    done = release()
    assert done.returncode == 0, done.stderr
    for student, place in path.items():
        assert place.read_text() == f"For {student}."
        assert stat.S_IMODE(place.stat().st_mode) == 0o644
    (submissions / "late" / NAME / SECRET).write_text(key_of(submissions, "rival"))
    done = release()
    assert done.returncode == 1
    assert "late, rival: somebody else handed in the same key" in done.stderr
    assert not path["rival"].exists()
    assert sorted(released.iterdir()) == sorted(path[student] for student in ("late", *HONEST))


def key_of(submissions: Path, student: str) -> str:
    return (submissions / student / NAME / SECRET).read_text()
