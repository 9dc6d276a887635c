"""Run notebooks again from top to bottom and store their outputs in them.

Only what the cells print and show is stored: no times and no widget state, which would differ in every run. Each
picture is stored once, in the HTML that has its alternative text, and not as a PNG beside it.
A notebook in which a cell fails is left as it was.
"""

import argparse
import os
from pathlib import Path

import nbformat
from environment import ROOT, course_environment
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"


def run_again(path: Path) -> None:
    """Execute one notebook in its own folder with a fresh kernel, and write it back."""
    notebook = nbformat.read(path, as_version=4)
    metadata = dict(notebook.metadata)  # execution adds which Python it was
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # how a cell's prints are cut up is a matter of timing
    ).execute()
    notebook.metadata = metadata
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            data.pop(WIDGET, None)  # its picture or text stands in for it
            if "image/png" in data and 'class="course-figure"' in data.get("text/html", ""):
                del data["image/png"]
                output.metadata.pop("image/png", None)
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if output.get("data") != {}]
    nbformat.write(notebook, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    every = sorted((ROOT / "notebooks").glob("**/*.ipynb"))
    parser.add_argument(
        "notebooks", nargs="*", type=Path, default=every, metavar="NOTEBOOK", help="default: all chapters"
    )
    chosen: list[Path] = parser.parse_args().notebooks
    os.environ.update(course_environment())
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as in tools/test.py, so that the last digits agree
    for path in chosen:
        print(path.resolve().relative_to(ROOT), flush=True)
        run_again(path.resolve())
