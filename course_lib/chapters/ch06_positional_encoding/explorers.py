"""Positional encodings to be looked at from all sides."""

from functools import lru_cache
from typing import Any, Literal

import ipywidgets  # type: ignore[import-untyped]
import numpy as np

from course_lib import functional
from course_lib.chapters.ch06_positional_encoding.figures import encoding_overview
from course_lib.figures.interactive import LABELLED, InteractiveFigure, labelled_menu, labelled_slider
from course_lib.figures.picture import Picture
from course_lib.figures.slider import SelectionSlider

START: dict[str, Any] = {"joined": "alone", "base": 10000.0, "width": 64, "length": 100, "column": 0}


def encoding_explorer() -> InteractiveFigure:
    """Explore sinusoidal encodings: width, length, base, alone or added or appended to words.

    The picture is `encoding_overview`: the map, one column, and similarity against distance beside the
    closest Gaussian. The words are random vectors, as long as the encoding on average, a different one at
    each position.

    Examples
    --------
    >>> explorer = encoding_explorer()
    >>> explorer.set(width=4, length=20)
    >>> explorer.picture.alt[:47]
    'Encoding alone: 20 positions (rows) × 4 columns'
    """
    joined = labelled_menu(
        "Encoding",
        "How the encoding joins the words",
        [
            ("alone: φ", "alone"),
            ("added to words: x + φ", "add"),
            ("appended to words: [x; φ]", "append"),
        ],
        START["joined"],
        width="31em",
    )
    base = SelectionSlider(
        options=[(f"{base:,}".replace(",", " "), float(base)) for base in (1, 10, 100, 1000, 10000, 100000)],
        description="Base",
        tooltip="Base: the arrow keys move the slider",
        style=LABELLED,
        layout=ipywidgets.Layout(width="31em"),
    )
    controls = {
        "joined": joined,
        "base": base,
        "width": labelled_slider("Width d", START["width"], 2, 128, 2),
        "length": labelled_slider("Length L", START["length"], 10, 200, 5),
        "column": labelled_slider("Column to draw", START["column"], 0, 127, 1),
    }
    base.value = START["base"]

    def keep_column_within(change: object) -> None:
        controls["column"].max = controls["width"].value - 1  # which moves the slider, where it must

    controls["width"].observe(keep_column_within, names="value")
    keep_column_within(None)

    @lru_cache(maxsize=1)  # a narrower width may move the column too, and is then asked for twice
    def draw(
        joined: Literal["alone", "add", "append"], base: float, width: int, length: int, column: int
    ) -> Picture:
        phi = functional.sinusoidal_encoding(length, width, base)
        if joined == "alone":
            return encoding_overview(phi, column=column)
        words = np.random.default_rng(6).normal(scale=np.sqrt(0.5), size=(length, width))
        return encoding_overview(phi, words, mode=joined, column=column)

    reset = ipywidgets.Button(description="Reset", tooltip="Put everything back")
    figure = InteractiveFigure(draw, controls, others=[reset])
    reset.on_click(lambda _: figure.set(**START))
    return figure
