"""The picture of the pieces: wide and narrow say the same, and each piece is inside the next."""

import re

import pytest

from course_lib.chapters.ch00_start_here import pieces
from course_lib.chapters.ch00_start_here.figures import BADGE, CARD, PIECES, TALL, below
from course_lib.figures.picture import PIXELS_PER_INCH, draw


def test_it_has_a_narrow_form_that_says_the_same():
    picture = pieces()
    assert picture.narrow
    assert picture.narrow.alt == picture.alt
    assert (picture.width, picture.narrow.width) == (760, 340)


def test_the_words_name_each_piece_and_each_chapter_once():
    told = pieces().alt
    assert re.findall(r"\b(Attention|Heads|Block|Transformer|Translator):", told) == [p.name for p in PIECES]
    assert sorted(number for piece in PIECES for number in piece.chapters) == list(range(2, 14))


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_a_piece_is_drawn_inside_its_card(piece):
    boxes = []

    def paint(figure):
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, 2 * CARD), ylim=(2 * TALL, 0))
        axis.set_axis_off()
        boxes.append(piece.paint(axis, CARD, TALL))
        figure.canvas.draw()
        for artist in (*axis.lines, *axis.patches, *axis.texts):
            left, top, right, bottom = axis.transData.inverted().transform(artist.get_window_extent()).flat
            top, bottom = sorted((top, bottom))
            assert left >= CARD / 2 - 1
            assert right <= 1.5 * CARD + 1
            assert top >= TALL / 2 - 1
            assert bottom <= 1.5 * TALL + 1
        return "a piece"

    draw(2 * CARD / PIXELS_PER_INCH, 2 * TALL / PIXELS_PER_INCH, paint)
    assert (boxes[0] is None) == (piece.name == "Attention")


def test_a_badge_stands_below_a_piece_or_in_it_and_not_twice():
    for piece in PIECES:
        assert piece.marked is None or piece.marked in piece.chapters
        assert piece.marked not in below(piece)
    shown = [chapter for piece in PIECES for chapter in below(piece)]
    assert shown == sorted(shown)  # left to right, as they are read


def test_numbers_on_badges_are_large_enough():
    assert 2 * BADGE >= 20
