"""Receptive fields: the reach is what PyTorch's derivatives say, and the picture tells it."""

import re

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.chapters.ch01_why_attention import agreement
from course_lib.chapters.ch01_why_attention.agreement import SHORT, Look, draw_sentences
from course_lib.chapters.ch01_why_attention.figures import (
    PHONE,
    _cone,
    colours,
    leads,
    learning,
    near_and_far,
    paired,
    reach,
    reached,
    recall,
    receptive_field,
)

pytestmark = pytest.mark.share(2)

WORDS = [f"w{i}" for i in range(24)]


def influences(length: int, position: int, kernel_size: int, n_layers: int, doubling: bool) -> set[int]:
    """Positions on which the output at `position` depends, by the derivatives of stacked Conv1d of ones."""
    layers = []
    for layer in range(n_layers):
        step = 2**layer if doubling else 1
        convolution = nn.Conv1d(1, 1, kernel_size, padding=step * (kernel_size // 2), dilation=step)
        nn.init.ones_(convolution.weight)
        layers.append(convolution)
    x = torch.zeros(1, 1, length, requires_grad=True)
    nn.Sequential(*layers)(x)[0, 0, position].backward()
    return set(x.grad[0, 0].nonzero().flatten().tolist())


@pytest.mark.parametrize("doubling", [False, True])
@pytest.mark.parametrize("n_layers", [1, 2, 3])
@pytest.mark.parametrize("kernel_size", [1, 3, 5])
def test_cone_and_reach_are_what_derivatives_say(kernel_size, n_layers, doubling):
    for position in (0, 11, 22):
        expected = influences(24, position, kernel_size, n_layers, doubling)
        assert _cone(24, position, kernel_size, n_layers, doubling)[0] == expected
    far = influences(201, 100, kernel_size, n_layers, doubling)
    assert max(far) - 100 == 100 - min(far) == reach(kernel_size, n_layers, doubling)


@pytest.mark.parametrize(("wanted", "told"), [(5, "inside"), (4, "outside"), (17, "inside"), (18, "outside")])
def test_the_words_tell_what_is_seen(wanted, told):
    alt = receptive_field(WORDS, asking=11, wanted=wanted, kernel_size=5, n_layers=3).alt
    assert "positions 5 to 17, 'w5' to 'w17'" in alt
    assert re.search(rf"lies {abs(wanted - 11)} words away, {told}: the reach is 6\.$", alt)


def test_one_word_and_one_convolution_are_singular():
    alt = receptive_field(["a", "b"], asking=1, wanted=0, kernel_size=3, n_layers=1).alt
    assert "through 1 convolution of" in alt
    assert "lies 1 word away" in alt


def test_the_picture_grows_with_the_layers_and_changes_with_the_kernel():
    def picture(**change):
        return receptive_field(
            **{"words": WORDS, "asking": 11, "wanted": 2, "kernel_size": 3, "n_layers": 2} | change
        )

    assert picture(n_layers=4).height > picture().height
    assert picture(kernel_size=5).png != picture().png
    assert picture(doubling=True).png != picture().png
    assert "with doubling dilation" in picture(doubling=True).alt


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"asking": 24}, "asking 24"),
        ({"wanted": -1}, "wanted -1"),
        ({"n_layers": 0}, "n_layers 0"),
        ({"kernel_size": 4}, "kernel_size 4"),
        ({"kernel_size": -1}, "kernel_size -1"),
    ],
)
def test_what_makes_no_sense_is_named(change, told):
    with pytest.raises(ValueError, match=told):
        receptive_field(
            **{"words": WORDS, "asking": 11, "wanted": 2, "kernel_size": 3, "n_layers": 2} | change
        )


def test_a_negative_depth_has_no_reach():
    with pytest.raises(ValueError, match="n_layers -1"):
        reach(3, -1)
    assert np.all([reach(1, n) == 0 for n in range(4)])


def test_which_weights_get_a_gradient_is_counted_in_words():
    sentences = draw_sentences(3, "alone", SHORT, torch.Generator().manual_seed(0))
    gradient = torch.zeros(20, 20)
    gradient[sentences.verbs, :4] = 1.0
    rows = len(set(sentences.verbs.tolist()))
    alt = reached(gradient, sentences, title="Few").alt
    assert alt.startswith("Few. A grid of 20 × 20 weights")
    assert f"{4 * rows} get a gradient" in alt
    assert f"{400 - 4 * rows} get none" in alt


def test_what_is_learned_is_told_from_first_to_last():
    alt = learning([0.7, 0.3, 0.1], [0.1, 0.2, 0.7]).alt
    assert "Two curves over 3 steps. Loss: from 0.7 to 0.1." in alt
    assert alt.endswith("from 0.1 to 0.7.")


def test_a_network_has_one_colour_whatever_its_size():
    assert len({*colours(["GRU", "GRU, state of 4", "GRU, gate +3"]).values()}) == 1
    names = ["convolution", "dense", "GRU", "attention", "attention with positions", "bag of words"]
    assert len({*colours(names).values()}) == 6
    assert {*colours(["bag of words", "bag, width 4"]).values()} == {colours(names)["bag of words"]}


def test_a_memory_is_told_by_what_it_recalls_and_keeps():
    alt = recall({"attention, width 2": np.ones((3, 7)), "bag, width 4": np.full((3, 7), 0.5)}).alt
    assert "attention, width 2: 1 of 1 pair, 1 of 16; it keeps 4 numbers of 1, 64 of 16." in alt
    assert "bag, width 4: 0.5 of 1 pair, 0.5 of 16; it keeps 4 numbers of 1, 4 of 16." in alt


def test_every_figure_has_a_form_for_phones_that_says_the_same():
    pictures = [
        receptive_field(WORDS[:10], asking=8, wanted=1, kernel_size=5, n_layers=3),
        learning([0.7, 0.3, 0.1], [0.1, 0.2, 0.7]),
        recall({"attention, width 2": np.ones((3, 7)), "bag, width 4": np.full((3, 7), 0.5)}),
        near_and_far(agreement.records("nearest")),
    ]
    for picture in pictures:
        assert picture.narrow is not None
        assert picture.narrow.width == round(PHONE * 96) < picture.width
        assert picture.narrow.alt == picture.alt


def test_pairs_are_told_with_what_stands_beside_them():
    alt = paired(
        {"a": {"GRU": (1.0, 0.5)}, "b": {"GRU": (0.25, 0.75)}}, dots=("near", "far"), x_label="right answers",
        beside={"a": {"GRU": "0.9"}}, beside_label="weight", level=("a coin", 0.5), title="Two",
    ).alt  # fmt: skip
    assert alt == (
        "Two. Pairs of right answers, near and far. a, GRU: 1 and 0.5, weight 0.9. b, GRU: 0.25 and 0.75. a coin: 0.5."
    )


def test_the_best_at_far_subjects_comes_first():
    alt = near_and_far(agreement.records("nearest")).alt
    order = ["GRU", "attention with positions", "dense", "attention", "bag of words", "convolution"]
    places = [alt.index(f" {name}: ") for name in order]
    assert places == sorted(places)


def test_leads_are_told_with_the_weight_on_the_subject():
    look = Look(subject=0.54, itself=0.1, nouns=0.2, lead=12.95, without=-3.0, right=1.0, right_without=0.0)
    looks = {"are over": look}
    assert "without. are over: 12.9 and −3, weight 0.54." in leads([looks]).alt
    assert "seed 1, are over: 12.9 and −3, weight 0.54." in leads([looks, looks]).alt
