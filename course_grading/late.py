"""Late policy: penalties for late submissions, and extensions, from nbgrader's configuration.

In `nbgrader_config.py`:

    c.AssignLatePenalties.plugin_class = "course_grading.late.LatePolicy"
    c.LatePolicy.percent_a_day = 10
    c.LatePolicy.grace_minutes = 15
    c.LatePolicy.extensions = {"ps03": {"ada": "2 days", "carl": {"days": 1, "hours": 12}}}

The gradebook holds the extension and the penalty of each submission, as nbgrader has it. A penalty is a share of the
points that are there when it is assigned: `assign_penalties` does so again once a person has read the rest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Dict, Float

SECONDS_A_DAY = 24 * 60 * 60
UNITS = ("minutes", "hours", "days", "weeks")  # as Gradebook.grant_extension names them
Extension = str | Mapping[str, float]


class LatePolicy(LateSubmissionPlugin):  # type: ignore[misc]  # nbgrader is not annotated
    """Takes a share of the points for each day that has begun since the due date and the minutes of grace after it.

    Examples
    --------
    >>> policy = LatePolicy(percent_a_day=10, grace_minutes=15)
    >>> [policy.late_submission_penalty("ada", 20, minutes * 60) for minutes in (15, 16, 24 * 60 + 16, 99 * 24 * 60)]
    [0.0, 2.0, 4.0, 20.0]
    """

    percent_a_day = Float(0, min=0, help="Of the points, for each day that has begun. 0: no penalty.").tag(
        config=True
    )
    grace_minutes = Float(0, min=0, help="So much later is not late; days are counted from there.").tag(
        config=True
    )
    most_percent = Float(100, min=0, max=100, help="No penalty takes more of the points than this.").tag(
        config=True
    )
    extensions = Dict(
        help="More time, by problem set and student: "
        '{"ps03": {"ada": "2 days", "carl": {"hours": 36}}}. "0 days" takes an extension back.',
    ).tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        """Return the points that a submission loses; nbgrader calls this.

        Parameters
        ----------
        student_id : str
        score : float
            The points that it has earned.
        total_seconds_late : float
            After the due date, which includes the student's extension.
        """
        days = math.ceil(max(0, total_seconds_late - 60 * self.grace_minutes) / SECONDS_A_DAY)
        return max(0.0, score) * (min(self.most_percent, days * self.percent_a_day) / 100)


def grant_extensions(gradebook: Gradebook, name: str, extensions: Mapping[str, Extension]) -> list[str]:
    """Give students more time for a problem set; call it before penalties are assigned.

    What was granted by other means to other students stays. An extension takes the place of an earlier one.

    Parameters
    ----------
    gradebook : Gradebook
    name : str
        As in "ps03".
    extensions : mapping from student to time
        "2 days", "1 day 12 hours" or {"days": 1, "hours": 12}, in minutes, hours, days, weeks.

    Returns
    -------
    list of str
        Students who have handed in nothing that could be extended (yet; or is the name misspelt?).

    Raises
    ------
    ValueError
        If a time cannot be read, or the problem set has no due date.
    """
    times = {student: _time(student, extension) for student, extension in extensions.items()}
    # With an extension of no date nbgrader could not even say that nobody is late.
    if times and gradebook.find_assignment(name).duedate is None:
        raise ValueError(
            f"{name} has no due date, so nobody's can be extended: give it one "
            f'(nbgrader db assignment add {name} --duedate="2027-01-31 23:59 Europe/Paris"), '
            f"or take {name} out of c.LatePolicy.extensions"
        )
    absent = []
    for student, time in times.items():
        try:
            gradebook.grant_extension(name, student, **time)
        except MissingEntry:
            absent.append(student)
    return absent


def _time(student: str, extension: Extension) -> dict[str, float]:
    """Return an extension as nbgrader's keywords.

    Examples
    --------
    >>> _time("ada", "1 day, 12 hours"), _time("ada", {"days": 2})
    ({'days': 1.0, 'hours': 12.0}, {'days': 2.0})
    """
    if isinstance(extension, str):
        words = re.findall(r"([\d.]+) *([a-z]+)", extension)
        unread = re.sub(r"([\d.]+) *([a-z]+)|\band\b|[ ,]", "", extension)
        extension = {unit if unit.endswith("s") else f"{unit}s": amount for amount, unit in words}
        if unread or len(words) != len(extension):
            extension = {}
    try:
        time = {unit: float(amount) for unit, amount in extension.items()}
    except (TypeError, ValueError, AttributeError):
        time = {}
    if not time or not all(unit in UNITS and 0 <= amount < math.inf for unit, amount in time.items()):
        raise ValueError(
            f'the extension of {student!r} cannot be read: expected "2 days", "1 day 12 hours" or '
            '{"days": 1, "hours": 12}, in minutes, hours, days or weeks'
        )
    return time


def assign_penalties(gradebook: Gradebook, name: str, policy: LatePolicy) -> None:
    """Assign every penalty of a problem set from the present points, dates and extensions.

    nbgrader does so for what it grades anew. Call this for all the others: when a date, an extension or the policy has
    changed, or a person has given points.
    """
    for submission in gradebook.assignment_submissions(name):
        late = submission.total_seconds_late
        for notebook in submission.notebooks:
            penalty = policy.late_submission_penalty(submission.student.id, notebook.score, late)
            notebook.late_submission_penalty = penalty or None
    gradebook.db.commit()


class GrantExtensions(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader is not annotated
    """Applies `c.LatePolicy.extensions`, for `nbgrader autograde`: put it before AssignLatePenalties."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Grant what is configured for the problem set; nbgrader calls this for each submission."""
        name = resources["nbgrader"]["assignment"]
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            grant_extensions(gradebook, name, LatePolicy(parent=self).extensions.get(name, {}))
        return nb, resources
