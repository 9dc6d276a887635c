"""Encoder block and decoder block: attention and feed-forward network, each in a residual connection with a norm."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from course_lib.model.attention import AttentionFunction, MultiHeadAttention, attention, causal_mask
from course_lib.model.config import Norm
from course_lib.model.positions import PositionalEncoding, RotaryAttention
from course_lib.special_ids import PAD_ID


class FeedForward(nn.Module):
    """Feed-forward network max(0, x·W_1 + b_1)·W_2 + b_2, applied to each position alone.

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
        """Map `x`, of shape (…, d), to the same shape."""
        return self.W_2(torch.relu(self.W_1(x)))


class Sublayer(nn.Module):
    """Residual connection, layer normalisation and dropout around a layer f.

    *Pre-norm* (Xiong et al., 2020): x + dropout(f(norm(x))), which trains without a careful warm-up, for the residual
    path, from input to output, passes through no normalisation; one more norm follows the last block (`Transformer`).
    *Post-norm* (Vaswani et al., 2017): norm(x + dropout(f(x))).

    Parameters
    ----------
    d_model : int
        Width of x.
    norm : {"pre", "post"}
        Where the normalisation stands.
    dropout : float
        Dropout on f's output before it is added.

    Notes
    -----
    Vaswani et al. (2017), section 3.1; Xiong et al. (2020), figure 1.

    Examples
    --------
    >>> Sublayer(2, norm="pre")(torch.tensor([[3.0, 5.0]]), lambda x: 10 * x).round().tolist()
    [[-7.0, 15.0]]
    """

    def __init__(self, d_model: int, norm: Norm = "pre", dropout: float = 0.0) -> None:
        super().__init__()
        self.pre = norm == "pre"
        self.norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, f: Callable[[Tensor], Tensor]) -> Tensor:
        """Return `x`, of shape (…, d), joined with the output of `f`, a function from (…, d) to (…, d)."""
        if self.pre:
            return x + self.dropout(f(self.norm(x)))
        return self.norm(x + self.dropout(f(x)))


def padding_mask(ids: Tensor) -> Tensor:
    """Padding mask (B, 1, L) of the token ids (B, L): every query may attend to the real tokens.

    (Of this package's two functions of the name, the NumPy one takes lengths instead of ids.)

    Examples
    --------
    >>> padding_mask(torch.tensor([[7, 8, PAD_ID]])).tolist()
    [[[True, True, False]]]
    """
    return (ids != PAD_ID).unsqueeze(1)


@dataclass(frozen=True)
class Parts:
    """What blocks and models are built from; a variant replaces some of it.

    Blocks use the first three, whole models all of them.

    Attributes
    ----------
    attention : AttentionFunction
        What each head computes.
    sublayer : function of d_model, norm, dropout
        What stands around each attention and feed-forward network.
    feed_forward : function of d_model, d_ff
    positions : function of d_position, max_length, kind, mode
    source_mask, target_mask : function of ids
        The mask of each attention to the source, (B, 1, L_s), and of the self-attention of the target, (L_t, L_t).

    Examples
    --------
    >>> def uniform(Q, K, V, mask, dropout):
    ...     return attention(0 * Q, K, V, mask, dropout)
    >>> block = EncoderBlock(d_model=4, n_heads=1, d_ff=8, parts=Parts(attention=uniform))
    >>> block(torch.randn(1, 2, 4))[1].tolist()
    [[[[0.5, 0.5], [0.5, 0.5]]]]
    """

    attention: AttentionFunction = attention
    sublayer: Callable[[int, Norm, float], nn.Module] = Sublayer
    feed_forward: Callable[[int, int], nn.Module] = FeedForward
    positions: Callable[..., PositionalEncoding] = PositionalEncoding
    source_mask: Callable[[Tensor], Tensor] = padding_mask
    target_mask: Callable[[Tensor], Tensor] = lambda ids: causal_mask(ids.shape[1], ids.device)


STANDARD = Parts()


class EncoderBlock(nn.Module):
    """Encoder block: self-attention, then a feed-forward network, each inside a `Sublayer`.

    With a causal mask the same block serves a decoder-only model.

    Parameters
    ----------
    d_model, n_heads, d_ff : int
        Width, number of heads, inner width of the feed-forward network.
    d_k, d_v : int, optional
        Widths per head; d_model / n_heads where not given.
    dropout, attention_dropout : float
        Dropout on the output of each sublayer and on attention weights. (The paper has none inside the
        feed-forward network; `torch.nn.Transformer` has.)
    norm : {"pre", "post"}
        Where the layer normalisation stands.
    rotary : bool
        Whether the self-attention has rotary positions.
    parts : Parts
        What the block is built from.

    Notes
    -----
    Document B, section 10.3.1; Vaswani et al. (2017), section 3.1.

    Examples
    --------
    >>> output, weights = EncoderBlock(d_model=4, n_heads=2, d_ff=8)(torch.zeros(1, 3, 4))
    >>> output.shape, weights.shape
    (torch.Size([1, 3, 4]), torch.Size([1, 2, 3, 3]))
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
        rotary: bool = False,
        parts: Parts = STANDARD,
    ) -> None:
        super().__init__()
        attend = RotaryAttention(parts.attention) if rotary else parts.attention
        options: dict[str, Any] = {"d_k": d_k, "d_v": d_v, "dropout": attention_dropout}
        self.attention = MultiHeadAttention(d_model, n_heads, **options, attention=attend)
        self.around_attention = parts.sublayer(d_model, norm, dropout)
        self.feed_forward = parts.feed_forward(d_model, d_ff)
        self.around_feed_forward = parts.sublayer(d_model, norm, dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Transform `x`, of shape (B, L, d); return it with the weights. `mask` is as in `MultiHeadAttention`."""

        weights: Tensor | None = None

        def attend(y: Tensor) -> Tensor:
            nonlocal weights
            output, weights = self.attention(y, mask=mask)
            return output

        x = self.around_attention(x, attend)
        x = self.around_feed_forward(x, self.feed_forward)
        return x, weights


class DecoderBlock(nn.Module):
    """Decoder block: self-attention, cross-attention to the encoding, a feed-forward network.

    Whoever calls it gives the causal mask. Parameters are those of `EncoderBlock`; rotary positions are for the
    self-attention.

    Notes
    -----
    Document B, section 10.3.1; Vaswani et al. (2017), section 3.1.

    Examples
    --------
    >>> block = DecoderBlock(d_model=4, n_heads=2, d_ff=8)
    >>> output, self_weights, cross_weights = block(torch.zeros(1, 3, 4), torch.zeros(1, 5, 4), causal_mask(3))
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
        rotary: bool = False,
        parts: Parts = STANDARD,
    ) -> None:
        super().__init__()
        attend = RotaryAttention(parts.attention) if rotary else parts.attention
        options: dict[str, Any] = {"d_k": d_k, "d_v": d_v, "dropout": attention_dropout}
        self.self_attention = MultiHeadAttention(d_model, n_heads, **options, attention=attend)
        self.around_self_attention = parts.sublayer(d_model, norm, dropout)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, **options, attention=parts.attention)
        self.around_cross_attention = parts.sublayer(d_model, norm, dropout)
        self.feed_forward = parts.feed_forward(d_model, d_ff)
        self.around_feed_forward = parts.sublayer(d_model, norm, dropout)

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Transform `x`, of shape (B, L_t, d), looking at `memory`, the encoding of the source, (B, L_s, d).

        `mask` is for the self-attention, broadcastable to (B, L_t, L_t), `memory_mask` for the cross-attention,
        broadcastable to (B, L_t, L_s). Returns the output and the weights of both attentions.
        """

        self_weights: Tensor | None = None
        cross_weights: Tensor | None = None

        def attend_to_itself(y: Tensor) -> Tensor:
            nonlocal self_weights
            output, self_weights = self.self_attention(y, mask=mask)
            return output

        def attend_to_memory(y: Tensor) -> Tensor:
            nonlocal cross_weights
            output, cross_weights = self.cross_attention(y, memory, memory_mask)
            return output

        x = self.around_self_attention(x, attend_to_itself)
        x = self.around_cross_attention(x, attend_to_memory)
        x = self.around_feed_forward(x, self.feed_forward)
        return x, self_weights, cross_weights
