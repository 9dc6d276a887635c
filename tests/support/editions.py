"""The course as students get it, and as an instructor has it, in a folder of their own, ready for `make lab`."""

import atexit
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE_BY_MAKE = Path(sys.prefix) == ROOT / ".venv"
INSTRUCTORS = ("solutions", "course_grading", "nbgrader_config.py")


@cache
def packed_once() -> Path:
    """Return what `make student` packs."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    packed = Path(folder.name, "packed.zip")
    command = [sys.executable, ROOT / "tools" / "student.py", packed]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return packed


def unpack_students_edition(folder: Path) -> None:
    """Put what `make student` packs into a folder."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout: git makes the students' edition")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as temporary:
        zipfile.ZipFile(packed_once()).extractall(temporary)
        for entry in Path(temporary, "attention-course").iterdir():
            entry.rename(folder / entry.name)


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
