"""Recall of n stored pairs: memories of a fixed size beside attention's, which grows with what it has read."""

import json
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.ch01_why_attention.agreement import RESULTS
from course_lib.chapters.fit import fit, seeded
from course_lib.files import atomic_path

N_KEYS, N_VALUES = 16, 4  # a value is worth two bits


def draw_pairs(n_lists: int, n: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw lists of n pairs with different keys: keys and values, both (n_lists, n), int64.

    Raises
    ------
    ValueError
        If n is not from 1 to N_KEYS.

    Examples
    --------
    >>> keys, values = draw_pairs(2, 16, torch.Generator().manual_seed(0))
    >>> keys[0].sort().values.tolist() == list(range(16)), values.shape
    (True, torch.Size([2, 16]))
    """
    if not 1 <= n <= N_KEYS:
        raise ValueError(f"n is {n}: expected 1 to {N_KEYS} pairs")
    keys = torch.rand(n_lists, N_KEYS, generator=generator).argsort(dim=1)[:, :n]
    return keys, torch.randint(N_VALUES, (n_lists, n), generator=generator)


class GRUMemory(nn.Module):
    """Reads the pairs one by one; its last state, of width d, must answer for every key.

    Each key has a linear read-out of its own, the most generous there is: what is missing was not kept.
    """

    def __init__(self, d: int) -> None:
        super().__init__()
        self.recurrent = nn.GRU(N_KEYS * N_VALUES, d, batch_first=True)
        self.read = nn.Linear(d, N_KEYS * N_VALUES)

    def forward(self, keys: Tensor, values: Tensor) -> Tensor:
        """Ask for all keys of a list, (B, n): the logits of their values, (B, n, N_VALUES)."""
        pairs = F.one_hot(keys * N_VALUES + values, N_KEYS * N_VALUES).float()  # (B, n, N_KEYS·N_VALUES)
        _, state = self.recurrent(pairs)  # (1, B, d)
        answers = self.read(state[0]).unflatten(1, (N_KEYS, N_VALUES))
        return answers[torch.arange(len(keys))[:, None], keys]


class AttentionMemory(nn.Module):
    """Keeps a key and a value vector of width d for each pair, and looks up by attention."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.queries = nn.Embedding(N_KEYS, d)
        self.keys = nn.Embedding(N_KEYS * N_VALUES, d)
        self.values = nn.Embedding(N_KEYS * N_VALUES, d)
        self.read = nn.Linear(d, N_VALUES)

    def forward(self, keys: Tensor, values: Tensor) -> Tensor:
        """Ask for all keys of a list, (B, n): the logits of their values, (B, n, N_VALUES)."""
        pairs = keys * N_VALUES + values  # (B, n): one word for each pair
        found = F.scaled_dot_product_attention(self.queries(keys), self.keys(pairs), self.values(pairs))
        return self.read(found)  # (B, n, d) -> (B, n, N_VALUES)


class BagMemory(nn.Module):
    """Keeps the sum of one vector of width d for each pair: a state of fixed size that needs no steps.

    A width of N_KEYS · N_VALUES holds every list exactly, if each pair has an entry of its own.
    """

    def __init__(self, d: int) -> None:
        super().__init__()
        self.pairs = nn.Embedding(N_KEYS * N_VALUES, d)
        self.read = nn.Linear(d, N_KEYS * N_VALUES)

    def forward(self, keys: Tensor, values: Tensor) -> Tensor:
        """Ask for all keys of a list, (B, n): the logits of their values, (B, n, N_VALUES)."""
        state = self.pairs(keys * N_VALUES + values).sum(dim=1)  # (B, d)
        answers = self.read(state).unflatten(1, (N_KEYS, N_VALUES))
        return answers[torch.arange(len(keys))[:, None], keys]


def trained(
    build: Callable[[], nn.Module], *, steps: int = 250, seed: int = 0, learning_rate: float = 2e-2
) -> nn.Module:
    """Build a memory and train it on lists of 1 to N_KEYS pairs, drawn anew in each step.

    Examples
    --------
    >>> recall(trained(lambda: AttentionMemory(4)), 4) > 0.9
    True
    """
    with seeded(seed):
        model = build()

    def loss(generator: torch.Generator) -> Tensor:
        n = int(torch.randint(1, N_KEYS + 1, (), generator=generator))
        keys, values = draw_pairs(64, n, generator)
        return F.cross_entropy(model(keys, values).flatten(0, 1), values.flatten())

    fit(model, loss, range(steps), learning_rate=learning_rate, seed=seed)
    return model


@torch.no_grad()
def recall(model: nn.Module, n: int, *, n_lists: int = 400, seed: int = 10_000) -> float:
    """Return the share of the values that a memory recalls from lists of n pairs; chance is 1/N_VALUES."""
    keys, values = draw_pairs(n_lists, n, torch.Generator().manual_seed(seed))
    return float((model(keys, values).argmax(dim=2) == values).double().mean())


SIZES = (1, 2, 4, 6, 8, 12, 16)
SEEDS = (0, 1, 2)
MEMORIES: dict[str, Callable[[], nn.Module]] = {
    "GRU, state of 4": lambda: GRUMemory(4),
    "GRU, state of 16": lambda: GRUMemory(16),
    "GRU, state of 64": lambda: GRUMemory(64),
    "attention, width 2": lambda: AttentionMemory(2),
    "attention, width 4": lambda: AttentionMemory(4),
    "bag, width 4": lambda: BagMemory(4),
    "bag, width 64": lambda: BagMemory(64),
}
STEPS = 2000
RATES, MANY_STEPS = (3e-3, 1e-2, 3e-2), 20_000  # at which the smallest GRU is trained for longer


def kept(memory: str, n: int) -> int:
    """Return how many numbers one of `MEMORIES` keeps of a list of n pairs.

    >>> kept("attention, width 2", 16), kept("GRU, state of 64", 16), kept("bag, width 4", 16)
    (64, 64, 4)
    """
    width = int(memory.split()[-1])
    return n * 2 * width if memory.startswith("attention") else width  # a key and a value for each pair


def train_longer(steps: int, rates: Sequence[float] = RATES, seed: int = 0) -> list[GRUMemory]:
    """Train a GRU with a state of 4 at each of several learning rates, side by side, on the same lists.

    Examples
    --------
    >>> [round(recall(model, 1), 1) >= 0.2 for model in train_longer(2)]
    [True, True, True]
    """
    with seeded(seed):
        model = GRUMemory(4)
    state = {
        name: [w.detach().expand(len(rates), *w.shape).clone(), *torch.zeros(2, len(rates), *w.shape)]
        for name, w in model.named_parameters()
    }
    generator, rate = torch.Generator().manual_seed(seed), torch.tensor(rates)
    for step in range(1, steps + 1):
        n = int(torch.randint(1, N_KEYS + 1, (), generator=generator))
        keys, values = draw_pairs(64, n, generator)
        weights = {name: each[0].requires_grad_() for name, each in state.items()}
        W, U, b, c, read, bias = (
            weights.values()
        )  # of nn.GRU and nn.Linear, each with a dimension for the rates
        inputs = W.mT[:, keys * N_VALUES + values] + b[:, None, None]  # (R, B, n, 3·d)
        h = torch.zeros(len(rates), 64, U.shape[2])
        for x in inputs.unbind(dim=2):
            (r, z, new), (r_kept, z_kept, new_kept) = (
                x.chunk(3, dim=2),
                (h @ U.mT + c[:, None]).chunk(3, dim=2),
            )
            h = torch.lerp(torch.tanh(new + (r + r_kept).sigmoid() * new_kept), h, (z + z_kept).sigmoid())
        answers = (h @ read.mT + bias[:, None]).unflatten(2, (N_KEYS, N_VALUES))  # (R, B, N_KEYS, N_VALUES)
        asked = answers[:, torch.arange(64)[:, None], keys]  # (R, B, n, N_VALUES)
        loss = F.cross_entropy(asked.flatten(0, 2), values.flatten().repeat(len(rates))) * len(rates)
        for (name, (w, mean, square)), slope in zip(
            state.items(), torch.autograd.grad(loss, [*weights.values()]), strict=True
        ):  # Adam, with a rate for each
            mean, square = torch.lerp(mean, slope, 0.1), torch.lerp(square, slope**2, 0.001)
            size = (square / (1 - 0.999**step)).sqrt() + 1e-8
            own = rate.view(-1, *[1] * (w.dim() - 1)) / (1 - 0.9**step)
            state[name] = [w.detach() - own * mean / size, mean, square]
    trained_ones = []
    for i in range(len(rates)):
        each = GRUMemory(4)
        each.load_state_dict({name: w[i].detach() for name, (w, _, _) in state.items()})
        trained_ones.append(each)
    return trained_ones


def carry_out(path: Path) -> None:
    """Train each memory, and write what it recalls; what is there is not repeated."""
    began = time.process_time()
    record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    recalled = record.get("recalled", {})
    for name in MEMORIES.keys() - recalled.keys():
        recalled[name] = [
            _recalls(trained(MEMORIES[name], steps=STEPS, seed=seed, learning_rate=1e-2)) for seed in SEEDS
        ]
    longer = record.get("longer") or [_recalls(model) for model in train_longer(MANY_STEPS)]
    settings = {"steps": STEPS, "learning_rate": 1e-2, "batch": 64, "sizes": SIZES, "seeds": SEEDS}
    record = {
        "command": "python -m course_lib.chapters.ch01_why_attention.pair_recall",
        "settings": settings | {"longer": {"steps": MANY_STEPS, "learning_rates": RATES}},
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "processor_seconds": record.get("processor_seconds", 0) + round(time.process_time() - began),
        "recalled": {name: recalled[name] for name in MEMORIES},
        "longer": longer,
    }
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(record) + "\n", encoding="utf-8")


def _recalls(model: nn.Module) -> list[float]:
    return [round(recall(model, n), 4) for n in SIZES]


def stored(path: Path = RESULTS / "recall.json") -> dict[str, np.ndarray]:
    """Read what each memory recalls, (n_seeds, len(SIZES))."""
    found = json.loads(path.read_text(encoding="utf-8"))["recalled"]
    return {name: np.array(runs) for name, runs in found.items()}


def stored_longer(path: Path = RESULTS / "recall.json") -> np.ndarray:
    """Read what a GRU with a state of 4 recalls after `MANY_STEPS`, (len(RATES), len(SIZES))."""
    return np.array(json.loads(path.read_text(encoding="utf-8"))["longer"])


if __name__ == "__main__":
    torch.set_num_threads(1)
    carry_out(Path("results/why_attention/recall.json"))
