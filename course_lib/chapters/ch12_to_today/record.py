"""What each switch buys, for three seeds: trained once, in `record.json`.

`python -m course_lib.chapters.ch12_to_today.record` does it again, in about a quarter of an hour on one core; some of
its parts, with their names behind it: `ladder`, `rates`, `copied`.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from course_lib.chapters.ch12_to_today import language
from course_lib.chapters.ch12_to_today.switches import (
    CHANGES,
    TODAY,
    Sizes,
    Switches,
    build,
    cache_bytes,
    ladder,
    n_parameters,
)
from course_lib.files import atomic_path

RECORD = Path(__file__).with_suffix(".json")
SIZES = Sizes(n_vocab=language.N_VOCAB, d_model=48, n_heads=4, d_ff=192, n_layers=3)
SEEDS = (0, 1, 2)
RATES = (1e-3, 3e-3, 3e-2)  # and the 1e-2 of all others
RATED = ("2017", "pre-norm", "grouped queries", "QK-norm")


def run(
    switches: Switches,
    seed: int,
    sizes: Sizes = SIZES,
    stop_after: int | None = None,
    copied: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Train one model; return its losses on sentences held out and on longer ones, and in training.

    With `copied`, an output matrix of its own begins as a copy of the embeddings.

    Returns
    -------
    dict
        "val" and "longer", nats a token; "curve", means over 20 steps.
    """
    french = language.corpus()
    model = build(switches, sizes, seed)
    if copied:
        model.output.load_state_dict(model.embedding.tokens.state_dict())
    losses = language.train(model, french.ids["train"], seed=seed, stop_after=stop_after, **options)
    curve = torch.tensor(losses[: len(losses) // 20 * 20]).reshape(-1, 20).mean(dim=1)
    found: dict[str, Any] = {"curve": [round(x, 4) for x in curve.tolist()]}
    if stop_after is None:
        for part in ("val", "longer"):
            found[part] = round(language.held_out_loss(model, french.ids[part]), 4)
    return found


def rungs(names: Sequence[str] | None = None, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """Train each model for each seed: name → "parameters", "cache" in bytes a token, "val", "longer", "curve"."""
    found: dict[str, Any] = {}
    for name, switches in ladder().items():
        if names is not None and name not in names:
            continue
        runs = [run(switches, seed) for seed in seeds]
        heads = switches.n_kv_heads or SIZES.n_heads
        found[name] = {
            "parameters": n_parameters(build(switches, SIZES)),
            "cache": cache_bytes(SIZES.n_layers, heads, SIZES.d_model // SIZES.n_heads),
            **{what: [each[what] for each in runs] for what in ("val", "longer", "curve")},
        }
        print(name, found[name]["val"], found[name]["longer"], flush=True)
    return found


def rates(names: Sequence[str] = RATED, seeds: Sequence[int] = (0,)) -> dict[str, Any]:
    """Train some models at several learning rates: name → loss on sentences held out, (n_rates, n_seeds)."""
    found: dict[str, Any] = {"rates": list(RATES), **{name: [] for name in names}}
    for rate in RATES:
        for name in names:
            found[name].append([run(ladder()[name], seed, learning_rate=rate)["val"] for seed in seeds])
            print(name, rate, found[name][-1], flush=True)
    return found


def copied(seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """Train today's model with an output matrix that begins as a copy of the embeddings: "val" and so on, as above.

    At first it computes what a tied model does, so that what it gains is due to the second matrix, not to its start.
    """
    runs = [run(TODAY, seed, copied=True) for seed in seeds]
    return {what: [each[what] for each in runs] for what in ("val", "longer", "curve")}


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "ladder": rungs,
    "rates": rates,
    "copied": copied,
}


def stored() -> dict[str, Any]:
    """Read what the parts gave.

    Examples
    --------
    >>> sorted(stored())
    ['copied', 'ladder', 'rates']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def by_rate(record: Mapping[str, Any]) -> tuple[list[float], dict[str, list[float]]]:
    """Return learning rates, and of some models the losses on sentences held out, seed 0; one is from the ladder."""
    rates = sorted([*RATES, language.LEARNING_RATE])
    at = rates.index(language.LEARNING_RATE)
    losses = {name: [row[0] for row in record["rates"][name]] for name in RATED}
    for name, row in losses.items():
        row.insert(at, record["ladder"][name]["val"][0])
    return rates, losses


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name: medians over the seeds.

    `val_rotary` and `longer_rotary` are losses after that switch, `gap_rotary` their distance in a seed,
    `by_rotary` what the switch changes beside the row above, `spread_rotary` the largest distance of two seeds;
    `parameters_rotary` and `cache_rotary` are counts. `val_copied` is the loss of `copied`, `rate_2017_3`
    that at the fourth learning rate, from 0.

    Examples
    --------
    >>> 0 < told(stored())["val_2017"] < 6
    True
    """
    numbers: dict[str, float] = {}
    before = None
    for name, row in record["ladder"].items():
        slug = name.replace(" ", "_").replace("-", "_")
        for what in ("val", "longer"):
            numbers[f"{what}_{slug}"] = float(np.median(row[what]))
        numbers[f"gap_{slug}"] = float(np.median(np.subtract(row["longer"], row["val"])))
        numbers[f"spread_{slug}"] = max(row["val"]) - min(row["val"])
        numbers |= {f"{what}_{slug}": row[what] for what in ("parameters", "cache")}
        if before is not None and name in CHANGES:
            numbers[f"by_{slug}"] = numbers[f"val_{slug}"] - before
        before = numbers[f"val_{slug}"]
    numbers["val_copied"] = float(np.median(record["copied"]["val"]))
    for name, losses in by_rate(record)[1].items():
        for i, loss in enumerate(losses):
            numbers[f"rate_{name.replace(' ', '_').replace('-', '_')}_{i}"] = loss
    return numbers


if __name__ == "__main__":
    torch.set_num_threads(1)
    whole = stored() if RECORD.exists() else {}
    for part in sys.argv[1:] or PARTS:
        names = list(ladder()) if part == "ladder" else [None]
        for name in names:  # a rung at a time, since all of them take long
            found = PARTS[part]() if name is None else rungs([name])
            whole[part] = {**whole.get(part, {}), **found}
            with atomic_path(RECORD) as temporary:
                temporary.write_text(json.dumps(whole) + "\n", encoding="utf-8")
        print(part, round(time.process_time()), "seconds", flush=True)
