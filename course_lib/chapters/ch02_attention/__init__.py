"""What chapter 02, *Attention, step by step*, owns."""

from course_lib.chapters.ch02_attention.figures import (
    attended_sentences,
    attention_steps,
    learning_curves,
    softmax_slopes,
)
from course_lib.chapters.ch02_attention.scale import (
    DIVISORS,
    STARTS,
    EqualSteps,
    Learned,
    first_gradients,
    first_scores,
    gradient_sizes,
    learn,
    look_up,
    random_scores,
    softmax_jacobian,
)
from course_lib.chapters.ch02_attention.toy import vectors

__all__ = [
    "DIVISORS",
    "STARTS",
    "EqualSteps",
    "Learned",
    "attended_sentences",
    "attention_steps",
    "first_gradients",
    "first_scores",
    "gradient_sizes",
    "learn",
    "learning_curves",
    "look_up",
    "random_scores",
    "softmax_jacobian",
    "softmax_slopes",
    "vectors",
]
