"""A group of controls above a picture that is drawn anew when a control moves."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import ipywidgets  # type: ignore[import-untyped]

from course_lib import plots

LABELLED = {"description_width": "12.5em"}  # one width for all labels, so that sliders stand in columns


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
    >>> figure = InteractiveFigure(lambda w: plots.heatmap([[w, 1 - w]], ["q"], ["a", "b"]), {"w": slider})
    >>> slider.value = 0.9
    >>> "largest weight 0.9 on 'a'" in figure.picture.alt
    True
    """

    def __init__(
        self,
        draw: Callable[..., plots.Picture],
        controls: Mapping[str, ipywidgets.ValueWidget],
        others: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self._draw = draw
        self.controls = dict(controls)
        self._image = ipywidgets.HTML()
        self._listen(True)
        self._redraw()
        groups = [group for group in (others, tuple(self.controls.values())) if group]
        super().__init__([*map(_wrapped_row, groups), self._image])

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

    def _redraw(self, change: object = None) -> None:
        with _answer_first():
            self.picture = self._draw(**{name: control.value for name, control in self.controls.items()})
            self._image.value = self.picture.html()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Offer the live widget, and the picture to whoever cannot show one."""
        data, metadata = self.picture._repr_mimebundle_()
        return {**super()._repr_mimebundle_(**kwargs), **data}, metadata


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
) -> ipywidgets.FloatSlider | ipywidgets.IntSlider:
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
    return (ipywidgets.IntSlider if whole else ipywidgets.FloatSlider)(
        value=value,
        min=low,
        max=high,
        step=step,
        description=description,
        tooltip=f"{description}: the arrow keys move the slider",
        style=LABELLED,
        layout=ipywidgets.Layout(width="31em"),
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
