"""seccomp filters: the system calls that students' code may not make, for bubblewrap's `--seccomp`.

Namespaces and limits do not reach everything. The kernel's key store is that of whoever grades, and is read from any
namespace; so are some kinds of sockets. Memory in files and segments that belong to no process is on no process's
account, nor is what waits in a socket. What can watch files is counted by user, not by sandbox. And what a notebook
never needs may have faults that help out of the sandbox. All this is as if the kernel had it not.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Mapping, Sequence

REFUSED = {  # by name: its number on x86_64, on aarch64
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "setns": (308, 268),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "inotify_init": (253, 26),
    "inotify_init1": (294, 26),
}
STAYS = {"sched_setaffinity": (203, 122)}  # once a kernel has its core
SOCKET, SETSOCKOPT, MMAP = (41, 198), (54, 208), (9, 222)
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}  # namespaces keep all of them apart
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_… in linux/audit.h

SOL_SOCKET, SIZES = 1, (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, and both …FORCE
SHARED_AND_OF_NO_FILE = 0x21  # MAP_SHARED | MAP_ANONYMOUS

LOAD, AND, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # of linux/bpf_common.h
NUMBER, MACHINE, ARGUMENTS = 0, 4, (16, 24, 32, 40)  # where they stand in linux/seccomp.h's seccomp_data
OTHER_NUMBERING = 0x40000000  # from here on x86_64 has the same calls once more, as x32
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.ENOSYS


Step = tuple[int, int] | tuple[int, int, int, int]


def calls_filter(machine: str = platform.machine()) -> bytes:
    """Return the filter for all that runs in the sandbox, as instructions of classic BPF.

    Raises
    ------
    ValueError
        If the machine's numbers of calls are not known here.

    Examples
    --------
    >>> len(calls_filter("x86_64")) % 8
    0
    >>> calls_filter("vax")
    Traceback (most recent call last):
        ...
    ValueError: the system calls of vax are not known
    """
    program, which = _refused(machine, REFUSED)
    program += _when(
        SOCKET[which], [(LOAD, ARGUMENTS[0]), *_one_of(FAMILIES.values(), ALLOW), (RETURN, REFUSE)]
    )
    sizes = [(LOAD, ARGUMENTS[2]), *_one_of(SIZES, REFUSE), (RETURN, ALLOW)]
    level = [(LOAD, ARGUMENTS[1]), *_unless(IF_EQUAL, SOL_SOCKET, ALLOW)]
    program += _when(SETSOCKOPT[which], [*level, *sizes])
    flags = [(LOAD, ARGUMENTS[3]), (AND, SHARED_AND_OF_NO_FILE)]
    program += _when(MMAP[which], [*flags, *_if(IF_EQUAL, SHARED_AND_OF_NO_FILE, REFUSE)])
    program += [(RETURN, ALLOW)]
    return b"".join(_instruction(*step) for step in program)


def stays_filter(machine: str = platform.machine()) -> bytes:
    """Return the filter that keeps a kernel on the core that it has."""
    program, _ = _refused(machine, STAYS)
    return b"".join(_instruction(*step) for step in [*program, (RETURN, ALLOW)])


def _refused(machine: str, refused: Mapping[str, tuple[int, int]]) -> tuple[list[Step], int]:
    """Return the first instructions, after which the call's number is loaded, and which of its numbers that is."""
    if machine not in MACHINES:
        raise ValueError(f"the system calls of {machine} are not known")
    which = list(MACHINES).index(machine)
    program: list[Step] = [(LOAD, MACHINE), *_unless(IF_EQUAL, MACHINES[machine], REFUSE), (LOAD, NUMBER)]
    program += _if(IF_AT_LEAST, OTHER_NUMBERING, REFUSE)
    return program + _one_of((numbers[which] for numbers in refused.values()), REFUSE), which


def _if(test: int, value: int, then: int) -> list[Step]:
    return [(test, value, 0, 1), (RETURN, then)]


def _one_of(values: Iterable[int], then: int) -> list[Step]:
    return [step for value in values for step in _if(IF_EQUAL, value, then)]


def _when(number: int, steps: Sequence[Step]) -> list[Step]:
    """Return steps that are taken for one call alone."""
    return [(IF_EQUAL, number, 0, len(steps)), *steps]


def _unless(test: int, value: int, then: int) -> list[Step]:
    return [(test, value, 1, 0), (RETURN, then)]


def _instruction(code: int, value: int, skipped_if_so: int = 0, skipped_if_not: int = 0) -> bytes:
    return struct.pack("HBBI", code, skipped_if_so, skipped_if_not, value)
