"""The stored results belong to the runs that `make results` carries out, and their weights give what they say."""

import json
import sys
from pathlib import Path

import pytest

import results
from course_lib.chapters.ch10_translation.order import order_measures, shift_measures, short_pairs, squeeze
from course_lib.chapters.ch10_translation.translation import quality
from course_lib.text.embedded import REVERSALS, load_embedded, load_reversals
from course_lib.text.readers import read_corpus
from course_lib.translator import Translator

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"

RUNS = [*results.tuning(), *results.comparisons(), *results.variants(), *results.real("multi30k")]
HARD = [*results.few(), *results.tuning_few(), *results.whole()]  # of which not all are carried out yet


def record(name):
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_each_run_is_written_down_with_the_settings_it_has_now(run):
    assert record(f"{run.corpus}/{run.name}")["run"] == run.settings()


def test_what_is_there_of_the_hard_test_is_as_it_is_listed():
    for run in HARD:
        if (RESULTS / run.corpus / f"{run.name}.json").exists():
            found = record(f"{run.corpus}/{run.name}")
            assert found["run"] == run.settings(), run.name
            assert found["training_pairs"] == (2000 if run.corpus == "few" else 20_000)
            if not run.parts:
                assert found["order"]["all"]["n"] == sum(REVERSALS.values())
                assert bool(found["shifted"]) == (run.model == "transformer")


def test_the_hard_test_trains_every_model_three_times_and_names_no_run_twice():
    names = [run.name for run in results.few()]
    assert {name.rsplit("-", 1)[0] for name in names} == set(results.FEW)
    assert len(names) == len(set(names)) == 3 * len(results.FEW)
    everything = [f"{run.corpus}/{run.name}" for run in RUNS + HARD]
    assert len(everything) == len(set(everything))
    for name in ("transformer-no-positions", "small-transformer", "small-gru-attention"):
        old, new = (
            next(r for r in RUNS + HARD if r.name == f"{name}-{seed}" and r.corpus == "embedded")
            for seed in (0, 1)
        )
        assert old.settings() | {"name": "", "training": {}} == new.settings() | {"name": "", "training": {}}
        assert {**old.training, "seed": 1} == new.training


OF_OTHERS = {"fluffy.json", "why_attention", "benchmarks.json", "gpu.json"}  # which other tests check


def test_nothing_else_is_there():
    known = {f"{run.corpus}/{run.name}" for run in RUNS + HARD} | set(results.MEASURED)
    folders = {run.corpus for run in RUNS + HARD if (RESULTS / run.corpus).exists()}
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


def test_on_few_pairs_they_have_as_many_as_on_all():
    for run in results.few():
        small, large = (RESULTS / corpus / f"{run.name}.json" for corpus in ("few", "embedded"))
        if small.exists() and large.exists():
            assert record(f"few/{run.name}")["parameters"] == record(f"embedded/{run.name}")["parameters"]


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


def test_stored_weights_know_of_order_and_positions_what_the_record_says():
    told = record("embedded/order")
    assert set(told["order"]) == set(results.STORED)
    translator = Translator.load(RESULTS / "embedded" / "transformer-0.safetensors")
    for row in told["shifted"]["transformer-0"]:
        if (row["source"], row["target"]) in ((4, 0), (4, 4)):
            moved = shift_measures(
                translator, short_pairs(load_embedded("test")), [(row["source"], row["target"])]
            )
            assert moved[0]["exact_match"] == pytest.approx(row["exact_match"], abs=0.02)
    found = order_measures(translator, load_reversals("clause")[:20], {"clause": 20})
    assert found["clause"]["both"] == pytest.approx(told["order"]["transformer-0"]["clause"]["both"], abs=0.1)


def test_moving_one_side_breaks_the_transformer_and_moving_both_does_not():
    rows = record("embedded/order")["shifted"]["transformer-0"]
    exact = {(row["source"], row["target"]): row["exact_match"] for row in rows}
    assert exact[0, 0] > 0.95
    assert exact[4, 0] < 0.4
    assert exact[0, 4] < 0.6
    assert exact[4, 4] > 0.75


def test_squeezed_positions_translate_as_the_record_says():
    told = record("embedded/squeezed")
    translator = Translator.load(RESULTS / "embedded" / f"{told['run']}.safetensors")
    pairs = [
        pair
        for pair in read_corpus(None, "longer")
        if len(translator.source_tokeniser.encode(pair.source)) == 16
    ]
    right = sum(said == pair.target for said, pair in zip(squeeze(translator, pairs), pairs, strict=True))
    _, n, exact = next(row for row in told["counts"]["longer"] if row[0] == 16)
    assert n == len(pairs)
    assert abs(right - exact) <= 4  # where the last digits decide
    plain = {
        words: right for words, _, right in record("embedded/lengths")["counts"]["transformer-0"]["longer"]
    }
    assert plain[16] < 10 < 40 < exact


def test_what_is_there_is_listed_and_an_unknown_run_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["results.py", "--list"])
    assert results.main() == 0
    assert "embedded/transformer-0 (is there)" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["results.py", "embedded/lstm-*"])
    with pytest.raises(SystemExit) as ended:
        results.main()
    assert ended.value.code == 2
    assert "no run is called embedded/lstm-*; --list names them" in capsys.readouterr().err
