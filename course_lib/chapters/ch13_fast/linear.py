"""Linear attention as a memory of fixed size, beside softmax attention: how many pairs each can be taught to recall."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded

N_KEYS, N_VALUES, WIDTH = 128, 8, 16  # a value is worth three bits
MOST = 64  # pairs of a list in training

Feature = Callable[[Tensor], Tensor]


def elu_plus_one(x: Tensor) -> Tensor:
    """elu(x) + 1, which is positive: the feature map of Katharopoulos et al. (2020)."""
    return F.elu(x) + 1


class Memory(nn.Module):
    """Looks up one value for each key of a list: by softmax attention, or by linear attention, whose state is fixed.

    Parameters
    ----------
    feature : function or None
        The feature map φ of linear attention; None is softmax attention.
    width : int
        Of queries and keys.
    value_width : int
        Of values. Linear attention's state has width · value_width numbers, and width more for its sum.
    """

    def __init__(self, feature: Feature | None, width: int = WIDTH, value_width: int = WIDTH) -> None:
        super().__init__()
        self.feature = feature
        self.queries, self.keys = nn.Embedding(N_KEYS, width), nn.Embedding(N_KEYS, width)
        self.values, self.read = nn.Embedding(N_VALUES, value_width), nn.Linear(value_width, N_VALUES)

    def forward(self, keys: Tensor, values: Tensor) -> Tensor:
        """Ask for all keys of a list, (B, n): the logits of their values, (B, n, N_VALUES)."""
        Q, K, V = self.queries(keys), self.keys(keys), self.values(values)  # (B, n, width or value_width)
        if self.feature is None:
            return self.read(F.scaled_dot_product_attention(Q, K, V))
        Q, K = self.feature(Q), self.feature(K)
        state, total = K.mT @ V, K.sum(dim=1)  # (B, width, value_width), (B, width)
        return self.read(Q @ state / (Q @ total.unsqueeze(2)))


def draw(n_lists: int, n: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw lists of n pairs with different keys: keys and values, both (n_lists, n).

    Examples
    --------
    >>> keys, values = draw(2, 3, torch.Generator().manual_seed(0))
    >>> keys.shape, len(set(keys[0].tolist()))
    (torch.Size([2, 3]), 3)
    """
    keys = torch.rand(n_lists, N_KEYS, generator=generator).argsort(dim=1)[:, :n]
    return keys, torch.randint(N_VALUES, (n_lists, n), generator=generator)


def trained(
    feature: Feature | None, steps: int, seed: int = 0, width: int = WIDTH, value_width: int = WIDTH
) -> Memory:
    """Build a memory and train it on lists of 1 to MOST pairs, drawn anew in each step."""
    with seeded(seed):
        model = Memory(feature, width, value_width)

    def loss(generator: torch.Generator) -> Tensor:
        n = int(torch.randint(1, MOST + 1, (), generator=generator))
        keys, values = draw(32, n, generator)
        return F.cross_entropy(model(keys, values).flatten(0, 1), values.flatten())

    fit(model, loss, range(steps), learning_rate=1e-2, seed=seed)
    return model


@torch.no_grad()
def recall(model: Memory, n: int, n_lists: int = 200) -> float:
    """Return the share of the values that a memory recalls from lists of n pairs; chance is 1/N_VALUES."""
    keys, values = draw(n_lists, n, torch.Generator().manual_seed(10_000))
    return float((model(keys, values).argmax(dim=2) == values).double().mean())
