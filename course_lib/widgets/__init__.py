"""The interactive figures of the course, on `plots`; progress bars; the comparison of a guess with what came out.

An interactive figure is shown live where a kernel answers; its picture goes along, with alternative text, for
readers without one.
"""

from course_lib.widgets.architecture import architecture_explorer
from course_lib.widgets.bar import progress
from course_lib.widgets.beam import beam_explorer
from course_lib.widgets.dictionary import dictionary_explorer
from course_lib.widgets.feed_forward import hull_explorer
from course_lib.widgets.figure import InteractiveFigure, labelled_slider
from course_lib.widgets.guess import compare
from course_lib.widgets.heads import alignment_explorer, head_switches
from course_lib.widgets.masks import mask_explorer
from course_lib.widgets.motivation import Question, reach_explorer
from course_lib.widgets.positions import encoding_explorer
from course_lib.widgets.self_attention import self_attention_explorer
from course_lib.widgets.stepper import attention_stepper
from course_lib.widgets.translation import translation_explorer

__all__ = [
    "InteractiveFigure",
    "Question",
    "alignment_explorer",
    "architecture_explorer",
    "attention_stepper",
    "beam_explorer",
    "compare",
    "dictionary_explorer",
    "encoding_explorer",
    "head_switches",
    "hull_explorer",
    "labelled_slider",
    "mask_explorer",
    "progress",
    "reach_explorer",
    "self_attention_explorer",
    "translation_explorer",
]
