"""The clinic's figure: what it says follows the record, and a diagnosis is judged."""

import copy
import itertools
import re

import pytest

from course_lib.chapters.ch09_transformer import bug_clinic, clinic, ward
from course_lib.chapters.ch09_transformer.clinic_figures import LEVELS, guilty


@pytest.fixture(scope="module")
def record():
    return ward.stored()


def test_the_words_tell_every_patient(record):
    alt = clinic(record).alt
    for number, patient in enumerate(record["patients"]):
        name = f"Patient {number}" if number else "Healthy"
        right = sorted(patient["exact"])[1]
        assert f"{name}: loss " in alt
        assert f"{round(100 * right)} % right" in alt.replace("\xa0", " ")


@pytest.mark.parametrize("number", range(11))
@pytest.mark.share(3)
def test_every_patient_can_be_shown_first(record, number):
    figure = clinic(record, patient=number)
    assert figure.title.startswith(f"Patient {number}: " if number else "Healthy: ")
    written = record["patients"][number]["writes"]
    if number:  # nothing gives the fault away
        bug = bug_clinic.BUGS[number - 1]
        assert bug.name not in figure.title
        assert bug.wrong not in figure.alt
    assert (f"It writes ‘{written}’." if written else "It writes nothing.") in figure.alt


@pytest.mark.parametrize(("number", "bug"), list(enumerate(bug_clinic.BUGS, start=1)))
@pytest.mark.share(3)
def test_the_right_diagnosis_and_no_other_is_accepted(record, number, bug):
    figure = clinic(record, patient=number)
    for other in (bug, bug_clinic.BUGS[number % 10]):  # and its neighbour's
        figure.state = {"patient": number, "answer": other.name}
        assert (figure.title == f"Patient {number}: {bug.name}") == (other is bug)
        assert ("Yes. " in figure.alt) == (other is bug)
        assert (bug.right in figure.alt) == (other is bug)


def written_rows(figure) -> list[tuple[list[int], int]]:
    """The numbers in the cells of each row of both maps, and the sum that stands beside them."""
    drawn = figure.svg.partition("sum, %")[2]
    texts = re.findall(r"<text [^>]*>([^<]+)</text>", drawn)
    rows, cells = [], []
    for text, after in itertools.pairwise([*texts, ""]):
        if re.fullmatch(r"\d+ ≠ 100", text) or (text == "100" and not after[:1].isdigit()):
            rows.append((cells, int(text.split()[0])))
            cells = []
        elif text.isdigit():
            cells.append(int(text))
    return rows


@pytest.mark.parametrize("number", [0, 3, 7])
def test_the_cells_of_a_row_add_up_to_the_sum_beside_them(record, number):
    figure = clinic(record, patient=number)
    rows = written_rows(figure)
    maps = [*record["patients"][number]["own"], *record["patients"][number]["cross"]]
    assert len(rows) == len(maps)
    for (cells, told), row in zip(rows, maps, strict=True):
        assert sum(cells) == told
        assert abs(told - 100 * sum(row)) < 0.51


def test_nothing_is_wrong_with_the_healthy_one(record):
    figure = clinic(record, patient=0)
    figure.state = {"patient": 0, "answer": bug_clinic.BUGS[0].name}
    assert "Nothing is wrong with the healthy one." in figure.alt


def test_the_words_follow_the_record(record):
    other = copy.deepcopy(record)
    other["patients"][1]["exact"] = [0.77] * 3
    other["patients"][1]["cross"][0] = [0.9, 0.0, 0.1, 0.0, 0.0]
    alt = clinic(other, patient=1).alt
    assert "77 % right" in alt.replace("\xa0", " ")
    assert "to predict ‘quatre’ most at ‘seven’ (90 %)" in alt.replace("\xa0", " ")


def test_framed_cells_are_inside_the_maps_and_hold_what_they_are_framed_for(record):
    for number, bug in enumerate(bug_clinic.BUGS, start=1):
        found = record["patients"][number]
        cells = guilty(bug.name, len(found["own"]), len(found["cross"][0]))
        for kind in ("own", "cross"):
            for i, j in cells[kind]:
                assert 0 <= found[kind][i][j] <= 1
    no_mask = record["patients"][2]["own"]
    assert sum(no_mask[i][j] for i, j in guilty("no causal mask", 5, 5)["own"]) > 2  # of four rows
    inverted = record["patients"][5]["cross"]
    assert all(inverted[i][j] > 0.99 for i, j in guilty("padding mask inverted", 5, 5)["cross"])


def test_the_levels_are_entropies():
    """Brute force over all 9³ + 9⁴ + 9⁵ sentences, in groups of a length."""
    import math

    bits = [n * math.log(9) + math.log(3) for n in (3, 4, 5)]  # −log of the chance of one sentence
    tokens = [n + 1 for n in (3, 4, 5)]
    assert LEVELS["knows nothing of the source"] == pytest.approx(sum(bits) / sum(tokens))
    assert LEVELS["knows its length"] == pytest.approx((sum(bits) - 3 * math.log(3)) / sum(tokens))


def test_refuses_a_patient_that_is_not_there(record):
    with pytest.raises(ValueError, match="patient is 11: expected 0 … 10"):
        clinic(record, patient=11)
