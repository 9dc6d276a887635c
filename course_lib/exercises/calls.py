"""Instrumentation of a student's code: forbidden calls, lines executed, arrays made, memory allocated.

Some questions ask students to write a function themselves, or without a loop, or without a large array. What counts is
what runs: a name in a comment, in an import or in a method of the student's own costs nothing, and an alias hides
nothing. These are rules of fairness, not of security.
"""

from __future__ import annotations

import builtins
import fnmatch
import inspect
import linecache
import sys
import sysconfig
import threading
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, reduce
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

QUESTION = "<question>"  # what stands for a file name in code of a question's own
# How the file names begin of code that is not the student's.
NOT_THE_STUDENTS = (
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib")),
    # In a sandbox packages are not where sysconfig says.
    *(path for path in sys.path if path.rstrip("/").endswith("-packages")),
    str(Path(np.__file__).parent.parent),
    str(Path(__file__).parent),
    QUESTION,
    "<frozen",
)
IMPORTING = "<frozen importlib"
# What stands in for a student's part counts as the student's where somebody hands it in as an answer.
STANDS_IN = str(Path(__file__).with_name("course_parts.py"))


class Calls:
    """Forbidden functions that a student's code has called.

    Attributes
    ----------
    message : str
        The first of them, in a sentence: its name, and the line of the student's that called it; "" if there is none.
    """

    def __init__(self, forbidden: Sequence[str]) -> None:
        self.message = ""
        self._forbidden = tuple(forbidden)
        self.look_up()

    def look_up(self) -> None:
        """Look up under which names the forbidden functions run, of those that are loaded by now."""
        loaded = tuple(map(_loaded, self._forbidden))
        self._patterns, self._known = _what_is_known(self._forbidden, loaded)

    def see(self, frame: FrameType, event: str, argument: Any) -> None:
        """Look at what the interpreter is about to call: a function for `sys.setprofile`.

        It is called for each call, and for each return: what was seen before has to be passed quickly.
        """
        if event == "call":
            shown = self._known.get(frame.f_code)
            if shown is None:
                shown = self._shown_frame(frame)
            if shown:
                self._tell(shown, frame.f_back, frame)
        elif event == "c_call":
            owner = getattr(argument, "__module__", None) or type(getattr(argument, "__self__", None))
            shown = self._known.get((argument.__name__, owner))
            if shown is None:
                shown = self._known[argument.__name__, owner] = self._shown(_canonical(argument))
            if shown:
                self._tell(shown, frame, None)

    def see_torch(self, function: Any) -> None:
        """Look at what PyTorch is about to do, also where a C function has called it."""
        shown = self._known.get(function)
        if shown is None:
            shown = self._known[function] = self._shown(_canonical(function))
        if shown:
            self._tell(shown, sys._getframe(2), None)

    def _shown_frame(self, frame: FrameType) -> str:
        code = frame.f_code
        if code.co_name == "__call__" and code.co_filename.endswith("_ops.py"):
            return self._shown(_canonical(frame.f_locals.get("self")))  # one of torch.ops
        shown = self._known[code] = self._shown(f"{frame.f_globals.get('__name__')}.{code.co_qualname}")
        return shown

    def _shown(self, name: str) -> str:
        """Return what a function is called in a message, if it is forbidden; "" if not."""
        for pattern, shown in self._patterns:
            if fnmatch.fnmatchcase(name, pattern):
                return shown or name
        return ""

    def _tell(self, shown: str, caller: FrameType | None, callee: FrameType | None) -> None:
        frame = caller
        while caller is not None and not is_students(caller.f_code):
            if caller.f_code.co_filename == QUESTION:
                return  # the question itself has called it
            caller, callee = caller.f_back, caller
        if self.message or caller is None or _is_being_imported(frame):
            return
        line = linecache.getline(caller.f_code.co_filename, caller.f_lineno).strip()
        where = f"line {caller.f_lineno}" + (f", `{line[:200]}`" if line else "")
        self.message = (
            f"{shown} is called in {where}{_way(shown, callee)}: this question asks you to do without it."
        )


def _is_being_imported(frame: FrameType | None) -> bool:
    """Return whether something runs because a module is being imported."""
    while frame is not None and not frame.f_code.co_filename.startswith(IMPORTING):
        frame = frame.f_back
    return frame is not None


def _way(shown: str, callee: FrameType | None) -> str:
    """Say through which function something was called, where the student did not call it by its name."""
    name = callee.f_code.co_qualname if callee is not None else ""
    is_itself = not name or name.partition(".")[0] in [
        *shown.split("."),
        "Module",
        "OpOverload",
        "OpOverloadPacket",
    ]
    return "" if is_itself else f" (through {name})"


def is_students(code: CodeType) -> bool:
    """Return whether a piece of code is the student's own, not a library's, the course's or a question's."""
    return not code.co_filename.startswith(NOT_THE_STUDENTS) or code.co_filename == STANDS_IN


@contextmanager
def watched(forbidden: Sequence[str], also_from_c: bool = True) -> Iterator[Calls]:
    """Watch whether a student's code calls what is forbidden.

    Parameters
    ----------
    forbidden : sequence of str
        Dotted names of functions and classes, such as "numpy.convolve", or patterns for whole families, such as
        "torch.ops.aten.*conv*" and "sacrebleu.*". They are compared with the names under which functions run: a
        function has its module's name before its own, a method its class's ("torch.Tensor.softmax").
    also_from_c : bool
        Whether to see PyTorch's functions, too, where C calls them, as `functools.partial` and `map` do. Takes some
        30 microseconds for each operation of PyTorch's.

    Yields
    ------
    Calls
        What was seen so far.

    Examples
    --------
    >>> import numpy as np
    >>> def scalar_product(x, y):
    ...     return (lambda other: other(x, y))(np.convolve)
    >>> with watched(["numpy.convolve"]) as calls:
    ...     _ = scalar_product([1], [2])
    >>> calls.message.partition(" in ")[0]
    'numpy.convolve is called'
    """
    calls = Calls(forbidden)
    if not forbidden:
        yield calls
        return
    with ExitStack() as stack:

        def look_up() -> None:
            watcher = sys.getprofile()
            sys.setprofile(None)  # what follows is not the student's
            calls.look_up()
            if also_from_c and any(name.startswith("torch") for name in forbidden):
                stack.enter_context(_torch_mode(calls))
            sys.setprofile(watcher)

        if "torch" in sys.modules:
            look_up()
        else:
            stack.enter_context(_after_importing("torch", look_up))
        before = sys.getprofile()
        threading.setprofile(calls.see)
        sys.setprofile(calls.see)
        try:
            yield calls
        finally:
            sys.setprofile(before)
            threading.setprofile(before)


@contextmanager
def _after_importing(module: str, act: Callable[[], None]) -> Iterator[None]:
    """Act once, when a module that is not loaded has been imported."""
    real, under_way, acted = builtins.__import__, 0, False

    def importing(*arguments: Any, **named: Any) -> Any:
        nonlocal under_way, acted
        under_way += 1
        try:
            return real(*arguments, **named)
        finally:
            under_way -= 1
            if not under_way and not acted and module in sys.modules:
                acted = True
                act()

    builtins.__import__ = importing
    try:
        yield
    finally:
        builtins.__import__ = real


def _torch_mode(calls: Calls) -> Any:
    """Return a context in which PyTorch says what it is about to do."""
    from torch.overrides import TorchFunctionMode

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            calls.see_torch(func)
            return func(*args, **(kwargs or {}))

    return Mode()


@cache
def _what_is_known(
    forbidden: tuple[str, ...], loaded: tuple[str, ...]
) -> tuple[Sequence[tuple[str, str]], dict[Any, str]]:
    """Return patterns of the names of what is forbidden, and a place to note which functions were found to be so.

    The next part of a question goes on with them, unless it finds other modules loaded.
    """
    return [pair for name in forbidden for pair in _patterns(name)], {}


def _patterns(name: str) -> Iterator[tuple[str, str]]:
    """Yield patterns of the names under which something runs, each with what to call it in a message."""
    if "*" in name:
        yield name, ""
        return
    yield name, name
    module = _loaded(name)
    try:  # it cannot run before it is loaded, and then it runs under its own module's name
        owner: Any = sys.modules[module]
        found = inspect.unwrap(reduce(getattr, name[len(module) + 1 :].split("."), owner))
    except (KeyError, AttributeError):
        return
    if isinstance(found, type):
        yield f"{found.__module__}.{found.__qualname__}.*", name
    else:
        yield _canonical(found), name


def _canonical(function: Any) -> str:
    """Return the name under which a function runs.

    Examples
    --------
    >>> _canonical(_canonical), _canonical([].append)
    ('course_lib.exercises.calls._canonical', 'builtins.list.append')
    """
    if type(function).__module__ == "torch._ops":
        return f"torch.ops.{function}"
    name = getattr(function, "__qualname__", getattr(function, "__name__", "")).rpartition(".")[2]
    owner = getattr(function, "__objclass__", None)
    of = getattr(function, "__self__", None)
    if owner is None and of is not None and not inspect.ismodule(of):
        owner = of if isinstance(of, type) else type(of)
    if isinstance(owner, type) and getattr(function, "__module__", None) is None:
        is_tensor = any(base.__name__ == "TensorBase" for base in owner.__mro__)
        return f"torch.Tensor.{name}" if is_tensor else f"{owner.__module__}.{owner.__qualname__}.{name}"
    if inspect.isfunction(function):
        return f"{function.__module__}.{function.__qualname__}"
    return f"{getattr(function, '__module__', None)}.{name}"


def _loaded(name: str) -> str:
    """Return the innermost module on the way to a dotted name that is loaded; "" if none is.

    Examples
    --------
    >>> _loaded("course_lib.exercises.calls.Calls.see"), _loaded("not_there.at_all")
    ('course_lib.exercises.calls', '')
    """
    module = name
    while module and module not in sys.modules:
        module = module.rpartition(".")[0]
    return module


# ---- Work ----


def steps(function: Callable[..., Any], *arguments: Any) -> tuple[Any, int]:
    """Call a function of a student's, and count the lines of the student's code that run; each turn of a loop counts.

    Returns
    -------
    what the function returns
    int

    Examples
    --------
    >>> steps(lambda n: sum(i for i in range(n)), 1000)[0]
    499500
    >>> count = lambda n: steps(lambda: [i for i in range(n)])[1]
    >>> 200 <= count(300) - count(100) <= 400
    True
    """
    n = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal n
        n += event == "line"
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        return line if is_students(frame.f_code) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        value = function(*arguments)
    finally:
        sys.settrace(before)
    return value, n


def pieces(function: Callable[..., Any], *arguments: Any) -> tuple[Any, int]:
    """Call a function of a student's, and count the arrays that are made of those given: a loop over rows makes many.

    A loop over plain numbers, such as the powers of another one, makes none. With PyTorch, what its functions return
    is counted.

    Returns
    -------
    what the function returns
    int

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.ones((100, 3))
    >>> pieces(lambda x: x * np.array([2.0**n for n in range(len(x))])[:, None], rows)[1] < 10
    True
    >>> pieces(lambda x: np.array([row.sum() for row in x]), rows)[1] >= 100
    True
    """
    n, sizes = 0, [0]

    class Given(np.ndarray):
        def __array_finalize__(self, of: Any) -> None:
            nonlocal n
            n += 1

    given = [each.view(Given) if isinstance(each, np.ndarray) else each for each in arguments]
    n = 0
    with _sizes_of_tensors(sizes) if "torch" in sys.modules else ExitStack():
        value = function(*given)
    return value, n + len(sizes) - 1


LEAST = 4000  # bytes: what a line takes below that is not counted, however often it runs
TRACEMALLOC = tracemalloc.start, tracemalloc.stop, tracemalloc.get_traced_memory, tracemalloc.reset_peak


def memory(function: Callable[..., Any], *arguments: Any, by_line: bool = True) -> tuple[Any, int, int]:
    """Call a function of a student's, and measure the memory that Python and NumPy take meanwhile.

    Python does not see the memory that PyTorch takes: there, the largest tensor counts.

    Parameters
    ----------
    function : function
    *arguments
        What it is called with.
    by_line : bool
        Whether to look after each line of the student's, too, which takes a long loop some ten times its time.

    Returns
    -------
    what the function returns
    int
        Bytes, at most, at any one time.
    int
        Bytes that all lines of the student's code have taken together, given back or not: a large array that is made
        piece by piece, and thrown away, counts in full. 0 unless `by_line`.

    Examples
    --------
    >>> import numpy as np
    >>> at_once, in_all = memory(lambda: [np.zeros(100_000).sum() for _ in range(10)])[1:]
    >>> 800_000 <= at_once < 900_000, 7_000_000 <= in_all < 9_000_000
    (True, True)
    """
    start, stop, now_and_most, reset = TRACEMALLOC  # as they were before the student's code ran
    before = most = in_all = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal before, most, in_all
        now, highest = now_and_most()
        most = max(most, highest)
        in_all += highest - before if highest - before >= LEAST else 0
        reset()
        before = now
        return line

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        return line(frame, event, argument) if is_students(frame.f_code) else None

    tracing, sizes = sys.gettrace(), [0]
    start()
    if by_line:
        sys.settrace(call)
    try:
        with _sizes_of_tensors(sizes) if "torch" in sys.modules else ExitStack():
            value = function(*arguments)
    finally:
        sys.settrace(tracing)
        highest = now_and_most()[1]
        stop()
    return value, max(most, highest, *sizes), in_all


def _sizes_of_tensors(sizes: list[int]) -> Any:
    """Return a context in which PyTorch's functions note how many bytes their results take."""
    import torch
    from torch.overrides import TorchFunctionMode

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            found = func(*args, **(kwargs or {}))
            results = found if isinstance(found, tuple | list) else [found]
            sizes.extend(part.untyped_storage().nbytes() for part in results if type(part) is torch.Tensor)
            return found

    return Mode()
