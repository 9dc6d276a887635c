"""Mutation testing of the checks: small changes to right answers, each of which should cost points.

A change that no check notices points at a case that is missing, or changes nothing that can be seen.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from operator import setitem

OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
NAMES = {
    "max": "min",
    "sum": "mean",
    "amax": "amin",
    "argmax": "argmin",
    "maximum": "minimum",
    "sin": "cos",
    "tril": "triu",
    "zeros": "ones",
    "zeros_like": "ones_like",
    "any": "all",
}
NAMES |= {there: here for here, there in NAMES.items()}


@dataclass(frozen=True)
class Mutant:
    """A changed answer.

    Attributes
    ----------
    source : str
    before, after : str
        The lines that the change concerns, as `ast.unparse` writes them.
    """

    source: str
    before: str
    after: str


def mutants(source: str) -> list[Mutant]:
    """Return an answer with one thing changed in it, in every way that we know.

    What is changed: a number by one, a truth value, an operator, a comparison (its limit and its direction), the
    order of a matrix product, a transpose, a sign, one of a pair of functions (max and min, sum and mean, …), a
    named argument, a bound of a slice, a condition, a statement.

    Parameters
    ----------
    source : str
        Python; docstrings and annotations stay as they are.

    Examples
    --------
    >>> for mutant in mutants("def double(x):\\n    return x * 2"):
    ...     print(mutant.after.strip())
    return x / 2
    return x * 3
    return x * 1
    """
    tree = ast.parse(source)
    _strip(tree)
    plain = ast.unparse(tree)
    found: dict[str, Mutant] = {}
    for number, node in enumerate(ast.walk(tree)):
        for choice in range(len(list(_changes(node)))):
            changed = deepcopy(tree)
            there = list(ast.walk(changed))[number]
            list(_changes(there))[choice]()
            text = ast.unparse(ast.fix_missing_locations(changed))
            if text != plain and text not in found:
                found[text] = Mutant(text, *_lines_between(plain, text))
    return list(found.values())


def _strip(tree: ast.AST) -> None:
    """Take out what does not decide what a program does: docstrings and annotations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None


def _changes(node: ast.AST) -> Iterator[Callable[[], object]]:
    """Yield functions each of which changes a node in place."""
    if isinstance(node, ast.Constant):
        yield from _of_a_constant(node)
    elif isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        yield from _of_an_operator(node)
    elif isinstance(node, ast.Compare):
        for other in OPERATORS.get(type(node.ops[0]), ()):
            yield partial(setitem, node.ops, 0, other())
    elif isinstance(node, ast.Call):
        for index in range(len(node.keywords)):
            yield partial(node.keywords.pop, index)
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield partial(setattr, node, "attr", NAMES[node.attr])
    elif isinstance(node, ast.Slice):
        for bound in ("lower", "upper", "step"):
            if getattr(node, bound) is not None:
                yield partial(setattr, node, bound, None)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield partial(setattr, node, "test", ast.UnaryOp(ast.Not(), node.test))
    yield from _of_what_it_holds(node)


def _of_a_constant(node: ast.Constant) -> Iterator[Callable[[], object]]:
    if isinstance(node.value, bool):
        yield partial(setattr, node, "value", not node.value)
    elif isinstance(node.value, int | float):
        yield partial(setattr, node, "value", node.value + 1)
        yield partial(setattr, node, "value", node.value - 1)


def _of_an_operator(node: ast.BinOp | ast.AugAssign | ast.BoolOp) -> Iterator[Callable[[], object]]:
    for other in OPERATORS.get(type(node.op), ()):
        yield partial(setattr, node, "op", other())
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):

        def swap() -> None:
            node.left, node.right = node.right, node.left

        yield swap


def _of_what_it_holds(node: ast.AST) -> Iterator[Callable[[], object]]:
    """Yield changes that put something else in the place of one of a node's children."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.Attribute) and value.attr in ("T", "mT"):
            yield partial(setattr, node, name, value.value)
        elif isinstance(value, ast.UnaryOp):
            yield partial(setattr, node, name, value.operand)
        elif isinstance(value, list):
            for index, child in enumerate(value):
                if isinstance(child, ast.Assign | ast.AugAssign | ast.Expr):
                    yield partial(setitem, value, index, ast.Pass())
                elif isinstance(child, ast.UnaryOp):
                    yield partial(setitem, value, index, child.operand)


def _lines_between(before: str, after: str) -> tuple[str, str]:
    """Return the lines in which two texts differ."""
    old, new = before.splitlines(), after.splitlines()
    different = [part for part in difflib.SequenceMatcher(None, old, new).get_opcodes() if part[0] != "equal"]
    first, last = different[0], different[-1]
    return (
        "\n".join(line.strip() for line in old[first[1] : last[2]]),
        "\n".join(line.strip() for line in new[first[3] : last[4]]),
    )
