"""What chapter 13 measured beforehand, and how: times on a CPU, and trainings that take minutes.

    python -m course_lib.chapters.ch13_fast.record [draft] [passes] [caches] [tiles] [slabs] [recall] [speculation]

writes `draft.safetensors` and the parts of `record.json`; without names, all of them. Times are those of one core. What
is compared is measured in turn, in rounds, and a ratio is the median of the rounds' ratios: so a machine that is busy
with other work slows both sides.
"""

import json
import math
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as F

from course_lib.chapters.ch13_fast import linear, speculation
from course_lib.chapters.ch13_fast.tiles import WAYS, by_rows, running_sums
from course_lib.files import atomic_path
from course_lib.model import attention

RECORD = Path(__file__).with_name("record.json")
ROWS = (1, 2, 4, 8, 16, 32, 64)
SIZES = {"small": 512, "matrices": 96}  # a matrix of 1 MB, which stays in the cache, or 96 of them, which do not
LENGTHS = (512, 1024, 2048, 4096)
KEYS = 8192
SLABS = (4096, 16384, 65536)
CACHES = {  # heads of queries, heads of keys, numbers in a key
    "a head of keys for each of 32": (32, 32, 128),
    "8 heads of keys": (32, 8, 128),
    "1 head of keys": (32, 1, 128),
    "rank 512": (32, 1, 512),
}
PAIRS = (1, 2, 4, 8, 16, 32, 64)
KINDS: dict[str, linear.Feature | None] = {
    "softmax": None,
    "linear, elu + 1": linear.elu_plus_one,
    "linear, exp": torch.exp,
}
DRAFTS = ("small model", "counts", "blind")
GUESSES = (1, 2, 3, 4, 6, 8)


def race(cases: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Run each case once in each round; return the seconds of processor time, by case.

    Examples
    --------
    >>> {name: len(seconds) for name, seconds in race({"nothing": lambda: None}, rounds=3).items()}
    {'nothing': 3}
    """
    for run in cases.values():
        run()  # what the first call sets up is not counted
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, run in cases.items():
            start = time.process_time()
            run()
            found[name].append(time.process_time() - start)
    return found


def ratio(found: Mapping[str, Sequence[float]], name: str, beside: str) -> float:
    """Return how many times as long one case takes as another: the median of the rounds' ratios."""
    return statistics.median(a / b for a, b in zip(found[name], found[beside], strict=True))


def middles(found: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the median seconds of each case, to four digits."""
    return {name: float(f"{statistics.median(seconds):.4g}") for name, seconds in found.items()}


@torch.no_grad()
def passes(rows: Sequence[int] = ROWS, rounds: int = 15, matrices: int = SIZES["matrices"]) -> dict[str, Any]:
    """Multiply some rows by as many matrices: by different ones, which are fetched from memory, or always by one.

    The arithmetic is the same. Returns "cold" and "warm": ratios to one row with different matrices, by number of rows.
    """
    generator, d = torch.Generator().manual_seed(0), SIZES["small"]
    weights = [torch.randn(d, d, generator=generator) for _ in range(matrices)]
    cases: dict[str, Callable[[], Any]] = {}
    for n in rows:
        x = torch.randn(n, d, generator=generator)
        cases[f"cold {n}"] = lambda x=x: [F.linear(x, W) for W in weights]
        cases[f"warm {n}"] = lambda x=x: [F.linear(x, weights[0]) for _ in weights]
    found = race(cases, rounds)
    ratios = {
        kind: [round(ratio(found, f"{kind} {n}", f"cold {rows[0]}"), 3) for n in rows]
        for kind in ("cold", "warm")
    }
    return {"rows": list(rows), **ratios, "seconds": middles(found)}


@torch.no_grad()
def caches(length: int = KEYS, rounds: int = 15) -> dict[str, Any]:
    """Let the 32 query heads of one new token read caches of different shapes: ratios to one head of keys for each."""
    generator = torch.Generator().manual_seed(0)
    cases: dict[str, Callable[[], Any]] = {}
    for name, (n_queries, n_keys, width) in CACHES.items():
        Q = torch.randn(1, n_keys, n_queries // n_keys, width, generator=generator)
        K = torch.randn(1, n_keys, length, width, generator=generator)
        V = K if name.startswith("rank") else torch.randn(1, n_keys, length, width, generator=generator)
        cases[name] = lambda Q=Q, K=K, V=V: attention(Q, K, V)
    found = race(cases, rounds)
    first = next(iter(CACHES))
    ratios = {name: round(ratio(found, name, first), 3) for name in CACHES}
    return {"length": length, "ratios": ratios, "seconds": middles(found)}


@torch.no_grad()
def tiles(lengths: Sequence[int] = LENGTHS, rounds: int = 5) -> dict[str, Any]:
    """Compute attention of 8 heads of width 64 in each of `WAYS`: seconds, and ratios to all scores at once."""
    generator = torch.Generator().manual_seed(0)
    found: dict[str, Any] = {"lengths": list(lengths), "seconds": {}, "ratios": {}, "apart": 0.0}
    for length in lengths:
        Q, K, V = (torch.randn(1, 8, length, 64, generator=generator) for _ in range(3))
        outputs = [way(Q, K, V) for way in WAYS.values()]
        apart = max(float((output - outputs[0]).abs().max()) for output in outputs)
        found["apart"] = max(found["apart"], float(f"{apart:.1e}"))
        took = race({name: lambda way=way: way(Q, K, V) for name, way in WAYS.items()}, rounds)
        for name, seconds in middles(took).items():
            found["seconds"].setdefault(name, []).append(seconds)
            found["ratios"].setdefault(name, []).append(round(ratio(took, name, next(iter(WAYS))), 3))
    return found


@torch.no_grad()
def slabs(lengths: Sequence[int] = SLABS, rounds: int = 7) -> dict[str, Any]:
    """Let 64 queries of 8 heads read many keys: running sums over tiles, beside complete rows.

    Returns "ratios", of the running sums to the complete rows, and "megabytes", the size of these rows.
    """
    generator = torch.Generator().manual_seed(0)
    found: dict[str, Any] = {"lengths": list(lengths), "ratios": [], "megabytes": [], "seconds": []}
    for length in lengths:
        Q, K, V = (torch.randn(1, 8, n, 64, generator=generator) for n in (64, length, length))
        cases = {
            "rows": lambda Q=Q, K=K, V=V: by_rows(Q, K, V),
            "tiles": lambda Q=Q, K=K, V=V: running_sums(Q, K, V, tile=1024),
        }
        took = race(cases, rounds)
        found["ratios"].append(round(ratio(took, "tiles", "rows"), 3))
        found["megabytes"].append(4 * 8 * 64 * length / 2**20)
        found["seconds"].append(middles(took))
    return found


def recall(
    steps: Sequence[int] = (1000, 3000), seeds: Sequence[int] = (0, 1, 2), kinds: Sequence[str] = tuple(KINDS)
) -> dict[str, Any]:
    """Train memories and ask them for n pairs: by kind, by steps, (n_seeds, n sizes)."""
    found: dict[str, Any] = {"pairs": list(PAIRS)}
    for kind in kinds:
        found[kind] = {
            str(n): [
                [round(linear.recall(model, pairs), 4) for pairs in PAIRS]
                for model in (linear.trained(KINDS[kind], n, seed) for seed in seeds)
            ]
            for n in steps
        }
    return found


def drafts(small: speculation.Translator) -> dict[str, Callable[[torch.Tensor], speculation.Draft]]:
    """Return what drafts, by name: a function of the source."""
    words = small.target_tokeniser
    counts, blind = speculation.counted(words), speculation.blind(len(words))
    return {
        "small model": lambda source: speculation.small_model(small, source),
        "counts": lambda source: counts,
        "blind": lambda source: blind,
    }


def speculate(n: int = 200, guesses: Sequence[int] = GUESSES) -> dict[str, Any]:
    """Translate sentences with each draft and number of guesses: tokens a pass, guesses kept, sentences that differ."""
    large, small = speculation.load_models()
    sentences = speculation.val_sentences(n)
    plain = [found[0].ids for found in large.search(sentences)]
    found: dict[str, Any] = {"sentences": n, "tokens": sum(len(ids) + 1 for ids in plain), "guesses": list(guesses)}
    read = speculation.sources(large, sentences)
    for name, begin in drafts(small).items():
        rows: dict[str, list[float]] = {"tokens_a_pass": [], "kept": [], "different": []}
        for k in guesses:
            written, done = [], list[speculation.Pass]()
            for source in read:
                ids, steps = speculation.speculate(large.model, source, begin(source), k)
                written.append(ids)
                done += steps
            for what, value in speculation.shares(done).items():
                rows[what].append(round(value, 4))
            rows["different"].append(sum(a != b for a, b in zip(written, plain, strict=True)))
        found[name] = rows
    return found


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "passes": passes,
    "caches": caches,
    "tiles": tiles,
    "slabs": slabs,
    "recall": recall,
    "speculation": speculate,
}


def stored() -> dict[str, Any]:
    """Read what the parts gave.

    Examples
    --------
    >>> sorted(stored())
    ['caches', 'machine', 'passes', 'recall', 'slabs', 'speculation', 'tiles']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def machine() -> dict[str, Any]:
    """Say what was measured on."""
    return {"processor": platform.machine(), "threads": torch.get_num_threads(), "torch": torch.__version__}


if __name__ == "__main__":
    torch.set_num_threads(1)
    everything = stored() if RECORD.exists() else {}
    everything["machine"] = machine()
    for part in sys.argv[1:] or ["draft", *PARTS]:
        if part == "draft":
            target = speculation.Translator.load(speculation.TRANSLATOR)
            speculation.train_draft(target)[0].save(speculation.DRAFT, torch.float16)
        else:
            everything[part] = PARTS[part]()
            with atomic_path(RECORD) as temporary:
                temporary.write_text(json.dumps(everything) + "\n", encoding="utf-8")
        print(part, round(time.process_time()), "seconds", flush=True)
