"""What happens to a prediction when the attention weights behind it are shuffled.

An attention map shows which values were mixed in what proportion. Whether the prediction *depends* on that is another
question, and it is answered by mixing otherwise: the same values, the same trained weights everywhere else,
but the row of attention weights in another order.

The second half is a model to ask it of: a reader of sentences of the embedded corpus, which tells whether a sentence
is about the past or the present. Its words first attend to one another; then one query reads the sentence.
"""

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded
from course_lib.model import (
    EncoderBlock,
    MultiHeadAttention,
    PositionalEncoding,
    merge_heads,
    split_heads,
)
from course_lib.text.embedded import AnnotatedPair, load_embedded

Change = Callable[[Tensor], Tensor]  # takes weights and returns others of the same shape


def mix(layer: MultiHeadAttention, context: Tensor, weights: Tensor) -> Tensor:
    """The output of an attention layer if its weights had been these.

    Parameters
    ----------
    layer : MultiHeadAttention
    context : Tensor
        Shape (B, L_k, d_context): where the values come from.
    weights : Tensor
        Shape (B, H, L_q, L_k).

    Returns
    -------
    Tensor
        Shape (B, L_q, d).

    Examples
    --------
    >>> layer, x = MultiHeadAttention(4, 2), torch.eye(4)[None]
    >>> output, weights = layer(x)
    >>> bool(torch.allclose(mix(layer, x, weights), output))
    True
    """
    values = split_heads(layer.W_V(context), layer.n_heads)  # (B, H, L_k, d_v)
    return layer.W_O(merge_heads(weights @ values))


def shuffled(weights: Tensor, generator: torch.Generator, real: Tensor | None = None) -> Tensor:
    """Put the weights of each row in another order, drawn at random; each row keeps its numbers.

    Parameters
    ----------
    weights : Tensor
        Shape (B, H, L_q, L_k).
    generator : torch.Generator
    real : Tensor, optional
        Boolean, (B, L_k), False where a sentence is padded; weights stay among the real keys.

    Examples
    --------
    >>> row = torch.tensor([[[[0.5, 0.3, 0.2, 0.0]]]])
    >>> other = shuffled(row, torch.Generator().manual_seed(0), torch.tensor([[True, True, True, False]]))
    >>> sorted(other.flatten().tolist()) == sorted(row.flatten().tolist()), other.flatten()[3].item()
    (True, 0.0)
    """
    order = torch.rand(weights.shape, generator=generator)
    if real is not None:
        # padding keeps its place: what is real is ordered at random in front, and padding stands at the end
        order = order.masked_fill(~real[:, None, None, :], 2.0)
    return weights.gather(-1, order.argsort(stable=True, dim=-1))


def on_one_word(which: Literal["most", "least"], real: Tensor) -> Change:
    """Return a change of weights: in each row the whole weight on the real key that had the most, or the least.

    Parameters
    ----------
    which : "most" or "least"
    real : Tensor
        Boolean, (B, L_k), False where a sentence is padded.

    Raises
    ------
    ValueError
        If `which` is neither.

    Examples
    --------
    >>> row = torch.tensor([[[[0.5, 0.3, 0.2, 0.0]]]])
    >>> on_one_word("least", torch.tensor([[True, True, True, False]]))(row).flatten().tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    if which not in ("most", "least"):
        raise ValueError(f"which is {which!r}: expected 'most' or 'least'")

    def change(weights: Tensor) -> Tensor:
        rank = (weights if which == "most" else -weights).masked_fill(~real[:, None, None], -torch.inf)
        return F.one_hot(rank.argmax(-1), weights.shape[-1]).to(weights)

    return change


def all_but_the_most(real: Tensor) -> Change:
    """Return a change of weights: in each row the largest becomes 0, and the others grow to a sum of 1.

    Examples
    --------
    >>> row = torch.tensor([[[[0.5, 0.3, 0.2, 0.0]]]])
    >>> all_but_the_most(torch.tensor([[True, True, True, False]]))(row).flatten().tolist()
    [0.0, 0.6000000238418579, 0.4000000059604645, 0.0]
    """
    most = on_one_word("most", real)

    def change(weights: Tensor) -> Tensor:
        rest = weights * (1 - most(weights)) + 1e-9 * real[:, None, None] * (1 - most(weights))
        return rest / rest.sum(-1, keepdim=True)

    return change


# ---- Past or present? ----


class Sentences(NamedTuple):
    """Sentences as word numbers, (n, L), 0 after the end, and whether each is about the past, (n,)."""

    words: Tensor
    past: Tensor

    @property
    def real(self) -> Tensor:
        """Where there is a word, (n, L) bool."""
        return self.words > 0


def _is_past(pair: AnnotatedPair) -> bool | None:
    """Tell the tense by the tags of the pair; None where there are two, or none."""
    past = bool({"past_avoir", "past_etre"} & set(pair.tags))
    present = bool({"present", "modal", "near_future"} & set(pair.tags))
    return past if past != present else None


def _words(pair: AnnotatedPair) -> list[str]:
    return [word.lower() for word in pair.source_tokens if word.isalpha()]


def vocabulary() -> dict[str, int]:
    """Number the words of the training sentences, from 1."""
    words = {word for pair in load_embedded("train") for word in _words(pair)}
    return {word: number for number, word in enumerate(sorted(words), start=1)}


def sentences(split: str, numbers: dict[str, int]) -> Sentences:
    """Read the English sentences of a split of the embedded corpus that are in one tense.

    Raises
    ------
    ValueError
        If there is no such split.
    """
    told = [(_words(pair), past) for pair in load_embedded(split) if (past := _is_past(pair)) is not None]
    longest = max(len(words) for words, _ in told)
    rows = [[numbers.get(word, 0) for word in words] + [0] * (longest - len(words)) for words, _ in told]
    return Sentences(torch.tensor(rows), torch.tensor([past for _, past in told]).long())


class TenseReader(nn.Module):
    """Words attend to one another (an encoder block), then one learned query reads them with one head."""

    def __init__(self, n_words: int, d: int = 32) -> None:
        super().__init__()
        self.word, self.position = nn.Embedding(n_words + 1, d), PositionalEncoding(d)
        self.block = EncoderBlock(d, n_heads=4, d_ff=64)
        self.query = nn.Parameter(torch.randn(1, 1, d))
        self.attention = MultiHeadAttention(d, 1)
        self.tense = nn.Linear(d, 2)

    def forward(self, words: Tensor, change: Change | None = None) -> tuple[Tensor, Tensor]:
        """Return the scores of present and past, (B, 2), and the weights of the query, (B, 1, 1, L).

        With `change`, the values are mixed with what it makes of the weights.
        """
        mask = (words > 0)[:, None]  # (B, 1, L), for each query alike
        x, _ = self.block(self.position(self.word(words)), mask=mask)
        output, weights = self.attention(self.query.expand(len(words), -1, -1), x, mask)
        if change is not None:
            output = mix(self.attention, x, change(weights))
        return self.tense(output[:, 0]), weights


def loss_on(model: TenseReader, data: Sentences) -> Callable[[torch.Generator], Tensor]:
    """Return the loss of a reader on batches of 32 sentences of either tense, as `fit` takes it."""
    groups = [torch.where(data.past == tense)[0] for tense in (0, 1)]

    def loss(generator: torch.Generator) -> Tensor:
        chosen = torch.cat([g[torch.randint(len(g), (32,), generator=generator)] for g in groups])
        return F.cross_entropy(model(data.words[chosen])[0], data.past[chosen])

    return loss


def train_reader(data: Sentences, n_words: int, seed: int, steps: Iterable[int]) -> TenseReader:
    """Train on batches of 32 sentences of either tense."""
    with seeded(seed):
        model = TenseReader(n_words)
    fit(model, loss_on(model, data), steps, learning_rate=3e-3, seed=seed)
    return model


@torch.no_grad()
def right(model: TenseReader, data: Sentences) -> tuple[float, float]:
    """In what proportion of the present sentences and of the past ones a reader tells the tense."""
    same = (model(data.words)[0].argmax(-1) == data.past).float()
    present, past = (float(same[data.past == tense].mean()) for tense in (0, 1))
    return present, past


@torch.no_grad()
def past(model: TenseReader, words: Tensor) -> float:
    """How probable the reader finds the past, for one sentence (1, L)."""
    return float(model(words)[0].softmax(-1)[0, 1])


@torch.no_grad()
def weights_of(model: TenseReader, words: Tensor) -> Tensor:
    """The weights of the query on the words of one sentence, (L,)."""
    weights: Tensor = model(words)[1][0, 0, 0]
    return weights


@torch.no_grad()
def says(model: TenseReader, words: Tensor, *, exchange: bool = True) -> Tensor:
    """How probable the past is by each word of a sentence (1, L) alone: if the query read only that place, (L,).

    Without `exchange` each word attends to itself alone in the block, so nothing flows between the words.
    """
    mask = (words > 0)[:, None]
    if not exchange:
        mask = mask & torch.eye(words.shape[1], dtype=torch.bool)
    x, _ = model.block(model.position(model.word(words)), mask=mask)
    scores: Tensor = model.tense(model.attention.W_O(model.attention.W_V(x)))  # (1, L, 2)
    return scores.softmax(-1)[0, :, 1]


def without(data: Sentences, word: int) -> Sentences:
    """Leave out the sentences in which a word occurs."""
    keep = (data.words != word).all(1)
    return Sentences(data.words[keep], data.past[keep])


def counts(data: Sentences, word: int) -> tuple[int, int]:
    """In how many sentences a word occurs, and how many of these are about the past."""
    there = (data.words == word).any(1)
    return int(there.sum()), int(data.past[there].sum())


class Parts(NamedTuple):
    """A reader's answer for one sentence as a sum: score = Σ weight · value + constant; above 0 it says past."""

    weight: Tensor  # (L,)
    value: Tensor  # (L,): what the vector at each place gives the past, beside the present, at a weight of 1
    constant: float
    score: float

    @property
    def part(self) -> Tensor:
        """What each place adds, (L,)."""
        return self.weight * self.value


@torch.no_grad()
def parts(model: TenseReader, words: Tensor) -> Parts:
    """Split the score of the past, beside the present, of one sentence (1, L) into what each place adds."""
    scores, weights = model(words)
    x, _ = model.block(model.position(model.word(words)), mask=(words > 0)[:, None])
    past_or_not = model.tense.weight[1] - model.tense.weight[0]
    value = model.attention.W_V(x)[0] @ model.attention.W_O.weight.T @ past_or_not
    weight, score = weights[0, 0, 0], float(scores[0, 1] - scores[0, 0])
    return Parts(weight, value, score - float(weight @ value), score)


def begins(data: Sentences, word: int) -> tuple[int, int]:
    """How many sentences begin with a word, and how many of these are about the past."""
    there = data.words[:, 0] == word
    return int(there.sum()), int(data.past[there].sum())


@torch.no_grad()
def what_changes(
    model: TenseReader, data: Sentences, seed: int = 7, n_draws: int = 20
) -> dict[str, tuple[float, float]]:
    """In what proportion of sentences the tense that is read changes: of the present ones and of the past ones.

    Returns
    -------
    dict
        When the weights of a sentence are shuffled, or made equal; when the word with the largest weight gets all or
        none of it; when that word, or a random one of the others, is deleted from the sentence. What is random is
        the mean of `n_draws` draws.
    """
    generator = torch.Generator().manual_seed(seed)
    scores, weights = model(data.words)
    said, real, row = scores.argmax(-1), data.real, weights[:, 0, 0]
    level = (real / real.sum(-1, keepdim=True))[:, None, None, :]
    top = F.one_hot(row.masked_fill(~real, -1).argmax(-1), real.shape[1])  # (n, L)

    def changed(words: Tensor, change: Change | None = None) -> Tensor:
        other = model(words, change)[0].argmax(-1) != said
        return torch.stack([other[data.past == tense].float().mean() for tense in (0, 1)])

    def other_deleted() -> Tensor:
        rank = torch.rand(real.shape, generator=generator).masked_fill(~real | (top > 0), -1)
        return data.words * (1 - F.one_hot(rank.argmax(-1), real.shape[1]))

    told = {
        "shuffled": sum(
            (changed(data.words, lambda w: shuffled(w, generator, real)) for _ in range(n_draws)),
            torch.zeros(2),
        )
        / n_draws,
        "equal": changed(data.words, lambda _: level),
        "only the most": changed(data.words, on_one_word("most", real)),
        "all but the most": changed(data.words, all_but_the_most(real)),
        "most deleted": changed(data.words * (1 - top)),
        "other deleted": sum((changed(other_deleted()) for _ in range(n_draws)), torch.zeros(2)) / n_draws,
    }
    return {name: (float(pair[0]), float(pair[1])) for name, pair in told.items()}
