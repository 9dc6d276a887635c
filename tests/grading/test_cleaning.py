"""Cleaning: nothing of a student's steers, nothing of a student's is lost, and who is honest is not reported."""

import base64
import re
import unicodedata
import warnings
from copy import deepcopy
from itertools import cycle, islice

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import compute_checksum

from course_grading import cleaning
from course_grading.bank import bank_answers
from course_grading.cells import grade_id_of, identify
from course_grading.content import PICTURES, is_picture, pictures, pixels, visible
from course_grading.intake import parse
from course_grading.sandbox import outputs_from
from tests.support.classroom import BANK, ROOT, WRITTEN, Classroom
from tests.support.pictures import drawn

RELEASES = {
    path.stem: nbformat.read(path, as_version=4) for path in sorted(ROOT.glob("assignments/*/*.ipynb"))
}
RELEASE = RELEASES["ps01"]
IDS = [grade_id_of(cell) for cell in RELEASE.cells if grade_id_of(cell)]


PNG = drawn("PNG", 3, 2)
LARGE_PNG = drawn("PNG", 3, 2, bytes(2_000_000))
GIF = base64.b64encode(b"GIF89a").decode()


def clean(notebook, release):
    """Clean a submission; each cell's identity, which grading goes by, is that of the cell that stands there."""
    done = cleaning.clean(notebook, release)
    assert done.cells == tuple(identify(cell) for cell in done.notebook.cells)
    return done.notebook, done.tampering


def cell_of(notebook, grade_id):
    [found] = [cell for cell in notebook.cells if grade_id_of(cell) == grade_id]
    return found


def place_of(notebook, grade_id):
    return notebook.cells.index(cell_of(notebook, grade_id))


def submission(**answers):
    """The release of ps01, with answers such as q1="…" in it."""
    notebook = deepcopy(RELEASE)
    for grade_id, source in answers.items():
        cell_of(notebook, grade_id).source = source
    return notebook


# ---- Honest work ----


def honest_class(name):
    """Put all right answers of the bank into as few notebooks as possible."""
    answered = [grade_id_of(cell) for cell in RELEASES[name].cells if grade_id_of(cell) and not locked(cell)]
    right = {
        question: [answer.source for answer in bank_answers(BANK / name / question, 1) if answer.is_right]
        or [WRITTEN]
        for question in answered
    }
    n_notebooks = max(map(len, right.values()))
    for sources in zip(*(islice(cycle(found), n_notebooks) for found in right.values()), strict=True):
        notebook = deepcopy(RELEASES[name])
        for question, source in zip(right, sources, strict=True):
            cell_of(notebook, question).source = source
        yield notebook


def locked(cell):
    return cell.metadata.nbgrader.locked


def as_it_is(notebook):
    return notebook


def written_by_jupyterlab(notebook):
    """What JupyterLab, its extensions and a run add."""
    notebook.metadata.kernelspec = {"display_name": "conda", "language": "python", "name": "conda-env-x"}
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    for number, cell in enumerate(notebook.cells):
        cell.metadata |= {"trusted": True, "collapsed": False, "jupyter": {"source_hidden": True}}
        cell.metadata |= {"execution": {"iopub.status.busy": "now"}, "slideshow": {"slide_type": "skip"}}
        cell.metadata.tags = ["important"]
        if cell.cell_type == "code":
            cell.execution_count = number
            cell.outputs = [nbformat.v4.new_output("stream", name="stderr", text="Warning")]
    return notebook


def written_by_another_program(notebook):
    """An older format without cells' ids, white space at the ends of lines, lines as Windows ends them."""
    notebook.nbformat_minor = 2
    for cell in notebook.cells:
        del cell["id"]
        if grade_id_of(cell) and locked(cell):
            cell.source = cell.source.replace("\n", " \r\n") + "\n\n"
    return notebook


def without_nbgraders_metadata(notebook):
    for cell in notebook.cells:
        cell.metadata.clear()
    return notebook


FORMS = [as_it_is, written_by_jupyterlab, written_by_another_program, without_nbgraders_metadata]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", RELEASES)
def test_no_right_answer_is_reported_or_changed(name, form):
    for notebook in honest_class(name):
        handed_in = nbformat.writes(form(deepcopy(notebook))).encode()
        cleaned, tampering = clean(parse(handed_in), RELEASES[name])
        assert tampering == ()
        assert [cell.source for cell in cleaned.cells] == [cell.source for cell in notebook.cells]
        assert [grade_id_of(cell) for cell in cleaned.cells] == [grade_id_of(cell) for cell in notebook.cells]
        assert_safe(cleaned, RELEASES[name])


@pytest.mark.parametrize("name", RELEASES)
def test_what_was_handed_out_comes_back_as_it_is_and_untouched_for_nbgrader(name):
    handed_out = deepcopy(RELEASES[name])
    handed_out.metadata.widgets = {}
    cleaned, tampering = clean(handed_out, handed_out)
    assert tampering == ()
    assert cleaned.metadata == RELEASES[name].metadata
    assert cleaned.cells == RELEASES[name].cells
    for cell in filter(grade_id_of, cleaned.cells):
        assert compute_checksum(cell) == cell.metadata.nbgrader.checksum


def assert_safe(cleaned, release):
    """Nothing in a cleaned notebook steers, nothing of the release's is missing or other than it was."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(deepcopy(cleaned))
    MetadataValidator().validate_nb(cleaned)
    assert cleaned.metadata == release.metadata
    ours = {grade_id_of(cell): cell for cell in release.cells if grade_id_of(cell)}
    found = [grade_id_of(cell) for cell in cleaned.cells if grade_id_of(cell)]
    assert sorted(found) == sorted(ours)
    for cell in cleaned.cells:
        original = ours.get(grade_id_of(cell))
        assert cell.metadata == (original.metadata if original else {})
        assert set(cell) <= {
            "id", "cell_type", "metadata", "source", "outputs", "execution_count", "attachments"
        }  # fmt: skip
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None
        if original:
            assert cell.cell_type == original.cell_type
            assert cell == original or not locked(cell)
    for grade_id in found:
        question, _, kind = grade_id.partition("-")
        assert not kind or found.index(question) < found.index(grade_id)


# ---- Tampering ----


def change_a_test(notebook):
    cell_of(notebook, "q1-tests").source = "pass"


def change_and_rename(notebook):
    cell_of(notebook, "q1-tests").metadata.nbgrader.grade_id = "mine"


def delete_points(notebook):
    notebook.cells.remove(cell_of(notebook, "q1-points"))


def raise_points(notebook):
    cell_of(notebook, "q1-points").metadata.nbgrader.points = 100


def unlock_a_test(notebook):
    cell_of(notebook, "q1-tests").metadata.nbgrader |= {"locked": False, "solution": True}


def lock_an_answer(notebook):
    cell_of(notebook, "q1").metadata.nbgrader.locked = True


def make_an_answer_count(notebook):
    cell_of(notebook, "q1").metadata.nbgrader |= {"grade": True, "points": 7}


def damage_the_settings(notebook):
    cell_of(notebook, "q1-points").metadata.nbgrader |= {"points": [], "grade": {}, "checksum": None}


def skip_a_test(notebook):
    cell_of(notebook, "q1-tests").metadata.tags = ["skip-execution"]


def expect_errors(notebook):
    notebook.cells[0].metadata.tags = ["raises-exception"]


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (change_a_test, "The cell q1-tests was changed; it was put back."),
        (change_and_rename, "The cell q1-tests is not in what was handed in; it was put back."),
        (delete_points, "The cell q1-points is not in what was handed in; it was put back."),
        (raise_points, "The cell q1-points was changed; it was put back."),
        (unlock_a_test, "The cell q1-tests was changed; it was put back."),
        (lock_an_answer, "nbgrader's settings of the cell q1 were changed; they were put back."),
        (make_an_answer_count, "nbgrader's settings of the cell q1 were changed; they were put back."),
        (damage_the_settings, "The cell q1-points was changed; it was put back."),
        (skip_a_test, "The cell q1-tests was tagged skip-execution; the tag was taken off."),
        (expect_errors, "The cell number 1 was tagged raises-exception; the tag was taken off."),
    ],
)
def test_tampering_is_put_right_and_reported(tamper, told):
    notebook = submission(q1="def encoder_decoder(): ...")
    tamper(notebook)
    cleaned, tampering = clean(notebook, RELEASE)
    assert tampering == (told,)
    assert_safe(cleaned, RELEASE)
    assert cell_of(cleaned, "q1").source == "def encoder_decoder(): ..."


# ---- What happens by accident ----


def test_points_that_were_moved_up_come_behind_the_answer_again():
    notebook = submission()
    for grade_id in ("q1-points", "q1-tests"):
        notebook.cells.insert(0, notebook.cells.pop(place_of(notebook, grade_id)))
    notebook.cells.insert(place_of(notebook, "q1") + 1, new_code_cell("helper = 1"))
    cleaned, tampering = clean(notebook, RELEASE)
    start = place_of(cleaned, "q1")
    assert tampering == ()
    assert [grade_id_of(cell) for cell in cleaned.cells[start : start + 3]] == ["q1", "q1-tests", "q1-points"]


def test_cells_between_an_answer_and_its_points_stay_there():
    notebook = submission()
    notebook.cells.insert(place_of(notebook, "q1-points"), new_code_cell("helper = 1"))
    cleaned, _ = clean(notebook, RELEASE)
    assert cleaned.cells[place_of(cleaned, "q1-points") - 1].source == "helper = 1"


def test_questions_that_change_places_stay_where_the_student_put_them():
    notebook = submission()
    start = place_of(notebook, "q1")
    second = [cell_of(notebook, grade_id) for grade_id in ("q2", "q2-tests", "q2-points")]
    notebook.cells = [cell for cell in notebook.cells if cell not in second]
    notebook.cells[start:start] = second
    cleaned, tampering = clean(notebook, RELEASE)
    assert tampering == ()
    assert [cell.id for cell in cleaned.cells] == [cell.id for cell in notebook.cells]


def test_a_deleted_answer_is_put_back_empty_before_what_the_student_wrote_instead():
    notebook = submission()
    at = place_of(notebook, "q2")
    notebook.cells[at] = new_code_cell("mine = 2")
    cleaned, tampering = clean(notebook, RELEASE)
    assert tampering == ("The cell q2 is not in what was handed in; it was put back.",)
    assert cell_of(cleaned, "q2").source == cell_of(RELEASE, "q2").source
    sources = [cell.source for cell in cleaned.cells]
    assert place_of(cleaned, "q1-points") < place_of(cleaned, "q2") < sources.index("mine = 2")
    assert sources.index("mine = 2") < place_of(cleaned, "q2-tests")


def test_of_copies_the_last_is_the_answer_and_the_others_still_run():
    notebook = submission(q1="first = 1")
    copy = deepcopy(cell_of(notebook, "q1"))
    copy.source, copy.id = "second = 2", "copy"
    notebook.cells.insert(place_of(notebook, "q1") + 1, copy)
    cleaned, tampering = clean(notebook, RELEASE)
    assert tampering == ()
    assert cell_of(cleaned, "q1").source == "second = 2"
    assert cleaned.cells[place_of(cleaned, "q1") - 1].source == "first = 1"


def test_retyped_cells_get_their_type_back_and_foreign_ids_go():
    notebook = submission(q1="x = 1")
    answer, points = cell_of(notebook, "q1"), cell_of(notebook, "q1-points")
    for cell in (answer, points):
        cell.cell_type = "raw"
    foreign = deepcopy(answer)
    foreign.metadata.nbgrader.grade_id = "q77"
    notebook.cells.append(foreign)
    cleaned, tampering = clean(notebook, RELEASE)
    assert tampering == ()
    assert (cell_of(cleaned, "q1").cell_type, cell_of(cleaned, "q1").source) == ("code", "x = 1")
    assert (cleaned.cells[-1].metadata, cleaned.cells[-1].source) == ({}, "x = 1")
    assert_safe(cleaned, RELEASE)


def test_another_version_of_the_problem_set_is_no_tampering():
    notebook = submission()
    tests, points, written = (cell_of(notebook, name) for name in ("q1-tests", "q1-points", "q6"))
    tests.source = "assert True  # as it was last year"
    points.metadata.nbgrader.points = written.metadata.nbgrader.points = 17
    for cell in (tests, points, written):
        cell.metadata.nbgrader.checksum = compute_checksum(cell)
    written.source = WRITTEN
    cleaned, tampering = clean(notebook, RELEASE)
    assert tampering == ()
    assert_safe(cleaned, RELEASE)
    assert cell_of(cleaned, "q6").source == WRITTEN


def test_a_tag_that_was_handed_out_is_no_tampering():
    tagged = submission()
    expect_errors(tagged)
    assert clean(tagged, tagged)[1] == ()


def test_given_cells_and_new_ones_are_the_student_s():
    notebook = submission()
    given = next(cell for cell in notebook.cells if cell.cell_type == "code" and not grade_id_of(cell))
    given.source += "\n%matplotlib inline"
    notebook.cells.append(new_markdown_cell("Mine."))
    cleaned, tampering = clean(notebook, RELEASE)
    assert tampering == ()
    assert [cell.source for cell in cleaned.cells] == [cell.source for cell in notebook.cells]


def test_of_attachments_small_pictures_with_plain_names_stay():
    cell = new_markdown_cell("![](attachment:a.png)")
    cell.attachments = {
        "a.png": {"image/png": PNG},
        "split.png": {"image/png": [PNG[:8], PNG[8:]]},
        "svg.svg": {"image/svg+xml": "<svg onload='hacked'/>"},
        "text.png": {"image/png": '"><script>'},
        "gif.png": {"image/png": GIF},
        '"onerror="x.png': {"image/png": PNG},
        "large.png": {"image/png": LARGE_PNG},
        "html.png": {"text/html": "<script>", "image/png": PNG},
    }
    notebook = submission()
    notebook.cells.append(cell)
    cleaned, _ = clean(notebook, RELEASE)
    kept = {"image/png": PNG}
    assert cleaned.cells[-1].attachments == {"a.png": kept, "split.png": kept, "html.png": kept}


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_small_file_that_unpacks_to_very_many_pixels_is_no_picture(form):
    kind = f"image/{form.lower()}"
    assert is_picture(kind, drawn(form, 640, 480))
    assert is_picture(kind, drawn(form, 5000, 4000))
    bomb = drawn(form, 9_000, 9_000)
    assert len(bomb) < 2_000_000
    assert not is_picture(kind, bomb)
    assert pixels(kind, bomb) == 81_000_000
    assert pictures({"bomb.png": {kind: bomb}}) == {}
    told = {"output_type": "display_data", "data": {kind: bomb, "text/plain": "a figure"}}
    assert outputs_from([told])[0].data == {"text/plain": "a figure"}


@given(st.binary(max_size=60), st.sampled_from(sorted(PICTURES)))
def test_the_header_of_a_picture_is_read_whatever_it_says(rest, kind):
    assert pixels(kind, base64.b64encode(PICTURES[kind] + rest).decode()) >= 0


def test_a_jpeg_is_measured_behind_whatever_segments_come_first():
    whole = base64.b64decode(drawn("JPEG", 30, 20))
    padded = whole[:2] + b"\xff\xe1\x00\x08junk\xff\xc0" + b"\xff\xff\xfe\x00\x02" + whole[2:]
    assert pixels("image/jpeg", base64.b64encode(padded).decode()) == 600


@given(st.text())
def test_a_text_that_is_made_visible_shows_nothing_but_itself(text):
    shown = visible(text)
    assert {unicodedata.category(sign) for sign in shown} & {"Cc", "Cs"} <= {"Cc"}
    assert not set(shown) - {"\n", "\t"} & set(map(chr, [*range(32), *range(127, 160)]))
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f]", shown)
    assert visible(shown) == shown


# ---- Any mutilation ----


PLACES = st.integers(0, len(RELEASE.cells) - 1)
ODD = st.sampled_from([None, 5, [], {}, "q1", "q1-tests", "q9", "", -1.5, True, ["q1"]])
OPERATIONS = st.one_of(
    st.tuples(st.sampled_from(["delete", "strip"]), PLACES),
    st.tuples(st.sampled_from(["move", "duplicate", "copy"]), PLACES, PLACES),
    st.tuples(st.just("retype"), PLACES, st.sampled_from(["code", "markdown", "raw"])),
    st.tuples(st.just("edit"), PLACES, st.text(max_size=5)),
    st.tuples(st.just("tag"), PLACES, st.sampled_from([["skip-execution"], ["a", "raises-exception"]])),
    st.tuples(st.just("id"), PLACES, st.sampled_from(["q1", "q2-tests", "cell-3", "no id", "", None])),
    st.tuples(
        st.just("set"),
        PLACES,
        st.sampled_from(["grade_id", "grade", "points", "locked", "solution", "task", "checksum"]),
        ODD,
    ),
    st.tuples(st.just("metadata"), PLACES, ODD),
)


def mutilate(notebook, operation, place, *arguments):
    """Carry out one operation; places count from the start again where the notebook has become shorter."""
    cells = notebook.cells
    if not cells:
        return
    place %= len(cells)
    cell = cells[place]
    match operation, arguments:
        case "delete", _:
            del cells[place]
        case "strip", _:
            cell.metadata = nbformat.NotebookNode()
        case "move", (target,):
            cells.insert(target, cells.pop(place))
        case "duplicate", (target,):
            cells.insert(target, deepcopy(cell))
        case "copy", (target,):
            cells.insert(target, nbformat.NotebookNode(deepcopy(cell), id=f"copy-{target}"))
        case "retype", (kind,):
            cell.cell_type = kind
        case "edit", (source,):
            cell.source += source
        case "tag", (tags,):
            cell.metadata.tags = tags
        case "id", (new,):
            cell.id = new
        case "set", (key, value):
            if isinstance(cell.metadata.get("nbgrader"), dict):
                cell.metadata.nbgrader[key] = value
        case "metadata", (value,):
            cell.metadata.nbgrader = value


@settings(deadline=None, max_examples=60)
@given(st.lists(OPERATIONS, max_size=12))
def test_whatever_was_done_cleaning_once_is_enough(operations):
    notebook = deepcopy(RELEASE)
    for operation in operations:
        mutilate(notebook, *operation)
    before = deepcopy(notebook)
    cleaned, _ = clean(notebook, RELEASE)
    assert notebook == before
    assert_safe(cleaned, RELEASE)
    assert clean(cleaned, RELEASE) == (cleaned, ())
    assert clean(parse(nbformat.writes(cleaned).encode()), RELEASE) == (cleaned, ())


# ---- nbgrader ----


def test_nbgrader_finds_nothing_to_put_right_in_what_was_cleaned(tmp_path):
    room = Classroom(tmp_path, ["ps01"])
    right = next(answer for answer in bank_answers(BANK / "ps01" / "q2", 3) if answer.is_right)
    notebook = submission(q2=right.source, q6=WRITTEN)
    for tamper in (change_and_rename, delete_points, lock_an_answer, expect_errors):
        tamper(notebook)
    folder = tmp_path / "submitted" / "ada" / "ps01"
    folder.mkdir(parents=True)
    nbformat.write(clean(notebook, RELEASE)[0], folder / "ps01.ipynb")
    log = room.nbgrader("autograde", "ps01")
    assert "has changed" not in log
    assert "does not exist" not in log
    with room.gradebook() as gradebook:
        found = {name: gradebook.find_grade(name, "ps01", "ps01", "ada") for name in ("q2-points", "q6")}
        assert (found["q2-points"].auto_score, found["q2-points"].needs_manual_grade) == (3, False)
        assert (found["q6"].auto_score, found["q6"].needs_manual_grade) == (None, True)
