"""nbgrader exchange plug-ins: collect untrusted submissions, and release feedback to the students who handed in.

The exchange is a folder in which all accounts of a machine can write. Whatever lies there may have been put there by
anybody, to look like anything: `Collect` believes the file system alone, about whose it is and when it came.
`nbgrader_config.py` plugs both in, so that nbgrader's commands and formgrader's buttons go through them.
"""

from __future__ import annotations

import glob
import os
import pwd
import re
import shutil
import stat
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback
from nbgrader.utils import notebook_hash
from traitlets import Bool

from course_grading.course import Course
from course_grading.intake import (
    KINDS,
    SECRET,
    STUDENT,
    TIMESTAMP,
    InvalidSubmissionError,
    notebook_in,
    opened_in,
    read_time,
    receipt,
    secret_in,
    shown,
    time_of,
)
from course_lib.exercises.kernel_protocol import printable

FAR_APART = timedelta(minutes=10)  # what a folder's name says, and what the file system says
MOST_REFUSED = 50  # lines about what was refused: anybody may put a million folders there


@dataclass(frozen=True)
class HandIn:
    """A folder in the exchange that belongs to the student whom it names.

    Attributes
    ----------
    student, folder : str
    time, said : datetime
        When it came: by the file system, and by the folder's name, which the student may choose. In UTC.
    """

    student: str
    folder: str
    time: datetime
    said: datetime


class Collect(ExchangeCollect):  # type: ignore[misc]  # nbgrader is not annotated
    """Collector of submissions: failures are listed at the end, and keep no other submission from being collected.

    A folder's owner has to be the student whom it names (`check_owner = False`, for a hub on which all students are one
    user, believes the name). Of what lies in it the notebook is taken, and the key to its feedback; nothing through a
    link. A submission came when the file system saw the last change to it, which nobody can set back.
    """

    believe_names = Bool(
        False,
        help="Take for the time of a submission what its folder's name says: for an exchange that was restored or "
        "moved, whose files are all as new as that.",
    ).tag(config=True)

    def init_src(self) -> None:
        """Find the exchange; nbgrader calls this."""
        if not self.coursedir.course_id:
            self.fail("No course id: give it with --course, or in nbgrader_config.py.")
        self.inbound_path = os.path.join(self.root, self.coursedir.course_id, "inbound")
        if not os.path.isdir(self.inbound_path):
            self.fail(f"{self.inbound_path} is not there: nbgrader release_assignment makes it.")

    def copy_files(self) -> None:
        """Collect; nbgrader calls this."""
        self.refused: list[str] = []
        inbound = os.open(self.inbound_path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            hand_ins = defaultdict[str, list[HandIn]](list)
            for found in self._found(inbound):
                hand_ins[found.student].append(found)
            due = self._due()
            for student in sorted(hand_ins):
                try:
                    self._collect(self._chosen(hand_ins[student], due), inbound)
                except (InvalidSubmissionError, OSError) as error:
                    self._refuse(student, str(error))
        finally:
            os.close(inbound)
        if self.refused:
            rest = len(self.refused) - MOST_REFUSED
            for line in [*self.refused[:MOST_REFUSED], *([f"{rest} more"] if rest > 0 else [])]:
                self.log.error("Not collected: %s", line)
            self.fail(
                f"{len(self.refused)} of what lies in {self.inbound_path} was not collected, as listed above; "
                "this kept nothing else from being collected."
            )

    def _refuse(self, what: str, why: str) -> None:
        self.refused.append(f"{shown(what)}: {printable(why)}")

    def _found(self, inbound: int) -> Iterator[HandIn]:
        """Yield the submissions whose owner, name and type agree; all others are refused."""
        name, wanted = self.coursedir.assignment_id, self.coursedir.student_id or "*"
        form = re.compile(rf"({STUDENT.pattern})\+{re.escape(name)}\+([^+]+)(\+[\w=-]+)?")
        for folder in sorted(os.listdir(inbound)):
            match = form.fullmatch(folder)
            said = read_time(match[2]) if match else None
            if match and said:
                if fnmatchcase(match[1], wanted):
                    try:
                        yield HandIn(match[1], folder, self._time(match[1], folder, said, inbound), said)
                    except (InvalidSubmissionError, OSError) as error:
                        self._refuse(folder, str(error))
            elif f"+{name}+" in folder and wanted == "*":
                self._refuse(folder, f"its name is not as nbgrader makes them (STUDENT+{name}+TIME+…)")

    def _time(self, student: str, folder: str, said: datetime, inbound: int) -> datetime:
        """Return when a submission came.

        Raises
        ------
        InvalidSubmissionError
            If it does not belong to the student, is no folder, or its notebook lies on another disk.
        """
        info = os.stat(folder, dir_fd=inbound, follow_symlinks=False)
        self._check(info, student, inbound)
        if self.believe_names:
            return said
        try:
            path = os.path.join(folder, f"{self.coursedir.assignment_id}.ipynb")
            notebook = os.stat(path, dir_fd=inbound, follow_symlinks=False)
        except OSError:  # taking it will say why
            notebook = info
        changed = max(info.st_ctime_ns, notebook.st_ctime_ns)
        if notebook.st_dev != info.st_dev:
            raise InvalidSubmissionError("its notebook is a file system of its own, which can say anything")
        return datetime(1970, 1, 1) + timedelta(microseconds=changed // 1000)

    def _check(self, info: os.stat_result, student: str, inbound: int) -> None:
        if not stat.S_ISDIR(info.st_mode):
            raise InvalidSubmissionError(
                f"it is a {KINDS.get(stat.S_IFMT(info.st_mode), 'file')}, and no folder"
            )
        if info.st_dev != os.fstat(inbound).st_dev:
            raise InvalidSubmissionError("it is a file system of its own, which can say anything")
        if self.check_owner and (owner := _login(info.st_uid)) != student:
            raise InvalidSubmissionError(f"it names {student}, and belongs to {owner}")

    def _due(self) -> datetime | None:
        if not self.before_duedate:
            return None
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                due: datetime | None = gradebook.find_assignment(self.coursedir.assignment_id).duedate
            except MissingEntry:
                return None
        return due

    def _chosen(self, hand_ins: list[HandIn], due: datetime | None) -> HandIn:
        """Return the last that came, before the due date if that is wanted and there is one."""
        in_time = [found for found in hand_ins if due and found.time <= due]
        return max(in_time or hand_ins, key=lambda found: (found.time, found.said))

    def _collect(self, found: HandIn, inbound: int) -> None:
        name = self.coursedir.assignment_id
        submitted = Path(self.coursedir.format_path(self.coursedir.submitted_directory, found.student, name))
        if os.path.lexists(submitted):
            before = time_of(submitted)
            is_newer = self.update and (before is None or found.time > before)
            if not is_newer and not (self.before_duedate and found.time != before):
                self.log.info(
                    "%s, %s: %s",
                    found.student,
                    name,
                    "nothing newer" if self.update else "collected before; --update looks for newer ones",
                )
                return
        with opened_in(inbound, found.folder) as place:
            info = os.fstat(place)
            self._check(info, found.student, inbound)
            files = {f"{name}.ipynb": notebook_in(place, name, info.st_uid)}
            key = secret_in(place, info.st_uid)
            now = os.stat(found.folder, dir_fd=inbound, follow_symlinks=False)
            time = self._time(found.student, found.folder, found.said, inbound)
            if (now.st_dev, now.st_ino, time) != (info.st_dev, info.st_ino, found.time):
                raise InvalidSubmissionError("it was changed while it was being collected: collect again")
        files[TIMESTAMP] = f"{found.time:%Y-%m-%d %H:%M:%S.%f} UTC".encode()
        if key:
            files[SECRET] = key.encode()
        else:
            self.log.warning("%s, %s: no key to its feedback; give that out by hand", found.student, name)
        self._replace(submitted, files)
        self.log.info(
            "%s, %s: collected, handed in at %s UTC", found.student, name, f"{found.time:%Y-%m-%d %H:%M}"
        )
        if abs(found.time - found.said) > FAR_APART:
            self.log.warning(
                "%s, %s: the folder's name says that it was handed in at %s UTC, the file system %s; the latter counts",
                *(found.student, name, f"{found.said:%Y-%m-%d %H:%M}", f"{found.time:%Y-%m-%d %H:%M}"),
            )

    def _replace(self, folder: Path, files: dict[str, bytes]) -> None:
        """Put files where a submission lies, all at once: who has the old folder open reads on in that."""
        new, old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")
        for path in (new, old):
            _remove(path)
        for path in (folder.parent.parent, folder.parent, new):
            if not path.is_dir():
                path.mkdir(mode=0o700)
                path.chmod(0o2770 if self.coursedir.groupshared else 0o700)
        for name, data in files.items():
            with open(os.open(new / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                os.fchmod(file.fileno(), 0o660 if self.coursedir.groupshared else 0o600)
                file.write(data)
        if os.path.lexists(folder):
            os.rename(folder, old)
        os.rename(new, folder)
        _remove(old)


def _login(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


def _remove(path: Path) -> None:
    """Remove what was collected once, whatever it is; nbgrader's own collect kept the modes that a student chose."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        path.chmod(0o700)
        for folder, inner, _ in os.walk(path):
            for name in inner:
                if not os.path.islink(os.path.join(folder, name)):
                    os.chmod(os.path.join(folder, name), 0o700)
        shutil.rmtree(path)


class ReleaseFeedback(ExchangeReleaseFeedback):  # type: ignore[misc]
    """Puts feedback into the exchange for those who handed in through it; the others are named.

    A page is found there by the key that nbgrader put beside the submission. Where two students handed in the same one,
    which no accident does, neither's page is put there.
    """

    def copy_files(self) -> None:
        """Release feedback; nbgrader calls this."""
        name = self.coursedir.assignment_id
        submissions = Course(Path(self.coursedir.root)).submissions(name)
        keys = {student: receipt(folder).get(SECRET, "") for student, folder in submissions.items()}
        times = Counter(keys.values())
        excluded = self.coursedir.student_id_exclude.split(",")
        alike = []
        for folder in sorted(map(Path, glob.glob(self.src_path))):
            student, page = folder.parts[-2], folder / f"{name}.html"
            if student in excluded or not page.is_file():
                continue
            key = keys.get(student, "")
            released = (
                Path(self.dest_path) / f"{notebook_hash(secret=key, notebook_id=name)}.html" if key else None
            )
            if released is None:
                self.log.warning(
                    "there is no key to %s's feedback, as there is for what comes through the exchange: "
                    "give out %s by hand",
                    shown(student),
                    shown(str(folder)),
                )
            elif times[key] > 1:
                released.unlink(missing_ok=True)
                alike.append(student)
            else:
                draft = released.with_name(f"{released.stem}-tmp.html")
                shutil.copyfile(page, draft)
                # Whoever knows its name may read it.
                draft.chmod(0o664 if self.coursedir.groupshared else 0o644)
                draft.replace(released)
                self.log.info("Released feedback for %s on %s", student, name)
        if alike:
            self.fail(
                f"{', '.join(alike)}: somebody else handed in the same key to the feedback on {name}, which no "
                "accident does. Nothing was released for them: ask them, and give theirs out by hand. All others "
                "got theirs."
            )
