"""What ten seeds gave, and what came of models with one layer: stored in `record.json`.

`python -m course_lib.chapters.ch14_looking_inside.record` does it again, in a minute on one core.
"""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from course_lib.chapters.ch14_looking_inside import induction
from course_lib.files import atomic_path

RECORD = Path(__file__).with_suffix(".json")
SEEDS, FEW = range(10), range(3)
EVERY = 20  # steps, of a curve's points


def course(seed: int, steps: int = induction.STEPS, n_layers: int = 2) -> dict[str, Any]:
    """Train one model; tell how it goes, and what becomes of it without each of its heads.

    Returns
    -------
    dict
        "losses", means over `EVERY` steps; "before" and "after", as `induction.looks`, for each layer (H,); "right",
        the share of known words that the trained model names on new texts; "without", the share without each single
        head, for each layer (H,); "seconds", of one core, for training.
    """
    model = induction.untrained(seed, n_layers=n_layers)
    start = time.process_time()
    losses = induction.train(model, range(steps), seed)
    seconds = time.process_time() - start
    ids, known = induction.unseen_texts()
    found = induction.looks(model, ids, known)
    return {
        "losses": losses.reshape(-1, EVERY).mean(axis=1).round(4).tolist(),
        "before": [heads.numpy().round(4).tolist() for heads in found.before],
        "after": [heads.numpy().round(4).tolist() for heads in found.after],
        "right": round(induction.right(model, ids, known), 4),
        "without": [
            [round(induction.right(model, ids, known, [(layer, head)]), 4) for head in range(len(heads))]
            for layer, heads in enumerate(found.after)
        ],
        "seconds": round(seconds, 1),
    }


def stored() -> dict[str, Any]:
    """Read what the seeds gave, with two layers ("seeds") and with one ("one_layer").

    Examples
    --------
    >>> sorted(stored())
    ['one_layer', 'seeds']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def without(runs: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """Return the shares of known words that each run's model names, whole and without one of its heads.

    Examples
    --------
    >>> list(without(stored()["seeds"]))[:3]
    ['no head', 'the induction head', 'head 0 of layer 0']
    """
    shares = {"no head": [run["right"] for run in runs]}
    shares["the induction head"] = [run["without"][1][0] for run in runs]
    for head in range(4):
        shares[f"head {head} of layer 0"] = [run["without"][0][head] for run in runs]
    return shares


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name.

    Of the ten seeds: `lowest`, the smallest share of known words named; `seconds`, of the slowest; `after_low`, the
    smallest share of its weight that the induction head gives to the word after, and `first_layer`, the largest of any
    head of layer 0; `gone`, the largest share of words named without the induction head; `control_low`, the smallest
    without a head of layer 0, and `control`, the median. Of models of one layer `one_layer`, the largest share named.

    Examples
    --------
    >>> told(stored())["lowest"] > 0.9
    True
    """
    runs = record["seeds"]
    controls = sorted(share for run in runs for share in run["without"][0])
    return {
        "lowest": min(run["right"] for run in runs),
        "seconds": max(run["seconds"] for run in runs),
        "after_low": min(run["after"][1][0] for run in runs),
        "first_layer": max(max(run["after"][0]) for run in runs),
        "gone": max(run["without"][1][0] for run in runs),
        "control_low": controls[0],
        "control": controls[len(controls) // 2],
        "one_layer": max(run["right"] for run in record["one_layer"]),
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    whole = {
        "seeds": [course(seed) for seed in SEEDS],
        "one_layer": [course(seed, n_layers=1) for seed in FEW],
    }
    with atomic_path(RECORD) as temporary:
        temporary.write_text(json.dumps(whole) + "\n", encoding="utf-8")
    print(told(whole))
