"""Texts that repeat themselves, a small model that learns to copy them, and the heads by which it does so.

A text is a list of words without any sense, said again and again: *cat moon king sky cat moon king sky cat …*. Where
the second round begins, what comes next is known to whoever looks up what came after the same word before.
"""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.ch14_looking_inside.heads import outputs, replaced
from course_lib.chapters.fit import fit, seeded
from course_lib.model import DecoderOnlyConfig, DecoderOnlyTransformer, EncoderBlock
from course_lib.model.blocks import Parts
from course_lib.model.transformer import initialise

WORDS = tuple(
    "apple bear bell boat bread cat chair cloud dog door egg fish gate hat horse key king lake leaf moon nail owl "  # noqa: SIM905
    "pen queen rain ring rose ship sky snow star tree".split()
)
LENGTH, SHORTEST = 25, 5  # words of a text, and the shortest round
STEPS, BATCH, LEARNING_RATE = 320, 32, 1e-2
SHAPE: dict[str, Any] = {"d_model": 32, "n_heads": 4, "d_ff": 1, "dropout": 0.0, "tie": "none"}


def repeated(
    n: int, generator: torch.Generator, length: int = LENGTH, latest: int = 0
) -> tuple[Tensor, Tensor]:
    """Draw texts that repeat themselves; say where the next word is known.

    Parameters
    ----------
    n : int
        Number of texts, B.
    generator : torch.Generator
    length : int
        Words of a text, L + 1.
    latest : int
        The first round begins at any position up to this one; before it stand other words, each once. At most 12.

    Returns
    -------
    ids : Tensor (B, L + 1)
        A round has at least `SHORTEST` words, at most half of the text, and none of them twice.
    known : boolean Tensor (B, L)
        Whether the word after each of the first L is the one that came after it in the round before.

    Examples
    --------
    >>> ids, known = repeated(1, torch.Generator().manual_seed(1))
    >>> " ".join(WORDS[i] for i in ids[0, :9])
    'ship boat nail apple pen gate moon queen cat'
    >>> known[0, :9].tolist()
    [False, False, False, False, False, False, False, False, False]
    """
    period = torch.randint(SHORTEST, length // 2 + 1, (n, 1), generator=generator)
    rounds = torch.rand(n, len(WORDS), generator=generator).argsort(dim=1)  # each a row of words, mixed
    begin = torch.randint(latest + 1, (n, 1), generator=generator) if latest else 0
    places = torch.arange(length).expand(n, -1) - begin  # negative before the first round
    return rounds.gather(1, torch.where(places < 0, places + len(WORDS), places % period)), places[
        :, :-1
    ] >= period


class Nothing(nn.Module):
    """What stands in a block in the place of the feed-forward network: it adds 0.

    Examples
    --------
    >>> Nothing(2, 8)(torch.ones(1, 2)).tolist()
    [[0.0, 0.0]]
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        """Return zeros of the shape of `x`."""
        return torch.zeros_like(x)


def untrained(
    seed: int = 0, *, n_layers: int = 2, position: Any = "learned", n_words: int = len(WORDS)
) -> DecoderOnlyTransformer:
    """Return a model of attention alone: four heads a layer, but of two layers the last has one.

    Examples
    --------
    >>> untrained()(torch.tensor([[3, 1, 4]])).shape
    torch.Size([1, 3, 32])
    """
    config = DecoderOnlyConfig(n_words, n_layers=n_layers, position=position, **SHAPE)
    parts = Parts(feed_forward=Nothing)
    with seeded(seed):
        model = DecoderOnlyTransformer(config, parts)
        if n_layers == 2:
            model.blocks[1] = EncoderBlock(SHAPE["d_model"], n_heads=1, d_ff=1, parts=parts)
            initialise(model.blocks[1])
    return model


def mean_loss(model: nn.Module, ids: Tensor, known: Tensor) -> Tensor:
    """Return the mean loss of predicting the words that are known, in nats."""
    each = F.cross_entropy(model(ids[:, :-1]).transpose(1, 2), ids[:, 1:], reduction="none")  # (B, L)
    return each[known].mean()


def train(
    model: DecoderOnlyTransformer, steps: Iterable[int], seed: int = 0, latest: int = 0
) -> NDArray[np.float64]:
    """Train a model to predict the words that are known, of `repeated` texts; return the loss of each step.

    Examples
    --------
    >>> bool(3 < train(untrained(), range(1))[0] < 6)
    True
    """

    def loss(generator: torch.Generator) -> Tensor:
        return mean_loss(model, *repeated(BATCH, generator, latest=latest))

    return fit(model, loss, steps, learning_rate=LEARNING_RATE, seed=seed, clip=None)


class Looks(NamedTuple):
    """The share of its weight that each head gives to a place: for each layer (H,)."""

    before: list[Tensor]  # to the word just before
    after: list[
        Tensor
    ]  # where the next word is known, to the words that came after earlier ones of the same kind


@torch.no_grad()
def looks(model: DecoderOnlyTransformer, ids: Tensor, known: Tensor) -> Looks:
    """Measure what the heads look at, on texts as `repeated` draws them: to the word before, and as induction heads do.

    Examples
    --------
    >>> [len(heads) for heads in looks(untrained(), *repeated(2, torch.Generator().manual_seed(0))).after]
    [4, 1]
    """
    read = ids[:, :-1]
    same = (read[:, :, None] == read[:, None, :]).tril(-1)  # (B, L, L): an earlier one of the same kind
    follows = F.pad(same[:, :, :-1], (1, 0))
    maps = model.attention_maps(read)  # a (B, H, L, L) for each layer
    before = [w.diagonal(-1, dim1=2, dim2=3).mean(dim=(0, 2)) for w in maps]
    after = [(w * follows[:, None]).sum(-1).transpose(1, 2)[known].mean(0) for w in maps]
    return Looks(before, after)


@torch.no_grad()
def right(
    model: DecoderOnlyTransformer,
    ids: Tensor,
    known: Tensor,
    without: Sequence[tuple[int, int]] = (),
    averaged: bool = False,
) -> float:
    """Return the share of known words that a model names, without some of its heads, (layer, head) each.

    These put out zeros; or, if `averaged`, at each position what they put out there on average over the texts.

    Examples
    --------
    >>> texts = repeated(8, torch.Generator().manual_seed(0))
    >>> right(untrained(), *texts, without=[(0, 1), (1, 0)]) < 0.2
    True
    """
    named = _named(model, ids, without, averaged)
    return float((named == ids[:, 1:])[known].float().mean())


@torch.no_grad()
def in_text(
    model: DecoderOnlyTransformer, ids: Tensor, known: Tensor, without: Sequence[tuple[int, int]] = ()
) -> float:
    """Return how often a model names any word of the text so far, right or not, where the next word is known.

    Examples
    --------
    >>> 0 <= in_text(untrained(), *repeated(8, torch.Generator().manual_seed(0))) <= 1
    True
    """
    named = _named(model, ids, without)
    stands = (named[:, :, None] == ids[:, None, :-1]).tril().any(-1)
    return float(stands[known].float().mean())


def _named(
    model: DecoderOnlyTransformer, ids: Tensor, without: Sequence[tuple[int, int]], averaged: bool = False
) -> Tensor:
    read = ids[:, :-1]
    own = outputs(model, read) if averaged else {}
    with ExitStack() as stack:
        for layer, head in without:
            attention: Any = model.blocks[layer].attention
            by = own[attention].mean(dim=0, keepdim=True).expand_as(own[attention]) if averaged else 0.0
            stack.enter_context(replaced(attention, head, by))
        named: Tensor = model(read).argmax(-1)
    return named


def unseen_texts(n: int = 256, length: int = LENGTH) -> tuple[Tensor, Tensor]:
    """Return texts that no training has drawn, as `repeated` does, always the same ones."""
    return repeated(n, torch.Generator().manual_seed(99), length)


@torch.no_grad()
def copied(model: nn.Module, n: int = 32) -> NDArray[np.float64]:
    """Measure copying over every distance: texts of different words, at whose end one word comes again.

    Parameters
    ----------
    model : nn.Module
        From ids (B, L) to logits (B, L, n_vocab).
    n : int
        Texts for each place and distance.

    Returns
    -------
    array (24, 24)
        At [d, i], of the texts whose last word stands at i too, d words earlier, the share in which the model names the
        word that came after it. NaN where i + d is 24 or more, and for d < 2, where nothing stands between.

    Examples
    --------
    >>> copied(untrained(), 1)[2:4, :1].shape
    (2, 1)
    """
    mixed = torch.rand(n, len(WORDS), generator=torch.Generator().manual_seed(5)).argsort(dim=1)
    n_read = LENGTH - 1
    found = np.full((n_read, n_read), np.nan)
    for distance in range(2, n_read):
        for i in range(n_read - distance):
            ids = mixed[:, : i + distance + 1].clone()
            ids[:, -1] = ids[:, i]
            named = model(ids)[:, -1].argmax(-1)
            found[distance, i] = (named == ids[:, i + 1]).float().mean()
    return found


@torch.no_grad()
def named_early(
    model: nn.Module, places: Sequence[int] = range(14, 21), border: int = 12, n: int = 64
) -> float:
    """Return how many of the words that a model names stand at places up to a border, where it has to copy from later.

    The texts are those of `copied`, over distances 2 to 4. 0.57 to 0.8 of their words stand up to place 12.

    Examples
    --------
    >>> 0 <= named_early(untrained(), n=2) <= 1
    True
    """
    mixed = torch.rand(n, len(WORDS), generator=torch.Generator().manual_seed(5)).argsort(dim=1)
    found = []
    for i in places:
        for distance in range(2, min(5, LENGTH - 1 - i)):
            ids = mixed[:, : i + distance + 1].clone()
            ids[:, -1] = ids[:, i]
            named = model(ids)[:, -1].argmax(-1)
            found.append((named[:, None] == ids[:, : border + 1]).any(-1).float().mean())
    return float(torch.stack(found).mean())


class Noted(NamedTuple):
    """In what share of texts *king* is named, with another text's note on it: after *moon*, and after *star*."""

    before: tuple[float, float]  # nothing is patched
    patched: tuple[float, float]  # at *king* layer 0 puts out what it does where *star* stands before it
    control: tuple[float, float]  # … where *star* stands two places before it, before *moon*
    query: (
        float  # after *moon*, where layer 0 puts out at the last word what it does on average over the texts
    )


@torch.no_grad()
def noted(model: DecoderOnlyTransformer, n: int = 256, at: int = 4) -> Noted:
    """Patch what layer 0 puts out at one word by what it does where another word stands before that one.

    All n texts have 16 different words, *moon* and *king* at `at` and the place after it, and end in *moon* again; or
    they end in *star*, which stands nowhere else. The other text differs in *star* in the place of *moon*, or, for the
    control, of the word before *moon*.

    Examples
    --------
    >>> noted(untrained(), 8).query < 0.5
    True
    """
    mixed = torch.rand(n, len(WORDS), generator=torch.Generator().manual_seed(6)).argsort(dim=1)
    text, star = mixed[:, :16], mixed[:, 16]
    moon, king = text[:, at], text[:, at + 1]
    layer: Any = model.blocks[0].attention

    def named(last: Tensor, star_at: int | None = None) -> float:
        ids = torch.cat([text, last[:, None]], dim=1)
        if star_at is None:
            return float((model(ids)[:, -1].argmax(-1) == king).float().mean())
        other = ids.clone()
        other[:, star_at] = star
        theirs = outputs(model, other)[layer]
        with replaced(layer, range(layer.n_heads), theirs, slice(at + 1, at + 2)):
            return float((model(ids)[:, -1].argmax(-1) == king).float().mean())

    ids = torch.cat([text, moon[:, None]], dim=1)
    own = outputs(model, ids)[layer]
    middle = own.mean(dim=0, keepdim=True).expand_as(own)
    with replaced(layer, range(layer.n_heads), middle, slice(16, 17)):
        query = float((model(ids)[:, -1].argmax(-1) == king).float().mean())
    return Noted(
        (named(moon), named(star)),
        (named(moon, at), named(star, at)),
        (named(moon, at - 1), named(star, at - 1)),
        query,
    )


def needed(latest: int = 0, length: int = LENGTH) -> NDArray[np.float64]:
    """Return how often a text of training asks for the word after one that stands at each place, (L,), on average.

    Counted is the place of the word in the first round. `latest` is that of `repeated`.

    Examples
    --------
    >>> needed()[[10, 11, 12]].tolist()
    [0.25, 0.125, 0.0]
    """
    found = np.zeros(length - 1)
    cases = [(r, b) for r in range(SHORTEST, length // 2 + 1) for b in range(latest + 1)]
    for period, begin in cases:
        for i in range(begin + period, length - 1):
            found[begin + (i - begin) % period] += 1
    return found / len(cases)


def guessing() -> float:
    """Return how often a word of a text, drawn by chance, is the one to come, over texts as `repeated` draws them.

    Examples
    --------
    >>> round(guessing(), 2)
    0.13
    """
    rounds = np.arange(SHORTEST, LENGTH // 2 + 1)
    known = LENGTH - 1 - rounds
    return float((known / rounds).sum() / known.sum())
