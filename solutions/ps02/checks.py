"""What decides the questions of ps02: attention and its parts, with NumPy."""

import numpy as np

from course_lib.grading.questions import Misconception, Part, Question

# ---- q1: a softmax along any axis, for any scores ----


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
    """Yield scores of moderate size, and one of their axes."""
    for shape, axis in [
        ((4, 7), 0),
        ((2, 5, 3), 1),
        ((2, 5, 3), -3),
        ((6,), 0),
        ((3, 4, 2, 5), -2),
        ((5, 3), 1),
    ]:
        yield [2 * rng.standard_normal(shape), axis]


def extreme_vectors(rng):
    """Yield vectors of scores that are all large, all small, or both, and with single entries −∞.

    Here and below all are numbers of single precision, so that an answer may compute in it.
    """
    for n, axis, dtype, sign in [(5, 0, np.float32, 1), (6, -1, np.float64, -1)]:
        x = rng.standard_normal(n) + sign * rng.uniform(1000, 3000)
        yield [x.astype(np.float32).astype(dtype), axis]
        x[rng.integers(n)] = -np.inf
        yield [x.astype(np.float32).astype(dtype), axis]
    for _ in range(2):
        yield [(2000 * rng.standard_normal(7)).astype(np.float32).astype(np.float64), 0]


def large_beside_small(rng):
    """Yield rows of large scores beside rows of small ones, single entries −∞, and rows of both; the last axis.

    The large rows of a matrix are about equally large, so that a sum over the whole array is not that of one row.
    """
    for shape, axis, dtype in [((5, 4), -1, np.float32), ((2, 3, 6), 2, np.float64)]:
        signs = np.where(np.arange(shape[-2]) % 2 == 0, 1, -1)[:, None]
        x = rng.standard_normal(shape) + signs * rng.uniform(1000, 3000, (*shape[:-2], 1, 1))
        yield [x.astype(np.float32).astype(dtype), axis]
        x[..., rng.integers(shape[-1])] = -np.inf
        yield [x.astype(np.float32).astype(dtype), axis]
    yield [(2000 * rng.standard_normal((4, 7))).astype(np.float32).astype(np.float64), 1]


Q1 = Question(
    "q1",
    "softmax",
    softmax,
    [
        Part("along any axis", 2, any_axis),
        Part("a vector of scores too large or too small for exp", 1, extreme_vectors),
        Part("large and small groups in one array", 1, large_beside_small),
    ],
    [
        Misconception(
            "You normalise the whole array: all its entries together sum to 1. Only the entries along `axis` share a "
            "sum.",
            lambda x, axis: softmax(x, None),
        ),
        Misconception(
            "Zeros in place of what overflows or vanishes, as np.nan_to_num puts them, hide that the shares are lost. "
            "Take the largest score away before you take the exponential.",
            lambda x, axis: np.nan_to_num(_textbook(x, axis)),
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
        Misconception(
            "You take the smallest score away: what is far above it still overflows. Take the largest away.",
            lambda x, axis: _shifted(x, axis, x.min(axis=axis, keepdims=True)),
        ),
        Misconception(
            "The exponential of a large score overflows, that of a very small one becomes 0, and ∞ / ∞ and 0 / 0 are "
            "not a number. Take the largest score away before you take the exponential; the shares stay the same.",
            _textbook,
        ),
        Misconception(
            "Your entries sum to 1 along the last axis, also where `axis` is another.",
            lambda x, axis: softmax(x, -1),
        ),
        Misconception(
            "Your entries sum to 1 along the first axis, also where `axis` is another.",
            lambda x, axis: softmax(x, 0),
        ),
        Misconception(
            "You take the maximum along the last axis and the sum along `axis`. What you take away cancels only if it "
            "is the same for all entries that share a sum.",
            lambda x, axis: _shifted(x, axis, x.max(axis=-1, keepdims=True)),
        ),
    ],
    forbidden=(
        "functional.softmax",  # as the notebook calls it
        "course_lib.functional.softmax",
        "scipy.special.softmax",
        "scipy.special.log_softmax",
        "scipy.special.logsumexp",
        "torch.softmax",
        "torch.log_softmax",
        "torch.logsumexp",
        "torch.nn.Softmax",
        "torch.nn.LogSoftmax",
        "torch.nn.functional.softmax",
        "torch.nn.functional.log_softmax",
        "torch.Tensor.softmax",
        "torch.Tensor.log_softmax",
        "torch.Tensor.logsumexp",
    ),
)

# ---- q2: attention ----


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


def _scaled_afterwards(Q, K, V):
    weights = softmax(Q @ K.mT, -1) / np.sqrt(Q.shape[-1])
    return [weights @ V, weights]


def dictionaries(rng, before_q, before_k):
    """Yield queries, keys and values in which all sizes differ."""
    for L_q, L_k, d_k, d_v in [(3, 5, 4, 2), (6, 2, 7, 3)]:
        yield [
            rng.standard_normal((*before_q, L_q, d_k)),
            rng.standard_normal((*before_k, L_k, d_k)),
            rng.standard_normal((*before_k, L_k, d_v)),
        ]


def large_scores(rng):
    """Yield queries and keys whose scores lie near 1000 or −1000, and differ from key to key by about 1."""
    for L_q, L_k, d_k, d_v in [(3, 5, 4, 2), (6, 2, 7, 3)]:
        signs = np.where(np.arange(L_q) % 2 == 0, 1, -1)[:, None]
        yield [
            signs * rng.uniform(30, 50, (L_q, d_k)),
            30 + rng.standard_normal((L_k, d_k)) / 40,
            rng.standard_normal((L_k, d_v)),
        ]


def several_sentences(rng):
    """Yield one and two axes in front, and queries that share their keys."""
    yield from dictionaries(rng, (4,), (4,))
    yield from dictionaries(rng, (3, 2), (3, 2))
    yield from dictionaries(rng, (4,), ())
    yield from dictionaries(rng, (2, 3), ())


Q2 = Question(
    "q2",
    "attention",
    attention,
    [
        Part("one sentence", 2, lambda rng: dictionaries(rng, (), ())),
        Part("large scores", 1, large_scores),
        Part("several sentences at once", 1, several_sentences),
    ],
    [
        Misconception(
            "Your scores are not scaled: divide them by √d_k.", lambda Q, K, V: _attention(Q, K, V, 1)
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
            "The output is right, but beside it you return the scores; asked for are the weights, after the softmax.",
            lambda Q, K, V: [attention(Q, K, V)[0], Q @ K.mT / np.sqrt(Q.shape[-1])],
        ),
        Misconception(
            "Your softmax takes one maximum away from all scores, and all exponentials of a row far below it are 0. "
            "Each row needs its own maximum; functional.softmax takes care of that.",
            _one_maximum,
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
    forbidden=(
        "course_lib.functional.attention",
        "course_lib.functional.dot_product_scores",
        "course_lib.functional.soft_lookup",
        "course_lib.functional.windowed_attention",
        "torch.nn.functional.scaled_dot_product_attention",
        "torch.nn.functional.multi_head_attention_forward",
        "torch.nn.MultiheadAttention",
    ),
    tolerance=2e-3,  # single precision leaves four digits of a difference between scores near 1000
)

# ---- q3: additive scores ----


def additive_scores(Q, K, W_q, W_k, v):
    """Score all pairs of queries and keys through tanh units."""
    return np.tanh(_pairs(Q @ W_q, K @ W_k)) @ v


def _pairs(from_queries, from_keys):
    return from_queries[..., :, None, :] + from_keys[..., None, :, :]


# Counts the calls of tanh. Who calls another function is believed.
ASK_Q3 = """
import math
from unittest import mock

import numpy

def ask(Q, K, W_q, W_k, v, counted):
    if not counted:
        return additive_scores(Q, K, W_q, W_k, v)
    calls = []

    def counting(function):
        def call(*args, **kwargs):
            calls.append(function)
            return function(*args, **kwargs)

        return call

    with (
        mock.patch.object(numpy, "tanh", counting(numpy.tanh)),
        mock.patch.object(math, "tanh", counting(math.tanh)),
    ):
        scores = additive_scores(Q, K, W_q, W_k, v)
    return [scores, len(calls) < len(Q) * len(K)]
"""


def _asked(scores, few_calls=True):
    """Make an answer to ASK_Q3 from a function that scores."""

    def answer(Q, K, W_q, W_k, v, counted):
        found = scores(Q, K, W_q, W_k, v)
        return [found, few_calls] if counted else found

    return answer


def hidden_units(rng, *batch, counted=False, sizes=((3, 5, 2, 4, 6), (5, 2, 4, 3, 1), (1, 4, 3, 2, 5))):
    """Yield queries, keys and weights in which all sizes differ."""
    for L_q, L_k, d_q, d_k, d_a in sizes:
        yield [
            rng.standard_normal((*batch, L_q, d_q)),
            rng.standard_normal((*batch, L_k, d_k)),
            rng.standard_normal((d_q, d_a)),
            rng.standard_normal((d_k, d_a)),
            rng.standard_normal(d_a),
            counted,
        ]


Q3 = Question(
    "q3",
    ASK_Q3,
    _asked(additive_scores),
    [
        Part("one sentence", 2, hidden_units),
        Part("several sentences at once", 1, lambda rng: [*hidden_units(rng, 4), *hidden_units(rng, 2, 3)]),
        Part(
            "no loop over pairs",
            1,
            lambda rng: hidden_units(rng, counted=True, sizes=((6, 9, 2, 3, 4), (8, 5, 3, 2, 1))),
        ),
    ],
    [
        Misconception(
            "The scores are right, but tanh is called once for every pair of query and key. Lay out all pairs in one "
            "array of shape (L_q, L_k, d_a) and call it once (a loop over queries would do, too).",
            _asked(additive_scores, few_calls=False),
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
            "You divide the scores by a square root. Additive scores are not scaled: tanh keeps them in bounds.",
            _asked(lambda Q, K, W_q, W_k, v: additive_scores(Q, K, W_q, W_k, v) / np.sqrt(K.shape[-1])),
        ),
        Misconception(
            "You divide the scores by a square root. Additive scores are not scaled: tanh keeps them in bounds.",
            _asked(lambda Q, K, W_q, W_k, v: additive_scores(Q, K, W_q, W_k, v) / np.sqrt(len(v))),
        ),
        Misconception(
            "You return weights, after a softmax; asked for are the scores before it.",
            _asked(lambda Q, K, W_q, W_k, v: softmax(additive_scores(Q, K, W_q, W_k, v), -1)),
        ),
    ],
    forbidden=("course_lib.functional.additive_scores",),
)

# ---- q4: the gradient of the softmax ----


def softmax_gradient(weights, gradient):
    """Carry a gradient from the weights back to the scores."""
    return weights * (gradient - (weights * gradient).sum(axis=-1, keepdims=True))


# The first call is for what an answer imports or makes once; the second is measured.
ASK_Q4 = """
import tracemalloc

def ask(weights, gradient, measured):
    found = softmax_gradient(weights, gradient)
    if not measured:
        return found
    already = tracemalloc.is_tracing()
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    softmax_gradient(weights, gradient)
    peak = tracemalloc.get_traced_memory()[1] - before
    if not already:
        tracemalloc.stop()
    n = weights.shape[-1]
    return [found, peak < 2 * n * n]
"""


def _measured(gradient_of, small=True):
    """Make an answer to ASK_Q4 from a function of weights and gradient."""

    def answer(weights, gradient, measured):
        found = gradient_of(weights, gradient)
        return [found, small] if measured else found

    return answer


def weights_and_gradients(rng, shapes, measured=False, lower=0.0):
    """Yield weights, softmaxes of random scores, and the gradients that arrive at them."""
    for shape in shapes:
        scores = 1.5 * rng.standard_normal(shape)
        yield [softmax(scores, -1), rng.standard_normal(shape) + lower, measured]


def many_rows(rng):
    """Yield rows of weights; one of them is certain, and another leaves out a key."""
    yield from weights_and_gradients(rng, [(4, 6), (2, 5, 3)])
    for weights, gradient, measured in weights_and_gradients(rng, [(3, 2, 4)]):
        weights[0, 1] = [0, 0, 1, 0]
        weights[2, 0] = [0.5, 0, 0.25, 0.25]
        yield [weights, gradient, measured]


Q4 = Question(
    "q4",
    ASK_Q4,
    _measured(softmax_gradient),
    [
        Part("one row", 2, lambda rng: weights_and_gradients(rng, [(5,), (2,), (7,)], lower=0.5)),
        Part("many rows", 1, many_rows),
        Part("without an n × n matrix", 1, lambda rng: weights_and_gradients(rng, [(600,)], measured=True)),
    ],
    [
        Misconception(
            "The gradient is right, but on the way an array of n × n numbers is made. Carry out the sum over i on "
            "paper: what is left needs n numbers.",
            _measured(softmax_gradient, small=False),
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
            "You take `weights` for scores, and a softmax of them. They are the weights already.",
            _measured(lambda w, g: softmax_gradient(softmax(w, -1), g)),
        ),
    ],
    forbidden=("torch.autograd.grad", "torch.autograd.backward", "torch.Tensor.backward", "torch.func.vjp"),
)

# ---- q5: divisor and temperature ----

ASK_Q5 = """
def ask(which, *arguments):
    if which == "unit_divisor":
        return unit_divisor(*arguments)
    return temperature(*arguments)
"""


def unit_divisor(std_q, std_k):
    """Return the standard deviation of q·k."""
    return np.linalg.norm(std_q * std_k)


def temperature(scores, ratio):
    """Return what the scores are divided by, so that the best key gets `ratio` times the second's weight."""
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(ratio)


OTHER = "the other function"


def _divisor(wrong):
    """Make a misconception about the first function alone."""
    return lambda which, *arguments: wrong(*arguments) if which == "unit_divisor" else OTHER


def _temperature(wrong):
    """Make a misconception about the second function alone."""
    return lambda which, *arguments: wrong(*arguments) if which == "temperature" else OTHER


def deviations(rng, alike):
    """Yield standard deviations of the entries of queries and of keys."""
    for d_k in (5, 16, 3):
        entries = np.ones(d_k) if alike else rng.uniform(0.2, 3, d_k)
        std_q = rng.uniform(1.2, 3) * entries
        std_k = rng.uniform(0.3, 0.8) * (np.ones(d_k) if alike else rng.uniform(0.2, 3, d_k))
        if d_k == 16 and not alike:
            std_k[3] = 0
        yield ["unit_divisor", std_q, std_k]


def choices(rng):
    """Yield scores, and how many times the second best the best is to get; these two stand neither first nor last."""
    for order, ratio, shift in [
        ([1, 0], 3.0, 0.0),
        ([2, 0, 3, 1, 4], 1.5, -20.0),
        ([3, 5, 1, 6, 4, 0, 7, 2], 40.0, 10.0),
        ([2, 0, 3, 1], 7.0, 0.0),
    ]:
        n = len(order)
        falling = np.sort(0.5 * rng.permutation(3 * n)[:n] + rng.uniform(0, 0.3, n))[::-1] + shift
        yield ["temperature", falling[order], ratio]


Q5 = Question(
    "q5",
    ASK_Q5,
    lambda which, *arguments: {"unit_divisor": unit_divisor, "temperature": temperature}[which](*arguments),
    [
        Part("unit_divisor, all entries alike", 1, lambda rng: deviations(rng, alike=True)),
        Part("unit_divisor, each entry for itself", 1, lambda rng: deviations(rng, alike=False)),
        Part("temperature", 2, choices),
    ],
    [
        Misconception(
            "unit_divisor: with all entries alike, your divisor grows like d_k. The variance does; its root, by which "
            "scores are divided, grows like √d_k.",
            _divisor(lambda q, k: len(q) * q[0] * k[0] if np.ptp(q) + np.ptp(k) == 0 else OTHER),
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
)


QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
