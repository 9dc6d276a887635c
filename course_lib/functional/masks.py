"""Masks in NumPy: True where attention is allowed; and attention within a window."""

import numpy as np
from numpy.typing import ArrayLike

from course_lib.functional.attention import attention
from course_lib.functional.checks import BoolArray, FloatArray, count, dictionary, require


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
    L_q = count("L_q", L_q)
    L_k = L_q if L_k is None else count("L_k", L_k, at_least=L_q)
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
    L, lengths = count("L", L), np.asarray(lengths)
    whole = lengths.ndim == 1 and (lengths.dtype.kind in "iu" or lengths.size == 0)
    require(
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
    L, window = count("L", L), count("window", window)
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
    queries, keys, values = dictionary(queries, keys, values)
    L, window = keys.shape[-2], count("window", window)
    require(queries.shape[-2] == L, f"queries {queries.shape} must be as many as keys {keys.shape}")
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
