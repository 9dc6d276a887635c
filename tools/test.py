"""Check everything that is here: style, types, doctests, tests, and the notebooks against their stored outputs.

Of the pages *Deeper* a sixth is run, which sixth by the seed; `make soak` runs all of them.

In what students get that is the doctests and the notebooks: it has no tests, and no tools that check style and types.

All steps run, whatever the earlier ones found; the exit code is 0 only if every one of them passed.
Property tests draw other examples each time, in all processes from one seed, which is printed: HYPOTHESIS_SEED=123
make test draws those of the seed 123 again.
"""

import argparse
import os
import random
import subprocess
import sys
from typing import Any

from environment import ROOT, course_environment

PARTS = ("course_lib", "course_grading", "tools/grammar", "tests", "notebooks")
PYTEST = [
    "pytest",
    *(part for part in PARTS if (ROOT / part).is_dir()),
    *("--nbval", "--nbval-current-env", "--nbval-cell-timeout=300"),
    # One process a core, and two more, since tests wait: for a browser, a time limit, a process that is to die.
    # Each file (and so each notebook) is whole in one of them.
    *(f"--numprocesses={2 + min(6, os.cpu_count() or 1)}", "--dist=loadfile"),
    "--no-loadscope-reorder",  # else those of few tests, which may be long, come last, and one process is idle
    "--max-worker-restart=0",  # a process that dies ends the run: with --dist=loadfile, one in its place never ends
]
SEED = os.environ.get("HYPOTHESIS_SEED") or str(random.randrange(10**6))
DEEPER = sorted((ROOT / "notebooks" / "deeper").glob("*.ipynb"))
LEFT_OUT = [
    f"--ignore={path.relative_to(ROOT)}" for number, path in enumerate(DEEPER) if number % 6 != int(SEED) % 6
]
STEPS = {
    "lint": ["ruff", "check"],
    "format": ["ruff", "format", "--check"],
    "types": ["mypy"],
    "tests and notebooks": [*PYTEST, *LEFT_OUT, f"--hypothesis-seed={SEED}"],
}
if not (ROOT / "tests").is_dir():  # what students have: the examples in the package, and the chapters
    STEPS = {"examples and notebooks": [*PYTEST, *LEFT_OUT]}


MEANWHILE = "types"  # takes one core for half a minute, and has nothing to do with the others


def main() -> int:
    """Run the steps one after the other, and types beside them; return the exit code."""
    environment = course_environment()
    environment.setdefault("OMP_NUM_THREADS", "1")  # the cores are taken by the processes
    environment.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # else each of a thousand processes compiles the course anew
    environment["HYPOTHESIS_SEED"] = SEED  # by which some tests choose their share, in all processes alike

    def start(module: list[str], **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", *module], cwd=ROOT, env=environment, text=True, **options
        )

    aside = STEPS.get(MEANWHILE)
    beside = aside and start(aside, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    failed = []
    for step, module in sorted(STEPS.items(), key=lambda item: item[0] == MEANWHILE):  # its turn comes last
        seed = f" (HYPOTHESIS_SEED={SEED} draws the same examples again)" if step.startswith("tests") else ""
        print(f"\n=== {step}: {' '.join(module[:2])}{seed}", flush=True)
        process = beside if beside and step == MEANWHILE else start(module)
        print(process.communicate()[0] or "", end="", flush=True)
        if process.returncode:
            failed.append(step)
    print(f"FAILED: {', '.join(failed)}" if failed else f"All passed: {', '.join(STEPS)}.")
    return bool(failed)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
