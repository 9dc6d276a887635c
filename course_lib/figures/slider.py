"""Sliders that say what they are: ipywidgets' own have no name that a screen reader could tell."""

from pathlib import Path

import anywidget
import ipywidgets  # type: ignore[import-untyped]


class _NativeSlider(anywidget.AnyWidget):
    """The view of the sliders below: HTML's own slider inside its label."""

    _esm = Path(__file__).with_suffix(".js")
    _css = Path(__file__).with_suffix(".css")


class FloatSlider(_NativeSlider, ipywidgets.FloatSlider):  # type: ignore[misc]  # classes without types
    """ipywidgets' slider of numbers, with a view that has a name."""


class IntSlider(_NativeSlider, ipywidgets.IntSlider):  # type: ignore[misc]
    """ipywidgets' slider of whole numbers, with a view that has a name."""


class SelectionSlider(_NativeSlider, ipywidgets.SelectionSlider):  # type: ignore[misc]
    """ipywidgets' slider over named options, with a view that has a name."""
