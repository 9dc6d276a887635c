"""Intake: of a submission one plain file is taken, whatever lies there, and whatever bytes it holds."""

import contextlib
import json
import logging
import os
import re
import socket
import subprocess
import sys
import warnings
from copy import deepcopy
from dataclasses import replace
from datetime import datetime

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbgrader.coursedir import CourseDirectory

from course_grading import intake
from course_grading.bank import bank_answers
from course_grading.intake import InvalidNotebookError, InvalidSubmissionError, parse, read_submission
from course_grading.records import load_record, record_path
from tests.support.classroom import BANK, ROOT, Classroom

NAME = "ps01"
RELEASE = nbformat.read(ROOT / "assignments" / NAME / f"{NAME}.ipynb", as_version=4)
SECRET = "what nobody but the instructor may read"
KEY = "5f" * 64


@pytest.fixture
def folder(tmp_path):
    """Ada's submission, beside a file that is not hers."""
    (tmp_path / "gradebook.db").write_text(SECRET)
    folder = tmp_path / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(b"{}")
    return folder


# ---- take ----


def make_link(path):
    path.symlink_to(path.parents[3] / "gradebook.db")


def make_hard_link(path):
    path.hardlink_to(path.parents[3] / "gradebook.db")


def make_socket(path):
    os.chdir(path.parent)  # a socket's path has to be short
    socket.socket(socket.AF_UNIX).bind(path.name)


def make_large_file(path):
    with path.open("wb") as file:
        file.truncate(intake.LARGEST_BYTES + 1)


MAKERS = {
    "symbolic link": make_link,
    "hard link": make_hard_link,
    "pipe": os.mkfifo,
    "socket": make_socket,
    "folder": os.mkdir,
    "file of more than 10 MB": make_large_file,
}


def test_the_notebook_and_the_timestamp_are_taken_and_all_else_is_named(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / intake.TIMESTAMP).write_text("2026-01-02 03:04:05.678901 UTC\n")
    for kind, make in MAKERS.items():
        make(folder / f"other {kind}")
    (folder / "two\nlines.ipynb").touch()
    taken = read_submission(folder, NAME)
    assert (taken.data, taken.timestamp) == (b"{}", "2026-01-02 03:04:05.678901 UTC")
    assert taken.left == (*(f"other {kind} ({kind})" for kind in sorted(MAKERS)), "two?lines.ipynb (file)")


@pytest.mark.parametrize("kind", MAKERS)
def test_what_is_no_small_file_of_its_own_is_refused(folder, kind, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / f"{NAME}.ipynb").unlink()
    MAKERS[kind](folder / f"{NAME}.ipynb")
    with pytest.raises(InvalidSubmissionError, match=f"{NAME}.ipynb is a {kind}: ") as refused:
        read_submission(folder, NAME)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("kind", ["symbolic link", "hard link", "pipe", "file of more than 10 MB"])
def test_what_takes_the_file_s_place_after_the_look_is_refused(folder, kind, monkeypatch):
    really_open = os.open

    def open_late(path, *arguments, **named):
        if path == f"{NAME}.ipynb":
            (folder / path).unlink()
            MAKERS[kind](folder / path)
        return really_open(path, *arguments, **named)

    monkeypatch.setattr(os, "open", open_late)
    with pytest.raises(InvalidSubmissionError):
        read_submission(folder, NAME)


def test_a_device_is_no_file():
    assert intake._what(os.stat(os.devnull)) == "device"  # making one takes root


def test_a_missing_notebook_is_told_with_what_is_there_instead(folder):
    (folder / f"{NAME}.ipynb").rename(folder / "ps1 (2).ipynb")
    told = r"There is no ps01.ipynb in what was handed in; found: ps1 \(2\).ipynb \(file\)."
    with pytest.raises(InvalidSubmissionError, match=told):
        read_submission(folder, NAME)


@pytest.mark.parametrize("level", [0, 1])
def test_a_folder_that_is_a_link_is_refused(folder, tmp_path, level):
    linked = [folder, folder.parent][level]
    linked.rename(tmp_path / "elsewhere")
    linked.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InvalidSubmissionError, match=f"{linked.name} is a symbolic link: hand in a folder"):
        read_submission(folder, NAME)


@pytest.mark.parametrize("text", ["2026-01-02 03:04:05 Europe/Paris", "2026-01-02 03:04 +0100", "2026-01-02"])
def test_a_timestamp_is_what_nbgrader_reads(folder, text):
    (folder / intake.TIMESTAMP).write_text(text)
    assert read_submission(folder, NAME).timestamp == text
    assert isinstance(CourseDirectory().get_existing_timestamp(str(folder)), datetime)


@pytest.mark.parametrize(
    "data", [b"", b"tomorrow", b"\xff\xfe", b"2026-01-02 03:04:05 +9" + b"9" * 40, b"2" * 5000]
)
def test_an_unreadable_timestamp_is_none(folder, data):
    (folder / intake.TIMESTAMP).write_bytes(data)
    taken = read_submission(folder, NAME)
    assert (taken.timestamp, taken.left) == ("", ("timestamp.txt (file)",))


@pytest.mark.parametrize("make", [make_link, make_hard_link, os.mkfifo])
def test_a_timestamp_that_is_no_file_is_not_opened(folder, make):
    (folder.parents[2] / "gradebook.db").write_text("2026-01-02")
    make(folder / intake.TIMESTAMP)
    assert read_submission(folder, NAME).timestamp == ""


def test_the_receipt_of_the_exchange_is_read_like_everything_else(folder):
    assert intake.receipt(folder) == {}
    (folder / intake.SECRET).write_text(KEY)
    assert intake.receipt(folder) == {}  # without a time it did not come through the exchange
    (folder / intake.TIMESTAMP).write_text("2027-01-31 22:10:00 UTC")
    receipt = {intake.TIMESTAMP: "2027-01-31 22:10:00 UTC", intake.SECRET: KEY}
    assert intake.receipt(folder) == receipt
    (folder / intake.SECRET).unlink()
    make_link(folder / intake.SECRET)
    assert intake.receipt(folder) == {}


# ---- parse ----


def is_notebook(notebook):
    """Check that it is valid, and can be written, without a warning or a line in a log."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(notebook)
        return nbformat.writes(notebook).encode("utf-8")


def packed(**changed):
    """A notebook's bytes; `changed` takes the place of its parts."""
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []} | changed).encode()


def code(source="x", **more):
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": []} | more


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is damaged from line 1 on"),
        (b'{\n"cells": [', "the file is damaged from line 2 on"),
        (b"\xff\xfe\x00", "it is no text in UTF-8"),
        (b"[" * 5_000_000, "it holds lists within lists, deeper than 100"),
        (packed(metadata=json.loads('{"a":' * 200 + "1" + "}" * 200)), "deeper than 100"),
        (b"[" + b"0," * 1_000_001 + b"0]", "it holds more than 1,000,000 values"),
        (b"[" + b"1" * 5000 + b"]", "it holds a number that is too long"),
        (b"[1e999]", "it holds a number that is too large"),
        (b"[NaN]", "it holds NaN, which is no number in JSON"),
        (b'{"nbformat": 4, "nbformat": 4, "cells": []}', "a field occurs twice"),
        (b"[]", "it does not say that it is a notebook"),
        (packed(nbformat=5), "of a version that is known here"),
        (packed(nbformat=True), "of a version that is known here"),
        (packed(nbformat=3), r"it is of an old version \(3\), and damaged"),
        (packed(cells={}), "it has no cells"),
        (packed(cells=[code()] * 2001), "it has 2,001 cells, more than 2,000"),
        (packed(cells=[code(), 5]), "cell 2 is neither code nor text"),
        (packed(cells=[code(cell_type="heading")]), "cell 1 is neither code nor text"),
        (packed(cells=[code(["a", 5])]), "what stands in cell 1 is no text"),
        (packed(cells=[code("x" * 200_001)]), "cell 1 has 200,001 characters, more than 200,000"),
        (packed(cells=[code("\ud800")]), "it contains damaged characters"),
        (packed(cells=[code(metadata={"nbgrader": {"\ud800": 1}})]), "it contains damaged characters"),
    ],
)
def test_what_is_no_notebook_is_told_in_words(data, told):
    with pytest.raises(
        InvalidNotebookError, match=f"^Your notebook cannot be read: .*{told}.*hand it in again.$"
    ) as broken:
        parse(data)
    assert len(str(broken.value)) < 250


def test_brackets_within_strings_are_text():
    source = '"[' * 500 + "\\" + '"]\\\\"' + "[" * 500
    assert parse(packed(cells=[code(source)])).cells[0].source == source


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
def test_a_notebook_comes_back_as_it_was_but_for_what_nothing_looks_at(mark):
    notebook = deepcopy(RELEASE)
    for cell in notebook.cells:
        cell.metadata |= {"jupyter": {"source_hidden": True}, "name": 5}
        if cell.cell_type == "code":
            cell.outputs = [{"output_type": "no such type"}]
    found = parse(mark + json.dumps(notebook).encode())
    assert is_notebook(found)
    for cell, original in zip(found.cells, RELEASE.cells, strict=True):
        kept = {key: value for key, value in original.metadata.items() if key == "nbgrader"}
        assert cell == original | {"metadata": kept}


@pytest.mark.parametrize("version", [2, 3])
def test_old_formats_are_upgraded(version):
    old = nbformat.v4.downgrade(deepcopy(RELEASE))
    if version == 2:
        old.nbformat = 2
    found = parse(json.dumps(old).encode())
    assert is_notebook(found)
    assert found == parse(json.dumps(old).encode())
    assert [cell.source for cell in found.cells] == [cell.source for cell in RELEASE.cells]


def test_ids_that_are_missing_or_bad_are_given_the_same_each_time():
    cells = [code(id="good"), code(id="good"), code(id='"><script>'), code(id=[]), code()]
    found = parse(packed(cells=cells, nbformat_minor=2))
    assert [cell.id for cell in found.cells] == ["good", "cell-2", "cell-3", "cell-4", "cell-5"]
    assert is_notebook(found)


def test_of_tags_those_stay_that_the_format_allows():
    [cell] = parse(packed(cells=[code(metadata={"tags": ["a", "b", "a", "c,d", "", 5]})])).cells
    assert cell.metadata == {"tags": ["a", "b"]}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([10**5000, "\ud800"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)
SMALL = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    "cells": [
        code("x = 1", id="a", metadata={"tags": ["a"], "nbgrader": {"grade_id": "q1", "points": 3}}),
        {
            "cell_type": "markdown",
            "id": "b",
            "metadata": {},
            "source": ["a\n", "b"],
            "attachments": {"a": {"image/png": "iVBORw0KGgo="}},
        },
    ],
}
OLD = nbformat.v4.downgrade(nbformat.reads(json.dumps(SMALL), as_version=4))


def places(value, path=()):
    """All paths that lead to a part of a JSON value."""
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def changed(value, path, new):
    """The value with another part at the end of a path."""
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


def read_or_break(data):
    with contextlib.suppress(InvalidNotebookError):
        assert is_notebook(parse(data))


@settings(deadline=None, max_examples=120)
@given(st.sampled_from([SMALL, OLD, OLD | {"nbformat": 2}]), st.data())
def test_a_notebook_with_anything_in_any_place_is_read_or_broken(notebook, data):
    path = data.draw(st.sampled_from(list(places(notebook))))
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # else json does not write what it shall not read
    try:
        changed_to = json.dumps(changed(notebook, path, data.draw(JSON)))
    finally:
        sys.set_int_max_str_digits(limit)
    read_or_break(changed_to.encode("utf-8", "surrogatepass"))


@settings(deadline=None, max_examples=120)
@given(st.data())
def test_any_bytes_are_read_or_broken(data):
    whole = json.dumps(SMALL).encode()
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    read_or_break(whole[:start] + data.draw(st.binary(max_size=30)) + whole[stop:])


def test_reading_is_silent(caplog, capfd):
    with caplog.at_level(logging.DEBUG):
        for data in (packed(cells=[{}]), packed(nbformat=3), packed(cells=[code(metadata=5)])):
            read_or_break(data)
    assert (caplog.text, *capfd.readouterr()) == ("", "", "")


# ---- nbgrader ----


def test_nbgrader_grades_a_class_with_traps_in_it(tmp_path):
    room = Classroom(tmp_path, [NAME])
    right = next(answer for answer in bank_answers(BANK / NAME / "q2", 3) if answer.is_right)
    for student in ("ada", "eve", "mallory"):
        room.hand_in(student, NAME, {"q2": right})
    folders = {
        student: tmp_path / "submitted" / student / NAME for student in ("ada", "eve", "mallory", "trudy")
    }
    os.mkfifo(folders["eve"] / "pipe")
    make_link(folders["eve"] / "marks.db")
    (folders["eve"] / intake.TIMESTAMP).write_text("tomorrow")
    (folders["mallory"] / f"{NAME}.ipynb").unlink()
    (folders["mallory"] / f"{NAME}.ipynb").symlink_to(folders["ada"] / f"{NAME}.ipynb")
    folders["trudy"].parent.symlink_to("ada")
    before = {path: path.lstat().st_mode for path in (tmp_path / "submitted").rglob("*")}
    command = [sys.executable, "-m", "nbgrader", "autograde", NAME]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    # Nothing but the notebook is copied, and what lies there stays as it is.
    assert [path.name for path in sorted((tmp_path / "autograded").glob("*/*/*"))] == [f"{NAME}.ipynb"] * 2
    assert {path: path.lstat().st_mode for path in (tmp_path / "submitted").rglob("*")} == before
    assert done.returncode == 1
    for student in ("mallory", "trudy"):
        page = tmp_path / "feedback" / student / NAME / f"{NAME}.html"
        assert "is a symbolic link: hand in" in page.read_text(encoding="utf-8")
        assert re.search(f"Not graded: {student}: .* is a symbolic link: hand in", done.stderr)
    assert "Traceback" not in done.stderr
    with room.gradebook() as gradebook:
        assert {found.student_id for found in gradebook.assignment_submissions(NAME)} == {"ada", "eve"}
        for student in ("ada", "eve"):
            found = gradebook.find_grade("q2-points", NAME, NAME, student)
            assert (found.auto_score, found.needs_manual_grade) == (3, False)


def broken(folder):
    (folder / f"{NAME}.ipynb").write_text("tomorrow")


def missing(folder):
    (folder / f"{NAME}.ipynb").rename(folder / "Untitled.txt")


def linked(folder):
    (folder / f"{NAME}.ipynb").unlink()
    make_link(folder / f"{NAME}.ipynb")


def fine(folder):
    pass


@pytest.mark.parametrize(
    ("spoil", "status"), [(broken, "broken"), (missing, "refused"), (linked, "refused"), (fine, "graded")]
)
def test_nbgrader_s_command_and_ours_are_one_way(tmp_path, spoil, status):
    """Same record, same words, same feedback; and what one has graded the other leaves alone."""
    room = Classroom(tmp_path, [NAME])
    room.hand_in("ada", NAME, {})
    spoil(tmp_path / "submitted" / "ada" / NAME)
    path, page = record_path(tmp_path, NAME, "ada"), tmp_path / "feedback" / "ada" / NAME / f"{NAME}.html"

    def what_came_of_it():
        record = load_record(path)
        return replace(record, seconds=0), page.read_bytes() if page.exists() else b""

    command = [sys.executable, "-m", "nbgrader", "autograde", NAME, "--student=ada"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    by_nbgrader = what_came_of_it()
    assert by_nbgrader[0].status == status
    assert done.returncode == (status != "graded")
    assert "Traceback" not in done.stderr
    if status != "graded":
        assert f"Not graded: ada: {by_nbgrader[0].message}" in done.stderr
    seconds = load_record(path).seconds
    ours = room.course("grade", NAME)
    assert (load_record(path).seconds, ours.returncode) == (seconds, int(status != "graded"))
    assert what_came_of_it() == by_nbgrader
    assert room.course("grade", NAME, "--again").returncode == int(status != "graded")
    assert what_came_of_it() == by_nbgrader
