"""The late policy: its penalties as properties, and what nbgrader makes of it and of extensions in its gradebook."""

import os
import shutil
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import TraitError
from traitlets.config import Config

from course_grading.late import GrantExtensions, LatePolicy, assign_penalties, grant_extensions

DUE = datetime(2027, 1, 31, 23, 59)
DAY = 24 * 60 * 60
POLICIES = st.builds(
    LatePolicy,
    percent_a_day=st.floats(0, 300),
    grace_minutes=st.floats(0, 3000),
    most_percent=st.floats(0, 100),
)
SCORES, SECONDS = st.floats(0, 1e4), st.floats(0, 100 * DAY)


@given(POLICIES, SCORES, SECONDS, SECONDS)
def test_a_penalty_grows_with_time_up_to_the_score(policy, score, first, second):
    earlier, later = (
        policy.late_submission_penalty("ada", score, seconds) for seconds in sorted([first, second])
    )
    assert 0 <= earlier <= later <= score
    assert later <= score * policy.most_percent / 100 + 1e-9


@given(POLICIES, SCORES, st.floats(0, 1))
def test_within_the_grace_nothing_is_taken(policy, score, share):
    assert policy.late_submission_penalty("ada", score, share * 60 * policy.grace_minutes) == 0


def test_a_day_counts_when_it_has_begun():
    policy = LatePolicy(percent_a_day=25, grace_minutes=10, most_percent=60)
    late = [600, 601, 600 + DAY, 601 + DAY, 601 + 2 * DAY]
    assert [policy.late_submission_penalty("ada", 40, seconds) for seconds in late] == [0, 10, 10, 20, 24]


def test_nobody_loses_anything_where_nothing_is_configured():
    assert LatePolicy().late_submission_penalty("ada", 40, 100 * DAY) == 0


@pytest.mark.parametrize("wrong", [{"percent_a_day": -1}, {"grace_minutes": -1}, {"most_percent": 101}])
def test_a_policy_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(TraitError):
        LatePolicy(**wrong)


@pytest.fixture(scope="module")
def new_gradebook(tmp_path_factory):
    """The file of a gradebook in which ada and bert got 20 points and handed in ps03 50 hours late."""
    path = tmp_path_factory.mktemp("course") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        # nbgrader calls alembic, which lies beside this Python.
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        gradebook = Gradebook(f"sqlite:///{path}", "attention")
    with gradebook:
        gradebook.add_assignment("ps03", duedate=DUE)
        gradebook.add_notebook("ps03", "ps03")
        gradebook.add_grade_cell("q1-points", "ps03", "ps03", max_score=20, cell_type="code")
        for student in ("ada", "bert", "carl"):
            gradebook.add_student(student)
        for student in ("ada", "bert"):
            gradebook.add_submission("ps03", student, timestamp=DUE + timedelta(hours=50))
            gradebook.find_grade("q1-points", "ps03", "ps03", student).auto_score = 20
        gradebook.db.commit()
    return path


@pytest.fixture
def url(new_gradebook, tmp_path):
    """A copy of that gradebook, for one test."""
    return f"sqlite:///{shutil.copy(new_gradebook, tmp_path)}"


def penalty(url, student):
    with Gradebook(url) as gradebook:
        return gradebook.find_submission("ps03", student).late_submission_penalty


def run(preprocessor, url, student):
    told = {"notebook": "ps03", "assignment": "ps03", "student": student, "db_url": url}
    preprocessor.preprocess(new_notebook(), {"nbgrader": told})


def test_nbgrader_takes_policy_and_extensions_from_its_configuration(url):
    config = Config()
    config.AssignLatePenalties.plugin_class = "course_grading.late.LatePolicy"
    config.LatePolicy.percent_a_day = 10
    config.LatePolicy.extensions = {
        "ps03": {"ada": {"days": 2}, "carl": "3 weeks"},
        "ps04": {"bert": "9 days"},
    }
    for student in ("ada", "bert"):
        run(GrantExtensions(config=config), url, student)
        run(AssignLatePenalties(config=config), url, student)
    assert (penalty(url, "ada"), penalty(url, "bert")) == (2, 6)  # 2 hours and 50 hours late


@pytest.mark.parametrize("time", ["2 days", {"days": 2}, "1 day, 23 hours and 60 minutes", {"hours": 48}])
def test_the_same_time_in_other_words(url, time):
    with Gradebook(url) as gradebook:
        assert grant_extensions(gradebook, "ps03", {"ada": time, "carl": time}) == ["carl"]
        assert gradebook.find_submission("ps03", "ada").extension == timedelta(days=2)
        assert gradebook.find_submission("ps03", "bert").extension is None
        assert grant_extensions(gradebook, "ps03", {"ada": "0 days"}) == []
        assert gradebook.find_submission("ps03", "ada").extension is None


@pytest.mark.parametrize(
    "time",
    [
        "soon",
        "2",
        "2 moons",
        "-2 days",
        "2 days 3 days",
        "two days",
        {},
        {"days": "x"},
        {"days": -1},
        None,
        2,
    ],
)
def test_a_time_that_cannot_be_read_is_refused_before_anything_is_granted(url, time):
    with Gradebook(url) as gradebook:
        with pytest.raises(ValueError, match="the extension of 'bert' cannot be read: expected"):
            grant_extensions(gradebook, "ps03", {"ada": "2 days", "bert": time})
        assert gradebook.find_submission("ps03", "ada").extension is None


def test_no_extension_without_a_date(url):
    with Gradebook(url) as gradebook:
        gradebook.find_assignment("ps03").duedate = None
        with pytest.raises(ValueError, match="ps03 has no due date"):
            grant_extensions(gradebook, "ps03", {"ada": "2 days"})
        assert grant_extensions(gradebook, "ps03", {}) == []
        with pytest.raises(MissingEntry):
            grant_extensions(gradebook, "ps99", {"ada": "2 days"})


def test_penalties_follow_points_extensions_and_policy(url):
    policy = LatePolicy(percent_a_day=10)
    with Gradebook(url) as gradebook:
        assign_penalties(gradebook, "ps03", policy)
    assert (penalty(url, "ada"), penalty(url, "bert")) == (6, 6)
    with Gradebook(url) as gradebook:
        gradebook.find_grade("q1-points", "ps03", "ps03", "ada").manual_score = 10
        gradebook.db.commit()
        grant_extensions(gradebook, "ps03", {"bert": "3 days"})
        assign_penalties(gradebook, "ps03", policy)
    assert (penalty(url, "ada"), penalty(url, "bert")) == (3, 0)
