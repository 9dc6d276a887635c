"""The decision on a question: right answers in any form get all points, wrong ones the message that helps."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_grading.questions import (
    Misconception,
    Part,
    Question,
    decide,
    draw,
)
from course_lib import functional
from course_lib.exercises import kernel_protocol as answers
from course_lib.exercises.hints import difference
from course_lib.functional import softmax


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
)
OF_ONES_OWN = replace(SOFTMAX, forbidden=["scipy.special.softmax", "course_lib.functional.attention.softmax"])


def verdict(function, question=SOFTMAX, key=b"any"):
    student = partial(answers.respond, {question.entry_point: function})
    with np.errstate(all="ignore"):
        return decide(question, student, key)


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
        (
            lambda x: softmax(x)[0],
            0,
            "You return the first entry along axis 0 alone. Inputs: x of shape (3, 5).",
        ),
        (lambda x: None, 0, "Your function returns None, as one without `return` does; expected is an array"),
        (
            lambda x: print,
            0,
            "Your result is of type builtin_function_or_method; expected is an array of shape",
        ),
        (lambda x: x.nothing(), 0, "Your code stops with AttributeError"),
        (lambda x: softmax(x) + 0.001 * x, 0, "is right, but the largest error is"),
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
    for message in verdict(in_place).messages:
        assert message.startswith(
            "The values are right, but your function changes its inputs in place: work on a copy."
        )
    allowed = Question("q1", "softmax", softmax, SOFTMAX.parts, may_change_inputs=True)
    assert verdict(in_place, allowed).points == 4


def test_a_mistake_that_would_show_in_a_part_that_is_right_is_not_named():
    parts = [Part("small", 1, lambda rng: [[1], [2]]), Part("large", 1, lambda rng: [[50]])]
    always_zero = Misconception("You return 0.", lambda n: 0)
    zero_if_large = Misconception("For large n you return 0.", lambda n: 0 if n > 9 else n)

    def about_large_numbers_alone(n):
        if n < 10:
            raise ValueError("a small number")
        return 0

    says_nothing_of_others = Misconception("Large numbers become 0.", about_large_numbers_alone)

    def told(*misconceptions):
        question = Question("q1", "f", lambda n: n, parts, list(misconceptions))
        return verdict(lambda n: n if n < 10 else 0, question).messages

    assert told(always_zero) == ["Your result is 0, which is not right. Inputs: n = 50."]
    assert told(always_zero, zero_if_large) == ["For large n you return 0."]
    assert told(always_zero, says_nothing_of_others) == ["Large numbers become 0."]
    assert told(replace(always_zero, sometimes="You return 0 for some n.")) == ["You return 0 for some n."]


def test_results_that_are_not_the_student_s_own_are_told_by_name():
    part = Part("a number", 1, lambda rng: [[1]], results=("The squares", "The number of calls"))
    found = verdict(lambda n: [[1, 1], 3], Question("q1", "f", lambda n: [np.ones(2), 1], [part]))
    assert found.messages == ["The number of calls: your result is 3, which is not right. Inputs: n = 1."]


def test_where_some_values_are_wrong_they_are_not_said_to_be_right():
    def once_in_place_then_wrong(x):
        if x[0, 0] == 1:
            x -= 1
            return softmax(x)
        return softmax(x) + np.array([[0, 0.1], [0.3, 0]])

    cases = Part("two", 1, lambda rng: [(np.eye(3),), (np.zeros((2, 2)),)])
    [told] = verdict(once_in_place_then_wrong, Question("q1", "softmax", softmax, [cases])).messages
    assert "The values are right" not in told
    assert "the largest error is" in told


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
    found = decide(SOFTMAX, lambda request: response, b"any")
    assert found.points == 0
    assert found.messages[0].startswith("The answer could not be read: ")


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists))
def test_no_value_makes_the_comparison_fail(value):
    for expected in (np.eye(2), 1.5, True, "cat", [np.eye(2), "cat"], {"a": 1.0}):
        difference(value, expected, 1e-5)
        assert difference(answers.decode(answers.encode(expected)), expected, 0.0) == ""


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


def test_half_precision_may_cost_what_half_precision_costs():
    assert verdict(lambda x: softmax(x).astype(np.float16)).points == 4
    assert verdict(lambda x: (1.05 * softmax(x)).astype(np.float16)).points == 0


def test_a_part_may_have_a_tolerance_of_its_own():
    rough = [Part("rough", 1, matrices, tolerance=1e-2), Part("fine", 1, matrices)]
    assert verdict(lambda x: softmax(x) * 1.001, Question("q1", "softmax", softmax, rough)).points == 1


class TestMisconceptions:
    """A misconception is told if it explains all cases of a part, right ones included."""

    def question(self, sometimes=""):
        def cases(rng):
            return [[-2], [3], [4]]

        not_squared = Misconception("You always return n itself.", lambda n: n, sometimes)
        return Question("q1", "square", lambda n: n * n, [Part("all", 1, cases)], [not_squared])

    def test_that_explains_all_is_told(self):
        assert verdict(lambda n: n, self.question()).messages == ["You always return n itself."]

    def test_that_does_not_explain_what_is_right_is_not_told(self):
        def sometimes(n):
            return n if n > 3 else n * n

        assert verdict(sometimes, self.question()).messages == [
            "Your result is 4, which is not right. Inputs: n = 4."
        ]
        assert verdict(sometimes, self.question("You return n itself for some n.")).messages == [
            "You return n itself for some n."
        ]

    def test_that_explains_values_is_told_with_the_error_beside_them(self):
        def stops(n):
            return n if n > 0 else n.nothing

        (message,) = verdict(stops, self.question()).messages
        assert message.startswith("You always return n itself. Besides: Your code stops with AttributeError")

    def test_that_changes_nothing_does_not_explain_a_change_in_place(self):
        def in_place(x):
            x *= 1
            x[0] = 7
            return np.zeros(3)

        nothing = Misconception("All zeros.", lambda x: np.zeros(3))
        some = Part("all", 1, lambda rng: [[np.ones(3)]])
        question = Question("q1", "zeros", lambda x: np.zeros(3), [some], [nothing])
        assert verdict(in_place, question).messages[0].startswith("The values are right, but")


def test_the_inputs_are_told_and_not_what_is_expected():
    (message,) = verdict(lambda n: n * n + 7 * (n // 5), SQUARE).messages
    assert message == "Your result is 32, which is not right. Inputs: n = 5."
    described = Question("q1", "square", SQUARE.reference, SQUARE.parts, describe=lambda n: f"the number {n}")
    assert verdict(lambda n: n * n + 7 * (n // 5), described).messages[0].endswith("Inputs: the number 5.")


SQUARE = Question("q1", "square", lambda n: n * n, [Part("all", 1, lambda rng: [[1], [5], [6]])])


def test_who_looks_into_it_finds_each_failed_case_and_its_inputs():
    found = verdict(lambda n: n * n + 7 * (n // 5), SQUARE)
    assert [(failure.case, failure.got) for failure in found.parts[0].failed] == [(1, 32), (2, 43)]
    assert draw(SQUARE, SQUARE.parts[0], b"any")[found.parts[0].failed[0].case] == [5]


def test_the_same_key_gives_the_same_inputs_whatever_other_parts_there_are():
    more = Question("q1", "softmax", softmax, [Part("new", 1, large), *SOFTMAX.parts])
    for part in SOFTMAX.parts:
        first, again, other = (
            draw(q, part, key) for q, key in ((SOFTMAX, b"a"), (more, b"a"), (SOFTMAX, b"b"))
        )
        np.testing.assert_equal(first, again)
        assert not np.array_equal(first[0][0], other[0][0])


def test_a_check_that_fails_at_an_answer_costs_nobody_else_and_calls_a_person():
    def accepts(answer, n):
        return "" if answer[0] == n else "No."

    parts = [Part("one", 1, lambda rng: [[1]]), Part("two", 1, lambda rng: [[2]])]
    found = verdict(lambda n: [n] if n == 1 else [], Question("q7", "f", None, parts, accepts=accepts))
    assert found.points == 1
    assert found.parts[1].doubt == "q7, two: IndexError: list index out of range"
    assert "your instructor decides" in found.messages[0]


def fails(*_):
    raise IndexError("out of range")


@pytest.mark.parametrize(
    "where",
    [
        {"parts": [Part("one", 1, lambda rng: [[1]]), Part("two", 1, fails)]},
        {"misconceptions": [Misconception(None, lambda n: n if n == 1 else 3)]},  # a message that is none
        {"describe": fails},
        {"reference": lambda n: n if n == 1 else fails()},
    ],
    ids=lambda where: next(iter(where)),
)
def test_a_check_that_is_broken_anywhere_costs_one_part_and_calls_a_person(where):
    question = Question(
        "q7", "f", lambda n: n, [Part("one", 1, lambda rng: [[1]]), Part("two", 1, lambda rng: [[2]])]
    )
    found = verdict(lambda n: n if n == 1 else 3, replace(question, **where))
    assert found.points == 1
    assert found.parts[1].doubt.startswith("q7, two: ")
    assert "your instructor decides" in found.messages[0]


def test_a_huge_answer_is_refused_before_it_is_looked_at():
    (message, *_) = verdict(lambda x: [[0.0] * 300] * 300).messages
    assert message.startswith("Your result holds more than 20,000 values; expected are 15.")


@pytest.mark.parametrize(
    "words", ["\ud800", "\x1b[31m", "a\n✓ all: 4 of 4 points", "\u202e", "x" * 5000, "\0"]
)
def test_what_a_student_wrote_is_one_line_that_can_be_printed(words):
    def fails(x):
        raise ValueError(words)

    for message in verdict(fails).messages:
        assert message.isprintable()
        assert len(message) <= 1000
        assert message.encode()


@pytest.mark.parametrize(
    "called",
    [
        lambda x: functional.softmax(x),
        lambda x: getattr(functional, "soft" + "max")(x),
        lambda x, captured=softmax: captured(x),
        lambda x: functional.attention(x, x, x),
    ],
    ids=["by name", "by getattr", "captured", "through another"],
)
def test_a_forbidden_call_is_seen_when_it_runs(called):
    found = verdict(called, OF_ONES_OWN)
    assert found.points == 0
    (message,) = found.messages
    assert message.startswith("course_lib.functional.attention.softmax is called in line ")
    assert message.endswith(": this question asks you to do without it.")


def test_a_name_a_method_and_a_check_that_does_not_run_cost_nothing():
    class Own:
        def softmax(self, x):
            return textbook(x - x.max(axis=-1, keepdims=True))

    def never_called(x):
        return np.allclose(functional.softmax(x), Own().softmax(x))

    assert verdict(Own().softmax, OF_ONES_OWN).points == 4
