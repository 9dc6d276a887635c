"""The clinic's task against a loop over words, and each bug against what it is said to do."""

from dataclasses import fields

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from course_lib.chapters.ch09_transformer import bug_clinic as clinic
from course_lib.chapters.ch09_transformer.bug_clinic import (
    BUGS,
    ENGLISH,
    FRENCH,
    HEALTHY,
    NUMBERS,
    TEXT,
    Patient,
)
from course_lib.model import Parts, Transformer
from tests.support.compare import assert_close

BY_NAME = {bug.name: bug for bug in BUGS}


@pytest.fixture(scope="module")
def batch():
    return clinic.sentences(40, torch.Generator().manual_seed(0))


def patient(name: str) -> Patient:
    return Patient(BY_NAME[name] if name else HEALTHY, seed=3)


def test_the_last_word_comes_first(batch) -> None:
    lengths = set()
    for source, target_in, target_out in zip(batch.source, batch.target_in, batch.target_out, strict=True):
        words = clinic.in_words(source, ENGLISH).split()
        lengths.add(len(words))
        french = [NUMBERS[word] for word in [words[-1], *words[:-1]]]
        assert clinic.in_words(target_in, FRENCH).split() == ["<s>", *french]
        assert clinic.in_words(target_out, FRENCH).split() == [*french, "</s>"]
        assert (source[len(words) :] == 0).all()
    assert lengths == {3, 4, 5}


def test_as_text_is_both_sentences_on_one_line(batch) -> None:
    for line, source, target in zip(clinic.as_text(batch), batch.source, batch.target_out, strict=True):
        english, french = clinic.in_words(source, ENGLISH), clinic.in_words(target, FRENCH)
        assert clinic.in_words(line, TEXT) == f"<s> {english} = {french}"


def test_one_sentence_with_padding() -> None:
    batch = clinic.sentence("four five one two", padding=1)
    assert batch.source.tolist() == [[7, 8, 4, 5, 0]]
    assert clinic.in_words(batch.target_out[0], FRENCH) == "deux quatre cinq un </s>"


def test_there_are_ten_bugs_and_each_differs_from_the_library_in_one_place() -> None:
    assert len({bug.name for bug in BUGS}) == 10
    for bug in BUGS:
        changed = [
            f.name for f in fields(Parts) if getattr(bug.parts, f.name) is not getattr(Parts(), f.name)
        ]
        batch = clinic.sentence("one two nine")
        changed += ["model"] * (bug.model is not Transformer) + ["feed"] * (bug.feed(batch) is not batch)
        assert len(changed) == 1


def test_the_healthy_patient_is_the_library(batch) -> None:
    healthy = patient("")
    logits = healthy.model(batch.source, batch.target_in)
    assert torch.equal(healthy.logits(batch), logits)
    assert_close(healthy.logits_step_by_step(batch), logits)
    real = batch.target_out != 0
    expected = -logits.log_softmax(-1).gather(-1, batch.target_out.unsqueeze(-1)).squeeze(-1)[real].mean()
    assert_close(healthy.loss(batch), expected)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_patients_start_from_the_same_weights(bug) -> None:
    for mine, other in zip(Patient(bug).model.parameters(), Patient(HEALTHY).model.parameters(), strict=True):
        assert torch.equal(mine, other)


class TestBugs:
    def test_target_not_shifted(self, batch) -> None:
        ill = patient("target not shifted")
        assert torch.equal(ill.logits(batch), ill.model(batch.source, batch.target_out))

    def test_no_causal_mask(self, batch) -> None:
        (weights,) = patient("no causal mask").maps(batch).decoder
        assert (weights > 0).all()

    def test_mask_after_softmax(self, batch) -> None:
        (weights,) = patient("mask after the softmax").maps(batch).decoder
        (unmasked,) = patient("no causal mask").maps(batch).decoder
        assert_close(weights, unmasked.tril())

    def test_decoder_without_encoder(self, batch) -> None:
        ill = patient("decoder without encoder")
        other = clinic.Batch(batch.source.flip(0), batch.target_in, batch.target_out)
        lengths_alike = (batch.source != 0).sum(1) == (other.source != 0).sum(1)
        assert_close(ill.logits(batch)[lengths_alike], ill.logits(other)[lengths_alike])
        assert not torch.allclose(patient("").logits(batch), patient("").logits(other))

    def test_padding_mask_inverted(self, batch) -> None:
        (weights,) = patient("padding mask inverted").maps(batch).cross
        padding = (batch.source == 0)[:, None, None].expand_as(weights)
        assert (weights[~padding] == 0).all()
        assert_close(weights.sum(-1), padding.any(-1).float())

    def test_padding_not_masked(self, batch) -> None:
        maps = patient("padding not masked").maps(batch)
        assert (maps.cross[0] > 0).all()
        assert (maps.encoder[0] > 0).all()

    def test_no_positions(self, batch) -> None:
        ill = patient("no positions")
        table = ill.model.source_embedding.tokens.weight
        assert_close(ill.model.source_embedding(batch.source), table[batch.source] * 32**0.5)

    def test_no_residual_connections(self) -> None:
        ill = patient("no residual connections")
        block = ill.model.encoder[0]
        for sublayer in (block.attention.W_O, block.feed_forward.W_2):
            torch.nn.init.zeros_(sublayer.weight)
        x = torch.ones(1, 3, 32)
        assert (block(x)[0] == 0).all()
        healthy = ill.with_right_code().model.encoder[0]
        assert torch.equal(healthy(x)[0], x)

    def test_positions_start_over(self, batch) -> None:
        ill, healthy = patient("positions start over at each step"), patient("")
        assert torch.equal(ill.logits(batch), healthy.logits(batch))
        steps, right = ill.logits_step_by_step(batch), healthy.logits_step_by_step(batch)
        assert_close(steps[:, 0], right[:, 0])
        assert not torch.allclose(steps[:, 1], right[:, 1], atol=1e-2)

    def test_heads_merged_without_transposing(self) -> None:
        layer = patient("heads merged without transposing").model.encoder[0].attention
        x = torch.randn(3, 5, 32, generator=torch.Generator().manual_seed(1))

        def heads(projected: Tensor) -> Tensor:
            return projected.view(3, 5, 2, 16).transpose(1, 2)

        values = F.scaled_dot_product_attention(*(heads(W(x)) for W in (layer.W_Q, layer.W_K, layer.W_V)))
        assert_close(layer(x)[0], layer.W_O(values.reshape(3, 5, 32)))


def test_the_healthy_one_learns_and_the_one_without_shift_only_copies() -> None:
    healthy, copying = patient(""), patient("target not shifted")
    healthy.train()
    copying.train(range(60))
    assert healthy.exact() > 0.8
    assert healthy.exact(50, alone=True) > 0.8
    assert copying.losses[-1] < 0.05
    assert copying.exact() < 0.1


def test_a_bug_of_decoding_leaves_no_trace_in_training_and_can_be_mended() -> None:
    ill, healthy = patient("positions start over at each step"), patient("")
    ill.train(range(5))
    healthy.train(range(5))
    assert (ill.losses == healthy.losses).all()
    cured = ill.with_right_code()
    assert cured.bug is HEALTHY
    source = clinic.sentence("one two nine").source
    assert cured.write(source) == healthy.write(source)
