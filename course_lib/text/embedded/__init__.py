"""The course's own English–French corpus, which comes with the package: annotated pairs and their lexicon.

A grammar of both languages made it, once (`tools/grammar/` in the repository). `DATA_CARD.md`, beside this file,
says what is in it and how it was checked.
"""

from course_lib.text.embedded.export import write_parallel, write_tsv
from course_lib.text.embedded.hard import FEW, REVERSALS, Reversal, load_few, load_reversals
from course_lib.text.embedded.lexicon import Adjective, Noun, load_adjectives, load_nouns
from course_lib.text.embedded.pairs import CHECKSUM, SPLITS, VERSION, AnnotatedPair, checksum, load_embedded
from course_lib.text.embedded.phenomena import PHENOMENA

__all__ = [
    "CHECKSUM",
    "FEW",
    "PHENOMENA",
    "REVERSALS",
    "SPLITS",
    "VERSION",
    "Adjective",
    "AnnotatedPair",
    "Noun",
    "Reversal",
    "checksum",
    "load_adjectives",
    "load_embedded",
    "load_few",
    "load_nouns",
    "load_reversals",
    "write_parallel",
    "write_tsv",
]
