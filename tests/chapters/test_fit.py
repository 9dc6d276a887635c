"""The short training loop: it follows Adam, its seeds, and leaves nothing behind."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters.fit import fit, seeded


def noisy_line(seed: int) -> tuple[nn.Module, np.ndarray]:
    with seeded(seed):
        model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 1))

    def loss(generator: torch.Generator) -> torch.Tensor:
        return (model(torch.randn(5, 3, generator=generator)) - 1).square().mean()

    return model, fit(model, loss, range(20), seed=seed)


def test_same_seed_same_losses_other_seed_others():
    assert np.array_equal(noisy_line(3)[1], noisy_line(3)[1])
    assert not np.array_equal(noisy_line(3)[1], noisy_line(4)[1])


def test_leaves_the_global_generator_as_it_was_and_the_model_in_evaluation_mode():
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    model, _ = noisy_line(0)
    assert torch.equal(torch.rand(1), expected)
    assert not model.training


def test_takes_adams_steps_with_the_gradient_clipped_to_the_norm_asked_for():
    weight = nn.Parameter(torch.tensor([1.0, -2.0]))
    holder = nn.ParameterList([weight])
    losses = fit(holder, lambda g: (100 * weight).square().sum(), range(1), learning_rate=0.1)
    assert losses[0] == pytest.approx(50_000.0)
    torch.testing.assert_close(weight.detach(), torch.tensor([0.9, -1.9]))  # Adam's first step is the sign
    assert float(weight.grad.norm()) == pytest.approx(1.0, rel=1e-4)
    fit(holder, lambda g: (100 * weight).square().sum(), range(1), clip=None)
    assert float(weight.grad.norm()) > 1e4


def test_leaves_frozen_parameters_alone_and_refuses_a_model_without_others():
    model = nn.Linear(2, 1)
    model.weight.requires_grad_(False)
    before = model.weight.clone()
    fit(model, lambda g: model(torch.ones(1, 2)).square().sum(), range(3))
    assert torch.equal(model.weight, before)
    with pytest.raises(ValueError, match="no parameter that requires a gradient"):
        fit(nn.ReLU(), lambda g: torch.zeros(()), range(1))
