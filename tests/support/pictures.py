"""Pictures for tests."""

import base64
import io

from PIL import Image


def drawn(form: str, width: int, height: int, more: bytes = b"") -> str:
    """Make a picture of one colour; in base64."""
    file = io.BytesIO()
    Image.new("1" if form == "PNG" else "L", (width, height)).save(file, form)
    return base64.b64encode(file.getvalue() + more).decode()
