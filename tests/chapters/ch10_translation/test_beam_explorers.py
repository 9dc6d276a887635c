"""The explorer of beam search: it shows the search that its controls describe, and bears with whatever is typed."""

import gc
from typing import Any

import ipywidgets
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from course_lib.chapters.ch10_translation import beam_explorers as beam
from course_lib.chapters.ch10_translation.beam_explorers import beam_explorer
from course_lib.chapters.ch10_translation.beam_figures import beam_tree
from course_lib.chapters.ch10_translation.typed_sentences import MOST_READ, MOST_WRITTEN
from course_lib.decoding import BeamTrace, beam_search, greedy_search
from course_lib.figures.interactive import InteractiveFigure
from course_lib.model import Transformer, TransformerConfig
from course_lib.special_ids import EOS_ID
from course_lib.text.tokenisers import WordTokeniser
from course_lib.translator import Translator

WORDS = WordTokeniser.train(["The cat sees the dog . Le chat voit un chien ."])
LONGER, SHORTER = "The cat sees.", "The dog."  # by what the model makes of them


def made() -> Translator:
    """A translator with random weights."""
    torch.manual_seed(9)
    shape = TransformerConfig(
        len(WORDS), len(WORDS), d_model=16, n_heads=2, d_ff=16, n_encoder_layers=1, n_decoder_layers=1
    )
    model = Transformer(shape).eval()
    with torch.no_grad():
        model.output.weight.mul_(2)
    return Translator(model, WORDS, WORDS)


@pytest.fixture
def translator() -> Translator:
    return made()


@pytest.fixture
def figure(translator: Translator) -> InteractiveFigure:
    return beam_explorer(translator, LONGER)


def source(text: str) -> torch.Tensor:
    return torch.tensor([[*WORDS.encode(text), EOS_ID]])


def traced(translator: Translator, text: str, width: int) -> BeamTrace:
    trace: BeamTrace = []
    beam_search(translator.model, source(text), MOST_WRITTEN, width, trace=trace)
    return trace


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """Let a function be called as before, and keep a list of its calls."""
    calls, real = [], getattr(module, name)
    monkeypatch.setattr(module, name, lambda *a, **k: calls.append((a, k)) or real(*a, **k))
    return calls


def note(figure: InteractiveFigure) -> str:
    (found,) = [w for w in figure.children[0].children if type(w) is ipywidgets.HTML]
    return found.value


def value(figure: InteractiveFigure, name: str) -> Any:
    return figure.controls[name].value


@pytest.mark.parametrize(("width", "alpha", "step"), [(1, 0.0, 3), (4, 1.0, 0), (5, 3.0, 6)])
def test_shows_the_search_that_its_controls_describe(translator, figure, width, alpha, step):
    figure.set(width=width, alpha=alpha, step=step, sentence=SHORTER)
    step = min(step, len(traced(translator, SHORTER, width)))
    tree = {"width": width, "alpha": alpha, "step": step, "title": SHORTER}
    expected = beam_tree(traced(translator, SHORTER, width), WORDS, **tree).alt
    assert figure.picture.alt.startswith(expected)
    told = figure.picture.alt[len(expected) :]
    is_over = step == len(traced(translator, SHORTER, width))
    assert told.startswith(" Greedy search writes ") or not is_over


def test_marks_what_greedy_search_writes_when_the_search_is_over(translator, figure):
    (found,) = greedy_search(translator.model, source(LONGER), max_length=MOST_WRITTEN)
    told = f"'{WORDS.decode(found.ids)}' ln p"
    assert "Greedy search writes " in figure.picture.alt
    assert told in figure.picture.alt
    figure.controls["step"].value = 1
    assert "Greedy" not in figure.picture.alt


def test_neither_steps_nor_alpha_nor_what_was_seen_before_is_searched_again(figure, monkeypatch):
    searches = counted(monkeypatch, beam, "beam_search")
    figure.controls["alpha"].value = 0.0
    figure.controls["step"].value = 3
    assert searches == []
    figure.controls["width"].value = 2
    assert len(searches) == 1
    figure.controls["width"].value = 4
    assert len(searches) == 1


@pytest.mark.share(2)
def test_the_steps_follow_the_search_and_each_act_draws_once(translator, figure, monkeypatch):
    drawn = counted(monkeypatch, beam, "beam_tree")
    step = figure.controls["step"]
    long, short = (len(traced(translator, text, 4)) for text in (LONGER, SHORTER))
    assert step.value == step.max == long > short
    for text, n in ((SHORTER, short), (LONGER, long)):  # from the end to the end
        figure.controls["sentence"].value = text
        assert step.value == step.max == n
    step.value = long - 1
    figure.controls["sentence"].value = SHORTER  # which has fewer
    assert step.value == step.max == short
    step.value = 2
    figure.controls["sentence"].value = LONGER  # which has more
    assert (step.value, step.max) == (2, long)
    figure.controls["width"].value = 6
    assert (step.value, step.max) == (2, len(traced(translator, LONGER, 6)))
    assert len(drawn) == 7
    assert [k["step"] for _, k in drawn] == [short, long, long - 1, short, 2, 2, 2]


def test_with_nothing_to_translate_the_last_tree_stays_and_the_reader_is_told(figure):
    before = figure.picture.alt
    for text in ("", "   "):
        figure.controls["sentence"].value = text
        assert figure.picture.alt == before
        assert 'role="status"' in note(figure)
        assert "nothing to translate" in note(figure)
    figure.controls["sentence"].value = LONGER
    assert "nothing" not in note(figure)


def test_names_the_words_that_the_model_does_not_know(figure):
    figure.controls["sentence"].value = "The zebra sees <b>."
    assert "does not know “zebra”" in note(figure)
    assert "“&lt;”" in note(figure)
    assert "“<”" not in note(figure)
    assert figure.picture.alt.startswith("The <unk> sees <unk>")


def test_reads_the_beginning_of_a_long_sentence(translator, figure):
    figure.set(sentence="the cat " * 40, width=2)
    assert "80 tokens; the first 24 are read" in note(figure)
    expected = beam_tree(traced(translator, "the cat " * 12, 2), WORDS, width=2).alt
    assert expected in figure.picture.alt


@settings(max_examples=4)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_bears_with_whatever_is_typed(text):
    figure = beam_explorer(made(), LONGER, width=2)
    figure.controls["sentence"].value = text
    read = WORDS.decode(WORDS.encode(text)[:MOST_READ]) or LONGER
    assert figure.picture.alt.startswith(read)


@pytest.mark.parametrize("step", [0, 5])
def test_reset_puts_everything_back(translator, figure, step):
    before, start = figure.picture, {name: value(figure, name) for name in figure.controls}
    figure.set(sentence=SHORTER, width=2, alpha=0.0)
    figure.controls["step"].value = step
    assert figure.picture.alt != before.alt
    (reset,) = [w for w in figure.children[0].children if isinstance(w, ipywidgets.Button)]
    reset.click()
    assert figure.picture == before
    assert {name: value(figure, name) for name in figure.controls} == start


def test_a_search_may_begin_before_its_first_step(translator):
    figure = beam_explorer(translator, LONGER, step=0)
    assert value(figure, "step") == 0
    assert figure.controls["step"].max == len(traced(translator, LONGER, 4))
    assert "Step 0 of" in figure.picture.alt
    figure.set(step=3, width=2)
    (reset,) = [w for w in figure.children[0].children if isinstance(w, ipywidgets.Button)]
    reset.click()
    assert (value(figure, "step"), value(figure, "width")) == (0, 4)
    late = beam_explorer(translator, LONGER, step=MOST_WRITTEN)
    assert value(late, "step") == late.controls["step"].max


def test_every_control_is_labelled_and_the_sentence_is_read_when_it_is_complete(figure):
    told = [control.description for control in figure.controls.values()]
    assert told == ["English sentence", "Beam width", "Length penalty α", "Steps"]
    assert all(control.tooltip for control in figure.controls.values())
    assert not figure.controls["sentence"].continuous_update
    ranges = {name: (c.min, c.max) for name, c in figure.controls.items() if name in ("width", "alpha")}
    assert ranges == {"width": (1, 6), "alpha": (0, 3)}
    assert figure.controls["step"].min == 0


@pytest.mark.share(2)
def test_keeps_no_matplotlib_figure(figure):
    def alive() -> int:
        gc.collect()
        return sum(issubclass(type(thing), Figure) for thing in gc.get_objects())

    before = alive()
    for step in (2, 5):
        figure.controls["step"].value = step
    assert alive() == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"sentence": " "}, "expected at least one word"),
        ({"width": 7}, "width 7"),
        ({"width": 0}, "width 0"),
        ({"alpha": 3.1}, "alpha 3.1"),
        ({"step": -1}, "step -1"),
        ({"step": MOST_WRITTEN + 1}, f"step {MOST_WRITTEN + 1}"),
    ],
)
def test_what_makes_no_sense_is_named(translator, change, told):
    with pytest.raises(ValueError, match=told):
        beam_explorer(**{"translator": translator, "sentence": LONGER} | change)
