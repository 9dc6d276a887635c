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
        learned = depth.train(depth.untrained(0, 2), range(80), learning_rate=3e-3)
        assert learned.losses.shape == (80,)
        assert learned.losses[-10:].mean() < 0.6 * learned.losses[0]
        assert learned.accuracy > 0.6
        stuck = depth.train(depth.untrained(0, 8, residual=False), range(30), learning_rate=3e-3)
        assert stuck.accuracy < 0.25

    def test_accuracy_is_the_share_of_places(self):
        model = depth.untrained(3, 1)
        accuracy = depth.train(model, range(1), seed=5).accuracy
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
