"""The hard test read from its records: numbers, tables and pictures, whichever of them are there."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from course_lib.chapters.ch10_translation.figures import length_figure
from course_lib.chapters.ch10_translation.hard_test import (
    ABLATIONS,
    MEASURES,
    MODELS,
    POSITIONS,
    curves,
    found,
    numbers,
    share,
    shares,
    shifted,
    table,
    there,
)
from course_lib.chapters.ch10_translation.hard_test_figures import (
    COLOUR,
    ablations,
    learning,
    n_seeds,
    order,
    positions_moved,
    seed_dots,
)

RESULTS = Path(__file__).parents[3] / "results"


def said(picture):
    return picture.alt.replace("\xa0", " ")


def record(test, longer, both=0.0, prefers=0.5, moved=(), steps=300, looks=(10.0, 30.0, 20.0)):
    quality = {"test": test, "combinations": test / 2, "longer": longer}
    every = steps // len(looks)
    return {
        "quality": {part: {"greedy": {"exact_match": x, "n": 100}} for part, x in quality.items()},
        "order": {"all": {"n": 9, "exact_match": both, "both": both, "turned": 0.0, "prefers": prefers}},
        "shifted": [{"source": i, "target": 0, "exact_match": x} for i, x in enumerate(moved)],
        "steps": steps,
        "epochs": steps / 10,
        "history": {
            "validation": [
                {"step": every * (i + 1), "bleu": bleu, "loss": 1 / bleu} for i, bleu in enumerate(looks)
            ]
        },
    }


@pytest.fixture
def half(tmp_path):
    """Three seeds of one model, one of another, none of the others."""
    folder = tmp_path / "few"
    folder.mkdir()
    fell = (0.9, 0.8, 0.6, 0.5, 0.3)
    for name, each in {
        "transformer-0": record(0.60, 0.02, 0.5, 0.9, fell),
        "transformer-1": record(0.70, 0.04, 0.6, 0.95, fell),
        "transformer-2": record(
            0.65, 0.03, 0.55, 0.92, fell, steps=600, looks=(10.0, 20.0, 25.0, 40.0, 39.0, 38.0)
        ),
        "gru-attention-0": record(0.50, 0.30, 0.4, 0.8),
        "transformer-rotary-0": record(0.62, 0.10, 0.5, 0.9, (0.9,) * 5),
        "transformer-no-positions-0": record(0.30, 0.01, 0.0, 0.5, (0.4,) * 5),
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(each), encoding="utf-8")
    return tmp_path


class TestReading:
    def test_what_is_not_there_is_an_empty_list(self, half):
        records = found(half, MODELS)
        assert {name: len(each) for name, each in records.items() if each} == {
            "transformer": 3, "gru-attention": 1, "transformer-rotary": 1,
        }  # fmt: skip
        assert set(records) == set(MODELS)
        assert set(there(records, "few")) == {"transformer", "gru-attention", "transformer-rotary"}
        with pytest.raises(FileNotFoundError, match=r"no record of gru: `python tools/results.py 'few/\*'`"):
            there({"gru": []}, "few")

    def test_shares_are_those_of_the_records(self, half):
        (record,) = found(half, ["gru-attention"])["gru-attention"]
        assert [share(record, measure) for measure in MEASURES] == [0.5, 0.25, 0.3, 0.8, 0.4]
        with pytest.raises(ValueError, match="measure: expected one of test, "):
            share(record, "bleu")

    def test_what_an_older_record_lacks_is_left_out_or_measured_later(self, tmp_path):
        folder = tmp_path / "embedded"
        folder.mkdir()
        older = record(0.9, 0.3)
        del older["order"], older["shifted"]
        for seed in (0, 1):
            (folder / f"transformer-{seed}.json").write_text(json.dumps(older), encoding="utf-8")
        assert len(shares(found(tmp_path, ["transformer"], "embedded")["transformer"], "both")) == 0
        later = {"order": {"transformer-0": {"all": {"both": 0.7}}}, "shifted": {"transformer-0": []}}
        (folder / "order.json").write_text(json.dumps(later), encoding="utf-8")
        assert shares(found(tmp_path, ["transformer"], "embedded")["transformer"], "both").tolist() == [0.7]

    def test_numbers_have_the_median_and_the_range(self, half):
        told = numbers(half)
        assert told["few_transformer_test"] == pytest.approx(0.65)
        assert (told["few_transformer_test_low"], told["few_transformer_test_high"]) == (0.6, 0.7)
        assert told["few_transformer_seeds"] == 3
        assert told["few_transformer_shift_4"] == 0.3
        assert told["few_gru_attention_longer"] == 0.3
        assert "few_gru_attention_shift_4" not in told
        assert not any(name.startswith("few_gru_test") for name in told)

    def test_shifts_that_were_not_measured_are_not_numbers(self, half):
        records = found(half, ["transformer", "gru-attention"])
        assert shifted(records["transformer"], [(4, 0), (0, 4)])[:, 0].tolist() == [0.3] * 3
        assert np.isnan(shifted(records["transformer"], [(4, 0), (0, 4)])[:, 1]).all()
        assert np.isnan(shifted(records["gru-attention"], [(0, 0)])).all()
        assert shifted([], [(0, 0)]).shape == (0, 1)

    def test_a_curve_never_falls_and_goes_on_when_its_training_has_ended(self, half):
        passes, series = curves(found(half, ["transformer"]))
        assert passes.tolist() == [10, 20, 30, 40, 50, 60]
        assert series["transformer"][0].tolist() == [10, 30, 30, 30, 30, 30]
        assert series["transformer"][2].tolist() == [10, 20, 25, 40, 40, 40]
        _, losses = curves(found(half, ["transformer"]), "loss")
        np.testing.assert_allclose(losses["transformer"], 1 / series["transformer"])


class TestTable:
    def test_a_half_filled_table_has_the_runs_that_are_there(self, half):
        lines = repr(table(half)).splitlines()
        assert len(lines) == 2 + 2 + 1
        assert all(line.count("|") == len(MEASURES) + 3 for line in lines)
        assert lines[2].startswith("| whole | 3 | 65 % (60–70) | 32 % (30–35) | 3 % (2–4) | 92 % (90–95) |")
        assert "| no positions | 1 | 30 % | 15 % | 1 % | 50 % | 0 % |" in lines
        assert lines[-1] == "| *sees no order* |  |  |  |  | 50 % | 0 % |"

    def test_a_row_appears_in_its_place_once_its_record_is_stored(self, half):
        before = table(half, measures=["test", "longer"]).rows
        (half / "few/transformer-no-mask-0.json").write_text(json.dumps(record(0.07, 0.01)), encoding="utf-8")
        after = table(half, measures=["test", "longer"]).rows
        assert [row[0] for row in before] == ["whole", "no positions"]
        assert [row[0] for row in after] == ["whole", "no positions", "no mask"]
        assert after[2][1:4] == ("1", "7 %", "1 %")
        assert after[:2] == before

    def test_passes_are_told_where_runs_differ_in_them(self, half):
        names = {"transformer": "whole", "gru-attention": "rival"}
        assert table(half, names, measures=["test"]).head == ("", "seeds", "test")
        longer = record(0.07, 0.01, steps=600, looks=(10.0, 20.0))
        (half / "few/gru-attention-0.json").write_text(json.dumps(longer), encoding="utf-8")
        changed = table(half, names, measures=["test", "both"])
        assert changed.head == ("", "seeds", "test", "both orders exact", "passes")
        assert [row[-1] for row in changed.rows] == ["30", "60", ""]

    def test_what_was_not_measured_is_a_dash(self, half):
        older = record(0.9, 0.3)
        del older["order"]
        (half / "few/transformer-no-mask-0.json").write_text(json.dumps(older), encoding="utf-8")
        rows = {row[0]: row for row in table(half, measures=["test", "both"]).rows}
        assert rows["no mask"] == ("no mask", "1", "90 %", "–")

    def test_without_any_record_it_names_the_command(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"tools/results.py 'few/\*'"):
            table(tmp_path)


class TestPictures:
    def test_learning_tells_the_best_so_far(self, half):
        alt = said(learning(half))
        assert alt.startswith("Held-out BLEU in the end: Transformer 30, GRU with attention 30.")
        assert "Transformer (median of 3 seeds): from 10 at 10 to 30 at 60" in alt
        assert "GRU with attention: from 10 at 10 to 30 at 60" in alt

    def test_order_has_its_floor(self, half):
        alt = said(order(half))
        assert alt.startswith(
            "Who did what to whom: Transformer gets both sentences in 55 % of cases, without positions 0 %."
        )
        assert (
            "its own translation is likelier: Transformer 92.0 % (90.0 to 95.0), GRU with attention 80.0 %"
            in alt
        )
        assert "sees no order: 50 %." in alt

    def test_ablations_have_a_dot_a_seed(self, half):
        alt = said(ablations(half))
        assert alt.startswith("The whole translates 65 % of test sentences; no positions: 30 %.")
        assert "both of the same words: whole 55.0 % (50.0 to 60.0), no positions 0.0 %." in alt

    def test_positions_moved_name_who_falls_and_who_does_not(self, half):
        alt = said(positions_moved(half))
        assert alt.startswith(
            "The source counted from 4: sinusoidal falls from 90 % to 30 %, rotary from 90 % to 90 %."
        )
        assert "sinusoidal (median of 3 seeds): from 90 at 0 to 30 at 4" in alt
        with pytest.raises(FileNotFoundError, match="no record of gru"):
            positions_moved(half, ["gru"])

    def test_dots_say_what_is_missing_and_refuse_what_does_not_fit(self):
        nothing = np.array([])
        assert (
            said(seed_dots({"a": {"x": nothing}}, x_label="%")) == "Dots of %, one a seed. a: x not measured."
        )
        with pytest.raises(ValueError, match="all with the same names"):
            seed_dots({"a": {"x": nothing}, "b": {"y": nothing}}, x_label="%")
        with pytest.raises(ValueError, match="at least one"):
            seed_dots({}, x_label="%")

    @pytest.mark.parametrize("draw", [learning, order, ablations, positions_moved])
    def test_each_has_a_form_for_narrow_pages_that_says_the_same(self, half, draw):
        picture = draw(half, caption="What it shows.", number="10.1")
        assert picture.narrow is not None
        assert picture.narrow.alt == picture.alt
        assert (picture.figure_number, picture.caption) == ("10.1", "What it shows.")

    @pytest.mark.parametrize("draw", [learning, order, ablations, positions_moved])
    def test_none_is_drawn_of_nothing(self, tmp_path, draw):
        with pytest.raises(FileNotFoundError, match="no record of"):
            draw(tmp_path)

    def test_every_run_that_is_drawn_has_a_colour_or_the_last(self):
        assert set(COLOUR) <= set(MODELS) | set(ABLATIONS) | set(POSITIONS)
        assert max(COLOUR.values()) < 6


class TestWhatIsThere:
    """Of the records in the repository, whichever they are."""

    def test_all_of_it_can_be_drawn_and_tabulated(self):
        for corpus in ("few", "embedded"):
            there_are = n_seeds(RESULTS, corpus)
            repr(table(RESULTS, MODELS, corpus))
            if there_are["transformer"] or there_are["gru-attention"]:
                assert re.search(r"\d+ %", length_figure(RESULTS, corpus=corpus).alt.replace("\xa0", " "))
                learning(RESULTS, corpus=corpus)

    def test_whoever_sees_no_order_stays_at_the_floor(self):
        for corpus in ("few", "embedded"):
            for record in found(RESULTS, ["transformer-no-positions"], corpus)["transformer-no-positions"]:
                if "order" in record:
                    assert share(record, "prefers") == pytest.approx(0.5, abs=0.003)
                    assert share(record, "both") == 0
