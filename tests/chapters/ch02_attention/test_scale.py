"""What chapter 02 says about the size of scores, and what takes the explanation away."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch02_attention.scale import (
    DIVISORS,
    STARTS,
    EqualSteps,
    first_gradients,
    first_scores,
    gradient_sizes,
    learn,
    look_up,
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


@pytest.mark.share(2)
def test_the_start_decides_and_not_the_divisor():
    """With one learning rate for all, and with one that grows and shrinks with queries and keys."""
    found = {
        (divisor, start): learn(divisor, start=start, n_sets=4).found
        for divisor, start in [(1, 1.0), (16, 1.0), (256, 1.0), (1, 0.25), (16, 4.0)]
    }
    assert max(found[1, 1.0], found[16, 4.0]) < 0.4
    assert min(found[16, 1.0], found[256, 1.0], found[1, 0.25]) > 0.85
    assert learn(1, start=0.25, rate=0.0025, n_sets=4).found > 0.85
    assert learn(16, start=4.0, rate=0.04, n_sets=4).found < 0.4


def test_undivided_a_wider_query_is_stuck_more_often():
    narrow, wide = (learn(1, d_k=d_k, n_sets=6).found for d_k in (16, 512))
    assert wide + 0.1 < narrow < 0.75
    assert learn(512**0.5, d_k=512, n_sets=3).found > 0.85
    assert learn(16, d_k=16, n_sets=6).found >= learn(4, d_k=16, n_sets=6).found > wide


@pytest.mark.share(2)
def test_at_width_16_what_is_divided_is_late_and_most_of_what_is_not_is_stuck():
    divided, undivided = ([learn(c, d_k=16, n_sets=5, n_steps=n).found for n in (300, 3000)] for c in (4, 1))
    assert divided[0] < 0.9 < 0.95 < divided[1]
    assert undivided[1] < 0.7


def test_the_length_of_the_gradient_is_not_the_cause():
    def found(divisor):
        return learn(divisor, optimiser=EqualSteps, rate=0.05, n_sets=4).found

    assert found(1) < 0.4 < 0.85 < found(16)


def test_equal_steps_are_equally_long():
    x = torch.zeros(5, 3, 7, requires_grad=True)
    scale = torch.logspace(-12, 6, 5)[:, None, None]
    (x * scale * torch.randn(5, 3, 7, generator=torch.Generator().manual_seed(0))).sum().backward()
    EqualSteps([x], lr=0.3).step()
    torch.testing.assert_close(x.detach().norm(dim=-1), torch.full((5, 3), 0.3))


def test_pulls_that_are_written_out_are_those_of_autograd():
    """A step of gradient descent is the one that autograd takes."""
    generator = torch.Generator().manual_seed(0)
    Q, K, V = (torch.randn(2, 16, width, generator=generator) for width in (4, 4, 8))
    Q.requires_grad_()
    K.requires_grad_()
    stepper = torch.optim.SGD([Q, K], lr=0.1)
    for expected in learn(2.0, d_k=4, n_sets=2, n_steps=4, rate=0.1, optimiser=torch.optim.SGD).loss.T:
        loss = (torch.softmax(Q @ K.mT / 2, dim=-1) @ V - V).square()
        np.testing.assert_allclose(loss.detach().mean(dim=(-2, -1)), expected, rtol=1e-4)
        stepper.zero_grad()
        loss.sum().backward()
        stepper.step()


@pytest.mark.share(2)
def test_a_key_without_weight_has_no_pull_and_that_is_the_cause():
    """Only gradients are changed, without a word on which key is right: weights and outputs are as before."""
    for start in ({"divisor": 1}, {"divisor": 16, "lead": -10}):
        plain, raised, wrong, own = (
            learn(**start, **change, n_sets=4)
            for change in ({}, {"floor": 1 / 16}, *({"floor": 1 / 16, "only": i} for i in (1, 0)))
        )
        assert max(plain.found, wrong.found) < 0.3
        assert min(raised.found, own.found) > 0.9
        for other in (raised, wrong, own):
            np.testing.assert_array_equal(other.on_own[..., 0], plain.on_own[..., 0])
        assert raised.part.min() > plain.part.min()


def test_the_same_weight_is_found_more_often_where_its_part_of_the_pull_is_larger():
    hard, scaled = (learn(c, lead=lead, n_sets=6) for c, lead in ((1, -11.4), (16, -10)))
    assert np.median(hard.on_own[..., 0]) == pytest.approx(np.median(scaled.on_own[..., 0]), rel=0.1)
    assert scaled.found < 0.05 < 0.35 < hard.found < 0.75
    assert scaled.part.max() < 2e-3
    ends = hard.on_own[..., -1] > 0.5
    assert ends[hard.part < 1e-3].mean() < 0.3
    assert ends[hard.part > 0.3].mean() > 0.9


def test_larger_steps_do_not_find_what_has_no_part_of_the_pull():
    for rate in (0.04, 0.16):
        assert learn(16, lead=-10, rate=rate, n_sets=4).found < 0.05


def test_the_first_gradients_are_those_of_the_loss_that_is_learned():
    """A small step along the gradient lowers the loss by at least what the queries' part of it says."""
    rate = 1e-4
    loss = learn(2.0, d_k=4, n_sets=2, n_steps=2, rate=rate, optimiser=torch.optim.SGD).loss
    fall = 16 * 8 * (loss[:, 0] - loss[:, 1])  # of the sum over 16 outputs of 8 entries
    squares = (first_gradients(2.0, 4, n_sets=2).reshape(2, 16) ** 2).sum(axis=1)
    assert (rate * squares < fall).all()
    assert (fall < 4 * rate * squares).all()  # keys have a gradient, too


def test_where_the_own_key_starts_without_weight_it_is_not_found():
    on_own = learn(1, n_sets=10).on_own
    first, found = on_own[..., 0], on_own[..., -1] > 0.5
    assert found[first < 1e-6].mean() < 0.05
    assert found[first > 0.1].mean() > 0.9


def test_the_lead_of_the_own_key_at_the_start_decides():
    """Only its score is changed: large scores learn, and divided ones do not."""
    level = learn(1, lead=0, n_sets=4)
    np.testing.assert_allclose(level.on_own[..., 0].max(), 0.5, atol=0.02)
    assert level.found > 0.95
    assert learn(16, start=4, lead=0, n_sets=4).found > 0.95
    assert learn(16, lead=-10, n_sets=4).found < 0.05


def test_a_lead_leaves_all_other_scores_as_they_are():
    changed = learn(1.0, lead=-5, n_sets=2, n_steps=1).on_own[..., 0]
    plain = learn(1.0, n_sets=2, n_steps=1).on_own[..., 0]
    assert changed.shape == plain.shape == (2, 16)
    assert (changed <= 1 / (1 + np.exp(5)) + 1e-3).all()


@pytest.mark.share(2)
def test_a_soft_start_is_slow_and_then_no_worse():
    root, width = (learn(c, n_sets=4, n_steps=1000) for c in (16, 256))
    assert width.on_own[..., 100].mean() < 0.5 < 0.8 < root.on_own[..., 100].mean()
    assert width.loss[:, -1].mean() < 0.01


def test_plain_gradient_descent_needs_a_larger_step_where_scores_are_small():
    def right(divisor, rate):
        return learn(divisor, rate=rate, optimiser=torch.optim.SGD, n_sets=4).found

    assert right(16, 1.0) > right(256, 1.0) + 0.05
    assert right(256, 10.0) > right(16, 10.0) + 0.3


@pytest.mark.share(2)
def test_neither_patience_nor_another_rate_helps_a_hard_start():
    assert learn(1, n_steps=1500, n_sets=3).found < 0.4
    for rate in (0.001, 0.1):
        assert learn(1, rate=rate, n_sets=3).found < 0.4
    assert learn(1, rate=0.1, optimiser=torch.optim.SGD, n_sets=3).found < 0.4


@pytest.mark.share(2)
def test_where_layers_make_queries_and_keys_the_cause_is_the_same():
    settings = {"layers": True, "rate": 5e-4, "n_sets": 20}
    plain = learn(1, n_sets=20, n_steps=1).on_own
    np.testing.assert_array_equal(learn(1, n_steps=1, **settings).on_own, plain)  # the same start
    assert learn(1, **settings).found < 0.3
    assert learn(1, floor=1 / 16, **settings).found > 0.95
    assert learn(16, **settings).found > 0.9


@pytest.mark.share(2)
def test_one_vector_for_key_and_value_needs_room_for_both():
    assert look_up(4, shared=False) < 0.06
    assert look_up(4, shared=True) > 0.6
    assert look_up(8, shared=True) < 0.06
