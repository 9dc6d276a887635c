"""The board of all claims, and when the square of the length leads."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from course_lib.chapters.ch11_claims_revisited.cost import multiply_adds
from course_lib.chapters.ch11_claims_revisited.ledger import stored
from course_lib.chapters.ch11_claims_revisited.printed import CLAIMS, GROUPS, told
from course_lib.figures import PageFigure, Picture, lines


def board(
    first: str = "25",
    *,
    ledger: Mapping[str, Mapping[str, Any]] | None = None,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Show all claims as tiles, by group; the chosen one with its sentence, what decided, what would flip it.

    Parameters
    ----------
    first : str
        The claim that is chosen at first, such as "12a".
    ledger : mapping, optional
        Verdicts and numbers, as `ledger.record` gives them; those that are stored, where not given.
    caption, number : str
        The words under the figure, and the number in front of them.

    Raises
    ------
    ValueError
        If there is no such claim.

    Examples
    --------
    >>> board().title.startswith("Of 27 statements")
    True
    """
    if first not in CLAIMS:
        raise ValueError(f"first is {first!r}: expected one of {', '.join(CLAIMS)}")
    ledger = stored() if ledger is None else ledger
    claims = []
    for key, claim in CLAIMS.items():
        found: Mapping[str, Any] = {} if claim.remark else ledger[key]
        numbers = found.get("numbers", {})
        claims.append(
            {
                "key": key,
                "group": GROUPS.index(claim.group),
                "short": claim.short,
                "printed": claim.plain or claim.printed.replace("$", ""),
                "place": claim.place,
                "verdict": found.get("verdict", "remark"),
                "right": claim.right,
                "deciding": told(claim.deciding, numbers),
                "flip": ("by other words: " if claim.reworded else "") + told(claim.flip, numbers),
                "flipped": found.get("flipped", ""),
            }
        )
    props = {"groups": list(GROUPS), "claims": claims, "first": first}
    return PageFigure("ledger", props, caption=caption, number=number)


def share_of_the_square(d: int = 512, *, caption: str = "", number: str = "") -> Picture:
    """Draw which share of the multiply-adds of self-attention grows with the square of the length.

    Parameters
    ----------
    d : int
        Width of a word.
    caption, number : str

    Examples
    --------
    >>> "1,024" in share_of_the_square().alt
    True
    """
    lengths = 2 ** np.arange(4, 15)  # 16 to 16,384
    parts = np.array([multiply_adds(int(L), d) for L in lengths])  # (n, linear or of pairs)
    shares = {f"d = {d}": parts[:, 1] / parts.sum(axis=1)}
    return lines(
        lengths,
        shares,
        x_label="words",
        y_label="share of the square",
        log="x",
        levels={"half": 0.5},
        title=f"The square leads only beyond {2 * d:,} words",
        caption=caption,
        number=number,
    )
