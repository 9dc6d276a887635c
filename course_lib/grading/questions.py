"""What decides how many points an answer gets: inputs, a reference, a comparison, and known misconceptions.

A question is decided from plain values alone (:mod:`course_lib.answers`), outside the process that computed them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.random import Generator

from course_lib.answers import forbidden_calls, from_plain, to_plain
from course_lib.hints import difference, explains

CHANGED = "The values are right, but your function changes its inputs in place: work on a copy."

Arguments = Sequence[Any]
Respond = Callable[[str], str]


@dataclass(frozen=True)
class Part:
    """Some of a question's points, which are given if every case is right.

    Attributes
    ----------
    name : str
        What it is about, in a word or two that a student reads: "several sentences at once".
    points : float
    cases : function
        Draws the arguments of each case from a generator.
    """

    name: str
    points: float
    cases: Callable[[Generator], Iterable[Arguments]]


@dataclass(frozen=True)
class Misconception:
    """A mistake that students make, as a function that makes it, and what to say to who made it.

    Attributes
    ----------
    message : str
    wrong : function
        Takes the arguments of a case. An answer that equals what it returns, wherever the answer is wrong, was got so.
    """

    message: str
    wrong: Callable[..., Any]


@dataclass(frozen=True)
class Question:
    """All that decides one question.

    Attributes
    ----------
    name : str
        As in the notebook's cell ids: "q1".
    ask : str
        The name of the student's function; or Python source that defines `ask(...)`, which uses what the student has
        written and is run in their kernel. It holds nothing that must stay secret.
    reference : function
        Returns the right answer to the arguments of a case.
    parts : sequence of Part
    misconceptions : sequence of Misconception
        The first that explains a wrong answer is the one that is told.
    forbidden : sequence of str
        Dotted names of what must not be called.
    tolerance : float
        Largest error, relative to the largest entry of the right answer.
    accepts : function, optional
        Where there is more than one right answer: takes the answer and the arguments of a case, and returns what
        is wrong, or "". It takes the place of `reference`.
    may_change_inputs : bool
    """

    name: str
    ask: str
    reference: Callable[..., Any] | None
    parts: Sequence[Part]
    misconceptions: Sequence[Misconception] = ()
    forbidden: Sequence[str] = ()
    tolerance: float = 2e-5
    accepts: Callable[..., str] | None = None
    may_change_inputs: bool = False

    @property
    def points(self) -> float:
        """All points that can be got."""
        return sum(part.points for part in self.parts)


@dataclass(frozen=True)
class PartVerdict:
    """What came of one part: its points, and why some are missing."""

    name: str
    points: float
    out_of: float
    message: str = ""


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


def decide(question: Question, respond: Respond, rng: Generator, source: str = "") -> Verdict:
    """Decide a question.

    Parameters
    ----------
    question : Question
    respond : function
        Takes a request and returns the response of the student's kernel, both JSON
        (:func:`course_lib.answers.respond`). It may raise ValueError, whose message then is what the student is told.
    rng : numpy Generator
        Draws the inputs.
    source : str
        The student's code, searched for forbidden calls.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> from functools import partial
    >>> import numpy as np
    >>> from course_lib import answers
    >>> some = Part("any number", 2, lambda rng: [[int(n)] for n in rng.integers(3, 100, size=5)])
    >>> square = Question("q1", "square", lambda n: n * n, [some], [Misconception("That is twice n.", lambda n: 2 * n)])
    >>> student = partial(answers.respond, {"square": lambda n: n + n})
    >>> verdict = decide(square, student, np.random.default_rng(0))
    >>> verdict.points, verdict.out_of, verdict.messages
    (0, 2, ['That is twice n.'])
    """
    found = forbidden_calls(source, question.forbidden)
    if found:
        told = f"{found[0]} is called, which this question asks you to write yourself."
        return Verdict(question.name, tuple(PartVerdict(p.name, 0, p.points, told) for p in question.parts))
    return Verdict(
        question.name, tuple(_decide_part(question, part, respond, rng) for part in question.parts)
    )


def _decide_part(question: Question, part: Part, respond: Respond, rng: Generator) -> PartVerdict:
    cases = [list(arguments) for arguments in part.cases(rng)]
    request = {
        "ask": question.ask,
        "cases": [[to_plain(argument) for argument in arguments] for arguments in cases],
        "forbidden": list(question.forbidden),
    }
    try:
        response = respond(json.dumps(request))
    except ValueError as failure:
        return PartVerdict(part.name, 0, part.points, str(failure))
    try:
        answers = _read(response, len(cases))
    except ValueError as error:
        return PartVerdict(part.name, 0, part.points, f"The answer could not be read: {error}.")
    wrong = [
        (arguments, answer, fault)
        for arguments, answer in zip(cases, answers, strict=True)
        if (fault := _fault(question, arguments, answer))
    ]
    if not wrong:
        return PartVerdict(part.name, part.points, part.points)
    return PartVerdict(part.name, 0, part.points, _explain(question, wrong))


def _read(response: str, n_cases: int) -> list[dict[str, Any]]:
    """Return the entries of a response, with values decoded; ValueError if it is not what `respond` writes."""
    try:
        entries = json.loads(response)
    except RecursionError:
        raise ValueError("lists within lists without end") from None
    if not isinstance(entries, list) or len(entries) != n_cases:
        raise ValueError(f"expected {n_cases} answers")
    read = []
    for entry in entries:
        if not isinstance(entry, dict) or not ({"value", "changed"} == set(entry) or {"error"} == set(entry)):
            raise ValueError("an answer of no known kind")
        if "value" in entry:
            entry = {"value": from_plain(entry["value"]), "changed": bool(entry["changed"])}
        elif not isinstance(entry["error"], str):
            raise ValueError("an error of no known kind")
        else:
            entry = {"error": entry["error"][:1000]}
        read.append(entry)
    return read


def _fault(question: Question, arguments: Arguments, answer: Mapping[str, Any]) -> str:
    """Say what is wrong with the answer to one case; "" if nothing is."""
    if "error" in answer:
        return str(answer["error"])
    if question.accepts is not None:
        fault = question.accepts(answer["value"], *arguments)
    else:
        assert question.reference is not None, f"{question.name} has neither a reference nor accepts"
        fault = difference(answer["value"], question.reference(*arguments), question.tolerance)
    if not fault and answer["changed"] and not question.may_change_inputs:
        return CHANGED
    return fault


def _explain(question: Question, wrong: Sequence[tuple[Arguments, Mapping[str, Any], str]]) -> str:
    """Return the message of the misconception that gives all these wrong answers, or what is wrong with the first."""
    answered = [
        (arguments, answer["value"])
        for arguments, answer, fault in wrong
        if "value" in answer and fault != CHANGED
    ]
    for misconception in question.misconceptions:
        if answered and all(
            explains(misconception.wrong, arguments, value, question.tolerance)
            for arguments, value in answered
        ):
            return misconception.message
    return wrong[0][2]
