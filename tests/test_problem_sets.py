"""The answer bank: every right answer in it gets all points, every wrong one what its file names; and the release."""

import contextlib
import io
import linecache
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from _pytest.mark import ParameterSet

import assignments
from course_grading.bank import BankAnswer, bank_answers, decide_for_seeds
from course_grading.problem_sets import ProblemSet, decide_by_exec, load_problem_set
from course_grading.questions import draw
from course_lib.exercises.hints import Hint
from tests.support.commands import run_module

ROOT = Path(__file__).resolve().parent.parent
SETS = sorted(path.parent for path in ROOT.glob("solutions/*/checks.py"))
FILES = ROOT / "tests" / "bank"
SEED = 20260101


@cache
def problem_set(name: str) -> ProblemSet:
    return load_problem_set(ROOT / "solutions" / name)


@cache
def answers(name: str, question: str) -> list[BankAnswer]:
    """Return all answers to a question in the bank."""
    return bank_answers(FILES / name / question, problem_set(name).questions[question].points)


def in_bank(name: str, question: str, stem: str) -> BankAnswer:
    [found] = [answer for answer in answers(name, question) if answer.name == stem]
    return found


def cases(pattern: str, message: str = "") -> list[ParameterSet]:
    """Name the bank's answers by their files, of which the first lines are read where a message is asked for."""
    return [
        pytest.param(*path.parts[-3:-1], path.stem, id="-".join([*path.parts[-3:-1], path.stem]))
        for path in sorted(FILES.glob(f"ps*/q*/{pattern}.py"))
        if not message or message in path.read_text(encoding="utf-8").partition("\n\n")[0]
    ]


def spread(cases: list[ParameterSet], most: int) -> list[ParameterSet]:
    """Return at most so many of each question's, spread over all of them."""
    found = []
    for _, group in groupby(cases, lambda case: case.values[:2]):
        of_question = list(group)
        found += of_question[:: -(-len(of_question) // most)]
    return found


def some_now(cases: list[ParameterSet], most: int) -> list[ParameterSet]:
    """Leave at most so many of each question to `make test`, spread over all of them, and the others to `make soak`."""
    now = {case.id for case in spread(cases, most)}
    return [case if case.id in now else case._replace(marks=[pytest.mark.soak]) for case in cases]


RIGHT, WRONG = some_now(cases("right_*"), 4), cases("wrong_*")


@pytest.mark.parametrize(("name", "question", "answer"), RIGHT)
@pytest.mark.share(2)
def test_a_right_answer_gets_all_points(name, question, answer):
    verdict = decide_by_exec(problem_set(name), question, in_bank(name, question, answer).source, SEED)
    assert verdict.messages == []
    assert verdict.points == verdict.out_of


@pytest.mark.parametrize(("name", "question", "answer"), spread(WRONG, 6))  # all of them: forty seeds, below
@pytest.mark.share(2)
def test_a_wrong_answer_gets_the_points_and_the_message_that_its_file_names(name, question, answer):
    wrong = in_bank(name, question, answer)
    verdict = decide_by_exec(problem_set(name), question, wrong.source, SEED)
    assert wrong.message in " ".join(verdict.messages)
    assert verdict.points == wrong.points < verdict.out_of


@pytest.mark.soak
@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_every_answer_costs_the_same_for_forty_seeds(folder):
    ours = problem_set(folder.name)
    outcomes = [
        outcome
        for name in ours.questions
        for outcome in decide_for_seeds(ours, name, answers(folder.name, name), range(40))
    ]
    assert [str(outcome) for outcome in outcomes if not outcome.is_as_said] == []


@pytest.mark.parametrize(
    "n_students", [pytest.param(10, id="ten"), pytest.param(1000, id="a-thousand", marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_every_part_finds_inputs_for_every_student(folder, n_students):
    for question in problem_set(folder.name).questions.values():
        for part in question.parts:
            assert all(draw(question, part, b"%d" % student) for student in range(n_students))


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_the_reference_answers_get_all_points(folder):
    ours = problem_set(folder.name)
    for name in ours.questions:
        verdict = decide_by_exec(ours, name, ours.solution(name), SEED)
        assert verdict.messages == []


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_every_question_has_three_right_and_four_wrong_answers_in_the_bank(folder):
    for name in problem_set(folder.name).questions:
        right = [answer.is_right for answer in answers(folder.name, name)]
        assert sum(right) >= 3
        assert len(right) - sum(right) >= 4


# ---- The visible tests ----


def visible(source: str, name: str, question: str) -> str:
    """Run the visible tests of a question after an answer; return what they print. They leave no names behind."""
    ours, namespace, printed = problem_set(name), {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in ours.given(question):
            with contextlib.suppress(NameError):  # it looks at the answer to a question before
                exec(compile(cell, f"<{name}>", "exec"), namespace)
        for cell, of in [(source, "answer"), (ours.cell(f"{question}-tests").source, "tests")]:
            file = f"<{name} {question} {of}>"
            linecache.cache[file] = len(cell), None, cell.splitlines(keepends=True), file  # as IPython does
            before = names(namespace)
            try:
                exec(compile(cell, file, "exec"), namespace)
            finally:
                assert of == "answer" or names(namespace) == before
    return printed.getvalue()


def names(namespace):
    """Return which names there are, for which objects, but for where Python notes its warnings."""
    return {name: id(value) for name, value in namespace.items() if name != "__warningregistry__"}


@pytest.mark.parametrize(("name", "question", "answer"), RIGHT)
def test_the_visible_tests_accept_every_right_answer(name, question, answer):
    assert visible(in_bank(name, question, answer).source, name, question).count("✓") >= 1


@pytest.mark.parametrize(("name", "question", "answer"), cases("wrong_*", message=" is called"))
def test_the_visible_tests_do_not_accept_a_forbidden_call(name, question, answer):
    with pytest.raises(Hint):
        visible(in_bank(name, question, answer).source, name, question)


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_the_visible_tests_speak_kindly_to_who_has_not_started(folder):
    for question in problem_set(folder.name).questions:
        stub = re.sub(
            r"### BEGIN SOLUTION.*?### END SOLUTION",
            "raise NotImplementedError",
            problem_set(folder.name).cell(question).source,
            flags=re.DOTALL,
        )
        with pytest.raises(Hint, match="stops with NotImplementedError"):
            visible(stub, folder.name, question)


UNANSWERED_AND_WRONG = {
    ("ps01", "q2"): (
        "def receptive_field(k, n_layers):\n    raise NotImplementedError\n"
        "def layers_needed(distance, k):\n    return distance // (k // 2)",
        "round up",
    ),
    ("ps02", "q5"): (
        "def unit_divisor(std_q, std_k):\n    raise NotImplementedError\n"
        "def temperature(scores, ratio):\n    return (np.sort(scores)[-2] - scores.max()) / np.log(ratio)",
        "Right but for the sign",
    ),
}


@pytest.mark.parametrize(("name", "question"), UNANSWERED_AND_WRONG)
def test_where_two_functions_are_asked_for_the_visible_tests_try_both(name, question):
    source, message = UNANSWERED_AND_WRONG[name, question]
    with pytest.raises(Hint, match=f"(?s)NotImplementedError.*\n.*{message}"):
        visible(source, name, question)


@pytest.mark.parametrize(
    ("name", "question", "answer", "message"),
    [
        ("ps01", "q3", "wrong_matrices_on_the_left", "Words and states are rows"),
        ("ps02", "q1", "wrong_without_keepdims", "Without keepdims=True"),
        ("ps02", "q2", "wrong_one_sentence_only", "With an axis in front"),
        ("ps02", "q3", "wrong_one_sentence_only", "With an axis in front"),
        ("ps02", "q4", "wrong_without_keepdims", "keepdims=True keeps its axis"),
    ],
)
def test_where_a_usual_mistake_stops_an_answer_the_visible_tests_name_it(name, question, answer, message):
    with pytest.raises(Hint, match=message):
        visible(in_bank(name, question, answer).source, name, question)


# ---- The release ----


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "assignments"

    def run(command: Sequence[str], cwd: Path, env: Mapping[str, str], check: bool) -> None:
        done = run_module(command[2], *command[3:], folder=cwd, environment=env)
        assert check
        assert done.returncode == 0, done.stderr

    with pytest.MonkeyPatch.context() as patched:  # as many starts of nbgrader would take a minute
        patched.setattr(assignments, "subprocess", SimpleNamespace(run=run))
        assignments.generate(folder)
    return folder


def test_what_students_get_is_in_step_with_what_instructors_have(release):
    made = files(release)
    assert made == files(ROOT / "assignments")
    assert len(made) == len(SETS)


def files(folder):
    found = [
        path for path in folder.rglob("*.*") if ".ipynb_checkpoints" not in path.parts
    ]  # which JupyterLab leaves
    return {path.relative_to(folder): path.read_text(encoding="utf-8") for path in found}


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_no_solution_is_in_what_students_get(folder):
    released = nbformat.read(ROOT / "assignments" / folder.name / f"{folder.name}.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in released.cells)
    assert not re.search("(BEGIN|END) SOLUTION|Rubric|Model answer", text)
    for cell in problem_set(folder.name).notebook.cells:
        for solution in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source, re.DOTALL):
            for line in filter(lambda line: len(line.strip()) > 20, solution.splitlines()):
                assert line.strip() not in text


QUARTERS = {"": 0, " and a quarter": 15, " and a half": 30, " and three quarters": 45}
HOURS = {
    f"{hours}{quarter}": 60 * n + minutes
    for n, hours in [(1, "an hour"), (2, "two hours")]
    for quarter, minutes in QUARTERS.items()
}


def announced(folder: Path) -> int:
    """Return the minutes that a set's first cell announces."""
    [told] = re.findall(r"About (.*?); \d+ points", problem_set(folder.name).notebook.cells[0].source)
    return HOURS[told]


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_the_time_announced_is_that_of_its_questions_and_a_little(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    points, minutes = zip(*re.findall(r"^\| [^|]* \| (\d+) \| (\d+) \|", text, re.MULTILINE), strict=True)
    assert len(points) >= 6
    of_the_machine = sum(question.points for question in problem_set(folder.name).questions.values())
    assert sum(map(int, points)) == of_the_machine + int(points[-1]), "the last is decided by a person"
    assert abs(announced(folder) - (sum(map(int, minutes)) + 8)) <= 10


def test_no_set_takes_twice_the_time_of_another():
    times = [announced(folder) for folder in SETS]
    assert max(times) < 2 * min(times)
