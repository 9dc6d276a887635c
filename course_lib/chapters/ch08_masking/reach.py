"""What travels through a mask: from which inputs something reaches an output, layer by layer."""

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor


def known_after(mask: ArrayLike, layers: int) -> NDArray[np.bool_]:
    """Return which inputs reach each output of some layers of attention with residual connections.

    Parameters
    ----------
    mask : boolean array (L, L)
        True where position i (row) may attend to position j (column).
    layers : int

    Returns
    -------
    boolean array (L, L)
        True where output i can depend on input j.

    Raises
    ------
    ValueError
        If the mask is not boolean and square, or there is no layer.

    Notes
    -----
    Formula: (M ∨ I)ⁿ, as a product of relations.

    Examples
    --------
    >>> from course_lib import functional
    >>> known_after(functional.window_mask(4, 1, causal=True), 2).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 1, 1, 1]])
    """
    step = np.asarray(mask)
    if step.dtype != np.bool_ or step.ndim != 2 or step.shape[0] != step.shape[1]:
        raise ValueError(f"mask {step.shape} of {step.dtype}: expected booleans (L, L)")
    if layers < 1:
        raise ValueError(f"layers is {layers}: expected at least 1")
    step = step | np.eye(len(step), dtype=bool)
    known: NDArray[np.bool_] = step
    for _ in range(layers - 1):
        known = (known.astype(int) @ step) > 0  # through a position that knows it
    return known


def influence(outputs_of: Callable[[Tensor], Tensor], x: Tensor) -> NDArray[np.float64]:
    """Return the size of the largest entry of ∂ output i / ∂ input j.

    Parameters
    ----------
    outputs_of : function
        From inputs (1, L_in, d) to outputs (1, L_out, n).
    x : Tensor
        Inputs (1, L_in, d).

    Returns
    -------
    array (L_out, L_in)

    Examples
    --------
    >>> influence(lambda x: torch.cumsum(3 * x, dim=1), torch.ones(1, 2, 4)).tolist()
    [[3.0, 0.0], [3.0, 3.0]]
    """
    jacobian = torch.autograd.functional.jacobian(outputs_of, x)  # (1, L_out, n, 1, L_in, d)
    sizes: NDArray[np.float64] = jacobian.abs().amax(dim=(0, 2, 3, 5)).numpy()
    return sizes
