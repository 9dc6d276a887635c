"""Encoder and decoder blocks: attentions and a feed-forward network, each with a residual connection and a norm."""

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
    """Feed-forward network max(0, x·W_1 + b_1)·W_2 + b_2, applied to each position independently.

    Parameters
    ----------
    d_model, d_ff : int
        Outer and hidden width.

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
    """The wrapper around a sub-layer f, an attention or a feed-forward network: residual, normalisation, dropout.

    *Pre-norm* (Xiong et al., 2020): x + dropout(f(norm(x))). It trains without a careful warm-up, since nothing on the
    residual path is normalised; one more norm follows the last block (`Transformer`).
    *Post-norm* (Vaswani et al., 2017): norm(x + dropout(f(x))).

    Parameters
    ----------
    d_model : int
        Width of x.
    norm : {"pre", "post"}
        Whether the normalisation comes before f or after the sum.
    dropout : float
        Dropout on f's output before it is added.

    Notes
    -----
    Vaswani et al. (2017), section 3.1; Xiong et al. (2020), figure 1.

    Examples
    --------
    >>> x = torch.tensor([[[3.0, 5.0]]])  # which the norm turns into [-1, 1]
    >>> Sublayer(2, norm="pre")(x, lambda normed: 10 * normed).round().tolist()
    [[[-7.0, 15.0]]]
    >>> output, weights = Sublayer(2)(x, MultiHeadAttention(2, n_heads=1), mask=None)
    >>> output.shape
    torch.Size([1, 1, 2])
    """

    def __init__(self, d_model: int, norm: Norm = "pre", dropout: float = 0.0) -> None:
        super().__init__()
        self.pre = {"pre": True, "post": False}[norm]
        self.norm: nn.Module = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, f: Callable[..., Any], *inputs: Any, **options: Any) -> Any:
        """Apply f to `x`, (…, d), normalised first if pre-norm, and to the other arguments; add the result to `x`.

        An attention as f returns (output, weights), and this returns (x, weights); a feed-forward network returns
        its output alone, and this returns x alone.
        """
        y = f(self.norm(x) if self.pre else x, *inputs, **options)
        if isinstance(y, tuple):
            return self.add(x, y[0]), y[1]  # (output, weights) of an attention
        return self.add(x, y)

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        """Return the residual sum x + dropout(y), normalised if post-norm."""
        x = x + self.dropout(y)
        return x if self.pre else self.norm(x)


def padding_mask(ids: Tensor) -> Tensor:
    """Padding mask (B, 1, L) of the token ids (B, L): every query may attend to the real tokens.

    (The NumPy function of the same name, in `course_lib.functional`, takes lengths.)

    Examples
    --------
    >>> padding_mask(torch.tensor([[7, 8, PAD_ID]])).tolist()
    [[[True, True, False]]]
    """
    return (ids != PAD_ID).unsqueeze(1)


@dataclass(frozen=True)
class Parts:
    """What blocks and models are built from; a variant (an ablation, a fused kernel) replaces some of them.

    On a first reading, take the defaults. Blocks use the first three, whole models all of them.

    Attributes
    ----------
    attention_function : AttentionFunction
        The attention of all heads at once, in self-attention and in cross-attention.
    sublayer : class, or function that returns a module, of d_model, norm, dropout
        Wrapper around each attention and feed-forward network; the module is called as a `Sublayer` is.
    feed_forward : the same of d_model, d_ff
        The module maps (…, d) to the same shape.
    positions : the same of d_position, max_length, kind, mode
        As `PositionalEncoding`. Only whole models have it, at their input; for rotary positions see `rotary`.
    source_mask, target_mask : function of ids
        Mask for each attention to the source, (B, 1, L_s), and for the target's self-attention, (L_t, L_t). The
        latter is causal. It needs no padding mask, since padding stands at the end, later than every real token.

    Examples
    --------
    >>> def uniform(Q, K, V, mask, dropout):
    ...     return attention(0 * Q, K, V, mask, dropout)  # all scores 0
    >>> block = EncoderBlock(d_model=4, n_heads=1, d_ff=8, parts=Parts(attention_function=uniform))
    >>> block(torch.randn(1, 2, 4))[1].tolist()
    [[[[0.5, 0.5], [0.5, 0.5]]]]

    Without the feed-forward network, a pre-norm block adds 0 in its place. (`nn.Identity` would add norm(x).)

    >>> class Zero(nn.Module):
    ...     def __init__(self, d_model, d_ff):
    ...         super().__init__()
    ...     def forward(self, x):
    ...         return torch.zeros_like(x)
    >>> block = EncoderBlock(d_model=4, n_heads=1, d_ff=8, parts=Parts(feed_forward=Zero))
    """

    attention_function: AttentionFunction = attention
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
        Dropout on the output of each sublayer and on attention weights. (Vaswani et al. have none inside
        the feed-forward network; `torch.nn.Transformer` does.)
    norm : {"pre", "post"}
        Whether the normalisation comes before a sub-layer or after its sum.
    rotary : bool
        Whether queries and keys of the self-attention are rotated by their positions before they are compared.
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
        function = RotaryAttention(parts.attention_function) if rotary else parts.attention_function
        self.attention = MultiHeadAttention(
            d_model, n_heads, d_k, d_v, dropout=attention_dropout, attention_function=function
        )
        self.around_attention = parts.sublayer(d_model, norm, dropout)
        self.feed_forward = parts.feed_forward(d_model, d_ff)
        self.around_feed_forward = parts.sublayer(d_model, norm, dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Transform `x`, of shape (B, L, d); return it with the weights. `mask` is as in `MultiHeadAttention`."""
        # Pre-norm, each line is x + dropout(f(norm(x))); post-norm, norm(x + dropout(f(x))).
        x, weights = self.around_attention(x, self.attention, mask=mask)
        x = self.around_feed_forward(x, self.feed_forward)
        return x, weights


class DecoderBlock(nn.Module):
    """Decoder block: self-attention, cross-attention to the encoding, a feed-forward network.

    The caller must pass the causal mask. Parameters are those of `EncoderBlock`; rotary positions apply only to the
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
        function = parts.attention_function
        self_function = RotaryAttention(function) if rotary else function
        self.self_attention = MultiHeadAttention(
            d_model, n_heads, d_k, d_v, dropout=attention_dropout, attention_function=self_function
        )
        self.around_self_attention = parts.sublayer(d_model, norm, dropout)
        self.cross_attention = MultiHeadAttention(
            d_model, n_heads, d_k, d_v, dropout=attention_dropout, attention_function=function
        )
        self.around_cross_attention = parts.sublayer(d_model, norm, dropout)
        self.feed_forward = parts.feed_forward(d_model, d_ff)
        self.around_feed_forward = parts.sublayer(d_model, norm, dropout)

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Transform `x`, of shape (B, L_t, d), attending to `memory`, the encoding of the source, (B, L_s, d).

        No sublayer normalises `memory`: a pre-norm `Transformer` ends its encoder with a norm. `mask` is for the
        self-attention, broadcastable to (B, L_t, L_t), `memory_mask` for the cross-attention, broadcastable to
        (B, L_t, L_s).
        Returns the output and the weights of both attentions.
        """
        x, self_weights = self.around_self_attention(x, self.self_attention, mask=mask)
        x, cross_weights = self.around_cross_attention(x, self.cross_attention, memory, mask=memory_mask)
        x = self.around_feed_forward(x, self.feed_forward)
        return x, self_weights, cross_weights
