"""The explorer of encodings: it shows what its controls say."""

import gc

import ipywidgets
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from course_lib import functional
from course_lib.chapters.ch06_positional_encoding import explorers
from course_lib.chapters.ch06_positional_encoding.explorers import encoding_explorer
from course_lib.chapters.ch06_positional_encoding.figures import encoding_overview

BASES = (1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0)


def controls_of(figure):
    return {name: control.value for name, control in figure.controls.items()}


def button(figure):
    (found,) = [child for child in figure.children[0].children if isinstance(child, ipywidgets.Button)]
    return found


@settings(max_examples=4)
@given(st.integers(1, 64), st.integers(2, 40), st.sampled_from(BASES), st.floats(0, 1, exclude_max=True))
def test_shows_the_encoding_that_its_controls_describe(half, fives, base, share):
    figure = encoding_explorer()
    width, length = 2 * half, 5 * fives
    column = int(share * width)
    figure.set(width=width, length=length, base=base, column=column)
    phi = functional.sinusoidal_encoding(length, width, base)
    assert figure.picture.alt == encoding_overview(phi, column=column).alt


def test_joins_words_by_adding_or_appending():
    figure = encoding_explorer()
    for joined, columns in [("add", 64), ("append", 128), ("alone", 64)]:
        figure.controls["joined"].value = joined
        assert f"100 positions (rows) × {columns} columns" in figure.picture.alt
    words = {"alone": "alone", "add": "added to words", "append": "appended to words"}
    for joined, told in words.items():
        figure.controls["joined"].value = joined
        assert figure.picture.alt.startswith(f"Encoding {told}:")


def test_the_words_are_as_long_as_the_encoding_and_the_same_each_time(monkeypatch):
    seen = []
    real = encoding_overview

    def overview(encoding, words=None, **settings):
        seen.append((encoding, words))
        return real(encoding, words, **settings)

    monkeypatch.setattr(explorers, "encoding_overview", overview)
    for _ in range(2):
        encoding_explorer().set(joined="append", width=128, length=200)
    _, (phi, words), _, (_, again) = seen  # each begins alone
    assert np.array_equal(words, again)
    np.testing.assert_allclose((phi**2).sum(axis=1), 64)
    assert abs((words**2).sum(axis=1).mean() - 64) < 2  # of 25,600 normal numbers: four standard errors


def test_the_column_stays_within_the_width_and_both_are_drawn_at_once(monkeypatch):
    drawn = []
    real = encoding_overview
    monkeypatch.setattr(explorers, "encoding_overview", lambda *a, **k: drawn.append(k) or real(*a, **k))
    figure = encoding_explorer()
    figure.controls["column"].value = 63
    drawn.clear()
    figure.controls["width"].value = 8
    assert drawn == [{"column": 7}]
    assert figure.controls["column"].value == figure.controls["column"].max == 7
    assert "Column 7:" in figure.picture.alt
    figure.controls["width"].value = 128
    figure.controls["column"].value = 127
    assert "Column 127:" in figure.picture.alt


def test_reset_puts_everything_back():
    figure, fresh = encoding_explorer(), encoding_explorer()
    figure.set(joined="append", base=10.0, width=6, length=20, column=5)
    button(figure).click()
    assert controls_of(figure) == controls_of(fresh)
    assert figure.picture.png == fresh.picture.png


def test_every_control_is_labelled():
    figure = encoding_explorer()
    told = [control.description for control in figure.controls.values()]
    assert told == ["Encoding", "Base", "Width d", "Length L", "Column to draw"]
    assert all(getattr(c, "tooltip", None) or c.tooltips for c in figure.controls.values())
    assert button(figure).description == "Reset"


def test_keeps_no_matplotlib_figure():
    def alive():
        gc.collect()
        return sum(isinstance(thing, Figure) for thing in gc.get_objects())

    before = alive()
    figure = encoding_explorer()
    for width in (4, 32):
        figure.controls["width"].value = width
    assert alive() == before
