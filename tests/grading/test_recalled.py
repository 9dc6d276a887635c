"""What an instructor reads of what students chose to hand in of `course recall`."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from course_grading import recalled
from course_grading.recalled import collect, summary
from course_lib.cli import main
from course_lib.exercises.recall import Answer, load
from course_lib.exercises.recall.store import Kept, export

MONDAY = date(2026, 9, 14)
BANK = load()


def handed_in(path: Path, *answers: tuple[str, int, bool, str]) -> None:
    kept = Kept(
        1, tuple(Answer(name, MONDAY + timedelta(days=n), right, why) for name, n, right, why in answers)
    )
    export(kept, path, MONDAY)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    handed_in(
        tmp_path / "ada.json",
        ("ch01-reach", 0, False, "reach-of-a-window"),
        ("ch01-reach", 1, True, ""),
        ("ch01-fixed-memory", 1, True, ""),
        ("ch01-fixed-memory", 4, True, ""),
    )
    handed_in(
        tmp_path / "bob" / "recall.json",
        ("ch01-reach", 0, False, "reach-of-a-window"),
        ("ch01-fixed-memory", 0, True, ""),
        ("ch01-fixed-memory", 3, False, "memory-of-a-state"),
        ("ch99-gone", 3, False, "no-such-belief"),
    )
    return tmp_path


def test_how_each_did_which_questions_were_hard_and_what_was_believed(folder: Path) -> None:
    text = summary(collect([folder]))
    ada, bob = str(folder / "ada.json"), str(folder / "bob" / "recall.json")
    assert (
        f"{ada}: read to chapter 01; 4 answers on 3 days, 75 % right; remembered after three days or more: 1"
        in text
    )
    assert (
        f"{bob}: read to chapter 01; 3 answers on 2 days, 33 % right; remembered after three days or more: 0"
        in text
    )
    assert "  2 of 2  ch01-reach: Four convolutions, each with a kernel of size 5" in text
    assert "ch01-fixed-memory: " not in text, "bob knew it at first, and forgot it later"
    assert f"  2 of 2  reach-of-a-window: {BANK.misconceptions['reach-of-a-window']}" in text
    assert f"  1 of 2  memory-of-a-state: {BANK.misconceptions['memory-of-a-state']}" in text
    assert "no-such-belief" not in text
    assert "<!--" not in text


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recalled", str(folder)]) == 0
    assert "Misconceptions, by how many students showed them:" in capsys.readouterr().out
    (folder / "essay.json").write_text('{"my": "essay"}')
    assert main(["recalled", str(folder), str(folder / "not-there.json")]) == 1
    out = capsys.readouterr().out
    assert f"{folder / 'essay.json'}: not read. not an export of answers" in out
    assert "not-there.json: not read." in out
    assert "ch01-reach" in out, "the others are read"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[" * 50_000,
        b'{"course_recall": "1"}',
        b'{"course_recall": "1", "format": 1, "read": 1, "answers": [["a", "2026-13-01", true, ""]]}',
        b'{"course_recall": "1", "format": 99, "read": 1, "answers": []}',
        b'{"course_recall": "1", "format": 1, "read": 1, "answers": [[{}, [], null, 0]]}',
    ],
)
def test_what_is_no_export_stops_nothing(folder: Path, content: bytes) -> None:
    (folder / "bad.json").write_bytes(content)
    found = collect([folder])
    assert list(found.refused) == [str(folder / "bad.json")]
    assert len(found.kept) == 2


def test_what_is_too_large_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalled, "MOST_BYTES", 50)
    assert len(collect([folder]).refused) == 2


def test_what_a_student_wrote_does_nothing_to_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = {"course_recall": "1", "format": 1, "read": 1}
    evil["answers"] = [["ch01-reach", "2026-09-14", False, "\x1b[2J"], ["\x1b[2J", "2026-09-14", False, ""]]
    (folder / "evil\x1b[2J.json").write_text(json.dumps(evil))
    main(["recalled", str(folder)])
    assert "\x1b" not in capsys.readouterr().out


def test_nothing_handed_in_is_said(tmp_path: Path) -> None:
    assert summary(collect([tmp_path])).startswith("Nothing to read")
