"""Sentence patterns: the ways in which scenes become sentences, from *The cat sleeps* to nested clauses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from course_lib.corpus.embedded import adjectives, nouns, verbs
from course_lib.corpus.embedded.clauses import Clause, build
from course_lib.corpus.embedded.morphology import PLURAL, SINGULAR, agree
from course_lib.corpus.embedded.nouns import MEN, WOMEN
from course_lib.corpus.embedded.phrases import (
    PRONOUNS,
    NounPhrase,
    Phrase,
    adjective_words,
    conjoin,
    english,
    fixed,
    french,
    genitive,
    name_phrase,
    noun_phrase,
    object_pronoun,
    prepositional,
    pronoun_of,
    relative_pronoun,
    subject_pronoun,
    with_phrase,
)
from course_lib.corpus.embedded.scenes import (
    AROUND,
    BECOMING,
    CREATURES,
    POSITIONS,
    PREPOSITIONS,
    REASONS,
    RELATIONS,
    Dice,
    Scenes,
    labels_of,
)
from course_lib.corpus.embedded.verbs import BE, BECOME, HAVE, SAY, SEEM, Verb
from course_lib.corpus.embedded.words import Surface, Word, finish_english, finish_french, link


@dataclass(frozen=True)
class Sentence:
    """A finished pair: both surfaces, the links between their words, tags and combinations of words."""

    english: Surface
    french: Surface
    alignment: tuple[tuple[int, int], ...]
    tags: Mapping[str, tuple[int, ...]]
    combinations: frozenset[tuple[str, str]]


def finish(phrase: Phrase, mark: str = ".", french_mark: str = "") -> Sentence:
    """End a sentence with its mark, apply the surface rules, number words and links."""
    en_mark, fr_mark = Word(mark, phrase.english_head), Word(french_mark or mark, phrase.french_head)
    if mark == "?":
        fr_mark.tags = ("question",)
    link(en_mark, fr_mark)
    en_words, fr_words = [*phrase.english, en_mark], [*phrase.french, fr_mark]
    en, fr = finish_english(en_words), finish_french(fr_words)
    links = {(en.place[e], fr.place[f]) for e in en_words for f in e.links if f in fr.place}
    tags: dict[str, set[int]] = {}
    combinations: set[tuple[str, str]] = set()
    for word in fr_words:
        combinations.update(word.combinations)
        for tag in word.tags:
            tags.setdefault(tag, set()).add(fr.place[word])
    ordered = {tag: tuple(sorted(tags[tag])) for tag in sorted(tags)}
    return Sentence(en, fr, tuple(sorted(links)), ordered, frozenset(combinations))


def comma(phrase: Phrase) -> tuple[Word, Word]:
    """Make an aligned pair of commas that hang under the heads of a phrase."""
    en, fr = Word(",", phrase.english_head), Word(",", phrase.french_head)
    link(en, fr)
    return en, fr


def coordinate(first: Phrase, second: Phrase, text: str, translation: str) -> Phrase:
    """Join two clauses: and et, but mais, or a semicolon."""
    fr = french(translation, head=second.french_head, tags=("conjunction",) if translation == "et" else ())
    en = english(text, fr, head=second.english_head)
    second.depend(first.english_head, first.french_head)
    return Phrase(
        [*first.english, en, *second.english],
        [*first.french, fr, *second.french],
        first.english_head,
        first.french_head,
    )


def subordinate(main: Phrase, clause: Phrase, text: str, translation: str) -> Phrase:
    """Hang a clause under another: because parce que, when quand, while pendant que, if si."""
    joint = fixed(text, translation)
    for words in (joint.english, joint.french):  # unlike adverbs, conjunctions have their head first
        for previous, word in zip(words, words[1:], strict=False):
            previous.head, word.head = None, previous
    joint.english[0].head, joint.french[0].head = main.english_head, main.french_head
    clause.depend(joint.english[-1], joint.french[-1])
    if translation == "si" and clause.french[0].text in ("il", "ils"):
        joint.french[0].prevocalic = "s’"
    return Phrase(
        [*main.english, *joint.english, *clause.english],
        [*main.french, *joint.french, *clause.french],
        main.english_head,
        main.french_head,
    )


def vocative(phrase: Phrase, addressed: Phrase) -> Phrase:
    """Call somebody at the end: *Are you tired, Marie?*"""
    commas = comma(addressed)
    addressed.depend(phrase.english_head, phrase.french_head)
    addressed.french[-1].tags += ("address",)
    return Phrase(
        [*phrase.english, commas[0], *addressed.english],
        [*phrase.french, commas[1], *addressed.french],
        phrase.english_head,
        phrase.french_head,
    )


def front(phrase: Phrase, clause: Phrase) -> Phrase:
    """Put a place or a time before a clause, with a comma."""
    phrase.depend(clause.english_head, clause.french_head)
    commas = comma(phrase)
    return Phrase(
        [*phrase.english, commas[0], *clause.english],
        [*phrase.french, commas[1], *clause.french],
        clause.english_head,
        clause.french_head,
    )


def relative(antecedent: NounPhrase, clause: Clause, commas: bool) -> NounPhrase:
    """Hang a relative clause, whose pronoun is already in it, under its antecedent."""
    phrase = build(clause)
    inner = [n for n in (clause.object, clause.subject) if n is not None and n.noun is not antecedent.noun]
    if commas:
        for position in ("before", "after"):
            en, fr = comma(phrase)
            if position == "before":
                phrase.english.insert(0, en)
                phrase.french.insert(0, fr)
            else:
                phrase.english.append(en)
                phrase.french.append(fr)
    whole = with_phrase(antecedent, phrase)
    for noun in inner:
        if noun.noun is not None and not noun.pronoun:
            whole.inner += [(noun.gender, noun.number), *noun.inner]
    return whole


def elided(subject: NounPhrase) -> NounPhrase:
    """Repeat a subject without saying it: *sees the mouse and* (it) *chases it*."""
    silent = subject_pronoun(pronoun_of(subject))
    return NounPhrase([], [], silent.english_head, silent.french_head, subject.gender, subject.number,
                      subject.agreement, subject.noun, subject.key, subject.pronoun)  # fmt: skip


def taken_up(noun: NounPhrase, *, subject: bool) -> NounPhrase:
    """Take up an earlier noun by a pronoun, which has its gender from it."""
    key = pronoun_of(noun)
    pronoun = subject_pronoun(key) if subject else object_pronoun(key)
    if pronoun.pronoun and pronoun.english_head.text in ("it", "they", "them"):
        pronoun.french_head.tags += ("antecedent",)
    return pronoun


def tired(verb: Verb) -> bool:
    """Allow verbs that need no thing: what somebody simply does."""
    return not verb.transitive


class Patterns(Scenes):
    """One method for each kind of sentence; `PATTERNS` lists them with how often they occur."""

    # ------------------------------------------------------------------------------------- simple clauses

    def simple(self) -> Sentence:
        """*The gardener waters …*: a verb with its company."""
        return finish(build(self.event()))

    def pronouns(self) -> Sentence:
        """*He sees her.*: a pronoun as object."""
        personal = {"person", "family", "young", "neighbour"}

        def allow(verb: Verb) -> bool:
            objects = frozenset().union(*(objects for _, objects in verb.frames))
            return "to" in verb.flags or (verb.french_preposition in ("", "à") and bool(objects & personal))

        return finish(build(self.event(allow=allow, pronoun=0.9)))

    def reflexive(self) -> Sentence:
        """*The girl gets up.*"""
        return finish(build(self.event(allow=lambda verb: verb.reflexive)))

    def motion(self) -> Sentence:
        """*She went home.*: verbs whose past takes être."""
        return finish(build(self.event(allow=lambda verb: verb.etre and not verb.reflexive)))

    def fronted(self) -> Sentence:
        """*At the market, the woman buys apples.*"""
        clause = self.event(extras=False, negative=0.05)
        place = self.place(clause.verb, clause.subject) if self.dice.chance(0.5) else None
        repeated = "often" in clause.verb.flags or clause.tense != "present"
        adverbial = place or (self.time(clause.tense) if repeated and "state" not in clause.verb.flags else None)
        phrase = build(clause)
        return finish(front(adverbial, phrase) if adverbial else phrase)

    # -------------------------------------------------------------------------------------------- copulas

    def described(self, subject: NounPhrase, *, negative: float = 0.12) -> Clause | None:
        """Say what somebody or something is like."""
        adjective = self.quality(subject)
        if adjective is None:
            return None
        verb, tense = BE, "present"
        roll = self.dice.weighted({"be": 0.82, "seem": 0.12, "become": 0.06})
        if roll == "seem" and labels_of(subject) & {"person", "food", "box", "event", "lesson"}:
            verb = SEEM
        if roll == "become" and adjective.english in BECOMING and subject.agreement != 0:
            verb, tense = BECOME, "past"
        degree = ""
        if self.dice.chance(0.22) and adjective.english not in UNGRADED:
            degree = "too" if self.dice.chance(0.2) and verb is BE else "very"
        frequency = "often" if verb is BE and adjective.english in PASSING and self.dice.chance(0.1) else ""
        return Clause(subject, verb, tense, verb is not BECOME and self.dice.chance(negative),
                      predicate=adjective, degree=degree, frequency=frequency)  # fmt: skip

    def anything(self) -> NounPhrase:
        """Choose a subject to describe: somebody, or any noun that some adjective suits."""
        if self.dice.chance(0.35):
            return self.subject("person")
        adjective = self.dice.pick([a for a in adjectives.LEXICON if a.predicate])
        return self.dress(self.noun(adjective.labels))

    def description(self) -> Sentence:
        """*The soup is very hot.*"""
        clause = self.described(self.anything())
        return finish(build(clause)) if clause else self.simple()

    def located(self) -> tuple[NounPhrase, Phrase]:
        """Choose something, and where it is."""
        things, kind, places = self.dice.pick(POSITIONS)
        thing = self.dress(self.noun(things), definite=True, plain=self.dice.chance(0.5))
        if kind in ("near", "in_front"):
            return thing, self.spot(kind, AROUND[kind], thing)[0]
        return thing, self.spot(kind, places, thing)[0]

    def location(self) -> Sentence:
        """*The keys are in the drawer.*"""
        thing, place = self.located()
        clause = Clause(thing, BE, negative=self.dice.chance(0.15), complements=[place])
        return finish(build(clause))

    def existence(self) -> Sentence:
        """*There are two cats on the sofa.*: il y a, and de under negation."""
        things, kind, places = self.dice.pick([p for p in POSITIONS if p[1] not in ("near", "in_front")])
        noun = self.noun(things)
        if noun & {"singular", "family", "heaven"}:
            return self.location()
        negative = self.dice.chance(0.2)
        number = self.number(noun, 0.45)
        determiner = "a" if negative or number == SINGULAR else self.dice.pick(["a", "two", "three", "four"])
        thing = noun_phrase(noun, determiner, number, self.adjectives(noun, 0.25), negated=negative)
        place = self.spot(kind, places, thing)[0]
        verb = Word("a", tags=("present",))
        there, be = english("there"), english("are" if number == PLURAL else "is", verb)
        il, y = french("il", head=verb), Word("y", verb)
        link(there, il, y)
        there.head = be
        thing.depend(be, verb)
        place.depend(be, verb)
        ne = [french("ne", head=verb, tags=("negation",))] if negative else []
        pas = [Word("pas", verb, tags=("negation",))] if negative else []
        en_not = [english("not", *ne, *pas, head=be)] if negative else []
        return finish(
            Phrase(
                [there, be, *en_not, *thing.english, *place.english],
                [il, *ne, y, verb, *pas, *thing.french, *place.french],
                be,
                verb,
            )
        )

    def presentation(self) -> Sentence:
        """*This is my house.*: c’est, ce sont; no de under its negation."""
        noun = self.noun("tool clothes pet house building portable family fruit instrument toy vehicle plant")
        number = self.number(noun)
        determiner = self.possessor(None)
        if not noun & {"ownable", "pet", "family"}:
            determiner = "a"
        thing = noun_phrase(noun, determiner, number, self.adjectives(noun))
        ce = french("ce")
        this = english("these" if number == PLURAL else "this", ce)
        subject = NounPhrase([this], [ce], this, ce, number=number, agreement=2 + 3 * number)
        clause = Clause(subject, BE, negative=self.dice.chance(0.2), complements=[thing])
        return finish(build(clause))

    def possession(self) -> Sentence:
        """*Paul has two brothers.*; *Marie does not have a cat.*"""
        labels = "family" if self.dice.chance(0.25) else "ownable pet"
        noun = self.noun(labels)
        if noun & {"singular"} or noun.name in ("mother", "father"):
            return self.simple()
        clause = Clause(self.subject("person", plain=True), HAVE, negative=self.dice.chance(0.3))
        number = self.number(noun, 0.4)
        determiner = "a" if clause.negative or number == SINGULAR else self.dice.pick(["a", "two", "three"])
        chosen = self.adjectives(noun)
        clause.object = noun_phrase(noun, determiner, number, chosen, negated=clause.negative)
        clause.question = not clause.negative and clause.subject.agreement != 0 and self.dice.chance(0.25)
        return finish(build(clause), "?" if clause.question else ".")

    # ------------------------------------------------------------------------------------------ questions

    def question(self) -> Sentence:
        """*Does the cat sleep?*: inversion, with -t- after a vowel."""
        if self.dice.chance(0.3):
            described = self.described(self.anything(), negative=0.0)
            clause = described or self.event(negative=0.0)
        else:
            clause = self.event(negative=0.0, pronoun=0.2)
        clause.question = True
        if clause.subject.agreement == 0 and clause.tense not in ("future", "must", "past"):
            return finish(build(self.event(negative=0.0)))
        return finish(build(clause), "?")

    def where(self) -> Sentence:
        """*Where does the girl sleep?*, *Why is she crying?*, *When …?*: question words before inversion."""
        if self.dice.chance(0.3):
            thing, _ = self.located()
            clause = Clause(thing, BE)
            words = ("where", "où")
        else:
            clause = self.event(negative=0.0, extras=False, allow=lambda verb: "point" not in verb.flags)
            options = {"why": "pourquoi"}
            if clause.verb.places and "state" not in clause.verb.flags:
                options["where"] = "où"
            if clause.tense in ("past", "future"):
                options["when"] = "quand"
            word = self.dice.pick(list(options))
            words = (word, options[word])
        if clause.subject.agreement == 0:
            clause.subject = subject_pronoun("you")
        clause.question = True
        clause.interrogative = fixed(*words)
        return finish(build(clause), "?")

    def who(self) -> Sentence:
        """*Who eats the apple?*"""
        qui = french("qui")
        asked = english("who", qui)
        subject = NounPhrase([asked], [qui], asked, qui)
        return finish(build(self.event(subject, negative=0.05)), "?")

    def what(self) -> Sentence:
        """*What does he eat?*: que, or qu’, before inversion."""
        edible = ["eat", "drink", "look", "buy", "read", "draw", "hear", "prepare", "wear", "find", "see", "write"]

        def allow(verb: Verb) -> bool:
            return verb.english[0] in edible and verb.french_preposition == "" and verb.transitive

        clause = self.event(allow=allow, negative=0.0, extras=False)
        que = french("que")
        what = english("what", que)
        clause.fronted = NounPhrase([what], [que], what, que)
        clause.object, clause.question = None, True
        if clause.tense not in ("present", "progressive"):
            clause.tense = "present"
        if clause.subject.agreement == 0:
            clause.subject = subject_pronoun("you")
        return finish(build(clause), "?")

    # ------------------------------------------------------------------------------------------ relatives

    def relative_subject(self, antecedent: NounPhrase, *, plain: bool = False) -> NounPhrase:
        """Hang a relative clause with qui behind a noun."""
        commas = self.dice.chance(0.25) or antecedent.noun is None or bool(antecedent.noun & {"family", "singular"})
        pronoun = relative_pronoun(antecedent, "subject", commas=commas)
        clause = None
        if self.dice.chance(0.35):
            clause = self.described(pronoun)
        if clause is None:
            clause = self.event(pronoun, negative=0.1, extras=self.dice.chance(0.3), plain=plain)
            if clause.object is not None and clause.object.key == antecedent.key:
                clause.object, clause.verb = None, BE
                clause = self.described(relative_pronoun(antecedent, "subject", commas=commas)) or clause
        return relative(antecedent, clause, commas)

    def relative_object(self, *, subject: bool) -> NounPhrase | None:
        """Make a noun with a relative clause with que behind it: *the apples that the girl bought*."""

        def allow(verb: Verb) -> bool:
            return verb.transitive and not verb.french_preposition and "to" not in verb.flags

        inner = self.event(allow=allow, negative=0.06, extras=False, plain=True)
        thing = inner.object
        if thing is None or thing.pronoun or thing.noun is None or thing.english[0].text in ("any", "some"):
            return None
        if not thing.french[0].article and "the" not in (thing.english[0].text,):
            return None
        pronoun = relative_pronoun(thing, "object", commas=False)
        inner.fronted, inner.object = pronoun, None
        return relative(thing, inner, False)

    def who_does(self) -> Sentence:
        """*The girl who reads the book is happy.*"""
        noun = self.noun("person animal person portable furniture building food clothes event vehicle")
        antecedent = self.dress(noun, definite=True, plain=True)
        clause = self.main_clause(self.relative_subject(antecedent, plain=True))
        return finish(build(clause))

    def which_is(self) -> Sentence:
        """*The baker knows the girl who sings.*: the relative at the end."""
        clause = self.event(negative=0.08, extras=False, allow=lambda verb: verb.transitive)
        thing = clause.object
        if thing is not None and thing.noun is not None and not thing.pronoun and _restrictable(thing):
            clause.object = self.relative_subject(thing, plain=True)
            last = clause.object
            for words in (last.english, last.french):
                if words[-1].text == ",":
                    words.pop()
        return finish(build(clause))

    def that_was(self) -> Sentence:
        """*The apples that the girl bought are ripe.*"""
        subject = None
        while subject is None:
            subject = self.relative_object(subject=True)
        return finish(build(self.main_clause(subject)))

    def that_at_the_end(self) -> Sentence:
        """*Paul is looking for the keys that Marie lost.*"""
        while True:
            thing = self.relative_object(subject=False)
            if thing is None:
                continue
            labels = labels_of(thing)
            options = [
                (verb, subjects)
                for verb in verbs.LEXICON
                for subjects, objects in verb.frames
                if objects & labels and "to" not in verb.flags
            ]
            if options:
                verb, subjects = self.dice.pick(options)
                who = self.subject(subjects, plain=True)
                if who.key == thing.key:
                    continue
                clause = Clause(who, verb, self.tense(verb, who), False, object=thing)
                if _ambiguous(clause):
                    continue
                return finish(build(clause))

    def main_clause(self, subject: NounPhrase) -> Clause:
        """Say something of a subject that is already long: what it is like, or what it does."""
        described = self.described(subject, negative=0.1) if self.dice.chance(0.65) else None
        if described is None and subject.noun is not None and subject.noun & CREATURES:
            return self.event(subject, negative=0.08, plain=True)
        return described or self.described(subject) or self.event(subject)

    def attraction(self) -> Sentence:
        """*The keys to the cabinet are old.*: a verb that agrees across another noun."""
        relation = self.dice.pick(RELATIONS)
        number = self.number(nouns.LEXICON[relation[0]], 0.5)
        clause = self.described(self.relation(relation, number))
        return finish(build(clause)) if clause else self.owned()

    def owned(self) -> Sentence:
        """*The neighbour’s dogs are sleeping.*"""
        noun = self.noun("pet clothes ownable family")
        subject = genitive(self.owner(noun), noun, self.number(noun, 0.45), self.adjectives(noun, 0.15))
        return finish(build(self.main_clause(subject)))

    def on_the_table(self) -> Sentence:
        """*The books on the table are old.*: a place that belongs to the noun."""
        things, kind, places = self.dice.pick([p for p in POSITIONS if p[1] in ("in", "on", "under")])
        noun = self.noun(things)
        if noun & {"singular", "family", "mass"}:
            return self.location()
        subject = noun_phrase(noun, "the", self.number(noun, 0.5))
        place, inner = self.spot(kind, places, subject)
        return finish(build(self.main_clause(with_phrase(subject, place, inner))))

    # --------------------------------------------------------------------------------------- conjunctions

    def pair(self) -> NounPhrase:
        """Join two subjects of one kind."""
        labels = self.dice.pick(["person", "pet", "animal", "clothes", "fruit", "furniture", "family"])
        first = self.dress(self.noun(labels), definite=True, plain=True)
        if labels == "person" and self.dice.chance(0.4):
            first = name_phrase(self.dice.pick(WOMEN + MEN))
        second_noun = self.noun(labels, besides=first.key)
        second = self.dress(second_noun, definite=True, plain=True)
        both = conjoin(first, second)
        both.noun = second_noun if first.noun is None else first.noun
        return both

    def two(self) -> Sentence:
        """*The boy and his sister are happy.*"""
        subject = self.pair()
        shared = subject.noun
        clause = None
        if shared is not None and self.dice.chance(0.6):
            clause = self.described(subject)
        if clause is None:
            clause = self.event(subject, negative=0.08)
        return finish(build(clause))

    def both_objects(self) -> Sentence:
        """*Marie buys a pear and an orange.*"""
        clause = self.event(allow=lambda v: v.transitive and not v.french_preposition and "to" not in v.flags,
                            negative=0.0, plain=True)  # fmt: skip
        first = clause.object
        if first is None or first.noun is None or first.english[0] is first.english_head:
            return finish(build(clause))
        frames = [objects for _, objects in clause.verb.frames if objects & labels_of(first)]
        noun = self.noun(self.dice.pick(frames), besides=first.noun.name)
        if noun.name == clause.subject.key or noun & {"singular"}:
            return finish(build(clause))
        second = self.thing(clause.verb, frozenset({noun.name}), clause)
        if second.english[0] is not second.english_head:
            clause.object = conjoin(first, second)
        return finish(build(clause))

    def and_then(self) -> Sentence:
        """*The cat saw the mouse and chased it.*: a pronoun with the gender of its antecedent."""
        first_verbs = {"take", "find", "see", "buy", "hear", "open", "catch", "wash", "choose", "call", "meet",
                       "read", "write", "prepare", "make", "draw", "paint", "repair"}  # fmt: skip
        tense = self.dice.weighted({"past": 0.55, "present": 0.3, "future": 0.15})

        def starts(verb: Verb) -> bool:
            return verb.english[0] in first_verbs and verb.transitive and not verb.french_preposition

        clause = self.event(allow=starts, tense=tense, negative=0.0, extras=False)
        thing = clause.object
        if _ambiguous(clause) or thing is None or thing.noun is None or thing.pronoun or not _singled_out(thing):
            return finish(build(clause)) if not _ambiguous(clause) else self.simple()
        labels = labels_of(thing)
        options = [
            verb
            for verb in verbs.LEXICON
            for subjects, objects in verb.frames
            if objects & labels
            and verb.english[0] in NEXT
            and verb.name != clause.verb.name
            and not verb.french_preposition
            and "to" not in verb.flags
            and subjects & (labels_of(clause.subject))
        ]
        if not options:
            return finish(build(clause))
        verb = self.dice.pick(options)
        second = Clause(elided(clause.subject), verb, tense, object=taken_up(thing, subject=False))
        if _ambiguous(second):
            return finish(build(clause))
        return finish(coordinate(build(clause), build(second), "and", "et"))

    def sings_and_dances(self) -> Sentence:
        """*Marie sings and dances.*"""
        clause = self.event(allow=tired, negative=0.0, extras=False)
        second = self.event(elided(clause.subject), allow=tired, tense=clause.tense, negative=0.0, extras=False)
        if second.verb.name == clause.verb.name or second.verb.flags & {"state"} or clause.verb.flags & {"state"}:
            return finish(build(clause))
        return finish(coordinate(build(clause), build(second), "and", "et"))

    def meanwhile(self) -> Sentence:
        """*The baby sleeps while the mother works.*: two clauses, two subjects."""
        joint = self.dice.pick([("and", "et"), ("but", "mais"), ("while", "pendant que"), (";", ";")])
        tense = "progressive" if joint[0] == "while" else self.dice.pick(["present", "progressive", "past"])

        def allow(verb: Verb) -> bool:
            return not verb.flags & {"state", "state_past", "point"} and not verb.reflexive

        first = self.event(allow=allow, tense=tense, negative=0.0, extras=False, plain=True)
        while True:
            second = self.event(allow=allow, tense=tense, negative=0.0, extras=False, plain=True)
            if second.subject.key != first.subject.key and second.verb.name != first.verb.name:
                if not second.subject.pronoun and not _ambiguous(second):
                    break
        if _ambiguous(first) or second.subject.english[0].text == first.subject.english[0].text == "":
            return self.simple()
        if joint[0] == "while":
            return finish(subordinate(build(first), build(second), *joint))
        return finish(coordinate(build(first), build(second), *joint))

    def because(self) -> Sentence:
        """*The children are sleeping because they are tired.*"""
        while True:
            clause = self.event(allow=lambda verb: bool(_reasons(verb)), negative=0.1, extras=False, plain=True)
            if clause.tense != "past" and clause.tense != "must" and clause.verb.name != BE.name:
                break
        reason = self.dice.pick(_reasons(clause.verb))
        return finish(self.explained(clause, reason))

    def explained(self, clause: Clause, reason: str) -> Phrase:
        """Hang the reason under a clause."""
        subject = taken_up(clause.subject, subject=True)
        state = self.state(subject, clause.subject, reason)
        if state is None:
            return build(clause)
        state.negative = clause.negative
        joints = [("because", "parce que")]
        if clause.tense in ("present", "progressive"):
            joints += [("because", "parce que"), ("when", "quand"), ("if", "si")]
        joint = self.dice.pick(joints)
        if joint[0] != "because":
            clause.negative = state.negative = False
            clause.tense = "present"
        return subordinate(build(clause), build(state), *joint)

    def state(self, subject: NounPhrase, spoken_of: NounPhrase, reason: str) -> Clause | None:
        """Say that somebody is tired, hungry, afraid: an adjective or an idiom with avoir."""
        for adjective in adjectives.LEXICON:
            if adjective.english == reason:
                if not labels_of(spoken_of) & adjective.labels:
                    return None
                return Clause(subject, BE, predicate=adjective)
        verb = next(v for v in verbs.LEXICON if v.english[0] == "be" and v.english_tail == (reason,))
        fits = any(subjects & labels_of(spoken_of) for subjects, _ in verb.frames)
        return Clause(subject, verb) if fits else None

    # --------------------------------------------------------------------------------- speech and address

    def address(self) -> Sentence:
        """*Are you tired, Marie?*: the one spoken to decides between tu and vous, and the gender."""
        who = self.dice.weighted({"woman": 0.4, "man": 0.2, "sir": 0.13, "madam": 0.17, "children": 0.1})
        if who in ("woman", "man"):
            addressed: Phrase = name_phrase(self.dice.pick(WOMEN if who == "woman" else MEN))
            key = "you f" if who == "woman" else "you"
        else:
            words = {"sir": ("sir", "monsieur"), "madam": ("madam", "madame"), "children": ("children", "les enfants")}
            addressed, key = fixed(*words[who]), who
        if who == "children":
            link(addressed.english[0], *addressed.french)
        subject = subject_pronoun(key)
        clause = self.described(subject, negative=0.1) if self.dice.chance(0.5) else None
        if clause is None:
            etre = self.dice.chance(0.4)
            clause = self.event(subject, negative=0.1, allow=lambda verb: verb.etre or not etre)
        clause.question = not clause.negative and self.dice.chance(0.7)
        return finish(vocative(build(clause), addressed), "?" if clause.question else ".")

    def speech(self) -> Sentence:
        """*The girl says, “I am tired.”*: I is the one who speaks."""
        speaker = self.subject("person", plain=True)
        if speaker.pronoun and speaker.agreement != 2 or speaker.number == PLURAL:
            speaker = name_phrase(self.dice.pick(WOMEN + MEN))
        subject = subject_pronoun("I f" if speaker.gender == "f" else "I")
        clause = self.described(subject, negative=0.1) if self.dice.chance(0.5) else None
        if clause is None:
            clause = self.event(subject, negative=0.1, allow=lambda verb: verb.etre or self.dice.chance(0.3))
        said, frame = build(clause), build(Clause(speaker, SAY))
        said.depend(frame.english_head, frame.french_head)
        said.english[0].capital = True
        front_word = said.french[0]
        front_word.capital = True
        front_word.tags += ("speech",)
        en_marks = [Word(",", frame.english_head), Word("“", said.english_head), Word(".", said.english_head)]
        fr_marks = [Word(":", frame.french_head), Word("«", said.french_head), Word(".", said.french_head)]
        for en, fr in zip(en_marks, fr_marks, strict=True):
            link(en, fr)
        whole = Phrase(
            [*frame.english, en_marks[0], en_marks[1], *said.english, en_marks[2]],
            [*frame.french, fr_marks[0], fr_marks[1], *said.french, fr_marks[2]],
            frame.english_head,
            frame.french_head,
        )
        return finish(whole, "”", "»")

    def exclamation(self) -> Sentence:
        """*What a beautiful house!*, quel agreeing; *How big the castle is!*, comme."""
        adjective = self.dice.pick([a for a in adjectives.LEXICON if a.predicate and a.attribute and a.english in FELT])
        noun = self.noun(adjective.labels)
        if noun & {"mass", "singular", "family"}:
            return self.description()
        number = self.number(noun, 0.35)
        if self.dice.chance(0.45):
            subject = noun_phrase(noun, "the", number)
            comme = french("comme")
            how = english("how", comme)
            clause = build(Clause(subject, BE, predicate=adjective))
            en_adjective = next(w for w in clause.english if w.text == adjective.english)
            clause.english.remove(en_adjective)
            how.head, comme.head = en_adjective, clause.french_head
            return finish(
                Phrase(
                    [how, en_adjective, *clause.english],
                    [comme, *clause.french],
                    clause.english_head,
                    clause.french_head,
                ),
                "!",
            )
        thing = noun_phrase(noun, "bare", number, (adjective,))
        text = agree("quel", thing.gender, number)
        quel = Word(text, thing.french_head, tags=("article",) if text != "quel" else ())
        what = english("what", quel, head=thing.english_head)
        words = [what]
        if number == SINGULAR:
            words.append(english("a", quel, head=thing.english_head))
        thing.english[:0] = words
        thing.french.insert(0, quel)
        return finish(thing, "!")


UNGRADED = {"open", "closed", "broken", "French", "English", "Italian", "electric", "public", "round", "full",
            "empty", "delicious", "ripe"}  # fmt: skip
PASSING = {"happy", "sad", "tired", "sick", "busy", "nervous", "late"}
FELT = {"big", "beautiful", "pretty", "small", "long", "old", "clever", "brave", "lazy", "interesting", "strange",
        "elegant", "fast", "good", "bad", "noisy", "comfortable", "delicious", "curious"}  # fmt: skip
NEXT = {"eat", "drink", "read", "close", "carry", "wash", "clean", "cut", "break", "draw", "paint", "repair",
        "chase", "follow", "catch", "help", "invite", "thank", "admire", "push", "fill", "empty", "hide", "keep",
        "sell", "finish", "bite", "kiss", "buy", "learn"}  # fmt: skip


def _restrictable(noun: NounPhrase) -> bool:
    """Say whether a relative clause may restrict a noun: not *my cat that …*, not *music*, not two nouns."""
    return noun.english[0].text in ("the", "a", "an", "this", "these", "two", "three") and not noun.inner


def _singled_out(noun: NounPhrase) -> bool:
    """Say whether *it* or *them* can take up a noun: one thing, said with an article."""
    return noun.noun is not None and noun.english[0] is not noun.english_head and not noun.inner


def _ambiguous(clause: Clause) -> bool:
    """Say whether English leaves open when it was: *they cut*."""
    same = clause.verb.english[0] == clause.verb.english[2]
    return same and clause.tense in ("present", "past") and clause.subject.agreement != 2


def _reasons(verb: Verb) -> list[str]:
    if "state" in verb.flags and verb.english[0] != "wear":
        return []
    return REASONS.get(verb.english_tail[-1] if verb.english_tail else verb.english[0], [])


PATTERNS: dict[str, float] = {
    "simple": 20, "pronouns": 9, "reflexive": 4, "motion": 5, "fronted": 3, "description": 9, "location": 4,
    "existence": 3, "presentation": 3, "possession": 3, "question": 8, "where": 4, "who": 2, "what": 2,
    "who_does": 7, "which_is": 5, "that_was": 5, "that_at_the_end": 4, "attraction": 3, "owned": 3,
    "on_the_table": 3, "two": 4, "both_objects": 3, "and_then": 5, "sings_and_dances": 2, "meanwhile": 4,
    "because": 6, "address": 4, "speech": 3, "exclamation": 3,
}  # fmt: skip


def sample(dice: Dice, patterns: Mapping[str, float] = PATTERNS) -> Sentence:
    """Draw one sentence."""
    method: Callable[[], Sentence] = getattr(Patterns(dice), dice.weighted(dict(patterns)))
    return method()
