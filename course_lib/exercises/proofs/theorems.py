"""What is given, where a proof starts and where it ends; and random matrices of the given shapes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_lib import functional
from course_lib.exercises.proofs.terms import (
    Identity,
    Matrix,
    Product,
    Scaled,
    Shape,
    Softmax,
    Term,
    Transpose,
)
from course_lib.functional import FloatArray


@dataclass(frozen=True)
class Theorem:
    """What is given, where a proof starts, and where it is to end.

    Parameters
    ----------
    title : str
        The statement in words.
    shapes : mapping of str to (str, str)
        The given matrices, each with the names of its numbers of rows and columns.
    permutations : tuple of str
        Which of them are permutation matrices; these are square.
    start, goal : str
        The first and the last line.

    Raises
    ------
    ValueError
        If a permutation is not among the matrices or not square.
    """

    title: str
    shapes: Mapping[str, Shape]
    permutations: tuple[str, ...]
    start: str
    goal: str

    def __post_init__(self) -> None:
        """Check that permutations are square."""
        for name in self.permutations:
            shape = self.shapes.get(name)
            if shape is None or shape[0] != shape[1]:
                raise ValueError(f"permutations must name square matrices of shapes, got {name!r}: {shape}")

    @property
    def sizes(self) -> list[str]:
        """Names of all numbers of rows and columns."""
        return list(dict.fromkeys(size for shape in self.shapes.values() for size in shape))


INVARIANCE = Theorem(
    "Attention does not change when keys and values are permuted alike",
    {"Q": ("L_q", "d_k"), "K": ("L_k", "d_k"), "V": ("L_k", "d_v"), "P": ("L_k", "L_k")},
    ("P",),
    "attention(Q, P @ K, P @ V)",
    "attention(Q, K, V)",
)

EQUIVARIANCE = Theorem(
    "Self-attention of permuted inputs is self-attention, permuted",
    {"X": ("L", "d"), "W_Q": ("d", "d_k"), "W_K": ("d", "d_k"), "W_V": ("d", "d_v"), "P": ("L", "L")},
    ("P",),
    "attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V)",
    "P @ attention(X @ W_Q, X @ W_K, X @ W_V)",
)


def example(theorem: Theorem, seed: int = 0) -> dict[str, Any]:
    """Draw matrices of the theorem's shapes, and a number for each size.

    Parameters
    ----------
    theorem : Theorem
    seed : int
        Another seed, other matrices; the sizes stay.

    Returns
    -------
    dict
        Each size by name, a whole number, no two alike; each matrix by name, normally distributed or, if it
        is a permutation, the identity with its rows in an order such that neither P nor P P is Pᵀ.

    Examples
    --------
    >>> given = example(INVARIANCE)
    >>> {name: given[name].shape for name in "QKVP"}
    {'Q': (2, 3), 'K': (9, 3), 'V': (9, 5), 'P': (9, 9)}
    """
    rng = np.random.default_rng(seed)
    given: dict[str, Any] = {name: 2 + i for i, name in enumerate(theorem.sizes)}
    for rows in {theorem.shapes[name][0] for name in theorem.permutations}:
        given[rows] += len(given) + 1  # at least 4: three rows have too few orders
    for name, (rows, columns) in theorem.shapes.items():
        if name not in theorem.permutations:
            given[name] = rng.normal(size=(given[rows], given[columns]))
            continue
        matrix = np.eye(given[rows])
        while (matrix == matrix.T).all() or (
            matrix @ matrix == matrix.T
        ).all():  # would hide a wrong P for Pᵀ
            matrix = np.eye(given[rows])[rng.permutation(given[rows])]
        given[name] = matrix
    return given


def evaluate(term: Term, given: Mapping[str, Any]) -> FloatArray:
    """Compute a line.

    Parameters
    ----------
    term : Term
    given : mapping
        The matrices and the sizes, as `example` returns them.

    Returns
    -------
    array, of the term's shape

    Examples
    --------
    >>> given = example(INVARIANCE)
    >>> from course_lib.exercises.proofs import parse
    >>> bool(np.array_equal(evaluate(parse("P.T @ P", INVARIANCE), given), np.eye(given["L_k"])))
    True
    """
    parts = [evaluate(part, given) for part in term.parts]
    match term:
        case Matrix(name=name):
            return given[name]
        case Identity(size=size):
            return np.eye(given[str(size)])
        case Product():
            return parts[0] @ parts[1]
        case Transpose():
            return parts[0].T
        case Scaled(by=by):
            return parts[0] * math.prod(given[size] ** (power / 2) for size, power in by.powers)
        case Softmax():
            return functional.softmax(parts[0], axis=-1)
    queries, keys, values = parts
    return functional.attention(queries, keys, values)[0]
