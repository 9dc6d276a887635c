"""The stored record is what training gives and what the chapter says."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters.ch12_to_today import language
from course_lib.chapters.ch12_to_today import record as records
from course_lib.chapters.ch12_to_today.switches import TODAY, build, ladder, n_parameters
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.typography import typeset_french


@pytest.fixture(scope="module")
def record():
    return records.stored()


class TestRecord:
    def test_has_every_model_and_seed(self, record):
        assert list(record["ladder"]) == list(ladder())
        for row in record["ladder"].values():
            assert len(row["val"]) == len(row["longer"]) == len(row["curve"]) == len(records.SEEDS)
            assert {len(curve) for curve in row["curve"]} == {language.STEPS // 20}
        for name in records.RATED:
            assert np.shape(record["rates"][name]) == (len(records.RATES), 1)

    def test_counts_are_those_of_the_models(self, record):
        for name, switches in ladder().items():
            model = build(switches, records.SIZES)
            assert record["ladder"][name]["parameters"] == n_parameters(model)
            numbers = sum(b.attention.W_K.out_features + b.attention.W_V.out_features for b in model.blocks)
            assert record["ladder"][name]["cache"] == 4 * numbers

    @pytest.mark.parametrize("name", ["2017", "untied"])
    def test_is_what_training_gives(self, record, name):
        """For one seed and the first steps."""
        found = records.run(ladder()[name], seed=1, stop_after=20)
        assert found["curve"] == pytest.approx(record["ladder"][name]["curve"][1][:1], rel=0.02)

    def test_a_copied_output_matrix_begins_as_a_tied_one_and_is_trained_so(self, record):
        tied = records.run(replace(TODAY, tie=True), seed=1, stop_after=20, learning_rate=0.0)
        found = records.run(TODAY, seed=1, stop_after=20, learning_rate=0.0, copied=True)
        assert found["curve"] == pytest.approx(tied["curve"], rel=1e-3)
        found = records.run(TODAY, seed=1, stop_after=20, copied=True)
        assert found["curve"] == pytest.approx(record["copied"]["curve"][1][:1], rel=0.02)
        assert len(record["copied"]["val"]) == len(records.SEEDS)

    def test_the_run_of_the_ladder_stands_among_those_at_other_rates(self, record):
        rates, losses = records.by_rate(record)
        assert rates == [1e-3, 3e-3, 1e-2, 3e-2]
        for name in records.RATED:
            assert losses[name][2] == record["ladder"][name]["val"][0]


class TestLanguage:
    def test_no_held_out_sentence_is_among_those_trained_on(self):
        texts = language.corpus().texts
        assert not set(texts["train"]) & (set(texts["val"]) | set(texts["longer"]))
        assert max(len(text.split()) for text in texts["train"]) < max(
            len(text.split()) for text in texts["longer"]
        )

    def test_the_ids_are_the_sentences(self):
        french = language.corpus()
        row = french.ids["val"][7].tolist()
        assert row[0] == BOS_ID
        assert EOS_ID in row
        assert typeset_french(french.tokeniser.decode(row)) == french.texts["val"][7]

    def test_the_loss_does_not_depend_on_padding_or_batches(self):
        model = build(TODAY, records.SIZES).eval()
        ids = language.corpus().ids["longer"][:300]
        padded = nn.functional.pad(ids, (0, 5), value=PAD_ID)
        one = language.held_out_loss(model, ids)
        assert language.held_out_loss(model, padded) == pytest.approx(one, rel=1e-5)
        with torch.no_grad():
            assert language.mean_loss(model, ids).item() == pytest.approx(one, rel=1e-4)

    def test_counted_pairs_beat_single_tokens_and_the_first_is_the_cross_entropy_of_the_shares(self):
        seen, unseen = torch.tensor([[1, 5, 6, 2], [1, 5, 7, 2]]), torch.tensor([[1, 5, 6, 2]])
        found = language.counting_losses(seen, unseen)
        shares = torch.tensor([3, 2, 3]) / (6 + language.N_VOCAB)  # 5, 6 and </s>, each seen once more
        assert found["counted tokens"] == pytest.approx(-shares.log().mean().item(), rel=1e-5)
        pairs = torch.tensor([1, 0.5, 1])
        assert found["counted pairs"] == pytest.approx(-((shares + pairs) / 2).log().mean().item(), rel=1e-5)

    def test_the_rate_rises_and_falls(self):
        shares = [language.schedule(step, 300) for step in range(300)]
        assert max(shares) == 1.0 == shares[language.WARM_UP - 1]
        assert all(np.diff(shares[: language.WARM_UP]) > 0)
        assert all(np.diff(shares[language.WARM_UP :]) < 0)


def test_numbers_that_are_told_follow_the_record(record):
    told = records.told(record)
    rows = record["ladder"]
    assert told["val_rotary"] == np.median(rows["rotary"]["val"])
    gaps = [longer - val for longer, val in zip(rows["rotary"]["longer"], rows["rotary"]["val"], strict=True)]
    assert told["gap_rotary"] == pytest.approx(np.median(gaps))
    before = list(ladder())[list(ladder()).index("rotary") - 1]
    assert told["by_rotary"] == pytest.approx(
        np.median(rows["rotary"]["val"]) - np.median(rows[before]["val"])
    )


class TestWhatTheChapterSays:
    """The sentences of the chapter, for every seed."""

    def rows(self, record, name, part="val"):
        return np.array(record["ladder"][name][part])

    @pytest.mark.parametrize(
        ("before", "after"),
        [("2017", "pre-norm"), ("no biases", "rotary"), ("GELU", "SwiGLU"), ("QK-norm", "untied")],
    )
    def test_after_four_switches_each_seed_is_better_than_each_before(self, record, before, after):
        assert self.rows(record, after).max() < self.rows(record, before).min()

    def test_an_output_matrix_of_its_own_and_its_own_start_both_help_in_each_seed(self, record):
        copied = np.array(record["copied"]["val"])
        assert self.rows(record, "untied").max() < copied.min()
        assert copied.max() < self.rows(record, "QK-norm").min()

    def test_rotary_positions_are_better_on_longer_sentences_which_stay_harder(self, record):
        assert self.rows(record, "rotary", "longer").max() < self.rows(record, "no biases", "longer").min()
        for name in ladder():
            assert self.rows(record, name, "longer").min() > self.rows(record, name).max()
        before = self.rows(record, "no biases", "longer") - self.rows(record, "no biases")
        for name in ("rotary", "untied"):
            assert (self.rows(record, name, "longer") - self.rows(record, name) < before).all()

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("pre-norm", "RMSNorm"),
            ("RMSNorm", "no biases"),
            ("rotary", "GELU"),
            ("grouped queries", "QK-norm"),
        ],
    )
    def test_some_switches_change_the_loss_by_less_than_the_seeds_differ(self, record, before, after):
        spread = max(np.ptp(self.rows(record, name)) for name in (before, after))
        assert abs(np.median(self.rows(record, after)) - np.median(self.rows(record, before))) < spread

    def test_grouped_queries_cost_a_little_in_each_seed_and_the_ranges_overlap(self, record):
        four, two = self.rows(record, "SwiGLU"), self.rows(record, "grouped queries")
        assert (two > four).all()
        assert two.min() < four.max()
