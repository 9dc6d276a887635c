"""Make the fonts of course_lib/figures/fonts from the one that npm installs (needs fonttools and brotli)."""

from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

WEB = Path(__file__).parent
SOURCE = WEB / "node_modules/@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2"

for style, weight in {"Regular": 400, "Bold": 600}.items():
    bold = style == "Bold"
    font = instantiateVariableFont(TTFont(SOURCE), {"wght": weight})
    font.flavor = None
    names = {
        1: "Course Sans",
        2: style,
        3: f"CourseSans{style}",
        4: f"Course Sans {style}",
        6: f"CourseSans-{style}",
    }
    for record in font["name"].names:
        record.string = names.get({16: 1, 17: 2}.get(record.nameID, record.nameID), record.toUnicode())
    font["OS/2"].usWeightClass = 700 if bold else 400  # which is what matplotlib calls bold
    font["OS/2"].fsSelection = font["OS/2"].fsSelection & ~0x61 | (0x20 if bold else 0x40)
    font["head"].macStyle = int(bold)
    font.save(WEB.parent / f"course_lib/figures/fonts/course-sans-{style.lower()}.ttf")
