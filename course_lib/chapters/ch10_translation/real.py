"""Captions as people write them, and what the translator of a small world makes of them."""

from __future__ import annotations

from course_lib.chapters.ch10_translation.hard_test import Table
from course_lib.chapters.ch10_translation.order import TRAINED, squeeze
from course_lib.chapters.ch10_translation.typed_sentences import unknown_words
from course_lib.text.readers import SentencePair
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
