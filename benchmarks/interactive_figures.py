"""How long the interactive figures of the chapters take to answer; aimed at: a quarter of a second at most.

    python benchmarks/interactive_figures.py [NOTEBOOK ...]   (all chapters if none is named)

Each notebook is run in a kernel as a reader would run it; then every control of every figure in it is moved to several
places, one move at a time, and timed until its picture is sent.
"""

import json
import statistics
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
MOVE_EVERYTHING = """
def _time_interactive_figures():
    import gc, json, time
    from course_lib.figures import InteractiveFigure

    def places(control):
        if hasattr(control, "options"):
            return [option[1] if isinstance(option, tuple) else option for option in control.options][:6]
        if hasattr(control, "min"):
            middle = control.min + control.step * ((control.max - control.min) // (2 * control.step))
            return [control.min, control.max, middle, control.value]
        return [not control.value, control.value] if isinstance(control.value, bool) else []

    answers, shown = [], [0.0]  # when the last picture was sent
    for figure in [thing for thing in gc.get_objects() if issubclass(type(thing), InteractiveFigure)]:
        figure.children[-1].observe(lambda _: shown.append(time.perf_counter()), names="picture")
        for name, control in figure.controls.items():
            for place in places(control):
                start = time.perf_counter()
                control.value = place
                if shown[-1] > start:  # not where it was in that place already
                    answers.append((name, shown[-1] - start))
    print(json.dumps(answers))

_time_interactive_figures()
"""


def answers(path: Path) -> list[tuple[str, float]]:
    """Run one notebook; return control and seconds for each move."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(MOVE_EVERYTHING))
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    (printed,) = [output.text for output in notebook.cells[-1].outputs if output.get("name") == "stdout"]
    return [(name, seconds) for name, seconds in json.loads(printed)]


if __name__ == "__main__":
    print(f"{'notebook':28s} {'moves':>5s} {'median':>8s} {'slowest':>8s}  of control")
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(NOTEBOOKS.glob("*.ipynb")):
        moves = answers(path.resolve())
        if moves:
            name, slowest = max(moves, key=lambda move: move[1])
            median = statistics.median(seconds for _, seconds in moves)
            print(f"{path.stem:28s} {len(moves):5d} {median:6.3f} s {slowest:6.3f} s  {name}", flush=True)
