"""The French of the embedded corpus, checked against facts typed for these tests (`french_facts.py`).

Nothing here calls the grammar's rules. The checks read words, and for the two that need to know what belongs
to what, the gold heads.
"""

import re
from collections import Counter
from itertools import pairwise

import pytest

from tests.support.french import (
    DETERMINERS,
    all_pairs,
    children,
    each_word,
    features,
    gender_of,
    is_adjective,
    is_noun,
    is_participle,
    is_plural_verb,
    noun_after,
    sounds_like_vowel,
    subject_features,
    words,
)
from tests.support.french_facts import (
    ADJECTIVE_FORMS,
    ALLER,
    AVOIR,
    ETRE,
    MASS,
    MODAL,
    NOUNS,
    PARADIGMS,
    PARTICIPLE_FORMS,
    REFLEXIVE,
    WITH_AVOIR,
    WITH_ETRE,
)


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
        if word in wanted and index + 1 < len(tokens) and is_noun(pair, index + 1):
            plural = features(pair, index + 1) != {("m", "s")}
            assert plural or not sounds_like_vowel(following), pair.target
        if word in ("mon", "ton", "son") and (noun := noun_after(pair, index)) is not None:
            met[word] += 1
            assert gender_of(pair, noun) == "m" or sounds_like_vowel(following), pair.target
    assert set(met) == {"bel", "nouvel", "vieil", "cet", "mon", "ton", "son"}


def test_de_and_a_contract_with_le_and_les() -> None:
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
    for pair in all_pairs():
        tokens = words(pair)
        negations = [i for i, word in enumerate(tokens) if word in ("ne", "n’")]
        assert tokens.count("pas") == len(negations), pair.target
        for i in negations:
            verb = pair.target_heads[i]
            clitics = set(
                [
                    "me",
                    "m’",
                    "te",
                    "t’",
                    "se",
                    "s’",
                    "le",
                    "la",
                    "l’",
                    "les",
                    "lui",
                    "leur",
                    "nous",
                    "vous",
                    "y",
                ]
            )
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
    assert set(met) >= set(DETERMINERS) - {"votre", "vos"}


def test_adjectives_agree_with_their_noun() -> None:
    met = Counter[str]()
    for pair, _, index, word in each_word():
        if is_adjective(pair, index) and is_noun(pair, head := pair.target_heads[index]):
            met["before" if index < head else "after"] += 1
            assert features(pair, head) & ADJECTIVE_FORMS[word], pair.target
    assert min(met.values()) > 1000


def test_only_short_adjectives_stand_before_their_noun() -> None:
    short = [
        "grand",
        "petit",
        "gros",
        "long",
        "haut",
        "beau",
        "joli",
        "bon",
        "mauvais",
        "nouveau",
        "vieux",
        "jeune",
    ]
    before = {form for paradigm in PARADIGMS if paradigm[0] in short for form in paradigm} | {
        "bel",
        "nouvel",
        "vieil",
    }
    for pair, _, index, word in each_word():
        if is_adjective(pair, index) and is_noun(pair, head := pair.target_heads[index]):
            assert (word in before) == (index < head), pair.target


def test_adjectives_agree_with_their_subject() -> None:
    checked = 0
    for pair, _, index, word in each_word():
        if is_adjective(pair, index) and not is_noun(pair, verb := pair.target_heads[index]):
            if words(pair)[verb] in PARTICIPLE_FORMS:  # est devenue célèbre
                verb = pair.target_heads[verb]
            subject = subject_features(pair, verb)
            checked += bool(subject)
            assert not subject or subject & ADJECTIVE_FORMS[word], pair.target
    assert checked > 2500


def test_participles_agree() -> None:
    met = Counter[str]()
    for pair, tokens, index, word in each_word():
        if not is_participle(pair, index):
            continue
        auxiliary = pair.target_heads[index]
        base, forms = PARTICIPLE_FORMS[word]
        if tokens[auxiliary] in ETRE:
            subject = subject_features(pair, auxiliary)
            met["être"] += bool(subject)
            assert base in WITH_ETRE or base in REFLEXIVE, pair.target
            assert not subject or subject & forms, pair.target
            continue
        assert base in WITH_AVOIR, pair.target
        own = children(pair, index)
        clitics = {tokens[i] for i in own if i < index and noun_after(pair, i) is None}
        if any(tokens[i] in ("que", "qu’") for i in own):
            met["que"] += 1
            assert features(pair, pair.target_heads[auxiliary]) & forms, pair.target
        elif "les" in clitics:
            met["les"] += 1
            assert {("m", "p"), ("f", "p")} & forms, pair.target
        elif not clitics & {"l’", "m’", "t’", "nous"}:
            met["avoir"] += 1
            assert word == base, pair.target
    assert min(met[kind] for kind in ("être", "que", "les", "avoir")) > 100


def test_pronouns_with_an_antecedent_have_its_gender() -> None:
    """Il a pris la pomme et l’a mangée: the participle shows what l’ hides."""
    checked = 0
    for pair in all_pairs():
        tokens = words(pair)
        if "et" not in tokens:
            continue
        tail = tokens[tokens.index("et") + 1 :]
        if len(tail) == 4 and tail[0] in ("l’", "les") and tail[1] in AVOIR and tail[2] in PARTICIPLE_FORMS:
            antecedent = max(i for i in range(tokens.index("et")) if is_noun(pair, i))
            checked += 1
            assert features(pair, antecedent) & PARTICIPLE_FORMS[tail[2]][1], pair.target
        if len(tail) == 3 and tail[0] in ("la", "le") and noun_after(pair, len(tokens) - 3) is None:
            antecedent = max(i for i in range(tokens.index("et")) if is_noun(pair, i))
            checked += 1
            assert gender_of(pair, antecedent) == {"la": "f", "le": "m"}[tail[0]], pair.target
    assert checked > 300


def test_verbs_agree_with_nouns_and_third_persons() -> None:
    checked = 0
    for pair in all_pairs():
        tokens = words(pair)
        for verb in {head for head in pair.target_heads if head >= 0 and not is_noun(pair, head)}:
            numbers = {number for _, number in subject_features(pair, verb)}
            if len(numbers) == 1:
                checked += 1
                assert is_plural_verb(tokens[verb]) == (numbers == {"p"}), (pair.target, tokens[verb])
    assert checked > 15_000


def test_verbs_agree_with_first_and_second_persons() -> None:
    endings = {"je": r"(e|s|x|ai)$", "j’": r"(e|s|x|ai)$", "tu": r"(s|x)$", "nous": r"(ons|sommes)$",
               "vous": r"(ez|êtes)$"}  # fmt: skip
    checked = Counter[str]()
    for pair in all_pairs():
        tokens = words(pair)
        subjects = {"I": {"je", "j’"}, "you": {"tu", "vous", "-tu", "-vous"}, "we": {"nous", "-nous"}}
        for i, j in pair.alignment:
            english = pair.source_tokens[i]
            if tokens[j] in subjects.get(english if english == "I" else english.lower(), set()):
                subject = tokens[j].removeprefix("-")
                checked[subject] += 1
                assert re.search(endings[subject], tokens[pair.target_heads[j]]), pair.target
    assert set(checked) == set(endings)


def test_inverted_pronouns_agree_with_the_subject_and_t_stands_after_vowels() -> None:
    for pair, tokens, index, word in each_word():
        if word[0] != "-" or word == "-ce":
            continue
        verb, pronoun = pair.target_heads[index], word.split("-")[-1]
        assert verb == index - 1, pair.target
        assert word.startswith("-t-") == (pronoun in ("il", "elle") and tokens[verb][-1] not in "td"), (
            pair.target
        )
        if pronoun in ("il", "elle", "ils", "elles"):
            assert is_plural_verb(tokens[verb]) == pronoun.endswith("s"), pair.target
        expected = {
            ("il" if g == "m" else "elle") + ("s" if n == "p" else "")
            for g, n in subject_features(pair, verb)
        }
        assert not expected or pronoun in expected, pair.target


def test_reflexive_pronouns_agree() -> None:
    persons = {
        "me": "je j’",
        "m’": "je j’",
        "te": "tu -tu",
        "t’": "tu -tu",
        "nous": "nous -nous",
        "vous": "vous -vous",
    }
    checked = 0
    for pair, tokens, index, word in each_word():
        if "reflexive" not in pair.tags or index not in pair.tags["reflexive"]:
            continue
        chain = [pair.target_heads[index]]
        while re.search(r"(er|ir|re)$", tokens[chain[-1]]) or is_participle(pair, chain[-1]):
            chain.append(pair.target_heads[chain[-1]])
        own = {tokens[i] for i in children(pair, chain[-1]) if i != index}
        first_or_second = own & {"je", "j’", "tu", "-tu", "nous", "-nous", "vous", "-vous"}
        checked += 1
        assert first_or_second <= set(persons.get(word, "").split()), pair.target
        assert word not in persons or not subject_features(pair, chain[-1]), pair.target
    assert checked > 1000


def test_pronouns_stand_before_the_verb_they_belong_to() -> None:
    """Before the infinitive, not before its modal; before the auxiliary, not before the participle."""
    clitics = set(
        ["me", "m’", "te", "t’", "se", "s’", "le", "la", "l’", "les", "lui", "leur", "nous", "vous"]
    )
    checked = Counter[str]()
    for pair in all_pairs():
        tokens = words(pair)
        for i in {*pair.tags.get("object_pronoun", ()), *pair.tags.get("reflexive", ())}:
            verb = pair.target_heads[i]
            first = pair.target_heads[verb] if is_participle(pair, verb) else verb
            following = next(j for j in range(i + 1, len(tokens)) if tokens[j] not in clitics or j == first)
            checked["auxiliary" if first != verb else "verb"] += 1
            assert following == first, pair.target
    assert min(checked.values()) > 500


def test_de_under_negation() -> None:
    """No un, une, des, du … after pas, except after être; and de only after pas or before an adjective."""
    for pair, tokens, index, word in each_word():
        if word == "pas" and tokens[index - 1] not in ETRE:
            rest = tokens[index + 1 :]
            article = next((w for w in rest if w in DETERMINERS), "le")
            governor = rest.index(article) if article in rest else 0
            elsewhere = [
                "de",
                "d’",
                "à",
                "sur",
                "dans",
                "près",
                "qui",
                "que",
                "parce",
                "quand",
                ",",
                "besoin",
                "peur",
            ]
            direct = not set(rest[:governor]) & set(elsewhere)
            if direct and article in ("un", "une", "des"):
                prepositional = (
                    article == "des" and pair.target_heads[index + 1 + governor] < index + 1 + governor
                )
                assert prepositional, pair.target
        if word in ("de", "d’") and pair.target_heads[index] > index:  # a determiner, under its noun
            negated = "pas" in tokens[:index]
            before_adjective = tokens[index + 1] in ADJECTIVE_FORMS
            partitive = tokens[index + 1] in ("la", "l’")
            assert negated or before_adjective or partitive, pair.target
            if before_adjective and not negated:
                noun = noun_after(pair, index)
                assert noun is not None
                assert "p" in {number for _, number in NOUNS[tokens[noun]]}, pair.target


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
            infinitives = [
                i for i in verbs if re.search(r"(er|ir|re)$", tokens[i]) and tokens[i] not in NOUNS
            ]
            assert word in ALLER or len(infinitives) >= 1, pair.target


def test_no_word_is_repeated() -> None:
    for pair in all_pairs():
        for tokens, allowed in ((pair.source_tokens, set()), (pair.target_tokens, {"nous", "vous"})):
            lowered = [word.lower() for word in tokens]
            doubled = {a for a, b in pairwise(lowered) if a == b} - allowed
            assert not doubled, pair


def test_english_articles_and_verbs() -> None:
    for pair in all_pairs():
        tokens = [word.lower() for word in pair.source_tokens]
        for word, following in pairwise(tokens):
            vowel = following[0] in "aeiou" and following not in ("university", "uniform", "useful")
            vowel = vowel or following == "honest"
            if word in ("a", "an"):
                assert (word == "an") == vowel, pair.source
        if tokens[0] in ("he", "she") and not {"a", "est"} & set(words(pair)):
            verb = next(word for word in tokens[1:] if word not in ("often", "always"))
            assert verb.endswith("s") or verb == "must", pair.source
