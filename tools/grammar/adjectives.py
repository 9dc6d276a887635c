"""The adjectives: one line each, with what they can be said of.

`English = [*]French [before] [flags] : labels of nouns`. *before* puts the French adjective before its noun;
`predicate` adjectives stand after a verb only, `attribute` ones beside their noun only; the star marks the
*h aspiré*. The labels are those of `nouns.py`, or nouns themselves.
"""

from dataclasses import dataclass

ADJECTIVES = """
big = grand before : wild dog cat horse cow container building room outside waters tree furniture tower
    mirror clock
small = petit before : young baby animal container building room outside furniture tool dish toy portable
    bird insect structure
little = petit before attribute : young baby animal insect
tall = grand predicate : person
tall = grand before : tall tower
fat = gros before : animal
long = long before : text written tale event skirt dress coat scarf street bridge corridor film curtain
    stick
high = *haut before : mountain wall tower
beautiful = beau before : lady bird horse butterfly house castle church garden outside mountain island
    dress tune plant picture cat dream voice ring star
pretty = joli before : girl princess dress skirt house village flower butterfly bird picture song doll
    ring voice kitten cup
good = bon before : food made baked meal drink book novel film story idea answer worker neighbour pupil
    school restaurant hotel habit
bad = mauvais before : idea answer habit dream novel film pupil hotel
new = nouveau before attribute : clothes machine furniture vehicle building toy book novel song pupil
    teacher neighbour rule word instrument
old = vieux before : adult king queen dog cat horse donkey goat cow elephant turtle parrot lion wolf bear
    owl book newspaper clothes building structure furniture machine instrument town village tree portrait
    map toy tool
young = jeune before : adult pet farm wild royal
short = court : text written skirt dress film tale journey meeting

happy = heureux : person baby
sad = triste : person baby song music film tale dog
tired = fatigué : person baby pet horse donkey
clever = intelligent : person dog fox monkey parrot horse
kind = gentil predicate : person
brave = courageux : person dog
lazy = paresseux : person cat dog donkey
curious = curieux : person cat kitten puppy monkey child
shy = timide : person
polite = poli : person
proud = fier predicate : person
jealous = jaloux : person
famous = célèbre : artist hero castle museum painting novel song restaurant lawyer doctor king queen film
rich = riche : adult royal
busy = occupé predicate : adult royal
sick = malade : person baby animal
strong = fort predicate : person horse bear elephant
honest = honnête : adult royal
nervous = nerveux : person horse
serious = sérieux : worker pupil problem
calm = calme : person baby sea lake horse cow
quiet = tranquille : village street garden quiet hotel
noisy = bruyant : machine street young town factory restaurant neighbour puppy
elegant = élégant : adult royal dress coat hat clothes
fluffy = duveteux : cat kitten rabbit blanket cushion pillow
soft = doux : cushion pillow blanket voice scarf sweater cloth
wild = sauvage : rabbit duck horse goose cat goat
dangerous = dangereux : wolf bear lion elephant river mountain street axe knife dog
fast = rapide : vehicle horse
slow = lent : vehicle turtle
heavy = lourd : container furniture hammer book ladder axe
light = léger : bag suitcase basket jacket container meal ladder
expensive = cher : clothes vehicle furniture machine instrument restaurant hotel ring ticket
clean = propre : clothes dish room street window beach hotel car water kitchen
dirty = sale : clothes dish room street window car truck dog carpet water puppy
full = plein : container dish
empty = vide : container dish street room beach
open = ouvert : openable shop museum library
closed = fermé : openable shop museum library school bakery
broken = cassé : breakable machine toy chair pencil bench ladder
hot = chaud : soup omelette pizza coffee tea milk water cake meal
cold = froid : soup omelette pizza drink sea meal lake water room
fresh = frais : food drink
sweet = sucré : fruit drink biscuit cake
ripe = mûr : fruit tomato
delicious = délicieux : food meal
round = rond : table mirror plate cushion clock container
dry = sec : cloth clothes leaf grass
wet = mouillé : clothes dog cat cloth umbrella grass street bench
thick = épais : carpet blanket book coat wall curtain
comfortable = confortable : seat shoe house cabin hotel boat
modern = moderne : building town vehicle machine kitchen school hospital museum furniture factory airport
interesting = intéressant : text tale film event museum lesson idea question book town
boring = ennuyeux : text tale film lesson event meeting
difficult = difficile : lesson exercise question problem language trial journey
easy = facile : exercise question rule language lesson
important = important : question letter meeting rule hearing idea word problem trial answer
useful = utile : tool machine book map word rule idea answer
strange = étrange : dream story idea voice name painting word question habit
public = public : garden park hearing trial library
electric = électrique : guitar car bicycle train
French = français : artist engineer judge tourist soldier lawyer book novel song film cheese newspaper
    town word car
English = anglais : artist engineer judge tourist soldier lawyer book novel song film newspaper town word
    car
Italian = italien : artist engineer tourist soldier song film town restaurant car
red = rouge : clothes machine furniture vehicle apple rose flower tulip toy door roof container curtain
blue = bleu : clothes vehicle door toy container sea sky cloth pen pencil flower parrot butterfly
green = vert : clothes vehicle door apple container bean grass leaf frog parrot bottle cloth
white = blanc : cat dog rabbit horse goat lamb goose clothes house wall rose cloth mouse dish cloud
black = noir : cat kitten dog puppy horse cow hen goat clothes vehicle piano machine container umbrella
    cloud
grey = gris : cat kitten mouse rabbit donkey wolf owl clothes sky cloud wall goose
yellow = jaune : clothes tulip banana butterfly parrot container vehicle curtain leaf
"""


@dataclass(frozen=True)
class Adjective:
    """An adjective in both languages; `before` is its place in French, `labels` what it suits.

    `attribute` and `predicate` say whether it stands beside a noun and after a verb.
    """

    english: str
    french: str
    aspirate: bool
    before: bool
    attribute: bool
    predicate: bool
    labels: frozenset[str]


def _read(table: str) -> list[Adjective]:
    adjectives = []
    for line in filter(None, table.replace("\n    ", " ").splitlines()):
        words, _, labels = line.partition(" : ")
        english, _, rest = words.partition(" = ")
        french, *flags = rest.split()
        adjectives.append(
            Adjective(
                english,
                french.lstrip("*"),
                french.startswith("*"),
                "before" in flags,
                "predicate" not in flags,
                "attribute" not in flags,
                frozenset(labels.split()),
            )
        )
    return adjectives


LEXICON = _read(ADJECTIVES)
