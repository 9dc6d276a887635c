"""What the hard test found: its records, as many as there are, as numbers and tables.

The test has 2,000 training pairs, an order-sensitive part beside the others, and three seeds; `results/README.md` says
how its runs are carried out. A run without a record is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.chapters.ch10_translation.order import WITHOUT_ORDER

SEEDS = (0, 1, 2)
MODELS = {  # runs, without their seed, and what they are called
    "transformer": "Transformer",
    "gru-attention": "GRU with attention",
    "gru": "GRU",
    "transformer-rotary": "Transformer, rotary",
    "transformer-random-starts": "Transformer, random starts",
    "transformer-learned": "Transformer, learned",
    "small-transformer": "small Transformer",
    "small-gru-attention": "small GRU with attention",
}
ABLATIONS = {
    "transformer": "whole",
    "transformer-no-positions": "no positions",
    "transformer-no-mask": "no mask",
    "transformer-no-feed-forward": "no feed-forward",
    "transformer-no-residual": "no residual",
    "transformer-one-head": "one head",
    "transformer-pooled-memory": "pooled encoder",
}
POSITIONS = {
    "transformer": "sinusoidal",
    "transformer-learned": "learned",
    "transformer-rotary": "rotary",
    "transformer-random-starts": "sinusoidal, random starts",
    "transformer-no-positions": "none",
}
MEASURES = {  # shares of 0 to 1, and what they are called
    "test": "test",
    "combinations": "new combinations",
    "longer": "longer",
    "prefers": "right order preferred",
    "both": "both orders exact",
}

Record = Mapping[str, Any]
Found = dict[str, list[Record]]


def found(results: Path, names: Iterable[str], corpus: str = "few", seeds: Iterable[int] = SEEDS) -> Found:
    """Return the records of some runs, as many as there are.

    Parameters
    ----------
    results : Path
        The folder of records.
    names : iterable of str
        Runs without their seed, keys of `MODELS` or `ABLATIONS`.
    corpus : str
        "few" for 2,000 training pairs, "embedded" for all 20,000.
    seeds : iterable of int

    Returns
    -------
    dict
        For each name its records, by seed; an empty list where there is none. What an older record does not hold, order
        and positions, is taken from `<corpus>/order.json` if that has it.

    Examples
    --------
    >>> results = Path(__file__).parents[3] / "results"
    >>> {name: len(records) for name, records in found(results, ["gru", "lstm"], "embedded").items()}
    {'gru': 3, 'lstm': 0}
    """
    later = _read(results / corpus / "order.json") or {}
    records: Found = {}
    for name in names:
        records[name] = []
        for seed in seeds:
            record = _read(results / corpus / f"{name}-{seed}.json")
            if record is not None:
                more = {
                    part: later[part][f"{name}-{seed}"]
                    for part in ("order", "shifted")
                    if part not in record and f"{name}-{seed}" in later.get(part, {})
                }
                records[name].append(record | more)
    return records


def _read(path: Path) -> dict[str, Any] | None:
    if not path.exists():
        return None
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def there(records: Found, corpus: str) -> Found:
    """Return the runs of which there is a record.

    Raises
    ------
    FileNotFoundError
        If there is none, naming the command that makes them.
    """
    known = {name: of_seeds for name, of_seeds in records.items() if of_seeds}
    if not known:
        names = ", ".join(records)
        raise FileNotFoundError(
            f"no record of {names}: `python tools/results.py '{corpus}/*'` carries out the runs and writes them"
        )
    return known


def share(record: Record, measure: str) -> float:
    """Return a measure of a record, from 0 to 1; NaN if it was not measured.

    Parameters
    ----------
    record : a record
    measure : str
        One of `MEASURES`, or of the parts of the corpus that show one phenomenon, such as "challenge_negation".

    Raises
    ------
    ValueError
        If there is no such measure.

    Examples
    --------
    >>> share({"order": {"all": {"both": 0.25}}}, "both")
    0.25
    """
    if measure not in MEASURES and not measure.startswith("challenge_"):
        raise ValueError(f"measure: expected one of {', '.join(MEASURES)}, got {measure!r}")
    if measure in WITHOUT_ORDER:
        return float(record["order"]["all"][measure]) if "order" in record else float("nan")
    quality = record.get("quality", {})
    return float(quality[measure]["greedy"]["exact_match"]) if measure in quality else float("nan")


def shares(records: Sequence[Record], measure: str) -> NDArray[np.float64]:
    """Return a measure of some records, as `share` does, of those that were measured.

    Examples
    --------
    >>> shares([{"order": {"all": {"both": 0.25}}}, {}], "both")
    array([0.25])
    """
    values = np.array([share(record, measure) for record in records], dtype=np.float64)
    return values[np.isfinite(values)]


def shifted(records: Sequence[Record], offsets: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Return the shares of short sentences translated exactly with positions numbered from others than 0.

    Parameters
    ----------
    records : sequence of records
    offsets : sequence of n (int, int)
        The numbers of the first position of the source, and of the target.

    Returns
    -------
    array (n_seeds, n)
        NaN where it was not measured.

    Examples
    --------
    >>> shifted([{"shifted": [{"source": 4, "target": 0, "exact_match": 0.25}]}], [(4, 0), (0, 4)])
    array([[0.25,  nan]])
    """
    rows = []
    for record in records:
        known = {(row["source"], row["target"]): row["exact_match"] for row in record.get("shifted") or ()}
        rows.append([known.get((offset[0], offset[1]), np.nan) for offset in offsets])
    return np.array(rows, dtype=np.float64).reshape(len(records), len(offsets))


def curves(
    records: Found, measure: str = "bleu"
) -> tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    """Return how good the weights kept so far are on the validation set, at every look.

    A training that has ended keeps its best weights, so its curve goes on level.

    Parameters
    ----------
    records : mapping from run to records
        At least one record.
    measure : {"bleu", "loss"}
        The best so far is the highest BLEU; or the loss (nats a token) at that look.

    Returns
    -------
    passes : array (n,)
        How often the training pairs have been seen.
    series : dict from run to array (n_seeds, n)
        NaN before the first look.

    Examples
    --------
    >>> looks = [{"step": 1, "bleu": 3.0, "loss": 2.0}, {"step": 2, "bleu": 1.0, "loss": 1.0}]
    >>> curves({"a": [{"steps": 2, "epochs": 1.0, "history": {"validation": looks}}]})
    (array([0.5, 1. ]), {'a': array([[3., 3.]])})
    """
    all_passes: set[float] = set()
    for of_seeds in records.values():
        for record in of_seeds:
            per_step = record["epochs"] / record["steps"]
            all_passes |= {round(look["step"] * per_step, 6) for look in record["history"]["validation"]}
    passes = np.array(sorted(all_passes))
    series = {}
    for name, of_seeds in records.items():
        rows = np.full((len(of_seeds), len(passes)), np.nan)
        for row, record in zip(rows, of_seeds, strict=True):
            best = -np.inf
            for look in record["history"]["validation"]:
                if look["bleu"] > best:
                    best = look["bleu"]
                    at = round(look["step"] * record["epochs"] / record["steps"], 6)
                    row[passes >= at] = look[measure]
        series[name] = rows
    return passes, series


def between(values: NDArray[np.float64], decimals: int = 0) -> str:
    """Write the median of some shares in per cent, with the range where there are several; "–" if there is none.

    Examples
    --------
    >>> between(np.array([0.5, 0.25, 0.75])), between(np.array([0.5])), between(np.array([]))
    ('50 % (25–75)', '50 %', '–')
    """
    if not len(values):
        return "–"
    middle, low, high = (f"{100 * x:.{decimals}f}" for x in (np.median(values), values.min(), values.max()))
    return f"{middle} %" + (f" ({low}–{high})" if len(values) > 1 else "")


@dataclass(frozen=True)
class Table:
    """A table that a notebook shows as one, and everything else as its text.

    Examples
    --------
    >>> Table(("model", "test"), (("GRU", "50 %"),))
    | model | test |
    |:---|---:|
    | GRU | 50 % |
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: bool = True  # whether all columns but the first hold numbers, which stand to the right

    def __repr__(self) -> str:
        """Return the table as Markdown."""
        lines = [self.head, *self.rows]
        written = ["| " + " | ".join(line) + " |" for line in lines]
        rule = "---:|" if self.numbers else ":---|"
        return "\n".join([written[0], "|:---|" + rule * (len(self.head) - 1), *written[1:]])

    def _repr_markdown_(self) -> str:
        return repr(self)


def table(
    results: Path,
    names: Mapping[str, str] = ABLATIONS,
    corpus: str = "few",
    measures: Iterable[str] = MEASURES,
) -> Table:
    """Tabulate the runs that have a record: medians over the seeds, and the range; "–" for what was not measured.

    Passes over the training pairs are told where the runs differ in them. Where the order-sensitive part is measured,
    the last row is what a model that sees no order reaches there at best.

    Parameters
    ----------
    results : Path
        The folder of records.
    names : mapping from run, without its seed, to what it is called
    corpus : str
        "few" for 2,000 training pairs, "embedded" for all 20,000.
    measures : iterable of str
        Keys of `MEASURES`.

    Raises
    ------
    FileNotFoundError
        If there is no record at all.

    Examples
    --------
    >>> results = Path(__file__).parents[3] / "results"
    >>> table(results, {"lstm": "LSTM", "gru": "GRU"}, "embedded", ["longer"])
    |  | seeds | longer |
    |:---|---:|---:|
    | GRU | 3 | 5 % (5–5) |
    """
    measures = list(measures)
    records = there(found(results, names, corpus), corpus)
    passes = {name: f"{np.median([r['epochs'] for r in each]):.0f}" for name, each in records.items()}
    differ = len(set(passes.values())) > 1
    rows = [
        (
            names[name],
            str(len(of_seeds)),
            *(between(shares(of_seeds, m)) for m in measures),
            *([passes[name]] if differ else []),
        )
        for name, of_seeds in records.items()
    ]
    if set(measures) & set(WITHOUT_ORDER):
        floor = [f"{100 * WITHOUT_ORDER[m]:.0f} %" if m in WITHOUT_ORDER else "" for m in measures]
        rows.append(("*sees no order*", "", *floor, *([""] if differ else [])))
    head = ("", "seeds", *(MEASURES[m] for m in measures), *(["passes"] if differ else []))
    return Table(head, tuple(rows))


def numbers(
    results: Path, corpus: str = "few", names: Iterable[str] = (*MODELS, *ABLATIONS)
) -> dict[str, float]:
    """Return what sentences may name of the records that are there, by run and measure: for `facts`.

    `few_transformer_test` is the median over the seeds, `…_test_low` and `…_test_high` end their range. The measures
    are `MEASURES`, `shift_4` (positions of the source numbered from 4), `shift_both_4` (of both sides), `shift_0`
    beside them, `passes`, `parameters` and `cpu_minutes`; `…_seeds` says how many seeds there are.

    Examples
    --------
    >>> results = Path(__file__).parents[3] / "results"
    >>> round(numbers(results, "embedded", ["gru"])["embedded_gru_longer"], 3)
    0.052
    """
    told: dict[str, float] = {}
    for name, of_seeds in found(results, dict.fromkeys(names), corpus).items():
        if not of_seeds:
            continue
        start = f"{corpus}_{name.replace('-', '_')}"
        told[f"{start}_seeds"] = len(of_seeds)
        moved = shifted(of_seeds, [(0, 0), (4, 0), (4, 4)]).T
        values = {measure: shares(of_seeds, measure) for measure in MEASURES} | {
            "shift_0": moved[0][np.isfinite(moved[0])],
            "shift_4": moved[1][np.isfinite(moved[1])],
            "shift_both_4": moved[2][np.isfinite(moved[2])],
            "passes": np.array([record["epochs"] for record in of_seeds]),
            "parameters": np.array([r["parameters"] for r in of_seeds if "parameters" in r]),
            "cpu_minutes": np.array([r["cpu_seconds"] / 60 for r in of_seeds if r.get("cpu_seconds")]),
        }
        for measure, found_values in values.items():
            if len(found_values):
                told[f"{start}_{measure}"] = float(np.median(found_values))
                told[f"{start}_{measure}_low"] = float(found_values.min())
                told[f"{start}_{measure}_high"] = float(found_values.max())
    return told
