"""The hints of visible tests: kind, precise, and silent about nothing that is wrong."""

import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from course_lib.exercises.hints import (
    Hint,
    check,
    compare,
    difference,
    matches_misconception,
    require,
    settled,
)
from course_lib.functional import softmax

X = np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0]])
MISTAKES = {
    "Your columns sum to 1: sum over the last axis.": lambda x: softmax(x.T).T,
    "You forgot to divide by the sum.": np.exp(X),
    "This mistake is not possible here.": lambda x: x @ x,
}


def test_what_is_right_is_said_to_be_right(capsys):
    check(softmax, [X], softmax(X))
    assert capsys.readouterr().out == "✓ softmax returns what it should: an array of shape (2, 3)\n"


@pytest.mark.parametrize(
    "right",
    [
        lambda x: softmax(x).tolist(),
        lambda x: torch.softmax(torch.as_tensor(x), -1),
        lambda x: softmax(x.astype("f")),
    ],
    ids=["list", "tensor", "float32"],
)
def test_the_kind_of_the_result_does_not_matter(right):
    check(right, [X], softmax(X), MISTAKES)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x: softmax(x.T).T, "Your columns sum to 1: sum over the last axis."),
        (np.exp, "You forgot to divide by the sum."),
        (
            lambda x: x / 0 * np.ones(3) @ np.ones(4),
            r"the function\(x = \[\[1., 2., 4.\], \[0., 0., 0.\]\]\) stops with ValueError in the line",
        ),
        (lambda x: None, "returns None, as one without `return` does"),
        (lambda x: x[0], r"Your result has shape \(3,\); expected is \(2, 3\)"),
        (lambda x: softmax(x) + 0.01, "the largest error is 0.01"),
        (lambda x: "cat", "Your result is 'cat'; expected is an array of shape"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_a_mistake_is_named(wrong, message):
    with pytest.raises(Hint, match=message):
        check(wrong, [X], softmax(X), MISTAKES)


@pytest.mark.parametrize(
    ("value", "expected", "told"),
    [
        (
            None,
            [1, "a"],
            "Your function returns None, as one without `return` does; expected is a list of 2.",
        ),
        (None, 7, "Your function returns None, as one without `return` does; expected is a number."),
        (None, "cat", "Your function returns None, as one without `return` does; expected is a text."),
        ([None, "a"], [1, "a"], "Result 1 of 2: it is None; expected is a number."),
        ({"n": None}, {"n": True}, "'n': it is None; expected is True or False."),
        (3, "cat", "Your result is the number 3; expected is a text."),
        ("dog", "cat", "Your result is 'dog', which is not right."),
        ("a", {"n": 1}, "Your result is 'a', which is not right."),
        (None, {"n": 1}, "Your function returns None, as one without `return` does."),
        (4, 7, "Your result is 4, which is not right."),
        ({4}, "cat", "Your result is of type set; expected is a text."),
        (print, 9025, "Your result is of type builtin_function_or_method; expected is a number."),
        ({"m": 1}, {"n": 1}, "Your result has the keys ['m'], and these are not all right."),
        (
            [0.0, 0.0],
            [0.0, 42.0],
            "The shape (2,) is right, but the largest error is at (1,), where you have 0.",
        ),
    ],
)
def test_none_is_called_none_and_what_is_not_to_be_told_is_not(value, expected, told):
    assert compare(settled(value), settled(expected), 1e-5, tell=False) == told


def test_changing_the_inputs_is_told_and_does_no_harm():
    def in_place(x):
        x -= x.max(axis=-1, keepdims=True)
        return softmax(x)

    before = X.copy()
    with pytest.raises(Hint, match="changes its inputs in place"):
        check(in_place, [X], softmax(X))
    assert np.array_equal(X, before)


def test_a_notebook_shows_the_message_alone():
    shell = InteractiveShell(user_ns={"require": require})  # no `instance`: later tests would be in a notebook, too
    result = shell.run_cell("require(False, 'The rows do not sum to 1.')", silent=True)
    assert isinstance(result.error_in_exec, Hint)
    assert result.error_in_exec._render_traceback_() == ["Not yet: The rows do not sum to 1."]


def test_a_notebook_prints_no_traceback(capsys):
    shell = InteractiveShell(user_ns={"require": require})  # no `instance`: later tests would be in a notebook, too
    shell.run_cell("require(False, 'The rows do not sum to 1.')")
    printed = capsys.readouterr().out
    assert "Not yet: The rows do not sum to 1." in printed
    assert "Traceback" not in printed


def test_an_array_where_none_or_a_word_is_expected_is_told():
    assert difference(np.zeros(2), None, 1e-5) == "Your result is an array of shape (2,); expected is None."
    assert difference(np.zeros(2), "cat", 1e-5) == "Your result is an array of shape (2,); expected is 'cat'."


def test_a_mistake_that_gives_nan_explains_no_number():
    assert not matches_misconception(lambda x: x * np.nan, [np.ones(2)], np.zeros(2), 1e-5)
    assert matches_misconception(lambda x: x * np.nan, [np.ones(2)], np.full(2, np.nan), 1e-5)


def test_functions_are_told_by_their_names_and_hints_go_through():
    def by_hand():
        require(False, "Begin with the scores.")

    with pytest.raises(Hint, match=r"^Begin with the scores\.$"):
        check(by_hand, [], 1)
    with pytest.raises(Hint, match=r"\(function = by_hand\)"):
        check(lambda function: 2, [by_hand], 1)


def test_a_forbidden_call_is_told():
    with pytest.raises(
        Hint,
        match=r"^numpy\.convolve is called in line \d+, `.*`: this question asks you to do without it\.$",
    ):
        check(lambda x: np.convolve(x, [1.0]), [np.ones(3)], np.ones(3), forbidden=["numpy.convolve"])
    check(lambda x: np.convolve(x, [1.0]), [np.ones(3)], np.ones(3))


def test_too_few_and_too_many_results_are_told_as_what_they_are():
    def told(value, expected):
        return difference(value, expected, 1e-6)

    assert told((1, "two", 3), (1.0, "two")) == "Your result has 3 entries; expected are 2."
    assert told(["one"], []) == "Your result has 1 entry; expected is none."
    alone = told(np.zeros((3, 4)), (np.zeros((3, 4)), np.zeros((3, 3))))
    assert alone == "Your result is an array of shape (3, 4); expected are 2 in a list or a tuple."
