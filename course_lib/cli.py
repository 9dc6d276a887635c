"""The ``course`` command: work on problem sets; train a translator, use it, measure it."""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import os
import platform
import random
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

# torch is imported inside the commands: `course --help` should not take a second.
if TYPE_CHECKING:
    from course_lib.corpus.tokenisers import Tokeniser
    from course_lib.training import Trainer
    from course_lib.translator import Translator

LADDER = """\
the problem sets:
  course start            what there is, and how far you are
  course start ps01       a copy of your own, in work/ps01
  course check ps01       what its visible tests say of your answers

from a corpus to translations:
  course train runs/first --minutes 5
  course translate runs/first "The cat, which is fluffy, sleeps."
  course evaluate runs/first --split test

Without --corpus these use the corpus that the course brings along (course corpus shows it). For a corpus of your own
add --corpus FOLDER: it holds train.en and train.fr (line n of one translates line n of the other; .gz is fine too)
and, to follow how training goes, val.en and val.fr. A tab-separated file of pairs, as Tatoeba publishes it, does as
well.
"""


class UserError(Exception):
    """Something that the user can put right; shown as one sentence."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 for an error, 130 after Ctrl-C."""
    options = _parser().parse_args(arguments)
    try:
        if getattr(options, "threads", None):
            import torch

            torch.set_num_threads(options.threads)
        return int(options.run(options) or 0)
    except (UserError, ValueError, FileNotFoundError) as error:
        print(f"course {options.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\ncourse {options.command}: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `course translate … | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="course", description=__doc__, epilog=LADDER, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_start(commands)
    _add_check(commands)
    if importlib.util.find_spec("course_lib.grading"):
        _add_grade(commands)
        _add_explain(commands)
        _add_report(commands)
        _add_copies(commands)
    _add_train(commands)
    _add_translate(commands)
    _add_evaluate(commands)
    _add_corpus(commands)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device", default="auto", help="auto (a GPU where there is one), cpu, cuda, cuda:1, mps, …"
    )
    parser.add_argument("--threads", type=_positive, metavar="N", help="processor threads to use")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive whole number, not {text!r}")
    return int(text)


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


def _add_start(commands: Any) -> None:
    parser = commands.add_parser(
        "start",
        help="make your own copy of a problem set",
        description="Copy a problem set into work/, where it is yours; nothing of yours is ever overwritten.",
    )
    parser.add_argument("name", nargs="?", metavar="PSNN", help="such as ps01; without it: what there is")
    parser.add_argument(
        "--anew", action="store_true", help="begin again; the copy that is there is put aside"
    )
    parser.set_defaults(run=_start)


def _start(options: argparse.Namespace) -> int:
    from course_lib import working_copies

    course = working_copies.course_folder()
    if not options.name:
        for name, title in working_copies.released(course).items():
            begun = (course / working_copies.COPIES / name).exists()
            print(f"{name}  {title}{'  (started)' if begun else ''}")
        return 0
    try:
        path, aside = working_copies.start(course, options.name, options.anew)
    except FileExistsError as error:
        raise UserError(f"{error}; --anew puts it aside and begins again") from None
    if aside:
        print(f"Your earlier copy is now in {_short(aside)}.")
    print(f"Your copy is {_short(path)}: open it in JupyterLab (make lab).")
    print(f"`course check {options.name}` says how far you are.")
    return 0


def _short(path: Path) -> str:
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _add_check(commands: Any) -> None:
    parser = commands.add_parser(
        "check",
        help="run the visible tests of your copy of a problem set",
        description="Run your copy in a fresh kernel, as it will be graded, and say of each question how far it is. "
        "These tests carry no points: the points are given after you hand in. Exit status 1: something is missing.",
    )
    parser.add_argument("name", metavar="PSNN", help="such as ps01, or the path of a notebook")
    parser.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    from course_lib import working_copies

    path = Path(options.name)
    if path.suffix != ".ipynb":
        copies = working_copies.course_folder() / working_copies.COPIES
        path = copies / options.name / f"{options.name}.ipynb"
        if not path.exists():
            raise UserError(f"{_short(path)} is not there: `course start {options.name}` makes it")
    missing = 0
    for report in working_copies.check(path):
        done = report.state in ("passes", "written")
        missing += not done
        print(f"{'✓' if done else '✗'} {report.name}  {report.title}: {report.state}", flush=True)
        if report.message:
            print(textwrap.indent(textwrap.fill(report.message, 100), "      "), flush=True)
    print("Everything is there." if not missing else f"{missing} to do.")
    return int(missing > 0)


# ---- grade: the instructor's; what students install has no course_lib/grading ----


def _add_grade(commands: Any) -> None:
    parser = commands.add_parser(
        "grade",
        help="grade what was handed in of a problem set",
        description="Grade what lies in submitted/STUDENT/PSNN: each submission runs in a sandbox, is decided outside "
        "of it, and is entered into nbgrader's gradebook as soon as it is done. Ctrl-C stops, and loses nothing that "
        "is done; the same command goes on. What has not changed since it was graded is left alone. Exit status 1: "
        "something could not be graded, or a person's mark has to be looked at again.",
    )
    parser.set_defaults(run=_grade)
    parser.add_argument("name", metavar="PSNN", help="such as ps01")
    parser.add_argument(
        "--student", action="append", default=[], metavar="ID", help="only this one's; may be repeated"
    )
    parser.add_argument(
        "--again", action="store_true", help="what is graded already and has not changed, too"
    )
    parser.add_argument(
        "--jobs", type=_positive, metavar="N", help="submissions at a time (one for each core)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--unsafe",
        action="store_true",
        help="run what students wrote without a sandbox, under your name: it can read and change all that you can",
    )
    far = parser.add_argument_group("on a dask cluster, whose workers are trusted with the checks")
    far.add_argument("--scheduler", metavar="ADDRESS", help="such as tls://grading.example:8786")
    for name in ("ca", "cert", "key"):
        far.add_argument(f"--tls-{name}", type=Path, metavar="FILE", help="(else as dask's own settings say)")


def _grade(options: argparse.Namespace) -> int:
    from traitlets import TraitError

    from course_lib.grading.batch import BusyError, grade_class
    from course_lib.grading.course import Course
    from course_lib.grading.executors import cluster, local_pool
    from course_lib.grading.sandbox import SandboxError

    files = {name: getattr(options, f"tls_{name}") for name in ("ca", "cert", "key")}
    tls = {name: str(path) for name, path in files.items() if path}
    if tls and len(tls) < len(files):
        raise UserError("--tls-ca, --tls-cert and --tls-key belong together: give all three")
    far = partial(cluster, options.scheduler, tls)
    near = partial(local_pool, options.jobs or 0)
    try:
        graded = grade_class(
            Course(Path.cwd()),
            options.name,
            far if options.scheduler else near,
            options.student,
            options.again,
            options.unsafe,
            show_progress=not options.quiet,
        )
    except (BusyError, SandboxError, TraitError) as error:
        raise UserError(str(error)) from None
    counts = Counter(record.status for record in graded.records)
    print(
        f"{options.name}: " + (", ".join(f"{n} {status}" for status, n in counts.most_common()) or "0 graded")
    )
    for record in graded.records:
        for told in filter(None, [record.told and f"{record.status}: {record.told}", *record.tampering]):
            _print_wrapped(f"{record.student}: {told}")
    for name in graded.misnamed:
        _print_wrapped(
            f"{name}: skipped, since no student can have this name: letters, digits and . _ - + @ only. "
            f"Give its folder in submitted/ the student's name, or remove it."
        )
    if graded.open_answers:
        print("For a person to look at:")
    for answer in graded.open_answers:
        _print_wrapped(str(answer))
    if graded.stale:
        _print_wrapped(
            f"The old feedback no longer fits and was removed: {', '.join(graded.stale)}. "
            f"'nbgrader generate_feedback {options.name}' makes it anew."
        )
    return int(not graded.is_complete)


def _print_wrapped(text: str) -> None:
    """Print a line below a summary; what students wrote does nothing to the terminal."""
    from course_lib.answers import printable

    print(
        textwrap.fill(printable(" ".join(text.split())), 100, initial_indent="  ", subsequent_indent="    ")
    )


def _add_explain(commands: Any) -> None:
    parser = commands.add_parser(
        "explain",
        help="say why a student's answer lost points",
        description="Print, for each case that a student's answer got wrong, the inputs, what was expected and what "
        "came. For whoever answers a complaint; students must not see it, since they get the same inputs again.",
    )
    parser.add_argument("student", metavar="STUDENT")
    parser.add_argument("name", metavar="PSNN", help="such as ps01, after `course grade ps01`")
    parser.add_argument("question", nargs="?", default="", metavar="QN", help="such as q3 (default: all)")
    parser.set_defaults(run=_explain)


def _explain(options: argparse.Namespace) -> int:
    from course_lib.grading.course import Course
    from course_lib.grading.explain import explain

    print(explain(Course(Path.cwd()), options.student, options.name, options.question))
    return 0


def _add_report(commands: Any) -> None:
    parser = commands.add_parser(
        "report",
        help="say how a class did in a problem set",
        description="Print how points are distributed, how each question went, and which misconceptions were how "
        "frequent; and write reports/PSNN/report.html, with a figure.",
    )
    parser.add_argument("name", metavar="PSNN", help="such as ps01, after `course grade ps01`")
    parser.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> int:
    from course_lib.grading.course import Course
    from course_lib.grading.report import main_report

    print(main_report(Course(Path.cwd()), options.name))
    return 0


def _add_copies(commands: Any) -> None:
    parser = commands.add_parser(
        "copies",
        help="find submissions that share more than is natural",
        description="List pairs of submissions whose answers share fragments that few others have, and write "
        "reports/PSNN/copies.html, with the fragments side by side. Names and comments do not matter. Whether "
        "somebody copied is for a person to say.",
    )
    parser.add_argument("name", metavar="PSNN", help="such as ps01, after `course grade ps01`")
    parser.set_defaults(run=_copies)


def _copies(options: argparse.Namespace) -> int:
    from course_lib.grading.copies import main_copies
    from course_lib.grading.course import Course

    print(main_copies(Course(Path.cwd()), options.name))
    return 0


def _add_train(commands: Any) -> None:
    parser = commands.add_parser(
        "train",
        help="train a translator",
        description="Train a model to translate. Ctrl-C stops with a checkpoint; --resume goes on from it.",
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
    end.add_argument("--steps", type=_positive, metavar="N")
    tokens = parser.add_argument_group("tokens")
    tokens.add_argument("--tokeniser", choices=("bpe", "word"), default="bpe", help="default: bpe")
    tokens.add_argument(
        "--vocabulary", type=_positive, metavar="N", default=6000, help="size of the joint vocabulary (6000)"
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
    trainer = _resumed(options) if options.resume else _started(options)
    end = {name: getattr(options, name) for name in ("steps", "epochs", "minutes") if getattr(options, name)}
    trainer.run(**(end or {"epochs": 40}), progress=not options.quiet)
    last = _draw_curve(trainer)
    done = f"step {trainer.step}, epoch {trainer.epoch:.1f}, {trainer.seconds / 60:.1f} min"
    if last:
        done += f", best validation BLEU {trainer.best_bleu:.2f}"
    if trainer.interrupted:
        print(f"stopped at {done}; continue with: course train {options.folder} --resume")
        return 130
    print(f'trained to {done}; try: course translate {options.folder} "A dog is running on the beach."')
    return 0


def _draw_curve(trainer: Trainer) -> dict[str, float]:
    """Write the validation curve as ``bleu.png``, and return its last point."""
    from course_lib.files import atomic_path
    from course_lib.plots import lines

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


def _started(options: argparse.Namespace) -> Trainer:
    from course_lib.fast import choose_device
    from course_lib.files import atomic_path
    from course_lib.training import TrainingConfig
    from course_lib.translator import MODELS

    if (options.folder / "checkpoint.pt").exists():
        raise UserError(
            f"{options.folder} holds a training already; --resume continues it, or name another folder"
        )
    model_settings = _settings(options, _MODEL_OPTIONS, MODELS[options.model][0])
    training_settings = _settings(options, _TRAINING_OPTIONS, TrainingConfig)
    config = TrainingConfig(**training_settings)
    training, validation = _read(options.corpus)
    translator = _new_translator(options, training, model_settings, config.seed)
    trainer = _trainer(options, translator, training, validation, config, choose_device(options.device))
    translator.save(
        options.folder / "translator.safetensors"
    )  # untrained: holds tokenisers and shape for resuming
    with atomic_path(options.folder / "run.json") as path:
        record = {
            "corpus": options.corpus and str(options.corpus.resolve()),
            "training": training_settings,
            "versions": _versions(),
        }
        path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    trainer.save_checkpoint()
    return trainer


def _resumed(options: argparse.Namespace) -> Trainer:
    from course_lib.fast import choose_device
    from course_lib.training import TrainingConfig
    from course_lib.translator import Translator

    if not (options.folder / "checkpoint.pt").exists():
        raise UserError(f"{options.folder} holds no training to resume; start one without --resume")
    given = {name: getattr(options, name) for name in (*_MODEL_OPTIONS, *_TRAINING_OPTIONS)}
    if changed := [name for name, value in given.items() if value is not None]:
        raise UserError(f"--resume keeps the settings of the run: leave --{changed[0].replace('_', '-')} out")
    record = json.loads((options.folder / "run.json").read_text(encoding="utf-8"))
    training, validation = _read(options.corpus or record["corpus"])
    translator = Translator.load(options.folder / "translator.safetensors")
    config = TrainingConfig(**record["training"])
    trainer = _trainer(options, translator, training, validation, config, choose_device(options.device))
    trainer.load_checkpoint()
    return trainer


def _read(corpus: Path | str | None) -> tuple[list[Any], list[Any]]:
    from course_lib.corpus.readers import CorpusError, read_corpus

    training = read_corpus(corpus, "train")
    try:
        return training, read_corpus(corpus, "val")
    except CorpusError as error:
        print(f"no validation: {error}", file=sys.stderr)
        return training, []


def _new_translator(
    options: argparse.Namespace, training: list[Any], settings: dict[str, Any], seed: int
) -> Translator:
    """Train a joint tokeniser on the training part alone, and make a model for it."""
    import torch

    from course_lib.corpus.tokenisers import BPETokeniser, WordTokeniser
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
    training: list[Any],
    validation: list[Any],
    config: Any,
    device: Any,
) -> Trainer:
    from course_lib.training import Trainer

    trainer = Trainer(translator, training, validation, config, options.folder, device)
    n_parameters = sum(parameter.numel() for parameter in trainer.model.parameters())
    print(
        f"{len(training):,} training pairs, {len(validation):,} validation pairs, vocabulary of "
        f"{len(translator.target_tokeniser):,}; {n_parameters:,} parameters on {trainer.device}, "
        f"{str(trainer.dtype).removeprefix('torch.')}; {len(trainer.batches)} steps an epoch"
    )
    if trainer.n_dropped:
        print(f"left out {trainer.n_dropped:,} training pairs of more than {config.max_length} tokens")
    return trainer


def _versions() -> dict[str, str]:
    import torch

    return {"python": platform.python_version(), "torch": torch.__version__}


# ---- translate ----


def _add_translate(commands: Any) -> None:
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
        "--beam", type=_positive, metavar="N", default=5, help="beam width (5); 1 is greedy search"
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

    path = options.folder / "translator.safetensors" if options.folder.is_dir() else options.folder
    if not path.is_file():
        raise UserError(f"there is no translator {path}; course train writes one")
    return Translator.load(path, choose_device(options.device))


def _translate(options: argparse.Namespace) -> int:
    from course_lib.corpus.text import typeset_french

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


def _add_evaluate(commands: Any) -> None:
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
    from course_lib.corpus.readers import read_corpus
    from course_lib.evaluation import bleu, exact_match
    from course_lib.files import atomic_path

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


def _add_corpus(commands: Any) -> None:
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
    from course_lib.corpus import embedded

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


def _show_corpus(options: argparse.Namespace, pairs: list[Any]) -> None:
    from course_lib.corpus import embedded

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


def _show_annotations(pair: Any) -> None:
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


if __name__ == "__main__":
    sys.exit(main())
