"""Titles and captions of the chapter's figures, by their numbers."""

TITLES = {
    "4.2": "Every word asks at once: ‘cat’ reads ‘fluffy’, ‘sleeps’ reads ‘cat’",
    "4.3": "The outputs move with their words",
    "4.4": "The loss falls, and fluffy turns to the noun",
    "4.5": "This model reads the noun at position 1, and is lost without one",
    "4.6": "Two trainings learn a place; the third follows the adjective, coarsely",
    "4.7": "Beyond training, the models name the first noun, then the second",
}
CAPTIONS = {
    "4.1": "Numbers set by hand: to the right is what is an animal, upwards what is soft. The underlined word asks; "
    "the thicker an arc, the more it reads there. Under More: sharpness multiplies the scores.",
    "4.2": "Frames: what ‘cat’ needs. Darker cells are larger weights.",
    "4.3": "A column of cells is the output at one word; the stronger a cell, the larger in size its number. Lines "
    "join equal outputs (those of the two ‘the’ are equal, too): thin grey ones have stayed, thick ones have moved.",
    "4.4": "The underlined word reads. The thicker an arc, the larger its weight.",
    "4.5": "Numbers: whose position vector a word gets. Bold: the right noun.",
    "4.6": "Means of 20 models, rows scaled to their largest. Circles: the right noun in training; crosses: the other.",
    "4.7": "Lines: medians of 20 models. Bands: from the lowest to the highest. Grey: the starts of training.",
}


def words_of(figure: str) -> dict[str, str]:
    """Return a figure's `number`, `caption` and, where the figure does not write its own, `title`.

    Raises
    ------
    KeyError
        If the chapter has no such figure.

    Examples
    --------
    >>> words_of("4.7")["title"]
    'Beyond training, the models name the first noun, then the second'
    """
    title = {"title": TITLES[figure]} if figure in TITLES else {}
    return {"number": figure, "caption": CAPTIONS[figure], **title}
