"""The corpus: annotated pairs in splits that share no sentence, the same on every machine.

Training is drawn first. It never contains an *unseen combination* (a fixed twelfth of all pairs of subject
and verb, verb and object, adjective and noun), nor a sentence beyond a fixed length, and it leaves out a
fixed tenth of all French sentences, so that the splits for testing find something left. Each of these then
takes what fits it and what none before it has.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from course_lib.text.embedded import PHENOMENA, VERSION, AnnotatedPair
from course_lib.text.typography import normalise
from grammar.assembly import Sentence
from grammar.patterns import LONG_PATTERNS, PATTERNS, sample
from grammar.phenomena import RICH_PATTERNS
from grammar.scenes import Dice
from grammar.sources import source_sentences

SIZES = {"train": 20_000, "val": 500, "test": 1_000, "combinations": 1_000, "longer": 500}
CHALLENGE_SIZE = 100
PATIENCE = 50_000  # sentences to look at before giving up on a split
LONGEST = (12, 13)  # English and French words of a training sentence at most, punctuation included


def annotate(sentence: Sentence) -> AnnotatedPair:
    """Return a sentence as the corpus stores it."""
    en, fr = sentence.english, sentence.french
    return AnnotatedPair(
        en.text, fr.text, en.tokens, fr.tokens, en.heads, fr.heads, sentence.alignment, sentence.tags
    )


def key(text: str) -> str:
    """Reduce a sentence to what makes it another sentence: not its case, spaces or punctuation."""
    return " ".join(re.findall(r"\w+", normalise(text).casefold()))


@cache
def keys(sentence: Sentence) -> tuple[str, str]:
    """Return what makes the English and the French side other sentences."""
    return "en " + key(sentence.english.text), "fr " + key(sentence.french.text)


def _falls(text: str, one_in: int) -> bool:
    """Choose one in so many texts, always the same ones."""
    return zlib.crc32(text.encode()) % one_in == 0


@cache
def _unseen(sentence: Sentence) -> bool:
    return any(_falls(combination, 12) for combination in sentence.combinations)


def _reserved(sentence: Sentence) -> bool:
    return _falls(key(sentence.french.text), 10)


def _lengths(sentence: Sentence) -> tuple[int, int]:
    return len(sentence.english.tokens), len(sentence.french.tokens)


def _short(sentence: Sentence) -> bool:
    return all(length <= most for length, most in zip(_lengths(sentence), LONGEST, strict=True))


def familiar(sentence: Sentence) -> bool:
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
        self.splits[name] = [annotate(sentence) for sentence in sentences]
        self.taken.update(key for sentence in sentences for key in keys(sentence))
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
            english, french = keys(sentence)
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


def generate() -> dict[str, list[AnnotatedPair]]:
    """Generate the whole corpus, a list of pairs for each split: some twenty seconds."""
    collection = _Collection()
    collection.add("sources", source_sentences())
    collection.draw("train", SIZES["train"], lambda s: familiar(s) and not _reserved(s))
    collection.draw("val", SIZES["val"], familiar)
    collection.draw("test", SIZES["test"], familiar)
    collection.draw("combinations", SIZES["combinations"], lambda s: _short(s) and _unseen(s))
    collection.draw("longer", SIZES["longer"], _long, LONG_PATTERNS)
    for name in sorted(PHENOMENA, key=lambda name: name not in RICH_PATTERNS):  # rare ones first
        rich = {pattern: 1.0 for pattern in RICH_PATTERNS.get(name, PATTERNS)}

        def shows(sentence: Sentence, name: str = name) -> bool:
            return name in sentence.tags and familiar(sentence)

        collection.draw(f"challenge_{name}", CHALLENGE_SIZE, shows, rich)
    return collection.splits
