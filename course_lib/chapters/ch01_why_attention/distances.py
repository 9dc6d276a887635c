"""One question whose answer stands at varying distances, put to convolution, dense layer, GRU and attention.

A participle must agree with its subject, as in French: four endings, for gender and number. Verbs come in kinds
and nouns in the same kinds (what is adjourned is an event, what has fallen asleep an animal); the subject is the
one noun of the verb's kind, a varying number of words before it. In the `"plain"` task it is the only noun. In the
`"distractors"` task nouns of the other kinds stand all around. In the `"nearest"` task kinds mean nothing, and the
noun that counts is the last before the verb: there, where a word stands is all that matters.

The words are French, the sentences are not: they are drawn by chance.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded
from course_lib.model import MultiHeadAttention, PositionalEncoding

Task = Literal["plain", "distractors", "nearest"]

VERBS = ("ajourné…", "endormi…", "cassé…")  # one of each kind: an event, an animal, a thing
NOUNS = (  # masculine, feminine, and both in the plural
    ("débat", "séance", "débats", "séances"),
    ("chat", "poule", "chats", "poules"),
    ("verre", "lampe", "verres", "lampes"),
)
FILLERS = ("hier", "enfin", "ici", "encore", "déjà", "vite")
ENDINGS = ("–", "-e", "-s", "-es")  # the answers
VOCABULARY = ("", *VERBS, *(noun for kind in NOUNS for noun in kind), *FILLERS)

N_KINDS, N_PROPERTIES, N_VOCAB = len(NOUNS), len(ENDINGS), len(VOCABULARY)
PAD, VERB = 0, 1  # where each sort of word begins in the vocabulary
NOUN = VERB + N_KINDS
FILLER = NOUN + N_KINDS * N_PROPERTIES
# at most so many words after the verb; as many more before the subject as the longest distance leaves
MARGIN = 3
TRAINED, FARTHER = range(1, 7), range(7, 13)  # distances from subject to verb
MAX_LENGTH = MARGIN + max(FARTHER) + 1 + MARGIN


class Sentences(NamedTuple):
    """Sentences as word ids, and what is asked of them."""

    words: Tensor  # (B, L) int64, padded with PAD
    verbs: Tensor  # (B,) position of the verb
    distances: Tensor  # (B,) how many words before it its subject stands
    answers: Tensor  # (B,) which of the ENDINGS agrees with the subject

    def spelled(self, i: int) -> list[str]:
        """Return the words of sentence i, without padding."""
        return [VOCABULARY[word] for word in self.words[i].tolist() if word != PAD]


def draw_sentences(n: int, task: Task, distances: Sequence[int], generator: torch.Generator) -> Sentences:
    """Draw sentences in which the subject stands at one of these distances before the verb.

    Parameters
    ----------
    n : int
        Number of sentences, B.
    task : "plain", "distractors" or "nearest"
    distances : sequence of int
        Each is as likely as the others.
    generator : torch.Generator

    Returns
    -------
    Sentences
        Padded to the longest length that these distances allow, MARGIN + max(distances) + 1 + MARGIN.

    Raises
    ------
    ValueError
        If the task is unknown or a distance is not positive.

    Examples
    --------
    >>> drawn = draw_sentences(2, "plain", [3], torch.Generator().manual_seed(0))
    >>> drawn.words.shape, ((drawn.words[0, drawn.verbs[0] - 3] - NOUN) % N_PROPERTIES == drawn.answers[0]).item()
    (torch.Size([2, 10]), True)
    """
    if task not in ("plain", "distractors", "nearest"):
        raise ValueError(f"task is {task!r}: expected 'plain', 'distractors' or 'nearest'")
    if not len(distances) or min(distances) < 1:
        raise ValueError(f"distances {list(distances)}: expected at least one, all positive")

    def pick(low: int, high: int, *shape: int) -> Tensor:
        return torch.randint(low, high, shape, generator=generator)

    gaps = torch.tensor(list(distances))[pick(0, len(distances), n)]
    last = MARGIN + max(distances)  # where the verb stands at most
    subjects = (torch.rand(n, generator=generator) * (last - gaps + 1)).long()  # 0 … last − gap
    verbs = subjects + gaps
    lengths = verbs + 1 + pick(0, MARGIN + 1, n)
    kinds, answers = pick(0, N_KINDS, n), pick(0, N_PROPERTIES, n)

    at = torch.arange(last + 1 + MARGIN)  # (L,)
    words = pick(FILLER, N_VOCAB, n, len(at))
    others = pick(0 if task == "nearest" else 1, N_KINDS, n, len(at))  # by how much their kind differs
    nouns = NOUN + N_PROPERTIES * ((kinds[:, None] + others) % N_KINDS) + pick(0, N_PROPERTIES, n, len(at))
    wanted = pick(0, 2, n, len(at)).bool()
    if task == "nearest":  # none between the one that counts and the verb
        wanted &= (at < subjects[:, None]) | (at > verbs[:, None])
    if task != "plain":
        words = torch.where(wanted, nouns, words)
    rows = torch.arange(n)
    words[rows, subjects] = NOUN + N_PROPERTIES * kinds + answers
    words[rows, verbs] = VERB + (pick(0, N_KINDS, n) if task == "nearest" else kinds)
    words[at >= lengths[:, None]] = PAD
    return Sentences(words, verbs, gaps, answers)


class Reader(nn.Module):
    """Word embeddings, one way to let words exchange information, and a linear read-out at the verb."""

    def __init__(self, d: int, d_out: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(N_VOCAB, d, padding_idx=PAD)
        self.read = nn.Linear(d_out, N_PROPERTIES)

    def forward(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the logits (B, N_PROPERTIES) of the answer, for words (B, L) and verbs (B,)."""
        return self.read(self.context(words, verbs))

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the vector at the verb after the exchange, (B, d_out)."""
        raise NotImplementedError


class ConvolutionReader(Reader):
    """Four convolutions of kernel size 5 on top of each other: the verb sees 8 words to either side."""

    def __init__(self, d: int = 8, n_layers: int = 4, kernel_size: int = 5) -> None:
        super().__init__(d, d)
        self.layers = nn.ModuleList(
            nn.Conv1d(d, d, kernel_size, padding=kernel_size // 2) for _ in range(n_layers)
        )

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the vector at the verb after all layers."""
        x = self.embed(words).transpose(1, 2)  # (B, L, d) -> (B, d, L), as Conv1d wants it
        inside = (words != PAD)[:, None]  # (B, 1, L): what lies beyond the end stays zero in every layer
        for layer in self.layers:
            x = F.relu(layer(x)) * inside
        return x[torch.arange(len(x)), :, verbs]


class DenseReader(Reader):
    """One dense layer over the whole sentence, padded to the maximum length and flattened."""

    def __init__(self, d: int = 4, d_out: int = 15) -> None:
        super().__init__(d, d_out)
        self.dense = nn.Linear(MAX_LENGTH * d, d_out)

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the hidden units; where the verb stands, they must find out themselves."""
        padded = F.pad(words, (0, MAX_LENGTH - words.shape[1]), value=PAD)
        return F.relu(self.dense(self.embed(padded).flatten(1)))  # (B, L, d) -> (B, L·d)


class RecurrentReader(Reader):
    """A GRU that has read the sentence up to its verb."""

    def __init__(self, d: int = 13) -> None:
        super().__init__(d, d)
        self.recurrent = nn.GRU(d, d, batch_first=True)

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return the state at the verb."""
        states, _ = self.recurrent(self.embed(words))  # (B, L, d)
        return states[torch.arange(len(states)), verbs]


class AttentionReader(Reader):
    """One head of attention: the verb is the query, all words are keys and values."""

    def __init__(self, d: int = 16, positions: bool = False) -> None:
        super().__init__(d, d)
        self.attention = MultiHeadAttention(d, n_heads=1)
        self.positions = PositionalEncoding(d, kind="sinusoidal" if positions else "none")

    def attend(self, words: Tensor, verbs: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the verb takes from the other words, (B, d), and its weights (B, L)."""
        x = self.positions(self.embed(words))
        asking = x[torch.arange(len(x)), verbs][:, None]  # (B, 1, d)
        allowed = (words != PAD)[:, None]  # (B, 1, L)
        output, weights = self.attention(asking, context=x, mask=allowed)
        return output[:, 0], weights[:, 0, 0]

    def context(self, words: Tensor, verbs: Tensor) -> Tensor:
        """Return what the verb takes from the other words."""
        return self.attend(words, verbs)[0]


MODELS: dict[str, Callable[[], Reader]] = {  # of some 1,300 to 1,550 parameters each
    "convolution": ConvolutionReader,
    "dense": DenseReader,
    "GRU": RecurrentReader,
    "attention": AttentionReader,
    "attention with positions": lambda: AttentionReader(positions=True),
}


def trained(
    build: Callable[[], Reader],
    task: Task,
    n_samples: int,
    *,
    steps: int = 200,
    batch: int = 32,
    learning_rate: float = 1e-2,
    seed: int = 0,
) -> Reader:
    """Build a model and train it on so many sentences whose subjects stand at the distances `TRAINED`.

    Parameters
    ----------
    build : function
        Returns the model to train, such as `MODELS["attention"]`.
    task : "plain", "distractors" or "nearest"
    n_samples : int
        Sentences to learn from; with more steps than these fill, each is seen several times.
    steps, batch, learning_rate
        As for `fit`; the same for all models, so that they learn from equally many examples.
    seed : int
        Seeds the sentences, the initial weights and the order of the batches.

    Examples
    --------
    >>> model = trained(MODELS["attention"], "plain", 256, steps=100)
    >>> accuracy(model, "plain", [2]) > 0.9
    True
    """
    sentences = draw_sentences(n_samples, task, TRAINED, torch.Generator().manual_seed(seed))
    with seeded(seed):
        model = build()

    def loss(generator: torch.Generator) -> Tensor:
        rows = torch.randint(n_samples, (batch,), generator=generator)
        return F.cross_entropy(model(sentences.words[rows], sentences.verbs[rows]), sentences.answers[rows])

    fit(model, loss, range(steps), learning_rate=learning_rate, seed=seed)
    return model


@torch.no_grad()
def accuracy(
    model: Reader, task: Task, distances: Sequence[int], *, n: int = 512, seed: int = 10_000
) -> float:
    """Return the share of right answers on sentences that training has not drawn; chance is 1/N_PROPERTIES.

    Parameters
    ----------
    model : Reader
    task, distances
        As in `draw_sentences`.
    n : int
        Number of sentences.
    seed : int
        Seeds the sentences; training uses small seeds.
    """
    sentences = draw_sentences(n, task, distances, torch.Generator().manual_seed(seed))
    answers = model(sentences.words, sentences.verbs).argmax(dim=1)
    return float((answers == sentences.answers).double().mean())
