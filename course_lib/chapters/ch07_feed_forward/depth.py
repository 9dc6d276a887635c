"""What keeps a deep stack of blocks alive: rank collapse, gradients by layer, and a sorting task to train on.

A `Stack` is made of the course's attention and feed-forward layers, and each part around them can be left out.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.chapters.fit import fit, seeded
from course_lib.model import EncoderBlock, FeedForward, Parts, PositionalEncoding, Sublayer

Norm = Literal["pre", "post", "none"]


class PartialSublayer(Sublayer):
    """A sublayer of which parts can be left out: x + f(x) or f(x) alone, LayerNorm before, after or not at all.

    Parameters
    ----------
    d_model : int
    norm : {"pre", "post", "none"}
        f(LayerNorm(x)), LayerNorm(f(x)) – with the residual LayerNorm(x + f(x)) –, or f(x).
    residual : bool

    Examples
    --------
    >>> PartialSublayer(d_model=2, norm="none", residual=True)(torch.tensor([[[1.0, 3.0]]]), lambda x: x)
    tensor([[[2., 6.]]])
    """

    def __init__(self, d_model: int, norm: Norm, residual: bool) -> None:
        super().__init__(d_model, "post" if norm == "post" else "pre")
        self.residual = residual
        if norm == "none":
            self.norm = nn.Identity()

    def join(self, x: Tensor, y: Tensor) -> Tensor:
        """Return x + y or `y` alone, normalised if the norm stands after it."""
        return super().join(x if self.residual else torch.zeros_like(x), y)


class AttentionBlock(EncoderBlock):
    """An encoder block without its feed-forward network."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Transform `x`, of shape (B, L, d); return it with the weights."""
        x, weights = self.around_attention(x, self.attention, mask=mask)
        return x, weights


class Stack(nn.Module):
    """Blocks of self-attention and a feed-forward network, one upon the other.

    They are the library's `EncoderBlock`, of which parts can be left out.

    Parameters
    ----------
    n_layers, d_model, n_heads, d_ff : int
    norm, residual
        As in `PartialSublayer`, the same for all.
    feed_forward : bool
        Whether a block has a feed-forward network.

    Notes
    -----
    Source: A, "Linearity Problem and Feed-Forward Networks"; B 10.3.1.

    Examples
    --------
    >>> [tuple(x.shape) for x in Stack(2, 4, 2, 8).by_layer(torch.zeros(1, 3, 4))]
    [(1, 3, 4), (1, 3, 4), (1, 3, 4)]
    """

    def __init__(
        self,
        n_layers: int,
        d_model: int,
        n_heads: int,
        d_ff: int,
        norm: Norm = "pre",
        residual: bool = True,
        feed_forward: bool = True,
    ) -> None:
        super().__init__()

        def around(d_model: int, *_: object) -> PartialSublayer:
            return PartialSublayer(d_model, norm, residual)

        def nothing(*_: int) -> nn.Module:
            return nn.Identity()

        parts = Parts(sublayer=around, feed_forward=FeedForward if feed_forward else nothing)
        block = EncoderBlock if feed_forward else AttentionBlock
        self.d_model = d_model
        self.blocks = nn.ModuleList(block(d_model, n_heads, d_ff, parts=parts) for _ in range(n_layers))
        self.final = nn.LayerNorm(d_model) if norm == "pre" else nn.Identity()
        for module in self.modules():  # Glorot and Bengio's weights, as in Vaswani et al.'s code
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Transform `x`, of shape (B, L, d); after pre-norm blocks comes one last LayerNorm."""
        return self.final(self.by_layer(x)[-1])

    def by_layer(self, x: Tensor) -> list[Tensor]:
        """Return `x` and what leaves each block, n_layers + 1 tensors of shape (B, L, d)."""
        xs = [x]
        for block in self.blocks:
            xs.append(block(xs[-1])[0])
        return xs


def spread(x: Tensor) -> Tensor:
    """How different the rows of a matrix still are: ‖X − 1·x̄‖ / ‖X‖, where x̄ is the mean of its rows.

    It is 0 if all rows are the same (rank 1), and 1 if they cancel in the mean.

    Parameters
    ----------
    x : Tensor
        Shape (…, L, d).

    Returns
    -------
    Tensor
        Shape (…).

    Notes
    -----
    Frobenius norms; after Dong, Cordonnier and Loukas (2021), who measure rank collapse by ‖X − 1·xᵀ‖.

    Examples
    --------
    >>> spread(torch.tensor([[1.0, 2.0], [1.0, 2.0]])).item(), spread(torch.tensor([[1.0], [-1.0]])).item()
    (0.0, 1.0)
    """
    return (x - x.mean(-2, keepdim=True)).norm(dim=(-2, -1)) / x.norm(dim=(-2, -1))


def spread_by_layer(
    n_layers: int, length: int, n_seeds: int = 10, d: int = 32, **parts: object
) -> NDArray[np.float64]:
    """Send random rows through untrained stacks; return the spread after each layer, (n_seeds, n_layers + 1).

    Parameters
    ----------
    n_layers : int
    length : int
        Number of rows, L.
    n_seeds : int
        Each seed draws its own rows, with independent standard normal entries, and its own weights.
    d : int
        Width; two heads, and 4·d inside the feed-forward network.
    parts
        `norm`, `residual` and `feed_forward` of `Stack`.

    Examples
    --------
    >>> spread_by_layer(3, length=5, n_seeds=2, norm="none", residual=False).shape
    (2, 4)
    """
    spreads = []
    for seed in range(n_seeds):
        with seeded(seed), torch.no_grad():
            stack = Stack(n_layers, d, 2, 4 * d, **parts).double()  # type: ignore[arg-type]
            xs = stack.by_layer(torch.randn(length, d, dtype=torch.float64)[None])
        spreads.append([float(spread(x[0])) for x in xs])
    return np.array(spreads)


class Sorter(nn.Module):
    """Read L numbers, write them in order: an embedding with positions, a stack, a linear map to the numbers.

    Examples
    --------
    >>> Sorter(Stack(1, 8, 2, 16), n_symbols=10)(torch.tensor([[3, 1, 2]])).shape
    torch.Size([1, 3, 10])
    """

    def __init__(self, stack: Stack, n_symbols: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_symbols, stack.d_model)
        self.positions = PositionalEncoding(stack.d_model)
        self.stack = stack
        self.to_symbols = nn.Linear(stack.d_model, n_symbols)

    def forward(self, numbers: Tensor) -> Tensor:
        """Return logits (B, L, n_symbols) for the number at each place of the ordered list."""
        return self.to_symbols(self.stack(self.positions(self.embedding(numbers))))


class Trained(NamedTuple):
    """A sorter, the loss of each training step, and the share of places it gets right on fresh numbers."""

    model: Sorter
    losses: NDArray[np.float64]
    accuracy: float


N_SYMBOLS, LENGTH = 10, 8


def sorting_loss(model: nn.Module, generator: torch.Generator, n_lists: int = 32) -> Tensor:
    """Cross-entropy per place, in nats, on a batch of random lists."""
    numbers = torch.randint(N_SYMBOLS, (n_lists, LENGTH), generator=generator)
    logits = model(numbers)
    return nn.functional.cross_entropy(logits.flatten(0, 1), numbers.sort(dim=1).values.flatten())


def untrained(seed: int, n_layers: int, d: int = 32, **parts: object) -> Sorter:
    """Make a sorter of `n_layers` blocks with two heads and the parts of `Stack` that are named."""
    with seeded(seed):
        return Sorter(Stack(n_layers, d, 2, 4 * d, **parts), N_SYMBOLS)  # type: ignore[arg-type]


def train(model: Sorter, steps: Iterable[int], seed: int = 0, learning_rate: float = 1e-3) -> Trained:
    """Train a sorter with Adam; no warm-up, so that the stack has to stand on its own."""
    losses = fit(model, lambda g: sorting_loss(model, g), steps, seed=seed, learning_rate=learning_rate)
    numbers = torch.randint(N_SYMBOLS, (200, LENGTH), generator=torch.Generator().manual_seed(1000 + seed))
    with torch.no_grad():
        right = model(numbers).argmax(-1) == numbers.sort(dim=1).values
    return Trained(model, losses, float(right.double().mean()))


def gradient_by_layer(model: Sorter, seed: int = 0) -> NDArray[np.float64]:
    """The norm of the gradient of the sorting loss with respect to each block's weights, (n_layers,)."""
    model.zero_grad()
    sorting_loss(model, torch.Generator().manual_seed(seed), n_lists=64).backward()
    norms = []
    for block in model.stack.blocks:
        squares = [p.grad.square().sum() for p in block.parameters() if p.grad is not None and p.dim() == 2]
        norms.append(float(torch.stack(squares).sum().sqrt()))
    model.zero_grad()
    return np.array(norms)
