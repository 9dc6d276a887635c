"""What chapter 13 measured: the record's shape, that its code runs, and what its sentences rest on."""

import pytest
import torch

from course_lib.chapters.ch13_fast import record


@pytest.fixture(scope="module")
def stored():
    return record.stored()


def test_ratios_are_those_of_the_rounds():
    found = {"slow": [2.0, 6.0, 40.0], "fast": [1.0, 2.0, 4.0]}
    assert record.ratio(found, "slow", "fast") == 3.0
    assert record.middles(found) == {"slow": 6.0, "fast": 2.0}


def test_each_case_of_a_race_runs_in_each_round():
    order = []
    record.race({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, rounds=2)
    assert order == list("ababab")  # once more at first


def test_the_times_can_be_measured():
    assert record.passes(rows=(1, 2), rounds=1, matrices=2)["cold"][0] == 1.0
    caches = record.caches(length=8, rounds=1)
    assert set(caches["ratios"]) == set(record.CACHES)
    assert len(caches["one query at a time"]) == len(record.ALONE)
    assert record.tiles(lengths=(128,), rounds=1)["apart"] < 1e-4


def test_the_wider_memories_are_twice_as_wide_in_one_of_two(monkeypatch):
    trained = []
    monkeypatch.setattr(record.linear, "trained", lambda *given: trained.append(given))
    monkeypatch.setattr(record.linear, "recall", lambda model, pairs: 0.5)
    record.PARTS["wider"]()
    once, kind = record.linear.WIDTH, record.KINDS["linear"]
    keys = [(kind, 800, seed, 2 * once, once) for seed in range(3)]
    values = [(kind, 800, seed, once, 2 * once) for seed in range(3)]
    assert trained == keys + values


def test_what_is_said_of_the_times(stored):
    told = record.told(stored)
    assert told["cold_8"] < 4  # not 8 times as long
    assert told["fetching_1"] > 0.4 > 0.2 > told["fetching_64"]
    assert told["time_1"] < told["time_8"] < told["time_own"] == 1
    assert told["alone_8"] > 0.85  # the smaller cache by itself saves little
    assert (
        told["fused_4096"] < told["reused_4096"] < told["rows_4096"] < 1
    )  # writing all scores is not what costs
    assert told["reused_4096"] < min(told["tiles_4096"], told["large_4096"])
    assert 0.6 < told["shared_fetching"] < 0.7  # two thirds


def test_what_is_said_of_memories_and_guesses(stored):
    told = record.told(stored)
    assert told["softmax_64"] > 0.95
    assert told["linear_64"] < 0.6 < 0.95 < told["linear_4"] + 0.1
    assert told["linear_32_longer"] + 0.1 < told["wider_keys_32"] < told["softmax_32"]  # not the training
    assert abs(told["wider_values_32"] - told["linear_32"]) < 0.02  # nor the numbers kept
    assert told["small_different"] == told["counts_different"] == told["blind_different"] == 0
    assert told["small_4"] > told["counts_4"] > told["blind_4"] == 1


def test_the_memories_begin_as_the_record_says():
    few = record.recall(plan={2: (0,)}, kinds=["softmax"])
    assert few["pairs"] == list(record.PAIRS)
    again = record.recall(plan={2: (0,)}, kinds=["softmax"])
    assert few == again
    assert all(0 <= share <= 1 for share in few["softmax"]["2"][0])


def test_a_wider_memory_is_another_one():
    narrow, wide = (record.recall({30: (0,)}, ["linear"], width)["linear"]["30"][0] for width in (2, 16))
    assert narrow != wide


def test_benchmarks_are_ratios_of_medians(tmp_path):
    told = record.benchmarks()
    assert told["cache_alone"] > 1
    assert told["full_doubled"] > told["windowed_doubled"]
    assert torch.get_num_threads() >= 1
