"""Ten Transformers that are broken, each by a few wrong lines, and a task small enough to see what that does.

The task: English number words into French, the last one moved to the front, as *I love you* becomes
*Je t'aime*. It needs the words, where they stand, and when to stop; what has been written it does not need. Sentences
have three to five words, so that a batch has padding.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from course_lib.chapters.fit import fit, seeded
from course_lib.decoding import greedy_search
from course_lib.fast import start_decoding
from course_lib.model import (
    AttentionMaps,
    Parts,
    PositionalEncoding,
    Sublayer,
    Transformer,
    TransformerConfig,
    attention,
    split_heads,
)
from course_lib.model.blocks import STANDARD
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.batches import Batch
from course_lib.text.tokenisers import SPECIAL_TOKENS

NUMBERS = {
    "one": "un",
    "two": "deux",
    "three": "trois",
    "four": "quatre",
    "five": "cinq",
    "six": "six",
    "seven": "sept",
    "eight": "huit",
    "nine": "neuf",
}
ENGLISH = [*SPECIAL_TOKENS, *NUMBERS]
FRENCH = [*SPECIAL_TOKENS, *NUMBERS.values()]
TEXT = [*ENGLISH, *NUMBERS.values(), "="]  # for a model that reads both languages
FIRST_WORD = len(SPECIAL_TOKENS)
SHORTEST, LONGEST = 3, 5
CONFIG = TransformerConfig(
    len(ENGLISH),
    len(FRENCH),
    d_model=32,
    n_heads=2,
    d_ff=64,
    n_encoder_layers=1,
    n_decoder_layers=1,
    dropout=0.0,
)


# ---- The task ----


def sentences(n: int, generator: torch.Generator) -> Batch:
    """Draw pairs of sentences: 3 to 5 English numbers; the French ones, the last of them first.

    Parameters
    ----------
    n : int
        How many pairs, B.
    generator : torch.Generator

    Returns
    -------
    Batch
        Source (B, 5) and targets (B, 6), padded; the source has no end mark.

    Examples
    --------
    >>> pair = sentences(1, torch.Generator().manual_seed(2))
    >>> in_words(pair.source[0], ENGLISH), in_words(pair.target_out[0], FRENCH)
    ('seven nine one', 'un sept neuf </s>')
    """
    lengths = torch.randint(SHORTEST, LONGEST + 1, (n, 1), generator=generator)
    source = torch.randint(FIRST_WORD, len(ENGLISH), (n, LONGEST), generator=generator)
    positions = torch.arange(LONGEST)
    source = source.masked_fill(positions >= lengths, PAD_ID)
    from_where = torch.where(positions < lengths, (positions - 1) % lengths, positions)
    return with_target(source, source.gather(1, from_where))


def with_target(source: Tensor, target: Tensor) -> Batch:
    """Make a batch of padded ids, (B, L) both, putting <s> before the target and </s> behind it."""
    lengths = (target != PAD_ID).sum(1, keepdim=True)
    target_in = F.pad(target, (1, 0), value=BOS_ID)
    target_out = F.pad(target, (0, 1), value=PAD_ID).scatter(1, lengths, EOS_ID)
    return Batch(source, target_in, target_out)


def sentence(words: str, padding: int = 0) -> Batch:
    """Make a batch of one pair from English number words, with some padding behind the source.

    Examples
    --------
    >>> in_words(sentence("one two nine").target_in[0], FRENCH)
    '<s> neuf un deux'
    """
    source = torch.tensor([[ENGLISH.index(word) for word in words.split()]])
    batch = with_target(source, source.roll(1, dims=1))
    return replace(batch, source=F.pad(source, (0, padding), value=PAD_ID))


def as_text(batch: Batch) -> Tensor:
    """Write each pair on one line, for a model without an encoder: <s>, English, =, French, </s>, padding.

    Returns
    -------
    Tensor
        Ids of `TEXT`, (B, 13).

    Examples
    --------
    >>> in_words(as_text(sentence("one two nine"))[0], TEXT)
    '<s> one two nine = neuf un deux </s>'
    """
    lengths = (batch.source != PAD_ID).sum(1, keepdim=True)
    text = torch.full((len(batch), 2 * LONGEST + 3), PAD_ID)
    text[:, 0] = BOS_ID
    text[:, 1 : 1 + batch.source.shape[1]] = batch.source
    text.scatter_(1, lengths + 1, TEXT.index("="))
    french = torch.where(batch.target_out >= FIRST_WORD, batch.target_out + len(NUMBERS), batch.target_out)
    return text.scatter(1, lengths + 2 + torch.arange(french.shape[1]), french)


def in_words(ids: Iterable[int] | Tensor, vocabulary: Sequence[str]) -> str:
    """Spell out ids, without padding."""
    return " ".join(vocabulary[int(i)] for i in ids if int(i) != PAD_ID)


# ---- The bugs ----


@dataclass(frozen=True)
class Bug:
    """A mistake that somebody might make in a Transformer.

    Attributes
    ----------
    name : str
    right, wrong : str
        The line as it should be and as it is; what it says, in so far as several lines are concerned.
    parts : Parts
        What the model is built from; the mistake is in one of them.
    model : class
        The model itself, if the mistake is there.
    feed : function Batch → Batch
        What the bug does to the data in training.
    """

    name: str
    right: str
    wrong: str
    parts: Parts = STANDARD
    model: type[Transformer] = Transformer
    feed: Callable[[Batch], Batch] = lambda batch: batch


HEALTHY = Bug("healthy", "", "")


def _everything_allowed(ids: Tensor) -> Tensor:
    return torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool)


def _mask_after_softmax(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, dropout: float
) -> tuple[Tensor, Tensor]:
    _, weights = attention(queries, keys, values)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ values, weights


def _merged_without_transpose(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, dropout: float
) -> tuple[Tensor, Tensor]:
    heads, weights = attention(queries, keys, values, mask)  # (B, H, L, d_v)
    wrong = heads.flatten(1).unflatten(1, (heads.shape[2], -1))  # (B, L, H·d_v): rows of other positions
    # Cut into heads again, so that `merge_heads`, which follows in MultiHeadAttention, gives this wrong matrix.
    return split_heads(wrong, heads.shape[1]), weights


class _WithoutEncoder(Transformer):
    def encode(self, source: Tensor) -> Tensor:
        return torch.zeros(*source.shape, self.config.d_model)


class _WithoutPositions(PositionalEncoding):
    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        return x


class _AlwaysFromZero(PositionalEncoding):
    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        return super().forward(x)


class WithoutResidual(Sublayer):
    """A sublayer without its residual connection: dropout(f(norm(x))), or norm(dropout(f(x)))."""

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        """Return dropout(y), normalised if the norm stands after it; `x` is lost."""
        y = self.dropout(y)
        return y if self.pre else self.norm(y)


BUGS = (
    Bug(
        "target not shifted",
        "model(source, target_in)",
        "model(source, target_out)",
        feed=lambda batch: replace(batch, target_in=batch.target_out),
    ),
    Bug(
        "no causal mask",
        "torch.ones(L, L, dtype=torch.bool).tril()",
        "torch.ones(L, L, dtype=torch.bool)",
        Parts(target_mask=_everything_allowed),
    ),
    Bug(
        "mask after the softmax",
        "softmax(scores.masked_fill(~mask, -inf))",
        "softmax(scores).masked_fill(~mask, 0)",
        Parts(attention_function=_mask_after_softmax),
    ),
    Bug(
        "decoder without encoder",
        "memory = self.encode(source)",
        "memory = torch.zeros(B, L_s, d)",
        model=_WithoutEncoder,
    ),
    Bug(
        "padding mask inverted",
        "ids != PAD_ID",
        "ids == PAD_ID",
        Parts(source_mask=lambda ids: (ids == PAD_ID).unsqueeze(1)),
    ),
    Bug("no positions", "return x + phi", "return x", Parts(positions=_WithoutPositions)),
    Bug(
        "no residual connections",
        "x + self.dropout(f(self.norm(x)))",
        "self.dropout(f(self.norm(x)))",
        Parts(sublayer=WithoutResidual),
    ),
    Bug(
        "positions start over at each step",
        "self.encoding(L, start)",
        "self.encoding(L)",
        Parts(positions=_AlwaysFromZero),
    ),
    Bug(
        "heads merged without transposing",
        "heads.transpose(1, 2).reshape(B, L, H * d_v)",
        "heads.reshape(B, L, H * d_v)",
        Parts(attention_function=_merged_without_transpose),
    ),
    Bug(
        "padding not masked",
        "ids != PAD_ID",
        "ids == ids",
        Parts(source_mask=lambda ids: (ids == ids).unsqueeze(1)),
    ),
)


class Patient:
    """A small Transformer with a bug, or without, and what may be asked of it; the bug is at work in all of it.

    Parameters
    ----------
    bug : Bug
    seed : int
        Of its weights and its training.
    changes
        Settings other than those of `CONFIG`.

    Attributes
    ----------
    model : Transformer
    losses : array (n_steps,)
        Of its training, in nats a token.

    Examples
    --------
    >>> patient = Patient(HEALTHY)
    >>> patient.train(range(2))
    >>> patient.losses.shape, patient.logits(sentence("one two nine")).shape
    ((2,), torch.Size([1, 4, 13]))
    """

    def __init__(self, bug: Bug, seed: int = 0, **changes: Any) -> None:
        self.bug, self.seed = bug, seed
        self.losses: NDArray[np.float64] = np.empty(0)
        with seeded(seed):
            self.model = bug.model(replace(CONFIG, **changes), bug.parts).eval()

    def train(self, steps: Iterable[int] = range(160), learning_rate: float = 6e-3) -> None:
        """Train by teacher forcing on batches of 32 pairs."""

        def loss(generator: torch.Generator) -> Tensor:
            return self.loss(sentences(32, generator))

        self.losses = fit(self.model, loss, steps, learning_rate=learning_rate, seed=self.seed)

    def logits(self, batch: Batch) -> Tensor:
        """Return the logits (B, L_t, n_vocab) of all positions at once, as in training."""
        fed = self.bug.feed(batch)
        return self.model(fed.source, fed.target_in)

    def logits_step_by_step(self, batch: Batch) -> Tensor:
        """Return the same, (B, L_t, n_vocab), one token after the other, as when it writes."""
        fed = self.bug.feed(batch)
        state = start_decoding(self.model, fed.source)
        return torch.stack([state.step(tokens) for tokens in fed.target_in.T], dim=1)

    def loss(self, batch: Batch) -> Tensor:
        """Return the cross-entropy of the real target tokens, in nats a token."""
        return F.cross_entropy(
            self.logits(batch).flatten(0, 1), batch.target_out.flatten(), ignore_index=PAD_ID
        )

    def maps(self, batch: Batch) -> AttentionMaps:
        """Return the attention weights of every layer."""
        fed = self.bug.feed(batch)
        with torch.no_grad():
            return self.model.attention_maps(fed.source, fed.target_in)

    def write(self, source: Tensor) -> list[list[int]]:
        """Translate the sources (B, L_s), token by token, each the likeliest; at most 7 tokens."""
        return [hypothesis.ids for hypothesis in greedy_search(self.model, source, LONGEST + 2)]

    def exact(self, n: int = 100, alone: bool = False) -> float:
        """Return the share of n new sentences that it writes without a mistake.

        They are read together, padded to the longest, or each `alone`, without padding.
        """
        batch = sentences(n, torch.Generator().manual_seed(10_000))
        expected = [[int(i) for i in row if i >= FIRST_WORD] for row in batch.target_out]
        if alone:
            written = [self.write(row[row != PAD_ID].unsqueeze(0))[0] for row in batch.source]
        else:
            written = self.write(batch.source)
        return float(np.mean([w == e for w, e in zip(written, expected, strict=True)]))

    def with_right_code(self) -> "Patient":
        """Return a patient with the same weights, and no bug."""
        cured = Patient(HEALTHY, self.seed)
        cured.model = Transformer(self.model.config).eval()
        cured.model.load_state_dict(self.model.state_dict())
        return cured
