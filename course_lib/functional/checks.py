"""Checks of the input: wrong shapes, widths and masks raise ValueError, which names the argument."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating[Any]]
BoolArray = NDArray[np.bool_]
ScoreFunction = Callable[[NDArray[Any], NDArray[Any]], FloatArray]


def require(condition: bool, message: str) -> None:
    """Raise ValueError with this message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def whole(name: str, value: int) -> int:
    """Return a whole number, or raise ValueError that names it."""
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, got {value!r}") from None


def count(name: str, value: int, at_least: int = 0) -> int:
    """Return a whole number of at least `at_least`."""
    value = whole(name, value)
    require(value >= at_least, f"{name} must be at least {at_least}, got {value}")
    return value


def sizes(**sizes: int) -> list[int]:
    """Return sizes, each of at least 1, in the order given."""
    return [count(name, size, at_least=1) for name, size in sizes.items()]


def even_width(d: int) -> int:
    """Return the width of an encoding in pairs of a sine and a cosine."""
    d = count("d", d, at_least=2)
    require(d % 2 == 0, f"d must be even, a sine and a cosine for each frequency, got {d}")
    return d


def as_float(name: str, x: ArrayLike) -> FloatArray:
    """Return real numbers as floats: float32 stays, whole numbers become float64."""
    array = np.asarray(x)
    require(array.dtype.kind in "biuf", f"{name} must hold real numbers, got dtype {array.dtype}")
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def parameter(name: str, x: ArrayLike, shape: tuple[int | None, ...]) -> FloatArray:
    """Return `x` as floats of that shape, in which None stands for any size."""
    array = as_float(name, x)
    fits = array.ndim == len(shape) and all(
        want in (None, got) for want, got in zip(shape, array.shape, strict=True)
    )
    expected = ", ".join("any" if size is None else str(size) for size in shape)
    require(fits, f"{name} must have shape ({expected}), got {array.shape}")
    return array


def sequences(**sequences: ArrayLike) -> list[NDArray[Any]]:
    """Return sequences as arrays (…, L, d) whose leading axes broadcast."""
    arrays = [np.asarray(sequence) for sequence in sequences.values()]
    for name, array in zip(sequences, arrays, strict=True):
        fits = array.ndim >= 2 and array.shape[-1] > 0
        require(fits, f"{name} must have shape (…, L, d) with d ≥ 1, got {array.shape}")
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(sequences, arrays, strict=True))
        raise ValueError(f"leading axes must broadcast against each other, got {shapes}") from None
    return arrays


def check_same_width(queries: NDArray[Any], keys: NDArray[Any]) -> None:
    """Raise ValueError unless d_q = d_k."""
    require(
        queries.shape[-1] == keys.shape[-1],
        f"queries and keys must have the same width, d_q = d_k, got {queries.shape} and {keys.shape}",
    )


def vector_pair(
    queries: ArrayLike, keys: ArrayLike, same_width: bool = True
) -> tuple[FloatArray, FloatArray]:
    """Return queries and keys as floats, (…, L_q, d_q) and (…, L_k, d_k)."""
    sequences(queries=queries, keys=keys)
    queries, keys = as_float("queries", queries), as_float("keys", keys)
    if same_width:
        check_same_width(queries, keys)
    return queries, keys


def dictionary(
    queries: ArrayLike, keys: ArrayLike, values: ArrayLike
) -> tuple[NDArray[Any], NDArray[Any], FloatArray]:
    """Return queries, keys and as many values."""
    queries, keys, values = sequences(queries=queries, keys=keys, values=values)
    require(
        keys.shape[-2] == values.shape[-2],
        f"keys and values must be equally many, L_k, got {keys.shape} and {values.shape}",
    )
    return queries, keys, as_float("values", values)


def checked_scores(scores: FloatArray, queries: NDArray[Any], keys: NDArray[Any]) -> FloatArray:
    """Return what a score function returned, if it is (…, L_q, L_k)."""
    scores, expected = np.asarray(scores), (queries.shape[-2], keys.shape[-2])
    require(
        scores.shape[-2:] == expected,
        f"score must return (…, L_q, L_k) = (…, {expected[0]}, {expected[1]}), got {scores.shape}",
    )
    return scores


def checked_mask(mask: ArrayLike, scores: FloatArray) -> BoolArray:
    """Return a mask, if it is boolean and broadcasts to the scores."""
    mask = np.asarray(mask)
    require(
        mask.dtype == np.bool_,
        f"mask must be boolean, True where attention is allowed, got dtype {mask.dtype}",
    )
    try:
        fits = np.broadcast_shapes(mask.shape, scores.shape)[-2:] == scores.shape[-2:]
    except ValueError:
        fits = False
    require(fits, f"mask must broadcast to the scores (…, L_q, L_k) = {scores.shape}, got {mask.shape}")
    return mask
