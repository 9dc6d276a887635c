"""How smoothly the figures that live in the page follow a hand: milliseconds from frame to frame.

    python benchmarks/page_figures.py [FIGURE ...]   (all if none is named)

Each figure's example is opened in Chromium. The pointer drags its first handle, or passes over all that answers to
pointing, one place a frame. The table shows the time from each frame to the next (60 a second are 16.7 ms apart) and
what drawing takes of it, with the bytes that the figure brings along.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.lab import chromium
from tests.support.page_figures import EXAMPLES

N_FRAMES = 120
MOVE = """
async frames => {
  const handle = document.querySelector(".cf-handle");
  const others = [...document.querySelectorAll(".cf-choice")];
  const centre = element => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const send = (target, type, x, y) => target.dispatchEvent(
    new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, bubbles: type !== "pointerenter" }));
  const [x, y] = handle ? centre(handle) : [0, 0];
  if (handle) {
    handle.setPointerCapture = () => {};
    handle.hasPointerCapture = () => true;
    send(handle, "pointerdown", x, y);
  }
  const times = [], work = [];
  for (let i = 0; i < frames; i++) {
    times.push(await new Promise(requestAnimationFrame));
    const start = performance.now();
    if (handle) send(handle, "pointermove", x + 30 * Math.sin(i / 9), y + 30 * Math.cos(i / 9));
    else {
      const other = others[i % others.length];
      send(other, "pointerenter", ...centre(other));
      other.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    await new Promise(done => setTimeout(done));
    document.body.getBoundingClientRect();
    work.push(performance.now() - start);
  }
  return [times, work];
}
"""


def main() -> None:
    """Open each figure, move it, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=f"of: {', '.join(EXAMPLES)}")
    names = parser.parse_args().figures or list(EXAMPLES)
    if unknown := sorted(set(names) - set(EXAMPLES)):
        parser.error(f"there is no figure called {' or '.join(unknown)}")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        parser.error("no Chromium here: install it (apt.txt)")
    print("| figure | props | still | frame: median | 95 % | drawing: median | 95 % |")
    print("|:--|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder, chromium(path, Path(folder)) as browser:
        for name in names:
            figure = EXAMPLES[name]()
            figure.save(Path(folder, "figure.html"))
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(Path(folder, "figure.html").as_uri())
            page.wait_for_selector("figure.cf svg")
            times, work = page.evaluate(MOVE, N_FRAMES)
            page.close()
            frames = np.diff(times)
            cells = [
                f"{len(json.dumps(figure.given['props'])) / 1000:.1f} kB",
                f"{len(figure.svg.encode()) / 1000:.0f} kB",
                *(f"{np.percentile(found, q):.1f} ms" for found in (frames, work) for q in (50, 95)),
            ]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
