"""Self-attention with its three matrices to be changed."""

from collections.abc import Sequence

import ipywidgets  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import ArrayLike

from course_lib.chapters.ch04_self_attention.figures import self_attention_step
from course_lib.figures.interactive import InteractiveFigure, labelled_menu, labelled_slider
from course_lib.figures.picture import Picture


def self_attention_explorer(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    *,
    words: Sequence[str],
    features: Sequence[str],
    start: int = 0,
) -> InteractiveFigure:
    """Follow one word through self-attention and change the matrices that make its query, keys and values.

    The sliders show the matrix that is chosen; what was changed in the others stays.

    Parameters
    ----------
    X : array (L, d)
    W_Q, W_K, W_V : array (d, d_k)
        All of one shape, so that the same sliders serve them.
    words : L strings
    features : d strings
        What each column of X, and so each row of a matrix, stands for; they label the sliders.
    start : int
        The word that is followed first.

    Raises
    ------
    ValueError
        If the matrices are not of one shape, the features do not fit them, or as `self_attention_step` does.

    Examples
    --------
    >>> one = [[1.0]]
    >>> figure = self_attention_explorer([[1.0], [2.0]], one, one, one, words=["a", "b"], features=["size"])
    >>> figure.controls["entry_0_0"].value = 0  # no query, so no preference
    >>> figure.picture.alt[-61:]
    "Weights: 'a' 0.5, 'b' 0.5; largest on all alike. Output: 1.5."
    """
    given = {name: np.asarray(W, dtype=np.float64) for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V))}
    shapes = {W.shape for W in given.values()}
    if len(shapes) != 1 or len(next(iter(shapes))) != 2 or next(iter(shapes))[0] != len(features):
        raise ValueError(
            f"W_Q, W_K, W_V {[W.shape for W in given.values()]}: expected one shape (d, d_k) for all, "
            f"with d = {len(features)} features"
        )
    current = {name: W.copy() for name, W in given.items()}
    reach = max(3.0, float(np.ceil(max(np.abs(W).max() for W in given.values()))))
    word = labelled_menu(
        "Word followed",
        "The word whose row is followed",
        [(name, i) for i, name in enumerate(words)],
        start,
    )
    matrix = labelled_menu("Matrix to change", "The matrix whose entries the sliders change", given, "W_Q")
    reset = ipywidgets.Button(description="Reset", tooltip="Put back all three matrices")
    sliders = {
        f"entry_{r}_{c}": labelled_slider(f"Row {name}, column {c}", given["W_Q"][r, c], -reach, reach, 0.5)
        for r, name in enumerate(features)
        for c in range(given["W_Q"].shape[1])
    }

    def draw(**entries: float) -> Picture:
        current[matrix.value] = np.reshape(list(entries.values()), given["W_Q"].shape)
        return self_attention_step(X, *current.values(), words=words, row=word.value)

    figure = InteractiveFigure(draw, sliders, others=[word, matrix, reset])

    def show_entries(_: object) -> None:
        figure.set(**dict(zip(sliders, current[matrix.value].ravel(), strict=True)))

    def put_back(_: object) -> None:
        current.update({name: W.copy() for name, W in given.items()})
        show_entries(None)

    word.observe(show_entries, names="value")
    matrix.observe(show_entries, names="value")
    reset.on_click(put_back)
    return figure
