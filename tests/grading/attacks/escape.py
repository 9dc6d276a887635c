"""Attacks on the sandbox's walls: each says which of them gave way."""

CALLS = r"""
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    result = getattr(libc, name)(*arguments) if isinstance(name, str) else libc.syscall(name, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), str(name))
    return result
"""

ATTACKS = {
    "makes-namespaces": CALLS
    + r"""
for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("process", 0x20000000), ("network", 0x40000000),
                   ("IPC", 0x08000000), ("user and mount", 0x10020000)):
    attempt(f"unshare {name}", call, "unshare", flag)
for name in os.listdir("/proc/self/ns"):
    for pid in (1, "self"):
        def enter():
            return call("setns", os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY), 0)
        attempt(f"enter {name}", enter)
import subprocess
for command in ("unshare --user true", "unshare --map-root-user --mount true", "bwrap --ro-bind / / true"):
    attempt(command, lambda: subprocess.run(command.split(), capture_output=True, check=True))
""",
    "mounts": CALLS
    + r"""
attempt("mount", call, "mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None)
attempt("mount proc", call, "mount", b"proc", b"/proc", b"proc", 0, None)
attempt("bind", call, "mount", b"/", b"/tmp", None, 0x1000, None)
for place in (b"/", b"/usr", b"/student", b"/proc"):
    attempt(f"remount {place}", call, "mount", None, place, None, 0x20, None)
for place in (b"/tmp", b"/proc", b"/dev/shm", b"/usr", b"/student"):
    attempt(f"unmount {place}", call, "umount2", place, 2)
attempt("chroot", os.chroot, "/tmp")
attempt("pivot_root", call, {"x86_64": 155, "aarch64": 41}[platform.machine()], b"/tmp", b"/tmp")
attempt("fsopen", call, 430, b"tmpfs", 0)
attempt("open_tree", call, 428, -100, b"/usr", 1)
""",
    "writes-to-the-system": r"""
import os, sys
PROTOCOL = "/student/course_lib/exercises/kernel_protocol.py"
for path in ("/inside.py", PROTOCOL, os.__file__, sys.executable, "/usr/bin/env"):
    attempt("open " + path, open, path, "a")
    attempt("remove " + path, os.unlink, path)
    attempt("change " + path, os.chmod, path, 0o777)
for folder in ("/", "/usr", "/usr/lib", "/student", "/etc", "/dev", "/root", "/home", "/proc/sys/kernel",
               sys.base_prefix, os.path.dirname(os.__file__), COURSE, HOME_FOLDER):
    attempt("write to " + folder, open, folder + "/" + MARK, "w")
attempt("move /tmp", os.rename, "/tmp", "/tmp2")
attempt("link", os.symlink, "/usr", "/" + MARK)
for name in ("kernel/core_pattern", "kernel/hostname", "user/max_user_namespaces", "kernel/shmmax"):
    attempt("set " + name, lambda: open("/proc/sys/" + name, "r+").write("1"))
attempt("open sysrq", open, "/proc/sysrq-trigger", "w")
attempt("lower my part in shortage", lambda: os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"-999"))
""",
    "opens-devices": r"""
import fcntl, os, stat
for name in ("sda", "vda", "nvme0n1", "mem", "kmem", "kmsg", "kvm", "fuse", "net/tun", "tty", "console"):
    attempt("open " + name, os.open, "/dev/" + name, os.O_RDONLY)
for kind, major, minor in ((stat.S_IFCHR, 1, 1), (stat.S_IFBLK, 254, 0), (stat.S_IFCHR, 10, 229)):
    attempt(f"mknod {major}:{minor}", os.mknod, f"/tmp/device-{major}-{minor}", kind | 0o666, os.makedev(major, minor))
attempt("type at the grader's keyboard", fcntl.ioctl, 0, 0x5412, b"x")
""",
    "becomes-root": CALLS
    + r"""
import subprocess
attempt("setuid", os.setuid, 0)
attempt("setresuid", os.setresuid, 0, 0, 0)
attempt("setgid", os.setgid, 0)
attempt("setgroups", os.setgroups, [0])
attempt("change owner", os.chown, "/tmp", 0, 0)
for command in ("su -c true", "sudo -n true", "mount", "newuidmap 1 0 0 1", "newgrp", "pkexec true"):
    try:
        done = subprocess.run([*command.split()], capture_output=True, stdin=subprocess.DEVNULL, timeout=1)
        print(command, done.returncode)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(command, error)
attempt("name the machine", call, "sethostname", b"mine", 4)
attempt("set the time", call, "settimeofday", ctypes.create_string_buffer(16), None)
attempt("chmod setuid", lambda: (open("/tmp/x", "w").close(), os.chown("/tmp/x", 0, 0)))
assert os.getuid() and os.geteuid(), "SUCCEEDED: am root"
""",
    "calls-the-kernel": CALLS
    + r"""
x86 = platform.machine() == "x86_64"
nothing = ctypes.create_string_buffer(4096)
for name, number, arguments in (
    ("io_uring_setup", 425, (8, nothing)), ("bpf", 321 if x86 else 280, (0, nothing, 72)),
    ("userfaultfd", 323 if x86 else 282, (1,)), ("perf_event_open", 298 if x86 else 241, (nothing, 0, -1, -1, 0)),
    ("keyctl", 250 if x86 else 219, (0, -3, 1)), ("add_key", 248 if x86 else 217, (b"user", b"k", b"v", 1, -2)),
    ("memfd_create", 319 if x86 else 279, (b"m", 0)), ("memfd_secret", 447, (0,)),
    ("ptrace", 101 if x86 else 117, (0, 0, 0, 0)),
    ("shmget", 29 if x86 else 194, (0, 4096, 0o1600)), ("msgget", 68 if x86 else 186, (0, 0o1600)),
    ("open_by_handle_at", 304 if x86 else 265, (-100, nothing, 0)), ("fanotify_init", 300 if x86 else 262, (0, 0)),
    ("init_module", 175 if x86 else 105, (nothing, 0, b"")), ("kexec_load", 246 if x86 else 104, (0, 0, None, 0)),
):
    attempt(name, call, number, *arguments)
if x86:
    attempt("memfd_create by another name", call, 319 | 0x40000000, b"m", 0)
""",
}
