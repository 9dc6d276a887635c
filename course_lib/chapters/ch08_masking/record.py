"""What came out for several seeds, longer training, and the clock: trained and timed once, in `record.json`.

`python -m course_lib.chapters.ch08_masking.record` does it again, in some minutes on one core; some of its parts, with
their names behind it: `kinds`, `longer`, `positions`, `order`, `temperatures`, `times`, and `writer`, which trains the
two models of the chapter's first figure (`writer.json`).
"""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_lib.chapters.ch08_masking import language_model as lm
from course_lib.chapters.ch08_masking.figures import TRAINED, writer_props
from course_lib.chapters.fit import fit, seeded
from course_lib.fast import faster, start_decoding
from course_lib.files import atomic_path
from course_lib.model import DecoderOnlyConfig, DecoderOnlyTransformer
from course_lib.special_ids import BOS_ID, PAD_ID

RECORD = Path(__file__).with_suffix(".json")
KINDS: dict[str, dict[str, Any]] = {
    "mask": {},
    "no mask": {"masked": False},
    "no shift": {"shifted": False},
}
N_SEEDS, FEW_SEEDS = 5, 3
CHECKPOINTS = (100, 200, 300, 600, 1200)  # steps
FEW_STEPS = (100, 150, 200, 250, 300)  # where positions are compared
TEMPERATURES = (0.3, 0.7, 1.0, 1.5, 2.0)
N_WRITTEN = 300
LENGTHS = (16, 32, 64, 128, 256, 512)  # tokens
TIMED: dict[str, Any] = {"d_model": 256, "n_heads": 4, "d_ff": 1024, "n_layers": 4}  # on one core
MAIN = ("loss", "held_out", "writing", "follows", "repeats")


def _data() -> tuple[lm.Sentences, Tensor, Tensor]:
    sentences = lm.short_sentences()
    return sentences, *lm.held_out(sentences.ids)


def _means(losses: Any) -> list[float]:
    return [round(float(x), 4) for x in np.reshape(losses[: len(losses) // 20 * 20], (-1, 20)).mean(axis=1)]


def kinds(
    names: Sequence[str] = tuple(KINDS), n_seeds: int = N_SEEDS, steps: int = lm.STEPS
) -> dict[str, Any]:
    """Train each kind of model for each seed; look at it on the sentences it learned from and on those held out.

    Returns
    -------
    dict
        kind → "losses" (n_seeds, n), means over 20 steps; "loss" and "held_out", the mean loss; "writing", where each
        token is predicted from a text that ends before it; "follows" and "repeats", as `follows_next` and
        `repeats_last`: (n_seeds,) each, all but the first on sentences held out.
    """
    sentences, seen, unseen = _data()
    found: dict[str, Any] = {}
    for kind in names:
        rows: dict[str, list[Any]] = {name: [] for name in ("losses", *MAIN)}
        shifted = KINDS[kind].get("shifted", True)
        for seed in range(n_seeds):
            model, losses = lm.train(seen, len(sentences.tokeniser), range(steps), seed=seed, **KINDS[kind])
            rows["losses"].append(_means(losses))
            with torch.no_grad():
                numbers = (
                    lm.mean_loss(model, seen, shifted).item(),
                    lm.mean_loss(model, unseen, shifted).item(),
                    lm.writing_loss(model, unseen),
                    lm.follows_next(model, unseen),
                    lm.repeats_last(model, unseen),
                )
            for name, number in zip(MAIN, numbers, strict=True):
                rows[name].append(round(number, 4))
        found[kind] = rows
    return found


def course(seed: int, checkpoints: Sequence[int] = CHECKPOINTS, **options: Any) -> list[list[float]]:
    """Train one model; return its loss on the sentences it learns from, and on those held out, after some steps."""
    sentences, seen, unseen = _data()
    losses: list[list[float]] = [[], []]
    model = lm.untrained(len(sentences.tokeniser), seed, **options)
    fast = faster(model)

    def look() -> None:
        with torch.no_grad():
            for row, ids in zip(losses, (seen, unseen), strict=True):
                row.append(round(lm.mean_loss(fast, ids).item(), 4))

    def loss(generator: torch.Generator) -> Tensor:
        return lm.mean_loss(fast, seen[torch.randint(len(seen), (lm.BATCH,), generator=generator)])

    fit(
        fast,
        loss,
        _at({step: look for step in checkpoints}, max(checkpoints)),
        learning_rate=lm.LEARNING_RATE,
        seed=seed,
        clip=None,
    )
    return losses


def _at(moments: Mapping[int, Callable[[], None]], steps: int) -> Iterator[int]:
    """Count the steps, and call what belongs to the end of some."""
    for step in range(1, steps + 1):
        yield step
        if step in moments:
            moments[step]()


def longer(n_seeds: int = FEW_SEEDS, checkpoints: Sequence[int] = CHECKPOINTS) -> dict[str, Any]:
    """Train with the mask and without for longer: kind → (n_seeds, seen or held out, checkpoints)."""
    options = {name: KINDS[name] for name in ("mask", "no mask")}
    return {
        "steps": list(checkpoints),
        **{
            name: [course(seed, checkpoints, **given) for seed in range(n_seeds)]
            for name, given in options.items()
        },
    }


def positions(
    n_seeds: int = FEW_SEEDS, checkpoints: Sequence[int] = FEW_STEPS, layers: Sequence[int] = (1, 2)
) -> dict[str, Any]:
    """Train with positions and without, one layer and two: name → (n_seeds, seen or held out, checkpoints)."""
    return {
        f"{n} {'with' if has else 'without'}": [
            course(seed, checkpoints, n_layers=n, positions=has) for seed in range(n_seeds)
        ]
        for n in layers
        for has in (True, False)
    }


def order(
    n_seeds: int = FEW_SEEDS,
    steps: int = 600,
    layers: Sequence[int] = (1, 2),
    length: int = 8,
    n_words: int = 8,
) -> dict[str, Any]:
    """Train models without positions to name the first of eight random words, with nothing but the mask to find it.

    Returns
    -------
    dict
        number of layers → share of right answers at the last word, (n_seeds,).
    """
    found: dict[str, Any] = {}
    for n in layers:
        found[str(n)] = []
        for seed in range(n_seeds):
            model = lm.untrained(n_words, seed, n_layers=n, positions=False)
            fast = faster(model)

            def loss(generator: torch.Generator, fast: lm.LanguageModel = fast) -> Tensor:
                words = torch.randint(n_words, (lm.BATCH, length), generator=generator)
                logits = fast(words)  # (B, L, n_words)
                return cross_entropy(logits.flatten(0, 1), words[:, :1].expand(-1, length).flatten())

            fit(fast, loss, range(steps), learning_rate=lm.LEARNING_RATE, seed=seed, clip=None)
            words = torch.randint(n_words, (2000, length), generator=torch.Generator().manual_seed(99))
            with torch.no_grad():
                right = fast(words)[:, -1].argmax(dim=-1) == words[:, 0]
            found[str(n)].append(round(right.float().mean().item(), 4))
    return found


def commonest(length: int = 8, n_words: int = 8) -> float:
    """Return how often the commonest of some random words is the first: what naming it gets right, on average.

    Parameters
    ----------
    length, n_words : int
        How many words are drawn, each equally likely, and from how many.

    Notes
    -----
    The largest count M has P(M ≤ k) = length! / n_words^length · [x^length] (Σ_{j ≤ k} x^j / j!)^n_words; all places
    are alike, so the share is E[M] / length.

    Examples
    --------
    >>> commonest(length=2, n_words=2)  # both alike in half of the cases
    0.75
    """
    ways = math.factorial(length) / n_words**length
    up_to = [np.poly1d([1 / math.factorial(j) for j in range(k, -1, -1)]) for k in range(length)]
    at_most = [ways * (poly**n_words)[length] for poly in up_to]  # P(M ≤ k), k = 0 … length − 1
    return float(length - sum(at_most)) / length


def _without_padding(row: list[int]) -> tuple[int, ...]:
    return tuple(token for token in row if token != PAD_ID)


def temperatures(
    degrees: Sequence[float] = TEMPERATURES, n_seeds: int = FEW_SEEDS, steps: int = lm.STEPS
) -> dict[str, Any]:
    """Let models write at some temperatures: different sentences among 300, pairs of neighbours that are known.

    Returns
    -------
    dict
        "different", "known" and "new", (n_seeds, n temperatures); the last is the share of sentences that are not among
        those trained on.
    """
    sentences, seen, _ = _data()
    known = set(map(_without_padding, seen.tolist()))
    found: dict[str, list[list[float]]] = {"different": [], "known": [], "new": []}
    for seed in range(n_seeds):
        model, _ = lm.train(seen, len(sentences.tokeniser), range(steps), seed=seed)
        written = [lm.drawn(model, N_WRITTEN, degree) for degree in degrees]
        found["different"].append([lm.different(ids) for ids in written])
        found["known"].append([round(lm.known_pairs(seen, ids), 4) for ids in written])
        found["new"].append(
            [
                round(float(np.mean([_without_padding(row) not in known for row in ids.tolist()])), 4)
                for ids in written
            ]
        )
    return {"temperatures": list(degrees), **found}


@torch.no_grad()
def times(lengths: Sequence[int] = LENGTHS, sizes: Mapping[str, Any] = TIMED) -> dict[str, Any]:
    """Write texts of some lengths with a cache and without: seconds of one core, and whether they agree.

    Returns
    -------
    dict
        "lengths"; "cache" and "again", seconds; "apart", the largest difference of a logit.
    """
    config = DecoderOnlyConfig(400, dropout=0.0, **sizes)
    with seeded(0):
        model = faster(DecoderOnlyTransformer(config).eval())
    found: dict[str, Any] = {
        "lengths": list(lengths),
        "sizes": dict(sizes),
        "cache": [],
        "again": [],
        "apart": [],
    }
    for length in lengths:
        best = {"cache": math.inf, "again": math.inf}
        for _ in range(3 if length < 200 else 1):
            start = time.process_time()
            state, ids = start_decoding(model), [BOS_ID]
            for _ in range(length):
                with_cache = state.step(torch.tensor(ids[-1:]))[0]
                ids.append(int(with_cache.argmax()))
            best["cache"] = min(best["cache"], time.process_time() - start)
            start = time.process_time()
            text = [BOS_ID]
            for _ in range(length):
                without = model(torch.tensor([text]))[0, -1]
                text.append(int(without.argmax()))
            best["again"] = min(best["again"], time.process_time() - start)
        found["apart"].append(float(f"{float((with_cache - without).abs().max()):.1e}"))
        for name, seconds in best.items():
            found[name].append(round(seconds, 4))
    return found


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "kinds": kinds,
    "longer": longer,
    "positions": positions,
    "order": order,
    "temperatures": temperatures,
    "times": times,
}


def stored() -> dict[str, Any]:
    """Read what the parts gave.

    Examples
    --------
    >>> sorted(stored())
    ['kinds', 'longer', 'order', 'positions', 'temperatures', 'times']
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that the chapter's sentences name: medians over the seeds, and ends of their ranges.

    `mask_held_out` is the median loss on sentences held out, `mask_held_out_low` and `_high` end its range, with
    `_perplexity` for its exponential; so for "no_mask" and "no_shift", and for `loss`, `writing`, `follows` and
    `repeats`. `mask_1200_seen` and `mask_1200_held_out` are losses after that many steps. `with_2` and `without_2` are
    the lowest losses on sentences held out, with positions and without, of two layers. `cache_512` and `again_512` are
    seconds, `times_512` their ratio. `order_2` is the share of first words that two layers name without
    positions, `commonest` what naming the commonest word gets. `different_1_0` and `known_1_0` belong to the
    temperature 1.0.

    Examples
    --------
    >>> 0 < told(stored())["mask_held_out"] < 6
    True
    """
    numbers: dict[str, float] = {}
    for kind, rows in record["kinds"].items():
        name = kind.replace(" ", "_")
        for what in MAIN:
            numbers[f"{name}_{what}"] = middle = float(np.median(rows[what]))
            numbers[f"{name}_{what}_low"], numbers[f"{name}_{what}_high"] = min(rows[what]), max(rows[what])
            numbers[f"{name}_{what}_perplexity"] = math.exp(middle)
    for kind in ("mask", "no mask"):
        middles = np.median(np.array(record["longer"][kind]), axis=0)
        for i, step in enumerate(record["longer"]["steps"]):
            for what, value in zip(("seen", "held_out"), middles[:, i], strict=True):
                numbers[f"{kind.replace(' ', '_')}_{step}_{what}"] = float(value)
    for name, runs in record["positions"].items():
        layers, has = name.split()
        numbers[f"{has}_{layers}"] = float(np.median(np.array(runs)[:, 1].min(axis=1)))
    for layers, right in record["order"].items():
        numbers[f"order_{layers}"] = float(np.median(right))
    numbers["commonest"] = commonest()
    for what in ("different", "known", "new"):
        middles = np.median(np.array(record["temperatures"][what]), axis=0)
        for degree, value in zip(record["temperatures"]["temperatures"], middles, strict=True):
            numbers[f"{what}_{str(degree).replace('.', '_')}"] = float(value)
    clock = record["times"]
    for length, cache, again in zip(clock["lengths"], clock["cache"], clock["again"], strict=True):
        numbers |= {
            f"cache_{length}": cache,
            f"again_{length}": again,
            f"times_{length}": again / cache,
        }
    return numbers


def write_writer() -> None:
    """Train the two models of the chapter's first figure, and store them."""
    sentences, seen, _ = _data()
    names = {"with the mask": "mask", "without the mask": "no mask"}
    models = {
        name: lm.train(seen, len(sentences.tokeniser), **KINDS[kind])[0] for name, kind in names.items()
    }
    props = writer_props(models, sentences.tokeniser.vocabulary)
    with atomic_path(TRAINED) as temporary:
        temporary.write_text(json.dumps(props, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    torch.set_num_threads(1)
    whole = stored() if RECORD.exists() else {}
    for part in sys.argv[1:] or [*PARTS, "writer"]:
        if part == "writer":
            write_writer()
        else:
            whole[part] = PARTS[part]()
            with atomic_path(RECORD) as temporary:
                temporary.write_text(json.dumps(whole) + "\n", encoding="utf-8")
        print(part, round(time.process_time()), "seconds", flush=True)
