"""The learned dictionary, and how many pairs fit: against plain attention, closed forms and counting by hand."""

import numpy as np
import pytest
import torch

from course_lib import functional
from course_lib.chapters.ch03_fuzzy_dictionary import dictionary
from course_lib.chapters.fit import seeded

KEYS = torch.tensor([[2.0, 1.0], [0.0, -2.0], [-2.0, 1.0]])
ANSWERS = torch.tensor([[2.35, 48.86], [-0.13, 51.51], [13.40, 52.52]])


class TestLearned:
    def test_answers_by_a_soft_lookup_at_sharpness_1_in_each_start(self):
        with seeded(0):
            model = dictionary.LearnedDictionary(4, 2, ANSWERS, n_starts=3)
        for keys, values, answers in zip(model.keys, model.values, model(KEYS), strict=True):
            scores = KEYS.numpy() @ keys.detach().numpy().T
            expected = functional.softmax(scores) @ values.detach().numpy()
            np.testing.assert_allclose(answers.detach(), expected, rtol=1e-5)

    def test_starts_in_the_middle_of_the_answers_and_knows_nothing_else_of_them(self):
        with seeded(3):
            model = dictionary.LearnedDictionary(20, 2, ANSWERS, n_starts=100)
        torch.testing.assert_close(model.values.mean(dim=(0, 1)), ANSWERS.mean(dim=0), atol=0.1, rtol=0)
        assert model.values.std(dim=(0, 1)).tolist() == pytest.approx([1, 1], abs=0.1)

    def test_each_of_several_starts_learns_as_if_it_were_alone(self, monkeypatch):
        together, losses = dictionary.learn(3, KEYS, ANSWERS, range(30), n_starts=4)
        with seeded(0):
            starts = dictionary.LearnedDictionary(3, 2, ANSWERS, n_starts=4).state_dict()
        lone_losses = []
        for i in range(4):
            model = dictionary.LearnedDictionary(3, 2, ANSWERS)
            model.load_state_dict({name: start[i : i + 1] for name, start in starts.items()})
            monkeypatch.setattr(dictionary, "LearnedDictionary", lambda *_, model=model: model)
            lone_losses.append(dictionary.learn(3, KEYS, ANSWERS, range(30))[1])
            monkeypatch.undo()
            torch.testing.assert_close(model.keys[0], together.keys[i], rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(model.values[0], together.values[i], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(losses, np.mean(lone_losses, axis=0), rtol=1e-5)

    def test_spellings_scatter_around_the_key_they_mean(self):
        queries, meant = dictionary.spellings(6000, KEYS, 0.4, torch.Generator().manual_seed(0))
        off = queries - KEYS[meant]
        np.testing.assert_allclose(np.bincount(meant) / 6000, 1 / 3, atol=0.03)
        np.testing.assert_allclose(off.mean(dim=0), 0, atol=0.02)
        np.testing.assert_allclose(off.std(dim=0), 0.4, atol=0.02)

    def test_learns_the_answers_from_examples_in_most_starts_and_not_with_too_few_pairs(self):
        def misses(n_pairs):
            model, losses = dictionary.learn(n_pairs, KEYS, ANSWERS, range(300), n_starts=20)
            assert losses[-20:].mean() < losses[:20].mean()
            return dictionary.typical_miss(model, KEYS, ANSWERS)

        assert np.median(misses(4)) < 0.3
        assert min(misses(2)) > 1

    def test_same_seed_same_dictionary(self):
        first, second, other = (dictionary.learn(3, KEYS, ANSWERS, range(5), seed=s)[1] for s in (1, 1, 2))
        assert np.array_equal(first, second)
        assert not np.array_equal(first, other)
        starts = [dictionary.learn(3, KEYS, ANSWERS, range(0), seed=s)[0].keys for s in (1, 2)]
        assert not torch.equal(*starts)

    def test_the_typical_miss_of_a_dictionary_that_always_says_the_same_is_the_mean_distance(self):
        model = dictionary.LearnedDictionary(1, 2, ANSWERS, n_starts=3)
        with torch.no_grad():
            model.values.copy_(ANSWERS[:, None])  # each start says another capital
        away = [[np.hypot(*(said - answer).tolist()) for answer in ANSWERS] for said in ANSWERS]
        misses = dictionary.typical_miss(model, KEYS, ANSWERS)
        np.testing.assert_allclose(misses, np.mean(away, axis=1), rtol=0.05)


class TestCapacity:
    @pytest.mark.parametrize(("d", "beta"), [(4, 3.0), (16, 4.0)])
    def test_counts_what_attention_shows_pair_by_pair(self, d, beta):
        (count,) = dictionary.pairs_that_fit(d, beta, [7], n_queries=20, at_most=100)
        keys = np.random.default_rng(7).standard_normal((20 + 99, d))
        keys = np.array([key / np.sqrt(sum(key**2)) for key in keys])
        asked, others = keys[:20], keys[20:]
        n = 1
        while True:  # one pair more, as long as the right one has half of the weight on average
            shares = [
                functional.soft_lookup([q], [q, *others[:n]], np.eye(n + 1), beta * np.sqrt(d))[1][0, 0]
                for q in asked
            ]
            if np.mean(shares) < 0.5:
                break
            n += 1
        assert count == n

    def test_one_count_for_each_seed_and_never_more_than_asked_for(self):
        counts = dictionary.pairs_that_fit(8, 5.0, [1, 2, 1], at_most=200)
        assert counts.shape == (3,)
        assert counts[0] == counts[2] != counts[1]
        assert dictionary.pairs_that_fit(64, 50.0, [0], at_most=30).tolist() == [30]

    @pytest.mark.parametrize("beta", [0.5, 2.0, 8.0])
    def test_the_expectation_has_closed_forms_in_two_and_three_dimensions(self, beta):
        assert dictionary.expected_pairs(2, beta) == pytest.approx(1 + np.exp(beta) / np.i0(beta), rel=1e-6)
        closed = 1 + np.exp(beta) * beta / np.sinh(beta)
        assert dictionary.expected_pairs(3, beta) == pytest.approx(closed, rel=1e-5)

    def test_wide_keys_approach_the_normal_distribution_and_then_the_ceiling(self):
        assert dictionary.expected_pairs(512, 4.0) == pytest.approx(1 + np.exp(4 - 16 / 1024), rel=1e-3)
        assert dictionary.expected_pairs(100_000, 4.0) == pytest.approx(1 + np.exp(4), rel=1e-3)

    def test_what_is_measured_is_what_is_expected(self):
        counts = dictionary.pairs_that_fit(32, 5.0, range(3), at_most=400)
        assert np.median(counts) == pytest.approx(dictionary.expected_pairs(32, 5.0), rel=0.06)
