"""Report on a class: distribution of points, success by question, frequent misconceptions, answers to look at.

It is made of the records alone (`course_grading.records`), so written answers are not part of it.
"""

from __future__ import annotations

import builtins
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from course_grading.course import Course
from course_grading.explain import explain
from course_grading.problem_sets import ProblemSet, load_problem_set
from course_grading.questions import CHANGED, Question, Verdict
from course_grading.records import STATUSES, Record, load_records
from course_grading.report_page import FOLDER, render
from course_lib.exercises.kernel_protocol import printable
from course_lib.figures.palette import COLOURS, INK, LINE, PAPER
from course_lib.figures.picture import Picture, draw, plain, significant
from course_lib.files import atomic_path

MOST_EXAMPLES = 3  # of students who were told the same
NOT_GRADED = "not graded"
MOST_BARS = 25  # of the histogram

NOT_BEGUN, ERROR = "was not begun", "stops with an error"
WRONG = "another wrong value, shape or type"
# Any other exception's name is the student's choice.
PYTHONS_ERRORS = {
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Exception)
}
GROUPS = {  # what is in a message that is no misconception's, and what it then counts as
    "stops with NotImplementedError": NOT_BEGUN,
    "stops with ": ERROR,
    "Your code cannot be used as this question asks": "cannot be used as the question asks",
    "There is no function called ": "a function is missing",
    "the time that a submission has is used up": "no time was left",
    "The check of this part stopped at your answer": "the check itself failed: a person decides",
    ": this question asks you to do without it": "a forbidden call",
    " was stopped": "had to be stopped",
    "made Python itself die": "made Python itself die",
    "The kernel gave": "gave no answer that can be read",
    "The answer could not be read": "gave no answer that can be read",
    "Your answer is far too large": "gave no answer that can be read",
}

# ---- What there is to say ----


@dataclass(frozen=True)
class Success:
    """How many answers to a question got all of its points, some, none."""

    question: str
    points: float
    full: int
    partial: int
    zero: int

    def share(self, number: int) -> float:
        """Return a number of answers as a share of all."""
        return number / max(1, self.full + self.partial + self.zero)


@dataclass(frozen=True)
class Reason:
    """Why points of a question are missing, to how many students that was said, and who some of them are."""

    question: str
    what: str
    students: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """How a class did in a problem set.

    Attributes
    ----------
    problem_set : str
    out_of : float
        The points that the machine gives.
    points : tuple of float
        Of each graded submission.
    statuses : mapping from status to number
        The records' statuses, and "not graded": handed in, and without a record.
    questions : tuple of Success
    reasons : tuple of Reason
        By question; misconceptions in their own words, all else in a few groups; the most frequent first.
    notes : tuple of (student, status, note)
        Who was not graded or only in part, and why; and what was tampered with.
    """

    problem_set: str
    out_of: float
    points: tuple[float, ...]
    statuses: dict[str, int]
    questions: tuple[Success, ...]
    reasons: tuple[Reason, ...]
    notes: tuple[tuple[str, str, str], ...]


def report(course: Course, problem_set: ProblemSet, records: Iterable[Record]) -> Report:
    """Sum up what came of the submissions of a problem set.

    Parameters
    ----------
    course : Course
    problem_set : ProblemSet
    records : iterable of Record
    """
    records = list(records)
    verdicts = [
        (record.student, verdict) for record in records if record.is_graded for verdict in record.verdicts
    ]
    answered = [
        (question, {student: verdict for student, verdict in verdicts if verdict.question == question.name})
        for question in problem_set.questions.values()
    ]
    waiting = sorted(course.submissions(problem_set.name).keys() - {record.student for record in records})
    counts = Counter[str](record.status for record in records)
    return Report(
        problem_set=problem_set.name,
        out_of=sum(question.points for question, _ in answered),
        points=tuple(record.points for record in records if record.is_graded),
        statuses={status: counts[status] for status in STATUSES if counts[status]}
        | ({NOT_GRADED: len(waiting)} if waiting else {}),
        questions=tuple(_success(question, list(answers.values())) for question, answers in answered),
        reasons=tuple(reason for question, answers in answered for reason in _reasons(question, answers)),
        notes=(
            *((record.student, record.status, record.message) for record in records if record.message),
            *((record.student, "tampering", line) for record in records for line in record.tampering),
            *((record.student, "look at it", doubt) for record in records for doubt in record.doubts),
            *((student, NOT_GRADED, "was handed in after the last grading") for student in waiting),
        ),
    )


def _success(question: Question, answers: Sequence[Verdict]) -> Success:
    full = sum(verdict.points == verdict.out_of for verdict in answers)
    none = sum(verdict.points == 0 < verdict.out_of for verdict in answers)
    return Success(question.name, question.points, full, len(answers) - full - none, none)


def _reasons(question: Question, answers: Mapping[str, Verdict]) -> list[Reason]:
    """Count for each reason the students who were told it: once each, however many parts they lost by it."""
    known = [
        words for found in question.misconceptions for words in (found.message, found.sometimes) if words
    ]

    def what(message: str) -> str:
        return next((words for words in (*known, CHANGED) if message.startswith(words)), "") or group(message)

    students, errors = defaultdict[str, list[str]](list), Counter[str]()
    for student, verdict in answers.items():
        for reason in {what(message) for message in verdict.messages}:
            students[reason].append(student)
        errors_found = [re.search(r"stops with (\w{1,40})", m) for m in verdict.messages if group(m) == ERROR]
        errors.update(
            {found[1] if found[1] in PYTHONS_ERRORS else "another" for found in errors_found if found}
        )
    names = ", ".join(f"{name}: {number}" for name, number in errors.most_common())
    in_order = sorted(students.items(), key=lambda entry: -len(entry[1]))
    return [
        Reason(
            question.name,
            f"{reason} ({names})" if reason == ERROR else reason,
            len(those),
            tuple(those[:MOST_EXAMPLES]),
        )
        for reason, those in in_order
    ]


def group(message: str) -> str:
    """Return what a message counts as that names no misconception, in words that no student chose.

    Examples
    --------
    >>> group("Your code stops with NameError: name 'x' is not defined")
    'stops with an error'
    >>> group("Your result has shape (2, 3); expected is (3, 2).")
    'another wrong value, shape or type'
    """
    return next((name for part, name in GROUPS.items() if part in message), WRONG)


# ---- A figure of it ----


def figure(found: Report) -> Picture:
    """Draw how the points are distributed, and how many answers to each question got all, some, none of them.

    Raises
    ------
    ValueError
        If nothing is graded.
    """
    if not found.points:
        raise ValueError(f"no submission of {found.problem_set} is graded, so there is nothing to draw")

    def paint(canvas: Figure) -> str:
        left, right = canvas.subplots(1, 2, width_ratios=(1.2, 1))
        return f"{_paint_points(left, found)} {_paint_questions(right, found.questions)}"

    return draw(9.6, max(3.4, 1.4 + 0.4 * len(found.questions)), paint, layout="constrained")


def _paint_points(axis: Axes, found: Report) -> str:
    width = max(1, round(found.out_of / MOST_BARS))
    edges = np.arange(-0.5, found.out_of + 0.5 + width, width)  # so that whole points lie within a bar
    numbers, _ = np.histogram(found.points, edges)
    axis.bar(edges[:-1], numbers, 0.92 * width, align="edge", color=COLOURS[0], edgecolor=PAPER)
    median = statistics.median(found.points)
    axis.axvline(median, color=INK, linestyle=(0, (4, 3)), linewidth=1.2)
    axis.set_title(f"median {significant(median)}", loc="left")
    axis.set(xlabel=f"points, of {found.out_of:g}", ylabel="submissions")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.yaxis.set_major_locator(MaxNLocator(integer=True))
    axis.grid(axis="y", color=LINE)
    low, high = min(found.points), max(found.points)
    return (
        f"Histogram of the points of {len(found.points)} submissions, from {significant(low)} to "
        f"{significant(high)} of {found.out_of:g}, median {significant(median)}."
    )


def _paint_questions(axis: Axes, questions: Sequence[Success]) -> str:
    places, base = np.arange(len(questions)), np.zeros(len(questions))
    shown = {"all points": COLOURS[2], "some": COLOURS[5], "none": COLOURS[1]}
    for index, (name, colour) in enumerate(shown.items()):
        shares = np.array([100 * q.share((q.full, q.partial, q.zero)[index]) for q in questions])
        look: dict[str, Any] = {"color": colour, "edgecolor": PAPER}
        axis.barh(places, shares, 0.8, base, label=name, **look)
        base += shares
    axis.set_yticks(places, [plain(question.question) for question in questions])
    axis.invert_yaxis()
    axis.set(xlabel="% of answers", xlim=(0, 100))
    axis.legend(ncols=3, loc="lower left", bbox_to_anchor=(-0.05, 1.0), columnspacing=1.0)
    shares_in_words = (
        f"{q.question}: {100 * q.share(q.full):.0f} %, {100 * q.share(q.partial):.0f} %, {100 * q.share(q.zero):.0f} %"
        for q in questions
    )
    return f"Answers with all points, some, none. {'; '.join(shares_in_words)}."


# ---- A table of it, and a page ----


def table(found: Report) -> str:
    """Write the report for a terminal, without anything that a student chose but their name."""
    lines = [f"{found.problem_set}: " + ", ".join(f"{n} {status}" for status, n in found.statuses.items())]
    if found.points:
        spread = (statistics.median(found.points), min(found.points), max(found.points), found.out_of)
        lines.append("points: median {:g}, from {:g} to {:g}, of {:g}".format(*spread))
        lines += ["", f"{'question':10}{'points':>7}{'all':>8}{'some':>8}{'none':>8}"]
    for q in found.questions if found.points else ():
        shares = "".join(f"{100 * q.share(number):6.0f} %" for number in (q.full, q.partial, q.zero))
        lines.append(f"{q.question:10}{q.points:7g}{shares}")
    lines += ["", *(f"{r.students:4} × {r.question}: {r.what}" for r in found.reasons)]
    lines += ["", *(f"{student}: {status}" for student, status, _ in found.notes)]
    return "\n".join(printable(line) for line in lines).rstrip()


BODY = """{% extends "page" %}{% block body %}
<p>{% for status, number in found.statuses.items() %}{{ number }} {{ status }}{{ ", " if not loop.last }}{% endfor %}.
These are the points that the machine gives, {{ "%g" % found.out_of }} in all; written answers are not among them.</p>
{% if picture %}<p>{{ picture | safe }}</p>{% endif %}
<h2>Questions</h2>
<table>
<tr><th>Question</th><th>Points</th><th>All</th><th>Some</th><th>None</th></tr>
{% for q in found.questions %}<tr><td>{{ q.question }}</td><td class="number">{{ "%g" % q.points }}</td>
{% for number in (q.full, q.partial, q.zero) %}
<td class="number">{{ number }} ({{ "%.0f" % (100 * q.share(number)) }} %)</td>
{% endfor %}</tr>{% endfor %}
</table>
<h2>Why points are missing</h2>
<p>Behind a name stand the inputs of each case that went wrong, what was expected and what came. For everybody else
<code>course explain STUDENT {{ found.problem_set }}</code> prints them. Students must not see this: they get the same
inputs when they hand in again.</p>
<table>
<tr><th>Question</th><th>Students</th><th>What they were told</th></tr>
{% for reason in found.reasons %}<tr><td>{{ reason.question }}</td><td class="number">{{ reason.students }}</td>
<td>{{ reason.what }}
{% for student in reason.examples %}<details><summary>{{ printable(student) }}</summary>
<pre>{{ explained(student, reason.question) }}</pre></details>{% endfor %}</td></tr>{% endfor %}
</table>
{% if found.notes %}<h2>To look at</h2>
<table>
<tr><th>Student</th><th>What</th><th>More</th></tr>
{% for student, status, note in found.notes %}<tr><td>{{ printable(student) }}</td><td>{{ status }}</td>
<td>{{ printable(note) }}</td></tr>
{% endfor %}
</table>{% endif %}
{% endblock %}"""


def main_report(course: Course, name: str) -> str:
    """Write `reports/psNN/report.html` and `distribution.png`; return what `course report psNN` prints.

    Raises
    ------
    ValueError
        If nothing has been graded.
    """
    records = list(load_records(course.root, name))
    if not records:
        raise ValueError(f"nothing of {name} has been graded yet: 'course grade {name}' does it")
    found = report(course, load_problem_set(course.folder("source", name)), records)
    picture = figure(found) if found.points else None

    def explained(student: str, question: str) -> str:
        return explain(course, student, name, question)

    page = render(
        BODY,
        title=f"{name}: how the class did",
        found=found,
        picture=picture and picture.html(),
        printable=printable,
        explained=explained,
    )
    folder = course.root / FOLDER / name
    with atomic_path(folder / "report.html") as path:
        path.write_text(page, encoding="utf-8")
    if picture:
        with atomic_path(folder / "distribution.png") as path:
            path.write_bytes(picture.png)
    return f"{table(found)}\n\nMore in {folder.relative_to(course.root) / 'report.html'}."
