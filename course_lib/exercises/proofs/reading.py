"""From a line of text to a term. The text is never run: what is not in the notation is refused."""

import ast
import re
import warnings

from course_lib.exercises.proofs.terms import (
    Identity,
    Matrix,
    NotationError,
    Scalar,
    Softmax,
    Term,
    attend,
    product,
    scaled,
    transpose,
)
from course_lib.exercises.proofs.theorems import Theorem

MAX_LENGTH = 400  # characters of a line; the lines of a proof have about 60
MAX_DEPTH = 50  # levels of nesting

NOTATION = (
    "A line is made of the given matrices and I, of A @ B, A.T, softmax(A), attention(A, B, C), "
    "and of * and / by a scalar such as d_k or 1 / sqrt(d_k)."
)


def parse(text: str, theorem: Theorem) -> Term:
    """Read a line, without running it.

    Parameters
    ----------
    text : str
        A matrix expression in Python's notation, of at most 400 characters.
    theorem : Theorem
        Which matrices there are, and their shapes.

    Returns
    -------
    Term
        Its `shape` names its rows and columns; `str` writes it as a line again.

    Raises
    ------
    NotationError
        If the text means nothing in `NOTATION`, or if the shapes in it do not fit.

    Examples
    --------
    >>> from course_lib.exercises.proofs import INVARIANCE
    >>> line = parse("(softmax(Q @ (K.T) / sqrt(d_k)))@V", INVARIANCE)
    >>> print(line, line.shape)
    softmax(Q @ K.T / sqrt(d_k)) @ V ('L_q', 'd_v')
    >>> parse("Q @ K", INVARIANCE)
    Traceback (most recent call last):
    course_lib.exercises.proofs.terms.NotationError: Q is (L_q, d_k) and K is (L_k, d_k): these do not multiply.
    """
    term = _read(_syntax_tree(text), theorem)
    if isinstance(term, Scalar):
        raise NotationError(f"This line is a scalar, not a matrix. {NOTATION}")
    if term.shape is None:
        raise NotationError("From this line the size of I cannot be told.")
    return term


def _syntax_tree(text: str) -> ast.expr:
    """Python's own reading of the text, small enough for every function below to walk through."""
    if len(text) > MAX_LENGTH:
        raise NotationError(f"A line has at most {MAX_LENGTH} characters, this one {len(text):,}.")
    stranger = re.search(r"[^\w\s@*/.,()]", text, re.ASCII)
    if stranger:
        raise NotationError(f"{stranger[0]!r} is not understood. {NOTATION}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's advice on odd spellings such as "1if"
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotationError(f"This is not a Python expression; mind the brackets. {NOTATION}") from None
    depth = 0
    level: list[ast.AST] = [tree]
    while level:  # level by level, for recursion is what the cap protects
        depth, level = depth + 1, [below for node in level for below in ast.iter_child_nodes(node)]
    if depth > MAX_DEPTH:
        raise NotationError(f"A line is nested at most {MAX_DEPTH} levels deep, this one {depth}.")
    return tree


def _read(node: ast.expr, theorem: Theorem) -> Term | Scalar:
    match node:
        case ast.Constant(value=1) if type(node.value) is int:  # 1.0 and True equal 1 too
            return Scalar()
        case ast.Name(id=name):
            return _read_name(name, theorem)
        case ast.Attribute(value=inner, attr="T"):
            return transpose(_read_matrix(inner, theorem))
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return product(_read_matrix(left, theorem), _read_matrix(right, theorem))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as sign, right=right):
            return _read_scaling(_read(left, theorem), sign, _read(right, theorem))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            match name, arguments:
                case "softmax", [scores]:
                    return Softmax(_read_matrix(scores, theorem))
                case "attention", [queries, keys, values]:
                    return attend(*(_read_matrix(part, theorem) for part in (queries, keys, values)))
                case "sqrt", [inner]:
                    return _read_root(inner, theorem)
    raise NotationError(f"{_excerpt(node)} is not understood. {NOTATION}")


def _read_name(name: str, theorem: Theorem) -> Term | Scalar:
    if name == "I":
        return Identity()
    if name in theorem.shapes:
        return Matrix(name, *theorem.shapes[name], name in theorem.permutations)
    if name in theorem.sizes:
        return Scalar(((name, 2),))
    known = ", ".join([*theorem.shapes, "I", *theorem.sizes])
    raise NotationError(f"The name {name} is not known here. These are: {known}.")


def _read_matrix(node: ast.expr, theorem: Theorem) -> Term:
    term = _read(node, theorem)
    if isinstance(term, Scalar):
        raise NotationError(f"{_excerpt(node)} is a scalar where a matrix is expected. {NOTATION}")
    return term


def _read_scaling(left: Term | Scalar, sign: ast.operator, right: Term | Scalar) -> Term | Scalar:
    match left, sign, right:
        case Scalar(), ast.Mult(), Scalar():
            return left * right
        case Scalar(), ast.Div(), Scalar():
            return left / right
        case (Term() as term, ast.Mult(), Scalar() as by) | (Scalar() as by, ast.Mult(), Term() as term):
            return scaled(by, term)
        case Term(), ast.Div(), Scalar():
            return scaled(Scalar() / right, left)
    raise NotationError("* takes a scalar on one side, / one on the right; the product of matrices is @.")


def _read_root(node: ast.expr, theorem: Theorem) -> Scalar:
    inner = _read(node, theorem)
    if not isinstance(inner, Scalar) or any(power % 2 for _, power in inner.powers):
        raise NotationError(f"sqrt({_excerpt(node)}) is not understood: the root is of a size, as sqrt(d_k).")
    return Scalar(tuple((size, power // 2) for size, power in inner.powers))


def _excerpt(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 40 else text[:39] + "…"
