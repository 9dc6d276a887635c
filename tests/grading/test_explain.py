"""`course explain`: inputs, what was expected and what came, of each failed case, drawn again from the record."""

import re

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup

from course_grading.bank import BankAnswer
from course_grading.course import Course
from course_grading.explain import CHANGED, explain
from course_grading.questions import draw, sign
from course_grading.records import load_record, record_path
from course_lib.cli import main
from tests.support.classroom import Classroom

pytestmark = [pytest.mark.needs("sandbox"), pytest.mark.share(3)]

NO_BIAS = """def conv1d(x, W, b):
    n = x.shape[-2] - len(W) + 1
    return sum(x[..., j : j + n, :] @ W[j] for j in range(len(W)))
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    room = Classroom(tmp_path_factory.mktemp("explain"), ["ps01"])
    room.hand_in("ada", "ps01", {"q1": BankAnswer("wrong_no_bias", NO_BIAS, 0)})
    room.course("grade", "ps01")
    return room


def on_one_line(text):
    """A text without its line breaks: an array of small numbers is long, and continued under its beginning."""
    return " ".join(text.split())


def test_each_failed_case_has_its_inputs_what_was_expected_and_what_came(room):
    course = Course(room.folder)
    told = explain(course, "ada", "ps01", "q1")
    question = room.sets["ps01"].questions["q1"]
    verdict = load_record(record_path(course.root, "ps01", "ada")).verdicts[0]
    key = sign(course.secret_of("ada"), "ps01")
    for part, ours in zip(verdict.parts, question.parts, strict=True):
        assert part.points == 0
        assert f"  {part.name}: 0 of {part.out_of:g}" in told
        for failure in part.failed:
            x, W, b = draw(question, ours, key)[failure.case]
            assert on_one_line(np.array2string(b, separator=", ", precision=7)) in on_one_line(told)
            expected = np.array2string(question.reference(x, W, b), separator=", ", precision=7)
            assert expected.splitlines()[0] in told
    assert told.count("expected = ") == sum(len(part.failed) for part in verdict.parts) > 0
    assert CHANGED not in told
    assert "q2" not in told


def test_it_says_if_something_has_changed_since(room):
    path = room.folder / "submitted" / "ada" / "ps01" / "ps01.ipynb"
    before = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[-1].source += " "
    nbformat.write(notebook, path)
    try:
        assert CHANGED in explain(Course(room.folder), "ada", "ps01")
    finally:
        path.write_bytes(before)


def test_the_command_prints_it_and_says_what_is_missing(room, monkeypatch, capsys):
    monkeypatch.chdir(room.folder)
    assert main(["explain", "ada", "ps01", "q1"]) == 0
    assert "expected = " in capsys.readouterr().out
    assert main(["explain", "bob", "ps01"]) == 1
    assert "ps01 of bob was not graded" in capsys.readouterr().err
    assert main(["explain", "ada", "ps01", "q9"]) == 1
    assert "no question 'q9'" in capsys.readouterr().err


def test_what_a_student_chose_does_nothing_to_the_terminal(room):
    path = record_path(room.folder, "ps01", "ada")
    before = path.read_text(encoding="utf-8")
    name = r"\\u001b]0;owned\\u0007"
    path.write_text(re.sub(r'"fault": "', f'"fault": "{name}', before), encoding="utf-8")
    try:
        told = explain(Course(room.folder), "ada", "ps01")
    finally:
        path.write_text(before, encoding="utf-8")
    assert "?]0;owned?" in told
    assert all(sign.isprintable() for sign in told.replace("\n", ""))


def test_the_report_shows_the_same_behind_the_name(room):
    room.course("report", "ps01")
    html = (room.folder / "reports" / "ps01" / "report.html").read_text(encoding="utf-8")
    shown = BeautifulSoup(html, "html.parser").find("summary", string="ada").parent.pre.get_text()
    assert shown == explain(Course(room.folder), "ada", "ps01", "q1")
