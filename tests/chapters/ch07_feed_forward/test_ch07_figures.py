"""Hulls, tiles, memories, rows that collapse: geometry against brute force, and text that says what is drawn."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import functional
from course_lib.chapters.ch07_feed_forward import (
    NOT_HAPPY,
    collapse,
    convex_hull,
    inside,
    memory_pairs,
    tiles,
)
from course_lib.chapters.ch07_feed_forward.memory import Pair
from tests.support.pictures import faults_of_words, figures_kept

pytestmark = pytest.mark.share(2)

COORDINATES = st.integers(-5, 5)
POINTS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=1, max_size=7)


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


def test_the_network_set_by_hand_takes_three_times_what_there_is_of_both_off_the_mood():
    W_1, b_1, W_2, b_2 = map(np.array, NOT_HAPPY["network"])
    rng = np.random.default_rng(0)
    for m, n in np.stack([rng.normal(size=200), rng.uniform(0, 3, 200)], axis=1):
        both = np.sign(m) * min(abs(m), n)
        added = np.maximum(0, np.array([m, n]) @ W_1 + b_1) @ W_2 + b_2
        np.testing.assert_allclose(added, [-3 * both, 0], atol=1e-12)
    assert not (W_1 @ W_2).any()  # without the max


class TestTiles:
    ROWS, COLUMNS = (
        ["self-attention", "one fixed query, which is learned"],
        ["not happy", "not sad", "very sad"],
    )
    SHARES = np.array([[1, 0.5, 0], [0.25, 0.75, 1]])
    MARKS = (("✓", "?", "✗"), ("1", "2", "3"))

    def drawn(self, **change):
        given = {
            "ends": ["all four: 9 of 20", "none"],
            "title": "A title that is rather long, so that it breaks",
        }
        return tiles(self.SHARES, self.ROWS, self.COLUMNS, self.MARKS, **{**given, **change})

    def test_the_text_tells_marks_shares_and_ends(self):
        alt = self.drawn().alt
        assert (
            "'self-attention': not happy ✓ (share 1), not sad ? (share 0.5), very sad ✗ (share 0); all" in alt
        )
        assert alt.endswith("very sad 3 (share 1); none.")

    def test_no_word_is_cut_off_or_covers_another_wide_or_narrow(self):
        with figures_kept() as kept:
            self.drawn()
            self.drawn(ends=())
        assert len(kept) == 4
        assert [faults_of_words(figure) for figure in kept] == [[]] * 4

    @pytest.mark.parametrize("change", [{"ends": ["one"]}, {"rows": ["a"]}, {"marks": [["✓"], ["✗"]]}])
    def test_refuses_what_does_not_fit(self, change):
        rows, marks = change.pop("rows", self.ROWS), change.pop("marks", self.MARKS)
        with pytest.raises(ValueError, match=r"shares \(2, 3\), 2 rows of marks, . ends: expected"):
            tiles(self.SHARES, rows, self.COLUMNS, marks, **change)


class TestMemoryPairs:
    PAIRS = (
        Pair(
            7, [("Le chien ne dort", "pas"), ("<s>", "Le")], [("pas", 2.0), ("plus", 0.5), ("jamais", -0.1)]
        ),
        Pair(501, [("une phrase assez longue pour la place", "est")], [("est", 12.25)]),
    )

    def test_the_text_tells_moments_and_votes(self):
        alt = memory_pairs(self.PAIRS, title="Two pairs").alt
        assert alt.startswith(
            "Two pairs. Pairs of a memory. Pair 7: its key fires most after 'Le chien ne dort' (next: pas)"
        )
        assert alt.endswith("Pair 501: its key fires most after 'une phrase assez longue pour la place' (next: est); "
                            "its value adds to est 12.25.")  # fmt: skip

    def test_no_word_is_cut_off_or_covers_another_wide_or_narrow(self):
        with figures_kept() as kept:
            memory_pairs(self.PAIRS, title="A key that fires before a word, a value that votes for it")
        assert [faults_of_words(figure) for figure in kept] == [[], []]

    def test_refuses_none(self):
        with pytest.raises(ValueError, match="pairs is empty"):
            memory_pairs([])


class TestCollapse:
    def test_the_theory_begins_at_the_second_layer_and_cubes(self):
        alt = collapse(
            {"bare": [[1, 0.2, 0.01, 1e-7], [1, 0.2, 0.01, 1e-7]], "kept": [1, 1, 1, 1]}, title="T"
        ).alt
        assert "bare (median of 2 seeds): from 1 at 0 to 1e-07 at 3" in alt.replace("−", "-")
        found = re.findall(r"theory: the cube: from (\S+) at 2 to (\S+) at 3", alt)
        assert [float(x.replace("−", "-")) for x in found[0]] == pytest.approx([0.01, 0.01**3], rel=0.01)

    def test_what_is_less_than_rounding_is_drawn_as_rounding(self):
        alt = collapse({"bare": [1, 0.1, 0.01, 1e-18]}, title="T").alt
        assert "to 1e-16 at 3" in alt.replace("−", "-")

    ROWS = np.random.default_rng(1).standard_normal((4, 1, 5)) * np.array([3, 1, 0.1, 0])[:, None, None]
    LAYERS = (
        ROWS + np.random.default_rng(2).standard_normal((1, 4, 5)) * np.array([3, 1, 0.1, 0])[:, None, None]
    )
    WORDS = ("I", "am", "not", "happy")

    def with_rows(self, rows=LAYERS, words=WORDS):
        curves = {"no residual": [1, 0.3, 0.02, 1e-5]}
        return collapse(curves, rows, words, title="Without the residual, rows become alike ever faster")

    def apart(self) -> list[float]:
        """How far the rows of each layer are apart at most, in the plane in which they differ most."""
        found = []
        for rows in self.LAYERS:
            differ = rows - rows.mean(axis=0)
            _, axes = np.linalg.eigh(differ.T @ differ)  # the smallest first
            flat = differ @ axes[:, -2:]
            found.append(max(float(np.linalg.norm(a - b)) for a in flat for b in flat))
        return found

    def test_the_text_tells_how_far_rows_are_apart_in_the_plane_in_which_they_differ_most(self):
        alt = self.with_rows().alt.replace("−", "-")
        told = [float(x) for x in re.findall(r"Layer \d: at most (\S+) apart", alt)]
        assert told == pytest.approx(self.apart(), rel=0.01)
        assert "no residual: from 1 at 0 to 1e-05 at 3" in alt

    def test_words_are_named_while_there_is_room_and_nothing_is_cut_off_or_covered(self):
        with figures_kept() as kept:
            self.with_rows()
        assert len(kept) == 2
        for figure in kept:
            assert faults_of_words(figure) == []
            texts = [text.get_text() for axis in figure.axes for text in axis.texts]
            assert set(self.WORDS) <= set(texts)
            assert 1 <= texts.count("all 4") <= 3

    def test_all_layers_are_drawn_on_one_scale(self):
        with figures_kept() as kept:
            self.with_rows()
        dots = [line.get_xydata() for line in kept[0].axes[-1].lines]
        sizes = [max(np.linalg.norm(a - b) for a in xy for b in xy) for xy in dots]
        np.testing.assert_allclose(
            np.array(sizes) / sizes[0], np.array(self.apart()) / self.apart()[0], atol=0.01
        )

    def test_refuses_words_that_do_not_fit(self):
        with pytest.raises(ValueError, match=r"rows \(4, 4, 5\) and 3 words: expected"):
            self.with_rows(words=("a", "b", "c"))
