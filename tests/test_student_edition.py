"""What `make student` packs: the course as students get it works, and holds nothing that decides an answer."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest

from tests.support.editions import ROOT, link_environment, unpack_students_edition
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
    "tools/slips.py",
    "tools/student.py",
    "benchmarks/",
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
    for target in ("assignments", "bank", "bench", "soak", "student", "update"):
        assert f"make {target} " not in offered
        refused = subprocess.run(["make", target], cwd=edition, check=False, capture_output=True, text=True)
        assert refused.stderr.startswith(
            "This is the students' course: only an instructor's clone can do that."
        )
    for target in re.findall(r"^make (\w+)", offered, flags=re.MULTILINE):
        planned = subprocess.run(
            ["make", "-n", target], cwd=edition, check=True, capture_output=True, text=True
        )
        for needed in re.findall(r"(?:tools|benchmarks)/\w+\.py", planned.stdout):
            assert (edition / needed).exists(), f"make {target} needs {needed}"


def test_the_readme_says_which_files_only_instructors_have(edition):
    text = (edition / "README.md").read_text(encoding="utf-8")
    instructors = [part for part in text.split("\n\n") if "**Instructor.**" in part or "`solutions/`" in part]
    assert len(instructors) == 2
    for part in text.split("\n\n"):
        for name in re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:txt|toml|yml|md))`", part):
            missing = not (edition / name).exists() and not name.startswith(("runs/", ".venv"))
            assert not missing or part in instructors, f"{name} is not in what students get"


def examples_and_notebooks(edition, *arguments):
    """Run `make test` as a student does; return its exit code and what it printed."""
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON")  # of the `make test` around this
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", *outer))}
    clean["PYTEST_ADDOPTS"] = " ".join(arguments)
    done = subprocess.run(
        ["make", "test"], cwd=edition, env=clean, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def write_notebook(course, printed):
    """Put a notebook into the course that prints 1, whatever it says that it printed."""
    outputs = [nbformat.v4.new_output("stream", text=printed)]
    cell = nbformat.v4.new_code_cell("print(1)", execution_count=1, outputs=outputs)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), course / "notebooks" / "short.ipynb")


def test_make_test_runs_what_is_there(edition, tmp_path):
    course = shutil.copytree(
        edition, tmp_path / "course", ignore=shutil.ignore_patterns("results", "assignments")
    )
    link_environment(course)
    for notebook in course.glob("notebooks/**/*.ipynb"):
        notebook.unlink()
    write_notebook(course, printed="1\n")
    kept = ("__init__.py", "files.py", "special_ids.py")  # of the package's examples, for want of time
    some = [
        f"--ignore=course_lib/{path.name}" for path in course.glob("course_lib/*") if path.name not in kept
    ]
    code, printed = examples_and_notebooks(course, *some)
    assert code == 0, printed
    assert printed.endswith("All passed: examples and notebooks.\n")
    assert re.search(r"\b[2-9] passed", printed)  # the examples and the notebook
    write_notebook(course, printed="2\n")
    code, printed = examples_and_notebooks(course, *some)
    assert code
    assert "1 failed" in printed
    assert "Cell outputs differ" in printed
    assert "FAILED: examples and notebooks" in printed


@pytest.mark.soak
def test_a_student_installs_it_and_all_its_tests_pass(edition, tmp_path):
    course = shutil.copytree(edition, tmp_path / "course")
    code, printed = examples_and_notebooks(course)
    if "pip reached no package index" in printed:
        pytest.skip("needs a package index")
    assert code == 0, printed
    python = [course / ".venv" / "bin" / "python", "-c"]
    without = "import importlib.util as u; print([n for n in {} if u.find_spec(n)])"
    absent = ["course_grading", "mypy", "playwright", "distributed", "copydetect", "hypothesis"]
    found = subprocess.run(
        [*python, without.format(absent)], cwd=course, check=True, capture_output=True, text=True
    )
    assert found.stdout == "[]\n"


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
    os.utime(tmp_path / "ps01.ipynb", (0, 0))  # written, and the same
    assert packed() == (told, files)
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
    recalled = ("misconceptions.toml", "questions/ch01.toml", "widget.js", "widget.css")
    assert {f"course_lib/exercises/recall/{name}" for name in recalled} <= set(names)
    assert {f"course_lib/exercises/parsons/{name}" for name in ("widget.js", "widget.css")} <= set(names)
    measured = [
        path for kind in ("json", "safetensors") for path in edition.glob(f"course_lib/chapters/*/*.{kind}")
    ]
    assert measured
    assert {path.relative_to(edition).as_posix() for path in measured} <= set(names)
