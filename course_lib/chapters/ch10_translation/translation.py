"""What is measured of a trained translator: quality by test set and phenomenon, its errors, attention, speed."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor

from course_lib.decoding import greedy_search
from course_lib.evaluation import alignment_error_rate, bleu, exact_match, hard_alignment
from course_lib.fast import prepare, start_decoding
from course_lib.model import Transformer, padding_mask
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from course_lib.text.batches import Batch, encode_pairs, evaluation_batches
from course_lib.text.embedded import AnnotatedPair
from course_lib.text.readers import SentencePair
from course_lib.training import Trainer, TrainingConfig
from course_lib.translator import Translator


def quality(
    translator: Translator, pairs: Sequence[SentencePair | AnnotatedPair], beam: int = 1, alpha: float = 1.0
) -> dict[str, Any]:
    """Translate the source side of every pair and compare with its target side.

    Parameters
    ----------
    translator : Translator
    pairs : n pairs
        A whole test set, or a whole challenge set.
    beam, alpha : int, float
        Beam width (1 is greedy search) and strength of the length penalty.

    Returns
    -------
    dict
        `n`; `exact_match` (0 to 1); `bleu` and `bleu_lowercase` (0 to 100) with their `signature` and
        `signature_lowercase`.

    Examples
    --------
    >>> class Parrot:  # repeats what it hears
    ...     def translate(self, sentences, beam, alpha):
    ...         return sentences
    >>> quality(Parrot(), [SentencePair("un chat", "un chat"), SentencePair("a dog", "un chien")])["exact_match"]
    0.5
    """
    translations = translator.translate([pair.source for pair in pairs], beam, alpha)
    references = [pair.target for pair in pairs]
    cased, lowercase = bleu(translations, references), bleu(translations, references, lowercase=True)
    return {
        "n": len(pairs),
        "exact_match": exact_match(translations, references),
        "bleu": cased.score,
        "bleu_lowercase": lowercase.score,
        "signature": cased.signature,
        "signature_lowercase": lowercase.signature,
    }


# Words that grammar chooses: articles, possessives, pronouns, prepositions, negation, être and avoir.
_SMALL = """
le la l' les un une des de d' du au aux à ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos
leur leurs je j' tu il elle on nous vous ils elles me m' te t' se s' lui y en -il -elle -ils -elles -t-il -t-elle
-tu -vous -nous -ce ne n' pas qui que qu' et suis es est sommes êtes sont ai as a avons avez ont
"""
SMALL_WORDS = frozenset(_SMALL.split())


def kinds_of_error(said: Sequence[str], reference: Sequence[str]) -> set[str]:
    """Say by rule of thumb what distinguishes a translation from its reference.

    Words that stand in each other's place are compared. They may be two "small words" (`SMALL_WORDS`); two words
    with the same beginning, three letters at least, and "another ending"; or one is "another word". A word without a
    partner is "left out" or "too much". The same words otherwise arranged are "another order".

    Parameters
    ----------
    said, reference : sequence of str
        Tokens.

    Returns
    -------
    set of str
        Empty if the two are the same.

    Examples
    --------
    >>> kinds_of_error("la maison blanc .".split(), "la maison blanche .".split())
    {'another ending'}
    """
    if list(said) == list(reference):
        return set()
    if Counter(said) == Counter(reference):
        return {"another order"}
    kinds = set()
    for _, i, i_end, j, j_end in SequenceMatcher(None, said, reference, autojunk=False).get_opcodes():
        for ours, theirs in zip_longest(said[i:i_end], reference[j:j_end]):
            if ours is None or theirs is None:
                kinds.add("left out" if ours is None else "too much")
            elif ours != theirs:
                kinds.add(_kind_of_difference(ours.lower(), theirs.lower()))
    return kinds


def _kind_of_difference(ours: str, theirs: str) -> str:
    if {ours, theirs} <= SMALL_WORDS:
        return "small word"
    return "another ending" if ours[:3] == theirs[:3] else "another word"


class Fault(NamedTuple):
    """A sentence that is not translated exactly, and the kinds of its errors."""

    source: str
    said: str
    reference: str
    kinds: set[str]


def faults(translator: Translator, pairs: Sequence[SentencePair]) -> list[Fault]:
    """Return the sentences that are not translated exactly, greedily, with the kinds of their errors."""
    translations, tokeniser = (
        translator.translate([pair.source for pair in pairs]),
        translator.target_tokeniser,
    )
    cut = [[tokeniser.tokens(tokeniser.encode(text)) for text in (t, p.target)]
           for t, p in zip(translations, pairs, strict=True)]  # fmt: skip
    return [
        Fault(pair.source, text, pair.target, kinds_of_error(*tokens))
        for pair, text, tokens in zip(pairs, translations, cut, strict=True)
        if text != pair.target
    ]


class SentenceMaps(NamedTuple):
    """Every attention weight behind one translation, a list entry a layer, each (H, L_q, L_k), and what it led to.

    Attributes
    ----------
    encoder, decoder, cross : list of arrays
        The encoder's and the decoder's self-attention, and the decoder's attention to the source.
    source : list of str
        What the encoder reads, </s> at the end: rows and columns of `encoder`, columns of `cross`.
    read : list of str
        What the decoder reads, <s> in front: columns of `decoder`.
    predicted : list of str
        What it predicts at each step, </s> at the end: rows of `decoder` and `cross`.
    ids : list of int
        The ids of `predicted`.
    probabilities : array (L_q, n_vocab)
        How likely each token was at each step; <pad> and <s>, which can follow nothing, have 0.
    """

    encoder: list[NDArray[Any]]
    decoder: list[NDArray[Any]]
    cross: list[NDArray[Any]]
    source: list[str]
    read: list[str]
    predicted: list[str]
    ids: list[int]
    probabilities: NDArray[Any]

    def words(self, kind: Literal["encoder", "decoder", "cross"]) -> tuple[list[str], list[str]]:
        """Return the words of the rows and of the columns of one kind of map."""
        columns = {"encoder": self.source, "decoder": self.read, "cross": self.source}
        return self.source if kind == "encoder" else self.predicted, columns[kind]


def sentence_maps(translator: Translator, source: str, target: str | None = None) -> SentenceMaps:
    """Return the attention weights with which a sentence is translated.

    Parameters
    ----------
    translator : Translator
    source : str
    target : str, optional
        The translation that the decoder reads; its own, by greedy search, where not given.

    Raises
    ------
    ValueError
        If the source has no token.
    """
    ids = translator.source_tokeniser.encode(source)
    if not ids:
        raise ValueError(f"source {source!r}: expected at least one word")
    if target is None:
        return greedy_maps(translator, ids)
    return _maps(translator, ids, [*translator.target_tokeniser.encode(target), EOS_ID])


def greedy_maps(
    translator: Translator, source: Sequence[int], prefix: Sequence[int] = (), max_length: int = 120
) -> SentenceMaps:
    """Translate greedily from a given beginning, and return the attention weights behind every step.

    Parameters
    ----------
    translator : Translator
    source, prefix : sequences of int
        Ids of the sentence, and those with which its translation is to begin; no <s>, and </s> at most as the last
        of `prefix`.
    max_length : int
        Most tokens of the translation, </s> included; one that is cut there does not end in </s>.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> from course_lib.model import Transformer, TransformerConfig
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> beginning = words.encode("Je dors")
    >>> greedy_maps(Translator(model, words, words), words.encode("I sleep."), beginning, 6).predicted[:2]
    ['Je', 'dors']
    """
    model = translator.model.eval()
    found = greedy_search(
        model, torch.tensor([[*source, EOS_ID]], device=translator.device), max_length, prefix
    )
    said = found[0].ids
    return _maps(translator, source, said if len(said) == max_length else [*said, EOS_ID])


@torch.no_grad()
def _maps(translator: Translator, source: Sequence[int], predicted: Sequence[int]) -> SentenceMaps:
    """Read the weights and probabilities of every step off one pass in which the translation is fed in."""
    model, ours, theirs = translator.model.eval(), translator.source_tokeniser, translator.target_tokeniser
    read, encoded = [BOS_ID, *predicted[:-1]], [*source, EOS_ID]
    ids = [torch.tensor([row], device=translator.device) for row in (encoded, read)]
    maps = model.attention_maps(*ids)
    logits = model(*ids)[0].float()  # (L_q, n_vocab)
    logits[:, [PAD_ID, BOS_ID]] = -torch.inf  # as in decoding
    encoder, decoder, cross = (
        [weights[0].float().cpu().numpy() for weights in kind]
        for kind in (maps.encoder, maps.decoder, maps.cross)
    )
    words = ours.tokens(encoded), theirs.tokens(read), theirs.tokens(predicted)
    return SentenceMaps(
        encoder, decoder, cross, *words, list(predicted), logits.softmax(dim=-1).cpu().numpy()
    )


@torch.no_grad()
def alignment_errors(translator: Translator, pairs: Sequence[AnnotatedPair]) -> list[list[float]]:
    """Return the alignment error rate of every head of every cross-attention layer, against the gold alignments.

    The gold translation is fed in (teacher forcing); each of its words is linked to the source word at which the
    step that *predicts* it looks most.

    Parameters
    ----------
    translator : Translator
        With word tokenisers that cut sentences as the corpus does.
    pairs : sequence of AnnotatedPair

    Returns
    -------
    list of lists, layer by layer, head by head
        0 is perfect, 1 has no link in common. Empty for a model without cross-attention.

    Raises
    ------
    ValueError
        If a sentence has another number of tokens than of words.
    """
    encoded, _ = encode_pairs(
        [SentencePair(pair.source, pair.target) for pair in pairs],
        translator.source_tokeniser,
        translator.target_tokeniser,
    )
    model = translator.model.eval()
    found: dict[tuple[int, int], dict[int, set[tuple[int, int]]]] = {}
    for batch, where in evaluation_batches(encoded, n_tokens=4000):
        batch = batch.to(translator.device)
        for layer, maps in enumerate(model.attention_maps(batch.source, batch.target_in).cross):
            for row, index in enumerate(where):
                n_source, n_target = len(pairs[index].source_tokens), len(pairs[index].target_tokens)
                if (n_source + 1, n_target) != tuple(map(len, encoded[index])):  # the source ends in </s>
                    raise ValueError(f"pair {index}: its tokens are not the words of the corpus")
                for head, weights in enumerate(maps[row, :, :n_target, :n_source].float().cpu().numpy()):
                    found.setdefault((layer, head), {})[index] = hard_alignment(weights)
    gold = [{(j, i) for i, j in pair.alignment} for pair in pairs]
    errors: list[list[float]] = []
    for layer, head in sorted(found):
        if layer == len(errors):
            errors.append([])
        links = found[layer, head]
        errors[layer].append(alignment_error_rate([links[i] for i in range(len(pairs))], gold))
    return errors


def training_speeds(
    translators: Mapping[str, Translator],
    pairs: Sequence[SentencePair],
    config: TrainingConfig,
    repeats: int = 7,
    steps: int = 10,
) -> dict[str, float]:
    """Measure target tokens a second in training, all else being equal.

    The models take turns on the same batches, so that whatever else the machine does falls on all of them; of
    each model's turns the median is returned. The models are trained a little by it.

    Parameters
    ----------
    translators : mapping from name to Translator
    pairs : sequence of SentencePair
    config : TrainingConfig
    repeats, steps : int
        Turns of each model, and steps in each. One more turn comes first and is not counted.

    Returns
    -------
    dict from name to float
    """
    trainers = {name: Trainer(each, pairs, (), config) for name, each in translators.items()}
    speeds: dict[str, list[float]] = {name: [] for name in translators}
    for turn in range(repeats + 1):
        for name, trainer in trainers.items():
            tokens, seconds = trainer.tokens, trainer.seconds
            trainer.run(steps=(turn + 1) * steps, progress=False)
            speeds[name].append((trainer.tokens - tokens) / (trainer.seconds - seconds))
    return {name: statistics.median(found[1:]) for name, found in speeds.items()}


def decoding_speeds(
    translators: Mapping[str, Translator],
    sentences: Sequence[str],
    batch_sizes: Sequence[int],
    length: int,
    repeats: int = 3,
) -> dict[str, list[float]]:
    """Measure target tokens a second when exactly `length` tokens are generated for each sentence.

    The models take turns, so that whatever else the machine does falls on all of them; medians are returned.

    Parameters
    ----------
    translators : mapping from name to Translator
    sentences : sequence of str
        Each batch is filled with the first of them, again and again if need be.
    batch_sizes : sequence of int
    length : int
        Tokens generated, whatever the model would have ended with.
    repeats : int

    Returns
    -------
    dict from name to list of float
        Tokens a second, one for each batch size.
    """
    speeds: dict[str, list[float]] = {name: [] for name in translators}
    for size in batch_sizes:
        seconds: dict[str, list[float]] = {name: [] for name in translators}
        for _ in range(repeats):
            for name, translator in translators.items():
                chosen = [sentences[i % len(sentences)] for i in range(size)]
                seconds[name].append(_seconds_to_generate(translator, chosen, length))
        for name in translators:
            speeds[name].append(size * length / statistics.median(seconds[name]))
    return speeds


@torch.no_grad()
def _seconds_to_generate(translator: Translator, sentences: Sequence[str], length: int) -> float:
    encoded, _ = encode_pairs(
        [SentencePair(sentence, sentence) for sentence in sentences],
        translator.source_tokeniser,
        translator.source_tokeniser,
    )
    ((batch, _),) = evaluation_batches(encoded, n_tokens=10**9)
    model = prepare(translator.model).model.eval()
    start = time.perf_counter()
    source = batch.source.to(translator.device)
    state = start_decoding(model, source)
    tokens = torch.ones(len(source), dtype=torch.int64, device=source.device)
    for _ in range(length):
        tokens = state.step(tokens).argmax(dim=-1)
    tokens.tolist()  # waits until a GPU is through
    return time.perf_counter() - start


@torch.no_grad()
def with_hidden_words(
    translator: Translator, pairs: Sequence[SentencePair], layer: int, head: int
) -> dict[str, float]:
    """Hide from the decoder, at each position, the source token that a head looks at most, or the one after it.

    It is hidden from the cross-attention of all layers and heads. The true French is read.

    Parameters
    ----------
    translator : Translator
        Of a `Transformer`.
    pairs : sequence of SentencePair
    layer, head : int
        Of the cross-attention.

    Returns
    -------
    dict
        The share of tokens predicted rightly, 0 to 1: "seen" with nothing hidden, "looked at" and "another".

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> pairs = [SentencePair("I sleep.", "Je dors.")]
    >>> sorted(with_hidden_words(Translator(model, words, words), pairs, layer=0, head=1))
    ['another', 'looked at', 'seen']
    """
    model = translator.model.eval()
    assert isinstance(model, Transformer), "only a Transformer has several heads"
    encoded, _ = encode_pairs(pairs, translator.source_tokeniser, translator.target_tokeniser)
    right = Counter({"seen": 0, "looked at": 0, "another": 0})
    n_tokens = 0
    for batch, _ in evaluation_batches(encoded, n_tokens=2000):
        real = padding_mask(batch.source)  # (B, 1, L_s)
        cross = model.attention_maps(batch.source, batch.target_in).cross[layer][:, head]  # (B, L_t, L_s)
        looked = cross.argmax(-1)  # (B, L_t)
        another = (looked + 1) % real.sum(-1)  # the next, or the first
        is_token = batch.target_out != PAD_ID
        n_tokens += int(is_token.sum())
        memory = model.encode(batch.source)
        for name, hidden in {"seen": None, "looked at": looked, "another": another}.items():
            allowed = real.expand(-1, looked.shape[1], -1).clone()
            if hidden is not None:
                allowed.scatter_(2, hidden.unsqueeze(-1), value=False)
            predicted = _predicted(model, batch, memory, allowed)
            right[name] += int(((predicted == batch.target_out) & is_token).sum())
    return {name: n / n_tokens for name, n in right.items()}


@torch.no_grad()
def with_one_word_hidden(
    translator: Translator, pairs: Sequence[SentencePair], english: str, french: str
) -> dict[str, int]:
    """Count where a French word is predicted rightly while an English one, or the token behind it, is hidden.

    It is hidden from the cross-attention of all layers and heads. The true French is read.

    Parameters
    ----------
    translator : Translator
        Of a `Transformer`.
    pairs : sequence of SentencePair
        Those without the English word are passed over.
    english, french : str
        A token of each side.

    Returns
    -------
    dict
        "n", how often the French word is next; and how often it is predicted then: "seen" with nothing hidden,
        "word" and "behind".

    Raises
    ------
    ValueError
        If the translator does not know one of the words.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I sleep. Je dors."])
    >>> model = Transformer(TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8))
    >>> with_one_word_hidden(Translator(model, words, words), [SentencePair("I sleep.", "Je dors.")], "I", "Je")["n"]
    1
    """
    model = translator.model.eval()
    assert isinstance(model, Transformer), "only a Transformer is asked"
    ids = []
    for tokeniser, text in ((translator.source_tokeniser, english), (translator.target_tokeniser, french)):
        found = tokeniser.encode(f"a {text}")[1:]  # as inside a sentence
        if len(found) != 1 or found == [UNK_ID]:
            raise ValueError(f"{text!r}: expected one token that the translator knows")
        ids += found
    encoded, _ = encode_pairs(pairs, translator.source_tokeniser, translator.target_tokeniser)
    counts = Counter({"n": 0, "seen": 0, "word": 0, "behind": 0})
    for batch, _ in evaluation_batches(encoded, n_tokens=2000):
        real = padding_mask(batch.source)  # (B, 1, L_s)
        word = batch.source == ids[0]  # (B, L_s)
        asked = (batch.target_out == ids[1]) & word.any(-1, keepdim=True)  # (B, L_t)
        counts["n"] += int(asked.sum())
        memory = model.encode(batch.source)
        hidden = {
            "seen": torch.zeros_like(word),
            "word": word,
            "behind": word.roll(1, -1),
        }  # </s> is the last
        for name, out_of_sight in hidden.items():
            allowed = (real & ~out_of_sight.unsqueeze(1)).expand(-1, batch.target_in.shape[1], -1)
            predicted = _predicted(model, batch, memory, allowed)
            counts[name] += int(((predicted == ids[1]) & asked).sum())
    return dict(counts)


def _predicted(model: Transformer, batch: Batch, memory: Tensor, allowed: Tensor) -> Tensor:
    """Return the likeliest tokens (B, L_t) where cross-attention may look at `allowed` (B, L_t, L_s)."""
    x = model.target_embedding(batch.target_in)
    for block in model.decoder:
        x, _, _ = block(x, memory, model.parts.target_mask(batch.target_in), allowed)
    return model.output(model.decoder_norm(x)).argmax(-1)
