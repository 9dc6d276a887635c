"""A language of 48 sentence pairs, and a trainer that learns it in seconds."""

from multiprocessing.synchronize import Event
from pathlib import Path

import torch
from torch import distributed

from course_lib.fast import Processes
from course_lib.model import Transformer, TransformerConfig
from course_lib.text.readers import SentencePair
from course_lib.text.tokenisers import WordTokeniser
from course_lib.training import ALONE, Trainer, TrainingConfig
from course_lib.translator import Translator

ENGLISH, FRENCH = ("cat", "dog", "bird", "horse"), ("chat", "chien", "merle", "cheval")
VERBS = (("sees", "voit"), ("follows", "suit"), ("loves", "adore"))
PAIRS = [
    SentencePair(f"The {ENGLISH[a]} {verb} the {ENGLISH[b]}.", f"Le {FRENCH[a]} {verbe} le {FRENCH[b]}.")
    for a in range(4)
    for b in range(4)
    for verb, verbe in VERBS
]
SHORT = SentencePair("The cat sees.", "Le chat voit.")  # beside the others it is padded
CONFIG = TrainingConfig(
    seed=1, batch_tokens=80, learning_rate=5e-3, warmup_steps=20, validate_every=7, precision="float32"
)


def trainer(
    folder: Path | None = None,
    config: TrainingConfig = CONFIG,
    dropout: float = 0.1,
    pairs: list[SentencePair] = PAIRS,
    width: int = 16,
    processes: Processes = ALONE,
) -> Trainer:
    words = WordTokeniser.train(line for pair in PAIRS for line in pair)
    torch.manual_seed(0)
    shape = TransformerConfig(
        len(words),
        len(words),
        d_model=width,
        n_heads=2,
        d_ff=2 * width,
        n_encoder_layers=1,
        n_decoder_layers=1,
        dropout=dropout,
        tie="three-way",
    )
    translator = Translator(Transformer(shape), words, words)
    validation = [*PAIRS[:4], SHORT]
    return Trainer(translator, pairs, validation, config, folder, torch.device("cpu"), processes)


def train_without_end(folder: Path, config: TrainingConfig, started: Event) -> None:
    """Go on from the checkpoint until somebody kills this process."""
    subject = trainer(folder, config)
    subject.load_checkpoint()
    started.set()
    subject.run(steps=10**9, progress=False)


def train_together(folder: Path, store: Path, rank: int, size: int) -> None:
    """Train for 120 steps, without dropout, as one of some processes."""
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", f"file://{store}", rank=rank, world_size=size)
    subject = trainer(folder, dropout=0.0, pairs=[*PAIRS, SHORT], processes=Processes(rank, size))
    subject.run(steps=120, progress=False)
    distributed.barrier()  # as `launched_processes` does: nobody leaves while another still needs an answer
    distributed.destroy_process_group()
