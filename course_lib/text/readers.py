"""Readers for real corpora: two parallel files, or one tab-separated file, plain or gzip-compressed.

A reader returns every sentence pair or raises `CorpusError`: a corpus that is off by one line trains
without complaint and translates nothing, so nothing is repaired by guessing.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from course_lib.text.typography import normalise


class SentencePair(NamedTuple):
    """A sentence and its translation, both normalised (`course_lib.text.typography.normalise`)."""

    source: str
    target: str


class CorpusError(ValueError):
    """A corpus that cannot be read; the message names the file and, where there is one, the line."""


def read_parallel(source_path: str | Path, target_path: str | Path) -> list[SentencePair]:
    """Read two files in which line n of one translates line n of the other.

    Lines end in LF or CR LF, and nothing else ends one (not the Unicode line separators inside a sentence).
    A byte order mark is skipped, compression is recognised by content. Lines blank in both files are
    skipped.

    Parameters
    ----------
    source_path, target_path : str or Path
        Two UTF-8 files, each plain or gzip-compressed.

    Returns
    -------
    list of SentencePair
        The pairs in the order of the files.

    Raises
    ------
    CorpusError
        If a file is missing, unreadable, empty, truncated or not UTF-8, if the numbers of lines differ, or
        if a line is blank on one side only.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.en").write_text("I love you.\\n", encoding="utf-8")
    >>> _ = (folder / "a.fr").write_text("Je t’aime.\\n", encoding="utf-8")
    >>> read_parallel(folder / "a.en", folder / "a.fr")
    [SentencePair(source='I love you.', target="Je t'aime.")]
    """
    source_lines, target_lines = _read_lines(source_path), _read_lines(target_path)
    if len(source_lines) != len(target_lines):
        raise CorpusError(
            f"{source_path} has {_lines(len(source_lines))} and {target_path} {_lines(len(target_lines))}: "
            "line n of one must translate line n of the other"
        )
    return _pairs(zip(source_lines, target_lines, strict=True), str(source_path), str(target_path))


def read_tsv(path: str | Path, columns: tuple[int, int] | None = None) -> list[SentencePair]:
    """Read a tab-separated file of sentence pairs, such as Tatoeba's.

    Two layouts are published: *English, French, attribution*, and *number, English, number, French*.
    Further columns are ignored. Line ends, byte order mark, compression and blank lines are treated as in
    `read_parallel`.

    Parameters
    ----------
    path : str or Path
        A UTF-8 file, plain or gzip-compressed.
    columns : (int, int), optional
        Columns of source and target, counted from 0. By default (1, 3) if columns 0 and 2 of the first line
        are numbers and there is a column 3, else (0, 1).

    Returns
    -------
    list of SentencePair
        The pairs in the order of the file; a sentence with several translations appears with each.

    Raises
    ------
    CorpusError
        If the file is missing, unreadable, empty, truncated or not UTF-8, if a line has too few columns, or
        if one of its two sentences is blank.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "fra.txt"
    >>> _ = path.write_text("Go.\\tVa !\\tCC-BY 2.0\\n", encoding="utf-8")
    >>> read_tsv(path)
    [SentencePair(source='Go.', target='Va !')]
    """
    rows = [line.split("\t") if line.strip() else [] for line in _read_lines(path)]
    first = next((row for row in rows if row), [])
    if columns is None:
        numbered = len(first) > 3 and first[0].strip().isdecimal() and first[2].strip().isdecimal()
        columns = (1, 3) if numbered else (0, 1)
    if min(columns) < 0 or columns[0] == columns[1]:
        raise ValueError(f"columns must be two different numbers counted from 0, not {columns}")

    sentences = []
    for number, row in enumerate(rows, start=1):
        if 0 < len(row) <= max(columns):
            raise CorpusError(
                f"{path}, line {number} has {len(row)} tab-separated column{'s' * (len(row) > 1)}, "
                f"but the two sentences should be columns {columns[0] + 1} and {columns[1] + 1}"
            )
        sentences.append((row[columns[0]], row[columns[1]]) if row else ("", ""))
    return _pairs(sentences, f"{path}, column {columns[0] + 1}", f"{path}, column {columns[1] + 1}")


def read_folder(
    folder: str | Path, split: str, source_language: str = "en", target_language: str = "fr"
) -> list[SentencePair]:
    """Read one part of a corpus folder.

    Looked for in this order: `{split}.{language}` for both languages, each plain or with `.gz`; then
    `{split}.tsv` or `{split}.tsv.gz`, whose names say no language: the source is the column that comes
    first.

    Parameters
    ----------
    folder : str or Path
        The corpus folder.
    split : str
        The part, such as `"train"` or `"val"`.
    source_language, target_language : str
        The last part of the file names.

    Returns
    -------
    list of SentencePair
        The pairs in the order of the files.

    Raises
    ------
    CorpusError
        If the folder or the files are missing (the message says what was looked for and what is there), and
        as `read_parallel` and `read_tsv` do.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "train.tsv").write_text("Hello!\\tBonjour !\\n", encoding="utf-8")
    >>> read_folder(folder, "train")
    [SentencePair(source='Hello!', target='Bonjour !')]
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise CorpusError(f"there is no folder {folder}")

    def find(name: str) -> Path | None:
        candidates = (folder / name, folder / f"{name}.gz")
        return next((path for path in candidates if path.is_file()), None)

    names = [f"{split}.{source_language}", f"{split}.{target_language}", f"{split}.tsv"]
    source_path, target_path, tsv_path = map(find, names)
    if source_path and target_path:
        return read_parallel(source_path, target_path)
    if tsv_path:
        return read_tsv(tsv_path)
    raise CorpusError(
        f"looked in {folder} for {names[0]} and {names[1]}, or for {names[2]}, plain or with .gz; "
        f"{_listing(folder)}"
    )


def read_corpus(path: str | Path | None, split: str) -> list[SentencePair]:
    """Read one part of a corpus: a folder (`read_folder`), one file (`read_tsv`), or the course's own.

    A file has no parts, so they are made: of the distinct source sentences 5 % become `"val"`, 5 % `"test"`,
    and the others `"train"`, by a hash of the sentence. All translations of a sentence thus fall into one part,
    which is the same whatever else the file holds.

    Parameters
    ----------
    path : str or Path, optional
        A corpus folder, or a tab-separated file. Without it, the embedded corpus
        (`course_lib.text.embedded.load_embedded`).
    split : str
        The part: the name of a file of the folder, `"train"`, `"val"` or `"test"` of a file, or one of the
        embedded corpus's `SPLITS`.

    Returns
    -------
    list of SentencePair
        The pairs of this part, in order.

    Raises
    ------
    CorpusError
        As the two readers do, if there is no such part, or if the part of a small file is empty.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "fra.txt"
    >>> _ = path.write_text("Go.\\tVa !\\nGo.\\tPars !\\n", encoding="utf-8")
    >>> read_corpus(path, "train")
    [SentencePair(source='Go.', target='Va !'), SentencePair(source='Go.', target='Pars !')]
    """
    if path is None:
        from course_lib.text.embedded import SPLITS, load_embedded  # large, and not needed for files

        if split not in SPLITS:
            raise CorpusError(f"the course's own corpus has no part {split!r}; it has {', '.join(SPLITS)}")
        return [SentencePair(normalise(p.source), normalise(p.target)) for p in load_embedded(split)]
    if not Path(path).is_file():
        return read_folder(path, split)
    parts = {"val": range(0, 5), "test": range(5, 10), "train": range(10, 100)}
    if split not in parts:
        raise CorpusError(
            f"{path} is one file, whose parts are train, val and test; it has no part {split!r}"
        )
    pairs = [pair for pair in read_tsv(path) if _percentile(pair.source) in parts[split]]
    if not pairs:
        raise CorpusError(f"{path} has too few sentences: none falls into the part {split!r}")
    return pairs


def _percentile(sentence: str) -> int:
    """A number from 0 to 99 that depends on the sentence alone (Python's own hash changes from run to run)."""
    return int.from_bytes(hashlib.sha256(sentence.encode()).digest()[:8], "big") % 100


def _read_lines(path: str | Path) -> list[str]:
    """Lines of a UTF-8 file, plain or gzip, split at LF alone; a CR before it is left for `normalise`."""
    path = Path(path)
    try:
        data = path.read_bytes()
        if data.startswith(b"\x1f\x8b"):  # the gzip mark; no UTF-8 text can start so
            data = gzip.decompress(data)
    except FileNotFoundError:
        raise CorpusError(f"there is no file {path}; {_listing(path.parent)}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(f"{path} is truncated or damaged: {error}") from None
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from None

    try:
        text = data.decode("utf-8-sig")  # skips a byte order mark
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        bad = error.object[error.start]
        raise CorpusError(
            f"{path}, line {number}: not UTF-8 (byte 0x{bad:02x}); save the file as UTF-8"
        ) from None
    if not text.strip():
        raise CorpusError(f"{path} is empty")
    return text.removesuffix("\n").split("\n")


def _pairs(lines: Iterable[tuple[str, str]], source_name: str, target_name: str) -> list[SentencePair]:
    """Normalise both sides; skip what is blank on both, refuse what is blank on one."""
    pairs = []
    for number, (source, target) in enumerate(lines, start=1):
        pair = SentencePair(normalise(source), normalise(target))
        if pair.source and pair.target:
            pairs.append(pair)
        elif pair.source or pair.target:
            blank, other = (target_name, source_name) if pair.source else (source_name, target_name)
            raise CorpusError(f"{blank}, line {number} is blank, but {other} has a sentence there")
    if not pairs:
        raise CorpusError(f"{source_name} and {target_name} hold no sentence pair")
    return pairs


def _lines(n: int) -> str:
    return f"{n:,} line{'s' * (n != 1)}"


def _listing(folder: Path) -> str:
    """What is in a folder, for an error message."""
    if not folder.is_dir():
        return f"there is no folder {folder} either"
    names = sorted(entry.name for entry in folder.iterdir())
    if not names:
        return "the folder is empty"
    return f"the folder holds {', '.join(names[:12])}" + (
        f" and {len(names) - 12} more" if len(names) > 12 else ""
    )
