"""The nine checks: the healthy model passes all, and every bug is found before a step of training."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch09_transformer import bug_clinic
from course_lib.chapters.ch09_transformer.bug_clinic import BUGS, HEALTHY, Bug, Patient
from course_lib.chapters.ch09_transformer.checks import CHECKS
from course_lib.model import Parts

FINDS = {  # what each check is for, by the number of the patient
    "sees_no_future": {2, 3, 9},
    "is_shifted": {1},
    "rows_sum_to_one": {3},
    "source_matters": {4},
    "order_matters": {4, 6},
    "padding_changes_nothing": {5, 10},
    "way_past_is_open": {7},
    "steps_equal_whole": {2, 3, 8, 9},
    "own_value_comes_back": {9},
}


@pytest.mark.parametrize("seed", [5, 6])
def test_the_healthy_model_passes_and_every_patient_fails(seed):
    patients = [Patient(bug, seed) for bug in (HEALTHY, *BUGS)]
    passed = np.array([[check(patient) for patient in patients] for check in CHECKS.values()])
    assert passed[:, 0].all()
    assert not passed[:, 1:].all(axis=0).any()


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_finds_what_it_is_for(name):
    for number in FINDS[name]:
        assert not CHECKS[name](Patient(BUGS[number - 1], seed=5)), number


def test_no_check_finds_a_missing_root():
    """The patient of the chapter's last try: its scores are not divided."""

    def undivided(q, k, v, mask=None, dropout=0.0):
        from course_lib.model import masked_softmax

        weights = masked_softmax(q @ k.mT, mask)
        return weights @ v, weights

    ill = Patient(Bug("mine", "", "", Parts(attention_function=undivided)), seed=5)
    assert all(check(ill) for check in CHECKS.values())


def test_checks_leave_a_patient_as_it_is():
    patient = Patient(BUGS[6], seed=5)
    before = [parameter.clone() for parameter in patient.model.parameters()]
    batch = bug_clinic.sentence("one two nine")
    for check in CHECKS.values():
        check(patient)
    assert all(torch.equal(a, b) for a, b in zip(before, patient.model.parameters(), strict=True))
    assert patient.bug is BUGS[6]
    assert patient.logits(batch).shape == (1, 4, 13)
