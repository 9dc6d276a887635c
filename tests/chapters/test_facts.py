"""Numbers in sentences, compared with those that cells print."""

import io
from contextlib import redirect_stdout
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import course_lib.chapters.facts as facts_module
from course_lib.chapters.facts import facts, wrong_numbers


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("94 %<!-- x -->", "x = 0.9423"),
        ("**94 %**<!-- x -->", "x = 0.9423"),
        ("0.94<!-- x -->", "x = 0.9423"),
        ("$0.942$<!--x-->", "x = 0.9423"),
        ("−1.5<!-- x -->", "x = -1.5"),
        ("1,024 <!-- x -->", "x = 1024"),
        ("12.5 %<!-- x -->", "x = 0.125"),
        ("13 %<!-- x -->", "x = 0.125"),
        ("0<!-- x -->", "x = 4e-12"),
    ],
)
def test_a_number_rounded_is_right(text, printed):
    assert wrong_numbers(f"It is {text} here.", f"before\n{printed}\n") == []


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("95 %<!-- x -->", "x = 0.9423"),
        ("0.95<!-- x -->", "x = 0.9423"),
        ("0.940<!-- x -->", "x = 0.9423"),
        ("1.5<!-- x -->", "x = -1.5"),
        ("94<!-- x -->", "x = 0.9423"),
        ("94 %<!-- y -->", "x = 0.9423"),
    ],
)
def test_another_number_is_found(text, printed):
    assert len(wrong_numbers(f"It is {text} here.", printed)) == 1


@given(x=st.floats(-1e6, 1e6, allow_nan=False), decimals=st.integers(0, 4))
def test_what_facts_prints_is_found_in_a_sentence(x, decimals):
    with redirect_stdout(io.StringIO()) as printed:
        facts(x=x)
    kept = float(printed.getvalue().split(" = ")[1])
    told = Decimal(printed.getvalue().split(" = ")[1].strip()).quantize(
        Decimal(1).scaleb(-decimals), ROUND_HALF_UP
    )
    assert kept == pytest.approx(x, rel=1e-5)
    assert wrong_numbers(f"It is {told:f}<!-- x -->.", printed.getvalue()) == []
    assert len(wrong_numbers(f"It is {told + 1:f}<!-- x -->.", printed.getvalue())) == 1


def test_in_a_notebook_the_numbers_are_folded_away_and_can_be_found(monkeypatch):
    monkeypatch.setattr(facts_module, "get_ipython", lambda: object())
    shown = []
    monkeypatch.setattr(facts_module, "display", lambda data, raw: shown.append(data))
    facts(x=0.5, y=2)
    [data] = shown
    assert data["text/plain"] == "x = 0.5\ny = 2"
    assert data["text/html"].startswith("<details><summary>")
    assert wrong_numbers("50 %<!-- x --> of 3<!-- y -->", data["text/plain"]) == ["3 is named y, which is 2"]
