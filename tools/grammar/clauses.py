"""Clauses: a subject, a verb, and what goes with it, in the word order of each language.

English puts *do* and *not* before the verb and objects after it; French puts *ne … pas* round the finite
verb and pronouns before the verb they belong to. Both orders are written here once, for every tense.
"""

from dataclasses import dataclass, field

from grammar.adjectives import Adjective
from grammar.morphology import BE_PRESENT, agree, conjugate
from grammar.phrases import (
    PRONOUNS,
    REFLEXIVE,
    NounPhrase,
    Phrase,
    adjective_words,
    english,
    fixed,
    french,
    pronoun_of,
)
from grammar.verbs import BE, Verb
from grammar.words import Word, link

# Verbs that take an infinitive: English words, French verb. The second is English's "going to".
MODALS = {
    "future": ("be going to", "aller"),
    "want": ("want to", "vouloir"),
    "must": ("must", "devoir"),
}
TENSES = ("present", "progressive", "past", *MODALS)
FRENCH_TENSE = {"present": "present", "progressive": "present", "future": "near_future"}

MANNERS = {"well": "bien", "fast": "vite", "slowly": "lentement", "loudly": "fort", "a lot": "beaucoup"}
BETWEEN = {"well", "a lot"}  # adverbs that stand before a French participle
FREQUENCIES = {"often": "souvent", "always": "toujours"}


@dataclass
class Clause:
    """What a clause says; `build` puts it into words."""

    subject: NounPhrase
    verb: Verb
    tense: str = "present"
    negative: bool = False
    question: bool = False
    object: NounPhrase | None = None  # a pronoun goes before the French verb
    recipient: NounPhrase | None = None  # after to, à; or a pronoun
    fronted: NounPhrase | None = None  # the object as relative or interrogative pronoun
    interrogative: Phrase | None = None  # where, why, when
    predicate: Adjective | None = None
    degree: str = ""  # very, too
    complements: list[Phrase] = field(default_factory=list)  # places, times
    manner: str = ""
    frequency: str = ""


@dataclass
class _Group:
    """The verbs of one language: the finite one, all of them, and the one that carries the meaning."""

    words: list[Word]

    @property
    def finite(self) -> Word:
        return self.words[0]

    @property
    def lexical(self) -> Word:
        return self.words[-1]

    def chain(self) -> None:
        for word, governor in zip(self.words[1:], self.words, strict=False):
            word.head = governor


def _english_finite(verb: Verb, tense: str, agreement: int, *, helped: bool) -> list[str]:
    """Spell the English verbs of a tense; `helped` asks for *do* where a question or *not* needs it."""
    base, third, past, ing = verb.english
    be, do = BE_PRESENT[agreement], "does" if agreement == 2 else "do"
    if tense == "progressive":
        return [be, ing]
    if tense == "past":
        return ["did", base] if helped else [past]
    if tense == "future":
        return [be, "going", "to", base]
    if tense == "must":
        return ["must", base]
    if tense == "want":
        wants = ["wants" if agreement == 2 else "want"]
        return [*([do, "want"] if helped else wants), "to", base]
    if base == "be":
        return [be]
    if helped:
        return [do, base]
    return [third if agreement == 2 else base]


def _french_verbs(clause: Clause) -> _Group:
    """Conjugate the French verb, and make its participle agree."""
    verb, subject, tense = clause.verb, clause.subject, clause.tense
    person = subject.agreement
    if tense in MODALS:
        finite = Word(conjugate(MODALS[tense][1])[0][person], tags=(FRENCH_TENSE.get(tense, "modal"),))
        words = [finite, Word(verb.infinitive, aspirate=verb.aspirate)]
    elif tense == "past":
        auxiliary = "être" if verb.etre else "avoir"
        leader, tag = (
            (subject, "participle_subject") if verb.etre else (_preceding(clause), "participle_object")
        )
        participle = agree(verb.participle, leader.gender, leader.number) if leader else verb.participle
        shows = (tag,) if participle != verb.participle else ()
        finite = Word(conjugate(auxiliary)[0][person], tags=("past_etre" if verb.etre else "past_avoir",))
        words = [finite, Word(participle, aspirate=verb.aspirate, tags=shows)]
    else:
        words = [Word(verb.present[person], aspirate=verb.aspirate, tags=("present",))]
    if subject.noun and not subject.pronoun:
        words[-1].combinations.append(f"{subject.key} does {verb.name}")
    if subject.french_head.noun:
        words[0].subject = subject.french_head
    group = _Group(words)
    group.chain()
    return group


def _preceding(clause: Clause) -> NounPhrase | None:
    """Find the direct object that stands before the French verb: a pronoun, or que."""
    if clause.fronted is not None:
        return clause.fronted
    if clause.object is not None and clause.object.pronoun and not clause.verb.french_preposition:
        return clause.object
    return None


def _clitics(clause: Clause, governor: Word) -> list[Word]:
    """List the French pronouns that stand before the verb: se, then object pronouns."""
    words = []
    if clause.verb.reflexive:
        text = REFLEXIVE[clause.subject.agreement]
        words.append(french(text, tags=("reflexive",)))
    for argument in (clause.object, clause.recipient):
        if argument is not None and argument.pronoun:
            words.append(argument.french_head)
    for word in words:
        word.head = governor
    return words


def _inverted(clause: Clause, finite: Word) -> list[Word]:
    """Make the subject pronoun that a French question puts behind its verb; je asks with est-ce que."""
    pronoun = PRONOUNS[pronoun_of(clause.subject)].subject[1]
    t = "-t" if pronoun in ("il", "elle") and finite.text[-1] not in "td" else ""
    return [Word(f"{t}-{pronoun}", finite, tags=("question_t",) if t else ())]


def _phrase_of_object(clause: Clause, english_verb: Word, french_verb: Word) -> tuple[list[Word], list[Word]]:
    """Put prepositions before the object, and the object where each language has it."""
    verb, noun = clause.verb, clause.object or clause.fronted
    if noun is None:
        return [], []
    fr: list[Word] = [] if noun.pronoun or noun is clause.fronted else list(noun.french)
    en: list[Word] = [] if noun is clause.fronted else list(noun.english)
    en_governor, fr_governor = english_verb, french_verb
    fr_prepositions = [french(text) for text in verb.french_preposition.split()] if fr else []
    if verb.english_preposition:
        preposition = english(
            verb.english_preposition, *(fr_prepositions or [french_verb]), head=english_verb
        )
        en, en_governor = [preposition, *en], preposition
    elif fr_prepositions:
        link(english_verb, *fr_prepositions)
    if fr_prepositions:
        fr_prepositions[0].head = french_verb
        fr, fr_governor = [*fr_prepositions, *fr], fr_prepositions[-1]
    if noun is not clause.fronted:
        noun.english_head.head = en_governor
        if not noun.pronoun:
            noun.french_head.head = fr_governor
    elif verb.english_preposition:
        noun.english_head.head = en_governor
    if noun.noun and not noun.pronoun and noun.key:
        french_verb.combinations.append(f"{verb.name} takes {noun.key}")
    return en, fr


def _recipient(clause: Clause, english_verb: Word, french_verb: Word) -> tuple[list[Word], list[Word]]:
    noun = clause.recipient
    if noun is None:
        return [], []
    fr_a = french("à", head=french_verb)
    en_to = english("to", head=english_verb)
    noun.english_head.head = en_to
    if noun.pronoun:
        link(en_to, noun.french_head)
        return [en_to, *noun.english], []
    link(en_to, fr_a)
    noun.french_head.head = fr_a
    return [en_to, *noun.english], [fr_a, *noun.french]


def _tails(
    clause: Clause, english_verb: Word, french_verb: Word, clitics: list[Word]
) -> tuple[list[Word], list[Word]]:
    """Add the further words of a verb: particles, *himself*, avoir *besoin*."""
    fr = [french(text, head=french_verb) for text in clause.verb.french_tail]
    en = []
    reflexive = [word for word in clitics if "reflexive" in word.tags]
    for text in clause.verb.english_tail:
        if text == "~":
            himself = PRONOUNS[pronoun_of(clause.subject)].reflexive[0]
            en.append(english(himself, *reflexive, head=english_verb))
            reflexive = []
        else:
            en.append(english(text, *(fr or [french_verb]), head=english_verb))
    link(english_verb, *reflexive)
    if not en:
        link(english_verb, *fr)
    return en, fr


def _predicate(clause: Clause, english_verb: Word, french_verb: Word) -> tuple[list[Word], list[Word]]:
    if clause.predicate is None:
        return [], []
    en_word, fr_word = adjective_words(clause.predicate, clause.subject, "predicate")
    en_word.head, fr_word.head = english_verb, french_verb
    if not clause.degree:
        return [en_word], [fr_word]
    adverb = Word({"very": "très", "too": "trop"}[clause.degree], fr_word)
    return [english(clause.degree, adverb, head=en_word), en_word], [adverb, fr_word]


def _adverb(text: str, translation: str, en_head: Word, fr_head: Word) -> tuple[list[Word], list[Word]]:
    if not text:
        return [], []
    phrase = fixed(text, translation).depend(en_head, fr_head)
    return phrase.english, phrase.french


def build(clause: Clause) -> Phrase:
    """Put a clause into words, in both languages."""
    verb, subject = clause.verb, clause.subject
    fr = _french_verbs(clause)
    helped = clause.negative or clause.question
    en = _Group(
        [english(text) for text in _english_finite(verb, clause.tense, subject.agreement, helped=helped)]
    )
    en.chain()
    _align(en, fr)
    subject.depend(en.finite, fr.finite)

    clitics = _clitics(clause, fr.lexical)
    en_tail, fr_tail = _tails(clause, en.lexical, fr.lexical, clitics)
    en_object, fr_object = _phrase_of_object(clause, en.lexical, fr.lexical)
    en_recipient, fr_recipient = _recipient(clause, en.lexical, fr.lexical)
    en_predicate, fr_predicate = _predicate(clause, en.lexical, fr.lexical)
    en_manner, fr_manner = _adverb(clause.manner, MANNERS.get(clause.manner, ""), en.lexical, fr.lexical)
    en_often, fr_often = _adverb(
        clause.frequency, FREQUENCIES.get(clause.frequency, ""), en.finite, fr.finite
    )
    ne, pas, en_not = _negation(clause, en, fr)

    before_participle = fr_manner if clause.manner in BETWEEN and clause.tense == "past" else []
    after = [] if before_participle else fr_manner
    for complement in clause.complements:
        complement.depend(en.lexical, fr.lexical)
    en_rest = [*en_tail, *en_predicate, *en_object, *en_recipient, *en_manner]
    fr_rest = [*fr_tail, *fr_predicate, *after, *fr_object, *fr_recipient]
    for complement in clause.complements:
        en_rest += complement.english
        fr_rest += complement.french

    first, others = (clitics, []) if clause.tense not in MODALS else ([], clitics)
    inverted, opening, fr_subject = _question(clause, en, fr)
    fr_words = [*opening, *fr_subject, *ne, *first, fr.finite, *inverted, *pas, *fr_often, *before_participle]
    fr_words += [*others, *fr.words[1:], *fr_rest] if len(fr.words) > 1 else fr_rest
    if clause.question:
        en_words = [en.finite, *subject.english, *en_not, *en_often, *en.words[1:], *en_rest]
    elif en_often and verb.english[0] != "be" and not clause.negative:
        en_words = [*subject.english, *en_often, en.finite, *en.words[1:], *en_rest]
    else:
        en_words = [*subject.english, en.finite, *en_not, *en_often, *en.words[1:], *en_rest]
    return _front(clause, en, fr, en_words, fr_words)


def _align(en: _Group, fr: _Group) -> None:
    """Align verb with verb; helpers with the finite verb, *to* with the infinitive it announces."""
    for word in en.words:
        if word is en.lexical:
            link(word, *(fr.words if len(en.words) == 1 else [fr.lexical]))
        else:
            link(word, fr.lexical if word.text == "to" else fr.finite)


def _negation(clause: Clause, en: _Group, fr: _Group) -> tuple[list[Word], list[Word], list[Word]]:
    if not clause.negative:
        return [], [], []
    ne = french("ne", head=fr.finite, tags=("negation",))
    pas = Word("pas", fr.finite, tags=("negation",))
    return [ne], [pas], [english("not", ne, pas, head=en.finite)]


def _question(clause: Clause, en: _Group, fr: _Group) -> tuple[list[Word], list[Word], list[Word]]:
    """Order a French question: Dort-il ? Le chat dort-il ? Est-ce que je dors ?"""
    subject = clause.subject
    if not clause.question:
        return [], [], subject.french
    if subject.pronoun and subject.agreement == 0:
        est, ce, que = Word("est", fr.finite), Word("-ce"), french("que")
        ce.head, que.head = est, est
        link(en.finite, est, ce, que)
        return [], [est, ce, que], subject.french
    inverted = _inverted(clause, fr.finite)
    if subject.pronoun:
        link(subject.english_head, *inverted)
        subject.english_head.links = inverted
        return inverted, [], []
    if clause.fronted is not None or (clause.interrogative and clause.verb is BE):  # Que mange le chat ?
        return subject.french, [], []
    link(en.finite, *inverted)
    return inverted, [], subject.french


def _front(clause: Clause, en: _Group, fr: _Group, en_words: list[Word], fr_words: list[Word]) -> Phrase:
    """Put relative and question words first."""
    for phrase in (clause.fronted, clause.interrogative):
        if phrase is not None:
            phrase.french_head.head = fr.lexical
            if phrase.english_head.head is None:
                phrase.english_head.head = en.lexical
            en_words, fr_words = [*phrase.english, *en_words], [*phrase.french, *fr_words]
    return Phrase(en_words, fr_words, en.finite, fr.finite)
