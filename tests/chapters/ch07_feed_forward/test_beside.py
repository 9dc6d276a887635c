"""The encoder block beside PyTorch's."""

import pytest
import torch
from torch import nn

from course_lib.chapters.ch07_feed_forward import beside
from course_lib.model import DecoderBlock, EncoderBlock


@pytest.mark.parametrize(("d", "n_heads", "d_ff"), [(4, 2, 16), (12, 3, 8)])
def test_both_blocks_compute_the_same_and_not_because_they_do_nothing(d, n_heads, d_ff):
    theirs, ours = beside.blocks(d, n_heads, d_ff)
    x = torch.randn(2, 5, d, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    torch.testing.assert_close(ours(x)[0], theirs(x), rtol=1e-12, atol=1e-12)
    assert not any(torch.equal(norm.weight, torch.ones(d).double()) for norm in (theirs.norm1, theirs.norm2))
    theirs.linear2.bias.data[0] += 0.5
    assert not torch.allclose(ours(x)[0], theirs(x), atol=1e-3)


def test_the_network_holds_two_thirds_of_the_parameters_of_an_encoder_block():
    block = EncoderBlock(d_model=512, n_heads=8, d_ff=2048)  # the sizes of Vaswani and others
    inner, whole = (sum(p.numel() for p in part.parameters()) for part in (block.feed_forward, block))
    assert inner / whole == pytest.approx(2 / 3, abs=0.002)


def test_places_of_dropout():
    assert beside.places_of_dropout(EncoderBlock(4, 2, 8, dropout=0.1)) == [
        "around_attention.dropout",
        "around_feed_forward.dropout",
    ]
    assert "attention weights" in beside.places_of_dropout(EncoderBlock(4, 2, 8, attention_dropout=0.1))
    assert beside.places_of_dropout(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)) == []


def test_a_decoder_block_has_two_attentions_and_one_network():
    x = torch.zeros(1, 3, 8)
    called = ["self_attention", "cross_attention", "feed_forward"]
    assert beside.order_of_parts(DecoderBlock(8, 2, 16), x, x) == called
