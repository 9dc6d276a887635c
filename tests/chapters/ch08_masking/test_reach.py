"""What travels through a mask is what the gradients of real blocks say, and what paths by hand say."""

from itertools import pairwise, product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import functional
from course_lib.chapters.ch08_masking.reach import influence, known_after
from course_lib.chapters.fit import seeded
from course_lib.model import EncoderBlock

MASKS = {
    "causal": functional.causal_mask(5),
    "window": functional.window_mask(5, 1),
    "causal window": functional.window_mask(5, 1, causal=True),
    "causal and padding": functional.causal_mask(5) & functional.padding_mask([3], 5)[0],
    "strict": functional.causal_mask(5) & ~np.eye(5, dtype=bool),
    "any": np.random.default_rng(5).random((5, 5)) < 0.3,
}


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_known_is_what_the_gradients_of_real_blocks_reach(mask, layers):
    with seeded(0):
        blocks = [EncoderBlock(d_model=8, n_heads=2, d_ff=16) for _ in range(layers)]

    def through(x: torch.Tensor) -> torch.Tensor:
        for block in blocks:
            x, _ = block(x, torch.from_numpy(mask))
        return x

    x = torch.randn(1, 5, 8, generator=torch.Generator().manual_seed(0))
    np.testing.assert_array_equal(influence(through, x) > 0, known_after(mask, layers))


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_known_is_what_some_path_connects(length, layers, seed):
    mask = np.random.default_rng(seed).random((length, length)) < 0.4
    found = known_after(mask, layers)
    for i, j in product(range(length), repeat=2):
        ways = product(range(length), repeat=layers - 1)
        paths = ([i, *way, j] for way in ways)
        steps_of = (pairwise(path) for path in paths)
        assert found[i, j] == any(all(a == b or mask[a, b] for a, b in steps) for steps in steps_of)


def test_influence_is_the_largest_entry_of_each_derivative():
    weights = torch.tensor([[2.0, -3.0], [0.0, 0.5]])  # (outputs, inputs)

    def outputs(x: torch.Tensor) -> torch.Tensor:
        return weights @ x @ torch.tensor([[1.0, 0.0, -4.0], [0.0, 2.0, 0.0]])

    np.testing.assert_array_equal(influence(outputs, torch.ones(1, 2, 2)), 4 * weights.abs().numpy())


def test_refuses_what_is_no_mask():
    with pytest.raises(ValueError, match=r"mask \(2, 3\) of bool"):
        known_after(np.ones((2, 3), dtype=bool), 1)
    with pytest.raises(ValueError, match=r"mask \(2, 2\) of float64"):
        known_after(np.ones((2, 2)), 1)
    with pytest.raises(ValueError, match="layers is 0"):
        known_after(np.ones((2, 2), dtype=bool), 0)
