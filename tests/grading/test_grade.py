"""A submission that kills or blocks its kernel: what was earned before and after is kept."""

from contextlib import contextmanager

import pytest
from nbformat.v4 import new_code_cell

from course_grading.cells import identify
from course_grading.grade import grade
from course_grading.problem_sets import load_problem_set
from course_grading.sandbox import Sandbox, SandboxedKernel
from course_lib.exercises.kernels import Kernel
from tests.support.classroom import ROOT

DIES = "def receptive_field(k, n_layers):\n    import os\n    os._exit(1)\n"
NEVER_ENDS = (
    "def rnn_states(x, W_x, W_h, b, h0):\n    import time\n    time.sleep(3600)\n"  # those below compute
)


def cells(notebook):
    return [identify(cell) for cell in notebook.cells]


@pytest.fixture(scope="module")
def ours():
    return load_problem_set(ROOT / "solutions" / "ps01")


def sandboxed():
    with Sandbox() as sandbox, SandboxedKernel(sandbox, seconds_a_cell=6, seconds_a_request=4) as kernel:
        yield kernel


def unsafe():
    with Kernel(seconds_a_cell=6, seconds_a_request=4) as kernel:
        yield kernel


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(sandboxed, marks=pytest.mark.needs("sandbox")),
        pytest.param(unsafe, marks=pytest.mark.soak),
    ],
)
def test_answers_that_die_or_never_end_cost_their_own_points_alone(start, ours):
    chosen = {name: ours.solution(name) for name in ours.questions} | {"q2": DIES, "q3": NEVER_ENDS}
    with contextmanager(start)() as kernel:
        verdicts, incidents = grade(ours, cells(ours.with_answers(chosen)), kernel, b"any")
    earned = {name: verdict.points for name, verdict in verdicts.items()}
    out_of = {name: question.points for name, question in ours.questions.items()}
    assert earned == out_of | {"q2": 0, "q3": 0}
    died, ended = (
        "Your code made Python itself die.",
        "Your code was stopped after 4 seconds: does it ever end?",
    )
    assert died in verdicts["q2"].messages
    shorter = "Your code was stopped after 1 seconds: does it ever end?"
    assert verdicts["q3"].messages == [ended, shorter]
    assert (incidents.count(ended), incidents.count(shorter)) == (1, len(verdicts["q3"].parts) - 1)
    assert set(incidents) >= {died, ended}


TRAINS = "import time\ntime.sleep(4)"
HANGS = "def receptive_field(k, n_layers):\n    sum(iter(int, 1))\n\n\nlayers_needed = receptive_field\n"


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize(
    "hangs",
    [HANGS, pytest.param(HANGS.replace("sum(iter(int, 1))", "while True: pass"), marks=pytest.mark.soak)],
)
def test_an_answer_that_never_ends_leaves_the_others_their_time(ours, hangs):
    """What ran before takes long, and has to be run again where it cannot be interrupted."""
    notebook = ours.with_answers({name: ours.solution(name) for name in ours.questions} | {"q2": hangs})
    notebook.cells.insert(1, new_code_cell(TRAINS))
    with Sandbox() as sandbox, SandboxedKernel(sandbox, 5, 1.5, 20) as kernel:
        verdicts, incidents = grade(ours, cells(notebook), kernel, b"any")
    lost = [name for name, verdict in verdicts.items() if verdict.points != verdict.out_of]
    assert lost == ["q2"]
    assert len(incidents) == 3  # the visible tests, and two parts, the second of which gets less time


def test_inputs_depend_on_the_key_and_on_nothing_else(ours):
    def inputs(key):
        asked = []

        class Listens:
            def run(self, cell):
                pass

            def respond(self, request, share):
                asked.append(request)
                return "[]"

        grade(ours, cells(ours.with_answers({})), Listens(), key)
        return asked

    assert inputs(b"ada's") == inputs(b"ada's") != inputs(b"bob's")
