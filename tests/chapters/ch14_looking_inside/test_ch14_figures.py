"""The figures of chapter 14 say what they draw."""

import numpy as np
import pytest

from course_lib.chapters.ch14_looking_inside import swapped, word_grid

PAIR = [("the dog", "le chien"), ("the dogs", "les chiens")]


class TestSwapped:
    def test_tells_every_head_and_every_sentence(self):
        shares = np.array([[0, 0.82], [0.06, 0.004]])
        alt = swapped(
            shares, ["encoder 0", "cross 0"], sentences=PAIR, patched="les chien", changed=["les"]
        ).alt
        assert "encoder 0: 0, 0.82. cross 0: 0.06, 0.004." in alt
        assert "‘the dog’ gives ‘le chien’; ‘the dogs’ gives ‘les chiens’" in alt
        assert alt.endswith("gives ‘les chien’.")

    @pytest.mark.parametrize(
        ("shares", "changed"), [([[0, 1.2]], ["les"]), ([[0, 1], [0, 1]], ["les"]), ([[0, 1]], ["chats"])]
    )
    def test_refuses_what_does_not_fit(self, shares, changed):
        with pytest.raises(ValueError, match="expected"):
            swapped(shares, ["encoder 0"], sentences=PAIR, patched="les chien", changed=changed)


class TestWordGrid:
    def test_tells_each_word_with_its_share(self):
        alt = word_grid([["a", "b"], ["c", "d"]], [[0.1, 0.2], [0.3, 0.4]], ["first", "then"], ["x", "y"]).alt
        assert alt.endswith("first: a 0.1, b 0.2. then: c 0.3, d 0.4.")

    def test_refuses_a_row_that_is_too_short(self):
        with pytest.raises(ValueError, match="as many words"):
            word_grid([["a"]], [[0.1, 0.2]], ["first"], ["x", "y"])
