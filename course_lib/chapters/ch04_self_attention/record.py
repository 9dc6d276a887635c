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
        "gender_worst": min(gender["right"]),
        "uniform_worst": min(uniform["right"]),
        "both": (on_noun[[0, 8]] > 0.5).all(axis=0).sum(),
        "all_half": (on_noun > 0.5).all(axis=0).sum(),
        "value_cat": sum(gender["value_cat"]),
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
            f"{name}_light": np.median(run["by_share"]["0.11"]),
            f"{name}_heavy": np.median(run["by_share"]["0.71"]),
            f"{name}_mixed_none": np.median(run["mixed_by_share"]["0.0"]),
        }
    return numbers


def in_range(run: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return the share of right answers of each model, the mean of both clauses and of the starts 0 to 7."""
    right: NDArray[np.float64] = np.mean(
        [run["right"][clause][str(n)] for clause in ("subject", "object") for n in range(8)], axis=0
    )
    return right


def _two_nouns(runs: Mapping[str, Any]) -> dict[str, float]:
    def median(run: str, start: str = "0", clause: str = "object", kind: str = "right") -> float:
        return float(np.median(runs[run][kind][clause][start]))

    trap, either, anywhere = "subject, positions", "either, positions", "any start"
    very = list(runs["any start, never very"]["very"]["object"].values())
    trained, moving = runs[trap], runs[anywhere]
    inside = [moving["counted"][clause][str(n)] for clause in ("subject", "object") for n in range(8)]
    both = np.add(*(moving["counted"][clause]["10"] for clause in ("subject", "object"))) / 2
    fixed = runs["either, fixed"]["right"]
    numbers = {
        "blind": median("subject", clause="subject"),
        "either_blind": median("either"),
        "uniform_subject": median(f"{trap}, uniform", clause="subject"),
        "fixed_subject": min(runs["subject, fixed"]["right"]["subject"]["0"]),
        "fixed_either": min(np.median(fixed[clause]["0"]) for clause in fixed),
        "fixed_any": np.median(in_range(runs["any start, fixed"])),
        "subject": median(trap, clause="subject"),
        "object": median(trap),
        "first_object": median(trap, kind="first"),
        "subject_4": median(trap, "4", "subject"),
        "adjective_alone": min(np.median(r) for r in trained["shifted"]["adjective"].values()),
        "far_9": np.median(trained["far"]["9"]),
        "far_10": np.median(trained["far"]["10"]),
        "far_neither": np.median(1 - np.add(trained["far"]["9"], trained["far"]["10"])),
        "moved_neither": np.median(1 - np.add(trained["moved"]["9"], trained["moved, other"]["9"])),
        "longer_object": median(f"{trap}, longer"),
        "either": min(median(either, clause=clause) for clause in ("subject", "object")),
        "either_3": median(either, "3"),
        "either_3_first": median(either, "3", kind="first"),
        "any_inside": min(np.median(shares) for shares in inside),
        "any_worst": min(min(shares) for shares in inside),
        "any_10_subject": np.median(moving["counted"]["subject"]["10"]),
        "any_10_object": np.median(moving["counted"]["object"]["10"]),
        "any_10_both": np.median(both),
        "any_14_subject": np.median(moving["counted"]["subject"]["14"]),
        "any_14_object": np.median(moving["counted"]["object"]["14"]),
        "any_14_second": np.median(moving["waves"]["none"]),
        "fast_waves": np.median(moving["waves"]["fast"]),
        "slow_waves": np.median(moving["waves"]["slow"]),
        "late_nouns": np.median(moving["late"]["nouns"]),
        "gap_3": median("any start but 3 and 4", "3"),
        "very": np.median(very),
        "very_worst": np.min(very),
    }
    for n in (1, 2, 3, 4, 5, 9):
        numbers[f"moved_{n}"] = np.median(trained["moved"][str(n)])
    for clause, by_place in moving["beside"].items():
        for place, name in (("-3", "3_before"), ("-1", "1_before"), ("1", "1_after")):
            numbers[f"beside_{name}_{clause}"] = np.median(by_place[place])
    return numbers
