import json
import os
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import pre_tokenizers

from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from course_lib.text import tokenisers
from course_lib.text.readers import read_folder
from course_lib.text.tokenisers import (
    BPETokeniser,
    Tokeniser,
    WordTokeniser,
    load_tokeniser,
    tokeniser_from_json,
)
from course_lib.text.typography import normalise

LINES = [
    "I love you.",
    "Je t’aime.",
    "The cat, which is fluffy, sleeps.",
    "Le chat, qui est tout doux, dort.",
    "Où est l’homme\u00a0?",
    "Where's the man?",
    "Qu'aime-t-il aujourd'hui ? « L'été », dit-elle.",
    "He doesn't like the \"T-shirt\" at 10:30; they're late!",
] * 3

# Sentences of words and marks that the spacing rule is about, joined with and without spaces.
SENTENCES = st.lists(
    st.sampled_from(
        [
            *"aé'\"-.,!?;:()[]«»“”…%/&#$_2 ",
            "l'",
            "qu'il",
            "homme",
            "man's",
            "don't",
            "-t-il",
            "10:30",
            "'",
            "''",
            " ?",
            "« ",
        ]
    )
).map("".join)
TEXTS = st.one_of(st.text(), SENTENCES)


@pytest.fixture(params=[WordTokeniser, BPETokeniser])
def tokeniser(request: pytest.FixtureRequest) -> Tokeniser:
    trained: Tokeniser = request.param.train(LINES)
    return trained


def test_special_ids(tokeniser: Tokeniser) -> None:
    assert (PAD_ID, BOS_ID, EOS_ID, UNK_ID) == (0, 1, 2, 3)
    assert tokeniser.vocabulary[:4] == ["<pad>", "<s>", "</s>", "<unk>"]
    assert tokeniser.tokens([0, 1, 2, 3]) == ["<pad>", "<s>", "</s>", "<unk>"]
    assert len(tokeniser) == len(tokeniser.vocabulary) == len(set(tokeniser.vocabulary))


def test_training_lines_come_back(tokeniser: Tokeniser) -> None:
    for line in LINES:
        ids = tokeniser.encode(line)
        assert tokeniser.decode(ids) == normalise(line)
        assert all(4 <= index < len(tokeniser) for index in ids)
        assert len(tokeniser.tokens(ids)) == len(ids)


@given(TEXTS, st.booleans())
def test_words_come_back_exactly(text: str, lowercase: bool) -> None:
    if not normalise(text):
        return
    tokeniser = WordTokeniser.train([text], lowercase=lowercase)
    assert tokeniser.decode(tokeniser.encode(text)) == normalise(text.lower() if lowercase else text)


@given(TEXTS, st.booleans())
@settings(max_examples=200)
def test_any_text_comes_back_from_bpe(text: str, lowercase: bool) -> None:
    tokeniser = BPE_LOWER if lowercase else BPE
    ids = tokeniser.encode(text)
    assert UNK_ID not in ids
    assert tokeniser.decode(ids) == normalise(text.lower() if lowercase else text)


BPE, BPE_LOWER = (BPETokeniser.train(LINES, n_vocab=400, lowercase=lower) for lower in (False, True))


@given(st.lists(SENTENCES.filter(normalise), min_size=1))
@settings(max_examples=50)
def test_bpe_trained_on_any_lines_gives_them_back(lines: list[str]) -> None:
    tokeniser = BPETokeniser.train(lines, n_vocab=300, min_frequency=1)
    assert [tokeniser.decode(tokeniser.encode(line)) for line in lines] == [normalise(line) for line in lines]


@given(st.text())
def test_pieces_cover_every_character_but_spaces(text: str) -> None:
    pieces = WordTokeniser._PATTERN.findall(normalise(text))
    assert "".join(pieces).replace(" ", "") == normalise(text).replace(" ", "")


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Je t'aime.", "Je|t'|aime|."),
        ("L'homme qu'il n'aime pas", "L'|homme|qu'|il|n'|aime|pas"),
        ("JUSQU'À l'été", "JUSQU'|À|l'|été"),
        ("aujourd'hui quelqu'un", "aujourd'hui|quelqu'un"),
        ("Aime-t-il ? Est-ce loin ?", "Aime|-t-il|?|Est|-ce|loin|?"),
        ("Où est-elle?", "Où|est|-elle|?"),
        ("un tee-shirt arc-en-ciel", "un|tee-shirt|arc-en-ciel"),
        ("The man's dogs don't, I'd", "The|man|'s|dogs|do|n't|,|I|'d"),
        ("It's 10:30, 3.5 or 1,000.", "It|'s|10:30|,|3.5|or|1,000|."),
        ('un panneau "lent" (vert)', 'un|panneau|"|lent|"|(|vert|)'),
        ("« Oui », dit-on ; d'« abc »", "«|Oui|»|,|dit|-on|;|d'|«|abc|»"),
        ("a - b", "a|-|b"),
        ("a , b", "a|<space>|,|b"),
        ("(a )b", "(|a|<space>|)|<join>|b"),
        ("on=f", "on|<join>|=|<join>|f"),
        ("", ""),
    ],
)
def test_a_sentence_is_split_into_these_words(sentence: str, words: str) -> None:
    tokeniser = WordTokeniser.train([sentence or "x"])
    assert "|".join(tokeniser.tokens(tokeniser.encode(sentence))) == words


def test_french_and_english_question_marks_are_two_words() -> None:
    tokeniser = WordTokeniser.train(["Où ?", "Where?"])
    assert {" ?", "?"} <= set(tokeniser.vocabulary)


def test_bpe_agrees_with_the_words_on_where_tokens_may_end() -> None:
    # Enough merges that each piece of a repeated line is one token.
    tokeniser = BPETokeniser.train(["Je t'aime, dit l'homme qu'elle n'aime pas : don't !"] * 2, n_vocab=500)
    tokens = tokeniser.tokens(tokeniser.encode("Je t'aime, dit l'homme qu'elle n'aime pas : don't !"))
    assert "|".join(tokens) == "▁Je|▁t'|aime|,|▁dit|▁l'|homme|▁qu'|elle|▁n'|aime|▁pas|▁:|▁do|n't|▁!"


def merged(symbols: list[str], left: str, right: str) -> list[str]:
    """The symbols with each ``left`` that ``right`` follows made one with it, from left to right."""
    result: list[str] = []
    for symbol in symbols:
        if result and result[-1] == left and symbol == right:
            result[-1] = left + right
        else:
            result.append(symbol)
    return result


def test_bpe_against_its_definition() -> None:
    """Each merge joins one of the most frequent pairs of neighbours; encoding applies the merges in order."""
    tokeniser = BPETokeniser.train(LINES, n_vocab=330, min_frequency=3)
    assert len(tokeniser.merges) == 330 - 260
    splitter = tokenisers._bpe_pieces()
    pieces = [list(piece) for line in LINES for piece, _ in splitter.pre_tokenize_str(" " + normalise(line))]
    for left, right in tokeniser.merges:
        counts = Counter(pair for piece in pieces for pair in pairwise(piece))
        assert counts[left, right] == max(counts.values()) >= 3
        pieces = [merged(piece, left, right) for piece in pieces]
    expected = [tokeniser.vocabulary.index(symbol) for piece in pieces for symbol in piece]
    assert [index for line in LINES for index in tokeniser.encode(line)] == expected


def test_bpe_does_not_merge_what_is_rarer_than_min_frequency() -> None:
    assert BPETokeniser.train(["ab"], min_frequency=2).merges == []
    assert len(BPETokeniser.train(["ab"], min_frequency=1).merges) == 2


def test_a_first_word_is_the_same_token_as_one_within_the_sentence(tokeniser: Tokeniser) -> None:
    first, second = tokeniser.encode("chat"), tokeniser.encode("le chat")
    assert second[-len(first) :] == first


def test_decoding_stops_at_the_end_and_leaves_markers_out(tokeniser: Tokeniser) -> None:
    ids = tokeniser.encode("Je t'aime.")
    assert tokeniser.decode([BOS_ID, *ids, EOS_ID, *ids, PAD_ID]) == "Je t'aime."
    assert tokeniser.decode([PAD_ID, *ids, PAD_ID]) == "Je t'aime."
    assert tokeniser.decode([]) == tokeniser.decode([EOS_ID, *ids]) == ""
    assert tokeniser.encode(" \n") == []
    assert tokeniser.decode([UNK_ID]) == "<unk>"


def test_unknown_words() -> None:
    tokeniser = WordTokeniser.train(["le chat dort", "le chien dort"], min_frequency=2)
    assert tokeniser.vocabulary[6:] == ["dort", "le"]
    assert tokeniser.encode("le chat dort") == [7, UNK_ID, 6]
    assert tokeniser.decode([7, UNK_ID, 6]) == "le <unk> dort"


def test_frequent_words_come_first() -> None:
    tokeniser = WordTokeniser.train(["c a b b", "c c"])
    assert tokeniser.vocabulary[6:] == ["c", "b", "a"]


def test_markers_written_in_a_text_stay_text(tokeniser: Tokeniser) -> None:
    line = "a <s> b </s> c <pad> <unk> <join> <space> d"
    for trained in (tokeniser, type(tokeniser).train([line] * 9)):
        assert not {PAD_ID, BOS_ID, EOS_ID} & set(trained.encode(line))
    assert trained.decode(trained.encode(line)) == line
    assert trained.vocabulary[:4] == ["<pad>", "<s>", "</s>", "<unk>"]


@pytest.mark.parametrize("index", [-1, 10**6])
def test_ids_outside_the_vocabulary(tokeniser: Tokeniser, index: int) -> None:
    for read in (tokeniser.decode, tokeniser.tokens):
        with pytest.raises(ValueError, match=f"ids must lie in 0…{len(tokeniser) - 1}, not {index}"):
            read([index])


def test_labels_of_parts_of_characters() -> None:
    tokeniser = BPETokeniser.train(["x"])
    assert tokeniser.tokens(tokeniser.encode("aé \\")) == ["▁", "a", "<0xC3>", "<0xA9>", "▁", "\\"]
    assert tokeniser.decode(tokeniser.encode("é")[:2]) == "�"


def test_stand_ins_for_bytes_are_the_library_s() -> None:
    assert sorted(tokenisers._BYTE_OF) == sorted(pre_tokenizers.ByteLevel.alphabet())
    for byte in range(128):  # one byte, one character
        [(stand_in, _)] = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(
            chr(byte)
        )
        assert tokenisers._BYTE_OF[stand_in] == byte
    for character in "é’▁漢🐈":
        [(stand_ins, _)] = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(
            character
        )
        assert bytes(map(tokenisers._BYTE_OF.__getitem__, stand_ins)) == character.encode()


def test_vocabulary_size() -> None:
    words = WordTokeniser.train(LINES)
    small = WordTokeniser.train(LINES, n_vocab=12)
    assert len(small) == 12
    assert small.vocabulary == words.vocabulary[:12]
    assert len(BPETokeniser.train(LINES, n_vocab=300)) == 300
    assert len(BPETokeniser.train(LINES, n_vocab=260)) == 260
    assert len(BPETokeniser.train(["ab"] * 2, n_vocab=10_000)) == 262
    with pytest.raises(ValueError, match="n_vocab must be at least 260"):
        BPETokeniser.train(LINES, n_vocab=259)
    with pytest.raises(ValueError, match="n_vocab must be greater than 6"):
        WordTokeniser.train(LINES, n_vocab=6)
    with pytest.raises(ValueError, match="min_frequency = 100"):
        WordTokeniser.train(LINES, min_frequency=100)


def test_a_lowercase_tokeniser_lowers_what_it_reads_and_stays_so_when_stored(tokeniser: Tokeniser) -> None:
    lower = type(tokeniser).train(LINES, lowercase=True)
    assert lower.decode(lower.encode("WHERE'S l'Homme ?")) == "where's l'homme ?"
    assert tokeniser_from_json(lower.to_json()).encode("Je T'AIME") == lower.encode("je t'aime")


def test_training_does_not_depend_on_the_order_of_lines(tokeniser: Tokeniser) -> None:
    shuffled = LINES.copy()
    random.Random(0).shuffle(shuffled)
    assert type(tokeniser).train(shuffled).to_json() == tokeniser.to_json()
    assert type(tokeniser).train(iter(shuffled)).to_json() == tokeniser.to_json()


def test_training_does_not_depend_on_the_process(tokeniser: Tokeniser) -> None:
    """Sets and dictionaries of another process have another order."""
    code = (
        "import json, sys; from course_lib.text import tokenisers as t; "
        f"print(t.{type(tokeniser).__name__}.train(json.load(sys.stdin)).to_json(), end='')"
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            input=json.dumps(LINES),
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert done.stdout == tokeniser.to_json()


def test_forking_after_training_is_silent() -> None:
    """The library works in threads; versions of it warned at every later fork, or hung."""
    code = (
        "import os; from course_lib.text.tokenisers import BPETokeniser as B\n"
        "tokeniser = B.train(['le chat'] * 99)\n"
        "if os.fork(): assert os.wait()[1] == 0\n"
        "else: os._exit(B.train(['le chat'] * 99).to_json() != tokeniser.to_json())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", code],  # Python 3.12 warns
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_saved_and_loaded(tokeniser: Tokeniser, tmp_path: Path) -> None:
    path = tmp_path / "tokeniser.json"
    path.write_text("an older file")
    tokeniser.save(path)
    loaded = load_tokeniser(str(path))
    assert type(loaded) is type(tokeniser)
    assert loaded.to_json() == tokeniser.to_json()
    for line in [*LINES, "Un été à Œuilly !"]:
        assert loaded.encode(line) == tokeniser.encode(line)
    assert [entry.name for entry in tmp_path.iterdir()] == ["tokeniser.json"]
    assert json.loads(path.read_text(encoding="utf-8"))["tokeniser"] == tokeniser.kind


def test_a_failed_save_leaves_the_old_file(
    tokeniser: Tokeniser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tokeniser.json"
    tokeniser.save(path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        tokeniser.save(path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"tokeniser": "letters", "lowercase": false}',
        b'{"tokeniser": "word", "lowercase": false}',
        b'{"tokeniser": "word", "lowercase": false, "vocabulary": ["le"]}',
        b'{"tokeniser": "bpe", "lowercase": false, "vocabulary": ["<pad>", "<s>", "</s>", "<unk>", "a"]}',
        BPETokeniser.train(["x"]).to_json().replace('"merges": []', '"merges": [["b", "ci"]]').encode(),
        BPETokeniser.train(["x"]).to_json().replace('"q", ', "").encode(),
        b'{"tokeniser": "word", "lowercase": false, "vocabulary": ["<pad>", "<s>", "</s>", "<unk>", "a", "a"]}',
    ],
)
def test_a_file_that_is_no_tokeniser(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.json: "):
        load_tokeniser(path)
    with pytest.raises(FileNotFoundError):
        load_tokeniser(tmp_path / "none.json")


@pytest.mark.share(2)
def test_tokenisers_of_the_real_corpus_give_its_sentences_back(corpus_folder: Path) -> None:
    train, val = read_folder(corpus_folder, "train"), read_folder(corpus_folder, "val")
    lines = [sentence for pair in train for sentence in pair]
    bpe = BPETokeniser.train(lines, n_vocab=5000)
    assert len(bpe) == 5000
    random.Random(1).shuffle(lines)
    assert BPETokeniser.train(lines, n_vocab=5000).to_json() == bpe.to_json()
    words = WordTokeniser.train(lines, min_frequency=2)
    for sentence in (sentence for pair in val for sentence in pair):
        assert bpe.decode(bpe.encode(sentence)) == sentence
    for side in zip(*val, strict=True):
        ids = [index for sentence in side for index in words.encode(sentence)]
        assert 0.015 < ids.count(UNK_ID) / len(ids) < 0.025
    everything = WordTokeniser.train([*lines, *(sentence for pair in val for sentence in pair)])
    for pair in val:
        for sentence in pair:
            assert everything.decode(everything.encode(sentence)) == sentence
