"""Generic diagnosis of a wrong result by comparison with the right one: a sign, an order, a row, a factor.

These remarks are true whatever the question is. They are made where no misconception that a question knows explains
what came out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.exercises.hints import compare

Array = NDArray[Any]
Remarks = Iterator[tuple[str, Callable[[], bool]]]


def diagnose(results: Sequence[tuple[Any, Any]], tolerance: float) -> str:
    """Return a remark that is true of all these wrong results, or "" if we know none.

    Parameters
    ----------
    results : sequence of pairs
        A wrong result and the right one, both as `course_lib.exercises.hints.settled` returns them.
    tolerance : float
        As in `course_lib.exercises.hints.difference`.

    Examples
    --------
    >>> right = np.array([[1.0, 2.0], [3.0, 5.0]])
    >>> diagnose([(right.T, right)], 1e-5)
    'Your result is transposed: its last two axes are exchanged.'
    >>> diagnose([(-right, right), (-2 * right, 2 * right)], 1e-5)
    'Your result has the wrong sign.'
    >>> diagnose([(right + 1, right), (-right, right)], 1e-5)
    ''
    """
    if not results:
        return ""
    found = [_remarks_on(got, right, tolerance) for got, right in results]
    return next((remark for remark in found[0] if all(remark in others for others in found[1:])), "")


def kept(results: Sequence[tuple[Any, Any]], everything: Sequence[tuple[Any, Any]], tolerance: float) -> str:
    """Return a remark if each wrong result is one that was returned for other inputs, too; "" if not.

    Parameters
    ----------
    results : sequence of pairs
        As in `diagnose`.
    everything : sequence of pairs
        All results with the right ones, those that are right too.
    """

    def comes_again(got: Any, right: Any) -> bool:
        others = [pair for pair in everything if pair[0] is not got and _size(pair[0]) == _size(got)]
        return any(
            not compare(got, other, tolerance) and compare(right, wanted, tolerance)
            for other, wanted in others
        )

    if (
        results
        and all(_size(got) > 1 for got, _ in results)
        and all(comes_again(got, right) for got, right in results)
    ):
        return (
            "Your function returns the same for different inputs: is something kept from an earlier call, or an input "
            "not used?"
        )
    return ""


def _size(value: Any) -> int:
    """Count the numbers in a settled result."""
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, (list, Mapping)):
        return sum(map(_size, value.values() if isinstance(value, Mapping) else value))
    return 1


def _remarks_on(got: Any, right: Any, tolerance: float) -> list[str]:
    if isinstance(right, list) and isinstance(got, np.ndarray) and got.ndim:
        got = list(got)
    if isinstance(right, list) and isinstance(got, list) and len(got) == len(right):
        wrong = [n for n, pair in enumerate(zip(got, right, strict=True)) if compare(*pair, tolerance)]
        if len(wrong) != 1:
            return []
        remarks = _remarks_on(got[wrong[0]], right[wrong[0]], tolerance)
        return [f"Result {wrong[0] + 1} of {len(right)}: {text[0].lower()}{text[1:]}" for text in remarks]
    try:
        got, right = np.asarray(got), np.asarray(right)
    except ValueError:
        return []
    if got.dtype.kind not in "biuf" or right.dtype.kind not in "biuf" or not got.size:
        return []
    with np.errstate(all="ignore"):
        return [text for text, is_true in _remarks(got, right, tolerance) if is_true()]


def _remarks(got: Array, right: Array, tolerance: float) -> Remarks:
    def equals(other: Array) -> Callable[[], bool]:
        return lambda: got.shape == other.shape and not compare(got, other, tolerance)

    if right.dtype == bool:
        yield "True and False are exchanged in your result.", equals(~right)
    if right.size > 1 and right.dtype != bool:
        yield "Your result is 0 everywhere.", equals(np.zeros_like(right))
    if right.dtype != bool:
        yield "Your result has the wrong sign.", equals(-1 * right)
    if right.dtype.kind == "f" and not np.allclose(right, np.round(right)):
        yield "Your result is cut off to whole numbers.", equals(np.trunc(right))
        for digits in range(4):
            yield "Your result is rounded.", equals(np.round(right, digits))
    if right.ndim > 1:
        yield "Your result is transposed: its last two axes are exchanged.", equals(right.swapaxes(-1, -2))
    if got.shape == right.shape:
        yield from _in_all_entries(got, right, tolerance)
    for axis in range(right.ndim):
        if right.shape[axis] > 1:
            yield from _along(got, right, axis, f"along axis {axis}", tolerance, equals)
            # The same from behind: results of several ranks have only that in common.
            yield from _along(got, right, axis, f"along axis −{right.ndim - axis}", tolerance, equals)
    if got.shape != right.shape and got.size == right.size and got.size > 1:
        yield "Your result holds the right numbers in the wrong shape.", equals(right.reshape(got.shape))
    if got.shape == right.shape and right.size > 2 and right.dtype != bool and got.dtype != bool:

        def is_reordered() -> bool:
            return not compare(np.sort(got, axis=None), np.sort(right, axis=None), tolerance)

        yield "Your result holds the right numbers at the wrong places.", is_reordered


def _right_entries(got: Array, right: Array, tolerance: float) -> NDArray[np.bool_]:
    """Return which entries are right, as exactly as the whole result is asked to be."""
    got, right = got.astype(float), right.astype(float)
    largest = np.abs(right[np.isfinite(right)]).max(initial=0.0)
    return np.isclose(got, right, rtol=0, atol=tolerance * largest, equal_nan=True)


def _along(
    got: Array,
    right: Array,
    axis: int,
    where: str,
    tolerance: float,
    equals: Callable[[Array], Callable[[], bool]],
) -> Remarks:
    """Yield what may be wrong along one axis."""
    n = right.shape[axis]
    first, last = np.take(right, [0], axis), np.take(right, [n - 1], axis)
    yield f"Your result is back to front {where}.", equals(np.flip(right, axis))
    yield f"Your result has the first entry {where} in the place of all.", equals(np.repeat(first, n, axis))
    yield f"Your result has the last entry {where} in the place of all.", equals(np.repeat(last, n, axis))
    yield f"The last entry {where} is missing.", equals(np.take(right, range(n - 1), axis))
    yield f"The first entry {where} is missing.", equals(np.take(right, range(1, n), axis))
    yield f"You return the first entry {where} alone.", equals(first.squeeze(axis))
    yield f"You return the last entry {where} alone.", equals(last.squeeze(axis))
    yield f"Your result is shifted by one {where}.", equals(np.roll(right, 1, axis))
    yield f"Your result is shifted by one {where}.", equals(np.roll(right, -1, axis))
    if got.shape != right.shape:
        return
    others = tuple(other for other in range(right.ndim) if other != axis)
    same: Array = np.asarray(_right_entries(got, right, tolerance).all(others))
    if n > 2:
        yield f"Only the first entry {where} is right.", lambda: bool(same[0] and not same[1:].any())
        yield f"Only the last entry {where} is right.", lambda: bool(same[-1] and not same[:-1].any())
        yield f"All is right but the first entry {where}.", lambda: bool(not same[0] and same[1:].all())
        yield f"All is right but the last entry {where}.", lambda: bool(not same[-1] and same[:-1].all())
    elif right.ndim > 1:
        yield f"The first entry {where} is right, the second is not.", lambda: bool(same[0] and not same[1])
        yield f"The second entry {where} is right, the first is not.", lambda: bool(same[1] and not same[0])


def _in_all_entries(got: Array, right: Array, tolerance: float) -> Remarks:
    """Yield what may be wrong in each entry in the same way."""
    if right.dtype == bool or got.dtype == bool:
        return
    shift = (got - right).ravel()
    if right.dtype.kind in "iu" and got.dtype.kind in "iu":
        yield "Your result is one too large.", lambda: bool((shift == 1).all())
        yield "Your result is one too small.", lambda: bool((shift == -1).all())
    if right.size < 3 or not np.isfinite(got).all() or not np.isfinite(right).all():
        return
    largest = np.argmax(np.abs(right))
    factor = got.ravel()[largest] / right.ravel()[largest]

    def is_multiple() -> bool:
        return bool(
            np.isfinite(factor) and factor not in (0, 1) and not compare(got / factor, right, tolerance)
        )

    def is_shifted() -> bool:
        return not compare(got - shift[0], right, tolerance)

    yield "Your result is the right one times a number that is the same in all entries.", is_multiple
    yield "Your result is the right one plus a number that is the same in all entries.", is_shifted
