"""The command `course recall`: today's questions, in the terminal."""

from __future__ import annotations

import argparse
import textwrap
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from course_lib.cli.options import Commands, UserError

# What asks is imported inside the command: `course --help` should not take a second.
if TYPE_CHECKING:
    from course_lib.exercises.recall.bank import Bank
    from course_lib.exercises.recall.store import Store

HOW = """\
Each day asks what is due: a few new questions on the chapters that you have read, and earlier ones again. A right
answer moves a question to the next of five boxes, and it comes back after 3, 7, 14 and 28 days; what was wrong comes
back tomorrow.

  course recall                what is due today: ten questions at most
  course recall --read 3       the same, once you have read chapter 03
  course recall --chapter 3    all questions of chapter 03, due or not, to practise
  course recall --status       where you stand
  course recall --export recall.json   a file that you may hand in, if your instructor asks for it

Type a letter, a number, or letters in order, and Enter. Enter alone puts a question off. Ctrl-C ends, and what you have
answered is saved. Your answers are in work/recall.json, on this machine only.
"""


def add_commands(commands: Commands) -> None:
    """Add recall to the `course` command."""
    parser = commands.add_parser(
        "recall",
        help="answer today's questions on the chapters that you have read",
        description="Ask today's questions, about five minutes.",
        epilog=HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--read",
        type=_chapter,
        default=0,
        metavar="NN",
        help="the chapter that you have read last; it is kept",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--chapter", type=_chapter, default=0, metavar="NN", help="all questions of one chapter"
    )
    what.add_argument("--status", action="store_true", help="say where you stand, and ask nothing")
    what.add_argument("--export", type=Path, metavar="FILE", help="write a file to hand in, and ask nothing")
    parser.set_defaults(run=_recall)


def _chapter(text: str) -> int:
    from course_lib.exercises.recall.bank import LAST_CHAPTER

    if not text.isdecimal() or not 1 <= int(text) <= LAST_CHAPTER:
        raise argparse.ArgumentTypeError(f"expected a chapter from 1 to {LAST_CHAPTER}, not {text!r}")
    return int(text)


def _recall(options: argparse.Namespace) -> int:
    from course_lib.exercises.recall.bank import load
    from course_lib.exercises.recall.store import Store
    from course_lib.exercises.recall.terminal import status

    bank, store = load(), Store.of_course()
    try:
        if options.read:
            store.mark_read(options.read)
        if options.export:
            _export(store, options.export)
        elif options.status:
            print(status(bank, store.load(), date.today()))
        else:
            return _ask(bank, store, options.chapter)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"{error.filename or store.path}: {error.strerror or error}") from None
    finally:
        if news := store.news():
            print(news)
    return 0


def _ask(bank: Bank, store: Store, chapter: int) -> int:
    from course_lib.exercises.recall.session import Session
    from course_lib.exercises.recall.terminal import ask, ask_what_was_read

    session = Session(bank, store, chapter=chapter)
    try:
        if not chapter and not store.load().read and (read := ask_what_was_read(bank)):
            store.mark_read(read)
        ask(session)
    except (KeyboardInterrupt, EOFError) as ended:
        n = len(session.answered)
        saved = f"{n} answer{'s' * (n > 1)} saved." if n else "Nothing was answered."
        print(f"\nStopped. {saved} `course recall` goes on.")
        return 130 if isinstance(ended, KeyboardInterrupt) else 0
    return 0


def _export(store: Store, path: Path) -> None:
    from course_lib.exercises.recall.store import export

    kept = store.load()
    n = len(kept.answers)
    if not n:
        raise UserError("nothing was answered yet, so there is nothing to hand in")
    try:
        export(kept, path, date.today())
    except FileExistsError as error:
        raise UserError(str(error)) from None
    said = (
        f"{path} holds your {n} answer{'s' * (n > 1)}: for each the question, the day, whether it was right, and "
        f"which misconception a wrong one showed. Your name is not in it. Nothing is sent: hand the file in, or do not."
    )
    print(textwrap.fill(said, 100, break_on_hyphens=False))
