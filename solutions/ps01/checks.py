"""What decides the questions of ps01: convolutions and recurrent networks by hand.

Before each question stand the conditions that its text states. Each has a case of its own: nothing rests on luck.
"""

import inspect
from functools import partial
from itertools import product

import numpy as np

from course_grading.parsons import Distractor, Ordering
from course_grading.parsons import question as question_of_order
from course_grading.questions import Misconception, Part, Question
from course_lib.exercises.hints import compare, described, settled
from course_lib.exercises.parsons import Puzzle


def telling(draw, right, mistakes, differs):
    """Draw until each mistake shows in a case, so that it costs the same whatever is drawn; it mostly does at once."""
    while True:
        case = draw()
        expected = right(*case)
        if all(differs(mistake(*case), expected) for mistake in mistakes):
            return case


# ---- q1: a convolution over a sentence ----
#
# - whole windows only, L − k + 1 of them: k = L, k = 1, kernels of odd and of even length, of eight words too
# - d_in and d_out differ, or do not; either may be larger than L
# - any number of axes in front: none, one, two, three; windows stand where the words were
# - the inputs stay as they are; no ready-made convolution


def conv1d(x, W, b):
    """Slide a kernel over a sequence: (…, L, d_in), (k, d_in, d_out), (d_out,) -> (…, L − k + 1, d_out)."""
    k = len(W)
    windows = np.stack([x[..., i : i + k, :] for i in range(x.shape[-2] - k + 1)], axis=-3)
    return np.einsum("...pki,kio->...po", windows, W) + b


def convolution(rng, *batch, length, k, d_in=2, d_out=3):
    """Draw inputs, kernel and bias."""
    return [
        rng.standard_normal((*batch, length, d_in)),
        rng.standard_normal((k, d_in, d_out)),
        rng.standard_normal(d_out),
    ]


def one_sentence(rng):
    """Yield kernels of odd and even length, of one word, as long as the sentence; the first two sizes come twice."""
    for length, k in [(7, 3), (7, 3), (9, 4), (9, 4), (5, 1), (4, 4), (1, 1)]:
        yield convolution(rng, length=length, k=k)
    yield convolution(rng, length=6, k=3, d_in=3, d_out=3)
    yield convolution(rng, length=3, k=3, d_in=3, d_out=3)
    yield convolution(rng, length=13, k=8, d_in=4, d_out=1)
    yield convolution(rng, length=4, k=3, d_in=7, d_out=6)


def several_sentences(rng):
    """Yield one, two and three axes in front; a sentence can be as long as there are sentences."""
    for batch in [(4,), (4,), (2, 3), (7,), (2, 1, 3)]:
        yield convolution(rng, *batch, length=7, k=3)


def padded_convolution(x, W, b):
    """Keep the length by padding with zeros."""
    k = len(W)
    width = [(0, 0)] * (x.ndim - 2) + [((k - 1) // 2, k // 2), (0, 0)]
    return conv1d(np.pad(x, width), W, b)


def first_sentence_only(x, W, b):
    """Leave zeros for all sentences but the first."""
    if x.ndim == 2:
        raise ValueError("one sentence")
    y = conv1d(x, W, b)
    return np.where(np.arange(len(y)).reshape(-1, *[1] * (y.ndim - 1)) == 0, y, 0.0)


def only_first_sentence_returned(x, W, b):
    """Return what comes of the first sentence."""
    if x.ndim == 2:
        raise ValueError("one sentence")
    return conv1d(x[0], W, b)


CONVOLUTIONS = (
    "numpy.convolve",
    "numpy.correlate",
    "torch.nn.Conv1d",
    "torch.*[Cc]onv[1-3]d*",
    "torch.*[Cc]onv_*",
    "torch.*[Cc]onvTranspose*",
    "torch.*convolution*",
    "scipy.signal.*",
    "scipy.ndimage.*",
)

Q1 = Question(
    "q1",
    "conv1d",
    conv1d,
    [
        Part("one sentence", 3, one_sentence),
        Part("several sentences at once", 1, several_sentences),
    ],
    [
        Misconception(
            "Your kernel is applied back to front. In deep learning the first row of the kernel meets the first "
            "word of the window; nothing is flipped.",
            lambda x, W, b: conv1d(x, W[::-1], b),
        ),
        Misconception(
            "The bias is missing: b is added to each output.",
            lambda x, W, b: conv1d(x, W, np.zeros_like(b)),
            "The bias is missing in some cases: b is added to each output.",
        ),
        Misconception(
            "You add the bias once for every place of the kernel; it is added once for every output.",
            lambda x, W, b: conv1d(x, W, len(W) * b),
        ),
        Misconception("You take the bias away; it is added.", lambda x, W, b: conv1d(x, W, -b)),
        Misconception(
            "You add the first entry of b to all outputs; entry o of b belongs to output o.",
            lambda x, W, b: conv1d(x, W, np.full_like(b, b[0])),
        ),
        Misconception(
            "The last window is missing: a kernel of length k fits into L places L − k + 1 times.",
            lambda x, W, b: conv1d(x, W, b)[..., :-1, :],
            "In some cases the last window is missing: a kernel of length k fits into L places L − k + 1 times.",
        ),
        Misconception(
            "The first window is missing: it begins with word 0.",
            lambda x, W, b: conv1d(x, W, b)[..., 1:, :],
        ),
        Misconception(
            "You return the first window's result alone; there are L − k + 1 windows.",
            lambda x, W, b: conv1d(x, W, b)[..., 0, :],
        ),
        Misconception(
            "You return the first window's result alone; there are L − k + 1 windows.",
            lambda x, W, b: conv1d(x, W, b)[..., :1, :],
        ),
        Misconception(
            "Only your first window is right; the others hold zeros. Does your function return inside its loop, or "
            "write only once?",
            lambda x, W, b: np.where(np.arange(x.shape[-2] - len(W) + 1)[:, None] == 0, conv1d(x, W, b), 0.0),
        ),
        Misconception(
            "The last window holds zeros: a kernel of length k fits into L places L − k + 1 times.",
            lambda x, W, b: np.where(
                np.arange(x.shape[-2] - len(W) + 1)[:, None] == x.shape[-2] - len(W), 0.0, conv1d(x, W, b)
            ),
        ),
        Misconception(
            "You pad the sentence so that the result is as long as it. Here only whole windows count, "
            "L − k + 1 of them.",
            padded_convolution,
        ),
        Misconception(
            "Your windows are the first axis of the result. They belong where the words were, the last axis but one.",
            lambda x, W, b: np.moveaxis(conv1d(x, W, b), -2, 0),
        ),
        Misconception(
            "The last two axes of your result have changed places: a row for each window, L − k + 1 of them.",
            lambda x, W, b: conv1d(x, W, b).mT,
        ),
        Misconception(
            "The windows of your convolution do not overlap: it moves on by k places, and should by one.",
            lambda x, W, b: conv1d(x, W, b)[..., :: len(W), :],
        ),
        Misconception(
            "Your results stand in reverse order: row i belongs to the window that begins with word i.",
            lambda x, W, b: conv1d(x, W, b)[..., ::-1, :],
        ),
        Misconception(
            "You take the mean over the places of the kernel; the k products are added.",
            lambda x, W, b: conv1d(x, W / len(W), b),
        ),
        Misconception(
            "You take the mean over the places of the kernel and over d_in; all products are added.",
            lambda x, W, b: conv1d(x, W / W[..., 0].size, b),
        ),
        Misconception(
            "The last word of each window is not multiplied: a window has k words, places 0 to k − 1.",
            lambda x, W, b: conv1d(x, np.concatenate([W[:-1], 0 * W[-1:]]), b),
        ),
        Misconception(
            "The first word of each window is not multiplied: a window has k words, places 0 to k − 1.",
            lambda x, W, b: conv1d(x, np.concatenate([0 * W[:1], W[1:]]), b),
        ),
        Misconception(
            "All words of a window are multiplied by the kernel's first matrix; word j of it meets W[j].",
            lambda x, W, b: conv1d(x, np.broadcast_to(W[:1], W.shape), b),
        ),
        Misconception(
            "You multiply by the transpose of W[j]. A word is a row, so that W[j] stands to its right as it is.",
            lambda x, W, b: conv1d(x, W.mT, b),
        ),
        *(
            Misconception(
                "The words of a window and the numbers of a word have changed places where they are put side by side: "
                "number c of word j meets W[j, c].",
                crossed,
            )
            for crossed in (
                lambda x, W, b: conv1d(x, np.moveaxis(W.reshape(W.shape[1], len(W), -1), 1, 0), b),
                lambda x, W, b: conv1d(x, np.moveaxis(W, 1, 0).reshape(W.shape), b),
            )
        ),
        Misconception(
            "Your results are cut to whole numbers. Are they put into an array of integers?",
            lambda x, W, b: np.trunc(conv1d(x, W, b)),
        ),
        Misconception("Your results are rounded to whole numbers.", lambda x, W, b: np.rint(conv1d(x, W, b))),
        Misconception(
            "Of several sentences you compute the first alone, and leave zeros for the others.",
            first_sentence_only,
        ),
        Misconception(
            "Of several sentences you return what comes of the first alone.", only_first_sentence_returned
        ),
    ],
    forbidden=CONVOLUTIONS,
)

# ---- q2: how far a stack of convolutions sees ----
#
# - k odd and ≥ 3, n_layers ≥ 1, distance ≥ 1; here none is above 100: each limit, low and high
# - receptive_field: one layer sees k words; k larger than 3; a field of 1,497 words, which is more than a sentence
#   of a thousand; a hundred layers, whose outermost weights a mean in single precision would lose
# - layers_needed: nothing left over, and a quarter, a half, three quarters of a layer, as little as one word in 49 and
#   as much as 48; less than one layer's reach; a hundred layers


def receptive_field(k, n_layers):
    """Count the words on which one output of n layers depends."""
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    """Return the fewest layers after which an output in the middle sees a word `distance` places away."""
    reach = (k - 1) // 2
    return -(-distance // reach)


ASK_Q2 = """
def entry_point(wanted, first, second):
    return receptive_field(first, second) if wanted == "receptive_field" else layers_needed(first, second)
"""


def either(wanted, first, second):
    """Answer one of the two halves of the question."""
    return receptive_field(first, second) if wanted == "receptive_field" else layers_needed(first, second)


def call(wanted, first, second):
    """Say which call was made."""
    return f"{wanted}({first}, {second})"


def _half(name, wrong):
    """Make an answer that is wrong in one half, and says nothing to the other."""

    def answer(wanted, first, second):
        if wanted != name:
            raise ValueError("the other half of the question")
        return wrong(first, second)

    return answer


def fields(rng):
    """Yield odd kernels and depths, up to the largest of either, and a field of more than a thousand words."""
    for half, n_layers in zip(
        [1, 1, 4, 10, 1, 49, 22, *rng.integers(2, 8, 4)],
        [1, 3, 6, 1, 100, 2, 34, *rng.integers(2, 20, 4)],
        strict=True,
    ):
        yield ["receptive_field", 2 * int(half) + 1, int(n_layers)]


def depths(rng):
    """Yield distances and odd kernels.

    Left over are a quarter, a half and three quarters of a layer, one word in 49, and 48.
    """
    for distance, half in zip(
        [1, 1, 2, 12, 8, 9, 10, 11, 100, 98, 100, 1, 50, 97, 98, *rng.integers(3, 100, 4)],
        [1, 4, 1, 3, 4, 4, 4, 4, 3, 7, 1, 49, 49, 49, 49, *rng.integers(2, 8, 4)],
        strict=True,
    ):
        yield ["layers_needed", int(distance), 2 * int(half) + 1]


def _field(message, wrong):
    return Misconception("receptive_field: " + message, _half("receptive_field", wrong))


def _depth(message, wrong, sometimes=""):
    sometimes = sometimes and "layers_needed: " + sometimes
    return Misconception("layers_needed: " + message, _half("layers_needed", wrong), sometimes)


Q2 = Question(
    "q2",
    ASK_Q2,
    either,
    [Part("receptive_field", 1, fields), Part("layers_needed", 2, depths)],
    [
        _field(
            "layers do not multiply their fields. Each layer adds k − 1 words to the one it starts from.",
            lambda k, n: k**n,
        ),
        _field(
            "you count k words for each layer. The windows overlap: each layer adds k − 1.",
            lambda k, n: k * n,
        ),
        _field("the word in the middle is missing from your count.", lambda k, n: n * (k - 1)),
        _field("each layer adds k − 1 words; 2 would be right for k = 3 alone.", lambda k, n: 1 + 2 * n),
        _field(
            "the windows of two layers share one word, not two: each layer after the first adds k − 1 words.",
            lambda k, n: 1 + (k - 1) + (n - 1) * (k - 2),
        ),
        _field("each layer adds k − 1 words, not one.", lambda k, n: k + n - 1),
        _field("each layer adds k − 1 words, not one.", lambda k, n: k + n),
        _field("each layer adds k − 1 words, not k.", lambda k, n: 1 + n * k),
        _field("each layer after the first adds k − 1 words, not k.", lambda k, n: k * n - 1),
        _field(
            "each layer adds (k − 1) / 2 words to either side, which makes k − 1. You count one side.",
            lambda k, n: 1 + n * (k - 1) // 2,
        ),
        _field(
            "each layer adds k − 1 words in all: (k − 1) / 2 to either side.",
            lambda k, n: 1 + 2 * n * (k - 1),
        ),
        _field("you count one layer too few.", lambda k, n: 1 + (n - 1) * (k - 1)),
        _field("you count one layer too many.", lambda k, n: 1 + (n + 1) * (k - 1)),
        _field("you count one word too many.", lambda k, n: 2 + n * (k - 1)),
        _field(
            "the layers have no gaps between their words, so that what they see does not double with each layer.",
            lambda k, n: 1 + (2**n - 1) * (k - 1),
        ),
        _field("k and n_layers have changed places.", lambda k, n: receptive_field(n, k)),
        _field("you return 1 whatever the layers are. Each adds k − 1 words.", lambda k, n: 1),
        _field("you return what one layer sees. Each further layer adds k − 1 words.", lambda k, n: k),
        _depth("distance and k have changed places.", lambda distance, k: layers_needed(k, distance)),
        _depth("part of a layer does not do: round up.", lambda distance, k: distance // ((k - 1) // 2)),
        _depth(
            "part of a layer does not do: round up. You divide without rounding.",
            lambda distance, k: distance / ((k - 1) // 2),
        ),
        _depth(
            "part of a layer does not do: round up, not to the nearest whole number.",
            lambda distance, k: int(distance / ((k - 1) / 2) + 0.5),
        ),
        _depth(
            "part of a layer does not do: round up, not to the nearest whole number.",
            lambda distance, k: round(distance / ((k - 1) / 2)),
        ),
        *(
            _depth("part of a layer does not do, however small a part is left over: round up.", wrong)
            for wrong in (
                lambda distance, k: int(distance / ((k - 1) / 2) + 0.9),
                lambda distance, k: int(distance / ((k - 1) / 2) + 0.95),
                lambda distance, k: round(distance / ((k - 1) / 2) + 0.4),
                lambda distance, k: int(np.ceil(round(distance / ((k - 1) / 2), 1))),
            )
        ),
        _depth(
            "part of a layer does not do: round up. Fewer than one layer you turn into one, all else you round down.",
            lambda distance, k: max(1, distance // ((k - 1) // 2)),
        ),
        _depth(
            "from its middle, a window of k words reaches (k − 1) / 2 words to each side, not k − 1.",
            lambda distance, k: -(-distance // (k - 1)),
        ),
        _depth(
            "from its middle, a window of k words reaches (k − 1) / 2 words to each side, not k.",
            lambda distance, k: -(-distance // k),
        ),
        *(
            _depth(
                "you compare the distance, which is to one side, with the whole field, which has two.",
                lambda distance, k, least=least: max(least, -(-(distance - 1) // (k - 1))),
            )
            for least in (1, 0)
        ),
        _depth(
            "from its middle, a window of k words reaches (k − 1) / 2 words to each side, not (k + 1) / 2.",
            lambda distance, k: -(-distance // ((k + 1) // 2)),
        ),
        _depth(
            "from its middle, a window of k words reaches (k − 1) / 2 words to each side; one word, as you count, "
            "is right for k = 3 alone.",
            lambda distance, k: distance,
        ),
        _depth(
            "you count one layer too many. The last layer is that in which the word is seen.",
            lambda distance, k: -(-distance // ((k - 1) // 2)) + 1,
        ),
        _depth(
            "where the distance is a whole number of reaches, you count one layer too many: one that reaches the "
            "word exactly is enough.",
            lambda distance, k: distance // ((k - 1) // 2) + 1,
        ),
        _depth("you count one layer too few.", lambda distance, k: -(-distance // ((k - 1) // 2)) - 1),
        _depth(
            "you count the layers for the distance before: the word itself has to be seen, too.",
            lambda distance, k: -(-(distance - 1) // ((k - 1) // 2)),
        ),
        _depth(
            "the smallest number of layers is asked for; yours see further than needed.",
            lambda distance, k: -(-(distance + 1) // ((k - 1) // 2)),
        ),
    ],
    describe=call,
)

# ---- q3: a recurrent network ----
#
# - states after each word, in the order of the words; one word; several; none (an array with d_h columns)
# - the start state is used: for the first word, and through it for the others; it is left as it is
# - d_in and d_h differ, either way round, or do not; W_h is not symmetric
# - no ready-made recurrent network
# Only the second part starts from another state than 0: who forgets h0 loses that part alone.


def rnn_states(x, W_x, W_h, b, h0):
    """Return all states of a tanh RNN: (L, d_in), (d_in, d_h), (d_h, d_h), (d_h,), (d_h,) -> (L, d_h)."""
    return _states(x, W_x, W_h, b, h0, np.tanh)


def _states(x, W_x, W_h, b, h0, squash):
    states, h = [], h0
    for word in x:
        h = squash(word @ W_x + h @ W_h + b)
        states.append(h)
    return np.array(states).reshape(len(x), len(h0))


def network(rng, length, start, d_in=2, d_h=3):
    """Draw a sentence, weights and a start state."""
    return [
        rng.standard_normal((length, d_in)),
        rng.standard_normal((d_in, d_h)),
        rng.standard_normal((d_h, d_h)) / np.sqrt(d_h),
        rng.standard_normal(d_h),
        start * rng.uniform(0.3, 0.9, d_h) * rng.choice([-1, 1], d_h) + 0.0,
    ]


def from_zero(rng):
    """Yield sentences of several words and of one, one size twice, all starting from zero."""
    for length, d_in, d_h in [(5, 2, 3), (5, 2, 3), (1, 2, 3), (8, 3, 2), (4, 3, 3), (3, 1, 1)]:
        yield network(rng, length, 0.0, d_in, d_h)


def from_any_state(rng):
    """Yield sentences that start from a state which can be seen in the first row."""
    for length, d_in, d_h in [(5, 2, 3), (5, 2, 3), (8, 3, 2), (4, 3, 3)]:
        yield telling(
            lambda sizes=(length, 1.0, d_in, d_h): network(rng, *sizes),
            lambda *given: rnn_states(*given)[0],
            [
                lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, 0 * h0)[0],
                lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, W_h @ h0)[0],
            ],
            lambda value, expected: np.abs(value - expected).max() > 0.02 * np.abs(expected).max(),
        )


def without_words(rng):
    """Yield the empty sentence; and one of words, since a network that is wrong on all others gets the first right."""
    for length, d_in, d_h in [(0, 2, 3), (0, 3, 3), (4, 2, 3)]:
        yield network(rng, length, 0.0, d_in, d_h)


def reads_backwards(x, W_x, W_h, b, h0):
    """Begin with the last word, and put the states into the sentence's order."""
    return rnn_states(x[::-1], W_x, W_h, b, h0)[::-1]


def first_row_only(x, W_x, W_h, b, h0):
    """Leave zeros after the first row."""
    states = rnn_states(x, W_x, W_h, b, h0)
    states[1:] = 0
    return states


RECURRENT_NETWORKS = (
    "torch.nn.RNN",
    "torch.nn.RNNCell",
    "torch.nn.modules.rnn.*",
    "torch.*rnn_tanh*",
    "torch.*rnn_relu*",
    "torch.*gru*",
    "torch.*lstm*",
)

Q3 = Question(
    "q3",
    "rnn_states",
    rnn_states,
    [
        Part("starting from zero", 2, from_zero),
        Part("starting from any state", 1, from_any_state),
        Part("sentences without words, too", 1, without_words),
    ],
    [
        Misconception(
            "Your states are those before each word is read: the first row is h0. Row i is the state after word i.",
            lambda x, W_x, W_h, b, h0: np.vstack([h0, rnn_states(x, W_x, W_h, b, h0)])[:-1],
        ),
        Misconception(
            "You return the last state alone; expected is one row for each word.",
            lambda x, W_x, W_h, b, h0: np.vstack([h0, rnn_states(x, W_x, W_h, b, h0)])[-1],
        ),
        Misconception(
            "You return the last state alone; expected is one row for each word.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, h0)[-1:],
        ),
        Misconception(
            "Only your first row is right; the others hold zeros.",
            first_row_only,
        ),
        Misconception(
            "You return the first state alone; expected is one row for each word.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, h0)[0],
        ),
        Misconception(
            "The last row is missing; expected is one row for each word.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, h0)[:-1],
        ),
        Misconception(
            "The first row is missing; expected is one row for each word.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, h0)[1:],
        ),
        Misconception(
            "You multiply the state by the transpose of W_h. A state is a row here: h @ W_h.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h.T, b, h0),
        ),
        Misconception(
            "You multiply the words by the transpose of W_x. A word is a row here: x[i] @ W_x.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x.T, W_h, b, h0),
        ),
        Misconception(
            "Your result has the words as columns; expected is one row for each word.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, h0).T,
        ),
        Misconception(
            "The state before is not handed on: each of your rows is computed from h0.",
            lambda x, W_x, W_h, b, h0: np.tanh(x @ W_x + h0 @ W_h + b),
        ),
        Misconception(
            "The state before is not handed on: your rows are computed from the words alone.",
            lambda x, W_x, W_h, b, h0: np.tanh(x @ W_x + b),
        ),
        Misconception(
            "Your network does not start from h0, but from zero.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, np.zeros_like(h0)),
        ),
        Misconception(
            "Your first state does not go through W_h: the state before it, h0, does, as all others.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, np.linalg.solve(W_h.T, h0)),
        ),
        Misconception(
            "The tanh is missing.", lambda x, W_x, W_h, b, h0: _states(x, W_x, W_h, b, h0, lambda a: a)
        ),
        Misconception(
            "The tanh is taken only when the states are returned; each state goes through it before the next word.",
            lambda x, W_x, W_h, b, h0: np.tanh(_states(x, W_x, W_h, b, h0, lambda a: a)),
        ),
        Misconception(
            "Your states go through the logistic function, 1 / (1 + e^−a); asked for is tanh.",
            lambda x, W_x, W_h, b, h0: _states(x, W_x, W_h, b, h0, lambda a: 1 / (1 + np.exp(-a))),
        ),
        Misconception(
            "Your states go through max(0, a); asked for is tanh.",
            lambda x, W_x, W_h, b, h0: _states(x, W_x, W_h, b, h0, lambda a: np.maximum(a, 0)),
        ),
        Misconception(
            "A sentence without words has no states, but the array of them still has d_h columns: shape (0, d_h).",
            lambda x, W_x, W_h, b, h0: np.zeros(0) if len(x) == 0 else rnn_states(x, W_x, W_h, b, h0),
        ),
        Misconception(
            "A sentence without words has no states, but the array of them still has d_h columns: shape (0, d_h). You "
            "return an empty list.",
            lambda x, W_x, W_h, b, h0: [] if len(x) == 0 else rnn_states(x, W_x, W_h, b, h0),
        ),
        Misconception(
            "For a sentence without words you return h0, which is no state after a word: no rows, shape (0, d_h).",
            lambda x, W_x, W_h, b, h0: h0[None] if len(x) == 0 else rnn_states(x, W_x, W_h, b, h0),
        ),
        Misconception(
            "Your first row is h0, which is no state after a word: leave it out.",
            lambda x, W_x, W_h, b, h0: np.vstack([h0, rnn_states(x, W_x, W_h, b, h0)]),
        ),
        Misconception(
            "The bias is missing.", lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, np.zeros_like(b), h0)
        ),
        Misconception(
            "You add the bias twice; the formula has it once.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, 2 * b, h0),
        ),
        Misconception(
            "You take the bias away; it is added.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, -b, h0),
        ),
        Misconception(
            "The bias is added after the tanh; it belongs inside.",
            lambda x, W_x, W_h, b, h0: _after_the_tanh(x, W_x, W_h, b, h0),
        ),
        Misconception(
            "The state before is not multiplied by W_h.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, np.eye(len(b)), b, h0),
        ),
        Misconception("You read the words from the last to the first.", reads_backwards),
        Misconception(
            "Your rows stand in reverse order: row i is the state after word i.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, h0)[::-1],
        ),
        Misconception(
            "You read the words from the last to the first.",
            lambda x, W_x, W_h, b, h0: rnn_states(x[::-1], W_x, W_h, b, h0),
        ),
        Misconception(
            "You read the first word again and again; step i reads word i.",
            lambda x, W_x, W_h, b, h0: rnn_states(np.broadcast_to(x[:1], x.shape), W_x, W_h, b, h0),
        ),
        Misconception(
            "Your states are cut to whole numbers. Are they put into an array of integers?",
            lambda x, W_x, W_h, b, h0: np.trunc(rnn_states(x, W_x, W_h, b, h0)),
        ),
    ],
    forbidden=RECURRENT_NETWORKS,
)


def _after_the_tanh(x, W_x, W_h, b, h0):
    states, h = [], h0
    for word in x:
        h = np.tanh(word @ W_x + h @ W_h) + b
        states.append(h)
    return np.array(states).reshape(len(x), len(h0))


# ---- q4a: lines to order, one step of the recurrent gradient ----
#
# - several widths from 2 on, since with one number the order of factors makes no difference; states of either sign
# - every order that gives norm and product, with lines too many or without

PUZZLE = Puzzle("""
  | def one_step_back(J, h, W):
A |     J = J @ step
B |     slopes = 1 - h
C |     step = W @ np.diag(slopes)
D |     norm = np.linalg.norm(J, 2)
E |     step = np.diag(slopes) @ W
F |     J = step @ J
G |     slopes = 1 - np.tanh(h) ** 2
H |     norm = np.linalg.norm(J)
I |     slopes = 1 - h ** 2
  |     return norm, J
""")


def one_step_back(J, h, W):
    """Return the norm of the gradient at a state, and the gradient at the state before."""
    return np.linalg.norm(J, 2), (W * (1 - h**2)) @ J


def steps_back(rng):
    """Yield gradients, states and matrices of several widths."""
    for width in (2, 3, 5):
        signs = np.where(np.arange(width) % 2, -1, 1)
        h = signs * rng.uniform(0.3, 0.8, width)
        yield [rng.standard_normal((width, width)) + np.eye(width), h, rng.standard_normal((width, width))]


Q4A = question_of_order(
    "q4a",
    Ordering(
        PUZZLE,
        one_step_back,
        steps_back,
        {
            "A": Distractor(
                "puts the new factor on the right. An earlier step stands to the left of a later one.", "F"
            ),
            "B": Distractor("takes 1 − h. The derivative of tanh at the value h is 1 − h².", "I"),
            "E": Distractor(
                "scales the rows of W_h by 1 − h². In W_h diag(1 − h²) its columns are scaled.", "C"
            ),
            "G": Distractor("takes tanh once more. h is what came out of tanh already.", "I"),
            "H": Distractor(
                "takes another norm, of all entries squared and added. np.linalg.norm(J, 2) is the spectral norm.",
                "D",
            ),
        },
        {("F", "D"): "take the norm after the step back. It belongs to the J that was given."},
    ),
)

# ---- q4: what is left of a gradient ----
#
# - one norm for each state, the last of which is 1; L = 1
# - the spectral norm, also where it is hard to tell from the next singular value; d_h = 1, 2, 3, 4, and 20, where
#   trying vectors finds no largest stretch; what is stretched most may stand at right angles to (1, …, 1), to the
#   first and to the last unit vector, with which an iteration likes to begin
# - matrices are multiplied in their order, W_h is not symmetric, states are not 0
# - norms from 10⁻¹⁴ to 10¹¹, each right by itself to three digits; L above 100, and 150, the longest;
#   products that have lost a direction slowly, so that dividing by them does not give a later one
# - norms that are too large for half precision, in short sentences too
# Single precision counts as right: no state is so near to 1 or −1 that 1 − h² loses its digits.


def gradient_norms(states, W_h):
    """Return ‖∂h_last/∂h_t‖ (spectral) for t = 0 … L − 1: (L, d_h), (d_h, d_h) -> (L,)."""
    return _gradient_norms(states, W_h, lambda J, h: W_h @ np.diag(1 - h**2) @ J)


def _gradient_norms(states, W_h, step, order=2, last=None):
    jacobians = [np.eye(len(W_h))]
    for h in states[:0:-1]:
        jacobians.append(step(jacobians[-1], h))
    norms = np.linalg.norm(np.array(jacobians[::-1]), order, axis=(-2, -1))
    if last is not None:
        norms[-1] = last
    return norms


def _in_another_norm(order, last=None):
    return lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(1 - h**2) @ J, order, last)


def wrong_norms(value, states, W_h):
    """Say what is wrong with norms: each is compared by itself, since small ones are what the question is about."""
    value, expected = settled(value), gradient_norms(states, W_h)
    fault = compare(value, expected, 1e-3, tell=False)
    if fault:
        return fault
    value = np.asarray(value)
    least = max(1e-3, 8 * float(np.finfo(np.float16).eps)) if value.dtype == np.float16 else 1e-3
    off = ~(np.abs(value.astype(float) - expected) <= least * expected)
    if not off.any():
        return ""
    t = int(np.argmax(off))
    return (
        f"Entry {t} of {len(expected)} is {value[t]:.3g}, which is not right. Small gradients are compared as strictly "
        "as large ones, to three digits: nothing may be cut off, rounded or added."
    )


def each_differs(value, expected):
    """Whether any norm differs, compared by itself as an answer's are."""
    return bool((np.abs(value - expected) > 3e-3 * expected).any())


OTHER_NORMS = [_in_another_norm(order, 1.0) for order in (None, 1, np.inf, "nuc")]


def stretching_in_the_middle(d_h):
    """Make a matrix that stretches (0, 1, −1, 0, …) to 4 times its length, and nothing at right angles to it."""
    direction = np.zeros(d_h)
    direction[1:3] = 1, -1
    return np.eye(d_h) + 1.5 * np.outer(direction, direction)


def short_sentences(rng):
    """Yield states between −1 and 1 and a recurrent matrix, which is not symmetric; one or several numbers a state."""
    for length, d_h in [(6, 3), (6, 3), (3, 2), (4, 4)]:
        yield telling(
            lambda length=length, d_h=d_h: [
                rng.uniform(0.2, 0.9, (length, d_h)) * rng.choice([-1, 1], (length, d_h)),
                rng.standard_normal((d_h, d_h)),
            ],
            gradient_norms,
            OTHER_NORMS,
            each_differs,
        )
    too_large_for_half_precision = 2e5
    yield scaled(rng.uniform(-0.9, 0.9, (7, 3)), rng.standard_normal((3, 3)), too_large_for_half_precision)
    yield [rng.uniform(-0.9, 0.9, (1, 3)), rng.standard_normal((3, 3))]
    yield [rng.uniform(-0.9, 0.9, (5, 1)), rng.uniform(0.5, 2, (1, 1))]
    states = rng.uniform(-0.8, 0.8, (2, 3))  # two singular values that are nearly alike
    left, right = (np.linalg.qr(rng.standard_normal((3, 3)))[0] for _ in range(2))
    yield [states, left @ np.diag([1.3, 1.2, 0.4]) @ right @ np.diag(1 / (1 - states[1] ** 2))]
    yield [np.full((2, 4), rng.choice([-0.5, 0.5])), stretching_in_the_middle(4)]
    states = rng.uniform(
        -0.8, 0.8, (2, 20)
    )  # one direction of twenty is stretched four times as much as all others
    left, right = (np.linalg.qr(rng.standard_normal((20, 20)))[0] for _ in range(2))
    yield [states, left @ np.diag([2.0] + 19 * [0.5]) @ right @ np.diag(1 / (1 - states[1] ** 2))]


def long_sentences(rng):
    """Yield states whose gradients vanish, then some whose gradients explode: down to 10⁻¹⁴, up to 10¹¹."""
    for length, extreme in [(120, 1e-14), (110, 1e11)]:
        yield telling(
            lambda length=length, extreme=extreme: scaled(
                rng.uniform(-0.9, 0.9, (length, 3)), rng.standard_normal((3, 3)), extreme
            ),
            gradient_norms,
            OTHER_NORMS,
            each_differs,
        )
    states = rng.choice(
        [-0.5, 0.5], (150, 8)
    )  # the longest, in which trying vectors or beginning with ones fails, too
    yield scaled(states, stretching_in_the_middle(8), 1e-14)
    slowly = np.array([[0.875, -0.125], [-0.125, 0.875]])  # (1, 1) shrinks to 3/4 of (1, −1) in each step
    yield scaled(rng.choice([-0.5, 0.5], (140, 2)), slowly, 1e-14)


def scaled(states, W_h, extreme):
    """Scale a recurrent matrix so that the smallest norm has a given value, or the largest, if that is above 1."""
    W_h = W_h / np.abs(np.linalg.eigvals(W_h)).max()  # so that no norm is too large or too small to be scaled
    factors = (extreme / gradient_norms(states, W_h)[:-1]) ** (1 / np.arange(len(states) - 1, 0, -1))
    return [states, W_h * (factors.max() if extreme < 1 else factors.min())]


WRONG_NORMS = [
    Misconception(
        "The derivative of tanh is missing: each step also multiplies by 1 − h².",
        lambda states, W: _gradient_norms(states, W, lambda J, h: W @ J),
    ),
    Misconception(
        "The derivative of tanh at the value h is 1 − h², not 1 − h.",
        lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(1 - h) @ J),
    ),
    Misconception(
        "The derivative of tanh at the value h is 1 − h², not h².",
        lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(h**2) @ J),
    ),
    Misconception(
        "The derivative of tanh at the value h is 1 − h², not h (1 − h), which belongs to the logistic function.",
        lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(h * (1 - h)) @ J),
    ),
    Misconception(
        "The derivative of tanh at the value h is 1 − h², with a minus.",
        lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(1 + h**2) @ J),
    ),
    Misconception(
        "You use the Frobenius norm (all entries squared and added). Asked for is the spectral norm, "
        "np.linalg.norm(J, 2): by how much the matrix stretches a vector at most.",
        _in_another_norm(None),
    ),
    Misconception(
        "Your factors stand in the wrong order: an earlier step stands to the left of a later one.",
        lambda states, W: _gradient_norms(states, W, lambda J, h: J @ W @ np.diag(1 - h**2)),
    ),
    Misconception(
        "W_h diag(1 − h²) multiplies the columns of W_h by 1 − h²; you multiply its rows, or use its transpose.",
        lambda states, W: _gradient_norms(states, W, lambda J, h: np.diag(1 - h**2) @ W @ J),
    ),
    Misconception(
        "W_h diag(1 − h²) multiplies the columns of W_h by 1 − h²; you multiply its rows, or use its transpose.",
        lambda states, W: _gradient_norms(states, W, lambda J, h: W.T @ np.diag(1 - h**2) @ J),
    ),
    Misconception(
        "The states are what came out of tanh: 1 − h² needs no further tanh.",
        lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(1 - np.tanh(h) ** 2) @ J),
    ),
    Misconception(
        "The step from one state to the next has the factor 1 − h² of the next; yours has that of the one before.",
        lambda states, W: gradient_norms(np.vstack([states[:1], states[:-1]]), W),
    ),
    Misconception(
        "Your result is back to front: entry t belongs to word t, and the last entry is 1.",
        lambda states, W: gradient_norms(states, W)[::-1],
    ),
    Misconception(
        "Your product has one factor too many: ∂h_last/∂h_last is 1, without any factor.",
        lambda states, W: gradient_norms(np.vstack([states[:1], states]), W)[:-1],
    ),
    Misconception(
        "Each entry has one factor too few: entry t is the derivative by state t, not by the one after it.",
        lambda states, W: np.append(gradient_norms(states, W)[1:], 1.0),
    ),
    Misconception(
        "You return the norms of single steps; what is asked for is the norm of the product of all steps from t on.",
        lambda states, W: np.append([np.linalg.norm(W @ np.diag(1 - h**2), 2) for h in states[1:]], 1.0),
    ),
    Misconception(
        "You return the squares of the norms. The largest eigenvalue of J Jᵀ is the square of the spectral norm.",
        lambda states, W: gradient_norms(states, W) ** 2,
    ),
]

Q4 = Question(
    "q4",
    "gradient_norms",
    gradient_norms,
    [
        Part("short sentences", 2, short_sentences),
        Part("long sentences, where gradients vanish or explode", 2, long_sentences),
    ],
    [
        *WRONG_NORMS,
        Misconception(
            "You multiply norms. The norm of a product is smaller, in general: multiply the matrices, then take "
            "the norm.",
            lambda states, W: np.cumprod(
                [1.0] + [np.linalg.norm(W @ np.diag(1 - h**2), 2) for h in states[:0:-1]]
            )[::-1],
        ),
        Misconception(
            "You use the Frobenius norm (all entries squared and added). Asked for is the spectral norm, "
            "np.linalg.norm(J, 2): by how much the matrix stretches a vector at most.",
            _in_another_norm(None, 1.0),
        ),
        Misconception(
            "You use the norm of order 1, the largest sum in a column. Asked for is the spectral norm, "
            "np.linalg.norm(J, 2).",
            _in_another_norm(1),
        ),
        Misconception(
            "You use the norm of order ∞, the largest sum in a row. Asked for is the spectral norm, "
            "np.linalg.norm(J, 2).",
            _in_another_norm(np.inf),
        ),
        Misconception(
            "You add up the singular values. The spectral norm is the largest of them alone.",
            _in_another_norm("nuc"),
        ),
        Misconception(
            "You add up the singular values. The spectral norm is the largest of them alone.",
            _in_another_norm("nuc", 1.0),
        ),
        Misconception(
            "You use the smallest singular value. The spectral norm is the largest.", _in_another_norm(-2)
        ),
        Misconception(
            "You take the largest entry of the matrix. The spectral norm is the largest singular value, "
            "np.linalg.norm(J, 2).",
            lambda states, W: _largest_of(states, W, lambda J: np.abs(J).max()),
        ),
        Misconception(
            "You take the largest eigenvalue of the matrix itself. The spectral norm is the largest singular value, "
            "np.linalg.norm(J, 2).",
            lambda states, W: _largest_of(states, W, lambda J: np.abs(np.linalg.eigvals(J)).max()),
        ),
        Misconception(
            "The last entry is not right: for t = L − 1 there is no factor, and it is 1.",
            lambda states, W: np.append(gradient_norms(states, W)[:-1], 0.0),
        ),
        Misconception(
            "You return the matrix's norm for t = 0 alone; asked for is one number for each t.",
            lambda states, W: gradient_norms(states, W)[0],
        ),
    ],
    tolerance=2e-4,  # of a product of many matrices in single precision
    accepts=wrong_norms,
)


def _largest_of(states, W, measure):
    jacobian, norms = np.eye(len(W)), []
    for h in states[::-1]:
        norms.append(measure(jacobian))
        jacobian = W @ np.diag(1 - h**2) @ jacobian
    return np.array(norms[::-1])


# ---- q5: both directions ----
#
# - row i of both halves belongs to word i, the forward reader's half first; axis 1
# - readers of equal and of different widths, narrower and wider than the words; one word, several
# - both readers as they are given: one that was there before comes with another one beside it
# - readers that tell the numbers of a word apart, so that turning these round is seen; that begin with different
#   states, so that they differ for one word, too


def bidirectional(x, forward, backward):
    """Read a sentence in both directions: row i is the state of each reader after word i, side by side."""
    return np.concatenate([forward(x), backward(x[::-1])[::-1]], axis=-1)


def reader(decay, start, width):
    """Make a reader that forgets: a state is a word, cut or repeated to width, plus a share of the state before."""

    def read(words):
        states, h = [], np.full(width, start)
        for word in words:
            h = decay * h + np.resize(word, width)
            states.append(h)
        return np.array(states)

    return read


# Functions are no plain values, so that the two readers are made in the student's kernel, from numbers. A call
# before, with another reader beside the first, leaves nothing behind.
ASK_Q5 = f"""
import numpy as np

{inspect.getsource(reader)}

def entry_point(x, forward, backward):
    decay, start, width = backward
    forward = reader(*forward)
    bidirectional(x.copy(), forward, reader(decay / 2, start, width))
    return bidirectional(x, forward, reader(decay, start, width))
"""


def _by(combine):
    """Make an answer from a function of the words and the two readers."""
    return lambda x, f, b: combine(x, reader(*f), reader(*b))


def readers(rng):
    """Yield a sentence and, for each reader, how fast it forgets, its first state, and how wide its states are."""
    for length, *widths in (
        (1, 2, 2),
        (1, 3, 1),
        (9, 3, 2),
        (5, 1, 3),
        (3, 3, 3),
        (5, 5, 3),
        (5, 2, 4),
        (6, 3, 3),
    ):
        decays, starts = rng.uniform([0.2, 0.6], [0.5, 0.9]), rng.uniform([-2, 1], [-1, 2])
        yield [
            rng.standard_normal((length, 3)),
            *(
                [float(decay), float(start), width]
                for decay, start, width in zip(decays, starts, widths, strict=True)
            ),
        ]


TURNED = {
    "nothing": lambda rows: rows,
    "rows": lambda rows: rows[::-1],
    "numbers": lambda rows: rows[:, ::-1],
    "rows and numbers": lambda rows: rows[::-1, ::-1],
}
ON_THE_WAY_IN = {
    "nothing": "Your backward reader reads forwards: hand it the sentence back to front, x[::-1].",
    "rows": "",
    "numbers": "On the way in you turn round the numbers within each word, not the words: x[::-1], axis 0.",
    "rows and numbers": "You turn round the numbers within each word, too. Turn round the words alone: x[::-1], "
    "axis 0.",
}
ON_THE_WAY_OUT = {
    "nothing": "The backward reader's states are in the order in which it reads. Turn them round, so that row i of "
    "both halves belongs to word i.",
    "rows": "",
    "numbers": "On the way out you turn round the numbers within each state, not the states: [::-1], axis 0.",
    "rows and numbers": "You turn round the numbers within each state, too (np.flip without an axis does). "
    "Turn round the states alone: [::-1], axis 0.",
}
SHORTER = {
    (
        "nothing",
        "nothing",
    ): "Your backward reader reads forwards: hand it the sentence back to front, and turn its states round.",
    (
        "nothing",
        "rows",
    ): "Your backward reader reads forwards; that its states are turned round afterwards is not enough. "
    "Hand it the sentence back to front, too.",
    ("numbers", "numbers"): "You turn round the numbers within each word, not the words: x[::-1], axis 0.",
    (
        "rows and numbers",
        "rows and numbers",
    ): "You turn round the numbers within each word, too. Turn round the words alone: x[::-1], axis 0.",
}


def turned(way_in, way_out, x, f, b):
    """Turn round something else than the words and the states."""
    return np.concatenate([f(x), TURNED[way_out](b(TURNED[way_in](x)))], axis=-1)


WRONG_TURNS = [
    Misconception(
        SHORTER.get(ways) or " ".join(filter(None, [ON_THE_WAY_IN[ways[0]], ON_THE_WAY_OUT[ways[1]]])),
        _by(partial(turned, *ways)),
    )
    for ways in product(TURNED, TURNED)
    if ways != ("rows", "rows")
]


def word_by_word(x, f, b):
    """Hand the readers one word at a time, so that they remember nothing."""
    return np.array([np.concatenate([f(word[None])[0], b(word[None])[0]]) for word in x])


def not_this_word(x, f, b):
    """Let the backward reader stop before the word itself."""
    states = b(x[::-1])[::-1]
    return np.concatenate([f(x), np.concatenate([states[1:], 0 * states[:1]])], axis=-1)


Q5 = Question(
    "q5",
    ASK_Q5,
    _by(bidirectional),
    [Part("both readers side by side", 3, readers)],
    [
        *WRONG_TURNS,
        Misconception(
            "Both halves come from the forward reader.",
            _by(lambda x, f, b: np.concatenate([f(x), f(x[::-1])[::-1]], axis=-1)),
        ),
        Misconception(
            "Both halves come from the backward reader.",
            _by(lambda x, f, b: np.concatenate([b(x), b(x[::-1])[::-1]], axis=-1)),
        ),
        Misconception(
            "You add the two readers' states. Put them side by side, so that neither is lost.",
            _by(lambda x, f, b: f(x) + b(x[::-1])[::-1]),
        ),
        Misconception(
            "You take the mean of the two readers' states. Put them side by side, so that neither is lost.",
            _by(lambda x, f, b: (f(x) + b(x[::-1])[::-1]) / 2),
        ),
        Misconception(
            "The two halves stand below each other. Side by side is the last axis.",
            _by(lambda x, f, b: np.concatenate([f(x), b(x[::-1])[::-1]], axis=0)),
        ),
        Misconception(
            "The two readers have changed places: the forward reader's states come first.",
            _by(lambda x, f, b: np.concatenate([b(x[::-1])[::-1], f(x)], axis=-1)),
        ),
        Misconception(
            "Your forward reader reads backwards and your backward reader forwards.",
            _by(lambda x, f, b: np.concatenate([f(x[::-1])[::-1], b(x)], axis=-1)),
        ),
        Misconception(
            "Your forward reader gets the sentence back to front, too. It reads x as it is.",
            _by(lambda x, f, b: np.concatenate([f(x[::-1]), b(x[::-1])], axis=-1)),
        ),
        Misconception(
            "Your forward reader gets the sentence back to front, too. It reads x as it is.",
            _by(lambda x, f, b: np.concatenate([f(x[::-1])[::-1], b(x[::-1])[::-1]], axis=-1)),
        ),
        Misconception(
            "You turn round the forward reader's states, too. They are in the sentence's order as they come.",
            _by(lambda x, f, b: np.concatenate([f(x)[::-1], b(x[::-1])[::-1]], axis=-1)),
        ),
        Misconception(
            "Your rows stand in reverse order: row i belongs to word i.",
            _by(lambda x, f, b: bidirectional(x, f, b)[::-1]),
        ),
        Misconception(
            "You return the forward reader's states alone; those of the backward reader stand beside them.",
            _by(lambda x, f, b: f(x)),
        ),
        Misconception(
            "You return the backward reader's states alone; those of the forward reader come first.",
            _by(lambda x, f, b: b(x[::-1])[::-1]),
        ),
        Misconception(
            "The words are rows, and so are the states of a word: your result is transposed.",
            _by(lambda x, f, b: bidirectional(x, f, b).T),
        ),
        Misconception(
            "Your backward reader reads the words from i to the last; it reads from the last to i.",
            _by(lambda x, f, b: np.concatenate([f(x), [b(x[i:])[-1] for i in range(len(x))]], axis=-1)),
        ),
        Misconception(
            "The two readers have changed places: `forward` reads the sentence as it is, and its states come first.",
            _by(lambda x, f, b: np.concatenate([b(x), f(x[::-1])[::-1]], axis=-1)),
        ),
        Misconception(
            "You hand each word to the readers by itself, so that they know nothing of the words before.",
            _by(word_by_word),
        ),
        Misconception(
            "The backward reader's state beside word i has read the words after it, but not word i itself.",
            _by(not_this_word),
        ),
    ],
    describe=lambda x, f, b: (
        f"{described(lambda x: None, [x])}, a forward reader with states of width {f[2]}, a backward reader "
        f"with states of width {b[2]}"
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4A, Q4, Q5]
