"""The instructor's commands of `course`: grade, explain, report, copies, recalled, board.

The distribution course-grading registers them (`course_grading/pyproject.toml`): without it `course` has none of them.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections import Counter
from functools import partial
from pathlib import Path

from course_lib.cli.options import Commands, UserError, positive

# What grades is imported inside the commands: `course --help` should not take a second.


def add_commands(commands: Commands) -> None:
    """Add grade, explain, report, copies, recalled and board to the `course` command."""
    _add_grade(commands)
    _add_explain(commands)
    _add_report(commands)
    _add_copies(commands)
    _add_recalled(commands)
    _add_board(commands)


def _add_grade(commands: Commands) -> None:
    parser = commands.add_parser(
        "grade",
        help="grade what was handed in of a problem set",
        description="Grade what lies in submitted/STUDENT/PSNN: each submission runs in a sandbox, is decided outside "
        "of it, and is entered into nbgrader's gradebook as soon as it is done. Ctrl-C stops, and loses nothing that "
        "is done; the same command goes on. What has not changed since it was graded is left alone. Exit status 1: "
        "something could not be graded, or a person's mark has to be looked at again.",
    )
    parser.set_defaults(run=_grade)
    parser.add_argument("name", metavar="PSNN", help="such as ps01")
    parser.add_argument(
        "--student", action="append", default=[], metavar="ID", help="only this one's; may be repeated"
    )
    parser.add_argument(
        "--again", action="store_true", help="what is graded already and has not changed, too"
    )
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="submissions at a time (one for each core)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--unsafe",
        action="store_true",
        help="run what students wrote without a sandbox, under your name: it can read and change all that you can",
    )
    far = parser.add_argument_group("on a dask cluster, whose workers are trusted with the checks")
    far.add_argument("--scheduler", metavar="ADDRESS", help="such as tls://grading.example:8786")
    for name in ("ca", "cert", "key"):
        far.add_argument(f"--tls-{name}", type=Path, metavar="FILE", help="(else as dask's own settings say)")


def _grade(options: argparse.Namespace) -> int:
    from traitlets import TraitError

    from course_grading.batch import BusyError, grade_class
    from course_grading.course import Course
    from course_grading.executors import cluster, local_pool, require_safe
    from course_grading.sandbox import SandboxError

    files = {name: getattr(options, f"tls_{name}") for name in ("ca", "cert", "key")}
    tls = {name: str(path) for name, path in files.items() if path}
    if tls and len(tls) < len(files):
        raise UserError("--tls-ca, --tls-cert and --tls-key belong together: give all three")
    if options.scheduler:
        require_safe(options.scheduler)  # also where nothing has to be graded
    far = partial(cluster, options.scheduler, tls)
    near = partial(local_pool, options.jobs or 0)
    try:
        graded = grade_class(
            Course(Path.cwd()),
            options.name,
            far if options.scheduler else near,
            options.student,
            options.again,
            options.unsafe,
            show_progress=not options.quiet,
        )
    except (BusyError, SandboxError, TraitError) as error:
        raise UserError(str(error)) from None
    counts = Counter(record.status for record in graded.records)
    print(
        f"{options.name}: " + (", ".join(f"{n} {status}" for status, n in counts.most_common()) or "0 graded")
    )
    for record in graded.records:
        for line in filter(
            None, [record.message and f"{record.status}: {record.message}", *record.tampering]
        ):
            _print_wrapped(f"{record.student}: {line}")
    for name in graded.misnamed:
        _print_wrapped(
            f"{name}: skipped, since no student can have this name: letters, digits and . _ - + @ only. "
            f"Give its folder in submitted/ the student's name, or remove it."
        )
    if graded.open_answers:
        print("For a person to look at:")
    for answer in graded.open_answers:
        _print_wrapped(str(answer))
    if graded.stale:
        _print_wrapped(
            f"The old feedback no longer fits and was removed: {', '.join(graded.stale)}. "
            f"'nbgrader generate_feedback {options.name}' makes it anew."
        )
    return int(not graded.is_complete)


def _print_wrapped(text: str) -> None:
    """Print a line below a summary; what students wrote does nothing to the terminal."""
    from course_lib.exercises.kernel_protocol import printable

    print(
        textwrap.fill(printable(" ".join(text.split())), 100, initial_indent="  ", subsequent_indent="    ")
    )


def _add_explain(commands: Commands) -> None:
    parser = commands.add_parser(
        "explain",
        help="say why a student's answer lost points",
        description="Print, for each case that a student's answer got wrong, the inputs, what was expected and what "
        "came. For whoever answers a complaint; students must not see it, since they get the same inputs again.",
    )
    parser.add_argument("student", metavar="STUDENT")
    parser.add_argument("name", metavar="PSNN", help="such as ps01, after `course grade ps01`")
    parser.add_argument("question", nargs="?", default="", metavar="QN", help="such as q3 (default: all)")
    parser.set_defaults(run=_explain)


def _explain(options: argparse.Namespace) -> int:
    from course_grading.course import Course
    from course_grading.explain import explain

    print(explain(Course(Path.cwd()), options.student, options.name, options.question))
    return 0


def _add_report(commands: Commands) -> None:
    parser = commands.add_parser(
        "report",
        help="say how a class did in a problem set",
        description="Print how points are distributed, how each question went, and which misconceptions were how "
        "frequent; and write reports/PSNN/report.html, with a figure.",
    )
    parser.add_argument("name", metavar="PSNN", help="such as ps01, after `course grade ps01`")
    parser.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> int:
    from course_grading.course import Course
    from course_grading.report import main_report

    print(main_report(Course(Path.cwd()), options.name))
    return 0


def _add_copies(commands: Commands) -> None:
    parser = commands.add_parser(
        "copies",
        help="find submissions that share more than is natural",
        description="List pairs of submissions whose answers share fragments that few others have, and write "
        "reports/PSNN/copies.html, with the fragments side by side. Names and comments do not matter. Whether "
        "somebody copied is for a person to say.",
    )
    parser.add_argument("name", metavar="PSNN", help="such as ps01, after `course grade ps01`")
    parser.set_defaults(run=_copies)


def _copies(options: argparse.Namespace) -> int:
    from course_grading.course import Course
    from course_grading.similarity import main_copies

    print(main_copies(Course(Path.cwd()), options.name))
    return 0


def _add_recalled(commands: Commands) -> None:
    parser = commands.add_parser(
        "recalled",
        help="say what students handed in of `course recall`",
        description="Read the files that students made by `course recall --export FILE` and chose to hand in: how each "
        "did, which questions were hard, and which misconceptions were frequent. It gives no points.",
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="FILE", help="a file, or a folder that holds some"
    )
    parser.set_defaults(run=_recalled)


def _recalled(options: argparse.Namespace) -> int:
    from course_grading.recalled import collect, summary
    from course_lib.exercises.kernel_protocol import printable

    found = collect(options.paths)
    print("\n".join(map(printable, summary(found).splitlines())))
    return int(bool(found.refused))


def _add_board(commands: Commands) -> None:
    parser = commands.add_parser(
        "board",
        help="rank the smallest layers that students handed in of ps06",
        description="Read the files smallest.json that students chose to hand in with ps06, try each layer on all "
        "texts, and print the board: the fewest numbers first, under the nicknames that students gave themselves. What "
        "is not right is told on the error output, with the file's name. It runs nothing that a student wrote, and it "
        "gives no points. Exit status 1: a file was not right.",
    )
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="FOLDER", help="or a file (default: submitted/)"
    )
    parser.set_defaults(run=_board)


def _board(options: argparse.Namespace) -> int:
    from course_grading.board import collect, ranking, refusals
    from course_lib.exercises.kernel_protocol import printable

    found = collect(options.paths or [Path("submitted")])
    print("\n".join(map(printable, ranking(found).splitlines())))
    for line in refusals(found).splitlines():
        print(printable(line), file=sys.stderr)
    return int(bool(found.refused))
