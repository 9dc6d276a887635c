"""What words of the embedded corpus are, read from its sentences and gold heads by facts typed for the tests.

Nothing here calls the grammar's rules (`french_facts.py`).
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Concatenate, ParamSpec, TypeVar

from course_lib.text.embedded import SPLITS, AnnotatedPair, load_embedded, load_reversals
from tests.support.french_facts import (
    ADJECTIVE_FORMS,
    ASPIRATES,
    AVOIR,
    ETRE,
    NOUN_OR_VERB,
    NOUNS,
    PARTICIPLE_FORMS,
    SINGULAR_IN_IENT,
    WITH_ETRE,
)


@cache
def all_pairs() -> list[AnnotatedPair]:
    """Return every pair of the embedded corpus, and of the reversals made by the same grammar."""
    reversals = [pair for both in load_reversals() for pair in both]
    return [pair for split in SPLITS for pair in load_embedded(split)] + reversals


VOWEL = re.compile(r"[aàâeéèêiîoôuhyœ]", re.I)


WOMEN = set(["marie", "anne", "julie", "emma", "sophie", "alice"])


NAMES = WOMEN | set(["paul", "arthur", "louis", "thomas", "victor", "antoine"])


NUMBERS = {"deux", "trois", "quatre", "cinq"}


# what a determiner says of its noun: gender or None, number or None
DETERMINERS = {
    "le": ("m", "s"), "la": ("f", "s"), "l’": (None, "s"), "les": (None, "p"), "un": ("m", "s"),
    "une": ("f", "s"), "des": (None, "p"), "du": ("m", "s"), "au": ("m", "s"), "aux": (None, "p"),
    "ce": ("m", "s"), "cet": ("m", "s"), "cette": ("f", "s"), "ces": (None, "p"),
    "mon": (None, "s"), "ma": ("f", "s"), "mes": (None, "p"), "ton": (None, "s"), "ta": ("f", "s"),
    "tes": (None, "p"), "son": (None, "s"), "sa": ("f", "s"), "ses": (None, "p"), "notre": (None, "s"),
    "nos": (None, "p"), "votre": (None, "s"), "vos": (None, "p"), "leur": (None, "s"), "leurs": (None, "p"),
    "quel": ("m", "s"), "quelle": ("f", "s"), "quels": ("m", "p"), "quelles": ("f", "p"),
    "chaque": (None, "s"), **{number: (None, "p") for number in NUMBERS},
}  # fmt: skip


T = TypeVar("T")


P = ParamSpec("P")


def once(function: Callable[Concatenate[AnnotatedPair, P], T]) -> Callable[Concatenate[AnnotatedPair, P], T]:
    """Remember what a function says of a pair; the pairs live as long as the tests."""
    answers: dict[object, T] = {}

    def remembered(pair: AnnotatedPair, *rest: P.args, **_: P.kwargs) -> T:
        key = (id(pair), *rest)
        if key not in answers:
            answers[key] = function(pair, *rest)
        return answers[key]

    return remembered


@once
def words(pair: AnnotatedPair) -> list[str]:
    return [word.lower() for word in pair.target_tokens]


def sounds_like_vowel(word: str) -> bool:
    return bool(VOWEL.match(word)) and word not in ASPIRATES


@once
def is_noun(pair: AnnotatedPair, index: int) -> bool:
    """Whether a word is a noun; *lit* and *porte* are verbs too, told apart by translation and article."""
    word = words(pair)[index]
    if word not in NOUN_OR_VERB:
        return word in NOUNS
    aligned = {pair.source_tokens[i] for i, j in pair.alignment if j == index}
    before = words(pair)[index - 1]
    after_article = before in DETERMINERS or before in ADJECTIVE_FORMS or before in ("de", "d’")
    return after_article and bool(aligned & set(NOUN_OR_VERB[word].split()))


@once
def children(pair: AnnotatedPair, index: int) -> list[int]:
    return [i for i, head in enumerate(pair.target_heads) if head == index]


@once
def is_participle(pair: AnnotatedPair, index: int) -> bool:
    """Whether a word that can be a participle is one: under an auxiliary, and not an adjective after être."""
    tokens, head = words(pair), pair.target_heads[index]
    if tokens[index] not in PARTICIPLE_FORMS or head < 0 or is_noun(pair, index):
        return False
    if tokens[head] in AVOIR:
        return True
    base = PARTICIPLE_FORMS[tokens[index]][0]
    reflexive = {"me", "m’", "te", "t’", "se", "s’", "nous", "vous"} & {
        tokens[i] for i in children(pair, index)
    }
    return tokens[head] in ETRE and (base in WITH_ETRE or bool(reflexive))


@once
def is_adjective(pair: AnnotatedPair, index: int) -> bool:
    """Whether a word that can be an adjective is one; only très and trop hang under an adjective."""
    tokens, head = words(pair), pair.target_heads[index]
    if (
        tokens[index] not in ADJECTIVE_FORMS
        or is_participle(pair, index)
        or head < 0
        or tokens[head] in AVOIR
    ):
        return False
    if any(pair.source_tokens[i] == "loudly" for i, j in pair.alignment if j == index):
        return False  # parler fort
    return {tokens[i] for i in children(pair, index)} <= {"très", "trop"}


@once
def noun_after(pair: AnnotatedPair, index: int) -> int | None:
    """The noun that a determiner stands before, adjectives and numbers between; None before anything else."""
    tokens = words(pair)
    for i in range(index + 1, len(tokens)):
        if is_noun(pair, i):
            return i
        if tokens[i] not in ADJECTIVE_FORMS and tokens[i] not in NUMBERS:
            return None
    return None


@once
def features(pair: AnnotatedPair, index: int) -> set[tuple[str, str]]:
    """Gender and number of a noun in its place; what its form leaves open its determiner may say."""
    tokens = words(pair)
    options = NOUNS[tokens[index]]
    for i in range(index - 1, -1, -1):
        if tokens[i] in DETERMINERS and noun_after(pair, i) == index:
            number = DETERMINERS[tokens[i]][1]
            options = {option for option in options if number in (None, option[1])}
            break
    if len(options) > 1:  # de petites souris, pas de voix: as the English
        english = {pair.source_tokens[i] for i, j in pair.alignment if j == index}
        plural = any(word == "mice" or (word.endswith("s") and word != "bus") for word in english)
        options = {option for option in options if option[1] == ("p" if plural else "s")}
    return options


def coordinated(pair: AnnotatedPair, noun: int) -> list[int]:
    """Nouns and names joined to a noun by et: they hang under it, and et under them."""
    tokens = words(pair)
    return [i for i in children(pair, noun) if any(tokens[j] == "et" for j in children(pair, i))]


def gender_of(pair: AnnotatedPair, index: int) -> str:
    word = words(pair)[index]
    if word in NAMES:
        return "f" if word in WOMEN else "m"
    return next(iter(features(pair, index)))[0]


def subject_features(pair: AnnotatedPair, verb: int) -> set[tuple[str, str]]:
    """Gender and number of the noun, name or third person pronoun that is a finite verb's subject."""
    tokens = words(pair)
    pronouns = {"il": ("m", "s"), "elle": ("f", "s"), "ils": ("m", "p"), "elles": ("f", "p")}
    for i in children(pair, verb):
        if tokens[i] in pronouns:
            return {pronouns[tokens[i]]}
        named = tokens[i] in NAMES and tokens[i - 1] != ","
        if i < verb and (named or is_noun(pair, i)) and tokens[i] not in ("matin", "soir", "jour"):
            joined = coordinated(pair, i)
            if joined:
                genders = {gender_of(pair, j) for j in (i, *joined)}
                return {("f" if genders == {"f"} else "m", "p")}
            return {(gender_of(pair, i), "s")} if named else features(pair, i)
        antecedent = pair.target_heads[verb]
        if tokens[i] == "qui" and antecedent >= 0 and is_noun(pair, antecedent):
            return features(pair, antecedent)
    return set()


def is_plural_verb(verb: str) -> bool:
    return verb.endswith(("ent", "ont")) and verb not in SINGULAR_IN_IENT


def each_word() -> Iterator[tuple[AnnotatedPair, list[str], int, str]]:
    for pair in all_pairs():
        tokens = words(pair)
        for index, word in enumerate(tokens):
            yield pair, tokens, index, word
