"""*Is* or *are*? One question whose answer stands at varying distances, put to four kinds of network.

A verb must agree in number with its subject, and the subject is the one noun that fits the verb in meaning: animals
are asleep, things are broken, events are over. It stands a varying number of words before the verb. In the `"alone"`
task it is the only noun. In the `"distractors"` task nouns of the other kinds stand all around. In the `"nearest"` task
meaning does not count: the verb agrees with the last noun before it, so that order is all that matters.

The words are English; the sentences are random, and most of them nonsense.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import seeded
from course_lib.files import atomic_path
from course_lib.functional import sinusoidal_encoding
from course_lib.text.embedded import load_embedded

RESULTS = next(  # what stored trainings are read from, wherever in the course a notebook runs
    (
        folder / "results" / "why_attention"
        for folder in (Path.cwd(), *Path.cwd().parents)
        if (folder / "results" / "why_attention").is_dir()
    ),
    Path("results") / "why_attention",
)

Task = Literal["alone", "distractors", "nearest"]
TASKS: tuple[Task, ...] = ("alone", "distractors", "nearest")

NOUNS = (  # animals, things, events; the plural is formed with -s
    ("cat", "dog", "hen", "frog"),
    ("lamp", "cup", "chair", "bell"),
    ("hearing", "lesson", "game", "trial"),
)
VERBS = ("asleep", "broken", "over")  # what each kind can be; the model is to choose between is and are
ANSWERS = ("is", "are")
FILLERS = ("near", "behind", "with", "under", "today", "here", "again", "often")
_FORMS = [noun + ending for kind in NOUNS for noun in kind for ending in ("", "s")]
VOCABULARY = ("", "the", *FILLERS, *_FORMS, *VERBS)
N_VOCAB, N_PER_KIND = len(VOCABULARY), 2 * len(NOUNS[0])
PAD, THE, FILLER = 0, 1, 2  # where each sort of word begins in the vocabulary
NOUN = FILLER + len(FILLERS)
VERB = NOUN + len(_FORMS)

SHORT, LONG = range(1, 7), range(7, 13)  # distances from subject to verb: in training, and beyond
AROUND = 3  # at most so many words after the verb, and a few before the subject
MAX_LENGTH = AROUND + 1 + max(LONG) + 1 + AROUND


class Sentences(NamedTuple):
    """Sentences as word ids, and what is asked of them."""

    words: Tensor  # (B, L) int64, padded with PAD
    verbs: Tensor  # (B,) position of the verb
    distances: Tensor  # (B,) how many words before it its subject stands
    answers: Tensor  # (B,) 0 for is, 1 for are

    def rows(self, of: Tensor | slice) -> Sentences:
        """Return some of the sentences."""
        return Sentences(*(column[of] for column in self))

    def spelled(self, i: int) -> list[str]:
        """Return the words of sentence i; the verb is written with its *is* or *are*."""
        words = [VOCABULARY[word] for word in self.words[i].tolist() if word != PAD]
        verb = int(self.verbs[i])
        words[verb] = f"{ANSWERS[int(self.answers[i])]} {words[verb]}"
        return words


def draw_sentences(n: int, task: Task, distances: Sequence[int], generator: torch.Generator) -> Sentences:
    """Draw sentences in which the subject stands at one of these distances before the verb.

    Parameters
    ----------
    n : int
        Number of sentences, B.
    task : "alone", "distractors" or "nearest"
    distances : sequence of int
        Each is as likely as the others.
    generator : torch.Generator

    Returns
    -------
    Sentences
        Padded to the longest length that these distances allow.

    Raises
    ------
    ValueError
        If the task is unknown or a distance is not positive.

    Examples
    --------
    >>> drawn = draw_sentences(400, "distractors", [5], torch.Generator().manual_seed(3))
    >>> sorted(set((drawn.verbs - drawn.distances).tolist()))
    [1, 2, 3, 4]
    """
    if task not in TASKS:
        raise ValueError(f"task is {task!r}: expected one of {TASKS}")
    if not len(distances) or min(distances) < 1:
        raise ValueError(f"distances {list(distances)}: expected at least one, all positive")

    def pick(low: int, high: int, *shape: int) -> Tensor:
        return torch.randint(low, high, shape, generator=generator)

    gaps = torch.tensor(list(distances))[pick(0, len(distances), n)]
    last = AROUND + 1 + max(distances)  # where the verb stands at most
    subjects = 1 + (torch.rand(n, generator=generator) * (last - gaps)).long()  # 1 … last − gap
    verbs = subjects + gaps
    lengths = verbs + 1 + pick(0, AROUND + 1, n)
    kinds, forms = pick(0, len(NOUNS), n), pick(0, N_PER_KIND, n)

    at, rows = torch.arange(last + 1 + AROUND), torch.arange(n)  # (L,), (B,)
    words = pick(FILLER, NOUN, n, len(at))
    if task != "alone":
        other = pick(0 if task == "nearest" else 1, len(NOUNS), n, len(at))  # by how much their kind differs
        nouns = NOUN + N_PER_KIND * ((kinds[:, None] + other) % len(NOUNS)) + pick(0, N_PER_KIND, n, len(at))
        wanted = pick(0, 2, n, len(at)).bool()
        if task == "nearest":  # none between the one that counts and the verb
            wanted &= (at < subjects[:, None]) | (at > verbs[:, None])
        # a noun comes with its article, so it takes two places that are free
        taken = torch.zeros(n, dtype=torch.bool)
        for i in at[1:].tolist():
            free = ~taken & (i < lengths) & ~torch.isin(i - subjects, torch.tensor([-1, 0, 1]))
            free &= (i != verbs) & (i - 1 != verbs)
            taken = free & wanted[:, i]
            words[taken, i] = nouns[taken, i]
            words[taken, i - 1] = THE
    words[rows, subjects - 1] = THE
    words[rows, subjects] = NOUN + N_PER_KIND * kinds + forms
    words[rows, verbs] = VERB + (pick(0, len(NOUNS), n) if task == "nearest" else kinds)
    words[at >= lengths[:, None]] = PAD
    return Sentences(words, verbs, gaps, forms % 2)


class Reader(nn.Module):
    """Word embeddings, one way to let words exchange information, and a linear read-out at the verb."""

    def __init__(self, d: int, d_out: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(N_VOCAB, d, padding_idx=PAD)
        self.read = nn.Linear(d_out, len(ANSWERS))

    def forward(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the logits (B, 2) of is and are, for words (B, L) and verbs (B,)."""
        return self.read(self.context(words, verbs))

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the vector at the verb after the exchange, (B, d_out)."""
        raise NotImplementedError


class ConvolutionReader(Reader):
    """Four convolutions of kernel size 5, each added to its input: the verb sees 8 words to either side."""

    def __init__(self, d: int = 16, n_layers: int = 4, kernel_size: int = 5) -> None:
        super().__init__(d, d)
        self.layers = nn.ModuleList(
            nn.Conv1d(d, d, kernel_size, padding=kernel_size // 2) for _ in range(n_layers)
        )

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the vector at the verb after all layers."""
        x = self.embed(words).transpose(1, 2)  # (B, L, d) -> (B, d, L), as Conv1d wants it
        inside = (words != PAD)[:, None]  # (B, 1, L): what lies beyond the end stays zero in every layer
        for layer in self.layers:
            x = (x + F.relu(layer(x))) * inside
        return x[torch.arange(len(x)), :, verbs]


class DenseReader(Reader):
    """One dense layer over the whole sentence, padded to the maximum length and flattened."""

    def __init__(self, d: int = 8, d_out: int = 32) -> None:
        super().__init__(d, d_out)
        self.dense = nn.Linear(MAX_LENGTH * d, d_out)

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the hidden units; where the verb stands, they must find out themselves."""
        padded = F.pad(words, (0, MAX_LENGTH - words.shape[1]), value=PAD)
        return F.relu(self.dense(self.embed(padded).flatten(1)))  # (B, L, d) -> (B, L·d)


class RecurrentReader(Reader):
    """A GRU that has read the sentence up to its verb."""

    def __init__(self, d: int = 27) -> None:
        super().__init__(d, d)
        self.recurrent = nn.GRU(d, d, batch_first=True)

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the state at the verb."""
        inputs = self.embed(words) @ self.recurrent.weight_ih_l0.T + self.recurrent.bias_ih_l0  # (B, L, 3·d)
        state, states = inputs.new_zeros(1, inputs.shape[2] // 3), []  # nn.GRU itself cannot be vmapped
        for step in inputs.unbind(dim=1):
            kept = state @ self.recurrent.weight_hh_l0.T + self.recurrent.bias_hh_l0  # (B, 3·d)
            (r, z, n), (r_kept, z_kept, n_kept) = step.chunk(3, dim=-1), kept.chunk(3, dim=-1)
            reset, update = torch.sigmoid(r + r_kept), torch.sigmoid(z + z_kept)
            state = torch.lerp(torch.tanh(n + reset * n_kept), state, update)
            states.append(state)
        return torch.stack(states, dim=1)[torch.arange(len(words)), verbs]


class AttentionReader(Reader):
    """One head of attention: the verb is the query, all words are keys and values."""

    def __init__(self, d: int = 36, positions: bool = False) -> None:
        super().__init__(d, d)
        self.query, self.key, self.value = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.positions = positions

    def attend(self, words: Tensor, verbs: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the verb takes from the words, (B, d), and its weights (B, L)."""
        x = self.embed(words)
        if self.positions:
            x = x + torch.tensor(sinusoidal_encoding(words.shape[1], x.shape[2]), dtype=x.dtype)
        q = self.query(x[torch.arange(len(x)), verbs])  # (B, d)
        scores = (q[:, None] * self.key(x)).sum(dim=2) / x.shape[2] ** 0.5  # (B, L)
        weights = scores.masked_fill(words == PAD, -torch.inf).softmax(dim=1)
        return (weights[:, :, None] * self.value(x)).sum(dim=1), weights

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return what the verb takes from the words."""
        return self.attend(words, verbs)[0]


class BagReader(Reader):
    """The average of all words, beside the verb, through one hidden layer: no order, no weights."""

    def __init__(self, d: int = 36, d_out: int = 56) -> None:
        super().__init__(d, d_out)
        self.hidden = nn.Linear(2 * d, d_out)

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the hidden units."""
        x = self.embed(words)  # (B, L, d), zero at padding
        average = x.sum(dim=1) / (words != PAD).sum(dim=1, keepdim=True)
        return F.relu(self.hidden(torch.cat([average, x[torch.arange(len(x)), verbs]], dim=1)))


MODELS: dict[str, Callable[[], Reader]] = {  # of some 5,300 to 5,900 parameters each
    "bag of words": BagReader,
    "convolution": ConvolutionReader,
    "dense": DenseReader,
    "GRU": RecurrentReader,
    "attention": AttentionReader,
    "attention with positions": lambda: AttentionReader(positions=True),
}


class Training(NamedTuple):
    """What became of one model."""

    n_sentences: int
    seed: int
    steps: list[int]  # when it was looked at
    losses: list[float]  # on held-out sentences, at the trained distances
    short: list[float]  # accuracy on test sentences at the trained distances
    long: list[float]  # and at longer ones
    stopped: int  # the step at which it was right most often on held-out sentences: the model that counts
    by_distance: Sequence[float] = ()  # accuracy of the model that counts, at each distance from 1 to 12

    def at_stop(self) -> tuple[float, float]:
        """Return the accuracy of the model that counts, at the trained and at longer distances."""
        at = self.steps.index(self.stopped)
        return self.short[at], self.long[at]


def train_to_convergence(
    build: Callable[[], Reader],
    task: Task,
    members: Sequence[tuple[int, int]],
    *,
    learning_rate: float,
    distances: Sequence[int] | Sequence[Sequence[int]] = SHORT,
    batch: int = 32,
    every: int = 100,
    patience: int = 10,
    at_most: int = 4000,
    by_distance: bool = False,
) -> list[Training]:
    """Train copies of a model, each on its own sentences, until each has stopped to improve on held-out ones.

    The copies train side by side, as one model with one more dimension, which is faster on one processor core.

    Parameters
    ----------
    build : function
        Returns the model to train, such as `MODELS["attention"]`.
    task : "alone", "distractors" or "nearest"
    members : sequence of (n_sentences, seed)
        How many different sentences each copy learns from, and what seeds them and its weights.
    learning_rate, batch
        Of Adam; sentences a step.
    distances : sequence of int, or for each member a sequence of int
        From subject to verb, in the sentences to learn from and in the held-out ones.
    every, patience, at_most : int
        Held-out sentences are looked at every so many steps; a copy has converged when so many looks in a row have
        brought no higher accuracy there (if equal, no lower loss). Training ends when all have, or after `at_most`
        steps.
    by_distance : bool
        Whether the model that counts is tested on 200 more sentences at each distance.
    """
    apiece: Any = [distances] * len(members) if isinstance(distances[0], int) else distances
    longest = AROUND + 1 + max(map(max, apiece)) + 1 + AROUND  # all are padded to the same length

    def draw(n: int, own: Sequence[int], seed: int) -> Sentences:
        drawn = draw_sentences(n, task, own, torch.Generator().manual_seed(seed))
        return drawn._replace(words=F.pad(drawn.words, (0, longest - drawn.words.shape[1]), value=PAD))

    pools = [draw(n, own, seed) for (n, seed), own in zip(members, apiece, strict=True)]
    models = []
    for _, seed in members:
        with seeded(seed):
            models.append(build())
    stacked, _ = torch.func.stack_module_state(models)
    # weights, and the two running means of Adam: all (n_copies, …)
    state = {name: (w.detach(), torch.zeros_like(w), torch.zeros_like(w)) for name, w in stacked.items()}

    def answers(own: dict[str, Tensor], words: Tensor, verbs: Tensor) -> Tensor:
        logits: Tensor = torch.func.functional_call(models[0], own, (words, verbs))
        return logits

    together = torch.func.vmap(answers)
    on_same = torch.func.vmap(answers, in_dims=(0, None, None))
    held_out = [draw(500, own, 10_000) for own in apiece]
    short, long = (
        draw_sentences(500, task, where, torch.Generator().manual_seed(10_001 + i))
        for i, where in enumerate((SHORT, LONG))
    )
    apart = [
        draw_sentences(200, task, [k], torch.Generator().manual_seed(20_000 + k))
        for k in range(1, 1 + max(LONG))
    ]
    generator = torch.Generator().manual_seed(members[0][1])
    found = [Training(n, seed, [], [], [], [], 0) for n, seed in members]
    best = [(0.0, -float("inf"))] * len(members)
    going = list(range(len(members)))  # the copies that have not converged
    for step in range(at_most + 1):
        weights = {name: w for name, (w, _, _) in state.items()}
        if step % every == 0:
            with torch.no_grad():
                words, verbs = (torch.stack([held_out[i][column] for i in going]) for column in (0, 1))
                logits = together(weights, words, verbs)
                rights = [
                    (on_same(weights, s.words, s.verbs).argmax(dim=2) == s.answers).double().mean(dim=1)
                    for s in (short, long)
                ]
                tested = torch.zeros(len(going), 0)
                if by_distance:
                    tested = torch.stack(
                        [
                            (on_same(weights, s.words, s.verbs).argmax(dim=2) == s.answers)
                            .double()
                            .mean(dim=1)
                            for s in apart
                        ],
                        dim=1,
                    )
            for k, i in enumerate(going):
                own = found[i]
                loss = float(F.cross_entropy(logits[k], held_out[i].answers))
                right = float((logits[k].argmax(dim=1) == held_out[i].answers).double().mean())
                own.steps.append(step)
                own.losses.append(round(loss, 4))
                own.short.append(round(float(rights[0][k]), 4))
                own.long.append(round(float(rights[1][k]), 4))
                if (right, -loss) > best[i]:
                    best[i] = right, -loss
                    found[i] = own._replace(
                        stopped=step, by_distance=[round(x, 4) for x in tested[k].tolist()]
                    )
            kept = [k for k, i in enumerate(going) if step - found[i].stopped < patience * every]
            going = [going[k] for k in kept]
            if not going:
                break
            state = {name: tuple(x[kept] for x in each) for name, each in state.items()}  # type: ignore[misc]
        drawn = [
            pools[i].rows((torch.rand(batch, generator=generator) * members[i][0]).long()) for i in going
        ]
        weights = {name: w.requires_grad_() for name, (w, _, _) in state.items()}
        logits = together(
            weights, torch.stack([s.words for s in drawn]), torch.stack([s.verbs for s in drawn])
        )
        # a sum over copies, so that each gets the gradient of its own loss
        total = F.cross_entropy(logits.flatten(0, 1), torch.cat([s.answers for s in drawn])) * len(going)
        gradients = torch.autograd.grad(total, list(weights.values()))
        for (name, (w, mean, square)), gradient in zip(list(state.items()), gradients, strict=True):
            mean, square = torch.lerp(mean, gradient, 0.1), torch.lerp(square, gradient**2, 0.001)
            size = (square / (1 - 0.999 ** (step + 1))).sqrt() + 1e-8
            moved = w.detach() - learning_rate / (1 - 0.9 ** (step + 1)) * mean / size
            state[name] = (moved, mean, square)
    return found


def trained(
    build: Callable[[], Reader] = AttentionReader,
    *,
    task: Task = "distractors",
    steps: int = 300,
    seed: int = 0,
) -> Any:
    """Train a model for a fixed number of steps on 4,096 sentences, as the chapter's cells do.

    Examples
    --------
    >>> model = trained(steps=100)
    >>> accuracy(model, draw_sentences(200, "distractors", SHORT, torch.Generator().manual_seed(9))) > 0.7
    True
    """
    sentences = draw_sentences(4096, task, SHORT, torch.Generator().manual_seed(seed))
    with seeded(seed):
        model = build()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        batch = sentences.rows(torch.randint(4096, (64,), generator=generator))
        loss = F.cross_entropy(model(batch.words, batch.verbs), batch.answers)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return model


@torch.no_grad()
def accuracy(model: nn.Module, sentences: Sentences) -> float:
    """Return the proportion of right answers; a coin gets 0.5."""
    right = model(sentences.words, sentences.verbs).argmax(dim=1) == sentences.answers
    return float(right.double().mean())


def flipped(sentences: Sentences, which: Literal["subject", "others"]) -> Sentences:
    """Put singular for plural and plural for singular: the subject, or all other nouns; the answers stay."""
    words, rows = sentences.words.clone(), torch.arange(len(sentences.words))
    is_noun = (words >= NOUN) & (words < VERB)
    is_subject = torch.zeros_like(is_noun)
    is_subject[rows, sentences.verbs - sentences.distances] = True
    changed = is_noun & (is_subject if which == "subject" else ~is_subject)
    words[changed] = NOUN + ((words[changed] - NOUN) ^ 1)
    return sentences._replace(words=words)


def shuffled(sentences: Sentences, generator: torch.Generator) -> Sentences:
    """Put all words but the verb in random order; where the subject then stands is not told."""
    words = sentences.words.clone()
    for i, verb in enumerate(sentences.verbs.tolist()):
        others = [j for j, word in enumerate(words[i].tolist()) if word != PAD and j != verb]
        words[i, others] = words[i, others][torch.randperm(len(others), generator=generator)]
    return sentences._replace(words=words)


@torch.no_grad()
def follows(reader: Reader, test: Sentences) -> float:
    """Return the proportion of a reader's answers that change when the subject changes its number."""
    says, then = (reader(s.words, s.verbs).argmax(dim=1) for s in (test, flipped(test, "subject")))
    return float((says != then).double().mean())


@torch.no_grad()
def interventions(reader: Reader, n: int = 1000) -> dict[str, float]:
    """Change sentences with subjects 7 to 12 words back, and see what becomes of a reader's answers.

    Returns
    -------
    dict
        The proportion of answers that change when the subject changes its number (`flip_subject`), and that stay when
        all other nouns do (`flip_others`) or the words are put in random order (`shuffle`).
    """
    test = draw_sentences(n, "distractors", LONG, torch.Generator().manual_seed(8))

    def stay(changed: Sentences) -> float:
        says = (reader(each.words, test.verbs).argmax(dim=1) for each in (changed, test))
        return float((next(says) == next(says)).double().mean())

    return {
        "flip_subject": follows(reader, test),
        "flip_others": stay(flipped(test, "others")),
        "shuffle": stay(shuffled(test, torch.Generator().manual_seed(8))),
    }


def without_subject(sentences: Sentences) -> Sentences:
    """Put *today* in the place of the subject and of its article.

    >>> drawn = draw_sentences(1, "alone", [2], torch.Generator().manual_seed(0))
    >>> " ".join(drawn.spelled(0)), " ".join(without_subject(drawn).spelled(0))
    ('under under often the dogs here are asleep today', 'under under often today today here are asleep today')
    """
    words, rows = sentences.words.clone(), torch.arange(len(sentences.words))
    subjects = sentences.verbs - sentences.distances
    words[rows, subjects] = words[rows, subjects - 1] = VOCABULARY.index("today")
    return sentences._replace(words=words)


class Look(NamedTuple):
    """What a verb does with subjects of one number, 7 to 12 words back: means over sentences."""

    subject: float  # weight on the subject
    itself: float  # on the verb
    nouns: float  # on all other nouns
    lead: float  # by how much the score of the right answer exceeds that of the other
    without: float  # the same, when the subject is replaced by "today"
    right: float  # how often the right answer leads
    right_without: float  # the same, when the subject is replaced


@torch.no_grad()
def looks(reader: AttentionReader, n: int = 1000) -> dict[str, Look]:
    """Return what each verb does with singular and with plural subjects.

    >>> list(looks(AttentionReader(), n=99))[:2]
    ['is asleep', 'are asleep']
    """
    test = draw_sentences(n, "distractors", LONG, torch.Generator().manual_seed(8))
    rows, at = torch.arange(n), torch.arange(test.words.shape[1])
    weights = reader.attend(test.words, test.verbs)[1]  # (B, L)
    is_subject = at == (test.verbs - test.distances)[:, None]
    is_noun = (test.words >= NOUN) & (test.words < VERB) & ~is_subject
    shares = [(weights * which).sum(dim=1) for which in (is_subject, at == test.verbs[:, None], is_noun)]
    leads = []
    for sentences in (test, without_subject(test)):
        scores = reader(sentences.words, sentences.verbs)
        leads.append(scores[rows, test.answers] - scores[rows, 1 - test.answers])
    measured = torch.stack([*shares, *leads, *((lead > 0).float() for lead in leads)])  # (7, B)
    verbs = test.words[rows, test.verbs]
    return {
        f"{answer} {verb}": Look(*measured[:, (verbs == VERB + v) & (test.answers == a)].mean(dim=1).tolist())
        for v, verb in enumerate(VERBS)
        for a, answer in enumerate(ANSWERS)
    }


SIZES = {"alone": (64, 256, 1024), "distractors": (128, 512, 2048, 8192), "nearest": (2048,)}
SEEDS = (0, 1, 2)
LEARNING_RATE = 3e-3


def carry_out(task: Task, model: str, path: Path, learning_rate: float = LEARNING_RATE) -> None:
    """Train a model on all numbers of sentences and seeds of a task, and write what became of it."""
    began = time.process_time()
    members = [(n, seed) for n in SIZES[task] for seed in SEEDS]
    trainings = train_to_convergence(MODELS[model], task, members, learning_rate=learning_rate)
    settings = {"learning_rate": learning_rate, "batch": 32, "held_out": 500, "tested": 500}
    record = {
        "command": f"python -m course_lib.chapters.ch01_why_attention.agreement {task} {model!r}",
        "task": task,
        "model": model,
        "parameters": sum(p.numel() for p in MODELS[model]().parameters()),
        "settings": settings,
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "processor_seconds": round(time.process_time() - began),
        "trainings": [training._asdict() for training in trainings],
    }
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(record) + "\n", encoding="utf-8")


def deep_convolutions(path: Path) -> None:
    """Train convolutions of seven layers, whose reach is 14, on near subjects only and on near and far ones."""
    began = time.process_time()
    found = {}
    for name, distances in {"near": SHORT, "near and far": range(1, 13)}.items():
        members = [(8192, seed) for seed in SEEDS]
        trainings = train_to_convergence(
            lambda: ConvolutionReader(n_layers=7),
            "distractors",
            members,
            learning_rate=LEARNING_RATE,
            distances=distances,
        )
        found[name] = [training._asdict() for training in trainings]
    _write(path, "reach", began, trainings=found)


LEFT_OUT = (4, 9)


def convolutions_without_a_distance(path: Path) -> None:
    """Train convolutions of seven layers at all distances from 1 to 12 but one, two seeds for each of `LEFT_OUT`."""
    began = time.process_time()
    trainings = train_to_convergence(
        lambda: ConvolutionReader(n_layers=7),
        "distractors",
        [(8192, seed) for _ in LEFT_OUT for seed in SEEDS[:2]],
        learning_rate=LEARNING_RATE,
        distances=[[k for k in range(1, 13) if k != out] for out in LEFT_OUT for _ in SEEDS[:2]],
        at_most=2500,
        by_distance=True,
    )
    found = {str(out): [t._asdict() for t in trainings[2 * i :][:2]] for i, out in enumerate(LEFT_OUT)}
    _write(path, "left-out", began, trainings=found)


def _write(path: Path, command: str, began: float, **found: object) -> None:
    """Write a record: what made it, and what was found."""
    record = {
        "command": f"python -m course_lib.chapters.ch01_why_attention.agreement {command}",
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "processor_seconds": round(time.process_time() - began),
    }
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(record | found) + "\n", encoding="utf-8")


FAR = (12, 30, 100, 300, 1000)  # words back
FAR_STEPS = {"attention": 300, "bag of words": 1500}


def far_away(path: Path) -> None:
    """Train at 1 to 6 words back, and write how often the answer is right up to 1,000 words back."""
    began = time.process_time()
    tests = [draw_sentences(300, "distractors", [k], torch.Generator().manual_seed(k)) for k in FAR]
    right: dict[str, list[list[float]]] = {name: [] for name in FAR_STEPS}
    weight = []
    for name, steps in FAR_STEPS.items():
        for seed in SEEDS:
            model = trained(MODELS[name], steps=steps, seed=seed)
            right[name].append([round(accuracy(model, test), 4) for test in tests])
            if isinstance(model, AttentionReader):
                weight.append([round(_mean_weight(model, test), 4) for test in tests])
    settings = {"sentences": 4096, "learning_rate": 1e-2, "steps": FAR_STEPS, "tested": 300, "seeds": SEEDS}
    _write(path, "far", began, settings=settings, distances=FAR, right=right, weight=weight)


def without_distractors(sentences: Sentences, generator: torch.Generator) -> Sentences:
    """Put words that are no nouns in the place of every noun but the subject, and of its article.

    >>> drawn = draw_sentences(1, "distractors", [6], torch.Generator().manual_seed(0))
    >>> " ".join(drawn.spelled(0))
    'under the games the dogs the hearing today the hearing are asleep near'
    >>> " ".join(without_distractors(drawn, torch.Generator().manual_seed(0)).spelled(0))
    'under often here the dogs under under today behind under are asleep near'
    """
    words, rows = sentences.words.clone(), torch.arange(len(sentences.words))
    is_noun = (words >= NOUN) & (words < VERB)
    is_noun[rows, sentences.verbs - sentences.distances] = False
    is_article = F.pad(is_noun[:, 1:], (0, 1))
    fillers = torch.randint(FILLER, NOUN, words.shape, generator=generator)
    return sentences._replace(words=torch.where(is_noun | is_article, fillers, words))


REPAIRS = ("as it is", "without distractors", "magnified", "both")
USUAL = 10  # words in a sentence of training, about


@torch.no_grad()
def repaired(bag: BagReader, test: Sentences, *, generator: torch.Generator) -> dict[str, float]:
    """Return how often a bag of words is right on long sentences, as it is and after each of `REPAIRS`.

    Magnified, the average differs as much from that of words that are no nouns as if the sentence had `USUAL` words.
    """
    ordinary = _ordinary(bag)
    alone = without_distractors(test, generator)
    return {
        name: _right(bag, sentences, ordinary if magnify else None)
        for name, sentences, magnify in zip(
            REPAIRS, (test, alone, test, alone), (False, False, True, True), strict=True
        )
    }


def _ordinary(bag: BagReader) -> Tensor:
    """Return the average of the words that are no nouns, (d,)."""
    return bag.embed.weight[FILLER:NOUN].mean(dim=0)


def _averages(bag: BagReader, sentences: Sentences) -> Tensor:
    """Return the average of each sentence's words, (B, d)."""
    total: Tensor = bag.embed(sentences.words).sum(dim=1)
    return total / (sentences.words != PAD).sum(dim=1, keepdim=True)


def _right(bag: BagReader, sentences: Sentences, middle: Tensor | None = None) -> float:
    """Return how often a bag is right if its average's difference from a middle, (d,) or (B, d), is magnified."""
    average = _averages(bag, sentences)
    verbs = sentences.words[torch.arange(len(sentences.words)), sentences.verbs]
    if middle is not None:
        length = (sentences.words != PAD).sum(dim=1, keepdim=True)
        average = _ordinary(bag) + (average - middle) * length / USUAL
    scores = bag.read(F.relu(bag.hidden(torch.cat([average, bag.embed(verbs)], dim=1))))
    return float((scores.argmax(dim=1) == sentences.answers).double().mean())


class Parts(NamedTuple):
    """What moves the average of a bag, and by how much: lengths of vectors, means over sentences."""

    words: float  # in a sentence
    subject: float  # half of what its change from singular to plural moves
    chance: float  # by how much sentences with the same verb differ
    always: float  # how far the middle of these sentences is from that of words that are no nouns
    centred: float  # how often the answer is right, if only what differs from that middle is magnified


@torch.no_grad()
def parts_of_the_average(bag: BagReader, distance: int, n: int = 1000) -> Parts:
    """Measure what the subject and the distractors do to a bag's average, so many words back.

    >>> near, far = (parts_of_the_average(BagReader(), k, n=99) for k in (12, 120))
    >>> near.subject > 5 * far.subject
    True
    """
    test = draw_sentences(n, "distractors", [distance], torch.Generator().manual_seed(distance))
    verbs = test.words[torch.arange(n), test.verbs]
    average, turned = _averages(bag, test), _averages(bag, flipped(test, "subject"))
    middles = torch.stack([average[verbs == VERB + v].mean(dim=0) for v in range(len(VERBS))])[verbs - VERB]
    moves = ((turned - average) / 2, average - middles, middles - _ordinary(bag))
    subject, chance, always = (float(moved.norm(dim=1).mean()) for moved in moves)
    words = float((test.words != PAD).sum(dim=1).double().mean())
    return Parts(words, subject, chance, always, _right(bag, test, middles))


def bag_repairs(path: Path) -> None:
    """Train bags of words as `far_away` does, and write what helps them with subjects 1,000 words back, and why."""
    began = time.process_time()
    test = draw_sentences(300, "distractors", FAR[-1:], torch.Generator().manual_seed(FAR[-1]))
    bags = [trained(BagReader, steps=FAR_STEPS["bag of words"], seed=seed) for seed in SEEDS]
    found = [repaired(bag, test, generator=torch.Generator().manual_seed(0)) for bag in bags]
    right = {name: [round(each[name], 4) for each in found] for name in REPAIRS}
    alone = without_distractors(test, torch.Generator().manual_seed(0))
    follow = {
        name: [round(follows(bag, sentences), 4) for bag in bags]
        for name, sentences in zip(REPAIRS, (test, alone), strict=False)
    }
    parts = [[[round(x, 4) for x in parts_of_the_average(bag, k)] for k in FAR] for bag in bags]
    settings = {"tested": 300, "distance": FAR[-1], "seeds": SEEDS, "distances": FAR, "measured": 1000}
    _write(path, "repairs", began, settings=settings, right=right, follow=follow, parts=parts)


def stored_parts(folder: Path = RESULTS) -> dict[str, NDArray[np.float64]]:
    """Read each of `Parts` for bags of words with subjects `FAR` words back, (n_seeds, 5)."""
    found = np.array(json.loads((folder / "repairs.json").read_text(encoding="utf-8"))["parts"])
    return dict(zip(Parts._fields, np.moveaxis(found, 2, 0), strict=True))


def stored_follow(folder: Path = RESULTS) -> dict[str, NDArray[np.float64]]:
    """Read how many answers of bags of words follow a subject 1,000 words back, as it is and without distractors."""
    found = json.loads((folder / "repairs.json").read_text(encoding="utf-8"))["follow"]
    return {name: np.array(runs) for name, runs in found.items()}


def stored_repairs(folder: Path = RESULTS) -> dict[str, NDArray[np.float64]]:
    """Read how often bags of words are right 1,000 words back after each of `REPAIRS`, (n_seeds,)."""
    found = json.loads((folder / "repairs.json").read_text(encoding="utf-8"))["right"]
    return {name: np.array(runs) for name, runs in found.items()}


def convolutions_by_distance(path: Path) -> None:
    """Train the convolutions of the experiment from 8,192 sentences once more, and test them at each distance."""
    began = time.process_time()
    trainings = train_to_convergence(
        ConvolutionReader,
        "distractors",
        [(8192, seed) for seed in SEEDS],
        learning_rate=LEARNING_RATE,
        by_distance=True,
    )
    _write(path, "by-distance", began, trainings=[training._asdict() for training in trainings])


def stored_by_distance(folder: Path = RESULTS) -> NDArray[np.float64]:
    """Read how often convolutions with a reach of 8 are right at distances 1 to 12, (n_seeds, 12)."""
    found = json.loads((folder / "by-distance.json").read_text(encoding="utf-8"))["trainings"]
    return np.array([each["by_distance"] for each in found])


@torch.no_grad()
def right_with_at_most(reader: AttentionReader, test: Sentences, most: float) -> float:
    """Return how often a reader is right if no subject gets more than this share of the weight.

    What is taken from the subject goes to the other words, in proportion to their own weights.

    >>> reader, test = AttentionReader(), draw_sentences(99, "alone", LONG, torch.Generator().manual_seed(0))
    >>> right_with_at_most(reader, test, 1.0) == accuracy(reader, test)
    True
    """
    rows, subjects = torch.arange(len(test.words)), test.verbs - test.distances
    weights = reader.attend(test.words, test.verbs)[1]  # (B, L)
    kept = weights[rows, subjects].clamp(max=most)
    weights[rows, subjects] = 0
    weights *= ((1 - kept) / weights.sum(dim=1).clamp(min=1e-30))[:, None]
    weights[rows, subjects] = kept
    read = (weights[:, None] @ reader.value(reader.embed(test.words)))[:, 0]
    right = reader.read(read).argmax(dim=1) == test.answers
    return float(right.double().mean())


@torch.no_grad()
def _mean_weight(reader: AttentionReader, test: Sentences) -> float:
    weights = reader.attend(test.words, test.verbs)[1]
    return float(weights[torch.arange(len(weights)), test.verbs - test.distances].mean())


def moved(sentences: Sentences, n: int) -> Sentences:
    """Put n words that are no nouns in front of sentences; those that then do not fit are left out.

    >>> drawn = draw_sentences(9, "alone", SHORT, torch.Generator().manual_seed(0))
    >>> bool((moved(drawn, 4).verbs == drawn.verbs + 4).all())
    True
    """
    generator = torch.Generator().manual_seed(n)
    front = torch.randint(FILLER, NOUN, (len(sentences.words), n), generator=generator)
    words = torch.cat([front, sentences.words], dim=1)
    fits = (words != PAD).sum(dim=1) <= MAX_LENGTH
    return Sentences(words[:, :MAX_LENGTH], sentences.verbs + n, *sentences[2:]).rows(fits)


PLACES = ("both where in training", "only the verb elsewhere", "both elsewhere")


def dense_places(path: Path) -> None:
    """Train dense layers, move sentences to the right, and write how often they are right, by where words now stand."""
    began = time.process_time()
    found: dict[str, list[list[float]]] = {}
    last = AROUND + 1 + SHORT[-1]  # where verbs stood in training at most; subjects at most one place before
    for task in TASKS[:2]:
        found[task] = []
        for seed in SEEDS:
            model = trained(DenseReader, task=task, steps=1500, seed=seed)
            test = moved(draw_sentences(4000, task, SHORT, torch.Generator().manual_seed(9)), 4)
            subject, verb = test.verbs - test.distances < last, test.verbs <= last
            groups = subject & verb, subject & ~verb, ~subject
            found[task].append([round(accuracy(model, test.rows(which)), 4) for which in groups])
    settings = {"steps": 1500, "sentences": 4096, "learning_rate": 1e-2, "moved": 4, "seeds": SEEDS}
    _write(path, "places", began, settings=settings, right=found)


def stored_places(task: Task, folder: Path = RESULTS) -> NDArray[np.float64]:
    """Read how often dense layers are right on moved sentences, for each of `PLACES`, (n_seeds, 3)."""
    return np.array(json.loads((folder / "places.json").read_text(encoding="utf-8"))["right"][task])


def majority_of_nouns(n: int = 4000, distances: Sequence[int] = SHORT) -> float:
    """Return how often the number of most nouns of a sentence is right in the "nearest" task; a tie counts half."""
    test = draw_sentences(n, "nearest", distances, torch.Generator().manual_seed(5))
    is_noun = (test.words >= NOUN) & (test.words < VERB)
    plural = (is_noun & ((test.words - NOUN) % 2 == 1)).sum(dim=1)
    lead = 2 * plural - is_noun.sum(dim=1)  # of the plural nouns over the singular ones
    right = (lead > 0) == (test.answers == 1)
    return float(torch.where(lead == 0, 0.5, right.double()).mean())


def records(task: Task, folder: Path = RESULTS) -> dict[str, list[Training]]:
    """Read what became of each model on a task."""
    found = {}
    for model in MODELS:
        path = folder / f"{task}-{model.replace(' ', '-')}.json"
        if path.exists():
            trainings = json.loads(path.read_text(encoding="utf-8"))["trainings"]
            found[model] = [Training(**each) for each in trainings]
    return found


def deep_records(folder: Path = RESULTS) -> dict[str, NDArray[np.float64]]:
    """Read the accuracies of the deep convolutions at short and long distances, (n_seeds, 2)."""
    found = json.loads((folder / "reach.json").read_text(encoding="utf-8"))["trainings"]
    return {name: np.array([Training(**each).at_stop() for each in runs]) for name, runs in found.items()}


def left_out_records(folder: Path = RESULTS) -> dict[int, NDArray[np.float64]]:
    """Read for each distance left out of training the accuracies at distances 1 to 12, (n_seeds, 12)."""
    found = json.loads((folder / "left-out.json").read_text(encoding="utf-8"))["trainings"]
    return {int(out): np.array([each["by_distance"] for each in runs]) for out, runs in found.items()}


def far_records(folder: Path = RESULTS) -> dict[str, NDArray[np.float64]]:
    """Read how often each network is right `FAR` words back, and attention's weight on the subject, (n_seeds, 5)."""
    found = json.loads((folder / "far.json").read_text(encoding="utf-8"))
    measured = found["right"] | {"weight": found["weight"]}
    return {name: np.array(runs) for name, runs in measured.items()}


def corpus_distances(part: str = "train") -> NDArray[np.int64]:
    """Return how far the words of the course's English sentences stand from the word that each depends on.

    The roots of sentences, which depend on nothing, and punctuation are left out.
    """
    return np.array(
        [
            abs(head - i)
            for pair in load_embedded(part)
            for i, (word, head) in enumerate(zip(pair.source_tokens, pair.source_heads, strict=True))
            if head >= 0 and any(letter.isalpha() for letter in word)
        ]
    )


if __name__ == "__main__":
    torch.set_num_threads(1)
    others = {
        "reach": deep_convolutions,
        "left-out": convolutions_without_a_distance,
        "places": dense_places,
        "far": far_away,
        "repairs": bag_repairs,
        "by-distance": convolutions_by_distance,
    }
    if sys.argv[1] in others:
        others[sys.argv[1]](Path("results") / "why_attention" / f"{sys.argv[1]}.json")
        sys.exit()
    task_asked, *models_asked = sys.argv[1:]
    for asked in models_asked:
        where = Path("results") / "why_attention" / f"{task_asked}-{asked.replace(' ', '-')}.json"
        if not where.exists():
            carry_out(task_asked, asked, where)  # type: ignore[arg-type]
