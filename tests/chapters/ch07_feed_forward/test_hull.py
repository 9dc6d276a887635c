"""The hull that lives in the page: places and verdicts are those of the formulas, wherever words and score are."""

import re

import numpy as np
import pytest

from course_lib import functional
from course_lib.chapters.ch07_feed_forward import NOT_HAPPY, convex_hull, hull, inside
from course_lib.figures.page import PageFigure

PHRASES = [(0, 2), (0, 3), (1, 2), (1, 3)]
GOOD, BAD = [1, 2], [0, 3]


@pytest.fixture(scope="module")
def figure() -> PageFigure:
    return hull(**NOT_HAPPY)


def drawn(seed: int) -> dict:
    rng = np.random.default_rng(seed)
    values = rng.integers(-4, 5, (4, 2)) / 2
    return {"values": values.tolist(), "score": float(rng.integers(-40, 41)) / 10, "network": bool(seed % 2)}


def places(state: dict) -> tuple[np.ndarray, np.ndarray]:
    """The averages, and what the network makes of them; by NumPy."""
    values = np.array(state["values"])
    scores = np.array([state["score"], 0, 0, 0])
    before = np.array([functional.softmax(scores[list(p)]) @ values[list(p)] for p in PHRASES])
    W_1, b_1, W_2, b_2 = map(np.array, NOT_HAPPY["network"])
    return before, before + np.maximum(0, before @ W_1 + b_1) @ W_2 + b_2


def a_line_parts(good: np.ndarray, bad: np.ndarray) -> bool:
    """Whether some direction has all of the good further than all of the bad, by many directions."""
    angles = np.linspace(0, 2 * np.pi, 3601)
    steps = np.stack([np.cos(angles), np.sin(angles)])
    return bool(((good @ steps).min(axis=0) > (bad @ steps).max(axis=0) + 1e-9).any())


def told(alt: str) -> list[np.ndarray]:
    pairs = re.findall(r"(?: at| to) \((−?[\d.]+), (−?[\d.]+)\), (?:in|out)side", alt)
    return [np.array([float(x.replace("−", "-")) for x in pair]) for pair in pairs]


@pytest.mark.parametrize("seed", range(12))
def test_phrases_lie_where_the_formula_says(figure, seed):
    state = drawn(seed)
    figure.state = state
    before, after = places(state)
    expected = [x for pair in zip(before, after, strict=True) for x in pair] if state["network"] else before
    np.testing.assert_allclose(told(figure.alt), expected, atol=0.0051)


@pytest.mark.parametrize("seed", range(12))
def test_inside_and_outside_are_those_of_the_hull(figure, seed):
    state = drawn(seed)
    figure.state = state
    corners = convex_hull(state["values"])
    before, after = places(state)
    expected = [x for pair in zip(before, after, strict=True) for x in pair] if state["network"] else before
    found = [word == "inside" for word in re.findall(r"\), (inside|outside) the hull", figure.alt)]
    assert found == [inside(place, corners) for place in expected]
    assert f"their hull has {len(corners)} corners" in figure.alt


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.share(3)
def test_says_that_a_line_parts_them_just_when_one_does(figure, seed):
    state = drawn(seed)
    figure.state = {**state, "all": True}
    before, after = places(state)
    at = after if state["network"] else before
    parted = a_line_parts(at[GOOD], at[BAD])
    if not state["network"]:
        assert not parted  # what the chapter proves
    assert ("a line parts + from −" in figure.title) == parted or _nearly(at)
    assert ("no line parts + from −" in figure.title) != ("a line parts + from −" in figure.title)


def _nearly(at: np.ndarray) -> bool:
    """Whether the verdict hangs on less than the directions tried can see."""
    rng = np.random.default_rng(0)
    verdicts = {a_line_parts(at[GOOD] + s, at[BAD] - s) for s in 0.01 * rng.standard_normal((20, 1, 2))}
    return len(verdicts) == 2


def test_begins_inside_and_the_network_leads_out(figure):
    figure.state = {}
    assert figure.title == "‘not happy’ belongs outside the triangle of the words, and averages stay inside"
    assert figure.alt.endswith("The phrase that is followed, and the only one that is drawn: ‘not happy’.")
    figure.state = {"phrase": 1}
    assert figure.title == "‘not sad’ is an average, and stays in the triangle of the words"
    figure.state = {"network": True}
    assert figure.title == "The network takes ‘not happy’ out of the triangle of the words"
    figure.state = {"network": True, "values": [[0, 2], [0, 0], [0, 0], [-2, 0]]}
    assert figure.title == "With the network, ‘not happy’ is still in the triangle of the words"
    figure.state = {"all": True}
    assert figure.title == "Averages stay in the triangle of their words, and no line parts + from −"
    figure.state = {"network": True, "all": True}
    assert figure.title == "The network leaves the triangle, and a line parts + from −"
    assert "takes it to (−2.00, 1.00), outside the hull" in figure.alt


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": [[0, 0]]}, r"values \(1, 2\), 4 words"),
        ({"phrase": 4}, "phrase 4"),
        ({"scores": [0.0]}, "1 scores"),
        ({"network": ([[1.0]], [0.0], [[1.0, 1.0]], [0.0, 0.0])}, r"network \(\(1, 1\)"),
    ],
)
def test_refuses_what_does_not_fit(change, message):
    with pytest.raises(ValueError, match=message):
        hull(**{**NOT_HAPPY, **change})
