"""The embedded corpus as a whole: counts, splits, annotations, determinism, files."""

import hashlib
import json
import os
import re
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from course_lib.text.embedded import (
    CHECKSUM,
    PHENOMENA,
    SPLITS,
    AnnotatedPair,
    checksum,
    load_embedded,
    write_parallel,
    write_tsv,
)
from course_lib.text.readers import read_folder, read_parallel, read_tsv
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import normalise, typeset_french

EVERY = [(split, pair) for split in SPLITS for pair in load_embedded(split)]
PAIRS = [pair for _, pair in EVERY]
PUNCTUATION = set(".,;:!?«»“”")


def bare(text: str) -> str:
    """A sentence without case, punctuation and typography."""
    return " ".join(re.sub(r"[^\w\s]", " ", normalise(text).lower()).split())


def test_the_corpus_has_enough_different_pairs_and_words_and_a_challenge_for_each_phenomenon() -> None:
    assert len(load_embedded("train")) >= 20_000
    assert len({(pair.source, pair.target) for pair in PAIRS}) == len(PAIRS)
    for field, least in (("source_tokens", 300), ("target_tokens", 450)):
        forms = {w.lower() for pair in PAIRS for w in getattr(pair, field) if w[-1].isalpha()}
        assert len(forms) >= least
    assert {split.removeprefix("challenge_") for split in SPLITS if "_" in split} == set(PHENOMENA)
    assert all(len(load_embedded(f"challenge_{name}")) == 100 for name in PHENOMENA)


def test_checksum_freezes_the_version() -> None:
    assert checksum() == CHECKSUM


def test_checksum_notices_any_change() -> None:
    pairs = load_embedded("sources")
    frozen = hashlib.sha256(json.dumps([pair.target for pair in pairs]).encode()).hexdigest()
    with pytest.raises(FrozenInstanceError):
        pairs[0].target = "Je vous aime."  # type: ignore[misc]
    pairs.pop()  # the caller's list is his own
    again = load_embedded("sources")
    assert hashlib.sha256(json.dumps([pair.target for pair in again]).encode()).hexdigest() == frozen


def test_an_english_sentence_has_one_french_side() -> None:
    french: dict[str, set[str]] = {}
    for pair in PAIRS:
        french.setdefault(bare(pair.source), set()).add(pair.target)
    assert [english for english, sides in french.items() if len(sides) > 1] == []


@pytest.mark.parametrize("side", ["source", "target"])
def test_splits_share_no_sentence(side: str) -> None:
    owner: dict[str, str] = {}
    for split, pair in EVERY:
        sentence = bare(getattr(pair, side))
        assert owner.setdefault(sentence, split) == split, f"{sentence!r} is in {owner[sentence]} and {split}"


def test_every_word_is_met_in_training() -> None:
    for field in ("source_tokens", "target_tokens"):
        known = {w.lower() for pair in load_embedded("train") for w in getattr(pair, field)}
        for split, pair in EVERY:
            assert {w.lower() for w in getattr(pair, field)} <= known, (split, pair)


def test_longer_sentences_are_longer_than_any_in_training() -> None:
    for field in ("source_tokens", "target_tokens"):
        longest = max(len(getattr(pair, field)) for pair in load_embedded("train"))
        assert min(len(getattr(pair, field)) for pair in load_embedded("longer")) > longest


def dependent_words(pair: AnnotatedPair) -> set[tuple[str, str]]:
    """Pairs of a content word and the word it hangs under, through a preposition or an auxiliary at most."""
    return {
        (word.lower(), pair.target_tokens[head].lower())
        for word, head in zip(pair.target_tokens, pair.target_heads, strict=True)
        if head >= 0
    }


def test_unseen_combinations_are_unseen() -> None:
    seen = set().union(*(dependent_words(pair) for pair in load_embedded("train")))
    new = [pair for pair in load_embedded("combinations") if dependent_words(pair) - seen]
    usual = [pair for pair in load_embedded("test") if dependent_words(pair) - seen]
    assert len(new) / 1000 > 0.5 > len(usual) / 1000  # the rest differ in a compound tense: a + mangé


def test_the_sources_sentences_are_a_set_of_their_own() -> None:
    assert [(pair.source, pair.target) for pair in load_embedded("sources")] == [
        ("I love you.", "Je t’aime."),
        ("The cat, which is fluffy, sleeps.", "Le chat, qui est duveteux, dort."),
        ("The cat is on the mat.", "Le chat est sur le tapis."),
        ("The cat chased the dog.", "Le chat a poursuivi le chien."),
        ("The dog chased the cat.", "Le chien a poursuivi le chat."),
    ]


def test_the_sentence_that_chapter_07_begins_with_is_in_it() -> None:
    assert "I do not dance because I am not happy." in {pair.source for pair in load_embedded("test")}


@pytest.mark.parametrize("name", sorted(PHENOMENA))
def test_each_challenge_set_shows_its_phenomenon(name: str) -> None:
    assert all(name in pair.tags for pair in load_embedded(f"challenge_{name}"))
    assert sum(name in pair.tags for pair in load_embedded("train")) >= 100  # and training has taught it


def test_a_line_of_the_files_holds_all_of_a_pair() -> None:
    for pair in PAIRS[::50]:
        assert AnnotatedPair.from_line(pair.to_line()) == pair


def test_tokens_are_those_of_the_word_tokeniser() -> None:
    sample = PAIRS[:: len(PAIRS) // 400]
    for field in ("source", "target"):
        tokeniser = WordTokeniser.train([getattr(pair, field) for pair in sample])
        for pair in sample:
            pieces = [piece.strip() for piece in tokeniser.tokens(tokeniser.encode(getattr(pair, field)))]
            assert pieces == [normalise(word) for word in getattr(pair, field + "_tokens")]


def test_heads_form_a_tree() -> None:
    for pair in PAIRS:
        for tokens, heads in (
            (pair.source_tokens, pair.source_heads),
            (pair.target_tokens, pair.target_heads),
        ):
            assert len(heads) == len(tokens)
            assert heads.count(-1) == 1
            for start in range(len(heads)):
                node, steps = start, 0
                while node != -1:
                    node, steps = heads[node], steps + 1
                    assert steps <= len(heads), f"a cycle in {tokens}"


def test_no_word_hangs_under_punctuation_or_article() -> None:
    english = PUNCTUATION | {"the", "a", "an", "not"}
    french = PUNCTUATION | {"le", "la", "les", "un", "une", "ne", "pas"}
    for pair in PAIRS:
        for tokens, heads, leaves in (
            (pair.source_tokens, pair.source_heads, english),
            (pair.target_tokens, pair.target_heads, french),
        ):
            assert not {tokens[head].lower() for head in heads if head >= 0} & leaves, pair


def test_heads_of_quoted_sentences() -> None:
    fluffy = load_embedded("sources")[1]
    heads = {
        word: fluffy.source_tokens[head]
        for word, head in zip(fluffy.source_tokens, fluffy.source_heads, strict=True)
        if head >= 0
    }
    assert heads["fluffy"] == "is"
    assert heads["is"] == "cat"
    assert heads["cat"] == "sleeps"


def test_alignments_are_valid_and_complete() -> None:
    for pair in PAIRS:
        links = pair.alignment
        assert list(links) == sorted(set(links))
        assert all(0 <= i < len(pair.source_tokens) for i, _ in links)
        assert all(0 <= j < len(pair.target_tokens) for _, j in links)
        assert {i for i, _ in links} == set(range(len(pair.source_tokens))), pair
        unaligned = {
            pair.target_tokens[j] for j in set(range(len(pair.target_tokens))) - {j for _, j in links}
        }
        assert not unaligned, (unaligned, pair)


GLOSSES = {
    "cat": {"chat"}, "cats": {"chats", "les", "des"}, "dog": {"chien"}, "house": {"maison"}, "not": {"ne", "n’", "pas"},
    "and": {"et"}, "because": {"parce", "que", "qu’"}, "very": {"très"}, "loves": {"aime"}, "who": {"qui"},
    "often": {"souvent"},
    "red": {"rouge", "rouges"}, "beautiful": {"beau", "bel", "belle", "beaux", "belles"}, "him": {"le", "l’", "lui"},
    "them": {"les", "leur"}, "my": {"mon", "ma", "mes"}, "near": {"près", "du", "de", "des"}, "book": {"livre"},
    "?": {"?"}, ".": {"."},
}  # fmt: skip


def test_alignments_link_translations() -> None:
    met = Counter[str]()
    for pair in PAIRS:
        for i, j in pair.alignment:
            english, french = pair.source_tokens[i].lower(), pair.target_tokens[j].lower()
            if english in GLOSSES:
                met[english] += 1
                assert french in GLOSSES[english] | {"d’"}, (english, french, pair)
    assert set(met) == set(GLOSSES)


def test_french_typography() -> None:
    for pair in PAIRS:
        text = pair.target
        assert text == typeset_french(normalise(text))
        assert "'" not in text
        assert "  " not in text
        assert not re.search(r"(?<!\u202f)[?!;]|(?<!\u00a0)[:»]|«(?!\u00a0)", text), text
        assert text[0].isupper(), text
        assert text[-1] in ".?!»", text
        assert not re.search(r"\s[.,]|,\S|[\u00a0\u202f](?![?!;:»])(?<!«\u00a0)", text), text


def test_english_typography() -> None:
    for pair in PAIRS:
        text = pair.source
        assert not re.search(r"'|  |\s[.,?!;:’]|[^\x20-\x7e’“”]", text), text
        assert text[0].isupper(), text
        assert text[-1] in ".?!”", text


def test_files_are_read_back(tmp_path: Path) -> None:
    written = write_parallel(tmp_path / "corpus")
    assert len(written) == 2 * len(SPLITS)
    for split in SPLITS:
        expected = [(normalise(pair.source), normalise(pair.target)) for pair in load_embedded(split)]
        assert list(read_folder(tmp_path / "corpus", split)) == expected
        assert list(read_parallel(*(tmp_path / "corpus" / f"{split}.{x}" for x in ("en", "fr")))) == expected
    write_tsv(tmp_path / "corpus.tsv", "val")
    assert list(read_tsv(tmp_path / "corpus.tsv")) == list(read_folder(tmp_path / "corpus", "val"))
    assert not list(tmp_path.rglob("*.part"))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tsv(tmp_path / "corpus.tsv", "sources")
    before = (tmp_path / "corpus.tsv").read_bytes()

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write_tsv(tmp_path / "corpus.tsv", "val")
    assert (tmp_path / "corpus.tsv").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.tsv"]


def test_errors_name_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="split: expected one of train"):
        load_embedded("dev")
    with pytest.raises(ValueError, match="split: expected one of train"):
        write_tsv(tmp_path / "x.tsv", "dev")
    assert not list(tmp_path.iterdir())
