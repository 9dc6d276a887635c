"""Order and positions: claims 1, 22, 7, 6, 5, 8 and 9. A circumstance is an argument, so that another can be tried."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib import functional
from course_lib.chapters.ch05_cross_and_multi_head import audio_text
from course_lib.chapters.ch06_positional_encoding import best_gaussian, lengths
from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair, reading
from course_lib.chapters.fit import seeded
from course_lib.model import EncoderBlock, PositionalEncoding, attention, causal_mask

Array = NDArray[np.floating[Any]]


# ---- 1 ----

CHASES = ["the", "cat", "chased", "the", "dog", "."]
EXCHANGED = [0, 4, 2, 3, 1, 5]  # the dog chased the cat .
ANOTHER = ["the", "bird", "chased", "the", "dog", "."]


def blocks(seed: int, n: int = 2, d: int = 8) -> list[EncoderBlock]:
    """Make blocks that are not trained, in 64 bits.

    >>> len(blocks(0))
    2
    """
    with seeded(seed):
        return [EncoderBlock(d_model=d, n_heads=2, d_ff=2 * d).double().eval() for _ in range(n)]


def embed(words: Sequence[str], seed: int, d: int = 8) -> Tensor:
    """Give each word of a sentence its vector, (1, L, d): a word that occurs twice has the same one twice.

    >>> x = embed(["the", "cat", "the"], seed=0)
    >>> bool((x[0, 0] == x[0, 2]).all()), bool((x[0, 0] == x[0, 1]).all())
    (True, False)
    """
    known = {word: i for i, word in enumerate(("the", "cat", "chased", "dog", ".", "bird"))}
    table = torch.randn(len(known), d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return table[[known[word] for word in words]][None]


@torch.no_grad()
def outputs(stack: Sequence[EncoderBlock], x: Tensor, causal: bool | Sequence[bool] = False) -> Tensor:
    """Send words (1, L, d) through blocks, with a causal mask in all of them or in some; return the outputs (L, d).

    >>> outputs(blocks(0), embed(["the", "cat"], seed=0)).shape
    torch.Size([2, 8])
    """
    masked = [causal] * len(stack) if isinstance(causal, bool) else causal
    for block, mask in zip(stack, masked, strict=True):
        x, _ = block(x, causal_mask(x.shape[1]) if mask else None)
    return x[0]


def same_words(
    causal: bool | Sequence[bool] = False,
    positions: bool = False,
    n_blocks: int = 2,
    seeds: Sequence[int] = range(10),
) -> Found:
    """Claim 1: do “The cat chased the dog.” and “The dog chased the cat.” have the same outputs?

    Parameters
    ----------
    causal : bool, or one for each block
        Whether each word sees only itself and what stands before it.
    positions : bool
        Whether sinusoidal encodings are added.
    n_blocks : int
        How many blocks, which are not trained.
    seeds : sequence of int
        For the words' vectors and the weights.

    Returns
    -------
    Found
        Numbers: `stop_moves`, by how much an entry of the full stop's output changes at most, over the seeds.

    Examples
    --------
    >>> same_words().verdict, same_words(causal=True).verdict
    ('holds when', 'does not hold')
    """
    rows: list[bool] = []
    followed: list[bool] = []
    pooled: list[bool] = []
    asked: list[bool] = []
    other: list[bool] = []
    moves: list[float] = []
    for seed in seeds:
        stack, phi = blocks(seed, n_blocks), PositionalEncoding(8) if positions else nn.Identity()
        words = embed(CHASES, seed)
        first, second = (outputs(stack, phi(x), causal) for x in (words, words[:, EXCHANGED]))
        third = outputs(stack, phi(embed(ANOTHER, seed)), causal)
        query = torch.ones(1, 8, dtype=torch.float64)
        rows.append(torch.allclose(first, second))
        followed.append(torch.allclose(first[EXCHANGED], second))
        pooled.append(torch.allclose(first.mean(dim=0), second.mean(dim=0)))
        asked.append(torch.allclose(attention(query, first, first)[0], attention(query, second, second)[0]))
        other.append(torch.allclose(first.mean(dim=0), third.mean(dim=0)))
        moves.append(float((first[-1] - second[-1]).abs().max()))
    cases = [
        fair("one reads the outputs in order, the first with the first", rows),
        fair("one asks what became of each word: cat beside cat", followed),
        fair("one reads the average of all outputs", pooled),
        reading("one fixed query asks the outputs", asked),
        control("a bird chased the dog", other),
    ]
    return Found(cases, {"stop_moves": max(moves)})


# ---- 22 ----

SUNG, LASTS = ["he", "is", "singing", "because", "he", "is", "happy"], (3, 2, 6, 5, 3, 3, 6)  # frames


def out_of_step(clocks: bool = False, seeds: Sequence[int] = range(5)) -> Found:
    """Claim 22: can sound ask a text that is not in step with it?

    Each frame asks for the number of letters of the word that is said, a question of content, and for the number of
    the word, a question of time. *He* and *is* occur twice. An answer is right if it is less than ½ off, in all frames.

    Parameters
    ----------
    clocks : bool
        Whether frames and words say how far they are on their way.
    seeds : sequence of int
        For the sounds of the words.

    Returns
    -------
    Found
        Number: `he`, the answer of frames of the second *he* to the question which word it is: the fourth, counted
        from 0, is right.

    Examples
    --------
    >>> out_of_step().verdict, out_of_step(clocks=True).verdict
    ('holds when', 'holds')
    """
    letters, place = np.array([[len(word), i] for i, word in enumerate(SUNG)], dtype=float).T
    right: dict[str, list[bool]] = {"what": [], "when": []}
    he: list[float] = []
    for seed in seeds:
        sounds = audio_text.word_sounds(SUNG, 12, np.random.default_rng(seed))
        frames, spoken = audio_text.speak(sounds, LASTS)
        Q, K = 2 * frames, sounds
        if clocks:
            Q = np.hstack([Q, 12 * audio_text.clock(len(frames))])
            K = np.hstack([K, audio_text.clock(len(SUNG))])
        answers, _ = functional.attention(Q, K, np.stack([letters, place], axis=1))
        for name, answer, wanted in zip(right, answers.T, (letters, place), strict=True):
            right[name].append(bool(np.abs(answer - wanted[spoken]).max() < 0.5))
        he.append(float(answers[spoken == 4, 1].mean()))
    cases = [
        fair("the question is what is being said", right["what"]),
        fair("the question is when it is said", right["when"]),
    ]
    return Found(cases, {"he": float(np.mean(he))})


# ---- 7 ----


def joined(mode: Literal["add", "append"] = "add", d: int = 512) -> Found:
    """Claim 7: is the position appended to the word?

    Parameters
    ----------
    mode : {"add", "append"}
        How the encoding joins the word; the paper adds.
    d : int
        Width of a word and of its position.

    Returns
    -------
    Found
        Numbers: `width`, of what enters the first block; `lost`, how far the same vector is from saying which word
        stands at which position: the distance between two words that it may be.

    Examples
    --------
    >>> joined().verdict, joined("append").verdict
    ('does not hold', 'holds')
    """
    encoding = PositionalEncoding(d, mode=mode)
    generator = torch.Generator().manual_seed(7)
    words = torch.randn(1, 5, d, generator=generator, dtype=torch.float64)
    phi = encoding.encoding(5).double()
    entering = encoding(words)
    both = torch.cat([words[0], phi], dim=1)  # (5, 2·d)
    beside = entering.shape[-1] == 2 * d and torch.allclose(entering[0], both)
    # Other words at other places: whoever sees the same vector cannot say which of the two it is.
    other_words = words + phi - phi.flip(0)
    other = other_words + phi.flip(0) if mode == "add" else torch.cat([other_words[0], phi.flip(0)], 1)[None]
    told_apart = not torch.allclose(entering, other)
    identity = torch.eye(d, dtype=torch.float64)
    summed = both @ torch.cat([identity, identity])
    cases = [
        fair("word and position stand side by side where they enter the first block", beside),
        reading("word and position can both be read off what enters", told_apart),
        control("the sum can be made from the two side by side", torch.allclose(summed, words[0] + phi)),
    ]
    lost = 0.0 if told_apart else float((words - other_words).norm(dim=-1).max())
    return Found(cases, {"width": float(entering.shape[-1]), "lost": lost})


# ---- 6 ----


def weighted_encoding(L: int, d: int, length_scale: float = 10.0) -> Array:
    """Return sinusoids (L, d), each as long as a Gaussian of its frequency says, times its frequency.

    The frequencies crowd at the slow end, for which the factor makes up.

    >>> weighted_encoding(3, 4).shape
    (3, 4)
    """
    frequencies = 10_000 ** (-2 * np.arange(d // 2) / d)
    squares = frequencies * np.exp(-((frequencies * length_scale) ** 2) / 2)
    rows: Array = functional.sinusoidal_encoding(L, d) * np.sqrt(np.repeat(squares / squares.sum(), 2))
    return rows


def near_a_gaussian(
    encode: Callable[[int, int], Array] = functional.sinusoidal_encoding,
    widths: Sequence[int] = (64, 128, 512),
) -> Found:
    """Claim 6: is φ(0)·φ(Δ), Δ = 0 … 99, within 0.1 of some Gaussian everywhere?

    Parameters
    ----------
    encode : function (L, d) → array (L, d)
    widths : sequence of int

    Returns
    -------
    Found
        Numbers, of the last width: `misfit` of the best Gaussian, `rises`, in how many of the 99 steps the product
        grows, `far`, its value at distance 99; 1 at distance 0.

    Examples
    --------
    >>> near_a_gaussian().verdict, near_a_gaussian(weighted_encoding).verdict
    ('does not hold', 'holds')
    """
    cases = []
    for d in widths:
        phi = encode(100, d)
        similar = phi @ phi[0] / (phi[0] @ phi[0])
        _, misfit = best_gaussian(similar)
        cases.append(fair(f"φ has {d} columns", misfit < 0.1))
    same = np.allclose(phi[:50] @ phi[0], phi[50:] @ phi[50])
    numbers = {"misfit": misfit, "rises": float((np.diff(similar) > 0).sum()), "far": float(similar[99])}
    return Found([*cases, control("it depends on the distance alone", same)], numbers)


# ---- 5 ----


def wavelengths(ends_met: bool = False, d: int = 512, within: float = 0.01) -> Found:
    """Claim 5: do the wavelengths go from 2π to 10000·2π?

    The paper's own formula is the fair case; B, which counts from 1, is another reading.

    Parameters
    ----------
    ends_met : bool
        Whether the exponents go from 0 to 1 in equal steps, so that both ends are met.
    d : int
        Width of the encoding; 512 in the paper.
    within : float
        How far off an end may be and still count as met, a share of it.

    Returns
    -------
    Found
        Numbers, in units of 2π: `longest` of the paper's formula, `shortest` of B's.

    Examples
    --------
    >>> wavelengths().verdict, wavelengths(ends_met=True).verdict
    ('does not hold', 'holds')
    """
    from_0, from_1 = np.arange(d // 2), np.arange(1, d // 2 + 1)
    exponents = (2 * from_0 / d, 2 * from_1 / d)
    if ends_met:
        exponents = (2 * from_0 / (d - 2), 2 * (from_1 - 1) / (d - 2))
    papers, of_b = (10_000.0**each for each in exponents)  # wavelength / 2π

    def met(turns: NDArray[np.float64]) -> bool:
        return np.allclose([turns.min(), turns.max()], [1, 10_000], rtol=within)

    ends = f"both ends within {100 * within:g} %"
    cases = [
        fair(f"k counts from 0, as in the paper: {ends}", met(papers)),
        reading(f"k counts from 1, as in B: {ends}", met(of_b)),
    ]
    return Found(cases, {"longest": float(papers.max()), "shortest": float(of_b.min())})


# ---- 8 ----


def unique_and_periodic(d: int = 64, bits: Literal[16, 64] = 64) -> Found:
    """Claim 8: does each position get a pattern of its own, made of periodic parts, in which shifts can be read?

    Parameters
    ----------
    d : int
        Columns of φ.
    bits : {16, 64}
        In which numbers φ is written; 16 is bfloat16.

    Returns
    -------
    Found
        Numbers: `margin`, the distance of the closest two of 20,000 positions, exactly; `different`, how many rows of
        2,000 differ in these numbers.

    Examples
    --------
    >>> unique_and_periodic().verdict, unique_and_periodic(d=2, bits=16).verdict
    ('holds', 'holds when')
    """
    frequencies = 10_000 ** (-2 * np.arange(d // 2) / d)
    turned = np.arange(1, 20_000)[:, None] * frequencies
    margin = 2 * np.linalg.norm(np.sin(turned / 2), axis=1).min()
    rows = torch.from_numpy(functional.sinusoidal_encoding(2000, d))
    rows = rows.to(torch.bfloat16 if bits == 16 else torch.float64)
    different = len(rows.double().unique(dim=0))
    i = np.arange(100)[:, None]
    returns = np.allclose(np.sin(frequencies * (i + 2 * np.pi / frequencies)), np.sin(frequencies * i))
    z = np.exp(1j * frequencies * i)  # each pair of columns as a point in the plane
    turns = np.allclose(z[7:] / z[:-7], np.exp(7j * frequencies))
    cases = [
        fair("unique: no two of 2,000 positions have the same pattern", different == 2000),
        fair("periodic: each component comes back after its wavelength", returns),
        fair("relative: a shift by 7 turns each pair by one angle, wherever it was", turns),
    ]
    return Found(cases, {"margin": float(margin), "different": float(different)})


# ---- 9 ----


def longer(kind: str = "sinusoidal", near: bool = False, level: float = 0.8) -> Found:
    """Claim 9: do readers trained on 4 to 16 words still read longer rows?

    They name the word before each word; chapter 06 has trained and stored them. Guessing is right once in eight.

    Parameters
    ----------
    kind : str
        Positions of the readers, a key of `lengths.KINDS`.
    near : bool
        Whether keys farther away than any in training are hidden.
    level : float
        The share of right answers from which on the claim counts as true, for each seed.

    Returns
    -------
    Found
        Numbers: `right_16` to `right_256`, the medians of the seeds.

    Examples
    --------
    >>> longer().verdict, longer("rotary").verdict, longer("rotary", near=True).verdict
    ('does not hold', 'holds when', 'holds')
    """
    shares = lengths.right(lengths.stored(), kind, near=near)  # (n_seeds, n_lengths)
    cases = [
        fair(f"rows are {n // lengths.LONGEST} times as long as in training", list(shares[:, i] >= level))
        for i, n in enumerate(lengths.LENGTHS)
        if n > lengths.LONGEST
    ]
    cases.append(control("rows are as long as in training", list(shares[:, 0] >= level)))
    medians = np.median(shares, axis=0)
    return Found(cases, {f"right_{n}": float(x) for n, x in zip(lengths.LENGTHS, medians, strict=True)})
