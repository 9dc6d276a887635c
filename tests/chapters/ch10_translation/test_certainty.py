"""Scores multiplied: what becomes of the weights, and that nothing else is changed."""

from pathlib import Path

import pytest
import torch

from course_lib.chapters.ch10_translation import certainty
from course_lib.chapters.ch10_translation.certainty import HARD, largest_weights, measured, multiplied
from course_lib.text.readers import read_corpus
from course_lib.translator import Translator

RESULTS = Path(__file__).parents[3] / "results"
IDS = torch.tensor([[7, 8, 9, 10]]), torch.tensor([[1, 12, 13]])


@pytest.fixture(scope="module")
def best():
    return Translator.load(RESULTS / "embedded/transformer-0.safetensors")


@pytest.fixture(scope="module")
def pairs():
    return read_corpus(None, "test")[:60]


def test_weights_are_those_of_the_multiplied_scores(best):
    """The logarithm of a weight is its score, but for a constant; the first block's queries are the same."""
    usual, quarter = (t.model.attention_maps(*IDS).cross[0] for t in (best, multiplied(best, 0.25)))
    expected = (usual.log() / 4).softmax(-1)
    torch.testing.assert_close(quarter, expected, rtol=1e-3, atol=1e-4)


def test_hard_is_one_at_the_largest(best):
    usual, hard = (t.model.attention_maps(*IDS).cross[0] for t in (best, multiplied(best, HARD)))
    assert torch.equal(hard.argmax(-1), usual.argmax(-1))
    assert hard.unique().tolist() == [0, 1]


def test_once_changes_nothing_and_the_given_translator_is_left_alone(best, pairs):
    before = best.translate([pair.source for pair in pairs])
    assert multiplied(best, 1).translate([pair.source for pair in pairs]) == before
    multiplied(best, 0)
    assert best.translate([pair.source for pair in pairs]) == before


def test_padding_and_its_words_do_not_count(best, pairs):
    together = largest_weights(best, pairs[:3])
    one_by_one = torch.cat([largest_weights(best, [pair]) for pair in pairs[:3]])
    torch.testing.assert_close(together.sort().values, one_by_one.sort().values, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("times", [-1, float("nan")])
def test_other_numbers_are_refused(best, times):
    with pytest.raises(ValueError, match="at least 0"):
        multiplied(best, times)


class TestWhatTheChapterSays:
    def test_weights_near_one_are_not_needed(self, best, pairs):
        found = {times: measured(best, pairs, times) for times in (1.0, HARD, 0.25)}
        assert found[1.0]["typical"] > 0.99
        assert found[0.25]["typical"] < 0.8
        exact = [each["exact"] for each in found.values()]
        assert max(exact) - min(exact) < 0.04

    def test_equal_weights_are_of_no_use(self, best, pairs):
        assert measured(best, pairs[:30], 0.0)["exact"] < 0.2


def test_every_change_has_its_words():
    rows = certainty.table({times: {"typical": 0.5, "exact": 0.25} for times in certainty.TIMES}).rows
    assert len({row[0] for row in rows}) == 5
