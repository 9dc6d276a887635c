"""The nouns: one line each, in groups of a kind.

`English[/plural] = [*]French[/plural] gender [further labels]`. A star marks the *h aspiré* (and *yaourt*),
before which nothing elides. The line that opens a group names the labels that all of its nouns carry; verbs,
adjectives and places say by label which nouns go with them. `singular`, `only` and `mass` nouns have no
plural here (English *fish* would not show it).
"""

import re
from dataclasses import dataclass

from grammar.morphology import english_s, french_plural

NOUNS = """
@ person adult
man/men = homme m                woman/women = femme f             lady = dame f
@ person young
boy = garçon m                   girl = fille f                    child/children = enfant m
pupil = élève m
@ baby
baby = bébé m
@ person adult family
mother = mère f only             father = père m only              aunt = tante f
uncle = oncle m
@ person young family
sister = sœur f                  brother = frère m                 son = fils m
@ person adult worker
teacher = professeur m           student = étudiante f             doctor = médecin m
nurse = infirmier m              lawyer = avocate f                baker = boulangère f
farmer = fermière f              gardener = jardinier m            engineer = ingénieure f
policeman/policemen = policier m  waitress = serveuse f             judge = juge m
@ person adult worker artist
singer = chanteuse f             musician = musicien m             painter = peintre m
actress = actrice f              dancer = danseuse f               artist = artiste f
writer = écrivain m
@ person adult neighbour
neighbour = voisine f
@ friend
friend = ami m
@ person adult grand
hero = *héros m                  soldier = soldat m                tourist = touriste m
@ person royal
king = roi m singular            queen = reine f singular
prince = prince m                princess = princesse f

@ animal pet furry walker runner leaper climber
cat = chat m hunter prey         kitten = chaton m
@ animal pet furry walker runner leaper
dog = chien m hunter biter barker           puppy = chiot m barker
@ animal pet furry grazer leaper runner prey
rabbit = lapin m                 hamster = *hamster m
@ animal farmyard walker grazer
horse = cheval m runner leaper   cow = vache f                     goat = chèvre f leaper
donkey = âne m                   lamb = agneau m furry prey        pig = cochon m
@ animal bird flyer songster
bird = oiseau m prey             swallow = hirondelle f            parrot = perroquet m pet
@ animal farmyard bird prey
hen = poule f                    duck = canard m swimmer           goose/geese = oie f swimmer biter
@ animal wild furry runner walker biter
wolf/wolves = loup m hunter howler          fox = renard m hunter  bear = ours m climber
lion = lion m hunter
@ animal wild
owl = *hibou/hiboux m flyer bird            elephant = éléphant m walker grazer
hedgehog = *hérisson m walker    squirrel = écureuil m furry climber leaper runner
mouse/mice = souris f prey runner           frog = grenouille f leaper swimmer
turtle = tortue f walker swimmer            monkey = singe m climber leaper
@ insect flyer
bee = abeille f                  butterfly = papillon m

@ food edible fruit
apple = pomme f greens           orange = orange f                 pear = poire f
banana = banane f                cherry = cerise f                 strawberry = fraise f
apricot = abricot m
@ food edible vegetable
tomato = tomate f                carrot = carotte f greens         bean = *haricot m
onion = oignon m
@ food edible made
cake = gâteau m baked            biscuit = biscuit m baked         sandwich = sandwich m
pizza = pizza f baked            omelette = omelette f             yoghurt = *yaourt m
@ food edible
egg = œuf m                      lobster = *homard m
@ food edible mass
bread = pain m baked             cheese = fromage m                rice = riz m
chocolate = chocolat m sweet     honey = miel m sweet              meat = viande f
soup = soupe f made              fish = poisson m                  butter = beurre m
salad = salade f                 jam = confiture f sweet           ham = jambon m
@ drink mass
water = eau f water              milk = lait m                     coffee = café m
tea = thé m                      juice = jus m sweet               lemonade = limonade f sweet
@ meal
meal = repas m                   lunch = déjeuner m singular       dinner = dîner m singular

@ portable text readable ownable
book = livre m                   letter = lettre f written         newspaper = journal m
novel = roman m written tale     poem = poème m written tale
@ tale audible written text
story = histoire f
@ audible tune
song = chanson f                 concert = concert m event
@ audible mass tune
music = musique f
@ audible
voice = voix f                   radio = radio f machine portable only
@ show
film = film m                    match = match m event
@ portable ownable picture
photo = photo f                  painting = tableau m fine         drawing = dessin m
portrait = portrait m fine       map = carte f

@ clothes portable buyable ownable
dress = robe f                   coat = manteau m                  hat = chapeau m
shirt = chemise f                skirt = jupe f                    scarf/scarves = écharpe f
sweater = pull m                 jacket = veste f                  tie = cravate f
uniform = uniforme m
@ clothes portable buyable ownable pair
shoe = chaussure f               glove = gant m                    boot = botte f

@ furniture buyable
table = table f surface under    chair = chaise f seat under       armchair = fauteuil m seat
bed = lit m seat under           sofa = canapé m seat under        desk = bureau m surface under
cabinet = armoire f openable container             shelf/shelves = étagère f surface
bench = banc m seat under
@ soft buyable
carpet = moquette f cloth        mat = tapis m cloth seat          cushion = coussin m seat
pillow = oreiller m              blanket = couverture f seat cloth
@ buyable
lamp = lampe f shiny             mirror = miroir m breakable       curtain = rideau m cloth
clock = horloge f machine breakable ringer
@ portable buyable ownable container openable
bag = sac m                      box = boîte f                     suitcase = valise f
basket = panier m
@ container openable
drawer = tiroir m
@ portable breakable buyable dish
glass = verre m                  cup = tasse f                     plate = assiette f
bottle = bouteille f
@ portable buyable ownable tool
key = clé f                      hammer = marteau m                knife/knives = couteau m
axe = *hache f                   pen = stylo m                     pencil = crayon m
umbrella = parapluie m           ladder = échelle f                candle = bougie f
@ portable buyable ownable machine
phone = téléphone m ringer       computer = ordinateur m breakable  watch = montre f breakable
@ portable buyable ownable toy
ball = ballon m                  doll = poupée f breakable
@ portable ownable gift
present = cadeau m               ring = bague f                    ticket = billet m
coin = pièce f
@ portable stick
stick = bâton m                  bone = os m
@ money mass portable
money = argent m
@ instrument buyable ownable
piano = piano m                  guitar = guitare f portable       violin = violon m portable
flute = flûte f portable         harp = *harpe f                   trumpet = trompette f portable
accordion = accordéon m portable
@ bell
bell = cloche f ringer

@ vehicle buyable ownable machine
car = voiture f drivable         bicycle = vélo m                  truck = camion m drivable
tractor = tracteur m drivable    motorbike = moto f                boat = bateau m aboard
@ vehicle machine aboard
train = train m                  bus = bus m drivable              plane = avion m

@ plant
tree = arbre m tall              flower = fleur f given            rose = rose f given
plant = plante f                 tulip = tulipe f given            oak = chêne m tall
@ leaf
leaf/leaves = feuille f
@ grass mass greens edible
grass = herbe f seat

@ building enterable
house = maison f ownable         castle = château m sight          church = église f
hut = *hutte f                   cabin = cabane f
@ structure
bridge = pont m on sight         tower = tour f sight              wall = mur m
@ part openable
door = porte f                   window = fenêtre f
@ part
roof = toit m on
@ room enterable in
kitchen = cuisine f              bedroom = chambre f               corridor = couloir m
attic = grenier m                cellar = cave f                   lounge = salon m
@ outside in
garden = jardin m ownable        park = parc m                     yard = cour f
forest = forêt f wildland        field = champ m wildland          street = rue f
village = village m ownable      town = ville f ownable
@ outside on
beach = plage f                  island = île f sight
@ waters in
river = rivière f                lake = lac m                      sea = mer f singular
@ venue at
market = marché m shop           station = gare f                  hospital = hôpital m work
hotel = hôtel m                  museum = musée m sight            library = bibliothèque f quiet
restaurant = restaurant m work   office = bureau m work            airport = aéroport m
theatre = théâtre m              cinema = cinéma m                 bakery = boulangerie f shop work
school = école f quiet work      university = université f quiet work         farm = ferme f work
harbour = port m                 factory = usine f work
@ mountain on sight
mountain = montagne f

@ heaven
sun = soleil m singular shiny    moon = lune f singular shiny      star = étoile f shiny
sky = ciel m singular            cloud = nuage m
@ thought
idea = idée f ownable            question = question f asked       answer = réponse f
problem = problème m asked       secret = secret m kept ownable    dream = rêve m ownable
word = mot m                     name = nom m                      habit = habitude f ownable
@ learning
lesson = leçon f event           exercise = exercice m             rule = règle f
language = langue f
@ event
hearing = audience f work        meeting = réunion f work          party = fête f
journey = voyage m               trial = procès m work
"""


@dataclass(frozen=True)
class Noun:
    """A noun in both languages: (singular, plural) forms, French gender, and labels of what it is.

    The name itself is one of the labels.

    `kind` is the first label of its group: nouns of one kind can be joined by *and*.
    """

    english: tuple[str, str]
    french: tuple[str, str]
    gender: str
    aspirate: bool
    kind: str
    labels: frozenset[str]

    @property
    def name(self) -> str:
        """Its English singular, by which other tables mention it."""
        return self.english[0]

    def __and__(self, labels: frozenset[str] | set[str]) -> bool:
        """Say whether it carries any of the labels."""
        return not self.labels.isdisjoint(labels)


def _read(table: str) -> dict[str, Noun]:
    nouns, kind, common = {}, "", frozenset[str]()
    for line in table.strip().splitlines():
        if line.startswith("@"):
            kind, common = line[1:].split()[0], frozenset(line[1:].split())
            continue
        for entry in re.split(r"  +", line.strip()):
            if not entry:
                continue
            english, rest = entry.split(" = ")
            french, gender, *labels = rest.split()
            singular, *plural = english.split("/")
            singulier, *pluriel = french.lstrip("*").split("/")
            nouns[singular] = Noun(
                (singular, plural[0] if plural else english_s(singular)),
                (singulier, pluriel[0] if pluriel else french_plural(singulier)),
                gender,
                french.startswith("*"),
                kind,
                common | frozenset(labels) | {singular},
            )
    return nouns


LEXICON = _read(NOUNS)


@dataclass(frozen=True)
class Name:
    """A proper name: of a person, a town or a country."""

    english: str
    french: str
    gender: str


WOMEN = [Name(name, name, "f") for name in ("Marie", "Anne", "Julie", "Emma", "Sophie", "Alice")]
MEN = [Name(name, name, "m") for name in ("Paul", "Arthur", "Louis", "Thomas", "Victor", "Antoine")]
TOWNS = [Name("Paris", "Paris", "m"), Name("London", "Londres", "m"), Name("Rome", "Rome", "f"),
         Name("Lyon", "Lyon", "m"), Name("Berlin", "Berlin", "m"), Name("Lisbon", "Lisbonne", "f"),
         Name("Athens", "Athènes", "f")]  # fmt: skip
COUNTRIES = [Name("France", "France", "f"), Name("Germany", "Allemagne", "f"), Name("Italy", "Italie", "f"),
             Name("Spain", "Espagne", "f"), Name("Japan", "Japon", "m"), Name("Canada", "Canada", "m"),
             Name("Portugal", "Portugal", "m"), Name("Brazil", "Brésil", "m")]  # fmt: skip
