"""The mathematics of the course in NumPy: one function a formula.

Sequences are arrays of row vectors, (…, L, d): any number of leading axes (batch, heads), then one row a
position. A mask is boolean, True where attention is *allowed*. Attention weights are (…, L_q, L_k): each
query is a row. Positions count from 0, as in Python; documents A and B count from 1.

Arrays of float32 stay float32, whole numbers become float64. Wrong input raises ValueError, which names the
argument, its shape and what was expected.

Sources: A is "Self-Attention and Positional Encoding", B is "Attention Mechanism and Transformers"; the paper
is Vaswani et al., "Attention Is All You Need" (2017).
"""

from course_lib.functional.attention import (
    additive_scores,
    attention,
    dot_product_scores,
    multiplicative_scores,
    softmax,
    squared_distance_scores,
)
from course_lib.functional.checks import BoolArray, FloatArray, ScoreFunction
from course_lib.functional.costs import (
    Cost,
    attention_cost,
    convolution_cost,
    dense_cost,
    recurrent_cost,
    self_attention_cost,
)
from course_lib.functional.lookups import exact_lookup, hard_lookup, soft_lookup
from course_lib.functional.masks import causal_mask, padding_mask, window_mask, windowed_attention
from course_lib.functional.positions import index_encoding, random_fourier_encoding, sinusoidal_encoding

__all__ = [
    "BoolArray",
    "Cost",
    "FloatArray",
    "ScoreFunction",
    "additive_scores",
    "attention",
    "attention_cost",
    "causal_mask",
    "convolution_cost",
    "dense_cost",
    "dot_product_scores",
    "exact_lookup",
    "hard_lookup",
    "index_encoding",
    "multiplicative_scores",
    "padding_mask",
    "random_fourier_encoding",
    "recurrent_cost",
    "self_attention_cost",
    "sinusoidal_encoding",
    "soft_lookup",
    "softmax",
    "squared_distance_scores",
    "window_mask",
    "windowed_attention",
]
