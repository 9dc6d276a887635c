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
    encoding_map,
    looking_back,
    tied_words,
)
from course_lib.figures.picture import Picture

pytestmark = pytest.mark.share(2)


def pixels(picture: Picture) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255


def is_colour(image: np.ndarray, colour: str) -> np.ndarray:
    return np.abs(image - to_rgb(colour)).max(axis=-1) < 0.08


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
        crimson = middle[:, 0] > middle[:, 2] + 0.2
        blue = middle[:, 2] > middle[:, 0] + 0.1
        assert np.flatnonzero(crimson).max() < np.flatnonzero(blue).min()

    def test_refuses_what_is_no_encoding(self):
        with pytest.raises(ValueError, match=r"encoding \(3,\)"):
            encoding_map([1.0, 2.0, 3.0])


class TestTiedWords:
    FIRST, SECOND = ["The", "cat", "chased", "the", "dog"], ["The", "dog", "chased", "the", "cat"]

    def outputs(self, phi=0.0):
        vector = {"the": [0, 0], "cat": [1, 0], "dog": [0, 1], "chased": [1, 1]}
        rows = [np.array([vector[w.lower()] for w in s], dtype=float) for s in (self.FIRST, self.SECOND)]
        return [functional.attention(x + phi, x + phi, x)[0] for x in rows]

    def test_without_positions_all_are_equal(self):
        one, other = self.outputs()
        alt = tied_words(self.FIRST, one, self.SECOND, other, title="All tied").alt
        assert alt.count("equal.") == 5
        assert "apart" not in alt
        np.testing.assert_allclose(one[1], [0.575, 0.429], atol=5e-4)  # as in the chapter, by hand

    def test_with_positions_the_distances_are_told(self):
        one, other = self.outputs(functional.sinusoidal_encoding(5, 2))
        alt = tied_words(self.FIRST, one, self.SECOND, other, title="None tied").alt
        told = [float(x) for x in re.findall(r"(\S+) apart", alt)]
        expected = np.linalg.norm(one - other[[0, 4, 2, 3, 1]], axis=1)
        np.testing.assert_allclose(told, expected, atol=0.0051)
        assert min(expected) > 0.02

    def test_refuses_other_words_and_rows_that_do_not_fit(self):
        with pytest.raises(ValueError, match="expected the words of first"):
            tied_words(["a"], [[1.0]], ["b"], [[1.0]], title="")
        with pytest.raises(ValueError, match=r"outputs \(1, 1\) and \(2, 1\)"):
            tied_words(["a"], [[1.0]], ["a"], [[1.0], [2.0]], title="")


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
