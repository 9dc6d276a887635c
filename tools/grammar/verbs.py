"""The verbs: one line each, with who does it, to what, and where.

`English | French | subjects > objects; … | places | flags`. Subjects, objects and places are labels of
`nouns.py` or nouns themselves, so that nobody eats a table. In the English `/` gives an irregular past, a
further words are particles, `+` a preposition before the object, `~` a reflexive pronoun; in the French
`se` marks a reflexive verb, `+` a preposition, further words belong to the idiom, a star marks the
*h aspiré*.

Flags: `state` verbs have no progressive and no past here (French would want the imparfait); `the`: the
object is a definite one; `kind`: it may be a whole kind (*loves cheese*, *aime le fromage*); `point`:
happens at once and to nobody's wish, so neither progressive nor *going to*; `one`: its object is a single one;
`new`: its object did not exist before and is nobody's; `to`: there
is also somebody to whom; the others are adverbs that suit the verb.
"""

from dataclasses import dataclass
from functools import cached_property

from grammar.morphology import conjugate, english_ing, english_past, english_s

VERBS = """
sleep/slept | dormir | person baby furry | seat bed sofa bedroom garden hotel under | well
run/ran | courir | person runner | outside near | fast
sing/sang | chanter | person songster | garden church theatre school street kitchen near | well often loudly
dance | danser | person | street garden beach theatre kitchen restaurant | well often
cry | pleurer | young baby | bedroom kitchen corridor garden school | often loudly
laugh | rire | person baby | garden school cinema kitchen street | often loudly
smile | sourire | person baby | | often
swim/swam | nager | person swimmer | waters | well often slowly
work | travailler | doctor nurse | hospital | often lot
work | travailler | teacher student pupil | school library university | well often lot
work | travailler | lawyer engineer judge writer adult | office | well often lot
work | travailler | farmer gardener | garden field farm | often lot
work | travailler | musician singer actress dancer painter | theatre | often lot
walk | marcher | person walker | outside near | fast slowly
jump | sauter | young leaper | garden street bed sofa near |
play | jouer | young pet | outside house bedroom kitchen near under | often
bark | aboyer | barker | garden yard street near | often loudly
howl | *hurler | howler | forest mountain near | loudly
fly/flew | voler | flyer | | fast
travel | voyager | adult artist | country_name | often lot
live | habiter | person adult | town_name country_name village house castle cabin street island | state
cook | cuisiner | adult | kitchen restaurant | well often
rest | se reposer | person pet | seat beach bedroom garden near |
shine/shone | briller | shiny | |
ring/rang | sonner | ringer | | often
grow/grew | pousser | plant vegetable | garden field forest near | fast

arrive | arriver | person train bus plane boat letter | at town_name |
leave/left | partir | person train bus plane boat | |
fall/fell | tomber | person leaf dish apple | street garden | point
stay | rester | person pet | house hotel bedroom bed school country town_name kitchen garden |
go/went out | sortir | person pet | | often
come/came back | revenir | person cat dog bird | | often
go/went home | rentrer | person | |
get/got on | monter +dans | person > aboard | | the one
get/got off | descendre +de | person > train bus plane boat bicycle horse | | the one
enter | entrer +dans | person pet > enterable shop | | the one
climb +onto | monter +sur | climber > roof chair table wall | | the one
go/went +to | aller +à | person > venue | | the one
go/went +into | aller +dans | person pet > room garden forest village | | the one
return +from | revenir +de | person > venue mountain beach forest | | the one

get/got up | se lever | person baby | |
wake/woke up | se réveiller | person baby pet | |
go/went to bed | se coucher | young adult | |
get/got dressed | s’ habiller | person | bedroom kitchen | fast slowly
fall/fell asleep | s’ endormir | person baby pet | seat bed sofa train bus | fast point
hide/hid | se cacher | young pet mouse rabbit fox frog | under behind |
have/had fun | s’ amuser | young tourist friend | outside school near | often
hurry | se dépêcher | person | |
get/got lost | se perdre | person tourist | forest town street museum market airport | often point
stop | s’ arrêter | person vehicle | in_front bridge street |
wash ~ | se laver | person cat | | fast
hurt/hurt ~ | se blesser | person | garden kitchen street | point
take/took care +of | s’ occuper +de | adult > baby animal plant house garden child family | | the
remember | se souvenir +de | person > family dream story name word journey | | state the point
approach | s’ approcher +de | person wild pet > building animal lake river tree | | the one

eat/ate | manger | person > food edible meal; grazer > greens; hen duck goose bird parrot > cherry bread
    strawberry; cat fox > fish meat mouse; dog > meat | kitchen garden park restaurant school | often fast
drink/drank | boire | person > water juice milk lemonade; adult > coffee tea; furry walker > water; cat
    kitten puppy lamb > milk | kitchen garden restaurant | often
see/saw | voir | person > animal person building vehicle plant heaven mountain lake sea; pet > bird mouse
    cat dog | street garden park | state_past
hear/heard | entendre | person > audible bird dog bell ringer voice; pet > bird bell voice baby | kitchen
    garden | state_past
love | aimer | person > family pet food tune drink concert party house plant village sea text instrument
    horse; pet > family baby | | state kind
hate | détester | person > vegetable fish insect meeting trial rule lesson mouse hamster coffee tea | |
    state kind
prefer | préférer | person > food drink film instrument vehicle | | state kind
watch | regarder | person > show game bird star sea animal young; pet > bird mouse butterfly | |
look +at | regarder | person > picture star sky sea mountain flower clothes clock person; cat > bird mouse
    butterfly moon | |
listen +to | écouter | person > tune radio voice tale bird family worker | garden kitchen | often
look +for | chercher | person > tool portable pet clothes family; dog > bone stick | house garden street |
find/found | trouver | person > tool portable clothes answer idea; dog > bone stick | garden street forest
    beach | point
lose/lost | perdre | person > key umbrella ring ticket money glove watch phone bag ball scarf | street
    park beach station forest | the point
buy/bought | acheter | person > buyable food readable flower present ticket | market |
sell/sold | vendre | adult > buyable food readable flower rose tulip plant house | market |
read/read | lire | person > readable | garden library bed park train office | often
write/wrote | écrire | person > written | office library garden | often new
open | ouvrir | person > openable letter present | |
close | fermer | person > openable | |
take/took | prendre | person > readable clothes box tool portable train bus plane | |
carry | porter | person > box baby basket ladder chair cake flower; dog > stick bone ball; donkey > bag
    basket | street garden |
wear/wore | porter | person > clothes | | state one
wash | laver | person > clothes dish car dog window horse; family nurse > baby | garden |
clean | nettoyer | adult > room house window shoe car mirror furniture | |
cut/cut | couper | adult > baked cheese meat vegetable apple grass rose ham | |
break/broke | casser | person > breakable chair lamp toy | kitchen bedroom | point
paint | peindre | artist adult > portrait wall door house flower boat mountain chair | garden | well
draw/drew | dessiner | person > animal house tree flower boat castle map portrait | garden school | well
build/built | construire | engineer farmer gardener soldier king uncle father > building boat wall bridge;
    young > hut cabin | | new
repair | réparer | adult > machine vehicle roof chair door clock lamp instrument toy | |
make/made | préparer | adult > meal soup cake coffee tea salad omelette pizza sandwich | kitchen |
prepare | préparer | adult > lesson meeting party journey; lawyer judge > hearing trial | office |
chase | poursuivre | hunter > prey; policeman > man | outside |
follow | suivre | person > person pet bird butterfly duck; dog > family young farmer neighbour; puppy
    kitten > person cat | street park forest |
bite/bit | mordre | dog > stick bone policeman man; wolf fox > lamb goat hen; goose puppy > young | |
catch/caught | attraper | hunter > prey; person > ball butterfly rabbit; cat > mouse bird | garden forest
    | point
help | aider | person > person | | often
call | appeler | person > person pet | |
invite | inviter | person > person | | often
meet/met | rencontrer | person > person | street market station park train beach | often point
visit | visiter | person > sight museum town village country_name school | | often
know/knew | connaître | person > worker neighbour song story answer town rule royal | | state
understand/understood | comprendre | person > lesson question problem language rule word film letter | |
    state_past point
forget/forgot | oublier | person > key umbrella name question ticket bag answer word rule | | the point
keep/kept | garder | person > kept money key letter coin ring | |
choose/chose | choisir | person > clothes book present cake film toy tool ring | |
finish | finir | person > meal book letter exercise novel drawing lesson | | the
learn | apprendre | person > song lesson language poem word rule | school |
drive/drove | conduire | adult > drivable | | slowly fast well one
feed/fed | nourrir | person > pet farmyard bird; family nurse > baby | farm garden yard park |
protect | protéger | soldier hero policeman king dog mother father > young princess queen baby house
    village; soldier > bridge castle town | |
kiss | embrasser | person > family baby | | often
thank | remercier | person > person | |
admire | admirer | person > picture sight hero garden sea artist sky flower | |
push | pousser | person > door bicycle table boat car | |
pull | tirer | person > curtain boat; horse donkey > boat tractor | |
touch | toucher | person > wall cat horse flower cloth mirror | |
fill | remplir | person > glass bottle basket bag box cup drawer | kitchen |
empty | vider | person > glass bottle basket bag box drawer | kitchen |
hide/hid | cacher | person > key letter present money ring coin; dog > bone | house cellar attic garden |
count | compter | person > star coin lamb hen duck cow | |
dry | sécher | person > plate glass clothes dish | kitchen |
need | avoir besoin +de | person > tool clothes portable car bicycle ladder lamp | | state
need | avoir besoin +de | person > worker neighbour | | state the
be afraid +of | avoir peur +de | person > wild insect dog owl; prey > hunter; pet > wild | | state kind
play | jouer +de | person > instrument | garden theatre school | often well the one
talk +to | parler +à | person > person baby pet | street garden school | often
talk +about | parler +de | person > film book event journey town idea problem family | school restaurant
    train | often
dream +of | rêver +de | person > horse castle island journey sea | | often
obey | obéir +à | young > family teacher king; dog horse puppy > person; person > rule | | state the
answer | répondre +à | person > question letter teacher judge | |
belong +to | appartenir +à | ownable > person | | state the

be hungry | avoir faim | person baby animal | | state
be thirsty | avoir soif | person baby animal | | state
be cold | avoir froid | person baby pet | | state
be hot | avoir chaud | person baby pet | | state
be sleepy | avoir sommeil | person baby pet | | state
be afraid | avoir peur | person baby pet wild prey | | state
be right | avoir raison | person | | state
be wrong | avoir tort | person | | state

give/gave | donner | person > present portable readable flower tool food clothes | | to
show/showed | montrer | person > picture book present toy drawing map house garden | | to
send/sent | envoyer | person > letter present photo flower ticket | | to
lend/lent | prêter | person > book pen pencil umbrella bicycle coat car | | to
bring/brought | apporter | person > drink made flower book chair bag meal | | to
explain | expliquer | teacher adult > lesson rule problem exercise word | | to
tell/told | raconter | person > story dream | | to
offer | offrir | person > flower present book cake ring | | to
"""

WITH_ETRE = {"arriver", "partir", "tomber", "rester", "aller", "sortir", "venir", "revenir", "rentrer",
             "entrer", "monter", "descendre", "devenir"}  # fmt: skip


@dataclass(frozen=True)
class Verb:
    """A verb in both languages, with its government and its company.

    `english` is base, third person singular, past and -ing form; `english_tail` the words that follow them
    (`~` for the reflexive pronoun). `frames` pairs labels of subjects with labels of objects.
    """

    english: tuple[str, str, str, str]
    english_tail: tuple[str, ...]
    english_preposition: str
    infinitive: str
    present: tuple[str, ...]
    participle: str
    french_tail: tuple[str, ...]
    french_preposition: str
    etre: bool
    reflexive: bool
    aspirate: bool
    frames: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    places: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """English and French infinitive: what tells it from every other verb."""
        return f"{self.english[0]} {self.infinitive}"

    @cached_property
    def transitive(self) -> bool:
        """Whether it has an object, with or without a preposition."""
        return any(objects for _, objects in self.frames)

    @cached_property
    def direct(self) -> bool:
        """Whether its one object stands in French without a preposition."""
        return self.transitive and not self.french_preposition and "to" not in self.flags


def _split_preposition(words: list[str]) -> tuple[tuple[str, ...], str]:
    prepositions = [word[1:] for word in words if word.startswith("+")]
    return tuple(word for word in words if not word.startswith("+")), "".join(prepositions)


def _english_forms(entry: str) -> tuple[str, str, str, str]:
    base, _, irregular = entry.partition("/")
    third = "is" if base == "be" else "has" if base == "have" else english_s(base)
    return base, third, irregular or english_past(base), english_ing(base)


def make_verb(
    english: str,
    french: str,
    frames: str = "",
    places: str = "",
    flags: str = "",
) -> Verb:
    """Read a verb from the columns of its line.

    >>> make_verb("look +at", "regarder").english
    ('look', 'looks', 'looked', 'looking')
    """
    first, *rest = english.split()
    english_tail, english_preposition = _split_preposition(rest)
    words = french.split()
    reflexive = words[0] in ("se", "s’")
    infinitive, *rest = words[reflexive:]
    french_tail, french_preposition = _split_preposition(rest)
    present, participle = conjugate(infinitive.lstrip("*"))
    frame_labels = []
    for frame in filter(None, frames.split(";")):
        subjects, _, objects = frame.partition(">")
        frame_labels.append((frozenset(subjects.split()), frozenset(objects.split())))
    return Verb(
        _english_forms(first),
        english_tail,
        english_preposition,
        infinitive.lstrip("*"),
        present,
        participle,
        french_tail,
        french_preposition,
        infinitive in WITH_ETRE or reflexive,
        reflexive,
        infinitive.startswith("*"),
        tuple(frame_labels),
        frozenset(places.split()),
        frozenset(flags.split()),
    )


LEXICON = [make_verb(*line.split("|")) for line in VERBS.replace("\n    ", " ").splitlines() if line]
BE = make_verb("be", "être", flags="state")
SEEM = make_verb("seem", "sembler", flags="state")
BECOME = make_verb("become/became", "devenir")
HAVE = make_verb("have/had", "avoir", flags="state")
SAY = make_verb("say/said", "dire")
