"""Say, question by question, what the answer bank proves of the checks.

right: right answers that get all points for each of the seeds; wrong: wrong ones that get the points and the message
that their files name; varies: wrong ones whose points depend on the seed; mutants: changed reference answers that lose
points; named: those that cannot be told apart, with a reason in tests/bank/psNN/equivalent.toml. With --seeds the
mutants are left out.
"""

import argparse
import fnmatch
import sys
from collections.abc import Sequence

from environment import ROOT
from tqdm import tqdm

from course_grading.bank import (
    Outcome,
    bank_answers,
    decide_for_seeds,
    equivalent_mutants,
    surviving_mutants,
)
from course_grading.problem_sets import ProblemSet, load_problem_set

COLUMNS = ("right", "wrong", "varies", "mutants", "named")


def row(ours: ProblemSet, question: str, seeds: Sequence[int]) -> tuple[list[str], bool]:
    """Return a question's columns, and whether all is as it should be."""
    answers = bank_answers(ROOT / "tests" / "bank" / ours.name / question, ours.questions[question].points)
    outcomes = decide_for_seeds(ours, question, answers, seeds)
    for outcome in outcomes:
        if not outcome.is_as_said:
            tqdm.write(f"{ours.name} {question} {outcome}")
    varies = sum(len(outcome.points) > 1 for outcome in outcomes)
    whole = all(outcome.is_as_said for outcome in outcomes)
    columns = [
        *(_of([o for o in outcomes if o.answer.is_right == is_right]) for is_right in (True, False)),
        str(varies),
    ]
    if len(seeds) > 1:
        return [*columns, "", ""], whole
    survivors, n_mutants = surviving_mutants(ours, question, seeds[0])
    named = equivalent_mutants(ROOT / "tests" / "bank" / ours.name, question)
    whole = whole and len(survivors) == len(named)
    return [*columns, f"{n_mutants - len(survivors)} of {n_mutants}", str(len(named))], whole


def _of(outcomes: Sequence[Outcome]) -> str:
    return f"{sum(outcome.is_as_said for outcome in outcomes)} of {len(outcomes)}"


def main() -> int:
    """Print the table; return 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_patterns(parser)
    parser.add_argument("--seed", type=int, default=0, help="of the inputs (default: 0)")
    parser.add_argument(
        "--seeds", type=int, default=1, metavar="N", help="decide for N seeds from there on (default: 1)"
    )
    options = parser.parse_args()
    good = True
    tqdm.write(_line(["question", *COLUMNS, ""]))
    for ours, name in tqdm(chosen(parser, options.patterns), unit="question", leave=False):
        columns, whole = row(ours, name, range(options.seed, options.seed + options.seeds))
        tqdm.write(_line([f"{ours.name} {name}", *columns, "" if whole else "← look here"]))
        good = good and whole
    return int(not good)


def _line(entries: Sequence[str]) -> str:
    return "  ".join(f"{entry:<10}" for entry in entries).rstrip()


def add_patterns(parser: argparse.ArgumentParser) -> None:
    """Let a command take which questions it is about."""
    parser.add_argument(
        "patterns", nargs="*", metavar="PSNN", help="such as ps01 'ps0*' or ps01/q3 (default: all)"
    )


def chosen(parser: argparse.ArgumentParser, patterns: Sequence[str]) -> list[tuple[ProblemSet, str]]:
    """Return the questions that patterns name; without any, all."""
    wanted = [pattern if "/" in pattern else f"{pattern}/*" for pattern in patterns] or ["*"]
    sets = [load_problem_set(path.parent) for path in sorted(ROOT.glob("solutions/*/checks.py"))]
    found = [
        (ours, question)
        for ours in sets
        for question in ours.questions
        if any(fnmatch.fnmatch(f"{ours.name}/{question}", pattern) for pattern in wanted)
    ]
    if not found:
        parser.error(f"no question is called {' or '.join(patterns)}")
    return found


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
