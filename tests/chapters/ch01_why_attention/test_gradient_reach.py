"""Gradients through recurrent networks, against the closed form of one that is almost linear."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch01_why_attention.gradient_reach import gradient_norms
from course_lib.chapters.fit import seeded

DISTANCES = [0, 1, 5, 20]


def by_products_of_jacobians(distance: int, d: int, seed: int, scale: float) -> float:
    """‖r · ∏ diag(1 − h²) U · W‖ of a plain RNN for a batch of one, multiplied out by hand."""
    with seeded(seed):
        rnn = torch.nn.RNN(d, d, batch_first=True)
    W, U, b_1, b_2 = (p.detach().double().numpy() for p in rnn.parameters())
    U = U * scale
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(1, max(DISTANCES) + 10, d, generator=generator)[0].double().numpy()
    row = torch.randn(1, d, generator=generator)[0].double().numpy()
    states = [np.zeros(d)]
    for x_t in x:
        states.append(np.tanh(W @ x_t + U @ states[-1] + b_1 + b_2))
    for k in range(distance):
        row = (row * (1 - states[-1 - k] ** 2)) @ U
    return float(np.linalg.norm((row * (1 - states[-1 - distance] ** 2)) @ W))


@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_rnn_equals_the_product_of_its_jacobians(scale):
    measured = gradient_norms("RNN", DISTANCES, scale=scale, d=8, batch=1, seed=3)
    expected = [by_products_of_jacobians(k, 8, 3, scale) for k in DISTANCES]
    np.testing.assert_allclose(measured, expected, rtol=1e-3)


@pytest.mark.parametrize("cell", ["LSTM", "GRU"])
def test_a_gate_held_open_lets_the_gradient_through_and_a_shut_one_does_not(cell):
    shut, start, opened = (gradient_norms(cell, [1, 40], keep=keep) for keep in (-6, 0, 6))
    assert opened[1] > 0.1 * opened[0]
    assert start[1] < 1e-5 * start[0]
    assert shut[1] <= start[1]


def test_same_seed_same_numbers_and_the_global_state_is_left_alone():
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first = gradient_norms("GRU", [3], seed=1)
    assert torch.equal(torch.rand(1), expected)
    np.testing.assert_array_equal(first, gradient_norms("GRU", [3], seed=1))
    assert first != gradient_norms("GRU", [3], seed=2)


def test_distances_may_come_in_any_order():
    np.testing.assert_allclose(
        gradient_norms("LSTM", [5, 0, 5, 20])[[1, 0, 3]], gradient_norms("LSTM", [0, 5, 20])
    )


@pytest.mark.parametrize(
    ("cell", "where", "keep", "told"),
    [("CNN", [1], 0, "cell is 'CNN'"), ("RNN", [-1], 0, r"distances \[-1\]"), ("RNN", [], 0, "at least one"),
     ("RNN", [1], 3, "no gate"), ("attention", [1], 3, "no gate")],
)  # fmt: skip
def test_what_makes_no_sense_is_named(cell, where, keep, told):
    with pytest.raises(ValueError, match=told):
        gradient_norms(cell, where, keep=keep)


def test_attention_has_no_recurrent_weights_to_scale():
    with pytest.raises(ValueError, match="no recurrent weights"):
        gradient_norms("attention", [1], scale=2)


def test_through_attention_as_much_arrives_from_far_as_from_near():
    near, far = np.median([gradient_norms("attention", [1, 40], seed=s) for s in range(5)], axis=0)
    assert 0.5 < far / near < 2


def test_with_even_gates_and_no_other_way_the_product_of_the_gates_arrives():
    for keep in (0, 3):
        gate = 1 / (1 + np.exp(-keep))
        near, far = gradient_norms("LSTM", [10, 40], keep=keep, scale=0, even=True)
        assert 0.5 < far / near / gate**30 < 2
        assert gradient_norms("LSTM", [40], keep=keep)[0] > far


def test_the_last_word_leads_by_the_path_through_its_query():
    whole, cut = (
        np.median([gradient_norms("attention", [0, 1, 40], asks=asks, seed=s) for s in range(5)], axis=0)
        for asks in (True, False)
    )
    assert whole[1] / whole[0] < 0.4 < 0.8 < cut[1] / cut[0] < 1.2
    assert cut[1] == pytest.approx(whole[1])


def test_in_a_longer_sentence_one_word_counts_for_less():
    short, long = (
        np.median([gradient_norms("attention", [20, far], seed=s)[0] for s in range(5)]) for far in (40, 190)
    )  # 50 and 200 words
    assert 0.2 < long / short < 0.35


def test_a_bag_passes_on_the_same_from_every_word():
    near, far = gradient_norms("bag", [0, 40])
    assert near == pytest.approx(far)
    with pytest.raises(ValueError, match="bag has no recurrent weights"):
        gradient_norms("bag", [1], scale=2)
