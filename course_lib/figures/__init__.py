"""What the figures of all chapters share: pictures, charts, figures that live in the page, progress, predictions.

What one chapter alone draws is in its folder in `course_lib/chapters/`.
"""

from course_lib.figures.bars import bars
from course_lib.figures.curves import lines
from course_lib.figures.heatmaps import Panel, heatmap, heatmaps
from course_lib.figures.interactive import InteractiveFigure, labelled_slider
from course_lib.figures.page import PageFigure
from course_lib.figures.picture import Picture
from course_lib.figures.prediction import Prediction
from course_lib.figures.progress_bar import progress
from course_lib.figures.sentence import Attended, sentence_with_attention

__all__ = [
    "Attended",
    "InteractiveFigure",
    "PageFigure",
    "Panel",
    "Picture",
    "Prediction",
    "bars",
    "heatmap",
    "heatmaps",
    "labelled_slider",
    "lines",
    "progress",
    "sentence_with_attention",
]
