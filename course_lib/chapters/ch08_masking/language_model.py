"""A language model small enough to train in seconds, and what becomes of it without mask or right shift.

Its sentences are the short French ones of the embedded corpus; it learns to predict the next word. Two mistakes
can be made on purpose: `masked=False` lets every position see the whole sentence, `shifted=False` asks for the
token that is the input.
"""

import copy
import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded
from course_lib.fast import faster
from course_lib.fast.steps import DecoderOnlyDecoding
from course_lib.model import (
    DecoderOnlyConfig,
    DecoderOnlyTransformer,
    MultiHeadAttention,
    Parts,
    padding_mask,
)
from course_lib.model.blocks import STANDARD
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.embedded import load_embedded
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import typeset_french

LEARNING_RATE, BATCH, STEPS = 5e-3, 64, 300  # as in the chapter
N_HELD_OUT = 200  # sentences


class Sentences(NamedTuple):
    """Sentences as text and as ids (N, L): each row <s>, its words, </s>, then padding."""

    texts: list[str]
    tokeniser: WordTokeniser
    ids: Tensor

    def text(self, ids: Iterable[int]) -> str:
        """Return the sentence that ids stand for, as French is printed.

        Examples
        --------
        >>> sentences = from_texts(["Je t’aime."])
        >>> sentences.text(sentences.ids[0].tolist())
        'Je t’aime.'
        """
        return typeset_french(self.tokeniser.decode(ids))


def short_sentences(longest: int = 6, seen: int = 5) -> Sentences:
    """Return the French statements of the embedded corpus that are short and made of frequent words.

    Parameters
    ----------
    longest : int
        Most words a sentence may have, the full stop included.
    seen : int
        How many times at least each word occurs in the sentences that are kept.

    Returns
    -------
    Sentences
        Of the training part, all different.

    Raises
    ------
    ValueError
        If no sentence is left.
    """
    pairs = {pair.target: pair.target_tokens for pair in load_embedded("train")}
    kept = {text: words for text, words in pairs.items() if len(words) <= longest and words[-1] == "."}
    rare = {""}
    while rare:  # a sentence that goes takes words with it
        counts = Counter(word for words in kept.values() for word in words)
        rare = {word for word, count in counts.items() if count < seen}
        kept = {text: words for text, words in kept.items() if not rare & set(words)}
    if not kept:
        raise ValueError(f"longest = {longest} and seen = {seen} leave no sentence")
    return from_texts(list(kept))


def from_texts(texts: list[str]) -> Sentences:
    """Tokenise sentences by words.

    Examples
    --------
    >>> sentences = from_texts(["Je t’aime.", "Il dort."])
    >>> sentences.tokeniser.tokens(sentences.ids[1].tolist())
    ['<s>', 'Il', 'dort', '.', '</s>', '<pad>']
    """
    tokeniser = WordTokeniser.train(texts)
    rows = [torch.tensor([BOS_ID, *tokeniser.encode(text), EOS_ID]) for text in texts]
    ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD_ID)  # (N, L)
    return Sentences(texts, tokeniser, ids)


def held_out(ids: Tensor, n: int = N_HELD_OUT, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Draw `n` sentences that are not trained on: the ids (N, L) of the others, and theirs.

    Raises
    ------
    ValueError
        If there are not more than `n`.

    Examples
    --------
    >>> [len(part) for part in held_out(torch.arange(20).reshape(10, 2), n=3)]
    [7, 3]
    """
    if not 0 < n < len(ids):
        raise ValueError(f"n is {n}: expected 1 … {len(ids) - 1}, fewer than there are sentences")
    order = torch.randperm(len(ids), generator=torch.Generator().manual_seed(seed))
    return ids[order[n:]], ids[order[:n]]


class LanguageModel(DecoderOnlyTransformer):
    """Blocks of one head, wide enough for a few hundred words; with or without the causal mask.

    Parameters
    ----------
    n_vocab : int
        Number of tokens.
    masked : bool
        Without the mask, each position sees the whole sentence: the mistake that chapter 08 is about.
    n_layers : int
        Number of blocks.
    positions : bool
        Whether tokens get sinusoidal positions, or none.

    Examples
    --------
    >>> model = LanguageModel(n_vocab=10, masked=False)
    >>> model(torch.tensor([[1, 4, 5]])).shape, model.attention_maps(torch.tensor([[1, 4, 5]]))[0].shape
    (torch.Size([1, 3, 10]), torch.Size([1, 1, 3, 3]))
    """

    def __init__(self, n_vocab: int, masked: bool = True, n_layers: int = 2, positions: bool = True) -> None:
        config = DecoderOnlyConfig(
            n_vocab,
            d_model=48,
            n_heads=1,
            d_ff=192,
            n_layers=n_layers,
            dropout=0.0,
            position="sinusoidal" if positions else "none",
            tie="target",
        )
        # Without the causal mask only the padding is hidden, as in an encoder.
        super().__init__(config, STANDARD if masked else Parts(target_mask=padding_mask))


def inputs_and_targets(ids: Tensor, shifted: bool = True) -> tuple[Tensor, Tensor]:
    """Cut sentences, (B, L), into what the model reads and what it is to predict, both (B, L − 1).

    Shifted, position i reads token i and predicts token i + 1; not shifted, it is asked for token i.

    Examples
    --------
    >>> [rows.tolist() for rows in inputs_and_targets(torch.tensor([[1, 7, 8, 2]]))]
    [[[1, 7, 8]], [[7, 8, 2]]]
    """
    return ids[:, :-1], ids[:, 1:] if shifted else ids[:, :-1]


def mean_loss(model: nn.Module, ids: Tensor, shifted: bool = True) -> Tensor:
    """Return the cross-entropy in nats, the mean over all real tokens of the sentences `ids`, (B, L)."""
    inputs, targets = inputs_and_targets(ids, shifted)
    logits = model(inputs)  # (B, L − 1, n_vocab)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD_ID)


@torch.no_grad()
def writing_loss(model: nn.Module, ids: Tensor) -> float:
    """Return the mean loss in nats where each token is predicted from a text that ends right before it.

    That is what writing is like. A model that never looks ahead has the same loss as in `mean_loss`.
    """
    total, n_tokens = 0.0, 0
    for end in range(1, ids.shape[1]):
        targets = ids[:, end]  # (B,)
        logits = model(ids[:, :end])[:, -1]  # (B, n_vocab)
        total += F.cross_entropy(logits, targets, ignore_index=PAD_ID, reduction="sum").item()
        n_tokens += int((targets != PAD_ID).sum())
    return total / n_tokens


@torch.no_grad()
def probabilities(model: nn.Module, ids: Tensor) -> Tensor:
    """Return the probability of each sentence of `ids`, (B, L), the product over its tokens: (B,).

    Examples
    --------
    >>> model = untrained(10, seed=0)
    >>> sentence = torch.tensor([[BOS_ID, 5, EOS_ID]])
    >>> torch.isclose(probabilities(model, sentence).log(), -2 * mean_loss(model, sentence)).item()
    True
    """
    inputs, targets = inputs_and_targets(ids)
    losses = F.cross_entropy(model(inputs).mT, targets, ignore_index=PAD_ID, reduction="none")  # (B, L − 1)
    return (-losses.sum(dim=1)).exp()


def lowest_loss(ids: Tensor) -> float:
    """Return the mean loss in nats that no model can go below on *different* sentences, if it predicts each token from
    those before it.

    Parameters
    ----------
    ids : Tensor
        (N, L), each row <s>, words, </s>, padding.

    Raises
    ------
    ValueError
        If a sentence occurs twice.

    Notes
    -----
    Formula: N ln N / (number of tokens to be predicted). A model that predicts each token from those before it
    gives each sentence a probability, the product over its tokens; these sum to 1 at most, and the sum of
    their −ln is least where all are 1/N.

    Examples
    --------
    >>> round(lowest_loss(torch.tensor([[1, 7, 2], [1, 8, 2]])), 4)  # ln 2 for one of its two tokens
    0.3466
    """
    if len(torch.unique(ids, dim=0)) < len(ids):
        raise ValueError(f"ids {tuple(ids.shape)}: expected sentences that are all different")
    n_tokens = int((ids[:, 1:] != PAD_ID).sum())
    return len(ids) * math.log(len(ids)) / n_tokens


def train(
    ids: Tensor,
    n_vocab: int,
    steps: Iterable[int] = range(STEPS),
    *,
    masked: bool = True,
    shifted: bool = True,
    seed: int = 0,
    n_layers: int = 2,
    positions: bool = True,
) -> tuple[LanguageModel, NDArray[np.float64]]:
    """Train a `LanguageModel` as the chapter does; return it and the loss of each step, in nats.

    Parameters
    ----------
    ids : Tensor
        Sentences (N, L), of which each step sees 64.
    n_vocab : int
        Number of tokens.
    steps : iterable
        One step for each entry.
    masked, n_layers, positions
        As in `LanguageModel`.
    shifted : bool
        As in `inputs_and_targets`.
    seed : int
        For the initial weights and the batches.
    """
    model = untrained(n_vocab, seed, masked=masked, n_layers=n_layers, positions=positions)
    fast = faster(model)  # the same weights

    def loss(generator: torch.Generator) -> Tensor:
        batch = torch.randint(len(ids), (BATCH,), generator=generator)
        return mean_loss(fast, ids[batch], shifted)

    losses = fit(fast, loss, steps, learning_rate=LEARNING_RATE, seed=seed, clip=None)
    return model.eval(), losses


def untrained(
    n_vocab: int, seed: int, *, masked: bool = True, n_layers: int = 2, positions: bool = True
) -> LanguageModel:
    """Return a model with initial weights from a seed.

    Examples
    --------
    >>> len(untrained(10, seed=0, n_layers=3).blocks)
    3
    """
    with seeded(seed):
        return LanguageModel(n_vocab, masked, n_layers, positions)


def filled_with(model: LanguageModel, value: float) -> LanguageModel:
    """Return a copy of a model whose attention fills forbidden scores with a number instead of −∞.

    Examples
    --------
    >>> model, ids = untrained(10, seed=0), torch.tensor([[1, 4, 5]])
    >>> [bool((filled_with(model, value)(ids) == model(ids)).all()) for value in (-1e4, 0.0)]
    [True, False]
    """

    def filled(
        queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor]:
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, value)
        weights = torch.softmax(scores, dim=-1)
        return weights @ values, weights

    other = copy.deepcopy(model)
    for layer in other.modules():
        if isinstance(layer, MultiHeadAttention):
            layer.attention_function = filled
    return other


@torch.no_grad()
def follows_next(model: nn.Module, ids: Tensor, place: int = 3, seed: int = 0) -> float:
    """Exchange one word of each sentence; return how often the position before it now predicts the new word.

    Parameters
    ----------
    model : nn.Module
    ids : Tensor
        Sentences (N, L), of which those are taken that have a word at `place`, not the full stop.
    place : int
        Whose token is exchanged, from 2.
    seed : int
        For the new words, which come from the same place of other sentences.

    Returns
    -------
    float
        Share of the sentences in which the word becomes another one.
    """
    rows = ids[(ids[:, place + 1] > EOS_ID)]  # something follows that is neither the end nor padding
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed))
    changed = rows.clone()
    changed[:, place] = rows[order, place]
    others = changed[:, place] != rows[:, place]
    predicted = model(changed[others, :-1])[:, place - 1].argmax(dim=-1)
    return (predicted == changed[others, place]).float().mean().item()


@torch.no_grad()
def repeats_last(model: nn.Module, ids: Tensor, n_words: int = 2) -> float:
    """Cut sentences (N, L) after some words; return how often the model would write the last word once more."""
    cut = ids[:, : n_words + 1]
    return (model(cut)[:, -1].argmax(dim=-1) == cut[:, -1]).float().mean().item()


@torch.no_grad()
def generate(
    model: nn.Module,
    start: Tensor,
    max_tokens: int = 8,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Write on, one token at a time, each time reading all that is there.

    Parameters
    ----------
    model : nn.Module
        From ids (B, L) to logits (B, L, n_vocab).
    start : Tensor
        Ids (B, L), <s> and perhaps some words.
    max_tokens : int
        Most tokens to write.
    temperature : float
        Tokens are drawn from softmax(z / T); T = 0 takes the likeliest.
    generator : torch.Generator
        Needed for a temperature above 0.

    Returns
    -------
    Tensor
        Ids (B, L + max_tokens) or fewer, padded after </s>.

    Raises
    ------
    ValueError
        If the temperature is negative, or positive without a generator.
    """
    if temperature < 0 or (temperature > 0 and generator is None):
        raise ValueError(f"temperature = {temperature}: expected 0, or more and a generator")
    ids, ended = start, torch.zeros(len(start), dtype=torch.bool)
    for _ in range(max_tokens):
        logits = model(ids)[:, -1]  # (B, n_vocab)
        if temperature == 0:
            token = logits.argmax(dim=-1)
        else:
            weights = torch.softmax(logits / temperature, dim=-1)
            token = torch.multinomial(weights, 1, generator=generator).squeeze(1)
        token = token.masked_fill(ended, PAD_ID)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # (B, L + 1)
        ended |= token == EOS_ID
        if ended.all():
            break
    return ids


def drawn(model: nn.Module, n: int, temperature: float, seed: int = 8) -> Tensor:
    """Return `n` sentences that a model writes at a temperature, ids (n, L).

    Examples
    --------
    >>> len(drawn(untrained(10, seed=0), 3, temperature=1.0))
    3
    """
    start = torch.full((n, 1), BOS_ID)
    return generate(model, start, temperature=temperature, generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def write_with_cache(
    model: DecoderOnlyTransformer, n: int, forgetful: bool = False, max_tokens: int = 8, seed: int = 0
) -> Tensor:
    """Draw `n` texts at temperature 1 with the key/value cache, one token a step; ids (n, max_tokens + 1).

    A classical bug can be made on purpose: with `forgetful`, every token is embedded as if it stood at
    position 0.
    """
    state, generator = DecoderOnlyDecoding(model), torch.Generator().manual_seed(seed)
    tokens = torch.full((n,), BOS_ID)
    ids, ended = [tokens], torch.zeros(n, dtype=torch.bool)
    for _ in range(max_tokens):
        if forgetful:
            state.position = 0
        weights = torch.softmax(state.step(tokens), dim=-1)  # (n, n_vocab)
        tokens = torch.multinomial(weights, 1, generator=generator).squeeze(1).masked_fill(ended, PAD_ID)
        ids.append(tokens)
        ended |= tokens == EOS_ID
    return torch.stack(ids, dim=1)


def different(written: Tensor) -> int:
    """Return how many different rows there are.

    Examples
    --------
    >>> different(torch.tensor([[1, 2], [1, 2], [1, 3]]))
    2
    """
    return len(torch.unique(written, dim=0))


def known_pairs(ids: Tensor, written: Tensor) -> float:
    """Return which share of the neighbouring tokens in `written`, (B, L), are neighbours in the sentences `ids` too.

    Pairs that end in padding do not count; those that end in </s> do.
    """

    def pairs(ids: Tensor) -> list[tuple[int, int]]:
        both = torch.stack([ids[:, :-1], ids[:, 1:]], dim=-1).flatten(0, 1)  # (B·(L − 1), 2)
        return [(a, b) for a, b in both.tolist() if b != PAD_ID]

    known = set(pairs(ids))
    found = [pair in known for pair in pairs(written)]
    return sum(found) / len(found)
