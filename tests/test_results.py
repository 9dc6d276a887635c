"""The stored results belong to the runs that `make results` carries out, and their weights give what they say."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

import results
from course_lib.chapters.ch10_translation.translation import quality
from course_lib.text.readers import read_corpus
from course_lib.translator import Translator

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"

RUNS = [*results.tuning(), *results.comparisons(), *results.variants(), *results.real("multi30k")]


def record(name):
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_each_run_is_written_down_with_the_settings_it_has_now(run):
    assert record(f"{run.corpus}/{run.name}")["run"] == json.loads(json.dumps(asdict(run)))


OF_OTHERS = {"fluffy.json", "why_attention", "benchmarks.json", "gpu.json"}  # which other tests check


def test_nothing_else_is_there():
    known = {f"{run.corpus}/{run.name}" for run in RUNS} | set(results.MEASURED)
    folders = {run.corpus for run in RUNS}
    found = {
        str(path.relative_to(RESULTS).with_suffix(""))
        for name in folders
        for path in (RESULTS / name).iterdir()
    }
    assert found <= known
    assert {path.name for path in RESULTS.iterdir()} <= folders | OF_OTHERS | {"README.md"}


@pytest.mark.parametrize(
    "names",
    [
        [f"embedded/{name}-0" for name in results.SHAPES],
        [f"embedded/{name}-0" for name in ("gru-same-time", "gru-attention-same-time", "transformer")],
        [f"embedded/small-{name}-0" for name in results.SMALL],
        [f"multi30k/{name}-0" for name in results.REAL_SHAPES],
    ],
    ids=["comparison", "same time", "small", "real"],
)
def test_models_that_are_compared_have_equally_many_parameters(names):
    counts = [record(name)["parameters"] for name in names]
    assert max(counts) < 1.01 * min(counts)


def test_equal_time_is_as_many_epochs_as_the_speeds_measured_side_by_side_allow():
    speeds = record("embedded/speed")["training"]
    for name, epochs in results.SAME_TIME.items():
        fair = results.EPOCHS * speeds[name] / speeds["transformer"]
        assert epochs == pytest.approx(fair, rel=0.1)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*/*.safetensors")), ids=lambda path: path.stem)
def test_stored_weights_translate_as_their_record_says(path):
    pairs = read_corpus(None, "val")[:100]
    measured = quality(Translator.load(path), pairs)["exact_match"]
    told = record(f"{path.parent.name}/{path.stem}")["quality"]["val"]["greedy"]["exact_match"]
    # a fifth of the sentences, and half the precision: five standard errors of a share
    assert abs(measured - told) < 5 * (told * (1 - told) / len(pairs)) ** 0.5
    assert path.stat().st_size < 3_000_000


@pytest.mark.parametrize("name", results.STORED)
@pytest.mark.parametrize("part", ["test", "longer"])
def test_what_is_counted_by_length_is_as_much_as_the_record_says(name, part):
    _, sentences, exact = map(sum, zip(*record("embedded/lengths")["counts"][name][part], strict=True))
    told = record(f"embedded/{name}")["quality"][part]["greedy"]
    assert sentences == told["n"]
    assert exact / sentences == pytest.approx(told["exact_match"], abs=0.005)  # of weights in half precision


def test_what_is_there_is_listed_and_an_unknown_run_is_refused():
    command = [sys.executable, str(ROOT / "tools" / "results.py")]
    listed = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True).stdout
    assert "embedded/transformer-0 (is there)" in listed
    refused = subprocess.run([*command, "embedded/lstm-*"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "no run is called embedded/lstm-*; --list names them" in refused.stderr
