"""The mathematics of the course in NumPy: one function a formula, in the order in which it is needed.

Sequences are arrays of row vectors, (…, L, d): any number of leading axes (batch, heads), then one row a
position. A mask is boolean, True where attention is *allowed*. Attention weights are (…, L_q, L_k): each
query is a row. Positions count from 0, as in Python; documents A and B count from 1.

Arrays of float32 stay float32, whole numbers become float64. Wrong input raises ValueError, which names the
argument, its shape and what was expected.

Sources: A is "Self-Attention and Positional Encoding", B is "Attention Mechanism and Transformers"; the paper
is Vaswani et al., "Attention Is All You Need" (2017).
"""

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating[Any]]
BoolArray = NDArray[np.bool_]
ScoreFunction = Callable[[NDArray[Any], NDArray[Any]], FloatArray]


# ---- Softmax ----


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
    x = _as_float("x", x)
    largest = x.max(axis=axis, keepdims=True, initial=-np.inf)
    largest = np.where(largest == -np.inf, 0, largest)  # −∞ − 0 stays −∞, where −∞ − (−∞) would be NaN
    exponentials = np.exp(x - largest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)  # 0/1 instead of 0/0 in a row of −∞


# ---- Scores: how well does each key answer each query? ----


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

    Raises
    ------
    ValueError
        If an argument is not (…, L, d), if d_q ≠ d_k, or if the leading axes do not broadcast.

    Notes
    -----
    Formula: s_ij = q_i · k_j / √d_k, for all i and j at once Q Kᵀ / √d_k.

    Source: B 10.2.1; paper, section 3.2.1.

    Examples
    --------
    >>> dot_product_scores([[2.0, 0, 0, 2]], [[1.0, 0, 0, 0], [1, 0, 0, 1]])
    array([[1., 2.]])
    """
    queries, keys = _vector_pair(queries, keys)
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

    Raises
    ------
    ValueError
        If an argument has another shape than these, or if the leading axes do not broadcast.

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
    queries, keys = _vector_pair(queries, keys, same_width=False)
    W_q = _parameter("W_q", W_q, (queries.shape[-1], None))
    W_k = _parameter("W_k", W_k, (keys.shape[-1], W_q.shape[1]))
    v = _parameter("v", v, (W_q.shape[1],))
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

    Raises
    ------
    ValueError
        If an argument has another shape than these, or if the leading axes do not broadcast.

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
    queries, keys = _vector_pair(queries, keys, same_width=False)
    W = _parameter("W", W, (queries.shape[-1], keys.shape[-1]))
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

    Raises
    ------
    ValueError
        If an argument is not (…, L, d), if d_q ≠ d_k, or if the leading axes do not broadcast.

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
    queries, keys = _vector_pair(queries, keys)
    differences = queries[..., :, None, :] - keys[..., None, :, :]  # (…, L_q, L_k, d_k)
    return -np.sum(differences**2, axis=-1)


# ---- Attention ----


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
    queries, keys, values = _dictionary(queries, keys, values)
    scores = _checked_scores(score(queries, keys), queries, keys)  # (…, L_q, L_k)
    if mask is not None:
        scores = np.where(_checked_mask(mask, scores), scores, -np.inf)
    weights = softmax(scores, axis=-1)
    return weights @ values, weights  # (…, L_q, L_k) @ (…, L_k, d_v) → (…, L_q, d_v)


# ---- Attention as the lookup in a dictionary: three scores, one mechanism ----


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

    Raises
    ------
    ValueError
        If an argument has another shape than these, or if the leading axes do not broadcast.

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
        _check_same_width(queries, keys)
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
        _require(keys.shape[-2] > 0, f"keys must hold at least one key, got shape {keys.shape}")
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
    _require(0 <= sharpness < math.inf, f"sharpness must be finite and not negative, got {sharpness}")
    return attention(queries, keys, values, score=lambda q, k: float(sharpness) * score(q, k))


# ---- Masks: True where attention is allowed ----


def causal_mask(L_q: int, L_k: int | None = None) -> BoolArray:
    """Let each position attend to itself and to the positions before it.

    Parameters
    ----------
    L_q : int
        Number of queries.
    L_k : int
        Number of keys, `L_q` if not given. If there are more keys, the queries are the *last* L_q of the L_k
        positions, as in decoding with a cache of the keys before.

    Returns
    -------
    boolean array (L_q, L_k)

    Raises
    ------
    ValueError
        If a length is negative or not whole, or if L_k < L_q.

    Notes
    -----
    Formula: query i may attend to key j if j ≤ i + (L_k − L_q).

    Source: A, "How Masked Self-Attention Works"; paper, section 3.2.3.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(1, 3)
    array([[ True,  True,  True]])
    """
    L_q = _count("L_q", L_q)
    L_k = L_q if L_k is None else _count("L_k", L_k, at_least=L_q)
    query_positions = np.arange(L_k - L_q, L_k)  # (L_q,)
    return np.arange(L_k) <= query_positions[:, None]  # (L_k,) against (L_q, 1) → (L_q, L_k)


def padding_mask(lengths: ArrayLike, L: int) -> BoolArray:
    """Let every query attend to the real tokens of its sequence and not to the padding after them.

    Parameters
    ----------
    lengths : whole numbers (B,)
        Number of real tokens in each sequence, 0 to L.
    L : int
        Length to which all are padded.

    Returns
    -------
    boolean array (B, 1, L)
        Broadcasts to scores (B, L_q, L); `mask[:, None]`, (B, 1, 1, L), to scores with heads (B, H, L_q, L).

    Raises
    ------
    ValueError
        If the lengths are not a row of whole numbers from 0 to L.

    Notes
    -----
    Formula: key j of sequence b is allowed if j < lengths_b. To allow what two masks both allow, combine them
    with `&`: causal_mask(L) & padding_mask(lengths, L) is (B, L, L).

    Examples
    --------
    >>> padding_mask([1, 3], L=3).astype(int)
    array([[[1, 0, 0]],
    <BLANKLINE>
           [[1, 1, 1]]])
    """
    L, lengths = _count("L", L), np.asarray(lengths)
    whole = lengths.ndim == 1 and (lengths.dtype.kind in "iu" or lengths.size == 0)
    _require(
        whole and bool(np.all((lengths >= 0) & (lengths <= L))),
        f"lengths must be whole numbers from 0 to L={L}, shape (B,), got shape {lengths.shape}: {lengths}",
    )
    return np.arange(L) < lengths[:, None, None]  # (L,) against (B, 1, 1) → (B, 1, L)


def window_mask(L: int, window: int, causal: bool = False) -> BoolArray:
    """Let each position attend to its neighbourhood only.

    Parameters
    ----------
    L : int
        Number of positions.
    window : int
        Number of positions to *each* side, the position itself not counted; 0 leaves only itself.
    causal : bool
        Leave out the side to the right.

    Returns
    -------
    boolean array (L, L)

    Raises
    ------
    ValueError
        If a number is negative or not whole.

    Notes
    -----
    Formula: query i may attend to key j if |i − j| ≤ window, and, if causal, j ≤ i.

    Source: B 10.2.5.

    Examples
    --------
    >>> window_mask(4, 1).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 1, 1, 1],
           [0, 0, 1, 1]])
    """
    L, window = _count("L", L), _count("window", window)
    offset = np.arange(L) - np.arange(L)[:, None]  # (L, L): j − i
    return (-window <= offset) & (offset <= (0 if causal else window))


def windowed_attention(
    queries: ArrayLike, keys: ArrayLike, values: ArrayLike, window: int, causal: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Compute attention under `window_mask` without ever making a matrix of L × L.

    Parameters
    ----------
    queries : array (…, L, d_k)
    keys : array (…, L, d_k)
    values : array (…, L, d_v)
    window : int
        Number of positions to each side.
    causal : bool
        Leave out the side to the right; the band keeps its width.

    Returns
    -------
    output : array (…, L, d_v)
    weights : array (…, L, 2·window + 1)
        The band of the weights: [i, o] belongs to key i + o − window, and is 0 where there is no such key.

    Raises
    ------
    ValueError
        As `attention`, or if queries and keys differ in length, or if the window is negative.

    Notes
    -----
    Formula: `attention` of each query to its own list of 2·window + 1 keys; time and memory O(L · window)
    where the mask takes O(L²).

    Source: B 10.2.5.

    Examples
    --------
    >>> output, band = windowed_attention(np.zeros((3, 2)), np.zeros((3, 2)), [[0.0], [3.0], [6.0]], window=1)
    >>> output.ravel()
    array([1.5, 3. , 4.5])
    >>> band.round(2)
    array([[0.  , 0.5 , 0.5 ],
           [0.33, 0.33, 0.33],
           [0.5 , 0.5 , 0.  ]])
    """
    queries, keys, values = _dictionary(queries, keys, values)
    L, window = keys.shape[-2], _count("window", window)
    _require(queries.shape[-2] == L, f"queries {queries.shape} must be as many as keys {keys.shape}")
    offset = np.arange(-window, window + 1)
    position = np.arange(L)[:, None] + offset  # (L, 2·window + 1): which key each place of the band holds
    allowed = (position >= 0) & (position < L) & (offset <= (0 if causal else window))
    position = position.clip(0, L - 1)  # any key will do where the mask is False
    output, weights = attention(
        queries[..., :, None, :],  # (…, L, 1, d_k): each query alone …
        keys[..., position, :],  # (…, L, 2·window + 1, d_k): … with the keys in its window
        values[..., position, :],  # (…, L, 2·window + 1, d_v)
        mask=allowed[:, None, :],  # (L, 1, 2·window + 1)
    )
    return output[..., 0, :], weights[..., 0, :]  # (…, L, d_v), (…, L, 2·window + 1)


# ---- Positional encodings ----


def sinusoidal_encoding(L: int, d: int, base: float = 10000.0, start: int = 0) -> FloatArray:
    """Encode each position by sines and cosines of geometrically spaced frequencies.

    Parameters
    ----------
    L : int
        Number of positions.
    d : int
        Width; even, for each frequency takes two columns.
    base : float
        Sets the lowest frequency, a little above 1/base radians a position.
    start : int
        The first position, as needed for decoding step by step.

    Returns
    -------
    array (L, d)
        Row i is φ(start + i).

    Raises
    ------
    ValueError
        If d is odd or not positive, L negative, base not positive, or start not whole.

    Notes
    -----
    Formula: φ(i)_2k = sin(ω_k i) and φ(i)_2k+1 = cos(ω_k i), ω_k = base^(−2k/d), k = 0 … d/2 − 1.

    Source: paper, section 3.5; A, "What is Positional Encoding?". B 10.3.2 counts k from 1, by which every
    frequency comes one pair too early and the fastest, ω_0 = 1, is lost.

    Examples
    --------
    >>> sinusoidal_encoding(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    L, d, start = _count("L", L), _even_width(d), _whole("start", start)
    _require(0 < base < math.inf, f"base must be positive and finite, got {base}")
    frequencies = base ** (-2 * np.arange(d // 2) / d)  # (d/2,)
    return _sines_and_cosines(start + np.arange(L), frequencies)


def index_encoding(L: int, d: int = 1) -> FloatArray:
    """Encode each position by its number, the encoding that chapter 6 warns of.

    Parameters
    ----------
    L : int
        Number of positions.
    d : int
        Width; the number is in column 0, the other columns are zero.

    Returns
    -------
    array (L, d)

    Raises
    ------
    ValueError
        If L is negative or d not positive.

    Notes
    -----
    Formula: φ(i) = (i, 0, …, 0), so φ(i)·φ(j) = i·j for every width: position 9 is more like 90 than like 9.

    Source: B 10.3.2.

    Examples
    --------
    >>> phi = index_encoding(3, 2)
    >>> phi @ phi.T
    array([[0., 0., 0.],
           [0., 1., 2.],
           [0., 2., 4.]])
    """
    encoding = np.zeros((_count("L", L), _count("d", d, at_least=1)))
    encoding[:, 0] = np.arange(L)
    return encoding


def random_fourier_encoding(L: int, d: int, length_scale: float, rng: np.random.Generator) -> FloatArray:
    """Encode each position by random frequencies, so that similarity falls with distance as a Gaussian.

    Parameters
    ----------
    L : int
        Number of positions.
    d : int
        Width; even, for each frequency takes two columns.
    length_scale : float
        ℓ > 0, the distance, in positions, over which similarity fades.
    rng : numpy.random.Generator
        Draws the d/2 frequencies.

    Returns
    -------
    array (L, d)
        Rows of length 1.

    Raises
    ------
    ValueError
        If d is odd or not positive, L negative, or the length scale not positive.

    Notes
    -----
    Formula: φ(i) = √(2/d) [sin(ω_1 i), cos(ω_1 i), …], ω ~ N(0, 1/ℓ²). Then φ(i)·φ(j) has the mean
    exp(−(i−j)²/(2ℓ²)), B's Gaussian with λ = 1/(2ℓ²), and the standard deviation (1 − exp(−(i−j)²/ℓ²))/√d.

    Source: Rahimi and Recht, "Random Features for Large-Scale Kernel Machines" (2007); the aim: B 10.3.2.

    Examples
    --------
    >>> phi = random_fourier_encoding(3, 100_000, length_scale=1.0, rng=np.random.default_rng(0))
    >>> (phi @ phi[0]).round(2)  # exp(0), exp(−1/2), exp(−2)
    array([1.  , 0.61, 0.13])
    """
    L, d = _count("L", L), _even_width(d)
    _require(0 < length_scale < math.inf, f"length_scale must be positive and finite, got {length_scale}")
    frequencies = rng.normal(scale=1 / length_scale, size=d // 2)  # (d/2,)
    return math.sqrt(2 / d) * _sines_and_cosines(np.arange(L), frequencies)


def _sines_and_cosines(positions: NDArray[Any], frequencies: FloatArray) -> FloatArray:
    """Return (L, 2n): sin and cos side by side for each of n frequencies."""
    angles = positions[:, None] * frequencies  # (L, n)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (L, n, 2)
    return pairs.reshape(len(positions), 2 * len(frequencies))  # (L, n, 2) → (L, 2n)


# ---- What a layer costs ----


class Cost(NamedTuple):
    """Exact counts for a layer that turns one sequence of L vectors into another.

    A multiply-add is one multiplication and one addition (two floating-point operations). Matrix products are
    counted; biases, softmax, scaling, activation functions and products of gates are not.
    """

    multiply_adds: int
    parameters: int


def attention_cost(L_q: int, L_k: int, d_k: int, d_v: int) -> Cost:
    """Count the mechanism alone: the scores and the weighted sums.

    Parameters
    ----------
    L_q, L_k : int
        Number of queries; number of keys that each of them sees: 2·window + 1 for `windowed_attention`.
    d_k, d_v : int
        Width of the keys and of the values.

    Returns
    -------
    Cost

    Raises
    ------
    ValueError
        If a number is not whole and positive.

    Notes
    -----
    Formula: L_q·L_k·d_k for Q Kᵀ and L_q·L_k·d_v for the product with V; no parameters. B names the first.

    Source: B 10.2.3.

    Examples
    --------
    >>> attention_cost(L_q=10, L_k=20, d_k=4, d_v=8)
    Cost(multiply_adds=2400, parameters=0)
    """
    L_q, L_k, d_k, d_v = _sizes(L_q=L_q, L_k=L_k, d_k=d_k, d_v=d_v)
    return Cost(multiply_adds=L_q * L_k * (d_k + d_v), parameters=0)


def self_attention_cost(
    L: int, d: int, d_k: int, d_v: int, n_heads: int = 1, d_out: int | None = None
) -> Cost:
    """Count self-attention: the projections to queries, keys and values, and the mechanism.

    Parameters
    ----------
    L, d : int
        Length and width of the sequence.
    d_k, d_v : int
        Width of the keys and of the values, in each head.
    n_heads : int
        Number of heads.
    d_out : int
        Width after the output projection W_O of a multi-head layer; without it, no such projection.

    Returns
    -------
    Cost
        `n_heads` times `attention_cost(L, L, d_k, d_v)`, the part quadratic in L, and the projections.

    Raises
    ------
    ValueError
        If a number is not whole and positive.

    Notes
    -----
    Formula: parameters P = H·d·(2·d_k + d_v) + H·d_v·d_out, and multiply-adds L·P + H·L²·(d_k + d_v).
    With d_k = d_v = d/H and d_out = d, these are P = 4·d² and 4·L·d² + 2·L²·d, whatever H.

    Source: B 10.2.4 and 10.2.5, whose O(L²·d_k) leaves out the projections and the product with V.

    Examples
    --------
    >>> self_attention_cost(L=10, d=8, d_k=2, d_v=3)
    Cost(multiply_adds=1060, parameters=56)
    >>> self_attention_cost(L=10, d=8, d_k=2, d_v=2, n_heads=4, d_out=8)
    Cost(multiply_adds=4160, parameters=256)
    """
    L, d, d_k, d_v, n_heads = _sizes(L=L, d=d, d_k=d_k, d_v=d_v, n_heads=n_heads)
    parameters = n_heads * d * (2 * d_k + d_v)
    if d_out is not None:
        parameters += n_heads * d_v * _count("d_out", d_out, at_least=1)
    mechanism = n_heads * attention_cost(L, L, d_k, d_v).multiply_adds
    return Cost(multiply_adds=L * parameters + mechanism, parameters=parameters)


def recurrent_cost(L: int, d: int, d_v: int, n_gates: int = 1) -> Cost:
    """Count a recurrent layer.

    Parameters
    ----------
    L, d : int
        Length and width of the sequence.
    d_v : int
        Width of the state, which is the output.
    n_gates : int
        Pairs of matrices in the cell: 1 for a plain RNN, 3 for a GRU, 4 for an LSTM.

    Returns
    -------
    Cost

    Raises
    ------
    ValueError
        If a number is not whole and positive.

    Notes
    -----
    Formula: parameters P = n_gates·(d·d_v + d_v²), multiply-adds L·P, one step after the other.

    Source: B 10.2.5, whose O(L·d·d_v) leaves out the L·d_v² of the state.

    Examples
    --------
    >>> recurrent_cost(L=10, d=8, d_v=3)
    Cost(multiply_adds=330, parameters=33)
    """
    L, d, d_v, n_gates = _sizes(L=L, d=d, d_v=d_v, n_gates=n_gates)
    parameters = n_gates * (d * d_v + d_v * d_v)
    return Cost(multiply_adds=L * parameters, parameters=parameters)


def convolution_cost(L: int, d: int, d_v: int, kernel_size: int) -> Cost:
    """Count a one-dimensional convolution that keeps the length, products with the zero padding included.

    Parameters
    ----------
    L, d : int
        Length and width of the sequence.
    d_v : int
        Width of the output.
    kernel_size : int
        Number of positions that each output sees.

    Returns
    -------
    Cost

    Raises
    ------
    ValueError
        If a number is not whole and positive.

    Notes
    -----
    Formula: parameters P = kernel_size·d·d_v, multiply-adds L·P.

    Source: B 10.2.5.

    Examples
    --------
    >>> convolution_cost(L=10, d=8, d_v=3, kernel_size=5)
    Cost(multiply_adds=1200, parameters=120)
    """
    L, d, d_v, kernel_size = _sizes(L=L, d=d, d_v=d_v, kernel_size=kernel_size)
    parameters = kernel_size * d * d_v
    return Cost(multiply_adds=L * parameters, parameters=parameters)


def dense_cost(L: int, d: int, d_v: int) -> Cost:
    """Count a dense layer from the whole sequence, flattened to L·d numbers, to L output vectors.

    Parameters
    ----------
    L, d : int
        Length and width of the sequence.
    d_v : int
        Width of each of the L output vectors.

    Returns
    -------
    Cost

    Raises
    ------
    ValueError
        If a number is not whole and positive.

    Notes
    -----
    Formula: parameters = multiply-adds = (L·d)·(L·d_v) = L²·d·d_v.

    Source: B 10.2.5, whose L·d·d_v parameters are those of a single output vector.

    Examples
    --------
    >>> dense_cost(L=10, d=8, d_v=3)
    Cost(multiply_adds=2400, parameters=2400)
    """
    L, d, d_v = _sizes(L=L, d=d, d_v=d_v)
    return Cost(multiply_adds=L * L * d * d_v, parameters=L * L * d * d_v)


# ---- Checks of the input ----


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def _whole(name: str, value: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, got {value!r}") from None


def _count(name: str, value: int, at_least: int = 0) -> int:
    value = _whole(name, value)
    _require(value >= at_least, f"{name} must be at least {at_least}, got {value}")
    return value


def _sizes(**sizes: int) -> list[int]:
    return [_count(name, size, at_least=1) for name, size in sizes.items()]


def _even_width(d: int) -> int:
    d = _count("d", d, at_least=2)
    _require(d % 2 == 0, f"d must be even, a sine and a cosine for each frequency, got {d}")
    return d


def _as_float(name: str, x: ArrayLike) -> FloatArray:
    array = np.asarray(x)
    _require(array.dtype.kind in "biuf", f"{name} must hold real numbers, got dtype {array.dtype}")
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _parameter(name: str, x: ArrayLike, shape: tuple[int | None, ...]) -> FloatArray:
    """Return `x` as floats of that shape, in which None stands for any size."""
    array = _as_float(name, x)
    fits = array.ndim == len(shape) and all(
        want in (None, got) for want, got in zip(shape, array.shape, strict=True)
    )
    expected = ", ".join("any" if size is None else str(size) for size in shape)
    _require(fits, f"{name} must have shape ({expected}), got {array.shape}")
    return array


def _sequences(**sequences: ArrayLike) -> list[NDArray[Any]]:
    arrays = [np.asarray(sequence) for sequence in sequences.values()]
    for name, array in zip(sequences, arrays, strict=True):
        fits = array.ndim >= 2 and array.shape[-1] > 0
        _require(fits, f"{name} must have shape (…, L, d) with d ≥ 1, got {array.shape}")
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(sequences, arrays, strict=True))
        raise ValueError(f"leading axes must broadcast against each other, got {shapes}") from None
    return arrays


def _check_same_width(queries: NDArray[Any], keys: NDArray[Any]) -> None:
    _require(
        queries.shape[-1] == keys.shape[-1],
        f"queries and keys must have the same width, d_q = d_k, got {queries.shape} and {keys.shape}",
    )


def _vector_pair(
    queries: ArrayLike, keys: ArrayLike, same_width: bool = True
) -> tuple[FloatArray, FloatArray]:
    _sequences(queries=queries, keys=keys)
    queries, keys = _as_float("queries", queries), _as_float("keys", keys)
    if same_width:
        _check_same_width(queries, keys)
    return queries, keys


def _dictionary(
    queries: ArrayLike, keys: ArrayLike, values: ArrayLike
) -> tuple[NDArray[Any], NDArray[Any], FloatArray]:
    queries, keys, values = _sequences(queries=queries, keys=keys, values=values)
    _require(
        keys.shape[-2] == values.shape[-2],
        f"keys and values must be equally many, L_k, got {keys.shape} and {values.shape}",
    )
    return queries, keys, _as_float("values", values)


def _checked_scores(scores: FloatArray, queries: NDArray[Any], keys: NDArray[Any]) -> FloatArray:
    scores, expected = np.asarray(scores), (queries.shape[-2], keys.shape[-2])
    _require(
        scores.shape[-2:] == expected,
        f"score must return (…, L_q, L_k) = (…, {expected[0]}, {expected[1]}), got {scores.shape}",
    )
    return scores


def _checked_mask(mask: ArrayLike, scores: FloatArray) -> BoolArray:
    mask = np.asarray(mask)
    _require(
        mask.dtype == np.bool_,
        f"mask must be boolean, True where attention is allowed, got dtype {mask.dtype}",
    )
    try:
        fits = np.broadcast_shapes(mask.shape, scores.shape)[-2:] == scores.shape[-2:]
    except ValueError:
        fits = False
    _require(fits, f"mask must broadcast to the scores (…, L_q, L_k) = {scores.shape}, got {mask.shape}")
    return mask
