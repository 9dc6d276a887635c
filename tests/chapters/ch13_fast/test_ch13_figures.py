"""The text of chapter 13's figures follows what is drawn."""

import numpy as np
import pytest

from course_lib.chapters import ch13_fast as ch13
from course_lib.chapters.ch13_fast.figures import SCORES, VALUES, WORDS
from course_lib.chapters.ch13_fast.speculation import Pass
from course_lib.functional import softmax

pytestmark = pytest.mark.share(2)

VOCABULARY = {5: "le", 6: "chat", 7: "dort", 2: "</s>"}


def test_the_last_tile_lands_on_attention_s_output():
    output = softmax(np.array(SCORES)) @ VALUES
    for tile, n in ((3, 4), (5, 3), (12, 1)):
        picture = ch13.tiles_picture(WORDS, SCORES, VALUES, tile=tile, read=n)
        assert f"output ({output[0]:.2f}, {output[1]:.1f})" in picture.alt.replace("−", "-")
        assert picture.alt.endswith(" 0 away.")


def test_a_tile_says_what_it_does_to_the_sum():
    told = [ch13.tiles_picture(WORDS, SCORES, VALUES, tile=3, read=n).alt for n in (1, 2, 3)]
    assert "3 scores in hand" in told[0]
    assert "no larger score" in told[1]
    assert "shrinks to 33 %" in told[2]  # e^(1.1 − 2.2)
    assert not any(alt.endswith(" 0 away.") for alt in told)


@pytest.mark.parametrize("wrong", [{"read": 0}, {"read": 5}, {"words": WORDS[:3]}, {"values": VALUES[:, :1]}])
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises(ValueError, match=r"read|words"):
        ch13.tiles_picture(
            **({"words": WORDS, "scores": SCORES, "values": VALUES, "tile": 3, "read": 1} | wrong)
        )


def test_there_are_as_many_tiles_to_read_as_the_words_fill():
    figure = ch13.tiles(tile=1, read=12)
    assert "Tile 12 of 12" in figure.picture.alt
    figure.controls["tile"].value = 4
    assert "Tile 3 of 3" in figure.picture.alt
    assert figure.controls["read"].max == 3


def test_passes_tell_what_became_of_each_guess():
    picture = ch13.written_in_passes(
        VOCABULARY.__getitem__, [Pass([5, 7], 1, 6), Pass([7, 2], 1, 2)], title="Two"
    )
    assert picture.alt == "Two. Pass 1: kept le, dropped dort, added chat. Pass 2: kept dort, added </s>."
