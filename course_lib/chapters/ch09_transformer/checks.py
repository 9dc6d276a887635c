"""Nine checks of a Transformer, each a few lines; none of them needs a trained model."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch.nn import functional as F

from course_lib.chapters.ch09_transformer.bug_clinic import FIRST_WORD, Patient, sentences
from course_lib.model import FeedForward, MultiHeadAttention

SOME = sentences(6, torch.Generator().manual_seed(1))  # the sentences on which patients are checked


def sees_no_future(patient: Patient) -> bool:
    """Another last word changes no earlier prediction."""
    other = replace(SOME, target_in=SOME.target_in.clone(), target_out=SOME.target_out.clone())
    other.target_in[:, -1] = other.target_out[:, -1] = 5  # whichever of the two is read
    return torch.allclose(patient.logits(SOME)[:, :-1], patient.logits(other)[:, :-1], atol=1e-5)


def is_shifted(patient: Patient) -> bool:
    """What is to be predicted is read one step later."""
    predicted, read = SOME.target_out[:, :-1], patient.bug.feed(SOME).target_in[:, 1:]
    is_word = predicted >= FIRST_WORD
    return torch.equal(predicted[is_word], read[is_word])


def rows_sum_to_one(patient: Patient) -> bool:
    """The weights of each query are shares."""
    maps = patient.maps(SOME)
    sums = [weights.sum(-1) for weights in maps.encoder + maps.decoder + maps.cross]
    return all(torch.allclose(each, torch.ones_like(each), atol=1e-5) for each in sums)


def source_matters(patient: Patient) -> bool:
    """Another source gives other predictions."""
    other = replace(SOME, source=SOME.source.flip(0))
    return not torch.allclose(patient.logits(SOME), patient.logits(other), atol=1e-5)


def order_matters(patient: Patient) -> bool:
    """The same words in another order give other predictions."""
    other = replace(SOME, source=SOME.source[:, [1, 0, *range(2, SOME.source.shape[1])]])
    return not torch.allclose(patient.logits(SOME), patient.logits(other), atol=1e-5)


def padding_changes_nothing(patient: Patient) -> bool:
    """More padding behind the source gives the same predictions."""
    longer = replace(SOME, source=F.pad(SOME.source, (0, 3)))
    return torch.allclose(patient.logits(SOME), patient.logits(longer), atol=1e-5)


def way_past_is_open(patient: Patient) -> bool:
    """With all sublayers silenced, what is read still reaches the output, along the residual connections."""
    silent = copy.copy(patient)
    silent.model = copy.deepcopy(patient.model)
    for sublayer in silent.model.modules():
        if isinstance(sublayer, MultiHeadAttention | FeedForward):
            for parameter in sublayer.parameters():
                parameter.data.zero_()
    logits = silent.logits(SOME)
    return not torch.allclose(logits[:, 0], logits[:, 1], atol=1e-5)


def steps_equal_whole(patient: Patient) -> bool:
    """One token at a time gives the same predictions as all at once."""
    return torch.allclose(patient.logits(SOME), patient.logits_step_by_step(SOME), atol=1e-4)


def own_value_comes_back(patient: Patient) -> bool:
    """A position that may look only at itself gets W_O(W_V(x)), its own value."""
    x = torch.randn(2, 5, patient.model.config.d_model, generator=torch.Generator().manual_seed(4))
    layer: Any = patient.model.encoder[0].attention
    output, _ = layer(x, mask=torch.eye(5, dtype=torch.bool))
    return torch.allclose(output, layer.W_O(layer.W_V(x)), atol=1e-5)


CHECKS: dict[str, Callable[[Patient], bool]] = {
    check.__name__: torch.no_grad()(check)
    for check in (
        sees_no_future,
        is_shifted,
        rows_sum_to_one,
        source_matters,
        order_matters,
        padding_changes_nothing,
        way_past_is_open,
        steps_equal_whole,
        own_value_comes_back,
    )
}
