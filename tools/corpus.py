"""Make the files of the course's own corpus anew, by the grammar in tools/grammar/: half a minute.

python tools/corpus.py            write them
python tools/corpus.py --check    only say whether they are what the grammar makes

The grammar they were made by is noted beside it, by its checksum: while that is the same, so are the files.
"""

import argparse
import hashlib
import lzma
import sys
from collections.abc import Iterable
from pathlib import Path

from environment import ROOT
from grammar.adjectives import LEXICON as ADJECTIVES
from grammar.nouns import LEXICON as NOUNS
from grammar.reversals import reversals
from grammar.splits import generate

from course_lib.files import atomic_path

FOLDER = ROOT / "course_lib" / "text" / "embedded" / "data"
GRAMMAR = ROOT / "tools" / "grammar"
MADE_BY = GRAMMAR / "made_by.sha256"


def contents() -> dict[str, str]:
    """Return the text of each file, by its name, before compression."""
    nouns = [(*noun.english, *noun.french, noun.gender) for noun in NOUNS.values()]
    adjectives = [(adjective.english, adjective.french) for adjective in ADJECTIVES]
    files = {"nouns.tsv": map("\t".join, nouns), "adjectives.tsv": map("\t".join, adjectives)}
    splits = generate()
    files |= {f"{split}.tsv.xz": (p.to_line() for p in pairs) for split, pairs in splits.items()}
    files["reversals.tsv.xz"] = (pair.to_line() for pair in reversals(splits))
    return {name: _lines(lines) for name, lines in files.items()}


def grammar_checksum() -> str:
    """Return the SHA-256 of the grammar's modules, and of this one, which writes what they make."""
    paths = [*sorted(GRAMMAR.glob("*.py")), Path(__file__).resolve()]
    texts = [f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in paths]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _lines(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def read(path: Path) -> str:
    """Return the text of a file, compressed or not; "" if it is not there."""
    if not path.exists():
        return ""
    data = path.read_bytes()
    return (lzma.decompress(data) if path.suffix == ".xz" else data).decode()


def write(path: Path, text: str) -> None:
    """Write a file, compressed if its name ends in .xz."""
    data = text.encode()
    with atomic_path(path) as temporary:
        temporary.write_bytes(lzma.compress(data, preset=9) if path.suffix == ".xz" else data)


def main() -> int:
    """Write the files, or check them; return 1 if they differ from what the grammar makes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    made = contents()
    different = [name for name, text in made.items() if read(FOLDER / name) != text]
    if not options.check:
        for name in different:
            write(FOLDER / name, made[name])
        MADE_BY.write_text(grammar_checksum() + "\n", encoding="utf-8")
    done = "differ" if options.check else "written"
    print(f"{len(different)} of {len(made)} files {done}{': ' if different else '.'}{', '.join(different)}")
    return int(options.check and bool(different))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
