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
    attend,
    product,
    rebuilt,
    scaled,
    transpose,
)


@dataclass(frozen=True)
class Rule:
    """A rule: its name, what it says, and how it rewrites a term.

    Bookkeeping has a `normal_form`: it leads from any term to any other with the same one. Any other rule turns a term
    of one kind into another, by `rewrite`, or back, by `undo`, at one place in the line.
    """

    name: str
    formula: str
    rewrite: Callable[[Term], Term | None] | None = None
    undo: Callable[[Term], Iterator[Term]] | None = None
    normal_form: Callable[[Term], Term] | None = None

    def leads(self, before: Term, after: Term) -> bool:
        """Whether the rule, used once, leads from one term to the other."""
        if self.normal_form:
            return self.normal_form(before) == self.normal_form(after)
        # Forwards in both directions: what a rule undoes may be more than `undo` lists.
        return after in self._forwards(before) or before in self._forwards(after)

    def used_once(self, term: Term) -> Iterator[Term]:
        """What the rule makes of a term, used at one place, forwards or backwards; nothing for bookkeeping.

        Backwards, `permutation` finds the permutations that the term itself holds, and no others.
        """
        yield from self._forwards(term)
        if self.undo:
            yield from _everywhere_in_turn(self.undo, term)

    def _forwards(self, term: Term) -> Iterator[Term]:
        def rewritten(part: Term) -> Iterator[Term]:
            new = self.rewrite(part) if self.rewrite else None
            if new is not None:
                yield new

        return _everywhere_in_turn(rewritten, term)


def _everywhere_in_turn(rewrite: Callable[[Term], Iterator[Term]], term: Term) -> Iterator[Term]:
    yield from rewrite(term)
    for i, part in enumerate(term.parts):
        for new in _everywhere_in_turn(rewrite, part):
            yield rebuilt(term, [*term.parts[:i], new, *term.parts[i + 1 :]])


def _apply_definition(term: Term) -> Term | None:
    match term:
        case Attention(queries, keys, values) if queries.shape:
            root = Scalar(((queries.shape[1], -1),))
            return product(Softmax(scaled(root, product(queries, transpose(keys)))), values)
    return None


def _apply_permutation(term: Term) -> Term | None:
    match term:
        case Product(left, right) if is_permutation(left) and right == transpose(left):
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
        case Softmax(Product(scores, order)) if is_permutation(order):
            return product(Softmax(scores), order)
    return None


def _apply_softmax_rows(term: Term) -> Term | None:
    match term:
        case Softmax(Product(order, scores)) if is_permutation(order):
            return product(order, Softmax(scores))
    return None


def _undo_definition(term: Term) -> Iterator[Term]:
    match term:
        case Product(Softmax(Scaled(by, Product(queries, keys))), values):
            if queries.shape and by == Scalar(((queries.shape[1], -1),)):
                yield attend(queries, transpose(keys), values)


def _undo_identity(term: Term) -> Iterator[Term]:
    if term.shape:
        yield product(Identity(term.shape[0]), term)
        yield product(term, Identity(term.shape[1]))


def _undo_transpose(term: Term) -> Iterator[Term]:
    match term:
        case Product(left, right):
            yield transpose(product(transpose(right), transpose(left)))


def _undo_softmax_columns(term: Term) -> Iterator[Term]:
    match term:
        case Product(Softmax(scores), order) if is_permutation(order):
            yield Softmax(product(scores, order))


def _undo_softmax_rows(term: Term) -> Iterator[Term]:
    match term:
        case Product(order, Softmax(scores)) if is_permutation(order):
            yield Softmax(product(order, scores))


def is_permutation(term: Term) -> bool:
    """Whether a term is a permutation matrix, or the transpose of one."""
    inner = term.of if isinstance(term, Transpose) else term
    return isinstance(inner, Matrix) and inner.is_permutation


def brackets_left(term: Term) -> Term:
    """Every product of several factors with its brackets as in ((A @ B) @ C) @ D."""
    if isinstance(term, Product):
        return functools.reduce(product, [brackets_left(factor) for factor in factors(term)])
    return rebuilt(term, [brackets_left(part) for part in term.parts])


def factors(term: Term) -> list[Term]:
    """The factors of a product from left to right, whatever its brackets; of another term that term alone."""
    return [*factors(term.left), *factors(term.right)] if isinstance(term, Product) else [term]


def scalars_out(term: Term) -> Term:
    """The scalars of every product and transpose in front of it. None leaves a softmax or an attention."""
    term = rebuilt(term, [scalars_out(part) for part in term.parts])
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
            _apply_definition,
            _undo_definition,
        ),
        Rule("permutation", "P.T @ P = P @ P.T = I", _apply_permutation),
        Rule("identity", "I @ A = A @ I = A", _apply_identity, _undo_identity),
        Rule("transpose", "(A @ B).T = B.T @ A.T", _apply_transpose, _undo_transpose),
        Rule("associativity", "(A @ B) @ C = A @ (B @ C)", normal_form=brackets_left),
        Rule(
            "scalar",
            "c * (A @ B) = (c * A) @ B = A @ (c * B), (c * A).T = c * A.T",
            normal_form=scalars_out,
        ),
        Rule(
            "softmax columns",
            "softmax(S @ P) = softmax(S) @ P",
            _apply_softmax_columns,
            _undo_softmax_columns,
        ),
        Rule("softmax rows", "softmax(P @ S) = P @ softmax(S)", _apply_softmax_rows, _undo_softmax_rows),
    )
}
"""The rules by name. A, B, C, S are any matrices that fit, P is a permutation matrix or its transpose, c a scalar."""
