"""JupyterLab as `make lab` starts it, asked as a browser asks it: what several on one machine read of each other."""

import json
import os
import shutil
import stat
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from course_lib.exercises.privacy import PRIVATE
from tests.support.accounts import give
from tests.support.editions import add_instructors_part, link_environment, unpack_students_edition
from tests.support.lab import Lab, running_lab

ADA, BEN = 21001, 21002
NOTEBOOKS = (
    "notebooks/03_fuzzy_dictionary.ipynb",
    "assignments/ps01/ps01.ipynb",
    "work/ps01/ps01.ipynb",
    "work/my notes/tries.ipynb",
)


@pytest.fixture(scope="module")
def machine() -> Iterator[Path]:
    """A folder that all accounts reach, with a temporary folder that all may write to, as /tmp is."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o1777)
    yield folder
    shutil.rmtree(folder)


def install(machine: Path, name: str, user: int) -> Path:
    """Unpack a student's course, with a copy of a problem set, below a home folder that all may look into."""
    course = machine / name / "course"
    course.mkdir(parents=True)
    unpack_students_edition(course)
    link_environment(course)
    for notebook in NOTEBOOKS:
        (course / notebook).parent.mkdir(parents=True, exist_ok=True)
        if not (course / notebook).exists():
            shutil.copy(course / "assignments/ps01/ps01.ipynb", course / notebook)
    (machine / name / "state").mkdir()
    give(machine / name, user)
    return course


def ask(lab: Lab, method: str, path: str, body: Any = None) -> Any:
    """Send JupyterLab's server a request about contents; return what it answers."""
    token = urllib.parse.urlsplit(lab.sign_in).query.removeprefix("token=")
    request = urllib.request.Request(
        f"{lab.address}/api/contents/{urllib.parse.quote(path)}",
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={"Authorization": f"token {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read() or "null")


def save(lab: Lab, path: str, text: str) -> None:
    model = ask(lab, "GET", path)
    model["content"]["cells"][0]["source"] = text
    ask(lab, "PUT", path, {key: model[key] for key in ("type", "format", "content")})


def first_cell(lab: Lab, path: str) -> str:
    return str(ask(lab, "GET", path)["content"]["cells"][0]["source"])


def open_to_others(folder: Path) -> list[str]:
    """Return the files that other accounts could read or write, by the modes of these and of the folders above."""
    reached, found = [folder], []
    while reached:
        for path in reached.pop().iterdir():
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                continue
            if stat.S_ISDIR(mode) and mode & 0o011:
                reached.append(path)
            if mode & 0o066:
                found.append(str(path.relative_to(folder)))
    return found


def test_an_instructors_course_is_closed_when_jupyterlab_starts_and_what_is_made_in_it_is(
    machine: Path,
) -> None:
    course, state = machine / "prof" / "course", machine / "prof" / "state"
    course.mkdir(parents=True)
    unpack_students_edition(course)
    add_instructors_part(course)
    link_environment(course)
    (course / "submitted" / "ada").mkdir(parents=True)
    state.mkdir()
    for path in (course / "gradebook.db", course / "submitted" / "ada" / "ps01.ipynb"):
        path.touch()
    for path in (course, *course.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o777)
    before = os.umask(0o022)
    try:
        with running_lab(course, state) as lab:
            ask(lab, "PUT", "notes.txt", {"type": "file", "format": "text", "content": "ada: too short"})
            assert (course / "notes.txt").stat().st_mode & 0o077 == 0
    finally:
        os.umask(before)
    told = (state / "lab.log").read_text(encoding="utf-8")
    assert (
        "gradebook.db, solutions, submitted were open to other accounts on this machine: closed now." in told
    )
    seen = open_to_others(course)
    assert "README.md" in seen, "the look itself works"
    assert not [path for path in seen if Path(path).parts[0] in PRIVATE or path == "gradebook.db"]


@pytest.mark.needs("accounts")
def test_everybody_has_checkpoints_of_their_own_and_nobody_else_reads_them(machine: Path) -> None:
    places = {"ada": ADA, "ben": BEN, "bens-second": BEN}
    for name, user in places.items():
        course = install(machine, name, user)
        with running_lab(course, machine / name / "state", user=user, TMPDIR=str(machine / "tmp")) as lab:
            for path in NOTEBOOKS:
                save(lab, path, f"{name}'s first thought")
                ask(lab, "POST", f"{path}/checkpoints")
                save(lab, path, f"{name}'s second thought")
    for name, user in places.items():
        course, state = machine / name / "course", machine / name / "again"
        state.mkdir()
        no_bin = "--FileContentsManager.delete_to_trash=False"  # there is none in this home folder
        with running_lab(course, state, no_bin, user=user, TMPDIR=str(machine / "tmp")) as lab:
            for path in NOTEBOOKS:
                assert first_cell(lab, path) == f"{name}'s second thought"
                [checkpoint] = ask(lab, "GET", f"{path}/checkpoints")
                ask(lab, "POST", f"{path}/checkpoints/{checkpoint['id']}")
                assert first_cell(lab, path) == f"{name}'s first thought"
            ask(lab, "PATCH", "work/my notes", {"path": "work/notes"})
            assert len(ask(lab, "GET", "work/notes/tries.ipynb/checkpoints")) == 1
            ask(lab, "DELETE", "work/notes/tries.ipynb")
        kept = sorted((course / ".jupyter" / "checkpoints").rglob("*.ipynb"))
        assert len(kept) == len(NOTEBOOKS) - 1
        assert not [path for path in open_to_others(course) if path.startswith((".jupyter", "work"))]
    assert list((machine / "tmp").iterdir()) == []
