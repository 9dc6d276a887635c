"""The numbers that chapter 04 and its Deeper notebook name, out of results/fluffy.json."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

IGNORED = 0.15  # a noun with less weight than this is ignored


def told(runs: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers by the names that the sentences give them; shares are medians of the models if not said.

    Parameters
    ----------
    runs : mapping
        What `fluffy.stored` reads.
    """
    return _one_noun(runs) | _two_nouns(runs)


def _one_noun(runs: Mapping[str, Any]) -> dict[str, float]:
    gender, uniform, naming = runs["gender"], runs["gender, uniform"], runs["naming"]
    on_noun = np.array(list(gender["on_noun"].values()))  # (16 nouns, models)
    said = np.array(gender["no_noun"]) == 1  # feminine, where there is no noun
    default = np.equal.outer(np.arange(16) >= 8, said)  # whether a noun has that gender
    ignored = on_noun < IGNORED
    leads, named = np.array(list(naming["leads"].values())), np.array(naming["no_noun"], dtype=int)
    n_models = on_noun.shape[1]
    numbers = {
        "gender_errors": sum(share < 1 for share in gender["right"]),
        "gender_worst": min(gender["right"]),
        "uniform_worst": min(uniform["right"]),
        "both": (on_noun[[0, 8]] > 0.5).all(axis=0).sum(),
        "one_only": ((on_noun[[0, 8]] > 0.5).sum(axis=0) == 1).sum(),
        "n_ignoring": ignored.any(axis=0).sum(),
        "n_default": (ignored.any(axis=0) & (default | ~ignored).all(axis=0)).sum(),
        "found_default": default[~ignored].mean(),
        "on_front": np.median(gender["on_front"]),
        "naming_leads": sum(naming["leads"]["cat"]),
        "naming_uniform": min(runs["naming, uniform"]["right"]),
        "overlook": sum(
            leads[:, model].sum() == 15 and not leads[named[model], model] for model in range(n_models)
        ),
    }
    for name, run in (("gender", gender), ("uniform", uniform)):
        numbers |= {
            f"{name}_median": np.median(run["right"]),
            f"{name}_later": np.median(run["later"]["24"]),
            f"{name}_silent": np.median(run["silent"]),
            f"{name}_mixed": np.median(run["mixed"]),
        }
    return numbers


def worse(run: Mapping[str, Any]) -> dict[int, NDArray[np.float64]]:
    """Return for each start the share of right answers of each model with the clause on the worse of the two nouns."""
    subject, obj = (run["counted"][clause] for clause in ("subject", "object"))
    return {int(start): np.minimum(subject[start], obj[start]) for start in subject}


def _two_nouns(runs: Mapping[str, Any]) -> dict[str, float]:
    def median(run: str, start: str = "0", clause: str = "object", kind: str = "right") -> float:
        return float(np.median(runs[run][kind][clause][start]))

    trap, either, anywhere = "subject, positions", "either, positions", "any start"
    very = list(runs["any start, never very"]["very"]["object"].values())
    by_start = worse(runs[anywhere])
    inside = [by_start[n] for n in range(8)]
    numbers = {
        "blind": median("subject", clause="subject"),
        "either_blind": median("either"),
        "uniform_subject": median(f"{trap}, uniform", clause="subject"),
        "subject": median(trap, clause="subject"),
        "object": median(trap),
        "first_object": median(trap, kind="first"),
        "subject_4": median(trap, "4", "subject"),
        "second_4": median(trap, "4", "subject", "second"),
        "least_4": min(runs[trap]["first"]["subject"]["4"]),
        "most_4": max(runs[trap]["first"]["subject"]["4"]),
        "adjective_alone": min(np.median(r) for r in runs[trap]["shifted"]["adjective"].values()),
        "others_alone": np.median(runs[trap]["shifted"]["others"]["4"]),
        "longer_object": median(f"{trap}, longer"),
        "either": min(median(either, clause=clause) for clause in ("subject", "object")),
        "either_worst": min(min(runs[either]["right"][clause]["0"]) for clause in ("subject", "object")),
        "either_3": median(either, "3"),
        "either_3_first": median(either, "3", kind="first"),
        "any_inside": min(np.median(shares) for shares in inside),
        "any_worst": min(shares.min() for shares in inside),
        "gap_3": median("any start but 3 and 4", "3"),
        "very": np.median(very),
        "very_worst": np.min(very),
    }
    for n in (8, 9, 10, 12, 15):
        numbers[f"any_{n}"] = np.median(by_start[n])
        numbers[f"below_{n}"] = (by_start[n] < 0.5).sum()
    subject, obj = (runs[anywhere]["beside"][clause] for clause in ("subject", "object"))
    for n in subject:
        name = f"beside_{abs(int(n))}_{'before' if int(n) < 0 else 'after'}"
        numbers[name] = np.median(np.minimum(subject[n], obj[n]))
    return numbers
