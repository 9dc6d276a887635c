"""Today's questions in a notebook: a control of the browser's own radio buttons, fields and buttons.

The browser shows what `view` says and sends back what the reader did in `reply`; right answers stay in the kernel until
a question is answered.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from course_lib.exercises.recall.bank import LAST_CHAPTER, Bank, Question, number_in
from course_lib.exercises.recall.session import Session, Told
from course_lib.exercises.recall.store import Store
from course_lib.figures.interactive import STILL_OR_LIVE, VIEW

HERE = Path(__file__).parent
PALETTE = json.loads((HERE.parents[1] / "figures" / "palette.json").read_text(encoding="utf-8"))
TITLE = "Today’s questions"
STILL = (
    "A few questions on this chapter and those before it, about five minutes. Run this cell, and it asks what is due "
    "today; or type <code>course recall</code> in a terminal. What you answer is kept on your machine only, in "
    "<code>work/recall.json</code>."
)


def _style() -> str:
    """Return the control's looks, in the palette of the figures."""

    def variables(theme: str) -> str:
        return "".join(
            f"--recall-{name}: {value}; " for name, value in PALETTE[theme].items() if name != "series"
        )

    dark = f"{{ {variables('dark')}color-scheme: dark }}"
    return (
        f".course-recall {{ {variables('light')}color-scheme: light }}\n"
        f"@media (prefers-color-scheme: dark) {{ body:not([data-jp-theme-light]) .course-recall {dark} }}\n"
        f'[data-jp-theme-light="false"] .course-recall {dark}\n'
    ) + (HERE / "widget.css").read_text(encoding="utf-8")


class Recall(anywidget.AnyWidget):
    """Asks today's questions, one after the other.

    Parameters
    ----------
    bank : Bank
    store : Store
        It is written with the first answer, not before.
    read : int
        The chapter that was read last; 0: as the store knows.
    clock : function, optional
        Returns today's date.

    Raises
    ------
    ValueError
        If `read` is no chapter.
    """

    _esm = HERE / "widget.js"
    _css = _style()
    view = traitlets.Dict().tag(sync=True)
    reply = traitlets.Dict().tag(sync=True)

    def __init__(
        self, bank: Bank, store: Store, read: int = 0, clock: Callable[[], date] = date.today
    ) -> None:
        if read not in range(LAST_CHAPTER + 1):
            raise ValueError(f"read is {read!r}: expected the number of a chapter, up to {LAST_CHAPTER}")
        self._session = Session(bank, store, read, clock=clock)
        self._options: list[str] = []
        super().__init__()
        self.add_class("course-live")
        self.observe(self._replied, names="reply")
        self._go_on()

    def _replied(self, change: dict[str, Any]) -> None:
        reply, question = self.reply, self._session.question
        step = self.view["step"]
        try:
            if reply.get("do") == "next" and step in ("told", "done"):
                self._go_on()
            elif question is None or step != "ask" or reply.get("question") != question.id:
                return  # a second view of the same cell is behind
            elif reply.get("do") == "later":
                self._session.later()
                self._go_on()
            elif reply.get("do") == "answer":
                self._answered(question, reply.get("answer"))
        except (OSError, ValueError) as error:
            self._show(step="done", text=_runs(f"This answer could not be saved. {error}"))

    def _answered(self, question: Question, given: Any) -> None:
        answer: str | float | list[str] | None = None
        if question.kind == "number":
            answer = number_in(str(given))
        elif question.kind == "choice" and given in range(len(self._options)):
            answer = self._options[given]
        elif question.kind == "order" and sorted(given or []) == list(range(len(self._options))):
            answer = [self._options[n] for n in given]
        if answer is None:
            self._ask(question, "Write a number: 0.5, 1/2 and 1,024 are all read.", given)
            return
        self._tell(question, self._session.answer(answer), given)

    def _go_on(self) -> None:
        question = self._session.next()
        if question is None:
            self._show(step="done", text=_runs(self._session.ending()))
        else:
            self._options = [] if question.kind == "number" else self._session.shown()
            self._ask(question)

    def _ask(self, question: Question, problem: str = "", given: Any = "") -> None:
        more = self._session.left - 1
        self._show(
            step="ask",
            question=question.id,
            turn=len(self._session.answered),
            place=f"{question.place}. {f'{more} more today' if more else 'The last one for today'}.",
            kind=question.kind,
            ask=_runs(question.ask),
            options=[_runs(option) for option in self._options],
            unit=question.unit,
            problem=problem,
            given=given,
        )

    def _tell(self, question: Question, told: Told, given: Any) -> None:
        right = [_runs(line) for line in question.lines] or [_runs(told.right)]
        self._show(
            step="told",
            question=question.id,
            place=f"{question.place}.",
            kind=question.kind,
            ask=_runs(question.ask),
            options=[_runs(option) for option in self._options],
            unit=question.unit,
            given=given,
            is_right=told.verdict.right,
            heading=told.heading,
            says=_runs(told.verdict.says),
            right=right,
            because=_runs(told.because),
            again=f"This question comes again {told.again}.",
        )

    def _show(self, **view: Any) -> None:
        self.view = {"title": TITLE, "news": self._session.store.news(), "number": self._number(), **view}

    def _number(self) -> int:
        """Count the views, so that the browser shows each anew."""
        return int(self.view.get("number", 0)) + 1

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        plain = html.unescape(re.sub(r"<[^>]*>", "", STILL))
        still = (
            f'<div class="course-still">{STILL_OR_LIVE}<p><strong>{TITLE}</strong></p><p>{STILL}</p></div>'
        )
        return {"text/html": still, "text/plain": f"{TITLE}. {plain}"}, {}

    def _ipython_display_(self) -> None:
        """Show the still, to stay where nothing runs, and the control, which takes its place."""
        data, metadata = self._repr_mimebundle_()
        view: Any = super()._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
        display({VIEW: (view[0] if isinstance(view, tuple) else view)[VIEW]}, raw=True)


def _runs(text: str) -> list[list[Any]]:
    """Return a text as pieces, each with whether it is in italics: the browser makes nodes of them, and reads no HTML.

    Examples
    --------
    >>> _runs("The word *is*.")
    [['The word ', False], ['is', True], ['.', False]]
    """
    return [[piece, n % 2 == 1] for n, piece in enumerate(re.split(r"\*([^*]+)\*", text)) if piece]
