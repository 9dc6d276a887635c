"""The package's order: each part imports only from those that a reader has met before it."""

import ast
from pathlib import Path

import pytest

import course_grading
import course_lib

FOLDER = Path(course_lib.__file__).parent
ORDER = [
    *(
        "files",
        "privacy",
        "checkpoints",
        "functional",
        "corpus",
        "layers",
        "transformer",
        "recurrent",
        "decoding",
        "evaluation",
    ),
    *(
        "translator",
        "training",
        "experiments",
        "plots",
        "widgets",
        "proofs",
        "calls",
        "answers",
        "hints",
        "kernels",
        "working_copies",
        "cli",
    ),
]


def parts_imported(source: str) -> set[str]:
    """Names of the parts of course_lib that a module imports anywhere, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "course_lib":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("course_lib."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("course_lib.")}
    return found


def test_the_order_names_every_part():
    parts = {
        path.stem for path in FOLDER.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert parts - {"__init__"} == set(ORDER)


@pytest.mark.parametrize("part", ORDER)
def test_imports_only_what_comes_before(part):
    path = FOLDER / part
    allowed = set(ORDER[: ORDER.index(part) + 1])
    for module in path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
        later = parts_imported(module.read_text(encoding="utf-8")) - allowed
        assert not later, f"{module.relative_to(FOLDER)} imports {sorted(later)}"


def test_an_import_of_a_later_part_is_seen_wherever_it_stands():
    source = "import course_lib.plots\nfrom course_lib import cli\ndef f():\n    from course_lib.widgets.bar import x"
    assert parts_imported(source) == {"plots", "cli", "widgets"}


GRADING = Path(course_grading.__file__).parent
# A submission's way: none imports from one that comes after it.
WAY = (
    "cells",
    "content",
    "intake",
    "cleaning",
    "sandbox",
    "grade",
    "submissions",
    "batch",
    "nbgrader_plugin",
)


@pytest.mark.parametrize("module", WAY)
def test_a_submission_goes_one_way(module):
    tree = ast.parse((GRADING / f"{module}.py").read_text(encoding="utf-8"))
    names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported = {
        name.removeprefix("course_grading.") for name in names if name and name.startswith("course_grading.")
    }
    assert not imported & set(WAY[WAY.index(module) + 1 :])
    if module == "intake":
        assert "cleaning" not in imported
