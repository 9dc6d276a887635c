"""Scores that see how far two words are apart: rotated queries and keys, and biases for each distance.

Each way takes queries and keys of the positions `start`, `start` + 1, … and gives scores (L, L), divided by √d. The
distance of a key from a query is j − i: −1 is the word before. As attention of a `Reader` stand the classes below.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn

from course_lib import functional
from course_lib.model.attention import masked_softmax
from course_lib.model.positions import rotate

FURTHEST = 8  # Shaw: distances beyond count as this one
N_BUCKETS, LAST_EDGE = 32, 128  # T5's own
SLOPE = 0.5  # ALiBi's, for the first of eight heads

Array = NDArray[np.float64]


def distances(n_queries: int, n_keys: int, start: int = 0) -> NDArray[np.int64]:
    """Return j − i for each query i and key j, (L_q, L_k); the last query stands at the last key.

    >>> distances(2, 2)
    array([[ 0,  1],
           [-1,  0]])
    """
    keys = start + np.arange(n_keys)
    return keys[None, :] - keys[n_keys - n_queries :, None]


def t5_bucket(
    distance: ArrayLike, n_buckets: int = N_BUCKETS, last_edge: int = LAST_EDGE
) -> NDArray[np.int64]:
    """Return the bucket of each distance: one each for near ones, then wider and wider, up to `last_edge`.

    Keys behind the query have the first half of the buckets, those in front of it the second.

    Parameters
    ----------
    distance : array of whole numbers
    n_buckets, last_edge : int
        From `last_edge` on all distances share the last bucket of their half.

    Notes
    -----
    Raffel et al. (2020), section 2.1, and the code that goes with it, for an encoder.

    Examples
    --------
    >>> t5_bucket([0, -1, -7, -8, -15, -127, -4000, 1]).tolist()
    [0, 1, 7, 8, 9, 15, 15, 17]
    """
    d = np.asarray(distance, dtype=np.int64)
    half = n_buckets // 2
    exact = half // 2
    far = np.abs(d)
    wide = np.log(np.maximum(far, exact) / exact) / math.log(last_edge / exact) * (half - exact)
    return np.where(far < exact, far, np.minimum(exact + wide.astype(np.int64), half - 1)) + half * (d > 0)


def clipped(distance: ArrayLike, furthest: int = FURTHEST) -> NDArray[np.int64]:
    """Return the row of each distance in Shaw's table: 0 for −`furthest` and beyond, up to 2·`furthest`.

    >>> clipped([-100, -8, 0, 100]).tolist()
    [0, 0, 8, 16]
    """
    return np.clip(np.asarray(distance, dtype=np.int64), -furthest, furthest) + furthest


# ---- In NumPy, to be compared ----


class Way(NamedTuple):
    """How a position comes into the scores: a function of queries, keys and where they start, and what is learned."""

    scores: Callable[[Array, Array, int], Array]
    n_learned: int  # numbers


def ways(d: int, rng: np.random.Generator, max_length: int = 512) -> dict[str, Way]:
    """Return ways to bring positions into scores, by name; what would be learned is drawn.

    Parameters
    ----------
    d : int
        Width of queries and keys.
    rng : numpy.random.Generator
    max_length : int
        Rows of the table of learned positions.

    Examples
    --------
    >>> found = ways(4, np.random.default_rng(0))
    >>> {name: way.n_learned for name, way in found.items()}
    {'learned, added': 2048, 'sinusoidal, added': 0, 'rotary': 0, 'Shaw': 68, 'T5': 32, 'ALiBi': 0}
    """
    rows = rng.standard_normal((max_length, d))
    table, bias = rng.standard_normal((2 * FURTHEST + 1, d)), rng.standard_normal(N_BUCKETS)

    def of(q: Array, k: Array, extra: ArrayLike = 0.0) -> Array:
        scores: Array = (q @ k.T + np.asarray(extra) * math.sqrt(d)) / math.sqrt(d)
        return scores

    def learned(q: Array, k: Array, start: int) -> Array:
        phi = rows[start : start + len(q)]
        return of(q + phi, k + phi)

    def sinusoidal(q: Array, k: Array, start: int) -> Array:
        phi = functional.sinusoidal_encoding(len(q), d, start=start)
        return of(q + phi, k + phi)

    def rotary(q: Array, k: Array, start: int) -> Array:
        return of(*(rotate(torch.from_numpy(x), start).numpy() for x in (q, k)))

    def shaw(q: Array, k: Array, start: int) -> Array:
        index = clipped(distances(len(q), len(k), start))
        return of(q, k, np.einsum("id,ijd->ij", q, table[index]) / math.sqrt(d))

    def t5(q: Array, k: Array, start: int) -> Array:
        return of(q, k, bias[t5_bucket(distances(len(q), len(k), start))])

    def alibi(q: Array, k: Array, start: int) -> Array:
        return of(q, k, -SLOPE * np.abs(distances(len(q), len(k), start)))

    return {
        "learned, added": Way(learned, rows.size),
        "sinusoidal, added": Way(sinusoidal, 0),
        "rotary": Way(rotary, 0),
        "Shaw": Way(shaw, table.size),
        "T5": Way(t5, bias.size),
        "ALiBi": Way(alibi, 0),
    }


def compared(d: int = 8, length: int = 6, seed: int = 7) -> list[tuple[str, float, float, int]]:
    """Try each way on random queries and keys: name, what a shift changes, before against after, numbers learned.

    Returns
    -------
    list of tuples
        The largest change of a score when the sentence moves by 100 positions; how far the scores with the word before
        and the word after are apart, on average, when all queries are equal and all keys are; and how many numbers one
        head learns.

    Examples
    --------
    >>> [(name, round(moved, 2)) for name, moved, *_ in compared()][2:]
    [('rotary', 0.0), ('Shaw', 0.0), ('T5', 0.0), ('ALiBi', 0.0)]
    """
    rng = np.random.default_rng(seed)
    q, k = rng.standard_normal((2, length, d))
    same_q, same_k = (np.tile(x[:1], (length, 1)) for x in (q, k))
    told = []
    for name, way in ways(d, rng).items():
        moved = float(np.abs(way.scores(q, k, 100) - way.scores(q, k, 0)).max())
        alike = way.scores(same_q, same_k, 0)
        sides = np.abs(np.diagonal(alike, -1)[:-1] - np.diagonal(alike, 1)[1:])
        told.append((name, moved, float(sides.mean()), way.n_learned))
    return told


# ---- In PyTorch, as attention of a layer ----


class _Biased(nn.Module):
    """Attention whose scores get something for each distance."""

    def extra(self, queries: Tensor, distance: NDArray[np.int64]) -> Tensor:
        """Return what is added to the scores, broadcastable to (…, L_q, L_k)."""
        raise NotImplementedError

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor]:
        """Return output and weights, as `course_lib.model.attention` does."""
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
        scores = scores + self.extra(queries, distances(queries.shape[-2], keys.shape[-2]))
        weights = nn.functional.dropout(masked_softmax(scores, mask), dropout)
        return weights @ values, weights


class ShawAttention(_Biased):
    """Attention with a learned vector for each distance, added to the key: q_i · (k_j + a_{j−i}) / √d.

    Parameters
    ----------
    d_k : int
        Width of queries and keys.
    furthest : int
        Distances beyond it share its vector.

    Notes
    -----
    Shaw et al. (2018), equation 4; without their vectors for values.

    Examples
    --------
    >>> x = torch.zeros(3, 2)
    >>> ShawAttention(2)(x, x, x)[1].shape
    torch.Size([3, 3])
    """

    def __init__(self, d_k: int, furthest: int = FURTHEST) -> None:
        super().__init__()
        self.furthest = furthest
        self.table = nn.Parameter(torch.randn(2 * furthest + 1, d_k) / math.sqrt(d_k))

    def extra(self, queries: Tensor, distance: NDArray[np.int64]) -> Tensor:
        """Return q_i · a_{j−i} / √d, (…, L_q, L_k)."""
        index = torch.from_numpy(clipped(distance, self.furthest)).expand(*queries.shape[:-1], -1)
        return (queries @ self.table.T / math.sqrt(queries.shape[-1])).gather(-1, index)


class T5Attention(_Biased):
    """Attention with a learned number for each bucket of distances, added to the score.

    Notes
    -----
    Raffel et al. (2020), section 2.1. T5 does not divide by √d; here it is done as everywhere.

    Examples
    --------
    >>> x = torch.zeros(2, 2)
    >>> T5Attention()(x, x, x)[1].tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """

    def __init__(self) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(N_BUCKETS))

    def extra(self, queries: Tensor, distance: NDArray[np.int64]) -> Tensor:
        """Return the bias of each distance's bucket, (L_q, L_k)."""
        return self.bias[torch.from_numpy(t5_bucket(distance))]


class ALiBiAttention(_Biased):
    """Attention whose scores fall with the distance, by a fixed slope: nothing is learned.

    Notes
    -----
    Press et al. (2022); theirs is for decoders, where the mask hides what comes after.

    Examples
    --------
    >>> x = torch.zeros(2, 2)
    >>> ALiBiAttention()(x, x, x)[1].round(decimals=2).tolist()
    [[0.6200000047683716, 0.3799999952316284], [0.3799999952316284, 0.6200000047683716]]
    """

    def extra(self, queries: Tensor, distance: NDArray[np.int64]) -> Tensor:
        """Return −slope · |j − i|, (L_q, L_k)."""
        return -SLOPE * torch.from_numpy(np.abs(distance)).to(queries)
