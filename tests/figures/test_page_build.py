"""The bundle of browser figures: what its sources give, whose code is in it, and how large it is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from course_lib.figures.page import BUNDLE, call
from tests.support.editions import ROOT
from tests.support.page_figures import EXAMPLES

WEB = ROOT / "web"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources in which the pinned tools are installed."""
    folder = tmp_path_factory.mktemp("figures")
    shutil.copytree(WEB, folder / "web", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(ROOT / "course_lib" / "figures", folder / "course_lib" / "figures")
    npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder / "web")
    return folder


def npm(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["npm", *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.needs("node")
def test_the_bundle_is_what_its_sources_give(copy):
    npm("run", "build", cwd=copy / "web")
    for name in ("figures.js", "THIRD_PARTY.md"):
        built = copy / "course_lib" / "figures" / "page" / name
        assert built.read_bytes() == BUNDLE.with_name(name).read_bytes(), f"{name}: npm run build, in web/"


@pytest.mark.needs("node")
def test_the_sources_are_typed_and_without_a_complaint_of_the_linter(copy):
    npm("run", "check", cwd=copy / "web")


def test_all_code_of_others_is_named_with_its_licence():
    text = BUNDLE.with_name("THIRD_PARTY.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (WEB / "src").rglob("*.ts*"))
    imported = set(re.findall(r'from "((?:@[^/"]+/)?[^./"@][^/"]*)', sources))
    assert imported == {"preact", "preact-render-to-string", "@fontsource-variable/source-sans-3"}
    for name in imported:
        [section] = re.findall(
            rf"^## {re.escape(name)} [\d.]+ \((?:MIT|OFL-1\.1)\)\n(.+?)(?=^## |\Z)", text, re.M | re.S
        )
        assert "Permission is hereby granted, free of charge" in section.replace("\n", " ")


def test_the_bundle_is_small_and_asks_nobody():
    text = BUNDLE.read_text(encoding="utf-8")
    assert len(text.encode()) <= 500_000
    assert set(re.findall(r"https?://[^\s\"'`)]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/1999/xlink",
    }


def test_every_figure_has_an_example_that_is_tried():
    assert set(call("names")) <= set(EXAMPLES)
