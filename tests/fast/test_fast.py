"""What is fast computes what `course_lib.model` does: kernels, caches, preparation."""

import copy
import math
from unittest import mock

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given, settings
from torch import nn

from course_lib.fast import (
    ByteDropout,
    CachedAttention,
    KeyValueCache,
    Remembered,
    faster,
    fused_attention,
    kernels,
    largest,
    prepare,
    ready_to_decode,
    start_decoding,
)
from course_lib.fast.kernels import BLOCK, fused
from course_lib.fast.one_position import FIRST_ROOM, LeanBlock, ModularBlock, is_standard
from course_lib.model import MultiHeadAttention, Parts, RotaryAttention, attention, causal_mask
from tests.support.compare import assert_close
from tests.support.models import gradients, normal, sentences, small_recurrent, small_transformer, with_bos


class TestCaches:
    @pytest.mark.parametrize("function", [attention, fused_attention, RotaryAttention()])
    def test_step_by_step_equals_all_at_once(self, function) -> None:
        torch.manual_seed(0)
        layer = MultiHeadAttention(8, 2, attention_function=function).double()
        x = normal(3, 5, 8)
        expected, _ = layer(x, mask=causal_mask(5))
        layer.attention_function = CachedAttention(function)
        for i in range(5):
            assert_close(layer(x[:, i : i + 1])[0], expected[:, i : i + 1])

    def test_what_is_remembered_is_computed_once(self) -> None:
        torch.manual_seed(0)
        projection, x = nn.Linear(6, 4).double(), normal(3, 5, 6)
        once = Remembered(projection)
        first = once(x)
        assert torch.equal(first, projection(x))
        assert once(normal(3, 5, 6, seed=1)) is first
        once.select(torch.tensor([2, 0]))
        assert torch.equal(once(x), projection(x)[[2, 0]])

    def test_selecting_rows_of_a_cache(self) -> None:
        cache = KeyValueCache()
        cache.append(normal(3, 2, 4, 5), normal(3, 2, 4, 6, seed=1))
        cache.select(torch.tensor([2, 2, 0]))
        assert torch.equal(cache.keys, normal(3, 2, 4, 5)[[2, 2, 0]])
        assert torch.equal(cache.values, normal(3, 2, 4, 6, seed=1)[[2, 2, 0]])

    @pytest.mark.parametrize("make", [small_transformer, small_recurrent])
    def test_rows_of_one_source_may_change_places_without_reading_it_again(self, make) -> None:
        model = make().eval()
        source = sentences(11, [4, 2])[[0, 0, 1, 1]]  # two beams for each of two sentences
        target = with_bos(sentences(11, [5, 5, 5, 5], seed=1))
        rows = torch.tensor([1, 1, 3, 2])
        whole, quick = start_decoding(model, source), start_decoding(model, source)
        for state in (whole, quick):
            state.step(target[:, 0])
            state.step(target[:, 1])
        whole.select(rows)
        quick.select(rows, same_source=True)
        assert_close(quick.step(target[:, 2]), whole.step(target[:, 2]))

    def test_decoding_leaves_the_model_as_it_is(self) -> None:
        model = small_transformer()
        before = {name: type(part) for name, part in model.named_modules()}
        start_decoding(model, sentences(11, [3, 2])).step(torch.tensor([1, 1]))
        assert {name: type(part) for name, part in model.named_modules()} == before
        attentions = [m for m in model.modules() if isinstance(m, MultiHeadAttention)]
        assert all(m.attention_function is attention for m in attentions)

    def test_keys_of_the_source_are_computed_at_the_first_step_alone(self) -> None:
        model, calls = small_transformer(), []
        model.decoder[0].cross_attention.W_K.register_forward_hook(lambda *_: calls.append(1))
        state = start_decoding(model, sentences(11, [3, 2]))
        for _ in range(4):
            state.step(torch.tensor([1, 1]))
        assert len(calls) == 1

    def test_other_models_are_refused(self) -> None:
        with pytest.raises(TypeError, match="model Linear: expected one of the course's models"):
            start_decoding(nn.Linear(1, 1))


class TestOnePosition:
    """The formula written out, against the modules; against all positions at once in `tests/model`."""

    @given(
        seed=st.integers(0, 1000),
        norm=st.sampled_from(["pre", "post"]),
        position=st.sampled_from(["sinusoidal", "learned", "none"]),
        widths=st.sampled_from([{}, {"d_k": 3, "d_v": 5}]),
        lengths=st.lists(st.integers(0, 6), min_size=1, max_size=4).filter(any),
        data=st.data(),
    )
    @settings(max_examples=40, deadline=None)
    def test_written_out_equals_module_by_module(self, seed, norm, position, widths, lengths, data) -> None:
        """Sentences leave, change places and beams, in the middle; one has no word at all."""
        model = small_transformer(seed=seed, norm=norm, position=position, **widths).eval()
        hooked = copy.deepcopy(model)
        for block in hooked.decoder:
            block.feed_forward.register_forward_hook(lambda *_: None)
        source = sentences(11, lengths, seed)
        states = [start_decoding(ready_to_decode(m), source) for m in (model, hooked)]
        assert [{type(block) for block in state.blocks} for state in states] == [{LeanBlock}, {ModularBlock}]
        n = len(lengths)
        for _ in range(6):
            tokens = torch.tensor(data.draw(st.lists(st.integers(3, 12), min_size=n, max_size=n)))
            lean, modular = (state.step(tokens) for state in states)
            assert_close(lean, modular)
            if data.draw(st.booleans()):
                rows = torch.tensor(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5)))
                for state in states:
                    state.select(rows)
                n = len(rows)

    def test_there_is_room_for_as_many_positions_as_come(self) -> None:
        model = small_transformer().eval()
        source, target_in = sentences(11, [4, 2]), with_bos(sentences(13, [2 * FIRST_ROOM + 2] * 2))
        state = start_decoding(model, source)
        logits = torch.stack([state.step(target_in[:, i]) for i in range(target_in.shape[1])], dim=1)
        assert_close(logits, model(source, target_in))

    @pytest.mark.parametrize(
        "change",
        [
            lambda model: model.train(),
            lambda model: setattr(model.decoder[0].self_attention, "attention_function", RotaryAttention()),
            lambda model: setattr(model.decoder[0], "feed_forward", nn.Identity()),
            lambda model: setattr(
                model.decoder[0].cross_attention, "W_Q", nn.Linear(8, 8, bias=False).double()
            ),
            lambda model: setattr(model.decoder[0].around_feed_forward, "norm", nn.Identity()),
            lambda model: model.decoder[0].self_attention.register_forward_pre_hook(lambda *_: None),
        ],
    )
    def test_what_is_not_standard_runs_as_it_is(self, change) -> None:
        model = small_transformer().eval()
        assert is_standard(model.decoder[0])
        change(model)
        assert not is_standard(model.decoder[0])
        source, target_in = sentences(11, [4, 2]), with_bos(sentences(13, [3, 3]))
        state = start_decoding(model, source)
        assert type(state.blocks[0]) is ModularBlock
        if not isinstance(model.decoder[0].self_attention.attention_function, RotaryAttention):
            logits = torch.stack([state.step(target_in[:, i]) for i in range(4)], dim=1)
            assert_close(logits, model(source, target_in))

    def test_a_sublayer_may_be_unlike_the_others(self) -> None:
        model = small_transformer(norm="pre").eval()
        model.decoder[0].around_cross_attention.pre = False
        source, target_in = sentences(11, [4, 2]), with_bos(sentences(13, [3, 3]))
        state = start_decoding(model, source)
        assert type(state.blocks[0]) is LeanBlock
        logits = torch.stack([state.step(target_in[:, i]) for i in range(4)], dim=1)
        assert_close(logits, model(source, target_in))

    def test_a_model_that_learns_is_made_ready_anew(self) -> None:
        model, source = small_transformer().eval(), sentences(11, [4, 2])
        ready = ready_to_decode(model)
        before = start_decoding(ready, source).step(torch.tensor([1, 1]))
        with torch.no_grad():
            model.decoder[0].self_attention.W_O.weight.mul_(3)
        assert torch.equal(start_decoding(ready, source).step(torch.tensor([1, 1])), before)
        assert not torch.allclose(start_decoding(model, source).step(torch.tensor([1, 1])), before)
        recurrent = small_recurrent()
        assert ready_to_decode(recurrent) is recurrent


class TestLargest:
    @given(
        n_rows=st.integers(1, 4),
        n=st.integers(1, 6 * BLOCK),
        k=st.integers(1, 6),
        ties=st.booleans(),
        seed=st.integers(0, 1000),
    )
    @settings(max_examples=100, deadline=None)
    def test_is_topk(self, n_rows, n, k, ties, seed) -> None:
        k, x = min(k, n), normal(n_rows, n, seed=seed)
        if ties:
            x = x.round()
        x[:, ::3] = -torch.inf
        with mock.patch.object(kernels, "LEAST", 0):  # by blocks, however few there are
            values, columns = largest(x, k)
        assert torch.equal(values, x.topk(k).values)
        assert torch.equal(x.gather(1, columns), values)
        assert all(len(set(row)) == k for row in columns.tolist())

    @pytest.mark.parametrize(("n_rows", "n"), [(1, 100), (32, 6000), (3, 30_001)])
    def test_is_topk_where_it_pays_and_where_it_does_not(self, n_rows: int, n: int) -> None:
        x = normal(n_rows, n, dtype=torch.float32)
        for k in (1, 10):
            values, columns = largest(x, k)
            assert torch.equal(values, x.topk(k).values)
            assert torch.equal(x.gather(1, columns), values)


class TestPrepared:
    @given(
        seed=st.integers(0, 1000),
        norm=st.sampled_from(["pre", "post"]),
        position=st.sampled_from(["sinusoidal", "learned", "none", "rotary"]),
        lengths=st.lists(st.integers(0, 6), min_size=1, max_size=4).filter(any),
    )
    @settings(max_examples=30)
    def test_equals_the_model_forward_and_backward(self, seed, norm, position, lengths) -> None:
        model = small_transformer(seed=seed, norm=norm, position=position)
        source, target_in = (
            sentences(11, lengths, seed),
            with_bos(sentences(13, [4] * len(lengths), seed + 1)),
        )
        fast = prepare(model).model
        output, expected = fast(source, target_in), model(source, target_in)
        assert_close(output, expected)
        parameters = list(model.parameters())
        used = [p for p in parameters if p.requires_grad]
        for mine, theirs in zip(gradients(output, *used), gradients(expected, *used), strict=True):
            assert_close(mine, theirs)

    @pytest.mark.parametrize("make", [small_transformer, small_recurrent])
    def test_shares_the_parameters_and_leaves_the_model_as_it_is(self, make) -> None:
        model = make(dropout=0.3)
        kinds = [type(part) for part in model.modules()]
        prepared = prepare(model)
        assert [type(part) for part in model.modules()] == kinds
        for mine, theirs in zip(prepared.model.parameters(), model.parameters(), strict=True):
            assert mine is theirs
        assert {type(m) for m in prepared.model.modules() if isinstance(m, nn.Dropout)} == {ByteDropout}
        assert {m.p for m in prepared.model.modules() if isinstance(m, nn.Dropout)} == {0.3}
        assert (prepared.device.type, prepared.dtype) == ("cpu", torch.float32)

    def test_any_module_can_be_made_faster(self) -> None:
        layer, x = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5)), normal(2, 8, dtype=torch.float32)
        fast = faster(layer.eval())
        assert type(fast[1]) is ByteDropout
        assert not fast.training
        assert fast[0].weight is layer[0].weight
        assert torch.equal(fast(x), layer(x))

    def test_what_was_injected_stays(self) -> None:
        def other(*inputs):
            return attention(2 * inputs[0], *inputs[1:])

        assert fused(other) is other
        assert fused(RotaryAttention(other)).attention_function is other
        assert fused(RotaryAttention()).attention_function is fused_attention
        model = small_transformer(parts=Parts(attention_function=other))
        source, target_in = sentences(11, [4, 2]), with_bos(sentences(13, [3, 3]))
        assert torch.equal(prepare(model).model(source, target_in), model(source, target_in))

    def test_the_loss_is_that_of_the_real_tokens(self) -> None:
        model = small_transformer(torch.float32)
        source, target = sentences(11, [4, 2]), sentences(13, [5, 3], seed=1)
        loss = prepare(model).loss(source, with_bos(target[:, :-1]), target, smoothing=0.1)
        logits = model(source, with_bos(target[:, :-1]))
        expected = nn.functional.cross_entropy(
            logits.flatten(0, 1), target.flatten(), ignore_index=0, label_smoothing=0.1
        )
        assert loss.item() == pytest.approx(expected.item(), rel=1e-5)

    def test_in_bfloat16_it_is_close_and_takes_the_readable_function(self) -> None:
        """On the CPU the fused kernel is slow in bfloat16; either way the result is that of float32, roughly."""
        torch.manual_seed(0)
        layer = MultiHeadAttention(8, 2, attention_function=fused_attention)
        x = normal(2, 5, 8, dtype=torch.float32)
        with torch.autocast("cpu", torch.bfloat16):
            rough, weights = layer(x)
        exact, none = layer(x)
        assert weights is not None
        assert none is None
        assert (rough - exact).abs().max() < 0.03 * exact.abs().max()


class TestByteDropout:
    @pytest.mark.parametrize("p", [0.1, 0.3, 0.5, 0.9])
    def test_drops_that_share_and_keeps_the_mean(self, p: float) -> None:
        torch.manual_seed(0)
        x = torch.full((1000, 1001), 3.0, dtype=torch.float64, requires_grad=True)
        output = ByteDropout(p)(x)
        dropped = (output == 0).double()
        assert dropped.mean().item() == pytest.approx(p, abs=1 / 512 + 0.002)
        for axis in (0, 1):  # spread evenly over rows and columns
            assert dropped.mean(axis).std().item() == pytest.approx(
                math.sqrt(p * (1 - p) / 1000), rel=0.3, abs=1e-3
            )
        assert len(set(output.detach().flatten().tolist())) == 2
        assert output.mean().item() == pytest.approx(3, rel=0.02)
        assert torch.equal(gradients(output, x)[0] == 0, output == 0)

    def test_in_evaluation_and_at_zero_it_does_nothing(self) -> None:
        x = normal(3, 4)
        assert ByteDropout(0.0)(x) is x
        assert ByteDropout(0.5).eval()(x) is x

    def test_follows_the_seed(self) -> None:
        x = torch.ones(3, 5)
        outputs = []
        for _ in range(2):
            torch.manual_seed(7)
            outputs.append(ByteDropout(0.5)(x))
        assert torch.equal(*outputs)
        assert not torch.equal(outputs[0], ByteDropout(0.5)(x))

    @pytest.mark.parametrize("p", [-0.1, 1.0])
    def test_no_probability(self, p: float) -> None:
        with pytest.raises(ValueError, match="p: expected a probability"):
            ByteDropout(p)
