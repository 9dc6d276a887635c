"""Words of a sentence, and the surface rules that turn a row of them into text.

The grammar puts words in order and says what depends on what; it never looks at a word's neighbours. What
neighbours do to each other happens here, in one place each: elision and the forms before a vowel
(*l’homme*, *mon amie*, *bel*, *an apple*), contraction (*du*, *aux*), spaces, capitals.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from course_lib.text.typography import typeset_french

FRENCH_VOWELS = "aàâeéèêëiîïoôœuùûyh"  # h and y count as vowels unless the word is marked aspirate
CONTRACTIONS = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
TOKENS = {
    "en": re.compile(r"[’'](?:s\b)?|\w+|[^\w\s]"),
    "fr": re.compile(r"\w+[’']|-t-\w+|-\w+|\w+|[^\w\s]"),
}


@dataclass(eq=False, slots=True)
class Word:
    """One word of one language in a sentence under construction.

    `prevocalic` is its form before a vowel where that differs; `aspirate` says that, in spite of its first
    letter, no word changes before it; `tags` names the phenomena that it shows.
    """

    text: str
    head: "Word | None" = None
    prevocalic: str | None = None
    aspirate: bool = False
    article: bool = False
    noun: tuple[str, int] | None = None  # gender and number, of a noun
    subject: "Word | None" = None  # of a finite verb, where it is a noun
    capital: bool = False
    tags: tuple[str, ...] = ()
    combinations: list[str] = field(default_factory=list)
    links: "list[Word]" = field(default_factory=list)  # filled on the English side only


def link(english: Word, *french: Word) -> None:
    """Align an English word with French ones."""
    english.links.extend(french)


def split_words(text: str, language: str) -> list[str]:
    """Split a sentence of the corpus into the words that heads and alignments count.

    Punctuation marks are words. In French an elided word keeps its apostrophe and stands alone, and a subject
    after its verb keeps its hyphens; in English the genitive stands alone.

    Parameters
    ----------
    text : str
        One sentence, with typographic or ASCII apostrophes.
    language : str
        "en" or "fr".

    Raises
    ------
    ValueError
        If the language is another.

    Examples
    --------
    >>> split_words("L’homme mange-t-il ?", "fr")
    ['L’', 'homme', 'mange', '-t-il', '?']
    >>> split_words("Paul’s cat sleeps.", "en")
    ['Paul', '’s', 'cat', 'sleeps', '.']
    """
    if language not in TOKENS:
        raise ValueError(f"language: expected 'en' or 'fr', got {language!r}")
    return TOKENS[language].findall(text)


class Surface(NamedTuple):
    """A finished sentence of one language: its text, its words, and the position of each word's head."""

    text: str
    tokens: tuple[str, ...]
    heads: tuple[int, ...]


def _adapt(words: list[Word], begins_with_vowel: "dict[Word, bool]") -> None:
    """Give each word the form that the next one asks for: le + homme, ma + amie, a + apple."""
    for word, following in pairwise(words):
        if word.prevocalic is None:
            continue
        if begins_with_vowel[following]:
            word.text = word.prevocalic
            if word.text.endswith("’"):  # an elided article no longer shows its gender
                word.tags = (*(tag for tag in word.tags if tag != "article"), "elision")
            else:
                word.tags += ("prevocalic",)
        elif following.aspirate:
            word.tags += ("h_aspire",)


def _contract(words: list[Word]) -> tuple[list[Word], dict[Word, Word]]:
    """Merge de and à with a following article; say which word each lost one was merged into."""
    kept: list[Word] = []
    merged: dict[Word, Word] = {}
    for word in words:
        pair = (kept[-1].text, word.text) if kept and word.article else None
        if pair in CONTRACTIONS:
            preposition = kept[-1]
            preposition.text = CONTRACTIONS[pair]
            preposition.tags += (*word.tags, "contraction")
            preposition.combinations += word.combinations
            merged[word] = preposition
        else:
            kept.append(word)
    return kept, merged


def _heads(words: list[Word]) -> tuple[tuple[int, ...], dict[Word, int]]:
    place = {word: index for index, word in enumerate(words)}
    return tuple(-1 if word.head is None else place[word.head] for word in words), place


def _capitalise(words: list[Word]) -> None:
    for index, word in enumerate(words):
        if index == 0 or word.capital:
            word.text = word.text[0].upper() + word.text[1:]


def finish_french(words: list[Word]) -> tuple[Surface, dict[Word, int]]:
    """Apply the French surface rules: elision, contraction, capitals, spaces; say where each word went."""
    vowel = {w: not w.aspirate and w.text[0].lower() in FRENCH_VOWELS for w in words}
    _adapt(words, vowel)
    words, merged = _contract(words)
    _capitalise(words)
    heads, place = _heads(words)
    place |= {lost: place[into] for lost, into in merged.items()}
    text = ""
    for word in words:
        close = word.text in (".", ",") or word.text[0] == "-" or text.endswith("’")
        text += ("" if close or not text else " ") + word.text
    return Surface(typeset_french(text), tuple(w.text for w in words), heads), place


def finish_english(words: list[Word]) -> tuple[Surface, dict[Word, int]]:
    """Apply the English surface rules: a or an, capitals, spaces; say where each word went."""
    vowel = {w: not w.aspirate and (w.text[0].lower() in "aeiou" or w.text == "honest") for w in words}
    _adapt(words, vowel)
    _capitalise(words)
    heads, place = _heads(words)
    text = ""
    for word in words:
        close = word.text in (".", ",", "?", "!", ";", "”", "’s", "’") or text.endswith("“")
        text += ("" if close or not text else " ") + word.text
    return Surface(text, tuple(w.text for w in words), heads), place
