"""The step checker: right proofs are accepted, wrong ones refused at the right step and for the right reason."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from course_lib.exercises.proofs import (
    EQUIVARIANCE,
    INVARIANCE,
    RULES,
    NotationError,
    Theorem,
    Verdict,
    check,
    evaluate,
    example,
    parse,
)
from course_lib.exercises.proofs.terms import (
    Attention,
    Identity,
    Matrix,
    Product,
    Scalar,
    Scaled,
    Softmax,
    Term,
    Transpose,
    attend,
    product,
    rebuilt,
    scaled,
    transpose,
)

ROOT = Scalar((("d_k", -1),))


# ---- Right proofs ----

INVARIANT = {
    "brackets moved in scores and values": [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition"),
        ("softmax(Q @ (K.T @ P.T) / sqrt(d_k)) @ (P @ V)", "transpose"),
        ("softmax(Q @ K.T @ P.T / sqrt(d_k)) @ (P @ V)", "associativity"),
        ("softmax((Q @ K.T / sqrt(d_k)) @ P.T) @ (P @ V)", "scalar"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ P.T @ (P @ V)", "softmax columns"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ (P.T @ P) @ V", "associativity"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ I @ V", "permutation"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ V", "identity"),
        ("attention(Q, K, V)", "definition"),
    ],
    "the scalar to the queries first, the permutation to the values": [
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "Definition"),
        ("softmax(Q / sqrt(d_k) @ (P @ K).T) @ (P @ V)", "scalar"),
        ("softmax(Q / sqrt(d_k) @ (K.T @ P.T)) @ (P @ V)", "transpose"),
        ("softmax((1 / sqrt(d_k)) * Q @ K.T @ P.T) @ (P @ V)", "associativity"),
        ("softmax(Q / sqrt(d_k) @ K.T) @ P.T @ (P @ V)", " softmax  columns "),
        ("softmax(Q / sqrt(d_k) @ K.T) @ (P.T @ P @ V)", "associativity"),
        ("softmax(Q / sqrt(d_k) @ K.T) @ (I @ V)", "permutation"),
        ("softmax(Q / sqrt(d_k) @ K.T) @ V", "identity"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ V", "scalar"),
        ("attention(Q, K, V)", "definition"),
    ],
    "through the transposed scores, and by an identity made larger and smaller": [
        ("attention(Q, P @ K, P @ (I @ V))", "identity"),
        ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ (I @ V))", "definition"),
        ("softmax((P @ K @ Q.T).T / sqrt(d_k)) @ (P @ (I @ V))", "transpose"),
        ("softmax((P @ K @ (Q.T / sqrt(d_k))).T) @ (P @ (I @ V))", "scalar"),
        ("softmax((P @ (K @ (Q.T / sqrt(d_k)))).T) @ (P @ (I @ V))", "associativity"),
        ("softmax((K @ (Q.T / sqrt(d_k))).T @ P.T) @ (P @ (I @ V))", "transpose"),
        ("softmax((K @ (Q.T / sqrt(d_k))).T) @ P.T @ (P @ (I @ V))", "softmax columns"),
        ("softmax((K @ (Q.T / sqrt(d_k))).T) @ (P.T @ P) @ (I @ V)", "associativity"),
        ("softmax((K @ (Q.T / sqrt(d_k))).T) @ I @ (I @ V)", "permutation"),
        ("softmax((K @ (Q.T / sqrt(d_k))).T) @ (I @ V)", "identity"),
        ("softmax((K @ Q.T).T / sqrt(d_k)) @ (I @ V)", "scalar"),
        ("softmax(Q @ K.T / sqrt(d_k)) @ (I @ V)", "transpose"),
        ("attention(Q, K, I @ V)", "definition"),
        ("attention(Q, K, V)", "identity"),
    ],
}

EQUIVARIANT = {
    "brackets first, columns before rows": [
        ("attention(P @ (X @ W_Q), P @ (X @ W_K), P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "definition"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T) @ P.T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T) @ (P @ (X @ W_V))", "scalar"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T / sqrt(d_k))) @ P.T @ (P @ (X @ W_V))", "softmax columns"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T @ (P @ (X @ W_V))", "softmax rows"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (P.T @ P) @ (X @ W_V)", "associativity"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ I @ (X @ W_V)", "permutation"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (X @ W_V)", "identity"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (X @ W_V))", "associativity"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "definition"),
    ],
    "definition first, rows before columns": [
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition"),
        ("softmax(P @ (X @ W_Q) @ (P @ (X @ W_K)).T / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ (X @ W_Q) @ ((X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "transpose"),
        ("softmax(P @ (X @ W_Q @ (X @ W_K).T @ P.T) / sqrt(d_k)) @ (P @ (X @ W_V))", "associativity"),
        ("softmax(P @ ((X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T)) @ (P @ (X @ W_V))", "scalar"),
        ("P @ softmax((X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T) @ (P @ (X @ W_V))", "softmax rows"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P.T) @ (P @ (X @ W_V))", "softmax columns"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (P.T @ P @ (X @ W_V)))", "associativity"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (I @ (X @ W_V)))", "permutation"),
        ("P @ attention(X @ W_Q, X @ W_K, I @ (X @ W_V))", "definition"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "identity"),
    ],
    "each product transposed, the scalar at the keys": [
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ (P @ X @ W_V)", "definition"),
        ("softmax(P @ X @ W_Q @ (W_K.T @ (P @ X).T) / sqrt(d_k)) @ (P @ X @ W_V)", "transpose"),
        ("softmax(P @ X @ W_Q @ (W_K.T @ (X.T @ P.T)) / sqrt(d_k)) @ (P @ X @ W_V)", "transpose"),
        ("softmax(P @ X @ W_Q @ (W_K.T / sqrt(d_k) @ (X.T @ P.T))) @ (P @ X @ W_V)", "scalar"),
        ("softmax(P @ (X @ W_Q @ (W_K.T / sqrt(d_k) @ X.T)) @ P.T) @ (P @ X @ W_V)", "associativity"),
        ("softmax(P @ (X @ W_Q @ (W_K.T / sqrt(d_k) @ X.T))) @ P.T @ (P @ X @ W_V)", "softmax columns"),
        ("P @ softmax(X @ W_Q @ (W_K.T / sqrt(d_k) @ X.T)) @ P.T @ (P @ X @ W_V)", "softmax rows"),
        ("P @ softmax(X @ W_Q @ (W_K.T / sqrt(d_k) @ X.T)) @ (P.T @ P) @ (X @ W_V)", "associativity"),
        ("P @ softmax(X @ W_Q @ (W_K.T / sqrt(d_k) @ X.T)) @ I @ (X @ W_V)", "permutation"),
        ("P @ softmax(X @ W_Q @ (W_K.T / sqrt(d_k) @ X.T)) @ (X @ W_V)", "identity"),
        ("P @ softmax(X @ W_Q @ (W_K.T @ X.T) / sqrt(d_k)) @ (X @ W_V)", "scalar"),
        ("P @ softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (X @ W_V)", "transpose"),
        ("P @ (softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (X @ W_V))", "associativity"),
        ("P @ attention(X @ W_Q, X @ W_K, X @ W_V)", "definition"),
    ],
}

RIGHT = [
    *(pytest.param(INVARIANCE, steps, id=name) for name, steps in INVARIANT.items()),
    *(pytest.param(EQUIVARIANCE, steps, id=name) for name, steps in EQUIVARIANT.items()),
]


@pytest.mark.parametrize(("theorem", "steps"), RIGHT)
def test_right_proofs_are_accepted(theorem, steps):
    report = check(theorem, steps)
    assert report.proved, report
    assert str(report).splitlines()[-1] == "Proved."
    assert str(report).count("✓") == len(steps)


@pytest.mark.parametrize(("theorem", "steps"), RIGHT)
def test_every_step_of_a_right_proof_is_needed_and_named(theorem, steps):
    for i, (line, rule) in enumerate(steps):
        shorter = check(theorem, steps[:i] + steps[i + 1 :])
        assert not shorter.proved, f"without step {i + 1}"
        for other in RULES.keys() - {" ".join(rule.lower().split())}:
            start = steps[i - 1][0] if i else theorem.start
            renamed = check(replace(theorem, start=start, goal=line), [(line, other)])
            assert renamed.steps[0].verdict is Verdict.ANOTHER_RULE
            assert not renamed.proved


# ---- Wrong proofs ----

FORWARD = INVARIANT["brackets moved in scores and values"]


def changed(number, line, rule=None, steps=FORWARD):
    """A right proof with another step in one place, counted from 1."""
    return [*steps[: number - 1], (line, rule or steps[number - 1][1]), *steps[number:]]


DEFINED = ("softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)", "definition")
WRONG = {  # name: steps, number of the first that fails, its verdict
    "no transpose of the keys": (
        changed(1, "softmax(Q @ (P @ K) / sqrt(d_k)) @ (P @ V)"),
        1,
        Verdict.UNREADABLE,
    ),
    "no softmax": (changed(1, "Q @ (P @ K).T / sqrt(d_k) @ (P @ V)"), 1, Verdict.FALSE),
    "no scalar": (changed(1, "softmax(Q @ (P @ K).T) @ (P @ V)"), 1, Verdict.FALSE),
    "the root of another size": (
        changed(1, "softmax(Q @ (P @ K).T / sqrt(L_k)) @ (P @ V)"),
        1,
        Verdict.FALSE,
    ),
    "the scalar without its root": (changed(1, "softmax(Q @ (P @ K).T / d_k) @ (P @ V)"), 1, Verdict.FALSE),
    "the scalar after the softmax": (
        changed(1, "softmax(Q @ (P @ K).T) / sqrt(d_k) @ (P @ V)"),
        1,
        Verdict.FALSE,
    ),
    "transpose lost on P": (changed(2, "softmax(Q @ (K.T @ P) / sqrt(d_k)) @ (P @ V)"), 2, Verdict.FALSE),
    "transposed product in the old order": (
        changed(2, "softmax(Q @ (P.T @ K.T) / sqrt(d_k)) @ (P @ V)"),
        2,
        Verdict.UNREADABLE,
    ),
    "P slipped through Q": (
        changed(3, "softmax(P.T @ Q @ K.T / sqrt(d_k)) @ (P @ V)"),
        3,
        Verdict.UNREADABLE,
    ),
    "P slipped through X": (
        changed(
            4,
            "softmax(X @ P.T @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ (P @ (X @ W_V))",
            steps=EQUIVARIANT["brackets first, columns before rows"],
        ),
        4,
        Verdict.UNREADABLE,
    ),
    "columns taken for rows": (
        changed(
            7,
            "softmax(X @ W_Q @ (X @ W_K).T / sqrt(d_k)) @ P @ P.T @ (P @ (X @ W_V))",
            steps=EQUIVARIANT["brackets first, columns before rows"],
        ),
        7,
        Verdict.FALSE,
    ),
    "softmax taken linear": (
        changed(4, "softmax(Q @ K.T @ P.T) / sqrt(d_k) @ (P @ V)"),
        4,
        Verdict.FALSE,
    ),
    "softmax taken as a matrix that multiplies": (
        changed(5, "softmax(Q) @ (K.T / sqrt(d_k) @ P.T) @ (P @ V)", "associativity"),
        5,
        Verdict.FALSE,
    ),
    "softmax(S P) = softmax(S)": (
        changed(5, "softmax(Q @ K.T / sqrt(d_k)) @ (P @ V)", "softmax columns"),
        5,
        Verdict.FALSE,
    ),
    "P comes out of the softmax without its T": (
        changed(5, "softmax(Q @ K.T / sqrt(d_k)) @ P @ (P @ V)"),
        5,
        Verdict.FALSE,
    ),
    "softmax commutes with any matrix": (
        [
            *FORWARD[:8],
            ("softmax(Q / sqrt(d_k) @ K.T) @ V", "scalar"),
            ("softmax(Q / sqrt(d_k)) @ K.T @ V", "softmax columns"),
        ],
        10,
        Verdict.FALSE,
    ),
    "PP for PᵀP": (
        [
            *changed(5, "softmax(Q @ K.T / sqrt(d_k)) @ P @ (P @ V)")[:5],
            *(
                ("softmax(Q @ K.T / sqrt(d_k)) @ (P @ P) @ V", "associativity"),
                ("softmax(Q @ K.T / sqrt(d_k)) @ I @ V", "permutation"),
            ),
            *FORWARD[7:],
        ],
        5,
        Verdict.FALSE,
    ),
    "two rules in one step": ([*FORWARD[:1], *FORWARD[2:]], 2, Verdict.NOT_ONE_STEP),
    "all in one step": ([("attention(Q, K, V)", "softmax columns")], 1, Verdict.NOT_ONE_STEP),
    "brackets not moved": (FORWARD[:5] + FORWARD[6:], 6, Verdict.NOT_ONE_STEP),
    "identity dropped without its rule": (FORWARD[:6] + FORWARD[7:], 7, Verdict.NOT_ONE_STEP),
    "right step, another rule": (
        changed(5, FORWARD[4][0], "softmax rows"),
        5,
        Verdict.ANOTHER_RULE,
    ),
    "right step, a rule that does not exist": (
        changed(7, FORWARD[6][0], "P is orthogonal"),
        7,
        Verdict.ANOTHER_RULE,
    ),
    "starts elsewhere": (
        [("softmax(Q @ K.T / sqrt(d_k)) @ V", "definition"), ("attention(Q, K, V)", "definition")],
        1,
        Verdict.NOT_ONE_STEP,
    ),
    "starts from keys that are not permuted": (
        [("softmax(Q @ K.T / sqrt(d_k)) @ (P @ V)", "definition")],
        1,
        Verdict.FALSE,
    ),
    "a false step that a second takes back": (
        [
            ("attention(Q, K, P @ V)", "identity"),
            ("attention(Q, P @ K, P @ V)", "identity"),
            *FORWARD,
        ],
        1,
        Verdict.FALSE,
    ),
    "the first line once more": (
        [("attention(Q, P @ K, P @ V)", "definition"), *FORWARD],
        1,
        Verdict.NOT_ONE_STEP,
    ),
    "another shape": ([*FORWARD[:8], ("attention(Q, K, K)", "definition")], 9, Verdict.FALSE),
    "the values permuted twice": (changed(9, "attention(Q, K, P @ V)"), 9, Verdict.FALSE),
    "a sum": (changed(8, "softmax(Q @ K.T / sqrt(d_k)) + V"), 8, Verdict.UNREADABLE),
    "the inverse, which is not given": (
        changed(7, "softmax(Q @ K.T / sqrt(d_k)) @ inv(P) @ P @ V"),
        7,
        Verdict.UNREADABLE,
    ),
}


@pytest.mark.parametrize(("steps", "number", "verdict"), WRONG.values(), ids=WRONG)
def test_wrong_proofs_are_refused(steps, number, verdict):
    report = check(EQUIVARIANCE if "X" in steps[0][0] else INVARIANCE, steps)
    assert not report.proved
    assert [step.verdict for step in report.steps[:number]] == [Verdict.ACCEPTED] * (number - 1) + [verdict]
    assert report.ending == f"Not proved: step {number} is the first that fails."
    assert report.steps[number - 1].message in str(report)


NOT_ONE = "true, but not one step: "


@pytest.mark.parametrize("skipped", range(len(FORWARD) - 1))
def test_where_one_line_is_missing_the_message_says_which_two_steps_it_takes(skipped):
    steps = [*FORWARD[:skipped], *FORWARD[skipped + 1 :]]
    step = check(INVARIANCE, steps).steps[skipped]
    assert step.verdict is Verdict.NOT_ONE_STEP
    rules = {rule for _, rule in FORWARD[skipped : skipped + 2]}
    assert all(repr(rule) in step.message for rule in rules), step.message


BROUGHT = [  # a line and the next, the rule named, what the message says
    (  # the brackets of the third argument are lost
        "attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V)",
        ("softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ P @ X @ W_V", "definition"),
        "'definition' leads from the line before to softmax(P @ X @ W_Q @ (P @ X @ W_K).T / sqrt(d_k)) @ "
        "(P @ X @ W_V), and 'associativity' from there to this line. Write them as two steps.",
    ),
    (  # the scalar is behind P.T
        "softmax(X @ X.T @ P.T / sqrt(d)) @ X",
        ("softmax(X @ X.T / sqrt(d)) @ P.T @ X", "softmax columns"),
        "'scalar' leads from the line before to softmax((X @ X.T / sqrt(d)) @ P.T) @ X, and 'softmax columns' from",
    ),
    (
        "softmax(X @ (X.T @ P.T) / sqrt(d)) @ X",
        ("softmax(X @ X.T / sqrt(d)) @ P.T @ X", "softmax columns"),
        "besides 'softmax columns', brackets or scalars move.",
    ),
    (
        "softmax(X @ (X.T @ P.T) / sqrt(d)) @ X",
        ("softmax((X @ X.T / sqrt(d)) @ P.T) @ X", "scalar"),
        "both brackets and scalars move.",
    ),
    (
        "P.T @ P @ X",
        ("X", "permutation"),
        "it takes 'permutation' and then 'identity', each in a step of its own.",
    ),
    (
        "P.T @ (P @ X)",
        ("X", "permutation"),
        "it takes 'permutation' and 'identity', each in a step of its own, and 'associativity' or 'scalar' wherever",
    ),
    (
        "P.T @ (P @ X)",
        ("X", "permutation"),
        "'permutation', P.T @ P = P @ P.T = I, fits nowhere in the line before as it stands.",
    ),
    ("(P @ X).T @ (X.T @ P).T", ("X.T @ P.T @ (P.T @ X)", "transpose"), "it takes 'transpose' twice."),
    (
        "(P @ X @ W_Q).T",
        ("W_Q.T @ X.T @ P.T", "transpose"),
        "it takes 'transpose' twice, each in a step of its own, and 'associativity' or 'scalar' wherever",
    ),
    (
        "P.T @ P @ softmax(P @ X)",
        ("P @ softmax(X)", "softmax rows"),
        "it takes 'permutation', 'identity' and 'softmax rows', each",
    ),
    (
        "X.T @ attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V)",
        ("X.T @ (P @ attention(X @ W_Q, X @ W_K, X @ W_V))", "transpose"),
        "Only this part changes: attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V), which becomes P @ attention(",
    ),
    (
        "X.T @ attention(P @ X @ W_Q, P @ X @ W_K, P @ X @ W_V)",
        ("X.T @ (P @ attention(X @ W_Q, X @ W_K, X @ W_V))", "softmax rows"),
        "no rule leads here when used once. Write what lies between, one rule a line.",
    ),
]


@pytest.mark.parametrize(("before", "step", "told"), BROUGHT)
def test_the_message_says_what_a_step_is_made_of(before, step, told):
    judged = check(replace(EQUIVARIANCE, start=before), [step]).steps[0]
    assert judged.message.startswith(NOT_ONE)
    assert told in judged.message


@pytest.mark.parametrize("length", range(len(FORWARD)))
def test_a_proof_that_stops_short_is_not_one(length):
    report = check(INVARIANCE, FORWARD[:length])
    assert not report.proved
    assert all(step.verdict is Verdict.ACCEPTED for step in report.steps)
    assert "the last line is to be attention(Q, K, V)" in report.ending


def test_a_proof_must_end_at_the_goal_and_not_only_pass_it():
    assert not check(INVARIANCE, [*FORWARD, FORWARD[-2]]).proved


def test_after_a_mistake_the_steps_are_judged_by_the_line_as_written():
    report = check(INVARIANCE, changed(5, "softmax(Q @ K.T / sqrt(d_k)) @ P @ (P @ V)"))
    wrong = [i for i, step in enumerate(report.steps, 1) if step.verdict is not Verdict.ACCEPTED]
    assert wrong == [5, 6]  # into the false line, and out of it


def test_after_a_line_that_cannot_be_read_the_next_waits():
    report = check(INVARIANCE, changed(5, "softmax(Q @ K.T / sqrt(d_k)) @ P^T @ (P @ V)"))
    assert [step.verdict is Verdict.UNREADABLE for step in report.steps] == [False] * 4 + [True] * 2 + [
        False
    ] * 3
    assert "'^' is not understood" in report.steps[4].message


def test_messages_say_what_differs_and_by_how_much():
    messages = [step.message for step in check(INVARIANCE, changed(5, "softmax(Q @ K.T) @ (P @ V)")).steps]
    assert messages[4].startswith("false: the sides differ by ")
    assert "Q 2 × 3, K 9 × 3, V 9 × 5, P 9 × 9; P ≠ P.T" in messages[4]
    messages = [step.message for step in check(INVARIANCE, changed(9, "V")).steps]
    assert messages[8] == ("false: softmax(Q @ K.T / sqrt(d_k)) @ V is (L_q, d_v) and V is (L_k, d_v).")
    assert check(INVARIANCE, [(DEFINED[0], "def.")]).steps[0].message == (
        "true, but there is no rule 'def.': this is 'definition'."
    )


def test_the_difference_is_that_of_the_example_it_names():
    line = "softmax(Q @ (P @ K).T) @ (P @ V)"
    message = check(INVARIANCE, [(line, "definition")]).steps[0].message
    seed = int(message.split("seed=")[1].split(")")[0])
    g = example(INVARIANCE, seed)
    scores = g["Q"] @ (g["P"] @ g["K"]).T
    weights, scaled_weights = (
        np.exp(s) / np.exp(s).sum(axis=1, keepdims=True) for s in (scores, scores / 3**0.5)
    )
    assert f"{np.abs((weights - scaled_weights) @ g['P'] @ g['V']).max():.2g}" in message


@pytest.mark.parametrize(
    "steps", [None, "attention(Q, K, V)", [("Q",)], [("Q", None)], [3], [("Q", "identity")] * 101]
)
def test_what_is_no_list_of_pairs_is_refused(steps):
    with pytest.raises(ValueError, match=r"^steps must be "):
        check(INVARIANCE, steps)


@pytest.mark.parametrize(
    ("step", "verdict"),
    [
        (("Q @" * 100_000, "identity\n" * 100_000), Verdict.UNREADABLE),
        ((FORWARD[0][0], "no such rule\n" * 100_000), Verdict.ANOTHER_RULE),
    ],
)
def test_a_huge_step_is_answered_briefly(step, verdict):
    report = check(INVARIANCE, [step])
    assert report.steps[0].verdict is verdict
    assert len(str(report)) < 2000
    assert len(str(report).splitlines()) == 5


# ---- Theorems and examples ----


@pytest.mark.parametrize("theorem", [INVARIANCE, EQUIVARIANCE])
def test_examples_hide_nothing(theorem):
    for seed in range(20):
        drawn = example(theorem, seed)
        sizes = [drawn[name] for name in theorem.sizes]
        assert len(set(sizes)) == len(sizes)
        for name, (rows, columns) in theorem.shapes.items():
            assert drawn[name].shape == (drawn[rows], drawn[columns])
        P = drawn["P"]
        assert np.array_equal(P.T @ P, np.eye(len(P)))
        assert not np.array_equal(P, P.T)
        assert not np.array_equal(P @ P, P.T)


@pytest.mark.parametrize("permutations", [("Q",), ("R",)])
def test_permutations_are_square_and_given(permutations):
    with pytest.raises(ValueError, match=r"^permutations must name square matrices"):
        Theorem("", {"Q": ("n", "d")}, permutations, "Q", "Q")


@pytest.mark.parametrize("theorem", [INVARIANCE, EQUIVARIANCE])
def test_theorems_are_true(theorem):
    drawn = example(theorem, seed=7)
    start, goal = parse(theorem.start, theorem), parse(theorem.goal, theorem)
    assert start.shape == goal.shape
    np.testing.assert_allclose(evaluate(start, drawn), evaluate(goal, drawn), atol=1e-12)


# ---- Reading ----


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Q @ K.T @ P", "(Q @ K.T) @ P"),
        ("Q.T.T", "Q"),
        ("I.T @ V", "I @ V"),
        ("Q / sqrt(d_k)", "1 / sqrt(d_k) * Q"),
        ("Q / sqrt(d_k) / sqrt(d_k)", "Q * (1 / d_k)"),
        ("d_k * Q / d_k", "Q"),
        ("Q * sqrt(1)", "Q"),
        ("Q * sqrt(d_k * d_v * d_v * d_k)", "d_v * (d_k * Q)"),
        ("  Q@K .T  ", "Q @ K.T"),
    ],
)
def test_what_counts_as_the_same_line(text, same):
    assert parse(text, INVARIANCE) == parse(same, INVARIANCE)


@pytest.mark.parametrize(
    ("text", "other"), [("Q @ K.T @ P", "Q @ (K.T @ P)"), ("Q / d_k @ K.T", "Q @ K.T / d_k"), ("Q @ I", "Q")]
)
def test_what_does_not(text, other):
    assert parse(text, INVARIANCE) != parse(other, INVARIANCE)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("((Q) @ (K.T)) @ (P)", "Q @ K.T @ P"),
        ("Q @ (K.T @ (P @ V))", "Q @ (K.T @ (P @ V))"),
        ("(1 / sqrt(d_k) * Q) @ K.T", "(Q / sqrt(d_k)) @ K.T"),  # brackets that only the reader needs
        ("(Q @ K.T) / (sqrt(d_k) * d_v)", "Q @ K.T / sqrt(d_k) / d_v"),
        ("Q @ (d_v / d_k * (P @ K).T)", "Q @ ((P @ K).T / d_k * d_v)"),
        ("(d_k * d_v * sqrt(d_v) * Q).T", "(Q * d_k * d_v * sqrt(d_v)).T"),
    ],
)
def test_how_a_term_is_written(text, shown):
    assert str(parse(text, INVARIANCE)) == shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q @ Kᵀ", "^'ᵀ' is not understood. A line is made of the given matrices and I"),
        ("Q - Q", "^'-' is not understood"),
        ("Q @", "^This is not a Python expression; mind the brackets"),
        ("", "^This is not a Python expression"),
        ("(Q", "^This is not a Python expression"),
        ("Q K.T", "^This is not a Python expression"),
        ("Z @ Q", "^The name Z is not known here. These are: Q, K, V, P, I, L_q, d_k, L_k, d_v."),
        ("Q ** K", r"^Q \*\* K is not understood"),
        ("Q.inverse", "^Q.inverse is not understood"),
        ("Q.T()", r"^Q.T\(\) is not understood"),
        ("softmax(Q, K)", r"^softmax\(Q, K\) is not understood"),
        ("attention(Q, K)", r"^attention\(Q, K\) is not understood"),
        ("softmax(*Q)", r"^\*Q is not understood"),
        ("exp(Q)", r"^exp\(Q\) is not understood"),
        ("Q if K else V", "^Q if K else V is not understood"),
        ("Q * 2", "^2 is not understood"),
        ("Q * 1.0", "^1.0 is not understood"),
        ("True * Q", "^True is not understood"),
        ("Q * K", r"^\* takes a scalar on one side"),
        ("1 / Q", r"^\* takes a scalar on one side"),
        ("d_k @ Q", "^d_k is a scalar where a matrix is expected"),
        ("sqrt(Q)", r"^sqrt\(Q\) is not understood"),
        ("Q * sqrt(sqrt(d_k))", r"^sqrt\(sqrt\(d_k\)\) is not understood"),
        ("1 / sqrt(d_k)", "^This line is a scalar, not a matrix"),
        ("softmax(I @ I)", "^From this line the size of I cannot be told"),
        ("Q @ K", r"^Q is \(L_q, d_k\) and K is \(L_k, d_k\): these do not multiply"),
        ("attention(Q, V, V)", r"^Q is \(L_q, d_k\) and V is \(L_k, d_v\): queries and keys"),
        ("attention(Q, K, Q)", r"^K is \(L_k, d_k\) and Q is \(L_q, d_k\): keys and values"),
        ("attention(Q, I, V)", r"^I is \(d_k, d_k\) and V is \(L_k, d_v\): keys and values"),
        (".".join(["Q"] + ["T"] * 60), "^A line is nested at most 50 levels deep"),
        ("(Q for Q in " * 28 + "Q" + ")" * 28, r"^A line is nested at most 50 levels deep"),
        ("Q" + " " * 400, "^A line has at most 400 characters, this one 401"),
    ],
)
def test_what_cannot_be_read_is_named(text, message):
    with pytest.raises(NotationError, match=message):
        parse(text, INVARIANCE)


def test_nothing_is_run(capsys):
    for text in (
        "print(Q)",
        "Q.__class__.__mro__",
        "(lambda: Q)()",
        "__import__('os')",
        "exec(Q)",
        "open(Q)",
    ):
        with pytest.raises(NotationError):
            parse(text, INVARIANCE)
    assert capsys.readouterr().out == ""


NESTED = [
    "(",
    "Q.T",
    ".T",
    "softmax(",
    "not ",
    "(Q for Q in ",
    "Q@(",
    "1if ",
    "1*",
    "attention(Q,",
    "lambda Q:",
]


@pytest.mark.parametrize("piece", NESTED)
@pytest.mark.parametrize("copies", [10, 40, 100, 100_000])
def test_deep_and_huge_lines_are_read_or_refused(piece, copies, recwarn):
    opened = piece * copies
    for text in (opened, opened + "Q", opened + "Q" + ")" * copies, "Q" + opened):
        try:
            assert len(str(parse(text, INVARIANCE))) < 1000
        except NotationError as error:
            assert len(str(error)) < 500  # noqa: PT017 – some of the lines are right
            if len(text) > 400:  # refused before anything reads them
                assert str(error).startswith("A line has at most 400 characters")  # noqa: PT017
    assert not recwarn


PIECES = [*"QKVPIT()@*/.,1é\0\n'", *("sqrt(", "d_k", "softmax(", "attention(", ".T", " if ", " for ")]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)))
def test_a_line_of_any_text_is_read_or_refused(text):
    try:
        term = parse(text, INVARIANCE)
    except NotationError:
        return
    assert parse(str(term), INVARIANCE) == term


# ---- Properties: terms of every kind, over matrices of every shape of three sizes ----

SIZES = ("m", "n", "p")
ALL_SHAPES = Theorem(
    "",
    {f"{r.upper()}{c}": (r, c) for r in SIZES for c in SIZES} | {"P": ("n", "n"), "R": ("n", "n")},
    ("P", "R"),
    "Mm",
    "Mm",
)
DRAWN = [example(ALL_SHAPES, seed) for seed in range(3)]  # those by which the checker tells false from true
SMALL = [  # others, so small that no softmax becomes 0 and 1 and hides what differs
    drawn | {name: drawn[name] / 3 for name in ALL_SHAPES.shapes.keys() - {"P", "R"}}
    for drawn in (example(ALL_SHAPES, seed) for seed in (11, 12))
]


def matrix(name):
    return Matrix(name, *ALL_SHAPES.shapes[name], name in ALL_SHAPES.permutations)


@st.composite
def terms(draw, rows=None, columns=None, depth=4):
    rows, columns = rows or draw(st.sampled_from(SIZES)), columns or draw(st.sampled_from(SIZES))
    kinds = ["given"] + ["I"] * (rows == columns) + ["P"] * 3 * (rows == columns == "n")
    kinds += ["product", "product", "transpose", "scaled", "softmax", "attention"] * (depth > 0)
    kind = draw(st.sampled_from(kinds))

    def some(rows, columns):
        return draw(terms(rows, columns, depth - 1))

    if kind in ("given", "I"):
        return matrix(f"{rows.upper()}{columns}") if kind == "given" else Identity(rows)
    if kind == "P":
        return draw(st.sampled_from([matrix("P"), matrix("R"), Transpose(matrix("P"))]))
    if kind == "scaled":
        power = draw(st.sampled_from([-2, -1, 1, 2]))
        return scaled(Scalar(((draw(st.sampled_from(SIZES)), power),)), some(rows, columns))
    if kind in ("transpose", "softmax"):
        return transpose(some(columns, rows)) if kind == "transpose" else Softmax(some(rows, columns))
    middle, width = draw(st.sampled_from(SIZES)), draw(st.sampled_from(SIZES))
    if kind == "product":
        return product(some(rows, middle), some(middle, columns))
    return attend(some(rows, width), some(middle, width), some(middle, columns))


def rewritings(term: Term):
    """All (rule, result) of one rewriting of the term itself, forwards and backwards, written out anew."""
    rows, columns = term.shape
    yield "identity", product(Identity(rows), term)
    yield "identity", product(term, Identity(columns))
    match term:
        case Product(Identity(), a):
            yield "identity", a
        case Product(a, Identity()):
            yield "identity", a
        case Identity("n"):
            yield "permutation", product(transpose(matrix("R")), matrix("R"))
            yield "permutation", product(matrix("P"), transpose(matrix("P")))
    match term:
        case Attention(a, b, c):
            root = Scalar(((a.shape[1], -1),))
            yield "definition", product(Softmax(scaled(root, product(a, transpose(b)))), c)
        case Product(Softmax(Scaled(by, Product(a, b))), c) if by == Scalar(((a.shape[1], -1),)):
            yield "definition", attend(a, transpose(b), c)
        case Transpose(Product(a, b)):
            yield "transpose", product(transpose(b), transpose(a))
        case Product(Matrix(is_permutation=True) as a, Transpose(b)) if a == b:
            yield "permutation", Identity("n")
        case Product(Transpose(a), Matrix(is_permutation=True) as b) if a == b:
            yield "permutation", Identity("n")
    match term:
        case Product(a, Product(b, c)):
            yield "associativity", product(product(a, b), c)
        case Product(Product(a, b), c):
            yield "associativity", product(a, product(b, c))
    match term:
        case Scaled(by, Product(a, b)):
            yield "scalar", product(scaled(by, a), b)
            yield "scalar", product(a, scaled(by, b))
        case Scaled(by, Transpose(a)):
            yield "scalar", transpose(scaled(by, a))
        case Product(Scaled(by, a), b):
            yield "scalar", product(a, scaled(by, b))
            yield "scalar", scaled(by, product(a, b))
        case Product(a, Scaled(by, b)):
            yield "scalar", scaled(by, product(a, b))
    orders = (matrix("P"), matrix("R"), Transpose(matrix("P")), Transpose(matrix("R")))
    match term:
        case Softmax(Product(a, b)) if b in orders:
            yield "softmax columns", product(Softmax(a), b)
        case Product(Softmax(a), b) if b in orders:
            yield "softmax columns", Softmax(product(a, b))
    match term:
        case Softmax(Product(a, b)) if a in orders:
            yield "softmax rows", product(a, Softmax(b))
        case Product(a, Softmax(b)) if a in orders:
            yield "softmax rows", Softmax(product(a, b))
    if isinstance(term, Product):
        yield "transpose", transpose(product(transpose(term.right), transpose(term.left)))


def places(term: Term):
    """Each term inside, with the function that puts another in its place."""
    yield term, lambda new: new
    for i, part in enumerate(term.parts):
        for inner, put in places(part):
            yield (
                inner,
                lambda new, i=i, put=put: rebuilt(term, [*term.parts[:i], put(new), *term.parts[i + 1 :]]),
            )


@st.composite
def next_lines(draw, term):
    found = [(rule, put(new)) for inner, put in places(term) for rule, new in rewritings(inner)]
    rules = sorted({rule for rule, new in found if new != term})
    rule = draw(st.sampled_from(rules))  # each rule as often as any other, though identity fits everywhere
    return rule, draw(st.sampled_from([new for name, new in found if name == rule and new != term]))


def gap(first: Term, second: Term, draws) -> float:
    """The largest difference, in parts of the largest entry."""
    if first.shape != second.shape:
        return np.inf
    pairs = [(evaluate(first, drawn), evaluate(second, drawn)) for drawn in draws]
    return max(np.abs(a - b).max() / np.abs(a).max() for a, b in pairs)


def readable(*lines):
    """Skip lines of I alone and lines over the caps: these are refused for reasons tested elsewhere."""
    for line in lines:
        try:
            parse(line, ALL_SHAPES)
        except NotationError:
            assume(False)


def theorem_from(start: Term, goal: Term) -> Theorem:
    return Theorem("", ALL_SHAPES.shapes, ALL_SHAPES.permutations, str(start), str(goal))


@given(terms())
def test_a_term_written_and_read_is_the_same(term):
    readable(str(term))
    again = parse(str(term), ALL_SHAPES)
    assert again == term
    assert again.shape == term.shape
    assert all(evaluate(again, drawn).shape == tuple(drawn[size] for size in term.shape) for drawn in DRAWN)


@given(st.data())
def test_chains_made_by_rules_are_accepted_and_true(data):
    chain = [("", data.draw(terms(depth=3)))]
    for _ in range(data.draw(st.integers(1, 4))):
        chain.append(data.draw(next_lines(chain[-1][1])))
    lines = [(str(term), rule) for rule, term in chain]
    readable(*(line for line, _ in lines))
    report = check(theorem_from(chain[0][1], chain[-1][1]), lines[1:])
    assert report.proved, report
    assert all(gap(before, after, SMALL) < 1e-8 for (_, before), (_, after) in pairwise(chain))


@given(st.data())
def test_of_two_rules_in_one_step_the_two_are_found_and_lead_there(data):
    start = data.draw(terms(depth=2))
    first, middle = data.draw(next_lines(start))
    second, after = data.draw(next_lines(middle))
    readable(*map(str, (start, middle, after)))
    step = check(theorem_from(start, after), [(str(after), first)]).steps[0]
    assume(step.verdict is Verdict.NOT_ONE_STEP and start != after)
    assume(max(len(list(places(term))) for term in (start, after)) <= 45)
    told = step.message
    if "leads from the line before to" in told:
        names = [name for name in RULES if repr(name) in told]
        line = told.split("the line before to ")[1].split(", and '")[0]
        second = told.split(", and '")[1].split("'")[0]
        first = told.removeprefix(NOT_ONE).split("'")[1]
        assert {first, second} == set(names)
        assert check(theorem_from(start, after), [(line, first), (str(after), second)]).proved, told
    else:
        no_search_needed = ("both brackets", "besides", "it takes")
        assert any(word in told for word in no_search_needed) or "permutation" in (first, second), told


@given(st.data())
def test_no_mutation_of_a_step_is_accepted_unless_it_is_true(data):
    before = data.draw(terms(depth=3))
    _, after = data.draw(next_lines(before))
    inner, put = data.draw(st.sampled_from(list(places(after))))
    rows, columns = inner.shape
    mutated = put(data.draw(terms(rows, columns, depth=1)))
    readable(str(before), str(mutated))
    for name in RULES:
        step = check(theorem_from(before, before), [(str(mutated), name)]).steps[0]
        if step.verdict in (Verdict.ACCEPTED, Verdict.ANOTHER_RULE):
            assert gap(before, mutated, SMALL) < 1e-8, step
        elif step.verdict is Verdict.NOT_ONE_STEP:
            assert gap(before, mutated, DRAWN) < 1e-8, step
        else:
            assert step.verdict is Verdict.FALSE
            assert gap(before, mutated, DRAWN) > 1e-10, step


MUTATIONS = [
    *(("P.T", "P"), ("P", "P.T"), ("P", "I"), ("K.T", "K"), ("Q", "K"), ("K", "V")),
    *(("softmax", ""), (" / sqrt(d_k)", ""), ("sqrt(d_k)", "d_k"), ("d_k", "L_k"), ("@ (", "@ softmax(")),
    *(("P @ ", ""), (" @ P", ""), (" @ I", ""), ("(P @ V)", "V"), ("(", ""), (")", "")),
    *(("Q @ K.T", "K @ Q.T"), ("K.T @ P.T", "P.T @ K.T"), ("P.T @ P", "P @ P"), ("P.T @ P", "P @ P.T")),
]


@pytest.mark.parametrize(("old", "new"), MUTATIONS)
def test_mutated_lines_of_right_proofs_are_accepted_only_where_true(old, new):
    mutants = refused = 0
    for theorem, proofs in ((INVARIANCE, INVARIANT), (EQUIVARIANCE, EQUIVARIANT)):
        drawn = example(theorem, seed=11)
        start = evaluate(parse(theorem.start, theorem), drawn)
        for steps in proofs.values():
            for i, (line, rule) in enumerate(steps):
                for mutant in {line.replace(old, new, 1), line.replace(old, new)} - {line}:
                    step = check(theorem, [*steps[:i], (mutant, rule)]).steps[i]
                    mutants += 1
                    refused += step.verdict is not Verdict.ACCEPTED
                    if step.verdict is not Verdict.UNREADABLE:
                        found = evaluate(parse(mutant, theorem), drawn)
                        true = found.shape == start.shape and np.allclose(found, start, atol=1e-10)
                        assert true == (step.verdict is not Verdict.FALSE), (mutant, step)
    assert mutants >= 3
    assert refused >= 0.9 * mutants
