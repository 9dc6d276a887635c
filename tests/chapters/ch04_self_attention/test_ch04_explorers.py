"""The explorer of self-attention: three matrices behind the same sliders."""

import re

import ipywidgets
import numpy as np
import pytest

from course_lib.chapters.ch04_self_attention.explorers import self_attention_explorer
from course_lib.figures.interactive import InteractiveFigure

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
MATRICES = {
    "W_Q": np.array([[1.0, 2.0], [2.0, 0.0]]),
    "W_K": np.array([[2.0, -2.0], [0.0, 1.0]]),
    "W_V": np.array([[1.0, 2.0], [0.0, -2.0]]),
}
WORDS = ["cat", "fluffy", "kitten"]


def explorer(start: int = 0) -> InteractiveFigure:
    return self_attention_explorer(
        X, *MATRICES.values(), words=WORDS, features=["thing", "quality"], start=start
    )


def inside(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    return [widget, *(inner for child in getattr(widget, "children", ()) for inner in inside(child))]


def menu(figure: InteractiveFigure, name: str) -> ipywidgets.Dropdown:
    (found,) = [w for w in inside(figure) if isinstance(w, ipywidgets.Dropdown) and name in w.description]
    return found


def sliders(figure: InteractiveFigure) -> list[list[float]]:
    return [[figure.controls[f"entry_{r}_{c}"].value for c in (0, 1)] for r in (0, 1)]


def told_output(figure: InteractiveFigure) -> list[float]:
    text = re.search(r"Output: (.*)\.$", figure.picture.alt).group(1)
    return [float(n.replace("−", "-")) for n in text.split(", ")]


def expected_output(row: int, **changed: np.ndarray) -> np.ndarray:
    W_Q, W_K, W_V = ({**MATRICES, **changed}[name] for name in MATRICES)
    scores = X[row] @ W_Q @ W_K.T @ X.T / np.sqrt(2)
    return np.exp(scores) / np.exp(scores).sum() @ X @ W_V


@pytest.mark.parametrize("row", [0, 1, 2])
def test_begins_with_the_matrices_given_and_the_word_asked_for(row):
    figure = explorer(row)
    np.testing.assert_allclose(told_output(figure), expected_output(row), atol=0.0051)
    assert f"'{WORDS[row]}'" in figure.picture.alt
    assert sliders(figure) == MATRICES["W_Q"].tolist()


@pytest.mark.parametrize("name", list(MATRICES))
def test_a_slider_changes_the_entry_of_the_chosen_matrix_and_no_other(name):
    figure = explorer()
    menu(figure, "Matrix").value = name
    assert sliders(figure) == MATRICES[name].tolist()
    np.testing.assert_allclose(told_output(figure), expected_output(0), atol=0.0051)  # nothing changed yet
    figure.controls["entry_0_1"].value = 1.5
    changed = MATRICES[name].copy()
    changed[0, 1] = 1.5
    np.testing.assert_allclose(told_output(figure), expected_output(0, **{name: changed}), atol=0.0051)
    menu(figure, "Word").value = 2  # the change stays when another word is followed
    np.testing.assert_allclose(told_output(figure), expected_output(2, **{name: changed}), atol=0.0051)


def test_what_was_changed_stays_while_another_matrix_is_shown():
    figure = explorer()
    figure.controls["entry_1_0"].value = -2.0
    before = figure.picture.png
    menu(figure, "Matrix").value = "W_V"
    assert figure.picture.png == before
    menu(figure, "Matrix").value = "W_Q"
    assert sliders(figure) == [[1.0, 2.0], [-2.0, 0.0]]
    assert figure.picture.png == before


def test_reset_puts_back_all_three_matrices_and_keeps_the_word():
    figure = explorer()
    for name in MATRICES:
        menu(figure, "Matrix").value = name
        figure.controls["entry_0_0"].value = 0.5
    menu(figure, "Word").value = 1
    (button,) = [w for w in inside(figure) if isinstance(w, ipywidgets.Button)]
    button.click()
    assert figure.picture.png == explorer(1).picture.png
    assert sliders(figure) == MATRICES["W_V"].tolist()
    assert explorer().picture.png == explorer().picture.png  # and the arrays handed over are as they were


def test_leaves_the_arrays_alone_and_labels_every_control():
    given = {name: W.copy() for name, W in MATRICES.items()}
    figure = explorer()
    figure.controls["entry_0_0"].value = 3.0
    assert all(np.array_equal(MATRICES[name], W) for name, W in given.items())
    for control in [*figure.controls.values(), menu(figure, "Matrix"), menu(figure, "Word")]:
        assert control.description
        assert control.tooltip


def test_refuses_matrices_that_do_not_fit():
    with pytest.raises(ValueError, match="one shape"):
        self_attention_explorer(X, X.T, X.T, np.ones((2, 2)), words=WORDS, features=["a", "b"])
    with pytest.raises(ValueError, match="d = 3 features"):
        self_attention_explorer(X, *MATRICES.values(), words=WORDS, features=["a", "b", "c"])
