"""A word that moves in the plane tells what `functional.attention` computes, and refuses what cannot be drawn."""

import re

import numpy as np
import pytest

from course_lib import functional
from course_lib.chapters.ch04_self_attention.figures import BANK, FLUFFY, word_moves

pytestmark = pytest.mark.share(2)

NUMBER = r"−?\d+\.\d\d"
WORDS = ["a", "b,", "c."]
AXES = (("left", "right"), ("down", "up"))


def vectors(text: str) -> np.ndarray:
    pairs = re.findall(rf"\(({NUMBER}), ({NUMBER})\)", text)
    return np.array([[float(n.replace("−", "-")) for n in pair] for pair in pairs])


def drawn(seed: int, d_k: int = 2, **options):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K, W_V = (rng.uniform(-1.5, 1.5, shape) for shape in [(3, 2), (2, d_k), (2, d_k), (2, 2)])
    figure = word_moves([(WORDS, X)], W_Q, W_K, W_V, axes=AXES, chosen=(0, seed % 3), **options)
    return figure, X, (X @ W_Q, X @ W_K, X @ W_V)


@pytest.mark.parametrize(
    ("seed", "d_k", "sharpness", "residual", "causal"),
    [
        (0, 2, 1.0, True, None),
        (1, 2, 0.0, False, False),
        (2, 5, 3.5, True, True),
        (4, 1, 2.0, False, True),
    ],
)
def test_tells_weights_pulls_and_new_places_as_attention_computes_them(
    seed, d_k, sharpness, residual, causal
):
    figure, X, (Q, K, V) = drawn(seed, d_k, sharpness=sharpness, residual=residual, causal=causal)
    word = seed % 3
    mask = np.tri(3, dtype=bool) if causal else None
    output, weights = functional.attention(sharpness * Q, K, V, mask)
    new = X + output if residual else output

    told = re.findall(rf"(\w) (\d+) %, which gives (\({NUMBER}, {NUMBER}\))", figure.alt)
    assert sorted(name for name, _, _ in told) == ["a", "b", "c"]
    for name, percent, pull in told:
        j = "abc".index(name)
        assert abs(int(percent) / 100 - weights[word, j]) <= 0.0051
        np.testing.assert_allclose(vectors(pull)[0], weights[word, j] * V[j], atol=0.0051)
    (total,) = re.findall(r"sum is (\([^)]*\))", figure.alt)
    np.testing.assert_allclose(vectors(total)[0], new[word], atol=0.0051)
    moves = vectors(figure.alt.split("All words move: ")[1])
    np.testing.assert_allclose(moves, np.stack([X, new], axis=1).reshape(6, 2), atol=0.0051)


@pytest.mark.parametrize("seed", range(6))
def test_the_title_names_the_longest_pull(seed):
    figure, _, (Q, K, V) = drawn(seed)
    word = seed % 3
    _, weights = functional.attention(Q, K, V)
    most = int(np.linalg.norm(weights[word, :, None] * V, axis=1).argmax())
    assert figure.title.endswith(
        "is moved most by itself" if most == word else f"is moved most by ‘{'abc'[most]}’"
    )


def test_one_word_in_two_sentences_is_one_vector_that_goes_to_two_places():
    figure = word_moves(**BANK)
    assert figure.title == "‘bank’ is moved most by ‘river’; in another sentence, by ‘money’"
    figure.state = {"sentence": 1}
    assert figure.title == "‘bank’ is moved most by ‘money’; in another sentence, by ‘river’"
    old = vectors(" ".join(re.findall(r"‘bank’ at (\([^)]*\))", figure.alt)))
    assert len(old) == 2
    assert (old[0] == old[1]).all()
    to_money, to_river = vectors(" ".join(re.findall(r"sum is (\([^)]*\))", figure.alt)))
    assert to_money[0] < -1 < 1 < to_river[0]


def test_a_word_that_is_dragged_takes_the_others_with_it():
    figure = word_moves(**FLUFFY)
    (words, X) = FLUFFY["sentences"][0]
    moved = np.array(X)
    moved[1] = [-1.5, 1.0]  # the cat, among the things
    figure.state = {"places": moved.tolist()}
    matrices = [np.array(FLUFFY[name]) for name in ("W_Q", "W_K", "W_V")]
    new = moved + functional.attention(*(moved @ W for W in matrices))[0]
    np.testing.assert_allclose(
        vectors(figure.alt.split("All words move: ")[1])[1::2], new, atol=0.0051, err_msg=str(words)
    )


def test_in_every_state_the_words_stay_in_the_plane():
    for example in (FLUFFY, BANK):
        props = word_moves(**example).given["props"]
        low, high = (np.array(props["centre"]) + sign * props["reach"] for sign in (-1, 1))
        for _, rows in example["sentences"]:
            X = np.array(rows)
            Q, K, V = (X @ np.array(example[name]) for name in ("W_Q", "W_K", "W_V"))
            for sharpness in np.linspace(0, 4, 41):
                output = functional.attention(sharpness * Q, K, V)[0]
                for places in (X, output, X + output):
                    assert (places >= low).all()
                    assert (places <= high).all()


I2 = np.eye(2)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"sentences": []}, "sentences is empty: expected at least one"),
        ({"sentences": [(WORDS, I2)]}, r"sentences\[0\] has 3 words and vectors \(2, 2\): expected"),
        ({"sentences": [([], np.zeros((0, 2)))]}, r"sentences\[0\] has 0 words"),
        ({"sentences": [(["a"], [[1, np.nan]])]}, r"sentences\[0\], vectors has numbers that are not finite"),
        (
            {"sentences": [(["a", "b"], [[1, 2], [3]])]},
            r"sentences\[0\], vectors: expected an array \(2, 2\)",
        ),
        ({"W_Q": np.ones((3, 2))}, r"W_Q is \(3, 2\): expected \(2, d_k\)"),
        ({"W_K": np.ones((2, 3))}, r"W_K is \(2, 3\): expected \(2, d_k\), and the same"),
        ({"W_V": np.ones((2, 3))}, r"W_V is \(2, 3\): expected \(2, 2\)"),
        ({"axes": (("a", "b"),)}, "axes is .*: expected"),
        ({"chosen": (0, 2)}, r"chosen is \(0, 2\): expected"),
        ({"sharpness": 5}, "sharpness is 5: expected 0 to 4"),
    ],
)
def test_refuses_what_it_cannot_show(changed, message):
    given = {"sentences": [(["a", "b"], I2)], "W_Q": I2, "W_K": I2, "W_V": I2, "axes": AXES}
    with pytest.raises(ValueError, match=message):
        word_moves(**{**given, **changed})


def test_each_sentence_has_one_arrow_that_ends_in_a_labelled_dot():
    figure = word_moves(**BANK)
    for state in ({}, {"show": "after"}, {"sentence": 1, "word": 1}):
        figure.state = {"pulls": False, **state}
        assert figure.svg.count("<polygon") == 2
        assert len(re.findall(r'<circle[^>]* fill="var\(--cf-output\)"', figure.svg)) == 2
        assert {"bank with river", "bank with money"} <= set(re.findall(r">([^<>]+)</text>", figure.svg))
    figure.state = {"pulls": False, "sentence": 1, "word": 2}  # lends, which is in one of them
    assert figure.svg.count("<polygon") == 1
    figure.state = {}  # and what it reads, head to tail
    assert figure.svg.count("<polygon") > 2


def test_what_few_readers_need_is_folded():
    svg = word_moves(**BANK, causal=False).svg
    assert ">More</text>" in svg
    for control in ("Sharpness", "kept", "earlier words"):
        assert control not in svg
