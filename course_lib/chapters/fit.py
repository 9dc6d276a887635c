"""One short training loop for the small models of the chapters."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw PyTorch's random numbers from a seed inside the `with` block, and leave them as they were outside.

    What PyTorch offers no generator for is seeded so: initial weights and dropout.

    Examples
    --------
    >>> with seeded(0):
    ...     first = nn.Linear(2, 2).weight
    >>> with seeded(0):
    ...     bool(torch.equal(first, nn.Linear(2, 2).weight))
    True
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def fit(
    model: nn.Module,
    loss: Callable[[torch.Generator], Tensor],
    steps: Iterable[int],
    *,
    learning_rate: float = 1e-2,
    seed: int = 0,
    clip: float | None = 1.0,
    warm_up: int = 0,
) -> NDArray[np.float64]:
    """Minimise a loss with Adam, one batch a step; return the loss of each step.

    Parameters
    ----------
    model : nn.Module
        Its parameters that require a gradient are trained, in place. It is put into training mode and left in
        evaluation mode.
    loss : function
        Takes the generator from which it draws its batch and returns the loss, a scalar.
    steps : iterable
        One step for each entry: `range(300)`, or `figures.progress(300, "Training")` to see how far it is.
    learning_rate : float
    seed : int
        Seeds the generator, and dropout.
    clip : float or None
        Largest norm of the gradient, over all parameters; None leaves it as it is.
    warm_up : int
        Over so many steps the learning rate grows to what it is then.

    Returns
    -------
    array (n_steps,)

    Raises
    ------
    ValueError
        If the model has nothing to train.

    Examples
    --------
    >>> line = nn.Linear(1, 1)
    >>> def loss(generator):
    ...     x = torch.randn(8, 1, generator=generator)
    ...     return (line(x) - 3 * x).square().mean()
    >>> losses = fit(line, loss, range(300), learning_rate=0.1)
    >>> losses.shape, bool(losses[-1] < 1e-3)
    ((300,), True)
    """
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if not parameters:
        raise ValueError(f"model {type(model).__name__} has no parameter that requires a gradient")
    optimiser = torch.optim.Adam(parameters, lr=learning_rate, fused=True)  # one call for all parameters
    generator = torch.Generator().manual_seed(seed)
    losses = []
    model.train()
    with seeded(seed):
        for step, _ in enumerate(steps, start=1):
            if step <= warm_up:
                optimiser.param_groups[0]["lr"] = learning_rate * step / warm_up
            optimiser.zero_grad()
            value = loss(generator)
            value.backward()
            if clip is not None:
                nn.utils.clip_grad_norm_(parameters, clip)
            optimiser.step()
            losses.append(float(value.detach()))
    model.eval()
    return np.array(losses)
