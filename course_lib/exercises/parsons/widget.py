"""Lines to order in a notebook: two lists, between which lines are dragged, or moved by buttons and arrow keys.

The browser does it all by itself; the kernel is told the order, and nothing else. Nothing here knows a right order.
"""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from course_lib.exercises.parsons import Puzzle
from course_lib.figures.interactive import STILL_OR_LIVE, VIEW

HERE = Path(__file__).parent
PALETTE = json.loads((HERE.parents[1] / "figures" / "palette.json").read_text(encoding="utf-8"))
STILL = (
    "Which lines make the program, and in which order? Write their letters into the cell below, as in return "
    '"B A". Run this cell, and lines can be dragged, or moved by buttons.'
)


def _style() -> str:
    """Return the control's looks, in the palette of the figures."""

    def variables(theme: str) -> str:
        return "".join(
            f"--parsons-{name}: {value}; " for name, value in PALETTE[theme].items() if name != "series"
        )

    dark = f"{{ {variables('dark')}color-scheme: dark }}"
    return (
        f".course-parsons {{ {variables('light')}color-scheme: light }}\n"
        f"@media (prefers-color-scheme: dark) {{ body:not([data-jp-theme-light]) .course-parsons {dark} }}\n"
        f'[data-jp-theme-light="false"] .course-parsons {dark}\n'
    ) + (HERE / "widget.css").read_text(encoding="utf-8")


class Ordering(anywidget.AnyWidget):
    """The control of a puzzle.

    Parameters
    ----------
    puzzle : Puzzle

    Attributes
    ----------
    order : list of str
        The letters of the lines in "your program", from the top.
    """

    _esm = HERE / "widget.js"
    _css = _style()
    puzzle = traitlets.Dict().tag(sync=True)
    order = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(
            puzzle={"begins": puzzle.begins, "lines": list(puzzle.lines.items()), "ends": puzzle.ends}
        )
        self.add_class("course-live")


def still(puzzle: Puzzle) -> dict[str, str]:
    r"""Return what is shown where nothing runs: the lettered lines, as text and as HTML.

    Examples
    --------
    >>> shown = still(Puzzle("  | def f(x):\nA |     x = x + 1\n  |     return x"))["text/plain"]
    >>> print(shown.partition("Which")[0].rstrip())
      | def f(x):
    A |     x = x + 1
      |     return x
    """
    given = [[("", code) for code in part.splitlines()] for part in (puzzle.begins, puzzle.ends)]
    rows = [*given[0], *puzzle.lines.items(), *given[1]]
    text = "\n".join(f"{letter or ' '} | {code}" for letter, code in rows)
    shown = f"<pre>{html.escape(text, quote=False)}</pre><p>{html.escape(STILL, quote=False)}</p>"
    return {
        "text/html": f'<div class="course-still">{STILL_OR_LIVE}{shown}</div>',
        "text/plain": f"{text}\n\n{STILL}",
    }


def show(puzzle: Puzzle) -> None:
    """Show the still, to stay where nothing runs, and the control, which takes its place."""
    display(still(puzzle), raw=True)
    view: Any = Ordering(puzzle)._repr_mimebundle_()
    display({VIEW: (view[0] if isinstance(view, tuple) else view)[VIEW]}, raw=True)
