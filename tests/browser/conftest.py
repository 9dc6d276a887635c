"""JupyterLab as `make lab` starts it, and a browser that drives it."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_OPTIONS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
]


WAIT = 30_000  # milliseconds, for one thing to appear or change: a slow machine must not fail


class Lab(NamedTuple):
    """A running JupyterLab: its address, and the address that signs in on the first visit."""

    address: str
    sign_in: str


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """Start `make lab` as on a new machine: an empty home folder, nothing remembered; stop all of it afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex()
    options = (
        f"--no-browser --ServerApp.port={port} --ServerApp.port_retries=0 --IdentityProvider.token={token}"
    )
    made_by_make = Path(sys.prefix) == ROOT / ".venv"
    command = ["make", "lab", f"LAB_ARGS={options}"]
    terminal, keyboard = os.openpty()  # at a terminal, Ctrl-C shuts down the kernels too
    with (tmp_path / "lab.log").open("wb") as log:
        server = subprocess.Popen(
            command if made_by_make else [sys.executable, "tools/lab.py", *options.split()],
            cwd=ROOT,
            env=new_machine(tmp_path),
            stdin=keyboard,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/api/status?token={token}", server, tmp_path / "lab.log")
        yield Lab(address, f"{address}/?token={token}")
    finally:
        stop(server, tmp_path)
        os.close(terminal)
        os.close(keyboard)


def new_machine(folder: Path) -> dict[str, str]:
    """Return an environment in which Jupyter remembers nothing and saves nothing by itself."""
    settings = folder / "settings" / "@jupyterlab" / "docmanager-extension"
    settings.mkdir(parents=True)
    (settings / "plugin.jupyterlab-settings").write_text(
        '{"autosave": false}'
    )  # leave the notebooks as they are
    make = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")  # of the `make test` around this
    environment = {name: value for name, value in os.environ.items() if name not in make}
    return environment | {
        "HOME": str(folder / "home"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
    }


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the server answers; raise with what it printed if it stops or keeps silent."""
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


def stop(server: subprocess.Popen[bytes], folder: Path) -> None:
    """Press Ctrl-C; fail if anything of the server is left running, and end that too."""
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGINT)
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    # A kernel has a session of its own, but its command line names a file in the data folder.
    left = [process for process in psutil.process_iter() if str(folder) in " ".join(command_line(process))]
    _, left = psutil.wait_procs(left, timeout=10)
    for process in left:
        process.kill()
    assert not left, f"still running after Ctrl-C: {left}"


def command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # gone, or another user's
        return []


@pytest.fixture
def page(browser_path: str, lab: Lab, tmp_path: Path) -> Iterator[Page]:
    """Open a new browser, signed in to JupyterLab on its first page.

    The test fails if the console reported an error or if anything was asked of another machine.
    """
    options = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=options, env={**os.environ, "HOME": str(tmp_path)}
        )
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(WAIT)
        expect.set_options(timeout=WAIT)
        errors: list[str] = []
        requests_away: list[str] = []

        def on_console(message: ConsoleMessage) -> None:
            if message.type == "error":
                errors.append(f"{message.text} {message.location}")

        def on_request(request: Request) -> None:
            if not request.url.startswith((lab.address, lab.address.replace("http", "ws"), "data:", "blob:")):
                requests_away.append(request.url)

        page.on("console", on_console)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", on_request)
        page.goto(lab.sign_in)
        yield page
        browser.close()
    assert errors == []
    assert requests_away == []
