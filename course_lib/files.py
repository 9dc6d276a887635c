"""Writing files that are there whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside `path`; when the block ends well, what was written there replaces `path`.

    A reader, or a process that is killed at any moment, sees the old file or the new one. A left-over temporary
    file is overwritten by the next writer.

    Parameters
    ----------
    path : str or Path
        The file to write; its folder is made if need be.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "notes.txt"
    >>> with atomic_path(target) as temporary:
    ...     _ = temporary.write_text("whole", encoding="utf-8")
    >>> target.read_text(encoding="utf-8"), len(list(target.parent.iterdir()))
    ('whole', 1)
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())  # the content reaches the disk before the name does
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
