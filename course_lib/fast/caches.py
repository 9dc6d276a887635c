"""Key/value caches: what a decoder has computed for earlier positions, kept for the next step.

They are parts like any others: `CachedAttention` is an attention function, and `Remembered` stands for a projection.
"""

import torch
from torch import Tensor, nn

from course_lib.model.attention import AttentionFunction


class KeyValueCache:
    """Keys and values of the positions that a decoder has already seen.

    Attributes
    ----------
    keys, values : Tensor or None
        Shapes (B, H, L, d_k) and (B, H, L, d_v); None while nothing is stored.

    Examples
    --------
    >>> cache = KeyValueCache()
    >>> keys, values = cache.append(torch.zeros(1, 2, 1, 4), torch.zeros(1, 2, 1, 4))
    >>> keys, values = cache.append(torch.ones(1, 2, 1, 4), torch.ones(1, 2, 1, 4))
    >>> keys.shape
    torch.Size([1, 2, 2, 4])
    """

    def __init__(self) -> None:
        self.keys: Tensor | None = None
        self.values: Tensor | None = None

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values of further positions and return all of them."""
        if self.keys is None or self.values is None:
            self.keys, self.values = keys, values
        else:
            self.keys = torch.cat([self.keys, keys], dim=2)  # (B, H, L + L_new, d_k)
            self.values = torch.cat([self.values, values], dim=2)
        return self.keys, self.values

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows `rows`, in this order; a row may be named several times (beam search)."""
        if self.keys is not None and self.values is not None:
            self.keys, self.values = self.keys[rows], self.values[rows]


class CachedAttention(KeyValueCache):
    """Self-attention function with a cache: what it is given joins what it was given before.

    Parameters
    ----------
    attention : AttentionFunction
        What is computed from the new queries and all keys and values.

    Examples
    --------
    >>> from course_lib.model import attention
    >>> x, step_by_step = torch.eye(2)[None, None], CachedAttention(attention)
    >>> [step_by_step(x[:, :, [i]], x[:, :, [i]], x[:, :, [i]])[1].shape[-1] for i in range(2)]
    [1, 2]
    """

    def __init__(self, attention: AttentionFunction) -> None:
        super().__init__()
        self.attention = attention

    def __call__(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor | None]:
        """Return what `attention` does for the new queries and the keys and values so far."""
        keys, values = self.append(keys, values)
        return self.attention(queries, keys, values, mask, dropout)


class Remembered(nn.Module):
    """A projection that is computed once: keys or values of a source, which does not change while decoding.

    Parameters
    ----------
    projection : nn.Module
        What is computed at the first call.

    Examples
    --------
    >>> once = Remembered(nn.Identity())
    >>> once(torch.tensor([1.0])).item(), once(torch.tensor([2.0])).item()
    (1.0, 1.0)
    """

    def __init__(self, projection: nn.Module) -> None:
        super().__init__()
        self.projection = projection
        self.output: Tensor | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Return the projection of what came first, (B, L_s, H·d_k)."""
        if self.output is None:
            self.output = self.projection(x)
        return self.output

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows `rows`, in this order."""
        if self.output is not None:
            self.output = self.output[rows]
