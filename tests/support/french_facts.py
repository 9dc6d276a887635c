"""Facts about French, typed from a dictionary for the tests: not derived from the grammar that they check."""

MASCULINE = """
homme garçon enfant élève bébé père oncle frère fils professeur médecin infirmier jardinier policier juge
musicien peintre écrivain ami héros soldat touriste roi prince chat chaton chien chiot lapin hamster cheval âne
agneau cochon oiseau perroquet canard loup renard ours lion hibou éléphant hérisson écureuil singe papillon
abricot haricot oignon gâteau biscuit sandwich yaourt œuf homard pain fromage riz chocolat miel poisson beurre
jambon lait café thé jus repas déjeuner dîner livre journal roman poème concert film match tableau dessin
portrait manteau chapeau pull uniforme gant fauteuil lit canapé bureau banc tapis coussin oreiller miroir rideau
sac panier tiroir verre marteau couteau stylo crayon parapluie téléphone ordinateur ballon cadeau billet bâton
os argent piano violon accordéon vélo camion tracteur bateau train bus avion arbre chêne château pont mur toit
couloir grenier salon jardin parc champ village lac marché hôpital hôtel musée restaurant aéroport théâtre
cinéma port soleil ciel nuage problème secret rêve mot nom exercice voyage procès matin soir jour
"""
FEMININE = """
femme dame fille mère tante sœur étudiante avocate boulangère fermière ingénieure serveuse chanteuse actrice
danseuse artiste voisine amie reine princesse vache chèvre hirondelle poule oie souris grenouille tortue abeille
pomme orange poire banane cerise fraise tomate carotte pizza omelette viande soupe salade confiture eau limonade
lettre histoire chanson musique voix radio photo carte robe chemise jupe écharpe veste cravate chaussure botte
table chaise armoire étagère moquette couverture lampe horloge boîte valise tasse assiette bouteille clé hache
échelle bougie montre poupée bague pièce guitare flûte harpe trompette cloche voiture moto fleur rose plante
tulipe feuille herbe maison église hutte cabane tour porte fenêtre cuisine chambre cave cour forêt rue ville
plage île rivière mer gare bibliothèque boulangerie école université ferme usine montagne lune étoile idée
question réponse habitude leçon règle langue audience réunion fête
"""
IRREGULAR_PLURALS = {
    "cheval": "chevaux", "agneau": "agneaux", "oiseau": "oiseaux", "gâteau": "gâteaux", "journal": "journaux",
    "tableau": "tableaux", "manteau": "manteaux", "chapeau": "chapeaux", "bureau": "bureaux", "rideau": "rideaux",
    "marteau": "marteaux", "couteau": "couteaux", "cadeau": "cadeaux", "bateau": "bateaux", "château": "châteaux",
    "hibou": "hiboux", "hôpital": "hôpitaux", "fils": "fils", "héros": "héros", "ours": "ours", "souris": "souris",
    "jus": "jus", "repas": "repas", "voix": "voix", "tapis": "tapis", "os": "os", "bus": "bus", "procès": "procès",
    "riz": "riz",
}  # fmt: skip
MASS = set(
    [
        "pain",
        "fromage",
        "riz",
        "chocolat",
        "miel",
        "viande",
        "soupe",
        "poisson",
        "beurre",
        "salade",
        "confiture",
        "jambon",
        "eau",
        "lait",
        "café",
        "thé",
        "jus",
        "limonade",
        "musique",
        "argent",
        "herbe",
    ]
)
# masculine, feminine, masculine plural, feminine plural
ADJECTIVES = """
grand grande grands grandes; petit petite petits petites; gros grosse gros grosses; long longue longs longues
haut haute hauts hautes; beau belle beaux belles; joli jolie jolis jolies; bon bonne bons bonnes
mauvais mauvaise mauvais mauvaises; nouveau nouvelle nouveaux nouvelles; vieux vieille vieux vieilles
jeune jeune jeunes jeunes; court courte courts courtes; heureux heureuse heureux heureuses
triste triste tristes tristes; fatigué fatiguée fatigués fatiguées; fort forte forts fortes
intelligent intelligente intelligents intelligentes; gentil gentille gentils gentilles; rond ronde ronds rondes
courageux courageuse courageux courageuses; paresseux paresseuse paresseux paresseuses
curieux curieuse curieux curieuses; timide timide timides timides; poli polie polis polies
fier fière fiers fières; jaloux jalouse jaloux jalouses; célèbre célèbre célèbres célèbres
riche riche riches riches; occupé occupée occupés occupées; malade malade malades malades
honnête honnête honnêtes honnêtes; nerveux nerveuse nerveux nerveuses; sérieux sérieuse sérieux sérieuses
calme calme calmes calmes; tranquille tranquille tranquilles tranquilles; bruyant bruyante bruyants bruyantes
élégant élégante élégants élégantes; duveteux duveteuse duveteux duveteuses; doux douce doux douces
sauvage sauvage sauvages sauvages; dangereux dangereuse dangereux dangereuses; rapide rapide rapides rapides
lent lente lents lentes; lourd lourde lourds lourdes; léger légère légers légères; cher chère chers chères
propre propre propres propres; sale sale sales sales; plein pleine pleins pleines; vide vide vides vides
ouvert ouverte ouverts ouvertes; fermé fermée fermés fermées; cassé cassée cassés cassées
chaud chaude chauds chaudes; froid froide froids froides; frais fraîche frais fraîches
sucré sucrée sucrés sucrées; mûr mûre mûrs mûres; délicieux délicieuse délicieux délicieuses
sec sèche secs sèches; mouillé mouillée mouillés mouillées; épais épaisse épais épaisses
confortable confortable confortables confortables; moderne moderne modernes modernes
intéressant intéressante intéressants intéressantes; ennuyeux ennuyeuse ennuyeux ennuyeuses
difficile difficile difficiles difficiles; facile facile faciles faciles
important importante importants importantes; utile utile utiles utiles; étrange étrange étranges étranges
public publique publics publiques; électrique électrique électriques électriques
français française français françaises; anglais anglaise anglais anglaises; italien italienne italiens italiennes
rouge rouge rouges rouges; bleu bleue bleus bleues; vert verte verts vertes; blanc blanche blancs blanches
noir noire noirs noires; gris grise gris grises; jaune jaune jaunes jaunes
"""
# past participles: those of verbs that take être, and the others
WITH_ETRE = [
    "arrivé",
    "parti",
    "tombé",
    "resté",
    "sorti",
    "revenu",
    "rentré",
    "monté",
    "descendu",
    "entré",
    "allé",
    "devenu",
]
REFLEXIVE = [
    "reposé",
    "levé",
    "réveillé",
    "couché",
    "habillé",
    "endormi",
    "caché",
    "amusé",
    "dépêché",
    "perdu",
    "arrêté",
    "lavé",
    "blessé",
    "occupé",
    "approché",
]
WITH_AVOIR = [
    "dormi",
    "couru",
    "chanté",
    "dansé",
    "pleuré",
    "ri",
    "souri",
    "nagé",
    "travaillé",
    "marché",
    "sauté",
    "joué",
    "aboyé",
    "hurlé",
    "volé",
    "voyagé",
    "cuisiné",
    "brillé",
    "sonné",
    "poussé",
    "mangé",
    "bu",
    "vu",
    "entendu",
    "regardé",
    "écouté",
    "cherché",
    "trouvé",
    "perdu",
    "acheté",
    "vendu",
    "lu",
    "écrit",
    "ouvert",
    "fermé",
    "pris",
    "porté",
    "lavé",
    "nettoyé",
    "coupé",
    "cassé",
    "peint",
    "dessiné",
    "construit",
    "réparé",
    "préparé",
    "poursuivi",
    "suivi",
    "mordu",
    "attrapé",
    "aidé",
    "appelé",
    "invité",
    "rencontré",
    "visité",
    "compris",
    "oublié",
    "gardé",
    "choisi",
    "fini",
    "appris",
    "conduit",
    "nourri",
    "protégé",
    "embrassé",
    "remercié",
    "admiré",
    "tiré",
    "touché",
    "rempli",
    "vidé",
    "caché",
    "compté",
    "séché",
    "parlé",
    "rêvé",
    "répondu",
    "donné",
    "montré",
    "envoyé",
    "prêté",
    "apporté",
    "expliqué",
    "raconté",
    "offert",
]
# words before which, in spite of their first letter, nothing elides
ASPIRATES = set(
    [
        "héros",
        "hamster",
        "hamsters",
        "hibou",
        "hiboux",
        "hérisson",
        "hérissons",
        "haricot",
        "haricots",
        "homard",
        "homards",
        "hache",
        "haches",
        "harpe",
        "harpes",
        "hutte",
        "huttes",
        "haut",
        "haute",
        "hauts",
        "hautes",
        "hurler",
        "hurle",
        "hurles",
        "hurlons",
        "hurlez",
        "hurlent",
        "hurlé",
        "yaourt",
        "yaourts",
    ]
)
ETRE = {"suis", "es", "est", "sommes", "êtes", "sont"}
AVOIR = {"ai", "as", "a", "avons", "avez", "ont"}
ALLER = {"vais", "vas", "va", "allons", "allez", "vont"}
MODAL = set(["veux", "veut", "voulons", "voulez", "veulent", "dois", "doit", "devons", "devez", "doivent"])


# forms that are a noun or a verb: a noun only if it translates this
NOUN_OR_VERB = {
    "lit": "bed", "porte": "door", "portes": "doors", "ferme": "farm", "fermes": "farms", "montre": "watch",
    "montres": "watches", "souris": "mouse mice", "rêve": "dream", "rêves": "dreams", "voyage": "journey",
    "voyages": "journeys", "cuisine": "kitchen", "cuisines": "kitchens", "cours": "yards", "marché": "market",
    "marchés": "markets",
}  # fmt: skip
SINGULAR_IN_IENT = {"vient", "revient", "devient", "souvient", "appartient"}


def plural_of(noun: str) -> str:
    """Plural of a noun of the lists above."""
    return IRREGULAR_PLURALS.get(noun, noun + "s")


NOUNS: dict[str, set[tuple[str, str]]] = {}  # form: its (gender, number)s
for _gender, _nouns in (("m", MASCULINE), ("f", FEMININE)):
    for _noun in _nouns.split():
        NOUNS.setdefault(_noun, set()).add((_gender, "s"))
        NOUNS.setdefault(plural_of(_noun), set()).add((_gender, "p"))

PARADIGMS = [line.split() for line in ADJECTIVES.replace(";", "\n").strip().splitlines()]
ADJECTIVE_FORMS: dict[str, set[tuple[str, str]]] = {}
for _paradigm in PARADIGMS:
    for _form, _feature in zip(_paradigm, (("m", "s"), ("f", "s"), ("m", "p"), ("f", "p")), strict=True):
        ADJECTIVE_FORMS.setdefault(_form, set()).add(_feature)
for _form in ("bel", "nouvel", "vieil"):
    ADJECTIVE_FORMS[_form] = {("m", "s")}
DICTIONARY_FORMS = {paradigm[0] for paradigm in PARADIGMS} | {"bel", "nouvel", "vieil"}

PARTICIPLE_FORMS: dict[str, tuple[str, set[tuple[str, str]]]] = {}  # form: (masculine singular, features)
for _participle in {*WITH_ETRE, *REFLEXIVE, *WITH_AVOIR}:
    _plural = _participle if _participle.endswith("s") else _participle + "s"
    for _form, _feature in (
        (_participle, ("m", "s")), (_participle + "e", ("f", "s")), (_plural, ("m", "p")),
        (_participle + "es", ("f", "p")),
    ):  # fmt: skip
        PARTICIPLE_FORMS.setdefault(_form, (_participle, set()))[1].add(_feature)
