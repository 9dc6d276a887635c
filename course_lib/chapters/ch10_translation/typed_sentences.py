"""An English sentence to be typed, and what is said to who has typed it."""

import html
import re
from collections.abc import Iterable
from textwrap import shorten

import ipywidgets  # type: ignore[import-untyped]

from course_lib.figures.interactive import LABELLED
from course_lib.special_ids import UNK_ID
from course_lib.text.tokenisers import Tokeniser
from course_lib.text.typography import normalise

MOST_READ, MOST_WRITTEN = 24, 30  # tokens; longer ones are cut, so that the pictures can be read


def sentence_box(sentence: str) -> ipywidgets.Text:
    """Make a box for an English sentence; it answers when Enter is pressed or the box is left."""
    return ipywidgets.Text(
        value=sentence,
        description="English sentence",
        tooltip="Type an English sentence and press Enter",
        continuous_update=False,
        style=LABELLED,
        layout=ipywidgets.Layout(width="64em", max_width="100%"),
    )


def announced(remarks: Iterable[str]) -> str:
    """Return HTML for remarks that a screen reader is to read out when they change."""
    return f'<span role="status">{html.escape(" ".join(remarks))}</span>'


def remarks(tokeniser: Tokeniser, text: str) -> list[str]:
    """Say what stands between a text and its translation: that there is none, its length, its unknown words.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep."])
    >>> remarks(words, "I sleep."), remarks(words, 9 * "I sleep. ")
    ([], ['The sentence has 27 tokens; the first 24 are read.'])
    >>> remarks(words, "I run.")
    ['The model does not know “run”; it reads <unk> instead.']
    """
    ids, told = tokeniser.encode(text), []
    if not ids:
        told.append("There is nothing to translate: type an English sentence. The last one is still shown.")
    if len(ids) > MOST_READ:
        told.append(f"The sentence has {len(ids)} tokens; the first {MOST_READ} are read.")
    if UNK_ID in ids[:MOST_READ]:
        unknown = ", ".join(f"“{word}”" for word in unknown_words(tokeniser, text))
        told.append(
            f"The model does not know {shorten(unknown, 300, placeholder=' …')}; it reads <unk> instead."
        )
    return told


def unknown_words(tokeniser: Tokeniser, text: str) -> list[str]:
    """Return the words and signs of a text that a tokeniser has no token for, each once.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> unknown_words(WordTokeniser.train(["I sleep."]), "Do I sleep, do I?")
    ['Do', ',', 'do', '?']
    """
    pieces = re.findall(r"\w+(?:['-]\w+)*|[^\w\s]", normalise(text))
    return [piece for piece in dict.fromkeys(pieces) if UNK_ID in tokeniser.encode(piece)]
