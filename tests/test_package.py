"""The package's order: each part imports only from those that a reader has met before it."""

import ast
import re
from pathlib import Path

import pytest

import course_lib

FOLDER = Path(course_lib.__file__).parent
ORDER = [
    "renamed",
    "files",
    "functional",
    "text",
    "layers",
    "transformer",
    "recurrent",
    "decoding",
    "evaluation",
    "translator",
    "training",
    "figures",
    "chapters",
    "exercises",
    "cli",
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
    source = "import course_lib.text\nfrom course_lib import cli\ndef f():\n    from course_lib.figures.bars import x"
    assert parts_imported(source) == {"text", "cli", "figures"}


CHAPTERS = sorted(path.name for path in (FOLDER / "chapters").iterdir() if (path / "__init__.py").exists())


def test_every_chapter_s_folder_is_named_as_its_notebook():
    notebooks = {path.stem for path in (FOLDER.parent / "notebooks").glob("*.ipynb")}
    assert {name.removeprefix("ch") for name in CHAPTERS} <= notebooks


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_imports_from_earlier_chapters_only(chapter):
    for module in (FOLDER / "chapters" / chapter).glob("*.py"):
        for name in re.findall(r"course_lib\.chapters\.(ch\d\d\w*)", module.read_text(encoding="utf-8")):
            assert name <= chapter, f"{module.name} imports from {name}"
