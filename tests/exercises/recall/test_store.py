"""The file of answers: whole or not at all, one process at a time, put aside when damaged, handed in only by hand."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from course_lib.exercises.recall import Answer, Store
from course_lib.exercises.recall import store as stores
from course_lib.exercises.recall.store import Kept, StoreError, export, exported, kept_in, plain

MONDAY = date(2026, 9, 14)
ONE = Answer("ch01-reach", MONDAY, False, "reach-of-a-window")
TWO = Answer("ch02-shape", MONDAY, True)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "work")


def test_looking_makes_no_file(store: Store) -> None:
    assert store.load() == Kept()
    assert not store.folder.exists()


def test_what_is_added_is_there(store: Store) -> None:
    store.add(ONE, read=2)
    store.add(TWO)
    store.mark_read(1)  # earlier than what is known
    assert store.load() == Kept(2, (ONE, TWO))
    assert store.path.stat().st_mode & 0o077 == 0
    assert store.folder.stat().st_mode & 0o077 == 0, "other accounts see nothing of it"
    assert {path.name for path in store.folder.iterdir()} == {"recall.json", ".recall.lock"}


def test_the_file_holds_nothing_but_the_answers(store: Store) -> None:
    store.add(ONE, read=1)
    assert json.loads(store.path.read_text()) == {
        "format": 1,
        "read": 1,
        "answers": [["ch01-reach", "2026-09-14", False, "reach-of-a-window"]],
    }


def test_two_processes_at_once_lose_nothing(store: Store) -> None:
    code = (
        "import sys; from datetime import date; from pathlib import Path;"
        "from course_lib.exercises.recall import Answer, Store;"
        "store = Store(Path(sys.argv[1]));"
        "print('ready', flush=True); sys.stdin.readline();"
        "[store.add(Answer(f'{sys.argv[2]}-{n}', date(2026, 9, 14), True)) for n in range(60)]"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(store.folder), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("x", "y")
    ]
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    names = [answer.question for answer in store.load().answers]
    assert sorted(names) == sorted(f"{name}-{n}" for name in ("x", "y") for n in range(60))
    for name in ("x", "y"):
        assert [one for one in names if one.startswith(name)] == [f"{name}-{n}" for n in range(60)]


def test_who_waits_too_long_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "PATIENCE", 0.05)
    with store._alone(), pytest.raises(StoreError, match="another process has been using"):
        Store(store.folder).add(ONE)
    store.add(ONE)
    assert store.load().answers == (ONE,)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": 1}',
        '{"format": 1, "read": -1, "answers": []}',
        '{"format": 1, "read": true, "answers": []}',
        '{"format": 1, "read": 1, "answers": [["a", "2026-02-30", true, ""]]}',
        '{"format": 1, "read": 1, "answers": [["a", "2026-02-03", 1, ""]]}',
        '{"format": 1, "read": 1, "answers": ["abcd"]}',
        '{"format": 1, "read": 1, "answers": [["a", "2026-02-03"]]}',
        "[" * 100_000,
        b"\xff\xfe\x00",
    ],
    ids=range(13),
)
def test_a_damaged_file_is_put_aside_and_nothing_else_is_lost(store: Store, content: str | bytes) -> None:
    store.add(ONE)
    (store.folder / "ps01").mkdir()
    (store.folder / "ps01" / "ps01.ipynb").write_text("mine")
    damaged = content if isinstance(content, bytes) else content.encode()
    store.path.write_bytes(damaged)
    assert store.load() == Kept()
    news = store.news()
    assert "could not be read" in news
    assert "recall-damaged-1.json" in news
    assert store.news() == "", "it is told once"
    assert (store.folder / "recall-damaged-1.json").read_bytes() == damaged
    store.add(TWO)
    assert store.load().answers == (TWO,)
    assert (store.folder / "ps01" / "ps01.ipynb").read_text() == "mine"
    store.path.write_bytes(damaged)
    store.add(ONE)  # whoever writes finds it, too, and keeps the answer
    assert store.load().answers == (ONE,)
    assert (store.folder / "recall-damaged-2.json").read_bytes() == damaged
    assert "recall-damaged-2.json" in store.news()


def test_a_file_of_a_newer_course_stays_as_it_is(store: Store) -> None:
    store.add(ONE)
    newer = '{"format": 2, "read": 1, "answers": {}}'
    store.path.write_text(newer)
    for use in (store.load, lambda: store.add(TWO), lambda: store.mark_read(1)):
        with pytest.raises(StoreError, match="newer version"):
            use()
    assert store.path.read_text() == newer


def test_a_write_that_fails_leaves_the_old_file(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add(ONE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        store.add(TWO)
    monkeypatch.undo()
    assert store.load().answers == (ONE,)
    assert not list(store.folder.glob(".recall.json*"))


def test_the_store_is_in_the_students_folder_of_the_course(tmp_path: Path) -> None:
    (tmp_path / "assignments").mkdir()
    (tmp_path / "notebooks").mkdir()
    assert Store.of_course(tmp_path / "notebooks").path == tmp_path.resolve() / "work" / "recall.json"


def test_what_is_exported_reads_back_and_names_nobody(tmp_path: Path) -> None:
    path, kept = tmp_path / "mine.json", Kept(2, (ONE, TWO))
    export(kept, path, MONDAY)
    assert exported(path.read_text(encoding="utf-8")) == kept
    held = json.loads(path.read_text(encoding="utf-8"))
    assert set(held) == {"course_recall", "exported", "format", "read", "answers"}
    assert str(tmp_path) not in path.read_text(encoding="utf-8")
    export(Kept(2, (ONE,)), path, MONDAY)  # an earlier export may be replaced
    assert exported(path.read_text(encoding="utf-8")).answers == (ONE,)


def test_an_export_overwrites_nothing_else(tmp_path: Path) -> None:
    other = tmp_path / "essay.json"
    for content in ('{"my": "essay"}', "not json", json.dumps(plain(Kept(1, (ONE,))))):
        other.write_text(content, encoding="utf-8")
        with pytest.raises(FileExistsError, match="choose another name"):
            export(Kept(1, (ONE,)), other, MONDAY)
        assert other.read_text(encoding="utf-8") == content
    with pytest.raises(FileExistsError, match="choose another name"):
        export(Kept(1, (ONE,)), tmp_path, MONDAY)


def test_what_is_kept_reads_back() -> None:
    assert kept_in(json.loads(json.dumps(plain(Kept(3, (ONE, TWO)))))) == Kept(3, (ONE, TWO))


def test_a_file_cut_off_anywhere_is_put_aside(store: Store) -> None:
    store.add(ONE, read=1)
    store.add(TWO)
    whole = store.path.read_bytes()
    for n in range(len(whole) - 2):  # the last two are the bracket's end and a new line
        store.path.write_bytes(whole[:n])
        assert store.load() == Kept()
        assert "could not be read" in store.news()
        assert not store.path.exists()
    store.path.write_bytes(whole)
    assert store.load() == Kept(1, (ONE, TWO))


def test_a_process_that_is_killed_leaves_a_whole_file(store: Store) -> None:
    code = (
        "import sys; from datetime import date; from pathlib import Path;"
        "from course_lib.exercises.recall import Answer, Store;"
        "store = Store(Path(sys.argv[1]));"
        "[store.add(Answer(f'x-{n}', date(2026, 9, 14), True)) for n in range(10_000)]"
    )
    for most in (1, 5, 20):
        writer = subprocess.Popen([sys.executable, "-c", code, str(store.folder)])
        try:
            while not store.path.exists() or len(store.load().answers) < most:
                assert writer.poll() is None
        finally:
            writer.kill()
            writer.wait()
        names = [answer.question for answer in store.load().answers]
        assert names == [f"x-{n}" for n in range(len(names))]
        assert store.news() == ""
        store.add(TWO)  # no lock is left behind
        assert store.load().answers[-1] == TWO
        store.path.unlink()
