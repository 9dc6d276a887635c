"""Speculative decoding: a small model drafts tokens, and the large one checks several of them in one pass."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor

from course_lib.chapters.ch01_why_attention.agreement import RESULTS
from course_lib.chapters.fit import seeded
from course_lib.fast import TranslationModel
from course_lib.model import Transformer, TransformerConfig
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.embedded import load_embedded
from course_lib.text.readers import SentencePair
from course_lib.text.tokenisers import Tokeniser
from course_lib.training import Trainer, TrainingConfig
from course_lib.translator import Translator

TRANSLATOR = RESULTS.parent / "embedded" / "transformer-0.safetensors"
DRAFT = Path(__file__).with_name("draft.safetensors")  # made by record.py
DRAFT_SHAPE: dict[str, Any] = {
    "d_model": 32,
    "n_heads": 2,
    "d_ff": 64,
    "n_encoder_layers": 1,
    "n_decoder_layers": 1,
}
DRAFT_TRAINING = TrainingConfig(batch_tokens=1000, warmup_steps=200, average_decay=0.98, validate_every=1000)
DRAFT_STEPS = 800

Draft = Callable[
    [list[int], int], list[int]
]  # a beginning and a number of tokens -> so many likely next tokens


def train_draft(target: Translator, steps: int = DRAFT_STEPS) -> tuple[Translator, list[float]]:
    """Train the small translator that drafts, with the vocabulary of the large one; return it and its losses."""
    words = target.target_tokeniser
    with seeded(0):
        config = TransformerConfig(len(words), len(words), tie="three-way", dropout=0.0, **DRAFT_SHAPE)
        small = Translator(Transformer(config), words, words)
    train, val = (
        [SentencePair(p.source, p.target) for p in load_embedded(part)] for part in ("train", "val")
    )
    trainer = Trainer(small, train, val[:20], DRAFT_TRAINING)
    trainer.run(steps=steps)
    average = cast(Transformer, trainer.average.module)
    return Translator(average.eval(), words, words), [look["loss"] for look in trainer.history.training]


def load_models() -> tuple[Translator, Translator]:
    """Load the course's trained translator, and the small one that drafts for it."""
    return Translator.load(TRANSLATOR), Translator.load(DRAFT)


def likeliest(logits: Tensor) -> list[int]:
    """Return the likeliest token of each row of logits, (n, n_vocab); padding and <s> can follow no token."""
    logits = logits.clone()
    logits[:, [PAD_ID, BOS_ID]] = -torch.inf
    return [int(token) for token in logits.argmax(dim=1)]


class Pass(NamedTuple):
    """One pass of the large model: what was drafted, how many of these tokens it kept, and the one it added."""

    drafted: list[int]
    n_kept: int
    added: int


@torch.no_grad()
def speculate(
    model: TranslationModel, source: Tensor, draft: Draft, k: int, most: int = 60
) -> tuple[list[int], list[Pass]]:
    """Translate one sentence, k drafted tokens at a time; return the tokens and the passes.

    Parameters
    ----------
    model : Transformer or RecurrentTranslator
        The large model, in evaluation mode.
    source : Tensor
        Ids, (1, L_s).
    draft : Draft
        What proposes the next k tokens.
    k : int
    most : int
        Tokens at most.

    Returns
    -------
    tokens : list of int
        As `greedy_search` writes them, without <s> and </s>.
    passes : list of Pass

    Notes
    -----
    Leviathan et al. (2023), algorithm 1, for the likeliest token in place of a drawn one.
    """
    ids, passes = [BOS_ID], list[Pass]()
    while ids[-1] != EOS_ID and len(ids) <= most:
        drafted = draft(ids, k)
        logits = model(source, torch.tensor([ids + drafted]))[0, len(ids) - 1 :]  # (k + 1, n_vocab)
        own = likeliest(logits)
        n = next((i for i, token in enumerate(drafted) if token != own[i] or token == EOS_ID), len(drafted))
        ids += own[: n + 1]
        passes.append(Pass(drafted, n, own[n]))
    return [token for token in ids[1 : most + 1] if token != EOS_ID], passes


@torch.no_grad()
def small_model(translator: Translator, source: Tensor) -> Draft:
    """Draft with a translator: it writes on from what the large one has kept."""
    model = cast(Transformer, translator.model)

    def draft(ids: list[int], k: int) -> list[int]:
        text = list(ids)
        for _ in range(k):
            text += likeliest(model(source, torch.tensor([text]))[0, -1:])
        return text[len(ids) :]

    return draft


def counted(tokeniser: Tokeniser) -> Draft:
    """Draft without a model: after two tokens, the one that followed them most often in the training sentences."""
    after: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    for pair in load_embedded("train"):
        ids = [BOS_ID, *tokeniser.encode(pair.target), EOS_ID]
        for i in range(1, len(ids)):
            after[ids[i - 1],][ids[i]] += 1
            after[tuple(ids[max(i - 2, 0) : i])][ids[i]] += 1
    best = {seen: counts.most_common(1)[0][0] for seen, counts in after.items()}

    def draft(ids: list[int], k: int) -> list[int]:
        text = list(ids)
        for _ in range(k):
            text.append(best.get(tuple(text[-2:]), best.get((text[-1],), EOS_ID)))
        return text[len(ids) :]

    return draft


def blind(n_vocab: int, seed: int = 0) -> Draft:
    """Draft tokens that are drawn at random from the vocabulary."""
    generator = torch.Generator().manual_seed(seed)
    return lambda ids, k: torch.randint(EOS_ID + 1, n_vocab, (k,), generator=generator).tolist()


def sources(translator: Translator, sentences: Iterable[str]) -> list[Tensor]:
    """Return the ids of sentences as the translator reads them, each (1, L_s)."""
    return [torch.tensor([[*translator.source_tokeniser.encode(text), EOS_ID]]) for text in sentences]


def val_sentences(n: int, start: int = 0) -> list[str]:
    """Return English sentences of the validation part."""
    return [pair.source for pair in load_embedded("val")[start : start + n]]


def shares(passes: Sequence[Pass]) -> dict[str, float]:
    """Return tokens a pass, and the share of the checked guesses that was kept.

    A guess behind a wrong one is never checked.

    Examples
    --------
    >>> shares([Pass([5, 6], 2, 7), Pass([8, 9], 0, 3)])
    {'tokens_a_pass': 2.0, 'kept': 0.6666666666666666}
    """
    kept = sum(p.n_kept for p in passes)
    checked = sum(min(p.n_kept + 1, len(p.drafted)) for p in passes)
    return {"tokens_a_pass": (kept + len(passes)) / len(passes), "kept": kept / checked if checked else 0.0}
