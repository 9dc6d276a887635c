"""What chapter 8, *Masking*, owns."""

from course_lib.chapters.ch08_masking.figures import mask_and_cache, masks, trained_writer, writer

__all__ = ["mask_and_cache", "masks", "trained_writer", "writer"]
