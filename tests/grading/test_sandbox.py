"""The sandbox and its kernels: outputs as in a notebook, limits, nothing left, and what is told where none works."""

import contextlib
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course_grading import sandbox as sandbox_module
from course_grading import walls
from course_grading.bank import bank_answers
from course_grading.records import load_record, record_path
from course_grading.sandbox import (
    Limits,
    Sandbox,
    SandboxedKernel,
    SandboxError,
    ShortageError,
    outputs_from,
)
from course_lib.exercises.kernels import Kernel, KernelFailure, StoppedError
from tests.grading.attacks import exhaust
from tests.support.classroom import BANK, ROOT, Classroom

needs_sandbox = pytest.mark.needs("sandbox")
NEVER_ENDS = "while True: pass"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(["numpy.random"], Limits(memory=400_000_000)) as made:
        yield made


def run(kernel: SandboxedKernel | Kernel, source: str) -> list[NotebookNode]:
    cell = new_code_cell(source)
    kernel.run(cell)
    return cell.outputs


def text(kernel: SandboxedKernel, source: str) -> str:
    return "".join(output.get("text", "") for output in run(kernel, source))


# ---- Outputs ----

CELLS = {
    "print": "print('one'); print('two')",
    "stderr": "import sys\nprint('out')\nprint('err', file=sys.stderr)\nprint('out again')",
    "last expression": "6 * 7",
    "semicolon": "6 * 7;",
    "array": "import numpy as np\nnp.eye(2)",
    "display": "from IPython.display import display, HTML, Markdown\ndisplay(HTML('<b>x</b>'), Markdown('*y*'))\n'end'",
    "figure": "import matplotlib.pyplot as plt\nplt.plot([1, 2]);",
    "error": "def f(x):\n    return 1 / x\nprint('before')\nf(0)",
    "syntax error": "def f(x) return",
    "own error": "class Mine(BaseException):\n    pass\nraise Mine('é')",
    "warning": "import warnings\nwarnings.warn('careful')\n'done'",
    "progress bar": "from tqdm import tqdm\nfor _ in tqdm(range(3), disable=None):\n    pass",
    "cleared": "from IPython.display import clear_output\nprint('gone')\nclear_output()\nprint('here')",
    "shell": "!echo from the shell",
    "bash": "%%bash\necho from bash",
    "exit": "import sys\nsys.exit('over')",
}


VARIES = re.compile(r"\S*<ipython-input-[^>]*>|\S*\d\.py|0x[0-9a-f]+|\d+\.\d+it/s")


def told(outputs: list[NotebookNode]) -> dict[str, str]:
    """Return what a reader sees of outputs by their kind, without what a notebook's cell and things are called."""
    seen: dict[str, str] = {}
    for output in outputs:
        if output.output_type == "stream":
            kind, what = output.name, output.text
        elif output.output_type == "error":
            kind, what = output.ename, output.evalue
        else:
            kind, what = output.output_type, str({**output.data, "image/png": "image/png" in output.data})
        seen[kind] = seen.get(kind, "") + VARIES.sub("…", what)
    return seen


@pytest.fixture(scope="module")
def jupyters() -> Iterator[Kernel]:
    with Kernel() as kernel:
        yield kernel


@needs_sandbox
@pytest.mark.parametrize("name", CELLS)
def test_outputs_are_those_of_a_notebook(sandbox: Sandbox, jupyters: Kernel, name: str) -> None:
    with SandboxedKernel(sandbox) as kernel:
        assert told(run(kernel, CELLS[name])) == told(run(jupyters, CELLS[name]))


@needs_sandbox
def test_an_error_says_where_it_was_made(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        run(kernel, "def f(x):\n    return 1 / x")
        [error] = run(kernel, "y = 2\nf(0)")
    trace = "\n".join(error.traceback)
    assert "----> 2 f(0)" in trace
    assert "return 1 / x" in trace
    assert "/sandbox_server.py" not in trace


# ---- Limits ----


@needs_sandbox
def test_what_takes_too_long_is_stopped_and_the_rest_goes_on(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox, seconds_a_cell=0.7, seconds_a_request=0.5) as kernel:
        with pytest.raises(
            KernelFailure, match=r"^This cell was stopped after 1 seconds: does it ever end\?$"
        ):
            run(kernel, NEVER_ENDS)
        kernel.restart()
        run(kernel, f"def f():\n    {NEVER_ENDS}")
        with pytest.raises(
            KernelFailure, match=r"^Your code was stopped after 0 seconds: does it ever end\?$"
        ):
            kernel.respond('{"entry_point": "f", "cases": [[]], "forbidden": []}')
        kernel.restart()
        assert text(kernel, "print('f' in globals(), 6 * 7)") == "False 42\n"


@needs_sandbox
def test_many_cells_within_their_limits_do_not_exceed_the_submission_s(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox, seconds_a_cell=5, seconds=1) as kernel:
        stopped = []
        for _ in range(6):
            try:
                run(kernel, "import time; time.sleep(0.4)")
            except KernelFailure as failure:
                stopped.append(str(failure))
                kernel.restart()
    assert stopped[0] == "This cell was stopped: the time that a submission has is used up."
    assert stopped[1:] == ["This cell was not run: the time that a submission has is used up."] * len(
        stopped[1:]
    )
    assert len(stopped) >= 4


@needs_sandbox
@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import os; os._exit(0)", "made Python itself die"),
        ("import os; os.abort()", "made Python itself die"),
        ("import os, signal; os.kill(0, signal.SIGKILL)", None),
        (
            "import os; [os.fork() for _ in range(4)]; x = bytearray(b'x') * 10**8; import time; time.sleep(60)",
            "memory",
        ),
    ],
)
def test_why_a_kernel_died_is_told(sandbox: Sandbox, source: str, why: str | None) -> None:
    with SandboxedKernel(sandbox, seconds_a_cell=30) as kernel:
        if why is None:  # the first process of a namespace cannot be killed from within
            run(kernel, source)
        else:
            with pytest.raises(KernelFailure, match=why):
                run(kernel, source)
            kernel.restart()
        assert text(kernel, "print(6 * 7)") == "42\n"


@needs_sandbox
@pytest.mark.parametrize(
    "before", ["", "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"], ids=["heeds", "ignores"]
)
def test_a_kernel_that_computes_too_long_is_stopped(before: str) -> None:
    sandbox = Sandbox(limits=Limits(cpu_seconds=1))
    with sandbox, SandboxedKernel(sandbox) as kernel, pytest.raises(KernelFailure, match="computes longer"):
        run(kernel, before + NEVER_ENDS)


@needs_sandbox
def test_the_outputs_of_a_submission_are_limited_together(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_module, "LARGEST_OUTPUTS", 50_000)
    with SandboxedKernel(sandbox) as kernel:
        outputs = [text(kernel, "print('x' * 20_000)") for _ in range(4)]
    assert [len(output) > 20_000 for output in outputs] == [True, True, False, False]
    assert outputs[-1] == sandbox_module.TOO_MUCH


@needs_sandbox
def test_a_flood_is_cut_and_says_so(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        [output] = run(kernel, "for _ in range(10_000):\n    print('flood ' * 1000)")
    assert len(output.text) < 200_000
    assert "the rest of this output is left out" in output.text


@needs_sandbox
def test_an_error_after_many_outputs_is_seen_and_that_some_are_missing_is_said(sandbox: Sandbox) -> None:
    many = "import sys\nfor _ in range(60):\n    print(1)\n    print(2, file=sys.stderr)\n1 / 0"
    with SandboxedKernel(sandbox) as kernel:
        outputs = run(kernel, many)
    assert (outputs[-1].output_type, outputs[-1].ename) == ("error", "ZeroDivisionError")
    assert "the rest of this output is left out" in outputs[-2].text
    assert len(outputs) == 100


FORGES = """
import socket, struct, os, stat
import asyncio
loops = [file.fileno() for file in (asyncio.get_event_loop()._ssock, asyncio.get_event_loop()._csock)]
[talk] = [socket.socket(fileno=n) for n in range(3, 100)
          if n not in loops and os.path.exists(f"/proc/self/fd/{n}") and "socket" in os.readlink(f"/proc/self/fd/{n}")]
talk.settimeout(None)
data = b"[" + b"{}," * 9_000_000 + b"{}]"
talk.sendall(struct.pack("!Q", len(data)) + data)
"""


@needs_sandbox
def test_an_answer_of_too_many_values_is_not_parsed(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        tracemalloc.start()
        with pytest.raises(KernelFailure, match="far too large"):
            run(kernel, FORGES)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000  # parsed, it is a gigabyte
        tracemalloc.stop()
        kernel.restart()
        assert text(kernel, "print(6 * 7)") == "42\n"


# ---- What is seen of this machine ----


@needs_sandbox
def test_a_course_that_is_closed_to_others_can_be_graded_by_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, package = tmp_path / "sandbox_server.py", tmp_path / "course_lib"
    shutil.copyfile(sandbox_module.SERVER_FILE, inside)
    shutil.copytree(walls.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (inside, package, *package.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    monkeypatch.setattr(sandbox_module, "SERVER_FILE", inside)
    monkeypatch.setattr(walls, "PACKAGE", package)
    with Sandbox() as closed, SandboxedKernel(closed) as kernel:
        assert text(kernel, "from course_lib.exercises import hints; print(6 * 7)") == "42\n"


@needs_sandbox
def test_what_is_not_needed_is_not_there(sandbox: Sandbox) -> None:
    looks = f"""
import os
print(sorted(os.listdir("/usr")), sorted(os.listdir("/usr/share")), os.path.exists({str(ROOT / "solutions")!r}))
print([path for path in ("/usr/local/share/nbgrader", "/opt", "/srv", "/var", "/home", "/mnt") if os.path.exists(path)])
"""
    with SandboxedKernel(sandbox) as kernel:
        folders, outside = text(kernel, looks).splitlines()
    assert set(re.findall(r"'(.*?)'", folders)) <= {
        *("bin", "lib", "lib32", "lib64", "local", "share"),
        *("fonts", "fontconfig", "zoneinfo", "terminfo"),
    }
    assert folders.endswith("False")
    assert outside == "[]"


@needs_sandbox
@pytest.mark.parametrize("what", ["the exchange", "the home folder", "the course"])
def test_what_lies_below_something_shown_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    below = next(path for path in walls._needed() if path.startswith("/usr/lib/") and os.path.isdir(path))
    place = next(entry.path for entry in os.scandir(below) if entry.is_dir())
    walls.private_folders.cache_clear()
    monkeypatch.chdir(tmp_path)
    if what == "the exchange":
        (tmp_path / "nbgrader_config.py").write_text(f"c = get_config()\nc.Exchange.root = {place!r}\n")
    elif what == "the home folder":
        monkeypatch.setenv("HOME", place)
    else:
        monkeypatch.chdir(place)
    try:
        with pytest.raises(SandboxError, match=rf"Cause: {re.escape(place)} lies below .* Remedy: move it"):
            Sandbox().__enter__()
    finally:
        walls.private_folders.cache_clear()


@needs_sandbox
def test_a_disk_below_something_shown_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    library = next(path for path in walls._needed() if path.startswith("/usr/lib/") and os.path.isdir(path))
    disk = next(e.path for e in os.scandir(library) if e.is_dir() and os.listdir(e.path) and e.name != "blas")
    mounts = walls._mounts()
    monkeypatch.setattr(walls, "_mounts", lambda: [*mounts, os.path.realpath(disk)])
    with Sandbox(["numpy"]) as sandbox, SandboxedKernel(sandbox) as kernel:
        assert text(kernel, f"import os; print(os.listdir({disk!r}))") == "[]\n"


def test_of_the_package_nothing_else_that_lies_there_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "from" / "course_lib"
    kept = {
        "training.py",
        "figures/interactive.js",
        "figures/palette.json",
        "figures/fonts/our-sans.ttf",
        "ch/w.safetensors",
    }
    others = {
        *(
            "notes.txt",
            "training.py~",
            ".#training.py",
            "#training.py#",
            "training.py.orig",
            "marks.csv",
            "draft.ipynb",
        ),
        *(
            ".ipynb_checkpoints/training.py",
            "__pycache__/training.cpython-311.pyc",
            "ideas-2.py",
        ),
    }
    for name in kept | others:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("x")
    monkeypatch.setattr(walls, "PACKAGE", package)
    walls.copy_package(tmp_path / "to")
    copied = tmp_path / "to" / "course_lib"
    assert {str(path.relative_to(copied)) for path in copied.rglob("*") if path.is_file()} == kept


@needs_sandbox
def test_packages_in_a_folder_that_is_hidden_have_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    try:
        (folder / "only_here.py").write_text("answer = 42\n")
        (folder / "only_here.py").chmod(0o644)
        monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
        before = walls.package_folders()
        monkeypatch.setattr(walls, "package_folders", lambda: [*before, str(folder)])
        with Sandbox(["only_here"]) as sandbox, SandboxedKernel(sandbox) as kernel:
            assert text(kernel, "import only_here; print(only_here.answer, only_here.__file__)") == (
                f"42 /packages/{len(before)}/only_here.py\n"
            )
    finally:
        shutil.rmtree(folder)


@needs_sandbox
def test_without_the_grader_s_own_packages_nothing_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "package_files", lambda *_: {"numpy": "/course/numpy/__init__.py"})
    with pytest.raises(
        SandboxError, match=r"other packages than the grader's: numpy is .*Remedy: run 'make install'"
    ):
        Sandbox().__enter__()


# ---- What one submission may cost ----


class Explodes(dict[str, str]):
    def get(self, *_: object) -> str:
        raise AssertionError("this output was looked at")


def test_outputs_that_are_not_shown_are_not_looked_at() -> None:
    told = [{"output_type": "stream", "text": "x"}] * 100
    assert len(outputs_from([*told, Explodes()])) == 100


@needs_sandbox
def test_what_the_grader_takes_to_read_a_submission_counts(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox, seconds=2) as kernel:
        assert text(kernel, "print(1)") == "1\n"
        until = time.thread_time() + 2.1
        while time.thread_time() < until:
            pass
        with pytest.raises(KernelFailure, match="the time that a submission has is used up"):
            run(kernel, "print(2)")


@needs_sandbox
def test_what_is_interrupted_keeps_what_was_there(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox, seconds_a_cell=1) as kernel:
        run(kernel, "import subprocess, os\nx = 5")
        with pytest.raises(StoppedError):
            run(kernel, f"child = subprocess.Popen(['sleep', '99'])\nx = 6\n{NEVER_ENDS}")
        kernel.go_on(["x = 7"])
        assert text(kernel, "print(x, child.wait())") == "6 -9\n"
        with pytest.raises(StoppedError):
            run(kernel, "sum(iter(int, 1))")  # which cannot be interrupted
        kernel.go_on(["x = 7"])
        assert text(kernel, "print(x, 'child' in globals())") == "7 False\n"


@needs_sandbox
@pytest.mark.parametrize("times", [10, pytest.param(60, marks=pytest.mark.soak)])
def test_an_interrupt_never_meets_the_next_request(sandbox: Sandbox, times: int) -> None:
    with SandboxedKernel(sandbox, seconds_a_cell=0.3) as kernel:
        for seconds in np.linspace(0.27, 0.36, times):
            with contextlib.suppress(StoppedError):
                run(kernel, f"import time; time.sleep({seconds})")
            kernel.go_on([])
            assert text(kernel, "import time; time.sleep(0.1); print('innocent')") == "innocent\n"


@needs_sandbox
def test_a_late_answer_of_the_supervisor_s_is_not_taken_for_the_next(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        kernel._lifeline.sendall(b"t" + struct.pack("!d", 0.0))  # a question whose answer nobody reads
        time.sleep(0.2)
        kernel._waited(time.monotonic())
        time.sleep(0.2)
        kernel._lifeline.setblocking(False)
        with pytest.raises(BlockingIOError):  # nothing is left for the next to read
            kernel._lifeline.recv(1)
        assert not kernel._heard


def kill_from_outside(token: str) -> None:
    """Kill the kernel that has started `sleep TOKEN`, as a system does that runs out of memory."""
    while True:
        for process in psutil.process_iter(["cmdline"]):
            if process.info["cmdline"] == ["sleep", token]:
                process.parent().kill()
                return
        time.sleep(0.02)


@needs_sandbox
def test_who_was_killed_from_outside_is_not_blamed(sandbox: Sandbox) -> None:
    sleeps = "import subprocess, time; child = subprocess.Popen(['sleep', {!r}]); time.sleep(60)".format
    with ThreadPoolExecutor() as pool, SandboxedKernel(sandbox) as kernel:
        killing = pool.submit(kill_from_outside, "314151")
        with pytest.raises(ShortageError, match="killed from outside"):
            run(kernel, sleeps("314151"))
        killing.result()
        kernel.restart()
        with pytest.raises(KernelFailure):
            run(kernel, "import os; os._exit(0)")
        killing = pool.submit(kill_from_outside, "314152")
        with pytest.raises(ShortageError, match="killed from outside"):
            kernel.go_on([sleeps("314152")])
        killing.result()


@needs_sandbox
def test_starting_again_has_a_time_of_its_own_and_no_more() -> None:
    with (
        Sandbox(limits=Limits(seconds_again=1.5)) as sandbox,
        SandboxedKernel(sandbox, seconds_a_cell=5, seconds=30) as kernel,
    ):
        failures = []
        for _ in range(60):
            try:
                run(kernel, "import os; os._exit(0)")
            except KernelFailure as failure:
                failures.append(str(failure))
                kernel.go_on(["import time; time.sleep(0.1)"])
    died = failures.count("This cell made Python itself die.")
    assert 2 <= died <= 20
    assert failures[died:] == ["This cell was not run: the time that a submission has is used up."] * (
        60 - died
    )


@needs_sandbox
@pytest.mark.parametrize("attack", ["memory-bomb", "memory-behind-a-first-thread", "memory-in-sockets"])
def test_memory_counts_wherever_it_is(sandbox: Sandbox, attack: str) -> None:
    with (
        SandboxedKernel(sandbox, seconds_a_cell=60) as kernel,
        pytest.raises(KernelFailure, match="takes more memory than a submission may"),
    ):
        run(kernel, exhaust.ATTACKS[attack])


@needs_sandbox
def test_when_the_machine_is_short_of_memory_the_largest_is_stopped_and_nobody_is_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = Limits(memory=3_000_000_000)
    free, total = psutil.virtual_memory().available, psutil.virtual_memory().total
    monkeypatch.setattr(sandbox_module, "LEAST_MEMORY_LEFT", (free - 1_800_000_000) / total)
    with (
        Sandbox(limits=limits) as one,
        Sandbox(limits=limits) as other,
        SandboxedKernel(one, seconds_a_cell=60) as large,
        SandboxedKernel(other, seconds_a_cell=60) as small,
        ThreadPoolExecutor() as pool,
    ):
        taken = pool.submit(run, large, "x = bytearray(b'x') * 2_400_000_000\nimport time; time.sleep(50)")
        waits = pool.submit(text, small, "import time; time.sleep(8); print('innocent')")
        with pytest.raises(ShortageError, match="has not enough memory left: grade again"):
            taken.result()
        assert waits.result() == "innocent\n"


BUSY = """
import os
for _ in range(15):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
"""


@needs_sandbox
def test_who_is_kept_waiting_by_others_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "_take_core", lambda: (min(os.sched_getaffinity(0)), socket.socket()))
    with (
        Sandbox() as one,
        Sandbox() as other,
        SandboxedKernel(one) as busy,
        SandboxedKernel(other, seconds_a_cell=2) as honest,
    ):
        run(busy, BUSY)
        computes = "import time\nwhile time.process_time() < start + 0.2:\n    pass\nprint('done')"
        began = time.monotonic()
        assert text(honest, f"import time; start = time.process_time()\n{computes}") == "done\n"
        assert time.monotonic() - began > 2  # it was a trial at all


@needs_sandbox
def test_a_submission_has_one_core(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        assert text(kernel, "import os; print(len(os.sched_getaffinity(0)))") == "1\n"


# ---- Kernels start alike, and leave nothing ----


FILES = """
import os
for n in range(99):
    if os.path.lexists(f"/proc/self/fd/{n}"):
        print(os.readlink(f"/proc/self/fd/{n}").partition(":")[0])
"""


@needs_sandbox
def test_a_kernel_has_no_file_but_its_socket_and_its_loop_s(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        assert sorted(text(kernel, FILES).split()) == ["/dev/null"] * 3 + ["anon_inode"] + ["socket"] * 3


@needs_sandbox
def test_kernels_draw_their_own_random_numbers(sandbox: Sandbox) -> None:
    draw = "import random, uuid, numpy as np\nprint(random.random(), np.random.rand(), uuid.uuid4())"
    drawn = []
    for _ in range(4):
        with SandboxedKernel(sandbox) as kernel:
            drawn.append(text(kernel, draw).split())
    assert all(len(set(column)) == len(drawn) for column in zip(*drawn, strict=True))


LEAVES = """
import os, sys, subprocess, numpy as np
for folder in ("/tmp", "/dev/shm", "/", "/dev", "/student", "/etc", "/root", "/usr"):
    try:
        open(folder + "/left", "w").close()
    except OSError:
        pass
np.left = sys.left = os.environ["LEFT"] = "left"
subprocess.Popen(["sleep", "1000"])
os.chdir("/dev/shm")
"""
LOOKS = """
import os, sys, numpy as np
found = [top for top in ("/tmp", "/dev/shm", "/", "/dev", "/student", "/etc", "/root", "/usr")
         if os.path.exists(top + "/left")]
print(found, hasattr(np, "left"), hasattr(sys, "left"), "LEFT" in os.environ, os.getcwd(),
      [name for name in os.listdir("/proc") if name.isdecimal()], [n for n in globals() if n == "found"])
"""


@needs_sandbox
def test_nothing_is_left_of_the_kernel_before(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        first = text(kernel, LOOKS)
        run(kernel, LEAVES)
        assert text(kernel, LOOKS) != first
        kernel.restart()
        assert text(kernel, LOOKS) == first
    with SandboxedKernel(sandbox) as kernel:
        assert text(kernel, LOOKS) == first == "[] False False False /tmp ['1'] ['found']\n"


def inside(sandbox: Sandbox) -> list[psutil.Process]:
    """Return the sandbox's processes."""
    assert sandbox._server is not None
    server = psutil.Process(sandbox._server.pid)
    return [server, *server.children(recursive=True)]


def open_files(sandbox: Sandbox) -> dict[psutil.Process, int]:
    """Return how many files each process has open, once ten looks in a row agree: a kernel takes a while to end."""
    seen: list[dict[psutil.Process, int]] = []
    for _ in range(200):
        counts: dict[psutil.Process, int] = {}
        for process in inside(sandbox):
            with contextlib.suppress(psutil.NoSuchProcess):  # it ended between the two looks at it
                counts[process] = process.num_fds()
        seen.append(counts)
        if len(seen) >= 10 and all(other == counts for other in seen[-10:]):
            return counts
        time.sleep(0.05)
    raise AssertionError(f"the sandbox does not come to rest: {seen[-3:]}")


@needs_sandbox
def test_fifty_kernels_leave_no_process_and_no_open_file(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox):  # starts the server, should a test have killed it
        pass
    files, before = psutil.Process().num_fds(), open_files(sandbox)
    for number in range(50):
        with SandboxedKernel(sandbox) as kernel:
            if number % 10 == 0:
                run(kernel, LEAVES)
    assert open_files(sandbox) == before
    assert psutil.Process().num_fds() == files


@needs_sandbox
def test_a_sandbox_leaves_nothing_when_it_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module.tempfile, "tempdir", str(tmp_path))
    before = psutil.Process().num_fds()
    with Sandbox() as sandbox, SandboxedKernel(sandbox) as kernel:
        run(kernel, LEAVES)
        assert sandbox._server is not None
        processes = inside(sandbox)[1:]
        assert processes
    assert not psutil.wait_procs(processes, timeout=10)[1]
    assert psutil.Process().num_fds() == before
    assert not list(tmp_path.iterdir())


@needs_sandbox
def test_a_server_that_was_killed_is_started_again(sandbox: Sandbox) -> None:
    assert sandbox._server is not None
    sandbox._server.kill()
    sandbox._server.wait()
    with SandboxedKernel(sandbox) as kernel:
        assert text(kernel, "print(6 * 7)") == "42\n"


@needs_sandbox
def test_a_submission_written_before_a_move_finds_what_it_imports(sandbox: Sandbox) -> None:
    source = (
        "from course_lib import hints, plots\nfrom course_lib."
        + "corpus.tokenisers import PAD_ID\nprint(PAD_ID)"
    )
    with SandboxedKernel(sandbox) as kernel:
        assert text(kernel, source) == "0\n"


# ---- Where there is none, or half of one ----


@needs_sandbox
def test_where_kernels_may_have_no_namespaces_each_has_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    walls = sandbox_module._walls
    monkeypatch.setattr(sandbox_module, "_walls", lambda *told: [*walls(*told), "--disable-userns"])
    with Sandbox(["numpy"]) as sandbox:
        assert not sandbox.nested
        with SandboxedKernel(sandbox) as kernel:
            first = text(kernel, LOOKS)
            run(kernel, LEAVES)
            kernel.restart()
            assert text(kernel, LOOKS) == first
            assert first.startswith("[] False False False /tmp")
            assert text(
                kernel,
                "import os; print(os.getuid() != 0, os.listdir('/home') if os.path.exists('/home') else [])",
            )
            with pytest.raises(KernelFailure, match="made Python itself die"):
                run(kernel, "import os; os.abort()")
            kernel.restart()
            run(kernel, "twice = lambda x: 2 * x")
            assert (
                kernel.respond('{"entry_point": "twice", "cases": [[3]], "forbidden": []}')
                == '[{"value": 6, "changed": []}]'
            )


SAID = {
    "bwrap: setting up uid map: Permission denied": "AppArmor profile",
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user "
    "namespaces.": "kernel.unprivileged_userns_clone=1",
    "bwrap: Creating new namespace failed: Operation not permitted": "--security-opt seccomp=unconfined",
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted": "--cap-add SYS_ADMIN",
    "bwrap: Unknown option --remount-ro": "mend that",
    "": "the sandbox ended at once",
}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere that is the cause")
@pytest.mark.parametrize("said", SAID)
def test_a_sandbox_that_does_not_work_names_cause_and_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("PATH", str(fake_bubblewrap(tmp_path, said)))
    before = psutil.Process().num_fds()
    with pytest.raises(SandboxError) as caught, Sandbox():
        pass
    assert said in str(caught.value)
    assert SAID[said] in str(caught.value)
    assert psutil.Process().num_fds() == before


def fake_bubblewrap(folder: Path, said: str) -> Path:
    """Make a bubblewrap that fails; return the folder to look for it."""
    fake = folder / "bwrap"
    fake.write_text(f'#!/bin/sh\nprintf "%s" "{said}" >&2\nexit 1\n')
    fake.chmod(0o755)
    return folder


def test_where_there_is_no_bubblewrap_its_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        SandboxError, match=r"bubblewrap is not installed\. Remedy: 'sudo apt-get install bubblewrap'"
    ):
        Sandbox().__enter__()


def test_without_a_sandbox_nothing_is_graded_unless_that_is_wanted(tmp_path: Path) -> None:
    room = Classroom(tmp_path, ["ps01"])
    right = {
        name: next(
            answer for answer in bank_answers(BANK / "ps01" / name, question.points) if answer.is_right
        )
        for name, question in room.sets["ps01"].questions.items()
    }
    room.hand_in("ada", "ps01", right)
    gradebook = (tmp_path / "gradebook.db").read_bytes()
    (tmp_path / "bin").mkdir()

    def grade(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "course_lib.cli", "grade", "ps01", "--quiet", *arguments],
            cwd=tmp_path,
            env=os.environ | {"PATH": str(tmp_path / "bin")},
            capture_output=True,
            text=True,
            check=False,
        )

    refused = grade()
    assert refused.returncode == 1
    assert "bubblewrap is not installed. Remedy:" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert (tmp_path / "gradebook.db").read_bytes() == gradebook
    assert not (tmp_path / "autograded").exists()
    assert not record_path(tmp_path, "ps01", "ada").exists()

    done = grade("--unsafe")
    assert done.returncode == 0, done.stderr
    record = load_record(record_path(tmp_path, "ps01", "ada"))
    assert record.points == record.out_of > 0
