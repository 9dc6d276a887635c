"""The linear probe: against cases whose answer is known, and labels against the French side, which they do not use."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch10_translation import probe
from course_lib.model import RecurrentConfig, RecurrentTranslator, Transformer, TransformerConfig
from course_lib.special_ids import EOS_ID
from course_lib.text.embedded import load_embedded
from course_lib.text.tokenisers import WordTokeniser
from course_lib.translator import Translator
from tests.support.tiny_training import PAIRS


def clouds(n, d=8, distance=6.0, seed=0):
    """Two clouds of points, `distance` apart in a random direction."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.5
    direction = np.random.default_rng(99).normal(size=d)
    return rng.normal(size=(n, d)) + distance * y[:, None] * direction / np.linalg.norm(direction), y


class TestFit:
    def test_the_gradient_of_what_is_minimised_is_zero(self):
        x, y = clouds(60, distance=1.0)
        weights, offset = probe.fit_probe(x, y)
        error = 1 / (1 + np.exp(-(x @ weights + offset))) - y
        np.testing.assert_allclose(x.T @ error + weights, 0, atol=1e-4)
        assert abs(error.sum()) < 1e-4

    def test_it_draws_nothing(self):
        x, y = clouds(40)
        before = torch.get_rng_state()
        first, second = probe.fit_probe(x, y), probe.fit_probe(x, y)
        np.testing.assert_array_equal(first[0], second[0])
        assert torch.equal(before, torch.get_rng_state())

    @pytest.mark.parametrize("y", [np.ones(40, dtype=bool), np.zeros(39, dtype=bool)])
    def test_answers_that_are_all_alike_or_too_few_are_refused(self, y):
        with pytest.raises(ValueError, match="with both answers among y"):
            probe.fit_probe(clouds(40)[0], y)


class TestAccuracy:
    def test_what_is_separable_is_separated(self):
        shares = probe.probe_accuracies(*clouds(1000), *clouds(500, seed=1), n_labels=100, n_draws=4)
        assert shares.shape == (4,)
        assert shares.min() > 0.98

    def test_labels_without_a_relation_to_the_features_give_chance(self):
        x, y = clouds(1000)
        x_test, y_test = clouds(2000, seed=1)
        shuffled = np.random.default_rng(5).permutation(y)
        shares = probe.probe_accuracies(x, shuffled, x_test, y_test, n_draws=20)
        assert abs(shares.mean() - 0.5) < 0.1

    def test_the_scale_and_place_of_a_feature_do_not_matter(self):
        (x, y), (x_test, y_test) = clouds(300, distance=1.5), clouds(300, distance=1.5, seed=1)
        scale, place = np.logspace(-3, 3, 8), np.linspace(-50, 50, 8)
        moved = probe.probe_accuracies(x * scale + place, y, x_test * scale + place, y_test, 50, 3)
        np.testing.assert_allclose(moved, probe.probe_accuracies(x, y, x_test, y_test, 50, 3), atol=0.005)

    def test_draws_differ_and_the_seed_decides_them(self):
        data = (*clouds(300, distance=1.0), *clouds(300, distance=1.0, seed=1))
        first, again, other = (probe.probe_accuracies(*data, 20, 5, seed) for seed in (0, 0, 1))
        np.testing.assert_array_equal(first, again)
        assert len(set(first)) > 1
        assert list(first) != list(other)

    def test_more_labels_than_examples_are_refused(self):
        with pytest.raises(ValueError, match="n_labels is 41: expected 2 to 40"):
            probe.probe_accuracies(*clouds(40), *clouds(40), n_labels=41)


class TestLabels:
    def test_number_is_that_of_the_french_words_for_the_subject(self):
        """French shows number in the article; the label is made from the English noun alone."""
        singular, plural = {"le", "la", "l’", "un", "une"}, {"les", "des"}
        checked = {True: 0, False: 0}
        for pair in load_embedded("val"):
            answer = probe.subject_is_plural(pair)
            first = pair.target_tokens[0].lower()
            if answer is not None and pair.source_tokens[0] == "The" and first in singular | plural:
                assert (first in plural) == answer, pair.source
                checked[answer] += 1
        assert min(checked.values()) > 30

    def test_it_is_the_subject_that_counts_and_not_the_noun_beside_the_verb(self):
        pairs = load_embedded("challenge_distractor")
        found = [p for p in pairs if p.source.startswith("The ") and probe.subject_is_plural(p) is not None]
        words = [[w for w in p.source_tokens if w in probe.SINGULAR | probe.PLURAL] for p in found]
        mixed = [
            (p, w) for p, w in zip(found, words, strict=True) if len({n in probe.PLURAL for n in w}) == 2
        ]
        assert len(mixed) > 10
        for pair, nouns in mixed:
            owner = any(word in pair.source_tokens for word in ("’s", "’"))  # the neighbour’s umbrellas are …
            assert probe.subject_is_plural(pair) == (nouns[owner] in probe.PLURAL), pair.source

    def test_a_subject_of_two_nouns_has_no_answer(self):
        joined = [
            p for p in load_embedded("val") if p.source_tokens[0] == "The" and p.source_tokens[2] == "and"
        ]
        assert len(joined) > 3
        assert [probe.subject_is_plural(pair) for pair in joined] == [None] * len(joined)

    def test_tense_is_that_of_the_english_verb(self):
        told = {True: 0, False: 0}
        for pair in load_embedded("val"):
            answer = probe.is_past(pair)
            words = set(pair.source_tokens)
            if answer is not None:
                told[answer] += 1
                assert not (answer and words & {"am", "going", "must", "wants"}), pair.source
                assert answer or not words & {"did", "Did"}, pair.source
        assert min(told.values()) > 50

    def test_sentences_without_an_answer_are_left_out(self):
        pairs = load_embedded("sources")
        sentences, answers = probe.labelled(pairs, probe.subject_is_plural)
        assert sentences == [pair.source for pair in pairs[1:]]  # "I love you." has no noun
        assert answers.dtype == bool
        assert probe.labelled(pairs, probe.is_past).answers.tolist() == [False, False, False, True, True]

    def test_majority(self):
        assert probe.majority_share(np.array([True, True, False])) == pytest.approx(2 / 3)


class TestVectors:
    words = WordTokeniser.train([pair.source for pair in PAIRS])
    sentences = ("The cat sees the dog.", "The horse.", "The bird follows the bird.")

    @pytest.mark.parametrize("kind", ["transformer", "gru"])
    def test_they_are_means_over_the_tokens_of_a_sentence_alone(self, kind):
        n = len(self.words)
        with torch.random.fork_rng():
            torch.manual_seed(0)
            if kind == "transformer":
                model = Transformer(
                    TransformerConfig(
                        n, n, d_model=16, n_heads=2, d_ff=16, n_encoder_layers=1, n_decoder_layers=1
                    )
                )
            else:
                model = RecurrentTranslator(RecurrentConfig(n, n, 16, 10))
        translator = Translator(model.eval(), self.words, self.words)
        ids = [torch.tensor([[*self.words.encode(s), EOS_ID]]) for s in self.sentences]
        embedding = model.source_embedding.tokens if kind == "transformer" else model.source_embedding
        with torch.no_grad():
            encoded = [model.encode(i)[0].mean(0).numpy() for i in ids]
            embedded = [embedding(i)[0].mean(0).numpy() for i in ids]
        np.testing.assert_allclose(probe.mean_vectors(translator, self.sentences), encoded, atol=1e-5)
        embeddings = probe.mean_vectors(translator, self.sentences, of="embeddings")
        np.testing.assert_allclose(embeddings, embedded, atol=1e-5)

    def test_there_are_two_kinds(self):
        with pytest.raises(ValueError, match="of is 'words': expected 'encoder' or 'embeddings'"):
            probe.mean_vectors(None, [], of="words")


def test_two_sentences_of_the_same_words_have_different_answers():
    sentences, answers = probe.told_by_order()
    assert len(sentences) == len(set(sentences)) == 2 * 16 * 15
    for there, back in zip(sentences[::2], sentences[1::2], strict=True):
        assert sorted(there.lower().strip(".").split()) == sorted(back.lower().strip(".").split())
        assert there.lower() != back.lower()
    assert answers[::2].sum() == 0
    assert answers[1::2].all()
    known = set(" ".join(pair.source for pair in load_embedded("train")).replace(".", " ").split())
    assert {word for text in sentences for word in text.strip(".").split()} <= known
