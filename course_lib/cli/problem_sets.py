"""The students' commands: start a copy of a problem set, and check it by its visible tests."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

from course_lib.cli.options import Commands, UserError


def add_commands(commands: Commands) -> None:
    """Add start and check to the `course` command."""
    _add_start(commands)
    _add_check(commands)


def _add_start(commands: Commands) -> None:
    parser = commands.add_parser(
        "start",
        help="make your own copy of a problem set",
        description="Copy a problem set into work/, where it is yours; nothing of yours is ever overwritten.",
    )
    parser.add_argument("name", nargs="?", metavar="PSNN", help="such as ps01; without it: what there is")
    parser.add_argument(
        "--anew", action="store_true", help="begin again; the copy that is there is put aside"
    )
    parser.set_defaults(run=_start)


def _start(options: argparse.Namespace) -> int:
    from course_lib.exercises import working_copies

    course = working_copies.course_folder()
    if not options.name:
        for name, title in working_copies.released(course).items():
            begun = (course / working_copies.COPIES / name).exists()
            print(f"{name}  {title}{'  (started)' if begun else ''}")
        return 0
    try:
        path, aside = working_copies.start(course, options.name, options.anew)
    except FileExistsError as error:
        raise UserError(f"{error}; --anew puts it aside and begins again") from None
    if aside:
        print(f"Your earlier copy is now in {_short(aside)}.")
    print(f"Your copy is {_short(path)}: open it in JupyterLab (make lab).")
    print(f"`course check {options.name}` says how far you are.")
    return 0


def _short(path: Path) -> str:
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _add_check(commands: Commands) -> None:
    parser = commands.add_parser(
        "check",
        help="run the visible tests of your copy of a problem set",
        description="Run your copy in a fresh kernel, as it will be graded, and say of each question how far it is. "
        "These tests carry no points: the points are given after you hand in. Exit status 1: something is missing.",
    )
    parser.add_argument("name", metavar="PSNN", help="such as ps01, or the path of a notebook")
    parser.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    from course_lib.exercises import working_copies

    path = Path(options.name)
    if path.suffix != ".ipynb":
        copies = working_copies.course_folder() / working_copies.COPIES
        path = copies / options.name / f"{options.name}.ipynb"
        if not path.exists():
            raise UserError(f"{_short(path)} is not there: `course start {options.name}` makes it")
    missing = 0
    for report in working_copies.check(path):
        done = report.state in ("passes", "written")
        missing += not done
        print(f"{'✓' if done else '✗'} {report.name:<3}  {report.title}: {report.state}", flush=True)
        if report.message:
            print(textwrap.indent(textwrap.fill(report.message, 100), "      "), flush=True)
    print("Everything is there." if not missing else f"{missing} to do.")
    return int(missing > 0)
