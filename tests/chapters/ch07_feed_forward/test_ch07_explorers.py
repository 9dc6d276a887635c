"""The hull explorer: it computes what its formula says at every setting, and can be put back."""

import re

import ipywidgets
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.chapters.ch07_feed_forward.explorers import hull_explorer
from course_lib.figures.interactive import InteractiveFigure

VALUES = np.array([[0, 0], [0.5, 0.5], [0, 2], [2, 0]])
WORDS = ["I", "am", "not", "happy"]


def ffn(y: np.ndarray) -> np.ndarray:
    return np.maximum(0, y @ [[1.0, -1.0], [0.5, 1.0]]) @ [[-1.0, 0.0], [2.0, 0.5]]


def explorer(**change: object) -> InteractiveFigure:
    arguments = {
        "asks": 3,
        "feed_forward": ffn,
        "entry_names": ("mood", "denial"),
        "limits": (-4, 5, -1, 4),
        "scores": [0, 0, 1, 1],
    }
    return hull_explorer(VALUES, WORDS, **{**arguments, **change})


def told(figure: InteractiveFigure) -> dict[str, tuple[float, float]]:
    found = re.findall(r"\. ([^.]+?) at mood (−?[\d.]+), denial (−?[\d.]+): ", figure.picture.alt)
    return {name: tuple(float(x.replace("−", "-")) for x in place) for name, *place in found}


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(-16, 16), min_size=4, max_size=4), st.booleans(), st.booleans())
def test_shows_what_the_formula_says(quarters, residual, with_ffn):
    figure = explorer()
    figure.set(**{f"score_{i}": q / 4 for i, q in enumerate(quarters)}, residual=residual, ffn=with_ffn)
    e = np.exp(np.array(quarters) / 4)
    place = e @ VALUES / e.sum()
    expected = {"attention": place}
    if residual:
        expected["x + attention"] = place = place + VALUES[3]
    if with_ffn:
        expected["y + FFN(y)" if residual else "FFN"] = ffn(place) + (place if residual else 0)
    assert list(told(figure)) == list(expected)
    for name, where in told(figure).items():
        np.testing.assert_allclose(where, expected[name], atol=0.0051)


def test_begins_with_its_scores_and_reset_puts_them_back():
    figure = explorer()
    first = figure.picture.png
    assert [figure.controls[f"score_{i}"].value for i in range(4)] == [0, 0, 1, 1]
    figure.set(score_0=4.0, residual=True, ffn=True)
    assert figure.picture.png != first
    (button,) = [w for row in figure.children[:-1] for w in row.children if isinstance(w, ipywidgets.Button)]
    button.click()
    assert figure.picture.png == first
    assert not figure.controls["residual"].value


def test_every_control_has_a_label_and_a_tooltip():
    controls = explorer().controls
    assert [control.description for control in controls.values()] == [
        *(f"Score of {word}" for word in WORDS),
        "Residual connection",
        "Feed-forward network",
    ]
    assert all(control.tooltip for control in controls.values())


@pytest.mark.parametrize("change", [{"asks": 4}, {"asks": -1}, {"scores": [0.0]}])
def test_refuses_what_does_not_fit(change):
    with pytest.raises(ValueError, match=r"values \(4, 2\) with 4 words, asks"):
        explorer(**change)
