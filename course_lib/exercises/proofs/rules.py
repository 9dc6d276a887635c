"""The rules: by which ways one term may be rewritten as another."""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from course_lib.exercises.proofs.terms import (
    Attention,
    Identity,
    Matrix,
    Product,
    Scalar,
    Scaled,
    Softmax,
    Term,
    Transpose,
    product,
    rebuilt,
    scaled,
    transpose,
)


@dataclass(frozen=True)
class Rule:
    """A rule: its name, what it says, and whether used once it leads from one term to another."""

    name: str
    formula: str
    leads: Callable[[Term, Term], bool]


def _at_one_place(rewrite: Callable[[Term], Term | None]) -> Callable[[Term, Term], bool]:
    """A rule that turns one kind of term into another, and back, at any one place in the line."""

    # Backwards a rule may have endlessly many results (A = I A = I I A …), forwards it never has.
    return lambda before, after: (
        after in _everywhere_in_turn(rewrite, before) or before in _everywhere_in_turn(rewrite, after)
    )


def _everywhere_in_turn(rewrite: Callable[[Term], Term | None], term: Term) -> Iterator[Term]:
    new = rewrite(term)
    if new is not None:
        yield new
    for i, part in enumerate(term.parts):
        for new in _everywhere_in_turn(rewrite, part):
            yield rebuilt(term, [*term.parts[:i], new, *term.parts[i + 1 :]])


def _all_over(normal_form: Callable[[Term], Term]) -> Callable[[Term, Term], bool]:
    """Bookkeeping: a rule that leads from any term to any other with the same normal form."""
    return lambda before, after: normal_form(before) == normal_form(after)


def _apply_definition(term: Term) -> Term | None:
    match term:
        case Attention(queries, keys, values) if queries.shape:
            root = Scalar(((queries.shape[1], -1),))
            return product(Softmax(scaled(root, product(queries, transpose(keys)))), values)
    return None


def _apply_permutation(term: Term) -> Term | None:
    match term:
        case Product(left, right) if _is_permutation(left) and right == transpose(left):
            return Identity(left.shape and left.shape[0])
    return None


def _apply_identity(term: Term) -> Term | None:
    match term:
        case Product(Identity(), other) | Product(other, Identity()):
            return other
    return None


def _apply_transpose(term: Term) -> Term | None:
    match term:
        case Transpose(Product(left, right)):
            return product(transpose(right), transpose(left))
    return None


def _apply_softmax_columns(term: Term) -> Term | None:
    match term:
        case Softmax(Product(scores, order)) if _is_permutation(order):
            return product(Softmax(scores), order)
    return None


def _apply_softmax_rows(term: Term) -> Term | None:
    match term:
        case Softmax(Product(order, scores)) if _is_permutation(order):
            return product(order, Softmax(scores))
    return None


def _is_permutation(term: Term) -> bool:
    inner = term.of if isinstance(term, Transpose) else term
    return isinstance(inner, Matrix) and inner.is_permutation


def _brackets_left(term: Term) -> Term:
    """Every product of several factors with its brackets as in ((A @ B) @ C) @ D."""
    if isinstance(term, Product):
        return functools.reduce(product, [_brackets_left(factor) for factor in _factors(term)])
    return rebuilt(term, [_brackets_left(part) for part in term.parts])


def _factors(term: Term) -> list[Term]:
    return [*_factors(term.left), *_factors(term.right)] if isinstance(term, Product) else [term]


def _scalars_out(term: Term) -> Term:
    """The scalars of every product and transpose in front of it. None leaves a softmax or an attention."""
    term = rebuilt(term, [_scalars_out(part) for part in term.parts])
    split = [(part.by, part.of) if isinstance(part, Scaled) else (Scalar(), part) for part in term.parts]
    if isinstance(term, Product | Transpose):
        by = functools.reduce(Scalar.__mul__, [scalar for scalar, _ in split])
        return scaled(by, rebuilt(term, [part for _, part in split]))
    return term


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "definition",
            "attention(A, B, C) = softmax(A @ B.T / sqrt(d_k)) @ C, with d_k the number of columns of A",
            _at_one_place(_apply_definition),
        ),
        Rule("permutation", "P.T @ P = P @ P.T = I", _at_one_place(_apply_permutation)),
        Rule("identity", "I @ A = A @ I = A", _at_one_place(_apply_identity)),
        Rule("transpose", "(A @ B).T = B.T @ A.T", _at_one_place(_apply_transpose)),
        Rule("associativity", "(A @ B) @ C = A @ (B @ C)", _all_over(_brackets_left)),
        Rule(
            "scalar", "c * (A @ B) = (c * A) @ B = A @ (c * B), (c * A).T = c * A.T", _all_over(_scalars_out)
        ),
        Rule("softmax columns", "softmax(S @ P) = softmax(S) @ P", _at_one_place(_apply_softmax_columns)),
        Rule("softmax rows", "softmax(P @ S) = P @ softmax(S)", _at_one_place(_apply_softmax_rows)),
    )
}
"""The rules by name. A, B, C, S are any matrices that fit, P is a permutation matrix or its transpose, c a scalar."""
