"""Formulas as MathML, which browsers draw by themselves: no script, no network.

latex2mathml translates. What comes out is taken only if it is built of known elements and attributes, for the formulas
may be a stranger's: a link, a style or an endless macro is no formula.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import Converter
from latex2mathml.walker import walk

LONGEST = 2_000  # characters of LaTeX
LARGEST = 5_000  # nodes: some commands repeat their arguments, and so may grow without bounds
ROWS = {"math", "mrow", "mstyle", "msqrt", "mtd", "mpadded", "mphantom", "menclose"}
SCRIPTS = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
ELEMENTS = ROWS | SCRIPTS | {"mi", "mn", "mo", "mtext", "mspace", "mfrac", "mroot", "mtable", "mtr"}
ATTRIBUTES = (
    {"xmlns", "display", "displaystyle", "scriptlevel", "mathvariant", "mathcolor", "accent", "accentunder"}
    | {"stretchy", "fence", "form", "separator", "largeop", "movablelimits", "symmetric", "notation"}
    | {"width", "height", "depth", "minsize", "maxsize", "lspace", "rspace", "linethickness"}
    | {"columnalign", "columnspacing", "columnlines", "rowspacing", "rowlines"}
)
VALUE = re.compile(r"[a-zA-Z-]+|#[0-9a-fA-F]{3,8}|[+-]?\d{0,2}(\.\d+)?(em|ex|px|pt)?")  # no length beyond 99
SIGNS = {"+", "−", "±"}
CLOSING = {")", "]", "}", "|", "‖", "!"}
TIGHT = {"·": "0.222em", "≈": "0.278em"}  # Chromium leaves no space around these
NAMESPACE = "http://www.w3.org/1998/Math/MathML"
NO_MACROS: Any = MappingProxyType({})  # latex2mathml stops with TypeError at a definition


def mathml(latex: str, display: bool = False) -> str:
    r"""Translate a formula from LaTeX to MathML.

    Parameters
    ----------
    latex : str
        Without its dollars.
    display : bool
        Whether it stands on a line of its own.

    Returns
    -------
    str
        An element `math`, which is safe to put into a page whoever wrote the formula.

    Raises
    ------
    ValueError
        If it is no formula, or none that can be shown.

    Examples
    --------
    >>> print(mathml(r"\frac{1}{2}").partition("<mrow>")[2])
    <mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac></mrow></math>
    >>> mathml(r"\href{javascript:alert(1)}{x}")
    Traceback (most recent call last):
    ValueError: no formula that can be shown: mrow with href
    """
    if len(latex) > LONGEST:
        raise ValueError(f"no formula that can be shown: more than {LONGEST} characters")
    mode = "block" if display else "inline"
    try:
        nodes = walk(latex, mode, NO_MACROS)
        if sum(1 for _ in islice(_descendants(nodes), LARGEST)) == LARGEST:
            raise ValueError(f"more than {LARGEST} parts")
        root = Converter(display=mode).convert_to_element(latex)
        for element in root.iter():
            _make_safe(element)
        for element in root.iter():
            _space(element)
        return tostring(root, encoding="unicode")
    except Exception as error:  # latex2mathml raises whatever comes, RecursionError too
        raise ValueError(f"no formula that can be shown: {str(error) or type(error).__name__}") from None


def _descendants(nodes: Iterable[Any]) -> Iterator[Any]:
    for node in nodes:
        yield node
        yield from _descendants(node.children or ())


def _make_safe(element: Element) -> None:
    """Turn latex2mathml's character references into characters; ValueError for what a formula does not hold."""
    if element.tag not in ELEMENTS:
        raise ValueError(f"the element {element.tag}")
    for name, value in element.attrib.items():
        known = value == NAMESPACE or all(VALUE.fullmatch(word) for word in value.split())
        if not known or name not in ATTRIBUTES:
            raise ValueError(f"{element.tag} with {name}")
    element.text = html.unescape(element.text or "")
    if element.text == ";":
        element.tag = "mo"  # for the space after it
    if element.text in TIGHT:
        element.set("lspace", TIGHT[element.text])
        element.set("rspace", TIGHT[element.text])


def _space(row: Element) -> None:
    """Set the spaces of a row that latex2mathml leaves out: those of TeX."""
    if row.tag not in ROWS:
        return
    for place, (left, right) in reversed(list(enumerate(pairwise(row), start=1))):
        after_operator = left.tag == "mo" and left.text not in CLOSING
        if right.tag == "mo" and right.text in SIGNS and after_operator:
            right.set("form", "prefix")
        if (_is_function(left) or _is_function(right)) and not {left.tag, right.tag} & {"mo", "mspace"}:
            row.insert(place, Element("mspace", width="0.167em"))


def _is_function(element: Element) -> bool:
    """Return whether this is the name of a function, with or without an index."""
    if element.tag in SCRIPTS and len(element):
        return _is_function(element[0])
    text = element.text or ""
    return element.tag == "mi" and len(text) > 1 and text.isalpha()
