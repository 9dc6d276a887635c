"""The sandbox in which students' code runs, and what runs there seen from outside: a kernel to send cells to.

Bubblewrap makes it, on Linux. In it there is no network, no home folder, and of the course only the package as students
have it. What runs inside is in :mod:`course_lib.grading.inside`, and so is a picture of who starts whom.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Self

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_lib.grading.inside import MOST_OUTPUTS
from course_lib.grading.system_calls import MACHINES, calls_filter
from course_lib.kernels import SECONDS_A_CELL, SECONDS_A_REQUEST, KernelFailure

INSIDE = Path(__file__).with_name("inside.py")
PACKAGE = Path(__file__).resolve().parent.parent
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
)
SECONDS_TO_START, SECONDS_TO_END = 120, 10
SECONDS_A_SUBMISSION = 600
LARGEST_MESSAGE, MOST_VALUES = 30_000_000, 1_000_000  # bytes, values in them; what has more is not read
LARGEST_OUTPUTS = 10_000_000  # characters, of all cells of a submission together
TOO_MUCH = "The outputs of this cell are left out: the notebook's outputs are too large.\n"
SHOWN = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg")


class SandboxError(RuntimeError):
    """There is no sandbox here. The message names cause and remedy."""


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
        What takes longer is stopped; the last is for all together.
    """

    memory: int = 1_500_000_000
    cpu_seconds: int = 300
    file_size: int = 50_000_000
    files: int = 256
    processes: int = 64
    seconds_a_cell: float = SECONDS_A_CELL
    seconds_a_request: float = SECONDS_A_REQUEST
    seconds: float = SECONDS_A_SUBMISSION


class Sandbox:
    """A sandbox, in which one kernel after another is started, each as if it were the first.

    Parameters
    ----------
    warm : sequence of str
        Modules that kernels begin with.
    limits : Limits

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
        self._warm, self._limits = tuple(warm), limits
        self._nested = True
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start it, and make sure that kernels start in it."""
        self._folder = tempfile.TemporaryDirectory(prefix="course-sandbox-")
        os.chmod(self._folder.name, 0o755)
        shutil.copytree(
            PACKAGE, Path(self._folder.name) / PACKAGE.name, ignore=shutil.ignore_patterns("grading")
        )
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
        self._folder.cleanup()

    def _start(self) -> None:
        """Start the server and wait until it is ready."""
        bubblewrap = shutil.which("bwrap")
        if sys.platform != "linux" or not bubblewrap:
            raise SandboxError(
                _remedy("bubblewrap is not installed" if sys.platform == "linux" else "no Linux")
            )
        self._control, theirs = socket.socketpair()
        settings = asdict(self._limits) | {
            "control": theirs.fileno(),
            "nested": self._nested,
            "warm": self._warm,
        }
        python = [os.path.realpath(sys.executable), "-P"]
        with theirs, tempfile.TemporaryFile() as complaints, _refused_calls() as refused:
            walls = [*_walls(self._folder.name), "--seccomp", str(refused.fileno())]
            command = [bubblewrap, *walls, "--", *python]
            if os.getuid() == 0:
                command = [bubblewrap, *_outer_walls(self._folder.name), "--", *python, str(INSIDE), *command]
            self._server = subprocess.Popen(
                [*command, "/inside.py", json.dumps(settings)],
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
            self._nested = False
            self._start_again()
            SandboxedKernel(self).__enter__().__exit__()

    def _start_again(self) -> None:
        self._stop()
        self._start()

    def fork(self) -> tuple[socket.socket, socket.socket]:
        """Start a kernel; return the socket to talk to it and the leash: once that is shut, the kernel is killed.

        Raises
        ------
        SandboxError
            If there is no server to do so.
        """
        if not self._nested:
            self._start_again()  # what has run there may have met the server
        talk, their_talk = socket.socketpair()
        leash, their_leash = socket.socketpair()
        with their_talk, their_leash:
            for last_try in (False, True):
                try:
                    socket.send_fds(self._control, [b"."], [their_talk.fileno(), their_leash.fileno()])
                    break
                except OSError as error:
                    if last_try:
                        raise SandboxError(f"The sandbox has ended: {error}") from None
                    self._start_again()  # the system may have killed it for want of memory
        return talk, leash


def _seen() -> list[str]:
    """Return what of this machine there is in the sandbox: the system's programs, Python and its packages."""
    packages = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    paths = dict.fromkeys([*SYSTEM, sys.base_prefix, sys.base_exec_prefix, *packages])
    return [word for path in paths if os.path.exists(path) for word in _bind(path)]


def _walls(folder: str) -> list[str]:
    """Return bubblewrap's arguments for the sandbox; in the folder is the students' part of the package."""
    packages = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    environment = {
        "HOME": "/tmp",
        "USER": "student",
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(["/student", *packages]),
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
        *_seen(),
        *("--ro-bind", str(INSIDE), "/inside.py", "--ro-bind", folder, "/student"),
        *("--proc", "/proc", "--dev", "/dev", "--chdir", "/tmp"),
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


def _outer_walls(folder: str) -> list[str]:
    """Return the arguments for the place in which root gives its rights up, and makes the sandbox as an ordinary user.

    Limits do not hold for root; and an ordinary user could not pass through root's own folders to what is shown.
    """
    rights = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    return [
        *rights,
        *_seen(),
        *_bind(str(INSIDE)),
        *_bind(folder),
        "--bind",
        "/proc",
        "/proc",
        "--dev",
        "/dev",
    ]


def _bind(path: str) -> Iterator[str]:
    """Yield bubblewrap's arguments to show a file or folder where it is, in folders that anybody may pass through."""
    for parent in reversed(Path(path).parents[:-1]):
        yield from ("--dir", str(parent))
    yield from ("--ro-bind", path, path)


def _remedy(cause: str) -> str:
    """Say why there is no sandbox, and what to do about it."""
    if cause == "no Linux":
        remedy = "grade on Linux, or in a virtual machine or container that runs it"
    elif cause.startswith("the system calls"):
        remedy = f"grade on one of {', '.join(MACHINES)}"
    elif cause == "bubblewrap is not installed":
        remedy = "'sudo apt-get install bubblewrap' (Fedora: 'sudo dnf install bubblewrap')"
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
    """A kernel in a sandbox, with nothing in it yet. Used as :class:`course_lib.kernels.Kernel` is.

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
        self._sandbox, self._left = sandbox, seconds
        self._seconds_a_cell, self._seconds_a_request = seconds_a_cell, seconds_a_request
        self._room = LARGEST_OUTPUTS

    def __enter__(self) -> Self:
        """Start the kernel."""
        self._talk, self._leash = self._sandbox.fork()
        try:
            self._ask({"cell": ""}, SECONDS_TO_START)
        except (KernelFailure, EOFError, TimeoutError):
            raise SandboxError(f"No kernel starts in the sandbox: {self._end()}") from None
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the kernel, and all that was started by it."""
        self._end()

    def restart(self) -> None:
        """Go on with a new kernel, in which nothing has been run."""
        self._end()
        self.__enter__()

    def _end(self) -> dict[str, Any]:
        """Kill the kernel, wait until it is gone, and return how it ended."""
        self._talk.close()
        told = b""
        with contextlib.suppress(OSError):
            self._leash.shutdown(socket.SHUT_WR)
            self._leash.settimeout(SECONDS_TO_END)
            while part := self._leash.recv(4096):
                told += part
        self._leash.close()
        with contextlib.suppress(ValueError):
            return dict(json.loads(told))
        return {}

    def run(self, cell: NotebookNode) -> None:
        """Run a code cell and put what comes of it into its outputs. An error in it is one of these.

        Raises
        ------
        KernelFailure
            If the cell takes too long, or the kernel dies of it.
        """
        cell.outputs = []
        told = self._ask_in_time({"cell": cell.source}, self._seconds_a_cell, "This cell")
        cell.outputs = outputs_from(told)[:MOST_OUTPUTS]
        self._room -= len(json.dumps(cell.outputs))
        if self._room < 0:
            cell.outputs = [new_output("stream", name="stderr", text=TOO_MUCH)]

    def respond(self, request: str) -> str:
        """Let the kernel answer a request (:func:`course_lib.answers.respond`).

        Raises
        ------
        KernelFailure
            If no answer comes.
        """
        told = self._ask_in_time({"respond": request}, self._seconds_a_request, "Your code")
        if not isinstance(told, str):
            raise KernelFailure("The kernel gave no answer that can be read.")
        return told

    def _ask_in_time(self, request: dict[str, str], seconds: float, what: str) -> Any:
        if self._left <= 0:
            raise KernelFailure(f"{what} was not run: the time that a submission has is used up.")
        started = time.monotonic()
        try:
            return self._ask(request, min(seconds, self._left))
        except TimeoutError:
            raise KernelFailure(
                f"{what} was stopped after {min(seconds, self._left):.0f} seconds: does it ever end?"
            ) from None
        except EOFError:
            raise KernelFailure(f"{what} {self._why_it_died()}") from None
        finally:
            self._left -= time.monotonic() - started

    def _why_it_died(self) -> str:
        ended = self._end()
        if ended.get("why") == "memory":
            return "was stopped: it takes more memory than a submission may."
        if ended.get("why") == "ended" and ended.get("signal") == signal.SIGKILL:
            return "was stopped: it computes longer, or takes more memory, than a submission may."
        return "made Python itself die."

    def _ask(self, request: dict[str, str], seconds: float) -> Any:
        """Send a request and return what comes back.

        Raises
        ------
        TimeoutError, EOFError
            If nothing comes in time; if the kernel has ended.
        KernelFailure
            If it is not what a kernel sends.
        """
        until = time.monotonic() + seconds
        data = json.dumps(request).encode()
        try:
            self._talk.settimeout(seconds)
            self._talk.sendall(struct.pack("!Q", len(data)) + data)
            length = struct.unpack("!Q", self._receive(8, until))[0]
            message = self._receive(length, until) if length <= LARGEST_MESSAGE else b""
            if length > LARGEST_MESSAGE or sum(map(message.count, (b"[", b"{", b","))) > MOST_VALUES:
                raise KernelFailure("The kernel gave an answer that is far too large.")
            return json.loads(message.decode("ascii"))
        except (TimeoutError, KernelFailure):
            raise
        except OSError:
            raise EOFError from None
        except (ValueError, RecursionError):
            raise KernelFailure("The kernel gave no answer that can be read.") from None

    def _receive(self, length: int, until: float) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._talk.settimeout(left)
            part = self._talk.recv(min(length - len(parts), 1 << 20))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)


def outputs_from(told: Any) -> list[NotebookNode]:
    """Return what a kernel says are a cell's outputs as outputs; what is none is left out.

    Examples
    --------
    >>> outputs_from([{"output_type": "stream", "name": "stdout", "text": "42"}, 7, {"output_type": "update"}])
    [{'output_type': 'stream', 'name': 'stdout', 'text': '42'}]
    """
    found = [_output(entry) for entry in (told if isinstance(told, list) else []) if isinstance(entry, dict)]
    return [output for output in found if output is not None]


def _output(told: dict[str, Any]) -> NotebookNode | None:
    kind = told.get("output_type")
    if kind == "stream":
        return new_output(
            "stream",
            name="stderr" if told.get("name") == "stderr" else "stdout",
            text=_text(told.get("text")),
        )
    if kind == "error":
        lines = told.get("traceback")
        return new_output(
            "error",
            ename=_text(told.get("ename")),
            evalue=_text(told.get("evalue")),
            traceback=[_text(line) for line in (lines if isinstance(lines, list) else [])],
        )
    data = told.get("data")
    if kind in ("execute_result", "display_data") and isinstance(data, dict):
        return new_output(kind, data={name: _text(data[name]) for name in SHOWN if name in data})
    return None


def _text(value: Any) -> str:
    """Return a text that can be written as UTF-8."""
    return str(value).encode("utf-8", "replace").decode() if value is not None else ""
