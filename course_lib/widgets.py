"""The interactive figures of the course, on `plots`, and the comparison of a guess with what came out.

An interactive figure is a group of controls above a picture that is drawn anew when a control moves. It is shown
live where a kernel answers; its picture goes along, with alternative text, for readers without one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import functional, plots

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
        self.picture = self._draw(**{name: control.value for name, control in self.controls.items()})
        self._image.value = self.picture.html()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Offer the live widget, and the picture to whoever cannot show one."""
        data, metadata = self.picture._repr_mimebundle_()
        return {**super()._repr_mimebundle_(**kwargs), **data}, metadata


def attention_stepper(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    query_words: Sequence[str],
    key_words: Sequence[str],
    entry_names: Sequence[str],
    start: int = 0,
) -> InteractiveFigure:
    """Follow one query through attention: choose its word, change its entries, sharpen or flatten its scores.

    Parameters
    ----------
    queries : array (L_q, d_k)
    keys : array (L_k, d_k)
    values : array (L_k, d_v)
    query_words, key_words : L_q and L_k strings
    entry_names : d_k strings
        What each entry of a query asks for; they label the sliders.
    start : int
        The query that is shown first.

    Raises
    ------
    ValueError
        If the words or names do not fit the queries, or as `plots.attention_step` does.

    Notes
    -----
    Formula: weights = softmax(β q Kᵀ / √d_k), where β is the sharpness: 0 weighs all keys alike, a large one
    picks the best.

    Examples
    --------
    >>> words = {"query_words": ["q"], "key_words": ["a", "b"], "entry_names": ["size"]}
    >>> figure = attention_stepper([[2.0]], [[0.0], [1.0]], [[5.0], [7.0]], **words)
    >>> figure.controls["sharpness"].value = 0
    >>> figure.picture.alt[-59:]
    "Weights: 'a' 0.5, 'b' 0.5; largest on all alike. Output: 6."
    """
    rows = np.asarray(queries, dtype=np.float64)
    if rows.shape != (len(query_words), len(entry_names)):
        raise ValueError(
            f"queries {rows.shape}: expected one row for each of {len(query_words)} query_words "
            f"and one column for each of {len(entry_names)} entry_names"
        )
    reach = max(1.0, float(np.ceil(np.abs(rows).max())))
    word = ipywidgets.Dropdown(
        options=[(name, i) for i, name in enumerate(query_words)],
        value=start,
        description="Query word",
        tooltip="The word whose query is followed",
        style=LABELLED,
    )
    reset = ipywidgets.Button(description="Reset", tooltip="Put back the query and the sharpness")
    controls = {
        f"entry_{i}": labelled_slider(f"Asks for {name}", rows[start, i], -reach, reach, 0.5)
        for i, name in enumerate(entry_names)
    }
    controls["sharpness"] = labelled_slider("Sharpness β", 1.0, 0.0, 5.0, 0.25)

    def draw(sharpness: float, **entries: float) -> plots.Picture:
        def score(q: NDArray[Any], k: NDArray[Any]) -> NDArray[Any]:
            return sharpness * functional.dot_product_scores(q, k)

        shown = dict(query_word=query_words[word.value], key_words=key_words, score=score)
        return plots.attention_step(list(entries.values()), keys, values, **shown)

    figure = InteractiveFigure(draw, controls, others=[word, reset])

    def put_back(_: object) -> None:
        figure.set(sharpness=1.0, **{f"entry_{i}": entry for i, entry in enumerate(rows[word.value])})

    word.observe(put_back, names="value")
    reset.on_click(put_back)
    return figure


def labelled_slider(
    description: str, value: float, low: float, high: float, step: float
) -> ipywidgets.FloatSlider:
    """Make a slider with room for its label; sliders made like this stand in columns.

    Examples
    --------
    >>> labelled_slider("Sharpness β", 1.0, 0.0, 5.0, 0.25).value
    1.0
    """
    return ipywidgets.FloatSlider(
        value=value,
        min=low,
        max=high,
        step=step,
        description=description,
        tooltip=f"{description}: the arrow keys move the slider",
        style=LABELLED,
        layout=ipywidgets.Layout(width="31em"),
    )


def _wrapped_row(widgets: Sequence[ipywidgets.Widget]) -> ipywidgets.HBox:
    """Put widgets side by side, in as many lines as the page is narrow."""
    return ipywidgets.HBox(widgets, layout=ipywidgets.Layout(flex_flow="row wrap"))


def compare(guess: float | str | None, answer: float | str) -> None:
    """Print how a guess, kept in the cell before, compares with what came out.

    Parameters
    ----------
    guess : number, word or None
        None stands for no guess yet.
    answer : number or word

    Raises
    ------
    ValueError
        If a number was guessed where a word is the answer, or the other way round.

    Examples
    --------
    >>> compare(None, "today")
    You have not guessed yet: put a guess in place of None in the cell above, and run both cells.
    It is 'today'.
    >>> compare("Today", "today")
    You guessed 'Today'.
    It is 'today', as you said.
    >>> compare(0.5, 0.839)
    You guessed 0.5.
    It is 0.839: you were 0.339 too low.
    """
    if guess is not None and isinstance(guess, str) != isinstance(answer, str):
        raise ValueError(
            f"guess is {guess!r}: expected {'a word' if isinstance(answer, str) else 'a number'}"
        )
    shown = repr(answer) if isinstance(answer, str) else f"{answer:.3g}"
    verdict = ""
    if isinstance(guess, str) and isinstance(answer, str):
        verdict = ", as you said" if guess.strip().lower() == answer.lower() else ""
    elif guess is not None:
        miss = float(guess) - float(answer)
        close = abs(miss) <= 0.05 * abs(float(answer))
        verdict = (
            ", as you said" if close else f": you were {abs(miss):.3g} too {'high' if miss > 0 else 'low'}"
        )
    # JupyterLab shows the first line of a folded output, so the answer comes in the second
    not_yet = "You have not guessed yet: put a guess in place of None in the cell above, and run both cells."
    print(not_yet if guess is None else f"You guessed {guess!r}.")
    print(f"It is {shown}{verdict}.")
