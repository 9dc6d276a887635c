"""The explorer of the soft dictionary: it follows its controls, begins where it is told, and can be put back."""

import re

import ipywidgets
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from course_lib.chapters.ch03_fuzzy_dictionary.explorers import dictionary_explorer
from course_lib.figures.interactive import InteractiveFigure

KEYS = np.array([[2.0, 1.0], [0.0, -2.0], [-2.0, 1.0]])
VALUES = np.array([[2.35, 48.86], [-0.13, 51.51], [13.40, 52.52]])
QUERIES = {"French Republic": [1.0, 0.5], "Spain": [2.0, -2.0]}
NAMES = {"key_names": ["F", "U", "G"], "value_names": ["Paris", "London", "Berlin"]}


def explorer() -> InteractiveFigure:
    return dictionary_explorer(QUERIES, KEYS, VALUES, key_axes=("language", "state"), **NAMES)


def inside(widget: ipywidgets.Widget, kind: type) -> list[ipywidgets.Widget]:
    found = [widget] if type(widget) is kind else []
    return found + [w for child in getattr(widget, "children", ()) for w in inside(child, kind)]


def start_menu(figure: InteractiveFigure) -> ipywidgets.Dropdown:
    (menu,) = [w for w in inside(figure, ipywidgets.Dropdown) if w.description == "Query"]
    return menu


def weights_told(figure: InteractiveFigure) -> list[float]:
    part = re.search(r"Weights: (.*?)\. Blended", figure.picture.alt).group(1)
    return [float(x) for x in re.findall(r" ([\d.]+)", part)]


@settings(max_examples=8, phases=[Phase.generate])  # shrinking would draw hundreds of figures
@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(0, 40), st.booleans())
def test_shows_what_a_softmax_gives_at_every_setting(x, y, quarters, by_distance):
    figure = explorer()
    name = "minus squared distance" if by_distance else "dot product"
    figure.set(x=x / 10, y=y / 10, sharpness=quarters / 4, score=name)
    query = np.array([x, y]) / 10
    scores = -((query - KEYS) ** 2).sum(axis=1) if by_distance else KEYS @ query
    expected = np.exp(quarters / 4 * (scores - scores.max()))
    np.testing.assert_allclose(weights_told(figure), expected / expected.sum(), atol=0.0051)


def test_begins_with_the_first_query_by_dot_product_at_sharpness_1():
    figure = explorer()
    assert figure.picture.alt.startswith("Soft lookup of 'French Republic' at (1, 0.5), sharpness 1.")
    assert weights_told(figure) == [0.95, 0.03, 0.02]
    assert figure.picture.alt.endswith("nearest to 'Paris'.")


def test_choosing_a_query_moves_the_sliders_and_keeps_score_and_sharpness():
    figure = explorer()
    figure.set(sharpness=3.0, score="minus squared distance")
    start_menu(figure).value = "Spain"
    values = {name: control.value for name, control in figure.controls.items()}
    assert values == {"x": 2.0, "y": -2.0, "sharpness": 3.0, "score": "minus squared distance"}
    assert "'Spain' at (2, −2)" in figure.picture.alt


def test_a_moved_query_has_no_name_any_more():
    figure = explorer()
    figure.controls["x"].value = -1.0
    assert figure.picture.alt.startswith("Soft lookup of 'your query' at (−1, 0.5)")


def test_reset_puts_back_the_chosen_query_the_score_and_the_sharpness():
    figure = explorer()
    start_menu(figure).value = "Spain"
    fresh = figure.picture.png
    figure.set(x=-1.0, y=2.0, sharpness=9.0, score="minus squared distance")
    (reset,) = inside(figure, ipywidgets.Button)
    assert reset.description == "Reset"
    reset.click()
    assert figure.picture.png == fresh


def test_sliders_reach_every_query_and_key_and_all_controls_are_labelled():
    figure = dictionary_explorer({"far": [-7.3, 0.0]}, KEYS, VALUES, **NAMES)
    assert figure.controls["x"].value == -7.3
    controls = [*explorer().controls.values(), start_menu(explorer())]
    assert {c.description for c in controls} == {"Language", "State", "Sharpness β", "Score", "Query"}
    assert all(c.tooltip for c in controls)


@pytest.mark.parametrize("queries", [{}, {"q": [1.0]}])
def test_refuses_queries_that_are_not_in_the_plane(queries):
    with pytest.raises(ValueError, match=r"expected at least one, each \(2,\)"):
        dictionary_explorer(queries, KEYS, VALUES, **NAMES)
