"""What decides claims, compared with something independent, and tried where it has to find the other thing."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from course_lib import functional
from course_lib.chapters.ch04_self_attention.complexity import counted_multiply_adds, sequence
from course_lib.chapters.ch11_claims_revisited import (
    cost,
    history,
    order,
    records,
    share_of_the_square,
    transfer,
    weights,
    whole,
)
from course_lib.model import MultiHeadAttention


def true(found) -> dict[str, bool]:
    return {case.condition: case.true for case in found.cases}


class TestWeights:
    @pytest.mark.parametrize(
        ("wrong", "failing"),
        [(lambda x: x * 0, 3), (lambda x: np.exp(x - x.max()), 3), (functional.softmax, 0)],
    )
    def test_what_is_no_softmax_is_found_out(self, wrong, failing):
        assert sum(not case.true for case in weights.softmax_works(wrong).cases) == failing

    def test_components_of_trained_heads_that_keep_their_dependence_give_no_d_k(self):
        usual, dependent = (weights.score_variance(made, seeds=[0]).numbers for made in (True, False))
        assert 0.9 < usual["assumed_low"] < usual["assumed_high"] < 1.1
        assert dependent["assumed_low"] > 2

    def test_glorot_and_default_are_a_factor_of_nine_apart(self):
        """Uniform on ±√(6/2d) has variance 1/d, on ±1/√d a third: q and k together a ninth."""
        numbers = weights.score_variance(seeds=range(3)).numbers
        assert numbers["glorot"] / numbers["by_default"] == pytest.approx(9, rel=0.1)

    def test_that_a_number_can_be_chosen_can_come_out_false(self):
        found = true(weights.heads_and_filters())
        assert found["any number of them can be chosen, 1 to 8"]
        assert not found["any number of heads that share out 4 columns, as in PyTorch’s module"]
        assert weights._fit(lambda n: nn.MultiheadAttention(4, n), [1, 2, 4])

    def test_the_trained_heads_are_those_of_the_translator(self):
        heads, together = weights.trained_heads(n_sentences=3)
        assert len(heads) == 8
        assert (together == together.T).all()
        assert together.diagonal().all()


class TestOrder:
    def test_without_a_mask_no_stack_notices(self):
        for n_blocks in (1, 2, 3):
            assert order.same_words(n_blocks=n_blocks).numbers["stop_moves"] < 1e-9

    def test_under_a_mask_the_second_block_notices_and_the_first_does_not(self):
        assert order.same_words(causal=True, n_blocks=1).numbers["stop_moves"] < 1e-9
        assert order.same_words(causal=True, n_blocks=2).numbers["stop_moves"] > 1e-3

    def test_it_is_the_mask_of_the_first_block_that_brings_order_in(self):
        assert order.same_words(causal=(True, False)).numbers["stop_moves"] > 1e-3
        assert order.same_words(causal=(False, True)).numbers["stop_moves"] < 1e-9

    def test_with_positions_no_reading_is_the_same(self):
        assert order.same_words(positions=True).verdict == "does not hold"

    def test_a_control_tells_other_words_from_the_same(self):
        assert not order.same_words(seeds=[0]).cases[-1].true

    def test_wavelengths_reach_the_end_with_many_columns(self):
        assert order.wavelengths(d=2000).cases[0].true
        assert not order.wavelengths(d=1000).cases[0].true  # 1.8 % early

    def test_a_wider_tolerance_turns_the_verdict_on_wavelengths(self):
        assert order.wavelengths(within=0.04).verdict == "holds"
        assert order.wavelengths(within=0.03).verdict == "does not hold"

    def test_both_ways_of_counting_are_cases_of_the_flip_too(self):
        usual, flipped = order.wavelengths(), order.wavelengths(ends_met=True)
        assert [case.condition for case in usual.cases] == [case.condition for case in flipped.cases]
        assert flipped.numbers == pytest.approx({"longest": 10_000, "shortest": 1})

    def test_rotary_positions_alone_stop_at_four_times_the_length(self):
        found = true(order.longer("rotary"))
        assert found["rows are 2 times as long as in training"]
        assert not found["rows are 16 times as long as in training"]

    def test_a_lower_level_is_met(self):
        assert order.longer("sinusoidal", level=0.1).verdict == "holds"

    def test_a_gaussian_is_found_where_there_is_one(self):
        i = np.arange(100)
        values, vectors = np.linalg.eigh(np.exp(-((i[:, None] - i) ** 2) / 200))

        def bell(L: int, d: int) -> np.ndarray:
            return vectors * np.sqrt(np.maximum(values, 0))

        assert order.near_a_gaussian(bell).numbers["misfit"] < 0.01


class TestCost:
    @pytest.mark.parametrize(("L", "d"), [(5, 8), (32, 16)])
    def test_multiply_adds_are_those_that_pytorch_counts(self, L, d):
        layer = MultiHeadAttention(d, n_heads=1, bias=False)
        assert sum(cost.multiply_adds(L, d)) == counted_multiply_adds(layer, sequence(L, d))

    def test_the_parts_are_equal_at_twice_the_width(self):
        linear, of_pairs = cost.multiply_adds(2 * 24, 24)
        assert linear == of_pairs
        assert "1,024" in share_of_the_square(512).alt

    def test_a_window_counts_the_pairs_inside(self):
        _, of_pairs = cost.multiply_adds(10, 4, window=1)
        assert of_pairs == 2 * 4 * (3 * 10 - 2)


class TestWhole:
    @pytest.mark.parametrize("size", [0, 2, -1])
    def test_even_kernels_are_refused(self, size):
        with pytest.raises(ValueError, match=f"kernel_size is {size}"):
            whole.one_position_alone(size)

    def test_a_wide_kernel_hears_everything(self):
        assert whole.one_position_alone(15, seeds=[0]).numbers["rows"] == 8

    def test_attention_has_a_third_of_an_encoder_s_layer_and_half_of_a_decoder_s(self):
        numbers = whole.solely_attention().numbers
        assert numbers["share_encoder"] == pytest.approx(1 / 3, abs=0.01)
        assert numbers["share_decoder"] == pytest.approx(1 / 2, abs=0.01)
        assert numbers["without_attention"] == 0 < numbers["with_attention"]

    def test_a_stricter_mask_does_not_hide_the_own_word(self):
        """It comes through the residual connection, and without one, as the query, where there is a choice."""
        usual, bare = (whole.hides_the_answer(step=-1, residual=residual) for residual in (True, False))
        assert usual.numbers["own"] > 0.5
        assert 0 < bare.numbers["own"] < 0.1
        assert bare.cases[1].outcomes == (True, True, False, False, False, False)

    def test_calls_are_listed_in_their_order(self):
        layer = nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
        x = torch.zeros(1, 3, 8)
        assert whole.calls(layer, x, x) == ["attention", "attention", "feed-forward"]

    def test_a_position_attends_to_the_word_it_reads_and_without_a_mask_to_later_ones(self):
        usual, unmasked = (whole.looks_back(mask).numbers for mask in (True, False))
        assert usual["later"] == 0 < usual["own"]
        assert unmasked["later"] > 0

    def test_a_network_that_takes_any_length_does_not_refuse(self):
        assert not any(case.true for case in whole.one_size_only(pooled=True).cases)


class TestTransfer:
    def test_the_answer_is_in_the_noun_and_not_in_the_first_word(self):
        sentences, plural = transfer.questions()
        assert len(sentences) > 400
        assert {sentence.split()[0] for sentence in sentences} == {"The"}
        assert 0.1 < plural.mean() < 0.9

    def test_a_constant_gets_one_half(self):
        y = np.arange(300) % 3 == 0
        assert transfer.balanced_accuracies(np.zeros((300, 4)), y) == [0.5] * 10

    def test_noise_tells_nothing_and_the_answer_all(self):
        rng = np.random.default_rng(0)
        y = rng.random(600) < 0.3
        noise = rng.standard_normal((600, 8))
        assert np.mean(transfer.balanced_accuracies(noise, y)) == pytest.approx(0.5, abs=0.05)
        assert np.mean(transfer.balanced_accuracies(noise + 6 * y[:, None], y)) > 0.97

    def test_too_few_examples_are_refused(self):
        with pytest.raises(ValueError, match="more than n_labels"):
            transfer.balanced_accuracies(np.zeros((200, 2)), np.arange(200) % 2 == 0)


class TestHistory:
    def test_papers_stand_by_date(self):
        assert [*history.PAPERS] == sorted(history.PAPERS, key=lambda paper: paper.month)
        assert history.first().authors == "Graves"
        assert history.first(by_content=True).authors == "Bahdanau"

    def test_relying_entirely_on_attention_was_not_new_but_for_transduction(self):
        """Parikh and others compare sentences without recurrence or convolution, and do not write any."""
        outcomes = [case.true for case in history.who_introduced_it(own_words=True).cases]
        assert outcomes == [True, False]
        assert history.first(within=True, alone=True).authors == "Parikh"

    def test_the_course_cuts_where_a_word_is_elided(self):
        assert history.cuts()["as the course does"][1:3] == ["t'", "aime"]


# ---- Records ----


def write(folder: Path, **scores: list[float] | dict[str, list[float]]) -> Path:
    """Write records as the long runs do: name → exact match of each seed, or part → that."""
    (folder / "embedded").mkdir(exist_ok=True)
    for name, exact in scores.items():
        name = name.replace("_", "-")
        by_part = exact if isinstance(exact, dict) else {part: exact for part in records.PARTS}
        for seed in range(len(by_part["test"])):
            record = {
                "parameters": 430_000 if "small" in name else 1_300_000 + seed,
                "quality": {part: {"greedy": {"exact_match": each[seed]}} for part, each in by_part.items()},
            }
            (folder / "embedded" / f"{name}-{seed}.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def write_speed(folder: Path, training: list[float], decoding: list[list[float]]) -> None:
    """Write speeds of the Transformer, the GRU with attention and, where three are given, the one without."""
    names = ("transformer", "gru-attention", "gru")[: len(training)]
    by_model = dict(zip(names, decoding, strict=True))
    record = {
        "training": dict(zip(names, training, strict=True)),
        "batch_sizes": [1, 64],
        "decoding": {"10": by_model, "40": by_model},
    }
    (folder / "embedded" / "speed.json").write_text(json.dumps(record), encoding="utf-8")


USUAL = {
    "transformer": [0.97, 0.98, 0.96],
    "gru_attention": [0.94, 0.95, 0.93],
    "gru": [0.7],
    "small_transformer": [0.94],
    "small_gru_attention": [0.84],
}


class TestRecords:
    def test_all_seeds_that_there_are_are_read_and_no_other_run(self, tmp_path):
        write(tmp_path, transformer=[0.5] * 11, transformer_no_mask=[0.1])
        write(tmp_path, small_transformer=[0.2])
        assert records.exact("transformer", "test", tmp_path) == [0.5] * 11
        assert len(records.runs("small-transformer", tmp_path)) == 1

    def test_a_missing_run_is_named(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"has no gru-0\.json: `make results`"):
            records.runs("gru", tmp_path)

    def test_fewer_parameters_hold_where_the_small_transformer_keeps_up(self, tmp_path):
        assert records.fewer_parameters(results=write(tmp_path, **USUAL)).verdict == "holds"

    @pytest.mark.parametrize(
        "changed",
        [
            {"small_transformer": [0.94, 0.80]},  # each seed counts
            {"small_transformer": [0.91]},
            {"small_gru_attention": [0.96]},  # then neither needs fewer
        ],
    )
    def test_and_do_not_where_it_does_not_or_the_other_does(self, tmp_path, changed):
        found = records.fewer_parameters(results=write(tmp_path, **USUAL | changed))
        assert [case.true for case in found.cases] == [
            False,
            False,
            False,
            True,
        ]  # the last: without attention

    @pytest.mark.parametrize("plain", [0.96, 0.98])
    def test_a_plain_gru_that_is_as_good_leaves_no_case(self, tmp_path, plain):
        folder = write(tmp_path, **USUAL | {"gru": [plain]})
        found = records.fewer_parameters(rival=records.WITHOUT_ATTENTION, results=folder)
        assert found.verdict == "does not hold"

    def test_each_part_of_the_corpus_is_a_case(self, tmp_path):
        longer = {"test": [0.94], "combinations": [0.94], "longer": [0.2]}
        found = records.fewer_parameters(results=write(tmp_path, **USUAL | {"small_transformer": longer}))
        assert found.verdict == "holds when"
        assert not true(found)[records.PARTS["longer"]]

    def test_a_model_that_is_not_smaller_does_not_count(self, tmp_path):
        folder = write(tmp_path, **USUAL)
        path = folder / "embedded" / "small-transformer-0.json"
        path.write_text(path.read_text().replace("430000", "700000"))
        assert records.fewer_parameters(results=folder).verdict == "does not hold"

    @pytest.mark.parametrize(
        ("training", "decoding", "failing"),
        [
            ([120, 100, 100], [[2, 2], [1, 1], [1, 1]], []),
            ([120, 100, 100], [[1, 2], [1, 1], [0.5, 1]], ["one sentence at a time"]),
            ([120, 100, 100], [[2, 2], [1, 1], [1, 3]], ["many sentences at a time"]),
            (
                [104, 100, 90],
                [[2, 2], [1, 1], [1, 1]],
                ["training, beside a GRU with attention"],
            ),  # not by 5 %
            ([120, 100, 130], [[2, 2], [1, 1], [1, 1]], ["training, beside a GRU without attention"]),
        ],
    )
    def test_speed_and_accuracy_are_counted_apart_and_beside_each_rival(
        self, tmp_path, training, decoding, failing
    ):
        folder = write(tmp_path, **USUAL)
        write_speed(folder, training, decoding)
        found = records.better_and_faster(results=folder)
        assert found.verdict == ("holds when" if failing else "holds")
        wrong = [case.condition for case in found.cases if not case.true]
        assert len(wrong) == len(failing)
        assert all(name in condition for name, condition in zip(failing, wrong, strict=True))

    def test_speeds_are_told_beside_the_rival_that_they_are_of(self, tmp_path):
        folder = write(tmp_path, **USUAL)
        write_speed(folder, [120, 100, 240], [[2, 2], [1, 4], [4, 8]])
        numbers = records.better_and_faster(results=folder).numbers
        assert (numbers["training"], numbers["training_plain"]) == (1.2, 0.5)
        assert (numbers["writing_low"], numbers["writing_high"]) == (0.5, 2)
        assert (numbers["n_slower"], numbers["n_writing"]) == (6, 8)
        alone = records.better_and_faster(rivals=[records.RIVAL], results=folder).numbers
        assert (alone["n_slower"], alone["n_writing"]) == (2, 4)

    @pytest.mark.parametrize("rivals", [[], ["gru", "lstm"]])
    def test_a_rival_that_was_not_trained_is_refused(self, rivals):
        with pytest.raises(ValueError, match="expected some of gru-attention, gru"):
            records.better_and_faster(rivals=rivals)

    def test_a_model_that_is_worse_and_slower_fails(self, tmp_path):
        folder = write(tmp_path, **USUAL | {"transformer": [0.6, 0.6]})
        write_speed(folder, [1, 2, 2], [[1, 1], [2, 2], [2, 2]])
        assert records.better_and_faster(results=folder).verdict == "does not hold"
