"""What ten seeds gave, and what came of models with one layer: stored in `record.json`.

`python -m course_lib.chapters.ch14_looking_inside.record` does it again, in some minutes on one core; some of its parts
with their names behind it: `seeds`, `one_layer`.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from course_lib.chapters.ch14_looking_inside import induction
from course_lib.files import atomic_path

RECORD = Path(__file__).with_suffix(".json")
SEEDS, FEW = range(10), range(3)
EVERY = 20  # steps, of a curve's points


def course(seed: int, steps: int = induction.STEPS, **options: Any) -> dict[str, Any]:
    """Train one model; tell how it goes, and what becomes of it without its induction heads or others.

    Returns
    -------
    dict
        "known" and "new", losses, means over `EVERY` steps; "after" and "before", as `induction.looks`, (layers, H);
        "right", the share of known words that the trained model names on new texts; "heads", its induction heads;
        "each", the share without each single head, (layers, H); "without" all induction heads; "control", without all
        other heads of their layers; "seconds", of one core, for training.
    """
    model = induction.untrained(seed, **options)
    start = time.process_time()
    curve = induction.train(model, range(steps), seed)
    seconds = time.process_time() - start
    ids, known = induction.unseen_texts()
    found = induction.looks(model, ids, known)
    heads = induction.induction_heads(found.after)
    layers = sorted({layer for layer, _ in heads})
    n_layers, n_heads = found.after.shape
    others = [(layer, head) for layer in layers for head in range(n_heads) if (layer, head) not in heads]
    means = curve.reshape(-1, EVERY, 2).mean(axis=1).T

    def right(without: Sequence[tuple[int, int]] = ()) -> float:
        return round(induction.right(model, ids, known, without), 4)

    told = {
        "known": means[0].round(4).tolist(),
        "new": means[1].round(4).tolist(),
        "before": found.before.numpy().round(4).tolist(),
        "after": found.after.numpy().round(4).tolist(),
        "right": right(),
        "heads": heads,
        "each": [[right([(layer, head)]) for head in range(n_heads)] for layer in range(n_layers)],
        "without": right(heads),
        "control": right(others),
        "n_control": len(others),
        "seconds": round(seconds, 1),
    }
    print(seed, options, told["right"], heads, told["without"], told["control"], told["seconds"], flush=True)
    return told


def seeds(numbers: Sequence[int] = SEEDS, steps: int = induction.STEPS) -> list[dict[str, Any]]:
    """Train two layers, once for each seed."""
    return [course(seed, steps) for seed in numbers]


def one_layer(numbers: Sequence[int] = FEW, steps: int = induction.STEPS) -> list[dict[str, Any]]:
    """Train a single layer, once for each seed."""
    return [course(seed, steps, n_layers=1) for seed in numbers]


PARTS: dict[str, Callable[[], Any]] = {
    "seeds": seeds,
    "one_layer": one_layer,
}


def stored() -> dict[str, Any]:
    """Read what the parts gave.

    Examples
    --------
    >>> sorted(stored())
    ['one_layer', 'seeds']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def without(runs: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """Return the shares of known words that each run's model names: whole, and without some of its heads.

    Examples
    --------
    >>> list(without(stored()["seeds"]))
    ['nothing removed', 'the best induction head', 'all induction heads', 'all others in layer 1']
    """
    return {
        "nothing removed": [run["right"] for run in runs],
        "the best induction head": [
            run["each"][1][max(range(len(run["after"][1])), key=run["after"][1].__getitem__)] for run in runs
        ],
        "all induction heads": [run["without"] for run in runs],
        "all others in layer 1": [run["control"] for run in runs],
    }


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name.

    Of the ten seeds: `n_good`, how many name more than 0.9 of the known words; `lowest`, the smallest share; `seconds`,
    of the slowest; `first_layer`, the largest share that a head of layer 0 gives to the word after; `fewest` and `most`
    induction heads; `gone`, the largest share of words named without them; `control`, the smallest without the others;
    `best_low` and `best_high`, the range without the best induction head; `no_control`, seeds that have no other head.
    Of models of one layer `one_layer`, the largest share of known words named.

    Examples
    --------
    >>> told(stored())["lowest"] > 0.5
    True
    """
    runs = record["seeds"]
    best = without(runs)["the best induction head"]
    return {
        "n_good": sum(run["right"] > 0.9 for run in runs),
        "lowest": min(run["right"] for run in runs),
        "seconds": max(run["seconds"] for run in runs),
        "first_layer": max(max(run["after"][0]) for run in runs),
        "fewest": min(len(run["heads"]) for run in runs),
        "most": max(len(run["heads"]) for run in runs),
        "gone": max(run["without"] for run in runs),
        "control": min(run["control"] for run in runs),
        "no_control": sum(run["n_control"] == 0 for run in runs),
        "best_low": min(best),
        "best_high": max(best),
        "one_layer": max(run["right"] for run in record["one_layer"]),
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    whole = stored() if RECORD.exists() else {}
    for part in sys.argv[1:] or PARTS:
        whole[part] = PARTS[part]()
        with atomic_path(RECORD) as temporary:
            temporary.write_text(json.dumps(whole) + "\n", encoding="utf-8")
        print(part, round(time.process_time()), "seconds", flush=True)
