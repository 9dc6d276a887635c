"""Does a translator know who did what to whom, and where its words stand? Three measures that need no training.

The first asks for the translations of two sentences with the same words in another order; a model that sees no order
gives both the same. The second numbers the positions of short sentences from another number than 0. The third puts the
positions of long sentences closer together, until all are among those of training.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.evaluation import exact_match
from course_lib.fast import prepare
from course_lib.model import Transformer
from course_lib.model.attention import AttentionFunction
from course_lib.model.positions import PositionalEncoding, RotaryAttention, angles, rotate
from course_lib.special_ids import PAD_ID
from course_lib.text.batches import encode_pairs, evaluation_batches
from course_lib.text.embedded import REVERSALS, AnnotatedPair, Reversal
from course_lib.text.readers import SentencePair
from course_lib.text.typography import normalise
from course_lib.translator import Translator

# What a model reaches at best that gives both sentences of a reversal the same translation.
WITHOUT_ORDER = {"exact_match": 0.5, "both": 0.0, "prefers": 0.5}
SAME = 1e-3  # nats: log-probabilities that differ by less are those of a model that sees no difference
TOLD = 3  # reversals of each kind whose translations a record holds

SHORT = (8, 9)  # most English and French words of a sentence whose positions are moved
N_SHORT = 200
SHIFTS = (  # numbers of the first positions, of the source and of the target
    *((0, 0), (1, 0), (2, 0), (3, 0), (4, 0)),
    *((1, 1), (2, 2), (3, 3), (4, 4)),
    *((0, 2), (0, 4)),
)
TRAINED = (
    12  # the last position of the source that training has shown: that of </s> behind its longest sentences
)
SPACINGS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # of the positions of short sentences


@torch.no_grad()
def log_probabilities(translator: Translator, pairs: Sequence[SentencePair]) -> NDArray[np.float64]:
    """Return the log-probability of each translation, given its source, in nats: </s> included.

    Parameters
    ----------
    translator : Translator
    pairs : sequence of n SentencePair

    Returns
    -------
    array (n,)

    Raises
    ------
    ValueError
        If there is no pair.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> bool(log_probabilities(Translator(model, words, words), [SentencePair("I sleep.", "Je dors.")])[0] < 0)
    True
    """
    encoded, _ = encode_pairs(pairs, translator.source_tokeniser, translator.target_tokeniser)
    model = prepare(translator.model).model.eval()
    found = np.empty(len(encoded))
    for batch, where in evaluation_batches(encoded, n_tokens=2000):
        batch = batch.to(translator.device)
        log_p = model(batch.source, batch.target_in).float().log_softmax(dim=-1)  # (B, L_t, n_vocab)
        of_target = log_p.gather(2, batch.target_out.unsqueeze(2)).squeeze(2)  # (B, L_t)
        real = batch.target_out != PAD_ID
        found[where] = of_target.masked_fill(~real, 0.0).sum(dim=1).double().cpu().numpy()
    return found


def order_measures(
    translator: Translator, reversals: Sequence[Reversal], kinds: dict[str, int] = REVERSALS
) -> dict[str, Any]:
    """Measure whether a translator tells sentences apart that have the same words in another order.

    Parameters
    ----------
    translator : Translator
    reversals : sequence of n pairs of AnnotatedPair
        Such as `load_reversals()` returns, of all kinds.
    kinds : mapping from kind to int
        How many of each kind there are, one kind after the other.

    Returns
    -------
    dict
        "all" and each kind, with `n`, the number of reversals, and shares from 0 to 1:

        - `exact_match`, of the 2·n sentences, those that are translated exactly;
        - `both`, of the n reversals, those of which both sentences are;
        - `turned`, of the 2·n sentences, those whose translation is exactly that of the other one;
        - `prefers`, of the 2·n sentences, those whose translation is likelier than that of the other one. Where the
          two are as likely, to a thousandth of a nat, it counts a half.

        "told": source, reference and translation of some.

        A model that sees no order translates both sentences alike: at best `WITHOUT_ORDER`.

    Raises
    ------
    ValueError
        If there are not as many reversals as of all kinds.
    """
    if len(reversals) != sum(kinds.values()) or not reversals:
        raise ValueError(f"reversals: expected {sum(kinds.values())}, not {len(reversals)}")
    each = [_plain(pair) for both in reversals for pair in both]  # the other one stands beside it
    others = [each[i ^ 1] for i in range(len(each))]
    translations = translator.translate([pair.source for pair in each])
    right = np.array([t == pair.target for t, pair in zip(translations, each, strict=True)])
    turned = np.array([t == pair.target for t, pair in zip(translations, others, strict=True)])
    crossed = [SentencePair(pair.source, other.target) for pair, other in zip(each, others, strict=True)]
    lead = log_probabilities(translator, each) - log_probabilities(translator, crossed)
    prefers = np.where(np.abs(lead) < SAME, 0.5, lead > 0)

    def measured(rows: slice) -> dict[str, float]:
        exact = right[rows]
        return {
            "n": len(exact) // 2,
            "exact_match": float(exact.mean()),
            "both": float((exact[::2] & exact[1::2]).mean()),
            "turned": float(turned[rows].mean()),
            "prefers": float(prefers[rows].mean()),
        }

    found: dict[str, Any] = {"all": measured(slice(None))}
    told: list[int] = []
    start = 0
    for kind, size in kinds.items():
        found[kind] = measured(slice(2 * start, 2 * (start + size)))
        told += range(2 * start, 2 * (start + min(TOLD, size)))
        start += size
    found["told"] = [
        {"source": each[i].source, "reference": each[i].target, "translation": translations[i]} for i in told
    ]
    return found


def _plain(pair: AnnotatedPair) -> SentencePair:
    return SentencePair(normalise(pair.source), normalise(pair.target))


def counted_from(translator: Translator, source: int = 0, target: int = 0) -> Translator:
    """Return a copy whose positions are numbered from other numbers than 0: those of the source, those of the target.

    Everything else stays, the weights too. Where positions are not in the words but in queries and keys (rotary), these
    are turned by so much more.

    Parameters
    ----------
    translator : Translator
        Of a `Transformer`.
    source, target : int
        The numbers of the first positions, at least 0.

    Raises
    ------
    ValueError
        If the model has no positions to number, or a number is negative.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> moved = counted_from(Translator(model, words, words), source=4).model
    >>> ids, zeros = torch.tensor([[7, 8]]), torch.zeros(1, 2, 8)
    >>> bool(torch.equal(moved.source_embedding(ids), model.eval().source_embedding(ids, start=4)))
    True
    """
    if not isinstance(translator.model, Transformer):
        raise ValueError(
            f"model {type(translator.model).__name__}: only a Transformer's positions have numbers"
        )
    if min(source, target) < 0:
        raise ValueError(f"source {source}, target {target}: expected numbers of at least 0")
    model = copy.deepcopy(translator.model).eval()
    for embedding, first, blocks, name in (
        (model.source_embedding, source, model.encoder, "attention"),
        (model.target_embedding, target, model.decoder, "self_attention"),
    ):
        embedding.positions.register_forward_pre_hook(partial(_moved, first))
        for block in blocks:
            layer = getattr(block, name)
            if isinstance(layer.attention_function, RotaryAttention):
                layer.attention_function = _RotaryFrom(first, layer.attention_function.attention_function)
    return Translator(model, translator.source_tokeniser, translator.target_tokeniser, translator.facts)


def _moved(first: int, module: nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    x, start = inputs
    return x, start + first


class _RotaryFrom:
    """Rotary positions that are numbered from another number than 0; otherwise as `RotaryAttention`."""

    def __init__(self, first: int, attention_function: AttentionFunction) -> None:
        self.first, self.attention_function = first, attention_function

    def __call__(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor | None]:
        start = self.first + keys.shape[-2] - queries.shape[-2]
        return self.attention_function(
            rotate(queries, start), rotate(keys, self.first), values, mask, dropout
        )


def short_pairs(pairs: Sequence[AnnotatedPair], n: int = N_SHORT) -> list[SentencePair]:
    """Return the first n pairs so short that their positions, numbered from 4, are all among those of training.

    Examples
    --------
    >>> from course_lib.text.embedded import load_embedded
    >>> found = short_pairs(load_embedded("test"))
    >>> len(found), found[0].source
    (200, 'Are the planes black?')
    """
    most_source, most_target = SHORT
    short = [
        pair
        for pair in pairs
        if len(pair.source_tokens) <= most_source and len(pair.target_tokens) <= most_target
    ]
    return [_plain(pair) for pair in short[:n]]


def shift_measures(
    translator: Translator,
    pairs: Sequence[SentencePair],
    shifts: Sequence[tuple[int, int]] = SHIFTS,
) -> list[dict[str, Any]]:
    """Measure how many sentences are still translated exactly when positions are numbered from other numbers.

    Parameters
    ----------
    translator : Translator
        Of a `Transformer`.
    pairs : sequence of SentencePair
        Such as `short_pairs` returns.
    shifts : sequence of (int, int)
        The numbers of the first position of the source, and of the target.

    Returns
    -------
    list of dict
        `source`, `target` (the numbers), `exact_match` (0 to 1), and `example`: of the first pair that positions from 0
        translate exactly and these do not, the source and what comes out; "" where there is none.
    """
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    before = translator.translate(sources)
    found = []
    for source, target in shifts:
        after = counted_from(translator, source, target).translate(sources)
        changed = (
            f"{pair.source} → {b}"
            for pair, a, b in zip(pairs, before, after, strict=True)
            if a == pair.target != b
        )
        found.append(
            {
                "source": source,
                "target": target,
                "exact_match": exact_match(after, references),
                "example": next(changed, ""),
            }
        )
    return found


def spaced(translator: Translator, source: float = 1.0, target: float = 1.0) -> Translator:
    """Return a copy whose positions are not 0, 1, 2, … but 0, s, 2s, …: on the source's side, and on the target's.

    Sines and cosines are defined between whole numbers, too. Everything else stays, the weights too.

    Parameters
    ----------
    translator : Translator
        Of a `Transformer` with sinusoidal positions that are added.
    source, target : float
        How far apart two neighbours are; 1 as in training.

    Raises
    ------
    ValueError
        If the model's positions are others.

    Notes
    -----
    Chen et al. (2023), *Extending Context Window of Large Language Models via Positional Interpolation*.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8)).eval()
    >>> closer, ids = spaced(Translator(model, words, words), source=0.5).model, torch.tensor([[7, 7, 7]])
    >>> bool(torch.allclose(closer.source_embedding(ids)[0, 2], model.source_embedding(ids)[0, 1]))
    True
    """
    model = copy.deepcopy(translator.model).eval()
    if not isinstance(model, Transformer) or (model.config.position, model.config.position_mode) != (
        "sinusoidal",
        "add",
    ):
        raise ValueError(
            f"{translator.kind}: expected a Transformer with sinusoidal positions that are added"
        )
    for embedding, step in ((model.source_embedding, source), (model.target_embedding, target)):
        embedding.positions = _Spaced(embedding.positions.d_position, step)
    return Translator(model, translator.source_tokeniser, translator.target_tokeniser, translator.facts)


class _Spaced(PositionalEncoding):
    """Sinusoidal positions whose neighbours are `step` apart."""

    def __init__(self, d_position: int, step: float) -> None:
        super().__init__(d_position)
        self.step = step

    def encoding(self, length: int, start: int = 0, device: torch.device | None = None) -> Tensor:
        theta = self.step * angles(length, self.d_position, start, device)
        return torch.stack([theta.sin(), theta.cos()], dim=-1).flatten(1)


def squeeze(
    translator: Translator,
    pairs: Sequence[SentencePair],
    sides: Collection[Literal["source", "target"]] = ("source", "target"),
    last: int = TRAINED,
) -> list[str]:
    """Translate greedily; the positions of sentences with more than `last` tokens are squeezed until they end there.

    Parameters
    ----------
    translator : Translator
        As in `spaced`.
    pairs : sequence of n SentencePair
        The target sides are not read.
    sides : "source", "target" or both
        Whose positions are squeezed: by as much on both, since before it is translated only the source's length is
        known.
    last : int
        The position at which the source's </s> is to stand.

    Returns
    -------
    list of n str
    """
    words = [len(translator.source_tokeniser.encode(pair.source)) for pair in pairs]
    translations = [""] * len(pairs)
    for length in sorted(set(words)):
        step = min(1.0, last / length)
        closer = spaced(translator, *(step if side in sides else 1.0 for side in ("source", "target")))
        where = [i for i, n in enumerate(words) if n == length]
        for i, text in zip(where, closer.translate([pairs[i].source for i in where]), strict=True):
            translations[i] = text
    return translations


def squeeze_measures(
    translator: Translator,
    short: Sequence[SentencePair],
    parts: Mapping[str, Sequence[SentencePair]],
    spacings: Sequence[float] = SPACINGS,
) -> dict[str, Any]:
    """Measure what a Transformer translates exactly when its positions are squeezed into those of training.

    Parameters
    ----------
    translator : Translator
        As in `spaced`.
    short : sequence of SentencePair
        Sentences whose positions are put closer together though nothing asks for it.
    parts : mapping from the name of a part of the corpus to its pairs
        "longer" among them.
    spacings : sequence of float

    Returns
    -------
    dict
        `counts`: for each part [words, sentences, translated exactly] of each length of the source; `source` and
        `target`: the share of the longer sentences that are translated exactly when only that side is squeezed;
        `short`: for each spacing `step` and `exact_match`; `examples`: of the longer sentences that only squeezing
        translates exactly the first few, with `source`, `before` and `after`.
    """
    found: dict[str, Any] = {"counts": {}}
    for name, pairs in parts.items():
        counts: dict[int, list[int]] = {}
        translations = squeeze(translator, pairs)
        for pair, text in zip(pairs, translations, strict=True):
            row = counts.setdefault(len(translator.source_tokeniser.encode(pair.source)), [0, 0])
            row[0] += 1
            row[1] += text == pair.target
        found["counts"][name] = [[words, *row] for words, row in sorted(counts.items())]
        if name == "longer":
            before = translator.translate([pair.source for pair in pairs])
            found["examples"] = [
                {"source": pair.source, "before": b, "after": a}
                for pair, b, a in zip(pairs, before, translations, strict=True)
                if b != pair.target == a
            ][:TOLD]
    references = [pair.target for pair in parts["longer"]]
    for side in ("source", "target"):
        found[side] = exact_match(squeeze(translator, parts["longer"], [side]), references)
    sources, references = [pair.source for pair in short], [pair.target for pair in short]
    found["short"] = [
        {
            "step": step,
            "exact_match": exact_match(spaced(translator, step, step).translate(sources), references),
        }
        for step in spacings
    ]
    return found
