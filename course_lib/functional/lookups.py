"""Looking things up in a dictionary: exactly, by the best key, and softly, which is attention.

All of it raises ValueError if an argument does not have the shape given, or if leading axes do not broadcast.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib.functional.attention import attention, dot_product_scores
from course_lib.functional.checks import FloatArray, ScoreFunction, check_same_width, require


def exact_lookup(queries: ArrayLike, keys: ArrayLike, values: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Look up as a Python dictionary does: the value whose key equals the query, or nothing.

    Parameters
    ----------
    queries : array (…, L_q, d_k)
        Numbers, or words: anything that can be compared.
    keys : array (…, L_k, d_k)
    values : array (…, L_k, d_v)

    Returns
    -------
    output : array (…, L_q, d_v)
        Zeros for a query that equals no key; the mean of the values if it equals several.
    weights : array (…, L_q, L_k)

    Notes
    -----
    Formula: attention with s_ij = 0 if q_i = k_j, else −∞. B writes +∞ for a match, which gives the same
    weights only as a limit: softmax(+∞, −∞, −∞) is NaN as arithmetic.

    Source: B 10.2.2.

    Examples
    --------
    >>> countries = [["France"], ["UK"], ["Germany"]]
    >>> exact_lookup([["UK"], ["Spain"]], countries, np.eye(3))[1]
    array([[0., 1., 0.],
           [0., 0., 0.]])
    """

    def equality_scores(queries: NDArray[Any], keys: NDArray[Any]) -> FloatArray:
        check_same_width(queries, keys)
        equal = (queries[..., :, None, :] == keys[..., None, :, :]).all(axis=-1)  # (…, L_q, L_k)
        return np.where(equal, 0.0, -np.inf)

    return attention(queries, keys, values, score=equality_scores)


def hard_lookup(
    queries: ArrayLike, keys: ArrayLike, values: ArrayLike, score: ScoreFunction = dot_product_scores
) -> tuple[FloatArray, FloatArray]:
    """Look up the best key: the whole weight on the highest score, on the first of several equal ones.

    Parameters
    ----------
    queries : array (…, L_q, d_q)
    keys : array (…, L_k, d_k), with at least one key
    values : array (…, L_k, d_v)
    score : function (queries, keys) → (…, L_q, L_k)

    Returns
    -------
    output : array (…, L_q, d_v)
        There is always an answer, even to a query that is nothing like any key.
    weights : array (…, L_q, L_k)

    Raises
    ------
    ValueError
        As `attention`, or if there is no key.

    Notes
    -----
    Formula: w_ij = 1 if j is the first argmax_l s_il, else 0. It is the limit of `soft_lookup` as its
    sharpness goes to ∞, where no two scores tie for the highest.

    Source: B 10.2.2.

    Examples
    --------
    >>> hard_lookup([[1.0, 0.2]], [[1.0, 0.0], [0.0, 1.0]], [[10.0], [20.0]])
    (array([[10.]]), array([[1., 0.]]))
    """

    def winner_scores(queries: NDArray[Any], keys: NDArray[Any]) -> FloatArray:
        require(keys.shape[-2] > 0, f"keys must hold at least one key, got shape {keys.shape}")
        scores = score(queries, keys)  # (…, L_q, L_k)
        winner = scores.argmax(axis=-1, keepdims=True)  # (…, L_q, 1), the first of equals
        return np.where(np.arange(keys.shape[-2]) == winner, 0.0, -np.inf)

    return attention(queries, keys, values, score=winner_scores)


def soft_lookup(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    sharpness: float = 1.0,
    score: ScoreFunction = dot_product_scores,
) -> tuple[FloatArray, FloatArray]:
    """Look up by degrees: every value takes part, the better its key matches the more.

    Parameters
    ----------
    queries : array (…, L_q, d_q)
    keys : array (…, L_k, d_k)
    values : array (…, L_k, d_v)
    sharpness : float
        β ≥ 0. At 0 all keys count alike, 1 is plain attention, and β → ∞ approaches `hard_lookup`.
    score : function (queries, keys) → (…, L_q, L_k)

    Returns
    -------
    output : array (…, L_q, d_v)
    weights : array (…, L_q, L_k)

    Raises
    ------
    ValueError
        As `attention`, or if the sharpness is negative or not finite.

    Notes
    -----
    Formula: w_i = softmax(β s_i). With `score=squared_distance_scores` and β = 1/(2h²) it is Nadaraya–Watson
    regression with a Gaussian kernel of bandwidth h.

    Source: B 10.2.2.

    Examples
    --------
    >>> keys, values = [[1.0], [0.0]], [[10.0], [20.0]]
    >>> [round(soft_lookup([[1.0]], keys, values, beta)[0].item(), 2) for beta in (0, 1, 3, 10)]
    [15.0, 12.69, 10.47, 10.0]
    """
    require(0 <= sharpness < math.inf, f"sharpness must be finite and not negative, got {sharpness}")
    return attention(queries, keys, values, score=lambda q, k: float(sharpness) * score(q, k))
