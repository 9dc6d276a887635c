"""The course as students get it, and as an instructor has it, in a folder of their own, ready for `make lab`."""

import io
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).resolve().parent.parent
MADE_BY_MAKE = Path(sys.prefix) == ROOT / ".venv"
INSTRUCTORS = ("solutions", "course_lib/grading", "nbgrader_config.py")


def unpack_students_edition(folder: Path) -> None:
    """Put what `make student` packs, with the changes that are not committed yet, into a folder."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout: git makes the students' edition")
    packed = git("archive", "--format=zip", "--worktree-attributes", present_state())
    zipfile.ZipFile(io.BytesIO(packed)).extractall(folder)


def present_state() -> str:
    """Make a commit of what is here, on no branch; several tests may do so at once, so each has its own index."""
    with TemporaryDirectory() as folder:
        index = shutil.copy(ROOT / git("rev-parse", "--git-path", "index").decode().strip(), folder)
        return git("stash", "create", GIT_INDEX_FILE=index).decode().strip() or "HEAD"


def git(*arguments: str, **variables: str) -> bytes:
    command = ["git", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | variables, check=True, capture_output=True
    ).stdout


def add_instructors_part(folder: Path) -> None:
    """Add to a student's edition what it takes to make and grade problem sets."""
    for name in INSTRUCTORS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)


def link_environment(folder: Path) -> None:
    """Leave the course in `folder` as `make` leaves it when it has installed everything, without installing again."""
    venv = folder / ".venv"
    venv.mkdir()
    for entry in Path(sys.prefix).iterdir():
        if entry.name != "course-stamp":  # the copy's own says that it was made for this folder
            (venv / entry.name).symlink_to(entry)
    stamp = "import install; install.write_stamp(install.wanted_stamp())"
    subprocess.run([sys.executable, "-c", stamp], cwd=folder / "tools", check=True)
