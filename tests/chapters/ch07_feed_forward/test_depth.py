"""Deep stacks: the same function as the course's blocks, the spread of rows, and a task that can be learned."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters.ch07_feed_forward import depth
from course_lib.chapters.fit import seeded
from course_lib.model import EncoderBlock


def rows(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape))


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_whole_block_computes_what_the_courses_encoder_block_does(norm):
    with seeded(0):
        stack = depth.Stack(1, 8, 2, 16, norm=norm).double()
    own = stack.blocks[0]
    block = EncoderBlock(8, 2, 16, norm=norm).double()
    block.attention.load_state_dict(own.attention.state_dict())
    block.feed_forward.load_state_dict(own.feed_forward.state_dict())
    for part, around in (
        (own.around_attention, block.around_attention),
        (own.around_feed_forward, block.around_feed_forward),
    ):
        nn.init.normal_(part.norm.weight, generator=torch.Generator().manual_seed(1))
        around.norm.load_state_dict(part.norm.state_dict())
    x = rows(2, 5, 8)
    torch.testing.assert_close(stack.by_layer(x)[-1], block(x)[0], rtol=1e-10, atol=1e-12)


def test_parts_can_be_left_out():
    x = rows(1, 4, 8)
    bare = depth.Stack(1, 8, 2, 16, norm="none", residual=False, feed_forward=False).double()
    torch.testing.assert_close(bare(x), bare.blocks[0].attention(x)[0])
    silent = depth.Stack(3, 8, 2, 16, norm="none").double()
    for parameter in silent.parameters():
        nn.init.zeros_(parameter)
    assert torch.equal(silent(x), x)  # with the residual, parts that say nothing change nothing
    no_norm = {type(m) for m in depth.Stack(1, 8, 2, 16, norm="none").modules()}
    assert nn.LayerNorm not in no_norm
    assert nn.LayerNorm in {type(m) for m in depth.Stack(1, 8, 2, 16, norm="post").modules()}


def test_pre_norm_ends_with_a_layer_norm():
    x = 100 * rows(1, 4, 8)
    out = depth.Stack(2, 8, 2, 16).double()(x)
    torch.testing.assert_close(out.var(-1, correction=0), torch.ones(1, 4).double(), rtol=1e-3, atol=1e-3)


class TestSpread:
    def test_by_hand(self):
        assert depth.spread(torch.tensor([[1.0, 2.0], [3.0, 2.0]])).item() == pytest.approx(1 / 3)

    def test_does_not_depend_on_size_or_on_the_order_of_rows(self):
        x = rows(5, 8)
        torch.testing.assert_close(depth.spread(x), depth.spread(-7 * x[[4, 2, 0, 1, 3]]))

    def test_is_what_remains_when_the_best_matrix_of_equal_rows_is_taken_away(self):
        x = rows(5, 8)
        best = torch.linalg.lstsq(torch.ones(5, 1).double(), x).solution  # (1, 8)
        torch.testing.assert_close(depth.spread(x), (x - best).norm() / x.norm())

    def test_treats_a_batch_row_by_row(self):
        x = rows(3, 5, 8)
        torch.testing.assert_close(depth.spread(x), torch.stack([depth.spread(one) for one in x]))


def test_rows_collapse_without_the_residual_and_not_with_it():
    def last(**parts: object) -> np.ndarray:
        return depth.spread_by_layer(8, length=10, n_seeds=4, **parts)[:, -1]

    assert last(norm="none", residual=False, feed_forward=False).max() < 1e-9
    assert last(norm="none", residual=False).max() < 1e-9
    assert last(norm="post", residual=False).max() < 1e-9
    assert last(norm="none", feed_forward=False).min() > 0.02
    assert last(norm="pre").min() > 0.02


def test_the_spread_begins_with_the_rows_that_were_drawn_and_repeats():
    spreads = depth.spread_by_layer(2, length=6, n_seeds=3)
    assert spreads.shape == (3, 3)
    assert (spreads[:, 0] > 0.8).all()
    assert len(set(spreads[:, 0])) == 3
    assert np.array_equal(spreads, depth.spread_by_layer(2, length=6, n_seeds=3))


class TestSorting:
    def test_the_loss_is_that_of_the_ordered_list(self):
        class Oracle(nn.Module):
            def forward(self, numbers: torch.Tensor) -> torch.Tensor:
                ordered = torch.tensor([sorted(one) for one in numbers.tolist()])
                return 50.0 * nn.functional.one_hot(ordered, depth.N_SYMBOLS)

        class Guess(nn.Module):
            def forward(self, numbers: torch.Tensor) -> torch.Tensor:
                return torch.zeros(*numbers.shape, depth.N_SYMBOLS)

        generator = torch.Generator().manual_seed(0)
        assert depth.sorting_loss(Oracle(), generator).item() < 1e-6
        assert depth.sorting_loss(Guess(), generator).item() == pytest.approx(np.log(10), rel=1e-6)

    def test_a_small_sorter_learns_and_one_without_residual_stays_behind(self):
        learned = depth.train(depth.untrained(0, 2), 80, learning_rate=3e-3)
        assert learned.losses.shape == (80,)
        assert learned.losses[-10:].mean() < 0.6 * learned.losses[0]
        assert learned.accuracy > 0.6
        stuck = depth.train(depth.untrained(0, 8, residual=False), 30, learning_rate=3e-3)
        assert stuck.accuracy < 0.25

    def test_accuracy_is_the_share_of_places(self):
        model = depth.untrained(3, 1)
        accuracy = depth.train(model, 1, seed=5).accuracy
        numbers = torch.randint(
            depth.N_SYMBOLS, (200, depth.LENGTH), generator=torch.Generator().manual_seed(1005)
        )
        with torch.no_grad():
            written = model(numbers).argmax(-1).tolist()
        right = [
            a == b
            for got, one in zip(written, numbers.tolist(), strict=True)
            for a, b in zip(got, sorted(one), strict=True)
        ]
        assert accuracy == pytest.approx(np.mean(right))

    def test_gradients_by_layer_are_those_of_finite_differences(self):
        model = depth.untrained(0, 2, d=4).double()
        norms = depth.gradient_by_layer(model)
        assert norms.shape == (2,)
        assert all(p.grad is None or not p.grad.any() for p in model.parameters())

        def loss() -> float:
            with torch.no_grad():
                return float(depth.sorting_loss(model, torch.Generator().manual_seed(0), n_lists=64))

        squares = 0.0
        for matrix in (p for p in model.stack.blocks[1].parameters() if p.dim() == 2):
            flat = matrix.data.view(-1)
            for i in range(len(flat)):
                kept = flat[i].item()
                flat[i] = kept + 1e-6
                up = loss()
                flat[i] = kept - 1e-6
                squares += ((up - loss()) / 2e-6) ** 2
                flat[i] = kept
        assert norms[1] == pytest.approx(squares**0.5, rel=1e-5)

    def test_by_place_alone_is_what_the_best_fixed_list_gets(self):
        numbers = torch.randint(10, (40_000, depth.LENGTH), generator=torch.Generator().manual_seed(3))
        ordered = numbers.sort(dim=1).values.numpy()
        commonest = [np.bincount(column).max() for column in ordered.T]
        assert depth.by_place_alone() == pytest.approx(np.sum(commonest) / ordered.size, abs=0.005)

    def test_a_warm_up_begins_with_small_steps(self):
        def moved(warm_up: int) -> float:
            model = depth.untrained(0, 1)
            before = model.to_symbols.weight.detach().clone()
            depth.train(model, 1, learning_rate=0.01, warm_up=warm_up)
            return float((model.to_symbols.weight.detach() - before).abs().max())

        assert moved(0) == pytest.approx(0.01, rel=0.01)  # Adam's first step is the learning rate
        assert moved(50) == pytest.approx(0.01 / 50, rel=0.01)


class TestVariants:
    def test_a_share_of_the_residual(self):
        x = rows(1, 4, 8)
        with seeded(0):
            stack = depth.Stack(1, 8, 2, 16, norm="none", residual=0.5, feed_forward=False).double()
        torch.testing.assert_close(stack(x), 0.5 * x + stack.blocks[0].attention(x)[0])

    def test_held_weights_are_those_of_the_first_block_in_all_of_them(self):
        with seeded(0):
            stack = depth.Stack(3, 8, 2, 16, hold=True).double()
        for seed in (0, 1):  # each input has its own
            x = rows(2, 5, 8, seed=seed)
            found, y = [], x
            stack.shared.weights = None
            for block in stack.blocks:
                y, weights = block(y)
                found.append(weights)
            free = depth.Stack(3, 8, 2, 16).double()
            free.load_state_dict(stack.state_dict())
            expected = free.blocks[0](x)[1]
            assert all(torch.equal(weights, expected) for weights in found)
            assert not torch.allclose(free.blocks[1](free.blocks[0](x)[0])[1], expected)

    def test_a_bonus_multiplies_the_weight_of_the_word_itself(self):
        with seeded(0):
            plain = depth.Stack(1, 8, 2, 16).double()
        other = depth.Stack(1, 8, 2, 16, bonus=float(np.log(7))).double()
        other.load_state_dict(plain.state_dict())
        x = rows(1, 5, 8)
        weights = plain.blocks[0](x)[1] * (1 + 6 * torch.eye(5, dtype=torch.float64))
        torch.testing.assert_close(other.blocks[0](x)[1], weights / weights.sum(-1, keepdim=True))

    def test_larger_queries_delay_the_collapse(self):
        bare = {"norm": "none", "residual": False, "feed_forward": False}
        usual, sharp = (
            depth.spread_by_layer(3, 9, n_seeds=4, change=depth.longer_queries(a), **bare) for a in (1, 10)
        )
        assert (sharp[:, 3] > 100 * usual[:, 3]).all()

    def test_held_weights_let_the_rows_collapse_evenly_and_their_own_ever_faster(self):
        bare = {"norm": "post", "residual": 0}
        own, held = (np.log10(depth.spread_by_layer(3, 9, hold=hold, **bare)) for hold in (False, True))
        own, held = (np.diff(np.median(x, axis=0)) for x in (own, held))
        assert own[2] < 2 * own[1] < 4 * own[0] < 0
        assert held[2] > 2 * held[1]
        assert held[2] > 0.3 * own[2]


def exponents(**given: object) -> np.ndarray:
    """Of the median spread after each of four layers, where LayerNorm holds the lengths and nothing the rows apart."""
    left = depth.spread_by_layer(4, 9, n_seeds=40, norm="post", residual=0, **given)
    return np.log10(np.median(left, axis=0))


class TestWhatANetworkDoesToTheCollapse:
    def test_it_speeds_it_up_by_what_the_first_one_does(self):
        everywhere, nowhere = exponents(), exponents(change=depth.networks_only_in(()))
        first = exponents(change=depth.networks_only_in((0,)))
        later = exponents(change=depth.networks_only_in((1, 2, 3)))
        assert everywhere[4] < nowhere[4] - 1.5
        assert abs(first[4] - everywhere[4]) < 0.5
        assert abs(later[4] - nowhere[4]) < 0.7
        assert nowhere[1] - 0.15 < first[1] < nowhere[1] - 0.03  # a little, in the first layer

    def test_it_does_so_by_what_its_max_adds_to_all_rows(self):
        nowhere = exponents(change=depth.networks_only_in(()))
        for change in (depth.without_max, depth.without_shared_part):
            kept = exponents(change=change)
            assert kept[4] > nowhere[4]
            assert kept[1] > nowhere[1] - 0.01

    def test_it_costs_little_where_weights_do_not_follow_the_rows(self):
        held = exponents(hold=True), exponents(hold=True, feed_forward=False)
        assert abs(held[0][4] - held[1][4]) < 0.5

    def test_the_size_of_its_weights_cancels_in_the_layer_norm(self):
        np.testing.assert_allclose(exponents(change=depth.larger_networks(10)), exponents(), atol=0.1)

    def test_without_layer_norm_the_size_decides(self):
        bare = {"norm": "none", "residual": 0}
        alone, usual, larger = (
            np.median(depth.spread_by_layer(3, 9, **bare, **given)[:, -1])
            for given in (
                {"feed_forward": False},
                {},
                {"change": depth.larger_networks(3)},
            )
        )
        assert usual < 0.01 * alone < 0.1 * larger


def test_changes_of_a_stack_do_what_they_say():
    x = rows(1, 4, 8)
    with seeded(0):
        stack = depth.Stack(2, 8, 2, 16, norm="none", residual=0).double()
    first, second = stack.blocks
    network = second.feed_forward
    with torch.no_grad():
        depth.larger_networks(3)(stack)
    expected = torch.relu(x @ network.W_1.weight.T) @ network.W_2.weight.T
    torch.testing.assert_close(network(x), expected)
    depth.networks_only_in((1,))(stack)
    assert torch.equal(first.feed_forward(x), x)
    assert second.feed_forward is network
    straight = depth.Stack(1, 8, 2, 16).double()
    weights = [straight.blocks[0].feed_forward.W_1.weight, straight.blocks[0].feed_forward.W_2.weight]
    depth.without_max(straight)
    torch.testing.assert_close(straight.blocks[0].feed_forward(x), x @ weights[0].T @ weights[1].T)


def test_without_its_shared_part_a_network_is_0_on_average():
    with seeded(0), torch.no_grad():
        stack = depth.Stack(1, 8, 2, 16).double()
        network = stack.blocks[0].feed_forward
        x = rows(200_000, 8)
        before = network(x).mean(0).norm()
        depth.without_shared_part(stack)
        assert network(x).mean(0).norm() < 0.02 * before


def test_rows_by_layer_are_those_of_the_stack_and_their_spread():
    found = depth.rows_by_layer(3, 5, seed=2, d=8, norm="post")
    with seeded(2), torch.no_grad():
        stack = depth.Stack(3, 8, 2, 32, norm="post").double()
        expected = stack.by_layer(torch.randn(5, 8, dtype=torch.float64)[None])
    np.testing.assert_array_equal(found, torch.cat(expected).numpy())
    spreads = depth.spread_by_layer(3, 5, n_seeds=3, d=8, norm="post")
    np.testing.assert_allclose(spreads[2], [depth.spread(torch.from_numpy(x)) for x in found])


@pytest.fixture(scope="module")
def record():
    return depth.stored()


class TestRecord:
    def test_has_every_variant_rate_and_seed(self, record):
        assert list(record["variants"]) == list(depth.VARIANTS)
        for runs in record["variants"].values():
            assert np.shape(runs["right"]) == np.shape(runs["spread"]) == (len(depth.RATES), depth.N_SEEDS)
            assert np.shape(runs["losses"]) == (len(depth.RATES), depth.N_SEEDS, depth.N_STEPS // 20)
        for name in depth.TRAINED_LONGER:
            assert np.shape(record["longer"][name]["losses"])[2] == depth.LONGER // 20
        assert record["settings"]["rates"] == list(depth.RATES)

    def test_is_what_training_gives(self, record):
        """As it is stored, the first steps of one start: the whole takes minutes."""
        for name in ("all parts, LayerNorm before", "no residual, words favour themselves"):
            told = depth.record(name, 40, seeds=[0], rates=depth.RATES[:1])
            np.testing.assert_allclose(
                told["losses"][0][0], record["variants"][name]["losses"][0][0][:2], rtol=0.02
            )
