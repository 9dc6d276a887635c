"""Small models of every kind, what they are fed, and PyTorch's own modules with the same weights."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.corpus.tokenisers import BOS_ID, PAD_ID
from course_lib.layers import DecoderBlock, EncoderBlock, MultiHeadAttention
from course_lib.recurrent import RecurrentConfig, RecurrentTranslator
from course_lib.transformer import Transformer, TransformerConfig


def normal(*shape: int, dtype: torch.dtype = torch.float64, seed: int = 0) -> Tensor:
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def some_mask(*shape: int, seed: int = 0) -> Tensor:
    """A random mask in which every query may see at least one key."""
    generator = torch.Generator().manual_seed(seed)
    mask = torch.rand(*shape, generator=generator) < 0.6
    key = torch.randint(shape[-1], shape[:-1], generator=generator)
    return mask | F.one_hot(key, shape[-1]).bool()


def gradients(output: Tensor, *inputs: Tensor) -> list[Tensor]:
    """Gradients of a fixed random combination of the outputs."""
    mixed = (output * normal(*output.shape, dtype=output.dtype, seed=9)).sum()
    return list(torch.autograd.grad(mixed, inputs, retain_graph=True))


def copy_block(ours: EncoderBlock | DecoderBlock, theirs: nn.Module) -> None:
    """Give PyTorch's encoder or decoder layer our weights."""

    def copy_attention(mine: MultiHeadAttention, other: nn.MultiheadAttention) -> None:
        other.in_proj_weight.copy_(torch.cat([mine.W_Q.weight, mine.W_K.weight, mine.W_V.weight]))
        other.in_proj_bias.copy_(torch.cat([mine.W_Q.bias, mine.W_K.bias, mine.W_V.bias]))
        other.out_proj.load_state_dict(mine.W_O.state_dict())

    if isinstance(ours, EncoderBlock):
        attentions = [(ours.attention, theirs.self_attn)]
        norms = [(ours.around_attention, theirs.norm1), (ours.around_feed_forward, theirs.norm2)]
    else:
        attentions = [(ours.self_attention, theirs.self_attn), (ours.cross_attention, theirs.multihead_attn)]
        norms = [
            (ours.around_self_attention, theirs.norm1),
            (ours.around_cross_attention, theirs.norm2),
            (ours.around_feed_forward, theirs.norm3),
        ]
    with torch.no_grad():
        for mine, other in attentions:
            copy_attention(mine, other)
        for around, norm in norms:
            nn.init.normal_(around.norm.weight)  # or swapped norms would go unseen
            nn.init.normal_(around.norm.bias)
            norm.load_state_dict(around.norm.state_dict())
        theirs.linear1.load_state_dict(ours.feed_forward.W_1.state_dict())
        theirs.linear2.load_state_dict(ours.feed_forward.W_2.state_dict())


def small_transformer(dtype: torch.dtype = torch.float64, seed: int = 0, **changes) -> Transformer:
    settings = {
        "n_source_vocab": 11,
        "n_target_vocab": 13,
        "d_model": 8,
        "n_heads": 2,
        "d_ff": 12,
        "n_encoder_layers": 2,
        "n_decoder_layers": 2,
        "dropout": 0.0,
    }
    torch.manual_seed(seed)
    return Transformer(TransformerConfig(**(settings | changes))).to(dtype)


def small_recurrent(dtype: torch.dtype = torch.float64, seed: int = 0, **changes: Any) -> RecurrentTranslator:
    settings = {"n_source_vocab": 11, "n_target_vocab": 13, "d_model": 6, "d_hidden": 8, "dropout": 0.0}
    torch.manual_seed(seed)
    model = RecurrentTranslator(RecurrentConfig(**(settings | changes))).to(dtype)
    with torch.no_grad():  # biases start at zero, where leaving one out would not show
        for name, parameter in model.named_parameters():
            if "bias" in name:
                parameter.normal_(generator=torch.Generator().manual_seed(seed))
    return model


def sentences(n_vocab: int, lengths: list[int], seed: int = 0) -> Tensor:
    """Random real tokens, padded on the right."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(4, n_vocab, (len(lengths), max(lengths)), generator=generator)
    return ids.masked_fill(torch.arange(max(lengths)) >= torch.tensor(lengths).unsqueeze(1), PAD_ID)


def with_bos(ids: Tensor) -> Tensor:
    return torch.cat([torch.full((len(ids), 1), BOS_ID), ids], dim=1)
