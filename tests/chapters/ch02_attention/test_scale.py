"""What chapter 02 says about the size of scores, and what takes the explanation away."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch02_attention.scale import (
    DIVISORS,
    STARTS,
    first_gradients,
    first_scores,
    gradient_sizes,
    learn,
    random_scores,
    softmax_jacobian,
)


@pytest.mark.parametrize("d_k", [16, 256])
def test_variance_needs_no_bell_curve_and_products_that_do_not_move_together(d_k):
    for entries, expected in {"normal": d_k, "signs": d_k, "equal query": d_k, "equal": d_k**2}.items():
        assert random_scores(d_k, entries=entries)[0].var() == pytest.approx(expected, rel=0.15), entries
    with pytest.raises(ValueError, match="entries is 'cards'"):
        random_scores(d_k, entries="cards")


def test_the_jacobian_and_the_gradient_are_those_of_autograd():
    dots, keys = random_scores(5, n=3)
    for divisor in (1.0, 5**0.5):
        for row, K, size in zip(dots, keys, gradient_sizes(dots, keys, divisor), strict=True):
            scores = torch.tensor(row / divisor)
            automatic = torch.autograd.functional.jacobian(lambda s: s.softmax(0), scores).numpy()
            np.testing.assert_allclose(softmax_jacobian(row / divisor), automatic, atol=1e-12)
            assert size == pytest.approx(np.linalg.norm(automatic @ K / divisor))


def test_only_the_root_keeps_the_median_gradient_level():
    sizes = {name: [] for name in DIVISORS}
    for d_k in (4, 1024):
        dots, keys = random_scores(d_k)
        for name, divisor in DIVISORS.items():
            sizes[name].append(np.median(gradient_sizes(dots, keys, divisor(d_k))))
    ratios = {name: last / first for name, (first, last) in sizes.items()}
    assert ratios["not divided"] < 1e-2
    assert 0.8 < ratios["÷ √dₖ"] < 1.25
    assert ratios["÷ dₖ"] < 0.1


def test_where_a_lead_is_taken_away_the_gradient_comes_back():
    dots, keys = random_scores(1024)
    still = gradient_sizes(dots, keys, 1.0) < 0.01
    tied = dots[still].copy()
    tied[np.arange(len(tied)), tied.argsort(axis=1)[:, -2]] = tied.max(axis=1)
    assert still.mean() > 0.5
    assert np.median(gradient_sizes(tied, keys[still], 1.0)) > 1


@pytest.mark.parametrize(
    ("name", "variance"), [("nn.Linear", 1 / 9), ("nn.MultiheadAttention", 1 / 4), ("Glorot", 1)]
)
def test_scores_start_equally_large_at_every_width_and_not_equally_in_every_layer(name, variance):
    for d in (64, 256):
        assert first_scores(d, STARTS[name]).var() == pytest.approx(variance, rel=0.2)


def test_the_start_decides_and_not_the_divisor():
    """The learning rate is the same in all; so none of them is another one in other units."""
    found = {
        (divisor, start): learn(divisor, start=start, n_sets=4).found
        for divisor, start in [(1, 1.0), (16, 1.0), (256, 1.0), (1, 0.25), (16, 4.0)]
    }
    assert max(found[1, 1.0], found[16, 4.0]) < 0.4
    assert min(found[16, 1.0], found[256, 1.0], found[1, 0.25]) > 0.85


def test_a_long_gradient_does_not_predict_training():
    undivided, scaled, soft = (np.median(first_gradients(c, 256)) for c in (1, 16, 256))
    assert 3 * soft < undivided < scaled
    assert learn(1, n_sets=4).found < 0.4 < 0.85 < learn(256, n_sets=4).found


def test_the_first_gradients_are_those_of_the_loss_that_is_learned():
    """A small step along the gradient lowers the loss by at least what the queries' part of it says."""
    rate = 1e-4
    loss = learn(2.0, d_k=4, n_sets=2, n_steps=2, rate=rate, optimiser=torch.optim.SGD).loss
    fall = 16 * 8 * (loss[:, 0] - loss[:, 1])  # of the sum over 16 outputs of 8 entries
    squares = (first_gradients(2.0, 4, n_sets=2).reshape(2, 16) ** 2).sum(axis=1)
    assert (rate * squares < fall).all()
    assert (fall < 4 * rate * squares).all()  # keys have a gradient, too


def test_where_the_right_key_starts_without_weight_it_is_not_found():
    on_right = learn(1, n_sets=10).on_right
    first, found = on_right[..., 0], on_right[..., -1] > 0.5
    assert found[first < 1e-6].mean() < 0.05
    assert found[first > 0.1].mean() > 0.9


def test_the_weight_of_the_right_key_at_the_start_is_the_cause():
    """Only its score is changed: large scores learn, and divided ones do not."""
    level = learn(1, lead=0, n_sets=4)
    np.testing.assert_allclose(level.on_right[..., 0].max(), 0.5, atol=0.02)
    assert level.found > 0.95
    assert learn(16, start=4, lead=0, n_sets=4).found > 0.95
    assert learn(16, lead=-10, n_sets=4).found < 0.05


def test_a_lead_leaves_all_other_scores_as_they_are():
    changed = learn(1.0, lead=-5, n_sets=2, n_steps=1).on_right[..., 0]
    plain = learn(1.0, n_sets=2, n_steps=1).on_right[..., 0]
    assert changed.shape == plain.shape == (2, 16)
    assert (changed <= 1 / (1 + np.exp(5)) + 1e-3).all()


def test_a_soft_start_is_slow_and_then_no_worse():
    root, width = (learn(c, n_sets=4, n_steps=1000) for c in (16, 256))
    assert width.on_right[..., 100].mean() < 0.5 < 0.8 < root.on_right[..., 100].mean()
    assert width.loss[:, -1].mean() < 0.01


def test_plain_gradient_descent_needs_a_larger_step_where_scores_are_small():
    def right(divisor, rate):
        return learn(divisor, rate=rate, optimiser=torch.optim.SGD, n_sets=4).found

    assert right(16, 1.0) > right(256, 1.0) + 0.05
    assert right(256, 10.0) > right(16, 10.0) + 0.3


def test_neither_patience_nor_another_rate_helps_a_hard_start():
    assert learn(1, n_steps=1500, n_sets=3).found < 0.4
    for rate in (0.001, 0.1):
        assert learn(1, rate=rate, n_sets=3).found < 0.4
    assert learn(1, rate=0.1, optimiser=torch.optim.SGD, n_sets=3).found < 0.4
