"""The answer bank: answers with known scores, used to validate the checks.

`tests/bank/psNN/qN/right_*.py` must get all points; the first lines of `wrong_*.py` say what it should get, and what
it should be told:

    # points: 1
    # message: The bias is missing

`tests/bank/psNN/equivalent.toml` names the mutants (`course_grading.mutants`) that no check can notice, and
why.
"""

from __future__ import annotations

import hashlib
import re
import resource
import signal
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from types import FrameType

from course_grading.mutants import Mutant, mutants
from course_grading.problem_sets import ProblemSet, decide_by_exec, respond_by_exec
from course_grading.questions import Question, Verdict, decide
from course_grading.slips import Slip, slips

VAGUE = ("the largest error is", "which is not right", "entries are not, the first", "your result is NaN at")
SECONDS_A_MUTANT = 3.0  # of the processor's time; whoever never ends gets no points when graded, too
MEMORY_A_MUTANT = 2_000_000_000  # bytes


@dataclass(frozen=True)
class BankAnswer:
    """An answer to one question.

    Attributes
    ----------
    name : str
        As in "wrong_no_bias".
    source : str
        What stands in the question's cell.
    points : float
        What it should get.
    message : str
        Part of what it should be told; "" for a right answer.
    """

    name: str
    source: str
    points: float
    message: str = ""

    @property
    def is_right(self) -> bool:
        """Whether it answers the question."""
        return self.name.startswith("right_")


def bank_answers(folder: Path, out_of: float) -> list[BankAnswer]:
    """Read all answers to a question.

    Parameters
    ----------
    folder : Path
        As in tests/bank/ps01/q1.
    out_of : float
        The question's points, which a right answer gets.

    Raises
    ------
    ValueError
        If a file is neither right nor wrong, or does not say what it should get.
    """
    found = []
    for path in sorted(folder.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path.stem.startswith("right_"):
            found.append(BankAnswer(path.stem, source, out_of))
            continue
        header = re.match(r"# points: (\S+)\n# message: (.+)\n", source)
        if not header or not path.stem.startswith("wrong_"):
            raise ValueError(
                f"{path} is called neither right_… nor wrong_…, or does not begin with its points"
            )
        found.append(BankAnswer(path.stem, source, float(header[1]), header[2]))
    return found


@dataclass(frozen=True)
class Outcome:
    """What an answer of the bank gets, for several seeds.

    Attributes
    ----------
    answer : BankAnswer
    points : mapping from points to how often it gets them
    misses : int
        How often it is not told what its file says.
    """

    answer: BankAnswer
    points: Mapping[float, int]
    misses: int

    @property
    def is_as_said(self) -> bool:
        """Whether it always gets the points and the message that its file names."""
        return set(self.points) == {self.answer.points} and not self.misses

    def __str__(self) -> str:
        """Say what it gets."""
        points = ", ".join(f"{points:g} ({times} times)" for points, times in sorted(self.points.items()))
        misses = f"; its message is missing {self.misses} times" if self.misses else ""
        return f"{self.answer.name}: {points} of {self.answer.points:g}{misses}"


def _outcome(answer: BankAnswer, verdicts: Sequence[Verdict]) -> Outcome:
    misses = sum(answer.message not in " ".join(verdict.messages) for verdict in verdicts)
    return Outcome(answer, Counter(verdict.points for verdict in verdicts), misses)


def decide_for_seeds(
    ours: ProblemSet, question: str, answers: Sequence[BankAnswer], seeds: Sequence[int]
) -> list[Outcome]:
    """Decide answers for several seeds: the same mistake should cost the same, whatever the inputs are.

    An answer that does not get what its file says is decided anew, with a kernel of its own for each seed, as students
    have: it may keep something from one seed to the next.
    """
    asked, found = ours.questions[question], []
    for answer in answers:
        respond = respond_by_exec(ours, question, answer.source)
        outcome = _outcome(answer, [decide(asked, respond, str(seed).encode()) for seed in seeds])
        if not outcome.is_as_said:
            kernels = (respond_by_exec(ours, question, answer.source) for _ in seeds)
            verdicts = [
                decide(asked, kernel, str(n).encode()) for n, kernel in zip(seeds, kernels, strict=True)
            ]
            outcome = _outcome(answer, verdicts)
        found.append(outcome)
    return found


def equivalent_mutants(folder: Path, question: str) -> Mapping[tuple[str, str], str]:
    """Return which changes of a reference answer change nothing that can be noticed, and why.

    Parameters
    ----------
    folder : Path
        As in tests/bank/ps01.
    question : str

    Returns
    -------
    mapping from (lines before, lines after) to the reason
    """
    path = folder / "equivalent.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get(question, []) if path.exists() else []
    return {(entry["before"], entry["after"]): entry["why"] for entry in entries}


def surviving_mutants(
    ours: ProblemSet, question: str, seed: int, wanted: Callable[[Mutant], bool] = lambda mutant: True
) -> tuple[list[Mutant], int]:
    """Decide the mutants of a reference answer that are wanted; return those that get all points, and their number."""
    right = decide_by_exec(ours, question, ours.solution(question), seed)  # and imports what is needed
    if right.points != right.out_of:
        raise ValueError(
            f"{ours.name} {question}: the reference answer gets {right.points} of {right.out_of}"
        )
    made = list(filter(wanted, mutants(ours.solution(question))))
    return [mutant for mutant in made if _survives(ours, question, mutant.source, seed)], len(made)


@dataclass(frozen=True)
class Told:
    """What a slip in a right answer gets.

    Attributes
    ----------
    answer : str
        The name of the right answer.
    slip : Slip
    verdict : Verdict or None
        None if it never ended.
    is_specific : bool
        Whether each message says what the mistake is, and not only that numbers differ.
    """

    answer: str
    slip: Slip
    verdict: Verdict | None
    is_specific: bool

    @property
    def loses(self) -> bool:
        """Whether it loses points."""
        return self.verdict is None or self.verdict.points < self.verdict.out_of


def decide_slips(
    ours: ProblemSet, question: str, right: Sequence[BankAnswer], seed: int, most: int = 60
) -> list[Told]:
    """Decide slips in right answers; of those that behave alike, the first alone.

    Parameters
    ----------
    ours : ProblemSet
    question : str
    right : sequence of BankAnswer
        Slips are made in them in turn, kinds in turn.
    seed : int
        Of the inputs.
    most : int
        How many slips to try.
    """
    by_kind = defaultdict[str, list[tuple[str, Slip]]](list)
    for row in zip_longest(*([(answer.name, slip) for slip in slips(answer.source)] for answer in right)):
        for name, slip in filter(None, row):
            by_kind[slip.kind].append((name, slip))
    tried = [entry for row in zip_longest(*by_kind.values()) for entry in row if entry is not None][:most]
    behaviours = {_behaviour(ours, question, answer.source, seed)[0] for answer in right}
    found, known = list[Told](), set[object]()
    for name, slip in tried:
        behaviour, verdict = _behaviour(ours, question, slip.source, seed)
        seen = slip.kind, verdict and (verdict.points, tuple(verdict.messages))
        if behaviour not in behaviours and seen not in known:
            behaviours.add(behaviour)
            known.add(seen)
            found.append(Told(name, slip, verdict, _is_specific(ours.questions[question], verdict)))
    return found


def _behaviour(ours: ProblemSet, question: str, source: str, seed: int) -> tuple[str, Verdict | None]:
    """Return what an answer says to each request, in a few letters, and what it gets."""
    said = hashlib.sha256()

    def respond(request: str) -> str:
        response = inner(request)
        said.update(re.sub(r'"error": "[^"]*"', '"error"', response).encode())
        return response

    try:
        with bounds(SECONDS_A_MUTANT, MEMORY_A_MUTANT):
            inner = respond_by_exec(ours, question, source)
            verdict = decide(ours.questions[question], respond, str(seed).encode())
    except TooLongError:
        return "never ends", None
    return said.hexdigest(), verdict


def _is_specific(question: Question, verdict: Verdict | None) -> bool:
    """Whether each message says what is wrong, and not only that some numbers differ."""
    if verdict is None or question.accepts is not None:
        return True
    return not any(phrase in message for message in verdict.messages for phrase in VAGUE)


def _survives(ours: ProblemSet, question: str, source: str, seed: int) -> bool:
    try:
        with bounds(SECONDS_A_MUTANT, MEMORY_A_MUTANT):
            verdict = decide_by_exec(ours, question, source, seed)
    except TooLongError:
        return False
    return verdict.points == verdict.out_of


class TooLongError(BaseException):
    """Not an Exception, so that nobody on the way takes it for a fault of the answer's."""


@contextmanager
def bounds(seconds: float, memory: int) -> Iterator[None]:
    """Raise TooLongError after some seconds of computing, and MemoryError after some more bytes of memory, on Linux.

    For the main thread, and not for Windows.
    """

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooLongError

    signals = signal.signal(signal.SIGPROF, ring)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    if (used := Path("/proc/self/statm")).exists():
        addresses = int(used.read_text().split()[0]) * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (addresses, limits[1]))
    # Again and again: Python prints and drops an exception that a signal raises inside a `__del__`, a callback of a
    # weak reference or of the garbage collector (hypothesis has one of those), where nobody could catch it.
    signal.setitimer(signal.ITIMER_PROF, seconds, max(seconds, 1))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signals)
        resource.setrlimit(resource.RLIMIT_AS, limits)
