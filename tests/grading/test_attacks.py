"""A class full of attackers, graded as an instructor grades: none gains, reads, changes or leaves anything.

`make test` takes a twelfth of the attacks, which twelfth by HYPOTHESIS_SEED; where root runs it, half of these meet
root, and half an ordinary user who grades. `make soak` takes what is left where no seed is given.
"""

import hashlib
import json
import os
import re
import secrets
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course_grading.bank import bank_answers
from course_grading.records import Record, load_record, record_path
from course_grading.walls import EXCHANGE
from tests.grading.attacks import answer, cheat, escape, exhaust, forge, hand_in, kill, leave, read
from tests.support.classroom import BANK, ROOT, Classroom

pytestmark = pytest.mark.needs("sandbox")

NAME, QUESTION = "ps01", "q2"
HONEST, RIVAL = ("aa-honest", "zz-honest"), "rival"
ORDINARY = "12345"
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
)
TWELFTH = int(os.environ.get("HYPOTHESIS_SEED", "0")) % 12
USERS = ["root", "ordinary"] if os.getuid() == 0 else ["ordinary"]
LIMITS = """
c.Limits.seconds_a_cell = 2
c.Limits.seconds_a_request = 1.5
c.Limits.seconds = 20
c.Limits.memory = 600_000_000
c.Limits.file_size = 10_000_000
"""
CELLS = {
    name: source
    for theme in (cheat, escape, exhaust, forge, kill, leave, read)
    for name, source in theme.ATTACKS.items()
}
ATTACKS = sorted([*CELLS, *answer.ANSWERS, *hand_in.NOTEBOOKS, *hand_in.FOLDERS])


def pairs(attacks: Sequence[str]) -> list[Any]:
    """Pair users who grade with attacks."""
    return [
        pytest.param(
            user,
            attack,
            id=f"{user}-{attack}",
            marks=[]
            if number % 12 == TWELFTH and (turn + number // 12) % len(USERS) == 0
            else pytest.mark.soak,
        )
        for turn, user in enumerate(USERS)
        for number, attack in enumerate(attacks)
    ]


PRELUDE = """
import os
if not os.path.exists("/sandbox_server.py"):
    raise SystemExit("SUCCEEDED: not in the sandbox")  # a fuse: what follows is for sandboxes alone
def attempt(what, function, *arguments):
    try:
        print("SUCCEEDED:", what, repr(function(*arguments))[:200])
    except BaseException as error:
        print("refused:", what, type(error).__name__, str(error)[:100])
"""
MADE_BADLY = {
    "NameError",
    "SyntaxError",
    "IndentationError",
    "ImportError",
    "AttributeError",
    "TypeError",
    "AssertionError",
    "ValueError",
}
REFUSED = {name: "refused" for name in (
    "links-to-the-solution", "links-to-a-rival", "links-its-folder", "hard-link", "pipe", "folder", "device",
    "socket-file", "huge-file",
)}  # fmt: skip
BROKEN = {name: "broken" for name in (
    "wide-json", "deep-json", "long-numbers", "no-text", "empty", "old-format-bomb", "has-too-many-cells",
)}  # fmt: skip
EXPECTED = REFUSED | BROKEN
SOURCES_THAT_DO_NOT_RUN = {"no-python", "zero-bytes-in-source", "deep-source", "magic-in-source"}


# ---- The class ----


def canary() -> str:
    """Return what nobody finds by chance."""
    return f"CANARY-{secrets.token_hex(16)}"


class Ear:
    """Listens at this machine's network for what attackers send."""

    def __init__(self, folder: Path, mark: str) -> None:
        self.heard: list[bytes] = []
        tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(type=socket.SOCK_DGRAM)
        self.port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", self.port))
        self._sockets = [tcp, udp]
        for address in (f"\0{mark}", str(folder / "ear")):
            local = socket.socket(socket.AF_UNIX)
            local.bind(address)
            local.listen()
            self._sockets.append(local)
        os.chmod(folder / "ear", 0o777)

    def listen(self) -> None:
        """Collect what has come."""
        for ear in self._sockets:
            ear.setblocking(False)
            try:
                while True:
                    self.heard.append(
                        ear.recv(100) if ear.type == socket.SOCK_DGRAM else ear.accept()[0].recv(0)
                    )
            except BlockingIOError:
                ear.close()


def hand_in_all(attacked: "Attacked") -> None:
    """Hand in two honest ones, their rival and the attacks."""
    room = attacked.room
    right = {
        name: next(
            a
            for a in bank_answers(BANK / NAME / name, question.points)
            if a.is_right and "torch" not in a.source
        )
        for name, question in room.sets[NAME].questions.items()
    }
    for student in (*HONEST, RIVAL):
        room.hand_in(student, NAME, right)
    places = {"COURSE": str(room.folder), "HOME_FOLDER": str(attacked.base / "home"), "NICE": os.nice(0)}
    places |= {"PORT": attacked.ear.port, "MARK": attacked.mark, "EXCHANGE": EXCHANGE}
    prelude = "".join(f"{name} = {value!r}\n" for name, value in places.items()) + PRELUDE
    for student in attacked.attacks:
        room.hand_in(student, NAME, {})
        path = room.folder / "submitted" / student / NAME / f"{NAME}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        if student in hand_in.NOTEBOOKS:
            hand_in.NOTEBOOKS[student](notebook)
        elif student in answer.ANSWERS:
            notebook.cells.insert(1, new_code_cell(prelude, id="prelude"))
            hand_in.cell_of(notebook, QUESTION).source = answer.ANSWERS[student]
        elif student in CELLS:
            notebook.cells.insert(1, new_code_cell(prelude + CELLS[student], id="attack"))
        path.write_text(json.dumps(notebook), encoding="utf-8", errors="surrogatepass")
        if student in hand_in.FOLDERS:
            hand_in.FOLDERS[student](path, room.folder)


def on_a_shared_machine(command: Sequence[str], base: Path, user: str) -> list[str]:
    """Return the command to run one where nbgrader's exchange and a disk hold what others handed in.

    Where root runs it for an ordinary user, root's own folders can be passed through.
    """
    walls = (
        ["bwrap", "--cap-add", "ALL", "--bind", "/", "/"]
        if os.getuid() == 0
        else ["bwrap", "--bind", "/", "/"]
    )
    if user == "ordinary" and os.getuid() == 0:
        walls = [
            "bwrap",
            "--cap-add",
            "CAP_SETUID",
            "--cap-add",
            "CAP_SETGID",
            "--perms",
            "1777",
            "--tmpfs",
            "/tmp",
        ]
        shown = [
            path
            for path in (*SYSTEM, sys.base_prefix, sys.base_exec_prefix, sys.prefix, str(ROOT))
            if os.path.exists(path)
        ]
        for path in (*dict.fromkeys(shown), str(base)):
            walls += [word for parent in reversed(Path(path).parents[:-1]) for word in ("--dir", str(parent))]
            walls += ["--bind" if path == str(base) else "--ro-bind", path, path]
        become = ["setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups"]
        command = [*become, *command]
    handed_in = str(base / "exchange")
    walls += [
        "--tmpfs",
        "/usr/local/share",
        "--dir",
        str(Path(EXCHANGE).parent),
        "--bind",
        handed_in,
        EXCHANGE,
    ]
    walls += [
        "--tmpfs",
        "/srv",
        "--bind",
        handed_in,
        "/srv/disk",
        "--bind",
        "/proc",
        "/proc",
        "--dev",
        "/dev",
    ]
    walls += ["--perms", "1777", "--tmpfs", "/dev/shm"]
    return [*walls, "--chdir", str(base / "course"), "--", *command]


IN_A_SESSION = """
import ctypes, os, platform, sys
add_key, keyctl = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
calls, token = ctypes.CDLL(None), sys.argv[1].encode()
calls.syscall(keyctl, 1, None)
assert calls.syscall(add_key, b"user", b"course", token, len(token), -3) > 0
os.execvp(sys.argv[2], sys.argv[2:])
"""  # the kernel's key store holds a secret, as after a login


def run(command: Sequence[str], base: Path, token: str) -> str:
    """Run a command in the course's folder, with secrets around it; return what it printed."""
    places = {"HOME": str(base / "home"), "TMPDIR": str(base / "tmp"), "COURSE_CANARY": token}
    places["JUPYTER_CONFIG_DIR"] = str(base / "closed")  # settings that this user may not read
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SESSION, token, *command],
        cwd=base / "course",
        env=os.environ | places | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr


def grade(base: Path, user: str, token: str, *arguments: str) -> str:
    """Run `course grade`; return what it printed."""
    command = [sys.executable, "-m", "course_lib.cli", "grade", NAME, "--quiet", "--jobs", "3", *arguments]
    if user == "ordinary" and os.getuid() == 0:
        subprocess.run(["chown", "-hR", f"{ORDINARY}:{ORDINARY}", str(base)], check=True)
    return run(on_a_shared_machine(command, base, user), base, token)


def files(base: Path) -> dict[str, str]:
    """Return what each file holds, but for what grading is there to write."""
    found = {}
    for path in sorted(base.rglob("*")):
        name = str(path.relative_to(base))
        if not re.match(r"course/(records|autograded|feedback|backups|gradebook\.db)|tmp/", name):
            found[name] = str(path.lstat().st_mode)
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 10**8:
                found[name] += hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def rows(base: Path) -> set[Any]:
    """Return all that stands in the gradebook."""
    with sqlite3.connect(base / "course" / "gradebook.db") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {(table, *row) for table in tables for row in database.execute(f"SELECT * FROM {table}")}


def left_running(base: Path, mark: str) -> list[str]:
    """Return the processes that attackers or their sandboxes left, once those that are ending had the time to."""
    until = time.monotonic() + 10
    while (found := list(running(base, mark))) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def running(base: Path, mark: str) -> Iterator[str]:
    for process in psutil.process_iter():
        try:
            mounts = Path(f"/proc/{process.pid}/mountinfo").read_text()
            if mark in process.cmdline() or f"{base.name}/tmp/course-sandbox" in mounts:
                yield f"{process.pid}: {' '.join(process.cmdline())[:200]}"
        except (psutil.Error, OSError):
            continue


@dataclass
class Attacked:
    """A class that is about to be graded, or was."""

    room: Classroom
    base: Path
    mark: str
    tokens: list[str]
    ear: Ear
    attacks: Sequence[str]
    before: tuple[dict[str, str], set[Any]] = ({}, set())
    printed: str = ""
    left: Sequence[str] = ()

    def record(self, student: str) -> Record:
        return load_record(record_path(self.room.folder, NAME, student))

    def notebook(self, student: str) -> NotebookNode | None:
        path = self.room.folder / "autograded" / student / NAME / f"{NAME}.ipynb"
        return nbformat.read(path, as_version=4) if path.exists() else None

    def told(self, student: str) -> str:
        """Return all that a submission's record and notebook hold, but for the source that the student wrote."""
        told = record_path(self.room.folder, NAME, student).read_text(encoding="utf-8")
        notebook = self.notebook(student)
        return told + "".join(str(cell.get("outputs", "")) for cell in (notebook.cells if notebook else []))


def prepare(base: Path, attacks: Sequence[str]) -> Attacked:
    """Make a class of attackers, with secrets all around."""
    for name in ("course", "home", "tmp", "exchange", "closed"):
        (base / name).mkdir(mode=0 if name == "closed" else 0o777)
    mark, tokens = str(31415926 * 10**9 + secrets.randbelow(10**9)), [canary() for _ in range(7)]
    room = Classroom(base / "course", [NAME])
    with (room.folder / "nbgrader_config.py").open("a") as file:
        file.write(LIMITS)
    attacked = Attacked(room, base, mark, tokens, Ear(room.folder, mark), attacks)
    hand_in_all(attacked)
    (base / "home" / "secrets.txt").write_text(tokens[0])
    (room.folder / "notes.txt").write_text(tokens[1])
    with (room.folder / "solutions" / NAME / "checks.py").open("a") as file:
        file.write(f"# {tokens[2]}\n")
    path = room.folder / "submitted" / RIVAL / NAME / f"{NAME}.ipynb"
    path.write_text(path.read_text().replace('"# Problem set', f'"# {tokens[3]} Problem set', 1))
    inbound = base / "exchange" / "attention" / "inbound" / f"{RIVAL}+{NAME}+2027-01-31 22:10:00 UTC"
    inbound.mkdir(parents=True)
    (inbound / f"{NAME}.ipynb").write_text(tokens[6])
    with room.gradebook() as gradebook:
        gradebook.update_or_create_student(RIVAL, last_name=tokens[4])
    return attacked


def attack(attacked: Attacked, user: str) -> None:
    """Grade the rival, then all."""
    base, token = attacked.base, attacked.tokens[5]
    grade(base, user, token, "--student", RIVAL)
    attacked.before = files(base), rows(base)
    attacked.printed = grade(base, user, token)
    records = [record_path(attacked.room.folder, NAME, student) for student in attacked.attacks]
    assert all(path.exists() for path in records), attacked.printed
    look_around(attacked)


def look_around(attacked: Attacked) -> None:
    """See what attackers left behind."""
    attacked.ear.listen()
    attacked.tokens.append((attacked.room.folder / "course.secret").read_text())
    attacked.left = left_running(attacked.base, attacked.mark)


@pytest.fixture(scope="module")
def all_attacked(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> dict[str, Attacked]:
    """The classes of those whom each user is to grade."""
    items = [
        item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")
    ]
    asked = {(item.callspec.params.get("user"), item.callspec.params.get("attack")) for item in items}
    prepared = {}
    for user in USERS:
        attacks = sorted(attack for by, attack in asked if by == user and attack)
        prepared[user] = prepare(tmp_path_factory.mktemp("attacked"), attacks)
    with ThreadPoolExecutor() as pool:
        list(pool.map(attack, prepared.values(), prepared))
    return prepared


@pytest.fixture(
    params=[pytest.param(user, marks=marks) for marks in ([], pytest.mark.soak) for user in USERS]
)
def user(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def outcome(user: str, all_attacked: dict[str, Attacked]) -> Attacked:
    return all_attacked[user]


# ---- What each attacker got ----


@pytest.mark.parametrize(("user", "attack"), pairs(ATTACKS))
def test_an_attack_gains_nothing_and_is_told_what_happened(outcome: Attacked, attack: str) -> None:
    record, told = outcome.record(attack), outcome.told(attack)
    assert record.points == 0
    assert record.status in ([EXPECTED[attack]] if attack in EXPECTED else ["graded", "interrupted"]), (
        record.message
    )
    assert record.message or record.status == "graded"
    assert all(part.message for verdict in record.verdicts for part in verdict.parts)
    assert bool(record.verdicts) == (attack not in EXPECTED)
    assert not re.findall(r"SUCCEEDED.{0,300}", told)
    assert not [token for token in outcome.tokens if token in told]


@pytest.mark.parametrize(
    ("user", "attack"),
    [pair for pair in pairs(ATTACKS) if pair.values[1] in CELLS or pair.values[1] in answer.ANSWERS],
)
def test_an_attack_was_really_made(outcome: Attacked, attack: str) -> None:
    notebook = outcome.notebook(attack)
    assert notebook is not None
    cells = {cell.id: cell for cell in notebook.cells}
    made = cells["attack" if attack in CELLS else "prelude"]
    errors = {output.ename: output.evalue for output in made.outputs if output.output_type == "error"}
    assert not (MADE_BADLY & set(errors)) or attack in ("exits", "quits", "error-flood"), errors
    if attack in answer.ANSWERS and attack not in SOURCES_THAT_DO_NOT_RUN:
        [verdict] = [verdict for verdict in outcome.record(attack).verdicts if verdict.question == QUESTION]
        assert not any("NameError" in message for message in verdict.messages), verdict.messages


# ---- What the others and the grader lost ----


def test_the_honest_have_all_their_points(outcome: Attacked) -> None:
    for student in (*HONEST, RIVAL):
        record = outcome.record(student)
        assert (record.points, record.status) == (record.out_of, "graded"), (record.message, record.verdicts)


def test_the_gradebook_says_the_same(outcome: Attacked) -> None:
    with outcome.room.gradebook() as gradebook:
        scores = {found.student.id: found.score for found in gradebook.assignment_submissions(NAME)}
    all_points = outcome.record(RIVAL).out_of
    assert {student: scores.pop(student) for student in (*HONEST, RIVAL)} == dict.fromkeys(
        (*HONEST, RIVAL), all_points
    )
    assert set(scores) == {name for name in outcome.attacks if name not in EXPECTED}
    assert not any(scores.values())


def test_nothing_foreign_changed(outcome: Attacked) -> None:
    files_before, rows_before = outcome.before
    assert files(outcome.base) == files_before
    assert not rows_before - rows(outcome.base)
    assert not list((outcome.base / "tmp").iterdir())
    graded = {path.name for path in (outcome.room.folder / "autograded").iterdir()}
    assert graded <= {*outcome.attacks, *HONEST, RIVAL}


def test_nothing_was_sent_out(outcome: Attacked) -> None:
    assert not outcome.ear.heard


def test_nothing_is_left_running(outcome: Attacked) -> None:
    assert not outcome.left


def test_what_is_printed_names_no_secret(outcome: Attacked) -> None:
    assert not [token for token in outcome.tokens if token in outcome.printed]
    assert "Traceback" not in outcome.printed


# ---- The same by nbgrader's own command ----

BY_NBGRADER = [  # one of each kind; `make soak` adds the others
    "links-to-the-solution", "forges-result", "writes-the-gradebook", "reads-files", "kills-its-group",
]  # fmt: skip
BY_NBGRADER_IN_SOAK = [
    "pipe", "pipe-beside-it", "link-beside-it", "skips-execution", "forges-outputs", "overwrites-a-rival",
    "reads-the-keyring", "kills-all", "exits-hard", "leaves-a-process", "leaves-an-orphan",
]  # fmt: skip
REFUSED_BY_NBGRADER = {"links-to-the-solution", "pipe"}


@pytest.fixture(scope="module")
def by_nbgrader(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Attacked:
    items = [item for item in request.session.items if "by_nbgrader" in getattr(item, "fixturenames", ())]
    asked = {item.callspec.params["attack"] for item in items if hasattr(item, "callspec")}
    attacked = prepare(tmp_path_factory.mktemp("attacked"), sorted(asked))
    nbgrader = [sys.executable, "-m", "nbgrader"]
    run([*nbgrader, "autograde", NAME, "--student", RIVAL], attacked.base, attacked.tokens[5])
    attacked.before = files(attacked.base), rows(attacked.base)
    attacked.printed = run([*nbgrader, "autograde", NAME], attacked.base, attacked.tokens[5])
    attacked.printed += run([*nbgrader, "generate_feedback", NAME], attacked.base, attacked.tokens[5])
    look_around(attacked)
    return attacked


@pytest.mark.parametrize(
    "attack",
    [*BY_NBGRADER, *(pytest.param(name, marks=pytest.mark.soak) for name in BY_NBGRADER_IN_SOAK)],
)
def test_an_attack_graded_by_nbgrader_gains_and_reads_nothing(by_nbgrader: Attacked, attack: str) -> None:
    folder = by_nbgrader.room.folder
    assert (by_nbgrader.notebook(attack) is None) == (attack in REFUSED_BY_NBGRADER)
    if attack in REFUSED_BY_NBGRADER:
        assert f"Not graded: {attack}: {NAME}.ipynb is a " in by_nbgrader.printed
        return
    told = by_nbgrader.told(attack)
    page = (folder / "feedback" / attack / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert by_nbgrader.record(attack).points == 0
    assert not re.findall(r"SUCCEEDED.{0,300}", told)
    assert not [token for token in by_nbgrader.tokens if token in told or token in page]


def test_attacks_graded_by_nbgrader_cost_the_others_nothing(by_nbgrader: Attacked) -> None:
    with by_nbgrader.room.gradebook() as gradebook:
        scores = {found.student.id: found.score for found in gradebook.assignment_submissions(NAME)}
    all_points = by_nbgrader.record(HONEST[0]).out_of
    assert {student: score for student, score in scores.items() if score} == dict.fromkeys(
        (*HONEST, RIVAL), all_points
    )
    assert not by_nbgrader.left
    assert not by_nbgrader.ear.heard
    assert not [token for token in by_nbgrader.tokens if token in by_nbgrader.printed]
    assert files(by_nbgrader.base) == by_nbgrader.before[0]
