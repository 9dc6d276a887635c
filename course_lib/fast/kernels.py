"""Faster parts: fused attention, dropout that draws bytes, the largest of many logits."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.checks import check_attention
from course_lib.model.attention import AttentionFunction, attention
from course_lib.model.positions import RotaryAttention


def fused_attention(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
) -> tuple[Tensor, Tensor | None]:
    """Scaled dot-product attention by PyTorch's fused kernel, which never forms the weights.

    Parameters, shapes and errors are those of `course_lib.model.attention`.

    Returns
    -------
    output : Tensor
        Shape (…, L_q, d_v): equal to that of the readable function.
    weights : None
        Except for bfloat16 on a CPU, where the fused kernel is several times slower than the readable function on
        short sentences, which then is called.

    Examples
    --------
    >>> q, k, v = torch.zeros(1, 2), torch.eye(2), torch.tensor([[0.0], [4.0]])
    >>> output, weights = fused_attention(q, k, v)
    >>> output.item(), weights
    (2.0, None)
    """
    if keys.dtype == torch.bfloat16 and keys.device.type == "cpu":
        return attention(queries, keys, values, mask, dropout)
    check_attention(queries, keys, values, mask)
    if mask is None:
        return F.scaled_dot_product_attention(queries, keys, values, dropout_p=dropout), None
    # A query with nothing allowed gets everything, so that the kernel never divides 0 by 0, and loses it after.
    has_key = mask.any(-1, keepdim=True)
    output = F.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask | ~has_key, dropout_p=dropout
    )
    return output.masked_fill(~has_key, 0.0), None


def fused(function: AttentionFunction) -> AttentionFunction:
    """Fused counterpart of an attention function, inside rotary positions too; any other function is returned as it is.

    Examples
    --------
    >>> fused(attention) is fused_attention, fused(torch.add) is torch.add
    (True, True)
    """
    if isinstance(function, RotaryAttention):
        return RotaryAttention(fused(function.attention_function))
    return fused_attention if function is attention else function


class ByteDropout(nn.Dropout):
    """Dropout that on the CPU decides each entry by one random byte, which rounds p to a multiple of 1/256.

    Otherwise as `nn.Dropout`; drawing a random float for each entry took a fifth of a training step.

    Parameters
    ----------
    p : float
        Probability, 0 ≤ p < 1, with which an entry becomes zero in training; the others grow by 1 / (1 − p).

    Raises
    ------
    ValueError
        If p is no such probability.

    Notes
    -----
    Srivastava et al. (2014); Vaswani et al. (2017), section 5.4, for where it stands in a Transformer.

    Examples
    --------
    >>> ByteDropout(0.5).eval()(torch.ones(3)).tolist()
    [1.0, 1.0, 1.0]
    >>> sorted(set(ByteDropout(0.5)(torch.ones(100)).tolist()))
    [0.0, 2.0]
    """

    def __init__(self, p: float) -> None:
        if not 0 <= p < 1:
            raise ValueError(f"p: expected a probability of at least 0 and less than 1, not {p}")
        super().__init__(p)

    def forward(self, x: Tensor) -> Tensor:
        """Return `x`, of any shape, with some entries dropped if in training."""
        if not self.training or self.p == 0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        n_dropped = min(round(256 * self.p), 255)  # of the 256 values that a byte can have
        eights = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
        bytes_ = eights.view(torch.uint8)[: x.numel()].view(x.shape)
        kept = (bytes_ >= n_dropped).to(x.dtype)
        return x * kept.mul_(256 / (256 - n_dropped))


BLOCK = 64  # columns that `largest` looks at together
LEAST = 16_000  # entries for which that pays


def largest(x: Tensor, k: int = 1) -> tuple[Tensor, Tensor]:
    """Find the k largest entries of each row, largest first, and their columns: `x.topk(k)`, several times faster.

    The k largest lie in those k blocks of columns whose largest entries are largest, so after a quick look at every
    block only these are sorted, and what is left over behind the last whole block.

    Parameters
    ----------
    x : Tensor
        Shape (B, n).
    k : int
        At most n.

    Returns
    -------
    values, columns : Tensor
        Shape (B, k). Which of equal entries come first is not said.

    Examples
    --------
    >>> values, columns = largest(torch.arange(1000.0).unsqueeze(0), k=2)
    >>> values.tolist(), columns.tolist()
    ([[999.0, 998.0]], [[999, 998]])
    """
    n_blocks = x.shape[1] // BLOCK
    if n_blocks <= k or x.numel() < LEAST:
        return torch.max(x, dim=1, keepdim=True) if k == 1 else torch.topk(x, k)
    n = n_blocks * BLOCK
    blocks = x[:, :n].unflatten(1, (n_blocks, BLOCK))  # (B, n_blocks, BLOCK)
    best = blocks.amax(dim=2).topk(k).indices.unsqueeze(2)  # (B, k, 1)
    columns = (best * BLOCK + torch.arange(BLOCK, device=x.device)).flatten(1)  # (B, k·BLOCK)
    rest = torch.arange(n, x.shape[1], device=x.device).expand(len(x), -1)
    columns = torch.cat([columns, rest], dim=1)
    values, places = x.gather(1, columns).topk(k)
    return values, columns.gather(1, places)
