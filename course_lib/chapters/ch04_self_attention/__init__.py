"""What chapter 4, *Self-attention: a sentence that reads itself*, owns."""

from course_lib.chapters.ch04_self_attention.explorers import self_attention_explorer
from course_lib.chapters.ch04_self_attention.figures import self_attention_step

__all__ = ["self_attention_explorer", "self_attention_step"]
