"""What attention is: claims 2, 10, 11, 18 and 27. A circumstance is an argument, so that another can be tried."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib import functional
from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair, reading
from course_lib.chapters.ch11_claims_revisited.records import RESULTS
from course_lib.chapters.fit import seeded
from course_lib.model import EncoderBlock, MultiHeadAttention, Transformer, masked_softmax
from course_lib.special_ids import EOS_ID
from course_lib.text.readers import read_corpus
from course_lib.translator import Translator

Array = NDArray[np.floating[Any]]


# ---- 2 ----


def superposition(fixed: bool = False, seeds: Sequence[int] = range(5)) -> Found:
    """Claim 2: is self-attention linear?

    Linear means f(2a − 3b) = 2 f(a) − 3 f(b) for all a and b.

    Parameters
    ----------
    fixed : bool
        Whether the weights stay the same when the words change.
    seeds : sequence of int

    Returns
    -------
    Found
        Numbers: `off_values`, `off_words`, by how much the two sides differ at most.

    Examples
    --------
    >>> superposition().verdict, superposition(fixed=True).verdict
    ('holds when', 'holds')
    """
    off: dict[str, list[float]] = {"values": [], "words": []}
    for seed in seeds:
        rng = np.random.default_rng(seed)
        X, a, b = rng.standard_normal((3, 5, 4))
        W_Q, W_K, W_V = rng.standard_normal((3, 4, 4))
        _, weights = functional.attention(X @ W_Q, X @ W_K, X)  # (5, 5)

        def of_values(V: Array, weights: Array = weights) -> Array:
            return weights @ V

        def of_words(
            X: Array, weights: Array = weights, W: tuple[Array, Array, Array] = (W_Q, W_K, W_V)
        ) -> Array:
            return weights @ X @ W[2] if fixed else functional.attention(X @ W[0], X @ W[1], X @ W[2])[0]

        functions: dict[str, Callable[[Array], Array]] = {"values": of_values, "words": of_words}
        for name, f in functions.items():
            off[name].append(float(np.abs(f(2 * a - 3 * b) - (2 * f(a) - 3 * f(b))).max()))
    cases = [
        fair("the values change, and the weights are held", [x < 1e-9 for x in off["values"]]),
        fair("the words change", [x < 1e-9 for x in off["words"]]),
    ]
    return Found(cases, {f"off_{name}": max(each) for name, each in off.items()})


# ---- 10 ----


def textbook_softmax(x: Array) -> Array:
    """Return exp(x) / Σ exp(x), as B writes it.

    >>> textbook_softmax(np.zeros(2))
    array([0.5, 0.5])
    """
    exponentials: Array = np.exp(x)
    return exponentials / exponentials.sum()


def softmax_works(softmax: Callable[[Array], Array] = textbook_softmax) -> Found:
    """Claim 10: does a softmax give the weights of attention?

    Parameters
    ----------
    softmax : function array → array of the same shape
        Given one row, (4,), or a matrix of scores, (3, 4), whose rows are queries.

    Returns
    -------
    Found
        Number: `largest`, the largest score of which 64 bits hold the exponential.

    Examples
    --------
    >>> softmax_works().verdict, softmax_works(functional.softmax).verdict
    ('holds when', 'holds')
    """
    row = np.array([1.0, 3.0, 2.0, 0.5])
    right = np.array([np.exp(x) / sum(np.exp(y) for y in row) for x in row])
    with np.errstate(over="ignore", invalid="ignore"):  # trouble is what we look for
        found = softmax(row), softmax(row + 1000), softmax(np.stack([row, row, row]))
    cases = [
        fair("it gets one row of small scores, as in B’s program", np.allclose(found[0], right)),
        fair("it gets one row of scores near 1,000", np.allclose(found[1], right)),
        reading("it gets all rows at once", np.allclose(found[2], np.stack([right, right, right]))),
    ]
    return Found(cases, {"largest": float(np.log(np.finfo(np.float64).max))})


# ---- 11 ----


def infinite_scores(masked: bool = False) -> Found:
    """Claim 11: are the weights of a match (1, 0, 0), as in a dictionary?

    Parameters
    ----------
    masked : bool
        Whether the match scores 0 instead of +∞, and a row without a match gets zeros, as under a mask.

    Returns
    -------
    Found
        Number: `beta`, from which on softmax(β, −β, −β) is (1, 0, 0) to 64 bits.

    Examples
    --------
    >>> infinite_scores().verdict, infinite_scores(masked=True).verdict
    ('holds when', 'holds')
    """
    wanted = np.array([1.0, 0.0, 0.0])

    def formula(scores: Array) -> Array:
        with np.errstate(invalid="ignore"):
            exponentials = np.exp(scores - scores.max())
            weights: Array = exponentials / exponentials.sum()
        return weights

    def under_a_mask(allowed: Sequence[bool]) -> Array:
        weights: Array = masked_softmax(torch.zeros(1, 3), torch.tensor([allowed])).numpy()[0]
        return weights

    if masked:
        match, nothing = under_a_mask([True, False, False]), under_a_mask([False, False, False])
    else:
        match, nothing = formula(np.array([np.inf, -np.inf, -np.inf])), formula(np.full(3, -np.inf))
    exact = [
        beta for beta in range(1, 100) if np.abs(formula(beta * (2 * wanted - 1)) - wanted).max() < 2.0**-53
    ]
    cases = [
        fair("∞ is where β goes in softmax(β, −β, −β)", len(exact) > 0),
        fair("the scores are put into the formula", np.allclose(match, wanted)),
        reading("no key matches", bool(np.isfinite(nothing).all())),
    ]
    return Found(cases, {"beta": float(exact[0])})


# ---- 18 ----


def score_variance(
    independent: bool = True, seeds: Sequence[int] = range(5), results: Path = RESULTS
) -> Found:
    """Claim 18: if components are independent, with mean 0 and variance 1, is Var(q·k) = d_k, within a tenth?

    The components of q and of k are standardised, which gives them mean 0 and variance 1, and each is shuffled over the
    words by itself, which makes them independent. The controls leave them as the network gives them.

    Parameters
    ----------
    independent : bool
        Whether they are shuffled.
    seeds : sequence of int
        For the layers that are not trained: d = 512 and 8 heads, as in the paper, on normalised random input.
    results : Path
        Where the trained translator is.

    Returns
    -------
    Found
        Numbers: Var(q·k)/d_k. As the network gives them: `glorot` and `by_default` of the layers that are not trained,
        the median of the seeds, `trained_low` and `trained_high`, the range of the heads of the trained translator's
        encoder. Of the same heads standardised, and shuffled if `independent`: `assumed_low`, `assumed_high`.

    Examples
    --------
    >>> score_variance().verdict, score_variance(independent=False).verdict
    ('holds', 'holds when')
    """
    rng = np.random.default_rng(0)

    def ratio(q: Array, k: Array, pairs: NDArray[np.bool_], assumed: bool) -> float:
        """Of queries and keys (n, d_k): the variance of the products of some pairs (n, n), divided by d_k."""
        if assumed:
            q, k = ((x - x.mean(axis=0)) / x.std(axis=0) for x in (q, k))
        if assumed and independent:
            q, k = (rng.permuted(x, axis=0) for x in (q, k))
        return float((q @ k.T)[pairs].var() / q.shape[1])

    heads, together = trained_heads(results)
    groups = {"trained": [(q, k, together) for q, k in heads]}
    for name in ("glorot", "by_default"):
        starts = [_untrained_heads(name == "glorot", seed) for seed in seeds]
        groups[name] = [(q, k, np.ones((len(x), len(x)), dtype=bool)) for x, q, k in starts]
    ratios = {
        assumed: {name: [ratio(*each, assumed) for each in group] for name, group in groups.items()}
        for assumed in (True, False)
    }

    def near(name: str, assumed: bool) -> list[bool]:
        return [abs(x - 1) < 0.1 for x in ratios[assumed][name]]

    usual = ratios[False]
    made = "standardised and shuffled" if independent else "standardised, not shuffled"
    cases = [
        fair(f"{made}: a layer before training", near("glorot", True)),
        fair(f"{made}: the trained heads", near("trained", True)),
        control("as they are: before training, weights after Glorot", near("glorot", False)),
        control("as they are: before training, weights of nn.Linear", near("by_default", False)),
        control("as they are: the trained heads", near("trained", False)),
    ]
    numbers = {
        "glorot": float(np.median(usual["glorot"])),
        "by_default": float(np.median(usual["by_default"])),
        "trained_low": min(usual["trained"]),
        "trained_high": max(usual["trained"]),
        "assumed_low": min(ratios[True]["trained"]),
        "assumed_high": max(ratios[True]["trained"]),
    }
    return Found(cases, numbers)


@torch.no_grad()
def _untrained_heads(glorot: bool, seed: int, n: int = 400, d: int = 512) -> tuple[Array, Array, Array]:
    """Return normalised random input (n, d), and queries and keys (n, 64) of the first of 8 heads."""
    with seeded(seed):
        x = nn.functional.layer_norm(torch.randn(n, d), (d,))
        W_Q, W_K = nn.Linear(d, d, bias=False), nn.Linear(d, d, bias=False)
        if glorot:
            nn.init.xavier_uniform_(W_Q.weight)
            nn.init.xavier_uniform_(W_K.weight)
        width = d // 8
        return x.numpy(), W_Q(x)[:, :width].double().numpy(), W_K(x)[:, :width].double().numpy()


@torch.no_grad()
def trained_heads(
    results: Path = RESULTS, n_sentences: int = 60
) -> tuple[list[tuple[Array, Array]], NDArray[np.bool_]]:
    """Read queries and keys of all heads of the trained translator's encoder, for sentences of the test set.

    Returns
    -------
    heads : list of (q, k)
        Each (n, d_k), one row for each of the n words.
    together : boolean array (n, n)
        Which pairs of words are of one sentence.

    Examples
    --------
    >>> heads, together = trained_heads(n_sentences=2)
    >>> len(heads), heads[0][0].shape == heads[0][1].shape, together.shape == (len(heads[0][0]),) * 2
    (8, True, True)
    """
    translator = Translator.load(results / "embedded" / "transformer-0.safetensors")
    model = translator.model
    assert isinstance(model, Transformer)
    found: dict[tuple[int, str], list[Tensor]] = {}

    def keep(layer: int, name: str) -> Any:
        return lambda module, inputs, output: found.setdefault((layer, name), []).append(output[0])

    hooks = [
        getattr(block.attention, name).register_forward_hook(keep(layer, name))
        for layer, block in enumerate(model.encoder)
        for name in ("W_Q", "W_K")
    ]
    sentence_of: list[int] = []
    for i, pair in enumerate(read_corpus(None, "test")[:n_sentences]):
        ids = [*translator.source_tokeniser.encode(pair.source), EOS_ID]
        sentence_of += [i] * len(ids)
        model.encode(torch.tensor([ids]))
    for hook in hooks:
        hook.remove()
    heads = []
    for layer, block in enumerate(model.encoder):
        q, k = (torch.cat(found[layer, name]).double().numpy() for name in ("W_Q", "W_K"))  # (n, H·d_k)
        assert isinstance(block, EncoderBlock)
        H = block.attention.n_heads
        heads += list(zip(np.split(q, H, axis=1), np.split(k, H, axis=1), strict=True))
    each = np.array(sentence_of)
    return heads, each[:, None] == each


# ---- 27 ----


def heads_and_filters(mixed: bool = True) -> Found:
    """Claim 27: is the number of heads like the number of filters?

    Parameters
    ----------
    mixed : bool
        Whether the heads' outputs go through W_O, which brings them back to the width of the words.

    Returns
    -------
    Found
        Numbers: `width_filters`, `width_heads`, the width of the output with 8 of each.

    Examples
    --------
    >>> heads_and_filters().verdict, heads_and_filters(mixed=False).verdict
    ('holds when', 'holds')
    """
    d, d_v, numbers = 4, 3, range(1, 9)

    def filters(n: int) -> nn.Conv1d:
        return nn.Conv1d(d, n, 3, padding=1)

    def heads(n: int) -> MultiHeadAttention:
        return MultiHeadAttention(d, n, d_k=2, d_v=d_v)

    x = torch.zeros(1, 5, d)
    widths = {
        "filters": [filters(n)(x.mT).shape[1] for n in numbers],
        "heads": [heads(n)(x)[0].shape[2] if mixed else heads(n).W_O.in_features for n in numbers],
    }
    sizes = [[sum(p.numel() for p in make(n).parameters()) for n in numbers] for make in (filters, heads)]
    cases = [
        fair(
            "any number of them can be chosen, 1 to 8", all(_fit(make, numbers) for make in (filters, heads))
        ),
        fair("each one more has weights of its own", all(np.all(np.diff(each) > 0) for each in sizes)),
        reading("the number decides how wide the output is", bool(np.all(np.diff(widths["heads"]) > 0))),
        control(
            "any number of heads that share out 4 columns, as in PyTorch’s module",
            _fit(lambda n: nn.MultiheadAttention(d, n), numbers),
        ),
        control("heads that look at distances −1, 0 and +1 are a kernel of size 3", _heads_as_a_kernel()),
    ]
    return Found(cases, {f"width_{name}": float(each[-1]) for name, each in widths.items()})


def _fit(make: Callable[[int], nn.Module], numbers: Iterable[int]) -> bool:
    """Tell whether a layer can be made with each of these numbers of heads or filters."""
    try:
        for n in numbers:
            make(n)
    except (AssertionError, ValueError):
        return False
    return True


@torch.no_grad()
def _heads_as_a_kernel() -> bool:
    """Tell whether three heads, each tied to one distance, can give what a convolution gives."""
    with seeded(27):
        conv = nn.Conv1d(4, 4, kernel_size=3, padding=1, bias=False).double()
        heads = MultiHeadAttention(4, n_heads=3, d_k=1, d_v=4, bias=False).double()
    x = torch.randn(1, 5, 4, generator=torch.Generator().manual_seed(27), dtype=torch.float64)
    place, offsets = torch.arange(5), torch.tensor([-1, 0, 1])[:, None, None]
    heads.W_V.weight.copy_(torch.eye(4).repeat(3, 1))
    heads.W_O.weight.copy_(conv.weight.permute(0, 2, 1).flatten(1))  # one tap of the kernel a head
    mask = place == place[:, None] + offsets  # (3 heads, 5, 5)
    return torch.allclose(heads(x, mask=mask[None])[0], conv(x.mT).mT)
