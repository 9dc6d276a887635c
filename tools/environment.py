"""The environment variables under which the course runs Jupyter.

Jupyter, IPython and Matplotlib read and write in the home folder: settings of other projects could break the
course, and the course could disturb them. Here they get a folder of their own, `.jupyter`, so that the course
behaves the same for everybody, also where there is no home folder. Whoever sets one of these variables
keeps it.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def course_environment() -> dict[str, str]:
    """Return this process's environment with the course's own folders in it; makes these folders."""
    state = ROOT / ".jupyter"
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    folders = {
        "JUPYTER_CONFIG_DIR": state / "config",
        "JUPYTER_DATA_DIR": state / "data",
        "JUPYTERLAB_WORKSPACES_DIR": state / "workspaces",
        "IPYTHONDIR": state / "ipython",
        "MPLCONFIGDIR": state / "matplotlib",
    }
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    own_settings = user_lab_settings()
    if own_settings.is_dir():
        folders["JUPYTERLAB_SETTINGS_DIR"] = own_settings
    folders["JUPYTER_CONFIG_PATH"] = ROOT / "tools" / "jupyter"
    variables = {name: str(folder) for name, folder in folders.items()}
    variables["JUPYTER_PREFER_ENV_PATH"] = "1"
    bin_folder = str(Path(sys.executable).parent)
    return {
        **variables,
        **os.environ,
        "PATH": os.pathsep.join([bin_folder, os.environ.get("PATH", os.defpath)]),
    }


def user_lab_settings() -> Path:
    """Return where the user's own JupyterLab keeps their theme, font size and shortcuts, there or not."""
    config = os.environ.get("JUPYTER_CONFIG_DIR") or os.path.expanduser("~/.jupyter")
    return Path(config, "lab", "user-settings")
