"""The long trainings whose results chapters 10 and 11 read: what each is, and how it is carried out and written down.

A run is carried out once. Its record in the folder of results says that it is done; a run that was stopped goes on
from its last checkpoint.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, field, fields
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor
from tqdm.auto import tqdm

from course_lib.chapters.ch09_transformer.bug_clinic import WithoutResidual
from course_lib.chapters.ch10_translation.order import (
    order_measures,
    shift_measures,
    short_pairs,
    squeeze_measures,
)
from course_lib.chapters.ch10_translation.translation import (
    alignment_errors,
    decoding_speeds,
    quality,
    training_speeds,
)
from course_lib.chapters.fit import seeded
from course_lib.fast import choose_device
from course_lib.files import atomic_path
from course_lib.model import FeedForward, Parts, PositionalEncoding, Transformer
from course_lib.model.blocks import STANDARD
from course_lib.special_ids import PAD_ID
from course_lib.text.embedded import SPLITS, AnnotatedPair, load_embedded, load_few, load_reversals
from course_lib.text.readers import SentencePair, read_corpus
from course_lib.text.tokenisers import BPETokeniser, WordTokeniser
from course_lib.text.typography import normalise
from course_lib.training import Trainer, TrainingConfig
from course_lib.translator import MODELS, Translator

OWN = ("embedded", "few")  # the course's own corpus: all its training pairs, or 2,000 of them (`load_few`)
STARTS = 32  # from how many positions the sentences of a batch may start, where starts are random


class PooledMemory(Transformer):
    """A Transformer whose decoder sees the source in one vector: the mean of the encoding, at each place."""

    def encode(self, source: Tensor) -> Tensor:
        """Return the mean of the encoding over the real tokens in the place of each of its vectors, (B, L_s, d)."""
        memory = super().encode(source)  # (B, L_s, d)
        real = (source != PAD_ID).unsqueeze(-1).to(memory.dtype)  # (B, L_s, 1)
        mean = (memory * real).sum(dim=1, keepdim=True) / real.sum(dim=1, keepdim=True).clamp(min=1)
        return mean.expand_as(memory)


class NoFeedForward(FeedForward):
    """A feed-forward network that says nothing; it keeps its weights, unused."""

    def forward(self, x: Tensor) -> Tensor:
        """Return zeros of the shape of `x`."""
        return torch.zeros_like(x)


def everything_allowed(ids: Tensor) -> Tensor:
    """Mask (L, L) for token ids, (B, L), under which each position sees all."""
    length = ids.shape[1]
    return torch.ones(length, length, dtype=torch.bool, device=ids.device)


class Ablation(NamedTuple):
    """What is left out of a Transformer to see what it was for, beside the settings of `TransformerConfig`."""

    parts: Parts = STANDARD
    model: type[Transformer] = Transformer

    def of(self, translator: Translator) -> Translator:
        """Return a translator with the same weights whose model lacks this."""
        whole = translator.model
        assert isinstance(whole, Transformer), "only a Transformer has these parts"
        model = self.model(whole.config, self.parts).to(translator.device)
        model.load_state_dict(whole.state_dict())
        return Translator(
            model.eval(), translator.source_tokeniser, translator.target_tokeniser, translator.facts
        )


ABLATIONS = {
    "no mask": Ablation(Parts(target_mask=everything_allowed)),
    "no feed-forward": Ablation(Parts(feed_forward=NoFeedForward)),
    "pooled memory": Ablation(model=PooledMemory),
    "no residual": Ablation(Parts(sublayer=WithoutResidual)),
}


class RandomStarts(PositionalEncoding):
    """Positions that in training start from a number drawn anew for each batch and side, below `STARTS`."""

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """Encode the positions of `x`, (B, L, d), from `start` on; in training, from as many more as are drawn."""
        drawn = int(torch.randint(STARTS, ())) if self.training else 0
        return super().forward(x, start + drawn)


# Trained otherwise, the same once trained.
REMEDIES = {"random starts": Ablation(Parts(positions=RandomStarts))}


@dataclass(frozen=True)
class Run:
    """One training, with everything that decides its outcome.

    Attributes
    ----------
    name : str
        Also of its record: "transformer-0" makes `<corpus>/transformer-0.json`.
    corpus : str
        One of `OWN`, or the name under which the results of a corpus of the user's own are kept.
    model : str
        A key of `course_lib.translator.MODELS`.
    shape : dict
        Settings of the model.
    training : dict
        Settings of `course_lib.training.TrainingConfig`, the seed among them.
    minutes, epochs : float
        When training ends, whichever comes first.
    tokeniser : {"word", "bpe"}
    vocabulary : int
        Most tokens of the joint vocabulary.
    ablation : str
        A key of `ABLATIONS` or `REMEDIES`; "" for none.
    parts : tuple of str
        Parts of the corpus on which the trained model is measured; of the course's own corpus, all of them where
        none is named.
    continues : str
        Name of a run with the same settings that ends earlier: if its checkpoint is there, training goes on from
        it, which gives what training from the start would, with one more look at the validation set.
    keep_weights : bool
        Whether the trained weights are stored beside the record, in half precision.
    patience : int
        After how many looks at the validation set in a row that bring no better BLEU training ends, too.
    searches : tuple of {"greedy", "beam 5"}
        How the trained model is measured.
    """

    name: str
    corpus: str
    model: str
    shape: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    minutes: float | None = None
    epochs: float | None = None
    tokeniser: Literal["word", "bpe"] = "word"
    vocabulary: int = 6000
    ablation: str = ""
    parts: tuple[str, ...] = ()
    continues: str = ""
    keep_weights: bool = False
    patience: int | None = None
    searches: tuple[str, ...] = ("greedy", "beam 5")

    def settings(self) -> dict[str, Any]:
        """Return all settings as a record holds them; those that older records do not know, only where they matter."""
        newer = {each.name: each.default for each in fields(self) if each.name in ("patience", "searches")}
        given = {name: value for name, value in asdict(self).items() if newer.get(name, MISSING) != value}
        settings: dict[str, Any] = json.loads(json.dumps(given))
        return settings


def carry_out(
    run: Run,
    results: Path,
    work: Path,
    corpus: Path | None = None,
    progress: bool = True,
) -> dict[str, Any]:
    """Train, measure and write down one run; if its record is there already, return that.

    Parameters
    ----------
    run : Run
    results : Path
        Folder of records.
    work : Path
        Folder of checkpoints, which may be deleted once the records are there.
    corpus : Path, optional
        A corpus of the user's own; the course's where not given.
    progress : bool
        Whether to show a progress bar.

    Raises
    ------
    KeyboardInterrupt
        If the user stopped it; called again, it goes on.
    ValueError
        If a record or a checkpoint is there that belongs to a run with other settings.
    """
    path = results / run.corpus / f"{run.name}.json"
    if path.exists():
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if record["run"] != run.settings():
            raise ValueError(f"{path} tells of a run with other settings: delete it to carry out this one")
        return record
    training = (
        [_plain(pair) for pair in load_few()]
        if run.corpus == "few" and not corpus
        else _pairs(corpus, "train")
    )
    validation = _pairs(corpus, "val")
    folder = work / run.corpus / run.name
    with _counting_cpu(folder / "cpu_seconds.json") as spent:
        translator, trainer = _train(run, folder, training, validation, progress)
    record = {
        "run": run.settings(),
        "command": f"python tools/results.py {run.corpus}/{run.name}",
        "machine": machine(trainer.device),
        "finished": time.strftime("%Y-%m-%d", time.gmtime()),
        "parameters": sum(parameter.numel() for parameter in translator.model.parameters()),
        "training_pairs": len(training),
        "precision": str(trainer.dtype).removeprefix("torch."),
        "seconds": trainer.seconds,
        "cpu_seconds": spent["cpu_seconds"],
        "steps": trainer.step,
        "epochs": trainer.epoch,
        "tokens_per_second": trainer.tokens / trainer.seconds,
        "history": asdict(trainer.history),
        "quality": _measured(translator, run, corpus, progress),
    }
    if corpus is None and not run.parts:
        record |= _measured_on_annotations(translator)
    if run.keep_weights:
        translator.save(results / run.corpus / f"{run.name}.safetensors", torch.float16)
    return _write(record, path)


def measure_speeds(
    shapes: Mapping[str, tuple[str, Mapping[str, Any]]],
    training: Mapping[str, Any],
    path: Path,
    command: str,
) -> dict[str, Any]:
    """Measure how fast models train and decode, side by side, and write it down; if that is there, return it.

    Speed does not depend on what the weights are, so untrained models serve.

    Parameters
    ----------
    shapes : mapping from name to (kind of model, settings of its shape)
    training : mapping
        Settings of `course_lib.training.TrainingConfig`.
    path : Path
        The record: target tokens a second in training, and in decoding by length and batch size.
    command : str
        What carries this out, for the record.
    """
    if path.exists():
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return record
    pairs = _pairs(None, "train")
    tokeniser = WordTokeniser.train([line for pair in pairs for line in pair], n_vocab=6000)
    translators = {}
    for name, (model, shape) in shapes.items():
        config_class, model_class = MODELS[model]
        with seeded(0):
            built = model_class(config_class(len(tokeniser), len(tokeniser), tie="three-way", **shape))
        translators[name] = Translator(built.to(choose_device()), tokeniser, tokeniser)
    config = TrainingConfig(**training)
    sentences = [pair.source for pair in _pairs(None, "test")]
    sizes, lengths = (1, 8, 64), (10, 40)
    record = {
        "command": command,
        "machine": machine(choose_device()),
        "finished": time.strftime("%Y-%m-%d", time.gmtime()),
        "training": training_speeds(translators, pairs, config),
        "batch_sizes": sizes,
        "decoding": {
            str(length): decoding_speeds(translators, sentences, sizes, length, repeats=5)
            for length in lengths
        },
    }
    return _write(record, path)


def measure_lengths(results: Path, names: Sequence[str], path: Path, command: str) -> dict[str, Any]:
    """Count exact translations by length, of runs whose weights are stored; if that is there, return it.

    Parameters
    ----------
    results : Path
        Folder of records and weights.
    names : sequence of str
        Runs on the course's own corpus: "transformer-0".
    path : Path
        The record: by run and part of the corpus, [words, sentences, translated exactly] of each length, greedily.
        Words are those of the English side, with its punctuation marks.
    command : str
        What carries this out, for the record.
    """
    if path.exists():
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return record
    counts: dict[str, dict[str, list[list[int]]]] = {}
    for name in names:
        translator = Translator.load(results / "embedded" / f"{name}.safetensors", choose_device())
        counts[name] = {}
        for part in ("test", "longer"):
            pairs = _pairs(None, part)
            translations = translator.translate([pair.source for pair in pairs])
            found: dict[int, list[int]] = {}
            for annotated, pair, translation in zip(load_embedded(part), pairs, translations, strict=True):
                row = found.setdefault(len(annotated.source_tokens), [0, 0])
                row[0] += 1
                row[1] += translation == pair.target
            counts[name][part] = [[words, *row] for words, row in sorted(found.items())]
    record = {
        "command": command,
        "machine": machine(choose_device()),
        "finished": time.strftime("%Y-%m-%d", time.gmtime()),
        "search": "greedy",
        "counts": counts,
    }
    return _write(record, path)


def measure_order(results: Path, names: Sequence[str], path: Path, command: str) -> dict[str, Any]:
    """Measure what runs whose weights are stored know of order and positions; if that is there, return it.

    Parameters
    ----------
    results : Path
        Folder of records and weights.
    names : sequence of str
        Runs on the course's own corpus: "transformer-0".
    path : Path
        The record: by run, `order.order_measures` and, of a Transformer, `order.shift_measures`.
    command : str
        What carries this out, for the record.
    """
    if path.exists():
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return record
    record = {
        "command": command,
        "machine": machine(choose_device()),
        "finished": time.strftime("%Y-%m-%d", time.gmtime()),
        "order": {},
        "shifted": {},
    }
    short, reversals = short_pairs(load_embedded("test")), load_reversals()
    for name in names:
        translator = Translator.load(results / "embedded" / f"{name}.safetensors", choose_device())
        record["order"][name] = order_measures(translator, reversals)
        record["shifted"][name] = shift_measures(translator, short) if _has_positions(translator) else []
    return _write(record, path)


def measure_squeezed(results: Path, names: Sequence[str], path: Path, command: str) -> dict[str, Any]:
    """Measure what a Transformer translates with squeezed positions; if that is there, return it.

    Parameters
    ----------
    results : Path
        Folder of records and weights.
    names : sequence of str
        Runs on the course's own corpus, of which the first is measured.
    path : Path
        The record: `order.squeeze_measures`, of the parts "test" and "longer".
    command : str
        What carries this out, for the record.
    """
    if path.exists():
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return record
    translator = Translator.load(results / "embedded" / f"{names[0]}.safetensors", choose_device())
    parts = {part: [_plain(pair) for pair in load_embedded(part)] for part in ("test", "longer")}
    record = {
        "command": command,
        "machine": machine(choose_device()),
        "finished": time.strftime("%Y-%m-%d", time.gmtime()),
        "run": names[0],
        **squeeze_measures(translator, short_pairs(load_embedded("test")), parts),
    }
    return _write(record, path)


def load_record(results: Path, name: str) -> dict[str, Any]:
    """Return the record of a run, as in `load_record(Path("results"), "embedded/transformer-0")`.

    Raises
    ------
    FileNotFoundError
        If there is none, naming the command that makes it.
    """
    path = results / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(f"{path} is not there: `make results` carries out the run and writes it")
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def machine(device: torch.device) -> dict[str, Any]:
    """Say on what kind of machine this is, and with which versions: what one needs to compare seconds.

    Examples
    --------
    >>> sorted(machine(torch.device("cpu")))
    ['cores', 'device', 'instructions', 'processor', 'python', 'threads', 'torch']
    """
    instructions = ("avx2", "avx512_f", "avx512_bf16", "amx_bf16")
    capabilities = torch.cpu.get_capabilities()
    return {
        "processor": platform.machine(),
        "instructions": [name for name in instructions if capabilities.get(name)],
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else device.type,
        "python": platform.python_version(),
        "torch": metadata.version("torch").split("+")[0],
    }


def _write(record: dict[str, Any], path: Path) -> dict[str, Any]:
    """Write a record, whole or not at all, and return it as it will be read."""
    text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return json.loads(text)


@contextmanager
def _counting_cpu(path: Path) -> Iterator[dict[str, float]]:
    """Count the processor's seconds in the `with` block, and before it in those of the same file that were stopped."""
    spent = {"cpu_seconds": 0.0}
    if path.exists():
        spent = json.loads(path.read_text(encoding="utf-8"))
    start = time.process_time()
    try:
        yield spent
    finally:
        spent["cpu_seconds"] += time.process_time() - start
        _write(spent, path)


def _has_positions(translator: Translator) -> bool:
    return isinstance(translator.model, Transformer)


def _plain(pair: AnnotatedPair) -> SentencePair:
    return SentencePair(normalise(pair.source), normalise(pair.target))


def _pairs(corpus: Path | None, split: str) -> list[SentencePair]:
    return [SentencePair(pair.source, pair.target) for pair in read_corpus(corpus, split)]


def _train(
    run: Run, folder: Path, training: list[SentencePair], validation: list[SentencePair], progress: bool
) -> tuple[Translator, Trainer]:
    """Train to the run's end, from its checkpoint if there is one; return its best weights and the trainer."""
    earlier = folder.with_name(run.continues) if run.continues else folder
    if not (folder / "checkpoint.pt").exists() and (earlier / "checkpoint.pt").exists():
        shutil.copytree(earlier, folder, dirs_exist_ok=True)
    _claim(folder, run)
    tokenisers: dict[str, type[WordTokeniser | BPETokeniser]] = {"word": WordTokeniser, "bpe": BPETokeniser}
    lines = [line for pair in training for line in pair]
    tokeniser = tokenisers[run.tokeniser].train(lines, n_vocab=run.vocabulary)
    config = TrainingConfig(**run.training)
    config_class, model_class = MODELS[run.model]
    shape = {"n_source_vocab": len(tokeniser), "n_target_vocab": len(tokeniser), "tie": "three-way"}
    with seeded(config.seed):
        model = model_class(config_class(**(shape | dict(run.shape))))
    translator = Translator(model, tokeniser, tokeniser)
    if run.ablation:
        translator = (ABLATIONS | REMEDIES)[run.ablation].of(translator)
    trainer = Trainer(translator, training, validation, config, folder, choose_device())
    if (folder / "checkpoint.pt").exists():
        trainer.load_checkpoint()
    trainer.run(epochs=run.epochs, minutes=run.minutes, progress=progress, patience=run.patience)
    if trainer.interrupted:
        raise KeyboardInterrupt
    best = Translator.load(folder / "translator.safetensors", trainer.device)
    return (ABLATIONS | REMEDIES)[run.ablation].of(best) if run.ablation else best, trainer


def _claim(folder: Path, run: Run) -> None:
    """Write down whose checkpoint the folder holds; ValueError if it is that of a run with other settings."""
    ends = (
        "name",
        "minutes",
        "epochs",
        "parts",
        "continues",
        "keep_weights",
        "patience",
        "searches",
    )  # may differ between parts of a run
    settings = {key: value for key, value in run.settings().items() if key not in ends}
    path = folder / "settings.json"
    if path.exists() and json.loads(path.read_text(encoding="utf-8")) != settings:
        raise ValueError(
            f"{folder} holds the checkpoint of a run with other settings: delete it to carry out this one"
        )
    _write(settings, path)


def _measured(translator: Translator, run: Run, corpus: Path | None, progress: bool) -> dict[str, Any]:
    """Quality by part of the corpus: greedy, and with beam 5 on all but the challenge sets."""
    everything = [split for split in SPLITS if split not in ("train", "sources")]
    measured: dict[str, Any] = {}
    for split in tqdm(run.parts or everything, desc="measuring", disable=not progress):
        pairs = _pairs(corpus, split)
        beams = {"greedy": 1} if split.startswith("challenge_") else {"greedy": 1, "beam 5": 5}
        measured[split] = {
            search: quality(translator, pairs, beam=beam)
            for search, beam in beams.items()
            if search in run.searches
        }
    return measured


def _measured_on_annotations(translator: Translator) -> dict[str, Any]:
    """What only the course's own corpus can tell: alignment by head, the sentences of its sources, order, positions."""
    sources = load_embedded("sources")
    translations = translator.translate([pair.source for pair in sources])
    shifted = (
        shift_measures(translator, short_pairs(load_embedded("test"))) if _has_positions(translator) else []
    )
    return {
        "order": order_measures(translator, load_reversals()),
        "shifted": shifted,
        "alignment_errors": alignment_errors(translator, load_embedded("test")),
        "sources": [
            {"source": pair.source, "reference": pair.target, "translation": translation}
            for pair, translation in zip(sources, translations, strict=True)
        ],
    }
