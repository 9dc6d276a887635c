"""Training in many processes: the same training as in one, also when a process is killed in the middle."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import hypothesis.strategies as st
import psutil
import pytest
import torch
from hypothesis import given, settings
from safetensors.torch import load_file

from course_lib import fast
from course_lib.cli import main
from course_lib.fast import Processes, launched_processes
from course_lib.special_ids import PAD_ID
from course_lib.text.batches import Batch
from tests.support.models import sentences
from tests.support.tiny_training import PAIRS, SHORT, train_together, trainer

STEPS = 300
OPTIONS = [
    *("--tokeniser", "word", "--d-model", "16", "--n-heads", "2", "--d-ff", "32", "--n-encoder-layers", "1"),
    *("--n-decoder-layers", "1", "--warmup-steps", "20", "--batch-tokens", "80", "--validate-every", "50"),
    *("--precision", "float32", "--device", "cpu", "--steps", str(STEPS), "--quiet"),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for part, pairs in (("train", PAIRS), ("val", PAIRS[:4])):
        for language, lines in zip(("en", "fr"), zip(*pairs, strict=True), strict=True):
            (folder / f"{part}.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


class Torchrun:
    """`torchrun` with two processes, which starts them again if one dies."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "--max-restarts=2"]
        self.process = subprocess.Popen(
            [sys.executable, *launcher, "-m", "course_lib.train", str(folder), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )

    def wait_for_step(self, step: int) -> None:
        """Return when a checkpoint of that step or a later one has been written."""
        until = time.monotonic() + 120
        while time.monotonic() < until and self.process.poll() is None:
            history = self.folder / "history.json"
            if history.exists():
                looks = json.loads(history.read_text(encoding="utf-8"))["validation"]
                if looks and looks[-1]["step"] >= step:
                    return
            time.sleep(0.02)
        raise AssertionError(self.end())

    def worker(self, rank: int) -> psutil.Process:
        """Return the process of that rank."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        (found,) = [child for child in children if child.environ().get("RANK") == str(rank)]
        return found

    def end(self) -> tuple[int, str, str]:
        """Wait; return the exit status and what was printed."""
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err


@pytest.fixture
def torchrun(tmp_path: Path) -> Iterator[type[Torchrun]]:
    """Start `torchrun` by calling it; what is still running at the end is killed."""
    yield Torchrun
    for child in psutil.Process().children(recursive=True):
        if {"torch.distributed.run", "course_lib.train"} & set(child.cmdline()):
            child.kill()


def losses(folder: Path) -> list[float]:
    """Losses of a run, in training and on the validation pairs."""
    history = json.loads((folder / "history.json").read_text(encoding="utf-8"))
    return [record["loss"] for record in (*history["training"], *history["validation"])]


def test_two_processes_train_as_one_does(tmp_path: Path) -> None:
    """Same batches, same sums but for their order: losses agree to rounding."""
    context = multiprocessing.get_context("spawn")
    together = [
        context.Process(target=train_together, args=(tmp_path / "two", tmp_path / "store", rank, 2))
        for rank in range(2)
    ]
    for process in together:
        process.start()
    one = trainer(tmp_path / "one", dropout=0.0, pairs=[*PAIRS, SHORT])
    one.run(steps=120, progress=False)
    for process in together:
        process.join(120)
        assert process.exitcode == 0
    assert losses(tmp_path / "two") == pytest.approx(losses(tmp_path / "one"), rel=1e-4)
    two, alone = (load_file(tmp_path / name / "translator.safetensors") for name in ("two", "one"))
    for name, weights in alone.items():
        if not name.endswith("W_K.bias"):  # no score depends on it, so that Adam follows nothing but rounding
            assert torch.allclose(two[name], weights, atol=1e-3), name


@pytest.mark.soak
def test_two_processes_of_which_one_is_killed_train_as_one_does(
    tmp_path: Path, corpus: Path, torchrun: type[Torchrun]
) -> None:
    """Losses agree to rounding, which training lets grow."""
    options = ["--corpus", str(corpus), *OPTIONS, "--dropout", "0"]
    run = torchrun(tmp_path / "two", *options)
    run.wait_for_step(100)
    run.worker(1).kill()
    status, out, err = run.end()
    assert status == 0, err
    assert "exitcode: -9" in err, "no process died before the end"
    assert f"trained to step {STEPS}" in out
    assert "2 processes" in out
    assert main(["train", str(tmp_path / "one"), *options]) == 0
    two, one = losses(tmp_path / "two"), losses(tmp_path / "one")
    assert two[0] == pytest.approx(one[0], rel=1e-5)  # the mean of the first 100 steps
    assert two == pytest.approx(one, rel=1e-3)


@pytest.mark.soak
def test_killed_or_not_it_is_the_same_training_to_the_last_bit(
    tmp_path: Path, corpus: Path, torchrun: type[Torchrun]
) -> None:
    """With dropout: each process goes on with the random numbers that it would have drawn."""
    options = ["--corpus", str(corpus), *OPTIONS]
    for name in ("killed", "whole"):
        run = torchrun(tmp_path / name, *options)
        if name == "killed":
            run.wait_for_step(100)
            run.worker(0).kill()
        status, _, err = run.end()
        assert status == 0, err
        assert ("exitcode: -9" in err) == (name == "killed")
    assert losses(tmp_path / "killed") == losses(tmp_path / "whole")
    killed, whole = (load_file(tmp_path / name / "translator.safetensors") for name in ("killed", "whole"))
    assert all(torch.equal(killed[name], whole[name]) for name in whole)


@pytest.mark.soak
def test_ctrl_c_leaves_a_checkpoint_and_the_same_command_goes_on(
    tmp_path: Path, corpus: Path, torchrun: type[Torchrun]
) -> None:
    options = ["--corpus", str(corpus), *OPTIONS, "--steps", "100000"]
    run = torchrun(tmp_path / "run", *options)
    run.wait_for_step(50)
    run.process.send_signal(signal.SIGINT)
    _, out, err = run.end()
    assert "continue with: the same command" in out, err
    reached = torch.load(tmp_path / "run" / "checkpoint.pt", weights_only=True)["step"]
    assert reached >= 50
    again = torchrun(tmp_path / "run", *options, "--steps", str(reached + 5))
    status, out, err = again.end()
    assert status == 0, err
    assert f"trained to step {reached + 5}" in out
    other = torchrun(tmp_path / "run", *options, "--d-model", "32")
    status, _, err = other.end()
    assert status != 0
    assert "leave --d-model out" in err


@given(
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=7),
    size=st.integers(1, 4),
    seed=st.integers(0, 100),
)
@settings(max_examples=40, deadline=None)
def test_what_the_processes_take_is_the_batch_and_their_mean_its_loss(
    lengths: list[int], size: int, seed: int
) -> None:
    subject = trainer(dropout=0.0)
    n_words = len(subject.translator.target_tokeniser)
    source, target = sentences(n_words, lengths, seed), sentences(n_words, lengths[::-1], seed + 1)
    batch = Batch(source, target, target)
    parts = [Processes(rank, size).part(batch) for rank in range(size)]
    mine = [mine for mine, factor in parts if factor]
    assert sorted(row[row != PAD_ID].tolist() for part in mine for row in part.source) == sorted(
        row[row != PAD_ID].tolist() for row in source
    )
    mean = sum(factor * subject.loss(part).item() for part, factor in parts) / size
    assert mean == pytest.approx(subject.loss(batch).item(), rel=1e-5)


def test_alone_there_is_nobody_to_ask() -> None:
    with launched_processes() as alone:
        assert (alone.rank, alone.size, alone.is_first) == (0, 1, True)
        assert alone.any(True)
        assert not alone.any(False)
        assert alone.from_first(lambda: 7) == 7


def test_with_other_processes_than_before_dropout_draws_anew(tmp_path: Path) -> None:
    """A checkpoint of one process, continued by the second of two."""
    subject = trainer(tmp_path)
    subject.run(steps=3, progress=False)
    other = trainer(tmp_path)
    other.processes = Processes(rank=1, size=2)
    other.load_checkpoint()
    assert other.step == 3
    assert subject._loss_sum > 0
    assert other._loss_sum == 0  # the first process has all of it
    drawn = torch.rand(3)
    subject.load_checkpoint()
    assert not torch.equal(torch.rand(3), drawn)
    torch.manual_seed(subject.config.seed)
    assert not torch.equal(torch.rand(3), drawn)


def test_what_torchrun_has_started_goes_on_by_the_same_command_though_it_is_one_process(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", str(tmp_path / "run"), "--corpus", str(corpus), *OPTIONS, "--steps", "5"]
    assert main(command) == 0
    assert main(command) == 1
    assert "holds a training already" in capsys.readouterr().err
    monkeypatch.setattr(fast, "launched_processes", lambda: nullcontext(Processes(by_torchrun=True)))
    assert main([*command, "--steps", "8"]) == 0
    assert "trained to step 8" in capsys.readouterr().out
    assert main([*command, "--d-model", "32"]) == 1
    assert "leave --d-model out" in capsys.readouterr().err


def test_over_several_machines_attempts_need_stores_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each machine counts attempts for itself, so that a count could not tell them apart."""
    here = {
        "TORCHELASTIC_USE_AGENT_STORE": "True",
        "TORCHELASTIC_MAX_RESTARTS": "3",
        "TORCHELASTIC_RUN_ID": "1",
    }
    here |= {"LOCAL_WORLD_SIZE": "2", "WORLD_SIZE": "4", "RANK": "0", "LOCAL_RANK": "0"}
    for name, value in here.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match="set TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1"), launched_processes():
        pass
