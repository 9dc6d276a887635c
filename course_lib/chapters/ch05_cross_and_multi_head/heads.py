"""Heads that specialise: a difference of two look-ups, which one head cannot give and two can.

A list has six towns, in any order, each with its temperature. The question names two of them: *how much warmer is it
in the first than in the second?* The keys are made from the names and the values from the temperatures,
so each head returns an average of temperatures, and the answer is read from the heads linearly.

On paper: one head answers c·Σ w_j x_j + b with weights w_j ≥ 0 that do not depend on the temperatures. If these are
independent with mean 0 and variance 1, its mean squared error is at least

    (1 − c·w_first)² + (1 + c·w_second)² + c²·Σ_others w_j² ≥ 1,

because c ≥ 0 makes the second square at least 1 and c ≤ 0 the first. Always answering 0 has error 2.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded
from course_lib.model import MultiHeadAttention

TOWNS = ("London", "Paris", "Rome", "Oslo", "Cork", "Nice")


class Questions(NamedTuple):
    """Lists of towns in some order, and for each list one question about two of them."""

    names: Tensor  # (B, n_towns) int64
    temperatures: Tensor  # (B, n_towns)
    asked: Tensor  # (B, 2) int64: the first town and the second

    @property
    def answer(self) -> Tensor:
        """How much warmer it is in the first town than in the second, (B,)."""
        found = self.names[:, None, :] == self.asked[:, :, None]  # (B, 2, n_towns)
        first, second = (self.temperatures[:, None] * found).sum(-1).unbind(1)
        return first - second


def questions(generator: torch.Generator, n: int = 64) -> Questions:
    """Draw lists and questions; temperatures are independent with mean 0 and variance 1 (0 is usual for the season).

    Examples
    --------
    >>> batch = questions(torch.Generator().manual_seed(0), n=5)
    >>> batch.names.shape, batch.answer.shape
    (torch.Size([5, 6]), torch.Size([5]))
    """
    n_towns = len(TOWNS)

    def shuffled() -> Tensor:
        return torch.rand(n, n_towns, generator=generator).argsort(-1)

    return Questions(shuffled(), torch.randn(n, n_towns, generator=generator), shuffled()[:, :2])


class _Columns(nn.Linear):
    """A linear map of some columns of its input: what a projection may read."""

    def __init__(self, columns: slice, d_in: int, d_out: int) -> None:
        super().__init__(d_in, d_out)
        self.columns = columns

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x[..., self.columns])


class _Lookup(MultiHeadAttention):
    """Multi-head attention to a list of towns: keys from names alone, values from temperatures alone."""

    def __init__(self, n_heads: int, d_k: int, d_v: int) -> None:
        n = len(TOWNS)
        super().__init__(2 * n, n_heads, d_k, d_v, d_context=n + 1)
        self.W_K = _Columns(slice(0, n), n, n_heads * d_k)
        self.W_V = _Columns(slice(n, n + 1), 1, n_heads * d_v)
        self.W_O = nn.Linear(n_heads * d_v, 1)


class Comparison(nn.Module):
    """Multi-head attention from a question to a list, and a linear reading of its heads.

    Parameters
    ----------
    n_heads, d_k, d_v : int
        Number of heads, and widths per head.
    """

    def __init__(self, n_heads: int, d_k: int = 8, d_v: int = 1) -> None:
        super().__init__()
        self.attention = _Lookup(n_heads, d_k, d_v)

    def forward(self, batch: Questions) -> tuple[Tensor, Tensor]:
        """Return the answers, (B,), and the weights of each head on each place of the list, (B, H, n_towns)."""
        n = len(TOWNS)
        question = F.one_hot(batch.asked, n).float().flatten(1)[:, None]  # (B, 1, 2·n_towns)
        entries = torch.cat([F.one_hot(batch.names, n).float(), batch.temperatures[..., None]], dim=-1)
        output, weights = self.attention(question, entries)
        return output[:, 0, 0], weights[:, :, 0]

    @torch.no_grad()
    def factors(self) -> Tensor:
        """What each head's average of temperatures is multiplied by in the answer, c_h, (H,)."""
        W_V, W_O = self.attention.W_V.weight, self.attention.W_O.weight
        return (W_O.flatten() * W_V.flatten()).unflatten(0, (self.attention.n_heads, -1)).sum(1)


def train_comparison(
    n_heads: int, seed: int, steps: Iterable[int] = range(400), *, d_k: int = 8, d_v: int = 1
) -> Comparison:
    """Train on the squared error of the answers alone."""
    with seeded(seed):
        model = Comparison(n_heads, d_k, d_v)

    def loss(generator: torch.Generator) -> Tensor:
        batch = questions(generator)
        return (model(batch)[0] - batch.answer).square().mean()

    fit(model, loss, steps, learning_rate=2e-2, seed=seed)
    return model


@torch.no_grad()
def squared_error(model: Comparison, seed: int = 5) -> float:
    """The mean squared error on 10,000 new questions."""
    batch = questions(torch.Generator().manual_seed(seed), 10_000)
    return float((model(batch)[0] - batch.answer).square().mean())


@torch.no_grad()
def looks_at(model: Comparison, seed: int = 5) -> NDArray[np.float64]:
    """How much weight each head puts on the first town of the question and on the second, on average, (H, 2)."""
    batch = questions(torch.Generator().manual_seed(seed), 1_000)
    weights = model(batch)[1]  # (B, H, n_towns)
    found = (batch.names[:, None, :] == batch.asked[:, :, None]).float()  # (B, 2, n_towns)
    return torch.einsum("bht,bat->bha", weights, found).mean(0).double().numpy()


class Answer(NamedTuple):
    """What the heads do with one question about one list."""

    weights: NDArray[np.float64]  # (H, n_towns)
    averages: NDArray[np.float64]  # (H,): what each head finds, a temperature
    factors: NDArray[np.float64]  # (H,): what it is multiplied by
    offset: float  # added at the end
    total: float


@torch.no_grad()
def answer(model: Comparison, temperatures: Sequence[float], first: str, second: str) -> Answer:
    """Ask about the towns in the order of `TOWNS`; total = Σ_h factor_h · average_h + offset.

    Raises
    ------
    ValueError
        If a town is unknown, or there is not one temperature for each.
    """
    if len(temperatures) != len(TOWNS):
        raise ValueError(
            f"temperatures: expected one for each of {len(TOWNS)} towns, not {len(temperatures)}"
        )
    for name, town in {"first": first, "second": second}.items():
        if town not in TOWNS:
            raise ValueError(f"{name} is {town!r}: expected one of {TOWNS}")
    list_ = torch.tensor([temperatures], dtype=torch.float32)
    asked = torch.tensor([[TOWNS.index(first), TOWNS.index(second)]])
    total, weights = model(Questions(torch.arange(len(TOWNS))[None], list_, asked))
    averages, factors = (weights[0] @ list_[0]).double().numpy(), model.factors().double().numpy()
    return Answer(
        weights[0].double().numpy(),
        averages,
        factors,
        float(total) - float(factors @ averages),
        float(total),
    )


# ---- The same layer in PyTorch's own module ----


@torch.no_grad()
def padded_pytorch(layer: MultiHeadAttention) -> nn.MultiheadAttention:
    """Put the weights of a self-attention layer with any d_k and d_v into an `nn.MultiheadAttention`.

    That module knows one width only, e = d/H for keys and values alike. So e becomes the largest of d_k, d_v and ⌈d/H⌉,
    and the rest is filled with zeros: more columns in W_Q, W_K and W_V for each head, more rows in W_O, more
    inputs and outputs that are zero. Zeros add nothing to a dot product, but PyTorch divides by √e where the layer
    divides by √d_k; W_Q is multiplied by √(e/d_k) to make up for it.

    Returns
    -------
    nn.MultiheadAttention
        With `batch_first`. Its inputs are those of the layer with zeros appended up to `embed_dim`, and the first d
        entries of its outputs are those of the layer.

    Examples
    --------
    >>> padded_pytorch(MultiHeadAttention(d_model=4, n_heads=2, d_k=2, d_v=3)).embed_dim
    6
    """
    h, d, d_k, d_v = layer.n_heads, layer.W_Q.in_features, layer.d_k, layer.d_v
    e = max(d_k, d_v, -(-d // h))
    weight = layer.W_Q.weight
    theirs = nn.MultiheadAttention(h * e, h, batch_first=True).to(weight)
    for parameter in theirs.parameters():
        parameter.zero_()
    q, k, v = theirs.in_proj_weight.view(3, h, e, h * e)  # views: writing to them fills the module
    q_bias, k_bias, v_bias = theirs.in_proj_bias.view(3, h, e)
    out = theirs.out_proj.weight.view(h * e, h, e)
    for mine, matrix, bias, width in (
        (layer.W_Q, q, q_bias, d_k),
        (layer.W_K, k, k_bias, d_k),
        (layer.W_V, v, v_bias, d_v),
    ):
        matrix[:, :width, :d] = mine.weight.view(h, width, d)
        if mine.bias is not None:
            bias[:, :width] = mine.bias.view(h, width)
    q *= (e / d_k) ** 0.5
    q_bias *= (e / d_k) ** 0.5
    out[:d, :, :d_v] = layer.W_O.weight.view(d, h, d_v)
    if layer.W_O.bias is not None:
        theirs.out_proj.bias[:d] = layer.W_O.bias
    return theirs
