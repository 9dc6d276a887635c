"""Label-smoothed cross-entropy in one pass over the vocabulary."""

from typing import Any

import torch
from torch import Tensor


class _SmoothedCrossEntropy(torch.autograd.Function):
    """Output projection, softmax and loss in one pass over the vocabulary, a block of rows at a time.

    The logits of a batch (N, n_vocab) are by far its largest tensor. PyTorch's own chain writes and reads it some
    ten times; here a block stays in the processor's cache, and its gradient is computed while it is there.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, smoothing: float, dtype: torch.dtype
    ) -> Tensor:
        n, n_vocab = len(hidden), len(weight)
        block = max(1, (2**20 if hidden.device.type == "cpu" else 2**27) // n_vocab)
        h, w = hidden.to(dtype), weight.to(dtype)
        mean_weight = weight.mean(dim=0)  # (d,): hidden·mean_weight is the mean of a row of logits
        total = -smoothing * (hidden @ mean_weight).sum()
        # d loss / d logits = softmax − p, with p = ε / n_vocab everywhere + (1 − ε) at the target. The part that
        # is the same everywhere needs no logits.
        grad_hidden = (-smoothing * mean_weight).repeat(n, 1)
        grad_weight = (-smoothing / n_vocab * hidden.sum(dim=0)).repeat(n_vocab, 1)
        for rows in torch.arange(n, device=hidden.device).split(block):
            here, target = h[rows], targets[rows].unsqueeze(1)  # (n, d), (n, 1)
            logits = here @ w.T  # (n, n_vocab)
            log_p = torch.log_softmax(logits, dim=1, dtype=hidden.dtype)
            at_target = log_p.gather(1, target)
            # −(1 − ε)·log_p at the target − ε·mean(log_p), and mean(log_p) = mean(logits) + log_p − logit anywhere
            total += (smoothing * logits.gather(1, target) - at_target).sum()
            grad = log_p.exp_()
            grad.scatter_add_(1, target, torch.full_like(at_target, smoothing - 1.0))
            grad = grad.to(dtype)
            grad_hidden[rows] += grad @ w
            grad_weight += grad.T @ here
        grad_hidden /= n
        grad_weight /= n
        ctx.save_for_backward(grad_hidden, grad_weight)
        return total / n

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        grad_hidden, grad_weight = ctx.saved_tensors
        return grads[0] * grad_hidden, grads[0] * grad_weight, None, None, None


def smoothed_cross_entropy(
    hidden: Tensor, weight: Tensor, targets: Tensor, smoothing: float = 0.0, dtype: torch.dtype | None = None
) -> Tensor:
    """Mean label-smoothed cross-entropy of softmax(hidden·weightᵀ), in nats.

    Equal to `F.cross_entropy(hidden @ weight.T, targets, label_smoothing=smoothing)`, without ever storing the
    logits of the whole batch.

    Parameters
    ----------
    hidden : Tensor
        Shape (N, d): the model's output at N real positions.
    weight : Tensor
        Shape (n_vocab, d): the output projection, as `nn.Linear` stores it.
    targets : Tensor
        Shape (N,), int64: the true tokens.
    smoothing : float
        ε of Szegedy et al. (2016): the target distribution is 1 − ε at the true token plus ε / n_vocab everywhere.
    dtype : torch.dtype, optional
        What the matrix products are computed in; the dtype of `hidden` where not given.

    Examples
    --------
    >>> import math
    >>> loss = smoothed_cross_entropy(torch.zeros(1, 2), torch.ones(4, 2), torch.tensor([3]))
    >>> round(loss.item(), 5), round(math.log(4), 5)
    (1.38629, 1.38629)
    """
    loss: Tensor = _SmoothedCrossEntropy.apply(hidden, weight, targets, smoothing, dtype or hidden.dtype)
    return loss
