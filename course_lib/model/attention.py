"""Scaled dot-product attention and multi-head attention in PyTorch.

The formulas are those of `course_lib.functional`; here they get trainable weights, gradients and several heads.
Letters for shapes: B batch; H heads; L length (L_q of the queries, L_k of the keys, L_s of a source, L_t of a target);
d width of the model; d_k and d_v widths of keys and values, for each head.

A mask is boolean, True where attention is *allowed* (`nn.MultiheadAttention` has it the other way round). Every
attention returns the pair (output, weights); the weights are None only if a faster attention function is used that
does not return them (`course_lib.fast`).

Notes name the two documents that the course follows: A, on self-attention and positional encoding, and B, on the
attention mechanism and Transformers.

The sources write X·W with W of shape (d_in, d_out); `nn.Linear` stores the transpose, (d_out, d_in). Apart from the
bias that is the only difference between `self.W_Q(x)` and X·W_Q.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from course_lib.checks import check_attention

# Queries, keys, values, mask or None, dropout probability -> output and weights. A layer calls it once for all heads:
# Q is (B, H, L_q, d_k), K is (B, H, L_k, d_k), V is (B, H, L_k, d_v), and the mask broadcasts to (B, H, L_q, L_k).
AttentionFunction = Callable[[Tensor, Tensor, Tensor, Tensor | None, float], tuple[Tensor, Tensor | None]]


def attention(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention, softmax(Q·Kᵀ / √d_k)·V.

    Parameters
    ----------
    queries, keys, values : Tensor
        Shapes (…, L_q, d_k), (…, L_k, d_k) and (…, L_k, d_v); the leading axes broadcast.
    mask : Tensor, optional
        Boolean, broadcastable to (…, L_q, L_k), True where attention is allowed. A query with no allowed key
        gets zero weights, a zero output and finite gradients.
    dropout : float
        Probability with which a weight is set to zero (the others grow by 1 / (1 − dropout)). It is applied
        whenever it is not 0: `MultiHeadAttention` passes 0 outside training.

    Returns
    -------
    output : Tensor
        Shape (…, L_q, d_v).
    weights : Tensor
        Shape (…, L_q, L_k), after dropout. Without dropout each row sums to 1, or to 0 if nothing is allowed in it.

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
    check_attention(queries, keys, values, mask)
    scores = (queries @ keys.transpose(-2, -1)) / math.sqrt(queries.shape[-1])  # (…, L_q, L_k)
    weights = masked_softmax(scores, mask)  # over the keys; 0 where not allowed
    # `training=True`, since the caller decides: outside training, `MultiHeadAttention` passes dropout = 0.
    weights = nn.functional.dropout(weights, dropout, training=True)
    return weights @ values, weights  # (…, L_q, d_v), (…, L_q, L_k)


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax over the keys, the last axis: weight 0 where not allowed, also in a row with nothing allowed.

    Parameters
    ----------
    scores : Tensor
        Shape (…, L_q, L_k).
    mask : Tensor or None
        Boolean, broadcastable to the shape of `scores`, True where attention is allowed.

    Returns
    -------
    Tensor
        Weights, of the shape of `scores`.

    Examples
    --------
    >>> masked_softmax(torch.zeros(2, 2), torch.tensor([[True, False], [False, False]])).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    if mask is None:
        return torch.softmax(scores, dim=-1)
    # A score of −∞ gives the weight 0. But a row of −∞ alone would give NaN, in the gradient, too. So a row where
    # nothing is allowed keeps its scores at first, and its weights become 0 afterwards.
    row_has_some = mask.any(-1, keepdim=True)  # (…, L_q, 1): is anything allowed in this row?
    weights = torch.softmax(scores.masked_fill(~mask & row_has_some, -math.inf), dim=-1)
    return weights.masked_fill(~mask, 0.0)  # in rows where something is allowed these are 0 already


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """Causal mask (L, L) of `length` positions: position i sees the positions 0 … i, itself included.

    (The NumPy function of the same name, in `course_lib.functional`, takes L_q and L_k.)

    Examples
    --------
    >>> causal_mask(2).tolist()
    [[True, False], [True, True]]
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """Split the last axis of `x` into heads: (B, L, H·d_k) → (B, H, L, d_k).

    Head h gets the columns h·d_k … (h + 1)·d_k − 1.

    Examples
    --------
    >>> split_heads(torch.tensor([[[1, 2, 3, 4]]]), n_heads=2).tolist()
    [[[[1, 2]], [[3, 4]]]]
    """
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)  # (B, L, H·d_k) -> (B, L, H, d_k) -> (B, H, L, d_k)


def merge_heads(heads: Tensor) -> Tensor:
    """Put heads side by side, the inverse of `split_heads`: (B, H, L, d_v) → (B, L, H·d_v).

    Examples
    --------
    >>> merge_heads(torch.tensor([[[[1, 2]], [[3, 4]]]])).tolist()
    [[[1, 2, 3, 4]]]
    """
    return heads.transpose(1, 2).flatten(2)  # (B, H, L, d_v) -> (B, L, H, d_v) -> (B, L, H·d_v)


class MultiHeadAttention(nn.Module):
    """Multi-head attention: H attentions side by side, each with its own projections, and one output projection.

    Parameters
    ----------
    d_model : int
        Width of `x`, where the queries come from, and of the output.
    n_heads : int
        Number of heads, H.
    d_k, d_v : int, optional
        Width of keys (and queries) and of values *per head*; d_model / H where not given.
    d_context : int, optional
        Width of `context`, where keys and values come from in cross-attention; d_model where not given.
    bias : bool
        Whether the four projections have biases.
    dropout : float
        Dropout on the attention weights, in training only.
    attention_function : AttentionFunction
        The attention of all heads at once. `RotaryAttention()`, a faster function or an ablation can be passed.

    Raises
    ------
    ValueError
        If d_k or d_v is not given and d_model is not divisible by n_heads.

    Notes
    -----
    Document B, section 10.2.7; Vaswani et al. (2017), section 3.2.2.

    Examples
    --------
    >>> layer = MultiHeadAttention(d_model=4, n_heads=2, d_k=2, d_v=3)
    >>> output, weights = layer(torch.zeros(1, 5, 4))
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
        attention_function: AttentionFunction = attention,
    ) -> None:
        super().__init__()
        if (d_k is None or d_v is None) and d_model % n_heads:
            raise ValueError(f"n_heads = {n_heads} must divide d_model = {d_model}, or give d_k and d_v")
        self.n_heads, self.dropout, self.attention_function = n_heads, dropout, attention_function
        self.d_k = d_model // n_heads if d_k is None else d_k
        self.d_v = d_model // n_heads if d_v is None else d_v
        self.W_Q = nn.Linear(d_model, n_heads * self.d_k, bias)
        self.W_K = nn.Linear(d_context or d_model, n_heads * self.d_k, bias)
        self.W_V = nn.Linear(d_context or d_model, n_heads * self.d_v, bias)
        self.W_O = nn.Linear(n_heads * self.d_v, d_model, bias)

    def forward(
        self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Let the positions of `x` attend to those of `context`, or to one another.

        Parameters
        ----------
        x : Tensor
            Shape (B, L_q, d): where the queries come from.
        context : Tensor, optional
            Shape (B, L_k, d_context): where keys and values come from (cross-attention). Without it they come
            from `x` (self-attention).
        mask : Tensor, optional
            Boolean, True where attention is allowed: (L_q, L_k), shared by the batch; (B, L_q, L_k), shared by
            the heads; or (B, H, L_q, L_k). An axis may be 1: a padding mask is (B, 1, L_k), and not (B, L_k), which
            would be taken for (L_q, L_k).

        Returns
        -------
        output : Tensor
            Shape (B, L_q, d). A query with no allowed key gets the bias of W_O: its heads are zero.
        weights : Tensor or None
            Shape (B, H, L_q, L_k), after dropout; None if the attention function does not return them.
        """
        context = x if context is None else context
        Q = split_heads(self.W_Q(x), self.n_heads)  # (B, H, L_q, d_k)
        K = split_heads(self.W_K(context), self.n_heads)  # (B, H, L_k, d_k)
        V = split_heads(self.W_V(context), self.n_heads)  # (B, H, L_k, d_v)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)  # (B, L_q, L_k) -> (B, 1, L_q, L_k)
        dropout = self.dropout if self.training else 0.0
        heads, weights = self.attention_function(Q, K, V, mask, dropout)  # (B, H, L_q, d_v), (B, H, L_q, L_k)
        return self.W_O(merge_heads(heads)), weights


def attention_weights(model: nn.Module, *inputs: Tensor) -> dict[str, Tensor]:
    """Run a model and return the weights of each `MultiHeadAttention` in it, (B, H, L_q, L_k), keyed by module name.

    They are after dropout: call `model.eval()` first if that is not wanted. Attentions that do not return their
    weights are left out.

    Parameters
    ----------
    model : nn.Module
        Any model; it is not modified.
    inputs : Tensor
        What the model is called with.

    Examples
    --------
    >>> model = nn.Sequential(MultiHeadAttention(d_model=4, n_heads=2))
    >>> {name: tuple(weights.shape) for name, weights in attention_weights(model, torch.zeros(1, 3, 4)).items()}
    {'0': (1, 2, 3, 3)}
    """
    weights: dict[str, Tensor] = {}
    names = {module: name for name, module in model.named_modules() if isinstance(module, MultiHeadAttention)}

    def keep(module: Any, inputs: Any, output: tuple[Tensor, Tensor | None]) -> None:
        if output[1] is not None:
            weights[names[module]] = output[1]

    # PyTorch calls `keep` after each forward.
    hooks = [module.register_forward_hook(keep) for module in names]
    try:
        model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return weights


class AttentionMaps(NamedTuple):
    """Attention weights of one forward pass of an encoder–decoder, one list entry per layer, each (B, H, L_q, L_k).

    `encoder` and `decoder` are self-attention; `cross` is the decoder's attention to the encoding. It is what
    `attention_maps` of the translation models returns.
    """

    encoder: list[Tensor]
    decoder: list[Tensor]
    cross: list[Tensor]
