"""Attention in NumPy: softmax, the scores, and their use as weights.

All of it raises ValueError if an argument does not have the shape given, if the widths of queries and keys differ
where one letter stands for both, or if leading axes do not broadcast. Other errors stand with the function.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from course_lib.functional.checks import (
    FloatArray,
    ScoreFunction,
    as_float,
    checked_mask,
    checked_scores,
    dictionary,
    parameter,
    vector_pair,
)


def softmax(x: ArrayLike, axis: int = -1) -> FloatArray:
    """Turn scores into weights that sum to 1 along one axis.

    Parameters
    ----------
    x : array, any shape
        Scores. −∞ marks an entry that may get no weight.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    array, shape of `x`
        Weights in [0, 1]. A row that holds nothing but −∞ gives zeros.

    Raises
    ------
    ValueError
        If `x` does not hold real numbers or has no such axis.

    Notes
    -----
    Formula: softmax(x)_j = exp(x_j − m) / Σ_l exp(x_l − m), where m = max_l x_l. Any m cancels out; this one
    keeps exp from overflowing. A row with +∞ is NaN, with NumPy’s warning, for ∞ − ∞ has no value.

    Source: B 10.2.1, which applies it row by row and without m.

    Examples
    --------
    >>> softmax([0.0, np.log(3.0), -np.inf])
    array([0.25, 0.75, 0.  ])
    >>> softmax([-np.inf, -np.inf])
    array([0., 0.])
    """
    x = as_float("x", x)
    largest = x.max(axis=axis, keepdims=True, initial=-np.inf)
    largest = np.where(largest == -np.inf, 0, largest)  # −∞ − 0 stays −∞, where −∞ − (−∞) would be NaN
    exponentials = np.exp(x - largest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)  # 0/1 instead of 0/0 in a row of −∞


def dot_product_scores(queries: ArrayLike, keys: ArrayLike, scaled: bool = True) -> FloatArray:
    """Score each key by its dot product with each query.

    Parameters
    ----------
    queries : array (…, L_q, d_k)
    keys : array (…, L_k, d_k)
    scaled : bool
        Divide by √d_k. For independent components of mean 0 and variance 1, q·k has variance d_k; divided,
        it has variance 1 whatever the width.

    Returns
    -------
    array (…, L_q, L_k)

    Notes
    -----
    Formula: s_ij = q_i · k_j / √d_k, for all i and j at once Q Kᵀ / √d_k.

    Source: B 10.2.1; paper, section 3.2.1.

    Examples
    --------
    >>> dot_product_scores([[2.0, 0, 0, 2]], [[1.0, 0, 0, 0], [1, 0, 0, 1]])
    array([[1., 2.]])
    """
    queries, keys = vector_pair(queries, keys)
    d_k = keys.shape[-1]
    scores = queries @ keys.mT  # (…, L_q, d_k) @ (…, d_k, L_k) → (…, L_q, L_k)
    return scores / math.sqrt(d_k) if scaled else scores


def additive_scores(
    queries: ArrayLike, keys: ArrayLike, W_q: ArrayLike, W_k: ArrayLike, v: ArrayLike
) -> FloatArray:
    """Score by a small network with one hidden layer (Bahdanau); queries and keys may differ in width.

    Parameters
    ----------
    queries : array (…, L_q, d_q)
    keys : array (…, L_k, d_k)
    W_q : array (d_q, d_a)
    W_k : array (d_k, d_a)
    v : array (d_a,)

    Returns
    -------
    array (…, L_q, L_k)

    Notes
    -----
    Formula: s_ij = tanh(q_i W_q + k_j W_k) · v

    Source: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and Translate"
    (2014), section A.1.2; named in B 10.2.

    Examples
    --------
    >>> from functools import partial
    >>> score = partial(additive_scores, W_q=[[1.0]], W_k=[[1.0]], v=[2.0])
    >>> score([[0.0], [1.0]], [[0.0], [-1.0], [50.0]]).round(2)
    array([[ 0.  , -1.52,  2.  ],
           [ 1.52,  0.  ,  2.  ]])
    """
    queries, keys = vector_pair(queries, keys, same_width=False)
    W_q = parameter("W_q", W_q, (queries.shape[-1], None))
    W_k = parameter("W_k", W_k, (keys.shape[-1], W_q.shape[1]))
    v = parameter("v", v, (W_q.shape[1],))
    hidden = np.tanh((queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :])  # (…, L_q, L_k, d_a)
    return hidden @ v  # (…, L_q, L_k, d_a) @ (d_a,) → (…, L_q, L_k)


def multiplicative_scores(queries: ArrayLike, keys: ArrayLike, W: ArrayLike) -> FloatArray:
    """Score by a learned bilinear form (Luong's "general"); queries and keys may differ in width.

    Parameters
    ----------
    queries : array (…, L_q, d_q)
    keys : array (…, L_k, d_k)
    W : array (d_q, d_k)

    Returns
    -------
    array (…, L_q, L_k)

    Notes
    -----
    Formula: s_ij = q_i W k_jᵀ; with W the identity, the dot product unscaled.

    Source: Luong, Pham and Manning, "Effective Approaches to Attention-based Neural Machine Translation"
    (2015), section 3.1; named in B 10.2.

    Examples
    --------
    >>> multiplicative_scores([[1.0, 2.0]], [[1.0], [3.0]], W=[[10.0], [100.0]])
    array([[210., 630.]])
    """
    queries, keys = vector_pair(queries, keys, same_width=False)
    W = parameter("W", W, (queries.shape[-1], keys.shape[-1]))
    return queries @ W @ keys.mT  # (…, L_q, d_q) @ (d_q, d_k) @ (…, d_k, L_k) → (…, L_q, L_k)


def squared_distance_scores(queries: ArrayLike, keys: ArrayLike) -> FloatArray:
    """Score each key by minus its squared distance from each query: 0 at best, no key wins by being long.

    Parameters
    ----------
    queries : array (…, L_q, d_k)
    keys : array (…, L_k, d_k)

    Returns
    -------
    array (…, L_q, L_k)

    Notes
    -----
    Formula: s_ij = −‖q_i − k_j‖². After the softmax of s/(2h²), the weights are those of Nadaraya–Watson
    regression with a Gaussian kernel of bandwidth h.

    Source: Nadaraya (1964), Watson (1964).

    Examples
    --------
    >>> squared_distance_scores([[1.0, 1.0]], [[1.0, 1.0], [4.0, 5.0]])
    array([[ -0., -25.]])
    """
    queries, keys = vector_pair(queries, keys)
    differences = queries[..., :, None, :] - keys[..., None, :, :]  # (…, L_q, L_k, d_k)
    return -np.sum(differences**2, axis=-1)


def attention(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    mask: ArrayLike | None = None,
    score: ScoreFunction = dot_product_scores,
) -> tuple[FloatArray, FloatArray]:
    """Answer each query with an average of the values, weighted by how well their keys match it.

    Parameters
    ----------
    queries : array (…, L_q, d_q)
    keys : array (…, L_k, d_k)
    values : array (…, L_k, d_v)
    mask : boolean array, broadcastable to (…, L_q, L_k)
        True where query i may attend to key j; None allows all.
    score : function (queries, keys) → (…, L_q, L_k)
        For one with parameters, fix these by `functools.partial`.

    Returns
    -------
    output : array (…, L_q, d_v)
    weights : array (…, L_q, L_k)
        Each row sums to 1. A row with no key allowed is zero, and so is its output.

    Raises
    ------
    ValueError
        If an argument has another shape than these, if the leading axes do not broadcast, if the mask is not
        boolean, or if the score function does not take these widths.

    Notes
    -----
    Formula: Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, the softmax row by row, and scores of −∞ where the
    mask is False. Values behind the mask count 0 times, so they must be finite: 0 · NaN is NaN.

    Source: B 10.2.1 and 10.2.3; the mask: A, "How Masked Self-Attention Works"; paper, section 3.2.

    Examples
    --------
    >>> output, weights = attention([[0.0]], [[1.0], [2.0], [3.0]], [[10.0], [20.0], [90.0]])
    >>> output
    array([[40.]])
    >>> attention([[0.0]], [[1.0], [2.0], [3.0]], [[10.0], [20.0], [90.0]], mask=[[True, True, False]])
    (array([[15.]]), array([[0.5, 0.5, 0. ]]))
    """
    queries, keys, values = dictionary(queries, keys, values)
    scores = checked_scores(score(queries, keys), queries, keys)  # (…, L_q, L_k)
    if mask is not None:
        scores = np.where(checked_mask(mask, scores), scores, -np.inf)
    weights = softmax(scores, axis=-1)
    return weights @ values, weights  # (…, L_q, L_k) @ (…, L_k, d_v) → (…, L_q, d_v)
