"""A soft dictionary in the plane, whose query can be moved."""

from collections.abc import Mapping, Sequence

import ipywidgets  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import ArrayLike

from course_lib import functional
from course_lib.chapters.ch03_fuzzy_dictionary.figures import dictionary_lookup
from course_lib.figures.interactive import InteractiveFigure, labelled_menu, labelled_slider
from course_lib.figures.picture import Picture
from course_lib.functional import FloatArray, ScoreFunction


def _dot_product(queries: ArrayLike, keys: ArrayLike) -> FloatArray:
    return functional.dot_product_scores(queries, keys, scaled=False)


SCORES: dict[str, ScoreFunction] = {
    "dot product": _dot_product,
    "minus squared distance": functional.squared_distance_scores,
}


def dictionary_explorer(
    queries: Mapping[str, ArrayLike],
    keys: ArrayLike,
    values: ArrayLike,
    *,
    key_names: Sequence[str],
    value_names: Sequence[str],
    others: Mapping[str, ArrayLike] | None = None,
    key_axes: tuple[str, str] = ("first entry", "second entry"),
    value_axes: tuple[str, str] = ("first entry", "second entry"),
) -> InteractiveFigure:
    """Move a query among the keys of a soft dictionary; watch the weights, the blend and what it decodes to.

    Parameters
    ----------
    queries : mapping from name to array (2,)
        Queries to begin from; the first is shown first.
    keys, values : arrays (n, 2), n from 1 to 6
    key_names, value_names, others, key_axes, value_axes
        As for `dictionary_lookup`; `key_axes` label the sliders.

    Raises
    ------
    ValueError
        If there is no query, one is not (2,), or as `dictionary_lookup` does.

    Notes
    -----
    Formula: weights = softmax(β s), with s = q·k or s = −‖q − k‖²; β is the sharpness.

    Examples
    --------
    >>> names = {"key_names": ["a", "b"], "value_names": ["A", "B"]}
    >>> figure = dictionary_explorer({"q": [0, 1]}, [[0, 1], [0, -2]], [[1, 1], [3, 1]], **names)
    >>> figure.controls["sharpness"].value = 0
    >>> figure.picture.alt[:73]
    "Soft lookup of 'q' at (0, 1), sharpness 0. Weights: 'a' 0.5, 'b' 0.5. Ble"
    """
    starts = {name: np.asarray(query, dtype=np.float64) for name, query in queries.items()}
    if not starts or any(start.shape != (2,) for start in starts.values()):
        shapes = [start.shape for start in starts.values()]
        raise ValueError(f"queries of shapes {shapes}: expected at least one, each (2,)")
    largest = max(float(np.abs(points).max()) for points in (np.asarray(keys), *starts.values()))
    reach = float(np.ceil(1.1 * largest))
    first = next(iter(starts))
    name = labelled_menu("Query", "The query to begin from", starts, first, width="28em")
    reset = ipywidgets.Button(description="Reset", tooltip="Put back the query, the score and the sharpness")
    controls = {
        "x": labelled_slider(key_axes[0].capitalize(), starts[first][0], -reach, reach, 0.1),
        "y": labelled_slider(key_axes[1].capitalize(), starts[first][1], -reach, reach, 0.1),
        "sharpness": labelled_slider("Sharpness β", 1.0, 0.0, 10.0, 0.25),
        "score": labelled_menu("Score", "How a key is scored", SCORES, next(iter(SCORES)), width="28em"),
    }

    def draw(x: float, y: float, sharpness: float, score: str) -> Picture:
        moved = not np.allclose((x, y), starts[name.value])
        return dictionary_lookup(
            (x, y),
            keys,
            values,
            query_name="your query" if moved else name.value,
            key_names=key_names,
            value_names=value_names,
            sharpness=sharpness,
            score=SCORES[score],
            others=others,
            key_axes=key_axes,
            value_axes=value_axes,
            reach=1.1 * reach,
        )

    figure = InteractiveFigure(draw, controls, others=[name, reset])

    def begin(_: object) -> None:
        x, y = starts[name.value]
        figure.set(x=x, y=y)

    def put_back(_: object) -> None:
        x, y = starts[name.value]
        figure.set(x=x, y=y, sharpness=1.0, score=next(iter(SCORES)))

    name.observe(begin, names="value")
    reset.on_click(put_back)
    return figure
