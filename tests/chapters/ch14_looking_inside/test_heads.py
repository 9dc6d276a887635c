"""Heads that are replaced: equal to the same model computed by hand, and nothing left behind."""

import pytest
import torch

from course_lib.chapters.ch14_looking_inside.heads import attentions, outputs, replaced
from course_lib.model import MultiHeadAttention, Transformer, TransformerConfig


@pytest.fixture
def layer() -> MultiHeadAttention:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return MultiHeadAttention(12, n_heads=3)


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(4))


class TestReplaced:
    @pytest.mark.parametrize("head", [0, 2])
    def test_an_ablated_head_is_one_whose_part_of_the_last_matrix_is_zero(self, layer, x, head):
        with replaced(layer, head):
            found = layer(x)[0]
        layer.W_O.weight.data[:, 4 * head : 4 * head + 4] = 0
        torch.testing.assert_close(found, layer(x)[0])

    def test_all_heads_of_another_run_give_the_other_run(self, layer, x):
        other = x.flip(0)
        with replaced(layer, [0, 1, 2], outputs(layer, other)[layer]):
            torch.testing.assert_close(layer(x)[0], layer(other)[0])

    def test_one_head_of_another_run_changes_its_part_alone(self, layer, x):
        mine, theirs = outputs(layer, x)[layer], outputs(layer, x.flip(0))[layer]
        with replaced(layer, 1, theirs):
            found = layer(x)[0]
        mixed = mine.clone()
        mixed[:, :, 1] = theirs[:, :, 1]
        torch.testing.assert_close(found, layer.W_O(mixed.flatten(-2)))

    def test_a_head_is_changed_at_the_named_positions_alone(self, layer, x):
        mine, theirs = outputs(layer, x)[layer], outputs(layer, x.flip(0))[layer]
        with replaced(layer, 1, theirs, slice(2, 4)):
            found = layer(x)[0]
        mixed = mine.clone()
        mixed[:, 2:4, 1] = theirs[:, 2:4, 1]
        torch.testing.assert_close(found, layer.W_O(mixed.flatten(-2)))

    def test_nothing_is_left_behind_even_after_an_error(self, layer, x):
        before = layer(x)[0]
        with pytest.raises(RuntimeError, match="stop"), replaced(layer, 0):
            raise RuntimeError("stop")
        assert torch.equal(layer(x)[0], before)


def test_the_outputs_are_what_the_last_matrix_reads(layer, x):
    found = outputs(layer, x)[layer]
    assert found.shape == (2, 5, 3, 4)
    torch.testing.assert_close(layer.W_O(found.flatten(-2)), layer(x)[0])
    assert not layer.W_O._forward_pre_hooks


def test_every_attention_of_a_translator_has_a_name():
    model = Transformer(TransformerConfig(9, 9, d_model=8, n_heads=2, d_ff=8))
    named = attentions(model)
    assert set(named.values()) == {m for m in model.modules() if isinstance(m, MultiHeadAttention)}
    assert named["encoder 1"] is model.encoder[1].attention
    assert named["decoder 0"] is model.decoder[0].self_attention
    assert named["cross 1"] is model.decoder[1].cross_attention
