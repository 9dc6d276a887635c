"""Can a read-out tell what *not* does? Four phrases, {not, very} × {happy, sad}, and four ways to read them.

*Not happy* and *very sad* are negative, *not sad* and *very happy* positive, so what a word does to the mood
depends on the other word. Each way turns the two words of a phrase into one vector and reads the mood from it
by one linear map. Many seeds are trained side by side: each has its own parameters, along the first axis.
"""

from typing import Literal, NamedTuple, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.chapters.fit import fit, seeded
from course_lib.model import attention

MODIFIERS, ADJECTIVES = ("not", "very"), ("happy", "sad")
PHRASES = tuple((modifier, adjective) for modifier in MODIFIERS for adjective in ADJECTIVES)
POSITIVE = np.array([False, True, True, False])  # not happy, not sad, very happy, very sad

Way = Literal["fixed weights", "one fixed query", "self-attention", "fixed query + FFN"]
WAYS: tuple[Way, ...] = get_args(Way)


class ReadOut(nn.Module):
    """A phrase of two words → one vector of two entries → one number, positive for a good mood.

    - *fixed weights*: the vector is w_0·v_0 + w_1·v_1 with learned weights, the same for every phrase.
    - *one fixed query*: attention of one learned query over the two words.
    - *self-attention*: attention whose query comes from the last word of the phrase.
    - *fixed query + FFN*: as with one fixed query, then max(0, o·W_1 + b_1)·W_2 + b_2 on its output o.

    Parameters
    ----------
    way : str
        One of `WAYS`.
    n_seeds : int
        How many of them are trained side by side.
    d : int
        Width of word vectors, queries and keys.
    d_ff : int
        Inner width of the feed-forward network.

    Raises
    ------
    ValueError
        If `way` is none of `WAYS`.

    Notes
    -----
    Source: A, "Linearity Problem and Feed-Forward Networks".

    Examples
    --------
    >>> logits, outputs = ReadOut("self-attention", n_seeds=3)()
    >>> logits.shape, outputs.shape
    (torch.Size([3, 4]), torch.Size([3, 4, 2]))
    """

    phrases: Tensor

    def __init__(self, way: Way, n_seeds: int, d: int = 4, d_ff: int = 8) -> None:
        super().__init__()
        if way not in WAYS:
            raise ValueError(f"way is {way!r}: expected one of {WAYS}")
        self.way = way

        def matrix(rows: int, columns: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(n_seeds, rows, columns) / rows**0.5)

        words = [*MODIFIERS, *ADJECTIVES]
        self.register_buffer("phrases", torch.tensor([[words.index(word) for word in p] for p in PHRASES]))
        self.embedding = nn.Parameter(torch.randn(n_seeds, len(words), d) / d**0.5)
        self.W_K, self.W_V, self.read = matrix(d, d), matrix(d, 2), matrix(2, 1)
        self.bias = nn.Parameter(torch.zeros(n_seeds, 1))
        if way == "fixed weights":
            self.weights = nn.Parameter(torch.randn(n_seeds, 1, 2))
        elif way == "self-attention":
            self.W_Q = matrix(d, d)
        else:
            self.query = nn.Parameter(torch.randn(n_seeds, 1, d))
        if way == "fixed query + FFN":
            self.W_1, self.W_2 = matrix(2, d_ff), matrix(d_ff, 2)
            self.b_1, self.b_2 = matrix(1, d_ff), matrix(1, 2)

    def forward(self) -> tuple[Tensor, Tensor]:
        """Return the logits of the phrases, (n_seeds, 4), and the vectors they are read from, (n_seeds, 4, 2)."""
        x = self.embedding[:, self.phrases]  # (n_seeds, 4 phrases, 2 words, d)
        values = x @ self.W_V[:, None]  # (n_seeds, 4, 2, 2)
        if self.way == "fixed weights":
            mixed = self.weights[:, None] @ values  # (n_seeds, 4, 1, 2)
        else:
            last = self.way == "self-attention"
            query = x[:, :, -1:] @ self.W_Q[:, None] if last else self.query[:, None]
            mixed, _ = attention(query, x @ self.W_K[:, None], values)
        outputs = mixed[:, :, 0]  # (n_seeds, 4, 1, 2) → (n_seeds, 4, 2)
        if self.way == "fixed query + FFN":
            outputs = torch.relu(outputs @ self.W_1 + self.b_1) @ self.W_2 + self.b_2
        return (outputs @ self.read)[..., 0] + self.bias, outputs


class Trained(NamedTuple):
    """What training gave, for every seed."""

    probabilities: NDArray[np.float64]  # (n_seeds, 4), that a phrase is positive
    outputs: NDArray[np.float64]  # (n_seeds, 4, 2), the vectors that they were read from
    losses: NDArray[np.float64]  # (n_seeds,), cross-entropy per phrase, in nats

    @property
    def n_right(self) -> NDArray[np.int64]:
        """For each seed, how many of the four phrases get a probability on the right side of 0.5, (n_seeds,).

        A probability between 0.4 and 0.6 says nothing and is not counted.
        """
        towards = np.where(POSITIVE, 1, -1) * (self.probabilities - 0.5)
        return (towards > 0.1).sum(axis=1)

    @property
    def best(self) -> int:
        """The seed that ended with the lowest loss."""
        return int(self.losses.argmin())


def train(way: Way, n_seeds: int = 20, n_steps: int = 600, learning_rate: float = 0.03) -> Trained:
    """Train a read-out on the four phrases, `n_seeds` times, by Adam on the cross-entropy.

    Examples
    --------
    >>> train("self-attention", n_seeds=2, n_steps=1).probabilities.shape
    (2, 4)
    """
    with seeded(0):
        model = ReadOut(way, n_seeds)
    target = torch.from_numpy(POSITIVE).float().expand(n_seeds, -1)

    def losses() -> Tensor:  # (n_seeds, 4)
        return nn.functional.binary_cross_entropy_with_logits(model()[0], target, reduction="none")

    # Adam looks at each parameter by itself, so that in a sum over seeds every seed learns as if it were alone;
    # clipping the common norm would tie them together.
    fit(model, lambda _: losses().mean(1).sum(), range(n_steps), learning_rate=learning_rate, clip=None)
    with torch.no_grad():
        logits, outputs = model()
        return Trained(
            torch.sigmoid(logits).double().numpy(),
            outputs.double().numpy(),
            losses().mean(1).double().numpy(),
        )
