"""A ledger of claims, each with the cases that decide it: the verdict follows from them by a rule (chapter 11).

A claim is examined in one case or in several, and in each it comes out true or false. If it is true in all, it
*holds*; if in none, it *does not hold*; else it *holds when* one of the conditions is met under which it was true.
Nothing else goes into a verdict.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["holds", "holds when", "does not hold"]
VERDICTS: tuple[Verdict, ...] = ("holds", "holds when", "does not hold")


def judge(cases: Mapping[str, bool | Sequence[bool]]) -> Verdict:
    """Return the verdict that follows from cases.

    Parameters
    ----------
    cases : mapping from condition to outcome
        An outcome is true or false, or a list of these, one for each repetition (a seed, a permutation): then the
        claim is true in this case only if it was in every one.

    Raises
    ------
    ValueError
        If there is no case, or one without a repetition, or one whose outcome is neither true nor false.

    Examples
    --------
    >>> judge({"on land": True, "at sea": True})
    'holds'
    >>> judge({"on land": [True, True, True], "at sea": [True, False, True]})
    'holds when'
    >>> judge({"on land": False})
    'does not hold'
    """
    true = [all(outcomes) for outcomes in _repeated(cases).values()]
    return "holds" if all(true) else "holds when" if any(true) else "does not hold"


def _repeated(cases: Mapping[str, bool | Sequence[bool]]) -> dict[str, tuple[bool, ...]]:
    """Write every outcome as a tuple of Python's own booleans."""
    if not cases:
        raise ValueError("cases is empty: expected at least one, or nothing has been examined")
    repeated = {}
    for condition, outcome in cases.items():
        each = tuple(outcome) if isinstance(outcome, Iterable) else (outcome,)
        if not each:
            raise ValueError(f"case {condition!r} has no outcome: expected at least one")
        if any(one not in (True, False) for one in each):
            raise ValueError(f"case {condition!r} has the outcome {outcome!r}: expected true or false")
        repeated[condition] = tuple(bool(one) for one in each)
    return repeated


@dataclass(frozen=True)
class Claim:
    """One entry of the ledger.

    Attributes
    ----------
    number : int
    words : str
        What is claimed, in a few words.
    source : str
        Who says so: "A", "B" with a section, or a paper.
    cases : mapping from condition to outcomes
    flip : str
        What would have changed the verdict.
    chapter : int
        Where the course treats it.

    Examples
    --------
    >>> claim = Claim(1, "Birds fly", "proverb", {"it is a swallow": (True,), "it is a penguin": (False,)}, "", 1)
    >>> claim.verdict, claim.sentence
    ('holds when', 'holds when it is a swallow')
    """

    number: int
    words: str
    source: str
    cases: Mapping[str, tuple[bool, ...]]
    flip: str
    chapter: int

    @property
    def verdict(self) -> Verdict:
        """What follows from the cases."""
        return judge(self.cases)

    @property
    def sentence(self) -> str:
        """The verdict, with its conditions if it has some."""
        true = [condition for condition, outcomes in self.cases.items() if all(outcomes)]
        return f"holds when {' – or '.join(true)}" if self.verdict == "holds when" else self.verdict

    def __str__(self) -> str:
        """List the cases, the verdict, and what would flip it."""
        lines = [f"{self.number}. {self.words} ({self.source})"]
        for condition, outcomes in self.cases.items():
            counted = f"  [{sum(outcomes)} of {len(outcomes)}]" if len(outcomes) > 1 else ""
            lines.append(f"   {'✓' if all(outcomes) else '✗'} {condition}{counted}")
        return "\n".join([*lines, f"   → {self.sentence}", f"   would flip it: {self.flip}"])


class Ledger:
    """Claims by number, and the table of them.

    Parameters
    ----------
    expected : int
        How many claims there are; they are numbered from 1.

    Examples
    --------
    >>> ledger = Ledger(expected=1)
    >>> ledger.enter(1, "Birds fly", "proverb", {"swallow": True, "penguin": False}, flip="plumage", chapter=1)
    1. Birds fly (proverb)
       ✓ swallow
       ✗ penguin
       → holds when swallow
       would flip it: plumage
    >>> ledger[1].verdict
    'holds when'
    >>> print(ledger.table())
    | No. | Claim | Said by | Verdict | What would flip it | Chapter |
    |---:|---|---|---|---|---:|
    | 1 | Birds fly | proverb | **holds when** swallow | plumage | 01 |
    """

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self._claims: dict[int, Claim] = {}

    def enter(
        self,
        number: int,
        words: str,
        source: str,
        cases: Mapping[str, bool | Sequence[bool]],
        *,
        flip: str,
        chapter: int,
    ) -> None:
        """Enter a claim and print it with its verdict; the arguments are those of `Claim`.

        The same claim may be decided again, as when a cell is run twice: the later evidence counts.

        Raises
        ------
        ValueError
            If the number is none of 1 … `expected`, if it belongs to another claim, if the claim stands under another
            number, or if the cases are not as `judge` wants them.
        """
        if not 1 <= number <= self.expected:
            raise ValueError(f"number is {number}: expected one of 1 to {self.expected}")
        for entered in self._claims.values():
            if (entered.number == number) != (entered.words == words):
                raise ValueError(
                    f"number is {number} for {words!r}: {entered.number} is entered as {entered.words!r}"
                )
        claim = Claim(number, words, source, _repeated(cases), flip, chapter)
        self._claims[number] = claim
        print(claim)

    def __getitem__(self, number: int) -> Claim:
        """Return the claim with that number."""
        return self._claims[number]

    def __iter__(self) -> Iterator[Claim]:
        """Go through the claims by number; all of them must be there.

        Raises
        ------
        ValueError
            If some have not been decided, naming their numbers.
        """
        missing = sorted(set(range(1, self.expected + 1)) - set(self._claims))
        if missing:
            raise ValueError(
                f"the ledger lacks {', '.join(map(str, missing))}: run the cells that decide them"
            )
        return iter([self._claims[number] for number in sorted(self._claims)])

    def counts(self) -> dict[Verdict, int]:
        """Count the claims by verdict; all of them must be there."""
        verdicts = [claim.verdict for claim in self]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}

    def table(self) -> str:
        """Write all claims as a Markdown table, a row each; all of them must be there."""
        rows = [
            "| No. | Claim | Said by | Verdict | What would flip it | Chapter |",
            "|---:|---|---|---|---|---:|",
        ]
        for c in self:
            verdict = f"**{c.verdict}**{c.sentence.removeprefix(c.verdict)}"
            cells = (str(c.number), c.words, c.source, verdict, c.flip, f"{c.chapter:02}")
            rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
        return "\n".join(rows)
