"""What chapter 2, *Attention: weights computed from content*, owns."""

from course_lib.chapters.ch02_attention.explorers import attention_stepper
from course_lib.chapters.ch02_attention.figures import attention_step

__all__ = ["attention_step", "attention_stepper"]
