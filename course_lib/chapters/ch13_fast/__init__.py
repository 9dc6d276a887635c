"""What chapter 13, *Fast*, owns."""

from course_lib.chapters.ch13_fast.explorers import tiles
from course_lib.chapters.ch13_fast.figures import tiles_picture, written_in_passes

__all__ = ["tiles", "tiles_picture", "written_in_passes"]
