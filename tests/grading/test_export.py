"""What is exported: no mark for what was not graded, forms that others import, and nothing that a spreadsheet runs."""

import csv
import io
import unicodedata
from datetime import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nbgrader.api import Student

from course_grading.export import Canvas, Mark, Moodle, Plain, cell
from course_grading.records import Record, save_record
from tests.support.classroom import Classroom

DUE = datetime(2027, 1, 31, 23, 59)
WRITTEN, DECIDED = "q6", "q1-points"


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A class in which every status comes up; ps01 is out of 24 points, ps02, which nobody has done, out of 20."""
    room = Classroom(tmp_path_factory.mktemp("course"), [])
    with (room.folder / "nbgrader_config.py").open(
        "a", encoding="utf-8"
    ) as settings:  # penalties stay as put here
        settings.write('c.AssignLatePenalties.plugin_class = "nbgrader.plugins.LateSubmissionPlugin"\n')
    room.nbgrader("db", "student", "add", "ada", "--first-name=Ada", "--last-name==1+1", "--email=ada@x.org")
    with room.gradebook() as gradebook:
        for name in ("ps01", "ps02"):
            gradebook.add_assignment(name, duedate=DUE)
            gradebook.add_notebook(name, name)
            gradebook.add_grade_cell(DECIDED, name, name, max_score=20, cell_type="code")
        gradebook.add_grade_cell(WRITTEN, "ps01", "ps01", max_score=4, cell_type="markdown")
        for student in ("bert", "carl", "emil", "hugo", "ines"):
            gradebook.add_student(student)
        #                            decided, written, late penalty
        for student, points in {
            "ada": (18.5, 2, 2.25),
            "bert": (7, None, 1),
            "emil": (20, 4, None),
            "hugo": (1, 0, 5),
            "ines": (None, None, None),
        }.items():
            hand_in(gradebook, student, *points)
    for student, status in {"ada": "graded", "dora": "broken", "emil": "refused", "finn": "failed"}.items():
        save_record(room.folder, Record(student, "ps01", status))
    (room.folder / "submitted" / "gina" / "ps01").mkdir(parents=True)
    return room


def hand_in(gradebook, student, decided, written, penalty):
    submission = gradebook.add_submission("ps01", student, timestamp=DUE)
    for grade_cell, score in ((DECIDED, decided), (WRITTEN, written)):
        grade = gradebook.find_grade(grade_cell, "ps01", "ps01", student)
        grade.auto_score = score if grade_cell == DECIDED else None
        grade.manual_score = score if grade_cell == WRITTEN else None
        grade.needs_manual_grade = score is None
    submission.notebooks[0].late_submission_penalty = penalty
    gradebook.db.commit()


def exported(room, form, *options):
    to = room.folder / "marks.csv"
    said = room.nbgrader("export", f"--exporter=course_grading.export.{form}", f"--to={to}", *options)
    with to.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file)), said


def test_each_missing_mark_says_why(room):
    (header, *lines), said = exported(room, "Plain")
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    told = {
        row["student_id"]: (row["status"], row["score"], row["so_far"], row["late_penalty"])
        for row in rows
        if row["assignment"] == "ps01"
    }
    assert told == {
        "ada": ("graded", "18.25", "18.25", "2.25"),
        "bert": ("waits for a person", "", "6", "1"),
        "carl": ("not handed in", "", "", ""),
        "dora": ("broken", "", "", ""),
        "emil": ("refused", "", "", ""),  # the gradebook's points are those of an earlier submission
        "finn": ("failed", "", "", ""),
        "gina": ("not graded", "", "", ""),
        "hugo": ("graded", "0", "0", "5"),
        "ines": ("not graded", "", "", ""),
    }
    assert {row["max_score"] for row in rows if row["assignment"] == "ps01"} == {"24"}
    assert {row["submitted"] for row in rows} == {"", "2027-01-31 23:59:00 UTC"}
    assert all(row["score"] == "" for row in rows if row["assignment"] == "ps02")
    [ada] = [row for row in rows if row["student_id"] == "ada" and row["assignment"] == "ps01"]
    assert (ada["last_name"], ada["first_name"], ada["email"]) == ("'=1+1", "Ada", "ada@x.org")
    assert "2 marks; no mark: " in said
    assert "1 refused" in said


def test_canvas_gets_its_columns_its_line_of_points_and_empty_cells(room):
    titles = "--Canvas.titles={'ps01': 'Problem set 1 (7148451)'}"
    (header, points, *lines), _ = exported(room, "Canvas", titles)
    student_columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert header == [*student_columns, "Problem set 1 (7148451)", "ps02"]
    assert points == ["Points Possible", "", "", "", "", "24", "20"]
    scores = {line[3]: line[5:] for line in lines}
    assert {student: found for student, found in scores.items() if found != ["", ""]} == {
        "ada": ["18.25", ""],
        "hugo": ["0", ""],
    }
    assert len(scores) == 9
    assert {line[0] for line in lines} >= {"'=1+1, Ada", "bert"}


def test_moodle_gets_a_dash_where_there_is_no_mark(room):
    (header, *lines), _ = exported(room, "Moodle", "--assignment=['ps01']", "--student=['ada','bert','hugo']")
    assert header == ["username", "ps01"]
    assert dict(lines) == {"ada": "18.25", "bert": "-", "hugo": "0"}


def test_moodle_gets_no_line_that_names_nobody(room):
    (header, *lines), said = exported(room, "Moodle", "--Moodle.known_by=email address")
    assert (header, lines) == (["email address", "ps01", "ps02"], [["ada@x.org", "18.25", "-"]])
    assert "'bert' is left out: the gradebook holds no email address" in said


HARD = st.text(st.sampled_from("=+-@＝＋﹣−\t\r\n\0 ;,'\"“\u200b\u00a0\u0301\ud8001aZ"), max_size=6)
WORDS = st.one_of(HARD, st.text(max_size=20))


@given(st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), max_size=4), st.sampled_from([None, 0.0, 12.5]))
@example([("\t=1", "“＝1", "a\r\n+1", "a;@SUM(1)")], None)
def test_no_cell_can_be_taken_for_a_formula(students, score):
    found = [
        Mark(
            Student(id=words[0], last_name=words[1], first_name=words[2], email=words[3]),
            "ps01",
            "graded",
            24,
            score,
        )
        for words in students
    ]
    for form in (Plain(), Canvas(), Moodle(), Moodle(known_by="email address")):
        file = io.StringIO(newline="")
        rows = list(form.rows(found, ["ps01"]))
        csv.writer(file).writerows(rows)
        text = file.getvalue()
        text.encode("utf-8")
        assert len(text.splitlines()) == len(rows)
        assert not set(text) & set(";\t\0")  # what begins another cell where a spreadsheet's settings differ
        for value in (value for line in csv.reader(io.StringIO(text, newline="")) for value in line):
            bare = unicodedata.normalize("NFKC", value).lstrip(" '\"“\u200b\u0301")
            assert value == "-" or value.startswith("'") or not bare.startswith(tuple("=+-@−")), value
            assert value == "-" or not value.startswith(tuple("=+-@＝＋﹣−\t\r\n"))


@pytest.mark.parametrize("name", ["O’Brien-Smith", "Renée", "d'Arc", "李", "ada@x.org", "1-2", "علی‌رضا"])
def test_names_stay_as_they_are(name):
    assert cell(name) == name


def test_nobody_s_name_sets_the_points_of_canvas_s_assignments():
    trick = Mark(Student(id="eve", last_name="Points\tPossible"), "ps01", "graded", 24, 3)
    _, points, line = Canvas().rows([trick], ["ps01"])
    assert "Points Possible" in points[0]
    assert "Points Possible" not in line[0]
