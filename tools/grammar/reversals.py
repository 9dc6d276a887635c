"""Sentences in twos, the same English words in each, in which two nouns change places: who did what to whom.

What was given, when it happened and what one is like stay; only the order of the words says who it was.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

from course_lib.text.embedded import VERSION, AnnotatedPair
from course_lib.text.embedded.hard import REVERSALS, few_of, words_of
from grammar import adjectives, verbs
from grammar.adjectives import Adjective
from grammar.assembly import Sentence, coordinate, finish, relative, subordinate
from grammar.clauses import Clause, build
from grammar.morphology import SINGULAR
from grammar.nouns import LEXICON, Noun
from grammar.phrases import NounPhrase, fixed, noun_phrase, relative_pronoun
from grammar.scenes import CREATURES, PASTIMES, SCALES, TIMES, Dice, Scenes, Unsayable
from grammar.splits import PATIENCE, annotate, familiar, key, keys
from grammar.verbs import BE, Verb

LEAST = 3  # how often each word must stand in the few training pairs
Both = tuple[Sentence, Sentence]
Told = Callable[[NounPhrase, NounPhrase], Sentence]  # what is said of two, in this order


def can(verb: Verb, who: Noun, whom: Noun | None = None) -> bool:
    """Say whether somebody does it, to somebody."""
    return any(who & subjects and (whom is None or whom & objects) for subjects, objects in verb.frames)


def _is_about_two(verb: Verb) -> bool:
    return verb.transitive and not verb.reflexive and not verb.flags & {"to", "kind", "new"}


@cache
def _creatures() -> list[Noun]:
    """List who can change places: not the family, who would ask for *my*."""
    return [noun for noun in LEXICON.values() if noun & CREATURES and not noun & {"family"}]


@cache
def _both_ways() -> dict[Verb, list[tuple[Noun, Noun]]]:
    """List for each verb the nouns that can do it to each other."""
    found = {
        verb: [
            (one, other)
            for one, other in combinations(_creatures(), 2)
            if can(verb, one, other) and can(verb, other, one)
        ]
        for verb in verbs.LEXICON
        if _is_about_two(verb)
    }
    return {verb: those for verb, those in found.items() if those}


class Reversals(Scenes):
    """One method for each kind; each raises `Unsayable` when its choices do not go together."""

    def two(self, first: Noun, second: Noun, tell: Told) -> Both:
        """Say something of two, and then of the second and the first; adjectives stay with their nouns."""
        each = [(noun, self.adjectives(noun, 0.15)) for noun in (first, second)]
        if self.dice.chance(0.5):
            each.reverse()

        def the(i: int) -> NounPhrase:
            noun, said = each[i]
            return noun_phrase(noun, "the", SINGULAR, said)

        return tell(the(0), the(1)), tell(the(1), the(0))

    def way(self, verb: Verb) -> str:
        """Choose a tense."""
        if "state" in verb.flags:
            return "present"
        weights = {"past": 4.0, "present": 3.0}
        if not verb.flags & {"state_past", "point"}:
            weights |= {"progressive": 2.0, "future": 1.5}
        return self.dice.weighted(weights)

    def when(self, verb: Verb, tense: str) -> tuple[str, str] | None:
        """Choose when it happens, seldom."""
        often = tense != "present" or "often" in verb.flags
        return self.dice.pick(TIMES[tense]) if tense in TIMES and often and self.dice.chance(0.25) else None

    def one_does_to_other(self) -> Both:
        """*The lawyer helped the singer.*"""
        verb = self.dice.pick(list(_both_ways()))
        tense = self.way(verb)
        time, negative = self.when(verb, tense), self.dice.chance(0.12)
        question = not negative and self.dice.chance(0.15)

        def tell(who: NounPhrase, whom: NounPhrase) -> Sentence:
            complements = [fixed(*time)] if time else []
            clause = Clause(who, verb, tense, negative, question, object=whom, complements=complements)
            return finish(build(clause), "?" if question else ".")

        return self.two(*self.dice.pick(_both_ways()[verb]), tell)

    def one_gives_to_other(self) -> Both:
        """*The boy gave the ring to the girl.*"""
        verb = self.dice.pick([verb for verb in verbs.LEXICON if "to" in verb.flags])
        subjects, objects = self.dice.pick(verb.frames)
        one, other, thing = self.noun(subjects), self.noun(subjects), self.noun(objects)
        if one is other or not {one.name, other.name} <= {noun.name for noun in _creatures()}:
            raise Unsayable
        if not one & {"person"} or not other & {"person"}:
            raise Unsayable
        tense = self.way(verb)
        known = "the" if thing & {"singular"} else self.dice.pick(["the", "a"])

        def tell(who: NounPhrase, whom: NounPhrase) -> Sentence:
            given = noun_phrase(thing, known, SINGULAR)
            return finish(build(Clause(who, verb, tense, object=given, recipient=whom)))

        return self.two(one, other, tell)

    def one_who_does_to_other(self) -> Both:
        """*The nurse who thanked the king is old.*"""
        verb = self.dice.pick(list(_both_ways()))
        one, other = self.dice.pick(_both_ways()[verb])
        said: list[Adjective] = [
            adjective
            for adjective in adjectives.LEXICON
            if adjective.predicate and one & adjective.labels and other & adjective.labels
        ]
        if not said:
            raise Unsayable
        adjective, tense, negative = self.dice.pick(said), self.way(verb), self.dice.chance(0.1)

        def tell(who: NounPhrase, whom: NounPhrase) -> Sentence:
            of_both = {word.text for word in (*who.english, *whom.english)}
            of_both = of_both.union(*(scale for scale in SCALES if scale & of_both))
            if adjective.english in of_both:
                raise Unsayable
            pronoun = relative_pronoun(who, "subject", commas=False)
            longer = relative(who, Clause(pronoun, verb, tense, object=whom), commas=False)
            return finish(build(Clause(longer, BE, negative=negative, predicate=adjective)))

        return self.two(one, other, tell)

    def one_does_and_other_does(self) -> Both:
        """*The boy sings and the girl dances.*"""
        joint = self.dice.pick([("and", "et"), ("but", "mais"), ("while", "pendant que")])
        tense = "progressive" if joint[0] == "while" else self.dice.pick(["present", "progressive", "past"])
        plain = [
            verb
            for verb in verbs.LEXICON
            if verb.english[0] in PASTIMES and not (verb.transitive or verb.english_tail or verb.reflexive)
        ]
        first, second = self.dice.pick(plain), self.dice.pick(plain)
        if first.english[0] == second.english[0]:
            raise Unsayable
        able = [noun for noun in _creatures() if can(first, noun) and can(second, noun)]
        if len(able) < 2:
            raise Unsayable
        one, other = self.dice.pick(able), self.dice.pick(able)
        if one is other or bool(one & {"person"}) != bool(other & {"person"}):
            raise Unsayable

        def tell(who: NounPhrase, whom: NounPhrase) -> Sentence:
            join = subordinate if joint[0] == "while" else coordinate
            return finish(join(build(Clause(who, first, tense)), build(Clause(whom, second, tense)), *joint))

        return self.two(one, other, tell)


KINDS: dict[str, Callable[[Reversals], Both]] = {
    "object": Reversals.one_does_to_other,
    "recipient": Reversals.one_gives_to_other,
    "relative": Reversals.one_who_does_to_other,
    "clause": Reversals.one_does_and_other_does,
}


def reversals(splits: dict[str, list[AnnotatedPair]]) -> Iterator[AnnotatedPair]:
    """Draw the reversals, kind by kind, the two of each one after the other.

    Parameters
    ----------
    splits : mapping from split to its pairs
        No sentence of any of them is drawn, and no word that is rarer than `LEAST` in the few of its "train".

    Raises
    ------
    RuntimeError
        If too few fit.
    """
    taken = {
        sentence
        for pairs in splits.values()
        for pair in pairs
        for sentence in (f"en {key(pair.source)}", f"fr {key(pair.target)}")
    }
    counts = words_of(few_of(splits["train"]))
    for kind, size in REVERSALS.items():
        dice, n = Dice(zlib.crc32(f"{VERSION} reversals {kind}".encode())), 0
        for _ in range(PATIENCE):
            if n == size:
                break
            try:
                both = KINDS[kind](Reversals(dice))
            except Unsayable:
                continue
            of_both = {sentence for told in both for sentence in keys(told)}
            if len(of_both) < 4 or of_both & taken or not _fits(both, counts):
                continue
            taken |= of_both
            n += 1
            yield from map(annotate, both)
        if n < size:
            raise RuntimeError(f"{kind}: only {n} of {size} in {PATIENCE} that fit")


def _fits(both: Both, counts: Counter[str]) -> bool:
    """Say whether two sentences have the same English words, and both only what the few have taught."""
    there, back = both
    if sorted(there.english.tokens) != sorted(back.english.tokens):
        return False
    if not all(map(familiar, both)):
        return False
    words = words_of(map(annotate, both))
    return all(counts[word] >= LEAST for word in words)
