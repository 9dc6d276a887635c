"""Figures of chapter 13 that can be moved."""

from course_lib.chapters.ch13_fast.figures import SCORES, TOLD, VALUES, WORDS, tiles_picture
from course_lib.figures.interactive import InteractiveFigure, labelled_slider
from course_lib.figures.picture import Picture


def tiles(tile: int = 3, read: int = 3, caption: str = TOLD, number: str = "") -> InteractiveFigure:
    """Read one query's keys tile by tile: how many tiles have been read, and how large they are, can be moved.

    The scores and the values of the twelve words are chosen by hand.

    Examples
    --------
    >>> figure = tiles()
    >>> figure.set(tile=12)
    >>> figure.picture.alt[:27]
    'Tile 1 of 1, the last: the '
    """
    sizes = labelled_slider("Keys in a tile", tile, 1, len(WORDS), 1)
    steps = labelled_slider("Tiles read", read, 1, -(-len(WORDS) // tile), 1)

    def draw(tile: int, read: int) -> Picture:
        return tiles_picture(
            WORDS, SCORES, VALUES, tile=tile, read=read, caption=caption, figure_number=number
        )

    class Tiles(InteractiveFigure):
        def _follow(self) -> None:
            """There are as many tiles to read as the words fill."""
            n_tiles = -(-len(WORDS) // sizes.value)
            steps.max = max(n_tiles, 1)
            steps.value = min(steps.value, n_tiles)

    return Tiles(draw, {"read": steps, "tile": sizes})
