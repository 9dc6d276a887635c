"""What fits a student's parts into one translator: a softmax with its gradient, layers around their blocks, batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.model.transformer import initialise
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID

__all__ = [
    "CrossAttention",
    "DecoderLayer",
    "EncoderLayer",
    "groups_by_source",
    "initialise",
    "trainable_softmax",
    "with_biases",
]

# Scores (…, L_q, L_k) and a mask that broadcasts to them -> weights.
MaskedSoftmax = Callable[[Tensor, Tensor], Tensor]


def trainable_softmax(
    softmax: Callable[[NDArray[Any], int], NDArray[Any]],
    gradient: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]],
) -> MaskedSoftmax:
    """Make of a softmax in NumPy, and of its gradient, one that PyTorch trains through.

    Parameters
    ----------
    softmax : function
        Of ps02: scores and an axis to weights.
    gradient : function
        Of ps02: weights, and what arrives at them, to what the scores are handed.

    Returns
    -------
    function
        Scores (…, L_q, L_k) and a mask to weights. In each row something must be allowed.

    Examples
    --------
    >>> from course_lib.exercises import course_parts
    >>> weights = trainable_softmax(course_parts.functional.softmax, course_parts.softmax_gradient)
    >>> weights(torch.zeros(1, 3), torch.tensor([True, True, False])).tolist()
    [[0.5, 0.5, 0.0]]
    """

    class Softmax(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, scores: Tensor) -> Tensor:
            weights = _tensor(softmax(scores.detach().numpy(), -1))
            ctx.save_for_backward(weights)
            return weights

        @staticmethod
        def backward(ctx: Any, *arriving: Tensor) -> Tensor:
            [weights] = ctx.saved_tensors
            return _tensor(gradient(weights.numpy(), arriving[0].numpy()))

    def weights_of(scores: Tensor, allowed: Tensor) -> Tensor:
        found: Tensor = Softmax.apply(scores.masked_fill(~allowed, -torch.inf))
        return found

    return weights_of


def _tensor(array: Any) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))


def _attention_by(softmax: MaskedSoftmax) -> Callable[..., tuple[Tensor, Tensor]]:
    """Return scaled dot-product attention, for all heads at once, that takes its weights from a softmax."""

    def attention(
        Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor]:
        scores = Q @ K.mT / Q.shape[-1] ** 0.5
        allowed = torch.ones((1, 1), dtype=torch.bool) if mask is None else mask
        weights = softmax(scores, allowed)
        return weights @ V, weights

    return attention


class EncoderLayer(nn.Module):
    """A block of ps07, called as the encoder of ps09 calls its blocks.

    Parameters
    ----------
    block : nn.Module
        It maps `x` (B, L, d) and `mask` to the shape of `x`, and has a `MultiHeadAttention`, `attention`.
    softmax : MaskedSoftmax
        What its attention takes its weights from.
    """

    def __init__(self, block: nn.Module, softmax: MaskedSoftmax) -> None:
        super().__init__()
        self.block = block
        block.attention.attention_function = _attention_by(softmax)  # type: ignore[union-attr]

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, None]:
        """Map `x`, (B, L, d), to the same shape; there are no weights beside it."""
        return self.block(x, mask=mask), None


class CrossAttention(nn.Module):
    """A layer around the function of ps05, with its four matrices.

    The function knows no mask, so all sources of a batch have one length (`groups_by_source`).

    Parameters
    ----------
    function : function
        `cross_attention` of ps05.
    d, n_heads : int
        Width, number of heads.

    Raises
    ------
    ValueError
        If a source of a batch is padded.
    """

    def __init__(self, function: Callable[..., tuple[Tensor, Tensor]], d: int, n_heads: int) -> None:
        super().__init__()
        self.function, self.n_heads = function, n_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.weights: Tensor | None = None

    def forward(self, x: Tensor, context: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Let `x`, (B, L_t, d), ask `context`, (B, L_s, d); return the output and the weights, which are kept."""
        if mask is not None and not mask.all():
            raise ValueError("cross_attention knows no mask: a batch must hold sources of one length")
        matrices = (layer.weight.mT for layer in (self.W_Q, self.W_K, self.W_V, self.W_O))
        output, weights = self.function(x, context, *matrices, self.n_heads)
        self.weights = weights.detach()
        return output, weights


class DecoderLayer(nn.Module):
    """A block of ps09, with cross-attention by ps05, called as the decoder of ps09 calls its blocks.

    Parameters
    ----------
    block : nn.Module
        It maps `x` (B, L_t, d), `memory` (B, L_s, d) and `real` (B, L_s) to the shape of `x`, and has the attentions
        `self_attention` and `cross_attention`.
    softmax : MaskedSoftmax
        What its self-attention takes its weights from.
    cross_attention : CrossAttention
        What takes the place of its own.
    """

    def __init__(self, block: nn.Module, softmax: MaskedSoftmax, cross_attention: CrossAttention) -> None:
        super().__init__()
        self.block = block
        block.self_attention.attention_function = _attention_by(softmax)  # type: ignore[union-attr]
        block.cross_attention = cross_attention

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> tuple[Tensor, None, None]:
        """Map `x`, (B, L_t, d), to the same shape. The block makes its causal mask itself."""
        real = torch.ones(memory.shape[:2], dtype=torch.bool) if memory_mask is None else memory_mask[:, 0]
        return self.block(x, memory, real), None, None


def groups_by_source(
    pairs: Sequence[tuple[list[int], list[int]]], size: int
) -> list[list[tuple[list[int], list[int]]]]:
    """Group sentence pairs for batches: sources of one length, targets of similar length.

    Parameters
    ----------
    pairs : sequence of pairs of lists of ids
    size : int
        Most pairs in a group.

    Examples
    --------
    >>> groups_by_source([([4], [5]), ([4, 6], [5]), ([7], [])], size=9)
    [[([7], []), ([4], [5])], [([4, 6], [5])]]
    """
    by_length = defaultdict(list)
    for pair in pairs:
        by_length[len(pair[0])].append(pair)
    return [
        ordered[start : start + size]
        for _, same in sorted(by_length.items())
        if (ordered := sorted(same, key=lambda pair: len(pair[1])))
        for start in range(0, len(ordered), size)
    ]


@torch.no_grad()
def write_all(
    model: Callable[[Tensor, Tensor], Tensor],
    write_on: Callable[..., Any],
    sources: Sequence[list[int]],
    max_length: int = 40,
) -> list[list[int]]:
    """Translate greedily, many sentences at once, by the loop of ps08.

    Parameters
    ----------
    model : function
        Ids (B, L_s) and (B, L_t) to logits (B, L_t, n_vocab).
    write_on : function
        Of ps08; it is called at temperature 0.
    sources : sequence of lists of ids
        Without special tokens.
    max_length : int
        Most tokens of a translation.

    Returns
    -------
    list of lists of ids
        In the order of the sources, without special tokens.
    """
    places = defaultdict(list)
    for place, ids in enumerate(sources):
        places[len(ids)].append(place)
    found: list[list[int]] = [[] for _ in sources]
    for same in places.values():
        source = torch.tensor([[*sources[place], EOS_ID] for place in same])

        def next_logits(ids: Any, source: Tensor = source) -> NDArray[Any]:
            return model(source, torch.as_tensor(np.asarray(ids)))[:, -1].numpy()

        start = np.full((len(same), 1), BOS_ID)
        written = np.asarray(write_on(next_logits, start, np.zeros((len(same), max_length)), 0))
        for place, row in zip(same, written.tolist(), strict=True):
            found[place] = [token for token in row if token not in (PAD_ID, BOS_ID, EOS_ID)]
    return found


def with_one(X: Any) -> NDArray[np.float64]:
    """Append a 1 to each row, so that a product with a matrix adds the bias in its last row: (…, d) -> (…, d + 1).

    Examples
    --------
    >>> with_one(np.zeros((1, 2))).tolist()
    [[0.0, 0.0, 1.0]]
    """
    rows = np.asarray(X, dtype=np.float64)
    return np.concatenate([rows, np.ones((*rows.shape[:-1], 1))], axis=-1)


def head_matrices(attention: Any, head: int) -> NDArray[np.float64]:
    """Return [W_Q W_K W_V] of one head, each with its bias as a last row: (d + 1, 2 d_k + d_v).

    Parameters
    ----------
    attention : MultiHeadAttention
    head : int
        Its number, from 0.

    Examples
    --------
    >>> from course_lib.model import MultiHeadAttention
    >>> head_matrices(MultiHeadAttention(8, n_heads=2), 1).shape
    (9, 12)
    """
    matrices = []
    for layer, width in (
        (attention.W_Q, attention.d_k),
        (attention.W_K, attention.d_k),
        (attention.W_V, attention.d_v),
    ):
        columns = slice(head * width, (head + 1) * width)
        matrices.append(
            torch.cat([layer.weight[columns].mT, layer.bias[None, columns]]).detach().double().numpy()
        )
    return np.concatenate(matrices, axis=1)


@torch.no_grad()
def with_biases(x: Tensor, context: Tensor, attention: Any) -> list[Tensor]:
    """Put the biases of an attention into its matrices, for a function that knows none.

    Parameters
    ----------
    x, context : Tensor (L_q, d) and (L_k, d)
    attention : MultiHeadAttention

    Returns
    -------
    list of six tensors
        `x` and `context` with a 1 at the end of each row, and W_Q, W_K and W_V with their biases as last rows; then
        W_O, whose bias is left out.
    """
    matrices = [
        torch.cat([layer.weight.mT, layer.bias[None]])
        for layer in (attention.W_Q, attention.W_K, attention.W_V)
    ]
    rows = [torch.cat([words, torch.ones(len(words), 1)], dim=1) for words in (x, context)]
    return [*rows, *matrices, attention.W_O.weight.mT]
