"""What chapter 14, *Looking inside*, owns."""

from course_lib.chapters.ch14_looking_inside.figures import swapped, word_grid

__all__ = ["swapped", "word_grid"]
