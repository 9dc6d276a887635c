"""What chapter 5, *Cross-attention and heads*, owns."""

from course_lib.chapters.ch05_cross_and_multi_head.figures import (
    Row,
    alignment,
    alignment_in_time,
    head_sum,
    loss_curves,
    seeds_strip,
    splitting,
    ways_out,
    word_rows,
)

__all__ = [
    "Row",
    "alignment",
    "alignment_in_time",
    "head_sum",
    "loss_curves",
    "seeds_strip",
    "splitting",
    "ways_out",
    "word_rows",
]
