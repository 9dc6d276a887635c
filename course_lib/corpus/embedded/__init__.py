"""A small English–French corpus that needs no download, because a grammar makes it.

Read the modules in this order: `morphology` (how words change), `nouns`, `adjectives`, `verbs` (the lexicon,
with what goes with what), `words` (elision, contraction, typography), `phrases`, `clauses` (word order in
both languages at once), `scenes`, `patterns` (what is said), `splits` (the corpus), `export` (files). The
conventions are in `DATA_CARD.md` beside them.
"""

from course_lib.corpus.embedded.export import write_parallel, write_tsv
from course_lib.corpus.embedded.phenomena import PHENOMENA
from course_lib.corpus.embedded.splits import (
    CHECKSUM,
    SPLITS,
    VERSION,
    AnnotatedPair,
    checksum,
    load_embedded,
)
from course_lib.corpus.embedded.words import split_words

__all__ = [
    "CHECKSUM",
    "PHENOMENA",
    "SPLITS",
    "VERSION",
    "AnnotatedPair",
    "checksum",
    "load_embedded",
    "split_words",
    "write_parallel",
    "write_tsv",
]
