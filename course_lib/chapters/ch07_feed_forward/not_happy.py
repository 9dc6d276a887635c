"""Can a read-out tell what *not* does? Four phrases, {not, very} × {happy, sad}, and five ways to read them.

*Not happy* and *very sad* are negative, *not sad* and *very happy* positive, so what a word does to the mood
depends on the other word. Each way turns the two words of a phrase into one vector and reads the mood from it
by one linear map. Many starts are trained side by side: each has its own parameters, along the first axis.
"""

from typing import Literal, NamedTuple, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.chapters.fit import fit, seeded
from course_lib.model import attention

MODIFIERS, ADJECTIVES = ("not", "very"), ("happy", "sad")
WORDS = (*MODIFIERS, *ADJECTIVES)
PAIRS = tuple((modifier, adjective) for modifier in MODIFIERS for adjective in ADJECTIVES)
PHRASES = tuple(" ".join(pair) for pair in PAIRS)
IDS = torch.tensor([[WORDS.index(word) for word in pair] for pair in PAIRS])  # (4 phrases, 2 words)
POSITIVE = np.array([False, True, True, False])  # not happy, not sad, very happy, very sad

Way = Literal[
    "fixed weights", "one fixed query", "self-attention", "fixed query + network", "the same without max"
]
WAYS: tuple[Way, ...] = get_args(Way)


class ReadOut(nn.Module):
    """A phrase of two words → one vector of two entries → one number, positive for a good mood.

    - *fixed weights*: the vector is the mean of the two values, the same weights for every phrase. (Other weights add
      nothing, since each word has its own place, and its value can be of any size.)
    - *one fixed query*: attention of one learned query over the two words.
    - *self-attention*: attention whose query comes from the last word of the phrase.
    - *fixed query + network*: as with one fixed query, and max(0, o·W_1 + b_1)·W_2 is added to its output o.
    - *the same without max*: (o·W_1 + b_1)·W_2 is added.

    Parameters
    ----------
    way : str
        One of `WAYS`.
    n_starts : int
        How many of them are trained side by side.
    d : int
        Width of word vectors, queries and keys.
    d_ff : int
        Inner width of the network.

    Raises
    ------
    ValueError
        If `way` is none of `WAYS`.

    Notes
    -----
    Source: A, "Linearity Problem and Feed-Forward Networks".

    Examples
    --------
    >>> ReadOut("self-attention", n_starts=3)().shape
    torch.Size([3, 4])
    """

    words: Tensor
    query: Tensor
    W_Q: Tensor
    W_K: Tensor
    W_V: Tensor
    W_1: Tensor
    b_1: Tensor
    W_2: Tensor
    u: Tensor
    b: Tensor

    def __init__(self, way: Way, n_starts: int = 20, d: int = 4, d_ff: int = 8) -> None:
        super().__init__()
        if way not in WAYS:
            raise ValueError(f"way is {way!r}: expected one of {WAYS}")
        self.way = way
        shapes = {"words": (4, d), "query": (1, d), "W_Q": (d, d), "W_K": (d, d), "W_V": (d, 2)}
        shapes |= {"W_1": (2, d_ff), "b_1": (1, d_ff), "W_2": (d_ff, 2), "u": (2, 1), "b": (1, 1)}
        for name, shape in shapes.items():
            draw = torch.randn(n_starts, *shape) / shape[0] ** 0.5
            self.register_parameter(name, nn.Parameter(draw))

    def outputs(self, swapped: bool = False) -> Tensor:
        """Return the vectors that the moods are read from, (n_starts, 4, 2).

        If `swapped`, each adjective of self-attention asks with the query of the other.
        """
        x = self.words[:, IDS]  # (n_starts, 4 phrases, 2 words, d)
        q = x[:, :, 1:] @ self.W_Q[:, None] if self.way == "self-attention" else self.query[:, None]
        if swapped:
            q = q[:, [1, 0, 3, 2]]  # happy and sad take turns in PHRASES
        if self.way == "fixed weights":
            q = 0 * q  # all scores are 0
        o = attention(q, x @ self.W_K[:, None], x @ self.W_V[:, None])[0][:, :, 0]
        if self.way in WAYS[3:]:
            hidden = o @ self.W_1 + self.b_1
            o = o + (torch.relu(hidden) if self.way == "fixed query + network" else hidden) @ self.W_2
        return o

    def forward(self, swapped: bool = False) -> Tensor:
        """Return the read-outs of the phrases, (n_starts, 4)."""
        return (self.outputs(swapped) @ self.u + self.b)[..., 0]


class Result(NamedTuple):
    """What a read-out says of the four phrases, for every start."""

    probabilities: NDArray[np.float64]  # (n_starts, 4), that a phrase is positive
    losses: NDArray[np.float64]  # (n_starts,), cross-entropy per phrase, in nats

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether a phrase gets a probability on the right side of 0.5, (n_starts, 4).

        A probability between 0.4 and 0.6 says nothing and is not right.
        """
        towards: NDArray[np.float64] = np.where(POSITIVE, 1, -1) * (self.probabilities - 0.5)
        return towards > 0.1

    @property
    def n_right(self) -> NDArray[np.int64]:
        """For each start, how many of the four phrases are right, (n_starts,)."""
        counted: NDArray[np.int64] = self.right.sum(axis=1)
        return counted

    @property
    def best(self) -> int:
        """The start that ended with the lowest loss."""
        return int(self.losses.argmin())

    @property
    def n_solved(self) -> int:
        """How many starts get all four right."""
        return int((self.n_right == 4).sum())

    @property
    def marks(self) -> list[str]:
        """What the best start says of each phrase: ✓ right, ✗ wrong, ? nothing."""
        p = self.probabilities[self.best]
        return [
            "?" if abs(x - 0.5) <= 0.1 else "✓" if (x > 0.5) == y else "✗"
            for x, y in zip(p, POSITIVE, strict=True)
        ]


def losses_of(read: Tensor) -> Tensor:
    """Return the cross-entropy per phrase of read-outs (n_starts, 4), in nats, (n_starts,).

    Examples
    --------
    >>> losses_of(torch.zeros(1, 4))
    tensor([0.6931])
    """
    wanted = torch.from_numpy(POSITIVE).to(read.dtype).expand_as(read)
    return nn.functional.binary_cross_entropy_with_logits(read, wanted, reduction="none").mean(1)


def result(read: Tensor) -> Result:
    """Turn read-outs (n_starts, 4) into probabilities and losses.

    Examples
    --------
    >>> result(torch.tensor([[-9.0, 9.0, 9.0, 0.1]])).n_right
    array([3])
    """
    with torch.no_grad():
        return Result(torch.sigmoid(read).double().numpy(), losses_of(read).double().numpy())


def train(
    way: Way,
    n_starts: int = 20,
    n_steps: int = 600,
    learning_rate: float = 0.03,
    seed: int = 0,
    d_ff: int = 8,
    scale: float = 1.0,
) -> ReadOut:
    """Train a read-out on the four phrases from `n_starts` random starts, by Adam on the cross-entropy.

    Parameters
    ----------
    way : str
        One of `WAYS`.
    n_starts, n_steps, seed, d_ff : int
    learning_rate : float
    scale : float
        By what the first parameters are multiplied.

    Examples
    --------
    >>> result(train("self-attention", n_starts=2, n_steps=1)()).probabilities.shape
    (2, 4)
    """
    with seeded(seed), torch.no_grad():
        model = ReadOut(way, n_starts, d_ff=d_ff)
        for parameter in model.parameters():
            parameter.mul_(scale)
    # Adam looks at each parameter by itself, so that in a sum over starts every start learns as if it were alone;
    # clipping the common norm would tie them together.
    fit(model, lambda _: losses_of(model()).sum(), range(n_steps), learning_rate=learning_rate, clip=None)
    return model
