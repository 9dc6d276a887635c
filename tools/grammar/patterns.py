"""Sentence patterns: the ways in which scenes become sentences, from *The cat sleeps* to nested clauses."""

from collections.abc import Callable, Mapping

from grammar import adjectives, nouns, verbs
from grammar.assembly import (
    Sentence,
    coordinate,
    elided,
    finish,
    front,
    quote,
    relative,
    subordinate,
    taken_up,
    vocative,
)
from grammar.clauses import Clause, build
from grammar.morphology import PLURAL, agree
from grammar.nouns import MEN, WOMEN, Noun
from grammar.phrases import (
    NounPhrase,
    Phrase,
    conjoin,
    english,
    fixed,
    french,
    genitive,
    name_phrase,
    noun_phrase,
    relative_pronoun,
    subject_pronoun,
    with_phrase,
)
from grammar.scenes import (
    BECOMING,
    CREATURES,
    FELT,
    GAINS,
    GRADED,
    MEETINGS,
    OPPOSITES,
    PASSING,
    PASTIMES,
    POSITIONS,
    REASONS,
    RELATIONS,
    SCALES,
    SEQUELS,
    SEQUENCES,
    SMALL_NUMBERS,
    Dice,
    Scenes,
    Unsayable,
    attributes,
    labels_of,
)
from grammar.verbs import BE, BECOME, HAVE, SAY, SEEM, Verb
from grammar.words import Word, link

OWNED = (
    "pet clothes tool toy instrument book house garden car bicycle motorbike idea problem secret bag phone"
)


class Patterns(Scenes):
    """One method for each kind of sentence; each raises `Unsayable` when its choices do not go together."""

    # ------------------------------------------------------------------------------------- simple clauses

    def simple(self) -> Sentence:
        """*The girls are eating some apples in the garden.*"""
        return finish(build(self.event()))

    def pronouns(self) -> Sentence:
        """*He sees her.*"""
        personal = {"person", "family", "young", "neighbour"}

        def allow(verb: Verb) -> bool:
            objects = {label for _, labels in verb.frames for label in labels}
            return "to" in verb.flags or (verb.french_preposition in ("", "à") and bool(objects & personal))

        return finish(build(self.event(allow=allow, pronoun=0.9)))

    def reflexive(self) -> Sentence:
        """*The girl gets up.*"""
        return finish(build(self.event(allow=lambda verb: verb.reflexive)))

    def motion(self) -> Sentence:
        """*She went home.*"""
        return finish(build(self.event(allow=lambda verb: verb.etre and not verb.reflexive)))

    def fine_things(self) -> Sentence:
        """*Paul is reading some good books.*: de before a plural adjective."""
        loose = {"the", "kind", "one", "state"}
        clause = self.event(
            allow=lambda verb: verb.direct and not verb.flags & loose, negative=0.0, extras=False, plain=True
        )
        noun = clause.object.noun if clause.object else None
        if noun is None or noun & {"mass", "singular", "only", "family"}:
            raise Unsayable
        first = [a for a in attributes(noun.name) if a.before]
        if not first:
            raise Unsayable
        clause.object = noun_phrase(noun, "a", PLURAL, (self.dice.pick(first),))
        return finish(build(clause))

    def some(self) -> Sentence:
        """*She is drinking some water.*: the partitive, and de under negation."""
        verbs_of_mass = {"eat", "drink", "buy", "make", "bring", "cut", "sell", "take"}
        clause = self.event(allow=lambda verb: verb.english[0] in verbs_of_mass, negative=0.2)
        noun = clause.object.noun if clause.object else None
        if noun is None or not noun & {"mass"}:
            raise Unsayable
        clause.object = noun_phrase(noun, "a", negated=clause.negative)
        return finish(build(clause))

    def fronted(self) -> Sentence:
        """*At the market, the woman buys some apples.*"""
        clause = self.event(extras=False, negative=0.05)
        if self.dice.chance(0.5):
            adverbial = self.place(clause.verb, clause.subject)
        else:
            repeated = "often" in clause.verb.flags or clause.tense != "present"
            adverbial = self.time(clause.tense) if repeated and "state" not in clause.verb.flags else None
        if adverbial is None or clause.tense == "progressive":
            raise Unsayable
        return finish(front(adverbial, build(clause)))

    # -------------------------------------------------------------------------------------------- copulas

    def described(
        self,
        subject: NounPhrase,
        *,
        besides: NounPhrase | None = None,
        negative: float = 0.12,
        plain: bool = False,
    ) -> Clause:
        """Say what somebody or something is, seems or has become; `plain` keeps to *is*."""
        adjective = self.quality(subject, besides)
        verb, tense = BE, "present"
        roll = self.dice.weighted({"be": 0.8, "seem": 0.12, "become": 0.08})
        if roll == "seem" and not plain and labels_of(subject) & {"person", "food", "box", "event", "lesson"}:
            verb = SEEM
        if roll == "become" and not plain and adjective.english in BECOMING:
            verb, tense = BECOME, "past"
        degree = ""
        if adjective.english in GRADED and self.dice.chance(0.3):
            excess = GRADED[adjective.english] and verb is BE and self.dice.chance(0.25)
            degree = "too" if excess else "very"
        frequency = "often" if verb is BE and adjective.english in PASSING and self.dice.chance(0.1) else ""
        no = verb is not BECOME and self.dice.chance(negative)
        return Clause(subject, verb, tense, no, predicate=adjective, degree=degree, frequency=frequency)

    def anything(self, *, plain: bool = False) -> NounPhrase:
        """Choose a subject to describe: somebody, or any noun that some adjective suits."""
        if self.dice.chance(0.3):
            return self.subject("person", definite=True)
        adjective = self.dice.pick([a for a in adjectives.LEXICON if a.predicate])
        return self.dress(self.noun(adjective.labels), definite=True, plain=plain)

    def description(self) -> Sentence:
        """*The soup is very hot.*"""
        return finish(build(self.described(self.anything())))

    def contrast(self) -> Sentence:
        """*The house is old but the garden is beautiful.*"""
        wanted = self.dice.pick(OPPOSITES)
        adjective, other = (next(a for a in adjectives.LEXICON if a.english == english) for english in wanted)
        noun = self.noun(adjective.labels)
        second = self.fellow(noun)
        if not (second & other.labels and adjective.predicate and other.predicate):
            raise Unsayable
        clauses = []
        for subject, quality in ((noun, adjective), (second, other)):
            number = self.number(subject)
            phrase = noun_phrase(subject, self.determiner(subject, number, None, True), number)
            clauses.append(Clause(phrase, BE, predicate=quality))
        return finish(coordinate(build(clauses[0]), build(clauses[1]), "but", "mais"))

    def located(self) -> tuple[NounPhrase, Phrase]:
        """Choose something, and where it is."""
        things, kind, places = self.dice.pick(POSITIONS)
        thing = self.dress(self.noun(things), definite=True, plain=self.dice.chance(0.5))
        return thing, self.spot(kind, places, thing)

    def location(self) -> Sentence:
        """*The keys are in the drawer.*"""
        thing, place = self.located()
        return finish(build(Clause(thing, BE, negative=self.dice.chance(0.15), complements=[place])))

    def existence(self) -> Sentence:
        """*There are two cats on the sofa.*: il y a, and de under negation."""
        things, kind, places = self.dice.pick([p for p in POSITIONS if p[1] not in ("near", "in_front")])
        noun = self.noun(things)
        if noun & {"singular", "family", "heaven"}:
            raise Unsayable
        negative = self.dice.chance(0.2)
        number = self.number(noun, 0.45)
        counted = number == PLURAL and not negative and self.dice.chance(0.6)
        determiner = self.dice.weighted(SMALL_NUMBERS) if counted else "a"
        thing = noun_phrase(noun, determiner, number, self.adjectives(noun, 0.25), negated=negative)
        place = self.spot(kind, places, thing)
        verb = Word("a", tags=("present",))
        il, y = french("il", head=verb), Word("y", verb)
        there, be = english("there", il, y), english("are" if number == PLURAL else "is", verb)
        for phrase in (thing, place):
            phrase.depend(be, verb)
        there.head = be
        ne = [french("ne", head=verb, tags=("negation",))] if negative else []
        pas = [Word("pas", verb, tags=("negation",))] if negative else []
        en_not = [english("not", *ne, *pas, head=be)] if negative else []
        en = [there, be, *en_not, *thing.english, *place.english]
        fr = [il, *ne, y, verb, *pas, *thing.french, *place.french]
        return finish(Phrase(en, fr, be, verb))

    def presentation(self) -> Sentence:
        """*This is my house.*: c’est, ce sont; no de under its negation."""
        noun = self.noun("tool clothes pet house building portable family fruit instrument toy vehicle plant")
        number = self.number(noun)
        determiner = self.possessor(None) if noun & {"ownable", "pet", "family"} else "a"
        thing = noun_phrase(noun, determiner, number, self.adjectives(noun))
        negative = self.dice.chance(0.2) and not (determiner == "a" and number == PLURAL)
        ce = french("ce")
        this = english("these" if number == PLURAL else "this", ce)
        subject = NounPhrase([this], [ce], this, ce, number=number, agreement=2 + 3 * number)
        return finish(build(Clause(subject, BE, negative=negative, complements=[thing])))

    def possession(self) -> Sentence:
        """*Paul has two brothers.*; *Marie does not have a cat.*"""
        noun = self.noun("family" if self.dice.chance(0.25) else OWNED)
        if noun.name in ("mother", "father", "son"):
            raise Unsayable
        clause = Clause(
            self.subject("person", plain=True, definite=True), HAVE, negative=self.dice.chance(0.3)
        )
        number = self.number(noun, 0.35)
        counted = number == PLURAL and not clause.negative
        determiner = self.dice.weighted(SMALL_NUMBERS) if counted else "a"
        if determiner == "a" and counted and noun & {"family"}:
            raise Unsayable
        clause.object = noun_phrase(noun, determiner, number, self.adjectives(noun), negated=clause.negative)
        clause.question = not clause.negative and clause.subject.agreement != 0 and self.dice.chance(0.25)
        return finish(build(clause), "?" if clause.question else ".")

    # ------------------------------------------------------------------------------------------ questions

    def question(self) -> Sentence:
        """*Does the cat sleep?*: inversion, with -t- after a vowel; est-ce que before je."""
        if self.dice.chance(0.3):
            clause = self.described(self.anything(), negative=0.0, plain=True)
        else:
            clause = self.event(negative=0.0, pronoun=0.2, definite=True)
        clause.question = True
        if clause.subject.agreement == 0 and clause.tense not in ("future", "must"):
            raise Unsayable  # one knows what one does
        return finish(build(clause), "?")

    def where(self) -> Sentence:
        """*Where is the cat?*, *Why is she crying?*, *When is he going to leave?*"""
        if self.dice.chance(0.3):
            clause = Clause(self.located()[0], BE)
            words = ("where", "où")
        else:
            clause = self.event(
                negative=0.0, extras=False, definite=True, allow=lambda verb: "point" not in verb.flags
            )
            options = {"why": "pourquoi"}
            if clause.verb.places and "state" not in clause.verb.flags:
                options["where"] = "où"
            if clause.tense in ("past", "future"):
                options["when"] = "quand"
            word = self.dice.pick(list(options))
            words = (word, options[word])
        if clause.subject.agreement == 0:
            raise Unsayable
        clause.question, clause.interrogative = True, fixed(*words)
        return finish(build(clause), "?")

    def who(self) -> Sentence:
        """*Who is eating the apple?*"""
        qui = french("qui")
        asked = english("who", qui)
        subject = NounPhrase([asked], [qui], asked, qui)
        return finish(build(self.event(subject, negative=0.05)), "?")

    def what(self) -> Sentence:
        """*What is he eating?*: que, or qu’, before inversion."""
        asked = {"eat", "drink", "look", "buy", "read", "draw", "hear", "prepare", "wear", "write", "watch", "choose",
                 "sell", "build", "learn"}  # fmt: skip
        clause = self.event(
            allow=lambda verb: verb.direct and verb.english[0] in asked,
            negative=0.0,
            extras=False,
            definite=True,
        )
        if clause.tense not in ("present", "progressive") or clause.subject.agreement == 0:
            raise Unsayable
        que = french("que")
        what = english("what", que)
        clause.fronted, clause.object, clause.question = NounPhrase([what], [que], what, que), None, True
        return finish(build(clause), "?")

    # ------------------------------------------------------------------------------------------ relatives

    def with_qui(self, antecedent: NounPhrase, *, last: bool = False) -> NounPhrase:
        """Hang a relative clause with qui behind a noun; between commas where nothing is left to restrict."""
        restricted = (
            antecedent.english[0].text in ("the", "a", "an", "these", "this") and not antecedent.modified
        )
        commas = not restricted or (self.dice.chance(0.25) and antecedent.english[0].text == "the")
        pronoun = relative_pronoun(antecedent, "subject", commas=commas)
        if self.dice.chance(0.35) or not labels_of(antecedent) & CREATURES:
            clause = self.described(pronoun, besides=antecedent)
        else:
            clause = self.event(pronoun, negative=0.1, extras=self.dice.chance(0.4), plain=True)
        if clause.object is not None and clause.object.key == antecedent.key:
            raise Unsayable
        return relative(antecedent, clause, commas, last=last)

    def with_que(self) -> NounPhrase:
        """Make a noun with a relative clause with que behind it: *the apples that the girl bought*."""

        def allow(verb: Verb) -> bool:
            return verb.direct and (verb.english[0] in GAINS or "state" in verb.flags)

        inner = self.event(allow=allow, negative=0.06, extras=False, plain=True, definite=True)
        thing = inner.object
        if inner.tense not in ("past", "progressive") and not inner.verb.flags & {"state", "state_past"}:
            raise Unsayable
        if thing is None or thing.english[0].text not in ("the", "these", "this") or thing.modified:
            raise Unsayable
        inner.fronted, inner.object = relative_pronoun(thing, "object", commas=False), None
        return relative(thing, inner, commas=False)

    def predicated(self, subject: NounPhrase) -> Clause:
        """Say something of a subject that is already long: what it is like, or what it does."""
        if subject.noun is not None and subject.noun & CREATURES and self.dice.chance(0.4):
            return self.event(subject, negative=0.08, plain=True)
        return self.described(subject, negative=0.1)

    def who_does(self) -> Sentence:
        """*The girl who is reading the book is happy.*"""
        noun = self.noun("person animal family portable furniture building food clothes event vehicle")
        return finish(build(self.predicated(self.with_qui(self.dress(noun, definite=True, plain=True)))))

    def which_is(self) -> Sentence:
        """*The baker knows the girl who sings.*"""
        clause = self.event(
            allow=lambda v: v.english[0] in MEETINGS and v.transitive, negative=0.0, extras=False
        )
        thing = clause.object
        if thing is None or thing.pronoun or thing.noun is None or thing.english[0] is thing.english_head:
            raise Unsayable
        if (
            thing.english[0].text in ("any", "some")
            or not thing.noun & CREATURES
            or not _human(clause.subject)
        ):
            raise Unsayable
        clause.object = self.with_qui(thing, last=True)
        return finish(build(clause))

    def that_was(self) -> Sentence:
        """*The apples that the girl bought are ripe.*"""
        return finish(build(self.predicated(self.with_que())))

    def that_at_the_end(self) -> Sentence:
        """*Paul is looking for the keys that Marie found.*"""
        thing = self.with_que()
        clause = self.event_with(thing)
        if clause.subject.key == thing.key or clause.tense == "want":
            raise Unsayable
        return finish(build(clause))

    def attraction(self) -> Sentence:
        """*The keys to the cabinet are old.*: a verb that agrees across another noun."""
        head = self.dice.pick(list(RELATIONS))
        number = self.number(nouns.LEXICON[head], 0.5)
        return finish(build(self.described(self.relation(head, number))))

    def owned(self) -> Sentence:
        """*The neighbour’s dogs are sleeping.*"""
        noun = self.noun("pet clothes house tool toy family")
        subject = genitive(self.owner(noun), noun, self.number(noun, 0.45), self.adjectives(noun, 0.15))
        return finish(build(self.predicated(subject)))

    def on_the_table(self) -> Sentence:
        """*The books on the table are old.*: a place that belongs to the noun."""
        things, kind, places = self.dice.pick([p for p in POSITIONS if p[1] in ("in", "on", "under")])
        noun = self.noun(things)
        if noun & {"singular", "family", "mass"}:
            raise Unsayable
        subject = noun_phrase(noun, "the", self.number(noun, 0.5))
        place = self.spot(kind, places, subject)
        return finish(build(self.described(with_phrase(subject, place))))

    # --------------------------------------------------------------------------------------- conjunctions

    def two(self) -> Sentence:
        """*The boy and his sister are happy.*"""
        noun = self.noun("person pet farmyard clothes fruit furniture family instrument")
        first = self.dress(noun, definite=True, plain=True)
        if noun & {"person"} and self.dice.chance(0.4):
            first = name_phrase(self.dice.pick(WOMEN + MEN))
        other = self.fellow(noun)
        both = conjoin(
            first, self.dress(other, definite=True, plain=True, owner=first if first.noun is None else None)
        )
        both.noun, both.key = other, ""
        clause = (
            self.described(both, negative=0.1) if self.dice.chance(0.6) else self.event(both, negative=0.08)
        )
        if clause.predicate and not noun & clause.predicate.labels:
            raise Unsayable
        if not clause.predicate and not any(subjects & noun.labels for subjects, _ in clause.verb.frames):
            raise Unsayable
        return finish(build(clause))

    def both_objects(self) -> Sentence:
        """*Marie is buying a pear and an orange.*"""
        clause = self.event(allow=lambda verb: verb.direct, negative=0.0, plain=True)
        first = clause.object
        if first is None or first.noun is None or first.english[0] is first.english_head or first.modified:
            raise Unsayable
        other = self.fellow(first.noun)
        doer = labels_of(clause.subject)
        goes = any(doer & who and other & what and first.noun & what for who, what in clause.verb.frames)
        if not goes or other.name == clause.subject.key or other & {"singular"}:
            raise Unsayable
        second = self.thing(clause.verb, frozenset({other.name}), clause)
        if second.english[0] is second.english_head:
            raise Unsayable
        clause.object = conjoin(first, second)
        return finish(build(clause))

    def fellow(self, noun: Noun) -> Noun:
        """Choose another noun of the same kind."""
        others = [n for n in nouns.LEXICON.values() if n.kind == noun.kind and n is not noun]
        circle = {"family", "pet", "farmyard", "wild"}
        near = [n for n in others if n.labels & circle == noun.labels & circle]
        if not near:
            raise Unsayable
        return self.dice.pick(near)

    def and_then(self) -> Sentence:
        """*The cat saw the mouse and chased it.*: a pronoun with the gender of its antecedent."""
        tense = "past" if self.dice.chance(0.65) else "present"
        clause = self.event(
            allow=lambda verb: verb.direct and verb.english[0] in SEQUELS, tense=tense, negative=0.0,
            extras=False, plain=True,
        )  # fmt: skip
        thing = clause.object
        if thing is None or thing.noun is None or thing.english[0] is thing.english_head or thing.modified:
            raise Unsayable
        options = [
            verb
            for verb in verbs.LEXICON
            for subjects, objects in verb.frames
            if verb.english[0] in SEQUELS[clause.verb.english[0]].split()
            and verb.direct
            and objects & labels_of(thing)
            and subjects & labels_of(clause.subject)
        ]
        if not options or clause.tense == "progressive":
            raise Unsayable
        verb = self.dice.pick(options)
        undated = verb.english[0] == verb.english[2] and clause.subject.agreement != 2
        if undated or (tense == "past" and "state" in verb.flags):
            raise Unsayable
        second = Clause(elided(clause.subject), verb, clause.tense, object=taken_up(thing, subject=False))
        return finish(coordinate(build(clause), build(second), "and", "et"))

    def sings_and_dances(self) -> Sentence:
        """*Marie sings and dances.*"""
        first, second = self.dice.pick(SEQUENCES)
        tense = self.dice.pick(["present", "past"])
        clause = self.event(
            allow=lambda verb: _is(verb, first), tense=tense, negative=0.0, extras=False, plain=True
        )
        following = self.event(
            elided(clause.subject),
            allow=lambda verb: _is(verb, second),
            tense=tense,
            negative=0.0,
            extras=False,
        )
        return finish(coordinate(build(clause), build(following), "and", "et"))

    def meanwhile(self) -> Sentence:
        """*The baby is sleeping while the mother is working.*: two clauses, two subjects."""
        joint = self.dice.pick([("and", "et"), ("but", "mais"), ("while", "pendant que"), (";", ";")])
        tense = "progressive" if joint[0] == "while" else self.dice.pick(["present", "progressive", "past"])

        def allow(verb: Verb) -> bool:
            return verb.english[0] in PASTIMES and not verb.english_tail and not verb.french_preposition

        first, second = (
            self.event(allow=allow, tense=tense, negative=0.0, extras=False, plain=True, definite=True)
            for _ in range(2)
        )
        if _human(first.subject) != _human(second.subject):
            raise Unsayable
        if second.subject.pronoun or (
            second.subject.key == first.subject.key and second.subject.noun is not None
        ):
            raise Unsayable
        if second.subject.english[0].text == first.subject.english[0].text != "the":
            raise Unsayable
        if second.verb.name == first.verb.name or first.tense != tense or second.tense != tense:
            raise Unsayable
        if joint[0] == "while":
            return finish(subordinate(build(first), build(second), *joint))
        return finish(coordinate(build(first), build(second), *joint))

    def because(self) -> Sentence:
        """*The children are sleeping because they are tired.*"""
        clause = self.event(
            allow=lambda verb: bool(_reasons(verb)), negative=0.1, extras=False, plain=True, definite=True
        )
        if clause.tense not in ("present", "progressive", "want"):
            raise Unsayable
        return finish(self.explained(clause))

    def explained(self, clause: Clause) -> Phrase:
        """Hang the reason, or the occasion, under a clause."""
        reason = self.dice.pick(_reasons(clause.verb))
        if any(reason in scale and scale & set(_texts(clause.subject)) for scale in SCALES):
            raise Unsayable
        state = self.state(taken_up(clause.subject, subject=True), clause.subject, reason)
        state.negative = clause.negative
        joint = ("because", "parce que")
        if clause.tense == "present" and not clause.negative:
            joint = self.dice.pick([joint, ("when", "quand"), ("if", "si")])
        return subordinate(build(clause), build(state), *joint)

    def state(self, subject: NounPhrase, spoken_of: NounPhrase, reason: str) -> Clause:
        """Say that somebody is tired, hungry, afraid: an adjective, or an idiom with avoir."""
        labels = labels_of(spoken_of)
        for adjective in adjectives.LEXICON:
            if adjective.english == reason and labels & adjective.labels:
                return Clause(subject, BE, predicate=adjective)
        for verb in verbs.LEXICON:
            if verb.english_tail == (reason,) and any(subjects & labels for subjects, _ in verb.frames):
                return Clause(subject, verb)
        raise Unsayable

    # --------------------------------------------------------------------------------- speech and address

    def address(self) -> Sentence:
        """*Are you tired, Marie?*: the one spoken to decides between tu and vous, and the gender."""
        who = self.dice.weighted({"woman": 0.4, "man": 0.2, "sir": 0.13, "madam": 0.17, "children": 0.1})
        if who in ("woman", "man"):
            addressed: Phrase = name_phrase(self.dice.pick(WOMEN if who == "woman" else MEN))
            key = "you f" if who == "woman" else "you"
        elif who == "children":
            addressed, key = noun_phrase(nouns.LEXICON["child"], "kind", PLURAL), who
        else:
            addressed, key = fixed(who, "monsieur" if who == "sir" else "madame"), who
        subject = subject_pronoun(key)
        if self.dice.chance(0.5):
            clause = self.described(subject, negative=0.1, plain=True)
        else:
            etre = self.dice.chance(0.5)
            clause = self.event(subject, negative=0.1, allow=lambda verb: verb.etre or not etre)
        clause.question = not clause.negative and self.dice.chance(0.75)
        return finish(vocative(build(clause), addressed), "?" if clause.question else ".")

    def speech(self) -> Sentence:
        """*The girl says, “I am tired.”*: I is the one who speaks."""
        speaker = self.subject("person", plain=True, definite=True)
        if speaker.agreement != 2:
            raise Unsayable
        subject = subject_pronoun("I f" if speaker.gender == "f" else "I")
        if self.dice.chance(0.5):
            clause = self.described(subject, negative=0.1)
        else:
            etre = self.dice.chance(0.7)
            clause = self.event(subject, negative=0.1, allow=lambda verb: verb.etre or not etre)
        return finish(quote(build(Clause(speaker, SAY)), build(clause)), "”", "»")

    def exclamation(self) -> Sentence:
        """*What a beautiful house!*, quel agreeing; *How big the castle is!*, comme."""
        felt = [a for a in adjectives.LEXICON if a.predicate and a.attribute and a.english in FELT]
        adjective = self.dice.pick(felt)
        noun = self.noun(adjective.labels)
        if noun & {"mass", "singular", "family"}:
            raise Unsayable
        number = self.number(noun, 0.35)
        if self.dice.chance(0.45):
            clause = build(Clause(noun_phrase(noun, "the", number), BE, predicate=adjective))
            comme, how = french("comme", head=clause.french_head), english("how")
            how.head = clause.english.pop()
            link(how, comme)
            en, fr = [how, how.head, *clause.english], [comme, *clause.french]
            return finish(Phrase(en, fr, clause.english_head, clause.french_head), "!")
        thing = noun_phrase(noun, "bare", number, (adjective,))
        text = agree("quel", thing.gender, number)
        quel = Word(text, thing.french_head, tags=("article",) if text != "quel" else ())
        words = ["what"] if number == PLURAL else ["what", "a"]
        thing.english[:0] = [english(word, quel, head=thing.english_head) for word in words]
        thing.french.insert(0, quel)
        return finish(thing, "!")

    # ------------------------------------------------------------------------------------- long sentences

    def long_distance(self) -> Sentence:
        """*The hearing that the lawyer who works at the office prepared is important.*"""

        def allow(verb: Verb) -> bool:
            return verb.direct and verb.english[0] in GAINS

        person = self.dress(self.noun("person"), definite=True, plain=True)
        if person.english[0].text not in ("the", "this", "these"):
            raise Unsayable
        inner = self.event(
            self.with_qui(person), allow=allow, tense="past", negative=0.0, extras=False, plain=True
        )
        thing = inner.object
        if (
            thing is None
            or thing.english[0].text != "the"
            or inner.tense != "past"
            or "," in _texts(inner.subject)
        ):
            raise Unsayable
        inner.fronted, inner.object = relative_pronoun(thing, "object", commas=False), None
        return finish(build(self.described(relative(thing, inner, commas=False))))

    def long_chain(self) -> Sentence:
        """*The boy who lost his key is looking for the bag that his sister bought at the market.*"""
        subject = self.with_qui(self.dress(self.noun("person family"), definite=True, plain=True))
        thing = self.with_que()
        clause = self.event_with(thing, subject)
        place = self.place(clause.verb, subject)
        phrase = build(clause)
        return finish(front(place, phrase) if place and self.dice.chance(0.5) else phrase)

    def long_reason(self) -> Sentence:
        """*The girl who lives near the river is eating a pear and an apple because she is very hungry.*"""
        subject = self.with_qui(self.dress(self.noun("person young family pet"), definite=True, plain=True))
        clause = self.event(subject, allow=lambda verb: bool(_reasons(verb)), negative=0.0, plain=True)
        if clause.tense not in ("present", "progressive"):
            raise Unsayable
        return finish(self.explained(clause))

    def long_pair(self) -> Sentence:
        """*The woman who reads is happy, …*: two clauses, each with a relative one."""
        first, second = (
            self.predicated(
                self.with_qui(self.dress(self.noun("person animal family"), definite=True, plain=True))
            )
            for _ in range(2)
        )
        if first.subject.key == second.subject.key or _human(first.subject) != _human(second.subject):
            raise Unsayable
        joint = ("but", "mais") if self.dice.chance(0.5) else ("and", "et")
        return finish(coordinate(build(first), build(second), *joint))


def _human(phrase: NounPhrase) -> bool:
    return bool(labels_of(phrase) & {"person", "baby"})


def _texts(phrase: Phrase) -> list[str]:
    return [word.text for word in phrase.english]


def _is(verb: Verb, words: str) -> bool:
    """Say whether a verb without an object is the one that English words name."""
    return not verb.transitive and " ".join((verb.english[0], *verb.english_tail)) == words


def _reasons(verb: Verb) -> list[str]:
    last = verb.english_tail[-1] if verb.english_tail else verb.english[0]
    hiding_things = last == "hide" and not verb.reflexive
    return [] if "state" in verb.flags or hiding_things else REASONS.get(last, [])


PATTERNS: dict[str, float] = {
    "simple": 20, "fine_things": 2, "some": 3, "pronouns": 9, "reflexive": 4, "motion": 5, "fronted": 3,
    "description": 9, "contrast": 2,
    "location": 4, "existence": 3, "presentation": 3, "possession": 3, "question": 8, "where": 4, "who": 2,
    "what": 2, "who_does": 7, "which_is": 5, "that_was": 5, "that_at_the_end": 4, "attraction": 3, "owned": 3,
    "on_the_table": 3, "two": 4, "both_objects": 3, "and_then": 5, "sings_and_dances": 1, "meanwhile": 4,
    "because": 6, "address": 4, "speech": 3, "exclamation": 3,
}  # fmt: skip
LONG_PATTERNS: dict[str, float] = {"long_distance": 3, "long_chain": 3, "long_reason": 2, "long_pair": 2}


def sample(dice: Dice, patterns: Mapping[str, float] = PATTERNS) -> Sentence:
    """Draw one sentence: a pattern, then its words, until they make sense together."""
    speaker = Patterns(dice)
    method: Callable[[], Sentence] = getattr(speaker, dice.weighted(dict(patterns)))
    while True:
        try:
            return method()
        except Unsayable:
            continue
