"""The interactive figures: they follow their controls, offer a picture, and leave nothing behind."""

import gc
import re
from dataclasses import asdict

import ipywidgets
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from course_lib import functional
from course_lib.chapters.ch02_attention.explorers import attention_stepper
from course_lib.figures.curves import lines
from course_lib.figures.guess import compare
from course_lib.figures.interactive import InteractiveFigure, labelled_slider
from course_lib.figures.picture import Picture
from course_lib.figures.progress_bar import progress

WORDS = ["The", "hearing", "is"]
QUERY_WORDS = ["is", "When?"]
NAMES = ["thing", "event"]
TELLS = ["court", "now"]
Q = np.array([[1.0, 3.0], [0.0, -2.0]])
K = np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 0.0]])
V = np.array([[1.0, 0.0], [0.0, 4.0], [2.0, 2.0]])
VIEW = "application/vnd.jupyter.widget-view+json"


def stepper(start: int = 0) -> InteractiveFigure:
    return attention_stepper(
        Q, K, V, query_words=QUERY_WORDS, key_words=WORDS, key_names=NAMES, value_names=TELLS, start=start
    )


def all_widgets(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    return [widget, *(inner for child in getattr(widget, "children", ()) for inner in all_widgets(child))]


def find(figure: InteractiveFigure, kind: type) -> ipywidgets.Widget:
    (found,) = [widget for widget in all_widgets(figure) if type(widget) is kind]
    return found


def shown(figure: InteractiveFigure) -> dict[str, object]:
    """The picture on the page."""
    return figure.children[-1].picture


def output_told(figure: InteractiveFigure) -> list[float]:
    numbers = re.search(r"Output: (.*)\.$", figure.picture.alt).group(1)
    return [float(number.replace("−", "-")) for number in numbers.split(", ")]


class TestInteractiveFigure:
    def draw_counted(self):
        drawn = []

        def draw(a, b):
            drawn.append((a, b))
            return Picture(b"", f"a {a}, b {b}", 1, 1)

        controls = {"a": ipywidgets.IntSlider(value=1), "b": ipywidgets.IntSlider(value=2)}
        return InteractiveFigure(draw, controls), controls, drawn

    def test_draws_when_made_and_again_when_a_control_moves(self):
        figure, controls, drawn = self.draw_counted()
        controls["b"].value = 7
        assert drawn == [(1, 2), (1, 7)]
        assert figure.picture.alt == "a 1, b 7"
        assert shown(figure) == asdict(figure.picture)

    def test_set_moves_several_controls_and_draws_once(self):
        figure, controls, drawn = self.draw_counted()
        figure.set(a=3, b=4)
        assert drawn == [(1, 2), (3, 4)]
        controls["a"].value = 5  # and listens again afterwards
        assert drawn[-1] == (5, 4)

    def test_listens_again_when_set_fails(self):
        figure, controls, drawn = self.draw_counted()
        with pytest.raises(KeyError):
            figure.set(c=1)
        controls["a"].value = 5
        assert drawn[-1] == (5, 2)

    def test_shows_the_present_picture_with_its_words_and_the_live_view(self, monkeypatch):
        outputs = []
        monkeypatch.setattr(
            "course_lib.figures.interactive.display",
            lambda data, metadata=None, raw=False: outputs.append((data, metadata)),
        )
        figure = stepper()
        figure.controls["sharpness"].value = 0.0
        figure._ipython_display_()
        (still, metadata), (live, _) = outputs
        assert set(still) == {"text/html", "image/png", "text/plain"}
        assert still["text/plain"] == metadata["image/png"]["alt"] == figure.picture.alt
        assert "largest on all alike" in figure.picture.alt
        assert figure.picture.html() in still["text/html"]
        assert list(live) == [VIEW]
        assert live[VIEW]["model_id"] == figure.model_id

    def test_keeps_no_matplotlib_figure_however_often_its_cell_runs(self):
        def alive():
            gc.collect()
            return sum(isinstance(thing, Figure) for thing in gc.get_objects())

        before = alive()
        for _ in range(3):
            figure = stepper()
            for value in (0.0, 2.0, 5.0):
                figure.controls["sharpness"].value = value
        assert alive() == before

    def test_two_of_them_do_not_disturb_each_other(self):
        first, second = stepper(), stepper()
        untouched = shown(second)
        first.controls["entry_0"].value = -3.0
        assert shown(second) == untouched != shown(first)

    def test_a_picture_does_not_wait_for_the_collection_of_garbage(self):
        collecting = []

        def draw(size: int) -> Picture:
            collecting.append(gc.isenabled())
            if size == 2:
                raise ValueError("no such picture")
            return lines([0, 1], {"size": [0, size]}, x_label="x", y_label="y")

        figure = InteractiveFigure(draw, {"size": labelled_slider("Size", 1, 1, 3, 1)})
        assert gc.isenabled()
        with pytest.raises(ValueError, match="no such picture"):
            figure.set(size=2)
        assert gc.isenabled()  # whatever happened
        assert collecting == [False, False]


class TestAttentionStepper:
    @settings(max_examples=20)
    @given(st.integers(-6, 6), st.integers(-6, 6), st.integers(0, 20), st.sampled_from([0, 1]))
    def test_shows_what_attention_computes_at_every_setting(self, first, second, quarters, start):
        figure = stepper(start)
        query, sharpness = [first / 2, second / 2], quarters / 4
        figure.set(entry_0=query[0], entry_1=query[1], sharpness=sharpness)
        expected = functional.softmax(sharpness * np.array(query) @ K.T / np.sqrt(2)) @ V
        np.testing.assert_allclose(output_told(figure), expected, atol=0.0051)
        assert f"query '{QUERY_WORDS[start]}'" in figure.picture.alt

    def test_begins_with_plain_scaled_dot_product_attention(self):
        for start, word in enumerate(QUERY_WORDS):
            expected, _ = functional.attention(Q[[start]], K, V)
            np.testing.assert_allclose(output_told(stepper(start)), expected[0], atol=0.0051)
            assert f"query '{word}'" in stepper(start).picture.alt

    def menu(self, figure, name):
        return next(w for w in all_widgets(figure) if getattr(w, "description", None) == name)

    def choose(self, figure, name, option):
        menu = self.menu(figure, name)
        menu.value = dict(menu.options)[option]

    def sliders(self, figure):
        """The labels and values of the sliders on the page."""
        return {
            s.description: s.value
            for s in figure.controls.values()
            if s.layout.display != "none" and s is not figure.controls["sharpness"]
        }

    def test_the_sliders_show_the_vector_chosen(self):
        figure = stepper(0)
        assert self.sliders(figure) == {"Asks for thing": 1.0, "Asks for event": 3.0}
        self.choose(figure, "Change", "key of hearing")
        assert self.sliders(figure) == {"Offers thing": 2.0, "Offers event": 1.0}
        self.choose(figure, "Change", "value of hearing")
        assert self.sliders(figure) == {"Tells court": 0.0, "Tells now": 4.0}
        self.choose(figure, "Change", "the query")
        self.choose(figure, "Query word", "When?")
        assert self.sliders(figure) == {"Asks for thing": 0.0, "Asks for event": -2.0}
        assert figure.picture.png == stepper(1).picture.png  # looking changed nothing

    @pytest.mark.parametrize(
        ("vector", "array", "row"), [("the query", 0, 0), ("key of is", 1, 2), ("value of The", 2, 0)]
    )
    def test_a_slider_changes_the_vector_chosen_and_no_other(self, vector, array, row):
        figure = stepper(0)
        self.choose(figure, "Change", vector)
        figure.controls["entry_1"].value = -1.5
        self.choose(figure, "Change", "value of hearing")  # what was changed stays
        changed = [Q.copy(), K.copy(), V.copy()]
        changed[array][row, 1] = -1.5
        expected, _ = functional.attention(changed[0][:1], *changed[1:])
        np.testing.assert_allclose(output_told(figure), expected[0], atol=0.0051)

    def test_wider_values_than_keys_have_their_sliders_too(self):
        labels = {"query_words": ["q"], "key_words": WORDS, "key_names": ["size"], "value_names": ["a", "b"]}
        figure = attention_stepper([[2.0]], K[:, :1], V, **labels)
        assert list(self.sliders(figure)) == ["Asks for size"]
        self.choose(figure, "Change", "value of hearing")
        assert self.sliders(figure) == {"Tells a": 0.0, "Tells b": 4.0}

    def test_reset_puts_back_every_number(self):
        figure = stepper(1)
        figure.set(entry_0=2.0, entry_1=1.0, sharpness=3.0)
        self.choose(figure, "Change", "key of hearing")
        figure.set(entry_0=-1.0)
        find(figure, ipywidgets.Button).click()
        assert figure.picture.png == stepper(1).picture.png
        assert self.sliders(figure) == {"Offers thing": 2.0, "Offers event": 1.0}
        self.choose(figure, "Change", "the query")
        assert self.sliders(figure) == {"Asks for thing": 0.0, "Asks for event": -2.0}

    def test_leaves_the_arrays_it_was_given_alone(self):
        queries = Q.copy()
        names = {"key_names": NAMES, "value_names": TELLS}
        figure = attention_stepper(queries, K, V, query_words=QUERY_WORDS, key_words=WORDS, **names)
        figure.controls["entry_0"].value = -2.0
        assert np.array_equal(queries, Q)

    def test_sliders_reach_every_number(self):
        names = {"query_words": ["q"], "key_words": WORDS, "key_names": NAMES, "value_names": TELLS}
        figure = attention_stepper([[0.0, 0.0]], K, -17.5 * V, **names)
        self.choose(figure, "Change", "value of hearing")
        assert figure.controls["entry_1"].value == -70.0

    def test_every_control_is_labelled_and_the_picture_can_be_found(self):
        figure = stepper()
        controls = [
            w for w in all_widgets(figure) if isinstance(w, (ipywidgets.FloatSlider, ipywidgets.Dropdown))
        ]
        named = {w.description for w in controls}
        assert named == {"Query word", "Change", "Asks for thing", "Asks for event", "Sharpness β"}
        assert all(w.tooltip for w in controls)
        assert find(figure, ipywidgets.Button).description == "Reset"
        assert shown(figure)["alt"].startswith("Attention for the query")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"query_words": ["is"]}, r"queries \(2, 2\): expected one row for each of 1 query_words"),
            ({"key_words": ["is"]}, r"keys \(3, 2\): expected one row for each of 1 key_words"),
            ({"key_names": ["a"]}, r"one column for each of 1 key_names"),
            ({"value_names": ["a"]}, r"values \(3, 2\): .* one column for each of 1 value_names"),
        ],
    )
    def test_refuses_names_that_do_not_fit(self, change, message):
        fitting = {
            "query_words": QUERY_WORDS, "key_words": WORDS, "key_names": NAMES, "value_names": TELLS
        }  # fmt: skip
        with pytest.raises(ValueError, match=message):
            attention_stepper(Q, K, V, **{**fitting, **change})


class TestCompare:
    def said(self, capsys, guess, answer):
        compare(guess, answer)
        return capsys.readouterr().out.splitlines()

    def test_the_first_line_which_a_folded_output_shows_keeps_the_answer_back(self, capsys):
        for guess, answer, shown in [(None, 0.839, "0.839"), (0.5, 0.839, "0.839"), ("is", "today", "today")]:
            first, second = self.said(capsys, guess, answer)
            assert shown not in first
            assert shown in second

    def test_says_by_how_much_and_to_which_side_a_number_misses(self, capsys):
        assert self.said(capsys, 0.5, 0.75)[1] == "It is 0.75: you were 0.25 too low."
        assert self.said(capsys, 1, -1.0)[1] == "It is -1: you were 2 too high."
        assert self.said(capsys, 0.1, 0.0)[1] == "It is 0: you were 0.1 too high."

    def test_agrees_with_a_number_within_five_per_cent_and_a_word_in_any_case(self, capsys):
        assert self.said(capsys, 0.96, 1.0)[1] == "It is 1, as you said."
        assert self.said(capsys, 0.94, 1.0)[1] == "It is 1: you were 0.06 too low."
        assert self.said(capsys, -0.96, -1.0)[1] == "It is -1, as you said."
        assert self.said(capsys, " TODAY", "today")[1] == "It is 'today', as you said."
        assert self.said(capsys, "is", "today")[1] == "It is 'today'."

    @pytest.mark.parametrize(
        ("guess", "answer", "expected"), [("is", 0.5, "a number"), (0.5, "is", "a word")]
    )
    def test_refuses_a_word_for_a_number_and_the_other_way_round(self, guess, answer, expected):
        with pytest.raises(ValueError, match=f"guess is .*: expected {expected}"):
            compare(guess, answer)


class TestProgress:
    @pytest.fixture
    def bars(self, monkeypatch):
        made = []
        monkeypatch.setattr("course_lib.figures.progress_bar.display", made.append)
        return made

    def test_counts_and_ends_full(self, bars):
        assert list(progress(5, "Training")) == [0, 1, 2, 3, 4]
        (bar,) = bars
        assert 'value="1.000"' in bar.value
        assert re.search(r"Training: 5 steps \(\d+\.\d s\)$", bar.value)

    def test_stays_where_an_interrupt_left_it(self, bars):
        def interrupted():
            for step in progress(4, "Training"):
                if step == 3:
                    raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            interrupted()
        gc.collect()
        (bar,) = bars
        assert "Training: 4 steps, stopped at 3" in bar.value
        assert 'value="0.750"' in bar.value

    def test_moves_on_the_way_and_stores_nothing_that_differs_between_runs(self, bars, monkeypatch):
        monkeypatch.setattr("course_lib.figures.progress_bar.WHILE", -1)
        steps = progress(4, "a < b")
        next(steps), next(steps)
        (bar,) = bars
        assert 'value="0.250"' in bar.value
        assert "a &lt; b: 1 of 4, about 0 s left" in bar.value
        assert bar._repr_mimebundle_()["text/plain"] == repr(bar) == "a < b: 4 steps"

    def test_refuses_nothing_to_do(self):
        with pytest.raises(ValueError, match="n is 0"):
            next(progress(0, "Training"))
