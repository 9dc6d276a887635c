"""The four read-outs: what the proofs say holds of them whatever their weights, and what training finds."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters.ch07_feed_forward import not_happy
from course_lib.chapters.fit import fit, seeded

SIGN = np.where(not_happy.POSITIVE, 1, -1)


def untrained(way: not_happy.Way, n_seeds: int = 500, scale: float = 3.0) -> not_happy.ReadOut:
    """Read-outs with weights of many sizes."""
    with seeded(1):
        model = not_happy.ReadOut(way, n_seeds).double()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(scale).add_(torch.randn_like(parameter))
    return model


def logits(model: not_happy.ReadOut) -> np.ndarray:
    with torch.no_grad():
        return model()[0].numpy()


@pytest.mark.parametrize("way", ["fixed weights", "one fixed query"])
def test_no_weights_let_the_first_two_get_four_right(way):
    n_right = ((logits(untrained(way)) > 0) == not_happy.POSITIVE).sum(axis=1)
    assert n_right.max() == 3  # reached, and not exceeded


@pytest.mark.parametrize("way", ["self-attention", "fixed query + FFN"])
def test_some_weights_let_the_other_two(way):
    n_right = ((logits(untrained(way, 5000)) > 0) == not_happy.POSITIVE).sum(axis=1)
    assert n_right.max() == 4


def test_fixed_weights_keep_the_identity_and_the_floor_of_the_proof():
    r = logits(untrained("fixed weights"))
    np.testing.assert_allclose(r[:, 0] + r[:, 3], r[:, 1] + r[:, 2], rtol=1e-9, atol=1e-9)
    assert np.logaddexp(0, -SIGN * r).mean(axis=1).min() >= np.log(2)


def test_one_fixed_query_keeps_its_floor():
    loss = np.logaddexp(0, -SIGN * logits(untrained("one fixed query", 5000))).mean(axis=1)
    assert np.log(2) / 2 <= loss.min() < np.log(2)


def test_the_vectors_are_those_that_are_read_and_follow_the_formula():
    model = untrained("one fixed query", n_seeds=2)
    r, outputs = model()
    torch.testing.assert_close((outputs @ model.read)[..., 0] + model.bias, r)
    words = [*not_happy.MODIFIERS, *not_happy.ADJECTIVES]
    for seed in range(2):
        for i, phrase in enumerate(not_happy.PHRASES):  # one at a time, with PyTorch's own attention
            x = torch.stack([model.embedding[seed, words.index(word)] for word in phrase])
            expected = nn.functional.scaled_dot_product_attention(
                model.query[seed][None], (x @ model.W_K[seed])[None], (x @ model.W_V[seed])[None]
            )
            torch.testing.assert_close(outputs[seed, i], expected[0, 0])


def test_the_query_of_self_attention_comes_from_the_adjective():
    model = untrained("self-attention", n_seeds=1)
    words = torch.tensor([[0, 2]])  # not happy
    x = model.embedding[0, words[0]]
    expected = nn.functional.scaled_dot_product_attention(
        (x[1:] @ model.W_Q[0])[None], (x @ model.W_K[0])[None], (x @ model.W_V[0])[None]
    )
    torch.testing.assert_close(model()[1][0, 0], expected[0, 0])


def test_training_reaches_the_floors_or_zero():
    best = {way: not_happy.train(way) for way in not_happy.WAYS}
    losses = {way: result.losses.min() for way, result in best.items()}
    assert losses["fixed weights"] == pytest.approx(np.log(2), abs=1e-4)
    assert losses["one fixed query"] == pytest.approx(np.log(2) / 2, abs=1e-2)
    for way in ("self-attention", "fixed query + FFN"):
        assert losses[way] < 1e-3
        assert best[way].n_right[best[way].best] == 4
        assert (best[way].n_right == 4).mean() >= 0.2


def test_seeds_trained_side_by_side_learn_as_if_alone():
    with seeded(0):
        together = not_happy.ReadOut("self-attention", 200)  # their common gradient is large
    alone = not_happy.ReadOut("self-attention", 1)
    with torch.no_grad():
        for mine, all_of_them in zip(alone.parameters(), together.parameters(), strict=True):
            mine.copy_(all_of_them[1:2])
    target = torch.from_numpy(not_happy.POSITIVE).float().expand(1, -1)
    fit(
        alone,
        lambda _: nn.functional.binary_cross_entropy_with_logits(alone()[0], target),
        range(30),
        learning_rate=0.03,
        clip=None,
    )
    trained = not_happy.train("self-attention", n_seeds=200, n_steps=30)
    with torch.no_grad():
        probability = torch.sigmoid(alone()[0]).numpy()
    np.testing.assert_allclose(trained.probabilities[1], probability[0], atol=1e-5)


def test_what_is_undecided_is_not_right():
    probabilities = np.array([[0.05, 0.95, 0.55, 0.45], [0.95, 0.05, 0.7, 0.3]])
    result = not_happy.Trained(probabilities, np.zeros((2, 4, 2)), np.array([0.5, 0.2]))
    assert result.n_right.tolist() == [2, 2]
    assert result.best == 1


def test_refuses_a_way_that_it_does_not_know():
    with pytest.raises(ValueError, match="way is 'two queries': expected one of"):
        not_happy.ReadOut("two queries", 1)
