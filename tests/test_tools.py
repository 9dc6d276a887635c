"""The tools that write files: asked for help they write none, and they delete nothing that they have not made."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.editions import ROOT


def run(tool: str, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools" / f"{tool}.py", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


@pytest.mark.parametrize("tool", ["assignments", "notebooks", "student", "test"])
def test_help_is_all_that_who_asks_for_it_gets(tool: str, tmp_path: Path) -> None:
    done = run(tool, "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: {tool}.py [-h]")
    assert not list(tmp_path.iterdir())


def test_problem_sets_are_not_written_over_a_folder_of_other_things(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("three years of work")
    (tmp_path / "ps01").mkdir()
    done = run("assignments", tmp_path, cwd=tmp_path)
    assert done.returncode == 2
    assert "holds more than problem sets (thesis.tex)" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ps01", "thesis.tex"]
