"""Attention in NumPy for 64 words: all words at once, or one word after another, key by key.

python lookups.py {together,one-by-one}
"""

import argparse

import numpy as np
from timing import per_call, report

from course_lib import functional

L, D = 64, 64

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("contestant", choices=["together", "one-by-one"])
name = parser.parse_args().contestant
Q, K, V = np.random.default_rng(0).normal(size=(3, L, D))


def together() -> np.ndarray:
    """Answer all queries by matrices."""
    return functional.attention(Q, K, V)[0]


def one_by_one() -> np.ndarray:
    """Answer query by query, comparing with key by key, as the formula of one word says it."""
    rows = []
    for query in Q:
        scores = np.array([query @ key / np.sqrt(D) for key in K])
        weights = np.exp(scores - scores.max())
        weights /= weights.sum()
        rows.append(sum(weight * value for weight, value in zip(weights, V, strict=True)))
    return np.array(rows)


assert np.allclose(together(), one_by_one())
report(seconds=per_call(together if name == "together" else one_by_one, seconds=1.0, at_least=20))
