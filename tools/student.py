"""Pack the course as students get it, without what decides their answers.

What is packed is what lies here, committed or not, of the files that git knows; `.gitattributes` says what is left out.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT

TARGET = ROOT / "build" / "attention-course.zip"


def git(*arguments: str, **variables: str) -> str:
    """Run git in the course's folder; return what it printed."""
    environment = {**os.environ, **variables}
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.strip()


def present_state() -> str:
    """Make a commit of what lies here, on no branch; its index is its own, so that several may do so at once."""
    with tempfile.TemporaryDirectory() as folder:
        index = shutil.copy(ROOT / git("rev-parse", "--git-path", "index"), folder)
        git("status", GIT_INDEX_FILE=index)  # or `stash create` stops where a file was written as it was
        return git("stash", "create", GIT_INDEX_FILE=index) or "HEAD"


def pack(target: Path) -> list[str]:
    """Write the zip file; return what is to be said about it, a line each."""
    target.parent.mkdir(parents=True, exist_ok=True)
    state = present_state()
    changed = git("diff", "--name-only", "HEAD", state).splitlines()
    unknown = git("ls-files", "--others", "--exclude-standard").splitlines()
    output = f"--output={target}"
    git("archive", "--format=zip", "--prefix=attention-course/", "--worktree-attributes", output, state)
    lines = [f"{target} holds the course as it lies here."]
    if changed:
        lines.append(f"Not committed yet, and packed as it is if students get it: {', '.join(changed)}")
    if unknown:
        lines.append(f"NOT packed, since git does not know it ('git add' tells git): {', '.join(unknown)}")
    return lines


if __name__ == "__main__":
    if not (ROOT / ".git").exists() or not (ROOT / "solutions").exists():
        sys.exit(
            "Only a clone of the instructor's repository can pack the course for students; this is none."
        )
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "file", nargs="?", type=Path, default=TARGET, help="default: build/attention-course.zip"
    )
    print("\n".join(pack(parser.parse_args().file)))
