"""What chapter 10, *Translation, and a claim put to the test*, owns."""

from course_lib.chapters.ch10_translation.beam_explorers import beam_explorer
from course_lib.chapters.ch10_translation.beam_figures import beam_tree
from course_lib.chapters.ch10_translation.figures import by_position, learning_figure, length_figure

__all__ = [
    "beam_explorer",
    "beam_tree",
    "by_position",
    "learning_figure",
    "length_figure",
]
