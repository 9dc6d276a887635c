"""`course recall` as a student uses it: by the keyboard alone, in a real terminal; nothing leaves the machine."""

import ast
import codecs
import fcntl
import json
import os
import pty
import re
import select
import socket
import struct
import subprocess
import sys
import termios
import time
from datetime import date
from pathlib import Path

import pytest

from course_lib.cli import main
from course_lib.exercises.recall import Answer, Store, load, todays
from course_lib.exercises.recall import bank as banks
from course_lib.exercises.recall.bank import Question, shown
from course_lib.exercises.recall.store import exported

ROOT = Path(__file__).resolve().parents[3]
BANK = load()


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assignments").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed_answer(question: Question, turn: int = 0, right: bool = True) -> str:
    """What a student types to answer rightly, or wrongly in a way that is foreseen."""
    if question.kind == "number":
        return f"{question.answer if right else question.wrong[0].value}"
    lines = shown(question, turn)
    if question.kind == "choice":
        return "abcdef"[lines.index(question.right if right else question.wrong[0].text)]
    order = list(question.lines)
    if not right:
        order.insert(question.wrong[0].puts[1], order.pop(question.wrong[0].puts[0]))
    return "".join("abcdef"[lines.index(line)] for line in order)


def play(monkeypatch: pytest.MonkeyPatch, *typed: str) -> list[str]:
    """Let `input` return these, then end as Ctrl-D does; return the list of prompts."""
    prompts, left = [], iter(typed)

    def answer(prompt: str = "") -> str:
        prompts.append(prompt)
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    return prompts


class Terminal:
    """A terminal of 80 columns in which a command runs."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.screen, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "course_lib.cli", *arguments],
            cwd=folder,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
        )
        os.close(other)
        self.shown = self.unread = ""
        self._decode = codecs.getincrementaldecoder("utf-8")().decode  # a sign may come in two pieces

    def until(self, words: str, seconds: float = 60) -> str:
        """Read until these words have come, however they are broken into lines; return what came."""
        wanted, end = re.compile(r"\s+".join(map(re.escape, words.split()))), time.monotonic() + seconds
        while not (found := wanted.search(plain(self.unread))):
            assert time.monotonic() < end, f"{words!r} did not come: {self.unread!r}"
            if select.select([self.screen], [], [], 0.2)[0]:
                try:
                    came = self._decode(os.read(self.screen, 4096))
                except OSError:  # the command has ended
                    raise AssertionError(f"{words!r} did not come: {self.unread!r}") from None
                self.unread, self.shown = self.unread + came, self.shown + came
        read = plain(self.unread)
        self.unread = read[found.end() :]
        return read[: found.end()]

    def type(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def end(self) -> int:
        code = self.process.wait(timeout=30)
        os.close(self.screen)
        return code


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


def in_one_line(question_text: str) -> str:
    return re.sub(r"\*", "", question_text)


# ---- in a real terminal ----


def test_a_sitting_by_the_keyboard_alone(course: Path) -> None:
    first, second, third, _ = todays(BANK, [], 1, date.today())
    terminal = Terminal(course, "recall")
    terminal.until("or Enter if none yet:")
    terminal.type("20\r")
    terminal.until("Type the number of a chapter")
    terminal.until("or Enter if none yet:")
    terminal.type("1\r")
    assert "Chapter 01, section 2. Question 1, 3 more today." in terminal.until(in_one_line(first.ask)[-30:])
    terminal.until("or d:")
    terminal.type("what?\r")
    assert "Ctrl-C or Ctrl-D ends" in " ".join(terminal.until("is saved.").split())
    terminal.until("or d:")
    terminal.type(f"{typed_answer(first, right=False)}\r")
    told = " ".join(terminal.until("comes again tomorrow.").split())
    assert "✗ Not right." in told
    assert in_one_line(first.wrong[0].says) in told
    assert in_one_line(first.right) in told
    terminal.until(in_one_line(second.ask)[-30:])
    terminal.type("\r")  # later
    terminal.until(in_one_line(third.ask)[-30:])
    terminal.type(f"{typed_answer(third)}\r")
    assert "✓ Right." in terminal.until("comes again in 3 days")
    terminal.type("\x03")  # Ctrl-C
    assert "2 answers saved." in terminal.until("goes on.")
    assert terminal.end() == 130
    kept = Store(course / "work").load()
    assert [(answer.question, answer.right) for answer in kept.answers] == [
        (first.id, False),
        (third.id, True),
    ]
    assert kept.answers[0].misconception == first.wrong[0].misconception
    assert kept.read == 1


def test_ctrl_d_ends_as_well_and_narrow_terminals_wrap(course: Path) -> None:
    terminal = Terminal(course, "recall", "--read", "2")
    fcntl.ioctl(terminal.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    terminal.until("a, b")
    terminal.type("\x04")
    assert "Nothing was answered." in terminal.until("goes on.")
    assert terminal.end() == 0
    assert max(map(len, plain(terminal.shown).splitlines())) <= 80


# ---- with the keys in a list ----


def test_a_day_to_its_end_and_nothing_twice(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting = todays(BANK, [], 1, date.today())
    play(monkeypatch, *(typed_answer(question) for question in waiting))
    assert main(["recall", "--read", "1"]) == 0
    out = capsys.readouterr().out
    assert "4 of 4 right. Nothing more today. The next questions come tomorrow." in " ".join(out.split())
    assert main(["recall"]) == 0
    assert "Nothing more today." in capsys.readouterr().out
    assert len(Store(course / "work").load().answers) == 4


def test_a_second_tab_does_not_ask_again(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third, fourth = todays(BANK, [], 1, date.today())
    other = Store(course / "work")

    def answer(prompt: str) -> str:
        n = len(other.load().answers)
        if n == 0:  # while the first is on the screen, another tab answers the second and the third
            for question in (second, third):
                other.add(Answer(question.id, date.today(), True), read=1)
            return typed_answer(first)
        return typed_answer(fourth)

    monkeypatch.setattr("builtins.input", answer)
    assert main(["recall", "--read", "1"]) == 0
    asked = [one.question for one in other.load().answers]
    assert asked == [second.id, third.id, first.id, fourth.id]
    assert in_one_line(second.ask)[:40] not in capsys.readouterr().out


@pytest.mark.parametrize("chapter", BANK.chapters)
def test_one_chapter_is_asked_as_a_whole(
    chapter: int, course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = BANK.of_chapter(chapter)
    play(monkeypatch, *(typed_answer(question) for question in questions))
    assert main(["recall", "--chapter", str(chapter)]) == 0
    said = f"{len(questions)} of {len(questions)} right. That was chapter {chapter:02}."
    assert said in capsys.readouterr().out
    assert Store(course / "work").load().read == chapter


@pytest.mark.parametrize("chapter", ["0", "15", "one"])
def test_what_is_no_chapter_is_refused(
    chapter: str, course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["recall", "--chapter", chapter])
    assert "expected a chapter from 1 to 14" in capsys.readouterr().err


def test_where_one_stands(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recall", "--status"]) == 0
    assert "No chapter is marked as read yet" in capsys.readouterr().out
    assert not (course / "work").exists(), "looking makes no file"
    first, second, *_ = todays(BANK, [], 1, date.today())
    play(monkeypatch, typed_answer(first), typed_answer(second, right=False))
    main(["recall", "--read", "1"])
    capsys.readouterr()
    assert main(["recall", "--status"]) == 0
    out = capsys.readouterr().out
    assert "Read so far: chapter 01.\nToday: 2 questions." in out
    assert re.search(r"^  1   1 day +1  █$", out, flags=re.MULTILINE)
    assert re.search(r"^  2   3 days +1  █$", out, flags=re.MULTILINE)
    assert re.search(rf"^ +1    2 of {len(BANK.of_chapter(1))}    1$", out, flags=re.MULTILINE)


def test_what_may_be_handed_in(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recall", "--export", "mine.json"]) == 1
    assert "nothing was answered yet" in capsys.readouterr().err
    first = todays(BANK, [], 1, date.today())[0]
    play(monkeypatch, typed_answer(first))
    main(["recall", "--read", "1"])
    capsys.readouterr()
    assert main(["recall", "--export", "mine.json"]) == 0
    assert "Your name is not in it." in " ".join(capsys.readouterr().out.split())
    assert [a.question for a in exported((course / "mine.json").read_text(encoding="utf-8")).answers] == [
        first.id
    ]
    (course / "other.json").write_text("{}")
    assert main(["recall", "--export", "other.json"]) == 1
    assert "choose another name" in capsys.readouterr().err


def test_a_damaged_store_is_told_and_the_day_goes_on(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (course / "work").mkdir()
    (course / "work" / "recall.json").write_text("{ half a fi")
    play(monkeypatch, "1")
    assert main(["recall"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "could not be read" in out
    assert "recall-damaged-1.json" in out
    assert (course / "work" / "recall-damaged-1.json").read_text() == "{ half a fi"
    assert json.loads((course / "work" / "recall.json").read_text())["read"] == 1


def test_outside_of_the_course_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere(start: Path | None = None) -> Path:
        raise FileNotFoundError("no folder assignments/ here")

    monkeypatch.setattr("course_lib.exercises.working_copies.course_folder", nowhere)
    assert main(["recall"]) == 1
    assert "no folder assignments/ here" in capsys.readouterr().err


def test_the_help_says_what_a_student_needs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["recall", "--help"])
    out = capsys.readouterr().out
    for words in (
        "--read",
        "--chapter",
        "--status",
        "--export",
        "Ctrl-C",
        "work/recall.json",
        "on this machine only",
    ):
        assert words in out


# ---- nothing leaves the machine ----


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(AssertionError):
        socket.socket()
    return


@pytest.mark.usefixtures("no_network")
def test_no_network_is_used(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = todays(BANK, [], 6, date.today())
    play(monkeypatch, *(typed_answer(question, right=n % 2 == 0) for n, question in enumerate(waiting)))
    assert main(["recall", "--read", "6"]) == 0
    assert main(["recall", "--status"]) == 0
    assert main(["recall", "--export", "mine.json"]) == 0
    assert len(Store(course / "work").load().answers) == len(waiting)


def test_no_module_of_it_imports_what_could_use_the_network() -> None:
    ways = {
        "socket",
        "ssl",
        "urllib",
        "http",
        "requests",
        "ftplib",
        "smtplib",
        "asyncio",
        "subprocess",
        "tornado",
    }
    paths = [*banks.HERE.glob("*.py"), ROOT / "course_lib/cli/recall.py"]
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & ways, path
    script = (banks.HERE / "widget.js").read_text(encoding="utf-8")
    assert not re.search(
        r"fetch|XMLHttp|WebSocket|sendBeacon|https?:|import\(|localStorage|innerHTML", script
    )
