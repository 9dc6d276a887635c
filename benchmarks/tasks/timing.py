"""How a task measures itself, and prints what it found for `benchmarks/run.py`."""

import json
import resource
import statistics
import time
from collections.abc import Callable


def per_call(function: Callable[[], object], seconds: float = 2.0, at_least: int = 5) -> float:
    """Call a function for some seconds, after two calls that do not count; return the median of a call's seconds."""
    for _ in range(2):
        function()
    took: list[float] = []
    while len(took) < at_least or sum(took) < seconds:
        start = time.perf_counter()
        function()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def once(function: Callable[[], object]) -> float:
    """Return how many seconds one call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def most_memory() -> float:
    """Return the most memory that this process has held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def report(**figures: float) -> None:
    """Print figures as the last line, where `benchmarks/run.py` reads them."""
    print(json.dumps(figures))
