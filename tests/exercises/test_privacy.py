"""What other accounts must not read is closed: all of it, whoever made it, and no more."""

import os
from pathlib import Path

import pytest

from course_lib.exercises.privacy import PRIVATE, keep_closed
from tests.support.editions import ROOT

FILES = ("gradebook.db", "grades-canvas.csv", "course.secret")
TOLD = "{} open to other accounts on this machine: closed now."
FOLDERS = ("submitted", "autograded", "solutions", ".git", "work")


@pytest.fixture(autouse=True)
def umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def course(tmp_path):
    """A course's folder with everything as open as can be."""
    for name in ("README.md", *FILES):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o666)
    for name in ("notebooks", *FOLDERS):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o2777)
    return tmp_path


def mode(path: Path) -> str:
    return f"{path.stat().st_mode & 0o7777:o}"


@pytest.mark.parametrize(("group", "folders", "files"), [(False, "2700", "600"), (True, "2770", "660")])
def test_what_is_private_is_open_to_its_owner_alone_or_to_those_who_grade_together(
    course, group, folders, files
):
    [told] = keep_closed(course, group)
    (course / "gradebook.db").chmod(0o640)  # as SQLite makes it
    assert keep_closed(course, group) == (() if group else (TOLD.format("gradebook.db was"),))
    for name in FOLDERS:
        assert mode(course / name) == folders
        assert name in told
    for name in FILES:
        assert mode(course / name) == files
        assert name in told
    assert (mode(course / "README.md"), mode(course / "notebooks")) == ("666", "2777")
    (course / "made later").mkdir()
    assert mode(course / "made later") == ("770" if group else "700")
    assert keep_closed(course, group) == ()


def test_a_link_to_another_disk_closes_what_it_leads_to_and_one_to_nothing_is_no_trouble(course, tmp_path):
    there = tmp_path / "other disk"
    there.mkdir()
    there.chmod(0o755)
    (course / "feedback").symlink_to(there)
    (course / "reports").symlink_to(tmp_path / "nothing")
    keep_closed(course)
    assert mode(there) == "700"


def test_what_another_account_owns_is_named_with_the_remedy(course, monkeypatch):
    def refuse(path, mode):
        raise PermissionError(path)

    monkeypatch.setattr(Path, "chmod", refuse)
    [told] = keep_closed(course)
    assert told.startswith(".git, autograded, course.secret, ")
    assert " are open to other accounts on this machine, and another account owns them" in told
    assert "'chmod go-rwx .git autograded course.secret gradebook.db grades-canvas.csv s" in told


def test_whatever_git_ignores_since_it_is_a_persons_is_private():
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("# the instructor's"))
    end = next(n for n, line in enumerate(lines) if line.startswith("# trained models"))
    ignored = {line.strip("/") for line in lines[begin:end] if not line.startswith("#")}
    assert {*ignored, ".jupyter"} - {"exchange"} == set(PRIVATE) - {"solutions", "tests", ".git"}
