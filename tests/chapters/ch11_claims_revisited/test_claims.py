"""The rule: what follows from cases."""

from itertools import product

import numpy as np
import pytest

from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair, judge, reading


@pytest.mark.parametrize("outcomes", list(product([True, False], repeat=3)))
def test_the_verdict_follows_from_how_many_cases_are_true(outcomes):
    expected = {0: "does not hold", 3: "holds"}.get(sum(outcomes), "holds when")
    one, two, three = outcomes
    assert judge([fair("a", one), reading("b", two), fair("c", [three])]) == expected


@pytest.mark.parametrize("outcome", [True, False])
def test_a_control_does_not_count(outcome):
    for counted, verdict in {True: "holds", False: "does not hold"}.items():
        assert judge([fair("a", counted), control("b", outcome)]) == verdict


def test_a_case_is_true_only_if_it_was_in_every_repetition():
    assert judge([fair("a", [True, True, True])]) == "holds"
    assert judge([fair("a", [True, False, True])]) == "does not hold"
    assert judge([fair("a", [True, False]), fair("b", np.bool_(True))]) == "holds when"


@pytest.mark.parametrize("cases", [[], [reading("a", True)], [control("a", True), reading("b", False)]])
def test_without_a_fair_case_there_is_no_verdict(cases):
    with pytest.raises(ValueError, match="no case is fair"):
        judge(cases)


def test_two_cases_with_one_condition_are_refused():
    with pytest.raises(ValueError, match="the same condition"):
        judge([fair("a", True), reading("a", False)])


@pytest.mark.parametrize("kind", [fair, reading, control])
@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ([], "no outcome"),
        (0.98, "has the outcome 0.98"),
        ("yes", "has the outcome 'yes'"),
        ([True, None], "expected true"),
    ],
)
def test_what_is_no_outcome_is_refused(kind, outcome, told):
    with pytest.raises(ValueError, match=told):
        kind("a", outcome)


def test_found_is_judged_by_its_cases():
    assert Found([fair("a", False), control("b", True)], {"x": 1.0}).verdict == "does not hold"
