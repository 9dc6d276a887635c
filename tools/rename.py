"""Rewrite the imports of names that have moved (course_lib/renamed.py), and their uses, in Python files and notebooks.

Dotted names and paths in texts, comments and strings are rewritten too. Run it on copies of your own, as in
`python tools/rename.py my_notebooks/*.ipynb`; without arguments it goes through the whole course.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from environment import ROOT

from course_lib import renamed
from course_lib.renamed import MODULES, NAMES

GRADING = "course_lib.grading"  # of which students' package does not know: it is a package of its own
CHAPTER = re.compile(r"course_lib\.chapters\.(ch\d\d)\w*")
# Packages and modules that held names and are no more.
GONE = {
    name
    for name in {name.rpartition(".")[0] for name in (*MODULES, *NAMES)} - {"course_lib.corpus"}
    if not (ROOT / name.replace(".", "/")).is_dir() and not (ROOT / f"{name.replace('.', '/')}.py").is_file()
}
THIS = ("course_lib/renamed.py", "tools/rename.py")


def new_name(old: str) -> str:
    """Return the name now of what was called `old`.

    Examples
    --------
    >>> new_name("course_lib.grading.records.Record"), new_name("course_lib.corpus.readers")
    ('course_grading.records.Record', 'course_lib.text.readers')
    """
    if old == GRADING or old.startswith(GRADING + "."):
        return "course_grading" + old[len(GRADING) :]
    return renamed.new_name(old)


class Edit(NamedTuple):
    """A replacement: line and column (in bytes) of its start and end, counted from 1 and from 0, and the new text."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def rewritten(cells: Sequence[str], notebook: bool = False) -> list[str]:
    """Return pieces of source that share their names (a module; a notebook's cells) with the names of today.

    Examples
    --------
    >>> rewritten(["from course_lib import plots", "plots.lines([])"], notebook=True)
    ['from course_lib import figures', 'figures.lines([])']
    >>> rewritten(["from course_lib.corpus.readers import SentencePair"])
    ['from course_lib.text.readers import SentencePair']
    """
    trees = [ast.parse(_without_magics(cell)) for cell in cells]
    taken = {name for tree in trees for name in _bound(tree)}
    packages: dict[
        str, str
    ] = {}  # what a name in this source is bound to, where that is a package that is gone
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "course_lib":
                for alias in node.names:
                    if f"course_lib.{alias.name}" in GONE:
                        packages[alias.asname or alias.name] = f"course_lib.{alias.name}"
    needed: dict[str, str] = {}  # import line of each new name that an old package's attribute has become
    edits: list[list[Edit]] = []
    for tree in trees:
        edits.append(_uses(tree, packages, needed, taken, notebook))
    lines_needed = sorted(set(needed.values()))
    for tree, edit in zip(trees, edits, strict=True):
        edit += _imports(tree, packages, lines_needed)
    return [_dotted(_apply(cell, edit)) for cell, edit in zip(cells, edits, strict=True)]


def _uses(
    tree: ast.AST, packages: dict[str, str], needed: dict[str, str], taken: set[str], notebook: bool
) -> list[Edit]:
    """Return the edits of `plots.lines` and its like, and note which imports they need."""
    edits = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            continue
        package = packages.get(node.value.id)
        if package is None:
            continue
        new = new_name(f"{package}.{node.attr}")
        home, _, name = new.rpartition(".")
        chapter = CHAPTER.match(new)
        if chapter and notebook:
            text, line = (
                f"{chapter[1]}.{name}",
                f"from course_lib.chapters import {chapter[0].rpartition('.')[2]} as {chapter[1]}",
            )
        elif home.startswith("course_lib.figures") and notebook:
            text, line = f"figures.{name}", "from course_lib import figures"
        elif name not in taken:
            text, line = name, f"from {home} import {name}"
        else:
            text = f"{chapter[1] if chapter else 'figures'}_{name}"
            line = f"from {home} import {name} as {text}"
        needed[text] = line
        edits.append(
            Edit((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0), text)
        )
    return edits


def _imports(tree: ast.AST, packages: dict[str, str], lines_needed: Sequence[str]) -> list[Edit]:
    """Return the edits of import statements."""
    edits = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("course_lib"):
            continue
        kept: dict[str, list[str]] = {}
        lines: list[str] = []
        for alias in node.names:
            full = f"{node.module}.{alias.name}"
            if (alias.asname or alias.name) in packages and full in GONE:
                lines += lines_needed
                continue
            home, _, name = new_name(full).rpartition(".")
            bound = alias.asname or alias.name
            kept.setdefault(home, []).append(name if name == bound else f"{name} as {bound}")
        moved = [
            new_name(f"{node.module}.{alias.name}") != f"{node.module}.{alias.name}" for alias in node.names
        ]
        if lines or any(moved):
            lines += [f"from {home} import {', '.join(names)}" for home, names in kept.items()]
            text = ("\n" + " " * node.col_offset).join(dict.fromkeys(lines))
            end = node.end_lineno or 0, node.end_col_offset or 0
            edits.append(Edit((node.lineno, node.col_offset), end, text))
    return edits


def _apply(source: str, edits: Sequence[Edit]) -> str:
    lines = [line.encode() for line in source.split("\n")]
    for edit in sorted(edits, reverse=True):
        (first, left), (last, right) = edit.start, edit.end
        lines[first - 1 : last] = (
            lines[first - 1][:left] + edit.text.encode() + lines[last - 1][right:]
        ).split(b"\n")
    return b"\n".join(lines).decode()


def _dotted(text: str) -> str:
    """Return a text with its dotted names and paths rewritten."""

    def replaced(match: re.Match[str]) -> str:
        separator = "/" if "/" in match[0] else "."
        new = new_name(match[0].replace("/", "."))
        return match[0] if new == match[0].replace("/", ".") else new.replace(".", separator)

    return re.sub(r"\bcourse_lib(?:\.\w+)+|\bcourse_lib(?:/\w+)+", replaced, text)


def _bound(tree: ast.AST) -> set[str]:
    """Return the names that a source gives to something, but for what it imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
    return found


def _without_magics(cell: str) -> str:
    return "\n".join("pass" if line.startswith(("%", "!")) else line for line in cell.split("\n"))


def rewrite_file(path: Path) -> bool:
    """Rewrite a file; return whether anything in it has changed."""
    old = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        notebook = json.loads(old)
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        sources = rewritten(["".join(cell["source"]) for cell in code], notebook=True)
        changed = False
        for cell, source in zip(code, sources, strict=True):
            changed |= source != "".join(cell["source"])
            cell["source"] = source.splitlines(keepends=True)
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                new = _dotted("".join(cell["source"]))
                changed |= new != "".join(cell["source"])
                cell["source"] = new.splitlines(keepends=True)
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n" if changed else old
    elif path.suffix == ".py":
        [text] = rewritten([old])
    else:
        text = _dotted(old)
    if text != old:
        path.write_text(text, encoding="utf-8")
    return text != old


def main() -> int:
    """Rewrite the files named, or the course's own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "files", nargs="*", type=Path, help="notebooks, Python files, texts (default: the whole course)"
    )
    files = parser.parse_args().files
    if not files:
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        kinds = (".py", ".ipynb", ".md", ".toml", ".j2", ".json", ".gitattributes", "Makefile")
        files = [ROOT / name for name in listed.splitlines() if name.endswith(kinds) and name not in THIS]
    for path in files:
        try:
            if path.exists() and rewrite_file(path):
                print(path)
        except SyntaxError as error:
            print(f"{path}: not rewritten, for it does not parse: {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
