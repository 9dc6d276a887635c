"""Positional encodings drawn: the words say what the arrays hold, and the pixels follow."""

import re
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib import functional
from course_lib.chapters.ch06_positional_encoding.figures import (
    best_gaussian,
    dials,
    encoding_map,
    encoding_overview,
    looking_back,
    similarity_by_distance,
)
from course_lib.figures.picture import COLOURS, Picture


def pixels(picture: Picture) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255


def is_colour(image: np.ndarray, colour: str) -> np.ndarray:
    return np.abs(image - to_rgb(colour)).max(axis=-1) < 0.08


class TestSimilarityByDistance:
    def test_of_sines_is_the_mean_of_cosines(self):
        for d in (2, 16, 128):
            frequencies = 10000.0 ** (-np.arange(0, d, 2) / d)
            expected = np.cos(np.arange(60)[:, None] * frequencies).mean(axis=1)
            found = similarity_by_distance(functional.sinusoidal_encoding(60, d))
            np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)

    def test_of_anything_is_the_mean_over_pairs(self):
        x = np.random.default_rng(1).normal(size=(7, 3))
        for distance, found in enumerate(similarity_by_distance(x)):
            pairs = [x[i] @ x[i + distance] for i in range(7 - distance)]
            assert found == pytest.approx(np.mean(pairs) / np.mean([row @ row for row in x]))

    @pytest.mark.parametrize("x", [[1.0, 2.0], [[0.0, 0.0]], [[[1.0]]]])
    def test_refuses_what_has_no_similarity(self, x):
        with pytest.raises(ValueError, match=r"x \(.*\): expected \(L, d\)"):
            similarity_by_distance(x)


class TestBestGaussian:
    @settings(max_examples=30)
    @given(st.floats(1e-5, 2.0), st.integers(5, 200))
    def test_finds_a_gaussian_again(self, decay, n):
        curve = np.exp(-decay * np.arange(n) ** 2)
        found, misfit = best_gaussian(curve)
        assert misfit < 2e-3
        np.testing.assert_allclose(np.exp(-found * np.arange(n) ** 2), curve, atol=2e-3)

    @pytest.mark.parametrize("seed", range(5))
    def test_no_other_decay_comes_closer(self, seed):
        rng = np.random.default_rng(seed)
        curve = np.append(1.0, rng.uniform(-0.3, 0.9, size=30))
        found, misfit = best_gaussian(curve)
        squares = np.arange(31) ** 2
        assert misfit == pytest.approx(np.abs(np.exp(-found * squares) - curve).max())
        others = np.append(np.geomspace(1e-6, 30, 20_000), 0.0)
        assert misfit <= np.abs(np.exp(-others[:, None] * squares) - curve).max(axis=1).min() + 2e-3

    def test_a_level_line_is_a_gaussian_without_decay(self):
        assert best_gaussian(np.ones(10)) == (0.0, 0.0)

    @pytest.mark.parametrize("curve", [[1.0], [[1.0, 0.5]]])
    def test_refuses_a_curve_without_distances(self, curve):
        with pytest.raises(ValueError, match="similarity"):
            best_gaussian(curve)


class TestDials:
    def test_tells_the_angle_of_each_hand(self):
        alt = dials(functional.sinusoidal_encoding(9, 4, base=100)).alt
        told = re.findall(r"Columns \d and \d: (.*?) clockwise", alt)
        for frequency, angles in zip((1.0, 0.1), told, strict=True):
            expected = np.degrees(frequency * np.arange(9)) % 360
            found = [float(angle.rstrip("°")) for angle in angles.split(", ")]
            np.testing.assert_allclose(found, expected, atol=0.051)

    @pytest.mark.parametrize(
        ("hand", "side"), [((1, 0), "right"), ((-1, 0), "left"), ((0, 1), "up"), ((0, -1), "down")]
    )
    def test_a_hand_points_to_sine_and_cosine_as_on_a_clock(self, hand, side):
        rows, columns = np.nonzero(is_colour(pixels(dials([hand])), COLOURS[0]))
        centre = np.array([0.8 * 2 * 96, (1.3 + 0.475) * 2 * 96])  # of the only dial, in pixels
        down, right = np.array([rows.mean(), columns.mean()]) - centre
        assert (
            max({"right": right, "left": -right, "down": down, "up": -down}.items(), key=lambda x: x[1])[0]
            == side
        )

    def test_labels_stand_in_the_words(self):
        assert dials([[0, 1], [1, 0]], labels=["The", "cat"]).alt.startswith(
            "Hands of clocks at positions The, cat."
        )

    @pytest.mark.parametrize("shape", [(3, 3), (13, 2), (2, 14), (0, 2), (4,)])
    def test_refuses_what_cannot_be_drawn(self, shape):
        with pytest.raises(ValueError, match=r"encoding \(.*\): expected \(L, d\)"):
            dials(np.ones(shape))
        with pytest.raises(ValueError, match="labels has 1 entries"):
            dials(np.ones((2, 2)), labels=["a"])


class TestEncodingMap:
    def test_counts_the_changes_of_sign(self):
        phi = functional.sinusoidal_encoding(100, 16)
        told = dict(re.findall(r"(\d+) in column (\d+)", encoding_map(phi).alt)[i][::-1] for i in range(4))
        for column, changes in told.items():
            column = int(column)
            frequency, phase = 10000.0 ** (-(column // 2) / 8), (0.0, np.pi / 2)[column % 2]
            half_turns = np.floor((frequency * np.arange(1, 100) + phase) / np.pi)  # position 0 is 0, or 1
            assert (
                int(changes) == len(np.unique(np.append(half_turns[0] if phase == 0 else 0, half_turns))) - 1
            )
        assert len(told) == 4

    def test_positions_are_rows(self):
        image = pixels(encoding_map([[1, 1, 1], [-1, -1, -1]]))
        middle = image[:, image.shape[1] // 2]
        brown = middle[:, 0] > middle[:, 2] + 0.2
        violet = middle[:, 2] > middle[:, 0] + 0.1
        assert np.flatnonzero(violet).max() < np.flatnonzero(brown).min()

    def test_refuses_what_is_no_encoding(self):
        with pytest.raises(ValueError, match=r"encoding \(3,\)"):
            encoding_map([1.0, 2.0, 3.0])


class TestEncodingOverview:
    PHI = functional.sinusoidal_encoding(40, 8)
    WORDS = np.random.default_rng(2).normal(size=(40, 8))

    def told(self, alt):
        last, misfit = re.search(r"1 at distance 0, (\S+) at 39.*off by up to (\S+)\.$", alt).groups()
        return float(last.replace("−", "-")), float(misfit)

    @pytest.mark.parametrize("mode", ["alone", "add", "append"])
    def test_tells_what_the_model_reads(self, mode):
        words = None if mode == "alone" else self.WORDS
        x = {"alone": self.PHI, "add": self.WORDS + self.PHI, "append": np.hstack([self.WORDS, self.PHI])}[
            mode
        ]
        alt = encoding_overview(self.PHI, words, mode="append" if mode == "append" else "add", column=1).alt
        similarity = similarity_by_distance(x)
        assert f"40 positions (rows) × {x.shape[1]} columns" in alt
        np.testing.assert_allclose(
            self.told(alt), (similarity[-1], best_gaussian(similarity)[1]), atol=0.0051
        )
        for changes, k in re.findall(r"(\d+) in column (\d+)", alt):
            assert int(changes) == (np.diff(np.sign(x[:, int(k)])) != 0).sum() - (x[0, int(k)] == 0)
        assert f"rises in {(np.diff(similarity) > 1e-9).sum()} of 39" in alt
        assert (
            f"Column 1: {sum(np.diff(np.sign(self.PHI[:, 1])) != 0)} changes of sign, from 1 at position 0"
            in alt
        )

    def test_refuses_shapes_that_do_not_fit(self):
        with pytest.raises(ValueError, match=r"words \(39, 8\) and encoding \(40, 8\)"):
            encoding_overview(self.PHI, self.WORDS[1:])
        with pytest.raises(ValueError, match="the same width to add them"):
            encoding_overview(self.PHI, self.WORDS[:, 1:])
        assert "15 columns" in encoding_overview(self.PHI, self.WORDS[:, 1:], mode="append").alt
        with pytest.raises(ValueError, match="column is 8"):
            encoding_overview(self.PHI, column=8)


class TestLookingBack:
    def test_tells_the_weight_on_the_position_before_inside_and_outside_the_frame(self):
        weights = np.zeros((6, 6))
        weights[[1, 2, 3, 4, 5], [0, 1, 2, 3, 4]] = [0.5, 0.7, 0.1, 0.2, 0.3]
        weights[[0, 1, 2], [1, 2, 3]] = 0.9  # the position after, which does not count
        alt = looking_back({"a": weights, "b": np.eye(6)}, trained=3).alt
        assert (
            "a, 6 × 6: on the position before lies 0.6 of the weight up to position 2, and 0.2 beyond." in alt
        )
        assert "b, 6 × 6: on the position before lies 0 of the weight up to position 2, and 0 beyond." in alt

    @pytest.mark.parametrize(("shape", "trained"), [((4, 5), 2), ((4, 4), 4), ((4, 4), 1)])
    def test_refuses_a_map_without_a_beyond(self, shape, trained):
        with pytest.raises(ValueError, match="expected"):
            looking_back({"a": np.ones(shape)}, trained=trained)
