"""A feed-forward network read as a memory: pairs of a key and a value, in the decoder of a trained translator.

max(0, x·W_1 + b_1)·W_2 is a sum over hidden units: unit i compares x with a key, column i of W_1, and adds so much of
a value, row i of W_2. In the last block of a decoder nothing follows but a LayerNorm and the output matrix, so that a
value is a vote for words.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.model import FeedForward, Transformer
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.batches import encode_pairs, pad
from course_lib.text.readers import SentencePair
from course_lib.translator import Translator


class Moments(NamedTuple):
    """What a decoder's last network is given and does, wherever a word is to be predicted: n moments.

    Attributes
    ----------
    before : Tensor
        Shape (n, d): what the residual connection carries past the network.
    activations : Tensor
        Shape (n, d_ff): max(0, x·W_1 + b_1).
    next_ids : Tensor
        Shape (n,): the word that comes next in the given translation.
    words : list of str
        The words of the translation so far, for each moment.
    """

    before: Tensor
    activations: Tensor
    next_ids: Tensor
    words: list[list[str]]


def _parts(translator: Translator) -> tuple[Transformer, FeedForward]:
    model: Any = translator.model
    return model, model.decoder[-1].feed_forward


@torch.no_grad()
def watch(translator: Translator, pairs: Sequence[SentencePair]) -> Moments:
    """Give a translator sentences with their translations, and keep what its last network is given and does.

    Parameters
    ----------
    translator : Translator
        A Transformer.
    pairs : sequence of SentencePair

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> moments = watch(translator, [SentencePair("I sleep.", "Je dors.")])
    >>> moments.activations.shape, moments.words[2]
    (torch.Size([4, 512]), ['Je', 'dors'])
    """
    model, network = _parts(translator)
    encoded, _ = encode_pairs(pairs, translator.source_tokeniser, translator.target_tokeniser)
    source = pad([pair.source for pair in encoded])
    target_in = pad([[BOS_ID, *pair.target] for pair in encoded])
    target_out = pad([[*pair.target, EOS_ID] for pair in encoded])
    kept: dict[str, Tensor] = {}

    def keep_activations(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        kept["activations"] = inputs[0]

    def keep_whole(module: nn.Module, inputs: tuple[Tensor, ...], output: tuple[Tensor, ...]) -> None:
        kept["after"] = output[0]

    def keep_added(module: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        kept["added"] = output

    hooks = [
        network.W_2.register_forward_pre_hook(keep_activations),
        network.register_forward_hook(keep_added),
        model.decoder[-1].register_forward_hook(keep_whole),
    ]
    try:
        model.hidden(source, target_in)
    finally:
        for hook in hooks:
            hook.remove()
    real = target_out != PAD_ID
    tokens = [translator.target_tokeniser.tokens(pair.target) for pair in encoded]
    words = [row[:n] for row in tokens for n in range(len(row) + 1)]
    return Moments((kept["after"] - kept["added"])[real], kept["activations"][real], target_out[real], words)


@torch.no_grad()
def logits(translator: Translator, moments: Moments, off: Collection[int] = ()) -> Tensor:
    """Return the logits of every moment, (n, n_vocab), with some pairs switched off.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> moments = watch(translator, [SentencePair("I sleep.", "Je dors.")])
    >>> [translator.target_tokeniser.tokens([i])[0] for i in logits(translator, moments).argmax(-1)[:3].tolist()]
    ['Je', 'dors', '.']
    """
    model, network = _parts(translator)
    activations = moments.activations.clone()
    activations[:, sorted(off)] = 0
    return model.output(model.decoder_norm(moments.before + network.W_2(activations)))


def right(translator: Translator, moments: Moments, off: Collection[int] = ()) -> NDArray[np.bool_]:
    """Tell of every moment whether the likeliest word is the one that comes next, (n,)."""
    found: NDArray[np.bool_] = (
        (logits(translator, moments, off).argmax(-1) == moments.next_ids).numpy()
    )
    return found


@torch.no_grad()
def votes(translator: Translator) -> Tensor:
    """Return what each value adds to the logit of each word, (d_ff, n_vocab), but for the size of the row.

    The last LayerNorm subtracts the mean of a row and multiplies by its gain; by what it divides, the row decides.
    """
    model, network = _parts(translator)
    values = network.W_2.weight.T  # (d_ff, d)
    gain: Any = model.decoder_norm.weight
    return model.output((values - values.mean(1, keepdim=True)) * gain)


def voters(moments: Moments, all_votes: Tensor, word_id: int, n: int = 10) -> list[int]:
    """Return the n pairs that add most to the logit of a word, in the mean over the moments when it comes next."""
    when = moments.next_ids == word_id
    added = moments.activations[when].mean(0) * all_votes[:, word_id]  # (d_ff,)
    return added.argsort(descending=True)[:n].tolist()


def common_words(moments: Moments, least: int = 20) -> list[int]:
    """Return the ids of the words that come next at least so many times, the commonest first; no end of a sentence."""
    counted = Counter(moments.next_ids.tolist())
    return [i for i, n in counted.most_common() if n >= least and i != EOS_ID]


class Strength(NamedTuple):
    """How often a word is the likeliest where it comes next: with all pairs, without its voters, without others."""

    word: str
    n: int  # moments
    whole: float
    without: float  # its own voters
    without_others: float  # the voters of other words, the mean of some
    others: float  # how often the other words are right, without the word's voters


def strengths(
    translator: Translator, moments: Moments, word_ids: Sequence[int], n: int = 10
) -> list[Strength]:
    """Switch off the voters of each word, and those of each other word as a control.

    Parameters
    ----------
    translator : Translator
    moments : Moments
    word_ids : sequence of int
        At least two.
    n : int
        How many pairs are switched off.
    """
    all_votes = votes(translator)
    own = {i: voters(moments, all_votes, i, n) for i in word_ids}
    hits = {i: right(translator, moments, own[i]) for i in word_ids}
    whole = right(translator, moments)
    known = moments.next_ids.numpy()
    found = []
    for i in word_ids:
        here = known == i
        controls = [hits[j][here].mean() for j in word_ids if j != i]
        found.append(
            Strength(
                translator.target_tokeniser.tokens([i])[0],
                int(here.sum()),
                float(whole[here].mean()),
                float(hits[i][here].mean()),
                float(np.mean(controls)),
                float(hits[i][~here].mean()),
            )
        )
    return found


class Pair(NamedTuple):
    """A key and its value: the moments at which the key fires most, and the words that the value votes for."""

    number: int
    moments: list[tuple[str, str]]  # the last words so far, and the word that comes next
    writes: list[tuple[str, float]]  # words, and how much is added to their logits


def pair(
    translator: Translator, moments: Moments, number: int, n_moments: int = 3, n_words: int = 4, last: int = 3
) -> Pair:
    """Describe one pair by its strongest moments, of different contexts, and by the words that it votes for."""
    name = translator.target_tokeniser.tokens
    shown: dict[tuple[str, str], None] = {}
    for t in moments.activations[:, number].argsort(descending=True).tolist():
        so_far = " ".join(moments.words[t][-last:]) or "<s>"
        shown[so_far, name([int(moments.next_ids[t])])[0]] = None
        if len(shown) == n_moments:
            break
    most = votes(translator)[number].topk(n_words)
    scale = float(moments.activations[:, number].max())
    words = [(name([i])[0], scale * v) for i, v in zip(most.indices.tolist(), most.values.tolist(), strict=True)]
    return Pair(number, list(shown), words)


def agreement(translator: Translator, moments: Moments, n: int = 10, top: int = 10) -> tuple[float, float]:
    """Compare when keys fire with what values say.

    For each pair that fires at `n` moments or more: is the word that comes next most often, at the n strongest
    moments, among the `top` words that the value votes for?

    Returns
    -------
    share : float
        Of these pairs.
    by_chance : float
        The same with each value given to another pair, the mean of ten ways.
    """
    strongest = moments.activations.topk(n, dim=0)  # (n, d_ff)
    fires = (strongest.values[-1] > 0).nonzero().flatten()
    commonest = moments.next_ids[strongest.indices[:, fires]].mode(dim=0).values
    said = votes(translator)[fires].topk(top, dim=1).indices

    def share(moved: int) -> float:
        return float((said.roll(moved, dims=0) == commonest[:, None]).any(1).double().mean())

    return share(0), float(np.mean([share(moved) for moved in range(1, 11)]))


@contextmanager
def switched_off(translator: Translator, pairs: Collection[int]) -> Iterator[None]:
    """Take pairs out of a translator's last network inside the `with` block: their values are zero.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> with switched_off(translator, range(512)):
    ...     bool(translator.model.decoder[-1].feed_forward.W_2.weight.any())
    False
    """
    _, network = _parts(translator)
    kept = network.W_2.weight.detach().clone()
    with torch.no_grad():
        network.W_2.weight[:, sorted(pairs)] = 0
    try:
        yield
    finally:
        with torch.no_grad():
            network.W_2.weight.copy_(kept)
