"""Scenes: who does what, to what, where and when. Chooses the words; the grammar puts them together.

Nobody eats a table here: verbs name the labels of their subjects, objects and places, adjectives those of
their nouns, and the tables below say what has which parts, what lies where, and what one feels when.
"""

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from grammar import adjectives, nouns, verbs
from grammar.adjectives import Adjective
from grammar.clauses import Clause
from grammar.morphology import FEMININE, PLURAL, SINGULAR
from grammar.nouns import COUNTRIES, MEN, TOWNS, WOMEN, Noun
from grammar.phrases import (
    PRONOUNS,
    NounPhrase,
    Phrase,
    fixed,
    genitive,
    name_phrase,
    named_friend,
    noun_phrase,
    object_pronoun,
    prepositional,
    pronoun_of,
    subject_pronoun,
    with_phrase,
)
from grammar.verbs import Verb

T = TypeVar("T")

ANYBODY = frozenset({"person", "adult", "young"})  # the labels of pronouns and names
CREATURES = frozenset({"person", "baby", "animal", "insect"})
POSSESSED = {"ownable", "pet", "family", "neighbour", "baby", "farmyard", "room", "meal", "clothes", "pair",
             "teacher", "doctor", "lawyer"}  # fmt: skip
OTHERS = {"ownable", "pet", "family", "clothes", "pair"}  # what the neighbour has
KEPT = {"food", "drink", "bone", "stick", "toy", "basket", "mat", "cushion"}  # what an animal calls its own
CONSUMED = {"food", "drink"}  # one's own when one has it in hand
OPEN_AIR = {"garden", "park", "yard", "forest", "field", "farm", "river", "lake", "mountain", "island"}

# head of a phrase, preposition in both languages, what it goes with
RELATIONS = {
    "key": ("to", "de", "cabinet house car suitcase drawer church castle office bedroom"),
    "door": ("of", "de", "house castle church hut cabin kitchen bedroom car school office"),
    "window": ("of", "de", "house kitchen bedroom castle church hotel school train"),
    "roof": ("of", "de", "house church castle school station cabin hut"),
    "wall": ("of", "de", "house garden castle kitchen school"),
    "answer": ("to", "à", "question letter"),
    "name": ("of", "de", "street village hotel river mountain island"),
    "photo": ("of", "de", "castle mountain dog cat princess island bridge hero"),
    "portrait": ("of", "de", "king queen lady princess writer hero"),
    "story": ("of", "de", "king hero princess wolf island village castle"),
    "map": ("of", "de", "town island museum forest"),
    "garden": ("of", "de", "castle house hotel hospital museum"),
    "drawer": ("of", "de", "desk cabinet table"),
    "leaf": ("of", "de", "tree oak plant"),
}
CONTENTS = {
    "glass": "water milk juice lemonade", "cup": "tea coffee milk", "bottle": "water milk juice lemonade",
    "basket": "apple pear cherry strawberry egg carrot apricot", "bag": "orange apple onion bean",
    "box": "biscuit egg",
}  # fmt: skip
# what lies or stands where: labels of the thing, preposition, labels of the place
POSITIONS = [
    ("key ring coin pen pencil letter ticket phone watch glove photo", "in", "drawer bag box basket suitcase"),
    ("dish cake sandwich book letter key newspaper lamp phone computer flower candle", "on", "surface"),
    ("clothes", "in", "suitcase cabinet bag"),
    ("clothes cushion pillow blanket", "on", "chair bed sofa armchair"),
    ("fruit vegetable egg biscuit bread", "in", "basket bag box kitchen"),
    ("shoe boot ball toy box", "under", "under"),
    ("pet", "on", "seat"), ("pet", "under", "under"), ("pet", "in", "room house garden"),
    ("wild", "in", "forest field garden"), ("farmyard", "in", "field yard"), ("farmyard", "near", "river lake"),
    ("bird", "on", "roof wall bridge"), ("insect", "on", "flower leaf"),
    ("person", "at", "at"), ("person", "in", "room garden park street village"),
    ("person", "near", "river tree bridge station"),
    ("car truck bus", "in", "street yard"), ("bicycle motorbike", "in_front", "house school station bakery"),
    ("boat", "on", "lake river sea"), ("furniture", "in", "room"), ("tree bench", "in", "garden park yard"),
    ("flower plant", "in", "garden field"), ("instrument", "in", "lounge bedroom school theatre"),
    ("painting portrait mirror clock", "in", "lounge corridor bedroom"), ("star cloud moon", "in", "sky"),
    ("house church cabin", "near", "river lake forest sea bridge"), ("hotel station museum", "in", "village town"),
]  # fmt: skip
PREPOSITIONS = {
    "in": ("in", "dans"), "on": ("on", "sur"), "at": ("at", "à"), "under": ("under", "sous"),
    "behind": ("behind", "derrière"), "near": ("near", "près de"), "in_front": ("in front of", "devant"),
}  # fmt: skip
AROUND = {"near": {"building", "structure", "river", "lake", "tree", "sea", "at", "forest"},
          "behind": {"house", "church", "tree", "door", "curtain", "cabinet", "wall", "sofa"},
          "in_front": {"house", "castle", "church", "school", "station", "hotel", "museum", "cinema", "theatre",
                       "restaurant", "hospital", "bakery", "library"},
          "under": {"under", "tree", "oak"}}  # fmt: skip
# what somebody does, and the state that explains it
REASONS = {
    "eat": ["hungry"], "drink": ["thirsty", "hot"], "sleep": ["tired", "sleepy"], "rest": ["tired"],
    "bed": ["tired", "sleepy", "sick"], "laugh": ["happy"], "smile": ["happy", "proud"], "sing": ["happy"],
    "dance": ["happy"], "cry": ["sad", "afraid", "hungry", "tired"], "hide": ["afraid", "shy"],
    "home": ["tired", "sick", "cold"], "asleep": ["tired"],
}  # fmt: skip
NUMBER_WEIGHTS = {"two": 4.0, "three": 3.0, "four": 2.0, "five": 1.0}
# adjectives that may follow another one: big black dog, old French song
CLASSES = {
    "red",
    "blue",
    "green",
    "white",
    "black",
    "grey",
    "yellow",
    "French",
    "English",
    "Italian",
    "electric",
}
SMALL_NUMBERS = {"a": 2.0, "two": 3.0, "three": 2.0}
BECOMING = {
    "famous",
    "rich",
    "strong",
    "jealous",
    "sad",
    "nervous",
    "calm",
    "dirty",
    "dangerous",
    "lazy",
    "polite",
}
# adjectives with degrees: very, and for some also too
GRADED = {
    "big": True, "small": True, "long": True, "short": True, "high": True, "old": True, "young": True, "tired": True,
    "sick": False, "busy": True, "shy": True, "heavy": True, "expensive": True, "hot": True, "cold": True,
    "difficult": True, "noisy": True, "dangerous": True, "slow": True, "happy": False, "sad": False, "clever": False,
    "kind": False, "beautiful": False, "pretty": False, "good": False, "proud": False, "jealous": False, "rich": False,
    "famous": False, "calm": False, "elegant": False, "interesting": False, "important": False, "useful": False,
    "strange": False, "comfortable": False, "curious": False, "nervous": True, "strong": False, "dirty": True,
    "fresh": False, "sweet": True, "boring": False, "tall": False, "lazy": True, "brave": False, "soft": False,
}  # fmt: skip
# adjectives of one scale: nothing is called two of them at once
SCALES = [set(group.split()) for group in (
    "good bad delicious fresh sweet ripe", "big small little fat tall high", "old young new modern", "hot cold",
    "short long", "heavy light", "full empty broken", "slow fast", "open closed", "clean dirty", "wet dry",
    "easy difficult",
    "calm nervous noisy quiet", "pretty beautiful elegant", "happy sad", "interesting boring strange",
    "brave shy", "red blue green white black grey yellow", "French English Italian", "kind polite",
)]  # fmt: skip
# what one thing is and another is not
OPPOSITES = [pair.split() for pair in (
    "big small", "old young", "old modern", "happy sad", "hot cold", "clean dirty", "open closed", "full empty",
    "slow fast", "short long", "easy difficult", "interesting boring", "calm nervous", "brave shy", "wet dry",
    "heavy light", "red blue", "white black", "yellow green", "grey white", "red yellow", "noisy calm", "lazy serious",
    "sick strong", "black red", "tall small", "old new", "expensive useful", "clever lazy", "fat small",
)]  # fmt: skip
# what one does not do to a thing that is so
SENSELESS = {"clean": {"clean"}, "wash": {"clean"}, "dry": {"dry"}, "fill": {"full", "broken"}, "close": {"closed"},
             "empty": {"empty", "broken"}, "open": {"open"}, "break": {"broken"}, "wear": {"wet", "dirty"},
             "repair": {"new"}, "find": {"big"}, "enter": {"closed"}, "visit": {"closed"}}  # fmt: skip
NEEDS_PLACE = {"habiter", "rester"}
PASSING = {"happy", "sad", "tired", "sick", "busy", "nervous"}
FELT = {"big", "beautiful", "pretty", "long", "clever", "brave", "lazy", "interesting", "strange", "elegant", "fast",
        "good", "bad", "noisy", "comfortable", "delicious", "curious", "high"}  # fmt: skip
# verbs whose object is there afterwards, so that one can go on to speak of it
GAINS = {"buy", "find", "make", "prepare", "choose", "write", "draw", "paint", "read", "wash", "repair", "meet",
         "invite", "help", "call", "hear", "see", "love", "know", "prefer", "wear", "look", "listen", "watch", "clean",
         "carry", "open", "build", "hide", "admire", "learn", "chase", "follow", "feed", "dry", "visit", "thank",
         "understand", "protect", "forget", "take"}  # fmt: skip
# verbs by which one comes upon somebody, of whom a relative clause then tells more
MEETINGS = {"see", "hear", "meet", "know", "help", "watch", "look", "love", "follow", "invite", "thank", "call",
            "admire", "protect", "feed", "draw", "be", "talk", "obey", "give", "take"}  # fmt: skip
# what one does with a thing after doing the first
SEQUELS = {
    "take": "eat drink read close carry wash open hide keep", "find": "keep hide wash sell read eat take",
    "see": "follow chase call catch admire buy draw", "buy": "eat drink read wear offer clean repair paint",
    "hear": "follow call", "open": "read close clean fill empty", "catch": "eat bite", "wash": "dry eat cut wear",
    "choose": "buy read eat wear", "call": "thank help invite kiss feed", "meet": "help invite thank follow kiss",
    "read": "finish understand", "make": "eat finish drink cut", "write": "finish read",
    "draw": "finish paint", "repair": "clean sell paint", "chase": "catch bite", "clean": "paint repair",
    "cut": "eat", "build": "paint sell", "visit": "admire draw",
}  # fmt: skip
SEQUENCES = [
    ("get up", "go out"), ("wake up", "get up"), ("get dressed", "go out"), ("go home", "rest"),
    ("go home", "go to bed"), ("laugh", "dance"), ("sing", "dance"), ("run", "jump"), ("come back", "rest"),
    ("go to bed", "fall asleep"), ("run", "fall"), ("arrive", "rest"), ("fall", "cry"), ("smile", "leave"),
    ("go out", "play"), ("bark", "run"), ("wake up", "cry"), ("hide", "fall asleep"), ("swim", "rest"),
]  # fmt: skip
# what people and animals do side by side
PASTIMES = {"sleep", "run", "sing", "dance", "cry", "laugh", "swim", "work", "walk", "play", "bark", "cook", "read",
            "write", "draw", "paint", "eat", "drink", "wash", "clean", "watch", "make", "repair", "howl"}  # fmt: skip
TIMES = {
    "present": [("every morning", "chaque matin"), ("every evening", "chaque soir"), ("every day", "chaque jour")],
    "progressive": [("now", "maintenant")],
    "past": [("yesterday", "hier"), ("this morning", "ce matin"), ("yesterday evening", "hier soir"),
             ("on Monday", "lundi"), ("on Sunday", "dimanche")],
    "future": [("tomorrow", "demain"), ("this evening", "ce soir"), ("tomorrow morning", "demain matin"),
               ("on Sunday", "dimanche")],
}  # fmt: skip


class Dice:
    """Random choices from one seed; only `random.random` is used, which no Python version changes."""

    def __init__(self, seed: int) -> None:
        """Start from a seed."""
        self._random = random.Random(seed).random

    def chance(self, probability: float) -> bool:
        """Say yes with some probability."""
        return self._random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Pick one of the items, all equally likely."""
        return items[int(self._random() * len(items))]

    def weighted(self, weights: dict[T, float]) -> T:
        """Pick a key with probability proportional to its weight."""
        point = self._random() * sum(weights.values())
        for key, weight in weights.items():
            point -= weight
            if point < 0:
                return key
        return key


@cache
def nouns_named(label: str) -> list[Noun]:
    """List the nouns that carry a label, in the order of the lexicon."""
    return [noun for noun in nouns.LEXICON.values() if noun & {label}]


class Unsayable(Exception):
    """Nothing sensible can be said with what was chosen so far; choose again."""


class Scenes:
    """Chooses subjects, verbs, objects and places that go together, and dresses them as phrases."""

    def __init__(self, dice: Dice) -> None:
        """Draw every choice from `dice`."""
        self.dice = dice

    # -------------------------------------------------------------------------------------------- nouns

    def noun(self, labels: frozenset[str] | set[str] | str, besides: str = "") -> Noun:
        """Choose a noun: first a label, so that small groups are met as often as large ones, then one of it."""
        names = labels.split() if isinstance(labels, str) else sorted(labels)
        options = [noun for noun in nouns_named(self.dice.pick(names)) if noun.name != besides]
        if not options:
            raise Unsayable
        return self.dice.pick(options)

    def adjectives(self, noun: Noun, chance: float = 0.3) -> tuple[Adjective, ...]:
        """Choose adjectives that stand beside a noun: mostly none, else one, seldom one on either side."""
        if not self.dice.chance(chance):
            return ()
        suitable = attributes(noun.name)
        if not suitable:
            return ()
        first = self.dice.pick(suitable)
        others = [a for a in suitable if first.before and a.english in CLASSES]
        return (first, self.dice.pick(others)) if others and self.dice.chance(0.3) else (first,)

    def number(self, noun: Noun, plural: float = 0.3) -> int:
        """Choose a number that the noun has."""
        if noun & {"mass", "singular", "only"}:
            return SINGULAR
        return PLURAL if self.dice.chance(0.85 if noun & {"pair"} else plural) else SINGULAR

    def possessor(self, owner: NounPhrase | None) -> str:
        """Choose whose: mostly the owner's, where there is one."""
        if owner is not None and self.dice.chance(0.75):
            possessive = PRONOUNS[pronoun_of(owner)].possessive
            return "your (vous)" if owner.agreement == 4 else possessive
        return self.dice.pick(["my", "your", "his", "her", "our", "their"])

    def determiner(self, noun: Noun, number: int, owner: NounPhrase | None, definite: bool) -> str:
        """Choose a determiner that suits a noun in a place of the sentence."""
        if noun & {"singular"} and not noun & {"meal"}:
            return "the"
        if noun & {"family"}:
            return self.possessor(owner)
        weights = {"the": 45.0, "this": 8.0}
        if noun & POSSESSED or (owner is not None and noun & CONSUMED):
            weights["possessive"] = 18.0
        if not definite:
            weights["a"] = 15.0 if noun & {"person"} else 28.0
            if number == PLURAL:
                weights["number"] = 8.0
        choice = self.dice.weighted(weights)
        if choice == "possessive":
            return self.possessor(owner)
        return self.dice.weighted(NUMBER_WEIGHTS) if choice == "number" else choice

    def dress(
        self, noun: Noun, *, owner: NounPhrase | None = None, definite: bool = False, negated: bool = False,
        plain: bool = False, filled: bool = False, plural: float = 0.3,
    ) -> NounPhrase:  # fmt: skip
        """Make a noun phrase: number, determiner, adjectives, seldom an owner or another noun behind it."""
        number = self.number(noun, plural)
        if not plain and noun & OTHERS and self.dice.chance(0.12):
            return genitive(
                self.owner(noun, owner.key if owner else ""), noun, number, self.adjectives(noun, 0.2)
            )
        if not plain and noun.name in RELATIONS and self.dice.chance(0.4):
            return self.relation(noun.name, number)
        if filled and noun.name in CONTENTS and self.dice.chance(0.5):
            return self.contents(noun, number, negated)
        determiner = self.determiner(noun, number, owner, definite)
        chance = 0.1 if plain else 0.3
        return noun_phrase(noun, determiner, number, self.adjectives(noun, chance), negated=negated)

    def owner(self, noun: Noun, besides: str = "") -> NounPhrase:
        """Choose who owns something: somebody with a name, or the neighbour."""
        if self.dice.chance(0.5):
            return name_phrase(self.dice.pick(WOMEN + MEN))
        owner = self.noun("worker neighbour young adult", besides=noun.name)
        if owner & {"family", besides}:
            raise Unsayable  # not of the brother: whose?
        return noun_phrase(owner, "the", self.number(owner, 0.25))

    def relation(self, head: str, number: int) -> NounPhrase:
        """Say *the keys to the cabinet*."""
        en, fr, tails = RELATIONS[head]
        tail = self.noun(tails)
        inner = noun_phrase(tail, "the", self.number(tail, 0.35), self.adjectives(tail, 0.15))
        whole = noun_phrase(nouns.LEXICON[head], "the", number)
        return with_phrase(whole, prepositional(en, fr, inner))

    def contents(self, noun: Noun, number: int, negated: bool) -> NounPhrase:
        """Say *a glass of water*, *two baskets of apples*: no article in either language."""
        content = self.noun(CONTENTS[noun.name])
        inner = noun_phrase(content, "bare", SINGULAR if content & {"mass"} else PLURAL)
        determiner = self.dice.pick(["a", "a", "the"])
        if number == PLURAL and determiner == "a":
            determiner = self.dice.weighted(NUMBER_WEIGHTS)
        whole = noun_phrase(noun, determiner, number, negated=negated)
        return with_phrase(whole, prepositional("of", "de", inner))

    def subject(
        self, labels: frozenset[str] | set[str] | str, *, plain: bool = False, definite: bool = False
    ) -> NounPhrase:
        """Choose a subject: a pronoun or a name where people can do it, else a noun."""
        if labels_allow_anybody(labels):
            kind = self.dice.weighted({"pronoun": 0.22, "name": 0.13, "friend": 0.03, "noun": 0.62})
            if kind == "pronoun":
                return subject_pronoun(self.dice.pick(["I", "you", "he", "she", "we", "they m"]))
            if kind == "name":
                return name_phrase(self.dice.pick(WOMEN + MEN))
            if kind == "friend":
                possessor = self.dice.pick(["my", "your", "his", "her"])
                return named_friend(self.dice.pick(WOMEN + MEN), possessor, nouns.LEXICON["friend"])
        noun = self.noun(labels)
        if (
            not (plain or definite)
            and self.dice.chance(0.03)
            and noun & {"person"}
            and not noun & {"family", "royal"}
        ):
            return noun_phrase(noun, "every", SINGULAR)
        return self.dress(noun, plain=plain, definite=definite)

    # ------------------------------------------------------------------------------------------- objects

    def thing(self, verb: Verb, labels: frozenset[str], clause: Clause) -> NounPhrase:
        """Choose the object of a verb."""
        subject = clause.subject
        noun = self.noun(labels, besides=subject.key)
        if verb.infinitive == "suivre" and subject.agreement == 0:
            raise Unsayable  # je suis le lapin: I am the rabbit
        if verb.english[0] == "wear" and subject.number == PLURAL:
            raise Unsayable  # each his own
        if "kind" in verb.flags and not noun & {"person", "singular", "event"} and self.dice.chance(0.45):
            return noun_phrase(noun, "kind", SINGULAR if noun & {"mass"} else PLURAL)
        definite = bool(verb.flags & {"the", "kind"})
        plural = 0.0 if "one" in verb.flags else 0.3
        owner = subject if noun & KEPT or labels_of(subject) & {"person"} else None
        if verb.french_preposition and not definite:  # besoin de + des would collapse into de
            definite = noun & {"mass"}
            return self.dress(noun, owner=owner, definite=definite, plural=plural if definite else 0.0)
        if "new" in verb.flags:
            return noun_phrase(noun, self.dice.pick(["the", "a"]), self.number(noun), negated=clause.negative)
        negated = clause.negative and not verb.french_preposition
        thing = self.dress(
            noun, owner=owner, definite=definite, negated=negated, plural=plural,
            filled=verb.english[0] in {"bring", "give", "take", "buy", "empty", "carry"},
        )  # fmt: skip
        said = {word.text for word in thing.english}
        if said & SENSELESS.get(verb.english[0], set()) or (clause.negative and said & set(NUMBER_WEIGHTS)):
            raise Unsayable
        return thing

    def somebody(self, subject: NounPhrase, *, indirect: bool = False) -> NounPhrase:
        """Choose a pronoun for somebody other than the subject."""
        same = {0: ("I", "we"), 1: ("you",), 3: ("I", "we"), 4: ("you",)}.get(subject.agreement, ())
        keys = [key for key in ("I", "you", "he", "she", "we", "they m") if key not in same]
        return object_pronoun(self.dice.pick(keys), indirect=indirect)

    # -------------------------------------------------------------------------------------------- places

    def spot(self, kind: str, labels: set[str] | str, subject: NounPhrase | None = None) -> Phrase:
        """Make a place: a preposition and a noun that one can be in, on, under or near."""
        noun = self.noun(labels, besides=subject.key if subject else "")
        determiner = "this" if self.dice.chance(0.08) else "the"
        somebody = subject and subject.agreement != 5 and "person" in labels_of(subject)
        if somebody and noun & {"room", "house", "garden"} and self.dice.chance(0.2):
            determiner = self.possessor(subject)
        inner = noun_phrase(noun, determiner, SINGULAR, self.adjectives(noun, 0.06))
        return prepositional(*PREPOSITIONS[kind], inner)

    def place(self, verb: Verb, subject: NounPhrase) -> Phrase | None:
        """Choose where a verb happens, if it says where and its subject goes there."""
        options = [option for option in sorted(verb.places) if _goes_there(option, subject)]
        if not options:
            return None
        option = self.dice.pick(options)
        if option == "town_name":
            return prepositional("in", "à", name_phrase(self.dice.pick(TOWNS)))
        if option == "country_name":
            return self.country()
        if option in AROUND:
            return self.spot(option, AROUND[option], subject)
        if option == "outside" and _untamed(subject):
            option = "wildland"
        noun = self.noun({option})
        return self.spot(_stand(noun), {noun.name}, subject)

    def country(self) -> Phrase:
        """Say *in Japan*: en before a feminine country, au before a masculine one."""
        country = self.dice.pick(COUNTRIES)
        name = name_phrase(country)
        if country.gender == FEMININE:
            return prepositional("in", "en", name)
        article = noun_phrase(nouns.LEXICON["park"], "the").french[0]
        article.head = name.french_head
        name.french.insert(0, article)
        return prepositional("in", "à", name)

    def time(self, tense: str) -> Phrase | None:
        """Choose a time that suits a tense."""
        return fixed(*self.dice.pick(TIMES[tense])) if tense in TIMES else None

    # -------------------------------------------------------------------------------------------- events

    def verb_for(
        self, labels: frozenset[str], allow: Callable[[Verb], bool] | None
    ) -> tuple[Verb, frozenset[str]] | None:
        """Choose a verb whose subject can carry one of the labels, and the labels of its objects."""
        options = [(verb, objects) for verb, objects in _verbs_of(labels) if allow is None or allow(verb)]
        return self.dice.pick(options) if options else None

    def tense(self, verb: Verb, subject: NounPhrase) -> str:
        """Choose a tense that the verb has and in which English says which one it is."""
        weights = {
            "present": 30.0,
            "progressive": 14.0,
            "past": 32.0,
            "future": 14.0,
            "want": 6.0,
            "must": 5.0,
        }
        if verb.flags & {"state", "state_past", "point"}:
            weights = {"present": 30.0, "past": 30.0}
        if "state" in verb.flags:
            weights = {"present": 1.0}
        if subject.noun is not None and not subject.noun & {"person", "pet"}:
            weights = {tense: weight for tense, weight in weights.items() if tense not in ("want", "must")}
        return self.dice.weighted(weights)

    def event(
        self,
        subject: NounPhrase | None = None,
        allow: Callable[[Verb], bool] | None = None,
        *,
        tense: str = "",
        negative: float = 0.12,
        pronoun: float = 0.0,
        extras: bool = True,
        plain: bool = False,
        definite: bool = False,
    ) -> Clause:
        """Make a clause: a verb with all that goes with it.

        `subject` fixes who; `allow` restricts the verb, `tense` the tense; `negative` and `pronoun` are the
        chances of *not* and of a pronoun as object; `extras` allows places, times and adverbs. Raises
        `Unsayable` if there is no such verb.
        """
        if subject is None:
            verb = self.dice.pick([verb for verb in verbs.LEXICON if allow is None or allow(verb)])
            subjects, objects = self.dice.pick(verb.frames)
            subject = self.subject(subjects, plain=plain, definite=definite or "state" in verb.flags)
        else:
            found = self.verb_for(labels_of(subject), allow)
            if found is None:
                raise Unsayable
            verb, objects = found
        clause = Clause(subject, verb, tense or self.tense(verb, subject), self.dice.chance(negative))
        if tense not in ("", "present") and "state" in verb.flags:
            raise Unsayable
        if clause.negative and (subject.english[0].text == "every" or verb.english[0] == "prefer"):
            raise Unsayable  # not every, or none? who does not prefer what to what?
        if (
            clause.tense in ("present", "past")
            and verb.english[0] == verb.english[2]
            and subject.agreement != 2
        ):
            raise Unsayable  # they cut: present or past?
        if clause.subject.noun is not None and set(verb.english) & {w.text for w in subject.english}:
            raise Unsayable  # the geese that swim swim
        self.fill(clause, objects, pronoun)
        if verb.infinitive in NEEDS_PLACE:
            place = self.place(verb, subject)
            if place is None:
                raise Unsayable
            clause.complements.append(place)
        elif extras:
            self.circumstances(clause)
        return clause

    def fill(self, clause: Clause, objects: frozenset[str], pronoun: float) -> None:
        """Give a clause its object and its recipient."""
        verb, subject = clause.verb, clause.subject
        personal = bool(objects & {"person", "family", "neighbour", "young"})
        if objects and verb.french_preposition in ("", "à") and personal and self.dice.chance(pronoun):
            clause.object = self.somebody(subject, indirect=verb.french_preposition == "à")
        elif objects:
            clause.object = self.thing(verb, objects, clause)
        if "to" in verb.flags:
            if self.dice.chance(max(pronoun, 0.25)):
                clause.recipient = self.somebody(subject, indirect=True)
            else:
                person = self.noun("person", besides=subject.key)
                owner = subject if person & {"family"} else None
                clause.recipient = self.dress(person, owner=owner, definite=True, plain=True)

    def event_with(self, thing: NounPhrase, subject: NounPhrase | None = None) -> Clause:
        """Make a clause about an object that is there already."""
        options = [
            (verb, subjects)
            for verb in verbs.LEXICON
            for subjects, objects in verb.frames
            if objects & labels_of(thing)
            and "to" not in verb.flags
            and (subject is None or subjects & labels_of(subject))
            and not ("one" in verb.flags and thing.number == PLURAL)
            and not set(verb.english) & {word.text for word in thing.english}
        ]
        if not options:
            raise Unsayable
        verb, subjects = self.dice.pick(options)
        who = subject or self.subject(subjects, plain=True, definite=True)
        clause = Clause(who, verb, self.tense(verb, who), object=thing)
        if clause.tense in ("present", "past") and verb.english[0] == verb.english[2] and who.agreement != 2:
            raise Unsayable
        return clause

    def circumstances(self, clause: Clause) -> None:
        """Add a place, a time, an adverb, now and then."""
        verb, tense = clause.verb, clause.tense
        if self.dice.chance(0.35):
            place = self.place(verb, clause.subject)
            if place is not None:
                clause.complements.append(place)
        repeated = "often" in verb.flags
        if tense == "present" and repeated and not clause.complements and self.dice.chance(0.3):
            clause.frequency = self.dice.pick(["often", "always"])
        elif self.dice.chance(0.18) and "state" not in verb.flags and (tense != "present" or repeated):
            time = self.time(tense)
            if time is not None and not clause.negative:
                clause.complements.append(time)
        manners = sorted(verb.flags & {"well", "fast", "slowly", "loudly", "lot"})
        if (
            manners
            and not clause.frequency
            and self.dice.chance(0.2)
            and tense in ("present", "progressive", "past")
        ):
            manner = self.dice.pick(manners)
            if manner != "fast" or tense != "past":
                clause.manner = "a lot" if manner == "lot" else manner

    def quality(self, subject: NounPhrase, besides: NounPhrase | None = None) -> Adjective:
        """Choose an adjective that can be said of a subject and has not been said of it yet."""
        labels = labels_of(subject)
        said = {word.text for phrase in (subject, besides) if phrase for word in phrase.english}
        said = said.union(*(group for group in SCALES if group & said))
        options = [a for a in _predicates(labels) if a.english not in said and _alone(a, subject.noun)]
        if not options:
            raise Unsayable
        return self.dice.pick(options)


# ------------------------------------------------------------------------------------------- small questions


def labels_of(phrase: NounPhrase) -> frozenset[str]:
    """List the labels of what a noun phrase speaks of, its name among them."""
    return ANYBODY if phrase.noun is None else phrase.noun.labels


def labels_allow_anybody(labels: frozenset[str] | set[str] | str) -> bool:
    """Say whether a pronoun or a name can stand for these labels."""
    return bool(set(labels.split() if isinstance(labels, str) else labels) & {"person", "adult"})


@cache
def attributes(name: str) -> list[Adjective]:
    """List the adjectives that stand beside a noun."""
    noun = nouns.LEXICON[name]
    return [a for a in adjectives.LEXICON if a.attribute and noun & a.labels and _alone(a, noun)]


@cache
def _predicates(labels: frozenset[str]) -> list[Adjective]:
    return [a for a in adjectives.LEXICON if a.predicate and labels & a.labels]


@cache
def _verbs_of(labels: frozenset[str]) -> list[tuple[Verb, frozenset[str]]]:
    """List the verbs whose subject carries one of the labels, with the labels of their objects."""
    return [
        (verb, objects) for verb in verbs.LEXICON for subjects, objects in verb.frames if subjects & labels
    ]


def _alone(adjective: Adjective, noun: Noun | None) -> bool:
    """Keep adjectives from nouns beside which they mean something else: *un beau père*, *une belle mère*."""
    in_laws = ("beautiful", "good", "little", "small")
    return noun is None or not (noun & {"family"} and adjective.english in in_laws)


def _stand(noun: Noun) -> str:
    """Choose the preposition for being at a place."""
    if noun & {"at"}:
        return "at"
    return "on" if noun & {"on", "surface"} or (noun & {"seat"} and noun.name != "armchair") else "in"


def _untamed(subject: NounPhrase) -> bool:
    labels = labels_of(subject)
    return bool(labels & {"wild", "farmyard", "insect", "bird"}) and "pet" not in labels


def _goes_there(option: str, subject: NounPhrase) -> bool:
    """Keep wild animals out of kitchens, and lawyers from under the table."""
    if _untamed(subject):
        return option in OPEN_AIR | {"near", "waters", "outside"}
    labels = labels_of(subject)
    if option in ("restaurant", "school", "hotel", "church", "kitchen") and not labels & {"person", "baby"}:
        return option == "kitchen" and "hunter" in labels
    if option in ("town_name", "country_name"):
        return "person" in labels
    return option != "under" or "adult" not in labels
