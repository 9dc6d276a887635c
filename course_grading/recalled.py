"""What students handed in of `course recall`: how each did, which questions were hard, which misconceptions frequent.

Nobody has to hand anything in. A file has no name in it, and whoever collects the files knows them by their own names.
It is a student's own record and no proof of anything: nothing here gives points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_grading.intake import text_beside
from course_lib.exercises.kernel_protocol import one_line
from course_lib.exercises.recall import Bank, load, standings
from course_lib.exercises.recall.bank import MARKER
from course_lib.exercises.recall.store import Kept, exported

MOST_BYTES = 5_000_000  # ten years of ten answers a day have 3 MB
SHOWN = 10  # questions, and misconceptions


@dataclass(frozen=True)
class Recalled:
    """What was read.

    Attributes
    ----------
    kept : dict of str to Kept
        By the name of the file.
    refused : dict of str to str
        Why a file was not read.
    """

    kept: dict[str, Kept] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def collect(paths: Iterable[Path]) -> Recalled:
    """Read exports: files, and the .json files in folders and below.

    A file that is none is told of, and stops nothing.
    """
    found = Recalled()
    for path in _files(paths):
        try:
            found.kept[str(path)] = exported(text_beside(path, MOST_BYTES))
        except (ValueError, OSError) as error:
            found.refused[str(path)] = one_line(str(error), 200)
    return found


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.json")) if path.is_dir() else [path]


def summary(found: Recalled, bank: Bank | None = None) -> str:
    """Return what was read in words: a line for each file, then the hardest questions and the frequent misconceptions.

    Parameters
    ----------
    found : Recalled
    bank : Bank, optional
        The course's own, if left out. Answers to questions that it does not have count in no table.
    """
    bank = bank or load()
    lines = [f"{name}: not read. {why}" for name, why in found.refused.items()]
    wrong, students, believed = Counter[str](), Counter[str](), Counter[str]()
    for name, kept in found.kept.items():
        answers = [answer for answer in kept.answers if answer.question in bank.questions]
        days = {answer.day for answer in answers}
        n_right = sum(answer.right for answer in answers)
        n_kept = sum(each.box > 2 for each in standings(answers).values())
        lines.append(
            f"{name}: read to chapter {kept.read:02}; {_many(len(answers), 'answer')} on {_many(len(days), 'day')}, "
            f"{_percent(n_right, len(answers))} right; remembered after three days or more: {n_kept}"
        )
        first = {answer.question: answer for answer in reversed(answers)}  # who errs later has forgotten
        students.update(first.keys())
        wrong.update(name for name, answer in first.items() if not answer.right)
        shown = {answer.misconception for answer in answers} & set(bank.misconceptions)
        believed.update(shown)
    if wrong:
        lines += ["", "Wrong at the first answer, most often:"]
        rate = {name: wrong[name] / students[name] for name in wrong}
        for name in sorted(rate, key=lambda name: (-rate[name], -wrong[name], name))[:SHOWN]:
            ask = MARKER.sub("", bank.questions[name].ask).replace("*", "")
            lines.append(f"  {wrong[name]} of {students[name]}  {name}: {one_line(ask, 90)}")
    if believed:
        lines += ["", "Misconceptions, by how many students showed them:"]
        for name, n in sorted(believed.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]:
            lines.append(f"  {n} of {len(found.kept)}  {name}: {bank.misconceptions[name]}")
    return (
        "\n".join(lines)
        or "Nothing to read: give files that `course recall --export FILE` wrote, or a folder of them."
    )


def _many(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%}".replace("%", " %") if whole else "none"
