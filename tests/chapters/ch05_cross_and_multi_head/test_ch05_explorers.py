"""The alignment explorer and the head switches: they show what attention and the heads do."""

import gc
import re

import ipywidgets
import numpy as np
import pytest
from matplotlib.figure import Figure

from course_lib import functional
from course_lib.chapters.ch05_cross_and_multi_head.explorers import alignment_explorer, head_switches
from course_lib.figures.interactive import InteractiveFigure

WORDS = ["He", "is", "he"]
SOUNDS = np.array([[1.0, 1, -1, 1], [-1.0, 1, 1, 1], [1.0, 1, -1, 1]])
SPOKEN = np.array([0, 0, 1, 2, 2, 2])


def clock(n: int) -> np.ndarray:
    p = np.pi * (np.arange(n) + 0.5) / n
    return np.stack([np.cos(p), np.sin(p)], axis=1)


def explorer() -> InteractiveFigure:
    return alignment_explorer(WORDS, SOUNDS, SPOKEN, word_clock=clock(3), frame_clock=clock(6))


def beside(figure: InteractiveFigure) -> str:
    return figure.picture.alt[figure.picture.alt.index("Beside it") :]


def press(figure: InteractiveFigure, name: str) -> None:
    rows = [child for row in figure.children for child in getattr(row, "children", ())]
    (button,) = [w for w in rows if isinstance(w, ipywidgets.Button) and w.description == name]
    button.click()


class TestAlignmentExplorer:
    def test_shows_what_attention_gives(self):
        figure = explorer()
        figure.set(sound=3.0, clock=7.0, noise=0.0)
        queries = np.hstack([3 * SOUNDS[SPOKEN], 7 * clock(6)])
        output, _ = functional.attention(queries, np.hstack([SOUNDS, clock(3)]), [[0.0], [1.0], [2.0]])
        off = np.abs(output[:, 0] - SPOKEN)
        told = re.search(r"off by ([\d.]+) on average, most in row (\d+)", figure.picture.alt)
        assert float(told[1]) == pytest.approx(off.mean(), abs=0.005)
        assert int(told[2]) == off.argmax()

    def test_without_the_clock_the_order_of_the_text_changes_the_map_but_not_the_answers(self):
        figure = explorer()
        answers, whole = beside(figure), figure.picture.alt
        for order in ("backwards", "shuffled"):
            figure.controls["order"].value = order
            assert beside(figure) == answers
        assert figure.picture.alt != whole

    def test_with_the_clock_the_order_changes_the_answers(self):
        figure = explorer()
        figure.controls["clock"].value = 12.0
        answers = beside(figure)
        figure.controls["order"].value = "backwards"
        assert beside(figure) != answers

    def test_the_clock_tells_the_doubles_apart(self):
        figure = explorer()
        figure.controls["noise"].value = 0.0
        assert "Frames 0–1 say word 0 'He (0)': weight 0.49 on word 0, 0.49 on word 2." in figure.picture.alt
        figure.controls["clock"].value = 24.0
        assert "Frames 0–1 say word 0 'He (0)': weight 1 on word 0." in figure.picture.alt

    def test_words_carry_their_number_and_boxes_go_with_the_words(self):
        figure = explorer()
        figure.set(order="backwards", noise=0.0)
        assert "Frame 2 says word 1 'is (1)'" in figure.picture.alt
        assert "Frames 0–1 say word 2 'He (0)'" in figure.picture.alt

    def test_in_any_order_the_frames_find_their_own_word_where_it_now_stands(self):
        words, sounds = ["a", "b", "c", "d", "e"], 2 * np.eye(5)
        figure = alignment_explorer(
            words, sounds, range(5), word_clock=clock(5), frame_clock=clock(5), seed=1
        )
        figure.set(order="shuffled", sound=4.0, noise=0.0)
        told = re.findall(
            r"say(?:s)? word (\d) '\w \((\d)\)': weight 0\.\d+ on word (\d)", figure.picture.alt
        )
        places, names, found = zip(*told, strict=True)
        assert [int(n) for n in names] == [0, 1, 2, 3, 4]  # in the order in which they are said
        assert places == found
        order = [int(p) for p in places]
        assert sorted(order) == [0, 1, 2, 3, 4]
        assert [order[p] for p in order] != [0, 1, 2, 3, 4]  # not its own inverse, which would hide a mistake

    def test_noise_covers_the_sound(self):
        figure = explorer()
        quiet = figure.picture.alt
        figure.controls["noise"].value = 2.0
        assert figure.picture.alt != quiet

    def test_reset_puts_everything_back(self):
        figure = explorer()
        before = figure.picture.alt
        figure.set(sound=0.0, clock=5.0, noise=2.0, order="shuffled")
        assert figure.picture.alt != before
        press(figure, "Reset")
        assert figure.picture.alt == before
        assert {n: c.value for n, c in figure.controls.items()} == {
            "sound": 2.0,
            "clock": 0.0,
            "noise": 0.5,
            "order": "as written",
        }

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"word_clock": clock(2)}, r"word_clock \(2, 2\)"),
            ({"frame_clock": clock(5)}, r"frame_clock \(5, 2\)"),
            ({"words": WORDS[:2]}, "2 words"),
        ],
    )
    def test_refuses_what_does_not_fit(self, change, message):
        arguments = {
            "words": WORDS,
            "sounds": SOUNDS,
            "spoken": SPOKEN,
            "word_clock": clock(3),
            "frame_clock": clock(6),
        }
        with pytest.raises(ValueError, match=message):
            alignment_explorer(**{**arguments, **change})


NAMES, NUMBERS = ["a", "b", "c"], [5.0, 3.0, 1.0]


def ask(first: str, second: str) -> tuple[np.ndarray, np.ndarray, float]:
    rows = np.eye(3)
    return rows[[NAMES.index(first), NAMES.index(second)]], np.array([1.0, -1.0]), 0.25


def switches() -> InteractiveFigure:
    return head_switches(ask, NAMES, NUMBERS, first="a", second="c")


class TestHeadSwitches:
    def test_answers_the_question_that_is_chosen(self):
        figure = switches()
        assert figure.picture.alt.endswith("Sum 4.25; right would be 4.")
        figure.controls["first"].value = "b"
        assert figure.picture.alt.endswith("Sum 2.25; right would be 2.")

    def test_heads_are_switched_one_by_one(self):
        figure = switches()
        figure.controls["head_0"].value = False
        assert figure.picture.alt.endswith("Sum −0.75; right would be 4.")
        figure.set(head_0=True, head_1=False)
        assert figure.picture.alt.endswith("Sum 5.25; right would be 4.")

    def test_reset_puts_everything_back(self):
        figure = switches()
        before = figure.picture.alt
        figure.set(first="b", second="b", head_0=False, head_1=False)
        assert figure.picture.alt.endswith("Sum 0.25; right would be 0.")
        press(figure, "Reset")
        assert figure.picture.alt == before

    @pytest.mark.parametrize("change", [{"numbers": [1.0]}, {"first": "z"}])
    def test_refuses_what_does_not_fit(self, change):
        with pytest.raises(ValueError, match="expected one number for each of 3 names"):
            head_switches(
                **{"ask": ask, "names": NAMES, "numbers": NUMBERS, "first": "a", "second": "b", **change}
            )


@pytest.mark.parametrize("make", [explorer, switches])
def test_is_labelled_and_keeps_no_figure(make):
    figure = make()
    assert all(control.description for control in figure.controls.values())

    def alive() -> int:
        gc.collect()
        return sum(isinstance(thing, Figure) for thing in gc.get_objects())

    before = alive()
    for control in figure.controls.values():
        if isinstance(control, ipywidgets.FloatSlider):
            control.value = control.max
    assert alive() == before
