"""Speculative decoding writes what greedy search writes, whoever guesses."""

import pytest
import torch

from course_lib.chapters.ch13_fast import record, speculation
from course_lib.chapters.ch13_fast.record import DRAFTS
from course_lib.chapters.ch13_fast.speculation import Pass, shares, speculate
from course_lib.special_ids import BOS_ID, EOS_ID


@pytest.fixture(scope="module")
def models():
    return speculation.load_models()


@pytest.fixture(scope="module")
def plain(models):
    sentences = speculation.val_sentences(6)
    return speculation.sources(models[0], sentences), [found[0].ids for found in models[0].search(sentences)]


def draft_of(who, models, source):
    if who == "blind":
        return speculation.blind(3063)
    if who == "the end":
        return lambda ids, k: [EOS_ID] * k
    return speculation.small_model(models[who == "small model"], source)


@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("who", ["small model", "blind", "itself", "the end"])
def test_the_tokens_are_those_of_greedy_search(models, plain, who, k):
    for source, expected in zip(*plain, strict=True):
        ids, passes = speculate(models[0].model, source, draft_of(who, models, source), k)
        assert ids == expected
        assert sum(p.n_kept + 1 for p in passes) == len(expected) + 1
        if who == "itself":  # all guesses are kept
            assert len(passes) == -(-(len(expected) + 1) // (k + 1))
        if who == "the end":  # none is, and it ends where the large model ends
            assert len(passes) == len(expected) + 1


def test_counts_guess_what_followed_most_often(models):
    words = models[0].target_tokeniser
    ids = [BOS_ID, *words.encode("Je t'aime.")]
    assert speculation.counted(words)(ids, 2)[0] == EOS_ID  # behind the full stop


def test_a_guess_behind_a_wrong_one_is_not_counted():
    assert shares([Pass([5, 6, 7], 0, 9)]) == {"tokens_a_pass": 1.0, "kept": 0.0}
    assert shares([Pass([5, 6, 7], 2, 9)])["kept"] == pytest.approx(2 / 3)


@pytest.mark.share(2)
def test_the_small_model_learns_as_its_record_says(models):
    small, losses = speculation.train_draft(models[0], steps=2)
    assert losses == []  # told every 100 steps
    assert {p.shape for p in small.model.parameters()} == {p.shape for p in models[1].model.parameters()}
    assert all(torch.isfinite(p).all() for p in small.model.parameters())


@pytest.mark.share(2)
def test_the_record_begins_as_the_code_does():
    stored = record.stored()["speculation"]
    found, at = record.speculate(n=5, guesses=(4,), who=DRAFTS[:2]), stored["guesses"].index(4)
    for name in DRAFTS[:2]:
        assert found[name]["passes"][0] == stored[name]["passes"][at][:5]
