"""The board of the smallest layers: who stands on it, in which order, and what it never says."""

import json
import os
import re
from pathlib import Path

import pytest

from course_grading.board import collect, ranking
from course_lib.cli import main
from course_lib.exercises import smallest
from tests.support.smallest import one_hot, small


@pytest.fixture
def submitted(tmp_path: Path) -> Path:
    """Hand in as five students: two right ones, two that are not, and one who does not take part."""
    folder = tmp_path / "submitted"
    for student in ("s1", "s2", "s3", "s4", "s5"):
        (folder / student / "ps06").mkdir(parents=True)
    smallest.enter(one_hot(), "Ada", folder / "s1" / "ps06")
    smallest.enter(small(), "Bo", folder / "s2" / "ps06")
    boast = {"nickname": "Champion", "tables": {name: table.tolist() for name, table in small().items()}}
    boast["tables"]["U"][0][0] = -1.0
    (folder / "s3" / "ps06" / smallest.FILE).write_text(json.dumps(boast), encoding="utf-8")
    (folder / "s4" / "ps06" / smallest.FILE).write_text("[" * 100_000, encoding="utf-8")
    return folder


def test_the_fewest_numbers_stand_first(submitted: Path) -> None:
    assert ranking(collect([submitted])).splitlines() == ["1.  72 numbers  Bo", "2.  276 numbers  Ada"]


def test_what_is_not_right_is_told_and_stops_nothing(submitted: Path) -> None:
    refused = {Path(file).parts[-3]: why for file, why in collect([submitted]).refused.items()}
    assert set(refused) == {"s3", "s4"}
    assert re.match(r"[\d,]+ of 4,096 texts come out backwards", refused["s3"])
    assert refused["s4"].startswith("no entry")


def test_the_command_names_no_student_on_the_board(
    submitted: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(submitted.parent)
    assert main(["board"]) == 1
    out, err = capsys.readouterr()
    assert out == "1.  72 numbers  Bo\n2.  276 numbers  Ada\n"
    assert "s3" in err
    assert "s4" in err


@pytest.mark.parametrize(
    ("held", "why"),
    [
        ('{"nickname": "A", "tables": {}}', "letters is missing"),
        ('{"nickname": "A"}', "no entry"),
        ('{"nickname": "A", "tables": 3}', "no entry"),
        ("no json", "no entry"),
        ("null", "no entry"),
        ("x" * 1_000_001, "more than 1,000,000 bytes"),
        (json.dumps({"nickname": "A", "tables": {"letters": [[10**400]]}}), "letters is no table of numbers"),
    ],
)
def test_a_damaged_file(held: str, why: str, tmp_path: Path) -> None:
    (tmp_path / smallest.FILE).write_text(held, encoding="utf-8")
    (told,) = collect([tmp_path]).refused.values()
    assert why in told


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_neither_followed_nor_waited_for(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "s1" / smallest.FILE
    path.parent.mkdir()
    smallest.enter(small(), "Bo", tmp_path / "elsewhere")
    if kind == "link":
        path.symlink_to(tmp_path / "elsewhere" / smallest.FILE)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    found = collect([path.parent])
    assert not found.entries
    assert "no file of its own" in found.refused[str(path)]


def test_a_nickname_does_nothing_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = {
        "nickname": "\x1b[2J\nfirst",
        "tables": {name: table.tolist() for name, table in small().items()},
    }
    (tmp_path / smallest.FILE).write_text(json.dumps(entry), encoding="utf-8")
    assert main(["board", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1.  72 numbers  ?[2J first\n"


def test_nobody_has_entered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("No entry: give folders")
