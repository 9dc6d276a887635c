"""Figures in the page: quality against length, and a translator while it learns."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from course_lib.chapters.ch10_translation import learning
from course_lib.chapters.ch10_translation.hard_test import found, there
from course_lib.chapters.ch10_translation.runs import load_record
from course_lib.evaluation import alignment_error_rate
from course_lib.figures.page import PageFigure
from course_lib.text.embedded import AnnotatedPair, load_embedded
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import normalise

LENGTH_PARTS = {"test": "Test sentences", "longer": "Longer sentences"}
LENGTH_MODELS = {
    "transformer": "Transformer",
    "gru-attention": "GRU with attention",
    "gru": "GRU",
}
SQUEEZED = "Transformer, positions squeezed"


def length_figure(
    results: Path,
    models: Mapping[str, str] = LENGTH_MODELS,
    *,
    corpus: str = "embedded",
    search: Literal["greedy", "beam 5"] = "greedy",
    squeezed: bool = False,
    title: str = "",
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Show how often models translate exactly, on the test part and on sentences longer than any in training.

    Of all runs the records hold one share for each part; of one run of the models whose weights are stored, greedy
    search is counted by single lengths, too. Lengths are in words and punctuation marks of the English side. Runs and
    seeds of which there is no record are left out.

    Parameters
    ----------
    results : Path
        The folder of records.
    models : mapping from the name of a run, without its seed, to what it is called
    corpus : str
        "embedded" for all 20,000 training pairs, "few" for 2,000.
    search : {"greedy", "beam 5"}
        How the translations were decoded.
    squeezed : bool
        Whether one Transformer is shown with its positions squeezed into those of training, too (greedily). The title
        then compares it with the model that is best without.
    title : str
        In place of the one that the numbers give.
    caption, number : str
        The words under it, and the number in front of them.

    Raises
    ------
    FileNotFoundError
        If there is no record at all.
    ValueError
        If a record is of another part, or of other training pairs, than the others.

    Examples
    --------
    >>> results = Path(__file__).parents[3] / "results"
    >>> print(length_figure(results, {"gru": "GRU"}).title.replace("\\xa0", " "))
    GRU leads at every length: 5.2 % exact at 13 to 33 words
    """
    lengths = {part: [len(pair.source_tokens) for pair in load_embedded(part)] for part in LENGTH_PARTS}
    records = there(found(results, models, corpus), corpus)
    pairs = next(iter(records.values()))[0]["training_pairs"]
    for name, of_seeds in records.items():
        for record in of_seeds:
            counted = {part: record["quality"][part][search]["n"] for part in LENGTH_PARTS}
            if counted != {part: len(of_part) for part, of_part in lengths.items()}:
                raise ValueError(f"{corpus}/{name} has {counted}: not the sentences of the corpus")
            if record["training_pairs"] != pairs:
                raise ValueError(
                    f"{corpus}/{name}: {record['training_pairs']} training pairs, expected {pairs}, as the others"
                )
    shares = {
        models[name]: [
            [record["quality"][part][search]["exact_match"] for part in LENGTH_PARTS] for record in of_seeds
        ]
        for name, of_seeds in records.items()
    }
    single = _single_lengths(results, models) if (corpus, search) == ("embedded", "greedy") else {}
    if squeezed:
        counts = load_record(results, "embedded/squeezed")["counts"]
        single[SQUEEZED] = [*counts["test"], *counts["longer"]]
        shares[SQUEEZED] = [
            [sum(right for _, _, right in counts[part]) / len(lengths[part]) for part in LENGTH_PARTS]
        ]
        title = title or _squeezed_title(shares)
    props: dict[str, Any] = {
        "parts": [
            {
                "name": called,
                "shortest": min(lengths[part]),
                "longest": max(lengths[part]),
                "sentences": len(lengths[part]),
            }
            for part, called in LENGTH_PARTS.items()
        ],
        "models": [{"name": name, "shares": of_seeds} for name, of_seeds in shares.items()],
        "trained": max(len(pair.source_tokens) for pair in load_embedded("train")),
        "lengths": [{"name": name, "counts": counts} for name, counts in single.items()],
    }
    return PageFigure("length", {**props, **({"title": title} if title else {})}, caption, number)


def _squeezed_title(shares: Mapping[str, list[list[float]]]) -> str:
    """Say how many of the longer sentences the squeezed Transformer and the best of the others translate."""
    middle = {name: float(np.median([row[-1] for row in rows])) for name, rows in shares.items()}
    squeezed = middle.pop(SQUEEZED)
    rival = max(middle, key=middle.__getitem__)
    told = f"{100 * squeezed:.0f}\u00a0% of the longer sentences, {rival} {100 * middle[rival]:.0f}\u00a0%"
    return f"Squeezed into the trained positions, the Transformer translates {told}"


def _single_lengths(results: Path, models: Mapping[str, str]) -> dict[str, list[list[int]]]:
    """Return what is counted by length of one run of the models, if it is of those whose weights are stored."""
    counts = load_record(results, "embedded/lengths")["counts"]
    return {
        called: [*counts[f"{name}-0"]["test"], *counts[f"{name}-0"]["longer"]]
        for name, called in models.items()
        if f"{name}-0" in counts
    }


def by_position(pairs: list[AnnotatedPair]) -> float:
    """Return the alignment error of linking each French word to the English word with its number, or the last.

    Examples
    --------
    >>> round(by_position(load_embedded("test")), 2)
    0.4
    """
    gold = [{(j, i) for i, j in pair.alignment} for pair in pairs]
    diagonal = [
        {(j, min(j, len(pair.source_tokens) - 1)) for j in range(len(pair.target_tokens))} for pair in pairs
    ]
    return alignment_error_rate(diagonal, gold)


def learning_figure(
    record: Mapping[str, Any] | None = None,
    *,
    look: int | None = None,
    sentence: int = 1,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Show where a translator looks, and what it writes, at some steps of its training.

    Parameters
    ----------
    record : mapping
        As `learning.record` returns it; the stored one where not given.
    look, sentence : int
        Which look at the training, and which of the sentences, is shown first; the last look where not given.
    caption, number : str

    Examples
    --------
    >>> learning_figure().title.startswith("In 1,000 steps a head learns where to look")
    True
    """
    record = record or learning.stored()
    layer, head = record["head"]
    splitter = WordTokeniser.train([text for pair in learning.PAIRS for text in pair])
    words = [
        {
            side: [*(piece.strip() for piece in splitter.split(normalise(text))), "</s>"]
            for side, text in zip(("english", "french"), pair, strict=True)
        }
        for pair in learning.PAIRS
    ]
    looks = [
        {
            "step": each["step"],
            "error": float(np.array(each["errors"])[layer, head]),
            "loss": each["loss"],
            "written": each["written"],
            "maps": each["maps"],
        }
        for each in record["looks"]
    ]
    props = {
        "sentences": words,
        "looks": looks,
        "floor": by_position(load_embedded("test")[: learning.ALIGNED]),
    }
    state = {"look": len(looks) - 1 if look is None else look, "sentence": sentence}
    return PageFigure("learning", props, caption, number, state)
