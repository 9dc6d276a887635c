"""The figures of the dictionary: their words against a calculation by loops, their pixels against the numbers."""

import re
from io import BytesIO

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib import functional
from course_lib.chapters.ch03_fuzzy_dictionary.figures import (
    capacity,
    dictionary_lookup,
    kernel_regression,
    winning_regions,
)
from course_lib.figures.picture import COLOURS, Picture

KEYS = np.array([[2.0, 1.0], [0.0, -2.0], [-2.0, 1.0]])
VALUES = np.array([[2.35, 48.86], [-0.13, 51.51], [13.40, 52.52]])
NAMES = {"key_names": ["F", "U", "G"], "value_names": ["Paris", "London", "Berlin"]}


def dot(queries, keys):
    return functional.dot_product_scores(queries, keys, scaled=False)


def is_colour(picture: Picture, colour: object, tolerance: float = 0.03) -> np.ndarray:
    image = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255
    return np.abs(image - np.asarray(colour)).max(axis=-1) < tolerance


def numbers(text: str) -> list[float]:
    return [float(x.replace("−", "-")) for x in re.findall(r"−?\d+(?:\.\d+)?", text)]


class TestLookup:
    @settings(max_examples=10, phases=[Phase.generate])  # shrinking would draw hundreds of figures
    @given(st.integers(-8, 8), st.integers(-8, 8), st.integers(0, 12), st.booleans())
    def test_the_text_says_what_a_loop_computes(self, x, y, quarters, by_distance):
        query, beta = np.array([x, y]) / 4, quarters / 4
        score = functional.squared_distance_scores if by_distance else dot
        places = {**dict(zip(NAMES["value_names"], VALUES, strict=True)), "Brussels": np.array([4.35, 50.85])}
        alt = dictionary_lookup(
            query, KEYS, VALUES, query_name="q", sharpness=beta, score=score,
            others={"Brussels": places["Brussels"]}, **NAMES,
        ).alt  # fmt: skip
        scores = [-sum((query - k) ** 2) if by_distance else sum(query * k) for k in KEYS]
        exponentials = [np.exp(beta * s) for s in scores]
        weights = [e / sum(exponentials) for e in exponentials]
        blend = sum(w * v for w, v in zip(weights, VALUES, strict=True))
        meaning = sorted(places, key=lambda name: sum((places[name] - blend) ** 2))[0]
        head, _, tail = alt.partition("Weights: ")
        told_weights, _, told_blend = tail.partition(". Blended")
        np.testing.assert_allclose(numbers(head), [*query, beta], atol=0.0051)
        np.testing.assert_allclose(numbers(told_weights), weights, atol=0.0051)
        np.testing.assert_allclose(numbers(told_blend), blend, atol=0.0051)
        assert alt.endswith(f"nearest to '{meaning}'.")

    def test_bars_are_as_long_as_their_weights(self):
        query = [0.2, 0.4]
        picture = dictionary_lookup(query, KEYS, VALUES, query_name="q", score=dot, **NAMES)
        weights = functional.softmax(KEYS @ query)
        image_height, image_width = is_colour(picture, to_rgb(COLOURS[0])).shape
        lengths = []
        for colour in COLOURS[:3]:
            bars = is_colour(picture, to_rgb(colour))[int(0.6 * image_height) :, int(0.45 * image_width) :]
            lengths.append(bars.sum(axis=1).max())
        np.testing.assert_allclose(np.divide(lengths, sum(lengths)), weights, atol=0.01)

    def test_the_first_entry_of_a_key_points_right_and_the_second_up(self):
        keys = np.array([[2.0, 0.0], [0.0, 2.0]])
        picture = dictionary_lookup(
            [-1, -1], keys, keys, query_name="q", key_names=["a", "b"], value_names=["A", "B"]
        )
        half = picture.width * 2 * 9 // 20
        where = [np.argwhere(is_colour(picture, to_rgb(c))[:, :half]).mean(axis=0) for c in COLOURS[:2]]
        (right_row, right_column), (up_row, up_column) = where
        assert right_column > up_column + 100
        assert up_row < right_row - 100

    def test_the_line_to_the_heavier_key_is_thicker(self):
        def pale(query):
            picture = dictionary_lookup(query, KEYS, VALUES, query_name="q", score=dot, **NAMES)
            mixed = 0.45 * np.array(to_rgb(COLOURS[0])) + 0.55 * np.array(to_rgb("#fbfaf6"))
            return is_colour(picture, mixed).sum()

        assert pale([1.0, 0.5]) > 4 * pale([-1.0, 0.5]) > 0

    @pytest.mark.parametrize(("query", "below"), [([0.67, 0.33], {"Paris"}), ([0.0, -2.0], set())])
    def test_the_name_of_the_nearest_place_steps_aside_from_a_blend_above_it(self, query, below, monkeypatch):
        moved = set()

        def note(axis, point, words, *, inward, below=False, **style):
            if below:
                moved.add(words)

        monkeypatch.setattr("course_lib.chapters.ch03_fuzzy_dictionary.figures._label", note)
        dictionary_lookup(query, KEYS, VALUES, query_name="q", score=dot, **NAMES)
        assert moved == {"q", *below}  # in the second case the blend lies below London

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"query": [1.0, 2.0, 3.0]}, r"query \(3,\)"),
            ({"values": VALUES[:2]}, r"values \(2, 2\)"),
            ({"key_names": ["F"]}, "1 key_names"),
            ({"value_names": ["Paris"]}, "1 value_names"),
        ],
    )
    def test_refuses_what_does_not_fit(self, change, message):
        arguments = {"query": [1.0, 2.0], "keys": KEYS, "values": VALUES, "query_name": "q", **NAMES}
        with pytest.raises(ValueError, match=message):
            dictionary_lookup(**{**arguments, **change})

    def test_refuses_more_keys_than_there_are_markers(self):
        many = {"key_names": list("abcdefg"), "value_names": list("ABCDEFG")}
        with pytest.raises(ValueError, match="from 1 to 6 keys"):
            dictionary_lookup([0, 0], np.ones((7, 2)), np.ones((7, 2)), query_name="q", **many)


class TestRegions:
    DISTANCE = {"Distance": functional.squared_distance_scores}  # noqa: RUF012

    def test_shares_are_those_of_the_bisector(self):
        keys = [[-1.0, 0.0], [2.0, 0.0]]  # bisector at x = 0.5, of a square from −3 to 3
        assert winning_regions(keys, ["a", "b"], self.DISTANCE).alt.endswith(
            "Distance: 'a' wins 58 % of the square, 'b' 42 %."
        )

    def test_a_key_inside_the_triangle_of_the_others_wins_nowhere_by_dot_product(self):
        keys = np.vstack([KEYS, [0.5, -1.0]])
        alt = winning_regions(keys, list("FUGB"), {"Dot": dot, **self.DISTANCE}).alt
        shares = [numbers(part) for part in alt.split(". D")[1:]]
        assert shares[0][3] == 0
        assert min(shares[1]) > 15
        assert sum(shares[1]) == pytest.approx(100, abs=2)

    def test_says_at_the_key_itself_that_it_wins_nowhere(self, monkeypatch):
        written = []
        monkeypatch.setattr(
            "course_lib.chapters.ch03_fuzzy_dictionary.figures._label",
            lambda *args, **kwargs: written.append(args[2]),
        )
        winning_regions(np.vstack([KEYS, [0.5, -1.0]]), list("FUGB"), {"Dot": dot, **self.DISTANCE})
        assert written == ["F", "U", "G", "B: nowhere", "F", "U", "G", "B"]

    @pytest.mark.parametrize(("axis", "sign"), [(0, 1), (0, -1), (1, 1), (1, -1)])
    def test_the_colour_lies_where_the_key_lies(self, axis, sign):
        keys = np.zeros((2, 2))
        keys[0, axis], keys[1, axis] = sign, -sign
        picture = winning_regions(keys, ["a", "b"], self.DISTANCE)
        pale = [0.35 * np.array(to_rgb(c)) + 0.65 for c in COLOURS[:2]]
        (row_a, column_a), (row_b, column_b) = (np.argwhere(is_colour(picture, c)).mean(axis=0) for c in pale)
        moved = (column_a - column_b, row_b - row_a)  # to the right, upwards
        assert sign * moved[axis] > 100
        assert abs(moved[1 - axis]) < 20

    @pytest.mark.parametrize("scores", [{}, DISTANCE])
    def test_refuses_no_score_and_names_that_do_not_fit(self, scores):
        with pytest.raises(ValueError, match=r"keys \(3, 2\) with 2 key_names"):
            winning_regions(KEYS, ["a", "b"], scores)


class TestKernelRegression:
    def test_the_text_tells_range_distance_from_the_truth_and_how_many_keys_are_heard(self):
        weights = {"c": [0.05, 0.5, 0.41, 0.04]}
        alt = kernel_regression(
            [0, 1, 2, 3], [1, 2, 3, 4], [0.0, 1.0], {"c": [1.0, 3.0]}, at=1.5, weights=weights, truth=[1, 1]
        ).alt
        assert alt == (
            "4 stored pairs of x and y. Curve 'c': from 1 to 3, 1.41 from the truth on average; "
            "2 keys share 90 % of the weight at x = 1.5."
        )

    def test_one_key_can_have_it_all(self):
        alt = kernel_regression([0, 1], [1, 2], [0], {"c": [1]}, at=0, weights={"c": [1, 0]}).alt
        assert alt.endswith("1 key has 90 % of the weight at x = 0.")

    @pytest.mark.parametrize(
        ("answers", "weights"),
        [({"c": [1]}, {"c": [1, 0]}), ({"c": [1, 2]}, {"c": [1]}), ({"c": [1, 2]}, {"d": [1, 0]})],
    )
    def test_refuses_what_does_not_fit(self, answers, weights):
        with pytest.raises(ValueError, match=r"answers 'c' .*shape of keys \(2,\)"):
            kernel_regression([0, 1], [1, 2], [0, 1], answers, at=0, weights=weights)


class TestCapacity:
    def test_the_text_tells_medians_expectations_and_ceilings(self):
        alt = capacity([4, 16], {2: [[5, 7], [6, 7], [9, 8]], 4: [[12, 34]]}, {2: [5.6, 7], 4: [12, 35]}).alt
        assert alt == (
            "Pairs that fit against width. β = 2, ceiling 8.39: measured 6 at width 4, expected 5.6; "
            "7 at width 16, expected 7. β = 4, ceiling 55.6: measured 12 at width 4, expected 12; "
            "34 at width 16, expected 35."
        )

    def test_refuses_what_does_not_fit(self):
        with pytest.raises(ValueError, match=r"measured for β of \[2\], expected for \[3\]"):
            capacity([4], {2: [[5]]}, {3: [5]})
        with pytest.raises(ValueError, match=r"measured \(1, 2\)"):
            capacity([4], {2: [[5, 6]]}, {2: [5]})
