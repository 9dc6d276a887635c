"""Remarks on wrong results: each is true of what it is made on, and none is made on what is wrong in another way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from course_grading.diagnosis import diagnose, kept

RIGHT = np.array([[0.5, 1.25, -2.0], [3.0, 5.5, 8.25], [0.75, -1.5, 4.0]])


@pytest.mark.parametrize(
    ("got", "remark"),
    [
        (-RIGHT, "Your result has the wrong sign."),
        (RIGHT.T, "Your result is transposed: its last two axes are exchanged."),
        (RIGHT[::-1], "Your result is back to front along axis 0."),
        (RIGHT[:, :-1], "The last entry along axis 1 is missing."),
        (RIGHT[0], "You return the first entry along axis 0 alone."),
        (RIGHT[:1] + 0 * RIGHT, "Your result has the first entry along axis 0 in the place of all."),
        (np.trunc(RIGHT), "Your result is cut off to whole numbers."),
        (2 * RIGHT, "Your result is the right one times a number that is the same in all entries."),
        (RIGHT + 2, "Your result is the right one plus a number that is the same in all entries."),
        (RIGHT.ravel(), "Your result holds the right numbers in the wrong shape."),
        (RIGHT[:, [1, 0, 2]][[0, 2, 1]], "Your result holds the right numbers at the wrong places."),
        (np.vstack([RIGHT[:1], RIGHT[1:] ** 2]), "Only the first entry along axis 0 is right."),
        (0 * RIGHT, "Your result is 0 everywhere."),
        (RIGHT**2, ""),
        (np.full((3, 3), np.nan), ""),
    ],
)
def test_a_remark_says_what_is_wrong(got, remark):
    assert diagnose([(got, RIGHT)], 1e-5) == remark


def test_a_factor_is_told_rather_than_a_row_that_no_factor_changes():
    right = np.vstack([RIGHT, np.zeros(3)])
    assert "times a number" in diagnose([(3 * right, right)], 1e-5)


def test_a_row_is_right_within_the_tolerance_of_the_whole():
    right = np.vstack([[1e-6, 2e-6, -1e-6], RIGHT])
    got = np.vstack([right[:1] + 1e-6, RIGHT**2])
    assert diagnose([(got, right)], 1e-5) == "Only the first entry along axis 0 is right."
    assert diagnose([(got, right)], 1e-8) == ""


def test_a_remark_is_true_of_all_results():
    assert diagnose([(-RIGHT, RIGHT), (RIGHT.T, RIGHT)], 1e-5) == ""
    stacked = np.stack([RIGHT, 2 * RIGHT])
    remark = diagnose([(RIGHT[::-1], RIGHT), (stacked[:, ::-1], stacked)], 1e-5)
    assert remark == "Your result is back to front along axis −2."


def test_one_of_several_results():
    assert (
        diagnose([([RIGHT, -RIGHT], [RIGHT, RIGHT])], 1e-5)
        == "Result 2 of 2: your result has the wrong sign."
    )
    assert diagnose([([RIGHT.T, -RIGHT], [RIGHT, RIGHT])], 1e-5) == ""


def test_truth_values_and_counts():
    right = np.array([True, False, False])
    assert diagnose([(~right, right)], 0) == "True and False are exchanged in your result."
    assert diagnose([(np.asarray(8), np.asarray(7))], 0) == "Your result is one too large."


def test_lists_and_dictionaries_that_come_again_are_kept_too():
    one, other = [np.array([4, 5]), -1.5], [np.array([3]), -2.5]
    again = [np.array([4, 5]), -1.5]
    assert kept([(again, other)], [(one, one), (again, other)], 1e-5).startswith(
        "Your function returns the same"
    )
    new = [np.array([4, 4]), -1.0]
    assert kept([(new, other)], [(one, one), (new, other)], 1e-5) == ""
    batch, wanted = {"source": RIGHT, "targets": RIGHT.T}, {"source": RIGHT[:2], "targets": RIGHT[:1]}
    same = {"source": RIGHT.copy(), "targets": RIGHT.T.copy()}
    assert kept([(same, wanted)], [(batch, batch), (same, wanted)], 1e-5)


def test_what_comes_again_for_other_inputs_is_kept():
    one, two = RIGHT, RIGHT + 5
    assert kept([(one, two)], [(one, two), (one.copy(), one)], 1e-5).startswith(
        "Your function returns the same"
    )
    assert kept([(one, two)], [(one, two), (two, two)], 1e-5) == ""
    assert kept([(one, two)], [(one, two), (one.copy(), two)], 1e-5) == ""  # it is the same that is wanted


numbers = hnp.arrays(float, hnp.array_shapes(min_dims=1, max_dims=3, max_side=4), elements=st.floats(-9, 9))


@given(numbers, numbers)
def test_nothing_makes_a_remark_fail(got, right):
    diagnose([(got, right)], 1e-5)
    diagnose([([got, right], [right, right])], 1e-5)
