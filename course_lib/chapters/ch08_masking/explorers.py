"""A mask put together by hand, and what each position sees through several layers."""

from collections.abc import Sequence

import ipywidgets  # type: ignore[import-untyped]
import numpy as np

from course_lib import functional
from course_lib.chapters.ch08_masking.figures import sight
from course_lib.figures.interactive import InteractiveFigure, labelled_menu, labelled_slider, labelled_switch
from course_lib.figures.picture import Picture


def mask_explorer(words: Sequence[str], *, layers: int = 1, position: int = -1) -> InteractiveFigure:
    """Combine causal, window and padding masks over a sentence, and follow one position through the layers.

    Parameters
    ----------
    words : L strings
        The sentence; padding takes the place of its last words.
    layers : int
        How many layers there are at first, 1 to 5.
    position : int
        Which position is followed at first, from 0; −1 is the last.

    Raises
    ------
    ValueError
        If there are fewer than two words, or as `sight` does.

    Examples
    --------
    >>> figure = mask_explorer(["Il", "dort", "."])
    >>> figure.set(causal=False, padding=1)
    >>> figure.picture.alt.partition("Through ")[2]
    '1 layer, “<pad>” at position 2 sees 3 of 3: “Il”, “dort”, “<pad>”.'
    """
    length = len(words)
    if length < 2:
        raise ValueError(f"words {list(words)}: expected at least two")
    start = {"causal": True, "window": 0, "padding": 0, "layers": layers, "position": position % length}
    controls = {
        "causal": labelled_switch("Causal: nobody looks ahead", on=True),
        "window": labelled_menu(
            "Window",
            "How far a position looks in one layer",
            [("everybody", 0), *((f"{n} to each side", n) for n in range(1, min(length, 5)))],
            0,
        ),
        "padding": labelled_slider("Padding at the end", 0, 0, length - 1, 1),
        "layers": labelled_slider("Layers", layers, 1, 5, 1),
        "position": labelled_slider("Follow position", start["position"], 0, length - 1, 1),
    }

    def draw(causal: bool, window: int, padding: int, layers: int, position: int) -> Picture:
        real = length - padding
        allowed = functional.padding_mask([real], length)[0] & np.ones((length, 1), dtype=bool)  # (L, L)
        if causal:
            allowed &= functional.causal_mask(length)
        if window:
            allowed &= functional.window_mask(length, window)
        shown = [*words[:real], *["<pad>"] * padding]
        return sight(allowed, shown, layers, position)

    reset = ipywidgets.Button(description="Reset", tooltip="Put everything back as it was at first")
    figure = InteractiveFigure(draw, controls, others=[reset])
    reset.on_click(lambda _: figure.set(**start))
    return figure
