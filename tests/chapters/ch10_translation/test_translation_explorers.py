"""The translation explorer against whole passes through a tiny model, and what happens to whatever is typed."""

import gc

import ipywidgets
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from course_lib.chapters.ch10_translation import translation_explorers as translation
from course_lib.chapters.ch10_translation.translation_explorers import translation_explorer
from course_lib.figures.interactive import InteractiveFigure
from course_lib.figures.picture import Picture
from course_lib.model import RecurrentConfig, RecurrentTranslator, Transformer, TransformerConfig
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.tokenisers import BPETokeniser
from course_lib.text.typography import typeset_french
from course_lib.translator import Translator
from tests.support.tiny_training import PAIRS, trainer

SENTENCE = "The cat sees the dog."


@pytest.fixture(scope="module")
def translator() -> Translator:
    """A translator that has begun to learn, so that it ends its sentences and is sure of few words."""
    subject = trainer()
    subject.run(steps=60, progress=False)
    subject.translator.model.eval()
    return subject.translator


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """What is to be drawn from now on, (step, maps, head, lines); nothing is."""
    asked = []

    def draw(*arguments):
        asked.append(arguments)
        return Picture("<svg/>", str(len(asked)), 1, 1)

    monkeypatch.setattr(translation, "translation_step", draw)
    return asked


def untrained(translator: Translator, **shape: int) -> Translator:
    words = translator.source_tokeniser
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Transformer(
            TransformerConfig(len(words), len(words), d_model=16, n_heads=2, d_ff=16, **shape)
        )
    return Translator(model.eval(), words, words)


def inside(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    return [widget, *(inner for child in getattr(widget, "children", ()) for inner in inside(child))]


def reset(figure: InteractiveFigure) -> None:
    (button,) = [w for w in inside(figure) if isinstance(w, ipywidgets.Button)]
    assert button.description == "Reset"
    button.click()


def note(figure: InteractiveFigure) -> str:
    (line,) = [
        w.value
        for w in inside(figure)
        if isinstance(w, ipywidgets.HTML) and "<img" not in w.value and w.value
    ]
    return line


def by_brute_force(translator: Translator, sentence: str, prefix: list[int]) -> tuple[list[int], np.ndarray]:
    """The translation with this beginning, </s> at its end, and the probabilities of each step: a pass a token."""
    source = torch.tensor([[*translator.source_tokeniser.encode(sentence), EOS_ID]])
    ids, rows = [], []
    while EOS_ID not in ids and len(ids) < 30:
        with torch.no_grad():
            logits = translator.model(source, torch.tensor([[BOS_ID, *ids]]))[0, -1]
        logits[[PAD_ID, BOS_ID]] = -torch.inf
        rows.append(logits.softmax(dim=0).numpy())
        ids.append(prefix[len(ids)] if len(ids) < len(prefix) else int(logits.argmax()))
    return ids, np.stack(rows)


def choose(figure: InteractiveFigure, step: int, rank: int) -> int:
    """Go to a step and take the token of this rank."""
    figure.controls["step"].value = step
    figure.controls["token"].value = figure.controls["token"].options[rank][1]
    return figure.controls["token"].value


class TestDecoding:
    def test_every_step_shows_what_a_whole_pass_gives(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE)
        ids, p = by_brute_force(translator, SENTENCE, [])
        words = translator.target_tokeniser
        assert figure.controls["step"].max == len(ids) - 1 > 4
        for t in range(len(ids)):
            figure.controls["step"].value = t
            step, _, _, lines = drawn[-1]
            order = np.argsort(-p[t])[:5]
            assert step.tokens == words.tokens(ids)
            assert (step.step, step.taken, list(step.changed)) == (t, 0, [])
            assert step.likeliest == words.tokens(order)
            np.testing.assert_allclose(step.probabilities, p[t][order], atol=1e-5)
            assert step.n_others == len(words) - 7  # <pad>, <s> and the five
            assert [token for _, token in figure.controls["token"].options] == order.tolist()
            assert figure.controls["token"].value == ids[t]
            assert lines == {"English": SENTENCE, "Greedy": typeset_french(words.decode(ids))}
        percentage = f"{p[-1].max():.2%}"
        assert figure.controls["token"].options[0][0] == f"</s>  {percentage}"

    def test_another_token_changes_the_course_of_the_sentence(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE)
        greedy, _ = by_brute_force(translator, SENTENCE, [])
        words = translator.target_tokeniser
        courses = set()
        for t in range(len(greedy)):
            for rank in range(1, 5):
                token = choose(figure, t, rank)
                ids, _ = by_brute_force(translator, SENTENCE, [*greedy[:t], token])
                step, _, _, lines = drawn[-1]
                assert step.tokens == words.tokens(ids)
                assert (step.step, step.taken, list(step.changed)) == (t, rank, [t])
                assert figure.controls["step"].max == len(ids) - 1
                assert lines["Greedy"] == typeset_french(words.decode(greedy))
                assert lines["Now"] == typeset_french(words.decode(ids))
                courses.add(tuple(ids))
                reset(figure)
                assert drawn[-1][0].tokens == words.tokens(greedy)
                assert "Now" not in drawn[-1][3]
        assert len({len(ids) for ids in courses}) > 1  # some end earlier, so that the slider had to follow

    def test_tokens_chosen_before_stay_and_those_behind_go(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE)
        words, (greedy, _) = translator.target_tokeniser, by_brute_force(translator, SENTENCE, [])
        first = choose(figure, 1, 2)
        ids, _ = by_brute_force(translator, SENTENCE, [*greedy[:1], first])
        third = choose(figure, 3, 1)
        both, _ = by_brute_force(translator, SENTENCE, [*ids[:3], third])
        assert drawn[-1][0].tokens == words.tokens(both)
        assert list(drawn[-1][0].changed) == [1, 3]
        second = choose(figure, 2, 3)
        ids, _ = by_brute_force(translator, SENTENCE, [*ids[:2], second])
        assert drawn[-1][0].tokens == words.tokens(ids)
        assert list(drawn[-1][0].changed) == [1, 2]
        choose(figure, 1, 0)  # the model's own choice
        assert drawn[-1][0].tokens == words.tokens(greedy)
        assert not drawn[-1][0].changed

    def test_the_end_may_be_chosen_too(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE)
        for t in range(3, figure.controls["step"].max):
            figure.controls["step"].value = t
            if EOS_ID in dict(figure.controls["token"].options).values():
                break
        figure.controls["token"].value = EOS_ID
        assert drawn[-1][0].tokens[-1] == "</s>"
        assert len(drawn[-1][0].tokens) == t + 1
        assert figure.controls["step"].max == figure.controls["step"].value == t

    def test_the_token_taken_is_offered_even_if_it_is_no_longer_among_the_likeliest(
        self, translator, drawn, monkeypatch
    ):
        """Of two tokens nearly alike, rounding may rank either first, depending on what follows them."""
        figure = translation_explorer(translator, SENTENCE)
        token = choose(figure, 2, 4)
        monkeypatch.setattr(translation, "N_LIKELIEST", 3)
        figure.controls["head"].value = 1
        assert figure.controls["token"].value == token
        assert drawn[-1][0].taken == 2

    def test_another_sentence_takes_choices_back_and_begins_anew(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE)
        choose(figure, 2, 1)
        other = "The bird loves the horse."
        figure.controls["sentence"].value = other
        step, _, _, lines = drawn[-1]
        assert step.tokens == translator.target_tokeniser.tokens(by_brute_force(translator, other, [])[0])
        assert (step.step, list(step.changed)) == (0, [])
        assert list(lines) == ["English", "Greedy"]
        assert figure.controls["step"].value == 0

    def test_a_step_behind_the_end_of_the_changed_sentence_moves_to_its_end(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE)
        greedy, _ = by_brute_force(translator, SENTENCE, [])
        for rank in range(1, 5):
            choose(figure, 0, rank)
            figure.controls["step"].value = figure.controls["step"].max
            longer = len(drawn[-1][0].tokens)
            reset(figure)
            assert figure.controls["step"].max == len(greedy) - 1
            assert drawn[-1][0].step == min(longer, len(greedy)) - 1


class TestMaps:
    @pytest.mark.parametrize("kind", ["cross", "encoder", "decoder"])
    def test_are_those_of_the_model_and_follow_the_menus(self, translator, drawn, kind):
        subject = untrained(translator, n_encoder_layers=2, n_decoder_layers=3)
        figure = translation_explorer(subject, SENTENCE, kind=kind, layer=1, head=1)
        words = subject.source_tokeniser
        source = [*words.encode(SENTENCE), EOS_ID]
        target = [BOS_ID, *map(words.vocabulary.index, drawn[-1][0].tokens[:-1])]
        with torch.no_grad():
            maps = subject.model.attention_maps(torch.tensor([source]), torch.tensor([target]))
        _, shown, head, _ = drawn[-1]
        assert (shown.kind, shown.layer, head) == (kind, 1, 1)
        np.testing.assert_allclose(shown.heads, getattr(maps, kind)[1][0], atol=1e-5)
        assert shown.columns == words.tokens(target if kind == "decoder" else source)
        figure.set(layer=0, head=0)
        np.testing.assert_allclose(drawn[-1][1].heads, getattr(maps, kind)[0][0], atol=1e-5)
        assert drawn[-1][2] == 0

    def test_a_layer_that_another_kind_lacks_is_not_offered(self, translator, drawn):
        subject = untrained(translator, n_encoder_layers=1, n_decoder_layers=3)
        figure = translation_explorer(subject, SENTENCE, layer=2)
        assert figure.controls["layer"].options == (0, 1, 2)
        figure.controls["kind"].value = "encoder"
        assert figure.controls["layer"].options == (0,)
        assert (drawn[-1][1].kind, drawn[-1][1].layer) == ("encoder", 0)
        figure.controls["kind"].value = "decoder"
        assert figure.controls["layer"].options == (0, 1, 2)

    def test_a_recurrent_model_with_attention_has_one_map(self, translator, drawn):
        words = translator.source_tokeniser
        with torch.random.fork_rng():
            model = RecurrentTranslator(RecurrentConfig(len(words), len(words), 8, 8)).eval()
        figure = translation_explorer(Translator(model, words, words), SENTENCE)
        assert [kind for _, kind in figure.controls["kind"].options] == ["cross"]
        assert figure.controls["head"].options == (0,)
        assert np.shape(drawn[-1][1].heads)[0] == 1


class TestOneDrawAnAct:
    def test_of_each_control_and_of_the_button(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE)
        other = "The dog follows the bird."
        acts = [
            ("step", 3),
            ("token", None),
            ("kind", "decoder"),
            ("head", 1),
            ("sentence", other),
            ("sentence", ""),
        ]
        for name, value in acts:
            before = len(drawn)
            if name == "token":
                value = figure.controls["token"].options[2][1]
            figure.controls[name].value = value
            assert len(drawn) == before + 1, name
        before = len(drawn)
        figure.set(step=2, kind="cross", head=0)
        assert len(drawn) == before + 1
        reset(figure)
        assert len(drawn) == before + 2

    def test_menus_whose_options_stay_are_left_alone(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE, head=1)
        moved = []
        for name in ("kind", "layer", "head"):
            figure.controls[name].observe(moved.append, names="index")
        choose(figure, 3, 2)
        assert not moved

    def test_the_model_is_asked_once_for_each_beginning(self, translator, drawn, monkeypatch):
        figure = translation_explorer(translator, SENTENCE)
        asked = []
        monkeypatch.setattr(
            translation.Translator, "device", property(lambda self: asked.append(self) or "cpu")
        )
        for name, value in [("step", 3), ("kind", "decoder"), ("head", 1), ("kind", "encoder"), ("step", 1)]:
            figure.controls[name].value = value
        assert not asked
        first = choose(figure, 2, 1)
        assert asked
        reset(figure)
        asked.clear()
        figure.controls["token"].value = first
        assert not asked


class TestWhatIsTyped:
    @pytest.mark.parametrize(
        ("typed", "told"),
        [
            (
                "The zebra sees the “<b>yak</b>”.",
                ["does not know", "“zebra”", "“yak”", "“&lt;”", "reads &lt;unk&gt; instead"],
            ),
            ("the the " * 40, ["80 tokens; the first 24 are read"]),
            ("🎻 </s> <s> $x^2$ \\frac \x00 {0} %s", ["“🎻”", "does not know"]),
            ("Cafe\u0301 " + "x" * 500, ["know “Café”, …; it"]),
            ("مرحبا بالعالم\n\tthe cat", ["“مرحبا”"]),
        ],
    )
    def test_what_the_model_cannot_read_is_told(self, translator, typed, told):
        figure = translation_explorer(translator, SENTENCE)
        assert note(figure) == '<span role="status"></span>'
        figure.controls["sentence"].value = typed
        for words in told:
            assert words in note(figure)
        assert "<b>" not in note(figure)
        assert "Step 0, written: nothing." in figure.picture.alt
        figure.controls["sentence"].value = SENTENCE
        assert note(figure) == '<span role="status"></span>'

    @pytest.mark.parametrize("typed", ["", "  \n", "\u200b"])
    def test_nothing_leaves_what_was_there(self, translator, drawn, typed):
        figure = translation_explorer(translator, SENTENCE)
        choose(figure, 2, 1)
        before = drawn[-1][0].tokens
        figure.controls["sentence"].value = typed
        assert "nothing to translate" in note(figure)
        assert drawn[-1][0].tokens == before
        assert drawn[-1][3]["English"] == SENTENCE

    def test_a_long_translation_is_cut_and_that_is_told(self, translator, drawn):
        figure = translation_explorer(untrained(translator), "the " * 60)  # which comes to no end
        assert len(drawn[-1][0].tokens) == 30 == figure.controls["step"].max + 1
        assert len(drawn[-1][1].columns) == 25  # with </s>
        assert "The translation is cut after 30 tokens." in note(figure)

    def test_tokens_that_would_read_alike_are_told_apart(self, translator, drawn, monkeypatch):
        words = translator.target_tokeniser
        vocabulary = [*words.vocabulary]
        vocabulary[10], vocabulary[11] = "?", " ?"
        monkeypatch.setattr(words, "vocabulary", vocabulary)
        assert words.tokens([10, 11]) == ["?", "?"]
        figure = translation_explorer(translator, SENTENCE)
        assert figure._names([10, 11, 12]) == ["?", "␣?", words.tokens([12])[0]]

    def test_pieces_of_words_are_tokens_too(self, drawn):
        pieces = BPETokeniser.train([text for pair in PAIRS for text in pair], n_vocab=300)
        shape = TransformerConfig(
            len(pieces), len(pieces), d_model=8, n_heads=2, d_ff=8, n_encoder_layers=1, n_decoder_layers=1
        )
        figure = translation_explorer(Translator(Transformer(shape), pieces, pieces), "Zebras 🎻")
        assert "does not know" not in note(figure)
        figure.controls["step"].value = 5
        assert drawn[-1][0].step == 5


class TestStart:
    def test_begins_where_it_is_told_to(self, translator, drawn):
        figure = translation_explorer(translator, SENTENCE, kind="decoder", head=1, step=3)
        step, maps, head, _ = drawn[-1]
        assert (step.step, maps.kind, maps.layer, head) == (3, "decoder", 0, 1)
        assert len(drawn) == 1
        assert {name: figure.controls[name].value for name in ("step", "kind", "layer", "head")} == {
            "step": 3, "kind": "decoder", "layer": 0, "head": 1}  # fmt: skip

    @pytest.mark.parametrize(
        ("start", "message"),
        [
            ({"sentence": " "}, "sentence ' ': expected at least one word"),
            ({"kind": "crossed"}, "kind 'crossed'"),
            ({"layer": 1}, "layer 1, .* cross with 1 layers"),
            ({"head": 2}, "head 2"),
            ({"step": 99}, "step 99: expected what the model has, and one of"),
        ],
    )
    def test_refuses_what_there_is_not(self, translator, start, message):
        with pytest.raises(ValueError, match=message):
            translation_explorer(translator, **{"sentence": SENTENCE, **start})

    def test_refuses_a_model_without_attention(self, translator):
        words = translator.source_tokeniser
        model = RecurrentTranslator(RecurrentConfig(len(words), len(words), 8, 8, attention="none"))
        with pytest.raises(ValueError, match="its attention: none"):
            translation_explorer(Translator(model, words, words), SENTENCE)


def test_is_labelled_tells_what_it_shows_and_keeps_no_figure(translator):
    figure = translation_explorer(translator, SENTENCE, step=2)
    for control in figure.controls.values():
        assert control.description
        assert control.tooltip
    token = choose(figure, 2, 1)
    name = translator.target_tokeniser.tokens([token])[0]
    assert f"Not the model's own choice: '{name}' at step 2. Step 2, written: 'Le " in figure.picture.alt
    assert "(taken)" in figure.picture.alt
    assert figure.picture.width <= 900

    def alive() -> int:
        gc.collect()
        return sum(issubclass(type(thing), Figure) for thing in gc.get_objects())

    before = alive()
    figure.controls["head"].value = 1
    assert alive() == before
