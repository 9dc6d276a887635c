"""Key/value caches: what a decoder has computed for earlier positions, kept for the next step.

They are parts like any others: `CachedAttention` is an attention function, and `Remembered` stands for a projection.
"""

import copy
from typing import TypeVar

import torch
from torch import Tensor, nn

from course_lib.model.attention import AttentionFunction, MultiHeadAttention

Module = TypeVar("Module", bound=nn.Module)


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
    """Self-attention function with a cache: new keys and values are appended to earlier ones.

    Parameters
    ----------
    attention_function : AttentionFunction
        What is computed from the new queries and all keys and values.

    Examples
    --------
    >>> from course_lib.model import attention
    >>> x, step_by_step = torch.eye(2)[None, None], CachedAttention(attention)
    >>> [step_by_step(x[:, :, [i]], x[:, :, [i]], x[:, :, [i]])[1].shape[-1] for i in range(2)]
    [1, 2]
    """

    def __init__(self, attention_function: AttentionFunction) -> None:
        super().__init__()
        self.attention_function = attention_function

    def __call__(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor | None]:
        """Return what `attention_function` does for the new queries and the keys and values so far."""
        keys, values = self.append(keys, values)
        return self.attention_function(queries, keys, values, mask, dropout)


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


def sharing(module: Module) -> Module:
    """Copy of a module that shares its parameters and buffers: its parts can be exchanged, the original stays.

    Examples
    --------
    >>> layer = nn.Linear(2, 2)
    >>> twin = sharing(layer)
    >>> twin is layer, twin.weight is layer.weight
    (False, True)
    """
    shared = [*module.parameters(), *module.buffers()]
    return copy.deepcopy(module, {id(tensor): tensor for tensor in shared})


def add_caches(blocks: nn.Module) -> list[CachedAttention | Remembered]:
    """Give each attention in some blocks its caches, around whatever it consists of, and return them.

    A self-attention keeps the keys and values of earlier positions; what is called "cross_attention" computes those of
    the source once.
    """
    caches: list[CachedAttention | Remembered] = []
    for name, layer in list(blocks.named_modules()):
        if not isinstance(layer, MultiHeadAttention):
            continue
        if name.endswith("cross_attention"):
            remembered = {"W_K": Remembered(layer.W_K), "W_V": Remembered(layer.W_V)}
            for projection, once in remembered.items():
                layer.register_module(projection, once)
            caches.extend(remembered.values())
        else:
            layer.attention_function = cached = CachedAttention(layer.attention_function)
            caches.append(cached)
    return caches
