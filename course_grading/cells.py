"""The identity of a notebook's cells: nbgrader's id, the question that it names, and what it is to that question."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from nbformat import NotebookNode

Kind = Literal["answer", "tests", "points", "other"]
KINDS: tuple[Kind, ...] = ("tests", "points")  # what may stand behind a question's name: q1-tests
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def grade_id_of(cell: NotebookNode) -> str:
    """Return nbgrader's id of a cell; "" if it has none."""
    found: str = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    return found


class Cell(NamedTuple):
    """A cell of a notebook, and what it is.

    Attributes
    ----------
    node : NotebookNode
    grade_id : str
        nbgrader's id: "q1-tests"; "" if it has none.
    question : str
        "q1"; "" if it belongs to none.
    kind : {"answer", "tests", "points", "other"}
        What it is to its question; "other" if it belongs to none.
    """

    node: NotebookNode
    grade_id: str
    question: str
    kind: Kind


def identify(node: NotebookNode) -> Cell:
    """Return a cell with its identity.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell
    >>> identify(new_code_cell(metadata={"nbgrader": {"grade_id": "q1-points"}}))[1:], identify(new_code_cell())[1:]
    (('q1-points', 'q1', 'points'), ('', '', 'other'))
    """
    grade_id = grade_id_of(node)
    for kind in KINDS:
        if grade_id.endswith(f"-{kind}"):
            return Cell(node, grade_id, grade_id.removesuffix(f"-{kind}"), kind)
    return Cell(node, grade_id, grade_id, "answer" if grade_id else "other")


def give_ids(cells: Sequence[NotebookNode], taken: Iterable[str] = ()) -> None:
    """Let every cell have an id of its own that the notebook's format allows; those that are good stay.

    Parameters
    ----------
    cells : sequence of NotebookNode
    taken : iterable of str
        Ids that none of them may have.

    Examples
    --------
    >>> cells = [NotebookNode(id="a"), NotebookNode(id="a"), NotebookNode(id=None), NotebookNode(id="b b")]
    >>> give_ids(cells)
    >>> [cell.id for cell in cells]
    ['a', 'cell-2', 'cell-3', 'cell-4']
    """
    used = set(taken)
    for number, cell in enumerate(cells, 1):
        known = cell.get("id")
        if not isinstance(known, str) or not ID.fullmatch(known) or known in used:
            numbered = (f"cell-{n}" for n in itertools.count(number))
            cell.id = next(name for name in numbered if name not in used)
        used.add(cell.id)
