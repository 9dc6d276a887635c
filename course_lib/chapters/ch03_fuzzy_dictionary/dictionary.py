"""A dictionary that is learned, and how many pairs a soft dictionary holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib.chapters.fit import fit, seeded

Choice = Literal["soft", "hard", "straight-through"]

# ---- Learned from questions and answers ----


class LearnedDictionary(nn.Module):
    """Pairs of a key and a value, all of them learned; a query is answered by a soft lookup over them.

    Keys start at random, values near the mean of the answers: every pair begins by saying "about the middle".
    Several starts, each a dictionary of its own, are held side by side and do not know of one another.

    Parameters
    ----------
    n_pairs : int
    d_k : int
        Width of queries and keys.
    answers : Tensor (n_answers, d_v)
        The answers that will be asked for. Only their mean is used.
    n_starts : int
    choice : "soft", "hard" or "straight-through"
        Hard weights are 1 for the best key and 0 for the others; "straight-through" chooses hard and takes the
        gradient of the soft weights.

    Notes
    -----
    Formula: softmax(Q·Kᵀ)·V, without the division by √d_k.

    Examples
    --------
    >>> dictionary = LearnedDictionary(5, 2, torch.tensor([[10.0], [20.0]]), n_starts=3)
    >>> dictionary(torch.zeros(7, 2)).shape
    torch.Size([3, 7, 1])
    """

    def __init__(
        self, n_pairs: int, d_k: int, answers: Tensor, n_starts: int = 1, choice: Choice = "soft"
    ) -> None:
        super().__init__()
        self.choice = choice
        self.keys = nn.Parameter(torch.randn(n_starts, n_pairs, d_k))
        spread = torch.randn(n_starts, n_pairs, answers.shape[1])
        self.values = nn.Parameter(answers.mean(dim=0) + spread)

    def forward(self, queries: Tensor) -> Tensor:
        """Answer queries (B, d_k) with blends of the values, (n_starts, B, d_v)."""
        scores = queries @ self.keys.transpose(-2, -1)
        weights = torch.softmax(scores, dim=-1)
        if self.choice != "soft":
            hard = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
            weights = hard if self.choice == "hard" else hard + weights - weights.detach()
        return weights @ self.values


def spellings(
    n: int, keys: Tensor, noise: float, generator: torch.Generator
) -> tuple[Tensor, NDArray[np.int64]]:
    """Draw queries that mean one of the keys but differ from it: the key plus normally distributed noise.

    Returns
    -------
    queries : Tensor (n, d_k)
    meant : array (n,)
        Which key each query means, drawn with equal chances.

    Examples
    --------
    >>> keys = torch.tensor([[0.0], [100.0]])
    >>> queries, meant = spellings(50, keys, 0.1, torch.Generator().manual_seed(0))
    >>> bool(((queries[:, 0] > 50).numpy() == (meant == 1)).all())
    True
    """
    meant = torch.randint(len(keys), (n,), generator=generator)
    queries = keys[meant] + noise * torch.randn(n, keys.shape[1], generator=generator)
    return queries, meant.numpy()


def learn(
    n_pairs: int,
    keys: Tensor,
    answers: Tensor,
    steps: Iterable[int],
    *,
    noise: float = 0.4,
    seed: int = 0,
    n_starts: int = 1,
    choice: Choice = "soft",
    frozen: Literal["", "keys", "values"] = "",
    held: bool = False,
    change: Callable[[LearnedDictionary], object] | None = None,
    change_at: int = 100,
) -> tuple[LearnedDictionary, NDArray[np.float64]]:
    """Learn a dictionary from examples alone: 32 queries a step, each with the answer it should have had.

    Parameters
    ----------
    n_pairs : int
        How many pairs the dictionary has room for.
    keys : Tensor (n, d_k)
        What the queries scatter around, see `spellings`; the learner is not told.
    answers : Tensor (n, d_v)
        The right answer to queries around each of them.
    steps : iterable
        As for `fit`.
    n_starts : int
        How many dictionaries are learned side by side, each from its own random start, all from the same
        queries.
    choice : "soft", "hard" or "straight-through"
        As of `LearnedDictionary`.
    frozen : "", "keys" or "values"
        What stays as it starts.
    held : bool
        Whether keys may turn, but keep the lengths that they start with.
    change : function, optional
        Takes the dictionary and changes it, once, before the step `change_at`.

    Returns
    -------
    dictionary : LearnedDictionary
    losses : array (n_steps,)
        Mean squared distance between the answers given and the right ones, over queries and starts.
    """
    with seeded(seed):
        dictionary = LearnedDictionary(n_pairs, keys.shape[1], answers, n_starts, choice)
    if frozen:
        getattr(dictionary, frozen).requires_grad_(False)

    lengths = dictionary.keys.detach().norm(dim=-1, keepdim=True)

    def hold() -> None:
        with torch.no_grad():
            dictionary.keys.mul_(lengths / dictionary.keys.norm(dim=-1, keepdim=True))

    def changing() -> Iterator[int]:
        for i, step in enumerate(steps):
            if held:
                hold()
            if change and i == change_at:
                with torch.no_grad():
                    change(dictionary)
            yield step

    def loss(generator: torch.Generator) -> Tensor:
        queries, meant = spellings(32, keys, noise, generator)
        errors = (dictionary(queries) - answers[meant]).square().sum(dim=-1)  # (n_starts, 32)
        return errors.mean(dim=1).sum()  # a sum over starts: each gets the gradient that it would get alone

    losses = fit(dictionary, loss, changing(), learning_rate=0.05, seed=seed, clip=None)
    if held:
        hold()
    return dictionary, losses / n_starts


def how_sharp(
    dictionary: LearnedDictionary, keys: Tensor, answers: Tensor, noise: float
) -> tuple[float, float, float]:
    """Say how far apart the keys of a dictionary lie, and how far its answers are off, beside the least possible.

    Questions scatter around `keys` with a standard deviation of `noise`. By Bayes' rule the mean of the answers, given
    the question, is a soft lookup by nearness, divided by noise²: dot products with keys that are 1/noise² as far apart
    as `keys`, and a penalty for their lengths.

    Returns
    -------
    apart : float
        The mean distance between two keys, the median of the starts.
    error : float
        The mean squared distance to the right answer, over 4,000 questions, the median of the starts.
    least : float
        The same by Bayes' rule.

    Examples
    --------
    >>> keys = torch.tensor([[1.0, 0.0], [-1.0, 0.0]])
    >>> dictionary = LearnedDictionary(2, 2, keys)
    >>> with torch.no_grad():
    ...     _ = dictionary.keys.copy_(4 * keys), dictionary.values.copy_(keys)
    >>> apart, error, least = how_sharp(dictionary, keys, keys, noise=0.5)
    >>> round(apart), abs(error - least) < 1e-6
    (8, True)
    """
    queries, meant = spellings(4000, keys, noise, torch.Generator().manual_seed(9))
    with torch.no_grad():
        own = dictionary.keys
        n = own.shape[1]
        apart = torch.cdist(own, own).sum(dim=(-2, -1)) / (n * (n - 1))
        errors = (dictionary(queries) - answers[meant]).square().sum(dim=-1).mean(dim=-1)
    shares = torch.softmax((queries @ keys.T - keys.square().sum(dim=1) / 2) / noise**2, dim=-1)
    least = (shares @ answers - answers[meant]).square().sum(dim=-1).mean()
    return float(apart.median()), float(errors.median()), float(least)


def sharing(dictionary: LearnedDictionary, keys: Tensor) -> list[tuple[int, int, int, int, int]]:
    """Find the starts in which two of three questions share their best pair, and a third pair is best for none.

    Returns
    -------
    list of (start, shared pair, idle pair, question, question)

    Examples
    --------
    >>> dictionary = LearnedDictionary(3, 1, torch.zeros(3, 1))
    >>> with torch.no_grad():
    ...     _ = dictionary.keys.copy_(torch.tensor([[2.0], [0.1], [-2.0]]))
    >>> sharing(dictionary, torch.tensor([[3.0], [4.0], [-1.0]]))
    [(0, 0, 1, 0, 1)]
    """
    with torch.no_grad():
        best = (keys @ dictionary.keys.transpose(-2, -1)).argmax(dim=-1).tolist()
    found = []
    for start, pairs in enumerate(best):
        if len(set(pairs)) == 2:
            shared = max(pairs, key=pairs.count)
            (idle,) = {0, 1, 2} - set(pairs)
            first, second = (question for question, pair in enumerate(pairs) if pair == shared)
            found.append((start, shared, idle, first, second))
    return found


def free_idle(
    dictionary: LearnedDictionary,
    keys: Tensor,
    answers: Tensor,
    by: Literal["key", "along", "across"],
    far: float = 0.0,
) -> None:
    """Change the idle pair, in place, wherever two questions share a pair: what holds the idle one up?

    Parameters
    ----------
    dictionary : LearnedDictionary
    keys, answers : Tensors (3, d_k) and (3, 2)
        The questions and their right answers.
    by : "key", "along" or "across"
        The idle pair gets a copy of the shared pair's key. Or its value is put so far from the shared one, along the
        line between the two right answers or at right angles to it.
    far : float
        In degrees; 0 copies the value.
    """
    with torch.no_grad():
        for start, shared, idle, first, second in sharing(dictionary, keys):
            if by == "key":
                dictionary.keys[start, idle] = dictionary.keys[start, shared]
                continue
            there = dictionary.values[start, shared]
            east, north = (answers[first] - answers[second]) / (answers[first] - answers[second]).norm()
            way = torch.stack([-north, east] if by == "across" else [east, north])
            dictionary.values[start, idle] = there + far * way


def read(dictionary: LearnedDictionary, choice: Choice) -> LearnedDictionary:
    """Return a copy of learned dictionaries that answers by another choice.

    Examples
    --------
    >>> soft = LearnedDictionary(2, 1, torch.tensor([[10.0], [20.0]]))
    >>> read(soft, "hard").choice, soft.choice
    ('hard', 'soft')
    """
    copy = deepcopy(dictionary)
    copy.choice = choice
    return copy


def with_best_values(
    dictionary: LearnedDictionary, keys: Tensor, answers: Tensor, *, noise: float, seed: int = 2
) -> LearnedDictionary:
    """Return a copy with the same keys and the values that fit best, by least squares on 2,000 questions.

    It fits the weights with which the dictionary answers, soft or hard.
    """
    queries, meant = spellings(2000, keys, noise, torch.Generator().manual_seed(seed))
    copy = deepcopy(dictionary)
    with torch.no_grad():
        scores = queries.double() @ copy.keys.double().transpose(-2, -1)
        weights = torch.softmax(scores, dim=-1)  # (n_starts, 2000, n_pairs)
        if copy.choice != "soft":
            weights = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(weights.dtype)
        target = answers[meant].double().expand(len(weights), -1, -1)
        solution = torch.linalg.lstsq(weights, target, driver="gelsd").solution  # a pair may never be chosen
        copy.values.copy_(solution)
    return copy


def typical_miss(
    dictionary: LearnedDictionary, keys: Tensor, answers: Tensor, *, noise: float = 0.4, seed: int = 1
) -> NDArray[np.float64]:
    """Measure how far the answers to 500 fresh queries are from the right ones, on average, for each start.

    Returns
    -------
    array (n_starts,)

    Examples
    --------
    >>> dictionary = LearnedDictionary(1, 2, torch.zeros(1, 2))
    >>> with torch.no_grad():
    ...     _ = dictionary.values.copy_(torch.tensor([[3.0, 4.0]]))
    >>> typical_miss(dictionary, torch.zeros(1, 2), torch.zeros(1, 2)).tolist()
    [5.0]
    """
    queries, meant = spellings(500, keys, noise, torch.Generator().manual_seed(seed))
    with torch.no_grad():
        misses = (dictionary(queries) - answers[meant]).norm(dim=-1).mean(dim=1)  # (n_starts,)
    return misses.numpy().astype(np.float64)


# ---- How many pairs fit ----


def pairs_that_fit(
    d: int,
    sharpness: float,
    seeds: Sequence[int],
    *,
    noise: float = 0.0,
    n_queries: int = 64,
    at_most: int = 4000,
    average: Literal["shares", "others"] = "shares",
) -> NDArray[np.float64]:
    """Count how many pairs a soft dictionary holds while the right value still makes up half of the answer.

    Keys are random directions in d dimensions, vectors of length 1. A query is a copy of one key, exact or with
    noise, and that key is stored among others. They are added one by one until the weight of the right key,
    averaged over the queries, falls below ½.

    Parameters
    ----------
    d : int
        Width of the keys, at least 2.
    sharpness : float
        β in the weights softmax(β q·k).
    seeds : sequence of int
        One dictionary is drawn for each.
    noise : float
        Typical length of the normally distributed noise that is added to each query.
    n_queries : int
        How many queries are averaged over, each with a key of its own and the same others.
    at_most : int
        Where counting stops.
    average : "shares" or "others"
        What is averaged over the queries: the weight of the right key, or what the others weigh beside it, as
        `expected_pairs` does.

    Returns
    -------
    array (n_seeds,)
    """
    counts = []
    for seed in seeds:
        generator = np.random.default_rng(seed)
        keys = generator.standard_normal((n_queries + at_most - 1, d))
        keys /= np.linalg.norm(keys, axis=1, keepdims=True)
        right, others = keys[:n_queries], keys[n_queries:]
        queries = right + noise / np.sqrt(d) * generator.standard_normal(right.shape)
        # what the others weigh where the right key weighs 1: (n_queries, at_most − 1)
        own = np.sum(queries * right, axis=1, keepdims=True)
        against = np.exp(sharpness * (queries @ others.T - own))
        gathered = np.cumsum(against, axis=1)  # by 2, 3, … pairs
        share = (1 / (1 + gathered)).mean(axis=0) if average == "shares" else 1 / (1 + gathered.mean(axis=0))
        counts.append(1.0 + np.count_nonzero(share >= 0.5))
    return np.array(counts)


def not_own_argmax(d: int, n: int, seeds: Sequence[int]) -> NDArray[np.float64]:
    """Measure which share of n keys with normally distributed entries are not the argmax of their own lookup.

    Queries are the keys themselves, and the score is the dot product: a key is not found where another scores higher.

    Parameters
    ----------
    d : int
        Width of the keys.
    n : int
    seeds : sequence of int
        One set of keys is drawn for each.

    Returns
    -------
    array (n_seeds,)

    Examples
    --------
    >>> not_own_argmax(1, 100, [0]).tolist()  # on a line only the two ends win
    [0.98]
    """
    shares = []
    for seed in seeds:
        keys = np.random.default_rng(seed).standard_normal((n, d))
        scores = keys @ keys.T
        shares.append(np.mean(scores.max(axis=1) > np.diag(scores)))
    return np.array(shares)


def simplex(n: int) -> NDArray[np.float64]:
    """Return n keys of length 1 that point away from one another as far as n can: the corners of a simplex.

    Any two have the cosine −1/(n − 1). They need n − 1 dimensions, and are given in n.

    Examples
    --------
    >>> keys = simplex(3)
    >>> (keys @ keys.T).round(3).tolist()
    [[1.0, -0.5, -0.5], [-0.5, 1.0, -0.5], [-0.5, -0.5, 1.0]]
    """
    corners = np.eye(n) - 1 / n
    return np.asarray(corners / np.linalg.norm(corners, axis=1, keepdims=True))


def expected_pairs(d: int, sharpness: float) -> float:
    """Estimate what `pairs_that_fit` counts, by setting what the other keys gather to its mean.

    Notes
    -----
    Formula: n = 1 + e^β / E[e^(β c)], where c is the cosine between two random directions, whose angle θ has
    a density proportional to sin^(d−2) θ. For d well above β the mean is close to e^(β²/2d).

    Examples
    --------
    >>> round(expected_pairs(3, 2.0), 3), round(float(1 + np.exp(2) * 2 / np.sinh(2)), 3)  # E = sinh(β)/β
    (5.075, 5.075)
    """
    angle = (np.arange(4000) + 0.5) * np.pi / 4000
    density = np.sin(angle) ** (d - 2)
    mean = np.sum(np.exp(sharpness * np.cos(angle)) * density) / density.sum()
    return float(1 + np.exp(sharpness) / mean)
