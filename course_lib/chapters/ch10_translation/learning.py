"""A translator while it learns: how good it is, what it writes and where it looks, at some steps of its training.

`python -m course_lib.chapters.ch10_translation.learning` trains the beginning of `embedded/transformer-0` again, in
some minutes of one core, and writes `learning.json`.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch.nn import functional as F

from course_lib.chapters.ch10_translation.translation import alignment_errors, sentence_maps
from course_lib.chapters.fit import seeded
from course_lib.fast import TranslationModel
from course_lib.figures.page.translator import rounded
from course_lib.files import atomic_path
from course_lib.model import Transformer, TransformerConfig
from course_lib.special_ids import PAD_ID
from course_lib.text.batches import encode_pairs, evaluation_batches
from course_lib.text.embedded import load_embedded
from course_lib.text.readers import SentencePair, read_corpus
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import normalise, typeset_french
from course_lib.training import Trainer, TrainingConfig
from course_lib.translator import Translator

RECORD = Path(__file__).with_suffix(".json")
LOOKS = (0, 10, 100, 200, 300, 400, 500, 600, 700, 800, 1000)  # steps
ALIGNED = 200  # test sentences whose alignment is compared with the true one
LONGEST = 15  # tokens that are written at most
PAIRS = (  # none of them in the training set
    SentencePair("I love you.", "Je t'aime."),
    SentencePair("The girls do not see the black cats.", "Les filles ne voient pas les chats noirs."),
    SentencePair("My sister reads the red book.", "Ma sœur lit le livre rouge."),
)


def beginner(settings: TrainingConfig) -> Translator:
    """Return the untrained Transformer of `embedded/transformer-0`, with the words of all training pairs."""
    words = WordTokeniser.train([line for pair in read_corpus(None, "train") for line in pair], n_vocab=6000)
    size = len(words)
    shape = TransformerConfig(size, size, tie="three-way", n_encoder_layers=2, n_decoder_layers=2)
    with seeded(settings.seed):
        model = Transformer(shape)
    return Translator(model, words, words)


def watched(looks: Sequence[int] = LOOKS) -> Iterator[dict[str, Any]]:
    """Train, and at some steps tell of the averaged weights what they can do.

    Parameters
    ----------
    looks : sequence of int
        Steps, rising.

    Yields
    ------
    dict
        `step`; `loss`, nats a token of the validation set, unsmoothed; `errors`, the alignment error of each layer and
        head of the cross-attention, for `ALIGNED` test sentences; `written`, what it writes for each of `PAIRS`; and
        `maps`, for each of them [layer][head][French][English], where it looks when the true French is read.
    """
    settings = TrainingConfig(batch_tokens=1000, warmup_steps=400, average_decay=0.998)
    pairs = {part: read_corpus(None, part) for part in ("train", "val")}
    trainer = Trainer(beginner(settings), pairs["train"], pairs["val"], settings)
    words, aligned = trainer.translator.source_tokeniser, load_embedded("test")[:ALIGNED]
    trainer.validation = []  # whose translation would take longer than the training
    for step in looks:
        if step:
            trainer.run(steps=step, progress=False)
        now = Translator(cast(TranslationModel, trainer.average.module), words, words)
        written = now.translate([pair.source for pair in PAIRS], max_length=LONGEST)
        yield {
            "step": step,
            "loss": trainer.validation_loss(),
            "errors": alignment_errors(now, aligned),
            "written": [typeset_french(text) for text in written],
            "maps": [
                [
                    layer.tolist()
                    for layer in sentence_maps(now, normalise(p.source), normalise(p.target)).cross
                ]
                for p in PAIRS
            ],
        }


def record(looks: Sequence[int] = LOOKS) -> dict[str, Any]:
    """Return what is stored: of the maps, those of the head that aligns best in the end.

    Returns
    -------
    dict
        `head`: its layer and number; `looks`: for each step what `watched` tells, `maps` without layers and heads.
    """
    found = list(watched(looks))
    errors = np.array(found[-1]["errors"])
    layer, head = map(int, np.unravel_index(errors.argmin(), errors.shape))
    for look in found:
        look["maps"] = [[rounded(row) for row in maps[layer][head]] for maps in look["maps"]]
    return {"head": [layer, head], "looks": found}


@torch.no_grad()
def loss_with_english(translator: Translator, pairs: Sequence[SentencePair]) -> dict[str, float]:
    """Return the loss on pairs, nats a token, with their `own` English, and with that of `another` pair.

    Parameters
    ----------
    translator : Translator
    pairs : sequence of SentencePair
        Batches are made of similar lengths; another pair's English is that of the one before in its batch.

    Examples
    --------
    >>> from course_lib.model import Transformer, TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8)).eval()
    >>> alone = loss_with_english(Translator(model, words, words), [SentencePair("I sleep.", "Je dors.")])
    >>> alone["own"] == alone["another"]
    True
    """
    encoded, _ = encode_pairs(pairs, translator.source_tokeniser, translator.target_tokeniser)
    model = translator.model.eval()
    lost, n_tokens = {"own": 0.0, "another": 0.0}, 0
    for batch, _ in evaluation_batches(encoded, n_tokens=2000):
        n_tokens += int((batch.target_out != PAD_ID).sum())
        for name, source in {"own": batch.source, "another": batch.source.roll(1, 0)}.items():
            logits = model(source, batch.target_in).flatten(0, 1)
            lost[name] += F.cross_entropy(
                logits, batch.target_out.flatten(), ignore_index=PAD_ID, reduction="sum"
            ).item()
    return {name: nats / n_tokens for name, nats in lost.items()}


def stored() -> dict[str, Any]:
    """Return the record that lies beside this module.

    Examples
    --------
    >>> [look["step"] for look in stored()["looks"]][:4]
    [0, 10, 100, 200]
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    with atomic_path(RECORD) as path:
        path.write_text(json.dumps(record(), ensure_ascii=False) + "\n", encoding="utf-8")
