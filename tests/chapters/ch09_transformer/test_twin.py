"""PyTorch's Transformer with our weights gives our numbers; with anything amiss it does not."""

import pytest
import torch
from torch import nn

from course_lib.chapters.ch09_transformer import pytorch_twin
from course_lib.chapters.ch09_transformer.bug_clinic import Bug, Patient
from course_lib.model import Parts, Transformer, TransformerConfig, attention, causal_mask, masked_softmax
from tests.support.models import normal, sentences, with_bos


def shaken(**changes: object) -> Transformer:
    settings = {"d_model": 8, "n_heads": 2, "d_ff": 12, "n_encoder_layers": 2, "n_decoder_layers": 3}
    model = Transformer(TransformerConfig(11, 13, **(settings | changes))).double().eval()
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():  # or swapped norms and biases would go unseen
            parameter += 0.2 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    return model


def of_twin(
    twin: nn.Transformer, model: Transformer, source: torch.Tensor, target: torch.Tensor
) -> torch.Tensor:
    padding = source == 0
    hidden = twin(
        model.source_embedding(source),
        model.target_embedding(target),
        tgt_mask=~causal_mask(target.shape[1]),
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    return model.output(hidden)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_same_numbers(norm):
    model = shaken(norm=norm)
    source, target = sentences(11, [5, 3, 6]), with_bos(sentences(13, [4, 4, 2]))
    twin = pytorch_twin(model, n_heads=2, norm_first=norm == "pre")
    assert (of_twin(twin, model, source, target) - model(source, target)).abs().max() < 1e-10


@pytest.mark.parametrize("index", range(0, 80, 7))
def test_every_parameter_counts(index):
    model = shaken()
    source, target = sentences(11, [5, 3]), with_bos(sentences(13, [4, 4]))
    twin = pytorch_twin(model, n_heads=2)
    name, parameter = list(twin.named_parameters())[index]
    with torch.no_grad():  # not a constant, which the norms would take away
        parameter += normal(*parameter.shape, seed=5)
    difference = (of_twin(twin, model, source, target) - model(source, target)).abs().max()
    assert difference > 1e-6, name


def test_the_number_of_parameters_is_that_of_the_blocks_and_their_norms():
    model = shaken()
    mine = sum(
        p.numel()
        for name, p in model.named_parameters()
        if not name.startswith(("source_emb", "target_emb", "output"))
    )
    assert sum(p.numel() for p in pytorch_twin(model, n_heads=2).parameters()) == mine


def test_refuses_blocks_with_other_parameters():
    model = shaken()
    model.decoder[0].around_feed_forward.norm = nn.Identity()
    with pytest.raises(ValueError, match="a block with 24 parameters: expected 26"):
        pytorch_twin(model, n_heads=2)


def test_a_missing_root_is_found_by_the_comparison_though_no_check_finds_it():
    """The last answer of the chapter: same weights, other code."""
    source, target = sentences(13, [5, 3]), with_bos(sentences(13, [4, 4]))
    off = {}
    for name, function in {"right": attention, "undivided": undivided}.items():
        model = Patient(Bug(name, "", "", Parts(attention_function=function)), seed=5).model
        twin = pytorch_twin(model, n_heads=2)
        off[name] = (of_twin(twin, model, source, target) - model(source, target)).abs().max()
    assert off["right"] < 1e-5
    assert off["undivided"] > 0.01


def undivided(q, k, v, mask=None, dropout=0.0):
    weights = masked_softmax(q @ k.mT, mask)
    return weights @ v, weights
