"""The course on a new machine, its JupyterLab, and a browser signed in to it: one of each for the tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.support.editions import link_environment, unpack_students_edition
from tests.support.lab import Lab, chromium, running_lab, signed_in


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the machine keeps what it remembers."""
    return tmp_path_factory.mktemp("machine")


@pytest.fixture(scope="module")
def course(machine: Path) -> Path:
    """The course as a student has it after the installation."""
    folder = machine / "course"
    unpack_students_edition(folder)
    link_environment(folder)
    return folder


@pytest.fixture(scope="module")
def lab(course: Path, machine: Path) -> Iterator[Lab]:
    with running_lab(course, machine) as lab:
        yield lab


@pytest.fixture(scope="module")
def page(browser_path: str, lab: Lab, machine: Path) -> Iterator[Page]:
    with chromium(browser_path, machine) as browser, signed_in(browser, lab) as page:
        yield page
