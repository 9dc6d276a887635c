"""The corpus: annotated pairs in splits that share no sentence, the same on every machine.

Training is drawn first. It never contains an *unseen combination* (a fixed twelfth of all pairs of subject
and verb, verb and object, adjective and noun), nor a sentence beyond a fixed length, and it leaves out a
fixed tenth of all French sentences, so that the splits for testing find something left. Each of these then
takes what fits it and what none before it has.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from course_lib.corpus.embedded.assembly import Sentence
from course_lib.corpus.embedded.patterns import LONG_PATTERNS, PATTERNS, sample
from course_lib.corpus.embedded.phenomena import PHENOMENA, RICH_PATTERNS
from course_lib.corpus.embedded.scenes import Dice
from course_lib.corpus.embedded.sources import source_sentences
from course_lib.corpus.text import normalise

VERSION = "1.0"
CHECKSUM = "14d4562dd60341ad44d7818e0556adc996a47f51311f79267dc0312478f0eace"

SIZES = {"train": 20_000, "val": 500, "test": 1_000, "combinations": 1_000, "longer": 500}
CHALLENGE_SIZE = 100
SPLITS = (*SIZES, *(f"challenge_{name}" for name in PHENOMENA), "sources")
PATIENCE = 50_000  # sentences to look at before giving up on a split
LONGEST = (12, 13)  # English and French words of a training sentence at most, punctuation included


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


def _annotate(sentence: Sentence) -> AnnotatedPair:
    en, fr = sentence.english, sentence.french
    return AnnotatedPair(
        en.text, fr.text, en.tokens, fr.tokens, en.heads, fr.heads, sentence.alignment, sentence.tags
    )


def _key(text: str) -> str:
    """Reduce a sentence to what makes it another sentence: not its case, spaces or punctuation."""
    return " ".join(re.findall(r"\w+", normalise(text).casefold()))


@cache
def _keys(sentence: Sentence) -> tuple[str, str]:
    return "en " + _key(sentence.english.text), "fr " + _key(sentence.french.text)


def _falls(text: str, one_in: int) -> bool:
    """Choose one in so many texts, always the same ones."""
    return zlib.crc32(text.encode()) % one_in == 0


@cache
def _unseen(sentence: Sentence) -> bool:
    return any(_falls(combination, 12) for combination in sentence.combinations)


def _reserved(sentence: Sentence) -> bool:
    return _falls(_key(sentence.french.text), 10)


def _lengths(sentence: Sentence) -> tuple[int, int]:
    return len(sentence.english.tokens), len(sentence.french.tokens)


def _short(sentence: Sentence) -> bool:
    return all(length <= most for length, most in zip(_lengths(sentence), LONGEST, strict=True))


def _familiar(sentence: Sentence) -> bool:
    """Say whether a sentence is of training's kind: short, and made of combinations met there."""
    return _short(sentence) and not _unseen(sentence)


def _long(sentence: Sentence) -> bool:
    longer = all(length > most for length, most in zip(_lengths(sentence), LONGEST, strict=True))
    return longer and not _unseen(sentence)


class _Collection:
    """Gathers splits one after the other and lets no sentence into two of them.

    What one split turns down is kept and offered to those after it, before new sentences are drawn.
    """

    def __init__(self) -> None:
        self.splits: dict[str, list[AnnotatedPair]] = {}
        self.taken: set[str] = set()
        self.words: set[str] = set()  # of training
        self.spare: list[Sentence] = []

    def add(self, name: str, sentences: list[Sentence]) -> None:
        """Close a split; its sentences are taken."""
        self.splits[name] = [_annotate(sentence) for sentence in sentences]
        self.taken.update(key for sentence in sentences for key in _keys(sentence))
        if name == "train":
            self.words.update(word for sentence in sentences for word in _words(sentence))

    def draw(
        self,
        name: str,
        size: int,
        fits: Callable[[Sentence], bool],
        patterns: Mapping[str, float] = PATTERNS,
    ) -> None:
        """Fill a split with sentences that fit it, that no split has, and whose words training has shown."""
        chosen: list[Sentence] = []
        kept: list[Sentence] = []
        claimed: set[str] = set()
        dice = Dice(zlib.crc32(f"{VERSION} {name}".encode()))  # own seed: independent of the other splits
        for number, sentence in enumerate(self._offers(dice, patterns)):
            if number > PATIENCE:
                raise RuntimeError(f"{name}: only {len(chosen)} of {size} sentences in {number} that fit")
            english, french = _keys(sentence)
            if {english, french} & self.taken or english in claimed:
                continue
            if fits(sentence) and (name == "train" or _words(sentence) <= self.words):
                claimed.add(english)
                chosen.append(sentence)
                if len(chosen) == size:
                    break
            else:
                kept.append(sentence)
        self.spare = kept + self.spare
        self.add(name, chosen)

    def _offers(self, dice: Dice, patterns: Mapping[str, float]) -> Iterator[Sentence]:
        while self.spare:
            yield self.spare.pop(0)
        while True:
            yield sample(dice, patterns)


@cache
def _words(sentence: Sentence) -> set[str]:
    """List the words of a pair, lower-cased, so that those of the two languages do not mix."""
    return {f"en {w.lower()}" for w in sentence.english.tokens} | {
        f"fr {w.lower()}" for w in sentence.french.tokens
    }


@cache
def _corpus() -> dict[str, list[AnnotatedPair]]:
    collection = _Collection()
    collection.add("sources", source_sentences())
    collection.draw("train", SIZES["train"], lambda s: _familiar(s) and not _reserved(s))
    collection.draw("val", SIZES["val"], _familiar)
    collection.draw("test", SIZES["test"], _familiar)
    collection.draw("combinations", SIZES["combinations"], lambda s: _short(s) and _unseen(s))
    collection.draw("longer", SIZES["longer"], _long, LONG_PATTERNS)
    for name in sorted(PHENOMENA, key=lambda name: name not in RICH_PATTERNS):  # rare ones first
        rich = {pattern: 1.0 for pattern in RICH_PATTERNS.get(name, PATTERNS)}

        def shows(sentence: Sentence, name: str = name) -> bool:
            return name in sentence.tags and _familiar(sentence)

        collection.draw(f"challenge_{name}", CHALLENGE_SIZE, shows, rich)
    return collection.splits


def load_embedded(split: str = "train") -> list[AnnotatedPair]:
    """Return a split of the embedded corpus; the first call generates the whole corpus, in seconds.

    Parameters
    ----------
    split : str
        One of `SPLITS`: ``train``, ``val``, ``test``; ``combinations`` (of words that never meet in
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
