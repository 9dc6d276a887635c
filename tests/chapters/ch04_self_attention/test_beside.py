"""The table beside encoder–decoder attention says what is so, also of layers that are not as the chapter says."""

import torch
from torch import nn

from course_lib.chapters.ch04_self_attention.beside import side_by_side


class Layer(nn.Module):
    """Attention whose keys may carry positions, which its class of layers does not."""

    def __init__(self, d, d_source, positions=False):
        super().__init__()
        self.W_Q = nn.Linear(d, 2, bias=False).double()
        self.W_K, self.W_V = (nn.Linear(d_source, 2, bias=False).double() for _ in range(2))
        self.positions = positions

    def forward(self, X, context=None):
        source = X if context is None else context
        if self.positions:
            source = source + torch.arange(len(source)).double()[:, None]
        weights = (self.W_Q(X) @ self.W_K(source).mT).softmax(-1)
        return weights @ self.W_V(source), weights


def table(**options):
    source = torch.randn(5, 4, generator=torch.Generator().manual_seed(0)).double()
    target = torch.randn(3, 6, generator=torch.Generator().manual_seed(1)).double()
    rows = side_by_side(Layer(4, 4, **options), Layer(6, 4, **options), source, target)
    return {name: (own, cross) for name, own, cross in rows}


def test_says_what_differs():
    rows = table()
    assert rows["weights"] == ("5 × 5", "3 × 5")
    assert rows["numbers to learn"] == (str(3 * 8), str(12 + 2 * 8))
    assert rows["change one source word: rows that change"] == (
        "1 query, 1 key, 1 value",
        "no query, 1 key, 1 value",
    )
    assert rows["reorder the source"] == ("outputs move along", "outputs stay")


def test_with_positions_reordering_is_seen_to_change_both():
    assert table(positions=True)["reorder the source"] == ("outputs change", "outputs change")
