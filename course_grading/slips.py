"""Typical slips made on purpose in right answers: do they lose points, and does the message say what is wrong?

Mutants (`course_grading.mutants`) change one operator or number. Slips are mistakes as students make them: the
wrong axis, the first row for all rows, a result that is kept from the call before, a parameter that is not used.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, zip_longest
from operator import setitem

# What happens to a result before it is returned.
RESULTS = {
    "first row for all": """
def slip(result):
    if hasattr(result, "shape") and len(result.shape) > 1:
        is_boolean = "bool" in str(result.dtype)
        return result & False | result[..., :1, :] if is_boolean else 0 * result + result[..., :1, :]
    if isinstance(result, (list, tuple)) and len(result) > 1:
        return type(result)([result[0]] * len(result))
    return result
""",
    "first of several": """
def slip(result):
    if hasattr(result, "shape") and len(result.shape) > 2:
        return result[:1] + 0 * result
    return result
""",
    "last one missing": """
def slip(result):
    if hasattr(result, "shape") and len(result.shape) > 0:
        return result[..., :-1, :] if len(result.shape) > 1 else result[:-1]
    return result[:-1] if isinstance(result, (list, str)) else result
""",
    "back to front": """
def slip(result):
    if hasattr(result, "flip") or hasattr(result, "shape") and len(result.shape) == 1:
        return result.flip(0) if hasattr(result, "flip") else result[::-1]
    if hasattr(result, "shape") and len(result.shape) > 1:
        return result[..., ::-1, :]
    return result[::-1] if isinstance(result, (list, str)) else result
""",
    "transposed": """
def slip(result):
    return result.swapaxes(-1, -2) if hasattr(result, "shape") and len(result.shape) > 1 else result
""",
    "whole numbers": """
def slip(result):
    if hasattr(result, "astype") and "float" in str(result.dtype):
        return result.astype(int)
    if hasattr(result, "is_floating_point") and result.is_floating_point():
        return result.int()
    return int(result) if isinstance(result, float) else result
""",
    "rounded": """
def slip(result):
    if hasattr(result, "round") and not isinstance(result, int):
        if hasattr(result, "detach"):
            return result.round(decimals=1) if result.is_floating_point() else result
        return result.round(1) if hasattr(result, "shape") else round(result, 1)
    return result
""",
    "one too many": """
def slip(result):
    return result + 1 if type(result) is int else [*result, *result[-1:]] if isinstance(result, list) else result
""",
    "an axis too few": """
def slip(result):
    return result[0] if hasattr(result, "shape") and len(result.shape) > 1 else result
""",
    "an axis too many": """
def slip(result):
    return result[None] if hasattr(result, "shape") and len(result.shape) > 0 else result
""",
    "nothing returned": """
def slip(result):
    return None
""",
    "wrong sign": """
def slip(result):
    if isinstance(result, bool) or "bool" in str(getattr(result, "dtype", "")):
        return not result if isinstance(result, bool) else ~result
    return -result if hasattr(result, "shape") or isinstance(result, (int, float)) else result
""",
}
# What happens to a whole function.
FUNCTIONS = {
    "kept from the call before": """
def slipped(function, kept={}):
    def shape(x):
        if hasattr(x, "shape"):
            return tuple(x.shape)
        if isinstance(x, (int, float, str, type(None))):
            return x
        return len(x) if hasattr(x, "__len__") else type(x)

    def slip(*args, **named):
        key = (function.__qualname__, *map(shape, args))
        if key not in kept:
            kept[key] = function(*args, **named)
        return kept[key]

    return slip
""",
    "an input returned": """
def slipped(function):
    def slip(*args, **named):
        function(*args, **named)
        return args[0] if args else None

    return slip
""",
    "in place": """
def slipped(function):
    def slip(*args, **named):
        result = function(*args, **named)
        for x in args:
            if hasattr(x, "shape") and len(x.shape) > 0 and getattr(x, "requires_grad", False) is False:
                if hasattr(result, "shape") and tuple(result.shape) == tuple(x.shape):
                    x[...] = result
                else:
                    x[...] = x[:1] + 0 * x
                break
            if isinstance(x, list) and x:
                x.append(x[0])
                break
        return result

    return slip
""",
}
CALLS = {
    **{"max": "min", "argmax": "argmin", "any": "all", "all": "any", "zeros": "ones", "std": "var"},
    **{"sum": "mean", "mean": "sum", "tril": "triu", "triu": "tril", "sin": "cos", "cos": "sin"},
}
LIMITS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


@dataclass(frozen=True)
class Slip:
    """A right answer with a slip in it.

    Attributes
    ----------
    kind : str
        As in "wrong axis".
    source : str
    where : str
        The line that was changed, as it is now.
    """

    kind: str
    source: str
    where: str


def slips(source: str) -> list[Slip]:
    """Return an answer with one slip in it, in every way that we know, kinds in turn.

    Parameters
    ----------
    source : str
        Python, what stands in a question's cell.

    Examples
    --------
    >>> for slip in slips("def mean(x):\\n    return x.sum(axis=-1) / x.shape[-1]")[3:5]:
    ...     print(slip.kind, "|", slip.where)
    a number not used | x = 1 if isinstance(x, (int, float)) else x
    first row for all | return slip(x.sum(axis=-1) / x.shape[-1])
    """
    tree = ast.parse(source)
    plain = ast.unparse(tree)
    by_kind: dict[str, dict[str, Slip]] = {}
    for number, node in enumerate(ast.walk(tree)):
        for choice, (kind, _) in enumerate(_ways(node)):
            changed = deepcopy(tree)
            there = list(ast.walk(changed))[number]
            list(_ways(there))[choice][1]()
            text = ast.unparse(ast.fix_missing_locations(changed))
            if text != plain:
                line = next(
                    (a for a, b in zip_longest(text.splitlines(), plain.splitlines()) if a and a != b), ""
                )
                helper = RESULTS.get(kind) or FUNCTIONS.get(kind) or ""
                by_kind.setdefault(kind, {})[text] = Slip(kind, helper + text, line.strip())
    in_turn = zip_longest(*(found.values() for found in by_kind.values()))
    return [slip for row in in_turn for slip in row if slip is not None]


Way = tuple[str, Callable[[], object]]


def _ways(node: ast.AST) -> Iterator[Way]:
    """Yield the kinds of slips that can be made at a node, each with a function that makes it."""
    if isinstance(node, ast.Return) and node.value is not None:
        for kind in RESULTS:
            yield kind, partial(setattr, node, "value", _call("slip", node.value))
    elif isinstance(node, ast.FunctionDef):
        yield from _of_a_function(node)
    elif isinstance(node, ast.Call):
        yield from _of_a_call(node)
    elif isinstance(node, ast.Subscript):
        yield from _of_a_subscript(node)
    elif isinstance(node, ast.BinOp):
        yield from _of_an_operation(node)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in LIMITS:
        yield "limit off by one", partial(setitem, node.ops, 0, LIMITS[type(node.ops[0])]())
    elif isinstance(node, ast.IfExp):
        yield "a case left out", partial(setattr, node, "test", ast.Constant(True))
        yield "a case left out", partial(setattr, node, "test", ast.Constant(False))
    elif isinstance(node, ast.If):
        yield "a case left out", partial(setattr, node, "test", ast.Constant(False))
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.Attribute) and value.attr in ("T", "mT"):
            yield "a transpose missing", partial(setattr, node, name, value.value)


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _of_a_function(node: ast.FunctionDef) -> Iterator[Way]:
    is_method = bool(node.args.args) and node.args.args[0].arg == "self"
    if not is_method and node.col_offset == 0:
        for kind in FUNCTIONS:
            yield kind, partial(node.decorator_list.insert, 0, ast.Name("slipped", ast.Load()))
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    for first, second in pairwise(names):
        swap = ast.parse(f"{first}, {second} = {second}, {first}").body[0]
        yield "two inputs exchanged", partial(node.body.insert, 0, swap)
    for name in names:
        one = ast.parse(f"{name} = 1 if isinstance({name}, (int, float)) else {name}").body[0]
        yield "a number not used", partial(node.body.insert, 0, one)
    for index, (loop, last) in enumerate(pairwise(node.body)):
        if isinstance(loop, ast.For | ast.While) and isinstance(last, ast.Return):
            yield "returned in the first turn", partial(loop.body.append, node.body[index + 1])


def _of_a_call(node: ast.Call) -> Iterator[Way]:
    for keyword in node.keywords:
        if keyword.arg in ("axis", "dim"):
            for axis in (0, -1, -2, None):
                yield "wrong axis", partial(setattr, keyword, "value", ast.Constant(axis))
        if keyword.arg in ("keepdims", "keepdim"):
            yield "an axis lost", partial(setattr, keyword, "value", ast.Constant(False))
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Attribute) and name in CALLS:
        yield "the wrong function", partial(setattr, node.func, "attr", CALLS[name])
    if name in ("softmax", "sum", "mean", "max", "log_softmax", "cumsum") and len(node.args) > 1:
        for axis in (0, -1, -2):
            yield "wrong axis", partial(setitem, node.args, 1, ast.Constant(axis))
    if name == "range":
        last = node.args[0] if len(node.args) == 1 else node.args[1]
        at = 0 if len(node.args) == 1 else 1
        less = ast.BinOp(last, ast.Sub(), ast.Constant(1))
        yield "a turn too few", partial(setitem, node.args, at, less)
        if len(node.args) == 1:
            yield "a turn too few", partial(node.args.insert, 0, ast.Constant(1))
    if name in ("sqrt", "tanh", "exp", "log", "abs", "relu") and len(node.args) == 1:
        yield "a function left out", partial(setattr, node, "func", ast.Name("float", ast.Load()))
        yield "a function left out", partial(_become, node, node.args[0])


def _of_a_subscript(node: ast.Subscript) -> Iterator[Way]:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for part in parts:
        if isinstance(part, ast.Slice):
            for bound in ("lower", "upper"):
                value = getattr(part, bound)
                if value is not None:
                    for step in (ast.Add(), ast.Sub()):
                        shifted = ast.BinOp(value, step, ast.Constant(1))
                        yield "a bound off by one", partial(setattr, part, bound, shifted)
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        for axis in (0, -1, -2):
            yield "the length of another axis", partial(setattr, node, "slice", ast.Constant(axis))


def _of_an_operation(node: ast.BinOp) -> Iterator[Way]:
    match node.op:
        case ast.Div() | ast.Mult():
            yield "a factor missing", partial(_become, node, node.left)
            if isinstance(node.op, ast.Mult):
                yield "a factor missing", partial(_become, node, node.right)
        case ast.Add() | ast.Sub():
            yield "a term missing", partial(_become, node, node.left)
            other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield "plus for minus", partial(setattr, node, "op", other)
        case ast.MatMult():
            yield "a product the wrong way round", partial(_exchange, node)
        case ast.Pow():
            yield "a power left out", partial(_become, node, node.left)


def _become(node: ast.AST, other: ast.AST) -> None:
    """Put another expression in the place of one."""
    vars(node).clear()
    object.__setattr__(node, "__class__", type(other))
    vars(node).update(vars(other))


def _exchange(node: ast.BinOp) -> None:
    node.left, node.right = node.right, node.left
