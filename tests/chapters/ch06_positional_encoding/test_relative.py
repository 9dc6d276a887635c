"""Ways to see the distance: by loops, by NumPy and as attention of a layer alike; and T5's buckets as published."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch06_positional_encoding import relative
from course_lib.chapters.ch06_positional_encoding.relative import (
    ALiBiAttention,
    ShawAttention,
    T5Attention,
    t5_bucket,
)
from course_lib.chapters.fit import seeded

Q, K, V = torch.randn(3, 2, 12, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def by_loops(score) -> torch.Tensor:
    scores = torch.zeros(2, 12, 12, dtype=torch.float64)
    for b in range(2):
        for i in range(12):
            for j in range(12):
                scores[b, i, j] = score(Q[b, i], K[b, j], i, j)
    return torch.softmax(scores, dim=-1)


def test_shaw_is_a_vector_for_each_distance():
    with seeded(0):
        layer = ShawAttention(6, furthest=3).double()

    def score(q, k, i, j):
        return q @ (k + layer.table[max(-3, min(3, j - i)) + 3]) / 6**0.5

    output, weights = layer(Q, K, V)
    torch.testing.assert_close(weights, by_loops(score))
    torch.testing.assert_close(output, weights @ V)


def test_t5_is_a_number_for_each_bucket():
    layer = T5Attention().double()
    torch.nn.init.normal_(layer.bias, generator=torch.Generator().manual_seed(1))

    def score(q, k, i, j):
        return q @ k / 6**0.5 + layer.bias[int(t5_bucket(j - i))]

    torch.testing.assert_close(layer(Q, K, V)[1], by_loops(score))


def test_alibi_falls_with_the_distance():
    def score(q, k, i, j):
        return q @ k / 6**0.5 - 0.5 * abs(i - j)

    torch.testing.assert_close(ALiBiAttention()(Q, K, V)[1], by_loops(score))


def test_a_mask_hides_keys():
    mask = torch.ones(12, 12, dtype=torch.bool).tril()
    _, weights = ALiBiAttention()(Q, K, V, mask)
    assert (weights[:, ~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 12, dtype=torch.float64))


def test_buckets_are_t5s():
    """As in the published code: one bucket each up to 7, then logarithmic up to 127; 128 and beyond share one."""
    found = t5_bucket(-np.arange(300))
    assert found[:8].tolist() == list(range(8))
    assert (np.diff(found) >= 0).all()
    assert found[[8, 15, 16, 127, 128, 299]].tolist() == [8, 9, 10, 15, 15, 15]
    assert (t5_bucket(np.arange(1, 300)) == t5_bucket(-np.arange(1, 300)) + 16).all()


@pytest.mark.parametrize("name", ["Shaw", "T5", "ALiBi"])
def test_numpy_and_layer_give_the_same(name):
    rng = np.random.default_rng(3)
    way = relative.ways(6, rng)[name]
    found = torch.softmax(torch.from_numpy(way.scores(Q[0].numpy(), K[0].numpy(), 5)), dim=-1)
    rng = np.random.default_rng(3)
    rng.standard_normal((512, 6))
    table, bias = rng.standard_normal((17, 6)), rng.standard_normal(32)
    layer = {"Shaw": ShawAttention(6), "T5": T5Attention(), "ALiBi": ALiBiAttention()}[name].double()
    if name != "ALiBi":
        next(layer.parameters()).data = torch.from_numpy(table if name == "Shaw" else bias)
    torch.testing.assert_close(layer(Q[0], K[0], V[0])[1], found)


def test_what_the_table_of_the_chapter_says():
    told = {name: row for name, *row in relative.compared()}
    for name, (moved, sides, n_learned) in told.items():
        assert (moved < 1e-12) == ("added" not in name)
        assert (sides < 1e-12) == (name == "ALiBi")
        assert n_learned == {"learned, added": 4096, "Shaw": 136, "T5": 32}.get(name, 0)
