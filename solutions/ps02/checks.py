"""What decides the questions of ps02: attention and its parts, with NumPy.

Before each question stand the conditions that its text states. Each has a case of its own: nothing rests on luck.
"""

import math
from functools import partial

import numpy as np

from course_grading.parsons import Distractor, Ordering
from course_grading.parsons import question as question_of_order
from course_grading.questions import Misconception, Part, Question
from course_lib.exercises.hints import described
from course_lib.exercises.parsons import Puzzle

# ---- q1: a softmax along any axis, for any scores ----
#
# - any shape: one to five axes, as many rows as columns, axes of length 1; any axis, counted from either end
# - float32 and float64; float64 keeps its digits, also where scores are large
# - scores as large or small as you like: all large, all small, both in a group, large groups beside small ones; many
#   far below the largest, whose weights would add up if they were cut off
# - single entries −∞, which weigh nothing, also beside scores far below anything that may stand for −∞
# - the inputs stay as they are; no ready-made softmax
# Large and small groups share one array in the last part only. The first part has moderate scores, the second vectors:
# neither the axis nor the size of scores is paid for in both. A tolerance of 5e-4 is what e to a power of a logarithm
# costs in single precision.


def softmax(x, axis):
    """Turn scores into shares that sum to 1 along an axis; in double precision."""
    x = np.asarray(x, dtype=np.float64)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _textbook(x, axis):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def _shifted(x, axis, shift):
    powers = np.exp(x - shift)
    return powers / powers.sum(axis=axis, keepdims=True)


def _shared_sum(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum()


def _one_maximum_and_epsilon(x, axis):
    powers = np.exp(x - x.max())
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-9)


NOT_TO_BE_TOLD = "equals no answer"


def any_axis(rng):
    """Yield scores of moderate size, and one of their axes; one size twice, squares, axes of length 1."""
    for shape, axis, dtype in [
        ((4, 7), 0, np.float64),
        ((4, 7), 0, np.float64),
        ((2, 5, 3), 1, np.float32),
        ((2, 5, 3), -3, np.float64),
        ((6,), 0, np.float64),
        ((3, 4, 2, 5), -2, np.float64),
        ((3, 3), 0, np.float64),
        ((4, 4), 1, np.float64),
        ((4, 1), 0, np.float64),
        ((1, 5), -1, np.float32),
        ((2, 1, 3, 2, 2), 2, np.float64),
    ]:
        yield [rng.uniform(-3, 3, shape).astype(dtype), axis]


def extreme_vectors(rng):
    """Yield vectors of scores that are all large, all small, or both, and with single entries −∞."""
    for n, dtype, size in [
        (5, np.float32, 800),
        (6, np.float64, -2000),
        (5, np.float64, 1e8),
        (5, np.float64, -1e10),
    ]:
        x = (rng.permutation(n) / 2 + rng.uniform(0, 0.4, n) + size).astype(dtype)
        yield [x, 0]
        x = x.copy()
        x[int(np.argmin(x))] = -np.inf
        yield [x, -1]
    yield [rng.permutation([1000.0, 1000.5, 999.0, -2000.0, -1e5, 0.0]), 0]
    yield [rng.permutation([1000.0, *rng.uniform(-1000, 980, 199)]), 0]
    yield [rng.permutation([-1e300, -np.inf, -np.inf]), 0]


def large_beside_small(rng):
    """Yield rows of large scores beside rows of small ones, single entries −∞, rows of both; then such columns.

    The large rows of a matrix are about equally large, so that a sum over the whole array is not that of one row.
    """
    for shape, axis, dtype in [((5, 4), -1, np.float32), ((2, 3, 6), 2, np.float64)]:
        signs = np.where(np.arange(shape[-2]) % 2 == 0, 1, -1)[:, None]
        x = rng.standard_normal(shape) + signs * rng.uniform(700, 900, (*shape[:-2], 1, 1))
        yield [x.astype(dtype), axis]
        x[..., rng.integers(shape[-1])] = -np.inf
        yield [x.astype(dtype), axis]
    yield [np.array([[1e7], [-1e7]]) + np.array([rng.permutation(4), rng.permutation(4)]) / 3, 1]
    yield [np.array([1e7, -1e7]) + np.array([rng.permutation(4), rng.permutation(4)]).T / 3, 0]
    yield [np.array([rng.permutation([-1000.0, 1000.0, 1001.0, 0.0]), rng.permutation(4) / 2]), 1]


def _clipped(most, x, axis):
    return _textbook(np.clip(x, -most, most), axis)


def _cut_below(most, x, axis):
    below = x - x.max(axis=axis, keepdims=True)
    return softmax(np.where(np.isneginf(x), x, np.maximum(below, -most)), axis)


def _small_for_minus_infinity(x, axis):
    return softmax(np.where(np.isneginf(x), -1e9, x), axis)


def _in_single_precision(x, axis):
    x = x.astype(np.float32)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _finite_away(kind, x, axis):
    return _shifted(x, axis, kind(np.where(np.isneginf(x), np.nan, x), axis=axis, keepdims=True))


def _magnitude(x, axis):
    return np.abs(np.where(np.isfinite(x), x, 0)).max(axis=axis, keepdims=True)


ZEROS_HIDE = (
    "Zeros in place of what overflows or vanishes, as np.nan_to_num puts them, hide that the shares are lost. "
    "Take the largest score away before you take the exponential."
)
MAGNITUDE = (
    "You take the largest magnitude away. Where it belongs to a negative score, all exponentials are 0: take the "
    "largest score away, with its sign."
)
SOFTMAXES = (
    "functional.softmax",  # as the notebook calls it
    "course_lib.functional.attention.softmax",
    "course_lib.model.masked_softmax",
    "scipy.special.*",
    "torch.nn.Softmax",
    "torch.nn.LogSoftmax",
    "torch.*softmax*",
    "torch.*softmin*",
    "torch.*logsumexp*",
    "torch.*logcumsumexp*",
    "torch.*cross_entropy*",
    "torch.*scaled_dot_product*",
)

Q1 = Question(
    "q1",
    "softmax",
    softmax,
    [
        Part("along any axis", 2, any_axis),
        Part("a vector of scores too large or too small for exp", 1, extreme_vectors, tolerance=5e-4),
        Part("large and small groups in one array", 1, large_beside_small, tolerance=5e-4),
    ],
    [
        Misconception(
            "You normalise the whole array: all its entries together sum to 1. Only the entries along `axis` share a "
            "sum.",
            lambda x, axis: softmax(x, None),
        ),
        Misconception(
            ZEROS_HIDE,
            lambda x, axis: np.nan_to_num(_textbook(x, axis)),
            "Zeros stand where shares are lost, because an exponential has overflown or vanished. Take the largest "
            "score of each group away before you take the exponential.",
        ),
        Misconception(
            "Both faults of the textbook softmax are there: its exponentials overflow, and it divides by the sum of "
            "the whole array. Take the largest score away first, and add up along `axis` only.",
            lambda x, axis: np.exp(x) / np.exp(x).sum() if x.ndim > 1 else NOT_TO_BE_TOLD,
        ),
        Misconception(
            "You take the maximum along `axis`, but the sum over the whole array: all entries together sum to 1. Only "
            "the entries along `axis` share a sum.",
            _shared_sum,
        ),
        Misconception(
            "You take the maximum away above the fraction line only. It cancels if it is taken away below as well.",
            lambda x, axis: (
                np.exp(x - x.max(axis=axis, keepdims=True)) / np.exp(x).sum(axis=axis, keepdims=True)
            ),
        ),
        Misconception(
            "You take one maximum for the whole array. Where a group of scores lies far below it, all its exponentials "
            "are 0. Each group of entries that share a sum needs its own maximum, along `axis`.",
            lambda x, axis: _shifted(x, axis, x.max()),
        ),
        Misconception(
            "You take one maximum for the whole array. Where a group of scores lies far below it, all its exponentials "
            "are 0, and nothing is left to share. Each group of entries that share a sum needs its own maximum, along "
            "`axis`.",
            lambda x, axis: np.nan_to_num(_shifted(x, axis, x.max())),
        ),
        Misconception(
            "You take one maximum for the whole array. Where a group of scores lies far below it, all its exponentials "
            "are 0, and nothing is left to share. Each group of entries that share a sum needs its own maximum, along "
            "`axis`.",
            _one_maximum_and_epsilon,
        ),
        Misconception(
            "You take the mean of the scores away, which does not keep them from overflowing (and one −∞ makes it "
            "−∞). Take the largest away.",
            lambda x, axis: _shifted(x, axis, x.mean(axis=axis, keepdims=True)),
        ),
        Misconception(MAGNITUDE, lambda x, axis: _shifted(x, axis, _magnitude(x, axis))),
        Misconception(MAGNITUDE, lambda x, axis: np.nan_to_num(_shifted(x, axis, _magnitude(x, axis)))),
        *(
            Misconception(
                "You cut off how far a score may lie below the largest. Its share is small, but many such shares add "
                "up: let e to the power of the difference be as small as it is.",
                partial(_cut_below, most),
            )
            for most in (5, 6, 7, 8, 9, 10, 12)
        ),
        *(
            Misconception(
                "You cut scores off at a largest size. What lies beyond it then looks alike: take the largest score of "
                "each group away instead; the shares stay the same.",
                partial(_clipped, most),
            )
            for most in (20, 30, 50, 80, 88, 100, 300, 500, 600, 700, 709)
        ),
        Misconception(
            "A finite number stands in for −∞. Where scores lie below it, the entry that should weigh nothing gets the "
            "weight: leave −∞ as it is; e to its power is 0.",
            _small_for_minus_infinity,
            "Where scores lie far below 0, an entry −∞ gets a weight, and should get none. Does a finite number stand "
            "in for it? Leave −∞ as it is; e to its power is 0.",
        ),
        Misconception(
            "You compute in single precision, which has seven digits: large scores lose what distinguishes them. "
            "Keep the type of x.",
            _in_single_precision,
            "Where scores are large, single precision, which has seven digits, loses what distinguishes them. Keep "
            "the type of x.",
        ),
        Misconception(
            "You take the smallest score away: what is far above it still overflows. Take the largest away.",
            lambda x, axis: _shifted(x, axis, x.min(axis=axis, keepdims=True)),
        ),
        Misconception(
            "You take the smallest finite score away: what is far above it still overflows. Take the largest away.",
            partial(_finite_away, np.nanmin),
        ),
        Misconception(
            "You take the mean of the finite scores away: what is far above it still overflows. Take the largest away.",
            partial(_finite_away, np.nanmean),
        ),
        Misconception(
            "The exponential of a large score overflows, that of a very small one becomes 0, and ∞ / ∞ and 0 / 0 are "
            "not a number. Take the largest score away before you take the exponential; the shares stay the same.",
            _textbook,
            "Where all scores of a group are large, or all are very small, their exponentials are ∞ or 0, and ∞ / ∞ or "
            "0 / 0 is not a number. Take the largest score of each group away before you take the exponential.",
        ),
        Misconception(
            "Numbers with more digits only put off the overflow. Take the largest score of each group away before you "
            "take the exponential; the shares stay the same.",
            lambda x, axis: _textbook(x.astype(np.longdouble), axis),
        ),
        Misconception(
            "Your entries sum to 1 along the last axis, also where `axis` is another.",
            lambda x, axis: softmax(x, -1),
            "In some cases your entries sum to 1 along the last axis, although `axis` is another.",
        ),
        Misconception(
            "Your entries sum to 1 along the first axis, also where `axis` is another.",
            lambda x, axis: softmax(x, 0),
            "In some cases your entries sum to 1 along the first axis, although `axis` is another.",
        ),
        Misconception(
            "You return the logarithms of the shares; asked for are the shares.",
            lambda x, axis: np.log(softmax(x, axis)),
        ),
        Misconception(
            "You return exponentials that are not divided by their sum: the entries along `axis` should sum to 1.",
            lambda x, axis: np.exp(x - x.max(axis=axis, keepdims=True)),
        ),
        Misconception(
            "You return exponentials that are not divided by their sum: the entries along `axis` should sum to 1.",
            lambda x, axis: np.exp(x),
        ),
        Misconception(
            "You divide by the mean of the exponentials; the entries along `axis` sum to 1 if you divide by their sum.",
            lambda x, axis: softmax(x, axis) * x.shape[axis],
        ),
        Misconception(
            "Larger scores get smaller shares: take the exponential of the score, not of what it lacks to the largest.",
            lambda x, axis: softmax(-x, axis),
        ),
        Misconception(
            "You take the maximum along the last axis and the sum along `axis`. What you take away cancels only if it "
            "is the same for all entries that share a sum.",
            lambda x, axis: _shifted(x, axis, x.max(axis=-1, keepdims=True)),
        ),
    ],
    forbidden=SOFTMAXES,
    tolerance=2e-5,
)

# ---- q2: attention ----
#
# - output, then weights; scores divided by √d_k, for d_k of several sizes; softmax over the keys
# - L_q and L_k, d_k and d_v differ, or do not; one query, one key
# - scores of 1000 and of −1000, in one array, and of 12,000 of either sign, whose exponential no longdouble holds; far
#   apart within a row, where some of the best are alike or nearly so: they share the weight; there d_k is 4 or 16 and
#   single precision can be exact
# - any number of axes in front of all three, or of the queries alone: none, one to four, six; axes of length 1; as many
#   sentences as words; the inputs stay as they are
# - no ready-made attention


def attention(Q, K, V):
    """Scaled dot-product attention: output and weights."""
    return _attention(Q, K, V, np.sqrt(Q.shape[-1]))


def _attention(Q, K, V, divisor, axis=-1):
    weights = softmax(Q @ K.mT / divisor, axis)
    return [weights @ V, weights]


def _one_maximum(Q, K, V):
    scores = Q @ K.mT / np.sqrt(Q.shape[-1])
    weights = _shifted(scores, -1, scores.max())
    return [weights @ V, weights]


def _not_divided(Q, K, V):
    scores = Q @ K.mT / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return [weights @ V, weights]


def _scaled_afterwards(Q, K, V):
    weights = softmax(Q @ K.mT, -1) / np.sqrt(Q.shape[-1])
    return [weights @ V, weights]


def _mean_away(Q, K, V):
    scores = Q @ K.mT / np.sqrt(Q.shape[-1])
    weights = _shifted(scores, -1, scores.mean(axis=-1, keepdims=True))
    return [weights @ V, weights]


def _with_longdoubles(Q, K, V):
    weights = _textbook((Q @ K.mT / np.sqrt(Q.shape[-1])).astype(np.longdouble), -1).astype(float)
    return [weights @ V, weights]


def _cut_off(most, Q, K, V):
    weights = softmax(np.clip(Q @ K.mT / np.sqrt(Q.shape[-1]), -most, most), -1)
    return [weights @ V, weights]


def _best_alone(Q, K, V):
    scores = Q @ K.mT / np.sqrt(Q.shape[-1])
    weights = softmax(scores, -1)
    best = np.arange(scores.shape[-1]) == scores.argmax(axis=-1)[..., None]
    weights = np.where(np.ptp(scores, axis=-1, keepdims=True) > 50, best, weights)
    return [weights @ V, weights]


def dictionaries(rng, before_q, before_k, sizes=((3, 5, 4, 2), (6, 2, 7, 3))):
    """Yield queries, keys and values in which all sizes differ, unless others are given."""
    for L_q, L_k, d_k, d_v in sizes:
        yield [
            rng.standard_normal((*before_q, L_q, d_k)),
            rng.standard_normal((*before_k, L_k, d_k)),
            rng.standard_normal((*before_k, L_k, d_v)),
        ]


def one_sentence(rng):
    """Yield all sizes different, one of them twice; all alike; one query, and one key."""
    yield from dictionaries(rng, (), ())
    yield from dictionaries(rng, (), (), ((3, 5, 4, 2), (3, 3, 3, 3), (1, 4, 3, 2), (3, 1, 2, 4)))


def large_scores(rng):
    """Yield queries and keys whose scores lie near 1000 or −1000, and differ from key to key by about 1; then others.

    These lie far apart in each row, where two are the best and a third is nearly as good, whether the sign is + or −;
    or all near 12,000, of either sign. All are multiples of 1/64, so that single precision has their
    products exactly.
    """
    for L_q, L_k, d_k, d_v in [(3, 5, 4, 2), (6, 2, 16, 3)]:
        signs = np.where(np.arange(L_q) % 2 == 0, 1, -1)[:, None]
        shares = np.arange(L_k)[:, None] + rng.integers(0, 4, (L_k, d_k)) / 4  # no two keys are alike
        yield [
            signs * rng.choice([32.0, 48.0], (L_q, d_k)),
            (1024 / d_k**0.5 + rng.permutation(shares)) / 32,
            rng.standard_normal((L_k, d_v)),
        ]
    for wanted, factors in (
        ([1000, 1000, 999.25, 0, -1000, -1000, -999.5], [8.0, 16.0, -8.0, -16.0]),
        ([12_000, 12_000.5, 11_999, 12_001, 11_998.5], [8.0, -8.0, -8.0, 8.0]),
    ):
        shares = rng.integers(-2, 3, (len(wanted), 1)) * np.array([1, -1, 1, -1])  # which cancel
        yield [
            np.outer(rng.permutation(factors), np.ones(4)),
            rng.permutation(np.array(wanted))[:, None] / 16 + shares,
            rng.standard_normal((len(wanted), 3)),
        ]


def several_sentences(rng):
    """Yield one to six axes in front, and queries that share their keys; as many sentences as words; one sentence."""
    yield from dictionaries(rng, (4,), (4,))
    yield from dictionaries(rng, (3, 2), (3, 2))
    yield from dictionaries(rng, (4,), ())
    yield from dictionaries(rng, (2, 3), ())
    yield from dictionaries(rng, (2, 3, 2), (2, 3, 2), ((3, 5, 4, 2),))
    for before_k in [(3,), ()]:
        yield from dictionaries(rng, (3,), before_k, ((3, 3, 3, 3),))
    for before_q in [(1,), (2, 1, 3, 2), (1, 2, 1, 1, 2, 1)]:
        yield from dictionaries(rng, before_q, before_q, ((3, 5, 4, 2),))
    yield from dictionaries(rng, (1, 3, 2, 1), (), ((3, 5, 4, 2),))


ATTENTIONS = (
    "course_lib.functional.attention.attention",
    "course_lib.functional.attention.dot_product_scores",
    "course_lib.functional.lookups.soft_lookup",
    "course_lib.functional.masks.windowed_attention",
    "course_lib.model.attention.*attention*",
    "course_lib.model.MultiHeadAttention",
    "course_lib.fast.*attention*",
    "torch.nn.MultiheadAttention",
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.*attention*",
    "torch.*multi_head*",
)

Q2 = Question(
    "q2",
    "attention",
    attention,
    [
        Part("one sentence", 2, one_sentence),
        Part("large scores", 1, large_scores, tolerance=1e-3),
        Part("several sentences at once", 1, several_sentences),
    ],
    [
        Misconception(
            "Your scores are not scaled: divide them by √d_k.", lambda Q, K, V: _attention(Q, K, V, 1)
        ),
        Misconception(
            "You divide by 2, which is √d_k for keys with four numbers only.",
            lambda Q, K, V: _attention(Q, K, V, 2),
        ),
        Misconception(
            "You divide the scores by d_k; it should be by its square root.",
            lambda Q, K, V: _attention(Q, K, V, Q.shape[-1]),
        ),
        Misconception(
            "You divide by √d_v, the width of the values. Scores come from keys: √d_k.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(V.shape[-1])),
        ),
        Misconception(
            "You divide by the root of the number of keys. It should be √d_k, their width: the last axis.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(K.shape[-2])),
        ),
        Misconception(
            "len(K) is the number of keys in one sentence, and the number of sentences in a batch; d_k is the last "
            "axis, their width.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(len(K))),
        ),
        Misconception(
            "K.shape[1] is the width of the keys in one sentence only; d_k is the last axis, also when others stand in "
            "front.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(K.shape[1])),
        ),
        Misconception(
            "Q.shape[1] is the width of the queries in one sentence only; d_k is the last axis, also when others stand "
            "in front.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(Q.shape[1])),
        ),
        Misconception(
            "You multiply the scores by √d_k; divide by it.",
            lambda Q, K, V: _attention(Q, K, V, 1 / np.sqrt(Q.shape[-1])),
        ),
        Misconception(
            "Your weights sum to 1 over the queries; they should sum to 1 over the keys, the last axis: each query "
            "shares out a weight of 1.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(Q.shape[-1]), -2),
        ),
        Misconception(
            "Your weights sum to 1 along axis 1, which is that of the keys only in one sentence. The keys are always "
            "the last axis of the scores.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(Q.shape[-1]), 1),
        ),
        Misconception(
            "Your softmax takes all scores together: the whole matrix of weights sums to 1. Each row should.",
            lambda Q, K, V: _attention(Q, K, V, np.sqrt(Q.shape[-1]), None),
        ),
        Misconception(
            "You divide the weights by √d_k, after the softmax. Divide the scores, before it: the weights of a query "
            "sum to 1.",
            _scaled_afterwards,
        ),
        Misconception(
            "You return the weights first; asked for is the output first, then the weights.",
            lambda Q, K, V: attention(Q, K, V)[::-1],
        ),
        Misconception(
            "You return the output alone; asked for are the output and the weights.",
            lambda Q, K, V: attention(Q, K, V)[0],
        ),
        Misconception(
            "You return the weights alone; asked for are the output and the weights.",
            lambda Q, K, V: attention(Q, K, V)[1],
        ),
        Misconception(
            "Your weights are not divided by their sum; each row should sum to 1.",
            _not_divided,
        ),
        Misconception(
            "The output is right, but beside it you return the scores; asked for are the weights, after the softmax.",
            lambda Q, K, V: [attention(Q, K, V)[0], Q @ K.mT / np.sqrt(Q.shape[-1])],
        ),
        Misconception(
            "Your softmax takes one maximum away from all scores, and all exponentials of a row far below it are 0. "
            "Each row needs its own maximum; functional.softmax takes care of that.",
            _one_maximum,
        ),
        Misconception(
            "You take the mean of a row's scores away, which does not keep them from overflowing where they lie far "
            "apart. Take the largest away; functional.softmax does.",
            _mean_away,
        ),
        *(
            Misconception(
                "You cut scores off at a largest size, and what lies beyond it looks alike. Leave the scores as they "
                "are; functional.softmax takes care of large ones.",
                partial(_cut_off, most),
            )
            for most in (20, 30, 50, 80, 88, 100, 300, 500, 600, 700, 709)
        ),
        Misconception(
            "Where scores lie far apart you give one key all the weight. Others may be as good, or nearly: the softmax "
            "lets them share it.",
            _best_alone,
        ),
        Misconception(
            "Numbers with more digits only put off the overflow. Take the largest score of each row away first; "
            "functional.softmax does.",
            _with_longdoubles,
        ),
        Misconception(
            "Some of your exponentials overflow. functional.softmax takes care of that; a softmax of your own must "
            "take the largest score of each row away first.",
            lambda Q, K, V: [
                _textbook(Q @ K.mT / np.sqrt(Q.shape[-1]), -1) @ V,
                _textbook(Q @ K.mT / np.sqrt(Q.shape[-1]), -1),
            ],
        ),
    ],
    forbidden=ATTENTIONS,
)

# ---- q3: additive scores ----
#
# - no two of the five sizes alike, or all; one query, one key, one hidden unit
# - one, two and three axes in front; the inputs stay as they are
# - no loop over pairs, whatever it calls: fewer lines of Python run than there are pairs
# - no ready-made additive score


def additive_scores(Q, K, W_q, W_k, v):
    """Score all pairs of queries and keys through tanh units."""
    return np.tanh(_pairs(Q @ W_q, K @ W_k)) @ v


def _pairs(from_queries, from_keys):
    return from_queries[..., :, None, :] + from_keys[..., None, :, :]


A_LOOP = "a loop over all pairs"

# A loop over queries or keys, and over hidden units within, leaves room for a dozen lines a turn.
ASK_Q3 = f"""
from course_lib.exercises.calls import steps

def entry_point(Q, K, W_q, W_k, v, counted):
    if not counted:
        return additive_scores(Q, K, W_q, W_k, v)
    scores, n_lines = steps(additive_scores, Q, K, W_q, W_k, v)
    return scores if n_lines < len(Q) * len(K) else {A_LOOP!r}
"""


def _asked(scores):
    """Make an answer to ASK_Q3 from a function that scores."""
    return lambda Q, K, W_q, W_k, v, counted: scores(Q, K, W_q, W_k, v)


SIZES = ((3, 5, 2, 4, 6), (3, 5, 2, 4, 6), (5, 2, 4, 3, 1), (1, 4, 3, 2, 5), (3, 3, 3, 3, 3), (2, 1, 1, 1, 2))


def hidden_units(rng, *batch, counted=False, sizes=SIZES):
    """Yield queries, keys and weights."""
    for L_q, L_k, d_q, d_k, d_a in sizes:
        yield [
            rng.standard_normal((*batch, L_q, d_q)),
            rng.standard_normal((*batch, L_k, d_k)),
            rng.standard_normal((d_q, d_a)),
            rng.standard_normal((d_k, d_a)),
            rng.standard_normal(d_a),
            counted,
        ]


def several_at_once(rng):
    """Yield one, two and three axes in front; as many sentences as queries."""
    for batch in [(4,), (2, 3), (3,), (2, 3, 2)]:
        yield from hidden_units(rng, *batch, sizes=((3, 5, 2, 4, 6), (5, 2, 4, 3, 2)))


Q3 = Question(
    "q3",
    ASK_Q3,
    _asked(additive_scores),
    [
        Part("one sentence", 2, hidden_units),
        Part("several sentences at once", 1, several_at_once),
        Part(
            "no loop over pairs",
            1,
            lambda rng: hidden_units(rng, counted=True, sizes=((40, 50, 2, 3, 4),)),
        ),
    ],
    [
        Misconception(
            "You loop over all pairs: for 40 queries and 50 keys, 2,000 lines of your code or more run. Lay out all "
            "pairs in one array of shape (L_q, L_k, d_a); a loop over the queries alone would do, too.",
            lambda Q, K, W_q, W_k, v, counted: A_LOOP if counted else additive_scores(Q, K, W_q, W_k, v),
        ),
        Misconception(
            "The tanh is missing. Without it the query's part is the same for all keys, and the softmax cancels it.",
            _asked(lambda Q, K, W_q, W_k, v: _pairs(Q @ W_q, K @ W_k) @ v),
        ),
        Misconception(
            "Query and key each get a tanh of their own. They meet inside one tanh: add first.",
            _asked(lambda Q, K, W_q, W_k, v: _pairs(np.tanh(Q @ W_q), np.tanh(K @ W_k)) @ v),
        ),
        Misconception(
            "Your tanh comes last. It acts on the hidden units, before v adds them up.",
            _asked(lambda Q, K, W_q, W_k, v: np.tanh(_pairs(Q @ W_q, K @ W_k) @ v)),
        ),
        Misconception(
            "Your rows belong to the keys. Scores are (…, L_q, L_k): a row for each query.",
            _asked(lambda Q, K, W_q, W_k, v: additive_scores(K, Q, W_k, W_q, v)),
        ),
        Misconception(
            "The key's part is missing: the score depends on the query alone.",
            _asked(lambda Q, K, W_q, W_k, v: np.tanh(_pairs(Q @ W_q, 0 * (K @ W_k))) @ v),
        ),
        Misconception(
            "The query's part is missing: the score depends on the key alone.",
            _asked(lambda Q, K, W_q, W_k, v: np.tanh(_pairs(0 * (Q @ W_q), K @ W_k)) @ v),
        ),
        Misconception(
            "You take the key's part away from the query's; they are added.",
            _asked(lambda Q, K, W_q, W_k, v: np.tanh(_pairs(Q @ W_q, -(K @ W_k))) @ v),
        ),
        Misconception(
            "Your last axis holds the hidden units, weighted by v; add them up.",
            _asked(lambda Q, K, W_q, W_k, v: np.tanh(_pairs(Q @ W_q, K @ W_k)) * v),
        ),
        Misconception(
            "Your hidden units go through the logistic function, 1 / (1 + e^−a); asked for is tanh.",
            _asked(lambda Q, K, W_q, W_k, v: 1 / (1 + np.exp(-_pairs(Q @ W_q, K @ W_k))) @ v),
        ),
        Misconception(
            "Your hidden units go through max(0, a); asked for is tanh.",
            _asked(lambda Q, K, W_q, W_k, v: np.maximum(_pairs(Q @ W_q, K @ W_k), 0) @ v),
        ),
        Misconception(
            "The hidden units are added up without their weights v.",
            _asked(lambda Q, K, W_q, W_k, v: additive_scores(Q, K, W_q, W_k, np.ones_like(v))),
        ),
        Misconception(
            "You take the mean of the hidden units, after v; they are added up.",
            _asked(lambda Q, K, W_q, W_k, v: additive_scores(Q, K, W_q, W_k, v / len(v))),
        ),
        Misconception(
            "What query and key bring is multiplied; in the additive score it is added.",
            _asked(
                lambda Q, K, W_q, W_k, v: np.tanh((Q @ W_q)[..., :, None, :] * (K @ W_k)[..., None, :, :]) @ v
            ),
        ),
        Misconception(
            "You divide the scores by a square root. The formula of the additive score has no divisor.",
            _asked(lambda Q, K, W_q, W_k, v: additive_scores(Q, K, W_q, W_k, v) / np.sqrt(K.shape[-1])),
        ),
        Misconception(
            "You divide the scores by a square root. The formula of the additive score has no divisor.",
            _asked(lambda Q, K, W_q, W_k, v: additive_scores(Q, K, W_q, W_k, v) / np.sqrt(len(v))),
        ),
        Misconception(
            "You return weights, after a softmax; asked for are the scores before it.",
            _asked(lambda Q, K, W_q, W_k, v: softmax(additive_scores(Q, K, W_q, W_k, v), -1)),
        ),
    ],
    forbidden=("course_lib.functional.attention.additive_scores", "course_lib.model.recurrent.*"),
    describe=lambda *arguments: described(additive_scores, arguments[:5]),
)

# ---- q4a: lines to order, the chain rule for one score ----
#
# - n from 1 on; j anywhere; a gradient of any size; every order that computes the sum, with lines too many or without
# A weight that is 1 has no slope: whatever is done with it is right. So other weights are drawn, too.

PUZZLE = Puzzle("""
  | def one_score(w, g, j):
A |     slopes = w * (1 - mine)
B |     delta[j] = 1
C |     total = (g * slopes).mean()
D |     mine = w[j]
E |     slopes = w * (delta - mine)
F |     delta = np.zeros(len(w))
G |     total = g[j] * slopes[j]
H |     total = (g * slopes).sum()
I |     mine = w
  |     return total
""")


def one_score(w, g, j):
    """Return the gradient of score j from that of the weights."""
    return w[j] * (g[j] - (w * g).sum())


def rows_and_scores(rng):
    """Yield a row of weights, the gradient that arrives at it, and the number of a score, first and last included."""
    for n, j in [(3, 0), (4, 3), (6, int(rng.integers(1, 5))), (2, 1), (1, 0)]:
        w = softmax(rng.standard_normal(n), -1)
        yield [w, rng.integers(1, 9, n) + rng.random(n), j]


Q4A = question_of_order(
    "q4a",
    Ordering(
        PUZZLE,
        one_score,
        rows_and_scores,
        {
            "A": Distractor("takes δ = 1 for every weight. It is 1 for the weight with i = j alone.", "E"),
            "C": Distractor(
                "divides the sum by the number of weights. The chain rule adds up, and divides by nothing.",
                "H",
            ),
            "G": Distractor("keeps the term with i = j alone. A score also moves all other weights.", "H"),
            "I": Distractor(
                "takes from each weight itself, w_i. What stands in the bracket is w_j, for all i.", "D"
            ),
        },
        {("E", "B"): "compute the slopes while δ is still 0 everywhere: its 1 is written too late."},
    ),
)

# ---- q4: the gradient of the softmax ----
#
# - one row; rows with one, two, three and five axes in front, as many rows as weights, as many axes of one length
# - weights of exactly 0 and 1; gradients whose mean is not 0, of both signs, in the hundreds too; the inputs stay as
#   they are
# - a single weight: in the second part alone, so that it is paid for once
# - no array of n × n numbers, of whatever type, in NumPy or in PyTorch: for one row, and for one and for four with one
#   and two axes in front
# - no automatic differentiation


def softmax_gradient(weights, gradient):
    """Carry a gradient from the weights back to the scores."""
    return weights * (gradient - (weights * gradient).sum(axis=-1, keepdims=True))


AN_ARRAY = "an array of n × n numbers"
NO_ARRAY = "no such array"

# The first call is for what an answer imports or makes once. Even n × n booleans are too many. With an axis in front,
# only memory counts: what comes out there is the part before.
ASK_Q4 = f"""
import numpy
from course_lib.exercises.calls import memory

def entry_point(weights, gradient, measured):
    if not measured:
        return softmax_gradient(weights, gradient)
    softmax_gradient(numpy.array([0.5, 0.25, 0.25]), numpy.array([2.0, 0.0, 8.0]))
    try:
        found, n_bytes, _ = memory(softmax_gradient, weights, gradient, by_line=False)
    except Exception:
        if weights.ndim == 1:
            raise
        return {NO_ARRAY!r}
    if n_bytes >= weights.shape[-1] ** 2:
        return {AN_ARRAY!r}
    return found if weights.ndim == 1 else {NO_ARRAY!r}
"""


def _measured(gradient_of):
    """Make an answer to ASK_Q4 from a function of weights and gradient."""

    def answer(weights, gradient, measured):
        return NO_ARRAY if measured and weights.ndim > 1 else gradient_of(weights, gradient)

    return answer


def _first_row_only(weights, gradient):
    if weights.ndim == 1:
        raise ValueError("one row")
    found = softmax_gradient(weights, gradient)
    found[1:] = 0
    return found


def _weights_and_gradient(rng, n):
    """Draw a row whose result is not far smaller than what it is the difference of.

    Of two gradients that are almost the same, or where one weight is almost 1, single precision leaves too little.
    """
    while True:
        weights, gradient = softmax(1.5 * rng.standard_normal(n), -1), rng.standard_normal(n) + 0.5
        if abs(softmax_gradient(weights, gradient)).max() > 0.1 * abs(weights * gradient).max():
            return weights, gradient


def weights_and_gradients(rng, shapes, measured=False):
    """Yield weights, softmaxes of random scores, and the gradients that arrive at them."""
    for *front, n in shapes:
        rows = [_weights_and_gradient(rng, n) for _ in range(math.prod(front))]
        weights, gradient = (np.reshape(numbers, (*front, n)) for numbers in zip(*rows, strict=True))
        yield [weights, gradient, measured]


def one_row(rng):
    """Yield rows of several lengths; gradients of about 1, and of several hundred."""
    yield from weights_and_gradients(rng, [(5,), (5,), (2,), (7,)])
    for weights, gradient, measured in weights_and_gradients(rng, [(6,)]):
        gradient[0] *= 1e-6  # what is taken away from it and given back leaves its mark
        yield [weights, 300 * gradient, measured]


def many_rows(rng):
    """Yield rows of weights; one of them is certain, and another leaves out a key; rows of a single weight.

    With that the result is 0, beside which rounding has no measure: so its numbers are exact in any precision.
    """
    yield from weights_and_gradients(
        rng, [(4, 6), (2, 5, 3), (3, 3), (3, 3, 3), (2, 1, 2, 4), (1, 5), (2, 1, 2, 1, 2, 3)]
    )
    for shape in [(1, 1), (3, 1), (2, 3, 1)]:
        yield [np.ones(shape), rng.integers(1, 9, shape) / 4, False]
    for weights, gradient, measured in weights_and_gradients(rng, [(3, 2, 4)]):
        weights[0, 1] = [0, 0, 1, 0]
        weights[2, 0] = [0.5, 0, 0.25, 0.25]
        yield [weights, gradient, measured]


AUTOMATIC_DIFFERENTIATION = (
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.autograd.functional.*",
    "torch.autograd.forward_ad.*",
    "torch.func.*",
    "torch._functorch.*",
    "torch.*_backward_data*",
    "torch.*run_backward*",
)

Q4 = Question(
    "q4",
    ASK_Q4,
    _measured(softmax_gradient),
    [
        Part("one row", 2, one_row),
        Part("many rows", 1, many_rows),
        Part(
            "without an n × n matrix",
            1,
            lambda rng: weights_and_gradients(rng, [(700,), (1, 700), (2, 2, 700)], measured=True),
        ),
    ],
    [
        Misconception(
            "For n = 700 weights your code takes n × n = 490,000 bytes or more at once, as much as an array of n × n "
            "numbers. Carry out the sum over i on paper: what is left needs n numbers.",
            lambda weights, gradient, measured: AN_ARRAY if measured else [],
            "In some cases your code takes n × n = 490,000 bytes or more at once for n = 700 weights, as much as an "
            "array of n × n numbers. Carry out the sum over i on paper: what is left needs n numbers.",
        ),
        Misconception(
            "The sum over all weights is missing: you return w g, and a score also takes weight from the others.",
            _measured(lambda w, g: w * g),
        ),
        Misconception(
            "You use the derivatives with i = j only, w (1 − w). A score also moves all other weights.",
            _measured(lambda w, g: w * (1 - w) * g),
        ),
        Misconception(
            "In the sum, each g has to be counted with its weight w.",
            _measured(lambda w, g: w * (g - g.sum(axis=-1, keepdims=True))),
        ),
        Misconception(
            "You take the plain mean of the g. It has to be their average with the weights w.",
            _measured(lambda w, g: w * (g - g.mean(axis=-1, keepdims=True))),
        ),
        Misconception(
            "You divide the sum of w g by the number of weights. The weights sum to 1 already: it is an average as it "
            "stands.",
            _measured(lambda w, g: w * (g - (w * g).mean(axis=-1, keepdims=True))),
        ),
        Misconception(
            "The factor w_j in front is missing: a key without weight cannot hand on a gradient.",
            _measured(lambda w, g: g - (w * g).sum(axis=-1, keepdims=True)),
        ),
        Misconception(
            "The sum of w g has lost its factor w_j.",
            _measured(lambda w, g: w * g - (w * g).sum(axis=-1, keepdims=True)),
        ),
        Misconception(
            "Your result is right but for the sign.", _measured(lambda w, g: -softmax_gradient(w, g))
        ),
        Misconception(
            "You add up over the whole array. Each row has a sum of its own: axis=-1, with keepdims=True.",
            _measured(lambda w, g: w * (g - (w * g).sum())),
        ),
        Misconception(
            "You add up over the first axis; the sum runs along each row: axis=-1, with keepdims=True.",
            _measured(lambda w, g: w * (g - (w * g).sum(axis=0))),
        ),
        Misconception(
            "Of several rows you compute the first alone, and leave zeros for the others.",
            _measured(_first_row_only),
        ),
        Misconception(
            "The sum of w g is added; it has to be taken away.",
            _measured(lambda w, g: w * (g + (w * g).sum(axis=-1, keepdims=True))),
        ),
        Misconception(
            "In the sum, each g is counted with its weight w, not with w².",
            _measured(lambda w, g: w * (g - (w**2 * g).sum(axis=-1, keepdims=True))),
        ),
        Misconception(
            "You subtract w_j alone; what is to be subtracted from g_j is the sum of all w g.",
            _measured(lambda w, g: w * (g - w)),
        ),
        Misconception(
            "You take `weights` for scores, and a softmax of them. They are the weights already.",
            _measured(lambda w, g: softmax_gradient(softmax(w, -1), g)),
        ),
    ],
    forbidden=AUTOMATIC_DIFFERENTIATION,
    describe=lambda *arguments: described(softmax_gradient, arguments[:2]),
)

# ---- q5: divisor and temperature ----
#
# - deviations that are alike, but not 1; each for itself; one that is 0; d_k = 1
# - two scores, and more, in any order: the best and the second stand first, last or between; the second best may occur
#   several times; scores of both signs, in the thousands, and so far apart that a weight is 0
# - ratios near 1 and large ones; scores stay as they are
# - an array with one entry counts as a number

ASK_Q5 = """
def entry_point(which, *arguments):
    found = unit_divisor(*arguments) if which == "unit_divisor" else temperature(*arguments)
    return found[0] if getattr(found, "shape", None) == (1,) else found
"""


def unit_divisor(std_q, std_k):
    """Return the standard deviation of q·k."""
    return np.linalg.norm(std_q * std_k)


def temperature(scores, ratio):
    """Return what the scores are divided by, so that the best key gets `ratio` times the second's weight."""
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)


def _from_weights(scores, ratio):
    shares = np.sort(softmax(scores, -1))
    return np.log(shares[-1] / shares[-2]) / np.log(ratio)


def _from_exponentials(scores, ratio):
    powers = np.sort(np.exp(scores))
    return np.log(powers[-1] / powers[-2]) / np.log(ratio)


EXPONENTIALS = (
    "temperature: scores may be so large, or so far apart, that their exponentials overflow or weights are 0. The "
    "logarithm of the ratio of two weights is best minus second best: no exponential is needed."
)


def _about(name, wrong):
    """Make a misconception about one of the two functions."""

    def answer(which, *arguments):
        if which != name:
            raise ValueError("the other function")
        return wrong(*arguments)

    return answer


_divisor = partial(_about, "unit_divisor")
_temperature = partial(_about, "temperature")


def _variance_if_alike(std_q, std_k):
    if np.ptp(std_q) + np.ptp(std_k):
        raise ValueError("they differ")
    return len(std_q) * std_q[0] * std_k[0]


def alike(rng):
    """Yield queries whose entries have one standard deviation, and keys with another; their product is not 1."""
    for d_k in (5, 16, 3, 5):
        std_q = rng.uniform(1.2, 3)
        std_k = rng.uniform(0.3, 0.8) / std_q if d_k == 16 else rng.uniform(1.3, 2) / std_q
        yield ["unit_divisor", std_q * np.ones(d_k), std_k * np.ones(d_k)]


def each_for_itself(rng):
    """Yield standard deviations that differ; one is 0; and a single one."""
    for d_k in (5, 16, 3, 1, 5):
        std_q, std_k = rng.uniform(1.2, 3) * rng.uniform(0.2, 3, (2, d_k)) * np.array([[1], [0.3]])
        if d_k == 16:
            std_k[3] = 0
        yield ["unit_divisor", std_q, std_k]


def choices(rng):
    """Yield scores, and how many times the second best the best is to get; these two stand at many places."""
    for order, ratio, shift in [
        ([1, 0], 3.0, 0.0),
        ([2, 0, 3, 1, 4], 1.5, -20.0),
        ([3, 5, 1, 6, 4, 0, 7, 2], 40.0, 10.0),
        ([2, 0, 3, 1], 7.0, 0.0),
        ([3, 2, 0, 1], 1.01, 2000.0),
        ([3, 2, 0, 1], 1.01, -2000.0),
    ]:
        n = len(order)
        falling = np.sort(0.5 * rng.permutation(3 * n)[:n] + rng.uniform(0, 0.3, n))[::-1]
        falling = (8 * falling).round() / 8 + shift  # numbers that single precision has as well
        yield ["temperature", falling[order], ratio]
    second = rng.uniform(-1, 1)
    yield [
        "temperature",
        np.array([second, -2.0, second + rng.uniform(0.5, 2), second]),
        5.0,
    ]  # the second twice
    yield ["temperature", rng.permutation([-3000.0, rng.uniform(900, 1000), 2000.0 + rng.uniform(0, 9)]), 3.0]


def _call(which, *arguments):
    function = {"unit_divisor": unit_divisor, "temperature": temperature}[which]
    return f"{which}({described(function, arguments)})"


Q5 = Question(
    "q5",
    ASK_Q5,
    lambda which, *arguments: {"unit_divisor": unit_divisor, "temperature": temperature}[which](*arguments),
    [
        Part("unit_divisor, all entries alike", 1, alike),
        Part("unit_divisor, each entry for itself", 1, each_for_itself),
        Part("temperature", 2, choices),
    ],
    [
        Misconception(
            "unit_divisor: with all entries alike, your divisor grows like d_k. The variance does; its root, by which "
            "scores are divided, grows like √d_k.",
            _divisor(_variance_if_alike),
        ),
        Misconception(
            "unit_divisor: √d_k is right only if all standard deviations are 1.",
            _divisor(lambda q, k: np.sqrt(len(q))),
        ),
        Misconception(
            "unit_divisor: you return the variance of q·k. Dividing by c divides a variance by c²: take the root.",
            _divisor(lambda q, k: np.sum((q * k) ** 2)),
        ),
        Misconception(
            "unit_divisor: you add up standard deviations. Only variances of independent terms add up.",
            _divisor(lambda q, k: np.sum(q * k)),
        ),
        Misconception(
            "unit_divisor: you add up standard deviations under the root; it should be variances, their squares.",
            _divisor(lambda q, k: np.sqrt(np.sum(q * k))),
        ),
        Misconception(
            "unit_divisor: entry r of a query meets only entry r of a key. Multiply first, then add up.",
            _divisor(lambda q, k: np.linalg.norm(q) * np.linalg.norm(k)),
        ),
        Misconception(
            "unit_divisor: you count with the mean of the standard deviations, as if all entries were alike. Each "
            "entry brings a variance of its own.",
            _divisor(lambda q, k: np.sqrt(len(q)) * q.mean() * k.mean()),
        ),
        Misconception(
            "unit_divisor: you count with the mean of the variances of queries and of keys. A large entry of a query "
            "may meet a small one of a key: multiply in each place, then add up.",
            _divisor(lambda q, k: np.sqrt(len(q) * np.mean(q**2) * np.mean(k**2))),
        ),
        Misconception(
            "unit_divisor: you take the first standard deviations for all. Each entry brings a variance of its own.",
            _divisor(lambda q, k: np.sqrt(len(q)) * q[0] * k[0]),
        ),
        Misconception(
            "unit_divisor: you take the last standard deviations for all. Each entry brings a variance of its own.",
            _divisor(lambda q, k: np.sqrt(len(q)) * q[-1] * k[-1]),
        ),
        Misconception(
            "unit_divisor: you divide the standard deviation of q·k by d_k. Return it as it is.",
            _divisor(lambda q, k: unit_divisor(q, k) / len(q)),
        ),
        Misconception(
            "unit_divisor: the keys' standard deviations are not used.",
            _divisor(lambda q, k: np.linalg.norm(q)),
        ),
        Misconception(
            "unit_divisor: the queries' standard deviations are not used.",
            _divisor(lambda q, k: np.linalg.norm(k)),
        ),
        Misconception(
            "unit_divisor: you return the mean of the variances, not their sum.",
            _divisor(lambda q, k: np.sqrt(np.mean((q * k) ** 2))),
        ),
        Misconception(
            "unit_divisor: you add the variances of query and key. The variance of a product of two independent "
            "numbers with mean 0 is the product of their variances.",
            _divisor(lambda q, k: np.sqrt(np.sum(q**2 + k**2))),
        ),
        Misconception(
            "unit_divisor: you take the mean of the products σ_r τ_r. It is their squares, the variances, that add up.",
            _divisor(lambda q, k: np.sqrt(len(q)) * np.mean(q * k)),
        ),
        Misconception(
            "unit_divisor: the √d_k is too much. Adding up over all entries has brought it in already.",
            _divisor(lambda q, k: np.sqrt(len(q)) * unit_divisor(q, k)),
        ),
        Misconception(
            "unit_divisor: you return what to multiply by, 1 / c.",
            _divisor(lambda q, k: 1 / unit_divisor(q, k)),
        ),
        Misconception(
            "temperature: you return the sharpness, 1 / T. The scores are divided by T.",
            _temperature(lambda s, ratio: 1 / temperature(s, ratio)),
        ),
        Misconception(
            "temperature: a ratio of weights is e to the power of a difference of scores. Take the logarithm of the "
            "ratio.",
            _temperature(lambda s, ratio: temperature(s, np.exp(ratio))),
        ),
        Misconception(
            EXPONENTIALS,
            _temperature(_from_weights),
            EXPONENTIALS,
        ),
        Misconception(
            EXPONENTIALS,
            _temperature(_from_exponentials),
        ),
        Misconception(
            "temperature: you compare the best score with the third best; asked for is the second best.",
            _temperature(lambda s, ratio: (np.sort(s)[-1] - np.sort(s)[-3]) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you compare the best score with the mean of the others; asked for is the second best.",
            _temperature(lambda s, ratio: (s.max() - np.delete(s, s.argmax()).mean()) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you return the difference of the two scores; divide it by the logarithm of the ratio.",
            _temperature(lambda s, ratio: temperature(s, np.e)),
        ),
        Misconception(
            "temperature: you return the logarithm of the ratio alone. T depends on the scores, too.",
            _temperature(lambda s, ratio: np.log(ratio)),
        ),
        Misconception(
            "temperature: this is the logarithm to base 2. The softmax is made with e: np.log.",
            _temperature(lambda s, ratio: temperature(s, ratio) * np.log(2)),
        ),
        Misconception(
            "temperature: this is the logarithm to base 10. The softmax is made with e: np.log.",
            _temperature(lambda s, ratio: temperature(s, ratio) * np.log(10)),
        ),
        Misconception(
            "temperature: you compare the best key with the worst; asked for is the second best.",
            _temperature(lambda s, ratio: (s.max() - s.min()) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you compare the first two scores, which need not be the largest. Sort a copy first.",
            _temperature(lambda s, ratio: (s[0] - s[1]) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you compare the first two scores, which need not be the largest. Sort a copy first.",
            _temperature(lambda s, ratio: np.abs(s[0] - s[1]) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you compare the last two scores, which need not be the largest. Sort a copy first.",
            _temperature(lambda s, ratio: (s[-1] - s[-2]) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you divide the two best scores by each other. What counts is their difference.",
            _temperature(lambda s, ratio: np.divide(*np.sort(s)[:-3:-1]) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you multiply by the logarithm of the ratio. A larger ratio needs a smaller T: divide by it.",
            _temperature(lambda s, ratio: temperature(s, ratio) * np.log(ratio) ** 2),
        ),
        Misconception(
            "temperature: you divide the ratio of the weights at T = 1 by the one wanted. T divides the difference of "
            "the scores, which is the logarithm of that ratio.",
            _temperature(lambda s, ratio: np.exp(-np.diff(np.sort(s)[::-1])[0]) / ratio),
        ),
        Misconception(
            "temperature: you compare the two smallest scores. np.sort puts the largest last.",
            _temperature(lambda s, ratio: np.subtract(*np.sort(s)[:2]) / np.log(ratio)),
        ),
        Misconception(
            "temperature: you compare the two smallest scores. np.sort puts the largest last.",
            _temperature(lambda s, ratio: np.diff(np.sort(s))[0] / np.log(ratio)),
        ),
        Misconception(
            "temperature: right but for the sign: best minus second best.",
            _temperature(lambda s, ratio: -temperature(s, ratio)),
        ),
    ],
    describe=_call,
)


QUESTIONS = [Q1, Q2, Q3, Q4A, Q4, Q5]
