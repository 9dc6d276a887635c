"""The colours of figures by what they stand for, light and dark: palette.json, which the browser's figures read too.

Pictures are painted in the light colours; a picture's SVG names them by role, and so is dark on a dark page.
"""

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np

Scheme = Literal["light", "dark"]


def _flat(scheme: dict[str, Any]) -> dict[str, str]:
    series = {f"series-{i}": colour for i, colour in enumerate(scheme["series"], start=1)}
    return {role: colour for role, colour in scheme.items() if role != "series"} | series


_SCHEMES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
# What is written on a cell is black or white in each scheme; the light colour of each pair is a name for it.
_ON_CELLS = {
    ("#000000", "#ffffff"): ("#010101", "on-pale"),
    ("#000000", "#000000"): ("#020202", "on-middle"),
    ("#ffffff", "#000000"): ("#fefefe", "on-strong"),
    ("#ffffff", "#ffffff"): ("#fdfdfd", "on-any"),
}
PALETTE: dict[Scheme, dict[str, str]] = {
    "light": _flat(_SCHEMES["light"]) | {role: light for light, role in _ON_CELLS.values()},
    "dark": _flat(_SCHEMES["dark"]) | {role: dark for (_, dark), (_, role) in _ON_CELLS.items()},
}

_LIGHT = PALETTE["light"]
INK, QUIET, FAINT, LINE = (_LIGHT[role] for role in ("ink", "quiet", "faint", "line"))
PAPER, SURFACE = _LIGHT["paper"], _LIGHT["surface"]
QUERY, KEY, VALUE, OUTPUT = (_LIGHT[role] for role in ("query", "key", "value", "output"))
ENCODER, DECODER = _LIGHT["encoder"], _LIGHT["decoder"]
WEIGHT, NEGATIVE = _LIGHT["weight"], _LIGHT["negative"]
COLOURS: tuple[str, ...] = tuple(_SCHEMES["light"]["series"])  # of what has no role

# Of what has a role, in formulas: MathJax knows nothing of light and dark, so each is to be read on both.
FORMULA: dict[str, str] = _SCHEMES["formula"]

ROLES = {colour: role for role, colour in reversed(_LIGHT.items())}  # of roles alike the first


def ink_on(colour: str, share: float) -> str:
    """Return the colour for text on a cell that has `share` of a colour and the rest of paper.

    It is black or white, in light and in dark, whichever stands out more (by WCAG 2's relative luminance).

    Examples
    --------
    >>> ROLES[ink_on(WEIGHT, 0.0)], ROLES[ink_on(WEIGHT, 1.0)]
    ('on-pale', 'on-strong')
    """
    role = ROLES[colour]
    light, dark = (
        "#000000" if _luminance(share * rgb(of[role]) + (1 - share) * rgb(of["paper"])) > 0.179 else "#ffffff"
        for of in (PALETTE["light"], PALETTE["dark"])
    )
    return _ON_CELLS[light, dark][0]


def rgb(colour: str) -> np.ndarray:
    """Return red, green and blue, from 0 to 1, of a colour as "#rrggbb"."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def _luminance(colour: np.ndarray) -> float:
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))
