"""What a word costs in writing: multiply-adds, operations and time of a step, of models of two widths.

What weights a model has makes no difference, so none is trained. `python -m
course_lib.chapters.ch10_translation.steps` measures all again and writes `steps.json`, in a minute.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from course_lib.chapters.ch10_translation.hard_test import MODELS as MODEL_NAMES
from course_lib.chapters.ch10_translation.hard_test import Table
from course_lib.chapters.ch10_translation.runs import load_record, machine
from course_lib.chapters.fit import seeded
from course_lib.fast import DecodingState, prepare, start_decoding
from course_lib.files import atomic_path
from course_lib.special_ids import BOS_ID
from course_lib.translator import MODELS

RECORD = Path(__file__).with_suffix(".json")
RESULTS = Path(__file__).resolve().parents[3] / "results"  # whose records name the shapes
NAMES = ("transformer", "gru-attention", "gru")
N_VOCAB, N_SOURCE, N_WRITTEN = (
    3063,
    7,
    20,
)  # tokens of the course's corpus, of the source, and written for a time
SIZES = (1, 8, 64)  # sentences at a time
NARROW = 4  # how many times narrower than the trained ones the other models are
REPEATS = 25


class _Operations(TorchDispatchMode):
    """Counts the operations that PyTorch is asked for."""

    count = 0

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += 1
        return operation(*args, **(kwargs or {}))


def built(results: Path, name: str, narrower: int = 1) -> Any:
    """Build the model of a run, with random weights, ready to write.

    Parameters
    ----------
    results : Path
        The folder of records, which name the shapes.
    name : str
        A run on the course's own corpus without its seed, such as "gru-attention".
    narrower : int
        By how much its widths are divided.

    Examples
    --------
    >>> built(Path(__file__).parents[3] / "results", "transformer", narrower=4).config.d_model
    32
    """
    run = load_record(results, f"embedded/{name}-0")["run"]
    config_class, model_class = MODELS[run["model"]]
    config = config_class(N_VOCAB, N_VOCAB, tie="three-way", **run["shape"])
    widths = {
        width: getattr(config, width) // narrower
        for width in ("d_model", "d_ff", "d_hidden")
        if hasattr(config, width)
    }
    with seeded(0):
        model = model_class(config_class(N_VOCAB, N_VOCAB, tie="three-way", **(run["shape"] | widths)))
    return prepare(model.eval()).model.eval()


def _begun(model: Any, size: int, n_written: int) -> tuple[DecodingState, torch.Tensor]:
    """Let a model read so many sentences and write so many words of each; return its state and the last words."""
    source = torch.randint(5, N_VOCAB, (size, N_SOURCE), generator=torch.Generator().manual_seed(0))
    state, tokens = start_decoding(model, source), torch.full((size,), BOS_ID)
    for _ in range(n_written):
        tokens = state.step(tokens).argmax(dim=-1)
    return state, tokens


@torch.no_grad()
def counted(model: Any) -> dict[str, int]:
    """Count what one step of one sentence costs, behind ten words.

    Returns
    -------
    dict
        "multiply-adds", of all products of matrices; "operations", how often PyTorch is asked for something.

    Examples
    --------
    >>> sorted(counted(built(Path(__file__).parents[3] / "results", "gru", narrower=4)))
    ['multiply-adds', 'operations']
    """
    state, tokens = _begun(model, 1, 10)
    with FlopCounterMode(display=False) as arithmetic:
        tokens = state.step(tokens).argmax(dim=-1)
    with _Operations() as operations:
        state.step(tokens)
    return {"multiply-adds": arithmetic.get_total_flops() // 2, "operations": operations.count}


@torch.no_grad()
def timed(models: Mapping[str, Any], size: int, repeats: int = REPEATS) -> dict[str, float]:
    """Measure microseconds of the processor a token, with so many sentences at a time.

    The models take turns, and of each the fastest counts.

    Examples
    --------
    >>> found = timed({"GRU": built(Path(__file__).parents[3] / "results", "gru", narrower=4)}, 1, repeats=1)
    >>> found["GRU"] > 0
    True
    """
    seconds: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(repeats):
        for name, model in models.items():
            start = time.process_time()
            _begun(model, size, N_WRITTEN)
            seconds[name].append(time.process_time() - start)
    return {name: 1e6 * min(found) / (size * N_WRITTEN) for name, found in seconds.items()}


def measured(results: Path, names: Sequence[str] = NAMES, repeats: int = REPEATS) -> dict[str, Any]:
    """Count and time the models of some runs, as wide as they are and `NARROW` times narrower."""
    widths = {"as wide": 1, "narrow": NARROW}
    models = {
        (name, width): built(results, name, narrower) for name in names for width, narrower in widths.items()
    }
    by_size = [
        timed({f"{name} {width}": m for (name, width), m in models.items()}, n, repeats) for n in SIZES
    ]
    return {
        name: {
            width: counted(models[name, width])
            | {"microseconds": [float(f"{found[f'{name} {width}']:.4g}") for found in by_size]}
            for width in widths
        }
        for name in names
    }


def stored() -> dict[str, Any]:
    """Read what `measured` gave.

    Examples
    --------
    >>> sorted(stored()["models"])
    ['gru', 'gru-attention', 'transformer']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that sentences name.

    `millions_<model>`: multiply-adds of a step; `operations_<model>`; `work_left`: the multiply-adds of the narrow
    Transformer, as a share of the other's; `left_1`, `left_64`: its time, as a share of the other's, with so many
    sentences at a time; `each_low`, `each_high`: microseconds an operation of the narrow models, with one sentence.

    Examples
    --------
    >>> numbers = told(stored())
    >>> numbers["left_1"] > numbers["left_64"] > numbers["work_left"]
    True
    """
    found: dict[str, float] = {}
    for name, widths in record["models"].items():
        model = name.replace("-", "_")
        found[f"millions_{model}"] = widths["as wide"]["multiply-adds"] / 1e6
        found[f"operations_{model}"] = widths["as wide"]["operations"]
    wide, narrow = (record["models"]["transformer"][width] for width in ("as wide", "narrow"))
    found["work_left"] = narrow["multiply-adds"] / wide["multiply-adds"]
    for i, size in enumerate(record["batch_sizes"]):
        found[f"left_{size}"] = narrow["microseconds"][i] / wide["microseconds"][i]
    each = [m["narrow"]["microseconds"][0] / m["narrow"]["operations"] for m in record["models"].values()]
    found["each_low"], found["each_high"] = min(each), max(each)
    return found


def table() -> Table:
    """Tabulate what is stored: a row for each model and width."""
    record = stored()
    head = ("a step in writing", "multiply-adds", "operations", *(f"µs, {n} at a time" for n in SIZES))
    rows = tuple(
        (
            MODEL_NAMES[name] + (f", {NARROW} times narrower" if width == "narrow" else ""),
            f"{found['multiply-adds']:,}",
            f"{found['operations']}",
            *(f"{x:.0f}" for x in found["microseconds"]),
        )
        for width in ("as wide", "narrow")
        for name, widths in record["models"].items()
        for found in (widths[width],)
    )
    return Table(head, rows)


if __name__ == "__main__":
    torch.set_num_threads(1)
    new = {
        "command": "python -m course_lib.chapters.ch10_translation.steps",
        "machine": machine(torch.device("cpu")),
        "finished": time.strftime("%Y-%m-%d", time.gmtime()),
        "batch_sizes": SIZES,
        "models": measured(RESULTS),
    }
    with atomic_path(RECORD) as temporary:
        temporary.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")
