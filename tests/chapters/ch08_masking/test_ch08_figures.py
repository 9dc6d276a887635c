"""The figures of masks: what they draw and tell is what the mask allows, and what real gradients reach."""

import re
from io import BytesIO

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib import functional
from course_lib.chapters.ch08_masking.figures import masks, sight
from course_lib.chapters.fit import seeded
from course_lib.figures.heatmaps import Panel
from course_lib.figures.palette import COLOURS
from course_lib.figures.picture import Picture
from course_lib.model import EncoderBlock

WORDS = ["Le", "chat", "a", "faim", "."]
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


def gradient_reach(mask: np.ndarray, n_layers: int) -> np.ndarray:
    """Which inputs (columns) change which outputs (rows) of real blocks under a mask."""
    with seeded(0):
        blocks = [EncoderBlock(d_model=8, n_heads=2, d_ff=16) for _ in range(n_layers)]
    x = torch.randn(1, len(mask), 8, generator=torch.Generator().manual_seed(0), dtype=torch.float32)
    x.requires_grad_()
    y = x
    for block in blocks:
        y, _ = block(y, torch.from_numpy(mask))
    direction = torch.randn(8, generator=torch.Generator().manual_seed(1))
    rows = [
        torch.autograd.grad((y[0, i] * direction).sum(), x, retain_graph=True)[0] for i in range(len(mask))
    ]
    return torch.cat(rows).norm(dim=-1).numpy() > 0


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
        assert masks(panel, axes=("names", "depends on")).alt.startswith(
            "Mask; rows: names, columns: depends on."
        )

    def test_refuses_what_is_no_mask(self):
        with pytest.raises(ValueError, match=r"mask \(1, 1\) of int64"):
            masks(Panel("", np.ones((1, 1), dtype=int), ["a"], ["b"]))
        with pytest.raises(ValueError, match=r"mask \(1, 1\) of bool, panel 'M': expected booleans \(1, 2\)"):
            masks(Panel("M", np.ones((1, 1), dtype=bool), ["a"], ["b", "c"]))
        with pytest.raises(ValueError, match="panels is empty"):
            masks()


class TestSight:
    @pytest.mark.parametrize("n_layers", [1, 3])
    @pytest.mark.parametrize(
        "mask",
        [
            functional.causal_mask(5),
            functional.window_mask(5, 1),
            functional.window_mask(5, 1, causal=True),
            functional.causal_mask(5) & functional.padding_mask([3], 5)[0],
            functional.causal_mask(5) & ~np.eye(5, dtype=bool),
            np.random.default_rng(5).random((5, 5)) < 0.3,
        ],
        ids=["causal", "window", "causal window", "causal and padding", "strict", "any"],
    )
    def test_a_position_sees_what_the_gradients_of_real_blocks_reach(self, mask, n_layers):
        reached = gradient_reach(mask, n_layers)
        position = 3
        alt = sight(mask, WORDS, layers=n_layers, position=position).alt
        (n_seen, seen) = re.search(r"sees (\d) of 5: (.*)\.$", alt).groups()
        assert QUOTED.findall(seen) == [WORDS[j] for j in np.flatnonzero(reached[position])]
        assert int(n_seen) == reached[position].sum()
        layers_ = "1 layer" if n_layers == 1 else f"{n_layers} layers"
        assert f"Through {layers_}, “{WORDS[position]}” at position {position} sees" in alt

    def test_what_is_reached_is_filled_above_its_words(self):
        """Where everyone sees only itself, the filled dots of each position stand in its own column."""
        mask = functional.window_mask(3, 0)
        filled = [is_blue(sight(mask, ["a", "b", "c"], layers=2, position=p)) for p in range(3)]
        right = filled[0].shape[1] // 2  # of the mask, which lies on the left
        columns = []
        for p in range(3):
            alone = filled[p] & ~filled[(p + 1) % 3]
            alone[:, :right] = False
            columns.append(np.flatnonzero(alone.any(axis=0)))
        middles = [c.mean() for c in columns]
        assert middles[1] - middles[0] == pytest.approx(middles[2] - middles[1], rel=0.05)
        assert middles[0] < middles[1] < middles[2]
        assert all(np.ptp(c) < (middles[1] - middles[0]) / 3 for c in columns)

    def test_minus_one_is_the_last_position_and_one_layer_the_default(self):
        mask = functional.causal_mask(5)
        assert sight(mask, WORDS).png == sight(mask, WORDS, layers=1, position=4).png

    def test_refuses_what_does_not_fit(self):
        mask = functional.causal_mask(5)
        with pytest.raises(ValueError, match="position is 5"):
            sight(mask, WORDS, position=5)
        with pytest.raises(ValueError, match="layers is 0"):
            sight(mask, WORDS, layers=0)
        with pytest.raises(ValueError, match=r"mask \(4, 4\) of bool"):
            sight(functional.causal_mask(4), WORDS)
