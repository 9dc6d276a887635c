"""Claims that only long trainings can decide, 15 and 16, and what 20 needs of them: read from stored records.

All is read through `runs` and `exact`: to judge by other records, such as those of a smaller corpus, give them another
`folder`, or other names of runs.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from course_lib.chapters.ch11_claims_revisited.claims import Found, fair, reading

RESULTS = Path(__file__).resolve().parents[3] / "results"
FOLDER = "embedded"  # inside: the course's own corpus, all of its training pairs
PARTS = {
    "test": "sentences like those of the training",
    "combinations": "pairs of words that training does not have",
    "longer": "sentences longer than any in training",
}
TRANSFORMER, RIVAL, WITHOUT_ATTENTION = "transformer", "gru-attention", "gru"
RIVALS = {RIVAL: "a GRU with attention", WITHOUT_ATTENTION: "a GRU without attention"}


def runs(name: str, results: Path = RESULTS, folder: str = FOLDER) -> list[dict[str, Any]]:
    """Read the records of a run, of all seeds that there are: `transformer-0.json`, `transformer-1.json` and so on.

    Raises
    ------
    FileNotFoundError
        If there is none.

    Examples
    --------
    >>> len(runs("transformer")) >= 3
    True
    """
    pattern = re.compile(rf"{re.escape(name)}-(\d+)\.json")
    seeds = {
        int(m[1]): path for path in (results / folder).glob("*.json") if (m := pattern.fullmatch(path.name))
    }
    if not seeds:
        raise FileNotFoundError(f"{results / folder} has no {name}-0.json: `make results` makes the records")
    return [json.loads(seeds[seed].read_text(encoding="utf-8")) for seed in sorted(seeds)]


def exact(name: str, part: str, results: Path = RESULTS, folder: str = FOLDER) -> list[float]:
    """Return the share of a part's sentences that a run translates exactly, by greedy search, of each seed.

    >>> all(0 <= share <= 1 for share in exact("transformer", "test"))
    True
    """
    return [record["quality"][part]["greedy"]["exact_match"] for record in runs(name, results, folder)]


# ---- 15 ----


def fewer_parameters(
    parts: Sequence[str] = tuple(PARTS),
    margin: float = 0.02,
    rival: str = RIVAL,
    results: Path = RESULTS,
    folder: str = FOLDER,
) -> Found:
    """Claim 15: does a Transformer with fewer parameters translate as well as a recurrent network?

    True for a part of the corpus if each small Transformer, with at most half of the parameters, falls short of the
    median of the recurrent networks by `margin` at most; and if the small GRUs with attention do not manage the same
    against the full Transformers, or neither kind needs fewer. (No small GRU without attention has been trained:
    there, the full one must not be as good as the full Transformer.)

    Parameters
    ----------
    parts : sequence of str
        Keys of `PARTS`.
    margin : float
        What still counts as similar, a share of the sentences.
    rival : str
        The recurrent network: `RIVAL`, a GRU with attention, beside which one without counts as one more case; or
        `WITHOUT_ATTENTION`, that one alone.
    results, folder : where the records are

    Returns
    -------
    Found
        Numbers: the median share of exact translations, `small_transformer_test` and so on, for `transformer`,
        `small_gru`, `gru` (with attention) and each part; `times_fewer`, how many times more parameters the full
        Transformer has than the small ones have at most; `n_small`, the fewest seeds of the small ones.

    Examples
    --------
    >>> fewer_parameters().verdict, fewer_parameters(rival=WITHOUT_ATTENTION).verdict
    ('holds when', 'holds')
    """
    names = {
        "transformer": TRANSFORMER,
        "gru": RIVAL,
        "small_transformer": f"small-{TRANSFORMER}",
        "small_gru": f"small-{RIVAL}",
        "plain_gru": WITHOUT_ATTENTION,
    }
    records = {short: runs(name, results, folder) for short, name in names.items()}
    sizes = {short: max(record["parameters"] for record in each) for short, each in records.items()}

    def shares(short: str, part: str) -> list[float]:
        return exact(names[short], part, results, folder)

    def as_good(small: str, large: str, part: str) -> bool:
        fewer = 2 * sizes[small] <= min(record["parameters"] for record in records[large])
        return fewer and min(shares(small, part)) >= median(shares(large, part)) - margin

    def needs_fewer(part: str) -> bool:
        return as_good("small_transformer", "gru", part) and not as_good("small_gru", "transformer", part)

    def beside_a_plain_gru(part: str) -> bool:
        full = min(shares("plain_gru", part)) >= median(shares("transformer", part)) - margin
        return as_good("small_transformer", "plain_gru", part) and not full

    if rival == WITHOUT_ATTENTION:
        cases = [fair(PARTS[part], beside_a_plain_gru(part)) for part in parts]
    else:
        cases = [
            *(fair(PARTS[part], needs_fewer(part)) for part in parts),
            fair(
                "a GRU without attention is meant, on all these sentences",
                [beside_a_plain_gru(part) for part in parts],
            ),
        ]
    numbers = {f"{short}_{part}": median(shares(short, part)) for short in names for part in PARTS}
    smaller = max(sizes["small_transformer"], sizes["small_gru"])
    numbers["times_fewer"] = sizes["transformer"] / smaller
    numbers["n_small"] = float(min(len(records["small_transformer"]), len(records["small_gru"])))
    return Found(cases, numbers)


# ---- 16 ----


def better_and_faster(
    writing: bool = True,
    longer: bool = True,
    rivals: Sequence[str] = tuple(RIVALS),
    margin: float = 0.05,
    results: Path = RESULTS,
    folder: str = FOLDER,
) -> Found:
    """Claim 16: is the Transformer ahead of recurrent translators in accuracy and speed?

    It is more accurate than a rival if its worst seed is better than the rival's best, and faster if it does more
    tokens a second, by `margin` at least, in every measurement of that kind.

    Parameters
    ----------
    writing : bool
        Whether the speed of writing translations counts.
    longer : bool
        Whether sentences longer than any in training count.
    rivals : sequence of str
        Keys of `RIVALS`.
    margin : float
    results, folder : where the records are, and `speed.json`

    Returns
    -------
    Found
        Numbers: `transformer_test`, `gru_test` (with attention), `plain_gru_test`, `transformer_longer` and so on,
        median shares of exact translations; tokens a second of the Transformer, divided by those of a rival:
        `training` and `training_plain`, beside a GRU with attention and one without, `writing_low` and `writing_high`
        beside one with attention; `n_writing`, the number of comparisons in writing, and `n_slower`, how many the
        Transformer loses, of all rivals.

    Raises
    ------
    ValueError
        If there is no rival, or another than those of `RIVALS`.

    Examples
    --------
    >>> better_and_faster().verdict
    'holds when'
    >>> better_and_faster(writing=False, longer=False, rivals=[RIVAL]).verdict
    'holds'
    """
    if not rivals or {*rivals} - {*RIVALS}:
        raise ValueError(f"rivals is {[*rivals]}: expected some of {', '.join(RIVALS)}")
    speed = json.loads((results / folder / "speed.json").read_text(encoding="utf-8"))
    numbers: dict[str, float] = {}
    cases, in_writing = [], []

    def ahead(rival: str, part: str) -> bool:
        ours, theirs = (exact(name, part, results, folder) for name in (TRANSFORMER, rival))
        short = "gru" if rival == RIVAL else "plain_gru"
        numbers.update({f"transformer_{part}": median(ours), f"{short}_{part}": median(theirs)})
        return min(ours) > max(theirs)

    for rival in rivals:
        beside = f", beside {RIVALS[rival]}"
        training = speed["training"][TRANSFORMER] / speed["training"][rival]
        numbers["training" if rival == RIVAL else "training_plain"] = training
        cases.append(fair(f"accuracy, on sentences like those of the training{beside}", ahead(rival, "test")))
        cases.append(fair(f"speed of training{beside}", training > 1 + margin))
        if longer:
            cases.append(
                fair(
                    f"accuracy, on sentences longer than any in training{beside}",
                    ahead(rival, "longer"),
                )
            )
        one, many = _writing(speed, rival)
        in_writing.append((one, many))
        if rival == RIVAL:
            numbers["writing_low"], numbers["writing_high"] = min(*one, *many), max(*one, *many)
    if writing:
        for condition, kind, ratios in (
            ("one sentence at a time", fair, [one for one, _ in in_writing]),
            ("many sentences at a time", reading, [many for _, many in in_writing]),
        ):
            faster = [min(of_rival) > 1 + margin for of_rival in ratios]
            cases.append(kind(f"speed of writing, {condition}, beside each rival", faster))
    all_ratios = [ratio for one, many in in_writing for ratio in (*one, *many)]
    numbers["n_writing"] = float(len(all_ratios))
    numbers["n_slower"] = float(sum(ratio < 1 for ratio in all_ratios))
    return Found(cases, numbers)


def _writing(speed: Mapping[str, Any], rival: str) -> tuple[list[float], list[float]]:
    """Return the Transformer's tokens a second in writing, divided by a rival's: of one sentence, and of several."""
    one: list[float] = []
    together: list[float] = []
    for by_model in speed["decoding"].values():
        for size, ours, theirs in zip(
            speed["batch_sizes"], by_model[TRANSFORMER], by_model[rival], strict=True
        ):
            (one if size == 1 else together).append(ours / theirs)
    return one, together


# ---- 20 ----


def one_vector(results: Path = RESULTS, folder: str = FOLDER) -> dict[str, float]:
    """Tell what is translated exactly if the decoder sees only the average of the encoder's vectors, and if all.

    Returns
    -------
    dict
        `pooled` and `whole`, median shares of the test sentences.

    Examples
    --------
    >>> sorted(one_vector())
    ['pooled', 'whole']
    """
    pooled = exact(f"{TRANSFORMER}-pooled-memory", "test", results, folder)
    whole = exact(TRANSFORMER, "test", results, folder)
    return {"pooled": median(pooled), "whole": median(whole)}
