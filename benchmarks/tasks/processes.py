"""Train on two cores: in one process with one thread or two, or in two processes that share each batch.

    python processes.py {thread,threads,processes}

100 steps of `course train` with its own settings, on the course's own corpus, in float32; batches of 1,000 target
positions.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import report

TORCHRUN = ["torch.distributed.run", "--standalone", "--nproc-per-node=2", "-m"]
LAUNCHERS = {"thread": (1, []), "threads": (2, []), "processes": (1, TORCHRUN)}
OPTIONS = [
    *("--steps", "100", "--batch-tokens", "1000", "--validate-every", "1000000", "--precision", "float32"),
    *("--device", "cpu", "--quiet"),
]

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("contestant", choices=LAUNCHERS)
n_threads, launcher = LAUNCHERS[parser.parse_args().contestant]
with tempfile.TemporaryDirectory() as folder:
    run = Path(folder, "run")
    subprocess.run(
        [sys.executable, "-m", *launcher, "course_lib.train", str(run), *OPTIONS],
        env=os.environ | {"OMP_NUM_THREADS": str(n_threads)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (record,) = json.loads((run / "history.json").read_text(encoding="utf-8"))["training"]
report(seconds=record["seconds"] / record["tokens"])
