"""The fluffy cat: sentences, a test that cannot be answered from memory, and what is learned."""

import math
from collections import Counter

import pytest
import torch

from course_lib.chapters.ch04_self_attention import fluffy
from course_lib.text.embedded import load_nouns

CAT = fluffy.example("cat", "fluffy", "sleep")


def test_sentences_say_where_noun_and_adjective_stand():
    for frame in ("", *fluffy.FRAMES):
        for other, verb in [("", "run"), ("mouse", "chase")]:
            one = fluffy.example("dog", "lazy", verb, other, frame)
            assert (one.words[one.noun], one.words[one.adjective]) == ("dog", "lazy")
            assert one.words[one.noun + 1 : one.noun + 4] == (",", "which", "is")
    assert CAT.words == ("the", "cat", ",", "which", "is", "fluffy", ",", "sleeps", ".")
    both = fluffy.example("cat", "fluffy", "watch", "mouse", "again").words
    assert " ".join(both) == "the cat , which is fluffy , watches the mouse again ."


def test_genders_are_those_of_the_lexicon_and_show_in_french():
    genders = {noun.english[0]: noun.gender for noun in load_nouns()}
    for noun in fluffy.MASCULINE + fluffy.FEMININE:
        one = fluffy.example(noun, "fluffy", "sleep")
        gender = genders[noun]
        assert fluffy.ANSWERS["gender"][one.answer("gender")][0] == gender
        assert fluffy.ANSWERS["noun"][one.answer("noun")] == noun
        french = fluffy.in_french(noun, "fluffy", "sleep")
        assert ("duveteux" in french, "duveteuse" in french) == (gender == "m", gender == "f")
        for adjective in fluffy.ADJECTIVES:  # each has two forms, or there would be nothing to know
            masculine, feminine = (
                fluffy.in_french(n, adjective, "sleep").split("est ")[1] for n in ("dog", "cow")
            )
            assert masculine != feminine


@pytest.mark.parametrize("n_nouns", [1, 2])
def test_no_noun_of_a_tested_sentence_meets_its_adjective_in_training(n_nouns):
    def pairs(listed):
        animals = set(fluffy.MASCULINE + fluffy.FEMININE)
        return {(word, one.words[one.adjective]) for one in listed for word in one.words if word in animals}

    seen, unseen = (fluffy.examples(n_nouns, test=test) for test in (False, True))
    assert not pairs(seen) & pairs(unseen)
    assert ("cat", "fluffy") in pairs(unseen)
    assert len({one.words for one in seen + unseen}) == len(seen) + len(unseen)
    assert {word for one in unseen for word in one.words} <= {word for one in seen for word in one.words}
    lengths = {len(one.words) for one in seen}
    assert len(lengths) == 1
    answers = Counter(one.answer("gender") for one in seen), Counter(one.answer("gender") for one in unseen)
    assert all(count[0] == count[1] for count in answers)


@pytest.mark.parametrize("test", [False, True])
def test_each_bag_of_words_with_two_nouns_has_both_answers_equally_often(test):
    bags: dict[tuple[str, ...], list[int]] = {}
    for one in fluffy.examples(2, test=test):
        bags.setdefault(tuple(sorted(one.words)), []).append(one.answer("gender"))
    assert all(sorted(answers) == [0, 1] for answers in bags.values())


def test_other_numbers_of_nouns_are_refused():
    with pytest.raises(ValueError, match="n_nouns is 3"):
        fluffy.examples(3, test=True)


@pytest.mark.parametrize("positions", [False, True])
def test_without_positions_the_order_of_the_nouns_cannot_matter(positions):
    with fluffy.seeded(1):
        model = fluffy.Agreement("noun", positions)
    orders = [
        fluffy.example("cat", "fluffy", "chase", "mouse"),
        fluffy.example("mouse", "fluffy", "chase", "cat"),
    ]
    first, second = model(*fluffy.encode(orders))[0]
    assert torch.allclose(first, second, atol=1e-5) is not positions


def test_answers_are_read_at_the_adjective_and_weights_are_rows():
    run = fluffy.train(1, "noun", 0, steps=range(0))
    ids, adjective = fluffy.encode([CAT])
    logits, weights = run.model(ids, adjective)
    shifted, _ = run.model(ids, adjective + 1)
    assert not torch.allclose(logits, shifted)
    x = run.model.embedding(ids)
    scores = run.model.attention.W_Q(x)[0, CAT.adjective] @ run.model.attention.W_K(x)[0].T / math.sqrt(16)
    torch.testing.assert_close(weights[0, CAT.adjective], scores.softmax(-1))
    assert run.row(CAT).sum() == pytest.approx(1.0)
    assert run.looks_at(CAT) == CAT.words[int(scores.argmax())]


def test_one_noun_is_named_and_looked_at():
    run = fluffy.train(1, "noun", 0)
    assert run.accuracy > 0.9
    assert run.looks_at(CAT) == "cat"
    assert run.losses.shape == (200,)
    assert run.losses[-10:].mean() < 0.1 < 2 < run.losses[0]


def test_two_nouns_are_a_coin_toss_until_there_are_positions():
    blind, placed = (fluffy.train(2, "noun", 0, positions=positions) for positions in (False, True))
    assert blind.accuracy == pytest.approx(0.5, abs=0.02)
    assert placed.accuracy > 0.85
    assert placed.looks_at(fluffy.example("mouse", "fluffy", "chase", "cat")) == "mouse"


def test_the_same_seed_gives_the_same_model():
    first, same, other = (fluffy.train(1, "gender", seed, steps=range(5)) for seed in (3, 3, 4))
    assert (first.losses == same.losses).all()
    assert not (first.losses == other.losses).all()
