"""Copied work: disguised copies are found, independent right answers left alone, and what students wrote stays text."""

import ast
import itertools
import shutil

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup

from course_grading import similarity
from course_grading.bank import bank_answers
from course_grading.content import UNSEEN, visible
from course_grading.course import Course
from course_grading.limits import cpu_seconds
from course_grading.problem_sets import grade_id_of, load_problem_set
from course_grading.similarity import (
    COMMON,
    THRESHOLD,
    _marked,
    compare,
    find_copies,
    fingerprints,
    main_copies,
)
from tests.support.classroom import BANK, ROOT

pytestmark = pytest.mark.share(3)

NAME = "ps03"
NAMES = sorted(path.parent.name for path in ROOT.glob("solutions/*/checks.py"))
SOME_SETS = [  # `make soak` takes the others
    pytest.param(name, marks=[pytest.mark.soak] if number % 4 else []) for number, name in enumerate(NAMES)
]
ESSAY = (
    "Whoever trains keys alone moves the places at which a dictionary is opened, while the words themselves stay put; "
    "the second plan therefore cannot ever return what none of its entries holds."
)
HOSTILE = 2 * (
    'class Trick:\n    text = "</pre><script>alert(1)</script>{{ 7*7 }}\x1b[2J\u202e"\n'
    "    def f(self, a): return a & 1 < 2\n"
)


def right(name):
    """The bank's right answers by question: each from another way to see it."""
    ours = load_problem_set(ROOT / "solutions" / name)
    bank = {q: bank_answers(BANK / name / q, ours.questions[q].points) for q in ours.questions}
    return ours, {q: [answer.source for answer in answers if answer.is_right] for q, answers in bank.items()}


def disguised(source):
    """The same answer with other variables, other comments at other places, other white space and line breaks."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    mine = {node.arg for node in nodes if isinstance(node, ast.arg)}
    mine |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in mine:
            node.id = f"my_{node.id}_2"
        elif isinstance(node, ast.arg):
            node.arg = f"my_{node.arg}_2"
    return "\n\n".join(f"{line}  # step {n}" for n, line in enumerate(ast.unparse(tree).splitlines()))


@pytest.mark.parametrize("name", SOME_SETS)
def test_independent_right_answers_are_left_alone_and_their_disguised_copies_are_found(name):
    ours, bank = right(name)
    n_students = min(map(len, bank.values()))
    assert n_students >= 3
    release = nbformat.read(ROOT / "assignments" / name / f"{name}.ipynb", as_version=4)
    known = [*release.cells, *ours.notebook.cells]
    written = {f"s{i}": {(q, "code"): bank[q][i] for q in bank} for i in range(n_students)}
    assert compare(fingerprints(written, known)) == []
    for student in list(written):
        copy = {key: disguised(text) for key, text in written[student].items()}
        [pair] = compare(fingerprints(written | {"copy": copy}, known))
        assert (pair.first, pair.second, pair.similarity > 0.75) == (student, "copy", True)


@pytest.fixture
def course(tmp_path):
    """A course's folder in which ps03 was handed out."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for folder in ("solutions", "assignments"):
        shutil.copytree(ROOT / folder / NAME, tmp_path / folder / NAME)
    return Course(tmp_path)


def hand_in(course, student, answers, extra=""):
    notebook = nbformat.reads(course.release(NAME), as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id_of(cell), cell.source)
    if extra:
        notebook.cells.insert(3, nbformat.v4.new_code_cell(extra))
    folder = course.folder("submitted", NAME, student)
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")


def students(pairs):
    return [(pair.first, pair.second) for pair in pairs]


def test_in_a_set_of_one_question_a_copy_of_it_is_found():
    _, bank = right(NAME)
    known = nbformat.read(ROOT / "assignments" / NAME / f"{NAME}.ipynb", as_version=4).cells
    q4, q5 = ("q4", "code"), ("q5", "code")
    written = {"ada": {q5: bank["q5"][0]}, "bert": {q5: disguised(bank["q5"][0])}}
    [pair] = compare(fingerprints(written, known))
    assert pair.similarity > 0.75
    assert (
        compare(fingerprints(written | {"carl": {q4: bank["q4"][0]}}, known)) == []
    )  # one of two is not enough


def test_who_copies_two_answers_of_five_is_found_among_submissions(course):
    ours, bank = right(NAME)
    answers = [{q: bank[q][i] for q in bank} for i in range(3)]
    hand_in(course, "ada", answers[0] | {"q6": ESSAY})
    hand_in(
        course, "bert", answers[1] | {"q5": disguised(bank["q5"][0]), "q6": f"I think:\n\n{ESSAY.upper()}"}
    )
    hand_in(course, "carl", answers[2])
    for student in (
        "dora",
        "emil",
    ):  # who begin nothing, and who all find the reference, are alike for good reasons
        hand_in(course, student, {})
        hand_in(course, f"{student}-2", {q: ours.solution(q) for q in bank})
    broken = course.folder("submitted", NAME, "finn")
    broken.mkdir(parents=True)
    (broken / f"{NAME}.ipynb").write_text("no notebook")
    [pair] = find_copies(course, NAME)
    assert (pair.first, pair.second) == ("ada", "bert")
    assert {one.question for one in pair.likenesses[:2]} == {"q5", "q6"}
    assert find_copies(course, NAME, threshold=1.01) == []


def test_what_many_have_counts_for_nothing(course):
    _, bank = right(NAME)
    names = [f"s{i:02d}" for i in range(COMMON + 1)]
    for student in names[:-1]:
        hand_in(course, student, {q: bank[q][0] for q in bank})
    assert students(find_copies(course, NAME)) == list(itertools.combinations(names[:-1], 2))
    hand_in(course, names[-1], {q: bank[q][0] for q in bank})
    assert find_copies(course, NAME) == []
    assert students(find_copies(course, NAME, common=COMMON + 1)) == list(itertools.combinations(names, 2))


def test_the_page_shows_both_texts_as_text_with_what_they_share_marked(course):
    _, bank = right(NAME)
    for student, answer in (("ada", 0), ("bert", 0), ("carl", 1)):
        hand_in(course, student, {q: bank[q][answer] for q in bank}, HOSTILE if answer == 0 else "")
    printed = main_copies(course, NAME, THRESHOLD)
    assert printed.startswith(" 100 %  ada, bert: ")
    assert printed.endswith(f"{NAME}: pairs to look at: 1, in reports/{NAME}/copies.html")
    html = (course.root / "reports" / NAME / "copies.html").read_text(encoding="utf-8")
    page = BeautifulSoup(html, "html.parser")
    assert not page.find_all(["script", "b"])
    assert not UNSEEN.search(html)
    assert "49" not in page.get_text()
    rows = {row.td.get_text(): row.find_all("pre") for row in page.find_all("tr") if row.pre}
    compared = {
        q: answers[0] for q, answers in bank.items() if not q.endswith("a")
    }  # an order of lines is short
    written = compared | {"other cells": visible(HOSTILE)}
    assert set(rows) == set(written)
    for question, texts in rows.items():
        for text in texts:
            assert text.get_text().strip() == written[question].strip()
            marked = [mark.get_text() for mark in text.find_all("mark")]
            assert all(mark in text.get_text() for mark in marked)
            assert sum(map(len, marked)) > len(written[question]) / 3


def test_answers_that_are_hard_to_read_cost_little_time_and_are_named(course):
    _, bank = right(NAME)
    answers = {q: bank[q][0] for q in bank}
    first = next(iter(answers))
    blanks = {q: f"x = 1\n{10_000 * (' ' + chr(10))}{answer}" for q, answer in answers.items()}
    hidden = answers | {first: f"# {30_000 * '.'}\n{answers[first]}"}
    for student, mine in (("ada", answers), ("blank", blanks), ("long", hidden)):
        hand_in(course, student, mine)
    with cpu_seconds(60):
        printed = main_copies(course, NAME)
    assert " 100 %  ada, blank: " in printed
    assert f"long, {first}: compared only up to 20,000 characters, of 3" in printed
    html = (course.root / "reports" / NAME / "copies.html").read_text(encoding="utf-8")
    assert f"long, {first}: compared only up to 20,000" in html
    assert not UNSEEN.search(html)


def test_whose_answers_take_too_long_is_left_out_and_named(monkeypatch):
    def slowly(text, kind, known=None):
        while "for ever" in text:
            pass
        return fingerprint(text, kind, known)

    fingerprint = similarity._fingerprint
    monkeypatch.setattr(similarity, "_fingerprint", slowly)
    monkeypatch.setattr(similarity, "SECONDS", 0.2)
    work = {
        ("q1", "code"): "print(a + b * 17, 19, 23, 29, 31, 37, 41, 43, 47, 53); print(61, 67, 71, 73, 79)"
    }
    told = []
    found = fingerprints({"ada": work, "bert": {("q1", "code"): "for ever"}}, [], notes=told)
    assert list(found) == ["ada"]
    assert told == ["bert: not compared, since it takes too long: look at it by hand"]


def test_a_short_statement_that_two_share_is_no_likeness():
    short = "print(a + b * 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)"  # without spaces fewer than 50 characters
    longer = f"{short}; print(61, 67, 71, 73, 79)"

    def alike(text):
        work = {(question, "code"): text for question in ("q1", "q2")}
        return compare(fingerprints({"ada": work, "bert": work}, []))

    assert alike(short) == []
    assert students(alike(longer)) == [("ada", "bert")]


def test_marks_that_overlap_repeat_no_text():
    assert _marked("a<bcdef", np.array([[0, 2], [4, 5]])) == "<mark>a&lt;bc</mark><mark>d</mark>ef"
