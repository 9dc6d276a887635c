"""What all tests share: the tools some of them need, how a missing one is told, and hypothesis's profile.

A test that needs something a machine may lack says so, and is skipped with the remedy where it is missing:

    @pytest.mark.needs("sandbox")
    def test_…(): …

    def test_…(corpus_folder): …   # this fixture, and browser_path, ask for what they return

With COURSE_REQUIRE_ALL=1 (continuous integration) a skip is a failure, except for want of a GPU or of a
corpus that was not handed over.
"""

import os
import shutil
import signal
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

os.environ.setdefault(
    "OMP_NUM_THREADS", "1"
)  # before torch is imported: models so small are slower with more
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # started in the background of a shell without job control
    signal.signal(signal.SIGINT, signal.default_int_handler)  # or what tests start would ignore Ctrl-C, too

collect_ignore_glob = ["*conftest.py", "bank/*"]  # no tests in these; two modules of one name confuse pytest

ROOT = Path(__file__).resolve().parents[1]
REQUIRE_ALL = bool(os.environ.get("COURSE_REQUIRE_ALL"))
settings.register_profile("course", deadline=None, derandomize=False, print_blob=True)  # in CI, too
settings.load_profile("course")


UMASK = os.umask(0o022)  # the course's commands change it, in fixtures, too
os.umask(UMASK)


class Need(NamedTuple):
    """Something that a test needs: whether it is here, what to say if not, whether CI may lack it."""

    is_here: Callable[[], bool]
    missing: str
    may_lack: bool = False


@cache
def chromium() -> str | None:
    """Return the path of a browser for the tests to drive, if there is one."""
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), None)


@cache
def sandbox_works() -> bool:
    """Return whether bubblewrap is here and the system lets it make a sandbox."""
    if not shutil.which("bwrap"):
        return False
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@cache
def gpu_is_here() -> bool:
    """Return whether torch sees a GPU."""
    import torch

    return torch.cuda.is_available()


def corpus_path() -> str | None:
    """Return the folder of the real corpus as handed over, if one was."""
    return os.environ.get("COURSE_CORPUS") or None


NEEDS = {
    "browser": Need(lambda: chromium() is not None, "no Chromium here — install chromium (apt.txt)"),
    "sandbox": Need(
        sandbox_works,
        "no sandbox here — install bubblewrap (apt.txt) on a Linux that allows user namespaces",
    ),
    "accounts": Need(
        lambda: os.geteuid() == 0 and bool(shutil.which("setpriv")) and sandbox_works(),
        "no other accounts here — run the tests as root, with bubblewrap (apt.txt)",
        may_lack=True,
    ),
    "node": Need(
        lambda: bool(shutil.which("node") and shutil.which("npm")),
        "no Node here — install nodejs and npm to rebuild the browser figures",
        may_lack=True,
    ),
    "gpu": Need(gpu_is_here, "no GPU here — run the tests on a machine with one", may_lack=True),
    "corpus": Need(
        lambda: Path(corpus_path() or "/dev/null").is_dir(),
        "no corpus here — set COURSE_CORPUS to a folder with train.en.gz, train.fr.gz and so on",
        may_lack=corpus_path() is None,
    ),
}


def require(name: str) -> None:
    """Skip the running test if what is called `name` in NEEDS is not here."""
    if not NEEDS[name].is_here():
        pytest.skip(NEEDS[name].missing)


@pytest.fixture(scope="session")
def corpus_folder() -> Path:
    """Return the folder of the real corpus."""
    require("corpus")
    return Path(os.environ["COURSE_CORPUS"])


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Return the path of a Chromium browser."""
    require("browser")
    return chromium() or ""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"needs(*names): skip unless these are here: {', '.join(NEEDS)}")
    config.addinivalue_line(
        "markers",
        "share(n): `make test` runs each n-th case of the test, of such tests of a file, or of such files, "
        "by its seed; `make soak` all",
    )


def leave_to_soak(items: list[pytest.Item], seed: int | None) -> None:
    """Mark with `soak` what is marked `share(n)` and is not this seed's turn; without a seed, all of it.

    In turn come: the cases of a parametrised test; plain tests of one file; whole files that bear the mark themselves.
    """
    turns: dict[Any, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        if item.get_closest_marker("soak"):
            continue
        for node, mark in item.iter_markers_with_node("share"):
            whole_file = isinstance(node, pytest.Module)
            test, bracket, _ = item.nodeid.partition("[")
            among = "files" if whole_file else test if bracket else item.path
            turns[among, mark.args[0]][node.nodeid if whole_file else item.nodeid].append(item)
    for (_, n), units in turns.items():
        for number, unit in enumerate(units.values()):
            if seed is None or number % n != seed % n:
                for item in unit:
                    item.add_marker("soak")


@pytest.hookimpl(tryfirst=True)  # before pytest looks which tests are for `make soak`
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave its part to `make soak`, and put first the files that take longest.

    So that no process is left with one when the others have ended. Those are the files whose tests wait for something
    outside, a browser, the sandbox or other accounts, those with most such tests first; then the chapters, each with a
    kernel; then what trains. Where `make test` has given no seed, as when one test is run by its name, nothing is left
    out.
    """
    seed = os.environ.get("HYPOTHESIS_SEED")
    if config.option.markexpr == "soak":
        leave_to_soak(items, None)
    elif seed:
        leave_to_soak(items, int(seed))
    waiting = Counter(item.path for item in items if any(item.iter_markers("needs")))
    tests = ROOT / "tests"  # what stands in it itself trains, installs, starts processes
    items.sort(
        key=lambda item: (-waiting[item.path], item.path.suffix != ".ipynb", item.path.parent != tests)
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    os.umask(UMASK)  # before any fixture of this test
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            require(name)


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test was skipped, as its author put it."""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def judge_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure where nothing may be skipped."""
    if not report.skipped or hasattr(report, "wasxfail") or not REQUIRE_ALL:
        return
    reason = skip_reason(report)
    if reason not in (need.missing for need in NEEDS.values() if need.may_lack):
        report.outcome = "failed"
        report.longrepr = f"Skipped, which COURSE_REQUIRE_ALL forbids: {reason}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    judge_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    report = yield
    judge_skip(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was skipped and what would run it."""
    skipped = Counter(map(skip_reason, terminalreporter.stats.get("skipped", [])))
    if skipped:
        terminalreporter.section("skipped, and what would run it")
        for reason, count in skipped.items():
            terminalreporter.write_line(f"{count} × {reason}")
