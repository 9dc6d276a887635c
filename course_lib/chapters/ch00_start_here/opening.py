"""What the first page opens with: a trained translator to type into."""

from pathlib import Path

from course_lib.chapters.ch00_start_here.hiding import GENDER_HEAD, THE
from course_lib.figures.page.translator import TranslatorFigure
from course_lib.translator import Translator

SENTENCE = "The red car is in front of the white house."
TWO_WAYS = "The pupil finds my important idea."  # my: mon or ma?
TOO_LONG = "The red car is in front of the white house in front of the black car."
EXAMPLES = (SENTENCE, TWO_WAYS, "The cat that the dog chased is small.", TOO_LONG)
CAPTION = (
    "The thicker the line, the more the decoder looked at the English word when it wrote the French one. "
    "The mean of 8 heads; lines below 5 % appear only for a word that you choose. </s> is the end of a sentence. "
    "Under the French: the least probability that the decoder gave one of its words."
)

BEFORE_AND_AFTER = (
    "The small car is in front of the red house."  # in French, petite before its noun, rouge after
)
LOOK = (
    "Layer 2, head 3 of the encoder. Choose another word of the lower sentence. "
    "In the other example, French puts ‘petite’ before its noun, and there ‘small’ looks at ‘car’, too."
)


def load_translator(results: str | Path) -> Translator:
    """Load the small Transformer that the course has trained, from the folder of its results."""
    return Translator.load(Path(results) / "embedded" / "transformer-0.safetensors")


def translator_figure(translator: Translator) -> TranslatorFigure:
    """Return the figure with which the first page opens.

    Examples
    --------
    >>> translator_figure(load_translator("results")).title
    '‘red car’ becomes ‘voiture rouge’, and the lines cross'
    """
    return TranslatorFigure(translator, EXAMPLES, caption=CAPTION, number="0.1")


def head_figure(translator: Translator) -> TranslatorFigure:
    """Return the figure of the encoder's head through which words learn of a noun's gender.

    Examples
    --------
    >>> head_figure(load_translator("results")).title
    'To encode ‘The’, the encoder looks mostly at ‘car’'
    """
    layer, head = GENDER_HEAD
    state = {"kind": "encoder", "heads": f"{layer}.{head}", "row": THE, "kept": True}
    return TranslatorFigure(translator, (SENTENCE, BEFORE_AND_AFTER), caption=LOOK, number="0.3", state=state)
