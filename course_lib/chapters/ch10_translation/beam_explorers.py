"""Beam search to be watched, step by step."""

from functools import lru_cache, partial

import ipywidgets  # type: ignore[import-untyped]
import torch

from course_lib.chapters.ch10_translation.beam_figures import beam_tree
from course_lib.chapters.ch10_translation.typed_sentences import (
    MOST_READ,
    MOST_WRITTEN,
    announced,
    remarks,
    sentence_box,
)
from course_lib.decoding import BeamTrace, Candidate, beam_search
from course_lib.fast import prepare
from course_lib.figures.interactive import InteractiveFigure, labelled_slider
from course_lib.figures.picture import Picture
from course_lib.special_ids import EOS_ID
from course_lib.translator import Translator

WIDEST, STRONGEST = 6, 3.0  # beam and length penalty


def beam_explorer(
    translator: Translator, sentence: str, *, width: int = 4, alpha: float = 1.0, step: int | None = None
) -> InteractiveFigure:
    """Let a beam search grow its tree step by step, with a beam and a length penalty of your choice.

    The picture is `beam_tree`. What greedy search writes is marked in it.

    Parameters
    ----------
    translator : Translator
        From English to French.
    sentence : str
        What is translated at first. Of a long sentence the first 24 tokens are read.
    width : int
        Of the beam at first, from 1 to 6.
    alpha : float
        The length penalty at first, from 0 to 3.
    step : int, optional
        How many steps are shown at first, from 0 to 30; all where not given, or where the search has fewer.

    Raises
    ------
    ValueError
        If the sentence has no token, or width, penalty or step is not one of those offered.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> from course_lib.model import Transformer, TransformerConfig
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> figure = beam_explorer(Translator(model, words, words), "I sleep.")
    >>> figure.set(width=3, step=1)
    >>> "Live: " in figure.picture.alt
    True
    """
    if not translator.source_tokeniser.encode(sentence):
        raise ValueError(f"sentence {sentence!r}: expected at least one word")
    if width not in range(1, WIDEST + 1) or not 0 <= alpha <= STRONGEST:
        raise ValueError(
            f"width {width}, alpha {alpha}: expected a whole number from 1 to {WIDEST}, and a number from 0 to "
            f"{STRONGEST:g}"
        )
    if step is not None and step not in range(MOST_WRITTEN + 1):
        raise ValueError(f"step {step}: expected a whole number from 0 to {MOST_WRITTEN}, or none for all")
    return _BeamExplorer(translator, sentence, width, alpha, step)


class _BeamExplorer(InteractiveFigure):
    """What `beam_explorer` returns: the slider of steps follows the search."""

    def __init__(
        self, translator: Translator, sentence: str, width: int, alpha: float, step: int | None
    ) -> None:
        self._english, self._french = translator.source_tokeniser, translator.target_tokeniser
        self._search = lru_cache(maxsize=64)(partial(_search, translator))
        self._note = ipywidgets.HTML()
        self._start = {"sentence": sentence, "width": width, "alpha": alpha}
        reset = ipywidgets.Button(description="Reset", tooltip="Put everything back")
        reset.on_click(lambda _: self._reset(step))
        controls = {
            "sentence": sentence_box(sentence),
            "width": labelled_slider("Beam width", width, 1, WIDEST, 1),
            "alpha": labelled_slider("Length penalty α", float(alpha), 0.0, STRONGEST, 0.1),
            "step": labelled_slider("Steps", MOST_WRITTEN if step is None else step, 0, MOST_WRITTEN, 1),
        }
        super().__init__(self._picture, controls, others=[reset, self._note])

    def _reset(self, step: int | None) -> None:
        self.set(**self._start, step=self.controls["step"].max if step is None else step)

    def _follow(self) -> None:
        text, step = self.controls["sentence"].value, self.controls["step"]
        ids = self._english.encode(text)
        if ids:
            self._source = tuple(ids[:MOST_READ])
        self._note.value = announced(remarks(self._english, text))
        at_the_end = step.value == step.max
        step.max = len(self._search(self._source, self.controls["width"].value))  # which may move the slider
        if at_the_end:
            step.value = step.max

    def _picture(self, sentence: str, width: int, alpha: float, step: int) -> Picture:
        return beam_tree(
            self._search(self._source, width),
            self._french,
            width=width,
            alpha=alpha,
            step=step,
            greedy=_greedy(self._search(self._source, 1)),
            title=self._english.decode(self._source),
        )


def _search(translator: Translator, source: tuple[int, ...], width: int) -> BeamTrace:
    trace: BeamTrace = []
    ids = torch.tensor([[*source, EOS_ID]], device=translator.device)
    beam_search(prepare(translator.model).model.eval(), ids, MOST_WRITTEN, width, trace=trace)
    return trace


def _greedy(trace: BeamTrace) -> list[Candidate]:
    """Return what a beam of width 1, which is greedy search, has kept at each step."""
    return [candidate for weighed in trace for candidate in weighed if candidate.fate != "dropped"]
