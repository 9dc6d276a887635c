"""Questions as data: inputs, a reference, a comparison and known misconceptions decide the points of an answer.

A question is decided from plain values alone (`kernel_protocol`), outside the process that computed them.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.random import Generator

from course_grading.diagnosis import diagnose, kept
from course_lib.exercises.hints import ImpossibleError, compare, described, made, settled
from course_lib.exercises.kernel_protocol import decode, encode, one_line

CHANGED = "The values are right, but your function changes its inputs in place: work on a copy."
MOST_VALUES = 20_000  # of an answer to one case, where fewer are expected
LONGEST_KEPT = 20_000  # characters of an answer that is kept for whoever looks into it
LONGEST_MESSAGE = 1000

Arguments = Sequence[Any]
Respond = Callable[[str], str]


@dataclass(frozen=True)
class Part:
    """A part of a question: points that are given if every case is right.

    Attributes
    ----------
    name : str
        What it is about, in a word or two that a student reads: "several sentences at once".
    points : float
    cases : function
        Draws the arguments of each case from a generator.
    tolerance : float, optional
        Takes the place of the question's, where the inputs cost a reasonable answer more precision.
    results : tuple of str, optional
        What stands in the list that `entry_point` makes, where the student's function does not return it so: said
        instead of "Result 1 of 2".
    """

    name: str
    points: float
    cases: Callable[[Generator], Iterable[Arguments]]
    tolerance: float | None = None
    results: tuple[str, ...] = ()


@dataclass(frozen=True)
class Misconception:
    """A mistake that students make, as a function that makes it, and what to say to who made it.

    Attributes
    ----------
    message : str
        Told if the mistake gives what the student's function returns in all cases of a part, right ones included, and
        in all parts that are wholly right.
    wrong : function
        Takes the arguments of a case. It may raise ValueError where the mistake cannot be made.
    sometimes : str
        Told if the mistake gives what is wrong, but not what is right: so it is made in some cases only. Words that
        stay true then: not "always", not "is not used". "" if there are none.
    """

    message: str
    wrong: Callable[..., Any]
    sometimes: str = ""


@dataclass(frozen=True)
class Question:
    """Specification of one question that is decided by the machine.

    Attributes
    ----------
    name : str
        As in the notebook's cell ids: "q1".
    entry_point : str
        The name of the student's function; or Python source that defines `entry_point(...)`, which uses what the
        student has written and is run in their kernel. It holds nothing that must stay secret.
    reference : function
        Returns the right answer to the arguments of a case.
    parts : sequence of Part
    misconceptions : sequence of Misconception
        The first that matches an answer gives the message.
    forbidden : sequence of str
        What must not be called: dotted names, and patterns for families (`course_lib.exercises.calls.watched`).
    tolerance : float
        Largest error, relative to the largest entry of the right answer.
    accepts : function, optional
        Where there is more than one right answer: takes the answer and the arguments of a case, and returns what
        is wrong, or "". It takes the place of `reference`.
    may_change_inputs : bool
    describe : function, optional
        Takes the arguments of a case, and says in a few words what they are, for whoever got it wrong; otherwise they
        are told by the names that `reference` has for them.
    """

    name: str
    entry_point: str
    reference: Callable[..., Any] | None
    parts: Sequence[Part]
    misconceptions: Sequence[Misconception] = ()
    forbidden: Sequence[str] = ()
    tolerance: float = 2e-5
    accepts: Callable[..., str] | None = None
    may_change_inputs: bool = False
    describe: Callable[..., str] | None = None

    @property
    def points(self) -> float:
        """All points that can be got."""
        return sum(part.points for part in self.parts)


def misnamed(
    letters: Mapping[int, str], sentences: Mapping[int, int], hides: Mapping[str, str]
) -> list[Misconception]:
    """Return what goes wrong where wrong lines of a program are to be named, each with the condition that hides it.

    Parameters
    ----------
    letters : mapping
        The letter of the condition that hides a line's fault, by the line's number.
    sentences : mapping
        The sentence that a line breaks, by the line's number.
    hides : mapping
        What each letter hides, as a sentence, by the letter.

    Examples
    --------
    >>> [swapped, unnamed, *others] = misnamed({4: "A", 5: "B"}, {4: 2, 5: 1}, {"A": "A hides …", "B": "B hides …"})
    >>> swapped.wrong(4), swapped.message[:40]
    ('B', "Lines 4 and 5 have each other's letters.")
    >>> unnamed.message
    'The line that breaks sentence 2 is not among those that you name.'
    """

    def says(named: Mapping[int, str]) -> Callable[..., str]:
        def wrong(line: Any, *_: Any) -> str:
            if line not in named:
                raise ValueError("something else is asked for")
            return named[line]

        return wrong

    return [
        *(
            Misconception(
                f"Lines {one} and {other} have each other's letters. Mend one of them alone, and try the conditions.",
                says({one: letters[other], other: letters[one]}),
            )
            for one, other in combinations(letters, 2)
        ),
        *(
            Misconception(
                f"The line that breaks sentence {sentence} is not among those that you name.",
                says({line: "not named"}),
            )
            for line, sentence in sentences.items()
        ),
        *(Misconception(why, says({line: letter})) for letter, why in hides.items() for line in letters),
    ]


@dataclass(frozen=True)
class Failure:
    """A case that was answered wrongly, for whoever looks into it.

    Attributes
    ----------
    case : int
        Its number in its part, from 0; `draw` gives its inputs again.
    fault : str
    got : any
        The answer as `course_lib.exercises.kernel_protocol.encode` writes it; None if there is none.
    """

    case: int
    fault: str
    got: Any = None


@dataclass(frozen=True)
class PartVerdict:
    """What came of one part: its points, and why some are missing.

    Attributes
    ----------
    name : str
    points, out_of : float
    message : str
        For the student.
    failed : tuple of Failure
        For the instructor.
    doubt : str
        Why a person has to look at it: the check itself failed at this answer. "" if it did not.
    """

    name: str
    points: float
    out_of: float
    message: str = ""
    failed: tuple[Failure, ...] = ()
    doubt: str = ""


@dataclass(frozen=True)
class Verdict:
    """What came of a question."""

    question: str
    parts: Sequence[PartVerdict] = field(default_factory=tuple)

    @property
    def points(self) -> float:
        """The points earned."""
        return sum(part.points for part in self.parts)

    @property
    def out_of(self) -> float:
        """All points that could be earned."""
        return sum(part.out_of for part in self.parts)

    @property
    def messages(self) -> list[str]:
        """Why points are missing, each reason once."""
        return list(dict.fromkeys(part.message for part in self.parts if part.message))


def sign(key: bytes, *texts: str) -> bytes:
    """Return the HMAC-SHA256 of texts: unpredictable without the key.

    Examples
    --------
    >>> sign(b"secret", "ada", "q1") == sign(b"secret", "ada", "q1")
    True
    >>> sign(b"secret", "ada", "q1") == sign(b"secret", "ad", "aq1")
    False
    """
    return hmac.digest(key, json.dumps(texts).encode(), "sha256")


def draw(question: Question, part: Part, key: bytes) -> list[list[Any]]:
    """Return the arguments of each case of a part: the same key, the same cases."""
    rng = np.random.default_rng(list(sign(key, question.name, part.name)))
    return [list(arguments) for arguments in part.cases(rng)]


def decide(question: Question, respond: Respond, key: bytes) -> Verdict:
    """Decide a question.

    Parameters
    ----------
    question : Question
    respond : function
        Takes a request and returns the response of the student's kernel, both JSON
        (`kernel_protocol.respond`). It may raise ValueError, whose message then is what the student is told.
    key : bytes
        What the inputs are drawn by.

    Returns
    -------
    Verdict
        Without any points, if something forbidden was called.

    Examples
    --------
    >>> from functools import partial
    >>> from course_lib.exercises import kernel_protocol
    >>> some = Part("any number", 2, lambda rng: [[int(n)] for n in rng.integers(3, 100, size=5)])
    >>> square = Question("q1", "square", lambda n: n * n, [some], [Misconception("That is twice n.", lambda n: 2 * n)])
    >>> student = partial(kernel_protocol.respond, {"square": lambda n: n + n})
    >>> verdict = decide(square, student, b"key")
    >>> verdict.points, verdict.out_of, verdict.messages
    (0, 2, ['That is twice n.'])
    """
    try:
        answered = [_answers(question, part, respond, key) for part in question.parts]
    except _ForbiddenError as message:
        nothing = tuple(PartVerdict(part.name, 0, part.points, str(message)) for part in question.parts)
        return Verdict(question.name, nothing)
    right = [
        answer
        for answers in answered
        if not isinstance(answers, PartVerdict) and not any(answer.fault for answer in answers)
        for answer in answers
    ]
    verdicts = [
        answers if isinstance(answers, PartVerdict) else _verdict(question, part, answers, right)
        for part, answers in zip(question.parts, answered, strict=True)
    ]
    return Verdict(question.name, tuple(verdicts))


class _ForbiddenError(Exception):
    """Something was called that must not be; the message is for the student."""


class _UnreadableError(Exception):
    """A response is not one; the message says why."""


class _DoubtError(Exception):
    """A check failed at an answer; the message is for the instructor."""


@dataclass(frozen=True)
class _Answer:
    """The answer to one case: a value, or an error in its place, and what is wrong with it; "" if nothing is."""

    arguments: Arguments
    fault: str
    tolerance: float
    value: Any = None
    plain: Any = None
    expected: Any = None
    is_error: bool = False


def _answers(question: Question, part: Part, respond: Respond, key: bytes) -> list[_Answer] | PartVerdict:
    """Ask all cases of a part; what cannot be read or checked is a verdict already."""
    try:
        with _checking(question, part):
            cases = draw(question, part, key)
            request = {
                "entry_point": question.entry_point,
                "cases": [[encode(argument) for argument in arguments] for arguments in cases],
                "forbidden": list(question.forbidden),
            }
        try:
            response = respond(json.dumps(request))
        except ValueError as failure:
            return PartVerdict(part.name, 0, part.points, one_line(str(failure), LONGEST_MESSAGE))
        entries = _read(response, len(cases))
        with _checking(question, part):
            return [_judge(question, part, *both) for both in zip(cases, entries, strict=True)]
    except _UnreadableError as error:
        return PartVerdict(part.name, 0, part.points, f"The answer could not be read: {error}.")
    except _DoubtError as doubt:
        return _doubted(part, doubt)


def _doubted(part: Part, doubt: _DoubtError) -> PartVerdict:
    message = (
        "The check of this part stopped at your answer. That is no fault of yours: your instructor decides."
    )
    return PartVerdict(part.name, 0, part.points, message, doubt=str(doubt))


@contextmanager
def _checking(question: Question, part: Part) -> Iterator[None]:
    """Turn whatever an instructor's code may raise, at an answer nobody thought of, into a doubt about one part."""
    try:
        yield
    except _UnreadableError:
        raise
    except Exception as error:
        raise _DoubtError(f"{question.name}, {part.name}: {type(error).__name__}: {error}") from error


def _verdict(
    question: Question, part: Part, answers: Sequence[_Answer], right: Sequence[_Answer]
) -> PartVerdict:
    """Decide a part; `right` are the answers to all parts that are wholly right."""
    failed = tuple(
        Failure(number, answer.fault, _kept(answer)) for number, answer in enumerate(answers) if answer.fault
    )
    if not failed:
        return PartVerdict(part.name, part.points, part.points)
    try:
        with _checking(question, part):
            message = one_line(_named(part, _explain(question, answers, right)), LONGEST_MESSAGE)
    except _DoubtError as doubt:
        return _doubted(part, doubt)
    return PartVerdict(part.name, 0, part.points, message, failed)


def _read(response: str, n_cases: int) -> list[dict[str, Any]]:
    """Return the entries of a response, values not yet decoded; _UnreadableError if it is not what `respond` writes."""
    try:
        entries = json.loads(response)
    except RecursionError:
        raise _UnreadableError("lists within lists without end") from None
    except ValueError as error:
        raise _UnreadableError(str(error)) from None
    if not isinstance(entries, list) or len(entries) != n_cases:
        raise _UnreadableError(f"expected {n_cases} answers")
    for entry in entries:
        kind = set(entry) if isinstance(entry, dict) else set()
        if kind not in ({"value", "changed"}, {"error"}, {"forbidden"}):
            raise _UnreadableError("an answer of no known kind")
        if kind != {"value", "changed"} and not isinstance(next(iter(entry.values())), str):
            raise _UnreadableError("an error of no known kind")
        if "forbidden" in entry:
            raise _ForbiddenError(one_line(entry["forbidden"], LONGEST_MESSAGE))
    return entries


def _judge(question: Question, part: Part, arguments: Arguments, entry: Mapping[str, Any]) -> _Answer:
    """Decode the answer to one case and say what is wrong with it."""
    tolerance = question.tolerance if part.tolerance is None else part.tolerance
    if "error" in entry:
        return _Answer(arguments, one_line(entry["error"], LONGEST_MESSAGE), tolerance, is_error=True)
    plain, expected = entry["value"], None
    if question.accepts is not None:
        _limit(plain, 10 * MOST_VALUES)
        value = _decoded(plain)
        fault = question.accepts(value, *arguments)
        value = settled(value)  # as misconceptions are compared
    else:
        assert question.reference is not None, f"{question.name} has neither a reference nor accepts"
        expected = settled(question.reference(*arguments))
        most = max(MOST_VALUES, 4 * _count(expected))
        if _count_plain(plain, most) > most:
            fault = f"Your result holds more than {most:,} values; expected are {_count(expected):,}."
            return _Answer(arguments, fault, tolerance, is_error=True)
        value = settled(_decoded(plain))
        fault = compare(value, expected, tolerance, tell=False)
    if not fault and entry["changed"] and not question.may_change_inputs:
        fault = CHANGED
    return _Answer(arguments, fault, tolerance, value, plain, expected)


def _decoded(plain: Any) -> Any:
    try:
        return decode(plain)
    except ValueError as error:
        raise _UnreadableError(str(error)) from None


def _limit(plain: Any, most: int) -> None:
    if _count_plain(plain, most) > most:
        raise _UnreadableError(f"it holds more than {most:,} values")


def _count_plain(plain: Any, most: int) -> int:
    """Count the values of an answer, up to one more than `most`; an array counts by its length in base64."""
    count, rest = 0, [plain]
    while rest and count <= most:
        entry = rest.pop()
        if isinstance(entry, list):
            rest += entry[: most + 1]
        elif isinstance(entry, dict):
            text = entry.get("array")
            count += len(text) // 11 if isinstance(text, str) else 0  # eight bytes a number
            rest += [value for value in entry.values() if isinstance(value, list)]
        count += 1
    return count


def _count(value: Any) -> int:
    """Count the values of a settled answer."""
    if isinstance(value, np.ndarray):
        return int(value.size)
    entries = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return sum(map(_count, entries)) + 1


def _kept(answer: _Answer) -> Any:
    """Return an answer as it is kept for the instructor, unless it is too long."""
    if answer.is_error or len(json.dumps(answer.plain)) <= LONGEST_KEPT:
        return answer.plain
    return {"other": "result too long to be kept"}


def _explain(question: Question, answers: Sequence[_Answer], right: Sequence[_Answer]) -> str:
    """Say which misconception gives what was answered, or what is wrong with the first wrong answer.

    A mistake that would show in a part that is right is not what was made.
    """
    wrong = [answer for answer in answers if answer.fault]
    telling = [answer for answer in wrong if answer.fault != CHANGED and not answer.is_error]
    others = [*(answer for answer in answers if not any(answer is other for other in telling)), *right]
    fits_wrong_ones = ""
    for misconception in question.misconceptions if telling else ():
        if not all(_fits(misconception, answer) for answer in telling):
            continue
        if all(_fits(misconception, answer) is not False for answer in others):
            return misconception.message + _besides(question, wrong)
        fits_wrong_ones = fits_wrong_ones or misconception.sometimes
    # CHANGED says that the values are right: it is told only if nothing else is wrong.
    first = next((answer for answer in wrong if answer.fault != CHANGED), wrong[0])
    return fits_wrong_ones or _remark(question, answers) or _with_inputs(question, first)


def _named(part: Part, message: str) -> str:
    """Say what a result is, where its number would say nothing to the student."""
    for number, name in enumerate(part.results, start=1):
        message = message.replace(f"Result {number} of {len(part.results)}: ", f"{name}: ")
    return message


def _remark(question: Question, answers: Sequence[_Answer]) -> str:
    """Say what is wrong with all wrong results in the same way, whatever the question is."""
    wrong = [answer for answer in answers if answer.fault not in ("", CHANGED) and not answer.is_error]
    if question.reference is None or not wrong or any(answer.is_error for answer in answers):
        return ""
    results, tolerance = [(answer.value, answer.expected) for answer in wrong], wrong[0].tolerance
    remark = diagnose(results, tolerance) or kept(
        results, [(answer.value, answer.expected) for answer in answers], tolerance
    )
    return _with_inputs(question, replace(wrong[0], fault=remark)) if remark else ""


def _fits(misconception: Misconception, answer: _Answer) -> bool | None:
    """Whether a misconception gives this answer; None where there is nothing to compare."""
    if answer.is_error:
        return None
    try:
        mistaken = settled(made(misconception.wrong, answer.arguments))
    except ImpossibleError:
        return None if not answer.fault else False
    return not compare(answer.value, mistaken, answer.tolerance)


def _besides(question: Question, wrong: Sequence[_Answer]) -> str:
    """Say what went wrong where there was no answer."""
    error = next((answer for answer in wrong if answer.is_error), None)
    return f" Besides: {_with_inputs(question, error)}" if error else ""


def _with_inputs(question: Question, answer: _Answer) -> str:
    """Say what is wrong with an answer, and for which inputs, so that the student can try them."""
    if question.describe is not None:
        inputs = question.describe(*answer.arguments)
    else:
        inputs = described(question.reference, answer.arguments) if question.reference is not None else ""
    fault = answer.fault if answer.fault.endswith((".", "?", "!")) else f"{answer.fault}."
    return f"{fault} Inputs: {inputs}." if inputs else fault
