"""The read-outs: what the proofs say holds of them whatever their weights, and what training finds."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters.ch07_feed_forward import not_happy
from course_lib.chapters.fit import fit, seeded
from course_lib.model import attention

SIGN = np.where(not_happy.POSITIVE, 1, -1)
CANNOT, CAN = (
    ["fixed weights", "one fixed query", "the same without max"],
    ["self-attention", "fixed query + network"],
)


def untrained(way: not_happy.Way, n_starts: int = 500, scale: float = 3.0) -> not_happy.ReadOut:
    """Read-outs with weights of many sizes."""
    with seeded(1):
        model = not_happy.ReadOut(way, n_starts).double()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(scale).add_(torch.randn_like(parameter))
    return model


def read(model: not_happy.ReadOut, **options: bool) -> np.ndarray:
    with torch.no_grad():
        return model(**options).numpy()


@pytest.mark.parametrize("way", CANNOT)
def test_no_weights_let_these_get_four_right(way):
    n_right = ((read(untrained(way)) > 0) == not_happy.POSITIVE).sum(axis=1)
    assert n_right.max() == 3  # reached, and not exceeded


def test_some_weights_let_self_attention():
    n_right = ((read(untrained("self-attention", 5000)) > 0) == not_happy.POSITIVE).sum(axis=1)
    assert n_right.max() == 4


def test_one_hidden_unit_is_enough():
    """x + y − 2 max(0, x + y − 1) − ½, with 1 for not and happy, 0 for very and sad."""
    model = not_happy.ReadOut("fixed query + network", n_starts=1, d_ff=1)
    by_hand = {
        "words": torch.eye(4),
        "query": torch.zeros(1, 4),
        "W_V": [[2.0, 0.0], [0.0, 0.0], [0.0, 2.0], [0.0, 0.0]],  # half of it is read
        "W_1": [[1.0], [1.0]],
        "b_1": [[-1.0]],
        "W_2": [[-2.0, 0.0]],
        "u": [[1.0], [1.0]],
        "b": [[-0.5]],
    }
    with torch.no_grad():
        for name, numbers in by_hand.items():
            getattr(model, name).copy_(torch.as_tensor(numbers)[None])
    np.testing.assert_allclose(read(model), [[-0.5, 0.5, 0.5, -0.5]], atol=1e-6)


def test_with_swapped_queries_each_adjective_asks_what_the_other_asks():
    model = untrained("self-attention", 3)
    with torch.no_grad():
        x = model.words[:, not_happy.IDS]
        asks = {"happy": model.words[:, 3:] @ model.W_Q, "sad": model.words[:, 2:3] @ model.W_Q}
        for i, (_, adjective) in enumerate(not_happy.PAIRS):
            o = attention(asks[adjective], x[:, i] @ model.W_K, x[:, i] @ model.W_V)[0]
            np.testing.assert_allclose(
                read(model, swapped=True)[:, i], (o @ model.u + model.b)[:, 0, 0], atol=1e-6
            )


def test_who_reads_all_four_phrases_does_so_by_the_adjectives_own_query():
    model = not_happy.train("self-attention", seed=1)
    able = not_happy.result(model()).n_right == 4
    assert able.sum() >= 2
    assert not_happy.result(model(swapped=True)).n_right[able].mean() <= 1


def test_fixed_weights_keep_the_identity_and_the_floor_of_the_proof():
    r = read(untrained("fixed weights"))
    np.testing.assert_allclose(r[:, 0] + r[:, 3], r[:, 1] + r[:, 2], rtol=1e-9, atol=1e-9)
    assert np.logaddexp(0, -SIGN * r).mean(axis=1).min() >= np.log(2)


def test_one_fixed_query_keeps_its_floor():
    loss = np.logaddexp(0, -SIGN * read(untrained("one fixed query", 5000))).mean(axis=1)
    assert np.log(2) / 2 <= loss.min() < np.log(2)


@pytest.mark.parametrize("way", not_happy.WAYS)
def test_the_outputs_follow_the_formula(way):
    model = untrained(way, n_starts=2)
    outputs = model.outputs()
    torch.testing.assert_close((outputs @ model.u + model.b)[..., 0], model())
    for start in range(2):
        for i, phrase in enumerate(not_happy.PAIRS):  # one at a time, with PyTorch's own attention
            x = torch.stack([model.words[start, not_happy.WORDS.index(word)] for word in phrase])
            keys, values = x @ model.W_K[start], x @ model.W_V[start]
            query = x[1:] @ model.W_Q[start] if way == "self-attention" else model.query[start]
            if way == "fixed weights":
                query = torch.zeros_like(query)
            o = nn.functional.scaled_dot_product_attention(query[None], keys[None], values[None])[0, 0]
            hidden = o @ model.W_1[start] + model.b_1[start, 0]
            if way == "fixed query + network":
                o = o + hidden.clamp(min=0) @ model.W_2[start]
            elif way == "the same without max":
                o = o + hidden @ model.W_2[start]
            torch.testing.assert_close(outputs[start, i], o)


def test_training_reaches_the_floors_or_zero():
    best = {way: not_happy.result(not_happy.train(way)()) for way in not_happy.WAYS}
    losses = {way: found.losses.min() for way, found in best.items()}
    assert losses["fixed weights"] == pytest.approx(np.log(2), abs=1e-4)
    assert best["fixed weights"].marks == ["?"] * 4
    for way in ("one fixed query", "the same without max"):
        assert losses[way] == pytest.approx(np.log(2) / 2, abs=1e-2)
        assert best[way].n_solved == 0
        assert sorted(best[way].marks) == ["?", "?", "✓", "✓"]
    for way in CAN:
        assert losses[way] < 1e-3
        assert best[way].marks == ["✓"] * 4
        assert best[way].n_solved >= 2


def test_starts_trained_side_by_side_learn_as_if_alone():
    with seeded(0):
        together = not_happy.ReadOut("self-attention", 200)  # their common gradient is large
    alone = not_happy.ReadOut("self-attention", 1)
    with torch.no_grad():
        for mine, all_of_them in zip(alone.parameters(), together.parameters(), strict=True):
            mine.copy_(all_of_them[1:2])
    fit(alone, lambda _: not_happy.losses_of(alone()).sum(), range(30), learning_rate=0.03, clip=None)
    trained = not_happy.train("self-attention", n_starts=200, n_steps=30)
    np.testing.assert_allclose(read(trained)[1], read(alone)[0], atol=1e-4)


def test_what_is_undecided_is_not_right():
    probabilities = np.array([[0.05, 0.95, 0.55, 0.45], [0.95, 0.05, 0.7, 0.3]])
    found = not_happy.Result(probabilities, np.array([0.5, 0.2]))
    assert found.n_right.tolist() == [2, 2]
    assert found.best == 1
    assert found.n_solved == 0
    assert found.marks == ["✗", "✗", "✓", "✓"]


def test_refuses_a_way_that_it_does_not_know():
    with pytest.raises(ValueError, match="way is 'two queries': expected one of"):
        not_happy.ReadOut("two queries", 1)
