"""Masks over their words: what the picture draws and tells is what the mask allows."""

import re
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib.chapters.ch08_masking.figures import masks
from course_lib.figures.heatmaps import Panel
from course_lib.figures.palette import COLOURS
from course_lib.figures.picture import Picture

QUOTED = re.compile(r"“([^”]*)”")


def told_rows(alt: str) -> dict[str, list[str]]:
    """What each row of the (only) mask of a text alternative lists."""
    return {
        row: QUOTED.findall(rest)
        for row, rest in re.findall(r"“([^”]*)”: ((?:“[^”]*”(?:, )?|nothing)+)\.", alt)
    }


def is_blue(picture: Picture) -> np.ndarray:
    pixels = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255
    return np.abs(pixels - to_rgb(COLOURS[0])).max(axis=-1) < 0.08


class TestMasks:
    @settings(max_examples=8)
    @given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
    def test_the_text_lists_what_each_row_allows(self, n_rows, n_columns, seed):
        allowed = np.random.default_rng(seed).random((n_rows, n_columns)) < 0.5
        rows, columns = [f"q{i}" for i in range(n_rows)], [f"k{j}" for j in range(n_columns)]
        told = told_rows(masks(Panel("M", allowed, rows, columns)).alt)
        assert told == {row: [columns[j] for j in np.flatnonzero(allowed[i])] for i, row in enumerate(rows)}

    @pytest.mark.parametrize(("row", "column"), [(0, 3), (2, 0)])
    def test_what_is_allowed_is_filled_with_queries_as_rows(self, row, column):
        every = is_blue(masks(Panel("", np.ones((3, 4), dtype=bool), list("abc"), list("wxyz"))))
        only = np.zeros((3, 4), dtype=bool)
        only[row, column] = True
        one = is_blue(masks(Panel("", only, list("abc"), list("wxyz"))))
        top_left, size = np.argwhere(every).min(axis=0), np.ptp(np.argwhere(every), axis=0)
        middle = (np.argwhere(one).mean(axis=0) - top_left) / size
        np.testing.assert_allclose(middle, [(row + 0.5) / 3, (column + 0.5) / 4], atol=0.02)
        assert one.sum() / every.sum() == pytest.approx(1 / 12, rel=0.1)

    def test_says_what_rows_and_columns_are(self):
        panel = Panel("Source", np.ones((1, 2), dtype=bool), ["Je"], ["I", "love"])
        assert masks(panel).alt.startswith(
            "Mask; rows: position that looks, columns: position that is looked at."
        )
        assert masks(panel, axes=("predicts", "depends on")).alt.startswith(
            "Mask; rows: predicts, columns: depends on."
        )

    def test_refuses_what_is_no_mask(self):
        with pytest.raises(ValueError, match=r"mask \(1, 1\) of int64"):
            masks(Panel("", np.ones((1, 1), dtype=int), ["a"], ["b"]))
        with pytest.raises(ValueError, match=r"mask \(1, 1\) of bool, panel 'M': expected booleans \(1, 2\)"):
            masks(Panel("M", np.ones((1, 1), dtype=bool), ["a"], ["b", "c"]))
        with pytest.raises(ValueError, match="panels is empty"):
            masks()
