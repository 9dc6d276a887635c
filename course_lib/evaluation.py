"""How good is a translation, and does attention find the word it translates?

Texts are compared as they are given: normalise both sides
(`course_lib.text.typography.normalise`), or typography counts as an error.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sacrebleu.metrics.bleu import BLEU

Link = tuple[int, int]


class BleuScore(NamedTuple):
    """Corpus BLEU with what is needed to reproduce it.

    Attributes
    ----------
    score : float
        0 to 100.
    precisions : tuple of float
        Share in per cent of the hypotheses' 1-, 2-, 3- and 4-grams that occur in the reference.
    brevity_penalty : float
        1, or less when the hypotheses are shorter than the references.
    signature : str
        sacreBLEU's: case, tokenisation, smoothing and version, to be quoted with the score.
    """

    score: float
    precisions: tuple[float, ...]
    brevity_penalty: float
    signature: str

    def __str__(self) -> str:
        """Score and signature on a line."""
        return f"BLEU {self.score:.1f} ({self.signature})"


class Accuracy(NamedTuple):
    """How many sentences of a group are right."""

    n_correct: int
    n_sentences: int

    @property
    def share(self) -> float:
        """Share of sentences that are right, 0 to 1."""
        return self.n_correct / self.n_sentences


def bleu(hypotheses: Sequence[str], references: Sequence[str], lowercase: bool = False) -> BleuScore:
    """Compare translations with one reference each: corpus BLEU by sacreBLEU, tokenisation 13a.

    BLEU = BP · exp(¼ Σₙ log pₙ), n = 1…4, with pₙ the clipped n-gram precisions over the whole corpus and the
    brevity penalty BP = min(1, exp(1 − r/c)) for references of r and hypotheses of c words in all.

    Parameters
    ----------
    hypotheses, references : sequence of str
        n sentences each, with their words joined as they are written (sacreBLEU cuts them itself).
    lowercase : bool
        Whether to ignore case.

    Returns
    -------
    BleuScore
        Score and signature.

    Raises
    ------
    ValueError
        If the two differ in length, or are empty.

    Notes
    -----
    Papineni et al. (2002); Post (2018), "A Call for Clarity in Reporting BLEU Scores".

    Examples
    --------
    >>> score = bleu(["Le chat dort bien ici."], ["Le chat dort bien là."])
    >>> round(score.score, 1), [round(p) for p in score.precisions]
    (53.7, [83, 60, 50, 33])
    """
    _check_paired(hypotheses, references)
    metric = BLEU(lowercase=lowercase)
    result = metric.corpus_score(list(hypotheses), [list(references)])
    return BleuScore(result.score, tuple(result.precisions), result.bp, str(metric.get_signature()))


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Share of the translations that are the reference, letter by letter.

    Parameters
    ----------
    hypotheses, references : sequence of str
        n sentences each.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ValueError
        If the two differ in length, or are empty.

    Examples
    --------
    >>> exact_match(["Je t'aime.", "Je dors"], ["Je t'aime.", "Je dors."])
    0.5
    """
    _check_paired(hypotheses, references)
    return sum(h == r for h, r in zip(hypotheses, references, strict=True)) / len(references)


def accuracy_by_phenomenon(
    hypotheses: Sequence[str], references: Sequence[str], tags: Sequence[Collection[str]]
) -> dict[str, Accuracy]:
    """Exact match by what is in the sentence: negation, agreement, elision, …

    Parameters
    ----------
    hypotheses, references : sequence of str
        n sentences each.
    tags : sequence of collections of str
        The names of the phenomena in each of the n sentences: none, one or several.

    Returns
    -------
    dict of str to Accuracy
        For each name, in alphabetical order, the sentences that carry it.

    Raises
    ------
    ValueError
        If the three differ in length or are empty, or if the tags of a sentence are one string.

    Examples
    --------
    >>> accuracy_by_phenomenon(["a", "b"], ["a", "c"], [{"elision"}, {"elision", "negation"}])
    {'elision': Accuracy(n_correct=1, n_sentences=2), 'negation': Accuracy(n_correct=0, n_sentences=1)}
    """
    _check_paired(hypotheses, references)
    if len(tags) != len(references):
        raise ValueError(f"tags must have one entry for each of {len(references)} sentences, not {len(tags)}")
    right: dict[str, list[bool]] = {}
    for hypothesis, reference, names in zip(hypotheses, references, tags, strict=True):
        if isinstance(names, str):
            raise ValueError(f"tags must be collections of names, not the single string {names!r}")
        for name in set(names):
            right.setdefault(name, []).append(hypothesis == reference)
    return {name: Accuracy(sum(right[name]), len(right[name])) for name in sorted(right)}


def hard_alignment(weights: ArrayLike) -> set[Link]:
    """Link each target word to the source word on which its attention is largest.

    Row i of `weights` must be the step that *predicts* target word i, not the one that reads it; leave the row and
    the column of `</s>` out. The first column wins a tie; a row of zeros (nothing allowed) gets no link.

    Parameters
    ----------
    weights : array of shape (L_q, L_k)
        Attention weights of one head: rows are target words, columns source words.

    Returns
    -------
    set of (int, int)
        (target, source), positions counted from 0.

    Raises
    ------
    ValueError
        If `weights` is not a matrix with at least one column, or holds negative or non-finite numbers.

    Examples
    --------
    >>> sorted(hard_alignment([[0.9, 0.1, 0.0], [0.0, 0.2, 0.8], [0.1, 0.9, 0.0]]))
    [(0, 0), (1, 2), (2, 1)]
    """
    matrix = np.asarray(weights, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise ValueError(f"weights must have shape (L_q, L_k) with L_k ≥ 1, not {matrix.shape}")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError("weights must be finite and not negative")
    return {(row, int(matrix[row].argmax())) for row in range(len(matrix)) if matrix[row].any()}


def alignment_error_rate(
    predicted: Iterable[AbstractSet[Link]],
    sure: Iterable[AbstractSet[Link]],
    possible: Iterable[AbstractSet[Link]] | None = None,
) -> float:
    """Compare word alignments with gold ones: 0 is perfect, 1 has no link in common.

    AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), summed over all sentences, for predicted links A, sure gold links S
    and possible gold links P ⊇ S: a sure link is to be found, and what is found is to be possible.

    Parameters
    ----------
    predicted, sure : iterable of sets of (int, int)
        The links of each sentence, (target, source) from 0, such as `hard_alignment` gives.
    possible : iterable of sets of (int, int), optional
        The sure links and others that are not wrong. By default the sure ones alone.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ValueError
        If the numbers of sentences differ, if there is no link at all, or if a sure link is not possible.

    Notes
    -----
    Och and Ney (2003), "A Systematic Comparison of Various Statistical Alignment Models".

    Examples
    --------
    >>> alignment_error_rate([{(0, 0), (1, 1)}], sure=[{(0, 0), (1, 2)}])
    0.5
    """
    predicted, sure = list(predicted), list(sure)
    allowed = sure if possible is None else list(possible)
    if not len(predicted) == len(sure) == len(allowed):
        raise ValueError(
            "predicted, sure and possible must have one set for each sentence, "
            f"not {len(predicted)}, {len(sure)} and {len(allowed)}"
        )
    for number, (links, permitted) in enumerate(zip(sure, allowed, strict=True)):
        if not links <= permitted:
            raise ValueError(
                f"possible must hold every sure link; sentence {number} lacks {links - permitted}"
            )
    found = sum(len(a & s) + len(a & p) for a, s, p in zip(predicted, sure, allowed, strict=True))
    total = sum(map(len, predicted)) + sum(map(len, sure))
    if total == 0:
        raise ValueError("predicted and sure hold no link")
    return 1 - found / total


def _check_paired(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(texts, str):
            raise ValueError(f"{name} must be a sequence of sentences, not one string")
    if len(hypotheses) != len(references):
        raise ValueError(
            f"hypotheses and references must be equally many, not {len(hypotheses)} and {len(references)}"
        )
    if not references:
        raise ValueError("hypotheses and references must hold at least one sentence")
