"""What chapter 13 measured beforehand, and how: times on a CPU, and trainings that take minutes.

    python -m course_lib.chapters.ch13_fast.record [draft] [passes] [caches] [tiles] [recall] [wider] [speculation]

writes `draft.safetensors` and the parts of `record.json`; without names, all of them. Times are those of one core. What
is compared is measured in turn, in rounds, and a ratio is the median of the rounds' ratios: so a machine that is busy
with other work slows both sides.
"""

import json
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from course_lib.chapters.ch01_why_attention.agreement import RESULTS
from course_lib.chapters.ch13_fast import linear, speculation
from course_lib.chapters.ch13_fast.tiles import WAYS
from course_lib.files import atomic_path
from course_lib.model import attention
from course_lib.translator import Translator

RECORD = Path(__file__).with_name("record.json")
ROWS = (1, 2, 4, 8, 16, 32, 64)
SIZES = {
    "small": 512,
    "matrices": 96,
}  # a matrix of 1 MB, which stays in the cache, or 96 of them, which do not
LENGTHS = (512, 4096)
KEYS = 8192
CACHES = {  # heads of queries, heads of keys, numbers in a key
    "a head of keys for each of 32": (32, 32, 128),
    "8 heads of keys": (32, 8, 128),
    "1 head of keys": (32, 1, 128),
    "rank 512": (32, 1, 512),
}
ALONE = (32, 8, 1)  # heads of keys
PAIRS = (1, 2, 4, 8, 16, 32, 64)
KINDS: dict[str, linear.Feature | None] = {
    "softmax": None,
    "linear": linear.elu_plus_one,
}
PLAN = {
    800: (0, 1, 2),
    1600: (0,),
}  # steps of training, and seeds: the longer one tells whether more steps help
WIDER = {"keys": {"width": 2 * linear.WIDTH}, "values": {"value_width": 2 * linear.WIDTH}}
SHORT = ("all", "reused", "rows", "rows_reused", "tiles", "large", "fused")  # of the ways in `tiles`
DRAFTS = ("small model", "counts", "blind")
GUESSES = (1, 3, 4, 7)


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


def _products(x: Tensor, weights: Sequence[Tensor]) -> None:
    for W in weights:
        F.linear(x, W)


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
        cases[f"cold {n}"] = partial(_products, x, weights)
        cases[f"warm {n}"] = partial(_products, x, weights[:1] * matrices)
    found = race(cases, rounds)
    ratios = {
        kind: [round(ratio(found, f"{kind} {n}", f"cold {rows[0]}"), 3) for n in rows]
        for kind in ("cold", "warm")
    }
    return {"rows": list(rows), **ratios, "seconds": middles(found)}


@torch.no_grad()
def caches(length: int = KEYS, rounds: int = 15) -> dict[str, Any]:
    """Let the 32 query heads of one new token read caches of different shapes.

    Returns "ratios" to one head of keys for each. In "one query at a time", 32 queries read 32, 8 or 1 heads of keys,
    and no two are multiplied together: so only the fetching from memory differs. Ratios to 32 heads.
    """
    generator = torch.Generator().manual_seed(0)
    cases: dict[str, Callable[[], Any]] = {}
    for name, (n_queries, n_keys, width) in CACHES.items():
        Q = torch.randn(1, n_keys, n_queries // n_keys, width, generator=generator)
        K = torch.randn(1, n_keys, length, width, generator=generator)
        V = K if name.startswith("rank") else torch.randn(1, n_keys, length, width, generator=generator)
        cases[name] = partial(attention, Q, K, V)
    Q, K, V = (torch.randn(32, 1, n, 128, generator=generator) for n in (1, length, length))
    for n_keys in ALONE:
        cases[f"{n_keys}, one at a time"] = partial(_one_at_a_time, Q, K[:n_keys], V[:n_keys])
    found = race(cases, rounds)
    first = next(iter(CACHES))
    ratios = {name: round(ratio(found, name, first), 3) for name in CACHES}
    alone = [round(ratio(found, f"{n}, one at a time", f"{ALONE[0]}, one at a time"), 3) for n in ALONE]
    return {"length": length, "ratios": ratios, "one query at a time": alone, "seconds": middles(found)}


def _one_at_a_time(queries: Tensor, keys: Tensor, values: Tensor) -> None:
    for i, q in enumerate(queries):
        shared = i * len(keys) // len(queries)
        attention(q[None], keys[shared][None], values[shared][None])


@torch.no_grad()
def tiles(lengths: Sequence[int] = LENGTHS, rounds: int = 3) -> dict[str, Any]:
    """Compute attention of 8 heads of width 64 in each of `WAYS`: seconds, and ratios to all scores at once."""
    generator = torch.Generator().manual_seed(0)
    found: dict[str, Any] = {"lengths": list(lengths), "seconds": {}, "ratios": {}, "apart": 0.0}
    for length in lengths:
        Q, K, V = (torch.randn(1, 8, length, 64, generator=generator) for _ in range(3))
        outputs = [way(Q, K, V) for way in WAYS.values()]
        apart = max(float((output - outputs[0]).abs().max()) for output in outputs)
        found["apart"] = max(found["apart"], float(f"{apart:.1e}"))
        took = race({name: partial(way, Q, K, V) for name, way in WAYS.items()}, rounds)
        for name, seconds in middles(took).items():
            found["seconds"].setdefault(name, []).append(seconds)
            found["ratios"].setdefault(name, []).append(round(ratio(took, name, next(iter(WAYS))), 3))
    return found


def recall(
    plan: Mapping[int, Sequence[int]] = PLAN,
    kinds: Sequence[str] = tuple(KINDS),
    width: int = linear.WIDTH,
    value_width: int = linear.WIDTH,
) -> dict[str, Any]:
    """Train memories for some steps with some seeds; ask for n pairs: by kind, by steps, (n_seeds, n sizes)."""
    found: dict[str, Any] = {"pairs": list(PAIRS)}
    for kind in kinds:
        found[kind] = {
            str(steps): [
                [round(linear.recall(model, pairs), 4) for pairs in PAIRS]
                for model in (linear.trained(KINDS[kind], steps, seed, width, value_width) for seed in seeds)
            ]
            for steps, seeds in plan.items()
        }
    return found


def drafts(small: Translator) -> dict[str, Callable[[Tensor], speculation.Draft]]:
    """Return what drafts, by name: a function of the source."""
    words = small.target_tokeniser
    counts, blind = speculation.counted(words), speculation.blind(len(words))
    return {
        "small model": lambda source: speculation.small_model(small, source),
        "counts": lambda source: counts,
        "blind": lambda source: blind,
    }


def speculate(n: int = 40, guesses: Sequence[int] = GUESSES, who: Sequence[str] = DRAFTS) -> dict[str, Any]:
    """Translate n sentences with each draft and number of guesses.

    Returns
    -------
    dict
        By draft, for each number of guesses: "tokens_a_pass"; "kept", the share of the checked guesses; "different",
        sentences that greedy search writes otherwise; "passes" of each sentence.
    """
    large, small = speculation.load_models()
    sentences = speculation.val_sentences(n)
    plain = [found[0].ids for found in large.search(sentences)]
    found: dict[str, Any] = {"tokens": sum(len(ids) + 1 for ids in plain), "guesses": list(guesses)}
    read, every = speculation.sources(large, sentences), drafts(small)
    for name in who:
        rows: dict[str, list[Any]] = {"tokens_a_pass": [], "kept": [], "different": [], "passes": []}
        for k in guesses:
            done = [speculation.speculate(large.model, source, every[name](source), k) for source in read]
            for what, value in speculation.shares([step for _, steps in done for step in steps]).items():
                rows[what].append(round(value, 4))
            rows["different"].append(sum(ids != alone for (ids, _), alone in zip(done, plain, strict=True)))
            rows["passes"].append([len(steps) for _, steps in done])
        found[name] = rows
    return found


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "passes": passes,
    "caches": caches,
    "tiles": tiles,
    "recall": recall,
    "wider": lambda: {what: recall({800: (0, 1, 2)}, ["linear"], **widths) for what, widths in WIDER.items()},
    "speculation": speculate,
}


def stored() -> dict[str, Any]:
    """Read what the parts gave.

    Examples
    --------
    >>> sorted(stored())
    ['caches', 'machine', 'passes', 'recall', 'speculation', 'tiles', 'wider']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


BENCHMARKS = RESULTS.parent / "benchmarks.json"


def benchmarks(path: Path = BENCHMARKS) -> dict[str, float]:
    """Return what the course's benchmarks say of caches, batches and lengths: ratios of medians.

    `cache_alone` and `cache_32` are how many times as long greedy search takes without caches, for one sentence at a
    time and for 32; `batch_of_32` is how many times as long a sentence takes alone as in a batch of 32.
    `full_doubled`, `windowed_doubled` and `linear_doubled` are how many times as long twice the length takes.

    Examples
    --------
    >>> benchmarks()["batch_of_32"] > 1
    True
    """
    found = json.loads(path.read_text(encoding="utf-8"))

    def seconds(race: str, who: str) -> float:
        return statistics.median(found["races"][race]["figures"]["seconds"][who])

    numbers = {
        "cache_alone": seconds("decoding-1-1", "no caches") / seconds("decoding-1-1", "ours"),
        "cache_32": seconds("decoding-1-32", "no caches") / seconds("decoding-1-32", "ours"),
        "batch_of_32": seconds("decoding-1-1", "ours") / seconds("decoding-1-32", "ours"),
    }
    for kind in ("full", "windowed", "linear"):
        sizes = found["growths"][f"growth-{kind}"]["sizes"]
        before, after = (statistics.median(sizes[n]) for n in sorted(sizes, key=int)[-2:])
        numbers[f"{kind}_doubled"] = after / before
    return numbers


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name.

    `cold_8` is how many times as long 8 rows take as one, `warm_1` what is left if nothing is fetched; `fetching_1` is
    the share of a row's time that fetching takes. `shared_fetching` is the share of fetching in the time that 64 rows
    save beside 64 times one row. `time_8`, `time_1` and `time_rank` belong to the caches, `alone_8` to 8 heads of keys
    that are read one query at a time, `rows_4096` and the like to the ways to compute attention. `linear_16` is the
    median share that linear attention recalls of 16 pairs, `linear_16_longer` that of one seed after twice the
    training, `wider_keys_16` the median with keys twice as wide, `wider_values_16` with values twice as wide.
    `small_4` is tokens a pass with 4 guesses, `small_4_kept` the share of checked
    guesses that are kept, `gain_3` what 3 guesses would gain if they cost nothing.

    Examples
    --------
    >>> told(stored())["cold_1"]
    1.0
    """
    numbers: dict[str, float] = {}
    part = record["passes"]
    for n, cold, warm in zip(part["rows"], part["cold"], part["warm"], strict=True):
        numbers |= {f"cold_{n}": cold, f"warm_{n}": warm, f"fetching_{n}": (cold - warm) / cold}
    saved = {kind: part["rows"][-1] * part[kind][0] - part[kind][-1] for kind in ("cold", "warm")}
    numbers["shared_fetching"] = 1 - saved["warm"] / saved["cold"]
    for name, short in zip(CACHES, ("own", "8", "1", "rank"), strict=True):
        numbers[f"time_{short}"] = record["caches"]["ratios"][name]
    for n, value in zip(ALONE, record["caches"]["one query at a time"], strict=True):
        numbers[f"alone_{n}"] = value
    for name, short in zip(WAYS, SHORT, strict=True):
        for n, value in zip(record["tiles"]["lengths"], record["tiles"]["ratios"][name], strict=True):
            numbers[f"{short}_{n}"] = value
    part, (steps, longer) = record["recall"], map(str, PLAN)
    for kind in KINDS:
        middles = [statistics.median(column) for column in zip(*part[kind][steps], strict=True)]
        for n, value, later in zip(part["pairs"], middles, part[kind][longer][0], strict=True):
            numbers |= {f"{kind}_{n}": value, f"{kind}_{n}_longer": later}
    for what, part in record["wider"].items():
        for n, *column in zip(part["pairs"], *part["linear"]["800"], strict=True):
            numbers[f"wider_{what}_{n}"] = statistics.median(column)
    part = record["speculation"]
    for name in DRAFTS:
        short = name.split()[0]
        for k, tokens, kept in zip(
            part["guesses"], part[name]["tokens_a_pass"], part[name]["kept"], strict=True
        ):
            numbers |= {f"{short}_{k}": tokens, f"{short}_{k}_kept": kept}
        numbers[f"{short}_different"] = sum(part[name]["different"])
    return numbers | {"gain_3": numbers["small_3"] / numbers["cold_4"]}


def machine() -> dict[str, Any]:
    """Say what was measured on."""
    return {"processor": platform.machine(), "threads": torch.get_num_threads(), "torch": torch.__version__}


if __name__ == "__main__":
    torch.set_num_threads(1)
    everything = stored() if RECORD.exists() else {}
    everything["machine"] = machine()
    for part in sys.argv[1:] or ["draft", *PARTS]:
        if part == "draft":
            target = Translator.load(speculation.TRANSLATOR)
            speculation.train_draft(target)[0].save(speculation.DRAFT, torch.float16)
        else:
            everything[part] = PARTS[part]()
            with atomic_path(RECORD) as temporary:
                temporary.write_text(json.dumps(everything) + "\n", encoding="utf-8")
        print(part, round(time.process_time()), "seconds", flush=True)
