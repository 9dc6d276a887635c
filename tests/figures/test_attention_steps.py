"""Attention step by step, as the page draws it."""

import re
from itertools import pairwise

import numpy as np
import pytest

from course_lib import functional
from course_lib.chapters.ch02_attention.figures import attention_steps
from course_lib.figures.page import PageFigure
from tests.support.page_figures import attention_in_steps

WORDS = ["The", "cat", "saw", "the", "dog"]
EYE = np.eye(5, 4)
MATRICES = {"Q": EYE, "K": EYE, "V": EYE}


def drawn(figure: PageFigure) -> str:
    """The drawing without its typeface, in whose letters anything can be found."""
    return re.sub("<style>.*?</style>", "", figure.svg, flags=re.DOTALL)


@pytest.mark.share(2)
def test_title_and_words_say_what_functional_computes():
    figure = attention_in_steps()
    props = figure.given["props"]
    output, weights = functional.attention(props["Q"], props["K"], props["V"])
    for query, word in enumerate([*props["words"], *props["outside"]]):
        figure.state = {"query": query}
        for share in weights[query]:
            assert f"{100 * share:.0f} %" in figure.alt
        told = ", ".join(f"{entry:.2f}".rstrip("0").rstrip(".") for entry in output[query])
        assert f"Output, their sum: ({told})." in figure.alt
        assert f"‘{word}’" in figure.title
        assert f"({100 * weights[query].max():.0f} %)" in figure.title


def test_columns_have_the_names_they_are_given():
    figure = attention_in_steps()
    assert (
        "Entries of queries and keys: thing, event, time and function. Entries of values: law, now and"
        in figure.alt
    )
    assert {"thing", "event", "law", "singular"} <= set(re.findall(r">([^<]+)</text>", drawn(figure)))


@pytest.mark.share(2)
def test_each_step_says_more():
    figure = attention_in_steps()
    told = []
    for stage in ("scores", "weights", "values", "output"):
        figure.state = {"stage": stage}
        told.append((figure.title, figure.alt))
    assert told[0][0] == "‘hearing’ fits the query of ‘is’ best: score 2.00"
    assert {title for title, _ in told[1:]} == {"‘is’ looks mostly at ‘hearing’ (64 %)"}
    assert all(after.startswith(before) for (_, before), (_, after) in pairwise(told))


@pytest.mark.parametrize(
    ("state", "title"),
    [
        ({"query": 4}, "‘dog’ looks about equally at all 5 words that it may see"),
        ({"query": 2, "vector": [0, 0, 9, 0]}, "‘saw’ looks almost only at itself (96 %)"),
        ({"query": 0, "vector": [5, 0, 0, 0]}, "‘The’ (word 1) looks mostly at itself (75 %)"),
        ({"query": 1, "vector": [1, 0, 0, 1]},
         "‘cat’ looks about equally at ‘The’ (word 1) (26 %) and ‘the’ (word 4) (26 %)"),
        ({"query": 1, "vector": [0, 1, 0, 0]}, "‘cat’ looks more at itself than at any other word (29 %)"),
    ],
)  # fmt: skip
@pytest.mark.share(2)
def test_the_title_is_true_of_what_is_seen(state, title):
    figure = attention_steps(WORDS, **MATRICES, query=0)
    figure.state = state
    assert figure.title == title


def test_a_mask_hides_words_and_may_hide_all():
    mask = functional.causal_mask(5)
    mask[1] = False
    figure = attention_steps(WORDS, **MATRICES, query=0, mask=mask)
    assert figure.title == "‘The’ (word 1) may look only at itself"
    assert figure.alt.count("is masked") == 4 * 3  # scores, weights, values
    figure.state = {"query": 1}
    assert figure.title == "‘cat’ may look at no word, so its output is zero"
    assert "Output, their sum: (0, 0, 0, 0)." in figure.alt
    assert "NaN" not in drawn(figure) + figure.alt


def test_keys_and_values_can_be_changed_as_well():
    figure = attention_in_steps()
    props = figure.given["props"]
    keys, values = np.array(props["K"]), np.array(props["V"])
    keys[3], values[1] = [2, -1, 0, 0.5], [5, 0, -3]
    figure.state = {"keys": keys.tolist(), "values": values.tolist(), "edited": "values"}
    output, weights = functional.attention(props["Q"], keys, values)
    assert f"({100 * weights[2].max():.0f} %)" in figure.title
    told = ", ".join(f"{entry:.2f}".rstrip("0").rstrip(".") for entry in output[2])
    assert f"Output, their sum: ({told})." in figure.alt.replace("−", "-")
    assert "stroke-dasharray" in drawn(figure)


def test_what_asks_from_outside_has_no_key_and_gets_no_arc():
    figure = attention_in_steps()
    figure.state = {"query": 4}
    assert figure.title == "‘When?’ looks mostly at ‘today’ (84 %)"
    assert "Asking from outside: When?." in figure.alt
    assert "‘When?’ with key" not in figure.alt
    assert "NaN" not in drawn(figure)


def test_whatever_is_allowed_is_drawn_without_an_infinity():
    for words, width in (["a"], 1), (["incredible"] * 8, 4):
        matrix = np.full((len(words), width), -1234.5)
        svg = drawn(attention_steps(words, matrix, matrix, matrix, query=0))
        assert "NaN" not in svg
        assert "Infinity" not in svg


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"words": []}, r"words \[\]: expected"),
        ({"words": [*WORDS[:4], "unimaginable"]}, "1 to 10 characters"),
        ({"outside": ["unimaginable"]}, "1 to 10 characters"),
        ({"outside": ["Who?"]}, r"Q \(5, 4\): expected \(6, 1 to 4\)"),
        ({"Q": EYE[:4]}, r"Q \(4, 4\): expected \(5, 1 to 4\)"),
        ({"K": np.eye(5)}, r"K \(5, 5\): expected"),
        ({"K": EYE[:, :3]}, r"Q \(5, 4\), K \(5, 3\): expected the same width"),
        ({"V": [1, 2, 3, 4, 5]}, r"V \(5,\): expected"),
        ({"V": EYE * np.nan}, r"V \(5, 4\): expected finite"),
        ({"features": ["a"]}, r"features \['a'\]: expected 4, one for each column"),
        ({"meanings": ["a"]}, r"meanings \['a'\]: expected 4, one for each column"),
        ({"query": 5}, "query is 5: expected 0 to 4"),
        ({"mask": np.ones((5, 4), dtype=bool)}, r"mask \(5, 4\) of bool: expected \(5, 5\)"),
        ({"mask": np.ones((5, 5))}, r"mask \(5, 5\) of float64"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        attention_steps(**{"words": WORDS, **MATRICES, "query": 0, **change})


def test_on_a_phone_too_weight_times_value_shows_the_weight():
    figure = attention_in_steps()
    narrow = re.sub("<style>.*?</style>", "", figure._still()["narrow"], flags=re.DOTALL)
    texts = re.findall(r">([^<>]+)</text>", narrow)
    for share in re.findall(r"(\d+ %)", figure.alt.partition("Weights: ")[2].partition(".")[0]):
        assert texts.count(share) == 2 * len(
            re.findall(rf"\b{share}", figure.alt.partition("Weights: ")[2].partition(".")[0])
        )
    assert texts.count("×") == texts.count("=") == 4
    assert "→" not in texts


def test_what_asks_from_outside_says_so():
    assert "Asking from outside:" in drawn(attention_in_steps())
    assert "Asking from outside:" not in drawn(attention_steps(WORDS, **MATRICES, query=0))
