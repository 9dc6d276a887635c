"""Open the course in JupyterLab: the repository as its root, the start page in front.

    python tools/lab.py [options of `jupyter lab`, such as --no-browser or --port=9000]

The settings that do not depend on where and by whom it is started are in `tools/jupyter/`.
"""

import os
import sys

from environment import ROOT, course_environment

START_PAGE = "notebooks/00_start_here.ipynb"


def command(options: list[str], user_id: int) -> list[str]:
    """Return the command line of JupyterLab; it refuses to run as root unless told that this is meant."""
    fixed = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url=/lab/tree/{START_PAGE}",
        # Its terminals are no login shells, which would reset PATH: `course` is found in them.
        f"--ServerApp.terminado_settings={{'shell_command': [{os.environ.get('SHELL', 'sh')!r}]}}",
    ]
    as_root = ["--allow-root"] if user_id == 0 else []
    return [sys.executable, "-m", "jupyterlab", *fixed, *as_root, *options]


if __name__ == "__main__":
    os.chdir(ROOT)
    jupyter = command(sys.argv[1:], os.geteuid())
    os.execve(jupyter[0], jupyter, course_environment())  # in this process: Ctrl-C reaches JupyterLab itself
