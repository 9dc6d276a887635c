"""What decides the questions of ps04: self-attention, its equivariance, its cost, and a window."""

from collections.abc import Iterator

import numpy as np

from course_grading.parsons import Distractor, Ordering
from course_grading.parsons import question as question_of_order
from course_grading.questions import Misconception, Part, Question
from course_lib import functional
from course_lib.exercises.hints import TOLERANCE, compare, described, settled
from course_lib.exercises.kernel_protocol import Other
from course_lib.exercises.parsons import Puzzle
from course_lib.exercises.proofs import EQUIVARIANCE, NotationError, Term, Verdict, check, parse
from course_lib.exercises.proofs.terms import Attention, Matrix, Softmax

READY_MADE = (  # an attention, or a lookup, which is one; visible and hidden tests have the same list
    "course_lib.*attention",
    "course_lib.*lookup",
    "torch.*scaled_dot_product*",
    "torch.*multi_head_attention*",
    "torch.nn.attention.flex_attention.flex_attention",
)

# ---- q1: three matrices in one ----
# The text says, and a case is there for:
# any axes before, none included, as many sentences as words, too; each sentence reads only itself
# d_v smaller than d_k, larger, equal, also where three equal parts would be possible; d equal to d_k, or not
# one word, one sentence, several sentences of one word; sizes of 1


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


def _first_words_weights(X, W, d_k):
    weights = self_attention(X, W, d_k)[1]
    weights = np.repeat(weights[..., :1, :], X.shape[-2], axis=-2)
    return weights @ (X @ W)[..., 2 * d_k :], weights


def _first_sentences_weights(X, W, d_k):
    weights = self_attention(X, W, d_k)[1]
    weights = np.broadcast_to(weights.reshape(-1, *weights.shape[-2:])[0], weights.shape)
    return weights @ (X @ W)[..., 2 * d_k :], weights


def _with_scores_and_values(part):
    def answer(X, W, d_k):
        weights = self_attention(X, W, d_k)[1]
        return weights @ np.split(X @ W, [d_k, 2 * d_k], axis=-1)[part], weights

    return answer


def _values_first(X, W, d_k):
    d_v = W.shape[-1] - 2 * d_k
    V, K, Q = np.split(X @ W, [d_v, d_v + d_k], axis=-1)
    return functional.attention(Q, K, V)


def sentences(
    rng, *batch, sizes=((5, 4, 3, 2), (3, 5, 2, 8), (1, 3, 2, 4), (6, 4, 5, 2), (4, 4, 4, 4), (3, 1, 1, 1))
):
    """Yield sentences and weights; d_v is smaller and larger than d_k; no two sizes are alike, or all."""
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
            lambda rng: [
                *sentences(rng, 7, sizes=((5, 4, 3, 2),)),
                *sentences(rng, 4, sizes=((4, 4, 4, 4),)),
                *sentences(rng, 2, 7, sizes=((5, 4, 3, 2), (3, 5, 2, 8))),
                *sentences(rng, 1, sizes=((3, 4, 3, 2),)),
                *sentences(rng, 3, sizes=((1, 3, 2, 4),)),
            ],
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
            "You divide the scores by √d_v, the root of the width of the values. What counts is how many terms the dot "
            "product has: √d_k.",
            lambda X, W, d_k: _with_scores(lambda Q, K, d: Q @ K.mT / np.sqrt(W.shape[-1] - 2 * d_k))(
                X, W, d_k
            ),
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
            "With several sentences axis 1 is not the last axis: your weights sum to 1 over the queries, or over the "
            "sentences. Count from the end: axis=-1 is the last, however many come before.",
            _with_scores(_scaled, axis=1),
        ),
        Misconception(
            "All words get the weights of the first one. Each has weights of its own.",
            _first_words_weights,
        ),
        Misconception(
            "You make the values of the first d_k columns, which are those of the queries. Theirs are the last ones.",
            _with_scores_and_values(0),
        ),
        Misconception(
            "You make the values of the same columns as the keys. Theirs are all columns after the first 2·d_k.",
            _with_scores_and_values(1),
        ),
        Misconception(
            "Your queries serve as keys, too. The keys are the second d_k columns.",
            _with_scores(_scaled, order=(0, 0, 2)),
        ),
        Misconception(
            "Your keys serve as queries, too. The queries are the first d_k columns.",
            _with_scores(_scaled, order=(1, 1, 2)),
        ),
        Misconception(
            "You take the columns of W in the order values, keys, queries, or values first. It is queries, keys, "
            "values.",
            _values_first,
        ),
        Misconception(
            "You multiply the scores by √d_k. Divide by it.",
            _with_scores(lambda Q, K, d: Q @ K.mT * np.sqrt(Q.shape[-1])),
        ),
        Misconception(
            "All sentences get the weights of the first one. Each sentence reads only itself.",
            _first_sentences_weights,
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
# The text says: as far as the steps hold from the first on; P is out of the softmax, the goal.

ASK_Q2 = """
def entry_point(how_far):
    return equivariance()
"""


def _within(term: Term) -> Iterator[Term]:
    """Yield a term and all terms in it."""
    yield term
    for part in term.parts:
        yield from _within(part)


def _has_p(term: Term) -> bool:
    return any(isinstance(inner, Matrix) and inner.name == "P" for inner in _within(term))


def _scores_without_p(line: Term) -> bool:
    """Whether no P is left inside the softmax, which may stand there as a softmax or within an attention."""
    for term in _within(line):
        if isinstance(term, Softmax):
            return not _has_p(term)
        if isinstance(term, Attention):
            return not _has_p(term.queries) and not _has_p(term.keys)
    return False


OUT = "P is out of the softmax"


def _parsed(line: str) -> Term | None:
    try:
        return parse(line, EQUIVARIANCE)
    except NotationError:
        return None


def proof_fault(steps, how_far):
    """Say why a proof does not get so far by steps that all hold; "" if it does.

    Who begins with the given line, or goes on by true steps after the goal, has proved it all the same.
    """
    if isinstance(steps, Other):
        what = "the checker's report" if steps.name == "Report" else f"an object of type {steps.name}"
        return f"Your function returns {what}; expected is the list of your steps itself."
    try:
        report = check(EQUIVARIANCE, steps)
        given = int(bool(report.steps) and _parsed(report.steps[0].line) == _parsed(EQUIVARIANCE.start))
        report = check(EQUIVARIANCE, steps[given:])
    except ValueError as error:
        return f"Your function does not return a proof: {error}."
    failing = [n for n, step in enumerate(report.steps) if step.verdict is not Verdict.ACCEPTED]
    holding = report.steps[: failing[0]] if failing else report.steps
    if any(_parsed(step.line) == _parsed(EQUIVARIANCE.goal) for step in holding):
        return ""
    if how_far == OUT:
        if any(_scores_without_p(parse(step.line, EQUIVARIANCE)) for step in holding):
            return ""
        missing = "There is no line yet in which neither P nor P.T is left inside the softmax"
    else:
        missing = f"The last line is to be {EQUIVARIANCE.goal}, and every step is to hold"
    if not failing:
        told = {0: "Your list has no step yet", 1: "Your one step holds: go on from it"}
        many = f"All your {len(report.steps)} steps hold: go on from the last of them"
        return f"{missing}. {told.get(len(report.steps), many)}."
    step = report.steps[failing[0]]
    return f"{missing}. Step {failing[0] + 1 + given} is the first that fails: {step.message}"


Q2 = Question(
    "q2",
    ASK_Q2,
    None,
    [
        Part("P out of the softmax", 3, lambda rng: [[OUT]]),
        Part("the whole proof", 3, lambda rng: [["proved"]]),
    ],
    accepts=proof_fault,
)

# ---- q3: what three layers hold and do ----
COUNTING = (  # functions of the course that count; visible and hidden tests have the same list
    "course_lib.*_cost",
    "course_lib.chapters.ch04_self_attention.complexity.[!<]*",
    "torch.utils.flop_counter.*",
)

# The text says, and a case is there for:
# whole numbers of any size, equal or not: one word, a kernel of one word or wider than the sentence

ASK_Q3 = """
def entry_point(layer, *sizes):
    counts = {
        "self-attention": attention_counts,
        "convolution": convolution_counts,
        "bidirectional": bidirectional_counts,
    }
    found = counts[layer](*sizes)
    is_pair = hasattr(found, "__len__") and not isinstance(found, (str, dict, set)) and len(found) == 2
    return {"parameters": found[0], "multiply-adds": found[1]} if is_pair else found
"""
COUNTED = {
    "self-attention": ("attention_counts", ("L", "d", "d_k", "d_v")),
    "convolution": ("convolution_counts", ("L", "d", "d_v", "k")),
    "bidirectional": ("bidirectional_counts", ("L", "d", "d_v")),
}


def _call(layer, *sizes):
    """Write down the call, as a student can make it."""
    name, letters = COUNTED[layer]
    return f"{name}({', '.join(f'{a}={n}' for a, n in zip(letters, sizes, strict=True))})"


def _pair(counted):
    """Make the answer that the question asks for comparable: by names."""
    return dict(zip(("parameters", "multiply-adds"), counted, strict=True))


def _attention_counts(L, d, d_k, d_v, bias=1, added=0, scores=1, sums=1, projections=1):
    columns = 2 * d_k + d_v
    multiply_adds = L * d * columns * projections + L * L * (scores * d_k + sums * d_v) + added * L * columns
    return d * columns + bias * columns, multiply_adds


def _convolution_counts(L, d, d_v, k, bias=1, added=0):
    return k * d * d_v + bias * d_v, L * k * d * d_v + added * L * d_v


def _bidirectional_counts(L, d, d_v, bias=1, added=0, directions=2, h=None, recurrent=1):
    h = h or d_v // 2
    matrices = d * h + recurrent * h * h
    return directions * (matrices + bias * h), directions * L * (matrices + added * h)


COUNTS = {
    "self-attention": _attention_counts,
    "convolution": _convolution_counts,
    "bidirectional": _bidirectional_counts,
}


def counts(layer, *sizes):
    """Count parameters and multiply-adds of one of the three layers."""
    return _pair(COUNTS[layer](*sizes))


def _wrongly(only, wrong):
    """Make an answer that is wrong for one layer."""

    def answer(layer, *sizes):
        if layer != only:
            raise ValueError(f"a mistake in {only}")
        return _pair(wrong(*sizes))

    return answer


def _any_layer(**mistake):
    return lambda layer, *sizes: _pair(COUNTS[layer](*sizes, **mistake))


def _changed(only, parameters=lambda *sizes: 0, multiply_adds=lambda *sizes: 0):
    """Make an answer about one layer that is too large by so many; each says it from the layer's sizes."""
    return _wrongly(
        only,
        lambda *sizes: (
            COUNTS[only](*sizes)[0] + parameters(*sizes),
            COUNTS[only](*sizes)[1] + multiply_adds(*sizes),
        ),
    )


def _with_other_sizes(only, change):
    """Make an answer about one layer whose sizes are taken for others."""
    return _wrongly(only, lambda *sizes: COUNTS[only](*change(*sizes)))


def layer_sizes(layer, *some, even=False):
    """Return a function that yields sizes for a layer: no two alike, or all; one word; and some that are named."""

    def cases(rng):
        n = len(some[0])
        for smallest in (2, 2, 40):
            drawn = [int(size) for size in smallest + rng.permutation(60)[:n]]
            if even:
                drawn[-1] *= 2
            yield [layer, *drawn]
        yield from ([layer, *sizes] for sizes in some)

    return cases


EXAMPLES = {"self-attention": (72, 364), "convolution": (20, 72), "bidirectional": (24, 80)}
ATTENTION, CONVOLUTION, BIDIRECTIONAL = "self-attention", "convolution", "bidirectional"
Q3 = Question(
    "q3",
    ASK_Q3,
    counts,
    [
        Part("self-attention", 1, layer_sizes(ATTENTION, (1, 5, 2, 3), (6, 6, 6, 6))),
        Part("the convolution", 1, layer_sizes(CONVOLUTION, (1, 4, 3, 5), (7, 3, 4, 1), (6, 6, 6, 6))),
        Part("the bidirectional network", 1, layer_sizes(BIDIRECTIONAL, (1, 5, 6), (6, 6, 6), even=True)),
    ],
    [
        Misconception(
            "You count each multiply-add twice, as a multiplication and an addition (which are called FLOPs). Here a "
            "multiplication with its addition is one.",
            lambda layer, *sizes: _pair((COUNTS[layer](*sizes)[0], 2 * COUNTS[layer](*sizes)[1])),
        ),
        Misconception(
            "Biases are missing among the parameters: one number for each column of a matrix.",
            _any_layer(bias=0),
        ),
        Misconception(
            "You count the biases among the multiply-adds; they are added after the products, and nothing is "
            "multiplied.",
            _any_layer(added=1),
        ),
        Misconception(
            "The multiply-adds do not belong to one position, but to the whole sentence: all L of them.",
            lambda layer, L, *sizes: _pair((COUNTS[layer](L, *sizes)[0], COUNTS[layer](1, *sizes)[1])),
        ),
        Misconception(
            "The multiply-adds do not belong to one position, but to the whole sentence: all L of them.",
            lambda layer, L, *sizes: _pair((COUNTS[layer](L, *sizes)[0], COUNTS[layer](L, *sizes)[1] // L)),
        ),
        Misconception(
            "The number of parameters does not depend on L: all positions share the same matrices.",
            lambda layer, L, *sizes: _pair((L * COUNTS[layer](L, *sizes)[0], COUNTS[layer](L, *sizes)[1])),
        ),
        Misconception(
            "The two counts have changed places: parameters first.",
            lambda layer, *sizes: _pair(COUNTS[layer](*sizes)[::-1]),
        ),
        Misconception(
            "That is the result of the example, but the sizes are others. Compute it anew in each call.",
            lambda layer, *sizes: _pair(EXAMPLES[layer]),
        ),
        Misconception(
            "L and d have changed places. The sentence is (L, d): L words of d numbers.",
            lambda layer, L, d, *rest: counts(layer, d, L, *rest),
        ),
        Misconception(
            "attention_counts: the projections are made for each of the L words.",
            _changed(ATTENTION, multiply_adds=lambda L, d, d_k, d_v: -(L - 1) * d * (2 * d_k + d_v)),
        ),
        Misconception(
            "attention_counts: the product of the weights with the values is missing, L · L · d_v multiply-adds.",
            _wrongly(ATTENTION, lambda *sizes: _attention_counts(*sizes, sums=0)),
        ),
        Misconception(
            "attention_counts: the weighted sums have d_v numbers, not d_k: L · L · d_v multiply-adds.",
            _wrongly(ATTENTION, lambda *sizes: _attention_counts(*sizes, sums=sizes[2] / sizes[3])),
        ),
        Misconception(
            "attention_counts: a score is a dot product of d_k terms, not of d_v: L · L · d_k multiply-adds.",
            _wrongly(ATTENTION, lambda *sizes: _attention_counts(*sizes, scores=sizes[3] / sizes[2])),
        ),
        Misconception(
            "attention_counts: the scores are missing, L · L dot products of d_k terms.",
            _wrongly(ATTENTION, lambda *sizes: _attention_counts(*sizes, scores=0)),
        ),
        Misconception(
            "attention_counts: scores and weighted sums are products, too: L · L · (d_k + d_v) multiply-adds.",
            _wrongly(ATTENTION, lambda *sizes: _attention_counts(*sizes, scores=0, sums=0)),
        ),
        Misconception(
            "attention_counts: you count L² multiply-adds for the softmax, or for the scale. It is no product of "
            "matrices, and has none.",
            _changed(ATTENTION, multiply_adds=lambda L, d, d_k, d_v: L * L),
        ),
        Misconception(
            "attention_counts: you take the values to be as wide as the keys. They have d_v numbers.",
            _with_other_sizes(ATTENTION, lambda L, d, d_k, d_v: (L, d, d_k, d_k)),
        ),
        Misconception(
            "attention_counts: you take queries and keys to be as wide as the values. They have d_k numbers.",
            _with_other_sizes(ATTENTION, lambda L, d, d_k, d_v: (L, d, d_v, d_v)),
        ),
        Misconception(
            "attention_counts: d_k and d_v have changed places.",
            _with_other_sizes(ATTENTION, lambda L, d, d_k, d_v: (L, d, d_v, d_k)),
        ),
        Misconception(
            "attention_counts: each word has a score with every word, so the mechanism takes L · L · (d_k + d_v) "
            "multiply-adds, not L · (d_k + d_v).",
            _changed(ATTENTION, multiply_adds=lambda L, d, d_k, d_v: (L - L * L) * (d_k + d_v)),
        ),
        Misconception(
            "attention_counts: there are three projections, two of them to d_k numbers. You have one of these.",
            _changed(
                ATTENTION,
                lambda L, d, d_k, d_v: -(d + 1) * d_k,
                lambda L, d, d_k, d_v: -L * d * d_k,
            ),
        ),
        Misconception(
            "attention_counts: each column has a bias of its own: 2 d_k + d_v of them, not three.",
            _changed(ATTENTION, lambda L, d, d_k, d_v: 3 - 2 * d_k - d_v),
        ),
        Misconception(
            "attention_counts: nothing comes after the weighted sum; here is no fourth projection.",
            _changed(ATTENTION, multiply_adds=lambda L, d, d_k, d_v: L * d_v * d),
        ),
        Misconception(
            "attention_counts: nothing comes after the weighted sum; here is no fourth projection.",
            _changed(
                ATTENTION,
                lambda L, d, d_k, d_v: d_v * d + d,
                lambda L, d, d_k, d_v: L * d_v * d,
            ),
        ),
        Misconception(
            "attention_counts: the three projections take multiply-adds too.",
            _wrongly(ATTENTION, lambda *sizes: _attention_counts(*sizes, projections=0)),
        ),
        Misconception(
            "convolution_counts: padding keeps the length: there are L results, not L − k + 1.",
            _wrongly(CONVOLUTION, lambda L, d, d_v, k: (k * d * d_v + d_v, (L - k + 1) * k * d * d_v)),
        ),
        Misconception(
            "convolution_counts: padding keeps the length: there are L results, not L − k + 1.",
            _wrongly(CONVOLUTION, lambda L, d, d_v, k: (k * d * d_v + d_v, max(0, L - k + 1) * k * d * d_v)),
        ),
        Misconception(
            "convolution_counts: products with the padding count, too: k words for each output, also where the kernel "
            "is wider than the sentence.",
            _wrongly(CONVOLUTION, lambda L, d, d_v, k: (k * d * d_v + d_v, L * min(k, L) * d * d_v)),
        ),
        Misconception(
            "convolution_counts: one bias is added to each result, not one for each place of the kernel.",
            _wrongly(CONVOLUTION, lambda *sizes: _convolution_counts(*sizes, bias=sizes[-1])),
        ),
        Misconception(
            "convolution_counts: there is a bias for each of the d_v results, not one for all.",
            _changed(CONVOLUTION, lambda L, d, d_v, k: 1 - d_v),
        ),
        Misconception(
            "convolution_counts: the kernel reads k words for each result, with a matrix of its own for each place.",
            _with_other_sizes(CONVOLUTION, lambda L, d, d_v, k: (L, d, d_v, 1)),
        ),
        Misconception(
            "convolution_counts: each result takes all d numbers of the k words, in the multiply-adds, too.",
            _wrongly(CONVOLUTION, lambda L, d, d_v, k: (k * d * d_v + d_v, L * k * d_v)),
        ),
        Misconception(
            "bidirectional_counts: that is one direction; there are two, with parameters of their own.",
            _wrongly(BIDIRECTIONAL, lambda *sizes: _bidirectional_counts(*sizes, directions=1)),
        ),
        Misconception(
            "bidirectional_counts: the two share d_v between them, so that each state has d_v / 2 numbers.",
            _wrongly(BIDIRECTIONAL, lambda *sizes: _bidirectional_counts(*sizes, h=sizes[-1])),
        ),
        Misconception(
            "bidirectional_counts: that is one network with a state of d_v numbers. There are two, with d_v / 2 each.",
            _wrongly(BIDIRECTIONAL, lambda *sizes: _bidirectional_counts(*sizes, directions=1, h=sizes[-1])),
        ),
        Misconception(
            "bidirectional_counts: the matrix that multiplies the state before, W_h, is missing.",
            _wrongly(BIDIRECTIONAL, lambda *sizes: _bidirectional_counts(*sizes, recurrent=0)),
        ),
        Misconception(
            "bidirectional_counts: the product of the state before with W_h takes multiply-adds too.",
            _changed(BIDIRECTIONAL, multiply_adds=lambda L, d, d_v: -2 * L * (d_v // 2) ** 2),
        ),
        Misconception(
            "bidirectional_counts: the product with the state before the first word counts too, though it is zero.",
            _changed(BIDIRECTIONAL, multiply_adds=lambda L, d, d_v: -2 * (d_v // 2) ** 2),
        ),
        Misconception(
            "bidirectional_counts: the multiply-adds are those of one direction only.",
            _changed(BIDIRECTIONAL, multiply_adds=lambda L, d, d_v: -L * (d * (d_v // 2) + (d_v // 2) ** 2)),
        ),
        Misconception(
            "bidirectional_counts: each network has one bias, b, not two.",
            _wrongly(BIDIRECTIONAL, lambda *sizes: _bidirectional_counts(*sizes, bias=2)),
        ),
        Misconception(
            "bidirectional_counts: the two networks have parameters of their own; they do not share them.",
            _wrongly(
                BIDIRECTIONAL,
                lambda *sizes: (_bidirectional_counts(*sizes)[0] // 2, _bidirectional_counts(*sizes)[1]),
            ),
        ),
    ],
    forbidden=COUNTING,
    tolerance=0,
    describe=_call,
)

# ---- q4a: lines to order, one word that looks back ----
# The text says, and a case is there for: a word with enough words before it, and with fewer; word 0, the last word;
# w = 0, w larger than L; every order that computes the right thing

PUZZLE = Puzzle(
    """
  | def one_word(Q, K, V, w, i):
A |     scores = keys @ Q[i]
B |     first = i - w
C |     values = V[first : i + 1]
D |     weights = softmax(scores)
E |     keys = K[first:i]
F |     first = max(0, i - w)
G |     scores = keys @ Q[i] / np.sqrt(len(keys))
H |     keys = K[first : i + 1]
I |     first = max(0, i - w + 1)
J |     scores = keys @ Q[i] / np.sqrt(Q.shape[-1])
  |     return weights @ values, weights
""",
    {"softmax": functional.softmax},
)


def one_word(Q, K, V, w, i):
    """Return what a word gets from itself and the w words before, and its weights on them."""
    seen = [place for place in range(len(K)) if i - w <= place <= i]
    weights = functional.softmax(np.array([Q[i] @ K[place] for place in seen]) / np.sqrt(Q.shape[-1]))
    return weights @ V[seen], weights


def words_that_look_back(rng):
    """Yield texts, how far to look back, and a word."""
    for L, d_k, d_v, w, i in [
        (6, 3, 2, 2, 4),
        (6, 3, 2, 2, 1),
        (5, 2, 3, 2, 0),
        (4, 3, 1, 9, 3),
        (3, 2, 2, 0, 2),
    ]:
        yield [*rng.standard_normal((2, L, d_k)), rng.standard_normal((L, d_v)), w, i]


Q4A = question_of_order(
    "q4a",
    Ordering(
        PUZZLE,
        one_word,
        words_that_look_back,
        {
            "A": Distractor("does not scale the scores: divide by √d_k.", "J"),
            "B": Distractor(
                "can fall below 0 near the beginning, and to NumPy a negative place counts from the end.", "F"
            ),
            "E": Distractor("leaves out the word itself: a slice ends before its second number.", "H"),
            "G": Distractor(
                "divides by the root of the number of keys. What counts is how many terms a dot product has: √d_k.",
                "J",
            ),
            "I": Distractor("begins one word too late: w words before and the word itself are w + 1.", "F"),
        },
    ),
)

# ---- q4: looking back, but not far ----
# The text says, and a case is there for:
# w = 0, some words, all words, more than there are; one word; any axes before, none included; sizes of 1
# scores of exactly 0, and far below any number that might stand for −∞; weights of 0 where no word is
# 4,000 words: little at any one time, and not L² scores in all, not even row by row; 1,500 words: no square of them

MOST_BYTES = 8_000_000  # at any one time
MOST_IN_ALL = 48_000_000  # of all lines together; 4,000 rows of 4,000 scores have 128 MB
LONG = 1000
ASK_Q4 = f"""
from course_lib.exercises.calls import memory

def entry_point(Q, K, V, w, first_row):
    if Q.shape[-2] < {LONG}:
        found = look_back_attention(Q, K, V, w)
        if Q.ndim == 2:
            return [found, True, True]
        last = [x[(slice(-1, None),) * (x.ndim - 2)].copy() for x in (Q, K, V)]  # as many axes, one sentence
        return [found, True, True, look_back_attention(*last, w)]
    try:
        look_back_attention(Q[:9].copy(), K[:9].copy(), V[:9].copy(), w)  # for what is imported or made once
    except Exception:
        pass  # the call below stops as well, and says so of its own inputs
    found, at_once, in_all = memory(look_back_attention, Q, K, V, w)
    return [found, at_once < {MOST_BYTES}, in_all < {MOST_IN_ALL}]
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
    allowed = (
        there if missing in ("nothing", "score 0") or isinstance(missing, float) else np.ones_like(there)
    )
    if missing == "a number added":
        scores, allowed = scores - 1e9 * ~there, np.ones_like(there)
    scores = np.where(allowed, scores, missing if isinstance(missing, float) else -np.inf)
    weights = softmax(np.where(scores == 0, -np.inf, scores) if missing == "score 0" else scores)
    if missing == "after":
        weights = weights * there
    return (weights[..., None] * values).sum(axis=-2), weights


def _unstable(scores):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _last_words_weights(Q, K, V, w):
    weights = np.broadcast_to(look_back_attention(Q, K, V, w)[1][..., -1:, :], (*Q.shape[:-1], w + 1))
    return np.einsum("...io,...iod->...id", weights, V[..., _places(Q, w).clip(0), :]), weights


def _first_words_alone(Q, K, V, w):
    output, weights = (result.copy() for result in look_back_attention(Q, K, V, w))
    output[..., :w, :] = V[..., :w, :]
    weights[..., :w, :] = np.arange(w + 1) == w
    return output, weights


def _shifted_left(Q, K, V, w):
    output, weights = (result.copy() for result in look_back_attention(Q, K, V, w))
    for i in range(min(w, weights.shape[-2])):
        weights[..., i, :] = np.roll(weights[..., i, :], i - w, axis=-1)
    return output, weights


def _places(Q, w):
    return np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)


def _in_a_square(Q, K, V, w):
    L = Q.shape[-2]
    if L > 100:
        raise ValueError("takes too long, and is told of shorter texts")
    return functional.attention(Q, K, V, mask=np.tri(L, dtype=bool) & ~np.tri(L, k=-w - 1, dtype=bool))


def _answers(function):
    """Make an answer to `entry_point` from a function; of several sentences, the last is asked for alone as well."""

    def answer(Q, K, V, w, first_row):
        last = [np.asarray(x)[(slice(-1, None),) * (Q.ndim - 2)] for x in (Q, K, V)]
        return [
            function(Q, K, V, w),
            True,
            True,
            *([function(*last, w)] if Q.ndim > 2 and Q.shape[-2] < LONG else []),
        ]

    return answer


def _early(function):
    """Make a mistake that shows in the first words alone, which count in some cases only."""

    def answer(Q, K, V, w, first_row):
        if first_row:
            raise ValueError("the first words do not count here")
        return [function(Q, K, V, w), True, True]

    return answer


TOO_MUCH = (
    "The values are right, but for {L:,} words your function takes more than 8 MB: somewhere it makes something of "
    "size L × L, at once or in pieces that are kept. Gather the w + 1 keys of each word instead."
)
TOO_OFTEN = (
    "The values are right, but for {L:,} words your function makes arrays of more than 48 MB in all, one after the "
    "other: L scores for each of the L words, or a copy of all rows so far at each step. Compute the w + 1 scores of "
    "each word alone, and write them into an array that is made once, or into a list."
)


BESIDE_OTHERS = (
    "The last sentence gets other results beside other sentences than alone: its first words do not see the same. Does "
    "a window reach into the sentence before?"
)


def _same_alone(found, alone):
    """Whether the last of several sentences has the same output and band as it has alone."""
    if not isinstance(alone, (list, np.ndarray)) or len(alone) != len(found):
        return True
    last = [result[(slice(-1, None),) * (result.ndim - 2)] for result in found]
    return not any(
        np.shape(one) == result.shape and not np.allclose(result, one, rtol=1e-3, atol=1e-5, equal_nan=True)
        for result, one in zip(last, alone, strict=True)
    )


def look_back_fault(value, Q, K, V, w, first_row):
    """Say what is wrong with output, band and whether memory was spared; rows before the first do not matter."""
    found, is_lean, is_lean_in_all, *alone = value
    expected = list(look_back_attention(Q, K, V, w))
    found = settled(found)
    if isinstance(found, np.ndarray) and found.ndim:  # of two of the same shape
        found = list(found)
    if found is None:
        return "Your function returns None, as one without `return` does; expected are the output and the weights."
    if not isinstance(found, list) or len(found) != 2:
        return "Expected are two arrays, the output and the weights."
    fault = compare(found, expected, TOLERANCE, tell=False)
    if (
        fault
        and first_row
        and [np.shape(x) for x in found if isinstance(x, np.ndarray)] == [x.shape for x in expected]
    ):
        late = [[result[..., first_row:, :] for result in results] for results in (found, expected)]
        fault = compare(*late, TOLERANCE, tell=False) and fault  # told with the places of the whole
        if not fault and alone and not _same_alone(found, settled(alone[0])):
            return BESIDE_OTHERS
    costs = ("" if is_lean is True else TOO_MUCH) or ("" if is_lean_in_all is True else TOO_OFTEN)
    return fault or costs.format(L=Q.shape[-2])


def sentences_to_look_back_in(rng):
    """Yield sentences of all kinds; one with scores of 0, and two whose scores lie below all that might mean −∞."""
    yield from windows(rng, sizes=((7, 2, 3, 2), (5, 0, 2, 3), (4, 6, 3, 5), (9, 1, 4, 2), (1, 2, 3, 2)))
    yield from windows(rng, sizes=((4, 3, 4, 4), (5, 5, 1, 1)))
    for Q, K, *rest in windows(rng, sizes=((6, 2, 3, 2), (6, 1, 3, 2))):
        Q[[0, 2]] = 0
        K[[1, 4]] = 0
        yield [Q, K, *rest]
    for Q, K, *rest in windows(rng, sizes=((6, 2, 1, 2),)):  # one key far below the others, which differ
        K[:, 0] = rng.permutation(6) / 2
        K[2] = -5000
        yield [np.ones_like(Q), K, *rest]
    for Q, K, *rest in windows(rng, sizes=((4, 2, 1, 3),)):  # powers of 2: no rounding; 2¹⁰⁶ < 10³²
        yield [np.full_like(Q, 2.0**53), np.full_like(K, -(2.0**53)), *rest]


def windows(
    rng, *batch, sizes=((7, 2, 3, 2), (5, 0, 2, 3), (4, 6, 3, 5), (9, 1, 4, 2), (1, 2, 3, 2)), late=False
):
    """Yield queries, keys, values, how far to look back (not at all, some words, beyond the beginning), first row.

    The first row is the one from which on the answer matters: 0 or, if `late`, that of the first word with w before it.
    """
    for L, w, d_k, d_v in sizes:
        Q, K = rng.standard_normal((2, *batch, L, d_k))
        yield [Q, K, rng.standard_normal((*batch, L, d_v)), w, w if late else 0]


TENSORS = (  # PyTorch, whose memory is not measured; and who measures may not be stopped
    "torch.tensor",
    "torch.as_tensor",
    "torch.asarray",
    "torch.from_numpy",
    "torch.Tensor.*",
    "*tracemalloc.*",
)
Q4 = Question(
    "q4",
    ASK_Q4,
    None,
    [
        Part("one sentence", 2, sentences_to_look_back_in),
        Part(
            "several sentences at once",
            1,
            lambda rng: [
                *windows(rng, 3, sizes=((7, 2, 4, 2), (6, 4, 2, 3)), late=True),
                *windows(rng, 5, sizes=((5, 1, 5, 5),), late=True),
                *windows(rng, 3, 2, sizes=((5, 1, 4, 2),), late=True),
                *windows(rng, 1, sizes=((5, 2, 3, 2),), late=True),
            ],
        ),
        Part(
            "a long text at little cost",
            2,
            lambda rng: windows(rng, sizes=((4000, 3, 4, 3), (1500, 1, 2, 5)), late=True),
        ),
    ],
    [
        Misconception(
            "You put zeros in front of the first word. A key of zeros has the score 0, not −∞, and takes weight from "
            "the words that are there.",
            _early(lambda *given: _band(*given, missing="zeros")),
        ),
        Misconception(
            "The first words look at the last ones: in NumPy a negative place counts from the end.",
            _early(lambda *given: _band(*given, missing="wraps")),
        ),
        Misconception(
            "The first words see word 0 several times, once for each word that is not there. Give these places the "
            "score −∞.",
            _early(lambda *given: _band(*given, missing="first")),
        ),
        Misconception(
            "You set weights to 0 after the softmax, so that the rest no longer sums to 1. Forbid keys before it, by "
            "scores of −∞.",
            _early(lambda *given: _band(*given, missing="after")),
        ),
        Misconception(
            "The scores are not scaled: divide by √d_k before the softmax.",
            _answers(lambda *given: _band(*given, score=1)),
        ),
        Misconception(
            "You divide by √d_v; it is the number of terms of a dot product that counts, √d_k.",
            _answers(lambda Q, K, V, w: _band(Q, K, V, w, score=V.shape[-1])),
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
            "Where a score is exactly 0 you take it for a place where no word is. A word may have the score 0, too: "
            "decide by the places.",
            _early(lambda *given: _band(*given, missing="score 0")),
            "Where a score is exactly 0 you take it for a place where no word is. A word may have the score 0, too.",
        ),
        *(
            Misconception(
                "Where no word is you put a number in the place of −∞, and the real scores lie below it. Take "
                "-np.inf, whose weight is 0 whatever the scores.",
                _early(lambda *given, low=low: _band(*given, missing=low)),
                "Where no word is you put a number in the place of −∞, and real scores may lie below it: -np.inf.",
            )
            for low in (-50.0, -1e2, -1e3, -1e4, -1e5, -1e6, -1e8, -1e9, -1e10, -1e12, -1e15, -1e20, -1e30)
        ),
        Misconception(
            "Where no word is you add a number to the score. Where real scores are as low as −10³² that makes no "
            "difference: put -np.inf in place of the score.",
            _early(lambda *given: _band(*given, missing="a number added")),
        ),
        Misconception(
            "For words with scores far below 0 your result is not a number, or zeros: exponentials vanish. The "
            "softmax that is imported takes the largest score away first.",
            _answers(lambda *given: _band(*given, softmax=_unstable)),
        ),
        Misconception(
            "All words get the weights of the last one. Each has weights of its own.",
            _answers(_last_words_weights),
        ),
        Misconception(
            "Queries and keys have changed places: each word asks with its query the keys of the words before it.",
            _answers(lambda Q, K, V, w: look_back_attention(K, Q, V, w)),
        ),
        Misconception(
            "The first w words see only themselves in your answer. They see all words before them, though these are "
            "fewer than w.",
            _early(_first_words_alone),
        ),
        Misconception(
            "Your band is back to front: column c belongs to word i − w + c, the last one to the word itself.",
            _answers(
                lambda *given: (look_back_attention(*given)[0], look_back_attention(*given)[1][..., ::-1])
            ),
        ),
        Misconception(
            "Near the beginning, where words see fewer, your weights stand too far left. The last column holds each "
            "word's weight on itself.",
            _early(_shifted_left),
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
    forbidden=(*READY_MADE, *TENSORS),
    accepts=look_back_fault,
    describe=lambda Q, K, V, w, first_row: described(look_back_attention, [Q, K, V, w]),
)

# ---- q5: up to which length ----
# The text says, and a case is there for:
# widths alike or not, 1 or a thousand; any number of gates; at least as many, at most as many; 0 if there is none


def cheaper_up_to(d, d_k, d_v, n_gates):
    """Return up to which length attention is no dearer than a recurrent layer, or 0."""
    return max(0, (n_gates * (d * d_v + d_v**2) - d * (2 * d_k + d_v)) // (d_k + d_v))


def _beside(rule):
    """Make an answer that is wrong about the recurrent layer, from multiply-adds a word of both, and widths."""

    def answer(d, d_k, d_v, n_gates):
        return rule(n_gates * (d * d_v + d_v**2), d * (2 * d_k + d_v), d_k, d_v, d, n_gates)

    return answer


def _drawn(rng, *n_gates):
    """Yield widths such that division leaves no rest, or one, and attention is the cheaper layer for some time."""
    for _ in range(3):
        d_k, d_v = sorted(int(n) for n in 2 + rng.permutation(30)[:2])
        d = (d_k + d_v) * int(rng.integers(2, 9))
        yield from ([d, d_k, d_v, *n_gates], [d + 1, d_k, d_v, *n_gates])


def cheaper_cases(rng):
    """Yield widths at which the two layers never take the same, so that the last length is rounded."""
    fixed = [[30, 4, 26, 1], [31, 5, 20, 3], [1000, 65, 65, 3], [7, 3, 3, 5], [203, 6, 11, 4]]
    for d, d_k, d_v, n_gates in [*_drawn(rng, 4), *_drawn(rng, 3), *fixed]:
        if (n_gates * d_v * (d + d_v) - d * (2 * d_k + d_v)) % (d_k + d_v):
            yield [d, d_k, d_v, n_gates]


def bordering_cases(rng):
    """Yield widths at which both take the same at the end, also at length 1, or attention is always dearer."""
    for d, d_k, d_v, n_gates in [(12, 4, 4, 3), (10, 4, 4, 4), (4, 2, 6, 2), (11, 13, 2, 1), (40, 9, 7, 1)]:
        times = int(rng.integers(1, 4))  # all lengths grow likewise
        yield [times * d, times * d_k, times * d_v, n_gates]
    yield [1, 1, 1, 1]
    yield [7, 2, 6, 1]


Q5 = Question(
    "q5",
    "cheaper_up_to",
    cheaper_up_to,
    [
        Part("how far attention is cheaper", 2, cheaper_cases),
        Part("the same at the end, or never cheaper", 1, bordering_cases),
    ],
    [
        Misconception(
            "That is the result of the example, but the sizes are others. Compute it anew in each call.",
            lambda *sizes: 32,
        ),
        Misconception(
            "At the length that you give attention is sometimes dearer already: round down.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, -(-(r - p) // (d_k + d_v)))),
        ),
        Misconception(
            "There is no length below 1; where attention is always dearer, say 0.",
            _beside(lambda r, p, d_k, d_v, d, n: (r - p) // (d_k + d_v)),
        ),
        Misconception(
            "There is no length below 1; where attention is always dearer, say 0.",
            _beside(lambda r, p, d_k, d_v, d, n: int((r - p) / (d_k + d_v))),
        ),
        Misconception(
            "At most as many: where both take the same, the length counts.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p - 1) // (d_k + d_v))),
        ),
        Misconception(
            "The projections of self-attention are missing; compare the whole layer.",
            _beside(lambda r, p, d_k, d_v, d, n: r // (d_k + d_v)),
        ),
        Misconception(
            "W_h is missing, d_v² multiply-adds a word in each pair.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (n * d * d_v - p) // (d_k + d_v))),
        ),
        Misconception(
            "Only one pair of matrices is counted; all n_gates pairs are used for each word.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r // n - p) // (d_k + d_v))),
        ),
        Misconception(
            "The weighted sums of the values are missing, d_v multiply-adds for each pair of words.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p) // d_k)),
        ),
        Misconception(
            "The scores are missing, d_k multiply-adds for each pair of words.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p) // d_v)),
        ),
        Misconception(
            "You count four pairs of matrices, whatever n_gates is.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (4 * r // n - p) // (d_k + d_v))),
        ),
        Misconception(
            "There is only one W_x, and one W_h for each gate, in your answer. There are n_gates pairs.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (d * d_v + n * d_v**2 - p) // (d_k + d_v))),
        ),
        Misconception(
            "That is the first length at which attention is dearer. Asked for is the last at which it "
            "is not.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p) // (d_k + d_v) + 1)),
        ),
        Misconception(
            "The state has d_v numbers, so W_h is (d_v, d_v), not (d, d).",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (n * (d * d_v + d * d) - p) // (d_k + d_v))),
        ),
        Misconception(
            "Each gate has a W_h of its own, too: there are n_gates pairs.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (n * d * d_v + d_v**2 - p) // (d_k + d_v))),
        ),
        Misconception(
            "The state has d_v numbers; here is one direction, and nothing is halved.",
            _beside(
                lambda r, p, d_k, d_v, d, n: max(
                    0, (n * (d * (d_v // 2) + (d_v // 2) ** 2) - p) // (d_k + d_v)
                )
            ),
        ),
        Misconception(
            "The two projections to d_k numbers count both: d · (2 d_k + d_v).",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p + d * d_k) // (d_k + d_v))),
        ),
        Misconception(
            "Where attention is dearer at every length, the answer is 0, not 1.",
            _beside(lambda r, p, d_k, d_v, d, n: max(1, (r - p) // (d_k + d_v))),
        ),
        Misconception(
            "Where attention is dearer at every length, the answer is 0, not None.",
            _beside(lambda r, p, d_k, d_v, d, n: (r - p) // (d_k + d_v) if r - p >= d_k + d_v else None),
        ),
        Misconception(
            "The answer is a length, and whole.",
            _beside(lambda r, p, d_k, d_v, d, n: max(0, (r - p) / (d_k + d_v))),
        ),
    ],
    forbidden=COUNTING,
    tolerance=0,
)

QUESTIONS = [Q1, Q2, Q3, Q4A, Q4, Q5]
