"""Numbers that a chapter's sentences name: printed by a cell, and compared with the sentences by a test."""

from __future__ import annotations

import html
import re
from decimal import ROUND_HALF_UP, Decimal

from IPython.core.getipython import get_ipython
from IPython.display import display

SUMMARY = "Numbers that the text names"
QUIET = 'style="font-size: 85%; opacity: 0.65"'
_of_this_cell: list[str] = []

# 94 %<!-- fluffy_on_cat -->: the number, and the name under which a cell has printed it.
MARKED = re.compile(r"([−-]?\d[\d,]*(?:\.\d+)?)(\s?%)?(?:\*\*|\*|\$)?\s?<!-- ?(\w+) ?-->")
PRINTED = re.compile(r"^(\w+) = (-?[\d.]+(?:e[+-]?\d+)?)$", re.MULTILINE)


def facts(**numbers: float) -> None:
    """Print numbers by their names, so that sentences can name them: `94 %<!-- fluffy_on_cat -->`.

    A share is printed as it is, and may be named in per cent. In a notebook all those of a cell are folded away, under
    what else it shows.

    Examples
    --------
    >>> facts(fluffy_on_cat=0.9423, n_seeds=10)
    fluffy_on_cat = 0.9423
    n_seeds = 10
    """
    lines = [f"{name} = {float(number):.6g}" for name, number in numbers.items()]
    shell = get_ipython()
    if shell is None:
        print("\n".join(lines))
        return
    if not _of_this_cell:
        shell.events.register("post_run_cell", _show)
    _of_this_cell.extend(lines)


def _show(result: object) -> None:
    """Show what `facts` was given in the cell that has run."""
    lines = "\n".join(_of_this_cell)
    _of_this_cell.clear()
    if shell := get_ipython():
        shell.events.unregister("post_run_cell", _show)
    folded = f"<details {QUIET}><summary>{SUMMARY}</summary><pre>{html.escape(lines)}</pre></details>"
    display({"text/html": folded, "text/plain": lines}, raw=True)


def wrong_numbers(prose: str, printed: str) -> list[str]:
    """Return what is wrong with the marked numbers of a text: that no cell printed one, or that it printed another.

    A number is right if it is the printed one, rounded to the digits that the text gives.

    Parameters
    ----------
    prose : str
        Markdown.
    printed : str
        What the cells printed.

    Examples
    --------
    >>> wrong_numbers("It gives 94 %<!-- share --> in 9<!-- seeds --> of 10 seeds.", "share = 0.9423\\nseeds = 8")
    ['9 is named seeds, which is 8']
    """
    known = dict(PRINTED.findall(printed))
    wrong = []
    for text, percent, name in MARKED.findall(prose):
        if name not in known:
            wrong.append(f"{text}{percent} is named {name}, which no cell prints")
            continue
        number = Decimal(known[name]) * (100 if percent else 1)
        told = Decimal(text.replace(",", "").replace("−", "-"))
        if number.quantize(Decimal(1).scaleb(int(told.as_tuple().exponent)), ROUND_HALF_UP) != told:
            wrong.append(f"{text}{percent} is named {name}, which is {known[name]}")
    return wrong
