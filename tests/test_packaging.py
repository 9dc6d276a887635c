"""Two distributions: course-lib, which everybody has, and course-grading, which only instructors install."""

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import course_lib
from course_lib import cli

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"course-lib": ROOT / "course_lib", "course-grading": ROOT / "course_grading"}
PROJECTS = {
    "course-lib": tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"],
    "course-grading": tomllib.loads((ROOT / "course_grading/pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ],
}


def requirements(distribution: str, *extras: str) -> dict[str, Requirement]:
    """What a distribution needs, by name, with what its extras add."""
    project = PROJECTS[distribution]
    lines = [
        *project["dependencies"],
        *(line for extra in extras for line in project["optional-dependencies"][extra]),
    ]
    return {canonicalize_name(found.name): found for found in map(Requirement, lines)}


def imported(folder: Path) -> dict[str, str]:
    """Top-level names of the packages that are imported anywhere in a folder, each with a file that does so."""
    found = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0]: path.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found[node.module.partition(".")[0]] = path.name
    return {
        name: where for name, where in found.items() if name not in sys.stdlib_module_names | {"_typeshed"}
    }


@pytest.mark.parametrize(("distribution", "extras"), [("course-lib", ["student"]), ("course-grading", [])])
def test_whatever_a_package_imports_it_asks_for_itself(distribution: str, extras: list[str]) -> None:
    wanted = {*requirements(distribution, *extras), distribution}
    distributions = importlib.metadata.packages_distributions()
    for name, where in imported(FOLDERS[distribution]).items():
        providers = {canonicalize_name(provider) for provider in distributions.get(name, [])}
        providers |= {
            known for known, folder in FOLDERS.items() if folder.name == name
        }  # editable: not listed
        assert providers & wanted, f"{where} imports {name}, which {distribution} does not ask for"


@pytest.mark.parametrize("distribution", FOLDERS)
def test_what_is_asked_for_has_a_lower_bound_that_the_pins_keep(distribution: str) -> None:
    lines = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE)
    pins = {canonicalize_name(name): version for name, version in lines}
    extras = PROJECTS[distribution].get("optional-dependencies", {})
    for name, wanted in requirements(distribution).items():
        if name not in FOLDERS:
            assert str(wanted.specifier).startswith(">="), wanted
    for name, wanted in requirements(distribution, *extras).items():
        assert name in FOLDERS or pins[name] in wanted.specifier, wanted


def test_students_lack_what_decides_since_nothing_in_their_package_knows_of_it() -> None:
    for path in FOLDERS["course-lib"].rglob("*"):
        if path.suffix in (".py", ".toml", ".md", ".json", ".js"):
            assert "course_grading" not in path.read_text(encoding="utf-8"), path
    assert PROJECTS["course-lib"].get("entry-points") is None
    assert PROJECTS["course-grading"]["entry-points"] == {
        cli.GROUP: {"grading": "course_grading.cli:add_commands"}
    }
    assert not set(requirements("course-lib", "student")) & {
        "course-grading",
        "distributed",
        "copydetect",
        "bleach",
    }


def commands(capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    return set(re.findall(r"^    (\w+)\b", capsys.readouterr().out, flags=re.MULTILINE))


def test_a_distribution_adds_commands_by_its_entry_points(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    students = {"start", "check", "recall", "train", "translate", "evaluate", "corpus"}
    instructors = {"grade", "explain", "report", "copies", "recalled", "board"}
    assert commands(capsys) == students | instructors
    monkeypatch.setattr(cli, "entry_points", lambda group: ())
    assert commands(capsys) == students


def test_there_is_one_version(capsys: pytest.CaptureFixture[str]) -> None:
    version = course_lib.__version__
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"course {version}\n"
    for distribution, project in PROJECTS.items():
        assert project["dynamic"] == ["version"]
        assert importlib.metadata.version(distribution) == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    headings = re.findall(
        r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert next(heading for heading in headings if heading != "Unreleased") == version


def test_type_checkers_of_others_see_the_annotations() -> None:
    assert all((folder / "py.typed").exists() for folder in FOLDERS.values())
