"""Self-attention beside encoder–decoder attention: a table in which every entry is measured on two built layers."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


def side_by_side(own: Any, cross: Any, source: Tensor, target: Tensor) -> list[tuple[str, str, str]]:
    """Measure in what a self-attention of the source differs from an attention of the target to the source.

    Parameters
    ----------
    own : nn.Module
        Called as `own(source)`; returns output and weights, and has three `nn.Linear` called W_Q, W_K and W_V.
    cross : nn.Module
        Called as `cross(target, source)`; else as `own`.
    source : Tensor (L_s, d), float64
    target : Tensor (L_t, d_t), float64

    Returns
    -------
    list of (property, self-attention, encoder–decoder attention)

    Examples
    --------
    >>> from torch import nn
    >>> class Layer(nn.Module):
    ...     def __init__(self, d, d_source):
    ...         super().__init__()
    ...         self.W_Q, self.W_K, self.W_V = (nn.Linear(n, 2, bias=False).double() for n in (d, d_source, d_source))
    ...
    ...     def forward(self, X, context=None):
    ...         C = X if context is None else context
    ...         A = (self.W_Q(X) @ self.W_K(C).mT).softmax(-1)
    ...         return A @ self.W_V(C), A
    >>> source, target = torch.eye(3).double(), torch.ones(2, 4).double()
    >>> for row in side_by_side(Layer(3, 3), Layer(4, 3), source, target)[:2]:
    ...     print(*row, sep=" | ")
    weights | 3 × 3 | 2 × 3
    numbers to learn | 18 | 20
    """
    changed = source.clone()
    changed[1] += 1.0
    order = torch.arange(len(source)).roll(1)
    columns = []
    # who asks and who is asked, before and after the change, and with the source reordered
    cases = {
        own: ((source, changed), (source, changed), (source[order], None), None),
        cross: ((target, target), (source, changed), (target, source[order]), source),
    }
    for layer, (asks, asked, reordered, context) in cases.items():
        output, weights = layer(asks[0], context)
        moved = [_changed_rows(layer.W_Q, *asks), *(_changed_rows(W, *asked) for W in (layer.W_K, layer.W_V))]
        shuffled = layer(*reordered)[0]
        if torch.allclose(shuffled, output, atol=1e-10):
            effect = "outputs stay"
        elif context is None and torch.allclose(shuffled, output[order], atol=1e-10):
            effect = "outputs move along"
        else:
            effect = "outputs change"
        columns.append(
            [
                f"{weights.shape[-2]} × {weights.shape[-1]}",
                str(sum(parameter.numel() for parameter in layer.parameters())),
                f"{moved[0]} query, {moved[1]} key, {moved[2]} value".replace("0 query", "no query"),
                effect,
            ]
        )
    names = [
        "weights",
        "numbers to learn",
        "change one source word: rows that change",
        "reorder the source",
    ]
    return list(zip(names, *columns, strict=True))


def as_table(rows: Sequence[Sequence[str]], titles: Sequence[str]) -> str:
    """Write rows as a Markdown table.

    >>> print(as_table([("weights", "3 × 3", "2 × 3")], ("", "self", "cross")))
    |  | self | cross |
    |:--|:--|:--|
    | weights | 3 × 3 | 2 × 3 |
    """
    written = ["| " + " | ".join(line) + " |" for line in (titles, *rows)]
    return "\n".join([written[0], "|" + ":--|" * len(titles), *written[1:]])


def _changed_rows(project: Callable[[Tensor], Tensor], before: Tensor, after: Tensor) -> int:
    return int((project(before) != project(after)).any(-1).sum())
