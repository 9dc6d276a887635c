"""What the figures of all chapters share: pictures, charts, interactive figures, progress, the comparison of a guess.

What one chapter alone draws is in its folder in `course_lib/chapters/`.
"""

from course_lib.figures.bars import bars
from course_lib.figures.curves import lines
from course_lib.figures.guess import compare
from course_lib.figures.heatmaps import Panel, heatmap, heatmaps
from course_lib.figures.interactive import InteractiveFigure, labelled_slider
from course_lib.figures.picture import Picture
from course_lib.figures.progress_bar import progress

__all__ = [
    "InteractiveFigure",
    "Panel",
    "Picture",
    "bars",
    "compare",
    "heatmap",
    "heatmaps",
    "labelled_slider",
    "lines",
    "progress",
]
