"""The French sentences that the chapter's models learn to continue, cut by byte-pair encoding, and their training."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.fast import faster
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.embedded import load_embedded
from course_lib.text.tokenisers import BPETokeniser

N_VOCAB, BATCH, STEPS, WARM_UP, LEARNING_RATE = 800, 32, 300, 30, 1e-2


class Corpus(NamedTuple):
    """Sentences as text and as ids, (N, L): each row <s>, its tokens, </s>, then padding."""

    tokeniser: BPETokeniser
    texts: dict[str, list[str]]
    ids: dict[str, Tensor]


@cache
def corpus() -> Corpus:
    """Return the different French sentences of the parts `train`, `val` and `longer` of the embedded corpus.

    Examples
    --------
    >>> french = corpus()
    >>> len(french.tokeniser), len(french.texts["longer"])
    (800, 500)
    """
    texts = {
        part: sorted({pair.target for pair in load_embedded(part)}) for part in ("train", "val", "longer")
    }
    tokeniser = BPETokeniser.train(texts["train"], N_VOCAB)
    return Corpus(tokeniser, texts, {part: _padded(tokeniser, lines) for part, lines in texts.items()})


def _padded(tokeniser: BPETokeniser, texts: Sequence[str]) -> Tensor:
    rows = [torch.tensor([BOS_ID, *tokeniser.encode(text), EOS_ID]) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD_ID)  # (N, L)


def words(text: str) -> set[str]:
    """Return the words of a text, in small letters and without signs.

    Examples
    --------
    >>> sorted(words("L’ami de Léo, l’âne."))
    ['ami', 'de', 'l', 'léo', 'âne']
    """
    return set(re.findall(r"\w+", text.lower()))


def mean_loss(model: nn.Module, ids: Tensor) -> Tensor:
    """Return the cross-entropy in nats a token, the mean over all real tokens of the sentences `ids`, (B, L).

    Examples
    --------
    >>> uniform = lambda ids: torch.zeros(*ids.shape, 10)
    >>> round(mean_loss(uniform, torch.tensor([[1, 4, 2, 0]])).item(), 4)  # ln 10
    2.3026
    """
    longest = int((ids != PAD_ID).sum(dim=1).max())
    inputs, targets = ids[:, : longest - 1], ids[:, 1:longest]
    logits = model(inputs)  # (B, L − 1, n_vocab)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD_ID)


def schedule(step: int, steps: int) -> float:
    """Return the share of the learning rate at a step, from 0: it grows over the first 30 and falls to 0 at the end.

    Examples
    --------
    >>> [round(schedule(step, 300), 3) for step in (0, 29, 165, 299)]
    [0.033, 1.0, 0.5, 0.004]
    """
    return min((step + 1) / WARM_UP, (steps - step) / (steps - WARM_UP))


def train(
    model: nn.Module,
    ids: Tensor,
    steps: int = STEPS,
    learning_rate: float = LEARNING_RATE,
    seed: int = 0,
    stop_after: int | None = None,
    after_step: Callable[[int], None] | None = None,
) -> list[float]:
    """Train a language model with AdamW; return the loss of each step, in nats a token.

    Parameters
    ----------
    model : nn.Module
        Changed in place.
    ids : Tensor
        Sentences (N, L), of which each step sees 32.
    steps : int
    learning_rate : float
        The highest; see `schedule`.
    seed : int
        For the batches: the same seed shows all models the same sentences.
    stop_after : int, optional
        End after so many steps, with the schedule of all.
    after_step : function, optional
        Called with the number of each step, from 0, once it is taken.
    """
    fast, losses = faster(model), []  # the same weights
    optimiser = torch.optim.AdamW(model.parameters(), lr=learning_rate, fused=True)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps if stop_after is None else stop_after):
        optimiser.param_groups[0]["lr"] = learning_rate * schedule(step, steps)
        loss = mean_loss(fast, ids[torch.randint(len(ids), (BATCH,), generator=generator)])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        losses.append(loss.item())
        if after_step:
            after_step(step)
    return losses


@torch.no_grad()
def held_out_loss(model: nn.Module, ids: Tensor) -> float:
    """Return `mean_loss` of many sentences, (N, L), computed batch by batch, each token counting the same."""
    fast, total, n_tokens = faster(model), 0.0, 0
    for rows in ids.split(250):
        n = int((rows[:, 1:] != PAD_ID).sum())
        total += mean_loss(fast, rows).item() * n
        n_tokens += n
    return total / n_tokens


def counting_losses(seen: Tensor, unseen: Tensor) -> dict[str, float]:
    """Return the losses of two predictors without a network: how frequent a token is, and after the one before it.

    The second gives half of its probability to the first, which gives a token never seen as if it had been seen once.
    """

    def tokens(ids: Tensor) -> list[list[int]]:
        return [[token for token in row if token != PAD_ID] for row in ids.tolist()]

    singles: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    before: Counter[int] = Counter()
    for row in tokens(seen):
        singles.update(row[1:])
        before.update(row[:-1])
        pairs.update(pairwise(row))
    n = sum(singles.values()) + N_VOCAB
    losses: dict[str, list[float]] = {"counted tokens": [], "counted pairs": []}
    for row in tokens(unseen):
        for left, right in pairwise(row):
            alone = (singles[right] + 1) / n
            both = pairs[left, right] / before[left] if before[left] else alone
            losses["counted tokens"].append(-math.log(alone))
            losses["counted pairs"].append(-math.log((alone + both) / 2))
    return {name: sum(values) / len(values) for name, values in losses.items()}
