"""What a word costs in writing: counts against a formula, and what the chapter says of the record."""

import pytest
import torch

from course_lib.chapters.ch10_translation import steps


@pytest.fixture(scope="module")
def record():
    return steps.stored()


@pytest.mark.parametrize("narrower", [1, 4])
def test_multiply_adds_of_a_transformer_are_those_of_the_formula(narrower):
    """A step behind ten words: four projections of its own, two of the cross-attention, whose keys are kept."""
    d, d_ff, n_own, n_source = 128 // narrower, 512 // narrower, 11, steps.N_SOURCE
    block = 6 * d * d + 2 * d * (n_own + n_source) + 2 * d * d_ff
    found = steps.counted(steps.built(steps.RESULTS, "transformer", narrower))
    assert found["multiply-adds"] == 2 * block + d * steps.N_VOCAB


@pytest.mark.parametrize("name", steps.NAMES)
def test_counts_come_out_again_and_a_narrow_model_has_as_many_operations(record, name):
    wide, narrow = (record["models"][name][width] for width in ("as wide", "narrow"))
    again = steps.counted(steps.built(steps.RESULTS, name))
    assert again["multiply-adds"] == wide["multiply-adds"]
    assert again["operations"] == pytest.approx(
        wide["operations"], rel=0.2
    )  # another PyTorch may differ a little
    assert narrow["operations"] == wide["operations"]
    assert narrow["multiply-adds"] < wide["multiply-adds"] / 6


def test_operations_are_counted_one_by_one():
    x = torch.ones(3)
    with steps._Operations() as operations:
        (x + 1).mul_(2).sum()
    assert operations.count == 3


def test_a_model_built_narrower_is_that():
    wide, narrow = (steps.built(steps.RESULTS, "gru", n).config for n in (1, 4))
    assert (wide.d_model, wide.d_hidden) == (4 * narrow.d_model, 4 * narrow.d_hidden)


class TestWhatTheChapterSays:
    def test_the_transformer_has_fewer_multiply_adds_and_more_operations(self, record):
        of = {name: widths["as wide"] for name, widths in record["models"].items()}
        for rival in ("gru-attention", "gru"):
            assert of["transformer"]["multiply-adds"] < of[rival]["multiply-adds"]
            assert of["transformer"]["operations"] > 1.5 * of[rival]["operations"]

    def test_with_one_sentence_much_of_the_time_stays_and_follows_the_operations(self, record):
        told = steps.told(record)
        assert told["work_left"] < 0.16
        assert 0.45 < told["left_1"] < 0.65
        assert told["left_64"] < 0.42
        assert told["each_high"] < 1.3 * told["each_low"]
        assert told["operations_transformer"] == 95

    def test_a_step_is_timed_at_each_size(self, record):
        assert record["batch_sizes"] == list(steps.SIZES)
        for widths in record["models"].values():
            assert all(len(found["microseconds"]) == len(steps.SIZES) for found in widths.values())


def test_the_table_has_a_row_for_each_model_and_width():
    rows = steps.table().rows
    assert [row[0] for row in rows[:3]] == ["Transformer", "GRU with attention", "GRU"]
    assert rows[0][1:3] == ("860,032", "95")
    assert rows[3][0] == "Transformer, 4 times narrower"
    assert len(rows) == 6
