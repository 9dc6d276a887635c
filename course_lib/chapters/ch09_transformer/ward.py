"""The ten patients of the bug clinic and the healthy model, trained and examined; the record is `ward.json`.

`python -m course_lib.chapters.ch09_transformer.ward` trains and examines all of them again, in some minutes.
"""

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from course_lib.chapters.ch09_transformer import bug_clinic as clinic
from course_lib.chapters.ch09_transformer.bug_clinic import BUGS, FIRST_WORD, HEALTHY, LONGEST, Patient
from course_lib.files import atomic_path
from course_lib.model import Parts, attention, causal_mask, padding_mask
from course_lib.special_ids import BOS_ID, PAD_ID
from course_lib.text.batches import Batch

RECORD = Path(__file__).with_suffix(".json")
SEEDS, STEPS, WINDOW = 3, 160, 10  # patients of each kind; steps of training; steps of which a mean is kept
N_NEW = 200  # sentences that none of them has seen
CHANGES: tuple[Literal["words", "earlier words", "padding"], ...] = ("words", "earlier words", "padding")
LAST = 30  # steps whose mean is the final loss
EXAMPLE = "seven two nine four"
PADDED, LEAKING, MERGED = (
    10,
    3,
    9,
)  # patients: padding not masked, mask after the softmax, heads merged wrongly
# Without residual connections: blocks on each side, steps, learning rate. With them: the first of each.
LONGER, GENTLER = (800, 6e-3), (800, 2e-3)


def bug_of(number: int) -> clinic.Bug:
    """Return the bug of a patient; number 0 is healthy.

    Examples
    --------
    >>> bug_of(0).name, bug_of(3).name
    ('healthy', 'mask after the softmax')
    """
    return BUGS[number - 1] if number else HEALTHY


def final_loss(losses: Sequence[float] | NDArray[np.float64]) -> float:
    """Return the mean of the last steps.

    Examples
    --------
    >>> final_loss([9.0] * 5 + [1.0] * 30)
    1.0
    """
    return float(np.mean(np.asarray(losses)[-LAST:]))


def new_sentences(n: int = N_NEW) -> Batch:
    """Draw sentences on which patients are examined, always the same."""
    return clinic.sentences(n, torch.Generator().manual_seed(10_000))


def chance_of_order(n: int = N_NEW) -> float:
    """Return how often the words of a new sentence, put in random order, are in the right one.

    Examples
    --------
    >>> 1 / 120 < chance_of_order() < 1 / 3
    True
    """
    chances = []
    for words in words_of(new_sentences(n).target_out):
        same = math.prod(math.factorial(words.count(word)) for word in set(words))
        chances.append(same / math.factorial(len(words)))
    return float(np.mean(chances))


def words_of(target_out: Tensor) -> list[list[int]]:
    """Return the ids of the words of each row, without </s> and padding."""
    return [[int(i) for i in row if i >= FIRST_WORD] for row in target_out]


@torch.no_grad()
def examined(patient: Patient, n: int = N_NEW) -> dict[str, float]:
    """Let a patient write new sentences, and measure it as in training; then both with its weights in the right code.

    Returns
    -------
    dict
        "exact": the share of sentences without a mistake; "words": with the right words in any order; "length": with
        as many words as there should be; "loss": with the true words given, in nats a token; "cured": the share without
        a mistake of the same weights in the right code; "cured loss": its loss.

    Examples
    --------
    >>> sorted(examined(Patient(HEALTHY), n=4))
    ['cured', 'cured loss', 'exact', 'length', 'loss', 'words']
    """
    new, cured = new_sentences(n), patient.with_right_code()
    expected = words_of(new.target_out)

    def share(written: list[list[int]], key: Any) -> float:
        return float(np.mean([key(w) == key(e) for w, e in zip(written, expected, strict=True)]))

    written = patient.write(new.source)
    return {
        "exact": share(written, list),
        "words": share(written, sorted),
        "length": share(written, len),
        "loss": float(patient.loss(new)),
        "cured": share(cured.write(new.source), list),
        "cured loss": float(cured.loss(new)),
    }


def alone(patient: Patient, n_words: int | None = None, n: int = N_NEW) -> float:
    """Return the share of new sentences, of so many words if given, that it writes rightly one at a time, unpadded.

    It is NaN if there is none of so many words.

    Examples
    --------
    >>> 0 <= alone(Patient(HEALTHY), n_words=3, n=20) <= 1
    True
    """
    new = new_sentences(n)
    lengths = (new.source != PAD_ID).sum(1)
    right = []
    for source, length, expected in zip(new.source, lengths, words_of(new.target_out), strict=True):
        if n_words is None or int(length) == n_words:
            right.append(patient.write(source[:length].unsqueeze(0))[0] == expected)
    return float(np.mean(right)) if right else float("nan")


@torch.no_grad()
def with_hidden_words(patient: Patient, n: int = N_NEW) -> dict[str, float]:
    """Hide from the decoder, at each position, the source word that it looks at most, or another one.

    Works for one block on each side, where no other attention can bring the word.

    Returns
    -------
    dict
        The share of words predicted rightly, true words given: "seen", with nothing hidden; "looked at" and "another",
        with one word hidden.

    Examples
    --------
    >>> sorted(with_hidden_words(Patient(HEALTHY), n=4))
    ['another', 'looked at', 'seen']
    """
    new, model = new_sentences(n), patient.model
    real = padding_mask(new.source)  # (B, 1, L_s)
    (cross,) = patient.maps(new).cross
    looked = cross.mean(1).argmax(-1)  # (B, L_t)
    lengths = real.sum(-1)  # (B, 1)
    is_word = new.target_out >= FIRST_WORD
    found = {}
    for name, hidden in {"seen": None, "looked at": looked, "another": (looked + 1) % lengths}.items():
        allowed = real.expand(-1, new.target_in.shape[1], -1).clone()
        if hidden is not None:
            allowed.scatter_(2, hidden.unsqueeze(-1), value=False)
        x, memory = model.target_embedding(new.target_in), model.encode(new.source)
        for block in model.decoder:
            x, _, _ = block(x, memory, causal_mask(new.target_in.shape[1]), allowed)
        guessed = model.output(model.decoder_norm(x)).argmax(-1)
        found[name] = float((guessed == new.target_out)[is_word].float().mean())
    return found


def _even_sums(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, dropout: float
) -> tuple[Tensor, Tensor]:
    """Mask after the softmax, but let each row under a causal mask have the average sum of its position."""
    _, weights = attention(queries, keys, values)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
        if mask.dim() == 2:  # the causal one
            sums = weights.sum(-1, keepdim=True)  # (B, H, L, 1)
            weights = weights * sums.mean(0, keepdim=True) / sums.clamp_min(1e-9)
    return weights @ values, weights


@torch.no_grad()
def evened_loss(patient: Patient, n: int = N_NEW) -> float:
    """Return the loss of a patient whose mask comes after the softmax, if the sums of its rows tell nothing any more.

    Each row of the decoder's own attention gets the sum that rows have at its position on average, so that the vectors
    are as long as before, and only what differs between sentences is lost.

    Examples
    --------
    >>> round(evened_loss(Patient(bug_of(3)), n=4), 1) > 0
    True
    """
    other = Patient(clinic.Bug("even sums", "", "", Parts(attention_function=_even_sums)), patient.seed)
    other.model.load_state_dict(patient.model.state_dict())
    return float(other.loss(new_sentences(n)))


@torch.no_grad()
def with_later_changed(
    patient: Patient, change: Literal["words", "earlier words", "padding"], n: int = N_NEW
) -> float:
    """Return the loss of a patient if, at each position, what the decoder reads elsewhere is changed; its code stays.

    Parameters
    ----------
    patient : Patient
    change : {"words", "earlier words", "padding"}
        Whether the French words behind the position are exchanged for others, drawn at random; or those before it, in
        comparison; or whether the padding behind it becomes words.
    n : int

    Examples
    --------
    >>> healthy = Patient(HEALTHY)
    >>> loss = float(healthy.loss(new_sentences(4)).detach())
    >>> abs(with_later_changed(healthy, "words", n=4) - loss) < 1e-5  # it sees nothing later
    True
    """
    new = new_sentences(n)
    generator = torch.Generator().manual_seed(20_000)
    others = torch.randint(FIRST_WORD, len(clinic.FRENCH), new.target_in.shape, generator=generator)
    positions = torch.arange(new.target_in.shape[1])
    changed = new.target_in == PAD_ID if change == "padding" else new.target_in >= FIRST_WORD  # (B, L_t)
    logits = []
    for position in positions:
        where = positions < position if change == "earlier words" else positions > position
        fed = torch.where(changed & where, others, new.target_in)
        logits.append(patient.logits(replace(new, target_in=fed))[:, position])
    return float(F.cross_entropy(torch.stack(logits, 2), new.target_out, ignore_index=PAD_ID))


def maps_of(patient: Patient) -> dict[str, Any]:
    """Return the attention of the decoder for the example, a mean over its heads, and what it writes."""
    batch = clinic.sentence(EXAMPLE, padding=1)
    maps, fed = patient.maps(batch), patient.bug.feed(batch)
    own, cross = (weights[0][0].mean(0) for weights in (maps.decoder, maps.cross))
    return {
        "own": own.double().numpy().round(4).tolist(),
        "cross": cross.double().numpy().round(4).tolist(),
        "read": [clinic.FRENCH[i] for i in fed.target_in[0]],
        "writes": clinic.in_words(patient.write(batch.source)[0], clinic.FRENCH),
    }


def admitted(number: int, seeds: int = SEEDS, steps: int = STEPS, n: int = N_NEW) -> dict[str, Any]:
    """Train and examine patients of one number.

    Returns
    -------
    dict
        "losses": (n_seeds, steps / WINDOW), means over `WINDOW` steps; "final": the loss of each at its end; what
        `examined` returns, a list each; of the first seed what `maps_of` returns.

    Examples
    --------
    >>> found = admitted(0, seeds=1, steps=10, n=4)
    >>> len(found["losses"][0]), found["read"]
    (1, ['<s>', 'quatre', 'sept', 'deux', 'neuf'])
    """
    found: dict[str, Any] = {"losses": [], "final": []}
    for seed in range(seeds):
        patient = Patient(bug_of(number), seed)
        patient.train(range(steps))
        means = patient.losses[: steps // WINDOW * WINDOW].reshape(-1, WINDOW).mean(axis=1)
        found["losses"].append([float(f"{x:.4g}") for x in means])
        found["final"].append(float(f"{final_loss(patient.losses):.4g}"))
        for name, value in examined(patient, n).items():
            found.setdefault(name, []).append(float(f"{value:.4g}"))
        if number in (0, PADDED):
            found.setdefault("alone", []).append(alone(patient, n=n))
            found.setdefault("alone by words", []).append(
                [alone(patient, n_words, n) for n_words in range(clinic.SHORTEST, LONGEST + 1)]
            )
        if number in (0, LEAKING, MERGED):
            for change in CHANGES:
                loss = with_later_changed(patient, change, n)
                found.setdefault(f"other {change}", []).append(float(f"{loss:.4g}"))
        if number == LEAKING:
            found.setdefault("evened loss", []).append(float(f"{evened_loss(patient, n):.4g}"))
        if number == 0:
            found.setdefault("hidden", []).append(with_hidden_words(patient, n))
        if seed == 0:
            found |= maps_of(patient)
    return found


def _start_mark_only(batch: Batch) -> Batch:
    """Let the decoder read <s> at every position instead of what has been written."""
    return replace(batch, target_in=torch.full_like(batch.target_in, BOS_ID))


def reading_nothing(seeds: int = SEEDS, steps: int = STEPS, n: int = N_NEW) -> list[float]:
    """Train healthy models whose decoder reads only start marks; return the shares of new sentences without a mistake.

    All words of a sentence are predicted at once, its end too.

    Examples
    --------
    >>> len(reading_nothing(seeds=1, steps=2, n=4))
    1
    """
    found, new = [], new_sentences(n)
    for seed in range(seeds):
        patient = Patient(clinic.Bug("reads nothing", "", "", feed=_start_mark_only), seed)
        patient.train(range(steps))
        with torch.no_grad():
            predicted = patient.logits(new).argmax(-1)  # (B, L_t)
        right = (predicted == new.target_out) | (new.target_out == PAD_ID)
        found.append(float(f"{right.all(1).float().mean():.4g}"))
    return found


def by_depth(
    blocks: int, residual: bool, seeds: int = SEEDS, steps: int = STEPS, rate: float = 6e-3, n: int = N_NEW
) -> dict[str, list[float]]:
    """Train models with more blocks on each side, with residual connections or without.

    Examples
    --------
    >>> sorted(by_depth(1, residual=False, seeds=1, steps=2, n=4))
    ['exact', 'final']
    """
    found: dict[str, list[float]] = {"final": [], "exact": []}
    bug = HEALTHY if residual else next(bug for bug in BUGS if bug.name == "no residual connections")
    for seed in range(seeds):
        patient = Patient(bug, seed, n_encoder_layers=blocks, n_decoder_layers=blocks)
        patient.train(range(steps), learning_rate=rate)
        found["final"].append(float(f"{final_loss(patient.losses):.4g}"))
        found["exact"].append(patient.exact(n))
    return found


def depths() -> dict[str, Any]:
    """Return what `by_depth` gives for 1, 2 and 3 blocks: with residual connections, and in three ways without."""
    found: dict[str, Any] = {}
    for name, residual, (steps, rate) in (
        ("with", True, (STEPS, 6e-3)),
        ("without", False, (STEPS, 6e-3)),
        ("longer", False, LONGER),
        ("gentler", False, GENTLER),
    ):
        found[name] = [by_depth(blocks, residual, steps=steps, rate=rate) for blocks in (1, 2, 3)]
        print(name, time.process_time(), flush=True)
    return found


def stored() -> dict[str, Any]:
    """Read what `admitted` gave for each number, and `depths`.

    Examples
    --------
    >>> record = stored()
    >>> len(record["patients"]), record["steps"]
    (11, 160)
    """
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def told(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers that sentences name, medians over the seeds.

    `final_3` is the last loss of patient 3, `loss_3` that on new sentences, `mended_3` the same in the right code;
    `exact_3`, `words_3`, `length_3` and `cured_3` are shares of sentences; `alone_10` is what patient 10 writes rightly
    one at a time, `alone_10_3` of sentences of three words. `seen`, `looked_at` and `another` are shares of words that
    the healthy model predicts with nothing hidden, the word it looks at, another one. `with_2`, `without_2`,
    `longer_2`, `gentler_2` are shares of sentences with 2 blocks on each side; `evened` is `evened_loss` of patient 3.
    `words_9_other`, `earlier_words_9_other` and `padding_3_other` are losses by `with_later_changed`.
    `reading_nothing` is the median of `reading_nothing`; `exact_0_low` and `exact_0_high` end the range of the healthy
    ones; `chance_6` is `words_6` times `chance_of_order`.

    Examples
    --------
    >>> numbers = told(stored())
    >>> numbers["final_1"] < numbers["final_0"]
    True
    """
    found: dict[str, float] = {}
    for number, patient in enumerate(record["patients"]):
        for name, key in {
            "final": "final",
            "loss": "loss",
            "mended": "cured loss",
            "exact": "exact",
            "words": "words",
            "length": "length",
            "cured": "cured",
        }.items():
            found[f"{name}_{number}"] = float(np.median(patient[key]))
        if "alone" in patient:
            found[f"alone_{number}"] = float(np.median(patient["alone"]))
            for n_words, share in enumerate(
                np.median(patient["alone by words"], axis=0), start=clinic.SHORTEST
            ):
                found[f"alone_{number}_{n_words}"] = float(share)
    for number in (0, LEAKING, MERGED):
        for change in CHANGES:
            losses = record["patients"][number][f"other {change}"]
            found[f"{change.replace(' ', '_')}_{number}_other"] = float(np.median(losses))
    found["evened"] = float(np.median(record["patients"][LEAKING]["evened loss"]))
    found["exact_0_low"], found["exact_0_high"] = (f(record["patients"][0]["exact"]) for f in (min, max))
    found["reading_nothing"] = float(np.median(record["reading nothing"]))
    found["chance_6"] = found["words_6"] * chance_of_order()
    hidden = record["patients"][0]["hidden"]
    found |= {name.replace(" ", "_"): float(np.median([each[name] for each in hidden])) for name in hidden[0]}
    for name, rows in record["depths"].items():
        for blocks, row in enumerate(rows, start=1):
            found[f"{name}_{blocks}"] = float(np.median(row["exact"]))
            found[f"{name}_{blocks}_loss"] = float(np.median(row["final"]))
    return found


if __name__ == "__main__":
    import sys

    torch.set_num_threads(1)
    whole: dict[str, Any] = stored() if RECORD.exists() else {}
    whole |= {
        "command": "python -m course_lib.chapters.ch09_transformer.ward",
        "seeds": SEEDS,
        "steps": STEPS,
        "sentences": N_NEW,
    }
    if "depths" not in sys.argv[1:]:
        whole["patients"] = []
        for each in range(len(BUGS) + 1):
            whole["patients"].append(admitted(each))
            print(each, time.process_time(), flush=True)
        whole["reading nothing"] = reading_nothing()
    if "patients" not in sys.argv[1:]:
        whole["depths"] = depths()
    with atomic_path(RECORD) as temporary:
        temporary.write_text(json.dumps(whole, ensure_ascii=False) + "\n", encoding="utf-8")
