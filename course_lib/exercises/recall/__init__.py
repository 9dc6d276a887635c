"""Questions that come back: a few minutes a day, spaced over later chapters.

`bank` holds the questions and judges answers, `spacing` says what is asked on which day, `store` keeps what was
answered in one file of the student's, `terminal` asks in a terminal (`course recall`), and `recall()` asks in a
notebook. Nothing here uses the network.

The rule is Leitner's: five boxes. A right answer moves a question to the next box, a wrong one back to the first, and
box by box the wait is longer: 1, 3, 7, 14, 28 days. It has no parameters to fit and asks for no rating of oneself, and
a student can follow it with pencil and paper. That spacing helps, and answering by heart, is well established. Which
schedule is best is not, so we took the simplest.

Sources: S. Leitner, "So lernt man lernen" (1972); N. Cepeda and others, "Distributed Practice in Verbal Recall Tasks"
(2006); H. Roediger and J. Karpicke, "Test-Enhanced Learning" (2006).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from course_lib.exercises.recall.bank import Bank, Question, Verdict, judge, load
from course_lib.exercises.recall.spacing import Answer, Standing, standings, todays
from course_lib.exercises.recall.store import Store

if TYPE_CHECKING:
    from course_lib.exercises.recall.widget import Recall

__all__ = ["Answer", "Bank", "Question", "Standing", "Store", "Verdict", "judge", "load", "recall"]
__all__ += ["standings", "todays"]


def recall(read: int = 0) -> Recall:
    """Return a control that asks today's questions in a notebook.

    Showing it writes nothing. The first answer makes the file `work/recall.json` in the course's folder.

    Parameters
    ----------
    read : int
        The chapter that was read last: questions come from this one and those before it. 0: as it was said before.

    Raises
    ------
    ValueError
        If `read` is no chapter.
    FileNotFoundError
        Outside of the course's folder.
    """
    from course_lib.exercises.recall.widget import (
        Recall,  # ipywidgets are slow to import: not for `course recall`
    )

    return Recall(load(), Store.of_course(), read)
