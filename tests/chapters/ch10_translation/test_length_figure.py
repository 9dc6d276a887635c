"""Quality against length: the numbers of the records, in words, and what does not belong together is refused."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from course_lib.chapters.ch10_translation import length_figure
from course_lib.chapters.ch10_translation.figures import LENGTH_MODELS, SQUEEZED

pytestmark = pytest.mark.share(2)

RESULTS = Path(__file__).parents[3] / "results"


def record(name: str, folder: Path = RESULTS) -> dict:
    return json.loads((folder / f"embedded/{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("search", ["greedy", "beam 5"])
def test_tells_the_middle_of_the_seeds_and_their_range(search):
    alt = length_figure(RESULTS, search=search).alt.replace("\xa0", " ")
    told = dict(
        zip(
            ["test", "longer"], alt.partition(". Sentences in training")[0].split(" words: ")[1:], strict=True
        )
    )
    for part, words in told.items():
        for run, name in LENGTH_MODELS.items():
            shares = [
                100 * record(f"{run}-{seed}")["quality"][part][search]["exact_match"] for seed in range(3)
            ]
            middle, low, high = re.search(
                rf"\b{name} ([\d.]+) % \(([\d.]+) % to ([\d.]+) %\)", words
            ).groups()
            expected = np.median(shares), min(shares), max(shares)
            np.testing.assert_allclose([float(middle), float(low), float(high)], expected, atol=0.051)
    assert "1000 sentences of 3 to 12 words: " in alt
    assert "Sentences in training had up to 12 words." in alt
    assert "Lines that cross: those of Transformer and GRU with attention." in alt


def test_the_title_is_the_finding():
    title = length_figure(RESULTS, search="beam 5").title.replace("\xa0", " ")
    assert title.startswith("On longer sentences the order turns: GRU with attention translates ")
    alone = length_figure(RESULTS, {"gru": "GRU"})
    assert alone.title == "GRU leads at every length: 5.2\xa0% exact at 13 to 33 words"
    assert "No lines cross." in alone.alt


def test_title_and_curves_are_of_the_same_runs():
    figure = length_figure(RESULTS)
    counts = record("lengths")["counts"]
    exact = {name: sum(right for _, _, right in counts[f"{name}-0"]["longer"]) for name in LENGTH_MODELS
             if f"{name}-0" in counts}  # fmt: skip
    told = {name: f"{exact[name] / 5:.1f} %" for name in ("transformer", "gru-attention")}  # of 500
    assert figure.title.replace("\xa0", " ") == (
        f"On longer sentences the order turns: GRU with attention translates {told['gru-attention']} exactly, "
        f"Transformer {told['transformer']}"
    )
    drawn = figure.svg.partition("</title>")[2].replace("\xa0", " ")
    for name, share in told.items():
        assert f">{LENGTH_MODELS[name]} {share}<" in drawn


def test_single_lengths_of_one_run_are_those_of_their_record():
    figure = length_figure(RESULTS)
    alt = figure.alt.replace("\xa0", " ")
    for run, name in LENGTH_MODELS.items():
        counts = record("lengths")["counts"].get(f"{run}-0")
        told = re.search(rf"{name}, one run, by words: ([^.]+)\.", alt)
        assert (told is None) == (counts is None)
        if counts is None:
            continue
        rows = [row for part in counts.values() for row in part]
        assert sum(n for _, n, _ in rows) == 1500
        shares = dict(pair.split(": ") for pair in told[1].split(", "))
        for words, n, exact in rows:
            if n >= 20 and 4 < words < 20:
                assert shares[str(words)] == f"{100 * exact / n:.0f} %"
    assert "Between 12 and 15 words: Transformer from 95 % to 13 %" in alt
    assert "one run" not in length_figure(RESULTS, search="beam 5").alt


def test_a_length_is_told_and_another_can_be_chosen():
    figure = length_figure(RESULTS)
    assert figure.alt.endswith("Pointed at: 15 words. Seeds are not drawn.")
    before = figure.svg
    assert "15 words, " in before
    assert "Transformer 13 %" in before.replace("\xa0", " ")
    figure.state = {"at": 0}
    assert "15 words, " not in figure.svg
    assert "Pointed at: 15 words" not in figure.alt


def test_all_models_and_seeds_are_folded_behind_one_button():
    figure = length_figure(RESULTS)
    assert "Show all 3 models, every seed" in figure.svg
    assert "every seed" not in figure.alt
    assert "All models, both tests" not in figure.svg
    figure.state = {"seeds": True}
    assert "All models, both tests" in figure.svg
    assert figure.alt.endswith("Chosen: Longer sentences.")
    figure.state = {"seeds": True, "part": 0}
    assert figure.alt.endswith("Chosen: Test sentences.")
    assert "Test sentences: 1000 sentences" in figure.svg


def test_shows_the_seeds_that_are_there_and_the_runs_that_are_there(tmp_path):
    shutil.copytree(
        RESULTS / "embedded", tmp_path / "embedded", ignore=lambda *_: ["gru-1.json", "gru-2.json"]
    )
    figure = length_figure(tmp_path, {"gru": "GRU", "lstm": "LSTM", "gru-attention": "with attention"})
    assert "GRU 72.3 % (one seed)" in figure.alt.replace("\xa0", " ")
    assert "LSTM" not in figure.alt
    assert "with attention 94.8 % (94.6 % to 94.9 %)" in figure.alt.replace("\xa0", " ")


def test_early_stopping_is_no_hindrance():
    figure = length_figure(RESULTS, {"gru": "GRU", "gru-same-time": "longer"})  # 24 epochs, and 33
    assert "longer leads at every length" in figure.title


def test_squeezed_positions_are_one_more_line():
    figure = length_figure(
        RESULTS, {"transformer": "Transformer"}, squeezed=True, title="What squeezing does"
    )
    assert figure.title == "What squeezing does"
    counts = record("squeezed")["counts"]
    exact = sum(right for _, _, right in counts["longer"]) / 500
    assert f"{SQUEEZED} {100 * exact:.1f} % (one seed)" in figure.alt.replace("\xa0", " ")
    assert f"{SQUEEZED}, one run, by words: " in figure.alt


def test_the_title_names_the_best_rival_of_the_squeezed_model():
    title = length_figure(RESULTS, squeezed=True).title.replace("\xa0", " ")
    assert title == (
        "Squeezed into the trained positions, the Transformer translates 63 % of the longer sentences, "
        "GRU with attention 60 %"
    )


def test_refuses_what_cannot_be_compared(tmp_path):
    with pytest.raises(FileNotFoundError, match="no record of lstm"):
        length_figure(RESULTS, models={"lstm": "LSTM"})
    shutil.copytree(
        RESULTS / "embedded", tmp_path / "embedded", ignore=lambda *_: ["transformer-0.safetensors"]
    )
    for change, complaint in (
        (
            lambda changed: changed["quality"]["longer"]["greedy"].update(n=3),
            r"gru has .*'longer': 3.*: not the sen",
        ),
        (lambda changed: changed.update(training_pairs=7), "gru: 7 training pairs, expected 20000"),
    ):
        changed = record("gru-0")
        change(changed)
        (tmp_path / "embedded/gru-0.json").write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(ValueError, match=complaint):
            length_figure(tmp_path)
