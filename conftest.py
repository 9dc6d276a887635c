"""What nbval compares of a figure: its text alternative, not its pixels, which differ between machines."""

from typing import Any


def pytest_collectstart(collector: Any) -> None:
    """Take the bytes of embedded pictures out of every notebook's comparison."""
    if hasattr(collector, "sanitize_patterns"):
        collector.sanitize_patterns[r"data:image/png;base64,[A-Za-z0-9+/=]*"] = "the picture"
