"""What chapter 4, *Self-attention: a sentence that reads itself*, owns."""

from course_lib.chapters.ch04_self_attention.beside import as_table, side_by_side
from course_lib.chapters.ch04_self_attention.figures import (
    BANK,
    FLUFFY,
    Reading,
    both_weights,
    learning,
    noun_maps,
    readings,
    same_rows,
    self_attention_step,
    word_moves,
)
from course_lib.chapters.ch04_self_attention.record import told
from course_lib.chapters.ch04_self_attention.titles import words_of

__all__ = [
    "BANK",
    "FLUFFY",
    "Reading",
    "as_table",
    "both_weights",
    "learning",
    "noun_maps",
    "readings",
    "same_rows",
    "self_attention_step",
    "side_by_side",
    "told",
    "word_moves",
    "words_of",
]
