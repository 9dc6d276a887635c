"""Noun phrases, pronouns, adjectives, places: the constituents of a clause, built in both languages at once.

Every function returns the words of both languages in order, each word knowing its head and, on the English
side, the French words that it is aligned with. Heads follow the surface: a preposition heads its noun, a
noun its articles, adjectives and relative clauses, a finite verb its clause.
"""

from dataclasses import dataclass

from grammar.adjectives import Adjective
from grammar.morphology import (
    BEFORE_VOWEL,
    FEMININE,
    MASCULINE,
    PLURAL,
    SINGULAR,
    agree,
)
from grammar.nouns import Name, Noun
from grammar.words import Word, link


@dataclass
class Phrase:
    """Words of both languages in order, with the word of each that heads the rest."""

    english: list[Word]
    french: list[Word]
    english_head: Word
    french_head: Word

    def depend(self, english: Word, french: Word) -> "Phrase":
        """Hang the phrase under a word of each language."""
        self.english_head.head, self.french_head.head = english, french
        return self


@dataclass
class NounPhrase(Phrase):
    """A noun phrase, a name or a pronoun, with what agrees with it.

    `agreement` is the person of verbs, 0 to 5 for je, tu, il, nous, vous, ils; a polite *vous* has 4 and the
    number of one. `modified` says that more than adjectives hang under the noun.
    """

    gender: str = MASCULINE
    number: int = SINGULAR
    agreement: int = 2
    noun: Noun | None = None
    key: str = ""  # by which combinations with verbs and adjectives are counted
    pronoun: "Pronoun | None" = None
    modified: bool = False


@dataclass(frozen=True)
class Pronoun:
    """A personal pronoun in all its cases; direct and indirect French objects stand before the verb."""

    subject: tuple[str, str]
    object: str
    direct: str
    indirect: str
    reflexive: tuple[str, str]
    possessive: str
    agreement: int
    gender: str
    number: int


PRONOUNS = {
    "I": Pronoun(("I", "je"), "me", "me", "me", ("myself", "me"), "my", 0, "m", SINGULAR),
    "you": Pronoun(("you", "tu"), "you", "te", "te", ("yourself", "te"), "your", 1, "m", SINGULAR),
    "he": Pronoun(("he", "il"), "him", "le", "lui", ("himself", "se"), "his", 2, "m", SINGULAR),
    "she": Pronoun(("she", "elle"), "her", "la", "lui", ("herself", "se"), "her", 2, "f", SINGULAR),
    "it m": Pronoun(("it", "il"), "it", "le", "lui", ("itself", "se"), "its", 2, "m", SINGULAR),
    "it f": Pronoun(("it", "elle"), "it", "la", "lui", ("itself", "se"), "its", 2, "f", SINGULAR),
    "we": Pronoun(("we", "nous"), "us", "nous", "nous", ("ourselves", "nous"), "our", 3, "m", PLURAL),
    "they m": Pronoun(("they", "ils"), "them", "les", "leur", ("themselves", "se"), "their", 5, "m", PLURAL),
    "they f": Pronoun(("they", "elles"), "them", "les", "leur", ("themselves", "se"), "their", 5, "f", PLURAL),
    # spoken to: the gender, and with it you = tu or vous, is that of the person addressed at the end
    "you f": Pronoun(("you", "tu"), "you", "te", "te", ("yourself", "te"), "your", 1, "f", SINGULAR),
    "sir": Pronoun(("you", "vous"), "you", "vous", "vous", ("yourself", "vous"), "your", 4, "m", SINGULAR),
    "madam": Pronoun(("you", "vous"), "you", "vous", "vous", ("yourself", "vous"), "your", 4, "f", SINGULAR),
    "children": Pronoun(("you", "vous"), "you", "vous", "vous", ("yourselves", "vous"), "your", 4, "m", PLURAL),
    "I f": Pronoun(("I", "je"), "me", "me", "me", ("myself", "me"), "my", 0, "f", SINGULAR),
}  # fmt: skip
REFLEXIVE = ("me", "te", "se", "nous", "vous", "se")
PREVOCALIC = {"je": "j’", "me": "m’", "te": "t’", "se": "s’", "le": "l’", "la": "l’", "de": "d’",
              "ne": "n’", "que": "qu’", "ce": "c’", "ma": "mon", "ta": "ton", "sa": "son"}  # fmt: skip
# possessive of each possessor: masculine, feminine, plural
POSSESSIVES = {
    "my": ("mon", "ma", "mes"), "your": ("ton", "ta", "tes"), "his": ("son", "sa", "ses"),
    "her": ("son", "sa", "ses"), "its": ("son", "sa", "ses"), "our": ("notre", "notre", "nos"),
    "their": ("leur", "leur", "leurs"), "your (vous)": ("votre", "votre", "vos"),
}  # fmt: skip
NUMBERS = {"two": "deux", "three": "trois", "four": "quatre", "five": "cinq"}
ENGLISH_ASPIRATES = ("university", "uniform", "useful")  # a university: the u is no vowel to the ear


def french(text: str, *, head: Word | None = None, article: bool = False, tags: tuple[str, ...] = ()) -> Word:
    """Make a French function word; its form before a vowel comes from the table."""
    return Word(text, head, PREVOCALIC.get(text), article=article, tags=tags)


def english(text: str, *links: Word, head: Word | None = None) -> Word:
    """Make an English word aligned with French ones."""
    word = Word(text, head, "an" if text == "a" else None, aspirate=text in ENGLISH_ASPIRATES)
    link(word, *links)
    return word


# ---------------------------------------------------------------------------------------------- determiners


def _shows(gender: str, number: int) -> tuple[str, ...]:
    return ("article",) if gender == FEMININE or number == PLURAL else ()


def definite(gender: str, number: int, head: Word) -> Word:
    """Give le, la or les; l’ comes of elision, du and au of contraction."""
    text = "les" if number == PLURAL else "la" if gender == FEMININE else "le"
    return french(text, head=head, article=True, tags=_shows(gender, number))


def _indefinite(noun: NounPhrase, head: Word, negated: bool, adjective_first: bool) -> list[Word]:
    """Give un, une, des or the partitive; de alone under negation and before a plural adjective."""
    assert noun.noun is not None
    mass = "mass" in noun.noun.labels
    if negated:
        return [french("de", head=head, tags=("negation_de",))]
    if noun.number == PLURAL and adjective_first:
        return [french("de", head=head, tags=("plural_de",))]
    if mass or noun.number == PLURAL:  # des and du are de + article, as they were in Latin
        tags = ("partitive",) if mass else ()
        return [french("de", head=head, tags=tags), definite(noun.gender, noun.number, head)]
    text = "une" if noun.gender == FEMININE else "un"
    return [french(text, head=head, tags=_shows(noun.gender, noun.number))]


def _determiner(determiner: str, noun: NounPhrase, negated: bool, adjective_first: bool) -> Phrase:
    """Determine a noun: the, a (some, any), this (these), a possessor, a number, every, a kind, nothing."""
    gender, number = noun.gender, noun.number
    en_noun, fr_noun = noun.english_head, noun.french_head
    text = determiner
    if determiner == "a":
        words = _indefinite(noun, fr_noun, negated, adjective_first)
        singular = number == SINGULAR and noun.noun is not None and "mass" not in noun.noun.labels
        text = "a" if singular else "any" if negated else "some"
    elif determiner in ("the", "kind"):
        words = [definite(gender, number, fr_noun)]
    elif determiner == "this":
        form = "ces" if number == PLURAL else "cette" if gender == FEMININE else "ce"
        words = [Word(form, fr_noun, "cet" if form == "ce" else None, tags=_shows(gender, number))]
        text = "these" if number == PLURAL else "this"
    elif determiner in POSSESSIVES:
        form = POSSESSIVES[determiner][2 if number == PLURAL else int(gender == FEMININE)]
        words = [french(form, head=fr_noun, tags=("possessive",))]
        text = determiner.removesuffix(" (vous)")
    elif determiner in NUMBERS:
        words = [Word(NUMBERS[determiner], fr_noun)]
    elif determiner == "every":
        words = [Word("chaque", fr_noun)]
    elif determiner == "bare":
        return Phrase([], [], en_noun, fr_noun)
    else:
        raise ValueError(f"determiner: {determiner!r} is none of the grammar's")
    if determiner == "kind":
        link(en_noun, *words)
        return Phrase([], words, en_noun, fr_noun)
    return Phrase([english(text, *words, head=en_noun)], words, en_noun, fr_noun)


# ----------------------------------------------------------------------------------------------- adjectives


def adjective_words(adjective: Adjective, noun: NounPhrase, role: str) -> tuple[Word, Word]:
    """Inflect an adjective for its noun; `role` (before, after, predicate) names what it shows."""
    text = agree(adjective.french, noun.gender, noun.number)
    alone = noun.gender == MASCULINE and noun.number == SINGULAR
    word = Word(
        text,
        prevocalic=BEFORE_VOWEL.get(adjective.french) if alone and role == "before" else None,
        aspirate=adjective.aspirate,
        tags=("adjective_" + role,) if text != adjective.french else (),
        combinations=[f"{noun.key} is {adjective.english}"] if noun.key else [],
    )
    return english(adjective.english, word), word


# --------------------------------------------------------------------------------------------- noun phrases


def noun_phrase(
    noun: Noun,
    determiner: str,
    number: int = SINGULAR,
    adjectives: tuple[Adjective, ...] = (),
    *,
    negated: bool = False,
) -> NounPhrase:
    """Put determiner, adjectives and noun in the order of each language, all agreeing."""
    fr = Word(noun.french[number], aspirate=noun.aspirate, noun=(noun.gender, number))
    phrase = NounPhrase(
        [], [], english(noun.english[number], fr), fr, noun.gender, number, 2 + 3 * number, noun, noun.name
    )
    phrase.english_head.aspirate = noun.name in ENGLISH_ASPIRATES
    before: list[Word] = []
    after: list[Word] = []
    english_adjectives: list[Word] = []
    for adjective in adjectives:
        en_word, fr_word = adjective_words(adjective, phrase, "before" if adjective.before else "after")
        en_word.head, fr_word.head = phrase.english_head, fr
        english_adjectives.append(en_word)
        (before if adjective.before else after).append(fr_word)
    determined = _determiner(determiner, phrase, negated, bool(before))
    phrase.english = [*determined.english, *english_adjectives, phrase.english_head]
    phrase.french = [*determined.french, *before, fr, *after]
    return phrase


def name_phrase(name: Name) -> NounPhrase:
    """Name somebody, or a town."""
    fr = Word(name.french)
    en = english(name.english, fr)
    return NounPhrase([en], [fr], en, fr, name.gender)


def named_friend(name: Name, possessor: str, friend: Noun) -> NounPhrase:
    """Say *my friend Marie*: the name decides the gender of the friend, not the form of *my*."""
    fr, fr_name = Word(agree(friend.french[0], name.gender, SINGULAR)), Word(name.french)
    fr.noun = (name.gender, SINGULAR)
    en, en_name = english(friend.name, fr), english(name.english, fr_name)
    en_name.head, fr_name.head = en, fr
    phrase = NounPhrase([], [], en, fr, name.gender)
    determined = _determiner(possessor, phrase, False, False)
    phrase.english, phrase.french = [*determined.english, en, en_name], [*determined.french, fr, fr_name]
    return phrase


def subject_pronoun(key: str) -> NounPhrase:
    """Make a personal pronoun in the form of a subject."""
    pronoun = PRONOUNS[key]
    fr = french(pronoun.subject[1])
    en = english(pronoun.subject[0], fr)
    return NounPhrase([en], [fr], en, fr, pronoun.gender, pronoun.number, pronoun.agreement, pronoun=pronoun)


def object_pronoun(key: str, *, indirect: bool = False) -> NounPhrase:
    """Make a personal pronoun in the form of an object, direct or indirect."""
    pronoun = PRONOUNS[key]
    fr = french(pronoun.indirect if indirect else pronoun.direct, tags=("object_pronoun",))
    en = english(pronoun.object, fr)
    return NounPhrase([en], [fr], en, fr, pronoun.gender, pronoun.number, pronoun.agreement, pronoun=pronoun)


def pronoun_of(phrase: NounPhrase) -> str:
    """Name the pronoun that takes up a noun phrase: gender from the French, he and she for people."""
    if phrase.pronoun is not None:
        return next(key for key, value in PRONOUNS.items() if value is phrase.pronoun)
    if phrase.number == PLURAL:
        return "they " + phrase.gender
    if phrase.noun is not None and not phrase.noun & {"person", "baby"}:
        return "it " + phrase.gender
    return "she" if phrase.gender == FEMININE else "he"


def conjoin(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    """Join two noun phrases with *and*; one masculine noun makes the whole masculine."""
    en_and, fr_and = english("and"), french("et", tags=("conjunction",))
    link(en_and, fr_and)
    second.depend(first.english_head, first.french_head)
    en_and.head, fr_and.head = second.english_head, second.french_head
    both = {first.gender, second.gender}
    return NounPhrase(
        [*first.english, en_and, *second.english],
        [*first.french, fr_and, *second.french],
        first.english_head,
        first.french_head,
        FEMININE if both == {FEMININE} else MASCULINE,
        PLURAL,
        5,
        modified=True,
    )


def with_phrase(noun: NounPhrase, modifier: Phrase) -> NounPhrase:
    """Hang a phrase behind a noun phrase: *the key* + *of the cabinet*."""
    modifier.depend(noun.english_head, noun.french_head)
    noun.english += modifier.english
    noun.french += modifier.french
    noun.modified = True
    return noun


def prepositional(english_preposition: str, french_preposition: str, noun: NounPhrase) -> Phrase:
    """Put a preposition, in each language possibly of several words, before a noun phrase."""
    fr_words = [french(text) for text in french_preposition.split()]
    for word, previous in zip(fr_words[1:], fr_words, strict=False):  # en face de: each hangs under the first
        word.head = previous
    en_words = [english(text) for text in english_preposition.split()]
    for word, previous in zip(en_words[1:], en_words, strict=False):
        word.head = previous
    for index, word in enumerate(en_words):
        link(word, *(fr_words if index == 0 or len(fr_words) == 1 else fr_words[-1:]))
    noun.depend(en_words[-1], fr_words[-1])
    return Phrase([*en_words, *noun.english], [*fr_words, *noun.french], en_words[0], fr_words[0])


def genitive(
    owner: NounPhrase, noun: Noun, number: int, adjectives: tuple[Adjective, ...] = ()
) -> NounPhrase:
    """Say *the neighbour’s dog*: in French the dog comes first, then de and its owner."""
    phrase = noun_phrase(noun, "the", number, adjectives)
    article = phrase.english.pop(0)
    fr_of = french("de", head=phrase.french_head)
    mark = english("’" if owner.english[-1].text.endswith("s") and owner.number == PLURAL else "’s", fr_of)
    mark.head = owner.english_head
    link(mark, *article.links)
    owner.depend(phrase.english_head, fr_of)
    phrase.english = [*owner.english, mark, *phrase.english]
    phrase.french = [*phrase.french, fr_of, *owner.french]
    phrase.modified = True
    return phrase


def fixed(text: str, translation: str) -> Phrase:
    """Make a phrase of fixed words: *every morning*, *chaque matin*; the last of each is its head."""
    fr_words, en_words = [french(word) for word in translation.split()], [english(w) for w in text.split()]
    for words in (fr_words, en_words):
        for word in words[:-1]:
            word.head = words[-1]
    for index, word in enumerate(en_words):
        link(word, *(fr_words[index : index + 1] if len(en_words) == len(fr_words) else fr_words))
    return Phrase(en_words, fr_words, en_words[-1], fr_words[-1])


def relative_pronoun(antecedent: NounPhrase, role: str, *, commas: bool) -> NounPhrase:
    """Make who, that or which, with qui (a subject) or que (an object); it agrees as its antecedent does."""
    person = antecedent.noun is None or antecedent.noun & {"person", "baby"}
    text = "who" if person and role == "subject" else "which" if commas else "that"
    fr = french(
        "qui" if role == "subject" else "que", tags=("relative_qui" if role == "subject" else "relative_que",)
    )
    en = english(text, fr)
    return NounPhrase([en], [fr], en, fr, antecedent.gender, antecedent.number, antecedent.agreement,
                      antecedent.noun, antecedent.key)  # fmt: skip
