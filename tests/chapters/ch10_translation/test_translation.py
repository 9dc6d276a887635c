"""What is measured of a translator: against sentences whose measures are known by construction."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters.ch10_translation.translation import (
    alignment_errors,
    decoding_speeds,
    faults,
    greedy_maps,
    kinds_of_error,
    quality,
    sentence_maps,
    with_hidden_words,
    with_one_word_hidden,
)
from course_lib.fast import start_decoding
from course_lib.model import (
    AttentionMaps,
    RecurrentConfig,
    RecurrentTranslator,
    Transformer,
    TransformerConfig,
)
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.embedded import load_embedded
from course_lib.text.readers import SentencePair
from course_lib.text.tokenisers import WordTokeniser
from course_lib.translator import Translator
from tests.support.tiny_training import PAIRS


@pytest.fixture(scope="module")
def pairs():
    return load_embedded("sources") + load_embedded("challenge_negation")[:40]


class Looks(nn.Module):
    """A model whose attention is given: `weights(source_ids, target_ids)` for each head of each layer."""

    def __init__(self, layers):
        super().__init__()
        self.layers = layers
        self.nothing = nn.Parameter(torch.zeros(1))

    def attention_maps(self, source, target_in):
        maps = [
            torch.stack(
                [torch.stack([head(s, t) for s, t in zip(source, target_in, strict=True)]) for head in heads],
                1,
            )
            for heads in self.layers
        ]
        return AttentionMaps([], [], maps)


def words_of(pairs):
    return WordTokeniser.train([text for pair in pairs for text in (pair.source, pair.target)])


def test_heads_that_look_where_the_gold_alignment_does_have_no_error(pairs):
    words = words_of(pairs)
    gold = {tuple(words.encode(pair.target)): pair.alignment for pair in pairs}

    def perfect(source, target_in):
        weights = torch.full((len(target_in), len(source)), 1e-3)
        ids = [i for i in target_in.tolist() if i > 1]
        for i, j in gold[tuple(ids)]:
            weights[j, i] += 1  # row j predicts word j
        return weights

    def shifted(source, target_in):
        return perfect(source, target_in).roll(1, dims=0)  # rows of the words that are read, not predicted

    translator = Translator(Looks([[perfect, shifted], [shifted]]), words, words)
    (first, second), (third,) = alignment_errors(translator, pairs)
    assert second == third > 0.5
    # a word with several gold links gets one, and each link it lacks counts
    links = sum(len(pair.alignment) for pair in pairs)
    found = sum(len({j for _, j in pair.alignment}) for pair in pairs)
    assert first == pytest.approx(1 - 2 * found / (found + links))


def test_a_real_model_gives_one_error_a_layer_and_head(pairs):
    words = words_of(pairs)
    shape = TransformerConfig(
        len(words), len(words), d_model=16, n_heads=4, d_ff=16, n_encoder_layers=1, n_decoder_layers=3
    )
    errors = np.array(alignment_errors(Translator(Transformer(shape), words, words), pairs))
    assert errors.shape == (3, 4)
    assert ((errors > 0.3) & (errors <= 1)).all()  # untrained
    without = RecurrentTranslator(RecurrentConfig(len(words), len(words), attention="none"))
    assert alignment_errors(Translator(without, words, words), pairs) == []


def test_tokens_that_are_not_words_are_refused(pairs):
    from course_lib.text.tokenisers import BPETokeniser

    pieces = BPETokeniser.train([text for pair in pairs for text in (pair.source, pair.target)], n_vocab=300)
    shape = TransformerConfig(
        len(pieces), len(pieces), d_model=16, n_heads=4, d_ff=16, n_encoder_layers=1, n_decoder_layers=1
    )
    with pytest.raises(ValueError, match="its tokens are not the words"):
        alignment_errors(Translator(Transformer(shape), pieces, pieces), pairs)


def test_quality_is_that_of_what_is_said():
    class Half:
        def translate(self, sentences, beam, alpha):
            assert (beam, alpha) == (5, 0.6)
            return [PAIRS[i].target if i % 2 else PAIRS[i].target.lower() for i in range(len(sentences))]

    measured = quality(Half(), PAIRS, beam=5, alpha=0.6)
    assert measured["n"] == 48
    assert measured["exact_match"] == 0.5
    assert measured["bleu"] < measured["bleu_lowercase"] == pytest.approx(100)
    assert "case:lc" in measured["signature_lowercase"]
    assert "case:mixed" in measured["signature"]


def test_decoding_speed_counts_the_tokens_asked_for():
    generated = []

    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.zeros(1))

    class Counting:
        def __init__(self, model, source):
            generated.append([len(source), 0])

        def step(self, tokens):
            generated[-1][1] += 1
            return torch.zeros(len(tokens), 5)

    start_decoding.register(Counter, Counting)
    words = WordTokeniser.train([pair.source for pair in PAIRS])
    counters = {name: Translator(Counter(), words, words) for name in "ab"}
    speeds = decoding_speeds(counters, [pair.source for pair in PAIRS[:3]], [1, 8], length=6, repeats=2)
    assert generated == [[1, 6]] * 4 + [[8, 6]] * 4
    assert all(len(speed) == 2 and min(speed) > 0 for speed in speeds.values())


def test_quality_takes_plain_pairs_too():
    class Parrot:
        def translate(self, sentences, beam, alpha):
            return sentences

    assert quality(Parrot(), [SentencePair("a", "a")])["exact_match"] == 1


@pytest.mark.parametrize(
    ("said", "reference", "kinds"),
    [
        ("le chat dort .", "le chat dort .", set()),
        ("la chat dort .", "le chat dort .", {"small word"}),
        ("La chat dort .", "Le chat dort .", {"small word"}),
        ("le chat dormir .", "le chat dort .", {"another ending"}),
        ("le chien dort .", "le chat dort .", {"another word"}),
        ("le chat le dort .", "le chat dort .", {"too much"}),
        ("chat dort .", "le chat dort .", {"left out"}),
        ("le dort chat .", "le chat dort .", {"another order"}),
        (
            "la maison blanc , je dors",
            "les maison blanche , dors",
            {"small word", "another ending", "too much"},
        ),
        ("le", "chat", {"another word"}),  # one of the two is no small word
        ("", "chat", {"left out"}),
    ],
)
def test_an_error_is_named(said, reference, kinds):
    assert kinds_of_error(said.split(), reference.split()) == kinds


def test_faults_are_the_sentences_that_are_not_exact():
    words = WordTokeniser.train(["le chat dort .", "la"])

    class Says:
        target_tokeniser = words

        def translate(self, sentences):
            return ["le chat dort .", "la chat dort ."]

    (fault,) = faults(Says(), [SentencePair("a", "le chat dort ."), SentencePair("b", "le chat dort .")])
    assert fault == ("b", "la chat dort .", "le chat dort .", {"small word"})


class TestHiding:
    """Hiding a word is the same as a source that is masked there."""

    def translator(self):
        words = WordTokeniser.train([text for pair in PAIRS for text in pair])
        torch.manual_seed(0)
        shape = TransformerConfig(len(words), len(words), d_model=16, n_heads=2, d_ff=16, n_encoder_layers=1)
        return Translator(Transformer(shape).eval(), words, words)

    def test_nothing_hidden_is_the_model_itself(self):
        translator = self.translator()
        words, model = translator.source_tokeniser, translator.model
        right = n = 0
        for pair in PAIRS[:10]:
            target = words.encode(pair.target)
            logits = model(
                torch.tensor([[*words.encode(pair.source), EOS_ID]]), torch.tensor([[BOS_ID, *target]])
            )
            right += int((logits[0].argmax(-1) == torch.tensor([*target, EOS_ID])).sum())
            n += len(target) + 1
        found = with_hidden_words(translator, PAIRS[:10], 0, 1)
        assert found["seen"] == pytest.approx(right / n)

    def test_what_is_hidden_is_what_the_head_looks_at(self, monkeypatch):
        """A decoder block that reports what it may look at."""
        translator, allowed = self.translator(), []
        block = translator.model.decoder[0]
        forward = block.forward
        monkeypatch.setattr(
            block, "forward", lambda x, m, mask, a: (allowed.append(a), forward(x, m, mask, a))[1]
        )
        pair = PAIRS[:1]
        words = translator.source_tokeniser
        ids = torch.tensor([[*words.encode(pair[0].source), EOS_ID]])
        target = torch.tensor([[BOS_ID, *words.encode(pair[0].target)]])
        looked = translator.model.attention_maps(ids, target).cross[0][0, 1].argmax(-1)
        allowed.clear()
        with_hidden_words(translator, pair, 0, 1)
        seen, at, another = (each[0].expand(target.shape[1], -1) for each in allowed[-3:])
        assert seen.all()
        for i, j in enumerate(looked.tolist()):
            assert (~at[i]).nonzero().flatten().tolist() == [j]
            assert (~another[i]).nonzero().flatten().tolist() == [(j + 1) % ids.shape[1]]

    def test_one_word_is_hidden_wherever_it_stands_and_nothing_else(self, monkeypatch):
        translator, allowed = self.translator(), []
        block = translator.model.decoder[0]
        forward = block.forward
        monkeypatch.setattr(
            block, "forward", lambda x, m, mask, a: (allowed.append(a), forward(x, m, mask, a))[1]
        )
        pair = PAIRS[0]
        english, french = (
            [piece.strip() for piece in translator.source_tokeniser.split(side)] for side in pair
        )
        found = with_one_word_hidden(translator, [pair], english[1], french[1])
        assert found["n"] == french.count(french[1])
        seen, word, behind = (each[0][0] for each in allowed[-3:])
        assert seen.all()
        at = [i for i, token in enumerate(english) if token == english[1]]
        assert (~word).nonzero().flatten().tolist() == at
        assert (~behind).nonzero().flatten().tolist() == [i + 1 for i in at]
        without = [SentencePair(english[0], pair.target)]
        assert with_one_word_hidden(translator, without, english[1], french[1])["n"] == 0

    def test_a_word_that_is_not_known_is_refused(self):
        with pytest.raises(ValueError, match="'zebra': expected one token"):
            with_one_word_hidden(self.translator(), PAIRS[:1], "zebra", "le")


def test_leaving_out_and_adding_are_each_other_s_mirror(pairs):
    for first, second in pairwise(pairs):
        there = kinds_of_error(first.target_tokens, second.target_tokens)
        back = kinds_of_error(second.target_tokens, first.target_tokens)
        assert ("left out" in there) == ("too much" in back)


class TestSentenceMaps:
    def translator(self, pairs):
        words = words_of(pairs)
        with torch.random.fork_rng():
            torch.manual_seed(0)
            shape = TransformerConfig(
                len(words), len(words), d_model=16, n_heads=4, d_ff=16, n_encoder_layers=1, n_decoder_layers=2
            )
            return Translator(Transformer(shape), words, words)

    def test_rows_and_columns_carry_their_words(self, pairs):
        found = sentence_maps(self.translator(pairs), "I love you.", "Je t’aime.")
        assert found.source == ["I", "love", "you", ".", "</s>"]
        assert found.read == ["<s>", "Je", "t'", "aime", "."]
        assert found.predicted == ["Je", "t'", "aime", ".", "</s>"]
        assert [len(kind) for kind in found[:3]] == [1, 2, 2]
        for kind in ("encoder", "decoder", "cross"):
            for weights in getattr(found, kind):
                assert weights.shape == (4, *map(len, found.words(kind)))
                np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)
        assert not np.triu(found.decoder[1], k=1).any()

    def test_the_row_of_a_word_is_the_step_that_predicts_it(self, pairs):
        """What is read later changes no row before: the row of t' has seen <s> and Je alone."""
        translator = self.translator(pairs)
        first = sentence_maps(translator, "I love you.", "Je t’aime.").cross[1]
        other = sentence_maps(translator, "I love you.", "Je dort chat.").cross[1]
        np.testing.assert_allclose(first[:, :2], other[:, :2], atol=1e-6)
        assert np.abs(first[:, 2] - other[:, 2]).max() > 1e-4

    def test_without_a_target_it_is_the_translators_own(self, pairs):
        translator = self.translator(pairs)
        ((said,),) = translator.search(["I love you."], max_length=120)
        assert sentence_maps(translator, "I love you.").ids == said.ids  # an untrained model comes to no end

    def test_a_sentence_without_a_word_is_refused(self, pairs):
        with pytest.raises(ValueError, match="source ' ': expected at least one word"):
            sentence_maps(self.translator(pairs), " ", "Je.")


def translator_of(pairs, kind):
    """An untrained translator whose distributions are far from even, so that it ends sentences."""
    words = words_of(pairs)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = {
            "transformer": lambda: Transformer(
                TransformerConfig(
                    len(words),
                    len(words),
                    d_model=16,
                    n_heads=2,
                    d_ff=16,
                    n_encoder_layers=1,
                    n_decoder_layers=2,
                )
            ),
            "gru": lambda: RecurrentTranslator(RecurrentConfig(len(words), len(words), 16, 16)),
        }[kind]()
    with torch.no_grad():
        model.output.weight.mul_(3)
    return Translator(model.eval(), words, words)


@pytest.mark.parametrize("kind", ["transformer", "gru"])
class TestGreedyMaps:
    def test_probabilities_are_those_of_decoding_step_by_step(self, pairs, kind):
        translator = translator_of(pairs, kind)
        words, model = translator.source_tokeniser, translator.model
        source, prefix = words.encode("I love you."), words.encode("Je t’aime")
        maps = greedy_maps(translator, source, prefix, max_length=9)
        with torch.no_grad():
            state = start_decoding(model, torch.tensor([[*source, EOS_ID]]))
            for token, found in zip([BOS_ID, *maps.ids], maps.probabilities, strict=False):
                logits = state.step(torch.tensor([token]))[0]
                logits[[PAD_ID, BOS_ID]] = -torch.inf
                np.testing.assert_allclose(found, logits.softmax(dim=0), atol=1e-6)
        assert maps.probabilities.shape == (len(maps.ids), len(words))

    def test_goes_on_from_the_beginning_with_the_likeliest_tokens(self, pairs, kind):
        translator = translator_of(pairs, kind)
        words = translator.source_tokeniser
        prefix = words.encode("La chatte")
        maps = greedy_maps(translator, words.encode("I love you."), prefix, max_length=9)
        assert maps.ids[: len(prefix)] == prefix
        assert maps.ids[len(prefix) :] == maps.probabilities.argmax(axis=1)[len(prefix) :].tolist()
        assert maps.predicted == words.tokens(maps.ids)
        assert maps.read == ["<s>", *maps.predicted[:-1]]

    def test_maps_are_those_of_the_whole_translation_fed_in(self, pairs, kind):
        translator = translator_of(pairs, kind)
        words = translator.source_tokeniser
        source, target = words.encode("I love you."), words.encode("Je t’aime.")
        maps = greedy_maps(translator, source, [*target, EOS_ID])
        assert maps.ids == [*target, EOS_ID]
        with torch.no_grad():
            expected = translator.model.attention_maps(
                torch.tensor([[*source, EOS_ID]]), torch.tensor([[BOS_ID, *target]])
            )
        for name in ("encoder", "decoder", "cross"):
            for ours, theirs in zip(getattr(maps, name), getattr(expected, name), strict=True):
                np.testing.assert_allclose(ours, theirs[0], atol=1e-6)
        given = sentence_maps(translator, "I love you.", "Je t’aime.")
        np.testing.assert_array_equal(given.probabilities, maps.probabilities)

    def test_one_that_is_cut_has_no_end(self, pairs, kind):
        translator = translator_of(pairs, kind)
        words = translator.source_tokeniser
        maps = greedy_maps(translator, words.encode("I"), words.encode("Je t’aime bien"), max_length=3)
        assert maps.predicted == ["Je", "t'", "aime"]
        assert maps.cross[0].shape[1:] == (3, 2)
