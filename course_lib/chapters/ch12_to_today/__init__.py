"""What chapter 12, *To today*, owns."""

from course_lib.chapters.ch12_to_today.figures import board, shared_heads

__all__ = ["board", "shared_heads"]
