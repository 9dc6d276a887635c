import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.text.readers import CorpusError, SentencePair, read_folder, read_parallel, read_tsv
from course_lib.text.typography import normalise

ENGLISH = "A dog runs.\nTwo cats sleep.\nIt's cold.\n"
FRENCH = "Un chien court.\nDeux chats dorment.\nIl fait froid.\n"
PAIRS = [
    SentencePair("A dog runs.", "Un chien court."),
    SentencePair("Two cats sleep.", "Deux chats dorment."),
    SentencePair("It's cold.", "Il fait froid."),
]

Write = Callable[[str, "str | bytes"], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(name: str, content: str | bytes) -> Path:
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write_file


def refused(read: Callable[[], object], *parts: str) -> None:
    """Reading fails in one sentence that contains each part."""
    with pytest.raises(CorpusError) as failure:
        read()
    message = str(failure.value)
    assert "\n" not in message
    for part in parts:
        assert part in message, f"{part!r} is not in {message!r}"


@pytest.mark.parametrize(
    ("source", "target"), [("a.en", "a.fr"), ("a.en.gz", "a.fr.gz"), ("a.en", "a.fr.gz")]
)
def test_parallel_files(write: Write, source: str, target: str) -> None:
    assert read_parallel(write(source, ENGLISH), write(target, FRENCH)) == PAIRS


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.removesuffix("\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: "\ufeff" + text.replace("\n", "\r\n").removesuffix("\r\n"),
        lambda text: text.replace("\n", " \n\n", 1),
        lambda text: "\n\u00a0\n" + text + "\n\n",
    ],
    ids=[
        "no last newline",
        "windows",
        "bom",
        "windows with bom, no last newline",
        "blank inside",
        "blank around",
    ],
)
def test_harmless_differences_between_systems(write: Write, damage: Callable[[str], str]) -> None:
    assert read_parallel(write("a.en", damage(ENGLISH)), write("a.fr", damage(FRENCH))) == PAIRS
    tsv = "".join(f"{e}\t{f}\n" for e, f in zip(ENGLISH.split("\n"), FRENCH.split("\n"), strict=True) if e)
    assert read_tsv(write("a.tsv", damage(tsv))) == PAIRS


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_only_a_newline_ends_a_line(write: Write, separator: str) -> None:
    pairs = read_parallel(write("a.en", ENGLISH.replace(" ", separator)), write("a.fr", FRENCH))
    assert pairs == PAIRS


def test_a_compressed_file_without_gz_and_a_plain_one_with_it(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_bytes(gzip.compress(ENGLISH.encode()))
    (tmp_path / "a.fr.gz").write_bytes(FRENCH.encode())
    assert read_parallel(tmp_path / "a.en", tmp_path / "a.fr.gz") == PAIRS


def test_sentences_are_normalised(write: Write) -> None:
    pairs = read_parallel(write("a.en", "He\u00a0is.\n"), write("a.fr", "Où est l’e\u0301te\u0301\u202f?\n"))
    assert pairs == [SentencePair("He is.", "Où est l'été ?")]


@given(st.lists(st.tuples(st.text(), st.text())))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    texts = [
        (s.replace("\n", " ").replace("\t", " "), t.replace("\n", " ").replace("\t", " ")) for s, t in texts
    ]
    expected = [SentencePair(normalise(s), normalise(t)) for s, t in texts if normalise(s) and normalise(t)]
    whole = [pair for pair in texts if normalise(pair[0]) and normalise(pair[1])]
    folder = tmp_path_factory.mktemp("corpus")
    for name, lines in {
        "a.en": [s for s, _ in whole],
        "a.fr": [t for _, t in whole],
        "a.tsv": [f"{s}\t{t}" for s, t in whole],
    }.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    if expected:
        assert read_parallel(folder / "a.en", folder / "a.fr") == expected
        assert read_tsv(folder / "a.tsv", columns=(0, 1)) == expected
    else:
        refused(lambda: read_tsv(folder / "a.tsv"), "a.tsv is empty")


def test_files_of_different_length(write: Write) -> None:
    source, target = write("a.en", ENGLISH), write("a.fr", FRENCH + "Encore.\n")
    refused(lambda: read_parallel(source, target), f"{source} has 3 lines", f"{target} 4 lines")
    refused(lambda: read_parallel(source, write("b.fr", "Seul.\n")), "3 lines", "1 line:")


def test_bad_utf8(write: Write) -> None:
    source = write("a.en", ENGLISH)
    target = write("a.fr", FRENCH.encode().replace(b"dorment", "endormis là".encode("latin-1")))
    refused(lambda: read_parallel(source, target), f"{target}, line 2: not UTF-8 (byte 0xe0)")
    refused(
        lambda: read_tsv(write("a.tsv", "Go.\tVa !\nHi.\tÉh\n".encode("latin-1"))), "a.tsv, line 2: not UTF-8"
    )
    refused(lambda: read_tsv(write("b.tsv", "Go.\tVa\n".encode("utf-16"))), "b.tsv, line 1: not UTF-8")


@pytest.mark.parametrize("content", ["", "\n", "\ufeff", " \r\n\t\u00a0\n"])
def test_empty_files(write: Write, content: str) -> None:
    empty, full = write("empty.en", content), write("a.fr", FRENCH)
    refused(lambda: read_parallel(empty, full), f"{empty} is empty")
    refused(lambda: read_parallel(full, empty), f"{empty} is empty")
    refused(lambda: read_tsv(empty), f"{empty} is empty")
    refused(lambda: read_tsv(write("empty.tsv.gz", content)), "empty.tsv.gz is empty")


def test_files_of_invisible_characters_hold_no_pair(write: Write) -> None:
    source, target = write("a.en", "\u200b\n"), write("a.fr", "\u00ad\n")
    refused(lambda: read_parallel(source, target), "a.en", "a.fr", "hold no sentence pair")


def test_a_line_blank_on_one_side(write: Write) -> None:
    source, target = write("a.en", ENGLISH), write("a.fr", FRENCH.replace("Deux chats dorment.", " \u200b"))
    refused(lambda: read_parallel(source, target), f"{target}, line 2 is blank", f"{source} has a sentence")
    refused(lambda: read_parallel(target, source), f"{target}, line 2 is blank", f"{source} has a sentence")
    refused(
        lambda: read_tsv(write("a.tsv", "Go.\tVa !\n\t\nHi.\t \tCC\n")), "a.tsv, column 2, line 3 is blank"
    )
    refused(lambda: read_tsv(write("b.tsv", "\tVa !\n")), "b.tsv, column 1, line 1 is blank")


def test_missing_file(write: Write, tmp_path: Path) -> None:
    source = write("a.en", ENGLISH)
    refused(lambda: read_parallel(source, tmp_path / "a.fr"), f"no file {tmp_path / 'a.fr'}", "holds a.en")
    refused(lambda: read_tsv(tmp_path / "no" / "a.tsv"), "no file", f"no folder {tmp_path / 'no'}")
    refused(lambda: read_tsv(tmp_path), str(tmp_path), "cannot be read")


def test_truncated_and_damaged_gzip(write: Write) -> None:
    path = write("a.tsv.gz", "Go.\tVa !\n" * 500)
    whole = path.read_bytes()
    for length in (3, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        refused(lambda: read_tsv(path), f"{path} is truncated or damaged")
    for place in (12, 20, len(whole) - 6):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        refused(lambda: read_tsv(path), f"{path} is truncated or damaged")


def test_tatoeba_layouts(write: Write) -> None:
    pairs = [SentencePair("Go.", "Va !"), SentencePair("Go.", "Allez !"), SentencePair("Hi.", "Salut !")]
    three = write(
        "a.tsv", "".join(f"{s}\t{t}\tCC-BY 2.0 (France) tatoeba.org #{i}\n" for i, (s, t) in enumerate(pairs))
    )
    four = write("b.tsv.gz", "".join(f"{i}\t{s}\t{i + 7}\t{t}\n" for i, (s, t) in enumerate(pairs)))
    assert read_tsv(three) == read_tsv(four) == pairs
    assert read_tsv(four, columns=(3, 1)) == [SentencePair(t, s) for s, t in pairs]
    assert read_tsv(write("c.tsv", "1\tun\t2\n3\ttrois\t4\n")) == [
        SentencePair("1", "un"),
        SentencePair("3", "trois"),
    ]


def test_too_few_columns(write: Write) -> None:
    refused(
        lambda: read_tsv(write("a.tsv", "Go.\tVa !\nHi. Salut !\n")),
        "a.tsv, line 2 has 1 tab-separated column,",
    )
    refused(lambda: read_tsv(write("b.tsv", "Go.\tVa\n"), (0, 2)), "b.tsv, line 1 has 2", "columns 1 and 3")
    for columns in ((0, 0), (-1, 0)):
        with pytest.raises(ValueError, match="columns must be two different numbers"):
            read_tsv(write("c.tsv", "Go.\tVa\n"), columns)


def test_a_folder_is_read_by_split_and_language_whatever_the_form_of_its_files(
    write: Write, tmp_path: Path
) -> None:
    write("train.en.gz", ENGLISH), write("train.fr", FRENCH), write("val.tsv.gz", "Hi.\tSalut !\n")
    assert read_folder(tmp_path, "train") == PAIRS
    assert read_folder(str(tmp_path), "train", "fr", "en") == [SentencePair(t, s) for s, t in PAIRS]
    assert read_folder(tmp_path, "val") == [SentencePair("Hi.", "Salut !")]


def test_folder_without_what_is_needed(write: Write, tmp_path: Path) -> None:
    refused(lambda: read_folder(tmp_path / "none", "train"), f"no folder {tmp_path / 'none'}")
    refused(
        lambda: read_folder(tmp_path, "train"),
        str(tmp_path),
        "train.en and train.fr",
        "train.tsv",
        "is empty",
    )
    write("train.en", ENGLISH)
    refused(lambda: read_folder(tmp_path, "train"), "the folder holds train.en")
    for i in range(20):
        write(f"x{i:02}.txt", "x")
    refused(lambda: read_folder(tmp_path, "val"), "val.en and val.fr", "x10.txt and 9 more")
    refused(lambda: read_folder(tmp_path / "train.en", "val"), "no folder")


def test_a_failed_read_writes_nothing(write: Write, tmp_path: Path) -> None:
    write("train.en", ENGLISH), write("train.fr", FRENCH + "x\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    refused(lambda: read_folder(tmp_path, "train"), "4 lines")
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_real_corpus_is_read_with_all_its_pairs(corpus_folder: Path) -> None:
    sizes = {split: len(read_folder(corpus_folder, split)) for split in ("train", "val", "test_2016_flickr")}
    assert sizes == {"train": 29000, "val": 1014, "test_2016_flickr": 1000}
    first = read_folder(corpus_folder, "val")[0]
    assert first.source == "A group of men are loading cotton onto a truck"
    assert first.target == "Un groupe d'hommes chargent du coton dans un camion"
