"""How long grading holds: a thousand kernels, a thousand submissions, floods. `make soak` runs it."""

import time
from pathlib import Path

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell

from course_grading.problem_sets import grade_id_of
from course_grading.sandbox import Sandbox, SandboxedKernel
from tests.support.classroom import WRITTEN, Classroom, mixed_class
from tests.support.grading import (
    NAME,
    cluster,
    expected,
    grading,
    in_gradebook,
    n_records,
    points,
    recorded,
    said,
    wait_until,
)

pytestmark = [pytest.mark.soak, pytest.mark.needs("sandbox")]
N_KERNELS, WARM_AFTER, LONGEST_START = 1000, 100, 30
N_STUDENTS, SEED = 1000, 20260107
SOME_MEMORY, MOST_MEMORY = (
    20_000_000,
    300_000_000,
)  # what a server may grow by; what a flood may cost the grader
HOURS = 3600


# ---- A thousand kernels ----


def server_of_the_sandbox() -> psutil.Process:
    [server] = [
        process
        for process in psutil.Process().children(recursive=True)
        if "/sandbox_server.py" in process.cmdline() and process.name() != "bwrap"
    ]
    return server


def what_is_held(server: psutil.Process) -> dict[str, int]:
    here = psutil.Process()
    return {
        "files here": here.num_fds(),
        "threads here": here.num_threads(),
        "processes": len(here.children(recursive=True)),
        "files of the server": server.num_fds(),
    }


def test_a_thousand_kernels_start_in_one_sandbox_and_leave_nothing():
    seconds = []
    with Sandbox(("torch", "matplotlib.pyplot")) as sandbox:
        server = server_of_the_sandbox()
        for number in range(N_KERNELS):
            if number == WARM_AFTER:
                before, memory = what_is_held(server), server.memory_info().rss
            cell = new_code_cell(f"import torch; print(torch.arange({number} + 1).sum().item())")
            started = time.monotonic()
            with SandboxedKernel(sandbox) as kernel:
                kernel.run(cell)
            seconds.append(time.monotonic() - started)
            assert cell.outputs[0].text == f"{number * (number + 1) // 2}\n"
        wait_until(lambda: all(n <= before[what] for what, n in what_is_held(server).items()))
        grown = server.memory_info().rss - memory
    seconds.sort()
    print(
        f"\n{N_KERNELS} kernels: median {seconds[N_KERNELS // 2]:.3f} s, longest {seconds[-1]:.3f} s;",
        end=" ",
    )
    print(f"the server grew by {grown / 1e6:.1f} MB; held, as after {WARM_AFTER}: {before}")
    assert seconds[-1] < LONGEST_START  # else it hung
    assert grown < SOME_MEMORY


# ---- A class of a thousand ----


def test_a_class_of_a_thousand_though_a_worker_and_the_grader_are_killed(tmp_path):
    room = Classroom(tmp_path, [NAME])
    room.chosen = mixed_class(room.sets[NAME], N_STUDENTS, SEED)
    for student, answers in room.chosen.items():
        room.hand_in(student, NAME, answers, WRITTEN)
    students = list(room.chosen)
    costs = {}
    with cluster(tmp_path) as (address, workers):
        for n in (10, 100):
            named = [f"--student={student}" for student in students[:n]]
            started = time.monotonic()
            with grading(room, 0, f"--scheduler={address}", "--again", *named) as command:
                assert command.wait(HOURS) == 0, said(room)
            costs[n] = (time.monotonic() - started) / n
        started = time.monotonic()
        with grading(room, 300, f"--scheduler={address}", seconds=HOURS) as command:
            workers[0].kill()
            wait_until(lambda: n_records(room) >= 500, HOURS)
            command.kill()
        done = n_records(room)
        assert 500 <= done < N_STUDENTS
        with grading(room, N_STUDENTS, f"--scheduler={address}", seconds=HOURS) as command:
            assert command.wait(HOURS) == 0, said(room)
        costs[N_STUDENTS] = (time.monotonic() - started) / (N_STUDENTS - 100)
    print()
    for n, cost in costs.items():
        print(f"a class of {n}: {cost:.2f} s a submission")
    assert points(recorded(room)) == in_gradebook(room) == expected(room)


# ---- Floods ----

FLOODS = {  # of 2 GB each, in so many cells
    "prints": ("for _ in range(2000):\n    print('x' * 1_000_000)\n", 1),
    "writes": ("import os\nfor _ in range(2000):\n    os.write(1, b'x' * 1_000_000)\n", 1),
    "answers": ("def conv1d(x, W, b):\n    return ['x' * 100_000_000] * 20\n", 1),
    "shows": (
        "from IPython.display import HTML\nfor _ in range(14):\n    display(HTML('x' * 1_900_000))\n",
        75,
    ),
    "forges": (
        """import os, stat, struct
for number in range(3, 256):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            os.write(number, struct.pack("!Q", 27_000_004) + b"[" + b"[]," * 9_000_000 + b"[]]")
    except OSError:
        pass
""",
        75,
    ),
}


def flood(room: Classroom, student: str, source: str, n_cells: int) -> None:
    """Hand in right answers, with a flood behind the first."""
    room.hand_in(student, NAME, room.chosen["all-right"])
    path = room.folder / "submitted" / student / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    [place] = [number for number, cell in enumerate(notebook.cells) if grade_id_of(cell) == "q1"]
    notebook.cells[place + 1 : place + 1] = [new_code_cell(source) for _ in range(n_cells)]
    nbformat.write(notebook, path)


def peaks(command: psutil.Process) -> dict[str, int]:
    """Follow the grader and its workers until they end; return the most memory that each kind has had."""
    found = {"grader": 0, "worker": 0}
    while command.is_running() and command.status() != psutil.STATUS_ZOMBIE:
        for kind, processes in (("grader", [command]), ("worker", command.children())):
            found[kind] = max([found[kind], *map(peak, processes)])
        time.sleep(0.05)
    return found


def peak(process: psutil.Process) -> int:
    """Return the most memory that a process has had, in bytes; 0 once it has ended."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def test_a_flood_costs_the_grader_little_memory(tmp_path):
    room = Classroom(tmp_path, [NAME])
    ours = room.sets[NAME]
    room.chosen = {"all-right": mixed_class(ours, 3, SEED)["all-right"]}
    room.hand_in("all-right", NAME, room.chosen["all-right"])
    with grading(room, 0, "--jobs=1") as command:
        quiet = peaks(command)
    for name, (source, n_cells) in FLOODS.items():
        flood(room, name, source, n_cells)
    with grading(room, 0, "--jobs=1", "--again") as command:
        flooded = peaks(command)
    more = {kind: flooded[kind] - quiet[kind] for kind in quiet}
    print()
    for kind in quiet:
        print(f"the {kind} takes {quiet[kind] / 1e6:.0f} MB, under floods {more[kind] / 1e6:.0f} MB more")
    assert max(more.values()) < MOST_MEMORY
    records = recorded(room)
    assert all(record.is_graded for record in records.values())
    right = points(records)["all-right"]
    assert {name: points(records)[name] for name in FLOODS if name != "forges"} == {
        "prints": right,
        "writes": right,
        "answers": right | {"q1": 0},
        "shows": right,
    }
