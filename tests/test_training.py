"""Training: the loss, what may not leak into it, stopping and resuming, and that it learns."""

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given, settings
from torch.nn import functional as F

from course_lib.fast import choose_dtype, smoothed_cross_entropy
from course_lib.special_ids import PAD_ID
from course_lib.text.batches import Batch
from course_lib.training import CheckpointError, Trainer, TrainingConfig, learning_rate
from course_lib.translator import Translator
from tests.support.compare import assert_close
from tests.support.tiny_training import CONFIG, PAIRS, SHORT, train_without_end, trainer


class TestLoss:
    @given(
        n=st.integers(1, 300),
        # Over 5,000 words sums in float32 lose more than the tolerance; there 300 rows are two blocks.
        kind=st.sampled_from(
            [(2, torch.float32), (11, torch.float32), (11, torch.float64), (5000, torch.float64)]
        ),
        smoothing=st.sampled_from([0.0, 0.1, 1.0]),
        seed=st.integers(0, 100),
    )
    @settings(max_examples=40)
    def test_equals_pytorch_forward_and_backward(self, n, kind, smoothing, seed) -> None:
        n_vocab, dtype = kind
        generator = torch.Generator().manual_seed(seed)
        hidden = torch.randn(n, 6, dtype=dtype, generator=generator, requires_grad=True)
        weight = torch.randn(n_vocab, 6, dtype=dtype, generator=generator, requires_grad=True)
        targets = torch.randint(n_vocab, (n,), generator=generator)
        ours = smoothed_cross_entropy(hidden, weight, targets, smoothing)
        theirs = F.cross_entropy(hidden @ weight.T, targets, label_smoothing=smoothing)
        assert_close(ours, theirs)
        for mine, other in zip(
            torch.autograd.grad(3 * ours, [hidden, weight]),
            torch.autograd.grad(3 * theirs, [hidden, weight]),
            strict=True,
        ):
            assert_close(mine, other)

    def test_in_bfloat16_it_is_close(self) -> None:
        generator = torch.Generator().manual_seed(0)
        hidden, weight = (
            torch.randn(50, 16, generator=generator),
            torch.randn(300, 16, generator=generator) / 4,
        )
        targets = torch.randint(300, (50,), generator=generator)
        exact = smoothed_cross_entropy(hidden, weight, targets, 0.1)
        rough = smoothed_cross_entropy(hidden, weight, targets, 0.1, torch.bfloat16)
        assert rough.dtype == torch.float32
        assert rough.item() == pytest.approx(exact.item(), rel=5e-3)

    def test_gradient_is_the_finite_difference(self) -> None:
        generator = torch.Generator().manual_seed(0)
        hidden = torch.randn(3, 2, dtype=torch.float64, generator=generator, requires_grad=True)
        weight = torch.randn(4, 2, dtype=torch.float64, generator=generator, requires_grad=True)
        targets = torch.tensor([0, 3, 1])
        assert torch.autograd.gradcheck(
            lambda h, w: smoothed_cross_entropy(h, w, targets, 0.2), (hidden, weight)
        )


class TestPadding:
    def test_padding_does_not_leak_into_the_loss(self) -> None:
        subject = trainer(dropout=0.0)
        batch = next(subject.batches.epoch(0))
        wider = Batch(
            *(F.pad(ids, (0, 3), value=PAD_ID) for ids in (batch.source, batch.target_in, batch.target_out))
        )
        assert_close(subject.loss(wider), subject.loss(batch))

    def test_loss_is_the_mean_over_the_real_tokens(self) -> None:
        subject = trainer(dropout=0.0, pairs=[*PAIRS, SHORT])
        subject.model.double()  # exact enough to tell a mean over 6 tokens from one over 7
        rows = [PAIRS[0], SHORT]
        words = subject.translator.source_tokeniser
        source = torch.tensor([_padded([*words.encode(p.source), 2], 8) for p in rows])
        target_in = torch.tensor([_padded([1, *words.encode(p.target)], 8) for p in rows])
        target_out = torch.tensor([_padded([*words.encode(p.target), 2], 8) for p in rows])
        logits = subject.model(source, target_in)
        expected = F.cross_entropy(
            logits.flatten(0, 1), target_out.flatten(), ignore_index=PAD_ID, label_smoothing=0.1
        )
        subject.model.float()
        assert subject.loss(Batch(source, target_in, target_out)).item() == pytest.approx(
            expected.item(), rel=1e-5
        )

    def test_validation_loss_is_the_mean_over_the_real_tokens(self) -> None:
        subject = trainer()
        total, n = 0.0, 0
        for pair in subject.validation:
            words = subject.translator.source_tokeniser
            source, target = words.encode(pair.source), words.encode(pair.target)
            logits = subject.average.module.eval()(torch.tensor([[*source, 2]]), torch.tensor([[1, *target]]))
            total += F.cross_entropy(logits[0], torch.tensor([*target, 2]), reduction="sum").item()
            n += len(target) + 1
        assert subject.validation_loss() == pytest.approx(total / n, rel=1e-5)


def _padded(ids: list[int], length: int) -> list[int]:
    return ids + [PAD_ID] * (length - len(ids))


class TestSchedule:
    def test_rises_then_falls(self) -> None:
        rates = [learning_rate(step, CONFIG) for step in range(1, 81)]
        assert rates[0] == pytest.approx(5e-3 / 20)
        assert max(rates) == rates[19] == 5e-3
        assert rates[79] == pytest.approx(5e-3 / 2)

    def test_the_optimiser_follows_it(self) -> None:
        subject = trainer()
        subject.run(steps=3, progress=False)
        assert subject.optimiser.param_groups[0]["lr"] == learning_rate(3, CONFIG)

    def test_what_gets_evaluated_is_the_moving_average(self) -> None:
        subject = trainer()
        expected = [p.detach().clone() for p in subject.model.parameters()]
        for step in range(1, 6):
            subject.run(steps=step, progress=False)
            decay = 0.0 if step == 1 else min(CONFIG.average_decay, step / (9 + step))
            weights = subject.model.parameters()
            expected = [decay * e + (1 - decay) * p.detach() for e, p in zip(expected, weights, strict=True)]
        for average, wanted in zip(subject.average.module.parameters(), expected, strict=True):
            assert torch.allclose(average, wanted, atol=1e-6)

    def test_unknown_precision(self) -> None:
        with pytest.raises(ValueError, match="precision: expected one of auto, float32, bfloat16, not 'fp8'"):
            choose_dtype("fp8", torch.device("cpu"))  # type: ignore[arg-type]


class TestLearning:
    @pytest.mark.parametrize("precision", ["float32", pytest.param("bfloat16", marks=pytest.mark.soak)])
    def test_learns_a_small_language_whole(self, precision: str) -> None:
        config = TrainingConfig(
            **{**CONFIG.__dict__, "precision": precision, "validate_every": 1000, "warmup_steps": 100}
        )
        subject = trainer(config=config, dropout=0.0, width=32)
        history = subject.run(steps=400, progress=False)
        translator = Translator(subject.average.module, *[subject.translator.source_tokeniser] * 2)
        sources = [pair.source for pair in PAIRS]
        assert translator.translate(sources) == [pair.target for pair in PAIRS]
        assert translator.translate(sources, beam=3) == [pair.target for pair in PAIRS]
        assert history.validation[-1]["loss"] < 0.5
        assert history.training[-1]["loss"] < history.training[0]["loss"] / 2

    def test_keeps_the_best(self, tmp_path: Path) -> None:
        subject = trainer(tmp_path)
        subject.run(steps=60, progress=False)
        kept = Translator.load(tmp_path / "translator.safetensors")
        best = max(subject.history.validation, key=lambda record: record["bleu"])
        assert kept.facts["bleu"] == best["bleu"] == subject.best_bleu
        with pytest.raises(ValueError, match="steps, epochs or minutes"):
            subject.run()

    def test_stops_when_looks_bring_nothing_better(self) -> None:
        subject = trainer()
        looks = iter([1.0, 4.0, 2.0, 4.0, 3.0, 9.0])
        subject._measured = lambda: {"step": subject.step, "seconds": 0.0, "loss": 0.0, "bleu": next(looks)}
        subject.run(steps=10_000, progress=False, patience=3)
        assert [look["bleu"] for look in subject.history.validation] == [1.0, 4.0, 2.0, 4.0, 3.0]
        assert subject.step == 5 * CONFIG.validate_every
        assert (subject.looks_since_best, trainer().looks_since_best) == (3, 0)
        subject.run(steps=10_000, progress=False, patience=3)  # nothing is left to do
        assert subject.step == 5 * CONFIG.validate_every

    def test_pairs_that_are_too_long(self) -> None:
        config = TrainingConfig(max_length=3)
        with pytest.raises(ValueError, match="none of 48 pairs has at most 3 tokens"):
            trainer(config=config)

    def test_shows_loss_speed_and_time_left(self, capfd: pytest.CaptureFixture[str]) -> None:
        trainer().run(steps=45)
        shown = capfd.readouterr().err
        assert "45/45" in shown
        assert "loss" in shown
        assert "tokens/s" in shown

    def test_in_a_file_the_bar_is_not_drawn_step_by_step(self, capfd: pytest.CaptureFixture[str]) -> None:
        trainer().run(steps=300)
        bars = [line for line in capfd.readouterr().err.split("\r") if "it" in line or "step" in line]
        looks = 300 // CONFIG.validate_every + 1  # after the line of each, the bar is drawn below it
        assert "300/300" in bars[-1]
        assert len(bars) <= looks + 2


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Trainer:
    """A training that nobody interrupted."""
    whole = trainer(tmp_path_factory.mktemp("whole"))
    whole.run(steps=210, progress=False)
    return whole


class TestResuming:
    def losses(self, subject: Trainer) -> list[object]:
        training = [(r["step"], r["loss"]) for r in subject.history.training]
        return training + [(r["step"], r["loss"], r["bleu"]) for r in subject.history.validation]

    @pytest.mark.parametrize("stops", [[3], [50], [99, 101, 117]])
    @pytest.mark.share(3)
    def test_resumed_is_uninterrupted(self, tmp_path: Path, whole: Trainer, stops: list[int]) -> None:
        """Same losses to the last bit, and the same weights: order of batches, dropout, moments, sums, average."""
        for step in stops:
            part = trainer(tmp_path / "parts")
            if part.folder and (part.folder / "checkpoint.pt").exists():
                part.load_checkpoint()
            self.stop_at(part, step)
        last = trainer(tmp_path / "parts")
        last.load_checkpoint()
        last.run(steps=210, progress=False)
        assert self.losses(last) == self.losses(whole)
        for mine, other in zip(last.average.parameters(), whole.average.parameters(), strict=True):
            assert torch.equal(mine, other)

    def stop_at(self, subject: Trainer, step: int) -> None:
        """Press Ctrl-C during step ``step``."""
        train_step = subject.train_step

        def interrupted(batch: Batch) -> None:
            train_step(batch)
            if subject.step == step:
                os.kill(os.getpid(), signal.SIGINT)

        subject.train_step = interrupted
        subject.run(steps=210, progress=False)
        assert subject.interrupted
        assert subject.step == step

    def test_stopped_before_the_first_look_it_can_be_used(self, tmp_path: Path) -> None:
        subject = trainer(tmp_path)
        self.stop_at(subject, 3)
        kept = Translator.load(tmp_path / "translator.safetensors")
        assert kept.facts["step"] == 3
        assert torch.equal(kept.model.output.weight, subject.average.module.output.weight)

    def test_signals_are_left_as_they_were(self) -> None:
        before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
        trainer().run(steps=1, progress=False)
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before

    def test_other_settings_are_refused(self, tmp_path: Path) -> None:
        trainer(tmp_path).save_checkpoint()
        with pytest.raises(CheckpointError, match=r"other settings \(seed 1 → 2\)"):
            trainer(tmp_path, TrainingConfig(**{**CONFIG.__dict__, "seed": 2})).load_checkpoint()
        with pytest.raises(CheckpointError, match=r"other settings \(dropout 0.1 → 0.0\)"):
            trainer(tmp_path, dropout=0.0).load_checkpoint()
        with pytest.raises(CheckpointError, match="other sentence pairs"):
            trainer(tmp_path, pairs=PAIRS[1:]).load_checkpoint()

    def test_damaged_checkpoint(self, tmp_path: Path) -> None:
        subject = trainer(tmp_path)
        subject.save_checkpoint()
        path = tmp_path / "checkpoint.pt"
        path.write_bytes(path.read_bytes()[:1000])
        with pytest.raises(CheckpointError, match="not a readable checkpoint"):
            subject.load_checkpoint()

    @pytest.mark.parametrize("times", [3, pytest.param(40, marks=pytest.mark.soak)])
    def test_killed_at_any_moment_the_checkpoint_is_whole(self, tmp_path: Path, times: int) -> None:
        """Again and again: train with a checkpoint a step, kill -9 at a random moment, read, go on from there."""
        config = TrainingConfig(**{**CONFIG.__dict__, "validate_every": 1})
        trainer(tmp_path, config).save_checkpoint()
        rng, reached = random.Random(0), 0
        server = multiprocessing.get_context(
            "forkserver"
        )  # imports torch once, and forks before it has threads
        server.set_forkserver_preload(["course_lib.training"])
        path = tmp_path / "checkpoint.pt"
        for number in range(times):
            before = path.stat().st_mtime_ns
            started = server.Event()
            process = server.Process(target=train_without_end, args=(tmp_path, config, started))
            process.start()
            assert started.wait(timeout=60)
            for _ in range(6000 * (number % 2)):  # every other time, not before it has come further
                if path.stat().st_mtime_ns != before:
                    break
                time.sleep(0.01)
            time.sleep(rng.uniform(0.0, 0.4))
            assert process.is_alive()
            process.kill()
            process.join()
            subject = trainer(tmp_path, config)
            subject.load_checkpoint()
            assert subject.step >= reached
            reached = subject.step
            if reached:
                Translator.load(tmp_path / "translator.safetensors")
        assert reached > 0
        files = {"checkpoint.pt", "translator.safetensors", "history.json"}
        left_over = {path.name for path in tmp_path.iterdir()} - files
        assert left_over <= {f".{name}.part" for name in files}


class TestTranslator:
    def test_saved_and_loaded_it_is_the_same(self, tmp_path: Path) -> None:
        subject = trainer(tmp_path)
        subject.run(steps=20, progress=False)
        translator = Translator(
            subject.model.eval(), *[subject.translator.source_tokeniser] * 2, {"note": "été"}
        )
        translator.save(tmp_path / "model.safetensors")
        loaded = Translator.load(tmp_path / "model.safetensors")
        assert loaded.facts == {"note": "été"}
        assert loaded.model.config == subject.model.config
        assert loaded.source_tokeniser is loaded.target_tokeniser
        sources = [pair.source for pair in PAIRS[:8]]
        assert [h[0] for h in loaded.search(sources)] == [h[0] for h in translator.search(sources)]
        assert loaded.model.output.weight is loaded.model.target_embedding.tokens.weight

    def test_empty_sentences(self) -> None:
        translator = trainer().translator
        assert translator.translate([]) == []
        assert translator.translate(["", "  "]) == ["", ""]
        assert translator.translate(["", "The cat."])[0] == ""

    def test_order_is_kept(self) -> None:
        translator = trainer().translator
        sources = [pair.source for pair in PAIRS[:6]] + ["The cat."]
        together = translator.translate(sources)
        assert together == [translator.translate([source])[0] for source in sources]

    def test_mode_is_restored(self) -> None:
        translator = trainer().translator
        translator.model.train()
        translator.translate(["The cat."])
        assert translator.model.training

    def test_foreign_files_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "other").write_text("not a model", encoding="utf-8")
        with pytest.raises(ValueError, match="not a model that this course has saved"):
            Translator.load(tmp_path / "other")
        with pytest.raises(FileNotFoundError):
            Translator.load(tmp_path / "missing")
