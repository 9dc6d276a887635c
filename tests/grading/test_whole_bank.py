"""The answer bank packed into whole notebooks: sandboxes and nbgrader come to the verdicts that the bank's files name.

`make test` runs one notebook of each problem set through a sandbox; `make soak` all of them through nbgrader.
"""

import random
from itertools import cycle, islice

import pytest

from course_grading.bank import BankAnswer, bank_answers
from course_grading.cells import identify
from course_grading.grade import grade
from course_grading.problem_sets import ProblemSet, load_problem_set
from course_grading.sandbox import Sandbox, SandboxedKernel
from tests.support.classroom import BANK, ROOT, Classroom

NAMES = sorted(path.parent.name for path in ROOT.glob("solutions/*/checks.py"))
SEED = 20260104


def packs(ours: ProblemSet) -> list[dict[str, BankAnswer]]:
    """Put all answers of the bank into as few notebooks as possible; where a question has fewer, they come again."""
    bank = {
        name: bank_answers(BANK / ours.name / name, ours.questions[name].points) for name in ours.questions
    }
    for name, answers in bank.items():
        random.Random(f"{SEED} {name}").shuffle(answers)
    n_packs = max(map(len, bank.values()))
    columns = [islice(cycle(answers), n_packs) for answers in bank.values()]
    return [dict(zip(bank, chosen, strict=True)) for chosen in zip(*columns, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_in_a_notebook(name):
    ours = load_problem_set(ROOT / "solutions" / name)
    packed = {(question, answer.name) for pack in packs(ours) for question, answer in pack.items()}
    files = {(path.parent.name, path.stem) for path in (BANK / name).glob("q*/*.py")}
    assert packed == files


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(["torch", "course_lib.exercises.hints"]) as sandbox:
        yield sandbox


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_gets_the_same_verdicts_in_a_sandbox(name, sandbox):
    ours = load_problem_set(ROOT / "solutions" / name)
    chosen = packs(ours)[0]
    notebook = ours.with_answers({question: answer.source for question, answer in chosen.items()})
    with SandboxedKernel(sandbox) as kernel:
        verdicts, _ = grade(ours, [identify(cell) for cell in notebook.cells], kernel, b"any")
    assert set(verdicts) == set(ours.questions)
    for question, answer in chosen.items():
        told = " ".join(verdicts[question].messages)
        assert (verdicts[question].points, answer.message in told) == (answer.points, True), (
            question,
            answer.name,
            told,
        )


@pytest.mark.soak
@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("name", NAMES)
def test_the_whole_bank_through_nbgrader(name, tmp_path):
    room = Classroom(tmp_path, [name])
    chosen = {f"notebook-{number:02d}": pack for number, pack in enumerate(packs(room.sets[name]))}
    for student, answers in chosen.items():
        room.hand_in(student, name, answers)
    room.nbgrader("autograde", name)
    scores = {
        (student, name): sum(answer.points for answer in pack.values()) for student, pack in chosen.items()
    }
    assert room.scores() == scores
    with room.gradebook() as gradebook:
        for student, pack in chosen.items():
            found = {q: gradebook.find_grade(f"{q}-points", name, name, student).score for q in pack}
            assert found == {question: answer.points for question, answer in pack.items()}
