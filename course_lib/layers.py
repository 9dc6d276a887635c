"""The building blocks of the Transformer as torch modules.

The mathematics is that of :mod:`course_lib.functional`; here it gets trainable weights, gradients, several
heads and a key/value cache. Letters for shapes: B batch, H heads, L (L_q, L_k) length, d model width, d_k and
d_v per head. A mask is boolean, True where attention is *allowed*.

The sources write x·W with W of shape (d_in, d_out); ``nn.Linear`` stores the transpose, (d_out, d_in). That is
the only difference between ``self.W_Q(x)`` and X·W_Q.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib import functional

Norm = Literal["pre", "post"]


def attention(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention, softmax(Q·Kᵀ / √d_k)·V, one readable line after the other.

    Parameters
    ----------
    queries, keys, values : Tensor
        Shapes (…, L_q, d_k), (…, L_k, d_k) and (…, L_k, d_v); the leading axes broadcast.
    mask : Tensor, optional
        Boolean, broadcastable to (…, L_q, L_k), True where attention is allowed. A query with no allowed key
        gets zero weights, a zero output and finite gradients.
    dropout : float
        Probability with which a weight is set to zero (the others grow by 1 / (1 − dropout)).

    Returns
    -------
    output : Tensor
        Shape (…, L_q, d_v).
    weights : Tensor
        Shape (…, L_q, L_k); each row sums to 1, or to 0 when nothing is allowed in it.

    Raises
    ------
    ValueError
        If the widths of queries and keys differ, if keys and values differ in number, or if the mask is not
        boolean.

    Notes
    -----
    Document B, section 10.2.3; Vaswani et al. (2017), equation 1.

    Examples
    --------
    >>> q, k, v = torch.zeros(1, 2), torch.eye(2), torch.tensor([[0.0], [4.0]])
    >>> output, weights = attention(q, k, v)
    >>> output.item(), weights.tolist()
    (2.0, [[0.5, 0.5]])
    """
    _check_attention(queries, keys, values, mask)
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])  # (…, L_q, L_k)
    weights = F.dropout(masked_softmax(scores, mask), dropout)
    return weights @ values, weights


def fused_attention(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
) -> Tensor:
    """Return the output of :func:`attention` by PyTorch's fused kernel, which never stores the weights.

    Parameters, shapes and errors are those of :func:`attention`.

    Examples
    --------
    >>> q, k, v = torch.zeros(1, 2), torch.eye(2), torch.tensor([[0.0], [4.0]])
    >>> fused_attention(q, k, v).item()
    2.0
    """
    _check_attention(queries, keys, values, mask)
    if mask is None:
        return F.scaled_dot_product_attention(queries, keys, values, dropout_p=dropout)
    # A query with nothing allowed gets everything, so that the kernel never divides 0 by 0, and loses it after.
    has_key = mask.any(-1, keepdim=True)
    output = F.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask | ~has_key, dropout_p=dropout
    )
    return output.masked_fill(~has_key, 0.0)


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Return the weights (…, L_q, L_k) for scores of that shape; a row with nothing allowed is all zeros.

    Examples
    --------
    >>> masked_softmax(torch.zeros(2, 2), torch.tensor([[True, False], [False, False]])).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    if mask is None:
        return torch.softmax(scores, dim=-1)
    # In a row with nothing allowed the scores stay finite, or the softmax and its gradient would be NaN;
    # the second line takes the weights of such a row away.
    blocked = ~mask & mask.any(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(blocked, -math.inf), dim=-1).masked_fill(~mask, 0.0)


def _check_attention(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> None:
    if queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"queries {tuple(queries.shape)} and keys {tuple(keys.shape)}: the last axes must be equal (d_k)"
        )
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(
            f"keys {tuple(keys.shape)} and values {tuple(values.shape)}: there must be one value a key (L_k)"
        )
    if mask is not None and mask.dtype != torch.bool:
        raise ValueError(
            f"mask: expected a boolean tensor, True where attention is allowed, not {mask.dtype}"
        )


class KeyValueCache:
    """The keys and values of the positions that a decoder has already seen.

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
        """Keep the batch rows ``rows``, in this order; a row may be named several times (beam search)."""
        if self.keys is not None and self.values is not None:
            self.keys, self.values = self.keys[rows], self.values[rows]


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each with its own projections, and one projection of them together.

    Parameters
    ----------
    d_model : int
        Width of the inputs that ask (the queries' side), and of the output.
    n_heads : int
        Number of heads, H.
    d_k, d_v : int, optional
        Width of keys (and queries) and of values *per head*; d_model / H where not given.
    d_context : int, optional
        Width of the inputs that are asked in cross-attention; d_model where not given.
    bias : bool
        Whether the four projections have biases.
    dropout : float
        Dropout on the attention weights, in training only.
    fused : bool
        Compute with PyTorch's fused kernel where the weights are not asked for; the results are the same.

    Raises
    ------
    ValueError
        If d_k or d_v is not given and n_heads does not divide d_model.

    Notes
    -----
    Document B, section 10.2.7; Vaswani et al. (2017), section 3.2.2.

    Examples
    --------
    >>> layer = MultiHeadAttention(d_model=4, n_heads=2, d_k=2, d_v=3)
    >>> output, weights = layer(torch.zeros(1, 5, 4), need_weights=True)
    >>> tuple(output.shape), tuple(weights.shape)
    ((1, 5, 4), (1, 2, 5, 5))
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_k: int | None = None,
        d_v: int | None = None,
        d_context: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        fused: bool = True,
    ) -> None:
        super().__init__()
        if (d_k is None or d_v is None) and d_model % n_heads:
            raise ValueError(f"n_heads = {n_heads} must divide d_model = {d_model}, or give d_k and d_v")
        self.n_heads = n_heads
        self.d_k = d_k or d_model // n_heads
        self.d_v = d_v or d_model // n_heads
        self.dropout = dropout
        self.fused = fused
        self.W_Q = nn.Linear(d_model, n_heads * self.d_k, bias=bias)
        self.W_K = nn.Linear(d_context or d_model, n_heads * self.d_k, bias=bias)
        self.W_V = nn.Linear(d_context or d_model, n_heads * self.d_v, bias=bias)
        self.W_O = nn.Linear(n_heads * self.d_v, d_model, bias=bias)

    def forward(
        self,
        x: Tensor,
        context: Tensor | None = None,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Let the positions of ``x`` attend to those of ``context``, or to one another.

        Parameters
        ----------
        x : Tensor
            Shape (B, L_q, d): where the queries come from.
        context : Tensor, optional
            Shape (B, L_k, d_context): where keys and values come from (cross-attention). Without it they come
            from ``x`` (self-attention).
        mask : Tensor, optional
            Boolean, True where attention is allowed, broadcastable to (B, L_q, L_k) and then the same for all
            heads, or of shape (B, H, L_q, L_k).
        cache : KeyValueCache, optional
            In self-attention the new keys and values join those of earlier positions. In cross-attention they
            are computed at the first call and read afterwards, since the context does not change.
        need_weights : bool
            Whether to return the weights too; this takes the readable path.

        Returns
        -------
        output : Tensor
            Shape (B, L_q, d).
        weights : Tensor or None
            Shape (B, H, L_q, L_k); what the values were mixed with, after dropout.
        """
        queries = self._split(self.W_Q(x))  # (B, H, L_q, d_k)
        if context is not None and cache is not None and cache.keys is not None and cache.values is not None:
            keys, values = cache.keys, cache.values
        else:
            asked = x if context is None else context
            keys, values = (
                self._split(self.W_K(asked)),
                self._split(self.W_V(asked)),
            )  # (B, H, L_k, d_k or d_v)
            if cache is not None:
                keys, values = cache.append(keys, values)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)  # (B, L_q, L_k) -> (B, 1, L_q, L_k): the same for all heads
        dropout = self.dropout if self.training else 0.0
        weights = None
        # In bfloat16 the CPU's fused kernel is several times slower than the readable path on short sentences.
        slow = keys.device.type == "cpu" and keys.dtype == torch.bfloat16
        if self.fused and not need_weights and not slow:
            heads = fused_attention(queries, keys, values, mask, dropout)  # (B, H, L_q, d_v)
        else:
            heads, weights = attention(queries, keys, values, mask, dropout)
        output: Tensor = self.W_O(heads.transpose(1, 2).flatten(2))  # (B, L_q, H·d_v) -> (B, L_q, d)
        return output, weights if need_weights else None

    def _split(self, projected: Tensor) -> Tensor:
        # (B, L, H·d_k) -> (B, L, H, d_k) -> (B, H, L, d_k): head h reads columns h·d_k … (h+1)·d_k − 1
        return projected.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)


class PositionalEncoding(nn.Module):
    """Tell each position of a sequence where it stands.

    Parameters
    ----------
    d_position : int
        Width of the encoding.
    max_length : int
        Number of positions in the table of learned encodings. The sinusoidal ones have no such limit.
    kind : {"sinusoidal", "learned", "none"}
        Fixed sines and cosines, a trained table, or no information at all (an ablation).
    mode : {"add", "append"}
        x + φ, which needs d = d_position, or [x; φ], of width d + d_position.

    Raises
    ------
    ValueError
        If a sinusoidal encoding has odd width, or a learned one is asked for a position past its table.

    Notes
    -----
    Document A, "What is Positional Encoding?" (added), and document B, section 10.3.2 (appended);
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> PositionalEncoding(4)(torch.zeros(1, 1, 4)).tolist()
    [[[0.0, 1.0, 0.0, 1.0]]]
    >>> PositionalEncoding(4, mode="append")(torch.zeros(1, 2, 3)).shape
    torch.Size([1, 2, 7])
    """

    table: Tensor

    def __init__(
        self,
        d_position: int,
        max_length: int = 512,
        kind: Literal["sinusoidal", "learned", "none"] = "sinusoidal",
        mode: Literal["add", "append"] = "add",
    ) -> None:
        super().__init__()
        self.kind, self.mode = kind, mode
        if kind == "learned":
            self.table = nn.Parameter(torch.randn(max_length, d_position) / math.sqrt(d_position))
        else:  # fixed by its formula, so it is no part of the stored weights
            self.register_buffer("table", self._fixed(max_length, d_position), persistent=False)

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """Encode the positions ``start`` … ``start`` + L − 1 of ``x``, of shape (B, L, d)."""
        end = start + x.shape[1]
        if end > len(self.table):
            if self.kind == "learned":
                raise ValueError(
                    f"x: position {end - 1} was asked for, but only {len(self.table)} are learned"
                )
            # Twice the length, so that a sequence that grows by one position a step seldom comes here.
            self.table = self._fixed(2 * end, self.table.shape[1]).to(self.table)
        positions = self.table[start:end].to(x.dtype)  # (L, d_position)
        if self.mode == "add":
            return x + positions
        return torch.cat([x, positions.expand(len(x), -1, -1)], dim=-1)  # (B, L, d + d_position)

    def _fixed(self, length: int, d_position: int) -> Tensor:
        if self.kind == "none":
            return torch.zeros(length, d_position)
        encoding = torch.from_numpy(functional.sinusoidal_encoding(length, d_position))
        return encoding.to(torch.get_default_dtype())


class FeedForward(nn.Module):
    """Two linear maps with a non-linearity between them, max(0, x·W_1 + b_1)·W_2 + b_2, at each position alone.

    Parameters
    ----------
    d_model, d_ff : int
        Width outside and inside.
    Notes
    -----
    Document A, "Linearity Problem and Feed-Forward Networks"; Vaswani et al. (2017), section 3.3.

    Examples
    --------
    >>> FeedForward(d_model=4, d_ff=16)(torch.zeros(1, 3, 4)).shape
    torch.Size([1, 3, 4])
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.W_1 = nn.Linear(d_model, d_ff)
        self.W_2 = nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Map ``x``, of shape (…, d), to the same shape."""
        return self.W_2(torch.relu(self.W_1(x)))


class Dropout(nn.Module):
    """In training, set entries to zero with probability p and multiply the others by 1 / (1 − p).

    The same as ``nn.Dropout``, except that on the CPU an entry is decided by one random byte, which rounds p to a
    multiple of 1/256: drawing a random float for each entry took a fifth of a training step.

    Parameters
    ----------
    p : float
        Probability, 0 ≤ p < 1.

    Raises
    ------
    ValueError
        If p is no such probability.

    Notes
    -----
    Srivastava et al. (2014); Vaswani et al. (2017), section 5.4, for where it stands in a Transformer.

    Examples
    --------
    >>> Dropout(0.5).eval()(torch.ones(3)).tolist()
    [1.0, 1.0, 1.0]
    >>> sorted(set(Dropout(0.5)(torch.ones(100)).tolist()))
    [0.0, 2.0]
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p: expected a probability of at least 0 and less than 1, not {p}")
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Return ``x``, of any shape, with some entries dropped if in training."""
        if not self.training or self.p == 0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        n_dropped = min(round(256 * self.p), 255)  # of the 256 values that a byte can have
        eights = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
        bytes_ = eights.view(torch.uint8)[: x.numel()].view(x.shape)
        keep = (bytes_ >= n_dropped).to(x.dtype)
        return x * keep.mul_(256 / (256 - n_dropped))


class AddAndNorm(nn.Module):
    """Residual connection with layer normalisation around a sublayer f: two ways to place them.

    *Post-norm* (Vaswani et al., 2017): LayerNorm(x + f(x)). *Pre-norm* (Xiong et al., 2020): x + f(LayerNorm(x)),
    which trains without a careful warm-up because the sum x passes through no normalisation. A block calls
    ``enter`` before its sublayer and ``leave`` after it.

    Parameters
    ----------
    d_model : int
        Width of x.
    norm : {"pre", "post"}
        Where the normalisation stands.
    dropout : float
        Dropout on f's output before it is added.

    Examples
    --------
    >>> around = AddAndNorm(2, norm="pre")
    >>> x = torch.tensor([[3.0, 5.0]])
    >>> around.leave(x, torch.zeros_like(x)).tolist()
    [[3.0, 5.0]]
    """

    def __init__(self, d_model: int, norm: Norm = "pre", dropout: float = 0.0) -> None:
        super().__init__()
        self.pre = norm == "pre"
        self.norm = nn.LayerNorm(d_model)
        self.dropout = Dropout(dropout)

    def enter(self, x: Tensor) -> Tensor:
        """Return what the sublayer reads, of the shape of ``x``."""
        return self.norm(x) if self.pre else x

    def leave(self, x: Tensor, update: Tensor) -> Tensor:
        """Return ``x`` joined with the sublayer's output ``update``, both of shape (…, d)."""
        joined = x + self.dropout(update)
        return joined if self.pre else self.norm(joined)


class EncoderBlock(nn.Module):
    """Self-attention, then a feed-forward network, each inside :class:`AddAndNorm`.

    With a causal mask the same block serves a decoder-only model.

    Parameters
    ----------
    d_model, n_heads, d_ff : int
        Width, number of heads, inner width of the feed-forward network.
    d_k, d_v : int, optional
        Widths per head; d_model / n_heads where not given.
    dropout, attention_dropout : float
        Dropout on the output of each sublayer and on attention weights. (The paper has none inside the
        feed-forward network; ``torch.nn.Transformer`` has.)
    norm : {"pre", "post"}
        Where the layer normalisation stands.

    Notes
    -----
    Document B, section 10.3.1; Vaswani et al. (2017), section 3.1.

    Examples
    --------
    >>> output, weights = EncoderBlock(d_model=4, n_heads=2, d_ff=8)(torch.zeros(1, 3, 4))
    >>> output.shape, weights
    (torch.Size([1, 3, 4]), None)
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        d_k: int | None = None,
        d_v: int | None = None,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
        norm: Norm = "pre",
    ) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, d_k, d_v, dropout=attention_dropout)
        self.around_attention = AddAndNorm(d_model, norm, dropout)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.around_feed_forward = AddAndNorm(d_model, norm, dropout)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Transform ``x``, of shape (B, L, d); mask, cache and weights as in :class:`MultiHeadAttention`."""
        update, weights = self.attention(
            self.around_attention.enter(x), mask=mask, cache=cache, need_weights=need_weights
        )
        x = self.around_attention.leave(x, update)
        update = self.feed_forward(self.around_feed_forward.enter(x))
        return self.around_feed_forward.leave(x, update), weights


class DecoderBlock(nn.Module):
    """Masked self-attention, cross-attention to the encoder's output, one feed-forward network.

    Parameters are those of :class:`EncoderBlock`.

    Notes
    -----
    Document B, section 10.3.1; Vaswani et al. (2017), section 3.1.

    Examples
    --------
    >>> block = DecoderBlock(d_model=4, n_heads=2, d_ff=8)
    >>> output, self_weights, cross_weights = block(torch.zeros(1, 3, 4), torch.zeros(1, 5, 4), need_weights=True)
    >>> output.shape, self_weights.shape, cross_weights.shape
    (torch.Size([1, 3, 4]), torch.Size([1, 2, 3, 3]), torch.Size([1, 2, 3, 5]))
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        d_k: int | None = None,
        d_v: int | None = None,
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
        norm: Norm = "pre",
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads, d_k, d_v, dropout=attention_dropout)
        self.around_self_attention = AddAndNorm(d_model, norm, dropout)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, d_k, d_v, dropout=attention_dropout)
        self.around_cross_attention = AddAndNorm(d_model, norm, dropout)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.around_feed_forward = AddAndNorm(d_model, norm, dropout)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        self_cache: KeyValueCache | None = None,
        cross_cache: KeyValueCache | None = None,
        need_weights: bool = False,
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Transform ``x``, of shape (B, L_t, d), looking at ``memory``, the encoder's output, (B, L_s, d).

        ``mask`` is for the self-attention, broadcastable to (B, L_t, L_t), ``memory_mask`` for the
        cross-attention, broadcastable to (B, L_t, L_s). Returns the output and the weights of both attentions.
        """
        update, self_weights = self.self_attention(
            self.around_self_attention.enter(x), mask=mask, cache=self_cache, need_weights=need_weights
        )
        x = self.around_self_attention.leave(x, update)
        update, cross_weights = self.cross_attention(
            self.around_cross_attention.enter(x),
            memory,
            mask=memory_mask,
            cache=cross_cache,
            need_weights=need_weights,
        )
        x = self.around_cross_attention.leave(x, update)
        update = self.feed_forward(self.around_feed_forward.enter(x))
        return self.around_feed_forward.leave(x, update), self_weights, cross_weights
