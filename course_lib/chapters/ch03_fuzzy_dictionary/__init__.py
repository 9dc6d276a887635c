"""What chapter 3, *A fuzzy dictionary*, owns."""

from course_lib.chapters.ch03_fuzzy_dictionary.explorers import dictionary_explorer
from course_lib.chapters.ch03_fuzzy_dictionary.figures import (
    capacity,
    dictionary_lookup,
    kernel_regression,
    winning_regions,
)

__all__ = ["capacity", "dictionary_explorer", "dictionary_lookup", "kernel_regression", "winning_regions"]
