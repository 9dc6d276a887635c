"""What chapter 7, *Feed-forward: what an average cannot say*, owns."""

from course_lib.chapters.ch07_feed_forward.explorers import hull_explorer
from course_lib.chapters.ch07_feed_forward.figures import (
    convex_hull,
    hull,
    hulls_by_layer,
    inside,
    phrase_outputs,
    read_outs,
)

__all__ = ["convex_hull", "hull", "hull_explorer", "hulls_by_layer", "inside", "phrase_outputs", "read_outs"]
