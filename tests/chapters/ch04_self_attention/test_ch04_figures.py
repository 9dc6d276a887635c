"""The figure of self-attention tells what NumPy computes, and refuses what cannot be drawn."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_lib.chapters.ch04_self_attention import figures as self_attention
from course_lib.chapters.ch04_self_attention.figures import self_attention_step
from course_lib.figures.picture import Picture

WORDS = ["cat", "fluffy", "sleeps"]


def numbers(text: str) -> list[float]:
    return [float(n.replace("−", "-")) for n in re.findall(r"[−]?\d+(?:\.\d+)?", text)]


def drawn_on(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Keep the figures that are drawn from now on."""
    figures = []

    def draw(width, height, paint, layout=None):
        figure = Figure(figsize=(width, height))
        figures.append(figure)
        return Picture(b"", paint(figure), 1, 1)

    monkeypatch.setattr(self_attention, "draw", draw)
    return figures


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2))
def test_tells_query_weights_and_output_as_einsum_computes_them(seed, row):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K, W_V = (rng.integers(-3, 4, shape) for shape in [(3, 4), (4, 2), (4, 2), (4, 3)])
    alt = self_attention_step(X, W_Q, W_K, W_V, words=WORDS, row=row).alt
    query = np.einsum("d,dk->k", X[row], W_Q)
    scores = np.einsum("k,jd,dk->j", query, X, W_K) / 2**0.5
    weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    output = np.einsum("j,jd,dv->v", weights, X, W_V)
    told = {part.split(":")[0]: part for part in re.split(r"(?:\. |; )(?=[A-Zl])", alt.rstrip("."))}
    np.testing.assert_allclose(numbers(told["Query"]), query)
    np.testing.assert_allclose(numbers(told["Weights"]), weights, atol=0.0051)
    np.testing.assert_allclose(numbers(told["Output"]), output, atol=0.0051)
    assert f"followed for '{WORDS[row]}'" in alt


def test_every_number_of_the_eight_matrices_is_drawn_and_the_words_name_rows_and_columns(monkeypatch):
    figures = drawn_on(monkeypatch)
    X, W = np.arange(6).reshape(3, 2) + 10, np.array([[1, 0], [0, 1]])
    self_attention_step(X, W, 2 * W, 3 * W, words=["a$", "b", "c"], row=1)
    texts = [text.get_text() for text in figures[0].axes[0].texts]
    for matrix in (X, 2 * X, 3 * X):  # X itself is also the queries
        assert all(str(entry) in texts for entry in matrix.ravel())
    assert texts.count("10") == 2
    assert texts.count("weights") == texts.count("output") == texts.count("X") == 1
    assert texts.count("b") == 2
    assert texts.count(r"a\$") == 2


def test_frames_are_on_the_row_followed_and_on_all_keys_and_values(monkeypatch):
    figures = drawn_on(monkeypatch)
    X = np.eye(3)
    for row in (0, 2):
        self_attention_step(X, X, X, X, words=WORDS, row=row)
    rows = {}
    for row, figure in zip((0, 2), figures, strict=True):
        frames = [p for p in figure.axes[0].patches if isinstance(p, Rectangle)]
        heights = sorted(round(p.get_height() / self_attention.ROW) for p in frames)
        assert heights == [1, 1, 1, 1, 3, 3]  # X, Q, weights, output; K, V
        middle = [p for p in frames if sum(q.get_x() == p.get_x() for q in frames) == 3]  # Q, K, V downwards
        heights = [round(p.get_height() / self_attention.ROW) for p in sorted(middle, key=Rectangle.get_y)]
        assert heights == [1, 3, 3]
        rows[row] = sorted(p.get_y() for p in frames if p.get_height() < 2 * self_attention.ROW)
    np.testing.assert_allclose(np.subtract(rows[2], rows[0]), 2 * self_attention.ROW)


@pytest.mark.parametrize(
    ("shapes", "row", "message"),
    [
        ([(3, 2), (2, 2), (2, 3), (2, 2)], 0, "expected"),
        ([(3, 2), (3, 2), (3, 2), (2, 2)], 0, "expected"),
        ([(2, 2), (2, 2), (2, 2), (2, 2)], 0, "3 words"),
        ([(3, 7), (7, 2), (7, 2), (7, 2)], 0, "to be drawn"),
        ([(3, 2), (2, 5), (2, 5), (2, 2)], 0, "to be drawn"),
        ([(3, 2), (2, 2), (2, 2), (2, 2)], 3, "row is 3"),
        ([(3, 2), (2, 2), (2, 2), (2, 2)], -1, "row is -1"),
    ],
)
def test_refuses_what_does_not_fit(shapes, row, message):
    with pytest.raises(ValueError, match=message):
        self_attention_step(*map(np.ones, shapes), words=WORDS, row=row)
