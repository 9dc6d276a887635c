"""The nouns and adjectives of the embedded corpus, in both languages."""

from functools import cache
from importlib import resources
from typing import Literal, NamedTuple


class Noun(NamedTuple):
    """A noun: its (singular, plural) forms in both languages, and its French gender."""

    english: tuple[str, str]
    french: tuple[str, str]
    gender: Literal["m", "f"]


class Adjective(NamedTuple):
    """An adjective in both languages; the French one in the masculine singular."""

    english: str
    french: str


@cache
def _lines(name: str) -> list[list[str]]:
    text = resources.files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


def load_nouns() -> list[Noun]:
    """Return the nouns of the embedded corpus.

    >>> [noun for noun in load_nouns() if noun.english[0] == "mouse"]
    [Noun(english=('mouse', 'mice'), french=('souris', 'souris'), gender='f')]
    """
    return [
        Noun((one, many), (un, des), "f" if gender == "f" else "m")
        for one, many, un, des, gender in _lines("nouns.tsv")
    ]


def load_adjectives() -> list[Adjective]:
    """Return the adjectives of the embedded corpus.

    >>> [adjective.french for adjective in load_adjectives() if adjective.english == "fluffy"]
    ['duveteux']
    """
    return [Adjective(english, french) for english, french in _lines("adjectives.tsv")]
