"""The corpus as files: two parallel ones for each split, or one with tabs, as the readers take them."""

from collections.abc import Iterable
from pathlib import Path

from course_lib.files import atomic_path
from course_lib.text.embedded.pairs import SPLITS, load_embedded


def _write(path: Path, lines: Iterable[str]) -> None:
    with atomic_path(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in lines)


def write_parallel(folder: str | Path) -> list[Path]:
    """Write every split as two parallel files, `train.en` and `train.fr` and so on.

    Parameters
    ----------
    folder : str or Path
        Where to; made if it is missing. Files of the same names are replaced, each at once.

    Returns
    -------
    list of Path
        The files written, in the order of `SPLITS`.

    Raises
    ------
    OSError
        If the folder cannot be made or written to.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in write_parallel(folder)[:2]]
    ['train.en', 'train.fr']
    """
    folder = Path(folder)
    written = []
    for split in SPLITS:
        pairs = load_embedded(split)
        for suffix, side in (("en", "source"), ("fr", "target")):
            path = folder / f"{split}.{suffix}"
            _write(path, (getattr(pair, side) for pair in pairs))
            written.append(path)
    return written


def write_tsv(path: str | Path, split: str = "train") -> None:
    r"""Write a split as one file, English, a tab, French in each line.

    Parameters
    ----------
    path : str or Path
        The file; one of that name is replaced at once.
    split : str
        One of `SPLITS`.

    Raises
    ------
    ValueError
        If there is no such split.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_tsv(Path(folder, "quoted.tsv"), "sources")
    ...     Path(folder, "quoted.tsv").read_text(encoding="utf-8").splitlines()[0].split("\t")
    ['I love you.', 'Je t’aime.']
    """
    _write(Path(path), (f"{pair.source}\t{pair.target}" for pair in load_embedded(split)))
