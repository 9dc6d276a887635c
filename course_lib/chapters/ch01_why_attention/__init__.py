"""What chapter 1, *Why attention: the word you need is somewhere else*, owns."""

from course_lib.chapters.ch01_why_attention.dependency_arcs import dependency_arcs
from course_lib.chapters.ch01_why_attention.figures import (
    at_stop,
    attended,
    colours,
    experiment,
    gradients,
    leads,
    learning,
    longer_and_longer,
    near_and_far,
    paired,
    reach,
    reached,
    recall,
    receptive_field,
)

__all__ = [
    "at_stop",
    "attended",
    "colours",
    "dependency_arcs",
    "experiment",
    "gradients",
    "leads",
    "learning",
    "longer_and_longer",
    "near_and_far",
    "paired",
    "reach",
    "reached",
    "recall",
    "receptive_field",
]
