"""The corpus: annotated pairs in splits that share no sentence, the same on every machine.

Training sentences are drawn first. They never contain an *unseen combination* (a fixed twelfth of all pairs
of noun and verb, verb and object, adjective and noun), are never longer than a limit, and leave out a fixed
tenth of all French sentences, so that the sets for testing find something left. Every other split then takes
what none before it has.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from course_lib.corpus.embedded import adjectives, verbs
from course_lib.corpus.embedded.assembly import Sentence, finish, relative
from course_lib.corpus.embedded.clauses import Clause, build
from course_lib.corpus.embedded.nouns import LEXICON, Noun
from course_lib.corpus.embedded.patterns import LONG_PATTERNS, PATTERNS, sample
from course_lib.corpus.embedded.phenomena import PHENOMENA, RICH_PATTERNS
from course_lib.corpus.embedded.phrases import (
    NounPhrase,
    noun_phrase,
    object_pronoun,
    prepositional,
    relative_pronoun,
    subject_pronoun,
)
from course_lib.corpus.embedded.scenes import Dice
from course_lib.corpus.embedded.verbs import BE, Verb
from course_lib.corpus.text import normalise

VERSION = "1.0"
CHECKSUM = ""

SIZES = {"train": 20_000, "valid": 500, "test": 1_000, "combinations": 1_000, "longer": 500}
CHALLENGE_SIZE = 100
SPLITS = (*SIZES, *(f"challenge_{name}" for name in PHENOMENA), "sources")
LONGEST = {"en": 12, "fr": 13}  # words of a training sentence, punctuation included


@dataclass(frozen=True, slots=True)
class AnnotatedPair:
    """An English sentence, its French translation, and how both are made.

    Attributes
    ----------
    source, target : str
        The English and the French sentence, typeset.
    source_tokens, target_tokens : tuple of str
        Their words, as `split_words` gives them: L_s and L_t of them.
    source_heads, target_heads : tuple of int
        For each word the position of the word it depends on, −1 for the root.
    alignment : tuple of (int, int)
        Links between English and French words, by position from 0, in order.
    tags : mapping of str to tuple of int
        For each phenomenon in the sentence the positions of the French words that show it.
    """

    source: str
    target: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    source_heads: tuple[int, ...]
    target_heads: tuple[int, ...]
    alignment: tuple[tuple[int, int], ...]
    tags: Mapping[str, tuple[int, ...]]


def _key(text: str) -> str:
    """Reduce a sentence to what makes it another sentence: not its case, spaces or punctuation."""
    return " ".join(re.findall(r"\w+", normalise(text).casefold()))


def _falls(text: str, one_in: int) -> bool:
    """Choose one in so many texts, always the same ones."""
    return zlib.crc32(text.encode()) % one_in == 0


def _annotate(sentence: Sentence) -> AnnotatedPair:
    en, fr = sentence.english, sentence.french
    return AnnotatedPair(
        en.text, fr.text, en.tokens, fr.tokens, en.heads, fr.heads, sentence.alignment, sentence.tags
    )


def _short(pair: AnnotatedPair) -> bool:
    return len(pair.source_tokens) <= LONGEST["en"] and len(pair.target_tokens) <= LONGEST["fr"]


def _long(pair: AnnotatedPair) -> bool:
    return len(pair.source_tokens) > LONGEST["en"] and len(pair.target_tokens) > LONGEST["fr"]


def source_sentences() -> list[Sentence]:
    """Build the sentences that the course's source documents quote."""
    cat, dog, mat = LEXICON["cat"], LEXICON["dog"], LEXICON["mat"]

    def the(noun: Noun) -> NounPhrase:
        return noun_phrase(noun, "the")

    def verb(base: str) -> Verb:
        return next(verb for verb in verbs.LEXICON if verb.english[0] == base)

    (adjective,) = (a for a in adjectives.LEXICON if a.english == "fluffy")
    fluffy_cat = the(cat)
    which = relative_pronoun(fluffy_cat, "subject", commas=True)
    fluffy = Clause(which, BE, predicate=adjective)
    return [
        finish(build(Clause(subject_pronoun("I"), verb("love"), object=object_pronoun("you")))),
        finish(build(Clause(relative(fluffy_cat, fluffy, True), verb("sleep")))),
        finish(build(Clause(the(cat), BE, complements=[prepositional("on", "sur", the(mat))]))),
        finish(build(Clause(the(cat), verb("chase"), "past", object=the(dog)))),
        finish(build(Clause(the(dog), verb("chase"), "past", object=the(cat)))),
    ]


class _Collection:
    """Gathers splits one after the other and lets no sentence into two of them."""

    def __init__(self) -> None:
        self.splits: dict[str, list[AnnotatedPair]] = {}
        self.taken: set[str] = set()
        self.known: tuple[set[str], set[str]] = (set(), set())

    def draw(
        self,
        name: str,
        size: int,
        fits: Callable[[Sentence, AnnotatedPair], bool],
        patterns: Mapping[str, float] = PATTERNS,
    ) -> None:
        """Draw sentences until a split is full; its own seed makes it independent of the others."""
        dice, pairs, claimed = Dice(zlib.crc32(f"{VERSION} {name}".encode())), [], set()
        known = name == "train"
        while len(pairs) < size:
            sentence = sample(dice, patterns)
            pair = _annotate(sentence)
            keys = {"en " + _key(pair.source), "fr " + _key(pair.target)}
            if keys & self.taken or "en " + _key(pair.source) in claimed or not fits(sentence, pair):
                continue
            if not known and not self.covers(pair):
                continue
            claimed |= keys
            pairs.append(pair)
        self.add(name, pairs)

    def add(self, name: str, pairs: list[AnnotatedPair]) -> None:
        """Close a split; its sentences are taken."""
        self.splits[name] = pairs
        for pair in pairs:
            self.taken |= {"en " + _key(pair.source), "fr " + _key(pair.target)}
        if name == "train":
            for words, pair_words in zip(self.known, ("source_tokens", "target_tokens"), strict=True):
                words.update(word.lower() for pair in pairs for word in getattr(pair, pair_words))

    def covers(self, pair: AnnotatedPair) -> bool:
        """Say whether training has shown every word of a pair."""
        english, french = self.known
        return {w.lower() for w in pair.source_tokens} <= english and {
            w.lower() for w in pair.target_tokens
        } <= french


def _unseen(sentence: Sentence) -> bool:
    return any(_falls(combination, 12) for combination in sentence.combinations)


def _reserved(pair: AnnotatedPair) -> bool:
    return _falls(_key(pair.target), 10)


@cache
def _corpus() -> dict[str, list[AnnotatedPair]]:
    collection = _Collection()
    collection.add("sources", [_annotate(sentence) for sentence in source_sentences()])

    def familiar(sentence: Sentence, pair: AnnotatedPair) -> bool:
        return _short(pair) and not _unseen(sentence)

    def training(sentence: Sentence, pair: AnnotatedPair) -> bool:
        return familiar(sentence, pair) and not _reserved(pair)

    collection.draw("train", SIZES["train"], training)
    collection.draw("valid", SIZES["valid"], familiar)
    collection.draw("test", SIZES["test"], familiar)
    collection.draw("combinations", SIZES["combinations"], lambda s, pair: _short(pair) and _unseen(s))
    collection.draw("longer", SIZES["longer"], lambda s, pair: _long(pair) and not _unseen(s), LONG_PATTERNS)
    for name in PHENOMENA:
        rich = {pattern: 1.0 for pattern in RICH_PATTERNS.get(name, PATTERNS)}

        def showing(sentence: Sentence, pair: AnnotatedPair, name: str = name) -> bool:
            return name in pair.tags and familiar(sentence, pair)

        collection.draw(f"challenge_{name}", CHALLENGE_SIZE, showing, rich)
    return collection.splits


def load_embedded(split: str = "train") -> list[AnnotatedPair]:
    """Return a split of the embedded corpus; the first call generates the whole corpus, in seconds.

    Parameters
    ----------
    split : str
        One of `SPLITS`: ``train``, ``valid``, ``test``; ``combinations`` (of words that never meet in
        training); ``longer`` (than any sentence in training); ``challenge_…`` for each of `PHENOMENA`;
        ``sources`` (the sentences of the course's source documents).

    Returns
    -------
    list of AnnotatedPair
        Always the same pairs in the same order.

    Raises
    ------
    ValueError
        If there is no such split.

    Examples
    --------
    >>> pair = load_embedded("sources")[0]
    >>> pair.source, pair.target
    ('I love you.', 'Je t’aime.')
    >>> [(pair.source_tokens[i], pair.target_tokens[j]) for i, j in pair.alignment]
    [('I', 'Je'), ('love', 'aime'), ('you', 't’'), ('.', '.')]
    """
    if split not in SPLITS:
        raise ValueError(f"split: expected one of {', '.join(SPLITS)}, got {split!r}")
    return list(_corpus()[split])


def checksum() -> str:
    """Return the SHA-256 of the whole corpus, annotations included; `CHECKSUM` is what it must be."""
    digest = hashlib.sha256()
    for split in SPLITS:
        digest.update(split.encode())
        for pair in _corpus()[split]:
            fields = [getattr(pair, field) for field in AnnotatedPair.__slots__]
            digest.update(json.dumps(fields, ensure_ascii=False).encode())
    return digest.hexdigest()
