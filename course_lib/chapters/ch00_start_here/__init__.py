"""What the first page owns."""

from course_lib.chapters.ch00_start_here.figures import pieces
from course_lib.chapters.ch00_start_here.hiding import (
    articles_told,
    articles_turned,
    taken_over,
    translate,
    weights_on,
)
from course_lib.chapters.ch00_start_here.opening import (
    SENTENCE,
    TOO_LONG,
    TWO_WAYS,
    head_figure,
    load_translator,
    translator_figure,
)
from course_lib.chapters.ch00_start_here.told import of_records, of_translator

__all__ = [
    "SENTENCE",
    "TOO_LONG",
    "TWO_WAYS",
    "articles_told",
    "articles_turned",
    "head_figure",
    "load_translator",
    "of_records",
    "of_translator",
    "pieces",
    "taken_over",
    "translate",
    "translator_figure",
    "weights_on",
]
