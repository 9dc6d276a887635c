"""What is measured of a trained translator: quality by test set and phenomenon, alignment, speed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from course_lib.corpus.batches import encode_pairs, evaluation_batches
from course_lib.corpus.embedded import AnnotatedPair
from course_lib.corpus.readers import SentencePair
from course_lib.evaluation import alignment_error_rate, bleu, exact_match, hard_alignment
from course_lib.translator import Translator


def quality(
    translator: Translator, pairs: Sequence[SentencePair | AnnotatedPair], beam: int = 1, alpha: float = 1.0
) -> dict[str, Any]:
    """Translate the source side of every pair and compare with its target side.

    Parameters
    ----------
    translator : Translator
    pairs : n pairs
        A whole test set, or a whole challenge set.
    beam, alpha : int, float
        Beam width (1 is greedy search) and strength of the length penalty.

    Returns
    -------
    dict
        ``n``; ``exact_match`` (0 to 1); ``bleu`` and ``bleu_lowercase`` (0 to 100) with their ``signature`` and
        ``signature_lowercase``.

    Examples
    --------
    >>> class Parrot:  # repeats what it hears
    ...     def translate(self, sentences, beam, alpha):
    ...         return sentences
    >>> quality(Parrot(), [SentencePair("un chat", "un chat"), SentencePair("a dog", "un chien")])["exact_match"]
    0.5
    """
    translations = translator.translate([pair.source for pair in pairs], beam, alpha)
    references = [pair.target for pair in pairs]
    cased, lowercase = bleu(translations, references), bleu(translations, references, lowercase=True)
    return {
        "n": len(pairs),
        "exact_match": exact_match(translations, references),
        "bleu": cased.score,
        "bleu_lowercase": lowercase.score,
        "signature": cased.signature,
        "signature_lowercase": lowercase.signature,
    }


@torch.no_grad()
def alignment_errors(translator: Translator, pairs: Sequence[AnnotatedPair]) -> list[list[float]]:
    """Return the alignment error rate of every head of every cross-attention layer, against the gold alignments.

    The gold translation is fed in (teacher forcing); each of its words is linked to the source word at which the
    step that *predicts* it looks most.

    Parameters
    ----------
    translator : Translator
        With word tokenisers that cut sentences as the corpus does.
    pairs : sequence of AnnotatedPair

    Returns
    -------
    list of lists, layer by layer, head by head
        0 is perfect, 1 has no link in common. Empty for a model without cross-attention.

    Raises
    ------
    ValueError
        If a sentence has another number of tokens than of words.
    """
    encoded, _ = encode_pairs(
        [SentencePair(pair.source, pair.target) for pair in pairs],
        translator.source_tokeniser,
        translator.target_tokeniser,
    )
    model = translator.model.eval()
    found: dict[tuple[int, int], dict[int, set[tuple[int, int]]]] = {}
    for batch, where in evaluation_batches(encoded, n_tokens=4000):
        batch = batch.to(translator.device)
        for layer, maps in enumerate(model.attention_maps(batch.source, batch.target_in).cross):
            for row, index in enumerate(where):
                n_source, n_target = len(pairs[index].source_tokens), len(pairs[index].target_tokens)
                if (n_source + 1, n_target) != tuple(map(len, encoded[index])):  # the source ends in </s>
                    raise ValueError(f"pair {index}: its tokens are not the words of the corpus")
                for head, weights in enumerate(maps[row, :, :n_target, :n_source].float().cpu().numpy()):
                    found.setdefault((layer, head), {})[index] = hard_alignment(weights)
    gold = [{(j, i) for i, j in pair.alignment} for pair in pairs]
    errors: list[list[float]] = []
    for layer, head in sorted(found):
        if layer == len(errors):
            errors.append([])
        links = found[layer, head]
        errors[layer].append(alignment_error_rate([links[i] for i in range(len(pairs))], gold))
    return errors


def decoding_speeds(
    translators: Mapping[str, Translator],
    sentences: Sequence[str],
    batch_sizes: Sequence[int],
    length: int,
    repeats: int = 3,
) -> dict[str, list[float]]:
    """Measure target tokens a second when exactly `length` tokens are generated for each sentence.

    The models take turns, so that whatever else the machine does falls on all of them; medians are returned.

    Parameters
    ----------
    translators : mapping from name to Translator
    sentences : sequence of str
        Each batch is filled with the first of them, again and again if need be.
    batch_sizes : sequence of int
    length : int
        Tokens generated, whatever the model would have ended with.
    repeats : int

    Returns
    -------
    dict from name to list of float
        Tokens a second, one for each batch size.
    """
    speeds: dict[str, list[float]] = {name: [] for name in translators}
    for size in batch_sizes:
        seconds: dict[str, list[float]] = {name: [] for name in translators}
        for _ in range(repeats):
            for name, translator in translators.items():
                chosen = [sentences[i % len(sentences)] for i in range(size)]
                seconds[name].append(_seconds_to_generate(translator, chosen, length))
        for name in translators:
            speeds[name].append(size * length / statistics.median(seconds[name]))
    return speeds


@torch.no_grad()
def _seconds_to_generate(translator: Translator, sentences: Sequence[str], length: int) -> float:
    encoded, _ = encode_pairs(
        [SentencePair(sentence, sentence) for sentence in sentences],
        translator.source_tokeniser,
        translator.source_tokeniser,
    )
    ((batch, _),) = evaluation_batches(encoded, n_tokens=10**9)
    model = translator.model.eval()
    start = time.perf_counter()
    source = batch.source.to(translator.device)
    state = model.encode(source)
    tokens = torch.ones(len(source), dtype=torch.int64, device=source.device)
    for _ in range(length):
        tokens = model.step(tokens, state).argmax(dim=-1)
    tokens.tolist()  # waits until a GPU is through
    return time.perf_counter() - start


def seconds_to_reach(looks: Sequence[Mapping[str, float]], level: float) -> float:
    """Return the training seconds after which validation BLEU first reached a level; ∞ if it never did.

    Examples
    --------
    >>> seconds_to_reach([{"seconds": 10, "bleu": 20.0}, {"seconds": 20, "bleu": 60.0}], 50)
    20.0
    """
    reached = [look["seconds"] for look in looks if look["bleu"] >= level]
    return float(min(reached, default=np.inf))
