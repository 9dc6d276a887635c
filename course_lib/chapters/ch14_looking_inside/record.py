"""What ten seeds gave, and what came of other models and of another training: stored in `record.json`.

`python -m course_lib.chapters.ch14_looking_inside.record` does it again, in ten minutes on one core.
"""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from course_lib.chapters.ch14_looking_inside import induction
from course_lib.files import atomic_path

RECORD = Path(__file__).with_suffix(".json")
SEEDS, FEW = range(10), range(3)
EVERY = 16  # steps, of a curve's points
LONG = 6 * induction.STEPS  # of models without positions, and of one layer
LATEST = 12  # where the first round begins at most, in the other training
# Of 2 to 23: no training text, of rounds of 5 to 12 words, has a word that comes again after so many.
UNSEEN_DISTANCES = [d for d in range(2, 24) if all(d % r for r in range(induction.SHORTEST, 13))]
EARLY = 9  # places, at which copying over these distances is measured


def course(
    seed: int,
    steps: int = induction.STEPS,
    n_layers: int = 2,
    *,
    position: str = "learned",
    latest: int = 0,
) -> dict[str, Any]:
    """Train one model; tell how it goes, and what becomes of it without its heads.

    `n_layers` and `position` are those of `induction.untrained`, `latest` that of `induction.train`.

    Returns
    -------
    dict
        "losses", means over `EVERY` steps; "before" and "after", as `induction.looks`, for each layer (H,); "right",
        the share of known words that the trained model names on new texts; "without", the share without each single
        head, for each layer (H,), and "without_layer_0", without all heads of it; "averaged"
        and "averaged_layer_0", the same with averages in place of zeros; "in_text", how often it names any word of the
        text without layer 0, and without the last layer; "by_place" (22,), how often it copies
        the word after one that stands at each place, over all distances of `induction.copied`, and "unseen_distances",
        over those and from the first places alone; "seconds", of one core, for training.
    """
    model = induction.untrained(seed, n_layers=n_layers, position=position)
    start = time.process_time()
    losses = induction.train(model, range(steps), seed, latest)
    seconds = time.process_time() - start
    ids, known = induction.unseen_texts()
    found = induction.looks(model, ids, known)
    layer_0 = [(0, head) for head in range(len(found.after[0]))]
    copied = induction.copied(model)
    return {
        "losses": losses.reshape(-1, EVERY).mean(axis=1).round(4).tolist(),
        "before": [heads.numpy().round(4).tolist() for heads in found.before],
        "after": [heads.numpy().round(4).tolist() for heads in found.after],
        "right": round(induction.right(model, ids, known), 4),
        "without": [
            [round(induction.right(model, ids, known, [(layer, head)]), 4) for head in range(len(heads))]
            for layer, heads in enumerate(found.after)
        ],
        "without_layer_0": round(induction.right(model, ids, known, layer_0), 4),
        "averaged": [
            [
                round(induction.right(model, ids, known, [(layer, head)], averaged=True), 4)
                for head in range(len(heads))
            ]
            for layer, heads in enumerate(found.after)
        ],
        "averaged_layer_0": round(induction.right(model, ids, known, layer_0, averaged=True), 4),
        "in_text": [
            round(induction.in_text(model, ids, known, without), 4)
            for without in (layer_0, [(len(found.after) - 1, head) for head in range(len(found.after[-1]))])
        ],
        "by_place": np.nanmean(copied[2:, :22], axis=0).round(4).tolist(),
        "unseen_distances": round(float(np.nanmean(copied[UNSEEN_DISTANCES, :EARLY])), 4),
        "seconds": round(seconds, 1),
    }


def stored() -> dict[str, Any]:
    """Read what the seeds gave: two layers ("seeds"), two that trained twice as long ("twice"), and two that read texts
    in which the first round begins later ("later", and twice as long "later_twice"); one layer ("one_layer", and six
    times as long "one_layer_long"); two and three without positions ("two_bare", "three_bare").

    Examples
    --------
    >>> len(stored()["seeds"]), sorted(stored())[:2]
    (10, ['later', 'later_twice'])
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


REMOVED = ("nothing removed", "one head of layer 0", "all of layer 0", "the head of layer 1")


def removed(runs: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[np.float64]]:
    """Return what each run's model names of the known words without some of its heads, in per cent.

    Of the single heads of layer 0 the one counts that is missed most.

    Returns
    -------
    dict
        "zeros" and "averages", what the heads put out instead: each (n_runs, 4), in the order of `REMOVED`.

    Examples
    --------
    >>> removed(stored()["seeds"])["zeros"].shape
    (10, 4)
    """
    return {
        name: 100
        * np.array(
            [[run["right"], min(run[kind][0]), run[f"{kind}_layer_0"], run[kind][1][0]] for run in runs]
        )
        for name, kind in {"zeros": "without", "averages": "averaged"}.items()
    }


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name.

    Of the ten seeds: `lowest`, the smallest share of known words named; `seconds`, of the slowest; `after_low`, the
    smallest share of its weight that the induction head gives to the word after, and `first_layer`, the largest of any
    head of layer 0; `before_low` and `before_high`, what these give to the word before; `gone` and `no_layer_0`, the
    largest share of words named without a layer's heads; `control_low`, the smallest without a head of layer 0;
    `averaged`, by how much averages change any of these shares at most; `text_left`, how often a word of the text is
    named without layer 0, the smallest, and `text_lost`, without the head of layer 1, the largest; `unseen_distances`,
    the lowest; `at_11_low` and `at_11_high` of place 11; `from_12`, the largest of any place from 12 on; `twice_11` and
    `twice_12`, the same, smallest and largest, of those that trained twice as long. Of the other training `later`, the
    smallest of places 12 to 15, `later_0`, of place 0, and `later_16`, the largest from place 16 on; trained twice as
    long `longer_16`, the smallest at place 16, and `longer_17`, the largest from 17 on. Of models of one layer
    `one_layer`, the largest share named, and `one_layer_long`; of those without positions `bare_2` and `bare_3`, the
    smallest, and `bare_2_high`, the largest.

    Examples
    --------
    >>> told(stored())["lowest"] > 0.9
    True
    """
    runs = record["seeds"]
    shares = removed(runs)
    return {
        "lowest": min(run["right"] for run in runs),
        "seconds": max(run["seconds"] for run in runs),
        "after_low": min(run["after"][1][0] for run in runs),
        "first_layer": max(max(run["after"][0]) for run in runs),
        "before_low": min(min(run["before"][0]) for run in runs),
        "before_high": max(max(run["before"][0]) for run in runs),
        "gone": max(run["without"][1][0] for run in runs),
        "control_low": min(min(run["without"][0]) for run in runs),
        "no_layer_0": max(run["without_layer_0"] for run in runs),
        "averaged": float(np.abs(shares["zeros"] - shares["averages"]).max()) / 100,
        "text_left": min(run["in_text"][0] for run in runs),
        "text_lost": max(run["in_text"][1] for run in runs),
        "unseen_distances": min(run["unseen_distances"] for run in runs),
        "at_11_low": min(run["by_place"][11] for run in runs),
        "at_11_high": max(run["by_place"][11] for run in runs),
        "twice_11": min(run["by_place"][11] for run in record["twice"]),
        "twice_12": max(max(run["by_place"][12:]) for run in record["twice"]),
        "later_0": min(run["by_place"][0] for run in record["later"]),
        "later_16": max(max(run["by_place"][16:]) for run in record["later"]),
        "longer_16": min(run["by_place"][16] for run in record["later_twice"]),
        "longer_17": max(max(run["by_place"][17:]) for run in record["later_twice"]),
        "one_layer_long": max(run["right"] for run in record["one_layer_long"]),
        "from_12": max(max(run["by_place"][12:]) for run in runs),
        "later": min(min(run["by_place"][12:16]) for run in record["later"]),
        "one_layer": max(run["right"] for run in record["one_layer"]),
        "bare_2": min(run["right"] for run in record["two_bare"]),
        "bare_2_high": max(run["right"] for run in record["two_bare"]),
        "bare_3": min(run["right"] for run in record["three_bare"]),
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    whole = {
        "seeds": [course(seed) for seed in SEEDS],
        "one_layer": [course(seed, n_layers=1) for seed in FEW],
        "one_layer_long": [course(seed, LONG, n_layers=1) for seed in FEW],
        "two_bare": [course(seed, LONG, position="none") for seed in FEW],
        "three_bare": [course(seed, LONG, n_layers=3, position="none") for seed in FEW],
        "twice": [course(seed, 2 * induction.STEPS) for seed in FEW],
        "later": [course(seed, 2 * induction.STEPS, latest=LATEST) for seed in FEW],
        "later_twice": [course(seed, 4 * induction.STEPS, latest=LATEST) for seed in FEW],
    }
    with atomic_path(RECORD) as temporary:
        temporary.write_text(json.dumps(whole) + "\n", encoding="utf-8")
    print(told(whole))
