"""Old names: the tool that rewrites them, and submissions that still use them."""

import importlib
import subprocess
import sys

import pytest
from rename import rewritten

from course_lib.renamed import MODULES, NAMES, new_name


@pytest.mark.parametrize("new", sorted({*MODULES.values()}))
def test_a_module_is_where_the_table_says(new):
    importlib.import_module(new)


@pytest.mark.parametrize("new", sorted(NAMES.values()))
def test_a_name_is_where_the_table_says(new):
    home, _, name = new.rpartition(".")
    assert hasattr(importlib.import_module(home), name)


def test_no_old_name_works_of_itself():
    code = """
import importlib, sys
from course_lib.renamed import MODULES, OldNames
found = []
for old in MODULES:
    try:
        importlib.import_module(old)
        found.append(old)
    except ImportError:
        pass
assert not found, found
OldNames.install()
for old in MODULES:
    importlib.import_module(old)
from course_lib import hints, plots, proofs
from course_lib.corpus.tokenisers import PAD_ID
from course_lib.plots import heatmap
from course_lib.exercises.hints import check
assert hints.check is check and PAD_ID == 0 and plots.heatmap is heatmap and proofs.check
try:
    from course_lib import no_such_module
except ImportError:
    pass
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["from course_lib import hints"], ["from course_lib.exercises import hints"]),
        (["from course_lib import functional"], ["from course_lib import functional"]),
        (
            ["import numpy as np\nx = 'course_lib/corpus/text.py'"],
            ["import numpy as np\nx = 'course_lib/text/typography.py'"],
        ),
        (
            ["from course_lib.corpus.tokenisers import PAD_ID, BPETokeniser as B"],
            [
                "from course_lib.special_ids import PAD_ID\nfrom course_lib.text.tokenisers import BPETokeniser as B"
            ],
        ),
        (
            ["def f():\n    from course_lib import plots\n    return plots.alignment([é, 1])"],
            [
                "def f():\n    from course_lib.chapters.ch05_cross_and_multi_head.figures import alignment\n"
                "    return alignment([é, 1])"
            ],
        ),
        (
            ["from course_lib import widgets\nbeam_explorer = widgets.beam_explorer"],
            [
                "from course_lib.chapters.ch10_translation.beam_explorers import beam_explorer as ch10_beam_explorer\n"
                "beam_explorer = ch10_beam_explorer"
            ],
        ),
    ],
)
def test_sources_are_rewritten(cells, expected):
    assert rewritten(cells) == expected


def test_a_notebook_s_cells_share_their_names_and_keep_their_magics():
    cells = [
        "%matplotlib inline\nfrom course_lib import plots, widgets",
        "plots.masks(1)\n!ls",
        "x = widgets.progress(3)",
    ]
    assert rewritten(cells, notebook=True) == [
        "%matplotlib inline\nfrom course_lib import figures\nfrom course_lib.chapters import ch08_masking as ch08",
        "ch08.masks(1)\n!ls",
        "x = figures.progress(3)",
    ]


def test_what_has_not_moved_keeps_its_name():
    assert new_name("course_lib.training.Trainer") == "course_lib.training.Trainer"
    assert new_name("course_lib.textual") == "course_lib.textual"


def test_where_submissions_are_graded_arguments_of_before_are_taken():
    code = """
import course_lib.model as layers, torch
from course_lib.renamed import OldNames
OldNames.install()
OldNames.install()
attention = layers.MultiHeadAttention(4, n_heads=2, fused=False)
output, weights = attention(torch.zeros(1, 3, 4), need_weights=True)
assert output.shape == (1, 3, 4) and weights.shape == (1, 2, 3, 3)
assert layers.Dropout(0.5).eval()(output) is output
try:
    layers.no_such_layer
except AttributeError:
    pass
else:
    raise AssertionError
try:
    layers.MultiHeadAttention(4, n_heads=2, no_such_argument=1)
except TypeError:
    pass
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)
