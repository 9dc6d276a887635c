"""What chapter 6, *Positional encoding*, owns."""

from course_lib.chapters.ch06_positional_encoding.figures import (
    best_gaussian,
    clock,
    encoding_map,
    looking_back,
    tied_words,
)

__all__ = [
    "best_gaussian",
    "clock",
    "encoding_map",
    "looking_back",
    "tied_words",
]
