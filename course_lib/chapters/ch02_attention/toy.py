"""The words of chapter 02, with queries, keys and values set by hand."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# word: what it looks for (thing, event, time, function word), what it is found by (the same),
# what it hands over (about law, now, singular)
WORDS: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "the": ((4, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0)),
    "hearing": ((0, 0, 2, 2), (1, 1, 0, 0), (2, 0, 1)),
    "is": ((1, 3, 2, -2), (0, 0, 1, 1), (0, 1, 0)),
    "today": ((0, 4, 2, 0), (0, 0, 1, 0), (0, 2, 0)),
    "on": ((4, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0)),
    "issue": ((0, 0, 0, 3), (1, 0, 0, 0), (1, 0, 1)),
}


def vectors(words: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the queries (L, 4), keys (L, 4) and values (L, 3) of some words.

    Raises
    ------
    ValueError
        If a word has none.

    Examples
    --------
    >>> Q, K, V = vectors(["The", "hearing"])
    >>> K
    array([[0., 0., 0., 1.],
           [1., 1., 0., 0.]])
    """
    unknown = [word for word in words if word.lower() not in WORDS]
    if unknown:
        raise ValueError(f"words {unknown}: expected some of {list(WORDS)}")
    rows = [WORDS[word.lower()] for word in words]
    Q, K, V = (np.array(part, dtype=np.float64).reshape(len(words), -1) for part in zip(*rows, strict=True))
    return Q, K, V
