"""Numbers in sentences, compared with those that cells print."""

import io
from contextlib import redirect_stdout
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.interactiveshell import InteractiveShell

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


def test_in_a_notebook_the_numbers_of_a_cell_are_folded_away_together_and_can_be_found(monkeypatch):
    shell, shown = InteractiveShell(user_ns={"facts": facts}), []
    monkeypatch.setattr(facts_module, "get_ipython", lambda: shell)
    monkeypatch.setattr(facts_module, "display", lambda data, raw: shown.append(data))
    shell.run_cell("facts(x=0.5, y=2); print('first'); facts(z=3)")
    shell.run_cell("print('nothing')")
    shell.run_cell("facts(x=0.25); 1 / 0")
    first, second = shown
    assert first["text/plain"] == "x = 0.5\ny = 2\nz = 3"
    assert second["text/plain"] == "x = 0.25"
    assert first["text/html"].count("<details") == 1
    assert wrong_numbers("50 %<!-- x --> of 3<!-- y -->", first["text/plain"]) == ["3 is named y, which is 2"]
