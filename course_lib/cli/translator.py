"""The translator's commands: train one, use it, measure it, and look at the course's own corpus."""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import random
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course_lib.cli.options import Commands, UserError, positive

# torch is imported inside the commands: `course --help` should not take a second.
if TYPE_CHECKING:
    from course_lib.fast import Processes
    from course_lib.text.embedded import AnnotatedPair
    from course_lib.text.readers import SentencePair
    from course_lib.text.tokenisers import Tokeniser
    from course_lib.training import Trainer, TrainingConfig
    from course_lib.translator import Translator


def add_commands(commands: Commands) -> None:
    """Add train, translate, evaluate and corpus to the `course` command."""
    _add_train(commands)
    _add_translate(commands)
    _add_evaluate(commands)
    _add_corpus(commands)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device", default="auto", help="auto (a GPU where there is one), cpu, cuda, cuda:1, mps, …"
    )
    parser.add_argument("--threads", type=positive, metavar="N", help="processor threads to use")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")


def _limit_threads(options: argparse.Namespace) -> None:
    if options.threads:
        import torch

        torch.set_num_threads(options.threads)


# ---- train ----

_MODEL_OPTIONS = {
    "d_model": "width of the model",
    "n_heads": "attention heads",
    "d_ff": "inner width of the feed-forward networks",
    "n_encoder_layers": "encoder blocks, or layers of GRUs",
    "n_decoder_layers": "decoder blocks, or layers of GRUs",
    "dropout": "dropout on embeddings and sublayer outputs",
    "norm": "layer normalisation before or after each sublayer: pre, post",
    "position": "positional encoding: sinusoidal, learned, none, rotary",
    "d_hidden": "width of a GRU's state",
    "attention": "attention of a GRU: additive, none",
}
_TRAINING_OPTIONS = {
    "seed": "seed of weights, dropout and the order of batches",
    "batch_tokens": "target tokens in a batch",
    "learning_rate": "highest learning rate",
    "warmup_steps": "steps until it is reached",
    "label_smoothing": "label smoothing",
    "average_decay": "decay of the moving average of the weights",
    "validate_every": "steps between two looks at the validation set",
    "precision": "auto, float32, bfloat16",
}


_MANY = """\
on many cores, GPUs or machines, with the same options:
  torchrun --standalone --nproc-per-node=2 --max-restarts=3 -m course_lib.train RUN --batch-tokens 8000
Every batch is shared out, so the training is that of one process with the same --batch-tokens. The command goes on with
what RUN holds already: after a crash, or when it is given again.
"""


def _add_train(commands: Commands) -> None:
    parser = commands.add_parser(
        "train",
        help="train a translator",
        description="Train a model to translate. Ctrl-C stops with a checkpoint; --resume goes on from it.",
        epilog=_MANY,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=_train)
    parser.add_argument("folder", type=Path, metavar="RUN", help="folder to write to, such as runs/first")
    parser.add_argument(
        "--corpus",
        type=Path,
        help="folder of train.en, train.fr, val.en, val.fr; or a .tsv file (default: the course's own corpus)",
    )
    parser.add_argument("--resume", action="store_true", help="continue the training that RUN holds")
    end = parser.add_argument_group("when to stop, earlier runs counted in (default: after 40 epochs)")
    end.add_argument("--minutes", type=float, metavar="N")
    end.add_argument("--epochs", type=float, metavar="N", help="times through the corpus")
    end.add_argument("--steps", type=positive, metavar="N")
    tokens = parser.add_argument_group("tokens")
    tokens.add_argument("--tokeniser", choices=("bpe", "word"), default="bpe", help="default: bpe")
    tokens.add_argument(
        "--vocabulary", type=positive, metavar="N", default=6000, help="size of the joint vocabulary (6000)"
    )
    model = parser.add_argument_group("model (each kind has those of the settings that fit it)")
    model.add_argument("--model", choices=("transformer", "gru"), default="transformer", help="(transformer)")
    training = parser.add_argument_group("training")
    # The options' types and defaults are those of the two dataclasses, told here as text so that --help is quick;
    # what is left out on the command line is left to them.
    for group, options in ((model, _MODEL_OPTIONS), (training, _TRAINING_OPTIONS)):
        for name, text in options.items():
            group.add_argument(f"--{name.replace('_', '-')}", help=text, metavar="X")
    _add_common(parser)


def _settings(options: argparse.Namespace, names: dict[str, str], config: type[Any]) -> dict[str, Any]:
    """What the command line says of a dataclass's fields, each in the type of the field's default."""
    defaults: dict[str, Any] = {field.name: field.default for field in fields(config)}
    settings = {}
    for name in names:
        text = getattr(options, name)
        if text is None:
            continue
        if name not in defaults:
            raise UserError(f"--{name.replace('_', '-')} is no setting of --model {options.model}")
        try:
            settings[name] = type(defaults[name])(text)
        except ValueError:
            wanted = "a whole number" if isinstance(defaults[name], int) else "a number"
            raise UserError(f"--{name.replace('_', '-')}: expected {wanted}, not {text!r}") from None
    return settings


def _train(options: argparse.Namespace) -> int:
    from course_lib.fast import launched_processes

    _limit_threads(options)
    with launched_processes() as processes:
        trainer = _trainer_of_run(options, processes)
        end = {
            name: getattr(options, name) for name in ("steps", "epochs", "minutes") if getattr(options, name)
        }
        trainer.run(**(end or {"epochs": 40}), progress=not options.quiet)
    if not processes.is_first:
        return 130 if trainer.interrupted else 0
    last = _draw_curve(trainer)
    done = f"step {trainer.step}, epoch {trainer.epoch:.1f}, {trainer.seconds / 60:.1f} min"
    if last:
        done += f", best validation BLEU {trainer.best_bleu:.2f}"
    if trainer.interrupted:
        again = "the same command" if processes.by_torchrun else f"course train {options.folder} --resume"
        print(f"stopped at {done}; continue with: {again}")
        return 130
    print(f'trained to {done}; try: course translate {options.folder} "A dog is running on the beach."')
    return 0


def _trainer_of_run(options: argparse.Namespace, processes: Processes) -> Trainer:
    """Start a training or continue one; what several processes are to do, the first one decides."""
    goes_on = processes.from_first(lambda: (options.folder / "checkpoint.pt").exists())
    if options.resume and not goes_on:
        raise UserError(f"{options.folder} holds no training to resume; start one without --resume")
    if goes_on and not options.resume and not processes.by_torchrun:
        raise UserError(
            f"{options.folder} holds a training already; --resume continues it, or name another folder"
        )
    return _resumed(options, processes) if goes_on else _started(options, processes)


def _draw_curve(trainer: Trainer) -> dict[str, float]:
    """Write the validation curve as `bleu.png`, and return its last point."""
    from course_lib.figures.curves import lines
    from course_lib.files import atomic_path

    looks = trainer.history.validation
    if not looks:
        return {}
    minutes, scores = [look["seconds"] / 60 for look in looks], [look["bleu"] for look in looks]
    picture = lines(
        minutes,
        {"greedy search": scores},
        x_label="minutes of training",
        y_label="BLEU on the validation set, lower-cased",
    )
    with atomic_path(trainer.folder / "bleu.png") as path:  # type: ignore[operator]
        path.write_bytes(picture.png)
    return looks[-1]


def _started(options: argparse.Namespace, processes: Processes) -> Trainer:
    from course_lib.files import atomic_path
    from course_lib.training import TrainingConfig
    from course_lib.translator import MODELS

    model_settings = _settings(options, _MODEL_OPTIONS, MODELS[options.model][0])
    training_settings = _settings(options, _TRAINING_OPTIONS, TrainingConfig)
    config = TrainingConfig(**training_settings)
    training, validation = _read(options.corpus)
    translator = _new_translator(options, training, model_settings, config.seed)
    trainer = _trainer(options, translator, training, validation, config, processes)
    if processes.is_first:
        # Untrained as it is, it holds the tokenisers and the shape for resuming.
        translator.save(options.folder / "translator.safetensors")
        with atomic_path(options.folder / "run.json") as path:
            record = {
                "corpus": options.corpus and str(options.corpus.resolve()),
                "training": training_settings,
                "versions": _versions(),
            }
            path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    trainer.save_checkpoint()
    return trainer


def _resumed(options: argparse.Namespace, processes: Processes) -> Trainer:
    from course_lib.training import TrainingConfig
    from course_lib.translator import Translator

    record = json.loads((options.folder / "run.json").read_text(encoding="utf-8"))
    translator = Translator.load(options.folder / "translator.safetensors")
    config = TrainingConfig(**record["training"])
    kept = {**asdict(translator.model.config), **asdict(config)}
    for name in (*_MODEL_OPTIONS, *_TRAINING_OPTIONS):
        text = getattr(options, name)
        # The same command once more is no change.
        if text is not None and (options.resume or name not in kept or type(kept[name])(text) != kept[name]):
            raise UserError(
                f"{options.folder} is resumed with the settings of the run: leave --{name.replace('_', '-')} out"
            )
    training, validation = _read(options.corpus or record["corpus"])
    trainer = _trainer(options, translator, training, validation, config, processes)
    trainer.load_checkpoint()
    return trainer


def _read(corpus: Path | str | None) -> tuple[list[SentencePair], list[SentencePair]]:
    from course_lib.text.readers import CorpusError, read_corpus

    training = read_corpus(corpus, "train")
    try:
        return training, read_corpus(corpus, "val")
    except CorpusError as error:
        print(f"no validation: {error}", file=sys.stderr)
        return training, []


def _new_translator(
    options: argparse.Namespace, training: list[SentencePair], settings: dict[str, Any], seed: int
) -> Translator:
    """Train a joint tokeniser on the training part alone, and make a model for it."""
    import torch

    from course_lib.text.tokenisers import BPETokeniser, WordTokeniser
    from course_lib.translator import MODELS, Translator

    lines = [line for pair in training for line in pair]
    kind: type[BPETokeniser | WordTokeniser] = BPETokeniser if options.tokeniser == "bpe" else WordTokeniser
    tokeniser: Tokeniser = kind.train(lines, n_vocab=options.vocabulary)
    torch.manual_seed(seed)
    shape: dict[str, Any] = {
        "n_source_vocab": len(tokeniser),
        "n_target_vocab": len(tokeniser),
        "tie": "three-way",
    }
    config_class, model_class = MODELS[options.model]
    return Translator(model_class(config_class(**shape, **settings)), tokeniser, tokeniser)


def _trainer(
    options: argparse.Namespace,
    translator: Translator,
    training: list[SentencePair],
    validation: list[SentencePair],
    config: TrainingConfig,
    processes: Processes,
) -> Trainer:
    from course_lib.fast import choose_device
    from course_lib.training import Trainer

    device = choose_device(options.device)
    trainer = Trainer(translator, training, validation, config, options.folder, device, processes)
    if not processes.is_first:
        return trainer
    n_parameters = sum(parameter.numel() for parameter in trainer.model.parameters())
    print(
        f"{len(training):,} training pairs, {len(validation):,} validation pairs, vocabulary of "
        f"{len(translator.target_tokeniser):,}; {n_parameters:,} parameters on {trainer.device}, "
        f"{str(trainer.dtype).removeprefix('torch.')}; {len(trainer.batches)} steps an epoch"
        + (f"; {processes.size} processes" if processes.size > 1 else "")
    )
    if trainer.n_dropped:
        print(f"left out {trainer.n_dropped:,} training pairs of more than {config.max_length} tokens")
    return trainer


def _versions() -> dict[str, str]:
    import torch

    return {"python": platform.python_version(), "torch": torch.__version__}


# ---- translate ----


def _add_translate(commands: Commands) -> None:
    parser = commands.add_parser(
        "translate",
        help="translate sentences with a trained translator",
        description="Translate the sentences given, or, without any, each line of standard input.",
    )
    parser.set_defaults(run=_translate)
    _add_model(parser)
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE")


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, metavar="RUN", help="what course train wrote: folder or .safetensors"
    )
    parser.add_argument(
        "--beam", type=positive, metavar="N", default=5, help="beam width (5); 1 is greedy search"
    )
    parser.add_argument(
        "--alpha",
        type=float,
        metavar="X",
        default=1.0,
        help="length penalty (1.0); 0 prefers short sentences",
    )
    _add_common(parser)


def _load(options: argparse.Namespace) -> Translator:
    from course_lib.fast import choose_device
    from course_lib.translator import Translator

    _limit_threads(options)
    path = options.folder / "translator.safetensors" if options.folder.is_dir() else options.folder
    if not path.is_file():
        raise UserError(f"there is no translator {path}; course train writes one")
    return Translator.load(path, choose_device(options.device))


def _translate(options: argparse.Namespace) -> int:
    from course_lib.text.typography import typeset_french

    translator = _load(options)

    def show(sentences: list[str]) -> None:
        for translation in translator.translate(sentences, options.beam, options.alpha):
            print(typeset_french(translation), flush=True)

    if options.sentences:
        show(options.sentences)
    elif sys.stdin.isatty():
        print("Type a sentence and press Enter; Ctrl-D ends.", file=sys.stderr)
        for line in sys.stdin:
            show([line.strip()])
    else:
        show([line.strip() for line in sys.stdin])
    return 0


# ---- evaluate ----


def _add_evaluate(commands: Commands) -> None:
    parser = commands.add_parser(
        "evaluate",
        help="measure a trained translator on a test set",
        description="Translate a part of a corpus and compare with its translations: BLEU and exact matches.",
    )
    parser.set_defaults(run=_evaluate)
    _add_model(parser)
    parser.add_argument(
        "--corpus",
        type=Path,
        help="folder of SPLIT.en and SPLIT.fr, or a .tsv file (default: the course's own corpus)",
    )
    parser.add_argument("--split", default="val", help="part of the corpus (val)")
    parser.add_argument("--examples", type=int, metavar="N", default=5, help="sentences to show (5)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write all translations here, one a line")


def _evaluate(options: argparse.Namespace) -> int:
    from course_lib.evaluation import bleu, exact_match
    from course_lib.files import atomic_path
    from course_lib.text.readers import read_corpus

    translator = _load(options)
    pairs = read_corpus(options.corpus, options.split)
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    translations = translator.translate(sources, options.beam, options.alpha, progress=not options.quiet)
    if options.output:
        with atomic_path(options.output) as path:
            path.write_text("".join(line + "\n" for line in translations), encoding="utf-8")
    shown = zip(sources, references, translations, strict=True)
    for source, reference, translation in itertools.islice(shown, options.examples):
        print(f"  source      {source}\n  reference   {reference}\n  translation {translation}\n")
    search = "greedy" if options.beam == 1 else f"beam {options.beam}, length penalty {options.alpha:g}"
    print(f"{options.split}: {len(pairs):,} sentences, {search}")
    for lowercase, name in ((False, "as written"), (True, "lower-cased")):
        score = bleu(translations, references, lowercase)
        print(f"BLEU {score.score:.2f} {name} ({score.signature})")
    print(f"exact matches {100 * exact_match(translations, references):.1f} %")
    return 0


# ---- corpus ----


def _add_corpus(commands: Commands) -> None:
    parser = commands.add_parser(
        "corpus",
        help="show the course's own English–French corpus, or write it to files",
        description="Show the corpus that the course brings along: its parts, its phenomena, sentences; or write it.",
    )
    parser.set_defaults(run=_corpus)
    parser.add_argument("--split", default="train", help="part to take sentences from (train)")
    parser.add_argument("--phenomenon", metavar="NAME", help="only sentences that show this phenomenon")
    parser.add_argument("--samples", type=int, metavar="N", default=10, help="sentences to show (10)")
    parser.add_argument("--seed", type=int, metavar="N", default=0, help="which sentences (0)")
    parser.add_argument(
        "--annotations", action="store_true", help="show words, heads and alignment of each sentence too"
    )
    parser.add_argument(
        "--write", type=Path, metavar="FOLDER", help="write every part as PART.en and PART.fr"
    )
    parser.add_argument(
        "--tsv", type=Path, metavar="FILE", help="write the part --split as a tab-separated file"
    )


def _corpus(options: argparse.Namespace) -> int:
    from course_lib.text import embedded

    pairs = embedded.load_embedded(options.split)  # first: a wrong name is told before anything is written
    if options.write:
        paths = embedded.write_parallel(options.write)
        print(f"wrote {len(paths)} files to {options.write}")
    if options.tsv:
        embedded.write_tsv(options.tsv, options.split)
        print(f"wrote {len(pairs):,} pairs to {options.tsv}")
    if not (options.write or options.tsv):
        _show_corpus(options, pairs)
    return 0


def _show_corpus(options: argparse.Namespace, pairs: list[AnnotatedPair]) -> None:
    from course_lib.text import embedded

    if options.phenomenon and options.phenomenon not in embedded.PHENOMENA:
        raise UserError(
            f"--phenomenon: expected one of {', '.join(embedded.PHENOMENA)}, not {options.phenomenon!r}"
        )
    everything = {split: embedded.load_embedded(split) for split in embedded.SPLITS}
    train = everything["train"]
    print(f"embedded corpus, version {embedded.VERSION}: {sum(map(len, everything.values())):,} pairs")
    for split, found in everything.items():
        if not split.startswith("challenge_"):
            print(f"  {split:14s} {len(found):7,}")
    print(f"\n{'phenomenon':20s} {'in train':>9s} {'challenge':>9s}")
    for name, rule in embedded.PHENOMENA.items():
        n_train = sum(name in pair.tags for pair in train)
        print(f"{name:20s} {n_train:9,} {len(everything['challenge_' + name]):9,}  {rule}")
    shown = [pair for pair in pairs if not options.phenomenon or options.phenomenon in pair.tags]
    print(f"\nfrom {options.split}{', ' + options.phenomenon if options.phenomenon else ''}:")
    for pair in random.Random(options.seed).sample(shown, min(options.samples, len(shown))):
        print(f"  {pair.source}\n  {pair.target}")
        if options.annotations:
            _show_annotations(pair)
        print()


def _show_annotations(pair: AnnotatedPair) -> None:
    sides = (
        ("source", pair.source_tokens, pair.source_heads),
        ("target", pair.target_tokens, pair.target_heads),
    )
    for side, tokens, heads in sides:
        arcs = [
            f"{token} ← {tokens[head] if head >= 0 else 'ROOT'}"
            for token, head in zip(tokens, heads, strict=True)
        ]
        print(f"    {side} heads  {'   '.join(arcs)}")
    links = [f"{pair.source_tokens[i]}–{pair.target_tokens[j]}" for i, j in pair.alignment]
    print(f"    alignment     {'   '.join(links)}")
    print(f"    phenomena     {', '.join(pair.tags)}")
