"""What decides the questions of ps04: self-attention, its equivariance, its cost, and a window."""

from collections.abc import Iterator

import numpy as np

from course_lib import functional
from course_lib.grading.questions import Misconception, Part, Question
from course_lib.hints import TOLERANCE, difference
from course_lib.proofs import EQUIVARIANCE, Term, Verdict, check, parse
from course_lib.proofs.terms import Attention, Matrix, Softmax, Transpose

READY_MADE = (
    "course_lib.functional.attention",
    "course_lib.functional.windowed_attention",
    "course_lib.functional.soft_lookup",
    "course_lib.layers.attention",
    "course_lib.layers.MultiHeadAttention",
    "course_lib.experiments.complexity.SelfAttention",
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.MultiheadAttention",
)

# ---- q1: three matrices in one ----


def self_attention(X, W, d_k):
    """Attend within each sentence: (…, L, d), (d, 2 d_k + d_v), d_k -> (…, L, d_v), (…, L, L)."""
    return functional.attention(*np.split(X @ W, [d_k, 2 * d_k], axis=-1))


def _with_scores(score, axis=-1, order=(0, 1, 2)):
    """Make an answer from a function (queries, keys, width of X) -> scores, and what else may go wrong."""

    def answer(X, W, d_k):
        parts = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
        Q, K, V = (parts[i] for i in order)
        weights = functional.softmax(score(Q, K, X.shape[-1]), axis=axis)
        return weights @ V, weights

    return answer


def _scaled(Q, K, d):
    return Q @ K.mT / np.sqrt(Q.shape[-1])


def _values_as_narrow_as_keys(X, W, d_k):
    return functional.attention(*np.split((X @ W)[..., : 3 * d_k], [d_k, 2 * d_k], axis=-1))


def _one_softmax_for_all(X, W, d_k):
    Q, K, V = np.split(X @ W, [d_k, 2 * d_k], axis=-1)
    exponentials = np.exp(_scaled(Q, K, None))
    weights = exponentials / exponentials.sum(axis=(-2, -1), keepdims=True)
    return weights @ V, weights


def _sentences_mixed(X, W, d_k):
    output, weights = self_attention(X.reshape(-1, X.shape[-1]), W, d_k)
    return output.reshape(*X.shape[:-1], -1), weights


def sentences(rng, *batch, sizes=((5, 4, 3, 2), (3, 5, 2, 6), (1, 3, 2, 4), (6, 3, 5, 2))):
    """Yield sentences and weights; d_v is smaller and larger than d_k, and no two sizes are alike."""
    for L, d, d_k, d_v in sizes:
        yield [rng.standard_normal((*batch, L, d)), rng.standard_normal((d, 2 * d_k + d_v)), d_k]


Q1 = Question(
    "q1",
    "self_attention",
    self_attention,
    [
        Part("one sentence", 2, sentences),
        Part(
            "several sentences at once",
            1,
            lambda rng: [*sentences(rng, 7, sizes=((5, 4, 3, 2), (3, 5, 2, 6))), *sentences(rng, 2, 7)],
        ),
    ],
    [
        Misconception(
            "The scores are not scaled: divide by √d_k before the softmax.",
            _with_scores(lambda Q, K, d: Q @ K.mT),
        ),
        Misconception(
            "You divide the scores by √d, the width of the words. What counts is how many terms the dot product has: "
            "√d_k.",
            _with_scores(lambda Q, K, d: Q @ K.mT / np.sqrt(d)),
        ),
        Misconception(
            "You divide the scores by d_k; it should be its square root.",
            _with_scores(lambda Q, K, d: Q @ K.mT / Q.shape[-1]),
        ),
        Misconception(
            "You divide by √L; what counts is how many terms the dot product has: √d_k.",
            lambda X, W, d_k: _with_scores(lambda Q, K, d: Q @ K.mT / np.sqrt(X.shape[-2]))(X, W, d_k),
        ),
        Misconception(
            "You divide the weights by √d_k, so that they no longer sum to 1. Scale the scores, before the softmax.",
            lambda X, W, d_k: [
                result / np.sqrt(d_k) for result in _with_scores(lambda Q, K, d: Q @ K.mT)(X, W, d_k)
            ],
        ),
        Misconception(
            "Your weights sum to 1 over the queries. Each query shares out its own weight, so it is the keys, the last "
            "axis, over which they should sum to 1.",
            _with_scores(_scaled, axis=-2),
        ),
        Misconception(
            "One softmax over the whole square of scores: each row should sum to 1 by itself.",
            _one_softmax_for_all,
        ),
        Misconception(
            "Queries and keys have changed places: the first d_k columns of W make the queries, and row i of the "
            "scores belongs to query i.",
            _with_scores(_scaled, order=(1, 0, 2)),
        ),
        Misconception(
            "You take only d_k columns for the values. Values may be wider than keys: they are all columns after the "
            "first 2·d_k.",
            _values_as_narrow_as_keys,
        ),
        Misconception(
            "All sentences are read as one: a word takes from words of other sentences. Keep the axes before the last "
            "two apart.",
            _sentences_mixed,
        ),
        Misconception(
            "You return the output alone; expected are two arrays, the output and the weights.",
            lambda X, W, d_k: self_attention(X, W, d_k)[0],
        ),
        Misconception(
            "The two results have changed places: the output comes first, then the weights.",
            lambda X, W, d_k: self_attention(X, W, d_k)[::-1],
        ),
    ],
    forbidden=READY_MADE,
)

# ---- q2: a proof, line by line ----

ASK_Q2 = """
def ask(how_far):
    return equivariance()
"""
TOLD = {
    "P^T stands in it": "no line yet in which attention is written out and the transpose of the permuted keys is "
    "multiplied out, so that P.T stands by itself inside the softmax",
    "P is out of the softmax": "no line yet in which neither P nor P.T is left inside the softmax",
}


def _within(term: Term) -> Iterator[Term]:
    """Yield a term and all terms in it."""
    yield term
    for part in term.parts:
        yield from _within(part)


def _has_p(term: Term) -> bool:
    return any(isinstance(inner, Matrix) and inner.name == "P" for inner in _within(term))


def _transpose_multiplied_out(line: Term) -> bool:
    """Whether attention is written out, with no transpose inside its softmax that still holds P and more."""
    return any(
        isinstance(term, Softmax)
        and not any(
            isinstance(inner, Transpose) and _has_p(inner) and not isinstance(inner.of, Matrix)
            for inner in _within(term)
        )
        for term in _within(line)
    )


def _scores_without_p(line: Term) -> bool:
    """Whether no P is left inside the softmax, which may stand there as a softmax or within an attention."""
    for term in _within(line):
        if isinstance(term, Softmax):
            return not _has_p(term)
        if isinstance(term, Attention):
            return not _has_p(term.queries) and not _has_p(term.keys)
    return False


REACHED = {
    "P^T stands in it": lambda line: _transpose_multiplied_out(line) or _scores_without_p(line),
    "P is out of the softmax": _scores_without_p,
}


def proof_fault(steps, how_far):
    """Say why a proof does not get so far by steps that all hold; "" if it does."""
    try:
        report = check(EQUIVARIANCE, steps)
    except ValueError as error:
        return f"Your function does not return a proof: {error}."
    if report.proved:
        return ""
    failing = [n for n, step in enumerate(report.steps) if step.verdict is not Verdict.ACCEPTED]
    holding = report.steps[: failing[0]] if failing else report.steps
    if how_far in REACHED:
        if any(REACHED[how_far](parse(step.line, EQUIVARIANCE)) for step in holding):
            return ""
        missing = f"There is {TOLD[how_far]}"
    else:
        missing = f"The last line is to be {EQUIVARIANCE.goal}, and every step is to hold"
    if not failing:
        told = {0: "Your list is empty", 1: "Your one step holds: go on from it"}
        many = f"All your {len(report.steps)} steps hold: go on from the last of them"
        return f"{missing}. {told.get(len(report.steps), many)}."
    step = report.steps[failing[0]]
    return f"{missing}. Step {failing[0] + 1} is the first that fails: {step.message}"


Q2 = Question(
    "q2",
    ASK_Q2,
    None,
    [
        Part("the transpose multiplied out", 1, lambda rng: [["P^T stands in it"]]),
        Part("P out of the softmax", 2, lambda rng: [["P is out of the softmax"]]),
        Part("the whole proof", 3, lambda rng: [["proved"]]),
    ],
    accepts=proof_fault,
)

# ---- q3: what three layers hold and do ----

ASK_Q3 = """
def ask(layer, *sizes):
    counts = {
        "self-attention": attention_counts,
        "convolution": convolution_counts,
        "bidirectional": bidirectional_counts,
    }
    return counts[layer](*sizes)
"""


def _attention_counts(L, d, d_k, d_v, bias=1, added=0, scores=1, sums=1, projections=1):
    columns = 2 * d_k + d_v
    multiply_adds = L * d * columns * projections + L * L * (scores * d_k + sums * d_v) + added * L * columns
    return [d * columns + bias * columns, multiply_adds]


def _convolution_counts(L, d, d_v, k, bias=1, added=0):
    return [k * d * d_v + bias * d_v, L * k * d * d_v + added * L * d_v]


def _bidirectional_counts(L, d, d_v, bias=1, added=0, directions=2, h=None, recurrent=1):
    h = h or d_v // 2
    matrices = d * h + recurrent * h * h
    return [directions * (matrices + bias * h), directions * L * (matrices + added * h)]


def _other_multiply_adds(taken_off):
    """Make an answer about the bidirectional network whose multiply-adds alone are wrong, by so many too few."""
    return lambda L, d, d_v: [
        _bidirectional_counts(L, d, d_v)[0],
        _bidirectional_counts(L, d, d_v)[1] - taken_off(L, d, d_v // 2),
    ]


COUNTS = {
    "self-attention": _attention_counts,
    "convolution": _convolution_counts,
    "bidirectional": _bidirectional_counts,
}


def counts(layer, *sizes):
    """Count parameters and multiply-adds of one of the three layers."""
    return COUNTS[layer](*sizes)


def _wrongly(only, wrong):
    """Make an answer that is wrong for one layer."""

    def answer(layer, *sizes):
        if layer != only:
            raise ValueError(f"a mistake in {only}")
        return wrong(*sizes)

    return answer


def _any_layer(**mistake):
    return lambda layer, *sizes: COUNTS[layer](*sizes, **mistake)


def layer_sizes(layer, *names, even=False):
    """Return a function that yields sizes for a layer: L, d and the named ones, no two alike."""

    def cases(rng):
        for _ in range(4):
            drawn = [int(n) for n in 2 + rng.permutation(60)[: 2 + len(names)]]
            if even:
                drawn[-1] *= 2
            yield [layer, *drawn]

    return cases


Q3 = Question(
    "q3",
    ASK_Q3,
    counts,
    [
        Part("self-attention", 1, layer_sizes("self-attention", "d_k", "d_v")),
        Part("the convolution", 1, layer_sizes("convolution", "d_v", "k")),
        Part("the bidirectional network", 1, layer_sizes("bidirectional", "d_v", even=True)),
    ],
    [
        Misconception(
            "Biases are missing among the parameters: one number for each column of a matrix.",
            _any_layer(bias=0),
        ),
        Misconception(
            "You count the biases among the multiply-adds; to add one takes no multiplication.",
            _any_layer(added=1),
        ),
        Misconception(
            "The multiply-adds do not belong to one position, but to the whole sentence: all L of them.",
            lambda layer, L, *sizes: [counts(layer, L, *sizes)[0], counts(layer, 1, *sizes)[1]],
        ),
        Misconception(
            "The number of parameters does not depend on L: all positions share the same matrices.",
            lambda layer, L, *sizes: [L * counts(layer, L, *sizes)[0], counts(layer, L, *sizes)[1]],
        ),
        Misconception(
            "The two counts have changed places: parameters first.",
            lambda layer, *sizes: counts(layer, *sizes)[::-1],
        ),
        Misconception(
            "attention_counts: the product of the weights with the values is missing, L · L · d_v multiply-adds.",
            _wrongly("self-attention", lambda *sizes: _attention_counts(*sizes, sums=0)),
        ),
        Misconception(
            "attention_counts: the scores are missing, L · L dot products of d_k terms.",
            _wrongly("self-attention", lambda *sizes: _attention_counts(*sizes, scores=0)),
        ),
        Misconception(
            "attention_counts: nothing comes after the weighted sum; here is no fourth projection.",
            _wrongly(
                "self-attention",
                lambda L, d, d_k, d_v: [
                    _attention_counts(L, d, d_k, d_v)[0],
                    _attention_counts(L, d, d_k, d_v)[1] + L * d_v * d,
                ],
            ),
        ),
        Misconception(
            "attention_counts: the three projections take multiply-adds too.",
            _wrongly("self-attention", lambda *sizes: _attention_counts(*sizes, projections=0)),
        ),
        Misconception(
            "convolution_counts: padding keeps the length: there are L results, not L − k + 1.",
            _wrongly(
                "convolution",
                lambda L, d, d_v, k: [k * d * d_v + d_v, (L - k + 1) * k * d * d_v],
            ),
        ),
        Misconception(
            "convolution_counts: one bias is added to each result, not one for each place of the kernel.",
            _wrongly("convolution", lambda *sizes: _convolution_counts(*sizes, bias=sizes[-1])),
        ),
        Misconception(
            "bidirectional_counts: that is one direction; there are two, with parameters of their own.",
            _wrongly("bidirectional", lambda *sizes: _bidirectional_counts(*sizes, directions=1)),
        ),
        Misconception(
            "bidirectional_counts: the two share d_v between them, so that each state has d_v / 2 numbers.",
            _wrongly("bidirectional", lambda *sizes: _bidirectional_counts(*sizes, h=sizes[-1])),
        ),
        Misconception(
            "bidirectional_counts: the matrix that multiplies the state before, W_h, is missing.",
            _wrongly("bidirectional", lambda *sizes: _bidirectional_counts(*sizes, recurrent=0)),
        ),
        Misconception(
            "bidirectional_counts: the product of the state before with W_h takes multiply-adds too.",
            _wrongly("bidirectional", _other_multiply_adds(lambda L, d, h: 2 * L * h * h)),
        ),
        Misconception(
            "bidirectional_counts: the product with the state before the first word counts too, though it is zero.",
            _wrongly("bidirectional", _other_multiply_adds(lambda L, d, h: 2 * h * h)),
        ),
        Misconception(
            "bidirectional_counts: the multiply-adds are those of one direction only.",
            _wrongly("bidirectional", _other_multiply_adds(lambda L, d, h: L * (d * h + h * h))),
        ),
        Misconception(
            "bidirectional_counts: each network has one bias, b, not two.",
            _wrongly("bidirectional", lambda *sizes: _bidirectional_counts(*sizes, bias=2)),
        ),
        Misconception(
            "bidirectional_counts: the two networks have parameters of their own; they do not share them.",
            _wrongly(
                "bidirectional",
                lambda *sizes: [_bidirectional_counts(*sizes)[0] // 2, _bidirectional_counts(*sizes)[1]],
            ),
        ),
    ],
    forbidden=(
        "course_lib.functional.attention_cost",
        "course_lib.functional.self_attention_cost",
        "course_lib.functional.convolution_cost",
        "course_lib.functional.recurrent_cost",
        "course_lib.experiments.complexity.formula",
        "course_lib.experiments.complexity.build",
    ),
    tolerance=0,
)

# ---- q4: looking back, but not far ----

MOST_BYTES = 8_000_000
ASK_Q4 = f"""
import tracemalloc

def ask(Q, K, V, w, first_row):
    tracemalloc.start()
    try:
        found = look_back_attention(Q, K, V, w)
        return [found, tracemalloc.get_traced_memory()[1] < {MOST_BYTES}]
    finally:
        tracemalloc.stop()
"""


def look_back_attention(Q, K, V, w):
    """Attend to the word itself and w before it: -> (…, L, d_v), (…, L, w + 1)."""
    output, band = functional.windowed_attention(Q, K, V, w, causal=True)
    return output, band[..., : w + 1]


def _band(Q, K, V, w, first=None, last=0, score=None, softmax=functional.softmax, missing="nothing"):
    """Compute the band with one thing wrong: which words are seen, how scored, and what is where none is."""
    L = Q.shape[-2]
    first = -w if first is None else first
    places = np.arange(L)[:, None] + np.arange(first, last + 1)
    there = (places >= 0) & (places < L)
    at = {"wraps": places % L}.get(missing, places.clip(0, L - 1))
    keys, values = K[..., at, :], V[..., at, :]
    if missing == "zeros":
        keys, values = keys * there[..., None], values * there[..., None]
    scores = (Q[..., :, None, :] * keys).sum(axis=-1) / np.sqrt(Q.shape[-1] if score is None else score)
    allowed = there if missing == "nothing" else np.ones_like(there)
    weights = softmax(np.where(allowed, scores, -np.inf))
    if missing == "after":
        weights = weights * there
    return (weights[..., None] * values).sum(axis=-2), weights


def _in_a_square(Q, K, V, w):
    L = Q.shape[-2]
    if L > 100:
        raise ValueError("takes too long, and is told of shorter texts")
    return functional.attention(Q, K, V, mask=np.tri(L, dtype=bool) & ~np.tri(L, k=-w - 1, dtype=bool))


def _answers(function, lean=True):
    return lambda Q, K, V, w, first_row: [function(Q, K, V, w), lean]


TOO_MUCH = (
    "The values are right, but for 4,000 words your function takes more than 8 MB: somewhere it makes something of "
    "size L × L. Gather the w + 1 keys of each word instead."
)


def look_back_fault(value, Q, K, V, w, first_row):
    """Say what is wrong with output, band and whether memory was spared; rows before the first do not matter."""
    if not isinstance(value, list) or len(value) != 2:
        return "Expected are two arrays, the output and the weights."
    found, lean = value
    expected = look_back_attention(Q, K, V, w)
    fault = difference(found, expected, TOLERANCE)
    if fault and first_row and isinstance(found, list) and len(found) == 2:
        ours = [
            np.asarray(result) if isinstance(result, list | np.ndarray) else np.empty(0) for result in found
        ]
        if all(ours[i].shape == expected[i].shape for i in range(2)):
            late = [[result[..., first_row:, :] for result in results] for results in (ours, expected)]
            fault = difference(*late, TOLERANCE) and fault  # told with the places of the whole
    return fault or ("" if lean else TOO_MUCH)


def windows(
    rng, *batch, sizes=((7, 2, 3, 2), (5, 0, 2, 3), (4, 6, 3, 5), (9, 1, 4, 2), (1, 2, 3, 2)), late=False
):
    """Yield queries, keys, values, how far to look back (not at all, some words, beyond the beginning), first row.

    The first row is the one from which on the answer matters: 0 or, if `late`, that of the first word with w before it.
    """
    for L, w, d_k, d_v in sizes:
        Q, K = rng.standard_normal((2, *batch, L, d_k))
        yield [Q, K, rng.standard_normal((*batch, L, d_v)), w, w if late else 0]


Q4 = Question(
    "q4",
    ASK_Q4,
    None,
    [
        Part("one sentence", 2, windows),
        Part(
            "several sentences at once",
            1,
            lambda rng: [
                *windows(rng, 3, sizes=((7, 2, 4, 2), (6, 4, 2, 3)), late=True),
                *windows(rng, 3, 2, sizes=((5, 1, 4, 2),), late=True),
            ],
        ),
        Part(
            "a long text in little memory",
            2,
            lambda rng: windows(rng, sizes=((4000, 3, 4, 3), (4000, 1, 2, 5)), late=True),
        ),
    ],
    [
        Misconception(
            "You put zeros in front of the first word. A key of zeros has the score 0, not −∞, and takes weight from "
            "the words that are there.",
            _answers(lambda *given: _band(*given, missing="zeros")),
        ),
        Misconception(
            "The first words look at the last ones: in NumPy a negative place counts from the end.",
            _answers(lambda *given: _band(*given, missing="wraps")),
        ),
        Misconception(
            "The first words see word 0 several times, once for each word that is not there. Give these places the "
            "score −∞.",
            _answers(lambda *given: _band(*given, missing="first")),
        ),
        Misconception(
            "You set weights to 0 after the softmax, so that the rest no longer sums to 1. Forbid keys before it, by "
            "scores of −∞.",
            _answers(lambda *given: _band(*given, missing="after")),
        ),
        Misconception(
            "The scores are not scaled: divide by √d_k before the softmax.",
            _answers(lambda *given: _band(*given, score=1)),
        ),
        Misconception(
            "You divide by √L; it is the number of terms of a dot product that counts, √d_k.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, score=Q.shape[-2])),
        ),
        Misconception(
            "You divide by √(w + 1); it is the number of terms of a dot product that counts, √d_k.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, score=w + 1)),
        ),
        Misconception(
            "You divide the scores by d_k; it should be its square root.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, score=Q.shape[-1] ** 2)),
        ),
        Misconception(
            "Your words look ahead, at those after them.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, first=0, last=w)),
        ),
        Misconception(
            "Your words look to both sides. They should see themselves and the w words before.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, last=w)),
        ),
        Misconception(
            "Your words see w words, themselves included. It is w words before, and the word itself: w + 1.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, first=1 - w)),
        ),
        Misconception(
            "The word itself is missing from what it sees.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, last=-1)),
        ),
        Misconception(
            "Your band is back to front: column o belongs to word i − w + o, the last one to the word itself.",
            _answers(
                lambda *given: (look_back_attention(*given)[0], look_back_attention(*given)[1][..., ::-1])
            ),
        ),
        Misconception(
            "Your weights are a square of L × L. Return the band alone: the w + 1 weights of each word, (…, L, w + 1).",
            _answers(_in_a_square),
        ),
        Misconception(
            "You return the output alone; expected are two arrays, the output and the weights.",
            _answers(lambda *given: look_back_attention(*given)[0]),
        ),
    ],
    forbidden=(*READY_MADE, "torch", "torch.tensor", "torch.as_tensor", "torch.asarray", "torch.from_numpy"),
    accepts=look_back_fault,
)

# ---- q5: from which length on ----

ASK_Q5 = """
def ask(which, *sizes):
    return {"square": square_leads_from, "recurrent": cheaper_up_to}[which](*sizes)
"""


def lengths(which, d, d_k, d_v, n_gates=None):
    """Return where the square takes over, or up to where attention is no dearer than a recurrent layer."""
    projections = d * (2 * d_k + d_v)  # for one word
    if which == "square":
        return -(-projections // (d_k + d_v))
    return max(0, (n_gates * (d * d_v + d_v**2) - projections) // (d_k + d_v))


def _square(rule):
    """Make an answer that is wrong about the square, from projections a word, d_k, d_v and d."""

    def answer(which, d, d_k, d_v, n_gates=None):
        if which != "square":
            raise ValueError("a mistake about the square")
        return rule(d * (2 * d_k + d_v), d_k, d_v, d)

    return answer


def _beside(rule):
    """Make an answer that is wrong about the recurrent layer, from multiply-adds a word of both, and widths."""

    def answer(which, d, d_k, d_v, n_gates=None):
        if which != "recurrent":
            raise ValueError("a mistake about the recurrent layer")
        return rule(n_gates * (d * d_v + d_v**2), d * (2 * d_k + d_v), d_k, d_v, d, n_gates)

    return answer


def _drawn(rng, *n_gates):
    """Yield widths such that division leaves no rest, or one, and attention is the cheaper layer for some time."""
    for _ in range(3):
        d_k, d_v = sorted(int(n) for n in 2 + rng.permutation(30)[:2])
        d = (d_k + d_v) * int(rng.integers(2, 9))
        yield from ([d, d_k, d_v, *n_gates], [d + 1, d_k, d_v, *n_gates])


def square_cases(rng):
    """Yield widths at which the square takes over at a whole length, and between two."""
    yield from (["square", *sizes] for sizes in _drawn(rng))


def cheaper_cases(rng):
    """Yield widths at which the two layers never take the same, so that the last length is rounded."""
    some = [*_drawn(rng, 4), *_drawn(rng, 3), [30, 4, 26, 1], [31, 5, 20, 3]]
    for d, d_k, d_v, n_gates in some:
        if (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) % (d_k + d_v):
            yield ["recurrent", d, d_k, d_v, n_gates]


def bordering_cases(rng):
    """Yield widths at which both take the same at the end, or attention is always dearer."""
    for d, d_k, d_v, n_gates in [(12, 4, 4, 3), (10, 4, 4, 4), (4, 2, 6, 2), (11, 13, 2, 1), (40, 9, 7, 1)]:
        times = int(rng.integers(1, 4))  # all lengths grow likewise
        yield ["recurrent", times * d, times * d_k, times * d_v, n_gates]


Q5 = Question(
    "q5",
    ASK_Q5,
    lengths,
    [
        Part("where the square takes over", 1, square_cases),
        Part("how far attention is cheaper", 1, cheaper_cases),
        Part("the same at the end, or never cheaper", 1, bordering_cases),
    ],
    [
        Misconception(
            "square_leads_from: at the length that you give the projections are sometimes still ahead: round up.",
            _square(lambda p, d_k, d_v, d: p // (d_k + d_v)),
        ),
        Misconception(
            "square_leads_from: where both take the same, the mechanism takes at least as many, and the length counts.",
            _square(lambda p, d_k, d_v, d: p // (d_k + d_v) + 1),
        ),
        Misconception(
            "square_leads_from: the weighted sums of the values are missing, d_v multiply-adds for each pair of words.",
            _square(lambda p, d_k, d_v, d: -(-p // d_k)),
        ),
        Misconception(
            "square_leads_from: the scores are missing, d_k multiply-adds for each pair of words.",
            _square(lambda p, d_k, d_v, d: -(-p // d_v)),
        ),
        Misconception(
            "square_leads_from: 2 d is the answer for a layer with a fourth projection. Here are three.",
            _square(lambda p, d_k, d_v, d: 2 * d),
        ),
        Misconception(
            "square_leads_from: 1.5 d is the answer for d_k = d_v; here they differ.",
            _square(lambda p, d_k, d_v, d: -(-3 * d // 2)),
        ),
        Misconception(
            "square_leads_from: the answer is a length, and whole.",
            _square(lambda p, d_k, d_v, d: p / (d_k + d_v)),
        ),
        Misconception(
            "cheaper_up_to: at the length that you give attention is sometimes dearer already: round down.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, -(-(r - p) // (d_k + d_v)))),
        ),
        Misconception(
            "cheaper_up_to: there is no length below 1; where attention is always dearer, say 0.",
            _beside(lambda r, p, d_k, d_v, d, n: (r - p) // (d_k + d_v)),
        ),
        Misconception(
            "cheaper_up_to: at most as many: where both take the same, the length counts.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p - 1) // (d_k + d_v))),
        ),
        Misconception(
            "cheaper_up_to: the projections of self-attention are missing; compare the whole layer.",
            _beside(lambda r, p, d_k, d_v, d, n: r // (d_k + d_v)),
        ),
        Misconception(
            "cheaper_up_to: W_h is missing, d_v² multiply-adds a word in each pair.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (n * d * d_v - p) // (d_k + d_v))),
        ),
        Misconception(
            "cheaper_up_to: only one pair of matrices is counted; all n_gates pairs are used for each word.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r // n - p) // (d_k + d_v))),
        ),
        Misconception(
            "cheaper_up_to: the weighted sums of the values are missing, d_v multiply-adds for each pair of words.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p) // d_k)),
        ),
        Misconception(
            "cheaper_up_to: the scores are missing, d_k multiply-adds for each pair of words.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p) // d_v)),
        ),
        Misconception(
            "cheaper_up_to: you count four pairs of matrices, whatever n_gates is.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (4 * r // n - p) // (d_k + d_v))),
        ),
        Misconception(
            "cheaper_up_to: the answer is a length, and whole.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p) / (d_k + d_v))),
        ),
    ],
    forbidden=Q3.forbidden,
    tolerance=0,
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
