"""What makes the corpus a hard test: few pairs to learn from, and sentences that word order alone tells apart.

Neither is a split of the corpus: the few are some of `train`, and the reversals were made later, by the same grammar.
"""

import hashlib
import json
import lzma
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources

from course_lib.text.embedded.pairs import AnnotatedPair, load_embedded

FEW = 2_000  # training pairs
REVERSALS: dict[str, int] = {
    "object": 200,
    "recipient": 100,
    "relative": 100,
    "clause": 100,
}  # pairs of each kind
REVERSALS_CHECKSUM = "4a3eb6421930e7a6c7b954cb16401bd8f2bd7709fec53064c02cea73be7cae57"

Reversal = tuple[AnnotatedPair, AnnotatedPair]


def few_of(pairs: Sequence[AnnotatedPair], n: int = FEW) -> list[AnnotatedPair]:
    """Choose some pairs so that every word of all of them occurs in those.

    For each word, the rarest first, the first pair that has it is taken, unless one taken already has it; then the
    first of the others, until there are n.

    Parameters
    ----------
    pairs : sequence of AnnotatedPair
    n : int

    Returns
    -------
    list of n AnnotatedPair
        In the order of `pairs`.

    Raises
    ------
    ValueError
        If there are fewer pairs, or the words ask for more than n.

    Examples
    --------
    >>> from course_lib.text.embedded import load_embedded
    >>> [pair.source for pair in few_of(load_embedded("sources"), 4)][-2:]
    ['The cat is on the mat.', 'The cat chased the dog.']
    """
    words = [_words(pair) for pair in pairs]
    first: dict[str, int] = {}
    for i, of_pair in enumerate(words):
        for word in of_pair:
            first.setdefault(word, i)
    counts = Counter(word for of_pair in words for word in set(of_pair))
    chosen: set[int] = set()
    had: set[str] = set()
    for word in sorted(counts, key=lambda word: (counts[word], first[word], word)):
        if word not in had:
            chosen.add(first[word])
            had.update(words[first[word]])
    if not len(chosen) <= n <= len(pairs):
        raise ValueError(f"n is {n}: expected {len(chosen)}, which hold every word, to {len(pairs)}")
    others = (i for i in range(len(pairs)) if i not in chosen)
    for _ in range(n - len(chosen)):
        chosen.add(next(others))
    return [pairs[i] for i in sorted(chosen)]


def words_of(pairs: Iterable[AnnotatedPair]) -> Counter[str]:
    """Count the words of both languages, "en The" and "en the", "fr Le" and "fr le" apart.

    Examples
    --------
    >>> from course_lib.text.embedded import load_embedded
    >>> words_of(load_embedded("sources"))["en cat"]
    4
    """
    return Counter(word for pair in pairs for word in _words(pair))


def _words(pair: AnnotatedPair) -> list[str]:
    return [f"en {word}" for word in pair.source_tokens] + [f"fr {word}" for word in pair.target_tokens]


@cache
def _few() -> tuple[AnnotatedPair, ...]:
    return tuple(few_of(load_embedded("train")))


def load_few() -> list[AnnotatedPair]:
    """Return the 2,000 of the 20,000 training pairs that `few_of` chooses.

    Examples
    --------
    >>> len(load_few())
    2000
    """
    return list(_few())


@cache
def _read() -> tuple[Reversal, ...]:
    compressed = resources.files(__package__).joinpath("data", "reversals.tsv.xz").read_bytes()
    lines = lzma.decompress(compressed).decode().removesuffix("\n").split("\n")
    pairs = [AnnotatedPair.from_line(line) for line in lines]
    return tuple(zip(pairs[::2], pairs[1::2], strict=True))


def load_reversals(kind: str | None = None) -> list[Reversal]:
    """Return sentences in twos, with their translations: the same English words, who and whom changing places.

    None is in a split of the corpus, in either language. Each is as short as those of training and made of
    combinations and words met there, each word at least three times in `load_few()`.

    Parameters
    ----------
    kind : str, optional
        One of `REVERSALS`: "object" (*The lawyer helped the singer.*), "recipient" (*The boy gave the ring to the
        girl.*), "relative" (*The nurse who thanked the king is old.*), "clause" (*The boy sings and the girl dances.*).
        All of them, in this order, where not given.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> there, back = load_reversals("object")[0]
    >>> sorted(there.source_tokens) == sorted(back.source_tokens), there.source_tokens == back.source_tokens
    (True, False)
    """
    if kind is None:
        return list(_read())
    if kind not in REVERSALS:
        raise ValueError(f"kind: expected one of {', '.join(REVERSALS)}, got {kind!r}")
    before = list(REVERSALS)[: list(REVERSALS).index(kind)]
    start = sum(REVERSALS[earlier] for earlier in before)
    return list(_read()[start : start + REVERSALS[kind]])


def reversals_checksum() -> str:
    """Return the SHA-256 of the reversals, annotations included; `REVERSALS_CHECKSUM` is what it must be."""
    digest = hashlib.sha256()
    for pair in (pair for both in load_reversals() for pair in both):
        fields = [getattr(pair, field) for field in AnnotatedPair.__slots__]
        digest.update(json.dumps(fields, ensure_ascii=False).encode())
    return digest.hexdigest()
