"""Inflection: how the words of the two languages change their form.

Each rule of spelling stands here once, with the irregular words it does not cover beside it; the lexicon
names a word by its dictionary form only.
"""

MASCULINE, FEMININE = "m", "f"
SINGULAR, PLURAL = 0, 1

# ------------------------------------------------------------------------------------------------ English

DOUBLED = {"run", "swim", "get", "cut", "stop", "forget", "travel"}  # running, stopped, travelled
BE_PRESENT = ("am", "are", "is", "are", "are", "are")


def english_s(word: str) -> str:
    """Add the -s of a plural noun or of the third person singular.

    >>> [english_s(word) for word in ("cat", "box", "baby", "boy", "go")]
    ['cats', 'boxes', 'babies', 'boys', 'goes']
    """
    if word.endswith(("s", "x", "ch", "sh", "o")) and word not in ("piano", "photo", "radio"):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def english_past(verb: str) -> str:
    """Form the regular past.

    >>> [english_past(verb) for verb in ("walk", "dance", "carry", "stop")]
    ['walked', 'danced', 'carried', 'stopped']
    """
    if verb in DOUBLED:
        return verb + verb[-1] + "ed"
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


def english_ing(verb: str) -> str:
    """Form the present participle.

    >>> [english_ing(verb) for verb in ("walk", "dance", "run")]
    ['walking', 'dancing', 'running']
    """
    if verb in DOUBLED:
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + "ing"


# ------------------------------------------------------------------------------------- French nouns, adjectives

FEMININES = {  # what no rule below gives
    "blanc": "blanche", "sec": "sèche", "frais": "fraîche", "doux": "douce", "jaloux": "jalouse",
    "gros": "grosse", "épais": "épaisse", "bon": "bonne", "gentil": "gentille", "long": "longue",
    "public": "publique", "beau": "belle", "nouveau": "nouvelle", "vieux": "vieille",
    "quel": "quelle",
}  # fmt: skip
BEFORE_VOWEL = {"beau": "bel", "nouveau": "nouvel", "vieux": "vieil"}


def french_plural(word: str) -> str:
    """Form the plural of a noun or of a masculine adjective.

    >>> [french_plural(word) for word in ("chat", "souris", "oiseau", "cheval", "jeu")]
    ['chats', 'souris', 'oiseaux', 'chevaux', 'jeux']
    """
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith(("eau", "eu")) and word != "bleu":
        return word + "x"
    if word.endswith("al"):
        return word[:-2] + "aux"
    return word + "s"


def french_feminine(adjective: str) -> str:
    """Form the feminine singular of an adjective.

    >>> [french_feminine(word) for word in ("noir", "rouge", "heureux", "fier", "beau")]
    ['noire', 'rouge', 'heureuse', 'fière', 'belle']
    """
    if adjective in FEMININES:
        return FEMININES[adjective]
    if adjective.endswith("e"):
        return adjective
    if adjective.endswith("eux"):
        return adjective[:-1] + "se"
    if adjective.endswith("er"):
        return adjective[:-2] + "ère"
    if adjective.endswith("en"):
        return adjective + "ne"
    return adjective + "e"


def agree(adjective: str, gender: str, number: int) -> str:
    """Give an adjective, or a participle, the gender and number of its noun.

    >>> agree("heureux", FEMININE, PLURAL), agree("aimé", FEMININE, SINGULAR), agree("blanc", MASCULINE, PLURAL)
    ('heureuses', 'aimée', 'blancs')
    """
    word = french_feminine(adjective) if gender == FEMININE else adjective
    return french_plural(word) if number == PLURAL else word


# ----------------------------------------------------------------------------------------------- French verbs

# infinitive: je, tu, il, nous, vous, ils; past participle
IRREGULAR = {
    "être": "suis es est sommes êtes sont; été",
    "avoir": "ai as a avons avez ont; eu",
    "aller": "vais vas va allons allez vont; allé",
    "vouloir": "veux veux veut voulons voulez veulent; voulu",
    "pouvoir": "peux peux peut pouvons pouvez peuvent; pu",
    "devoir": "dois dois doit devons devez doivent; dû",
    "dormir": "dors dors dort dormons dormez dorment; dormi",
    "endormir": "endors endors endort endormons endormez endorment; endormi",
    "courir": "cours cours court courons courez courent; couru",
    "rire": "ris ris rit rions riez rient; ri",
    "sourire": "souris souris sourit sourions souriez sourient; souri",
    "partir": "pars pars part partons partez partent; parti",
    "sortir": "sors sors sort sortons sortez sortent; sorti",
    "venir": "viens viens vient venons venez viennent; venu",
    "revenir": "reviens reviens revient revenons revenez reviennent; revenu",
    "devenir": "deviens deviens devient devenons devenez deviennent; devenu",
    "souvenir": "souviens souviens souvient souvenons souvenez souviennent; souvenu",
    "boire": "bois bois boit buvons buvez boivent; bu",
    "voir": "vois vois voit voyons voyez voient; vu",
    "lire": "lis lis lit lisons lisez lisent; lu",
    "écrire": "écris écris écrit écrivons écrivez écrivent; écrit",
    "dire": "dis dis dit disons dites disent; dit",
    "ouvrir": "ouvre ouvres ouvre ouvrons ouvrez ouvrent; ouvert",
    "offrir": "offre offres offre offrons offrez offrent; offert",
    "prendre": "prends prends prend prenons prenez prennent; pris",
    "apprendre": "apprends apprends apprend apprenons apprenez apprennent; appris",
    "comprendre": "comprends comprends comprend comprenons comprenez comprennent; compris",
    "peindre": "peins peins peint peignons peignez peignent; peint",
    "construire": "construis construis construit construisons construisez construisent; construit",
    "conduire": "conduis conduis conduit conduisons conduisez conduisent; conduit",
    "suivre": "suis suis suit suivons suivez suivent; suivi",
    "poursuivre": "poursuis poursuis poursuit poursuivons poursuivez poursuivent; poursuivi",
    "connaître": "connais connais connaît connaissons connaissez connaissent; connu",
    "appartenir": "appartiens appartiens appartient appartenons appartenez appartiennent; appartenu",
    "acheter": "achète achètes achète achetons achetez achètent; acheté",
    "lever": "lève lèves lève levons levez lèvent; levé",
    "promener": "promène promènes promène promenons promenez promènent; promené",
    "appeler": "appelle appelles appelle appelons appelez appellent; appelé",
    "préférer": "préfère préfères préfère préférons préférez préfèrent; préféré",
    "protéger": "protège protèges protège protégeons protégez protègent; protégé",
    "sécher": "sèche sèches sèche séchons séchez sèchent; séché",
}


def conjugate(infinitive: str) -> tuple[tuple[str, ...], str]:
    """Give the six persons of the present and the past participle of a verb.

    >>> conjugate("manger")
    (('mange', 'manges', 'mange', 'mangeons', 'mangez', 'mangent'), 'mangé')
    >>> conjugate("finir")[0][2], conjugate("attendre")[0][2], conjugate("nettoyer")[0][2:4]
    ('finit', 'attend', ('nettoie', 'nettoyons'))
    """
    if infinitive in IRREGULAR:
        present, participle = IRREGULAR[infinitive].split("; ")
        return tuple(present.split()), participle
    stem, ending = infinitive[:-2], infinitive[-2:]
    if ending == "ir":
        return tuple(stem + e for e in ("is", "is", "it", "issons", "issez", "issent")), stem + "i"
    if ending == "re":
        return tuple(stem + e for e in ("s", "s", "", "ons", "ez", "ent")), stem + "u"
    weak = stem[:-1] + "i" if stem.endswith(("oy", "uy")) else stem  # nettoie, but nettoyons
    nous = stem[:-1] + "ç" if stem.endswith("c") else stem + "e" if stem.endswith("g") else stem
    return (weak + "e", weak + "es", weak + "e", nous + "ons", stem + "ez", weak + "ent"), stem + "é"
