"""Longer than trained on: what the chapter says of its record, and that the record is what training gives."""

import nbformat
import numpy as np
import pytest
import torch

from course_lib.chapters.ch06_positional_encoding import lengths, positions
from course_lib.chapters.ch06_positional_encoding.lengths import KINDS, right
from course_lib.chapters.fit import seeded
from course_lib.model import EncoderBlock, PositionalEncoding
from tests.support.editions import ROOT


@pytest.fixture(scope="module")
def record():
    return lengths.stored()


class TestRecord:
    def test_has_every_kind_and_seed(self, record):
        for kind in KINDS:
            n = lengths.MAIN.get(kind, lengths.N_SEEDS)
            steps = lengths.LONG * (lengths.PACE if "start" in kind or "as long" in kind else 1)
            assert np.shape(record["right"][kind]) == (2, n, 2, len(lengths.LENGTHS))
            assert np.shape(record["by place"][kind]) == (2, n, 2, 2)
            assert np.shape(record["losses"][kind]) == (n, steps // 20)
        assert record["steps"] == [lengths.SHORT, lengths.LONG]

    def test_is_what_training_gives(self, record):
        """As it is stored, for one kind, seed and few steps only: the whole takes minutes."""
        told = lengths.record(["rotary"], n_seeds=1, short=20, long=40, n_words=512)
        np.testing.assert_allclose(told["losses"]["rotary"][0], record["losses"]["rotary"][0][:2], rtol=0.02)

    def test_hiding_nothing_changes_nothing(self, record):
        for kind in KINDS:
            np.testing.assert_array_equal(right(record, kind)[:, 0], right(record, kind, near=True)[:, 0])


class TestWhatTheChapterSays:
    """The sentences of section 8, for every seed."""

    @pytest.mark.parametrize("kind", ["learned", "sinusoidal", "rotary", "sinusoidal, appended"])
    def test_all_read_rows_as_long_as_in_training_and_none_reads_256(self, record, kind):
        for long in (False, True):
            shares = right(record, kind, long=long)
            assert shares[:, 0].min() > 0.99
            assert shares[:, -1].max() < 0.8

    def test_hidden_far_keys_repair_rotary_wholly_and_sinusoidal_in_part(self, record):
        assert right(record, "rotary", near=True).min() > 0.995
        before, after = (right(record, "sinusoidal", near=near) for near in (False, True))
        assert (after[:, 2:] > before[:, 2:] + 0.05).all()
        assert after[:, 2:].max() < 0.7

    def test_the_mask_gives_little_away(self, record):
        assert right(record, "no positions", near=True)[:, 1:].max() < 0.25

    def test_new_positions_are_the_second_fault(self, record):
        near = np.array(record["by place"]["sinusoidal"])[1, :, 1]  # (n_seeds, old or new)
        assert near[:, 0].min() > near[:, 1].max() + 0.2
        assert right(record, "sinusoidal, random start", near=True).min() > 0.99
        assert right(record, "sinusoidal, random start")[:, -1].max() < 0.7

    def test_longer_training_changes_nothing_of_it(self, record):
        assert lengths.told(record)["longer"] < 0.03

    def test_from_every_start_rotary_learns_first_then_appended_then_added(self, record):
        loss = {kind: [run[4] for run in record["losses"][kind]] for kind in KINDS}  # steps 81 to 100
        assert max(loss["rotary"]) < min(loss["sinusoidal, appended"])
        assert max(loss["sinusoidal, appended"]) < min(loss["sinusoidal"])

    def test_as_long_a_training_without_new_positions_does_not_do_it(self, record):
        assert right(record, "sinusoidal, as long", near=True)[:, -1].max() < 0.6

    def test_far_distances_that_share_a_trained_vector_do_no_harm_up_to_64(self, record):
        assert right(record, "Shaw")[:, :3].min() > 0.99
        assert right(record, "Shaw")[:, -1].max() < 0.95
        assert right(record, "Shaw", near=True).min() > 0.99

    def test_alibi_cannot_tell_the_sides_apart(self, record):
        assert np.abs(right(record, "ALiBi") - 0.5).max() < 0.05


@pytest.fixture(scope="module")
def readers():
    kinds = {"sinusoidal": {"positions": "sinusoidal"}, "none": {}, "rotary": {"positions": "rotary"}}
    kinds["Shaw"] = {"relative": "Shaw"}
    task = positions.word_before(4, 16)
    return {k: positions.train(task, 1, steps=300, d=32, **given)[0] for k, given in kinds.items()}


class TestWhatTheChapterSaysOfOneReader:
    def test_keys_at_new_positions_mislead_at_old_ones(self, readers):
        reader, sixty = readers["sinusoidal"], positions.word_before(64, 64)
        old = torch.arange(64) <= lengths.REACH

        def right(reader) -> np.ndarray:
            return positions.accuracy_by_position(reader, sixty, n=100, reach=lengths.REACH)[
                1 : lengths.LONGEST
            ]

        assert right(reader).mean() < 0.97
        assert right(lambda words, mask: reader(words, mask=mask & old)).min() > 0.99

    def test_a_word_and_its_neighbours_are_guessed_without_positions(self, readers):
        sixty = positions.word_before(64, 64)
        assert 0.45 < positions.accuracy(readers["none"], sixty, n=100, reach=1) < 0.65
        assert positions.accuracy(readers["none"], sixty, n=100) < 0.25

    def test_sharper_queries_repair_shaw_and_not_rotary(self, readers):
        long = positions.word_before(256, 256)
        for kind, (gained, reached) in {"Shaw": (0.02, 0.98), "rotary": (-0.1, 0.0)}.items():
            before, after = (
                positions.accuracy(lengths.sharper(readers[kind], factor), long, n=20) for factor in (1, 1.5)
            )
            assert after > max(before + gained, reached)
        assert after < before + 0.2


def test_sharper_queries_put_less_weight_far_away():
    reader = positions.untrained(positions.word_before(4, 16), 0, d=8, relative="Shaw")
    words = torch.randint(8, (2, 40), generator=torch.Generator().manual_seed(0))
    assert torch.equal(lengths.sharper(reader, 1.0)(words), reader(words))
    assert not torch.equal(lengths.sharper(reader, 3.0)(words), reader(words))
    none = lengths.sharper(reader, 0.0)  # all scores are 0
    beyond = float((~positions.within(lengths.REACH, 40)).double().mean())
    assert lengths.far_weight(none, 40) == pytest.approx(beyond)


def test_the_reader_in_the_chapter_is_the_one_of_the_record():
    notebook = nbformat.read(ROOT / "notebooks" / "06_positional_encoding.ipynb", as_version=4)
    names = {
        "torch": torch,
        "nn": torch.nn,
        "F": torch.nn.functional,
        "positions": positions,
        "EncoderBlock": EncoderBlock,
        "PositionalEncoding": PositionalEncoding,
    }
    for start, most in [("class Reader(", 20), ("short = ", 15)]:
        (source,) = [cell.source for cell in notebook.cells if cell.source.startswith(start)]
        assert len(source.splitlines()) <= most
        exec(source, names)
    words = torch.randint(8, (3, 10), generator=torch.Generator().manual_seed(0))
    task = positions.word_before(4, 16)
    for kind, given in {"rotary": {}, "sinusoidal": {"mode": "append", "d": 16}}.items():
        with seeded(2):
            mine = names["Reader"](kind, **given)
        library = positions.untrained(task, 2, positions=kind, max_length=256, **{"d": 32, **given})
        mask = positions.within(2, 10)
        torch.testing.assert_close(mine(words, mask=mask), library(words, mask=mask))
    with seeded(0):
        losses = names["train"](names["Reader"]("rotary"), n_steps=20)
    assert np.mean(losses) == pytest.approx(lengths.stored()["losses"]["rotary"][0][0], rel=0.02)
