"""Every figure of the course, each with its text alternative.

A function here takes arrays and words and returns a `Picture`: a PNG, and sentences that say what it
*shows*, computed from the same numbers. Figures lie on an opaque light card, so that they read the same in
JupyterLab's light and dark themes, in colours that colour-blind readers can tell apart. Nothing here opens
a window, touches pyplot, heeds a reader's own matplotlib settings or changes them.
"""

from course_lib.plots.architecture import architecture
from course_lib.plots.bars import bars
from course_lib.plots.beam import beam_tree
from course_lib.plots.clinic import Chart, patient_charts
from course_lib.plots.curves import lines
from course_lib.plots.dictionary import capacity, dictionary_lookup, kernel_regression, winning_regions
from course_lib.plots.feed_forward import (
    convex_hull,
    hull,
    hulls_by_layer,
    inside,
    phrase_outputs,
    read_outs,
)
from course_lib.plots.heads import alignment, head_sum
from course_lib.plots.heatmaps import Panel, heatmap, heatmaps
from course_lib.plots.masks import masks, sight
from course_lib.plots.motivation import reach, receptive_field
from course_lib.plots.picture import Picture
from course_lib.plots.positions import dials, encoding_map, encoding_overview, looking_back
from course_lib.plots.self_attention import self_attention_step
from course_lib.plots.sentences import dependency_arcs
from course_lib.plots.steps import attention_step
from course_lib.plots.translation import DecodingStep, LayerMaps, translation_step

__all__ = [
    "Chart",
    "DecodingStep",
    "LayerMaps",
    "Panel",
    "Picture",
    "alignment",
    "architecture",
    "attention_step",
    "bars",
    "beam_tree",
    "capacity",
    "convex_hull",
    "dependency_arcs",
    "dials",
    "dictionary_lookup",
    "encoding_map",
    "encoding_overview",
    "head_sum",
    "heatmap",
    "heatmaps",
    "hull",
    "hulls_by_layer",
    "inside",
    "kernel_regression",
    "lines",
    "looking_back",
    "masks",
    "patient_charts",
    "phrase_outputs",
    "reach",
    "read_outs",
    "receptive_field",
    "self_attention_step",
    "sight",
    "translation_step",
    "winning_regions",
]
