"""What a layer costs: its multiplications, the steps that must wait for one another, its parameters.

All of it raises ValueError if a number is not whole and positive.
"""

from typing import NamedTuple

from course_lib.functional.checks import count, sizes


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

    Notes
    -----
    Formula: L_q·L_k·d_k for Q Kᵀ and L_q·L_k·d_v for the product with V; no parameters. B names the first.

    Source: B 10.2.3.

    Examples
    --------
    >>> attention_cost(L_q=10, L_k=20, d_k=4, d_v=8)
    Cost(multiply_adds=2400, parameters=0)
    """
    L_q, L_k, d_k, d_v = sizes(L_q=L_q, L_k=L_k, d_k=d_k, d_v=d_v)
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
    L, d, d_k, d_v, n_heads = sizes(L=L, d=d, d_k=d_k, d_v=d_v, n_heads=n_heads)
    parameters = n_heads * d * (2 * d_k + d_v)
    if d_out is not None:
        parameters += n_heads * d_v * count("d_out", d_out, at_least=1)
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

    Notes
    -----
    Formula: parameters P = n_gates·(d·d_v + d_v²), multiply-adds L·P, one step after the other.

    Source: B 10.2.5, whose O(L·d·d_v) leaves out the L·d_v² of the state.

    Examples
    --------
    >>> recurrent_cost(L=10, d=8, d_v=3)
    Cost(multiply_adds=330, parameters=33)
    """
    L, d, d_v, n_gates = sizes(L=L, d=d, d_v=d_v, n_gates=n_gates)
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

    Notes
    -----
    Formula: parameters P = kernel_size·d·d_v, multiply-adds L·P.

    Source: B 10.2.5.

    Examples
    --------
    >>> convolution_cost(L=10, d=8, d_v=3, kernel_size=5)
    Cost(multiply_adds=1200, parameters=120)
    """
    L, d, d_v, kernel_size = sizes(L=L, d=d, d_v=d_v, kernel_size=kernel_size)
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

    Notes
    -----
    Formula: parameters = multiply-adds = (L·d)·(L·d_v) = L²·d·d_v.

    Source: B 10.2.5, whose L·d·d_v parameters are those of a single output vector.

    Examples
    --------
    >>> dense_cost(L=10, d=8, d_v=3)
    Cost(multiply_adds=2400, parameters=2400)
    """
    L, d, d_v = sizes(L=L, d=d, d_v=d_v)
    return Cost(multiply_adds=L * L * d * d_v, parameters=L * L * d * d_v)
