"""Sentence pairs as padded tensors, in batches of similar length.

Letters for shapes: B batch, L_s length of the longest source of the batch, L_t of its longest target, the
marker included. All ids are int64, padded with 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.readers import SentencePair
from course_lib.text.tokenisers import Tokeniser


class EncodedPair(NamedTuple):
    """A sentence pair as ids: the source ends with `</s>`, the target has no special token."""

    source: list[int]
    target: list[int]


@dataclass(frozen=True)
class Batch:
    """Sentence pairs for teacher forcing: at position t the decoder reads word t − 1 and is to predict word
    t.

    Attributes
    ----------
    source : Tensor
        Shape (B, L_s): the source, then `</s>`.
    target_in : Tensor
        Shape (B, L_t): `<s>`, then the target.
    target_out : Tensor
        Shape (B, L_t): the target, then `</s>`.
    """

    source: Tensor
    target_in: Tensor
    target_out: Tensor

    def to(self, device: torch.device | str) -> Batch:
        """Return the batch on `device`."""
        return Batch(
            self.source.to(device, non_blocking=True),
            self.target_in.to(device, non_blocking=True),
            self.target_out.to(device, non_blocking=True),
        )

    def __len__(self) -> int:
        """Return B, the number of pairs."""
        return self.source.shape[0]

    def __getitem__(self, rows: slice) -> Batch:
        """Return some of the pairs, with no more padding than they need."""

        def part(ids: Tensor) -> Tensor:
            chosen = ids[rows]
            return chosen[:, : int((chosen != PAD_ID).sum(dim=1).max())]

        return Batch(part(self.source), part(self.target_in), part(self.target_out))

    @property
    def n_target_tokens(self) -> int:
        """Tokens to predict: `</s>` counts, padding does not. (Ask before `to`: a GPU answers late.)"""
        return int((self.target_out != PAD_ID).sum())


def encode_pairs(
    pairs: Iterable[SentencePair],
    source_tokeniser: Tokeniser,
    target_tokeniser: Tokeniser,
    max_length: int | None = None,
) -> tuple[list[EncodedPair], int]:
    """Encode sentence pairs, and count those that are too long.

    Parameters
    ----------
    pairs : iterable of SentencePair
        Sentences and their translations.
    source_tokeniser, target_tokeniser : Tokeniser
        May be one and the same.
    max_length : int, optional
        Pairs of which a side has more tokens, `</s>` included, are left out. By default none is.

    Returns
    -------
    encoded : list of EncodedPair
        The pairs kept, in order.
    n_dropped : int
        How many were left out.

    Raises
    ------
    ValueError
        If `max_length` is less than 1.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> pairs = [SentencePair("I sleep.", "Je dors."), SentencePair("I sleep well.", "Je dors bien.")]
    >>> words = WordTokeniser.train(side for pair in pairs for side in pair)
    >>> encode_pairs(pairs, words, words, max_length=4)
    ([EncodedPair(source=[7, 10, 6, 2], target=[8, 9, 6])], 1)
    """
    if max_length is not None and max_length < 1:
        raise ValueError(f"max_length must be at least 1, not {max_length}")
    encoded = [
        EncodedPair([*source_tokeniser.encode(source), EOS_ID], target_tokeniser.encode(target))
        for source, target in pairs
    ]
    if max_length is None:
        return encoded, 0
    kept = [pair for pair in encoded if max(len(pair.source), len(pair.target) + 1) <= max_length]
    return kept, len(encoded) - len(kept)


class BucketedBatches:
    """Batches of pairs of similar length, reshuffled every epoch.

    Pairs are sorted by target length, then by source length, ties in random order; the sorted list is cut
    into batches of at most `n_tokens` target positions, **padding included** (B · L_t ≤ `n_tokens`, so
    that steps cost about the same; a single pair longer than that is a batch of its own); the batches are
    shuffled. Each pair appears once an epoch. What epoch e consists of depends on `seed` and e alone, so
    that training which stopped after k batches resumes with `batches.epoch(e, start=k)`.

    Parameters
    ----------
    pairs : sequence of EncodedPair
        From `encode_pairs`.
    n_tokens : int
        Largest number of target positions in a batch.
    seed : int
        Seed of the order.

    Raises
    ------
    ValueError
        If there is no pair, or if `n_tokens` or `seed` is out of range.

    Examples
    --------
    >>> pairs = [EncodedPair([5, 2], [6]), EncodedPair([5, 5, 2], [6, 6]), EncodedPair([7, 2], [8])]
    >>> batches = BucketedBatches(pairs, n_tokens=4, seed=0)
    >>> len(batches)
    2
    >>> sorted(len(batch) for batch in batches.epoch(0))
    [1, 2]
    """

    def __init__(self, pairs: Sequence[EncodedPair], n_tokens: int, seed: int = 0) -> None:
        """Flatten the pairs and find the cuts."""
        if n_tokens < 1:
            raise ValueError(f"n_tokens must be at least 1, not {n_tokens}")
        if seed < 0:
            raise ValueError(f"seed must not be negative, not {seed}")
        self.seed = seed
        self._corpus = _Corpus(pairs)
        # Sorted lengths are the same in every epoch, whatever the ties: so are the cuts, and the number of
        # batches.
        self._cuts = _cut(np.sort(self._corpus.target_widths), n_tokens)

    def __len__(self) -> int:
        """Return the number of batches in an epoch; it is the same in all."""
        return len(self._cuts) + 1

    def epoch(self, epoch: int, start: int = 0) -> Iterator[Batch]:
        """Return the batches of epoch `epoch` (from 0), from batch `start` on, each made when it is asked for.

        Raises
        ------
        ValueError
            If `epoch` is negative or `start` does not lie in 0…len(self).
        """
        if epoch < 0 or not 0 <= start <= len(self):
            raise ValueError(f"epoch must be at least 0 and start in 0…{len(self)}, not {epoch} and {start}")
        return (self._corpus.batch(rows) for rows in self._rows(epoch)[start:])

    def padding_share(self, epoch: int = 0) -> tuple[float, float]:
        """Return which share of an epoch's source and target positions is padding."""
        corpus, batches = self._corpus, self._rows(epoch)

        def share(widths: NDArray[np.int64]) -> float:
            return 1 - float(widths.sum()) / float(sum(len(rows) * widths[rows].max() for rows in batches))

        return share(corpus.source_widths), share(corpus.target_widths)

    def _rows(self, epoch: int) -> list[NDArray[np.int64]]:
        """Which pairs are in which batch: a pure function of (seed, epoch)."""
        rng = np.random.default_rng((self.seed, epoch))
        source, target = self._corpus.source_widths, self._corpus.target_widths
        # Source lengths go up and down in turns: a batch that spans two target lengths then still has
        # similar sources.
        snake = np.where(target % 2 == 0, source, -source)
        order = np.lexsort((rng.random(len(target)), snake, target))
        batches = np.split(order, self._cuts)
        return [batches[i] for i in rng.permutation(len(batches))]


def evaluation_batches(
    pairs: Sequence[EncodedPair], n_tokens: int
) -> Iterator[tuple[Batch, NDArray[np.int64]]]:
    """Yield every pair once, in order of length, each batch with the places of its pairs in `pairs`.

    Results go back into order by `results[index] = result_of_batch`.

    Parameters
    ----------
    pairs : sequence of EncodedPair
        From `encode_pairs`.
    n_tokens : int
        Largest number of positions in a batch, padding included, on the longer of its two sides.

    Yields
    ------
    batch : Batch
        B pairs, sorted by source length.
    index : ndarray
        Shape (B,), int64.

    Raises
    ------
    ValueError
        If there is no pair, or if `n_tokens` is less than 1.

    Examples
    --------
    >>> pairs = [EncodedPair([5, 5, 2], [6]), EncodedPair([5, 2], [6])]
    >>> [index.tolist() for _, index in evaluation_batches(pairs, n_tokens=6)]
    [[1, 0]]
    """
    if n_tokens < 1:
        raise ValueError(f"n_tokens must be at least 1, not {n_tokens}")
    corpus = _Corpus(pairs)
    order = np.lexsort((corpus.target_widths, corpus.source_widths))
    cuts = _cut(np.maximum(corpus.source_widths, corpus.target_widths)[order], n_tokens)
    for rows in np.split(order, cuts):
        yield corpus.batch(rows), rows


def pad(sequences: Sequence[Sequence[int]]) -> Tensor:
    """Stack sequences of ids of different lengths, padded on the right.

    Parameters
    ----------
    sequences : sequence of sequences of int
        B of them.

    Returns
    -------
    Tensor
        Shape (B, length of the longest), int64.

    Raises
    ------
    ValueError
        If there is no sequence.

    Examples
    --------
    >>> pad([[5, 6, 2], [5, 2]])
    tensor([[5, 6, 2],
            [5, 2, 0]])
    """
    return torch.from_numpy(_Ragged(sequences).padded(np.arange(len(sequences))))


class _Corpus:
    """The encoded pairs as flat arrays, from which any batch is one gather."""

    def __init__(self, pairs: Sequence[EncodedPair]) -> None:
        if not pairs:
            raise ValueError("pairs must hold at least one pair")
        self._source = _Ragged([pair.source for pair in pairs])
        self._target_in = _Ragged([[BOS_ID, *pair.target] for pair in pairs])
        self._target_out = _Ragged([[*pair.target, EOS_ID] for pair in pairs])
        self.source_widths, self.target_widths = self._source.lengths, self._target_out.lengths

    def batch(self, rows: NDArray[np.int64]) -> Batch:
        sides = (self._source, self._target_in, self._target_out)
        return Batch(*(torch.from_numpy(side.padded(rows)) for side in sides))


class _Ragged:
    """Sequences of different lengths, end to end in one array."""

    def __init__(self, sequences: Sequence[Sequence[int]]) -> None:
        if not sequences:
            raise ValueError("sequences must hold at least one sequence")
        self.lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
        self._starts = np.cumsum(self.lengths) - self.lengths
        n_ids = int(self.lengths.sum())
        # One more at the end: where the last sequence is padded, there is still something to gather.
        self._ids = np.full(n_ids + 1, PAD_ID, dtype=np.int64)
        self._ids[:n_ids] = np.fromiter((i for sequence in sequences for i in sequence), np.int64, n_ids)

    def padded(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sequences `rows`, padded: shape (len(rows), longest of them)."""
        lengths = self.lengths[rows, None]
        columns = np.arange(lengths.max())
        places = np.where(columns < lengths, self._starts[rows, None] + columns, len(self._ids) - 1)
        return self._ids[places]


def _cut(widths: NDArray[np.int64], n_positions: int) -> list[int]:
    """Places between neighbours at which to cut, so that each batch has size · longest ≤ `n_positions`."""
    cuts: list[int] = []
    start = longest = 0
    for i, width in enumerate(widths.tolist()):
        longest = max(longest, width)
        if longest * (i + 1 - start) > n_positions and i > start:
            cuts.append(i)
            start, longest = i, width
    return cuts
