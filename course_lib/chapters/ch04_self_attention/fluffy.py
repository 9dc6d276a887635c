"""*The cat, which is fluffy, sleeps*: what *fluffy* learns to look at from a task alone (chapter 04).

Two tasks, both read at the adjective. *gender* is what a translator into French has to know: masculine or
feminine (*duveteux*, *duveteuse*)? English does not show it; the noun that the adjective belongs to decides.
*noun* asks which noun that is. Nobody tells the model which word to look at.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.chapters.ch04_self_attention.complexity import SelfAttention
from course_lib.chapters.fit import fit, seeded
from course_lib.model import PositionalEncoding

MASCULINE = ["cat", "dog", "rabbit", "horse", "wolf", "fox", "bear", "duck"]
FEMININE = ["mouse", "cow", "goat", "swallow", "hen", "goose", "frog", "turtle"]
ADJECTIVES = ["fluffy", "big", "small", "black", "white", "grey", "curious", "lazy"]
INTRANSITIVE = ["sleep", "run", "jump", "swim"]
TRANSITIVE = ["chase", "see", "watch", "find"]
IN_FRENCH = {
    "cat": "chat", "dog": "chien", "rabbit": "lapin", "horse": "cheval", "wolf": "loup", "fox": "renard",
    "bear": "ours", "duck": "canard", "mouse": "souris", "cow": "vache", "goat": "chèvre",
    "swallow": "hirondelle", "hen": "poule", "goose": "oie", "frog": "grenouille", "turtle": "tortue",
    "sleep": "dort", "run": "court", "jump": "saute", "swim": "nage",
    "chase": "poursuit", "see": "voit", "watch": "regarde", "find": "trouve",
}  # fmt: skip
FORMS = {  # masculine, feminine
    "fluffy": ("duveteux", "duveteuse"), "big": ("grand", "grande"), "small": ("petit", "petite"),
    "black": ("noir", "noire"), "white": ("blanc", "blanche"), "grey": ("gris", "grise"),
    "curious": ("curieux", "curieuse"), "lazy": ("paresseux", "paresseuse"),
}  # fmt: skip
FRAMES = ("today", "very", "again")  # one more word: in front, before the adjective, at the end
Task = Literal["gender", "noun"]
ANSWERS: dict[Task, list[str]] = {"gender": ["masculine", "feminine"], "noun": MASCULINE + FEMININE}


class Example(NamedTuple):
    """A sentence as a tuple of words, and the positions of the adjective and of its noun."""

    words: tuple[str, ...]
    adjective: int
    noun: int

    def answer(self, task: Task) -> int:
        """Return the number, in `ANSWERS`, of the right answer."""
        noun = self.words[self.noun]
        return int(noun in FEMININE) if task == "gender" else ANSWERS["noun"].index(noun)


def example(noun: str, adjective: str, verb: str, other: str = "", frame: str = "") -> Example:
    """Write an English sentence, lower-cased and split.

    Parameters
    ----------
    noun, adjective, verb : str
        From the lists of this module.
    other : str
        A second noun, as object of a transitive verb.
    frame : str
        One of `FRAMES`, or none.

    Examples
    --------
    >>> " ".join(example("cat", "fluffy", "sleep", frame="very").words)
    'the cat , which is very fluffy , sleeps .'
    """
    third = verb + ("es" if verb == "watch" else "s")
    front = ["today"] if frame == "today" else []
    degree = ["very"] if frame == "very" else []
    end = [*(["the", other] if other else []), *(["again"] if frame == "again" else []), "."]
    words = (*front, "the", noun, ",", "which", "is", *degree, adjective, ",", third, *end)
    return Example(words, words.index(adjective), words.index(noun))


def in_french(noun: str, adjective: str, verb: str, other: str = "") -> str:
    """Translate the sentence of `example`, without a frame.

    >>> in_french("cat", "fluffy", "sleep")
    'Le chat, qui est duveteux, dort.'
    >>> in_french("mouse", "fluffy", "chase", "cat")
    'La souris, qui est duveteuse, poursuit le chat.'
    """
    agreeing = FORMS[adjective][noun in FEMININE]
    end = f" {_the(other)}" if other else ""
    return f"{_the(noun)}, qui est {agreeing}, {IN_FRENCH[verb]}{end}.".capitalize()


def _the(noun: str) -> str:
    """Return a noun in French with its article."""
    if noun in ("swallow", "goose", "bear"):
        return "l’" + IN_FRENCH[noun]
    return ("la " if noun in FEMININE else "le ") + IN_FRENCH[noun]


def held_out(noun: str, adjective: str) -> bool:
    """Say whether a noun and an adjective never meet in training: a quarter of the pairs, *fluffy cat* among them."""
    nouns_in_order = MASCULINE + FEMININE
    return (nouns_in_order.index(noun) + ADJECTIVES.index(adjective)) % 4 == 0


def examples(n_nouns: int, *, test: bool, frames: Iterable[str] = FRAMES) -> list[Example]:
    """List the sentences with one noun, or with two of different gender, each of which may come first.

    Parameters
    ----------
    n_nouns : 1 or 2
    test : bool
        The sentences with nouns that never meet their adjective in training; else those of training.
    frames : names out of `FRAMES`, or "" for none

    Raises
    ------
    ValueError
        If `n_nouns` is neither 1 nor 2.

    Examples
    --------
    >>> len(examples(1, test=False)), len(examples(1, test=True)), len(examples(2, test=True))
    (1152, 384, 768)
    """
    if n_nouns not in (1, 2):
        raise ValueError(f"n_nouns is {n_nouns}: expected 1 or 2")
    listed = []
    for noun, adjective in product(MASCULINE + FEMININE, ADJECTIVES):
        others = ([""], FEMININE if noun in MASCULINE else MASCULINE)[n_nouns - 1]
        # both nouns alike, or the adjective's company in training would give away which of them is meant
        others = [
            other for other in others if all(held_out(n, adjective) == test for n in (noun, other) if n)
        ]
        for verb, other, frame in product((INTRANSITIVE, TRANSITIVE)[n_nouns - 1], others, frames):
            listed.append(example(noun, adjective, verb, other, frame))
    return listed


_WORDS = {word for n in (1, 2) for one in examples(n, test=False) for word in one.words}
VOCABULARY = {word: number for number, word in enumerate(sorted(_WORDS))}


def encode(listed: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """Return the ids (N, L) of sentences of one length, and the positions of their adjectives (N,)."""
    ids = torch.tensor([[VOCABULARY[word] for word in one.words] for one in listed])
    return ids, torch.tensor([one.adjective for one in listed])


class Agreement(nn.Module):
    """Word vectors, one self-attention, and a read-out at the adjective.

    Parameters
    ----------
    task : "gender" or "noun"
    positions : bool
        Whether the sinusoidal encoding is added to the word vectors.
    d, d_k : int
        Width of the word vectors; width of queries, keys and values.

    Examples
    --------
    >>> logits, weights = Agreement("gender")(*encode([example("cat", "fluffy", "sleep")]))
    >>> tuple(logits.shape), tuple(weights.shape)
    ((1, 2), (1, 9, 9))
    """

    def __init__(self, task: Task, positions: bool = False, d: int = 32, d_k: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(VOCABULARY), d)
        self.positions = PositionalEncoding(d, kind="sinusoidal" if positions else "none")
        self.attention = SelfAttention(d, d_k, d_k)
        self.read_out = nn.Linear(d_k, len(ANSWERS[task]))

    def forward(self, ids: Tensor, adjective: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (B, n_answers) read at the adjectives (B,) of sentences (B, L), and weights (B, L, L)."""
        x = self.positions(self.embedding(ids))
        output, weights = self.attention.with_weights(x)  # (B, L, d_v), (B, L, L)
        return self.read_out(output[torch.arange(len(ids)), adjective]), weights


@dataclass(frozen=True)
class Trained:
    """A model after training, with the share of its right answers on sentences that it has not seen."""

    model: Agreement
    accuracy: float
    losses: NDArray[np.float64]

    def row(self, one: Example) -> NDArray[np.float32]:
        """Return the weights (L,) that the adjective of a sentence gives to its words."""
        with torch.no_grad():
            weights: Tensor = self.model(*encode([one]))[1][0, one.adjective]
        return weights.numpy()

    def looks_at(self, one: Example) -> str:
        """Return the word to which the adjective gives the largest weight."""
        return one.words[int(self.row(one).argmax())]


def train(
    n_nouns: int, task: Task, seed: int, *, positions: bool = False, steps: Iterable[int] = range(200)
) -> Trained:
    """Train on the answers alone: cross-entropy, 64 sentences a step.

    Parameters
    ----------
    n_nouns : 1 or 2
    task : "gender" or "noun"
    seed : int
        For the initial weights and the order of the sentences.
    positions : bool
        Whether words are told where they stand.
    steps : iterable
        One step for each entry.
    """
    with seeded(seed):
        model = Agreement(task, positions)
    seen, unseen = (examples(n_nouns, test=test) for test in (False, True))
    (ids, adjective), answer = encode(seen), torch.tensor([one.answer(task) for one in seen])

    def loss(generator: torch.Generator) -> Tensor:
        batch = torch.randint(len(ids), (64,), generator=generator)
        return nn.functional.cross_entropy(model(ids[batch], adjective[batch])[0], answer[batch])

    losses = fit(model, loss, steps, learning_rate=5e-3, seed=seed)
    with torch.no_grad():
        answers = model(*encode(unseen))[0].argmax(-1)
    right = answers == torch.tensor([one.answer(task) for one in unseen])
    return Trained(model, float(right.float().mean()), losses)
