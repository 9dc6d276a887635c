"""One written form for every sentence, and French typography on the way out.

The same French sentence is written with `'` or `’`, with a plain or a no-break space before `?`, with
`é` as one code point or as two. To a model these are different symbols, so reading settles on one form
(`normalise`), and `typeset_french` sets the other, the one that French readers expect, on what
is shown.
"""

import re
import unicodedata

NARROW_NO_BREAK_SPACE = "\u202f"
NO_BREAK_SPACE = "\u00a0"

# ’ and ‘, the letter ʼ that some keyboards type, the reversed ‛ and the full-width ＇.
_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ‛＇"), "'")
# Soft hyphen, zero-width space, word joiner, byte order mark: nobody sees them, and each makes another
# "word".
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))


def normalise(line: str) -> str:
    """Write `line` in the one form that tokenisers and metrics see.

    In this order: invisible characters (soft hyphen, zero-width space, word joiner, byte order mark) are
    dropped; Unicode normal form C composes accents; the apostrophes ’ ‘ ʼ ‛ ＇ become `'`, also where they
    were single quotation marks; every run of white space (`str.isspace`: plain, no-break, thin, tab, line
    and paragraph separators, …) becomes one plain space, and none is left at the ends. Letters, case, other
    quotation marks and dashes stay as they are. Normalising twice changes nothing more.

    Parameters
    ----------
    line : str
        A sentence, or any other text.

    Returns
    -------
    str
        The normalised text; empty if there was nothing to see.

    Examples
    --------
    >>> normalise("Où est l’homme\\u00a0?\\n")
    "Où est l'homme ?"
    """
    composed = unicodedata.normalize("NFC", line.translate(_INVISIBLE))
    return " ".join(composed.translate(_APOSTROPHES).split())


def typeset_french(text: str) -> str:
    """Set `text` as French is printed: ’ for the apostrophe, no-break spaces at double punctuation.

    `; ! ?` get a narrow no-break space before them, `: »` a no-break space before and `«` one after
    (the usage of the Imprimerie nationale). A missing space is put in, unless a letter or digit follows
    directly (10:30, a URL). An apostrophe is set where it joins two words; one standing as a quotation mark
    stays.

    Setting a sentence that has its plain spaces is undone by `normalise`:
    `normalise(typeset_french(text)) == normalise(text)`; otherwise the two differ in the spaces put in.

    Parameters
    ----------
    text : str
        French text, normalised or not.

    Returns
    -------
    str
        The same text, typeset. Setting it again changes nothing more.

    Examples
    --------
    >>> typeset_french("L'homme dit : « Où est-il ? »").replace("\\u00a0", "~").replace("\\u202f", "_")
    'L’homme dit~: «~Où est-il_?~»'
    """
    text = normalise(text)
    text = re.sub(r"(?<=\w)'(?=[\w«])", "’", text)
    # A space that is there, or the place of one: not within ?!, nor after an opening bracket.
    gap = r"(?:(?<=\S)\s|(?<=[^\s!?;:«(\[]))"
    text = re.sub(gap + r"(?=[!?;]+(?!\w))", NARROW_NO_BREAK_SPACE, text)
    text = re.sub(gap + r"(?=:(?![\w/]))", NO_BREAK_SPACE, text)
    text = re.sub(r"(?<=«)\s?(?=\S)", NO_BREAK_SPACE, text)
    return re.sub(r"(?<=[^\s«])\s?(?=»)", NO_BREAK_SPACE, text)
