"""What attention costs: claims 12 (two), 13 and 14. A circumstance is an argument, so that another can be tried."""

import math

import torch
from torch import nn

from course_lib import functional
from course_lib.chapters.ch04_self_attention.complexity import counted_multiply_adds, parameters, sequence
from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair, reading
from course_lib.model import MultiHeadAttention

# ---- 12 ----


def multiply_adds(L: int, d: int, window: int | None = None, projections: bool = True) -> tuple[int, int]:
    """Count the multiply-adds of self-attention with one head of width d.

    Parameters
    ----------
    L, d : int
        Words, and their width.
    window : int, optional
        How many words on either side a word attends to; all of them where not given.
    projections : bool
        Whether the four projections count.

    Returns
    -------
    linear, of_pairs : int
        What grows with the number of words (the projections), and with the number of pairs: scores, and the sum.

    Notes
    -----
    Formula: 4·L·d² + 2·L²·d. Source: B 10.2.5 has L²·d_k.

    Examples
    --------
    >>> multiply_adds(10, 8)
    (2560, 1600)
    """
    pairs = L * L if window is None else int(functional.window_mask(L, window).sum())
    return 4 * L * d * d * projections, 2 * pairs * d


def grows_as_the_square(window: int | None = None, d: int = 16) -> Found:
    """Claim 12a: does the cost grow as the square of the length?

    Parameters
    ----------
    window : int, optional
        How many words on either side a word attends to; all of them where not given.
    d : int
        Width of a word; the text has 64·d words, then twice as many.

    Returns
    -------
    Found
        Numbers: `exponent`, p in cost ∝ L^p between these two lengths.

    Examples
    --------
    >>> grows_as_the_square().verdict, grows_as_the_square(window=8).verdict
    ('holds', 'does not hold')
    """

    def exponent(L: int) -> float:
        return math.log2(sum(multiply_adds(2 * L, d, window)) / sum(multiply_adds(L, d, window)))

    long = exponent(64 * d)
    cases = [
        fair("the text is long: L = 64·d", abs(long - 2) < 0.05),
        control("the text is short: L = d/16", abs(exponent(d // 16) - 2) < 0.05),
    ]
    return Found(cases, {"exponent": long})


def square_leads(projections: bool = True, d: int = 512) -> Found:
    """Claim 12b: is the part that grows with the square more than half of the cost?

    Parameters
    ----------
    projections : bool
        Whether the four projections of self-attention count.
    d : int
        Width of a word; 512 in the paper.

    Returns
    -------
    Found
        Numbers: `share_25`, `share_512`, `share_4096`, the share of the square for so many words.

    Examples
    --------
    >>> square_leads().verdict, square_leads(projections=False).verdict
    ('holds when', 'holds')
    """
    share = {}
    for L in (25, 512, 4096):
        linear, of_pairs = multiply_adds(L, d, projections=projections)
        share[L] = of_pairs / (linear + of_pairs)
    cases = [
        fair("a sentence of 25 words, d = 512 as in the paper", share[25] > 0.5),
        reading("a page of 512 words", share[512] > 0.5),
        fair("a text of 4,096 words", share[4096] > 0.5),
    ]
    return Found(cases, {f"share_{L}": x for L, x in share.items()})


# ---- 13 ----


def parameters_grow(untied: bool = False, d: int = 8) -> Found:
    """Claim 13: do the rivals of self-attention need more parameters for longer texts?

    Parameters
    ----------
    untied : bool
        Whether a recurrent layer has weights of its own for each step.
    d : int
        Width of a word. Layers are built for 8 words and for 16, without biases.

    Returns
    -------
    Found
        Numbers: `dense_8`, `dense_16`, `rnn_8`, `rnn_16`, parameters of a layer for so many words.

    Examples
    --------
    >>> parameters_grow().verdict, parameters_grow(untied=True).verdict
    ('holds when', 'holds')
    """

    def recurrent(kind: type[nn.RNN | nn.GRU | nn.LSTM], L: int) -> nn.Module:
        return nn.ModuleList(kind(d, d, bias=False) for _ in range(L if untied else 1))

    sizes: dict[str, int] = {}
    for L in (8, 16):
        layers = {
            "dense": nn.Linear(L * d, L * d, bias=False),
            "rnn": recurrent(nn.RNN, L),
            "gru": recurrent(nn.GRU, L),
            "lstm": recurrent(nn.LSTM, L),
            "attention": MultiHeadAttention(d, n_heads=1, bias=False),
        }
        sizes |= {f"{name}_{L}": parameters(layer) for name, layer in layers.items()}
    grows = {name: sizes[f"{name}_16"] > sizes[f"{name}_8"] for name in layers}
    cases = [
        fair("beside a dense layer", grows["dense"]),
        fair("beside a recurrent network", grows["rnn"]),
        reading("beside a GRU", grows["gru"]),
        reading("beside an LSTM", grows["lstm"]),
        control("beside self-attention", grows["attention"]),
    ]
    return Found(cases, {name: float(sizes[name]) for name in ("dense_8", "dense_16", "rnn_8", "rnn_16")})


# ---- 14 ----


def narrow_heads(n_heads: int = 8, d: int = 64, L: int = 128) -> Found:
    """Claim 14: does d_k = d/8 cost less than one head of width d?

    Parameters
    ----------
    n_heads : int
        How many heads of width d/8 the layer has; with 8, as in the paper, they are together as wide as a word.
    d, L : int
        Width of a word, and words.

    Returns
    -------
    Found
        Numbers: `one_wide`, `one_narrow`, `several`, the multiply-adds of one head of width d, of one of width d/8, of
        `n_heads` of them, as PyTorch counts them; `times`, how many times as many weights the several have.

    Examples
    --------
    >>> narrow_heads().verdict, narrow_heads(n_heads=4).verdict
    ('holds when', 'holds')
    """
    x = sequence(L, d)

    def cost(n: int, width: int) -> tuple[int, int]:
        layer = MultiHeadAttention(d, n, width, width, bias=False)
        with torch.no_grad():
            weights = layer(x)[1]
        assert weights is not None
        return counted_multiply_adds(layer, x), weights.numel()

    whole, one, several = cost(1, d), cost(1, d // 8), cost(n_heads, d // 8)
    cases = [
        fair("the layer has one head", one[0] < whole[0]),
        fair(f"it has {n_heads} heads", several[0] < whole[0]),
    ]
    numbers = {
        "one_wide": whole[0],
        "one_narrow": one[0],
        "several": several[0],
        "times": several[1] / whole[1],
    }
    return Found(cases, {name: float(x) for name, x in numbers.items()})
