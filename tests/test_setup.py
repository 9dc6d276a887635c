"""The set-up: what `make` does before, between and after an installation, and when something is missing.

The course that these tests install is a tiny one: the real Makefile and tools, real pip and `venv`, but a package
without dependencies that is built by a few lines beside it. So they need no network.
"""

import ast
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import textwrap
import time
from collections import Counter
from importlib import metadata
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]

BACKEND = """
import os, time, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with open("builds", "a") as file:
        file.write("x")
    if os.path.exists("slow"):
        time.sleep(60)
    if os.path.exists("broken"):
        raise SystemExit("broken")
    name = "tiny-1.0-py3-none-any.whl"
    needs = open("needs").read() if os.path.exists("needs") else ""
    head = "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\nProvides-Extra: student\\nProvides-Extra: developer\\n"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("tiny-1.0.dist-info/METADATA", head + needs)
        wheel.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("tiny-1.0.dist-info/RECORD", "")
    return name
"""
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
requires-python = ">=3.11,<3.15"
"""
NO_NETWORK = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_RETRIES": "1",
    "PIP_TIMEOUT": "1",
}


class Course:
    """A tiny course in a folder, and `make` in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.venv = folder / ".venv"
        self.stamp = self.venv / "course-stamp"
        (folder / "tools").mkdir(parents=True)
        for name in ("Makefile", "tools/install.py"):
            (folder / name).write_bytes((ROOT / name).read_bytes())
        self.write("backend.py", BACKEND)
        self.write("pyproject.toml", PROJECT)
        self.write("constraints.txt", "")

    def write(self, name: str, text: str = "") -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    @property
    def builds(self) -> int:
        """How often pip has built the package."""
        log = self.folder / "builds"
        return len(log.read_text()) if log.exists() else 0

    def start(self, python: str | Path = sys.executable, **variables: str) -> subprocess.Popen[str]:
        outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON")  # of the `make test` around this
        environment = {name: value for name, value in os.environ.items() if name not in outer}
        return subprocess.Popen(
            ["make", "install", *([f"PYTHON={python}"] if python else [])],
            cwd=self.folder,
            env=environment | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def make(self, python: str | Path = sys.executable, **variables: str) -> tuple[int, str, str]:
        """Run `make install`; return its exit code, output and messages."""
        process = self.start(python, **variables)
        output, messages = process.communicate(timeout=120)
        return process.returncode, output, messages

    def installed(self) -> bool:
        return self.make() == (0, "", "") and (self.venv / "bin" / "pip").exists()

    def python_where(self, change: str) -> Path:
        """Return an interpreter that differs from this one by the line `change`."""
        program = f"import runpy, sys; sys.argv = sys.argv[1:]; {change}; runpy.run_path(sys.argv[0], None, '__main__')"
        python = self.write("other-python", f'#!/bin/sh\nexec "{sys.executable}" -c "{program}" "$@"\n')
        python.chmod(0o755)
        return python


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path / "a course")


def tool(name: str) -> ModuleType:
    """Import a script of tools/ as it is imported there."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "tools"))
    return module


# ---- Installing ----


def test_what_the_folder_holds_decides_what_is_installed(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    install = tool("install")
    monkeypatch.setattr(install, "ROOT", course.folder)
    stamps = []
    for part, wanted in (
        ("notebooks", "-e .[student]"),
        ("course_grading", "-e .[student] -e ./course_grading"),
        ("tests", "-e .[student,developer] -e ./course_grading"),
    ):
        (course.folder / part).mkdir()
        (course.folder / part / "pyproject.toml").touch()
        assert " ".join(install.wanted_packages()) == wanted
        stamps.append(install.wanted_stamp()[1])
    assert len(set(stamps)) == 3


@pytest.mark.share(2)
def test_the_second_call_does_nothing_and_a_changed_pin_is_installed_in_place(course: Course) -> None:
    code, output, _ = course.make()
    assert code == 0
    assert "Installed in" in output
    assert course.builds == 1

    assert course.make() == (0, "", "")
    assert course.make(python="") == (0, "", "")  # .venv's own interpreter is the same one
    assert course.builds == 1

    (course.venv / "mine").touch()
    course.write("constraints.txt", "numpy==2.4.6\n")
    code, output, _ = course.make()
    assert code == 0
    assert course.builds == 2
    assert (course.venv / "mine").exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "sys.version_info = (3, 9, 18)",
            r"needs Python 3\.11 to 3\.14 and this is 3\.9: .*'make lab PYTHON=python3",
        ),
        ("sys.version_info = (3, 15, 0)", r"needs Python 3\.11 to 3\.14 and this is 3\.15: "),
        ("sys.modules['ensurepip'] = None", r"cannot make virtual environments: install .*python3-venv"),
        ("sys.modules['venv'] = None", r"cannot make virtual environments: install .*python3-venv"),
        (
            "import shutil; shutil.disk_usage = lambda path: shutil._ntuple_diskusage(9e9, 7e9, 2e9)",
            r"needs 3 GB of disk .* 2\.0 GB are free here: make room",
        ),
    ],
)
def test_what_is_missing_is_told_in_a_sentence_and_nothing_is_made(
    course: Course, change: str, sentence: str
) -> None:
    code, _, messages = course.make(course.python_where(change))
    assert code
    told, from_make = messages.strip().splitlines()
    assert re.search(sentence, told)
    assert from_make.startswith("make: ***")
    assert not course.venv.exists()


def test_an_interpreter_that_is_not_there(course: Course) -> None:
    code, _, messages = course.make("no-such-python")
    assert code
    assert messages.startswith("There is no 'no-such-python' here: install Python 3.11 or newer, or name it")
    assert not course.venv.exists()


@pytest.mark.share(2)
def test_without_network(course: Course) -> None:
    course.write("needs", "Requires-Dist: numpy\n")
    code, _, messages = course.make(**NO_NETWORK)
    assert code
    assert "The course is not installed: pip reached no package index: check the network" in messages
    assert not course.venv.exists()


@pytest.mark.share(2)
def test_a_package_without_a_build_for_this_machine(course: Course) -> None:
    course.write("needs", "Requires-Dist: numpy\n")
    code, _, messages = course.make(PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert code
    assert "pip found no build of the package named above for this machine" in messages
    assert not course.venv.exists()


@pytest.mark.share(2)
def test_a_failed_update_leaves_what_was_there(course: Course) -> None:
    course.make()
    before = course.stamp.read_text()
    course.write("constraints.txt", "numpy==2.4.6\n")
    broken = course.write("broken")
    code, _, messages = course.make()
    assert code
    assert "pip failed, so see its message above" in messages
    assert course.stamp.read_text() == before
    broken.unlink()
    assert course.make()[0] == 0
    assert course.installed()


def start_slowly(course: Course) -> subprocess.Popen[str]:
    """Start an installation and return when pip is in the middle of it."""
    course.write("slow")
    process = course.start()
    for _ in range(600):
        if course.builds:
            return process
        time.sleep(0.1)
    raise AssertionError("pip has not started")


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)])
def test_an_interruption_leaves_nothing(course: Course, number: signal.Signals) -> None:
    process = start_slowly(course)
    os.killpg(process.pid, number)
    _, messages = process.communicate(timeout=60)
    assert process.returncode
    assert "Interrupted before the course was installed" in messages
    assert not course.venv.exists()


@pytest.mark.share(2)
def test_an_installation_that_was_killed_is_redone(course: Course) -> None:
    process = start_slowly(course)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    (course.venv / "half-made").touch()
    assert course.stamp.read_text() == "unfinished\n"

    (course.folder / "slow").unlink()
    assert course.make(python="")[0] == 0
    assert not (course.venv / "half-made").exists()
    assert course.installed()


@pytest.mark.share(2)
def test_an_update_in_the_middle_of_a_term_leaves_marks_and_copies_alone(tmp_path: Path) -> None:
    def git(folder: Path, *arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=b", "-c", "init.defaultBranch=main")
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)

    published = Course(tmp_path / "published")
    shutil.copy(ROOT / ".gitignore", published.folder)
    (published.folder / "solutions").mkdir()
    published.write("solutions/checks.py", "old\n")
    git(published.folder, "init", "-q")
    git(published.folder, "add", ".")
    git(published.folder, "commit", "-qm", "one")
    git(tmp_path, "clone", "-q", "published", "mine")
    mine = Course.__new__(Course)
    mine.folder, mine.venv = tmp_path / "mine", tmp_path / "mine" / ".venv"
    assert mine.make()[0] == 0
    kept = (
        "gradebook.db",
        "course.secret",
        "submitted/ada/ps01/ps01.ipynb",
        "records/ps01/ada.json",
        "work/ps01/a.py",
    )
    for name in kept:
        (mine.folder / name).parent.mkdir(parents=True, exist_ok=True)
        mine.write(name, name)
    published.write("solutions/checks.py", "new\n")
    published.write("constraints.txt", "numpy==2.4.6\n")
    git(published.folder, "commit", "-qam", "two")

    def update() -> int:
        return subprocess.run(
            ["make", "update"], cwd=mine.folder, capture_output=True, check=False
        ).returncode

    mine.write("solutions/checks.py", "my own\n")
    assert update()
    assert (mine.folder / "solutions/checks.py").read_text() == "my own\n"
    git(mine.folder, "checkout", "solutions/checks.py")
    assert update() == 0
    assert (mine.folder / "solutions/checks.py").read_text() == "new\n"
    assert mine.builds == 2
    assert [(mine.folder / name).read_text() for name in kept] == list(kept)


@pytest.mark.share(2)
def test_two_at_once_install_once(course: Course) -> None:
    first, second = course.start(), course.start()
    for process in (first, second):
        process.communicate(timeout=120)
        assert process.returncode == 0
    assert course.builds == 1


@pytest.mark.share(2)
def test_another_interpreter_or_place_makes_it_anew(course: Course) -> None:
    course.make()
    (course.venv / "mine").touch()
    moved = Course(course.folder.with_name("moved"))
    course.venv.rename(moved.venv)
    assert moved.make()[0] == 0
    assert not (moved.venv / "mine").exists()
    assert moved.installed()


def test_a_venv_of_somebody_else_is_left_alone(course: Course) -> None:
    course.venv.mkdir()
    (course.venv / "mine").touch()
    code, _, messages = course.make()
    assert code
    assert "a folder .venv here that 'make' did not make: move it away" in messages
    assert [path.name for path in course.venv.iterdir()] == ["mine"]


def test_old_pythons_can_read_the_script_that_turns_them_away() -> None:
    ast.parse((ROOT / "tools" / "install.py").read_text(), feature_version=(3, 6))


# ---- The lists of packages ----


def test_every_installed_package_is_pinned() -> None:
    def normal(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    lines = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE)
    pins = {normal(name): version for name, version in lines}
    others = {
        "course-lib",
        "course-grading",
        "pip",
        "wheel",
        "setuptools",
    }  # ours, and what conda brings along with Python
    installed = {
        normal(package.name): package.version.partition("+")[0]  # torch 2.13.0+cpu is torch 2.13.0
        # not what setuptools brings along for itself, which is on the path once it has been imported
        for package in metadata.distributions(path=[sysconfig.get_path("purelib")])
        if normal(package.name) not in others and not package.name.startswith(("nvidia-", "cuda-", "triton"))
    }
    assert installed == {name: pins.get(name) for name in installed}
    assert pins["setuptools"]  # builds the course


def test_conda_installs_the_same_list() -> None:
    lines = [line.strip() for line in (ROOT / "environment.yml").read_text().splitlines()]
    assert "- -c constraints.txt" in lines
    assert "- -e .[student]" in lines
    wanted = " ".join(tool("install").wanted_packages())
    assert f"pip install -c constraints.txt {wanted}" in (ROOT / "environment.yml").read_text()


# ---- JupyterLab and its environment ----


def test_jupyterlab_is_allowed_to_run_as_root_only_if_root_starts_it() -> None:
    command = tool("lab").command
    assert "--allow-root" in command([], 0)
    assert "--allow-root" not in command([], 1000)
    assert command(["--no-browser"], 1000)[-1] == "--no-browser"


def test_jupyter_leaves_the_home_folder_alone_but_keeps_the_users_theme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("JUPYTER")]:
        monkeypatch.delenv(name)
    environment = tool("environment")
    monkeypatch.setattr(environment, "ROOT", tmp_path / "course")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("IPYTHONDIR", "chosen")

    variables = environment.course_environment()
    assert "JUPYTERLAB_SETTINGS_DIR" not in variables
    assert variables["IPYTHONDIR"] == "chosen"
    assert not (tmp_path / "home").exists()

    own = tmp_path / "home" / ".jupyter" / "lab" / "user-settings"
    own.mkdir(parents=True)
    variables = environment.course_environment()
    assert variables["JUPYTERLAB_SETTINGS_DIR"] == str(own)
    assert str(tmp_path / "home") not in variables["JUPYTER_CONFIG_DIR"] + variables["JUPYTER_DATA_DIR"]


# ---- Tests and notebooks ----


def test_all_steps_run_and_one_failure_fails(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    steps = tool("test")
    monkeypatch.setattr(steps, "STEPS", {"one": ["no_such_module"], "two": ["this"]})
    assert steps.main() == 1
    printed = capfd.readouterr().out
    assert "Beautiful is better than ugly" in printed
    assert printed.endswith("FAILED: one\n")

    monkeypatch.setattr(steps, "STEPS", {"types": ["no_such_module"], "two": ["this"]})
    assert steps.main() == 1
    poem, types = capfd.readouterr().out.split(
        "=== types: no_such_module\n"
    )  # what ran beside is printed last
    assert "Beautiful is better than ugly" in poem
    assert types.endswith("No module named no_such_module\nFAILED: types\n")

    monkeypatch.setattr(steps, "STEPS", {"types": ["this"], "two": ["this"]})
    assert steps.main() == 0
    assert capfd.readouterr().out.endswith("All passed: types, two.\n")


def test_of_the_further_pages_six_seeds_in_a_row_run_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    left_out = Counter[str]()
    for seed in ("4", "5", "6", "7", "8", "9"):
        monkeypatch.setenv("HYPOTHESIS_SEED", seed)
        steps = tool("test")
        left_out.update(steps.LEFT_OUT)
        assert set(steps.LEFT_OUT) < set(steps.STEPS["tests and notebooks"])
    pages = (ROOT / "notebooks" / "deeper").glob("*.ipynb")
    assert left_out == {f"--ignore=notebooks/deeper/{path.name}": 5 for path in pages}


SHARED = """
import pytest

@pytest.mark.share(3)
@pytest.mark.parametrize("case", range(8))
def test_case(case): pass

@pytest.mark.share(2)
def test_slow(): pass

def test_always(): pass

@pytest.mark.soak
@pytest.mark.share(2)
def test_longest(): pass

@pytest.mark.share(2)
def test_slower(): pass
"""
SHARED_FILE = """
import pytest
pytestmark = pytest.mark.share(2)
def test_{name}_one(): pass
def test_{name}_two(): pass
"""


def cases_run(folder: Path, *options: str, **variables: str) -> set[str]:
    """Return the tests above that pytest runs with these options and variables."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_shared.py").write_text(SHARED)
    for name in ("browser", "lab"):
        (folder / f"test_{name}.py").write_text(SHARED_FILE.format(name=name))
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = soak: takes long\n")
    clean = {name: value for name, value in os.environ.items() if name != "HYPOTHESIS_SEED"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "-m", "not soak", *options]
    run = subprocess.run(
        command,
        cwd=folder,
        env=clean | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(re.findall(r"::test_(\S+) PASSED", run.stdout))


def test_of_what_is_shared_each_seed_runs_a_part_and_soak_all(tmp_path: Path) -> None:
    cases = {f"case[{number}]" for number in range(8)}
    browser, lab = ({f"{name}_one", f"{name}_two"} for name in ("browser", "lab"))
    shared = cases | {"slow", "slower"} | browser | lab
    parts = [cases_run(tmp_path, HYPOTHESIS_SEED=seed) for seed in ("3", "4", "5")]
    assert parts[0] == {"case[0]", "case[3]", "case[6]", "slower", "always"} | lab
    assert parts[1] == {"case[1]", "case[4]", "case[7]", "slow", "always"} | browser
    assert set.union(*parts) == shared | {"always"}
    assert cases_run(tmp_path) == shared | {"always"}
    assert cases_run(tmp_path, "-m", "soak", HYPOTHESIS_SEED="3") == shared | {"longest"}


SKIPPING = """
import pytest

@pytest.mark.needs("gpu")
def test_gpu(): pass

@pytest.mark.needs("sandbox")
def test_sandbox(): pass

def test_corpus(corpus_folder): pass

@pytest.mark.xfail
def test_known(): assert False
"""


def run_skipping(folder: Path, **variables: str) -> tuple[int, str]:
    """Run the tests above where there is no GPU, no sandbox and no corpus; return exit code and output."""
    lacking = (ROOT / "tests" / "conftest.py").read_text() + textwrap.dedent(
        """
        NEEDS["gpu"] = NEEDS["gpu"]._replace(is_here=lambda: False)
        NEEDS["sandbox"] = NEEDS["sandbox"]._replace(is_here=lambda: False)
        """
    )
    (folder / "conftest.py").write_text(lacking)
    (folder / "test_skipping.py").write_text(SKIPPING)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("COURSE_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers"]
    run = subprocess.run(
        command, cwd=folder, env=clean | variables, capture_output=True, text=True, check=False
    )
    return run.returncode, run.stdout


def test_what_was_skipped_is_listed_with_its_remedy(tmp_path: Path) -> None:
    code, output = run_skipping(tmp_path)
    assert code == 0
    closing = output[output.index("skipped, and what would run it") :]
    for words in (
        "1 × no GPU here — ",
        "1 × no sandbox here — install bubblewrap",
        "1 × no corpus here — set COURSE_",
    ):
        assert words in closing
    assert "3 skipped, 1 xfailed" in closing.splitlines()[-1]


def test_where_everything_is_required_a_skip_fails_but_for_a_gpu_or_a_corpus_not_given(
    tmp_path: Path,
) -> None:
    code, output = run_skipping(tmp_path, COURSE_REQUIRE_ALL="1")
    assert code == 1
    assert "Skipped, which COURSE_REQUIRE_ALL forbids: no sandbox here" in output
    assert "2 skipped, 1 xfailed, 1 error" in output

    _, output = run_skipping(tmp_path, COURSE_REQUIRE_ALL="1", COURSE_CORPUS=str(tmp_path / "not there"))
    assert "1 skipped, 1 xfailed, 2 errors" in output


def save_notebook(path: Path, *sources: str) -> None:
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(sources)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


def test_notebooks_run_again_are_the_same_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    save_notebook(path, "import ipywidgets\nipywidgets.IntSlider()", "print(1 + 1)")
    run_again = tool("notebooks").run_again
    run_again(path)
    once = path.read_bytes()
    assert b'"2\\n"' in once
    assert b"widget-view" not in once
    run_again(path)
    assert path.read_bytes() == once


def test_a_notebook_that_fails_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    save_notebook(path, "1 / 0")
    before = path.read_bytes()
    with pytest.raises(Exception, match="ZeroDivisionError"):
        tool("notebooks").run_again(path)
    assert path.read_bytes() == before
