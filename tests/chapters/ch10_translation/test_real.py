"""Captions: unknown words, those longer than in training, and those of a corpus beside their references."""

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


def test_without_a_corpus_it_says_so(monkeypatch):
    monkeypatch.delenv("COURSE_CORPUS", raising=False)
    assert "COURSE_CORPUS names no folder" in repr(real.live(Echo()))


@pytest.mark.parametrize("by", ["argument", "environment"])
def test_captions_of_a_corpus_stand_beside_their_references(tmp_path, monkeypatch, by):
    (tmp_path / "val.en").write_text("A dog runs.\nA cat sits.\n", encoding="utf-8")
    (tmp_path / "val.fr").write_text("Un chien court.\nUn chat est assis.\n", encoding="utf-8")
    monkeypatch.setenv("COURSE_CORPUS", str(tmp_path) if by == "environment" else "")
    table = real.live(Echo(), n=1, corpus=tmp_path if by == "argument" else None)
    assert table.head[0] == "caption (25% of all words unknown)"  # cat and sits, of eight with the full stops
    assert table.rows == (("A dog runs.", "Un chien court.", "A DOG RUNS."),)
