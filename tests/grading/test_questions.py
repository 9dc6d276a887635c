"""The decision on a question: right answers in any form get all points, wrong ones the message that helps."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import answers
from course_lib.answers import forbidden_calls
from course_lib.functional import softmax
from course_lib.grading.questions import (
    Misconception,
    Part,
    Question,
    decide,
    difference,
)


def matrices(rng):
    return [[rng.standard_normal((3, 5))] for _ in range(3)]


def batches(rng):
    return [[rng.standard_normal((2, 3, 5))]]


def large(rng):
    return [[1000 * rng.standard_normal((2, 4))]]


def textbook(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


SOFTMAX = Question(
    "q1",
    "softmax",
    softmax,
    [Part("one sentence", 2, matrices), Part("several at once", 1, batches), Part("large scores", 1, large)],
    [
        Misconception("Large scores overflow.", textbook),  # first, since all of them overflow
        Misconception("Your weights sum to 1 over queries.", lambda x: textbook(x, axis=0)),
        Misconception("You normalise the whole matrix.", lambda x: textbook(x, axis=None)),
    ],
    forbidden=["scipy.special.softmax", "course_lib.functional.softmax"],
)


def verdict(function, question=SOFTMAX, seed=0, source=""):
    student = partial(answers.respond, {question.ask: function})
    with np.errstate(all="ignore"):
        return decide(question, student, np.random.default_rng(seed), source)


@pytest.mark.parametrize(
    "right",
    [
        softmax,
        lambda x: np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True)),
        lambda x: softmax(x.astype(np.float32)),
        lambda x: torch.softmax(torch.from_numpy(x), dim=-1),
        lambda x: softmax(x).tolist(),
    ],
    ids=["reference", "by logarithms", "float32", "tensor", "list"],
)
def test_right_answers_of_any_kind_get_all_points(right):
    assert verdict(right).points == 4
    assert verdict(right).messages == []


@pytest.mark.parametrize(
    ("wrong", "points", "message"),
    [
        (partial(textbook, axis=-1), 3, "Large scores overflow."),
        (partial(textbook, axis=0), 0, "Your weights sum to 1 over queries."),
        (partial(textbook, axis=None), 0, "You normalise the whole matrix."),
        (
            lambda x: softmax(x) if x.ndim == 2 else softmax(x).T,
            3,
            "Your result has shape (5, 3, 2); expected",
        ),
        (lambda x: softmax(x)[0], 0, "Your result has shape (5,); expected is (3, 5)."),
        (lambda x: None, 0, "Your function returns None: is its `return` missing?"),
        (
            lambda x: print,
            0,
            "Your result is of type builtin_function_or_method; expected is an array of shape",
        ),
        (lambda x: x.nothing(), 0, "Your code stops with AttributeError"),
        (lambda x: softmax(x) * 1.001, 0, "is right, but the largest difference is"),
    ],
)
def test_a_wrong_answer_gets_what_it_earns_and_a_message_that_helps(wrong, points, message):
    found = verdict(wrong)
    assert found.points == points
    assert message in found.messages[0]


def test_inputs_changed_in_place_cost_the_points_unless_that_is_allowed():
    def in_place(x):
        x -= x.max(axis=-1, keepdims=True)
        return softmax(x)

    assert verdict(in_place).points == 0
    assert verdict(in_place).messages == [
        "The values are right, but your function changes its inputs in place: work on a copy."
    ]
    allowed = Question("q1", "softmax", softmax, SOFTMAX.parts, may_change_inputs=True)
    assert verdict(in_place, allowed).points == 4


@pytest.mark.parametrize(
    "response",
    [
        "",
        "null",
        "[]",
        "[1]",
        '[{"value": 1}]',
        '[{"error": 1}]',
        "[" * 100_000,
        '[{"value": {}, "changed": []}]',
        "1" * 9999,
    ],
)
def test_a_forged_response_earns_nothing_and_breaks_nothing(response):
    found = decide(SOFTMAX, lambda request: response, np.random.default_rng(0))
    assert found.points == 0
    assert found.messages[0].startswith("The answer could not be read: ")


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists))
def test_no_value_makes_the_comparison_fail(value):
    for expected in (np.eye(2), 1.5, True, "cat", [np.eye(2), "cat"], {"a": 1.0}):
        difference(value, expected, 1e-5)
        assert difference(answers.from_plain(answers.to_plain(expected)), expected, 0.0) == ""


@pytest.mark.parametrize(
    ("value", "expected", "same"),
    [
        (np.array([-np.inf, 1.0]), np.array([-np.inf, 1.0]), True),
        (np.array([-1e9, 1.0]), np.array([-np.inf, 1.0]), False),
        (np.array([np.nan, 1.0]), np.array([0.0, 1.0]), False),
        (np.array([1.0 + 1e-6]), np.array([1.0]), True),
        (np.array([1.0 + 1e-4]), np.array([1.0]), False),
        (np.array([1e-9]), np.array([0.0]), False),
        (np.array([1, 0]), np.array([True, False]), False),
        (np.array([True]), np.array([1.0]), True),
        (3, np.array(3.0), True),
    ],
)
def test_close_is_close_and_infinite_is_infinite(value, expected, same):
    assert (difference(value, expected, 2e-5) == "") == same


def test_a_question_with_many_right_answers_says_what_is_wrong_with_an_answer():
    def accepts(answer, total):
        return "" if sum(answer) == total else f"Your numbers sum to {sum(answer)}, not to {total}."

    some = Part("sums", 1, lambda rng: [[int(n)] for n in rng.integers(5, 50, size=3)])
    question = Question("q2", "split", None, [some], accepts=accepts)
    assert verdict(lambda n: [n - 2, 2], question).points == 1
    assert "not to" in verdict(lambda n: [n, 2], question).messages[0]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from scipy.special import softmax\n", []),
        ("from scipy.special import softmax\nsoftmax(x)", ["scipy.special.softmax"]),
        ("import scipy.special as sp\nsp.softmax(x)", ["scipy.special.softmax"]),
        ("from course_lib import functional\nf = functional.softmax", ["course_lib.functional.softmax"]),
        ("def softmax(x):\n    return x", []),
        ("this is no Python", []),
    ],
)
def test_a_forbidden_call_is_seen_under_any_name(source, found):
    assert forbidden_calls(source, SOFTMAX.forbidden) == found
    assert verdict(softmax, source=source).points == (0 if found else 4)


def test_a_forbidden_call_that_hides_from_the_code_is_blocked_when_it_runs():
    import course_lib.functional as hidden

    found = verdict(lambda x: getattr(hidden, "soft" + "max")(x))
    assert found.points == 0
    assert found.messages == [
        "course_lib.functional.softmax is called, which this question asks you to write yourself."
    ]
