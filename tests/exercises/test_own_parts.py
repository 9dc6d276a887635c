"""A student's own parts: taken from set to set, tried, replaced where they do not do, and chained into a translator."""

import ast
import re
import shutil
import threading
import time
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

from course_grading.cells import grade_id_of, identify
from course_grading.grade import grade
from course_grading.problem_sets import decide_by_exec, load_problem_set
from course_lib import model as layers
from course_lib.exercises import course_parts, inside, own_parts, own_translator
from course_lib.exercises.course_parts import PARTS
from course_lib.exercises.kernels import KernelFailure
from course_lib.figures import Picture

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS, BANK = ROOT / "solutions", ROOT / "tests" / "bank"
SETS = [f"ps{number:02}" for number in range(1, 11)]


def replaced(folder, name, question, source):
    """Make a student's notebook of a set: the reference answers, but for one question."""
    notebook = nbformat.read(SOLUTIONS / name / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        if grade_id_of(cell) == question:
            cell.source = source
    (folder / name).mkdir(exist_ok=True)
    nbformat.write(notebook, folder / name / f"{name}.ipynb")


def taken(name, *names, folder=SOLUTIONS, here=None):
    """Take parts; return them and what was said."""
    said = []
    return own_parts.take(name, *names, folder=folder, here=here, say=said.append), said


@pytest.mark.parametrize("wrong", [lambda Q, K, V: Q @ K.mT, lambda Q, K, V: 1.0, lambda Q, K, V: (Q, K, V)])
def test_who_returns_too_few_results_or_too_many_is_told_how_many_there_should_be(wrong):
    [said] = taken("ps02", "attention", here={"attention": wrong})[1]
    assert "yours does not return the 2 results that are asked for, so the course's stands in" in said


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_the_reference_answers_agree_with_the_courses_parts(name, part):
    own, said = taken(name, part)
    assert said == [f"{part}: your own from {name} is used."]
    assert own is not PARTS[name, part].course()


def test_a_set_that_is_not_there_is_replaced_and_said(tmp_path):
    parts, said = taken("ps09", "Embed", "Ends", folder=tmp_path)
    assert said == [f"{name}: ps09 is not here, so the course's stands in." for name in ("Embed", "Ends")]
    assert parts == [course_parts.Embed, course_parts.Ends]


def test_a_question_that_is_not_answered_is_replaced_and_said():
    encode, said = taken("ps06", "encode", folder=ROOT / "assignments")
    [[first, more]] = [line.splitlines() for line in said]
    assert first == "encode: Question 1 of ps06 is not answered yet, so the course's stands in."
    assert more == "    The notebook is read as it was last saved."
    assert encode is course_parts.encode


def test_of_a_call_of_an_unanswered_function_that_one_is_named(tmp_path):
    source = "def later():\n    raise NotImplementedError\ndef encode(*given):\n    return later()"
    replaced(tmp_path, "ps06", "q1", source)
    [said] = taken("ps06", "encode", folder=tmp_path)[1]
    assert said.startswith(
        "encode: yours calls `later`, which is not answered yet, so the course's stands in."
    )


WRONG = [  # what would spoil a translator
    ("ps02", "q1", "softmax", "wrong_whole_array"),
    ("ps02", "q4", "softmax_gradient", "wrong_sign"),
    ("ps03", "q2", "limit_weights", "wrong_not_started"),
    ("ps05", "q1", "split_heads", "wrong_not_started"),
    ("ps06", "q1", "encode", "wrong_sines_first"),
    ("ps07", "q5", "Block", "wrong_always_pre"),
    ("ps07", "q5", "Block", "wrong_one_norm_for_both"),
    ("ps08", "q2", "masked_softmax", "wrong_after_the_softmax"),
    ("ps08", "q2", "masked_softmax", "wrong_through_numpy"),
    ("ps09", "q2", "Block", "wrong_no_causal_mask"),
    ("ps09", "q2", "Block", "wrong_causal_mask_of_the_first_batch"),
    ("ps09", "q3", "candidate_logits", "wrong_encoder_sees_padding"),
    ("ps09", "q5", "Embed", "wrong_embed_places_of_the_first_batch"),
    ("ps09", "q5", "Ends", "wrong_ends_still_sick"),
]


@pytest.mark.parametrize(("name", "question", "part", "answer"), WRONG)
@pytest.mark.share(2)
def test_a_wrong_part_is_replaced_and_said(tmp_path, name, question, part, answer):
    path = BANK / name / question / f"{answer}.py"
    replaced(tmp_path, name, question, path.read_text(encoding="utf-8"))
    own, [said] = taken(name, part, folder=tmp_path)
    assert own is PARTS[name, part].course()
    assert re.fullmatch(
        rf"{part}: (yours (differs|stops)|PyTorch cannot|Question).*, so the course's stands in\.",
        said.splitlines()[0],
    )


@pytest.mark.parametrize(
    ("name", "question", "part", "answer"),
    [
        ("ps02", "q1", "softmax", "right_torch"),
        ("ps06", "q1", "encode", "right_torch"),
        ("ps08", "q4", "write_on", "right_torch"),
    ],
)
def test_a_right_answer_in_another_style_is_taken(tmp_path, name, question, part, answer):
    path = BANK / name / question / f"{answer}.py"
    replaced(tmp_path, name, question, path.read_text(encoding="utf-8"))
    assert taken(name, part, folder=tmp_path)[1] == [f"{part}: your own from {name} is used."]


ENDLESS = "def encode(positions, d, base=10000.0):\n    while True:\n        pass"
STUBBORN = """
import time
def encode(positions, d, base=10000.0):
    end = time.monotonic() + 5  # or it would go on beside all later tests
    while time.monotonic() < end:
        try:
            time.sleep(0.01)
        except:
            pass
"""


@pytest.mark.parametrize(
    ("source", "said", "more"),
    [
        (
            ENDLESS,
            "encode: yours did not end within 0.2 seconds on the first example",
            "Called with positions = [0",
        ),
        (
            STUBBORN,
            "encode: yours did not end within 0.2 seconds on the first example",
            "Called with positions = [0",
        ),
        ("while True:\n    pass", "encode: the cells of ps06.ipynb did not end within 0.2 seconds", ""),
        (
            "def encode(*given):\n    raise SystemExit",
            "encode: yours stops with SystemExit on the first example",
            "Called with given = [0",
        ),
        ("raise SystemExit", "encode: the cells of ps06.ipynb stop with SystemExit", ""),
        ("encode = 1 / 0", "encode: Question 1 of ps06 stops with ZeroDivisionError", "division by zero"),
        (
            "def encode(",
            "encode: Question 1 of ps06 is not valid Python",
            "Line 1 of its cell: '(' was never closed.",
        ),
        ("", "encode: ps06 has no encode", "as it was last saved"),
        (
            "encode = 3",
            "encode: yours stops with TypeError on the first example",
            "'int' object is not callable.",
        ),
        (
            "def encode(*given):\n    return None",
            "encode: yours differs from the course's on the first example",
            "argument 2 = 8. Your function returns None",
        ),
        (
            "from course_lib.exercises.course_parts import encode as library\n"
            "def encode(positions, d):\n    found = library(positions, d)\n    positions += 1\n    return found",
            "encode: yours differs from the course's on the first example",
            "An argument is changed in place; work on a copy.",
        ),
        (
            "def encode(*given):\n    return np.zeros((6, 7))",
            "encode: yours differs from the course's on the first example",
            "argument 2 = 8. Your result has shape (6, 7); expected is (6, 8).",
        ),
        (
            "def encode(*given):\n    return object()",
            "encode: yours differs from the course's on the first example",
            "argument 2 = 8. Your result is of type object",
        ),
    ],
)
def test_a_part_that_does_not_end_or_stops_is_replaced_and_said(tmp_path, monkeypatch, source, said, more):
    monkeypatch.setattr(own_parts, "SECONDS", 0.2 if "while" in source else 10)
    replaced(tmp_path, "ps06", "q1", source)
    encode, [found] = taken("ps06", "encode", folder=tmp_path)
    first, _, rest = found.partition("\n")
    assert first == f"{said}, so the course's stands in."
    assert more in rest
    assert bool(more) == bool(rest)
    assert encode is course_parts.encode


def test_a_limit_around_a_limit_leaves_no_endless_loop_behind():
    before = set(threading.enumerate())

    def endless():
        while True:
            pass

    with pytest.raises(own_parts.TimeIsUp):
        own_parts.within(0.2, lambda: own_parts.within(60, endless))
    end = time.monotonic() + 10  # for the last lines of what was stopped
    while (left := set(threading.enumerate()) - before) and time.monotonic() < end:
        time.sleep(0.05)
    assert not left


def test_reading_a_set_does_not_try_its_own_parts(monkeypatch):
    tried = []
    monkeypatch.setattr(own_parts, "take", lambda *given, **named: tried.append(given))
    monkeypatch.setattr(own_parts, "_read", {})  # or it might have been read before
    for name in SETS[1:]:
        assert own_parts.read(SOLUTIONS / name / f"{name}.ipynb").names
    assert tried == []


def test_what_a_student_prints_or_draws_while_it_is_read_is_not_shown(tmp_path, capsys):
    source = "print('loud')\ndef encode(positions, d, base=10000.0):\n    print('louder')\n    return np.zeros((6, 8))"
    replaced(tmp_path, "ps06", "q1", source)
    taken("ps06", "encode", folder=tmp_path)
    assert capsys.readouterr().out == ""


def test_helpers_of_a_students_own_are_found_and_changed_notebooks_read_again(tmp_path):
    replaced(tmp_path, "ps06", "q1", "encode = my_encode")
    path = tmp_path / "ps06" / "ps06.ipynb"
    [said] = taken("ps06", "encode", folder=tmp_path)[1]
    assert said.startswith("encode: Question 1 of ps06 stops with NameError")
    assert "name 'my_encode' is not defined. Of the notebook's other cells only imports, functions" in said
    notebook = nbformat.read(path, as_version=4)
    helper = """1 / 0
from course_lib.exercises.course_parts import encode as library
def my_encode(*given):
    return library(*given)"""
    notebook.cells.insert(1, nbformat.v4.new_code_cell(helper))
    nbformat.write(notebook, path)
    assert taken("ps06", "encode", folder=tmp_path)[1] == ["encode: your own from ps06 is used."]


def test_who_makes_a_name_in_a_loop_of_another_cell_is_told_that_it_was_not_run(tmp_path):
    replaced(
        tmp_path, "ps06", "q1", "def encode(positions, d, base=1e4):\n    return library(positions, d, base)"
    )
    path = tmp_path / "ps06" / "ps06.ipynb"
    notebook = nbformat.read(path, as_version=4)
    loop = "for _ in range(1):\n    from course_lib.exercises.course_parts import encode as library"
    notebook.cells.insert(1, nbformat.v4.new_code_cell(loop))
    nbformat.write(notebook, path)
    [said] = taken("ps06", "encode", folder=tmp_path)[1]
    assert said.startswith("encode: yours stops with NameError on the first example")
    assert "no loops" in said
    assert said.endswith("your answer may be right.")
    here = {"encode": lambda positions, d: library(positions, d)}  # noqa: F821
    [said] = taken("ps06", "encode", here=here)[1]
    assert "no loops" not in said


def test_a_file_that_is_no_notebook_is_said(tmp_path):
    (tmp_path / "ps06").mkdir()
    (tmp_path / "ps06" / "ps06.ipynb").write_text("half a file", encoding="utf-8")
    [said] = taken("ps06", "encode", folder=tmp_path)[1]
    assert said.startswith("encode: ps06.ipynb cannot be read (")


def test_parts_of_the_present_notebook_are_tried_as_well():
    own = load_namespace("ps06")["encode"]
    assert taken("ps06", "encode", here={"encode": own}) == (own, ["encode: your own is used."])
    [said] = taken("ps06", "encode", here={})[1]
    assert said.startswith("encode: no `encode` is here, so the course's stands in.")
    assert said.endswith("the cell of Question 1 was not run, or it has another name.")


def test_a_difference_says_whose_parts_were_used():
    own, course = load_namespace("ps06")["encode"], course_parts.encode
    for parts, whose in [
        ([own], "Yours and"),
        ([own, course], "Yours, with help of the course’s, and"),
        ([course], "The course’s, not yours, and"),
    ]:
        said = inside.difference(np.ones(2), np.ones(2), *parts)
        assert said == f"{whose} the translator’s differ by 0 at most."
    assert inside.difference([1.0], [1.0 + 1e-7], own).endswith("differ by 1e-07 at most; that is rounding.")
    assert inside.difference([1.0], [1.1], own).endswith("differ by 0.1 at most.")


def load_namespace(name):
    return own_parts.read(SOLUTIONS / name / f"{name}.ipynb").names


FORBIDDEN = [  # questions that ask to do without the library: there its parts are caught, through whatever they come
    ("ps02", "q1", "softmax"),
    ("ps02", "q2", "attention"),
    ("ps02", "q4", "softmax_gradient"),
    ("ps04", "q1", "self_attention"),
    ("ps05", "q2", "cross_attention"),
    ("ps06", "q1", "encode"),
    ("ps07", "q5", "Block"),
    ("ps08", "q2", "masked_softmax"),
    ("ps09", "q2", "Block"),
    ("ps09", "q3", "candidate_logits"),
]


@pytest.mark.parametrize(("name", "question", "part"), FORBIDDEN)
@pytest.mark.share(2)
def test_the_courses_part_earns_no_points_where_the_librarys_is_forbidden(name, question, part):
    source = (
        f"from course_lib.exercises.course_parts import PARTS\n{part} = PARTS['{name}', '{part}'].course()"
    )
    if name in ("ps02", "ps08"):  # or the check would name the library's function itself
        source += f"\nlibrarys = {part}\ndef {part}(*given):\n    return librarys(*given)"
    verdict = decide_by_exec(load_problem_set(SOLUTIONS / name), question, source, seed=1)
    assert verdict.points == 0, verdict.messages


# ---- The last cells of the problem sets ----


def last_cells(name):
    """Return the code cells after the last question of a set."""
    cells = nbformat.read(SOLUTIONS / name / f"{name}.ipynb", as_version=4).cells
    last = max(place for place, cell in enumerate(cells) if grade_id_of(cell))
    return [cell.source for cell in cells[last + 1 :] if cell.cell_type == "code"]


NAMES = {}  # of sets that are to be run with other answers than the reference's


def run_last(name, folder, monkeypatch, change=()):
    """Run a set, and then its last cells, in a folder; return its names and what was displayed."""
    namespace = dict(NAMES.get(name) or load_namespace(name))
    shown = []
    namespace["display"] = shown.append
    monkeypatch.chdir(folder / name)
    for source in last_cells(name):
        for old, new in change:
            source = source.replace(old, new)
        tree = ast.parse(source)
        value = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"<{name}>", "exec"), namespace)
        if value is not None:
            result = eval(compile(ast.Expression(value.value), f"<{name}>", "eval"), namespace)
            shown += [] if result is None else [result]
    return namespace, shown


class Recorder:
    """A kernel that runs nothing and knows no answer."""

    def __init__(self):
        self.ran = []

    def run(self, cell):
        self.ran.append(cell.source)

    def respond(self, request, share=1.0):
        raise KernelFailure("no answer")

    def go_on(self, done):
        pass


@pytest.mark.parametrize("name", SETS)
def test_grading_never_runs_the_last_cells(name):
    ours, kernel = load_problem_set(SOLUTIONS / name), Recorder()
    cells = nbformat.read(SOLUTIONS / name / f"{name}.ipynb", as_version=4).cells
    verdicts, _ = grade(ours, [identify(cell) for cell in cells], kernel, b"key")
    assert set(verdicts) == set(ours.questions)
    assert kernel.ran
    assert not set(kernel.ran) & set(last_cells(name))
    assert len(last_cells(name)) >= 1


HARD_ONES = {"ps06": 1}  # pictures of what stands behind it, which uses no answer


@pytest.mark.parametrize("name", SETS[:-1])
@pytest.mark.share(4)
def test_each_set_ends_with_its_own_parts_in_the_translator(name, monkeypatch, capsys):
    _, shown = run_last(name, SOLUTIONS, monkeypatch)
    printed = capsys.readouterr().out
    assert "stands in" not in printed
    assert "first" not in printed
    assert all(float(apart) < 1e-5 for apart in re.findall("differ by (.*) at most", printed))
    assert "course’s" not in printed
    assert len(shown) == 1 + HARD_ONES.get(name, 0)
    assert isinstance(shown[0], Picture)
    assert "<unk>" not in shown[0].alt


@pytest.mark.parametrize("name", SETS[:-1])
@pytest.mark.share(4)
def test_a_set_without_answers_says_so_at_its_end(name, monkeypatch, capsys):
    monkeypatch.setitem(NAMES, name, own_parts.read(ROOT / "assignments" / name / f"{name}.ipynb").names)
    _, shown = run_last(name, SOLUTIONS, monkeypatch)
    printed = capsys.readouterr().out
    asked_first = name in ("ps01", "ps03")  # where nothing of the library's would do the same
    assert ("Answer Question" if asked_first else "is not answered yet, so the course's stands in") in printed
    assert len(shown) == (0 if asked_first else 1) + HARD_ONES.get(name, 0)
    assert "Yours" not in printed


def test_the_factors_at_the_end_of_ps01_can_be_changed(monkeypatch):
    _, [shown] = run_last("ps01", SOLUTIONS, monkeypatch, [("(0.5, 1.0, 2.0)", "(0.9, 3.0)")])
    assert "weights × 0.9" in shown.alt


def steps(number):
    """Change the cells of ps10: few steps, and few sentences to measure."""
    return [("STEPS = 0", f"STEPS = {number}"), ('held_out = pairs["val"]', 'held_out = pairs["val"][:6]')]


@pytest.mark.share(6)
def test_ten_sets_make_one_translator_that_learns(monkeypatch, capsys):
    names, shown = run_last("ps10", SOLUTIONS, monkeypatch, steps(12))
    printed = capsys.readouterr().out
    assert "stands in" not in printed
    assert printed.count(" is used.") == 12
    assert "12 of these 12 parts are your own." in printed
    losses = names["losses"]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.3
    model = names["translator"]
    for number, part in [(2, "softmax"), (5, "cross_attention"), (9, "candidate_logits")]:
        assert names[part] is load_namespace(f"ps{number:02}")[part]
    assert type(model.encoder[0].block) is load_namespace("ps07")["Block"]
    assert type(model.decoder[1].block) is load_namespace("ps09")["Block"]
    assert all(parameter.grad is not None for parameter in model.parameters())
    assert len(shown) == 2
    assert all(isinstance(each, Picture) and each.alt for each in shown)
    assert "exact" in printed
    source, target = torch.tensor([[7, 8, 9, 2], [9, 6, 30, 2]]), torch.tensor([[1, 7, 12, 0], [1, 9, 9, 9]])
    with torch.no_grad():
        assert torch.allclose(model(source, target), as_the_courses(model)(source, target), atol=1e-4)


def as_the_courses(model):
    """Put the weights of a translator of own parts into the course's Transformer of 2017."""
    n_vocab, d = model.ends.tokens.weight.shape
    course = layers.Transformer(
        layers.TransformerConfig(
            n_vocab, n_vocab, d_model=d, n_encoder_layers=2, n_decoder_layers=2, norm="post", final_norm=False,
            position="learned", max_length=64, tie="three-way",
        )
    ).eval()  # fmt: skip
    with torch.no_grad():
        course.output.weight.copy_(model.ends.tokens.weight)
        for embedding in (course.source_embedding, course.target_embedding):
            embedding.positions.table.copy_(model.source_embedding.positions.weight)
        for layer, block in zip(model.encoder, course.encoder, strict=True):
            block.attention.load_state_dict(layer.block.attention.state_dict())
            block.feed_forward.load_state_dict(layer.block.feed_forward.state_dict())
            block.around_attention.norm.load_state_dict(layer.block.norm_1.state_dict())
            block.around_feed_forward.norm.load_state_dict(layer.block.norm_2.state_dict())
        for layer, block in zip(model.decoder, course.decoder, strict=True):
            block.self_attention.load_state_dict(layer.block.self_attention.state_dict())
            block.cross_attention.load_state_dict(layer.block.cross_attention.state_dict(), strict=False)
            for name, bias in block.cross_attention.named_parameters():
                bias.mul_(0 if "bias" in name else 1)  # the student's function has none
            block.feed_forward.load_state_dict(layer.block.feed_forward.state_dict())
            block.around_self_attention.norm.load_state_dict(layer.block.norm_1.state_dict())
            block.around_cross_attention.norm.load_state_dict(layer.block.norm_2.state_dict())
            block.around_feed_forward.norm.load_state_dict(layer.block.norm_3.state_dict())
    return course


def test_a_softmax_in_numpy_is_trained_through_as_pytorchs():
    names = load_namespace("ps02")
    look = own_translator.trainable_softmax(names["softmax"], names["softmax_gradient"])
    mask = torch.tensor([[True, True, False], [False, True, True]])
    found = []
    for softmax in (look, layers.masked_softmax):
        scores = torch.linspace(-3, 4, 12).reshape(2, 2, 3).requires_grad_()
        weights = softmax(scores, mask)
        (weights * torch.arange(12.0).reshape(2, 2, 3)).sum().backward()
        found.append((weights.detach(), scores.grad))
    for ours, theirs in zip(*found, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6)


def test_a_cross_attention_without_a_mask_refuses_padding():
    layer = own_translator.CrossAttention(course_parts.cross_attention, 4, 2)
    layer(torch.zeros(1, 2, 4), torch.zeros(1, 3, 4), mask=torch.ones(1, 1, 3, dtype=torch.bool))
    with pytest.raises(ValueError, match="sources of one length"):
        layer(torch.zeros(1, 2, 4), torch.zeros(1, 3, 4), mask=torch.tensor([[[True, True, False]]]))


def test_translations_come_back_in_the_order_of_their_sentences():
    follows = np.array([3, 0, 3, 2, 3, 3])

    def model(source, target):  # writes the first word of the source, then </s>
        first = torch.where(target == 1, source[:, :1], torch.from_numpy(follows)[target])
        return torch.nn.functional.one_hot(torch.where(target == 1, first, 2), 6).float()

    sources = [[5, 4], [4], [3, 3], [5]]
    for write_on in (course_parts.write_on, load_namespace("ps08")["write_on"]):
        assert own_translator.write_all(model, write_on, sources, 4) == [[5], [4], [3], [5]]


@pytest.mark.share(6)
def test_a_students_path_without_ps03_and_ps07(tmp_path, monkeypatch, capsys):
    for name in SETS:
        if name not in ("ps03", "ps07"):
            shutil.copytree(SOLUTIONS / name, tmp_path / name)
    names, shown = run_last("ps10", tmp_path, monkeypatch, steps(3))
    printed = capsys.readouterr().out
    assert printed.count(" is used.") == 10
    assert "10 of these 12 parts are your own." in printed
    assert "limit_weights: ps03 is not here, so the course's stands in." in printed
    assert "Block: ps07 is not here, so the course's stands in." in printed
    assert isinstance(names["translator"].encoder[0].block, course_parts.EncoderBlock)
    assert len(shown) == 2


@pytest.mark.share(6)
def test_a_set_alone_is_a_whole(tmp_path, monkeypatch, capsys):
    shutil.copytree(SOLUTIONS / "ps10", tmp_path / "ps10")
    names, shown = run_last("ps10", tmp_path, monkeypatch, steps(2))
    assert capsys.readouterr().out.count("is not here, so the course's stands in") == 12
    assert names["translator"] is not None
    assert len(shown) == 2


@pytest.mark.soak
def test_ten_sets_make_a_translator_that_gets_nine_of_ten_sentences_right(monkeypatch, capsys):
    full = re.search(r"STEPS = 0  # ← change me: (\d+)", "\n".join(last_cells("ps10")))[1]
    names, _ = run_last("ps10", SOLUTIONS, monkeypatch, [("STEPS = 0", f"STEPS = {full}")])
    assert names["exact"] >= 0.9
    assert "Je t'aime." in capsys.readouterr().out.replace("’", "'")
