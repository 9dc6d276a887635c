import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.text.typography import NARROW_NO_BREAK_SPACE, NO_BREAK_SPACE, normalise, typeset_french

# Any text, and text made of what the rules are about, which random text hardly ever hits.
TEXTS = st.one_of(
    st.text(),
    st.text(
        st.sampled_from("ael1'’‘ʼ ?!;:«»()/.\u00a0\u202f\u2009\u00ad\u200b\ufeff\u0301\u0085\u2028\t\r\n")
    ),
)


@pytest.mark.parametrize("apostrophe", "'’‘ʼ‛＇")
def test_every_apostrophe_becomes_the_plain_one(apostrophe: str) -> None:
    assert normalise(f"l{apostrophe}homme") == "l'homme"


def test_every_space_of_unicode_becomes_one_plain_space() -> None:
    spaces = [chr(i) for i in range(0x110000) if unicodedata.category(chr(i)) in {"Zs", "Zl", "Zp"}]
    assert len(spaces) == 19
    assert {NO_BREAK_SPACE, NARROW_NO_BREAK_SPACE, "\u2009", "\u3000", "\u2028"} <= set(spaces)
    for space in [*spaces, "\t", "\n", "\r", "\x0b", "\x0c", "\x85"]:
        assert normalise(f"{space}Où{space}{space} est-il{space}?{space}") == "Où est-il ?"


def test_accents_are_composed_and_invisible_characters_dropped() -> None:
    assert normalise("e\u0301te\u0301") == "été"
    assert normalise("\ufeffco\u00adop\u200bé\u2060rer") == "coopérer"
    assert normalise("e\u200b\u0301") == "é"  # composed after what stood between is gone
    assert normalise("\u200b \ufeff") == ""


def test_what_is_not_named_stays() -> None:
    sentence = 'Ça “va” – «oui» … "n\'est-ce pas" ŒUVRE 3,5°'
    assert normalise(sentence) == sentence


@given(TEXTS)
def test_normalising_is_idempotent(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not set(once) & set("’‘ʼ\u00a0\u202f\u2009\t\n\r\u2028\u200b\ufeff")
    assert "  " not in once
    assert once == once.strip()


@pytest.mark.parametrize(
    ("plain", "typeset"),
    [
        ("Où est l'homme ?", "Où est l’homme_?"),
        ("Où est l'homme?", "Où est l’homme_?"),
        ("Quoi ?! Non...", "Quoi_?! Non..."),
        ("Quoi ! ?", "Quoi_!_?"),
        ("Il dit: oui ; non;", "Il dit~: oui_; non_;"),
        ("un panneau «lent» vert", "un panneau «~lent~» vert"),
        ("« Où est-il ? »", "«~Où est-il_?~»"),
        ("d'« abc »", "d’«~abc~»"),
        ("aujourd'hui, qu'il m'aime", "aujourd’hui, qu’il m’aime"),
        ("à 10:30, http://a.fr/?b (?)", "à 10:30, http://a.fr/?b (?)"),
        ("le mot 'oui' et 'non'.", "le mot 'oui' et 'non'."),
        ("? ! : »", "?_!~:~»"),
        ("", ""),
    ],
)
def test_french_typography(plain: str, typeset: str) -> None:
    expected = typeset.replace("~", NO_BREAK_SPACE).replace("_", NARROW_NO_BREAK_SPACE)
    assert typeset_french(plain) == expected
    assert typeset_french(expected) == expected


@given(TEXTS)
def test_normalising_undoes_typesetting(text: str) -> None:
    typeset = typeset_french(text)
    assert typeset_french(typeset) == typeset
    # Spaces may have been put in; nothing else may differ, and a second round trip is exact.
    assert normalise(typeset).replace(" ", "") == normalise(text).replace(" ", "")
    spaced = normalise(typeset)
    assert normalise(typeset_french(spaced)) == spaced


@given(
    st.lists(st.sampled_from(["l'", "homme", "est", "-il", " ?", " !", " :", " ;", " « ", " »", ".", " "]))
)
def test_normalising_undoes_typesetting_exactly_where_spaces_are_french(pieces: list[str]) -> None:
    sentence = normalise("".join(pieces))
    assert normalise(typeset_french(sentence)) == sentence
