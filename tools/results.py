"""Carry out the long trainings that chapters 10 and 11 read, and write what they found into results/.

What is there already is not repeated, and what was stopped goes on: Ctrl-C at any time, then the same command.
"""

import argparse
import fnmatch
import os
import sys
from pathlib import Path
from typing import Any

import torch
from environment import ROOT

from course_lib.chapters.ch10_translation.runs import (
    OWN,
    Run,
    carry_out,
    measure_lengths,
    measure_order,
    measure_speeds,
    measure_squeezed,
)

RESULTS, WORK = ROOT / "results", ROOT / "runs" / "results"
SEEDS = (0, 1, 2)
MEASURED = (
    "embedded/speed",
    "embedded/lengths",
    "embedded/order",
    "embedded/squeezed",
)  # without a training of its own
STORED = ("transformer-0", "gru-attention-0")  # the runs whose weights are kept

# Equal numbers of parameters, within 1 % (tests/test_results.py counts them).
SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "transformer": ("transformer", {"n_encoder_layers": 2, "n_decoder_layers": 2}),
    "gru": ("gru", {"attention": "none", "d_hidden": 272}),
    "gru-attention": ("gru", {"attention": "additive", "d_hidden": 248}),
}
CHOSEN = {"gru-attention": {"dropout": 0.2}}  # where tuning found better than what all start from
SMALL: dict[str, tuple[str, dict[str, Any]]] = {
    "transformer": ("transformer", SHAPES["transformer"][1] | {"d_model": 64, "d_ff": 256}),
    "gru-attention": (
        "gru",
        SHAPES["gru-attention"][1] | CHOSEN["gru-attention"] | {"d_model": 64, "d_hidden": 124},
    ),
}
TRAINING = {"batch_tokens": 1000, "warmup_steps": 400, "average_decay": 0.998, "validate_every": 500}
EPOCHS = 24.0
# How often the others see the corpus while the Transformer sees it EPOCHS times: within a tenth of what the speeds in
# embedded/speed.json say (tests/test_results.py compares).
SAME_TIME = {"gru": 33.0, "gru-attention": 22.0}


def with_(name: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    """Return a shape with some settings changed."""
    model, shape = SHAPES[name]
    return model, shape | changes


REAL_SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "transformer": ("transformer", {"dropout": 0.3}),
    "gru-attention": ("gru", {"attention": "additive", "d_hidden": 372, "dropout": 0.3}),
}
REAL_TESTS = ("val", "test_2016_flickr")


# The test that can say no: 2,000 training pairs, each model and each Transformer that lacks something three times. What
# tells most comes first. Kind of model, settings of its shape, settings of its training, key of ABLATIONS or REMEDIES.
FEW: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "transformer": (*SHAPES["transformer"], {}, ""),
    "gru-attention": (*SHAPES["gru-attention"], {}, ""),
    "transformer-rotary": (*with_("transformer", position="rotary"), {}, ""),
    "transformer-random-starts": (*SHAPES["transformer"], {}, "random starts"),
    "transformer-no-positions": (*with_("transformer", position="none"), {}, ""),
    "gru": (*SHAPES["gru"], {}, ""),
    "transformer-no-feed-forward": (*SHAPES["transformer"], {}, "no feed-forward"),
    "transformer-one-head": (*with_("transformer", n_heads=1), {}, ""),
    "transformer-no-residual": (*SHAPES["transformer"], {}, "no residual"),
    "transformer-pooled-memory": (*SHAPES["transformer"], {"learning_rate": 1e-3}, "pooled memory"),
    "transformer-no-mask": (*SHAPES["transformer"], {}, "no mask"),
    "small-transformer": (*SMALL["transformer"], {}, ""),
    "small-gru-attention": (*SMALL["gru-attention"], {}, ""),
    "transformer-learned": (*with_("transformer", position="learned", max_length=128), {}, ""),
}
FEW_DROPOUT = 0.3  # of all alike, as on the other corpus with few sentences for its words
FEW_EPOCHS = 200.0  # at most; mostly patience ends earlier
PATIENCE = 8  # looks, each after 100 steps
# Of what the whole corpus has not seen three times yet.
WHOLE = ("transformer-rotary", "transformer-random-starts")
WHOLE_ONCE = ("transformer-no-positions", "small-transformer", "small-gru-attention")


def tuning() -> list[Run]:
    """Short runs that decide between settings, by the validation set alone and on a seed of their own."""
    found = []
    for name, (model, shape) in SHAPES.items():
        tried: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
            "as-it-is": ({}, {}),
            "half-the-learning-rate": ({}, {"learning_rate": 2e-3}),
            "twice-the-learning-rate": ({}, {"learning_rate": 8e-3}),
            "dropout-0.2": ({"dropout": 0.2}, {}),
        }
        if model == "gru":
            tried["wider"] = ({"d_hidden": 384}, {})
        for change, (more_shape, more_training) in tried.items():
            found.append(
                Run(
                    f"tuning-{name}-{change}",
                    "embedded",
                    model,
                    shape | more_shape,
                    TRAINING | {"seed": 100} | more_training,
                    minutes=1.5,
                    parts=("val",),
                )
            )
    return found


def comparisons() -> list[Run]:
    """Each model three times: with equal parameters and equal data, and with equal parameters in equal time."""
    found = []
    for seed in SEEDS:
        ends: dict[str, dict[str, Any]] = {
            f"transformer-{seed}": {"epochs": EPOCHS},
            f"gru-{seed}": {"epochs": EPOCHS},
            f"gru-same-time-{seed}": {"epochs": SAME_TIME["gru"], "continues": f"gru-{seed}"},
            f"gru-attention-same-time-{seed}": {"epochs": SAME_TIME["gru-attention"]},
            f"gru-attention-{seed}": {"epochs": EPOCHS, "continues": f"gru-attention-same-time-{seed}"},
        }
        for name, end in ends.items():
            kind = name.removesuffix(f"-{seed}").removesuffix("-same-time")
            model, shape = SHAPES[kind]
            shape = shape | CHOSEN.get(kind, {})
            keep = name in STORED
            training = TRAINING | {"seed": seed}
            found.append(Run(name, "embedded", model, shape, training, keep_weights=keep, **end))
    return found


def variants() -> list[Run]:
    """One seed each: a Transformer that lacks something, and both kinds of model at a third of the size."""
    model, shape = SHAPES["transformer"]
    training = TRAINING | {"seed": 0}
    found = [
        Run(f"small-{name}-0", "embedded", *SMALL[name], training, epochs=EPOCHS)  # type: ignore[misc]
        for name in SMALL
    ]
    for change, more in {"no positions": {"position": "none"}, "one head": {"n_heads": 1}}.items():
        name = f"transformer-{change.replace(' ', '-')}-0"
        found.append(Run(name, "embedded", model, shape | more, training, epochs=EPOCHS))
    for ablation in ("no mask", "no feed-forward", "no residual", "pooled memory"):
        name = f"transformer-{ablation.replace(' ', '-')}-0"
        # At the learning rate of the others, training with a pooled memory collapses after a thousand steps.
        slower = {"learning_rate": 1e-3} if ablation == "pooled memory" else {}
        found.append(Run(name, "embedded", model, shape, training | slower, epochs=EPOCHS, ablation=ablation))
    return found


def few() -> list[Run]:
    """The test that can say no: each of `FEW` from three seeds, until the validation set gets no better."""
    return [
        Run(
            f"{name}-{seed}",
            "few",
            model,
            shape | {"dropout": FEW_DROPOUT},
            TRAINING | {"seed": seed, "validate_every": 100} | more,
            epochs=FEW_EPOCHS,
            ablation=ablation,
            patience=PATIENCE,
            searches=("greedy",),
        )
        for seed in SEEDS
        for name, (model, shape, more, ablation) in FEW.items()
    ]


def tuning_few() -> list[Run]:
    """Whether another dropout would change the order of the models on 2,000 pairs: by the validation set alone."""
    return [
        Run(
            f"tuning-{name}-dropout-{dropout}",
            "few",
            FEW[name][0],
            FEW[name][1] | {"dropout": dropout},
            TRAINING | {"seed": 100, "validate_every": 100},
            epochs=FEW_EPOCHS,
            patience=PATIENCE,
            parts=("val",),
            searches=("greedy",),
        )
        for dropout in (0.1, 0.2, 0.3)
        for name in ("transformer", "gru-attention", "gru")
    ]


def whole() -> list[Run]:
    """What the whole corpus has not seen three times: the remedies for length, and seeds 1 and 2 of some variants."""
    found = []
    for seed in SEEDS:
        for name in (*WHOLE, *(WHOLE_ONCE if seed else ())):
            model, shape, more, ablation = FEW[name]
            training = TRAINING | {"seed": seed} | more
            found.append(
                Run(f"{name}-{seed}", "embedded", model, shape, training, epochs=EPOCHS, ablation=ablation)
            )
    return found


def real(corpus: str) -> list[Run]:
    """The same two models on a real corpus, with equal data."""
    return [
        Run(f"{name}-0", corpus, model, shape, {"seed": 0}, epochs=60.0, tokeniser="bpe", parts=REAL_TESTS)
        for name, (model, shape) in REAL_SHAPES.items()
    ]


def main() -> int:
    """Carry out what the command line names; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="Records of the real corpus are kept under its folder's name."
    )
    parser.add_argument("patterns", nargs="*", metavar="RUN", help="such as 'embedded/gru-*' (default: all)")
    parser.add_argument("--list", action="store_true", help="say what there is to do, and what is done")
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="FOLDER",
        default=os.environ.get("COURSE_CORPUS"),
        help="of train.en, train.fr, val.en, …; without it (or COURSE_CORPUS) the real corpus is left out",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="processor threads to use")
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    corpus = Path(options.corpus).resolve() if options.corpus else None
    runs = [*tuning(), *comparisons(), *variants(), *few(), *tuning_few(), *whole()]
    runs += real(corpus.name) if corpus else []
    named = {f"{run.corpus}/{run.name}": run for run in runs}
    wanted = [
        name
        for name in [*named, *MEASURED]
        if not options.patterns or any(fnmatch.fnmatch(name, pattern) for pattern in options.patterns)
    ]
    if not wanted:
        parser.error(f"no run is called {' or '.join(options.patterns)}; --list names them")
    if not corpus:
        print("The real corpus is left out: name its folder by --corpus, or in COURSE_CORPUS.")
    for number, name in enumerate(wanted, start=1):
        done = (RESULTS / f"{name}.json").exists()
        print(f"[{number}/{len(wanted)}] {name}{' (is there)' if done else ''}", flush=True)
        if options.list:
            continue
        if name in named:
            run = named[name]
            record = carry_out(run, RESULTS, WORK, None if run.corpus in OWN else corpus)
            score, cpu = record["quality"]["val"]["greedy"], record.get("cpu_seconds")
            told = f"val: BLEU {score['bleu_lowercase']:.2f}, {score['exact_match']:.1%} exact"
            print(f"    {told}{f', {cpu:.0f} s of a processor to train' if cpu else ''}", flush=True)
        elif name == "embedded/speed":
            measure_speeds(SHAPES, TRAINING, RESULTS / f"{name}.json", f"python tools/results.py {name}")
        else:
            measure = {
                "embedded/lengths": measure_lengths,
                "embedded/order": measure_order,
                "embedded/squeezed": measure_squeezed,
            }[name]
            measure(RESULTS, STORED, RESULTS / f"{name}.json", f"python tools/results.py {name}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:  # a record or a checkpoint of other settings, a corpus that cannot be read
        sys.exit(f"results: {error}")
    except KeyboardInterrupt:
        print(
            "\nStopped. What is finished is written down; the same command goes on from here.",
            file=sys.stderr,
        )
        sys.exit(130)
