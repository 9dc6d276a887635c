"""Predict, then run: a control for the prediction, and the answer drawn beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course_lib.figures.page import PageFigure

SUMMARY = "The answer"


class Prediction:
    """A question to the reader, who sets a number or chooses; `reveal` draws the answer beside it.

    A cell shows the question, the next one runs what decides it and calls `reveal`. From then on the question has its
    button *Show the answer*, too. Who has predicted nothing sees the answer alone.

    Parameters
    ----------
    question : str
    options : sequence of str, optional
        What to choose from; a number is asked for where there are none.
    low, high : float
        Range of the number; the answer may lie outside, and is then drawn at the end.
    decimals : int
        How exactly the number is set and shown.
    unit : str
        Stands at the axis and behind the number: `"seconds"`, `"%"`, or what the percentage is of, `"% of the words"`.
    answer : float or str, optional
        If it is known beforehand: then the button is there from the start.

    Raises
    ------
    ValueError
        If low is not below high, there is one option only, or the answer is of another kind than the question.

    Examples
    --------
    >>> from course_lib.figures import Prediction
    >>> prediction = Prediction("How much of its weight does fluffy give to cat?", high=100, decimals=0, unit="%")
    >>> prediction.guess is None
    True
    >>> prediction.reveal(94.2).alt
    'A number from 0 % to 100 %. The answer: 94 %.'
    """

    def __init__(
        self,
        question: str,
        options: Sequence[str] = (),
        low: float = 0.0,
        high: float = 1.0,
        decimals: int = 2,
        unit: str = "",
        answer: float | str | None = None,
    ) -> None:
        if not low < high:
            raise ValueError(f"low must be below high: {low}, {high}")
        if len(options) == 1:
            raise ValueError(f"options must be at least two, not {list(options)}")
        self._props: dict[str, Any] = {
            "question": question,
            "low": low,
            "high": high,
            "decimals": decimals,
            "unit": unit,
            **({"options": list(options)} if options else {}),
        }
        known = {} if answer is None else {"answer": self._checked(answer)}
        self._control = PageFigure("prediction", {**self._props, **known})

    @property
    def guess(self) -> float | str | None:
        """What the reader has predicted so far."""
        guess: float | str | None = self._control.state.get("guess")
        return guess

    def reveal(self, answer: float | str) -> PageFigure:
        """Return the figure of the answer, beside the prediction if there is one; the question can show it now, too.

        Raises
        ------
        ValueError
            If the answer is not one of the options, or a word where a number was asked for.
        """
        props = {**self._props, "answer": self._checked(answer)}
        self._control.given = {**self._control.given, "props": props}
        return _Revealed("prediction", props, state={**self._control.state, "shown": True})

    def _checked(self, answer: float | str) -> float | str:
        """Return the answer as JSON can hold it, if it is of the question's kind."""
        options = self._props.get("options")
        if options and answer not in options:
            raise ValueError(f"answer is {answer!r}: expected one of {options}")
        if not options and isinstance(answer, str):
            raise ValueError(f"answer is {answer!r}: expected a number")
        return answer if options else float(answer)

    def _ipython_display_(self) -> None:
        self._control._ipython_display_()


class _Revealed(PageFigure):
    """The answer, shown; there is no need to say how to wake it.

    In a static page, which has no folded outputs, its still is folded: the question stands right above it.
    """

    moves = False

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        still = f'<details class="course-still"><summary>{SUMMARY}</summary>{data["text/html"]}</details>'
        return {**data, "text/html": still}, metadata
