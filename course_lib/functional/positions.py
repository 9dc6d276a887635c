"""Positional encodings in NumPy: sines and cosines, the index itself, random Fourier features."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.functional.checks import FloatArray, count, even_width, require, whole


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
    L, d, start = count("L", L), even_width(d), whole("start", start)
    require(0 < base < math.inf, f"base must be positive and finite, got {base}")
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
    encoding = np.zeros((count("L", L), count("d", d, at_least=1)))
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
    L, d = count("L", L), even_width(d)
    require(0 < length_scale < math.inf, f"length_scale must be positive and finite, got {length_scale}")
    frequencies = rng.normal(scale=1 / length_scale, size=d // 2)  # (d/2,)
    return math.sqrt(2 / d) * _sines_and_cosines(np.arange(L), frequencies)


def _sines_and_cosines(positions: NDArray[Any], frequencies: FloatArray) -> FloatArray:
    """Return (L, 2n): sin and cos side by side for each of n frequencies."""
    angles = positions[:, None] * frequencies  # (L, n)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (L, n, 2)
    return pairs.reshape(len(positions), 2 * len(frequencies))  # (L, n, 2) → (L, 2n)
