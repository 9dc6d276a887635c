"""The whole Transformer against torch.nn.Transformer, and what must hold of it whatever its weights."""

import math
from typing import Any

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given, settings
from torch import Tensor, nn

from course_lib import functional
from course_lib.fast import prepare, start_decoding
from course_lib.model import (
    DecoderOnlyConfig,
    DecoderOnlyTransformer,
    Parts,
    Transformer,
    TransformerConfig,
    attention,
)
from course_lib.special_ids import PAD_ID
from tests.support.compare import assert_close
from tests.support.models import copy_block, gradients, sentences, small_transformer, with_bos


def pytorch_logits(ours: Transformer, source: Tensor, target_in: Tensor) -> Tensor:
    """The same by torch.nn.Transformer with our weights: embeddings, sines and cosines, masks put by hand."""
    c = ours.config
    theirs = nn.Transformer(
        c.d_model,
        c.n_heads,
        c.n_encoder_layers,
        c.n_decoder_layers,
        c.d_ff,
        dropout=0.0,
        batch_first=True,
        norm_first=c.norm == "pre",
        dtype=ours.output.weight.dtype,
    )
    for mine, other in zip(ours.encoder, theirs.encoder.layers, strict=True):
        copy_block(mine, other)
    for mine, other in zip(ours.decoder, theirs.decoder.layers, strict=True):
        copy_block(mine, other)
    theirs.encoder.norm.load_state_dict(ours.encoder_norm.state_dict())
    theirs.decoder.norm.load_state_dict(ours.decoder_norm.state_dict())

    def embed(table: Tensor, ids: Tensor) -> Tensor:
        positions = torch.from_numpy(functional.sinusoidal_encoding(ids.shape[1], c.d_model))
        return table[ids] * math.sqrt(c.d_model) + positions.to(table.dtype)

    padding = source == PAD_ID
    hidden = theirs(
        embed(ours.source_embedding.tokens.weight, source),
        embed(ours.target_embedding.tokens.weight, target_in),
        tgt_mask=torch.ones(target_in.shape[1], target_in.shape[1], dtype=torch.bool).triu(1),
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    return hidden @ ours.output.weight.T


class TestAgainstPyTorch:
    @given(
        dtype=st.sampled_from([torch.float32, torch.float64]),
        norm=st.sampled_from(["pre", "post"]),
        layers=st.tuples(st.integers(1, 2), st.integers(1, 2)),
        heads=st.sampled_from([1, 2, 4]),
        source_lengths=st.lists(st.integers(1, 6), min_size=1, max_size=4),
        target_length=st.integers(1, 6),
        seed=st.integers(0, 1000),
    )
    @settings(max_examples=30)
    def test_equals_nn_transformer(
        self, dtype, norm, layers, heads, source_lengths, target_length, seed
    ) -> None:
        model = small_transformer(
            dtype, seed, norm=norm, n_heads=heads, n_encoder_layers=layers[0], n_decoder_layers=layers[1]
        )
        source = sentences(11, source_lengths, seed)
        target_in = with_bos(sentences(13, [target_length] * len(source_lengths), seed + 1))
        expected = pytorch_logits(
            model, source, target_in
        )  # first: it changes our norms while it copies them
        output = model(source, target_in)
        assert_close(output, expected)
        tables = [model.source_embedding.tokens.weight, model.target_embedding.tokens.weight]
        for mine, theirs in zip(gradients(output, *tables), gradients(expected, *tables), strict=True):
            assert_close(mine, theirs)

    @pytest.mark.parametrize("training", [True, False])
    def test_future_has_no_gradient(self, training: bool) -> None:
        """A causal mask that disappears in eval() would show here."""
        model = small_transformer().train(training)
        embedded: list[Tensor] = []
        model.target_embedding.register_forward_hook(lambda m, i, o: embedded.append(o))
        logits = model(sentences(11, [4]), with_bos(sentences(13, [5])))
        for i in range(6):
            gradient = torch.autograd.grad(logits[0, i].sum(), embedded[0], retain_graph=True)[0][0]
            reach = gradient.abs().sum(-1) > 0  # which of the target's positions the prediction depends on
            assert reach.tolist() == [j <= i for j in range(6)]


class TestPadding:
    def test_padding_of_the_source_changes_nothing(self) -> None:
        model = small_transformer()
        source, target_in = sentences(11, [4]), with_bos(sentences(13, [5]))
        padded = torch.cat([source, torch.full((1, 3), PAD_ID)], dim=1)
        assert_close(model(padded, target_in), model(source, target_in))

    def test_padding_of_the_target_changes_no_real_position(self) -> None:
        model = small_transformer()
        source, target_in = sentences(11, [4]), with_bos(sentences(13, [5]))
        padded = torch.cat([target_in, torch.full((1, 3), PAD_ID)], dim=1)
        assert_close(model(source, padded)[:, :6], model(source, target_in))

    def test_empty_source_gives_finite_logits_and_gradients(self) -> None:
        model = small_transformer()
        source = sentences(11, [4, 2])
        source[1] = PAD_ID
        logits = model(source, with_bos(sentences(13, [3, 3])))
        logits.sum().backward()
        assert logits.isfinite().all()
        assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


def sharper(*inputs):
    return attention(3 * inputs[0], *inputs[1:])


class TestSteps:
    @pytest.mark.parametrize("training", [True, False])
    @pytest.mark.parametrize(
        "changes",
        [
            {},
            {"norm": "post"},
            {"position": "learned"},
            {"position_mode": "append"},
            {"position": "rotary"},
            {"parts": Parts(attention_function=sharper)},
        ],
    )
    def test_step_by_step_equals_all_at_once(self, training: bool, changes: dict[str, Any]) -> None:
        """Decoding that embeds every token at position 0 would show here."""
        model = small_transformer(**changes).train(training)
        source, target_in = sentences(11, [4, 2, 6]), with_bos(sentences(13, [5, 5, 5]))
        for fast in (model, prepare(model).model):
            state = start_decoding(fast, source)
            logits = torch.stack([state.step(target_in[:, i]) for i in range(6)], dim=1)
            assert_close(logits, model(source, target_in))

    def test_states_follow_their_rows(self) -> None:
        model = small_transformer()
        source, target_in = sentences(11, [4, 2, 6]), with_bos(sentences(13, [5, 5, 5]))
        rows = torch.tensor([2, 0, 2])
        state, chosen = start_decoding(model, source), start_decoding(model, source[rows])
        for i in range(2):
            state.step(target_in[:, i])
            chosen.step(target_in[rows, i])
        state.select(rows)
        assert_close(state.step(target_in[rows, 2]), chosen.step(target_in[rows, 2]))


class TestConfig:
    def test_papers_base_model_has_its_parameters(self) -> None:
        """Vaswani et al. (2017), table 3, base: 44,138,496 + 512 · n_vocab with biases in attention."""
        config = TransformerConfig(
            100,
            100,
            d_model=512,
            n_heads=8,
            d_ff=2048,
            n_encoder_layers=6,
            n_decoder_layers=6,
            norm="post",
            final_norm=False,
            tie="three-way",
        )
        assert sum(p.numel() for p in Transformer(config).parameters()) == 44_138_496 + 512 * 100

    @pytest.mark.parametrize(("tie", "matrices"), [("none", 3), ("target", 2), ("three-way", 1)])
    def test_tied_matrices_are_stored_once(self, tie: str, matrices: int) -> None:
        model = small_transformer(n_source_vocab=13, tie=tie)
        tables = {
            id(model.source_embedding.tokens.weight),
            id(model.target_embedding.tokens.weight),
            id(model.output.weight),
        }
        assert len(tables) == matrices
        std = model.output.weight.std().item()  # a tied matrix keeps the embeddings' scale, 1/√d
        assert tie == "none" or std == pytest.approx(8**-0.5, rel=0.25)

    def test_embeddings_are_scaled(self) -> None:
        model = small_transformer(position="none")
        table = model.source_embedding.tokens.weight
        assert_close(model.source_embedding(torch.tensor([[5]]))[0, 0], table[5] * math.sqrt(8))

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"n_heads": 3}, "n_heads = 3 must divide d_model = 8"),
            ({"d_position": 4}, 'd_position is for position_mode="append"'),
            ({"position_mode": "append", "d_position": 8}, "d_position = 8 must leave room"),
            ({"position_mode": "append", "d_position": 3}, "even width, not 3"),
            ({"position_mode": "append", "tie": "target"}, 'tie = "target" needs embeddings of width'),
            ({"tie": "three-way"}, "joint vocabulary, but n_source_vocab = 11 and n_target_vocab = 13"),
            ({"norm": "Pre"}, "norm: expected one of 'pre', 'post', not 'Pre'"),
            ({"position": "rotary", "position_mode": "append"}, "rotary"),
            ({"position": "rotary", "d_k": 3, "d_v": 3}, "an even d_k"),
        ],
    )
    def test_contradictory_settings_are_refused(self, changes: dict[str, object], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            small_transformer(**changes)

    @pytest.mark.parametrize("final_norm", [True, False])
    def test_the_states_are_normalised_if_there_is_a_final_norm(self, final_norm: bool) -> None:
        hidden = small_transformer(final_norm=final_norm).hidden(
            sentences(11, [4]), with_bos(sentences(13, [5]))
        )
        is_normalised = bool((hidden.mean(-1).abs() < 1e-10).all())
        assert is_normalised == final_norm

    def test_dropout_is_where_the_paper_has_it(self) -> None:
        model = small_transformer(dropout=0.3)
        rates = [m.p for m in model.modules() if isinstance(m, nn.Dropout)]
        assert rates == [0.3] * (2 + 2 * 2 + 2 * 3)  # embeddings, sublayers of the encoder, of the decoder


class TestAttentionMaps:
    def test_shapes_and_sums(self) -> None:
        model = small_transformer(n_encoder_layers=1)
        maps = model.attention_maps(sentences(11, [4, 2]), with_bos(sentences(13, [5, 5])))
        assert [m.shape for m in maps.encoder] == [(2, 2, 4, 4)]
        assert [m.shape for m in maps.decoder] == [(2, 2, 6, 6)] * 2
        assert [m.shape for m in maps.cross] == [(2, 2, 6, 4)] * 2
        for weights in maps.encoder + maps.decoder + maps.cross:
            assert_close(weights.sum(-1), torch.ones_like(weights.sum(-1)))
        assert maps.cross[0][1, :, :, 2:].abs().max() == 0  # padding of the second sentence
        assert maps.decoder[0].triu(1).abs().max() == 0


class TestDecoderOnly:
    def model(self, **changes) -> DecoderOnlyTransformer:
        torch.manual_seed(0)
        shape = {"d_model": 8, "n_heads": 2, "d_ff": 12, "n_layers": 2, "dropout": 0.0, "tie": "target"}
        config = DecoderOnlyConfig(13, **(shape | changes))
        return DecoderOnlyTransformer(config).double()

    def test_equals_pytorchs_encoder_under_a_causal_mask(self) -> None:
        ours, ids = self.model(), with_bos(sentences(13, [5, 5]))
        layer = nn.TransformerEncoderLayer(
            8, 2, 12, dropout=0.0, batch_first=True, norm_first=True, dtype=torch.float64
        )
        theirs = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        for mine, other in zip(ours.blocks, theirs.layers, strict=True):
            copy_block(mine, other)
        x = theirs(ours.embedding(ids), mask=torch.ones(6, 6, dtype=torch.bool).triu(1))
        expected = nn.functional.layer_norm(x, (8,)) @ ours.output.weight.T
        assert_close(ours(ids), expected)

    @pytest.mark.parametrize("training", [True, False])
    @pytest.mark.parametrize("position", ["sinusoidal", "learned", "rotary"])
    def test_step_by_step_equals_all_at_once(self, training: bool, position: str) -> None:
        model, ids = self.model(position=position).train(training), with_bos(sentences(13, [5, 5]))
        state = start_decoding(model)
        logits = torch.stack([state.step(ids[:, i]) for i in range(6)], dim=1)
        assert_close(logits, model(ids))

    def test_maps_and_states(self) -> None:
        model, ids = self.model(), with_bos(sentences(13, [5, 5]))
        maps = model.attention_maps(ids)
        assert [m.shape for m in maps] == [(2, 2, 6, 6)] * 2
        state = start_decoding(model)
        state.step(ids[:, 0])
        state.select(torch.tensor([1]))
        assert state.step(ids[1:, 1]).shape == (1, 13)
