"""Annotated sentence pairs, read from one compressed file for each split.

A file holds one pair in each line, its eight fields separated by tabs: the sentences, their words, the positions of
the heads, the alignment as `0-0 1-2`, and the tags as `elision:0,3`.
"""

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from course_lib.text.embedded.phenomena import PHENOMENA

VERSION = "1.0"
CHECKSUM = "14d4562dd60341ad44d7818e0556adc996a47f51311f79267dc0312478f0eace"
SPLITS = (
    "train",
    "val",
    "test",
    "combinations",
    "longer",
    *(f"challenge_{name}" for name in PHENOMENA),
    "sources",
)


@dataclass(frozen=True, slots=True)
class AnnotatedPair:
    """An English sentence, its French translation, and how both are made.

    Attributes
    ----------
    source, target : str
        The English and the French sentence, typeset.
    source_tokens, target_tokens : tuple of str
        Their words, L_s and L_t of them; a punctuation mark is a word, and so is an elided *l’*.
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

    def to_line(self) -> str:
        r"""Return the pair as a line of the corpus's files.

        >>> load_embedded("sources")[0].to_line().split("\t")[4:7]
        ['1 -1 1 1', '2 2 -1 2', '0-0 1-2 2-1 3-3']
        """
        fields = [
            self.source,
            self.target,
            " ".join(self.source_tokens),
            " ".join(self.target_tokens),
            " ".join(map(str, self.source_heads)),
            " ".join(map(str, self.target_heads)),
            " ".join(f"{i}-{j}" for i, j in self.alignment),
            " ".join(f"{name}:{','.join(map(str, positions))}" for name, positions in self.tags.items()),
        ]
        return "\t".join(fields)

    @classmethod
    def from_line(cls, line: str) -> "AnnotatedPair":
        """Read what `to_line` wrote."""
        source, target, source_tokens, target_tokens, source_heads, target_heads, links, tags = line.split(
            "\t"
        )
        return cls(
            source,
            target,
            tuple(source_tokens.split(" ")),
            tuple(target_tokens.split(" ")),
            _numbers(source_heads, " "),
            _numbers(target_heads, " "),
            tuple(map(_link, links.split())),
            {name: _numbers(positions, ",") for name, positions in map(_tag, tags.split())},
        )


# Many sentences have the same heads, links and tags: each is read once.
@cache
def _numbers(text: str, separator: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(separator)))


@cache
def _link(text: str) -> tuple[int, int]:
    i, j = text.split("-")
    return int(i), int(j)


@cache
def _tag(text: str) -> tuple[str, str]:
    name, positions = text.split(":")
    return name, positions


@cache
def _read(split: str) -> tuple[AnnotatedPair, ...]:
    compressed = resources.files(__package__).joinpath("data", f"{split}.tsv.xz").read_bytes()
    lines = lzma.decompress(compressed).decode().removesuffix("\n").split("\n")
    return tuple(map(AnnotatedPair.from_line, lines))


def load_embedded(split: str = "train") -> list[AnnotatedPair]:
    """Return a split of the embedded corpus.

    Parameters
    ----------
    split : str
        One of `SPLITS`: `train`, `val`, `test`; `combinations` (of words that never meet in
        training); `longer` (than any sentence in training); `challenge_…` for each of `PHENOMENA`;
        `sources` (the sentences of the course's source documents).

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
    return list(_read(split))


def checksum() -> str:
    """Return the SHA-256 of the whole corpus, annotations included; `CHECKSUM` is what it must be."""
    digest = hashlib.sha256()
    for split in SPLITS:
        digest.update(split.encode())
        for pair in load_embedded(split):
            fields = [getattr(pair, field) for field in AnnotatedPair.__slots__]
            digest.update(json.dumps(fields, ensure_ascii=False).encode())
    return digest.hexdigest()
