"""*The cat, which is fluffy, sleeps*: what *fluffy* learns to look at from a task alone (chapter 04).

Two tasks, both read at the adjective. *gender* is what a translator into French has to know: masculine or
feminine (*duveteux*, *duveteuse*)? English does not show it; the noun that the adjective belongs to decides.
*noun* asks which noun that is. The model is told where the adjective is, not where the noun is.

With two nouns the relative clause hangs on the subject (*the cat, which is fluffy, chases the mouse*) or on the object
(*the mouse chases the cat, which is fluffy*). `python -m course_lib.chapters.ch04_self_attention.fluffy FILE` trains
all that the chapter shows of many seeds, and writes it into results/fluffy.json.
"""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib import functional
from course_lib.chapters.ch04_self_attention.complexity import SelfAttention
from course_lib.chapters.fit import seeded
from course_lib.files import atomic_path

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
Clause = Literal["subject", "object"]
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

    def later(self, n: int) -> "Example":
        """Return the sentence with n words *today* in front, so that all its words stand n positions later."""
        return Example(("today",) * n + self.words, self.adjective + n, self.noun + n)

    @property
    def nouns(self) -> list[int]:
        """The numbers, in `ANSWERS`, of the nouns of the sentence, in its order."""
        return [ANSWERS["noun"].index(word) for word in self.words if word in ANSWERS["noun"]]

    @property
    def first(self) -> int:
        """The number, in `ANSWERS`, of the first noun of the sentence."""
        return self.nouns[0]

    @property
    def other(self) -> int:
        """The position of the noun that the adjective does not belong to, in a sentence of two."""
        (found,) = (i for i, w in enumerate(self.words) if w in ANSWERS["noun"] and i != self.noun)
        return found


def example(
    noun: str, adjective: str, verb: str, other: str = "", frame: str = "", clause: Clause = "subject"
) -> Example:
    """Write an English sentence, lower-cased and split.

    Parameters
    ----------
    noun, adjective, verb : str
        From the lists of this module.
    other : str
        A second noun; for a clause on the object it is the subject.
    frame : str
        One of `FRAMES`, or none.
    clause : "subject" or "object"
        What the relative clause hangs on; `noun` is that.

    Examples
    --------
    >>> " ".join(example("cat", "fluffy", "sleep", frame="very").words)
    'the cat , which is very fluffy , sleeps .'
    >>> " ".join(example("cat", "fluffy", "chase", "mouse", clause="object").words)
    'the mouse chases the cat , which is fluffy .'
    """
    third = verb + ("es" if verb == "watch" else "s")
    front = ["today"] if frame == "today" else []
    degree = ["very"] if frame == "very" else []
    again = ["again"] if frame == "again" else []
    described = ["the", noun, ",", "which", "is", *degree, adjective]
    if clause == "object":
        words = (*front, "the", other, *again, third, *described, ".")
    else:
        words = (*front, *described, ",", third, *(["the", other] if other else []), *again, ".")
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


def examples(
    n_nouns: int, *, test: bool, frames: Iterable[str] = FRAMES, clause: Clause = "subject"
) -> list[Example]:
    """List the sentences with one noun, or with two of different gender, each of which may come first.

    They are all of one length.

    Parameters
    ----------
    n_nouns : 1 or 2
    test : bool
        The sentences with nouns that never meet their adjective in training; else those of training.
    frames : names out of `FRAMES`, or "" for none
    clause : "subject" or "object"
        What the relative clause hangs on.

    Raises
    ------
    ValueError
        If `n_nouns` is neither 1 nor 2, or there is no object for the clause.

    Examples
    --------
    >>> len(examples(1, test=False)), len(examples(1, test=True)), len(examples(2, test=True))
    (1152, 384, 768)
    """
    if n_nouns not in (1, 2):
        raise ValueError(f"n_nouns is {n_nouns}: expected 1 or 2")
    if clause == "object" and n_nouns == 1:
        raise ValueError("clause is 'object' with n_nouns 1: expected 2 nouns")
    listed = []
    for noun, adjective in product(MASCULINE + FEMININE, ADJECTIVES):
        others = ([""], FEMININE if noun in MASCULINE else MASCULINE)[n_nouns - 1]
        # both nouns alike, or the adjective's company in training would give away which of them is meant
        others = [
            other for other in others if all(held_out(n, adjective) == test for n in (noun, other) if n)
        ]
        for verb, other, frame in product((INTRANSITIVE, TRANSITIVE)[n_nouns - 1], others, frames):
            listed.append(example(noun, adjective, verb, other, frame, clause))
    return listed


_WORDS = {word for n in (1, 2) for one in examples(n, test=False) for word in one.words}
VOCABULARY = {word: number for number, word in enumerate(sorted(_WORDS))}


def encode(listed: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """Return the ids (N, L) of sentences of one length, and the positions of their adjectives (N,)."""
    ids = torch.tensor([[VOCABULARY[word] for word in one.words] for one in listed])
    return ids, torch.tensor([one.adjective for one in listed])


def tensors(listed: Sequence[Example], task: Task) -> tuple[Tensor, Tensor, Tensor]:
    """Return what training needs of sentences of one length: ids (N, L), positions of adjectives and answers (N,)."""
    return *encode(listed), torch.tensor([one.answer(task) for one in listed])


def position_vectors(d: int, most: int = 64) -> Tensor:
    """Return the vectors (most, d) that are added to words at positions 0, 1, 2 …: sines and cosines (chapter 06)."""
    return torch.tensor(functional.sinusoidal_encoding(most, d), dtype=torch.float32)


class Agreement(nn.Module):
    """Word vectors, one self-attention, and a read-out at the adjective: the chapter's model.

    Parameters
    ----------
    n_answers : int
    positions : bool
        Whether `position_vectors` are added to the word vectors.
    d, d_k : int
        Width of the word vectors; width of queries, keys and values.

    Examples
    --------
    >>> logits, weights = Agreement(2)(*encode([example("cat", "fluffy", "sleep")]))
    >>> tuple(logits.shape), tuple(weights.shape)
    ((1, 2), (1, 9))
    """

    def __init__(self, n_answers: int, positions: bool = False, d: int = 32, d_k: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(VOCABULARY), d)
        self.attention = SelfAttention(d, d_k, d_k)
        self.read_out = nn.Linear(d_k, n_answers)
        self.positions = positions

    def forward(self, ids: Tensor, adjective: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
        """Return logits (B, n_answers) and weights (B, L), both at the adjectives (B,) of sentences (B, L)."""
        x = self.embedding(ids)
        if self.positions:
            x = x + position_vectors(x.shape[-1])[start : start + ids.shape[1]]
        output, weights = self.attention.with_weights(x)  # (B, L, d_v), (B, L, L)
        rows = torch.arange(len(ids))
        return self.read_out(output[rows, adjective]), weights[rows, adjective]


class SideBySide(nn.Module):
    """One `Agreement` for each seed, trained together; they do not know of one another.

    Three controls: with `uniform` all words have the same weight, whatever queries and keys say; with `fixed` each
    position has a learned score of its own, the same for every sentence and adjective; with `causal` a word reads
    itself and the words before it.

    Examples
    --------
    >>> models = SideBySide([Agreement(2), Agreement(2)])
    >>> logits, weights = models(*encode([example("cat", "fluffy", "sleep")]))
    >>> tuple(logits.shape), tuple(weights.shape)
    ((2, 1, 2), (2, 1, 9))
    """

    def __init__(
        self, models: Sequence[Agreement], uniform: bool = False, fixed: bool = False, causal: bool = False
    ) -> None:
        super().__init__()
        self.n, self.positions = len(models), models[0].positions
        self.uniform, self.fixed, self.causal = uniform, fixed, causal
        if fixed and not self.positions:
            raise ValueError("fixed scores belong to positions: expected models with positions")
        for name, _ in models[0].named_parameters():
            stacked = torch.stack([model.get_parameter(name).detach() for model in models])
            self.register_parameter(name.replace(".", "_"), nn.Parameter(stacked))
        if fixed:
            self.place_scores = nn.Parameter(torch.zeros(self.n, 64))

    def forward(
        self,
        ids: Tensor,
        adjective: Tensor,
        start: int = 0,
        places: Sequence[int] | None = None,
        added: Tensor | None = None,
        cut: Tensor | None = None,
        handed: Tensor | None = None,
        silent: int = 0,
    ) -> tuple[Tensor, Tensor]:
        """Return logits (S, B, n_answers) and weights (S, B, L) for the same sentences (B, L), or (S, B, L) of each.

        `places` names for each word the position whose vector it gets; without it they follow one another from `start`.
        `added` (L, d) are other vectors to add in their place.
        `cut` names in each sentence one word whose weight becomes 0 (the others are divided by their sum), `handed`
        (B, L) gives other words for the values alone, at unchanged weights, and the values of the first `silent` words
        become 0: three interventions.
        """
        ids, adjective = ids.expand(self.n, *ids.shape[-2:]), adjective.expand(self.n, adjective.shape[-1])
        own = dict(self.named_parameters())
        seeds, batch = torch.arange(self.n)[:, None], torch.arange(ids.shape[1])
        x = own["embedding_weight"][seeds[..., None], ids]  # (S, B, L, d)
        source = x if handed is None else own["embedding_weight"][seeds[..., None], handed.expand_as(ids)]
        if self.positions:
            places = range(start, start + ids.shape[-1]) if places is None else places
            added = position_vectors(x.shape[-1])[list(places)] if added is None else added
            x, source = x + added, source + added
        if silent:
            source = torch.cat([torch.zeros_like(source[..., :silent, :]), source[..., silent:, :]], dim=-2)
        at = x[seeds, batch, adjective]  # (S, B, d)
        query = at @ own["attention_W_Q_weight"].mT  # (S, B, d_k)
        scores = (x @ (query @ own["attention_W_K_weight"])[..., None])[..., 0]  # q·(W_K x), for all words
        if self.uniform:
            scores = torch.zeros_like(scores)
        if self.fixed and places is not None:
            scores = (query.shape[-1] ** 0.5 * self.place_scores[:, None, list(places)]).expand_as(scores)
        if self.causal:
            after = torch.arange(ids.shape[-1]) > adjective[..., None]
            scores = scores.masked_fill(after, -torch.inf)
        if cut is not None:
            scores = scores.index_put((seeds, batch, cut.expand_as(adjective)), torch.tensor(-torch.inf))
        weights = torch.softmax(scores / query.shape[-1] ** 0.5, dim=-1)
        read = (weights[..., None, :] @ source)[..., 0, :] @ own["attention_W_V_weight"].mT  # (S, B, d_v)
        return read @ own["read_out_weight"].mT + own["read_out_bias"][:, None], weights

    def row(self, one: Example, start: int = 0) -> NDArray[np.float32]:
        """Return the weights (S, L) that the adjective of a sentence gives to its words."""
        with torch.no_grad():
            weights: Tensor = self(*encode([one]), start)[1][:, 0]
        return weights.numpy()

    def answers(
        self,
        listed: Sequence[Example],
        start: int = 0,
        places: Sequence[int] | None = None,
        added: Tensor | None = None,
    ) -> NDArray[np.int64]:
        """Return the numbers of the answers (S, N)."""
        with torch.no_grad():
            chunks = [
                self(ids, at, start, places, added)[0].argmax(-1)
                for ids, at in zip(*_chunks(listed), strict=True)
            ]
        return torch.cat(chunks, dim=1).numpy()

    def weight_by_position(self, adjectives: Sequence[int], nouns: Sequence[int]) -> NDArray[np.float32]:
        """Return how an adjective at each position shares its weight among nouns at others (S, adjectives, nouns).

        The same noun stands at each of the positions `nouns`; noun and adjective are the means of all.
        """
        own = dict(self.named_parameters())
        mean = [
            own["embedding_weight"][:, [VOCABULARY[word] for word in words]].mean(dim=1, keepdim=True)
            for words in (ADJECTIVES, ANSWERS["noun"])
        ]
        added = position_vectors(mean[0].shape[-1])
        query = (mean[0] + added[list(adjectives)]) @ own["attention_W_Q_weight"].mT
        key = (mean[1] + added[list(nouns)]) @ own["attention_W_K_weight"].mT
        weights: Tensor = torch.softmax(query @ key.mT / key.shape[-1] ** 0.5, dim=-1)
        return weights.detach().numpy()

    def answers_without_noun(self, listed: Sequence[Example]) -> NDArray[np.int64]:
        """Return the answers (S, N) where the noun's weight is 0 and the others are divided by their sum."""
        ids, at = encode(listed)
        with torch.no_grad():
            logits: Tensor = self(ids, at, cut=torch.tensor([one.noun for one in listed]))[0]
        return logits.argmax(-1).numpy()

    def answers_with_silent(
        self, listed: Sequence[Example], n: int
    ) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Return the answers (S, N) where the values of the first n words are 0, and the weight of these words (S,)."""
        with torch.no_grad():
            logits, weights = self(*encode(listed), silent=n)
        return logits.argmax(-1).numpy(), weights[..., :n].sum(dim=-1).mean(dim=-1).numpy()

    def answers_with_share(self, listed: Sequence[Example], n: int, share: float) -> NDArray[np.int64]:
        """Return the answers (S, N) where the first n words together have this share of the weight.

        They divide it among themselves as before, and so do the other words with the rest.
        """
        ids, at = encode(listed)
        with torch.no_grad():
            all_read, weights = self(ids, at)
            others_read, _ = self(ids, at, silent=n)  # logits are linear in what is read
            bias = self.get_parameter("read_out_bias")[:, None]
            front = weights[..., :n].sum(dim=-1, keepdim=True)
            logits = bias + (all_read - others_read) * share / front
            logits += (others_read - bias) * (1 - share) / (1 - front)
        return logits.argmax(-1).numpy()

    def answers_with_values_of(
        self, listed: Sequence[Example], others: Sequence[Example]
    ) -> NDArray[np.int64]:
        """Return the answers (S, N) where all weights stay, and the words of other sentences hand over the values."""
        with torch.no_grad():
            logits: Tensor = self(*encode(listed), handed=encode(others)[0])[0]
        return logits.argmax(-1).numpy()


def partner(one: Example) -> Example:
    """Put the noun of the other gender, of the same place in its list, into a sentence.

    >>> " ".join(partner(example("cat", "fluffy", "sleep")).words)
    'the mouse , which is fluffy , sleeps .'
    """
    noun = one.words[one.noun]
    mine, other = (MASCULINE, FEMININE) if noun in MASCULINE else (FEMININE, MASCULINE)
    return one._replace(words=(*one.words[: one.noun], other[mine.index(noun)], *one.words[one.noun + 1 :]))


def with_mixed_words(listed: Sequence[Example], n: int) -> list[Example]:
    """Put n words in front of each sentence, drawn anew from those that are neither animal nor adjective.

    >>> [one.adjective - CAT.adjective for one in with_mixed_words([CAT], 3)]
    [3]
    """
    rng = np.random.default_rng(0)
    words = [word for word in VOCABULARY if word not in (*MASCULINE, *FEMININE, *ADJECTIVES)]
    return [
        Example((*rng.choice(words, n).tolist(), *one.words), one.adjective + n, one.noun + n)
        for one in listed
    ]


def _chunks(listed: Sequence[Example]) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    ids, at = encode(listed)
    return ids.split(256), at.split(256)


def train(
    batches: Sequence[Sequence[Example]],
    task: Task,
    seeds: Sequence[int],
    steps: int,
    *,
    positions: bool = False,
    starts: Sequence[int] = (0,),
    uniform: bool = False,
    fixed: bool = False,
    causal: bool = False,
) -> tuple[SideBySide, NDArray[np.float32]]:
    """Train one model for each seed on the answers alone: cross-entropy, Adam, 64 sentences a step.

    Parameters
    ----------
    batches : lists of sentences, each of one length
        The steps take turns between them.
    task : "gender" or "noun"
    seeds : S int
        For the initial weights and the order of the sentences.
    steps : int
    positions : bool
        Whether position vectors are added.
    starts : numbers
        Positions are counted from one of these, drawn anew for each step.
    uniform, fixed, causal : bool
        The controls of `SideBySide`. In the first two, queries and keys have nothing to learn.

    Returns
    -------
    SideBySide, and the losses (S, steps)
    """
    models = []
    for seed in seeds:
        with seeded(seed):
            models.append(Agreement(len(ANSWERS[task]), positions))
    together = SideBySide(models, uniform, fixed, causal)
    data = [tensors(listed, task) for listed in batches]
    optimiser = torch.optim.Adam(together.parameters(), lr=5e-3)
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    rng, losses = np.random.default_rng(0), []
    for step in range(steps):
        ids, at, answer = data[step % len(data)]
        pick = torch.stack([torch.randint(len(ids), (64,), generator=generator) for generator in generators])
        logits, _ = together(ids[pick], at[pick], starts[int(rng.integers(len(starts)))])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), answer[pick].flatten(), reduction="none")
        loss = loss.reshape(len(seeds), -1).mean(dim=1)
        optimiser.zero_grad()
        loss.sum().backward()
        optimiser.step()
        losses.append(loss.detach().numpy())
    return together, np.array(losses).T


CAT, MOUSE = (example(noun, "fluffy", "sleep") for noun in ("cat", "mouse"))
STARTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24)
SHIFTS = (-4, -3, -2, -1, 1, 2, 3, 4, 6, 8, 12)  # of position vectors
BESIDE = (-6, -5, -3, -2, -1, 1, 2, 3)  # where the other noun is put, from the adjective
N_SEEDS, FEW = 20, 5
ALL_BUT_VERY = ("today", "again")
READERS, READ = range(4, 17), range(21)  # positions of adjectives and of nouns
PLACES = range(13)  # where the noun alone is put
SHARES = (0.0, 0.11, 0.71)  # of 24 words in front: none, what attention gives *today*, and what 1/L gives
PROBED = ("gender", "gender, uniform", "subject, positions", "either, positions", "any start")


class Training(NamedTuple):
    """What is trained on: nouns in a sentence, task, clauses, frames; and what else `train` is given."""

    n_nouns: int
    task: Task
    clauses: tuple[Clause, ...]
    more: dict[str, Any]
    frames: tuple[str, ...] = FRAMES


_BOTH: tuple[Clause, ...] = ("subject", "object")
_POSITIONS: dict[str, Any] = {"steps": 1000, "positions": True}
TRAININGS: dict[str, Training] = {
    "gender": Training(1, "gender", ("subject",), {"steps": 300}),
    "gender, uniform": Training(1, "gender", ("subject",), {"steps": 300, "uniform": True}),
    "naming": Training(1, "noun", ("subject",), {"steps": 300}),
    "naming, uniform": Training(1, "noun", ("subject",), {"steps": 300, "uniform": True}),
    "subject": Training(2, "noun", ("subject",), {"steps": 400}),
    "subject, positions": Training(2, "noun", ("subject",), {"steps": 400, "positions": True}),
    "subject, positions, longer": Training(2, "noun", ("subject",), {"steps": 2000, "positions": True}),
    "subject, positions, uniform": Training(
        2, "noun", ("subject",), {"steps": 400, "positions": True, "uniform": True}
    ),
    "subject, fixed": Training(2, "noun", ("subject",), {"steps": 400, "positions": True, "fixed": True}),
    "either": Training(2, "noun", _BOTH, {"steps": 400}),
    "either, causal": Training(2, "noun", _BOTH, {"steps": 400, "causal": True}),
    "either, positions": Training(2, "noun", _BOTH, {"steps": 600, "positions": True}),
    "either, fixed": Training(2, "noun", _BOTH, {"steps": 600, "positions": True, "fixed": True}),
    "any start": Training(2, "noun", _BOTH, _POSITIONS | {"starts": tuple(range(8))}),
    "any start, fixed": Training(2, "noun", _BOTH, _POSITIONS | {"starts": tuple(range(8)), "fixed": True}),
    "any start but 3 and 4": Training(2, "noun", _BOTH, _POSITIONS | {"starts": (0, 1, 2, 5, 6, 7)}),
    "any start, never very": Training(
        2, "noun", _BOTH, _POSITIONS | {"starts": tuple(range(8))}, ALL_BUT_VERY
    ),
}


def layouts(name: str) -> list[tuple[int, int, int]]:
    """List the positions of adjective, right noun and other noun that one of `TRAININGS` with two nouns has shown.

    >>> layouts("subject, positions")
    [(5, 1, 9), (6, 1, 10), (6, 2, 10)]
    """
    _, _, clauses, more, frames = TRAININGS[name]
    found = set()
    for clause, frame in product(clauses, frames):
        one = examples(2, test=False, clause=clause, frames=(frame,))[0]
        found |= {
            tuple(n + at for at in (one.adjective, one.noun, one.other)) for n in more.get("starts", (0,))
        }
    return sorted(found)


def measure(name: str, seeds: Sequence[int] = range(N_SEEDS)) -> dict[str, Any]:
    """Carry out one of `TRAININGS` for many seeds, and say what was learned.

    Returns
    -------
    dict
        `loss`, the mean of the last 20 steps of each seed, and `curve`, the median over seeds, by twenties.

        With one noun, by seed, on pairs that never met in training: `right`, the share of right answers; `later`, the
        same with 8 and with 24 words *today* in front; `cut`, the same where the noun's weight is 0; `value`, the
        share of answers that follow where the noun of the other gender hands over its value at unchanged weights;
        `cut_cat` and `value_cat`, whether these two change the answer for `CAT`. `on_noun`, by noun: the weight that
        *fluffy* gives it; `leads`, by noun: 1 where no word has more; `no_noun`: the answer where the noun is
        replaced by *which*.

        With two nouns, by clause and by the number from which positions are counted: `right`, and `first` and `second`,
        the shares of answers that name the first and the second noun. `very`: right answers with *very* in front of the
        adjective, by clause and start.

        And, for `PROBED`, what `probe_one_noun` or `probe_places` find, and `waves`, for "any start" alone, what
        `probe_waves` finds.
    """
    n_nouns, task, clauses, more, frames = TRAININGS[name]
    trained_on = [examples(n_nouns, test=False, clause=clause, frames=frames) for clause in clauses]
    models, losses = train(trained_on, task, seeds, **more)
    curve = np.median(losses, axis=0).reshape(-1, 20).mean(axis=1)
    record: dict[str, Any] = {"steps": more["steps"], "loss": losses[:, -20:].mean(axis=1), "curve": curve}
    if n_nouns == 1:
        record |= _one_noun(models, task)
    else:
        record |= _two_nouns(models, bool(more.get("positions")))
    if name in PROBED:
        record |= probe_one_noun(models, task) if n_nouns == 1 else probe_places(models)
    if name == "any start":
        record["waves"] = probe_waves(models)
    return record


def _one_noun(models: SideBySide, task: Task) -> dict[str, Any]:
    unseen = examples(1, test=True)
    right = np.array([one.answer(task) for one in unseen])
    others = [partner(one) for one in unseen]
    theirs = np.array([one.answer(task) for one in others])
    sentences = {noun: example(noun, "fluffy", "sleep") for noun in MASCULINE + FEMININE}
    rows = {noun: models.row(one) for noun, one in sentences.items()}
    no_noun = CAT._replace(words=("the", "which", *CAT.words[2:]))
    return {
        "right": (models.answers(unseen) == right).mean(axis=1),
        "later": {
            n: (models.answers([one.later(n) for one in unseen]) == right).mean(axis=1) for n in (8, 24)
        },
        "cut": (models.answers_without_noun(unseen) == right).mean(axis=1),
        "value": (models.answers_with_values_of(unseen, others) == theirs).mean(axis=1),
        "cut_cat": models.answers_without_noun([CAT])[:, 0] != CAT.answer(task),
        "value_cat": models.answers_with_values_of([CAT], [MOUSE])[:, 0] == MOUSE.answer(task),
        "on_noun": {noun: row[:, CAT.noun] for noun, row in rows.items()},
        "leads": {noun: row.argmax(axis=1) == CAT.noun for noun, row in rows.items()},
        "no_noun": models.answers([no_noun])[:, 0],
    }


def _two_nouns(models: SideBySide, positions: bool) -> dict[str, Any]:
    record: dict[str, Any] = {"right": {}, "first": {}, "second": {}, "very": {}}
    for clause in _BOTH:
        unseen = examples(2, test=True, clause=clause)
        right, first, second = np.transpose([(one.answer("noun"), *one.nouns) for one in unseen])
        said = {start: models.answers(unseen, start) for start in (STARTS if positions else (0,))}
        for kind, numbers in (("right", right), ("first", first), ("second", second)):
            record[kind][clause] = {
                start: (answers == numbers).mean(axis=1) for start, answers in said.items()
            }
        if not positions:
            continue
        listed = examples(2, test=True, clause=clause, frames=("very",))
        answers = [one.answer("noun") for one in listed]
        record["very"][clause] = {
            start: (models.answers(listed, start) == answers).mean(axis=1) for start in range(8)
        }
    return record


def probe_one_noun(models: SideBySide, task: Task) -> dict[str, Any]:
    """Put 24 words in front of sentences with one noun, and ask what of that is too much for the models.

    Returns
    -------
    dict
        Shares of right answers by seed: `silent`, where the words are *today* and their values are 0; `mixed`, where
        they are drawn from those that are neither animal nor adjective. `on_front`: the weight of the 24 *today*.
        `by_share` and `mixed_by_share`: where the 24 words together have one of `SHARES` of the weight, *today* and
        mixed ones.
    """
    unseen = examples(1, test=True)
    right = np.array([one.answer(task) for one in unseen])
    later, mixed = [one.later(24) for one in unseen], with_mixed_words(unseen, 24)
    silent, on_front = models.answers_with_silent(later, 24)

    def by_share(listed: Sequence[Example]) -> dict[float, NDArray[np.float64]]:
        return {s: (models.answers_with_share(listed, 24, s) == right).mean(axis=1) for s in SHARES}

    return {
        "silent": (silent == right).mean(axis=1),
        "mixed": (models.answers(mixed) == right).mean(axis=1),
        "on_front": on_front,
        "by_share": by_share(later),
        "mixed_by_share": by_share(mixed),
    }


def probe_places(models: SideBySide) -> dict[str, Any]:
    """Move position vectors, and leave the words where they are: by what do the models find a noun?

    Returns
    -------
    dict
        Shares of right answers by seed. `shifted`, with the clause on the subject: only the `adjective`, or all
        `others`, get position vectors so much later. `beside`, by clause, counted from 4, where noun and adjective are
        4 apart: the other noun gets the position vector so far from the adjective. `counted`, by clause and start:
        positions are counted from any number up to 16. `moved`, with the clause on the subject: the noun alone gets the
        vector of one of `PLACES`; `moved, other`: the shares of answers that name the other noun then. What is left
        names an animal that is not in the sentence. `far`, by position: the shares of answers that name the noun there
        where the two nouns alone get the vectors of 9 and 10, the second noun's in training. `late`, with the clause on
        the object, counted from 10: what is right where the `adjective` or the `nouns` alone keep the vectors that they
        have when counted from 7. `weights`: `SideBySide.weight_by_position` for `READERS` and `READ`, the mean over
        seeds.
    """

    def named_at(
        places: Callable[[Example], list[int]], clause: Clause, *frames: str
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the shares of answers that name the right noun, and that name the other one."""
        hits, misses = [], []
        for frame in frames:  # in each, all sentences have their nouns in the same places
            listed = examples(2, test=True, clause=clause, frames=(frame,))
            right, nouns = np.array([one.answer("noun") for one in listed]), [one.nouns for one in listed]
            answers = models.answers(listed, places=places(listed[0]))
            hits.append(answers == right)
            misses.append(answers == np.sum(nouns, axis=1) - right)
        return np.concatenate(hits, axis=1).mean(axis=1), np.concatenate(misses, axis=1).mean(axis=1)

    def right_at(places: Callable[[Example], list[int]], clause: Clause, *frames: str) -> NDArray[np.float64]:
        return named_at(places, clause, *frames)[0]

    def later(n: int, adjective: bool) -> Callable[[Example], list[int]]:
        return lambda one: [i + n * ((i == one.adjective) == adjective) for i in range(len(one.words))]

    def beside(n: int) -> Callable[[Example], list[int]]:
        return lambda one: [4 + (one.adjective + n if i == one.other else i) for i in range(len(one.words))]

    def counted(n: int) -> Callable[[Example], list[int]]:
        return lambda one: [n + i for i in range(len(one.words))]

    def moved(noun: int, other: int | None = None) -> Callable[[Example], list[int]]:
        def places(one: Example) -> list[int]:
            own = {one.noun: noun} | ({} if other is None else {one.other: other})
            return [own.get(i, i) for i in range(len(one.words))]

        return places

    def late(kept: str) -> Callable[[Example], list[int]]:
        def places(one: Example) -> list[int]:
            stay = {"adjective": [one.adjective], "nouns": [one.noun, one.other]}[kept]
            return [(7 if i in stay else 10) + i for i in range(len(one.words))]

        return places

    alone = {n: named_at(moved(n), "subject", *FRAMES) for n in PLACES}
    at_9, at_10 = (named_at(moved(*both), "subject", *FRAMES) for both in ((9, 10), (10, 9)))  # right, other
    return {
        "shifted": {
            "adjective": {n: right_at(later(n, True), "subject", *FRAMES) for n in SHIFTS},
            "others": {n: right_at(later(n, False), "subject", *FRAMES) for n in SHIFTS if n > 0},
        },
        "beside": {
            clause: {n: right_at(beside(n), clause, *ALL_BUT_VERY) for n in BESIDE} for clause in _BOTH
        },
        "counted": {
            clause: {n: right_at(counted(n), clause, *FRAMES) for n in range(17)} for clause in _BOTH
        },
        "moved": {n: right for n, (right, _) in alone.items()},
        "moved, other": {n: other for n, (_, other) in alone.items()},
        "far": {9: (at_9[0] + at_10[1]) / 2, 10: (at_9[1] + at_10[0]) / 2},
        "late": {kept: right_at(late(kept), "object", *FRAMES) for kept in ("adjective", "nouns")},
        "weights": models.weight_by_position(READERS, READ).mean(axis=0),
    }


def swapped_waves(vectors: Tensor, first: int, second: int, waves: Iterable[int]) -> Tensor:
    """Return position vectors (L, d) in which two words have exchanged some waves.

    Wave w is the sine and the cosine at 2w and 2w + 1; the lower, the faster.

    Examples
    --------
    >>> swapped_waves(torch.arange(8.0).view(2, 4), 0, 1, [1]).tolist()
    [[0.0, 1.0, 6.0, 7.0], [4.0, 5.0, 2.0, 3.0]]
    """
    swapped = vectors.clone()
    for w in waves:
        swapped[[first, second], 2 * w : 2 * w + 2] = vectors[[second, first], 2 * w : 2 * w + 2]
    return swapped


def probe_waves(models: SideBySide, start: int = 14) -> dict[str, NDArray[np.float64]]:
    """Exchange waves between the position vectors of the two nouns: which of them decide who is named?

    Returns
    -------
    dict
        By the waves that are exchanged (`none`, the two `fast` ones, or all other, `slow` ones): the shares, by seed,
        of answers that name the second noun, the mean over both clauses.
    """
    d = models.get_parameter("embedding_weight").shape[-1]
    shares = {}
    for name, waves in {"none": (), "fast": range(2), "slow": range(2, d // 2)}.items():
        named = []
        for clause, frame in product(
            _BOTH, FRAMES
        ):  # in each, all sentences have their nouns in the same places
            listed = examples(2, test=True, clause=clause, frames=(frame,))
            vectors = position_vectors(d)[start : start + len(listed[0].words)]
            added = swapped_waves(vectors, listed[0].noun, listed[0].other, waves)
            second = [one.nouns[1] for one in listed]
            named.append((models.answers(listed, added=added) == second).mean(axis=1))
        shares[name] = np.mean(named, axis=0)
    return shares


def _rounded(found: Any) -> Any:
    if isinstance(found, dict):
        return {str(name): _rounded(value) for name, value in found.items()}
    return np.round(np.asarray(found, dtype=float), 4).tolist() if np.ndim(found) else found


def stored(path: str | Path) -> dict[str, Any]:
    """Read results/fluffy.json: what `measure` found, by the names of `TRAININGS`."""
    record: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return record


def _write(path: Path) -> None:
    found = {}
    for name in TRAININGS:
        print(name, flush=True)
        found[name] = _rounded(measure(name, range(FEW if name.endswith("longer") else N_SEEDS)))
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    torch.set_num_threads(1)
    _write(Path(sys.argv[1]))
