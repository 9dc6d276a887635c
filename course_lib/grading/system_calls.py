"""Which of the operating system's calls students' code may not make: a filter for bubblewrap's `--seccomp`.

Namespaces and limits do not reach everything. The kernel's key store is that of whoever grades, and is read from any
namespace; so are some kinds of sockets. Memory in files and segments that belong to no process is on no process's
account. And what a notebook never needs may have faults that help out of the sandbox. All this is as if the kernel
had it not.
"""

from __future__ import annotations

import errno
import platform
import struct

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
}
SOCKET = (41, 198)
FAMILIES = {
    "AF_UNIX": 1,
    "AF_INET": 2,
    "AF_INET6": 10,
    "AF_NETLINK": 16,
}  # all of which namespaces keep apart
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_… in linux/audit.h

LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # of linux/bpf_common.h
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16  # where they stand in linux/seccomp.h's seccomp_data
OTHER_NUMBERING = 0x40000000  # from here on x86_64 has the same calls once more, as x32
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.ENOSYS


def calls_filter(machine: str = platform.machine()) -> bytes:
    """Return the filter, as instructions of classic BPF.

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
    if machine not in MACHINES:
        raise ValueError(f"the system calls of {machine} are not known")
    which = list(MACHINES).index(machine)
    program = [(LOAD, MACHINE), *_unless(IF_EQUAL, MACHINES[machine], REFUSE), (LOAD, NUMBER)]
    program += _if(IF_AT_LEAST, OTHER_NUMBERING, REFUSE)
    for numbers in REFUSED.values():
        program += _if(IF_EQUAL, numbers[which], REFUSE)
    program += [*_unless(IF_EQUAL, SOCKET[which], ALLOW), (LOAD, FIRST_ARGUMENT)]
    for family in FAMILIES.values():
        program += _if(IF_EQUAL, family, ALLOW)
    program += [(RETURN, REFUSE)]
    return b"".join(_instruction(*step) for step in program)


Step = tuple[int, int] | tuple[int, int, int, int]


def _if(test: int, value: int, then: int) -> list[Step]:
    return [(test, value, 0, 1), (RETURN, then)]


def _unless(test: int, value: int, then: int) -> list[Step]:
    return [(test, value, 1, 0), (RETURN, then)]


def _instruction(code: int, value: int, skipped_if_so: int = 0, skipped_if_not: int = 0) -> bytes:
    return struct.pack("HBBI", code, skipped_if_so, skipped_if_not, value)
