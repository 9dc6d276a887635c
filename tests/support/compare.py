"""How tests compare tensors: relative to the largest entry, tightly."""

import torch
from torch import Tensor

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


def assert_close(actual: Tensor, expected: Tensor) -> None:
    """Same type, same shape, and equal relative to the largest entry of `expected`."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    if actual.numel():
        largest = expected.abs().max().clamp(min=0.1)
        error = (actual - expected).abs().max()
        assert error <= TOLERANCE[actual.dtype] * largest, f"off by {error:.3g}, largest entry {largest:.3g}"
