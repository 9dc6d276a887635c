"""Hulls and read-outs: geometry against brute force, and text that says what is drawn."""

import itertools
import re
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from course_lib import functional
from course_lib.chapters.ch07_feed_forward.figures import (
    convex_hull,
    hull,
    hulls_by_layer,
    inside,
    phrase_outputs,
    read_outs,
)
from course_lib.figures.palette import COLOURS, rgb

COORDINATES = st.integers(-5, 5)
POINTS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=1, max_size=7)
WORDS = ["I", "am", "not", "happy"]
VALUES = np.array([[0, 0], [0.5, 0.5], [0, 2], [2, 0]])
LABELS = {"x_label": "mood", "y_label": "denial"}
PHRASES = ["not happy", "not sad", "very happy", "very sad"]
POSITIVE = [False, True, True, False]


def in_some_triangle(point: tuple[int, int], points: list[tuple[int, int]]) -> bool:
    """Carathéodory: a point of the hull is an average of three of the points; whole numbers, so exact."""

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    for a, b, c in itertools.combinations_with_replacement(points, 3):
        sides = [side(a, b, point), side(b, c, point), side(c, a, point)]
        one_way = all(s >= 0 for s in sides) or all(s <= 0 for s in sides)
        box = all(min(a[k], b[k], c[k]) <= point[k] <= max(a[k], b[k], c[k]) for k in (0, 1))
        if one_way and box:
            return True
    return False


class TestHullGeometry:
    @settings(max_examples=150, deadline=None)
    @given(POINTS, st.tuples(COORDINATES, COORDINATES))
    def test_inside_is_what_some_triangle_of_the_points_covers(self, points, place):
        assert inside(place, convex_hull(points)) == in_some_triangle(place, points)

    @settings(max_examples=100, deadline=None)
    @given(POINTS)
    def test_corners_are_the_points_that_the_others_do_not_reach(self, points):
        corners = {tuple(corner) for corner in convex_hull(points)}
        distinct = set(points)
        for point in distinct:
            others = sorted(distinct - {point})
            assert (point in corners) == (not others or not in_some_triangle(point, others))

    @settings(max_examples=50, deadline=None)
    @given(st.integers(0, 2**32 - 1), st.floats(1e-3, 1e3))
    def test_attention_never_leaves_the_hull_of_its_values(self, seed, size):
        rng = np.random.default_rng(seed)
        values = size * rng.standard_normal((5, 2))
        outputs, _ = functional.attention(
            5 * rng.standard_normal((6, 3)), rng.standard_normal((5, 3)), values
        )
        assert all(inside(output, convex_hull(values)) for output in outputs)
        from_mean = values - values.mean(axis=0)
        farthest = from_mean[np.linalg.norm(from_mean, axis=1).argmax()]
        assert not inside(values.mean(axis=0) + 1.01 * farthest, convex_hull(values))

    @pytest.mark.parametrize("points", [[], [1, 2], [[1, 2, 3]]])
    def test_refuses_what_is_not_in_a_plane(self, points):
        with pytest.raises(ValueError, match=r"points \(.*\): expected points in a plane"):
            convex_hull(points)


class TestHull:
    def test_the_text_tells_each_output_and_whether_it_is_inside(self):
        outputs = {"attention": [1, 1], "x + attention": [3, 1]}
        alt = hull(VALUES, WORDS, outputs, **LABELS, cloud=[[0.1, 0.1], [9, 9], [2, 0]]).alt
        assert "a polygon with 3 corners. Of 3 outputs, 2 lie inside." in alt
        assert "attention at mood 1, denial 1: inside." in alt
        assert "x + attention at mood 3, denial 1: outside." in alt

    def test_keeps_its_limits_while_outputs_move(self):
        def blue(place):
            picture = hull(VALUES, WORDS, {"o": place}, **LABELS, limits=(-3, 4, -1, 3))
            pixels = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255
            return np.argwhere(np.abs(pixels - rgb(COLOURS[0])).max(axis=-1) < 0.05)[0]

        np.testing.assert_array_equal(blue([1, 0.2]), blue([-2.5, 0.2]))

    def test_refuses_words_that_do_not_fit(self):
        with pytest.raises(ValueError, match=r"values \(4, 2\) with 3 words"):
            hull(VALUES, WORDS[:3], {}, **LABELS)


class TestHullsByLayer:
    def test_the_text_tells_how_far_apart_rows_are(self):
        alt = hulls_by_layer([VALUES, VALUES / 2, VALUES * 0 + 1], WORDS, ["a", "b", "c"]).alt
        told = re.findall(r"(\w): largest distance between two rows ([\d.]+)\.", alt)
        assert told == [("a", "2.83"), ("b", "1.41"), ("c", "0")]

    def test_refuses_words_or_titles_that_do_not_fit(self):
        with pytest.raises(ValueError, match="with 3 words and 1 titles"):
            hulls_by_layer([VALUES], WORDS[:3], ["a"])
        with pytest.raises(ValueError, match="with 4 words and 2 titles"):
            hulls_by_layer([VALUES], WORDS, ["a", "b"])


class TestPhraseOutputs:
    @settings(max_examples=20, deadline=None)
    @given(st.lists(COORDINATES, min_size=8, max_size=8))
    def test_says_that_a_line_parts_them_just_when_one_does(self, flat):
        sites = np.array(flat).reshape(4, 2)
        good, bad = sites[[1, 2]], sites[[0, 3]]
        # all directions between whole numbers up to 10 that can matter, each with the gap that it leaves
        steps = np.array([(x, y) for x in range(-10, 11) for y in range(-10, 11) if (x, y) != (0, 0)])
        gaps = (good @ steps.T).min(axis=0) - (bad @ steps.T).max(axis=0)
        alt = phrase_outputs({"T": sites}, PHRASES, POSITIVE).alt
        assert ("so a line parts them" in alt) == bool((gaps > 0).any())

    def test_refuses_what_does_not_fit(self):
        for panels, phrases, positive in [
            ({"T": VALUES[:3]}, PHRASES, POSITIVE),
            ({"T": VALUES}, PHRASES[:3], POSITIVE),
            ({"T": VALUES}, PHRASES, [True] * 4),
        ]:
            with pytest.raises(ValueError, match="expected four phrases, two of them positive"):
                phrase_outputs(panels, phrases, positive)


class TestReadOuts:
    def test_the_text_gives_a_verdict_on_the_best_seed(self):
        table = [[0.1, 0.1, 0.1, 0.1], [0.2, 0.9, 0.45, 0.8]]
        alt = read_outs({"way": table}, {"way": 1}, PHRASES, POSITIVE).alt
        assert alt == (
            "Probability that a phrase is positive, best of 2 seeds. way: 'not happy' 0.2 right, "
            "'not sad' 0.9 right, 'very happy' 0.45 undecided, 'very sad' 0.8 wrong."
        )

    def test_refuses_a_table_that_does_not_fit(self):
        with pytest.raises(ValueError, match=r"way 'w' \(1, 3\): expected \(n_seeds, 4\)"):
            read_outs({"w": [[0.1, 0.2, 0.3]]}, {"w": 0}, PHRASES, POSITIVE)
