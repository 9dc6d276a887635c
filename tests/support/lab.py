"""JupyterLab as `make lab` starts it, and a browser that drives it."""

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect, sync_playwright

from tests.support.accounts import as_account, give
from tests.support.editions import MADE_BY_MAKE

CHROMIUM_OPTIONS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
]
WAIT = 120_000  # milliseconds, for one thing to appear or change: a slow machine must not fail
expect.set_options(timeout=WAIT)


class Lab(NamedTuple):
    """A running JupyterLab: its address, and the address that signs in on the first visit."""

    address: str
    sign_in: str


@contextmanager
def running_lab(
    course: Path, state: Path, *options: str, user: int | None = None, **variables: str
) -> Iterator[Lab]:
    """Start `make lab` as on a new machine: an empty home folder, nothing remembered; stop all of it afterwards.

    Parameters
    ----------
    course : Path
        The folder of the course, with an environment.
    state : Path
        Where this machine keeps what it remembers: home, configuration, data, the log.
    options : str
        Options of JupyterLab's.
    user : int, optional
        The account that starts it, to which course and state belong; the present one where not given.
    variables : str
        Of the environment, besides.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex()
    options = (
        "--no-browser",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}",
        *options,
    )
    environment = new_machine(state) | variables
    if user is not None:
        give(state, user)
    terminal, keyboard = os.openpty()  # at a terminal, Ctrl-C shuts down the kernels too
    with (state / "lab.log").open("wb") as log:
        command = [sys.executable, "tools/lab.py", *options]
        if MADE_BY_MAKE:
            command = ["make", "lab", f"LAB_ARGS={' '.join(options)}"]
        server = subprocess.Popen(
            command if user is None else as_account(user, *command),
            cwd=course,
            env=environment,
            stdin=keyboard,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/api/status?token={token}", server, state / "lab.log")
        yield Lab(address, f"{address}/?token={token}")
    finally:
        stop(server, state)
        os.close(terminal)
        os.close(keyboard)


def new_machine(state: Path) -> dict[str, str]:
    """Return an environment in which Jupyter remembers nothing and saves nothing by itself."""
    settings = {
        "docmanager": {"autosave": False},
        "terminal": {"screenReaderMode": True},  # its lines are elements of the page, too, and not only drawn
    }
    for extension, values in settings.items():
        folder = state / "settings" / "@jupyterlab" / f"{extension}-extension"
        folder.mkdir(parents=True)
        (folder / "plugin.jupyterlab-settings").write_text(json.dumps(values))
    around = (
        "MAKEFLAGS",
        "MAKELEVEL",
        "MFLAGS",
        "IPYTHONDIR",
        "MPLCONFIGDIR",
    )  # of the `make test` around this
    environment = {name: value for name, value in os.environ.items() if name not in around}
    return environment | {
        "HOME": str(state / "home"),
        "JUPYTER_CONFIG_DIR": str(state / "config"),
        "JUPYTER_DATA_DIR": str(state / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(state / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(state / "workspaces"),
    }


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the server answers; raise with what it printed if it stops or keeps silent."""
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


def stop(server: subprocess.Popen[bytes], state: Path) -> None:
    """Press Ctrl-C; fail if anything of the server is left running, and end that too."""
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGINT)
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    # A kernel has a session of its own, but its command line names a file in the data folder.
    left = [process for process in psutil.process_iter() if str(state) in " ".join(command_line(process))]
    _, left = psutil.wait_procs(left, timeout=10)
    for process in left:
        process.kill()
    assert not left, f"still running after Ctrl-C: {left}"


def command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # gone, or another user's
        return []


@contextmanager
def chromium(path: str, home: Path) -> Iterator[Browser]:
    """Start Debian's Chromium with a home folder of its own."""
    options = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=options, env={**os.environ, "HOME": str(home)}
        )
        yield browser
        browser.close()


@contextmanager
def signed_in(browser: Browser, lab: Lab, ignore: str | None = None) -> Iterator[Page]:
    """Open JupyterLab on its first page; fail at the end if the console has an error or another machine was asked.

    Errors that contain `ignore` are not ours.
    """
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(WAIT)
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
    page.close()
    ours = [error for error in errors if ignore is None or ignore not in error]
    assert not ours, f"errors in the console: {ours}"
    assert not requests_away, f"asked of other machines: {requests_away}"


# ---- What a person does in it ----


def notebook_in_front(page: Page, name: str) -> Locator:
    """Return the notebook `name` once it is the one in front."""
    expect(page.locator("#jp-main-dock-panel .lm-TabBar-tab.lm-mod-current")).to_have_text(name)
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")


def choose(page: Page, *path: str) -> None:
    """Choose an entry of the menu, as in `choose(page, "Run", "Run All Cells")`."""
    for name in path:
        label = page.locator(".lm-MenuBar-itemLabel, .lm-Menu-itemLabel").filter(visible=True)
        label.get_by_text(name, exact=True).click()


def run_all_cells(page: Page, notebook: Locator) -> None:
    """Run the notebook in front to its end; fail if a cell raises or warns."""
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    last = notebook.locator(
        ".jp-CodeCell .jp-InputArea-prompt"
    ).last  # a folded cell shows an empty one instead
    for _ in range(100):  # a cell that is far away has no prompt yet, and cells grow as they come into sight
        notebook.locator(".jp-WindowedPanel-outer").evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
        page.wait_for_timeout(100)
        if before := last.text_content():
            break
    choose(page, "Run", "Run All Cells")
    # A quick cell may never be seen as [*], but then it has another number.
    expect(last).not_to_have_text(before)
    expect(notebook.locator(".jp-InputPrompt", has_text="[*]")).to_have_count(0, timeout=600_000)
    # Cells out of sight have no prompt in the page, and a figure's question waits until they have run, too.
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=600_000)
    fail_if_a_cell_raised_or_warned(notebook)


def run_figure(page: Page, notebook: Locator, caption: str | None = None) -> Locator:
    """Run the cells of the notebook in front up to its first figure, or up to that with a caption; return the cell.

    Its figure lives then.
    """
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    cell = notebook.locator(".jp-CodeCell", has=page.locator(".course-still"), has_text=caption).first
    cell.locator(".course-still p").first.click()  # which selects the cell
    choose(page, "Run", "Run All Above Selected Cell")
    choose(page, "Run", "Run Selected Cell")
    cell = notebook.locator(".jp-CodeCell", has=page.locator("figure.cf"), has_text=caption).first
    expect(cell).to_be_visible()
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    fail_if_a_cell_raised_or_warned(notebook)
    return cell


def fail_if_a_cell_raised_or_warned(notebook: Locator) -> None:
    for kind in ("error", "stderr"):
        expect(notebook.locator(f"[data-mime-type='application/vnd.jupyter.{kind}']")).to_have_count(0)


def open_file(page: Page, path: str) -> None:
    """Open a file through the file browser, from the course's folder on."""
    browser = page.locator(".jp-FileBrowser")
    *folders, name = path.split("/")

    def item(name: str) -> Locator:
        return browser.locator(".jp-DirListing-item").filter(has=page.get_by_text(name, exact=True))

    above = browser.locator(".jp-BreadCrumbs-item")  # the folders on the way here, none at the top
    home = browser.locator(".jp-BreadCrumbs-home")
    reach(home.click, lambda patience: expect(above).to_have_count(0, timeout=patience))
    for folder in folders:
        reach(
            item(folder).dblclick,
            lambda patience, to=folder: expect(above.last).to_have_text(to, timeout=patience),
        )
    item(name).dblclick()


def reach(go: Callable[[], None], expect_there: Callable[[int], None]) -> None:
    """Go to a folder, and once more if need be: JupyterLab forgets a click that meets a refresh of its list."""
    for patience in (5_000, 5_000, WAIT):
        go()
        try:
            return expect_there(patience)
        except AssertionError:
            if patience == WAIT:
                raise


def bring_to_front(page: Page, name: str) -> None:
    """Click on the tab `name`."""
    page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text=name).click()


def open_terminal(page: Page) -> Locator:
    """Open a terminal; return the lines on it."""
    choose(page, "File", "New", "Terminal")
    return terminal_lines(page)


def terminal_lines(page: Page) -> Locator:
    """Return the lines of the terminal in front."""
    return page.locator(".jp-Terminal:visible .xterm-accessibility-tree > div")


def enter(page: Page, command: str) -> None:
    """Type a command into the terminal in front, as soon as it asks for one."""
    last = terminal_lines(page).filter(has_text=re.compile(r"\S")).last
    prompt = re.compile(r"[#$%>]\s*$")
    expect(last).to_have_text(prompt)
    page.locator(".jp-Terminal:visible textarea").focus()
    page.keyboard.type(command)
    expect(last).not_to_have_text(prompt)
    page.keyboard.press("Enter")
