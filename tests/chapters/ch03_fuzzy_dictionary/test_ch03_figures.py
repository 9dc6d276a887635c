"""The figures of the dictionary: their words against a calculation by loops, their pixels against the numbers."""

import re
from io import BytesIO

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib import functional
from course_lib.chapters.ch03_fuzzy_dictionary.figures import (
    OTHERS,
    _free_sides,
    capacity,
    failures,
    kernel_regression,
    learning,
    query_plane,
    sharpening,
    winning_regions,
)
from course_lib.figures.picture import Picture

pytestmark = pytest.mark.share(2)

KEYS = np.array([[2.0, 1.0], [0.0, -2.0], [-2.0, 1.0]])


def dot(queries, keys):
    return functional.dot_product_scores(queries, keys, scaled=False)


def is_colour(picture: Picture, colour: object, tolerance: float = 0.03) -> np.ndarray:
    image = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255
    return np.abs(image - np.asarray(colour)).max(axis=-1) < tolerance


def numbers(text: str) -> list[float]:
    return [float(x.replace("−", "-")) for x in re.findall(r"−?\d+(?:\.\d+)?", text)]


class TestQueryPlane:
    def test_weighs_as_the_library_does(self):
        keys = np.vstack([KEYS, [1.0, 1.0]])
        for score, sharpness in (("dot", 1.0), ("distance", 2.0)):
            figure = query_plane(
                keys, list("FUGS"), list("PLbB"), query=[1, 0.5], sharpness=sharpness, score=score
            )
            by = dot if score == "dot" else functional.squared_distance_scores
            scores = by([[1, 0.5]], keys)[0] / (1 if score == "dot" else 2)
            told = {name: int(share) for name, share in re.findall(r"([FUGS]) (\d+) %", figure.alt)}
            expected = 100 * functional.softmax(sharpness * scores)
            assert [told[name] for name in "FUGS"] == pytest.approx(expected, abs=0.51)

    def test_the_score_is_how_far_along_the_key_the_query_reaches_times_the_length_of_the_key(self):
        for query in ([1, 0.5], [-1, -1], [0.3, -2]):
            figure = query_plane(KEYS, list("FUG"), list("PLb"), query=query)
            name, *told = re.findall(r"([FUG])’s score: (\S+) × (\S+) = (\S+)\.", figure.alt)[0]
            along, long, score = (float(x.replace("−", "-")) for x in told)
            best = (KEYS @ query).argmax()
            assert name == "FUG"[best]
            assert score == pytest.approx((KEYS @ query)[best], abs=0.0051)
            assert long == pytest.approx(np.linalg.norm(KEYS[best]), abs=0.0051)
            assert along * long == pytest.approx(score, abs=0.03)
        assert "’s score" not in query_plane(KEYS, list("FUG"), list("PLb"), score="distance").alt

    def test_names_all_that_the_query_reads(self):
        keys = np.vstack([KEYS, [1.0, 1.0]])

        def title(query, sharpness):
            capitals = ["Paris", "London", "Berlin", "Bern"]
            return query_plane(keys, list("FUGS"), capitals, query=query, sharpness=sharpness).title

        assert title([-1, -1], 0.5) == "The query reads London most, then Berlin"
        assert title([-1, -1], 0.3) == "The query reads London most, then Berlin and Bern"
        assert title([0, 1], 0.5) == "The query cannot decide between Paris, Berlin and Bern"
        assert title([1, 1], 3) == "The query reads Paris, and almost nothing else"

    def test_names_the_edges_of_the_plane(self):
        edges = ["Germanic", "Romance", "kingdom", "republic"]
        figure = query_plane(KEYS, list("FUG"), list("PLb"), query=[1, 0.5], edges=edges)
        assert "Left is Germanic, right Romance, down kingdom, up republic." in figure.alt
        for edge in edges:
            assert edge in figure.svg
        with pytest.raises(ValueError, match="1 edges"):
            query_plane(KEYS, list("FUG"), list("PLb"), edges=["left"])

    @pytest.mark.parametrize("score", ["dot", "distance"])
    @pytest.mark.parametrize("query", [[1, 0.5], [-2, -2], [0.2, 2.5], [2.9, -2.9]])
    def test_a_region_is_named_in_its_inside(self, query, score):
        keys = np.array([[2.0, 1.0], [0.0, -2.0], [-2.0, 1.0]])
        edges = ["west", "east", "south", "north"]
        figure = query_plane(
            keys, ["France", "UK", "Germany"], list("PLB"), query=query, score=score, edges=edges
        )
        place, text = re.findall(
            r"translate\(([\d.]+px, [\d.]+px)\);[^>]*>(.*?)</g>", figure.svg.split("cf-handle")[0]
        )[-1]
        words = " ".join(re.findall(r">([^<>]+)</text>", text))
        x, top = (float(number) for number in re.findall(r"[\d.]+", place))
        side, reach = 396, 3.0  # of a still
        for y in (top, top + 18 * text.count("</text>")):
            point = np.array([x / side * 2 - 1, 1 - y / side * 2]) * reach
            scores = keys @ point if score == "dot" else -((keys - point) ** 2).sum(axis=1)
            assert words == f"{['France', 'UK', 'Germany'][scores.argmax()]} scores highest here"

    def test_refuses_what_does_not_fit(self):
        with pytest.raises(ValueError, match=r"keys \(3, 2\), 2 words"):
            query_plane(KEYS, ["a", "b"], ["A", "B"], query=[0, 0])
        with pytest.raises(ValueError, match=r"query \(3,\)"):
            query_plane(KEYS, list("abc"), list("ABC"), query=[0, 0, 0])


class TestLearning:
    def test_says_where_values_end(self):
        path = np.zeros((3, 2, 2))
        path[-1] = [[3, 4], [10, 0]]
        runs = {"first": ([9, 4, 0.5], path), "second": ([2, 1], np.ones((2, 1, 2)))}
        picture = learning(runs, {"A": [0, 0], "B": [10, 0]}, title="Found")
        assert picture.alt == (
            "Found. first: loss from 9 to 0.5 in 3 steps. The value of pair 1 ends nearest to A, 5 off. "
            "The value of pair 2 ends nearest to B, 0 off. "
            "second: loss from 2 to 1 in 2 steps. The value of pair 1 ends nearest to A, 1.41 off."
        )
        assert picture.narrow.alt == picture.alt
        assert picture.narrow.width == 340

    def test_refuses_what_does_not_fit(self):
        with pytest.raises(ValueError, match=r"path \(2, 1, 2\)"):
            learning({"a": ([1.0], np.zeros((2, 1, 2)))}, {"A": [0, 0]})
        with pytest.raises(ValueError, match="no runs"):
            learning({}, {"A": [0, 0]})

    def test_names_the_marks_of_the_pairs_and_keeps_words_off_the_ways(self, monkeypatch):
        sides, name = {}, "course_lib.chapters.ch03_fuzzy_dictionary.figures._label"
        monkeypatch.setattr(name, lambda axis, point, words, side: sides.update({words: side}))
        named = []
        monkeypatch.setattr(
            "matplotlib.figure.Figure.legend",
            lambda figure, handles, **_: named.append([mark.get_label() for mark in handles]),
        )
        path = np.zeros((150, 2, 2))
        path[:, 0, 1] = np.linspace(8, 0, 150)  # comes to A from above
        path[:, 1] = np.linspace([20, 1.5], [20, 10], 150)  # and to B from below
        learning({"run": (np.ones(150), path)}, {"A": [0, 0], "B": [20, 10]})
        assert (sides["A"], sides["B"]) == ("below", "above")
        assert named == 2 * [["value of pair 1", "value of pair 2"]]  # wide and narrow


class TestSharpening:
    def test_says_where_weights_begin_and_end(self):
        picture = sharpening([0, 2], {"a": [0.5, 0.1], "b": [0.5, 0.9]}, y_label="weight for Spain", note="n")
        assert picture.alt == (
            "Weight for Spain against sharpness β. a: from 0.5 at 0 to 0.1 at 2. b: from 0.5 at 0 to 0.9 at 2."
        )
        assert picture.narrow.alt == picture.alt

    def test_refuses_what_does_not_fit(self):
        with pytest.raises(ValueError, match=r"weights of 'a' \(1,\)"):
            sharpening([0, 1], {"a": [1]}, y_label="weight")


class TestFailures:
    def test_tells_shares_and_intervals(self):
        assert failures({"never": 0, "half": 50}, 100, title="T").alt == (
            "T. Starts that fail, of 100. never: 0 % (0 to 4). half: 50 % (40 to 60)."
        )

    def test_marked_bars_have_a_colour_of_their_own(self):
        plain, marked = (failures({"a": 50, "b": 50}, 100, marked=names).svg for names in ((), ("b",)))
        assert marked.count("var(--series-1)") == plain.count("var(--series-1)") + 1

    def test_refuses_more_failures_than_starts(self):
        with pytest.raises(ValueError, match="expected from 0 to 5"):
            failures({"a": 6}, 5)


class TestRegions:
    DISTANCE = {"Distance": functional.squared_distance_scores}  # noqa: RUF012

    def test_shares_are_those_of_the_bisector(self):
        keys = [[-1.0, 0.0], [2.0, 0.0]]  # bisector at x = 0.5, of a square from −3 to 3
        assert winning_regions(keys, ["a", "b"], self.DISTANCE).alt.endswith(
            "Distance: 'a' wins 58 % of the square, 'b' 42 %."
        )

    def test_a_key_inside_the_triangle_of_the_others_wins_nowhere_by_dot_product(self):
        keys = np.vstack([KEYS, [1.0, 1.0]])
        alt = winning_regions(keys, list("FUGS"), {"Dot": dot, **self.DISTANCE}).alt
        shares = [numbers(part) for part in alt.split(". D")[1:]]
        assert shares[0][3] == 0
        assert min(shares[1]) > 12
        assert sum(shares[1]) == pytest.approx(100, abs=2)

    def test_says_at_the_key_itself_that_it_wins_nowhere(self, monkeypatch):
        written = []
        monkeypatch.setattr(
            "course_lib.chapters.ch03_fuzzy_dictionary.figures._label",
            lambda *args, **kwargs: written.append(args[2]),
        )
        winning_regions(np.vstack([KEYS, [1.0, 1.0]]), list("FUGS"), {"Dot": dot, **self.DISTANCE})
        assert written == 2 * ["F", "U", "G", "S:\nnowhere", "F", "U", "G", "S"]  # wide and narrow

    def test_a_word_covers_no_other_word_and_no_other_key(self):
        keys = np.array([[0.9, 0.45], [0, -1], [-0.9, 0.45], [0.7, 0.7]])
        sides = _free_sides(keys, ["France", "UK", "Germany", "Switzerland"], 3.0)
        assert sides == ["below", "below", "below", "above"]
        assert _free_sides(keys[[0, 2]], ["France", "Germany"], 3.0) == ["above", "above"]

    def test_draws_keys_where_a_panel_has_them(self, monkeypatch):
        placed = []
        monkeypatch.setattr(
            "course_lib.chapters.ch03_fuzzy_dictionary.figures._label",
            lambda axis, point, *args, **kwargs: placed.append(list(point)),
        )
        scores = {"Dot": dot, "Distance": functional.squared_distance_scores}
        winning_regions([[2, 0]], ["a"], scores, drawn={"Distance": [[1, 0]]})
        assert placed == [[2, 0], [1, 0], [2, 0], [1, 0]]  # wide, then narrow

    @pytest.mark.parametrize(("axis", "sign"), [(0, 1), (0, -1), (1, 1), (1, -1)])
    def test_the_colour_lies_where_the_key_lies(self, axis, sign):
        keys = np.zeros((2, 2))
        keys[0, axis], keys[1, axis] = sign, -sign
        picture = winning_regions(keys, ["a", "b"], self.DISTANCE)
        pale = [0.35 * np.array(to_rgb(c)) + 0.65 for c in OTHERS[:2]]
        (row_a, column_a), (row_b, column_b) = (np.argwhere(is_colour(picture, c)).mean(axis=0) for c in pale)
        moved = (column_a - column_b, row_b - row_a)  # to the right, upwards
        assert sign * moved[axis] > 100
        assert abs(moved[1 - axis]) < 20

    def test_one_region_may_have_the_strongest_colour(self):
        keys = [[-1.0, 0.0], [1.0, 0.0]]
        for strong, share in (("", 0.35), ("b", 0.75)):
            picture = winning_regions(keys, ["a", "b"], self.DISTANCE, strong=strong)
            area = is_colour(picture, share * np.array(to_rgb(OTHERS[1])) + 1 - share).sum()
            other = is_colour(picture, 0.35 * np.array(to_rgb(OTHERS[0])) + 0.65).sum()
            assert area == pytest.approx(other, rel=0.1)

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

    def test_weights_are_drawn_on_a_linear_scale(self, monkeypatch):
        drawn = []
        monkeypatch.setattr("matplotlib.axes.Axes.set_yscale", lambda *args, **kwargs: drawn.append(args))
        kernel_regression([0, 1], [1, 2], [0], {"c": [1]}, at=0, weights={"c": [1, 0]})
        assert not drawn

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
