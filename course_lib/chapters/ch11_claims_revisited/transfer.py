"""Can a trained encoder be reused? A probe on its frozen output, beside those of encoders that are not trained.

The question: *is the noun plural that this sentence's first word,* The*, belongs to?* English says *the* in either
case, so the word itself knows nothing; the encoder has to bring it in from the noun.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils.rnn import pad_sequence

from course_lib.chapters.ch11_claims_revisited.records import RESULTS
from course_lib.chapters.fit import seeded
from course_lib.model import Transformer
from course_lib.special_ids import EOS_ID, PAD_ID
from course_lib.text.embedded import AnnotatedPair, load_embedded, load_nouns
from course_lib.translator import Translator

Array = NDArray[np.floating[Any]]
SINGULAR = {noun.english[0] for noun in load_nouns()}
PLURAL = {noun.english[1] for noun in load_nouns()} - SINGULAR


def questions(splits: Sequence[str] = ("test", "combinations")) -> tuple[list[str], NDArray[np.bool_]]:
    """Return sentences that begin with *The*, and whether its noun is plural.

    Parameters
    ----------
    splits : sequence of str
        Parts of the course's corpus that the translator was not trained on.

    Examples
    --------
    >>> sentences, plural = questions()
    >>> all(sentence.startswith("The ") for sentence in sentences), len(sentences) == len(plural)
    (True, True)
    """
    answers = {
        pair.source: answer
        for split in splits
        for pair in load_embedded(split)
        if (answer := _is_plural(pair)) is not None
    }
    return [*answers], np.array([*answers.values()])


def _is_plural(pair: AnnotatedPair) -> bool | None:
    if pair.source_tokens[0] != "The":
        return None
    noun = pair.source_tokens[pair.source_heads[0]].lower()
    return noun in PLURAL if noun in SINGULAR | PLURAL else None


@torch.no_grad()
def vectors(translator: Translator, sentences: Sequence[str]) -> tuple[Array, Array]:
    """Return the encoder's output for the first word of each sentence, and the average of the embeddings, (n, d) each.

    Examples
    --------
    >>> translator = Translator.load(RESULTS / "embedded" / "transformer-0.safetensors")
    >>> first, average = vectors(translator, ["The cat sleeps."])
    >>> first.shape == average.shape == (1, translator.model.config.d_model)
    True
    """
    model = translator.model
    assert isinstance(model, Transformer)
    ids = [torch.tensor([*translator.source_tokeniser.encode(text), EOS_ID]) for text in sentences]
    source = pad_sequence(ids, batch_first=True, padding_value=PAD_ID)  # (n, L)
    real = (source != PAD_ID).unsqueeze(-1)
    embedded = (model.source_embedding.tokens(source) * real).sum(dim=1) / real.sum(dim=1)
    return model.encode(source)[:, 0].double().numpy(), embedded.double().numpy()


def balanced_accuracies(
    x: Array, y: NDArray[np.bool_], n_labels: int = 200, n_draws: int = 10, seed: int = 0
) -> list[float]:
    """Fit a linear probe to some examples and test it on the others, several times; return the balanced accuracies.

    The probe is a ridge regression on the answer, ±1, in which both answers weigh the same; a constant gets ½.

    Parameters
    ----------
    x : array (n, d)
    y : boolean array (n,)
    n_labels, n_draws, seed : int
        How many examples the probe sees, and how often they are drawn.

    Raises
    ------
    ValueError
        If there are no more than `n_labels` examples.

    Examples
    --------
    >>> y = np.arange(40) % 2 == 0
    >>> balanced_accuracies(np.stack([y, ~y], axis=1).astype(float), y, n_labels=20, n_draws=2)
    [1.0, 1.0]
    """
    if len(x) <= n_labels:
        raise ValueError(f"x has {len(x)} rows: expected more than n_labels, {n_labels}")
    rng, found = np.random.default_rng(seed), []
    for _ in range(n_draws):
        order = rng.permutation(len(x))
        known, new = order[:n_labels], order[n_labels:]
        centre, scale = x[known].mean(axis=0), x[known].std(axis=0) + 1e-9
        z = np.hstack([(x - centre) / scale, np.ones((len(x), 1))])
        weight = np.where(y[known], 1 / y[known].sum(), 1 / (~y[known]).sum()) * n_labels / 2
        gram = z[known].T @ (weight[:, None] * z[known]) + 10 * np.eye(z.shape[1])
        w = np.linalg.solve(gram, z[known].T @ (weight * np.where(y[known], 1.0, -1.0)))
        told = z[new] @ w > 0
        found.append(float((told[y[new]].mean() + (~told[~y[new]]).mean()) / 2))
    return found


def reuse(trained: bool = True, results: Path = RESULTS, n_draws: int = 10) -> dict[str, list[float]]:
    """Probe an encoder, one that is not trained, and the average of the embeddings; return balanced accuracies.

    Parameters
    ----------
    trained : bool
        Whether the encoder is that of the trained translator; another that is not trained if false.
    results : Path
        Where the trained translator is.
    n_draws : int
        How often 200 examples are drawn for the probe.

    Returns
    -------
    dict
        `encoder`, `untrained`, `embeddings`: n_draws numbers each; a constant answer gets ½.

    Examples
    --------
    >>> sorted(reuse(n_draws=1))
    ['embeddings', 'encoder', 'untrained']
    """
    translator = Translator.load(results / "embedded" / "transformer-0.safetensors")
    sentences, plural = questions()
    first, average = vectors(translator if trained else _untrained(translator, 1), sentences)
    other, _ = vectors(_untrained(translator, 0), sentences)
    return {
        name: balanced_accuracies(x, plural, n_draws=n_draws)
        for name, x in {"encoder": first, "untrained": other, "embeddings": average}.items()
    }


def _untrained(translator: Translator, seed: int) -> Translator:
    """Return a translator of the same shape and words whose weights are not trained."""
    assert isinstance(translator.model, Transformer)
    with seeded(seed):
        model = Transformer(translator.model.config).eval()
    return Translator(model, translator.source_tokeniser, translator.target_tokeniser)
