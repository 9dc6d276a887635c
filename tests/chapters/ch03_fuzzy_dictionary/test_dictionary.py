"""The learned dictionary, and how many pairs fit: against plain attention, closed forms and counting by hand."""

import numpy as np
import pytest
import torch

from course_lib import functional
from course_lib.chapters.ch03_fuzzy_dictionary import dictionary, noisy_curve
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

    def test_what_is_frozen_stays_and_a_hard_choice_moves_no_key(self):
        for changes, still in (
            ({"frozen": "keys"}, "keys"),
            ({"frozen": "values"}, "values"),
            ({"choice": "hard"}, "keys"),
        ):
            start, _ = dictionary.learn(3, KEYS, ANSWERS, range(0), n_starts=5, **changes)
            model, _ = dictionary.learn(3, KEYS, ANSWERS, range(20), n_starts=5, **changes)
            moved = {name for name, x in model.named_parameters() if not torch.equal(x, getattr(start, name))}
            assert moved == {"keys", "values"} - {still}

    def test_a_hard_choice_with_a_soft_gradient_learns_where_one_without_does_not(self):
        failed = {}
        for choice in ("soft", "hard", "straight-through"):
            model, _ = dictionary.learn(3, KEYS, ANSWERS, range(400), n_starts=50, choice=choice)
            failed[choice] = np.mean(dictionary.typical_miss(model, KEYS, ANSWERS) > 0.2)
        assert failed["hard"] > 0.5
        assert failed["soft"] < 0.25
        assert failed["straight-through"] < 0.05

    def test_with_noisy_questions_both_keys_and_values_must_learn(self):
        for frozen in ("keys", "values"):
            model, _ = dictionary.learn(3, KEYS, ANSWERS, range(400), n_starts=50, frozen=frozen)
            assert np.mean(dictionary.typical_miss(model, KEYS, ANSWERS) > 0.2) > 0.9

    def test_frozen_keys_suffice_for_clean_questions_and_not_for_noisy_ones(self):
        start, _ = dictionary.learn(3, KEYS, ANSWERS, range(0), n_starts=100)
        clean, noisy = (dictionary.with_best_values(start, KEYS, ANSWERS, noise=s) for s in (0.0, 0.4))
        assert torch.equal(clean.keys, start.keys)
        assert dictionary.typical_miss(clean, KEYS, ANSWERS, noise=0.0).max() < 1e-3
        assert np.mean(dictionary.typical_miss(noisy, KEYS, ANSWERS) > 0.2) > 0.95

    def test_the_best_values_are_better_than_trained_ones(self):
        trained, _ = dictionary.learn(3, KEYS, ANSWERS, range(100), n_starts=20, frozen="keys")
        best = dictionary.with_best_values(trained, KEYS, ANSWERS, noise=0.4)
        queries, meant = dictionary.spellings(2000, KEYS, 0.4, torch.Generator().manual_seed(9))
        with torch.no_grad():
            errors = [
                (model(queries) - ANSWERS[meant]).square().sum(dim=-1).mean(dim=1)
                for model in (best, trained)
            ]
        assert (errors[0] < errors[1]).all()

    def test_the_best_values_of_hard_weights_are_the_mean_answers_of_those_who_choose_the_pair(self):
        start, _ = dictionary.learn(3, KEYS, ANSWERS, range(0), n_starts=10, choice="hard")
        best = dictionary.with_best_values(start, KEYS, ANSWERS, noise=0.4, seed=5)
        queries, meant = dictionary.spellings(2000, KEYS, 0.4, torch.Generator().manual_seed(5))
        for keys, values in zip(start.keys, best.values, strict=True):
            chosen = (queries @ keys.T).argmax(dim=1)
            for pair in chosen.unique():
                mean = ANSWERS[meant[(chosen == pair).numpy()]].mean(dim=0)
                torch.testing.assert_close(values[pair], mean, atol=1e-3, rtol=0)

    def test_a_change_is_made_once_before_its_step(self):
        seen = []

        def change(model):
            seen.append(model.keys.clone())
            model.keys.zero_()

        short, _ = dictionary.learn(3, KEYS, ANSWERS, range(7), n_starts=2)
        changed, _ = dictionary.learn(3, KEYS, ANSWERS, range(7), n_starts=2, change=change, change_at=7)
        assert seen == []
        assert torch.equal(changed.keys, short.keys)
        changed, _ = dictionary.learn(3, KEYS, ANSWERS, range(8), n_starts=2, change=change, change_at=7)
        assert len(seen) == 1
        torch.testing.assert_close(seen[0], short.keys)
        assert changed.keys.abs().max() < 0.1  # one step from zero

    def test_sharing_finds_the_idle_pair(self):
        model, _ = dictionary.learn(3, KEYS, ANSWERS, range(0), n_starts=60)
        with torch.no_grad():
            model.keys[0] = 0.0  # the first pair is best for all
        found = {start: rest for start, *rest in dictionary.sharing(model, KEYS)}
        assert 5 < len(found) < 55
        for start, keys in enumerate(model.keys.detach()):
            best = [max(range(3), key=lambda pair: float(query @ keys[pair])) for query in KEYS]
            assert (start in found) == (len(set(best)) == 2)
            if start in found:
                shared, idle, first, second = found[start]
                assert best[first] == best[second] == shared
                assert idle not in best

    def test_an_idle_value_is_put_along_the_right_answers_or_across_and_nothing_else_moves(self):
        for by in ("key", "along", "across"):
            model, _ = dictionary.learn(3, KEYS, ANSWERS, range(100), n_starts=60)
            keys, values = model.keys.detach().clone(), model.values.detach().clone()
            pairs = dictionary.sharing(model, KEYS)
            dictionary.free_idle(model, KEYS, ANSWERS, by, 4.0)
            moved = keys != model.keys if by == "key" else values != model.values
            assert set(zip(*moved.any(dim=-1).nonzero().T.tolist(), strict=True)) == {
                (start, idle) for start, _, idle, _, _ in pairs
            }
            for start, shared, idle, first, second in pairs:
                if by == "key":
                    assert torch.equal(model.keys[start, idle], keys[start, shared])
                    continue
                way = model.values[start, idle].detach() - values[start, shared]
                line = ANSWERS[first] - ANSWERS[second]
                assert float(way.norm()) == pytest.approx(4, abs=1e-3)
                cosine = abs(float(way @ line)) / 4 / float(line.norm())
                assert cosine == pytest.approx(float(by == "along"), abs=1e-3)

    def test_dictionaries_that_learned_softly_also_answer_hard(self):
        model, _ = dictionary.learn(3, KEYS, ANSWERS, range(400), n_starts=50)
        hard = dictionary.read(model, "hard")
        with torch.no_grad():
            answers = hard(KEYS)
        for values, given in zip(model.values, answers, strict=True):
            assert all(any(torch.equal(answer, value) for value in values) for answer in given)
        failed = [np.mean(dictionary.typical_miss(m, KEYS, ANSWERS) > 0.2) for m in (model, hard)]
        assert failed[1] == pytest.approx(failed[0], abs=0.1)

    @pytest.mark.share(2)
    def test_slow_starts_arrive_with_more_steps(self):
        model, _ = dictionary.learn(3, KEYS, ANSWERS, range(2000), n_starts=50)
        assert np.mean(dictionary.typical_miss(model, KEYS, ANSWERS) > 0.2) < 0.02

    def test_a_hard_choice_arrives_just_where_its_keys_tell_the_questions_apart_at_the_start(self):
        model, _ = dictionary.learn(3, KEYS, ANSWERS, range(400), n_starts=200, choice="hard")
        arrived = dictionary.typical_miss(model, KEYS, ANSWERS) < 0.5
        winners = (KEYS @ model.keys.detach().mT).argmax(dim=-1)  # its keys have not moved
        apart = np.array([len(set(row)) == 3 for row in winners.tolist()])
        assert arrived.sum() > 10
        assert apart[arrived].all()
        assert np.sum(apart & ~arrived) > 10  # necessary, not sufficient

    def test_in_a_slow_start_two_questions_share_a_pair_and_one_pair_is_idle(self):
        model, _ = dictionary.learn(3, KEYS, ANSWERS, range(400), n_starts=200)
        slow = dictionary.typical_miss(model, KEYS, ANSWERS) > 0.8
        weights = torch.softmax(KEYS @ model.keys.detach().mT, dim=-1)[torch.from_numpy(slow)]
        assert len(weights) > 3
        assert all(len(set(row.argmax(dim=-1).tolist())) == 2 for row in weights)
        assert weights.sum(dim=1).min(dim=-1).values.median() < 0.2

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


class TestAnswersDependOnTheScale:
    SPAIN = np.array([2.0, -2.0])

    def test_a_kingdom_at_minus_one_turns_spain_to_paris(self):
        keys = KEYS.numpy().astype(float)
        assert (keys @ self.SPAIN).tolist() == [2, 4, -6]
        assert self.SPAIN @ self.SPAIN == 8
        other = keys.copy()
        other[1, 1] = -1
        assert (other @ [2, -1]).tolist() == [3, 1, -5]
        assert keys.sum(axis=0).tolist() == [0, 0]


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

    def test_noise_costs_pairs_about_as_the_longer_query_does(self):
        exact, half, full = (
            np.median(dictionary.pairs_that_fit(64, 8.0, range(3), noise=noise)) for noise in (0.0, 0.5, 1.0)
        )
        assert exact > half > full > 100

    def test_of_wide_keys_each_is_the_argmax_of_its_own_lookup(self):
        narrow, wide = (dictionary.not_own_argmax(d, 300, range(2)) for d in (2, 64))
        assert narrow.min() > 0.9
        assert wide.max() == 0
        keys = np.random.default_rng(1).standard_normal((40, 4))
        lost = sum(any(other @ key > key @ key for other in keys) for key in keys)
        assert dictionary.not_own_argmax(4, 40, [1]) == pytest.approx(lost / 40)

    def test_the_formula_is_too_low_for_narrow_keys_as_it_takes_a_mean_of_what_varies(self):
        def surplus(average):
            counts = dictionary.pairs_that_fit(4, 8.0, range(30), at_most=200, average=average)
            return counts.mean() - dictionary.expected_pairs(4, 8.0)

        assert surplus("shares") > 3
        assert abs(surplus("others")) < 1.2  # a pair is whole, so half of one is lost

    def test_many_that_lose_their_own_lookup_are_found_by_another_query(self):
        """A perceptron moves each query towards its key and away from the one that wins."""
        keys = np.random.default_rng(0).standard_normal((300, 8))
        own, queries, found = np.arange(300), keys.copy(), np.zeros(300, dtype=bool)
        for _ in range(200):
            winner = (queries @ keys.T).argmax(axis=1)
            found |= winner == own
            queries += keys - keys[winner]
        lost = (keys @ keys.T).argmax(axis=1) != own
        assert lost.mean() > 0.4
        assert found[lost].mean() > 0.4

    def test_at_a_small_sharpness_the_count_is_the_formula_rounded_down(self):
        for d in (8, 32, 128):
            count = np.median(dictionary.pairs_that_fit(d, 2.0, range(5), at_most=50))
            assert 0 < dictionary.expected_pairs(d, 2.0) - count < 1

    def test_of_fewer_keys_fewer_lose_their_own_lookup(self):
        few, many = (np.mean(dictionary.not_own_argmax(8, n, range(5))) for n in (50, 1000))
        assert few < 0.4 < 0.7 < many

    def test_designed_keys_pass_the_ceiling_of_random_ones(self):
        keys = dictionary.simplex(10)
        cosines = keys @ keys.T
        assert np.linalg.matrix_rank(keys) == 9
        assert functional.softmax(2 * cosines).diagonal() == pytest.approx(0.506, abs=5e-4)
        assert len(keys) > 1 + np.exp(2)

    @pytest.mark.parametrize("beta", [0.5, 2.0, 8.0])
    def test_the_expectation_has_closed_forms_in_two_and_three_dimensions(self, beta):
        assert dictionary.expected_pairs(2, beta) == pytest.approx(1 + np.exp(beta) / np.i0(beta), rel=1e-6)
        closed = 1 + np.exp(beta) * beta / np.sinh(beta)
        assert dictionary.expected_pairs(3, beta) == pytest.approx(closed, rel=1e-5)

    def test_wide_keys_approach_the_normal_distribution_and_then_the_ceiling(self):
        assert dictionary.expected_pairs(512, 4.0) == pytest.approx(1 + np.exp(4 - 16 / 1024), rel=1e-3)
        assert dictionary.expected_pairs(100_000, 4.0) == pytest.approx(1 + np.exp(4), rel=1e-3)

    def test_exponential_in_the_width_without_the_division_and_in_its_root_with_it(self):
        widths = np.array([4.0, 6, 8, 10, 12])
        raw, plain = (
            np.log(
                [np.median(dictionary.pairs_that_fit(int(d), b(d), range(5), at_most=3000)) for d in widths]
            )
            for b in (float, np.sqrt)
        )
        assert np.polyfit(widths, raw, 1)[0] == pytest.approx(0.6226, abs=0.03)  # not ½
        steps = np.diff(np.log([dictionary.expected_pairs(d, np.sqrt(d)) for d in (16, 36, 64)]))
        assert steps == pytest.approx([2, 2], abs=0.1)  # √d grows by 2 each time
        assert np.diff(plain)[-1] < np.diff(plain)[0]

    def test_what_is_measured_is_what_is_expected(self):
        counts = dictionary.pairs_that_fit(32, 5.0, range(3), at_most=400)
        assert np.median(counts) == pytest.approx(dictionary.expected_pairs(32, 5.0), rel=0.06)


class TestReasons:
    """The chapter's sentences with a *because*, each with the intervention that could refute it."""

    def test_a_key_for_unknown_catches_what_is_far_and_not_what_is_missing(self):
        def best(query, constant):
            scores = functional.squared_distance_scores([query], KEYS.numpy())[0] / 2
            return int(np.argmax([*scores, constant]))

        spain, french, switzerland = [2, -2], [1, 0.5], [1, 1]
        assert [best(spain, c) for c in (-2.1, -1.9, -0.6)] == [1, 3, 3]
        assert [best(french, c) for c in (-2.1, -0.7, -0.6)] == [0, 0, 3]
        for constant in np.linspace(-3, 0, 61):  # missing, and nearer to France than French Republic is
            assert best(switzerland, constant) == 0 or best(french, constant) == 3

    def test_unknown_takes_weight_from_an_exact_match_too(self):
        scores = functional.squared_distance_scores([[2, 1]], KEYS.numpy())[0] / 2
        assert functional.softmax([*scores, -1.0])[-1] == pytest.approx(0.269, abs=1e-3)

    def test_three_random_keys_rarely_fit_and_thirty_do_more_often(self):
        def failing(n):
            model, _ = dictionary.learn(n, KEYS, ANSWERS, range(0), n_starts=40, choice="hard")
            best = dictionary.with_best_values(model, KEYS, ANSWERS, noise=0.4)
            return np.mean(dictionary.typical_miss(best, KEYS, ANSWERS) > 0.2)

        assert failing(30) < 0.3 < 0.65 < failing(3)

    @pytest.mark.share(2)
    def test_keys_must_move_and_answers_need_not_be_soft(self):
        failed = {}
        for soft in (True, False):
            for moving in (True, False):
                kind = {"choice": "soft" if soft else "straight-through", "frozen": "" if moving else "keys"}
                model, _ = dictionary.learn(3, KEYS, ANSWERS, range(400), n_starts=100, **kind)
                failed[soft, moving] = np.mean(dictionary.typical_miss(model, KEYS, ANSWERS) > 0.2)
        assert failed[True, False] > failed[False, False] > 0.6
        assert failed[False, True] <= failed[True, True] < 0.2

    @pytest.mark.share(2)
    def test_a_slow_start_is_held_up_by_a_value_to_the_side_more_than_by_little_weight(self):
        def failing(by="", far=0.0):
            def change(model):
                if by:
                    dictionary.free_idle(model, KEYS, ANSWERS, by, far)

            model, _ = dictionary.learn(3, KEYS, ANSWERS, range(400), n_starts=200, change=change)
            return np.sum(dictionary.typical_miss(model, KEYS, ANSWERS) > 0.2)

        nothing, key, value, aside = failing(), failing("key"), failing("across"), failing("across", 5.0)
        assert value == 0
        assert 3 < key < nothing < aside
        assert failing("along", 5.0) < key

    @pytest.mark.share(2)
    def test_the_straight_through_estimator_gains_on_the_way_out(self):
        def failing(first, then):
            model, _ = dictionary.learn(
                3, KEYS, ANSWERS, range(400), n_starts=200, choice=first,
                change=lambda model: setattr(model, "choice", then),
            )  # fmt: skip
            return np.sum(dictionary.typical_miss(model, KEYS, ANSWERS) > 0.2)

        assert failing("soft", "straight-through") < 0.5 * failing("straight-through", "soft")

    def test_no_constant_for_unknown_helps_dot_products(self):
        best = [(KEYS.numpy() @ query).max() for query in ([2, -2], [1, 0.5])]  # Spain, French Republic
        assert best == [4, 2.5]

    @pytest.mark.parametrize("romance", [1.0, 2.0, 5.0])
    @pytest.mark.parametrize("germanic", [-3.0, -2.0, 1.5])
    @pytest.mark.parametrize("republic", [-1.0, 1.0, 4.0])
    def test_switzerland_loses_its_lookup_on_every_scale(self, romance, germanic, republic):
        france, germany = np.array([romance, republic]), np.array([germanic, republic])
        switzerland = np.array([np.mean([germanic, romance, romance, romance]), republic])
        np.testing.assert_allclose(switzerland, 0.75 * france + 0.25 * germany)
        queries = np.random.default_rng(0).standard_normal((1000, 2))
        best = np.maximum(queries @ france, queries @ germany)
        assert (queries @ switzerland <= best + 1e-9).all()
        assert switzerland @ switzerland <= max(switzerland @ france, switzerland @ germany)

    def test_a_key_loses_its_own_lookup_inside_the_hull_and_not_by_being_short(self):
        keys, switzerland = KEYS.numpy(), np.array([1.0, 1.0])

        def wins(key, query):
            return query @ key > (keys @ query).max() + 1e-9

        many = np.random.default_rng(0).standard_normal((10_000, 2))
        own = [wins(r * switzerland, r * switzerland) for r in (1, 1.2, 1.49, 1.51)]
        assert own == [False, False, False, True]
        some = [any(wins(r * switzerland, q) for q in many) for r in (1, 1.2)]
        assert some == [False, True]
        assert wins(np.array([0, 1.1]), np.array([0, 1.1]))  # shorter, another direction
        long = np.array([-1.8, 0.9])
        assert not any(wins(long, q) for q in many)

    def test_with_both_cures_every_key_wins_its_own_lookup(self):
        keys = np.vstack([KEYS.numpy(), [1, 1], np.random.default_rng(0).standard_normal((50, 2))])
        assert (keys[:4] @ keys[3]).argmax() == 0  # and by dot product it does not
        unit = keys / np.linalg.norm(keys, axis=1, keepdims=True)
        own = np.arange(len(keys))
        assert ((keys @ unit.T).argmax(axis=1) == own).all()  # keys alone
        twice = np.array([[2, 1], [1, 0.5]])  # one direction: by equal lengths these tie
        np.testing.assert_allclose(np.diff(twice @ (twice / np.linalg.norm(twice, axis=1)[:, None]).T), 0)
        assert ((keys @ keys.T - (keys**2).sum(axis=1) / 2).argmax(axis=1) == own).all()  # the penalty alone

    def test_noise_is_what_spoils_a_sharp_curve_and_not_a_flat_one(self):
        x, _, fine, truth = noisy_curve(0)
        for h, spoiled in ((0.05, True), (2.0, False)):
            weights = functional.softmax(-((fine[:, None] - x) ** 2) / (2 * h**2))
            clean = np.sqrt(np.mean((weights @ np.interp(x, fine, truth) - truth) ** 2))
            noisy = [np.sqrt(np.mean((weights @ noisy_curve(s)[1] - truth) ** 2)) for s in range(20)]
            assert (np.mean(noisy) > 3 * clean) == spoiled

    @pytest.mark.share(2)
    def test_sharpness_is_learned_as_the_noise_asks_for_it_and_not_where_lengths_are_held(self):
        apart = float(torch.cdist(KEYS, KEYS).sum()) / 6
        found = {}
        for noise in (0.7, 1.4):
            for held in (False, True):
                learned, _ = dictionary.learn(
                    3, KEYS, ANSWERS, range(2000), noise=noise, n_starts=10, held=held
                )
                found[noise, held] = dictionary.how_sharp(learned, KEYS, ANSWERS, noise)
            assert found[noise, False][0] == pytest.approx(apart / noise**2, rel=0.25)
        assert found[0.7, True][1] > 1.5 * found[0.7, False][1]
        assert (
            found[1.4, True][1] < 1.05 * found[1.4, False][1]
        )  # the lengths of the start are long enough there

    def test_held_keys_turn_and_keep_their_lengths(self):
        with seeded(0):
            start = dictionary.LearnedDictionary(3, 2, ANSWERS, 5).keys.detach()
        learned, _ = dictionary.learn(3, KEYS, ANSWERS, range(50), n_starts=5, held=True)
        torch.testing.assert_close(learned.keys.norm(dim=-1), start.norm(dim=-1))
        assert (learned.keys - start).norm(dim=-1).median() > 0.3
