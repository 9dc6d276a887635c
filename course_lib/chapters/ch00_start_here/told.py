"""The numbers that the first page's sentences name."""

import json
from pathlib import Path
from statistics import mean
from typing import Any

from course_lib.chapters.ch00_start_here.hiding import (
    GENDER_HEAD,
    articles_told,
    articles_turned,
    encoder_heads,
    gender_head,
    taken_over,
    weights_on,
)
from course_lib.chapters.ch00_start_here.opening import SENTENCE, TOO_LONG, TWO_WAYS
from course_lib.figures.page.translator import answer
from course_lib.text.embedded import load_embedded
from course_lib.translator import Translator

SEEDS = 3


def of_records(results: str | Path) -> dict[str, float]:
    """Return what the records of training say; shares are means of three seeds.

    Examples
    --------
    >>> round(of_records("results")["minutes"])
    8
    """
    found = _record(results, "transformer-0")
    return {
        "millions": found["parameters"] / 1e6,
        "minutes": found["seconds"] / 60,
        "test": _exact(results, "transformer", "test"),
        "longer": _exact(results, "transformer", "longer"),
        "gru_longer": _exact(results, "gru-attention", "longer"),
    }


def of_translator(translator: Translator) -> dict[str, float]:
    """Return what the translator gives its words, and how it fares without some."""
    wavers, far = answer(translator, TWO_WAYS), answer(translator, TOO_LONG)
    step = wavers["steps"][wavers["target"]["labels"].index("ma")]
    share = {likely["label"]: likely["p"] for likely in step}
    weights = weights_on(translator, SENTENCE, "voiture", "car")
    heads, looks = encoder_heads(translator), gender_head(translator, SENTENCE)
    told, apart = articles_told(translator), articles_told(translator, heads)
    closed = articles_told(translator, [GENDER_HEAD])
    alone = articles_told(translator, [head for head in heads if head != GENDER_HEAD])
    return {
        "longest": max(len(pair.source_tokens) for pair in load_embedded("train")),
        "n_words": round(len(translator.source_tokeniser.vocabulary), -3),
        "ma_leads": 100 * (share["ma"] - share["mon"]),  # in percentage points
        "too_long": min(max(likely["p"] for likely in step) for step in far["steps"]),
        "least": min(weights),
        "n_heads": len(weights),
        "n_encoder": len(heads),
        "n_told": told["n_feminine"] + told["n_masculine"],
        "told": told["feminine"] + told["masculine"],
        "apart_masculine": apart["le"],
        "n_feminine": closed["n_feminine"],
        "closed": closed["feminine"],
        "alone": alone["feminine"],
        "the_at_car": looks("The", "car"),
        **articles_turned(translator),
        **taken_over(translator),
    }


def _record(results: str | Path, run: str) -> dict[str, Any]:
    text = (Path(results) / "embedded" / f"{run}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _exact(results: str | Path, model: str, part: str) -> float:
    runs = [_record(results, f"{model}-{i}")["quality"][part]["greedy"] for i in range(SEEDS)]
    return mean(run["exact_match"] for run in runs)
