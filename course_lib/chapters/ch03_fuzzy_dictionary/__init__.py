"""What chapter 3, *A fuzzy dictionary*, owns."""

from course_lib.chapters.ch03_fuzzy_dictionary.figures import (
    capacity,
    failures,
    kernel_regression,
    learning,
    noisy_curve,
    query_plane,
    sharpening,
    winning_regions,
)

__all__ = [
    "capacity",
    "failures",
    "kernel_regression",
    "learning",
    "noisy_curve",
    "query_plane",
    "sharpening",
    "winning_regions",
]
