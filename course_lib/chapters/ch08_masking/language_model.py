"""A language model small enough to train in two seconds, and what becomes of it without mask or right shift.

Its sentences are the short French ones of the embedded corpus; it learns to name the next word. Two mistakes
can be made on purpose: `masked=False` lets every position see the whole sentence, `shifted=False` asks for the
token that is the input.
"""

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded
from course_lib.fast import faster
from course_lib.fast.steps import DecoderOnlyDecoding
from course_lib.model import DecoderOnlyConfig, DecoderOnlyTransformer, Parts, padding_mask
from course_lib.model.blocks import STANDARD
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.embedded import load_embedded
from course_lib.text.tokenisers import WordTokeniser


class Sentences(NamedTuple):
    """Sentences as text and as ids (N, L): each row <s>, its words, </s>, then padding."""

    texts: list[str]
    tokeniser: WordTokeniser
    ids: Tensor


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


class LanguageModel(DecoderOnlyTransformer):
    """One block of one head, wide enough for a few hundred words; with or without the causal mask.

    Parameters
    ----------
    n_vocab : int
        Number of tokens.
    masked : bool
        Without the mask, each position sees the whole sentence: the mistake that chapter 08 is about.

    Examples
    --------
    >>> model = LanguageModel(n_vocab=10, masked=False)
    >>> model(torch.tensor([[1, 4, 5]])).shape, model.attention_maps(torch.tensor([[1, 4, 5]]))[0].shape
    (torch.Size([1, 3, 10]), torch.Size([1, 1, 3, 3]))
    """

    def __init__(self, n_vocab: int, masked: bool = True) -> None:
        config = DecoderOnlyConfig(
            n_vocab, d_model=48, n_heads=1, d_ff=192, n_layers=1, dropout=0.0, tie="target"
        )
        # Without the causal mask only the padding is hidden, as in an encoder.
        super().__init__(config, STANDARD if masked else Parts(target_mask=padding_mask))


def inputs_and_targets(ids: Tensor, shifted: bool = True) -> tuple[Tensor, Tensor]:
    """Cut sentences, (B, L), into what the model reads and what it shall name, both (B, L − 1).

    Shifted, position i reads token i and is asked for token i + 1; not shifted, it is asked for token i.

    Examples
    --------
    >>> [rows.tolist() for rows in inputs_and_targets(torch.tensor([[1, 7, 8, 2]]))]
    [[[1, 7, 8]], [[7, 8, 2]]]
    """
    return ids[:, :-1], ids[:, 1:] if shifted else ids[:, :-1]


def mean_loss(model: DecoderOnlyTransformer, ids: Tensor, shifted: bool = True) -> Tensor:
    """Return the cross-entropy in nats, the mean over all real tokens of the sentences `ids`, (B, L)."""
    inputs, targets = inputs_and_targets(ids, shifted)
    logits = model(inputs)  # (B, L − 1, n_vocab)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD_ID)


@torch.no_grad()
def writing_loss(model: DecoderOnlyTransformer, ids: Tensor) -> float:
    """Return the mean loss in nats where each token is named from a text that ends right before it.

    That is what writing is like. A model that never looks ahead has the same loss as in `mean_loss`.
    """
    total, n_tokens = 0.0, 0
    for end in range(1, ids.shape[1]):
        targets = ids[:, end]  # (B,)
        logits = model(ids[:, :end])[:, -1]  # (B, n_vocab)
        total += F.cross_entropy(logits, targets, ignore_index=PAD_ID, reduction="sum").item()
        n_tokens += int((targets != PAD_ID).sum())
    return total / n_tokens


def lowest_loss(ids: Tensor) -> float:
    """Return the mean loss in nats that no model can go below on *different* sentences, if it never looks ahead.

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
    Formula: N ln N / (number of tokens to be named). A model that names token by token without looking ahead
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
    sentences: Sentences,
    steps: Iterable[int] = range(400),
    *,
    masked: bool = True,
    shifted: bool = True,
    seed: int = 0,
) -> tuple[LanguageModel, NDArray[np.float64]]:
    """Train a `LanguageModel` on batches of 64 sentences; return it and the loss of each step, in nats.

    Parameters
    ----------
    sentences : Sentences
    steps : iterable
        One step for each entry.
    masked, shifted : bool
        As in `LanguageModel` and `inputs_and_targets`.
    seed : int
        For the initial weights and the batches.
    """
    ids = sentences.ids
    with seeded(seed):
        model = LanguageModel(len(sentences.tokeniser), masked)
    fast = faster(model)  # the same weights

    def loss(generator: torch.Generator) -> Tensor:
        batch = torch.randint(len(ids), (64,), generator=generator)
        return mean_loss(fast, ids[batch], shifted)

    return model.eval(), fit(fast, loss, steps, learning_rate=6e-3, seed=seed)


@torch.no_grad()
def generate(
    model: DecoderOnlyTransformer,
    start: Tensor,
    max_tokens: int = 8,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Write on, one token at a time, each time reading all that is there.

    Parameters
    ----------
    model : DecoderOnlyTransformer
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


def known_pairs(sentences: Sentences, written: Tensor) -> float:
    """Return which share of the neighbouring tokens in `written`, (B, L), are neighbours in the sentences too.

    Pairs that end in padding do not count; those that end in </s> do.
    """

    def pairs(ids: Tensor) -> list[tuple[int, int]]:
        both = torch.stack([ids[:, :-1], ids[:, 1:]], dim=-1).flatten(0, 1)  # (B·(L − 1), 2)
        return [(a, b) for a, b in both.tolist() if b != PAD_ID]

    known = set(pairs(sentences.ids))
    found = [pair in known for pair in pairs(written)]
    return sum(found) / len(found)
