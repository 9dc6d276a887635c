"""Captions: their unknown words, and those that are longer than any sentence in training."""

from pathlib import Path

import pytest

from course_lib.chapters.ch10_translation import real
from course_lib.text.tokenisers import WordTokeniser
from course_lib.translator import Translator

RESULTS = Path(__file__).parents[3] / "results"


class Echo:
    """Says what it hears."""

    source_tokeniser = WordTokeniser.train(["A dog runs."])

    def translate(self, sentences, max_length):
        return [sentence.upper() for sentence in sentences]


def test_captions_name_their_unknown_words():
    table = real.captions(Echo(), ("A dog runs.", "A cat runs along."))
    assert table.rows == (
        ("A dog runs.", "A DOG RUNS.", "none"),
        ("A cat runs along.", "A CAT RUNS ALONG.", "cat, along"),
    )


@pytest.fixture(scope="module")
def table():
    return real.captions(Translator.load(RESULTS / "embedded/transformer-0.safetensors"))


def test_only_the_long_caption_is_squeezed_too(table):
    assert [row[0] for row in table.rows] == [*real.CAPTIONS, "the same, squeezed"]


def test_the_forgotten_market_comes_back_when_the_caption_is_squeezed(table):
    plain, squeezed = table.rows[-2:]
    assert "marché" not in plain[1]
    assert squeezed[1] == plain[1].removesuffix(".") + " au marché."
