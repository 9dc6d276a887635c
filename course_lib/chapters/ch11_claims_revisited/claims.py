"""How a claim is decided: the cases that are tried, and the verdict that follows from them by a rule.

In each case a claim comes out true or false. Cases are of three kinds. A *fair* one is a reading that the author of the
claim would accept. A *reading* is another that a reader may take from it. A *control* shows that the test can tell the
difference; it is not counted. If the claim is true in all cases that count, it *holds*; if in none, it *does not hold*;
else it *holds when* a condition is met, which a person has put into words (`printed`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["holds", "holds when", "does not hold"]
VERDICTS: tuple[Verdict, ...] = ("holds", "holds when", "does not hold")
Kind = Literal["fair", "reading", "control"]
Outcome = bool | Iterable[bool]


@dataclass(frozen=True)
class Case:
    """One case: a condition, and whether the claim was true under it.

    Attributes
    ----------
    condition : str
    outcomes : tuple of bool
        One for each repetition, such as a seed. The claim is true in this case only if it was in every one.
    kind : {"fair", "reading", "control"}

    Examples
    --------
    >>> Case("it is a swallow", (True, True, False), "fair").true
    False
    """

    condition: str
    outcomes: tuple[bool, ...]
    kind: Kind

    @property
    def true(self) -> bool:
        """Whether the claim was true each time."""
        return all(self.outcomes)

    @property
    def counts(self) -> bool:
        """Whether the verdict depends on this case."""
        return self.kind != "control"


def _case(condition: str, outcome: Outcome, kind: Kind) -> Case:
    each = tuple(outcome) if isinstance(outcome, Iterable) else (outcome,)
    if not each:
        raise ValueError(f"case {condition!r} has no outcome: expected at least one")
    if any(one not in (True, False) for one in each):
        raise ValueError(f"case {condition!r} has the outcome {outcome!r}: expected true or false")
    return Case(condition, tuple(bool(one) for one in each), kind)


def fair(condition: str, outcome: Outcome) -> Case:
    """Return a case that the author of the claim would accept.

    Parameters
    ----------
    condition : str
    outcome : bool or several
        One for each repetition.

    Raises
    ------
    ValueError
        If there is no outcome, or one that is neither true nor false.

    Examples
    --------
    >>> fair("it is a swallow", [True, True]).true
    True
    """
    return _case(condition, outcome, "fair")


def reading(condition: str, outcome: Outcome) -> Case:
    """Return a case that a reader may think of; it counts as a fair one does.

    >>> reading("it is a penguin", False).counts
    True
    """
    return _case(condition, outcome, "reading")


def control(condition: str, outcome: Outcome) -> Case:
    """Return a case that shows that the test can tell the difference; it does not count.

    >>> control("it is a stone", False).counts
    False
    """
    return _case(condition, outcome, "control")


@dataclass(frozen=True)
class Found:
    """What was tried for a claim, and the numbers that decided.

    Attributes
    ----------
    cases : sequence of Case
    numbers : mapping from name to number

    Examples
    --------
    >>> Found([fair("on land", True)]).verdict
    'holds'
    """

    cases: Sequence[Case]
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """What follows from the cases."""
        return judge(self.cases)


def judge(cases: Sequence[Case]) -> Verdict:
    """Return the verdict that follows from cases; controls do not count.

    Parameters
    ----------
    cases : sequence of Case

    Raises
    ------
    ValueError
        If none of the cases is fair, or two have the same condition.

    Examples
    --------
    >>> judge([fair("it is a swallow", True), reading("it is a penguin", False)])
    'holds when'
    >>> judge([fair("it is a swallow", True), control("it is a stone", False)])
    'holds'
    >>> judge([fair("it is a penguin", False)])
    'does not hold'
    """
    if not any(case.kind == "fair" for case in cases):
        raise ValueError("no case is fair: expected one at least that the claim’s author would accept")
    conditions = [case.condition for case in cases]
    if len({*conditions}) < len(conditions):
        raise ValueError(f"two cases have the same condition: {conditions}")
    true = [case.true for case in cases if case.counts]
    return "holds" if all(true) else "holds when" if any(true) else "does not hold"
