"""The record of the clinic: what it says of the patients, and that a small part of it comes out again."""

import itertools

import numpy as np
import pytest
import torch

from course_lib.chapters.ch09_transformer import bug_clinic, ward
from course_lib.chapters.ch09_transformer.bug_clinic import BUGS, HEALTHY, Patient
from course_lib.model import Parts
from course_lib.special_ids import BOS_ID, PAD_ID


@pytest.fixture(scope="module")
def record():
    return ward.stored()


@pytest.fixture(scope="module")
def told(record):
    return ward.told(record)


def test_it_was_made_as_the_module_says(record):
    assert record["seeds"] == ward.SEEDS
    assert record["steps"] == ward.STEPS
    assert record["sentences"] == ward.N_NEW
    assert len(record["patients"]) == len(BUGS) + 1
    for patient in record["patients"]:
        assert np.shape(patient["losses"]) == (ward.SEEDS, ward.STEPS // ward.WINDOW)
        assert np.shape(patient["own"]) == np.shape(patient["cross"]) == (5, 5)


@pytest.mark.parametrize("number", [0, 3])
def test_its_first_steps_come_out_again(record, number):
    found = ward.admitted(number, seeds=1, steps=20, n=4)
    np.testing.assert_allclose(found["losses"][0], record["patients"][number]["losses"][0][:2], rtol=0.02)


class TestWhatTheChapterSays:
    """Each statement in words that rests on the record; the notebook's own test compares its numbers."""

    def test_four_have_a_lower_loss_than_the_healthy_one_and_cannot_write(self, record, told):
        for number in (1, 2, 3, 9):
            assert max(record["patients"][number]["final"]) < min(record["patients"][0]["final"])
            assert max(record["patients"][number]["exact"]) < 0.2
            for what in ("final", "loss"):
                assert told[f"{what}_{number}"] < told[f"{what}_0"] / 2
        assert told["loss_10"] > told["loss_0"] / 2
        assert min(record["patients"][0]["exact"]) > 0.75

    def test_what_leaks_is_gone_in_the_right_code(self, told):
        for number in (1, 2, 3, 9):
            assert told[f"loss_{number}"] < 0.1
            assert told[f"mended_{number}"] > 1

    def test_the_third_reads_the_sums_and_not_only_them(self, record):
        third = record["patients"][3]
        for before, after, mended in zip(
            third["loss"], third["evened loss"], third["cured loss"], strict=True
        ):
            assert 3 * before < after < mended / 3

    def test_without_the_sums_it_is_worse_than_the_healthy_one(self, told):
        assert told["loss_3"] < told["loss_0"] < told["evened"] / 3

    def test_the_ninth_reads_later_words_and_the_third_the_padding_behind(self, record):
        """Each in its own code, so that nothing else is changed."""
        healthy, third, ninth = (record["patients"][number] for number in (0, 3, 9))
        for seed in range(ward.SEEDS):
            assert ninth["other words"][seed] > 5 * ninth["other earlier words"][seed]
            assert ninth["other words"][seed] > 20 * ninth["loss"][seed]
            assert third["other words"][seed] < 3 * third["loss"][seed]
            assert third["other padding"][seed] > 10 * third["other words"][seed]
            assert healthy["other words"][seed] == healthy["other padding"][seed]

    def test_the_sixth_orders_its_words_no_better_than_chance(self, told):
        assert told["exact_6"] < told["chance_6"] < told["words_6"] / 6

    def test_two_are_stuck_on_the_two_levels(self, record):
        from course_lib.chapters.ch09_transformer.clinic_figures import LEVELS

        for number, level in zip((4, 5), LEVELS.values(), strict=True):
            assert all(abs(final - level) < 0.1 for final in record["patients"][number]["final"])

    def test_one_of_them_knows_when_to_stop(self, told):
        assert told["length_5"] > 0.9
        assert told["length_4"] < 0.35

    def test_only_the_eighth_is_cured_by_the_right_code(self, record):
        assert record["patients"][8]["losses"] == record["patients"][0]["losses"]
        assert record["patients"][8]["cured"] == record["patients"][0]["exact"]
        for number in (1, 2, 3, 4, 5, 6, 7, 9, 10):
            assert max(record["patients"][number]["cured"]) < 0.5

    def test_the_tenth_needs_its_padding(self, record):
        tenth = record["patients"][10]
        assert min(tenth["exact"]) > 0.75
        assert max(tenth["alone"]) < 0.6
        assert min(record["patients"][0]["alone"]) > 0.75


def test_what_has_been_written_is_not_needed(record, told):
    assert len(record["reading nothing"]) == ward.SEEDS
    assert told["reading_nothing"] > told["exact_0"]
    batch = ward._start_mark_only(ward.new_sentences(5))
    assert (batch.target_in == BOS_ID).all()
    assert torch.equal(batch.target_out, ward.new_sentences(5).target_out)
    assert ward.reading_nothing(seeds=1, steps=1, n=20) == [0]


def test_the_chance_of_an_order_is_counted():
    """Against a listing of all orders of the words of each sentence."""
    chances = []
    for words in ward.words_of(ward.new_sentences(20).target_out):
        orders = list(itertools.permutations(words))
        chances.append(orders.count(tuple(words)) / len(orders))
    assert ward.chance_of_order(20) == pytest.approx(np.mean(chances))


def test_examined_counts_what_is_said():
    patient = Patient(HEALTHY)
    new = ward.new_sentences(20)
    expected = ward.words_of(new.target_out)
    for source, words in zip(new.source, expected, strict=True):
        real = [int(i) for i in source if i != PAD_ID]
        assert words == [real[-1], *real[:-1]]  # the same ids in both languages
    answers = {
        "exact": expected,
        "words": [list(reversed(words)) for words in expected],
        "length": [[4] * len(words) for words in expected],
    }
    patient.with_right_code = lambda: patient
    for name, written in answers.items():
        patient.write = lambda source, written=written: written
        found = ward.examined(patient, 20)
        assert found[name] == 1
        assert found["cured"] == found["exact"]
    only_long_enough = ward.examined(patient, 20)
    assert only_long_enough["exact"] < 0.2
    assert only_long_enough["words"] < 0.2


def test_hiding_a_word_is_what_a_mask_does():
    """Against a model that is asked anew with the word's key masked, sentence by sentence."""
    patient = Patient(HEALTHY, seed=2)
    patient.train(range(60))
    found = ward.with_hidden_words(patient, n=12)
    new = ward.new_sentences(12)
    right, n = 0, 0
    for b in range(12):
        source, target_in, target_out = new.source[b : b + 1], new.target_in[b : b + 1], new.target_out[b]
        (cross,) = patient.maps(bug_clinic.Batch(source, target_in, target_out[None])).cross
        for t in range(len(target_out)):
            if target_out[t] < bug_clinic.FIRST_WORD:
                continue
            allowed = source != PAD_ID
            allowed[0, cross[0].mean(0)[t].argmax()] = False
            model = patient.model
            x, memory = model.target_embedding(target_in), model.encode(source)
            past = torch.ones(len(target_out), len(target_out), dtype=torch.bool).tril()
            x, _, _ = model.decoder[0](x, memory, past, allowed[:, None])
            guess = model.output(model.decoder_norm(x))[0, t].argmax()
            right, n = right + int(guess == target_out[t]), n + 1
    assert found["looked at"] == pytest.approx(right / n)


def test_what_is_exchanged_stands_where_it_is_said(monkeypatch):
    """Against what the model is given: nothing at the position itself, and no word before it or behind it but those."""
    patient, new, given = Patient(HEALTHY), ward.new_sentences(8), []
    logits = patient.logits
    monkeypatch.setattr(patient, "logits", lambda batch: given.append(batch.target_in) or logits(batch))
    is_word = new.target_in >= bug_clinic.FIRST_WORD
    where = {
        "words": lambda at, t: (at > t) & is_word,
        "earlier words": lambda at, t: (at < t) & is_word,
        "padding": lambda at, t: (at > t) & (new.target_in == PAD_ID),
    }
    for change, allowed in where.items():
        given.clear()
        ward.with_later_changed(patient, change, n=8)
        assert len(given) == new.target_in.shape[1]
        moved = [fed != new.target_in for fed in given]
        at = torch.arange(new.target_in.shape[1]).expand_as(is_word)
        assert all(not (each & ~allowed(at, t)).any() for t, each in enumerate(moved))
        assert any(each.any() for each in moved)
        assert all((fed[allowed(at, t)] >= bug_clinic.FIRST_WORD).all() for t, fed in enumerate(given))


def test_even_sums_leave_what_is_masked_before_the_softmax_as_it_is():
    """Where all rows of a position have the same sum already, nothing changes: with one sentence."""
    patient = Patient(ward.bug_of(3), seed=1)
    one = bug_clinic.sentence("one two nine")
    other = Patient(bug_clinic.Bug("", "", "", Parts(attention_function=ward._even_sums)), seed=1)
    torch.testing.assert_close(other.logits(one), patient.logits(one))
    two = ward.new_sentences(2)
    (weights,) = other.maps(two).decoder
    sums = weights.sum(-1)
    torch.testing.assert_close(sums[0], sums[1])
    assert (patient.maps(two).decoder[0].sum(-1)[0] - sums[0]).abs().max() > 1e-3


def test_alone_is_exact_for_the_healthy_one():
    patient = Patient(HEALTHY)
    patient.train(range(40))
    assert ward.alone(patient, n=30) == pytest.approx(patient.exact(30))
