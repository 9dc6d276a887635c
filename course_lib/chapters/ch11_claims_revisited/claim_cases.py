"""Cases that decide claims, where a cell is too short for them or where the circumstances are to be changed.

Each function returns cases for `claims.judge`: condition → outcome, or outcomes, one for
each repetition. What a claim hangs on is an argument, so that the same code can find the other verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import nn

from course_lib import functional
from course_lib.chapters.ch06_positional_encoding import positions
from course_lib.chapters.ch10_translation.runs import load_record
from course_lib.chapters.fit import seeded

SEEDS = (0, 1, 2)
Array = NDArray[np.floating[Any]]


# ---- Exact cases ----


def reordering(encoding: Callable[[int, int], Array] | None = None, n: int = 20) -> dict[str, list[bool]]:
    """Claim 1: is an output of attention the same when its words come in another order?

    Parameters
    ----------
    encoding : function (L, d) → array (L, d), optional
        Positions, added to the words as they stand; none where not given.
    n : int
        How many sequences of 7 words, each with another order, no two words alike.

    Examples
    --------
    >>> {condition: all(outcomes) for condition, outcomes in reordering(n=2).items()}["its rows are averaged"]
    True
    """
    L, d = 7, 6
    rng = np.random.default_rng(1)
    places = np.zeros((L, d)) if encoding is None else encoding(L, d)
    names = ("keys and values are re-ordered, the queries not", "its rows are averaged", "a fixed query asks")
    by_row = "it is read row by row"
    found: dict[str, list[bool]] = {name: [] for name in (*names, by_row)}
    for _ in range(n):
        words, query = rng.standard_normal((L, d)), rng.standard_normal((1, d))
        W_Q, W_K, W_V = rng.standard_normal((3, d, d))
        order = np.roll(np.arange(L), rng.integers(1, L))  # every word moves
        before, after = words + places, words[order] + places

        def attend(asks: Array, asked: Array) -> Array:
            return functional.attention(asks, asked @ W_K, asked @ W_V)[0]  # noqa: B023 – called at once

        own = before @ W_Q
        pairs = [
            (attend(own, before), attend(own, after)),
            (attend(own, before).mean(axis=0), attend(after @ W_Q, after).mean(axis=0)),
            (attend(query, before), attend(query, after)),
            (attend(own, before), attend(after @ W_Q, after)),
        ]
        for outcomes, (one, other) in zip(found.values(), pairs, strict=True):
            outcomes.append(np.allclose(one, other, rtol=1e-9, atol=1e-9))
    return found


def one_position_alone(kernel_size: int = 1, seeds: Sequence[int] = range(5)) -> dict[str, list[bool]]:
    """Claim 3: does a feed-forward network change one row only, where one row of its input is changed?

    Parameters
    ----------
    kernel_size : int
        The network is two convolutions: with a kernel of 1, the network of the Transformer; with an odd one above 1, a
        network that sees its neighbours.
    seeds : sequence of int
        For the weights and the input.

    Raises
    ------
    ValueError
        If the kernel size is not odd and positive.

    Examples
    --------
    >>> one_position_alone(seeds=[0])["the first word is changed"]
    [True]
    """
    if kernel_size < 1 or kernel_size % 2 == 0:
        raise ValueError(f"kernel_size is {kernel_size}: expected an odd number, 1 or more")
    L, d, d_ff = 8, 8, 32
    found: dict[str, list[bool]] = {}
    for seed in seeds:
        with seeded(seed), torch.no_grad():
            inner = nn.Conv1d(d, d_ff, kernel_size, padding="same").double()
            outer = nn.Conv1d(d_ff, d, kernel_size, padding="same").double()
            x = torch.randn(1, d, L, dtype=torch.float64)
            for name, j in {"first": 0, "fourth": 3, "last": L - 1}.items():
                other = x.clone()
                other[..., j] += 1
                moved = outer(inner(x).relu()) != outer(inner(other).relu())  # (1, d, L)
                changed = moved[0].any(dim=0).nonzero().flatten().tolist()
                found.setdefault(f"the {name} word is changed", []).append(changed == [j])
    return found


def wavelengths_span(spacings: Mapping[str, ArrayLike]) -> dict[str, bool]:
    """Claim 5: do the wavelengths go from 2π to 10000·2π?

    Parameters
    ----------
    spacings : mapping from name to the exponents e_k
        The frequencies are 10000^(−e_k). A spacing passes if both ends are met within 1 %.

    Examples
    --------
    >>> wavelengths_span({"from 0 to 1": [0, 0.5, 1], "from 0.5": [0.5, 1]})
    {'from 0 to 1': True, 'from 0.5': False}
    """
    ends = {}
    for name, exponents in spacings.items():
        in_turns = 10_000.0 ** np.asarray(exponents)  # wavelength / 2π
        ends[name] = bool(np.allclose([in_turns.min(), in_turns.max()], [1, 10_000], rtol=0.01))
    return ends


def near_a_gaussian(
    encode: Callable[[int], Array], widths: Sequence[int] = (64, 128, 512)
) -> dict[str, bool]:
    """Claim 6: is φ(0)·φ(Δ), Δ = 0 … 99, within 0.1 of some Gaussian everywhere?

    Parameters
    ----------
    encode : function d → φ, array (100, d)
    widths : sequence of int

    Examples
    --------
    >>> near_a_gaussian(lambda d: functional.sinusoidal_encoding(100, d), widths=[8])
    {'d = 8': False}
    """
    cases = {}
    for d in widths:
        phi = encode(d)
        similar = phi @ phi[0] / (phi[0] @ phi[0])
        gaussians = np.exp(-np.geomspace(1e-6, 10, 2000)[:, None] * np.arange(len(phi)) ** 2)  # (λ, distance)
        misfit = np.abs(gaussians - similar).max(axis=1).min()
        cases[f"d = {d}"] = bool(misfit < 0.1)
    return cases


def softmax_works(softmax: Callable[[Array], Array]) -> dict[str, bool]:
    """Claim 10: does a softmax give the weights of attention?

    Parameters
    ----------
    softmax : function array → array of the same shape
        Given one row, (4,), or a matrix of scores, (3, 4), whose rows are queries.

    Examples
    --------
    >>> all(softmax_works(functional.softmax).values())
    True
    """
    row = np.array([1.0, 3.0, 2.0, 0.5])
    right = np.array([np.exp(x) / sum(np.exp(y) for y in row) for x in row])
    with np.errstate(over="ignore", invalid="ignore"):  # trouble is what we look for
        return {
            "it gets one row of small scores": bool(np.allclose(softmax(row), right)),
            "it gets one row of large scores": bool(np.allclose(softmax(row + 1000), right)),
            "it gets a matrix of small scores": bool(
                np.allclose(softmax(np.stack([row, row, row])), np.stack([right, right, right]))
            ),
        }


# ---- A trained case ----

TRAINED_ON = (3, 10)
TESTED_ON = {"as long as in training": 10, "twice as long": 20, "four times as long": 40}


def readers(kind: str, seeds: Sequence[int] = SEEDS) -> list[positions.Reader]:
    """Train readers that name the word before each word, on sequences of `TRAINED_ON` words.

    Parameters
    ----------
    kind : str
        "sinusoidal", "learned" or "rotary", as in `ch06_positional_encoding.positions.Reader`.
    seeds : sequence of int

    Examples
    --------
    >>> readers("sinusoidal", seeds=[])
    []
    """
    task = positions.word_before(*TRAINED_ON)
    return [positions.train(task, seed, positions=kind, d=32)[0] for seed in seeds]


def right_by_length(trained: Sequence[positions.Reader]) -> dict[str, list[float]]:
    """Return the share of right answers at each of the lengths `TESTED_ON`, a number for each reader.

    >>> right_by_length([])["twice as long"]
    []
    """
    tasks = {name: positions.word_before(length, length) for name, length in TESTED_ON.items()}
    return {
        name: [positions.accuracy(reader, task, n=200) for reader in trained] for name, task in tasks.items()
    }


def at_least(level: float, measured: Mapping[str, Sequence[float]]) -> dict[str, list[bool]]:
    """Compare what was measured with a level, case by case and seed by seed.

    >>> at_least(0.8, {"short": [0.9, 1.0], "long": [0.7, 0.8]})
    {'short': [True, True], 'long': [False, True]}
    """
    return {name: [value >= level for value in values] for name, values in measured.items()}


# ---- Cases from the records of long runs ----

Record = Mapping[str, Any]
RIVALS = {"gru": "a plain GRU", "gru-attention": "a GRU with attention"}


def records(results: Path, name: str, seeds: Sequence[int] = SEEDS) -> list[Record]:
    """Read the records of a run on the course's corpus, a seed each: `transformer` for `transformer-0` and so on.

    Raises
    ------
    FileNotFoundError
        If one is not there, naming the command that makes it.
    """
    return [load_record(results, f"embedded/{name}-{seed}") for seed in seeds]


def exact(found: Sequence[Record], part: str = "test") -> list[float]:
    """The share of a part's sentences translated exactly as in the reference, greedily, of each record."""
    return [record["quality"][part]["greedy"]["exact_match"] for record in found]


def fewer_parameters(results: Path, margin: float = 0.02) -> dict[str, bool]:
    """Claim 15: does a Transformer with fewer parameters do as well as a recurrent translator?

    True beside a rival if the small Transformer has at most half of its parameters and its share of exact translations
    falls short of the rival's median by `margin` at most. Beside the rival of which there is a small one too, this one
    must not do the same to the full Transformer, or neither needs fewer.

    Parameters
    ----------
    results : Path
        Folder of records.
    margin : float
        What still counts as similar, a share of the test sentences.
    """

    def as_good(small: str, large: str) -> bool:
        (one,) = little = records(results, small, seeds=[0])
        others = records(results, large)
        fewer = 2 * one["parameters"] <= min(other["parameters"] for other in others)
        return bool(fewer and exact(little)[0] >= median(exact(others)) - margin)

    cases = {f"beside {RIVALS[rival]}": as_good("small-transformer", rival) for rival in RIVALS}
    if as_good("small-gru-attention", "transformer"):
        cases[f"beside {RIVALS['gru-attention']}"] = False
    return cases


def faster_and_better(results: Path, margin: float = 0.05) -> dict[str, bool]:
    """Claim 16: is the Transformer ahead of recurrent translators in training speed, decoding speed and accuracy?

    It is faster if it does more tokens a second, by `margin` at least; in decoding, for each length and each size of
    batch that was measured. It is more accurate if its worst seed is better than the rival's best.

    Parameters
    ----------
    results : Path
        Folder of records.
    margin : float
        Share by which a speed must be larger.
    """
    ours, speed = exact(records(results, "transformer")), load_record(results, "embedded/speed")

    def faster(found: Mapping[str, float], rival: str) -> bool:
        return found["transformer"] > (1 + margin) * found[rival]

    cases = {}
    for rival, name in RIVALS.items():
        cases[f"training speed counts, beside {name}"] = faster(speed["training"], rival)
        for many, sizes in {
            "one sentence at a time": {1},
            "in batches": {*speed["batch_sizes"]} - {1},
        }.items():
            decoding = [
                {model: found[column] for model, found in by_model.items()}
                for by_model in speed["decoding"].values()
                for column, size in enumerate(speed["batch_sizes"])
                if size in sizes
            ]
            ahead = all(faster(found, rival) for found in decoding)
            cases[f"decoding speed counts, {many}, beside {name}"] = ahead
        for equal, run in {"data": rival, "time": f"{rival}-same-time"}.items():
            ahead = min(ours) > max(exact(records(results, run)))
            cases[f"accuracy counts, after equal {equal}, beside {name}"] = ahead
        longer = [exact(records(results, model), "longer") for model in ("transformer", rival)]
        cases[f"accuracy on longer sentences counts, beside {name}"] = min(longer[0]) > max(longer[1])
    return cases


def survives_pooling(results: Path, margin: float = 0.05) -> bool:
    """Claim 20: does translation survive when the encoder's output is pooled into one vector?

    It does if its share of exact translations falls short of the Transformer's worst seed by `margin` at most.
    """
    pooled = records(results, "transformer-pooled-memory", seeds=[0])
    return exact(pooled)[0] >= min(exact(records(results, "transformer"))) - margin
