"""What keeps a deep stack of blocks alive: rows that become alike, gradients by layer, and a task to train on.

A `Stack` is made of the course's attention and feed-forward layers, and each part around them can be left out. What
deep stacks learn is in `depth.json`: `python -m course_lib.chapters.ch07_feed_forward.depth` trains them again, in
some minutes of one core.
"""

import json
import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.chapters.fit import fit, seeded
from course_lib.files import atomic_path
from course_lib.model import EncoderBlock, FeedForward, Parts, PositionalEncoding, Sublayer, attention

Norm = Literal["pre", "post", "none"]
ROUNDING = 1e-15  # of numbers in double precision, beside which they are equal


class PartialSublayer(Sublayer):
    """A sublayer of which parts can be left out: a·x + f(x), LayerNorm before, after or not at all.

    Parameters
    ----------
    d_model : int
    norm : {"pre", "post", "none"}
        a·x + f(LayerNorm(x)), LayerNorm(a·x + f(x)), or a·x + f(x).
    residual : float
        The share a: 1 (or True) is the residual connection, 0 (or False) is none.

    Examples
    --------
    >>> PartialSublayer(d_model=2, norm="none", residual=0.5)(torch.tensor([[[1.0, 3.0]]]), lambda x: x)
    tensor([[[1.5000, 4.5000]]])
    """

    def __init__(self, d_model: int, norm: Norm, residual: float) -> None:
        super().__init__(d_model, "post" if norm == "post" else "pre")
        self.residual = float(residual)
        if norm == "none":
            self.norm = nn.Identity()

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        """Return a·x + y, normalised if the norm stands after it."""
        return super().add(self.residual * x, y)


class AttentionBlock(EncoderBlock):
    """An encoder block without its feed-forward network."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Transform `x`, of shape (B, L, d); return it with the weights."""
        x, weights = self.around_attention(x, self.attention, mask=mask)
        return x, weights


class _Attention:
    """The attention of all blocks of a stack: as it is, with a bonus for the word itself, or with the first weights."""

    def __init__(self, bonus: float, hold: bool) -> None:
        self.bonus, self.hold = bonus, hold
        self.weights: Tensor | None = None  # of the first block

    def __call__(
        self, Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None, dropout: float
    ) -> tuple[Tensor, Tensor]:
        if self.hold and self.weights is not None:
            return self.weights @ V, self.weights
        if self.bonus:  # in front of the softmax: e^bonus times the weight
            own = self.bonus * torch.eye(Q.shape[-2], K.shape[-2], dtype=Q.dtype)
            weights = torch.softmax(Q @ K.mT / math.sqrt(Q.shape[-1]) + own, dim=-1)
            output = weights @ V
        else:
            output, weights = attention(Q, K, V, mask, dropout)
        self.weights = weights
        return output, weights


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
    bonus : float
        What is added to the score of each word with itself.
    hold : bool
        Whether all blocks take the attention weights of the first, whatever their queries and keys say.

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
        residual: float = True,
        feed_forward: bool = True,
        bonus: float = 0.0,
        hold: bool = False,
    ) -> None:
        super().__init__()

        def around(d_model: int, *_: object) -> PartialSublayer:
            return PartialSublayer(d_model, norm, residual)

        def nothing(*_: int) -> nn.Module:
            return nn.Identity()

        self.shared = _Attention(bonus, hold)
        parts = Parts(
            attention_function=self.shared,
            sublayer=around,
            feed_forward=FeedForward if feed_forward else nothing,
        )
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
        self.shared.weights = None
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


def rows_by_layer(
    n_layers: int,
    length: int,
    seed: int = 0,
    d: int = 32,
    change: Callable[[Stack], object] | None = None,
    **parts: object,
) -> NDArray[np.float64]:
    """Send random rows through an untrained stack; return them and what leaves each layer, (n_layers + 1, length, d).

    Parameters
    ----------
    n_layers : int
    length : int
        Number of rows, L, with independent standard normal entries.
    seed : int
        Of the weights and of the rows.
    d : int
        Width; two heads, and 4·d inside the feed-forward network.
    change : callable, optional
        What is done to the stack before the rows go through.
    parts
        `norm`, `residual`, `feed_forward`, `bonus` and `hold` of `Stack`.

    Examples
    --------
    >>> rows_by_layer(3, length=5, norm="none", residual=False).shape
    (4, 5, 32)
    """
    with seeded(seed), torch.no_grad():
        stack = Stack(n_layers, d, 2, 4 * d, **parts).double()  # type: ignore[arg-type]
        if change is not None:
            change(stack)
        xs = stack.by_layer(torch.randn(length, d, dtype=torch.float64)[None])
    rows: NDArray[np.float64] = torch.cat(xs).numpy()
    return rows


def spread_by_layer(n_layers: int, length: int, n_seeds: int = 10, **given: Any) -> NDArray[np.float64]:
    """Return the spread of random rows after each layer of untrained stacks, (n_seeds, n_layers + 1).

    Rows that are the same up to rounding have the spread `ROUNDING`: what is left of them differs between processors.

    Parameters
    ----------
    n_layers, length : int
    n_seeds : int
        Each seed draws its own rows and its own weights.
    given
        What `rows_by_layer` takes: `d`, `change`, and the parts of the stack.

    Examples
    --------
    >>> spread_by_layer(3, length=5, n_seeds=2, norm="none", residual=False).shape
    (2, 4)
    """
    runs = [rows_by_layer(n_layers, length, seed, **given) for seed in range(n_seeds)]
    found: NDArray[np.float64] = spread(torch.from_numpy(np.array(runs))).numpy()
    return np.maximum(found, ROUNDING)


def longer_queries(factor: float) -> Callable[[Stack], None]:
    """Return a `change` of a stack: its queries become longer by a factor, and its attention sharper."""

    def change(stack: Stack) -> None:
        for name, parameter in stack.named_parameters():
            if "W_Q" in name:
                parameter.mul_(factor)

    return change


def _blocks(stack: Stack) -> list[Any]:
    return list(stack.blocks)


def larger_networks(factor: float) -> Callable[[Stack], None]:
    """Return a `change` of a stack: the second matrix of each feed-forward network is multiplied by a factor."""

    def change(stack: Stack) -> None:
        for block in _blocks(stack):
            block.feed_forward.W_2.weight.mul_(factor)

    return change


def networks_only_in(layers: Collection[int]) -> Callable[[Stack], None]:
    """Return a `change` of a stack: only some of its blocks keep their feed-forward network."""

    def change(stack: Stack) -> None:
        for layer, block in enumerate(_blocks(stack)):
            if layer not in layers:
                block.feed_forward = nn.Identity()

    return change


def without_max(stack: Stack) -> None:
    """Change a stack: its feed-forward networks lose their max, and are two matrices in a row."""
    for block in _blocks(stack):
        block.feed_forward = nn.Sequential(block.feed_forward.W_1, block.feed_forward.W_2)


def without_shared_part(stack: Stack) -> None:
    """Change a stack: offsets take away what the max of its feed-forward networks adds to all rows alike.

    A hidden unit x·w with independent standard normal entries of x is normal with deviation ‖w‖, so that its max with
    0 is ‖w‖/√(2π) on average.
    """
    for block in _blocks(stack):
        network = block.feed_forward
        mean = network.W_1.weight.norm(dim=1) / math.sqrt(2 * math.pi)  # (d_ff,)
        network.W_2.bias.copy_(-network.W_2.weight @ mean)


# ---- A task: sort eight digits ----


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


def fresh(seed: int) -> Tensor:
    """Draw 200 lists that training does not see."""
    return torch.randint(N_SYMBOLS, (200, LENGTH), generator=torch.Generator().manual_seed(1000 + seed))


def train(model: Sorter, steps: int, seed: int = 0, learning_rate: float = 1e-3, warm_up: int = 0) -> Trained:
    """Train a sorter with Adam; over the first `warm_up` steps the learning rate grows from nothing."""
    losses = fit(
        model,
        lambda g: sorting_loss(model, g),
        range(steps),
        seed=seed,
        learning_rate=learning_rate,
        warm_up=warm_up,
    )
    numbers = fresh(seed)
    with torch.no_grad():
        right = model(numbers).argmax(-1) == numbers.sort(dim=1).values
    return Trained(model, losses, float(right.double().mean()))


def by_place_alone() -> float:
    """Return the share of places that the best fixed list gets right: of sorted digits, the likeliest at each place.

    Examples
    --------
    >>> round(by_place_alone(), 3)
    0.339
    """
    below = np.arange(1, N_SYMBOLS + 1) / N_SYMBOLS  # P(a digit is at most 0, 1, …)
    shares = []
    for place in range(1, LENGTH + 1):  # the place-th smallest is at most x if as many digits are
        at_most = sum(
            math.comb(LENGTH, n) * below**n * (1 - below) ** (LENGTH - n) for n in range(place, LENGTH + 1)
        )
        shares.append(np.diff(at_most, prepend=0).max())
    return float(np.mean(shares))


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


# ---- The record ----

RECORD = Path(__file__).with_suffix(".json")
N_BLOCKS, N_STEPS, N_SEEDS = 8, 240, 3
RATES: tuple[float, ...] = (6e-4, 2e-3, 6e-3)
LONGER = 1_200  # steps, at the rate that was best
VARIANTS: dict[str, dict[str, Any]] = {
    "all parts, LayerNorm before": {},
    "all parts, LayerNorm after": {"norm": "post"},
    "the same, small first steps": {"norm": "post", "warm_up": 60},
    "no feed-forward network": {"feed_forward": False},
    "no LayerNorm": {"norm": "none"},
    "no residual": {"residual": 0.0},
    "no residual, words favour themselves": {"residual": 0.0, "bonus": 4.0},
}
TRAINED_LONGER = ("no residual",)


@torch.no_grad()
def _spread_at_the_end(model: Sorter) -> float:
    *_, last = model.stack.by_layer(model.positions(model.embedding(fresh(0))))
    return float(spread(last).median())


def record(
    variant: str,
    steps: int = N_STEPS,
    seeds: Sequence[int] = tuple(range(N_SEEDS)),
    rates: Sequence[float] = RATES,
    n_blocks: int = N_BLOCKS,
) -> dict[str, Any]:
    """Train stacks of one variant at several learning rates, from several seeds.

    Returns
    -------
    dict
        "right": share of places that are right, (n_rates, n_seeds); "losses": (n_rates, n_seeds, n), means over 20
        steps; "spread": of the rows that leave the last block, the median of 200 lists, (n_rates, n_seeds).
    """
    options = dict(VARIANTS[variant])
    warm_up = options.pop("warm_up", 0)
    found: dict[str, Any] = {"right": [], "losses": [], "spread": []}
    for rate in rates:
        runs = [
            train(untrained(seed, n_blocks, **options), steps, seed, learning_rate=rate, warm_up=warm_up)
            for seed in seeds
        ]
        found["right"].append([round(run.accuracy, 4) for run in runs])
        found["losses"].append([run.losses.reshape(-1, 20).mean(axis=1).round(4).tolist() for run in runs])
        found["spread"].append([float(f"{_spread_at_the_end(run.model):.3g}") for run in runs])
    return found


def stored() -> dict[str, Any]:
    """Read what `record` gave for each of `VARIANTS`, and after `LONGER` steps for some.

    Examples
    --------
    >>> stored()["settings"]["blocks"]
    8
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def right(record: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return the share of places that are right, the median of the seeds, (n_variants, n_rates).

    Examples
    --------
    >>> right(stored()).shape
    (7, 3)
    """
    return np.array([np.median(record["variants"][name]["right"], axis=1) for name in VARIANTS])


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name: `pre_high` is the share right at the largest rate, ….

    Examples
    --------
    >>> 0 <= told(stored())["pre_best"] <= 1
    True
    """
    names = ("pre", "post", "warm", "no_ffn", "no_norm", "no_residual", "favour")
    found: dict[str, float] = {"place_alone": by_place_alone()}
    for name, variant, shares in zip(names, VARIANTS, right(record), strict=True):
        runs = record["variants"][variant]
        low, middle, high = map(float, shares)
        found |= {f"{name}_low": low, f"{name}_middle": middle, f"{name}_high": high}
        found |= {f"{name}_best": float(shares.max()), f"{name}_most": float(np.max(runs["right"]))}
        found |= {f"{name}_least_of_best": float(np.min(runs["right"][int(shares.argmax())]))}
        found |= {
            f"{name}_spread": float(np.median(runs["spread"])),
            f"{name}_widest": np.max(runs["spread"]),
        }
    found["no_residual_longer"] = float(np.median(record["longer"]["no residual"]["right"]))
    return found


def _write() -> None:
    """Train what is not in the record yet, and write it after each variant."""
    whole = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    whole["settings"] = {"blocks": N_BLOCKS, "steps": N_STEPS, "longer": LONGER, "rates": list(RATES)}
    whole["settings"] |= {
        "seeds": N_SEEDS,
        "command": "python -m course_lib.chapters.ch07_feed_forward.depth",
    }
    jobs = [("variants", name, N_STEPS, N_SEEDS, RATES) for name in VARIANTS]
    jobs += [("longer", name, LONGER, N_SEEDS, RATES[:1]) for name in TRAINED_LONGER]
    for part, name, steps, n_seeds, rates in jobs:
        if name in whole.setdefault(part, {}):
            continue
        whole[part][name] = record(name, steps, range(n_seeds), rates)
        print(part, name, round(time.process_time()), whole[part][name]["right"], flush=True)
        with atomic_path(RECORD) as temporary:
            temporary.write_text(json.dumps(whole) + "\n", encoding="utf-8")


if __name__ == "__main__":
    torch.set_num_threads(1)
    _write()
