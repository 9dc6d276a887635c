"""Tasks and readers of chapter 06: the answers are right, positions come in as named, the measures measure."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch06_positional_encoding import positions
from course_lib.chapters.ch06_positional_encoding.positions import (
    ANIMALS,
    IGNORED,
    VERBS,
    VOTES,
    WHO_CHASED,
    WORDS,
    Reader,
    word_before,
)
from course_lib.chapters.fit import seeded
from course_lib.model.positions import rotate


class TestTasks:
    def test_who_chased_is_the_first_animal_of_a_sentence(self):
        words, answers = WHO_CHASED.sample(300, seed=0)
        for sentence, answer in zip(words, answers, strict=True):
            article, who, verb, again, whom = (WORDS[w] for w in sentence)
            assert article == again == "the"
            assert who == ANIMALS[answer]
            assert whom in ANIMALS
            assert whom != who
            assert verb in VERBS
        assert len(answers.unique()) == len(ANIMALS)
        assert WHO_CHASED.n_words == len(WORDS) == len(set(WORDS))

    def test_votes_are_won_by_the_majority(self):
        words, answers = VOTES.sample(300, seed=0)
        for voters, answer in zip(words.tolist(), answers.tolist(), strict=True):
            in_favour = sum(word < 8 for word in voters)
            assert answer == (in_favour > len(voters) - in_favour)
        assert 100 < answers.sum() < 200

    def test_word_before_takes_every_length_asked_for(self):
        task, generator = word_before(3, 6), torch.Generator().manual_seed(0)
        lengths = set()
        for _ in range(40):
            words, answers = task.draw(5, generator)
            assert answers[:, 0].tolist() == [IGNORED] * 5
            assert torch.equal(answers[:, 1:], words[:, :-1])
            lengths.add(words.shape[1])
        assert lengths == {3, 4, 5, 6}

    @pytest.mark.parametrize("lengths", [(1, 4), (5, 4)])
    def test_word_before_refuses_lengths_without_answers(self, lengths):
        with pytest.raises(ValueError, match=f"shortest is {lengths[0]}"):
            word_before(*lengths)


class TestRotation:
    def test_is_the_rotation_matrix_of_each_position(self):
        x = torch.randn(2, 5, 6, generator=torch.Generator().manual_seed(1))
        turned = rotate(x)
        for i in range(5):
            for k in range(3):
                angle = i * 10000.0 ** (-2 * k / 6)
                R = torch.tensor([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
                expected = x[:, i, 2 * k : 2 * k + 2] @ R.float()
                torch.testing.assert_close(turned[:, i, 2 * k : 2 * k + 2], expected, rtol=1e-5, atol=1e-6)

    def test_a_rotary_reader_sees_only_differences_of_positions(self):
        """Two words, then the same two words further on: the same scores, hence the same weights."""
        with seeded(0):
            reader = Reader(5, 3, "rotary", d=8, pooled=False)
        _, weights = reader.block(reader.positions(reader.words(torch.tensor([[1, 2, 1, 2, 1, 2]]))))
        scores = weights[0, 0].log()
        ratio = scores[:-2, :-2] - scores[2:, 2:]  # a constant in each row, its softmax's divisor
        torch.testing.assert_close(ratio, ratio[:, :1].expand_as(ratio), rtol=0, atol=1e-5)
        assert (scores[0] - scores[0, 0]).abs().max() > 1e-3


class TestReader:
    def answers(self, which, mode="add", words=((1, 2, 3),), start=0):
        with seeded(0):
            reader = Reader(5, 4, which, mode, d=8)
        return reader(torch.tensor(words), start)

    def test_without_positions_order_is_lost_and_with_them_it_is_not(self):
        for which, mode in [
            ("sinusoidal", "add"),
            ("sinusoidal", "append"),
            ("learned", "add"),
            ("rotary", "add"),
        ]:
            first, second = self.answers(which, mode), self.answers(which, mode, ((3, 2, 1),))
            assert (first - second).abs().max() > 1e-4
        torch.testing.assert_close(
            self.answers("none"), self.answers("none", words=((3, 2, 1),)), atol=1e-6, rtol=0
        )

    def test_start_moves_absolute_positions(self):
        assert (self.answers("sinusoidal") - self.answers("sinusoidal", start=7)).abs().max() > 1e-4

    def test_a_mask_hides_keys(self):
        with seeded(0):
            reader = Reader(5, 4, "learned", pooled=False)
        words, other = torch.tensor([[1, 2, 3, 4]]), torch.tensor([[1, 2, 3, 0]])
        near = positions.within(1, 4)
        assert (reader(words) - reader(other))[0, 0].abs().max() > 1e-5
        torch.testing.assert_close(reader(words, mask=near)[0, :2], reader(other, mask=near)[0, :2])
        assert near.sum() == 10

    @pytest.mark.parametrize("relative", ["Shaw", "T5", "ALiBi"])
    def test_what_is_relative_comes_into_the_scores_and_is_learned(self, relative):
        reader = positions.untrained(word_before(4, 4), 0, d=8, relative=relative)
        n_plain = sum(p.numel() for p in positions.untrained(word_before(4, 4), 0, d=8).parameters())
        n_more = {"Shaw": 17 * 8, "T5": 32, "ALiBi": 0}[relative]
        assert sum(p.numel() for p in reader.parameters()) == n_plain + n_more
        words = torch.tensor([[1, 2, 3, 4]])
        trained, _ = positions.train(word_before(4, 8), 0, steps=3, d=8, relative=relative)
        moved = (trained(words)[:, 0] - trained(words[:, [0, 3, 2, 1]])[:, 0]).abs().max()
        assert moved > 1e-5

    def test_appended_positions_widen_the_block(self):
        reader = Reader(5, 4, "sinusoidal", "append", d=8, d_position=6)
        assert reader.answer.in_features == 14
        assert Reader(5, 4, "sinusoidal", "append", d=8).answer.in_features == 16
        assert Reader(5, 4, "sinusoidal", d=8).answer.in_features == 8


class TestTrain:
    def test_the_same_seed_gives_the_same_reader_and_starts_from_the_untrained_one(self):
        first, losses = positions.train(VOTES, 3, steps=5, positions="learned")
        second, again = positions.train(VOTES, 3, steps=5, positions="learned")
        assert np.array_equal(losses, again)
        assert torch.equal(first.words.weight, second.words.weight)
        assert not np.array_equal(losses, positions.train(VOTES, 4, steps=5, positions="learned")[1])
        start = positions.untrained(VOTES, 3, positions="learned")
        untouched, _ = positions.train(VOTES, 3, steps=0, positions="learned")
        assert all(torch.equal(a, b) for a, b in zip(start.parameters(), untouched.parameters(), strict=True))

    def test_the_seed_is_that_of_the_weights_and_that_of_the_batches(self):
        first, other = (positions.untrained(VOTES, seed).words.weight for seed in (3, 4))
        assert not torch.equal(first, other)
        batches = []

        def draw(batch, generator):
            batches.append(VOTES.draw(batch, generator))
            return batches[-1]

        for seed in (3, 4, 3):
            positions.train(VOTES._replace(draw=draw), seed, steps=1)
        words = [words for words, _ in batches]
        assert torch.equal(words[0], words[2])
        assert not torch.equal(words[0], words[1])

    def test_random_starts_train_every_row_of_a_table_and_no_others(self):
        task = word_before(4, 4)
        start = positions.untrained(task, 0, positions="learned").positions.table
        for starts, touched in [(1, 4), (7, 10)]:
            trained, _ = positions.train(task, 0, steps=40, starts=starts, positions="learned")
            changed = (trained.positions.table != start).any(dim=1)
            assert changed.tolist() == [True] * touched + [False] * (64 - touched)

    @pytest.mark.parametrize("seed", [0, 1])
    def test_order_is_learned_with_positions_only(self, seed):
        with_them, _ = positions.train(WHO_CHASED, seed, steps=120, positions="sinusoidal")
        without, _ = positions.train(WHO_CHASED, seed, steps=120)
        assert positions.accuracy(with_them, WHO_CHASED) > 0.95
        assert positions.accuracy(without, WHO_CHASED) < 0.6


class TestOrderWithoutPositions:
    """No order without a mask; with a causal one, order from the second block on."""

    def test_a_causal_mask_lets_order_in(self):
        told = positions.swapped_under_a_causal_mask()
        assert told["unmasked"] < 1e-12
        assert told["causal_one"] < 1e-12
        assert told["causal_two"] > 0.01

    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_with_other_weights_too(self, seed):
        told = positions.swapped_under_a_causal_mask(seed)
        assert max(told["unmasked"], told["causal_one"]) < 1e-12 < 1e-4 < told["causal_two"]


class Oracle(Reader):
    """Answers votes by counting; each word that stands first counts `bias` more."""

    def __init__(self, bias=0.0):
        super().__init__(16, 2)
        self.bias = bias

    def forward(self, words, start=0, mask=None):
        votes = (words < 8).double()
        margin = votes.sum(dim=1) - 4.5 + self.bias * (votes[:, 0] - 0.5)
        return torch.stack([-margin, margin], dim=1)


class Copier(Reader):
    """Names the word before, from position 3 on."""

    def __init__(self):
        super().__init__(8, 8, pooled=False)

    def forward(self, words, start=0, mask=None):
        before = torch.cat([words[:, :1], words[:, :-1]], dim=1)
        right = torch.nn.functional.one_hot(before, 8).double()
        wrong = torch.nn.functional.one_hot((before + 1) % 8, 8).double()
        return torch.where(torch.arange(words.shape[1])[:, None] >= 3, right, wrong)


class TestMeasures:
    def test_accuracy_of_an_oracle_is_one_and_ignores_what_does_not_count(self):
        assert positions.accuracy(Oracle(), VOTES) == 1
        assert positions.accuracy(Copier(), word_before(8, 8)) == pytest.approx(5 / 7)  # of positions 1 … 7

    def test_accuracy_hands_the_mask_on(self):
        seen = []

        class Spy(Copier):
            def forward(self, words, start=0, mask=None):
                seen.append(mask)
                return super().forward(words)

        positions.accuracy(Spy(), word_before(6, 6), n=5, reach=2)
        positions.accuracy_by_position(Spy(), word_before(6, 6), n=5, reach=2)
        assert all(torch.equal(mask, positions.within(2, 6)) for mask in seen)
        positions.accuracy(Spy(), word_before(6, 6), n=5)
        assert seen[-1] is None

    def test_accuracy_by_position(self):
        found = positions.accuracy_by_position(Copier(), word_before(6, 6))
        np.testing.assert_array_equal(found, [np.nan, 0, 0, 1, 1, 1])
        with pytest.raises(ValueError, match="expected one answer a word"):
            positions.accuracy_by_position(Oracle(), VOTES)

    def test_order_sensitivity_is_0_without_order_and_1_if_only_the_first_word_counts(self):
        assert positions.order_sensitivity(Oracle(), VOTES) < 1e-6
        deaf_to_all_but_the_first = positions.order_sensitivity(Oracle(bias=1e6), VOTES, n=20_000)
        # of nine words the one that comes to stand first is another one in 8 of 9 cases
        assert deaf_to_all_but_the_first == pytest.approx(np.sqrt(8 / 9), abs=0.02)

        class Loud(Oracle):
            """Adds the first word to both logits, which a softmax does not see."""

            def forward(self, words, start=0, mask=None):
                return super().forward(words) + 100 * words[:, :1]

        assert positions.order_sensitivity(Loud(), VOTES) < 1e-6
        with pytest.raises(ValueError, match="pooled=True"):
            positions.order_sensitivity(Copier(), word_before(4, 4))

    def test_average_weights_are_those_of_one_sequence_after_another(self):
        task = word_before(5, 5)
        reader = positions.untrained(task, 0, positions="sinusoidal")
        words, _ = task.sample(6, seed=9)
        x = reader.positions(reader.words(words))
        each = [reader.block(row[None])[1][0, 0] for row in x]
        expected = torch.stack(each).mean(dim=0).detach().numpy()
        np.testing.assert_allclose(positions.average_weights(reader, task, n=6, seed=9), expected, atol=1e-6)
