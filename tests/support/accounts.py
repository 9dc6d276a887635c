"""Several accounts on this machine, for tests that root runs: a command is run as one of them, none is made.

A command sees this machine as it is, but for a list of accounts of its own, and for the folders that keep other
accounts from the Python that runs the tests. It is bubblewrap that shows it the machine so.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.editions import ROOT


def as_account(
    user: int, *command: str, group: int | None = None, instead: Mapping[str, Path] | None = None
) -> list[str]:
    """Return the command that runs a command as somebody else.

    Parameters
    ----------
    user : int
        The account's number.
    command : str
    group : int, optional
        The group's; the account's where not given.
    instead : mapping from path to Path
        What the command sees at other paths than where it is.
    """
    view = ["--dev-bind", "/", "/"]
    for needed in {Path(sys.base_prefix).resolve(), ROOT}:
        closed = [folder for folder in reversed(needed.parents) if not folder.stat().st_mode & 0o001]
        if closed:
            view += ["--tmpfs", str(closed[0])]
            inner = [folder for folder in reversed(needed.parents) if closed[0] in folder.parents]
            view += [word for folder in inner for word in ("--perms", "0755", "--dir", str(folder))]
            view += ["--ro-bind", str(needed), str(needed)]
    for path, there in (instead or {}).items():
        view += ["--bind", str(there), path]
    become = ["setpriv", f"--reuid={user}", f"--regid={group or user}", "--clear-groups", "--"]
    return ["bwrap", *view, "--cap-add", "ALL", "--", *become, *command]


def give(folder: Path, user: int) -> None:
    """Let a folder and all in it belong to an account."""
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, user, user, follow_symlinks=False)
