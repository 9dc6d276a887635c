"""Feed-forward networks read as a memory, pairs of a key and a value, in a trained translator; and switched off.

max(0, x·W_1 + b_1)·W_2 is a sum over hidden units: unit i compares x with a key, column i of W_1, and adds so much of
a value, row i of W_2. In the last block of a decoder nothing follows but a LayerNorm and the output matrix, so that a
value is a vote for words. A network that is switched off still adds b_2.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.model import FeedForward
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.batches import encode_pairs, pad
from course_lib.text.readers import SentencePair
from course_lib.translator import Translator

LAST = "decoder 1"
NETWORKS = ("encoder 0", "encoder 1", "decoder 0", LAST)  # of a translator of two blocks on each side


def network_of(translator: Translator, name: str) -> FeedForward:
    """Return one of the `NETWORKS` of a translator.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    side, _, number = name.partition(" ")
    blocks: Any = getattr(translator.model, side, None) if side in ("encoder", "decoder") else None
    if blocks is None or not number.isdecimal() or int(number) >= len(blocks):
        raise ValueError(f"name is {name!r}: expected one such as 'encoder 0' or 'decoder 1'")
    network: FeedForward = blocks[int(number)].feed_forward
    return network


class NextWords(NamedTuple):
    """What a translator says of the next word, wherever one is to be predicted: n moments.

    Attributes
    ----------
    ids : Tensor
        Shape (n,): the word that comes next in the given translation.
    right : Tensor
        Shape (n,): whether it is the likeliest one.
    inner : Tensor
        Shape (n, d_ff): max(0, x·W_1 + b_1) of the network that is watched.
    words : list of list of str
        The words of the translation so far, for each moment.
    """

    ids: Tensor
    right: Tensor
    inner: Tensor
    words: list[list[str]]


@torch.no_grad()
def next_words(translator: Translator, pairs: Sequence[SentencePair], watched: str = LAST) -> NextWords:
    """Give a translator sentences with their translations, and let it predict each word from those before.

    Parameters
    ----------
    translator : Translator
        A Transformer.
    pairs : sequence of SentencePair
    watched : str
        A network of the decoder, whose hidden units are kept.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> found = next_words(translator, [SentencePair("I sleep.", "Je dors.")])
    >>> found.inner.shape, found.words[2], found.right.all().item()
    (torch.Size([4, 512]), ['Je', 'dors'], True)
    """
    model: Any = translator.model
    encoded, _ = encode_pairs(pairs, translator.source_tokeniser, translator.target_tokeniser)
    source = pad([pair.source for pair in encoded])
    target_in = pad([[BOS_ID, *pair.target] for pair in encoded])
    target_out = pad([[*pair.target, EOS_ID] for pair in encoded])
    real = target_out != PAD_ID
    kept: list[Tensor] = []

    def keep(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        kept.append(inputs[0])

    hook = network_of(translator, watched).W_2.register_forward_pre_hook(keep)
    try:
        hidden = model.hidden(source, target_in)[real]  # (n, d)
    finally:
        hook.remove()
    ids = target_out[real]
    tokens = [translator.target_tokeniser.tokens(pair.target) for pair in encoded]
    words = [row[:n] for row in tokens for n in range(len(row) + 1)]
    return NextWords(ids, model.output(hidden).argmax(-1) == ids, kept[0][real], words)


@torch.no_grad()
def votes(translator: Translator) -> Tensor:
    """Return what each value of the last network adds to the logit of each word, (d_ff, n_vocab).

    The last LayerNorm subtracts the mean of a row and multiplies by its gain; by what it divides, the row decides.
    """
    model: Any = translator.model
    values = network_of(translator, LAST).W_2.weight.T  # (d_ff, d)
    found: Tensor = model.output((values - values.mean(1, keepdim=True)) * model.decoder_norm.weight)
    return found


def voters(moments: NextWords, all_votes: Tensor, word_id: int, n: int = 10) -> list[int]:
    """Return the n pairs that add most to the logit of a word, in the mean over the moments when it comes next."""
    added = moments.inner[moments.ids == word_id].mean(0) * all_votes[:, word_id]  # (d_ff,)
    return [int(i) for i in added.argsort(descending=True)[:n]]


def first_voters(translator: Translator, moments: NextWords, words: Sequence[str]) -> list[int]:
    """Return, for each word, the pair that adds most to it where it comes next."""
    all_votes = votes(translator)
    ids = [translator.target_tokeniser.encode(word)[0] for word in words]
    return [voters(moments, all_votes, i, n=1)[0] for i in ids]


def typeset(tokens: Sequence[str]) -> str:
    """Write tokens of a French sentence as one reads them.

    Examples
    --------
    >>> typeset(["L'", "homme", ",", "il", "n'", "est"])
    'L’homme, il n’est'
    """
    return " ".join(tokens).replace("' ", "'").replace(" ,", ",").replace("'", "’")


class Pair(NamedTuple):
    """A key and its value: the moments at which the key fires most, and the words that the value votes for."""

    number: int
    moments: list[tuple[str, str]]  # the last words so far, and the word that comes next
    writes: list[tuple[str, float]]  # words, and how much is added to their logits


def pair(
    translator: Translator,
    moments: NextWords,
    number: int,
    n_moments: int = 3,
    n_words: int = 4,
    last: int = 3,
) -> Pair:
    """Describe one pair of the last network: its strongest moments, in different contexts, and its votes."""
    name = translator.target_tokeniser.tokens
    shown: dict[tuple[str, str], None] = {}
    for t in moments.inner[:, number].argsort(descending=True).tolist():
        so_far = typeset(moments.words[t][-last:]) or "<s>"
        shown[so_far, typeset(name([int(moments.ids[t])]))] = None
        if len(shown) == n_moments:
            break
    most = votes(translator)[number].topk(n_words)
    scale = float(moments.inner[:, number].max())
    found = zip(most.indices.tolist(), most.values.tolist(), strict=True)
    return Pair(number, list(shown), [(typeset(name([i])), scale * value) for i, value in found])


def agreement(translator: Translator, moments: NextWords, n: int = 10, top: int = 10) -> tuple[float, float]:
    """Compare when keys of the last network fire with what their values say.

    For each pair that fires at `n` moments or more: is the word that comes next most often, at the n strongest
    moments, among the `top` words that the value votes for?

    Returns
    -------
    share : float
        Of these pairs.
    by_chance : float
        The same with each value given to another pair, the mean of ten ways.
    """
    strongest = moments.inner.topk(n, dim=0)  # (n, d_ff)
    fires = (strongest.values[-1] > 0).nonzero().flatten()
    commonest = moments.ids[strongest.indices[:, fires]].mode(dim=0).values
    said = votes(translator)[fires].topk(top, dim=1).indices

    def share(moved: int) -> float:
        return float((said.roll(moved, dims=0) == commonest[:, None]).any(1).double().mean())

    return share(0), float(np.mean([share(moved) for moved in range(1, 11)]))


@contextmanager
def switched_off(
    translator: Translator, names: Collection[str], pairs: Collection[int] | None = None
) -> Iterator[None]:
    """Switch networks off inside the `with` block: their values, all or those of some pairs, are zero.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> with switched_off(translator, ["decoder 0"]):
    ...     bool(translator.model.decoder[0].feed_forward.W_2.weight.any())
    False
    """
    networks = [network_of(translator, name) for name in names]
    kept = [network.W_2.weight.detach().clone() for network in networks]
    with torch.no_grad():
        for network in networks:
            columns = range(network.W_2.in_features) if pairs is None else sorted(pairs)
            network.W_2.weight[:, list(columns)] = 0
    try:
        yield
    finally:
        with torch.no_grad():
            for network, weight in zip(networks, kept, strict=True):
                network.W_2.weight.copy_(weight)


@contextmanager
def held_at_its_mean(translator: Translator, name: str, moments: NextWords) -> Iterator[None]:
    """Let a network of the decoder add the same vector everywhere, the mean of what it adds at some moments."""
    network = network_of(translator, name)
    mean = network.W_2(moments.inner).mean(0).detach()
    with ExitStack() as stack:
        hook = network.register_forward_hook(lambda module, inputs, output: mean.expand_as(output))
        stack.callback(hook.remove)
        yield


def right(
    translator: Translator,
    pairs: Sequence[SentencePair],
    off: Collection[str] = (),
    pairs_off: Collection[int] | None = None,
) -> NDArray[np.bool_]:
    """Tell of each next word whether it is found, (n,), with some networks switched off, or some pairs of them."""
    with switched_off(translator, off, pairs_off):
        found: NDArray[np.bool_] = next_words(translator, pairs).right.numpy()
    return found


def firing(moments: NextWords, word_id: int, n: int, others: bool = False) -> list[int]:
    """Return the n pairs that fire most, in the mean over the moments when a word comes next.

    With `others`, return the n that fire most at all other moments, none of the first among them.
    """
    when = moments.ids == word_id
    most = [int(i) for i in moments.inner[when].mean(0).argsort(descending=True)[:n]]
    if not others:
        return most
    elsewhere = moments.inner[~when].mean(0).argsort(descending=True)
    return [int(i) for i in elsewhere if int(i) not in most][:n]


def told(
    translator: Translator, pairs: Sequence[SentencePair], others: Sequence[SentencePair], n: int = 40
) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name, of the network that the translator misses most.

    Shares of next words that are found, where sentences end and elsewhere (`_rest`): with all networks, without the
    decoder's first (`off`), with that held at its mean (`mean`), without the n pairs of it that fire most where
    sentences end (`few`), without the first half of these (`half`) or the second (`other_half`), with these n alone
    (`only`), and without the n others that fire most elsewhere (`control`).
    Pairs are chosen on `others`, and what is found is counted on `pairs`.
    """
    name = "decoder 0"
    moments = next_words(translator, pairs, watched=name)
    elsewhere = next_words(translator, others, watched=name)
    with held_at_its_mean(translator, name, elsewhere):
        held = next_words(translator, pairs).right.numpy()
    few = firing(elsewhere, EOS_ID, n)
    rest = set(range(moments.inner.shape[1])) - set(few)
    found = {
        "whole": moments.right.numpy(),
        "off": right(translator, pairs, [name]),
        "mean": held,
        "few": right(translator, pairs, [name], few),
        "only": right(translator, pairs, [name], rest),
        "half": right(translator, pairs, [name], few[: n // 2]),
        "other_half": right(translator, pairs, [name], few[n // 2 :]),
        "control": right(translator, pairs, [name], firing(elsewhere, EOS_ID, n, others=True)),
    }
    ends = (moments.ids == EOS_ID).numpy()
    numbers = {f"end_{what}": float(hits[ends].mean()) for what, hits in found.items()}
    numbers |= {f"end_{what}_rest": float(hits[~ends].mean()) for what, hits in found.items()}
    return numbers | {"words_whole": float(found["whole"].mean()), "words_off": float(found["off"].mean())}
