"""The package's order: each part imports only from those that a reader has met before it."""

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import course_grading
import course_lib

FOLDER = Path(course_lib.__file__).parent
ORDER = [
    "renamed",
    "files",
    "special_ids",
    "checks",
    "functional",
    "text",
    "model",
    "fast",
    "decoding",
    "evaluation",
    "translator",
    "training",
    "figures",
    "chapters",
    "exercises",
    "cli",
    "train",
]


def parts_imported(source: str) -> set[str]:
    """Names of the parts of course_lib that a module imports anywhere, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "course_lib":
            found |= {alias.name for alias in node.names if not alias.name.startswith("__")}
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


def code_lines(source: str) -> int:
    """Number of lines that hold code: no docstrings, no comments, no blank lines."""
    documented = set()
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and ast.get_docstring(node) is not None
        ):
            documented |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    nothing = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    code = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in nothing:
            code |= set(range(token.start[0], token.end[0] + 1))
    return len(code - documented)


def test_lines_of_code_are_counted_without_docstrings_comments_and_blank_lines():
    source = '"""Doc\n\nstring."""\n\nx = 1  # one\n\n# two\ny = [\n    2,\n]\ndef f():\n    """Doc."""\n    return x\n'
    assert code_lines(source) == 6


def test_the_models_can_be_read_in_five_hundred_lines():
    assert (
        sum(code_lines(path.read_text(encoding="utf-8")) for path in (FOLDER / "model").glob("*.py")) <= 500
    )


def test_the_models_are_imported_without_the_libraries_for_text_and_figures():
    code = "import sys, course_lib.model; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"tokenizers", "sacrebleu", "matplotlib", "safetensors", "course_lib.fast"} & set(loaded)
    source = (FOLDER / "special_ids.py").read_text(encoding="utf-8")
    assert not [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]


def test_no_variant_is_a_patch():
    for path in FOLDER.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "mock.patch" not in text
        assert "type: ignore[assignment]" not in text


@pytest.mark.parametrize("package", ["course_lib", "course_grading"])
def test_docstrings_have_one_mark_up(package):
    """Names and code in docstrings stand between single backticks."""
    other = re.compile(r"``|:(class|func|meth|mod|attr|data|exc):`")
    found = [
        f"{path.relative_to(FOLDER.parent)}:{number}"
        for path in (FOLDER.parent / package).rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if other.search(line) and "```" not in line
    ]
    assert not found


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
