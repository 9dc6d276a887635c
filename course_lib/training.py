"""One training loop for every translation model.

A `Trainer` feeds length-bucketed batches to a model, follows a weight average, measures the validation set,
writes checkpoints, and can be stopped and resumed at any step: what it would have computed next depends on its
checkpoint alone.
"""

from __future__ import annotations

import hashlib
import json
import math
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel
from tqdm.auto import tqdm
from tqdm.notebook import tqdm_notebook

from course_lib.evaluation import bleu
from course_lib.fast import Precision, Processes, TranslationModel, choose_device, prepare
from course_lib.files import atomic_path
from course_lib.special_ids import PAD_ID
from course_lib.text.batches import Batch, BucketedBatches, encode_pairs, evaluation_batches
from course_lib.text.readers import SentencePair
from course_lib.translator import Translator


@dataclass(frozen=True)
class TrainingConfig:
    """How a model is trained. When training ends is no part of it, so that any run can be continued.

    Parameters
    ----------
    seed : int
        Seed of the initial weights, of dropout and of the order of batches.
    batch_tokens : int
        Target positions in a batch.
    max_length : int
        Training pairs with more tokens on a side are left out.
    learning_rate : float
        Highest learning rate, reached after `warmup_steps`; it then falls as 1/√step.
    warmup_steps : int
        Steps over which the learning rate rises linearly.
    label_smoothing : float
        Share of the target distribution spread evenly over the vocabulary.
    clip_norm : float
        Longest gradient, as the Euclidean norm over all parameters.
    average_decay : float
        Decay a step of the exponential moving average of the weights, which is what gets evaluated and kept.
    validate_every : int
        Steps between two looks at the validation set.
    precision : {"auto", "float32", "bfloat16"}
        Arithmetic of the matrix products; "auto" takes bfloat16 where the processor computes in it.
    """

    seed: int = 0
    batch_tokens: int = 4000
    max_length: int = 100
    learning_rate: float = 4e-3
    warmup_steps: int = 1000
    label_smoothing: float = 0.1
    clip_norm: float = 1.0
    average_decay: float = 0.999
    validate_every: int = 1000
    precision: Precision = "auto"


@dataclass
class History:
    """What happened so far, in the order in which it happened.

    Attributes
    ----------
    training : list of dict
        Every 100 steps: `step`, `epoch`, `loss` (mean a target token over these steps, smoothed, in nats),
        `learning_rate`, `seconds` since the start (interruptions left out), `tokens` seen.
    validation : list of dict
        At each look: `step`, `seconds`, `loss` (unsmoothed, nats a token), `bleu`.
    """

    training: list[dict[str, float]] = field(default_factory=list)
    validation: list[dict[str, float]] = field(default_factory=list)


class CheckpointError(ValueError):
    """A checkpoint that cannot be read, or that belongs to another run."""


def learning_rate(step: int, config: TrainingConfig) -> float:
    """Return the learning rate of step `step`, counted from 1: linear warm-up, then 1/√step.

    Notes
    -----
    Vaswani et al. (2017), equation 3, with the peak given instead of derived from d_model.

    Examples
    --------
    >>> config = TrainingConfig(learning_rate=1.0, warmup_steps=100)
    >>> learning_rate(50, config), learning_rate(100, config), learning_rate(400, config)
    (0.5, 1.0, 0.5)
    """
    return config.learning_rate * min(step / config.warmup_steps, math.sqrt(config.warmup_steps / step))


ALONE = Processes()


class Trainer:
    """The training of one model, from its first step to any later one.

    Parameters
    ----------
    translator : Translator
        The model, which this trains in place, and its tokenisers.
    training, validation : sequence of SentencePair
        The pairs to learn from, and those that tell how well it goes. Without validation pairs the last average
        is what is kept.
    config : TrainingConfig
        How to train.
    folder : str or Path, optional
        Where `checkpoint.pt` (all that resuming needs), `translator.safetensors` (the best weights so far, for
        use) and `history.json` (for curves) are written. Without it nothing is.
    device : torch.device, optional
        Where to compute; a GPU where there is one.
    processes : Processes
        Those that train this model together. Each has a trainer of its own, made and called like the others'; the
        first measures, reports and writes.

    Raises
    ------
    ValueError
        If no training pair is short enough.
    """

    def __init__(
        self,
        translator: Translator,
        training: Sequence[SentencePair],
        validation: Sequence[SentencePair] = (),
        config: TrainingConfig | None = None,
        folder: str | Path | None = None,
        device: torch.device | None = None,
        processes: Processes = ALONE,
    ) -> None:
        self.config, self.processes = config or TrainingConfig(), processes
        self.fast = prepare(translator.model, device or choose_device(), self.config.precision)
        self.device, self.dtype = self.fast.device, self.fast.dtype
        self.folder = Path(folder) if folder else None
        self.translator, self.validation = translator, list(validation)
        source, target = translator.source_tokeniser, translator.target_tokeniser
        self._corpus = hashlib.sha256(
            "\n".join(line for pair in training for line in pair).encode()
        ).hexdigest()
        encoded, self.n_dropped = encode_pairs(training, source, target, self.config.max_length)
        if not encoded:
            raise ValueError(
                f"training: none of {len(training)} pairs has at most {self.config.max_length} tokens"
            )
        self.batches = BucketedBatches(encoded, self.config.batch_tokens, self.config.seed)
        self._validation_ids = encode_pairs(self.validation, source, target)[0]
        self.model = translator.model
        self.average = AveragedModel(self.model, avg_fn=self._average)
        self._evaluated = Translator(cast(TranslationModel, self.average.module), source, target)
        self.optimiser = torch.optim.Adam(self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.history = History()
        self.step, self.seconds, self.tokens = 0, 0.0, 0
        self.best_bleu = -1.0
        # Sums since the last entry of the history; on the device, since reading them makes it wait. That of losses is
        # this process's part of it.
        self._loss_sum = torch.zeros((), dtype=torch.float64, device=self.device)
        self._loss_tokens = 0
        processes.share(self.model.parameters())
        self._seed_dropout()

    def _seed_dropout(self) -> None:
        torch.manual_seed(self.config.seed + 1_000_003 * self.processes.rank + self.step)

    @property
    def epoch(self) -> float:
        """How often the training pairs have been seen."""
        return self.step / len(self.batches)

    @property
    def looks_since_best(self) -> int:
        """How many looks at the validation set have brought no better BLEU since the one that brought the best."""
        scores = [look["bleu"] for look in self.history.validation]
        return len(scores) - 1 - scores.index(max(scores)) if scores else 0

    def run(
        self,
        steps: int | None = None,
        epochs: float | None = None,
        minutes: float | None = None,
        progress: bool = True,
        patience: int | None = None,
    ) -> History:
        """Train until `steps`, `epochs` or `minutes` *in all*, earlier runs counted in, are reached.

        With `patience`, training ends earlier where so many looks in a row at the validation set have brought no
        better BLEU (early stopping).

        Ctrl-C (or SIGTERM) ends training after the step in hand, with a checkpoint; `interrupted` then is
        True. A second Ctrl-C ends it at once.

        Raises
        ------
        ValueError
            If no end is given.
        """
        if steps is None and epochs is None and minutes is None:
            raise ValueError("run: give steps, epochs or minutes, or training would never end")
        if epochs is not None:
            in_epochs = math.ceil(epochs * len(self.batches))
            steps = in_epochs if steps is None else min(steps, in_epochs)
        seconds = math.inf if minutes is None else 60 * minutes
        last_step = math.inf if steps is None else steps
        before, started, saved = self.seconds, time.perf_counter(), time.perf_counter()
        validated = self.history.validation[-1]["step"] if self.history.validation else 0
        self.fast.model.train()
        with _polite_stop() as stop, self._progress(last_step, seconds, progress) as bar:
            for batch in self._batches():
                is_over = self.step >= last_step or self.seconds >= seconds or stop.is_set()
                is_over = is_over or (patience is not None and self.looks_since_best >= patience)
                if self.processes.any(is_over):
                    break
                self.train_step(batch)
                self.seconds = before + time.perf_counter() - started
                self._record()
                self._show(bar, last_step)
                if self.step % self.config.validate_every == 0:
                    self._validate(bar)
                    validated, saved = self.step, time.perf_counter()
                    self.seconds = before + saved - started
                    self.save_checkpoint()
                elif self.processes.any(time.perf_counter() - saved > 60):
                    saved = time.perf_counter()
                    self.save_checkpoint()
            self.interrupted = self.processes.any(stop.is_set())
            if validated < self.step and not self.interrupted:
                self._validate(bar)
                self.seconds = before + time.perf_counter() - started
            if not self.history.validation:
                self._keep()  # stopped before the first look: what there is, rather than the random start
            self.save_checkpoint()
        return self.history

    interrupted = False

    def _batches(self) -> Iterator[Batch]:
        while True:
            epoch, start = divmod(self.step, len(self.batches))
            yield from self.batches.epoch(epoch, start)

    def loss(self, batch: Batch) -> Tensor:
        """Return the label-smoothed cross-entropy a target token of a batch, in nats, under teacher forcing."""
        return self.fast.loss(batch.source, batch.target_in, batch.target_out, self.config.label_smoothing)

    def train_step(self, batch: Batch) -> None:
        """Take one step of the optimiser on a batch, and move the average of the weights."""
        n_tokens = batch.n_target_tokens
        mine, factor = self.processes.part(batch)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.step + 1, self.config)
        loss = factor * self.loss(mine.to(self.device))
        self.optimiser.zero_grad()
        loss.backward()
        self.processes.average_gradients(self.model.parameters())
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip_norm)
        self.optimiser.step()
        self.average.update_parameters(self.model)
        self._loss_sum += loss.detach() * (n_tokens / self.processes.size)
        self._loss_tokens += n_tokens
        self.tokens += n_tokens
        self.step += 1

    def _average(self, average: Tensor, weight: Tensor, n: Tensor | int) -> Tensor:
        # The average of the first steps spans a tenth of them, or it would long remember the random start.
        decay = min(self.config.average_decay, (1 + int(n)) / (10 + int(n)))
        return torch.lerp(average, weight, 1 - decay)

    def _record(self) -> None:
        if self.step % 100:
            return
        self.history.training.append(
            {
                "step": self.step,
                "epoch": self.epoch,
                "loss": self.processes.total(self._loss_sum).item() / self._loss_tokens,
                "learning_rate": learning_rate(self.step, self.config),
                "seconds": self.seconds,
                "tokens": self.tokens,
            }
        )
        self._loss_sum.zero_()
        self._loss_tokens = 0

    @torch.no_grad()
    def validation_loss(self) -> float:
        """Return the averaged model's cross-entropy on the validation pairs, unsmoothed, in nats a token."""
        model = prepare(self._evaluated.model).model.eval()
        total, n_tokens = 0.0, 0
        for batch, _ in evaluation_batches(self._validation_ids, 4 * self.config.batch_tokens):
            batch = batch.to(self.device)
            logits = model(batch.source, batch.target_in).flatten(0, 1)  # (B·L_t, n_vocab)
            total += F.cross_entropy(
                logits, batch.target_out.flatten(), ignore_index=PAD_ID, reduction="sum"
            ).item()
            n_tokens += batch.n_target_tokens
        return total / n_tokens

    def _validate(self, bar: Any) -> None:
        """Measure the averaged weights, and keep them for use if they are the best so far."""
        score = math.inf  # without validation pairs the latest weights count as the best
        if self.validation:
            record = self.processes.from_first(self._measured)
            score = record["bleu"]
            self.history.validation.append(record)
            if self.processes.is_first:
                bar.write(
                    f"step {self.step:6d}  epoch {self.epoch:5.1f}  {self.seconds / 60:5.1f} min  "
                    f"validation loss {record['loss']:.3f}  BLEU {score:.2f}"
                )
        if score >= self.best_bleu:
            self.best_bleu = score
            self._keep()

    def _measured(self) -> dict[str, float]:
        translations = self._evaluated.translate([pair.source for pair in self.validation])
        score = bleu(translations, [pair.target for pair in self.validation], lowercase=True).score
        return {"step": self.step, "seconds": self.seconds, "loss": self.validation_loss(), "bleu": score}

    def _keep(self) -> None:
        """Write the averaged weights for use, with what was measured of them."""
        if self.folder and self.processes.is_first:
            measured = self.history.validation[-1] if self.history.validation else {"step": self.step}
            self._evaluated.facts = {"epoch": self.epoch, **measured}
            self._evaluated.save(self.folder / "translator.safetensors")

    def _progress(self, last_step: float, seconds: float, progress: bool) -> Any:
        by_time = math.isfinite(seconds) and not math.isfinite(last_step)
        # A bar that stays where it is may move ten times a second; a log file gets a line a minute.
        every = 0.1 if sys.stderr.isatty() or issubclass(tqdm, tqdm_notebook) else 60.0
        return tqdm(
            mininterval=every,
            maxinterval=max(10.0, every),
            total=round(seconds if by_time else last_step),
            initial=round(self.seconds if by_time else self.step),
            unit="s" if by_time else "step",
            disable=not (progress and self.processes.is_first),
            bar_format=None if not by_time else "{l_bar}{bar}| {elapsed}<{remaining}{postfix}",
            dynamic_ncols=True,
        )

    def _show(self, bar: Any, last_step: float) -> None:
        if bar.disable:
            return
        bar.update((self.step if math.isfinite(last_step) else self.seconds) - bar.n)
        if self.step % 20 == 0 and self._loss_tokens:
            loss = self._loss_sum.item() * self.processes.size / self._loss_tokens
            rate = self.tokens / self.seconds if self.seconds else 0.0
            bar.set_postfix_str(
                f"epoch {self.epoch:.1f}, loss {loss:.3f}, {rate:,.0f} tokens/s", refresh=False
            )

    # ---- checkpoints ----

    def save_checkpoint(self) -> None:
        """Write `checkpoint.pt` and `history.json`, each whole or not at all; without a folder, nothing."""
        if self.folder is None:
            return
        cuda = torch.cuda.get_rng_state() if self.device.type == "cuda" else None
        (random, random_cuda), *others = self.processes.gathered((torch.get_rng_state(), cuda))
        loss_sum = self.processes.total(self._loss_sum)
        if not self.processes.is_first:
            return
        state = {
            "corpus": self._corpus,
            "config": asdict(self.config),
            "model_config": asdict(self.model.config),
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "history": asdict(self.history),
            "step": self.step,
            "seconds": self.seconds,
            "tokens": self.tokens,
            "best_bleu": self.best_bleu,
            "loss_sum": loss_sum,
            "loss_tokens": self._loss_tokens,
            "random": random,
            "random_cuda": random_cuda,
            "random_of_others": others,
        }
        with atomic_path(self.folder / "checkpoint.pt") as temporary:
            torch.save(state, temporary)
        with atomic_path(self.folder / "history.json") as temporary:
            temporary.write_text(json.dumps(asdict(self.history), indent=1) + "\n", encoding="utf-8")

    def load_checkpoint(self) -> None:
        """Continue from `checkpoint.pt`, in every process.

        Dropout draws what it would have drawn, if as many processes train together as did then.

        Raises
        ------
        CheckpointError
            If it cannot be read, or was written with another configuration.
        """
        assert self.folder is not None, "a trainer without a folder has no checkpoint"
        path = self.folder / "checkpoint.pt"
        try:
            state = torch.load(path, map_location=self.device, weights_only=True)
        except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
            raise CheckpointError(f"{path}: not a readable checkpoint ({error})") from None
        if state["corpus"] != self._corpus:
            raise CheckpointError(f"{path}: was trained on other sentence pairs")
        for ours, theirs in ((self.config, "config"), (self.model.config, "model_config")):
            stored, wanted = state[theirs], asdict(ours)
            different = [name for name in wanted if stored.get(name) != wanted[name]]
            if different:
                changes = ", ".join(f"{name} {stored.get(name)!r} → {wanted[name]!r}" for name in different)
                raise CheckpointError(f"{path}: was trained with other settings ({changes})")
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.history = History(**state["history"])
        self.step, self.seconds, self.tokens = state["step"], state["seconds"], state["tokens"]
        self.best_bleu = state["best_bleu"]
        self._loss_sum, self._loss_tokens = state["loss_sum"], state["loss_tokens"]
        if not self.processes.is_first:
            self._loss_sum = torch.zeros_like(self._loss_sum)  # the first has it all
        everyones = [(state["random"], state["random_cuda"]), *state.get("random_of_others", [])]
        if len(everyones) != self.processes.size:
            self._seed_dropout()
            return
        random, random_cuda = everyones[self.processes.rank]
        torch.set_rng_state(random.cpu())
        if self.device.type == "cuda" and random_cuda is not None:
            torch.cuda.set_rng_state(random_cuda.cpu())


@contextmanager
def _polite_stop() -> Iterator[threading.Event]:
    """Turn the first SIGINT or SIGTERM into an event, so that no step is left half done; a second one stops."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # signals reach the main thread alone
        return

    def handle(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    previous = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
