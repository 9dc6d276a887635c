"""Who, when and in what words: claims 21 and 24, from a short dated list; and what the remarks 28 and 29 look at.

Months are those of the first version on arXiv, whose numbers begin with year and month.
"""

from typing import NamedTuple

from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair
from course_lib.text.tokenisers import WordTokeniser


class Paper(NamedTuple):
    """A paper on attention.

    Attributes
    ----------
    number : str
        On arXiv.
    authors, title : str
    translates : bool
        Whether its task is translation.
    within : bool
        Whether its attention is among the words of one sentence, if only as an option.
    named : bool
        Whether it calls that *self-attention* or *self-attentive*.
    alone : bool
        Whether nothing else than attention carries anything from word to word.
    """

    number: str
    authors: str
    title: str
    translates: bool = False
    within: bool = False
    named: bool = False
    alone: bool = False

    @property
    def month(self) -> str:
        """Year and month of the first version, such as 2014-09."""
        return f"20{self.number[:2]}-{self.number[2:4]}"


PAPERS = (
    Paper(
        "1409.0473",
        "Bahdanau",
        "Neural Machine Translation by Jointly Learning to Align and Translate",
        translates=True,
    ),
    Paper("1502.03044", "Xu", "Show, Attend and Tell"),
    Paper(
        "1508.04025",
        "Luong",
        "Effective Approaches to Attention-based Neural Machine Translation",
        translates=True,
    ),
    Paper("1601.06733", "Cheng", "Long Short-Term Memory-Networks for Machine Reading", within=True),
    Paper(
        "1606.01933", "Parikh", "A Decomposable Attention Model for Natural Language Inference", within=True
    ),
    Paper("1703.03130", "Lin", "A Structured Self-attentive Sentence Embedding", within=True, named=True),
    Paper(
        "1706.03762",
        "Vaswani",
        "Attention Is All You Need",
        translates=True,
        within=True,
        named=True,
        alone=True,
    ),
)


def first(**properties: bool) -> Paper:
    """Return the earliest paper of the list that has some properties.

    >>> first(within=True).authors
    'Cheng'
    """
    return min(
        (p for p in PAPERS if all(getattr(p, name) == wanted for name, wanted in properties.items())),
        key=lambda paper: paper.month,
    )


def _by(authors: str) -> Paper:
    (paper,) = (p for p in PAPERS if p.authors == authors)
    return paper


def who_was_first(origin: str = "Xu", within: str = "Luong") -> Found:
    """Claim 21: is the origin of attention with one paper, and attention within a sentence with another?

    Parameters
    ----------
    origin, within : str
        The first authors that the sentence names; Xu and Luong in B.

    Returns
    -------
    Found
        Number: `xu_later`, months between the earliest paper of the list and the one named as the origin.

    Examples
    --------
    >>> who_was_first().verdict, who_was_first("Bahdanau", "Cheng").verdict
    ('does not hold', 'holds')
    """
    earliest, named = first(), _by(origin)
    cases = [
        fair(f"{origin} and others are the earliest of the list", named == earliest),
        fair(f"{within} and others attend within one sentence", _by(within).within),
        control("the earliest is on machine translation", earliest.translates),
    ]
    return Found(cases, {"xu_later": float(_months(named) - _months(earliest))})


def _months(paper: Paper) -> int:
    year, month = paper.month.split("-")
    return 12 * int(year) + int(month)


def who_introduced_it(alone: bool = False) -> Found:
    """Claim 24: did Vaswani and others introduce self-attention?

    Parameters
    ----------
    alone : bool
        Whether the first model is meant that relies on it entirely, which is what the paper says of itself.

    Returns
    -------
    Found
        Number: `cheng_earlier`, months between the earliest paper of the list with attention within one sentence
        and theirs.

    Examples
    --------
    >>> who_introduced_it().verdict, who_introduced_it(alone=True).verdict
    ('does not hold', 'holds')
    """
    theirs = _by("Vaswani")
    if alone:
        cases = [
            fair("a model is meant that relies on it entirely", first(within=True, alone=True) == theirs)
        ]
    else:
        cases = [
            fair("the mechanism is meant: attention within one sentence", first(within=True) == theirs),
            fair("the name is meant", first(named=True) == theirs),
        ]
    return Found(cases, {"cheng_earlier": float(_months(theirs) - _months(first(within=True)))})


def cuts(sentence: str = "Je t’aime.") -> dict[str, list[str]]:
    """Cut a sentence at its spaces, and as the course does.

    >>> cuts()
    {'at spaces': ['Je', 't’aime.'], 'as the course does': ['Je', "t'", 'aime', '.']}
    """
    tokeniser = WordTokeniser.train([sentence])
    return {
        "at spaces": sentence.split(" "),
        "as the course does": tokeniser.tokens(tokeniser.encode(sentence)),
    }
