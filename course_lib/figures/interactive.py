"""A group of controls above a picture that is drawn anew when a control moves."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets  # type: ignore[import-untyped]
import traitlets
from IPython.display import display

from course_lib.figures.picture import Picture
from course_lib.figures.slider import FloatSlider, IntSlider

LABELLED = {"description_width": "12.5em"}  # one width for all labels, so that sliders stand in columns

VIEW = "application/vnd.jupyter.widget-view+json"

# The still picture gives way to the live figure of the same cell, and comes back when the kernel has gone. What is left
# of a live figure then is hidden: itself, or, after the page was opened again, the message that it is missing.
STILL_OR_LIVE = (
    "<style>.jp-OutputArea:has(.course-live:not(.jupyter-widgets-disconnected)) .course-still, "
    ".course-live.jupyter-widgets-disconnected, "
    ".jp-OutputArea:has(.course-still) .jp-OutputArea-output.jupyter-widgets:not(:has(*)) "
    "{ display: none }</style>"
)
HOW_TO_LIVE = "<p><em>Run this cell, and the figure gets its controls.</em></p>"


class InteractiveFigure(ipywidgets.VBox):  # type: ignore[misc]  # a class without types
    """Controls above a picture; each change of a control's value draws the picture anew.

    Parameters
    ----------
    draw : function
        Called with the value of each control by name; returns the `Picture` to show.
    controls : mapping from argument name to widget
        In the order in which they are shown and in which the Tab key reaches them.
    others : widgets
        Shown in front of the controls; what they do is up to the caller.

    Examples
    --------
    >>> slider = ipywidgets.FloatSlider(value=0.5, description="weight on a")
    >>> from course_lib.figures.heatmaps import heatmap
    >>> figure = InteractiveFigure(lambda w: heatmap([[w, 1 - w]], ["q"], ["a", "b"]), {"w": slider})
    >>> slider.value = 0.9
    >>> "largest weight 0.9 on 'a'" in figure.picture.alt
    True
    """

    def __init__(
        self,
        draw: Callable[..., Picture],
        controls: Mapping[str, ipywidgets.ValueWidget],
        others: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self._draw = draw
        self.controls = dict(controls)
        self._shown = _Shown()
        self._listen(True)
        self._redraw()
        groups = [group for group in (others, tuple(self.controls.values())) if group]
        super().__init__([*map(_wrapped_row, groups), self._shown])
        self.add_class("course-live")

    def set(self, **values: Any) -> None:
        """Move several controls, given by name, and draw once."""
        self._listen(False)
        try:
            for name, value in values.items():
                self.controls[name].value = value
        finally:
            self._listen(True)
        self._redraw()

    def _listen(self, on: bool) -> None:
        for control in self.controls.values():
            (control.observe if on else control.unobserve)(self._redraw, names="value")

    def _follow(self) -> None:
        """Let the controls fit one another before a picture is drawn; none of them is listened to meanwhile."""

    def _redraw(self, change: object = None) -> None:
        with _answer_first():
            self._listen(False)
            try:
                self._follow()
            finally:
                self._listen(True)
            self.picture = self._draw(**{name: control.value for name, control in self.controls.items()})
            self._shown.picture = self.picture.for_page()

    def _ipython_display_(self) -> None:
        """Show the picture, to stay where no kernel answers, and the live figure, which takes its place."""
        still, metadata = self.picture._repr_mimebundle_()
        still["text/html"] = (
            f'<div class="course-still">{STILL_OR_LIVE}{still["text/html"]}{HOW_TO_LIVE}</div>'
        )
        display(still, metadata=metadata, raw=True)
        display({VIEW: super()._repr_mimebundle_()[VIEW]}, raw=True)


class _Shown(anywidget.AnyWidget):
    """The picture on the page."""

    _esm = Path(__file__).with_suffix(".js")
    _css = Path(__file__).with_suffix(".css")
    picture = traitlets.Dict().tag(sync=True)


@contextmanager
def _answer_first() -> Iterator[None]:
    """Put off the collection of garbage: beside a trained model it takes longer than drawing a picture."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def labelled_slider(
    description: str, value: float, low: float, high: float, step: float
) -> FloatSlider | IntSlider:
    """Make a slider with room for its label; sliders made like this stand in columns.

    Given whole numbers alone (`int`), it has whole numbers.

    Examples
    --------
    >>> labelled_slider("Sharpness β", 1.0, 0.0, 5.0, 0.25).value
    1.0
    >>> labelled_slider("Layers", 1, 1, 5, 1).value
    1
    """
    whole = all(isinstance(number, int) for number in (value, low, high, step))
    return (IntSlider if whole else FloatSlider)(
        value=value,
        min=low,
        max=high,
        step=step,
        description=description,
        tooltip=f"{description}: the arrow keys move the slider",
        style=LABELLED,
        layout=ipywidgets.Layout(width="31em"),
    )


def labelled_menu(
    description: str, tooltip: str, options: Iterable[Any], value: Any, width: str = "25em"
) -> ipywidgets.Dropdown:
    """Make a menu, its label in the column of the sliders' labels.

    Parameters
    ----------
    description, tooltip : str
    options : iterable
        Values, or pairs (name, value).
    value : Any
        The one that is chosen at first.
    width : str
        With the label; the options need room.

    Examples
    --------
    >>> labelled_menu("Heads", "How many heads there are", [1, 2, 4], 2).value
    2
    """
    return ipywidgets.Dropdown(
        options=list(options),
        value=value,
        description=description,
        tooltip=tooltip,
        style=LABELLED,
        layout=ipywidgets.Layout(width=width),
    )


def labelled_switch(description: str, on: bool) -> ipywidgets.Checkbox:
    """Make a check box as wide as a slider, so that its label stays whole.

    Examples
    --------
    >>> labelled_switch("Residual connection", on=False).value
    False
    """
    return ipywidgets.Checkbox(
        value=on,
        description=description,
        tooltip=f"{description}: the space key switches it",
        indent=False,
        layout=ipywidgets.Layout(width="31em"),
    )


def _wrapped_row(widgets: Sequence[ipywidgets.Widget]) -> ipywidgets.HBox:
    """Put widgets side by side, in as many lines as the page is narrow."""
    return ipywidgets.HBox(widgets, layout=ipywidgets.Layout(flex_flow="row wrap"))
