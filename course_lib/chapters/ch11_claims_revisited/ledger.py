"""The ledger: what decides each claim, under the usual circumstances and under others; and what came out, stored.

`ledger.json` holds what `record` gave; the board shows it. `write` decides all claims again and writes it, in some ten
seconds of one core:

    python -c 'from course_lib.chapters.ch11_claims_revisited import ledger; ledger.write()'
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_lib import functional
from course_lib.chapters.ch11_claims_revisited import cost, history, order, records, weights, whole
from course_lib.chapters.ch11_claims_revisited.claims import Case, Found, Verdict
from course_lib.chapters.ch11_claims_revisited.printed import CLAIMS, Claim, told
from course_lib.chapters.facts import facts
from course_lib.files import atomic_path

RECORD = Path(__file__).with_suffix(".json")
SIGNS: dict[str, str] = {"holds": "●", "holds when": "◐", "does not hold": "○"}
KINDS = {"fair": "fair", "reading": "ours", "control": "control, not counted"}

# Claim → what is found under the usual circumstances, and under those that the entry says would flip it.
DECIDED: dict[str, Callable[[], tuple[Found, Found]]] = {
    "1": lambda: (order.same_words(), order.same_words(causal=True)),
    "2": lambda: (weights.superposition(), weights.superposition(fixed=True)),
    "3": lambda: (whole.one_position_alone(), whole.one_position_alone(kernel_size=3)),
    "4": lambda: (whole.followed(), whole.followed(decoder_only=True)),
    "5": lambda: (order.wavelengths(), order.wavelengths(ends_met=True)),
    "6": lambda: (order.near_a_gaussian(), order.near_a_gaussian(order.weighted_encoding)),
    "7": lambda: (order.joined(), order.joined("append")),
    "8": lambda: (order.unique_and_periodic(), order.unique_and_periodic(d=2, bits=16)),
    "9": lambda: (order.longer(), order.longer("rotary")),
    "10": lambda: (weights.softmax_works(), weights.softmax_works(functional.softmax)),
    "11": lambda: (weights.infinite_scores(), weights.infinite_scores(masked=True)),
    "12a": lambda: (cost.grows_as_the_square(), cost.grows_as_the_square(window=8)),
    "12b": lambda: (cost.square_leads(), cost.square_leads(projections=False)),
    "13": lambda: (cost.parameters_grow(), cost.parameters_grow(untied=True)),
    "14": lambda: (cost.narrow_heads(), cost.narrow_heads(n_heads=4)),
    "15": lambda: (records.fewer_parameters(), records.fewer_parameters(rival=records.WITHOUT_ATTENTION)),
    "16": lambda: (
        records.better_and_faster(),
        records.better_and_faster(writing=False, longer=False, rivals=[records.RIVAL]),
    ),
    "17": lambda: (whole.hides_the_answer(), whole.hides_the_answer(step=1)),
    "18": lambda: (weights.score_variance(), weights.score_variance(independent=False)),
    "19": lambda: (whole.one_size_only(), whole.one_size_only(pooled=True)),
    "20": lambda: (whole.compact(), whole.compact(trained=False)),
    "21": lambda: (history.who_was_first(), history.who_was_first("Bahdanau", "Cheng")),
    "22": lambda: (order.out_of_step(), order.out_of_step(clocks=True)),
    "24": lambda: (history.who_introduced_it(), history.who_introduced_it(own_words=True)),
    "25": lambda: (whole.solely_attention(), whole.solely_attention(feed_forward=False)),
    "26": lambda: (whole.looks_back(), whole.looks_back(mask=False)),
    "27": lambda: (weights.heads_and_filters(), weights.heads_and_filters(mixed=False)),
}


def numbers_of(usual: Found, flipped: Found) -> dict[str, float]:
    """Return the numbers of both, those of the changed circumstances with `_flipped` behind their name.

    >>> numbers_of(Found([], {"x": 1.0}), Found([], {"x": 2.0}))
    {'x': 1.0, 'x_flipped': 2.0}
    """
    return dict(usual.numbers) | {f"{name}_flipped": x for name, x in flipped.numbers.items()}


@dataclass(frozen=True, repr=False)
class Entry:
    """A claim, decided: what a cell shows of it.

    Attributes
    ----------
    claim : Claim
    usual, flipped : Found
        Under the usual circumstances, and under those that would flip the verdict.
    on_the_board : str
        The verdict that is stored.
    """

    claim: Claim
    usual: Found
    flipped: Found
    on_the_board: str

    @property
    def flip(self) -> str:
        """What would have turned the verdict, in words, with its numbers."""
        return told(self.claim.flip, numbers_of(self.usual, self.flipped))

    @property
    def _flips(self) -> str:
        return "What flips it, by other words" if self.claim.reworded else "What flips it"

    def __str__(self) -> str:
        """List the cases, the verdict, and what flips it, for whoever reads plain text."""
        verdict = self.usual.verdict
        lines = [f"{SIGNS[verdict]} {self.claim.key}: {verdict}. {self.claim.right}"]
        lines += [f"  {_mark(case)} {_told(case)} ({KINDS[case.kind]})" for case in self.usual.cases]
        lines.append(f"  {self._flips}: {self.flip}. Then: {self.flipped.verdict}.")
        return "\n".join([*lines, *self._differs()])

    __repr__ = __str__  # what a notebook keeps as plain text

    def _repr_markdown_(self) -> str:
        verdict = self.usual.verdict
        lines = [
            f"**{SIGNS[verdict]} Claim {self.claim.key}: {_third(verdict, '.')}** {_escaped(self.claim.right)}",
            "",
            "| | case | kind |",
            "|:-:|:--|:--|",
        ]
        lines += [
            f"| {_mark(case)} | {_escaped(_told(case))} | {KINDS[case.kind]} |" for case in self.usual.cases
        ]
        lines += [
            "",
            f"*{self._flips}:* {_escaped(self.flip)}. Then it **{_third(self.flipped.verdict, '.')}**",
        ]
        return "\n".join([*lines, *self._differs()])

    def _differs(self) -> list[str]:
        if self.on_the_board == self.usual.verdict:
            return []
        return ["", f"The board says something else: {self.on_the_board}."]


def _third(verdict: Verdict, end: str) -> str:
    """Return a verdict at the end of its sentence, which for one of them is open."""
    return f"{verdict} …" if verdict == "holds when" else f"{verdict}{end}"


def _mark(case: Case) -> str:
    return "✓" if case.true else "✗"


def _told(case: Case) -> str:
    """Return the condition, with the number of repetitions in which the claim was true, if there are several."""
    repeated = f" ({sum(case.outcomes)} of {len(case.outcomes)})" if len(case.outcomes) > 1 else ""
    return f"{case.condition}{repeated}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def enter(key: str, usual: Found, flipped: Found) -> Entry:
    """Decide a claim, and return what is to be shown of it; its numbers become facts of the notebook.

    Parameters
    ----------
    key : str
        The claim's number, such as "12a".
    usual, flipped : Found
        What was found, and what under the circumstances that would flip the verdict.

    Raises
    ------
    ValueError
        If there is no such claim to measure, or the verdict is the same under both.

    Examples
    --------
    >>> print(enter("3", whole.one_position_alone(seeds=[0]), whole.one_position_alone(3, seeds=[0])))
    rows = 1
    rows_flipped = 5
    ● 3: holds. Each word goes through the network by itself.
      ✓ the first word of eight is changed (fair)
      ✓ the fourth word of eight is changed (fair)
      ✓ the last word of eight is changed (fair)
      What flips it: a kernel of size 3: 5 rows move. Then: does not hold.
    """
    if key not in DECIDED:
        raise ValueError(f"key is {key!r}: expected one of {', '.join(DECIDED)}")
    if usual.verdict == flipped.verdict:
        raise ValueError(f"claim {key}: {usual.verdict} under both circumstances, so that nothing flips it")
    facts(**numbers_of(usual, flipped))
    return Entry(CLAIMS[key], usual, flipped, stored()[key]["verdict"])


def decide(key: str) -> dict[str, Any]:
    """Decide a claim anew; return what is stored of it.

    Returns
    -------
    dict
        "verdict", "flipped": verdicts; "numbers": of both; "cases": [condition, kind, outcomes] of the usual ones.

    Examples
    --------
    >>> decide("5")["verdict"]
    'does not hold'
    """
    usual, flipped = DECIDED[key]()
    return {
        "verdict": usual.verdict,
        "flipped": flipped.verdict,
        "numbers": {name: float(f"{x:.6g}") for name, x in numbers_of(usual, flipped).items()},
        "cases": [[case.condition, case.kind, list(case.outcomes)] for case in usual.cases],
    }


def record() -> dict[str, dict[str, Any]]:
    """Decide all claims anew."""
    return {key: decide(key) for key in DECIDED}


def stored() -> dict[str, dict[str, Any]]:
    """Read what `record` gave.

    Examples
    --------
    >>> stored()["26"]["verdict"]
    'holds when'
    """
    found: dict[str, dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def counts(ledger: Mapping[str, Mapping[str, Any]]) -> dict[Verdict, int]:
    """Count the verdicts of a ledger, as `stored` returns it.

    >>> counts({"1": {"verdict": "holds"}, "2": {"verdict": "holds"}})["holds"]
    2
    """
    found = [entry["verdict"] for entry in ledger.values()]
    return {"holds": found.count("holds"), "holds when": found.count("holds when"),
            "does not hold": found.count("does not hold")}  # fmt: skip


def write() -> None:
    """Decide all claims anew, and store what came out."""
    found = record()
    with atomic_path(RECORD) as temporary:
        temporary.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for key, entry in found.items():
        print(key, entry["verdict"], "→", entry["flipped"], entry["numbers"])
