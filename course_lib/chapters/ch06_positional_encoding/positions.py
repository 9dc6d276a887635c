"""What a small reader makes of positions: order that matters, order that does not, sequences longer than trained on.

One model, `Reader`, one encoder block over words and their positions, on three tasks:

* `WHO_CHASED`: "the cat chased the dog" – who did it? Needs the order of the words, and nothing else.
* `VOTES`: each word is for or against, the majority wins. Positions are of no use.
* `word_before(shortest, longest)`: name the word in front of each word. Needs neighbourhood, at any length.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.ch06_positional_encoding.relative import (
    ALiBiAttention,
    ShawAttention,
    T5Attention,
)
from course_lib.chapters.fit import fit, seeded
from course_lib.model import EncoderBlock, Parts, PositionalEncoding, attention, causal_mask
from course_lib.model.attention import AttentionFunction

IGNORED = -100  # an answer that does not count: PyTorch's own convention for cross_entropy


class Task(NamedTuple):
    """How many words and answers there are, and how a batch is drawn.

    `draw(batch, generator)` returns words (B, L) and answers: (B,), one a sequence, or (B, L), one a word.
    """

    n_words: int
    n_answers: int
    draw: Callable[[int, torch.Generator], tuple[Tensor, Tensor]]
    each_word: bool = False

    def sample(self, n: int, seed: int) -> tuple[Tensor, Tensor]:
        """Draw n sequences and their answers from a seed."""
        return self.draw(n, torch.Generator().manual_seed(seed))


ANIMALS = ("cat", "dog", "mouse", "bird", "horse", "fox", "hen", "cow")
VERBS = ("chased", "saw", "met", "followed")
WORDS = ("the", *VERBS, *ANIMALS)


def _who_chased(batch: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    pair = torch.rand(batch, len(ANIMALS), generator=generator).argsort(dim=1)[:, :2]  # two different ones
    verb = torch.randint(1, 1 + len(VERBS), (batch,), generator=generator)
    words = torch.zeros(batch, 5, dtype=torch.long)  # the … … the …
    words[:, [1, 4]] = 1 + len(VERBS) + pair
    words[:, 2] = verb
    return words, pair[:, 0]


def _votes(batch: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    words = torch.randint(16, (batch, 9), generator=generator)
    return words, (words < 8).sum(dim=1) // 5  # 1 if five of nine or more are for it


WHO_CHASED = Task(len(WORDS), len(ANIMALS), _who_chased)
VOTES = Task(16, 2, _votes)


def word_before(shortest: int, longest: int) -> Task:
    """Make the task of naming the word in front of each word; the first word has none, and does not count.

    Parameters
    ----------
    shortest, longest : int
        Each batch has one length, drawn between these two, both included.

    Raises
    ------
    ValueError
        If `shortest` is less than 2 or more than `longest`.

    Examples
    --------
    >>> words, answers = word_before(5, 5).sample(1, seed=0)
    >>> bool((answers[0, 1:] == words[0, :-1]).all()), answers[0, 0].item()
    (True, -100)
    """
    if not 2 <= shortest <= longest:
        raise ValueError(f"shortest is {shortest}, longest is {longest}: expected 2 ≤ shortest ≤ longest")

    def draw(batch: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        length = int(torch.randint(shortest, longest + 1, (1,), generator=generator))
        words = torch.randint(8, (batch, length), generator=generator)
        return words, torch.cat([torch.full((batch, 1), IGNORED), words[:, :-1]], dim=1)

    return Task(8, 8, draw, each_word=True)


class Reader(nn.Module):
    """Words and their positions, one encoder block with one head, one answer a sequence or one a word.

    Parameters
    ----------
    n_words, n_answers : int
    positions : {"none", "sinusoidal", "learned", "rotary"}
    mode : {"add", "append"}
        How a position joins its word; rotary encoding does neither, it turns queries and keys.
    d : int
        Width of a word.
    d_position : int, optional
        Width of an appended position; d where not given.
    pooled : bool
        Whether the block's outputs are averaged into one answer for the sequence.
    max_length : int
        Number of positions that have a learned encoding.
    relative : {"Shaw", "T5", "ALiBi"}, optional
        What the scores get for the distance of two words, beside `positions`.

    Examples
    --------
    >>> reader = Reader(n_words=10, n_answers=3, positions="sinusoidal", mode="append", d=8)
    >>> reader(torch.zeros(2, 5, dtype=torch.long)).shape
    torch.Size([2, 3])
    """

    def __init__(
        self,
        n_words: int,
        n_answers: int,
        positions: Literal["none", "sinusoidal", "learned", "rotary"] = "none",
        mode: Literal["add", "append"] = "add",
        d: int = 16,
        d_position: int | None = None,
        pooled: bool = True,
        max_length: int = 64,
        relative: Literal["Shaw", "T5", "ALiBi"] | None = None,
    ) -> None:
        super().__init__()
        d_position = d_position or d
        width = d if mode == "add" else d + d_position
        biased: dict[str | None, Callable[[], AttentionFunction]] = {
            None: lambda: attention,
            "Shaw": lambda: ShawAttention(width),
            "T5": T5Attention,
            "ALiBi": ALiBiAttention,
        }
        self.words = nn.Embedding(n_words, d)
        self.positions = PositionalEncoding(d if mode == "add" else d_position, max_length, positions, mode)
        parts = Parts(attention_function=biased[relative]())
        self.block = EncoderBlock(width, n_heads=1, d_ff=2 * width, rotary=positions == "rotary", parts=parts)
        self.answer = nn.Linear(width, n_answers)
        self.pooled = pooled

    def forward(self, words: Tensor, start: int = 0, mask: Tensor | None = None) -> Tensor:
        """Answer `words`, (B, L), that stand at positions `start` …: (B, n_answers) or (B, L, n_answers)."""
        x, _ = self.block(self.positions(self.words(words), start), mask)  # (B, L, width)
        return self.answer(x.mean(dim=1) if self.pooled else x)


def untrained(task: Task, seed: int, **options: Any) -> Reader:
    """Return the reader that `train` starts from with the same arguments.

    Examples
    --------
    >>> untrained(VOTES, seed=1, positions="learned").positions.kind
    'learned'
    """
    with seeded(seed):
        return Reader(task.n_words, task.n_answers, pooled=not task.each_word, **options)


def train(
    task: Task, seed: int, *, steps: int = 300, starts: int = 1, **options: Any
) -> tuple[Reader, NDArray[np.float64]]:
    """Train a reader from a seed; return it and the loss of each step, in nats.

    Parameters
    ----------
    task : Task
    seed : int
        Of the initial weights and of the batches.
    steps : int
        Batches of 64 sequences.
    starts : int
        The first word of a batch stands at a position drawn from 0 … starts − 1.
    options
        As in `Reader`: `positions`, `mode`, `d`, `d_position`, `max_length`, `relative`.

    Examples
    --------
    >>> reader, losses = train(VOTES, seed=0, steps=20, positions="sinusoidal")
    >>> losses.shape, accuracy(reader, VOTES) > 0.5
    ((20,), True)
    """
    reader = untrained(task, seed, **options)

    def loss(generator: torch.Generator) -> Tensor:
        words, answers = task.draw(64, generator)
        start = int(torch.randint(starts, (1,), generator=generator))
        return _loss(reader(words, start), answers)

    return reader, fit(reader, loss, range(steps), learning_rate=5e-3, seed=seed)


def _loss(logits: Tensor, answers: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, -2), answers.flatten(), ignore_index=IGNORED)


def within(reach: int, length: int) -> Tensor:
    """Return the mask (L, L) that hides keys more than `reach` positions away.

    >>> within(1, 3).int().tolist()
    [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    """
    i = torch.arange(length)
    return (i[:, None] - i[None, :]).abs() <= reach


@torch.no_grad()
def accuracy(
    reader: Callable[..., Tensor], task: Task, *, n: int = 1000, seed: int = 1000, reach: int | None = None
) -> float:
    """Return the share of right answers on `n` fresh sequences, of the answers that count.

    Parameters
    ----------
    reader : Reader, or any function of words and a mask
    task : Task
    n, seed : int
        How many sequences, and the seed from which they are drawn.
    reach : int, optional
        Keys farther away are hidden.

    Examples
    --------
    >>> 0 <= accuracy(untrained(VOTES, seed=0), VOTES) <= 1
    True
    """
    words, answers = task.sample(n, seed)
    mask = None if reach is None else within(reach, words.shape[1])
    right = reader(words, mask=mask).argmax(dim=-1) == answers
    return float(right[answers != IGNORED].float().mean())


@torch.no_grad()
def accuracy_by_position(
    reader: Reader, task: Task, *, n: int = 500, seed: int = 1000, reach: int | None = None
) -> NDArray[np.float64]:
    """Return the share of right answers at each position; NaN where no answer counts.

    Parameters
    ----------
    reader, task
        A task with one answer a word, all of whose sequences are equally long.
    n, seed : int
        How many sequences, and the seed from which they are drawn.
    reach : int, optional
        Keys farther away are hidden.

    Returns
    -------
    array (L,)

    Raises
    ------
    ValueError
        If the task has one answer a sequence.

    Examples
    --------
    >>> task = word_before(6, 6)
    >>> accuracy_by_position(untrained(task, seed=0), task).shape
    (6,)
    """
    if not task.each_word:
        raise ValueError("task has one answer a sequence: expected one answer a word")
    words, answers = task.sample(n, seed)
    mask = None if reach is None else within(reach, words.shape[1])
    right = (reader(words, mask=mask).argmax(dim=-1) == answers).double()
    return right.masked_fill(answers == IGNORED, float("nan")).mean(dim=0).numpy()


@torch.no_grad()
def average_weights(reader: Reader, task: Task, *, n: int = 100, seed: int = 1000) -> NDArray[np.float64]:
    """Return the attention weights of a reader, averaged over `n` fresh sequences: what its positions look for.

    Returns
    -------
    array (L, L)
        Queries are rows; each sums to 1.

    Examples
    --------
    >>> average_weights(untrained(VOTES, seed=0), VOTES).sum(axis=1).round(5)
    array([1., 1., 1., 1., 1., 1., 1., 1., 1.])
    """
    words, _ = task.sample(n, seed)
    _, weights = reader.block(reader.positions(reader.words(words)))  # (n, 1, L, L)
    averaged: NDArray[np.float64] = weights.double().mean(dim=(0, 1)).numpy()
    return averaged


@torch.no_grad()
def order_sensitivity(reader: Reader, task: Task, *, n: int = 1000, seed: int = 1000) -> float:
    """Measure how much a reader's answers change when the words of each sequence are shuffled.

    Returns
    -------
    float
        0: not at all. 1: as much as if each sequence were exchanged for another one.

    Raises
    ------
    ValueError
        If the reader gives one answer a word; these travel with the words.

    Notes
    -----
    Formula: √(mean ‖f(shuffled) − f(words)‖² / (2 · variance of f over sequences)), f the logits without their
    mean over the answers, which a softmax does not see.

    Examples
    --------
    >>> order_sensitivity(untrained(VOTES, seed=0), VOTES) < 1e-5
    True
    """
    if not reader.pooled:
        raise ValueError("reader answers each word: expected one with pooled=True")
    generator = torch.Generator().manual_seed(seed)
    words, _ = task.draw(n, generator)
    order = torch.rand(words.shape, generator=generator).argsort(dim=1)
    here, there = (
        logits - logits.mean(dim=1, keepdim=True)
        for logits in (reader(words), reader(words.gather(1, order)))
    )
    spread = here.var(dim=0, correction=0).sum()
    return float(((there - here).square().sum(dim=1).mean() / (2 * spread)).sqrt())


@torch.no_grad()
def swapped_under_a_causal_mask(seed: int = 3) -> dict[str, float]:
    """Exchange two words of six, without positions, and look at the last output of one block and of two.

    Returns
    -------
    dict
        "causal_one", "causal_two": the largest change of an entry, where a causal mask hides what comes after;
        "unmasked": of three blocks without a mask.

    Examples
    --------
    >>> swapped_under_a_causal_mask()["unmasked"] < 1e-12
    True
    """
    with seeded(seed):
        blocks = [EncoderBlock(d_model=8, n_heads=2, d_ff=16).double().eval() for _ in range(3)]
    words = torch.randn(1, 6, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))

    def last(x: Tensor, n: int, mask: Tensor | None) -> Tensor:
        for block in blocks[:n]:
            x, _ = block(x, mask)
        return x[0, -1]

    def change(n: int, mask: Tensor | None) -> float:
        return float((last(words, n, mask) - last(words[:, [0, 4, 2, 3, 1, 5]], n, mask)).abs().max())

    mask = causal_mask(6)
    return {"causal_one": change(1, mask), "causal_two": change(2, mask), "unmasked": change(3, None)}
