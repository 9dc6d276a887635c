"""Attention read in tiles: what is kept after each tile of keys, and seven ways to compute the same output."""

import math
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from course_lib.functional.checks import as_float, count, require


class Kept(NamedTuple):
    """What is kept of the keys read so far: three things, however many keys there were.

    Attributes
    ----------
    maximum : float
        The largest score so far, m.
    total : float
        ℓ, the sum of e^(s − m).
    output : array (d_v,)
        The weighted mean of the values so far: after the last tile, attention's output.
    factor : float
        e^(m_old − m_new), by which this tile made the earlier sum smaller; 0 at the first tile.
    """

    maximum: float
    total: float
    output: NDArray[np.float64]
    factor: float


def in_tiles(scores: ArrayLike, values: ArrayLike, tile: int) -> list[Kept]:
    """Read the scores of one query tile by tile; return what is kept after each tile.

    Parameters
    ----------
    scores : array (L,)
    values : array (L, d_v)
    tile : int
        Keys in a tile; the last tile may have fewer.

    Raises
    ------
    ValueError
        If scores and values do not fit, or the tile has no keys.

    Notes
    -----
    Milakov and Gimelshein (2018), for the running sum; Dao et al. (2022), algorithm 1.

    Examples
    --------
    >>> [kept.output.tolist() for kept in in_tiles([0.0, 0.0, 0.0], [[0.0], [2.0], [4.0]], tile=2)]
    [[1.0], [2.0]]
    """
    s, v = as_float("scores", scores), as_float("values", values)
    require(
        s.ndim == 1 and v.ndim == 2 and 0 < len(s) == len(v),
        f"scores {s.shape} and values {v.shape} do not fit",
    )
    tile = count("tile", tile, at_least=1)
    maximum, total, summed, steps = -math.inf, 0.0, np.zeros(v.shape[1]), []
    for start in range(0, len(s), tile):
        now, read = s[start : start + tile], v[start : start + tile]
        new = max(maximum, float(now.max()))
        factor = math.exp(maximum - new)
        weights = np.exp(now - new)
        total, summed = total * factor + float(weights.sum()), summed * factor + weights @ read
        maximum = new
        steps.append(Kept(maximum, total, summed / total, factor))
    return steps


def by_rows(queries: Tensor, keys: Tensor, values: Tensor, rows: int = 64) -> Tensor:
    """Attention for a few queries at a time, each with its complete row of scores: no running sums.

    Parameters
    ----------
    queries, keys, values : Tensor
        Shapes (…, L_q, d_k), (…, L_k, d_k) and (…, L_k, d_v).
    rows : int
        Queries at a time.

    Examples
    --------
    >>> by_rows(torch.zeros(3, 2), torch.eye(2), torch.tensor([[0.0], [4.0]]), rows=2).tolist()
    [[2.0], [2.0], [2.0]]
    """
    scale = 1 / math.sqrt(queries.shape[-1])
    parts = [(few @ keys.mT * scale).softmax(dim=-1) @ values for few in queries.split(rows, dim=-2)]
    return torch.cat(parts, dim=-2)


class Reusing:
    """Attention for some queries at a time, whose scores are always written into the same memory.

    The other ways ask for new memory in each step, and the first touch of new memory takes time.

    Parameters
    ----------
    rows : int or None
        Queries at a time; None is all of them.

    Examples
    --------
    >>> Reusing(2)(torch.zeros(3, 2), torch.eye(2), torch.tensor([[0.0], [4.0]])).tolist()
    [[2.0], [2.0], [2.0]]
    """

    def __init__(self, rows: int | None = None) -> None:
        self.rows, self._scores = rows, torch.empty(0)

    @torch.no_grad()
    def __call__(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Return attention's output for queries (…, L_q, d_k), keys (…, L_k, d_k) and values (…, L_k, d_v)."""
        scale, parts = 1 / math.sqrt(queries.shape[-1]), list[Tensor]()
        for few in queries.split(self.rows or queries.shape[-2], dim=-2):
            shape = (*few.shape[:-1], keys.shape[-2])
            if self._scores.shape != shape or self._scores.dtype != few.dtype:
                self._scores = few.new_empty(shape)
            torch.matmul(few, keys.mT, out=self._scores).mul_(scale)
            parts.append(torch.softmax(self._scores, dim=-1, out=self._scores) @ values)
        return torch.cat(parts, dim=-2)


def running_sums(queries: Tensor, keys: Tensor, values: Tensor, rows: int = 64, tile: int = 256) -> Tensor:
    """Attention in tiles of both queries and keys, with a running maximum and a running sum.

    Parameters are those of `by_rows`, and `tile`, the number of keys at a time.

    Examples
    --------
    >>> running_sums(torch.zeros(3, 2), torch.eye(2), torch.tensor([[0.0], [4.0]]), rows=2, tile=1).tolist()
    [[2.0], [2.0], [2.0]]
    """
    scale, outputs = 1 / math.sqrt(queries.shape[-1]), []
    for few in queries.split(rows, dim=-2):
        m = few.new_full((*few.shape[:-1], 1), -math.inf)
        total, summed = torch.zeros_like(m), few.new_zeros(*few.shape[:-1], values.shape[-1])
        for k, v in zip(keys.split(tile, dim=-2), values.split(tile, dim=-2), strict=True):
            s = few @ k.mT * scale
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            weights, factor = (s - new).exp_(), (m - new).exp_()
            total, summed = total * factor + weights.sum(dim=-1, keepdim=True), summed * factor + weights @ v
            m = new
        outputs.append(summed / total)
    return torch.cat(outputs, dim=-2)


def megabytes(function: Callable[..., object], *inputs: object) -> float:
    """Call a function; return the megabytes (10⁶ bytes) that NumPy and Python held at most beyond those before.

    Examples
    --------
    >>> round(megabytes(np.zeros, 10**6))  # eight bytes each
    8
    """
    tracemalloc.start()
    function(*inputs)
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return most


WAYS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "all scores at once": lambda q, k, v: (q @ k.mT / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v,
    "the same, memory reused": Reusing(),
    "64 rows at a time": by_rows,
    "64 rows, memory reused": Reusing(64),
    "tiles of 256 keys": running_sums,
    "tiles of 1,024 keys": partial(running_sums, tile=1024),
    "PyTorch’s kernel": torch.nn.functional.scaled_dot_product_attention,
}
