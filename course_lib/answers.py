"""What goes into and comes out of a student's kernel when a question is decided: plain values, as JSON.

The kernel is asked for the answers to given inputs (:func:`respond`); whether they are right is decided elsewhere. What
comes back may have been forged, so it is never unpickled or evaluated: :func:`from_plain` accepts numbers, words, and
arrays of known types, and nothing else.
"""

from __future__ import annotations

import ast
import base64
import binascii
import importlib
import json
import sys
import sysconfig
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from typing import Any
from unittest import mock

import numpy as np

DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64")
DEEPEST = 12  # lists within lists
LARGEST = 20_000_000  # characters of a response


class ForbiddenCallError(Exception):
    """A call of something that the question asks students to write themselves."""


def to_plain(value: Any) -> Any:
    """Return a value as JSON can hold it.

    Parameters
    ----------
    value : number, str, bool, None, NumPy array, torch tensor, or lists, tuples and dicts of these
        Anything else becomes its type's name, which equals no answer.

    Examples
    --------
    >>> to_plain([1.5, "cat"])
    [1.5, 'cat']
    >>> to_plain(np.arange(2, dtype=np.int64))
    {'array': 'AAAAAAAAAAABAAAAAAAAAA==', 'dtype': 'int64', 'shape': [2], 'of': 'numpy'}
    >>> to_plain(print)
    {'other': 'builtin_function_or_method'}
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {"items": [[str(key), to_plain(item)] for key, item in value.items()]}
    of = "torch" if type(value).__module__.partition(".")[0] == "torch" else "numpy"
    if of == "torch" and hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.name in DTYPES:
        data = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()
        return {
            "array": base64.b64encode(data).decode("ascii"),
            "dtype": value.dtype.name,
            "shape": list(value.shape),
            "of": of,
        }
    return {"other": value.name if isinstance(value, Other) else type(value).__name__}


def from_plain(plain: Any, depth: int = 0) -> Any:
    """Return what :func:`to_plain` was given: arrays as NumPy arrays or torch tensors, whichever they were.

    Raises
    ------
    ValueError
        If it is not something that `to_plain` writes.

    Examples
    --------
    >>> from_plain(to_plain({"x": np.eye(2)}))
    {'x': array([[1., 0.],
           [0., 1.]])}
    >>> from_plain({"array": "AAAA", "dtype": "float64", "shape": [2], "of": "numpy"})
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
        return [from_plain(item, depth + 1) for item in plain]
    if isinstance(plain, dict) and set(plain) == {"items"} and isinstance(plain["items"], list):
        return {str(key): from_plain(item, depth + 1) for key, item in map(_pair, plain["items"])}
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
        JSON: ``ask``, Python source that defines ``ask(...)``, or the name of the student's function; ``cases``, a
        list of argument lists; ``forbidden``, dotted names that must not be called meanwhile.

    Returns
    -------
    str
        JSON, one entry a case: ``value`` and ``changed`` (which arguments were changed in place), or ``error``, what
        went wrong and where.

    Examples
    --------
    >>> request = json.dumps({"ask": "twice", "cases": [[3], ["cat"], []], "forbidden": []})
    >>> for answer in json.loads(respond({"twice": lambda x: x + x}, request)):
    ...     print(answer.get("value", answer.get("error", "")[:30]))
    6
    catcat
    Your code stops with TypeError
    """
    wanted = json.loads(request)
    answers = []
    with blocked(wanted["forbidden"]):
        for arguments in wanted["cases"]:
            try:
                answers.append(_answer(namespace, wanted["ask"], arguments))
            except (Exception, SystemExit) as error:
                answers.append({"error": tell_error(error)})
    response = json.dumps(answers)
    if len(response) > LARGEST:
        response = json.dumps([{"error": "Your answer is far too large."} for _ in answers])
    return response


def _answer(namespace: dict[str, Any], ask: str, arguments: Sequence[Any]) -> dict[str, Any]:
    if ask.isidentifier():
        if ask not in namespace:
            raise NameError(f"name '{ask}' is not defined")
        function = namespace[ask]
    else:
        scope = dict(namespace)  # what the question defines stays out of the notebook
        exec(compile(ask, "<question>", "exec"), scope)
        function = scope["ask"]
    given = [from_plain(argument) for argument in arguments]
    value = to_plain(function(*given))
    changed = [  # compared as text, in which a NaN equals itself
        index
        for index, argument in enumerate(arguments)
        if json.dumps(to_plain(given[index])) != json.dumps(argument)
    ]
    return {"value": value, "changed": changed}


def tell_error(error: BaseException, call: str = "Your code") -> str:
    """Say what went wrong, and in which line of the student's code.

    Examples
    --------
    >>> tell_error(ValueError("too short"))
    'Your code stops with ValueError: too short'
    """
    if isinstance(error, ForbiddenCallError):
        return str(error)
    # Of a library, of Python, of ours: not what the student can mend.
    others = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), "<question>", "course_lib")
    lines = [
        frame.line
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.line and not any(other in frame.filename for other in others)
    ]
    where = f" in the line `{lines[-1][:200]}`" if lines else ""
    told = f": {str(error)[:500]}" if str(error) else "."
    return f"{call} stops with {type(error).__name__}{where}{told}"


def forbidden_calls(source: str, forbidden: Sequence[str]) -> list[str]:
    """Return which forbidden names a piece of code uses, whatever it calls them.

    Parameters
    ----------
    source : str
        Python; code that does not parse uses nothing.
    forbidden : sequence of str
        Dotted names. Of a class's method, any use of an attribute of that name counts.

    Examples
    --------
    >>> source = "import torch.nn.functional as F\\nfrom torch import softmax as s\\ny = s(F.softmax(x, 1), 0)"
    >>> forbidden_calls(source, ["torch.softmax", "torch.nn.functional.softmax", "torch.Tensor.softmax"])
    ['torch.softmax', 'torch.nn.functional.softmax', 'torch.Tensor.softmax']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last: nested too deep for the parser
        return []
    aliases: dict[str, str] = {  # of what problem sets import in given cells
        "np": "numpy",
        "F": "torch.nn.functional",
        "nn": "torch.nn",
        "functional": "course_lib.functional",
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            aliases |= {
                n.asname or n.name.partition(".")[0]: n.name if n.asname else n.name.partition(".")[0]
                for n in node.names
            }
        elif isinstance(node, ast.ImportFrom) and node.module:
            aliases |= {n.asname or n.name: f"{node.module}.{n.name}" for n in node.names}
    used = set()
    attributes = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)):
            first, _, rest = _dotted(node).partition(".")
            used.add(".".join(filter(None, (aliases.get(first, first), rest))))
        if isinstance(node, ast.Attribute):
            attributes.add(node.attr)
    methods = {name for name in forbidden if name.rpartition(".")[0].rpartition(".")[2][:1].isupper()}
    return [
        name
        for name in forbidden
        if name in used or (name in methods and name.rpartition(".")[2] in attributes)
    ]


def _dotted(node: ast.expr, most: int = 8) -> str:
    """Return a name with its attributes: "torch.nn.ReLU"; "" for what is none, or longer than any that matters."""
    names: list[str] = []
    while isinstance(node, ast.Attribute) and len(names) < most:
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


@contextmanager
def blocked(names: Sequence[str]) -> Iterator[None]:
    """Let calls of the named functions and classes fail. A rule of fairness, not of security.

    Examples
    --------
    >>> with blocked(["numpy.convolve"]):
    ...     np.convolve([1], [2])
    Traceback (most recent call last):
        ...
    course_lib.answers.ForbiddenCallError: numpy.convolve is called, which this question asks you to write yourself.
    """

    def refuse(name: str) -> Any:
        def refused(*args: Any, **kwargs: Any) -> Any:
            raise ForbiddenCallError(f"{name} is called, which this question asks you to write yourself.")

        return refused

    with ExitStack() as stack:
        for name in names:
            owner, _, attribute = name.rpartition(".")
            if owner.partition(".")[0] not in sys.modules:
                continue  # loading torch to block it would take longer than grading
            try:
                found = _find(owner)
            except (ImportError, AttributeError):
                continue
            if hasattr(found, attribute):
                stack.enter_context(mock.patch.object(found, attribute, refuse(name)))
        yield


def _find(dotted: str) -> Any:
    """Return the module or class of that name."""
    try:
        return importlib.import_module(dotted)
    except ImportError:
        owner, _, attribute = dotted.rpartition(".")
        if not owner:
            raise
        return getattr(_find(owner), attribute)
