"""How much of a gradient arrives, through a recurrent network, at an input some steps back."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from course_lib.chapters.fit import seeded

Cell = Literal["RNN", "LSTM", "GRU"]
CELLS: dict[Cell, Callable[..., nn.RNNBase]] = {"RNN": nn.RNN, "LSTM": nn.LSTM, "GRU": nn.GRU}


def gradient_norms(
    cell: Cell,
    distances: Sequence[int],
    *,
    scale: float = 1.0,
    keep: float = 0.0,
    d: int = 32,
    batch: int = 16,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Measure ‖∂(r · h_T)/∂x_{T−k}‖ for an untrained recurrent network, its last state h_T and a random r.

    Parameters
    ----------
    cell : "RNN", "LSTM" or "GRU"
        PyTorch's own, with its default initial weights.
    distances : n int
        The distances k, counted back from the last input.
    scale : float
        Factor on the recurrent weights.
    keep : float
        Added to the bias of the gate that keeps the state: the forget gate of an LSTM, the update gate of a GRU.
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
        If the cell is unknown, a distance is negative, or a plain RNN, which has no gate, is told to keep.

    Notes
    -----
    Source: B 10.1.1. A bias of +3 opens the gate to σ(3) ≈ 0.95 (Gers, Schmidhuber and Cummins 2000, for the LSTM).

    Examples
    --------
    >>> near, far = gradient_norms("RNN", [1, 40])
    >>> bool(far < 1e-9 < near)
    True
    """
    if cell not in CELLS:
        raise ValueError(f"cell is {cell!r}: expected one of {list(CELLS)}")
    if not len(distances) or min(distances) < 0:
        raise ValueError(f"distances {list(distances)}: expected at least one, none negative")
    if keep and cell == "RNN":
        raise ValueError(f"keep is {keep}: an RNN has no gate, expected 0")
    with seeded(seed):
        network = CELLS[cell](d, d, batch_first=True)
    with torch.no_grad():
        network.weight_hh_l0.mul_(scale)  # type: ignore[operator]
        # the second quarter of an LSTM's biases is the forget gate's, the second third of a GRU's the update gate's
        network.bias_ih_l0[d : 2 * d].add_(keep)  # type: ignore[index]
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(batch, max(distances) + 10, d, generator=generator, requires_grad=True)  # (B, L, d)
    read = torch.randn(batch, d, generator=generator)
    states, _ = network(x)  # (B, L, d)
    (states[:, -1] * read).sum().backward()
    assert x.grad is not None
    norms = (
        x.grad.double().norm(dim=2).median(dim=0).values.flip(0)
    )  # (B, L, d) -> (L,), the last input first
    return norms.numpy()[list(distances)]
