"""Attacks by what is handed in: links, pipes and bombs in the place of a notebook, and notebooks that steer."""

import json
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_output

from course_grading.problem_sets import grade_id_of

# ---- The notebook: each changes what was released ----


def cell_of(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    """Return one of nbgrader's cells."""
    return next(cell for cell in notebook.cells if grade_id_of(cell) == grade_id)


def graded(notebook: NotebookNode) -> list[NotebookNode]:
    """Return tests and points."""
    return [cell for cell in notebook.cells if grade_id_of(cell).endswith(("-tests", "-points"))]


def skips_execution(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata.tags = ["skip-execution", "raises-exception", "remove-cell"]
    for cell in graded(notebook):
        cell.outputs = [new_output("execute_result", data={"text/plain": "4"})]


def forges_outputs(notebook: NotebookNode) -> None:
    for cell in graded(notebook):
        cell.source = "100"
        cell.execution_count = 1
        cell.outputs = [new_output("execute_result", data={"text/plain": "100"}, execution_count=1)]


def deletes_tests(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if cell not in graded(notebook)]


def doubles_points(notebook: NotebookNode) -> None:
    for cell in graded(notebook):
        twin = nbformat.from_dict(json.loads(json.dumps(cell)))
        twin.source = "4"
        notebook.cells += [twin, twin]


def moves_points_up(notebook: NotebookNode) -> None:
    notebook.cells.sort(key=lambda cell: not grade_id_of(cell).endswith("-points"))


def renames_points(notebook: NotebookNode) -> None:
    for number, cell in enumerate(graded(notebook)):
        cell.metadata.nbgrader.grade_id = f"q{number}-mine"
        cell.id = f"mine-{number}"


def changes_points(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if grade_id_of(cell):
            cell.metadata.nbgrader |= {"points": 1000, "grade": True, "solution": True, "locked": False}


def swaps_points(notebook: NotebookNode) -> None:
    for one, other in (("q1", "q6"), ("q2", "q2-points"), ("q3-tests", "q3-points")):
        ours, theirs = cell_of(notebook, one), cell_of(notebook, other)
        ours.metadata.nbgrader, theirs.metadata.nbgrader = theirs.metadata.nbgrader, ours.metadata.nbgrader


def retypes_points(notebook: NotebookNode) -> None:
    for cell in graded(notebook):
        cell.cell_type = "markdown"
        cell.pop("outputs", None), cell.pop("execution_count", None)


def wants_another_kernel(notebook: NotebookNode) -> None:
    notebook.metadata = {
        "kernelspec": {
            "name": "bash",
            "language": "bash",
            "display_name": "Bash",
            "argv": ["sh", "-c", "sleep 9"],
        },
        "language_info": {"name": "../../gradebook.db"},
        "nbgrader": {"score": 22},
        "papermill": {"parameters": {"points": 22}},
    }


def has_many_cells(notebook: NotebookNode) -> None:
    first, *rest = notebook.cells
    notebook.cells = [first, *(new_code_cell(f"x = {n}") for n in range(2000 - len(notebook.cells))), *rest]


def has_too_many_cells(notebook: NotebookNode) -> None:
    notebook.cells += [new_code_cell("1") for _ in range(50_000)]


def metadata_of_odd_types(notebook: NotebookNode) -> None:
    for odd, cell in zip(
        [5, [], "x", None, {"grade_id": 5}, {"grade_id": ["q1"]}] * 9, notebook.cells, strict=False
    ):
        cell.metadata = {"nbgrader": odd, "tags": odd, "name": "../../gradebook.db"}


NOTEBOOKS: dict[str, Callable[[NotebookNode], None]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        skips_execution,
        forges_outputs,
        deletes_tests,
        doubles_points,
        moves_points_up,
        renames_points,
        changes_points,
        swaps_points,
        retypes_points,
        wants_another_kernel,
        has_many_cells,
        has_too_many_cells,
        metadata_of_odd_types,
    )
}

# ---- The folder: each gets the notebook's path, which is there, and the course's folder ----


def in_place(path: Path) -> Path:
    """Make room for something else in the notebook's place."""
    path.unlink()
    return path


def links_to_the_solution(path: Path, course: Path) -> None:
    in_place(path).symlink_to(course / "solutions" / "ps01" / "ps01.ipynb")


def links_to_a_rival(path: Path, course: Path) -> None:
    in_place(path).symlink_to("../../rival/ps01/ps01.ipynb")


def links_its_folder(path: Path, course: Path) -> None:
    in_place(path).parent.rmdir()
    path.parent.symlink_to(course / "submitted" / "rival" / "ps01")


def hard_link(path: Path, course: Path) -> None:
    os.link(course / "solutions" / "ps01" / "ps01.ipynb", in_place(path))


def link_beside_it(path: Path, course: Path) -> None:
    (path.parent / "data.db").symlink_to(course / "gradebook.db")
    (path.parent / "timestamp.txt").symlink_to(course / "course.secret")
    (path.parent / "all").symlink_to(course)


def pipe(path: Path, course: Path) -> None:
    os.mkfifo(in_place(path))


def pipe_beside_it(path: Path, course: Path) -> None:
    os.mkfifo(path.parent / "timestamp.txt")
    os.mkfifo(path.parent / "data.csv")


def folder(path: Path, course: Path) -> None:
    in_place(path).mkdir()


def device(path: Path, course: Path) -> None:
    """/dev/zero, or a link to it for whom may not make devices."""
    try:
        os.mknod(in_place(path), stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        path.symlink_to("/dev/zero")


def socket_file(path: Path, course: Path) -> None:
    here = os.getcwd()
    os.chdir(in_place(path).parent)  # its name must be short
    try:
        with socket.socket(socket.AF_UNIX) as ear:
            ear.bind(path.name)
    finally:
        os.chdir(here)


def huge_file(path: Path, course: Path) -> None:
    os.truncate(path, 5_000_000_000)


def wide_json(path: Path, course: Path) -> None:
    path.write_text('{"cells": [' + "{}," * 3_000_000 + "{}]}")


def deep_json(path: Path, course: Path) -> None:
    path.write_text("[" * 5_000_000)


def long_numbers(path: Path, course: Path) -> None:
    path.write_text('{"nbformat": ' + "9" * 5_000_000 + "}")


def no_text(path: Path, course: Path) -> None:
    path.write_bytes(os.urandom(100_000))


def empty(path: Path, course: Path) -> None:
    path.write_bytes(b"")


def old_format_bomb(path: Path, course: Path) -> None:
    path.write_text(
        '{"nbformat": 2, "worksheets": [{"cells": [{"cell_type": "code", "input": [[]], "outputs": 7}]}]}'
    )


def shadowing_modules(path: Path, course: Path) -> None:
    """Modules that would give all points, and one that would be run by any Python started here."""
    lie = "import json\ndef __getattr__(name): return lambda *a, **k: ''\nprint('SUCCEEDED: shadows')\n"
    for name in ("numpy", "json", "sitecustomize", "usercustomize", "conftest", "nbgrader_config", "checks"):
        (path.parent / f"{name}.py").write_text(lie)
    (path.parent / "course_lib").mkdir()
    for name in ("__init__", "answers", "hints"):
        (path.parent / "course_lib" / f"{name}.py").write_text(lie)


def names_that_steer(path: Path, course: Path) -> None:
    for name in ("-rf", "=cmd|x", "$(touch stolen)", "line\nbreak", "\x1b[2Jescape", "x" * 200):
        (path.parent / name).write_text("x")


FOLDERS: dict[str, Callable[[Path, Path], None]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        links_to_the_solution,
        links_to_a_rival,
        links_its_folder,
        hard_link,
        link_beside_it,
        pipe,
        pipe_beside_it,
        folder,
        device,
        socket_file,
        huge_file,
        wide_json,
        deep_json,
        long_numbers,
        no_text,
        empty,
        old_format_bomb,
        shadowing_modules,
        names_that_steer,
    )
}
