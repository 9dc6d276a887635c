"""Attention step by step, with its numbers to be changed."""

from collections.abc import Sequence
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.chapters.ch02_attention.figures import attention_step
from course_lib.figures.interactive import InteractiveFigure, labelled_menu, labelled_slider
from course_lib.figures.picture import Picture


def attention_stepper(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    query_words: Sequence[str],
    key_words: Sequence[str],
    key_names: Sequence[str],
    value_names: Sequence[str],
    start: int = 0,
) -> InteractiveFigure:
    """Follow one query through attention: choose its word, change any entry of query, keys and values.

    Parameters
    ----------
    queries : array (L_q, d_k)
    keys : array (L_k, d_k)
    values : array (L_k, d_v)
    query_words, key_words : L_q and L_k strings
    key_names : d_k strings
        What each entry of a key offers, and of a query asks for; they label the sliders.
    value_names : d_v strings
        What each entry of a value tells.
    start : int
        The query that is shown first.

    Raises
    ------
    ValueError
        If the words or names do not fit the arrays, or as `attention_step` does.

    Notes
    -----
    Formula: weights = softmax(β q Kᵀ / √d_k), where β is the sharpness: 0 weighs all keys alike, a large one
    picks the best.

    Examples
    --------
    >>> words = {"query_words": ["q"], "key_words": ["a", "b"]}
    >>> names = {"key_names": ["size"], "value_names": ["price"]}
    >>> figure = attention_stepper([[2.0]], [[0.0], [1.0]], [[5.0], [7.0]], **words, **names)
    >>> figure.controls["sharpness"].value = 0
    >>> figure.picture.alt[-59:]
    "Weights: 'a' 0.5, 'b' 0.5; largest on all alike. Output: 6."
    """
    given = {
        "query": _checked("queries", queries, "query_words", query_words, "key_names", key_names),
        "key": _checked("keys", keys, "key_words", key_words, "key_names", key_names),
        "value": _checked("values", values, "key_words", key_words, "value_names", value_names),
    }
    now = {kind: array.copy() for kind, array in given.items()}
    labels = {
        "query": [f"Asks for {name}" for name in key_names],
        "key": [f"Offers {name}" for name in key_names],
        "value": [f"Tells {name}" for name in value_names],
    }
    reach = max(1.0, *(float(np.ceil(np.abs(array).max())) for array in given.values()))
    word = labelled_menu("Query word", "The word whose query is followed", _numbered(query_words), start)
    vectors = [("query", 0), *((kind, j) for j in range(len(key_words)) for kind in ("key", "value"))]
    told = ["the query", *(f"{kind} of {key_words[j]}" for kind, j in vectors[1:])]
    vector = labelled_menu("Change", "The vector whose entries the sliders show", _numbered(told), 0)
    reset = ipywidgets.Button(description="Reset", tooltip="Put back every number")
    entries = {
        f"entry_{i}": labelled_slider("", 0.0, -reach, reach, 0.5)
        for i in range(max(len(key_names), len(value_names)))
    }

    def chosen() -> tuple[str, NDArray[np.float64]]:
        kind, row = vectors[vector.value]
        return kind, now[kind][word.value if kind == "query" else row]

    def load(_: object = None, **also: float) -> None:
        """Let the sliders show the chosen vector, and set other controls at the same time."""
        kind, numbers = chosen()
        for i, slider in enumerate(entries.values()):
            slider.layout.display = None if i < len(numbers) else "none"
            if i < len(numbers):
                slider.description = labels[kind][i]
                slider.tooltip = f"{labels[kind][i]}: the arrow keys move the slider"
        figure.set(**{f"entry_{i}": number for i, number in enumerate(numbers)}, **also)

    def put_back(_: object = None) -> None:
        for kind, array in given.items():
            now[kind][:] = array
        load(sharpness=1.0)

    def draw(sharpness: float, **numbers: float) -> Picture:
        vector_now = chosen()[1]
        vector_now[:] = list(numbers.values())[: len(vector_now)]

        def score(q: NDArray[Any], k: NDArray[Any]) -> NDArray[Any]:
            return sharpness * functional.dot_product_scores(q, k)

        shown = dict(query_word=query_words[word.value], key_words=key_words, score=score)
        return attention_step(now["query"][word.value], now["key"], now["value"], **shown)

    for slider, number in zip(entries.values(), chosen()[1], strict=False):
        slider.value = number
    controls = {**entries, "sharpness": labelled_slider("Sharpness β", 1.0, 0.0, 5.0, 0.25)}
    figure = InteractiveFigure(draw, controls, others=[word, vector, reset])
    load()
    for menu in (word, vector):
        menu.observe(load, names="value")
    reset.on_click(put_back)
    return figure


def _checked(
    name: str, array: ArrayLike, words_name: str, words: Sequence[str], names_name: str, names: Sequence[str]
) -> NDArray[np.float64]:
    rows = np.array(array, dtype=np.float64)
    if rows.shape != (len(words), len(names)):
        raise ValueError(
            f"{name} {rows.shape}: expected one row for each of {len(words)} {words_name} "
            f"and one column for each of {len(names)} {names_name}"
        )
    return rows


def _numbered(names: Sequence[str]) -> list[tuple[str, int]]:
    return [(name, i) for i, name in enumerate(names)]
