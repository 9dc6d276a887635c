"""The answers on chapters 01 to 06, computed: every number that is asked for, and what else can be.

The notebooks' own numbers are compared in `test_bank.py`. Here a question's answer comes from another way to get it:
`course_lib.functional`, PyTorch, brute force, or a formula of its own.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from course_lib import functional
from course_lib.exercises.recall import Question, load
from course_lib.exercises.recall.bank import is_near
from course_lib.functional import attention, sinusoidal_encoding, softmax
from course_lib.model.positions import rotate

QUESTIONS = {name: question for name, question in load().questions.items() if question.chapter < 7}
RNG = np.random.default_rng(0)
# the keys and the query of chapter 03, and the words of chapter 04
FRANCE, UK, GERMANY, SWITZERLAND = (np.array(key, dtype=float) for key in ((2, 1), (0, -2), (-2, 1), (1, 1)))
W_Q, W_K, W_V = (
    np.array(rows, dtype=float)
    for rows in ([[0, 2], [2, 0], [2, 0]], [[2, 0], [0, 2], [0, 0]], [[2, 0], [0, 2], [0, 0]])
)
THE_FLUFFY_CAT_SLEEPS = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=float)


def drawn_anew() -> None:
    """Begin the random numbers anew, whichever tests are run."""
    RNG.bit_generator.state = np.random.default_rng(0).bit_generator.state
    torch.manual_seed(0)


def reach(kernel_size: int, n_layers: int) -> int:
    """How far to the left an output depends on inputs, found by following the windows."""
    seen = np.zeros(201, dtype=bool)
    seen[100] = True
    for _ in range(n_layers):
        seen = np.convolve(seen, np.ones(kernel_size), mode="same") > 0.5
    return 100 - int(np.flatnonzero(seen)[0])


def products_in_a_row(output: torch.Tensor) -> int:
    """The longest chain of matrix products and convolutions that made a tensor, by PyTorch's own record of it."""

    depth: dict[Any, int] = {}
    stack: list[Any] = [output.grad_fn]
    while stack:
        below = [node for node, _ in stack[-1].next_functions if node is not None]
        if waiting := [node for node in below if node not in depth]:
            stack += waiting
            continue
        node = stack.pop()
        is_product = any(word in type(node).__name__ for word in ("MmBackward", "BmmBackward", "Convolution"))
        depth[node] = max((depth[each] for each in below), default=0) + is_product
    return depth[output.grad_fn]


def recurrent(n_words: int) -> torch.Tensor:
    W, U = (torch.randn(4, 4, requires_grad=True) for _ in range(2))
    h = torch.zeros(1, 4)
    for x in torch.randn(n_words, 1, 4):
        h = torch.tanh(x @ W + h @ U)
    return h


def attentive(n_words: int) -> torch.Tensor:
    Ws = [torch.randn(4, 4, requires_grad=True) for _ in range(3)]
    Q, K, V = (torch.randn(n_words, 4) @ W for W in Ws)
    return torch.softmax(Q @ K.T / 2, dim=-1) @ V


def convolved(n_words: int) -> torch.Tensor:
    return nn.Conv1d(4, 4, 5, padding=2)(torch.randn(1, 4, n_words))


def random_attention(sentence: str, rng_seed: int = 1) -> np.ndarray:
    """Self-attention with random vectors and matrices, which depend on the words only."""
    rng = np.random.default_rng(rng_seed)
    vectors = {word: rng.normal(size=8) for word in sorted(set(sentence.split()))}
    return attention(*(np.array([vectors[word] for word in sentence.split()]) @ rng.normal(size=(3, 8, 4))))[
        0
    ]


def equal_positions(first: str, second: str) -> int:
    assert sorted(first.split()) == sorted(second.split())
    return int(np.isclose(random_attention(first), random_attention(second)).all(axis=1).sum())


def error_of_one_head(c: float, first: float, second: float) -> float:
    """Chapter 05's formula, with the weight that is left shared by the four other towns."""
    others = (1 - first - second) / 4
    return (1 - c * first) ** 2 + (1 + c * second) ** 2 + c**2 * 4 * others**2


def gradient_on_a_value(weight: float, miss: float) -> float:
    """A numerical derivative of half the squared error."""
    error = lambda moved: 0.5 * (miss + weight * moved) ** 2  # noqa: E731
    return (error(1e-6) - error(-1e-6)) / 2e-6


def smallest_length_that_wins() -> float:
    lengths = np.linspace(1, 2, 100_001)
    keys = lengths[:, None] * SWITZERLAND
    return float(lengths[np.argmax((keys * keys).sum(axis=1) >= keys @ FRANCE)])


def multi_head_weights() -> int:
    """Keras' MultiHeadAttention(num_heads=2, key_dim=2, value_dim=3) on width 4, its maps without biases."""
    maps = [nn.Linear(4, 2 * 2), nn.Linear(4, 2 * 2), nn.Linear(4, 2 * 3), nn.Linear(2 * 3, 4)]
    return sum(linear.weight.numel() for linear in maps)


def angle_between(position: int, other: int, rate: float) -> float:
    hands = np.exp(1j * rate * position), np.exp(1j * rate * other)
    return abs(float(np.angle(hands[0] / hands[1])))


def spread_of_sums_of_signs(n: int) -> float:
    """The standard deviation of n products of independent signs: exact, by counting."""
    return math.sqrt(sum(math.comb(n, k) * (2 * k - n) ** 2 for k in range(n + 1)) / 2**n)


def share_of_long_word() -> float:
    scores = np.array([5.0] * 9 + [-40.0] * 19)  # nine frames sound like it; nothing else does
    return 100 * float(softmax(scores)[:8].sum())


NUMBERS: dict[str, Callable[[], float]] = {
    "ch01-reach": lambda: reach(5, 4),
    "ch01-steps-of-an-rnn": lambda: products_in_a_row(recurrent(30)),
    "ch01-growing-memory": lambda: nn.GRU(4, 64)(torch.zeros(1, 4))[1].numel() / np.zeros((2, 2)).size,
    "ch02-factor": lambda: float(np.divide(*softmax([2.0, 0.0]))),
    "ch02-three-keys": lambda: 100 * float(softmax([0.0, 0.0, 1.0])[2]),
    "ch02-column": lambda: float(softmax(50 * np.eye(4)[[1, 1, 1, 1]]).sum(axis=0)[1]),
    "ch02-typical-size": lambda: spread_of_sums_of_signs(64),
    "ch03-empty-query": lambda: (
        100 * float(attention(np.zeros((1, 3)), RNG.normal(size=(5, 3)), np.eye(5))[1][0, 0])
    ),
    "ch03-how-long": smallest_length_that_wins,
    "ch03-flat": lambda: float(softmax(0 * np.array([2.5, -1.0, -1.5])) @ [2, -1, 14]),
    "ch03-pull-on-a-value": lambda: gradient_on_a_value(0.25, 4.0),
    "ch04-score": lambda: float(functional.dot_product_scores([[0, 2]], [[0, 2]])[0, 0]),
    "ch04-weight": lambda: 100 * float(softmax([2.83, 0.0, 0.0, 0.0])[0]),
    "ch04-parameters": lambda: sum(nn.Linear(3, 2, bias=False).weight.numel() for _ in range(3)),
    "ch04-equal-outputs": lambda: equal_positions("the dog saw the small cat", "the cat saw the small dog"),
    "ch05-how-many-weights": lambda: attention(np.ones((28, 3)), np.ones((7, 3)), np.ones((7, 1)))[1].size,
    "ch05-two-equal-words": lambda: float(softmax([9.0, -50, -50, -50, 9, -50, -50]) @ np.arange(7)),
    "ch05-long-word": share_of_long_word,
    "ch05-moment": lambda: float(np.average([0.15, 1.75], weights=[60, 40])),
    "ch05-layer-size": multi_head_weights,
    "ch06-numbers": lambda: int(np.argmax(-1.5 * (np.arange(10) - 4.5))),
    "ch06-hands": lambda: float((sinusoidal_encoding(300, 128)[250] ** 2).sum()),
    "ch06-angle": lambda: angle_between(7, 3, 0.5),
}


def test_every_number_that_is_asked_for_is_computed_here() -> None:
    assert set(NUMBERS) == {name for name, question in QUESTIONS.items() if question.kind == "number"}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_number_is_right(name: str) -> None:
    drawn_anew()
    question = QUESTIONS[name]
    assert is_near(NUMBERS[name](), question.answer, question.tolerance or 1e-9)


# ---- choices and orders ----


def steps_in_a_row(question: Question) -> None:
    made = {"a convolution layer": convolved, "attention": attentive, "a recurrent network": recurrent}
    assert [products_in_a_row(made[line](100)) for line in question.lines] == [1, 3, 100]


def one_weight_a_distance(question: Question) -> None:
    convolution = nn.Conv1d(1, 1, 5, padding=2)
    words = torch.zeros(1, 1, 9)
    words[0, 0, 3] = 1.0  # one word back of position 4
    convolution(words)[0, 0, 4].backward()
    assert convolution.weight.grad is not None
    assert convolution.weight.grad[0, 0].tolist() == [0, 1, 0, 0, 0]


def no_gradient_without_words(question: Question) -> None:
    layer, lengths = nn.Linear(12, 1), torch.randint(1, 9, (64,))
    words = torch.randn(64, 12) * (torch.arange(12) < lengths[:, None])
    layer(words).square().sum().backward()
    assert layer.weight.grad is not None
    assert layer.weight.grad[0, 9] == 0
    assert layer.weight.grad[0, 0] != 0


def a_shift_cancels(question: Question) -> None:
    scores = RNG.normal(size=8)
    assert np.allclose(softmax(scores + 10), softmax(scores))


def a_score_has_no_place_in_it(question: Question) -> None:
    q, keys = RNG.normal(size=4), RNG.normal(size=(6, 4))
    assert np.isclose(
        functional.dot_product_scores([q], keys)[0, 0], functional.dot_product_scores([q], keys[:1])[0, 0]
    )
    assert attention([q], keys, keys)[1][0, 0] < attention([q], keys[:3], keys[:3])[1][0, 0]


def shape_of_output(question: Question) -> None:
    output, weights = attention(np.ones((5, 4)), np.ones((6, 4)), np.ones((6, 3)))
    assert str(output.shape) == question.right
    assert str(weights.shape) in [wrong.text for wrong in question.wrong]


def between_smallest_and_largest(question: Question) -> None:
    values = np.array([0.0, 0, 1, 2])
    outputs = softmax(RNG.normal(scale=10, size=(100_000, 4))) @ values
    assert not values.min() <= float(question.right) <= values.max()
    for wrong in question.wrong:
        assert np.abs(outputs - float(wrong.text)).min() < 0.005, "this one can come out"


def steps_of_softmax(question: Question) -> None:
    q, K, V = RNG.normal(size=4), RNG.normal(size=(5, 4)), RNG.normal(size=(5, 3))

    def output(root_first: bool) -> np.ndarray:
        powers = np.exp(K @ q / 2) if root_first else np.exp(K @ q) / 2
        return powers / powers.sum() @ V

    assert np.allclose(output(True), attention([q], K, V)[0][0])
    assert np.allclose(output(False), softmax(K @ q) @ V), "after the exponential the divisor cancels"
    assert not np.allclose(output(False), output(True))


def what_leaves_the_weights(question: Question) -> None:
    right, scores = softmax([0.0, 1.0]), np.array([1000.0, 1001.0])
    assert np.allclose(right, [0.27, 0.73], atol=0.005)
    assert np.allclose(np.exp(scores - 1001) / np.exp(scores - 1001).sum(), right)
    assert np.allclose(softmax(scores / 1000), 0.5, atol=0.001)
    assert np.allclose(softmax(np.minimum(scores, 80)), 0.5)


def when_the_root_fits(question: Question) -> None:
    n, widths = 40_000, (16, 64)

    def variance(kind: str, d: int) -> float:
        normal = RNG.normal
        q, k = {
            "signs": lambda: (RNG.choice([-1.0, 1.0], size=(n, d)), RNG.choice([-1.0, 1.0], size=(n, d))),
            "equal query": lambda: (np.repeat(normal(size=(n, 1)), d, axis=1), normal(size=(n, d))),
            "equal": lambda: (np.repeat(normal(size=(n, 1)), d, 1), np.repeat(normal(size=(n, 1)), d, 1)),
        }[kind]()
        return float(((q * k).sum(axis=1) / math.sqrt(d)).var())

    assert all(abs(variance(kind, d) - 1) < 0.1 for kind in ("signs", "equal query") for d in widths)
    assert all(variance("equal", d) > 0.7 * d for d in widths)


def a_quarter_on_both_sides(question: Question) -> None:
    q, k = RNG.normal(size=(2, 256))
    assert np.isclose((q / 4) @ (k / 4), q @ k / math.sqrt(256))


def zero_is_no_zero_weight(question: Question) -> None:
    assert softmax([0.0, -np.inf, -np.inf]).tolist() == [1, 0, 0]
    assert np.allclose(softmax([0.0, 0.0, 0.0]), 1 / 3)
    one, other, _ = softmax([0.0, -1.0, -1.0])
    assert np.isclose(other / one, 0.37, atol=0.003)


def who_wins_the_own_lookup(question: Question) -> None:
    names, keys = ["France", "UK", "Germany", "Switzerland"], np.array([FRANCE, UK, GERMANY, SWITZERLAND])
    scores = keys @ SWITZERLAND
    assert question.right.startswith(names[int(scores.argmax())])
    assert (scores[0], scores[3]) == (3, 2)


def a_key_between_never_wins(question: Question) -> None:
    queries = RNG.normal(scale=5, size=(10_000, 2))
    assert np.allclose(0.75 * FRANCE + 0.25 * GERMANY, SWITZERLAND)
    ends = np.maximum(queries @ FRANCE, queries @ GERMANY)
    assert (queries @ SWITZERLAND <= ends + 1e-9).all()


def which_cure_helps(question: Question) -> None:
    keys = RNG.normal(size=(8, 3)) * RNG.uniform(0.2, 3, size=(8, 1))

    def own(keys: np.ndarray, queries: np.ndarray) -> int:
        return int(((queries @ keys.T).argmax(axis=1) == np.arange(8)).sum())

    unit = keys / np.linalg.norm(keys, axis=1, keepdims=True)
    assert own(unit, keys) == own(unit, unit) == 8
    assert own(keys, keys) == own(keys, unit) == own(2 * keys, 2 * keys) < 8, (
        "neither of these changes who is first"
    )


def a_longer_query(question: Question) -> None:
    scores = RNG.normal(size=6)
    once, twice = softmax(scores), softmax(2 * scores)
    assert (np.argsort(once) == np.argsort(twice)).all()
    assert twice.max() > once.max()


def sharpest_first(question: Question) -> None:
    def beta(line: str) -> float:
        name, number = line.split(" = ")
        return 1 / float(number) ** 2 if name == "h" else float(number)

    betas = [beta(line) for line in question.lines]
    assert betas == sorted(betas, reverse=True)
    assert min(before / after for before, after in pairwise(betas)) > 2


def sure_of_london(question: Question) -> None:
    spain, keys = np.array([2.0, -2.0]), np.array([FRANCE, UK, GERMANY])
    assert np.isclose(softmax(3 * keys @ spain)[1], 0.998, atol=0.0005)
    assert np.linalg.norm(spain - UK) == 2


def a_constant_for_unknown(question: Question) -> None:
    spain, republic, keys = np.array([2.0, -2.0]), np.array([1.0, 0.5]), np.array([FRANCE, UK, GERMANY])
    assert ((keys @ spain).max(), (keys @ republic).max()) == (4, 2.5)
    nearness = [functional.squared_distance_scores([q], keys)[0].max() / 2 for q in (spain, republic)]
    assert nearness[0] < -1 < nearness[1], "a constant of -1 lies between a bad match and a good one"


def capacity(question: Question) -> None:
    expected = {d: 1 + math.exp(math.sqrt(d) - 0.5) for d in (16, 64)}
    assert expected[64] / expected[16] > 50
    assert 1815 / 34 > 50


def cat_and_itself(question: Question) -> None:
    Q, K, V = (THE_FLUFFY_CAT_SLEEPS @ W for W in (W_Q, W_K, W_V))
    weights = attention(Q, K, V)[1]
    assert np.round(weights[2], 2).tolist() == [0.05, 0.85, 0.05, 0.05]
    assert np.linalg.norm(K[1]) == np.linalg.norm(K[2]) == 2


def which_matrix(question: Question) -> None:
    def most_read(W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray) -> int:
        X = THE_FLUFFY_CAT_SLEEPS
        return int(attention(X @ W_Q, X @ W_K, X @ W_V)[1][2].argmax())

    asks_for_things, passes_for_quality = W_Q.copy(), W_K.copy()
    asks_for_things[0], passes_for_quality[0] = [2, 0], [0, 3]
    assert most_read(W_Q, W_K, W_V) == 1
    assert most_read(asks_for_things, W_K, W_V) == 2
    assert most_read(W_Q, passes_for_quality, W_V) == 2
    assert all(most_read(W_Q, W_K, RNG.normal(size=(3, 2))) == 1 for _ in range(100))


def same_words_same_output(question: Question) -> None:
    first, second = (
        "the cat , which is fluffy , chases the mouse",
        "the mouse , which is fluffy , chases the cat",
    )
    at = first.split().index("fluffy")
    assert np.allclose(random_attention(first)[at], random_attention(second)[at])


def half_under_a_mask(question: Question) -> None:
    """In one masked layer the last words see both nouns, and not their order."""
    rng = np.random.default_rng(3)
    words = ["the", "cat", "chases", "the", "mouse", ",", "which", "is", "fluffy"]
    swapped = ["the", "mouse", "chases", "the", "cat", ",", "which", "is", "fluffy"]
    vectors, Ws = {word: rng.normal(size=8) for word in words}, rng.normal(size=(3, 8, 4))
    mask = functional.causal_mask(len(words))
    one, other = (
        attention(*(np.array([vectors[w] for w in sentence]) @ Ws), mask=mask)[0][-1]
        for sentence in (words, swapped)
    )
    assert np.allclose(one, other)


def keys_part_from_values(question: Question) -> None:
    Q, K, V, order = (
        RNG.normal(size=(4, 3)),
        RNG.normal(size=(5, 3)),
        RNG.normal(size=(5, 2)),
        [2, 0, 4, 1, 3],
    )
    right = attention(Q, K, V)[0]
    assert not np.allclose(attention(Q, K[order], V)[0], right)
    assert np.allclose(attention(Q, K[order], V[order])[0], right)


def queries_take_their_outputs_along(question: Question) -> None:
    Q, K, V, order = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 3)), RNG.normal(size=(5, 2)), [2, 0, 3, 1]
    assert np.allclose(attention(Q[order], K, V)[0], attention(Q, K, V)[0][order])


def one_query_for_itself(question: Question) -> None:
    Q, K, V = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 3)), RNG.normal(size=(5, 2))
    assert np.allclose(attention(np.vstack([Q, Q[[0, 0, 0]]]), K, V)[0][0], attention(Q, K, V)[0][0])


def widths_and_numbers(question: Question) -> None:
    assert attention(np.ones((28, 3)), np.ones((7, 3)), np.ones((7, 9)))[0].shape == (28, 9)
    with pytest.raises(ValueError, match="width"):
        attention(np.ones((28, 3)), np.ones((7, 4)), np.ones((7, 9)))


def same_question_same_answer(question: Question) -> None:
    q, K, V = RNG.normal(size=(1, 3)), RNG.normal(size=(6, 3)), RNG.normal(size=(6, 1))
    positions = RNG.normal(size=(6, 2))
    asks = np.hstack([np.vstack([q, q]), np.zeros((2, 2))])  # the same word twice, no position of its own
    first, second = attention(asks, np.hstack([K, positions]), V)[0]
    assert np.allclose(first, second)


def best_of_one_head(question: Question) -> None:
    grid = np.linspace(0, 1, 41)
    errors = [
        error_of_one_head(c, a, b)
        for c in np.linspace(-3, 3, 61)
        for a in grid
        for b in grid
        if a + b <= 1 + 1e-9
    ]
    assert min(errors) == pytest.approx(1)
    assert error_of_one_head(1, 1, 0) == 1
    assert min(error_of_one_head(c, 0.5, 0.5) for c in np.linspace(-3, 3, 61)) == pytest.approx(2)


def errors_of_four_answers(question: Question) -> None:
    answers = {
        "Paris minus Oslo": (1, -1),
        "Paris alone": (1, 0),
        "always 0": (0, 0),
        "Paris plus Oslo": (1, 1),
    }
    temperatures = RNG.normal(size=(100_000, 2))
    errors = [np.mean((temperatures @ (np.array(answers[line]) - [1, -1])) ** 2) for line in question.lines]
    assert errors == pytest.approx([0, 1, 2, 4], abs=0.1)


def turning_a_head(question: Question) -> None:
    def error(c: float) -> float:  # of head 0, turned wholly; the factors sum to 1
        return (1 - (1 - c)) ** 2 + (1 + c) ** 2

    assert all(error(c) > 1 for c in (0.1, 0.5, 0.9))
    assert all(error(c) < 1 for c in (-0.1, -0.5, -0.9))


def permuted_words(question: Question) -> None:
    X, Ws, order = RNG.normal(size=(6, 5)), RNG.normal(size=(3, 5, 4)), RNG.permutation(6)
    one, other = (attention(*(rows @ Ws))[0] for rows in (X, X[order]))
    assert np.allclose(other, one[order])
    assert np.allclose(one.mean(axis=0), other.mean(axis=0))
    assert not np.allclose(one, other)


def two_blocks(mask: np.ndarray | None, X: np.ndarray, n_blocks: int) -> np.ndarray:
    Ws = np.random.default_rng(5).normal(size=(n_blocks, 3, 5, 5))
    for W in Ws:
        X = X + np.tanh(attention(*(X @ W), mask=mask)[0])
    return X


def stacked(question: Question) -> None:
    X, order = RNG.normal(size=(6, 5)), RNG.permutation(6)
    assert np.allclose(two_blocks(None, X[order], 2), two_blocks(None, X, 2)[order])


def masked_once_and_twice(question: Question) -> None:
    X, mask, order = RNG.normal(size=(6, 5)), functional.causal_mask(6), [0, 2, 1, 3, 4, 5]
    assert np.allclose(two_blocks(mask, X[order], 1)[-1], two_blocks(mask, X, 1)[-1])
    assert not np.allclose(two_blocks(mask, X[order], 2)[-1], two_blocks(mask, X, 2)[-1])


def fast_pairs_tell_neighbours(question: Question) -> None:
    phi = sinusoidal_encoding(52, 64)
    apart = np.abs(phi[51] - phi[50]).reshape(32, 2).sum(axis=1)
    assert apart[:4].min() > 10 * apart[16:].max()


def only_the_distance_is_left(question: Question) -> None:
    phi = sinusoidal_encoding(110, 64)
    assert np.isclose(phi[3] @ phi[5], phi[103] @ phi[105])


def moved_by_a_hundred(question: Question) -> None:
    q, k = torch.from_numpy(RNG.normal(size=(2, 1, 8)))
    phi = torch.from_numpy(sinusoidal_encoding(200, 8))

    def turned(x: torch.Tensor, position: int) -> torch.Tensor:
        return rotate(x.expand(position + 1, -1))[position]

    assert torch.isclose(turned(q, 7) @ turned(k, 3), turned(q, 107) @ turned(k, 103), atol=1e-3)
    added = [((q[0] + phi[7 + s]) @ (k[0] + phi[3 + s])).item() for s in (0, 100)]
    assert abs(added[0] - added[1]) > 0.1


def turned_values(question: Question) -> None:
    x = torch.from_numpy(RNG.normal(size=(3, 6, 8)))
    rows = torch.cat([torch.zeros(3, 100, 8, dtype=x.dtype), x], dim=1)

    def output(values_too: bool, start: int) -> np.ndarray:
        q, k, v = (rotate(rows[n, 100 - start :])[start:] for n in range(3))
        return attention(q.numpy(), k.numpy(), (v if values_too else x[2]).numpy())[0]

    assert np.allclose(output(False, 0), output(False, 100), atol=1e-3)
    assert not np.allclose(output(True, 0), output(True, 100), atol=0.1)


def both_sides_alike(question: Question) -> None:
    distance = np.abs(np.arange(9)[:, None] - np.arange(9))
    scores = 1.0 - 0.5 * distance
    assert scores[4, 3] == scores[4, 5]
    assert not functional.causal_mask(9)[4, 5]


def a_sum_from_a_pair(question: Question) -> None:
    x, phi = RNG.normal(size=(2, 4))
    assert np.allclose(np.concatenate([x, phi]) @ np.vstack([np.eye(4), np.eye(4)]), x + phi)
    assert np.linalg.matrix_rank(np.vstack([np.eye(4), np.eye(4)])) < 8, (
        "from the sum the pair cannot be had back"
    )


CLAIMS: dict[str, Callable[[Question], None]] = {
    "ch01-steps-in-a-row": steps_in_a_row,
    "ch01-two-words-back": one_weight_a_distance,
    "ch01-dense-gradient": no_gradient_without_words,
    "ch02-score-and-distance": a_score_has_no_place_in_it,
    "ch02-add-ten": a_shift_cancels,
    "ch02-shape": shape_of_output,
    "ch02-an-average": between_smallest_and_largest,
    "ch02-steps": steps_of_softmax,
    "ch02-large-scores": what_leaves_the_weights,
    "ch02-what-the-root-needs": when_the_root_fits,
    "ch02-quarter": a_quarter_on_both_sides,
    "ch03-no-match": zero_is_no_zero_weight,
    "ch03-own-lookup": who_wins_the_own_lookup,
    "ch03-between": a_key_between_never_wins,
    "ch03-cure": which_cure_helps,
    "ch03-longer-query": a_longer_query,
    "ch03-sharpness": sharpest_first,
    "ch03-sure-of-london": sure_of_london,
    "ch03-unknown": a_constant_for_unknown,
    "ch03-capacity": capacity,
    "ch04-itself": cat_and_itself,
    "ch04-which-matrix": which_matrix,
    "ch04-two-nouns": same_words_same_output,
    "ch04-causal": half_under_a_mask,
    "ch05-what-must-agree": widths_and_numbers,
    "ch05-speed": one_query_for_itself,
    "ch05-shuffled-keys": keys_part_from_values,
    "ch05-shuffled-queries": queries_take_their_outputs_along,
    "ch05-one-side": same_question_same_answer,
    "ch05-one-head-best": best_of_one_head,
    "ch05-four-answers": errors_of_four_answers,
    "ch05-turning": turning_a_head,
    "ch06-what-stays": permuted_words,
    "ch06-deeper": stacked,
    "ch06-masked-once": masked_once_and_twice,
    "ch06-neighbours": fast_pairs_tell_neighbours,
    "ch06-far-out": only_the_distance_is_left,
    "ch06-moved": moved_by_a_hundred,
    "ch06-values-not-turned": turned_values,
    "ch06-alibi": both_sides_alike,
    "ch06-add-append": a_sum_from_a_pair,
}


@pytest.mark.parametrize("name", CLAIMS)
def test_the_claim_holds(name: str) -> None:
    drawn_anew()
    CLAIMS[name](QUESTIONS[name])


def test_whatever_is_not_computed_names_a_number_of_its_chapter_or_is_a_matter_of_words() -> None:
    """So that nobody adds a question whose answer rests on nothing."""
    import tomllib

    from course_lib.exercises.recall.bank import HERE

    raw = [
        each
        for path in (HERE / "questions").glob("*.toml")
        for each in tomllib.loads(path.read_text(encoding="utf-8"))["question"]
        if each["id"] in QUESTIONS
    ]
    bare = {each["id"] for each in raw if "<!--" not in str(each)} - set(NUMBERS) - set(CLAIMS)
    assert bare == MATTERS_OF_WORDS


# Their chapters say it in so many words, and a formula or a definition decides it.
MATTERS_OF_WORDS = {
    "ch01-dense-shift",  # a weight belongs to positions
    "ch02-found-by-others",  # what a key is
    "ch05-wide-head",  # 0 of 40 starts in the chapter's record, and the bound of section 4
}
