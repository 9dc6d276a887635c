"""What a GPU does: attention against length, and training until 60 BLEU; for chapters to quote, `results/gpu.json`.

    python benchmarks/gpu.py --corpus FOLDER [--minutes N]
    python benchmarks/gpu.py --small

The first needs a CUDA GPU. The second tries all of it where there is none, with small sizes, and writes nothing.
"""

import argparse
import json
import platform
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import torch

from course_lib.fast import choose_device, fused_attention
from course_lib.files import atomic_path
from course_lib.model import Transformer, TransformerConfig, attention
from course_lib.text.readers import SentencePair, read_corpus
from course_lib.text.tokenisers import BPETokeniser
from course_lib.training import Trainer, TrainingConfig
from course_lib.translator import Translator

STORED = Path(__file__).resolve().parent.parent / "results" / "gpu.json"
GOAL = 60.0  # BLEU on the validation part, lower-cased, greedy search
FUNCTIONS = {"formula": attention, "fused": fused_attention}
LENGTHS, SHORT_LENGTHS = (512, 1024, 2048, 4096, 8192, 16384), (16, 32)
SHAPE = {
    "d_model": 256,
    "n_heads": 8,
    "d_ff": 1024,
    "n_encoder_layers": 4,
    "n_decoder_layers": 4,
    "dropout": 0.3,
}
SMALL_SHAPE = {"d_model": 16, "n_heads": 2, "d_ff": 32, "n_encoder_layers": 1, "n_decoder_layers": 1}


def attention_against_length(
    device: torch.device, lengths: tuple[int, ...]
) -> dict[str, dict[str, list[float]]]:
    """Measure forward and backward of 8 heads of width 64, one sentence, float32, by function: seconds and megabytes.

    Where the memory does not suffice the lists end.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for name, function in FUNCTIONS.items():
        found[name] = {"seconds": [], "megabytes": []}
        for length in lengths:
            try:
                seconds, megabytes = _once_and_again(function, length, device)
            except torch.OutOfMemoryError:
                break
            found[name]["seconds"].append(seconds)
            found[name]["megabytes"].append(megabytes)
    return found


def _once_and_again(function: Any, length: int, device: torch.device) -> tuple[float, float]:
    q, k, v = (torch.randn(1, 8, length, 64, device=device, requires_grad=True) for _ in range(3))
    is_cuda = device.type == "cuda"
    took = []
    if is_cuda:
        torch.cuda.reset_peak_memory_stats()
    for _ in range(7):
        start = time.perf_counter()
        function(q, k, v)[0].sum().backward()
        if is_cuda:
            torch.cuda.synchronize()
        took.append(time.perf_counter() - start)
    return statistics.median(took[2:]), torch.cuda.max_memory_allocated() / 1e6 if is_cuda else 0.0


def training(
    device: torch.device, pairs: dict[str, list[SentencePair]], shape: dict[str, Any], minutes: float
) -> dict[str, Any]:
    """Train until the goal or for so many minutes; return each look at the validation part, and when it was reached."""
    tokens = BPETokeniser.train([line for pair in pairs["train"] for line in pair], n_vocab=6000)
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(len(tokens), len(tokens), tie="three-way", **shape))
    config = TrainingConfig(batch_tokens=8000, validate_every=200)
    trainer = Trainer(Translator(model, tokens, tokens), pairs["train"], pairs["val"], config, device=device)
    while trainer.seconds < 60 * minutes and trainer.best_bleu < GOAL and not trainer.interrupted:
        trainer.run(steps=trainer.step + config.validate_every, minutes=minutes)
    looks = trainer.history.validation
    return {
        "shape": shape,
        "precision": str(trainer.dtype).removeprefix("torch."),
        "validation": looks,
        "seconds_to_the_goal": next((look["seconds"] for look in looks if look["bleu"] >= GOAL), None),
    }


def main() -> int:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, help="folder of train.en, train.fr, val.en, val.fr")
    parser.add_argument("--minutes", type=float, default=15, help="of training, at most (15)")
    parser.add_argument("--small", action="store_true", help="try it on any machine; writes nothing")
    options = parser.parse_args()
    device = choose_device()
    if not options.small and (device.type != "cuda" or options.corpus is None):
        parser.error("there is no CUDA GPU here, or no --corpus; --small tries it without")
    pairs = {part: read_corpus(options.corpus, part) for part in ("train", "val")}
    if options.small:
        pairs = {"train": pairs["train"][:200], "val": pairs["val"][:5]}
    lengths = SHORT_LENGTHS if options.small else LENGTHS
    record = {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "command": " ".join(["python benchmarks/gpu.py", *sys.argv[1:]]),
        "device": torch.cuda.get_device_name() if device.type == "cuda" else platform.machine(),
        "torch": torch.__version__,
        "lengths": lengths,
        "attention": attention_against_length(device, lengths),
        "training": training(
            device, pairs, SMALL_SHAPE if options.small else SHAPE, 0.02 if options.small else options.minutes
        ),
    }
    print(json.dumps(record, indent=1))
    if not options.small:
        with atomic_path(STORED) as path:
            path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
