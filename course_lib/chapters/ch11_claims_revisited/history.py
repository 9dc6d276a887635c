"""Who, when and in what words: claims 21 and 24, from a short dated list; and what the remarks 28 and 29 look at.

Months are those of the first version on arXiv, whose numbers begin with year and month.
"""

from typing import NamedTuple

from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair, reading
from course_lib.text.tokenisers import WordTokeniser


class Paper(NamedTuple):
    """A paper on attention.

    Attributes
    ----------
    number : str
        On arXiv.
    authors, title : str
    translates, describes : bool
        Whether its task is translation, or to describe images.
    by_content : bool
        Whether its weights come from a comparison of contents. Graves' window moves along a text by a distance.
    within : bool
        Whether its attention is among the words of one sentence, if only as an option.
    named : bool
        Whether it calls that *self-attention* or *self-attentive*.
    alone : bool
        Whether it relies on attention without recurrence or convolution.
    """

    number: str
    authors: str
    title: str
    translates: bool = False
    describes: bool = False
    by_content: bool = True
    within: bool = False
    named: bool = False
    alone: bool = False

    @property
    def month(self) -> str:
        """Year and month of the first version, such as 2014-09."""
        return f"20{self.number[:2]}-{self.number[2:4]}"


PAPERS = (
    Paper("1308.0850", "Graves", "Generating Sequences With Recurrent Neural Networks", by_content=False),
    Paper(
        "1409.0473",
        "Bahdanau",
        "Neural Machine Translation by Jointly Learning to Align and Translate",
        translates=True,
    ),
    Paper("1502.03044", "Xu", "Show, Attend and Tell", describes=True),
    Paper(
        "1508.04025",
        "Luong",
        "Effective Approaches to Attention-based Neural Machine Translation",
        translates=True,
    ),
    Paper("1601.06733", "Cheng", "Long Short-Term Memory-Networks for Machine Reading", within=True),
    Paper(
        "1606.01933",
        "Parikh",
        "A Decomposable Attention Model for Natural Language Inference",
        within=True,
        alone=True,
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
    """Claim 21: did attention begin with translation and captions, and is it right who is named for what?

    Parameters
    ----------
    origin, within : str
        The first authors that the sentence names; Xu and Luong in B.

    Returns
    -------
    Found
        Number: `xu_later`, months between the earliest paper of the list whose attention is by content and the one
        named as the origin.

    Examples
    --------
    >>> who_was_first().verdict, who_was_first("Bahdanau", "Cheng").verdict
    ('holds when', 'holds')
    """
    earliest, named = first(by_content=True), _by(origin)
    graves = first()
    cases = [
        fair(
            "the earliest of the list translates or describes images",
            earliest.translates or earliest.describes,
        ),
        reading(f"{origin} and others, who are named, are that earliest", named == earliest),
        fair(f"{within} and others attend within one sentence", _by(within).within),
        control(
            "the same of a window that only moves along (Graves, handwriting)",
            graves.translates or graves.describes,
        ),
    ]
    return Found(cases, {"xu_later": float(_months(named) - _months(earliest))})


def _months(paper: Paper) -> int:
    year, month = paper.month.split("-")
    return 12 * int(year) + int(month)


def who_introduced_it(own_words: bool = False) -> Found:
    """Claim 24: did Vaswani and others introduce self-attention?

    Parameters
    ----------
    own_words : bool
        Whether the paper's own claim is decided instead: “the first transduction model relying entirely on
        self-attention”, without recurrence or convolution. Of the list, those that translate are transduction models.

    Returns
    -------
    Found
        Number: `cheng_earlier`, months between the earliest paper of the list with attention within one sentence
        and theirs.

    Examples
    --------
    >>> who_introduced_it().verdict, who_introduced_it(own_words=True).verdict
    ('does not hold', 'holds')
    """
    theirs = _by("Vaswani")
    if own_words:
        cases = [
            fair(
                "a transduction model that relies on it entirely is meant",
                first(within=True, alone=True, translates=True) == theirs,
            ),
            control(
                "any model that relies on it entirely is meant", first(within=True, alone=True) == theirs
            ),
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
