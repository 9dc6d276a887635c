"""Stored pairs and the memories that recall them."""

import pytest
import torch

from course_lib.chapters.ch01_why_attention.pair_recall import (
    N_KEYS,
    N_VALUES,
    AttentionMemory,
    BagMemory,
    GRUMemory,
    draw_pairs,
    recall,
    train_longer,
    trained,
)
from course_lib.chapters.fit import seeded


@pytest.mark.parametrize("n", [1, 5, N_KEYS])
def test_keys_of_a_list_differ_and_values_are_in_range(n):
    keys, values = draw_pairs(50, n, torch.Generator().manual_seed(1))
    assert keys.shape == values.shape == (50, n)
    assert all(len(set(row.tolist())) == n for row in keys)
    assert set(values.unique().tolist()) <= set(range(N_VALUES))
    assert set(keys.unique().tolist()) <= set(range(N_KEYS))


@pytest.mark.parametrize("n", [0, N_KEYS + 1])
def test_a_list_that_cannot_be_drawn_is_refused(n):
    with pytest.raises(ValueError, match=f"n is {n}"):
        draw_pairs(2, n, torch.Generator())


def test_a_bag_has_no_order():
    keys, values = draw_pairs(6, 5, torch.Generator().manual_seed(2))
    model, order = BagMemory(4), torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(model(keys[:, order], values[:, order]), model(keys, values)[:, order])


@pytest.mark.parametrize("build", [GRUMemory, AttentionMemory])
def test_the_answer_for_a_key_is_its_own_wherever_it_is_asked(build):
    """A GRU's read-out and attention's query belong to the key; asked in another order, answers move along."""
    keys, values = draw_pairs(6, 5, torch.Generator().manual_seed(2))
    model = build(8)
    answers = model(keys, values)
    assert answers.shape == (6, 5, N_VALUES)
    if build is AttentionMemory:  # it has no order, a GRU has
        order = torch.tensor([3, 0, 4, 1, 2])
        torch.testing.assert_close(model(keys[:, order], values[:, order]), answers[:, order])
    else:
        one = model.read(model.recurrent(_pairs(keys, values))[1][0]).view(6, N_KEYS, N_VALUES)
        torch.testing.assert_close(answers[2, 3], one[2, keys[2, 3]])


def test_a_bag_with_an_entry_for_each_pair_stores_every_list():
    bag = BagMemory(N_KEYS * N_VALUES)
    with torch.no_grad():
        bag.pairs.weight.copy_(torch.eye(N_KEYS * N_VALUES))
        bag.read.weight.copy_(torch.eye(N_KEYS * N_VALUES))
        bag.read.bias.zero_()
    assert [recall(bag, n) for n in (1, 7, N_KEYS)] == [1, 1, 1]


def test_side_by_side_each_learns_as_alone():
    rates = (1e-2, 3e-2)
    together = train_longer(3, rates)
    for rate, model in zip(rates, together, strict=True):
        with seeded(0):
            alone = GRUMemory(4)
        optimiser = torch.optim.Adam(alone.parameters(), lr=rate)
        generator = torch.Generator().manual_seed(0)
        for _ in range(3):
            n = int(torch.randint(1, N_KEYS + 1, (), generator=generator))
            keys, values = draw_pairs(64, n, generator)
            loss = torch.nn.functional.cross_entropy(alone(keys, values).flatten(0, 1), values.flatten())
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        for mine, theirs in zip(model.parameters(), alone.parameters(), strict=True):
            torch.testing.assert_close(mine, theirs, atol=1e-5, rtol=1e-4)


def _pairs(keys, values):
    pairs = torch.zeros(*keys.shape, N_KEYS * N_VALUES)
    for b in range(len(keys)):
        for i in range(keys.shape[1]):
            pairs[b, i, keys[b, i] * N_VALUES + values[b, i]] = 1
    return pairs


def test_recall_of_an_oracle_is_one_and_of_a_constant_is_chance():
    class Oracle(torch.nn.Module):
        def forward(self, keys, values):
            return torch.nn.functional.one_hot(values, N_VALUES)

    class Constant(torch.nn.Module):
        def forward(self, keys, values):
            return torch.eye(N_VALUES)[torch.zeros_like(values)]

    assert recall(Oracle(), 7) == 1
    assert 0.2 < recall(Constant(), 8) < 0.3


def test_a_small_state_is_a_bottleneck_and_attention_has_none():
    small = trained(lambda: GRUMemory(3), steps=150, seed=1)
    attention = trained(lambda: AttentionMemory(8), steps=150, seed=1)
    assert recall(small, 16) < 0.5 < recall(small, 1)
    assert recall(attention, 16) > 0.9
