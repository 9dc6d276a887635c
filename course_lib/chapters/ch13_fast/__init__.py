"""What chapter 13, *Fast*, owns."""

from course_lib.chapters.ch13_fast.figures import tiles, tiles_picture, written_in_passes

__all__ = ["tiles", "tiles_picture", "written_in_passes"]
