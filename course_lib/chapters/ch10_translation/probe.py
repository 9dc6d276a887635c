"""What a trained encoder knows besides what it was trained for: a linear probe on its frozen output.

A probe is the smallest classifier there is, a weighted sum. What it can read off a vector lies there in the open; how
much of it the *network* put there, and how much the words bring along, only a comparison with other vectors of the
same sentences tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from course_lib.special_ids import EOS_ID, PAD_ID
from course_lib.text.batches import EncodedPair, evaluation_batches
from course_lib.text.embedded import AnnotatedPair, load_nouns
from course_lib.translator import Translator

PAST, PRESENT = {"past_avoir", "past_etre"}, {"present", "modal", "near_future"}
SINGULAR = {noun.english[0] for noun in load_nouns()}
PLURAL = {noun.english[1] for noun in load_nouns()} - SINGULAR


def is_past(pair: AnnotatedPair) -> bool | None:
    """Tell whether a sentence is about the past; None where it has two tenses."""
    past = bool(PAST & set(pair.tags))
    return past if past != bool(PRESENT & set(pair.tags)) else None


def subject_is_plural(pair: AnnotatedPair) -> bool | None:
    """Tell whether the subject of the English sentence is plural; None where it is no single common noun.

    The subject is the first word that depends on the finite verb. It need not be the only noun, nor stand beside the
    verb: *the keys of the drawer are …*.
    """
    heads, words = pair.source_heads, pair.source_tokens
    subject = heads.index(heads.index(-1))
    # "and" depends on the word that it adds, and that on the first of the two
    joined = any(word == "and" and heads[head] == subject for word, head in zip(words, heads, strict=True))
    noun = words[subject].lower()
    return None if joined or noun not in SINGULAR | PLURAL else noun in PLURAL


QUESTIONS: dict[str, Callable[[AnnotatedPair], bool | None]] = {
    "tense": is_past,
    "number": subject_is_plural,
}


PEOPLE = (
    *("boy", "girl", "teacher", "doctor", "nurse", "soldier", "man", "woman"),
    *("baker", "student", "lawyer", "singer", "dog", "cat", "bear", "wolf"),
)


class Labelled(NamedTuple):
    """Sentences (n) and the answer to a question about each, boolean (n,)."""

    sentences: list[str]
    answers: NDArray[np.bool_]


def labelled(pairs: Sequence[AnnotatedPair], question: Callable[[AnnotatedPair], bool | None]) -> Labelled:
    """Return the English sentences that a question of `QUESTIONS` has an answer for.

    Examples
    --------
    >>> from course_lib.text.embedded import load_embedded
    >>> labelled(load_embedded("sources"), subject_is_plural).answers.tolist()
    [False, False, False, False]
    """
    answered = [(pair.source, answer) for pair in pairs if (answer := question(pair)) is not None]
    return Labelled(
        [source for source, _ in answered], np.array([answer for _, answer in answered], dtype=bool)
    )


def told_by_order(nouns: Sequence[str] = PEOPLE) -> Labelled:
    """Return *The boy saw the girls.* and *The girls saw the boy.* for all pairs of nouns: is the subject plural?

    The two have the same words, and *saw* is the same for both. So a model that sees no order is right in one of the
    two, whatever it does. They stand beside one another.

    Examples
    --------
    >>> told_by_order(["boy", "girl"]).sentences[:2]
    ['The boy saw the girls.', 'The girls saw the boy.']
    >>> told_by_order(["boy", "girl"]).answers.tolist()
    [False, True, False, True]
    """
    plural = {noun.english[0]: noun.english[1] for noun in load_nouns()}
    sentences = [
        sentence
        for one, other in permutations(nouns, 2)
        for sentence in (f"The {one} saw the {plural[other]}.", f"The {plural[other]} saw the {one}.")
    ]
    return Labelled(sentences, np.arange(len(sentences)) % 2 == 1)


@torch.no_grad()
def mean_vectors(
    translator: Translator, sentences: Sequence[str], of: Literal["encoder", "embeddings"] = "encoder"
) -> NDArray[np.float64]:
    """Return one vector for each sentence: the mean over its tokens, </s> included.

    Parameters
    ----------
    translator : Translator
        With a Transformer or a recurrent model.
    sentences : n strings
    of : "encoder" or "embeddings"
        Of the encoder's output; or of the embeddings that go into it, which know neither order nor neighbours.

    Returns
    -------
    array (n, d)

    Raises
    ------
    ValueError
        If `of` is neither.
    """
    if of not in ("encoder", "embeddings"):
        raise ValueError(f"of is {of!r}: expected 'encoder' or 'embeddings'")
    model: Any = translator.model.eval()
    embedding = getattr(model.source_embedding, "tokens", model.source_embedding)
    ids = [[*translator.source_tokeniser.encode(sentence), EOS_ID] for sentence in sentences]
    vectors: dict[int, NDArray[Any]] = {}
    for batch, where in evaluation_batches([EncodedPair(i, []) for i in ids], n_tokens=4000):
        source = batch.source.to(translator.device)
        real = (source != PAD_ID).unsqueeze(-1)  # (B, L_s, 1)
        x = model.encode(source) if of == "encoder" else embedding(source)  # (B, L_s, d)
        means = (x * real).sum(dim=1) / real.sum(dim=1)
        vectors.update(zip(where.tolist(), means.double().cpu().numpy(), strict=True))
    return np.stack([vectors[i] for i in range(len(sentences))])


def fit_probe(x: NDArray[np.float64], y: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Fit a logistic regression; return its weights (d,) and its offset.

    Minimised is Σᵢ −log p(yᵢ | xᵢ) + ½‖w‖², with p(True | x) = σ(w·x + b), by L-BFGS from zero: nothing is drawn.

    Parameters
    ----------
    x : array (n, d)
        Features of about unit variance, since all weights are held small alike.
    y : boolean array (n,)

    Raises
    ------
    ValueError
        If `y` has not one entry for each row of `x`, or is all alike.

    Examples
    --------
    >>> weights, offset = fit_probe(np.array([[-1.0], [1.0]]), np.array([False, True]))
    >>> bool(weights[0] > 0.5), bool(abs(offset) < 1e-6)
    (True, True)
    """
    if x.ndim != 2 or y.shape != (len(x),) or len(set(y.tolist())) != 2:
        raise ValueError(f"x {x.shape}, y {y.shape}: expected (n, d) and (n,), with both answers among y")
    features, answers = torch.from_numpy(x), torch.from_numpy(y).double()
    weights = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
    offset = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS(
        [weights, offset], max_iter=200, tolerance_grad=1e-6, line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        scores = features @ weights + offset
        value = (
            F.binary_cross_entropy_with_logits(scores, answers, reduction="sum") + weights.square().sum() / 2
        )
        value.backward()
        return value

    optimiser.step(loss)
    return weights.detach().numpy(), float(offset.detach())


def probe_accuracies(
    x: NDArray[np.float64],
    y: NDArray[np.bool_],
    x_test: NDArray[np.float64],
    y_test: NDArray[np.bool_],
    n_labels: int = 200,
    n_draws: int = 10,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Fit a probe to `n_labels` examples, several times with others, and return its shares of right answers.

    Features are shifted and scaled by the mean and the spread that they have among these examples.

    Parameters
    ----------
    x, y : arrays (n, d) and (n,)
        From which the labelled examples are drawn; the same seed draws the same places.
    x_test, y_test : arrays (m, d) and (m,)
    n_labels, n_draws, seed : int

    Returns
    -------
    array (n_draws,)
        0 to 1.

    Raises
    ------
    ValueError
        If there are fewer than `n_labels` examples.
    """
    if not 2 <= n_labels <= len(x):
        raise ValueError(f"n_labels is {n_labels}: expected 2 to {len(x)}, the number of examples")
    rng = np.random.default_rng(seed)
    shares = []
    for _ in range(n_draws):
        chosen = rng.choice(len(x), n_labels, replace=False)
        centre, spread = x[chosen].mean(axis=0), x[chosen].std(axis=0) + 1e-9
        weights, offset = fit_probe((x[chosen] - centre) / spread, y[chosen])
        shares.append(np.mean(((x_test - centre) / spread @ weights + offset > 0) == y_test))
    return np.array(shares)


def majority_share(y: NDArray[np.bool_]) -> float:
    """Share of right answers of whoever always gives the commoner one.

    Examples
    --------
    >>> majority_share(np.array([True, False, False, False]))
    0.75
    """
    return float(max(np.mean(y), 1 - np.mean(y)))
