"""A trained translator to be watched, and led astray, step by step."""

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
import numpy as np

from course_lib.chapters.ch10_translation.translation import SentenceMaps, greedy_maps
from course_lib.chapters.ch10_translation.translation_figures import (
    TITLES,
    DecodingStep,
    LayerMaps,
    percent,
    translation_step,
)
from course_lib.chapters.ch10_translation.typed_sentences import (
    MOST_READ,
    MOST_WRITTEN,
    announced,
    remarks,
    sentence_box,
)
from course_lib.figures.interactive import InteractiveFigure, labelled_menu, labelled_slider
from course_lib.figures.picture import Picture
from course_lib.special_ids import EOS_ID
from course_lib.text.typography import typeset_french
from course_lib.translator import Translator

N_LIKELIEST = 5


def translation_explorer(
    translator: Translator,
    sentence: str,
    *,
    kind: str = "cross",
    layer: int = 0,
    head: int = 0,
    step: int = 0,
) -> InteractiveFigure:
    """Follow a translation token by token, see where each head looks, and choose other tokens on the way.

    A token that is chosen at a step stays, and what stood behind it is decoded anew, greedily, from the changed
    beginning. Another sentence, or Reset, takes such choices back.

    Parameters
    ----------
    translator : Translator
        From English to French, with a model that has attention.
    sentence : str
        What is translated at first. Of a long sentence the first 24 tokens are read.
    kind : "cross", "encoder" or "decoder"
        Whose attention is shown at first.
    layer, head, step : int
        Which layer, head and step are shown at first.

    Raises
    ------
    ValueError
        If the sentence has no token, or there is no such attention, layer, head or step.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> from course_lib.model import Transformer, TransformerConfig
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> figure = translation_explorer(Translator(model, words, words), "I sleep.")
    >>> likeliest = [token for _, token in figure.controls["token"].options]
    >>> figure.controls["token"].value = likeliest[2]  # the third of them, and the sentence changes course
    >>> f"Not the model's own choice: '{words.tokens(likeliest)[2]}' at step 0." in figure.picture.alt
    True
    """
    return _TranslationExplorer(translator, sentence, kind, layer, head, step)


class _TranslationExplorer(InteractiveFigure):
    """What `translation_explorer` returns: its controls follow what the model says."""

    _step: int  # the step that the menu of tokens is about
    _taken: int | None = None  # what it shows as taken; nothing as yet
    _note: ipywidgets.HTML

    def __init__(
        self, translator: Translator, sentence: str, kind: str, layer: int, head: int, step: int
    ) -> None:
        self._english, self._french = translator.source_tokeniser, translator.target_tokeniser
        self._translate = lru_cache(maxsize=32)(partial(greedy_maps, translator, max_length=MOST_WRITTEN))
        self._source: tuple[int, ...] = ()
        self._read(sentence)
        if not self._source:
            raise ValueError(f"sentence {sentence!r}: expected at least one word")
        self._maps: SentenceMaps = self._translate(self._source, self._prefix)
        kinds = _checked_start(self._maps, kind, layer, head, step)
        self._note = ipywidgets.HTML()
        reset = ipywidgets.Button(description="Reset", tooltip="Take back the tokens that you have chosen")
        reset.on_click(self._take_back)
        controls = {
            "sentence": sentence_box(sentence),
            "step": labelled_slider("Step", step, 0, len(self._maps.ids) - 1, 1),
            "token": labelled_menu(
                "Next token", "What is written at this step; the likeliest first", [], None
            ),
            "kind": labelled_menu("Attention", "Whose attention is shown", kinds, kind),
            "layer": labelled_menu("Layer", "Which layer is shown", [layer], layer, "18em"),
            "head": labelled_menu("Head", "Which head is drawn large", [head], head, "18em"),
        }
        super().__init__(self._picture, controls, others=[reset, self._note])

    def _follow(self) -> None:
        """Take up what differs from what was shown, and offer in each menu what there is now."""
        sentence, step, token, kind, layer, head = self.controls.values()
        if sentence.value != self._text:
            self._read(sentence.value)
            step.value = 0
        elif token.value != self._taken:
            self._prefix = (*self._maps.ids[: self._step], token.value)
        self._maps = maps = self._translate(self._source, self._prefix)
        last = len(maps.ids) - 1
        step.value = min(step.value, last)
        step.max = last
        self._step, self._taken = step.value, maps.ids[step.value]
        _offer(token, self._likeliest(), self._taken)
        layers = getattr(maps, kind.value)
        _offer(layer, range(len(layers)), min(layer.value, len(layers) - 1))
        n_heads = len(layers[layer.value])
        _offer(head, range(n_heads), min(head.value, n_heads - 1))
        told = remarks(self._english, self._text)
        if maps.ids[-1] != EOS_ID:
            told.append(f"The translation is cut after {len(maps.ids)} tokens.")
        self._note.value = announced(told)

    def _read(self, text: str) -> None:
        """Take up a new sentence, unless there is none."""
        self._text = text
        if ids := self._english.encode(text):
            self._source, self._prefix = tuple(ids[:MOST_READ]), ()

    def _take_back(self, button: object) -> None:
        self._prefix = ()
        self._redraw()

    def _likeliest(self) -> list[tuple[str, int]]:
        """Return the likeliest tokens of the step with their probabilities, and in any case the one taken."""
        p = self._maps.probabilities[self._step]
        n_tokens = min(N_LIKELIEST, len(p) - 2)  # <pad> and <s> never come
        ids = np.argsort(-p, kind="stable")[:n_tokens].tolist()
        if self._taken not in ids:  # rounding may change the order of two that are nearly alike
            ids[-1] = self._taken
        return [(f"{name}  {percent(p[i])}", i) for name, i in zip(self._names(ids), ids, strict=True)]

    def _names(self, ids: list[int]) -> list[str]:
        """Return the tokens; where two would read alike (French has a space before its ?), the space is shown."""
        names = self._french.tokens(ids)
        whole = [self._french.vocabulary[i].replace(" ", "␣") for i in ids]
        return [full if names.count(name) > 1 else name for name, full in zip(names, whole, strict=True)]

    def _picture(self, sentence: str, step: int, token: int, kind: Any, layer: int, head: int) -> Picture:
        maps, p = self._maps, self._maps.probabilities
        offered = [i for _, i in self.controls["token"].options]
        changed = [i for i, taken in enumerate(self._prefix) if p[i, taken] < p[i].max()]
        lines = {"English": self._english.decode(self._source)}
        said = {"Greedy": self._translate(self._source, ()).ids, **({"Now": maps.ids} if changed else {})}
        lines |= {label: typeset_french(self._french.decode(ids)) for label, ids in said.items()}
        return translation_step(
            DecodingStep(
                tokens=maps.predicted,
                step=step,
                changed=changed,
                likeliest=self._names(offered),
                probabilities=p[step, offered].tolist(),
                taken=offered.index(token),
                n_others=p.shape[1] - 2 - len(offered),
            ),
            LayerMaps(kind, layer, getattr(maps, kind)[layer], maps.words(kind)[1]),
            head,
            lines,
        )


def _checked_start(maps: SentenceMaps, kind: str, layer: int, head: int, step: int) -> list[tuple[str, str]]:
    """Return the kinds of attention that there are, with their names, if what is shown at first is among them."""
    kinds = [kind for kind in TITLES if getattr(maps, kind)]
    layers = getattr(maps, kind) if kind in kinds else []
    if not (0 <= layer < len(layers) and 0 <= head < len(layers[layer]) and 0 <= step < len(maps.ids)):
        sizes = ", ".join(f"{kind} with {len(getattr(maps, kind))} layers" for kind in kinds) or "none"
        raise ValueError(
            f"kind {kind!r}, layer {layer}, head {head}, step {step}: expected what the model has, and one of "
            f"{len(maps.ids)} steps; its attention: {sizes}"
        )
    return [(TITLES[kind], kind) for kind in kinds]


def _offer(menu: ipywidgets.Dropdown, options: Iterable[Any], value: Any) -> None:
    menu.options = tuple(options)  # new ones move the menu to the first, equal ones change nothing
    menu.value = value
