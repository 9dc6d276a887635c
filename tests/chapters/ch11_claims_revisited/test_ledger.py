"""The ledger: that it is what its code gives, that it is complete, and that the notebooks say what it says."""

import re
from collections import Counter

import nbformat
import pytest

from course_lib.chapters.ch11_claims_revisited import board, ledger
from course_lib.chapters.ch11_claims_revisited.claims import Found, fair
from course_lib.chapters.ch11_claims_revisited.printed import CLAIMS, GROUPS, MEASURED
from tests.support.editions import ROOT

NOTEBOOKS = [
    ROOT / "notebooks" / "11_claims_revisited.ipynb",
    ROOT / "notebooks" / "deeper" / "11_claims_revisited.ipynb",
]
REMARKS = {"23", "28", "29"}


@pytest.fixture(scope="module")
def stored():
    return ledger.stored()


@pytest.fixture(scope="module")
def cells():
    return [cell for path in NOTEBOOKS for cell in nbformat.read(path, as_version=4).cells]


@pytest.mark.parametrize("key", ledger.DECIDED)
def test_a_claim_comes_out_as_it_is_stored(stored, key):
    anew = ledger.decide(key)
    assert {name: anew[name] for name in ("verdict", "flipped", "cases")} == {
        name: stored[key][name] for name in ("verdict", "flipped", "cases")
    }
    assert anew["numbers"] == pytest.approx(stored[key]["numbers"], rel=0.02, abs=1e-6)


@pytest.mark.parametrize("key", ledger.DECIDED)
def test_what_is_said_to_flip_a_claim_flips_it(stored, key):
    assert stored[key]["flipped"] != stored[key]["verdict"]


@pytest.mark.parametrize("key", ledger.DECIDED)
def test_a_claim_has_a_case_that_its_author_would_accept(stored, key):
    assert any(kind == "fair" for _, kind, _ in stored[key]["cases"])


def test_there_are_29_claims_of_which_one_is_decided_twice_and_three_are_remarks(stored):
    numbers = [re.sub(r"\D", "", key) for key in CLAIMS]
    assert Counter(numbers) == Counter([*map(str, range(1, 30)), "12"])
    assert {key for key, claim in CLAIMS.items() if claim.remark} == REMARKS
    assert [*stored] == [*ledger.DECIDED]
    assert {*MEASURED} == {*ledger.DECIDED}
    assert sum(ledger.counts(stored).values()) == 27


def test_claims_stand_by_group_in_the_order_of_the_groups():
    places = [GROUPS.index(claim.group) for claim in CLAIMS.values()]
    assert places == sorted(places)


@pytest.mark.parametrize("key", CLAIMS)
def test_the_words_of_a_claim_have_all_their_numbers(stored, key):
    claim, numbers = CLAIMS[key], stored[key]["numbers"] if key in stored else {}
    for words in (claim.deciding, claim.flip):
        assert "{" not in words.format(**numbers)
    assert claim.right.endswith(".")
    assert bool(claim.flip) != claim.remark
    assert ("$" in claim.printed or "\\" in claim.printed) <= bool(
        claim.plain
    )  # the board does not set formulas


# ---- The notebooks ----


def plain(text: str) -> str:
    """Text without its formulas' dollars, and with single spaces."""
    return " ".join(text.replace("$", "").split())


def quotations(cells) -> list[tuple[str, str]]:
    """What block quotes say, and whence."""
    found = []
    for cell in cells:
        if cell.cell_type == "markdown":
            for block in re.findall(r"(?:^>.*\n?)+", cell.source, flags=re.MULTILINE):
                lines = [line.removeprefix(">").strip() for line in block.strip().split("\n")]
                cut = lines.index("")
                found.append((plain(" ".join(lines[:cut])), " ".join(lines[cut + 1 :])))
    return found


def test_the_notebooks_quote_each_claim_as_it_is_printed_with_its_place(cells):
    assert sorted(quotations(cells)) == sorted((plain(c.printed), c.place) for c in CLAIMS.values())


def test_each_claim_is_entered_once_with_the_verdict_of_the_board(cells, stored):
    entered = []
    for cell in cells:
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/markdown", "")
            entered += re.findall(
                r"^\*\*[●◐○] Claim (\w+): ([a-z ]+?)(?: …|\.)\*\*", text, flags=re.MULTILINE
            )
            assert "The board says something else" not in text
    assert sorted(entered) == sorted((key, entry["verdict"]) for key, entry in stored.items())


# ---- Entering ----


def test_an_entry_shows_cases_verdict_and_flip(capsys):
    usual = Found([fair("on land", [True, False])], {"n": 3.0})
    entry = ledger.enter("3", usual, Found([fair("at sea", True)], {"rows": 5.0}))
    assert capsys.readouterr().out == "n = 3\nrows_flipped = 5\n"
    assert str(entry).splitlines() == [
        "○ 3: does not hold. Each word goes through the network by itself.",
        "  ✗ on land (1 of 2) (fair)",
        "  What flips it: a kernel of size 3: 5 rows move. Then: holds.",
        "",
        "The board says something else: holds.",
    ]
    assert "| ✗ | on land (1 of 2) | fair |" in entry._repr_markdown_()
    assert repr(entry) == str(entry)


def test_a_flip_by_other_words_is_called_one():
    for key, named in {"24": True, "26": False}.items():
        entry = ledger.enter(key, *ledger.DECIDED[key]())
        assert ("What flips it, by other words" in str(entry)) == named
        assert ("*What flips it, by other words:*" in entry._repr_markdown_()) == named


def test_what_does_not_flip_is_refused():
    found = Found([fair("on land", True)])
    with pytest.raises(ValueError, match="nothing flips it"):
        ledger.enter("3", found, found)
    with pytest.raises(ValueError, match="key is '30'"):
        ledger.enter("30", found, found)


# ---- The board ----


def test_the_board_tells_every_claim(stored):
    figure = board("12b")
    for key, claim in CLAIMS.items():
        verdict = stored[key]["verdict"] if key in stored else "remark"
        assert f"{key}, {claim.short}: {verdict}" in figure.alt
    assert "Chosen is claim 12b, holds when …: “Self-Attention: O(L² · dₖ)”" in figure.alt
    counts = ledger.counts(stored)
    assert figure.title.startswith(f"Of 27 statements, {counts['holds']} hold as printed")


def test_the_board_says_where_only_other_words_flip_a_claim():
    flips = {claim["key"]: claim["flip"] for claim in board().given["props"]["claims"]}
    assert {key for key, flip in flips.items() if flip.startswith("by other words")} == {
        "15",
        "16",
        "21",
        "24",
    }


def test_the_chapter_names_the_claims_that_only_other_words_flip(cells):
    (told,) = [cell.source for cell in cells if "we found none" in cell.source]
    named = re.search(r"For claims ([\d, and]+) we found none", told)
    reworded = [key for key, claim in CLAIMS.items() if claim.reworded]
    assert re.findall(r"\d+", named[1]) == sorted(reworded, key=int)


def test_the_board_follows_verdicts_filter_and_choice(stored):
    changed = {key: entry | {"verdict": "holds"} for key, entry in stored.items()}
    assert board(ledger=changed).title.startswith("Of 27 statements, 27 hold")
    figure = board()
    figure.state = {"show": "remark"}
    assert "Chosen is claim 23" in figure.alt
    assert "26, " not in figure.alt
    figure.state = {"show": "holds", "claim": "8"}
    assert "Chosen is claim 8, holds" in figure.alt


def test_an_unknown_claim_is_refused():
    with pytest.raises(ValueError, match="first is '30'"):
        board("30")


def test_formulas_are_in_ordinary_letters_on_the_board():
    printed = [claim["printed"] for claim in board().given["props"]["claims"]]
    assert not [text for text in printed if "$" in text or "\\" in text]
