"""The report of a class: its numbers are the bank's and the records', and what students wrote stays text."""

import shutil
import subprocess
import sys
from collections import Counter
from io import BytesIO

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.colors import to_rgb
from PIL import Image

from course_grading.content import UNSEEN
from course_grading.course import Course
from course_grading.problem_sets import decide_by_exec, load_problem_set
from course_grading.questions import CHANGED, PartVerdict, Verdict
from course_grading.records import Record, load_records, save_record
from course_grading.report import figure, main_report, report, table
from course_lib.figures.palette import COLOURS
from tests.support.classroom import ROOT, mixed_class

pytestmark = pytest.mark.share(3)

NAME, SEED = "ps03", 20260106
RED, GREEN = COLOURS[1], COLOURS[2]
HOSTILE = "<script>alert(1)</script>\x1b[2J\r\n| [x](javascript:alert(1)) {{ 7*7 }}"


@pytest.fixture(scope="module")
def ours():
    return load_problem_set(ROOT / "solutions" / NAME)


@pytest.fixture
def course(tmp_path):
    """A course's folder in which nothing is graded."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    shutil.copytree(ROOT / "solutions" / NAME, tmp_path / "solutions" / NAME)
    return Course(tmp_path)


def test_a_report_loads_no_torch():
    code = "import sys, course_grading.report; assert not {'torch', 'distributed'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_points_and_questions_are_as_the_bank_predicts(course, ours):
    chosen = mixed_class(ours, 12, SEED)
    for student, answers in chosen.items():
        sources = {
            q: answers[q].source if q in answers else "raise NotImplementedError" for q in ours.questions
        }
        verdicts = tuple(decide_by_exec(ours, q, source, SEED) for q, source in sources.items())
        save_record(course.root, Record(student, NAME, "graded", verdicts=verdicts))
    found = report(course, ours, load_records(course.root, NAME))
    points = [sum(answer.points for answer in answers.values()) for answers in chosen.values()]
    assert sorted(found.points) == sorted(points)
    assert found.out_of == sum(question.points for question in ours.questions.values())
    for success in found.questions:
        got = [answers[success.question].points for answers in chosen.values() if success.question in answers]
        full = sum(one == success.points for one in got)
        some = sum(0 < one < success.points for one in got)
        assert (success.full, success.partial, success.zero) == (full, some, len(chosen) - full - some)
        assert success.share(full) == full / len(chosen)
    assert f"median {np.median(points):g}, from {min(points)} to {max(points)}" in table(found)
    assert f"median {np.median(points):.3g}" in figure(found).alt


def told(student, *messages, status="graded", question="q1"):
    parts = [PartVerdict("a part", 0, 1, message) for message in messages]
    return Record(student, NAME, status, verdicts=(Verdict(question, tuple(parts)),))


def test_reasons_are_counted_by_student_and_in_groups(course, ours):
    known = ours.questions["q1"].misconceptions[0].message
    error = "Your code stops with {} in the line `x`: was stopped"
    records = [
        told("a", known, known, error.format("NameError")),
        told("b", f"{known} Besides: no.", f"{CHANGED} Inputs: n = 1."),
        told("b2", error.format("NameError"), error.format("TypeError")),
        told("c", error.format("NotImplementedError")),
        told("c2", error.format("Well_done_all_points_are_yours")),
        told("d", "Your result has shape (2,); expected is (3,).", "Your function returns None: is its …"),
        told("e", "numpy.dot is called in line 3: this question asks you to do without it."),
        told("f", "Your code was stopped after 20 seconds: does it ever end?", status="interrupted"),
        told("g", "This cell made Python itself die.", "The kernel gave no answer that can be read."),
        told("h", known, question="q2"),  # of another question it is no misconception
        told("i", known, status="failed"),  # has no points, so it counts for nothing
    ]
    found = report(course, ours, records)
    assert Counter({(r.question, r.what): r.students for r in found.reasons}) == {
        ("q1", known): 2,
        ("q1", CHANGED): 1,
        ("q1", "stops with an error (NameError: 2, TypeError: 1, another: 1)"): 3,
        ("q1", "was not begun"): 1,
        ("q1", "another wrong value, shape or type"): 1,
        ("q1", "a forbidden call"): 1,
        ("q1", "had to be stopped"): 1,
        ("q1", "made Python itself die"): 1,
        ("q1", "gave no answer that can be read"): 1,
        ("q2", "another wrong value, shape or type"): 1,
    }
    assert found.statuses == {"graded": 9, "interrupted": 1, "failed": 1}
    assert len(found.points) == 10


def test_what_students_wrote_stays_text_and_out_of_the_figure(course):
    error = f"Your code stops with X{HOSTILE}: {HOSTILE}"
    save_record(course.root, told("Mallory", error, HOSTILE))
    unseen = f"{HOSTILE}\x1b[2J\x00\u202e"
    save_record(course.root, Record("<b>eve\x1b[2J", NAME, "broken", unseen, tampering=(HOSTILE,)))
    (course.root / "submitted" / "gina" / NAME).mkdir(parents=True)
    printed = main_report(course, NAME)
    assert all(line.isprintable() for line in printed.split("\n"))
    assert {"<b>eve?[2J: broken", "<b>eve?[2J: tampering", "gina: not graded"} <= set(printed.split("\n"))
    folder = course.root / "reports" / NAME
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert not UNSEEN.search(html)
    page = BeautifulSoup(html, "html.parser")
    assert not page.find_all(["script", "b", "a", "iframe", "link", "form"])
    for explained in page.find_all("details"):
        assert all(line.isprintable() for line in explained.extract().get_text().split("\n"))
    assert [image["src"].partition(",")[0] for image in page.find_all("img")] == ["data:image/svg+xml;base64"]
    assert (
        page.get_text().count("<script>alert(1)</script>") == 2
    )  # what was told to eve, and how she tampered
    assert "49" not in page.get_text()
    assert not any(name in page.img["alt"] for name in ("Mallory", "eve", "gina"))
    assert (folder / "distribution.png").read_bytes().startswith(b"\x89PNG")


def test_a_class_in_which_nothing_could_be_graded_has_a_report_without_figure(course):
    with pytest.raises(ValueError, match="nothing of ps03 has been graded yet: 'course grade ps03' does it"):
        main_report(course, NAME)
    save_record(course.root, Record("ada", NAME, "refused", "ps03.ipynb is a symbolic link."))
    assert main_report(course, NAME).startswith("ps03: 1 refused\n")
    html = (course.root / "reports" / NAME / "report.html").read_text(encoding="utf-8")
    assert "ps03.ipynb is a symbolic link." in html
    assert "<img" not in html


def test_the_figure_shows_how_many_got_no_points(course, ours):
    def verdicts(share):
        return tuple(
            Verdict(
                q.name, tuple(PartVerdict(part.name, share * part.points, part.points) for part in q.parts)
            )
            for q in ours.questions.values()
        )

    def areas(n_without):
        records = [Record(f"s{i}", NAME, "graded", verdicts=verdicts(i >= n_without)) for i in range(4)]
        png = figure(report(course, ours, records)).png
        image = np.asarray(Image.open(BytesIO(png)).convert("RGB")) / 255
        return np.array(
            [(np.abs(image - to_rgb(colour)).max(axis=-1) < 0.05).sum() for colour in (RED, GREEN)]
        )

    none, quarter, half, everybody = areas(0), areas(1), areas(2), areas(4)
    assert 1.8 < ((half - none) / (quarter - none))[0] < 2.2
    assert ((none - half) / (none - everybody))[1] == pytest.approx(0.5, abs=0.1)
