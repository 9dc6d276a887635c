"""CPU-time limits for parsing, rendering and comparing what students wrote (running it is the sandbox's business)."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

AGAIN = 0.1  # seconds after which time is up once more, should some library swallow the first


class OutOfTime(BaseException):  # and no Exception, which parsers catch and go on
    """The CPU-time limit of a block was exceeded."""


@contextlib.contextmanager
def cpu_seconds(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block when it has computed for so long, however busy the machine is.

    Regular expressions are stopped, too. In a thread other than the main one nothing is: there is no signal there.

    Examples
    --------
    >>> import re
    >>> try:
    ...     with cpu_seconds(0.1):
    ...         _ = re.match(r"(a|aa)+$", 60 * "a" + "b")
    ... except OutOfTime:
    ...     print("stopped")
    stopped
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, AGAIN), AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        # Time may have been up once more just before it was stopped.
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise OutOfTime
