"""Make the students' versions of the problem sets, assignments/, from the instructor's, solutions/.

    python tools/assignments.py [FOLDER]   (into FOLDER instead of assignments/)

nbgrader takes the solutions out. What is in the folder that no problem set makes is deleted.
"""

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


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "assignments"
    generate(target)
    print(f"{len(list(target.glob('*/*.ipynb')))} problem sets are in {target.name}/")
