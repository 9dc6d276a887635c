"""Files of this machine that are visible in the sandbox: Python, its packages, programs and libraries, and no more.

A folder is shown because something in it is needed, never because it is the system's: the exchange, other people's
data and other disks may lie anywhere below /usr or /opt.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import course_lib

PACKAGE = Path(course_lib.__file__).resolve().parent
STUDENTS = "/student"  # where the package is, as students have it
EXCHANGE = "/usr/local/share/nbgrader/exchange"  # where nbgrader has it unless told otherwise
# Folders of the sandbox's own: what is in this machine's is not seen there.
OF_ITS_OWN = ("/tmp", "/dev", "/proc", "/student", "/packages")
PROGRAMS = ("/usr/bin", "/bin")
DATA = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/fontconfig",
    "/usr/share/zoneinfo",
    "/usr/share/terminfo",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
)
# Of the package: modules, pages, what chapters have measured and trained. What else lies there may be anybody's notes.
PARTS = (".py", ".js", ".css", ".json", ".safetensors")
FONTS = (".ttf",)  # of figures; their names have hyphens


def shown() -> dict[str, str]:
    """Return what is shown of this machine, and where in the sandbox it is seen.

    Raises
    ------
    ValueError
        If Python, or a folder that nobody may see, lies where that cannot be done. The message says what to do.

    Examples
    --------
    >>> where = shown()
    >>> os.path.realpath(sys.executable) in where, "/usr" in where
    (True, False)
    """
    places = {path: path for path in _needed() if os.path.exists(path)}
    for path in places:
        if _is_below(path, OF_ITS_OWN):
            raise ValueError(
                f"Python lies at {path}, a place that is hidden in the sandbox: make .venv with one that is installed"
                " elsewhere"
            )
    for number, path in enumerate(package_folders()):
        places[path] = f"/packages/{number}" if _is_below(path, OF_ITS_OWN) else path
    for secret in private_folders():
        for path in places:
            if _is_below(os.path.realpath(secret), [os.path.realpath(path)]):
                raise ValueError(
                    f"{secret} lies below {path}, which students' code may read: move it elsewhere"
                )
    return places


def hidden(places: dict[str, str]) -> list[str]:
    """Return which folders below what is shown are other disks or shares, which are not: as seen in the sandbox."""
    needed = [os.path.realpath(path) for path in places]
    found = []
    for mount in _mounts():
        for path, seen in places.items():
            real = os.path.realpath(path)
            if mount != real and _is_below(mount, [real]) and not any(_is_below(n, [mount]) for n in needed):
                found.append(seen + mount.removeprefix(real))
    return [path for path in dict.fromkeys(found) if os.path.isdir(path)]


def package_folders() -> list[str]:
    """Return the folders in which this Python looks for installed packages."""
    folders = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    return [path for path in dict.fromkeys(folders) if path in sys.path and os.path.isdir(path)]


def package_files(names: Iterable[str], places: dict[str, str]) -> dict[str, str]:
    """Return where packages that the grader has must be found in the sandbox, by name.

    Examples
    --------
    >>> list(package_files(["json", "numpy.random", "no_such_package"], shown()))
    ['numpy']
    """
    found = {}
    for name in sorted({name.partition(".")[0] for name in names} - {PACKAGE.name}):
        spec = importlib.util.find_spec(name)
        for path in package_folders():
            if spec is not None and spec.origin and _is_below(spec.origin, [path]):
                found[name] = places[path] + spec.origin.removeprefix(path)
    return found


@cache
def private_folders() -> tuple[str, ...]:
    """Return what must not be seen whatever happens: the home folder, the course's, and the exchange."""
    roots = [EXCHANGE, *_exchanges_configured()]
    folders = [os.path.expanduser("~"), os.getcwd(), str(PACKAGE.parent), *roots]
    return tuple(dict.fromkeys(folder for folder in folders if os.path.exists(folder)))


def copy_package(folder: Path) -> None:
    """Copy the package, as students have it, into a folder: its modules and what they load, and nothing else.

    Any account may read the copy: root does not grade as root.
    """

    def others(path: str, names: Sequence[str]) -> list[str]:
        return [
            name
            for name in names
            if not (
                name.isidentifier()
                if os.path.isdir(os.path.join(path, name))
                else name.endswith(FONTS) or (name.endswith(PARTS) and name.partition(".")[0].isidentifier())
            )
            or name == "__pycache__"
        ]

    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=others)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _needed() -> list[str]:
    """Return what Python itself, and the system's programs, cannot run without."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or "none"
    libraries = ["/lib64", "/usr/lib64", *(f"{top}/{multiarch}" for top in ("/lib", "/usr/lib"))]
    libraries.append("/lib/ld-linux-aarch64.so.1")
    python = [os.path.realpath(sys.executable), sysconfig.get_path("stdlib")]
    python.append(sysconfig.get_path("platstdlib", vars={"platbase": sys.base_exec_prefix}))
    if sys.base_exec_prefix not in ("/usr", "/usr/local"):
        libraries.append(f"{sys.base_exec_prefix}/lib")
    paths = [*PROGRAMS, *DATA, *libraries, *python]
    return list(dict.fromkeys([*paths, *_loaded(paths)]))


def _loaded(paths: Sequence[str]) -> Iterator[str]:
    """Yield the libraries that this very process has loaded from elsewhere, under all their names."""
    folders = [os.path.realpath(path) for path in (*paths, *package_folders())]
    with open("/proc/self/maps") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if re.search(r"/.*\.so(\.|$)", line)}
    for file in sorted(files):
        if os.path.isfile(file) and not _is_below(file, folders):
            with os.scandir(os.path.dirname(file)) as entries:
                yield from sorted(entry.path for entry in entries if os.path.realpath(entry.path) == file)


def _mounts() -> list[str]:
    """Return where disks and shares are mounted on this machine."""
    with open("/proc/self/mountinfo") as file:
        return [re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), line.split()[4]) for line in file]


def _is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of these folders, or below one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _exchanges_configured() -> list[str]:
    """Return the exchanges that nbgrader's configuration names: the course's, the user's, the system's."""
    from jupyter_core.paths import jupyter_config_path
    from traitlets.config.loader import JSONFileConfigLoader, PyFileConfigLoader

    found = []
    for folder in [os.getcwd(), *jupyter_config_path()]:
        for loader in (PyFileConfigLoader, JSONFileConfigLoader):
            name = "nbgrader_config" + (".py" if loader is PyFileConfigLoader else ".json")
            path = Path(folder, name)
            readable = os.access(path, os.R_OK) and path.is_file()  # else nbgrader does not read it either
            if readable and re.search(r"\bExchange\b", path.read_text(encoding="utf-8")):
                root = loader(name, path=folder).load_config().Exchange.get("root")
                found += [os.path.expanduser(root)] if isinstance(root, str) else []
    return found
