"""Alignments of sound and text, and sums of heads: what is drawn and what is said."""

import re
from io import BytesIO

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib.chapters import ch05_cross_and_multi_head as ch05
from course_lib.chapters.ch05_cross_and_multi_head import heads
from course_lib.chapters.ch05_cross_and_multi_head.figures import alignment, head_sum
from course_lib.figures.palette import COLOURS, INK, QUIET, WEIGHT
from course_lib.figures.picture import Picture

pytestmark = pytest.mark.share(2)

WORDS = ["the", "cat", "The"]
SPOKEN = [0, 0, 1, 2, 2]
BY_FRAMES = np.array([[0.5, 0.0, 0.5], [0.3, 0.2, 0.5], [0.05, 0.9, 0.05], [0.4, 0.0, 0.6], [0.6, 0.0, 0.4]])
BY_WORDS = np.array([[0.4, 0.1, 0.0, 0.3, 0.2], [0.0, 0.0, 1.0, 0.0, 0.0], [0.2, 0.3, 0.0, 0.25, 0.25]])
RIGHT = INK


def where(picture: Picture, colour: str, tolerance: float = 0.03) -> np.ndarray:
    image = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255
    return np.abs(image - to_rgb(colour)).max(axis=-1) < tolerance


class TestAlignment:
    def test_says_where_the_weight_of_each_stretch_of_frames_lies(self):
        assert alignment(BY_FRAMES, WORDS, SPOKEN, title="Who?").alt == (
            "Who? Attention weights; rows: 5 frames, columns: 3 words. "
            "Frames 0–1 say word 0 'the': weight 0.4 on word 0, 0.1 on word 1, 0.5 on word 2. "
            "Frame 2 says word 1 'cat': weight 0.9 on word 1. "
            "Frames 3–4 say word 2 'The': weight 0.5 on word 0, 0.5 on word 2."
        )

    def test_says_of_each_word_on_which_frames_its_weight_lies(self):
        assert alignment(BY_WORDS, WORDS, SPOKEN, asks="words").alt == (
            "Attention weights; rows: 3 words, columns: 5 frames. "
            "Word 0 'the': weight 0.5 on frames 0–1, 0.5 on frames 3–4. "
            "Word 1 'cat': weight 1 on frames 2–2. "
            "Word 2 'The': weight 0.5 on frames 0–1, 0.5 on frames 3–4."
        )

    def test_says_how_far_the_answers_are_off(self):
        alt = alignment(
            BY_WORDS, WORDS, SPOKEN, asks="words", answers=[1, 5, 2], wanted=[1, 2, 0], answer_label="time"
        ).alt
        assert alt.endswith("Beside it, time: off by 1.67 on average, most in row 1, 5 instead of 2.")

    def test_frames_follow_one_another_even_where_a_word_is_not_said(self):
        alt = alignment(np.full((3, 3), 1 / 3), WORDS, [2, 0, 0]).alt
        assert re.findall(r"Frames? [\d–]+ says? word \d", alt) == [
            "Frame 0 says word 2",
            "Frames 1–2 say word 0",
        ]

    @pytest.mark.parametrize(("asks", "columns"), [("frames", [1, 2, 0]), ("words", [2, 0, 1])])
    def test_the_boxes_surround_what_belongs_together(self, asks, columns):
        """Half way down each row, the outlines are where the frame's word, or the word's frame, begins and ends."""
        picture = alignment(np.full((3, 3), 1.0), ["a", "b", "c"], [1, 2, 0], asks=asks)
        dark, box = where(picture, WEIGHT), where(picture, RIGHT)
        counts = dark.sum(axis=0)
        inside = np.flatnonzero(counts > 0.5 * counts.max())
        left, right = inside.min(), inside[np.flatnonzero(np.diff(inside, append=10**6) > 10)[0]]
        rows = np.flatnonzero(dark[:, left + 20 : right - 20].sum(axis=1) > 20)
        top, height = rows.min(), (rows.max() - rows.min()) / 3
        for row, column in enumerate(columns):
            edges = np.flatnonzero(box[int(top + (row + 0.5) * height), left - 5 : right + 5]) - 5
            found = edges / ((right - left) / 3)
            assert found.min() == pytest.approx(column, abs=0.1)
            assert found.max() == pytest.approx(column + 1, abs=0.1)

    def test_colours_of_frames_end_at_one_and_of_words_at_their_largest(self):
        """A word's weight is spread over many frames: its largest entry has the full colour."""
        low = np.full((2, 2), 0.25)
        drawn = {
            asks: where(alignment(low, ["a", "b"], [0, 1], asks=asks), WEIGHT).sum()
            for asks in ("frames", "words")
        }
        assert drawn["words"] > 10 * drawn["frames"]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"weights": BY_WORDS}, r"weights \(3, 5\): expected \(5, 3\)"),
            ({"asks": "words"}, r"weights \(5, 3\): expected \(3, 5\)"),
            ({"spoken": [0, 0, 1, 2, 3]}, "words 0 … 2"),
            ({"spoken": [0, 0, -1, 2, 2]}, "words 0 … 2"),
            ({"answers": [1] * 5}, "both, or neither"),
            ({"answers": [1] * 4, "wanted": [1] * 4}, "one entry for each of 5 rows"),
        ],
    )
    def test_refuses_what_does_not_fit(self, change, message):
        arguments = {"weights": BY_FRAMES, "words": WORDS, "spoken": SPOKEN}
        with pytest.raises(ValueError, match=message):
            alignment(**{**arguments, **change})


SUM = {
    "weights": [[0.75, 0.25], [0.0, 1.0]],
    "names": ["Paris", "Oslo"],
    "numbers": [4.0, -2.0],
    "factors": [2.0, -1.0],
    "target": 6.5,
}


class TestHeadSum:
    def test_says_what_each_head_finds_and_the_sum(self):
        assert head_sum(**SUM, offset=0.5).alt == (
            "Head 0: weight 0.75 on 'Paris', finds 2.5; times 2 gives 5. "
            "Head 1: weight 1 on 'Oslo', finds −2; times −1 gives 2. Sum 7.5; right would be 6.5."
        )

    def test_has_a_title_and_a_narrow_form(self):
        picture = head_sum(**SUM, title="A minus B")
        assert picture.alt.startswith("A minus B. Head 0:")
        assert picture.narrow is not None
        assert picture.narrow.width <= 340
        assert picture.narrow.alt == picture.alt

    def test_a_head_that_is_off_adds_nothing(self):
        alt = head_sum(**SUM, on=[False, True]).alt
        assert "Head 0: weight 0.75 on 'Paris', finds 2.5; switched off." in alt
        assert alt.endswith("Sum 2; right would be 6.5.")

    def test_bars_lie_end_to_end(self):
        """In the last panel each bar begins where the one above ended, and the sum reaches as far as they do."""
        picture = head_sum(**SUM)
        last = slice(int(0.62 * picture.width * 2), None)
        bars = [where(picture, colour)[:, last] for colour in (COLOURS[0], COLOURS[1], QUIET)]
        upper, lower, total = (np.flatnonzero(bar.sum(0) > 40) for bar in bars)  # a colour for each head
        assert abs(upper.min() - total.min()) < 6
        assert abs(lower.min() - upper.max()) < 8
        assert abs(lower.max() - total.max()) < 6

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"numbers": [1.0]}, r"numbers \(1,\)"),
            ({"names": ["Paris"]}, "1 names"),
            ({"factors": [1.0]}, r"factors \(1,\)"),
            ({"on": [True]}, r"on \(1,\)"),
        ],
    )
    def test_refuses_what_does_not_fit(self, change, message):
        with pytest.raises(ValueError, match=message):
            head_sum(**{**SUM, **change})


class TestSeedsStrip:
    def test_counts_the_seeds_that_succeed(self):
        picture = ch05.seeds_strip(
            {"one head": [[1.0] * 3, [1.0] * 3], "two heads": [[1.0, 0.05, 1.0], [0.0, 0.0, 1.0]]},
            steps=[300, 1500],
            title="Two can",
        )
        assert "one head: 0 of 3 seeds succeed after 1500 steps (0 after 300 steps)" in picture.alt
        assert (
            "two heads: 2 of 3 seeds succeed after 1500 steps (1 after 300 steps); the others" in picture.alt
        )

    @pytest.mark.parametrize("narrow", [False, True])
    def test_nothing_is_cut_at_the_edges(self, narrow):
        errors = {"one head": [[1.0] * 40] * 2, "three heads": [[0.0] * 40] * 2}
        picture = ch05.seeds_strip(
            errors, steps=[3, 9], title="A title that is longer than one narrow line is"
        )
        picture = picture.narrow if narrow else picture
        image = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB"))
        paper = image[-1, -1]
        assert (image[:, -6:] == paper).all()
        assert (image[-6:] == paper).all()
        assert (image[:2] == paper).all()

    def test_refuses_errors_of_one_budget(self):
        with pytest.raises(ValueError, match=r"errors \[\(1, 2\)\]"):
            ch05.seeds_strip({"a": [[1.0, 2.0]]}, steps=[1, 2], title="")


class TestWordRows:
    def test_tells_words_and_shares(self):
        rows = ch05.Row("a", ["he", "stops"], [0.25, 0.75], "past 0.1"), ch05.Row("b", ["we"], [1.0])
        picture = ch05.word_rows(*rows, title="Words", quantity="weight")
        assert picture.alt == "Words. Sentences, words by weight. a: he 0.25, stops 0.75; past 0.1. b: we 1."

    def test_refuses_no_rows_and_too_few_shares(self):
        with pytest.raises(ValueError, match="one share for each word"):
            ch05.word_rows(ch05.Row("a", ["he", "stops"], [1.0]), title="")
        with pytest.raises(ValueError, match="one share for each word"):
            ch05.word_rows(title="")


class TestSplitting:
    def test_tells_which_columns_a_head_gets(self):
        layer = heads.Heads(2, 2, 3, d_in=(4, 4, 4), d_out=4)
        V = layer.W_V(torch.eye(4)[None]).detach()
        split = V.unflatten(-1, (2, 3)).transpose(1, 2)[0]
        picture = ch05.splitting(V[0], split, "abcd", title="Split")
        assert picture.alt == (
            "Split. A matrix (4, 6) becomes 2 heads (4, 3). Head 0: columns 0 to 2; head 1: columns 3 to 5."
        )
        assert picture.narrow is not None
        assert picture.narrow.width <= 340
        for colour in COLOURS[:2]:  # on both sides of the arrow
            assert all(half.any() for half in np.array_split(where(picture, colour), 2, axis=1))

    def test_refuses_another_order_and_what_does_not_fit(self):
        joined, split = [[1, 2], [3, 4]], np.array([[[1], [3]], [[2], [4]]])
        with pytest.raises(ValueError, match="head by head"):
            ch05.splitting(joined, split[::-1], "ab", title="")
        with pytest.raises(ValueError, match=r"split \(2, 2, 1\), 3 words"):
            ch05.splitting(joined, split, "abc", title="")


class TestLossCurves:
    def test_means_of_several_steps(self):
        picture = ch05.loss_curves({"a": [4, 2, 1, 1, 9]}, y_label="loss", title="Falls", over=2)
        assert "a: from 3 at 2 to 1 at 4." in picture.alt

    def test_refuses_too_few_steps(self):
        with pytest.raises(ValueError, match="over is 10"):
            ch05.loss_curves({"a": [1.0]}, y_label="loss", title="")

    def test_entries_that_are_some_steps_apart(self):
        picture = ch05.loss_curves({"a": [3.0, 1.0]}, y_label="loss", title="Falls", over=1, every=10)
        assert "a: from 3 at 10 to 1 at 20." in picture.alt


class TestWaysOut:
    def test_tells_both_sides(self):
        turning, trained = {"+": [1, 1.2, 1.5], "0": [1, 1]}, {"−": [1, 0.5, 0.25]}
        picture = ch05.ways_out(turning, trained, every=10, title="Up and down")
        assert picture.alt == (
            "Up and down. Squared error. Head turned, without training: + from 1 to 1.5, 0 from 1 to 1. "
            "Trained: − from 1 to 0.25 after 20 steps."
        )
        assert picture.narrow is not None
        assert picture.narrow.alt == picture.alt

    def test_a_name_has_one_colour_on_both_sides(self):
        """With only the second name trained, its colour is on both sides and the first's on one."""
        picture = ch05.ways_out({"a": [1, 2], "b": [1, 0.5]}, {"b": [1, 0]}, every=10)
        middle = picture.width  # of the PNG, which has two pixels for one
        for name, colour in zip("ab", COLOURS, strict=False):
            found = where(picture, colour)
            assert found[:, :middle].any()
            assert found[:, middle:].any() == (name == "b")

    def test_refuses_a_single_point(self):
        with pytest.raises(ValueError, match=r"errors \(1,\)"):
            ch05.ways_out({"a": [1, 2]}, {"a": [1]}, every=10)
