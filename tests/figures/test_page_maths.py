"""The formulas that figures compute in the page are those of course_lib.functional."""

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, given, settings
from py_mini_racer import MiniRacer

from course_lib.figures.page import BUNDLE, call
from tests.support.page_maths import EXPECTED, Call, difference

TOLERANCE = 1e-9
CASES = 50  # in one V8: to start it takes longer than to compute
ALL_CASES = "given => JSON.stringify(given.map(([name, args]) => courseFigures.maths[name](...args)))"

numbers = st.floats(-100, 100, width=32)
lengths = st.integers(1, 6)


def matrices(rows: int, columns: int, entries: Any = numbers) -> Any:
    return st.lists(vectors(columns, entries), min_size=rows, max_size=rows)


def vectors(size: int, entries: Any = numbers) -> Any:
    return st.lists(entries, min_size=size, max_size=size)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A function with arguments that fit; masks may allow nothing at all."""
    n, m, d, e = (draw(lengths) for _ in range(4))
    function = draw(st.sampled_from(list(EXPECTED)))
    masked = draw(st.booleans())
    shapes: dict[str, list[Any]] = {
        "dot": [vectors(d), vectors(d)],
        "project": [vectors(d), matrices(d, e)],
        "product": [matrices(n, d), matrices(d, e)],
        "mix": [vectors(m), matrices(m, e)],
        "softmax": [vectors(m), *([vectors(m, st.booleans())] if masked else [])],
        "attention": [
            *(matrices(n, d), matrices(m, d), matrices(m, e)),
            *([matrices(n, m, st.booleans())] if masked else []),
        ],
        "causalMask": [st.just(n), st.just(n + m - 1)],
        "rotate": [matrices(n, 2 * d), st.integers(-1000, 10_000)],
        "sinusoids": [st.just(n), st.just(2 * d), st.integers(-1000, 10_000), st.floats(2, 1e5)],
    }
    return function, [draw(argument) for argument in shapes[function]]


def in_v8(given: list[Call]) -> list[Any]:
    with MiniRacer() as engine:
        engine.eval(BUNDLE.read_text(encoding="utf-8"))
        engine.eval(f"var allCases = {ALL_CASES}")
        return list(json.loads(str(engine.call("allCases", given))))


# Not shrunk: the case that fails is named, and every attempt would start a V8.
@settings(max_examples=20, phases=[Phase.generate])
@given(st.lists(calls(), min_size=CASES, max_size=CASES))
def test_the_page_computes_what_python_computes(cases):
    for (function, arguments), found in zip(cases, in_v8(cases), strict=True):
        assert difference(function, arguments, found) < TOLERANCE, (function, arguments, found)


EDGES: list[Call] = [
    ("softmax", [[1.0, 2.0], [False, False]]),
    ("softmax", [[1000.0, -1000.0, 999.0]]),
    ("softmax", [[1e4, 0.0], [False, True]]),  # the largest is not allowed, and its exponential overflows
    ("attention", [[[1.0], [2.0]], [[1.0], [3.0]], [[5.0], [7.0]], [[False, False], [True, False]]]),
    ("causalMask", [2, 5]),
    ("causalMask", [1, 1]),
    ("sinusoids", [3, 2, 1_000_000]),
    ("sinusoids", [3, 8]),
    ("rotate", [[[1.0, 0.0]] * 3, 1_000_000]),
    ("rotate", [[[1.0, 2.0, 3.0, 4.0]]]),
]


@pytest.mark.parametrize(("function", "arguments"), EDGES)
def test_where_a_formula_is_easily_wrong_it_agrees_too(function, arguments):
    assert difference(function, arguments, call(f"maths.{function}", *arguments)) < TOLERANCE


def test_no_function_of_the_page_goes_untested():
    with MiniRacer() as engine:
        engine.eval(BUNDLE.read_text(encoding="utf-8"))
        names = json.loads(str(engine.eval("JSON.stringify(Object.keys(courseFigures.maths))")))
    assert sorted(names) == sorted(EXPECTED)
