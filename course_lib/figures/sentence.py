"""A sentence with attention: arcs from a word to the words that it looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from course_lib.figures.page import PageFigure


class Attended(NamedTuple):
    """A sentence of L words, and what its words look at."""

    words: Sequence[str]
    weights: ArrayLike | Mapping[int, ArrayLike]  # (L, L), or the row (L,) of each word that looks
    word: int  # the position of the word that looks first
    name: str = ""  # what the control calls the sentence, if there are several

    def _props(self) -> dict[str, object]:
        length = len(self.words)
        rows = (
            self.weights if isinstance(self.weights, Mapping) else dict(enumerate(np.asarray(self.weights)))
        )
        found = {i: np.asarray(row, dtype=float) for i, row in rows.items()}
        if not length or self.word not in found or not set(found) <= set(range(length)):
            raise ValueError(
                f"weights for the words {sorted(found)}, word {self.word}: expected positions in {length} words, "
                "and the weights of the word that looks first"
            )
        for i, row in found.items():
            if row.shape != (length,) or not np.isfinite(row).all() or row.min() < 0 or row.sum() > 1 + 1e-3:
                raise ValueError(
                    f"weights of word {i} {row.shape}: expected {length} shares, not negative, of 1 at most"
                )
        weights = [found[i].round(4).tolist() if i in found else None for i in range(length)]
        return {"name": self.name, "words": list(self.words), "weights": weights, "word": self.word}


def sentence_with_attention(
    sentences: Attended | Sequence[Attended],
    *,
    first: int = 0,
    label: str = "Sentence",
    control: Literal["slider", "options", "none"] = "slider",
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Show a sentence and, as arcs, where a word of it looks; pointing at another word shows that one's weights.

    Parameters
    ----------
    sentences : Attended, or a sequence of them
        A control chooses between several, such as lengths of a clause (slider) or heads (options). Where two have the
        same words, the chosen word stays.
    first : int
        Which is shown first: the most telling one.
    label : str
        What the control chooses.
    control : "slider", "options" or "none"
        Without a control, all sentences stand under one another.
    caption, number : str

    Raises
    ------
    ValueError
        If there is no such sentence, or its weights do not fit its words.

    Examples
    --------
    >>> found = Attended(["The", "hearing", "is", "public"], {2: [0.02, 0.9, 0.03, 0.05]}, word=2)
    >>> sentence_with_attention(found).title
    '‘is’ looks at ‘hearing’, 1 word back: 90 % of its weight'
    """
    several = [sentences] if isinstance(sentences, Attended) else list(sentences)
    if not 0 <= first < len(several):
        raise ValueError(f"first is {first}: expected one of {len(several)} sentences")
    if control not in ("slider", "options", "none"):
        raise ValueError(f"control is {control!r}: expected 'slider', 'options' or 'none'")
    shown = [each._props() for each in several]
    props = {"sentences": shown, "sentence": first, "label": label, "control": control}
    return PageFigure("sentence", props, caption=caption, number=number)
