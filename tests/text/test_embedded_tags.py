"""Tags of the embedded corpus, compared on every sentence with detectors that read the finished words.

A detector knows French from `french_facts.py`, gold heads and alignments, not the grammar. It gives the
positions at which it sees its phenomenon; they must be those of the tag, on all sentences.
"""

from collections.abc import Callable

import pytest

from course_lib.text.embedded import PHENOMENA, AnnotatedPair
from tests.support.french import (
    DETERMINERS,
    NAMES,
    all_pairs,
    children,
    features,
    is_adjective,
    is_noun,
    is_participle,
    noun_after,
    words,
)
from tests.support.french_facts import (
    ALLER,
    ASPIRATES,
    AVOIR,
    DICTIONARY_FORMS,
    ETRE,
    MASS,
    MODAL,
    PARTICIPLE_FORMS,
)

Detector = Callable[[AnnotatedPair], set[int]]
DETECTORS: dict[str, Detector] = {}


def detects(*names: str) -> Callable[[Callable[[AnnotatedPair, str], set[int]]], None]:
    def register(detector: Callable[[AnnotatedPair, str], set[int]]) -> None:
        for name in names:
            DETECTORS[name] = lambda pair, name=name: detector(pair, name)  # type: ignore[misc]

    return register


def where(pair: AnnotatedPair, *forms: str) -> set[int]:
    return {i for i, word in enumerate(words(pair)) if word in forms}


def aligned(pair: AnnotatedPair, index: int) -> set[str]:
    return {pair.source_tokens[i].lower() for i, j in pair.alignment if j == index}


def under_noun(pair: AnnotatedPair, index: int) -> bool:
    """Whether a form of de or an article belongs to the noun after it, and is no preposition."""
    return pair.target_heads[index] > index


@detects("article")
def article(pair: AnnotatedPair, _: str) -> set[int]:
    shows = where(pair, "la", "les", "une", "des", "aux", "cette", "ces", "quelle", "quels", "quelles")
    return {i for i in shows if noun_after(pair, i) is not None}


@detects("adjective_before", "adjective_after", "adjective_predicate")
def adjective(pair: AnnotatedPair, name: str) -> set[int]:
    found = set()
    for i, word in enumerate(words(pair)):
        if word in DICTIONARY_FORMS or not is_adjective(pair, i):
            continue
        head = pair.target_heads[i]
        role = "predicate" if not is_noun(pair, head) else "before" if i < head else "after"
        if name == "adjective_" + role:
            found.add(i)
    return found


@detects("participle_subject", "participle_object")
def participle(pair: AnnotatedPair, name: str) -> set[int]:
    auxiliary = ETRE if name == "participle_subject" else AVOIR
    tokens = words(pair)
    return {
        i
        for i, word in enumerate(tokens)
        if is_participle(pair, i)
        and PARTICIPLE_FORMS[word][0] != word
        and tokens[pair.target_heads[i]] in auxiliary
    }


@detects("elision")
def elision(pair: AnnotatedPair, _: str) -> set[int]:
    return {i for i, word in enumerate(words(pair)) if word.endswith("’")}


@detects("h_aspire")
def h_aspire(pair: AnnotatedPair, _: str) -> set[int]:
    would_change = where(
        pair,
        *[
            "le",
            "la",
            "je",
            "me",
            "te",
            "se",
            "ne",
            "de",
            "que",
            "ce",
            "ma",
            "ta",
            "sa",
            "du",
            "au",
            "beau",
            "nouveau",
            "vieux",
        ],
    )
    tokens = words(pair)
    found = {i for i in would_change if i + 1 < len(tokens) and tokens[i + 1] in ASPIRATES}
    plural = {i for i in found if tokens[i] == "vieux" and features(pair, i + 1) != {("m", "s")}}
    return found - {i for i in plural if {d for d in range(i) if is_plural_before(pair, d, i)}}


def is_plural_before(pair: AnnotatedPair, determiner: int, adjective: int) -> bool:
    """Whether a determiner, or de before a plural adjective, makes the noun after an adjective plural."""
    word = words(pair)[determiner]
    same_noun = noun_after(pair, determiner) == adjective + 1
    return same_noun and (word in ("de", "d’") or DETERMINERS.get(word, ("", "s"))[1] == "p")


@detects("prevocalic")
def prevocalic(pair: AnnotatedPair, _: str) -> set[int]:
    found = where(pair, "cet", "bel", "nouvel", "vieil")
    for i in where(pair, "mon", "ton", "son"):
        noun = noun_after(pair, i)
        if noun is not None and {gender for gender, _ in features(pair, noun)} == {"f"}:
            found.add(i)
    return found


@detects("contraction")
def contraction(pair: AnnotatedPair, _: str) -> set[int]:
    return where(pair, "au", "aux", "du", "des")


@detects("negation")
def negation(pair: AnnotatedPair, _: str) -> set[int]:
    return where(pair, "ne", "n’", "pas")


@detects("negation_de")
def negation_de(pair: AnnotatedPair, _: str) -> set[int]:
    return {
        i for i in where(pair, "de", "d’") if under_noun(pair, i) and aligned(pair, i) <= {"a", "an", "any"}
    }


@detects("plural_de")
def plural_de(pair: AnnotatedPair, _: str) -> set[int]:
    return {
        i
        for i in where(pair, "de", "d’")
        if under_noun(pair, i)
        and aligned(pair, i) == {"some"}
        and words(pair)[pair.target_heads[i]] not in MASS
    }


@detects("partitive")
def partitive(pair: AnnotatedPair, _: str) -> set[int]:
    tokens = words(pair)
    return {
        i
        for i in where(pair, "de", "du")
        if under_noun(pair, i)
        and tokens[pair.target_heads[i]] in MASS
        and (tokens[i] == "du" or tokens[i + 1] in ("la", "l’"))
    }


@detects("object_pronoun")
def object_pronoun(pair: AnnotatedPair, _: str) -> set[int]:
    forms = where(pair, *["me", "m’", "te", "t’", "le", "la", "l’", "les", "lui", "leur", "nous"])
    objects = {"me", "you", "him", "her", "it", "us", "them"}
    return {i for i in forms if aligned(pair, i) & objects and noun_after(pair, i) is None}


@detects("antecedent")
def antecedent(pair: AnnotatedPair, _: str) -> set[int]:
    """Pronouns for things: *it* anywhere, *they* after a conjunction, *them* after *and* and a verb."""
    source = [word.lower() for word in pair.source_tokens]
    found = set()
    for i, word in enumerate(source):
        after_conjunction = word == "they" and source[i - 1] in ("because", "when", "if")
        after_verb = word == "them" and source[i - 2] == "and" and i == len(source) - 2
        if word == "it" or after_conjunction or after_verb:
            found |= {j for k, j in pair.alignment if k == i}
    return found


@detects("relative_qui")
def relative_qui(pair: AnnotatedPair, _: str) -> set[int]:
    return {i for i in where(pair, "qui") if i > 0}


@detects("relative_que")
def relative_que(pair: AnnotatedPair, _: str) -> set[int]:
    no_relative = ("-ce", "parce", "pendant")
    return {i for i in where(pair, "que", "qu’") if i > 0 and words(pair)[i - 1] not in no_relative}


@detects("distractor")
def distractor(pair: AnnotatedPair, _: str) -> set[int]:
    tokens = words(pair)
    found = set()
    for subject in range(len(tokens)):
        verb = pair.target_heads[subject]
        if not is_noun(pair, subject) or verb < subject or tokens[subject] in ("matin", "soir", "jour"):
            continue
        between = [
            i for i in range(subject + 1, verb) if is_noun(pair, i) and pair.target_heads[i] != subject
        ]
        between = [i for i in between if tokens[i] not in ("matin", "soir", "jour")]  # hier soir is an adverb
        if any(not features(pair, i) & features(pair, subject) for i in between):
            found.add(verb)
    return found


@detects("possessive")
def possessive(pair: AnnotatedPair, _: str) -> set[int]:
    forms = [
        "mon",
        "ma",
        "mes",
        "ton",
        "ta",
        "tes",
        "son",
        "sa",
        "ses",
        "notre",
        "nos",
        "votre",
        "vos",
        "leur",
        "leurs",
    ]
    return {i for i in where(pair, *forms) if noun_after(pair, i) is not None}


def infinitive_under(pair: AnnotatedPair, index: int) -> bool:
    tokens = words(pair)
    return any(
        (
            tokens[i].endswith(("er", "ir", "re"))
            and not is_noun(pair, i)
            and i > index
            and "to" in aligned(pair, i)
        )
        or (tokens[index] in MODAL and tokens[i].endswith(("er", "ir", "re")) and i > index)
        for i in children(pair, index)
    )


@detects("past_avoir", "past_etre", "near_future", "modal")
def tense(pair: AnnotatedPair, name: str) -> set[int]:
    tokens = words(pair)
    found = set()
    for i, word in enumerate(tokens):
        participles = [j for j in children(pair, i) if is_participle(pair, j)]
        future = word in ALLER and infinitive_under(pair, i)
        modal = word in MODAL and infinitive_under(pair, i)
        kinds = {"past_avoir": word in AVOIR and participles, "past_etre": word in ETRE and participles,
                 "near_future": future, "modal": modal}  # fmt: skip
        if kinds[name]:
            found.add(i)
    return found


@detects("question")
def question(pair: AnnotatedPair, _: str) -> set[int]:
    return {len(pair.target_tokens) - 1} if pair.source.endswith("?") else set()


@detects("question_t")
def question_t(pair: AnnotatedPair, _: str) -> set[int]:
    return where(pair, "-t-il", "-t-elle")


@detects("conjunction")
def conjunction(pair: AnnotatedPair, _: str) -> set[int]:
    return where(pair, "et")


@detects("reflexive")
def reflexive(pair: AnnotatedPair, _: str) -> set[int]:
    tokens = words(pair)
    found = {i for i in where(pair, "se", "s’") if tokens[i + 1] not in ("il", "ils")}
    for i in where(pair, "me", "m’", "te", "t’"):
        if not aligned(pair, i) & {"me", "you"}:
            found.add(i)
    for i in where(pair, "nous", "vous"):
        if not aligned(pair, i) & {"we", "us", "you"}:
            found.add(i)
    return found


@detects("address")
def address(pair: AnnotatedPair, _: str) -> set[int]:
    tokens = words(pair)
    called = NAMES | {"monsieur", "madame", "enfants"}
    last = len(tokens) - 2
    return {last} if tokens[last] in called and "," in tokens[last - 2 : last] else set()


@pytest.mark.parametrize("name", sorted(set(PHENOMENA) - {"present"}))
@pytest.mark.share(2)
def test_tag_is_where_its_phenomenon_is(name: str) -> None:
    detector = DETECTORS[name]
    seen = 0
    for pair in all_pairs():
        expected = detector(pair)
        seen += bool(expected)
        assert set(pair.tags.get(name, ())) == expected, (pair.source, pair.target, name)
    assert seen >= 200


def test_every_finite_verb_has_one_tense() -> None:
    """What heads a clause is finite; it is tagged present exactly if no other tense claims it."""
    tenses = ("past_avoir", "past_etre", "near_future", "modal")
    for pair in all_pairs():
        tokens = words(pair)
        compound = {i for name in tenses for i in DETECTORS[name](pair)}
        inside = {
            j
            for i in compound
            for j in children(pair, i)
            if is_participle(pair, j) or infinitive_under(pair, i)
        }
        present = set(pair.tags.get("present", ()))
        assert not present & compound, pair.target
        root = pair.target_heads.index(-1)
        finite = {root} - {i for i in (root,) if is_noun(pair, i)}  # Quelle belle maison !
        subjects = [
            "je",
            "j’",
            "tu",
            "il",
            "elle",
            "ils",
            "elles",
            "-il",
            "-elle",
            "-ils",
            "-elles",
            "-tu",
            "-vous",
            "-nous",
            "-t-il",
            "-t-elle",
        ]
        finite |= {pair.target_heads[i] for i in where(pair, *subjects)}
        finite |= {pair.target_heads[i] for i in where(pair, "ne", "n’")}
        finite |= {pair.target_heads[i] for i in where(pair, "qui")}
        assert finite <= present | compound, pair.target
        assert not present & {i for i in inside if tokens[i].endswith(("er", "ir", "re"))}, pair.target
        for i in present:
            assert not any(kind(pair, i) for kind in (is_noun, is_participle, is_adjective)), pair.target


def test_tags_are_the_listed_phenomena_in_order() -> None:
    for pair in all_pairs():
        assert list(pair.tags) == sorted(pair.tags)
        assert set(pair.tags) <= set(PHENOMENA)
        assert all(places and list(places) == sorted(set(places)) for places in pair.tags.values())
