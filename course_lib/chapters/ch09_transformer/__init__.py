"""What chapter 9, *The whole Transformer*, owns."""

from course_lib.chapters.ch09_transformer.architecture_figures import architecture
from course_lib.chapters.ch09_transformer.clinic_figures import clinic
from course_lib.chapters.ch09_transformer.explorers import architecture_explorer
from course_lib.chapters.ch09_transformer.through_figure import through
from course_lib.chapters.ch09_transformer.twin import pytorch_twin

__all__ = ["architecture", "architecture_explorer", "clinic", "pytorch_twin", "through"]
