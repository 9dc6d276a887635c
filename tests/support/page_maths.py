"""What web/src/maths.ts computes, and the same by course_lib.functional, on inputs as JSON can hold them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from course_lib import functional
from course_lib.model.positions import rotate as rotate_in_torch

Call = tuple[str, list[Any]]  # a function of maths.ts, and its arguments


def softmax(scores: list[float], allowed: list[bool] | None = None) -> Any:
    return functional.softmax(np.where(True if allowed is None else allowed, scores, -np.inf))


def attention(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    output, weights = functional.attention(Q, K, V, mask=mask)
    return {"scores": functional.dot_product_scores(Q, K), "weights": weights, "output": output}


def mix(weights: Any, values: Any) -> Any:
    return np.asarray(weights) @ np.asarray(values)


def rotate(X: Any, first: int = 0) -> Any:
    return rotate_in_torch(torch.tensor(X, dtype=torch.float64), first).numpy()


EXPECTED: dict[str, Callable[..., Any]] = {
    "dot": np.dot,
    "project": mix,
    "product": mix,
    "mix": mix,
    "softmax": softmax,
    "attention": attention,
    "causalMask": functional.causal_mask,
    "rotate": rotate,
    "sinusoids": lambda L, d, start=0, base=10000.0: functional.sinusoidal_encoding(L, d, base, start),
}


def difference(function: str, arguments: list[Any], found: Any) -> float:
    """Return how far a result of maths.ts is from Python's, relative to the largest entry where that is above 1."""
    expected = EXPECTED[function](*arguments)
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        return max(_distance(np.asarray(found[name]), expected[name]) for name in expected)
    return _distance(np.asarray(found), np.asarray(expected))


def _distance(found: Any, expected: Any) -> float:
    assert found.shape == expected.shape
    assert (
        found.dtype.kind == expected.dtype.kind or expected.dtype.kind in "fi"
    )  # null, for NaN, is an object
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    assert np.isfinite(found).all()
    return float(np.abs(found - expected).max(initial=0)) / max(1.0, float(np.abs(expected).max(initial=0)))


def random_call(rng: np.random.Generator) -> Call:
    """Return a function with random arguments; about one row of a mask in four allows nothing."""
    n, m, d, e = (int(size) for size in rng.integers(1, 7, size=4))

    def normal(*shape: int) -> Any:
        return (rng.normal(size=shape) * 10.0 ** rng.integers(-2, 3)).tolist()

    mask = ((rng.random((n, m)) < 0.6) & (rng.random((n, 1)) < 0.75)).tolist()
    function = str(rng.choice(list(EXPECTED)))
    arguments: dict[str, list[Any]] = {
        "dot": [normal(d), normal(d)],
        "project": [normal(d), normal(d, e)],
        "product": [normal(n, d), normal(d, e)],
        "mix": [normal(m), normal(m, e)],
        "softmax": [normal(m), mask[0]] if rng.random() < 0.7 else [normal(m)],
        "attention": [normal(n, d), normal(m, d), normal(m, e), *([mask] if rng.random() < 0.7 else [])],
        "causalMask": [n, n + m],
        "rotate": [normal(n, 2 * d), int(rng.integers(-50, 2000))],
        "sinusoids": [n, 2 * d, int(rng.integers(-50, 2000)), float(rng.choice([10.0, 100.0, 10000.0]))],
    }
    return function, arguments[function]
