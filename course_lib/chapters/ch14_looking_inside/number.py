"""Which heads of a translator carry the number of a noun: activation patching, over many nouns and sentences.

Two English sentences differ in one word, *dog* and *dogs*. The French word before the noun, *le* or *les*, shows what
the translator took them for. A head is *patched* if it puts out, for the one sentence, what it puts out for the other.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from course_lib.chapters.ch14_looking_inside.heads import Head, attentions, outputs, replaced
from course_lib.model import MultiHeadAttention, Transformer
from course_lib.special_ids import BOS_ID, EOS_ID, UNK_ID
from course_lib.text.embedded import load_nouns
from course_lib.text.typography import typeset_french
from course_lib.translator import Translator


class Frame(NamedTuple):
    """A sentence with a gap for a noun: what stands before and after it, and the French before the article."""

    before: str
    after: str
    french: str


FRAMES = (
    Frame("I saw the ", ".", "J’ai vu"),
    Frame("Yesterday the ", " slept.", "Hier"),
    Frame("The ", " slept.", ""),
)
ARTICLES = {"singular": ("le", "la", "l'"), "plural": ("les",)}


class Pairs(NamedTuple):
    """Sentences with one noun each, and the same with its plural; what stands before the French article."""

    nouns: list[str]  # n, English, in the singular
    one: Tensor  # (n, L_s) ids
    many: Tensor  # (n, L_s)
    prefix: Tensor  # (n, L_t), from <s> on
    singular: list[int]  # the tokens le, la and l’
    plural: list[int]  # the token les


def pairs(translator: Translator, frame: Frame = FRAMES[0]) -> Pairs:
    """Return the sentences of a frame with all nouns whose number shows, and of which the translator gets both right.

    Left out are nouns whose plural is their singular or has another number of tokens.
    """
    words = translator.source_tokeniser
    first = not frame.french
    one, many, nouns = [], [], []
    for noun in load_nouns():
        rows = [[*words.encode(frame.before + form + frame.after), EOS_ID] for form in noun.english]
        if rows[0] != rows[1] and len(rows[0]) == len(rows[1]) and UNK_ID not in rows[0] + rows[1]:
            nouns.append(noun.english[0])
            one.append(rows[0])
            many.append(rows[1])
    length = max(map(len, one), key=[len(row) for row in one].count)
    kept = [i for i, row in enumerate(one) if len(row) == length]
    french = translator.target_tokeniser.encode(frame.french) if frame.french else []
    prefix = torch.tensor([[BOS_ID, *french]] * len(kept))
    articles = {
        number: [translator.target_tokeniser.encode(word.title() if first else word)[0] for word in forms]
        for number, forms in ARTICLES.items()
    }
    found = Pairs(
        [nouns[i] for i in kept],
        torch.tensor([one[i] for i in kept]),
        torch.tensor([many[i] for i in kept]),
        prefix,
        articles["singular"],
        articles["plural"],
    )
    with torch.no_grad():
        said = [translator.model(source, prefix)[:, -1].argmax(-1) for source in (found.one, found.many)]
    right = torch.isin(said[0], torch.tensor(found.singular)) & torch.isin(
        said[1], torch.tensor(found.plural)
    )
    return found._replace(
        nouns=[noun for noun, good in zip(found.nouns, right.tolist(), strict=True) if good],
        one=found.one[right],
        many=found.many[right],
        prefix=prefix[right],
    )


@torch.no_grad()
def genders(translator: Translator, given: Pairs) -> Pairs:
    """Pair masculine singulars with feminine ones, *le* with *la*, so that all of `effect` can be asked of gender.

    As many of each are taken as there are of the rarer kind, in the order of the lexicon; *l’* is left out.
    """
    first = translator.model(given.one, given.prefix)[:, -1].argmax(-1)
    le, la, _ = given.singular
    kinds = [torch.argwhere(first == article)[:, 0] for article in (le, la)]
    n = min(map(len, kinds))
    masculine, feminine = (kind[:n] for kind in kinds)
    return Pairs(
        [given.nouns[i] for i in masculine.tolist()],
        given.one[masculine],
        given.one[feminine],
        given.prefix[:n],
        [le],
        [la],
    )


@torch.no_grad()
def margins(translator: Translator, given: Pairs, source: Tensor) -> Tensor:
    """Return by how many nats *les* is likelier than *le*, *la* and *l’* together, (n,): than `singular`, `plural`."""
    logits = translator.model(source, given.prefix)[:, -1]  # (n, n_vocab)
    return logits[:, given.plural].logsumexp(-1) - logits[:, given.singular].logsumexp(-1)


class Effect(NamedTuple):
    """What patching some heads does: the mean share of the way from *le* to *les*, and the share of *les*."""

    share: float
    plural: float


@torch.no_grad()
def effect(
    translator: Translator,
    given: Pairs,
    *heads: Sequence[Head],
    source: Tensor | None = None,
    donor: Tensor | None = None,
) -> list[Effect]:
    """Patch heads of the singular's run with what they put out in the plural's, or in another donor's.

    Parameters
    ----------
    translator : Translator
        With a Transformer.
    given : Pairs
    heads : sequences of Head
        What is patched together, as in `heads`: [("encoder 1", 2)], …
    source, donor : Tensor (n, L_s), optional
        The sentences whose run is changed, and those of whose run it gets something; left out, one and many.

    Returns
    -------
    list of Effect
        One for each sequence of heads. Share 0 is the margin of the singular's own run, 1 that of the plural's; an
        answer is *les* if its margin is above 0.
    """
    source = given.one if source is None else source
    donor = given.many if donor is None else donor
    before, full = margins(translator, given, given.one), margins(translator, given, given.many)
    theirs = outputs(translator.model, donor, given.prefix)
    found = []
    for some in heads:
        with patched(translator, some, theirs):
            after = margins(translator, given, source)
        share = ((after - before) / (full - before)).mean()
        found.append(Effect(float(share), float((after > 0).float().mean())))
    return found


class Attacked(NamedTuple):
    """How many articles turn: by the first head, by it backwards, by the others, by all; and the share of these."""

    alone: float
    back: float
    others: float
    together: float
    share: float


def attacked(translator: Translator, frame: Frame, heads: Sequence[Head]) -> Attacked:
    """Patch heads of a frame's sentences: the first, the others, all; and the first backwards, in the plural's run."""
    given = pairs(translator, frame)
    alone, others, together = effect(translator, given, heads[:1], heads[1:], heads)
    [back] = effect(translator, given, heads[:1], source=given.many, donor=given.one)
    return Attacked(alone.plural, 1 - back.plural, others.plural, together.plural, together.share)


def patched(
    translator: Translator, heads: Sequence[Head], theirs: Mapping[MultiHeadAttention, Tensor]
) -> ExitStack:
    """Return a context in which heads put out what they did in another run, as `outputs` gives it."""
    model: Any = translator.model
    layers, stack = attentions(model), ExitStack()
    for name, head in heads:
        stack.enter_context(replaced(layers[name], head, theirs[layers[name]]))
    return stack


@torch.no_grad()
def articles(translator: Translator, given: Pairs, source: Tensor) -> Tensor:
    """Return the token that the translator writes for the article, (n,): the likeliest of all tokens."""
    return translator.model(source, given.prefix)[:, -1].argmax(-1)


class Kept(NamedTuple):
    """How many articles have the right number still, of singulars and of plurals."""

    singular: float
    plural: float


def averaged(translator: Translator, given: Pairs, *heads: Sequence[Head]) -> list[Kept]:
    """Replace heads by what they put out on average over all sentences, of both numbers: it says nothing of number.

    Parameters
    ----------
    translator : Translator
        With a Transformer.
    given : Pairs
    heads : sequences of Head
        What is replaced together: [("encoder 1", 2)], …
    """
    middle = averages(translator, given)
    found = []
    for some in heads:
        with patched(translator, some, middle):
            one, many = (margins(translator, given, source) for source in (given.one, given.many))
        found.append(Kept(float((one < 0).float().mean()), float((many > 0).float().mean())))
    return found


def averages(translator: Translator, given: Pairs) -> dict[MultiHeadAttention, Tensor]:
    """Return what every head puts out on average over all sentences, of both numbers, in the form of `outputs`."""
    one, many = (outputs(translator.model, source, given.prefix) for source in (given.one, given.many))
    return {layer: ((z + many[layer]) / 2).mean(dim=0, keepdim=True).expand_as(z) for layer, z in one.items()}


@torch.no_grad()
def gap_left(
    translator: Translator, given: Pairs, heads: Sequence[Head], by: Mapping[MultiHeadAttention, Tensor]
) -> float:
    """Return what share of the gap between the plural's margin and the singular's is left if heads are replaced.

    The mean over all nouns; 1 if nothing is replaced, 0 if the model cannot tell the two sentences apart.
    """
    whole = margins(translator, given, given.many) - margins(translator, given, given.one)
    with patched(translator, heads, by):
        left = margins(translator, given, given.many) - margins(translator, given, given.one)
    return float((left / whole).mean())


@torch.no_grad()
def values_swapped(
    translator: Translator, given: Pairs, head: int, at: slice, of: str = "W_V", name: str = "encoder 1"
) -> Effect:
    """Let one head of the encoder read, at some positions, the values of the plural's run; all else stays.

    Parameters
    ----------
    translator : Translator
        With a Transformer.
    given : Pairs
    head : int
    at : slice
        The positions whose values are swapped.
    of : str
        "W_V"; or "W_K" or "W_Q", if keys or queries are to be swapped instead.
    name : str
        The head's attention.
    """
    model: Any = translator.model
    layer = attentions(model)[name]
    matrix = getattr(layer, of)
    theirs: list[Tensor] = []
    hook = matrix.register_forward_hook(lambda module, inputs, result: theirs.append(result.clone()))
    try:
        model.encode(given.many)
    finally:
        hook.remove()
    width = theirs[0].shape[-1] // layer.n_heads
    columns = slice(head * width, (head + 1) * width)

    def swap(module: nn.Module, inputs: tuple[Tensor], result: Tensor) -> Tensor:
        mixed = result.clone()
        mixed[:, at, columns] = theirs[0][:, at, columns]
        return mixed

    before, full = margins(translator, given, given.one), margins(translator, given, given.many)
    hook = matrix.register_forward_hook(swap)
    try:
        after = margins(translator, given, given.one)
    finally:
        hook.remove()
    return Effect(float(((after - before) / (full - before)).mean()), float((after > 0).float().mean()))


@torch.no_grad()
def read_alone(translator: Translator, given: Pairs, head: Head, cross: str) -> Effect:
    """Swap a head of the encoder, and let one cross-attention alone see what became of its output.

    The other cross-attention reads the encoder's output of the unchanged run.
    """
    model: Any = translator.model
    theirs = outputs(model, given.many, given.prefix)
    with patched(translator, [head], theirs):
        memory = model.encode(given.one)

    def swap(module: nn.Module, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, Any]:
        return (inputs[0], memory, *inputs[2:]), keywords

    before, full = margins(translator, given, given.one), margins(translator, given, given.many)
    hook = attentions(model)[cross].register_forward_pre_hook(swap, with_kwargs=True)
    try:
        after = margins(translator, given, given.one)
    finally:
        hook.remove()
    return Effect(float(((after - before) / (full - before)).mean()), float((after > 0).float().mean()))


class Swapped(NamedTuple):
    """In what share of sentences the French article is plural, and in what share the noun after it."""

    article: float
    noun: float


@torch.no_grad()
def memory_swapped(translator: Translator, given: Pairs, *places: slice) -> list[Swapped]:
    """Give the decoder the plural's memory at some positions, and the singular's at all others.

    The noun is asked for after the article that the translator writes for the singular. Asked are the nouns whose
    French forms are single tokens and differ.
    """
    model: Any = translator.model
    kept, _, plural = _of_one_token(translator, given)
    given = given._replace(one=given.one[kept], many=given.many[kept], prefix=given.prefix[kept])
    own = torch.cat([given.prefix, articles(translator, given, given.one)[:, None]], dim=1)
    memory = model.encode(given.many)
    found = []
    for place in places:

        def mix(module: nn.Module, inputs: tuple[Tensor], result: Tensor, at: slice = place) -> Tensor:
            mixed = result.clone()
            mixed[:, at] = memory[:, at]
            return mixed

        hook = model.encoder_norm.register_forward_hook(mix)
        try:
            article = margins(translator, given, given.one) > 0
            noun = model(given.one, own)[:, -1].argmax(-1)
        finally:
            hook.remove()
        found.append(Swapped(float(article.float().mean()), float((noun == plural).float().mean())))
    return found


def _of_one_token(translator: Translator, given: Pairs) -> tuple[list[int], Tensor, Tensor]:
    """Return which nouns have two French forms of one token each, that differ; and these tokens."""
    forms = {noun.english[0]: noun.french for noun in load_nouns()}
    both = [[translator.target_tokeniser.encode(form) for form in forms[noun]] for noun in given.nouns]
    kept = [i for i, (one, many) in enumerate(both) if len(one) == len(many) == 1 and one != many]
    one, many = (torch.tensor([both[i][k][0] for i in kept]) for k in (0, 1))
    return kept, one, many


def all_heads(model: Transformer) -> list[Head]:
    """Return every head of a translator."""
    return [(name, h) for name, layer in attentions(model).items() for h in range(layer.n_heads)]


def effects(translator: Translator, given: Pairs) -> dict[Head, Effect]:
    """Patch each head by itself."""
    model: Any = translator.model
    heads = all_heads(model)
    return dict(zip(heads, effect(translator, given, *([head] for head in heads)), strict=True))


@torch.no_grad()
def write(
    translator: Translator, sentence: str, donor: str = "", heads: Sequence[Head] = (), most: int = 12
) -> str:
    """Translate a sentence word by word, with some heads patched throughout from the run of another sentence.

    Parameters
    ----------
    translator : Translator
        With a Transformer.
    sentence, donor : str
        As many tokens each.
    heads : sequence of Head
        Left out, nothing is patched.
    most : int
        Tokens that are written at most.

    Raises
    ------
    ValueError
        If the sentences differ in length.
    """
    source, other = (
        torch.tensor([[*translator.source_tokeniser.encode(text), EOS_ID]])
        for text in (sentence, donor or sentence)
    )
    if source.shape != other.shape:
        raise ValueError(
            f"{sentence!r} has {source.shape[1]} tokens, {donor!r} {other.shape[1]}: expected as many"
        )
    ids = [BOS_ID]
    while ids[-1] != EOS_ID and len(ids) <= most:
        prefix = torch.tensor([ids])
        with patched(translator, heads, outputs(translator.model, other, prefix)):
            ids.append(int(translator.model(source, prefix)[0, -1].argmax()))
    return translator.target_tokeniser.decode([i for i in ids[1:] if i != EOS_ID])


def opening(translator: Translator, alone: Mapping[Head, Effect]) -> dict[str, Any]:
    """Return what the chapter's first figure shows: how far each head moves the margin, and one swap in words."""
    model: Any = translator.model
    sentences = ["I saw the dog.", "I saw the dogs."]
    best = max(alone, key=lambda head: alone[head].plural)
    layers = attentions(model)
    return {
        "shares": [
            [max(alone[name, h].share, 0.0) for h in range(layer.n_heads)] for name, layer in layers.items()
        ],
        "layers": list(layers),
        "sentences": [(text, typeset_french(write(translator, text))) for text in sentences],
        "patched": typeset_french(write(translator, sentences[0], sentences[1], [best])),
        "changed": ["les"],
        "title": f"One head of {len(alone)} turns le chien into les chien",
        "caption": "One head is swapped: how far the model moves from the singular to the plural, "
        "in % of the way, on average over all nouns.",
    }


@torch.no_grad()
def lens(translator: Translator, sentence: str, french: str) -> tuple[list[str], list[list[str]], Tensor]:
    """Read the decoder's vectors with the output matrix, after the embedding and after each sublayer.

    Returns
    -------
    stages : n strings
    words : (n, L_t) strings
        The word that leads at each stage, for each position.
    shares : Tensor (n, L_t)
        Its probability.
    """
    model: Any = translator.model
    source = torch.tensor([[*translator.source_tokeniser.encode(sentence), EOS_ID]])
    read = torch.tensor([[BOS_ID, *translator.target_tokeniser.encode(french)]])
    found = read_off(model, source, read)
    leading = torch.stack([logits.softmax(-1)[0].max(-1).values for logits in found.values()])
    tokens = [translator.target_tokeniser.tokens(logits[0].argmax(-1).tolist()) for logits in found.values()]
    return list(found), tokens, leading


@torch.no_grad()
def read_off(model: Any, source: Tensor, target_in: Tensor) -> dict[str, Tensor]:
    """Return the logits (B, L_t, n_vocab) that the decoder's vectors give at each stage: the logit lens."""
    memory, memory_mask, mask = (
        model.encode(source),
        model.parts.source_mask(source),
        model.parts.target_mask(target_in),
    )
    x = model.target_embedding(target_in)
    stages = {"embedding": x}
    for i, block in enumerate(model.decoder):
        x, _ = block.around_self_attention(x, block.self_attention, mask=mask)
        stages[f"self-attention {i}"] = x
        x, _ = block.around_cross_attention(x, block.cross_attention, memory, mask=memory_mask)
        stages[f"cross-attention {i}"] = x
        x = block.around_feed_forward(x, block.feed_forward)
        stages[f"feed-forward {i}"] = x
    return {name: model.output(model.decoder_norm(x)) for name, x in stages.items()}


@torch.no_grad()
def leads(translator: Translator, given: Pairs, heads: Sequence[Head]) -> dict[str, float]:
    """Patch heads of the singular's run from the plural's; tell in what share of sentences *les* leads at each stage.

    Read with the logit lens where the article is due, against *le*, *la* and *l’* together.
    """
    with patched(translator, heads, outputs(translator.model, given.many, given.prefix)):
        stages = read_off(translator.model, given.one, given.prefix)
    return {
        stage: float(
            (logits[:, -1, given.plural].logsumexp(-1) > logits[:, -1, given.singular].logsumexp(-1))
            .float()
            .mean()
        )
        for stage, logits in stages.items()
    }


class Followed(NamedTuple):
    """After forced French: how many nouns follow the English, and how many auxiliaries the French, of both numbers."""

    noun: float
    auxiliary: float
    backwards: float  # the auxiliary, after a forced singular


@torch.no_grad()
def forced(translator: Translator) -> Followed:
    """Let *The dog slept.* begin with *Les*, for many nouns: which number do noun and auxiliary have then?

    Asked are the nouns whose French forms are single tokens and differ. The auxiliary follows *Les* and the plural; or,
    backwards, where *The dogs slept.* begins with *Le* and the singular, *a* follows.
    """
    tokens = translator.target_tokeniser
    given = pairs(translator, FRAMES[-1])
    kept, one, many = _of_one_token(translator, given)
    source, plural = given.one[kept], given.many[kept]
    own = articles(translator, given, given.one)[kept, None]
    les, begin = torch.full_like(own, given.plural[0]), torch.full_like(own, BOS_ID)
    noun, auxiliary, backwards = (
        translator.model(english, torch.cat(french, dim=1))[:, -1].argmax(-1)
        for english, french in (
            (source, [begin, les]),
            (source, [begin, les, many[:, None]]),
            (plural, [begin, own, one[:, None]]),
        )
    )
    return Followed(
        float((noun == one).float().mean()),
        float((auxiliary == tokens.encode("ont")[0]).float().mean()),
        float((backwards == tokens.encode("a")[0]).float().mean()),
    )


THREE: list[Head] = [("encoder 1", 2), ("cross 0", 0), ("cross 0", 1)]  # of the stored translator


@torch.no_grad()
def told(translator: Translator, given: Pairs) -> dict[str, float]:
    """Return numbers that the chapter's sentences name and no cell of it shows.

    Of head 2 of "encoder 1": `at_the` and `elsewhere`, the articles that it turns if swapped at *the* alone, and at
    all other positions; `value_swapped` and `key_swapped`, if it alone reads the plural noun's value, or key;
    `cross_0_alone` and `cross_1_alone`, how far the margin moves if one cross-attention sees the change, and
    `one_cross`, how many articles turn then at most. Of all of `THREE`: `zeros_one` and `zeros`, how many singulars and
    plurals are right with zeros in their place, `gap_zeros` and `gap_left`, what share of the gap is left with zeros,
    and with averages. `forced_noun`, `forced_auxiliary` and `forced_back`, as `forced`. `lens_early` and `lens_late`,
    where *les* leads after both cross-attentions if the two heads of "cross 0" are swapped.
    """
    layer, head = attentions(translator.model)["encoder 1"], 2  # type: ignore[arg-type]
    theirs = outputs(translator.model, given.many, given.prefix)

    def turned(*places: slice) -> float:
        with ExitStack() as stack:
            for at in places:
                stack.enter_context(replaced(layer, head, theirs[layer], at))
            return float((margins(translator, given, given.one) > 0).float().mean())

    crosses = [read_alone(translator, given, THREE[0], name) for name in ("cross 0", "cross 1")]
    means = averages(translator, given)
    zeros = {each: torch.zeros_like(z) for each, z in means.items()}
    with patched(translator, THREE, zeros):
        one, many = (margins(translator, given, source) for source in (given.one, given.many))
    followed, stages = forced(translator), leads(translator, given, THREE[1:])
    return {
        "at_the": turned(slice(2, 3)),
        "elsewhere": turned(slice(2), slice(3, None)),
        "value_swapped": values_swapped(translator, given, head, slice(3, 4)).plural,
        "key_swapped": values_swapped(translator, given, head, slice(3, 4), "W_K").plural,
        "cross_0_alone": crosses[0].share,
        "cross_1_alone": crosses[1].share,
        "one_cross": max(found.plural for found in crosses),
        "zeros_one": float((one < 0).float().mean()),
        "zeros": float((many > 0).float().mean()),
        "gap_zeros": gap_left(translator, given, THREE, zeros),
        "gap_left": gap_left(translator, given, THREE, means),
        "forced_noun": followed.noun,
        "forced_auxiliary": followed.auxiliary,
        "forced_back": followed.backwards,
        "lens_early": stages["cross-attention 0"],
        "lens_late": stages["cross-attention 1"],
    }
