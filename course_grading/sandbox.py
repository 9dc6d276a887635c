"""The sandbox (bubblewrap) for students' code, and the client of the kernels that run in it.

Bubblewrap makes it, on Linux. In it there is no network, no home folder, and of the course only the package as students
have it. What runs inside is in `course_grading.sandbox_server`, and so is a picture of who starts whom.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Self

from nbformat import NotebookNode

from course_grading import walls
from course_grading.content import PICTURES, is_picture
from course_grading.sandbox_server import MOST_OUTPUTS
from course_grading.system_calls import MACHINES, calls_filter, stays_filter
from course_lib.exercises.kernels import SECONDS_A_CELL, SECONDS_A_REQUEST, KernelFailure, StoppedError

SERVER_FILE = Path(__file__).with_name("sandbox_server.py")
SECONDS_TO_START, SECONDS_TO_END = 120, 10
SECONDS_TO_CLEAR_UP, TIMES_TO_START = 1, 3
SECONDS_TO_STOP = 2  # what was interrupted; after that it is killed
SECONDS_A_SUBMISSION, SECONDS_AGAIN = 600, 300
MOST_PATIENCE = 10  # times as long as that, where others on the machine keep it waiting
SECONDS_WORTH_ASKING = 1  # whether it was kept waiting
SECONDS_TO_MEASURE = 30  # that; the supervisor, too, waits where a machine is busy
LEAST_MEMORY_LEFT = 0.03  # of the machine's
NEEDED = ("IPython", "matplotlib", "matplotlib_inline", "numpy")
LARGEST_MESSAGE, MOST_VALUES = 30_000_000, 1_000_000  # bytes, values in them; what has more is not read
LARGEST_OUTPUTS = 10_000_000  # characters, of all cells of a submission together
TOO_MUCH = "The outputs of this cell are left out: the notebook's outputs are too large.\n"
SHOWN = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg")


class SandboxError(RuntimeError):
    """There is no sandbox here. The message names cause and remedy."""


class ShortageError(RuntimeError):
    """A kernel had to be stopped for the machine's sake, not for what it did. The message says what to do."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use. The machine may be shared, so these are for each kernel, not for the class.

    Attributes
    ----------
    memory : int
        Bytes, beside the libraries that are loaded for all.
    cpu_seconds : int
        Of each process.
    file_size : int
        Bytes, of each file. All files together get 64 MiB, which is how large its two folders are.
    files, processes : int
        Open at a time.
    seconds_a_cell, seconds_a_request, seconds : float
        What takes longer is stopped; the last is for all together. While it waits for a core that others use, the
        clock stands still.
    seconds_again : float
        For starting again, and running once more what ran before something killed the kernel.
    """

    memory: int = 1_500_000_000
    cpu_seconds: int = 300
    file_size: int = 50_000_000
    files: int = 256
    processes: int = 128
    seconds_a_cell: float = SECONDS_A_CELL
    seconds_a_request: float = SECONDS_A_REQUEST
    seconds: float = SECONDS_A_SUBMISSION
    seconds_again: float = SECONDS_AGAIN


class Sandbox:
    """A sandbox, in which one kernel after another is started, each as if it were the first.

    Parameters
    ----------
    warm : sequence of str
        Modules that kernels begin with.
    limits : Limits

    Attributes
    ----------
    nested : bool
        Whether each kernel has namespaces of its own, of whose processes it is the first; else it has a sandbox of
        its own.

    Raises
    ------
    SandboxError
        When it is entered, if this machine cannot make one.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell
    >>> cell = new_code_cell("import os; print(os.listdir('/tmp'), 6 * 7)")
    >>> with Sandbox() as sandbox, SandboxedKernel(sandbox) as kernel:
    ...     kernel.run(cell)
    >>> cell.outputs[0].text
    '[] 42\\n'
    """

    def __init__(self, warm: Sequence[str] = (), limits: Limits = Limits()) -> None:  # it is frozen
        self._warm, self.limits = tuple(warm), limits
        self.nested = True
        self._core: tuple[int, socket.socket] | None = None
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start it, and make sure that kernels start in it."""
        self._folder = tempfile.TemporaryDirectory(prefix="course-sandbox-")
        os.chmod(self._folder.name, 0o755)
        students = Path(self._folder.name, "students")
        students.mkdir()
        walls.copy_package(students)
        server_file = shutil.copyfile(SERVER_FILE, Path(self._folder.name, SERVER_FILE.name))
        server_file.chmod(0o644)
        try:
            self._start()
            self._find_out_what_is_allowed()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        """Stop it, with all that runs in it."""
        self._stop()
        if self._core:
            self._core[1].close()
        self._folder.cleanup()

    def _start(self) -> None:
        """Start the server and wait until it is ready."""
        bubblewrap = shutil.which("bwrap")
        if sys.platform != "linux" or not bubblewrap:
            raise SandboxError(
                _remedy("bubblewrap is not installed" if sys.platform == "linux" else "no Linux")
            )
        try:
            places, stays = walls.shown(), stays_filter()
        except ValueError as error:
            raise SandboxError(_remedy(str(error))) from None
        self._core = self._core or _take_core()
        self._control, theirs = socket.socketpair()
        settings = asdict(self.limits) | {
            "control": theirs.fileno(),
            "nested": self.nested,
            "core": self._core[0],
            "stays": stays.hex(),
            "warm": self._warm,
            "packages": walls.package_files([*NEEDED, *self._warm], places),
            "least_memory_left": LEAST_MEMORY_LEFT,
            "socket_buffer": _socket_buffer(),
        }
        python = [os.path.realpath(sys.executable), "-P"]
        with theirs, tempfile.TemporaryFile() as complaints, _refused_calls() as refused:
            inner = [*_walls(self._folder.name, places), "--seccomp", str(refused.fileno())]
            command = [bubblewrap, *inner, "--", *python]
            if os.getuid() == 0:
                outer = _outer_walls(self._folder.name, [*places, os.path.realpath(bubblewrap)])
                command = [
                    bubblewrap,
                    *outer,
                    "--",
                    *python,
                    f"{self._folder.name}/sandbox_server.py",
                    *command,
                ]
            self._server = subprocess.Popen(
                [*command, "/sandbox_server.py", json.dumps(settings)],
                pass_fds=[theirs.fileno(), refused.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                start_new_session=True,  # Ctrl-C is for the grader, which stops this one itself
            )
            theirs.close()
            self._control.settimeout(SECONDS_TO_START)
            try:
                ready = self._control.recv(1)
            except TimeoutError:
                ready = b""
            if not ready:
                self._stop()
                complaints.seek(0)
                raise SandboxError(_remedy(complaints.read().decode("utf-8", "replace").strip()[-2000:]))

    def _stop(self) -> None:
        if self._server is not None:
            self._control.close()
            self._server.kill()  # bubblewrap dies, and with it the first process inside, and with that all others
            self._server.wait()
            self._server = None

    def _find_out_what_is_allowed(self) -> None:
        """Start a kernel; where that may not have namespaces of its own, do without: a sandbox for each kernel."""
        try:
            SandboxedKernel(self).__enter__().__exit__()
        except SandboxError:
            self.nested = False
            self._start_again()
            SandboxedKernel(self).__enter__().__exit__()

    def _start_again(self) -> None:
        self._stop()
        self._start()

    def fork(self) -> tuple[socket.socket, socket.socket]:
        """Start a kernel; return its channel and its lifeline: once that is shut, the kernel is killed.

        Raises
        ------
        SandboxError
            If there is no server to do so.
        """
        if not self.nested:
            self._start_again()  # what has run there may have met the server
        channel, their_channel = socket.socketpair()
        lifeline, their_lifeline = socket.socketpair()
        with their_channel, their_lifeline:
            for last_try in (False, True):
                try:
                    socket.send_fds(self._control, [b"."], [their_channel.fileno(), their_lifeline.fileno()])
                    break
                except OSError as error:
                    if last_try:
                        raise SandboxError(f"The sandbox has ended: {error}") from None
                    self._start_again()  # the system may have killed it for want of memory
        return channel, lifeline


def _take_core() -> tuple[int, socket.socket]:
    """Return a core that no other sandbox of this machine has, where there is one, and what keeps it taken.

    A submission has one core, however many processes it starts: it takes nothing from the others, and costs no more.
    """
    cores = sorted(os.sched_getaffinity(0))
    random.shuffle(cores)
    taken = socket.socket(socket.AF_UNIX)
    for core in cores:
        with contextlib.suppress(OSError):
            taken.bind(f"\0course-sandbox-core-{core}")  # which ends with this process
            return core, taken
    return cores[0], taken


def _socket_buffer() -> int:
    """Return how many bytes the system keeps for what was written to a socket and is not read."""
    try:
        return int(Path("/proc/sys/net/core/wmem_default").read_text())
    except (OSError, ValueError):
        return 212_992


def _walls(folder: str, places: dict[str, str]) -> list[str]:
    """Return bubblewrap's arguments for the sandbox; in the folder are what runs in it, and the students' package."""
    packages = [places[path] for path in walls.package_folders()]
    environment = {
        "HOME": "/tmp",
        "USER": "student",
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join([walls.STUDENTS, *packages]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",  # a process with threads cannot be forked safely
        "OPENBLAS_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }
    size = ("--perms", "1777", "--size", str(1 << 26))
    return [
        *("--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--hostname", "sandbox"),
        "--clearenv",
        *(word for name, value in environment.items() for word in ("--setenv", name, value)),
        *(word for path, place in places.items() for word in _bind(path, place)),
        *(word for place in walls.hidden(places) for word in ("--tmpfs", place, "--remount-ro", place)),
        *(
            "--ro-bind",
            f"{folder}/sandbox_server.py",
            "/sandbox_server.py",
            "--ro-bind",
            f"{folder}/students",
            walls.STUDENTS,
        ),
        *("--proc", "/proc", "--dev", "/dev", "--chdir", "/tmp"),
        *("--dev-bind", "/dev/null", "/dev/zero"),  # mapped and shared, it is memory on no process's account
        *(word for place in ("/tmp", "/dev/shm") for word in (*size, "--tmpfs", place)),
        # What is written elsewhere would be there for the next kernel.
        *("--remount-ro", "/", "--remount-ro", "/dev"),
    ]


@contextlib.contextmanager
def _refused_calls() -> Iterator[IO[bytes]]:
    """Give a file that tells bubblewrap which of the system's calls to refuse."""
    with tempfile.TemporaryFile() as file:
        try:
            file.write(calls_filter())
        except ValueError as error:
            raise SandboxError(_remedy(str(error))) from None
        file.seek(0)
        yield file


def _outer_walls(folder: str, paths: Iterable[str]) -> list[str]:
    """Return the arguments for the place in which root gives its rights up, and makes the sandbox as an ordinary user.

    Limits do not hold for root; and an ordinary user could not pass through root's own folders to what is shown.
    """
    return [
        *("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
        *(word for path in (*paths, folder) for word in _bind(path, path)),
        *("--bind", "/proc", "/proc", "--dev", "/dev"),
    ]


def _bind(path: str, place: str) -> Iterator[str]:
    """Yield bubblewrap's arguments to show a file or folder, in folders that anybody may pass through."""
    for parent in reversed(Path(place).parents[:-1]):
        yield from ("--dir", str(parent))
    yield from ("--ro-bind", path, place)


def _remedy(cause: str) -> str:
    """Say why there is no sandbox, and what to do about it."""
    if cause == "no Linux":
        remedy = "grade on Linux, or in a virtual machine or container that runs it"
    elif cause.startswith("the system calls"):
        remedy = f"grade on one of {', '.join(MACHINES)}"
    elif "other packages than the grader's" in cause:
        remedy = "run 'make install' in the course's folder, so that all its packages are in .venv"
    elif " lies at " in cause or " lies below " in cause:
        cause, _, remedy = cause.partition(": ")
    elif cause == "bubblewrap is not installed":
        remedy = "'sudo apt-get install bubblewrap' (Fedora: 'sudo dnf install bubblewrap')"
    elif "can't open file" in cause or "No module named" in cause:
        remedy = f"let other accounts read what Python needs: 'chmod -R go+rX {sys.prefix} {sys.base_prefix}'"
    elif any(word in cause for word in ("ermission", "not permitted", "uid map", "namespace")):
        remedy = (
            "let programs make namespaces: on Ubuntu 24.04 and later give bwrap an AppArmor profile with 'userns,'"
            " (or 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'); on other systems"
            " 'sudo sysctl kernel.unprivileged_userns_clone=1'; a container must be started with"
            " '--security-opt seccomp=unconfined --security-opt apparmor=unconfined --cap-add SYS_ADMIN'"
        )
    else:
        remedy = "what bubblewrap said is above: mend that"
    return (
        f"No sandbox works here, so no student's code is run. Cause: {cause or 'the sandbox ended at once'}."
        f" Remedy: {remedy}."
    )


class SandboxedKernel:
    """A fresh kernel in a sandbox, with the interface of `course_lib.exercises.kernels.Kernel`.

    Parameters
    ----------
    sandbox : Sandbox
        One that was entered.
    seconds_a_cell, seconds_a_request, seconds : int
        What takes longer is stopped; the last is for all together.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        seconds_a_cell: float = SECONDS_A_CELL,
        seconds_a_request: float = SECONDS_A_REQUEST,
        seconds: float = SECONDS_A_SUBMISSION,
    ) -> None:
        self._sandbox, self._left, self._left_again = sandbox, seconds, sandbox.limits.seconds_again
        self._seconds_a_cell, self._seconds_a_request = seconds_a_cell, seconds_a_request
        self._room = LARGEST_OUTPUTS
        self._is_alive, self._is_read_in_part = False, False
        self._computed = 0.0

    def __enter__(self) -> Self:
        """Start the kernel."""
        # From here on the grader reads, decodes and decides what the kernel sends.
        self._computed = time.thread_time()
        self._start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the kernel, and all that was started by it."""
        self._end()

    def _start(self) -> None:
        """Start a kernel; more than once, where the system is still busy with what kernels before have left."""
        for _ in range(TIMES_TO_START - 1):
            try:
                return self._start_once()
            except (SandboxError, ShortageError):
                time.sleep(SECONDS_TO_CLEAR_UP)
        return self._start_once()

    def _start_once(self) -> None:
        self._channel, self._lifeline = self._sandbox.fork()
        self._is_alive = True
        self._heard, self._last_words = b"", dict[str, Any]()
        try:
            self._ask({"cell": ""}, SECONDS_TO_START)
        except (KernelFailure, EOFError, TimeoutError):
            ended = self._end()
            if ended.get("why") in ("memory", "machine") or self._was_killed_from_outside(ended):
                raise ShortageError(
                    "No kernel starts: this machine has not enough memory left now."
                ) from None
            raise SandboxError(f"No kernel starts in the sandbox: {ended}") from None

    def restart(self) -> None:
        """Go on with a new kernel, in which nothing has been run."""
        self._end()
        self._start()

    def go_on(self, done: Sequence[str]) -> None:
        """Go on after a failure: where the kernel died of it, with a new one in which the same cells have been run.

        This has a time of its own, so that answers after the failure have theirs; once it is used up, nothing more of
        the submission is run.

        Parameters
        ----------
        done : sequence of str
            The sources of these cells.
        """
        if self._is_alive or self._left <= 0:
            return
        started = time.monotonic()
        self.restart()
        self._left_again -= time.monotonic() - started
        for source in done:
            started, waited = time.monotonic(), 0.0
            try:
                if self._left_again <= 0:
                    raise TimeoutError
                self._ask({"cell": source}, min(self._left_again, self._seconds_a_cell))
                waited = self._waited(started)
            except EOFError:
                self._why_it_died()  # where it was not the cell's fault, this says so
                self._left = 0
            except (TimeoutError, KernelFailure):  # it did not fail before: there is nothing to go on with
                self._end()
                self._left = 0
            self._left_again -= time.monotonic() - started - waited
            if self._left <= 0:
                return
        if self._left_again <= 0:
            self._left = 0

    def _end(self) -> dict[str, Any]:
        """Kill the kernel, wait until it is gone, and return how it ended."""
        self._is_alive = False
        self._channel.close()
        with contextlib.suppress(OSError):
            self._lifeline.shutdown(socket.SHUT_WR)
            self._lifeline.settimeout(SECONDS_TO_END)
            while self._hear():
                pass
        self._lifeline.close()
        return self._last_words

    def run(self, cell: NotebookNode) -> None:
        """Run a code cell and put what comes of it into its outputs. An error in it is one of these.

        Raises
        ------
        KernelFailure
            If the cell takes too long, or the kernel dies of it.
        ShortageError
            If the machine has not enough memory for it.
        """
        cell.outputs = []
        reply = self._ask_in_time({"cell": cell.source}, self._seconds_a_cell, "This cell")
        cell.outputs = outputs_from(reply)
        self._room -= len(json.dumps(cell.outputs))
        if self._room < 0:
            cell.outputs = outputs_from([{"output_type": "stream", "name": "stderr", "text": TOO_MUCH}])

    def respond(self, request: str, share: float = 1.0) -> str:
        """Let the kernel answer a request (`kernel_protocol.respond`) in a share of the time for one.

        Raises
        ------
        KernelFailure
            If no answer comes.
        ShortageError
            If the machine has not enough memory for it.
        """
        reply = self._ask_in_time({"respond": request}, share * self._seconds_a_request, "Your code")
        if not isinstance(reply, str):
            self._end()
            raise KernelFailure("The kernel gave no answer that can be read.")
        return reply

    def _ask_in_time(self, request: dict[str, str], seconds: float, what: str) -> Any:
        self._count_the_graders_time()
        if self._left <= 0:
            raise KernelFailure(f"{what} was not run: the time that a submission has is used up.")
        started, most = time.monotonic(), min(seconds, self._left)
        waited = 0.0
        try:
            return self._ask(request, most)
        except TimeoutError:
            waited = self._waited(started)
            if not self._obeys():
                self._end()
            if most < seconds:
                raise KernelFailure(
                    f"{what} was stopped: the time that a submission has is used up."
                ) from None
            raise StoppedError(f"{what} was stopped after {most:.0f} seconds: does it ever end?") from None
        except EOFError:
            raise KernelFailure(f"{what} {self._why_it_died()}") from None
        except KernelFailure:
            self._end()
            raise
        finally:
            taken = time.monotonic() - started
            if self._is_alive and taken > SECONDS_WORTH_ASKING and not waited:
                waited = self._waited(started)
            self._left -= taken - waited
            self._computed = time.thread_time()

    def _count_the_graders_time(self) -> None:
        """Count what it took this process to read, decode and decide what the kernel sent."""
        computed = time.thread_time()
        self._left -= computed - self._computed
        self._computed = computed

    def _waited(self, since: float) -> float:
        """Return for how many seconds the kernel had to wait for a core that others used."""
        with contextlib.suppress(OSError):
            self._lifeline.settimeout(SECONDS_TO_MEASURE)
            self._lifeline.sendall(b"t" + struct.pack("!d", since))
            while reply := self._hear():
                if reply.get("since") == since:  # and not a late answer to a question before
                    return float(reply["waited"])
        return 0.0

    def _hear(self) -> dict[str, Any]:
        """Return what the supervisor says next; nothing where it says no more. Its last words are kept."""
        while b"\n" not in self._heard:
            part = self._lifeline.recv(4096)
            if not part:
                return {}
            self._heard += part
        line, _, self._heard = self._heard.partition(b"\n")
        reply = dict(json.loads(line))
        if "why" in reply or "failed" in reply:
            self._last_words = reply
        return reply

    def _obeys(self) -> bool:
        """Interrupt the kernel, and return whether it is ready for the next request."""
        if self._is_read_in_part:
            return False
        try:
            self._lifeline.settimeout(SECONDS_TO_STOP)
            self._lifeline.sendall(b"i")
            while "interrupted" not in (reply := self._hear()):  # or it would meet the next request
                if not reply:
                    return False
            self._answer(time.monotonic() + SECONDS_TO_STOP)
        except (OSError, EOFError, KernelFailure):  # a TimeoutError is an OSError
            return False
        return True

    def _why_it_died(self) -> str:
        ended = self._end()
        if ended.get("why") == "machine":
            raise ShortageError(
                "This machine has not enough memory left: grade again, with fewer at a time ('course grade --jobs 1')."
            )
        if self._was_killed_from_outside(ended):
            raise ShortageError(
                "Its kernel was killed from outside, as a system does that runs out of memory: grade again."
            )
        if ended.get("why") == "memory":
            return "was stopped: it takes more memory than a submission may."
        if ended.get("why") == "ended" and ended.get("signal") == signal.SIGXCPU:
            return "was stopped: it computes longer than a submission may."
        if ended.get("why") == "ended" and ended.get("signal") == signal.SIGKILL:
            return "was stopped: it computes longer, or takes more memory, than a submission may."
        return "made Python itself die."

    def _was_killed_from_outside(self, ended: dict[str, Any]) -> bool:
        """Whether a kernel was killed that cannot have done so itself: the first process of its own may not."""
        is_killed = ended.get("why") == "ended" and ended.get("signal") == signal.SIGKILL
        return (
            is_killed and self._sandbox.nested and ended["computed"] < 0.9 * self._sandbox.limits.cpu_seconds
        )

    def _ask(self, request: dict[str, str], seconds: float) -> Any:
        """Send a request and return what comes back.

        Raises
        ------
        TimeoutError, EOFError
            If nothing comes in time; if the kernel has ended.
        KernelFailure
            If it is not what a kernel sends.
        """
        started, until = time.monotonic(), time.monotonic() + seconds
        data = json.dumps(request).encode()
        try:
            self._channel.settimeout(seconds)
            self._channel.sendall(struct.pack("!Q", len(data)) + data)
            return json.loads(self._answer(until, lambda: self._later(started, seconds)).decode("ascii"))
        except (TimeoutError, KernelFailure):
            raise
        except OSError:
            raise EOFError from None
        except (ValueError, RecursionError):
            raise KernelFailure("The kernel gave no answer that can be read.") from None

    def _later(self, started: float, seconds: float) -> float:
        """Return when a request must be answered, by what is known of how long the kernel was kept waiting."""
        return started + min(seconds + self._waited(started), MOST_PATIENCE * seconds)

    def _answer(self, until: float, later: Callable[[], float] | None = None) -> bytes:
        """Return the next message, which must have come until then, or until what `later` says by then."""
        self._is_read_in_part = False
        length = struct.unpack("!Q", self._receive(8, until, later))[0]
        message = self._receive(length, until, later) if length <= LARGEST_MESSAGE else b""
        if length > LARGEST_MESSAGE or sum(map(message.count, (b"[", b"{", b","))) > MOST_VALUES:
            raise KernelFailure("The kernel gave an answer that is far too large.")
        self._is_read_in_part = False
        return message

    def _receive(self, length: int, until: float, later: Callable[[], float] | None = None) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            left = until - time.monotonic()
            if left <= 0 and later:
                until = later()
                left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._channel.settimeout(left)
            try:
                part = self._channel.recv(min(length - len(parts), 1 << 20))
            except TimeoutError:
                continue
            if not part:
                raise EOFError
            parts += part
            self._is_read_in_part = True
        return bytes(parts)


def outputs_from(sent: Any) -> list[NotebookNode]:
    """Validate the untrusted outputs of a kernel; invalid ones are left out, and so are those beyond the limit.

    Examples
    --------
    >>> outputs_from([{"output_type": "stream", "name": "stdout", "text": "42"}, 7, {"output_type": "update"}])
    [{'output_type': 'stream', 'name': 'stdout', 'text': '42'}]
    >>> len(outputs_from([{"output_type": "stream"}] * 10_000))
    100
    """
    entries = sent[:MOST_OUTPUTS] if isinstance(sent, list) else []
    found = [_output(entry) for entry in entries if isinstance(entry, dict)]
    return [output for output in found if output is not None]


def _output(entry: dict[str, Any]) -> NotebookNode | None:
    """Make an output, of texts alone: nbformat's own checks of it would take a thousand times as long."""
    kind = entry.get("output_type")
    if kind == "stream":
        name = "stderr" if entry.get("name") == "stderr" else "stdout"
        return NotebookNode(output_type=kind, name=name, text=_text(entry.get("text")))
    if kind == "error":
        lines = entry.get("traceback")
        return NotebookNode(
            output_type=kind,
            ename=_text(entry.get("ename")),
            evalue=_text(entry.get("evalue")),
            traceback=[_text(line) for line in (lines[:MOST_OUTPUTS] if isinstance(lines, list) else [])],
        )
    data = entry.get("data")
    if kind in ("execute_result", "display_data") and isinstance(data, dict):
        texts = {name: _text(data[name]) for name in SHOWN if name in data}
        shown = {name: text for name, text in texts.items() if name not in PICTURES or is_picture(name, text)}
        number = {"execution_count": None} if kind == "execute_result" else {}
        return NotebookNode(output_type=kind, metadata=NotebookNode(), data=NotebookNode(shown), **number)
    return None


def _text(value: Any) -> str:
    """Return a text that can be written as UTF-8."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
