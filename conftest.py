"""How nbval runs the notebooks: figures are compared by their text alternatives, trainings by the clock are short."""

import os
import re
from typing import Any

MINUTES = 0.1  # of a training that a notebook's reader watches for longer; `make soak` does, too


def pytest_collectstart(collector: Any) -> None:
    """Take the bytes of embedded pictures, which differ between machines, out of every notebook's comparison."""
    if hasattr(collector, "sanitize_patterns"):
        collector.sanitize_patterns[r"data:image/png;base64,[A-Za-z0-9+/=]*"] = "the picture"


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Shorten what is trained for a number of minutes and not compared, whatever comes of it."""
    if os.environ.get("COURSE_WHOLE_TRAININGS"):
        return
    for cell in (item.cell for item in items if hasattr(item, "cell")):
        if "nbval-ignore-output" in cell.metadata.get("tags", []):
            cell.source = re.sub(r"(?m)^MINUTES = [\d.]+$", f"MINUTES = {MINUTES}", cell.source)
