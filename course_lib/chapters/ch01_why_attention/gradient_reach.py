"""How much of a gradient arrives, through a recurrent network or through attention, at an input some steps back."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import seeded

Cell = Literal["RNN", "LSTM", "GRU", "attention", "bag"]
CELLS: dict[str, Callable[..., nn.RNNBase]] = {"RNN": nn.RNN, "LSTM": nn.LSTM, "GRU": nn.GRU}
AT_ONCE = ("attention", "bag")  # which need no steps


def gradient_norms(
    cell: Cell,
    distances: Sequence[int],
    *,
    scale: float = 1.0,
    keep: float = 0.0,
    even: bool = False,
    asks: bool = True,
    d: int = 32,
    batch: int = 16,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Measure ‖∂(r · h_T)/∂x_{T−k}‖ for an untrained network, its last state h_T and a random r.

    Of attention h_T is the output for the last word, whose query meets the keys of all words; of a bag of words, a
    linear map of their average.

    Parameters
    ----------
    cell : "RNN", "LSTM", "GRU", "attention" or "bag"
        PyTorch's own, with its default initial weights; attention has one head.
    distances : n int
        The distances k, counted back from the last input.
    scale : float
        Factor on the recurrent weights.
    keep : float
        Added to the bias of the gate that keeps the state: the forget gate of an LSTM, the update gate of a GRU.
    even : bool
        Whether that gate is the same for all words and units, σ(keep): its weights and its other biases are 0.
    asks : bool
        Of attention: whether what arrives at the last word by way of its query counts.
    d : int
        Width of the inputs and of the state.
    batch : int
        Number of random input sequences; the median of their norms is returned.
    seed : int

    Returns
    -------
    array (n,)

    Raises
    ------
    ValueError
        If the cell is unknown, a distance is negative, a network without a gate is told to keep, or attention is to
        scale its recurrent weights, which it does not have.

    Notes
    -----
    Source: B 10.1.1. A bias of +3 opens the gate to σ(3) ≈ 0.95 (Gers, Schmidhuber and Cummins 2000, for the LSTM).

    Examples
    --------
    >>> near, far = gradient_norms("RNN", [1, 40])
    >>> bool(far < 1e-9 < near)
    True
    """
    if cell not in (*CELLS, *AT_ONCE):
        raise ValueError(f"cell is {cell!r}: expected one of {[*CELLS, *AT_ONCE]}")
    if not len(distances) or min(distances) < 0:
        raise ValueError(f"distances {list(distances)}: expected at least one, none negative")
    if keep and cell in ("RNN", *AT_ONCE):
        raise ValueError(f"keep is {keep}: {cell} has no gate, expected 0")
    if scale != 1 and cell in AT_ONCE:
        raise ValueError(f"scale is {scale}: {cell} has no recurrent weights, expected 1")
    with seeded(seed):
        if cell == "attention":
            network = _attention(d, asks)
        elif cell == "bag":
            network = _bag(d)
        else:
            network = _recurrent(cell, d, scale, keep, even)
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(batch, max(distances) + 10, d, generator=generator, requires_grad=True)  # (B, L, d)
    read = torch.randn(batch, d, generator=generator)
    (network(x) * read).sum().backward()
    assert x.grad is not None
    norms = (
        x.grad.double().norm(dim=2).median(dim=0).values.flip(0)
    )  # (B, L, d) -> (L,), the last input first
    return norms.numpy()[list(distances)]


def _recurrent(cell: Cell, d: int, scale: float, keep: float, even: bool) -> Callable[[Tensor], Tensor]:
    network = CELLS[cell](d, d, batch_first=True)
    with torch.no_grad():
        network.weight_hh_l0.mul_(scale)  # type: ignore[operator]
        if even:
            for weights in network.parameters():
                weights[d : 2 * d] = 0
        # the second quarter of an LSTM's biases is the forget gate's, the second third of a GRU's the update gate's
        network.bias_ih_l0[d : 2 * d].add_(keep)  # type: ignore[index]
    return lambda x: network(x)[0][:, -1]  # (B, L, d) -> (B, d)


def _attention(d: int, asks: bool) -> Callable[[Tensor], Tensor]:
    query, key, value = (nn.Linear(d, d) for _ in range(3))

    def attend(x: Tensor) -> Tensor:
        asking = x[:, -1:] if asks else x[:, -1:].detach()
        return F.scaled_dot_product_attention(query(asking), key(x), value(x))[:, 0]

    return attend


def _bag(d: int) -> Callable[[Tensor], Tensor]:
    value = nn.Linear(d, d)
    return lambda x: value(x.mean(dim=1))  # (B, L, d) -> (B, d)
