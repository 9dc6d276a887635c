"""Make `.venv` and install the course into it; return at once when that is done already.

The Makefile runs this under whatever Python it finds, so it uses the standard library only and keeps to the
syntax of Python 3.6: an interpreter that is too old must get as far as the sentence that says so.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "course-stamp"  # says what .venv was made from; "unfinished" until it is complete
CONSTRAINTS = "constraints.txt"
NEEDED_GB = 3  # with the CPU build of torch: 1.7 in .venv, the rest for pip's downloads
NEEDED_GB_CUDA = 10

# What pip's messages mean to the person reading them, tried in this order.
SYMPTOMS = (
    (
        r"No space left on device",
        "The disk is full: free some space here, and where TMPDIR and pip's cache are",
    ),
    (
        r"connection broken by|Max retries exceeded|NewConnectionError|name resolution",
        "pip reached no package index: check the network, a proxy, and pip's own settings ('pip config list')",
    ),
    (
        r"No matching distribution found",
        "pip found no build of the package named above for this machine: README.md lists the supported ones",
    ),
)


class SetupError(Exception):
    """What is wrong and what to do about it, in a sentence for the person at the keyboard."""


def supported_versions():
    """Return the oldest Python the course supports and the first that it does not, from pyproject.toml."""
    line = r'requires-python = ">=3\.(\d+),<3\.(\d+)"'
    oldest, end = re.search(line, (ROOT / "pyproject.toml").read_text(encoding="utf-8")).groups()
    return (3, int(oldest)), (3, int(end))


def check_interpreter():
    """Raise SetupError unless this Python can make the course's environment."""
    if os.name != "posix":
        raise SetupError(
            "On Windows the course runs inside WSL2: open a WSL2 terminal and start again there."
        )
    oldest, end = supported_versions()
    if not oldest <= sys.version_info[:2] < end:
        names = [f"python3.{minor}" for minor in range(end[1] - 1, oldest[1] - 1, -1)]
        here = [name for name in names if shutil.which(name) and runs(name)]
        remedy = "name another" if here else "install one of these and name it"
        raise SetupError(
            f"The course needs Python 3.{oldest[1]} to 3.{end[1] - 1} and this is {sys.version_info[0]}."
            f"{sys.version_info[1]}: {remedy}, as in 'make lab PYTHON={(here or names)[0]}'."
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise SetupError(
            "This Python cannot make virtual environments: install its 'venv' module"
            " (Debian, Ubuntu: 'sudo apt-get install python3-venv') and run the same command again."
        ) from None


def runs(name):
    """Return whether the command `name` is a Python that starts (a version manager's stand-in may not)."""
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.call([name, "-c", ""], **silent) == 0


def check_space():
    """Raise SetupError if the disk cannot hold the environment."""
    free = shutil.disk_usage(str(VENV if VENV.exists() else ROOT)).free / 1e9
    if free < NEEDED_GB:
        raise SetupError(
            f"The course needs {NEEDED_GB} GB of disk ({NEEDED_GB_CUDA} GB with a CUDA build of torch) and"
            f" {free:.1f} GB are free here: make room and run the same command again."
        )
    if free < NEEDED_GB_CUDA and sys.platform == "linux":
        print(
            f"{free:.0f} GB are free: enough for the CPU build of torch but not for a CUDA build, which needs"
            f" {NEEDED_GB_CUDA} GB; README.md says how to choose."
        )


def wanted_packages():
    """Return pip's arguments for what this folder holds: a student's, an instructor's, or a developer's course."""
    extras = "student,developer" if (ROOT / "tests").is_dir() else "student"
    packages = ["-e", f".[{extras}]"]
    if (ROOT / "course_grading").is_dir():
        packages += ["-e", "./course_grading"]
    return packages


def wanted_stamp():
    """Return what `.venv` must be made from: the interpreter and this place; the packages, and the lists of them."""
    wanted = wanted_packages()
    packages = hashlib.sha256(" ".join(wanted).encode())
    for name in ["pyproject.toml", CONSTRAINTS] + ["course_grading/pyproject.toml"] * (len(wanted) > 2):
        packages.update((ROOT / name).read_bytes())
    interpreter = f"Python {sys.version_info[0]}.{sys.version_info[1]} of {sys.base_prefix} for {ROOT}"
    return [interpreter, packages.hexdigest()]


def read_stamp():
    """Return the lines of the stamp; none if there is no `.venv`."""
    if STAMP.exists():
        return STAMP.read_text(encoding="utf-8").splitlines()
    if VENV.exists() and any(VENV.iterdir()):
        raise SetupError(
            "There is a folder .venv here that 'make' did not make: move it away and run the same command again."
        )
    return []


def write_stamp(lines):
    """Replace the stamp as a whole, so that it is never half written."""
    draft = STAMP.with_name("course-stamp.new")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(STAMP)


def empty_venv():
    """Delete what is in `.venv`, the stamp last; the folder stays, since it may be a link to a larger disk."""
    for entry in VENV.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(str(entry))
        elif entry != STAMP:
            entry.unlink()
    if STAMP.exists():
        STAMP.unlink()


def run(*command):
    """Run a command, its messages passed on, and return its exit code and messages; never leave it running."""
    process = subprocess.Popen(
        command, cwd=str(ROOT), stderr=subprocess.PIPE, universal_newlines=True, errors="replace"
    )
    messages = []
    try:
        for line in process.stderr:
            messages.append(line)
            sys.stderr.write(line)
        return process.wait(), "".join(messages)
    finally:
        for signal_number in (None, signal.SIGINT, signal.SIGKILL):  # after Ctrl-C it has had its signal
            if signal_number and process.poll() is None:
                process.send_signal(signal_number)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                continue
            break


def make_venv():
    """Make a new virtual environment in `.venv`."""
    base = getattr(sys, "_base_executable", None) or sys.executable  # not .venv's own, which goes
    VENV.mkdir(exist_ok=True)
    empty_venv()
    write_stamp(["unfinished"])
    code, _ = run(base, "-m", "venv", "--prompt", "course", str(VENV))
    if code:
        raise SetupError(f"'{base} -m venv .venv' failed; its message is above.")


def install_packages():
    """Have pip install the course and its packages at their pinned versions, from where its own settings say."""
    os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    python = str(VENV / "bin" / "python")
    # What builds the course, in an environment of its own, is pinned too: older versions of pip and newer ones differ.
    for name in ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"):
        os.environ[name] = (os.environ.get(name, "") + " " + CONSTRAINTS).strip()
    code, messages = run(python, "-m", "pip", "install", "-c", CONSTRAINTS, *wanted_packages())
    if code:
        meanings = [meaning for pattern, meaning in SYMPTOMS if re.search(pattern, messages)]
        meaning = (meanings or ["pip failed, so see its message above"])[0]
        raise SetupError(f"The course is not installed: {meaning}; then run the same command again.")


def install(made_from, wanted):
    """Bring `.venv` from what it was made from to what is wanted (two stamps), or leave nothing half-made."""
    anew = made_from[:1] != wanted[:1]
    if anew:
        check_space()
    try:
        if anew:
            make_venv()
        write_stamp(["unfinished"])
        install_packages()
    except BaseException as problem:
        if anew:
            empty_venv()
            if not VENV.is_symlink():
                VENV.rmdir()
        elif isinstance(problem, SetupError):
            write_stamp(made_from)  # pip changes nothing until it has everything: the old one still works
        raise
    write_stamp(wanted)


def main():
    """Install what is missing; return the exit code."""
    for signal_number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.default_int_handler)
    os.umask(0o022)  # .venv holds nothing private, and root grades as an account that owns nothing
    try:
        check_interpreter()
        import fcntl  # not on Windows, which check_interpreter has turned away

        with (ROOT / "pyproject.toml").open("rb+") as lock:  # two terminals at once: the second one waits
            fcntl.flock(lock, fcntl.LOCK_EX)
            made_from, wanted = read_stamp(), wanted_stamp()
            if made_from != wanted:
                started = time.time()
                print("Installing the course into .venv ...", flush=True)
                install(made_from, wanted)
                print(f"Installed in {time.time() - started:.0f} s.", flush=True)
    except SetupError as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted before the course was installed: run the same command again.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
