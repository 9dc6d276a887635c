"""Recall of n stored pairs: a GRU, whose state has a fixed size, beside attention, which keeps all it has read."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded

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


def trained(build: Callable[[], nn.Module], *, steps: int = 250, seed: int = 0) -> nn.Module:
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

    fit(model, loss, range(steps), learning_rate=2e-2, seed=seed)
    return model


@torch.no_grad()
def recall(model: nn.Module, n: int, *, n_lists: int = 400, seed: int = 10_000) -> float:
    """Return the share of the values that a memory recalls from lists of n pairs; chance is 1/N_VALUES."""
    keys, values = draw_pairs(n_lists, n, torch.Generator().manual_seed(seed))
    return float((model(keys, values).argmax(dim=2) == values).double().mean())
