"""The explorer of receptive fields follows its controls and goes back to its start."""

import ipywidgets
import pytest

from course_lib.chapters.ch01_why_attention.explorers import Question, reach_explorer
from course_lib.chapters.ch01_why_attention.figures import receptive_field
from course_lib.figures.interactive import InteractiveFigure

QUESTIONS = {
    "near": Question(("The", "hearing", "is", "open"), asking=2, wanted=1),
    "far": Question(tuple(["The", "hearing", "on", "the", "issue", "is", "today"]), asking=5, wanted=1),
}


def button(figure: InteractiveFigure) -> ipywidgets.Button:
    (found,) = [
        w for row in figure.children for w in getattr(row, "children", ()) if type(w) is ipywidgets.Button
    ]
    return found


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("kernel_size", [3, 9])
@pytest.mark.parametrize(("n_layers", "doubling"), [(1, False), (6, False), (3, True)])
def test_shows_the_picture_of_every_setting(name, kernel_size, n_layers, doubling):
    figure = reach_explorer(QUESTIONS)
    network = {"kernel_size": kernel_size, "n_layers": n_layers, "doubling": doubling}
    for control, value in {"sentence": name, **network}.items():
        figure.controls[control].value = value
    assert figure.picture == receptive_field(**QUESTIONS[name]._asdict(), **network)


def test_reset_goes_back_to_the_start():
    figure = reach_explorer(QUESTIONS)
    start = figure.picture
    figure.set(sentence="far", kernel_size=7, n_layers=5, doubling=True)
    assert figure.picture != start
    button(figure).click()
    assert figure.picture == start


def test_only_odd_kernels_can_be_chosen_and_all_controls_are_labelled():
    controls = reach_explorer(QUESTIONS).controls
    slider = controls["kernel_size"]
    assert {value % 2 for value in range(slider.min, slider.max + 1, slider.step)} == {1}
    assert all(control.description and control.tooltip for control in controls.values())


def test_without_a_question_there_is_nothing_to_explore():
    with pytest.raises(ValueError, match="questions is empty"):
        reach_explorer({})
