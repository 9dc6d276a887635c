"""A translator whose decoder may not look at one of the English words."""

import random
from collections.abc import Iterator
from itertools import product

import torch

from course_lib.figures.page.translator import answer
from course_lib.model import Transformer
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.typography import typeset_french
from course_lib.translator import Translator

MAX_LENGTH = 40
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
ADJECTIVES = ("red", "white", "black", "green", "small", "big", "old")
PREDICATES = {"white": ("blanc", "blanche"), "green": ("vert", "verte")}


@torch.no_grad()
def translate(
    translator: Translator, sentence: str, hide: str = "", begin: str = "", from_encoder: bool = False
) -> str:
    """Translate greedily, while the cross-attention of every layer and head gives no weight to one English word.

    The encoder reads the whole sentence; what is hidden is its vector for that word.

    Parameters
    ----------
    translator : Translator
        A Transformer.
    sentence : str
        English.
    hide : str
        A word of the sentence; each of its occurrences is hidden. Nothing is where it is empty.
    begin : str
        French with which the translation is to begin.
    from_encoder : bool
        Whether the word is hidden from the encoder's self-attention, too, so that no other word takes anything from it.

    Raises
    ------
    TypeError
        If the translator is not a Transformer.
    ValueError
        If the word is not in the sentence.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> translate(translator, "The red car is white.")
    'La voiture rouge est blanche.'
    >>> translate(translator, "The red car is white.", hide="red")
    'La voiture est blanche.'
    """
    model, tokeniser = translator.model.eval(), translator.source_tokeniser
    if not isinstance(model, Transformer):
        raise TypeError(f"{translator.kind}: expected a Transformer")
    source = [*tokeniser.encode(sentence), EOS_ID]
    hidden = tokeniser.encode(hide)
    if not set(hidden) <= set(source):
        raise ValueError(f"hide is {hide!r}: expected a word of {sentence!r}")
    allowed = torch.tensor([[[token not in hidden for token in source]]])  # (B, 1, L_s)
    read = torch.tensor([source])  # (B, L_s)
    x, mask = model.source_embedding(read), model.parts.source_mask(read)
    for block in model.encoder:
        x, _ = block(x, mask & allowed if from_encoder else mask)
    memory = model.encoder_norm(x)  # (B, L_s, d)
    target = [BOS_ID, *translator.target_tokeniser.encode(begin)]
    while len(target) <= MAX_LENGTH and target[-1] != EOS_ID:
        read = torch.tensor([target])  # (B, L_t)
        x, mask = model.target_embedding(read), model.parts.target_mask(read)
        for block in model.decoder:
            x, _, _ = block(x, memory, mask, allowed)
        logits = model.output(model.decoder_norm(x))[0, -1]  # (n_vocab,)
        logits[[PAD_ID, BOS_ID]] = -torch.inf
        target.append(int(logits.argmax()))
    return typeset_french(translator.target_tokeniser.decode(target[1:]))


def weights_on(translator: Translator, sentence: str, french: str, english: str) -> list[float]:
    """Return what each head's cross-attention gives to an English word where the decoder writes a French one."""
    found = answer(translator, sentence)
    query, key = found["target"]["labels"].index(french), found["source"]["labels"].index(english)
    return [head[query][key] for layer in found["weights"]["cross"] for head in layer]


def sentences(n: int, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """Yield random sentences "The red car is in front of the white house.", each with its two nouns."""
    rng = random.Random(seed)
    for _ in range(n):
        first, second = rng.sample(list(NOUNS), 2)
        of_first, of_second = rng.sample(ADJECTIVES, 2)
        yield f"The {of_first} {first} is in front of the {of_second} {second}.", first, second


def taken_over(translator: Translator, n: int = 100) -> dict[str, int]:
    """Hide the first noun of n random sentences, and count how often the second is written twice in its place.

    Returns
    -------
    dict
        `n_same` and `n_different`: how many sentences have nouns of one gender, and of two; `same` and `different`:
        in how many of these the second noun takes the place; `different_second` and `different_hidden`: in how many
        of those of two genders it does if the translation is made to begin with the article of the second noun, or of
        the hidden one.
    """
    names = ("n_same", "same", "n_different", "different", "different_second", "different_hidden")
    found = dict.fromkeys(names, 0)
    for sentence, first, second in sentences(n):
        (its_article, hidden), (article, other) = NOUNS[first], NOUNS[second]
        hide = translator, sentence, first
        genders = "same" if its_article == article else "different"
        found[f"n_{genders}"] += 1
        found[genders] += _is_repeated(translate(*hide), hidden, other)
        if genders == "different":
            found["different_second"] += _is_repeated(translate(*hide, begin=article), hidden, other)
            found["different_hidden"] += _is_repeated(translate(*hide, begin=its_article), hidden, other)
    return found


def _is_repeated(french: str, hidden: str, other: str) -> bool:
    return hidden not in french and french.count(other) == 2


def genders_told(translator: Translator, from_encoder: bool = False) -> dict[str, int]:
    """Hide the one noun of "The red car is white." and its like, and count adjectives in its gender.

    Parameters
    ----------
    translator : Translator
        A Transformer.
    from_encoder : bool
        Whether the noun is hidden from the encoder's self-attention, too.

    Returns
    -------
    dict
        `n_feminine` and `n_masculine`: how many sentences there are; `feminine` and `masculine`: in how many of them
        the last French adjective agrees with the noun that the decoder does not see.
    """
    found = dict.fromkeys(("n_feminine", "feminine", "n_masculine", "masculine"), 0)
    for (noun, (article, _)), adjective, predicate in product(NOUNS.items(), ADJECTIVES[::2], PREDICATES):
        if adjective == predicate:
            continue
        gender = "feminine" if article == "La" else "masculine"
        french = translate(
            translator, f"The {adjective} {noun} is {predicate}.", noun, from_encoder=from_encoder
        )
        found[f"n_{gender}"] += 1
        found[gender] += french.split()[-1].rstrip(".") == PREDICATES[predicate][gender == "feminine"]
    return found
