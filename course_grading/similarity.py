"""Similarity of answers beyond what the question makes alike, for a person to look at: never a verdict.

Fragments are compared by copydetect (winnowing, as MOSS does it): names and strings are made alike, comments and white
space go, and what two answers then share in at least K characters counts, in whatever order. Short answers are alike by
nature, so what many can have without each other counts for nothing: what is in the notebook as handed out, in the
reference answers, or with more than COMMON students, as in MOSS. Who copied the reference, or with so many others, this
does not tell. A class of 200 takes some seconds; the time grows with the number of pairs.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import nbformat
import numpy as np
from copydetect import CodeFingerprint, compare_files  # type: ignore[import-untyped]
from markupsafe import Markup, escape
from nbformat import NotebookNode
from numpy.typing import NDArray

from course_grading.cells import Cell
from course_grading.cleaning import clean
from course_grading.content import visible
from course_grading.course import Course
from course_grading.intake import InvalidNotebookError, InvalidSubmissionError, parse, read_submission
from course_grading.limits import OutOfTime, cpu_seconds
from course_grading.problem_sets import SOLUTION
from course_grading.report_page import FOLDER, render
from course_lib.exercises.kernel_protocol import printable
from course_lib.files import atomic_path

# K: about one short statement, `V=V.V(V,V=-1)` twice. Every fragment of that length is compared (copydetect's guarantee
# and noise thresholds are the same), so that the same class gives the same table each time.
K = 25
LEAST = 2 * K  # characters in common without which a question is not alike, however short its answers
COMMON = 10  # students who have a fragment; MOSS's own default
LONGEST = 20_000  # characters of an answer that are looked at
SECONDS = 10  # of computing that one student's answers may take
BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n){3,}")  # the lexer's time grows with their square
QUESTIONS = 2  # those most alike that decide: nobody has to copy all
THRESHOLD = 0.6
EXTRA = "other cells"

# ---- What is compared ----

Work = Mapping[str, CodeFingerprint]
Texts = Mapping[tuple[str, str], str]  # by question and type of cell


def read_works(course: Course, name: str, common: int = COMMON) -> tuple[dict[str, Work], list[str]]:
    """Read what each student wrote, by question; what cannot be read is left out, since grading says so already.

    Parameters
    ----------
    course : Course
    name : str
        As in "ps05".
    common : int
        A fragment that more students have counts for nothing.

    Returns
    -------
    dict from student to Work
    list of str
        What could not be compared, or not in full, a line each.
    """
    release = nbformat.reads(course.release(name), as_version=4)
    source = nbformat.read(course.folder("source", name) / f"{name}.ipynb", as_version=4)
    written, notes, handed_in = {}, list[str](), course.submissions(name)
    if not handed_in:
        raise ValueError(f"nothing of {name} was handed in")
    for student, folder in handed_in.items():
        with contextlib.suppress(InvalidSubmissionError, InvalidNotebookError):
            texts = _written(clean(parse(read_submission(folder, name).data), release).cells, release)
            notes += [
                f"{student}, {question}: compared only up to {LONGEST:,} characters, of {len(text):,}"
                for (question, _), text in texts.items()
                if len(text) > LONGEST
            ]
            written[student] = {key: text[:LONGEST] for key, text in texts.items()}
    return fingerprints(written, [*release.cells, *source.cells], common, notes), notes


def fingerprints(
    written: Mapping[str, Texts],
    known: Sequence[NotebookNode],
    common: int = COMMON,
    notes: list[str] | None = None,
) -> dict[str, Work]:
    """Return the fragments of each student's texts that neither known cells nor too many others have.

    Whose answers take too long to read is left out, and added to `notes`.
    """
    ignored = _fragments_of(known)
    counts: dict[str, Counter[int]] = {kind: Counter() for kind in ignored}
    readable = dict[str, Texts]()
    for student, texts in written.items():
        try:
            with cpu_seconds(SECONDS):
                found = {key: _fingerprint(text, key[1]).hashes for key, text in texts.items()}
        except (OutOfTime, RecursionError):
            if notes is not None:
                notes.append(f"{student}: not compared, since it takes too long: look at it by hand")
            continue
        readable[student] = texts
        for kind in ignored:
            counts[kind].update(set().union(*(hashes for (_, its), hashes in found.items() if its == kind)))
    boilerplate = {
        kind: np.array(sorted(ignored[kind] | {h for h, number in counts[kind].items() if number > common}))
        for kind in ignored
    }
    return {
        student: {
            question: _fingerprint(text, kind, boilerplate[kind]) for (question, kind), text in texts.items()
        }
        for student, texts in readable.items()
    }


def _written(cells: Sequence[Cell], release: NotebookNode) -> Texts:
    """Return the student's own text by question and type of cell: answers, and cells that were not handed out."""
    given = {cell.source.strip() for cell in release.cells}
    found: dict[tuple[str, str], str] = {}
    for cell in cells:
        source, kind = cell.node.source, cell.node.cell_type
        if source.strip() not in given and kind in ("code", "markdown"):
            key = (cell.grade_id or EXTRA, kind)
            found[key] = f"{found.get(key, '')}{BLANK_LINES.sub(2 * chr(10), visible(source))}\n"
    return found


def _fragments_of(cells: Sequence[NotebookNode]) -> dict[str, set[int]]:
    """Return the fragments of cells, by their type."""
    found: dict[str, set[int]] = {"code": set(), "markdown": set()}
    for cell in cells:
        if cell.cell_type in found:
            text = SOLUTION.sub(lambda marked: marked[1], cell.source)
            found[cell.cell_type] |= _fingerprint(text, cell.cell_type).hashes
    return found


def _fingerprint(text: str, kind: str, known: NDArray[np.int64] | None = None) -> CodeFingerprint:
    if kind == "markdown":
        text = " ".join(text.lower().split())
    return CodeFingerprint(
        "answer.py", K, 1, known, filter=kind == "code", language="python", fp=io.StringIO(text)
    )


# ---- What is alike ----


@dataclass(frozen=True)
class Likeness:
    """What two answers to a question share.

    Attributes
    ----------
    question : str
    similarity : float
        The shared part of that answer of which it is the larger part, from 0 to 1.
    weight : float
        In how many characters they are alike, names and strings being one each.
    first, second : Markup
        The answers, with the fragments marked.
    """

    question: str
    similarity: float
    weight: float
    first: Markup
    second: Markup


@dataclass(frozen=True)
class Pair:
    """Two students who have fragments in common.

    Attributes
    ----------
    first, second : str
        The students.
    similarity : float
        Over the two questions that are most alike.
    likenesses : tuple of Likeness
        The most alike first.
    """

    first: str
    second: str
    similarity: float
    likenesses: tuple[Likeness, ...]


def find_copies(course: Course, name: str, threshold: float = THRESHOLD, common: int = COMMON) -> list[Pair]:
    """Compare all submissions of a problem set with each other, in a time that grows with the number of pairs.

    Parameters
    ----------
    course : Course
    name : str
        As in "ps05".
    threshold : float
        Least similarity of the pairs that are returned, from 0 to 1.
    common : int
        A fragment that more students have counts for nothing.

    Returns
    -------
    list of Pair
        The most alike first.
    """
    return compare(read_works(course, name, common)[0], threshold)


def compare(works: Mapping[str, Work], threshold: float = THRESHOLD) -> list[Pair]:
    """Compare the works of all students with each other."""
    decide = min(QUESTIONS, len({question for work in works.values() for question in work}))
    pairs = [
        pair
        for (first, one), (second, other) in itertools.combinations(works.items(), 2)
        if (pair := _pair(first, second, one, other, decide)) and pair.similarity >= threshold
    ]
    return sorted(pairs, key=lambda pair: -pair.similarity)


def _pair(first: str, second: str, one: Work, other: Work, decide: int) -> Pair | None:
    found = sorted(_likenesses(one, other), key=lambda likeness: -likeness.similarity * likeness.weight)
    top = found[:decide]
    if not top:
        return None
    return Pair(first, second, sum(likeness.similarity for likeness in top) / decide, tuple(found))


def _likenesses(one: Work, other: Work) -> Iterator[Likeness]:
    for question in one.keys() & other.keys():
        ours, theirs = one[question], other[question]
        if ours.hashes.isdisjoint(theirs.hashes):
            continue
        weight, shares, slices = compare_files(ours, theirs)
        if weight >= LEAST:
            texts = (
                _marked(work.raw_code, where) for work, where in zip((ours, theirs), slices, strict=True)
            )
            yield Likeness(question, float(min(1, max(shares))), float(weight), *texts)


def _marked(text: str, slices: NDArray[np.int64]) -> Markup:
    """Return a text as HTML with some of it marked; all of it is escaped."""
    found, at = Markup(), 0
    for start, end in slices.T.astype(int):
        start = max(at, start)
        found += escape(text[at:start]) + Markup("<mark>{}</mark>").format(text[start:end])
        at = max(at, end)
    return found + escape(text[at:])


# ---- A page of it ----

MOST_PAIRS = 100  # on the page

BODY = """{% extends "page" %}{% block body %}
<p>These answers share fragments that are neither in the notebook as handed out, nor in the reference answers, nor with
many students; names, comments and white space aside. There may be good reasons: short answers are alike by nature, and
two may have talked or read the same page.
<strong>Look at the marked text yourself; the numbers decide nothing.</strong></p>
{% for line in not_compared %}<p>{{ line }}.</p>
{% endfor %}
{% if not pairs %}<p>No two submissions are that much alike.</p>{% endif %}
<table>
<tr><th>Students</th><th>Similarity</th><th>Questions</th></tr>
{% for pair in pairs %}<tr>
<td><a href="#pair-{{ loop.index }}">{{ printable(pair.first) }}, {{ printable(pair.second) }}</a></td>
<td class="number">{{ "%.0f" % (100 * pair.similarity) }} %</td>
<td>{% for one in pair.likenesses %}{{ one.question }} ({{ "%.0f" % (100 * one.similarity) }} %)
{% endfor %}</td></tr>{% endfor %}
</table>
{% for pair in pairs %}<h2 id="pair-{{ loop.index }}">{{ printable(pair.first) }}, {{ printable(pair.second) }}</h2>
<table>
<tr><th></th><th>{{ printable(pair.first) }}</th><th>{{ printable(pair.second) }}</th></tr>
{% for one in pair.likenesses %}<tr><td>{{ one.question }}</td>
<td><pre>{{ one.first }}</pre></td><td><pre>{{ one.second }}</pre></td></tr>{% endfor %}
</table>{% endfor %}
{% endblock %}"""


def main_copies(course: Course, name: str, threshold: float = THRESHOLD) -> str:
    """Write `reports/psNN/copies.html`; return the table of pairs that a command prints.

    Parameters
    ----------
    course : Course
    name : str
        As in "ps05".
    threshold : float
        Least similarity of the pairs that are shown, from 0 to 1.
    """
    works, not_compared = read_works(course, name)
    not_compared = list(map(printable, not_compared))
    pairs = compare(works, threshold)
    title = f"{name}: answers that are alike"
    page = render(BODY, title=title, pairs=pairs[:MOST_PAIRS], not_compared=not_compared, printable=printable)
    path = course.root / FOLDER / name / "copies.html"
    with atomic_path(path) as draft:
        draft.write_text(page, encoding="utf-8")
    lines = [
        f"{100 * pair.similarity:4.0f} %  {pair.first}, {pair.second}: "
        + ", ".join(f"{one.question} {100 * one.similarity:.0f} %" for one in pair.likenesses)
        for pair in pairs
    ]
    summary = f"{name}: pairs to look at: {len(pairs)}, in {path.relative_to(course.root)}"
    return "\n".join(map(printable, [*lines, *not_compared, summary]))
