"""What was answered, in one small file in the student's own folder: `work/recall.json`.

The file is a list of answers, and all else is computed from it. It is written whole or not at all, by one process at a
time: whoever adds an answer reads the file again first, so that two tabs lose nothing. It never leaves the machine by
itself; `export` makes the file that a student may hand in.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

from course_lib import __version__
from course_lib.exercises.recall.bank import LAST_CHAPTER, Bank
from course_lib.exercises.recall.spacing import Answer, standings
from course_lib.files import atomic_path

FILE, LOCK = "recall.json", ".recall.lock"
FORMAT = 1
PATIENCE = 10.0  # seconds to wait for another process, which needs milliseconds


class StoreError(ValueError):
    """The file cannot be used, and stays as it is."""


@dataclass(frozen=True)
class Kept:
    """What the file holds.

    Attributes
    ----------
    read : int
        The chapter that was read last; 0 if none was named yet.
    answers : tuple of Answer
        In the order in which they were given.
    """

    read: int = 0
    answers: tuple[Answer, ...] = ()


class Store:
    """The file of one student.

    Parameters
    ----------
    folder : Path
        The student's own folder, such as `work/`; it is made when something is written.

    Examples
    --------
    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()) / "work")
    >>> store.load()
    Kept(read=0, answers=())
    >>> store.add(Answer("ch01-reach", date(2026, 9, 14), True), read=1)
    >>> len(store.load().answers), store.news()
    (1, '')
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._news: list[str] = []

    @classmethod
    def of_course(cls, start: Path | None = None) -> Store:
        """Return the store in the course's folder, which is looked for here and above.

        Raises
        ------
        FileNotFoundError
            If there is no course here.
        """
        from course_lib.exercises.working_copies import COPIES, course_folder

        return cls(course_folder(start) / COPIES)

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / FILE

    def load(self) -> Kept:
        """Return what the file holds. A damaged file is put aside, and `news` says so.

        Raises
        ------
        StoreError
            If a newer version of the course wrote it.
        OSError
            If it cannot be read.
        """
        if not self.path.exists():
            return Kept()
        with self._alone():
            return self._load()

    def add(self, answer: Answer, read: int = 0) -> None:
        """Keep one more answer, and which chapter was read last if that is a later one than before.

        Raises
        ------
        StoreError
            If a newer version of the course wrote the file.
        OSError
            If it cannot be written.
        """
        with self._alone():
            kept = self._load()
            self._write(Kept(max(read, kept.read), (*kept.answers, answer)))

    def mark_read(self, chapter: int) -> None:
        """Keep which chapter was read last; an earlier one than before changes nothing."""
        with self._alone():
            kept = self._load()
            if chapter > kept.read:
                self._write(Kept(chapter, kept.answers))

    def news(self) -> str:
        """Return, once, what the student has to know of the file; "" if nothing."""
        told, self._news = "\n".join(self._news), []
        return told

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes out."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # other accounts see nothing of it
        lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            until = time.monotonic() + PATIENCE
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > until:
                        message = f"another process has been using {self.path} for {PATIENCE:.0f} seconds"
                        raise StoreError(f"{message}: close it, and answer again") from None
                    time.sleep(0.01)
            yield
        finally:
            os.close(lock)  # which gives the lock back

    def _load(self) -> Kept:
        try:
            return kept_in(json.loads(self.path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return Kept()
        except (ValueError, RecursionError) as error:
            if isinstance(error, StoreError):
                raise
            aside = next(
                path
                for n in count(1)
                if not (path := self.path.with_name(f"recall-damaged-{n}.json")).exists()
            )
            self.path.rename(aside)
            self._news.append(
                f"{self.path} could not be read ({_in_short(error)}). It is now {aside.name}, in the same folder, and "
                f"your answers count anew. Nothing else was changed. If you have a copy of the file, put it back."
            )
            return Kept()

    def _write(self, kept: Kept) -> None:
        with atomic_path(self.path) as temporary:
            temporary.touch(mode=0o600)
            temporary.write_text(json.dumps(plain(kept), indent=0) + "\n", encoding="utf-8")


def _in_short(error: Exception) -> str:
    return str(error).partition("\n")[0][:100] or type(error).__name__


def plain(kept: Kept) -> dict[str, Any]:
    """Return what is kept as JSON can hold it; `kept_in` reads it back."""
    answers = [[a.question, a.day.isoformat(), a.right, a.misconception] for a in kept.answers]
    return {"format": FORMAT, "read": kept.read, "answers": answers}


def kept_in(held: Any) -> Kept:
    """Return what a file holds, as `plain` wrote it.

    Raises
    ------
    StoreError
        If a newer version of the course wrote it.
    ValueError
        If something else did.
    """
    try:
        number, read, answers = held["format"], held["read"], held["answers"]
        if isinstance(number, int) and not isinstance(number, bool) and number > FORMAT:
            raise StoreError(
                "a newer version of the course wrote this file of answers: update the course first"
            )
        if number != FORMAT or type(read) is not int or not 0 <= read <= LAST_CHAPTER:
            raise ValueError("not a file of answers")
        return Kept(read, tuple(_answer(*answer) for answer in answers))
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"not a file of answers: {error}") from None


def _answer(question: object, day: object, right: object, misconception: object) -> Answer:
    is_known = isinstance(question, str) and isinstance(day, str) and isinstance(misconception, str)
    if not is_known or not isinstance(right, bool):
        raise TypeError("an answer of no known kind")
    return Answer(str(question), date.fromisoformat(str(day)), right, str(misconception))


# ---- what may be handed in ----


def export(kept: Kept, path: Path, day: date) -> None:
    """Write what a student may hand in: the answers, and nothing else about who gave them.

    Parameters
    ----------
    kept : Kept
    path : Path
        A file that is not there yet, or an earlier export.
    day : date
        On which it is made.

    Raises
    ------
    FileExistsError
        If the path is something else.
    """
    if path.exists():
        try:
            exported(path.read_text(encoding="utf-8"))
        except (ValueError, OSError):
            raise FileExistsError(
                f"{path} is there already, and is no earlier export: choose another name"
            ) from None
    made = {"course_recall": __version__, "exported": day.isoformat(), **plain(kept)}
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(made, indent=0) + "\n", encoding="utf-8")


def exported(text: str) -> Kept:
    """Return what an export holds.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        held = json.loads(text)
    except RecursionError:
        raise ValueError("not an export of answers") from None
    if not isinstance(held, dict) or "course_recall" not in held:
        raise ValueError("not an export of answers")
    return kept_in(held)


def by_chapter(bank: Bank, kept: Kept) -> Mapping[int, tuple[int, int, int]]:
    """Return for each chapter: questions in all, those asked so far, and those whose last answer was right."""
    last = {answer.question: answer.right for answer in kept.answers}
    standing = standings(kept.answers)
    counts = {}
    for chapter in bank.chapters:
        ids = [question.id for question in bank.of_chapter(chapter)]
        asked = [one for one in ids if one in standing]
        counts[chapter] = len(ids), len(asked), sum(last[one] for one in asked)
    return counts
