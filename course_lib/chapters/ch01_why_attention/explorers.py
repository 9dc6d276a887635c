"""How far stacked convolutions see, to be explored."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import ipywidgets  # type: ignore[import-untyped]

from course_lib.chapters.ch01_why_attention.figures import receptive_field
from course_lib.figures.interactive import InteractiveFigure, labelled_menu, labelled_slider, labelled_switch
from course_lib.figures.picture import Picture


class Question(NamedTuple):
    """A sentence and two of its positions: the word that asks and the word that it needs."""

    words: tuple[str, ...]
    asking: int
    wanted: int


def reach_explorer(questions: Mapping[str, Question]) -> InteractiveFigure:
    """Choose a sentence, a kernel size and a depth, and see whether one word can reach the other.

    Parameters
    ----------
    questions : mapping from name to Question
        The names are what the list of sentences shows.

    Raises
    ------
    ValueError
        If there is no question.

    Notes
    -----
    Source: B 10.1.1.

    Examples
    --------
    >>> far = Question(("The", "hearing", "on", "the", "issue", "is", "today"), asking=5, wanted=1)
    >>> figure = reach_explorer({"distance 4": far})
    >>> figure.picture.alt[-43:].strip()
    'lies 4 words away, outside: the reach is 1.'
    >>> figure.controls["n_layers"].value = 4
    >>> figure.picture.alt[-43:].strip()
    'lies 4 words away, inside: the reach is 4.'
    """
    if not questions:
        raise ValueError("questions is empty: expected at least one")
    start = {"sentence": next(iter(questions)), "kernel_size": 3, "n_layers": 1, "doubling": False}
    controls = {
        "sentence": labelled_menu(
            "Sentence",
            "The sentence, by the distance from the verb to its subject",
            questions,
            start["sentence"],
            width="40em",
        ),
        "kernel_size": labelled_slider("Kernel size", 3, 3, 9, 2),
        "n_layers": labelled_slider("Layers", 1, 1, 6, 1),
        "doubling": labelled_switch("Spread each layer twice as wide as the one below", on=False),
    }
    reset = ipywidgets.Button(description="Reset", tooltip="Back to one layer of kernel size 3")

    def draw(sentence: str, **network: Any) -> Picture:
        return receptive_field(**questions[sentence]._asdict(), **network)

    figure = InteractiveFigure(draw, controls, others=[reset])
    reset.on_click(lambda _: figure.set(**start))
    return figure
