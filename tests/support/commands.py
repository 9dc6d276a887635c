"""Python commands without their imports: each runs in a process forked from one that has imported what they need.

`python -m nbgrader` and `python -m course_lib.cli grade` spend seconds on imports before they do anything, and the
tests call them a hundred times. What a fork differs in from a start of its own: modules that are imported already, and
nothing else. Commands that tests kill, or run as other accounts, are started as usual.
"""

import atexit
import gc
import json
import os
import runpy
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not the modules that are run: runpy warns of those that it finds imported.
IMPORTED = (
    "nbgrader.apps.nbgraderapp",
    "nbgrader.plugins",
    "nbgrader.converters",
    "nbgrader.server_extensions.formgrader",
    "course_grading.batch",
    "course_grading.nbgrader_plugin",
    "course_grading.export",
)


class Forker:
    """A process that has imported what commands need, and forks for each of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        ours, its = socket.socketpair()
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(its.fileno())],
                cwd=ROOT,
                pass_fds=[its.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self._channel = ours.makefile("rw", encoding="utf-8")
        ours.close()

    def run(
        self, module: str, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Run a module as `python -m` does in a folder; return its exit code and what it printed."""
        umask = os.umask(0)
        os.umask(umask)
        with tempfile.TemporaryDirectory() as scratch, self._lock:
            printed = [Path(scratch, "output"), Path(scratch, "error")]
            request = {
                "module": module,
                "arguments": list(arguments),
                "folder": str(folder),
                "environment": dict(environment),
                "umask": umask,
                "files": [str(path) for path in printed],
            }
            self._channel.write(json.dumps(request) + "\n")
            self._channel.flush()
            answer = self._channel.readline()
            assert answer, "the process that forks has ended"
            texts = [path.read_text(encoding="utf-8") for path in printed]
        return subprocess.CompletedProcess([module, *arguments], int(answer), *texts)

    def close(self) -> None:
        """Let the process end, and wait until it has."""
        self._channel.close()
        self._process.wait()


@cache
def forker() -> Forker:
    """Start this process's forker, which ends when this process does."""
    started = Forker()
    atexit.register(started.close)
    return started


def run_module(
    module: str, *arguments: str, folder: Path, environment: Mapping[str, str] = os.environ
) -> subprocess.CompletedProcess[str]:
    """Run a module as `python -m` does, but for its imports; return its exit code and what it printed."""
    return forker().run(module, arguments, folder, environment)


# ---- In the process that forks ----


def serve(channel: Any) -> dict[str, Any] | None:
    """Fork for each request and answer with the exit code; return the request in the fork, None at the end."""
    for line in channel:
        request: dict[str, Any] = json.loads(line)
        process = os.fork()
        if not process:
            return request
        _, status = os.waitpid(process, 0)
        channel.write(f"{os.waitstatus_to_exitcode(status)}\n")
        channel.flush()
    return None


def become(request: Mapping[str, Any]) -> None:
    """Make this process what a new one would be, and run the module to its end."""
    for number, path in enumerate(request["files"], 1):
        file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["folder"])
    os.umask(request["umask"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[0] = request["folder"]
    sys.argv[1:] = request["arguments"]
    runpy.run_module(request["module"], run_name="__main__", alter_sys=True)


def main() -> None:
    """Import what commands need, and fork until the other end is closed."""
    for name in IMPORTED:
        __import__(name)
    gc.freeze()  # what all forks share is not theirs to collect
    with socket.socket(fileno=int(sys.argv[1])) as ours:
        channel = ours.makefile("rw", encoding="utf-8")
        request = serve(channel)
    channel.close()
    if request:
        become(request)


if __name__ == "__main__":
    main()
