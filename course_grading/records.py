"""Grading records: one small JSON file for each student and problem set.

A record is written when all else of its submission is, so that what has a record need not be graded again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from course_grading.questions import Failure, PartVerdict, Verdict
from course_lib.files import atomic_path

FOLDER = "records"
Status = Literal["graded", "interrupted", "broken", "refused", "failed"]
STATUSES = ("graded", "interrupted", "broken", "refused", "failed")


@dataclass(frozen=True)
class Record:
    """Result of grading one submission.

    Attributes
    ----------
    student, problem_set : str
    status : {"graded", "interrupted", "broken", "refused", "failed"}
        All of it was run; some of it had to be stopped or killed Python, the rest was graded; it is no notebook; it
        was not taken (a link, too large); the grader failed, and will try again. Only the first two have points.
    message : str
        What happened, in words for the student and for whoever grades; "" if all went well.
    verdicts : tuple of Verdict
        One for each question that the machine decides, in the notebook's order.
    tampering : tuple of str
        What was put back because it had been changed though it is not the student's to change.
    key : str
        Of what it was made: submission, checks and release. The same key, the same record.
    seconds : float
        What grading took.
    """

    student: str
    problem_set: str
    status: Status
    message: str = ""
    verdicts: tuple[Verdict, ...] = ()
    tampering: tuple[str, ...] = ()
    key: str = ""
    seconds: float = 0.0

    @property
    def is_graded(self) -> bool:
        """Whether its points are points, and not the absence of a verdict."""
        return self.status in ("graded", "interrupted")

    @property
    def doubts(self) -> list[str]:
        """What a person has to look at: checks that failed at an answer."""
        return [part.doubt for verdict in self.verdicts for part in verdict.parts if part.doubt]

    @property
    def points(self) -> float:
        """The points that the machine gave."""
        return sum(verdict.points for verdict in self.verdicts)

    @property
    def out_of(self) -> float:
        """All points that the machine could give."""
        return sum(verdict.out_of for verdict in self.verdicts)


def record_path(course: Path, problem_set: str, student: str) -> Path:
    """Return where the record of a submission is kept, below the course's folder."""
    return course / FOLDER / problem_set / f"{student}.json"


def save_record(course: Path, record: Record) -> None:
    """Keep a record; what is there is replaced as a whole, never half."""
    path = record_path(course, record.problem_set, record.student)
    with atomic_path(path) as draft:
        draft.write_text(json.dumps(asdict(record), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def load_record(path: Path) -> Record:
    """Read a record.

    Raises
    ------
    FileNotFoundError
        If there is none.
    ValueError
        If it is not one.

    Examples
    --------
    >>> import tempfile
    >>> verdicts = (Verdict("q1", (PartVerdict("one sentence", 3, 3), PartVerdict("several", 0, 1, "No bias."))),)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_record(Path(folder), Record("ada", "ps01", "graded", verdicts=verdicts, key="5f"))
    ...     found = load_record(record_path(Path(folder), "ps01", "ada"))
    >>> found.points, found.out_of, found.verdicts[0].messages
    (3, 4, ['No bias.'])
    """
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        if "told" in plain:  # as version 0.1.0 wrote it
            plain["message"] = plain.pop("told")
        return Record(
            **plain
            | {
                "verdicts": tuple(_verdict(entry) for entry in plain["verdicts"]),
                "tampering": tuple(plain["tampering"]),
            }
        )
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is no record of a submission: {error}") from None


def _verdict(plain: dict[str, Any]) -> Verdict:
    return Verdict(plain["question"], tuple(_part(part) for part in plain["parts"]))


def _part(plain: dict[str, Any]) -> PartVerdict:
    return PartVerdict(**plain | {"failed": tuple(Failure(**failure) for failure in plain.get("failed", ()))})


def load_records(course: Path, problem_set: str) -> Iterator[Record]:
    """Read all records of a problem set, by student."""
    for path in sorted((course / FOLDER / problem_set).glob("*.json")):
        yield load_record(path)
