"""Dependency arcs: the words that tell them, how high they rise, what is refused."""

import random
import re
from io import BytesIO
from itertools import combinations, pairwise

import numpy as np
import pytest
from PIL import Image

from course_lib.chapters.ch01_why_attention.dependency_arcs import _levels, dependency_arcs, word_centres

WORDS = ["The", "hearing", "on", "the", "issue", "is", "today"]
HEADS = [1, 5, 1, 4, 2, -1, 5]


def projective_heads(length: int, dice: random.Random) -> list[int]:
    """A random tree without crossing arcs: a head for a stretch of words, then for what lies on either side."""
    heads = [-1] * length

    def grow(low: int, high: int, above: int) -> None:
        if low < high:
            root = dice.randrange(low, high)
            heads[root] = above
            grow(low, root, root)
            grow(root + 1, high, root)

    grow(0, length, -1)
    return heads


def test_every_arc_is_told_with_its_positions():
    alt = dependency_arcs(WORDS, HEADS).alt
    told = re.findall(r"'(\w+)' \((\d)\) depends on '(\w+)' \((\d)\)", alt)
    expected = [(WORDS[i], str(i), WORDS[h], str(h)) for i, h in enumerate(HEADS) if h >= 0]
    assert told == expected
    assert alt.endswith("root 'is' (5).")


def test_what_is_stressed_is_told_with_its_distance_and_looks_different():
    quiet, loud = dependency_arcs(WORDS, HEADS), dependency_arcs(WORDS, HEADS, stressed=[1, 4])
    assert loud.alt == quiet.alt + (" Stressed: 'hearing' to 'is', distance 4; 'issue' to 'on', distance 2.")
    assert loud.png != quiet.png


def test_a_title_comes_first_and_dollars_are_no_formula():
    assert dependency_arcs(["$a", "b$"], [1, -1], title="Price").alt.startswith("Price. Dependency arcs")


def test_a_word_alone_has_no_arc():
    assert "No arc." in dependency_arcs(["Yes"], [-1]).alt


@pytest.mark.parametrize("seed", range(20))
def test_an_arc_rises_above_every_arc_that_it_spans(seed):
    dice = random.Random(seed)
    heads = projective_heads(dice.randint(2, 16), dice)
    levels = _levels(heads)
    assert set(levels) == {i for i, head in enumerate(heads) if head >= 0}
    for i, j in combinations(levels, 2):
        spans = [range(min(k, heads[k]), max(k, heads[k])) for k in (i, j)]
        if set(spans[0]) & set(spans[1]):  # one spans the other, and the longer one is higher
            longer, shorter = (i, j) if len(spans[0]) > len(spans[1]) else (j, i)
            assert levels[longer] > levels[shorter]


def test_words_do_not_overlap_and_the_picture_has_room_for_them():
    words = ["a", "interminably", "to", "hearing"]
    centres = word_centres(words)
    rooms = [(x - 0.05 * len(word), x + 0.05 * len(word)) for x, word in zip(centres, words, strict=True)]
    assert all(left[1] < right[0] for left, right in pairwise(rooms))
    picture = dependency_arcs(words, [1, -1, 3, 1])
    assert rooms[-1][1] * 96 < picture.width


def test_nothing_touches_the_edge():
    picture = dependency_arcs(WORDS, HEADS, stressed=[1], title="Title")
    pixels = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")).astype(int)
    border = np.concatenate(
        [pixels[:3].reshape(-1, 3), pixels[-3:].reshape(-1, 3), pixels[:, -3:].reshape(-1, 3)]
    )
    assert np.ptp(border, axis=0).max() == 0


@pytest.mark.parametrize(
    ("words", "heads", "stressed", "told"),
    [
        ([], [], [], "0 words"),
        (["a", "b"], [1], [], "1 heads"),
        (["a", "b"], [1, 2], [], r"heads\[1\] is 2"),
        (["a", "b"], [-2, 0], [], r"heads\[0\] is -2"),
        (["a", "b"], [0, -1], [], r"heads\[0\] is 0"),
        (["a", "b"], [1, -1], [1], "stressed 1"),
        (["a", "b"], [1, -1], [2], "stressed 2"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_named(words, heads, stressed, told):
    with pytest.raises(ValueError, match=told):
        dependency_arcs(words, heads, stressed=stressed)
