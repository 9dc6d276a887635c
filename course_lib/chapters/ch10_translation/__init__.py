"""What chapter 10, *Translation, and a claim put to the test*, owns."""

from course_lib.chapters.ch10_translation.beam_explorers import beam_explorer
from course_lib.chapters.ch10_translation.beam_figures import beam_tree
from course_lib.chapters.ch10_translation.translation_explorers import translation_explorer
from course_lib.chapters.ch10_translation.translation_figures import (
    DecodingStep,
    LayerMaps,
    length_figure,
    translation_step,
)

__all__ = [
    "DecodingStep",
    "LayerMaps",
    "beam_explorer",
    "beam_tree",
    "length_figure",
    "translation_explorer",
    "translation_step",
]
