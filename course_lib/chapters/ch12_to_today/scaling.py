"""Scaling laws: the loss of today's decoder against its parameters, and against the sentences that it learns from.

`python -m course_lib.chapters.ch12_to_today.scaling` trains all of it again, in about half an hour on one core, and
writes `scaling.json`; what is there already is kept.
"""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from course_lib.chapters.ch12_to_today import language
from course_lib.chapters.ch12_to_today.switches import TODAY, Sizes, build, n_parameters
from course_lib.files import atomic_path

RECORD = Path(__file__).with_suffix(".json")
SEEDS = (0, 1, 2)
STEPS, LOOK_EVERY = 600, 25
WIDTHS = (8, 16, 24, 32, 48, 64, 96)
SENTENCES = (300, 600, 1_200, 2_400, 4_800, 9_600, 19_200)
SHAPES = {"narrow and deep": (32, 9), "wide and shallow": (64, 1)}  # d_model, n_layers
LONGER = (48, 96)  # widths that are trained for twice as many steps, too
FEW, WIDE = 1_200, 96  # a wide decoder on few sentences
RATES = {8: 3e-2, 96: 3e-3}  # another learning rate for some widths


class PowerLaw(NamedTuple):
    """loss = floor + factor · x^(−exponent)."""

    floor: float
    factor: float
    exponent: float

    def at(self, x: ArrayLike) -> Any:
        """Return the loss at `x`, of any shape.

        >>> PowerLaw(1.0, 2.0, 0.5).at([1, 4]).tolist()
        [3.0, 2.0]
        """
        return self.floor + self.factor * np.asarray(x, dtype=float) ** -self.exponent


def fit_power_law(x: ArrayLike, losses: ArrayLike) -> PowerLaw:
    """Fit a power law with a floor: for each of many floors a straight line through log x and log (loss − floor).

    The floor whose line leaves the smallest squares, in log (loss − floor), wins.

    Parameters
    ----------
    x, losses : array_like
        Shape (n,), n ≥ 3; x and losses greater than 0.

    Raises
    ------
    ValueError
        If there are fewer than three points, or one that is not greater than 0.

    Examples
    --------
    >>> x = np.array([1, 10, 100, 1_000])
    >>> law = fit_power_law(x, 2 + 3 * x**-0.5)
    >>> round(law.floor, 2), round(law.factor, 2), round(law.exponent, 2)
    (2.0, 3.0, 0.5)
    """
    x, losses = np.asarray(x, dtype=float), np.asarray(losses, dtype=float)
    if x.shape != losses.shape or len(x) < 3 or min(x.min(), losses.min()) <= 0:
        raise ValueError(f"x {x.shape}, losses {losses.shape}: expected three points or more, greater than 0")
    best, least = PowerLaw(0.0, 0.0, 0.0), np.inf
    for floor in np.linspace(0, losses.min(), 2_001)[:-1]:
        above = np.log(losses - floor)
        slope, start = np.polyfit(np.log(x), above, 1)
        left = np.square(above - slope * np.log(x) - start).sum()
        if left < least:
            best, least = PowerLaw(float(floor), float(np.exp(start)), float(-slope)), left
    return best


def sizes(d_model: int, n_layers: int = 3) -> Sizes:
    """Return the sizes of a decoder with four heads, its feed-forward networks four times as wide as it is."""
    return Sizes(language.N_VOCAB, d_model=d_model, n_heads=4, d_ff=4 * d_model, n_layers=n_layers)


def learn(model: nn.Module, ids: Tensor, seed: int, stop_after: int | None = None) -> list[float]:
    """Train a model on the sentences `ids`, (N, L); return its held-out loss after every 25 steps.

    Examples
    --------
    >>> french = language.corpus()
    >>> len(learn(build(TODAY, sizes(8)), french.ids["train"][:40], seed=0, stop_after=50))
    2
    """
    french, looks = language.corpus(), []

    def look(step: int) -> None:
        if (step + 1) % LOOK_EVERY == 0:
            looks.append(round(language.held_out_loss(model, french.ids["val"]), 4))

    language.train(model, ids, steps=STEPS, seed=seed, stop_after=stop_after, after_step=look)
    return looks


def by_size(
    d_model: int,
    n_layers: int,
    seed: int,
    learning_rate: float = language.LEARNING_RATE,
    steps: int = STEPS,
) -> dict[str, Any]:
    """Train a decoder on all sentences, 19,200 drawn in 600 steps; return its parameters and its held-out loss."""
    model = build(TODAY, sizes(d_model, n_layers), seed)
    ids = language.corpus().ids["train"]
    language.train(model, ids, steps=steps, learning_rate=learning_rate, seed=seed)
    held_out = language.held_out_loss(model, language.corpus().ids["val"])
    return {"parameters": n_parameters(model), "val": round(held_out, 4)}


def by_sentences(n: int, seed: int, d_model: int = 48, stop_after: int | None = None) -> dict[str, Any]:
    """Train a decoder on `n` sentences, drawn anew for each seed; return what each look at the held-out ones found."""
    ids = language.corpus().ids["train"]
    drawn = ids[torch.randperm(len(ids), generator=torch.Generator().manual_seed(seed))[:n]]
    return {"looks": learn(build(TODAY, sizes(d_model), seed), drawn, seed, stop_after)}


def stored() -> dict[str, Any]:
    """Read what the trainings gave, by name and seed.

    Examples
    --------
    >>> sorted(stored()["width 48"]["0"])
    ['parameters', 'val']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def against_parameters(record: dict[str, Any]) -> tuple[list[int], np.ndarray[Any, Any]]:
    """Return the numbers of parameters, (n,), and the held-out losses, (n_seeds, n), of the decoders of each width."""
    rows = [record[f"width {d}"] for d in WIDTHS]
    losses = [[row[str(seed)]["val"] for row in rows] for seed in SEEDS]
    return [row["0"]["parameters"] for row in rows], np.array(losses)


def against_sentences(record: dict[str, Any]) -> tuple[list[int], np.ndarray[Any, Any]]:
    """Return the numbers of sentences, (n,), and the best held-out loss on the way, (n_seeds, n)."""
    losses = [[min(record[f"{n} sentences"][str(seed)]["looks"]) for n in SENTENCES] for seed in SEEDS]
    return list(SENTENCES), np.array(losses)


def trainings() -> dict[str, Any]:
    """Return every training by its name: a function of the seed."""
    shapes = {f"width {d}": (d, 3) for d in WIDTHS} | SHAPES
    found: dict[str, Any] = {
        name: lambda seed, shape=shape: by_size(shape[0], shape[1], seed) for name, shape in shapes.items()
    }
    for d, rate in RATES.items():
        found[f"width {d} at {rate}"] = lambda seed, d=d, rate=rate: by_size(d, 3, seed, rate)
    for d in LONGER:
        found[f"width {d}, {2 * STEPS} steps"] = lambda seed, d=d: by_size(d, 3, seed, steps=2 * STEPS)
    found[f"{FEW} sentences, width {WIDE}"] = lambda seed: by_sentences(FEW, seed, WIDE)
    return found | {f"{n} sentences": lambda seed, n=n: by_sentences(n, seed) for n in SENTENCES}


def main(names: Sequence[str] = ()) -> None:
    """Carry out the trainings that the record lacks, or those named, and write each down as it ends."""
    record = stored() if RECORD.exists() else {}
    for seed in SEEDS:
        for name, training in trainings().items():
            if (names and name not in names) or (not names and str(seed) in record.get(name, {})):
                continue
            found = training(seed)
            record.setdefault(name, {})[str(seed)] = found
            with atomic_path(RECORD) as temporary:
                temporary.write_text(json.dumps(record) + "\n", encoding="utf-8")
            told = found.get("val") or min(found["looks"])
            print(f"{name}, seed {seed}: {told}, {time.process_time():.0f} s", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1:])
