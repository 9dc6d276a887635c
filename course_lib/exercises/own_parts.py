"""A student's own parts, taken from one problem set into another; where one is missing, the course's stands in.

A part is a function or a class that answers a question. It is taken from the notebook beside the present one, tried on
two small examples against the course's part, and used if both agree. If there is none, if it stops, does not end, or
differs, the course's part is used, and a line says why. Nothing here is used in grading.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import inspect
import io
import linecache
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from course_lib.exercises import course_parts
from course_lib.exercises.course_parts import CHANGED, NoGradient, Part, WrongCount
from course_lib.exercises.hints import described, difference

SECONDS = 10  # for what a notebook defines, and for each example
TOLERANCE = 1e-4  # of single precision, after several layers
ORDINALS = "first", "second"
DEFINITIONS = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
)
LONGEST = 120  # characters of an error's message
AS_SAVED = "The notebook is read as it was last saved."


class Fault(NamedTuple):
    """Why a part is not used.

    Attributes
    ----------
    what : str
        Half a sentence: "yours differs from the course's on the first example".
    more : str
        Whole sentences on it, or "".
    """

    what: str
    more: str = ""


class TimeIsUp(BaseException):
    """Is raised in code that took too long. It is no Exception, so that `except Exception` lets it pass."""


@dataclass
class Notebook:
    """What a notebook defines, and why questions in it could not be run.

    Attributes
    ----------
    names : dict
        The notebook's names, with what they stand for.
    errors : dict
        What went wrong, by question; "" stands for the whole.
    """

    names: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, Fault] = field(default_factory=dict)


_read: dict[Path, tuple[int, Notebook]] = {}  # with the time at which the file was changed


def take(
    problem_set: str,
    *names: str,
    here: Mapping[str, Any] | None = None,
    folder: str | Path = "..",
    say: Callable[[str], object] = print,
) -> Any:
    """Take parts from a problem set: the student's own, or the course's where there is none that works.

    Parameters
    ----------
    problem_set : str
        Where the parts are answers, as in "ps06".
    names : str
        What the parts are called there.
    here : mapping, optional
        The names of the notebook that asks, `globals()`, where the parts are its own. Without it, they are read from
        the notebook of that problem set.
    folder : str or Path
        The folder that holds the folders of the problem sets. A notebook runs in its own, so that is the one above.
    say : function
        What is told a line for each part.

    Returns
    -------
    function or class, or a list of them if there are several names

    Raises
    ------
    KeyError
        If the course has no such part.

    Examples
    --------
    >>> import numpy as np
    >>> encode = take("ps06", "encode", folder="no_such_folder")
    encode: ps06 is not here, so the course's stands in.
    >>> encode(np.array([0, 2]), 4, 16.0).round(3).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.909, -0.416, 0.479, 0.878]]
    >>> split_heads = take("ps05", "split_heads", here={"split_heads": lambda x, n_heads: x})
    split_heads: yours differs from the course's on the first example, so the course's stands in.
        Called with x of shape (3, 6), n_heads = 3. Your result has shape (3, 6); expected is (3, 3, 2).
    """
    found = [_take(course_parts.PARTS[problem_set, name], here, Path(folder), say) for name in names]
    return found[0] if len(found) == 1 else found


def n_own(*parts: Any) -> int:
    """Return how many of some parts are not the course's.

    Examples
    --------
    >>> n_own(course_parts.encode, lambda positions, d, base=10000.0: None)
    1
    """
    courses = {id(part.course()) for part in course_parts.PARTS.values()}
    return sum(id(part) not in courses for part in parts)


def _take(part: Part, here: Mapping[str, Any] | None, folder: Path, say: Callable[[str], object]) -> Any:
    course = part.course()
    own, fault = _own(part, here, folder)
    fault = fault or _fault(part, own, course, here is None)
    if fault:
        more = f"\n    {fault.more}" if fault.more else ""
        say(f"{part.name}: {fault.what}, so the course's stands in.{more}")
        return course
    say(f"{part.name}: your own{'' if here is not None else f' from {part.problem_set}'} is used.")
    return own


def _own(part: Part, here: Mapping[str, Any] | None, folder: Path) -> tuple[Any, Fault | None]:
    """Return the student's part, or what is wrong."""
    if here is not None:
        if part.name in here:
            return here[part.name], None
        number = part.question[1:]
        return None, Fault(
            f"no `{part.name}` is here",
            f"Either the cell of Question {number} was not run, or it has another name.",
        )
    path = (folder / part.problem_set / f"{part.problem_set}.ipynb").resolve()
    if not path.is_file():
        return None, Fault(f"{part.problem_set} is not here")
    notebook = read(path)
    error = notebook.errors.get(part.question) or notebook.errors.get("")
    if part.name in notebook.names and part.question not in notebook.errors:
        return notebook.names[part.name], None
    return None, error or Fault(f"{part.problem_set} has no {part.name}", AS_SAVED)


def _fault(part: Part, own: Any, course: Any, from_file: bool) -> Fault | None:
    """Return how a part differs from the course's on the part's examples; None if it does not."""
    for ordinal, example in zip(ORDINALS, part.examples, strict=True):
        recorded, calls = _recorded(own)
        try:
            value = within(SECONDS, partial(example, recorded))
        except NotImplementedError as error:
            other = _raised_by(error)
            if other not in (part.name, ""):
                return Fault(
                    f"yours calls `{other}`, which is not answered yet", AS_SAVED if from_file else ""
                )
            what = f"Question {part.question[1:]} of {part.problem_set} is not answered yet"
            return Fault(what, AS_SAVED if from_file else "")
        except NoGradient:
            return Fault(f"PyTorch cannot compute a gradient through yours in the {ordinal} example")
        except WrongCount as error:
            return Fault(
                f"yours does not return the {error} results that are asked for", _call(calls).strip()
            )
        except TimeIsUp:
            what = f"yours did not end within {SECONDS} seconds on the {ordinal} example"
            return Fault(what, _call(calls).strip())
        except BaseException as error:  # a student's SystemExit, too
            what = f"yours stops with {type(error).__name__} on the {ordinal} example"
            return Fault(what, f"{_call(calls)}{_message(error)}{_unread(error, from_file)}".strip())
        try:
            differs = _difference(value, example(course), getattr(example, "entries", ()))
        except Exception:  # what it returned cannot even be compared
            differs = "What it returns cannot be compared."
        if differs:
            what = f"yours differs from the course's on the {ordinal} example"
            return Fault(what, f"{_call(calls)}{differs}")
    return None


def _difference(value: Any, expected: Any, entries: Sequence[str]) -> str:
    """Say how what an example found differs from what it finds with the course's part; "" if it does not."""
    if not entries or len(value) != len(entries):
        differs = difference(value, expected, TOLERANCE)
        return re.sub("^Result ([0-9]+ of [0-9]+)", r"What is compared, \1", differs)
    for entry, ours, theirs in zip(entries, value, expected, strict=True):
        differs = difference(ours, theirs, TOLERANCE)
        if differs:
            return entry if entry == CHANGED else f"{entry}: {differs}".removeprefix(": ")
    return ""


def _recorded(own: Any) -> tuple[Any, list[str]]:
    """Return a function that does what another does and writes down what it is called with; classes as they are."""
    calls: list[str] = []
    if not inspect.isfunction(own):
        return own, calls

    @wraps(own)
    def called(*arguments: Any, **named: Any) -> Any:
        calls.append(described(own, arguments))
        return own(*arguments, **named)

    return called, calls


def _call(calls: list[str]) -> str:
    return f"Called with {calls[-1]}. " if calls else ""


def _raised_by(error: BaseException) -> str:
    """Return the name of the function, or the class, in which an error came up; "" if it is a library's."""
    place, code = error.__traceback__, None
    while place is not None:
        code, place = place.tb_frame.f_code, place.tb_next
    if code is None or "site-packages" in code.co_filename or code.co_qualname.startswith("<"):
        return ""
    return code.co_qualname.partition(".")[0]


def _message(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    told = (
        " ".join(line.strip() for line in lines[:2])
        if lines and lines[0].endswith(":")
        else "".join(lines[:1])
    )
    return f"{type(error).__name__}: {told[:LONGEST].rstrip('.')}." if told else ""


def _unread(error: BaseException, from_file: bool) -> str:
    """Say what was not run, where that may be why a name is missing."""
    if not from_file or not isinstance(error, NameError):
        return ""
    return (
        " Of the notebook's other cells only imports, functions, classes and assignments are run, no loops, no `if` "
        "and no calls. If the name is made in one of these, your answer may be right."
    )


def read(path: Path) -> Notebook:
    """Return what a problem set's notebook defines: its imports, functions, classes and constants.

    Answers are run as they are. Of other cells only imports, definitions and assignments are, since they may draw,
    train or print. A notebook that has not changed is run once.

    Parameters
    ----------
    path : Path
    """
    changed = path.stat().st_mtime_ns
    known = _read.get(path)
    if known and known[0] == changed:
        return known[1]
    notebook = Notebook({"__name__": path.stem})
    try:
        cells = nbformat.read(path, as_version=4).cells
    except Exception as error:  # nbformat raises several kinds for what is no notebook
        notebook.errors[""] = Fault(f"{path.name} cannot be read ({type(error).__name__})")
        cells = []
    try:
        within(SECONDS, lambda: _run(cells, notebook, path.stem))
    except BaseException as error:
        ended = not isinstance(error, TimeIsUp)
        what = f"stop with {type(error).__name__}" if ended else f"did not end within {SECONDS} seconds"
        notebook.errors[""] = Fault(f"the cells of {path.name} {what}", _message(error))
    _read[path] = changed, notebook
    return notebook


def _run(cells: list[Any], notebook: Notebook, name: str) -> None:
    """Run what a notebook's cells define."""
    for number, cell in enumerate(cells):
        question = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if cell.cell_type != "code" or "-" in question:  # visible tests and points
            continue
        file = f"<{name}, cell {number}>"
        linecache.cache[file] = len(cell.source), None, cell.source.splitlines(keepends=True), file
        try:
            tree = ast.parse(cell.source)
        except SyntaxError as error:
            if question:
                at = f"Line {error.lineno} of its cell: {error.msg}. {AS_SAVED}"
                notebook.errors[question] = Fault(
                    f"Question {question[1:]} of {name} is not valid Python", at
                )
            continue
        for statement in tree.body if question else filter(_defines, tree.body):
            try:
                exec(compile(ast.Module([statement], []), file, "exec"), notebook.names)
            except Exception as error:
                if question:
                    notebook.errors[question] = Fault(
                        f"Question {question[1:]} of {name} stops with {type(error).__name__}",
                        f"{_message(error)}{_unread(error, True)}",
                    )


def _defines(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        # A set's end takes the set's own parts: to try them while they are read would try them twice.
        return not any(isinstance(node, ast.Name) and node.id == "own_parts" for node in ast.walk(statement))
    return isinstance(statement, DEFINITIONS)


def within(seconds: float, function: Callable[[], Any]) -> Any:
    """Call a function of a student's; stop it where it does not end. What it prints is not shown.

    It is a limit for honest mistakes: an endless loop in Python ends. One inside a library, or one that catches every
    exception, goes on by itself, and slows the kernel until it is started anew.

    Raises
    ------
    TimeIsUp
        If it took longer.

    Examples
    --------
    >>> within(1, lambda: 6 * 7)
    42
    """
    outcome: list[tuple[bool, Any]] = []
    done = threading.Event()  # `join` will not do: interrupted by an exception, it takes a thread for ended

    def run() -> None:
        try:
            outcome.append((True, function()))
        except BaseException as error:
            outcome.append((False, error))
        finally:
            done.set()

    thread = threading.Thread(target=run, daemon=True)
    _limited.append((threading.current_thread(), thread, done))
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            thread.start()
            end = time.monotonic() + seconds
            while time.monotonic() < end and not done.wait(min(0.1, seconds)):
                pass  # a single long wait would let no TimeIsUp in, of a limit around this one
        finally:  # whoever waits may be interrupted: by Ctrl-C, too
            for _ in range(20):  # `except:` in a loop may swallow some
                if not (running := _running_within(thread)):
                    break
                for each in running:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(each.ident or 0), ctypes.py_object(TimeIsUp)
                    )
                done.wait(0.1)
            _limited[:] = [pair for pair in _limited if pair[1].is_alive()]
    if not outcome:
        raise TimeIsUp
    succeeded, value = outcome[0]
    if succeeded:
        return value
    raise value


_limited: list[
    tuple[threading.Thread, threading.Thread, threading.Event]
] = []  # who waits, for whom, until when


def _running_within(thread: threading.Thread) -> list[threading.Thread]:
    """Return which of a thread and those that it, or one of them, waits for are running.

    All are stopped by who waits for the outermost: one in the middle may be stopped before it has stopped its own.
    """
    found, running = [thread], []
    for waiting, waited_for, done in _limited:
        if waited_for is thread or waiting in found:
            found.append(waited_for)
            if waited_for.is_alive() and not done.is_set():
                running.append(waited_for)
    return running
