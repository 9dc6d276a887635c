"""What the visible tests of problem sets call: checks that say kindly and precisely what is wrong.

A check that fails raises a :class:`Hint`, which a notebook shows as its message alone, without a traceback.
"""

from __future__ import annotations

import inspect
import json
import linecache
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.answers import Other, blocked, forbidden_calls, from_plain, tell_error, to_plain

TOLERANCE = 2e-5  # of single precision, with room for another order of adding up


class Hint(AssertionError):
    """Says what is not right yet."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback."""
        return [f"Not yet: {self}"]


def check(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    expected: Any,
    mistakes: Mapping[str, Any] | None = None,
    tolerance: float = TOLERANCE,
    forbidden: Sequence[str] = (),
) -> None:
    """Call a function and compare what it returns with what is expected; say what is wrong, or that all is well.

    Parameters
    ----------
    function : function
        The student's.
    arguments : sequence
        Copies are handed over, so that what is given stays as it is.
    expected : number, word, array, or lists, tuples and mappings of these
    mistakes : mapping from message to value or function, optional
        What comes out, or what computes it from the arguments, when a known mistake is made.
    tolerance : float
        Largest error, relative to the largest entry expected.
    forbidden : sequence of str
        Dotted names of what must not be called.

    Raises
    ------
    Hint
        If the function fails, changes its arguments or returns something else.

    Examples
    --------
    >>> def mean_of_rows(x):
    ...     return x.mean(axis=0)
    >>> x = np.array([[1.0, 3.0], [5.0, 5.0]])
    >>> check(mean_of_rows, [x], [2.0, 5.0], {"That is the mean of each column.": lambda x: x.mean(axis=0)})
    Traceback (most recent call last):
        ...
    course_lib.hints.Hint: That is the mean of each column.
    >>> check(lambda x: x.mean(axis=1), [x], [2.0, 5.0])
    ✓ the function returns what it should: an array of shape (2,)
    """
    name = getattr(function, "__name__", "the function")
    name = "the function" if name == "<lambda>" else name
    given = deepcopy(list(arguments))
    for call in forbidden_calls(_cell_of(function), forbidden):
        raise Hint(f"{call} is called, which this question asks you to write yourself.")
    try:
        with blocked(forbidden):
            value = function(*given)
    except Hint:
        raise
    except Exception as error:
        raise Hint(tell_error(error, f"{name}({_described(function, arguments)})")) from None
    fault = difference(value, expected, tolerance)
    if fault:
        for message, mistake in (mistakes or {}).items():
            if explains(mistake, arguments, value, tolerance):
                raise Hint(message)
        raise Hint(f"{name}({_described(function, arguments)}): {fault}")
    if json.dumps(to_plain(given)) != json.dumps(to_plain(list(arguments))):
        raise Hint(f"{name} returns the right values, but changes its inputs in place: work on a copy.")
    print(f"✓ {name} returns what it should: {_kind(from_plain(to_plain(value)))}")


def _cell_of(function: Callable[..., Any]) -> str:
    """Return the source of the cell (or file) that defines a function; "" where it is not known."""
    code = getattr(function, "__code__", None)
    return "".join(linecache.getlines(code.co_filename)) if code else ""


def require(condition: bool, message: str) -> None:
    """Raise a hint if a condition does not hold.

    Raises
    ------
    Hint

    Examples
    --------
    >>> require(1 + 1 == 3, "One and one are not three.")
    Traceback (most recent call last):
        ...
    course_lib.hints.Hint: One and one are not three.
    """
    if not condition:
        raise Hint(message)


def explains(mistake: Any, arguments: Sequence[Any], value: Any, tolerance: float) -> bool:
    """Whether a mistake, or the value that it leads to, explains what came out.

    Parameters
    ----------
    mistake : value or function
        A function takes the arguments and makes the mistake.
    arguments : sequence
    value : anything
        What came out.
    tolerance : float
        As in :func:`difference`.

    Examples
    --------
    >>> explains(lambda x: x.sum(axis=0), [np.eye(2)], np.ones(2), TOLERANCE)
    True
    """
    if callable(mistake):
        try:
            with np.errstate(all="ignore"):
                mistake = mistake(*deepcopy(list(arguments)))
        except (ValueError, IndexError, TypeError, RuntimeError, ArithmeticError):
            return False  # the mistake is not possible with these arguments
    return not difference(value, mistake, tolerance)


def _described(function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """Write arguments by their names and shapes, as in "x: shape (2, 3)"."""
    try:
        names: Sequence[str] = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = []
    told = []
    for index, argument in enumerate(arguments):
        name = names[index] if index < len(names) else f"argument {index + 1}"
        shape = getattr(argument, "shape", None) or None  # a single number is told by its value
        shown = getattr(argument, "__name__", f"{argument!r:.40}")
        told.append(f"{name}: shape {tuple(shape)}" if shape is not None else f"{name} = {shown}")
    return ", ".join(told)


def difference(value: Any, expected: Any, tolerance: float) -> str:
    """Say how an answer differs from what is expected; "" if it does not.

    Parameters
    ----------
    value : anything
        What a function returned.
    expected : number, word, array, or lists, tuples and mappings of these
    tolerance : float
        Largest error, relative to the largest finite entry expected.

    Examples
    --------
    >>> difference(np.zeros((2, 3)), np.zeros((3, 2)), 1e-5)
    'Your result has shape (2, 3); expected is (3, 2).'
    >>> difference(np.array([1.0, 2.5]), np.array([1.0, 2.0]), 1e-5)
    'The shape (2,) is right, but the largest difference is 0.5, at (1,): 2.5 instead of 2.'
    >>> difference(2, 2.0, 1e-5)
    ''
    """
    value, expected = from_plain(to_plain(value)), from_plain(to_plain(expected))
    if isinstance(value, Other):
        return f"Your result is of type {value.name}; expected is {_kind(expected)}."
    if isinstance(expected, list) and not _numeric(expected):
        return _sequence_difference(value, expected, tolerance)
    if isinstance(expected, Mapping):
        return _mapping_difference(value, expected, tolerance)
    if expected is None or isinstance(expected, str):
        same = value is None if expected is None else isinstance(value, str) and value == expected
        return "" if same else _instead(value, expected)
    if value is None:
        return "Your function returns None: is its `return` missing?"
    if isinstance(value, (str, Mapping)) or (isinstance(value, list) and not _numeric(value)):
        return _instead(value, expected)
    return _array_difference(np.asarray(value), np.asarray(expected), tolerance)


def _numeric(value: Sequence[Any]) -> bool:
    """Whether nested lists make an array of numbers."""
    try:
        return np.asarray(value).dtype.kind in "biuf" and len(value) > 0
    except ValueError:
        return False


def _sequence_difference(value: Any, expected: Sequence[Any], tolerance: float) -> str:
    if not isinstance(value, list):
        return _instead(value, expected)
    if len(value) != len(expected):
        return f"Your function returns {len(value)} values; expected are {len(expected)}."
    for number, (ours, theirs) in enumerate(zip(value, expected, strict=True), start=1):
        fault = difference(ours, theirs, tolerance)
        if fault:
            return f"Result {number} of {len(expected)}: {fault[0].lower()}{fault[1:]}"
    return ""


def _mapping_difference(value: Any, expected: Mapping[str, Any], tolerance: float) -> str:
    if not isinstance(value, Mapping):
        return _instead(value, expected)
    if set(value) != set(expected):
        return f"Your result has the keys {sorted(value)[:9]}; expected are {sorted(expected)}."
    for key, theirs in expected.items():
        fault = difference(value[key], theirs, tolerance)
        if fault:
            return f"'{key}': {fault[0].lower()}{fault[1:]}"
    return ""


def _array_difference(value: NDArray[Any], expected: NDArray[Any], tolerance: float) -> str:
    if value.shape != expected.shape:
        return f"Your result has shape {value.shape}; expected is {expected.shape}."
    if expected.dtype == bool and value.dtype != bool:
        return f"Your result is of type {value.dtype}; expected are booleans, True and False."
    ours, theirs = value.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(theirs)
    nan = np.isnan(ours) & ~np.isnan(theirs)
    if nan.any():
        at = tuple(map(int, np.argwhere(nan)[0]))
        return (
            f"The shape {value.shape} is right, but your result is NaN at {at}; expected is {theirs[at]:.4g}."
        )
    with np.errstate(invalid="ignore"):
        error = np.where(ours == theirs, 0.0, np.abs(ours - theirs))
    error[np.isnan(theirs)] = np.where(np.isnan(ours[np.isnan(theirs)]), 0.0, np.inf)
    allowed = tolerance * max(float(np.abs(theirs[finite]).max(initial=0.0)), 1e-9)
    if not (error > allowed).any():
        return ""
    if not value.shape:
        return f"Your result is {_number(ours)}; expected is {_number(theirs)}."
    at = tuple(map(int, np.unravel_index(int(np.argmax(error)), error.shape)))
    return (
        f"The shape {value.shape} is right, but the largest difference is {error[at]:.3g}, "
        f"at {at}: {ours[at]:.4g} instead of {theirs[at]:.4g}."
    )


def _number(value: Any) -> str:
    return f"{value:.10g}" if float(value).is_integer() else f"{value:.4g}"  # counts in full


def _instead(value: Any, expected: Any) -> str:
    return f"Your result is {_kind(value)}; expected is {_kind(expected)}."


def _kind(value: Any) -> str:
    value = value.item() if isinstance(value, np.ndarray | np.generic) and not value.shape else value
    if isinstance(value, (str, bool)) or value is None:
        return repr(value)[:60]
    if isinstance(value, (int, float)):
        return f"the number {_number(value)}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return f"a dictionary with the keys {sorted(value)[:9]}"
    return f"an array of shape {np.asarray(value).shape}"
