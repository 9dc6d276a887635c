"""How many matrix products must wait for one another, and how long layers take side by side."""

import time
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

PRODUCTS = ("AddmmBackward", "MmBackward", "BmmBackward", "BaddbmmBackward", "ConvolutionBackward")


def longest_chain(output: Tensor) -> int:
    """Count the matrix products on the longest path through the graph that PyTorch recorded for its gradients.

    Each product on the path needs the result of the one before it; so many steps it takes at least, however many
    processors there are. What is done to each entry by itself, such as a tanh, is not counted.

    Parameters
    ----------
    output : Tensor
        Computed from something that requires a gradient.

    Raises
    ------
    ValueError
        If nothing was recorded.

    Examples
    --------
    >>> import torch
    >>> A = torch.eye(3, requires_grad=True)
    >>> longest_chain(A @ A + 1), longest_chain((A @ A).tanh() @ (A @ A))
    (1, 2)
    """
    if output.grad_fn is None:
        raise ValueError(f"output {tuple(output.shape)}: expected one that was computed from a parameter")
    lengths: dict[object, int] = {}
    stack = [output.grad_fn]
    while stack:  # a loop, since a long recurrence would exhaust Python's own recursion
        node = stack[-1]
        # leaves (AccumulateGrad) are inputs and parameters, not operations
        inputs = [f for f, _ in node.next_functions if f is not None and f.next_functions]
        waiting = [f for f in inputs if f not in lengths]
        if waiting:
            stack.extend(waiting)
        else:
            lengths[node] = node.name().startswith(PRODUCTS) + max((lengths[f] for f in inputs), default=0)
            stack.pop()
    return lengths[output.grad_fn]


def seconds_side_by_side(runs: Mapping[str, Callable[[], object]], repeats: int = 7) -> dict[str, float]:
    """Time functions in turn and return the least time of each: whatever disturbs a machine only adds to it.

    Parameters
    ----------
    runs : mapping from name to function
        Each is called once before anything is timed.
    repeats : int

    Examples
    --------
    >>> list(seconds_side_by_side({"sum": lambda: sum(range(9)), "nothing": lambda: None}, repeats=3))
    ['sum', 'nothing']
    """
    for run in runs.values():
        run()
    times: NDArray[np.float64] = np.empty((repeats, len(runs)))
    for i in range(repeats):
        for j, run in enumerate(runs.values()):
            start = time.perf_counter()
            run()
            times[i, j] = time.perf_counter() - start
    return dict(zip(runs, times.min(axis=0).tolist(), strict=True))
