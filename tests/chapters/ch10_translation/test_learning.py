"""The record of a training, begun again; and its figure, in words."""

from pathlib import Path

import numpy as np
import pytest

from course_lib.chapters.ch10_translation import learning, learning_figure, told
from course_lib.text.embedded import load_embedded
from course_lib.text.readers import read_corpus
from course_lib.training import TrainingConfig
from course_lib.translator import Translator

RESULTS = Path(__file__).parents[3] / "results"


@pytest.fixture(scope="module")
def stored():
    return learning.stored()


def test_the_code_still_gives_the_beginning_of_the_record(stored):
    for now, then in zip(learning.watched(learning.LOOKS[:2]), stored["looks"], strict=False):
        assert now["step"] == then["step"]
        assert now["loss"] == pytest.approx(then["loss"], abs=0.02)
        np.testing.assert_allclose(now["errors"], then["errors"], atol=0.03)


def test_the_english_counts_only_for_who_reads_it(stored):
    """Before training, another sentence's English is as good; a trained model's loss rises by much."""
    pairs = read_corpus(None, "val")[:60]
    trained = Translator.load(RESULTS / "embedded/transformer-0.safetensors")
    found = learning.loss_with_english(trained, pairs)
    assert found["own"] < 0.2
    assert found["another"] > found["own"] + 3
    newborn = learning.loss_with_english(learning.beginner(TrainingConfig()), pairs)
    assert newborn["another"] == pytest.approx(newborn["own"], abs=0.1)
    assert newborn["own"] == pytest.approx(stored["looks"][0]["loss"], abs=0.2)


def test_none_of_its_sentences_was_learned():
    known = {pair.source for pair in load_embedded("train")}
    assert not known & {pair.source for pair in learning.PAIRS}


def test_the_head_that_is_kept_aligns_best_in_the_end(stored):
    assert [look["step"] for look in stored["looks"]] == list(learning.LOOKS)
    errors = np.array(stored["looks"][-1]["errors"])
    assert errors[tuple(stored["head"])] == errors.min()
    for look in stored["looks"]:
        for weights in look["maps"]:
            np.testing.assert_allclose(np.sum(weights, axis=1), 1, atol=0.01)


def test_the_figure_tells_what_the_record_says(stored):
    figure = learning_figure(look=0, sentence=0)
    numbers = told.of_learning(stored)
    first, last = numbers["error_0"], numbers[f"error_{learning.LOOKS[-1]}"]
    assert f"{100 * last:.0f} % are wrong, at the start {100 * first:.0f} %" in figure.title
    assert "I love you . </s>, and Je t' aime . </s>" in figure.alt
    assert f"0: {100 * first:.0f} % of the links wrong" in figure.alt
    for look in stored["looks"]:
        assert f"writes {look['written'][0] or 'nothing'}" in figure.alt
    before = figure.svg
    figure.state = {"look": len(stored["looks"]) - 1, "sentence": 0}
    assert figure.svg != before
    figure.state = {"look": 3, "sentence": 0, "word": 1}
    assert "Drawn alone: ‘t'’." in figure.alt
