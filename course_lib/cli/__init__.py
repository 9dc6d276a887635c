"""The `course` command: work on problem sets; remember what you read; train a translator, use it, measure it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points

from course_lib import __version__
from course_lib.cli import problem_sets, recall, translator
from course_lib.cli.options import UserError

GROUP = (
    "course.commands"  # entry points by which other distributions add commands: functions like `add_commands`
)

LADDER = """\
the problem sets:
  course start            what there is, and how far you are
  course start ps01       a copy of your own, in work/ps01
  course check ps01       what its visible tests say of your answers

what you have read, asked again in time:
  course recall           today's questions, about five minutes

from a corpus to translations:
  course train runs/first --minutes 5
  course translate runs/first "The cat, which is fluffy, sleeps."
  course evaluate runs/first --split test

Without --corpus these use the corpus that the course brings along (course corpus shows it). For a corpus of your own
add --corpus FOLDER: it holds train.en and train.fr (line n of one translates line n of the other; .gz is fine too)
and, to follow how training goes, val.en and val.fr. A tab-separated file of pairs, as Tatoeba publishes it, does as
well.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 for an error, 130 after Ctrl-C."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options) or 0)
    except (UserError, ValueError, FileNotFoundError) as error:
        print(f"course {options.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\ncourse {options.command}: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `course translate … | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="course", description=__doc__, epilog=LADDER, formatter_class=raw)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    problem_sets.add_commands(commands)
    recall.add_commands(commands)
    for plugin in sorted(entry_points(group=GROUP), key=lambda found: found.name):
        plugin.load()(commands)
    translator.add_commands(commands)
    return parser
