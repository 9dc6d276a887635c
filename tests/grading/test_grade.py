"""A submission that kills or blocks its kernel: what was earned before and after is kept."""

import pytest

from course_lib.grading.grade import grade
from course_lib.grading.problem_sets import load_problem_set
from course_lib.kernels import Kernel
from tests.grading.classroom import ROOT

DIES = "def receptive_field(k, n_layers):\n    import os\n    os._exit(1)\n"
NEVER_ENDS = "def rnn_states(x, W_x, W_h, b, h0):\n    while True:\n        pass\n"


@pytest.fixture(scope="module")
def ours():
    return load_problem_set(ROOT / "solutions" / "ps01")


def test_answers_that_die_or_never_end_cost_their_own_points_alone(ours):
    chosen = {name: ours.solution(name) for name in ours.questions} | {"q2": DIES, "q3": NEVER_ENDS}
    with Kernel(seconds_a_cell=6, seconds_a_request=3) as kernel:
        verdicts = grade(ours, ours.with_answers(chosen), kernel, seed=1)
    earned = {name: verdict.points for name, verdict in verdicts.items()}
    out_of = {name: question.points for name, question in ours.questions.items()}
    assert earned == out_of | {"q2": 0, "q3": 0}
    assert "Your code made Python itself die." in verdicts["q2"].messages
    assert verdicts["q3"].messages == ["Your code was stopped after 3 seconds: does it ever end?"]
