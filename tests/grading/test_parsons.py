"""Lines to order: every order that computes the right thing is right, and what is wrong is told truly."""

import contextlib
import sys
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from course_grading.parsons import Distractor, Ordering
from course_grading.problem_sets import load_problem_set
from course_lib.exercises.kernel_protocol import Other
from course_lib.exercises.parsons import Puzzle

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = Puzzle("""
  | def f(x):
A |     y = x + 1
B |     z = x * 3
C |     found = y * z
D |     y = x - 1
E |     found = found + 1
F |     z = z
G |     while x != 0:
H |         x = x
I |     x = 0
  |     return found
""")
ORDERING = Ordering(
    PUZZLE,
    lambda x: (x + 1) * 3 * x,
    lambda rng: [[int(n)] for n in rng.integers(2, 50, size=4)],
    {
        "D": Distractor("takes 1 away.", "A"),
        "E": Distractor("adds 1 at the end."),
        "F": Distractor("changes nothing."),
        "G": Distractor("begins a loop without end."),
        "H": Distractor("stands in a loop."),
    },
    {("I", "A"): "lose x before it is read."},
)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("A B C", ""),
        ("BAC", ""),
        (["b", "a", "c"], ""),
        ("B F A C", ""),  # a line that changes nothing
        ("D A B C", ""),  # overwritten
        ("A B C I", ""),
        ("D B C", "Line D takes 1 away."),
        ("A D B C", "Line D takes 1 away."),
        ("A B C E", "Line E adds 1 at the end."),
        ("D B C E", "Line D takes 1 away. Line E adds 1 at the end."),
        ("D B F C", "Line D takes 1 away."),  # F is not to blame
        ("A B G H C", "Line G begins a loop without end. Line H stands in a loop."),
        ("D C B", "Line D takes 1 away. There is more. Without line D: line C uses `z`, which no line"),
        ("A C B", "Line C uses `z`, which no line before it has made. Another order of the same lines is right."),
        ("A B", "The last line uses `found`, which no line before it has made. No order of these lines is right"),
        ("B I A C", "Lines I and A, in this order, lose x before it is read."),
        ("A B X", "There is no line X"),
        (None, "returns None"),
        (Other("NoneType"), "returns None"),
        (Other("Puzzle"), "returns no text"),
        (np.zeros(3), "returns no text"),
    ],
)  # fmt: skip
def test_each_fault_is_told(answer, fault):
    found = ORDERING.fault(answer, seed=5)
    assert found == fault if not fault or fault.endswith(".") else fault in found


def test_only_what_spoils_the_result_is_blamed():
    """G and H are blamed together above: a loop without end needs both."""
    assert ORDERING.fault("A B H C", 5).startswith("Line H stands in a loop.")  # Python cannot read it


def test_inputs_come_from_the_seed_and_are_named():
    [one, other] = [ORDERING.fault("B I A C", seed) for seed in (1, 2)]
    assert one == other
    numbers = {ORDERING.fault("B C A", seed) for seed in range(3)}
    assert len(numbers) == 1
    assert "Inputs: x = " in Ordering(PUZZLE, lambda x: x, ORDERING.cases, {}).fault("A B C", 1)


def test_what_a_student_writes_never_runs(tmp_path):
    trap = tmp_path / "trap"
    for answer in (f"open({str(trap)!r}, 'w')", "A\n    import os", "__import__('os')"):
        assert "There is no line" in ORDERING.fault(answer, 1)
    assert not trap.exists()


def test_inputs_that_are_changed_in_place_are_told():
    puzzle = Puzzle("  | def f(x):\nA |     x += 1\nB |     x = x + 1\n  |     return x")
    ordering = Ordering(puzzle, lambda x: x + 1, lambda rng: [[np.zeros(2)]], {})
    assert ordering.fault("B", 1) == ""
    assert "changes its inputs in place" in ordering.fault("A", 1)


# ---- Those of the problem sets ----


@cache
def orders() -> dict[str, tuple]:
    """Each question that asks for an order, with its set and what decides it."""
    found = {}
    for path in sorted(ROOT.glob("solutions/ps*/checks.py")):
        ours = load_problem_set(path.parent)
        for name, question in ours.questions.items():
            ordering = getattr(question.accepts, "__self__", None)
            if isinstance(ordering, Ordering):
                found[f"{ours.name}-{name}"] = ours, name, ordering
    return found


def of_sets(test):
    names = [
        f"{path.parent.name}-{path.name}"
        for path in sorted(ROOT.glob("tests/bank/ps*/q*a"))
    ]  # fmt: skip
    return pytest.mark.parametrize("which", names)(test)


def solution(ours, name) -> list[str]:
    scope: dict = {}
    exec(ours.solution(name), scope)
    return scope["first_step"]().split()


def test_each_order_is_in_the_bank():
    assert set(orders()) == {f"{path.parent.name}-{path.name}" for path in ROOT.glob("tests/bank/ps*/q*a")}
    assert len(orders()) >= 1


@of_sets
def test_students_see_the_lines_that_are_decided(which):
    ours, name, ordering = orders()[which]
    scope: dict = {}
    for cell in ours.given(name):
        with contextlib.suppress(NameError):  # it looks at the answer to a question before
            exec(cell, scope)
    shown = scope["puzzle"]
    assert (shown.begins, shown.lines, shown.ends) == (
        ordering.puzzle.begins,
        ordering.puzzle.lines,
        ordering.puzzle.ends,
    )


@of_sets
def test_a_right_order_has_every_line_that_is_no_distractor(which):
    ours, name, ordering = orders()[which]
    assert sorted([*solution(ours, name), *ordering.distractors]) == sorted(ordering.puzzle.lines)


@of_sets
def test_each_distractor_in_its_place_is_wrong_and_told_by_its_own_message(which):
    ours, name, ordering = orders()[which]
    right = solution(ours, name)
    told = []
    for letter, distractor in ordering.distractors.items():
        assert distractor.instead_of in right, letter
        wrong = [letter if line == distractor.instead_of else line for line in right]
        for seed in range(5):
            assert ordering.fault(wrong, seed) == f"Line {letter} {distractor.message}"
        told.append(distractor.message)
    assert len(set(told)) == len(told) >= 3


@of_sets
def test_each_pair_that_is_mixed_up_is_told(which):
    ours, name, ordering = orders()[which]
    right = solution(ours, name)
    for (first, then), message in (ordering.mixed_up or {}).items():
        rest = [line for line in right if line != first]
        at = rest.index(then)
        wrongs = [[*rest[:at], first, *rest[at:]]]
        rest = [line for line in right if line != then]
        at = rest.index(first) + 1
        wrongs.append([*rest[:at], then, *rest[at:]])
        told = f"Lines {first} and {then}, in this order, {message}"
        assert told in [ordering.fault(wrong, 3) for wrong in wrongs]


@of_sets
def test_no_small_change_of_a_right_order_is_kept_by_luck(which):
    """What is right for one seed's inputs is right for another's: a line out, two exchanged, a distractor in."""
    ours, name, ordering = orders()[which]
    right = solution(ours, name)
    changed = [right[:n] + right[n + 1 :] for n in range(len(right))]
    for m, n in permutations(range(len(right)), 2):
        if m < n:
            other = list(right)
            other[m], other[n] = other[n], other[m]
            changed.append(other)
    for letter in ordering.distractors:
        changed += [[*right[:n], letter, *right[n:]] for n in range(len(right) + 1)]
    for order in changed:
        verdicts = {bool(ordering.fault(order, seed)) for seed in range(8)}
        assert len(verdicts) == 1, order
    assert all(ordering.fault(order, 0) for order in changed[: len(right)]), "each line is needed"


def test_of_all_orders_of_the_right_lines_those_are_accepted_that_keep_to_what_each_line_needs():
    """Brute force: 120 orders. F makes δ, B writes its 1, D reads w_j; E needs all three, H needs E."""
    _, _, ordering = orders()["ps02-q4a"]
    accepted = {"".join(order) for order in permutations("FBDEH") if not ordering.fault(order, 7)}
    allowed = {
        "".join(order)
        for order in permutations("FBDEH")
        if order.index("F") < order.index("B") < order.index("E") < order.index("H")
        and order.index("D") < order.index("E")
    }
    assert accepted == allowed == {"FBDEH", "FDBEH", "DFBEH"}


def test_of_all_programs_of_up_to_five_lines_those_are_accepted_that_compute_the_right_thing():
    """Brute force with distractors: of 18,729 programs one in 40, each run by itself on numbers of this test's own."""
    _, _, ordering = orders()["ps02-q4a"]
    rng = np.random.default_rng(0)
    programs = [order for n in range(1, 6) for order in permutations(ordering.puzzle.lines, n)]
    assert len(programs) == 18_729
    chosen = [programs[n] for n in rng.permutation(len(programs))[: len(programs) // 40]]
    chosen += [tuple("FBDEH"), tuple("DFBEH"), tuple("FBDEC")]
    w, g = np.array([0.1, 0.2, 0.3, 0.4]), np.array([3.0, -1.0, 5.0, 2.5])
    right = 0
    for order in chosen:
        scope: dict = {"np": np}
        exec(ordering.puzzle.program(order), scope)
        try:
            found = [scope["one_score"](w, g, j) for j in range(4)]
        except (NameError, UnboundLocalError):
            found = [np.nan] * 4
        is_right = bool(np.allclose(found, w * (g - w @ g)))
        assert is_right == (not ordering.fault(order, 11)), order
        right += is_right
    assert right >= 2


@pytest.mark.parametrize(
    ("which", "n_right"), [("ps01-q4a", 3), ("ps02-q4a", 3), ("ps03-q5a", 6), ("ps04-q4a", 4)]
)
def test_all_equivalent_orders_are_accepted(which, n_right):
    """Brute force: all orders of the right lines, each run by itself, without the code that decides."""
    ours, name, ordering = orders()[which]
    inputs = [list(given) for given in ordering.cases(np.random.default_rng(99))]
    found = 0
    for order in permutations(solution(ours, name)):
        scope: dict = {"np": np, **ordering.puzzle.names}
        exec(ordering.puzzle.program(order), scope)
        try:
            is_right = all(alike(scope[ordering.puzzle.name](*x), ordering.reference(*x)) for x in inputs)
        except NameError:
            is_right = False
        assert is_right == (not ordering.fault(order, 12)), order
        found += is_right
    assert found == n_right


def alike(mine: object, theirs: object) -> bool:
    if isinstance(theirs, tuple):
        return all(map(alike, mine, theirs))
    return np.shape(mine) == np.shape(theirs) and bool(np.allclose(mine, theirs))


def test_deciding_leaves_no_trace_function_behind():
    before = sys.gettrace()
    ORDERING.fault("A B G H C", 1)
    assert sys.gettrace() is before
