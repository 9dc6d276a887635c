"""What holds of the tests themselves."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
MODULES = [path for path in sorted(FOLDER.rglob("*.py")) if FOLDER / "bank" not in path.parents]


def imported(source: str) -> Iterator[str]:
    """Yield the modules that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def tests_among(names: Iterator[str]) -> list[str]:
    return [name for name in names if any(part.startswith("test_") for part in name.split("."))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_no_module_imports_a_test_module(path: Path) -> None:
    assert tests_among(imported(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "line", ["import test_layers", "from test_layers import normal", "from tests.grading import test_batch"]
)
def test_such_an_import_is_found(line: str) -> None:
    assert tests_among(imported(f"def f():\n    {line}\n"))
