"""Texts that repeat themselves, the heads that copy, and the stored record."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch14_looking_inside import induction, record


class TestTexts:
    def test_a_known_word_is_the_one_that_came_after_the_same_word_before(self):
        ids, known = induction.unseen_texts(20)
        assert ids.shape == (20, 25)
        assert known.shape == (20, 24)
        for row, follows in zip(ids.tolist(), known.tolist(), strict=True):
            for i in range(24):
                earlier = [j for j in range(i) if row[j] == row[i]]
                if follows[i] and earlier:
                    assert row[i + 1] == row[earlier[-1] + 1]
                assert follows[i] == bool(earlier)

    def test_no_word_stands_twice_in_a_round_and_rounds_have_many_lengths(self):
        ids, known = induction.unseen_texts(200)
        rounds = (~known).sum(dim=1)
        assert {5, 12} <= set(rounds.tolist()) <= set(range(5, 13))
        for row, length in zip(ids.tolist(), rounds.tolist(), strict=True):
            assert len(set(row[:length])) == length
            assert row[length] == row[0]

    def test_the_first_round_may_begin_later_after_words_that_stand_once(self):
        ids, known = induction.repeated(100, torch.Generator().manual_seed(3), latest=12)
        begins = []
        for row, follows in zip(ids.tolist(), known.tolist(), strict=True):
            first = next(i for i, word in enumerate(row) if word in row[:i])  # the second round's first word
            assert follows == [i >= first for i in range(24)]
            begin = row.index(row[first])
            begins.append(begin)
            assert 5 <= first - begin <= 12
            assert row[first:] == [row[i - (first - begin)] for i in range(first, 25)]
        assert {0, 12} <= set(begins) <= set(range(13))

    def test_guessing_is_as_often_right_as_a_word_by_chance(self):
        ids, known = induction.unseen_texts(2000)
        drawn = torch.rand(ids[:, :-1].shape, generator=torch.Generator().manual_seed(1))
        places = (drawn * (~known).sum(1, keepdim=True)).long()  # of the first round
        hits = ids.gather(1, places) == ids[:, 1:]
        assert induction.guessing() == pytest.approx(hits[known].float().mean().item(), abs=0.01)


class TestCopied:
    def test_of_models_that_copy_from_a_fixed_distance_and_from_a_fixed_place(self):
        def model(ids: torch.Tensor) -> torch.Tensor:
            """Say the word that stands 4 before the one to come."""
            said = ids.roll(3, dims=1)
            return torch.nn.functional.one_hot(said, len(induction.WORDS)).float()

        found = induction.copied(model, 4)  # type: ignore[arg-type]
        assert np.nanmin(found[4, :20]) == 1
        assert np.nanmax(np.delete(found, 4, axis=0)) == 0
        assert np.isnan(found[:2]).all()
        assert np.isnan(found[12, 12:]).all()
        assert not np.isnan(found[12, :12]).any()


class TestNoted:
    def test_a_model_that_reads_the_notes_is_misled_by_a_wrong_one(self):
        """And an untrained one says neither."""
        model = induction.untrained(0)
        assert max(max(pair) for pair in induction.noted(model, 64)[:3]) < 0.3
        induction.train(model, range(induction.STEPS), seed=0)
        found = induction.noted(model, 64)
        assert found.before[0] > 0.9 > 0.2 > found.before[1]
        assert found.patched[1] > 0.9 > 0.2 > found.patched[0]
        assert found.control[0] > 0.9 > 0.4 > found.control[1]
        assert found.query > 0.9

    def test_a_model_that_looks_up_the_place_at_the_last_word_needs_layer_0_there(self):
        """The control of the control: with layer 0 averaged at every word nothing can be copied."""
        model = induction.untrained(0)
        induction.train(model, range(induction.STEPS), seed=0)
        texts = induction.unseen_texts(64)
        assert induction.right(model, *texts, [(0, head) for head in range(4)], averaged=True) < 0.3


class TestNeeded:
    @pytest.mark.parametrize("latest", [0, 12])
    def test_is_counted_in_texts_that_are_drawn(self, latest):
        ids, known = induction.repeated(4000, torch.Generator().manual_seed(8), latest=latest)
        found = np.zeros(24)
        for row, follows in zip(ids.tolist(), known.tolist(), strict=True):
            for i in np.flatnonzero(follows):
                found[row.index(row[i])] += 1
        np.testing.assert_allclose(found / 4000, induction.needed(latest), atol=0.04)


class TestNamedEarly:
    def test_of_models_that_name_the_first_word_and_the_last(self):
        def first(ids: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.one_hot(ids[:, :1].expand_as(ids), 32).float()

        def same(ids: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.one_hot(ids, 32).float()

        assert induction.named_early(first) == 1  # type: ignore[arg-type]
        assert induction.named_early(same) == 0  # type: ignore[arg-type]


class TestLooks:
    def test_shares_of_a_map_set_by_hand(self):
        """All weight on the word before, or on the word after the earlier one."""
        ids = torch.tensor([[0, 1, 2, 0, 1, 2]])
        known = torch.tensor([[False, False, True, True, True]])
        back, after = torch.zeros(5, 5), torch.zeros(5, 5)
        back[range(5), [0, 0, 1, 2, 3]] = 1
        after[range(5), [0, 0, 0, 1, 2]] = 1  # 0 … 1: after the earlier 0; 1 … 2: after the earlier 1

        class Model:
            def attention_maps(self, read: torch.Tensor) -> list[torch.Tensor]:
                return [torch.stack([back, after])[None]]

        found = induction.looks(Model(), ids, known)  # type: ignore[arg-type]
        assert found.before[0].tolist() == [1.0, 0.25]
        assert found.after[0][1] == pytest.approx(2 / 3)  # where the next is known; at 2 no 2 stands before
        assert found.after[0][0] == 0


class TestRight:
    def test_without_a_head_is_with_its_values_at_zero(self):
        texts = induction.unseen_texts(20)
        model = induction.untrained(1)
        induction.train(model, range(5), seed=1)
        found = induction.right(model, *texts, without=[(0, 2)])
        columns = slice(16, 24)  # of head 2, of four of width 8
        model.blocks[0].attention.W_V.weight.data[columns] = 0
        model.blocks[0].attention.W_V.bias.data[columns] = 0
        assert found == induction.right(model, *texts)

    def test_of_heads_that_put_out_the_same_in_all_texts_the_average_takes_nothing(self):
        texts = induction.unseen_texts(20)
        model = induction.untrained(1)
        model.blocks[0].attention.W_V.weight.data.zero_()
        heads = [(0, head) for head in range(4)]
        assert induction.right(model, *texts, heads, averaged=True) == induction.right(model, *texts)

    def test_a_word_of_the_text_is_counted_where_it_stands_so_far(self):
        model = induction.untrained(1)
        ids, known = induction.unseen_texts(20)
        named = model(ids[:, :-1]).argmax(-1)
        hits = [
            int(word) in row[: i + 1].tolist()
            for row, words, follows in zip(ids, named, known, strict=True)
            for i, word in enumerate(words)
            if follows[i]
        ]
        assert induction.in_text(model, ids, known) == pytest.approx(np.mean(hits))


@pytest.fixture(scope="module")
def runs():
    return record.stored()["seeds"]


class TestRecord:
    def test_is_what_training_gives(self, runs):
        found = record.course(0, 2 * record.EVERY)
        assert found["losses"] == pytest.approx(runs[0]["losses"][:2], rel=0.02)

    def test_has_all_seeds_within_five_minutes_each(self, runs):
        assert len(runs) == len(record.SEEDS) == 10
        assert all(len(run["losses"]) == induction.STEPS // record.EVERY for run in runs)
        assert max(run["seconds"] for run in runs) < 300

    def test_nine_of_ten_copy_by_the_head_of_layer_1_and_not_without_it(self, runs):
        good = [
            run["right"] > 0.9 and run["after"][1][0] > 0.7 and run["without"][1][0] < 0.15 for run in runs
        ]
        assert sum(good) >= 9

    def test_without_a_head_of_layer_0_more_is_left_than_without_that_of_layer_1(self, runs):
        for run in runs:
            assert max(run["after"][0]) < 0.3
            assert min(run["without"][0]) > 2 * run["without"][1][0]

    @pytest.mark.parametrize(
        ("name", "others"),
        [("three_bare", {"n_layers": 3, "position": "none"}), ("later", {"latest": record.LATEST})],
    )
    def test_other_models_and_texts_begin_as_they_are_stored(self, name, others):
        found = record.course(0, 2 * record.EVERY, **others)
        assert found["losses"] == pytest.approx(record.stored()[name][0]["losses"][:2], rel=0.02)

    def test_it_copies_over_unseen_distances_from_early_places_and_not_from_later_ones(self, runs):
        assert min(run["unseen_distances"] for run in runs) > 0.9
        assert max(max(run["by_place"][13:]) for run in runs) < 0.3

    def test_how_far_it_reaches_is_a_matter_of_training(self):
        """Of how often a place is needed: never, or often enough."""
        stored = record.stored()
        assert min(min(run["by_place"][12:16]) for run in stored["later"]) > 0.9
        assert max(max(run["by_place"][17:]) for run in stored["later"]) < 0.05
        assert min(run["by_place"][11] for run in stored["twice"]) > 0.8
        assert max(max(run["by_place"][12:]) for run in stored["twice"]) < 0.2

    def test_without_layer_0_is_with_all_its_values_at_zero(self):
        found = record.course(0, record.EVERY)
        model = induction.untrained(0)
        induction.train(model, range(record.EVERY), 0)
        for weight in model.blocks[0].attention.W_V.parameters():
            weight.data.zero_()
        assert induction.right(model, *induction.unseen_texts()) == pytest.approx(
            found["without_layer_0"], abs=6e-5
        )

    def test_both_layers_are_needed(self, runs):
        assert max(run["without_layer_0"] for run in runs) < 0.25

    def test_without_positions_it_is_learned_with_three_layers(self):
        assert min(run["right"] for run in record.stored()["three_bare"]) > 0.8

    @pytest.mark.parametrize("name", ["one_layer", "one_layer_long"])
    def test_one_layer_does_not_learn_it(self, name):
        assert max(run["right"] for run in record.stored()[name]) < 0.5
