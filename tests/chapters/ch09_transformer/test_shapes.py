"""Shapes, parameters and multiply-adds against PyTorch's own counts."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_lib.chapters.ch09_transformer.shapes import (
    COSTS,
    PARTS,
    in_letters,
    multiply_adds,
    parameters_by_part,
    trace,
)
from course_lib.model import DecoderOnlyConfig, DecoderOnlyTransformer, Transformer, TransformerConfig

CONFIG = TransformerConfig(
    11, 13, d_model=8, n_heads=2, d_ff=24, d_k=3, d_v=5, n_encoder_layers=2, n_decoder_layers=3
)
SOURCE, TARGET = torch.tensor([[4, 5, 6, 7, 2]]), torch.tensor([[1, 4, 5]])


def test_every_call_is_noted_once_and_no_hook_stays() -> None:
    model = Transformer(CONFIG)
    calls = trace(model, SOURCE, TARGET)
    leaves = [name for name, module in model.named_modules() if not list(module.children())]
    called = [call.name for call in calls]
    assert called.count("") == 1
    assert called[-1] == ""
    assert all(called.count(name) == 1 for name in leaves)
    assert trace(model, SOURCE, TARGET) == calls
    assert not any(module._forward_hooks for module in model.modules())


def test_hooks_are_removed_when_the_model_fails() -> None:
    model = Transformer(CONFIG)
    with pytest.raises(IndexError):
        trace(model, SOURCE, torch.tensor([[99]]))
    assert not any(module._forward_hooks for module in model.modules())


def test_shapes_of_a_transformer() -> None:
    shapes = {call.name: call for call in trace(Transformer(CONFIG), SOURCE, TARGET)}
    assert shapes["source_embedding"].inputs == ((1, 5),)
    assert shapes["encoder_norm"].output == (1, 5, 8)
    assert shapes["decoder.2.cross_attention"].inputs == ((1, 3, 8), (1, 5, 8))
    assert shapes["decoder.0.self_attention.W_V"].output == (1, 3, 10)
    assert shapes["decoder.0.feed_forward.W_1"].output == (1, 3, 24)
    assert shapes[""].output == (1, 3, 13)


def test_sizes_are_written_as_letters_and_alike_sizes_are_refused() -> None:
    sizes = {"B": 1, "L_s": 5, "d": 8}
    assert in_letters((1, 5, 8, 7), sizes) == "(B, L_s, d, 7)"
    with pytest.raises(ValueError, match="different number for each letter"):
        in_letters((1,), sizes | {"H": 8})


@pytest.mark.parametrize("kind", [Transformer, DecoderOnlyTransformer])
@pytest.mark.parametrize("changes", [{}, {"tie": "target"}, {"position": "learned"}, {"norm": "post"}])
def test_parameters_are_those_of_pytorch(kind: type[nn.Module], changes: dict[str, str]) -> None:
    shape = {"d_model": 8, "n_heads": 2, "d_ff": 24} | changes
    both = kind is Transformer
    model = kind(TransformerConfig(11, 13, **shape) if both else DecoderOnlyConfig(13, **shape))
    counts = parameters_by_part(model)
    assert tuple(counts) == PARTS
    assert sum(counts.values()) == sum(parameter.numel() for parameter in model.parameters())
    n_attentions = 4 + 8 if kind is Transformer else 4
    assert counts["attention"] == n_attentions * 4 * (8 * 8 + 8)
    assert counts["feed-forward"] == (8 if kind is Transformer else 4) * (2 * 8 * 24 + 24 + 8)
    assert counts["output"] == (0 if "tie" in changes else 13 * 8)


def test_three_ways_of_tying_count_one_matrix() -> None:
    config = TransformerConfig(13, 13, d_model=8, n_heads=2, tie="three-way")
    counts = parameters_by_part(Transformer(config))
    assert (counts["embeddings"], counts["output"]) == (13 * 8, 0)


@pytest.mark.parametrize("L_t", [3, 6])
def test_multiply_adds_are_those_that_pytorch_counts(L_t: int) -> None:
    """Each matrix product of the readable path, seen by PyTorch as it runs; a flop is half a multiply-add."""
    model = Transformer(CONFIG)
    target = torch.arange(4, 4 + L_t).unsqueeze(0)
    with FlopCounterMode(display=False) as counter:
        model(SOURCE, target)
    costs = multiply_adds(model, 5, L_t)
    assert tuple(costs) == COSTS
    assert sum(costs.values()) == counter.get_total_flops() // 2
    by_operation = counter.get_flop_counts()["Global"]
    products = {str(name).rsplit(".")[-1]: count // 2 for name, count in by_operation.items()}
    assert costs["attention: scores and sums"] == products["bmm"]


def test_multiply_adds_of_a_decoder_only_model() -> None:
    model = DecoderOnlyTransformer(DecoderOnlyConfig(13, d_model=8, n_heads=2, d_ff=24, d_k=3, d_v=5))
    with FlopCounterMode(display=False) as counter:
        model(TARGET)
    assert sum(multiply_adds(model, 0, 3).values()) == counter.get_total_flops() // 2
