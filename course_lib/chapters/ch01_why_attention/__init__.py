"""What chapter 1, *Why attention: the word you need is somewhere else*, owns."""

from course_lib.chapters.ch01_why_attention.dependency_arcs import dependency_arcs
from course_lib.chapters.ch01_why_attention.explorers import Question, reach_explorer
from course_lib.chapters.ch01_why_attention.figures import reach, receptive_field

__all__ = ["Question", "dependency_arcs", "reach", "reach_explorer", "receptive_field"]
