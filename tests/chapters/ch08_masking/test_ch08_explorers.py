"""The mask explorer shows, at every setting, what its masks allow and what is seen through the layers."""

from functools import cache

import ipywidgets
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.chapters.ch08_masking.explorers import mask_explorer
from course_lib.chapters.ch08_masking.figures import sight
from course_lib.figures.interactive import InteractiveFigure

WORDS = ["Le", "petit", "chat", "dort", "."]


@cache
def explorer() -> InteractiveFigure:
    """One explorer for all settings that are tried: making another costs a drawing."""
    return mask_explorer(WORDS)


def button(figure: InteractiveFigure) -> ipywidgets.Button:
    (found,) = [
        w for row in figure.children for w in getattr(row, "children", ()) if type(w) is ipywidgets.Button
    ]
    return found


def allowed_by_hand(causal: bool, window: int, padding: int) -> np.ndarray:
    return np.array(
        [
            [
                j < 5 - padding and (j <= i or not causal) and (window == 0 or abs(i - j) <= window)
                for j in range(5)
            ]
            for i in range(5)
        ]
    )


class TestMaskExplorer:
    @settings(max_examples=6)
    @given(st.booleans(), st.integers(0, 4), st.integers(0, 4), st.integers(1, 5), st.integers(0, 4))
    def test_shows_the_masks_that_are_chosen(self, causal, window, padding, layers, position):
        figure = explorer()
        figure.set(causal=causal, window=window, padding=padding, layers=layers, position=position)
        shown = WORDS[: 5 - padding] + ["<pad>"] * padding
        expected = sight(allowed_by_hand(causal, window, padding), shown, layers, position)
        assert figure.picture.alt == expected.alt
        assert figure.picture.png == expected.png

    def test_begins_causal_and_reset_goes_back_there(self):
        figure = mask_explorer(WORDS, layers=2, position=3)
        first = figure.picture
        assert first.alt == sight(np.tri(5, dtype=bool), WORDS, 2, 3).alt
        figure.set(causal=False, window=2, padding=1, layers=4, position=0)
        assert figure.picture.alt != first.alt
        button(figure).click()
        assert figure.picture.png == first.png
        assert {name: control.value for name, control in figure.controls.items()} == {
            "causal": True,
            "window": 0,
            "padding": 0,
            "layers": 2,
            "position": 3,
        }

    def test_every_control_follows_alone(self):
        figure = mask_explorer(WORDS)
        for name, value in {"causal": False, "window": 1, "padding": 2, "layers": 3, "position": 0}.items():
            before = figure.picture.alt
            figure.controls[name].value = value
            assert figure.picture.alt != before, name

    def test_every_control_is_labelled_and_counts_in_whole_numbers(self):
        figure = mask_explorer(WORDS)
        assert [control.description for control in figure.controls.values()] == [
            "Causal: nobody looks ahead",
            "Window",
            "Padding at the end",
            "Layers",
            "Follow position",
        ]
        assert all(control.tooltip for control in [*figure.controls.values(), button(figure)])
        for name in ("padding", "layers", "position"):
            assert isinstance(figure.controls[name], ipywidgets.IntSlider)
        assert figure.controls["padding"].max == figure.controls["position"].max == 4

    def test_refuses_a_single_word(self):
        with pytest.raises(ValueError, match="expected at least two"):
            mask_explorer(["Je"])
