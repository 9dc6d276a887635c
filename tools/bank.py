"""Say, question by question, what the answer bank proves of the checks.

right: right answers that get all points; wrong: wrong ones that get the points and the message that their files
name; mutants: changed reference answers that lose points; named: those that cannot be told apart, with a reason in
tests/bank/psNN/equivalent.toml.
"""

import argparse
import fnmatch
import sys

from environment import ROOT
from tqdm import tqdm

from course_lib.grading.bank import bank_answers, equivalent_mutants, surviving_mutants
from course_lib.grading.problem_sets import ProblemSet, decide_by_exec, load_problem_set

COLUMNS = ("right", "wrong", "mutants", "named")


def row(ours: ProblemSet, question: str, seed: int) -> tuple[list[str], bool]:
    """Return a question's columns, and whether all is as it should be."""
    folder = ROOT / "tests" / "bank" / ours.name
    told = {"right": [0, 0], "wrong": [0, 0]}
    for answer in bank_answers(folder / question, ours.questions[question].points):
        verdict = decide_by_exec(ours, question, answer.source, seed)
        as_said = verdict.points == answer.points and answer.message in " ".join(verdict.messages)
        counts = told["right" if answer.is_right else "wrong"]
        counts[0] += as_said
        counts[1] += 1
    survivors, n_mutants = surviving_mutants(ours, question, seed)
    named = equivalent_mutants(folder, question)
    whole = all(some == of for some, of in told.values()) and len(survivors) == len(named)
    columns = [f"{some} of {of}" for some, of in told.values()]
    return [*columns, f"{n_mutants - len(survivors)} of {n_mutants}", str(len(named))], whole


def main() -> int:
    """Print the table; return 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*", metavar="PSNN", help="such as ps01 'ps0*' (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="of the inputs (default: 0)")
    options = parser.parse_args()
    wanted = [
        path.parent
        for path in sorted(ROOT.glob("solutions/*/checks.py"))
        if not options.patterns or any(fnmatch.fnmatch(path.parent.name, p) for p in options.patterns)
    ]
    if not wanted:
        parser.error(f"no problem set is called {' or '.join(options.patterns)}")
    questions = [(ours, name) for ours in map(load_problem_set, wanted) for name in ours.questions]
    rows, good = [], True
    for ours, name in tqdm(questions, unit="question", leave=False):
        columns, whole = row(ours, name, options.seed)
        rows.append([f"{ours.name} {name}", *columns, "" if whole else "← look here"])
        good = good and whole
    for line in [["question", *COLUMNS, ""], *rows]:
        print("  ".join(f"{entry:<10}" for entry in line).rstrip())
    return int(not good)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
