"""Sequences longer than trained on: readers with each kind of positions, trained on 4 to 16 words, tested up to 256.

What came out for some seeds is in `lengths.json`; `python -m course_lib.chapters.ch06_positional_encoding.lengths`
trains them again, in some minutes.
"""

import copy
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from course_lib.chapters.ch06_positional_encoding.positions import (
    IGNORED,
    Reader,
    accuracy,
    accuracy_by_position,
    average_weights,
    untrained,
    within,
    word_before,
)
from course_lib.chapters.fit import fit
from course_lib.files import atomic_path

RECORD = Path(__file__).with_suffix(".json")
SHORTEST, LONGEST = 4, 16  # words of a sequence in training
LENGTHS = (16, 32, 64, 128, 256)  # and in the test
REACH = LONGEST - 1  # the largest distance that training has shown
SHORT, LONG = 300, 600  # steps
PACE = 9  # times as many for random starts, which show the reader 256 positions instead of 16
N_SEEDS, MAIN = (
    3,
    {"learned": 5, "sinusoidal": 5, "rotary": 5},
)  # seeds; of the three that the chapter compares
KINDS: dict[str, dict[str, Any]] = {
    "rotary": {"positions": "rotary"},
    "sinusoidal": {"positions": "sinusoidal"},
    "learned": {"positions": "learned"},
    "sinusoidal, appended": {"positions": "sinusoidal", "mode": "append", "d": 16},  # as wide: 16 + 16
    "no positions": {},
    "sinusoidal, random start": {"positions": "sinusoidal", "starts": LENGTHS[-1] - LONGEST + 1},
    "Shaw": {"relative": "Shaw"},
    "learned, random start": {"positions": "learned", "starts": LENGTHS[-1] - LONGEST + 1},
    "T5": {"relative": "T5"},
    "ALiBi": {"relative": "ALiBi"},
    "sinusoidal, as long": {"positions": "sinusoidal", "pace": PACE},  # the control of the random starts
}


def _at(moments: Mapping[int, Any], steps: int) -> Iterator[int]:
    """Count the steps, and call what belongs to the end of some."""
    for step in range(steps):
        yield step
        if step + 1 in moments:
            moments[step + 1]()


def shares_by_length(reader: Reader, *, n_words: int = 6_400) -> list[list[float]]:
    """Return the share of right answers at each of `LENGTHS`: with all keys, and with those beyond `REACH` hidden.

    Examples
    --------
    >>> len(shares_by_length(untrained(word_before(4, 4), 0, max_length=256), n_words=256))
    2
    """
    tasks = [(word_before(length, length), n_words // length) for length in LENGTHS]
    return [
        [round(accuracy(reader, task, n=n, reach=reach), 4) for task, n in tasks] for reach in (None, REACH)
    ]


def by_place(reader: Reader, *, length: int = 64, n: int = 200) -> list[list[float]]:
    """Return the share of right answers at positions seen in training and at others, with all keys and with near ones.

    Returns
    -------
    list (2, 2)
        Rows: all keys, keys beyond `REACH` hidden. Columns: positions 1 … 15, positions 16 ….
    """
    task = word_before(length, length)
    rows = [accuracy_by_position(reader, task, n=n, reach=reach) for reach in (None, REACH)]
    return [[round(float(row[1:LONGEST].mean()), 4), round(float(row[LONGEST:].mean()), 4)] for row in rows]


def record(
    kinds: Sequence[str] = tuple(KINDS),
    n_seeds: int | None = None,
    short: int = SHORT,
    long: int = LONG,
    n_words: int = 6_400,
) -> dict[str, Any]:
    """Train readers of each kind, and test them after few steps and after many.

    Returns
    -------
    dict
        "right": kind → (2 moments, n_seeds, 2, n_lengths), `shares_by_length`;
        "by place": kind → (2 moments, n_seeds, 2, 2), `by_place`;
        "losses": kind → (n_seeds, n), means over 20 steps. Random starts take `PACE` times as many steps.
    """
    task = word_before(SHORTEST, LONGEST)
    found: dict[str, Any] = {"steps": [short, long], "right": {}, "by place": {}, "losses": {}}
    for kind in kinds:
        given = KINDS[kind]
        options = {"d": 32, "max_length": LENGTHS[-1], **given}
        starts = options.pop("starts", 1)
        pace = options.pop("pace", PACE if starts > 1 else 1)
        shares: list[list[Any]] = [[], []]
        places: list[list[Any]] = [[], []]
        losses = []
        for seed in range(n_seeds or MAIN.get(kind, N_SEEDS)):
            reader = untrained(task, seed, **options)

            def look(moment: int, reader: Reader = reader) -> None:
                shares[moment].append(shares_by_length(reader, n_words=n_words))  # noqa: B023 – called at once
                places[moment].append(by_place(reader, n=max(2, n_words // 64)))  # noqa: B023

            def loss(generator: torch.Generator, reader: Reader = reader) -> Tensor:
                words, before = task.draw(64, generator)
                start = int(torch.randint(starts, (1,), generator=generator)) if starts > 1 else 0  # noqa: B023
                return F.cross_entropy(
                    reader(words, start).flatten(0, 1), before.flatten(), ignore_index=IGNORED
                )

            steps = _at({pace * short: lambda: look(0), pace * long: lambda: look(1)}, pace * long)
            each = fit(reader, loss, steps, learning_rate=5e-3, seed=seed, clip=None)
            losses.append(each[: len(each) // 20 * 20].reshape(-1, 20).mean(axis=1).round(4).tolist())
        found["right"][kind], found["by place"][kind], found["losses"][kind] = shares, places, losses
    return found


@torch.no_grad()
def sharper(reader: Reader, factor: float) -> Reader:
    """Return a copy of a reader whose queries are longer by a factor, so that its attention is sharper.

    Examples
    --------
    >>> reader = untrained(word_before(4, 4), 0)
    >>> bool((sharper(reader, 2).block.attention.W_Q.weight == 2 * reader.block.attention.W_Q.weight).all())
    True
    """
    other = copy.deepcopy(reader)
    for parameter in other.block.attention.W_Q.parameters():
        parameter.mul_(factor)
    return other


def far_weight(reader: Reader, length: int, *, n: int = 20) -> float:
    """Return how much of its weight a word gives to keys beyond `REACH`, on average.

    Examples
    --------
    >>> far_weight(untrained(word_before(4, 4), 0), 16)
    0.0
    """
    weights = average_weights(reader, word_before(length, length), n=n)
    far = ~within(REACH, length).numpy()
    return float((weights * far).sum(axis=1).mean())


def stored() -> dict[str, Any]:
    """Read what `record` gave.

    Examples
    --------
    >>> stored()["steps"]
    [300, 600]
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def right(
    record: Mapping[str, Any], kind: str, *, near: bool = False, long: bool = True
) -> np.ndarray[Any, Any]:
    """Return the share of right answers of one kind, (n_seeds, n_lengths).

    Parameters
    ----------
    record : what the function `record` gave
    kind : one of `KINDS`
    near : bool
        Whether keys beyond `REACH` were hidden.
    long : bool
        After many steps, not after few.

    Examples
    --------
    >>> right(stored(), "rotary").shape
    (5, 5)
    """
    return np.array(record["right"][kind])[int(long), :, int(near)]


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name: medians over the seeds, by kind and length.

    `rotary_64` is the share of right answers on 64 words, `rotary_near_64` with far keys hidden, `rotary_short_64`
    after few steps; `rotary_low` and `rotary_high` end the range of the seeds on 256 words. `rotary_old` and
    `rotary_new` are shares in rows of 64 words, at positions that training has shown and at others. `rotary_loss_100`
    is the loss of steps 81 to 100, and `longer` what the second half of the training changes at most, of the three
    kinds that the chapter compares.

    Examples
    --------
    >>> 0 <= told(stored())["rotary_near_256"] <= 1
    True
    """
    found: dict[str, float] = {}
    for kind in record["right"]:
        name = kind.replace(",", "").replace(" ", "_").lower()
        for label, options in {"": {}, "_near": {"near": True}, "_short": {"long": False}}.items():
            shares = right(record, kind, **options)
            for i in (0, 2, 4):
                found[f"{name}{label}_{LENGTHS[i]}"] = float(np.median(shares[:, i]))
            found[f"{name}{label}_low"] = float(shares[:, -1].min())
            found[f"{name}{label}_high"] = float(shares[:, -1].max())
        found[f"{name}_loss_100"] = float(np.median([losses[4] for losses in record["losses"][kind]]))
        places = np.median(np.array(record["by place"][kind])[1], axis=0)  # (all or near, old or new)
        for (i, label), (j, place) in product(enumerate(("", "_near")), enumerate(("old", "new"))):
            found[f"{name}{label}_{place}"] = float(places[i, j])
    changes = [
        np.median(right(record, kind), axis=0) - np.median(right(record, kind, long=False), axis=0)
        for kind in MAIN
    ]
    found["longer"] = float(np.abs(changes).max())
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    whole: dict[str, Any] = {}
    for name in KINDS:
        for part, found in record([name]).items():
            whole[part] = found if part == "steps" else whole.get(part, {}) | found
        print(name, time.process_time(), flush=True)
        with atomic_path(RECORD) as temporary:
            temporary.write_text(json.dumps(whole) + "\n", encoding="utf-8")
