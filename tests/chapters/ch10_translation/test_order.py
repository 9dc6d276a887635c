"""Order and positions: what a model that sees no order gets, and what moving positions does, computed otherwise."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib.chapters.ch10_translation import order
from course_lib.chapters.ch10_translation.order import (
    SHIFTS,
    SHORT,
    WITHOUT_ORDER,
    counted_from,
    log_probabilities,
    order_measures,
    shift_measures,
    short_pairs,
    spaced,
    squeeze,
    squeeze_measures,
)
from course_lib.model import RecurrentConfig, RecurrentTranslator, Transformer, TransformerConfig
from course_lib.special_ids import BOS_ID, EOS_ID
from course_lib.text.embedded import REVERSALS, load_embedded, load_few, load_reversals
from course_lib.text.readers import SentencePair
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import normalise
from course_lib.translator import Translator

TWO = {"object": 2, "clause": 1}
REVERSED = [*load_reversals("object")[:2], *load_reversals("clause")[:1]]
WORDS = WordTokeniser.train([normalise(side) for pair in load_few() for side in (pair.source, pair.target)])


def untrained(position="sinusoidal", **more):
    shape = {
        "d_model": 16,
        "n_heads": 2,
        "d_ff": 16,
        "n_encoder_layers": 1,
        "n_decoder_layers": 1,
        "dropout": 0.0,
    }
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(len(WORDS), len(WORDS), position=position, **shape, **more))
    return Translator(model.eval(), WORDS, WORDS)


class Says:
    """Translates by a list: to the right, to what belongs to the other sentence, or to nothing known."""

    def __init__(self, monkeypatch, answers, likelier=1.0):
        each = [order._plain(pair) for both in REVERSED for pair in both]
        self.said = {}
        for i, (pair, answer) in enumerate(zip(each, answers, strict=True)):
            self.said[pair.source] = {"right": pair.target, "turned": each[i ^ 1].target, "wrong": "Non."}[
                answer
            ]
        own = {(pair.source, pair.target) for pair in each}
        monkeypatch.setattr(
            order,
            "log_probabilities",
            lambda translator, pairs: np.array([likelier * (tuple(pair) in own) for pair in pairs]),
        )

    def translate(self, sentences):
        return [self.said[sentence] for sentence in sentences]


def test_log_probabilities_are_those_of_one_sentence_at_a_time():
    translator = untrained()
    pairs = [SentencePair(normalise(p.source), normalise(p.target)) for p in load_embedded("test")[:40]]
    found = log_probabilities(translator, pairs)
    for pair, value in zip(pairs, found, strict=True):
        source = torch.tensor([[*WORDS.encode(pair.source), EOS_ID]])
        target = WORDS.encode(pair.target)
        logits = translator.model(source, torch.tensor([[BOS_ID, *target]]))[0]
        assert value == pytest.approx(
            -F.cross_entropy(logits, torch.tensor([*target, EOS_ID]), reduction="sum").item(), abs=1e-3
        )


def test_shares_are_counted_by_sentence_and_by_reversal(monkeypatch):
    says = Says(monkeypatch, ["right", "right", "right", "turned", "wrong", "wrong"])
    found = order_measures(says, REVERSED, TWO)
    assert found["all"] == {
        "n": 3,
        "exact_match": pytest.approx(3 / 6),
        "both": pytest.approx(1 / 3),
        "turned": pytest.approx(1 / 6),
        "prefers": 1.0,
    }
    assert found["object"] | {"n": 0} == {
        "n": 0,
        "exact_match": 0.75,
        "both": 0.5,
        "turned": 0.25,
        "prefers": 1.0,
    }
    assert found["clause"]["exact_match"] == 0
    told = [row["source"] for row in found["told"]]
    assert told == [normalise(pair.source) for both in REVERSED for pair in both]
    with pytest.raises(ValueError, match="reversals: expected 500, not 3"):
        order_measures(says, REVERSED)


def test_who_prefers_neither_counts_a_half(monkeypatch):
    found = order_measures(Says(monkeypatch, ["turned"] * 6, likelier=0.0), REVERSED, TWO)
    assert found["all"]["prefers"] == 0.5
    assert found["all"]["turned"] == 1.0


def test_a_model_without_positions_gets_the_floor_exactly():
    """Whatever its weights are: the encoder's outputs are the same, in another order."""
    reversals = [both for kind in REVERSALS for both in load_reversals(kind)[:10]]
    found = order_measures(untrained("none"), reversals, dict.fromkeys(REVERSALS, 10))
    for kind in ("all", *REVERSALS):
        assert found[kind]["prefers"] == WITHOUT_ORDER["prefers"] == 0.5
        assert found[kind]["both"] == WITHOUT_ORDER["both"] == 0
        assert found[kind]["exact_match"] <= WITHOUT_ORDER["exact_match"]
    seen = order_measures(untrained(), reversals, dict.fromkeys(REVERSALS, 10))
    assert seen["all"]["prefers"] != 0.5 or seen["object"]["prefers"] != 0.5


class TestPositions:
    def test_are_numbered_from_where_they_are_told(self):
        translator = untrained()
        model, ids = translator.model, torch.tensor([[7, 8, 9]])
        moved = counted_from(translator, 4, 2).model
        torch.testing.assert_close(moved.source_embedding(ids), model.source_embedding(ids, start=4))
        torch.testing.assert_close(moved.target_embedding(ids, start=1), model.target_embedding(ids, start=3))
        torch.testing.assert_close(model.source_embedding(ids), untrained().model.source_embedding(ids))

    def test_of_a_learned_table_are_other_rows(self):
        translator = untrained("learned", max_length=140)
        ids = torch.tensor([[7, 8]])
        difference = counted_from(translator, 4).model.source_embedding(
            ids
        ) - translator.model.source_embedding(ids)
        table = translator.model.source_embedding.positions.table
        torch.testing.assert_close(difference[0], table[4:6] - table[0:2])

    @pytest.mark.parametrize("position", ["rotary", "none"])
    def test_that_count_distances_or_nothing_can_be_moved_without_a_change(self, position):
        translator = untrained(position)
        source, target = torch.tensor([[7, 8, 9, 5]]), torch.tensor([[1, 7, 9]])
        moved = counted_from(translator, 4, 3)
        torch.testing.assert_close(
            moved.model(source, target), translator.model(source, target), atol=1e-5, rtol=1e-5
        )
        sentences = [pair.source for pair in short_pairs(load_embedded("test"), 20)]
        assert moved.translate(sentences, max_length=12) == translator.translate(sentences, max_length=12)

    def test_are_moved_in_decoding_as_in_training(self):
        """Greedy search with caches writes what one pass with the same positions finds likeliest."""
        moved = counted_from(untrained(), 4, 3)
        sentence = "The cat sleeps."
        said = moved.search([sentence], max_length=5)[0][0].ids
        assert said
        source = torch.tensor([[*WORDS.encode(sentence), EOS_ID]])
        logits = moved.model(source, torch.tensor([[BOS_ID, *said[:-1]]]))[0]
        logits[:, :2] = -torch.inf
        assert logits.argmax(dim=1).tolist() == said

    def test_belong_to_a_transformer_and_are_not_negative(self):
        gru = RecurrentTranslator(RecurrentConfig(len(WORDS), len(WORDS), d_model=8, d_hidden=8))
        with pytest.raises(ValueError, match="only a Transformer's positions have numbers"):
            counted_from(Translator(gru, WORDS, WORDS), 1)
        with pytest.raises(ValueError, match="source -1"):
            counted_from(untrained(), -1)

    def test_of_short_sentences_are_all_seen_in_training_when_numbered_from_4(self):
        few = load_few()
        longest = [max(len(getattr(pair, f"{side}_tokens")) for pair in few) for side in ("source", "target")]
        moved = [max(shift[i] for shift in SHIFTS) for i in (0, 1)]
        for most, shift, seen in zip(SHORT, moved, longest, strict=True):
            assert shift + most <= seen  # and an end or a beginning in front of it, in both
        pairs = short_pairs(load_embedded("test"))
        assert len(pairs) == 200
        assert max(len(WORDS.encode(pair.source)) for pair in pairs) <= SHORT[0]

    def test_measures_begin_with_what_the_model_does_unmoved(self):
        translator, pairs = untrained(), short_pairs(load_embedded("test"), 5)
        said = translator.translate([pair.source for pair in pairs])
        own = [SentencePair(pair.source, text) for pair, text in zip(pairs, said, strict=True)]
        found = shift_measures(translator, own, [(0, 0), (4, 0)])
        assert found[0] == {"source": 0, "target": 0, "exact_match": 1.0, "example": ""}
        assert found[1]["exact_match"] < 1
        assert " → " in found[1]["example"]


class TestSpacing:
    def test_half_a_step_is_half_the_angle(self):
        translator = untrained()
        model, closer = translator.model, spaced(translator, source=0.5, target=0.25).model
        ids = torch.full((1, 9), 7)
        torch.testing.assert_close(closer.source_embedding(ids)[0, ::2], model.source_embedding(ids)[0, :5])
        torch.testing.assert_close(closer.target_embedding(ids)[0, ::4], model.target_embedding(ids)[0, :3])
        torch.testing.assert_close(
            closer.target_embedding(ids[:, :1], 8)[0], model.target_embedding(ids)[0, 2:3]
        )

    def test_one_step_changes_nothing_and_other_positions_are_refused(self):
        translator = untrained()
        pairs = short_pairs(load_embedded("test"), n=5)
        sources = [pair.source for pair in pairs]
        assert spaced(translator).translate(sources) == translator.translate(sources)
        for other in (untrained("rotary"), untrained("none")):
            with pytest.raises(ValueError, match="sinusoidal positions that are added"):
                spaced(other, 0.5)

    def test_sentences_are_squeezed_by_their_length_and_stay_in_their_order(self, monkeypatch):
        steps = []

        class Says:
            def __init__(self, *step):
                self.step = step

            def translate(self, sentences):
                steps.append((len(sentences), *self.step))
                return [sentence.upper() for sentence in sentences]

        monkeypatch.setattr(order, "spaced", lambda translator, source, target: Says(source, target))
        pairs = [SentencePair(" ".join(["je"] * n), "") for n in (16, 3, 12, 16)]
        assert squeeze(untrained(), pairs) == [pair.source.upper() for pair in pairs]
        assert steps == [(1, 1.0, 1.0), (1, 1.0, 1.0), (2, 0.75, 0.75)]
        steps.clear()
        squeeze(untrained(), pairs[:1], ["target"])
        assert steps == [(1, 1.0, 0.75)]

    def test_measures_count_by_length(self, monkeypatch):
        monkeypatch.setattr(order, "spaced", lambda *_: untrained())
        monkeypatch.setattr(
            order, "squeeze", lambda translator, pairs, sides=("source", "target"): [p.target for p in pairs]
        )
        pairs = [SentencePair(normalise(p.source), normalise(p.target)) for p in load_embedded("longer")[:4]]
        found = squeeze_measures(
            untrained(), short_pairs(load_embedded("test"), n=2), {"longer": pairs}, (0.5,)
        )
        rows = found["counts"]["longer"]
        assert sum(n for _, n, _ in rows) == sum(right for _, _, right in rows) == 4
        assert (found["source"], found["target"]) == (1, 1)
        assert found["short"] == [{"step": 0.5, "exact_match": 0.0}]
        assert [each["after"] for each in found["examples"]] == [pair.target for pair in pairs[:3]]
