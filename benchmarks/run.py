"""Measure how fast the course is, beside others that do the same, and print one table.

    python benchmarks/run.py [RACE ...] [--rounds N] [--list] [--publish]

Each contestant of a race runs in a fresh process, one after the other, in another order each round, so that whatever
else the machine does falls on all of them. Shown is the median over the rounds; a ratio is taken within each round, and
shown as its median with the least and the largest. One thread each. With --publish every
figure goes to results/benchmarks.json, and the table into the README.
"""

import argparse
import fnmatch
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from course_lib.files import atomic_path

ROOT = Path(__file__).resolve().parent.parent
TASKS = Path(__file__).resolve().parent / "tasks"
STORED, README = ROOT / "results" / "benchmarks.json", ROOT / "README.md"
BEGIN, END = "<!-- the table of make bench -->\n", "<!-- its end -->\n"

Command = tuple[str, ...]  # a task and its arguments, or "-m", "-c" … for a whole Python process


@dataclass(frozen=True)
class Race:
    """Contestants that do the same work, and how their figures should compare.

    Attributes
    ----------
    what : str
        The work, as the table says it.
    ours : Command
    peers : mapping of str to Command
        The name of each peer and its command. Each gets a row of the table.
    goals : mapping of str to mapping of str to float
        The figures that are shown, and for each the largest ratio ours / peer that is aimed at, where there is a goal:
        {"seconds": {"nn.Transformer": 0.6}}. A task reports its figures; "wall" is the time of the whole process.
    same : tuple of str
        Figures that must be equal, or somebody has done other work.
    """

    what: str
    ours: Command
    peers: Mapping[str, Command]
    goals: Mapping[str, Mapping[str, float]]
    same: tuple[str, ...] = ()


@dataclass(frozen=True)
class Growth:
    """How a figure grows with a size: the exponent of the power law that fits it, and the one expected."""

    what: str
    command: Command  # the size is added as its last argument
    sizes: tuple[int, ...]
    expected: float
    figure: str = "seconds"
    once: tuple[int, ...] = ()  # sizes that take long: measured in the first round alone


def attention(length: int, width: int) -> tuple[str, Race]:
    """Return the race of multi-head attention at a size."""
    peer, arguments = "nn.MultiheadAttention", (str(length), str(width))
    return f"attention-{length}-{width}", Race(
        f"attention forward and backward, L {length}, d {width}",
        ("attention.py", "ours", *arguments),
        {peer: ("attention.py", "pytorch", *arguments)},
        {"seconds": {peer: 1.0}, "megabytes": {peer: 1.05}},
    )


def decoding(beam: int, batch: int, sentences: int) -> tuple[str, Race]:
    """Return the race of decoding with a beam and a batch size."""
    arguments = (f"--beam={beam}", f"--batch={batch}", f"--sentences={sentences}")
    names = {"again": "no caches", "marian": "Marian (transformers)", "ctranslate2": "CTranslate2"}
    goals = {"again": 1 / 4, "marian": 1 / 2, "ctranslate2": 1.5 if batch > 1 else 3.0}
    if beam > 1:
        del names["again"]
    what = f"decoding a sentence, {'greedy' if beam == 1 else f'beam {beam}'}, batch {batch}"
    return f"decoding-{beam}-{batch}", Race(
        what,
        ("decoding.py", "ours", *arguments),
        {shown: ("decoding.py", name, *arguments) for name, shown in names.items()},
        {"seconds": {shown: goals[name] for name, shown in names.items()}},
    )


RACES: dict[str, Race] = {
    **dict(attention(L, d) for L in (32, 128, 512) for d in (128, 512)),
    "training-step": Race(
        "training step",
        ("training_step.py", "ours"),
        {
            "nn.Transformer": ("training_step.py", "pytorch"),
            "nn.Transformer, plain Adam": ("training_step.py", "pytorch-unfused"),
            "nn.Transformer, padding masks on both sides": ("training_step.py", "pytorch-checked"),
            "nn.Transformer, compiled": ("training_step.py", "pytorch-compiled"),
            "ours in bfloat16": ("training_step.py", "ours-bfloat16"),
            "ours, compiled": ("training_step.py", "ours-compiled"),
        },
        {"seconds": {"nn.Transformer": 0.60}},
    ),
    "pipeline": Race(
        "training, a real target token",
        ("pipeline.py", "bucketed"),
        {"random batches, padded": ("pipeline.py", "padded")},
        {"seconds": {"random batches, padded": 1 / 1.5}},
    ),
    "processes": Race(
        "training in two processes, a target token",
        ("processes.py", "processes"),
        {
            "one process, one thread": ("processes.py", "thread"),
            "one process, two threads": ("processes.py", "threads"),
        },
        {"seconds": {}},
    ),
    **dict(decoding(beam, batch, 1000 if batch > 1 else 100) for beam in (1, 5) for batch in (32, 1)),
    "numpy": Race(
        "attention in NumPy, 64 words",
        ("lookups.py", "together"),
        {"one word at a time": ("lookups.py", "one-by-one")},
        {"seconds": {"one word at a time": 1 / 20}},
    ),
    "grading": Race(
        "grading a submission (24 of ps05)",
        ("grading.py", "course", "24"),
        {"stock nbgrader": ("grading.py", "nbgrader", "24")},
        {"seconds": {"stock nbgrader": 1 / 8}},
        same=("points",),
    ),
    "import": Race(
        "`import course_lib`", ("-c", "import course_lib"), {"an empty Python": ("-c", "")}, {"wall": {}}
    ),
    "help": Race(
        "`course --help`", ("-m", "course_lib.cli", "--help"), {"an empty Python": ("-c", "")}, {"wall": {}}
    ),
    "chapter": Race(
        "the first cell of chapter 02",
        ("first_cell.py", "02_attention"),
        {"`import torch`": ("-c", "import torch")},
        {"wall": {}},
    ),
}
UNITS = {"seconds": "s", "wall": "s", "megabytes": "MB"}
GROWTHS: dict[str, Growth] = {
    "growth-full": Growth("full attention against length", ("lengths.py", "full"), (512, 1024, 2048, 4096), 2),
    "growth-windowed": Growth("windowed attention against length", ("lengths.py", "windowed"), (512, 1024, 2048, 4096),
                              1),
    "growth-linear": Growth("linear attention against length", ("lengths.py", "linear"), (2048, 4096, 8192, 16384), 1),
    "growth-position": Growth("a token against its position", ("positions.py",), (16, 32, 64, 128), 0),
    "growth-corpus": Growth("an epoch of training against the corpus", ("pipeline.py", "epoch"),
                            (1250, 2500, 5000, 10000), 1),
    "growth-class": Growth("grading a submission against the class", ("grading.py", "course"), (10, 100, 1000), 0,
                           once=(1000,)),
}  # fmt: skip


# ---- Measuring ----


def run(command: Command) -> dict[str, float]:
    """Run a command in a fresh process; return its figures, the time of the whole among them."""
    place = [str(TASKS / command[0]), *command[1:]] if command[0].endswith(".py") else list(command)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *place],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    wall = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"bench: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
    lines = done.stdout.splitlines()
    figures: dict[str, float] = json.loads(lines[-1]) if command[0].endswith(".py") and lines else {}
    return figures | {"wall": wall}


def measure(race: Race, rounds: int, progress: Any) -> dict[str, Any]:
    """Let the contestants of a race take turns; return their figures, {figure: {contestant: one a round}}."""
    contestants = {"ours": race.ours, **race.peers}
    names = list(contestants)
    figures: dict[str, dict[str, list[float]]] = {
        figure: {name: [] for name in names} for figure in race.goals
    }
    for turn in range(rounds):
        same = set()
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            progress.set_postfix_str(name)
            found = run(contestants[name])
            same.add(tuple(found[figure] for figure in race.same))
            for figure, by_contestant in figures.items():
                by_contestant[name].append(found[figure])
            progress.update()
        if len(same) > 1:
            raise SystemExit(
                f"bench: {race.what}: the contestants differ in {', '.join(race.same)}: {sorted(same)}"
            )
    return {"figures": figures}


def grow(growth: Growth, rounds: int, progress: Any) -> dict[str, Any]:
    """Measure each size in each round; return all figures."""
    figures: dict[str, list[float]] = {str(size): [] for size in growth.sizes}
    for turn in range(rounds):
        for size in growth.sizes:
            if turn and size in growth.once:
                continue
            progress.set_postfix_str(str(size))
            figures[str(size)].append(run((*growth.command, str(size)))[growth.figure])
            progress.update()
    return {"sizes": figures}


def exponents(figures: Mapping[str, Sequence[float]]) -> list[float]:
    """Exponents of the power laws that fit figures by size, one a round, by least squares on logarithms.

    A size that was measured once counts in each round.

    >>> [round(exponent, 6) for exponent in exponents({"1": [3.0, 1.0], "10": [300.0, 1.0], "100": [30000.0]})]
    [2.0, 2.238561]
    """
    x = np.log([float(size) for size in figures])
    n_rounds = max(map(len, figures.values()))
    by_round = ([found[turn % len(found)] for found in figures.values()] for turn in range(n_rounds))
    return [float(np.polyfit(x, np.log(found), 1)[0]) for found in by_round]


# ---- Showing ----


def shown(value: float, unit: str) -> str:
    """Write a figure with three digits, in a unit that suits it.

    >>> shown(0.01234, "s"), shown(2.5, "s"), shown(0.0000052, "s"), shown(80.3, "MB")
    ('12.3 ms', '2.50 s', '5.20 µs', '80.3 MB')
    """
    for factor, name in ((1, "s"), (1e3, "ms"), (1e6, "µs")) if unit == "s" else ((1, unit),):
        if value * factor >= 1 or name in ("µs", unit if unit != "s" else ""):
            return (
                f"{value * factor:.3g} {name}" if value * factor >= 100 else f"{value * factor:#.3g} {name}"
            )
    raise AssertionError


def rows(results: Mapping[str, Any]) -> list[list[str]]:
    """Make the lines of the table of races."""
    table = []
    for name, race in RACES.items():
        for figure, figures in results["races"].get(name, {"figures": {}})["figures"].items():
            ours, unit = figures["ours"], UNITS[figure]
            for peer in race.peers:
                ratios = [one / other for one, other in zip(ours, figures[peer], strict=True)]
                ratio, goal = statistics.median(ratios), race.goals[figure].get(peer)
                cells = (
                    race.what if unit == "s" else f"{race.what}: memory",
                    shown(statistics.median(ours), unit),
                    peer,
                    shown(statistics.median(figures[peer]), unit),
                    f"{ratio:.2f} ({min(ratios):.2f}–{max(ratios):.2f})",
                    "" if goal is None else f"≤ {goal:.3g} {'✓' if ratio <= goal else '✗'}",
                )
                table.append(list(cells))
    return table


def markdown(results: Mapping[str, Any]) -> str:
    """Write what was measured as Markdown: the machine, the table of races, the table of growths."""
    machine = results["machine"]
    lines = [
        f"Measured on {results['date']} by `{results['command']}`: {machine['processor']}, {machine['cores']} cores, "
        f"Python {machine['python']}, PyTorch {machine['torch']}, one thread each. Medians of "
        f"{results['n_rounds']} rounds in fresh processes that take turns; ratios and exponents are taken in "
        "each round (least–largest).",
        "",
        "| work | ours | beside | theirs | ours / theirs | goal |",
        "|:--|--:|:--|--:|--:|:--|",
        *("| " + " | ".join(row) + " |" for row in rows(results)),
    ]
    if results["growths"]:
        lines += [
            "",
            "| what grows | from | to | exponent | expected |",
            "|:--|:--|:--|--:|--:|",
        ]
    for name, growth in GROWTHS.items():
        if name in results["growths"]:
            found = exponents(results["growths"][name]["sizes"])
            fit = f"{statistics.median(found):.2f} ({min(found):.2f}–{max(found):.2f})"
            sizes = results["growths"][name]["sizes"]
            ends = [
                f"{shown(statistics.median(sizes[size]), 's')} at {int(size):,}"
                for size in (min(sizes, key=int), max(sizes, key=int))
            ]
            lines.append(f"| {growth.what} | {' | '.join(ends)} | {fit} | {growth.expected:g} |")
    if estimates := on_paper(results):
        lines += ["", "On paper, from these figures:", "", *(f"- {estimate}" for estimate in estimates)]
    return "\n".join(lines) + "\n"


def on_paper(results: Mapping[str, Any]) -> list[str]:
    """What two things would take that nobody has run here, from what a piece of them takes."""
    estimates = []
    if "growth-class" in results["growths"]:
        sizes = results["growths"]["growth-class"]["sizes"]
        largest = max(sizes, key=int)
        hours = 100_000 * statistics.median(sizes[largest]) / 3600
        cores = results["machine"]["cores"]
        estimates.append(
            f"**100,000 submissions** of ps05, each as long as one of a class of {largest}: {hours:.0f} hours on this "
            f"machine's {cores} cores, {hours * 60 * cores / 1000:.0f} minutes on a cluster of 1,000 such cores."
        )
    if "training-step" in results["races"]:
        seconds = statistics.median(results["races"]["training-step"]["figures"]["seconds"]["ours"])
        rate = OUR_BATCH * flop_a_token(OUR_MODEL) / seconds
        total = PAPERS_STEPS * PAPERS_TOKENS * flop_a_token(PAPERS_MODEL)
        estimates.append(
            f"**The paper's base model** on WMT 2014 English–German, {PAPERS_STEPS:,} steps of {PAPERS_TOKENS:,} "
            f"tokens: {total:.1g} floating-point operations in its matrix products, at the {rate / 1e9:.0f} GFLOP/s of "
            f"our training step {total / rate / 86400 / 365:.1g} years on one such core. (Its products are larger, and "
            "so faster; the paper took 12 hours on eight P100 GPUs.)"
        )
    return estimates


PAPERS_STEPS, PAPERS_TOKENS = 100_000, 25_000  # Vaswani et al. (2017), sections 5.1 and 5.2
OUR_BATCH = 2000  # target positions, and about as many of the source
OUR_MODEL = {"d": 128, "d_ff": 512, "layers": 4, "vocabulary": 6000}
PAPERS_MODEL = {"d": 512, "d_ff": 2048, "layers": 6, "vocabulary": 37_000}


def flop_a_token(model: Mapping[str, int]) -> int:
    """Floating-point operations of training for a target token and a source token: 6 for each weight it meets.

    Two for each weight forward, and twice as many backward; what grows with the length is left out.

    >>> flop_a_token({"d": 1, "d_ff": 2, "layers": 1, "vocabulary": 3})
    138
    """
    d, feed_forward = model["d"], 2 * model["d"] * model["d_ff"]
    encoder, decoder = 4 * d * d + feed_forward, 8 * d * d + feed_forward
    return 6 * (model["layers"] * (encoder + decoder) + model["vocabulary"] * d)


def with_table(readme: str, table: str) -> str:
    """Put the table into the text of the README, in place of the one there."""
    before, rest = readme.split(BEGIN)
    _, after = rest.split(END)
    shown = f"\n<details><summary>The table of one run</summary>\n\n{table}\n</details>\n\n"
    return f"{before}{BEGIN}{shown}{END}{after}"


def processor() -> str:
    """Name the processor, as the system does."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("patterns", nargs="*", metavar="RACE", help="such as 'attention-*' (default: all)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5")
    parser.add_argument("--list", action="store_true", help="name what can be measured, and stop")
    parser.add_argument(
        "--publish", action="store_true", help="keep the figures, and show the table in the README"
    )
    options = parser.parse_args()
    known = [*RACES, *GROWTHS]
    wanted = [
        name
        for name in known
        if not options.patterns or any(fnmatch.fnmatch(name, p) for p in options.patterns)
    ]
    if not wanted:
        parser.error(f"nothing is called {' or '.join(options.patterns)}; --list names what there is")
    if options.list:
        for name in wanted:
            print(f"{name:26s} {(RACES.get(name) or GROWTHS[name]).what}")
        return 0
    if options.rounds < 3:
        parser.error("--rounds must be at least 3: a median of fewer says little")
    if options.publish and options.patterns:
        parser.error("--publish: the README shows the whole table, so name no RACE")
    import torch

    results: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "command": " ".join(["make bench", *options.patterns]),
        "machine": {
            "processor": processor(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "torch": torch.__version__,
        },
        "n_rounds": options.rounds,
        "races": {},
        "growths": {},
    }
    n_runs = sum(
        options.rounds * (1 + len(RACES[name].peers))
        if name in RACES
        else options.rounds * len(GROWTHS[name].sizes) - (options.rounds - 1) * len(GROWTHS[name].once)
        for name in wanted
    )
    try:
        with tqdm(total=n_runs, unit="run", disable=None) as progress:
            for name in wanted:
                progress.set_description(name)
                if name in RACES:
                    results["races"][name] = measure(RACES[name], options.rounds, progress)
                else:
                    results["growths"][name] = grow(GROWTHS[name], options.rounds, progress)
    finally:  # what has been measured is not lost, if a task fails or somebody stops it
        print(markdown(results))
    if options.publish:
        with atomic_path(STORED) as temporary:
            temporary.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        readme = with_table(README.read_text(encoding="utf-8"), markdown(results))
        with atomic_path(README) as temporary:
            temporary.write_text(readme, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nStopped: nothing was stored.", file=sys.stderr)
        sys.exit(130)
