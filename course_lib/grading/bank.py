"""The answer bank: answers of which it is known what they are worth, to prove the checks by.

`tests/bank/psNN/qN/right_*.py` must get all points; the first lines of `wrong_*.py` say what it should get, and what
it should be told:

    # points: 1
    # message: The bias is missing

`tests/bank/psNN/equivalent.toml` names the mutants (:mod:`course_lib.grading.mutants`) that no check can notice, and
why.
"""

from __future__ import annotations

import re
import signal
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from course_lib.grading.mutants import Mutant, mutants
from course_lib.grading.problem_sets import ProblemSet, decide_by_exec

SECONDS_A_MUTANT = 3.0  # of the processor's time; whoever never ends gets no points when graded, too


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


def surviving_mutants(ours: ProblemSet, question: str, seed: int) -> tuple[list[Mutant], int]:
    """Decide all mutants of a reference answer; return those that get all points, and how many there are."""
    right = decide_by_exec(ours, question, ours.solution(question), seed)  # and imports what is needed
    if right.points != right.out_of:
        raise ValueError(
            f"{ours.name} {question}: the reference answer gets {right.points} of {right.out_of}"
        )
    made = mutants(ours.solution(question))
    return [mutant for mutant in made if _survives(ours, question, mutant.source, seed)], len(made)


def _survives(ours: ProblemSet, question: str, source: str, seed: int) -> bool:
    try:
        with time_limit(SECONDS_A_MUTANT):
            verdict = decide_by_exec(ours, question, source, seed)
    except TooLongError:
        return False
    return verdict.points == verdict.out_of


class TooLongError(BaseException):
    """Not an Exception, so that nobody on the way takes it for a fault of the answer's."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooLongError after some seconds of this process's computing. For the main thread, and not for Windows."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
