"""A translator whose decoder may not look at some of the English words, or sees another sentence's vectors for them."""

import random
from collections.abc import Callable, Collection, Iterator
from itertools import product

import torch

from course_lib.figures.page.translator import answer
from course_lib.model import Transformer
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.typography import typeset_french
from course_lib.translator import Translator

Head = tuple[int, int]  # its layer and its number, from 0

MAX_LENGTH = 40
GENDER_HEAD = (1, 2)
NOUNS = {
    "car": ("La", "voiture"),
    "house": ("La", "maison"),
    "cat": ("Le", "chat"),
    "dog": ("Le", "chien"),
    "book": ("Le", "livre"),
    "mouse": ("La", "souris"),
    "chair": ("La", "chaise"),
    "table": ("La", "table"),
    "tree": ("Le", "arbre"),
    "bird": ("Le", "oiseau"),
}  # with the article of their gender, before vowels too
BEFORE = ("small", "big", "old")  # adjectives that French puts before the noun
ADJECTIVES = ("red", "white", "black", "green", *BEFORE)
PREDICATES = ("white", "green")
THE, ADJECTIVE = 0, 1  # their places in "The red car ..."


@torch.no_grad()
def translate(
    translator: Translator,
    sentence: str,
    hide: str = "",
    *,
    begin: str = "",
    from_heads: Collection[Head] = (),
    lent: Collection[int] = (),
    lender: str = "",
    longest: int = MAX_LENGTH,
) -> str:
    """Translate greedily, while the cross-attention of every layer and head gives no weight to some English words.

    The encoder reads the whole sentence; what is hidden is its vector for those words.

    Parameters
    ----------
    translator : Translator
        A Transformer.
    sentence : str
        English.
    hide : str
        Words of the sentence; each of their occurrences is hidden. Nothing is where it is empty.
    begin : str
        French with which the translation is to begin.
    from_heads : collection of (layer, head)
        Heads of the encoder, counted from 0, from which the words are hidden, too: there, no word looks at them.
    lent : collection of int
        Places of tokens for which the decoder sees the vectors that they have in another sentence.
    lender : str
        That sentence, with as many tokens.
    longest : int
        How many tokens are written at most.

    Raises
    ------
    TypeError
        If the translator is not a Transformer.
    ValueError
        If a word is not in the sentence, or the other sentence has not as many tokens.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> translate(translator, "The red car is white.")
    'La voiture rouge est blanche.'
    >>> translate(translator, "The red car is white.", hide="red")
    'La voiture est blanche.'
    >>> translate(translator, "The black car is white.", hide="car", lent=[0], lender="The black dog is white.")
    'Le noir est blanc.'
    """
    model, tokeniser = _transformer(translator), translator.source_tokeniser
    source = [*tokeniser.encode(sentence), EOS_ID]
    hidden = tokeniser.encode(hide)
    if not set(hidden) <= set(source):
        raise ValueError(f"hide is {hide!r}: expected words of {sentence!r}")
    allowed = torch.tensor([[[token not in hidden for token in source]]])  # (B, 1, L_s)
    memory = _encode(model, source, allowed, from_heads)  # (B, L_s, d)
    if lent:
        other = [*tokeniser.encode(lender), EOS_ID]
        if len(other) != len(source):
            raise ValueError(f"lender is {lender!r}: expected as many tokens as in {sentence!r}")
        memory[:, list(lent)] = _encode(model, other, allowed, ())[:, list(lent)]
    target = [BOS_ID, *translator.target_tokeniser.encode(begin)]
    while len(target) <= longest and target[-1] != EOS_ID:
        read = torch.tensor([target])  # (B, L_t)
        x, mask = model.target_embedding(read), model.parts.target_mask(read)
        for block in model.decoder:
            x, _, _ = block(x, memory, mask, allowed)
        logits = model.output(model.decoder_norm(x))[0, -1]  # (n_vocab,)
        logits[[PAD_ID, BOS_ID]] = -torch.inf
        target.append(int(logits.argmax()))
    return typeset_french(translator.target_tokeniser.decode(target[1:]))


def _transformer(translator: Translator) -> Transformer:
    model = translator.model.eval()
    if not isinstance(model, Transformer):
        raise TypeError(f"{translator.kind}: expected a Transformer")
    return model


def _encode(
    model: Transformer, source: list[int], allowed: torch.Tensor, heads: Collection[Head]
) -> torch.Tensor:
    """Encode a sentence, some heads of which look only at what is allowed."""
    read = torch.tensor([source])  # (B, L_s)
    x = model.source_embedding(read)
    for layer, block in enumerate(model.encoder):
        mask = torch.ones(1, model.config.n_heads, 1, len(source), dtype=torch.bool)  # (B, H, 1, L_s)
        for head in (head for at, head in heads if at == layer):
            mask[:, head] = allowed
        x, _ = block(x, mask)
    encoded: torch.Tensor = model.encoder_norm(x)
    return encoded


def encoder_heads(translator: Translator) -> list[Head]:
    """Return the layer and the number of each of the encoder's heads."""
    model = _transformer(translator)
    return list(product(range(len(model.encoder)), range(model.config.n_heads)))


def weights_on(translator: Translator, sentence: str, french: str, english: str) -> list[float]:
    """Return what each head's cross-attention gives to an English word where the decoder writes a French one."""
    found = answer(translator, sentence)
    query, key = found["target"]["labels"].index(french), found["source"]["labels"].index(english)
    return [head[query][key] for layer in found["weights"]["cross"] for head in layer]


def gender_head(translator: Translator, sentence: str) -> Callable[[str, str], float]:
    """Return what a word of the sentence gives to another in the head through which words learn of a noun's gender."""
    found = answer(translator, sentence)
    layer, head = GENDER_HEAD
    labels, weights = found["source"]["labels"], found["weights"]["encoder"][layer][head]
    return lambda word, other: weights[labels.index(word)][labels.index(other)]


def sentences(n: int, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """Yield random sentences "The red car is in front of the white house.", each with its two nouns."""
    rng = random.Random(seed)
    for _ in range(n):
        first, second = rng.sample(list(NOUNS), 2)
        of_first, of_second = rng.sample(ADJECTIVES, 2)
        yield f"The {of_first} {first} is in front of the {of_second} {second}.", first, second


def taken_over(translator: Translator, n: int = 100, seed: int = 1) -> dict[str, int]:
    """Hide the first noun of n random sentences, and count how often the second is written twice.

    Returns
    -------
    dict
        `n_same` and `n_different`: how many sentences have nouns of one gender, and of two; `same` and `different`:
        in how many of these the second noun is written twice; `no_noun`: how many of those of two genders have no noun
        in the place of the first.
    """
    found = dict.fromkeys(("n_same", "same", "n_different", "different", "no_noun"), 0)
    for sentence, first, second in sentences(n, seed):
        genders = "same" if NOUNS[first][0] == NOUNS[second][0] else "different"
        french = translate(translator, sentence, first)
        found[f"n_{genders}"] += 1
        found[genders] += _is_repeated(french, first, second)
        if genders == "different":
            found["no_noun"] += sum(french.count(noun) for _, noun in NOUNS.values()) == 1
    return found


def _is_repeated(french: str, hidden: str, other: str) -> bool:
    return NOUNS[hidden][1] not in french and french.count(NOUNS[other][1]) == 2


def short_sentences() -> Iterator[tuple[str, str, str]]:
    """Yield "The red car is white." and its like, each with its noun and the adjective before it."""
    for noun, adjective, predicate in product(NOUNS, ADJECTIVES, PREDICATES):
        if adjective != predicate:
            yield f"The {adjective} {noun} is {predicate}.", noun, adjective


def articles_told(translator: Translator, from_heads: Collection[Head] = ()) -> dict[str, int]:
    """Hide the one noun of "The red car is white." and its like, and count articles in its gender.

    The article is the first word of the translation, so that it agrees with no other French word.

    Parameters
    ----------
    translator : Translator
        A Transformer.
    from_heads : collection of (layer, head)
        Heads of the encoder from which the noun is hidden, too.

    Returns
    -------
    dict
        `n_feminine` and `n_masculine`: how many sentences there are, by the gender of the noun; `feminine` and
        `masculine`: in how many of these the French begins with the article of that gender; `le`: in how many it is
        *Le*, whatever the noun.
    """
    found = dict.fromkeys(("n_feminine", "feminine", "n_masculine", "masculine", "le"), 0)
    for sentence, noun, _ in short_sentences():
        gender = "feminine" if NOUNS[noun][0] == "La" else "masculine"
        french = translate(translator, sentence, noun, from_heads=from_heads, longest=1)
        found[f"n_{gender}"] += 1
        found[gender] += french == NOUNS[noun][0]
        found["le"] += french == "Le"
    return found


def articles_turned(translator: Translator) -> dict[str, int]:
    """Hide the noun of "The red car is white.", lend one word the vector that it has beside a noun of the other gender.

    Returns
    -------
    dict
        `n_after` and `n_before`: in how many sentences the adjective stands after the noun in French, and before;
        `the_after`, `the_before`, `adjective_after`, `adjective_before`: in how many of these the French begins with
        the article of the other gender if *The* is the word, or the adjective.
    """
    places = {"the": THE, "adjective": ADJECTIVE}
    sides = ("after", "before")
    found = dict.fromkeys([*(f"{name}_{side}" for name in ("n", *places) for side in sides)], 0)
    for sentence, noun, adjective in short_sentences():
        side = "before" if adjective in BEFORE else "after"
        found[f"n_{side}"] += 1
        third = "dog" if NOUNS[noun][0] == "La" else "car"
        for name, place in places.items():
            lender = sentence.replace(f" {noun} ", f" {third} ")
            french = translate(translator, sentence, noun, lent=[place], lender=lender, longest=1)
            found[f"{name}_{side}"] += french == NOUNS[third][0]
    return found
