"""How well one colour can be told from another."""

import numpy as np


def contrast(first: np.ndarray, second: np.ndarray) -> float:
    """WCAG 2's contrast ratio, from 1 to 21."""

    def luminance(colour: np.ndarray) -> float:
        c = np.asarray(colour)[:3]
        return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]

    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)
