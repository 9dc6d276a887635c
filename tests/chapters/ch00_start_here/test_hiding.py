"""Hiding a word from the decoder, and what the first page says of it."""

import pytest

from course_lib.chapters.ch00_start_here.hiding import (
    NOUNS,
    genders_told,
    sentences,
    taken_over,
    translate,
    weights_on,
)
from course_lib.translator import Translator
from tests.support.classroom import ROOT

SENTENCE = "The red car is in front of the white house."


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.load(ROOT / "results" / "embedded" / "transformer-0.safetensors")


def test_with_nothing_hidden_it_translates_as_the_translator_does(translator):
    for sentence in (SENTENCE, "My sister is happy.", "The cat that the dog chased is small."):
        assert translate(translator, sentence) == translator.translate([sentence])[0]


def test_the_place_of_a_hidden_noun_goes_to_whichever_other_there_is(translator):
    for noun, french in (
        ("house", "La maison rouge est devant la maison blanche."),
        ("chair", "La chaise rouge est devant la chaise blanche."),
        ("dog", "Le chien rouge est devant le chien blanc."),
        ("boy", "Le garçon rouge est devant le garçon blanc."),
    ):
        assert translate(translator, SENTENCE.replace("house", noun), hide="car") == french


def test_it_stays_empty_where_there_is_no_other(translator):
    assert translate(translator, "The red car is white.", hide="car") == "La rouge est blanche."


@pytest.mark.parametrize(
    ("word", "french"),
    [
        ("red", "La voiture est devant la maison blanche."),
        ("white", "La voiture rouge est devant la maison."),
        ("house", "La voiture rouge est devant la voiture blanche."),
        ("front", "La voiture rouge est dans la maison blanche."),
        ("is", "La voiture rouge dans la maison blanche."),
    ],
)
def test_the_answer_to_try_it_is_what_comes_out(translator, word, french):
    assert translate(translator, SENTENCE, hide=word) == french


def test_the_beginning_is_kept(translator):
    assert translate(translator, SENTENCE, begin="Cette").startswith("Cette voiture")


def test_a_word_that_is_not_there_cannot_be_hidden(translator):
    with pytest.raises(ValueError, match=r"hide is 'cat': expected a word of 'The red car"):
        translate(translator, SENTENCE, hide="cat")


def test_only_a_transformer_has_words_to_hide():
    gru = Translator.load(ROOT / "results" / "embedded" / "gru-attention-0.safetensors")
    with pytest.raises(TypeError, match="gru: expected a Transformer"):
        translate(gru, SENTENCE)


@pytest.mark.parametrize("noun", NOUNS)
def test_the_gender_of_a_hidden_noun_is_known_and_the_noun_is_not(translator, noun):
    french = translate(translator, f"The red {noun} is white.", hide=noun)
    assert french.endswith("est blanche." if NOUNS[noun][0] == "La" else "est blanc.")
    assert NOUNS[noun][1] not in french


def test_genders_are_counted(translator):
    found = genders_told(translator)
    assert found == {"n_feminine": 40, "feminine": 40, "n_masculine": 40, "masculine": 40}


def test_every_head_gives_its_weight_to_the_noun(translator):
    weights = weights_on(translator, SENTENCE, "voiture", "car")
    assert len(weights) == 8
    assert min(weights) > 0.97


def test_take_overs_are_counted_by_gender(translator):
    found = taken_over(translator, n=12)
    assert found["n_same"] + found["n_different"] == 12
    assert found["same"] <= found["n_same"]
    most = found["n_different"]
    assert all(found[name] <= most for name in ("different", "different_second", "different_hidden"))
    assert found["different_hidden"] <= found["different_second"]
    assert list(sentences(3)) == list(sentences(3))


def test_gender_comes_through_the_other_words_vectors(translator):
    """Hidden from them, too, the noun leaves nothing: every adjective is masculine."""
    counts = genders_told(translator, from_encoder=True)
    assert (counts["n_feminine"], counts["feminine"]) == (40, 0)
    assert (counts["n_masculine"], counts["masculine"]) == (40, 40)


def test_nothing_hidden_from_the_encoder_is_nothing_hidden(translator):
    assert translate(translator, SENTENCE, from_encoder=True) == translator.translate([SENTENCE])[0]
