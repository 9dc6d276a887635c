"""Check everything that is here: style, types, doctests, tests, and every notebook against its stored outputs.

In what students get that is the doctests and the notebooks: it has no tests, and no tools that check style and types.

All steps run, whatever the earlier ones found; the exit code is 0 only if every one of them passed.
"""

import subprocess
import sys

from environment import ROOT, course_environment

PARTS = ("course_lib", "course_grading", "tools/grammar", "tests", "notebooks")
PYTEST = [
    "pytest",
    *(part for part in PARTS if (ROOT / part).is_dir()),
    *("--nbval", "--nbval-current-env", "--nbval-cell-timeout=300"),
    # One process a core, each file (and so each notebook) whole in one of them.
    *("--numprocesses=logical", "--maxprocesses=4", "--dist=loadfile"),
    "--no-loadscope-reorder",  # else those of few tests, which may be long, come last, and one process is idle
    "--max-worker-restart=0",  # a process that dies ends the run: with --dist=loadfile, one in its place never ends
]
STEPS = {
    "lint": ["ruff", "check"],
    "format": ["ruff", "format", "--check"],
    "types": ["mypy"],
    "tests and notebooks": PYTEST,
}
if not (ROOT / "tests").is_dir():  # what students have: the examples in the package, and the chapters
    STEPS = {"examples and notebooks": PYTEST}


def main() -> int:
    """Run the steps one after the other; return the exit code."""
    environment = course_environment()
    environment.setdefault("OMP_NUM_THREADS", "1")  # the cores are taken by the processes
    failed = []
    for step, module in STEPS.items():
        print(f"\n=== {step}: {' '.join(module[:2])}", flush=True)
        if subprocess.call([sys.executable, "-m", *module], cwd=ROOT, env=environment):
            failed.append(step)
    print(f"FAILED: {', '.join(failed)}" if failed else f"All passed: {', '.join(STEPS)}.")
    return bool(failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
