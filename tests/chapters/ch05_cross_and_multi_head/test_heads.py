"""Heads that take a difference: the task by loops, the floor of one head, the record, and PyTorch's own layer."""

import copy

import nbformat
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from course_lib.chapters.ch05_cross_and_multi_head import heads
from course_lib.chapters.ch05_cross_and_multi_head.heads import TOWNS, Heads, questions
from course_lib.chapters.fit import seeded
from course_lib.model import MultiHeadAttention
from tests.support.compare import assert_close
from tests.support.editions import ROOT


def some(n: int = 30, seed: int = 0) -> heads.Questions:
    return questions(torch.Generator().manual_seed(seed), n)


def untrained(n_heads: int, seed: int = 0, d_v: int = 1) -> Heads:
    with seeded(seed):
        return Heads(n_heads, 8, d_v, d_in=(12, 6, 1), d_out=1)


def ask(model, batch):
    output, weights = model(batch.query, batch.key, batch.value)
    return output[:, 0, 0], weights[:, :, 0]


def test_the_answer_is_the_difference_of_the_two_temperatures():
    batch = some()
    for names, degrees, asked, answer in zip(*batch, batch.answer, strict=True):
        lookup = dict(zip(names.tolist(), degrees.tolist(), strict=True))
        assert sorted(lookup) == list(range(len(TOWNS)))
        first, second = asked.tolist()
        assert first != second
        assert float(answer) == pytest.approx(lookup[first] - lookup[second], abs=1e-6)


def test_query_key_and_value_say_what_was_asked_the_names_and_the_temperatures():
    batch = some()
    assert torch.equal(batch.query[:, 0, :6].argmax(-1), batch.asked[:, 0])
    assert torch.equal(batch.query[:, 0, 6:].argmax(-1), batch.asked[:, 1])
    assert torch.equal(batch.key.argmax(-1), batch.names)
    assert torch.equal(batch.value[..., 0], batch.temperatures)


def test_the_weights_do_not_depend_on_the_temperatures_and_the_answer_is_linear_in_them():
    batch, model = some(), untrained(3, d_v=2)
    other = batch._replace(temperatures=batch.temperatures.flip(0))
    both = batch._replace(temperatures=batch.temperatures + other.temperatures)
    none = batch._replace(temperatures=torch.zeros_like(batch.temperatures))
    assert torch.equal(ask(model, batch)[1], ask(model, other)[1])
    a, b, ab, zero = (ask(model, x)[0] for x in (batch, other, both, none))
    torch.testing.assert_close(ab - zero, a - zero + b - zero)


@pytest.mark.parametrize("d_v", [1, 3])
def test_the_answer_is_the_sum_of_each_heads_average_times_its_factor(d_v):
    model = untrained(4, seed=3, d_v=d_v)
    degrees = [0.5, 1.2, 2.0, -1.5, 0.1, 1.8]
    told = heads.answer(model, degrees, "Rome", "Cork")
    zero = heads.answer(model, [0.0] * 6, "Rome", "Cork")
    assert told.offset == pytest.approx(zero.total, abs=1e-5)
    assert told.total == pytest.approx(told.factors @ (told.weights @ degrees) + zero.total, abs=1e-5)
    asked = torch.tensor([[TOWNS.index("Rome"), TOWNS.index("Cork")]])
    direct = ask(model, heads.Questions(torch.arange(6)[None], torch.tensor([degrees]), asked))[0]
    assert told.total == pytest.approx(direct.item(), abs=1e-6)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 8), st.floats(-3, 3))
def test_no_single_head_gets_below_one(seed, d_v, factor):
    model = untrained(1, seed, d_v)
    with torch.no_grad():  # any factor, and weights as sharp as one likes
        model.W_O.weight *= factor
        model.W_Q.weight *= 20
    assert heads.squared_error(model) > 0.93


def test_on_the_questions_of_the_figures_the_best_single_head_has_the_error_that_their_captions_name():
    """All weight on one town and the best line through it: 1 on average, a little less on this sample."""
    sample = heads.questions(torch.Generator().manual_seed(5), 10_000)  # as `squared_error` draws them
    found = sample.names[:, None] == sample.asked[..., None]
    towns = (sample.temperatures[:, None] * found).sum(-1).numpy()  # (10,000, 2)
    left = []
    for town in towns.T:
        line = np.stack([town, np.ones_like(town)], axis=1)
        answers = line @ np.linalg.lstsq(line, sample.answer.numpy(), rcond=None)[0]
        left.append(np.mean((answers - sample.answer.numpy()) ** 2))
    assert round(float(min(left)), 2) == 0.99
    record = heads.stored()["errors"]
    stuck = [e for name in heads.SHAPES for e in record[name][1] if e > heads.SUCCESS]
    assert min(stuck) == pytest.approx(min(left), abs=1e-3)  # and no model has less that has not learned it


def test_what_the_heads_look_at_by_a_loop():
    model, batch = untrained(2), some(1000, seed=5)
    sums = torch.zeros(2, 2)
    for names, asked, row in zip(
        batch.names.tolist(), batch.asked.tolist(), ask(model, batch)[1], strict=True
    ):
        for role in (0, 1):
            sums[:, role] += row[:, names.index(asked[role])].detach()
    torch.testing.assert_close(torch.tensor(heads.looks_at(model)).float(), sums / 1000, rtol=1e-4, atol=0)


def test_a_turned_head_looks_at_the_other_town_and_the_others_stay():
    model = untrained(2)
    with torch.no_grad():
        model.W_Q.weight *= 5
        model.W_Q.bias.zero_()
    batch = some()
    exchanged = batch._replace(asked=batch.asked.flip(1))
    weights, other = ask(model, batch)[1], ask(heads.turned(model, 1), batch)[1]
    torch.testing.assert_close(other[:, 1], ask(model, exchanged)[1][:, 1])
    torch.testing.assert_close(other[:, 0], weights[:, 0])
    assert torch.equal(heads.turned(model, 1, 0.0).W_Q.weight, model.W_Q.weight)


def test_a_flipped_head_counts_with_the_other_sign():
    model = untrained(3, d_v=2)
    before, after = heads.factors(model), heads.factors(heads.flipped(model, 1))
    np.testing.assert_allclose(after, before * [1, -1, 1], rtol=1e-6)


def test_a_shaken_head_changes_as_much_as_a_turned_one_and_the_other_stays():
    model = untrained(2)
    shaken, turned = (
        (other.W_Q.weight - model.W_Q.weight).detach()
        for other in (heads.shaken(model, 1, 3), heads.turned(model, 1))
    )
    assert float(shaken.norm()) == pytest.approx(float(turned.norm()), rel=1e-5)
    assert not shaken[:8].any()
    assert abs(float((shaken * turned).sum() / turned.norm() ** 2)) < 0.5


def test_a_shake_has_the_size_that_is_asked_for():
    model = untrained(2)
    one, three = (heads.shaken(model, 0, 3, size).W_Q.weight - model.W_Q.weight for size in (1.0, 3.0))
    torch.testing.assert_close(three, 3 * one, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("share", [0.3, 0.0, -0.1])
def test_shared_out_anew_two_heads_that_find_the_same_give_the_same_answers(share):
    model, batch = untrained(2, seed=4), some()
    with torch.no_grad():  # two heads with the same weights
        model.W_Q.weight[8:] = model.W_Q.weight[:8]
        model.W_Q.bias[8:] = model.W_Q.bias[:8]
        model.W_K.weight[8:] = model.W_K.weight[:8]
    other = heads.shared_out(model, 1, share)
    torch.testing.assert_close(ask(other, batch)[0], ask(model, batch)[0], rtol=1e-4, atol=1e-5)
    total = heads.factors(model).sum()
    np.testing.assert_allclose(heads.factors(other), [(1 - share) * total, share * total], atol=1e-6)
    assert heads.pushed_alike(other) > 0.999
    with torch.no_grad():
        other.W_Q.weight *= 20
    assert heads.pushed_alike(heads.turned(other, 1)) < 0.9


@pytest.mark.parametrize("factor", [0.2, 0.0, -0.1])
def test_turning_costs_what_the_formula_says(factor):
    """Two heads that look at the first town only, one with this factor, the other with the rest of 1."""
    model, way, n = untrained(2), 0.25, len(TOWNS)
    batch = some(4000, seed=3)
    first, second = ((batch.temperatures * (batch.names == batch.asked[:, k, None])).sum(-1) for k in (0, 1))
    error = (
        (((1 - factor) + factor * (1 - way)) * first + factor * way * second - batch.answer).square().mean()
    )
    assert float(error) == pytest.approx(1 + 2 * factor * way + 2 * factor**2 * way**2, abs=0.06)
    with torch.no_grad():  # the model itself, half the weight of head 0 moved by hand: both ends of the turn
        for part in (model.W_Q, model.W_K):
            part.weight.zero_()
            part.bias.zero_()
        for h in (0, 1):
            model.W_Q.weight[8 * h : 8 * h + n, :n] = 60 * torch.eye(n)
            model.W_K.weight[8 * h : 8 * h + n] = torch.eye(n)
        model.W_V.weight.fill_(1.0)
        model.W_V.bias.zero_()
        model.W_O.weight.copy_(torch.tensor([[0.5, 0.5]]))
        model.W_O.bias.zero_()
    slid = heads.shared_out(model, 0, factor)
    assert heads.squared_error(slid) == pytest.approx(heads.squared_error(model), abs=1e-5)
    expected = (1 + factor) ** 2 + factor**2
    assert heads.squared_error(heads.turned(slid, 0)) == pytest.approx(expected, abs=0.06)


def test_a_blurred_head_has_shorter_queries_and_the_other_stays():
    model, batch = untrained(2), some()
    with torch.no_grad():
        model.W_Q.weight *= 10
    before, after = (ask(m, batch)[1] for m in (model, heads.blurred(model, 1)))
    assert torch.equal(before[:, 0], after[:, 0])
    assert after[:, 1].amax(-1).mean() < before[:, 1].amax(-1).mean() - 0.05
    scores = before[:, 1].log() - before[:, 1].log().mean(-1, keepdim=True)
    torch.testing.assert_close(torch.softmax(scores / 2, -1), after[:, 1], rtol=1e-4, atol=1e-6)


def test_an_adam_that_forgets_nothing_or_both_is_torchs():
    models, memory = [untrained(2, seed) for seed in (0, 1)], heads.Memory()
    heads.train_together(models, 5, 3, memory=memory)
    told = heads.forgetful_adam(models, memory, 4)
    assert list(told) == list(heads.FORGETS)
    for name, of in {"nothing": heads.of_some(memory, [0, 1] * 4), "both": heads.Memory()}.items():
        copies = [copy.deepcopy(m) for _ in range(4) for m in models]
        after = heads.train_together(copies, 4, 1, [4], of)[4]
        k = 2 * list(told).index(name)
        np.testing.assert_allclose(told[name]["trained"], after[k : k + 2], atol=1e-3)


def test_training_goes_on_where_it_stopped_if_adam_remembers():
    in_parts, forgetful = ([untrained(2, seed) for seed in (0, 1)] for _ in range(2))
    memory = heads.Memory()
    for models, kept in ((in_parts, memory), (forgetful, None)):
        heads.train_together(models, 3, 3, memory=kept)
    moved = heads.of_some(memory, [1, 0])  # of other models, in another order
    assert torch.equal(moved["W_Q.weight"]["exp_avg"][0], memory["W_Q.weight"]["exp_avg"][1])
    assert all(kept["step"] == 3 for kept in memory.values())
    after = heads.train_together(in_parts, 3, 4, [3], memory, each=heads.towns)
    assert all(kept["step"] == 6 for kept in memory.values())
    assert after[3] == [heads.towns(model) for model in in_parts]
    heads.train_together(forgetful, 3, 4)
    assert not torch.allclose(ask(in_parts[0], some())[0], ask(forgetful[0], some())[0], atol=1e-3)


def test_many_models_trained_together_are_trained_as_one_by_one():
    together = [untrained(2, seed) for seed in (0, 1)]
    apart = [untrained(2, seed) for seed in (0, 1)]
    errors = heads.train_together(together, 5, 3, measure_at=[5])
    generator = torch.Generator().manual_seed(3)
    batches = [questions(generator, 2, 64) for _ in range(5)]
    for i, model in enumerate(apart):
        optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
        for batch in batches:
            own = heads.Questions(*(part[i] for part in batch))
            optimiser.zero_grad()
            (ask(model, own)[0] - own.answer).square().mean().backward()
            optimiser.step()
        # answers, not weights: the bias of W_K has no gradient but rounding, which Adam blows up
        torch.testing.assert_close(*(ask(m, some())[0] for m in (model, together[i])), rtol=1e-3, atol=1e-4)
        assert errors[5][i] == pytest.approx(heads.squared_error(model), abs=1e-3)


class TestRecord:
    def test_says_what_the_chapter_says(self):
        told = heads.stored()
        assert told["steps"] == [heads.SHORT, heads.LONG]
        errors = {name: np.array(e) for name, e in told["errors"].items()}
        assert all(e.shape == (2, heads.N_SEEDS) for e in errors.values())
        for name in ("one head", "one wide head"):
            assert errors[name].min() > 0.95
            assert errors[name].max() < 1.1
        two = errors["two heads"]
        assert not ((two > 0.15) & (two < 0.9)).any()  # nothing in between
        assert (two < heads.SUCCESS).all(0).sum() == (two < heads.SUCCESS).any(0).sum()
        n_failed = int((two[1] > heads.SUCCESS).sum())
        assert told["both at one town"] == n_failed
        then = {
            change: {adam: (np.array(e) < heads.SUCCESS).sum(1) for adam, e in both.items()}
            for change, both in told["then trained"].items()
        }
        left = then["left as it was"]
        assert not left["same Adam"].any()  # training on frees none
        assert left["new Adam"][0] == 0
        assert left["new Adam"][1] > 0  # a new optimiser frees some
        for head in (0, 1):
            for adam in ("same Adam", "new Adam"):
                soon, later = then[f"head {head} turned"][adam]
                assert soon >= 0.8 * n_failed
                assert later == n_failed
                assert then[f"head {head} shaken"][adam][1] < n_failed / 2
        assert (then["head 0 turned"]["same Adam"] == n_failed).all()

    def test_only_a_factor_of_the_other_sign_and_shorter_queries_free_a_model(self):
        told = heads.counted(heads.stored())
        assert told["minus_blurred"] == 2 * told["same_town"]
        assert told["plus_sharp"] == told["plus_blurred"] == 0
        assert told["minus_sharp"] <= 3
        assert told["at_once"] < 1.2

    def test_the_sign_at_the_start_decides(self):
        told = heads.stored()
        for name in ("two heads", "three heads"):
            signs = np.sign([heads.factors(m) for m in heads.untrained(heads.SHAPES[name], heads.N_SEEDS)])
            mixed = (signs != signs[:, :1]).any(1)
            assert (np.array(told["errors"][name][1])[mixed] < heads.SUCCESS).all()
            assert 10 <= mixed.sum() <= 30
            assert max(told["signs set"][f"{name}, not all the same"]) < heads.SUCCESS
        assert heads.n_solved(told["signs set"]["two heads, the same"]) < 20

    def test_what_a_new_adam_has_forgotten_is_the_second_moment(self):
        told = heads.stored()
        freed = {name: np.array(e["trained"]) < heads.SUCCESS for name, e in told["forgets"].items()}
        sizes = {name: np.median(e["first step"]) for name, e in told["forgets"].items()}
        assert not freed["nothing"].any()
        assert not freed["first moment"].any()
        near_zero = np.abs(told["factors of those that fail"]).min(1) < 0.02
        for name in ("second moment", "both"):
            assert freed[name].sum() == 5
            assert near_zero[freed[name]].all()
            assert sizes[name] > 4 * sizes["first moment"] > 4 * sizes["nothing"]

    def test_no_shake_frees_what_a_turn_frees(self):
        told = heads.stored()["shakes"]
        for head in (0, 1):
            turned = told[f"head {head} turned"]
            assert heads.n_solved(turned["trained"]) == 15
            for size in (0.5, 1.0, 2.0, 4.0):
                shaken = told[f"head {head} shaken × {size}"]
                assert heads.n_solved(shaken["trained"]) <= 1
                assert np.median(shaken["at once"]) < np.median(turned["at once"])

    @pytest.mark.parametrize(("name", "n_heads"), [("two heads", 2), ("three heads", 3)])
    def test_all_that_fail_have_their_heads_at_one_town_early(self, name, n_heads):
        told = heads.stored()
        looks = np.array(told["early"][name])
        assert looks.shape == (heads.N_SEEDS, n_heads)
        together = (looks == looks[:, :1]).all(1)
        failed = np.array(told["errors"][name][1]) > heads.SUCCESS
        assert together[failed].all()
        assert 0 < (together & ~failed).sum() < failed.sum()

    @pytest.mark.share(2)
    def test_is_what_training_gives(self):
        """As it is stored, for a few seeds and steps only: the whole takes minutes."""
        told = heads.record(n_seeds=2, short=2, long=4)
        assert {name: np.shape(e) for name, e in told["errors"].items()} == dict.fromkeys(
            heads.SHAPES, (2, 2)
        )
        assert set(told) == set(heads.stored())


def test_the_layer_in_the_chapter_is_the_one_of_the_record():
    notebook = nbformat.read(ROOT / "notebooks" / "05_cross_and_multi_head.ipynb", as_version=4)
    names: dict = {"torch": torch, "nn": torch.nn}
    for start in ("def attention(", "class MultiHeadAttention("):
        (source,) = [cell.source for cell in notebook.cells if cell.source.startswith(start)]
        assert len(source.splitlines()) <= 20
        exec(source, names)
    with seeded(0):
        mine = names["MultiHeadAttention"](2, d_k=8, d_v=1, d_in=(12, 6, 1), d_out=1)
    batch = some()
    for part, expected in zip(ask(mine, batch), ask(untrained(2), batch), strict=True):
        torch.testing.assert_close(part, expected)


def test_refuses_unknown_towns_and_too_few_temperatures():
    with pytest.raises(ValueError, match="second is 'Atlantis'"):
        heads.answer(untrained(1), [0.0] * 6, "Rome", "Atlantis")
    with pytest.raises(ValueError, match="one for each of 6 towns, not 2"):
        heads.answer(untrained(1), [0.0, 1.0], "Rome", "Oslo")


@settings(max_examples=40, deadline=None)
@given(
    d=st.integers(1, 6),
    h=st.integers(1, 3),
    d_k=st.integers(1, 5),
    d_v=st.integers(1, 5),
    bias=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_a_layer_of_any_widths_lives_inside_pytorchs_padded_one(d, h, d_k, d_v, bias, seed):
    with seeded(seed):
        layer = MultiHeadAttention(d, h, d_k, d_v, bias=bias).double()
    x = torch.randn(2, 4, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    theirs = heads.padded_pytorch(layer)
    padded = F.pad(x, (0, theirs.embed_dim - d))
    output, weights = theirs(padded, padded, padded, average_attn_weights=False)
    expected, expected_weights = layer(x)
    assert_close(output[..., :d], expected)
    assert_close(weights, expected_weights)
    assert not output[..., d:].any()


@torch.no_grad()
def test_with_values_by_town_and_a_readout_that_sees_the_question_one_head_with_equal_weights_is_exact():
    """And without either of the two conditions it is not."""
    batch = questions(torch.Generator().manual_seed(5), 4000)
    values = batch.key * batch.value  # temperature × one-hot(town), (B, n_towns, n_towns)
    output = values.mean(dim=1)  # one head, all weights 1/6
    first, second = batch.query[:, 0].chunk(2, dim=-1)
    answers = 6 * ((first - second) * output).sum(dim=-1)
    torch.testing.assert_close(answers, batch.answer, rtol=1e-4, atol=1e-5)
    blind = torch.linalg.lstsq(output, batch.answer[:, None]).solution  # the best readout of the output alone
    assert float(((output @ blind)[:, 0] - batch.answer).square().mean()) > 1.8
    plain = torch.cat(
        [batch.temperatures.mean(dim=1, keepdim=True) * (first - second), first, second], dim=-1
    )
    best = torch.linalg.lstsq(plain, batch.answer[:, None]).solution  # values without their towns
    assert float(((plain @ best)[:, 0] - batch.answer).square().mean()) > 1.5


@pytest.mark.share(2)
def test_factors_are_pushed_alike_while_both_heads_find_one_number_and_no_longer():
    models = heads.untrained(heads.SHAPES["two heads"], 12)
    errors = heads.train_together(models, 400, 0, (400,))[400]
    stuck = [model for model, error in zip(models, errors, strict=True) if error > heads.SUCCESS]
    assert stuck
    for model in stuck:
        assert heads.pushed_alike(model) > 0.9
        for head in (0, 1):
            assert heads.pushed_alike(heads.turned(model, head)) < 0.5


def test_heads_get_one_sign_and_the_smallest_factor_its_size():
    for seed in range(6):
        model = untrained(3, seed, d_v=2)
        before, alike = heads.factors(model), heads.factors(heads.of_one_sign(model))
        np.testing.assert_allclose(alike, np.sign(before[0]) * np.abs(before), rtol=1e-6)
        for size in (0.01, 5.0):
            sized = heads.factors(heads.with_least_factor(model, size))
            assert np.abs(sized).min() == pytest.approx(size, rel=1e-5)
            assert (np.sign(sized) == np.sign(before)).all()
            larger = np.abs(before) >= max(size, np.sort(np.abs(before))[1])
            np.testing.assert_allclose(sized[larger], before[larger], rtol=1e-6)


def test_with_two_heads_of_one_sign_a_factor_near_zero_is_a_way_out_and_with_three_there_is_another():
    told = heads.counted(heads.stored())
    assert told["large_two"] < 12 < 22 < told["small_two"]
    assert told["same_ok"] + 8 < told["same_ok_three"] < 35
    assert abs(told["small_three"] - told["large_three"]) < 6
