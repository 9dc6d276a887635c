"""Formulas as MathML: those of the course are whole, and none that a stranger writes does harm."""

import re

import nbformat
import pytest
from bs4 import BeautifulSoup

from course_grading.html import markdown_to_html
from course_grading.mathml import mathml
from tests.support.classroom import ROOT

NOTEBOOKS = sorted([*ROOT.glob("solutions/*/*.ipynb"), *ROOT.glob("assignments/*/*.ipynb")])


def shown(latex):
    """Return elements and their texts, without rows: `msup(x 2)`."""

    def told(element):
        inside = "".join(f" {told(child)}" for child in element.find_all(True, recursive=False)).strip()
        return (
            inside if element.name in ("math", "mrow") else f"{element.name}({inside or element.get_text()})"
        )

    return told(BeautifulSoup(mathml(latex), "html.parser").math)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (
            r"\mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)",
            "mi(s) mi(o) mi(f) mi(t) mi(m) mi(a) mi(x) mspace() mo(() mfrac(mi(Q) msup(mi(K) mo(⊤)) "
            "msqrt(msub(mi(d) mi(k)))) mo())",
        ),
        (r"\mathbb{R}^{L\times d}", "msup(mi(ℝ) mi(L) mo(×) mi(d))"),
        (
            r"\begin{pmatrix}1&a<b\\3&4\end{pmatrix}",
            "mo(() mtable(mtr(mtd(mn(1)) mtd(mi(a) mo(<) mi(b))) mtr(mtd(mn(3)) mtd(mn(4)))) mo())",
        ),
        (r"q\ln p", "mi(q) mspace() mi(ln) mspace() mi(p)"),
    ],
)
def test_a_formula_has_all_its_parts(latex, expected):
    assert shown(latex) == expected


@pytest.mark.parametrize(
    ("latex", "is_sign"), [("(2,-1)", True), ("x=-1", True), ("2-1", False), ("f(x)-1", False)]
)
def test_a_minus_is_a_sign_after_an_operator(latex, is_sign):
    minus = BeautifulSoup(mathml(latex), "html.parser").find("mo", string="−")
    assert (minus.get("form") == "prefix") == is_sign


def test_all_formulas_of_the_problem_sets_are_translated():
    n_formulas = 0
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                page = BeautifulSoup(markdown_to_html({}, cell.source), "html.parser")
                n_formulas += len(page.find_all("math"))
                left = [
                    text
                    for text in page.find_all(string=re.compile(r"[$\\]"))
                    if not text.find_parent("code")
                ]
                assert not left, f"{path}: {left}"
    assert len(NOTEBOOKS) == 2 * len(list(ROOT.glob("solutions/ps??")))
    assert n_formulas > 1000


@pytest.mark.parametrize(
    "hostile",
    [
        r"\href{javascript:hacked=1}{x}",
        r"\style{position:fixed;background:url(https://evil.example)}{x}",
        r"\class{comment}{x}",
        r"\hspace{99999em}x",
        r"\hspace{" + "1" * 500 + "x}",
        r"\newcommand{\a}{aaaaaaaaaa}\newcommand{\b}{\a\a\a\a\a\a\a\a\a\a}\b",
        r"\def\a{\a\a}\a",
        r"\sideset{_a^b}{_c^d}" * 40 + r"\sum",
        "{" * 1500,
        "x" * 100_000,
        r"\frac",
        r"\left(",
        "x^y^z",
        "",
    ],
)
def test_what_is_hostile_or_broken_is_shown_as_it_is_written(hostile):
    with pytest.raises(ValueError, match=r"^no formula that can be shown: ."):
        mathml(hostile)
    if hostile:
        page = BeautifulSoup(markdown_to_html({}, f"So ${hostile}$."), "html.parser")
        assert page.p is None or page.p.get_text() == f"So ${hostile}$."


@pytest.mark.parametrize("text", [r"\text{<script>hacked=1</script>}", r"\unicode{x3c}", r"\text{&lt;b&gt;}"])
def test_text_in_a_formula_stays_text(text):
    page = BeautifulSoup(mathml(text), "html.parser")
    assert {element.name for element in page.find_all(True)} <= {"math", "mrow", "mtext", "mi"}


@pytest.mark.parametrize(
    "prose",
    [
        "It costs 5 $.",
        "`$HOME` and `a$b$c`",
        "From 5 $ on, `a$b` counts.",
        r"Not \$x\$ either.",
        "```\n$x$ and $$y$$\n```",
    ],
)
def test_a_dollar_in_code_or_prose_is_a_dollar(prose):
    assert "<math" not in markdown_to_html({}, prose)
