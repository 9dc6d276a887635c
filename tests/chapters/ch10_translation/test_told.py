"""Numbers and tables of the chapter: against the records they come from."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from course_lib.chapters.ch10_translation import hard_test, order, told
from course_lib.chapters.ch10_translation.runs import ABLATIONS
from course_lib.text.embedded import load_embedded
from course_lib.translator import Translator

RESULTS = Path(__file__).parents[3] / "results"


def record(name):
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def test_positions_are_those_of_the_records():
    found = told.of_positions(RESULTS)
    rows = record("embedded/order")["shifted"]["transformer-0"]
    for name, place in {"none": (0, 0), "source": (4, 0), "target": (0, 4), "both": (4, 4)}.items():
        (expected,) = [row["exact_match"] for row in rows if (row["source"], row["target"]) == place]
        assert found[f"shift_{name}"] == expected
    longer = record("embedded/squeezed")["counts"]["longer"]
    assert found["squeezed"] == sum(right for *_, right in longer) / 500
    assert found["squeezed_15"] == next(right / n for words, n, right in longer if words == 15)
    assert found["plain_15"] < found["squeezed_15"] / 3
    assert found["short_50"] < found["short_80"]
    assert found["shift_one"] == 0.975


def test_what_squeezing_brings_back_is_a_part_of_what_was_lost():
    found = told.of_positions(RESULTS)
    test, longer = (
        np.median(
            [record(f"embedded/transformer-{i}")["quality"][part]["greedy"]["exact_match"] for i in range(3)]
        )
        for part in ("test", "longer")
    )
    assert found["lost"] == pytest.approx(100 * (test - longer))
    assert found["back"] == pytest.approx(100 * (found["squeezed"] - longer))
    drawn = np.random.default_rng(0).binomial(500, found["squeezed"], 4000) / 5  # per cent of 500 sentences
    assert found["squeezed_error"] == pytest.approx(drawn.std(), rel=0.05)


def test_french_that_ends_behind_its_last_trained_position_is_counted_one_by_one():
    words = {
        part: [(len(p.source_tokens), len(p.target_tokens)) for p in load_embedded(part)]
        for part in ("train", "longer")
    }
    assert max(english for english, _ in words["train"]) == order.TRAINED == 12
    assert max(french for _, french in words["train"]) == 13
    beyond = [french * 12 / english > 13 for english, french in words["longer"]]
    assert told.of_positions(RESULTS)["french_beyond"] == sum(beyond) / len(beyond)


def test_the_order_turns_at_the_longest_trained_length():
    found, counts = told.of_positions(RESULTS), record("embedded/lengths")["counts"]
    for start, run in (("words", "transformer-0"), ("rival", "gru-attention-0")):
        shares = {n: right / total for n, total, right in counts[run]["test"]}
        assert (found[f"{start}_11"], found[f"{start}_12"]) == (shares[11], shares[12])
    assert found["words_11"] > found["rival_11"]
    assert found["words_12"] < found["rival_12"]


def test_speeds_are_ratios_of_the_record():
    found, speed = told.of_speed(RESULTS), record("embedded/speed")
    assert found["train_gru"] == speed["training"]["transformer"] / speed["training"]["gru"]
    pairs = [
        (ours, theirs)
        for of_models in speed["decoding"].values()
        for rival in ("gru", "gru-attention")
        for ours, theirs in zip(of_models["transformer"], of_models[rival], strict=True)
    ]
    assert (found["slower"], found["comparisons"]) == (sum(a < b for a, b in pairs), len(pairs))
    of_attention = [
        [a / b for a, b in zip(each["transformer"], each["gru-attention"], strict=True)]
        for each in speed["decoding"].values()
    ]
    assert found["write_1"] == min(row[0] for row in of_attention)
    assert found["write_64"] == max(row[2] for row in of_attention)


def test_the_rivals_got_more_time_than_the_transformer_by_the_stored_speeds():
    found, speed = told.of_speed(RESULTS), record("embedded/speed")["training"]
    for name, more in {"gru": 0.0961, "gru-attention": 0.0438}.items():
        short = name.replace("-", "_")
        assert found[f"fit_{short}"] == pytest.approx(24 * speed[name] / speed["transformer"])
        assert found[f"more_{short}"] == pytest.approx(more, abs=1e-4)


def test_the_table_of_speeds_has_a_row_for_each_measurement():
    table, speed = told.speed_table(RESULTS), record("embedded/speed")
    assert len(table.rows) == 1 + 2 * 3
    assert table.rows[0] == (
        "training",
        *(f"{speed['training'][n]:,.0f}" for n in ("transformer", "gru-attention", "gru")),
    )
    assert table.rows[1][0] == "writing 10 tokens, 1 sentence at a time"
    assert table.rows[6][1] == f"{speed['decoding']['40']['transformer'][2]:,.0f}"


def test_what_was_not_tried_is_a_dash():
    rows = {row[0]: row[1:] for row in told.tuning_table(RESULTS).rows}
    assert rows["wider"][0] == "–"
    expected = record("embedded/tuning-gru-dropout-0.2")["quality"]["val"]["greedy"]["bleu"]
    assert rows["dropout 0.2"][2] == f"{expected:.1f}"


def test_alignment_is_told_of_every_head_and_the_best_of_a_seed_is_bold():
    rows = told.alignment_table(RESULTS).rows
    assert len(rows) == 8 + 1
    for seed in range(3):
        errors = np.array(record(f"embedded/transformer-{seed}")["alignment_errors"])
        column = [row[1 + seed] for row in rows[:8]]
        assert [cell.strip("*") for cell in column] == [f"{error:.1%}" for error in errors.ravel()]
        assert [cell.startswith("**") for cell in column] == [*(errors == errors.min()).ravel()]
        ((of_gru,),) = record(f"embedded/gru-attention-{seed}")["alignment_errors"]
        assert rows[8][1 + seed] == f"{of_gru:.1%}"
    assert (rows[0][0], rows[5][0]) == ("Transformer, layer 0, head 0", "Transformer, layer 1, head 1")
    assert rows[8][0] == "GRU with attention, its only head"


def test_every_phenomenon_is_told_the_transformer_s_weakest_first():
    table = told.phenomena_table(RESULTS)
    assert len({row[0] for row in table.rows}) == len(table.rows) == 30
    first = [int(row[1].removesuffix("%")) for row in table.rows]
    assert first == sorted(first)
    for column, model in enumerate(("transformer", "gru-attention", "gru"), start=1):
        qualities = [record(f"embedded/{model}-{seed}")["quality"] for seed in range(3)]
        parts = [part for part in qualities[0] if part.startswith("challenge_")]
        medians = [np.median([q[part]["greedy"]["exact_match"] for q in qualities]) for part in parts]
        assert sorted(row[column] for row in table.rows) == sorted(f"{share:.0%}" for share in medians)


def test_without_residual_connections_the_held_out_loss_rises_while_training_s_falls():
    history = record("embedded/transformer-no-residual-0")["history"]
    found = told.of_no_residual(RESULTS)
    losses = {look["step"]: look["loss"] for look in history["validation"]}
    assert found["residual_held_out"] == losses[found["residual_step"]] == min(losses.values())
    assert found["residual_step"] == 1000
    assert found["residual_end"] == losses[4368] > found["residual_held_out"] + 1
    training = [look["loss"] for look in history["training"]]
    assert found["residual_training"] == training[-1] < training[len(training) // 2]


def test_real_numbers_are_lower_cased_bleu():
    found, stored = told.of_real(RESULTS), record("multi30k/gru-attention-0")
    quality = stored["quality"]["test_2016_flickr"]
    assert found["real_gru_attention_beam"] == quality["beam 5"]["bleu_lowercase"]
    assert found["real_gru_attention_1000"] == next(
        look["bleu"] for look in stored["history"]["validation"] if look["step"] == 1000
    )


def test_on_held_out_sentences_the_transformer_leads_at_each_look():
    names = ("transformer", "gru-attention", "gru")
    _, series = hard_test.curves(hard_test.found(RESULTS, names, "embedded"), "bleu")
    whole = [np.isfinite(rows).all(axis=0) for rows in series.values()]
    first, second, third = (np.median(rows[:, np.all(whole, axis=0)], axis=0) for rows in series.values())
    assert (first > second).all()
    assert (second > third + 10).all()


def test_without_feed_forward_networks_four_tenths_of_the_parameters_are_gone():
    """They stay in the model that lacks them, and nothing reads them."""
    whole = Translator.load(RESULTS / "embedded/transformer-0.safetensors")
    without = ABLATIONS["no feed-forward"].of(whole).model
    batch = torch.tensor([[7, 8, 9]]), torch.tensor([[1, 12]])
    before, total, idle = without(*batch), 0, 0
    for name, parameter in without.named_parameters():
        total += parameter.numel()
        if ".feed_forward." in name:
            idle += parameter.numel()
            torch.nn.init.normal_(parameter)
    assert torch.equal(without(*batch), before)
    assert idle / total == pytest.approx(0.4, abs=0.005)
