"""A sentence with attention, as the page draws it."""

import re

import numpy as np
import pytest

from course_lib.figures import Attended, sentence_with_attention
from course_lib.figures.page import PageFigure
from tests.support.page_figures import sentence

WORDS = ["The", "cat", "saw", "the", "cat"]


def shown(row, word=2) -> PageFigure:
    return sentence_with_attention(Attended(WORDS, {word: row}, word=word))


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ([0, 1, 0, 0, 0], "‘saw’ looks at ‘cat’ (word 2), 1 word back: 100 % of its weight"),
        ([0, 0.2, 0, 0, 0.8], "‘saw’ looks at ‘cat’ (word 5), 2 words ahead: 80 % of its weight"),
        ([0, 0.1, 0.9, 0, 0], "‘saw’ looks at itself: 90 % of its weight"),
        ([0.1, 0.2, 0.2, 0.4, 0.1], "‘saw’ spreads its weight; most, 40 %, goes to ‘the’, 1 word ahead"),
    ],
)
def test_the_title_says_where_the_word_looks(row, title):
    assert shown(row).title == title


def test_the_words_name_all_weights_that_can_be_seen_largest_first():
    assert shown([0.001, 0.3, 0.1, 0.0, 0.599]).alt == (
        "A sentence: The cat saw the cat. Weights of ‘saw’: ‘cat’ (word 5) 60 %, ‘cat’ (word 2) 30 %, ‘saw’ 10 %."
    )


def test_another_sentence_brings_its_own_word_and_a_word_without_weights_does_not_look():
    figure = sentence()
    figure.state = {"sentence": 0}
    assert figure.title == "‘is’ looks at ‘hearing’, 1 word back: 78 % of its weight"
    figure.state = {"sentence": 0, "word": 0}
    assert figure.title.startswith("‘The’ looks at ‘hearing’, 1 word ahead")
    alone = shown([0, 1, 0, 0, 0])
    before = alone.title
    alone.state = {"word": 0}
    assert alone.title == before


def thick(row) -> list[float]:
    return [float(width) for width in re.findall(r'<path [^>]*stroke-width="([\d.]+)"', shown(row).svg)]


def test_an_arc_is_as_thick_as_its_weight_and_zero_is_paper():
    thin, thick_one = thick([0, 0.75, 0.25, 0, 0])
    assert (thick_one - 1) / (thin - 1) == pytest.approx(3)  # above a hairline
    assert shown([0, 0.75, 0.25, 0, 0]).svg.count("<path") == 2


def test_nine_per_cent_look_thicker_than_three():
    three, nine, most = thick([0.03, 0.09, 0, 0, 0.88])
    assert nine > 1.4 * three
    assert most > 3 * nine


def test_what_is_written_adds_up():
    told = r"([\d.]+) %"
    for row in ([0.724, 0.024, 0.024, 0.024, 0.204], [0.026, 0.026, 0.026, 0.026, 0.896]):
        svg = re.sub(r"<title>.*?</title>", "", shown(row).svg).replace("\xa0", " ")
        assert sum(map(int, re.findall(told, svg))) == 100


@pytest.mark.parametrize(
    ("words", "weights", "word"),
    [
        ([], {}, 0),
        (["a", "b"], {0: [0.5, 0.5]}, 1),
        (["a", "b"], {0: [0.5, 0.5], 2: [1, 0]}, 0),
        (["a", "b"], {0: [1.0]}, 0),
        (["a", "b"], {0: [1.2, -0.2]}, 0),
        (["a", "b"], {0: [0.9, 0.9]}, 0),
        (["a", "b"], np.eye(3), 0),
        (["a", "b"], np.full((2, 2), np.nan), 0),
    ],
)
def test_what_does_not_fit_together_is_named(words, weights, word):
    with pytest.raises(ValueError, match="weights"):
        sentence_with_attention(Attended(words, weights, word))


def test_what_cannot_be_chosen_is_named():
    one = Attended(["a", "b"], np.eye(2), 0)
    with pytest.raises(ValueError, match="first is 1"):
        sentence_with_attention([one], first=1)
    with pytest.raises(ValueError, match="control is 'menu'"):
        sentence_with_attention([one, one], control="menu")


def test_a_sentence_takes_no_more_room_than_it_needs():
    def height(words: int) -> float:
        weights = np.eye(words)[1]
        found = sentence_with_attention(Attended(["word"] * words, {words - 1: weights}, words - 1))
        return float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', found.svg)[1])

    assert height(2) < height(8) < height(40)


def test_without_a_control_all_sentences_stand_under_one_another():
    found = [Attended(["the", noun, verb], {2: [0, 1, 0]}, 2, name) for noun, verb, name in (
        ("cat", "is", "singular"), ("cats", "are", "plural"))]  # fmt: skip
    figure = sentence_with_attention(found, control="none")
    assert figure.title == (
        "‘is’ looks at ‘cat’, 1 word back: 100 % of its weight; ‘are’ looks at ‘cats’, 1 word back: 100 % of its weight"
    )
    assert "the cat is. Weights of ‘is’: ‘cat’ 100 %. A sentence" in figure.alt
    assert "cats" in re.sub("<style.*?</style>", "", figure.svg, flags=re.DOTALL)
