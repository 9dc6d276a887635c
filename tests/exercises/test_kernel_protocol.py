"""Answers of a student's kernel: every plain value there and back, and nothing else comes in."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from course_lib.exercises.kernel_protocol import DEEPEST, DTYPES, Other, decode, encode, respond, tell_error

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
arrays = st.sampled_from(DTYPES).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, min_side=0))
)
values = st.recursive(
    scalars | arrays, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
jsons = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["array", "dtype", "shape", "of", "items", "other"]), inner)
    ),
)


def ask(namespace, function, *cases, forbidden=()):
    request = {
        "entry_point": function,
        "cases": [[encode(a) for a in case] for case in cases],
        "forbidden": forbidden,
    }
    return json.loads(respond(namespace, json.dumps(request)))


@given(values)
def test_there_and_back(value):
    text = json.dumps(encode(value))
    back = decode(json.loads(text))
    assert json.dumps(encode(back)) == text  # in which a NaN equals itself
    np.testing.assert_equal(back, value)


@given(arrays)
def test_a_tensor_comes_back_as_a_tensor(array):
    tensor = torch.from_numpy(array.copy())
    back = decode(json.loads(json.dumps(encode(tensor.requires_grad_(tensor.is_floating_point())))))
    assert back.dtype == tensor.dtype
    assert back.shape == tensor.shape
    assert torch.equal(back.nan_to_num(), tensor.detach().nan_to_num())


@given(jsons)
def test_whatever_else_is_refused(plain):
    try:
        back = decode(plain)
    except ValueError:
        return
    assert isinstance(back, (bool, int, float, str, list, dict, np.ndarray, Other, type(None)))


def nested(depth):
    plain = []
    for _ in range(depth):
        plain = [plain]
    return plain


GOOD = {"array": "AAAAAAAA8D8=", "dtype": "float64", "shape": [1], "of": "numpy"}


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        (GOOD | {"dtype": "object"}, "an array of type 'object'"),
        (GOOD | {"shape": [2]}, "of 8 bytes, expected 16"),
        (GOOD | {"shape": [-1]}, "not made of lengths"),
        (GOOD | {"shape": [True]}, "not made of lengths"),
        (GOOD | {"shape": [10**9]}, "not made of lengths"),
        (GOOD | {"array": "AAAA*AAA8D8="}, "not in base64"),
        (GOOD | {"more": 1}, "no known kind"),
        ({"items": [["a"]]}, "no pair"),
        (nested(DEEPEST + 1), "lists more than 12 deep"),
    ],
)
def test_a_forged_value_is_refused_with_the_reason(plain, message):
    decode(GOOD)
    with pytest.raises(ValueError, match=message):
        decode(plain)


class TestRespond:
    def test_each_case_has_its_answer_or_its_error(self):
        answers = ask({"invert": lambda x: 1 / x}, "invert", [2], [0], [np.array([4.0])])
        assert answers[0] == {"value": 0.5, "changed": []}
        assert answers[1]["error"].startswith("Your code stops with ZeroDivisionError in the line `")
        assert answers[1]["error"].endswith("`: division by zero")
        assert decode(answers[2]["value"]) == 0.25

    def test_an_input_changed_in_place_is_told_and_the_next_case_has_its_own(self):
        def double(x, y):
            x *= 2
            return x

        shared = np.ones(2)
        answers = ask({"double": double}, "double", [shared, 1.0], [shared, float("nan")])
        assert [answer["changed"] for answer in answers] == [[0], [0]]
        assert decode(answers[1]["value"]).tolist() == [2.0, 2.0]

    def test_a_question_may_define_how_it_asks_and_leaves_nothing_behind(self):
        source = "def entry_point(n):\n    return make(n) + 1\n"
        namespace = {"make": lambda n: 10 * n}
        assert ask(namespace, source, [2]) == [{"value": 21, "changed": []}]
        assert set(namespace) <= {"make", "__builtins__"}

    def test_a_missing_function_is_an_error_of_the_student(self):
        assert ask({}, "softmax", [1]) == [
            {
                "error": "There is no function called softmax when this question is decided: write it in the "
                "question's own cell, above the cell of its points."
            }
        ]

    def test_the_line_that_fails_is_told(self):
        source = "def f(x):\n    y = x + 1\n    return y['a']\n"
        namespace = {}
        exec(compile(source, "answer.py", "exec"), namespace)
        import linecache

        linecache.cache["answer.py"] = (len(source), None, source.splitlines(keepends=True), "answer.py")
        assert "in the line `return y['a']`: " in ask(namespace, "f", [1])[0]["error"]

    def test_exit_is_an_error_and_an_interrupt_is_not_swallowed(self):
        def leave(x):
            raise SystemExit if x else KeyboardInterrupt

        assert "stops with SystemExit" in ask({"leave": leave}, "leave", [1])[0]["error"]
        with pytest.raises(KeyboardInterrupt):
            ask({"leave": leave}, "leave", [0])

    def test_an_exception_without_words_is_told_by_its_name(self):
        class Mute(Exception):
            def __str__(self):
                raise IndexError

        assert tell_error(Mute()) == "Your code stops with Mute."

    @pytest.mark.parametrize("name", ["torch.softmax", "torch.nn.functional.softmax", "torch.Tensor.softmax"])
    def test_what_is_forbidden_is_told_with_the_line_that_calls_it(self, name):
        def softmax(x):
            if name == "torch.Tensor.softmax":
                return x.softmax(-1)
            return (torch if name == "torch.softmax" else torch.nn.functional).softmax(x, -1)

        x = torch.zeros(2)
        (answer,) = ask({"softmax": softmax}, "softmax", [x], forbidden=[name, "torch.no.such.thing"])
        assert answer["forbidden"].startswith(f"{name} is called in line ")
        assert softmax(x).tolist() == [0.5, 0.5]

    def test_an_answer_without_end_is_cut_off(self, monkeypatch):
        monkeypatch.setattr("course_lib.exercises.kernel_protocol.LARGEST", 1000)
        answers = ask({"f": lambda n: "x" * n}, "f", [2], [2000])
        assert answers == [{"error": "Your answer is far too large."}] * 2


@pytest.mark.parametrize(
    ("value", "same"),
    [
        (np.int8([1, -2]), [1, -2]),
        (np.uint16([1, 2]), [1, 2]),
        (np.uint64([1, 2]), [1, 2]),
        (np.longdouble([0.5, 2]), [0.5, 2]),
        (np.array([1 + 0j, 2]), [1, 2]),
        (np.array([1, 2.5], dtype=object), [1, 2.5]),
        (Fraction(1, 4), 0.25),
        (Decimal("0.5"), 0.5),
        (torch.tensor([1, 2], dtype=torch.int16), [1, 2]),
        (torch.tensor([0.5, 2], dtype=torch.bfloat16), [0.5, 2]),
        (torch.nn.Parameter(torch.ones(2)), [1, 1]),
        (range(3), [0, 1, 2]),
        (np.longdouble("1e4000"), np.inf),
    ],
)
def test_numbers_of_any_type_are_numbers(value, same):
    np.testing.assert_equal(np.asarray(decode(encode(value))), np.asarray(same))


@pytest.mark.parametrize("value", [np.array([1j]), np.array(["cat"]), np.array([None]), {1, 2}, print])
def test_what_is_no_number_is_told_by_its_type(value):
    assert isinstance(decode(encode(value)), Other)
