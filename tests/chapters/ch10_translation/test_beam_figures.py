"""The tree of a beam search: its words tell the numbers of the search, its edges do not cross, nothing overlaps."""

import math
import re
from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
import torch
from PIL import Image

from course_lib.chapters.ch10_translation import beam_figures as beam
from course_lib.chapters.ch10_translation.beam_figures import (
    BOX,
    MARGIN,
    ROW,
    TOKEN,
    WIDTH,
    _columns,
    _letters,
    _rows,
    _spots,
    _Tree,
    beam_tree,
)
from course_lib.decoding import BeamTrace, Candidate, beam_search
from course_lib.figures.palette import COLOURS, rgb
from course_lib.special_ids import EOS_ID
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import typeset_french
from tests.support.models import sentences, small_transformer

pytestmark = pytest.mark.share(2)

WORDS = WordTokeniser.train(["la souris a aimé cet extraordinaire chat ."])
SETTINGS = [(width, seed) for width in (1, 2, 4, 6) for seed in range(5)]


def searched(width: int, seed: int = 0, max_length: int = 14) -> BeamTrace:
    """The trace of a model with random weights, whose vocabulary is that of WORDS."""
    model = small_transformer(seed=seed, n_target_vocab=len(WORDS)).eval()
    with torch.no_grad():
        model.output.weight.mul_(2)
    trace: BeamTrace = []
    beam_search(model, sentences(11, [4], seed), max_length, width, trace=trace)
    return trace


def greedy(seed: int = 0) -> list[Candidate]:
    return [c for step in searched(1, seed) for c in step if c.fate != "dropped"]


def fixed(x: float) -> str:
    return f"{x:.2f}".replace("-", "−")


def written(c: Candidate) -> str:
    """What is said of a beginning that lives on or was dropped."""
    return f"'{typeset_french(WORDS.decode(c.ids))}{' </s>' if c.ids[-1] == EOS_ID else ''}' {fixed(c.log_probability)}"


@pytest.mark.parametrize(("width", "seed"), [(1, 0), (2, 1), (4, 2), (6, 3)])
def test_the_words_tell_what_lives_on_what_was_dropped_and_the_ranking(width, seed):
    trace = searched(width, seed)
    for step in (1, len(trace) // 2, len(trace)):
        alt = beam_tree(trace, WORDS, width=width, step=step, alpha=0.6).alt
        live = [written(c) for c in trace[step - 1] if c.fate == "lives on"]
        far = max(c.log_probability for c in trace[step - 1]) - math.log(1000)
        near = [c for c in trace[step - 1] if c.fate == "dropped" and c.log_probability > far]
        dropped = [written(c) for c in near][:2]
        assert (f" Live: {', '.join(live)}." in alt) if live else ("Live: " not in alt)
        assert (f" Dropped: {', '.join(dropped)}." in alt) if dropped else ("Dropped: " not in alt)
        assert alt.startswith(f"Step {step} of {len(trace)}{', the search is over' * (step == len(trace))}: ")
        ends = [
            (c.log_probability / ((5 + len(c.ids)) / 6) ** 0.6, c)
            for weighed in trace[:step]
            for c in weighed
            if c.fate in ("finished", "cut")
        ]
        ends.sort(key=lambda end: -end[0])
        told = re.findall(r"(\d+)\. '[^']*' ln p (−?\d+\.\d+), length (\d+), score (−?\d+\.\d+)", alt)
        assert told == [
            (str(i), fixed(c.log_probability), str(len(c.ids)), f"{score:.3f}".replace("-", "−"))
            for i, (score, c) in enumerate(ends[:width], start=1)
        ]


@pytest.mark.parametrize(("width", "seed"), SETTINGS)
def test_children_stand_in_the_order_of_their_parents_a_row_apart(width, seed):
    columns = _columns(searched(width, seed), greedy(seed))
    rows = _rows(columns)
    before = {(): 0}
    for column in columns:
        parents = [before[c.ids[:-1]] for c in column]
        assert parents == sorted(parents)
        assert all(rows[low.ids] - rows[high.ids] > 1 - 1e-9 for high, low in pairwise(column))
        before = {c.ids: place for place, c in enumerate(column)}


@pytest.mark.parametrize(("width", "seed"), SETTINGS)
def test_no_other_rows_are_nearer_to_the_parents(width, seed):
    columns, generator = _columns(searched(width, seed), ()), np.random.default_rng(seed)
    rows = _rows(columns)
    for column in columns:
        grown = [
            sum(c.ids == d.ids[: len(c.ids)] and c is not d for other in columns for d in other)
            for c in column
        ]
        weights = np.square(grown) + 0.1
        parents = np.array([rows[c.ids[:-1]] for c in column])
        ours = np.array([rows[c.ids] for c in column])
        cost = (weights * (ours - parents) ** 2).sum()
        for _ in range(200):
            others = ours + generator.normal(scale=10.0 ** generator.uniform(-3, 1), size=len(column))
            places = np.arange(len(column))
            others = np.maximum.accumulate(others - places) + places  # again a row apart
            assert (weights * (others - parents) ** 2).sum() >= cost - 1e-9


@pytest.mark.parametrize(("width", "seed"), SETTINGS)
def test_every_step_finds_room_beside_the_others(width, seed):
    trace = searched(width, seed)
    tree = _Tree.grown(trace, greedy(seed), WORDS)
    finished = {c.ids for weighed in trace for c in weighed if c.fate == "finished"}
    for step in range(1, len(trace) + 1):
        spots = _spots(tree, step, top=0.0)
        assert {c.ids for c in tree.columns[step - 1]} <= set(
            spots
        )  # whatever is left out, this step is there
        for ids, spot in spots.items():
            assert spot.left >= MARGIN - 1e-9
            assert spot.left < spot.right <= spot.column_end <= WIDTH - MARGIN + 1e-9
            assert BOX / 2 < spot.y < ROW * tree.height
            text = tree.labels[ids] + " 6." * (ids in finished)
            assert _letters(text, TOKEN)[1] < spot.right - spot.left
            if parent := spots.get(ids[:-1]) if ids else None:
                assert parent.column_end < spot.left


def test_a_long_search_leaves_out_early_steps_and_says_so():
    words = [6 + i % 8 for i in range(30)]
    trace = [[Candidate(tuple(words[:n]), -n, "lives on")] for n in range(1, 31)]
    assert "No room" not in beam_tree(trace, WORDS, width=1, step=5).alt
    alt = beam_tree(trace, WORDS, width=1).alt
    left_out = int(re.search(r"\(No room for steps 1 to (\d+)\.\)", alt)[1])
    assert 10 < left_out < 25


A, B, C = (WORDS.encode(word)[0] for word in ("chat", "souris", "aimé"))
FORK = [
    [Candidate((A,), -0.4, "lives on"), Candidate((B,), -1.2, "lives on"), Candidate((C,), -3, "dropped")],
    [
        Candidate((A, EOS_ID), -2.0, "finished"),
        Candidate((B, C), -2.3, "lives on"),
        Candidate((B, A), -2.4, "lives on"),
        Candidate((A, A), -2.5, "dropped"),
    ],
    [Candidate((B, C, EOS_ID), -2.35, "finished"), Candidate((B, C, C), -9.0, "dropped")],
]
OWN = [
    Candidate((A,), -0.4, "lives on"),
    Candidate((A, C), -2.6, "lives on"),
    Candidate((A, C, EOS_ID), -2.7, "finished"),
]


def test_alpha_changes_the_winner_and_its_path():
    first = {alpha: beam_tree(FORK, WORDS, width=2, alpha=alpha) for alpha in (0.0, 3.0)}
    assert "α = 0: 1. 'chat' ln p −2.00, length 2, score −2.000; 2. 'souris aimé'" in first[0.0].alt
    assert "α = 3: 1. 'souris aimé' ln p −2.35, length 3, score −0.991; 2. 'chat'" in first[3.0].alt
    blue = [
        np.argwhere((np.abs(pixels(p)[:-70] - 255 * rgb(COLOURS[0])) < 5).all(-1)) for p in first.values()
    ]  # no legend, which stands at the end
    ends = [found[:, 1].max() for found in blue]
    assert ends[1] > ends[0] + 100  # a step farther to the right


def pixels(picture):
    return np.asarray(Image.open(BytesIO(picture.png)).convert("RGB"))


def test_as_many_are_ranked_as_the_beam_is_wide():
    assert "2. 'chat'" not in beam_tree(FORK, WORDS, width=1, alpha=3.0).alt


def test_what_greedy_search_writes_is_followed_to_its_end():
    def last_words(step, own=OWN):
        return beam_tree(FORK, WORDS, width=2, greedy=own, step=step).alt.partition("Greedy search ")[2]

    number = "writes 'chat aimé' ln p −2.70, length 3, score −2.025"
    assert [last_words(step) for step in range(3)] == ["", "", ""]  # nothing is given away before the end
    assert last_words(3) == f"{number}, dropped at step 2."
    ranked = [FORK[0][1], FORK[1][1], FORK[2][0]]
    assert last_words(3, ranked) == "writes number 2."
    assert "Greedy" not in beam_tree(FORK, WORDS, width=2).alt


def test_what_was_thrown_away_far_behind_is_neither_drawn_nor_told():
    def drawn(log_probability):
        behind = Candidate((C,), log_probability, "dropped")
        trace = [[Candidate((A,), -0.4, "lives on"), behind]]
        told = "Dropped" in beam_tree(trace, WORDS, width=1).alt
        assert (behind in _columns(trace, ())[0]) == told
        return told

    assert drawn(-0.4 - math.log(999))
    assert not drawn(-0.4 - math.log(1001))
    own = [Candidate((C,), -20.0, "finished")]
    assert replace(own[0], fate="dropped") in _columns([[Candidate((A,), -0.4, "lives on")]], own)[0]


def test_greedy_search_is_drawn_even_where_the_search_did_not_weigh_it():
    drawn = _columns(FORK, OWN)
    assert Candidate((A, C), -2.6, "dropped") in drawn[1]
    assert not any(c.ids[:2] == (A, C) for c in drawn[2])
    assert sum(len(column) for column in drawn) == sum(len(column) for column in _columns(FORK, ())) + 1


def test_what_was_cut_is_ranked_and_told():
    trace = [[Candidate((A,), -0.5, "cut"), Candidate((EOS_ID,), -0.9, "finished")]]
    alt = beam_tree(trace, WORDS, width=2, alpha=0).alt
    assert "1 has finished, 1 has been cut" in alt
    assert "1. 'chat …' ln p −0.50, length 1" in alt
    assert "2. '' ln p −0.90, length 1" in alt


@pytest.mark.parametrize(
    ("ids", "fate", "look"),
    [
        ((A,), "lives on", ("whole edge", "outlined", "light")),
        ((EOS_ID,), "finished", ("whole edge", "outlined", "dark")),
        ((A,), "cut", ("whole edge", "outlined", "dark")),
        ((A,), "dropped", ("broken edge", "bare", "light")),
    ],
)
def test_what_lives_what_ends_and_what_is_dropped_differ_without_colour(ids, fate, look, monkeypatch):
    spots = {}
    monkeypatch.setattr(beam, "_spots", lambda *a, **k: spots.update(_spots(*a, **k)) or spots)
    picture = beam_tree([[Candidate(ids, -1.0, fate)]], WORDS, width=1)
    dark = np.asarray(Image.open(BytesIO(picture.png)).convert("L")) < 160
    x, right, y, top = (
        round(2 * 96 * inches)
        for inches in (spots[ids].left, spots[ids].right, spots[ids].y, spots[ids].y - BOX / 2)
    )
    edge = dark[y - 2 : y + 3, round(2 * 96 * spots[()].right) + 5 : x - 5].any(axis=0)
    outline = dark[top - 2 : top + 3, (x + right) // 2]
    assert look == (
        "whole edge" if edge.all() else "broken edge",
        "outlined" if outline.any() else "bare",
        "dark" if dark[y, x + 8] else "light",
    )


def test_the_legend_stands_below_all_else(monkeypatch):
    heights = {}
    for name in ("tree", "ranking", "legend"):
        whole = getattr(beam, f"_paint_{name}")
        monkeypatch.setattr(
            beam,
            f"_paint_{name}",
            lambda axis, words, y, *more, name=name, whole=whole: (
                heights.update({name: y}) or whole(axis, words, y, *more)
            ),
        )
    picture = beam_tree(FORK, WORDS, width=2)
    assert heights["tree"] < heights["ranking"] < heights["legend"] < picture.height / 96


def test_nothing_touches_the_edge():
    short, title = beam_tree(searched(1), WORDS, width=1), r"$\frac$ wide " * 20
    assert beam_tree(searched(1), WORDS, width=1, title=title).height > short.height + 40  # on several lines
    for width, step in ((6, None), (6, 3), (1, None)):
        picture = beam_tree(searched(width), WORDS, width=width, step=step, greedy=greedy(), title=title)
        image = pixels(picture).astype(int)
        border = np.concatenate(
            [
                image[:3].reshape(-1, 3),
                image[-3:].reshape(-1, 3),
                image[:, :3].reshape(-1, 3),
                image[:, -3:].reshape(-1, 3),
            ]
        )
        assert np.ptp(border, axis=0).max() == 0
        assert picture.width <= 900


@pytest.mark.parametrize(
    ("trace", "step", "told"),
    [([], None, "trace is empty"), (FORK, 4, "step 4: expected one from 0 to 3"), (FORK, -1, "step -1")],
)
def test_what_cannot_be_drawn_is_named(trace, step, told):
    with pytest.raises(ValueError, match=told):
        beam_tree(trace, WORDS, width=2, step=step)
