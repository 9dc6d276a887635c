"""Make the students' versions of the problem sets, assignments/, from the instructor's, solutions/.

nbgrader takes the solutions out. The folder is written anew: a problem set that is no longer made is deleted from it.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT, course_environment


def generate(folder: Path) -> None:
    """Write the release of every problem set into a folder, in place of what is there."""
    names = sorted(path.parent.name for path in ROOT.glob("solutions/ps*/checks.py"))
    with tempfile.TemporaryDirectory() as temporary:
        course = Path(temporary) / "course"  # with a gradebook of its own, which is thrown away
        course.mkdir()
        shutil.copy(ROOT / "nbgrader_config.py", course)
        shutil.copytree(ROOT / "solutions", course / "solutions")
        command = [sys.executable, "-m", "nbgrader", "generate_assignment", "--force", "--log-level=WARN"]
        for name in names:
            subprocess.run([*command, name], cwd=course, env=course_environment(), check=True)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(course / "assignments", folder)


def main() -> None:
    """Read the command line and make them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=ROOT / "assignments", help="default: assignments/"
    )
    target: Path = parser.parse_args().folder
    ours = re.compile(
        r"ps\d\d|\.ipynb_checkpoints|\.DS_Store"
    )  # and what programs leave in a folder that is opened
    others = [path.name for path in target.glob("*") if not ours.fullmatch(path.name)]
    if others:
        parser.error(f"{target} holds more than problem sets ({', '.join(others[:3])}): it would be deleted")
    generate(target)
    print(f"{len(list(target.glob('*/*.ipynb')))} problem sets are in {target.name}/")


if __name__ == "__main__":
    main()
