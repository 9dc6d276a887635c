"""The language of the proofs: matrix expressions as trees, which know their shape and can be written as a line.

Terms are built by `product`, `attend`, `transpose` and `scaled`. These refuse shapes that
do not fit, and keep what is trivially the same line the same term: `(A.T).T` is `A`, `I.T` is `I`, and a
scalar is one factor in front, however it was written.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

Shape = tuple[str, str]  # rows and columns, by the names of their sizes: ("L_q", "d_k")


class NotationError(ValueError):
    """A line that cannot be read: not in the notation, or the shapes in it do not fit."""


@dataclass(frozen=True)
class Term:
    """A matrix expression as a tree."""

    @property
    def parts(self) -> "tuple[Term, ...]":
        """The terms right below this one."""
        return tuple(value for value in vars(self).values() if isinstance(value, Term))

    @functools.cached_property
    def shape(self) -> Shape | None:
        """Names of the numbers of rows and columns; None for what is made of I alone, square of any size."""
        return _shape(self)

    def __str__(self) -> str:
        """The term as a line, with the brackets that it needs."""
        return _show(self)


@dataclass(frozen=True)
class Matrix(Term):
    """A given matrix."""

    name: str
    rows: str
    columns: str
    is_permutation: bool = False


@dataclass(frozen=True)
class Identity(Term):
    """I, whose size follows from what it is multiplied with (None until that is read)."""

    size: str | None = None


@dataclass(frozen=True)
class Product(Term):
    """A @ B."""

    left: Term
    right: Term


@dataclass(frozen=True)
class Transpose(Term):
    """A.T; built by `transpose`, so never of a transpose."""

    of: Term


@dataclass(frozen=True)
class Scalar:
    """A product of powers of √size: (("d_k", −1),) is 1/√d_k, (("d_k", 2),) is d_k, () is 1."""

    powers: tuple[tuple[str, int], ...] = ()

    def __mul__(self, other: "Scalar") -> "Scalar":
        """The product: powers add."""
        powers = dict(self.powers)
        for size, power in other.powers:
            powers[size] = powers.get(size, 0) + power
        return Scalar(tuple(sorted((size, power) for size, power in powers.items() if power)))

    def __truediv__(self, other: "Scalar") -> "Scalar":
        """The quotient: powers subtract."""
        return self * Scalar(tuple((size, -power) for size, power in other.powers))


@dataclass(frozen=True)
class Scaled(Term):
    """A scalar times A; built by `scaled`, so never by 1 and never of a scaled term."""

    by: Scalar
    of: Term


@dataclass(frozen=True)
class Softmax(Term):
    """The softmax of each row."""

    of: Term


@dataclass(frozen=True)
class Attention(Term):
    """attention(Q, K, V): the output, not the weights."""

    queries: Term
    keys: Term
    values: Term


def transpose(term: Term) -> Term:
    """A.T, where A.T.T is A and I.T is I."""
    if isinstance(term, Identity):
        return term
    return term.of if isinstance(term, Transpose) else Transpose(term)


def scaled(by: Scalar, term: Term) -> Term:
    """A scalar times A, the scalars of A merged with it, and 1 · A written as A."""
    if isinstance(term, Scaled):
        by, term = by * term.by, term.of
    return Scaled(by, term) if by.powers else term


def product(left: Term, right: Term) -> Term:
    """A @ B, if A has as many columns as B has rows; an I takes the size that fits."""
    left = _sized(left, right.shape and right.shape[0])
    right = _sized(right, left.shape and left.shape[1])
    if left.shape and right.shape and left.shape[1] != right.shape[0]:
        raise NotationError(f"{with_shapes(left, right)}: these do not multiply.")
    return Product(left, right)


def attend(queries: Term, keys: Term, values: Term) -> Term:
    """attention(A, B, C), if A and B have as many columns, B and C as many rows."""
    keys = _sized(keys, (queries.shape and queries.shape[1]) or (values.shape and values.shape[0]))
    queries = _sized(queries, keys.shape and keys.shape[1])
    values = _sized(values, keys.shape and keys.shape[0])
    if queries.shape and keys.shape and values.shape:
        if queries.shape[1] != keys.shape[1]:
            raise NotationError(f"{with_shapes(queries, keys)}: queries and keys must have as many columns.")
        if keys.shape[0] != values.shape[0]:
            raise NotationError(f"{with_shapes(keys, values)}: keys and values must have as many rows.")
    return Attention(queries, keys, values)


def with_shapes(*terms: Term) -> str:
    """Terms and their shapes, for a message."""
    return " and ".join(f"{term} is ({', '.join(term.shape or '??')})" for term in terms)


def _sized(term: Term, size: str | None) -> Term:
    """A term made of I alone gets its size; any other has one."""
    if term.shape or size is None:
        return term
    if isinstance(term, Identity):
        return Identity(size)
    return rebuilt(term, [_sized(part, size) for part in term.parts])


def rebuilt(term: Term, parts: Sequence[Term]) -> Term:
    """The same kind of term with other parts."""
    match term:
        case Product():
            return product(*parts)
        case Transpose():
            return transpose(*parts)
        case Scaled(by=by):
            return scaled(by, *parts)
        case Softmax():
            return Softmax(*parts)
        case Attention():
            return attend(*parts)
    return term


def _shape(term: Term) -> Shape | None:
    match term:
        case Matrix(rows=rows, columns=columns):
            return rows, columns
        case Identity(size=str(size)):
            return size, size
        case Transpose(of=of):
            return of.shape and of.shape[::-1]
        case Scaled(of=of) | Softmax(of=of):
            return of.shape
        case Product(first, last) | Attention(first, _, last):
            return first.shape and last.shape and (first.shape[0], last.shape[1])
    return None


def _show(term: Term) -> str:
    match term:
        case Matrix(name=name):
            return name
        case Product(left, right):
            shown_left = f"({left})" if isinstance(left, Scaled) else str(left)
            return f"{shown_left} @ {_bracketed(right)}"
        case Transpose(of):
            return f"{_bracketed(of)}.T"
        case Scaled(by, of):
            return str(of) + "".join(_show_power(size, power) for size, power in by.powers)
        case Softmax(of):
            return f"softmax({of})"
        case Attention(queries, keys, values):
            return f"attention({queries}, {keys}, {values})"
    return "I"


def _bracketed(term: Term) -> str:
    return f"({term})" if isinstance(term, Product | Scaled) else str(term)


def _show_power(size: str, power: int) -> str:
    whole, half = divmod(abs(power), 2)
    sign = " * " if power > 0 else " / "
    return "".join(sign + factor for factor in [size] * whole + [f"sqrt({size})"] * half)
