"""Lines of the figures in the page stand out from it: 2 to 1 where they divide, 3 to 1 where they tell something."""

import re
from collections.abc import Iterator
from itertools import chain
from xml.etree import ElementTree

import numpy as np
import pytest

from course_lib.figures.palette import PALETTE, Scheme
from tests.support.contrast import contrast
from tests.support.page_figures import EXAMPLES

LINES = {f"{{http://www.w3.org/2000/svg}}{tag}" for tag in ("line", "path", "polyline")}
DIVIDE, TELL = 2, 3


def rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def lines(node: ElementTree.Element, hue: str = "none", opacity: float = 1) -> Iterator[tuple[str, float]]:
    """Role and opacity of every line below a node; what cannot be seen at all is none."""
    opacity *= float(node.get("opacity", 1)) * float(node.get("stroke-opacity", 1))
    hue = node.get("stroke", hue)
    if opacity == 0:
        return
    if node.tag in LINES and (role := re.fullmatch(r"var\(--cf-(.+)\)", hue)):
        yield role[1], opacity
    yield from chain.from_iterable(lines(child, hue, opacity) for child in node)


def faint(svg: str) -> list[tuple[Scheme, str, float, float]]:
    """The lines that do not stand out, with their contrast to the page."""
    found = set(lines(ElementTree.fromstring(svg)))
    told = [
        (scheme, role, opacity, contrast(opacity * rgb(of[role]) + (1 - opacity) * rgb(of["paper"]), rgb(of["paper"])))
        for scheme, of in PALETTE.items()
        for role, opacity in found
        if role != "paper"
    ]  # fmt: skip
    return [line for line in told if line[3] < (DIVIDE if line[1] == "line" else TELL)]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.share(2)
def test_every_line_stands_out_from_the_page_in_light_and_dark(name):
    assert not faint(EXAMPLES[name]().svg)


def test_a_line_that_is_too_faint_is_found():
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><g opacity="0.5">{}</g></svg>'
    assert len(faint(svg.format('<path stroke="var(--cf-weight)"/>'))) == 2
    assert len(faint(svg.format('<g stroke="var(--cf-line)"><line/></g>'))) == 2
    assert not faint(svg.format('<path stroke="var(--cf-ink)"/>'))
    assert not faint(svg.format('<path stroke="var(--cf-line)" opacity="0"/>'))
