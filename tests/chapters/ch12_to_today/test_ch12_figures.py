"""The words of the figures follow what is drawn."""

import pytest

from course_lib.chapters.ch12_to_today import board, shared_heads
from course_lib.chapters.ch12_to_today.figures import WHAT
from course_lib.chapters.ch12_to_today.switches import ladder

ROWS = {
    "2017": {"parameters": 1234, "cache": 8, "val": [3.0, 3.5, 2.5], "longer": [4.0]},
    "pre-norm": {"parameters": 1234, "cache": 4, "val": [2.0, 2.5, 1.5], "longer": [5.0]},
}


def test_every_switch_has_its_words():
    assert list(WHAT) == list(ladder())


def test_the_board_draws_the_seeds_and_the_change_of_their_median():
    picture = board(ROWS, title="Less")
    assert "2017: 1,234, 8, loss 3.00 3.50 2.50." in picture.alt
    assert picture.narrow is not None
    assert picture.narrow.alt == picture.alt
    other = board({**ROWS, "pre-norm": {**ROWS["pre-norm"], "val": [2.2, 2.5, 1.5]}}, title="Less")
    assert other.svg != picture.svg


def test_the_board_can_show_other_sentences():
    assert "loss 5.00" in board(ROWS, title="", part="longer").alt


@pytest.mark.parametrize("n", [1, 2, 4])
def test_heads_are_joined_to_their_group(n):
    assert f"4 and {n}, 8 bytes" in shared_heads(4, [n], [8], title="").alt
