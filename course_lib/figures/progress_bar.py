"""How far a cell is."""

import html
import time
from collections.abc import Iterator
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
from IPython.display import display

WHILE = 0.1  # seconds between two looks: often enough to see it move, seldom enough to cost nothing


def progress(n: int, task: str) -> Iterator[int]:
    """Count from 0 to n − 1 behind a bar that shows how far it is and how long it will take.

    The notebook stores only the name of the task and the number of steps, not the seconds.

    Parameters
    ----------
    n : int
        How many steps there are.
    task : str
        What is being done, as in "Training".

    Raises
    ------
    ValueError
        If `n` is not positive.

    Examples
    --------
    >>> sum(progress(4, "Counting"))
    Counting: 4 steps
    6
    """
    if n < 1:
        raise ValueError(f"n is {n}: expected at least one step")
    bar = _Bar(f"{task}: {n} steps" if n > 1 else f"{task}: 1 step")
    display(bar)
    start = shown = time.monotonic()
    done = 0
    try:
        for done in range(n):
            yield done
            if (now := time.monotonic()) - shown > WHILE:
                shown = now
                left = (now - start) * (n - done - 1) / (done + 1)
                bar.show((done + 1) / n, f"{task}: {done + 1} of {n}, about {left:.0f} s left")
        done = n
    finally:  # also when the cell is interrupted: the bar stays where it was
        ended = "" if done == n else f", stopped at {done}"
        bar.show(done / n, f"{bar.told}{ended} ({time.monotonic() - start:.1f} s)")


class _Bar(ipywidgets.HTML):  # type: ignore[misc]  # a class without types
    """An HTML progress bar; where no kernel runs, the words alone."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self.told = told
        self.show(0.0, told)

    def show(self, share: float, words: str) -> None:
        escaped = html.escape(words)
        self.value = f'<progress value="{share:.3f}" aria-label="{escaped}"></progress> {escaped}'

    def __repr__(self) -> str:
        return self.told

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": self.told}
