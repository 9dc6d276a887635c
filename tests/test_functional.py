"""The NumPy mathematics against PyTorch, closed forms, loops written out, and its own symmetries."""

import math
import subprocess
import sys
import tracemalloc
from functools import partial
from typing import Any, NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given
from torch.utils.flop_counter import FlopCounterMode

from course_lib.functional import (
    additive_scores,
    attention,
    attention_cost,
    causal_mask,
    convolution_cost,
    dense_cost,
    dot_product_scores,
    exact_lookup,
    hard_lookup,
    index_encoding,
    multiplicative_scores,
    padding_mask,
    random_fourier_encoding,
    recurrent_cost,
    self_attention_cost,
    sinusoidal_encoding,
    soft_lookup,
    softmax,
    squared_distance_scores,
    window_mask,
    windowed_attention,
)

pytestmark = pytest.mark.filterwarnings("error")

Array = np.ndarray[Any, Any]
DTYPES = (np.float32, np.float64)
TOLERANCE = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-10}


def assert_close(actual: Array, expected: Array | torch.Tensor) -> None:
    """Same type, same shape, and equal relative to the largest entry."""
    expected = np.asarray(expected)
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    # What goes in is of size 1: where a result all but cancels, below 0.1, only rounding is left to compare.
    largest = np.abs(expected).max(initial=0.1)
    assert np.all(np.abs(actual - expected) <= TOLERANCE[actual.dtype] * largest)


def normal(seed: int, *shape: int, dtype: Any = np.float64) -> Array:
    """Numbers to read only: a function that writes into its arguments fails."""
    array = np.random.default_rng(seed).standard_normal(shape).astype(dtype)
    array.flags.writeable = False
    return array


def tensors(*arrays: Array) -> list[torch.Tensor]:
    return [torch.from_numpy(array.copy()) for array in arrays]


class Problem(NamedTuple):
    queries: Array
    keys: Array
    values: Array
    mask: Array


@st.composite
def problems(draw: st.DrawFn, self_attention: bool = False) -> Problem:
    """Q, K, V and a mask that allows each query one key or more, of any shapes that fit together."""
    size = st.integers(1, 6)
    leading = draw(st.lists(st.integers(1, 3), max_size=2))
    L_q, L_k, d_k, d_v = (draw(size) for _ in range(4))
    if self_attention:
        L_q = L_k
    dtype, seed = draw(st.sampled_from(DTYPES)), draw(st.integers(0, 2**32 - 1))
    queries = normal(seed, *leading, L_q, d_k, dtype=dtype)
    keys = normal(seed + 1, *leading, L_k, d_k, dtype=dtype)
    values = normal(seed + 2, *leading, L_k, d_v, dtype=dtype)
    axes = [*leading, L_q, L_k]
    shape = draw(st.sampled_from([axes, axes[-2:], [*leading, 1, L_k], [1] * len(leading) + [L_q, L_k]]))
    rng = np.random.default_rng(seed + 3)
    mask = rng.random(shape) < 0.5
    mask |= np.arange(L_k) == rng.integers(L_k, size=(*shape[:-1], 1))
    return Problem(queries, keys, values, mask)


def test_importing_it_loads_neither_torch_nor_matplotlib() -> None:
    code = "import sys, course_lib.functional; sys.exit(bool({'torch', 'matplotlib'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- Softmax ----


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    st.data(),
    st.sampled_from(DTYPES),
    st.sampled_from([1.0, 100.0, 1e4]),
)
def test_softmax_is_that_of_torch_along_any_axis(
    shape: list[int], data: st.DataObject, dtype: Any, scale: float
) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    x = normal(data.draw(st.integers(0, 1000)), *shape, dtype=dtype) * dtype(scale)
    x.flags.writeable = False
    assert_close(softmax(x, axis=axis), torch.softmax(*tensors(x), dim=axis))
    if axis == -1:
        assert_close(softmax(x), softmax(x, axis=-1))


def test_softmax_by_hand() -> None:
    assert_close(softmax(np.log([[1.0, 2, 5], [3, 3, 2]])), np.array([[1, 2, 5], [3, 3, 2]]) / 8)
    assert_close(softmax(np.log([[1.0, 2, 5], [3, 2, 5]]), axis=0), np.array([[1, 2, 2], [3, 2, 2]]) / 4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_softmax_does_not_overflow_and_ignores_a_common_shift(dtype: Any) -> None:
    assert_close(softmax(np.array([1e4, 1e4, -1e4], dtype)), np.array([0.5, 0.5, 0], dtype))
    largest = np.finfo(dtype).max
    assert_close(softmax(np.array([largest, largest / 2], dtype)), np.array([1, 0], dtype))
    x = np.array([0.5, 1.0, -2.0], dtype)  # sums with 2¹⁰ are exact
    assert_close(softmax(x + dtype(2**10)), softmax(x))


@pytest.mark.parametrize("dtype", DTYPES)
def test_softmax_of_minus_infinity(dtype: Any) -> None:
    x = np.array([[-np.inf, -np.inf], [-np.inf, -1e4], [0, 0]], dtype)
    assert_close(softmax(x), np.array([[0, 0], [0, 1], [0.5, 0.5]], dtype))
    assert_close(softmax(x.T, axis=0), softmax(x).T)
    assert_close(softmax(np.zeros((2, 0), dtype)), np.zeros((2, 0), dtype))


def test_softmax_of_plus_infinity_is_nan_as_in_torch() -> None:
    x = np.array([[np.inf, -np.inf, -np.inf], [0.0, 0.0, -np.inf]])
    with pytest.warns(RuntimeWarning, match="invalid value"):
        weights = softmax(x)
    np.testing.assert_array_equal(weights, [[np.nan] * 3, [0.5, 0.5, 0.0]])
    np.testing.assert_array_equal(weights, torch.softmax(torch.from_numpy(x), dim=-1))


def test_softmax_makes_whole_numbers_float64() -> None:
    assert_close(softmax([0, 0]), np.array([0.5, 0.5]))
    assert_close(softmax(np.array([True, True])), np.array([0.5, 0.5]))


# ---- Scores ----


@given(problems(), st.booleans())
def test_dot_product_scores_by_loop(problem: Problem, scaled: bool) -> None:
    queries, keys = problem.queries, problem.keys
    scores = dot_product_scores(queries, keys, scaled=scaled)
    d_k = keys.shape[-1]
    expected = np.zeros((*queries.shape[:-1], keys.shape[-2]))
    for *leading, i, j in np.ndindex(expected.shape):
        products = queries[*leading, i] * keys[*leading, j].astype(np.float64)
        expected[*leading, i, j] = math.fsum(products) / (d_k**0.5 if scaled else 1)
    assert_close(scores, expected.astype(queries.dtype))


def test_dot_product_scores_have_variance_1_when_scaled_and_d_k_when_not() -> None:
    for d_k in (4, 64, 1024):
        queries, keys = normal(0, 200, d_k), normal(1, 200, d_k)
        assert dot_product_scores(queries, keys).var() == pytest.approx(1, rel=0.1)
        assert dot_product_scores(queries, keys, scaled=False).var() == pytest.approx(d_k, rel=0.1)


@given(problems(), st.integers(1, 5), st.integers(1, 5))
def test_additive_scores_are_two_linear_layers_tanh_and_a_third(problem: Problem, d_k: int, d_a: int) -> None:
    queries, dtype = problem.queries, problem.queries.dtype
    keys = normal(1, *problem.keys.shape[:-1], d_k, dtype=dtype)
    W_q, W_k = normal(2, queries.shape[-1], d_a, dtype=dtype), normal(3, d_k, d_a, dtype=dtype)
    v = normal(4, d_a, dtype=dtype)
    linear = torch.nn.functional.linear
    q, k, weight_q, weight_k, weight_v = tensors(queries, keys, W_q.T, W_k.T, v[None])
    hidden = torch.tanh(linear(q, weight_q).unsqueeze(-2) + linear(k, weight_k).unsqueeze(-3))
    expected = linear(hidden, weight_v).squeeze(-1)
    assert_close(additive_scores(queries, keys, W_q, W_k, v), expected)


@given(problems(), st.integers(1, 5))
def test_multiplicative_scores_are_those_of_bilinear(problem: Problem, d_k: int) -> None:
    queries, dtype = problem.queries, problem.queries.dtype
    keys = normal(1, *problem.keys.shape[:-1], d_k, dtype=dtype)
    W = normal(2, queries.shape[-1], d_k, dtype=dtype)
    q, k, weight = tensors(queries, keys, W[None])
    pairs = (*q.shape[:-1], k.shape[-2], -1)  # (…, L_q, L_k, width)
    q, k = q.unsqueeze(-2).expand(pairs), k.unsqueeze(-3).expand(pairs)
    expected = torch.nn.functional.bilinear(q.contiguous(), k.contiguous(), weight).squeeze(-1)
    assert_close(multiplicative_scores(queries, keys, W), expected)


@given(problems())
def test_squared_distance_scores_are_those_of_cdist(problem: Problem) -> None:
    q, k = tensors(problem.queries, problem.keys)
    expected = -(torch.cdist(q, k, compute_mode="donot_use_mm_for_euclid_dist") ** 2)
    assert_close(squared_distance_scores(problem.queries, problem.keys), expected)


@given(problems())
def test_multiplicative_scores_with_the_identity_are_the_unscaled_dot_product(problem: Problem) -> None:
    identity = np.eye(problem.keys.shape[-1], dtype=problem.keys.dtype)
    expected = dot_product_scores(problem.queries, problem.keys, scaled=False)
    assert_close(multiplicative_scores(problem.queries, problem.keys, identity), expected)


SCORES = [
    dot_product_scores,
    partial(dot_product_scores, scaled=False),
    partial(additive_scores, W_q=normal(1, 3, 4), W_k=normal(2, 3, 4), v=normal(3, 4)),
    partial(multiplicative_scores, W=normal(4, 3, 3)),
    squared_distance_scores,
]


@pytest.mark.parametrize("score", SCORES)
def test_leading_axes_of_scores_broadcast_and_each_slice_is_its_own(score: Any) -> None:
    queries, keys = normal(5, 2, 1, 4, 3), normal(6, 5, 6, 3)
    scores = score(queries, keys)
    assert scores.shape == (2, 5, 4, 6)
    for b, h in np.ndindex(2, 5):
        assert_close(scores[b, h], score(queries[b, 0], keys[h]))


# ---- Attention ----


@given(problems())
def test_attention_is_that_of_torch(problem: Problem) -> None:
    queries, keys, values, mask = problem
    output, weights = attention(queries, keys, values, mask)
    q, k, v, m = tensors(*problem)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    assert_close(output, sdpa(q, k, v, attn_mask=m))
    eye = torch.eye(keys.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
    assert_close(weights, sdpa(q, k, eye, attn_mask=m))  # identity values show torch's weights
    assert_close(attention(queries, keys, values)[0], sdpa(q, k, v))


@given(problems(self_attention=True))
def test_causal_attention_is_that_of_torch(problem: Problem) -> None:
    output, _ = attention(problem.queries, problem.keys, problem.values, causal_mask(problem.keys.shape[-2]))
    expected = torch.nn.functional.scaled_dot_product_attention(*tensors(*problem[:3]), is_causal=True)
    assert_close(output, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_attention_with_heads_as_leading_axes_is_multihead_attention(dtype: Any) -> None:
    B, H, L, d = 3, 2, 5, 8
    x, lengths = normal(0, B, L, d, dtype=dtype), [5, 2, 4]
    torch_dtype = torch.from_numpy(np.zeros(0, dtype)).dtype
    layer = torch.nn.MultiheadAttention(d, H, bias=False, batch_first=True, dtype=torch_dtype)
    with torch.no_grad():
        W_in, W_out = normal(1, 3 * d, d, dtype=dtype), normal(2, d, d, dtype=dtype)
        layer.in_proj_weight.copy_(torch.from_numpy(W_in.copy()))
        layer.out_proj.weight.copy_(torch.from_numpy(W_out.copy()))
        padding = ~torch.from_numpy(padding_mask(lengths, L))[:, 0]  # opposite polarity
        future = ~torch.from_numpy(causal_mask(L))
        (t,) = tensors(x)
        expected, expected_weights = layer(
            t, t, t, key_padding_mask=padding, attn_mask=future, average_attn_weights=False
        )
    queries, keys, values = (
        (x @ W.T).reshape(B, L, H, d // H).swapaxes(1, 2)  # (B, L, d) → (B, L, H, d/H) → (B, H, L, d/H)
        for W in np.split(W_in, 3)
    )
    mask = padding_mask(lengths, L)[:, None] & causal_mask(L)  # (B, 1, L, L)
    heads, weights = attention(queries, keys, values, mask)
    output = heads.swapaxes(1, 2).reshape(B, L, d) @ W_out.T
    assert_close(weights, expected_weights)
    assert_close(output, expected)


@given(problems())
def test_attention_by_loop(problem: Problem) -> None:
    queries, keys, values, mask = problem
    output, weights = attention(queries, keys, values, mask)
    allowed = np.broadcast_to(mask, weights.shape)
    expected, expected_weights = np.zeros(output.shape), np.zeros(weights.shape)
    for *b, i in np.ndindex(weights.shape[:-1]):
        exponentials = {
            j: math.exp(math.fsum(map(float, queries[*b, i] * keys[*b, j])) / math.sqrt(keys.shape[-1]))
            for j in range(keys.shape[-2])
            if allowed[*b, i, j]
        }
        for j, exponential in exponentials.items():
            expected_weights[*b, i, j] = exponential / sum(exponentials.values())
            expected[*b, i] += expected_weights[*b, i, j] * values[*b, j]
    assert_close(weights, expected_weights.astype(weights.dtype))
    assert_close(output, expected.astype(output.dtype))


def test_attention_by_hand() -> None:
    """Two queries, three keys, d_k = 4: scores are halved; weights 1 : 2 : 5 and 1 : 4 : 25."""
    keys = np.diag([1.0, 1, 1, 0])[:3]
    queries = 2 * np.log([[1.0, 2, 5, 7], [1, 4, 25, 7]])
    values = np.array([[8.0, 0, 30], [0, 8, 60], [0, 0, 120]])
    output, weights = attention(queries, keys, values)
    assert_close(weights, np.array([[1 / 8, 2 / 8, 5 / 8], [1 / 30, 4 / 30, 25 / 30]]))
    assert_close(output, np.array([[1, 2, 93.75], [8 / 30, 32 / 30, 109]]))


@given(problems())
def test_weights_are_an_average_over_the_allowed_keys(problem: Problem) -> None:
    output, weights = attention(*problem)
    assert np.all(weights >= 0)
    assert_close(weights.sum(axis=-1), np.ones_like(weights[..., 0]))
    assert np.all(weights[~np.broadcast_to(problem.mask, weights.shape)] == 0)
    slack = 1e-5 * np.abs(problem.values).max()
    assert np.all(output <= problem.values.max(axis=-2, keepdims=True) + slack)
    assert np.all(output >= problem.values.min(axis=-2, keepdims=True) - slack)


@given(problems(), st.randoms(use_true_random=False))
def test_permuting_keys_and_values_together_changes_nothing(problem: Problem, random: Any) -> None:
    queries, keys, values, mask = problem
    output, weights = attention(queries, keys, values, mask)
    order = random.sample(range(keys.shape[-2]), keys.shape[-2])
    permuted, permuted_weights = attention(
        queries, keys[..., order, :], values[..., order, :], mask[..., order]
    )
    assert_close(permuted, output)
    assert_close(permuted_weights, weights[..., order])


@given(problems(), st.randoms(use_true_random=False))
def test_permuting_queries_permutes_the_output(problem: Problem, random: Any) -> None:
    queries, keys, values, _ = problem
    order = random.sample(range(queries.shape[-2]), queries.shape[-2])
    output, weights = attention(queries[..., order, :], keys, values)
    assert_close(output, attention(queries, keys, values)[0][..., order, :])
    assert_close(weights, attention(queries, keys, values)[1][..., order, :])


@given(problems())
def test_a_masked_key_might_as_well_not_be_there(problem: Problem) -> None:
    queries, keys, values, _ = problem
    other = np.full_like(keys[..., :1, :], 50), np.full_like(values[..., :1, :], 1e6)
    mask = np.arange(1 + keys.shape[-2]) > 0
    output, weights = attention(
        queries, np.concatenate([other[0], keys], -2), np.concatenate([other[1], values], -2), mask
    )
    expected, expected_weights = attention(queries, keys, values)
    assert_close(output, expected)
    assert_close(weights[..., 1:], expected_weights)
    assert np.all(weights[..., 0] == 0)


@given(problems(), st.data())
def test_rows_masked_whole_give_zeros_and_leave_others_alone(problem: Problem, data: st.DataObject) -> None:
    queries, keys, values, mask = problem
    mask = np.broadcast_to(mask, (*queries.shape[:-1], keys.shape[-2])).copy()
    dead = np.array([data.draw(st.booleans()) for _ in range(queries.shape[-2])])
    expected, expected_weights = attention(queries, keys, values, mask)
    mask[..., dead, :] = False
    output, weights = attention(queries, keys, values, mask)
    assert np.all(output[..., dead, :] == 0)
    assert np.all(weights[..., dead, :] == 0)
    assert_close(output[..., ~dead, :], expected[..., ~dead, :])
    assert_close(weights[..., ~dead, :], expected_weights[..., ~dead, :])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("allowed_score", [-1e12, 0.0])
@pytest.mark.parametrize("masked_score", [0.0, 1e12, np.inf])
def test_nothing_leaks_through_the_mask_however_large_the_scores(
    allowed_score: float, masked_score: float, dtype: Any
) -> None:
    def score(queries: Array, keys: Array) -> Array:
        return np.array([[masked_score, allowed_score]], dtype)

    x = np.ones((2, 1), dtype)
    output, weights = attention(x[:1], x, np.array([[7], [3]], dtype), np.array([False, True]), score)
    assert_close(weights, np.array([[0, 1]], dtype))
    assert_close(output, np.array([[3]], dtype))


def test_large_scores_do_not_overflow_in_float32() -> None:
    keys = np.float32(1e3) * np.eye(4, dtype=np.float32)
    output, weights = attention(np.float32(20) * np.eye(4, dtype=np.float32), keys, keys)  # scores of 1e4
    assert_close(weights, np.eye(4, dtype=np.float32))
    assert_close(output, keys)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_softmax_of_any_score(score: Any, masked: bool) -> None:
    queries, keys, values = normal(5, 2, 1, 4, 3), normal(6, 5, 6, 3), normal(7, 5, 6, 2)
    mask = normal(8, 2, 1, 4, 6) < 0.5 if masked else None
    output, weights = attention(queries, keys, values, mask, score=score)
    scores = torch.from_numpy(score(queries, keys))
    if mask is not None:
        scores = scores.masked_fill(~torch.from_numpy(mask), -torch.inf)
    expected = torch.softmax(scores, dim=-1)
    assert output.shape == (2, 5, 4, 2)
    assert_close(weights, expected)
    assert_close(output, expected @ torch.from_numpy(values.copy()))


def test_attention_without_keys_answers_nothing() -> None:
    output, weights = attention(np.ones((3, 2)), np.ones((0, 2)), np.ones((0, 4)))
    assert_close(output, np.zeros((3, 4)))
    assert weights.shape == (3, 0)


def test_one_sequence_under_several_masks() -> None:
    x, masks = (
        normal(0, 4, 3),
        np.stack([causal_mask(4), window_mask(4, 1), causal_mask(4) & padding_mask([2], 4)[0]]),
    )
    output, weights = attention(x, x, x, masks)
    for n in range(3):
        assert_close(output[n], attention(x, x, x, masks[n])[0])
        assert_close(weights[n], attention(x, x, x, masks[n])[1])


# ---- Lookups ----


@given(st.sets(st.integers(0, 5), min_size=1).map(list), st.lists(st.integers(0, 5), min_size=1))
def test_exact_lookup_is_a_dictionary(stored: list[int], asked: list[int]) -> None:
    words = normal(0, 6, 3)
    values = normal(1, len(stored), 2)
    dictionary = dict(zip(stored, values, strict=True))
    output, weights = exact_lookup(words[asked], words[stored], values)
    assert_close(output, np.array([dictionary.get(word, np.zeros(2)) for word in asked]))
    np.testing.assert_array_equal(weights, np.equal.outer(asked, stored))


def test_exact_lookup_of_words_and_of_a_key_stored_twice() -> None:
    keys, values = [["France"], ["UK"], ["France"]], [[1.0], [2.0], [5.0]]
    output, weights = exact_lookup([["France"], ["French Republic"], ["UK"]], keys, values)
    assert_close(weights, np.array([[0.5, 0, 0.5], [0, 0, 0], [0, 1, 0]]))
    assert_close(output, np.array([[3.0], [0], [2]]))


def test_exact_lookup_needs_every_component_to_agree() -> None:
    _, weights = exact_lookup([[1.0, 2.0]], [[1.0, 3.0], [0.0, 2.0], [1.0, 2.0]], np.eye(3))
    assert_close(weights, np.array([[0.0, 0, 1]]))


@pytest.mark.parametrize("score", SCORES)
def test_hard_lookup_takes_the_argmax_of_any_score(score: Any) -> None:
    queries, keys, values = normal(5, 2, 1, 4, 3), normal(6, 5, 6, 3), normal(7, 5, 6, 2)
    output, weights = hard_lookup(queries, keys, values, score=score)
    for b, h, i in np.ndindex(2, 5, 4):
        scores = score(queries[b, 0], keys[h])[i].tolist()
        winner = scores.index(max(scores))
        assert_close(output[b, h, i], values[h, winner])
        assert_close(weights[b, h, i], np.eye(6)[winner])


def test_hard_lookup_takes_the_first_of_ties_and_the_nearest_by_distance() -> None:
    keys = [[1.0, 0], [0, 9], [1, 0], [0, 1]]
    assert_close(hard_lookup([[1.0, 0]], keys, np.eye(4))[1], np.eye(4)[:1])
    assert_close(hard_lookup([[0.0, 1]], keys, np.eye(4))[1], np.eye(4)[1:2])  # the long key wins
    nearest = hard_lookup([[0.0, 1]], keys, np.eye(4), score=squared_distance_scores)[1]
    assert_close(nearest, np.eye(4)[3:])


@given(problems(), st.floats(0, 20))
def test_soft_lookup_is_attention_to_sharpened_scores(problem: Problem, sharpness: float) -> None:
    queries, keys, values, _ = problem
    output, weights = soft_lookup(queries, keys, values, sharpness)
    q, k, v = tensors(queries, keys, values)
    sdpa = torch.nn.functional.scaled_dot_product_attention
    assert_close(output, sdpa(q, k, v, scale=sharpness / keys.shape[-1] ** 0.5))
    assert_close(soft_lookup(queries, keys, values)[0], attention(queries, keys, values)[0])
    assert weights.dtype == queries.dtype


@pytest.mark.parametrize("score", SCORES)
def test_soft_lookup_sharpens_to_hard_lookup(score: Any) -> None:
    queries, keys, values = normal(1, 10, 3), normal(2, 5, 3), normal(3, 5, 2)
    hard, hard_weights = hard_lookup(queries, keys, values, score=score)
    distance = [
        np.abs(soft_lookup(queries, keys, values, sharpness=beta, score=score)[1] - hard_weights).max(axis=-1)
        for beta in (0, 1, 10, 100, 1e6)
    ]
    assert np.all(np.diff(distance, axis=0) <= 0)
    assert_close(soft_lookup(queries, keys, values, sharpness=1e6, score=score)[0], hard)
    assert_close(soft_lookup(queries, keys, values, sharpness=0)[1], np.full((10, 5), 0.2))
    # two keys alike share what hard lookup gives to the first
    assert_close(soft_lookup([[1.0]], [[2.0], [2], [0]], np.eye(3), 1e6)[1], np.array([[0.5, 0.5, 0]]))


def test_soft_lookup_by_distance_is_kernel_regression() -> None:
    x, y, grid, h = normal(0, 30, 1), normal(1, 30, 1), np.linspace(-2, 2, 9)[:, None], 0.3
    output, _ = soft_lookup(grid, x, y, sharpness=1 / (2 * h**2), score=squared_distance_scores)
    for at, got in zip(grid.ravel(), output.ravel(), strict=True):
        kernel = [math.exp(-(((at - x_i) / h) ** 2) / 2) for x_i in x.ravel()]
        assert got == pytest.approx(np.dot(kernel, y.ravel()) / sum(kernel), rel=1e-10)


# ---- Masks ----


@given(st.integers(0, 6), st.integers(0, 6))
def test_causal_mask_is_lower_triangular_aligned_at_the_last_position(L_q: int, extra: int) -> None:
    mask = causal_mask(L_q, L_q + extra)
    assert mask.dtype == np.bool_
    expected = [[j <= i for j in range(L_q + extra)] for i in range(extra, L_q + extra)]
    np.testing.assert_array_equal(mask, np.array(expected).reshape(L_q, L_q + extra))
    np.testing.assert_array_equal(causal_mask(L_q), torch.ones(L_q, L_q).tril().bool())


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.integers(5, 7))
def test_padding_mask_allows_as_many_keys_as_there_are_tokens(lengths: list[int], L: int) -> None:
    mask = padding_mask(lengths, L)
    assert mask.shape == (len(lengths), 1, L)
    assert mask.dtype == np.bool_
    assert mask[:, 0].tolist() == [[True] * n + [False] * (L - n) for n in lengths]


def test_padding_mask_serves_batches_with_and_without_heads() -> None:
    """A batch of padded sentences gives what each gives alone; an empty one gives zeros."""
    B, H, L, lengths = 3, 2, 4, [4, 0, 2]
    x = normal(0, B, H, L, 3)
    output, _ = attention(x, x, x, padding_mask(lengths, L)[:, None])
    flat, _ = attention(x[:, 0], x[:, 0], x[:, 0], padding_mask(lengths, L))
    for b, n in enumerate(lengths):
        alone, _ = attention(x[b], x[b, :, :n], x[b, :, :n])
        assert_close(output[b], alone)
        assert_close(flat[b], alone[0])


@given(st.integers(0, 7), st.integers(0, 9), st.booleans())
def test_window_mask_by_distance(L: int, window: int, causal: bool) -> None:
    mask = window_mask(L, window, causal=causal)
    assert mask.shape == (L, L)
    assert mask.dtype == np.bool_
    for i, j in np.ndindex(L, L):
        assert mask[i, j] == (abs(i - j) <= window and (j <= i or not causal))


def test_the_output_of_causal_attention_does_not_depend_on_the_future() -> None:
    x = normal(0, 5, 3)
    before, _ = attention(x, x, x, causal_mask(5))
    changed = x.copy()
    changed[3:] += 10
    after, _ = attention(changed, changed, changed, causal_mask(5))
    np.testing.assert_array_equal(after[:3], before[:3])
    assert np.all(np.abs(after[3:] - before[3:]).max(axis=-1) > 0.1)
    # the last two queries alone, over all keys, as with a cache
    assert_close(attention(x[3:], x, x, causal_mask(2, 5))[0], before[3:])


# ---- Windowed attention ----


@given(problems(self_attention=True), st.integers(0, 8), st.booleans())
def test_windowed_attention_is_attention_under_the_window_mask(
    problem: Problem, window: int, causal: bool
) -> None:
    queries, keys, values, _ = problem
    L = keys.shape[-2]
    output, band = windowed_attention(queries, keys, values, window, causal=causal)
    expected, weights = attention(queries, keys, values, window_mask(L, window, causal=causal))
    assert_close(output, expected)
    unrolled = np.zeros((*weights.shape[:-1], 2 * window + 1), weights.dtype)
    for i, j in np.ndindex(L, L):
        if abs(i - j) <= window:
            unrolled[..., i, j - i + window] = weights[..., i, j]
    assert_close(band, unrolled)


def test_windowed_attention_broadcasts_leading_axes() -> None:
    queries, keys, values = normal(0, 2, 1, 6, 3), normal(1, 5, 6, 3), normal(2, 6, 4)
    output, band = windowed_attention(queries, keys, values, 2)
    assert_close(output, attention(queries, keys, values, window_mask(6, 2))[0])
    assert band.shape == (2, 5, 6, 5)


def test_windowed_attention_never_makes_an_L_by_L_matrix() -> None:
    L = 4096
    x = normal(0, L, 2)
    tracemalloc.start()
    windowed_attention(x, x, x, window=2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < L * L / 4  # bytes: less than a matrix of Booleans, and of 2-bit numbers


# ---- Positional encodings ----


@given(st.integers(0, 20), st.integers(1, 16), st.sampled_from([2.0, 100.0, 10000.0]), st.integers(-5, 1000))
def test_sinusoidal_encoding_is_a_complex_exponential(L: int, half: int, base: float, start: int) -> None:
    encoding = sinusoidal_encoding(L, 2 * half, base=base, start=start)
    assert encoding.shape == (L, 2 * half)
    for n in range(L):
        for k in range(half):
            z = np.exp(1j * (start + n) * np.exp(-2 * k / (2 * half) * np.log(base)))
            assert abs(encoding[n, 2 * k] - z.imag) < 1e-10
            assert abs(encoding[n, 2 * k + 1] - z.real) < 1e-10


def test_sinusoidal_encoding_has_the_numbers_of_the_paper() -> None:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)) and cos beside it, for d = 8: divisors 1, 10, 100, 1000."""
    row = sinusoidal_encoding(8, 8)[7]
    sin_cos = [math.sin(7), math.cos(7), 0.644217687237691, 0.764842187284488]  # of 7 and 0.7
    sin_cos += [0.069942847337533, 0.997551000253280, 0.006999942833473, 0.999975500100041]  # of 0.07, 0.007
    assert_close(row, np.array(sin_cos))
    wide = sinusoidal_encoding(101, 512)
    assert wide[100, 256] == pytest.approx(math.sin(100 / 100), abs=1e-12)  # 10000^(256/512) = 100
    assert wide[100, 511] == pytest.approx(math.cos(100 / 10000 ** (510 / 512)), abs=1e-12)


def test_position_0_is_first_with_sines_0_and_cosines_1() -> None:
    np.testing.assert_array_equal(sinusoidal_encoding(3, 6)[0], [0, 1, 0, 1, 0, 1])
    np.testing.assert_array_equal(sinusoidal_encoding(9, 6)[4:], sinusoidal_encoding(5, 6, start=4))


@given(st.integers(1, 8), st.integers(-30, 30))
def test_a_shift_of_sinusoids_is_a_rotation(half: int, shift: int) -> None:
    here, there = sinusoidal_encoding(40, 2 * half), sinusoidal_encoding(40, 2 * half, start=shift)
    rotation = np.zeros((2 * half, 2 * half))
    for k in range(half):
        angle = shift / 10000 ** (k / half)
        pair = slice(2 * k, 2 * k + 2)
        rotation[pair, pair] = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    assert_close(there, here @ rotation.T)
    assert_close(rotation @ rotation.T, np.eye(2 * half))


@given(st.integers(0, 12), st.integers(1, 6))
def test_the_similarity_of_raw_indices_is_their_product(L: int, d: int) -> None:
    phi = index_encoding(L, d)
    assert phi.shape == (L, d)
    np.testing.assert_array_equal(phi[:, 0], np.arange(L))
    np.testing.assert_array_equal(phi @ phi.T, np.outer(np.arange(L), np.arange(L)))


@pytest.mark.parametrize("d", [16, 64, 256])
def test_random_fourier_similarity_is_a_gaussian_with_error_falling_as_one_over_root_d(d: int) -> None:
    L, length_scale, draws = 30, 5.0, 1000
    rng = np.random.default_rng(d)
    phi = np.stack([random_fourier_encoding(L, d, length_scale, rng) for _ in range(draws)])
    similarity = phi @ phi[:, 10, :, None]  # (draws, L, 1): with position 10
    delta = np.arange(L) - 10.0
    gaussian = np.exp(-(delta**2) / (2 * length_scale**2))
    deviation = (1 - gaussian**2) / math.sqrt(d)
    error = np.abs(similarity[..., 0].mean(axis=0) - gaussian)
    assert np.all(error <= 4 * deviation / math.sqrt(draws) + 1e-12)
    np.testing.assert_allclose(similarity[..., 0].std(axis=0), deviation, rtol=0.12, atol=1e-12)
    np.testing.assert_allclose(np.square(phi).sum(axis=-1), 1, rtol=1e-12)


def test_random_fourier_encoding_depends_on_its_generator_alone() -> None:
    first, again, other = (
        random_fourier_encoding(4, 6, 2.0, np.random.default_rng(seed)) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


# ---- Costs ----

Linear = partial(torch.nn.Linear, bias=False)


def numel(*modules: torch.nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


def multiply_adds(run: Any) -> int:
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run()
    return counter.get_total_flops() // 2


sizes = st.integers(1, 7)


@given(sizes, sizes, sizes, sizes)
def test_attention_cost_is_that_of_two_matrix_products(L_q: int, L_k: int, d_k: int, d_v: int) -> None:
    q, k, v = torch.ones(L_q, d_k), torch.ones(L_k, d_k), torch.ones(L_k, d_v)
    assert attention_cost(L_q, L_k, d_k, d_v) == (multiply_adds(lambda: torch.softmax(q @ k.T, -1) @ v), 0)


@given(sizes, sizes, sizes, sizes)
def test_self_attention_cost_is_that_of_a_head(L: int, d: int, d_k: int, d_v: int) -> None:
    W_q, W_k, W_v, x = Linear(d, d_k), Linear(d, d_k), Linear(d, d_v), torch.ones(L, d)
    expected = multiply_adds(lambda: torch.softmax(W_q(x) @ W_k(x).T, -1) @ W_v(x)), numel(W_q, W_k, W_v)
    assert self_attention_cost(L, d, d_k, d_v) == expected


@given(sizes, sizes, sizes, sizes, sizes, sizes)
def test_self_attention_cost_with_heads(L: int, d: int, d_k: int, d_v: int, n_heads: int, d_out: int) -> None:
    heads = [(Linear(d, d_k), Linear(d, d_k), Linear(d, d_v)) for _ in range(n_heads)]
    W_o, x = Linear(n_heads * d_v, d_out), torch.ones(L, d)

    def run() -> torch.Tensor:
        return W_o(torch.cat([torch.softmax(q(x) @ k(x).T, -1) @ v(x) for q, k, v in heads], -1))

    expected = multiply_adds(run), numel(W_o, *(matrix for head in heads for matrix in head))
    assert self_attention_cost(L, d, d_k, d_v, n_heads=n_heads, d_out=d_out) == expected


def test_self_attention_cost_of_torchs_layer_is_the_same_for_every_number_of_heads() -> None:
    L, d = 5, 8
    for n_heads in (1, 2, 4, 8):
        layer = torch.nn.MultiheadAttention(d, n_heads, bias=False)
        cost = self_attention_cost(L, d, d // n_heads, d // n_heads, n_heads=n_heads, d_out=d)
        assert cost == (4 * L * d**2 + 2 * L**2 * d, numel(layer))


@pytest.mark.parametrize(("kind", "n_gates"), [("RNN", 1), ("GRU", 3), ("LSTM", 4)])
@pytest.mark.parametrize(("L", "d", "d_v"), [(1, 1, 1), (5, 3, 4), (2, 6, 1)])
def test_recurrent_cost(kind: str, n_gates: int, L: int, d: int, d_v: int) -> None:
    cell = getattr(torch.nn, f"{kind}Cell")(d, d_v, bias=False)

    def run() -> None:
        state = None
        for _ in range(L):
            state = cell(torch.ones(1, d), state)

    layer = getattr(torch.nn, kind)(d, d_v, bias=False)
    assert recurrent_cost(L, d, d_v, n_gates) == (multiply_adds(run), numel(layer))
    assert recurrent_cost(L, d, d_v) == recurrent_cost(L, d, d_v, n_gates=1)


@given(sizes, sizes, sizes, st.sampled_from([1, 3, 5]))
def test_convolution_cost(L: int, d: int, d_v: int, kernel_size: int) -> None:
    layer = torch.nn.Conv1d(d, d_v, kernel_size, padding="same", bias=False)
    expected = multiply_adds(lambda: layer(torch.ones(1, d, L))), numel(layer)
    assert convolution_cost(L, d, d_v, kernel_size) == expected


@given(sizes, sizes, sizes)
def test_dense_cost(L: int, d: int, d_v: int) -> None:
    layer = Linear(L * d, L * d_v)
    assert dense_cost(L, d, d_v) == (multiply_adds(lambda: layer(torch.ones(1, L * d))), numel(layer))


def test_counts_are_exact_for_numbers_that_overflow_machine_integers() -> None:
    n = np.int64(10**6)
    assert dense_cost(n, n, n).parameters == 10**24
    assert self_attention_cost(n, n, n, n).multiply_adds == 5 * 10**18


# ---- Wrong input: ValueError, naming the argument, its shape and what was expected ----

x34, x54, x35 = np.ones((3, 4)), np.ones((5, 4)), np.ones((3, 5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: softmax(["a"]), "x must hold real numbers, got dtype <U1"),
        (lambda: softmax([1j]), "x must hold real numbers, got dtype complex"),
        (lambda: softmax([1.0], axis=1), "axis 1 is out of bounds"),
        (lambda: dot_product_scores(np.ones(4), x34), r"queries must have shape \(…, L, d\).*got \(4,\)"),
        (lambda: dot_product_scores(x34, np.ones((3, 0))), r"keys must have shape \(…, L, d\).*got \(3, 0\)"),
        (lambda: dot_product_scores(x34, x35), r"same width, d_q = d_k, got \(3, 4\) and \(3, 5\)"),
        (lambda: squared_distance_scores(x34, x35), r"same width, d_q = d_k, got \(3, 4\) and \(3, 5\)"),
        (
            lambda: dot_product_scores(np.ones((2, 3, 4)), np.ones((5, 3, 4))),
            r"leading axes must broadcast.*queries \(2, 3, 4\), keys \(5, 3, 4\)",
        ),
        (
            lambda: additive_scores(x34, x35, np.ones((5, 2)), np.ones((5, 2)), np.ones(2)),
            r"W_q must have shape \(4, any\), got \(5, 2\)",
        ),
        (
            lambda: additive_scores(x34, x35, np.ones((4, 2)), np.ones((5, 3)), np.ones(2)),
            r"W_k must have shape \(5, 2\), got \(5, 3\)",
        ),
        (
            lambda: additive_scores(x34, x35, np.ones((4, 2)), np.ones((5, 2)), np.ones((2, 1))),
            r"v must have shape \(2\), got \(2, 1\)",
        ),
        (
            lambda: multiplicative_scores(x34, x35, np.ones((5, 4))),
            r"W must have shape \(4, 5\), got \(5, 4\)",
        ),
        (lambda: attention(x34, x35, x34), r"same width, d_q = d_k, got \(3, 4\) and \(3, 5\)"),
        (lambda: attention(x34, x34, x54), r"keys and values must be equally many.*\(3, 4\) and \(5, 4\)"),
        (lambda: attention(x34, x54, np.ones(5)), r"values must have shape \(…, L, d\).*got \(5,\)"),
        (lambda: attention(x34, x34, [["a"]] * 3), "values must hold real numbers, got dtype <U1"),
        (
            lambda: attention(np.ones((2, 3, 4)), x34, np.ones((5, 3, 4))),
            r"leading axes must broadcast.*queries \(2, 3, 4\), keys \(3, 4\), values \(5, 3, 4\)",
        ),
        (lambda: attention(x34, x54, x54, np.ones((3, 5))), "mask must be boolean.*got dtype float64"),
        (lambda: attention(x34, x54, x54, np.ones((3, 5), int)), "mask must be boolean.*got dtype int64"),
        (
            lambda: attention(x34, x54, x54, np.ones((5, 3), bool)),
            r"mask must broadcast.*L_k\) = \(3, 5\), got \(5, 3\)",
        ),
        (
            lambda: attention(x34, x54[:1], x54[:1], np.ones((3, 5), bool)),
            r"mask must broadcast.*L_k\) = \(3, 1\), got \(3, 5\)",
        ),
        (
            lambda: attention(x34, x54, x54, score=lambda q, k: dot_product_scores(k, q)),
            r"score must return \(…, L_q, L_k\) = \(…, 3, 5\), got \(5, 3\)",
        ),
        (lambda: exact_lookup(x34, x35, x34), r"same width, d_q = d_k, got \(3, 4\) and \(3, 5\)"),
        (
            lambda: hard_lookup(x34, np.ones((0, 4)), np.ones((0, 4))),
            r"keys must hold at least one key, got shape \(0, 4\)",
        ),
        (
            lambda: soft_lookup(x34, x34, x34, sharpness=-1),
            "sharpness must be finite and not neg.*, got -1",
        ),
        (lambda: soft_lookup(x34, x34, x34, math.inf), "sharpness must be finite and not negative, got inf"),
        (lambda: soft_lookup(x34, x34, x34, math.nan), "sharpness must be finite and not negative, got nan"),
        (lambda: causal_mask(-1), "L_q must be at least 0, got -1"),
        (lambda: causal_mask(3, 2), "L_k must be at least 3, got 2"),
        (lambda: causal_mask(2.0), "L_q must be a whole number, got 2.0"),
        (lambda: padding_mask([1, 4], 3), r"lengths must be whole numbers from 0 to L=3.*\(2,\): \[1 4\]"),
        (lambda: padding_mask([-1], 3), "lengths must be whole numbers from 0 to L=3"),
        (lambda: padding_mask([1.0], 3), "lengths must be whole numbers from 0 to L=3"),
        (lambda: padding_mask([[1]], 3), r"shape \(B,\), got shape \(1, 1\)"),
        (lambda: padding_mask(np.array([True]), 3), "lengths must be whole numbers from 0 to L=3"),
        (lambda: window_mask(3, -1), "window must be at least 0, got -1"),
        (lambda: windowed_attention(x34, x34, x34, -1), "window must be at least 0, got -1"),
        (lambda: windowed_attention(x34, x54, x54, 1), r"queries \(3, 4\) must be as many as keys \(5, 4\)"),
        (lambda: sinusoidal_encoding(3, 5), "d must be even.*got 5"),
        (lambda: sinusoidal_encoding(3, 0), "d must be at least 2, got 0"),
        (lambda: sinusoidal_encoding(-1, 4), "L must be at least 0, got -1"),
        (lambda: sinusoidal_encoding(3, 4, base=0), "base must be positive and finite, got 0"),
        (lambda: sinusoidal_encoding(3, 4, start=0.5), "start must be a whole number"),
        (lambda: index_encoding(3, 0), "d must be at least 1, got 0"),
        (lambda: random_fourier_encoding(3, 5, 1.0, np.random.default_rng(0)), "d must be even.*got 5"),
        (
            lambda: random_fourier_encoding(3, 4, 0.0, np.random.default_rng(0)),
            "length_scale must be positive and finite, got 0.0",
        ),
        (lambda: attention_cost(0, 1, 1, 1), "L_q must be at least 1, got 0"),
        (lambda: self_attention_cost(1, 1, 1, 1, d_out=0), "d_out must be at least 1, got 0"),
        (lambda: recurrent_cost(1, 1, 1, n_gates=0), "n_gates must be at least 1, got 0"),
        (lambda: convolution_cost(1, 1, 1, 2.5), "kernel_size must be a whole number"),
        (lambda: dense_cost(1, -1, 1), "d must be at least 1, got -1"),
    ],
)
def test_wrong_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
