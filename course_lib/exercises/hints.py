"""Checks for the visible tests of problem sets, with kind and precise messages.

A check that fails raises a `Hint`, which a notebook shows as its message alone, without a traceback.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.exercises.calls import watched
from course_lib.exercises.kernel_protocol import Other, decode, encode, tell_error

TOLERANCE = 2e-5  # of single precision, with room for another order of adding up
SORTS: dict[type | tuple[type, ...], str] = {
    str: "a text",
    bool: "True or False",
    (int, float): "a number",
    list: "a list",
    Mapping: "a dictionary",
}


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
    stops: Mapping[str, str] | None = None,
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
        What must not be called: dotted names, or patterns as `course_lib.exercises.calls.watched` has them.
    stops : mapping from str to str, optional
        What to say besides, where the function stops with an error whose words have this in them.

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
    course_lib.exercises.hints.Hint: That is the mean of each column.
    >>> check(lambda x: x.mean(axis=1), [x], [2.0, 5.0])
    ✓ the function returns what it should: an array of shape (2,)
    """
    name = getattr(function, "__name__", "the function")
    name = "the function" if name == "<lambda>" else name
    given = deepcopy(list(arguments))
    try:
        with watched(forbidden) as calls:
            value = function(*given)
    except Hint:
        raise
    except Exception as error:
        told = tell_error(error, f"{name}({described(function, arguments)})")
        more = [advice for words, advice in (stops or {}).items() if words in str(error)]
        raise Hint("\n".join([told, *more[:1]])) from None
    if calls.message:
        raise Hint(calls.message)
    fault = difference(value, expected, tolerance)
    if fault:
        for message, mistake in (mistakes or {}).items():
            if matches_misconception(mistake, arguments, value, tolerance):
                raise Hint(message)
        raise Hint(f"{name}({described(function, arguments)}): {fault}")
    if json.dumps(encode(given)) != json.dumps(encode(list(arguments))):
        raise Hint(f"{name} returns the right values, but changes its inputs in place: work on a copy.")
    kind = f"a tuple of {len(value)}" if type(value) is tuple else _kind(decode(encode(value)))
    if passed := _passed.get():
        passed[-1].setdefault(name, []).append(kind)
    else:
        _praise({name: [kind]})


# What the tests that run now have found right: of each function, what it returned. Tests may stand in tests.
_passed: ContextVar[tuple[dict[str, list[str]], ...]] = ContextVar("passed", default=())


def _praise(passed: Mapping[str, Sequence[str]]) -> None:
    for name, kinds in passed.items():
        what = f": {kinds[0]}" if len(kinds) == 1 else f" for {len(kinds)} inputs"
        print(f"✓ {name} returns what it should{what}")


def tests(function: Callable[[], None]) -> None:
    """Run visible tests at once: a decorator for a function, so that none of their names get in the student's way.

    What is right is said in a line for each function, before what is not right yet.

    Examples
    --------
    >>> @tests
    ... def _q1_tests():
    ...     check(lambda x: x + 1, [1], 2)
    ...     check(abs, [-1], 1)
    ...     check(abs, [1], 1)
    ✓ the function returns what it should: the number 2
    ✓ abs returns what it should for 2 inputs
    """
    passed: dict[str, list[str]] = {}
    token = _passed.set((*_passed.get(), passed))
    try:
        function()
    finally:
        _passed.reset(token)
        _praise(passed)


def each(*groups: Callable[[], None]) -> None:
    """Run all groups of visible tests, also those after one that fails, and then say what is wrong in each.

    Parameters
    ----------
    *groups : functions
        One for each function that a question asks for, say.

    Raises
    ------
    Hint

    Examples
    --------
    >>> each(lambda: require(False, "The first is wrong."), lambda: check(lambda: 1, [], 1))
    Traceback (most recent call last):
        ...
    course_lib.exercises.hints.Hint: The first is wrong.
    """
    told = []
    for group in groups:
        try:
            group()
        except Hint as hint:
            told.append(str(hint))
    require(not told, "\n".join(told))


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
    course_lib.exercises.hints.Hint: One and one are not three.
    """
    if not condition:
        raise Hint(message)


def is_truth(value: Any) -> bool:
    """Whether a value says true or false: a single bool, or a single number that is 0 or 1.

    Where a function is to return True or False, its visible test and what decides it both go by this.

    Parameters
    ----------
    value : any
        Of Python, NumPy or torch.

    Examples
    --------
    >>> [is_truth(value) for value in (True, 0, np.int64(1), np.bool_(False), np.array(1.0))]
    [True, True, True, True, True]
    >>> [is_truth(value) for value in (0.7, 2, "no", None, np.array([True]), [True])]
    [False, False, False, False, False, False]
    """
    value = settled(value)
    is_single = isinstance(value, (bool, int, float)) or (
        isinstance(value, np.ndarray) and value.shape == () and value.dtype.kind in "biuf"
    )
    return is_single and bool(value in (0, 1))


def matches_misconception(mistake: Any, arguments: Sequence[Any], value: Any, tolerance: float) -> bool:
    """Whether a known misconception (a function, or the value it leads to) gives this result.

    Parameters
    ----------
    mistake : value or function
        A function takes the arguments and makes the mistake.
    arguments : sequence
    value : anything
        What came out.
    tolerance : float
        As in `difference`.

    Examples
    --------
    >>> matches_misconception(lambda x: x.sum(axis=0), [np.eye(2)], np.ones(2), TOLERANCE)
    True
    """
    if callable(mistake):
        try:
            mistake = made(mistake, arguments)
        except ImpossibleError:
            return False
    return not compare(settled(value), settled(mistake), tolerance)


class ImpossibleError(ValueError):
    """A mistake cannot be made with these arguments."""


def made(mistake: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Return what comes out when a mistake is made.

    Raises
    ------
    ImpossibleError
        If it cannot be made with these arguments.
    """
    try:
        with np.errstate(all="ignore"):
            return mistake(*deepcopy(list(arguments)))
    except (ValueError, IndexError, TypeError, RuntimeError, ArithmeticError) as error:
        raise ImpossibleError(str(error)) from None


def described(function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """Write the arguments of a function in a line: what is small as it is, arrays by shape, type and range.

    Examples
    --------
    >>> described(lambda x, k, word: None, [np.zeros((2, 3, 4)), 5, "cat"])
    "x of shape (2, 3, 4), k = 5, word = 'cat'"
    >>> described(lambda x: None, [np.array([1e6, -np.inf] * 8)])
    'x of shape (16,), from 1e+06 to 1e+06, with -inf'
    >>> described(lambda pair: None, [(np.array([1.0, -np.inf]), np.zeros((3, 4)), 2)])
    'pair = ([ 1., -inf], shape (3, 4), 2)'
    """
    try:
        names: Sequence[str] = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = []
    named = [names[n] if n < len(names) else f"argument {n + 1}" for n in range(len(arguments))]
    return ", ".join(_described(name, value) for name, value in zip(named, arguments, strict=True))


def _described(name: str, value: Any) -> str:
    shape = getattr(value, "shape", None)
    if isinstance(value, list | tuple) and any(hasattr(entry, "dtype") for entry in value):
        shown = ", ".join(_described("", entry).removeprefix(" = ").removeprefix(" of ") for entry in value)
        return f"{name} = ({shown})"
    if shape is None or not hasattr(value, "dtype"):
        written = f"{value:.6g}" if type(value) is float else repr(value)
        of_several_lines = f"<{type(value).__name__}>"  # a module, say
        shown = getattr(value, "__name__", None) or (of_several_lines if "\n" in written else written[:80])
        return f"{name} = {shown}"
    of_torch = type(value).__module__.startswith("torch")
    array = np.asarray(value.detach() if of_torch else value)
    ordinary = ("float32" if of_torch else "float64", "int64", "bool")
    kind = "" if array.dtype.name in ordinary else f", {array.dtype.name}"
    if 0 < array.size <= 8 and array.ndim <= 2:
        text = np.array2string(array, precision=4, separator=", ", floatmode="maxprec")
        return f"{name} = {' '.join(text.split())}{kind}"
    return f"{name} of shape {tuple(shape)}{kind}{_range(array)}"


def _range(array: NDArray[Any]) -> str:
    """Say of which size the numbers are, where that is unusual."""
    if array.dtype.kind != "f":
        return ""
    finite = array[np.isfinite(array)].astype(np.float64)
    largest = float(np.abs(finite).max(initial=0.0))
    value_range = (
        f", from {finite.min():.3g} to {finite.max():.3g}" if largest > 50 or 0 < largest < 1e-2 else ""
    )
    for what, there in (("inf", array == np.inf), ("-inf", array == -np.inf), ("NaN", np.isnan(array))):
        value_range += f", with {what}" if there.any() else ""
    return value_range


def difference(value: Any, expected: Any, tolerance: float) -> str:
    """Say how an answer differs from what is expected; "" if it does not.

    Parameters
    ----------
    value : anything
        What a function returned.
    expected : number, word, array, or lists, tuples and mappings of these
    tolerance : float
        Largest error, relative to the largest finite entry expected. A result in half precision may have an error of
        8 times the precision of its type.

    Examples
    --------
    >>> difference(np.zeros((2, 3)), np.zeros((3, 2)), 1e-5)
    'Your result has shape (2, 3); expected is (3, 2).'
    >>> difference(np.array([1.0, 2.5]), np.array([1.0, 2.0]), 1e-5)
    'The shape (2,) is right, but the largest error is 0.5, at (1,): 2.5 instead of 2.'
    >>> difference(2, 2.0, 1e-5)
    ''
    """
    return compare(settled(value), settled(expected), tolerance)


def settled(value: Any) -> Any:
    """Return a value in the form in which answers are compared: lists of numbers as arrays, all else as plain values.

    Examples
    --------
    >>> settled([[1, 2], [3, 4]]).shape, settled(["cat", 1])
    ((2, 2), ['cat', 1])
    """
    return _arrays(decode(encode(value)))


def _arrays(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _arrays(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return np.asarray(value) if _numeric(value) else [_arrays(entry) for entry in value]
    if hasattr(value, "detach"):
        return value.numpy()
    return value


def compare(value: Any, expected: Any, tolerance: float, tell: bool = True) -> str:
    """Say how a settled answer differs from what is expected, which is settled too; "" if it does not.

    Parameters
    ----------
    value, expected : as `settled` returns them
    tolerance : float
        As in `difference`.
    tell : bool
        Whether to tell the value that is expected. Who is told it for inputs that come again could copy it.
    """
    if isinstance(value, Other):
        return f"Your result is of type {value.name}{_but_wanted(expected, tell)}."
    if value is None and expected is not None:
        return f"Your function returns None, as one without `return` does{_but_wanted(expected, tell)}."
    if isinstance(expected, list):
        return _sequence_difference(value, expected, tolerance, tell)
    if isinstance(expected, Mapping):
        return _mapping_difference(value, expected, tolerance, tell)
    if expected is None or isinstance(expected, str):
        same = value is None if expected is None else isinstance(value, str) and value == expected
        return "" if same else _instead(value, expected, tell)
    if isinstance(value, (str, Mapping, list)):
        return _instead(value, expected, tell)
    return _array_difference(np.asarray(value), np.asarray(expected), tolerance, tell)


def _numeric(value: Sequence[Any]) -> bool:
    """Whether nested lists make an array of numbers."""
    try:
        return np.asarray(value).dtype.kind in "biuf" and len(value) > 0
    except ValueError:
        return False


def _so_many(expected: Sequence[Any]) -> str:
    if len(expected) < 2:
        return "expected is " + ("one" if expected else "none")
    return f"expected are {len(expected)}"


def _sequence_difference(value: Any, expected: Sequence[Any], tolerance: float, tell: bool) -> str:
    if isinstance(value, np.ndarray) and value.ndim:
        if len(value) != len(expected):
            return (
                f"Your result is an array of shape {value.shape}; {_so_many(expected)} in a list or a tuple."
            )
        value = list(value)
    if not isinstance(value, list):
        return _instead(value, expected, tell)
    if len(value) != len(expected):
        entries = "entry" if len(value) == 1 else "entries"
        return f"Your result has {len(value)} {entries}; {_so_many(expected)}."
    for number, (ours, theirs) in enumerate(zip(value, expected, strict=True), start=1):
        fault = _entry_difference(ours, theirs, tolerance, tell)
        if fault:
            return f"Result {number} of {len(expected)}: {fault[0].lower()}{fault[1:]}"
    return ""


def _mapping_difference(value: Any, expected: Mapping[str, Any], tolerance: float, tell: bool) -> str:
    if not isinstance(value, Mapping):
        return _instead(value, expected, tell)
    if set(value) != set(expected):
        wanted = f"; expected are {sorted(expected)}" if tell else ", and these are not all right"
        return f"Your result has the keys {sorted(value)[:9]}{wanted}."
    for key, theirs in expected.items():
        fault = _entry_difference(value[key], theirs, tolerance, tell)
        if fault:
            return f"'{key}': {fault[0].lower()}{fault[1:]}"
    return ""


def _entry_difference(value: Any, expected: Any, tolerance: float, tell: bool) -> str:
    if value is None and expected is not None:
        return f"It is None{_but_wanted(expected, tell)}."
    return compare(value, expected, tolerance, tell)


def _array_difference(value: NDArray[Any], expected: NDArray[Any], tolerance: float, tell: bool) -> str:
    if value.shape != expected.shape:
        return f"Your result has shape {value.shape}; expected is {expected.shape}."
    if expected.dtype == bool and value.dtype != bool:
        return f"Your result is of type {value.dtype}; expected are booleans, True and False."
    if value.dtype == np.float16:
        tolerance = max(tolerance, 8 * float(np.finfo(np.float16).eps))
    ours, theirs = value.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(theirs)
    nan = np.isnan(ours) & ~np.isnan(theirs)
    if nan.any():
        at = tuple(map(int, np.argwhere(nan)[0]))
        wanted = f"; expected is {_number(theirs[at])}" if tell else ""
        return f"The shape {value.shape} is right, but your result is NaN at {at}{wanted}."
    with np.errstate(invalid="ignore"):
        error = np.where(ours == theirs, 0.0, np.abs(ours - theirs))
    error[np.isnan(theirs)] = np.where(np.isnan(ours[np.isnan(theirs)]), 0.0, np.inf)
    allowed = tolerance * max(float(np.abs(theirs[finite]).max(initial=0.0)), 1e-9)
    if not (error > allowed).any():
        return ""
    # Of whole numbers, as of token ids, it counts which are wrong, and not by how much.
    are_whole = expected.dtype.kind in "biu" and value.dtype.kind in "biu"
    place = np.argmax(error > allowed if are_whole else error)
    at = tuple(map(int, np.unravel_index(int(place), error.shape)))
    got, wanted = _two_numbers(ours[at], theirs[at], expected.dtype == bool)
    if not value.shape:
        return (
            f"Your result is {got}; expected is {wanted}."
            if tell
            else f"Your result is {got}, which is not right."
        )
    is_close = error[at] < 100 * allowed
    limit = f" (more than the {allowed:.2g} that rounding may cost)" if is_close else ""
    size = f"{error[at]:.3g}{limit}, " if tell or is_close else ""
    instead = f"at {at}: {got} instead of {wanted}" if tell else f"at {at}, where you have {got}"
    if are_whole:
        n_wrong = int((error > allowed).sum())
        return f"The shape {value.shape} is right, but {n_wrong} of {error.size} entries are not, the first {instead}."
    return f"The shape {value.shape} is right, but the largest error is {size}{instead}."


def _two_numbers(got: Any, wanted: Any, are_booleans: bool) -> tuple[str, str]:
    """Write two numbers with as many digits as it takes to tell them apart."""
    if are_booleans:
        return str(bool(got)), str(bool(wanted))
    short = _number(got), _number(wanted)
    return short if short[0] != short[1] else (f"{got:.9g}", f"{wanted:.9g}")


def _number(value: Any) -> str:
    whole = float(value).is_integer() and abs(value) < 1e15
    return f"{int(value)}" if whole else f"{value:.4g}"  # counts in full


def _instead(value: Any, expected: Any, tell: bool) -> str:
    wanted = _but_wanted(expected, tell) if tell or _sort(value) != _sort(expected) else ""
    return f"Your result is {_kind(value)}{wanted or ', which is not right'}."


def _but_wanted(expected: Any, tell: bool) -> str:
    """Say what is expected; where its value may not be told, of what sort it is.

    Untold, a dictionary is not named either: a check may have made it from what several functions return.
    """
    if tell:
        return f"; expected is {_kind(expected)}"
    if isinstance(expected, Mapping):
        return ""
    is_one_value = _sort(expected) in ("a text", "True or False", "a number")
    return f"; expected is {_sort(expected) if is_one_value else _kind(expected)}"


def _sort(value: Any) -> str:
    value = value.item() if isinstance(value, np.ndarray | np.generic) and not value.shape else value
    for types, name in SORTS.items():
        if isinstance(value, types):
            return name
    return "None" if value is None else "an array"


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
