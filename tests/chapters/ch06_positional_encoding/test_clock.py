"""The clock that lives in the page: hands and scores are those of the course's own encodings, wherever it stands."""

import json
import re

import numpy as np
import pytest
import torch

from course_lib import functional
from course_lib.chapters.ch06_positional_encoding import clock
from course_lib.figures.page import PageFigure
from course_lib.model.positions import rotate
from tests.support.page_figures import turning

pytestmark = pytest.mark.share(2)


@pytest.fixture(scope="module")
def figure() -> PageFigure:
    return turning()


def at(x: list[float], position: int, way: str) -> np.ndarray:
    if way == "rotated":
        return rotate(torch.tensor([x], dtype=torch.float64), position).numpy()[0]
    return np.array(x) + functional.sinusoidal_encoding(1, len(x), start=position)[0]


def number(text: str) -> float:
    return float(text.replace("−", "-"))


STATES = [
    (start, key, way) for way in ("rotated", "added") for start, key in [(0, 1), (7, 1), (7, 6), (50, 8)]
]


@pytest.mark.parametrize(("start", "key", "way"), STATES)
def test_the_scores_are_dot_products_of_turned_or_shifted_vectors(figure, start, key, way):
    figure.state = {"start": start, "key": key, "way": way}
    props = figure.given["props"]
    q = at(props["q"], start + 6, way)
    expected = [q @ at(props["k"], start + j, way) for j in range(9)]
    told = [number(x) for x in re.findall(r"\(distance \S+\) (−?[\d.]+\d)", figure.alt)]
    np.testing.assert_allclose(told, expected, atol=5.1e-4)
    assert number(re.findall(r" Score: (\S+\d)\.", figure.alt)[0]) == pytest.approx(expected[key], abs=5.1e-4)
    adds = [number(x) for x in re.findall(r"which adds (−?[\d.]+\d)", figure.alt)]
    pairs = (q * at(props["k"], start + key, way)).reshape(-1, 2).sum(axis=1)
    np.testing.assert_allclose(adds, pairs, atol=5.1e-3)
    [total] = re.findall(r">together ([^<]+)<", figure.svg)
    *terms, sign, end = total.replace("−", "-").replace("- ", "-").replace("+ ", "").split()
    assert sum(map(float, terms)) == pytest.approx(float(end), abs=1e-6 if sign == "=" else 0.021)


@pytest.mark.parametrize(("start", "key", "way"), STATES)
def test_the_hands_stand_where_the_vectors_point(figure, start, key, way):
    figure.state = {"start": start, "key": key, "way": way}
    props = figure.given["props"]
    hands = [at(props["q"], start + 6, way), at(props["k"], start + key, way)]
    found = re.findall(r"query at (\S+)°, key at (\S+)°, between them (\S+)°", figure.alt)
    assert len(found) == 4
    for p, told in enumerate(found):
        pairs = [x[2 * p] + 1j * x[2 * p + 1] for x in hands]
        expected = [np.degrees(np.angle(z)) % 360 for z in pairs]
        apart = np.degrees(np.abs(np.angle(pairs[0] / pairs[1])))
        for x, y in zip(map(number, told), [*expected, apart], strict=True):
            assert abs((x - y + 180) % 360 - 180) < 0.051


def angles(figure: PageFigure) -> list[str]:
    return re.findall(r"between them \S+|Scores with all words.*", figure.alt)


def test_rotated_the_whole_row_of_scores_stays_when_the_sentence_moves_and_added_it_does_not(figure):
    told = {}
    for way in ("rotated", "added"):
        for start in (0, 23):
            figure.state = {"way": way, "start": start}
            told[way, start] = angles(figure)
    assert told["rotated", 0] == told["rotated", 23]
    assert told["added", 0] != told["added", 23]


def test_titles_say_what_stands_there(figure):
    for state, title in [
        ({"start": 0, "key": 1}, r"‘chased’ and ‘cat’ stand 5 positions apart: their score is \S+"),
        ({"start": 0, "key": 6}, r"‘chased’ and its own key: their score is \S+"),
        (
            {"start": 1},
            r"Moved by 1 position: query and key turn. The angles between them stay, and so does the score: \S+",
        ),
        (
            {"start": 9, "way": "added"},
            r"Added instead: move the sentence by 9 positions, and the score goes from .*",
        ),
        ({"start": 0, "way": "added"}, r"Added instead: ‘chased’ and ‘cat’ score \S+ Now move the sentence"),
    ]:
        figure.state = state
        assert re.fullmatch(title, figure.title), figure.title


def test_it_is_small(figure):
    assert len(json.dumps(figure.given)) < 1_000


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"query": [1.0, 0.0]}, r"query \(2,\) and key \(4,\): expected \(4,\), \(6,\) or \(8,\)"),
        ({"key": [1.0] * 6}, r"query \(4,\) and key \(6,\)"),
        ({"asks": 2}, "asks is 2, asked is 0: expected positions in 2 words"),
        ({"start": 51}, "start is 51: expected 0 … 50"),
    ],
)
def test_what_does_not_fit_is_named(changed, message):
    fitting = {"query": [1.0] * 4, "key": [1.0] * 4, "asks": 1, "asked": 0}
    with pytest.raises(ValueError, match=message):
        clock(["a", "b"], **{**fitting, **changed})


HAND = (
    r'<g stroke="var\(--cf-(query|key)\)" stroke-linecap="round"><line[^>]*></line>'
    r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"'
)


def hands(figure: PageFigure) -> list[tuple[str, complex]]:
    """The hands as they are drawn, the first number of a pair upwards: query or key, and the vector."""
    found = re.findall(HAND, figure.svg)
    ends = [(side, [float(x) for x in ends]) for side, *ends in found]
    return [(side, complex(y1 - y2, x2 - x1)) for side, (x1, y1, x2, y2) in ends]


@pytest.mark.parametrize(("start", "key", "way"), STATES)
def test_the_hands_are_drawn_as_told_equally_long_unless_something_is_added(figure, start, key, way):
    figure.state = {"start": start, "key": key, "way": way}
    props, drawn = figure.given["props"], hands(figure)
    assert [side for side, _ in drawn] == ["key", "query"] * 4
    vectors = {"query": at(props["q"], start + 6, way), "key": at(props["k"], start + key, way)}
    pairs = [
        vectors[side][2 * (i // 2)] + 1j * vectors[side][2 * (i // 2) + 1]
        for i, (side, _) in enumerate(drawn)
    ]
    for pair, (_, hand) in zip(pairs, drawn, strict=True):
        assert np.angle(pair / hand) == pytest.approx(0, abs=1e-6)
    lengths = np.abs([hand for _, hand in drawn])
    expected = np.ones(8) if way == "rotated" else np.abs(pairs)
    np.testing.assert_allclose(lengths / lengths[0], expected / expected[0], rtol=1e-6)


def test_every_dial_has_both_letters_and_its_angle(figure):
    figure.state = {}
    texts = re.findall(r">([^<>]+)</text>", figure.svg)
    told = re.findall(r"between them ([\d.]+)°", figure.alt)
    for angle in told:
        assert f"{float(angle):.0f}°" in texts or f"{angle}°" in texts
    assert [texts.count(letter) for letter in "QK"] == [5, 5]  # and above their words
