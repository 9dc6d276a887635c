"""Tokenisers: text to ids and back, without losing a character.

`WordTokeniser` has a token for each word and punctuation mark, so that attention maps read like the
sentence; `BPETokeniser` (Sennrich et al., 2016) has tokens between byte and word, so that no word is
unknown. Both are trained on the training part alone. A joint tokeniser for two languages is one trained on
the lines of both.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from course_lib.files import atomic_path
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from course_lib.text.typography import normalise

PAD, BOS, EOS, UNK = "<pad>", "<s>", "</s>", "<unk>"
SPECIAL_TOKENS = (PAD, BOS, EOS, UNK)  # with the ids of `course_lib.special_ids`

# The pieces that a normalised sentence falls into, first match first; every character but a space belongs
# to one. The pattern is read by Python's re and by the tokenizers library, so it keeps to what both
# understand.
_CONTRACTED = r"(?:s|d|m|re|ve|ll)\b"  # it's, I'd
_INVERTED = r"(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce)\b"  # aime-t-il, est-ce
_PIECE = "|".join(
    [
        r"\d+(?:[.,:]\d+)+",  # 3.5, 10:30
        r"\b(?i:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'(?=[\w«\"])",  # l'|homme, qu'|il
        rf"(?i:'{_CONTRACTED})",
        r"(?i:n't\b)",
        rf"(?i:-{_INVERTED})",
        r"\w+?(?=(?i:n't)\b)",  # do|n't
        rf"\w+(?:'(?!(?i:{_CONTRACTED}))\w+|-(?!(?i:{_INVERTED}))\w+)*",  # aujourd'hui, tee-shirt
        r"« ?",  # French spaces its double punctuation, English does not:
        r" ?[!?;:»]",  # " ?" and "?" are two tokens, and the model learns which language takes which
        r"[^\s]",
    ]
)


class Tokeniser(ABC):
    """What both tokenisers share: special ids, reading, writing.

    Attributes
    ----------
    vocabulary : list of str
        Token of each id. Ids 0 to 3 are `<pad>`, `<s>`, `</s>`, `<unk>`.
    lowercase : bool
        Whether text is lower-cased before it is encoded.
    """

    kind: ClassVar[str]

    def __init__(self, vocabulary: Sequence[str], lowercase: bool) -> None:
        """Number the tokens."""
        if tuple(vocabulary[: len(SPECIAL_TOKENS)]) != SPECIAL_TOKENS:
            raise ValueError(
                f"vocabulary must start with {SPECIAL_TOKENS}, not {tuple(vocabulary[: len(SPECIAL_TOKENS)])}"
            )
        self.vocabulary = list(vocabulary)
        self.lowercase = lowercase
        self._ids = {token: index for index, token in enumerate(self.vocabulary)}
        if len(self._ids) != len(self.vocabulary):
            raise ValueError("vocabulary must not hold a token twice")

    def __len__(self) -> int:
        """Return n_vocab, the number of tokens with the special ones."""
        return len(self.vocabulary)

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """Return the ids of `text`, normalised first; no `<s>`, no `</s>`."""

    @abstractmethod
    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of `ids` up to `</s>`, leaving `<pad>` and `<s>` out."""

    @abstractmethod
    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Return one label for each id, special ones included, for the axes of a plot."""

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What `save` writes beside kind and case."""

    @classmethod
    @abstractmethod
    def _from_state(cls, state: dict[str, Any], lowercase: bool) -> Self:
        """Undo `_state`."""

    def to_json(self) -> str:
        """Return the whole tokeniser as JSON text, for `tokeniser_from_json`."""
        record = {"tokeniser": self.kind, "lowercase": self.lowercase, **self._state()}
        return json.dumps(record, ensure_ascii=False) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the tokeniser to one JSON file, which is there whole or not at all."""
        with atomic_path(path) as temporary:
            temporary.write_text(self.to_json(), encoding="utf-8")

    def _known(self, ids: Iterable[int]) -> Iterator[int]:
        """The ids that stand for text: up to `</s>`, without `<pad>` and `<s>`."""
        for index in ids:
            if index == EOS_ID:
                return
            if index not in (PAD_ID, BOS_ID):
                yield index

    def _token(self, index: int) -> str:
        if not 0 <= index < len(self.vocabulary):
            raise ValueError(f"ids must lie in 0…{len(self.vocabulary) - 1}, not {index}")
        return self.vocabulary[index]


class WordTokeniser(Tokeniser):
    """A token for each word and each punctuation mark.

    French elisions stay with their apostrophe (*l'* + *homme*), inverted subjects with their hyphen (*aime* +
    *-t-il*), English contractions are cut (*do* + *n't*, *man* + *'s*). Where a space goes is not stored but
    follows from the tokens, by a rule; where a text breaks the rule, `<join>` or `<space>` says so. Hence
    `decode(encode(text)) == normalise(text)` whenever all its words are in the vocabulary.

    Examples
    --------
    >>> tokeniser = WordTokeniser.train(["Je t’aime.", "I love you."])
    >>> tokeniser.tokens(tokeniser.encode("Je t'aime."))
    ['Je', "t'", 'aime', '.']
    >>> tokeniser.decode(tokeniser.encode("Je t'aime."))
    "Je t'aime."
    >>> tokeniser.decode(tokeniser.encode("Je t'adore."))
    "Je t'<unk>."
    """

    kind = "word"
    JOIN, SPACE = "<join>", "<space>"
    _PATTERN = re.compile(_PIECE)
    _NO_SPACE_BEFORE = frozenset(".,!?;:)]}%…”/") | {"n't"}
    _NO_SPACE_AFTER = frozenset("([{“#$/")

    @classmethod
    def train(
        cls, lines: Iterable[str], n_vocab: int | None = None, min_frequency: int = 1, lowercase: bool = False
    ) -> Self:
        """Collect the words of `lines`, the most frequent first.

        Parameters
        ----------
        lines : iterable of str
            Sentences of the training part. Their order does not matter.
        n_vocab : int, optional
            Largest size of the vocabulary, special tokens included. By default all words are taken.
        min_frequency : int
            Words seen less often are left out.
        lowercase : bool
            Lower-case text here and in `encode`.

        Returns
        -------
        WordTokeniser
            Its first six tokens are `<pad>`, `<s>`, `</s>`, `<unk>`, `<join>`, `<space>`.

        Raises
        ------
        ValueError
            If `n_vocab` leaves no room for a word, or there is no word in `lines`.
        """
        first = [*SPECIAL_TOKENS, cls.JOIN, cls.SPACE]
        if n_vocab is not None and n_vocab <= len(first):
            raise ValueError(f"n_vocab must be greater than {len(first)}, the special tokens, not {n_vocab}")
        counts = Counter(token for line in lines for token in cls._split(_prepare(line, lowercase)))
        del counts[cls.JOIN], counts[cls.SPACE]
        words = [word for word, count in counts.items() if count >= min_frequency]
        if not words:
            raise ValueError(f"lines must hold a word that occurs min_frequency = {min_frequency} times")
        words.sort(key=lambda word: (-counts[word], word))
        return cls((first + words)[:n_vocab], lowercase)

    def encode(self, text: str) -> list[int]:
        """Return the ids of `text`, normalised first; no `<s>`, no `</s>`. Unknown: `<unk>`."""
        return [self._ids.get(token, UNK_ID) for token in self.split(text)]

    def split(self, text: str) -> list[str]:
        """Return the tokens of `text`, normalised first, unknown ones as they stand: one for each id of `encode`."""
        return self._split(_prepare(text, self.lowercase))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of `ids` up to `</s>`, leaving `<pad>` and `<s>` out; `<unk>` is shown.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        pieces: list[str] = []
        joints: dict[int, str] = {}  # before which piece the text breaks the rule, and how
        for token in map(self._token, self._known(ids)):
            if token in (self.JOIN, self.SPACE):
                joints[len(pieces)] = "" if token == self.JOIN else " "
            else:
                pieces.append(token)
        usual = self._usual_joints(pieces)
        return "".join(joints.get(i, usual[i]) + piece for i, piece in enumerate(pieces)).strip()

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Return one label for each id, special ones included, for the axes of a plot.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        return [self._token(index).strip() for index in ids]

    @classmethod
    def _split(cls, text: str) -> list[str]:
        """Pieces of a sentence, with <join> and <space> where its spacing is not the usual one."""
        matches = list(cls._PATTERN.finditer(text))
        pieces = [match.group() for match in matches]
        usual = cls._usual_joints(pieces)
        tokens = pieces[:1]
        for i, (left, right) in enumerate(pairwise(matches), start=1):
            spaced = left.end() < right.start()
            if spaced != (usual[i] == " "):
                tokens.append(cls.SPACE if spaced else cls.JOIN)
            tokens.append(pieces[i])
        return tokens

    @classmethod
    def _usual_joints(cls, pieces: Sequence[str]) -> list[str]:
        """The rule: what usually stands before each piece, a space or nothing."""
        joints, quotes, closed = [], 0, True
        for piece in pieces:
            opens = piece == '"' and quotes % 2 == 0
            quotes += piece == '"'
            joins_left = (
                piece in cls._NO_SPACE_BEFORE
                or piece[0] in " '"  # " ?", 's
                or (piece[0] == "-" and len(piece) > 1)  # -t-il
                or (piece == '"' and not opens)
            )
            joints.append("" if closed or joins_left else " ")
            elided = len(piece) > 1 and piece[-1] in " '"  # "« ", l'
            closed = opens or elided or piece in cls._NO_SPACE_AFTER
        return joints

    def _state(self) -> dict[str, Any]:
        return {"vocabulary": self.vocabulary}

    @classmethod
    def _from_state(cls, state: dict[str, Any], lowercase: bool) -> Self:
        return cls(state["vocabulary"], lowercase)


class BPETokeniser(Tokeniser):
    """Byte-pair encoding: starting from bytes, the most frequent neighbours are merged, over and over.

    No text is unknown, and `decode(encode(text)) == normalise(text)` for every text. A token that begins
    a word carries the space before it, shown as ▁. Merges stay inside the pieces into which
    `WordTokeniser` cuts.

    Source: Sennrich, Haddow and Birch (2016), on bytes as in Radford et al. (2019).

    Examples
    --------
    >>> tokeniser = BPETokeniser.train(["le chat", "le chien"] * 9, n_vocab=266)
    >>> tokeniser.tokens(tokeniser.encode("le chat"))
    ['▁le', '▁ch', 'at']
    >>> tokeniser.decode(tokeniser.encode("Le chêne ?"))
    'Le chêne ?'
    """

    kind = "bpe"

    def __init__(self, vocabulary: Sequence[str], merges: Sequence[tuple[str, str]], lowercase: bool) -> None:
        """Build the library's encoder from tokens and merges, the earliest merge first."""
        super().__init__(vocabulary, lowercase)
        self.merges = list(merges)
        for pieces in [
            *((byte,) for byte in _BYTE_OF),
            *((left, right, left + right) for left, right in merges),
        ]:
            if not self._ids.keys() >= set(pieces):
                raise ValueError(f"vocabulary must hold every byte and what is merged; {pieces} is missing")
        self._bytes = [bytes(_BYTE_OF[char] for char in token) for token in self.vocabulary[4:]]
        # A model without "special tokens": those the library would also find in the text, and "</s>" typed
        # by a user would end the sentence.
        self._model = Tokenizer(models.BPE(vocab=self._ids, merges=self.merges))
        self._model.pre_tokenizer = _bpe_pieces()

    @classmethod
    def train(
        cls, lines: Iterable[str], n_vocab: int = 8000, min_frequency: int = 2, lowercase: bool = False
    ) -> Self:
        """Learn merges from `lines`.

        Parameters
        ----------
        lines : iterable of str
            Sentences of the training part. Their order does not matter.
        n_vocab : int
            Largest size of the vocabulary: 4 special tokens, 256 bytes, and the merges.
        min_frequency : int
            A pair seen less often is not merged.
        lowercase : bool
            Lower-case text here and in `encode`.

        Returns
        -------
        BPETokeniser
            With fewer than `n_vocab` tokens if there is nothing left to merge.

        Raises
        ------
        ValueError
            If `n_vocab` is less than 260.
        """
        smallest = len(SPECIAL_TOKENS) + len(_BYTE_OF)
        if n_vocab < smallest:
            raise ValueError(f"n_vocab must be at least {smallest}, special tokens and bytes, not {n_vocab}")
        model = Tokenizer(models.BPE())
        model.pre_tokenizer = _bpe_pieces()
        trainer = trainers.BpeTrainer(
            vocab_size=n_vocab,
            min_frequency=min_frequency,
            special_tokens=list(SPECIAL_TOKENS),
            initial_alphabet=sorted(_BYTE_OF),
            show_progress=False,
        )
        model.train_from_iterator((cls._spaced(_prepare(line, lowercase)) for line in lines), trainer)
        learned = json.loads(model.to_str())["model"]
        vocabulary = sorted(learned["vocab"], key=learned["vocab"].__getitem__)
        return cls(vocabulary, [(left, right) for left, right in learned["merges"]], lowercase)

    def encode(self, text: str) -> list[int]:
        """Return the ids of `text`, normalised first; no `<s>`, no `</s>`, never `<unk>`."""
        ids: list[int] = self._model.encode(self._spaced(_prepare(text, self.lowercase))).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of `ids` up to `</s>`, leaving `<pad>` and `<s>` out; `<unk>` is shown.

        Bytes that form no character, which only a model can produce, become �.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        text = b"".join(map(self._bytes_of, self._known(ids))).decode("utf-8", errors="replace")
        return text.strip(" ")

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Return one label for each id, special ones included, for the axes of a plot.

        ▁ stands for the space before a word, <0xC3> for a byte that is only a part of a character.

        Raises
        ------
        ValueError
            If an id is not in the vocabulary.
        """
        labels = []
        for index in ids:
            text = self._bytes_of(index).decode("utf-8", errors="backslashreplace")
            labels.append(re.sub(r"\\x(..)", lambda m: f"<0x{m[1].upper()}>", text).replace(" ", "▁"))
        return labels

    @staticmethod
    def _spaced(text: str) -> str:
        """A space before the first word too, so that it is the same token there as within the sentence."""
        return f" {text}" if text else ""

    def _bytes_of(self, index: int) -> bytes:
        token = self._token(index)
        return token.encode() if index < len(SPECIAL_TOKENS) else self._bytes[index - len(SPECIAL_TOKENS)]

    def _state(self) -> dict[str, Any]:
        return {"vocabulary": self.vocabulary, "merges": self.merges}

    @classmethod
    def _from_state(cls, state: dict[str, Any], lowercase: bool) -> Self:
        return cls(state["vocabulary"], [(left, right) for left, right in state["merges"]], lowercase)


def load_tokeniser(path: str | Path) -> Tokeniser:
    """Read a tokeniser that `save` wrote, of either kind.

    Parameters
    ----------
    path : str or Path
        The JSON file.

    Returns
    -------
    Tokeniser
        Equal to the one that was saved.

    Raises
    ------
    ValueError
        If the file is not a saved tokeniser.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "words.json"
    >>> WordTokeniser.train(["Je t'aime."]).save(path)
    >>> len(load_tokeniser(path))
    10
    """
    try:
        return tokeniser_from_json(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def tokeniser_from_json(text: str) -> Tokeniser:
    """Rebuild a tokeniser from what `to_json` returned.

    Parameters
    ----------
    text : str
        JSON text.

    Returns
    -------
    Tokeniser
        A `WordTokeniser` or a `BPETokeniser`.

    Raises
    ------
    ValueError
        If `text` is not a saved tokeniser.

    Examples
    --------
    >>> trained = WordTokeniser.train(["Je t'aime."])
    >>> tokeniser_from_json(trained.to_json()).vocabulary == trained.vocabulary
    True
    """
    kinds: dict[str, type[Tokeniser]] = {kind.kind: kind for kind in (WordTokeniser, BPETokeniser)}
    try:
        record = json.loads(text)
        return kinds[record["tokeniser"]]._from_state(record, bool(record["lowercase"]))
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"not a saved tokeniser ({type(error).__name__}: {error})") from None


def _prepare(text: str, lowercase: bool) -> str:
    return normalise(text.lower() if lowercase else text)


def _bpe_pieces() -> pre_tokenizers.PreTokenizer:
    """The pieces of `_PIECE`, each with the space before it, as bytes."""
    return pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(f" ?(?:{_PIECE})"), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )


def _byte_characters() -> dict[str, int]:
    """The library's printable stand-ins for bytes: Latin-1 where it prints, the others from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + i): byte for i, byte in enumerate(others)}


_BYTE_OF = _byte_characters()
