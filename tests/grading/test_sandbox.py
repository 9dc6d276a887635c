"""The sandbox and its kernels: outputs as in a notebook, limits, nothing left, and what is told where none works."""

import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course_lib.grading import sandbox as sandbox_module
from course_lib.grading.bank import bank_answers
from course_lib.grading.records import load_record, record_path
from course_lib.grading.sandbox import Limits, Sandbox, SandboxedKernel, SandboxError
from course_lib.kernels import Kernel, KernelFailure
from tests.grading.classroom import BANK, Classroom

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
    assert "/inside.py" not in trace


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
            kernel.respond('{"ask": "f", "cases": [[]], "forbidden": []}')
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
    assert "was stopped after" in stopped[0]
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
def test_a_kernel_that_computes_too_long_is_stopped() -> None:
    sandbox = Sandbox(limits=Limits(cpu_seconds=1))
    with sandbox, SandboxedKernel(sandbox) as kernel, pytest.raises(KernelFailure, match="computes longer"):
        run(kernel, NEVER_ENDS)


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


FORGES = """
import socket, struct, os, stat
[talk] = [socket.socket(fileno=n) for n in range(3, 100) if os.path.exists(f"/proc/self/fd/{n}")]
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


# ---- Kernels start alike, and leave nothing ----


FILES = """
import os
for n in range(99):
    if os.path.lexists(f"/proc/self/fd/{n}"):
        print(os.readlink(f"/proc/self/fd/{n}").partition(":")[0])
"""


@needs_sandbox
def test_a_kernel_has_no_file_but_its_socket(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox) as kernel:
        assert text(kernel, FILES).split() == ["/dev/null"] * 3 + ["socket"]


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


@needs_sandbox
def test_fifty_kernels_leave_no_process_and_no_open_file(sandbox: Sandbox) -> None:
    with SandboxedKernel(sandbox):  # starts the server, should a test have killed it
        pass
    files, before = psutil.Process().num_fds(), {process: process.num_fds() for process in inside(sandbox)}
    for number in range(50):
        with SandboxedKernel(sandbox) as kernel:
            if number % 10 == 0:
                run(kernel, LEAVES)
    late = [process for process in inside(sandbox) if process not in before]
    assert not psutil.wait_procs(late, timeout=10)[1]
    assert psutil.Process().num_fds() == files
    assert {process: process.num_fds() for process in inside(sandbox)}.items() <= before.items()


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


# ---- Where there is none, or half of one ----


@needs_sandbox
def test_where_kernels_may_have_no_namespaces_each_has_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    walls = sandbox_module._walls
    monkeypatch.setattr(sandbox_module, "_walls", lambda folder: [*walls(folder), "--disable-userns"])
    with Sandbox(["numpy"]) as sandbox:
        assert not sandbox._nested
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
                kernel.respond('{"ask": "twice", "cases": [[3]], "forbidden": []}')
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
