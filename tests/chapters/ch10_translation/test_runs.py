"""The long trainings: carried out once, resumed after a stop, written down whole, with all that decides them."""

import json
from dataclasses import replace

import pytest
import torch
from torch import nn

from course_lib.chapters.ch10_translation import runs
from course_lib.chapters.ch10_translation.runs import (
    ABLATIONS,
    REMEDIES,
    STARTS,
    Run,
    carry_out,
    load_record,
)
from course_lib.model import FeedForward, Transformer, TransformerConfig
from course_lib.text.embedded import load_reversals
from course_lib.text.tokenisers import WordTokeniser
from course_lib.training import Trainer
from course_lib.translator import Translator
from tests.support.tiny_training import PAIRS

SMALL = {"d_model": 16, "n_heads": 2, "d_ff": 16, "n_encoder_layers": 1, "n_decoder_layers": 1}
TRAINING = {"seed": 3, "batch_tokens": 80, "validate_every": 4, "precision": "float32", "warmup_steps": 5}
RUN = Run("small-3", "mine", "transformer", SMALL, TRAINING, epochs=2.0, parts=("val", "test"))


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for split, pairs in {"train": PAIRS, "val": PAIRS[:5], "test": PAIRS[5:9]}.items():
        for language, side in (("en", 0), ("fr", 1)):
            text = "".join(pair[side] + "\n" for pair in pairs)
            (folder / f"{split}.{language}").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def do(tmp_path, corpus):
    def do(run=RUN, where="results", **changes):
        options = {"corpus": corpus, "progress": False} | changes
        return carry_out(run, tmp_path / where, tmp_path / f"{where}-work", **options)

    return do


def without_times(record):
    record = json.loads(json.dumps(record))
    for look in record["history"]["training"] + record["history"]["validation"] + [record]:
        del look["seconds"]
    return {name: value for name, value in record.items() if name not in ("tokens_per_second", "cpu_seconds")}


def test_the_record_holds_settings_machine_and_measures(do, tmp_path):
    record = do()
    assert record == load_record(tmp_path / "results", "mine/small-3")
    assert record["run"]["training"] == TRAINING
    assert (record["epochs"], record["parameters"] > 1000, record["training_pairs"]) == (2.0, True, 48)
    assert {"torch", "processor", "cores"} <= set(record["machine"])
    assert set(record["quality"]) == {"val", "test"}
    assert set(record["quality"]["test"]) == {"greedy", "beam 5"}
    assert record["quality"]["test"]["greedy"]["n"] == 4
    assert record["tokens_per_second"] > 0
    assert "alignment_errors" not in record  # only the course's corpus has gold alignments


def test_a_run_that_is_done_is_not_repeated(do, monkeypatch):
    first = do()
    monkeypatch.setattr(Trainer, "train_step", lambda *arguments: pytest.fail("trained again"))
    assert do() == json.loads(json.dumps(first))
    with pytest.raises(ValueError, match="tells of a run with other settings"):
        do(replace(RUN, epochs=3.0))


@pytest.mark.share(2)
def test_a_run_that_was_stopped_goes_on_and_ends_as_if_it_had_not_been(do, monkeypatch, tmp_path):
    whole = do(where="whole")
    steps, train_step = [], Trainer.train_step

    def stopped_after_five(self, batch):
        train_step(self, batch)
        steps.append(self.step)
        if len(steps) == 5:
            import os
            import signal

            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Trainer, "train_step", stopped_after_five)
    with pytest.raises(KeyboardInterrupt):
        do()
    assert not (tmp_path / "results").exists()
    assert without_times(do()) == without_times(whole)
    assert steps == list(range(1, whole["steps"] + 1))  # no step twice, none left out


@pytest.mark.share(2)
def test_a_run_that_continues_another_ends_as_if_it_had_trained_from_the_start(do, monkeypatch):
    longer = replace(RUN, name="longer-3", epochs=3.0, continues="small-3")
    alone = do(longer, where="alone")
    do()
    steps, train_step = [], Trainer.train_step
    monkeypatch.setattr(
        Trainer, "train_step", lambda self, batch: (steps.append(self.step), train_step(self, batch))
    )
    continued = do(longer)
    looks = continued["history"]["validation"]
    assert looks.pop(2)["step"] == 10  # where the first two epochs ended
    assert without_times(continued) == without_times(alone)
    assert min(steps) * 3 == continued["steps"] * 2  # the first two of three epochs are not trained again


def test_weights_are_kept_where_asked_for(do, tmp_path):
    do(replace(RUN, keep_weights=True))
    assert sorted(path.name for path in (tmp_path / "results" / "mine").iterdir()) == [
        "small-3.json",
        "small-3.safetensors",
    ]


@pytest.mark.share(2)
def test_of_the_courses_own_corpus_every_part_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "SPLITS", ("train", "val", "challenge_negation", "sources"))
    monkeypatch.setattr(runs, "order_measures", lambda translator, reversals: {"n": len(reversals)})
    run = Run("tiny", "embedded", "gru", {"d_model": 8, "d_hidden": 8}, {"precision": "float32"}, epochs=1e-9)
    record = carry_out(run, tmp_path / "results", tmp_path / "work", progress=False)
    assert set(record["quality"]) == {"val", "challenge_negation"}
    assert "beam 5" not in record["quality"]["challenge_negation"]
    assert [len(layer) for layer in record["alignment_errors"]] == [1]
    assert record["sources"][0].keys() == {"source", "reference", "translation"}
    assert record["order"] == {"n": len(load_reversals())}
    assert record["shifted"] == []  # a GRU has no positions
    assert record["training_pairs"] == 20_000


def test_on_few_pairs_training_ends_when_the_validation_set_gets_no_better(tmp_path, monkeypatch):
    looks = iter([3.0, 5.0, 4.0, 5.0, 1.0])
    monkeypatch.setattr(
        Trainer,
        "_measured",
        lambda self: {"step": self.step, "seconds": 0.0, "loss": 1.0, "bleu": next(looks)},
    )
    run = Run(
        "tiny", "few", "gru", {"d_model": 8, "d_hidden": 8}, {"precision": "float32", "validate_every": 1}, epochs=9.0,
        parts=("sources",), patience=2, searches=("greedy",),
    )  # fmt: skip
    record = carry_out(run, tmp_path, tmp_path / "work", progress=False)
    assert [look["bleu"] for look in record["history"]["validation"]] == [3.0, 5.0, 4.0, 5.0]
    assert (record["steps"], record["training_pairs"]) == (4, 2000)
    assert set(record["quality"]["sources"]) == {"greedy"}
    assert record["run"]["patience"] == 2
    assert record["cpu_seconds"] > 0
    assert carry_out(run, tmp_path, tmp_path / "work", progress=False) == record


def test_settings_that_older_records_do_not_know_are_told_only_where_they_matter():
    assert not {"patience", "searches"} & set(RUN.settings())
    assert replace(RUN, patience=3, searches=("greedy",)).settings()["searches"] == ["greedy"]
    assert RUN.settings() == json.loads(json.dumps(RUN.settings()))


def test_random_starts_move_positions_in_training_alone():
    words = WordTokeniser.train(["a b c d e"])
    torch.manual_seed(0)
    shape = {
        "d_model": 8,
        "n_heads": 2,
        "d_ff": 8,
        "n_encoder_layers": 1,
        "n_decoder_layers": 1,
        "dropout": 0.0,
    }
    whole = Transformer(TransformerConfig(len(words), len(words), **shape))
    other = REMEDIES["random starts"].of(Translator(whole, words, words)).model
    source, target_in = torch.tensor([[4, 5, 6]]), torch.tensor([[1, 7, 8]])
    torch.testing.assert_close(other.eval()(source, target_in), whole.eval()(source, target_in))
    other.train()
    embedded = [other.source_embedding(source) for _ in range(40)]
    possible = [whole.source_embedding(source, start=start) for start in range(STARTS)]
    seen = {next(i for i, each in enumerate(possible) if torch.equal(each, x)) for x in embedded}
    assert len(seen) > 10


def test_a_record_that_is_missing_is_named_with_the_command_that_makes_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"embedded/gru-0.json is not there: `make results`"):
        load_record(tmp_path, "embedded/gru-0")


@pytest.mark.parametrize("name", ABLATIONS)
def test_an_ablation_takes_away_what_it_says_and_leaves_the_model_as_it_is(name):
    words = WordTokeniser.train(["a b c d e"])
    shape = {
        "d_model": 8,
        "n_heads": 2,
        "d_ff": 8,
        "n_encoder_layers": 1,
        "n_decoder_layers": 1,
        "dropout": 0.0,
    }
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(len(words), len(words), **shape)).double().eval()
    source, target_in = torch.tensor([[4, 5, 6]]), torch.tensor([[1, 7, 8]])
    whole = model(source, target_in)
    less = ABLATIONS[name].of(Translator(model, words, words)).model.double()
    ablated = less(source, target_in)
    future = less(source, torch.tensor([[1, 7, 5]]))
    assert not torch.allclose(ablated, whole)
    assert torch.equal(model(source, target_in), whole)
    assert less.state_dict().keys() == model.state_dict().keys()
    assert torch.allclose(ablated[:, :2], future[:, :2]) == (name != "no mask")
    if name == "no feed-forward":  # the same as a network whose last matrix is zero
        for part in model.modules():
            if isinstance(part, FeedForward):
                nn.init.zeros_(part.W_2.weight)
                nn.init.zeros_(part.W_2.bias)
        torch.testing.assert_close(model(source, target_in), ablated)


@pytest.mark.share(2)
def test_a_run_with_an_ablation_trains_measures_and_keeps_the_model_that_lacks_something(do, tmp_path):
    run = replace(RUN, name="no-mask-3", ablation="no mask", keep_weights=True)
    record, whole = do(run), do()
    assert record["parameters"] == whole["parameters"]
    assert record["history"] != whole["history"]
    kept = Translator.load(tmp_path / "results" / "mine" / "no-mask-3.safetensors")
    assert kept.kind == "transformer"


def test_a_checkpoint_is_of_no_use_to_a_run_with_other_settings(do, tmp_path):
    record = do()
    path = tmp_path / "results" / "mine" / f"{RUN.name}.json"
    path.unlink()
    with pytest.raises(ValueError, match="holds the checkpoint of a run with other settings: delete it"):
        do(replace(RUN, ablation="no mask"))
    assert not path.exists()
    assert without_times(do()) == without_times(record)  # measured again, with the weights that are there
