"""What the first page owns."""

from course_lib.chapters.ch00_start_here.figures import pieces
from course_lib.chapters.ch00_start_here.hiding import genders_told, taken_over, translate, weights_on
from course_lib.chapters.ch00_start_here.opening import (
    SENTENCE,
    TOO_LONG,
    TWO_WAYS,
    load_translator,
    translator_figure,
)

__all__ = [
    "SENTENCE",
    "TOO_LONG",
    "TWO_WAYS",
    "genders_told",
    "load_translator",
    "pieces",
    "taken_over",
    "translate",
    "translator_figure",
    "weights_on",
]
