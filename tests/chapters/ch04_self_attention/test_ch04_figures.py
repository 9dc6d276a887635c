"""The figure of self-attention tells what NumPy computes, and refuses what cannot be drawn."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle

from course_lib.chapters.ch04_self_attention import figures as self_attention
from course_lib.chapters.ch04_self_attention.figures import self_attention_step
from course_lib.figures.picture import Picture
from course_lib.figures.picture import number as written

pytestmark = pytest.mark.share(2)

WORDS = ["cat", "fluffy", "sleeps"]


def numbers(text: str) -> list[float]:
    return [float(n.replace("−", "-")) for n in re.findall(r"[−]?\d+(?:\.\d+)?", text)]


def drawn_on(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Keep the figures that are drawn from now on."""
    figures = []

    def draw(width, height, paint, layout=None):
        figure = Figure(figsize=(width, height))
        figures.append(figure)
        return Picture("<svg/>", paint(figure), 1, 1)

    monkeypatch.setattr(self_attention, "draw", draw)
    return figures


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2))
def test_tells_query_scores_weights_and_output_as_einsum_computes_them(seed, row):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K, W_V = (rng.integers(-3, 4, shape) for shape in [(3, 4), (4, 2), (4, 2), (4, 3)])
    alt = self_attention_step(X, W_Q, W_K, W_V, words=WORDS, row=row).alt
    query = np.einsum("d,dk->k", X[row], W_Q)
    scores = np.einsum("k,jd,dk->j", query, X, W_K) / 2**0.5
    weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    output = np.einsum("j,jd,dv->v", weights, X, W_V)
    told = {part.split(":")[0]: part for part in re.split(r"(?:\. |; )(?=[A-Zl])", alt.rstrip("."))}
    np.testing.assert_allclose(numbers(told["Query"]), query)
    np.testing.assert_allclose(numbers(told["Scores"]), scores, rtol=0.01, atol=0.0051)
    np.testing.assert_allclose(numbers(told["Weights"]), weights, atol=0.0051)
    np.testing.assert_allclose(numbers(told["Output"]), output, atol=0.0051)
    assert f"followed for '{WORDS[row]}'" in alt


def test_every_number_of_the_nine_matrices_is_drawn_and_the_words_name_rows_and_columns(monkeypatch):
    figures = drawn_on(monkeypatch)
    X, W = np.arange(6).reshape(3, 2) + 10, np.array([[1, 0], [0, 1]])
    self_attention_step(X, W, 2 * W, 3 * W, words=["a$", "b", "c"], row=1)
    texts = [text.get_text() for text in figures[0].axes[0].texts]
    for matrix in (X, 2 * X, 3 * X):  # X itself is also the queries
        assert all(str(entry) in texts for entry in matrix.ravel())
    assert texts.count("10") == 2
    assert texts.count("output") == texts.count("X") == 1
    for score in (X @ X.T * 2**0.5)[1]:  # keys are twice the queries
        assert written(score) in texts
    assert texts.count("b") == 8  # a row of X, Q, K, V, scores, weights and output; a column of the weights
    assert texts.count(r"a\$") == 8
    assert not {"first", "second"} & set(texts)
    self_attention_step(X, W, W, W, words=["a", "b", "c"], columns=["first", "second"], row=1, title="All")
    texts = [text.get_text() for text in figures[2].axes[0].texts]
    assert "All" in texts
    assert texts.count("first") == texts.count("second") == 4  # a column of X, a row of each matrix
    with pytest.raises(ValueError, match="columns has 1 names: expected 2"):
        self_attention_step(X, W, W, W, words=["a", "b", "c"], columns=["first"], row=1)
    with pytest.raises(ValueError, match="role_columns has 3 names"):
        self_attention_step(X, W, W, W, words=["a", "b", "c"], role_columns=["x", "y", "z"], row=1)


def test_the_narrow_form_of_self_attention_has_the_same_numbers_and_leaves_the_matrices_out(monkeypatch):
    figures = drawn_on(monkeypatch)
    X, W = np.arange(6).reshape(3, 2) + 10, np.array([[1, 0], [0, 1]])
    names = ["left", "right"]
    picture = self_attention_step(X, W, 2 * W, 3 * W, words=["a", "b", "c"], role_columns=names, row=1)
    assert picture.narrow is not None
    assert picture.narrow.alt == picture.alt
    wide, narrow = ([text.get_text() for text in figure.axes[0].texts] for figure in figures)
    for matrix in (X, 2 * X, 3 * X):
        assert all(str(entry) in narrow for entry in matrix.ravel())
    assert all(written(score) in narrow for score in (X @ X.T * 2**0.5)[1])
    assert wide.count("left") == narrow.count("left") == 4  # under Q, K, V and the output
    wide_X = np.ones((6, 6))
    large = self_attention_step(wide_X, wide_X[:, :4], wide_X[:, :4], wide_X[:, :4], words="abcdef", row=0)
    assert large.narrow is None


def test_frames_are_on_the_row_followed_and_on_all_keys_and_values(monkeypatch):
    figures = drawn_on(monkeypatch)
    X = np.eye(3)
    for row in (0, 2):
        self_attention_step(X, X, X, X, words=WORDS, row=row)
    rows = {}
    for row, figure in zip((0, 2), figures, strict=True):
        frames = [p for p in figure.axes[0].patches if isinstance(p, Rectangle)]
        heights = sorted(round(p.get_height() / self_attention.ROW) for p in frames)
        assert heights == [1, 1, 1, 1, 1, 3, 3]  # X, Q, scores, weights, output; K, V
        columns = {p.get_x(): [] for p in sorted(frames, key=Rectangle.get_x)}
        for p in sorted(frames, key=Rectangle.get_y):
            columns[p.get_x()].append(round(p.get_height() / self_attention.ROW))
        assert list(columns.values()) == [[1], [1, 3, 3], [1, 1, 1]]  # X; Q, K, V; scores, weights, output
        rows[row] = sorted(p.get_y() for p in frames if p.get_height() < 2 * self_attention.ROW)
    np.testing.assert_allclose(np.subtract(rows[2], rows[0]), 2 * self_attention.ROW)


class TestReadings:
    WORDS = ("the", "cat", "sleeps")

    def test_tells_and_draws_an_arc_for_each_weight_that_can_be_seen(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        line = self_attention.Reading("one", self.WORDS, 2, [0.002, 0.9, 0.098])
        picture = self_attention.readings(line, line, title="Twice")
        assert picture.alt.startswith("Twice. one: 'sleeps', in 'the cat sleeps', reads 'the' 0, 'cat' 0.9")
        (axis,) = figures[0].axes
        arcs = [patch for patch in axis.patches if isinstance(patch, PathPatch)]
        assert [round(arc.get_linewidth(), 3) for arc in arcs] == [7.5, 1.485, 7.5, 1.485]
        texts = [text.get_text() for text in axis.texts]
        assert texts.count("90 %") == 2
        assert "10 %" not in texts

    def test_a_label_of_two_lines_is_one_line_in_words_and_where_there_is_no_room(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        line = self_attention.Reading("long:\nno cat", self.WORDS, 2, [0, 1, 0])
        assert self_attention.readings(line).alt.startswith("long: no cat: 'sleeps'")
        labels = [figure.axes[0].texts[0].get_text() for figure in figures]
        assert labels == ["long:\nno cat", "long: no cat"]

    def test_a_training_shows_its_loss_beside_them(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        line = self_attention.Reading("step 1", self.WORDS, 0, [1, 0, 0])
        alt = self_attention.learning([3.0, 2.0, 1.0], line, line, steps=[0, 2]).alt
        assert "Loss from 3 to 1 in 3 steps." in alt
        curve, marks = figures[0].axes[1].lines
        np.testing.assert_allclose(curve.get_ydata(), [3, 2, 1])
        np.testing.assert_allclose(marks.get_xydata(), [[1, 3], [3, 1]])

    def test_positions_are_written_under_the_words_that_have_them(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        line = self_attention.Reading("one", ("the", "cat", "."), 0, [0, 1, 0], [7, 8, 9])
        picture = self_attention.readings(line, number="4.6", caption="Numbers are positions.")
        assert "'the cat .' at positions 7, 8, 9, reads" in picture.alt
        assert (picture.figure_number, picture.caption) == ("4.6", "Numbers are positions.")
        texts = [text.get_text() for text in figures[0].axes[0].texts]
        assert {"7", "8"} <= set(texts)
        assert "9" not in texts
        with pytest.raises(ValueError, match="3 words, 1 places"):
            self_attention.readings(line._replace(places=[7]))

    def test_the_right_word_is_bold_and_told(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        line = self_attention.Reading("one", self.WORDS, 2, [0, 1, 0], right=1)
        assert "'the cat sleeps' (right is 'cat'), reads" in self_attention.readings(line).alt
        bold = {text.get_text() for text in figures[0].axes[0].texts if text.get_fontweight() == "bold"}
        assert bold == {"cat"}

    def test_a_narrow_form_holds_all_words_and_arcs(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        words = ["the", "mouse", "chases", "the", "cat", ",", "which", "is", "fluffy", "."]
        line = self_attention.Reading("one", words, 8, np.eye(10)[1], range(10))
        wide = self_attention.readings(line, title="A title that is too long for one line of a telephone")
        assert wide.narrow is not None
        assert wide.narrow.alt == wide.alt
        assert figures[0].get_figwidth() > self_attention.NARROW == figures[1].get_figwidth()
        texts = [text for text in figures[1].axes[0].texts if text.get_text() in words]
        assert len(texts) == len(words)
        assert all(0.1 < text.get_position()[0] < self_attention.NARROW - 0.05 for text in texts)

    def test_a_narrow_training_has_its_loss_above(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        line = self_attention.Reading("step 1", self.WORDS, 0, [1, 0, 0])
        self_attention.learning([3.0, 2.0], line, steps=[0], title="It learns")
        narrow, _ = sorted(figures, key=Figure.get_figwidth)
        below = 1 - narrow.axes[1].get_position().y0  # of the loss, from the top
        highest = min(text.get_position()[1] for text in narrow.axes[0].texts if text.get_text() == "step 1")
        assert highest / narrow.get_figheight() > below

    def test_refuses_what_does_not_fit(self):
        with pytest.raises(ValueError, match="lines is empty"):
            self_attention.readings()
        with pytest.raises(ValueError, match="3 words, weights"):
            self_attention.readings(self_attention.Reading("", self.WORDS, 0, [1.0]))
        with pytest.raises(ValueError, match="reader 3"):
            self_attention.readings(self_attention.Reading("", self.WORDS, 3, [1, 0, 0]))
        with pytest.raises(ValueError, match="a line for each step"):
            self_attention.learning([1.0], steps=[0])


def test_equal_outputs_are_joined_and_nothing_else(monkeypatch):
    figures = drawn_on(monkeypatch)
    a, b = np.array([[1.0, -1.0], [0.5, 0.0]]), np.array([[0.5, 0.0], [1.0, -1.0], [9.0, 9.0]])
    alt = self_attention.same_rows((["x", "y"], a), (["y", "x", "z"], b)).alt
    assert alt == "Outputs of 'x y' and of 'y x z'. Equal: 'x' 0 and 'x' 1; 'y' 1 and 'y' 0."
    assert len(figures[0].axes[0].lines) == 2
    faces = [patch.get_facecolor()[3] for patch in figures[0].axes[0].patches[:4]]
    np.testing.assert_allclose(faces, [1 / 3, 1, 18**-0.5, 1])  # by the root of the size; −1 and 0 are paper
    with pytest.raises(ValueError, match="a row for each word"):
        self_attention.same_rows((["x"], a), (["y"], b[:1]))


def test_models_are_lines_from_before_to_after_counted_where_they_end(monkeypatch):
    figures = drawn_on(monkeypatch)
    before = np.full((5, 2), 0.1)
    after = [[0.9, 0.8], [0.9, 0.1], [0.2, 0.9], [0.1, 0.1], [0.3, 0.2]]
    told = self_attention.both_weights(before, after, names=("cat", "mouse"), axes=("a", "b"), number="4.5")
    assert told.alt.endswith("After it: both above a half 1, cat only 1, mouse only 1, neither 2.")
    assert told.figure_number == "4.5"
    (axis,) = figures[0].axes
    assert {text.get_text() for text in axis.texts} == {"1 find both", "1 find cat only", "1 find mouse only"}
    lines = [line.get_xydata().tolist() for line in axis.lines[:5]]
    assert lines == [[[0.1, 0.1], end] for end in after]
    np.testing.assert_allclose(axis.lines[-1].get_xydata(), after)
    with pytest.raises(ValueError, match="expected arrays"):
        self_attention.both_weights([1.0], [2.0], names=("a", "b"), axes=("a", "b"))


class TestNounMaps:
    def test_rows_are_scaled_to_their_largest_and_training_is_marked(self, monkeypatch):
        figures = drawn_on(monkeypatch)
        maps = {"A": [[0.1, 0.4, 0.5], [0.8, 0.1, 0.1]], "B": np.full((2, 3), 1 / 3)}
        seen = {"A": [(5, 1, 2), (9, 0, 1)], "B": [(4, 0, 7)]}
        picture = self_attention.noun_maps(
            maps, seen, adjectives=[4, 5], nouns=[0, 1, 2], title="Two", number="4.6"
        )
        assert picture.narrow is not None
        assert picture.figure_number == "4.6"
        assert (
            "A: adjective at 4 reads 2 most, 5 reads 0 most; in training the right noun was 4 before or 9 before"
            in (picture.alt)
        )
        for figure in figures:
            first, second = figure.axes
            scaled = [len(axis.child_axes) for axis in figure.axes]
            assert scaled == ([1, 1] if figure.get_figwidth() == self_attention.NARROW else [0, 1])
            marks = {line.get_marker(): line.get_xydata().tolist() for line in first.lines}
            assert marks == {"o": [[1, 5]], "x": [[2, 5]]}  # an adjective at 9 is not on the map
            assert [line.get_marker() for line in second.lines] == ["o"]  # nor a noun at 7

    def test_refuses_what_does_not_fit(self):
        for maps, seen in [({}, {}), ({"A": [[1.0]]}, {"B": []}), ({"A": [[1.0, 2.0]]}, {"A": []})]:
            with pytest.raises(ValueError, match="expected the same names"):
                self_attention.noun_maps(maps, seen, adjectives=[4], nouns=[0])


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
