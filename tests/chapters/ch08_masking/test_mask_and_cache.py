"""Mask and cache in the page: what it says of a row is what real blocks do under the same mask."""

import re

import numpy as np
import pytest
import torch
from torch import Tensor

from course_lib import functional
from course_lib.chapters.ch08_masking import mask_and_cache
from course_lib.chapters.ch08_masking.reach import known_after
from course_lib.chapters.fit import seeded
from course_lib.figures.page import PageFigure
from course_lib.model import EncoderBlock

WORDS = ["Le", "petit", "chat", "a", "très", "faim", "."]
L = len(WORDS)
MASKS = {
    "causal": functional.causal_mask(L),
    "window": functional.window_mask(L, 2, causal=True),
    "none": np.ones((L, L), dtype=bool),
}


@pytest.fixture(scope="module")
def figure() -> PageFigure:
    return mask_and_cache(WORDS, row=4)


def listed(text: str) -> list[int]:
    return [int(i) for i in re.findall(r"\((\d+)\)", text)]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("row", "layers"), [(0, 1), (4, 1), (4, 2), (6, 3), (5, 4)])
@pytest.mark.share(3)
def test_a_row_sees_what_the_mask_lets_through(figure, mask, row, layers):
    figure.state = {"row": row, "layers": layers, "mask": mask, "view": "sees"}
    [one] = re.findall(r"look at (.+?)\. Through", figure.alt)
    assert listed(one) == list(np.flatnonzero(MASKS[mask][row]))
    [all_] = re.findall(r"it sees (.+?)\.$", figure.alt)
    expected = np.flatnonzero(known_after(MASKS[mask], layers)[row])
    assert listed(all_) == list(expected)
    ahead = (expected > row).sum()
    assert figure.title.endswith(f"{ahead} of them ahead of it" if ahead else "none ahead of it")
    assert f"sees {len(expected)} of {L} words" in figure.title


def levels_of(mask: np.ndarray, x: Tensor, blocks: list[EncoderBlock]) -> list[Tensor]:
    """The vectors of all positions: as they come, and after each block."""
    levels = [x]
    for block in blocks:
        levels.append(block(levels[-1], torch.from_numpy(mask))[0])
    return levels


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("row", "layers"), [(0, 2), (3, 1), (3, 2), (5, 3), (6, 2)])
@pytest.mark.share(3)
def test_a_new_word_has_computed_what_it_changes_and_reads_what_it_leaves(figure, mask, row, layers):
    figure.state = {"row": row, "layers": layers, "mask": mask, "view": "computes"}
    with seeded(1):
        blocks = [EncoderBlock(d_model=8, n_heads=2, d_ff=16).double().eval() for _ in range(layers)]
    x = torch.randn(1, row + 1, 8, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    after = levels_of(MASKS[mask][: row + 1, : row + 1], x, blocks)
    before = levels_of(MASKS[mask][:row, :row], x[:, :row], blocks) if row else []
    told = re.findall(r"(?:words|after layer \d): computed (.+?), read (.+?)[;.]", figure.alt)
    assert len(told) == layers + 1
    needed = {row}  # at the last level
    for level in range(layers, -1, -1):
        computed, read = map(listed, told[level])
        assert set(computed) | set(read) == needed
        for j in needed:
            stays = j < row and torch.allclose(after[level][0, j], before[level][0, j], atol=1e-12)
            assert (j in read) == stays
        needed = {j for i in computed for j in np.flatnonzero(MASKS[mask][i, : row + 1])} | set(computed)


def vectors(figure: PageFigure) -> list[int]:
    [found] = re.findall(
        r"for this word alone: (\d+), without a cache (\d+)\. .* together: (\d+), without a cache (\d+)",
        figure.alt,
    )
    return [int(n) for n in found]


@pytest.mark.parametrize("layers", [1, 3])
def test_with_the_cache_a_causal_mask_costs_one_column_a_word_and_without_it_all_of_them(figure, layers):
    for mask in ("causal", "window"):
        figure.state = {"row": 5, "layers": layers, "mask": mask, "view": "computes"}
        assert vectors(figure) == [layers, 6 * layers, 6 * layers, 21 * layers]
        assert f"{layers} vector{'s' * (layers > 1)} in the layers" in drawn(figure)
        assert f"{6 * layers}= 6 words × {layers}" in drawn(figure)


def drawn(figure: PageFigure) -> str:
    """All words of the drawing, one after the other."""
    return re.sub(r"<[^>]+>", "", figure.svg).replace("\xa0", " ")


def test_titles_say_what_is_there(figure):
    for state, title in [
        ({"row": 0}, "‘Le’ is the first word: there is nothing to read yet"),
        ({"row": 4}, "‘très’ is new: its own column is computed, and what came before is read"),
        ({"row": 4, "mask": "none"}, "‘très’ is new, and 4 words before it must be computed again"),
        # the keys and values of the first layer come from the words alone
        (
            {"row": 4, "mask": "none", "layers": 1},
            "‘très’ is new: its own column is computed, and what came before is read",
        ),
    ]:
        figure.state = {"view": "computes", **state}
        assert figure.title == title


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"words": ["Je"]}, "expected at least two"),
        ({"row": 3}, "row is 3"),
        ({"layers": 5}, "layers is 5"),
        ({"window": -1}, "window is -1"),
        ({"mask": "both"}, "mask is 'both'"),
        ({"view": "all"}, "view is 'all'"),
    ],
)
def test_what_does_not_fit_is_named(changed, message):
    with pytest.raises(ValueError, match=message):
        mask_and_cache(**{"words": ["a", "b", "c"], **changed})
