"""What chapter 8, *Masking: words that may not look ahead*, owns."""

from course_lib.chapters.ch08_masking.explorers import mask_explorer
from course_lib.chapters.ch08_masking.figures import masks, sight

__all__ = ["mask_explorer", "masks", "sight"]
