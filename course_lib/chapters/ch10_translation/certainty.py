"""How near to 1 the weights of cross-attention are, and whether they have to be: its scores multiplied."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from course_lib.chapters.ch10_translation.hard_test import Table
from course_lib.evaluation import exact_match
from course_lib.model import Transformer, attention, masked_softmax
from course_lib.special_ids import PAD_ID
from course_lib.text.batches import encode_pairs, evaluation_batches
from course_lib.text.readers import SentencePair
from course_lib.translator import Translator

HARD = math.inf
TIMES = {
    1.0: "as trained",
    HARD: "all weight on the largest",
    1 / 4: "scores divided by 4",
    1 / 10: "scores divided by 10",
    0.0: "all weights equal",
}


@dataclass(frozen=True)
class _Multiplied:
    """Attention whose scores are multiplied before the softmax."""

    times: float

    def __call__(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor]:
        if self.times != HARD:
            return attention(self.times * queries, keys, values, mask, dropout)
        weights = masked_softmax(queries @ keys.mT, mask)  # (…, L_q, L_k)
        chosen = F.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights.dtype)
        return chosen @ values, chosen


def multiplied(translator: Translator, times: float) -> Translator:
    """Return a copy whose cross-attention multiplies all its scores before the softmax; the weights stay.

    Parameters
    ----------
    translator : Translator
        Of a `Transformer`.
    times : float
        At least 0. With 0 all words get equal weights, with `HARD` the one with the largest score gets all.

    Raises
    ------
    ValueError
        If the model is no Transformer, or the number is negative or NaN.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> even = multiplied(Translator(model, words, words), 0).model
    >>> even.attention_maps(torch.tensor([[7, 8]]), torch.tensor([[1]])).cross[0][0, 0].tolist()
    [[0.5, 0.5]]
    """
    if not isinstance(translator.model, Transformer):
        raise ValueError(f"model {type(translator.model).__name__}: only a Transformer is changed")
    if not times >= 0:
        raise ValueError(f"times is {times}: expected a number of at least 0")
    model = copy.deepcopy(translator.model).eval()
    for block in model.decoder:
        layer: Any = block.cross_attention
        layer.attention_function = _Multiplied(times)
    return Translator(model, translator.source_tokeniser, translator.target_tokeniser, translator.facts)


@torch.no_grad()
def largest_weights(translator: Translator, pairs: Sequence[SentencePair]) -> Tensor:
    """Return the largest weight of each head of the cross-attention at each French token, true French read.

    Returns
    -------
    Tensor
        (n,), of all tokens, layers and heads.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> hard = multiplied(Translator(model, words, words), HARD)
    >>> largest_weights(hard, [SentencePair("I sleep.", "Je dors.")]).unique().tolist()
    [1.0]
    """
    encoded, _ = encode_pairs(pairs, translator.source_tokeniser, translator.target_tokeniser)
    found = []
    for batch, _ in evaluation_batches(encoded, n_tokens=4000):
        is_token = batch.target_out != PAD_ID  # (B, L_t)
        for weights in translator.model.eval().attention_maps(batch.source, batch.target_in).cross:
            largest = weights.amax(-1).transpose(1, 2)  # (B, H, L_t, L_s) → (B, L_t, H)
            found.append(largest[is_token].flatten())
    return torch.cat(found)


def measured(translator: Translator, pairs: Sequence[SentencePair], times: float) -> dict[str, float]:
    """Measure a translator whose scores are multiplied.

    Returns
    -------
    dict
        "typical", the median of the largest weights; "exact", the share of sentences translated exactly, greedily.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> measured(Translator(model, words, words), [SentencePair("I sleep.", "Je dors.")], HARD)["typical"]
    1.0
    """
    changed = multiplied(translator, times)
    translations = changed.translate([pair.source for pair in pairs])
    return {
        "typical": float(largest_weights(changed, pairs).median()),
        "exact": exact_match(translations, [pair.target for pair in pairs]),
    }


def table(found: dict[float, dict[str, float]]) -> Table:
    """Tabulate what `measured` gave for some of `TIMES`.

    >>> table({HARD: {"typical": 1.0, "exact": 0.5}})
    | cross-attention | typical largest weight | exact |
    |:---|---:|---:|
    | all weight on the largest | 1.00 | 50% |
    """
    rows = ((TIMES[times], f"{each['typical']:.2f}", f"{each['exact']:.0%}") for times, each in found.items())
    return Table(("cross-attention", "typical largest weight", "exact"), tuple(rows))
