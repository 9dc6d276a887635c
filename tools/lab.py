"""Open the course in JupyterLab: the repository as its root, the start page in front.

    python tools/lab.py [options of `jupyter lab`, such as --no-browser or --port=9000]

The settings that do not depend on where and by whom it is started are in `tools/jupyter/`.
"""

import os
import sys

from environment import ROOT, course_environment

from course_lib.exercises.privacy import keep_closed

START_PAGE = "notebooks/00_start_here.ipynb"
SETTINGS = ROOT / "tools" / "jupyter"


def command(options: list[str], user_id: int) -> list[str]:
    """Return the command line of JupyterLab; it refuses to run as root unless told that this is meant."""
    fixed = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url=/lab/tree/{START_PAGE}",
        "--ContentsManager.checkpoints_class=course_lib.exercises.checkpoints.CourseCheckpoints",
        f"--CourseCheckpoints.root_dir={ROOT / '.jupyter' / 'checkpoints'}",
        # Its terminals are no login shells, which would reset PATH: `course` is found in them.
        f"--ServerApp.terminado_settings={{'shell_command': [{os.environ.get('SHELL', 'sh')!r}]}}",
        # Where `custom.css` is, which `LabApp.custom_css` switches on.
        f"--ServerApp.tornado_settings={{'static_custom_path': [{str(SETTINGS / 'custom')!r}]}}",
    ]
    as_root = ["--allow-root"] if user_id == 0 else []
    return [sys.executable, "-m", "jupyterlab", *fixed, *as_root, *options]


def lab_environment() -> dict[str, str]:
    """Return JupyterLab's environment: where students work, it shows none of nbgrader's panels for instructors."""
    variables = course_environment()
    if not (ROOT / "nbgrader_config.py").exists():
        settings = [str(SETTINGS / "student"), variables["JUPYTER_CONFIG_PATH"]]
        variables["JUPYTER_CONFIG_PATH"] = os.pathsep.join(settings)
    return variables


if __name__ == "__main__":
    os.chdir(ROOT)
    if not (ROOT / "nbgrader_config.py").exists():  # which does it, too, and knows who grades together
        keep_closed(ROOT)
    jupyter = command(sys.argv[1:], os.geteuid())
    os.execve(jupyter[0], jupyter, lab_environment())  # in this process: Ctrl-C reaches JupyterLab itself
