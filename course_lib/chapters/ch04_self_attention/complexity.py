"""What layers that turn a sequence into a sequence cost: counted, built, traced and timed (chapter 04).

Every layer here takes (B, L, d) to (B, L, d_v) and has no biases, as in the tables of B 10.2.5.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from course_lib import functional
from course_lib.chapters.fit import seeded
from course_lib.functional import Cost
from course_lib.model import attention

KERNEL = 5
LAYERS = ("self-attention", "RNN", "GRU", "LSTM", "convolution", "dense")
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
PRODUCTS = (
    "Mm",
    "Bmm",
    "Addmm",
    "Convolution",
)  # what PyTorch calls a product of matrices when it takes gradients


class SelfAttention(nn.Module):
    """Attention of a sequence to itself: three matrices and no other parameter.

    Parameters
    ----------
    d : int
        Width of the sequence.
    d_k, d_v : int
        Width of queries and keys, and of values; d where not given.

    Notes
    -----
    Formula: softmax((X·W_Q)(X·W_K)ᵀ / √d_k) (X·W_V). Source: B 10.2.4.

    Examples
    --------
    >>> output, weights = SelfAttention(8, d_k=2, d_v=3).with_weights(torch.zeros(1, 5, 8))
    >>> tuple(output.shape), tuple(weights.shape)
    ((1, 5, 3), (1, 5, 5))
    """

    def __init__(self, d: int, d_k: int | None = None, d_v: int | None = None) -> None:
        super().__init__()
        self.W_Q = nn.Linear(d, d_k or d, bias=False)
        self.W_K = nn.Linear(d, d_k or d, bias=False)
        self.W_V = nn.Linear(d, d_v or d, bias=False)

    def with_weights(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return output (B, L, d_v) and weights (B, L, L) for x (B, L, d)."""
        return attention(self.W_Q(x), self.W_K(x), self.W_V(x))

    def forward(self, x: Tensor) -> Tensor:
        """Return the output (B, L, d_v) for x (B, L, d)."""
        return self.with_weights(x)[0]


class _States(nn.Module):
    """A recurrent layer without its last state."""

    def __init__(self, recurrent: nn.RNNBase) -> None:
        super().__init__()
        self.recurrent = recurrent

    def forward(self, x: Tensor) -> Tensor:
        return self.recurrent(x)[0]


class _Convolution(nn.Conv1d):
    """A convolution that keeps the length and takes (B, L, d), where PyTorch's takes (B, d, L)."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.mT).mT


def build(name: str, L: int, d: int, d_v: int | None = None, seed: int = 0) -> nn.Module:
    """Build one of `LAYERS`; only the dense one needs to know the length.

    Parameters
    ----------
    name : str
        One of `LAYERS`; the convolution has kernels of size `KERNEL`.
    L, d : int
        Length and width of the sequence.
    d_v : int
        Width of the output, and of keys; d where not given.
    seed : int
        For the initial weights.

    Raises
    ------
    ValueError
        If there is no such layer.

    Examples
    --------
    >>> {name: build(name, L=7, d=4)(torch.zeros(2, 7, 4)).shape == (2, 7, 4) for name in LAYERS}["dense"]
    True
    """
    d_v = d_v or d
    with seeded(seed):
        if name == "self-attention":
            return SelfAttention(d, d_v, d_v)
        if name in GATES:
            kind: Callable[..., nn.RNNBase] = getattr(nn, name)
            return _States(kind(d, d_v, bias=False, batch_first=True))
        if name == "convolution":
            return _Convolution(d, d_v, KERNEL, padding=KERNEL // 2, bias=False)
        if name == "dense":
            dense = nn.Linear(L * d, L * d_v, bias=False)
            return nn.Sequential(nn.Flatten(), dense, nn.Unflatten(1, (L, d_v)))
    raise ValueError(f"name is {name!r}: expected one of {', '.join(LAYERS)}")


def formula(name: str, L: int, d: int, d_v: int | None = None) -> Cost:
    """Return what `functional` counts for a layer of `build`.

    Examples
    --------
    >>> formula("convolution", L=10, d=8, d_v=3)
    Cost(multiply_adds=1200, parameters=120)
    """
    d_v = d_v or d
    if name == "self-attention":
        return functional.self_attention_cost(L, d, d_v, d_v)
    if name in GATES:
        return functional.recurrent_cost(L, d, d_v, n_gates=GATES[name])
    if name == "convolution":
        return functional.convolution_cost(L, d, d_v, KERNEL)
    if name == "dense":
        return functional.dense_cost(L, d, d_v)
    raise ValueError(f"name is {name!r}: expected one of {', '.join(LAYERS)}")


def sequence(L: int, d: int, seed: int = 0) -> Tensor:
    """Draw a sequence (1, L, d) from the standard normal distribution.

    >>> sequence(3, 2).shape
    torch.Size([1, 3, 2])
    """
    return torch.randn(1, L, d, generator=torch.Generator().manual_seed(seed))


def parameters(module: nn.Module) -> int:
    """Count the trainable numbers of a module by asking each of its tensors.

    >>> parameters(nn.Linear(3, 2))
    8
    """
    return sum(parameter.numel() for parameter in module.parameters() if parameter.requires_grad)


def counted_multiply_adds(layer: Callable[[Tensor], Any], x: Tensor) -> int:
    """Let PyTorch count the multiply-adds of the matrix products and convolutions while a layer runs.

    >>> counted_multiply_adds(nn.Linear(3, 2), torch.zeros(5, 3))
    30
    """
    with _unfused(), FlopCounterMode(display=False) as counter:
        layer(x)
    return int(counter.get_total_flops()) // 2  # a multiplication and an addition are two operations


@contextmanager
def _unfused() -> Iterator[None]:
    """Keep PyTorch from running an LSTM or attention as one operation, which would hide its products."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of graphics cards that are not there
        with torch.backends.mkldnn.flags(enabled=False), sdpa_kernel(SDPBackend.MATH):
            yield


def dependent_steps(layer: Callable[[Tensor], Tensor], x: Tensor) -> int:
    """Count the longest chain of matrix products in which each needs the result of the one before.

    PyTorch notes for its gradients what was computed from what; this walks the notes from the output back.

    >>> dependent_steps(nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 2)), torch.zeros(5, 3))
    2
    """
    with _unfused():
        output = layer(x.detach().requires_grad_())
    longest: dict[Any, int] = {None: 0}
    waiting = [output.grad_fn]
    while waiting:
        node = waiting[-1]
        before = [earlier for earlier, _ in node.next_functions] if node is not None else []
        unknown = [earlier for earlier in before if earlier not in longest]
        if unknown:
            waiting.extend(unknown)
            continue
        waiting.pop()
        if node is not None:
            is_product = node.name().startswith(PRODUCTS)
            longest[node] = max((longest[earlier] for earlier in before), default=0) + is_product
    return longest[output.grad_fn]


def fewest_layers(
    layer: Callable[[int], Callable[[Tensor], Tensor]], L: int, d: int, *, source: int, target: int, most: int
) -> float:
    """Stack layers until the output at one position depends on the input at another.

    Parameters
    ----------
    layer : function
        Takes the number of a layer, from 0, and returns it: (1, L, d) → (1, L, d), in float64.
    L, d : int
        Length and width of the sequence.
    source, target : int
        Positions j and i in ∂out_i/∂x_j.
    most : int
        How many layers to try.

    Returns
    -------
    float
        The number of layers; ∞ if the derivative is exactly 0 through `most` of them.

    Examples
    --------
    >>> fewest_layers(lambda n: torch.tanh, L=3, d=2, source=0, target=2, most=4)
    inf
    """
    x = sequence(L, d).double().requires_grad_()
    output: Tensor = x
    for n in range(most):
        output = layer(n)(output)
        (gradient,) = torch.autograd.grad(output[0, target].sum(), x, retain_graph=True)
        if gradient[0, source].abs().max() > 0:
            return n + 1
    return math.inf


def seconds(run: Callable[[], object], repeats: int = 5, budget: float = 0.3) -> float:
    """Time a call in seconds of one core: the shortest of several, since all else can only add to it.

    PyTorch is held to one thread, and what is counted is the time in which this process computes, not the
    time in which it waits for other processes.

    Parameters
    ----------
    run : function
        Called once beforehand, not timed.
    repeats : int
        How many calls to time, at most.
    budget : float
        Seconds after which no further call begins.
    """
    best, spent, threads = math.inf, 0.0, torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.no_grad():
            run()
            for _ in range(repeats):
                start = time.process_time()
                run()
                took = time.process_time() - start
                best, spent = min(best, took), spent + took
                if spent > budget:
                    break
    finally:
        torch.set_num_threads(threads)
    return best


def layer_seconds(
    lengths: Iterable[int],
    d: int,
    names: Sequence[str] = LAYERS,
    largest: int = 80_000_000,
    rounds: int = 3,
) -> dict[str, list[float]]:
    """Time each layer on one sequence of each length; NaN where its parameters would be more than `largest`.

    The layers take turns, so that whatever else the machine does falls on all of them; the median of the rounds counts.

    >>> times = layer_seconds([4, 64], d=2, names=["convolution", "dense"], largest=1000)
    >>> [time > 0 for time in times["convolution"]], [time > 0 for time in times["dense"]]
    ([True, True], [True, False])
    """
    times: dict[str, list[float]] = {name: [] for name in names}
    for L in lengths:
        x = sequence(L, d)
        layers = {name: build(name, L, d) for name in names if formula(name, L, d).parameters <= largest}
        took: dict[str, list[float]] = {name: [] for name in layers}
        for _ in range(rounds):
            for name, layer in layers.items():
                took[name].append(seconds(partial(layer, x), repeats=1))
        for name in names:
            times[name].append(float(np.median(took[name])) if name in took else math.nan)
    return times


def fitted_exponent(lengths: ArrayLike, measured: ArrayLike, points: int = 4) -> float:
    """Fit measured = c·L^p by least squares on logarithms, over the last finite points, and return p.

    Raises
    ------
    ValueError
        If there are fewer finite points than `points`, or `points` is less than 2.

    Examples
    --------
    >>> round(fitted_exponent([1, 2, 4, 8], [9.0, 12.0, 48.0, np.nan], points=2), 3)
    2.0
    """
    lengths, measured = np.asarray(lengths, dtype=float), np.asarray(measured, dtype=float)
    there = np.flatnonzero(np.isfinite(measured))[-points:]
    if points < 2 or len(there) < points:
        raise ValueError(f"points is {points}, with {len(there)} finite: expected at least 2, all finite")
    return float(np.polyfit(np.log(lengths[there]), np.log(measured[there]), 1)[0])
