"""What runs in the sandbox: a server that has the libraries loaded, and forks a kernel for each submission.

This file is bound into the sandbox by itself (:mod:`course_lib.grading.sandbox` starts it), beside the students' part
of the package. Four processes, each inside the one before::

    the grader          has the checks, the gradebook and the network; is not in the sandbox
    └─ the server       in the sandbox; runs no student's code, so all kernels start alike
       └─ a keeper      for each kernel: kills it, with all that it started, when the grader lets go of the leash
          └─ a kernel   in namespaces of its own, under limits; runs the student's code

The grader and a kernel talk through a socket: JSON after eight bytes that give its length. All that comes out of a
kernel may have been forged by what runs in it.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import gc
import importlib
import io
import json
import os
import random
import resource
import select
import signal
import socket
import struct
import sys
from typing import Any

# Of a cell's outputs: their number, and characters.
MOST_OUTPUTS, LONGEST_TEXT, LARGEST_DATA = 100, 100_000, 2_000_000
CUT = "\n… the rest of this output is left out: there is too much of it.\n"
NEW_USER, NEW_PID, NEW_MOUNT, NEW_IPC, NEW_NET = 0x10000000, 0x20000000, 0x00020000, 0x08000000, 0x40000000
PRIVATE, NOSUID, NODEV = 0x40000 | 0x4000, 0x2, 0x4  # of mount(2); the first for all that lies below, too
SECONDS_BETWEEN_LOOKS = 0.2
NOBODY = 65534
LEAST_MEMORY_LEFT = 0.03  # of the machine's
CALLS = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Serve: each byte that comes brings a kernel's socket and its leash."""
    settings = json.loads(sys.argv[1])
    control = socket.socket(fileno=settings["control"])
    shell = make_shell()
    for name in settings["warm"]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # what is here stays: no page of it is copied because the collector has touched it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers that end leave nothing behind
    control.send(b"!")
    while True:
        wanted, sockets, _, _ = socket.recv_fds(control, 1, 2)
        if not wanted:
            return
        if os.fork() == 0:
            control.close()
            talk, leash = (socket.socket(fileno=number) for number in sockets)
            keep(shell, talk, leash, settings)
        for number in sockets:
            os.close(number)


def become_ordinary(command: list[str]) -> None:
    """Give up root, for whom limits do not hold, and go on with a command."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.execv(command[0], command)


# ---- The keeper ----


def keep(shell: Any, talk: socket.socket, leash: socket.socket, settings: dict[str, Any]) -> None:
    """Start a kernel, wait until it ends, has too much memory or is no longer wanted, and say how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    told: dict[str, Any] = {}
    try:
        if settings["nested"]:
            enter_namespaces()
        kernel = os.fork()
        if kernel == 0:
            leash.close()
            serve(shell, talk, settings)
        talk.close()
        told["why"] = watch(kernel, leash, settings["memory"])
        os.kill(kernel, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(kernel, signal.SIGKILL)
        told["signal"] = os.WTERMSIG(os.waitpid(kernel, 0)[1])
    except OSError as error:
        told["failed"] = str(error)
    with contextlib.suppress(OSError):
        leash.send(json.dumps(told).encode())
    os._exit(0)


def check(result: int, what: str) -> None:
    """Raise OSError if a call of the system's failed."""
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def enter_namespaces() -> None:
    """Leave the server's namespaces; of the new one of processes the next child is the first."""
    user, group = os.getuid(), os.getgid()
    check(CALLS.unshare(NEW_USER | NEW_PID | NEW_IPC | NEW_NET), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def watch(kernel: int, leash: socket.socket, most: int) -> str:
    """Wait, and return why it is over: "ended", "released" by the grader, or for want of "memory"."""
    ended = os.pidfd_open(kernel)
    known = {1, os.getpid(), os.getppid()}  # bubblewrap, this keeper, the server
    poll = select.poll()
    for file in (ended, leash.fileno()):
        poll.register(file, select.POLLIN | select.POLLHUP)
    while not (ready := poll.poll(1000 * SECONDS_BETWEEN_LOOKS)):
        if memory_taken(known) > most or memory_left() < LEAST_MEMORY_LEFT:
            return "memory"
    if ended not in dict(ready):
        # A kernel that dies lets go of its files first; the grader sees that, and lets go as well.
        poll.unregister(leash.fileno())
        ready = poll.poll(100)
    return "ended" if ready else "released"


def memory_taken(known: set[int]) -> int:
    """Return the bytes that the processes in this sandbox take, but for those that are known."""
    taken = 0
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) not in known:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                taken += memory_of(name)
    return taken


def memory_of(process: str) -> int:
    """Return a process's memory in bytes: its part of what it shares; all of that, if it hides its own."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return 1024 * next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except (PermissionError, StopIteration):
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()


def memory_left() -> float:
    """Return which part of the machine's memory is free: what no process can be blamed for counts here."""
    with open("/proc/meminfo") as file:
        sizes = {line.partition(":")[0]: int(line.split()[1]) for line in file}
    return sizes["MemAvailable"] / sizes["MemTotal"]


# ---- The kernel ----


def serve(shell: Any, talk: socket.socket, settings: dict[str, Any]) -> None:
    """Run what the grader sends, until it hangs up."""
    os.setsid()
    close_files(talk.fileno())
    if settings["nested"]:
        build_walls()
    os.chdir("/tmp")
    set_limits(settings)
    seed_anew()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    while (request := receive(talk)) is not None:
        send(talk, answer(shell, request))
    os._exit(0)


def close_files(kept: int) -> None:
    """Close all files but one; the three standard ones lead nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    os.closerange(3, kept)
    os.closerange(kept + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def build_walls() -> None:
    """Give this kernel file systems of its own, and take from it the rights to change them."""
    check(CALLS.unshare(NEW_MOUNT), "unshare")
    check(CALLS.mount(None, b"/", None, PRIVATE, None), "mount /")
    for place in (b"/tmp", b"/dev/shm"):
        check(
            CALLS.mount(b"tmpfs", place, b"tmpfs", NOSUID | NODEV, b"size=64m,nr_inodes=4096"),
            f"mount {place!r}",
        )
    check(CALLS.mount(b"proc", b"/proc", b"proc", NOSUID | NODEV, None), "mount /proc")
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")  # from here on no namespace, in which it would be root again
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)  # version 3: two sets of three
    check(CALLS.capset(header, nothing), "capset")


def set_limits(settings: dict[str, Any]) -> None:
    """Limit what this process and those that it starts may use."""
    with open("/proc/self/statm") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    for kind, most in (
        (resource.RLIMIT_AS, mapped + settings["memory"]),
        (resource.RLIMIT_CPU, settings["cpu_seconds"]),
        (resource.RLIMIT_FSIZE, settings["file_size"]),
        (resource.RLIMIT_NOFILE, settings["files"]),
        (resource.RLIMIT_NPROC, settings["processes"]),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def seed_anew() -> None:
    """Let random numbers be those of a process that has just started, not the server's."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def receive(talk: socket.socket) -> Any:
    """Return what the grader sends next; None when it has hung up."""
    length = talk.recv(8, socket.MSG_WAITALL)
    if len(length) < 8:
        return None
    return json.loads(talk.recv(struct.unpack("!Q", length)[0], socket.MSG_WAITALL))


def send(talk: socket.socket, message: Any) -> None:
    """Send something to the grader."""
    data = json.dumps(message, default=repr).encode("utf-8", "backslashreplace")
    talk.sendall(struct.pack("!Q", len(data)) + data)


def answer(shell: Any, request: dict[str, str]) -> Any:
    """Run a cell and return its outputs; or let the notebook's names answer a request of a check."""
    if "cell" in request:
        return shell.run_captured(request["cell"])
    from course_lib.answers import respond

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return respond(shell.user_ns, request["respond"])


def make_shell() -> Any:
    """Make the shell that all kernels begin with: IPython's, which hands outputs over as a notebook stores them."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets import Type
    from traitlets.config import Config

    outputs = [Outputs()]  # of the cell that runs

    class Hook(DisplayHook):
        def write_output_prompt(self) -> None:
            pass

        def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
            outputs[-1].add({"output_type": "execute_result", "data": format_dict})

    class Publisher(DisplayPublisher):
        def publish(self, data: Any, *rest: Any, **named: Any) -> None:
            outputs[-1].add({"output_type": "display_data", "data": data})

        def clear_output(self, wait: bool = False) -> None:
            outputs[-1].clear()

    class Shell(InteractiveShell):
        displayhook_class = Type(Hook)
        display_pub_class = Type(Publisher)

        def run_captured(self, source: str) -> list[dict[str, Any]]:
            outputs[:] = [Outputs()]
            with (
                contextlib.redirect_stdout(Stream(outputs[0], "stdout")),
                contextlib.redirect_stderr(Stream(outputs[0], "stderr")),
            ):
                self.run_cell(source, store_history=False)
            return outputs[0].told

        def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
            outputs[-1].add(
                {
                    "output_type": "error",
                    "ename": etype.__name__,
                    "evalue": str(evalue)[:LONGEST_TEXT],
                    "traceback": [line[:LONGEST_TEXT] for line in stb],
                }
            )

    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    shell = Shell.instance(config=settings)
    shell.run_captured(
        "import matplotlib.pyplot\n%matplotlib inline\nmatplotlib.pyplot.close(matplotlib.pyplot.figure())"
    )
    shell.reset(new_session=False)
    return shell


class Outputs:
    """A cell's outputs, as long as there are not too many."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin again."""
        self.told: list[dict[str, Any]] = []
        self.left = LONGEST_TEXT

    def add(self, output: dict[str, Any]) -> None:
        """Append an output; pictures in base64."""
        if len(self.told) >= MOST_OUTPUTS:
            return
        if "data" in output:
            output["data"] = {
                kind: base64.b64encode(value).decode() if isinstance(value, bytes) else value
                for kind, value in output["data"].items()
                if isinstance(value, (str, bytes)) and len(value) <= LARGEST_DATA
            }
        self.told.append(output)

    def write(self, name: str, text: str) -> None:
        """Append to a stream."""
        if not text or self.left <= 0:
            return
        self.left -= len(text)
        if self.left <= 0:
            text = text[: len(text) + self.left] + CUT
        if self.told and self.told[-1].get("name") == name:
            self.told[-1]["text"] += text
        else:
            self.add({"output_type": "stream", "name": name, "text": text})


class Stream(io.TextIOBase):
    """What a cell prints goes to its outputs."""

    encoding = "utf-8"

    def __init__(self, outputs: Outputs, name: str) -> None:
        self._outputs, self._name = outputs, name

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, text: str) -> int:
        """Append to the cell's outputs."""
        self._outputs.write(self._name, text)
        return len(text)


if __name__ == "__main__":
    if os.getuid() == 0:
        become_ordinary(sys.argv[1:])
    main()
