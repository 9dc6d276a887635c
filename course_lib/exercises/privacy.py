"""What other accounts on the machine must not read: which it is, and closing it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

# In the course's folder. What is in a folder that is closed cannot be reached, whatever its own mode.
PRIVATE = (
    # the student's own
    "work",
    ".jupyter",
    # marks, names, and what students wrote
    "submitted",
    "autograded",
    "feedback",
    "records",
    "backups",
    "reports",
    "set_aside",
    "downloaded",
    "gradebook.db*",
    "grades*.csv",
    "class*.csv",
    "course.secret",
    ".nbgrader.log",
    # what decides and answers questions
    "solutions",
    "tests",
    ".git",
)


def keep_closed(course: Path, group: bool = False) -> tuple[str, ...]:
    """Close the course's private files to other accounts, and let this process make no open ones.

    Parameters
    ----------
    course : Path
        Its folder.
    group : bool
        Whether the folder's group may read and write them: several who grade together.

    Returns
    -------
    tuple of str
        A line for what was open, and one for what could not be closed, with the remedy.

    Examples
    --------
    >>> import tempfile
    >>> course = Path(tempfile.mkdtemp())
    >>> (course / "submitted").mkdir()
    >>> (course / "submitted").chmod(0o755)
    >>> keep_closed(course)
    ('submitted was open to other accounts on this machine: closed now.',)
    >>> keep_closed(course)
    ()
    """
    others = stat.S_IRWXO if group else stat.S_IRWXG | stat.S_IRWXO
    os.umask(others)
    closed, open_still = list[str](), list[str]()
    for path in sorted(path for pattern in PRIVATE for path in course.glob(pattern)):
        try:
            mode = path.stat().st_mode
            wanted = stat.S_IMODE(mode) & ~others
            if group:  # as the owner may; what is made in a folder later belongs to its group, too
                wanted |= (mode & stat.S_IRWXU) >> 3 | (stat.S_ISGID if stat.S_ISDIR(mode) else 0)
            if wanted != stat.S_IMODE(mode):
                path.chmod(wanted)
                closed += [path.name] if mode & others else []
        except FileNotFoundError:  # a link to nothing, or it has just gone
            pass
        except PermissionError:
            open_still += [path.name] if mode & others else []
    told = []
    if closed:
        are = "was" if len(closed) == 1 else "were"
        told.append(f"{', '.join(closed)} {are} open to other accounts on this machine: closed now.")
    if open_still:
        names, who = " ".join(open_still), "o" if group else "go"
        are, it = ("is", "it") if len(open_still) == 1 else ("are", "them")
        told.append(
            f"{', '.join(open_still)} {are} open to other accounts on this machine, and another account owns {it}: "
            f"that one can close {it} with 'chmod {who}-rwx {names}' in {course}."
        )
    return tuple(told)
