"""What `make student` packs: the course as students get it works, and holds nothing that decides an answer."""

import json
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from tests.support.editions import ROOT, unpack_students_edition
from tests.support.secrets import plain, without_long_strings

SECRET = (
    "solutions/",
    "tests/",
    "course_grading/",
    "nbgrader_config.py",
    "tools/assignments.py",
    "tools/bank.py",
    "tools/corpus.py",
    "tools/grammar/",
    "tools/student.py",
    "benchmarks/grading.py",
)


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """What students get, unpacked."""
    folder = tmp_path_factory.mktemp("student")
    unpack_students_edition(folder)
    return folder


def test_nothing_of_the_instructors_is_in_it(edition):
    names = [str(path.relative_to(edition).as_posix()) for path in edition.rglob("*") if path.is_file()]
    assert [name for name in names if name.startswith(SECRET)] == []
    assert {"README.md", "Makefile", "assignments/ps01/ps01.ipynb", "course_lib/exercises/hints.py"} <= set(
        names
    )


def test_no_page_of_it_leads_to_what_is_not_there(edition):
    for page in edition.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.relative_to(edition)} leads to {link}"
    offered = subprocess.run(["make", "help"], cwd=edition, check=True, capture_output=True, text=True).stdout
    assert "make lab" in offered
    assert not re.search("make (assignments|bank|soak|student)", offered)
    refused = subprocess.run(["make", "student"], cwd=edition, check=False, capture_output=True, text=True)
    assert refused.stderr.startswith("This is the students' course already")


def test_what_lies_here_is_packed_and_what_git_does_not_know_is_named(tmp_path):
    for name in ("student.py", "environment.py"):
        (tmp_path / "tools").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tools" / name, tmp_path / "tools")
    for name in (".gitattributes", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "q1.py").write_text("answer")
    (tmp_path / "ps01.ipynb").write_text("six questions")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)

    def packed():
        done = subprocess.run(
            [sys.executable, tmp_path / "tools" / "student.py"], check=True, capture_output=True, text=True
        )
        zipped = zipfile.ZipFile(tmp_path / "build" / "attention-course.zip")
        return done.stdout, {name: zipped.read(name).decode() for name in zipped.namelist()}

    told, files = packed()
    assert "Not committed" not in told
    assert files["attention-course/ps01.ipynb"] == "six questions"
    (tmp_path / "ps01.ipynb").write_text("seven questions")
    (tmp_path / "new.md").write_text("news")
    told, files = packed()
    assert files["attention-course/ps01.ipynb"] == "seven questions"
    assert not [name for name in files if "solutions" in name or name.endswith(("new.md", "student.py"))]
    assert "packed as it is if students get it: ps01.ipynb\n" in told
    assert "NOT packed, since git does not know it ('git add' tells git): new.md" in told


def test_no_three_lines_of_a_check_are_anywhere_in_it(edition):
    secret = {}  # one line alone may well stand in a chapter, too: `weights = softmax(scores)`
    for path in ROOT.glob("solutions/*/checks.py"):
        lines = plain(without_long_strings(path.read_text(encoding="utf-8")))
        secret |= {three: path.parent.name for three in zip(lines, lines[1:], lines[2:], strict=False)}
    assert len(secret) > 1000
    for path in edition.rglob("*"):
        if path.suffix in (".py", ".ipynb", ".md", ".toml", ".json"):
            text = path.read_text(encoding="utf-8")
            lines = plain("\n".join(sources(text)) if path.suffix == ".ipynb" else text)
            found = [three for three in zip(lines, lines[1:], lines[2:], strict=False) if three in secret]
            assert not found, f"{path.relative_to(edition)} holds {found[0]}, of {secret[found[0]]}"


def sources(notebook: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(notebook)["cells"]]


def test_it_works_without_the_instructors_part(edition):
    modules = [
        ".".join(path.relative_to(edition).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((edition / "course_lib").rglob("*.py"))
    ]
    code = f"""
import importlib, course_lib, pathlib
assert pathlib.Path(course_lib.__file__).is_relative_to(pathlib.Path.cwd())
for name in {modules!r}:
    importlib.import_module(name)
from course_lib.cli import main
assert main(["start", "ps01"]) == 0
"""
    subprocess.run([sys.executable, "-c", code], cwd=edition, check=True)
    assert (edition / "work" / "ps01" / "ps01.ipynb").exists()


def test_what_pip_makes_of_it_holds_the_package_alone(edition, tmp_path):
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-q",
        "-w",
        str(tmp_path),
        ".",
    ]
    subprocess.run(command, cwd=edition, check=True)
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"course_lib"}
    assert not [name for name in names if name.startswith("course_grading")]
    assert {
        f"course_lib/figures/{name}"
        for name in ("interactive.js", "interactive.css", "slider.js", "slider.css")
    } <= set(names)
