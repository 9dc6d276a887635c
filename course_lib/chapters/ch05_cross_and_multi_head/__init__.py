"""What chapter 5, *Cross-attention and many heads*, owns."""

from course_lib.chapters.ch05_cross_and_multi_head.explorers import alignment_explorer, head_switches
from course_lib.chapters.ch05_cross_and_multi_head.figures import alignment, head_sum

__all__ = ["alignment", "alignment_explorer", "head_sum", "head_switches"]
