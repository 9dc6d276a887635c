"""From a proof as it was written to a report: step by step what holds, what does not, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from course_lib.exercises.proofs.between import explained, unexplained
from course_lib.exercises.proofs.reading import MAX_LENGTH, parse
from course_lib.exercises.proofs.rules import RULES
from course_lib.exercises.proofs.terms import NotationError, Term, with_shapes
from course_lib.exercises.proofs.theorems import Theorem, evaluate, example

MAX_STEPS = 100
MOST_EXPLAINED = 12  # steps of a proof; to search for what a step is made of may take a second
DRAWS = 3  # sets of random matrices on which two lines are compared
TOLERANCE = 1e-9  # of the largest entry; rounding stays far below it, and what is false far above


class Verdict(Enum):
    """What the checker says of a step."""

    ACCEPTED = "accepted"
    FALSE = "false"
    NOT_ONE_STEP = "true, but not one step"
    ANOTHER_RULE = "true by another rule"
    UNREADABLE = "cannot be read"


@dataclass(frozen=True)
class Step:
    """One step as it was written, and what the checker says of it."""

    line: str
    rule: str
    verdict: Verdict
    message: str


@dataclass(frozen=True)
class Report:
    """What `check` found: `print` shows it.

    Attributes
    ----------
    theorem : Theorem
    steps : tuple of Step
    ending : str
        How the proof as a whole came out, in a sentence.
    proved : bool
        Whether every step is accepted and the last line is the goal.
    """

    theorem: Theorem
    steps: tuple[Step, ...]
    ending: str
    proved: bool

    def __str__(self) -> str:
        """The proof line by line, each failing step with its reason, and the ending."""
        lines = [self.theorem.title, f"      {self.theorem.start}"]
        for number, step in enumerate(self.steps, start=1):
            accepted = step.verdict is Verdict.ACCEPTED
            lines.append(f"{number:3} {'✓' if accepted else '✗'} = {step.line}   [{step.rule}]")
            lines += [] if accepted else [f"        {step.message}"]
        return "\n".join([*lines, self.ending])


def check(theorem: Theorem, steps: Sequence[tuple[str, str]]) -> Report:
    """Check a proof step by step.

    Parameters
    ----------
    theorem : Theorem
        `INVARIANCE`, `EQUIVARIANCE`, or another.
    steps : sequence of (line, rule)
        The lines after the theorem's first, each with the name of the rule by which it follows from the line
        before; the rules are those of `RULES`. At most 100.

    Returns
    -------
    Report
        Each step with a verdict and a message. A step is judged by the line before it as that was written,
        right or wrong, so what follows a mistake is checked too.

    Raises
    ------
    ValueError
        If `steps` is not made of pairs of text, or is longer than 100.

    Examples
    --------
    >>> undone = Theorem("Undone", {"P": ("n", "n"), "V": ("n", "d")}, ("P",), "P.T @ (P @ V)", "V")
    >>> steps = [("P.T @ P @ V", "associativity"), ("I @ V", "permutation"), ("V", "identity")]
    >>> print(check(undone, steps))
    Undone
          P.T @ (P @ V)
      1 ✓ = P.T @ P @ V   [associativity]
      2 ✓ = I @ V   [permutation]
      3 ✓ = V   [identity]
    Proved.
    >>> print(check(undone, [("I @ V", "permutation"), ("P @ V", "identity")]).steps[1].message)
    false: the sides differ by 2.6 for random matrices (P 5 × 5, V 5 × 3; P ≠ P.T), drawn by proofs.example(…, seed=2).
    """
    _check_pairs(steps)
    before: Term | None = parse(theorem.start, theorem)
    judged: list[Step] = []
    n_explained = 0
    for line, rule in steps:
        after, verdict, message = _judge(before, line, rule, theorem)
        if verdict is Verdict.NOT_ONE_STEP and before and after and before != after:
            n_explained += 1
            is_early = n_explained <= MOST_EXPLAINED
            told = explained(before, after, _named(rule)) if is_early else unexplained(before, after)
            message = f"true, but not one step: {told}"
        judged.append(Step(_on_one_line(line), _on_one_line(rule), verdict, message))
        before = after
    failing = [i for i, step in enumerate(judged, start=1) if step.verdict is not Verdict.ACCEPTED]
    reached = before == parse(theorem.goal, theorem)
    if failing:
        ending = f"Not proved: step {failing[0]} is the first that fails."
    elif reached:
        ending = "Proved."
    else:
        ending = f"Not proved yet: every step holds, but the last line is to be {theorem.goal}."
    return Report(theorem, tuple(judged), ending, reached and not failing)


def _check_pairs(steps: Sequence[tuple[str, str]]) -> None:
    if not isinstance(steps, list | tuple) or len(steps) > MAX_STEPS:
        raise ValueError(f"steps must be a list of at most {MAX_STEPS} pairs (line, rule), got {steps!r:.80}")
    for number, step in enumerate(steps, start=1):
        is_pair = isinstance(step, list | tuple) and len(step) == 2
        if not is_pair or not all(isinstance(text, str) for text in step):
            raise ValueError(f"steps must be pairs of text (line, rule), but step {number} is {step!r:.80}")


def _on_one_line(text: str) -> str:
    return " ".join(text[:MAX_LENGTH].split())


def _named(rule: str) -> str:
    return _on_one_line(rule).lower()


def _judge(before: Term | None, line: str, rule: str, theorem: Theorem) -> tuple[Term | None, Verdict, str]:
    """What the line means, a verdict on it and the reason."""
    try:
        after = parse(line, theorem)
    except NotationError as error:
        return None, Verdict.UNREADABLE, f"cannot be read: {error}"
    if before is None:
        return after, Verdict.UNREADABLE, "cannot be checked, because the line before it cannot be read."
    return after, *_compare(before, after, _named(rule), theorem)


def _compare(before: Term, after: Term, rule: str, theorem: Theorem) -> tuple[Verdict, str]:
    if before == after:
        return Verdict.NOT_ONE_STEP, "nothing changes: this is the line before it. Leave it out."
    if rule in RULES and RULES[rule].leads(before, after):
        return Verdict.ACCEPTED, ""
    fitting = [name for name, known in RULES.items() if known.leads(before, after)]
    if fitting:
        reason = f"not by {rule!r}" if rule in RULES else f"there is no rule {rule!r}"
        return Verdict.ANOTHER_RULE, f"true, but {reason}: this is {fitting[0]!r}."
    if before.shape != after.shape:
        return Verdict.FALSE, f"false: {with_shapes(before, after)}."
    difference, seed = _largest_difference(before, after, theorem)
    if difference:
        given = example(theorem, seed)
        drawn = ", ".join(f"{name} {' × '.join(map(str, given[name].shape))}" for name in theorem.shapes)
        drawn += "".join(f"; {name} ≠ {name}.T" for name in theorem.permutations)
        return Verdict.FALSE, (
            f"false: the sides differ by {difference:.2g} for random matrices ({drawn}), "
            f"drawn by proofs.example(…, seed={seed})."
        )
    return Verdict.NOT_ONE_STEP, ""


def _largest_difference(before: Term, after: Term, theorem: Theorem) -> tuple[float, int]:
    """By how much two lines differ, and for which seed most; 0 where they differ by rounding only."""
    found = []
    for seed in range(DRAWS):
        given = example(theorem, seed)
        left, right = evaluate(before, given), evaluate(after, given)
        difference = float(np.abs(left - right).max())
        found.append((difference if difference > TOLERANCE * np.abs(left).max() else 0.0, seed))
    return max(found, key=lambda pair: pair[0])
