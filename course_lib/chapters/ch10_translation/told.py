"""Numbers that the chapter's sentences name, from the records: for `facts`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from course_lib.chapters.ch10_translation.hard_test import MODELS, Table, found, numbers, shares
from course_lib.chapters.ch10_translation.order import TRAINED
from course_lib.chapters.ch10_translation.runs import load_record
from course_lib.text.embedded import PHENOMENA, SPLITS, load_embedded

RIVALS = ("gru-attention", "gru")


def of_corpora(results: Path) -> dict[str, float]:
    """Return what `hard_test.numbers` tells of all 20,000 training pairs, and of 2,000.

    Examples
    --------
    >>> told = of_corpora(Path(__file__).parents[3] / "results")
    >>> round(told["embedded_transformer_longer"], 3)
    0.284
    """
    return numbers(results, "embedded") | numbers(results, "few")


def of_positions(results: Path) -> dict[str, float]:
    """Return what moving and squeezing the positions of one Transformer does.

    `shift_source`, `shift_target`, `shift_both`: short sentences exact with positions from 4, `shift_none` from 0;
    `squeezed`, `squeezed_source`, `squeezed_target`: longer sentences exact; `plain_15`, `squeezed_15`: of 15 words;
    `short_80` and `short_50`: short sentences exact with positions 0.8 and 0.5 apart, `short_harm`: points that the
    latter costs; `shift_one`: short sentences exact with the English from 1; `words_<n>` and `rival_<n>`: exact with n
    words, 11 or 12, of the Transformer and of the GRU with attention; `lost` and `back`: points lost from the test to
    the longer sentences, and those of them that squeezing brings back; `squeezed_error`: the standard error of
    `squeezed`, in points; `french_beyond`: squeezed sentences whose French still ends behind its last trained position.

    Examples
    --------
    >>> told = of_positions(Path(__file__).parents[3] / "results")
    >>> told["shift_none"], told["shift_both"]
    (0.98, 0.825)
    """
    rows = load_record(results, "embedded/order")["shifted"]["transformer-0"]
    exact = {(row["source"], row["target"]): row["exact_match"] for row in rows}
    record = load_record(results, "embedded/squeezed")
    counts = {words: (n, right) for words, n, right in record["counts"]["longer"]}
    lengths = load_record(results, "embedded/lengths")["counts"]
    plain = lengths["transformer-0"]["longer"]
    by_words = {
        start: {words: right / n for words, n, right in lengths[run]["test"]}
        for start, run in (("words", "transformer-0"), ("rival", "gru-attention-0"))
    }
    short = {row["step"]: row["exact_match"] for row in record["short"]}
    n_longer = sum(n for n, _ in counts.values())
    squeezed = sum(right for _, right in counts.values()) / n_longer
    quality = numbers(results, "embedded", ["transformer"])
    before = quality["embedded_transformer_longer"]
    trained = max(len(pair.target_tokens) for pair in load_embedded("train"))  # <s> is position 0
    ends = [len(p.target_tokens) * min(1, TRAINED / len(p.source_tokens)) for p in load_embedded("longer")]
    return {
        "shift_none": exact[0, 0],
        "shift_one": exact[1, 0],
        "shift_source": exact[4, 0],
        "shift_target": exact[0, 4],
        "shift_both": exact[4, 4],
        "squeezed": squeezed,
        "squeezed_error": 100 * float(np.sqrt(squeezed * (1 - squeezed) / n_longer)),
        "lost": 100 * (quality["embedded_transformer_test"] - before),
        "back": 100 * (squeezed - before),
        "french_beyond": float(np.mean(np.array(ends) > trained)),
        "squeezed_source": record["source"],
        "squeezed_target": record["target"],
        "squeezed_15": counts[15][1] / counts[15][0],
        "plain_15": next(right / n for words, n, right in plain if words == 15),
        "short_80": short[0.8],
        "short_50": short[0.5],
        "short_harm": 100 * (exact[0, 0] - short[0.5]),
        **{f"{start}_{n}": of_run[n] for start, of_run in by_words.items() for n in (11, 12)},
    }


def of_speed(results: Path) -> dict[str, float]:
    """Return how fast the Transformer trains and writes beside the others, on one core.

    `train_<rival>`: tokens a second in training, as a multiple of the rival's; `slower` and `comparisons`: in how many
    of all comparisons of writing it is slower; `write_1` and `write_64`: its tokens a second in writing, as a share of
    the GRU's with attention, one sentence at a time (the smaller of two lengths) and 64 (the larger);
    `fit_<rival>`: passes of a rival that take as long as the Transformer's; `more_<rival>`: what its run of the same
    time got beyond that, a share.

    Examples
    --------
    >>> told = of_speed(Path(__file__).parents[3] / "results")
    >>> told["slower"], told["comparisons"]
    (12, 12)
    """
    speed = load_record(results, "embedded/speed")
    told: dict[str, float] = {
        f"train_{name.replace('-', '_')}": speed["training"]["transformer"] / speed["training"][name]
        for name in RIVALS
    }
    ratios = {
        name: np.array(
            [np.array(each["transformer"]) / each[name] for each in speed["decoding"].values()]
        )  # (lengths, batch sizes)
        for name in RIVALS
    }
    told["slower"] = sum(int((each < 1).sum()) for each in ratios.values())
    told["comparisons"] = sum(each.size for each in ratios.values())
    passes = load_record(results, "embedded/transformer-0")["epochs"]
    for name in RIVALS:
        short = name.replace("-", "_")
        told[f"fit_{short}"] = passes / told[f"train_{short}"]
        got = load_record(results, f"embedded/{name}-same-time-0")["epochs"]
        told[f"more_{short}"] = got / told[f"fit_{short}"] - 1
    told["write_1"] = float(ratios["gru-attention"][:, 0].min())
    told["write_64"] = float(ratios["gru-attention"][:, -1].max())
    return told


def of_real(results: Path) -> dict[str, float]:
    """Return what two models reach on the real corpus: lower-cased BLEU on test 2016, and on val while they learn.

    `real_<model>_greedy`, `…_beam`, `…_exact`, `…_1000` and `…_3000` (steps).

    Examples
    --------
    >>> round(of_real(Path(__file__).parents[3] / "results")["real_transformer_beam"], 1)
    59.4
    """
    told: dict[str, float] = {}
    for name in ("transformer", "gru-attention"):
        record: dict[str, Any] = load_record(results, f"multi30k/{name}-0")
        quality, start = record["quality"]["test_2016_flickr"], f"real_{name.replace('-', '_')}"
        looks = {look["step"]: look["bleu"] for look in record["history"]["validation"]}
        told |= {
            f"{start}_greedy": quality["greedy"]["bleu_lowercase"],
            f"{start}_beam": quality["beam 5"]["bleu_lowercase"],
            f"{start}_exact": quality["greedy"]["exact_match"],
            f"{start}_1000": looks[1000],
            f"{start}_3000": looks[3000],
        }
    return told


def of_no_residual(results: Path) -> dict[str, float]:
    """Return how the loss of the Transformer without residual connections goes on, in nats a token.

    `residual_training`: the last in training; `residual_held_out` and `residual_end`: the lowest and the last on
    held-out sentences, of averaged weights; `residual_step`: when it was lowest.

    Examples
    --------
    >>> told = of_no_residual(Path(__file__).parents[3] / "results")
    >>> round(told["residual_held_out"], 1), round(told["residual_end"], 1)
    (4.0, 5.6)
    """
    history = load_record(results, "embedded/transformer-no-residual-0")["history"]
    lowest = min(history["validation"], key=lambda look: look["loss"])
    return {
        "residual_training": history["training"][-1]["loss"],
        "residual_held_out": lowest["loss"],
        "residual_step": lowest["step"],
        "residual_end": history["validation"][-1]["loss"],
    }


def of_learning(record: Mapping[str, Any]) -> dict[str, float]:
    """Return how the head that aligns best in the end goes on: `error_<step>`, and `held_out_<step>`, the loss.

    Examples
    --------
    >>> of_learning({"head": [0, 1], "looks": [{"step": 10, "errors": [[0.5, 0.25]], "loss": 2.0}]})
    {'error_10': 0.25, 'held_out_10': 2.0}
    """
    layer, head = record["head"]
    told: dict[str, float] = {}
    for look in record["looks"]:
        told[f"error_{look['step']}"] = look["errors"][layer][head]
        told[f"held_out_{look['step']}"] = look["loss"]
    return told


def speed_table(results: Path) -> Table:
    """Tabulate tokens a second, in training and in writing, on one core."""
    speed = load_record(results, "embedded/speed")
    names = {name: MODELS[name] for name in ("transformer", *RIVALS)}
    rows = [("training", *(f"{speed['training'][name]:,.0f}" for name in names))]
    for length, of_models in speed["decoding"].items():
        for i, size in enumerate(speed["batch_sizes"]):
            each = (f"{of_models[name][i]:,.0f}" for name in names)
            rows.append((f"writing {length} tokens, {size} sentence{'s' * (size > 1)} at a time", *each))
    return Table(("tokens a second", *names.values()), tuple(rows))


def tuning_table(results: Path) -> Table:
    """Tabulate the BLEU on the validation set of short runs with other settings; "–" where one was not tried."""
    changes = ("as it is", "half the learning rate", "twice the learning rate", "dropout 0.2", "wider")
    names = {name: MODELS[name] for name in ("transformer", *RIVALS)}

    def bleu(name: str, change: str) -> str:
        path = results / "embedded" / f"tuning-{name}-{change.replace(' ', '-')}.json"
        if not path.exists():
            return "–"
        record = load_record(results, f"embedded/{path.stem}")
        return f"{record['quality']['val']['greedy']['bleu']:.1f}"

    rows = tuple((change, *(bleu(name, change) for name in names)) for change in changes)
    return Table(("after 1.5 minutes", *names.values()), rows)


def alignment_table(results: Path) -> Table:
    """Tabulate the alignment error of every head, a column for each seed; the best of each seed is bold."""
    rows: list[tuple[str, ...]] = []
    seeds: tuple[str, ...] = ()
    for name in ("transformer", "gru-attention"):
        records = found(results, [name], "embedded")[name]
        errors = np.array([record["alignment_errors"] for record in records])  # (n_seeds, n_layers, n_heads)
        best = errors.min(axis=(1, 2))
        several = errors[0].size > 1
        for layer, head in np.ndindex(*errors.shape[1:]):
            where = f"layer {layer}, head {head}" if several else "its only head"
            shares_of_seeds = (
                f"**{error:.1%}**" if several and error == least else f"{error:.1%}"
                for error, least in zip(errors[:, layer, head], best, strict=True)
            )
            rows.append((f"{MODELS[name]}, {where}", *shares_of_seeds))
        seeds = tuple(f"seed {seed}" for seed in range(len(records)))
    return Table(("alignment error", *seeds), tuple(rows))


def phenomena_table(results: Path) -> Table:
    """Tabulate the exact share of each challenge part, the Transformer's weakest first, with an example.

    A part has a hundred sentences that show one difficulty of French. Shares are medians over the seeds.
    """
    records = found(results, ("transformer", *RIVALS), "embedded")
    parts = [part for part in SPLITS if part.startswith("challenge_")]
    median = {
        name: {part: float(np.median(shares(of_seeds, part))) for part in parts}
        for name, of_seeds in records.items()
    }
    rows = []
    for part in sorted(parts, key=lambda part: [median[name][part] for name in records]):
        example = load_embedded(part)[3]
        told = (f"{median[name][part]:.0%}" for name in records)
        rows.append((PHENOMENA[part.removeprefix("challenge_")], *told, f"{example.source} {example.target}"))
    return Table(("what is difficult", *(MODELS[name] for name in records), "an example"), tuple(rows))
