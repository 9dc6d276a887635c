"""What chapter 7, *The feed-forward layer*, owns."""

from course_lib.chapters.ch07_feed_forward.figures import (
    NOT_HAPPY,
    collapse,
    convex_hull,
    hull,
    inside,
    memory_pairs,
    tiles,
)

__all__ = ["NOT_HAPPY", "collapse", "convex_hull", "hull", "inside", "memory_pairs", "tiles"]
