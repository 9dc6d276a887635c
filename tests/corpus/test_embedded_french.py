"""The French of the embedded corpus, checked against facts typed for these tests (`french_facts.py`).

Nothing here calls the grammar's rules. The checks read words, and for the two that need to know what belongs
to what, the gold heads.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_lib.corpus.embedded import SPLITS, AnnotatedPair, load_embedded

sys.path.insert(0, str(Path(__file__).parent))
from french_facts import (  # noqa: E402
    ADJECTIVE_FORMS,
    ALLER,
    ASPIRATES,
    AVOIR,
    ETRE,
    MASS,
    MODAL,
    NOUNS,
    PARTICIPLE_FORMS,
    REFLEXIVE,
    WITH_AVOIR,
    WITH_ETRE,
)

PAIRS = [pair for split in SPLITS for pair in load_embedded(split)]
VOWEL = re.compile(r"[aàâeéèêiîoôuhyœ]", re.I)
NAMES = set("marie anne julie emma sophie alice paul arthur louis thomas victor antoine".split())
NUMBERS = {"deux", "trois", "quatre", "cinq"}
# what a determiner says of its noun: gender or None, number or None
DETERMINERS = {
    "le": ("m", "s"), "la": ("f", "s"), "l’": (None, "s"), "les": (None, "p"), "un": ("m", "s"),
    "une": ("f", "s"), "des": (None, "p"), "du": ("m", "s"), "au": ("m", "s"), "aux": (None, "p"),
    "ce": ("m", "s"), "cet": ("m", "s"), "cette": ("f", "s"), "ces": (None, "p"),
    "mon": (None, "s"), "ma": ("f", "s"), "mes": (None, "p"), "ton": (None, "s"), "ta": ("f", "s"),
    "tes": (None, "p"), "son": (None, "s"), "sa": ("f", "s"), "ses": (None, "p"), "notre": (None, "s"),
    "nos": (None, "p"), "votre": (None, "s"), "vos": (None, "p"), "leur": (None, "s"), "leurs": (None, "p"),
    "quel": ("m", "s"), "quelle": ("f", "s"), "quels": ("m", "p"), "quelles": ("f", "p"),
    "chaque": (None, "s"), **{number: (None, "p") for number in NUMBERS},
}  # fmt: skip


def words(pair: AnnotatedPair) -> list[str]:
    return [word.lower() for word in pair.target_tokens]


def sounds_like_vowel(word: str) -> bool:
    return bool(VOWEL.match(word)) and word not in ASPIRATES


def is_participle(pair: AnnotatedPair, index: int) -> bool:
    """Whether a word that can be a participle is one: under an auxiliary, and not an adjective after être."""
    tokens, head = words(pair), pair.target_heads[index]
    if tokens[index] not in PARTICIPLE_FORMS or head < 0:
        return False
    if tokens[head] in AVOIR:
        return True
    base = PARTICIPLE_FORMS[tokens[index]][0]
    own = {tokens[i] for i, h in enumerate(pair.target_heads) if h == index}
    return tokens[head] in ETRE and (base in WITH_ETRE or bool(own & {"me", "m’", "te", "t’", "se", "s’", "nous", "vous"}))


def is_adjective(pair: AnnotatedPair, index: int) -> bool:
    """Whether a word that can be an adjective is one; only très and trop hang under an adjective."""
    if words(pair)[index] not in ADJECTIVE_FORMS or is_participle(pair, index):
        return False
    own = {words(pair)[i] for i, head in enumerate(pair.target_heads) if head == index}
    return own <= {"très", "trop"} and pair.target_heads[index] >= 0


def noun_after(pair: AnnotatedPair, index: int) -> int | None:
    """The noun that a determiner stands before, adjectives and numbers between; None before anything else."""
    tokens = words(pair)
    for i in range(index + 1, len(tokens)):
        if tokens[i] in NOUNS:
            return i
        if tokens[i] not in ADJECTIVE_FORMS and tokens[i] not in NUMBERS:
            return None
    return None


def features(pair: AnnotatedPair, index: int) -> tuple[str, str]:
    """Gender and number of a noun in its place; what its form leaves open its determiner says."""
    tokens = words(pair)
    options = NOUNS[tokens[index]]
    for i in range(index - 1, -1, -1):
        if tokens[i] in DETERMINERS and noun_after(pair, i) == index:
            number = DETERMINERS[tokens[i]][1]
            options = {option for option in options if number in (None, option[1])} or options
            break
    assert len(options) == 1, (tokens, tokens[index], options)
    return next(iter(options))


def coordinated(pair: AnnotatedPair, noun: int) -> list[int]:
    """Nouns and names joined to a noun by et: they hang under it directly."""
    known = set(NOUNS) | NAMES
    joined = [i for i, head in enumerate(pair.target_heads) if head == noun and words(pair)[i] in known]
    return [i for i in joined if any(words(pair)[j] == "et" and pair.target_heads[j] == i for j in range(len(pair.target_heads)))]


def subject_features(pair: AnnotatedPair, verb: int) -> tuple[str, str] | None:
    """Gender and number of the noun or third person pronoun that is the subject of a finite verb."""
    tokens = words(pair)
    pronouns = {"il": ("m", "s"), "elle": ("f", "s"), "ils": ("m", "p"), "elles": ("f", "p")}
    for i, head in enumerate(pair.target_heads):
        if head != verb:
            continue
        if tokens[i] in pronouns:
            return pronouns[tokens[i]]
        if tokens[i] in NOUNS and i < verb and tokens[i] not in ("matin", "soir", "jour"):
            joined = coordinated(pair, i)
            if not joined:
                return features(pair, i)
            genders = {features(pair, i)[0]} | {
                features(pair, j)[0] if tokens[j] in NOUNS else ("f" if tokens[j] in WOMEN else "m") for j in joined
            }
            return ("f" if genders == {"f"} else "m", "p")
        if tokens[i] == "qui" and i > 0 and pair.target_heads[verb] >= 0 and tokens[pair.target_heads[verb]] in NOUNS:
            return features(pair, pair.target_heads[verb])
    return None


WOMEN = set("marie anne julie emma sophie alice".split())


def each_word() -> Iterator[tuple[AnnotatedPair, list[str], int, str]]:
    for pair in PAIRS:
        tokens = words(pair)
        for index, word in enumerate(tokens):
            yield pair, tokens, index, word


def test_elision_everywhere_and_only_before_a_vowel() -> None:
    elidable = {"le", "la", "je", "me", "te", "se", "ne", "de", "que", "ma", "ta", "sa"}
    forms = Counter[str]()
    for pair, tokens, index, word in each_word():
        following = tokens[index + 1] if index + 1 < len(tokens) else "."
        if word.endswith("’"):
            forms[word] += 1
            assert sounds_like_vowel(following), pair.target
        elif word in elidable or (word == "ce" and tokens[index - 1] != "est"):
            assert not sounds_like_vowel(following), pair.target
        elif word == "si":
            assert following not in ("il", "ils"), pair.target
    assert set(forms) >= {"l’", "d’", "t’", "j’", "m’", "n’", "s’", "qu’", "c’"}


def test_forms_before_a_vowel() -> None:
    wanted = {"beau": "bel", "nouveau": "nouvel", "vieux": "vieil", "ce": "cet"}
    met = Counter[str]()
    for pair, tokens, index, word in each_word():
        following = tokens[index + 1] if index + 1 < len(tokens) else "."
        if word in wanted.values():
            met[word] += 1
            assert sounds_like_vowel(following), pair.target
        if word in wanted and following in NOUNS and (None, "s") != NOUNS[following]:
            singular = ("m", "s") in NOUNS[following] and (word != "vieux" or features(pair, index + 1)[1] == "s")
            assert not (singular and sounds_like_vowel(following)), pair.target
        if word in ("mon", "ton", "son") and (noun := noun_after(pair, index)) is not None:
            met[word] += 1
            assert features(pair, noun)[0] == "m" or sounds_like_vowel(following), pair.target
    assert set(met) == {"bel", "nouvel", "vieil", "cet", "mon", "ton", "son"}


def test_contraction() -> None:
    met = Counter[str]()
    for pair, tokens, index, word in each_word():
        if word in ("de", "à") and tokens[index + 1] in ("le", "les"):
            pytest.fail(pair.target)
        if word in ("du", "au"):
            met[word] += 1
            following = tokens[index + 1]
            assert not sounds_like_vowel(following), pair.target  # de l’homme, à l’hôtel
    assert set(met) == {"du", "au"}


def test_ne_and_pas_stand_round_the_finite_verb() -> None:
    for pair in PAIRS:
        tokens = words(pair)
        negations = [i for i, word in enumerate(tokens) if word in ("ne", "n’")]
        assert tokens.count("pas") == len(negations), pair.target
        for i in negations:
            verb = pair.target_heads[i]
            clitics = set("me m’ te t’ se s’ le la l’ les lui leur nous vous y".split())
            assert set(tokens[i + 1 : verb]) <= clitics, pair.target
            assert tokens[verb + 1] == "pas", pair.target


def test_determiners_agree() -> None:
    met = Counter[str]()
    for pair, _, index, word in each_word():
        noun = noun_after(pair, index) if word in DETERMINERS else None
        if noun is None:
            continue
        gender, number = DETERMINERS[word]
        met[word] += 1
        options = NOUNS[words(pair)[noun]]
        assert any(gender in (None, g) and number in (None, n) for g, n in options), pair.target
    assert set(met) == set(DETERMINERS) - {"votre", "vos"} | (set(met) & {"votre", "vos"})


def test_adjectives_agree_with_their_noun() -> None:
    met = Counter[str]()
    for pair, tokens, index, word in each_word():
        head = pair.target_heads[index]
        if word in ADJECTIVE_FORMS and is_adjective(pair, index) and tokens[head] in NOUNS:
            met["before" if index < head else "after"] += 1
            assert features(pair, head) in ADJECTIVE_FORMS[word], pair.target
    assert min(met.values()) > 1000


def test_only_short_adjectives_stand_before_their_noun() -> None:
    before = set("grand petit gros long haut beau joli bon mauvais nouveau vieux jeune".split())
    stems = {form for form, *_ in ([f] for f in before)}
    for pair, tokens, index, word in each_word():
        head = pair.target_heads[index]
        if word in ADJECTIVE_FORMS and is_adjective(pair, index) and tokens[head] in NOUNS:
            base = next(b for b in stems | {""} if b == "" or word in family(b))
            assert bool(base) == (index < head), pair.target


def family(base: str) -> set[str]:
    """All forms of an adjective."""
    from french_facts import PARADIGMS

    forms = next(set(paradigm) for paradigm in PARADIGMS if paradigm[0] == base)
    return forms | {{"beau": "bel", "nouveau": "nouvel", "vieux": "vieil"}.get(base, base)}


def test_adjectives_agree_with_their_subject() -> None:
    checked = 0
    for pair, tokens, index, word in each_word():
        if word not in ADJECTIVE_FORMS or not is_adjective(pair, index):
            continue
        verb = pair.target_heads[index]
        if tokens[verb] in NOUNS or tokens[verb] in PARTICIPLE_FORMS:
            continue
        subject = subject_features(pair, verb)
        if subject is not None:
            checked += 1
            assert subject in ADJECTIVE_FORMS[word], pair.target
    assert checked > 2500


def test_participles_agree() -> None:
    met = Counter[str]()
    for pair, tokens, index, word in each_word():
        if not is_participle(pair, index):
            continue
        auxiliary = pair.target_heads[index]
        base, forms = PARTICIPLE_FORMS[word]
        if tokens[auxiliary] in ETRE:
            assert base in WITH_ETRE or base in REFLEXIVE, pair.target
            subject = subject_features(pair, auxiliary)
            if subject is not None:
                met["être"] += 1
                assert subject in forms, pair.target
            continue
        assert base in WITH_AVOIR, pair.target
        own = [i for i, head in enumerate(pair.target_heads) if head == index]
        ques = [i for i in own if tokens[i] in ("que", "qu’") and i > 0]
        clitics = [i for i in own if tokens[i] in ("la", "les", "l’") and i < index and noun_after(pair, i) is None]
        if ques:
            antecedent = pair.target_heads[auxiliary]
            met["que"] += 1
            assert features(pair, antecedent) in forms, pair.target
        elif any(tokens[i] == "la" for i in clitics):
            assert ("f", "s") in forms, pair.target
        elif any(tokens[i] == "les" for i in clitics):
            met["les"] += 1
            assert {("m", "p"), ("f", "p")} & forms, pair.target
        elif not any(tokens[i] in ("l’", "m’", "t’", "nous") for i in own):
            met["avoir"] += 1
            assert word == base, pair.target
    assert min(met[kind] for kind in ("être", "que", "les", "avoir")) > 100


def test_pronouns_with_an_antecedent_have_its_gender() -> None:
    """Il a pris la pomme et l’a mangée: the participle shows what l’ hides."""
    checked = 0
    for pair in PAIRS:
        tokens = words(pair)
        match = re.search(r" et (l’a|l’as|l’ai|l’avons|l’avez|l’ont|les (?:ai|as|a|avons|avez|ont)) (\S+)\.$", " ".join(tokens).replace("’ ", "’").replace(" .", "."))  # fmt: skip
        if not match:
            continue
        participle = match[2]
        nouns = [i for i, word in enumerate(tokens) if word in NOUNS and noun_after(pair, i - 1) == i or word in NOUNS]
        antecedent = nouns[-1]
        checked += 1
        assert features(pair, antecedent) in PARTICIPLE_FORMS[participle][1], pair.target
    assert checked > 200


def test_verbs_agree_with_their_subject() -> None:
    endings = {"je": r"(e|s|x|ai)$", "j’": r"(e|s|x|ai)$", "tu": r"(s|x)$", "-tu": r"(s|x)$", "nous": r"(ons|sommes)$",
               "-nous": r"(ons|sommes)$", "-vous": r"(ez|êtes|ites)$"}  # fmt: skip
    checked = Counter[str]()
    for pair in PAIRS:
        tokens = words(pair)
        for verb in {head for head in pair.target_heads if head >= 0}:
            if any(tokens[i] in ("est", "-ce") and pair.target_heads[i] == verb for i in range(len(tokens))):
                continue
            subject = subject_features(pair, verb) if tokens[verb] not in NOUNS else None
            inverted = [tokens[i].rsplit("-")[-1] for i, h in enumerate(pair.target_heads) if h == verb and tokens[i].startswith("-")]
            if subject is not None:
                checked["noun"] += 1
                plural = tokens[verb].endswith("nt") and tokens[verb] != "vient"
                assert plural == (subject[1] == "p"), (pair.target, tokens[verb])
            for pronoun in inverted:
                if pronoun in ("il", "elle", "ils", "elles"):
                    assert tokens[verb].endswith("nt") == pronoun.endswith("s"), pair.target
            for i, head in enumerate(pair.target_heads):
                if head == verb and tokens[i] in endings and i == min(j for j, h in enumerate(pair.target_heads) if h == verb):
                    if tokens[i] == "nous" and tokens[i + 1] != "nous" and pair.source_tokens[0].lower() != "we":
                        continue
                    checked["pronoun"] += 1
                    assert re.search(endings[tokens[i]], tokens[verb]), (pair.target, tokens[verb])
    assert checked["noun"] > 10_000
    assert checked["pronoun"] > 1_000


def test_inverted_pronouns_agree_with_the_subject_and_t_stands_after_vowels() -> None:
    for pair, tokens, index, word in each_word():
        if word[0] != "-" or word == "-ce":
            continue
        verb = pair.target_heads[index]
        assert verb == index - 1, pair.target
        vowel_meets_vowel = word.endswith(("il", "elle")) and tokens[verb][-1] not in "td"
        assert word.startswith("-t-") == vowel_meets_vowel, pair.target
        subject = subject_features(pair, verb)
        if subject is not None:
            pronoun = {"m": "il", "f": "elle"}[subject[0]] + ("s" if subject[1] == "p" else "")
            assert word.split("-")[-1] == pronoun, pair.target


def test_reflexive_pronouns_agree() -> None:
    of = {"je": {"me", "m’"}, "j’": {"me", "m’"}, "tu": {"te", "t’"}, "il": {"se", "s’"}, "elle": {"se", "s’"}}
    for pair in PAIRS:
        tokens = words(pair)
        for i, word in enumerate(tokens):
            if word in ("se",) or (word == "s’" and tokens[i + 1] not in ("il", "ils")):
                governor = pair.target_heads[i]
                finite = governor
                while tokens[finite] in PARTICIPLE_FORMS or re.search(r"(er|ir|re)$", tokens[finite]):
                    if pair.target_heads[finite] < 0 or tokens[pair.target_heads[finite]] in NOUNS:
                        break
                    finite = pair.target_heads[finite]
                own = {tokens[j] for j, head in enumerate(pair.target_heads) if head == finite}
                assert not own & {"je", "j’", "tu", "nous", "vous"}, pair.target
    assert of


def test_de_under_negation() -> None:
    """No un, une, des, du … after pas, except after être; and de only after pas or before an adjective."""
    for pair, tokens, index, word in each_word():
        if word == "pas" and tokens[index - 1] not in ETRE:
            rest = tokens[index + 1 :]
            article = next((w for w in rest if w in DETERMINERS), "le")
            governor = rest.index(article) if article in rest else 0
            direct = not set(rest[:governor]) & {"de", "d’", "à", "sur", "dans", "près", "qui", "que", "parce", "quand", ",", "besoin", "peur"}  # fmt: skip
            if direct and article in ("un", "une", "des"):
                prepositional = article == "des" and pair.target_heads[index + 1 + governor] < index + 1 + governor
                assert prepositional, pair.target
        if word in ("de", "d’") and pair.target_heads[index] > index:  # a determiner, under its noun
            negated = "pas" in tokens[:index]
            before_adjective = tokens[index + 1] in ADJECTIVE_FORMS
            partitive = tokens[index + 1] in ("la", "l’")
            assert negated or before_adjective or partitive, pair.target
            if before_adjective and not negated:
                noun = noun_after(pair, index)
                assert noun is not None
                assert features_after_de(tokens[noun]) == "p", pair.target


def features_after_de(noun: str) -> str:
    return "p" if any(number == "p" for _, number in NOUNS[noun]) else "s"


def test_des_does_not_stand_before_an_adjective() -> None:
    for pair, tokens, index, word in each_word():
        if word == "des" and tokens[index + 1] in ADJECTIVE_FORMS and tokens[index + 1] not in NOUNS:
            assert pair.target_heads[index] < index, pair.target  # de + les: des vieilles voisines


def test_mass_nouns_are_never_counted() -> None:
    for pair, tokens, index, word in each_word():
        if word in MASS:
            determiner = tokens[index - 1]
            assert determiner not in ("un", "une", "des", "deux", "trois", "quatre", "cinq"), pair.target


def test_auxiliaries_and_infinitives() -> None:
    """After aller, vouloir, devoir an infinitive follows, never a participle or a finite verb."""
    for pair, tokens, index, word in each_word():
        if word in MODAL or word in ALLER:
            verbs = [i for i, head in enumerate(pair.target_heads) if head == index and i > index]
            infinitives = [i for i in verbs if re.search(r"(er|ir|re)$", tokens[i]) and tokens[i] not in NOUNS]
            assert word in ALLER or len(infinitives) >= 1, pair.target


def test_no_word_is_repeated() -> None:
    for pair in PAIRS:
        for tokens, allowed in ((pair.source_tokens, set()), (pair.target_tokens, {"nous", "vous"})):
            lowered = [word.lower() for word in tokens]
            doubled = {a for a, b in zip(lowered, lowered[1:], strict=False) if a == b} - allowed
            assert not doubled, pair


def test_english_articles_and_verbs() -> None:
    for pair in PAIRS:
        tokens = [word.lower() for word in pair.source_tokens]
        for word, following in zip(tokens, tokens[1:], strict=False):
            vowel = following[0] in "aeiou" and following not in ("university", "uniform", "useful")
            vowel = vowel or following == "honest"
            if word in ("a", "an"):
                assert (word == "an") == vowel, pair.source
            if word in ("he", "she", "it") and following not in ("often", "always", "not", "must"):
                question = pair.source.endswith("?")
                past = any(w in ("a", "est", "l’a") for w in pair.target_tokens)
                assert question or past or following.endswith("s"), pair.source
