"""How nbval runs the notebooks: figures are compared by their text alternatives."""

from typing import Any


def pytest_collectstart(collector: Any) -> None:
    """Take the bytes of embedded pictures, which differ between machines, out of every notebook's comparison."""
    if hasattr(collector, "sanitize_patterns"):
        collector.sanitize_patterns[r"data:image/png;base64,[A-Za-z0-9+/=]*"] = "the picture"
