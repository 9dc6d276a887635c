"""Do the decisive checks notice a small change to a right answer?

Every mutant of a reference answer (`course_grading/mutants.py`) must lose points, or be named in
`tests/bank/psNN/equivalent.toml` as one that cannot be told apart by what the question asks:

    [[q1]]
    before = "scores = scores - scores.max(axis=-1, keepdims=True)"
    after = "scores = scores - scores.min(axis=-1, keepdims=True)"
    why = "…"

A test that fails prints what is missing there. `make test` decides those that are named and an eighth of the others,
`make soak` all.
"""

import json
import sys
import zlib
from functools import cache
from pathlib import Path

import pytest

from course_grading.bank import TooLongError, bounds, equivalent_mutants, surviving_mutants
from course_grading.mutants import mutants
from course_grading.problem_sets import load_problem_set

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = [
    pytest.param(*path.parts[-2:], id="-".join(path.parts[-2:]))
    for path in sorted(ROOT.glob("tests/bank/ps*/q*"))
]
SEED = 20260102


problem_set = cache(load_problem_set)


def in_toml(question: str, changes: set[tuple[str, str]]) -> str:
    """Write changes as the file of equivalent ones holds them, but for the reason."""
    lines = []
    for before, after in sorted(changes):
        lines += [
            f"[[{question}]]",
            f"before = {json.dumps(before)}",
            f"after = {json.dumps(after)}",
            'why = ""',
            "",
        ]
    return "\n".join(lines)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "share", [pytest.param(8, id="an-eighth"), pytest.param(1, id="all", marks=pytest.mark.soak)]
)
@pytest.mark.parametrize(("name", "question"), QUESTIONS)
@pytest.mark.share(2)
def test_every_mutant_loses_points_or_is_named_as_equivalent(name, question, share):
    ours = problem_set(ROOT / "solutions" / name)
    named = equivalent_mutants(ROOT / "tests" / "bank" / ours.name, question)

    def is_wanted(mutant):
        return (mutant.before, mutant.after) in named or zlib.crc32(mutant.source.encode()) % share == 0

    found, _ = surviving_mutants(ours, question, SEED, is_wanted)
    survivors = {(mutant.before, mutant.after) for mutant in found}
    assert not survivors - set(named), "not noticed:\n\n" + in_toml(question, survivors - set(named))
    assert not set(named) - survivors, "named, but noticed or gone:\n\n" + in_toml(
        question, set(named) - survivors
    )
    assert all(len(why) > 20 for why in named.values())


def test_a_mutant_differs_in_one_place_and_is_python():
    source = """
def f(x, n=2):
    y = x.T @ x
    if n > 1 and not y.any():
        y = -y[1:, ::2]
    return y.sum(axis=-1)
"""
    found = {(mutant.before, mutant.after) for mutant in mutants(source)}
    assert ("y = x.T @ x", "y = x @ x.T") in found
    assert ("y = x.T @ x", "y = x @ x") in found
    assert ("y = -y[1:, ::2]", "y = y[1:, ::2]") in found
    assert ("y = -y[1:, ::2]", "y = -y[:, ::2]") in found
    assert ("y = -y[1:, ::2]", "pass") in found
    assert ("return y.sum(axis=-1)", "return y.sum()") in found
    assert ("return y.sum(axis=-1)", "return y.mean(axis=-1)") in found
    assert ("if n > 1 and (not y.any()):", "if n > 1 or not y.any():") in found
    for mutant in mutants(source):
        compile(mutant.source, "<mutant>", "exec")


def test_an_answer_without_end_does_not_hold_up_the_tests():
    def endless():
        while True:
            pass

    with bounds(0.05, 10**9), pytest.raises(TooLongError):
        endless()


def test_an_answer_without_end_ends_though_python_drops_the_first_signal(monkeypatch):
    dropped = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: dropped.append(what.exc_type))

    class Deleted:
        def __del__(self):  # what is raised in here goes no further
            while True:
                pass

    def endless():
        Deleted()
        while True:
            pass

    with bounds(0.05, 10**9), pytest.raises(TooLongError):
        endless()
    assert dropped == [TooLongError]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is bounded on Linux alone")
def test_an_answer_that_takes_all_memory_does_not_either():
    with bounds(10.0, 10**8), pytest.raises(MemoryError):
        bytearray(2 * 10**8)
    assert len(bytearray(2 * 10**8)) == 2 * 10**8
