"""The lines of checks and reference solutions that no student may see."""

import ast

from bs4 import BeautifulSoup

from course_grading.html import markdown_to_html
from course_grading.problem_sets import SOLUTION
from tests.support.editions import ROOT


def without_long_strings(source: str) -> str:
    """Leave out what checks ask in the student's kernel, which is no secret."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno > node.lineno:
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(lines)


def plain(text: str) -> list[str]:
    """Lines that say something: without indentation, imports, lone brackets and blank lines."""
    lines = (line.strip() for line in text.splitlines())
    return [
        line for line in lines if len(line) > 12 and not line.startswith(("from ", "import ", "def ", '"'))
    ]


def secrets_of(ours):
    """Three lines together of what decides and of the reference solutions; and the long lines of model answers."""
    checks = (ROOT / "solutions" / ours.name / "checks.py").read_text(encoding="utf-8")
    solutions = {
        kind: [
            found
            for cell in ours.notebook.cells
            if cell.cell_type == kind
            for found in SOLUTION.findall(cell.source)
        ]
        for kind in ("code", "markdown")
    }
    secret = {three for text in (without_long_strings(checks), *solutions["code"]) for three in threes(text)}
    model_answer = BeautifulSoup(markdown_to_html({}, "\n".join(solutions["markdown"])), "html.parser").text
    return secret, [line for line in model_answer.splitlines() if len(line) > 60]


def threes(text):
    lines = plain(text)
    return zip(lines, lines[1:], lines[2:], strict=False)
