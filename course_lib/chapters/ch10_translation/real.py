"""Captions, our own and those of a real corpus, and what the translator of a small world makes of them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from course_lib.chapters.ch10_translation.hard_test import Table
from course_lib.chapters.ch10_translation.order import TRAINED, squeeze
from course_lib.chapters.ch10_translation.typed_sentences import unknown_words
from course_lib.special_ids import UNK_ID
from course_lib.text.readers import SentencePair, read_corpus
from course_lib.text.typography import typeset_french
from course_lib.translator import Translator

CAPTIONS = (  # of no photograph, and of no corpus
    "A woman reads a book in the garden.",
    "Two boys play with a red ball.",
    "A dog runs along the beach.",
    "An old man in a blue coat is selling flowers at the market.",
)


def captions(translator: Translator, texts: tuple[str, ...] = CAPTIONS) -> Table:
    """Tabulate what a translator makes of captions, and which of their words it does not know.

    Those with more tokens than any sentence in training are translated a second time, with their positions squeezed
    (`order.squeeze`).

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> from course_lib.model import Transformer, TransformerConfig
    >>> words = WordTokeniser.train(["A dog. Un chien."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> captions(Translator(model, words, words), ("A dog runs.",)).rows[0][2]
    'runs'
    """
    translations = translator.translate(list(texts), max_length=30)
    rows = []
    for text, french in zip(texts, translations, strict=True):
        unknown = ", ".join(unknown_words(translator.source_tokeniser, text)) or "none"
        rows.append((text, typeset_french(french), unknown))
        if len(translator.source_tokeniser.encode(text)) > TRAINED:
            (squeezed,) = squeeze(translator, [SentencePair(text, "")])
            rows.append(("the same, squeezed", typeset_french(squeezed), unknown))
    return Table(("caption", "its translation", "unknown words"), tuple(rows), numbers=False)


def live(translator: Translator, n: int = 4, corpus: str | Path | None = None) -> Table:
    """Tabulate what a translator makes of the first validation captions of a real corpus, beside the references.

    Parameters
    ----------
    translator : Translator
    n : int
    corpus : str or Path
        Its folder; the one that COURSE_CORPUS names where not given. Without it the table says how to get one.
    """
    corpus = corpus or os.environ.get("COURSE_CORPUS")
    if not corpus:
        return Table(("no corpus",), (("COURSE_CORPUS names no folder with val.en and val.fr.",),))
    pairs = read_corpus(Path(corpus), "val")
    ids = [translator.source_tokeniser.encode(pair.source) for pair in pairs]
    unknown = np.mean([i == UNK_ID for row in ids for i in row])
    translations = translator.translate([pair.source for pair in pairs[:n]], max_length=30)
    rows = [
        (pair.source, typeset_french(pair.target), typeset_french(french))
        for pair, french in zip(pairs[:n], translations, strict=True)
    ]
    return Table(
        (f"caption ({unknown:.0%} of all words unknown)", "reference", "translation"),
        tuple(rows),
        numbers=False,
    )
