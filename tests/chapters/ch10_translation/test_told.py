"""Numbers and tables of the chapter: against the records they come from."""

import json
from pathlib import Path

import numpy as np
import pytest

from course_lib.chapters.ch10_translation import told

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


def test_alignment_names_the_best_head():
    rows = told.alignment_table(RESULTS).rows
    assert len(rows) == 6
    for seed, (name, best, where, worst) in enumerate(rows[:3]):
        errors = np.array(record(f"embedded/transformer-{seed}")["alignment_errors"])
        layer, head = np.unravel_index(errors.argmin(), errors.shape)
        assert (name, best, worst) == (
            f"Transformer, seed {seed}", f"{errors.min():.1%}", f"{errors.max():.1%}",
        )  # fmt: skip
        assert where == f"layer {layer}, head {head} of 8"
    assert rows[3][2] == "its only head"


def test_the_weakest_parts_are_the_weakest_of_some_model():
    table = told.weakest_table(RESULTS, n=1)
    assert 1 <= len(table.rows) <= 3
    for row in table.rows:
        assert all(share.endswith("%") for share in row[1:4])
    worst = min(
        np.median([q["greedy"]["exact_match"] for q in qualities])
        for qualities in zip(
            *(
                [
                    v
                    for k, v in record(f"embedded/gru-{seed}")["quality"].items()
                    if k.startswith("challenge_")
                ]
                for seed in range(3)
            ),
            strict=True,
        )
    )
    assert f"{worst:.0%}" in [row[3] for row in table.rows]


def test_real_numbers_are_lower_cased_bleu():
    found, stored = told.of_real(RESULTS), record("multi30k/gru-attention-0")
    quality = stored["quality"]["test_2016_flickr"]
    assert found["real_gru_attention_beam"] == quality["beam 5"]["bleu_lowercase"]
    assert found["real_gru_attention_1000"] == next(
        look["bleu"] for look in stored["history"]["validation"] if look["step"] == 1000
    )


def test_ablations_are_those_of_all_pairs():
    found = told.of_ablations(RESULTS)
    for name, run in {"whole": "transformer", "no_feed_forward": "transformer-no-feed-forward"}.items():
        quality = record(f"embedded/{run}-0")["quality"]
        assert found[f"bleu_{name}_longer"] == pytest.approx(quality["longer"]["greedy"]["bleu"])
