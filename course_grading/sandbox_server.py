"""Fork server in the sandbox: it has the libraries loaded, and forks a kernel for each submission.

This file is bound into the sandbox by itself (`course_grading.sandbox` starts it), beside the students' part
of the package. Four processes, each inside the one before:

    the grader          has the checks, the gradebook and the network; is not in the sandbox
    └─ the server       in the sandbox; runs no student's code, so all kernels start alike
       └─ a supervisor  for each kernel: kills it, with all that it started, when the grader lets go of the lifeline
          └─ a kernel   in namespaces of its own, under limits; runs the student's code

The grader and a kernel talk through a channel, a socket: JSON after eight bytes that give its length. All that comes
out of a kernel may have been forged by what runs in it. The lifeline is a socket, too, between grader and supervisor.
"""

from __future__ import annotations

import asyncio
import base64
import bisect
import contextlib
import ctypes
import gc
import importlib
import importlib.util
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
import time
from typing import Any

# Of a cell's outputs: their number, and characters.
MOST_OUTPUTS, LONGEST_TEXT, LARGEST_DATA = 100, 100_000, 2_000_000
CUT = "\n… the rest of this output is left out: there is too much of it.\n"
NEW_USER, NEW_PID, NEW_MOUNT, NEW_IPC, NEW_NET = 0x10000000, 0x20000000, 0x00020000, 0x08000000, 0x40000000
SET_SECCOMP, SECCOMP_FILTER = 22, 2  # of prctl(2)
PRIVATE, NOSUID, NODEV = 0x40000 | 0x4000, 0x2, 0x4  # of mount(2); the first for all that lies below, too
SECONDS_BETWEEN_LOOKS = 0.2
SECONDS_TO_HEED = 2  # the signal that says that its time is used up
SECONDS_OF_PATIENCE = 2  # with the smallest, when the machine is short of memory
ADDRESSES = 3  # times the memory that may be used: what is reserved and never written to costs nothing
TCP_BUFFERS = 10_000_000  # bytes that the system may keep for one connection
NOBODY = 65534
JUPYTERS_MAGICS = (
    "autosave",
    "clear",
    "cls",
    "connect_info",
    "ed",
    "edit",
    "less",
    "man",
    "more",
    "qtconsole",
    "subshell",
)
CALLS = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Run the server: each byte received brings a kernel's channel and its lifeline."""
    settings = json.loads(sys.argv[1])
    control = socket.socket(fileno=settings["control"])
    for name, file in settings["packages"].items():
        found = importlib.util.find_spec(name)
        if found is None or found.origin != file:
            raise SystemExit(
                f"other packages than the grader's: {name} is {found and found.origin}, not {file}"
            )
    shell = make_shell()
    for name in (*settings["warm"], "course_lib.renamed"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # what is here stays: no page of it is copied because the collector has touched it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors that end leave nothing behind
    control.send(b"!")
    while True:
        wanted, sockets, _, _ = socket.recv_fds(control, 1, 2)
        if not wanted:
            return
        if os.fork() == 0:
            control.close()
            channel, lifeline = (socket.socket(fileno=number) for number in sockets)
            supervise(shell, channel, lifeline, settings)
        for number in sockets:
            os.close(number)


def become_ordinary(command: list[str]) -> None:
    """Give up root, for whom limits do not hold, and go on with a command."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.execv(command[0], command)


# ---- The supervisor ----


def supervise(shell: Any, channel: socket.socket, lifeline: socket.socket, settings: dict[str, Any]) -> None:
    """Supervise one kernel: start it, enforce its memory limit, kill it when it is released, report how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    report: dict[str, Any] = {}
    try:
        if settings["nested"]:
            enter_namespaces()
        kernel = os.fork()
        if kernel == 0:
            lifeline.close()
            run_kernel(shell, channel, settings)
        channel.close()
        report["why"] = wait_for_exit(kernel, lifeline, settings)
        os.kill(kernel, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(kernel, signal.SIGKILL)
        _, status, used = os.wait4(kernel, 0)
        report |= {"signal": os.WTERMSIG(status), "computed": used.ru_utime + used.ru_stime}
    except OSError as error:
        report["failed"] = str(error)
    with contextlib.suppress(OSError):
        send_report(lifeline, report)
    os._exit(0)


def send_report(lifeline: socket.socket, report: dict[str, Any]) -> None:
    """Send a report to the grader: one line of JSON."""
    lifeline.sendall(json.dumps(report).encode() + b"\n")


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


def wait_for_exit(kernel: int, lifeline: socket.socket, settings: dict[str, Any]) -> str:
    """Wait until a kernel exits; return why: "ended", "released" by the grader, "memory" or "machine" (short of it).

    Meanwhile the grader may ask, by a letter: "i" interrupts the kernel, "t" and a time asks for how long, since then,
    it was kept waiting.
    """
    ended = os.pidfd_open(kernel)
    usage = Usage({1, os.getpid(), os.getppid()}, settings)  # bubblewrap, this supervisor, the server
    poll = select.poll()
    for file in (ended, lifeline.fileno()):
        poll.register(file, select.POLLIN | select.POLLHUP)
    while True:
        ready = dict(poll.poll(1000 * SECONDS_BETWEEN_LOOKS))
        if ended in ready:
            return "ended"
        if ready:
            asked = lifeline.recv(1)
            if asked == b"i":
                usage.interrupt(kernel)
                send_report(lifeline, {"interrupted": True})
            elif asked == b"t":
                [since] = struct.unpack("!d", lifeline.recv(8, socket.MSG_WAITALL))
                usage.measure()
                send_report(lifeline, {"waited": usage.waited_since(since), "since": since})
            else:
                # A kernel that dies lets go of its files first; the grader sees that, and lets go as well.
                poll.unregister(lifeline.fileno())
                return "ended" if poll.poll(100) else "released"
        usage.measure()
        if usage.memory > settings["memory"]:
            return "memory"
        if usage.machine_is_short():
            return "machine"


class Usage:
    """Resource usage of a kernel and the processes that it starts.

    Parameters
    ----------
    known : set of int
        Processes in this sandbox that are none of these.
    settings : dict
    """

    def __init__(self, known: set[int], settings: dict[str, Any]) -> None:
        self._known, self._settings = known, settings
        self.memory = 0
        self._looked, self._used, self._waits, self._newest = time.monotonic(), 0.0, dict[str, float](), b""
        self._history = [(self._looked, 0.0)]  # when, and for how long it had been kept waiting until then
        self._short_since: float | None = None

    def _processes(self) -> list[int]:
        return [
            int(name) for name in os.listdir("/proc") if name.isdecimal() and int(name) not in self._known
        ]

    def measure(self) -> None:
        """Measure their memory, and for how long they were kept waiting for a core."""
        used, waits = 0.0, dict[str, float]()
        for process in self._processes():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                used += seconds_used(process)
                waits |= waits_of(process)
        self.memory = self._memory(exactly=False)
        if self.memory > self._settings["memory"]:
            self.memory = self._memory(exactly=True)  # which takes a hundred times as long
        now, newest = time.monotonic(), newest_process()
        if newest == self._newest:  # where processes come and go, not all that they use is seen
            waited = max((wait - self._waits.get(task, wait) for task, wait in waits.items()), default=0)
            waited = min(waited, now - self._looked - max(used - self._used, 0))  # not for one another
            if waited > 0:
                self._history.append((now, self._history[-1][1] + waited))
        self._looked, self._used, self._waits, self._newest = now, used, waits, newest

    def _memory(self, exactly: bool) -> int:
        taken = kernel_memory(self._settings["socket_buffer"])
        for process in self._processes():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                taken += memory_of(process, exactly)
        return taken

    def waited_since(self, when: float) -> float:
        """Return for how many seconds others kept them from running."""
        first = max(bisect.bisect_right(self._history, (when, float("inf"))) - 1, 0)
        return self._history[-1][1] - self._history[first][1]

    def machine_is_short(self) -> bool:
        """Whether the machine has been short of memory for too long for one of this size: the largest goes first."""
        if memory_left() >= self._settings["least_memory_left"]:
            self._short_since = None
            return False
        self._short_since = self._short_since or self._looked
        self.memory = self._memory(exactly=True)
        patience = SECONDS_OF_PATIENCE * (1 - self.memory / self._settings["memory"])
        return self._looked - self._short_since >= patience

    def interrupt(self, kernel: int) -> None:
        """Interrupt a kernel, and kill all that it started."""
        os.kill(kernel, signal.SIGSTOP)
        for _ in range(100):
            others = [process for process in self._processes() if process != kernel and is_alive(process)]
            if not others:
                break
            for process in others:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.005)
        os.kill(kernel, signal.SIGINT)
        os.kill(kernel, signal.SIGCONT)


def is_alive(process: int) -> bool:
    """Whether some thread of a process runs; its first may have ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return any(
            status_of(process, task)[0] not in ("Z", "X") for task in os.listdir(f"/proc/{process}/task")
        )
    return False


def status_of(process: int, task: str) -> list[str]:
    """Return the fields of a thread's `stat` after its name."""
    with open(f"/proc/{process}/task/{task}/stat") as file:
        return file.read().rpartition(")")[2].split()


def memory_of(process: int, exactly: bool) -> int:
    """Return a process's memory in bytes: all that it sees, or its part of what it shares, unless it hides that."""
    for task in os.listdir(f"/proc/{process}/task"):  # the first may have ended, and has none then
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if exactly:
                with (
                    contextlib.suppress(PermissionError, StopIteration),
                    open(f"/proc/{process}/task/{task}/smaps_rollup") as file,
                ):
                    return 1024 * next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
            with open(f"/proc/{process}/task/{task}/statm") as file:
                if pages := int(file.read().split()[1]):
                    return pages * resource.getpagesize()
    return 0


def kernel_memory(socket_buffer: int) -> int:
    """Return the bytes that the system may keep for these processes' sockets, which stand on no process's account."""
    taken = 0
    for name, bytes_each in (
        ("unix", 2 * socket_buffer),
        ("netlink", 2 * socket_buffer),
        ("udp", 2 * socket_buffer),
        ("udp6", 2 * socket_buffer),
        ("tcp", TCP_BUFFERS),
        ("tcp6", TCP_BUFFERS),
    ):
        with contextlib.suppress(FileNotFoundError), open(f"/proc/self/net/{name}", "rb") as file:
            taken += bytes_each * (file.read().count(b"\n") - 1)  # a heading
    return taken


def seconds_used(process: int) -> float:
    """Return how long a process, with all its threads, has computed."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waits_of(process: int) -> dict[str, float]:
    """Return for how many seconds each thread was ready to compute and had no core; none where the system is silent."""
    waits = {}
    for task in os.listdir(f"/proc/{process}/task"):
        with (
            contextlib.suppress(FileNotFoundError, ProcessLookupError),
            open(f"/proc/{process}/task/{task}/schedstat") as file,
        ):
            waits[task] = int(file.read().split()[1]) / 1e9
    return waits


def newest_process() -> bytes:
    """Return the number of the process or thread that was started last in this sandbox."""
    with open("/proc/loadavg", "rb") as file:
        return file.read().split()[-1]


def memory_left() -> float:
    """Return which part of the machine's memory is free: what no process can be blamed for counts here."""
    with open("/proc/meminfo") as file:
        sizes = {line.partition(":")[0]: int(line.split()[1]) for line in file}
    return sizes["MemAvailable"] / sizes["MemTotal"]


# ---- The kernel ----


def run_kernel(shell: Any, channel: socket.socket, settings: dict[str, Any]) -> None:
    """Run the kernel's loop: answer requests of the grader until it closes the channel."""
    os.setsid()
    close_files(channel.fileno())
    if settings["nested"]:
        build_walls()
    os.chdir("/tmp")
    sys.path.insert(0, "")  # what a notebook writes beside it can be imported
    set_limits(settings)
    stay_on_core(settings["core"], bytes.fromhex(settings["stays"]))
    seed_anew()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    is_busy = False

    def interrupt(*_: object) -> None:
        if is_busy:  # it may come when the answer is on its way already
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    while (request := receive(channel)) is not None:
        try:
            is_busy = True
            reply = loop.run_until_complete(answer(shell, request))
            is_busy = False
        except KeyboardInterrupt:
            is_busy, reply = False, None
        send(channel, reply)
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
        (resource.RLIMIT_AS, mapped + ADDRESSES * settings["memory"]),
        (resource.RLIMIT_FSIZE, settings["file_size"]),
        (resource.RLIMIT_NOFILE, settings["files"]),
        (resource.RLIMIT_NPROC, settings["processes"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, settings["processes"]),
    ):
        resource.setrlimit(kind, (most, most))
    # A signal that says why comes first; who ignores it is killed.
    most = settings["cpu_seconds"]
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + SECONDS_TO_HEED))
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # should the system run out of memory, it takes what students run first


def stay_on_core(core: int, stays: bytes) -> None:
    """Let this process, and those that it starts, have one core, and never another."""
    os.sched_setaffinity(0, {core})
    program = ctypes.create_string_buffer(stays, len(stays))
    described = struct.pack("HxxxxxxP", len(stays) // 8, ctypes.addressof(program))
    check(CALLS.prctl(SET_SECCOMP, SECCOMP_FILTER, described, 0, 0), "seccomp")


def seed_anew() -> None:
    """Let random numbers be those of a process that has just started, not the server's."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def receive(channel: socket.socket) -> Any:
    """Return what the grader sends next; None when it has hung up."""
    length = channel.recv(8, socket.MSG_WAITALL)
    if len(length) < 8:
        return None
    return json.loads(channel.recv(struct.unpack("!Q", length)[0], socket.MSG_WAITALL))


def send(channel: socket.socket, message: Any) -> None:
    """Send something to the grader."""
    data = json.dumps(message, default=repr).encode("utf-8", "backslashreplace")
    channel.sendall(struct.pack("!Q", len(data)) + data)


async def answer(shell: Any, request: dict[str, str]) -> Any:
    """Run a cell and return its outputs; or let the notebook's names answer a request of a check."""
    if "cell" in request:
        with contextlib.suppress(
            ImportError
        ):  # before each, since what a cell imports can have been called otherwise
            from course_lib.renamed import OldNames

            OldNames.install()
        return await shell.run_captured(request["cell"])
    from course_lib.exercises.kernel_protocol import respond

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return respond(shell.user_ns, request["respond"])


def make_shell() -> Any:
    """Make the shell that all kernels begin with: IPython's, which hands outputs over as a notebook stores them.

    What works in Jupyter works here, as far as the walls and limits allow, or is left out with a word on it: a line
    that has to do with Jupyter's own windows must not cost what stands below it.
    """
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.error import UsageError
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
        kernel = Absent()

        async def run_captured(self, source: str) -> list[dict[str, Any]]:
            outputs[:] = [Outputs()]
            with (
                contextlib.redirect_stdout(Stream(outputs[0], "stdout")),
                contextlib.redirect_stderr(Stream(outputs[0], "stderr")),
            ):
                try:
                    transformed, wrong = self.transform_cell(source), None
                except Exception:
                    transformed, wrong = source, sys.exc_info()
                try:
                    result = await self.run_cell_async(
                        source,
                        store_history=True,  # it gives the notebook its In, Out and _
                        transformed_cell=transformed,
                        preprocessing_exc_tuple=wrong,
                    )
                    self.events.trigger("post_execute")
                    self.events.trigger("post_run_cell", result)
                except BaseException:
                    self.showtraceback(running_compiled_code=True)
            return outputs[0].entries

        def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
            from course_lib.exercises.kernel_protocol import words_of

            outputs[-1].add(
                {
                    "output_type": "error",
                    "ename": etype.__name__,
                    "evalue": words_of(evalue)[:LONGEST_TEXT],
                    "traceback": [line[:LONGEST_TEXT] for line in stb],
                }
            )

        def enable_gui(self, gui: Any = None) -> None:
            pass

        def enable_matplotlib(self, gui: Any = None) -> Any:
            return super().enable_matplotlib("inline")

        def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
            if magic_name in JUPYTERS_MAGICS:
                return None
            try:
                return super().run_line_magic(magic_name, line, _stack_depth + 1)
            except UsageError as error:
                print(f"%{magic_name} is left out here: {error}", file=sys.stderr)
            except ImportError as error:
                if magic_name != "load_ext":
                    raise
                print(f"%{magic_name} is left out here: {error}", file=sys.stderr)

    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    shell = Shell.instance(config=settings)
    first = (
        "import matplotlib.pyplot\n%matplotlib inline\nmatplotlib.pyplot.close(matplotlib.pyplot.figure())"
    )
    asyncio.run(shell.run_captured(first))
    shell.reset(new_session=True)
    for name in ("_", "__", "___"):
        setattr(shell.displayhook, name, "")
        shell.push({name: ""}, interactive=False)
    stay_inline()
    return shell


def stay_inline() -> None:
    """Let matplotlib draw into the notebook when it is asked for a window, where there can be none."""
    from matplotlib import pyplot

    switch = pyplot.switch_backend

    def switch_backend(newbackend: Any) -> None:
        try:
            switch(newbackend)
        except ImportError:
            switch(os.environ["MPLBACKEND"])

    pyplot.switch_backend = switch_backend


class Absent:
    """Stands for Jupyter's kernel, which is not here: takes any call, and does nothing."""

    def __getattr__(self, name: str) -> Any:
        """Return this."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return this."""
        return self

    def __bool__(self) -> bool:
        """Return False."""
        return False


class Outputs:
    """A cell's outputs, as long as there are not too many."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin again."""
        self.entries: list[dict[str, Any]] = []
        self.left = LONGEST_TEXT

    def add(self, output: dict[str, Any]) -> None:
        """Append an output; pictures in base64."""
        # There is room left for an error.
        if len(self.entries) >= MOST_OUTPUTS - 2 and output["output_type"] != "error":
            if len(self.entries) == MOST_OUTPUTS - 2:
                self.entries.append({"output_type": "stream", "name": "stderr", "text": CUT})
            return
        if "data" in output:
            output["data"] = {
                kind: base64.b64encode(value).decode() if isinstance(value, bytes) else value
                for kind, value in output["data"].items()
                if isinstance(value, (str, bytes)) and len(value) <= LARGEST_DATA
            }
        self.entries.append(output)

    def write(self, name: str, text: str) -> None:
        """Append to a stream."""
        if not text or self.left <= 0:
            return
        self.left -= len(text)
        if self.left <= 0:
            text = text[: len(text) + self.left] + CUT
        if self.entries and self.entries[-1].get("name") == name:
            self.entries[-1]["text"] += text
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

    def fileno(self) -> int:
        """Return the number of a file that leads nowhere: what is written past Python is not kept."""
        return 1 if self._name == "stdout" else 2

    def write(self, text: str) -> int:
        """Append to the cell's outputs."""
        self._outputs.write(self._name, text)
        return len(text)


if __name__ == "__main__":
    if os.getuid() == 0:
        become_ordinary(sys.argv[1:])
    main()
