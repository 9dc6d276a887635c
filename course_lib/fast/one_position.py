"""Blocks of a decoder for one new position at a time: what a search calls thousands of times.

`LeanBlock` is a standard block's formula written out: a search spends more on calling modules than on arithmetic.
`ModularBlock` runs any other block, such as an ablation, as it is, with caches inside.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Protocol, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.fast.caches import Remembered, add_caches, sharing
from course_lib.fast.kernels import fused_attention
from course_lib.model.attention import MultiHeadAttention, attention
from course_lib.model.blocks import DecoderBlock, FeedForward, Sublayer

FIRST_ROOM = 32  # positions that a cache has room for at first


class OnePosition(Protocol):
    """A decoder block that is fed one position after the other, and what it remembers of the earlier ones."""

    def step(self, x: Tensor) -> Tensor:
        """Transform the new position, (B, d), which attends to all earlier ones and to the source."""

    def select(self, rows: Tensor, same_source: bool) -> None:
        """Keep the batch rows `rows`, in this order; with `same_source` each place keeps its source."""


def one_position(block: nn.Module) -> Callable[[Tensor, Tensor], OnePosition]:
    """Make a decoder block ready for one position at a time, in the quickest way that computes the same.

    Parameters
    ----------
    block : nn.Module
        Called as a `DecoderBlock`; it stays as it is.

    Returns
    -------
    function of memory and memory_mask
        It begins with a batch of sources: their encoding, (B, L_s, d), and where attention to it is allowed, boolean,
        (B, 1, L_s). It may be called for many batches; when the block has learnt more, make it anew.
    """
    if is_standard(block):
        return partial(LeanBlock, LeanWeights(cast(DecoderBlock, block)))
    return partial(ModularBlock, block)


def is_standard(block: nn.Module) -> bool:
    """Whether a decoder block consists of the library's own parts alone, with nothing injected, hooked or random.

    Examples
    --------
    >>> block = DecoderBlock(d_model=4, n_heads=2, d_ff=8)
    >>> is_standard(block), is_standard(block.eval())
    (False, True)
    """
    own = {DecoderBlock, MultiHeadAttention, Sublayer, FeedForward, nn.Linear, nn.LayerNorm}
    return not any(
        part.training
        or part._forward_hooks
        or part._forward_pre_hooks
        or not (type(part) in own or isinstance(part, nn.Dropout))
        or (isinstance(part, nn.Linear) and part.bias is None)
        or (
            isinstance(part, MultiHeadAttention)
            and part.attention_function not in (attention, fused_attention)
        )
        for part in block.modules()
    )


class LeanWeights:
    """The weights of a standard decoder block, laid out for products of few rows: transposed, side by side.

    Parameters
    ----------
    block : DecoderBlock
        For which `is_standard` holds. Most of its weights are copied: when it has learnt more, make them anew.

    Attributes
    ----------
    pre, norms : list of bool, list of functions
        Whether the norm comes before the layer, and the norm, of self-attention, cross-attention and feed-forward
        network.
    n_heads : int
    widths : list of int
        H·d_k, H·d_k and H·d_v: of what the self-attention's first product makes.
    own, cross, inner : pair of Tensor
        Weights (d, d_out) and biases of the queries, keys and values of the self-attention, together; of the queries of
        the cross-attention; of the feed-forward network's first layer. By what scores are divided, √d_k, queries are
        divided already.
    last : list of pairs of Tensor
        Those of the last layer of each of the three.
    W_K, W_V : nn.Module
        What makes keys and values of the source.
    """

    def __init__(self, block: DecoderBlock) -> None:
        own, cross = block.self_attention, block.cross_attention
        feed_forward = cast(FeedForward, block.feed_forward)
        parts = (block.around_self_attention, block.around_cross_attention, block.around_feed_forward)
        around = [cast(Sublayer, part) for part in parts]
        self.pre = [sublayer.pre for sublayer in around]
        self.norms = [
            partial(
                F.layer_norm, normalized_shape=n.normalized_shape, weight=n.weight, bias=n.bias, eps=n.eps
            )
            for n in (cast(nn.LayerNorm, sublayer.norm) for sublayer in around)
        ]
        self.n_heads = own.n_heads
        self.widths = [own.n_heads * width for width in (own.d_k, own.d_k, own.d_v)]
        self.own = _joined((own.W_Q, own.d_k**-0.5), (own.W_K, 1), (own.W_V, 1))
        self.cross, self.inner = _joined((cross.W_Q, cross.d_k**-0.5)), _joined((feed_forward.W_1, 1))
        self.last = [_joined((layer, 1)) for layer in (own.W_O, cross.W_O, feed_forward.W_2)]
        self.W_K, self.W_V = cross.W_K, cross.W_V


def _joined(*layers: tuple[nn.Linear, float]) -> tuple[Tensor, Tensor]:
    """Weights (d_in, d_out) and biases of some layers side by side, each times a factor."""
    W = torch.cat([layer.weight.T * factor for layer, factor in layers], dim=1)
    return W, torch.cat([layer.bias * factor for layer, factor in layers])


class LeanBlock:
    """A standard decoder block for one position at a time, without a module call and without gradients.

    Parameters
    ----------
    weights : LeanWeights
    memory, memory_mask
        As `one_position` says. A sentence with nothing allowed gets zeros from the cross-attention's heads.

    Examples
    --------
    >>> block = DecoderBlock(d_model=4, n_heads=2, d_ff=8).eval()
    >>> lean = LeanBlock(LeanWeights(block), torch.zeros(1, 3, 4), torch.ones(1, 1, 3, dtype=torch.bool))
    >>> lean.step(torch.zeros(1, 4)).shape
    torch.Size([1, 4])
    """

    @torch.no_grad()
    def __init__(self, weights: LeanWeights, memory: Tensor, memory_mask: Tensor) -> None:
        self.weights = weights
        self.source_keys = weights.W_K(memory).transpose(0, 1).contiguous()  # (L_s, B, H·d_k)
        self.source_values = weights.W_V(memory).transpose(0, 1).contiguous()  # (L_s, B, H·d_v)
        self.bias: Tensor | None = None  # what is added to scores: −∞ where attention is not allowed
        if not memory_mask.all():
            has_word = memory_mask.any(-1, keepdim=True)  # (B, 1, 1)
            nothing = torch.zeros_like(memory_mask, dtype=memory.dtype)
            self.bias = nothing.masked_fill(~memory_mask & has_word, -math.inf)  # (B, 1, L_s)
            self.source_values = self.source_values * has_word.squeeze(-1)
        _, *widths = weights.widths
        self.keys, self.values = (Rows(memory.new_empty(FIRST_ROOM, len(memory), width)) for width in widths)

    @torch.no_grad()
    def step(self, x: Tensor) -> Tensor:
        """Transform the new position, (B, d), which attends to all earlier ones and to the source."""
        w = self.weights
        parts = (self._to_itself, self._to_source, self._feed_forward)
        for part, pre, norm, (W, b) in zip(parts, w.pre, w.norms, w.last, strict=True):
            y = torch.addmm(b, part(norm(x) if pre else x), W)
            x = x + y if pre else norm(x + y)
        return x

    def _to_itself(self, x: Tensor) -> Tensor:
        W, b = self.weights.own
        Q, K, V = torch.addmm(b, x, W).split(self.weights.widths, dim=1)  # (B, H·d_k or H·d_v)
        return self._attend(Q, self.keys.append(K), self.values.append(V))

    def _to_source(self, x: Tensor) -> Tensor:
        W, b = self.weights.cross
        return self._attend(torch.addmm(b, x, W), self.source_keys, self.source_values, self.bias)

    def _feed_forward(self, x: Tensor) -> Tensor:
        W, b = self.weights.inner
        return torch.addmm(b, x, W).relu_()

    def _attend(self, queries: Tensor, keys: Tensor, values: Tensor, bias: Tensor | None = None) -> Tensor:
        """Return softmax(Q·Kᵀ + bias)·V of all heads, (B, H·d_v), for (B, H·d_k), (L, B, H·d_k) and (L, B, H·d_v)."""
        n_heads, (n_keys, batch, _) = self.weights.n_heads, keys.shape
        rows = batch * n_heads  # one for each head of each sentence
        Q, K, V = queries.reshape(rows, 1, -1), keys.view(n_keys, rows, -1), values.view(n_keys, rows, -1)
        scores = torch.bmm(Q, K.permute(1, 2, 0))  # (B·H, 1, L)
        if bias is not None:
            scores = (scores.unflatten(0, (batch, n_heads)) + bias.unsqueeze(1)).flatten(0, 1)
        return torch.bmm(scores.softmax(dim=-1), V.transpose(0, 1)).view(batch, -1)

    def select(self, rows: Tensor, same_source: bool) -> None:
        """Keep the batch rows `rows`, in this order; with `same_source` each place keeps its source."""
        self.keys.select(rows)
        self.values.select(rows)
        if not same_source:
            self.source_keys = self.source_keys.index_select(1, rows)
            self.source_values = self.source_values.index_select(1, rows)
            self.bias = self.bias if self.bias is None else self.bias[rows]


class Rows:
    """Keys or values of the positions so far, one row each, in a tensor with room for more.

    With the positions first, a new one is one row more, and sentences change places in long runs of memory.

    Parameters
    ----------
    room : Tensor
        Shape (room, B, H·d_k); what it holds does not matter. It grows when it is full.

    Examples
    --------
    >>> rows = Rows(torch.empty(1, 2, 1))
    >>> _ = rows.append(torch.tensor([[1.0], [2.0]]))
    >>> rows.select(torch.tensor([1, 1]))
    >>> rows.append(torch.tensor([[3.0], [4.0]])).squeeze(-1).tolist()
    [[2.0, 2.0], [3.0, 4.0]]
    """

    def __init__(self, room: Tensor) -> None:
        self.room, self.length = room, 0
        self.other: Tensor | None = None  # where the rows are copied to when sentences change places

    def append(self, row: Tensor) -> Tensor:
        """Add a position, (B, H·d_k), and return all so far, (L, B, H·d_k)."""
        if self.length == self.room.shape[0]:
            self.room, self.other = torch.cat([self.room, torch.empty_like(self.room)]), None
        self.room[self.length] = row
        self.length += 1
        return self.room[: self.length]

    def select(self, rows: Tensor) -> None:
        """Keep the sentences `rows`, in this order."""
        if self.other is None or self.other.shape[1] != len(rows):
            self.other = self.room.new_empty(len(self.room), len(rows), self.room.shape[2])
        torch.index_select(self.room[: self.length], 1, rows, out=self.other[: self.length])
        self.room, self.other = self.other, self.room


class ModularBlock:
    """Any decoder block for one position at a time: a copy that shares its weights and has caches.

    Parameters
    ----------
    block, memory, memory_mask
        As `one_position` says.

    Examples
    --------
    >>> block = DecoderBlock(d_model=4, n_heads=2, d_ff=8)
    >>> ModularBlock(block, torch.zeros(1, 3, 4), torch.ones(1, 1, 3, dtype=torch.bool)).step(torch.zeros(1, 4)).shape
    torch.Size([1, 4])
    """

    def __init__(self, block: nn.Module, memory: Tensor, memory_mask: Tensor) -> None:
        self.block, self.memory, self.memory_mask = sharing(block), memory, memory_mask
        self.caches = add_caches(self.block)

    def step(self, x: Tensor) -> Tensor:
        """Transform the new position, (B, d), which attends to all earlier ones and to the source.

        The caches hold the earlier positions' keys and values, so the new position needs no mask: all that it could see
        is in its past.
        """
        x, _, _ = self.block(x.unsqueeze(1), self.memory, None, self.memory_mask)
        return x.squeeze(1)

    def select(self, rows: Tensor, same_source: bool) -> None:
        """Keep the batch rows `rows`, in this order; with `same_source` each place keeps its source."""
        if not same_source:
            self.memory, self.memory_mask = self.memory[rows], self.memory_mask[rows]
        for cache in self.caches:
            if not (same_source and isinstance(cache, Remembered)):
                cache.select(rows)
