"""Attacks that use up what the machine has."""

ATTACKS = {
    "memory-bomb": r"""
def take():
    kept = []
    while True:
        kept.append(bytearray(10_000_000))
try:
    take()
except MemoryError as error:
    print("refused:", error)
""",
    "memory-bomb-of-children": r"""
import os, time
for _ in range(12):
    if os.fork() == 0:
        kept = bytearray(b"x") * 150_000_000
        time.sleep(100)
time.sleep(100)
""",
    "hidden-memory-bomb": r"""
import ctypes, os, time
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
for _ in range(12):
    if os.fork() == 0:
        kept = bytearray(b"x") * 150_000_000
        time.sleep(100)
time.sleep(100)
""",
    "memory-behind-a-first-thread": r"""
import ctypes, os, threading, time
def take():
    time.sleep(0.5)
    kept = bytearray(b"x") * 250_000_000
    time.sleep(100)
for _ in range(8):
    if os.fork() == 0:
        threading.Thread(target=take).start()
        ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
time.sleep(100)
""",
    "memory-in-sockets": r"""
import os, socket, time
for _ in range(60):
    if os.fork() == 0:
        kept = []
        try:
            while True:
                pair = socket.socketpair()
                for end in pair:
                    end.setblocking(False)
                    try:
                        while True:
                            end.send(bytes(4096))
                    except BlockingIOError:
                        pass
                kept += pair
        except OSError:
            pass
        time.sleep(100)
time.sleep(100)
""",
    "memory-shared-and-let-go": r"""
import mmap
def take(file, flags):
    kept = mmap.mmap(file, 100_000_000, flags)
    for _ in range(100):
        kept.write(bytes(1_000_000))
    kept.madvise(4)  # MADV_DONTNEED: no longer in the process's own account
    return "100 MB"
attempt("keep memory of no file", take, -1, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
device = open("/dev/zero", "r+b")
attempt("keep memory of a device", take, device.fileno(), mmap.MAP_SHARED)
""",
    "larger-sockets": r"""
import socket
one, other = socket.socketpair()
for name in ("SO_SNDBUF", "SO_RCVBUF"):
    attempt("set " + name, one.setsockopt, socket.SOL_SOCKET, getattr(socket, name), 1 << 30)
""",
    "watches-files": r"""
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
def watch():
    watches = [libc.inotify_init1(0) for _ in range(130)]
    if watches[0] < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    return watches
attempt("take all that the user may have for watching files", watch)
""",
    "busy-processes": r"""
import os, time
for _ in range(60):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
while True:
    pass
""",
    "takes-another-core": r"""
import os
attempt("move to another core", os.sched_setaffinity, 0, range(os.cpu_count()))
if len(os.sched_getaffinity(0)) != 1:
    print("SUCCEEDED: have", os.sched_getaffinity(0))
""",
    "memory-files": r"""
import os
def fill():
    for number in range(200):
        file = os.memfd_create(f"file {number}")
        for _ in range(9):
            os.write(file, bytes(1_000_000))
    return "1.8 GB"
attempt("keep memory in files of no process", fill)
""",
    "shared-memory-bomb": r"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
def fill():
    for _ in range(20):
        number = libc.shmget(0, 100_000_000, 0o1666)
        if number < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        where = libc.shmat(number, None, 0)
        ctypes.memset(where, 1, 100_000_000)
        libc.shmdt(ctypes.c_void_p(where))
    return "2 GB"
attempt("keep memory in segments of no process", fill)
""",
    "file-bomb": r"""
def fill(folder):
    for number in range(30):
        with open(f"{folder}/{number}", "wb") as file:
            for _ in range(9):
                file.write(bytes(1_000_000))
    return "270 MB"
for folder in ("/tmp", "/dev/shm", "/", "/dev", "/root", "/work", "/etc"):
    attempt("fill " + folder, fill, folder)
""",
    "inode-bomb": r"""
def fill(folder):
    for number in range(6000):
        open(f"{folder}/i{number}", "w").close()
    return "6000 files"
for folder in ("/tmp", "/dev/shm", "/", "/dev"):
    attempt("fill " + folder, fill, folder)
""",
    "large-file": r"""
def write(n_bytes):
    with open("/tmp/large", "wb") as file:
        file.truncate(n_bytes)
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
attempt("write a large file", write, 10**9)
""",
    "fork-bomb": r"""
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
""",
    "thread-bomb": r"""
import threading, time
def start():
    for _ in range(3000):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    return "3000 threads"
attempt("start threads", start)
""",
    "file-descriptor-bomb": r"""
import os, socket
def open_all():
    return [(os.dup(0), os.pipe(), socket.socketpair()) for _ in range(3000)]
attempt("open files", open_all)
""",
    "output-flood": r"""
for _ in range(300):
    print("flood " * 100_000)
""",
    "output-flood-in-bits": "import time\nuntil = time.time() + 1\nwhile time.time() < until:\n    print('x')\n",
    "display-flood": r"""
from IPython.display import display, HTML
for _ in range(1000):
    display(HTML("<p>" + "flood" * 100_000))
    display({"text/plain": "x" * 5_000_000}, raw=True)
""",
    "error-flood": "raise ValueError('flood' * 20_000_000)\n",
    "repr-flood": "class Flood:\n    def __repr__(self):\n        return 'flood' * 20_000_000\nFlood()\n",
    "flood-below-python": r"""
import os, time
until = time.time() + 1
while time.time() < until:
    os.write(1, b"flood" * 100_000)
    os.write(2, b"flood" * 100_000)
""",
    "never-ends": "while True:\n    pass\n",
    "never-ends-in-c": "sum(iter(int, 1))\n",
    "ignores-interrupts": r"""
import signal, time
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        time.sleep(1)
    except BaseException:
        pass
""",
    "raises-its-limits": r"""
import resource
def raise_limit(kind):
    soft, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (hard + 1, hard + 1))
for name in ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_CORE"):
    attempt("raise " + name, raise_limit, getattr(resource, name))
""",
    "compiles-deep": "eval('-' * 50_000 + '1')\n",
    "large-number": "10 ** 10 ** 9\n",
}
