"""The torch modules against the NumPy mathematics and PyTorch's own modules, forward and backward."""

import math

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib import functional
from course_lib.fast import fused_attention
from course_lib.model import (
    DecoderBlock,
    EncoderBlock,
    FeedForward,
    MultiHeadAttention,
    PositionalEncoding,
    Sublayer,
    attention,
    causal_mask,
    merge_heads,
    split_heads,
)
from course_lib.model.attention import attention_weights
from course_lib.model.positions import RotaryAttention, rotate
from tests.support.compare import assert_close
from tests.support.models import copy_block, gradients, normal, some_mask

DTYPES = st.sampled_from([torch.float32, torch.float64])
SIZES = st.integers(1, 6)


@st.composite
def attention_inputs(draw: st.DrawFn) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    dtype = draw(DTYPES)
    batch, heads, l_q, l_k, d_k, d_v = (draw(SIZES) for _ in range(6))
    seed = draw(st.integers(0, 2**30))
    queries = normal(batch, heads, l_q, d_k, dtype=dtype, seed=seed).requires_grad_()
    keys = normal(batch, heads, l_k, d_k, dtype=dtype, seed=seed + 1).requires_grad_()
    values = normal(batch, heads, l_k, d_v, dtype=dtype, seed=seed + 2).requires_grad_()
    return queries, keys, values, some_mask(batch, 1, l_q, l_k, seed=seed)


class TestAttention:
    @given(attention_inputs())
    @settings(max_examples=60)
    def test_numpy_readable_fused_and_pytorch_agree(self, inputs: tuple[Tensor, ...]) -> None:
        queries, keys, values, mask = inputs
        expected = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        output, weights = attention(queries, keys, values, mask)
        fused, none = fused_attention(queries, keys, values, mask)
        assert none is None
        by_hand, weights_by_hand = functional.attention(
            *(x.detach().numpy() for x in (queries, keys, values, mask))
        )
        for ours in (output, fused, torch.from_numpy(by_hand)):
            assert_close(ours, expected)
        assert_close(weights, torch.from_numpy(weights_by_hand))
        wanted = gradients(expected, queries, keys, values)
        for ours in (output, fused):
            for mine, theirs in zip(gradients(ours, queries, keys, values), wanted, strict=True):
                assert_close(mine, theirs)

    @pytest.mark.parametrize("compute", [attention, fused_attention])
    def test_row_masked_whole_gives_zeros_and_finite_gradients(self, compute) -> None:
        queries, keys, values = (normal(2, 3, 4, seed=s).requires_grad_() for s in range(3))
        mask = some_mask(2, 3, 3)
        mask[0, 1] = False
        output, _ = compute(queries, keys, values, mask)
        assert torch.equal(output[0, 1], torch.zeros(4, dtype=torch.float64))
        assert output[0, 0].abs().min() > 0
        grads = gradients(output, queries, keys, values)
        assert all(g.isfinite().all() for g in grads)
        assert torch.equal(grads[0][0, 1], torch.zeros(4, dtype=torch.float64))
        _, weights = attention(queries, keys, values, mask)
        assert weights.sum(-1).detach() == pytest.approx(np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0]]))

    @pytest.mark.parametrize("compute", [attention, fused_attention])
    def test_masked_keys_have_no_influence_however_large_their_scores(self, compute) -> None:
        """A large finite number instead of −∞ lets a masked key through when the allowed scores are lower still."""
        queries = torch.full((1, 2), -1e5)
        keys, values = torch.tensor([[1.0, 1.0], [-1.0, -1.0]]), torch.tensor([[5.0], [7.0]])
        mask = torch.tensor([[True, False]])  # scores −141,421 (allowed) and +141,421 (masked)
        assert compute(queries, keys, values, mask)[0].item() == 5.0

    def test_dropout_zeroes_weights_and_keeps_their_mean(self) -> None:
        torch.manual_seed(0)
        x = normal(1, 400, 2)
        _, weights = attention(x, x, x, dropout=0.25)
        assert (weights == 0).double().mean().item() == pytest.approx(0.25, abs=0.01)
        assert weights.sum(-1).mean().item() == pytest.approx(1.0, abs=0.01)

    @pytest.mark.parametrize(
        ("shapes", "message"),
        [
            (((2, 3), (2, 4), (2, 4)), r"queries \(2, 3\) and keys \(2, 4\)"),
            (((2, 3), (4, 3), (5, 3)), r"keys \(4, 3\) and values \(5, 3\)"),
        ],
    )
    def test_shapes_that_do_not_fit(self, shapes: tuple[tuple[int, ...], ...], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            attention(*(torch.zeros(s) for s in shapes))
        with pytest.raises(ValueError, match=message):
            fused_attention(*(torch.zeros(s) for s in shapes))

    def test_mask_that_is_not_boolean(self) -> None:
        x = torch.zeros(2, 3)
        with pytest.raises(ValueError, match="boolean"):
            attention(x, x, x, torch.ones(2, 2))


def pytorch_attention(ours: MultiHeadAttention, d_model: int, d_context: int) -> nn.MultiheadAttention:
    """PyTorch's own layer with our weights; it knows only d_k = d_v = d / H."""
    theirs = nn.MultiheadAttention(
        d_model, ours.n_heads, kdim=d_context, vdim=d_context, batch_first=True, dtype=ours.W_Q.weight.dtype
    )
    with torch.no_grad():
        if theirs.in_proj_weight is not None:
            theirs.in_proj_weight.copy_(torch.cat([ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight]))
        else:
            theirs.q_proj_weight.copy_(ours.W_Q.weight)
            theirs.k_proj_weight.copy_(ours.W_K.weight)
            theirs.v_proj_weight.copy_(ours.W_V.weight)
        theirs.in_proj_bias.copy_(torch.cat([ours.W_Q.bias, ours.W_K.bias, ours.W_V.bias]))
        theirs.out_proj.load_state_dict(ours.W_O.state_dict())
    return theirs


class TestMultiHeadAttention:
    @given(
        dtype=DTYPES,
        sizes=st.tuples(SIZES, SIZES, SIZES, st.integers(1, 4), st.integers(1, 4), SIZES),
        self_attention=st.booleans(),
        fused=st.booleans(),
        seed=st.integers(0, 1000),
    )
    @settings(max_examples=60)
    def test_equals_pytorch_forward_and_backward(self, dtype, sizes, self_attention, fused, seed) -> None:
        batch, l_q, l_k, heads, d_head, d_context = sizes
        d_model = heads * d_head
        torch.manual_seed(seed)
        function = fused_attention if fused else attention
        ours = MultiHeadAttention(
            d_model, heads, d_context=None if self_attention else d_context, attention_function=function
        ).to(dtype)
        nn.init.normal_(ours.W_Q.bias)  # a fresh layer of ours has biases, of theirs none worth the name
        x = normal(batch, l_q, d_model, dtype=dtype, seed=seed).requires_grad_()
        context = x if self_attention else normal(batch, l_k, d_context, dtype=dtype, seed=seed + 1)
        mask = some_mask(batch, l_q, context.shape[1], seed=seed)
        theirs = pytorch_attention(ours, d_model, context.shape[-1])
        expected, expected_weights = theirs(
            x, context, context, attn_mask=~mask.repeat_interleave(heads, 0), average_attn_weights=False
        )
        output, weights = ours(x, context=None if self_attention else context, mask=mask)
        assert_close(output, expected)
        if fused:
            assert weights is None
        else:
            assert_close(weights, expected_weights)
        assert_close(gradients(output, x)[0], gradients(expected, x)[0])
        assert_close(gradients(output, ours.W_O.weight)[0], gradients(expected, theirs.out_proj.weight)[0])
        grad_v = theirs.in_proj_weight if theirs.in_proj_weight is not None else theirs.v_proj_weight
        assert_close(gradients(output, ours.W_V.weight)[0], gradients(expected, grad_v)[0][-d_model:])

    @given(st.tuples(*[SIZES] * 6), st.integers(0, 1000))
    @settings(max_examples=40)
    def test_any_head_widths_equal_heads_computed_one_by_one(self, sizes: tuple[int, ...], seed: int) -> None:
        """Each head reads its own slice of the projections, and W_O its own slice of the concatenation."""
        batch, length, d_model, heads, d_k, d_v = sizes
        torch.manual_seed(seed)
        layer = MultiHeadAttention(d_model, heads, d_k, d_v).double()
        x = normal(batch, length, d_model, seed=seed)
        expected = layer.W_O.bias.expand(batch, length, d_model)
        for h in range(heads):
            k, v = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
            q_h = x @ layer.W_Q.weight[k].T + layer.W_Q.bias[k]
            k_h = x @ layer.W_K.weight[k].T + layer.W_K.bias[k]
            v_h = x @ layer.W_V.weight[v].T + layer.W_V.bias[v]
            weights = torch.softmax(q_h @ k_h.transpose(1, 2) / math.sqrt(d_k), dim=-1)
            expected = expected + weights @ v_h @ layer.W_O.weight[:, v].T
        assert_close(layer(x)[0], expected)

    def test_weights_can_be_dropped_in_training_only(self) -> None:
        torch.manual_seed(0)
        layer = MultiHeadAttention(4, 1, dropout=0.5)
        x = normal(1, 50, 4, dtype=torch.float32)
        assert (layer(x)[1] == 0).any()
        layer.eval()
        assert not (layer(x)[1] == 0).any()

    def test_heads_must_divide_the_width(self) -> None:
        with pytest.raises(ValueError, match="n_heads = 3 must divide d_model = 8"):
            MultiHeadAttention(8, 3)


class TestPositionalEncoding:
    def test_added_is_the_formula(self) -> None:
        x = normal(2, 7, 6)
        encoding = PositionalEncoding(6)
        assert_close(encoding(x), x + torch.from_numpy(functional.sinusoidal_encoding(7, 6)))

    def test_appended_widens(self) -> None:
        x = normal(2, 7, 3, dtype=torch.float32)
        output = PositionalEncoding(4, mode="append")(x)
        assert torch.equal(output[..., :3], x)
        table = torch.from_numpy(functional.sinusoidal_encoding(7, 4)).float()
        assert torch.equal(output[..., 3:], table.expand(2, 7, 4))

    @pytest.mark.parametrize("kind", ["sinusoidal", "learned", "none", "rotary"])
    def test_start_continues_the_sequence(self, kind: str) -> None:
        x = normal(1, 9, 4, dtype=torch.float32)
        encoding = PositionalEncoding(4, max_length=9, kind=kind)
        assert torch.equal(encoding(x)[:, 5:], encoding(x[:, 5:], start=5))

    def test_sinusoids_have_no_longest_sequence(self) -> None:
        x = torch.zeros(1, 50, 4)
        table = torch.from_numpy(functional.sinusoidal_encoding(50, 4)).float()
        assert torch.equal(PositionalEncoding(4, max_length=3)(x)[0], table)

    def test_learned_positions_end(self) -> None:
        with pytest.raises(ValueError, match="position 3 was asked for, but only 3 are learned"):
            PositionalEncoding(4, max_length=3, kind="learned")(torch.zeros(1, 4, 4))

    def test_learned_positions_learn(self) -> None:
        encoding = PositionalEncoding(4, max_length=3, kind="learned")
        encoding(torch.zeros(1, 2, 4)).sum().backward()
        assert encoding.table.grad.sum(1).tolist() == [4.0, 4.0, 0.0]

    def test_none_changes_nothing(self) -> None:
        x = normal(1, 3, 4, dtype=torch.float32)
        assert torch.equal(PositionalEncoding(4, kind="none")(x), x)

    def test_odd_width(self) -> None:
        with pytest.raises(ValueError, match="even"):
            PositionalEncoding(5)


class TestFeedForward:
    def test_is_two_convolutions_of_width_one(self) -> None:
        torch.manual_seed(0)
        layer, x = FeedForward(4, 7).double(), normal(2, 5, 4)
        inner = F.conv1d(x.transpose(1, 2), layer.W_1.weight.unsqueeze(2), layer.W_1.bias).clamp(min=0)
        outer = F.conv1d(inner, layer.W_2.weight.unsqueeze(2), layer.W_2.bias).transpose(1, 2)
        assert_close(layer(x), outer)

    def test_positions_do_not_mix(self) -> None:
        layer, x = FeedForward(4, 7).double(), normal(1, 5, 4)
        changed = x.clone()
        changed[0, 2] += 1
        difference = (layer(changed) - layer(x)).abs().sum(-1)[0]
        assert (difference > 0).tolist() == [False, False, True, False, False]


class TestSublayer:
    def test_pre_and_post(self) -> None:
        x, matrix = normal(2, 3, 4), normal(4, 4, seed=1)

        def f(x: Tensor) -> Tensor:
            return x @ matrix

        pre, post = Sublayer(4, "pre").double(), Sublayer(4, "post").double()
        assert_close(pre(x, f), x + f(F.layer_norm(x, (4,))))
        assert_close(post(x, f), F.layer_norm(x + f(x), (4,)))

    def test_dropout_is_on_what_is_added(self) -> None:
        torch.manual_seed(0)
        sublayer = Sublayer(4, dropout=0.5)
        added = sublayer(torch.full((100, 4), 3.0), torch.ones_like) - 3
        assert set(added.detach().flatten().tolist()) == {0.0, 2.0}
        assert (sublayer.eval()(torch.full((1, 4), 3.0), torch.ones_like) == 4).all()


class TestRotary:
    def test_turns_pairs_of_columns_as_complex_numbers(self) -> None:
        x = normal(2, 5, 6)
        pairs = torch.view_as_complex(x.unflatten(-1, (3, 2)))
        angles = torch.arange(3, 8).unsqueeze(1) * 10000 ** (-torch.arange(3) / 3)
        turned = torch.view_as_real(pairs * torch.exp(1j * angles)).flatten(-2)
        torch.testing.assert_close(rotate(x, start=3), turned, rtol=1e-6, atol=1e-6)

    def test_scores_depend_on_the_distance_alone(self) -> None:
        queries, keys = normal(1, 6, 8), normal(1, 6, 8, seed=1)
        here, there = (rotate(queries, s) @ rotate(keys, s).transpose(1, 2) for s in (0, 100))
        assert_close(here, there)
        assert not torch.allclose(here, queries @ keys.transpose(1, 2))

    def test_is_attention_of_turned_queries_and_keys(self) -> None:
        x, mask = normal(2, 5, 6), causal_mask(5)
        output, weights = RotaryAttention()(x, x, x, mask)
        expected, expected_weights = attention(rotate(x), rotate(x), x, mask)
        assert_close(output, expected)
        assert_close(weights, expected_weights)

    def test_the_last_query_stands_where_the_last_key_does(self) -> None:
        x = normal(2, 5, 6)
        whole, _ = RotaryAttention()(x, x, x, causal_mask(5))
        for end in range(1, 6):
            last, _ = RotaryAttention()(x[:, end - 1 : end], x[:, :end], x[:, :end])
            assert_close(last, whole[:, end - 1 : end])

    def test_odd_width(self) -> None:
        with pytest.raises(ValueError, match=r"x \(1, 2, 3\): rotary positions need an even width"):
            rotate(torch.zeros(1, 2, 3))


class TestHeads:
    def test_head_h_gets_its_columns_and_merging_puts_them_back(self) -> None:
        x = normal(2, 3, 8)
        heads = split_heads(x, 4)
        for h in range(4):
            assert torch.equal(heads[:, h], x[..., 2 * h : 2 * h + 2])
        assert torch.equal(merge_heads(heads), x)

    def test_weights_of_every_attention_by_its_name(self) -> None:
        model = nn.ModuleDict({"a": MultiHeadAttention(4, 2), "b": MultiHeadAttention(4, 1)})
        model.forward = lambda x: model["b"](model["a"](x)[0])
        x = normal(2, 3, 4, dtype=torch.float32)
        found = attention_weights(model, x)
        assert list(found) == ["a", "b"]
        assert torch.equal(found["a"], model["a"](x)[1])
        assert not any(module._forward_hooks for module in model.modules())


class TestBlocks:
    @pytest.mark.parametrize("norm", ["pre", "post"])
    @pytest.mark.parametrize("training", [True, False])
    def test_encoder_block_equals_pytorch(self, norm: str, training: bool) -> None:
        torch.manual_seed(0)
        ours = EncoderBlock(8, 2, 12, norm=norm).double()
        theirs = nn.TransformerEncoderLayer(
            8, 2, 12, dropout=0.0, batch_first=True, norm_first=norm == "pre", dtype=torch.float64
        )
        copy_block(ours, theirs)
        ours.train(training)
        theirs.train(training)
        x, mask = normal(3, 5, 8).requires_grad_(), some_mask(5, 5)
        output, expected = ours(x, mask)[0], theirs(x, src_mask=~mask)
        assert_close(output, expected)
        assert_close(gradients(output, x)[0], gradients(expected, x)[0])

    @pytest.mark.parametrize("norm", ["pre", "post"])
    def test_decoder_block_equals_pytorch(self, norm: str) -> None:
        torch.manual_seed(0)
        ours = DecoderBlock(8, 2, 12, norm=norm).double()
        theirs = nn.TransformerDecoderLayer(
            8, 2, 12, dropout=0.0, batch_first=True, norm_first=norm == "pre", dtype=torch.float64
        )
        copy_block(ours, theirs)
        x, memory = normal(3, 5, 8).requires_grad_(), normal(3, 4, 8, seed=1).requires_grad_()
        mask, memory_mask = some_mask(5, 5), some_mask(5, 4, seed=1)
        output, self_weights, cross_weights = ours(x, memory, mask, memory_mask)
        expected = theirs(x, memory, tgt_mask=~mask, memory_mask=~memory_mask)
        assert_close(output, expected)
        for mine, other in zip(gradients(output, x, memory), gradients(expected, x, memory), strict=True):
            assert_close(mine, other)
        assert (self_weights.shape, cross_weights.shape) == ((3, 2, 5, 5), (3, 2, 5, 4))
