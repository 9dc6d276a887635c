"""Untrusted content: which texts and pictures of a student's may be kept, shown on a page, or printed."""

from __future__ import annotations

import base64
import re
from typing import Any

from nbformat import NotebookNode

PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}  # with what they begin
LARGEST_PICTURE, MOST_PICTURES = 2_000_000, 20  # characters of one, number in a cell
MOST_PIXELS = 25_000_000  # of one: a browser takes four bytes for each, however small the file is
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG's segments that hold height and width
START_OF_SCAN = 0xDA  # after which there are no more lengths to follow
# Signs that no page, report or terminal should get: controls, and those that turn the order of what is read.
UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
COLOUR = r"\x1b\[[0-9;]{0,40}m"
PICTURE_NAME = re.compile(r"[\w .()-]{1,100}")


def pictures(attachments: Any) -> NotebookNode:
    """Return those attachments of a cell that are pictures, of a decent size and under a plain name.

    Parameters
    ----------
    attachments : any
        As in a notebook's file, made by whomever.
    """
    kept = NotebookNode()
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        for kind in PICTURES if isinstance(bundle, dict) else ():
            text = "".join((joined(bundle.get(kind)) or "").split())
            if len(kept) < MOST_PICTURES and PICTURE_NAME.fullmatch(name) and is_picture(kind, text):
                kept[name] = NotebookNode({kind: text})
    return kept


def is_picture(kind: str, text: str) -> bool:
    """Return whether a text is a picture that may be shown: of a kind in PICTURES, and not too large.

    Parameters
    ----------
    kind : str
        As in "image/png".
    text : str
        In base64, as notebooks keep it.
    """
    return 0 < pixels(kind, text) <= MOST_PIXELS


def pixels(kind: str, text: str) -> int:
    """Return how many pixels a picture unpacks to, which its first bytes say; 0 if it is none, or its file too large.

    Examples
    --------
    >>> png = b"\\x89PNG\\r\\n\\x1a\\n" + b"\\0\\0\\0\\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
    >>> pixels("image/png", base64.b64encode(png).decode())
    307200
    """
    if len(text) > LARGEST_PICTURE:
        return 0
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        return 0
    if not data.startswith(PICTURES.get(kind, b"no picture")):
        return 0
    return _pixels_of_png(data) if kind == "image/png" else _pixels_of_jpeg(data)


def _pixels_of_png(data: bytes) -> int:
    width, height = data[16:20], data[20:24]
    is_whole = data[12:16] == b"IHDR" and len(height) == 4
    return int.from_bytes(width, "big") * int.from_bytes(height, "big") if is_whole else 0


def _pixels_of_jpeg(data: bytes) -> int:
    """Go from segment to segment, each with its length, up to the one that holds height and width."""
    most, at = 0, 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind == 0xFF:  # a byte that fills up
            at += 1
        elif kind in FRAMES:
            height, width = data[at + 5 : at + 7], data[at + 7 : at + 9]
            most = max(most, int.from_bytes(height, "big") * int.from_bytes(width, "big"))
            at += 2 + length
        elif kind == START_OF_SCAN or length < 2:
            break
        else:
            at += 2 + length
    return most


def visible(text: str, keep_colours: bool = False) -> str:
    """Return a text that does nothing but show itself: each control, and what turns the order of signs, is a "�".

    Parameters
    ----------
    text : str
    keep_colours : bool
        Whether to leave the control sequences that colour what a program prints.

    Examples
    --------
    >>> visible("a\\x1b[31mb\\x00\\u202e\\n"), visible("a\\x1b[31mb\\x1b[2J", keep_colours=True)
    ('a�[31mb��\\n', 'a\\x1b[31mb�[2J')
    """
    text = text.replace("\r\n", "\n")
    if not keep_colours:
        return UNSEEN.sub("�", text)
    pieces = re.split(f"({COLOUR})", text)  # every second one is a colour
    return "".join(piece if n % 2 else UNSEEN.sub("�", piece) for n, piece in enumerate(pieces))


def joined(text: Any) -> str | None:
    """Return a text that a notebook keeps whole or as a list of lines; None if it is neither.

    Examples
    --------
    >>> joined(["x = 1\\n", "x"]), joined(5)
    ('x = 1\\nx', None)
    """
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    return text if isinstance(text, str) else None
