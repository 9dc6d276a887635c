"""How an output leaves the hull of the values: attention, then residual and feed-forward network switched on."""

from collections.abc import Callable, Sequence

import ipywidgets  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.chapters.ch07_feed_forward.figures import hull
from course_lib.figures.interactive import InteractiveFigure, labelled_slider, labelled_switch
from course_lib.figures.picture import Picture


def hull_explorer(
    values: ArrayLike,
    words: Sequence[str],
    *,
    asks: int,
    feed_forward: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    entry_names: tuple[str, str],
    limits: tuple[float, float, float, float],
    scores: Sequence[float] | None = None,
) -> InteractiveFigure:
    """Move the scores of a query and see where its output goes, with residual and feed-forward network or without.

    Parameters
    ----------
    values : array (L, 2)
        They serve as the words' own vectors x too.
    words : L strings
    asks : int
        The position whose word asks: its vector is what the residual adds.
    feed_forward : function from array (2,) to array (2,)
    entry_names : pair of str
        What the two entries of a value are.
    limits : (left, right, bottom, top)
        The part of the plane that is shown.
    scores : L numbers between −4 and 4, optional
        Where the sliders begin; 0 where not given.

    Raises
    ------
    ValueError
        If values are not (L, 2), or words, `asks` or scores do not fit.

    Notes
    -----
    Formula: o = softmax(scores)·V; with the residual y = x + o, without it y = o; with the feed-forward network
    z = y + FFN(y), without a residual z = FFN(y).

    Examples
    --------
    >>> names = {"entry_names": ("mood", "denial"), "limits": (-1, 3, -1, 3)}
    >>> figure = hull_explorer([[2, 0], [0, 2]], ["happy", "not"], asks=0, feed_forward=lambda y: -2 * y, **names)
    >>> figure.controls["residual"].value = True
    >>> figure.picture.alt[-43:]
    'x + attention at mood 3, denial 1: outside.'
    """
    sites = np.asarray(values, dtype=np.float64)
    begin = [0.0] * len(words) if scores is None else list(map(float, scores))
    if sites.shape != (len(words), 2) or not 0 <= asks < len(words) or len(begin) != len(words):
        raise ValueError(
            f"values {sites.shape} with {len(words)} words, asks {asks}, {len(begin)} scores: expected "
            "(L, 2), L words, a position and L scores"
        )
    controls: dict[str, ipywidgets.ValueWidget] = {
        f"score_{i}": labelled_slider(f"Score of {word}", begin[i], -4.0, 4.0, 0.25)
        for i, word in enumerate(words)
    }
    for name, label in {"residual": "Residual connection", "ffn": "Feed-forward network"}.items():
        controls[name] = labelled_switch(label, on=False)
    reset = ipywidgets.Button(description="Reset", tooltip="Put the scores back and switch both off")

    def picture(residual: bool, ffn: bool, **moved: float) -> Picture:
        place = functional.softmax(np.array(list(moved.values()))) @ sites
        outputs = {"attention": place}
        if residual:
            outputs["x + attention"] = place = sites[asks] + place
        if ffn:
            update = feed_forward(place)
            outputs["y + FFN(y)" if residual else "FFN"] = place + update if residual else update
        return hull(sites, words, outputs, x_label=entry_names[0], y_label=entry_names[1], limits=limits)

    figure = InteractiveFigure(picture, controls, others=[reset])
    start = {name: control.value for name, control in controls.items()}

    def put_back(_: object) -> None:
        figure.set(**start)

    reset.on_click(put_back)
    return figure
