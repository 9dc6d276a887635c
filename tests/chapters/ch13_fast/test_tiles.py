"""Attention in tiles against the plain formula, in double precision."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import functional
from course_lib.chapters.ch13_fast.tiles import WAYS, by_rows, in_tiles, running_sums


@given(st.integers(1, 40), st.integers(1, 45), st.floats(0.1, 300), st.integers(0, 2**32 - 1))
def test_the_last_tile_leaves_attention_s_output(n, tile, size, seed):
    rng = np.random.default_rng(seed)
    scores, values = size * rng.normal(size=n), rng.normal(size=(n, 3))
    steps = in_tiles(scores, values, tile)
    assert len(steps) == math.ceil(n / tile)
    assert np.abs(steps[-1].output - functional.softmax(scores) @ values).max() < 1e-10
    for i, step in enumerate(steps, 1):  # and each tile that of the keys read so far
        seen = scores[: i * tile]
        assert step.maximum == seen.max()
        assert step.total == pytest.approx(np.exp(seen - seen.max()).sum(), rel=1e-10)


def test_the_factor_is_what_a_larger_score_costs_the_earlier_ones():
    first, second, third = in_tiles([0.0, math.log(4), 1.0], np.eye(3), 1)
    assert (first.factor, second.factor, third.factor) == (0, pytest.approx(0.25), 1)


@pytest.mark.parametrize(
    ("scores", "values", "tile"), [([], np.empty((0, 2)), 1), ([1.0], np.eye(2), 1), ([1.0], [[1.0]], 0)]
)
def test_what_cannot_be_read_is_refused(scores, values, tile):
    with pytest.raises(ValueError, match=r"scores|tile"):
        in_tiles(scores, values, tile)


@pytest.mark.parametrize("size", [1, 200])
def test_all_ways_to_compute_attention_give_the_same(size):
    draw = torch.Generator().manual_seed(size)
    Q, K, V = (torch.randn(2, n, 8, generator=draw, dtype=torch.float64) for n in (70, 600, 600))
    exact = functional.attention(size * Q.numpy(), K.numpy(), V.numpy())[0]
    ways = [*WAYS.values(), lambda q, k, v: by_rows(q, k, v, 7), lambda q, k, v: running_sums(q, k, v, 9, 11)]
    for way in ways:
        assert np.abs(way(size * Q, K, V).numpy() - exact).max() < 1e-10
