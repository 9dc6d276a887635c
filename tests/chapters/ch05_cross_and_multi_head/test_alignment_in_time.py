"""The alignment that lives in the page: what it reads is attention, shuffled or not, and it can be heard."""

import json
import re

import numpy as np
import pytest

from course_lib import functional
from course_lib.chapters.ch05_cross_and_multi_head import alignment_in_time
from course_lib.figures.page import PageFigure
from tests.support.page_figures import alignment


@pytest.fixture(scope="module")
def figure() -> PageFigure:
    return alignment()


def attention(figure: PageFigure, asks: str, clock: bool) -> tuple[np.ndarray, np.ndarray]:
    props = figure.given["props"]
    rows = {"words": np.array(props["sounds"]), "frames": np.array(props["frames"])}
    keys = "words" if asks == "frames" else "frames"
    Q, K = props["sharpness"] * rows[asks], rows[keys]
    if clock:
        Q = np.hstack([Q, props["clock"]["sharpness"] * np.array(props["clock"][asks])])
        K = np.hstack([K, props["clock"][keys]])
    V = np.arange(len(K)) if keys == "words" else (np.arange(len(K)) + 0.5) * props["seconds"]
    output, weights = functional.attention(Q, K, V[:, None])
    return output[:, 0], weights


def output_of(figure: PageFigure) -> str:
    [found] = re.findall(r"Its output is ([\d.]+)", figure.alt)
    return found


def percentages(figure: PageFigure) -> list[int]:
    return [int(share) for share in re.findall(r"(\d+) %", figure.alt)]


@pytest.mark.parametrize("clock", [False, True])
@pytest.mark.parametrize("frame", [1, 8, 17, 20])
@pytest.mark.share(2)
def test_a_frame_reads_the_words_with_the_weights_of_attention(figure, frame, clock):
    figure.state = {"at": frame, "clock": "with" if clock else "without"}
    output, weights = attention(figure, "frames", clock)
    assert percentages(figure) == pytest.approx(100 * weights[frame], abs=0.51)
    assert output_of(figure) == f"{output[frame]:.1f}"


@pytest.mark.parametrize("clock", [False, True])
@pytest.mark.parametrize("word", [2, 4])
def test_a_word_reads_the_frames_with_the_weights_of_attention(figure, word, clock):
    figure.state = {"asks": "words", "side": "words", "at": word, "clock": "with" if clock else "without"}
    output, weights = attention(figure, "words", clock)
    spoken = np.array(figure.given["props"]["spoken"])
    of_words = [100 * weights[word, spoken == j].sum() for j in range(7)]
    assert percentages(figure) == pytest.approx(of_words, abs=0.51)
    assert output_of(figure) == f"{output[word]:.2f}"


@pytest.mark.parametrize("state", [{"at": 17}, {"asks": "words", "side": "words", "at": 4, "clock": "with"}])
def test_shuffled_keys_and_values_move_the_lines_and_leave_weights_and_outputs(figure, state):
    figure.state = state
    before = percentages(figure), output_of(figure), figure.svg
    figure.state = {**state, "shuffle": 5}
    assert (percentages(figure), output_of(figure)) == before[:2]
    lines, moved = (re.findall(r'<path d="M[^"]* C[^"]*"', svg) for svg in (before[2], figure.svg))
    assert len(lines) == len(moved)
    assert set(lines) != set(moved)
    dots, same = (re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg) for svg in (before[2], figure.svg))
    assert np.allclose(np.array(dots, float), np.array(same, float), rtol=1e-12)
    assert "no output changes" in figure.title


def test_it_says_when_each_word_is_said(figure):
    figure.state = {}
    assert "He from 0.0 to 0.3 seconds, is from 0.3 to 0.5 seconds, singing from 0.5 to 1.1" in figure.alt


def test_titles_say_what_content_cannot_tell_and_positions_can(figure):
    figure.state = {}
    assert (
        figure.title
        == "A frame of the second ‘he’ reads both ‘he’, so its output is 2.0: the number of ‘singing’"
    )
    figure.state = {"clock": "with"}
    assert figure.title == "With positions, the two ‘he’ come apart"


@pytest.mark.parametrize(
    ("state", "sum_"),
    [
        ({}, "½ × 0 + ½ × 4 = 2.0"),
        ({"clock": "with"}, None),
        ({"at": 3}, "½ × 1 + ½ × 5 = 3.0"),
        ({"at": 8}, None),
        ({"asks": "words", "side": "words", "at": 4}, "= 0.81 s"),
    ],
)
def test_an_average_is_written_out(figure, state, sum_):
    figure.state = state
    written = re.findall(r"\(([^()]* × [^()]*)\); right is", figure.alt)
    if sum_ is None:
        assert written == []
        assert " × " not in figure.svg
        return
    [line] = written
    assert sum_ in line
    assert line in figure.svg
    terms = re.findall(r"(½|[\d.]+) × ([\d.]+)", line)
    total = sum((0.5 if share == "½" else float(share)) * float(value) for share, value in terms)
    assert total == pytest.approx(float(output_of(figure)), abs=0.05)


def test_both_equal_words_are_shown_with_and_without_positions(figure):
    state = {"asks": "words", "side": "words", "at": 4}
    for clock, n_moved in (("without", 0), ("with", 2)):
        figure.state = state | {"clock": clock}
        assert figure.svg.count('stroke-dasharray="3 2"') == n_moved
        assert ". The second ‘he’ reads the frames of" in figure.alt
    figure.state = {"clock": "with"}  # of a frame, its own output only
    assert figure.svg.count('stroke-dasharray="3 2"') == 1
    assert ", which says the second ‘he’, reads the first" in figure.alt


def test_values_have_their_letter(figure):
    for state in ({}, {"asks": "words", "side": "words", "at": 4}):
        figure.state = state
        assert figure.svg.count(">V</text>") == 1
        assert ">value</text>" in figure.svg


def test_it_is_small_and_the_clock_may_be_left_out(figure):
    assert len(json.dumps(figure.given)) < 10_000
    bare = alignment_in_time(["a"], [[1.0]], [[1.0], [0.5]], [0, 0])
    assert "clock" not in bare.given["props"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"sounds": [1.0, -1.0]}, r"sounds \(2,\): expected \(L_words, bands\) with 2 words"),
        ({"frames": [[1.0, 1.0]]}, r"frames \(1, 2\): expected \(L_frames, 1\)"),
        ({"spoken": [0, 0]}, r"spoken \(2,\): expected \(2,\), one of 0 … 1 for each frame"),
        ({"spoken": [0, 1, 1]}, r"spoken \(3,\): expected \(2,\)"),
        ({"sounds": [[1.0], [np.nan]]}, "sounds and frames: expected finite numbers"),
        ({"frame_seconds": 0}, "frame_seconds 0: expected more than 0"),
        ({"word_clock": np.eye(2)}, r"word_clock \(2, 2\) and frame_clock \(0,\): expected \(2, d\)"),
    ],
)
def test_what_does_not_fit_is_named(changed, message):
    fitting = {"words": ["a", "b"], "sounds": [[1.0], [-1.0]], "frames": [[1.0], [-1.0]], "spoken": [0, 1]}
    with pytest.raises(ValueError, match=message):
        alignment_in_time(**{**fitting, **changed})
