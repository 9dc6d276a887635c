"""Layers that write every text of six letters backwards, for the board: one with a column for each, and a small one."""

import numpy as np
from numpy.typing import NDArray

Tables = dict[str, NDArray[np.float64]]


def one_hot() -> Tables:
    """Return tables with d = 10: four columns say which letter, six say where. 276 numbers."""
    of_letters, of_positions = np.eye(10)[:4], np.eye(10)[4:]
    return {
        "letters": of_letters,
        "positions": of_positions,
        "W_Q": 30 * of_positions[::-1].T,
        "W_K": of_positions.T,
        "W_V": of_letters.T,
        "U": np.eye(4),
    }


def small() -> Tables:
    """Return tables with d = 4: letters and positions stand on two circles. 72 numbers."""
    letter, position = np.pi / 2 * np.arange(4), np.pi / 3 * np.arange(6)
    circle = np.stack([np.cos(letter), np.sin(letter)], axis=1)
    around = np.stack([np.cos(position), np.sin(position)], axis=1)
    # The query of position i points where 5 − i stands: the angle 5π/3 − θ is a reflection of θ and a turn.
    c, s = np.cos(5 * np.pi / 3), np.sin(5 * np.pi / 3)
    nothing = np.zeros((2, 2))
    return {
        "letters": np.concatenate([circle, np.zeros((4, 2))], axis=1),
        "positions": np.concatenate([np.zeros((6, 2)), around], axis=1),
        "W_Q": np.concatenate([nothing, 30 * np.array([[c, s], [s, -c]])]),
        "W_K": np.concatenate([nothing, np.eye(2)]),
        "W_V": np.concatenate([np.eye(2), nothing]),
        "U": circle.T,
    }
