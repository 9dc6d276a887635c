"""Kernel protocol: requests for a student's answers, and the answers, as plain values in JSON.

The kernel is asked for the answers to given inputs (`respond`); whether they are right is decided elsewhere. What
comes back may have been forged, so it is never unpickled or evaluated: `decode` accepts numbers, words, and
arrays of known types, and nothing else.
"""

from __future__ import annotations

import base64
import binascii
import json
import linecache
import numbers
import sys
import traceback
from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from course_lib.exercises.calls import is_students, watched

COURSE = str(Path(__file__).parent.parent)  # where the course's library lies
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64")
DEEPEST = 12  # lists within lists
LARGEST = 20_000_000  # characters of a response


class MissingFunctionError(NameError):
    """The student's notebook does not define the function that is asked for."""


def printable(text: str) -> str:
    """Return a text with a question mark for each sign that cannot be printed, so that it does nothing to a terminal.

    Examples
    --------
    >>> printable("ada\\x1b[2J"), printable("mal\\udcff")
    ('ada?[2J', 'mal?')
    """
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def one_line(text: str, most: int) -> str:
    """Return a text that somebody else wrote as one line of at most so many characters, all of which can be printed.

    Examples
    --------
    >>> one_line("two\\nlines \\x1b[31m", 100)
    'two lines ?[31m'
    """
    shown = printable(" ".join(text[: 4 * most].split()))
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def encode(value: Any) -> Any:
    """Return a value as JSON can hold it.

    Parameters
    ----------
    value : number, str, bool, None, NumPy array, torch tensor, or lists, tuples and dicts of these
        Anything else becomes its type's name, which equals no answer.

    Examples
    --------
    >>> encode([1.5, "cat"])
    [1.5, 'cat']
    >>> encode(np.arange(2, dtype=np.int64))
    {'array': 'AAAAAAAAAAABAAAAAAAAAA==', 'dtype': 'int64', 'shape': [2], 'of': 'numpy'}
    >>> encode(print)
    {'other': 'builtin_function_or_method'}
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return {"items": [[str(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, range):
        return list(value)
    of = (
        "torch"
        if any(base.__module__.partition(".")[0] == "torch" for base in type(value).__mro__)
        else "numpy"
    )
    if of == "torch" and hasattr(value, "detach"):
        value = value.detach().cpu().resolve_conj().resolve_neg()
        value = (value.float() if str(value.dtype) == "torch.bfloat16" else value).numpy()
    if isinstance(value, numbers.Real | Decimal) and not isinstance(value, np.generic):
        return float(value)  # a fraction
    if isinstance(value, (np.ndarray, np.generic)):
        value = _of_a_known_type(value)
        if value.dtype.name not in DTYPES:
            return {"other": f"{value.dtype.name} array"}
        data = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()
        return {
            "array": base64.b64encode(data).decode("ascii"),
            "dtype": value.dtype.name,
            "shape": list(value.shape),
            "of": of,
        }
    return {"other": value.name if isinstance(value, Other) else type(value).__name__}


def _of_a_known_type(value: Any) -> Any:
    """Return an array of real numbers in one of DTYPES, whatever type its numbers have; other arrays as they are."""
    if value.dtype.name in DTYPES:
        return value
    if value.dtype.kind in "iu":
        wide = value.astype(np.int64)
        return wide if (wide == value).all() else value.astype(np.float64)
    if value.dtype.kind == "c" and not np.any(value.imag):
        value = value.real
    if value.dtype.kind == "f":  # of more than 64 bits, or part of a complex number
        with np.errstate(over="ignore"):
            return value if value.dtype.name in DTYPES else value.astype(np.float64)
    if value.dtype.kind == "O" and all(isinstance(entry, numbers.Real | Decimal) for entry in value.flat):
        return value.astype(np.float64)
    return value


def decode(plain: Any, depth: int = 0) -> Any:
    """Return what `encode` was given: arrays as NumPy arrays or torch tensors, whichever they were.

    Raises
    ------
    ValueError
        If it is not something that `encode` writes.

    Examples
    --------
    >>> decode(encode({"x": np.eye(2)}))
    {'x': array([[1., 0.],
           [0., 1.]])}
    >>> decode({"array": "AAAA", "dtype": "float64", "shape": [2], "of": "numpy"})
    Traceback (most recent call last):
        ...
    ValueError: an array float64 [2] of 3 bytes, expected 16
    """
    if depth > DEEPEST:
        raise ValueError(f"lists more than {DEEPEST} deep")
    if isinstance(plain, int) and abs(plain) > sys.float_info.max:
        raise ValueError("a whole number of more than 308 digits")
    if plain is None or isinstance(plain, (bool, int, float, str)):
        return plain
    if isinstance(plain, list):
        return [decode(item, depth + 1) for item in plain]
    if isinstance(plain, dict) and set(plain) == {"items"} and isinstance(plain["items"], list):
        return {str(key): decode(item, depth + 1) for key, item in map(_pair, plain["items"])}
    if isinstance(plain, dict) and set(plain) == {"array", "dtype", "shape", "of"}:
        return _array(plain)
    if isinstance(plain, dict) and set(plain) == {"other"}:
        return Other(str(plain["other"])[:100])
    raise ValueError("a value of no known kind")


class Other:
    """Stands for a value that is neither a number, a word, an array nor a list of these.

    Parameters
    ----------
    name : str
        The name of its type.
    """

    def __init__(self, name: str) -> None:
        self.name = name


def _pair(entry: Any) -> tuple[Any, Any]:
    if not isinstance(entry, list) or len(entry) != 2:
        raise ValueError("an entry of a dictionary that is no pair")
    return entry[0], entry[1]


def _array(plain: Mapping[str, Any]) -> Any:
    dtype, shape, text = plain["dtype"], plain["shape"], plain["array"]
    if (
        dtype not in DTYPES
        or not isinstance(text, str)
        or not isinstance(shape, list)
        or len(shape) > DEEPEST
    ):
        raise ValueError(f"an array of type {str(dtype)[:40]!r}: expected one of {', '.join(DTYPES)}")
    if not all(type(length) is int and 0 <= length <= LARGEST for length in shape):
        raise ValueError("an array whose shape is not made of lengths")
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ValueError("an array that is not in base64") from None
    expected = prod(shape) * np.dtype(dtype).itemsize
    if len(data) != expected:
        raise ValueError(f"an array {dtype} {shape} of {len(data)} bytes, expected {expected}")
    array = np.frombuffer(data, np.dtype(dtype).newbyteorder("<")).astype(dtype).reshape(shape)  # a copy
    if plain["of"] != "torch":
        return array
    import torch  # only where a question speaks of tensors

    return torch.from_numpy(array)


# ---- In the student's kernel ----


def respond(namespace: dict[str, Any], request: str) -> str:
    """Answer a request in the namespace of a student's notebook.

    Parameters
    ----------
    namespace : dict
        The notebook's names.
    request : str
        JSON: `entry_point`, Python source that defines `entry_point(...)`, or the name of the student's function;
        `cases`, a list of argument lists; `forbidden`, what must not be called (`course_lib.exercises.calls.watched`).

    Returns
    -------
    str
        JSON, one entry a case: `value` and `changed` (which arguments were changed in place); or `error`, what
        went wrong and where; or `forbidden`, what was called that must not be, and where.

    Examples
    --------
    >>> request = json.dumps({"entry_point": "twice", "cases": [[3], ["cat"], []], "forbidden": []})
    >>> for answer in json.loads(respond({"twice": lambda x: x + x}, request)):
    ...     print(answer.get("value", answer.get("error", "").partition(":")[0]))
    6
    catcat
    Your code cannot be used as this question asks
    """
    wanted = json.loads(request)
    answers = []
    for number, arguments in enumerate(wanted["cases"]):
        try:
            with watched(wanted["forbidden"], also_from_c=number == 0) as calls:
                answer = _answer(namespace, wanted["entry_point"], arguments)
        except (Exception, SystemExit) as error:
            answer = {"error": tell_error(error)}
        answers.append({"forbidden": calls.message} if calls.message else answer)
    response = json.dumps(answers)
    if len(response) > LARGEST:
        response = json.dumps([{"error": "Your answer is far too large."} for _ in answers])
    return response


def _answer(namespace: dict[str, Any], entry_point: str, arguments: Sequence[Any]) -> dict[str, Any]:
    if entry_point.isidentifier():
        if entry_point not in namespace:
            raise MissingFunctionError(
                f"There is no function called {entry_point} when this question is decided: "
                "write it in the question's own cell, above the cell of its points."
            )
        function = namespace[entry_point]
    else:
        scope = dict(namespace)  # what the question defines stays out of the notebook
        exec(compile(entry_point, "<question>", "exec"), scope)
        function = scope["entry_point"]
    given = [decode(argument) for argument in arguments]
    value = encode(function(*given))
    changed = [  # compared as text, in which a NaN equals itself
        index
        for index, argument in enumerate(arguments)
        if json.dumps(encode(given[index])) != json.dumps(argument)
    ]
    return {"value": value, "changed": changed}


def words_of(error: BaseException) -> str:
    """Return an exception's message; "" if it has none that can be made.

    Examples
    --------
    >>> words_of(ValueError("too short"))
    'too short'
    """
    try:
        return str(error)
    except Exception:  # a class of a student's own may do anything here
        return ""


def tell_error(error: BaseException, call: str = "Your code") -> str:
    """Say what went wrong, and in which line of the student's code.

    Examples
    --------
    >>> tell_error(ValueError("too short"))
    'Your code stops with ValueError: too short'
    """
    if isinstance(error, MissingFunctionError):
        return str(error)
    students = [frame for frame in traceback.walk_tb(error.__traceback__) if is_students(frame[0].f_code)]
    # Where the course's library stops, the line that has called it is quoted.
    calling = [frame for frame in students if not frame[0].f_code.co_filename.startswith(COURSE)]
    lines = [
        line.strip()
        for frame, number in calling or students
        if (line := linecache.getline(frame.f_code.co_filename, number)).strip()
    ]
    where = f" in the line `{lines[-1][:200]}`" if lines else ""
    words = one_line(words_of(error), 500)
    detail = f": {words}" if words else "."
    name = one_line(type(error).__name__, 60)
    # Called in a wrong way: it, or what it returned.
    if not students and call == "Your code" and error.__traceback__:
        return f"Your code cannot be used as this question asks: {name}{detail}"
    return f"{call} stops with {name}{where}{detail}"
