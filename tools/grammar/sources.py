"""The sentences that the course's source documents quote, built by the same grammar."""

from grammar import adjectives, verbs
from grammar.assembly import Sentence, finish, relative
from grammar.clauses import Clause, build
from grammar.nouns import LEXICON, Noun
from grammar.phrases import (
    NounPhrase,
    noun_phrase,
    object_pronoun,
    prepositional,
    relative_pronoun,
    subject_pronoun,
)
from grammar.verbs import BE, Verb


def source_sentences() -> list[Sentence]:
    """Build *I love you*, the fluffy cat, the cat on the mat, and cat and dog chasing each other."""
    cat, dog, mat = LEXICON["cat"], LEXICON["dog"], LEXICON["mat"]

    def the(noun: Noun) -> NounPhrase:
        return noun_phrase(noun, "the")

    def verb(base: str) -> Verb:
        return next(verb for verb in verbs.LEXICON if verb.english[0] == base)

    (adjective,) = (a for a in adjectives.LEXICON if a.english == "fluffy")
    fluffy_cat = the(cat)
    which = relative_pronoun(fluffy_cat, "subject", commas=True)
    fluffy = Clause(which, BE, predicate=adjective)
    return [
        finish(build(Clause(subject_pronoun("I"), verb("love"), object=object_pronoun("you")))),
        finish(build(Clause(relative(fluffy_cat, fluffy, True), verb("sleep")))),
        finish(build(Clause(the(cat), BE, complements=[prepositional("on", "sur", the(mat))]))),
        finish(build(Clause(the(cat), verb("chase"), "past", object=the(dog)))),
        finish(build(Clause(the(dog), verb("chase"), "past", object=the(cat)))),
    ]
