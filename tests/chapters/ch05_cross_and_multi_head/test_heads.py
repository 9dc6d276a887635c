"""Heads that take a difference: the task by loops, the floor of one head, and PyTorch's own layer."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from course_lib.chapters.ch05_cross_and_multi_head import heads
from course_lib.chapters.ch05_cross_and_multi_head.heads import TOWNS, Comparison, questions
from course_lib.chapters.fit import seeded
from course_lib.model import MultiHeadAttention
from tests.support.compare import assert_close


def some(n: int = 30, seed: int = 0) -> heads.Questions:
    return questions(torch.Generator().manual_seed(seed), n)


def untrained(n_heads: int, seed: int = 0, d_v: int = 1) -> Comparison:
    with seeded(seed):
        return Comparison(n_heads, d_v=d_v)


def test_the_answer_is_the_difference_of_the_two_temperatures():
    batch = some()
    for names, degrees, asked, answer in zip(*batch, batch.answer, strict=True):
        lookup = dict(zip(names.tolist(), degrees.tolist(), strict=True))
        assert sorted(lookup) == list(range(len(TOWNS)))
        first, second = asked.tolist()
        assert first != second
        assert float(answer) == pytest.approx(lookup[first] - lookup[second], abs=1e-6)


def test_the_weights_do_not_depend_on_the_temperatures_and_the_answer_is_linear_in_them():
    batch, model = some(), untrained(3, d_v=2)
    other = batch._replace(temperatures=batch.temperatures.flip(0))
    both = batch._replace(temperatures=batch.temperatures + other.temperatures)
    none = batch._replace(temperatures=torch.zeros_like(batch.temperatures))
    assert torch.equal(model(batch)[1], model(other)[1])
    a, b, ab, zero = (model(x)[0] for x in (batch, other, both, none))
    torch.testing.assert_close(ab - zero, a - zero + b - zero)


@pytest.mark.parametrize("d_v", [1, 3])
def test_the_answer_is_the_sum_of_each_heads_average_times_its_factor(d_v):
    model = untrained(4, seed=3, d_v=d_v)
    degrees = [0.5, 1.2, 2.0, -1.5, 0.1, 1.8]
    told = heads.answer(model, degrees, "Rome", "Cork")
    zero = heads.answer(model, [0.0] * 6, "Rome", "Cork")
    assert told.offset == pytest.approx(zero.total, abs=1e-5)
    assert told.total == pytest.approx(told.factors @ (told.weights @ degrees) + zero.total, abs=1e-5)
    asked = torch.tensor([[TOWNS.index("Rome"), TOWNS.index("Cork")]])
    direct = model(heads.Questions(torch.arange(6)[None], torch.tensor([degrees]), asked))[0]
    assert told.total == pytest.approx(direct.item(), abs=1e-6)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 8), st.floats(-3, 3))
def test_no_single_head_gets_below_one(seed, d_v, factor):
    model = untrained(1, seed, d_v)
    with torch.no_grad():  # any factor, and weights as sharp as one likes
        model.attention.W_O.weight *= factor
        model.attention.W_Q.weight *= 20
    assert heads.squared_error(model) > 0.93


def test_one_trained_head_ends_at_the_floor_and_two_can_reach_zero():
    assert 0.95 < heads.squared_error(heads.train_comparison(1, 0, range(250))) < 1.1
    found = {seed: heads.train_comparison(2, seed, range(250)) for seed in (2, 3)}
    best = min(found.values(), key=heads.squared_error)
    assert heads.squared_error(best) < 0.05
    assert sorted(heads.looks_at(best).argmax(1)) == [0, 1]
    assert float(best.factors().prod()) < 0


def test_what_the_heads_look_at_by_a_loop():
    model, batch = untrained(2), some(1000, seed=5)
    weights = model(batch)[1]
    sums = torch.zeros(2, 2)
    for names, asked, row in zip(batch.names.tolist(), batch.asked.tolist(), weights, strict=True):
        for role in (0, 1):
            sums[:, role] += row[:, names.index(asked[role])].detach()
    torch.testing.assert_close(torch.tensor(heads.looks_at(model)).float(), sums / 1000, rtol=1e-4, atol=0)


def test_refuses_unknown_towns_and_too_few_temperatures():
    with pytest.raises(ValueError, match="second is 'Atlantis'"):
        heads.answer(untrained(1), [0.0] * 6, "Rome", "Atlantis")
    with pytest.raises(ValueError, match="one for each of 6 towns, not 2"):
        heads.answer(untrained(1), [0.0, 1.0], "Rome", "Oslo")


@settings(max_examples=40, deadline=None)
@given(
    d=st.integers(1, 6),
    h=st.integers(1, 3),
    d_k=st.integers(1, 5),
    d_v=st.integers(1, 5),
    bias=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_a_layer_of_any_widths_lives_inside_pytorchs_padded_one(d, h, d_k, d_v, bias, seed):
    with seeded(seed):
        layer = MultiHeadAttention(d, h, d_k, d_v, bias=bias).double()
    x = torch.randn(2, 4, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    theirs = heads.padded_pytorch(layer)
    padded = F.pad(x, (0, theirs.embed_dim - d))
    output, weights = theirs(padded, padded, padded, average_attn_weights=False)
    expected, expected_weights = layer(x)
    assert_close(output[..., :d], expected)
    assert_close(weights, expected_weights)
    assert not output[..., d:].any()
