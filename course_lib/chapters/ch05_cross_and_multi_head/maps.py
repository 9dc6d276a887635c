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


def train_reader(data: Sentences, n_words: int, seed: int, steps: Iterable[int]) -> TenseReader:
    """Train on batches of 32 sentences of either tense."""
    with seeded(seed):
        model = TenseReader(n_words)
    groups = [torch.where(data.past == tense)[0] for tense in (0, 1)]

    def loss(generator: torch.Generator) -> Tensor:
        chosen = torch.cat([g[torch.randint(len(g), (32,), generator=generator)] for g in groups])
        return F.cross_entropy(model(data.words[chosen])[0], data.past[chosen])

    fit(model, loss, steps, learning_rate=3e-3, seed=seed)
    return model


@torch.no_grad()
def only_one(model: TenseReader, words: Tensor) -> Tensor:
    """The scores of present and past if the whole weight lay on one word, for each word in turn, (B, L, 2)."""
    places = torch.eye(words.shape[1])[:, None, None, None, :]  # (L, 1, 1, 1, L)
    return torch.stack([model(words, place.expand_as)[0] for place in places], dim=1)


class Reading(NamedTuple):
    """Shares of sentences, the mean of the two tenses."""

    right: float  # tense told rightly
    changed_by_shuffling: float  # told otherwise when the query's weights are shuffled
    changed_by_levelling: float  # told otherwise when all words weigh the same
    same_from_one_word: float  # words that tell the same tense if the whole weight lies on them alone
    largest: float  # the largest weight of a sentence, on average


@torch.no_grad()
def read(model: TenseReader, data: Sentences, seed: int = 7, n_shuffles: int = 5) -> Reading:
    """Measure a reader, with its own weights, with shuffled and with level ones."""
    generator = torch.Generator().manual_seed(seed)
    level = (data.real / data.real.sum(-1, keepdim=True))[:, None, None, :]
    scores, weights = model(data.words)
    told = scores.argmax(-1)

    def share(sentences: Tensor) -> float:
        return sum(float(sentences[data.past == tense].float().mean()) for tense in (0, 1)) / 2

    def changed(change: Change) -> float:
        return share(model(data.words, change)[0].argmax(-1) != told)

    shuffles = [changed(lambda w: shuffled(w, generator, data.real)) for _ in range(n_shuffles)]
    same = (only_one(model, data.words).argmax(-1) == told[:, None]) & data.real  # (n, L)
    return Reading(
        right=share(told == data.past),
        changed_by_shuffling=sum(shuffles) / n_shuffles,
        changed_by_levelling=changed(lambda _: level),
        same_from_one_word=share(same.sum(-1) / data.real.sum(-1)),
        largest=float(weights.amax(-1).mean()),
    )
