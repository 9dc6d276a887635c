"""The stored record is what training gives and what the chapter says, and the chapter's code is the library's."""

import itertools
import json

import nbformat
import numpy as np
import pytest
import torch

from course_lib.chapters.ch08_masking import language_model as lm
from course_lib.chapters.ch08_masking import record as records
from course_lib.chapters.ch08_masking.figures import TRAINED
from course_lib.fast import start_decoding
from course_lib.model import EncoderBlock, PositionalEncoding, attention, causal_mask, padding_mask
from course_lib.model.transformer import initialise
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from tests.support.editions import ROOT


@pytest.fixture(scope="module")
def record():
    return records.stored()


class TestRecord:
    def test_has_every_kind_and_seed(self, record):
        for kind in records.KINDS:
            rows = record["kinds"][kind]
            assert np.shape(rows["losses"]) == (records.N_SEEDS, lm.STEPS // 20)
            for name in records.MAIN:
                assert len(rows[name]) == records.N_SEEDS
        shape = (records.FEW_SEEDS, 2, len(records.CHECKPOINTS))
        for kind in ("mask", "no mask"):
            assert np.shape(record["longer"][kind]) == shape
        for runs in record["positions"].values():
            assert np.shape(runs) == (records.FEW_SEEDS, 2, len(records.FEW_STEPS))
        assert {n: len(shares) for n, shares in record["order"].items()} == {"1": 3, "2": 3}
        assert record["temperatures"]["temperatures"] == list(records.TEMPERATURES)
        assert record["times"]["lengths"] == list(records.LENGTHS)
        assert record["times"]["sizes"] == records.TIMED

    def test_is_what_training_gives(self, record):
        """As it is stored, for one seed and the first steps."""
        for kind in ("mask", "no shift"):
            told = records.kinds([kind], n_seeds=1, steps=40)
            np.testing.assert_allclose(
                told[kind]["losses"][0], record["kinds"][kind]["losses"][0][:2], rtol=0.02
            )

    def test_longer_training_begins_as_the_other(self, record):
        [run] = records.longer(n_seeds=1, checkpoints=(20,))["mask"]
        assert run[0][0] == pytest.approx(record["kinds"]["mask"]["losses"][0][0], rel=0.5)

    def test_the_ways_of_writing_are_timed_on_the_same_text(self):
        told = records.times((4, 8), {"d_model": 16, "n_heads": 2, "d_ff": 32, "n_layers": 2})
        assert max(told["apart"]) < 1e-4
        assert len(told["cache"]) == len(told["again"]) == 2


class TestWhatTheChapterSays:
    """The sentences of the chapter, for every seed."""

    def floor(self, part: int) -> float:
        return lm.lowest_loss(lm.held_out(lm.short_sentences().ids)[part])

    def test_with_the_mask_no_loss_is_below_the_floor_and_without_it_all_are(self, record):
        for name, part in (("loss", 0), ("held_out", 1)):
            floor = self.floor(part)
            assert min(record["kinds"]["mask"][name]) > floor
            assert max(record["kinds"]["no mask"][name]) < 0.5 * floor
            assert max(record["kinds"]["no shift"][name]) < 0.05 * floor

    def test_writing_costs_what_training_did_only_with_mask_and_shift(self, record):
        kinds = record["kinds"]
        np.testing.assert_allclose(kinds["mask"]["writing"], kinds["mask"]["held_out"], rtol=2e-3)
        for kind in ("no mask", "no shift"):
            assert min(kinds[kind]["writing"]) > 2 * max(kinds["mask"]["writing"])

    def test_without_the_mask_it_predicts_the_word_that_it_sees(self, record):
        kinds = record["kinds"]
        assert min(kinds["no mask"]["follows"]) > 0.7
        assert max(kinds["mask"]["follows"]) < 0.1
        assert min(kinds["no mask"]["repeats"]) > 0.5
        assert max(kinds["mask"]["repeats"]) < 0.1

    def test_the_longer_with_the_mask_the_closer_to_the_floor_and_the_worse_on_the_others(self, record):
        runs = np.array(record["longer"]["mask"])  # (n_seeds, seen or held out, checkpoints)
        assert (np.diff(runs[:, 0]) < 0).all()
        assert (runs[:, 0] > self.floor(0)).all()
        assert (runs[:, 1, -1] > runs[:, 1].min(axis=1) + 0.1).all()

    def test_a_second_layer_finds_the_order_by_the_mask_alone(self, record):
        assert min(record["order"]["2"]) > 0.99
        names_the_commonest = records.commonest()
        assert all(abs(share - names_the_commonest) < 0.02 for share in record["order"]["1"])

    def test_short_sentences_do_not_need_positions(self, record):
        lowest = {name: np.array(runs)[:, 1].min(axis=1) for name, runs in record["positions"].items()}
        for layers in ("1", "2"):
            apart = abs(np.median(lowest[f"{layers} with"]) - np.median(lowest[f"{layers} without"]))
            assert apart < np.ptp(lowest[f"{layers} without"])

    def test_naming_the_commonest_is_right_as_often_as_counting_says(self):
        words = np.array(list(itertools.product(range(3), repeat=4)))
        counts = [np.bincount(row).max() for row in words]
        assert records.commonest(length=4, n_words=3) == pytest.approx(np.mean(counts) / 4)

    def test_the_cache_saves_more_the_longer_the_text(self, record):
        times = record["times"]
        ratio = np.array(times["again"]) / times["cache"]
        assert ratio[-1] > 5 * ratio[0]
        assert max(times["apart"]) < 1e-4


def test_the_writer_of_the_first_figure_was_trained_on_these_sentences():
    props = json.loads(TRAINED.read_text(encoding="utf-8"))
    assert props["vocabulary"] == lm.short_sentences().tokeniser.vocabulary
    assert [model["causal"] for model in props["models"]] == [True, False]


# ---- The chapter's own code ----


@pytest.fixture(scope="module")
def chapter() -> dict[str, object]:
    """What the cells that define the model, its training and its cache define."""
    notebook = nbformat.read(ROOT / "notebooks" / "08_masking.ipynb", as_version=4)
    names: dict[str, object] = {
        **{"torch": torch, "nn": torch.nn, "F": torch.nn.functional},
        **{"EncoderBlock": EncoderBlock, "PositionalEncoding": PositionalEncoding, "attention": attention},
        **{"causal_mask": causal_mask, "padding_mask": padding_mask, "initialise": initialise},
        **{"BOS_ID": BOS_ID, "EOS_ID": EOS_ID, "PAD_ID": PAD_ID},
    }
    for start, most in [
        ("class LanguageModel(", 20),
        ("def train(", 16),
        ("@torch.no_grad()\ndef step(", 12),
    ]:
        [source] = [cell.source for cell in notebook.cells if cell.source.startswith(start)]
        assert len(source.splitlines()) <= most
        exec(source, names)
    return names


def twin(chapter, library: lm.LanguageModel, causal: bool) -> torch.nn.Module:
    mine = chapter["LanguageModel"](library.config.n_vocab, causal)
    state = {
        name.replace("embedding.tokens.", "words."): value
        for name, value in library.state_dict().items()
        if name != "output.weight"
    }
    mine.load_state_dict(state)
    return mine.eval()


@pytest.mark.parametrize("causal", [True, False])
def test_the_model_of_the_chapter_is_the_library_s(chapter, causal):
    library = lm.untrained(20, seed=1, masked=causal)
    ids = torch.tensor([[BOS_ID, 7, 8, 9, EOS_ID], [BOS_ID, 5, EOS_ID, PAD_ID, PAD_ID]])
    torch.testing.assert_close(twin(chapter, library, causal)(ids), library(ids))


def test_the_training_of_the_chapter_is_the_library_s(chapter):
    ids = lm.held_out(lm.short_sentences().ids)[1]
    for shifted in (True, False):
        library = lm.untrained(400, seed=2)
        mine = twin(chapter, library, True)
        losses = chapter["train"](mine, ids, n_steps=6, shifted=shifted, seed=2)
        _, expected = lm.train(ids, 400, range(6), seed=2, shifted=shifted)
        np.testing.assert_allclose(losses, expected, rtol=1e-3)


def test_the_cache_of_the_chapter_is_the_library_s(chapter):
    library = lm.untrained(20, seed=3)
    mine = twin(chapter, library, True)
    ids = torch.randint(4, 20, (3, 6), generator=torch.Generator().manual_seed(3))
    caches = [[torch.zeros(3, 0, 48), torch.zeros(3, 0, 48)] for _ in range(2)]
    state = start_decoding(library)
    with torch.no_grad():
        for t in range(6):
            found = chapter["step"](mine, ids[:, t], caches)
            torch.testing.assert_close(found, state.step(ids[:, t]), rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(found, library(ids[:, : t + 1])[:, -1], rtol=1e-4, atol=1e-5)


def test_numbers_that_are_told_follow_the_record(record):
    told = records.told(record)
    assert told["mask_held_out"] == np.median(record["kinds"]["mask"]["held_out"])
    assert told["mask_held_out_perplexity"] == pytest.approx(np.exp(told["mask_held_out"]))
    i = records.LENGTHS.index(256)
    assert told["times_256"] == pytest.approx(record["times"]["again"][i] / record["times"]["cache"][i])
