"""What chapter 9, *The whole Transformer*, owns."""

from course_lib.chapters.ch09_transformer.architecture_figures import architecture
from course_lib.chapters.ch09_transformer.clinic_figures import Chart, patient_charts
from course_lib.chapters.ch09_transformer.explorers import architecture_explorer

__all__ = ["Chart", "architecture", "architecture_explorer", "patient_charts"]
