"""What chapter 6, *Positional encoding: where a word stands*, owns."""

from course_lib.chapters.ch06_positional_encoding.explorers import encoding_explorer
from course_lib.chapters.ch06_positional_encoding.figures import (
    dials,
    encoding_map,
    encoding_overview,
    looking_back,
)

__all__ = ["dials", "encoding_explorer", "encoding_map", "encoding_overview", "looking_back"]
