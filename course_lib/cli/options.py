"""What the modules of the `course` command share: their errors, and the types of their options."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # what a command is added to


class UserError(Exception):
    """An error that the user can put right; shown as one sentence."""


def positive(text: str) -> int:
    """Return an option's value as a positive whole number.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none.

    Examples
    --------
    >>> positive("3")
    3
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive whole number, not {text!r}")
    return int(text)
