"""The figures of chapter 14 say what they draw."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

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
    def test_tells_each_word_with_its_share_and_what_it_is(self):
        words = [["x", "b"], ["z", "y"]]
        alt = word_grid(
            words, [[0.1, 0.2], [0.3, 0.4]], ["first", "then"], ["x", "y"], answers=["z", "q"]
        ).alt
        assert alt.endswith("first: x 0.1 (repeated), b 0.2. then: z 0.3 (comes next), y 0.4 (repeated).")

    def test_what_repeats_and_what_comes_next_have_two_colours_and_the_rest_none(self):
        grid = word_grid([["x", "z", "b"]], [[1.0, 0.6, 0.8]], ["first"], ["x"] * 3, answers=["z"] * 3)
        images = re.findall(r'<image href="data:image/png;base64,([^"]+)"', grid.svg)
        next_ones, repeated = (
            np.asarray(Image.open(io.BytesIO(base64.b64decode(image))).convert("RGBA"))[0, :, 3]
            for image in images
        )
        assert next_ones.tolist() == [0, 153, 0]
        assert repeated.tolist() == [255, 0, 0]

    @pytest.mark.parametrize(("words", "answers"), [([["a"]], ["x", "y"]), ([["a", "b"]], ["x"])])
    def test_refuses_what_does_not_fit(self, words, answers):
        with pytest.raises(ValueError, match="as many"):
            word_grid(words, [[0.1, 0.2]], ["first"], ["x", "y"], answers=answers)
