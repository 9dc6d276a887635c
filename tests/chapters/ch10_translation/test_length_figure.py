"""Quality against length: the numbers of the records, in words, and what does not belong together is refused."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from course_lib.chapters.ch10_translation import length_figure
from course_lib.chapters.ch10_translation.translation_figures import LENGTH_MODELS

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
    title = length_figure(RESULTS).title.replace("\xa0", " ")
    assert title == (
        "On longer sentences the order turns: GRU with attention translates 59.8 % exactly, Transformer 28.4 %"
    )
    alone = length_figure(RESULTS, {"gru": "GRU"})
    assert alone.title == "GRU leads at every length: 5.2\xa0% exact at 13 to 33 words"
    assert "No lines cross." in alone.alt


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
    assert "Show all 3 models, 3 seeds each" in figure.svg
    assert "seeds each" not in figure.alt
    assert "All models, both tests" not in figure.svg
    figure.state = {"seeds": True}
    assert "All models, both tests" in figure.svg
    assert figure.alt.endswith("Chosen: Longer sentences.")
    figure.state = {"seeds": True, "part": 0}
    assert figure.alt.endswith("Chosen: Test sentences.")
    assert "Test sentences: 1000 sentences" in figure.svg


def test_refuses_what_cannot_be_compared(tmp_path):
    with pytest.raises(FileNotFoundError, match="gru-7"):
        length_figure(RESULTS, seeds=[7], models={"gru": "GRU"})
    with pytest.raises(ValueError, match="expected at least one of each"):
        length_figure(RESULTS, seeds=[])
    with pytest.raises(ValueError, match="gru-same-time-0: 33 epochs of 20000 pairs, expected 24"):
        length_figure(RESULTS, {"gru": "GRU", "gru-same-time": "longer"})
    shutil.copytree(
        RESULTS / "embedded", tmp_path / "embedded", ignore=lambda *_: ["transformer-0.safetensors"]
    )
    changed = record("gru-0")
    changed["quality"]["longer"]["greedy"]["n"] = 3
    (tmp_path / "embedded/gru-0.json").write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(ValueError, match=r"gru-0 has .*'longer': 3.*: not the sentences of the corpus"):
        length_figure(tmp_path)
