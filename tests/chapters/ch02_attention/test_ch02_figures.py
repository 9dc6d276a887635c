"""The pictures of chapter 02 say what they show, and refuse what does not fit."""

import re

import numpy as np
import pytest

from course_lib import functional
from course_lib.chapters.ch02_attention import (
    attended_sentences,
    learning_curves,
    softmax_slopes,
    vectors,
)

pytestmark = pytest.mark.share(2)

WORDS = ["The", "hearing", "is", "today"]


class TestAttendedSentences:
    def test_tells_every_weight(self):
        Q, K, V = vectors(WORDS)
        _, weights = functional.attention(Q, K, V)
        picture = attended_sentences([(WORDS, 2, weights[2])], title="One query")
        told = [float(share) for share in re.findall(r"\((\d+) %\)", picture.alt)]
        np.testing.assert_allclose(told, 100 * weights[2], atol=0.5)
        assert picture.alt.startswith("One query. 'is' in 'The hearing is today' looks at")

    def test_a_larger_weight_is_a_thicker_line(self):
        def widths(weights):
            svg = attended_sentences([(WORDS, 3, weights)]).svg
            return sorted(float(w) for w in re.findall(r"stroke-width:([\d.]+)", svg))

        assert widths([0.9, 0, 0, 0.1])[-1] > 2 * widths([0.3, 0, 0, 0.7])[-1]

    def test_a_long_sentence_has_a_form_for_narrow_pages_that_says_the_same(self):
        far = ["The", "hearing", "on", "the", "issue", "is", "today"]
        picture = attended_sentences([(far, 5, np.full(7, 1 / 7))])
        assert 300 < picture.narrow.width <= 340 < picture.width
        assert picture.narrow.alt == picture.alt
        assert attended_sentences([(["Birds", "sing"], 1, [0.75, 0.25])]).narrow is None

    def test_has_a_number_and_a_caption(self):
        picture = attended_sentences([(WORDS, 2, [0, 1, 0, 0])], number="2.4", caption="One query.")
        assert "<b>Figure 2.4.</b> One query.</p>" in picture.html()

    @pytest.mark.parametrize(
        ("sentences", "message"),
        [
            ([], "sentences is empty"),
            ([(WORDS, 2, [0.5, 0.5])], r"weights \(2,\) of word 2 in 4 words"),
            ([(WORDS, 4, np.full(4, 0.25))], "of word 4 in 4 words"),
            ([(WORDS, 0, [1.5, -0.5, 0, 0])], "expected shares"),
            ([(WORDS, 0, [1, 1, 0, 0])], "expected shares"),
        ],
    )
    def test_refuses_what_does_not_fit(self, sentences, message):
        with pytest.raises(ValueError, match=message):
            attended_sentences(sentences)


class TestSoftmaxSlopes:
    def test_tells_and_writes_the_share_in_the_band(self):
        gaps = np.random.default_rng(0).normal(0, 6, 10_000)
        picture = softmax_slopes({"a": gaps, "b": 10 * gaps})
        shares = [float(share) for share in re.findall(r"(\d+) % of the leads", picture.alt)]
        expected = [100 * np.mean(np.abs(scale * gaps) <= 3) for scale in (1, 10)]
        np.testing.assert_allclose(shares, expected, atol=0.5)

    def test_one_curve_for_all_panels_and_leads_beyond_it_are_kept(self):
        far = softmax_slopes({"a": [0.0, 500.0], "b": [1.0]})
        assert far.alt.endswith("a: 50 % of the leads from −3 to 3. b: 100 % of the leads from −3 to 3.")
        near = softmax_slopes({"a": [0.0, 1.0], "b": [1.0]})
        curve = r' d="([^"]+)"[^>]*stroke:var\(--weight\)'
        curves = [re.findall(curve, picture.svg) for picture in (far, near)]
        assert len(curves[0]) == 1
        assert curves[0] == curves[1]

    def test_has_a_form_for_narrow_pages_that_says_the_same(self):
        picture = softmax_slopes({"a": [0.0, 1.0], "b": [5.0, -50.0]})
        assert picture.narrow.width < 0.6 * picture.width
        assert picture.narrow.alt == picture.alt

    @pytest.mark.parametrize("series", [{}, {"a": []}])
    def test_refuses_nothing(self, series):
        with pytest.raises(ValueError, match="differences is empty"):
            softmax_slopes(series)


RUNS = {"left": {"a": [[[0.0, 0.5]], [[0.0, 0.7]]]}, "right": {"a, slow": [[[0.1, 0.1], [0.1, 0.3]]]}}


class TestLearningCurves:
    def test_tells_how_many_have_found_their_key_at_the_end(self):
        picture = learning_curves(RUNS, title="A finding")
        assert picture.alt == (
            "A finding. Queries that have found their key. left, a: 50 % at step 2. right, a, slow: 0 % at step 2."
        )

    def test_has_a_form_for_narrow_pages_that_says_the_same(self):
        picture = learning_curves(RUNS)
        assert picture.narrow.width < 0.6 * picture.width
        assert picture.narrow.alt == picture.alt

    def test_what_differs_after_a_comma_has_one_colour(self):
        def colours(name):
            runs = RUNS["left"] | {name: RUNS["right"]["a, slow"]}
            svg = learning_curves({"panel": runs}).svg
            return {hue for hue in re.findall(r"stroke:(var\(--[\w-]+\))[^\"]*stroke-width:2\b", svg)}

        assert len(colours("b")) == len(colours("a, slow")) + 1

    def test_a_curve_is_named_where_it_rises_or_above_its_low_end(self, monkeypatch):
        placed = {}
        monkeypatch.setattr(
            "matplotlib.axes.Axes.annotate", lambda axis, name, point, *_, **__: placed.update({name: point})
        )
        rising = np.zeros((1, 1, 10))
        rising[..., 4:] = 1
        learning_curves({"panel": {"up": rising, "low": np.zeros((1, 1, 10))}})
        assert placed == {"up": (5, 100), "low": (10, 0)}

    @pytest.mark.parametrize("panels", [{}, {"a": {}}, {"a": {"b": [[0.5]]}}])
    def test_refuses_what_is_no_run(self, panels):
        with pytest.raises(ValueError, match=r"expected one or more of \(n_sets, n_queries, n_steps\)"):
            learning_curves(panels)


def test_words_without_vectors_are_named():
    with pytest.raises(ValueError, match=r"words \['cat'\]"):
        vectors(["The", "cat"])
