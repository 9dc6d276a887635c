"""With the same weights our model of today gives the logits of a public implementation."""

import importlib.util
from dataclasses import replace

import public_decoder
import pytest
import torch

from course_lib.chapters.ch12_to_today import public
from course_lib.chapters.ch12_to_today.switches import TODAY, build


def ours(weights: dict[str, torch.Tensor], ids: torch.Tensor, pairs: bool = True) -> torch.Tensor:
    model = build(replace(TODAY, n_kv_heads=public.N_KV_HEADS), public.SIZES)
    model.load_state_dict(public.renamed(weights, pairs))
    with torch.no_grad():
        return model(ids)


def test_the_stored_logits_of_the_public_program_are_ours_within_1e_5():
    theirs = public.stored()
    assert (ours(theirs.weights, theirs.ids) - theirs.logits).abs().max() < 1e-5


@pytest.mark.parametrize("name", ["self_attn.q_norm", "mlp.up_proj", "input_layernorm", "v_proj", "k_norm"])
def test_every_part_of_the_weights_counts(name):
    theirs = public.stored()
    changed = {key: value * 1.1 if name in key else value for key, value in theirs.weights.items()}
    assert (ours(changed, theirs.ids) - theirs.logits).abs().max() > 1e-3


def test_without_reordering_the_logits_differ():
    theirs = public.stored()
    assert (ours(theirs.weights, theirs.ids, pairs=False) - theirs.logits).abs().max() > 0.1


@pytest.mark.soak
@pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None,
    reason='needs transformers: .venv/bin/python -m pip install -c constraints.txt -e ".[bench]"',
)
def test_the_public_program_gives_the_stored_logits_and_ours_with_other_weights():
    theirs = public.stored()
    torch.testing.assert_close(
        public_decoder.public_logits(theirs.weights, theirs.ids), theirs.logits, rtol=0, atol=1e-5
    )
    generator = torch.Generator().manual_seed(7)
    others = {
        name: value + 0.1 * torch.randn(value.shape, generator=generator)
        for name, value in theirs.weights.items()
    }
    ids = torch.randint(public.SIZES.n_vocab, (3, 30), generator=generator)
    assert (public_decoder.public_logits(others, ids) - ours(others, ids)).abs().max() < 1e-5
